//! Tools that run what a project's own files name: make, just, the scripts of `package.json` and their like. Each form of
//! file has one reader; what it finds are lines with their places.

mod airflow;
mod argo;
mod blocks;
mod builders;
mod cmake;
mod compiled;
mod containers;
mod dockerfile;
mod dvc;
mod entry;
mod frameworks;
mod gitlab;
mod grunt;
mod indented;
mod make;
mod meson;
mod migrations;
mod mise;
mod monorepo;
mod nextflow;
mod ninja;
mod nix;
mod package;
mod playbook;
mod processes;
mod pyproject;
mod recipe;
pub(super) mod repository;
mod sessions;
mod settings;
mod snakemake;
mod table;
mod testers;
mod vagrant;
mod values;
mod workspace;

pub(in crate::programs) use entry::declared;
pub(super) use package::{deno_task, script_named as script};
pub(super) use pyproject::scripts;
use std::rc::Rc;

use shell_engine::text::data;
use shell_engine::{Arg, Loaded, Process, Scope, Span, mark};

use super::{bundled, given, operands, option, options, quoted};
use crate::programs::QUOTES;
use recipe::Recipe;
pub(super) use recipe::{named, nearest};
pub(super) use testers::{closing, parts};

/// Runs what a tool finds in the project's files. `None` where it finds nothing.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    match process.name {
        "make" | "gmake" => make::run(process),
        "ninja" => ninja::run(process),
        "just" => just(process),
        "cmake" => cmake::run(process),
        "gradle" | "gradlew" => gradle(process),
        "npm" | "pnpm" | "yarn" | "bun" => package::manager(process),
        "nr" | "rushx" => package::script_named(process),
        "run-s" | "run-p" | "npm-run-all" => package::run_all(process),
        "composer" => package::composer(process),
        "devcontainer" => containers::development(process),
        "task" | "go-task" => task(process),
        "rake" => frameworks::rake(process),
        "foreman" | "honcho" | "overmind" | "hivemind" | "forego" | "heroku" => procfile(process),
        "ansible-playbook" => ansible(process),
        "lefthook" => lefthook(process),
        "nox" => testers::nox(process),
        "gulp" => testers::gulp(process),
        "grunt" | "jake" => testers::grunt(process),
        "inv" | "invoke" | "fab" => testers::invoke(process),
        "poe" | "poethepoet" => scripts(process),
        _ => None,
    }
}

/// Runs what a tool starts because of a file, besides what its own arguments say.
pub(super) fn beside(process: &mut Process<'_>) {
    match process.name {
        "terraform" | "tofu" | "terragrunt" => terraform(process),
        "pre-commit" | "prek" => pre_commit(process),
        "kubectl" | "oc" | "k" => kubectl(process),
        "helm" => helm(process),
        "helmfile" => sessions::helmfile(process),
        "tmuxinator" | "mux" | "tmuxp" | "teamocil" | "smug" | "zellij" | "mprocs" | "process-compose" => {
            sessions::run(process)
        }
        "act" | "lint-staged" | "packer" | "skaffold" | "systemctl" | "tilt" => settings::run(process),
        "docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose" => containers::compose(process),
        "cargo" => cargo(process),
        "php" | "artisan" | "pulumi" | "cdk" | "cdklocal" | "fastlane" | "cap" | "flask" | "python"
        | "python3" | "manage.py" | "django-admin" => frameworks::run(process),
        "dotnet" => dotnet(process),
        "gcc" | "cc" | "clang" | "g++" | "c++" | "clang++" | "rustc" | "swiftc" | "go" => {
            compiled::run(process)
        }
        "gradle" | "gradlew" => gradle_tasks(process),
        "meson" => meson::run(process),
        "nix-shell" | "nix" | "devenv" => nix::run(process),
        "mise" => mise::run(process),
        "pm2" | "pm2-runtime" => processes::run(process),
        "supervisord" => processes::supervisor(process),
        "jenkinsfile-runner" => jenkinsfile(process),
        "snakemake" => snakemake::run(process),
        "airflow" => airflow::run(process),
        "vagrant" => vagrant::run(process),
        "argo" => argo::run(process),
        "dvc" => dvc::run(process),
        "gitlab-ci-local" => gitlab::run(process),
        "nextflow" => nextflow::run(process),
        "uv" | "uvx" | "pipx" | "poetry" | "hatch" | "pdm" | "rye" | "pipenv" => {
            entry::launched(process);
            None
        }
        "tox" => testers::tox(process),
        "turbo" | "lage" | "lerna" | "rush" => monorepo::everywhere(process),
        "nx" => monorepo::everywhere(process).or_else(|| builders::run(process)),
        "bundle" | "bundler" => {
            if let Some(program) = catalog::find(process.name) {
                super::harness::configured(process, program);
            }
            None
        }
        _ => builders::run(process).or_else(|| migrations::run(process)),
    };
}

/// `jenkinsfile-runner -f FILE`: the steps of a pipeline.
fn jenkinsfile(process: &mut Process<'_>) -> Option<String> {
    let mut scope = process.scope.clone();
    let file = option(process.args(), "-f", "--file").unwrap_or("Jenkinsfile");
    let loaded = recipe::nearest(process, &mut scope, &[file])?;
    recipe::code(process, &scope, (&loaded, ""), ("groovy", &loaded.text, 0));
    None
}

/// The operands that name what is to be done.
fn names<'p>(process: &Process<'p>) -> Vec<&'p str> {
    let mut words = operands(process.name, process.args());
    // The file and the folder that an option names do not count.
    let named = recipe::named(process);
    words.retain(|word| !word.contains('=') && !named.contains(&Some(*word)));
    words
}

/// Whether it only lists or shows.
fn only_shows(process: &Process<'_>, options: &[&str]) -> bool {
    // What stands after `--` is for what it runs.
    let mut own = process.args().iter().map(|arg| arg.text.as_str()).take_while(|arg| *arg != "--");
    own.any(|arg| options.contains(&arg))
}

fn just(process: &mut Process<'_>) -> Option<String> {
    let mut scope = process.scope.clone();
    let loaded = match bundled("just", process.args(), 'f', "--justfile").first() {
        Some(file) => given(process, &scope, file)?,
        None => recipe::nearest(process, &mut scope, &["justfile", "Justfile", ".justfile"])?,
    };
    // What stands after a recipe is the recipe's: `just clean --list`.
    let shows = ["-n", "--dry-run", "-l", "--list", "--show", "-s", "--summary", "--evaluate", "--fmt"];
    let first = names(process).first().copied();
    let mut own = process.args().iter().map(|arg| arg.text.as_str()).take_while(|arg| Some(*arg) != first);
    if own.any(|arg| shows.contains(&arg)) {
        return Some(String::new());
    }
    if loaded.file.is_none() && mark::any(&loaded.text) {
        // What this command has written itself, and is known in part only, is looked at as a whole.
        let indented = loaded.text.lines().filter(|line| line.starts_with([' ', '\t']));
        let lines = indented.map(|line| line.trim_start().trim_start_matches(['@', '-']));
        let recipes: Vec<Recipe> = lines.map(|line| Recipe::piece(&loaded.text, line)).collect();
        return recipe::run(process, &scope, (&loaded, ""), &recipes).then(String::new);
    }
    let (goals, mut set) = goals_of_just(process);
    // What it brings in has variables of its own.
    let imports = loaded.text.lines().filter_map(|line| line.strip_prefix("import")).take(MAX_PARTS);
    for import in imports {
        let file = import.trim_start_matches('?').trim().trim_matches(QUOTES);
        if let Some(found) = process.runner.look_up(&scope, file) {
            let is_new = |name: &str| !set.iter().any(|(own, _)| own == name);
            let values = indented::values_of_just(&found.text, |name, _| is_new(name));
            set.extend(values);
        }
    }
    if loaded.text.contains("set dotenv-load") && !loaded.text.contains("set dotenv-load := false") {
        dotenv(process, &mut scope, ".env");
    }
    for (name, value) in indented::values_of_just(&loaded.text, |_, exported| exported) {
        scope.set_text(&name, &value);
        scope.export(&name);
    }
    let (mut recipes, missing) = indented::just(&loaded.text, &goals, &set);
    // Only a shell fills in its variables: a recipe of another language gets the folders themselves.
    for recipe in recipes.iter_mut().filter(|recipe| recipe.text.trim_start().starts_with("#!")) {
        if !recipe.text.lines().next().is_some_and(|line| line.trim_end().ends_with("sh")) {
            recipe.text = recipe.text.replace("$PWD", &scope.cwd).replace("$HOME", &scope.home);
        }
    }
    let known = recipe::run(process, &scope, (&loaded, &goals.join(" ")), &recipes);
    let goals: Vec<&str> = goals.iter().copied().chain(missing.iter().map(String::as_str)).collect();
    let brought_in = brought_in_by_just(process, &scope, &loaded.text, (&goals, &set));
    (known || brought_in).then(String::new)
}

/// Runs what a justfile brings in by name, and its modules: `just ops::wipe`, `just ops wipe`.
fn brought_in_by_just(
    process: &mut Process<'_>,
    scope: &Scope,
    text: &str,
    (goals, set): (&[&str], &[indented::Given]),
) -> bool {
    let mut known = false;
    let parts: Vec<&str> = goals.iter().flat_map(|goal| goal.split("::")).collect();
    for line in text.lines().filter(|line| line.starts_with(['i', 'm'])).take(MAX_PARTS) {
        let mut words = line.split_whitespace();
        let (word, name) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let file = words.next().unwrap_or("").trim_matches(QUOTES);
        let (files, goals) = match word.trim_end_matches('?') {
            "import" => (vec![name.trim_matches(QUOTES).to_owned()], goals),
            "mod" if parts.first() == Some(&name) => {
                let usual = [format!("{name}.just"), format!("{name}/mod.just"), format!("{name}/justfile")];
                (usual.into_iter().chain([file.to_owned()]).collect(), &parts[1..])
            }
            _ => continue,
        };
        let found = files.iter().find_map(|file| process.runner.look_up(scope, file));
        let Some(found) = found.filter(|_| !goals.is_empty()) else { continue };
        let (recipes, _) = indented::just(&found.text, goals, set);
        known |= recipe::run(process, scope, (&found, &goals.join(" ")), &recipes);
    }
    known
}

/// Sets the variables of a file for what runs in `scope`.
fn dotenv(process: &mut Process<'_>, scope: &mut Scope, file: &str) {
    let Some(loaded) = process.runner.look_up(scope, file) else { return };
    for (name, value) in data::variables(&loaded.text) {
        scope.set_text(name, value);
        scope.export(name);
    }
}

/// Files that one justfile brings in.
const MAX_PARTS: usize = 16;

/// The words of a call of just: recipes with their arguments, and the variables that it sets in front of them.
fn goals_of_just<'p>(process: &Process<'p>) -> (Vec<&'p str>, Vec<indented::Given>) {
    let args = process.args();
    let set = args.windows(3).filter(|three| three[0].text == "--set");
    let mut set: Vec<indented::Given> =
        set.map(|three| (three[1].text.clone(), three[2].text.clone())).collect();
    let mut words = operands(process.name, args);
    words.retain(|word| !set.iter().any(|(name, value)| word == name || word == value));
    let before = words.iter().take_while(|word| word.contains('=')).count();
    let given = words.drain(..before).filter_map(|word| word.split_once('='));
    set.extend(given.map(|(name, value)| (name.to_owned(), value.to_owned())));
    (words, set)
}

fn task(process: &mut Process<'_>) -> Option<String> {
    if only_shows(process, &["-n", "--dry", "-l", "--list", "-a", "--list-all", "--summary", "--init", "-i"])
    {
        return None;
    }
    let files = ["Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml"];
    let (file, folder) = (option(process.args(), "-t", "--taskfile"), option(process.args(), "-d", "--dir"));
    let mut scope = process.scope.clone();
    if let Some(folder) = folder {
        scope.change_folder(folder);
    }
    let loaded = match file {
        Some(file) => given(process, &scope, file)?,
        None => match recipe::nearest(process, &mut scope, &files) {
            Some(loaded) => loaded,
            // taskipy's program has the same name.
            None => return scripts(process),
        },
    };
    let mut goals = names(process);
    if goals.is_empty() {
        goals.push("default");
    }
    let words = operands(process.name, process.args()).into_iter().filter_map(|word| word.split_once('='));
    let given: Vec<_> = words.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    for (name, value) in indented::environment(&loaded.text) {
        scope.set_text(&name, &value);
        scope.export(&name);
    }
    let files_of_variables = loaded.text.lines().filter_map(|line| line.strip_prefix("dotenv:"));
    for file in files_of_variables.flat_map(|list| list.trim().trim_matches(['[', ']']).split(',')) {
        dotenv(process, &mut scope, file.trim_matches([' ', '"', '\'']));
    }
    let mut known = false;
    let goals: Vec<String> = goals.into_iter().map(str::to_owned).collect();
    let mut files_left =
        vec![(loaded, scope, goals.into_iter().map(|goal| (goal, given.clone())).collect::<Vec<_>>())];
    let mut at = 0;
    while at < files_left.len().min(MAX_PARTS) {
        let (loaded, scope, goals) = files_left[at].clone();
        at += 1;
        for (goal, given) in &goals {
            let (recipes, others) = indented::task(&loaded.text, goal, given);
            known |= recipe::run(process, &scope, (&loaded, goal), &recipes);
            // What stands in other files: `sub:wipe`.
            for (goal, given) in others {
                let Some(included) = indented::included(&loaded.text, &goal) else { continue };
                let paths = files.iter().map(|name| format!("{}/{name}", included.file));
                let found = paths
                    .chain([included.file.clone()])
                    .find_map(|path| process.runner.look_up(&scope, &path));
                let mut inner = scope.clone();
                inner.change_folder(&included.folder);
                let given = given.into_iter().chain(included.given).collect();
                files_left.extend(found.map(|found| (found, inner, vec![(included.goal, given)])));
            }
        }
    }
    known.then(String::new)
}

fn procfile(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    let named = option(process.args(), "-f", "--procfile");
    if process.name == "hivemind" {
        let file = words.first().copied().unwrap_or("Procfile");
        return of_file(process, &[file], "", |text| indented::procfile(text, None));
    }
    let mut words = words.into_iter();
    // `heroku run` is about another machine.
    let starts: &[&str] = if process.name == "heroku" { &["local"] } else { &["start", "run", "s"] };
    words.next().filter(|word| starts.contains(word))?;
    let name = words.next();
    of_file(process, &[named.unwrap_or("Procfile")], "", |text| indented::procfile(text, name))
}

fn ansible(process: &mut Process<'_>) -> Option<String> {
    if only_shows(process, &["--syntax-check", "--list-tasks", "--list-hosts"]) {
        return None;
    }
    let args = process.args();
    let tags = playbook::Tags::of(args);
    let inventory = option(args, "-i", "--inventory");
    let (is_here, known) = inventory_of(process, inventory);
    let local = option(args, "-c", "--connection") == Some("local")
        || is_here
        || inventory.is_some_and(|hosts| hosts.starts_with("localhost"));
    let extra: Vec<String> = options(args, "-e", "--extra-vars").map(str::to_owned).collect();
    let scope = process.scope.clone();
    let mut given = Vec::new();
    for one in extra {
        match one.strip_prefix('@').and_then(|file| process.runner.look_up(&scope, file)) {
            Some(loaded) => given.extend(playbook::variables_in(&loaded.text)),
            None => given.extend(playbook::variables_in(&one)),
        }
    }
    let books: Vec<&str> = names(process).into_iter().filter(|word| word.contains(".y")).collect();
    // Each with what the one that brings it in has set, and where that works.
    let mut books: Vec<_> = books.into_iter().map(|book| (book.to_owned(), local, given.clone())).collect();
    let mut at = 0;
    while let Some((book, local, mut given)) = books.get(at).cloned().filter(|_| at < MAX_PARTS) {
        at += 1;
        let Some(loaded) = process.runner.look_up(&scope, &book) else { continue };
        let folder = book.rfind('/').map_or("", |slash| &book[..=slash]);
        let local = local || playbook::is_local(&loaded.text);
        // What the book says itself wins over the inventory.
        let own = playbook::own_variables(&loaded.text);
        let is_new = |(name, _): &&indented::Given| !own.iter().chain(&given).any(|(own, _)| own == name);
        let more: Vec<indented::Given> = known.iter().filter(is_new).cloned().collect();
        given.extend(more);
        for role in playbook::roles(&loaded.text, &tags).into_iter().take(MAX_PARTS) {
            let given: Vec<indented::Given> = given.iter().chain(&role.given).cloned().collect();
            let inside = tags.inside(&role.tags);
            ansible_role(
                process,
                &format!("{folder}roles/{}", role.name),
                (local, &inside, &given, &loaded.text),
            );
        }
        for file in playbook::files_of_variables(&loaded.text) {
            if let Some(found) = process.runner.look_up(&scope, &format!("{folder}{file}")) {
                given.extend(playbook::variables_in(&found.text));
            }
        }
        recipe::run(
            process,
            &scope,
            (&loaded, ""),
            &playbook::playbook(&loaded.text, (local, &tags), &given),
        );
        let set: Vec<indented::Given> = given.into_iter().chain(own).collect();
        let more = playbook::brought_in(&loaded.text).into_iter();
        books.extend(more.map(|file| (format!("{folder}{file}"), local, set.clone())));
    }
    None
}

/// What the inventory and the variables of groups and hosts beside it say: whether its hosts are this machine.
fn inventory_of(process: &mut Process<'_>, named: Option<&str>) -> (bool, Vec<indented::Given>) {
    let scope = process.scope.clone();
    let folder = named.map_or("", |file| file.rsplit_once('/').map_or("", |(folder, _)| folder));
    let mut is_here = false;
    let mut known = Vec::new();
    if let Some(loaded) = named.and_then(|file| process.runner.look_up(&scope, file)) {
        (is_here, known) = playbook::inventory(&loaded.text);
    }
    let files = ["host_vars/localhost", "group_vars/all"].map(|file| match folder {
        "" => format!("{file}.yml"),
        _ => format!("{folder}/{file}.yml"),
    });
    for file in files {
        if let Some(loaded) = process.runner.look_up(&scope, &file) {
            known.extend(playbook::variables_in(&loaded.text));
        }
    }
    (is_here, known)
}

/// What a role of Ansible's does: its tasks, those that they bring in, and what they notify.
fn ansible_role(
    process: &mut Process<'_>,
    role: &str,
    (local, tags, given, book): (bool, &playbook::Tags, &[indented::Given], &str),
) {
    let scope = process.scope.clone();
    let mut own = given.to_vec();
    for file in ["vars", "defaults"] {
        if let Some(found) = process.runner.look_up(&scope, &format!("{role}/{file}/main.yml")) {
            own.extend(playbook::variables_in(&found.text));
        }
    }
    own.extend(playbook::own_variables(book));
    let mut files = ["yml", "yaml"].map(|ending| format!("{role}/tasks/main.{ending}")).to_vec();
    let mut at = 0;
    while let Some(file) = files.get(at).cloned().filter(|_| at < MAX_PARTS) {
        at += 1;
        let Some(tasks) = process.runner.look_up(&scope, &file) else { continue };
        files
            .extend(playbook::brought_in(&tasks.text).into_iter().map(|file| format!("{role}/tasks/{file}")));
        if playbook::notifies(&tasks.text, &own) {
            files.push(format!("{role}/handlers/main.yml"));
        }
        let all = tags.of_handlers();
        let tags = if file.contains("/handlers/") { &all } else { tags };
        recipe::run(process, &scope, (&tasks, ""), &playbook::playbook(&tasks.text, (local, tags), &own));
    }
}

/// Starts lines of a file on this machine: programs that data comes from whenever a plan is made, and others when it is
/// carried out.
fn terraform(process: &mut Process<'_>) -> Option<String> {
    let verbs = ["apply", "destroy", "plan", "refresh"];
    let verb = process.args().iter().find(|arg| verbs.contains(&arg.text.as_str()))?.text.as_str();
    let carries_out = matches!(verb, "apply" | "destroy");
    let mut scope = process.scope.clone();
    let folder = process.args().iter().find_map(|arg| arg.text.strip_prefix("-chdir="));
    if let Some(folder) = folder {
        scope.change_folder(folder);
    }
    let plan = plan_in(process, &scope);
    let values = values_of_plan(process, &scope, (&plan, "TF_VAR_", ".auto.tfvars"));
    let mut plans = vec![(plan, values)];
    let mut at = 0;
    while at < plans.len().min(MAX_PARTS) {
        let modules: Vec<_> =
            plans[at].0.iter().flat_map(|file| blocks::modules(&file.text, &plans[at].1)).collect();
        for (folder, mut given) in modules {
            let mut inner = scope.clone();
            inner.change_folder(&folder);
            let plan = plan_in(process, &inner);
            given.push(("~".to_owned(), scope.home.to_string()));
            let read: Vec<_> = plan.iter().flat_map(|file| blocks::values(&file.text)).collect();
            given = blocks::settled(&read, given);
            plans.push((plan, given));
        }
        at += 1;
    }
    for (plan, values) in plans.into_iter().take(MAX_PARTS) {
        for loaded in plan {
            let mut lines = blocks::external(&loaded.text, &values);
            if carries_out {
                lines.extend(blocks::local_exec(&loaded.text, &values));
            }
            recipe::run(process, &scope, (&loaded, ""), &lines);
        }
    }
    None
}

/// The files of a plan, or of one of its modules.
fn plan_in(process: &mut Process<'_>, scope: &Scope) -> Vec<Loaded> {
    let files = process.runner.paths(scope, &format!("{}.tf", mark::STAR));
    let files = files.into_iter().filter(|file| !mark::any(file));
    files.filter_map(|file| process.runner.look_up(scope, &file)).collect()
}

/// The values of terraform's and Packer's variables, those that win first: the call's own (`-var dir=/x`), its files, those
/// that are read by themselves, the environment, and what the plan says.
fn values_of_plan(
    process: &mut Process<'_>,
    scope: &Scope,
    (plan, prefix, automatic): (&[Loaded], &str, &str),
) -> Vec<indented::Given> {
    let owned = |name: &str, value: &str| (format!("var.{name}"), value.to_owned());
    let args = process.args();
    // `-var dir=/x`, `-var=dir=/x`; of several, the last one wins.
    let given = |option: &str| -> Vec<String> {
        let mut given = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let text = arg.text.strip_prefix("--").or_else(|| arg.text.strip_prefix('-')).unwrap_or("");
            match text.strip_prefix(option).map(|rest| rest.strip_prefix('=').ok_or(rest)) {
                Some(Ok(value)) => given.push(value.to_owned()),
                Some(Err("")) => given.extend(args.get(at + 1).map(|arg| arg.text.clone())),
                _ => {}
            }
        }
        given.reverse();
        given
    };
    let said = given("var");
    let mut values: Vec<_> =
        said.iter().filter_map(|word| word.split_once('=')).map(|(name, value)| owned(name, value)).collect();
    let mut files = given("var-file");
    let found = process.runner.paths(scope, &format!("{}{automatic}", mark::STAR));
    files.extend(found.into_iter().filter(|file| !mark::any(file)));
    files.push("terraform.tfvars".to_owned());
    for file in files {
        if let Some(loaded) = process.runner.look_up(scope, &file) {
            values.extend(blocks::assigned(&loaded.text).map(|(name, value)| owned(name, value)));
        }
    }
    let set =
        process.call.assigns.iter().filter_map(|(name, value)| Some((name.strip_prefix(prefix)?, value)));
    values.extend(set.map(|(name, value)| owned(name, value)));
    let read: Vec<_> = plan.iter().flat_map(|loaded| blocks::values(&loaded.text)).collect();
    for (name, _) in &read {
        let set = name.strip_prefix("var.").and_then(|name| process.scope.get(&format!("{prefix}{name}")));
        if let Some(shell_engine::Value::One(value)) = set {
            values.push((name.clone(), value.to_string()));
        }
    }
    values.push(("~".to_owned(), scope.home.to_string()));
    blocks::settled(&read, values)
}

/// The hooks of pre-commit that the repository itself brings.
fn pre_commit(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    words.first().filter(|word| matches!(**word, "run" | "hook-impl" | "try-repo"))?;
    let stage = option(process.args(), "", "--hook-stage").or_else(|| option(process.args(), "", "--stage"));
    let id = words.get(1).copied().filter(|id| Some(*id) != stage);
    let stage = stage.unwrap_or("pre-commit").to_owned();
    of_file(process, &[".pre-commit-config.yaml"], "", |text| blocks::local_hooks(text, (id, &stage)))
}

/// `lefthook run HOOK`
fn lefthook(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    let hook = *words.get(1).filter(|_| words[0] == "run")?;
    let files = ["lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".lefthook.yaml"];
    of_file(process, &files, hook, |text| indented::lefthook(text, hook))
}

/// `helm install NAME CHART`: what the containers of a chart that lies here start, hooks before all.
fn helm(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    words.first().filter(|verb| matches!(**verb, "install" | "upgrade"))?;
    if only_shows(process, &["--dry-run"]) {
        return None;
    }
    let scope = process.scope.clone();
    let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    for chart in words.iter().skip(1).map(|word| word.trim_end_matches('/')) {
        let values = chart_values(process, &scope, chart);
        let files = process.runner.paths(&scope, &format!("{chart}/templates/{}.yaml", mark::STAR));
        for file in files.into_iter().filter(|file| !mark::any(file)).take(MAX_PARTS) {
            if let Some(loaded) = process.runner.look_up(&scope, &file) {
                settings::containers(process, &scope, &loaded, Some(&values));
            }
        }
    }
    None
}

/// The values of a chart: its own, those of files, and those that the call sets, which win.
fn chart_values(process: &mut Process<'_>, scope: &Scope, chart: &str) -> serde_json::Value {
    let args = process.args();
    let files: Vec<String> = options(args, "-f", "--values").map(str::to_owned).collect();
    let set = ["--set", "--set-string"].into_iter().flat_map(|option| options(args, "", option));
    let set: Vec<String> = set.flat_map(|list| list.split(',')).map(str::to_owned).collect();
    let mut values = serde_json::json!({});
    for file in std::iter::once(format!("{chart}/values.yaml")).chain(files).take(MAX_PARTS) {
        if let Some(found) = values::data_of(process, scope, &file) {
            merge(&mut values, found);
        }
    }
    for (path, value) in set.iter().filter_map(|word| word.split_once('=')) {
        let read = shell_engine::text::data::yaml(&format!("x: {value}"));
        let value = read.get("x").cloned().unwrap_or_default();
        let nested = path.rsplit('.').fold(value, |inner, key| serde_json::json!({ key: inner }));
        merge(&mut values, nested);
    }
    values
}

/// Takes over what another map says, also inside of its maps.
fn merge(values: &mut serde_json::Value, other: serde_json::Value) {
    match (values, other) {
        (serde_json::Value::Object(own), serde_json::Value::Object(other)) => {
            for (key, value) in other {
                merge(own.entry(key).or_insert(serde_json::Value::Null), value);
            }
        }
        (own, other) => *own = other,
    }
}

/// `kubectl delete -f FILE` deletes what the file names; `apply -f FILE` starts its containers.
fn kubectl(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    let at =
        args.iter().position(|arg| matches!(arg.text.as_str(), "delete" | "apply" | "create" | "replace"))?;
    let deletes = args[at].text == "delete";
    if !deletes && args.iter().any(|arg| arg.text.starts_with("--dry-run")) {
        return None;
    }
    // `--dry-run` and its like hold for each of them.
    let own: Vec<Arg> =
        args.iter().filter(|arg| arg.text.starts_with("--") && arg.text.contains('=')).cloned().collect();
    let scope = process.scope.clone();
    let files = bundled(process.name, &args[at..], 'f', "--filename");
    let files: Vec<String> = files.into_iter().map(str::to_owned).collect();
    for file in files {
        let listed = process.runner.paths(&scope, &format!("{}/{}", file.trim_end_matches('/'), mark::STAR));
        let files =
            if file == "-" || listed.iter().any(|path| mark::any(path)) { vec![file] } else { listed };
        for file in files {
            let Some(loaded) = given(process, &scope, &file) else { continue };
            if !deletes {
                settings::containers(process, &scope, &loaded, None);
                continue;
            }
            let mut inner = scope.clone();
            let Some(opened) = process.runner.open_file(&mut inner, (loaded.file, "")) else { continue };
            for (at, [kind, name, namespace]) in blocks::objects(&loaded.text) {
                inner.origin = loaded.file.map(|_| Span::new(at, at)).or(inner.origin);
                let mut words = [process.name, "delete", &kind, &name].map(Arg::from).to_vec();
                words.extend((!namespace.is_empty()).then(|| Arg::from(format!("--namespace={namespace}"))));
                words.extend(own.iter().cloned());
                process.text_in(&inner, &quoted(&words));
            }
            process.runner.close_file(&mut inner, &opened);
        }
    }
    None
}

/// What cargo starts besides compilers: an alias, the program itself, a runner for it, and a wrapper around the compiler.
///
/// Of builds only the script that stands beside the manifest is looked at, and nothing of tests: agents build and test all
/// day, which runs their own compiled code anyway, and a look at the disk costs as much as all of the judging.
fn cargo(process: &mut Process<'_>) -> Option<String> {
    let sub = match process.args().first()?.text.as_str() {
        // Few calls say something before it.
        before if before.starts_with(['-', '+']) => {
            operands("cargo", process.args()).into_iter().find(|word| !word.starts_with('+'))?
        }
        sub => sub,
    };
    let at = process.args().iter().position(|arg| arg.text == sub)?;
    let runs = matches!(sub, "run" | "r");
    if runs || matches!(sub, "build" | "b" | "check" | "c") {
        build_script(process);
    }
    if runs {
        built_by_cargo(process);
    }
    if !runs && is_cargos_own(sub) {
        return None;
    }
    let files = [".cargo/config.toml", ".cargo/config"];
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &files)?;
    if !runs {
        // A string or a list of words: `wipe = ["run", "--bin", "wipe"]`.
        let words = table::scripts(&loaded.text, &["alias"], sub);
        let line = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        let rest = quoted(&process.args()[at + 1..]);
        let lines = words.first().map(|first| Recipe { at: first.at, text: format!("cargo {line} {rest}") });
        recipe::run(process, &scope, (&loaded, sub), lines.as_slice());
        return None;
    }
    let mut lines = table::scripts(&loaded.text, &["build"], "rustc-wrapper");
    let headers = loaded.text.lines().filter_map(|line| line.trim().strip_prefix("[target."));
    let headers: Vec<String> =
        headers.map(|rest| format!("target.{}", rest.trim_end_matches(']').replace('"', ""))).collect();
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    // A list is one command: its words.
    let words = table::scripts(&loaded.text, &headers, "runner");
    let line = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    lines.extend(words.first().map(|first| Recipe { at: first.at, text: line.clone() }));
    recipe::run(process, &scope, (&loaded, ""), &lines);
    None
}

/// Whether a sub-command is one of cargo's own, or of the usual programs that add one: no alias is looked for.
fn is_cargos_own(sub: &str) -> bool {
    const OWN: [&str; 34] = [
        "add", "audit", "b", "bench", "build", "c", "check", "clean", "clippy", "d", "deny", "doc", "expand",
        "fetch", "fix", "fmt", "help", "init", "install", "llvm-cov", "metadata", "new", "nextest",
        "package", "publish", "remove", "rm", "search", "t", "test", "tree", "update", "vendor", "watch",
    ];
    OWN.binary_search(&sub).is_ok()
}

/// Follows what the package here does before it is compiled, with the variables that cargo sets for it.
fn build_script(process: &mut Process<'_>) {
    const FILE: &str = "build.rs";
    // `cargo test` runs it as well: to look for it there costs a tenth of judging the call, all day long.
    if option(process.args(), "-p", "--package").is_some()
        || !process.runner.may_lie_above(process.scope, &[FILE], 1)
    {
        return;
    }
    let mut scope = process.scope.clone();
    let package = scope.cwd.to_string();
    scope.set_text("OUT_DIR", &format!("{package}/target/debug/build/package/out"));
    scope.set_text("CARGO_MANIFEST_DIR", &package);
    scope.set_text("PROFILE", "debug");
    let first = process.runner.analysis.atoms.len();
    source(&mut process.elsewhere(&mut scope), &[FILE], "rust-script");
    // The programs that a variable of cargo's names are compilers, and what wraps them.
    for atom in &mut process.runner.analysis.atoms[first..] {
        if atom.args.first().is_some_and(|program| mark::any(&program.text)) {
            Rc::make_mut(&mut atom.args)[0] = Arg::from("rustc");
        }
    }
}

/// Follows the source of the program that `cargo run` builds and starts.
fn built_by_cargo(process: &mut Process<'_>) {
    let args = process.args();
    // `-p NAME` lies beside the others or below `crates`; a manifest lies in the directory of its package.
    let manifest = option(args, "", "--manifest-path").and_then(|file| file.strip_suffix("Cargo.toml"));
    let folders = match (manifest, option(args, "-p", "--package")) {
        (Some(folder), _) => vec![folder.to_owned()],
        (None, Some(name)) => vec![format!("{name}/"), format!("crates/{name}/")],
        (None, None) => vec![String::new()],
    };
    let manifest = folders
        .iter()
        .find_map(|folder| process.runner.look_up(process.scope, &format!("{folder}Cargo.toml")));
    let manifest = manifest.map_or_else(|| Rc::from(""), |loaded| loaded.text);
    let (name, kind) = match (option(args, "", "--bin"), option(args, "", "--example")) {
        (None, Some(name)) => (Some(name), "[[example]]"),
        (name, _) => (name, "[[bin]]"),
    };
    // The manifest may say that it lies elsewhere.
    let named = table::targets(&manifest, kind).into_iter();
    let named = named.filter(|(own, _)| name.is_none_or(|name| name == own)).map(|(_, path)| path);
    let sources: Vec<String> = match (name, kind) {
        (Some(name), "[[bin]]") => {
            let usual =
                [format!("src/bin/{name}.rs"), format!("src/bin/{name}/main.rs"), "src/main.rs".to_owned()];
            named.chain(usual).collect()
        }
        (Some(name), _) => {
            named.chain([format!("examples/{name}.rs"), format!("examples/{name}/main.rs")]).collect()
        }
        (None, _) => std::iter::once("src/main.rs".to_owned()).chain(named).collect(),
    };
    let files =
        folders.iter().flat_map(|folder| sources.iter().map(move |source| format!("{folder}{source}")));
    let files: Vec<String> = files.collect();
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    source(process, &names, "rust-script");
}

/// Follows the first of these sources, that of a program which is built and started.
fn source(process: &mut Process<'_>, files: &[&str], interpreter: &str) {
    let mut scope = process.scope.clone();
    let Some(loaded) = recipe::nearest(process, &mut scope, files) else { return };
    // It runs where the call is made, not where the package lies.
    scope.cwd = process.scope.cwd.clone();
    // Its own arguments come after the tool's.
    let args = process.args();
    let is_operand = |arg: &shell_engine::Arg| !arg.text.starts_with('-');
    if let Some(at) = args.iter().position(|arg| arg.text == "--") {
        scope.positional = Some(args[at + 1..].iter().map(|arg| arg.text.clone()).collect());
    } else if args.len() > 1 && args[args.len() - 2..].iter().all(is_operand) {
        // Without `--` it is not known which ones are its.
        scope.positional = None;
    }
    let text = with_others(process, files, &loaded);
    let Some(opened) = process.runner.open_file(&mut scope, (loaded.file, "")) else { return };
    shell_interpreters::run_body(&mut process.elsewhere(&mut scope), interpreter, &text);
    process.runner.close_file(&mut scope, &opened);
}

/// A program of Rust's with the library of its package, if it names that.
fn with_library(process: &mut Process<'_>, loaded: &Loaded) -> Option<Rc<str>> {
    let scope = process.scope.clone();
    let manifest = process.runner.look_up(&scope, "Cargo.toml")?;
    let name = table::scripts(&manifest.text, &["package"], "name").first()?.text.replace('-', "_");
    loaded.text.contains(&format!("{name}::")).then_some(())?;
    let library = process.runner.look_up(&scope, "src/lib.rs")?;
    (loaded.text.len() + library.text.len() < MAX_PROGRAM)
        .then(|| format!("{}\n{}", loaded.text, library.text).into())
}

/// A program of .NET's with the other files of its project, which it sees without naming them.
fn with_others(process: &mut Process<'_>, files: &[&str], loaded: &Loaded) -> Rc<str> {
    let is_rust =
        files.first().is_some_and(|file| file.rsplit_once('.').is_some_and(|(_, ending)| ending == "rs"));
    if is_rust && let Some(whole) = with_library(process, loaded) {
        return whole;
    }
    let Some(folder) = files.first().and_then(|file| file.strip_suffix("Program.cs")) else {
        return Rc::clone(&loaded.text);
    };
    let scope = process.scope.clone();
    let mut text = loaded.text.to_string();
    for pattern in [format!("{folder}{}.cs", mark::STAR), format!("{folder}{0}/{0}.cs", mark::STAR)] {
        let others = process.runner.paths(&scope, &pattern);
        let others = others.into_iter().filter(|file| !mark::any(file) && !file.ends_with("Program.cs"));
        for file in others.filter(|file| !file.contains("obj/")).take(MAX_PARTS) {
            if let Some(other) = process.runner.look_up(&scope, &file)
                && text.len() + other.text.len() < MAX_PROGRAM
            {
                text.push('\n');
                text.push_str(&other.text);
            }
        }
    }
    text.into()
}

/// Bytes of a program's files together.
const MAX_PROGRAM: usize = 128 * 1024;

/// Follows the source of the program that `dotnet run` builds and starts.
fn dotnet(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    let verb = *words.first()?;
    if matches!(verb, "build" | "run" | "publish" | "test" | "pack" | "msbuild" | "watch" | "clean") {
        builders::targets_of_msbuild(process, verb);
    }
    if verb != "run" {
        return None;
    }
    let project = option(process.args(), "-p", "--project").unwrap_or("");
    // A project is named by its file or by its directory.
    let folder = match project.rsplit_once('/') {
        Some((folder, file)) if file.ends_with("proj") => format!("{folder}/"),
        None if project.is_empty() || project.ends_with("proj") => String::new(),
        _ => format!("{}/", project.trim_end_matches('/')),
    };
    source(process, &[&format!("{folder}Program.cs")], "csi");
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

/// A build script of Gradle's, with the tasks that a call runs.
fn gradle_tasks(process: &mut Process<'_>) -> Option<String> {
    let shows =
        ["-m", "--dry-run", "-h", "--help", "-?", "-v", "--version", "tasks", "help", "projects", "--status"];
    if only_shows(process, &shows) {
        return None;
    }
    let mut scope = process.scope.clone();
    let usual = ["build.gradle", "build.gradle.kts"];
    let loaded = recipe::nearest(process, &mut scope, &[usual[0], usual[1], SETTINGS[0], SETTINGS[1]])?;
    let mut scripts = vec![(scope.clone(), loaded)];
    if SETTINGS.iter().any(|name| process.runner.lies_on_disk(&scope, name)) {
        let settings = SETTINGS.iter().find_map(|name| process.runner.look_up(&scope, name));
        for folder in settings.iter().flat_map(|file| blocks::projects_of_gradle(&file.text)).take(MAX_PARTS)
        {
            let mut inner = scope.clone();
            inner.change_folder(&folder);
            let script = usual.iter().find_map(|name| process.runner.look_up(&inner, name));
            scripts.extend(script.map(|script| (inner, script)));
        }
    }
    // `apply from: 'gradle/tasks.gradle'`
    let mut at = 0;
    while let Some((scope, loaded)) = scripts.get(at).cloned().filter(|_| at < MAX_PARTS) {
        at += 1;
        for file in blocks::applied_by_gradle(&loaded.text) {
            let applied = process.runner.look_up(&scope, &file);
            scripts.extend(applied.map(|applied| (scope.clone(), applied)));
        }
    }
    // To follow a script costs more than all else about the call, and most start and delete nothing.
    let does = |text: &str| ACTS_OF_GRADLE.iter().any(|word| text.contains(word));
    if !scripts.iter().any(|(_, script)| does(&script.text)) {
        return None;
    }
    let wanted = names(process);
    let wanted: Vec<&str> = wanted.into_iter().map(|name| name.rsplit(':').next().unwrap_or(name)).collect();
    // `-Pscope=home`
    let given = process.args().iter().filter_map(|arg| {
        let word = arg.text.strip_prefix("-P").or_else(|| arg.text.strip_prefix("--project-prop="))?;
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        Some((name.to_owned(), value.to_owned()))
    });
    let mut given: Vec<indented::Given> = given.collect();
    if let Some(file) = process.runner.look_up(&scope, "gradle.properties") {
        let set = data::variables(&file.text).into_iter();
        given.extend(set.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
    let whole: Vec<&str> = scripts.iter().map(|(_, script)| &*script.text).collect();
    let whole = whole.join("\n");
    let meant = testers::tasks_of_gradle(&whole, &wanted);
    for (scope, script) in scripts.iter().filter(|(_, script)| does(&script.text)).take(MAX_PARTS) {
        let code = plainly(&testers::run_by_gradle(&script.text, &meant));
        let code = with_properties(&code, &given);
        recipe::code(process, scope, (script, &wanted.join(" ")), ("groovy", &code, 0));
    }
    None
}

/// A script of Gradle's without the words around its values, at the same places: `ext.x` is `x`, and a file is a path.
fn plainly(text: &str) -> String {
    let mut plain = text.to_owned();
    for (from, to) in PLAINLY {
        let is_alone = |at: usize| from.starts_with('.') || !plain[..at].ends_with(testers::is_name);
        let places: Vec<usize> =
            plain.match_indices(from).map(|(at, _)| at).filter(|at| is_alone(*at)).collect();
        for at in places {
            plain.replace_range(at..at + from.len(), &format!("{to:0$}", from.len()));
        }
    }
    plain
}

/// A script of Gradle's with the values of the properties that it asks for; what is not given is `null`.
fn with_properties(text: &str, given: &[indented::Given]) -> String {
    const ASKS: [&str; 5] = [
        "project.findProperty(",
        "findProperty(",
        "project.hasProperty(",
        "hasProperty(",
        "providers.gradleProperty(",
    ];
    let mut code = text.to_owned();
    for asks in ASKS {
        let mut from = 0;
        while let Some(at) = code[from..].find(asks).map(|at| from + at) {
            let body = &code[at + asks.len()..];
            let end = testers::closing(body, ('(', ')')).unwrap_or(body.len());
            let name = testers::strings(&body[..end]).first().map_or("", |(_, name)| *name).to_owned();
            let known = given.iter().find(|(own, _)| *own == name).map(|(_, value)| format!("'{value}'"));
            let value = match known {
                _ if asks.contains("has") => known.is_some().to_string(),
                known => known.unwrap_or_else(|| "null".to_owned()),
            };
            let mut end = at + asks.len() + (end + 1).min(body.len());
            // `.getOrElse('x')`, `.orElse('x').get()`
            let usual = ["getOrElse(", "orElse("].iter().find_map(|word| {
                let rest = code[end..].strip_prefix('.')?.strip_prefix(*word)?;
                let inner = testers::closing(rest, ('(', ')'))?;
                Some((rest[..inner].to_owned(), end + 1 + word.len() + inner + 1))
            });
            let value = match usual {
                Some((usual, after)) => {
                    end = after + if code[after..].starts_with(".get()") { ".get()".len() } else { 0 };
                    if value == "null" { usual } else { value }
                }
                None => value,
            };
            // `?: 'x'` says what it is where nothing is given.
            let rest = &code[end..];
            let value = match rest.trim_start_matches(' ').strip_prefix("?:") {
                Some(usual) => {
                    let usual = usual.trim_start_matches(' ');
                    let start = code.len() - usual.len();
                    let quote = usual.chars().next().filter(|c| matches!(c, '"' | '\''));
                    let length = match quote {
                        Some(quote) => usual[1..].find(quote).map(|at| at + 2),
                        None => usual.find(['\n', ')', ',', ';', '}']),
                    };
                    end = start + length.unwrap_or(usual.len());
                    if value == "null" { code[start..end].to_owned() } else { value }
                }
                None => value,
            };
            code.replace_range(at..end, &value);
            from = at + value.len();
        }
    }
    code
}

/// What Gradle writes around values, and what stands for it.
const PLAINLY: [(&str, &str); 7] = [
    ("rootProject.ext.", ""),
    ("project.ext.", ""),
    ("ext.", ""),
    (".get().asFile", ""),
    (".asFile", ""),
    ("System.properties['user.home']", "System.getenv('HOME')"),
    ("System.properties[\"user.home\"]", "System.getenv('HOME')"),
];

/// The files that name a build's projects.
const SETTINGS: [&str; 2] = ["settings.gradle", "settings.gradle.kts"];

/// Words without one of which a script of Gradle's does nothing that matters here.
const ACTS_OF_GRADLE: [&str; 11] = [
    "exec",
    "Exec",
    "elete",
    "ProcessBuilder",
    "Runtime",
    "commandLine",
    "URL(",
    "ant.",
    "HttpClient",
    "openConnection",
    "Socket(",
];
