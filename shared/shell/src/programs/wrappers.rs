//! Wrappers: programs whose own arguments end where another program begins.

use catalog::{Program, Wrapper};
use shell_engine::{Arg, How, Io, Process, Scope, Script};

/// Runs what a wrapper runs. `None` if the program is not one.
pub(super) fn run(process: &mut Process<'_>, program: &Program) -> Option<String> {
    let (name, call) = (process.name, process.call);
    let wrapper = program.runs.as_ref()?;
    if name == "coreutils"
        && let Some(prog) = super::option(process.args(), "", "--coreutils-prog")
    {
        let rest = process.args().iter().filter(|arg| !arg.text.starts_with("--coreutils-prog"));
        let inner: Vec<Arg> = std::iter::once(Arg::from(prog)).chain(rest.cloned()).collect();
        return Some(process.start(&inner));
    }
    let mut args = process.args();
    if name == "buildah" && args.first().is_some_and(|arg| arg.text == "unshare") {
        // In a user namespace of its own, but with the files of this machine.
        let own = args.iter().skip(1).take_while(|arg| arg.text.starts_with('-')).count();
        return Some(process.start(args.get(1 + own..)?));
    }
    if name == "direnv"
        && args.first().is_some_and(|arg| matches!(arg.text.as_str(), "allow" | "exec" | "permit"))
    {
        // From then on, and at once, a shell runs what stands there.
        super::shells::run_file(process, ".envrc");
    }
    // `pdm run clean`, `pdm clean`: a script of the project comes before a program.
    if process.runner.has_disk()
        && matches!(name, "pdm" | "hatch" | "rye" | "pixi")
        && let Some(printed) = super::project::scripts(process)
    {
        return Some(printed);
    }
    if wrapper.subcommand {
        // `poetry -C x run -- program`: what stands before the sub-command is not the program's.
        let runs =
            |arg: &Arg| matches!(arg.text.as_str(), "run" | "exec" | "x" | "do" | "shell" | "activate");
        let Some(at) = args.iter().position(runs) else {
            // `i3-msg 'exec rm -rf build'`: the sub-command may be a part of the line.
            let line = shell_engine::arguments::joined(args);
            let program = line.split_once("exec ").filter(|_| wrapper.line);
            return Some(program.map_or_else(String::new, |(_, program)| process.text(program)));
        };
        args = &args[at..];
    }
    let is_script = |arg: &Arg| arg.text == "-" || arg.text.rsplit('.').next() == Some("py");
    if matches!(name, "uv" | "pipx")
        && let Some(at) = args
            .iter()
            .position(is_script)
            .or_else(|| args.iter().position(|arg| arg.text == "--script").map(|at| at + 1))
    {
        // `uv run -` and `uv run file.py` are Python's, unless the word is another program's.
        let python: Vec<Arg> = [Arg::from("python3")].iter().chain(&args[at..]).cloned().collect();
        process.start(&python);
    }
    // What follows the program belongs to it: `npx codex -c NAME=VALUE`.
    let own = if wrapper.packages {
        starts(wrapper, wrapper.operands, args).first().copied().unwrap_or(args.len())
    } else {
        args.len()
    };
    if let Some(text) = text_argument(wrapper, name, &args[..own]) {
        return Some(process.text(&text));
    }
    let mut starts = self::starts(wrapper, wrapper.operands, args);
    if matches!(name, "strace" | "ltrace") {
        // `-o '|LINE'` traces into a command.
        let own = starts.first().map_or(args, |&start| &args[..start.min(args.len())]);
        for line in super::options(own, "-o", "--output").filter_map(|value| value.strip_prefix('|')) {
            process.text(line);
        }
    }
    if name == "systemd-run" {
        // What runs before and after the program is a property of the unit.
        for property in super::options(args, "-p", "--property") {
            if let Some((name, line)) = property.split_once('=')
                && name.starts_with("Exec")
            {
                process.text(line.trim_start_matches(['-', '+', '!', '@', ':']));
            }
        }
    }
    if name == "setarch" {
        // The architecture may be left out.
        starts.extend(self::starts(wrapper, 0, args));
    }
    if starts.iter().all(|&start| start >= args.len()) {
        return Some(match name {
            "env" => format!("{}\n", shell_engine::mark::PRINTED),
            _ if wrapper.shell => input(process),
            _ => String::new(),
        });
    }
    let first = process.runner.analysis.atoms.len();
    let mut output = String::new();
    for (position, from) in starts.into_iter().enumerate() {
        let (own, rest) = args.split_at(from.min(args.len()));
        if rest.is_empty() {
            continue;
        }
        let mut inner = process.scope.clone();
        for (name, value) in &call.assigns {
            inner.set_text(name, value);
            inner.export(name);
        }
        if name == "env" || name == "sudo" {
            set_variables(process, &mut inner, own);
        }
        // Also in front of a sub-command: `uv --directory x run y`.
        let before = &process.args()[..process.args().len().saturating_sub(rest.len())];
        let folder =
            wrapper.folder.split_ascii_whitespace().find_map(|name| super::option(before, name, name));
        if let Some(folder) = folder {
            inner.change_folder(folder);
        }
        if wrapper.line && rest.len() == 1 {
            // One argument is a command line, not a program.
            output = process.text_in(&inner, &rest[0].text);
            continue;
        }
        let printed = if wrapper.packages {
            process.start_in(&mut inner, &super::packaged(rest))
        } else {
            let program = super::variables::set_for(process, &mut inner, rest);
            process.start_in(&mut inner, &program)
        };
        if position == 0 {
            output = printed;
        }
    }
    if matches!(name, "wine" | "wine64") {
        seen_by_wine(process, first);
    }
    Some(output)
}

/// Names files of this machine as it does itself where programs of Windows that wine runs delete them: `Z:\` is `/`.
fn seen_by_wine(process: &mut Process<'_>, first: usize) {
    for atom in &mut process.runner.analysis.atoms[first..] {
        let flags: &[&str] = match &*atom.program().to_ascii_lowercase() {
            "rd" | "rmdir" => &["rm", "-rf"],
            "del" | "erase" if atom.args.iter().any(|arg| arg.text.eq_ignore_ascii_case("/s")) => {
                &["rm", "-rf"]
            }
            "del" | "erase" => &["rm", "-f"],
            _ => continue,
        };
        let here = |arg: &Arg| {
            let rest = arg.text.strip_prefix(['Z', 'z'])?.strip_prefix(':')?;
            rest.starts_with(['\\', '/']).then(|| Arg::from(rest.replace('\\', "/")))
        };
        let paths: Vec<Arg> = atom.args.iter().filter_map(here).collect();
        if !paths.is_empty() {
            let program = flags.iter().copied().map(Arg::from);
            atom.args = std::rc::Rc::new(program.chain(paths).collect());
        }
    }
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
fn input(process: &mut Process<'_>) -> String {
    let Some(script) = &process.call.io.stdin else { return String::new() };
    let io = Io { stdin: None, capture: process.call.io.capture, ..Io::default() };
    let script = Script::new(script, Some((process.index, How::Input)), &io);
    process.runner.run_text(&mut process.scope.clone(), &script)
}

/// The command line of wrappers that take one as an option's value.
fn text_argument(wrapper: &Wrapper, name: &str, args: &[Arg]) -> Option<String> {
    if name != "env" {
        let (letter, long) = wrapper.text?;
        return shell_engine::arguments::line_option(args, letter, long).map(str::to_owned);
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

/// Sets what `env` and `sudo` find assigned among their own arguments, for the program in `inner`.
fn set_variables(process: &mut Process<'_>, inner: &mut Scope, own: &[Arg]) {
    // bash takes functions from its environment: `env 'BASH_FUNC_ls%%=() { rm x; }' bash -c ls`.
    for body in own.iter().filter_map(|arg| imported_function(&arg.text)) {
        process.runner.run_text(&mut inner.clone(), &Script::new(body, None, &Io::default()));
    }
    for (name, value) in own.iter().filter_map(|arg| assignment(&arg.text)) {
        process.runner.sets(name);
        process.runner.variable_set(process.scope, name, value);
        inner.set_text(name, value);
        inner.export(name);
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
            let words = |atom: &crate::Atom| shell_engine::arguments::joined(&atom.args);
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
        assert_eq!(starts(catalog::row("nohup").runs.as_ref().unwrap(), 0, &args), [1, 2]);
    }
}
