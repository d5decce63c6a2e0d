//! Strings that a statement puts together: `'DROP ' || 'TABLE x'`, `CONCAT(…)`, `@sql`.

use shell_engine::mark;

use super::condition::split;
use super::token::{Kind, Token};
use super::words::{closing, name};

/// Variables that are remembered.
const MAX_VARIABLES: usize = 64;

/// Bytes that a computed text may have.
const MAX_TEXT: usize = 64 * 1024;

/// Brackets inside of brackets that are followed.
const MAX_DEPTH: u32 = 12;

/// Strings in variables.
#[derive(Debug, Default)]
pub(super) struct Variables(Vec<(String, String)>);

impl Variables {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, text)| text.as_str())
    }

    /// Remembers what `SET @a = '…'`, `DECLARE @a string = '…'` and `a := '…'` say.
    pub(super) fn learn(&mut self, tokens: &[Token<'_>]) {
        for part in split(tokens, |token| token.is_symbol(",")) {
            let Some(at) = part.iter().position(|token| token.is_symbol("=") || token.is_symbol(":=")) else {
                continue;
            };
            let variable = part[..at].iter().find(|token| {
                token.kind == Kind::Word
                    && (token.text.starts_with('@')
                        || part[at].is_symbol(":=") && !token.is_one("set declare select"))
            });
            let (Some(variable), Some(text)) = (variable, literal(&part[at + 1..], self)) else { continue };
            // `SET @sql += '…'`
            let adds = at > 0 && part[at - 1].is_symbol("+");
            let before = if adds { self.get(variable.text).unwrap_or("") } else { "" };
            let text = format!("{before}{text}");
            if self.0.len() < MAX_VARIABLES && text.len() <= MAX_TEXT {
                self.0.push((variable.text.to_owned(), text));
            }
        }
    }
}

/// The text that an expression yields, with marks for what is only known at run time. `None` if no part of it
/// stands in the statement.
pub(super) fn literal(tokens: &[Token<'_>], variables: &Variables) -> Option<String> {
    let mut joined = Joined { variables, text: String::new() };
    joined.add(tokens, 0).then_some(joined.text).filter(|text| text.len() <= MAX_TEXT)
}

/// The text of the first argument: of `'…', 1`, of `@a = '…'`.
pub(super) fn first(tokens: &[Token<'_>], variables: &Variables) -> Option<String> {
    let arguments = split(tokens, |token| token.is_symbol(","));
    let argument = arguments.first()?;
    let named = argument.iter().position(|token| token.is_symbol("=")).map_or(0, |at| at + 1);
    literal(&argument[named..], variables)
}

/// Whether an expression computes a string: it calls a function that does, or begins with a known variable.
pub(super) fn is_computed(tokens: &[Token<'_>], variables: &Variables) -> bool {
    match tokens {
        [first, open, ..] if open.is_symbol("(") => {
            first.is_one("format concat concat_ws quote_ident replace")
        }
        [first, ..] => variables.get(first.text).is_some(),
        [] => false,
    }
}

/// The text of an expression, as far as it is put together.
struct Joined<'v> {
    variables: &'v Variables,
    text: String,
}

impl Joined<'_> {
    /// Appends the text of an expression. Says whether any of it is known.
    fn add(&mut self, tokens: &[Token<'_>], depth: u32) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        let mut known = false;
        let mut at = 0;
        while at < tokens.len() && self.text.len() <= MAX_TEXT {
            let token = &tokens[at];
            match token.kind {
                Kind::Text => {
                    self.text.push_str(&token.value());
                    known = true;
                    at += 1;
                }
                Kind::Symbol if token.text == "(" => {
                    let end = closing(tokens, at);
                    known |= self.add(tokens.get(at + 1..end).unwrap_or(&[]), depth + 1);
                    at = end + 1;
                }
                // Both join strings, each in its databases.
                Kind::Symbol if matches!(token.text, "||" | "+") => at += 1,
                Kind::Word | Kind::Name => {
                    if let Some(value) = self.variables.get(token.text) {
                        self.text.push_str(value);
                        known = true;
                        at += 1;
                        continue;
                    }
                    if token.is_one("from into where as using order limit collate union") {
                        break;
                    }
                    let Some((name, next)) = name(tokens, at) else { break };
                    at = next;
                    if tokens.get(at).is_some_and(|open| open.is_symbol("(")) {
                        let end = closing(tokens, at);
                        let arguments = tokens.get(at + 1..end).unwrap_or(&[]);
                        known |= self.call(&name, arguments, depth);
                        at = end + 1;
                    } else {
                        // A column's value: anything may come out of the table.
                        self.text.push(mark::UNKNOWN);
                    }
                }
                Kind::Number => {
                    self.text.push_str(token.text);
                    at += 1;
                }
                _ => break,
            }
        }
        known
    }

    /// Appends what a function makes of its arguments.
    fn call(&mut self, name: &str, arguments: &[Token<'_>], depth: u32) -> bool {
        let arguments = split(arguments, |token| token.is_symbol(","));
        let name = name.to_ascii_lowercase();
        match &*name {
            "replace" if let [text, from, to] = arguments.as_slice() => {
                let part = |tokens: &&[Token<'_>]| literal(tokens, self.variables);
                match (part(text), part(from), part(to)) {
                    (Some(text), Some(from), Some(to)) if !from.is_empty() => {
                        self.text.push_str(&text.replace(&from, &to));
                        true
                    }
                    (Some(text), ..) => {
                        self.text.push_str(&text);
                        true
                    }
                    _ => {
                        self.text.push(mark::UNKNOWN);
                        false
                    }
                }
            }
            "concat" | "printf" | "format" | "string_agg" | "group_concat" | "listagg" | "cast" | "trim"
            | "lower" | "upper" | "concat_ws" | "replace" | "convert_from" | "array_agg" => {
                let all = matches!(&*name, "concat" | "concat_ws");
                let from = usize::from(name == "concat_ws");
                let used = if all {
                    arguments.get(from..).unwrap_or(&[])
                } else {
                    arguments.get(..1).unwrap_or(&[])
                };
                let start = self.text.len();
                let mut known = false;
                for (index, argument) in used.iter().enumerate() {
                    if index > 0 && from == 1 {
                        self.text.push(' ');
                    }
                    known |= self.add(argument, depth + 1);
                }
                if matches!(&*name, "format" | "printf") {
                    let filled = filled(&self.text[start..]);
                    self.text.truncate(start);
                    self.text.push_str(&filled);
                }
                known
            }
            // `CHR(68) || CHR(82)`
            "chr" | "char" => {
                for argument in &arguments {
                    match argument {
                        [code] if code.kind == Kind::Number => {
                            let code = code.text.parse::<u8>().ok().filter(u8::is_ascii).unwrap_or(b'?');
                            self.text.push(char::from(code));
                        }
                        _ => self.text.push(mark::UNKNOWN),
                    }
                }
                true
            }
            _ => {
                self.text.push(mark::UNKNOWN);
                false
            }
        }
    }
}

/// A format's text, with marks for its arguments.
fn filled(format: &str) -> String {
    let mut text = String::with_capacity(format.len());
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        for c in chars.by_ref() {
            if c == '%' {
                text.push('%');
                break;
            }
            if c.is_ascii_alphabetic() {
                text.push(mark::UNKNOWN);
                break;
            }
        }
    }
    text
}
