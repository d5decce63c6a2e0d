//! The programs that a project itself declares: the entry points of a Python package, and the `bin` of `package.json`. Once it
//! is installed they are called by their names, and launchers find them without.

use payload::Json;
use shell_engine::arguments::quoted;
use shell_engine::{Arg, Loaded, Process};

use super::recipe::{self, Recipe, offset};
use super::{names, table};
use crate::programs::{QUOTES, option};

/// Where the programs of an environment of the project's own lie.
const ENVIRONMENTS: &[&str] = &["venv/bin", "env/bin", "node_modules/.bin"];

/// What a name starts that a launcher looks for, or that lies in an environment of the project's, where the project declares
/// it. A plain name is not looked for: that would cost every program of which no table knows anything.
pub(in crate::programs) fn declared(process: &mut Process<'_>) -> bool {
    let path = process.call.args[0].text.as_str();
    let name = if path.len() == process.name.len() {
        if !is_launched(process) {
            return false;
        }
        path
    } else {
        let Some((folder, name)) = path.rsplit_once('/') else { return false };
        if !ENVIRONMENTS.iter().any(|own| folder.ends_with(own)) {
            return false;
        }
        name
    };
    start(process, name, &process.call.args[1..])
}

/// Whether a launcher has started it: `npx NAME`.
fn is_launched(process: &Process<'_>) -> bool {
    const LAUNCHERS: [&str; 8] = ["npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun", "uvx"];
    let atoms = &process.runner.analysis.atoms;
    let via = atoms.get(process.index as usize).and_then(|atom| atom.via);
    let launcher = via.and_then(|via| atoms.get(via.parent as usize));
    launcher.is_some_and(|atom| LAUNCHERS.contains(&&*atom.program()))
}

/// `uv run NAME`, `poetry run NAME`, `uvx --from . NAME`, `pipx run --spec . NAME`
pub(super) fn launched(process: &mut Process<'_>) -> bool {
    let from = option(process.args(), "", "--from").or_else(|| option(process.args(), "", "--spec"));
    let is_here = from.is_some_and(|from| from.starts_with('.'));
    let mut words = names(process);
    words.retain(|word| from != Some(*word));
    let name = match (process.name, words.as_slice()) {
        ("uvx", [name, ..]) | ("uv", ["tool", "run", name, ..]) | ("pipx", ["run", name, ..]) if is_here => {
            *name
        }
        ("uvx" | "pipx", _) => return false,
        (_, ["run", name, ..]) => *name,
        _ => return false,
    };
    // uv takes a module as Python does, and pdm a file.
    let is_module = |pair: &[Arg]| matches!(pair[0].text.as_str(), "-m" | "--module") && pair[1].text == name;
    let module = process.args().windows(2).position(is_module);
    if let Some(at) = module.filter(|_| process.name == "uv") {
        let words = [&[Arg::from("python3"), Arg::from("-m")], &process.args()[at + 1..]].concat();
        process.start(&words);
        return true;
    }
    let after = process.args().iter().position(|arg| arg.text == name).map_or(0, |at| at + 1);
    let args = &process.args()[after..];
    let is_file = name.rsplit_once('.').is_some_and(|(_, ending)| ending == "py");
    if process.name == "pdm" && is_file {
        process.start(&[&[Arg::from("python3"), Arg::from(name)], args].concat());
        return true;
    }
    start(process, name, args)
}

/// Starts the program that the nearest project declares under a name; `.` is the only one of a package.
fn start(process: &mut Process<'_>, name: &str, args: &[Arg]) -> bool {
    const FILES: [&str; 4] = ["pyproject.toml", "setup.cfg", "setup.py", "package.json"];
    for file in FILES {
        let mut scope = process.scope.clone();
        let Some(loaded) = recipe::nearest(process, &mut scope, &[file]) else { continue };
        let Some(mut recipe) = entry(&loaded, file, name) else { continue };
        if !args.is_empty() {
            recipe.text = format!("{} {}", recipe.text, quoted(args));
        }
        // Where it is installed in place, that is where Python finds it.
        let set = process.variable("PYTHONPATH").map_or_else(String::new, |set| set + ":");
        scope.set_text("PYTHONPATH", &(set + "src"));
        scope.export("PYTHONPATH");
        return recipe::run(process, &scope, (&loaded, name), &[recipe]);
    }
    false
}

/// What a file declares under a name, as a line that starts it.
fn entry(loaded: &Loaded, file: &str, name: &str) -> Option<Recipe> {
    let text = &*loaded.text;
    let called = |(at, entry): (usize, &str)| Some(Recipe { at, text: table::called(entry)? });
    match file {
        "pyproject.toml" => {
            let tables =
                ["project.scripts", "project.gui-scripts", "tool.poetry.scripts", "tool.flit.scripts"];
            let found = table::scripts(text, &tables, name);
            found.iter().find_map(|entry| called((entry.at, &entry.text)))
        }
        "package.json" => {
            let package = Json::new(text)?;
            let bin = package.get("bin")?;
            let own = || package.get("name")?.as_str()?.rsplit('/').next().map(str::to_owned);
            let path = match bin.as_str() {
                Some(_) => (name == "." || own().as_deref() == Some(name)).then_some(bin)?,
                None => bin
                    .get(name)
                    .or_else(|| bin.members().next().filter(|_| name == ".").map(|(_, path)| path))?,
            };
            let (at, path) = (offset(text, path.text()), path.as_str()?.into_owned());
            let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
            let is_code = matches!(ending, "js" | "mjs" | "cjs" | "ts");
            let path = quoted(&[Arg::from(path.as_str())]);
            Some(Recipe { at, text: if is_code { format!("node {path}") } else { format!("./{path}") } })
        }
        // `wipe = janitor.cli:main`, and in setup.py as a string.
        _ if text.contains("console_scripts") => {
            let pieces = text.split(|c| c == '\n' || QUOTES.contains(&c));
            let mut entries = pieces.filter_map(|piece| piece.split_once('='));
            let (own, entry) = entries.find(|(own, entry)| own.trim() == name && entry.contains(':'))?;
            called((offset(text, own), entry))
        }
        _ => None,
    }
}
