//! The programs that a file lists for those who keep them running: pm2's `ecosystem.config.js`, `supervisord.conf`.

use shell_engine::{Arg, Process, mark};

use super::recipe::{self, Recipe, offset};
use super::testers::{closing, parts, strings};
use crate::programs::{QUOTES, option, quoted};

/// Programs of one file.
const MAX_APPS: usize = 32;
/// What pm2 starts a file by where nothing else is said.
const BY_ENDING: [(&str, &str); 7] = [
    ("js", "node"),
    ("cjs", "node"),
    ("mjs", "node"),
    ("ts", "node"),
    ("sh", "bash"),
    ("py", "python3"),
    ("php", "php"),
];

pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let mut words = process.args().iter().map(|arg| arg.text.as_str()).filter(|word| !word.starts_with('-'));
    let verb = words.next()?;
    let starts = ["start", "restart", "reload", "startOrRestart", "startOrReload"].contains(&verb);
    let named = if starts { words.next() } else { Some(verb).filter(|_| process.name != "pm2") };
    let file = named.or(starts.then_some("ecosystem.config.js"))?;
    let lists = |ending| file.ends_with(ending);
    if !lists(".json") && !file.contains(".config.") {
        return None;
    }
    let scope = process.scope.clone();
    let loaded = process.runner.look_up(&scope, file)?;
    let only: Vec<&str> =
        option(process.args(), "", "--only").into_iter().flat_map(|list| list.split(',')).collect();
    let text = &*loaded.text;
    let lines = text.match_indices('{').filter_map(|(at, _)| {
        let body = &text[at + 1..];
        let body = &body[..closing(body, ('{', '}'))?];
        let fields: Vec<(&str, &str)> = parts(body)
            .into_iter()
            .filter_map(|part| part.split_once(':'))
            .map(|(name, value)| (name.trim().trim_matches(QUOTES), value.trim()))
            .collect();
        let all = |key: &str| -> Vec<&str> {
            let value = fields.iter().find(|(name, _)| *name == key).map_or("", |(_, value)| value);
            strings(value).into_iter().map(|(_, word)| word).collect()
        };
        let get = |key: &str| all(key).first().copied();
        let script = get("script")?;
        if !only.is_empty() && !get("name").is_some_and(|name| only.contains(&name)) {
            return None;
        }
        let ending = script.rsplit_once('.').map_or("", |(_, ending)| ending);
        let usual = BY_ENDING.iter().find(|(own, _)| *own == ending).map(|(_, program)| *program);
        let interpreter =
            get("interpreter").or(get("exec_interpreter")).or(usual).filter(|name| *name != "none");
        // A line with arguments goes to a shell.
        let interpreter = interpreter.filter(|_| !script.contains(' '));
        let folder = get("cwd").map(|folder| format!("cd {} && ", quoted(&[Arg::from(folder)])));
        let args = all("args").join(" ");
        let line = format!("{}{} {script} {args}", folder.unwrap_or_default(), interpreter.unwrap_or(""));
        Some(Recipe { at: offset(text, script), text: line })
    });
    let lines: Vec<Recipe> = lines.take(MAX_APPS).collect();
    recipe::run(process, &scope, (&loaded, verb), &lines);
    None
}

/// `supervisord -c FILE`: what its sections start by themselves.
pub(super) fn supervisor(process: &mut Process<'_>) -> Option<String> {
    let scope = process.scope.clone();
    let named = option(process.args(), "-c", "--configuration");
    let usual = ["supervisord.conf", "etc/supervisord.conf", "/etc/supervisord.conf"];
    let files = named.map_or(usual.to_vec(), |file| vec![file]);
    let (file, loaded) =
        files.iter().find_map(|file| Some((*file, process.runner.look_up(&scope, file)?)))?;
    let folder = file.rsplit_once('/').map_or(".", |(folder, _)| folder);
    // `[include]` names more files, from the folder of this one.
    let listed = sections(&loaded.text).find(|(name, _)| *name == "include");
    let listed = listed.and_then(|(_, body)| key(body, "files")).unwrap_or("");
    let mut found = Vec::new();
    for pattern in listed.split_whitespace().take(MAX_APPS) {
        let pattern = format!("{folder}/{}", pattern.replace('*', &mark::STAR.to_string()));
        for file in process.runner.paths(&scope, &pattern).into_iter().take(MAX_APPS) {
            found.extend(process.runner.look_up(&scope, &file));
        }
    }
    for loaded in std::iter::once(loaded).chain(found) {
        let text = &*loaded.text;
        let starts = |(name, body): &(&str, &str)| {
            (name.starts_with("program:") || name.starts_with("eventlistener:"))
                && key(body, "autostart") != Some("false")
        };
        let lines = sections(text).filter(starts).filter_map(|(_, body)| {
            let command = key(body, "command")?;
            let folder_of = key(body, "directory").map(|folder| format!("cd {folder} && "));
            let line = format!("{}{command}", folder_of.unwrap_or_default()).replace("%(here)s", folder);
            Some(Recipe { at: offset(text, command), text: line })
        });
        let lines: Vec<Recipe> = lines.take(MAX_APPS).collect();
        recipe::run(process, &scope, (&loaded, ""), &lines);
    }
    None
}

/// The sections of a file, with their names.
fn sections(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let heads = text.match_indices("\n[").map(|(at, _)| at + 2);
    let first = text.starts_with('[').then_some(1);
    first.into_iter().chain(heads).filter_map(|at| {
        let (name, body) = text[at..].split_once(']')?;
        Some((name, body.split("\n[").next().unwrap_or(body)))
    })
}

/// The value of a key in a section.
fn key<'t>(body: &'t str, key: &str) -> Option<&'t str> {
    let values = body.lines().filter_map(|line| line.split_once('='));
    values
        .map(|(name, value)| (name.trim(), value.trim()))
        .find(|(name, _)| *name == key)
        .map(|(_, value)| value)
}
