//! Files in which indentation says what belongs together: justfiles, Taskfiles, Procfiles, Rakefiles.

use shell_engine::text::data;

use super::recipe::{Recipe, offset};
use super::testers::{closing, parts, split_once};
use crate::programs::QUOTES;

/// How many blanks a line begins with.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The lines below a head, up to the next that stands no deeper.
pub(super) fn below(text: &str, head: usize) -> impl Iterator<Item = &str> {
    let mut lines = text.get(head..).unwrap_or("").lines();
    let depth = lines.next().map_or(0, indent);
    lines.take_while(move |line| line.trim().is_empty() || indent(line) > depth)
}

/// The keys and values of these lines, each `key: value` with or without the dash of a list.
pub(super) fn entries<'t>(lines: impl Iterator<Item = &'t str>) -> impl Iterator<Item = (&'t str, &'t str)> {
    lines.filter_map(|line| {
        let (key, value) = line.trim().trim_start_matches("- ").split_once(':')?;
        Some((key.trim(), value.trim().trim_matches(QUOTES)))
    })
}

/// The recipes of a justfile that these words name, each after those that it needs; without words, the first.
///
/// A recipe takes as many of the words after its name as it has parameters. Also the recipes that others need and that are
/// not in this file.
pub(super) fn just(text: &str, mut words: &[&str], set: &[Given]) -> (Vec<Recipe>, Vec<String>) {
    let mut found = Vec::new();
    let mut seen = Vec::new();
    loop {
        let (name, rest) = words.split_first().map_or((None, words), |(name, rest)| (Some(*name), rest));
        let taken = just_into((text, set), (name, rest), &mut seen, &mut found);
        words = rest.get(taken..).unwrap_or(&[]);
        if words.is_empty() {
            let missing = seen.iter().filter_map(|call: &String| call.strip_prefix(' ').map(str::to_owned));
            return (found, missing.collect());
        }
    }
}

/// Recipes that need one another.
const MAX_NEEDS: usize = 32;

/// A recipe's own line: `wipe dir='out' *more: build (clean "x")`.
struct Head<'t> {
    name: &'t str,
    /// Names, each with what it is where nothing is given.
    parameters: Vec<(&'t str, Option<&'t str>)>,
    /// Those that its lines get in their environment: `wipe $dir:`.
    exported: Vec<&'t str>,
    needs: &'t str,
}

/// Takes a recipe with its arguments, and returns how many of them are its own.
fn just_into(
    (text, set): (&str, &[Given]),
    (name, given): (Option<&str>, &[&str]),
    seen: &mut Vec<String>,
    found: &mut Vec<Recipe>,
) -> usize {
    let name = name.map(|name| alias(text, name).unwrap_or(name));
    let heads = text.lines().filter_map(|line| Some((line, head(line)?)));
    let Some((line, head)) = heads.into_iter().find(|(_, head)| name.is_none_or(|name| name == head.name))
    else {
        // Seen without being there.
        seen.extend(name.filter(|_| seen.len() < MAX_NEEDS).map(|name| format!(" {name}")));
        return 0;
    };
    let own = given.len().min(head.parameters.len());
    let call = format!("{} {}", head.name, given[..own].join(" "));
    if seen.len() >= MAX_NEEDS || seen.contains(&call) {
        return own;
    }
    seen.push(call);
    let given_here: Vec<(&str, String)> =
        set.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let of_default = |usual: &str| filled(&format!("{{{{{usual}}}}}"), text, &given_here);
    let values = head.parameters.iter().enumerate().filter_map(|(at, (name, usual))| {
        let value = given.get(at).map(|value| (*value).to_owned());
        Some((*name, value.or_else(|| usual.map(of_default))?))
    });
    let values = values.chain(set.iter().map(|(name, value)| (name.as_str(), value.clone())));
    let values: Vec<(&str, String)> = values.collect();
    for (need, arguments) in needs_of(head.needs) {
        let arguments: Vec<String> =
            arguments.iter().map(|value| filled(&format!("{{{{{value}}}}}"), text, &values)).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        just_into((text, set), (Some(need), &arguments), seen, found);
    }
    let set_first: String = head
        .exported
        .iter()
        .filter_map(|name| values.iter().find(|(own, _)| own == name))
        .map(|(name, value)| format!("export {name}={value}; "))
        .collect();
    let body: Vec<&str> = below(text, offset(text, line)).collect();
    if body.first().is_some_and(|first| first.trim_start().starts_with("#!")) {
        // A recipe with an interpreter of its own is one script.
        let at = offset(text, body[0]);
        let end = body.last().map_or(at, |last| offset(text, last) + last.len());
        found.push(Recipe { at, text: filled(text.get(at..end).unwrap_or(""), text, &values) });
        return own;
    }
    for line in
        body.into_iter().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let line = line.trim_start_matches(['@', '-']);
        let line_text = format!("{set_first}{}", filled(line, text, &values));
        found.push(Recipe { at: offset(text, line), text: line_text });
    }
    own
}

/// What a recipe needs, with the arguments for it: `build (clean "x")`.
fn needs_of(needs: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found = Vec::new();
    let mut rest = needs.trim_start();
    while !rest.is_empty() {
        let (group, after) = match rest.strip_prefix('(') {
            Some(inner) => {
                let end = closing(inner, ('(', ')')).unwrap_or(inner.len());
                (&inner[..end], inner.get(end + 1..).unwrap_or(""))
            }
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        let (name, arguments) = group.trim().split_once(char::is_whitespace).unwrap_or((group.trim(), ""));
        if !matches!(name, "" | "&&") {
            found.push((name, expressions(arguments)));
        }
        rest = after.trim_start();
    }
    found
}

/// Expressions that stand beside each other: `root / "x" "a b"` are two.
pub(super) fn expressions(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (own, after) = split_once(rest, ' ').unwrap_or((rest, ""));
        let is_operator = |word: &str| matches!(word, "/" | "+");
        let before = found.last().copied().filter(|last| is_operator(own) || last.ends_with(['/', '+']));
        match before {
            Some(before) => {
                let start = offset(text, before);
                found.pop();
                found.push(&text[start..offset(text, own) + own.len()]);
            }
            None => found.push(own),
        }
        rest = after.trim_start();
    }
    found
}

/// What an alias stands for: `alias b := build`.
fn alias<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let aliases = text.lines().filter_map(|line| line.strip_prefix("alias ")?.split_once(":="));
    aliases.into_iter().find(|(own, _)| own.trim() == name).map(|(_, recipe)| recipe.trim())
}

fn head(line: &str) -> Option<Head<'_>> {
    if line.starts_with([' ', '\t', '#', '[']) || line.contains(":=") {
        return None;
    }
    let (names, needs) = line.split_once(':')?;
    let mut words = names.split_whitespace();
    let name = words.next()?.trim_start_matches('@');
    let parts: Vec<&str> = words.collect();
    let exported = parts.iter().filter_map(|word| word.trim_start_matches(['*', '+']).strip_prefix('$'));
    let exported = exported.map(|word| word.split('=').next().unwrap_or(word)).collect();
    let parameters = parts.iter().map(|word| {
        let word = word.trim_start_matches(['*', '+', '$']);
        word.split_once('=').map_or((word, None), |(name, usual)| (name, Some(usual)))
    });
    let parameters = parameters.collect();
    Some(Head { name, parameters, exported, needs: needs.split('#').next().unwrap_or("") })
}

/// A line with the values of `{{expression}}`.
fn filled(line: &str, text: &str, values: &[(&str, String)]) -> String {
    let mut filled = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        let (expression, after) = after.split_once("}}").unwrap_or((after, ""));
        let expression = expression.trim();
        filled.push_str(before);
        match values.iter().find(|(name, _)| *name == expression) {
            Some((_, value)) => filled.push_str(value),
            None => filled.push_str(&value_of(expression, text, MAX_VALUES)),
        }
        rest = after;
    }
    filled + rest
}

/// Variables inside of variables.
const MAX_VALUES: usize = 8;

/// The variables of a justfile, each with the expression that it is, and whether recipes get it in their environment.
fn variables_of_just(text: &str) -> impl Iterator<Item = (&str, &str, bool)> {
    text.lines().filter_map(|line| {
        let (name, value) = line.split_once(":=")?;
        let plain = name.trim().trim_start_matches("export ").trim();
        Some((plain, value, name.trim_start().starts_with("export ")))
    })
}

/// The values of the variables of a justfile that `wanted` picks out, by name and whether they are exported.
pub(super) fn values_of_just(text: &str, wanted: impl Fn(&str, bool) -> bool) -> Vec<Given> {
    let variables = variables_of_just(text).filter(|(name, _, exported)| wanted(name, *exported));
    variables.map(|(name, value, _)| (name.to_owned(), value_of(value, text, MAX_VALUES))).collect()
}

/// Whether a condition of just holds: `target == "build"`.
fn holds(asked: &str, text: &str, levels: usize) -> Option<bool> {
    let (equal, (left, right)) = match asked.split_once("==") {
        Some(sides) => (true, sides),
        None => (false, asked.split_once("!=")?),
    };
    let (left, right) = (value_of(left, text, levels), value_of(right, text, levels));
    let is_known = |value: &str| !value.contains('$') && !shell_engine::mark::any(value);
    (is_known(&left) && is_known(&right)).then_some((left == right) == equal)
}

/// Functions of just that give their argument back, as far as a path goes.
const SAME: [&str; 8] =
    ["trim", "trim_start", "trim_end", "quote", "clean", "absolute_path", "canonicalize", "lowercase"];

/// Where the folders of a user lie by the name of just's functions.
const FOLDERS: [(&str, &str); 12] = [
    ("home_directory", "$HOME"),
    ("home_dir", "$HOME"),
    ("config_directory", "$HOME/.config"),
    ("cache_directory", "$HOME/.cache"),
    ("data_directory", "$HOME/.local/share"),
    ("executable_directory", "$HOME/.local/bin"),
    ("justfile_directory", "$PWD"),
    ("justfile_dir", "$PWD"),
    ("invocation_directory", "$PWD"),
    ("invocation_dir", "$PWD"),
    ("source_directory", "$PWD"),
    ("source_dir", "$PWD"),
];

/// What a function of just gives back, as text for a shell.
fn result_of(function: &str, arguments: &[String]) -> String {
    if let Some((_, folder)) = FOLDERS.iter().find(|(name, _)| *name == function) {
        return (*folder).to_owned();
    }
    match (function, arguments) {
        ("os", _) => std::env::consts::OS.to_owned(),
        // A bracket around an expression.
        ("", [value]) => value.clone(),
        ("env_var" | "env" | "env_var_or_default", [name]) => format!("${{{name}}}"),
        ("env" | "env_var_or_default", [name, usual]) => format!("${{{name}:-{usual}}}"),
        ("join", parts) => parts.join("/"),
        ("parent_directory" | "parent_dir", [path]) => format!("{path}/.."),
        ("replace", [whole, from, to]) => whole.replace(from.as_str(), to),
        ("require" | "which", [program]) => program.clone(),
        ("shell", [line, ..]) => format!("$({line})"),
        (same, [value]) if SAME.contains(&same) => value.trim().to_owned(),
        _ => shell_engine::mark::TOKEN.to_string(),
    }
}

/// The value of an expression of just, as text for a shell; a token where only just knows it.
fn value_of(expression: &str, text: &str, levels: usize) -> String {
    let expression = expression.trim();
    let quoted = |quote: char| expression.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    if let Some(plain) = quoted('"').or_else(|| quoted('\'')).filter(|plain| !plain.contains(QUOTES)) {
        return plain.to_owned();
    }
    if let Some(line) = quoted('`') {
        return format!("$({line})");
    }
    let Some(levels) = levels.checked_sub(1) else { return shell_engine::mark::TOKEN.to_string() };
    // `if os() == "windows" { "a" } else { "b" }`: where it is not known which, either, as words.
    if let Some((asked, rest)) = expression.strip_prefix("if ").and_then(|rest| rest.split_once('{'))
        && let Some((yes, no)) = rest.split_once("} else {")
    {
        let (yes, no) = (yes, no.trim_end().trim_end_matches('}'));
        return match holds(asked, text, levels) {
            Some(true) => value_of(yes, text, levels),
            Some(false) => value_of(no, text, levels),
            None => format!("{} {}", value_of(yes, text, levels), value_of(no, text, levels)),
        };
    }
    for (operator, between) in [('/', "/"), ('+', "")] {
        if let Some((left, right)) = split_once(expression, operator) {
            return format!("{}{between}{}", value_of(left, text, levels), value_of(right, text, levels));
        }
    }
    if let Some((function, arguments)) = expression.strip_suffix(')').and_then(|call| call.split_once('(')) {
        let arguments: Vec<String> =
            parts(arguments).into_iter().map(|argument| value_of(argument, text, levels)).collect();
        return result_of(function.trim(), &arguments);
    }
    let value = variables_of_just(text).find(|(name, ..)| *name == expression).map(|(_, value, _)| value);
    value.map_or_else(|| shell_engine::mark::TOKEN.to_string(), |value| value_of(value, text, levels))
}

/// A variable of a Taskfile that someone gives, with its value.
pub(super) type Given = (String, String);

/// What one walk through a Taskfile has met.
#[derive(Default)]
struct Walk {
    /// Tasks with what they were given.
    seen: Vec<String>,
    /// Tasks that are not in this file, with what they are given.
    others: Vec<(String, Vec<Given>)>,
    /// What the call gives to all of them.
    given: Vec<Given>,
}

/// The commands of a task in a Taskfile, after those of the tasks that it starts.
///
/// Also the tasks of other files that they start, each with what it is given: `sub:wipe`.
pub(super) fn task(text: &str, name: &str, given: &[Given]) -> (Vec<Recipe>, Vec<(String, Vec<Given>)>) {
    let mut found = Vec::new();
    let mut walk = Walk { given: given.to_vec(), ..Walk::default() };
    task_into(text, (name, &[]), &mut walk, &mut found);
    (found, walk.others)
}

/// A task of a file that a Taskfile includes.
pub(super) struct Included {
    pub(super) file: String,
    /// Where its commands run.
    pub(super) folder: String,
    pub(super) goal: String,
    pub(super) given: Vec<Given>,
}

/// The file that a Taskfile includes for a task `NAME:OTHER`, and what the task is called there. It sees the variables of
/// the file that includes it.
pub(super) fn included(text: &str, goal: &str) -> Option<Included> {
    let (name, other) = goal.trim_start_matches(':').split_once(':')?;
    let read = data::yaml(text);
    let entry = read.get("includes")?.get(name)?;
    let part = |key: &str| entry.get(key).and_then(serde_json::Value::as_str);
    let file = entry.as_str().or_else(|| part("taskfile"))?.to_owned();
    let plain =
        |(name, value): (&String, &serde_json::Value)| Some((name.clone(), value.as_str()?.to_owned()));
    let own =
        entry.get("vars").and_then(serde_json::Value::as_object).into_iter().flatten().filter_map(plain);
    let head = text.lines().find(|line| line.trim_end() == "vars:");
    let given = own.chain(head.map(|head| variables(text, head)).unwrap_or_default()).collect();
    Some(Included { file, folder: part("dir").unwrap_or(".").to_owned(), goal: other.to_owned(), given })
}

/// The variables below `vars:`, which may stand on its line: `vars: { P: / }`.
pub(super) fn variables<'t>(text: &'t str, line: &'t str) -> Vec<Given> {
    let listed = line.split_once('{').map(|(_, list)| list.trim_end().trim_end_matches('}'));
    let lines: Vec<&str> = match listed {
        Some(list) => list.split(',').collect(),
        None => below(text, offset(text, line)).collect(),
    };
    let mut known: Vec<Given> = Vec::new();
    for (name, value) in entries(lines.into_iter()) {
        let name = name.trim_matches(YAML_MARKS);
        // `{{…}}` is not a map of YAML's.
        let value = if value.contains("{{") { value } else { value.trim_matches(YAML_MARKS) };
        match known.last_mut() {
            // `DIR: { sh: pwd }`, on lines of its own.
            Some((_, above)) if name == "sh" && above.is_empty() => *above = format!("$({value})"),
            _ => known.push((name.to_owned(), value.to_owned())),
        }
    }
    known.retain(|(_, value)| !value.is_empty());
    known
}

/// The variables of the environment that a Taskfile sets for all of its tasks.
pub(super) fn environment(text: &str) -> Vec<Given> {
    let head = text.lines().find(|line| line.trim_end() == "env:");
    head.map(|head| variables(text, head)).unwrap_or_default()
}

/// Whether a task whose head this is has another name as well: `aliases: [clean]`.
fn is_alias(text: &str, head: &str, name: &str) -> bool {
    let listed = below(text, offset(text, head)).find_map(|line| line.trim_start().strip_prefix("aliases:"));
    listed.is_some_and(|list| {
        list.trim().trim_matches(['[', ']']).split(',').any(|own| own.trim_matches(YAML_MARKS) == name)
    })
}

/// What a task gives another one that it starts: the `vars` of this item.
fn handed<'t>(text: &'t str, item: &'t str, (head, given): (&str, &[Given])) -> Vec<Given> {
    let line = below(text, offset(text, item)).find(|line| line.trim_start().starts_with("vars:"));
    let line = line.or_else(|| head.contains("vars:").then_some(head));
    let own = line.map(|line| variables(text, line)).unwrap_or_default();
    own.into_iter().map(|(name, value)| (name, templated(&value, (text, given)))).collect()
}

fn task_into(text: &str, (name, given): (&str, &[Given]), walk: &mut Walk, found: &mut Vec<Recipe>) {
    let call = format!("{name} {given:?}");
    if walk.seen.len() >= MAX_NEEDS || walk.seen.contains(&call) {
        return;
    }
    walk.seen.push(call);
    let tasks = text.lines().find(|line| line.trim_end() == "tasks:").unwrap_or("");
    let is_head = |line: &&str| {
        // A name may hold colons itself: `env:down:`.
        let key = line.trim().trim_start_matches(QUOTES);
        let after = key.strip_prefix(name).map(|rest| rest.trim_start_matches(QUOTES));
        let is_own = after.is_some_and(|rest| rest == ":" || rest.starts_with(": "));
        is_own || is_alias(text, line, name)
    };
    let mut depth = None;
    let entries = below(text, if tasks.is_empty() { text.len() } else { offset(text, tasks) });
    let head = entries.filter(|line| !line.trim().is_empty()).find(|line| {
        // Only keys of `tasks` itself are names of tasks.
        *depth.get_or_insert(indent(line)) == indent(line) && is_head(line)
    });
    let given: Vec<Given> = given.iter().chain(&walk.given).cloned().collect();
    let Some(head) = head else {
        walk.others.push((name.to_owned(), given));
        return;
    };
    // Its own variables, over which those that it is given win.
    let own = below(text, offset(text, head)).find(|line| line.trim_start().starts_with("vars:"));
    let depth = below(text, offset(text, head)).find(|line| !line.trim().is_empty()).map_or(0, indent);
    let own = own.filter(|line| indent(line) == depth).map(|line| variables(text, line)).unwrap_or_default();
    let given: Vec<Given> = given.into_iter().chain(own).collect();
    let given = given.as_slice();
    let values = (text, given);
    let first = found.len();
    let env = below(text, offset(text, head)).find(|line| line.trim_start().starts_with("env:"));
    let env = env.filter(|line| indent(line) == depth).map(|line| variables(text, line)).unwrap_or_default();
    // What a list on one line holds: `deps: [a, {task: b}]`, `cmds: ["x", "y"]`.
    let listed = |key: &str, list: &str, walk: &mut Walk, found: &mut Vec<Recipe>| {
        let items = list.split(',').map(|item| item.trim_matches(YAML_MARKS));
        for item in items.filter(|item| !item.is_empty()) {
            match item.strip_prefix("task:") {
                Some(other) => task_into(text, (other.trim_matches(YAML_MARKS), &[]), walk, found),
                None if key == "deps" => task_into(text, (item, &[]), walk, found),
                None => found.push(Recipe { at: offset(text, item), text: templated(item, values) }),
            }
        }
    };
    if let Some((_, inner)) = head.split_once(": {") {
        // `w: { deps: [a], cmds: ["rm -rf x"] }`
        for key in ["deps", "cmds"] {
            let list = inner.split_once(key).and_then(|(_, rest)| rest.trim_start().strip_prefix(": ["));
            let list = list.map_or("", |list| list.split(']').next().unwrap_or(list));
            listed(key, list, walk, found);
        }
    } else if let Some((_, line)) = head.split_once(": ") {
        push_command((text, head), line.trim(), |line| templated(line, values), found);
    }
    let mut section = "";
    // What the item at work is repeated for, and where it begins.
    let (mut each, mut dash) = (Vec::new(), head);
    for line in below(text, offset(text, head)) {
        let entry = line.trim_start();
        if let Some(key) = entry.strip_suffix(':').filter(|key| !key.starts_with('-')) {
            section = key;
        }
        if let Some((key @ ("deps" | "cmds"), list)) = entry.split_once(": [") {
            listed(key, list.trim_end_matches([']', ' ']), walk, found);
            continue;
        }
        let item = entry.strip_prefix("- ").map(str::trim);
        if item.is_some() {
            (each, dash) = (Vec::new(), line);
        }
        // `- { task: b, vars: { P: x } }`
        let item = item.map(|item| item.strip_prefix('{').map_or(item, str::trim_start));
        let part = item.unwrap_or(entry);
        if let Some(list) = part.strip_prefix("for:") {
            each = repeated(list, values);
            continue;
        }
        if let Some(other) = part.strip_prefix("task:") {
            let name = other.split([',', '}']).next().unwrap_or(other).trim_matches(YAML_MARKS);
            let own = handed(text, dash, (part, given));
            task_into(text, (name, &own), walk, found);
            continue;
        }
        let plain = item.filter(|item| !item.contains(": ") || section != "deps");
        let command = match plain {
            Some(name) if section == "deps" => {
                task_into(text, (name, &[]), walk, found);
                continue;
            }
            // Without a key they are its commands.
            Some(item) if matches!(section, "cmds" | "cmd" | "" | "preconditions" | "status") => {
                ["cmd:", "defer:", "sh:"].iter().find_map(|key| item.strip_prefix(key)).unwrap_or(item)
            }
            Some(_) => continue,
            None => match entry.strip_prefix("cmd:") {
                Some(command) => command,
                None => continue,
            },
        };
        let repeated = each.iter().map(|item| vec![("ITEM".to_owned(), item.clone())]);
        for item in if each.is_empty() { vec![Vec::new()] } else { repeated.collect() } {
            let own: Vec<Given> = item.into_iter().chain(given.iter().cloned()).collect();
            push_command((text, line), command.trim(), |line| templated(line, (text, &own)), found);
        }
    }
    // Its own environment, and its folder.
    let folder =
        below(text, offset(text, head)).find(|line| indent(line) == depth && line.trim().starts_with("dir:"));
    let folder = folder
        .and_then(|line| line.split_once(':'))
        .map(|(_, value)| templated(&data::string(value), values));
    let folder = folder.map(|folder| format!("cd {folder}; "));
    let set = env.iter().map(|(name, value)| format!("export {name}={}; ", templated(value, values)));
    let before: String = folder.into_iter().chain(set).collect();
    for recipe in &mut found[first..] {
        recipe.text.insert_str(0, &before);
    }
}

/// What a command is repeated for: `for: [a, b]`, or the words of a variable, `for: { var: LIST }`.
fn repeated(list: &str, values: (&str, &[Given])) -> Vec<String> {
    let list = list.trim();
    if let Some((_, name)) = list.split_once("var:").filter(|_| list.starts_with('{')) {
        let name = name.split([',', '}']).next().unwrap_or(name).trim();
        let words = templated(&format!("{{{{.{name}}}}}"), values);
        return words.split_whitespace().map(str::to_owned).collect();
    }
    let items = list.trim_start_matches('[').trim_end_matches(']').split(',');
    items.map(|item| item.trim_matches(YAML_MARKS).to_owned()).collect()
}

/// What stands around an item of a list on one line.
pub(super) const YAML_MARKS: [char; 6] = [' ', '{', '}', '"', '\'', '\t'];

/// A command on its line, or as a block below it.
pub(super) fn push_command(
    (text, line): (&str, &str),
    command: &str,
    fill: impl Fn(&str) -> String,
    found: &mut Vec<Recipe>,
) {
    if command.starts_with(['|', '>']) {
        let body: Vec<&str> = below(text, offset(text, line)).collect();
        let Some(first) = body.first() else { return };
        let depth = indent(first);
        let lines: Vec<&str> = body.iter().map(|line| line.get(depth..).unwrap_or("")).collect();
        found.push(Recipe { at: offset(text, first), text: fill(&lines.join("\n")) });
    } else if !command.is_empty() {
        found.push(Recipe { at: offset(text, command), text: fill(&data::string(command)) });
    }
}

/// A line with a token for each `{{expression}}`.
fn holed(line: &str) -> String {
    filled_in(line, |_| None)
}

/// A line with the values of `{{.NAME}}`: those that are given win over those of the file. Other expressions are tokens.
fn templated(line: &str, (text, given): (&str, &[Given])) -> String {
    filled_in(line, |expression| {
        let (name, default) = match expression.trim_matches('-').split_once('|') {
            Some((name, filter)) => (name, filter.trim().strip_prefix("default ")),
            None => (expression.trim_matches('-'), None),
        };
        // `default "dist" .OUT`
        let turned = name.trim().strip_prefix("default ").and_then(|both| both.trim().rsplit_once(' '));
        let (name, default) = turned.map_or((name, default), |(default, name)| (name, Some(default)));
        let of_environment = |expression: &str| {
            let name = expression.trim_matches(['(', ')', ' ']).strip_prefix("env ")?;
            Some(format!("${{{}}}", name.trim().trim_matches(QUOTES)))
        };
        if let Some(value) = of_environment(name) {
            return Some(value);
        }
        let name = name.trim().strip_prefix('.')?;
        let own = given.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
        let of_file = || {
            let head = text.lines().find(|line| line.trim_end() == "vars:")?;
            let value = variables(text, head).into_iter().find(|(own, _)| own == name)?.1;
            // `STACK: '{{.STACK | default "prod"}}'` is what it would be without one.
            let itself = value
                .strip_prefix("{{")
                .and_then(|value| value.trim_start().strip_prefix(&format!(".{name} ")));
            let usual =
                itself.and_then(|rest| rest.split_once("default ")).map(|(_, usual)| format!("{{{{{usual}"));
            Some(match usual {
                Some(usual) if usual.contains(['"', '\'']) && !usual.contains('(') => {
                    usual.trim_matches(['{', '}', '"', '\'', ' ']).to_owned()
                }
                usual => usual.unwrap_or(value),
            })
        };
        let of_default = || match default?.trim() {
            other if other.starts_with('.') => Some(format!("{{{{{other}}}}}")),
            other => of_environment(other).or_else(|| Some(other.trim_matches(['"', '\'', ' ']).to_owned())),
        };
        if name == "HOME" { Some("$HOME".to_owned()) } else { own.or_else(of_file).or_else(of_default) }
    })
}

/// A line with the values of its `{{expressions}}`, and a token for each that has none.
pub(super) fn filled_in(line: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut filled = line.to_owned();
    // Values may name others.
    for _ in 0..MAX_VALUES * 4 {
        let Some((before, rest)) = filled.split_once("{{") else { break };
        let (expression, after) = rest.split_once("}}").unwrap_or((rest, ""));
        let value = value(expression.trim()).unwrap_or_else(|| shell_engine::mark::TOKEN.to_string());
        filled = format!("{before}{value}{after}");
    }
    if filled.contains("{{") { shell_engine::mark::TOKEN.to_string() } else { filled }
}

/// What lefthook runs for a hook of git: the `run` of its commands and jobs.
pub(super) fn lefthook(text: &str, hook: &str) -> Vec<Recipe> {
    let Some(head) = text.lines().find(|line| line.trim_end().strip_suffix(':') == Some(hook)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for line in below(text, offset(text, head)) {
        if let Some(command) = line.trim_start().trim_start_matches("- ").strip_prefix("run:") {
            push_command((text, line), command.trim(), holed, &mut found);
        }
    }
    // Scripts lie in a folder of the hook: by their names, or as jobs.
    let read = data::yaml(text);
    let folder = read.get("source_dir").and_then(serde_json::Value::as_str).unwrap_or(".lefthook");
    let scripts = read[hook]["scripts"].as_object().into_iter().flatten();
    let scripts = scripts.map(|(name, script)| (name.as_str(), script));
    let jobs = read[hook]["jobs"].as_array().into_iter().flatten();
    let jobs = jobs.filter_map(|job| Some((job.get("script")?.as_str()?, job)));
    for (name, script) in scripts.chain(jobs) {
        let runner = script.get("runner").and_then(serde_json::Value::as_str).unwrap_or("");
        let at = text.find(name).unwrap_or(0);
        found.push(Recipe { at, text: format!("{runner} {folder}/{hook}/{name}").trim_start().to_owned() });
    }
    found
}

/// The processes of a Procfile: `web: command`.
pub(super) fn procfile(text: &str, name: Option<&str>) -> Vec<Recipe> {
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    let lines = lines.filter(|(own, _)| !own.starts_with('#') && name.is_none_or(|name| name == own.trim()));
    lines.map(|(_, command)| Recipe::piece(text, command.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(recipes: Vec<Recipe>) -> Vec<String> {
        recipes.into_iter().map(|recipe| recipe.text).collect()
    }

    #[test]
    fn a_recipe_of_just_comes_after_what_it_needs() {
        let file = "out := \"dist\"\n\nbuild: clean\n  cargo build\n\nclean:\n  @rm -rf {{out}}\n\npy:\n  #!/usr/bin/env python3\n  print(1)\n";
        assert_eq!(texts(just(file, &[], &[]).0), ["rm -rf dist", "cargo build"]);
        assert_eq!(texts(just(file, &["clean"], &[]).0), ["rm -rf dist"]);
        assert_eq!(texts(just(file, &["py"], &[]).0), ["  #!/usr/bin/env python3\n  print(1)"]);
        assert_eq!(just(file, &["no"], &[]), (Vec::new(), vec!["no".to_owned()]));
    }

    #[test]
    fn a_task_runs_its_commands_and_the_tasks_that_it_names() {
        let file = "version: '3'\ntasks:\n  build:\n    deps: [gen]\n    cmds:\n      - go build {{.X}}\n      - task: clean\n      - cmd: echo done\n  clean:\n    cmds:\n      - |\n        rm -rf a\n        rm -rf b\n  one: ls\n";
        let token = shell_engine::mark::TOKEN;
        let expected = [format!("go build {token}"), "rm -rf a\nrm -rf b".to_owned(), "echo done".to_owned()];
        assert_eq!(texts(task(file, "build", &[]).0), expected);
        assert_eq!(texts(task(file, "one", &[]).0), ["ls"]);
        assert!(task(file, "cmds", &[]).0.is_empty());
    }

    #[test]
    fn a_process_has_a_name_and_a_command() {
        assert_eq!(texts(procfile("web: node x\n# y: z\n", None)), ["node x"]);
    }
}
