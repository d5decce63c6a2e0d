//! Options of a script's own command line, as its parser declares them: argparse, click, commander, yargs, Go's `flag`.

use shell_engine::mark;

use super::Language;
use super::files::is_true;
use super::follow::Follower;
use super::lex::Token;
use super::value::{Arguments, Value};

/// The name under which the values of options are remembered.
pub(super) const PARSED: &str = "argparse";

/// The value of a flag that the call gives, and of one that it does not: nothing else decides them.
pub(super) const GIVEN: &str = "argparse.True";
pub(super) const NOT_GIVEN: &str = "argparse.False";

/// What declares options, so that a chain of calls goes on with it.
const PARSER: &str = "parser";

/// The flags that such texts declare: `-r, --root <dir>`, `--root DIR`.
pub(super) fn flags_of(texts: &[String]) -> Vec<String> {
    let words = texts.iter().flat_map(|text| text.split([' ', ',', '|', '=']));
    words.filter(|word| word.len() > 1 && word.starts_with('-')).map(str::to_owned).collect()
}

/// Whether a word of the call gives a flag: as it is, abbreviated as parsers allow it, or in a bundle of letters.
fn may_give(flag: &str, word: &str) -> bool {
    if flag.starts_with("--") {
        return word.len() > 2 && word.starts_with("--") && flag.starts_with(word);
    }
    let letters = word.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
    word == flag || flag.len() == 2 && letters.is_some_and(|letters| letters.contains(&flag[1..]))
}

impl Follower<'_> {
    /// `parser.add_argument("--path", default="build")`, `program.option("--path <dir>", "…", "build")`,
    /// `yargs.option("path", { default: "build" })`: what the call gives, else the default.
    pub(super) fn declare_option(&mut self, arguments: &Arguments) -> Value {
        let parser = Value::Name(PARSER.to_owned());
        let texts: Vec<String> = arguments.values.iter().filter_map(Value::known).collect();
        let flags = flags_of(&texts);
        // Commander has the default after what the option is for.
        let third = arguments.values.get(2).filter(|_| !flags.is_empty() && !texts[0].starts_with("--help"));
        let default =
            || arguments.option("default").or(third.filter(|value| value.known().is_some())).cloned();
        let long = flags.iter().find(|name| name.starts_with("--")).or(flags.first()).or(texts.first());
        let Some(long) = long.filter(|_| self.given.complete) else { return parser };
        let own = arguments.named("dest").and_then(Value::known);
        let own = own.unwrap_or_else(|| long.trim_start_matches('-').replace('-', "_"));
        let is_flag = arguments.named("action").and_then(Value::known).is_some();
        // Commander's `-y, --yes` takes no value.
        let is_bare = self.language == Language::JavaScript
            && !flags.is_empty()
            && !texts[0].contains(['<', '[', '='])
            && !long.starts_with("--no-")
            && matches!(arguments.values.get(2), None | Some(Value::Name(_)));
        let by_name = || self.option_given(&[format!("--{long}")]);
        let given = match (flags.is_empty(), arguments.option("default")) {
            (false, _) => self.option_given(&flags),
            // yargs names its options without dashes.
            (true, Some(_)) if by_name().is_some() => by_name(),
            (true, _) => self.operand_given(arguments.named("nargs").is_some()),
        };
        let given_as_flag =
            self.given.arguments.iter().any(|word| flags.iter().any(|flag| may_give(flag, word)));
        let default_of_flag = arguments.named("default").or(arguments.values.get(2).filter(|_| is_bare));
        let is_unset = default_of_flag.is_none_or(|value| !is_true(value));
        let value = if is_flag {
            // It says nothing of a path.
            match arguments.named("action").and_then(Value::known).as_deref() {
                Some("store_true") if is_unset && !self.sets_option(&own) => self.flag_value(given_as_flag),
                _ => Value::from(mark::TOKEN),
            }
        } else if is_bare && is_unset && !self.sets_option(&own) {
            self.flag_value(given_as_flag)
        } else {
            given.map(Value::from).or_else(default).unwrap_or_else(|| Value::from(mark::UNSET))
        };
        self.assign(&format!("{PARSED}.{own}"), value);
        parser
    }

    /// `minimist(args, { default: { root: "build" } })`, `parseArgs({ options: { root: { default: "build" } } })`: the defaults,
    /// where the call says nothing else.
    pub(super) fn parsed_options(&mut self, arguments: &Arguments) -> Option<Value> {
        if !self.given.complete || !self.given.arguments.is_empty() {
            return None;
        }
        if let Some(defaults) = arguments.option("default") {
            return Some(defaults.clone());
        }
        let Value::Map(options) = arguments.option("options")? else { return None };
        let default = |(name, option): &(String, Value)| Some((name.clone(), option.get("default")?.clone()));
        let values = Value::Map(options.iter().filter_map(default).collect());
        Some(Value::Map(vec![("values".to_owned(), values)]))
    }

    /// Whether the code itself may set an option, in the place of the call: `args.force = True`, `set_defaults(force=True)`.
    fn sets_option(&self, own: &str) -> bool {
        const SETTERS: [&str; 7] = [
            "set_defaults",
            "setattr",
            "__dict__",
            "vars",
            "Namespace",
            "setOptionValue",
            "setOptionValueWithSource",
        ];
        let tokens = &self.code.tokens;
        let is_setter =
            |token: &Token| matches!(token, Token::Name(word) if SETTERS.contains(&word.as_str()));
        // `self.force = args.force` keeps what the call gives.
        let is_assigned = |four: &[Token]| match four {
            [Token::Name(object), Token::Op("."), Token::Name(field), Token::Op("=")] => {
                field == own && !matches!(object.as_str(), "self" | "this")
            }
            _ => false,
        };
        tokens.iter().any(is_setter) || tokens.windows(4).any(is_assigned)
    }

    /// Whether code of Go's may set a flag: `*all = true`, `flag.Set("all", "true")`, `fs.Parse([]string{"-all"})`.
    fn sets_flag(&self) -> bool {
        self.code.tokens.windows(3).any(|three| match three {
            [Token::Op("*"), Token::Name(_), Token::Op("=")] => true,
            [Token::Name(_), Token::Op("."), Token::Name(method)] => method == "Set",
            [Token::Name(word), Token::Op("("), Token::Op("[")] => word == "Parse",
            _ => false,
        })
    }

    /// The parser gets words of the code's own: what the call gives decides none of its flags.
    pub(super) fn parse_words(&mut self, words: Option<&Value>) {
        let Some(Value::List(words)) = words else { return };
        let given = &self.given.arguments;
        let same = words.len() == given.len()
            && words.iter().zip(given).all(|(word, given)| word.known().as_ref() == Some(given));
        if !same {
            for value in self.variables.values_mut() {
                if matches!(value, Value::Name(name) if name == GIVEN || name == NOT_GIVEN) {
                    *value = Value::from(mark::TOKEN);
                }
            }
        }
    }

    pub(super) fn flag_value(&mut self, given: bool) -> Value {
        self.has_flags = true;
        Value::Name(if given { GIVEN } else { NOT_GIVEN }.to_owned())
    }

    /// Go's `flag.String("root", "build", "…")`
    pub(super) fn flag(&mut self, inputs: &[Value]) -> Value {
        let (Some(name), true) = (inputs.first().and_then(Value::known), self.given.complete) else {
            return Value::unknown();
        };
        let names = [format!("-{name}"), format!("--{name}")];
        // One that is true or false takes its value after `=` only.
        if let Some(Value::Name(default)) = inputs.get(1)
            && matches!(default.as_str(), "true" | "false")
            && !self.sets_flag()
        {
            let is_default = default == "true";
            let glued = |word: &String| {
                let rest = names.iter().find_map(|name| word.strip_prefix(name.as_str()))?;
                if rest.is_empty() { Some(true) } else { Some(rest.strip_prefix('=')? != "false") }
            };
            let given = self.given.arguments.iter().find_map(glued);
            return self.flag_value(given.unwrap_or(is_default));
        }
        let given = self.option_given(&names);
        let default = || inputs.get(1).cloned();
        given.map(Value::from).or_else(default).unwrap_or_else(Value::unknown)
    }

    /// A parser that is asked for its help prints it and ends the program.
    pub(super) fn end_if_help(&mut self) {
        let asks = self.given.arguments.iter().any(|word| matches!(word.as_str(), "-h" | "--help"));
        if asks && self.given.complete && !self.may_not_run() {
            self.end_program();
        }
    }

    /// The value of an option in the call.
    pub(super) fn option_given(&self, names: &[String]) -> Option<String> {
        let mut words = self.given.arguments.iter();
        while let Some(word) = words.next() {
            if names.contains(word) {
                return words.next().cloned();
            }
            let glued = names.iter().find_map(|name| word.strip_prefix(name.as_str())?.strip_prefix('='));
            if let Some(value) = glued {
                return Some(value.to_owned());
            }
        }
        None
    }

    /// The first operand of the call: which one of several belongs to which name, the order would say.
    fn operand_given(&mut self, takes_more: bool) -> Option<String> {
        self.operands += 1;
        // What comes before all options is the first one.
        let first = self.given.arguments.first().filter(|word| !word.starts_with('-'));
        if self.operands == 1 && !takes_more && first.is_some() && self.given.arguments.len() > 1 {
            return first.cloned();
        }
        let operands: Vec<&String> =
            self.given.arguments.iter().filter(|word| !word.starts_with('-')).collect();
        match operands.as_slice() {
            [] => None,
            [one] => Some((*one).clone()),
            // Not known: a mark, and no name.
            _ => Some(mark::PASSED.to_string()),
        }
    }
}
