//! Builtins that change what the shell remembers, or that run a string.

use std::rc::Rc;

use super::{Io, Runner, Scope, Script, Value};
use crate::arguments;
use crate::atom::{Arg, How, Via};
use crate::mark;
use crate::path;
use crate::runner::scope::Left;
use crate::runner::{Call, Loaded, Output, Process};
use crate::text::is_name;

/// Whether the program makes variables of its assignments.
pub(super) fn declares(args: &[Arg]) -> bool {
    args.first().is_some_and(|program| {
        matches!(program.text.as_str(), "declare" | "export" | "local" | "readonly" | "typeset")
    })
}

/// Runs a builtin. `None` if the program is not one of these.
pub fn run(process: &mut Process<'_>) -> Output {
    let asks = matches!(process.name, "command" | "builtin" | "exec");
    match printed(process) {
        Some(printed) => {
            process.scope.meddled |= meddles(process.name, &process.call.args[1..]);
            Output::Printed(printed)
        }
        None if asks => Output::Unknown,
        None => Output::NotMine,
    }
}

fn printed(process: &mut Process<'_>) -> Option<String> {
    let (index, name, call) = (process.index, process.name, process.call);
    let (runner, scope) = (&mut *process.runner, &mut *process.scope);
    let args = &call.args[1..];
    if call.io.capture && runner.analysis.atoms[index as usize].lists_variables() {
        return Some(mark::PRINTED.to_string() + "\n");
    }
    match name {
        "cd" => change_folder(runner, scope, call),
        "pushd" | "popd" => super::folders::change(scope, name, args),
        "dirs" => return Some(super::folders::shown(scope, args)),
        "eval" => {
            // What it does to its own text counts as well.
            scope.meddled |= meddles(name, args);
            // eval joins its arguments with blanks and parses the result anew.
            let own = usize::from(args.first().is_some_and(|arg| arg.text == "--"));
            let text = arguments::joined(&args[own..]);
            return Some(runner.run_text(scope, &Script::new(&text, Some((index, How::Text)), &call.io)));
        }
        "source" | "." => return source(process),
        "export" | "declare" | "local" | "readonly" | "typeset" => return Some(variables(process)),
        "alias" => return Some(aliases(process)),
        "trap" => super::traps::set(process),
        "command" | "builtin" | "exec" => return run_instead(process),
        // What no longer is one is a program.
        "enable" if !args.is_empty() => scope.meddled |= scope.exact,
        "shopt" => options_of_bash(scope, args),
        "compgen" | "complete" => {
            complete(process);
            if process.call.io.capture {
                // The words that it is given, or names of this machine.
                let words = arguments::option(process.args(), "-W", "").map(str::split_whitespace);
                let printed = words.map(|words| words.collect::<Vec<_>>().join("\n"));
                return Some(printed.unwrap_or_else(|| mark::UNKNOWN.to_string()) + "\n");
            }
        }
        "exit" | "return" | "break" | "continue" => leaves(process),
        "umask" | "ulimit" | "wait" | "bind" | "enable" | "times" | "unalias" | "fg" | "bg" | "jobs"
        | "disown" | ":" | "true" | "false" => {}
        _ => return remembers(process).then(String::new),
    }
    Some(String::new())
}

/// `exit`, `return`, `break`, `continue`
fn leaves(process: &mut Process<'_>) {
    let (name, call) = (process.name, process.call);
    let (runner, scope) = (&mut *process.runner, &mut *process.scope);
    let args = &call.args[1..];
    match name {
        "exit" => {
            let surely = !scope.is_unsure();
            runner.run_traps(scope, !surely);
            if surely {
                scope.traps.forget();
            }
            if !may_stay(scope, call) {
                scope.leave(Left::Shell);
            }
        }
        "return" | "break" | "continue" if may_stay(scope, call) => scope.exact = false,
        "return" if scope.may_return => scope.leave(Left::Function),
        // Out of several loops: no one knows which turn is the last.
        "break" | "continue" if scope.in_loop && args.iter().any(|arg| arg.text != "1") => {
            scope.exact = false;
        }
        "break" if scope.in_loop => scope.leave(Left::Loop),
        "continue" if scope.in_loop => scope.leave(Left::Turn),
        _ => {}
    }
}

/// Builtins that only change what the shell remembers; `false` for what is a program.
fn remembers(process: &mut Process<'_>) -> bool {
    let (index, name, call) = (process.index, process.name, process.call);
    let (runner, scope) = (&mut *process.runner, &mut *process.scope);
    let args = &call.args[1..];
    match name {
        // Arithmetic assigns, too, and an index in it may run a substitution.
        "let" => {
            evaluated(runner, scope, args);
            for arg in args {
                super::arithmetic::evaluate(scope, &arg.text);
            }
        }
        "test" | "[" => evaluated(runner, scope, args),
        "unset" => {
            evaluated(runner, scope, args);
            for arg in args {
                scope.unset(&arg.text);
            }
        }
        // `hash -p /bin/rm ls`: from then on, `ls` runs rm.
        "hash" if args.first().is_some_and(|arg| arg.text == "-p") => {
            if let [_, path, name, ..] = args {
                scope.set_alias(&name.text, &path.text);
            }
        }
        "set" => {
            if let Some((name, value)) = set_of_fish(args) {
                scope.set_text(name, &value);
            } else {
                set_positional(scope, args);
            }
        }
        "shift" => shift(runner, scope, args),
        "read" => {
            evaluated(runner, scope, args);
            read(runner, scope, call);
            for name in args.iter().filter(|arg| is_name(&arg.text)) {
                runner.takes(&name.text, index as usize, std::iter::empty());
            }
        }
        "getopts" => runner.status = getopts(scope, args),
        "mapfile" | "readarray" => lines(process),
        "printf" if args.iter().any(|arg| arg.text.contains("[$(") || arg.text.contains("[`")) => {
            evaluated(runner, scope, args);
            return false;
        }
        "printf" if args.first().is_some_and(|arg| arg.text == "-v") => {
            let text = crate::text::printf::printf(&args[2.min(args.len())..]);
            if let Some(name) = args.get(1) {
                scope.set_place(&name.text, &text);
            }
        }
        "hash" => {}
        _ => return false,
    }
    true
}

/// Whether `exit` and its like may not leave what they are to leave: their redirection may fail, a function may have their
/// name, and `exit --help` only shows a text.
fn may_stay(scope: &Scope, call: &Call) -> bool {
    let is_status =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()) || text.chars().eq([mark::TOKEN]);
    let args = &call.args[1..];
    !call.redirects.is_empty()
        || scope.has_function(&call.args[0].text)
        || args.len() > 1
        || args.iter().any(|arg| !is_status(&arg.text))
}

/// `shopt`: options by which words and pipelines mean something else.
fn options_of_bash(scope: &mut Scope, args: &[Arg]) {
    for arg in args {
        match arg.text.as_str() {
            "lastpipe" => scope.keeps_last = true,
            // `extglob` only adds patterns, which are not decided.
            "nullglob" | "globstar" | "dotglob" | "failglob" | "inherit_errexit" | "expand_aliases"
            | "extglob" => {}
            option if option.starts_with('-') => {}
            _ => scope.meddled |= scope.exact,
        }
    }
}

/// `export`, `declare` and their like: what they print.
fn variables(process: &mut Process<'_>) -> String {
    let (index, name, call) = (process.index, process.name, process.call);
    let (runner, scope) = (&mut *process.runner, &mut *process.scope);
    let args = &call.args[1..];
    if call.io.capture && flagged(args, 'p') {
        return declared(scope, args);
    }
    declare(runner, scope, call);
    if flagged(args, 'f') {
        // `export -f f`: a bash that is started has it.
        if name == "export" || flagged(args, 'x') {
            for arg in args {
                scope.export_function(&arg.text);
            }
        }
        let named = args.iter().filter_map(|arg| scope.function(&arg.text));
        return named.map(|function| function.body.source() + "\n").collect();
    }
    // `A=b; export A` sets for all that follows what `export A=b` does.
    for arg in args.iter().filter(|arg| is_name(&arg.text)) {
        let given = scope.exported(&arg.text).into_iter().find(|(name, _)| *name == arg.text);
        runner.analysis.atoms[index as usize].assigns.extend(given);
    }
    String::new()
}

/// `mapfile`, `readarray`
fn lines(process: &mut Process<'_>) {
    let (index, call) = (process.index, process.call);
    let (runner, scope) = (&mut *process.runner, &mut *process.scope);
    let args = &call.args[1..];
    runner.status = None;
    let other = other_input(runner, scope, args);
    let lines = map_file(scope, args, other.as_deref().or(call.io.stdin.as_deref()));
    if let Some(name) = args.last().filter(|arg| is_name(&arg.text)) {
        runner.takes(&name.text, index as usize, std::iter::empty());
    }
    if let Some(callback) = arguments::option(args, "-C", "") {
        for (at, line) in lines.iter().enumerate().take(MAX_CALLBACKS) {
            // It gets the index and the line after it.
            let line = arguments::quoted(&[Arg::from(line.as_str())]);
            let text = format!("{callback} {at} {line}");
            runner.run_text(scope, &Script::new(&text, Some((index, How::Text)), &Io::default()));
        }
    }
}

/// `alias`: what it prints.
fn aliases(process: &mut Process<'_>) -> String {
    let (index, call) = (process.index, process.call);
    let (runner, scope) = (&mut *process.runner, &mut *process.scope);
    let args = &call.args[1..];
    for arg in args {
        if let Some((name, text)) = arg.text.split_once('=') {
            scope.set_alias(name, text);
            if KEYWORDS.contains(&name) {
                // What comes next is read as a command, of which it is only the beginning.
                let io = Io::default();
                runner.run_text(&mut scope.clone(), &Script::new(text, Some((index, How::Text)), &io));
            }
        }
    }
    if call.io.capture {
        let named = args.iter().filter_map(|arg| Some((&arg.text, scope.alias(&arg.text)?)));
        return named.map(|(name, text)| format!("alias {name}='{text}'\n")).collect();
    }
    String::new()
}

/// `complete`, `compgen`
fn complete(process: &mut Process<'_>) {
    let (index, args) = (process.index, process.args());
    let (runner, scope) = (&mut *process.runner, &mut *process.scope);
    // The words of `-W` are expanded once more.
    if let Some(words) = arguments::option(args, "-W", "") {
        runner.expanded_later(scope, words);
    }
    // The command of `-C` runs as soon as someone completes; with `compgen`, at once.
    if let Some(text) = arguments::option(args, "-C", "") {
        runner.run_text(&mut scope.clone(), &Script::new(text, Some((index, How::Text)), &Io::default()));
    }
}

/// Words that an alias may stand for though they are the shell's own.
const KEYWORDS: &[&str] = &[
    "if", "for", "while", "until", "case", "function", "time", "then", "do", "else", "fi", "done", "{", "[[",
    "!",
];

fn change_folder(runner: &Runner, scope: &mut Scope, call: &Call) {
    let folder = call.args[1..].iter().find(|arg| !arg.text.starts_with('-') || arg.text == "-");
    let Some(folder) = folder else {
        let home = scope.home.to_string();
        return scope.change_folder(&home);
    };
    let folder = folder.text.as_str();
    // A plain name is looked for in these folders first.
    let searched = call.assigns.iter().rfind(|(name, _)| name == "CDPATH").map(|(_, list)| list.clone());
    let searched = searched.or_else(|| match scope.get("CDPATH")? {
        Value::One(list) => Some(list.to_string()),
        Value::Many(_) => None,
    });
    let places = searched.as_deref().filter(|_| !folder.starts_with(['/', '.', '-', '~'])).unwrap_or("");
    let mut found =
        places.split(':').filter(|place| !place.is_empty()).map(|place| path::join(place, folder));
    let found = found.find(|path| !runner.has_disk() || runner.lies_on_disk(scope, path));
    scope.change_folder(found.as_deref().unwrap_or(folder));
}

/// Whether one of the options before the operands has this letter.
fn flagged(args: &[Arg], letter: char) -> bool {
    args.iter()
        .any(|arg| arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains(letter))
}

/// Whether a builtin runs text that no one knows, or sets a variable of which no one knows which it is.
fn meddles(name: &str, args: &[Arg]) -> bool {
    let is_unknown = |text: &str| mark::any(text) && text.contains(mark::is_hole);
    match name {
        "eval" => args.iter().any(|arg| is_unknown(&arg.text)),
        "export" | "declare" | "local" | "readonly" | "typeset" | "read" | "mapfile" | "readarray"
        | "unset" => args.iter().any(|arg| is_unknown(arg.text.split('=').next().unwrap_or(""))),
        "printf" => {
            args.first().is_some_and(|arg| arg.text == "-v")
                && args.get(1).is_some_and(|arg| is_unknown(&arg.text))
        }
        _ => false,
    }
}

/// `declare -p NAME`: the assignment that makes it again.
fn declared(scope: &mut Scope, args: &[Arg]) -> String {
    let names: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).filter(|text| is_name(text)).collect();
    let line = |name: &&str| {
        let value = super::parameter::lookup(scope, name);
        format!("declare -- {name}=\"{}\"\n", super::expand::joined(&value))
    };
    names.iter().map(line).collect()
}

/// `source FILE`, `. FILE`: the file runs in this shell. `None` where no one knows what it holds.
fn source(process: &mut Process<'_>) -> Option<String> {
    let (index, args, io) = (process.index, process.args(), &process.call.io);
    let (runner, scope) = (&mut *process.runner, &mut *process.scope);
    let file = args.iter().find(|arg| arg.text != "--")?;
    // `curl x | source /dev/stdin`
    let texts: Vec<Loaded> = if crate::path::is_stdin(&file.text) {
        let text = io.stdin.clone().or_else(|| runner.file_at(scope, "/dev/fd/0"));
        text.map(|text| Loaded { text, file: None }).into_iter().collect()
    } else {
        // `for f in conf.d/*.sh; do . "$f"; done`
        let paths = runner.paths(scope, &file.text);
        paths.iter().filter_map(|path| runner.load(scope, path)).collect()
    };
    scope.meddled |= texts.is_empty() || texts.iter().any(|loaded| loaded.text.contains(mark::is_hole));
    if texts.is_empty() {
        return None;
    }
    let own: Vec<&Arg> = args.iter().skip_while(|arg| arg.text != file.text).skip(1).collect();
    // A sourced file sees the caller's `$1`, unless it gets arguments of its own.
    let outer = (scope.positional.clone(), scope.exact);
    let before = std::mem::take(&mut scope.may_have_left);
    let returns = std::mem::replace(&mut scope.may_return, true);
    if !own.is_empty() {
        scope.exact &= !own.iter().any(|arg| mark::any(&arg.text));
        scope.positional = Some(own.iter().map(|arg| arg.text.clone()).collect());
    }
    let mut printed = String::new();
    for loaded in texts {
        let other = (runner.registry.in_bash)(&file.text, &loaded.text);
        if let Some(other) = &other {
            runner.reads_as(loaded.file, other);
        }
        let text = other.as_deref().unwrap_or(&loaded.text);
        let script = Script::new(text, Some((index, How::File)), io);
        let output =
            runner.in_file(scope, (loaded.file, ""), |runner, scope| runner.run_text(scope, &script));
        runner.append(&mut printed, output.unwrap_or_default());
        scope.arrive(Left::Function, Left::Nothing);
        if scope.left > Left::Nothing {
            break;
        }
    }
    scope.may_have_left = scope.may_have_left.max(before);
    scope.may_return = returns;
    if !own.is_empty() {
        (scope.positional, scope.exact) = outer;
    }
    Some(printed)
}

/// `command PROGRAM`, `builtin PROGRAM`, `exec PROGRAM`: the program itself, whatever functions hide it.
fn run_instead(process: &mut Process<'_>) -> Option<String> {
    let (index, name, call) = (process.index, process.name, process.call);
    let args = process.args();
    let (runner, scope) = (&mut *process.runner, &mut *process.scope);
    let rest = after_options(args, if name == "exec" { "a" } else { "" });
    let options = || args.iter().take_while(|arg| arg.text.starts_with('-'));
    let queries = name == "command" && options().any(|arg| arg.text.contains(['v', 'V']));
    if name == "exec" && rest.is_empty() {
        // `exec < file`: from here on, everyone reads that.
        if let Some(text) = &call.io.stdin {
            runner.write_file("/dev/fd/0".to_owned(), text, false);
        }
    }
    if queries || rest.is_empty() {
        // To whoever reads its output, it prints a path.
        return (!call.io.capture).then(String::new);
    }
    let inner = call.with_args(rest.to_vec());
    Some(runner.start(scope, Via { parent: index, how: How::Arguments }, inner))
}

/// Runs the substitutions in arguments that are taken for numbers or names: `test -v 'a[$(rm x)]'`.
fn evaluated(runner: &mut Runner, scope: &Scope, args: &[Arg]) {
    for arg in args.iter().filter(|arg| arg.text.contains('[') && arg.text.len() > 1) {
        runner.expanded_later(scope, &arg.text);
    }
}

/// The arguments after leading options, of which the letters in `valued` take the next argument.
fn after_options<'a>(args: &'a [Arg], valued: &str) -> &'a [Arg] {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        if arg.text == "--" {
            return &args[at + 1..];
        }
        if !arg.text.starts_with('-') || arg.text.len() < 2 {
            break;
        }
        at += if arg.text.ends_with(|c| valued.contains(c)) { 2 } else { 1 };
    }
    args.get(at..).unwrap_or(&[])
}

/// `declare X=…` in a spelling that the parser took for a word, such as `declare "X=$y"`.
fn declare(runner: &mut Runner, scope: &mut Scope, call: &Call) {
    let args = &call.args[1..];
    let program = call.args[0].text.as_str();
    let flag = |letter: char| {
        args.iter()
            .any(|arg| arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains(letter))
    };
    let exports = program == "export" || flag('x');
    let refers = flag('n') && program != "export";
    evaluated(runner, scope, args);
    // Values of one case are not what is assigned.
    let changes = flag('u') || flag('l') || flag('c');
    scope.meddled |= scope.exact && program != "export" && changes;
    let maps = super::simple::declares_map(&call.args);
    for arg in args {
        if maps && is_name(&arg.text) {
            scope.declare_map(&arg.text);
        }
        if is_name(&arg.text) && declares_local(&call.args) {
            scope.declare_local(&arg.text);
        }
        if let Some((name, value)) = arg.text.split_once('=')
            && is_name(name)
            && runner.spend(value.len())
        {
            if declares_local(&call.args) {
                scope.declare_local(name);
            }
            if refers {
                // `declare -n r=x`: from here on, `r` is another name of `x`.
                scope.set_alias(&format!("${name}"), value);
            }
            scope.set_text(name, value);
            runner.sets(name);
            runner.variable_set(scope, name, value);
        }
    }
    if refers {
        for (name, value) in &call.assigns {
            scope.set_alias(&format!("${name}"), value);
        }
    }
    if flag('l') && program != "export" {
        // `declare -l x=RM` holds small letters.
        for (name, value) in &call.assigns {
            scope.set_text(name, &value.to_lowercase());
        }
    }
    let words = args.iter().map(|arg| arg.text.split('=').next().unwrap_or(""));
    for name in words.chain(call.assigns.iter().map(|(name, _)| name.as_str())) {
        if flag('i') && program != "export" && is_name(name) {
            scope.count(name);
        }
        if program == "readonly" || flag('r') && program != "export" {
            scope.fix(name);
        }
        if exports {
            scope.export(name);
        }
    }
}

/// Whether a declaring builtin makes names that end with the function.
pub(super) fn declares_local(args: &[Arg]) -> bool {
    let global = || args.iter().any(|arg| arg.text.starts_with('-') && arg.text.contains('g'));
    args.first().is_some_and(|program| match program.text.as_str() {
        "local" => true,
        "declare" | "typeset" => !global(),
        _ => false,
    })
}

/// `set -l NAME VALUE…` of fish: none of these options is one of the other shells.
fn set_of_fish(args: &[Arg]) -> Option<(&str, String)> {
    let is_option = |arg: &Arg| {
        matches!(
            arg.text.as_str(),
            "-l" | "-g"
                | "-x"
                | "-U"
                | "-gx"
                | "-lx"
                | "-Ux"
                | "--local"
                | "--global"
                | "--universal"
                | "--export"
        )
    };
    let at = args.iter().position(|arg| !is_option(arg)).filter(|&at| at > 0)?;
    // The others have `-x`, and `set -x NAME VALUE` means something else there.
    let only_traces = args[..at].iter().all(|arg| arg.text == "-x");
    let [name, values @ ..] = &args[at..] else { return None };
    let values: Vec<&str> = values.iter().map(|arg| arg.text.as_str()).collect();
    (!only_traces && !values.is_empty()).then(|| (name.text.as_str(), values.join(" ")))
}

fn set_positional(scope: &mut Scope, args: &[Arg]) {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        match arg.text.as_str() {
            "--" | "-" => {
                at += 1;
                break;
            }
            // `-euo pipefail`: the letter takes its value from the next argument, wherever it stands.
            text if text.starts_with(['-', '+']) && text.len() > 1 => {
                let value = text.contains('o').then(|| args.get(at + 1).map_or("", |arg| arg.text.as_str()));
                let on = text.starts_with('-');
                let names = |letter: char, long: &str| text.contains(letter) || value == Some(long);
                scope.exports_all |= on && names('a', "allexport");
                if names('e', "errexit") {
                    scope.ends_early = on;
                }
                if names('u', "nounset") {
                    scope.needs_values = on;
                }
                at += if value.is_some() { 2 } else { 1 };
            }
            _ => break,
        }
    }
    let ended = at > 0 && args.get(at - 1).is_some_and(|arg| arg.text == "--");
    // fish assigns so: `set d x`. In bash, a name that nothing else sets is empty.
    if let Some([name, values @ ..]) = args.get(at..)
        && !ended
        && !values.is_empty()
        && name.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && scope.get(&name.text).is_none()
    {
        scope.set_text(&name.text, &arguments::joined(values));
    }
    if ended || at < args.len() {
        scope.exact &= !scope.is_unsure() && !args.iter().any(|arg| mark::any(&arg.text));
        scope.positional = Some(args[at.min(args.len())..].iter().map(|arg| arg.text.clone()).collect());
    }
}

fn shift(runner: &mut Runner, scope: &mut Scope, args: &[Arg]) {
    let count = args.first().and_then(|arg| arg.text.parse().ok()).unwrap_or(1_usize);
    scope.exact &= !scope.is_unsure();
    let left = scope.positional.as_ref().filter(|_| !scope.given_openly);
    runner.status = left.map(|left| count <= left.len());
    if let Some(positional) = &scope.positional {
        // bash shifts nothing where there are fewer; to shift them all loses none that matter.
        // In a branch that may not run, one of them stays.
        let count = count.min(positional.len().saturating_sub(usize::from(scope.is_unsure())));
        if !runner.spend(positional.len()) {
            return;
        }
        scope.positional = Some(Rc::from(&positional[count..]));
    }
}

/// What `-u N` reads: the descriptor that another redirection has opened.
fn other_input(runner: &Runner, scope: &Scope, args: &[Arg]) -> Option<Rc<str>> {
    let number = arguments::option(args, "-u", "")?;
    runner.file_at(scope, &format!("/dev/fd/{number}"))
}

/// `getopts OPTIONS NAME [WORD…]`: which option comes is one of those that are there, and so is its value.
fn getopts(scope: &mut Scope, args: &[Arg]) -> Option<bool> {
    let given: Vec<String> = match args {
        [_, _, words @ ..] if !words.is_empty() => words.iter().map(|arg| arg.text.clone()).collect(),
        _ => {
            scope.exact &= !scope.given_openly;
            scope.positional.iter().flat_map(|words| words.iter().cloned()).collect()
        }
    };
    if scope.is_exact()
        && !scope.is_unsure()
        && let [options, name, ..] = args
        && !given.iter().any(|word| mark::any(word))
    {
        return Some(next_option(scope, (&options.text, &name.text), &given));
    }
    let takes = |letter: char| {
        let options = args.first().map_or("", |arg| arg.text.as_str());
        options.find(letter).is_some_and(|at| options[at + letter.len_utf8()..].starts_with(':'))
    };
    let (mut letters, mut values) = (Vec::new(), Vec::new());
    for word in &given {
        let Some(bundle) = word.strip_prefix('-') else {
            // Each word that is not an option may be the value of one.
            values.push(word.clone());
            continue;
        };
        for (at, letter) in bundle.char_indices() {
            letters.push(letter.to_string());
            if takes(letter) {
                let glued = &bundle[at + letter.len_utf8()..];
                values.extend(Some(glued.to_owned()).filter(|glued| !glued.is_empty()));
                break;
            }
        }
    }
    if let (Some(name), false) = (args.get(1), letters.is_empty()) {
        scope.set_any(&name.text, &letters);
    }
    if !values.is_empty() {
        scope.set_any("OPTARG", &values);
    }
    None
}

/// Takes the next option, as bash does; whether there is one.
fn next_option(scope: &mut Scope, (options, name): (&str, &str), given: &[String]) -> bool {
    if scope.surely("OPTIND") == Some("1") && scope.option_at.0 > 0 {
        scope.option_at = (0, 1);
    }
    let (at, letter) = scope.option_at;
    let word = given.get(at).map_or("", String::as_str);
    let left = word.get(letter..).filter(|_| word.starts_with('-') && word != "--");
    let found = left.and_then(|left| left.chars().next());
    let (silent, options) = (options.starts_with(':'), options.trim_start_matches(':'));
    let Some(option) = found else {
        let end = at + usize::from(word == "--");
        scope.option_at = (end, 1);
        scope.set_text(name, "?");
        scope.set_text("OPTIND", &(end + 1).to_string());
        return false;
    };
    let known = options.find(option).filter(|_| option != ':');
    let takes = known.is_some_and(|at| options[at + option.len_utf8()..].starts_with(':'));
    let rest = word.get(letter + option.len_utf8()..).unwrap_or("");
    let value = if !takes {
        None
    } else if rest.is_empty() {
        given.get(at + 1).map(String::as_str)
    } else {
        Some(rest)
    };
    let shown = if known.is_none() {
        '?'
    } else if takes && value.is_none() {
        if silent { ':' } else { '?' }
    } else {
        option
    };
    scope.set_text(name, shown.encode_utf8(&mut [0; 4]));
    match value {
        Some(value) => scope.set_text("OPTARG", value),
        None if silent && shown != option => scope.set_text("OPTARG", option.encode_utf8(&mut [0; 4])),
        None => scope.unset("OPTARG"),
    }
    scope.option_at = if takes && rest.is_empty() {
        (at + 2, 1)
    } else if takes || rest.is_empty() {
        (at + 1, 1)
    } else {
        (at, letter + option.len_utf8())
    };
    let next = scope.option_at.0 + 1;
    scope.set_text("OPTIND", &next.to_string());
    true
}

/// Variables that one `read` sets.
const MAX_READ: usize = 64;
/// Lines for which the callback of `mapfile` is run.
const MAX_CALLBACKS: usize = 8;

/// `read`: every line of the input is a possible value, because loops read one after the other.
fn read(runner: &mut Runner, scope: &mut Scope, call: &Call) {
    let args = &call.args[1..];
    let other = other_input(runner, scope, args);
    let input = other.as_ref().or(call.io.stdin.as_ref());
    let stdin = input.map(|text| &**text);
    let custom = call.assigns.iter().find(|(name, _)| name == "IFS").map(|(_, value)| value.clone());
    let custom = custom.or_else(|| scope.get("IFS").map(|value| super::expand::joined(&value)));
    let separators: Vec<char> = custom.as_deref().unwrap_or(" \t").chars().collect();
    let mut names = Vec::new();
    let mut array = false;
    let (mut width, mut delimiter) = (usize::MAX, None);
    let mut words = args.iter();
    while let Some(arg) = words.next() {
        let letter = arg.text.strip_prefix('-').and_then(|rest| rest.strip_prefix('r')).unwrap_or(&arg.text);
        match letter.trim_start_matches('-') {
            // Their value is not a name. `-a` has none: the name of the array follows like any other.
            "n" | "N" if arg.text.starts_with('-') => {
                width = words.next().and_then(|arg| arg.text.parse().ok()).unwrap_or(usize::MAX);
            }
            "d" if arg.text.starts_with('-') => {
                delimiter = words.next().and_then(|arg| arg.text.chars().next());
            }
            "i" | "p" | "t" | "u" if arg.text.starts_with('-') => {
                words.next();
            }
            _ if arg.text.starts_with("-n") && arg.text.len() > 2 => {
                width = arg.text[2..].parse().unwrap_or(usize::MAX);
            }
            _ if arg.text.starts_with("-d") && arg.text.len() > 2 => delimiter = arg.text.chars().nth(2),
            _ if arg.text.starts_with('-') && arg.text.len() > 1 => array |= arg.text.contains('a'),
            _ => names.push(arg.text.clone()),
        }
    }
    if names.is_empty() {
        names.push("REPLY".to_owned());
    }
    // NUL as well: `find -print0 | while read -d ""`.
    let ends = |c: char| delimiter.map_or(matches!(c, '\n' | '\0'), |delimiter| c == delimiter);
    let lines: Vec<&str> =
        stdin.map(|text| text.split(ends).filter(|line| !line.is_empty()).collect()).unwrap_or_default();
    // `read -n 2`: a line comes in pieces.
    let lines: Vec<&str> = lines.iter().flat_map(|line| pieces(line, width)).collect();
    if lines.is_empty() {
        // `read -r answer < /dev/null`
        let is_nothing = input.is_some_and(|input| runner.is_nothing(input));
        runner.status = is_nothing.then_some(false);
        let unknown = mark::UNKNOWN.to_string();
        for name in &names {
            scope.set_text(name, if is_nothing { "" } else { &unknown });
        }
        return;
    }
    // What other names of the same group have read before is gone.
    let taken = input.map_or(0, |input| runner.lines_taken(input, &names[0]));
    let lines = lines.get(taken..).filter(|left| !left.is_empty()).unwrap_or(&lines);
    if array {
        let values: Vec<String> =
            lines[0].split(&separators[..]).filter(|field| !field.is_empty()).map(str::to_owned).collect();
        scope.set_keys(&names[0], (0..values.len()).map(|key| key.to_string()).collect());
        scope.set(&names[0], Value::Many(Rc::from(values)));
        return;
    }
    for (position, name) in names.iter().enumerate().take(MAX_READ) {
        let last = position + 1 == names.len();
        let values: Vec<String> = lines
            .iter()
            .map(|line| {
                if separators.is_empty() {
                    // `IFS= read`: the line as it is.
                    return if position == 0 { (*line).to_owned() } else { String::new() };
                }
                let mut parts = line.trim().splitn(names.len(), &separators[..]);
                let part = parts.nth(position).unwrap_or("");
                if last { part.trim().to_owned() } else { part.to_owned() }
            })
            .collect();
        match values.first().filter(|_| name.contains('[')) {
            Some(value) => scope.set_place(name, value),
            None => scope.set_any(name, &values),
        }
    }
}

/// The pieces of so many characters that a line consists of; the whole line where it is shorter, or not known.
pub(super) fn pieces(line: &str, width: usize) -> Vec<&str> {
    if width == usize::MAX || width == 0 || mark::any(line) {
        return vec![line];
    }
    let mut found = Vec::new();
    let mut rest = line;
    while !rest.is_empty() && found.len() < MAX_READ {
        let end = rest.char_indices().nth(width).map_or(rest.len(), |(at, _)| at);
        found.push(&rest[..end]);
        rest = &rest[end..];
    }
    found
}

/// `mapfile`: the lines that it puts into its array.
fn map_file(scope: &mut Scope, args: &[Arg], stdin: Option<&str>) -> Vec<String> {
    let mut name = "MAPFILE";
    let (mut skipped, mut count) = (0, 0);
    let mut delimiter = '\n';
    let mut first = 0;
    let mut words = args.iter();
    while let Some(arg) = words.next() {
        match arg.text.as_str() {
            "-d" => delimiter = words.next().and_then(|arg| arg.text.chars().next()).unwrap_or('\0'),
            text if text.starts_with("-d") => delimiter = text.chars().nth(2).unwrap_or('\0'),
            "-O" => first = words.next().and_then(|arg| arg.text.parse().ok()).unwrap_or(0_usize),
            "-s" => skipped = words.next().and_then(|arg| arg.text.parse().ok()).unwrap_or(0_usize),
            "-n" => count = words.next().and_then(|arg| arg.text.parse().ok()).unwrap_or(0_usize),
            "-u" | "-C" | "-c" => {
                words.next();
            }
            text if text.starts_with('-') => {}
            text => name = text,
        }
    }
    let values: Vec<String> = match stdin {
        // The line's end after the last one counts as a delimiter.
        Some(text) => {
            let lines = text.trim_end_matches('\n').split(delimiter).skip(skipped);
            lines.take(if count == 0 { usize::MAX } else { count }).map(str::to_owned).collect()
        }
        None => vec![mark::UNKNOWN.to_string()],
    };
    // The elements in front of the first are not set.
    scope.set_keys(name, (first..first.saturating_add(values.len())).map(|key| key.to_string()).collect());
    scope.set(name, Value::Many(Rc::from(&*values)));
    values
}
