//! Options of a script's own command line, as its parser declares them: argparse, click, commander, yargs, Go's `flag`.

use std::rc::Rc;

use shell_engine::mark;

use super::Language;
use super::act::Call;
use super::files::is_true;
use super::follow::{Follower, OWN_NAME};
use super::lex::Token;
use super::value::{Arguments, Function, Value};

/// The name under which the values of options are remembered.
pub(super) const PARSED: &str = "argparse";

/// The value of a flag that the call gives, and of one that it does not: nothing else decides them.
pub(super) const GIVEN: &str = "argparse.True";
pub(super) const NOT_GIVEN: &str = "argparse.False";

/// What a parser makes of the words of the call without knowing their names before: minimist, docopt, zx's `argv`.
pub(super) const WORDS: &str = "()options";

/// What declares options, so that a chain of calls goes on with it.
pub(super) const PARSER: &str = "parser";

/// What declares the options of one command: its name follows.
pub(super) const COMMAND: &str = "parser.command ";

/// Where the name is kept under which the chosen command is parsed. No code can write it.
const CHOSEN: &str = "()command";

/// The flags that such texts declare: `-r, --root <dir>`, `--root DIR`.
pub(super) fn flags_of(texts: &[String]) -> Vec<String> {
    let words = texts
        .iter()
        .filter_map(|text| text.split("/--").next())
        .flat_map(|text| text.split([' ', ',', '|', '=']));
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

/// Tokens without the word that declares a variable where its reference is handed over: Perl's `\my $mode`.
fn without_declaring(tokens: Option<&[Token]>) -> Vec<Token> {
    let declares =
        |token: &&Token| matches!(token, Token::Name(word) if matches!(word.as_str(), "my" | "our"));
    tokens.unwrap_or_default().iter().filter(|token| !declares(token)).cloned().collect()
}

/// The entries of a map, if it is one.
fn entries(value: Option<&Value>) -> Vec<(String, Value)> {
    match value {
        Some(Value::Map(entries)) => entries.clone(),
        _ => Vec::new(),
    }
}

/// A name of an option as any parser spells it: `dryRun`, `dry_run`, `--dry-run`, `<dry-run>`.
fn spelled(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// `dry_run` as `dryRun`.
fn in_camel_case(name: &str) -> String {
    let mut parts = name.split('_');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut chars = part.chars();
        whole.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        whole.push_str(chars.as_str());
    }
    whole
}

impl Follower<'_> {
    /// What a parser makes of the words of the call that names no option before, or says elsewhere which there are.
    pub(super) fn parsed_words(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        let last = path.rsplit('.').next().unwrap_or(path);
        let parses = match self.language {
            Language::JavaScript => matches!(
                last,
                "minimist"
                    | "mri"
                    | "getopts"
                    | "arg"
                    | "meow"
                    | "parseArgs"
                    | "commandLineArgs"
                    | "yargsParser"
                    | "yargs-parser"
                    | "command-line-args"
            ),
            Language::Python | Language::R => last == "docopt",
            Language::Ruby => {
                matches!(
                    path,
                    "Optimist.options" | "Trollop.options" | "Slop.parse" | "ARGV.getopts" | "Docopt.docopt"
                )
            }
            Language::Php => last == "getopt",
            Language::Elixir => matches!(path, "OptionParser.parse" | "OptionParser.parse!"),
            Language::Julia => matches!(last, "parse_args" | "docopt"),
            Language::Other => {
                let is_type = path.starts_with(char::is_uppercase) && !path.contains("Command.");
                is_type && matches!(last, "parse" | "from_args" | "parseOrExit") && self.names("arg")
            }
            _ => false,
        };
        if !parses || !self.given.complete || self.given.arguments.iter().any(|word| mark::any(word)) {
            return None;
        }
        let is_own = |value: &Value| match value {
            Value::List(words) => self.is_own_words(words),
            _ => true,
        };
        if !arguments.first().is_none_or(is_own)
            || !["args", "argv"].iter().all(|name| arguments.option(name).is_none_or(is_own))
        {
            return None;
        }
        self.end_if_help();
        for (name, value) in entries(arguments.option("default")) {
            let value = match &value {
                Value::Name(word) if matches!(word.as_str(), "true" | "false") => {
                    self.flag_value(word == "true")
                }
                _ => value,
            };
            self.assign(&format!("{WORDS}.{}", spelled(&name)), value);
        }
        for (name, others) in entries(arguments.option("alias")) {
            let others = match others {
                Value::List(others) => others,
                other => vec![other],
            };
            for other in others.iter().filter_map(Value::known) {
                self.assign(&format!("{WORDS} {}", spelled(&other)), Value::from(name.as_str()));
                self.assign(&format!("{WORDS} {}", spelled(&name)), Value::from(other));
            }
        }
        (self.reads_option, self.has_flags) = (true, true);
        let options = Value::Name(WORDS.to_owned());
        Some(match self.language {
            // `{options, words, invalid}`
            Language::Elixir => Value::List(vec![options, self.words_of_call(), Value::List(Vec::new())]),
            _ => options,
        })
    }

    /// What an option is that the call does not give.
    pub(super) fn default_of_words(&mut self, name: &str, is_set: bool) {
        let value = self.flag_value(is_set);
        self.assign(&format!("{WORDS}.{}", spelled(name)), value);
    }

    /// An option of the call by its name, of an object that holds all of them.
    pub(super) fn option_of_words(&mut self, name: &str) -> Value {
        let name = name.trim_end_matches('?');
        if self.given.arguments.iter().any(|word| mark::any(word)) || name.contains(mark::is_hole) {
            return Value::unknown();
        }
        let own = spelled(name);
        let alias =
            self.variable(&format!("{WORDS} {own}")).and_then(Value::known).map(|alias| spelled(&alias));
        let names: Vec<String> = std::iter::once(own.clone()).chain(alias).collect();
        let given = names.iter().find_map(|name| self.word_of_option(name));
        match given {
            _ if self.sets_option(name) => Value::from(mark::TOKEN),
            Some(text) if matches!(text.as_str(), "true" | "false") => self.flag_value(text == "true"),
            Some(text) if text.is_empty() => self.flag_value(true),
            Some(text) => {
                self.has_flags = true;
                self.reads_option = true;
                Value::from(text)
            }
            // A part of what was parsed: `cli.flags.force`, `const { values } = parseArgs(…)`.
            None if matches!(name, "flags" | "values" | "options" | "opts") => Value::Name(WORDS.to_owned()),
            None if matches!(name, "_" | "positionals" | "input") => {
                let words = self.given.arguments.iter().filter(|word| !word.starts_with('-'));
                Value::List(words.map(|word| Value::from(word.as_str())).collect())
            }
            None => {
                let mut defaults = names.iter().map(|name| format!("{WORDS}.{name}"));
                match defaults.find_map(|name| self.variable(&name).cloned()) {
                    Some(default) => default,
                    None => self.flag_value(false),
                }
            }
        }
    }

    /// What the call gives an option of this spelling: nothing where it stands alone.
    fn word_of_option(&self, own: &str) -> Option<String> {
        let words = &self.given.arguments;
        for (at, word) in words.iter().enumerate() {
            let Some(option) = word.strip_prefix('-') else { continue };
            if option == "-" {
                return None;
            }
            let (option, value) = match option.split_once('=') {
                Some((option, value)) => (option, Some(value.to_owned())),
                None => (option, None),
            };
            let next = || words.get(at + 1).filter(|next| !next.starts_with('-')).cloned();
            let is_bundle = !option.starts_with('-') && own.len() == 1 && option.contains(own);
            if spelled(option) == own || is_bundle {
                return value.or_else(next).or_else(|| Some(String::new()));
            }
            if spelled(option).strip_prefix("no") == Some(own) && option.starts_with("-no-") {
                return Some("false".to_owned());
            }
        }
        None
    }

    /// What a parser of words declares: an option, or a command with options of its own.
    pub(super) fn declare(&mut self, Call { subject, name, arguments }: Call<'_>) -> Value {
        let of = match subject {
            Some(Value::Name(parser)) => parser.strip_prefix(COMMAND),
            _ => None,
        };
        let is_other = of.is_some_and(|command| !self.gives_command(command));
        let parser = subject.cloned().unwrap_or_else(|| Value::Name(PARSER.to_owned()));
        match name {
            "add_subparsers" => {
                let dest = arguments.named("dest").and_then(Value::known);
                if let Some(dest) = dest.filter(|_| self.given.complete) {
                    self.assign(&format!("{PARSED}.{dest}"), Value::from(mark::UNSET));
                    self.assign(CHOSEN, Value::from(dest));
                }
                Value::Name(PARSER.to_owned())
            }
            "add_parser" | "command" => {
                let first = arguments.first().map_or(&[][..], Value::choices);
                // `clone <source> [folder]`
                let own = |name: &Value| name.known()?.split_whitespace().next().map(str::to_owned);
                let mut names: Vec<String> = first.iter().filter_map(own).collect();
                if let Some(Value::List(others)) = arguments.named("aliases") {
                    names.extend(others.iter().filter_map(Value::known));
                }
                let given = names.iter().find(|name| self.given.arguments.contains(name));
                let dest = self.variable(CHOSEN).map(Value::text);
                if let (Some(dest), true) = (dest, given.is_some() || names.is_empty()) {
                    let chosen =
                        given.map_or_else(|| Value::from(mark::TOKEN), |given| Value::from(given.as_str()));
                    self.assign(&format!("{PARSED}.{dest}"), chosen);
                }
                if given.is_some() && self.language == Language::JavaScript {
                    let spelled = arguments.first().and_then(Value::known).unwrap_or_default();
                    self.name_operands(&spelled);
                }
                let given = names.iter().find(|name| self.given.arguments.contains(name));
                match given.or(names.first()) {
                    Some(name) if given.is_some() || first.len() == 1 => {
                        Value::Name(format!("{COMMAND}{name}"))
                    }
                    _ => parser,
                }
            }
            "argument" | "option" if subject.is_none() && self.language == Language::Python => {
                self.declare_above_function(name, arguments);
                parser
            }
            // What another command declares.
            _ if is_other => {
                self.forget_functions(arguments);
                parser
            }
            "set_defaults" => {
                for (key, value) in &arguments.named {
                    let key = format!("{PARSED}.{key}");
                    // The command's own ones come after those of the whole.
                    if of.is_some() || self.variable(&key).is_none() {
                        self.assign(&key, value.clone());
                    }
                }
                parser
            }
            _ => {
                self.declare_option(arguments);
                parser
            }
        }
    }

    /// Whether the call may give this command.
    pub(super) fn gives_command(&self, command: &str) -> bool {
        let words = &self.given.arguments;
        let is_usual = matches!(command, "" | "*" | "$0");
        if !self.given.complete || is_usual || words.iter().any(|word| word == command || mark::any(word)) {
            return true;
        }
        // By another name, or by none, unless it gives one of the others by its own.
        let is_named = |three: &[Token]| match three {
            [Token::Name(method), Token::Op("("), Token::Text(name)] if method == "command" => {
                name.split_whitespace().next().is_some_and(|name| words.iter().any(|word| word == name))
            }
            _ => false,
        };
        self.language == Language::JavaScript
            && ["alias", "aliases", "isDefault"].iter().any(|name| self.names(name))
            && !self.code.tokens.windows(3).any(is_named)
    }

    /// Nothing calls these functions.
    fn forget_functions(&mut self, arguments: &Arguments) {
        for function in arguments.all().flat_map(Value::functions) {
            self.forget_function(&function);
        }
    }

    /// What a flag is that the call gives, or denies, or leaves to its default.
    fn value_of_flag(
        &mut self,
        own: &str,
        action: Option<&str>,
        (given, is_set, is_unset): (Option<bool>, bool, bool),
    ) -> Value {
        let is_given = given == Some(true);
        match action {
            // It says nothing of a path.
            _ if self.sets_option(own) => Value::from(mark::TOKEN),
            Some("store_true") if is_unset => self.flag_value(is_given),
            Some("store_false") if is_set => self.flag_value(!is_given),
            None => self.flag_value(given.unwrap_or(!is_unset)),
            _ => Value::from(mark::TOKEN),
        }
    }

    /// The name by which the code asks for what is declared.
    fn own_name(&self, arguments: &Arguments, (texts, flags): (&[String], &[String]), long: &str) -> String {
        // click's name without dashes
        let is_bare = |text: &&String| self.language == Language::Python && !text.starts_with('-');
        let bare = texts.iter().filter(|_| !flags.is_empty()).find(is_bare).cloned();
        let own = arguments.named("dest").and_then(Value::known).or(bare);
        own.unwrap_or_else(|| long.trim_start_matches('-').replace('-', "_"))
    }

    /// The value that the call gives to an option with these flags, or to one that has only a name.
    fn value_given(&mut self, flags: &[String], name: &str, has_default: bool) -> Option<String> {
        if !flags.is_empty() {
            return self.option_given(flags);
        }
        // yargs names its options without dashes, and its operands belong to commands.
        let by_name = self.option_given(&[format!("--{name}")]);
        match by_name {
            Some(value) if has_default => Some(value),
            by_name if self.language == Language::JavaScript => by_name,
            _ => self.operand_given(),
        }
    }

    /// `parser.add_argument("--path", default="build")`, `program.option("--path <dir>", "…", "build")`,
    /// `yargs.option("path", { default: "build" })`: what the call gives, else the default.
    pub(super) fn declare_option(&mut self, arguments: &Arguments) -> Value {
        let parser = Value::Name(PARSER.to_owned());
        let texts: Vec<String> = arguments.values.iter().filter_map(Value::known).collect();
        // yargs' `option("force", { type: "boolean" })`
        let is_boolean = self.language == Language::JavaScript
            && arguments.option("type").and_then(Value::known).as_deref() == Some("boolean");
        let flags = match texts.first() {
            Some(name) if is_boolean && !name.starts_with('-') => vec![format!("--{name}")],
            _ => flags_of(&texts),
        };
        // Commander has the default after what the option is for.
        let has_third = self.language != Language::Python && !flags.is_empty();
        let third = arguments.values.get(2).filter(|_| has_third && !texts[0].starts_with("--help"));
        let default =
            || arguments.option("default").or(third.filter(|value| value.known().is_some())).cloned();
        let long = flags.iter().find(|name| name.starts_with("--")).or(flags.first()).or(texts.first());
        let Some(long) = long.filter(|_| self.given.complete) else { return parser };
        let own = self.own_name(arguments, (&texts, &flags), long);
        let both = matches!(arguments.named("action"), Some(Value::Name(action)) if action.ends_with("BooleanOptionalAction"));
        let denied = match texts[0].split_once("/--") {
            Some((_, denied)) => Some(format!("--{denied}")),
            None => both.then(|| format!("--no-{}", long.trim_start_matches('-'))),
        };
        // click's `is_flag=True`, `--apply/--no-apply`
        let is_switch = is_boolean
            || self.language == Language::Python
                && (denied.is_some() || arguments.named("is_flag").is_some_and(is_true));
        let denied = denied.or_else(|| is_boolean.then(|| format!("--no-{}", long.trim_start_matches('-'))));
        if let Some(list) = self.list_given(arguments, &flags).filter(|_| !is_switch) {
            let list = if self.sets_option(&own) { Value::unknown() } else { list };
            self.assign(&format!("{PARSED}.{own}"), list);
            return parser;
        }
        let action = arguments.named("action").and_then(Value::known);
        let is_flag = is_switch || action.as_deref().is_some_and(|action| action != "store");
        // Commander's `-y, --yes` takes no value.
        let is_bare = self.language == Language::JavaScript
            && !flags.is_empty()
            && !texts[0].contains(['<', '[', '='])
            && !long.starts_with("--no-")
            && matches!(arguments.values.get(2), None | Some(Value::Name(_)));
        let given = self.value_given(&flags, long, arguments.option("default").is_some());
        let given_as_flag =
            self.given.arguments.iter().any(|word| flags.iter().any(|flag| may_give(flag, word)));
        let default_of_flag = arguments
            .named("default")
            .or(arguments.option("default").filter(|_| is_boolean))
            .or(arguments.values.get(2).filter(|_| is_bare));
        let is_unset = default_of_flag.is_none_or(|value| !is_true(value));
        let value = if is_flag {
            let denied = denied.is_some_and(|denied| self.given.arguments.contains(&denied));
            let is_set = default_of_flag.is_none_or(is_true);
            let given = if denied { Some(false) } else { given_as_flag.then_some(true) };
            self.value_of_flag(&own, action.as_deref(), (given, is_set, is_unset))
        } else if is_bare && is_unset && !self.sets_option(&own) {
            self.flag_value(given_as_flag)
        } else {
            let text = given.map(Value::from).or_else(default).unwrap_or_else(|| Value::from(mark::UNSET));
            // `type=lambda s: s.split(",")`
            match arguments.named("type") {
                Some(Value::Function(reader)) if text.known().is_some() => {
                    let reader = Rc::clone(reader);
                    self.call_function(&reader, vec![text])
                }
                _ => text,
            }
        };
        // JavaScript's parsers name it `dryRun` as well.
        if self.language == Language::JavaScript && own.contains('_') {
            self.assign(&format!("{PARSED}.{}", in_camel_case(&own)), value.clone());
        }
        self.assign(&format!("{PARSED}.{own}"), value);
        parser
    }

    /// `minimist(args, { default: { root: "build" } })`, `parseArgs({ options: { root: { type: "string" } } })`: what the call
    /// gives, else the defaults.
    pub(super) fn parsed_options(&mut self, arguments: &Arguments) -> Option<Value> {
        if !self.given.complete {
            return None;
        }
        if let Some(defaults) = arguments.option("default") {
            return self.given.arguments.is_empty().then(|| defaults.clone());
        }
        let Value::Map(options) = arguments.option("options")?.clone() else { return None };
        let mut values = Vec::new();
        for (name, option) in options {
            let mut names = vec![format!("--{name}")];
            names.extend(option.get("short").and_then(Value::known).map(|short| format!("-{short}")));
            let default = option.get("default").cloned();
            let is_flag = option.get("type").and_then(Value::known).as_deref() == Some("boolean");
            let value = if is_flag && default.as_ref().is_none_or(|value| !is_true(value)) {
                let given =
                    self.given.arguments.iter().any(|word| names.iter().any(|name| may_give(name, word)));
                Some(self.flag_value(given))
            } else {
                self.option_given(&names).map(Value::from).or(default)
            };
            self.reads_option |= !is_flag;
            values.extend(value.map(|value| (name, value)));
        }
        let words = self.given.arguments.iter().filter(|word| !word.starts_with('-'));
        let words = Value::List(words.map(|word| Value::from(word.as_str())).collect());
        Some(Value::Map(vec![("values".to_owned(), Value::Map(values)), ("positionals".to_owned(), words)]))
    }

    /// Ruby's `options.on("-n", "--dry-run") { |value| … }`: calls the block where the call gives the option.
    pub(super) fn on_option(&mut self, texts: &[String], block: &Rc<Function>) {
        let flags = flags_of(texts);
        // `--root DIR`, `--[no-]force`
        let takes_value = texts.iter().any(|text| text.starts_with('-') && text.contains([' ', '=', '[']));
        if takes_value {
            if let Some(given) = self.option_given(&flags) {
                self.reads_option = true;
                self.call_function(block, vec![Value::from(given)]);
            }
            return;
        }
        let given = self.given.arguments.iter().any(|word| flags.iter().any(|flag| may_give(flag, word)));
        let value = self.flag_value(given);
        if given {
            self.call_function(block, vec![value]);
        }
        // `{ options[:noop] = true }`, `{ |v| noop = v }`: what the block sets is what the call says.
        let tokens = block.code.tokens.get(block.start..block.end).unwrap_or_default();
        let target = match tokens {
            [Token::Name(name) | Token::Variable(name), Token::Op("="), Token::Name(_)] => Some((name, None)),
            [
                Token::Name(name) | Token::Variable(name),
                Token::Op("["),
                Token::Text(key),
                Token::Op("]"),
                Token::Op("="),
                Token::Name(_),
            ] => Some((name, Some(key.clone()))),
            _ => None,
        };
        let Some((name, key)) = target else { return };
        let value = Value::Name(if given { GIVEN } else { NOT_GIVEN }.to_owned());
        match (key, self.variable(name)) {
            (Some(key), Some(held @ Value::Map(_)))
                if held.get(&key).is_none_or(|held| !is_true(held)) || given =>
            {
                self.change_element(name, &[Some(key)], value);
            }
            (None, held) if held.is_none_or(|held| !is_true(held)) || given => self.assign(name, value),
            _ => {}
        }
    }

    /// Perl's `GetOptions("mode=s" => \$mode, "dry-run" => \$dry)`, `GetOptions(\%opt, "mode=s")`: the variables whose
    /// references stand there get what the call gives.
    pub(super) fn get_options(&mut self) {
        let is_own = |token: &Token| matches!(token, Token::Name(name) if name == "GetOptions");
        let Some(name) = self.code.tokens.get(..self.at).and_then(|tokens| tokens.iter().rposition(is_own))
        else {
            return;
        };
        let (open, close) = (name + 1, self.code.mate(name + 1));
        if !self.given.complete || close >= self.end.max(self.at) {
            return;
        }
        let mut map = None;
        let mut at = open + 1;
        while at < close {
            let end = (at..close).find(|&at| self.code.tokens[at] == Token::Op(",")).unwrap_or(close);
            let entry = without_declaring(self.code.tokens.get(at..end));
            let begins = at;
            at = end + 1;
            match entry.as_slice() {
                [Token::Op("\\"), Token::Variable(name)] => map = Some(name.clone()),
                [Token::Text(option), rest @ ..] => {
                    let place = match rest {
                        [] => map.clone().map(|map| (map, None)),
                        [Token::Op("=>"), Token::Op("\\"), Token::Variable(name)] => {
                            Some((name.clone(), None))
                        }
                        [Token::Op("=>"), Token::Op("\\"), Token::Variable(name), ..] => {
                            Some((name.clone(), Some(begins + 3)))
                        }
                        _ => None,
                    };
                    // `"mode=s" , \$mode`
                    let next = without_declaring(self.code.tokens.get(end + 1..(end + 4).min(close)));
                    let place = match (next.as_slice(), rest) {
                        ([Token::Op("\\"), Token::Variable(name), ..], []) => Some((name.clone(), None)),
                        _ => place,
                    };
                    if let Some((variable, element)) = place {
                        let in_map = (element.is_none() && Some(&variable) == map.as_ref()).then_some(());
                        self.give_option(option, &variable, (element, in_map.is_some()));
                    }
                }
                _ => {}
            }
        }
    }

    /// Perl's `getopts("f", \\%options)`: the map holds what the call gives.
    pub(super) fn get_letters(&mut self) {
        let is_own = |token: &Token| matches!(token, Token::Name(name) if name == "getopts");
        let Some(name) = self.code.tokens.get(..self.at).and_then(|tokens| tokens.iter().rposition(is_own))
        else {
            return;
        };
        let close = self.code.mate(name + 1).min(self.end.max(self.at));
        let variable = match self.code.tokens.get(name + 1..close) {
            Some([.., Token::Variable(name)]) => name.clone(),
            _ => return,
        };
        if self.given.complete {
            self.has_flags = true;
            self.assign(&variable, Value::Name(WORDS.to_owned()));
            self.keep_words_of(&variable);
        }
    }

    fn give_option(&mut self, option: &str, variable: &str, (element, in_map): (Option<usize>, bool)) {
        let spelled = option.split(['=', ':', '!', '+']).next().unwrap_or_default();
        let names: Vec<&str> = spelled.split('|').collect();
        let flags: Vec<String> =
            names.iter().flat_map(|name| [format!("--{name}"), format!("-{name}")]).collect();
        let value = if option.contains(['=', ':']) {
            match self.option_given(&flags) {
                Some(given) => Value::from(given),
                None => return self.keep_words_of(variable),
            }
        } else {
            let given = self.given.arguments.iter().any(|word| flags.iter().any(|flag| may_give(flag, word)));
            // `"keep!"` may be given as `--no-keep`.
            let denies = |word: &String| {
                let name = word.strip_prefix("--no").map(|name| name.trim_start_matches('-'));
                option.ends_with('!') && name.is_some_and(|name| names.contains(&name))
            };
            match self.variable(variable).and_then(Value::number) {
                // What counts where the call says nothing.
                Some(1) if !given && element.is_none() && !in_map => {
                    let denied = self.given.arguments.iter().any(denies);
                    self.flag_value(!denied)
                }
                _ => self.flag_value(given),
            }
        };
        match element {
            Some(start) => self.set_element(variable, start, &value),
            None if in_map => {
                self.change_element(variable, &[names.first().map(|name| (*name).to_owned())], value);
            }
            None => self.assign(variable, value),
        }
        self.keep_words_of(variable);
    }

    /// Whether the code itself may set an option, in the place of the call: `args.force = True`, `set_defaults(force=True)`.
    fn sets_option(&self, own: &str) -> bool {
        const SETTERS: [&str; 6] =
            ["setattr", "__dict__", "vars", "Namespace", "setOptionValue", "setOptionValueWithSource"];
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
        // `set_defaults(force=True)`
        let is_default = |four: &[Token]| match four {
            [Token::Op("(" | ","), Token::Name(name), Token::Op("="), _] => name == own,
            _ => false,
        };
        let sets = |at: usize| {
            let end = self.code.mate(at + 1).min(tokens.len());
            tokens.get(at + 1..end).unwrap_or_default().windows(4).any(is_default)
        };
        let is_defaults = |at: &usize| matches!(&tokens[*at], Token::Name(word) if word == "set_defaults");
        tokens.iter().any(is_setter)
            || tokens.windows(4).any(is_assigned)
            || (0..tokens.len()).filter(is_defaults).any(sets)
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

    /// Whether a list is all words of the call, after the program's own names.
    fn is_own_words(&self, words: &[Value]) -> bool {
        let own = words.iter().take_while(|word| word.known().as_deref() == Some(OWN_NAME)).count();
        let (words, given) = (&words[own..], &self.given.arguments);
        words.len() == given.len()
            && words.iter().zip(given).all(|(word, given)| word.known().as_ref() == Some(given))
    }

    /// The parser gets words of the code's own: what the call gives decides none of its flags.
    pub(super) fn parse_words(&mut self, words: Option<&Value>) {
        let Some(Value::List(words)) = words else { return };
        if !self.is_own_words(words) {
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
        self.reads_option = true;
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
}
