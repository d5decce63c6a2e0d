//! Binary operators and casts.

use std::rc::Rc;

use shell_engine::{NoteKind, mark};

use super::super::ast::Operator;
use super::super::value::{MAX_LIST, Value};
use super::Machine;

impl Machine<'_> {
    pub(super) fn binary(&mut self, operator: Operator, left: Value, right: &Value) -> Value {
        match operator {
            Operator::Add => self.add(left, right),
            Operator::Format => {
                let arguments = right.elements();
                Value::text(self.runner.paid(format(&left.string(), &arguments)))
            }
            Operator::Join => {
                let joined = left.joined(&right.string());
                Value::text(self.runner.paid(joined))
            }
            Operator::Split => split(&left, right),
            Operator::Replace => {
                let (from, to) = match right.elements().as_slice() {
                    [from, to, ..] => (from.string(), to.string()),
                    [from] => (from.string(), String::new()),
                    [] => return left,
                };
                self.replace(&left, &unescaped(&from), &to)
            }
            Operator::Range => range(&left, right),
            Operator::As => left,
            Operator::Multiply => self.multiply(&left, right),
            Operator::Subtract | Operator::Divide | Operator::Remainder | Operator::Xor => {
                let (Some(a), Some(b)) = (left.number(), right.number()) else { return Value::token() };
                let result = match operator {
                    Operator::Subtract => a.checked_sub(b),
                    Operator::Divide => a.checked_div(b),
                    Operator::Remainder => a.checked_rem(b),
                    _ => Some(a ^ b),
                };
                result.map_or_else(Value::token, |number| Value::text(number.to_string()))
            }
            Operator::Test | Operator::Compare(_) | Operator::And | Operator::Or | Operator::Not => {
                // `$x ?? 'default'` and tests alike: what is known of either side.
                if right.is_false() { left } else { Value::token() }
            }
        }
    }

    fn add(&mut self, left: Value, right: &Value) -> Value {
        if let (Some(a), Some(b)) = (left.number(), right.number())
            && let Some(sum) = a.checked_add(b)
        {
            return Value::text(sum.to_string());
        }
        match left {
            Value::List(values) => {
                if !self.runner.spend(values.len() * 8) {
                    return Value::List(values);
                }
                let mut values = values.to_vec();
                values.extend(right.elements());
                // `$x = $x + $x` in a loop doubles the list each time.
                values.truncate(MAX_LIST);
                Value::List(Rc::new(values))
            }
            left => {
                let both = format!("{}{}", left.string(), right.string());
                Value::text(self.runner.paid(both))
            }
        }
    }

    fn multiply(&mut self, left: &Value, right: &Value) -> Value {
        let Some(count) = right.number() else { return Value::token() };
        if let Some(product) = left.number().and_then(|number| number.checked_mul(count)) {
            return Value::text(product.to_string());
        }
        let text = left.string();
        let count = usize::try_from(count).unwrap_or(0);
        // Bounded before it is built: `'x' * 1gb` is one expression.
        if text.len().saturating_mul(count) > 64 * 1024 || !self.runner.spend(text.len() * count) {
            return Value::unknown();
        }
        Value::text(text.repeat(count))
    }

    /// Replaces `from` in each element, whatever the letters' case.
    pub(super) fn replace(&mut self, value: &Value, from: &str, to: &str) -> Value {
        let values: Vec<Value> = value
            .elements()
            .iter()
            .map(|value| {
                let text = value.string();
                if from.is_empty() || text.len() > 64 * 1024 {
                    return Value::text(text);
                }
                // Patterns are taken as plain text: most are, and obfuscated commands replace single
                // characters.
                let replaced = replaced(&text, from, to);
                Value::text(self.runner.paid(replaced))
            })
            .collect();
        Value::of(values)
    }

    pub(super) fn cast(&mut self, name: &str, value: Value) -> Value {
        match name.trim_end_matches("[]") {
            "char" => {
                let elements = value.elements();
                let each: Vec<Value> = elements.iter().map(character).collect();
                match (each.len(), value) {
                    // `[char[]]'text'`: its letters.
                    (1, Value::Text(text)) if name.ends_with("[]") && text.parse::<u32>().is_err() => {
                        Value::of(text.chars().take(MAX_LIST).map(|c| Value::text(c.to_string())).collect())
                    }
                    _ => Value::of(each),
                }
            }
            "string" if !name.ends_with("[]") => Value::text(value.string()),
            "int" | "int32" | "int64" | "byte" | "uint32" | "long" => match &value {
                Value::Text(text)
                    // `[int]'a'` fails, `[int][char]'a'` is 97; both arrive here as a string of one letter.
                    if text.chars().count() == 1 && text.parse::<i64>().is_err() && !mark::any(text) =>
                {
                    Value::text(text.chars().next().map_or(0, u32::from).to_string())
                }
                _ if name == "byte[]" => bytes(value),
                _ => value,
            },
            "scriptblock" => match value {
                Value::Text(text) => self.script_block(&text),
                value => value,
            },
            "type" => Value::Type(Rc::from(value.string().to_lowercase().trim_start_matches("system."))),
            "wmiclass" => Value::Object(Rc::from(format!("cim:{}", class_of(&value.string())))),
            "wmi" => Value::Object(Rc::from(format!("cim:{}", class_of(&value.string())))),
            "adsi" => Value::Object(Rc::from(format!("adsi:{}", value.string()))),
            "void" => Value::Nothing,
            // True or false: neither is worth following.
            "bool" => Value::token(),
            "pscustomobject" | "ordered" | "hashtable" | "psobject" => value,
            "diagnostics.processstartinfo" => match value {
                Value::Map(entries) => {
                    let mut entries = entries.to_vec();
                    // `[…ProcessStartInfo]@{…}`: the type tells later what `Start` runs.
                    entries.push(("#type".to_owned(), Value::text("diagnostics.processstartinfo")));
                    Value::Map(Rc::new(entries))
                }
                value => value,
            },
            _ => value,
        }
    }

    /// A block made from text.
    pub(super) fn script_block(&mut self, text: &str) -> Value {
        if !self.runner.spend(text.len()) {
            return Value::unknown();
        }
        if text.contains(mark::REMOTE) {
            self.runner.note(NoteKind::RunsRemote, self.here());
        }
        Value::Block(Rc::new(super::super::parse::parse_at(text, self.here())))
    }
}

/// The class of a WMI path: `\\.\root\cimv2:Win32_Process.Handle=1`.
pub(super) fn class_of(path: &str) -> String {
    let name = path.rsplit(':').next().unwrap_or(path);
    name.split(['.', '=']).next().unwrap_or(name).to_lowercase()
}

/// Text as bytes, or a list of numbers as bytes.
pub(super) fn bytes(value: Value) -> Value {
    let elements = value.elements();
    if elements.iter().all(|element| element.number().is_some_and(|number| (0..256).contains(&number)))
        // A single number is rather a number than a byte.
        && elements.len() > 1
    {
        let bytes: Vec<u8> = elements
            .iter()
            .filter_map(super::super::value::Value::number)
            .filter_map(|n| u8::try_from(n).ok())
            .collect();
        return Value::Bytes(Rc::from(bytes));
    }
    value
}

fn character(value: &Value) -> Value {
    match value.number().and_then(|number| u32::try_from(number).ok()).and_then(char::from_u32) {
        Some(c) => Value::text(mark::scrub(&c.to_string()).into_owned()),
        None => value.clone(),
    }
}

fn range(left: &Value, right: &Value) -> Value {
    if let (Value::Text(a), Value::Text(b)) = (left, right)
        && let (Some(a), Some(b)) = (single(a), single(b))
        && a.is_ascii_alphabetic()
        && b.is_ascii_alphabetic()
    {
        return Value::of((a.min(b)..=a.max(b)).map(|c| Value::text(c.to_string())).collect());
    }
    let (Some(from), Some(to)) = (left.number(), right.number()) else { return Value::token() };
    let count = from.abs_diff(to).min(MAX_LIST as u64);
    let step = if from <= to { 1 } else { -1 };
    let numbers = (0..=i64::try_from(count).unwrap_or(0)).map(|at| from.saturating_add(at * step));
    Value::of(numbers.map(|number| Value::text(number.to_string())).collect())
}

fn single(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// `'{0}{1}' -f a, b`
pub(super) fn format(pattern: &str, arguments: &[Value]) -> String {
    let mut text = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(&rest[..at]);
        let brace = &rest[at..];
        if brace.starts_with("{{") || brace.starts_with("}}") {
            text.push_str(&brace[..1]);
            rest = &brace[2..];
            continue;
        }
        let Some(end) = brace.find('}').filter(|_| brace.starts_with('{')) else {
            text.push_str(&brace[..1]);
            rest = &brace[1..];
            continue;
        };
        let inner = &brace[1..end];
        let digits = inner.split([',', ':']).next().unwrap_or("").trim();
        match digits.parse::<usize>().ok().and_then(|index| arguments.get(index)) {
            Some(value) => text.push_str(&value.string()),
            None => text.push(mark::TOKEN),
        }
        rest = &brace[end + 1..];
    }
    text.push_str(rest);
    text
}

fn split(left: &Value, right: &Value) -> Value {
    let separator = right.elements().first().map(Value::string).unwrap_or_default();
    let separator = unescaped(&separator);
    let mut parts = Vec::new();
    for value in left.elements() {
        let text = value.string();
        if separator.is_empty() {
            parts.push(Value::text(text));
        } else if separator.chars().all(|c| c == ' ') || matches!(separator.as_str(), "\\s+" | "\\s") {
            parts.extend(text.split_whitespace().take(MAX_LIST).map(Value::text));
        } else {
            parts.extend(text.split(&*separator).take(MAX_LIST).map(Value::text));
        }
        parts.truncate(MAX_LIST);
    }
    Value::of(parts)
}

/// A pattern that is plain text with escapes, as text.
fn unescaped(pattern: &str) -> String {
    if matches!(pattern, "\\s+" | "\\s") {
        return pattern.to_owned();
    }
    let mut text = String::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some('r') => text.push('\r'),
                Some('t') => text.push('\t'),
                Some(c) => text.push(c),
                None => text.push('\\'),
            },
            // Anchors match no character of their own.
            '^' | '$' => {}
            c => text.push(c),
        }
    }
    text
}

fn replaced(text: &str, from: &str, to: &str) -> String {
    // In ASCII only, so that the positions are those of the text itself.
    let lower = text.to_ascii_lowercase();
    let from = from.to_ascii_lowercase();
    let mut result = String::new();
    let mut at = 0;
    while let Some(found) = lower[at..].find(&from) {
        result.push_str(&text[at..at + found]);
        result.push_str(to);
        at += found + from.len();
    }
    result.push_str(&text[at..]);
    result
}
