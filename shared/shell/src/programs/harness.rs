//! Programs that run scripts of a language they do not name: test runners, profilers, servers, interpreters that no one
//! here reads.

use catalog::{Program, Scripts};
use serde_json::Value;
use shell_engine::{Arg, Process, Scope, mark};

use super::project::{named, nearest};
use super::{QUOTES, code, options, quoted};

/// Endings of JavaScript and its like.
const ENDINGS: [&str; 6] = ["js", "ts", "mjs", "cjs", "mts", "cts"];

/// Runs what a program loads by itself.
pub(super) fn configured(process: &mut Process<'_>, program: &Program) {
    if program.loads.is_empty() && !SETTINGS.iter().any(|(own, ..)| *own == process.name) {
        return;
    }
    let shows = |arg: &Arg| matches!(arg.text.as_str(), "--version" | "-V" | "-v" | "--help" | "-h" | "help");
    // Nothing is set up for a list of tests either: `jest --showConfig`.
    let lists = |arg: &Arg| {
        matches!(
            arg.text.as_str(),
            "--showConfig"
                | "--listTests"
                | "--list-tests"
                | "--version"
                | "--help"
                | "--clearCache"
                | "--init"
        )
    };
    let is_js_runner = matches!(process.name, "jest" | "vitest" | "mocha" | "ava" | "playwright");
    if process.args().first().is_some_and(shows) || is_js_runner && process.args().iter().any(lists) {
        return;
    }
    // `pytest checks`
    let folders: Vec<String> = match process.name {
        "pytest" | "py.test" => {
            let words = process.args().iter().map(|arg| arg.text.split("::").next().unwrap_or_default());
            let words = words.filter(|word| !word.starts_with('-'));
            // A file's own folder, and the one around it: `pytest tests/unit/test_x.py`.
            let folders = words.flat_map(|word| match word.rsplit_once('/') {
                Some((folder, file)) if ending(file) == "py" => {
                    vec![folder, folder.rsplit_once('/').map_or("", |(above, _)| above)]
                }
                None if ending(word) == "py" => Vec::new(),
                _ => vec![word.trim_end_matches('/')],
            });
            let usual: Vec<&str> = program.loads.split(' ').collect();
            let files =
                folders.filter(|folder| !folder.is_empty()).map(|folder| format!("{folder}/conftest.py"));
            files.filter(|file| !usual.contains(&file.as_str())).collect()
        }
        _ => named_by_settings(process),
    };
    // `vite --config FILE`: another file in the place of the usual ones.
    let named = options(process.args(), "-c", "--config").filter(|file| file.contains('.'));
    let first = program.loads.split(' ').chain(named).chain(folders.iter().map(String::as_str));
    let mut files: Vec<String> = first.filter(|file| !file.is_empty()).map(str::to_owned).collect();
    let mut at = 0;
    while let Some(file) = files.get(at).cloned().filter(|_| at < MAX_FILES) {
        at += 1;
        let file = file.as_str();
        let names: Vec<String> = match file.strip_suffix('*') {
            Some(before) => ENDINGS.iter().map(|ending| format!("{before}{ending}")).collect(),
            None => vec![file.to_owned()],
        };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut scope = process.scope.clone();
        let Some(loaded) = nearest(process, &mut scope, &names) else { continue };
        // The words of the tool's call are those of the file, too: `ARGV.include?("up")`.
        scope.positional = Some(process.args().iter().map(|arg| arg.text.clone()).collect());
        for (name, value) in &process.call.assigns {
            scope.give(name, value);
        }
        let Some(opened) = process.runner.open_file(&mut scope, (loaded.file, "")) else { continue };
        let interpreter = match file.rsplit_once('.') {
            Some((_, "py")) => "python3",
            Some((_, "exs")) => "elixir",
            Some((_, "php")) => "php",
            Some((_, "*")) => "node",
            _ if file == "SConstruct" => "python3",
            Some((_, ending)) if ENDINGS.contains(&ending) => "node",
            _ => "ruby",
        };
        // pytest calls no function there that is not one of its own.
        let alone = interpreter == "python3" && process.name.starts_with("py");
        let asked = if alone { asked_fixtures(process, file, &loaded.text) } else { String::new() };
        if alone {
            files.extend(
                plugins_of_pytest(&loaded.text).filter(|plugin| !files.contains(plugin)).collect::<Vec<_>>(),
            );
        }
        let text = format!("{}{asked}", loaded.text);
        shell_interpreters::run_whole(&mut process.elsewhere(&mut scope), (interpreter, alone), &text);
        process.runner.close_file(&mut scope, &opened);
        if interpreter == "node" {
            set_up(process, &scope, &loaded.text);
        }
    }
    if let "jest" | "vitest" | "mocha" | "ava" | "cypress" = process.name
        && let Some(package) = process.runner.look_up(process.scope, "package.json")
    {
        let own = package.text.split_once(&format!("\"{}\": {{", process.name)).map_or("", |(_, own)| own);
        set_up(process, &process.scope.clone(), own);
    }
}

/// Files that one program loads by itself.
const MAX_FILES: usize = 24;

/// The modules that a `conftest.py` takes fixtures from: `pytest_plugins = ["tests.plugins.x"]`.
fn plugins_of_pytest(text: &str) -> impl Iterator<Item = String> {
    let list = text.split_once("pytest_plugins").and_then(|(_, rest)| rest.split_once('='));
    let list = list.map_or("", |(_, list)| list.trim_start());
    let end = if list.starts_with(['[', '(']) { list.find([']', ')']) } else { list.find('\n') };
    let words = list[..end.unwrap_or(list.len())].split(QUOTES).skip(1).step_by(2);
    let modules = words.filter(|word| word.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_')));
    modules.map(|module| format!("{}.py", module.replace('.', "/")))
}

/// Files in which a tool's settings name one that is loaded, and the words before its name.
const SETTINGS: [(&str, &str, &str); 7] = [
    ("phpunit", "phpunit.xml", "bootstrap=\""),
    ("phpunit", "phpunit.xml.dist", "bootstrap=\""),
    ("phpunit", "phpunit.dist.xml", "bootstrap=\""),
    ("pest", "phpunit.xml", "bootstrap=\""),
    ("paratest", "phpunit.xml", "bootstrap=\""),
    ("rspec", ".rspec", "--require "),
    ("rspec", ".rspec", "-r "),
];

/// The files that a tool loads before all else, as its settings or the call itself name them.
fn named_by_settings(process: &mut Process<'_>) -> Vec<String> {
    let mut files: Vec<String> = options(process.args(), "", "--bootstrap").map(str::to_owned).collect();
    for (program, settings, before) in SETTINGS {
        if process.name != program {
            continue;
        }
        let scope = process.scope.clone();
        let Some(loaded) = process.runner.look_up(&scope, settings) else { continue };
        let names = loaded.text.split(before).skip(1).filter_map(|rest| rest.split(['"', '\n', ' ']).next());
        files.extend(names.map(|name| match program {
            // A name of Ruby's, in one of its folders.
            "rspec" if !name.starts_with('.') => format!("spec/{name}.rb"),
            "rspec" if ending(name) != "rb" => format!("{name}.rb"),
            _ => name.to_owned(),
        }));
    }
    // What is loaded anyway is not loaded twice.
    files.retain(|file| file != "spec/spec_helper.rb");
    files
}

/// Calls of the fixtures that the tests beside a `conftest.py` ask for.
fn asked_fixtures(process: &mut Process<'_>, file: &str, text: &str) -> String {
    if !text.contains("fixture") {
        return String::new();
    }
    let pattern = format!("{}test_{}.py", file.trim_end_matches("conftest.py"), mark::STAR);
    let tests = process.runner.paths(process.scope, &pattern);
    let tests = tests.into_iter().filter(|test| !mark::any(test)).take(MAX_TESTS);
    let tests: Vec<_> =
        tests.filter_map(|test| Some(process.runner.look_up(process.scope, &test)?.text)).collect();
    let names = text.split("\ndef ").skip(1).filter_map(|function| function.split('(').next());
    let is_asked = |name: &&str| {
        let is_word = |word: &str| word == *name;
        tests.iter().any(|test| test.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_word))
    };
    names.filter(is_asked).map(|name| format!("\n{name}()\n")).collect()
}

/// Files of tests beside a `conftest.py` that are looked at.
const MAX_TESTS: usize = 8;

/// Keys under which settings name files that run before any test does.
const SETUP: [&str; 8] = [
    "globalSetup",
    "globalTeardown",
    "setupFiles",
    "setupFilesAfterEnv",
    "testEnvironment",
    "supportFile",
    "require",
    "setupTestFrameworkScriptFile",
];

/// Runs the files that settings name under such keys: `setupFiles: ['./setup.ts']`.
fn set_up(process: &mut Process<'_>, scope: &Scope, settings: &str) {
    for key in SETUP {
        for (at, _) in settings.match_indices(key).take(MAX_KEYS) {
            let rest = settings[at + key.len()..].trim_start_matches(['"', '\'', ' ']);
            let Some(value) = rest.strip_prefix(':').map(str::trim_start) else { continue };
            let value = match value.strip_prefix('[') {
                Some(list) => list.split(']').next().unwrap_or(list),
                None => value.split([',', '\n', '}']).next().unwrap_or(value),
            };
            for word in value.split(['"', '\'', '`']).skip(1).step_by(2) {
                let file = word.replace("<rootDir>/", "./");
                let endings = ENDINGS.iter().map(|ending| format!("{file}.{ending}"));
                let files: Vec<String> = std::iter::once(file.clone()).chain(endings).collect();
                let is_own = file.starts_with(['.', '/']) || ENDINGS.contains(&ending(&file));
                let found =
                    files.into_iter().find(|file| is_own && process.runner.look_up(scope, file).is_some());
                let Some(file) = found else { continue };
                process.start_in(&mut scope.clone(), &[Arg::from("node"), Arg::from(file)]);
            }
        }
    }
}

/// Places of one key that are looked at.
const MAX_KEYS: usize = 8;

/// `pip install .` runs the project's own `setup.py`.
fn installs(process: &mut Process<'_>) -> Option<String> {
    let words: Vec<&str> = process.args().iter().map(|arg| arg.text.as_str()).collect();
    let folder = words.contains(&"install").then(|| {
        words
            .iter()
            .find(|word| word.starts_with('.') && !word.contains(".whl"))
            .map(|word| word.split('[').next().unwrap_or("."))
    })??;
    let script = format!("{}/setup.py", folder.trim_end_matches('/'));
    process.runner.look_up(process.scope, &script)?;
    let mut inner = process.scope.clone();
    inner.change_folder(folder);
    process.start_in(&mut inner, &["python3", "setup.py", "install"].map(Arg::from));
    // What pip itself does is still to be looked at.
    None
}

/// `jupyter nbconvert --execute x.ipynb`, `papermill x.ipynb out.ipynb`: the cells of code, one after the other.
fn notebook(process: &mut Process<'_>) -> Option<String> {
    let words = || process.args().iter().map(|arg| arg.text.as_str());
    if !matches!(process.name, "papermill" | "runipy")
        && !words().any(|word| matches!(word, "--execute" | "execute" | "run"))
    {
        return None;
    }
    let file = words().find(|word| ending(word) == "ipynb")?.to_owned();
    let loaded = process.runner.look_up(process.scope, &file)?;
    let read: Value = serde_json::from_str(&loaded.text).ok()?;
    let cells = read.get("cells")?.as_array()?;
    let code = cells.iter().filter(|cell| cell.get("cell_type").and_then(Value::as_str) == Some("code"));
    let text: String = code
        .filter_map(|cell| cell.get("source"))
        .map(|source| {
            let lines =
                source.as_array().map(|lines| lines.iter().filter_map(Value::as_str).collect::<String>());
            let cell = lines.or_else(|| source.as_str().map(str::to_owned)).unwrap_or_default();
            shell_interpreters::as_python(&cell).into_owned() + "\n"
        })
        .collect();
    let mut scope = process.scope.clone();
    let opened = process.runner.open_file(&mut scope, (loaded.file, ""))?;
    shell_interpreters::run_body(&mut process.elsewhere(&mut scope), "python3", &text);
    process.runner.close_file(&mut scope, &opened);
    Some(String::new())
}

/// Runs the scripts of such a program. `None` for others, and where it runs none that is there.
pub(super) fn run(process: &mut Process<'_>, program: Option<&Program>) -> Option<String> {
    if !process.runner.has_disk() {
        return None;
    }
    match process.name {
        "pip" | "pip3" => return installs(process),
        "jupyter" | "jupyter-nbconvert" | "papermill" | "runipy" => return notebook(process),
        _ => {}
    }
    let program = program?;
    configured(process, program);
    let scripts = program.scripts?;
    let mut found = false;
    let [_, folder] = named(process);
    for file in files(process, scripts) {
        // `uvicorn --app-dir src main:app`
        let file = folder.map_or_else(|| file.clone(), |folder| shell_engine::path::join(folder, &file));
        if scripts.by.is_empty() {
            found |= searched(process, &file);
        } else if process.runner.look_up(process.scope, &file).is_some() {
            process.start(&[Arg::from(scripts.by), Arg::from(file)]);
            found = true;
        }
    }
    found.then(String::new)
}

/// What stands after the last point of a name.
fn ending(file: &str) -> &str {
    file.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// The scripts that a call names.
fn files(process: &mut Process<'_>, scripts: &Scripts) -> Vec<String> {
    let args = process.args();
    let words = || args.iter().map(|arg| arg.text.as_str()).filter(|word| !word.starts_with('-'));
    let is_after = |word: &str| scripts.after.split(' ').any(|after| after == word);
    if !scripts.after.is_empty() && !words().next().is_some_and(is_after) {
        return Vec::new();
    }
    let is_script = |file: &str| {
        let ending = ending(file);
        !ending.is_empty() && scripts.endings.split(' ').any(|known| known == ending)
    };
    // `tests/test_x.py::test_one`
    let operands = words().map(|word| word.split("::").next().unwrap_or(word));
    let operands = operands.filter(|file| is_script(file)).map(str::to_owned);
    // A file or a module, with what is meant in it: `w.py`, `app.main:create`.
    let file = |name: &str| {
        let path = name.split(':').next().unwrap_or(name);
        let is_file = ending(path) == "py" || ENDINGS.contains(&ending(path));
        if is_file { path.to_owned() } else { format!("{}.py", path.replace('.', "/")) }
    };
    let application = words().find(|word| scripts.module && word.contains(':')).map(file);
    let mut files: Vec<String> = operands.chain(application).collect();
    for name in scripts.options.split_ascii_whitespace() {
        let is_variable = name.starts_with(|c: char| c.is_ascii_uppercase());
        let values: Vec<String> = if is_variable {
            process.variable(name).into_iter().collect()
        } else {
            options(args, name, name).map(str::to_owned).collect()
        };
        // `--load-plugins=a,b`
        files.extend(values.iter().flat_map(|value| value.split(',')).map(file));
    }
    files
}

/// Runs the lines that code in a language which no one here reads names as such.
fn searched(process: &mut Process<'_>, file: &str) -> bool {
    let Some(loaded) = process.runner.look_up(process.scope, file) else { return false };
    let mut inner = process.scope.clone();
    let Some(opened) = process.runner.open_file(&mut inner, (loaded.file, "")) else { return false };
    // Comments of Haskell and OCaml, of which a line begins with one.
    let text: Vec<&str> = loaded.text.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    let text = text.join("\n");
    for line in code::started(&text) {
        process.text_in(&inner, &line);
    }
    let mut paths = code::deleted(&text);
    paths.extend(code::deletes_home(&text).then_some("~"));
    for path in paths {
        let line = quoted(&["rm", "-rf", "--"].map(Arg::from));
        let path = if path.starts_with('~') { path.to_owned() } else { quoted(&[Arg::from(path)]) };
        process.text_in(&inner, &format!("{line} {path}"));
    }
    process.runner.close_file(&mut inner, &opened);
    true
}
