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
    block(&lines, &mut at, 0)
}

/// The value whose lines begin at `at`: all that are indented as the first one is, or further.
fn block(lines: &[Line<'_>], at: &mut usize, level: usize) -> Value {
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
                    list.push(block(&own, &mut 0, level + 1));
                }
                None if item.is_empty() => list.push(block(lines, at, level + 1)),
                None => list.push(scalar(item)),
            }
        } else if let Some((name, rest)) = line.text.split_once(':') {
            let rest = rest.trim();
            let is_below = lines.get(*at).is_some_and(|next| {
                next.indent > indent || next.indent == indent && next.text.starts_with('-')
            });
            let value = match rest {
                "" if is_below => block(lines, at, level + 1),
                _ if rest.starts_with(['|', '>']) => {
                    let joint = if rest.starts_with('|') { "\n" } else { " " };
                    let body: Vec<&str> = lines[*at..]
                        .iter()
                        .take_while(|line| line.indent > indent)
                        .map(|line| line.text)
                        .collect();
                    *at += body.len();
                    Value::from(body.join(joint))
                }
                _ if rest.starts_with(['&', '*', '!']) => Value::Null,
                _ => scalar(rest),
            };
            map.insert(unquoted(name).to_owned(), value);
        }
    }
    if map.is_empty() && !list.is_empty() { Value::Array(list) } else { Value::Object(map) }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_-. \"'".contains(c))
}

/// A plain value: a string, a number, or a list or map on one line.
fn scalar(text: &str) -> Value {
    if text.starts_with(['[', '{']) {
        if let Ok(value) = serde_json::from_str(text) {
            return value;
        }
        let inner = text.trim_start_matches(['[', '{']).trim_end_matches([']', '}']);
        let items = inner.split(',').map(str::trim).filter(|item| !item.is_empty());
        if text.starts_with('[') {
            return Value::Array(items.map(scalar).collect());
        }
        let entry = |item: &str| {
            let (name, value) = item.split_once(':')?;
            Some((unquoted(name).to_owned(), scalar(value.trim())))
        };
        return Value::Object(items.filter_map(entry).collect());
    }
    match text.parse::<i64>() {
        Ok(number) => Value::from(number),
        Err(_) => Value::from(string(text)),
    }
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
            path =
                section.trim_matches(['[', ']']).split('.').map(|part| unquoted(part).to_owned()).collect();
            continue;
        }
        let Some((name, value)) = line.split_once(['=', ':']) else { continue };
        put(&mut whole, &path, unquoted(name), scalar(value.trim()));
    }
    Value::Object(whole)
}

/// Puts a value into the section that a path leads to.
fn put(map: &mut Map<String, Value>, path: &[String], name: &str, value: Value) {
    match path.split_first() {
        Some((part, deeper)) if path.len() <= MAX_LEVEL => {
            let below = map.entry(part.clone()).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = below {
                put(inner, deeper, name, value);
            }
        }
        _ => _ = map.insert(name.to_owned(), value),
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
