//! What a program of jq's makes of a document, where it consists of what people hide a text with: strings, paths,
//! encodings, arithmetic of strings.

use std::fmt::Write as _;

use serde_json::{Map, Value};
use shell_engine::text::encoding;
use shell_engine::text::regex::{Dialect, Pattern};
use shell_engine::{Arg, mark};

/// Values that one filter gives, and how deep filters are nested.
const MAX_VALUES: usize = 256;
const MAX_DEPTH: u32 = 32;
/// A program that is longer is not read.
const MAX_PROGRAM: usize = 4096;

/// A filter.
#[derive(Debug, Clone)]
enum Filter {
    Itself,
    Literal(Value),
    /// `"a \(.b)"`, with the format in front of it.
    Text(Option<String>, Vec<Piece>),
    Variable(String),
    /// `.name`, `[filter]`, `[a:b]`, `[]` after another filter.
    Field(Box<Filter>, Box<Filter>),
    Slice(Box<Filter>, Option<Box<Filter>>, Option<Box<Filter>>),
    Each(Box<Filter>),
    Array(Option<Box<Filter>>),
    Object(Vec<(Filter, Filter)>),
    Pipe(Box<Filter>, Box<Filter>),
    Comma(Box<Filter>, Box<Filter>),
    Operation(char, Box<Filter>, Box<Filter>),
    Format(String),
    Call(String, Vec<Filter>),
}

/// A piece of a string.
#[derive(Debug, Clone)]
enum Piece {
    Plain(String),
    Filled(Filter),
}

/// How a call of jq reads and prints.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
struct Options {
    raw: bool,
    joined: bool,
    without_input: bool,
    slurped: bool,
    lines: bool,
    variables: Map<String, Value>,
    positional: Vec<Value>,
}

/// What jq prints for a text, and without any. `None` where that is not computed.
pub(super) fn run(args: &[Arg], text: Option<&str>) -> Option<String> {
    let (options, program) = options(args)?;
    let filter = Reader { rest: program, depth: 0 }.whole()?;
    let text = text.unwrap_or_default();
    if mark::any(text) {
        return None;
    }
    let mut inputs: Vec<Value> = if options.without_input {
        vec![Value::Null]
    } else if options.lines {
        text.lines().map(Value::from).collect()
    } else {
        serde_json::Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().ok()?
    };
    if options.slurped {
        inputs = vec![if options.lines { Value::from(text) } else { Value::Array(inputs) }];
    }
    let mut printed = String::new();
    for input in &inputs {
        for value in evaluate(&filter, input, &options.variables, 0)? {
            match &value {
                Value::String(text) if options.raw => printed.push_str(text),
                value => _ = write!(printed, "{value}"),
            }
            if !options.joined {
                printed.push('\n');
            }
        }
    }
    Some(printed)
}

fn options(args: &[Arg]) -> Option<(Options, &str)> {
    let mut found = Options::default();
    let (mut program, mut positional) = (None, false);
    let mut words = args.iter().map(|arg| arg.text.as_str());
    while let Some(word) = words.next() {
        match word {
            "--raw-output" => found.raw = true,
            "--join-output" => (found.raw, found.joined) = (true, true),
            "--null-input" => found.without_input = true,
            "--slurp" => found.slurped = true,
            "--raw-input" => found.lines = true,
            "--arg" | "--argjson" => {
                let (name, value) = (words.next()?, words.next()?);
                let value =
                    if word == "--arg" { Value::from(value) } else { serde_json::from_str(value).ok()? };
                found.variables.insert(name.to_owned(), value);
            }
            "--args" => positional = true,
            _ if positional && program.is_some() => found.positional.push(Value::from(word)),
            "--compact-output" | "--monochrome-output" | "--exit-status" | "--sort-keys" | "--tab" => {}
            "--indent" => _ = words.next()?,
            _ if word.starts_with("--") => return None,
            _ if word.starts_with('-') && word.len() > 1 => {
                for letter in word.chars().skip(1) {
                    match letter {
                        'r' => found.raw = true,
                        'j' => (found.raw, found.joined) = (true, true),
                        'n' => found.without_input = true,
                        's' => found.slurped = true,
                        'R' => found.lines = true,
                        'c' | 'M' | 'e' | 'S' | 'C' | 'a' => {}
                        _ => return None,
                    }
                }
            }
            _ if program.is_none() => program = Some(word),
            // A file, which is read by someone else.
            _ => return None,
        }
    }
    let mut all = Map::new();
    all.insert("positional".to_owned(), Value::Array(std::mem::take(&mut found.positional)));
    all.insert("named".to_owned(), Value::Object(found.variables.clone()));
    found.variables.insert("ARGS".to_owned(), Value::Object(all));
    let program = program.filter(|program| program.len() <= MAX_PROGRAM && !mark::any(program))?;
    Some((found, program))
}

/// Reads a program.
struct Reader<'p> {
    rest: &'p str,
    depth: u32,
}

impl Reader<'_> {
    fn whole(&mut self) -> Option<Filter> {
        let filter = self.pipe()?;
        self.skip();
        self.rest.is_empty().then_some(filter)
    }

    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn takes(&mut self, sign: &str) -> bool {
        self.skip();
        let Some(rest) = self.rest.strip_prefix(sign) else { return false };
        self.rest = rest;
        true
    }

    fn pipe(&mut self) -> Option<Filter> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut left = self.comma()?;
        while !self.rest.trim_start().starts_with("|=") && self.takes("|") {
            left = Filter::Pipe(Box::new(left), Box::new(self.comma()?));
        }
        self.depth -= 1;
        Some(left)
    }

    fn comma(&mut self) -> Option<Filter> {
        let mut left = self.operation(0)?;
        while self.takes(",") {
            left = Filter::Comma(Box::new(left), Box::new(self.operation(0)?));
        }
        Some(left)
    }

    fn operation(&mut self, level: usize) -> Option<Filter> {
        const LEVELS: [&[&str]; 6] =
            [&["//"], &["or"], &["and"], &["==", "!=", "<=", ">=", "<", ">"], &["+", "-"], &["*", "/", "%"]];
        let Some(signs) = LEVELS.get(level) else { return self.postfix() };
        let mut left = self.operation(level + 1)?;
        loop {
            self.skip();
            // `+=` and the like change a document, and `//` does not divide.
            let sign = signs.iter().find(|sign| self.rest.starts_with(**sign));
            let Some(sign) = sign.filter(|sign| **sign != "/" || !self.rest.starts_with("//")) else {
                return Some(left);
            };
            self.rest = &self.rest[sign.len()..];
            if self.rest.starts_with('=') {
                return None;
            }
            let operation = match *sign {
                "//" => '?',
                "<=" => '≤',
                ">=" => '≥',
                sign => sign.chars().next()?,
            };
            left = Filter::Operation(operation, Box::new(left), Box::new(self.operation(level + 1)?));
        }
    }

    fn postfix(&mut self) -> Option<Filter> {
        let mut filter = self.primary()?;
        loop {
            if self.rest.starts_with('?') {
                self.rest = &self.rest[1..];
            } else if self.rest.starts_with('[') {
                self.rest = &self.rest[1..];
                filter = self.subscript(filter)?;
            } else if self.rest.starts_with('.') {
                self.rest = &self.rest[1..];
                filter = if self.rest.starts_with('[') {
                    continue;
                } else {
                    Filter::Field(Box::new(filter), Box::new(self.name()?))
                };
            } else {
                return Some(filter);
            }
        }
    }

    /// What stands in brackets after a filter.
    fn subscript(&mut self, of: Filter) -> Option<Filter> {
        if self.takes("]") {
            return Some(Filter::Each(Box::new(of)));
        }
        let from = if self.takes(":") { None } else { Some(Box::new(self.pipe()?)) };
        if from.is_some() && self.takes("]") {
            return Some(Filter::Field(Box::new(of), from?));
        }
        if from.is_some() && !self.takes(":") {
            return None;
        }
        if self.takes("]") {
            return Some(Filter::Slice(Box::new(of), from, None));
        }
        let to = self.pipe()?;
        self.takes("]").then(|| Filter::Slice(Box::new(of), from, Some(Box::new(to))))
    }

    /// The name after a point.
    fn name(&mut self) -> Option<Filter> {
        if self.rest.starts_with('"') {
            return self.text(None);
        }
        let name = self.word();
        (!name.is_empty()).then(|| Filter::Literal(Value::from(name)))
    }

    fn word(&mut self) -> String {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word.to_owned()
    }

    fn primary(&mut self) -> Option<Filter> {
        self.skip();
        let first = self.rest.chars().next()?;
        match first {
            '.' => {
                self.rest = &self.rest[1..];
                let named = self.rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '"');
                Some(if named {
                    Filter::Field(Box::new(Filter::Itself), Box::new(self.name()?))
                } else {
                    Filter::Itself
                })
            }
            '"' => self.text(None),
            '@' => {
                self.rest = &self.rest[1..];
                let format = self.word();
                self.skip();
                if self.rest.starts_with('"') {
                    self.text(Some(format))
                } else {
                    Some(Filter::Format(format))
                }
            }
            '$' => {
                self.rest = &self.rest[1..];
                Some(Filter::Variable(self.word()))
            }
            '(' => {
                self.rest = &self.rest[1..];
                let inner = self.pipe()?;
                self.takes(")").then_some(inner)
            }
            '[' => {
                self.rest = &self.rest[1..];
                if self.takes("]") {
                    return Some(Filter::Array(None));
                }
                let inner = self.pipe()?;
                self.takes("]").then(|| Filter::Array(Some(Box::new(inner))))
            }
            '{' => self.object(),
            '0'..='9' => {
                let end =
                    self.rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(self.rest.len());
                let (digits, rest) = self.rest.split_at(end);
                self.rest = rest;
                serde_json::from_str(digits).ok().map(Filter::Literal)
            }
            c if c.is_ascii_alphabetic() => self.call(),
            _ => None,
        }
    }

    fn object(&mut self) -> Option<Filter> {
        self.rest = &self.rest[1..];
        let mut entries = Vec::new();
        loop {
            if self.takes("}") {
                return Some(Filter::Object(entries));
            }
            self.skip();
            let key = match self.rest.chars().next()? {
                '"' => self.text(None)?,
                '(' => self.primary()?,
                _ => self.name()?,
            };
            let value = if self.takes(":") {
                self.operation(0)?
            } else {
                Filter::Field(Box::new(Filter::Itself), Box::new(key.clone()))
            };
            entries.push((key, value));
            if !self.takes(",") && !self.rest.trim_start().starts_with('}') {
                return None;
            }
        }
    }

    fn call(&mut self) -> Option<Filter> {
        let name = self.word();
        match name.as_str() {
            "null" => return Some(Filter::Literal(Value::Null)),
            "true" | "false" => return Some(Filter::Literal(Value::from(name == "true"))),
            "if" | "reduce" | "foreach" | "def" | "try" | "label" | "and" | "or" => return None,
            _ => {}
        }
        let mut arguments = Vec::new();
        if self.rest.starts_with('(') {
            self.rest = &self.rest[1..];
            loop {
                arguments.push(self.pipe()?);
                if self.takes(")") {
                    break;
                }
                if !self.takes(";") {
                    return None;
                }
            }
        }
        Some(Filter::Call(name, arguments))
    }

    /// A string, whose first quote comes next.
    fn text(&mut self, format: Option<String>) -> Option<Filter> {
        self.rest = self.rest.strip_prefix('"')?;
        let (mut pieces, mut plain) = (Vec::new(), String::new());
        loop {
            let c = self.rest.chars().next()?;
            self.rest = &self.rest[c.len_utf8()..];
            match c {
                '"' => break,
                '\\' if self.rest.starts_with('(') => {
                    self.rest = &self.rest[1..];
                    pieces.push(Piece::Plain(std::mem::take(&mut plain)));
                    pieces.push(Piece::Filled(self.pipe()?));
                    if !self.takes(")") {
                        return None;
                    }
                }
                '\\' => {
                    let length = if self.rest.starts_with('u') { 5 } else { 1 };
                    let escape = self.rest.get(..length)?;
                    self.rest = &self.rest[length..];
                    let read: String = serde_json::from_str(&format!("\"\\{escape}\"")).ok()?;
                    plain.push_str(&mark::scrub(&read));
                }
                c => plain.push(c),
            }
        }
        pieces.push(Piece::Plain(plain));
        Some(Filter::Text(format, pieces))
    }
}

/// What a filter gives for an input. `None` where it ends with an error, or is not known here.
fn evaluate(
    filter: &Filter,
    input: &Value,
    variables: &Map<String, Value>,
    depth: u32,
) -> Option<Vec<Value>> {
    if depth > 2 * MAX_DEPTH {
        return None;
    }
    let of = |filter: &Filter, input: &Value| evaluate(filter, input, variables, depth + 1);
    let found = match filter {
        Filter::Itself => vec![input.clone()],
        Filter::Literal(value) => vec![value.clone()],
        Filter::Variable(name) if name == "ENV" => return None,
        Filter::Variable(name) => vec![variables.get(name)?.clone()],
        Filter::Text(format, pieces) => {
            let mut text = String::new();
            for piece in pieces {
                match piece {
                    Piece::Plain(plain) => text.push_str(plain),
                    Piece::Filled(filter) => {
                        let value = of(filter, input)?.into_iter().next()?;
                        text.push_str(&formatted(format.as_deref().unwrap_or("text"), &value)?);
                    }
                }
            }
            vec![Value::from(text)]
        }
        Filter::Format(format) => vec![Value::from(formatted(format, input)?)],
        Filter::Field(from, key) => {
            let key = of(key, input)?.into_iter().next()?;
            of(from, input)?.iter().map(|value| field(value, &key)).collect()
        }
        Filter::Slice(from, start, end) => {
            let bound = |bound: &Option<Box<Filter>>| match bound {
                Some(filter) => of(filter, input)?.first()?.as_i64().map(Some),
                None => Some(None),
            };
            let (start, end) = (bound(start)?, bound(end)?);
            of(from, input)?.iter().map(|value| sliced(value, start, end)).collect::<Option<_>>()?
        }
        Filter::Each(from) => of(from, input)?.iter().flat_map(parts).collect(),
        Filter::Array(None) => vec![Value::Array(Vec::new())],
        Filter::Array(Some(inner)) => vec![Value::Array(of(inner, input)?)],
        Filter::Object(entries) => {
            let mut object = Map::new();
            for (key, value) in entries {
                let key = of(key, input)?.first()?.as_str()?.to_owned();
                object.insert(key, of(value, input)?.into_iter().next()?);
            }
            vec![Value::Object(object)]
        }
        Filter::Pipe(left, right) => {
            let mut found = Vec::new();
            for value in of(left, input)? {
                found.extend(of(right, &value)?);
                if found.len() > MAX_VALUES {
                    return None;
                }
            }
            found
        }
        Filter::Comma(left, right) => [of(left, input)?, of(right, input)?].concat(),
        Filter::Operation('?', left, right) => match of(left, input) {
            Some(left) if left.iter().any(holds) => left.into_iter().filter(holds).collect(),
            _ => of(right, input)?,
        },
        Filter::Operation(sign, left, right) => {
            let mut found = Vec::new();
            for right in of(right, input)? {
                for left in of(left, input)? {
                    found.push(computed(*sign, left, right.clone())?);
                }
            }
            found
        }
        Filter::Call(name, arguments) => called(name, arguments, input, &of)?,
    };
    (found.len() <= MAX_VALUES).then_some(found)
}

fn field(value: &Value, key: &Value) -> Value {
    let found = match (value, key) {
        (Value::Array(all), Value::Number(at)) => {
            let at = at.as_i64().unwrap_or(i64::MAX);
            let at = if at < 0 { at + i64::try_from(all.len()).unwrap_or(0) } else { at };
            usize::try_from(at).ok().and_then(|at| all.get(at))
        }
        (value, Value::String(name)) => value.get(name),
        _ => None,
    };
    found.cloned().unwrap_or(Value::Null)
}

fn sliced(value: &Value, start: Option<i64>, end: Option<i64>) -> Option<Value> {
    let bounds = |length: usize| {
        let length = i64::try_from(length).ok()?;
        let place = |at: i64| usize::try_from((if at < 0 { at + length } else { at }).clamp(0, length)).ok();
        let (start, end) = (place(start.unwrap_or(0))?, place(end.unwrap_or(length))?);
        Some(start..end.max(start))
    };
    match value {
        Value::String(text) => {
            let chars: Vec<char> = text.chars().collect();
            Some(Value::from(chars[bounds(chars.len())?].iter().collect::<String>()))
        }
        Value::Array(all) => Some(Value::from(&all[bounds(all.len())?])),
        _ => None,
    }
}

fn parts(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(all) => all.clone(),
        Value::Object(all) => all.values().cloned().collect(),
        _ => Vec::new(),
    }
}

/// A value in the form that `@name` gives it.
fn formatted(format: &str, value: &Value) -> Option<String> {
    let plain = |value: &Value| match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    let text = plain(value);
    Some(match format {
        "text" => text,
        "json" => value.to_string(),
        "base64" => encoding::run("base64", &[], &text)?.trim_end().to_owned(),
        "base64d" => {
            String::from_utf8(encoding::base64(&text)?).ok().map(|text| mark::scrub(&text).into_owned())?
        }
        "base32d" => encoding::run("base32", &[Arg::from("-d")], &text)?,
        "sh" => {
            let quoted = |value: &Value| match value {
                Value::String(text) => format!("'{}'", text.replace('\'', r"'\''")),
                value => value.to_string(),
            };
            match value {
                Value::Array(all) => all.iter().map(quoted).collect::<Vec<_>>().join(" "),
                value => quoted(value),
            }
        }
        "tsv" | "csv" => {
            let (separator, quote) = if format == "tsv" { ("\t", "") } else { (",", "\"") };
            let cell = |value: &Value| match value {
                Value::String(text) => format!("{quote}{text}{quote}"),
                value => value.to_string(),
            };
            value.as_array()?.iter().map(cell).collect::<Vec<_>>().join(separator)
        }
        _ => return None,
    })
}

/// Whether a value counts as true.
fn holds(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false))
}

/// How two values compare, where they are of one kind.
fn compared(left: &Value, right: &Value) -> Option<std::cmp::Ordering> {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64()?.partial_cmp(&right.as_f64()?),
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        _ => None,
    }
}

fn computed(sign: char, left: Value, right: Value) -> Option<Value> {
    match sign {
        'o' => return Some(Value::from(holds(&left) || holds(&right))),
        'a' => return Some(Value::from(holds(&left) && holds(&right))),
        '=' | '!' => {
            let equal = compared(&left, &right).map_or(left == right, std::cmp::Ordering::is_eq);
            return Some(Value::from(equal == (sign == '=')));
        }
        '<' => return Some(Value::from(compared(&left, &right)?.is_lt())),
        '>' => return Some(Value::from(compared(&left, &right)?.is_gt())),
        '≤' => return Some(Value::from(compared(&left, &right)?.is_le())),
        '≥' => return Some(Value::from(compared(&left, &right)?.is_ge())),
        _ => {}
    }
    Some(match (sign, left, right) {
        ('+', Value::Null, other) | ('+', other, Value::Null) => other,
        ('+', Value::String(left), Value::String(right)) => Value::from(left + &right),
        ('+', Value::Array(left), Value::Array(right)) => Value::Array([left, right].concat()),
        ('+', Value::Object(mut left), Value::Object(right)) => {
            left.extend(right);
            Value::Object(left)
        }
        ('-', Value::Array(mut left), Value::Array(right)) => {
            left.retain(|value| !right.contains(value));
            Value::Array(left)
        }
        ('/', Value::String(text), Value::String(separator)) => {
            Value::Array(text.split(&*separator).map(Value::from).collect())
        }
        ('*', Value::String(text), Value::Number(times)) => {
            Value::from(text.repeat(usize::try_from(times.as_u64()?).ok()?.min(64)))
        }
        (sign, Value::Number(left), Value::Number(right)) => {
            let (left, right) = (left.as_i64()?, right.as_i64()?);
            Value::from(match sign {
                '+' => left.checked_add(right)?,
                '-' => left.checked_sub(right)?,
                '*' => left.checked_mul(right)?,
                '/' => left.checked_div(right).filter(|result| result * right == left)?,
                _ => left.checked_rem(right)?,
            })
        }
        _ => return None,
    })
}

/// What a function gives.
fn called(
    name: &str,
    arguments: &[Filter],
    input: &Value,
    of: &dyn Fn(&Filter, &Value) -> Option<Vec<Value>>,
) -> Option<Vec<Value>> {
    let text = || input.as_str();
    let list = || input.as_array();
    let argument = |at: usize| of(arguments.get(at)?, input)?.into_iter().next();
    let word = |at: usize| argument(at)?.as_str().map(str::to_owned);
    let one = |value: Value| Some(vec![value]);
    match name {
        "implode" => {
            let letter = |code: &Value| char::from_u32(u32::try_from(code.as_u64()?).ok()?);
            let text: String = list()?.iter().map(letter).collect::<Option<_>>()?;
            one(Value::from(mark::scrub(&text).into_owned()))
        }
        "explode" => one(Value::Array(text()?.chars().map(|c| Value::from(u32::from(c))).collect())),
        "join" => {
            let all: Vec<String> =
                list()?.iter().map(|value| formatted("text", value)).collect::<Option<_>>()?;
            one(Value::from(all.join(&word(0)?)))
        }
        "split" => one(Value::Array(text()?.split(&*word(0)?).map(Value::from).collect())),
        "reverse" => one(match input {
            Value::String(text) => Value::from(text.chars().rev().collect::<String>()),
            _ => Value::Array(list()?.iter().rev().cloned().collect()),
        }),
        "add" => list()?
            .iter()
            .cloned()
            .try_fold(Value::Null, |sum, value| computed('+', sum, value))
            .and_then(one),
        "ascii_downcase" => one(Value::from(text()?.to_ascii_lowercase())),
        "ascii_upcase" => one(Value::from(text()?.to_ascii_uppercase())),
        "ltrimstr" => one(Value::from(text()?.strip_prefix(&*word(0)?).or(text())?)),
        "rtrimstr" => one(Value::from(text()?.strip_suffix(&*word(0)?).or(text())?)),
        "trim" => one(Value::from(text()?.trim())),
        "tostring" => one(Value::from(formatted("text", input)?)),
        "tojson" => one(Value::from(input.to_string())),
        "fromjson" => serde_json::from_str(text()?).ok().and_then(one),
        "tonumber" => serde_json::from_str(text()?).ok().and_then(one),
        "length" => one(Value::from(match input {
            Value::String(text) => text.chars().count(),
            Value::Object(all) => all.len(),
            _ => list()?.len(),
        })),
        "keys" | "keys_unsorted" => {
            one(Value::Array(input.as_object()?.keys().cloned().map(Value::from).collect()))
        }
        "values" | "strings" => Some(vec![input.clone()]),
        "to_entries" => {
            let entry = |(key, value): (&String, &Value)| serde_json::json!({ "key": key, "value": value });
            one(Value::Array(input.as_object()?.iter().map(entry).collect()))
        }
        "map" => {
            let mut found = Vec::new();
            for value in parts(input) {
                found.extend(of(arguments.first()?, &value)?);
            }
            one(Value::Array(found))
        }
        "select" => {
            let kept = of(arguments.first()?, input)?.iter().any(holds);
            Some(if kept { vec![input.clone()] } else { Vec::new() })
        }
        "not" => one(Value::from(!holds(input))),
        "has" => one(Value::from(match (input, argument(0)?) {
            (Value::Object(all), Value::String(name)) => all.contains_key(&name),
            (Value::Array(all), Value::Number(at)) => at.as_u64().is_some_and(|at| at < all.len() as u64),
            _ => return None,
        })),
        "startswith" => one(Value::from(text()?.starts_with(&*word(0)?))),
        "endswith" => one(Value::from(text()?.ends_with(&*word(0)?))),
        "contains" => one(Value::from(match input {
            Value::Array(all) => argument(0)?.as_array()?.iter().all(|wanted| all.contains(wanted)),
            _ => text()?.contains(&*word(0)?),
        })),
        "test" => one(Value::from(Pattern::read(&word(0)?, Dialect::Perl, false)?.groups(text()?).is_some())),
        "sort" => {
            let mut all: Vec<String> =
                list()?.iter().map(|value| value.as_str().map(str::to_owned)).collect::<Option<_>>()?;
            all.sort();
            one(Value::from(all))
        }
        "first" | "last" if arguments.is_empty() => {
            let found = if name == "first" { list()?.first() } else { list()?.last() };
            one(found?.clone())
        }
        "first" => of(arguments.first()?, input)?.into_iter().next().and_then(one),
        "empty" => Some(Vec::new()),
        "range" => {
            let (from, to) = match arguments.len() {
                1 => (0, argument(0)?.as_i64()?),
                _ => (argument(0)?.as_i64()?, argument(1)?.as_i64()?),
            };
            Some((from..to).take(MAX_VALUES).map(Value::from).collect())
        }
        "sub" | "gsub" => {
            let pattern = Pattern::read(&word(0)?, Dialect::Perl, false)?;
            let with = word(1)?;
            one(Value::from(pattern.replaced(text()?, name == "gsub", |_| with.clone())?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(program: &str, text: &str) -> Option<String> {
        super::run(&[Arg::from("-r"), Arg::from(program)], Some(text))
    }

    #[test]
    fn programs_print_what_jq_prints() {
        for (program, text, printed) in [
            (".a.b[0]", r#"{"a":{"b":["rm"]}}"#, "rm\n"),
            (".c[]+\" \"", r#"{"c":["rm","-rf"]}"#, "rm \n-rf \n"),
            ("\"cm0=\"|@base64d", "null", "rm\n"),
            ("[114,109]|implode", "null", "rm\n"),
            ("\"rm \\(.d) \\u007e\"", r#"{"d":"-rf"}"#, "rm -rf ~\n"),
            ("@sh \"rm \\(.)\"", "\"a b\"", "rm 'a b'\n"),
            (".x // \"rm\"", "{}", "rm\n"),
            ("[.[]|ascii_downcase]|join(\" \")", r#"["RM","-RF"]"#, "rm -rf\n"),
            ("\"mr\" | explode | reverse | implode", "null", "rm\n"),
            ("to_entries[] | .key", r#"{"rm":1}"#, "rm\n"),
            ("gsub(\"[0-9]\";\"\")", "\"r1m2\"", "rm\n"),
            (".[1:]", "\"xrm\"", "rm\n"),
            ("{a:\"rm\"}.a", "null", "rm\n"),
            (".a.b", "{\"a\":1}", "null\n"),
            (".[]|select(.s)|.c", r#"[{"s":true,"c":"ls"},{"s":false,"c":"rm"}]"#, "ls\n"),
            (".[]|select(.n>=2 and .s!=\"x\")|.s", r#"[{"n":1,"s":"a"},{"n":2,"s":"b"}]"#, "b\n"),
            (".[]|select(.s|not)|.c", r#"[{"s":true,"c":"ls"},{"c":"rm"}]"#, "rm\n"),
            (".[]|select(test(\"^r\"))", r#"["ls","rm"]"#, "rm\n"),
            (".a or .b", "{}", "false\n"),
        ] {
            assert_eq!(run(program, text).as_deref(), Some(printed), "{program}");
        }
    }

    #[test]
    fn what_is_not_computed_is_not_known() {
        for program in ["now", "if . then 1 else 2 end", "$ENV.HOME", "input", "limit(1;.)", "."] {
            assert_eq!(run(program, &mark::UNKNOWN.to_string()), None, "{program}");
        }
        assert_eq!(super::run(&["-n", "now"].map(Arg::from), None), None);
    }

    #[test]
    fn arguments_are_variables() {
        let args = ["-nr", "--arg", "d", "~", "\"rm -rf \\($d)\""].map(Arg::from);
        assert_eq!(super::run(&args, None).as_deref(), Some("rm -rf ~\n"));
        let args = ["-rj", ".[]"].map(Arg::from);
        assert_eq!(super::run(&args, Some("[\"r\",\"m\"]")).as_deref(), Some("rm"));
    }
}
