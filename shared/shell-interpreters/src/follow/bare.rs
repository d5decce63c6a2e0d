//! Calls without brackets: `system "x"`, `puts x`, `shift`.

use super::Follower;
use super::functions::one;
use crate::Language;
use crate::lex::Token;
use crate::value::{Arguments, Value};

impl Follower<'_> {
    /// The name of what may be called without brackets: a function of the library, or one of the code's own.
    pub(super) fn bare_callee(&self, value: &Value, variable: Option<&str>) -> Option<String> {
        match (value, self.language) {
            (Value::Name(path), _) => Some(path.clone()),
            (Value::Function(_), Language::Ruby | Language::Jvm | Language::Perl | Language::Lua) => {
                variable.map(str::to_owned)
            }
            _ => None,
        }
    }

    /// A name alone calls the function in some languages: `fork`, `gets`, `shift`.
    pub(super) fn without_arguments(&mut self, value: Value) -> Value {
        let Value::Name(path) = &value else { return value };
        let calls = match self.language {
            // It hands on what the method itself got.
            Language::Ruby if path == "super" => {
                let handed = self.handed_to_method();
                return self.invoke_path("super", Arguments::of(handed));
            }
            Language::Ruby => matches!(path.as_str(), "fork" | "gets" | "readlines"),
            Language::Perl => {
                matches!(
                    path.as_str(),
                    "fork"
                        | "shift"
                        | "pop"
                        | "STDIN"
                        | "unlink"
                        | "getcwd"
                        | "cwd"
                        | "chr"
                        | "ord"
                        | "lc"
                        | "uc"
                        | "rmdir"
                )
            }
            _ => false,
        };
        if !calls {
            return value;
        }
        let path = path.clone();
        // They work on `$_`.
        if matches!(path.as_str(), "unlink" | "chr" | "ord" | "lc" | "uc" | "rmdir") {
            if self.variable("_").is_none() && self.given.stdin.is_none() {
                return value;
            }
            let line = self.variable_value("_");
            return self.invoke_path(&path, one(line));
        }
        self.invoke_path(&path, Arguments::default())
    }

    /// Arguments without brackets: `system "rm", "-rf", x`.
    pub(super) fn bare_arguments(&mut self, name: &str) -> Option<Arguments> {
        use Language::{Elixir, JavaScript, Jvm, Lua, Perl, Php, Ruby};
        let next = self.peek()?;
        let value = matches!(next, Token::Text(_) | Token::Template(_) | Token::Command(_));
        // Ruby and others tell `f [1]` (a call) from `f[1]` (an index) by the blank.
        let spaced = self.code.is_spaced(self.at);
        let begins = match self.language {
            Ruby => {
                spaced
                    && match next {
                        Token::Name(word) => !is_operator_word(self.language, word),
                        Token::Variable(_) | Token::Number(_) | Token::Pattern(_) => true,
                        Token::Op("[" | "->") => true,
                        // `f -x` is a call with `-x`; `f - x` subtracts.
                        Token::Op("*" | "&" | "-" | ":" | "::") => !self.code.is_spaced(self.at + 1),
                        _ => value,
                    }
            }
            Perl => self.begins_in_perl(name, spaced, value),
            Php => {
                let words = matches!(
                    name.to_ascii_lowercase().as_str(),
                    // PHP's few words that are statements and need no brackets.
                    "echo"
                        | "print"
                        | "include"
                        | "include_once"
                        | "require"
                        | "require_once"
                        | "exit"
                        | "die"
                        | "clone"
                );
                words && !matches!(next, Token::Op(";" | ")" | "=" | ".") | Token::Line(_))
            }
            Lua => {
                // Lua leaves brackets out around one string or one table.
                matches!(next, Token::Text(_))
                    || *next == Token::Op("{")
                        && (self.effect_of(name).is_some() || self.function_is_known(name))
            }
            Jvm | Elixir => {
                spaced && value
                    || spaced
                        && self.effect_of(name).is_some()
                        && matches!(next, Token::Name(word) if !is_operator_word(self.language, word))
            }
            // `$`rm x``: a tagged template.
            JavaScript if matches!(next, Token::Template(_)) || value && !spaced => {
                let text = self.primary();
                return Some(one(text));
            }
            _ => false,
        };
        begins.then(|| self.bare_list(name))
    }

    /// Whether what follows a bare word of Perl's is its arguments. `value`: a string or the like follows.
    fn begins_in_perl(&self, name: &str, spaced: bool, value: bool) -> bool {
        let Some(next) = self.peek() else { return false };
        // Perl takes a bare word for a call only if it knows the function.
        let known = self.effect_of(name).is_some()
            || matches!(
                name,
                "map"
                    | "grep"
                    | "sort"
                    | "push"
                    | "unshift"
                    | "first"
                    | "any"
                    | "try"
                    | "delete"
                    | "undef"
                    | "return"
            );
        match next {
            Token::Name(word) => known && !is_operator_word(self.language, word),
            Token::Pattern(_) => known,
            Token::Variable(_) | Token::Number(_) => known || spaced,
            Token::Op("\\" | "[") => known && spaced,
            Token::Op("@" | "$" | "%") => known,
            Token::Op("-") => known && spaced && !self.code.is_spaced(self.at + 1),
            Token::Op("{") => matches!(
                name,
                "map"
                    | "grep"
                    | "sort"
                    | "first"
                    | "any"
                    | "system"
                    | "exec"
                    | "eval"
                    | "print"
                    | "try"
                    | "find"
                    | "bless"
            ),
            Token::Op("<") => known,
            _ => value && (known || spaced),
        }
    }

    pub(crate) fn function_is_known(&self, name: &str) -> bool {
        self.defined.iter().any(|known| known.name == name && known.is_seen_by(&self.code))
    }

    /// Perl's `push @xs, …`
    pub(crate) fn push_on(&mut self, variable: Option<&str>, found: &Arguments) {
        let Some(variable) = variable else { return };
        let (mut values, before) = match self.variable(variable) {
            // Its own elements stand before those that it gets, as all lists are flat there.
            Some(Value::List(values)) => (values.clone(), values.len()),
            _ => (Vec::new(), 1),
        };
        if values.len() < 1024 && self.step(values.len()) {
            values.extend(found.values.iter().skip(before).cloned());
            self.assign(variable, Value::List(values));
        }
    }

    /// The `do` at the end of the arguments that begin here.
    fn do_ahead(&self) -> Option<usize> {
        let tokens = &self.code.tokens;
        let mut at = self.at;
        while at < self.end {
            match &tokens[at] {
                Token::Name(word) if word == "do" => return Some(at),
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                Token::Line(_) if at == 0 || tokens[at - 1] != Token::Op(",") => return None,
                Token::Op(";") => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    fn bare_list(&mut self, name: &str) -> Arguments {
        let mut found = Arguments::default();
        let perl = self.language == Language::Perl;
        if perl && self.op() == Some("{") && name != "bless" {
            let function = self.perl_block();
            match name {
                // A block that runs at once.
                "eval" | "try" => {
                    let value = self.call_function(&function, Vec::new());
                    return one(value);
                }
                "system" | "exec" | "print" => {}
                _ => found.values.push(Value::Function(function)),
            }
            self.take(",");
        }
        self.first_name = match (self.peek(), self.ahead(1)) {
            (Some(Token::Name(word)), Some(Token::Variable(name))) if word == "my" => Some(name.clone()),
            (Some(Token::Name(name) | Token::Variable(name)), Some(Token::Op(","))) => Some(name.clone()),
            _ => None,
        };
        let first_name = self.first_name.clone();
        // Ruby's `describe Wipe do`: the block is the call's, and not its argument's.
        let of_call = if self.language == Language::Ruby { self.do_ahead() } else { None };
        let body = self.body;
        self.body = of_call.unwrap_or(body);
        // `print STDERR "x"`, `print $fh "x"`
        if perl && matches!(name, "print" | "printf" | "say") {
            // No comma follows a handle, which distinguishes it from what is printed.
            let handle = match self.peek() {
                Some(Token::Name(word)) => word.chars().all(|c| c.is_ascii_uppercase() || c == '_'),
                Some(Token::Variable(_)) => true,
                _ => false,
            };
            let follows =
                matches!(self.ahead(1), Some(Token::Text(_) | Token::Template(_) | Token::Variable(_)));
            if handle && follows {
                let value = self.primary();
                found.named.push(("handle".to_owned(), value));
            }
        }
        loop {
            let before = self.at;
            if !self.step(1) {
                break;
            }
            let key = match (self.peek(), self.ahead(1)) {
                (Some(Token::Name(key) | Token::Text(key)), Some(Token::Op(":" | "=>")))
                    if matches!(self.language, Language::Ruby | Language::Jvm | Language::Elixir) =>
                {
                    Some(key.clone())
                }
                _ => None,
            };
            if let Some(key) = key {
                self.at += 2;
                let value = self.assignment();
                found.named.push((key, value));
            } else {
                match self.assignment() {
                    // Ruby's `task :wipe, [:path] => :build do`
                    key if self.language == Language::Ruby && self.op() == Some("=>") => {
                        self.at += 1;
                        let value = self.assignment();
                        found.named.push((key.text(), value));
                    }
                    // Perl's lists flatten: `system("rm", @args)` has as many arguments as there are elements.
                    Value::List(values)
                        if perl
                            && !matches!(name, "shift" | "pop" | "each" | "keys" | "values" | "scalar") =>
                    {
                        found.values.extend(values);
                    }
                    value => found.values.push(value),
                }
            }
            let comma = self.take(",") || perl && self.take("=>");
            if !comma || self.at <= before || self.language.library().is_unary(name) {
                break;
            }
            self.skip_lines();
        }
        self.first_name = first_name;
        self.body = body;
        if perl && matches!(name, "push" | "unshift") {
            self.push_on(self.first_name.clone().as_deref(), &found);
        }
        found
    }
}

/// Whether a word stands between operands, or before a statement of its own. Only Perl compares and repeats in words.
fn is_operator_word(language: Language, word: &str) -> bool {
    let perl =
        || matches!(word, "x" | "eq" | "ne" | "lt" | "gt" | "le" | "ge" | "cmp" | "isa" | "xor" | "foreach");
    language == Language::Perl && perl()
        || matches!(
            word,
            "if" | "unless"
                | "while"
                | "until"
                | "for"
                | "or"
                | "and"
                | "do"
                | "then"
                | "end"
                | "in"
                | "as"
                | "is"
                | "instanceof"
                | "rescue"
                | "else"
        )
}
