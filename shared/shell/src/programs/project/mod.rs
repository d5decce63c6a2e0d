//! Tools that run what a project's own files name: make, just, the scripts of `package.json` and their like. Each form of
//! file has one reader; what it finds are lines with their places.

mod indented;
mod make;
mod package;
mod recipe;
pub(super) mod repository;
mod table;

use shell_engine::{Process, Scope};

use super::{bundled, option, options, script_at};
use recipe::Recipe;

/// Runs what a tool finds in the project's files. `None` where it finds nothing.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    match process.name {
        "make" | "gmake" | "ninja" => make::run(process),
        "just" => just(process),
        "gradle" | "gradlew" => gradle(process),
        "npm" | "pnpm" | "yarn" | "bun" => package::manager(process),
        "run-s" | "run-p" | "npm-run-all" => package::run_all(process),
        "composer" => package::composer(process),
        "deno" => package::deno_task(process),
        "devcontainer" => package::container(process),
        "task" | "go-task" => task(process),
        "rake" => rake(process),
        "foreman" | "honcho" | "overmind" | "hivemind" | "forego" => procfile(process),
        "ansible-playbook" => playbook(process),
        "poe" | "poethepoet" | "hatch" | "pdm" | "rye" => scripts(process),
        _ => None,
    }
}

/// The scripts of `pyproject.toml` that a tool starts by their names: `poe clean`, `hatch run env:clean`, `pdm run clean`.
pub(super) fn scripts(process: &mut Process<'_>) -> Option<String> {
    let (file, headers): (&[&str], &[&str]) = match process.name {
        "poe" | "poethepoet" => (&["pyproject.toml", "poe_tasks.toml"], &["tool.poe.tasks", "tasks"]),
        "pdm" => (&["pyproject.toml"], &["tool.pdm.scripts"]),
        "rye" => (&["pyproject.toml"], &["tool.rye.scripts"]),
        _ => (
            &["pyproject.toml", "hatch.toml"],
            &["tool.hatch.envs.default.scripts", "envs.default.scripts", "tool.hatch.scripts"],
        ),
    };
    let mut words = process.args().iter().map(|arg| arg.text.as_str()).filter(|word| !word.starts_with('-'));
    let first = words.next()?;
    let script = if first == "run" { words.next()? } else { first };
    let (environment, name) = script.rsplit_once(':').unwrap_or(("default", script));
    let own = format!("tool.hatch.envs.{environment}.scripts");
    let headers: Vec<&str> = headers.iter().copied().chain([own.as_str()]).collect();
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, file)?;
    let recipes = table::scripts(&loaded.text, &headers, name);
    recipe::run(process, &scope, (&loaded, script), &recipes).then(String::new)
}

/// The words that are no options, and name what is to be done.
fn names<'p>(process: &Process<'p>) -> Vec<&'p str> {
    let words = process.args().iter().map(|arg| arg.text.as_str());
    words.filter(|word| !word.starts_with('-') && !word.contains('=')).collect()
}

/// Whether it only lists or shows.
fn only_shows(process: &Process<'_>, options: &[&str]) -> bool {
    process.args().iter().any(|arg| options.contains(&arg.text.as_str()))
}

fn just(process: &mut Process<'_>) -> Option<String> {
    let mut scope = process.scope.clone();
    let loaded = match bundled("just", process.args(), 'f', "--justfile").first() {
        Some(file) => match script_at(process, file) {
            Some(text) => shell_engine::Loaded { text, file: None },
            None => process.runner.look_up(&scope, file)?,
        },
        None => recipe::nearest(process, &mut scope, &["justfile", "Justfile", ".justfile"])?,
    };
    if loaded.file.is_none() {
        // What this command has written itself is looked at as a whole.
        let indented = loaded.text.lines().filter(|line| line.starts_with([' ', '\t']));
        let lines = indented.map(|line| line.trim_start().trim_start_matches(['@', '-']));
        let recipes: Vec<Recipe> = lines.map(|line| Recipe::piece(&loaded.text, line)).collect();
        return recipe::run(process, &scope, (&loaded, ""), &recipes).then(String::new);
    }
    if only_shows(
        process,
        &["-n", "--dry-run", "-l", "--list", "--show", "-s", "--summary", "--evaluate", "--fmt"],
    ) {
        return Some(String::new());
    }
    let goals = names(process);
    let recipes = match goals.first() {
        Some(_) => goals.iter().flat_map(|goal| indented::just(&loaded.text, Some(goal))).collect(),
        None => indented::just(&loaded.text, None),
    };
    recipe::run(process, &scope, (&loaded, &goals.join(" ")), &recipes).then(String::new)
}

fn task(process: &mut Process<'_>) -> Option<String> {
    if only_shows(process, &["-n", "--dry", "-l", "--list", "-a", "--list-all", "--summary", "--init", "-i"])
    {
        return None;
    }
    let files = ["Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml"];
    let mut goals = names(process);
    if goals.is_empty() {
        goals.push("default");
    }
    let goals = goals.join(" ");
    of_file(process, &files, &goals, |text| {
        goals.split(' ').flat_map(|goal| indented::task(text, goal)).collect()
    })
}

fn procfile(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    words.first().filter(|word| matches!(**word, "start" | "run" | "s"))?;
    let name = words.get(1).copied();
    of_file(process, &["Procfile"], "", |text| indented::procfile(text, name))
}

fn playbook(process: &mut Process<'_>) -> Option<String> {
    if only_shows(process, &["--check", "-C", "--syntax-check", "--list-tasks", "--list-hosts"]) {
        return None;
    }
    let args = process.args();
    let local = option(args, "-c", "--connection") == Some("local")
        || option(args, "-i", "--inventory").is_some_and(|hosts| hosts.starts_with("localhost"));
    let books: Vec<&str> = names(process).into_iter().filter(|word| word.contains(".y")).collect();
    for book in books {
        of_file(process, &[book], "", |text| indented::playbook(text, local));
    }
    None
}

fn rake(process: &mut Process<'_>) -> Option<String> {
    if only_shows(process, &["-T", "--tasks", "-n", "--dry-run", "-P", "-W", "-D", "--describe"]) {
        return None;
    }
    let scope = process.scope.clone();
    let files = ["Rakefile", "rakefile", "Rakefile.rb"];
    let loaded = files.iter().find_map(|name| process.runner.look_up(&scope, name))?;
    for name in names(process) {
        let Some((at, body)) = indented::rake(&loaded.text, name) else { continue };
        let mut inner = scope.clone();
        let Some(opened) = process.runner.open_file(&mut inner, (loaded.file, name)) else { continue };
        shell_interpreters::run_piece(&mut process.elsewhere(&mut inner), "ruby", (body, at));
        process.runner.close_file(&mut inner, &opened);
    }
    None
}

/// Runs what a reader finds in the first of these files.
fn of_file(
    process: &mut Process<'_>,
    files: &[&str],
    part: &str,
    read: impl Fn(&str) -> Vec<Recipe>,
) -> Option<String> {
    let mut scope: Scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, files)?;
    let recipes = read(&loaded.text);
    recipe::run(process, &scope, (&loaded, part), &recipes).then(String::new)
}

/// The build scripts that Gradle runs, as far as this command has written them: those that it is given, and those
/// that it finds.
fn gradle(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    let told = options(args, "-I", "--init-script")
        .chain(options(args, "-b", "--build-file"))
        .chain(options(args, "-c", "--settings-file"));
    let found = ["settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts"];
    let scripts: Vec<_> =
        told.chain(found).filter_map(|file| process.runner.file_at(process.scope, file)).collect();
    for script in scripts {
        let mut inner = process.scope.clone();
        shell_interpreters::run_body(&mut process.elsewhere(&mut inner), "groovy", &script);
    }
    None
}
