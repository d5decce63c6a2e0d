//! Tools that run a script in each package of a workspace, after the tasks that it depends on: turbo, lage, Nx, Lerna, Rush.

use payload::Json;
use shell_engine::{Loaded, Process, Scope};

use super::package::{in_folders, in_package, without_comments};
use super::recipe::{self, Recipe};
use super::workspace::{self, Meant};
use crate::programs::{option, options};

/// Tasks of one call, each with where it runs.
const MAX_TASKS: usize = 64;

/// Where a task runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    /// In the packages that the call means.
    Meant,
    /// In those that they depend on.
    Below,
    /// In all of them.
    All,
}

/// A script in each package that has it: `turbo run build`, `lerna run build`, `nx run-many -t build`, `nx build`.
pub(super) fn everywhere(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    let only_shows = |text: &str| {
        text.starts_with("--dry") || matches!(text, "--help" | "--version") || text.starts_with("--graph")
    };
    if args.iter().any(|arg| only_shows(&arg.text)) {
        return None;
    }
    let end = args.iter().position(|arg| arg.text == "--").unwrap_or(args.len());
    let (own, rest) = (&args[..end], args.get(end + 1..).unwrap_or(&[]));
    let mut wanted: Vec<&str> = options(own, "-t", "--target").chain(options(own, "", "--targets")).collect();
    let mut filters: Vec<&str> =
        FILTERS.iter().flat_map(|name| options(own, name, name)).flat_map(|list| list.split(',')).collect();
    let named: Vec<&str> = wanted.iter().copied().chain(filters.iter().copied()).collect();
    let words = own.iter().map(|arg| arg.text.as_str());
    let mut words = words.filter(|word| !word.starts_with('-') && !named.contains(word));
    match (process.name, words.next()?) {
        ("lerna", "exec") => {
            let at = own.iter().position(|arg| arg.text == "exec")?;
            let program: Vec<_> = if rest.is_empty() { own[at + 1..].to_vec() } else { rest.to_vec() };
            let program: Vec<_> = program.into_iter().skip_while(|arg| arg.text.starts_with('-')).collect();
            return in_folders(process, &meant(&filters), &program);
        }
        ("rush", verb) => return rush(process, verb),
        // A command of the tool itself runs the script of no package.
        (name, verb) if own_of(name).split(' ').any(|own| own == verb) => return None,
        ("turbo" | "lage", "run") => wanted.extend(words),
        (_, "run") => {
            // `nx run PROJECT:TASK`
            let task = words.next()?;
            let (project, task) = task.split_once(':').unwrap_or(("", task));
            wanted.push(task.split(':').next().unwrap_or(task));
            filters.extend(Some(project).filter(|project| !project.is_empty()));
        }
        (_, "run-many" | "affected") => {}
        ("turbo" | "lage", script) => wanted.extend(std::iter::once(script).chain(words)),
        // `nx build web`
        ("nx", script) => {
            wanted.push(script);
            filters.extend(words.next());
        }
        _ => return None,
    }
    let wanted: Vec<String> = wanted.iter().flat_map(|list| list.split(',')).map(str::to_owned).collect();
    let scope = process.scope.clone();
    let packages = workspace::packages(process, &scope, &Meant::All);
    let mut root = scope.clone();
    let settings =
        recipe::nearest(process, &mut root, &["turbo.json", "nx.json", "lerna.json", "package.json"]);
    let own = recipe::nearest(process, &mut scope.clone(), &["package.json"]);
    let own_settings: Vec<Loaded> = packages
        .iter()
        .filter_map(|(folder, _)| {
            process.runner.look_up(folder, "turbo.json").filter(|_| process.name == "turbo")
        })
        .collect();
    let settings: Vec<&Loaded> = settings.iter().chain(&own_settings).collect();
    let plain: Vec<String> =
        settings.into_iter().chain(&own).map(|file| without_comments(&file.text)).collect();
    let mut tasks: Vec<(String, Where)> = wanted.iter().map(|task| (task.clone(), Where::Meant)).collect();
    let mut order: Vec<(String, Where)> = Vec::new();
    while let Some(task) = tasks.pop().filter(|_| order.len() < MAX_TASKS) {
        if order.contains(&task) {
            continue;
        }
        for text in &plain {
            tasks.extend(needs(text, &task.0).into_iter().map(|need| placed(&need, task.1)));
        }
        order.push(task);
    }
    let meant = meant(&filters);
    // What is needed runs first.
    for (task, place) in order.iter().rev() {
        let (package, script) = task.rsplit_once('#').unwrap_or(("", task));
        for (mut folder, loaded) in chosen(&packages, (&meant, *place, package)) {
            for (name, value) in &process.call.assigns {
                folder.give(name, value);
            }
            in_package(process, &folder, &loaded, (script, &[]));
        }
        if let Some(own) = own.as_ref().filter(|_| package.is_empty() || package == "//") {
            in_package(process, &scope, own, (script, &[]));
        }
    }
    None
}

/// Sub-commands that start no task.
fn own_of(name: &str) -> &'static str {
    match name {
        "turbo" => {
            "bin boundaries config daemon gen generate info link login logout ls prune query scan telemetry unlink"
        }
        "nx" => {
            "connect daemon exec format format:check format:write graph import init list migrate release repair report reset show sync watch"
        }
        _ => "",
    }
}

/// Options that name packages.
const FILTERS: [&str; 6] = ["--filter", "-F", "--scope", "--projects", "--project", "-p"];

/// The packages that filters mean.
fn meant<'a>(filters: &[&'a str]) -> Meant<'a> {
    if filters.is_empty() { Meant::All } else { Meant::Named(filters.to_vec()) }
}

/// A task as another one names it: `^build` is that of the packages below, `web#build` that of one.
fn placed(need: &str, place: Where) -> (String, Where) {
    match need.strip_prefix('^') {
        Some(task) => (task.to_owned(), if place == Where::All { Where::All } else { Where::Below }),
        None if need.contains('#') => (need.to_owned(), Where::All),
        None => (need.to_owned(), place),
    }
}

/// The tasks that one depends on, as turbo's, Nx's and the package's own file say it.
fn needs(text: &str, task: &str) -> Vec<String> {
    let Some(file) = Json::new(text) else { return Vec::new() };
    let tables = ["tasks", "pipeline", "targetDefaults", "targets"];
    let inner = [Some(file), file.get("nx")].into_iter().flatten();
    let tables = inner.flat_map(|file| tables.iter().filter_map(move |table| file.get(table)));
    let mut found = Vec::new();
    for (name, settings) in tables.flat_map(Json::members) {
        // `web#build` is about one package; of a plain name, all have it.
        if name.rsplit('#').next() != task.rsplit('#').next() {
            continue;
        }
        let listed = settings.get("dependsOn").into_iter().flat_map(Json::elements);
        for need in listed {
            let target = || {
                let below = need.get("dependencies").or_else(|| need.get("projects")).is_some();
                Some(format!("{}{}", if below { "^" } else { "" }, need.get("target")?.as_str()?))
            };
            found.extend(need.as_str().map(std::borrow::Cow::into_owned).or_else(target));
        }
    }
    // Variables of the environment stood in the same list once.
    found.retain(|need| !need.starts_with('$'));
    found
}

/// The packages in which a task runs.
fn chosen(
    packages: &[(Scope, Loaded)],
    (meant, place, package): (&Meant<'_>, Where, &str),
) -> Vec<(Scope, Loaded)> {
    let name = |loaded: &Loaded| -> String {
        let name = Json::new(&loaded.text)
            .and_then(|file| file.get("name")?.as_str().map(std::borrow::Cow::into_owned));
        name.unwrap_or_default()
    };
    let names: Vec<String> = packages.iter().map(|(_, loaded)| name(loaded)).collect();
    let is_meant = |at: usize| meant.has(&names[at], &packages[at].0.cwd);
    let mut found: Vec<usize> = (0..packages.len()).filter(|at| is_meant(*at)).collect();
    // A project may have another name than its package.
    if found.is_empty() || place == Where::All {
        found = (0..packages.len()).collect();
    }
    if place == Where::Below {
        let mut at = 0;
        let mut below: Vec<usize> = Vec::new();
        let mut open = found;
        while let Some(&next) = open.get(at) {
            at += 1;
            let text = &packages[next].1.text;
            let new: Vec<usize> = (0..packages.len())
                .filter(|other| {
                    let is_named =
                        !names[*other].is_empty() && text.contains(&format!("\"{}\"", names[*other]));
                    *other != next && is_named && !below.contains(other)
                })
                .collect();
            below.extend(&new);
            open.extend(new);
        }
        found = below;
    }
    found.retain(|at| package.is_empty() || names[*at] == package);
    found.into_iter().map(|at| packages[at].clone()).collect()
}

/// `rush build`, `rush NAME`: the script of each project, or a line of the workspace's own, with the lines around it.
fn rush(process: &mut Process<'_>, verb: &str) -> Option<String> {
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &["rush.json"])?;
    let script = if verb == "rebuild" { "build" } else { verb };
    let events: &[&str] = match script {
        "install" | "update" => &["preRushInstall", "postRushInstall"],
        "build" => &["preRushBuild", "postRushBuild"],
        _ => &[],
    };
    let plain = without_comments(&loaded.text);
    let hooks = Json::new(&plain).and_then(|file| file.get("eventHooks"));
    let lines = events.iter().filter_map(|event| hooks?.get(event)).flat_map(Json::elements);
    let lines = lines.filter_map(|line| {
        Some(Recipe { at: recipe::offset(&plain, line.text()), text: line.as_str()?.into_owned() })
    });
    let lines: Vec<Recipe> = lines.collect();
    recipe::run(process, &scope, (&loaded, script), &lines);
    let commands = process.runner.look_up(&scope, "common/config/rush/command-line.json");
    if let Some(commands) = commands {
        let plain = without_comments(&commands.text);
        let all = Json::new(&plain).and_then(|file| file.get("commands"));
        let own = all.into_iter().flat_map(Json::elements);
        let own = own.filter(|command| command.get_str("name").as_deref() == Some(script));
        let lines = own.filter_map(|command| command.get("shellCommand")).filter_map(|line| {
            Some(Recipe { at: recipe::offset(&plain, line.text()), text: line.as_str()?.into_owned() })
        });
        let lines: Vec<Recipe> = lines.collect();
        recipe::run(process, &scope, (&commands, script), &lines);
    }
    let to = option(process.args(), "-t", "--to").or_else(|| option(process.args(), "-o", "--only"));
    let meant = meant(to.as_slice());
    for (folder, loaded) in workspace::packages(process, &scope, &meant) {
        in_package(process, &folder, &loaded, (script, &[]));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_names_those_that_come_first() {
        let text = r#"{"tasks": {"build": {"dependsOn": ["^build", "gen", "$CI"]}, "web#build": {"dependsOn": ["x"]}}}"#;
        assert_eq!(needs(text, "build"), ["^build", "gen", "x"]);
        let text = r#"{"targetDefaults": {"a": {"dependsOn": [{"target": "b", "dependencies": true}]}}}"#;
        assert_eq!(needs(text, "a"), ["^b"]);
    }
}
