//! The tasks of `mise.toml`, with what they need: `mise run clean`.

use shell_engine::{Arg, Process, Scope};

use super::indented::Given;
use super::recipe::{self, Recipe};
use super::{MAX_PARTS, names, table};
use crate::programs::QUOTES;

/// The table of a task: `tasks.clean`, whose name may stand in quotes where it has a colon.
fn tasks(text: &str) -> impl Iterator<Item = &str> {
    let headers = text.lines().filter_map(|line| line.trim().strip_prefix("[tasks.")?.strip_suffix(']'));
    headers.map(|name| name.trim_matches(QUOTES))
}

/// The tasks that a name means: itself, the one that has it as an alias, those that a pattern finds.
fn meant<'t>(text: &'t str, name: &'t str) -> Vec<&'t str> {
    if let Some(start) = name.strip_suffix('*') {
        return tasks(text).filter(|own| own.starts_with(start)).collect();
    }
    let is_called = |own: &&str| {
        table::scripts(text, &[&format!("tasks.{own}")], "alias").iter().any(|alias| alias.text == name)
    };
    vec![tasks(text).find(is_called).unwrap_or(name)]
}

/// The value of a setting of a task.
fn setting(text: &str, task: &str, key: &str) -> Option<String> {
    let own = table::entries(text, &format!("tasks.{task}"));
    own.into_iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

/// Where a task runs, and with which variables.
fn place(text: &str, task: &str, scope: &Scope) -> Scope {
    let mut inner = scope.clone();
    if let Some(folder) = setting(text, task, "dir") {
        inner.change_folder(&folder);
    }
    let inline = setting(text, task, "env").unwrap_or_default();
    let inline = inline.trim_matches(['{', '}', ' ']).split(',').filter_map(|one| one.split_once('='));
    let inline =
        inline.map(|(name, value)| (name.trim().to_owned(), value.trim().trim_matches('"').to_owned()));
    for (name, value) in inline.chain(table::entries(text, &format!("tasks.{task}.env"))) {
        inner.set_text(&name, &value);
        inner.export(&name);
    }
    inner
}

/// A line with the values of its `{{ expressions }}`.
fn filled(line: &str, scope: &Scope, variables: &[Given]) -> String {
    let in_quotes = |text: &str| Some(text.split(QUOTES).nth(1)?.to_owned());
    super::indented::filled_in(line, |expression| {
        let variable = expression.strip_prefix("env.").map(str::to_owned);
        let variable = variable
            .or_else(|| in_quotes(expression.strip_prefix("env[")?))
            .or_else(|| in_quotes(expression.strip_prefix("get_env(")?));
        if let Some(name) = variable {
            let name = name.split([' ', '|']).next().unwrap_or("");
            let usual = || in_quotes(expression.split_once("default")?.1);
            let known = scope.exported(name).into_iter().find(|(own, _)| own == name);
            let home = || (name == "HOME").then(|| scope.home.to_string());
            return known.map(|(_, value)| value).or_else(home).or_else(usual);
        }
        match expression {
            "config_root" | "cwd" => Some(scope.cwd.to_string()),
            _ => {
                let own = expression.strip_prefix("vars.")?;
                let (_, value) = variables.iter().find(|(name, _)| name == own)?;
                Some(filled(value, scope, &[]))
            }
        }
    })
}

/// Runs a task that is a file of its own, with the variables of the others.
fn file_task(process: &mut Process<'_>, scope: &Scope, name: &str) {
    let folders = ["mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks"];
    let file = name.replace(':', "/");
    let files = folders.map(|folder| format!("{folder}/{file}"));
    if let Some(file) = files.iter().find(|file| process.runner.look_up(scope, file).is_some()) {
        process.start_in(&mut scope.clone(), &[Arg::from(format!("./{file}").as_str())]);
    }
}

/// Runs a task.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    let begins = match words.as_slice() {
        ["tasks" | "task" | "t", "run", ..] => 2,
        ["run" | "r", ..] => 1,
        [] => return None,
        // `mise clean`, where that is not a command of mise's own.
        [..] => 0,
    };
    let name = *words.get(begins)?;
    let mut scope = process.scope.clone();
    let files = ["mise.toml", ".mise.toml", "mise/config.toml", ".config/mise.toml"];
    let loaded = recipe::nearest(process, &mut scope, &files);
    let Some(loaded) = loaded else {
        file_task(process, &process.scope.clone(), name);
        return None;
    };
    let text = &*loaded.text;
    for (name, value) in table::entries(text, "env") {
        if name == "_.file" {
            super::dotenv(process, &mut scope, &value);
            continue;
        }
        let value = filled(&value, &scope, &[]);
        scope.set_text(&name, &value);
        scope.export(&name);
    }
    let variables = table::entries(text, "vars");
    let fill = |line: &str| filled(line, &scope, &variables);
    file_task(process, &scope, name);
    let mut wanted: Vec<String> = meant(text, name).into_iter().map(str::to_owned).collect();
    let mut at = 0;
    let mut known = false;
    while let Some(name) = wanted.get(at).cloned().filter(|_| at < MAX_PARTS) {
        at += 1;
        let own = format!("tasks.{name}");
        let own = [own.as_str()];
        let mut recipes = table::scripts(text, &["tasks"], &name);
        recipes.extend(table::scripts(text, &own, "run"));
        let files = table::scripts(text, &own, "file").into_iter();
        recipes.extend(files.map(|file| Recipe { at: file.at, text: format!("./{}", file.text) }));
        let mut needs: Vec<String> = Vec::new();
        for key in ["depends", "depends_post"] {
            needs.extend(table::scripts(text, &own, key).into_iter().map(|need| need.text));
        }
        // A list of commands, and an inline table, name others as well: `[{ task = "clean" }]`, `{ depends = ["clean"] }`.
        let is_task = |recipe: &Recipe| {
            tasks(text).any(|task| task == recipe.text)
                || !table::scripts(text, &["tasks"], &recipe.text).is_empty()
        };
        let (named, mut recipes): (Vec<Recipe>, Vec<Recipe>) = recipes.into_iter().partition(is_task);
        needs.extend(named.into_iter().map(|need| need.text));
        wanted.extend(needs.iter().flat_map(|need| meant(text, need)).map(str::to_owned));
        for recipe in recipes.iter_mut().filter(|recipe| recipe.text.contains("{{")) {
            recipe.text = fill(&recipe.text);
        }
        known |= recipe::run(process, &place(text, &name, &scope), (&loaded, &name), &recipes);
    }
    known.then(String::new)
}
