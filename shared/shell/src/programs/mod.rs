//! Programs that run other programs, and where in their arguments the other program stands.

mod archive;
mod code;
mod container;
mod copies;
mod each;
mod ed;
mod emptied;
mod filter;
mod fish;
mod git;
mod guess;
mod harness;
mod jq;
mod leaks;
mod lines;
mod listed;
mod lookup;
mod mounts;
mod nushell;
mod output;
mod patch;
mod project;
mod remote;
mod sed;
mod shells;
mod texts;
mod tools;
mod typeset;
mod variables;
mod wrappers;
mod zsh;

use catalog::Program;
pub use leaks::leaks;
pub use mounts::{Mount, mounts};
pub(crate) use output::{filtered, views};
use shell_engine::arguments::{joined, option, options, quoted};
use shell_engine::{Arg, Call, Loaded, Output, Process, Scope, bash};
pub(crate) use shells::brought_in_bash;

/// What stands around words in most files.
pub(crate) const QUOTES: [char; 2] = ['"', '\''];

/// Runs a program, and returns what it prints.
pub(crate) fn run(process: &mut Process<'_>) -> String {
    match bash::builtin::run(process) {
        Output::Printed(printed) => return printed,
        Output::Unknown => return output::of(process),
        Output::NotMine => {}
    }
    let call = process.call;
    if shell_engine::mark::any(&call.args[0].text) {
        lookup::text(process);
    }
    // Before what its name promises: `./bash` is the file that was written there.
    if call.args[0].text.contains('/')
        && let Some(printed) = run_files(process, &call.args[0].text)
    {
        // A wrapper that a project brings does what its tool does.
        if process.runner.has_disk() {
            match process.name {
                "gradlew" | "manage.py" | "artisan" => project::beside(process),
                "rails" | "rake" => drop(inner(process)),
                _ => {}
            }
        }
        return printed;
    }
    if process.runner.promises_any() {
        lookup::handed(process);
    }
    let found = if process.runner.has_disk() { lookup::path(process) } else { None };
    let printed = found.and_then(|path| run_files(process, &path));
    // What is known of the name holds as well: what the `PATH` finds may only start the program of that name.
    inner(process).or(printed).unwrap_or_else(|| output::of(process))
}

/// All values of an option, also where its letter stands in a bundle: `-avze VALUE`, `-cIVALUE`. The catalog says which
/// letters of the program take a value: what follows the first of them is that value, not another letter.
fn bundled<'a>(program: &str, args: &'a [Arg], letter: char, long: &str) -> Vec<&'a str> {
    let lists = catalog::find(program).map_or(["", ""], |row| [row.values, row.anywhere]);
    let takes = |c: char| c == letter || lists.iter().any(|list| catalog::has_letter(list, c));
    let mut found = Vec::new();
    let mut words = args.iter().map(|arg| arg.text.as_str());
    while let Some(text) = words.next() {
        if let Some(name) = text.strip_prefix("--") {
            if text == long {
                found.extend(words.next());
            } else if !name.is_empty() && !long.is_empty() {
                found.extend(text.strip_prefix(long).and_then(|rest| rest.strip_prefix('=')));
            }
            continue;
        }
        let Some(letters) = text.strip_prefix('-') else { continue };
        let Some((at, first)) = letters.char_indices().find(|(_, c)| takes(*c)) else { continue };
        let glued = &letters[at + first.len_utf8()..];
        let value = if glued.is_empty() { words.next() } else { Some(glued) };
        found.extend(value.filter(|_| first == letter));
    }
    found
}

/// The words that are neither options nor values of options, by what the catalog says of the program.
fn operands<'a>(program: &str, args: &'a [Arg]) -> Vec<&'a str> {
    let lists = catalog::find(program).map_or(["", ""], |row| [row.values, row.anywhere]);
    let takes = |option: &str| lists.iter().any(|list| list.split(' ').any(|known| known == option));
    let mut found = Vec::new();
    let mut words = args.iter().map(|arg| arg.text.as_str());
    while let Some(text) = words.next() {
        match text.strip_prefix('-') {
            None | Some("") => found.push(text),
            Some("-") => found.extend(words.by_ref()),
            Some(_) if takes(text) => drop(words.next()),
            Some(letters) if !letters.starts_with('-') => {
                // `-sC FOLDER`: the last letter of a bundle takes the next word, one before it the rest of its own.
                let letter = |c: char| lists.iter().any(|list| catalog::has_letter(list, c));
                let last = letters.char_indices().find(|(_, c)| letter(*c));
                if last.is_some_and(|(at, c)| at + c.len_utf8() == letters.len()) {
                    words.next();
                }
            }
            Some(_) => {}
        }
    }
    found
}

/// The file that an argument names: what lies there, or what the tool gets as its input.
fn given(process: &mut Process<'_>, scope: &Scope, file: &str) -> Option<Loaded> {
    let input = process.call.io.stdin.as_ref();
    let loaded = match input.filter(|_| file == "-" || shell_engine::path::is_stdin(file)) {
        Some(text) => {
            let fulfilled = process.runner.fulfilled(scope, text);
            Some(fulfilled.unwrap_or_else(|| Loaded { text: std::rc::Rc::clone(text), file: None }))
        }
        None => process.runner.look_up(scope, file),
    };
    if let Some(loaded) = &loaded {
        notes_remote(process, loaded);
    }
    loaded
}

/// The text of that, seen from where the program runs.
fn script_at(process: &mut Process<'_>, file: &str) -> Option<std::rc::Rc<str>> {
    let scope = process.scope.clone();
    Some(given(process, &scope, file)?.text)
}

/// Notes that a program runs what stands in a file, where that came from another machine: `make -f <(curl …)`.
fn notes_remote(process: &mut Process<'_>, script: &Loaded) {
    if script.text.trim_start().starts_with(shell_engine::mark::REMOTE) {
        process.runner.note(shell_engine::NoteKind::RunsRemote, process.call.span);
    }
}

/// Runs the scripts that a path starts; `None` where there is none.
fn run_files(process: &mut Process<'_>, path: &str) -> Option<String> {
    let mut printed = None;
    for path in process.runner.paths(process.scope, path) {
        if let Some(script) = started(process, &path) {
            let mut args = process.call.args.to_vec();
            args[0] = path.into();
            let output = shells::script(process, &script, &args);
            process.runner.append(printed.get_or_insert_default(), output);
        }
    }
    printed
}

/// The script that a path starts. What the system or a package brings is what its name says.
fn started(process: &mut Process<'_>, path: &str) -> Option<Loaded> {
    if process.runner.file_at(process.scope, path).is_some() || process.runner.is_copy(process.scope, path) {
        return process.runner.load(process.scope, path);
    }
    let absolute = process.scope.absolute(path);
    let installed =
        ["/usr/", "/bin/", "/sbin/", "/lib/", "/opt/", "/nix/", "/snap/", "/System/", "/Library/"]
            .iter()
            .any(|folder| absolute.starts_with(folder))
            || ["/node_modules/", "/site-packages/", "/.venv/", "/venv/", "/vendor/bundle/", "/.cargo/bin/"]
                .iter()
                .any(|folder| absolute.contains(folder));
    if installed { None } else { process.runner.load(process.scope, path) }
}

/// Runs what a program runs. `None` if it runs nothing that can be seen in its arguments.
fn inner(process: &mut Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    if let Some(service) = call.args[0].text.strip_prefix("/etc/init.d/") {
        // `/etc/init.d/ssh stop` is `service ssh stop`.
        let mut args = vec![Arg::from("service"), Arg::from(service)];
        args.extend_from_slice(&call.args[1..]);
        return Some(process.start(&args));
    }
    shell_interpreters::run_preloaded(process);
    if process.runner.has_disk() {
        project::beside(process);
    }
    if matches!(name, "npm" | "pnpm") {
        // Before the script of the project, which it runs.
        lines::beside(process);
    }
    let program = catalog::find(name);
    program
        .and_then(|program| wrappers::run(process, program))
        .or_else(|| shells::run(process))
        .or_else(|| each::run(process))
        .or_else(|| git::run(process))
        .or_else(|| container::run(process))
        .or_else(|| remote::run(process))
        .or_else(|| project::run(process))
        .or_else(|| tools::run(process))
        .or_else(|| shell_sql::run(process))
        .or_else(|| printed(name, call))
        .or_else(|| harness::run(process, program))
        .or_else(|| interpreted(process, program))
        .or_else(|| project::declared(process).then(String::new))
        .or_else(|| guess::run(process))
}

/// What code does and prints; an awk program mostly prints lines of its files.
fn interpreted(process: &mut Process<'_>, program: Option<&Program>) -> Option<String> {
    if program.is_some_and(|program| program.code.is_none()) {
        return None;
    }
    let given = variables::given(process);
    let printed = if given.is_empty() {
        shell_interpreters::run(process)?
    } else {
        let mut scope = process.scope.clone();
        for (name, value) in given {
            scope.set_text(&name, &value);
            scope.export(&name);
        }
        shell_interpreters::run(&mut process.elsewhere(&mut scope))?
    };
    let unknown =
        printed.chars().next().filter(|c| process.call.io.capture && shell_engine::mark::is_hole(*c));
    Some(unknown.and_then(|unknown| output::promised(process, Some(unknown))).unwrap_or(printed))
}

/// What an awk program prints that does nothing else.
fn printed(name: &str, call: &Call) -> Option<String> {
    let prints = call.io.capture && matches!(name, "awk" | "gawk" | "mawk" | "nawk");
    prints.then(|| filter::print_fields(&call.args[1..], call.io.stdin.as_deref()))?
}

/// A program that a package brings, without the version that is asked for: `rimraf@5`, `@openai/codex@latest`, and
/// without the `--` of `npm exec PACKAGE -- ARGUMENT`.
pub(crate) fn packaged(args: &[Arg]) -> Vec<Arg> {
    let mut args = args.to_vec();
    if let Some(first) = args.first_mut() {
        // deno names the registry as well: `npm:rimraf@5`.
        for registry in ["npm:", "jsr:"] {
            if let Some(package) = first.text.strip_prefix(registry) {
                first.text = package.to_owned();
            }
        }
        let name = first.text.rfind('/').map_or(0, |slash| slash + 1);
        if let Some(at) = first.text[name..].find('@').filter(|at| name + at > 0) {
            first.text.truncate(name + at);
        }
    }
    if args.get(1).is_some_and(|arg| arg.text == "--") {
        args.remove(1);
    }
    args
}
