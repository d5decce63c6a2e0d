//! Tables of scripts in TOML, as pyproject.toml and its like hold them: a reader of the plain forms, with places.

use shell_engine::Arg;
use shell_engine::arguments::quoted;
use shell_engine::text::data;

use super::indented::Given;
use super::recipe::{Recipe, offset};
use super::testers::parts;
use crate::programs::QUOTES;

/// The lines that stand under `key` in the table `[header]`: a string, the `cmd` or `shell` of an inline table, or a list
/// of strings.
pub(super) fn scripts(text: &str, headers: &[&str], key: &str) -> Vec<Recipe> {
    let mut header = String::new();
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            header = name.trim_matches(['[', ']', ' ']).replace('"', "");
            continue;
        }
        let Some((name, value)) = trimmed.split_once('=') else { continue };
        let name = name.trim().trim_matches(QUOTES);
        let below = |name: &str| COMMANDS.contains(&name);
        let is_one = headers.contains(&header.as_str());
        // `clean.cmd = "…"`
        let part = name.strip_prefix(key).and_then(|rest| rest.strip_prefix('.')).filter(|_| is_one);
        let own = is_one && (name == key || part.is_some_and(below));
        // `[tool.poe.tasks.clean]`, then `cmd = "…"`
        let nested = below(name)
            && headers
                .iter()
                .filter_map(|above| header.strip_prefix(above)?.strip_prefix('.'))
                // Each of the cases between which a task chooses.
                .any(|own| own == key || own.strip_prefix(key) == Some(".switch"));
        if !own && !nested {
            continue;
        }
        let value = value.trim_start();
        let start = offset(text, value);
        // A list, a table or a long string goes on until it is closed.
        let end = end_of(text, start, value);
        while offset(text, line) < end && lines.clone().next().is_some_and(|next| offset(text, next) < end) {
            lines.next();
        }
        let value = text.get(start..end).unwrap_or(value);
        needs_into(text, value, &mut found);
        let (key, value) = command_of(value).unwrap_or((part.unwrap_or(name), value));
        commands_into(text, (key, value), &mut found);
    }
    found
}

/// Takes the commands that stand under a key: a string, the words of one, or a list of which each may be a table.
fn commands_into(text: &str, (key, value): (&str, &str), found: &mut Vec<Recipe>) {
    let list = value.strip_prefix('[').map(|list| list.strip_suffix(']').unwrap_or(list));
    if let Some(list) = list.filter(|list| list.contains('{') && key != "cmd") {
        for item in parts(list).into_iter().map(str::trim) {
            let first = found.len();
            commands_into(text, command_of(item).unwrap_or(("", item)), found);
            let set = field(item, "env").map(inline).unwrap_or_default().into_iter();
            let set = set.map(|(name, value)| format!("export {name}={}; ", quoted(&[Arg::from(value)])));
            let set: String = set.collect();
            found[first..].iter_mut().for_each(|recipe| recipe.text.insert_str(0, &set));
        }
        return;
    }
    let mut strings = strings(text, value);
    if matches!(key, "script" | "call") {
        for recipe in &mut strings {
            recipe.text = called(&recipe.text).unwrap_or_default();
        }
    }
    match strings.first() {
        // `cmd = ["rm", "-rf", "x"]` is one command.
        Some(first) if key == "cmd" && value.starts_with('[') => {
            let words: Vec<Arg> = strings.iter().map(|word| Arg::from(word.text.as_str())).collect();
            found.push(Recipe { at: first.at, text: quoted(&words) });
        }
        _ => found.extend(strings),
    }
}

/// The names and strings of a table.
pub(super) fn entries(text: &str, header: &str) -> Vec<(String, String)> {
    let is_head = |line: &&str| {
        line.starts_with('[') && line.trim().trim_matches(['[', ']']).replace('"', "") == header
    };
    let lines = text.lines().skip_while(|line| !is_head(line)).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once('='));
    let entries = lines.map(|(name, value)| (name.trim().to_owned(), data::string(value).into_owned()));
    entries.collect()
}

/// The part of an inline table that holds commands, with its key: that of `cmd` or `shell`.
fn command_of(value: &str) -> Option<(&'static str, &str)> {
    if !value.starts_with('{') {
        return None;
    }
    let after = |key: &&'static str| Some((*key, field(value, key)?));
    Some(COMMANDS.iter().find_map(after).unwrap_or(("", "")))
}

/// The keys under which a task says what it runs.
const COMMANDS: [&str; 12] = [
    "cmd",
    "shell",
    "composite",
    "sequence",
    "parallel",
    "chain",
    "script",
    "call",
    "ref",
    "run",
    "task",
    "tasks",
];

/// The value of a key of an inline table, as it is written.
fn field<'t>(value: &'t str, key: &str) -> Option<&'t str> {
    fields(value).into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
}

/// The keys and values of an inline table, as they are written.
fn fields(value: &str) -> Vec<(&str, &str)> {
    let Some(body) = value.trim().strip_prefix('{') else { return Vec::new() };
    let body = body.strip_suffix('}').unwrap_or(body);
    let pairs = parts(body).into_iter().filter_map(|part| part.split_once('='));
    pairs.map(|(name, value)| (name.trim().trim_matches(QUOTES), value.trim())).collect()
}

/// The names and strings of an inline table: `{ A = "b", C = { default = "d" } }`.
pub(super) fn inline(value: &str) -> Vec<Given> {
    fields(value).into_iter().map(|(name, value)| (name.to_owned(), plain(value))).collect()
}

/// A string, or what stands where nothing else sets a variable: `{ default = "x" }`.
fn plain(value: &str) -> String {
    data::string(field(value, "default").unwrap_or(value)).into_owned()
}

/// What a file sets for a task.
#[derive(Debug, Default)]
pub(super) struct Options {
    /// Those that win come last.
    pub(super) variables: Vec<Given>,
    pub(super) files: Vec<String>,
    pub(super) folder: Option<String>,
}

/// What the tables of settings say for all tasks, and the tables of tasks for the one with this name.
pub(super) fn options(text: &str, (tasks, name): (&[&str], &str), all: &[&str]) -> Options {
    let mut options = Options::default();
    let below =
        |table: &str, key: &str| if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") };
    let own = tasks.iter().map(|table| below(table, name));
    let mut tables: Vec<String> = all.iter().map(|table| (*table).to_owned()).chain(own).collect();
    // `clean = { cmd = "…", env = { A = "b" } }`, or `_ = { … }` for all.
    for (at, table) in tables.iter_mut().enumerate() {
        let (above, key) = table.rsplit_once('.').unwrap_or(("", table));
        let value = raw(text, above).into_iter().find(|(own, _)| *own == key).map(|(_, value)| value);
        let inline = value.map_or_else(Vec::new, fields);
        let is_task = at >= all.len();
        for (key, value) in inline.iter().copied().chain(raw(text, table)) {
            options.take((key, value), is_task);
        }
        for key in VARIABLES {
            let entries = raw(text, &below(table, key)).into_iter();
            options.variables.extend(entries.map(|(name, value)| (name.to_owned(), plain(value))));
        }
    }
    options
}

/// Keys of tables of variables.
const VARIABLES: [&str; 2] = ["env", "env-vars"];

impl Options {
    fn take(&mut self, (key, value): (&str, &str), is_task: bool) {
        match key.strip_suffix(".override").unwrap_or(key) {
            "env" | "env-vars" => self.variables.extend(inline(value)),
            "envfile" | "env_file" | "env-file" => {
                self.files.extend(strings(value, value).into_iter().map(|file| file.text));
            }
            "cwd" | "working_dir" | "chdir" if is_task => {
                self.folder = Some(data::string(value).into_owned());
            }
            // `env.A = "b"`
            _ => {
                let name = VARIABLES.iter().find_map(|table| key.strip_prefix(table)?.strip_prefix('.'));
                self.variables.extend(name.map(|name| (name.to_owned(), plain(value))));
            }
        }
    }
}

/// The keys and values of a table, as they are written. An empty name is the part before the first table.
fn raw<'t>(text: &'t str, header: &str) -> Vec<(&'t str, &'t str)> {
    let is_head = |line: &str| line.trim_start().starts_with('[') && line.trim_end().ends_with(']');
    let name = |line: &str| line.trim().trim_matches(['[', ']', ' ']).replace('"', "");
    let mut inside = header.is_empty();
    let mut found = Vec::new();
    for line in text.lines() {
        if is_head(line) && !line.contains('=') {
            inside = name(line) == header;
        } else if inside
            && let Some((key, value)) = line.split_once('=')
            && !key.trim_start().starts_with('#')
        {
            let value = value.trim_start();
            let start = offset(text, value);
            let end = end_of(text, start, value);
            found.push((key.trim().trim_matches(QUOTES), text.get(start..end).unwrap_or(value)));
        }
    }
    found
}

/// The tasks that an inline table says come first: `depends-on = ["clean"]`, each as it is named.
fn needs_into(text: &str, value: &str, found: &mut Vec<Recipe>) {
    let keys = ["depends-on", "depends_on", "depends", "deps"];
    let after = |key: &&str| value.split_once(*key)?.1.trim_start().strip_prefix('=');
    if let Some(list) = keys.iter().find_map(after).filter(|_| value.starts_with('{')) {
        let list = list.trim_start();
        found.extend(strings(text, &list[..end_of(list, 0, list).min(list.len())]));
    }
}

/// The programs that a manifest of cargo's declares under `[[bin]]` or the like with a file of their own: their names and
/// these.
pub(super) fn targets(text: &str, header: &str) -> Vec<(String, String)> {
    let blocks = text.split("\n[").filter_map(|block| {
        let (head, rest) = block.split_once('\n')?;
        (head.trim().trim_start_matches('[') == header.trim_start_matches('[')).then_some(rest)
    });
    let value = |block: &str, key: &str| {
        let mut values =
            block.lines().filter_map(|line| line.trim().strip_prefix(key)?.trim_start().strip_prefix('='));
        values.next().map(|value| data::string(value).into_owned())
    };
    blocks
        .filter_map(|block| Some((value(block, "name").unwrap_or_default(), value(block, "path")?)))
        .collect()
}

/// The line that calls what `module:function(…)` names, as tables of scripts and of entry points spell it.
pub(super) fn called(entry: &str) -> Option<String> {
    let (path, arguments) = entry.trim().split_once('(').unwrap_or((entry.trim(), ")"));
    let (module, function) = path.trim().split_once(':')?;
    let is_path = |path: &str| {
        !path.is_empty()
            && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
    };
    let code = format!("from {module} import {function}; {function}({arguments}");
    let is_call = is_path(module) && is_path(function) && arguments.ends_with(')');
    is_call.then(|| quoted(&["python3", "-c", &code].map(Arg::from)))
}

/// Where a value ends that begins at `start`.
fn end_of(text: &str, start: usize, value: &str) -> usize {
    let rest = text.get(start..).unwrap_or("");
    let width = match value.chars().next() {
        Some('[' | '{') => bracket_end(rest),
        Some('"') if rest.starts_with("\"\"\"") => rest[3..].find("\"\"\"").map(|at| at + 6),
        Some('\'') if rest.starts_with("'''") => rest[3..].find("'''").map(|at| at + 6),
        Some(quote @ ('"' | '\'')) => quoted_end(rest, quote),
        _ => rest.find('\n'),
    };
    start + width.unwrap_or(rest.len())
}

/// Where the bracket closes that a text begins with; those in strings and comments do not count.
fn bracket_end(rest: &str) -> Option<usize> {
    let (mut depth, mut quote, mut escaped, mut comment) = (0_u32, None, false, false);
    for (at, c) in rest.char_indices() {
        match (c, quote) {
            ('\n', _) => (comment, escaped) = (false, false),
            _ if comment => {}
            (_, Some('"')) if escaped => escaped = false,
            ('\\', Some('"')) => escaped = true,
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('#', None) => comment = true,
            ('[' | '{', None) => depth += 1,
            (']' | '}', None) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where a string of one line ends, its quotes included.
fn quoted_end(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    let closes = |c: char| {
        let closes = c == quote && !escaped;
        // Only a basic string has escapes.
        escaped = quote == '"' && c == '\\' && !escaped;
        closes || c == '\n'
    };
    rest[1..].find(closes).map(|at| at + 2)
}

/// The strings of a value, decoded.
fn strings(text: &str, value: &str) -> Vec<Recipe> {
    let mut found = Vec::new();
    let mut rest = value;
    while let Some(at) = rest.find(QUOTES) {
        let quote = &rest[at..=at];
        let long = quote.repeat(3);
        let (open, close) = if rest[at..].starts_with(&long) { (3, long.as_str()) } else { (1, quote) };
        let body = &rest[at + open..];
        let mut end = 0;
        while let Some(next) = body[end..].find(close) {
            end += next;
            if quote != "\"" || !body[..end].ends_with('\\') {
                break;
            }
            end += 1;
        }
        let body_text = body.get(..end).unwrap_or(body);
        let text_of = if quote == "\"" {
            body_text.replace("\\\n", "").replace("\\\"", "\"").replace("\\n", "\n").replace("\\\\", "\\")
        } else {
            body_text.to_owned()
        };
        found.push(Recipe { at: offset(text, body_text), text: text_of });
        rest = body.get(end + close.len()..).unwrap_or("");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_found_in_all_their_forms() {
        let text = "[tool.poe.tasks]\nclean = \"rm -rf dist\"\nall = { cmd = 'make x', help = \"y\" }\nlong = [\n  \"a b\",\n  \"c\",\n]\n\n[tool.poe.tasks.deep]\nshell = \"\"\"\nrm x\n\"\"\"\n[other]\nclean = \"no\"\n";
        let of = |key: &str| -> Vec<String> {
            scripts(text, &["tool.poe.tasks"], key).into_iter().map(|recipe| recipe.text).collect()
        };
        assert_eq!(of("clean"), ["rm -rf dist"]);
        assert_eq!(of("all"), ["make x"]);
        assert_eq!(of("long"), ["a b", "c"]);
        assert_eq!(of("deep"), ["\nrm x\n"]);
        assert!(of("none").is_empty());
    }
}
