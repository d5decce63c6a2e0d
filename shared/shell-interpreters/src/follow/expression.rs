//! Operands: what an expression begins with.

use std::rc::Rc;

use shell_engine::mark;

use super::Follower;
use super::operators::is_plain;
use super::postfix::callee_of;
use crate::Language;
use crate::lex::{Piece, Token};
use crate::value::{Arguments, MAX_TEXT, Value};

impl Follower<'_> {
    /// An operand with the signs before it.
    pub(super) fn unary(&mut self) -> Value {
        if !self.enter() {
            return Value::unknown();
        }
        let value = self.signed();
        self.leave();
        value
    }

    fn signed(&mut self) -> Value {
        let own = self.rust_closure().or_else(|| self.elixir_capture()).or_else(|| self.own_sign());
        if let Some(value) = own {
            return value;
        }
        match self.peek() {
            Some(Token::Op("-")) => {
                self.at += 1;
                match self.unary() {
                    Value::Number(number) => Value::Number(number.wrapping_neg()),
                    // Perl's file tests: `-f $x`.
                    _ => Value::from(mark::TOKEN),
                }
            }
            Some(Token::Op("!" | "~" | "^")) => {
                self.at += 1;
                self.unary();
                Value::from(mark::TOKEN)
            }
            // `do "file"` runs it, unlike `do { … }`.
            Some(Token::Name(word))
                if word == "do"
                    && self.language == Language::Perl
                    && matches!(self.ahead(1), Some(Token::Text(_) | Token::Template(_))) =>
            {
                self.at += 1;
                let file = self.primary();
                let held = self.read(&file);
                self.run_code(&held.text(), true)
            }
            Some(Token::Op(
                "+" | "*" | "**" | "..." | "&" | "@" | "\\" | "++" | "--" | ".." | "$" | "<" | "?" | "::"
                | "&&" | "%",
            )) => {
                self.at += 1;
                self.unary()
            }
            Some(Token::Name(word)) if word == "not" => {
                self.at += 1;
                self.unary();
                Value::from(mark::TOKEN)
            }
            Some(Token::Name(word))
                if word == "if"
                    && matches!(
                        self.language,
                        Language::Other | Language::Jvm | Language::R | Language::Elixir
                    ) =>
            {
                self.postfix()
            }
            Some(Token::Name(word)) if word == "yield" && self.language == Language::Ruby => {
                self.hand_back("yield");
                self.last.clone()
            }
            // Only the kind of a value, which is not called.
            Some(Token::Name(word)) if word == "typeof" && self.is_prefix() => {
                self.prefixed();
                Value::from(mark::TOKEN)
            }
            // To Ruby, these are methods: `def self.make = new("x")`, `let(:db) { … }`.
            Some(Token::Name(word))
                if self.language == Language::Ruby && matches!(word.as_str(), "new" | "let") =>
            {
                self.postfix()
            }
            Some(Token::Name(word)) if is_prefix_word(word) && self.is_prefix() => self.prefixed(),
            _ => self.postfix(),
        }
    }

    /// What a sign in front of an expression means in one language only.
    fn own_sign(&mut self) -> Option<Value> {
        let sign = self.op()?;
        Some(match (self.language, sign) {
            (Language::Ruby, "->") => self.ruby_lambda(),
            (Language::R, "\\") if self.op_ahead(1) == Some("(") => {
                self.at += 1;
                self.function_from_parameters()
            }
            // Go's `<-channel`
            (Language::Go, "<-") => {
                self.at += 1;
                self.unary().element()
            }
            // Python's `...` is a value of its own.
            (Language::Python, "...") => {
                self.at += 1;
                Value::unknown()
            }
            // Lua's arguments that have no name.
            (Language::Lua, "...") => {
                self.at += 1;
                self.variable_value("...")
            }
            // `~ unlink(.x)`, a function of one argument.
            (Language::R, "~") => {
                self.at += 1;
                self.function_of("x")
            }
            // `\&name` is a reference, and no call.
            (Language::Perl, "\\") if self.op_ahead(1) == Some("&") => {
                self.at += 2;
                if self.op() == Some("{") { self.dereferenced() } else { self.primary() }
            }
            (Language::Perl, "&") if self.calls_without_brackets() => {
                self.at += 1;
                let callee = if self.op() == Some("{") { self.dereferenced() } else { self.primary() };
                let arguments = if self.op() == Some("(") { self.arguments() } else { Arguments::default() };
                self.invoke(callee_of(callee), arguments)
            }
            _ => return None,
        })
    }

    /// Elixir's `&File.rm_rf!/1`, `&(File.rm_rf!(&1))`, and the `&1` in it.
    fn elixir_capture(&mut self) -> Option<Value> {
        if self.language != Language::Elixir || self.op() != Some("&") {
            return None;
        }
        if let Some(Token::Number(number)) = self.ahead(1) {
            let name = format!("&{number}");
            self.at += 2;
            return Some(self.variable_value(&name));
        }
        let mut end = self.at + 1;
        while matches!(self.code.tokens.get(end), Some(Token::Name(_) | Token::Text(_) | Token::Op("."))) {
            end += 1;
        }
        let by_name = end > self.at + 1
            && self.code.tokens.get(end) == Some(&Token::Op("/"))
            && matches!(self.code.tokens.get(end + 1), Some(Token::Number(_)));
        if by_name {
            let outer = std::mem::replace(&mut self.end, end);
            self.at += 1;
            let function = self.capture_named();
            (self.at, self.end) = (end + 2, outer);
            return Some(function);
        }
        self.at += 1;
        Some(self.function_of("&1"))
    }

    /// The function whose path stands here.
    fn capture_named(&mut self) -> Value {
        let parts = self.code.tokens.get(self.at..self.end).unwrap_or_default();
        let words = parts.iter().filter_map(|token| match token {
            Token::Name(word) | Token::Text(word) => Some(word.as_str()),
            _ => None,
        });
        let path = words.collect::<Vec<_>>().join(".");
        match self.take_function(&path) {
            Some(function) => Value::Function(function),
            None => Value::Name(path),
        }
    }

    /// What stands after `new`, `await`, `my` and the like.
    fn prefixed(&mut self) -> Value {
        self.at += 1;
        // Java's `new String[]{"a", "b"}`
        if self.word().is_some()
            && self.op_ahead(1) == Some("[")
            && self.op_ahead(2) == Some("]")
            && self.op_ahead(3) == Some("{")
        {
            self.at += 3;
            return Value::List(self.arguments().values);
        }
        if matches!(self.word(), Some("if" | "unless" | "for" | "while")) {
            return Value::unknown();
        }
        self.skip_if_bracketed();
        let makes =
            matches!(self.code.tokens.get(self.at.wrapping_sub(1)), Some(Token::Name(word)) if word == "new");
        // C#'s `new[] { "a" }` and `new() { … }`
        if makes && self.op() == Some("[") && self.op_ahead(1) == Some("]") {
            self.at += 2;
            return self.initialised(Value::unknown());
        }
        self.unary()
    }

    /// Whether Perl's `&` here calls what follows it by itself: `&{…}(x)`, `&$name`, `&name`. With brackets after it,
    /// a name is called like any other.
    fn calls_without_brackets(&self) -> bool {
        match self.ahead(1) {
            Some(Token::Op("{")) => true,
            Some(Token::Variable(_) | Token::Name(_)) => {
                matches!(self.ahead(2), None | Some(Token::Line(_) | Token::Op(";" | "}" | ")")))
            }
            _ => false,
        }
    }

    /// What stands in Perl's braces here: `{\&name}`, `{$calls{x}}`, `{"name"}`.
    fn dereferenced(&mut self) -> Value {
        let close = self.code.mate(self.at).min(self.end);
        self.at += 1;
        let value = self.assignment();
        self.at = close + 1;
        value
    }

    /// Whether a word such as `new` stands before an operand, and is not a name itself.
    fn is_prefix(&self) -> bool {
        let word = self.word().unwrap_or("");
        let declares = matches!(self.language, Language::Perl | Language::Lua | Language::Julia);
        if matches!(word, "my" | "our" | "local") && !declares
            || word == "delete" && self.language == Language::Jvm
        {
            return false;
        }
        match self.ahead(1) {
            Some(Token::Op(op)) => {
                matches!(*op, "[" | "$" | "\\" | "@" | "-" | "!" | "&") && word != "delete"
                    || *op == "(" && !matches!(word, "delete" | "try" | "move" | "static" | "begin")
                        // Elsewhere they name what they like.
                        && (self.language == Language::Go || !matches!(word, "go" | "defer"))
                    || *op == "{" && matches!(word, "do" | "try" | "return" | "await" | "move")
            }
            Some(Token::Line(_)) | None => matches!(word, "do" | "begin"),
            Some(_) => true,
        }
    }

    /// Line breaks mean nothing in brackets.
    pub(super) fn skip_if_bracketed(&mut self) {
        if self.brackets > 0 {
            self.skip_lines();
        }
    }

    /// What an expression begins with, without what is done to it.
    pub(super) fn primary(&mut self) -> Value {
        self.skip_if_bracketed();
        if self.language == Language::Go
            && let Some(value) = self.go_make().or_else(|| self.go_literal())
        {
            return value;
        }
        let at = self.at;
        let code = Rc::clone(&self.code);
        let Some(token) = self.peek().and(code.tokens.get(at)) else {
            return Value::unknown();
        };
        match token {
            Token::Text(text) => {
                self.at += 1;
                if self.language == Language::Elixir && self.op() == Some(".") {
                    return Value::Name(text.clone());
                }
                Value::from(text.as_str())
            }
            Token::Template(pieces) => {
                self.at += 1;
                self.filled_in(pieces)
            }
            Token::Command(pieces) => {
                self.at += 1;
                let text = self.filled_in(pieces);
                if self.language == Language::Julia {
                    // It only runs when someone runs it.
                    return text;
                }
                self.shell_with(&text, None)
            }
            Token::Number(number) => {
                self.at += 1;
                number_of(number).map_or_else(|| Value::from(number.as_str()), Value::Number)
            }
            Token::Pattern(pattern) => {
                self.at += 1;
                Value::from(if is_plain(pattern) { pattern.clone() } else { mark::TOKEN.to_string() })
            }
            // On its own it changes `$_`.
            Token::Change { .. } => {
                let line = self.variable_value("_");
                let changed = self.change(&line);
                self.assign("_", changed);
                Value::from(mark::TOKEN)
            }
            // The argument of R's `~ f(.x)`.
            Token::Op(".") if self.language == Language::R && self.word_ahead(1).is_some() => {
                self.at += 1;
                self.primary()
            }
            Token::Variable(name) => {
                self.at += 1;
                self.variable_value(name)
            }
            Token::Name(name) => {
                if let Some(function) = self.function_literal() {
                    return function;
                }
                if matches!(name.as_str(), "match" | "switch" | "when" | "case" | "cond")
                    && let Some(value) = self.arms()
                {
                    return value;
                }
                if let Some(value) = self.word_block() {
                    return value;
                }
                if name == "if"
                    && let Some(value) = self.if_value()
                {
                    return value;
                }
                self.at += 1;
                self.name_value(name)
            }
            Token::Op("(") if self.is_cast() => {
                self.at += 3;
                self.unary()
            }
            Token::Op("(") => self.function_literal().unwrap_or_else(|| self.group()),
            Token::Op("[") => self.list(),
            Token::Op("{") => self.braces(),
            Token::Op("<") => {
                self.at += 1;
                Value::unknown()
            }
            Token::Op(_) | Token::Line(_) => Value::unknown(),
        }
    }

    /// Whether PHP's `(object)` or the like stands here.
    fn is_cast(&self) -> bool {
        self.language == Language::Php
            && self.op_ahead(2) == Some(")")
            && matches!(
                self.word_ahead(1),
                Some("object" | "array" | "string" | "int" | "float" | "bool" | "integer" | "boolean")
            )
    }

    pub(super) fn variable_value(&mut self, name: &str) -> Value {
        if let Some(value) = self.variable(name) {
            return value.clone();
        }
        let arguments = |from: usize, follower: &Self| {
            Value::List(
                follower.given.arguments.iter().skip(from).map(|text| Value::from(text.as_str())).collect(),
            )
        };
        match (self.language, name) {
            (Language::Perl | Language::Php | Language::Ruby, "ENV" | "_ENV" | "_SERVER") => {
                Value::Name("ENV".to_owned())
            }
            (Language::Php, "this") => Value::Name(name.to_owned()),
            (Language::Perl, "ARGV") => arguments(0, self),
            (Language::Php, "argv") => {
                let mut values = vec![Value::from("Standard input code")];
                if let Value::List(more) = arguments(0, self) {
                    values.extend(more);
                }
                // Any of a list where it is not known that the call gives none.
                if self.given.complete && values.len() == 1 {
                    values.push(Value::from(mark::UNSET));
                }
                Value::List(values)
            }
            (Language::Ruby, "stdout" | "stdin" | "stderr") => Value::Name(name.to_ascii_uppercase()),
            (Language::Perl, "0") | (Language::Ruby, "0" | "PROGRAM_NAME") => Value::from("script"),
            // The line that `perl -n`, `ruby -n` and awk are at.
            (Language::Perl | Language::Ruby, "_") | (Language::Awk, "$0") => {
                match self.given.stdin.clone() {
                    Some(stdin) => Value::from(stdin.trim_end_matches('\n')),
                    None => Value::unknown(),
                }
            }
            (Language::Awk, field) => self.awk_field(field),
            _ => Value::unknown(),
        }
    }

    /// `$1` of the line that awk reads, if there is only one.
    fn awk_field(&self, field: &str) -> Value {
        let number = field.trim_start_matches('$').parse::<usize>();
        let line = self.given.stdin.as_deref().map(str::trim_end).filter(|text| !text.contains('\n'));
        let separator = self.variable("FS").and_then(Value::known).filter(|separator| separator != " ");
        let separator = separator.map(|separator| separator.replace("\\t", "\t"));
        // A longer one is a pattern.
        let line = line.filter(|_| separator.as_ref().is_none_or(|separator| separator.len() == 1));
        let part = |line: &str, place: usize| match &separator {
            Some(separator) => line.split(separator.as_str()).nth(place).map(str::to_owned),
            None => line.split_whitespace().nth(place).map(str::to_owned),
        };
        match (line, number) {
            (Some(line), Ok(number))
                if number > 0 && (!mark::any(line) || part(line, number - 1).is_some()) =>
            {
                Value::from(part(line, number - 1).unwrap_or_default())
            }
            _ => {
                match self.given.stdin.as_deref().and_then(|text| text.chars().find(|&c| mark::is_hole(c))) {
                    Some(mark::REMOTE) => Value::from(mark::REMOTE),
                    _ => Value::unknown(),
                }
            }
        }
    }

    /// A template with its expressions filled in.
    pub(super) fn filled_in(&mut self, pieces: &[Piece]) -> Value {
        let mut whole = Value::from("");
        for piece in pieces {
            let part = match piece {
                Piece::Text(text) => Value::from(text.as_str()),
                Piece::Code(code) => {
                    let outer = self.last.clone();
                    let value = self.run_inside(Rc::clone(code), 0, code.tokens.len());
                    self.last = outer;
                    match (value, code.tokens.as_slice()) {
                        // Java fills nothing in: a shell does later.
                        (
                            Value::Name(_) | Value::Text(_),
                            [Token::Name(name) | Token::Variable(name)] | [Token::Op("$"), Token::Name(name)],
                        ) if self.language == Language::Jvm
                            && self.variable(name).is_none()
                            && name.chars().all(|c| c.is_ascii_uppercase() || c == '_') =>
                        {
                            Value::from(format!("${name}"))
                        }
                        (value, _) => value,
                    }
                }
            };
            whole = whole.joined(&part, "");
            if whole.text().len() > MAX_TEXT {
                return Value::unknown();
            }
        }
        whole
    }
}

/// `42`, `0x2f`, `1e3`
fn number_of(text: &str) -> Option<i64> {
    let lower = text.to_ascii_lowercase();
    let lower = lower.trim_end_matches(['l', 'n']);
    if let Some(digits) = lower.strip_prefix("0x") {
        return i64::from_str_radix(digits, 16).ok();
    }
    if let Some(digits) = lower.strip_prefix("0o") {
        return i64::from_str_radix(digits, 8).ok();
    }
    if let Some(digits) = lower.strip_prefix("0b") {
        return i64::from_str_radix(digits, 2).ok();
    }
    lower.parse().ok()
}

/// Words that may stand before an operand.
fn is_prefix_word(word: &str) -> bool {
    matches!(
        word,
        "await"
            | "new"
            | "typeof"
            | "void"
            | "yield"
            | "my"
            | "our"
            | "local"
            | "return"
            | "throw"
            | "raise"
            | "async"
            | "static"
            | "go"
            | "defer"
            | "try"
            | "move"
            | "delete"
            | "begin"
            | "do"
            | "const"
            | "var"
            | "let"
            | "if"
            | "unless"
            | "defined"
    )
}
