//! Commands that JavaScript declares for its own command line: yargs', commander's, those of `shelljs/make`.

use std::rc::Rc;

use shell_engine::mark;

use super::Language;
use super::act::Call;
use super::follow::Follower;
use super::lex::Token;
use super::options::{COMMAND, PARSED, PARSER};
use super::value::{Arguments, Function, Value};

/// What declares commands of yargs'.
const YARGS: &str = "yargs";

/// Methods that say how the parser of yargs' works, and give it back.
const SETTINGS: [&str; 14] = [
    "demandCommand",
    "demandOption",
    "help",
    "strict",
    "strictCommands",
    "usage",
    "version",
    "scriptName",
    "wrap",
    "recommendCommands",
    "showHelpOnFail",
    "epilogue",
    "example",
    "parserConfiguration",
];

/// Whether a path is a parser of commander's as a whole.
fn is_commander(path: &str) -> bool {
    matches!(path, "commander" | "commander.program" | "commander.Command" | "program" | "Command")
}

/// The names of the operands that a command spells: `clean <dir> [others..]`, each with whether it takes all that is left.
fn operands_of(spelled: &str) -> impl Iterator<Item = (String, bool)> + '_ {
    let words = spelled.split_whitespace().skip(1).filter(|word| word.starts_with(['<', '[']));
    words.map(|word| {
        let name = word.trim_matches(['<', '>', '[', ']']);
        (name.trim_end_matches('.').to_owned(), name.ends_with(".."))
    })
}

impl Follower<'_> {
    /// What yargs declares besides options. `None` where that is another call.
    pub(super) fn of_yargs(&mut self, value: &Value, name: &str, arguments: &Arguments) -> Option<Value> {
        match (value, name) {
            (Value::Name(path), "command") if path == YARGS => self.command_of_yargs(arguments),
            (Value::Name(path), name) if path == YARGS && SETTINGS.contains(&name) => Some(value.clone()),
            _ => None,
        }
    }

    /// `yargs.command("wipe <dir>", "…", (y) => y.option(…), (argv) => { … })`, `command({ command, builder, handler })`: runs
    /// what the command does where the call gives it.
    fn command_of_yargs(&mut self, arguments: &Arguments) -> Option<Value> {
        if !self.given.complete {
            return None;
        }
        let (spelled, builder, handler) = match arguments.values.as_slice() {
            [module @ Value::Map(_)] => {
                let part = |name: &str| module.get(name).cloned();
                (part("command")?, part("builder"), part("handler"))
            }
            [spelled, _, rest @ ..] => (spelled.clone(), rest.first().cloned(), rest.get(1).cloned()),
            _ => return None,
        };
        let spelled = match &spelled {
            Value::List(names) => names.iter().find_map(Value::known)?,
            name => name.known()?,
        };
        let result = Some(Value::Name(YARGS.to_owned()));
        for function in [&builder, &handler].into_iter().flatten().flat_map(Value::functions) {
            self.forget_function(&function);
        }
        if !self.gives_command(spelled.split_whitespace().next()?) {
            return result;
        }
        match builder {
            Some(Value::Map(options)) => {
                for (name, option) in options {
                    self.declare_option(&Arguments::of(vec![Value::from(name), option]));
                }
            }
            Some(Value::Function(builder)) => {
                self.call_function(&builder, vec![Value::Name(PARSER.to_owned())]);
            }
            _ => {}
        }
        for (place, (name, takes_all)) in operands_of(&spelled).enumerate() {
            if let Some(given) = self.operand_at(place, takes_all) {
                self.assign(&format!("{PARSED}.{name}"), given);
            } else if self.variable(&format!("{PARSED}.{name}")).is_none() {
                self.assign(&format!("{PARSED}.{name}"), Value::from(mark::PASSED));
            }
        }
        if let Some(Value::Function(handler)) = handler {
            self.call_function(&handler, vec![Value::Name(PARSED.to_owned())]);
        }
        result
    }

    /// The operand of the call at a place, or all from there on. `None` where the call gives none.
    fn operand_at(&self, place: usize, takes_all: bool) -> Option<Value> {
        let Some(given) = self.operands_given() else { return Some(Value::unknown()) };
        let rest = given.get(place..).filter(|rest| !rest.is_empty())?;
        Some(if takes_all {
            Value::List(rest.iter().map(|word| Value::from(word.as_str())).collect())
        } else {
            Value::from(rest[0].as_str())
        })
    }

    /// What commander's parser, or one of its commands, declares besides options. `None` where that is another call.
    pub(super) fn of_commander(&mut self, value: &Value, name: &str, arguments: &Arguments) -> Option<Value> {
        let Value::Name(path) = value else { return None };
        let whole = || Some(Value::Name(COMMAND.to_owned()));
        let command = match path.strip_prefix(COMMAND) {
            Some(command) => command,
            None if is_commander(path) && self.language == Language::JavaScript => "",
            None => return None,
        };
        match name {
            "action" if !self.gives_command(command) => {
                for function in arguments.all().flat_map(Value::functions) {
                    self.forget_function(&function);
                }
                Some(value.clone())
            }
            "action" if self.given.complete => {
                let Some(Value::Function(handler)) = arguments.first() else { return None };
                self.act_of_command(&Rc::clone(handler));
                Some(value.clone())
            }
            "argument" if !self.gives_command(command) => Some(value.clone()),
            "argument" => {
                let spelled = arguments.first().and_then(Value::known).unwrap_or_default();
                let default = arguments.values.get(2).cloned();
                let place = self.operands;
                self.operands = place.saturating_add(1);
                let takes_all = spelled.contains("...");
                let held = self.operand_at(place, takes_all).or(default);
                let held = held.unwrap_or_else(|| Value::from(mark::PASSED));
                self.assign(&format!("{PARSED} {place}"), held);
                if path.starts_with(COMMAND) { Some(value.clone()) } else { whole() }
            }
            "option" | "requiredOption" | "command" if path.starts_with(COMMAND) => {
                Some(self.declare(Call::of(value, name, arguments)))
            }
            "description"
            | "alias"
            | "summary"
            | "usage"
            | "version"
            | "allowUnknownOption"
            | "name"
            | "showHelpAfterError"
            | "helpOption"
            | "allowExcessArguments"
            | "hook"
            | "exitOverride"
            | "addHelpText" => {
                if path.starts_with(COMMAND) || is_commander(path) && name != "hook" {
                    return if path.starts_with(COMMAND) { Some(value.clone()) } else { whole() };
                }
                None
            }
            "parse" | "parseAsync" if path.starts_with(COMMAND) => Some(value.clone()),
            "opts" if path.starts_with(COMMAND) => Some(Value::Name(PARSED.to_owned())),
            _ => None,
        }
    }

    /// The operands of a command that the call gives: `clean <dir>`.
    pub(super) fn name_operands(&mut self, spelled: &str) {
        self.operands = 0;
        for (place, (_, takes_all)) in operands_of(spelled).enumerate() {
            let held = self.operand_at(place, takes_all).unwrap_or_else(|| Value::from(mark::PASSED));
            self.assign(&format!("{PARSED} {place}"), held);
            self.operands = place + 1;
        }
    }

    /// Runs the function of a command of commander's: it gets the operands, the options, and the command itself.
    fn act_of_command(&mut self, handler: &Rc<Function>) {
        self.forget_function(handler);
        let count = handler.parameters.len();
        let takes_command =
            handler.parameters.last().is_some_and(|last| matches!(last.name.as_str(), "command" | "cmd"));
        let options = count.saturating_sub(1 + usize::from(takes_command && count > 1));
        // Without options after them, all are operands.
        let options = if count == self.operands { count } else { options };
        let values = (0..count).map(|place| {
            if place == options {
                return Value::Name(PARSED.to_owned());
            }
            self.variable(&format!("{PARSED} {place}")).cloned().unwrap_or_else(Value::unknown)
        });
        let values = values.collect();
        self.call_function(handler, values);
    }

    /// The targets of `shelljs/make` that the call does not name: nothing but other targets calls them.
    pub(super) fn leave_out_targets(&mut self) {
        if self.language != Language::JavaScript
            || !self.given.complete
            || !self.starred().iter().any(|module| module == "shelljs")
            || !self.names("target")
        {
            return;
        }
        let words = self.given.arguments.iter().take_while(|word| *word != "--");
        let mut wanted: Vec<String> = words.filter(|word| !word.starts_with('-')).cloned().collect();
        if wanted.is_empty() {
            wanted.push("all".to_owned());
        }
        let code = Rc::clone(&self.code);
        for four in code.tokens.windows(4) {
            if let [Token::Name(target), Token::Op("."), Token::Name(name), Token::Op("=")] = four
                && target == "target"
                && !wanted.contains(name)
            {
                let own = self.variable("target").and_then(|target| target.get(name));
                let own = own.or_else(|| self.variable(&format!("target.{name}")));
                for function in own.map(Value::functions).unwrap_or_default() {
                    self.forget_function(&function);
                }
            }
        }
    }
}
