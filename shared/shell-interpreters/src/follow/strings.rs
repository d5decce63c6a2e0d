//! Methods of strings: what they make of them.

use shell_engine::text::printf;
use shell_engine::{Arg, mark};

use super::{Follower, path_of};
use crate::Language;
use crate::value::{Arguments, MAX_TEXT, Text, Value};

impl Follower<'_> {
    /// What a method makes of a string, where that can be computed.
    pub(crate) fn text_method(&mut self, value: &Value, name: &str, arguments: &Arguments) -> Option<Value> {
        // Long strings cost more: code that doubles a string in a loop must not eat the time of the call.
        if !self.step(1 + value.text().len() / 64) {
            return Some(Value::unknown());
        }
        if let Value::List(values) = value {
            return Self::list_method(values, name, arguments);
        }
        let filled = if takes_apart(name) { self.filled_in_from_disk(value) } else { None };
        let value = filled.as_ref().unwrap_or(value);
        // Methods of other values have names like these, too, and mean something else.
        if !matches!(value, Value::Text(_) | Value::Any(_) | Value::Number(_)) {
            return None;
        }
        let first = arguments.first();
        Some(match name {
            "replace" | "replaceAll" | "gsub" | "sub" | "tr" | "replace_all" | "gsub!"
                if replaces(name, &arguments.values) =>
            {
                replaced(value, name, first?, &arguments.values[1])
            }
            "formatted" if self.language == Language::Jvm => printed(&value.text(), &arguments.values),
            "format" if self.language == Language::Python || self.language == Language::Other => {
                Self::formatted(value, arguments)
            }
            "upper" | "toUpperCase" | "upcase" | "swapcase" => value.map(str::to_uppercase),
            "lower" | "toLowerCase" | "downcase" => value.map(str::to_lowercase),
            "strip" | "trim" | "lstrip" | "rstrip" | "trimStart" | "trimEnd" | "chomp" | "strip!"
            | "chomp!" => trimmed(value, name, first.and_then(Value::known).as_deref()),
            "concat" => arguments.values.iter().fold(value.clone(), |whole, part| whole.joined(part, "")),
            "substitute" | "safe_substitute" if self.language == Language::Python => {
                substituted(value, arguments)
            }
            "append" | "<<" | "+" if self.language == Language::Ruby => value.joined(first?, ""),
            "repeat" | "rep" => repeated(value, first?.number()),
            "split" | "rsplit" | "partition" | "words" => {
                parts(value, first.and_then(Value::known).as_deref())
            }
            "splitlines" | "lines" if value.known().is_some() => {
                let text = value.known()?;
                Value::List(text.lines().map(Value::from).collect())
            }
            "slice" | "substring" | "substr" | "sub" | "subSequence" => {
                let to = arguments.values.get(1).and_then(Value::number);
                self.piece(&value.known()?, first?.number()?, to, name == "substr")?
            }
            "at" | "charAt" => {
                let position = usize::try_from(first?.number()?).ok()?;
                value.known()?.chars().nth(position).map_or_else(Value::unknown, Value::from)
            }
            "removeprefix" | "removesuffix" | "delete_prefix" | "delete_suffix" => {
                without_affix(value, &first?.known()?, name.ends_with("prefix"))
            }
            // Python's `Path(__file__).with_name("x.json")`
            "with_name" => path_of(&[self.property(value, "parent"), first?.clone()]),
            // The folder, and what is before the ending, are what decides.
            "with_suffix" => match value.known().zip(first.and_then(Value::known)) {
                Some((path, ending)) => Value::from(with_ending(&path, &ending)),
                None => value.clone(),
            },
            // A name without its folder: harmless.
            "basename" | "name" | "extname" => Value::from(mark::TOKEN),
            "chars" | "bytes" | "each_char" | "each_byte" => pieces(value, name),
            "parent" | "dirname" | "getParent" | "getParentFile" => self.property(value, "parent"),
            _ => return None,
        })
    }

    /// A string of a file as it lies on the disk.
    pub(super) fn filled_in_from_disk(&mut self, value: &Value) -> Option<Value> {
        let Value::Text(text) = value else { return None };
        let loaded = self.runner.fulfilled(self.scope, &text.text)?;
        Some(Value::Text(Text { text: loaded.text.to_string(), ..text.clone() }))
    }

    /// A piece of a string, from one position to another.
    fn piece(&self, text: &str, from: i64, to: Option<i64>, counts: bool) -> Option<Value> {
        let length = i64::try_from(text.chars().count()).ok()?;
        // These languages count from one.
        let from_one = matches!(self.language, Language::Lua | Language::Awk | Language::R);
        let from = if from < 0 { from + length } else { from - i64::from(from_one) };
        let to = match to {
            // The second number of `substr` is a length, that of the others an end.
            Some(to) if counts => from + to,
            Some(to) if to < 0 => to + length,
            Some(to) => to,
            None => length,
        };
        let skip = usize::try_from(from).ok()?;
        let take = usize::try_from(to - from).unwrap_or(0);
        Some(Value::from(text.chars().skip(skip).take(take).collect::<String>()))
    }

    fn list_method(values: &[Value], name: &str, arguments: &Arguments) -> Option<Value> {
        Some(match name {
            "concat" => {
                let mut all = values.to_vec();
                for argument in &arguments.values {
                    match argument {
                        Value::List(more) => all.extend(more.iter().take(256).cloned()),
                        value => all.push(value.clone()),
                    }
                }
                Value::List(all)
            }
            "at" | "get" | "elementAt" | "ElementAt" if !arguments.values.is_empty() => {
                let place = arguments.first()?.number()?;
                let place = if place < 0 { place + i64::try_from(values.len()).ok()? } else { place };
                values.get(usize::try_from(place).ok()?).cloned().unwrap_or_else(Value::unknown)
            }
            // Which one it is, only the turns of a loop would tell.
            "popleft" | "poll" | "next" | "get" | "dequeue" | "take" if arguments.values.is_empty() => {
                Value::List(values.to_vec()).element()
            }
            "pop" | "shift" if values.len() > 1 => Value::List(values.to_vec()).element(),
            "entries" => {
                let pair = |(at, value): (usize, &Value)| {
                    Value::List(vec![Value::Number(i64::try_from(at).unwrap_or(0)), value.clone()])
                };
                Value::List(values.iter().enumerate().map(pair).collect())
            }
            // A pair of a map.
            "getKey" | "getValue" if values.len() == 2 => values[usize::from(name == "getValue")].clone(),
            "shift" | "first" | "pop_first" => values.first().cloned().unwrap_or_else(Value::unknown),
            "pop" | "last" => values.last().cloned().unwrap_or_else(Value::unknown),
            "slice" | "skip" | "drop" => {
                let from = arguments.first().and_then(Value::number).unwrap_or(0);
                let from = usize::try_from(from).unwrap_or(0);
                Value::List(values.iter().skip(from).cloned().collect())
            }
            "split" => Value::List(values.to_vec()),
            _ => return None,
        })
    }

    /// `"%s %s" % (a, b)`
    pub(super) fn filled(format: &Value, values: &Value) -> Value {
        let values = match values {
            Value::List(values) => values.clone(),
            value => vec![value.clone()],
        };
        let known = format.text();
        if let [map @ Value::Map(entries)] = values.as_slice() {
            // `"%(name)s" % {"name": x}`
            let mut text = known;
            for (name, value) in entries.iter().take(64) {
                text = text.replace(&format!("%({name})s"), &value.text());
            }
            return Value::Text(Text { text, from: map.source(), to: None });
        }
        printed(&known, &values)
    }

    /// `format!("{} {name}", a)`: what has a name is a variable.
    pub(crate) fn braced(&mut self, format: &Value, arguments: &Arguments) -> Value {
        let mut arguments = arguments.clone();
        for field in format.text().split('{').skip(1).take(32) {
            let name = field.split(['}', ':']).next().unwrap_or_default();
            if let Some(value) = self.variable(name) {
                arguments.named.push((name.to_owned(), value.clone()));
            }
        }
        Self::formatted(format, &arguments)
    }

    /// `"{} {name}".format(a, name=b)`
    fn formatted(format: &Value, arguments: &Arguments) -> Value {
        let text = format.text();
        let mut result = Value::from("");
        let mut next = 0;
        let mut rest = text.as_str();
        while let Some(open) = rest.find(['{', '}']) {
            result = result.joined(&Value::from(&rest[..open]), "");
            let after = &rest[open + 1..];
            // `{{` is a brace.
            if after.starts_with(['{', '}']) && after.as_bytes()[0] == rest.as_bytes()[open] {
                result = result.joined(&Value::from(&after[..1]), "");
                rest = &after[1..];
                continue;
            }
            let close = after.find('}').unwrap_or(after.len());
            let field = after[..close].split([':', '!']).next().unwrap_or("");
            let base = field.split(['.', '[']).next().unwrap_or("");
            let value = if base.is_empty() {
                next += 1;
                arguments.values.get(next - 1).cloned()
            } else if let Ok(position) = base.parse::<usize>() {
                arguments.values.get(position).cloned()
            } else {
                arguments.option(base).cloned()
            };
            // `{0.name}`, `{0[key]}`: a part of the value, which is not looked up.
            let value = value.filter(|_| base.len() == field.len()).unwrap_or_else(Value::unknown);
            result = result.joined(&value, "");
            rest = after.get(close + 1..).unwrap_or("");
        }
        result.joined(&Value::from(rest), "")
    }
}

/// Whether a method looks at what a string holds.
fn takes_apart(name: &str) -> bool {
    matches!(
        name,
        "split"
            | "splitlines"
            | "lines"
            | "strip"
            | "trim"
            | "rstrip"
            | "lstrip"
            | "chomp"
            | "trimEnd"
            | "partition"
    )
}

/// A string in which `from` became `to`; with `tr`, each of its characters.
fn replaced(value: &Value, method: &str, from: &Value, to: &Value) -> Value {
    // With a pattern, what comes out is only known at run time.
    let Some(from) = from.known() else { return Value::computed(std::iter::once(value)) };
    let to = to.text();
    if method == "tr" {
        return value.map(|text| translated(text, &from, &to));
    }
    // Before, between and after all characters: no command is written so.
    if from.is_empty() {
        return value.clone();
    }
    value.map(|text| {
        let replaced = text.replace(&from, &to);
        // A short pattern with a long replacement makes texts that no memory holds.
        if replaced.len() > MAX_TEXT { mark::UNKNOWN.to_string() } else { replaced }
    })
}

/// Python's `Template("rm $x").substitute(x=…)`.
fn substituted(template: &Value, arguments: &Arguments) -> Value {
    let mut whole = template.clone();
    for (name, value) in arguments.named.iter().take(64) {
        let filling = value.text();
        // Bounded before it is built, not after.
        if value.text().len() + whole.text().matches('$').count() * filling.len() > MAX_TEXT {
            return Value::unknown();
        }
        whole = whole.map(|text| {
            text.replace(&format!("${{{name}}}"), &filling).replace(&format!("${name}"), &filling)
        });
    }
    whole
}

/// A string without blanks, or these characters, at its ends.
fn trimmed(value: &Value, method: &str, these: Option<&str>) -> Value {
    let goes = |c: char| these.map_or(c.is_whitespace(), |these| these.contains(c));
    let (start, end) = match method {
        "lstrip" | "trimStart" => (true, false),
        "rstrip" | "trimEnd" | "chomp" | "chomp!" => (false, true),
        _ => (true, true),
    };
    value.map(|text| {
        let text = if start { text.trim_start_matches(goes) } else { text };
        if end { text.trim_end_matches(goes) } else { text }.to_owned()
    })
}

/// A string so many times.
fn repeated(value: &Value, count: Option<i64>) -> Value {
    let (Value::Text(text), Some(count)) = (value, count) else { return Value::unknown() };
    let count = usize::try_from(count).unwrap_or(0);
    // Bounded before it is built: `"x".repeat(1e9)` is one line of code.
    if text.text.len().saturating_mul(count) > MAX_TEXT {
        return Value::unknown();
    }
    Value::from(text.text.repeat(count))
}

/// A string without what it begins or ends with.
fn without_affix(value: &Value, affix: &str, prefix: bool) -> Value {
    value.map(|text| {
        let rest = if prefix { text.strip_prefix(affix) } else { text.strip_suffix(affix) };
        rest.unwrap_or(text).to_owned()
    })
}

/// A format filled as `printf` does, without what fills it being forgotten.
pub(crate) fn printed(format: &str, values: &[Value]) -> Value {
    if let Some(at) = values.iter().position(|value| matches!(value, Value::Any(_))) {
        let with = |choice: &Value| {
            let mut one = values.to_vec();
            one[at] = choice.clone();
            printed(format, &one)
        };
        return Value::any(values[at].choices().iter().map(with).collect());
    }
    // The escapes have been read already, and `printf` would read them again.
    let mut words = vec![Arg::from(format.replace('\\', "\\\\"))];
    let kinds: Vec<char> = format
        .replace("%%", "")
        .split('%')
        .skip(1)
        .filter_map(|rest| rest.chars().find(char::is_ascii_alphabetic))
        .collect();
    let letter =
        |number: i64| u32::try_from(number).ok().and_then(char::from_u32).filter(|&c| !mark::is_mark(c));
    words.extend(values.iter().take(64).enumerate().map(|(at, value)| match (value, kinds.get(at)) {
        // `%c` of a number is its character.
        (Value::Number(number), Some('c')) => Arg::from(letter(*number).unwrap_or(mark::UNKNOWN).to_string()),
        _ => Arg::from(value.text()),
    }));
    // Without a value left, the format would be used once more.
    let directives = format.replace("%%", "").matches('%').count();
    words.truncate(directives.max(1) + 1);
    if directives == 0 {
        return Value::from(format.replace("%%", "%"));
    }
    let from = values.iter().find_map(Value::source);
    Value::Text(Text { text: printf::printf(&words), from, to: None })
}

/// `tr`: every character of `from` becomes the one at the same place of `to`; ranges are read.
fn translated(text: &str, from: &str, to: &str) -> String {
    let (from, to) = (spread(from), spread(to));
    text.chars()
        .map(|c| match from.iter().position(|&known| known == c) {
            Some(place) => to.get(place).or(to.last()).copied().unwrap_or(c),
            None => c,
        })
        .collect()
}

fn spread(set: &str) -> Vec<char> {
    let chars: Vec<char> = set.chars().collect();
    let mut spread = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if at + 2 < chars.len() && chars[at + 1] == '-' && chars[at] < chars[at + 2] {
            // A range over all of Unicode would be a million characters.
            spread.extend((chars[at]..=chars[at + 2]).take(512));
            at += 3;
        } else {
            spread.push(chars[at]);
            at += 1;
        }
    }
    spread
}

/// A string split at blanks or at a separator.
fn parts(value: &Value, separator: Option<&str>) -> Value {
    match value {
        Value::Text(text) if !mark::any(&text.text) => {
            let part = |part: &str| Value::Text(Text { text: part.to_owned(), ..text.clone() });
            Value::List(match separator {
                None | Some(" ") => text.text.split_whitespace().take(1024).map(part).collect(),
                Some("") => text.text.chars().take(1024).map(Value::from).collect(),
                Some(separator) => text.text.split(separator).take(1024).map(part).collect(),
            })
        }
        // `f"rm -rf {x}".split()`: what is known of it stays so.
        Value::Text(text)
            if separator.is_none_or(|separator| separator == " ") && text.text.contains(' ') =>
        {
            Value::List(text.text.split_whitespace().take(1024).map(Value::from).collect())
        }
        value => value.clone(),
    }
}

/// Whether a method replaces a part of its string, as opposed to what others mean by its name.
fn replaces(name: &str, values: &[Value]) -> bool {
    let [first, second, ..] = values else { return false };
    // Lua's `s:sub(1, 3)`, where Ruby's `s.sub(a, b)` replaces.
    let cuts = name == "sub" && matches!(first, Value::Number(_));
    // A function as the replacement is called elsewhere, with what was found.
    let is_called = matches!(second, Value::Function(_));
    !(cuts || is_called)
}

/// The characters of a string, or its bytes.
fn pieces(value: &Value, name: &str) -> Value {
    match value.known() {
        Some(text) if name.contains("char") => Value::List(text.chars().map(Value::from).collect()),
        Some(text) => Value::List(text.bytes().map(|byte| Value::Number(i64::from(byte))).collect()),
        None => value.clone(),
    }
}

/// A path with another ending.
fn with_ending(path: &str, ending: &str) -> String {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let stem = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or(name, |(stem, _)| stem);
    if path.contains('/') { format!("{folder}/{stem}{ending}") } else { format!("{stem}{ending}") }
}
