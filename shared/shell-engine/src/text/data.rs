//! Data that scripts read: YAML, TOML, INI, CSV and files of variables, as far as a person writes them by hand. What is
//! written in a rarer way is left out, and so not known.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// Lines of data that are read.
const MAX_LINES: usize = 2000;
/// Levels of data that are read.
const MAX_LEVEL: usize = 16;

/// A line with its indent, without a comment.
struct Line<'t> {
    indent: usize,
    text: &'t str,
}

/// Data that is written as YAML: maps, lists and plain values.
pub fn yaml(text: &str) -> Value {
    let lines = text.lines().take(MAX_LINES).filter_map(|line| {
        let text = without_comment(line).trim_end();
        let own = text.trim_start();
        let is_data = !own.is_empty() && !own.starts_with("---") && !own.starts_with('%');
        is_data.then(|| Line { indent: text.len() - own.len(), text: own })
    });
    let lines: Vec<Line<'_>> = lines.collect();
    let mut at = 0;
    block(&lines, &mut at, 0, &mut Anchors::default())
}

/// Values that have a name, `&name`, for those that repeat them, `*name`.
#[derive(Default)]
struct Anchors {
    known: Vec<(String, Value)>,
    repeated: usize,
}

/// Repetitions in one text, and the parts of what is repeated.
const MAX_REPEATED: usize = 64;

impl Anchors {
    /// The name before a value, and what follows it: `&name x`.
    fn named(text: &str) -> (Option<&str>, &str) {
        let Some(rest) = text.strip_prefix('&') else { return (None, text) };
        let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
        (Some(name), value.trim_start())
    }

    fn keep(&mut self, name: Option<&str>, value: &Value) {
        if let Some(name) = name.filter(|_| self.known.len() < MAX_REPEATED && parts(value) < MAX_REPEATED) {
            self.known.push((name.to_owned(), value.clone()));
        }
    }

    fn repeat(&mut self, name: &str) -> Value {
        let known = self.known.iter().rev().find(|(own, _)| own == name.trim());
        let value = known.filter(|_| self.repeated < MAX_REPEATED).map(|(_, value)| value.clone());
        self.repeated += 1;
        value.unwrap_or_default()
    }
}

/// How many values there are in a value.
fn parts(value: &Value) -> usize {
    match value {
        Value::Array(list) => list.iter().map(parts).sum::<usize>() + 1,
        Value::Object(map) => map.values().map(parts).sum::<usize>() + 1,
        _ => 1,
    }
}

/// The value whose lines begin at `at`: all that are indented as the first one is, or further.
fn block(lines: &[Line<'_>], at: &mut usize, level: usize, anchors: &mut Anchors) -> Value {
    let Some(first) = lines.get(*at).filter(|_| level < MAX_LEVEL) else { return Value::Null };
    let indent = first.indent;
    let (mut list, mut map) = (Vec::new(), Map::new());
    let is_list = first.text.starts_with('-');
    while let Some(line) = lines.get(*at).filter(|line| line.indent >= indent) {
        // A list may stand as far left as its key: what is not an item belongs to the map around it.
        if line.indent == indent && is_list != line.text.starts_with('-') {
            break;
        }
        *at += 1;
        if line.indent > indent {
            continue;
        }
        if let Some(item) = line.text.strip_prefix("- ").or((line.text == "-").then_some("")) {
            let item = item.trim_start();
            let inner = indent + line.text.len() - item.len();
            match item
                .split_once(':')
                .filter(|(name, rest)| is_name(name) && (rest.is_empty() || rest.starts_with(' ')))
            {
                // `- name: x`, with more of the same map below.
                Some(_) => {
                    let mut own = vec![Line { indent: inner, text: item }];
                    while let Some(more) = lines.get(*at).filter(|more| more.indent > indent) {
                        own.push(Line { indent: more.indent, text: more.text });
                        *at += 1;
                    }
                    list.push(block(&own, &mut 0, level + 1, anchors));
                }
                None if item.is_empty() => list.push(block(lines, at, level + 1, anchors)),
                None if let Some(name) = item.strip_prefix('*') => list.push(anchors.repeat(name)),
                None if item.starts_with(['|', '>']) => list.push(text_below(lines, at, (item, indent))),
                None => list.push(scalar(item)),
            }
        } else if let Some((name, rest)) = line.text.split_once(':') {
            let rest = rest.trim();
            let is_below = lines.get(*at).is_some_and(|next| {
                next.indent > indent || next.indent == indent && next.text.starts_with('-')
            });
            let (anchor, rest) = Anchors::named(rest);
            let value = match rest {
                "" if is_below => block(lines, at, level + 1, anchors),
                _ if rest.starts_with(['|', '>']) => text_below(lines, at, (rest, indent)),
                _ if let Some(name) = rest.strip_prefix('*') => anchors.repeat(name),
                _ if rest.starts_with('!') => Value::Null,
                _ if rest.starts_with(['[', '{']) => scalar(&whole(rest, lines, at)),
                _ => scalar(rest),
            };
            anchors.keep(anchor, &value);
            // `<<: *name`: what a map takes over from another one.
            if let ("<<", Value::Object(other)) = (name.trim(), &value) {
                for (name, value) in other {
                    map.entry(name.clone()).or_insert_with(|| value.clone());
                }
                continue;
            }
            map.insert(unquoted(name).to_owned(), value);
        }
    }
    if map.is_empty() && !list.is_empty() { Value::Array(list) } else { Value::Object(map) }
}

/// The text whose lines stand below a head (`|` or `>`) and deeper than it, indented among each other as they are there.
fn text_below(lines: &[Line<'_>], at: &mut usize, (head, indent): (&str, usize)) -> Value {
    let body: Vec<&Line<'_>> = lines[*at..].iter().take_while(|line| line.indent > indent).collect();
    *at += body.len();
    let depth = body.first().map_or(0, |line| line.indent);
    let body = body.iter().map(|line| format!("{:1$}{2}", "", line.indent.saturating_sub(depth), line.text));
    let body: Vec<String> = body.collect();
    Value::from(if head.starts_with('|') { body.join("\n") } else { body.join(" ") })
}

/// A list or a map with the lines below it, up to the one that closes it.
fn whole<'t>(first: &'t str, lines: &[Line<'_>], at: &mut usize) -> Cow<'t, str> {
    let open = |text: &str| {
        let count = |brackets: [char; 2]| text.matches(brackets).count();
        count(['[', '{']) > count([']', '}'])
    };
    let mut text = Cow::Borrowed(first);
    while open(&text)
        && let Some(line) = lines.get(*at)
    {
        text = Cow::Owned(format!("{text} {}", line.text));
        *at += 1;
    }
    text
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_-. \"'".contains(c))
}

/// A plain value: a string, a number, or a list or map on one line.
fn scalar(text: &str) -> Value {
    if text.starts_with(['[', '{']) {
        return serde_json::from_str(text).unwrap_or_else(|_| flow(&mut &*text, 0));
    }
    match text.parse::<i64>() {
        Ok(number) => Value::from(number),
        Err(_) => Value::from(string(text)),
    }
}

/// A value inside of a list or a map on one line, and what follows it.
fn flow(rest: &mut &str, level: usize) -> Value {
    *rest = rest.trim_start();
    let Some(bracket) = rest.chars().next().filter(|c| matches!(c, '[' | '{') && level < MAX_LEVEL) else {
        let (own, after) = rest.split_at(plain_end(rest, &[',', ']', '}']));
        *rest = after;
        return scalar(own.trim().trim_start_matches(['[', '{']));
    };
    let (mut list, mut map) = (Vec::new(), Map::new());
    loop {
        // What stands here is the bracket, or the comma.
        *rest = rest.get(1..).unwrap_or("").trim_start();
        if rest.is_empty() || rest.starts_with([']', '}']) {
            break;
        }
        if bracket == '[' {
            list.push(flow(rest, level + 1));
        } else {
            let (name, after) = rest.split_at(plain_end(rest, &[':', ',', '}']));
            *rest = after;
            let value = match after.strip_prefix(':') {
                Some(after) => {
                    *rest = after;
                    flow(rest, level + 1)
                }
                None => Value::Null,
            };
            map.insert(unquoted(name).to_owned(), value);
        }
        *rest = rest.trim_start();
        if !rest.starts_with(',') {
            break;
        }
    }
    *rest = rest.strip_prefix([']', '}']).unwrap_or(rest);
    if bracket == '[' { Value::Array(list) } else { Value::Object(map) }
}

/// Where a plain value ends: at one of these that does not stand in quotes.
fn plain_end(text: &str, ends: &[char]) -> usize {
    let mut quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let after = usize::from(quote.is_some());
    for (at, c) in text[after..].char_indices() {
        match quote {
            Some(open) if open == c && !text[..at + after].ends_with('\\') => quote = None,
            None if ends.contains(&c) => return at + after,
            _ => {}
        }
    }
    text.len()
}

/// A string of YAML on one line: what stands in its quotes, without the comment after it.
pub fn string(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
        return Cow::Borrowed(without_comment(text).trim_end());
    };
    let mut plain = String::new();
    let mut chars = text[1..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let escapes = if quote == '"' {
            c == '\\'
        } else {
            c == quote && chars.peek().is_some_and(|(_, c)| *c == quote)
        };
        match chars.peek().filter(|_| escapes).copied() {
            Some((_, next)) => {
                chars.next();
                plain.push(match next {
                    'n' if quote == '"' => '\n',
                    't' if quote == '"' => '\t',
                    next => next,
                });
            }
            // Nothing but a comment may follow: `"a" "b"` only begins like a string.
            None if c == quote && is_rest(&text[at + 2..]) => return Cow::Owned(plain),
            None if c == quote => break,
            None => plain.push(c),
        }
    }
    Cow::Borrowed(text)
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// Whether nothing but a comment follows a string.
fn is_rest(text: &str) -> bool {
    text.trim_start().is_empty()
        || text.starts_with(char::is_whitespace) && text.trim_start().starts_with('#')
}

/// A line up to a comment that does not stand in quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match c {
            _ if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' => quote = Some(c),
            '#' if before.is_whitespace() => return &line[..at],
            _ => {}
        }
        before = c;
    }
    line
}

/// Data of sections with `name = value` on each line: INI, and TOML as far as it looks so.
pub fn sections(text: &str) -> Value {
    let mut whole = Map::new();
    let mut path: Vec<String> = Vec::new();
    for line in text.lines().take(MAX_LINES) {
        let line = without_comment(line).trim();
        if line.starts_with(';') {
            continue;
        }
        if let Some(section) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            let is_list = section.starts_with('[');
            path =
                section.trim_matches(['[', ']']).split('.').map(|part| unquoted(part).to_owned()).collect();
            // TOML's `[[zone]]`: one more of them.
            if let (true, Some((last, before))) = (is_list, path.split_last()) {
                add(&mut whole, before, last);
            }
            continue;
        }
        let Some((name, value)) = line.split_once(['=', ':']) else { continue };
        put(&mut whole, &path, unquoted(name), scalar(value.trim()));
    }
    Value::Object(whole)
}

/// Adds a section to the list of them that a path leads to.
fn add(map: &mut Map<String, Value>, path: &[String], name: &str) {
    let Some(inner) = below(map, path) else { return };
    match inner.entry(name.to_owned()).or_insert_with(|| Value::Array(Vec::new())) {
        Value::Array(sections) if sections.len() < MAX_LINES => sections.push(Value::Object(Map::new())),
        _ => {}
    }
}

/// The section that a path leads to; of a list of sections, its last one.
fn below<'m>(map: &'m mut Map<String, Value>, path: &[String]) -> Option<&'m mut Map<String, Value>> {
    let Some((part, deeper)) = path.split_first() else { return Some(map) };
    let next = map.entry(part.clone()).or_insert_with(|| Value::Object(Map::new()));
    let next = match next {
        Value::Array(sections) => sections.last_mut()?,
        one => one,
    };
    match next {
        Value::Object(inner) => below(inner, deeper),
        _ => None,
    }
}

/// Puts a value into the section that a path leads to.
fn put(map: &mut Map<String, Value>, path: &[String], name: &str, value: Value) {
    if path.len() <= MAX_LEVEL {
        if let Some(section) = below(map, path) {
            section.insert(name.to_owned(), value);
        }
    } else {
        map.insert(name.to_owned(), value);
    }
}

/// The variables of a file that sets one on each line: `export NAME="value"`.
pub fn variables(text: &str) -> Vec<(&str, &str)> {
    let lines = text.lines().take(MAX_LINES).map(|line| without_comment(line).trim());
    let set = lines.filter_map(|line| line.strip_prefix("export ").unwrap_or(line).split_once('='));
    set.map(|(name, value)| (name.trim(), unquoted(value)))
        .filter(|(name, _)| !name.is_empty() && is_name(name))
        .collect()
}

/// The rows of CSV.
pub fn rows(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().take(MAX_LINES).filter(|line| !line.trim().is_empty());
    lines.map(|line| line.split(',').map(unquoted).collect()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn yaml_is_read_as_people_write_it() {
        let text = "# places\nmain:\n  root: /srv # the root\n  dirs:\n    - a\n    - \"b c\"\n  ports: [80, 443]\njobs:\n- name: one\n  path: x\n- name: two\nn: 3\n";
        let expected = json!({
            "main": {"root": "/srv", "dirs": ["a", "b c"], "ports": [80, 443]},
            "jobs": [{"name": "one", "path": "x"}, {"name": "two"}],
            "n": 3
        });
        assert_eq!(yaml(text), expected);
        assert_eq!(yaml("- a\n- b\n"), json!(["a", "b"]));
        assert_eq!(yaml("a: |\n  text\nb: c\n"), json!({"a": "text", "b": "c"}));
        assert_eq!(yaml("a:\n  - |\n    x {\n      y\n  - z\n"), json!({"a": ["x {\n  y", "z"]}));
        assert_eq!(yaml("a: &b\n  c: 1\nd: e\n"), json!({"a": {"c": 1}, "d": "e"}));
        assert_eq!(yaml("a: &b x\nc: *b\nd:\n  - *b\n"), json!({"a": "x", "c": "x", "d": ["x"]}));
        assert_eq!(
            yaml("a: &b\n  c: 1\nd:\n  <<: *b\n  e: 2\n"),
            json!({"a": {"c": 1}, "d": {"c": 1, "e": 2}})
        );
        let flow = "a: [{n: 'b, c', p: {q: /}}, 'd']\ne: [\n  f,\n  g\n]\nh: i\n";
        assert_eq!(
            yaml(flow),
            json!({"a": [{"n": "b, c", "p": {"q": "/"}}, "d"], "e": ["f", "g"], "h": "i"})
        );
    }

    #[test]
    fn a_string_ends_with_its_quotes() {
        for (text, expected) in [
            ("a b", "a b"),
            ("a b # c", "a b"),
            ("bash -c \"a b\"", "bash -c \"a b\""),
            ("\"a b\" # c", "a b"),
            ("'a b' # c", "a b"),
            ("\"a \\\"b\\\" \\\\ c\"", "a \"b\" \\ c"),
            ("'it''s'", "it's"),
            ("\"a\" \"b\"", "\"a\" \"b\""),
            ("\"a", "\"a"),
            ("\"\"", ""),
            ("", ""),
        ] {
            assert_eq!(string(text), expected, "{text}");
        }
    }

    #[test]
    fn sections_variables_and_rows_are_read() {
        let text = "top = 1\n[main]\nroot = \"/srv\"\n[main.deep]\nlist = [\"a\", \"b\"]\n";
        assert_eq!(sections(text), json!({"top": 1, "main": {"root": "/srv", "deep": {"list": ["a", "b"]}}}));
        assert_eq!(variables("# x\nexport A=1\nB='c d'\n"), [("A", "1"), ("B", "c d")]);
        assert_eq!(rows("path,n\n\"/srv\",2\n"), [["path", "n"], ["/srv", "2"]]);
    }
}
