//! What parsers of the command line take out of its words: operands by their places, and options with several values.

use std::rc::Rc;

use shell_engine::mark;

use super::Language;
use super::files::is_true;
use super::follow::Follower;
use super::lex::Token;
use super::options::{PARSED, flags_of};
use super::value::{Arguments, Function, Parameter, Value};

/// What says that an option takes no value.
const TAKES_NONE: [&str; 11] = [
    "True",
    "False",
    "store_true",
    "store_false",
    "store_const",
    "count",
    "is_flag",
    "boolean",
    "Boolean",
    "bool",
    "BooleanOptionalAction",
];

/// The place of what is declared after an operand that takes all words.
const AFTER_ALL: usize = usize::MAX;

/// What an option or an operand of one declaration holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    One,
    /// The words up to the next option: `nargs="+"`, `<paths...>`.
    Following,
    /// One word for each time that it is given: `action="append"`, `multiple=True`.
    Each,
}

fn held_by(arguments: &Arguments) -> Holds {
    let known = |name: &str| arguments.option(name).and_then(Value::known);
    let is_list = known("nargs").is_some_and(|count| !matches!(count.as_str(), "?" | "0"))
        || matches!(arguments.named("nargs"), Some(Value::Name(count)) if count.ends_with("REMAINDER"));
    let spelled = arguments.first().and_then(Value::known).unwrap_or_default();
    if is_list || spelled.ends_with("...>") || spelled.ends_with("...]") {
        return Holds::Following;
    }
    if matches!(known("action").as_deref(), Some("append" | "extend"))
        || arguments.named("multiple").is_some_and(is_true)
        || known("type").as_deref() == Some("array")
    {
        return Holds::Each;
    }
    Holds::One
}

impl Follower<'_> {
    /// The list that an option or an operand holds, where it holds one.
    pub(super) fn list_given(&mut self, arguments: &Arguments, flags: &[String]) -> Option<Value> {
        let holds = held_by(arguments);
        if holds == Holds::One {
            return None;
        }
        let given = if flags.is_empty() {
            let place = std::mem::replace(&mut self.operands, AFTER_ALL);
            let place = if place == AFTER_ALL { 0 } else { place };
            let Some(given) = self.operands_given() else { return Some(Value::unknown()) };
            given.get(place..).unwrap_or_default().to_vec()
        } else {
            self.values_given(flags, holds)
        };
        // Commander has the default after what the option is for.
        let third = arguments.values.get(2).filter(|third| matches!(third, Value::List(_)));
        let default = arguments.option("default").or(third).cloned();
        Some(match default {
            Some(default) if given.is_empty() => default,
            _ => Value::List(given.into_iter().map(Value::from).collect()),
        })
    }

    /// The operand that is declared next.
    pub(super) fn operand_given(&mut self) -> Option<String> {
        let place = self.operands;
        self.operands = self.operands.saturating_add(1);
        match self.operands_given() {
            // Which one of several comes after all others, their number would say.
            Some(given) if place < AFTER_ALL || given.is_empty() => given.get(place).cloned(),
            // Not known: a mark, and no name.
            _ => Some(mark::PASSED.to_string()),
        }
    }

    /// What click declares before the function that gets it.
    pub(super) fn declare_above_function(&mut self, name: &str, arguments: &Arguments) {
        let Some((first, _)) = self.decorators_here().filter(|_| self.given.complete) else { return };
        if name == "argument" {
            let is = |token: &&Token, word: &str| matches!(token, Token::Name(name) if name == word);
            let before = &self.code.tokens[first..self.at];
            let place = before.iter().filter(|token| is(token, "argument")).count().saturating_sub(1);
            let after_all = place > 0 && before.iter().any(|token| is(&token, "nargs"));
            self.operands = if after_all { AFTER_ALL } else { place };
        }
        self.declare_option(arguments);
    }

    /// What typer makes of the parameters of a command's function, besides those that are true or false: operands, and
    /// options with values.
    pub(super) fn parameters_of_typer(&mut self, function: &Function) -> Vec<(String, Value)> {
        let code = Rc::clone(&function.code);
        let given = self.operands_given().filter(|_| Rc::ptr_eq(&code, &self.code));
        let Some(given) = given else { return Vec::new() };
        let mut found = Vec::new();
        let mut place = 0;
        for parameter in &function.parameters {
            let is_own = |token: &Token| matches!(token, Token::Name(name) if *name == parameter.name);
            let until = parameter.default.map_or(function.start, |(start, _)| start);
            let Some(named) = code.tokens[..until].iter().rposition(is_own) else { continue };
            let ends = parameter.default.map_or(until, |(_, end)| end);
            let is_end = |at: &usize| matches!(code.tokens[*at], Token::Op("," | ")" | "="));
            let typed = self.outside_brackets(named, until).find(is_end).unwrap_or(until);
            let says = |from: usize, to: usize, words: &[&str]| {
                let is = |token: &Token| matches!(token, Token::Name(word) if words.contains(&word.as_str()));
                code.tokens[from..to].iter().any(is)
            };
            if says(named, typed, &["bool"]) {
                // `force: bool = typer.Option(False, "--force")`
                if let Some((start, end)) = parameter.default.filter(|(start, end)| end - start > 1) {
                    self.default_of_words(&parameter.name, says(start, end, &["True"]));
                    found.push((parameter.name.clone(), self.option_of_words(&parameter.name)));
                }
                continue;
            }
            let is_list = says(named, typed, &["List", "list", "Sequence", "Tuple", "tuple"]);
            let is_operand = parameter.default.is_none() || says(named, ends, &["Argument"]);
            let words: Vec<String> = if is_operand {
                let words = given.get(place..).unwrap_or_default();
                place += 1;
                words.iter().take(if is_list { words.len() } else { 1 }).cloned().collect()
            } else {
                let texts = code.tokens[named..ends].iter().filter_map(|token| match token {
                    Token::Text(text) => Some(text.clone()),
                    _ => None,
                });
                let mut flags = flags_of(&texts.collect::<Vec<_>>());
                flags.push(format!("--{}", parameter.name.replace('_', "-")));
                self.values_given(&flags, Holds::Each)
            };
            let mut words = words.into_iter().map(Value::from);
            let value = match (is_list, parameter.default) {
                (true, _) if words.len() > 0 => Some(Value::List(words.collect())),
                (false, _) if words.len() > 0 => words.next_back(),
                // `typer.Option("build", "--dir")`: the first argument is what it is otherwise.
                (_, Some((start, end))) if says(start, end, &["Argument", "Option"]) => {
                    let open = (start..end).find(|&at| code.tokens[at] == Token::Op("("));
                    let first = open.map_or(end, |open| open + 1);
                    let comma = self.outside_brackets(first, end).find(is_end).unwrap_or(end);
                    let is_known = !matches!(code.tokens.get(first), Some(Token::Op("...")) | None);
                    is_known.then(|| self.inside(Rc::clone(&code), first, comma, Self::assignment))
                }
                _ => None,
            };
            found.extend(value.map(|value| (parameter.name.clone(), value)));
        }
        found
    }

    fn values_given(&self, flags: &[String], holds: Holds) -> Vec<String> {
        let words = &self.given.arguments;
        let mut found = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let glued = flags.iter().find_map(|flag| word.strip_prefix(flag.as_str())?.strip_prefix('='));
            if let Some(value) = glued {
                found.push(value.to_owned());
            } else if flags.contains(word) {
                let following = words[at + 1..].iter().take_while(|word| !word.starts_with('-'));
                let most = if holds == Holds::Each { 1 } else { usize::MAX };
                found.extend(following.take(most).cloned());
            }
        }
        found
    }

    /// The words of the call that are neither options nor their values nor the name of a command. `None` where that is not
    /// known.
    pub(super) fn operands_given(&self) -> Option<Vec<String>> {
        let mut words = self.words_without_options()?;
        let names = words.iter().take_while(|word| self.names_command(word)).count();
        words.drain(..names);
        Some(words)
    }

    /// The words of the call that are neither options nor their values. `None` where that is not known.
    pub(super) fn words_without_options(&self) -> Option<Vec<String>> {
        let words = &self.given.arguments;
        let mut found: Vec<String> = Vec::new();
        let mut at = 0;
        while let Some(word) = words.get(at) {
            at += 1;
            if word == "--" {
                found.extend(words[at..].iter().cloned());
                break;
            }
            let is_option = word.len() > 1 && word.starts_with('-');
            if !is_option {
                found.push(word.clone());
            } else if !word.contains('=') && words.get(at).is_some_and(|next| !next.starts_with('-')) {
                at += usize::from(self.takes_value(word)?);
            }
        }
        Some(found)
    }

    /// Whether an option takes the next word, as the code declares it. `None` where it does not.
    fn takes_value(&self, flag: &str) -> Option<bool> {
        let tokens = &self.code.tokens;
        let own = |text: &String| {
            flags_of(std::slice::from_ref(text)).iter().any(|known| known == flag)
                || self.language == Language::JavaScript && flag.strip_prefix("--") == Some(text)
        };
        let Some(at) = tokens.iter().position(|token| matches!(token, Token::Text(text) if own(text))) else {
            // typer's `level: int = 3`
            let name = flag.trim_start_matches('-').replace('-', "_");
            return tokens.windows(3).find_map(|three| match three {
                [Token::Name(parameter), Token::Op(":"), Token::Name(of)] if *parameter == name => {
                    Some(of != "bool")
                }
                _ => None,
            });
        };
        let Token::Text(text) = &tokens[at] else { return None };
        let open = (0..at).rev().find(|&open| {
            tokens[open] == Token::Op("(") && (at..tokens.len()).contains(&self.code.mate(open))
        })?;
        let takes_none = |token: &Token| match token {
            Token::Name(word) | Token::Text(word) => TAKES_NONE.contains(&word.as_str()),
            _ => false,
        };
        // Commander says it in the same text.
        let is_bare =
            self.language == Language::JavaScript && text.starts_with('-') && !text.contains(['<', '[']);
        Some(!is_bare && !tokens[open..self.code.mate(open)].iter().any(takes_none))
    }

    /// Whether a word of the call is the name of a command or a group that the code declares.
    fn names_command(&self, word: &str) -> bool {
        let own = word.replace('-', "_");
        let of_group = ["group", "Typer", "Group"].iter().any(|name| self.names(name));
        let first_of = |at: usize| match self.code.tokens.get(at) {
            Some(Token::Line(_)) => self.code.tokens.get(at + 1),
            token => token,
        };
        let spelled = (0..self.code.tokens.len()).any(|at| match self.code.tokens.get(at..at + 2) {
            Some([Token::Name(method), Token::Op("(")]) => {
                matches!(method.as_str(), "command" | "group" | "add_parser")
                    && matches!(first_of(at + 2), Some(Token::Text(name)) if name.split_whitespace().next() == Some(word))
            }
            _ => false,
        });
        spelled
            || of_group
                && self.code.tokens.windows(2).any(|pair| {
                    matches!(pair, [Token::Name(def), Token::Name(name)] if def == "def" && *name == own)
                })
    }

    /// Laravel's `Artisan::command("files:clean {path=build} {--force}", function ($path) { … })`: runs the function where the
    /// call names the command.
    pub(super) fn command_of_artisan(&mut self, arguments: &Arguments) -> Option<Value> {
        let [signature, Value::Function(function), ..] = arguments.values.as_slice() else { return None };
        let signature = signature.known().filter(|_| self.given.complete)?;
        let name = signature.split_whitespace().next()?;
        let function = Rc::clone(function);
        self.forget_function(&function);
        if self.given.arguments.first().is_some_and(|word| word == name) {
            let value = |parameter: &Parameter| self.argument_of_signature(&parameter.name);
            let values = function.parameters.iter().map(value).collect();
            self.call_function(&function, values);
        }
        Some(Value::Name("this".to_owned()))
    }

    /// What the call gives an argument of a command of Laravel's, by the signature that the code has somewhere:
    /// `"files:clean {path=build} {--force}"`.
    fn argument_of_signature(&self, name: &str) -> Value {
        let parts = |text: &str| {
            let parts = text.split('{').skip(1).filter_map(|part| part.split('}').next());
            let parts = parts.map(|part| part.split(" :").next().unwrap_or(part).trim().to_owned());
            parts.filter(|part| !part.starts_with("--")).collect::<Vec<_>>()
        };
        let is_own = |part: &String| part.split(['=', '?', '*']).next() == Some(name);
        let command = self.given.arguments.first();
        let found = self.code.tokens.iter().find_map(|token| match token {
            Token::Text(text) if text.split_whitespace().next() == command.map(String::as_str) => {
                let parts = parts(text);
                parts.iter().position(is_own).map(|place| (place, parts[place].clone()))
            }
            _ => None,
        });
        let Some((place, part)) = found else { return Value::unknown() };
        let mut given = self.given.arguments.iter().skip(1).filter(|word| !word.starts_with('-'));
        if part.ends_with('*') {
            return Value::List(given.skip(place).map(|word| Value::from(word.as_str())).collect());
        }
        match (given.nth(place), part.split_once('=')) {
            (Some(word), _) => Value::from(word.as_str()),
            (None, Some((_, default))) => Value::from(default),
            (None, None) => Value::from(mark::PASSED),
        }
    }

    /// `options.get("force")` of what was parsed, Laravel's `$this->option("force")`.
    pub(super) fn asked_of_command(
        &mut self,
        value: &Value,
        name: &str,
        arguments: &Arguments,
    ) -> Option<Value> {
        let Value::Name(path) = value else { return None };
        let asked = arguments.first().and_then(Value::known).filter(|_| self.given.complete)?;
        match (self.language, path.as_str(), name) {
            (Language::Python, PARSED, "get" | "pop") => {
                let held = self.variable(&format!("{PARSED}.{}", asked.replace('-', "_"))).cloned();
                held.or_else(|| arguments.values.get(1).cloned())
            }
            (Language::Php, "this", "option") => Some(self.option_of_words(&asked)),
            (Language::Php, "this", "argument") => Some(self.argument_of_signature(&asked)),
            _ => None,
        }
    }

    /// Whether tokens ask for one option by its name: `options.get("force")`, `$this->option("force")`.
    pub(super) fn asks_option(&self, tokens: &[Token]) -> bool {
        let [
            Token::Name(_) | Token::Variable(_),
            Token::Op(_),
            Token::Name(method),
            Token::Op("("),
            Token::Text(_),
            Token::Op(")"),
        ] = tokens
        else {
            return false;
        };
        match self.language {
            Language::Python => method == "get",
            Language::Php => method == "option",
            _ => false,
        }
    }
}
