//! Interpreters of other languages: code that they are given, and what it starts.
//!
//! Code is not run and not fully parsed. [`lex`] reads tokens, [`follow`] computes what calls get as far as strings,
//! lists and names go, [`languages`] says what the calls of each library do, and [`act`] turns that into programs
//! that would do the same: `shutil.rmtree(x)` is `rm -rf -- x`. So every rule about commands holds for code, too.

mod act;
mod apply;
mod archives;
mod commands;
mod compute;
mod data;
mod database;
mod doubles;
mod evaluate;
mod files;
mod follow;
mod home;
mod interpreters;
mod invoke;
mod languages;
mod lex;
mod libraries;
mod lisp;
mod magic;
mod network;
mod operands;
mod options;
mod preload;
mod services;
mod spawn;
mod swift;
mod tasks;
mod tcl;
mod texts;
mod unused;
mod value;
mod vim;
mod xonsh;

pub use magic::as_python;
use std::rc::Rc;
pub use unused::without_unused;

use shell_engine::{Arg, Call, Loaded, NoteKind, Process, Script, Via, mark};

use follow::Given;
use interpreters::{Dialect, Interpreter, Source};
pub use vim::run_commands;

/// Code longer than this is not looked at.
const MAX_BODY: usize = 256 * 1024;
/// Code inside code that is looked at.
const MAX_NESTED: u32 = 8;

/// A language whose code is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Python,
    JavaScript,
    Ruby,
    Perl,
    Php,
    Lua,
    Awk,
    R,
    /// Java, Groovy, Kotlin and Scala.
    Jvm,
    Julia,
    Elixir,
    Go,
    /// Swift, Rust, C and C#.
    Other,
}

impl Language {
    #[cfg(test)]
    const ALL: &[Self] = &[
        Self::Python,
        Self::JavaScript,
        Self::Ruby,
        Self::Perl,
        Self::Php,
        Self::Lua,
        Self::Awk,
        Self::R,
        Self::Jvm,
        Self::Julia,
        Self::Elixir,
        Self::Go,
        Self::Other,
    ];

    /// Whether `end` closes its blocks.
    fn has_word_blocks(self) -> bool {
        matches!(self, Self::Ruby | Self::Lua | Self::Julia | Self::Elixir)
    }

    /// Whether strings between these quotes may hold expressions.
    fn fills(self, quote: char) -> bool {
        quote == '"'
            && matches!(
                self,
                Self::Ruby | Self::Perl | Self::Php | Self::Jvm | Self::Julia | Self::Elixir | Self::Other
            )
    }
}

/// `go run -C FOLDER .`, which go takes in this place only: the folder, and the call without it.
fn go_elsewhere<'a>(name: &str, args: &'a [Arg]) -> Option<(&'a str, Vec<Arg>)> {
    let [program, run, flag, rest @ ..] = args else { return None };
    let folder = flag.text.strip_prefix("-C").filter(|_| name == "go")?;
    let (folder, rest) = match (folder.strip_prefix('='), rest) {
        (Some(folder), rest) if !folder.is_empty() => (folder, rest),
        (_, [folder, rest @ ..]) => (folder.text.as_str(), rest),
        _ => return None,
    };
    Some((folder, [program, run].into_iter().chain(rest).cloned().collect()))
}

/// `ruby -run -e rm -- -rf x`: the library `un` has functions for programs.
fn run_by_ruby(process: &Process<'_>) -> Option<Vec<Arg>> {
    let args = process.args();
    args.iter().find(|arg| arg.text == "-run")?;
    let at = args.iter().position(|arg| arg.text == "-e")?;
    let program = args.get(at + 1).filter(|arg| {
        matches!(
            arg.text.as_str(),
            "rm" | "mv" | "cp" | "rmdir" | "chmod" | "install" | "ln" | "touch" | "mkdir"
        )
    })?;
    let rest = args[at + 2..].iter().filter(|arg| arg.text != "--");
    Some(std::iter::once(program).chain(rest).cloned().collect())
}

/// Runs what options and variables have an interpreter load before its script.
fn run_first(process: &mut Process<'_>, interpreter: Interpreter, args: &[Arg]) {
    for file in preload::files(process, interpreter.dialect, args) {
        if let Some(loaded) = process.runner.look_up(process.scope, &file) {
            run_loaded(process, interpreter, loaded, (None, &[], true));
        }
    }
    if let Some(text) = preload::code(process, interpreter.dialect, args) {
        let code = Loaded { text: Rc::from(text), file: None };
        run_loaded(process, interpreter, code, (None, &[], false));
    }
}

/// Runs what variables have an interpreter load before a tool that is written for it:
/// `NODE_OPTIONS="--import data:…" npm test`.
pub fn run_preloaded(process: &mut Process<'_>) {
    let inherits =
        matches!(process.name, "npm" | "npx" | "pnpm" | "yarn" | "bundle" | "rails" | "rake" | "prove");
    if process.call.assigns.is_empty() && !inherits || interpreters::find(process.name).is_some() {
        return;
    }
    for language in [Language::JavaScript, Language::Ruby, Language::Perl] {
        run_first(process, Interpreter::of(Dialect::Code(language)), &[]);
    }
}

/// What the code of an interpreter reads: awk goes through the files that it is given.
fn read_by(process: &Process<'_>, dialect: Dialect, arguments: &[Arg]) -> Option<Rc<str>> {
    let files = match dialect {
        Dialect::Code(Language::Awk) if process.runner.has_disk() => preload::input(process, arguments),
        _ => None,
    };
    files.or_else(|| process.call.io.stdin.clone())
}

/// Runs the code that an interpreter gets. `None` if it gets none that is known.
pub fn run(process: &mut Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    let interpreter = interpreters::find(name)?;
    run_first(process, interpreter, process.args());
    if let Some((folder, words)) = go_elsewhere(name, &call.args) {
        let mut inner = process.scope.clone();
        inner.change_folder(folder);
        return Some(process.start_in(&mut inner, &words));
    }
    if let Some(words) = run_by_ruby(process) {
        return Some(process.start(&words));
    }
    let source = interpreter.source(&call.args[1..])?;
    let plain = |text: String| Loaded { text: Rc::from(text), file: None };
    let (body, stdin, arguments) = match source {
        Source::Argument(body, arguments) => {
            if interpreter.dialect == Dialect::Code(Language::Awk) && process.runner.has_disk() {
                let data = preload::seen(process, arguments);
                let lines = data.as_deref().map_or(Vec::new(), |data| turns_of_awk(&body, data));
                if !lines.is_empty() {
                    let mut printed = String::new();
                    for line in lines {
                        let given = (Some(line), arguments, false);
                        let output = run_loaded(process, interpreter, plain(body.clone()), given);
                        process.runner.append(&mut printed, output.unwrap_or_default());
                    }
                    return Some(printed);
                }
            }
            if body.chars().all(|c| mark::is_hole(c) && c != mark::PRINTED) && !body.is_empty() {
                process.runner.note(NoteKind::OpaqueCode, call.span);
            }
            let stdin = read_by(process, interpreter.dialect, arguments);
            (plain(body), stdin, arguments)
        }
        Source::File(file, arguments) => {
            let mut printed = None;
            for path in process.runner.paths(process.scope, file) {
                for mut loaded in files_of(process, interpreter.dialect, &path) {
                    let stdin = read_by(process, interpreter.dialect, arguments);
                    let mut lines = Vec::new();
                    if interpreter.dialect == Dialect::Code(Language::Awk) && process.runner.has_disk() {
                        // Without fields, it does not matter what it reads.
                        let data = preload::seen(process, arguments);
                        lines = data.as_deref().map_or(Vec::new(), |data| turns_of_awk(&loaded.text, data));
                        let data = data.or((!loaded.text.contains('$')).then(String::new));
                        if let Some(data) = data {
                            loaded.text = preload::without_absent(&loaded.text, &data, process.args()).into();
                        }
                    }
                    for line in lines {
                        let given = (Some(line), arguments, true);
                        let output = run_loaded(process, interpreter, loaded.clone(), given);
                        process.runner.append(printed.get_or_insert_default(), output.unwrap_or_default());
                    }
                    if printed.is_some() && interpreter.dialect == Dialect::Code(Language::Awk) {
                        continue;
                    }
                    let output = run_loaded(process, interpreter, loaded, (stdin, arguments, true));
                    process.runner.append(printed.get_or_insert_default(), output.unwrap_or_default());
                }
            }
            return printed;
        }
        Source::Module(module, arguments) => {
            // The packages around it come first.
            for (at, _) in module.match_indices('.').take(MAX_PACKAGE) {
                let file = format!("{}/__init__.py", module[..at].replace('.', "/"));
                if let Some(package) = process.runner.look_up(process.scope, &file) {
                    run_loaded(process, interpreter, package, (None, arguments, true));
                }
            }
            // An installed one is what its name says.
            let loaded = preload::module(process, module, arguments)?;
            (loaded, call.io.stdin.clone(), arguments)
        }
        Source::Input(arguments) => (Loaded { text: call.io.stdin.clone()?, file: None }, None, arguments),
    };
    run_loaded(process, interpreter, body, (stdin, arguments, false))
}

/// The lines that awk's rules go through one after the other, where they use the fields of each. None where there are too
/// many.
fn turns_of_awk(code: &str, data: &str) -> Vec<Rc<str>> {
    let lines: Vec<&str> = data.lines().filter(|line| !line.is_empty()).collect();
    // The first one often says what the columns are.
    let skips = ["NR > 1", "NR>1", "NR != 1", "NR!=1"].iter().any(|condition| code.contains(condition));
    if !code.contains('$') || mark::any(data) || lines.len() > MAX_LINES {
        return Vec::new();
    }
    lines.into_iter().skip(usize::from(skips)).map(Rc::from).collect()
}

/// Lines of a file that are gone through one by one.
const MAX_LINES: usize = 24;

/// The files of code that a path means: itself, what it is short for, or what a folder holds.
fn files_of(process: &mut Process<'_>, dialect: Dialect, path: &str) -> Vec<Loaded> {
    let named = |path: &str| !path.ends_with(['.', '/']) && shell_engine::path::file_name(path).contains('.');
    // What the command has written itself, under whatever name: `go run <(echo CODE)`.
    if process.runner.file_at(process.scope, path).is_some() {
        return process.runner.load(process.scope, path).into_iter().collect();
    }
    match dialect {
        // `node k` is `node k.js`, `node .` what the package says, or `index.js`.
        Dialect::Code(Language::JavaScript) if !named(path) => {
            let folder = path.trim_end_matches('/');
            let main = process.runner.look_up(process.scope, &format!("{folder}/package.json"));
            let main = main.and_then(|package| main_of(&package.text).map(|main| format!("{folder}/{main}")));
            let others = ["", ".js", ".ts", "/index.js", "/index.ts"];
            let mut others = others.iter().map(|ending| format!("{folder}{ending}"));
            let main = main.as_deref().and_then(|main| process.runner.look_up(process.scope, main));
            main.or_else(|| others.find_map(|path| process.runner.look_up(process.scope, &path)))
                .into_iter()
                .collect()
        }
        // `python3 FOLDER`, and an archive, is its `__main__.py`.
        Dialect::Code(Language::Python) if !named(path) => {
            let main = format!("{}/__main__.py", path.trim_end_matches('/'));
            let file = process.runner.look_up(process.scope, &main);
            file.or_else(|| process.runner.load(process.scope, path)).into_iter().collect()
        }
        // `go run .`: the package in the folder.
        Dialect::Code(Language::Go) if !named(path) => {
            let files = format!("{}/{}.go", path.trim_end_matches('/'), mark::STAR);
            let files = process.runner.paths(process.scope, &files);
            let files = files.into_iter().filter(|file| !file.ends_with("_test.go") && !mark::any(file));
            let files =
                files.take(MAX_PACKAGE).filter_map(|file| process.runner.look_up(process.scope, &file));
            let mut files: Vec<Loaded> = files.collect();
            // The others of a program stand beside the one that begins, unless Go runs something of theirs before.
            let has = |file: &Loaded, head: &str| file.text.lines().any(|line| line.starts_with(head));
            if files.iter().any(|file| has(file, "func main(")) {
                files.retain(|file| ["func main(", "func init(", "var "].iter().any(|head| has(file, head)));
            }
            files
        }
        _ => process.runner.load(process.scope, path).into_iter().collect(),
    }
}

/// Files of one package that are read.
const MAX_PACKAGE: usize = 8;

/// The `main` of a `package.json`.
fn main_of(package: &str) -> Option<&str> {
    let rest = package.split_once("\"main\"")?.1.trim_start().strip_prefix(':')?.trim_start();
    rest.strip_prefix('"')?.split('"').next()
}

/// Runs the code of an interpreter, with what it reads and its arguments.
fn run_loaded(
    process: &mut Process<'_>,
    interpreter: Interpreter,
    body: Loaded,
    (stdin, arguments, in_file): (Option<Rc<str>>, &[Arg], bool),
) -> Option<String> {
    let (name, call) = (process.name, process.call);
    // `cat x.py | python3`, `python3 -c "$(cat x.py)"`
    let body = process.runner.fulfilled(process.scope, &body.text).unwrap_or(body);
    let text = match name {
        "xonsh" => xonsh::as_python(&body.text).into(),
        name if magic::knows(name) => magic::as_python(&body.text),
        _ => (&*body.text).into(),
    };
    let reads = stdin.clone();
    let mut variables = interpreter.variables(&call.args[1..]);
    if interpreter.dialect == Dialect::Code(Language::Awk) {
        variables.extend(preload::separator(&call.args[1..]));
    }
    let arguments = arguments.iter().map(|arg| arg.text.clone()).collect();
    // The files of one package of Go call one another.
    let alone = interpreter.dialect != Dialect::Code(Language::Go) && !is_of_harness(process);
    let given = Given { stdin, arguments, variables, complete: true, alone, in_file, ..Given::default() };
    let mut inner = process.scope.clone();
    for (name, value) in &call.assigns {
        inner.give(name, value);
    }
    // `java -Droot=dist Wipe.java`
    if interpreter.dialect == Dialect::Code(Language::Jvm) {
        for (name, value) in call.args.iter().filter_map(|arg| arg.text.strip_prefix("-D")?.split_once('=')) {
            inner.give(name, value);
        }
    }
    // What is rewritten has other places.
    let file = body.file.filter(|_| name != "xonsh");
    let opened = process.runner.open_file(&mut inner, (file, ""))?;
    let printed = run_code(&mut process.elsewhere(&mut inner), interpreter, &text, given);
    process.runner.close_file(&mut inner, &opened);
    Some(handed_on(printed, reads.as_deref()))
}

/// Whether a tool has started the interpreter that calls functions of the script by their names: a runner of tests, a server.
fn is_of_harness(process: &Process<'_>) -> bool {
    if process.args().windows(2).any(|pair| pair[0].text == "-m" && preload::runs_others(&pair[1].text)) {
        return true;
    }
    let atoms = &process.runner.analysis.atoms;
    let atom = |at: u32| atoms.get(usize::try_from(at).ok()?);
    let parent = atom(process.index).and_then(|own| own.via).and_then(|via| atom(via.parent));
    let name = parent.and_then(|parent| parent.args.first()).map(|arg| arg.text.as_str());
    name.and_then(catalog::find).is_some_and(|row| row.scripts.is_some())
}

/// What code prints: where that is not known and it reads something foreign, more of the same.
fn handed_on(printed: String, stdin: Option<&str>) -> String {
    if printed.trim() != mark::UNKNOWN.encode_utf8(&mut [0; 4]) {
        return printed;
    }
    let reads = |c: char| stdin.is_some_and(|text| text.contains(c));
    match [mark::REMOTE, mark::DECODED].into_iter().find(|&c| reads(c)) {
        Some(foreign) => format!("{foreign}\n"),
        None => printed,
    }
}

/// Follows the text of a script file with the interpreter that its first line names. `None` where that is a shell, or
/// where no line says so.
pub fn run_script(process: &mut Process<'_>, script: &str) -> Option<String> {
    run_whole(process, (named_in(script)?, true), script)
}

/// The interpreter that the first line of a script names, if its code is followed.
pub fn named_in(script: &str) -> Option<&str> {
    let line = script.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_whitespace().map(shell_engine::path::file_name);
    let mut program = words.next()?;
    if program == "env" {
        // `env -S NAME=value python3`
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    interpreters::find(program).map(|_| program)
}

/// Follows a file of Ruby that declares tasks for a tool, and runs those that are wanted.
pub fn run_tasks(process: &mut Process<'_>, body: &str, wanted: &[&str]) {
    let wanted = wanted.iter().map(|&name| name.to_owned()).collect();
    let tasks = tasks::Tasks { wanted, ..tasks::Tasks::default() };
    let arguments = process.args().iter().map(|arg| arg.text.clone()).collect();
    let given = Given { tasks: Some(tasks), arguments, complete: true, in_file: true, ..Given::default() };
    let mut inner = process.scope.clone();
    for (name, value) in &process.call.assigns {
        inner.give(name, value);
    }
    // `rake db:drop STAGE=test`
    for (name, value) in process.args().iter().filter_map(|arg| arg.text.split_once('=')) {
        if name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') {
            inner.give(name, value);
        }
    }
    run_code(&mut process.elsewhere(&mut inner), Interpreter::of(Dialect::Code(Language::Ruby)), body, given);
}

/// Follows code as this interpreter gets it in a file.
pub fn run_body(process: &mut Process<'_>, interpreter: &str, body: &str) -> Option<String> {
    run_whole(process, (interpreter, false), body)
}

/// The same; `alone` says that no tool calls its functions.
pub fn run_whole(
    process: &mut Process<'_>,
    (interpreter, alone): (&str, bool),
    body: &str,
) -> Option<String> {
    let Interpreter { dialect, .. } = interpreters::find(interpreter)?;
    let arguments = process.scope.positional.iter().flat_map(|args| args.iter().cloned()).collect();
    let given = Given {
        arguments,
        complete: process.scope.positional.is_some(),
        alone,
        in_file: true,
        ..Given::default()
    };
    Some(run_code(process, Interpreter::of(dialect), body, given))
}

/// Follows a piece of the file that is being read, as this interpreter gets it, and where it begins there.
pub fn run_piece(
    process: &mut Process<'_>,
    interpreter: &str,
    (body, begins): (&str, usize),
) -> Option<String> {
    let Interpreter { dialect, .. } = interpreters::find(interpreter)?;
    Some(run_code(process, Interpreter::of(dialect), body, Given { begins, ..Given::default() }))
}

fn run_code(process: &mut Process<'_>, interpreter: Interpreter, body: &str, mut given: Given) -> String {
    let unknown = || format!("{}\n", mark::UNKNOWN);
    let span = process.scope.origin.unwrap_or_else(|| process.runner.span_of(process.index));
    match body.trim_start().chars().next() {
        Some(mark::REMOTE) => process.runner.note(NoteKind::RunsRemote, span),
        Some(mark::DECODED) => process.runner.note(NoteKind::RunsDecoded, span),
        _ => {}
    }
    if body.len() > MAX_BODY || process.runner.code_depth >= MAX_NESTED {
        process.runner.note(NoteKind::OpaqueCode, span);
        return unknown();
    }
    if !process.runner.spend(body.len()) {
        return unknown();
    }
    process.runner.code_depth += 1;
    let printed = match interpreter.dialect {
        Dialect::Code(language) => {
            if language == Language::Other {
                swift::start_process(process, body);
            }
            let size = body.len();
            let body = if language == Language::Php { after_tag(body) } else { body };
            given.begins += size - body.len();
            let code = lex::read(language, body);
            follow::run(process, language, code, given)
        }
        Dialect::Lisp => {
            // `emacs -l FILE -f FUNCTION`
            let pairs = process.args().windows(2);
            let calls = pairs.filter(|pair| matches!(pair[0].text.as_str(), "-f" | "--funcall"));
            let calls: Vec<&str> = calls.map(|pair| pair[1].text.as_str()).collect();
            lisp::run(process, body, &calls);
            None
        }
        Dialect::Tcl => {
            tcl::run(process, body);
            None
        }
    };
    process.runner.code_depth -= 1;
    printed.unwrap_or_else(unknown)
}

/// PHP in a file begins after its tag.
fn after_tag(body: &str) -> &str {
    body.find("<?php").or_else(|| body.find("<?=")).map_or(body, |at| &body[at..])
}

/// Starts words as a program of a body that has no follower of its own.
fn start(process: &mut Process<'_>, words: Vec<String>) {
    if words.first().is_none_or(String::is_empty) {
        return;
    }
    let call = Call {
        args: Rc::new(words.into_iter().map(Arg::from).collect()),
        assigns: Vec::new(),
        redirects: Vec::new(),
        io: shell_engine::Io::default(),
        stage: shell_engine::Stage::default(),
        span: process.scope.origin.unwrap_or_else(|| process.runner.span_of(process.index)),
        external: true,
    };
    process.runner.start(
        &mut process.scope.clone(),
        Via { parent: process.index, how: shell_engine::How::Arguments },
        call,
    );
}

/// Runs a line of a body that has no follower of its own with a shell.
fn shell(process: &mut Process<'_>, line: &str) {
    shell_in(process, line, &shell_engine::Io::default());
}

/// The same, with what the line reads.
fn shell_reading(process: &mut Process<'_>, line: &str, input: &str) {
    shell_in(
        process,
        line,
        &shell_engine::Io { stdin: Some(Rc::from(input)), ..shell_engine::Io::default() },
    );
}

fn shell_in(process: &mut Process<'_>, line: &str, io: &shell_engine::Io) {
    process.runner.run_text(
        &mut process.scope.clone(),
        &Script::new(line, Some((process.index, shell_engine::How::Text)), io),
    );
}
