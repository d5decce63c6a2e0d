//! Wrappers: programs whose own arguments end where another program begins.

use catalog::Wrapper;

use super::start;
use crate::atom::{Arg, How, program_name};
use crate::engine::{Call, Io, Runner, Scope, Script};

/// The wrapper with this name.
pub(super) fn find(name: &str) -> Option<&'static Wrapper> {
    catalog::find(name)?.runs.as_ref()
}

pub(super) fn run(
    wrapper: &Wrapper,
    runner: &mut Runner,
    scope: &mut Scope,
    index: u32,
    call: &Call,
) -> String {
    let name = program_name(&call.args[0].text).into_owned();
    let mut args = &call.args[1..];
    if wrapper.subcommand {
        // `poetry -C x run -- program`: what stands before the sub-command is not the program's.
        let runs =
            |arg: &Arg| matches!(arg.text.as_str(), "run" | "exec" | "x" | "do" | "shell" | "activate");
        let Some(at) = args.iter().position(runs) else { return String::new() };
        args = &args[at..];
    }
    let is_script = |arg: &Arg| arg.text == "-" || arg.text.rsplit('.').next() == Some("py");
    if name == "uv"
        && let Some(at) = args.iter().position(is_script)
    {
        // `uv run -` and `uv run file.py` are Python's, unless the word is another program's.
        let python: Vec<Arg> = [Arg::from("python3")].iter().chain(&args[at..]).cloned().collect();
        start(runner, scope, index, call, &python);
    }
    // What follows the program belongs to it: `npx codex -c NAME=VALUE`.
    let own = if wrapper.packages {
        starts(wrapper, wrapper.operands, args).first().copied().unwrap_or(args.len())
    } else {
        args.len()
    };
    if let Some(text) = text_argument(wrapper, &name, &args[..own]) {
        return super::text(runner, scope, index, call, &text);
    }
    let mut starts = self::starts(wrapper, wrapper.operands, args);
    if name == "systemd-run" {
        // What runs before and after the program is a property of the unit.
        for property in super::options(args, "-p", "--property") {
            if let Some((name, line)) = property.split_once('=')
                && name.starts_with("Exec")
            {
                super::text(runner, scope, index, call, line.trim_start_matches(['-', '+', '!', '@', ':']));
            }
        }
    }
    if name == "setarch" {
        // The architecture may be left out.
        starts.extend(self::starts(wrapper, 0, args));
    }
    if starts.iter().all(|&start| start >= args.len()) {
        if name == "env" {
            return format!("{}\n", crate::mark::PRINTED);
        }
        return if wrapper.shell { shell_of(runner, scope, index, call) } else { String::new() };
    }
    let mut output = String::new();
    for (position, from) in starts.into_iter().enumerate() {
        let rest = &args[from..];
        if rest.is_empty() {
            continue;
        }
        let mut inner = scope.clone();
        for (name, value) in &call.assigns {
            inner.set_text(name, value);
            inner.export(name);
        }
        if name == "env" || name == "sudo" {
            imported_functions(runner, &mut inner, &args[..from]);
            for (name, value) in args[..from].iter().filter_map(|arg| assignment(&arg.text)) {
                runner.variable_set(scope, name, value);
                inner.set_text(name, value);
                inner.export(name);
            }
            let folder = super::option(&args[..from], if name == "env" { "-C" } else { "-D" }, "--chdir");
            if let Some(folder) = folder {
                inner.change_folder(folder);
            }
        }
        if wrapper.line && rest.len() == 1 {
            // One argument is a command line, not a program.
            output = super::text(runner, &inner, index, call, &rest[0].text);
            continue;
        }
        let printed = if wrapper.packages {
            start(runner, &mut inner, index, call, &super::packaged(rest))
        } else {
            start(runner, &mut inner, index, call, rest)
        };
        if position == 0 {
            output = printed;
        }
    }
    output
}

/// Where the inner program may begin. Several places, if an option is not known: its next word may be
/// a value or the program.
fn starts(wrapper: &Wrapper, mut operands: usize, args: &[Arg]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let text = arg.text.as_str();
        if text == "--" {
            at += 1;
            if operands == 0 {
                break;
            }
            continue;
        }
        if let Some(long) = text.strip_prefix("--") {
            let mut names = wrapper.options.split(' ').filter(|name| !name.is_empty());
            // A name with `@` takes two values.
            if let Some(name) = names.find(|name| name.trim_end_matches('@') == long) {
                at += if name.ends_with('@') { 2 } else { 1 };
            } else if !long.contains('=') && operands == 0 {
                // Not known: what follows may also be its value.
                starts.push(at + 2);
            }
            at += 1;
            continue;
        }
        if let Some(short) = text.strip_prefix('-') {
            at += 1;
            match short.find(|c| wrapper.letters.contains(c)) {
                Some(letter) if letter + 1 == short.len() => at += 1,
                Some(_) => {}
                None if short.chars().any(|c| !wrapper.flags.contains(c)) && operands == 0 => {
                    starts.push(at + 1);
                }
                None => {}
            }
            continue;
        }
        if wrapper.assigns && (assignment(text).is_some() || imported_function(text).is_some()) {
            at += 1;
            continue;
        }
        if operands == 0 {
            break;
        }
        operands -= 1;
        at += 1;
    }
    starts.retain(|&start| start > at && start < args.len());
    starts.insert(0, at.min(args.len()));
    starts.truncate(4);
    starts
}

/// Without a program, it starts a shell that reads what it gets.
fn shell_of(runner: &mut Runner, scope: &Scope, index: u32, call: &Call) -> String {
    match call.io.stdin.clone() {
        Some(script) => {
            let io = Io { stdin: None, capture: call.io.capture };
            runner.run_text(&mut scope.clone(), &Script::new(&script, Some((index, How::Input)), &io))
        }
        None => String::new(),
    }
}

/// The command line of wrappers that take one as an option's value.
fn text_argument(wrapper: &Wrapper, name: &str, args: &[Arg]) -> Option<String> {
    if name != "env" {
        let (letter, long) = wrapper.text?;
        return crate::arguments::line_option(args, letter, long).map(str::to_owned);
    }
    // `env -S 'rm -rf' /`: what follows the text belongs to it.
    let flags = ["-S", "-vS", "-iS", "--split-string"];
    let at = args.iter().position(|arg| flags.iter().any(|flag| arg.text.starts_with(flag)))?;
    let first = &args[at].text;
    let glued = flags.iter().find_map(|flag| first.strip_prefix(flag)).unwrap_or("").trim_start_matches('=');
    let (text, rest) = match args.get(at + 1) {
        Some(text) if glued.is_empty() => (text.text.as_str(), &args[at + 2..]),
        _ => (glued, &args[at + 1..]),
    };
    Some(format!("{text} {}", super::quoted(rest)))
}

/// bash takes functions from its environment: `env 'BASH_FUNC_ls%%=() { rm x; }' bash -c ls`.
fn imported_functions(runner: &mut Runner, scope: &mut Scope, args: &[Arg]) {
    for body in args.iter().filter_map(|arg| imported_function(&arg.text)) {
        runner.run_text(&mut scope.clone(), &Script::new(body, None, &Io::default()));
    }
}

/// The body of a function that stands in an assignment.
fn imported_function(text: &str) -> Option<&str> {
    let (_, value) = text.strip_prefix("BASH_FUNC_")?.split_once("%%=")?;
    value.trim_start().strip_prefix("()")
}

fn assignment(text: &str) -> Option<(&str, &str)> {
    let name = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    text.split_once('=').filter(|(left, _)| name(left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrapper_ends_where_its_program_begins() {
        let mut wrong = Vec::new();
        for (name, own, program) in catalog::examples() {
            let line = [name, own, program].join(" ").replace("  ", " ");
            let analysis = crate::analyze(&line, crate::Surroundings::default());
            let words = |atom: &crate::Atom| {
                atom.args.iter().map(|arg| arg.text.as_str()).collect::<Vec<_>>().join(" ")
            };
            let found: Vec<String> = analysis.atoms.iter().map(words).collect();
            if !found.iter().any(|found| found == program) {
                wrong.push(format!("`{line}` runs {found:?}"));
            }
        }
        assert!(wrong.is_empty(), "shared/catalog/programs/wrappers.txt:\n{}", wrong.join("\n"));
    }

    #[test]
    fn an_unknown_option_is_read_both_ways() {
        let args: Vec<Arg> = "--new rm x".split(' ').map(Arg::from).collect();
        assert_eq!(starts(find("nohup").unwrap(), 0, &args), [1, 2]);
    }
}
