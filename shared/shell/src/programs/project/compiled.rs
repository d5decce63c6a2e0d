//! Compilers: the program that they write does what its sources say, so it stands as a script in their language where it is
//! started later: `gcc t.c -o t && ./t`, `go build -o tool . && ./tool`. And what Go generates code with.

use shell_engine::{Arg, Process, mark};

use super::recipe::{self, Recipe};
use crate::programs::option;

/// Sources of one program, and the bytes of all of them.
const MAX_SOURCES: usize = 16;
const MAX_SIZE: usize = 128 * 1024;

/// Puts the program that a compiler writes where it will lie. Also runs what the call makes the compiler start.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    let (interpreter, endings): (&str, &[&str]) = match process.name {
        "rustc" => ("rust-script", &["rs"]),
        "swiftc" => ("swift", &["swift"]),
        "go" => match args.first()?.text.as_str() {
            "build" => ("gorun", &["go"]),
            "generate" => return generate(process),
            "test" => return tests(process),
            _ => return None,
        },
        _ => ("tcc", &["c", "cc", "cpp", "cxx", "C"]),
    };
    if interpreter == "tcc" {
        // The program in front of each of the compiler's own.
        if let Some(wrapper) = option(args, "-wrapper", "") {
            let words: Vec<Arg> = wrapper.split(',').map(Arg::from).collect();
            process.start(&words);
        }
        if args.iter().any(|arg| matches!(arg.text.as_str(), "-c" | "-S" | "-E" | "-fsyntax-only")) {
            return None;
        }
    }
    // Agents build all day: only what is written where the call says is likely to be started then.
    if process.name == "go" && option(args, "-o", "").is_none() {
        return None;
    }
    let sources = sources(process, endings);
    let first = sources.first()?.clone();
    let stem = shell_engine::path::file_name(&first).rsplit_once('.').map_or("", |(stem, _)| stem);
    let usual = match process.name {
        "rustc" | "swiftc" => stem.to_owned(),
        _ => "a.out".to_owned(),
    };
    let output = option(args, "-o", "").map_or(usual, str::to_owned);
    let mut text = format!("#!/usr/bin/env {interpreter}\n");
    for source in sources.iter().take(MAX_SOURCES) {
        if let Some(loaded) = process.runner.look_up(process.scope, source)
            && text.len() + loaded.text.len() < MAX_SIZE
        {
            text.push_str(&loaded.text);
            text.push('\n');
        }
    }
    if text.lines().nth(1).is_some() {
        process.runner.put_file(process.scope, &output, &text);
    }
    None
}

/// The files that a call compiles: those that it names, or those of a package of Go's.
fn sources(process: &mut Process<'_>, endings: &[&str]) -> Vec<String> {
    let args = process.args();
    let is_source = |word: &str| word.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending));
    let words = args.iter().map(|arg| arg.text.as_str()).filter(|word| !word.starts_with('-'));
    let named: Vec<String> = words.clone().filter(|word| is_source(word)).map(str::to_owned).collect();
    if process.name != "go" || !named.is_empty() {
        return named;
    }
    let output = option(args, "-o", "");
    let package = words.skip(1).find(|word| Some(*word) != output).unwrap_or(".");
    let files =
        process.runner.paths(process.scope, &format!("{}/{}.go", package.trim_end_matches('/'), mark::STAR));
    files.into_iter().filter(|file| !file.ends_with("_test.go") && !mark::any(file)).collect()
}

/// Words without which a test does nothing that matters here: most tests have none of them, and are not followed.
const ACTS: [&str; 3] = ["os.Remove", "exec.Command", "os.Truncate"];

/// `go test`: the tests of the packages that it names, of `./...` those of the folder itself.
fn tests(process: &mut Process<'_>) -> Option<String> {
    let words = process.args().iter().skip(1).map(|arg| arg.text.as_str());
    let package = words.filter(|word| word.starts_with('.')).map(|word| word.trim_end_matches("..."));
    let package = package.map(|word| word.trim_end_matches('/')).next().unwrap_or(".").to_owned();
    // A test that is chosen by its name is not looked for: what stands around all of them runs with any.
    let chosen = option(process.args(), "-run", "").is_some()
        || process.args().iter().any(|arg| arg.text.starts_with("-run="));
    let files = process.runner.paths(process.scope, &format!("{package}/{}_test.go", mark::STAR));
    for file in files.into_iter().filter(|file| !mark::any(file)).take(MAX_SOURCES) {
        let Some(loaded) = process.runner.look_up(process.scope, &file) else { continue };
        if !ACTS.iter().any(|word| loaded.text.contains(word)) {
            continue;
        }
        let heads = loaded.text.lines().filter_map(|line| line.strip_prefix("func Test")?.split_once('('));
        let calls = heads.filter(|(name, _)| !chosen || *name == "Main");
        let calls: Vec<String> =
            calls.take(MAX_SOURCES).map(|(name, _)| format!("Test{name}(nil)")).collect();
        let code = format!("{}\nfunc main() {{ {} }}\n", loaded.text, calls.join("; "));
        let mut scope = process.scope.clone();
        scope.change_folder(&package);
        let first = process.runner.analysis.atoms.len();
        recipe::code(process, &scope, (&loaded, "test"), ("gorun", &code, 0));
        // What a test names by what is only known when it runs is mostly what it has made.
        for atom in &mut process.runner.analysis.atoms[first..] {
            if atom.args.iter().any(Arg::has_hole) {
                atom.args = std::rc::Rc::new(vec![Arg::from("true")]);
            }
        }
    }
    None
}

/// `go generate ./...`: the lines that the sources have for it.
fn generate(process: &mut Process<'_>) -> Option<String> {
    const LINE: &str = "//go:generate ";
    if process.args().iter().any(|arg| arg.text == "-n") {
        return None;
    }
    let words =
        process.args().iter().skip(1).map(|arg| arg.text.as_str()).filter(|word| !word.starts_with('-'));
    let mut packages: Vec<&str> = words.collect();
    if packages.is_empty() {
        packages.push(".");
    }
    let star = mark::STAR;
    for package in packages {
        let patterns = match package.strip_suffix("...") {
            Some(folder) => vec![
                format!("{folder}{star}.go"),
                format!("{folder}{star}/{star}.go"),
                format!("{folder}{star}/{star}/{star}.go"),
            ],
            None if package.rsplit_once('.').is_some_and(|(_, ending)| ending == "go") => {
                vec![package.to_owned()]
            }
            None => vec![format!("{}/{star}.go", package.trim_end_matches('/'))],
        };
        for pattern in patterns {
            for file in process.runner.paths(process.scope, &pattern).into_iter().take(MAX_SOURCES) {
                let Some(loaded) = process.runner.look_up(process.scope, &file) else { continue };
                let lines = loaded.text.lines().filter_map(|line| line.strip_prefix(LINE));
                let lines = lines.map(|line| Recipe::piece(&loaded.text, line));
                let lines: Vec<Recipe> = lines.collect();
                let mut scope = process.scope.clone();
                if let Some((folder, _)) = file.rsplit_once('/') {
                    scope.change_folder(folder);
                }
                recipe::run(process, &scope, (&loaded, "generate"), &lines);
            }
        }
    }
    None
}
