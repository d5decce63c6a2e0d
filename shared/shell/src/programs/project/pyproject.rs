//! Tasks in `pyproject.toml` and its like, which a tool starts by their names: `poe clean`, `hatch run env:clean`, `pdm run
//! clean`, with the variables that the file sets for them.

use shell_engine::text::data;
use shell_engine::{Arg, Process, Scope};

use super::indented::Given;
use super::recipe::{self, Recipe};
use super::{dotenv, table};
use crate::programs::option;

/// Where a tool keeps its tasks.
struct Runner {
    names: &'static [&'static str],
    files: &'static [&'static str],
    /// The tables of tasks.
    tasks: &'static [&'static str],
    /// Tables of settings for all tasks, whose `env` and `env_file` hold for each.
    all: &'static [&'static str],
    /// The variable that names the folder of the file.
    root: &'static str,
}

const RUNNERS: [Runner; 5] = [
    Runner {
        names: &["poe", "poethepoet"],
        files: &["pyproject.toml", "poe_tasks.toml"],
        tasks: &["tool.poe.tasks", "tasks"],
        all: &["tool.poe", ""],
        root: "POE_ROOT",
    },
    Runner {
        names: &["pdm"],
        files: &["pyproject.toml"],
        tasks: &["tool.pdm.scripts"],
        all: &["tool.pdm.scripts._"],
        root: "PDM_PROJECT_ROOT",
    },
    Runner { names: &["rye"], files: &["pyproject.toml"], tasks: &["tool.rye.scripts"], all: &[], root: "" },
    Runner {
        names: &["pixi"],
        files: &["pixi.toml", "pyproject.toml"],
        tasks: &["tasks", "tool.pixi.tasks"],
        all: &["activation", "tool.pixi.activation"],
        root: "PIXI_PROJECT_ROOT",
    },
    Runner {
        names: &["task"],
        files: &["pyproject.toml"],
        tasks: &["tool.taskipy.tasks"],
        all: &[],
        root: "",
    },
];

/// Hatch has environments, each with scripts and variables of its own.
const HATCH: Runner = Runner {
    names: &["hatch"],
    files: &["pyproject.toml", "hatch.toml"],
    tasks: &["tool.hatch.envs.default.scripts", "envs.default.scripts", "tool.hatch.scripts"],
    all: &["tool.hatch.envs.default", "envs.default"],
    root: "",
};

/// Tasks of one call, each for the one before it, that are looked at.
const MAX_FILLED: usize = 16;

/// Runs the task that a call names.
pub(in crate::programs) fn scripts(process: &mut Process<'_>) -> Option<String> {
    let runner = RUNNERS.iter().find(|runner| runner.names.contains(&process.name)).unwrap_or(&HATCH);
    let chosen =
        option(process.args(), "-e", "--env").or_else(|| option(process.args(), "", "--environment"));
    let own = recipe::named(process);
    let words = process.args().iter().map(|arg| arg.text.as_str());
    let mut words =
        words.filter(|word| !word.starts_with('-') && Some(*word) != chosen && !own.contains(&Some(*word)));
    let first = words.next()?;
    let script = if first == "run" { words.next()? } else { first };
    // Only hatch has environments: `hatch run test:cov`. Names of others may have colons.
    let parts = script.rsplit_once(':').filter(|_| process.name == "hatch");
    let (environment, name) = parts.unwrap_or((chosen.unwrap_or("default"), script));
    let own = [format!("tool.hatch.envs.{environment}"), format!("tool.hatch.envs.{environment}.scripts")];
    let mut tables: Vec<&str> = runner.tasks.to_vec();
    let mut all: Vec<&str> = runner.all.to_vec();
    if process.name == "hatch" {
        tables.push(&own[1]);
        all.push(&own[0]);
    }
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, runner.files)?;
    // What comes before and after it where a tool says so by its name: `pre_build`, `post_build`.
    let around = ["pre_", "", "post_"].map(|way| format!("{way}{name}"));
    let mut recipes: Vec<Recipe> =
        around.iter().flat_map(|name| table::scripts(&loaded.text, &tables, name)).collect();
    if recipes.is_empty() {
        return None;
    }
    let root = scope.cwd.to_string();
    for recipe in &mut recipes {
        match process.name {
            "hatch" => recipe.text = filled_by_hatch(&recipe.text, (&root, &scope.home)),
            "task" => recipe.text = filled_by_taskipy(&recipe.text, &loaded.text),
            _ => {}
        }
        // One that names another: `all = ["lint", "clean"]`.
        let other = recipe.text.split_whitespace().next().unwrap_or("");
        if other != name && !table::scripts(&loaded.text, &tables, other).is_empty() {
            recipe.text = format!("{} run {}", process.name, recipe.text);
        }
    }
    if !runner.root.is_empty() {
        set(&mut scope, runner.root, &root);
    }
    let options = table::options(&loaded.text, (&tables, name), &all);
    for file in &options.files {
        dotenv(process, &mut scope, file);
    }
    for (variable, value) in &options.variables {
        set(&mut scope, variable, value);
    }
    // Arguments that a task of poe's declares become variables: `poe wipe --target x`.
    for (variable, value) in arguments(process.args()).filter(|_| runner.root == "POE_ROOT") {
        set(&mut scope, variable, value);
    }
    if let Some(folder) = &options.folder {
        scope.change_folder(folder);
    }
    recipe::run(process, &scope, (&loaded, script), &recipes).then(String::new)
}

fn set(scope: &mut Scope, name: &str, value: &str) {
    scope.set_text(name, value);
    scope.export(name);
}

/// `--target x`, `--target=x`
fn arguments(args: &[Arg]) -> impl Iterator<Item = (&str, &str)> {
    args.iter().enumerate().filter_map(|(at, arg)| {
        let name = arg.text.strip_prefix("--").filter(|name| !name.is_empty())?;
        let next = || args.get(at + 1).map(|next| next.text.as_str()).filter(|next| !next.starts_with('-'));
        name.split_once('=').or_else(|| Some((name, next()?)))
    })
}

/// A line of hatch's with its fields: `{root}`, `{env:NAME:DEFAULT}`, `{args:DEFAULT}`.
fn filled_by_hatch(line: &str, (root, home): (&str, &str)) -> String {
    let mut filled = line.to_owned();
    for _ in 0..MAX_FILLED {
        let fields = ["args", "root", "home", "env:"];
        let field = fields.iter().find_map(|field| Some((*field, filled.find(&format!("{{{field}"))?)));
        let Some((field, at)) = field else { break };
        let rest = &filled[at + 1 + field.len()..];
        let (usual, after) = rest.split_once('}').unwrap_or((rest, ""));
        let value = match field {
            "args" => usual.trim_start_matches(':').to_owned(),
            "root" => root.to_owned(),
            "home" => home.to_owned(),
            _ => format!("${{{}}}", usual.replacen(':', ":-", 1)),
        };
        filled = format!("{}{value}{after}", &filled[..at]);
    }
    filled
}

/// A line of taskipy's with the variables of the file, where it says that they are filled in.
fn filled_by_taskipy(line: &str, text: &str) -> String {
    let mut filled = line.to_owned();
    if !text.contains("use_vars") {
        return filled;
    }
    for (name, value) in table::entries(text, "tool.taskipy.variables").into_iter().take(MAX_FILLED) {
        let inner: Option<Given> = table::inline(&value).into_iter().find(|(key, _)| key == "var");
        let value = inner.map_or(value, |(_, value)| value);
        filled = filled.replace(&format!("{{{name}}}"), &data::string(&value));
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_hatch_are_filled_in() {
        let line = "rm -rf {root}/x {env:DIR:build} {args:y}";
        assert_eq!(filled_by_hatch(line, ("/p", "/h")), "rm -rf /p/x ${DIR:-build} y");
    }
}
