//! Layouts of terminals: what tmuxinator, tmuxp, teamocil, smug, mprocs and zellij type into the windows that they open, and
//! run before that. Hooks of helmfile.

use serde_json::Value;
use shell_engine::text::data;
use shell_engine::{Arg, Loaded, Process};

use super::builders::line;
use super::names;
use super::recipe::{self, Recipe, offset};
use super::settings::place;
use super::testers::{closing, strings};
use crate::programs::{option, quoted};

/// How a tool keeps its layouts.
struct Tool {
    /// The words of a call that start one; none where the first word is its name.
    verbs: &'static [&'static str],
    /// Options that name the file.
    options: &'static [&'static str],
    /// Where a layout of this name lies; `~` is the user's own folder.
    places: &'static [&'static str],
    /// Keys whose values run, wherever they stand.
    keys: &'static [&'static str],
}

const TMUXINATOR: Tool = Tool {
    verbs: &["start", "s", "local", "debug"],
    options: &["-p", "--project-config"],
    places: &[".tmuxinator.yml", ".tmuxinator/?.yml", "~/.config/tmuxinator/?.yml", "~/.tmuxinator/?.yml"],
    keys: &[
        "on_project_start",
        "on_project_first_start",
        "on_project_restart",
        "pre",
        "pre_window",
        "pre_tab",
        "windows",
        "tabs",
        "on_project_exit",
    ],
};
const TMUXP: Tool = Tool {
    verbs: &["load"],
    options: &["-f"],
    places: &[
        "?",
        "?.yaml",
        "?.yml",
        "?.json",
        "?/.tmuxp.yaml",
        ".tmuxp.yaml",
        "~/.tmuxp/?.yaml",
        "~/.config/tmuxp/?.yaml",
    ],
    keys: &["before_script", "shell_command_before", "shell_command", "panes"],
};
const TEAMOCIL: Tool = Tool {
    verbs: &[],
    options: &["--layout"],
    places: &["~/.teamocil/?.yml"],
    keys: &["panes", "commands", "cmd"],
};
const SMUG: Tool = Tool {
    verbs: &["start"],
    options: &["-f", "--file"],
    places: &[".smug.yml", "~/.config/smug/?.yml", "~/.config/smug/?.yaml"],
    keys: &["before_start", "commands"],
};
const MPROCS: Tool = Tool {
    verbs: &[],
    options: &["-c", "--config"],
    places: &["mprocs.yaml", "mprocs.yml", "mprocs.json"],
    keys: &["shell", "cmd"],
};
const PROCESS_COMPOSE: Tool = Tool {
    verbs: &["up", "run", "start"],
    options: &["-f", "--config"],
    places: &["process-compose.yaml", "process-compose.yml"],
    keys: &["command", "shutdown", "exec"],
};
/// When a project of tmuxinator's or smug's is stopped.
const STOPPED: &[&str] = &["on_project_stop", "stop"];

fn tool(name: &str) -> Option<&'static Tool> {
    Some(match name {
        "tmuxinator" | "mux" => &TMUXINATOR,
        "tmuxp" => &TMUXP,
        "teamocil" => &TEAMOCIL,
        "smug" => &SMUG,
        "mprocs" => &MPROCS,
        "process-compose" => &PROCESS_COMPOSE,
        _ => return None,
    })
}

/// Lines of one layout.
const MAX_LINES: usize = 128;

/// Runs what a layout says that a call opens.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    if process.name == "zellij" {
        return zellij(process);
    }
    let tool = tool(process.name)?;
    let words = names(process);
    let stops = words.first() == Some(&"stop");
    let named = words.iter().copied().filter(|word| !tool.verbs.contains(word) && *word != "stop");
    // tmuxinator starts what is named without a verb as well.
    let is_started = words.first().is_none_or(|verb| tool.verbs.contains(verb)) || tool.verbs.is_empty();
    if !is_started && !stops && !matches!(process.name, "tmuxinator" | "mux") {
        return None;
    }
    let file = tool.options.iter().find_map(|name| option(process.args(), name, name));
    let name = named.into_iter().find(|word| Some(*word) != file).unwrap_or("");
    let home = process.scope.home.to_string();
    let places = tool.places.iter().map(|place| place.replace('?', name).replace('~', &home));
    let files: Vec<String> = file.map_or_else(|| places.collect(), |file| vec![file.to_owned()]);
    let mut scope = process.scope.clone();
    let loaded = files.iter().find_map(|file| process.runner.look_up(&scope, file))?;
    let read = read(&loaded);
    let root = ["root", "project_root", "start_directory", "session_root"];
    if let Some(root) = root.iter().find_map(|key| read.get(*key)?.as_str()) {
        scope.change_folder(&root.replacen('~', &home, 1));
    }
    let mut lines = Vec::new();
    under(&read, if stops { STOPPED } else { tool.keys }, &mut lines);
    lines.truncate(MAX_LINES);
    let recipes = lines.into_iter().map(|text| Recipe { at: place(&loaded.text, &text), text });
    let recipes: Vec<Recipe> = recipes.collect();
    recipe::run(process, &scope, (&loaded, name), &recipes);
    None
}

fn read(loaded: &Loaded) -> Value {
    serde_json::from_str(&loaded.text).unwrap_or_else(|_| data::yaml(&loaded.text))
}

/// Takes the lines that stand below some keys, wherever these are.
fn under(value: &Value, keys: &[&str], lines: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                // The words of one program.
                if let Some(line) = line(inner).filter(|_| key == "cmd" && keys.contains(&"cmd")) {
                    lines.push(line);
                    continue;
                }
                if keys.contains(&key.as_str()) { all(inner, lines) } else { under(inner, keys, lines) }
            }
        }
        Value::Array(list) => list.iter().for_each(|inner| under(inner, keys, lines)),
        _ => {}
    }
}

/// Keys inside of windows and panes that are no lines.
const SETTINGS: [&str; 16] = [
    "layout",
    "root",
    "synchronize",
    "window_name",
    "start_directory",
    "focus",
    "options",
    "window_index",
    "name",
    "title",
    "type",
    "manual",
    "environment",
    "sleep_before",
    "sleep_after",
    "enter",
];

/// Takes all lines of a value.
fn all(value: &Value, lines: &mut Vec<String>) {
    match value {
        Value::String(line) => lines.push(line.clone()),
        Value::Array(list) => list.iter().for_each(|inner| all(inner, lines)),
        Value::Object(map) => {
            let lines_of = map.iter().filter(|(key, _)| !SETTINGS.contains(&key.as_str()));
            lines_of.for_each(|(_, inner)| all(inner, lines));
        }
        _ => {}
    }
}

/// `zellij --layout FILE`: the programs of its panes, `pane command="rm" { args "-rf" "x"; }`.
fn zellij(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    let named = ["--layout", "-l", "--new-session-with-layout", "-n"]
        .iter()
        .find_map(|name| option(args, name, name))?;
    let home = &process.scope.home;
    let files = [named.to_owned(), format!("{home}/.config/zellij/layouts/{named}.kdl")];
    let scope = process.scope.clone();
    let loaded = files.iter().find_map(|file| process.runner.look_up(&scope, file))?;
    let text = &*loaded.text;
    let panes = text.lines().filter(|line| !line.trim_start().starts_with("//")).filter_map(|line| {
        let (_, rest) = line.split_once("command=").or_else(|| line.trim_start().split_once("command "))?;
        let rest = &text[offset(text, rest)..];
        let (_, program) = *strings(rest).first()?;
        // The words stand inside the pane's own braces, or beside the program in those.
        let block = rest.split_once('{').filter(|(head, _)| !head.contains('\n'));
        let block = block.map_or(rest, |(_, block)| block);
        let block = &block[..closing(block, ('{', '}')).unwrap_or(block.len())];
        let inner = |name: &str| block.lines().find_map(|line| line.trim().strip_prefix(name).map(strings));
        let words = inner("args ").unwrap_or_default();
        let words: Vec<Arg> =
            std::iter::once(program).chain(words.iter().map(|(_, word)| *word)).map(Arg::from).collect();
        let folder =
            line.split_once("cwd=").and_then(|(_, rest)| strings(rest).first().map(|(_, folder)| *folder));
        let folder = folder.map(|folder| format!("cd {}; ", quoted(&[Arg::from(folder)])));
        Some(Recipe { at: offset(text, program), text: folder.unwrap_or_default() + &quoted(&words) })
    });
    let panes: Vec<Recipe> = panes.take(MAX_LINES).collect();
    recipe::run(process, &scope, (&loaded, ""), &panes);
    None
}

/// Lines that helmfile runs around its releases, by the sub-command that it is called with.
fn events_of(verb: &str) -> &'static [&'static str] {
    match verb {
        "sync" => &["prepare", "presync", "postsync", "cleanup"],
        "apply" => &["prepare", "preapply", "presync", "postsync", "cleanup"],
        "destroy" | "delete" => &["prepare", "preuninstall", "postuninstall", "cleanup"],
        "charts" | "deps" | "diff" | "lint" | "list" | "repos" | "status" | "template" | "test"
        | "write-values" | "build" | "fetch" => &["prepare", "cleanup"],
        _ => &[],
    }
}

/// `helmfile -e NAME sync`: the hooks of its file and of its releases, with the name of the environment.
pub(super) fn helmfile(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    let verb = *words.iter().find(|word| !events_of(word).is_empty())?;
    let events = events_of(verb);
    let environment = option(process.args(), "-e", "--environment").unwrap_or("default").to_owned();
    let files = ["helmfile.yaml.gotmpl", "helmfile.yaml", "helmfile.yml", "helmfile.d/helmfile.yaml"];
    let mut scope = process.scope.clone();
    let loaded = match option(process.args(), "-f", "--file") {
        Some(file) => process.runner.look_up(&scope, file)?,
        None => recipe::nearest(process, &mut scope, &files)?,
    };
    let mut read = Vec::new();
    for part in rendered(&loaded.text, &environment).split("\n---") {
        hooks(&data::yaml(part), "", &mut read);
    }
    let mut lines = Vec::new();
    for (hook, release) in &read {
        let listed: Vec<&str> = hook
            .get("events")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        for event in listed.into_iter().filter(|event| events.contains(event)) {
            let fill = |text: &str| filled(text, (&environment, release, event));
            let Some(command) = hook.get("command").and_then(line) else { continue };
            let args =
                hook.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
            let words = std::iter::once(command.as_str()).chain(args).map(|word| Arg::from(fill(word)));
            let at = loaded.text.find(&command).unwrap_or(0);
            lines.push(Recipe { at, text: quoted(&words.collect::<Vec<_>>()) });
        }
    }
    lines.truncate(MAX_LINES);
    recipe::run(process, &scope, (&loaded, verb), &lines);
    None
}

/// Takes the hooks of a value, each with the name of the release to which it belongs.
fn hooks(value: &Value, name: &str, found: &mut Vec<(Value, String)>) {
    let Some(map) = value.as_object() else {
        value.as_array().into_iter().flatten().for_each(|inner| hooks(inner, name, found));
        return;
    };
    let name = map.get("name").and_then(Value::as_str).unwrap_or(name);
    for (key, inner) in map {
        if key == "hooks" {
            let own = inner.as_array().into_iter().flatten();
            found.extend(own.map(|hook| (hook.clone(), name.to_owned())));
        } else {
            hooks(inner, name, found);
        }
    }
}

/// A text of helmfile's with the values that are known.
fn filled(text: &str, (environment, release, event): (&str, &str, &str)) -> String {
    super::indented::filled_in(text, |expression| {
        let expression = expression.trim_matches(['-', ' ', '`']);
        let (name, _) = expression.split_once('|').unwrap_or((expression, ""));
        let home = name.trim().split_once("env \"").and_then(|(_, rest)| rest.split('"').next());
        Some(match name.trim().trim_start_matches('`').trim() {
            ".Environment.Name" => environment.to_owned(),
            ".Release.Name" | ".Release.Namespace" => release.to_owned(),
            ".Event.Name" => event.to_owned(),
            _ => format!("${{{}}}", home?),
        })
    })
}

/// A file with the branches that its environment chooses: `{{ if eq .Environment.Name "production" }}`.
fn rendered(text: &str, environment: &str) -> String {
    // For each condition around the line, whether its branch is left out; `None` where no one knows.
    let mut left_out: Vec<Option<bool>> = Vec::new();
    let mut kept = String::new();
    for line in text.lines() {
        let order = line.trim().strip_prefix("{{").and_then(|line| line.strip_suffix("}}"));
        let order = order.map(|order| order.trim_matches(['-', ' ']));
        match order {
            Some("end") => _ = left_out.pop(),
            Some("else") => {
                if let Some(last) = left_out.last_mut() {
                    *last = last.map(|out| !out);
                }
            }
            Some(order)
                if order.starts_with("if ") || order.starts_with("range ") || order.starts_with("with ") =>
            {
                let known =
                    ["if eq .Environment.Name ", "if ne .Environment.Name "].iter().find_map(|head| {
                        let name = order.strip_prefix(head)?.trim().trim_matches('"');
                        Some((name == environment) != head.starts_with("if eq"))
                    });
                left_out.push(known);
            }
            _ if left_out.contains(&Some(true)) => {}
            _ => kept.extend([line, "\n"]),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stand_below_their_keys() {
        let text = "name: x\nroot: y\non_project_start: a\nwindows:\n  - one: b\n  - two:\n      layout: tiled\n      panes:\n        - c\n        - [d, e]\n";
        let mut lines = Vec::new();
        under(&data::yaml(text), TMUXINATOR.keys, &mut lines);
        lines.sort();
        assert_eq!(lines, ["a", "b", "c", "d", "e"]);
    }

    #[test]
    fn only_the_branch_of_the_environment_is_kept() {
        let text = "a\n{{- if eq .Environment.Name \"prod\" }}\nb\n{{ else }}\nc\n{{ end }}\nd\n";
        assert_eq!(rendered(text, "prod"), "a\nb\nd\n");
        assert_eq!(rendered(text, "dev"), "a\nc\nd\n");
    }
}
