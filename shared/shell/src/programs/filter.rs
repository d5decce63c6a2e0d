//! Filters whose effect on a known text is easy to compute.

use serde_json::Value;
use shell_engine::text::{data, escapes};
use shell_engine::{Arg, mark};

/// `rev`
pub(super) fn reverse_lines(text: &str) -> String {
    let mut reversed = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, newline) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        reversed.extend(line.chars().rev());
        reversed.push_str(newline);
    }
    reversed
}

/// What jq prints of a document: what lies at a plain path (`jq -r .a.b[0]`, `jq -r '.scripts[]'`). Of any other program, all
/// strings that it may print, and a mark, as it may make others of them.
pub(super) fn json(args: &[Arg], text: &str) -> Option<String> {
    super::jq::run(args, Some(text)).or_else(|| {
        let named =
            |arg: &Arg| matches!(arg.text.as_str(), "--arg" | "--argjson" | "--slurpfile" | "--rawfile");
        let mut words = args.iter();
        let mut own = Vec::new();
        while let Some(arg) = words.next() {
            if named(arg) {
                words.nth(1);
            } else {
                own.push(arg.clone());
            }
        }
        selected(&own, &serde_json::from_str(text).ok()?, false)
    })
}

/// What yq prints of a document of YAML, or of JSON: strings as they are.
pub(super) fn yaml(args: &[Arg], text: &str) -> Option<String> {
    if mark::any(text) {
        return None;
    }
    let own = args.iter().position(|arg| matches!(arg.text.as_str(), "e" | "eval"));
    selected(&args[own.map_or(0, |at| at + 1)..], &data::yaml(text), true)
}

/// What a program of jq's prints of a document; strings without quotes where that is `raw`, or asked for.
fn selected(args: &[Arg], document: &Value, raw: bool) -> Option<String> {
    let (options, words): (Vec<&Arg>, Vec<&Arg>) = args.iter().partition(|arg| arg.text.starts_with('-'));
    let program = words.first()?.known()?;
    let is_short =
        |option: &str| !option.starts_with("--") && option[1..].bytes().all(|b| b"rcMeS".contains(&b));
    let is_plain = |option: &&Arg| is_short(&option.text) || PLAIN.contains(&&*option.text);
    let found = at_path(document, program).filter(|_| options.iter().all(is_plain));
    let Some(found) = found else {
        let mut all = Vec::new();
        strings_in(document, &mut all);
        all.extend(program.split('"').skip(1).step_by(2));
        return Some(format!("{}\n{}\n{}\n", all.join("\n"), all.concat(), mark::UNKNOWN));
    };
    let raw = raw
        || options.iter().any(|option| {
            option.text == "--raw-output" || !option.text.starts_with("--") && option.text.contains('r')
        });
    let printed = |value: &&Value| match value.as_str() {
        Some(text) if raw => text.to_owned(),
        _ => value.to_string(),
    };
    Some(found.iter().flat_map(|value| [printed(value), "\n".to_owned()]).collect())
}

/// Options of jq that change nothing but the form of what it prints.
const PLAIN: [&str; 5] =
    ["--raw-output", "--compact-output", "--monochrome-output", "--exit-status", "--sort-keys"];

/// What lies at a path of names and places in brackets, also in several stages. `None` for any other program.
fn at_path<'v>(document: &'v Value, program: &str) -> Option<Vec<&'v Value>> {
    let mut values = vec![document];
    for stage in program.split('|') {
        let mut rest = stage.trim();
        if !rest.starts_with('.') {
            return None;
        }
        while !matches!(rest, "" | "." | "?") {
            let step = rest.strip_prefix('.').unwrap_or(rest);
            if let Some((place, after)) = step.strip_prefix('[').and_then(|step| step.split_once(']')) {
                let name = place.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
                let is_number = place.bytes().all(|byte| byte.is_ascii_digit());
                if name.is_none_or(|name| name.contains(['"', '\\'])) && !is_number {
                    return None;
                }
                values = values.into_iter().flat_map(|value| parts(value, name, place)).collect();
                rest = after;
            } else {
                let end = step.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(step.len());
                let name = step.get(..end).filter(|name| !name.is_empty() && rest.starts_with('.'))?;
                values = values.into_iter().filter_map(|value| value.get(name)).collect();
                rest = &step[end..];
            }
            rest = rest.strip_prefix('?').unwrap_or(rest);
        }
    }
    Some(values)
}

/// What brackets lead to: a name, a place, or all there is.
fn parts<'v>(value: &'v Value, name: Option<&str>, place: &str) -> Vec<&'v Value> {
    match (value, name) {
        (_, Some(name)) => value.get(name).into_iter().collect(),
        (Value::Array(all), None) if place.is_empty() => all.iter().collect(),
        (Value::Object(all), None) if place.is_empty() => all.values().collect(),
        _ => place.parse::<usize>().ok().and_then(|at| value.get(at)).into_iter().collect(),
    }
}

/// All strings of a document, in their order.
fn strings_in<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(all) => all.iter().for_each(|one| strings_in(one, found)),
        Value::Object(all) => all.values().for_each(|one| strings_in(one, found)),
        _ => {}
    }
}

/// Characters in a set, or ranges in a list, that are followed.
const MAX_SET: usize = 1024;
/// Text longer than this is not followed.
const MAX_TEXT: usize = 64 * 1024;

/// `tr SET1 SET2`, `tr -d SET`
pub(super) fn translate(args: &[Arg], text: &str) -> Option<String> {
    let flags: String = args
        .iter()
        .filter(|arg| arg.text.starts_with('-') && arg.text.len() > 1)
        .map(|arg| &arg.text[1..])
        .collect();
    let mut sets = args.iter().filter(|arg| !(arg.text.starts_with('-') && arg.text.len() > 1));
    let from = expand_set(sets.next()?.known()?);
    if flags.contains(['c', 'C']) || mark::any(text) {
        return None;
    }
    if flags.contains('d') && from.len() <= MAX_SET {
        return Some(text.chars().filter(|c| !from.contains(c)).collect());
    }
    let to = match sets.next() {
        Some(set) => expand_set(set.known()?),
        None => return Some(text.to_owned()),
    };
    if from.len() > MAX_SET {
        return None;
    }
    let last = *to.last()?;
    let map = |c: char| match from.iter().rposition(|&known| known == c) {
        Some(at) => to.get(at).copied().unwrap_or(last),
        None => c,
    };
    Some(text.chars().map(map).collect())
}

fn expand_set(set: &str) -> Vec<char> {
    let decoded = escapes::printf(set);
    let plain = match decoded.as_str() {
        "[:upper:]" => "A-Z",
        "[:lower:]" => "a-z",
        "[:digit:]" => "0-9",
        "[:space:]" => " \t\n\r\u{b}\u{c}",
        set => set,
    };
    let chars: Vec<char> = plain.chars().collect();
    let mut expanded = Vec::new();
    let mut at = 0;
    while at < chars.len() && expanded.len() <= MAX_SET {
        if chars.get(at + 1) == Some(&'-') && at + 2 < chars.len() && chars[at] <= chars[at + 2] {
            expanded.extend((chars[at]..=chars[at + 2]).take(512));
            at += 3;
        } else {
            expanded.push(chars[at]);
            at += 1;
        }
    }
    expanded
}

/// `cut -d' ' -f1` and `cut -c1-3`
pub(super) fn cut(args: &[Arg], text: &str) -> Option<String> {
    let mut delimiter = '\t';
    let mut fields = None;
    let mut characters = None;
    let mut words = args.iter();
    while let Some(arg) = words.next() {
        let text = arg.known()?;
        let mut value = |flag: &str| match text.strip_prefix(flag) {
            Some("") => words.next().and_then(|arg| arg.known()).map(str::to_owned),
            Some(value) => Some(value.to_owned()),
            None => None,
        };
        if let Some(value) = value("-d") {
            delimiter = value.chars().next()?;
        } else if let Some(value) = value("-f") {
            fields = Some(value);
        } else if let Some(value) = value("-c") {
            characters = Some(value);
        }
    }
    let wanted = |list: &str, position: usize| {
        list.split(',').any(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let first = first.parse().unwrap_or(1);
            let last = last.parse().unwrap_or(usize::MAX);
            (first..=last).contains(&position)
        })
    };
    // A piece of what is not known is not known either; paths and numbers are fields.
    let is_field = |c: char| fields.is_some() && matches!(c, mark::TOKEN | mark::ENTRY);
    if [&fields, &characters].into_iter().flatten().any(|list| list.len() > MAX_SET / 8)
        || mark::any(text) && text.contains(|c| mark::is_hole(c) && !is_field(c))
    {
        return None;
    }
    let mut cut = String::new();
    for line in text.lines() {
        if let Some(list) = &characters {
            cut.extend(line.chars().enumerate().filter(|(at, _)| wanted(list, at + 1)).map(|(_, c)| c));
        } else if fields.is_some() && !line.contains(delimiter) {
            // A line without the separator is printed whole.
            cut.push_str(line);
        } else if let Some(list) = &fields {
            let kept: Vec<&str> = line
                .split(delimiter)
                .enumerate()
                .filter(|(at, _)| wanted(list, at + 1))
                .map(|(_, field)| field)
                .collect();
            cut.push_str(&kept.join(&delimiter.to_string()));
        } else {
            return None;
        }
        cut.push('\n');
    }
    Some(cut)
}

/// The three parts of `s/a/b/flags` after its `s/`. A backslash protects a separator.
pub(super) fn fields(body: &str, separator: char) -> Option<[String; 3]> {
    let mut parts = [const { String::new() }; 3];
    let mut part = 0;
    let mut chars = body.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(next) if next == separator => parts[part].push(next),
                next => {
                    parts[part].push(c);
                    parts[part].extend(next);
                }
            },
            c if c == separator && part < 2 => part += 1,
            c => parts[part].push(c),
        }
    }
    (part == 2).then_some(parts)
}

/// What sed prints. Of a text that is not known: `s/a/b/` with plain strings on both sides, or with a pattern for a line's
/// beginning, end or all of it.
pub(super) fn substitute(args: &[Arg], text: &str) -> Option<String> {
    if let Some(made) = super::sed::run(args, text) {
        return Some(made.printed);
    }
    let scripts: Vec<&str> =
        args.iter().map(|arg| arg.text.as_str()).filter(|arg| !matches!(*arg, "-e" | "-E" | "-r")).collect();
    let mut result = text.to_owned();
    for script in scripts {
        let body = script.strip_prefix('s')?;
        let separator = body.chars().next()?;
        let [from, to, flags] = fields(&body[separator.len_utf8()..], separator)?;
        // Back-references need a real match.
        if to.contains('\\') || to.contains('&') && from != ".*" {
            return None;
        }
        let change = |line: &str| match from.as_str() {
            "^" => format!("{to}{line}"),
            "$" => format!("{line}{to}"),
            ".*" | "^.*$" | "^.*" | ".*$" => to.replace('&', line),
            from if flags.contains('g') => line.replace(from, &to),
            from => line.replacen(from, &to, 1),
        };
        let whole = matches!(from.as_str(), "^" | "$" | ".*" | "^.*$" | "^.*" | ".*$");
        // A regular expression in general: what comes out is then not known.
        if from.is_empty() || !whole && from.contains(['*', '.', '[', '\\', '^', '$']) {
            return None;
        }
        // Bounded before it is built.
        if result.lines().count().saturating_mul(to.len()) > MAX_TEXT {
            return None;
        }
        let replaced: Vec<String> = result.lines().map(change).collect();
        let end = if result.ends_with('\n') { "\n" } else { "" };
        result = replaced.join("\n") + end;
        if result.len() > MAX_TEXT {
            return None;
        }
    }
    Some(result)
}

/// `awk '{print $2, "x"}'` and `awk 'BEGIN{print "x"}'`: one action that only prints fields and strings.
pub(super) fn print_fields(args: &[Arg], text: Option<&str>) -> Option<String> {
    let mut separator = None;
    let mut program = None;
    let mut words = args.iter();
    while let Some(arg) = words.next() {
        match arg.known()? {
            "-F" => separator = words.next()?.known()?.chars().next(),
            flag if flag.starts_with("-F") => separator = flag.chars().nth(2),
            flag if flag.starts_with('-') => return None,
            word if program.is_none() => program = Some(word.trim()),
            _ => return None,
        }
    }
    let program = program?;
    // A condition that always holds prints every line.
    if matches!(program, "1" | "NF" | "{print}" | "{ print }" | "{print $0}" | "{ print $0 }") {
        return text.map(str::to_owned);
    }
    // `/^NAME/ {print $2}`: the lines that have it.
    let (wanted, program) = match program.strip_prefix('/').and_then(|rest| rest.split_once('/')) {
        Some((pattern, action)) => (Some(pattern), action.trim_start()),
        None => (None, program),
    };
    if wanted
        .is_some_and(|pattern| pattern.trim_matches(['^', '$']).contains(|c| r"\.+*?()[]{}|^$".contains(c)))
    {
        return None;
    }
    let is_wanted = |line: &&str| {
        wanted.is_none_or(|pattern| {
            let plain = pattern.trim_matches(['^', '$']);
            match (pattern.starts_with('^'), pattern.ends_with('$')) {
                (true, true) => *line == plain,
                (true, false) => line.starts_with(plain),
                (false, true) => line.ends_with(plain),
                (false, false) => line.contains(plain),
            }
        })
    };
    let (once, action) = match program.strip_prefix("BEGIN") {
        Some(action) => (true, action.trim_start()),
        None => (false, program),
    };
    let list = action.strip_prefix('{')?.strip_suffix('}')?.trim().trim_end_matches(';');
    let list = list.strip_prefix("print")?.trim();
    let items = printed_items(list)?;
    let line = |line: &str| {
        let fields: Vec<&str> = match separator {
            Some(separator) => line.split(separator).collect(),
            None => line.split_whitespace().collect(),
        };
        let mut printed = String::new();
        for item in &items {
            match item {
                Item::Text(text) => printed.push_str(text),
                Item::Field(0) => printed.push_str(line),
                Item::Field(number) => printed.push_str(fields.get(number - 1).copied().unwrap_or("")),
            }
        }
        printed.push('\n');
        printed
    };
    if once {
        return Some(line(""));
    }
    // Fields of what is not known cannot be counted.
    let text = text.filter(|text| !mark::any(text))?;
    (text.len() <= MAX_TEXT && items.len() <= 16).then(|| text.lines().filter(is_wanted).map(line).collect())
}

/// What awk's `print` prints, a piece at a time.
enum Item {
    Text(String),
    /// `$0` is the whole line.
    Field(usize),
}

/// The pieces of `"a" $1, $2`: what stands side by side is glued, a comma is a blank.
fn printed_items(list: &str) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    let mut rest = list;
    if rest.is_empty() {
        return Some(vec![Item::Field(0)]);
    }
    while let Some(first) = rest.chars().next() {
        match first {
            '"' => {
                let end = rest[1..].find('"')? + 1;
                let text = &rest[1..end];
                if text.ends_with('\\') {
                    return None;
                }
                items.push(Item::Text(escapes::echo(text)));
                rest = &rest[end + 1..];
            }
            '$' => {
                let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                items.push(Item::Field(rest[1..=digits].parse().ok()?));
                rest = &rest[digits + 1..];
            }
            ',' => {
                items.push(Item::Text(" ".to_owned()));
                rest = &rest[1..];
            }
            ' ' => rest = &rest[1..],
            _ => return None,
        }
    }
    Some(items)
}

/// `paste -s -d ' '`: all lines become one.
pub(super) fn paste(args: &[Arg], text: &str) -> Option<String> {
    let flags = |letter: char| {
        args.iter()
            .any(|arg| arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains(letter))
    };
    if !flags('s') {
        return None;
    }
    let mut glue = "\t".to_owned();
    let mut words = args.iter();
    while let Some(arg) = words.next() {
        if let Some((_, value)) = arg.text.split_once('d').filter(|(flag, _)| flag.starts_with('-')) {
            let value = if value.is_empty() { words.next()?.known()? } else { value };
            glue = escapes::printf(value);
        }
    }
    Some(text.trim_end_matches('\n').replace('\n', &glue) + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(words: &[&str]) -> Vec<Arg> {
        words.iter().map(|&word| Arg::from(word)).collect()
    }

    #[test]
    fn filters_compute_what_the_real_ones_do() {
        assert_eq!(reverse_lines("mr\n"), "rm\n");
        assert_eq!(translate(&args(&["A-Za-z", "N-ZA-Mn-za-m"]), "ez -es /").as_deref(), Some("rm -rf /"));
        assert_eq!(translate(&args(&["-d", "x"]), "rxm").as_deref(), Some("rm"));
        assert_eq!(cut(&args(&["-d:", "-f2"]), "a:b:c").as_deref(), Some("b\n"));
        assert_eq!(cut(&args(&["-c", "1-2"]), "rmx").as_deref(), Some("rm\n"));
        assert_eq!(substitute(&args(&["s/X/m/"]), "rX").as_deref(), Some("rm"));
        assert_eq!(substitute(&args(&["s/.*/m/"]), "rX").as_deref(), Some("m"));
        assert_eq!(substitute(&args(&["s/[a-z]*/m/"]), "rX").as_deref(), Some("mX"));
        assert_eq!(substitute(&args(&["s/[a-z]*/m/"]), &format!("rX{}", mark::UNKNOWN)), None);
        assert_eq!(substitute(&args(&[r"s/^/rm \//"]), "etc\n").as_deref(), Some("rm /etc\n"));
        assert_eq!(paste(&args(&["-sd", " "]), "rm\n-rf\n").as_deref(), Some("rm -rf\n"));
    }

    #[test]
    fn printed_fields_are_what_awk_prints() {
        let print = |program: &str, text: &str| print_fields(&args(&[program]), Some(text));
        assert_eq!(print("{print $2, \"x\" $1}", "a b\n").as_deref(), Some("b xa\n"));
        assert_eq!(print("BEGIN{print \"rm -rf /\"}", "").as_deref(), Some("rm -rf /\n"));
        assert_eq!(print("{print}", "a b\n").as_deref(), Some("a b\n"));
        assert_eq!(print("/^c/ {print $2}", "a b\nc d\n").as_deref(), Some("d\n"));
        assert_eq!(print("/[ab]/{print $1}", "a b\n"), None);
        assert_eq!(print("{print length($1)}", "a b\n"), None);
    }
}
