//! Shells: `bash -c TEXT`, `sh FILE`, `… | sh`, and the people's ways to become someone else.

use payload::Language;
use shell_engine::{Arg, How, Io, Loaded, NoteKind, Place, Process, Runner, Scope, Script, mark};
use shell_windows::{cmd, powershell};

pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    let args = process.args();
    match name {
        _ if shell_engine::is_shell(name) => Some(shell(process)),
        "su" | "runuser" => {
            if let Some(text) = super::option(args, "-c", "--command") {
                // Android's takes the rest of its arguments: `adb shell su -c rm -rf x`.
                let rest = args.iter().skip_while(|arg| arg.text != "-c").skip(2);
                let words: Vec<Arg> = rest.cloned().collect();
                let whole = text.contains(char::is_whitespace) || process.scope.place != Place::Remote;
                return Some(if whole {
                    process.text(text)
                } else {
                    process.text(&format!("{text} {}", super::joined(&words)))
                });
            }
            let script = call.io.stdin.clone()?;
            // The script has used the input up: what it runs reads nothing.
            let io = Io { stdin: None, capture: call.io.capture, ..Io::default() };
            Some(process.runner.run_text(
                &mut process.scope.clone(),
                &Script::new(&script, Some((process.index, How::Input)), &io),
            ))
        }
        "script" => {
            let text = super::option(args, "-c", "--command").or_else(|| super::option(args, "-qc", ""))?;
            Some(process.text(text))
        }
        // Words of direnv's own, in a project's `.envrc`.
        "source_env" | "source_env_if_exists" => {
            for file in args {
                run_file(process, &file.text);
            }
            Some(String::new())
        }
        "pwsh" | "powershell" | "pwsh-preview" | "powershell_ise" => Some(powershell::run_arguments(process)),
        "cmd" => windows_shell(process),
        "wsl" => Some(linux_inside(process)),
        "forfiles" => Some(for_files(process)),
        "psexec" | "psexec64" | "paexec" | "gsudo" | "conhost" | "runas" | "at" | "schtasks" | "wmic"
        | "nircmd" => {
            // The other `at` reads what it is to do.
            let line = windows_line(name, args).filter(|_| name != "at" || call.io.stdin.is_none())?;
            Some(cmd::run_text(
                process.runner,
                &mut process.scope.clone(),
                &Script::new(&line, Some((process.index, How::Text)), &call.io),
            ))
        }
        _ => None,
    }
}

/// What a shell's arguments say.
struct Options<'a> {
    /// `-c`
    text: Option<&'a Arg>,
    /// `-n`: only reads.
    dry: bool,
    /// `-s`: reads its input though there are operands.
    input: bool,
    operands: &'a [Arg],
}

fn options(args: &[Arg]) -> Options<'_> {
    let mut found = Options { text: None, dry: false, input: false, operands: &[] };
    let mut command = false;
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let text = arg.text.as_str();
        match text {
            "--" | "-" => {
                at += 1;
                break;
            }
            // These take a value, which is not the script.
            "--rcfile" | "--init-file" | "-o" | "+o" | "-O" | "+O" => at += 2,
            "--command" => {
                command = true;
                at += 1;
            }
            _ if text.starts_with("--") => at += 1,
            _ if (text.starts_with('-') || text.starts_with('+')) && text.len() > 1 => {
                let letters = arg.without_unset();
                command |= letters.contains('c') && text.starts_with('-');
                // `bash -n` reads and runs nothing; `+n` switches that off.
                found.dry |= letters.contains('n') && text.starts_with('-');
                found.input |= letters.contains('s');
                // `-eo pipefail`: the last letter of a bundle takes the next argument.
                at += if letters.ends_with(['o', 'O']) { 2 } else { 1 };
            }
            _ => break,
        }
    }
    found.operands = args.get(at..).unwrap_or(&[]);
    // `-c` only says that the first operand is code: more options may come between.
    if command && let [text, rest @ ..] = found.operands {
        found.text = Some(text);
        found.operands = rest;
    }
    found
}

fn shell(process: &mut Process<'_>) -> String {
    let call = process.call;
    let options = options(&call.args[1..]);
    if options.dry {
        return String::new();
    }
    let mut inner = process.scope.clone();
    inner.enter_process();
    let positional = |args: &[Arg]| Some(args.iter().map(|arg| arg.text.clone()).collect());
    // `X=1 bash -c …`: the child inherits what stands before its name.
    for (name, value) in &call.assigns {
        inner.set_text(name, value);
        inner.export(name);
    }
    // What the environment brings as functions: `BASH_FUNC_ls%%='() { …; }'`.
    for (name, body) in inner.exported("BASH_FUNC_") {
        let name = name["BASH_FUNC_".len()..].trim_end_matches("%%").to_owned();
        let script = format!("{name} {body}");
        process
            .runner
            .run_text(&mut inner, &Script::new(&script, Some((process.index, How::Text)), &call.io));
    }
    // bash reads it before its text, whenever it was written, and sh where someone types into it.
    let interactive = call.args.iter().any(|arg| arg.text == "-i");
    let files = inner.exported("BASH_ENV").into_iter();
    for (_, file) in
        files.chain(inner.exported("ENV").into_iter().filter(|(name, _)| interactive && name == "ENV"))
    {
        if let Some(loaded) = process.runner.load(process.scope, &file) {
            let io = Io::default();
            let script = Script::new(&loaded.text, Some((process.index, How::File)), &io);
            let run = |runner: &mut Runner, scope: &mut Scope| runner.run_text(scope, &script);
            process.runner.in_file(&mut inner, (loaded.file, ""), run);
        }
    }
    // Some take lines besides the one of `-c`, and in front of it.
    let (short, long, other) = match process.name {
        "fish" => ("-C", "--init-command", ""),
        "nu" => ("-e", "--execute", "--commands"),
        _ => ("", "", ""),
    };
    if !long.is_empty() {
        let args = &call.args[1..];
        for line in super::options(args, short, long).chain(super::options(args, "", other)) {
            let translated = in_bash(process.name, line);
            let text = translated.as_deref().unwrap_or(line);
            let script = Script::new(text, Some((process.index, How::Text)), &call.io);
            process.runner.run_text(&mut inner, &script);
        }
    }
    // zsh reads its settings in the folder that this names, whatever it is to run.
    if process.name == "zsh" {
        for (_, folder) in inner.exported("ZDOTDIR") {
            for file in [".zshenv", ".zshrc"] {
                run_file(process, &format!("{folder}/{file}"));
            }
        }
    }
    // An interactive shell reads it before anything else.
    for long in ["--rcfile", "--init-file"] {
        if let Some(file) = super::option(&call.args[1..], "", long)
            && let Some(loaded) = process.runner.load(process.scope, file)
        {
            let io = Io::default();
            let script = Script::new(&loaded.text, Some((process.index, How::File)), &io);
            let run = |runner: &mut Runner, scope: &mut Scope| runner.run_text(scope, &script);
            process.runner.in_file(&mut inner, (loaded.file, ""), run);
        }
    }
    // `sh FIFO` runs what is written there later.
    if let Some(file) = options.operands.first().filter(|_| options.text.is_none())
        && process.runner.is_pipe(process.scope, &file.text)
    {
        process.runner.add_reader(process.scope, &file.text, "sh");
    }
    if let Some(text) = options.text {
        // After `bash -c TEXT`, the first operand is `$0`.
        if let [name, rest @ ..] = options.operands {
            inner.name = name.text.as_str().into();
            inner.positional = positional(rest);
        } else {
            inner.positional = positional(&[]);
        }
        let translated = in_bash(process.name, &text.text);
        let text = translated.as_deref().unwrap_or(&text.text);
        return process
            .runner
            .run_text(&mut inner, &Script::new(text, Some((process.index, How::Text)), &call.io));
    }
    if let [file, ..] = options.operands
        && !options.input
        && !shell_engine::path::is_stdin(&file.text)
    {
        let mut printed = String::new();
        for path in process.runner.paths(process.scope, &file.text) {
            if let Some(loaded) = process.runner.load(process.scope, &path) {
                let mut args = options.operands.to_vec();
                args[0] = path.into();
                let output = script(process, &loaded, &args);
                process.runner.append(&mut printed, output);
            } else if may_have_made(process, &path) {
                process.runner.note(NoteKind::RunsUnknown, call.span);
            }
        }
        return printed;
    }
    inner.positional = positional(options.operands);
    let text = call.io.stdin.as_deref().unwrap_or("");
    knows_itself(&mut inner, process, (text, options.operands));
    // `bash < FIFO`, `cat FIFO | sh`: it runs what is written there later.
    let is_unknown = |text: &str| !text.is_empty() && text.trim().chars().all(mark::is_hole);
    if call.io.stdin.as_deref().is_none_or(is_unknown) {
        process.runner.read_pipes("sh");
    }
    match &call.io.stdin {
        Some(script) => {
            let io = Io { stdin: None, capture: call.io.capture, ..Io::default() };
            let translated = in_bash(process.name, script);
            let text = translated.as_deref().unwrap_or(script);
            process.runner.run_text(&mut inner, &Script::new(text, Some((process.index, How::Input)), &io))
        }
        // `exec < file; bash`: it reads what its shell reads.
        None => match process.runner.file_at(process.scope, "/dev/fd/0") {
            Some(script) => process.runner.run_text(
                &mut inner,
                &Script::new(&script, Some((process.index, How::Input)), &Io::default()),
            ),
            None => String::new(),
        },
    }
}

/// Whether a program before this one may have written a file that is not there: its code, or its input, names it.
fn may_have_made(process: &Process<'_>, path: &str) -> bool {
    let name = shell_engine::path::file_name(path);
    let names = |text: &str| {
        let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')));
        words.any(|word| word == name)
    };
    let before = usize::try_from(process.index).unwrap_or_default();
    process.runner.has_disk()
        && !name.is_empty()
        && process.runner.analysis.atoms.iter().take(before).any(|atom| {
            let program = atom.args.first().map(|program| shell_engine::program_name(&program.text));
            let is_code = |arg: &Arg| arg.text != *path && arg.text.len() > path.len() && names(&arg.text);
            program.is_some_and(|program| WRITERS.contains(&&*program))
                && (atom.args.iter().skip(1).any(is_code) || atom.stdin.as_deref().is_some_and(names))
        })
}

/// Programs whose code writes files of any name.
const WRITERS: [&str; 22] = [
    "awk", "gawk", "mawk", "nawk", "sed", "gsed", "perl", "ruby", "php", "lua", "tclsh", "ed", "ex", "vim",
    "vi", "nvim", "emacs", "m4", "sqlite3", "duckdb", "guile", "expect",
];

/// A file that is brought into another script, as bash would have it.
pub(crate) fn brought_in_bash(path: &str, text: &str) -> Option<String> {
    translated(path, text, false)
}

/// A script of a shell that is not like bash, as bash would have it.
fn in_bash(shell: &str, text: &str) -> Option<String> {
    translated(shell, text, true)
}

/// `shell` is the program that runs it, or the file: then its first line tells, or its ending.
fn translated(shell: &str, text: &str, starts: bool) -> Option<String> {
    let first = text.strip_prefix("#!").and_then(|rest| rest.lines().next());
    let named = first.and_then(|line| line.rsplit(['/', ' ']).find(|word| !word.starts_with('-')));
    let ending = || shell.rsplit_once('.').map(|(_, ending)| ending);
    let language = if shell_engine::is_shell(shell) { Some(shell) } else { named.or_else(ending) };
    match language? {
        "fish" => super::fish::fish(text),
        "zsh" => Some(super::zsh::zsh(text)),
        "nu" => super::nushell::nushell(text, starts),
        _ => None,
    }
}

/// Runs a file as a script, if it is there.
pub(super) fn run_file(process: &mut Process<'_>, path: &str) {
    if let Some(loaded) = process.runner.load(process.scope, path) {
        script(process, &loaded, &[path.into()]);
    }
}

/// A script's arguments are what they are here, unless one comes from a variable that only the environment sets; and so is its
/// shell.
fn knows_itself(inner: &mut Scope, process: &Process<'_>, (text, args): (&str, &[Arg])) {
    let named = text.strip_prefix("#!").and_then(|rest| rest.lines().next()?.rsplit(['/', ' ']).next());
    let shell = if shell_engine::is_shell(process.name) { process.name } else { named.unwrap_or("bash") };
    inner.exact = !process.scope.open && !args.iter().any(|arg| arg.text.contains(mark::UNSET));
    inner.keeps_last = matches!(shell, "zsh" | "ksh" | "ksh93" | "mksh");
    inner.is_plain = matches!(shell, "sh" | "dash" | "ash");
}

/// Runs the text of a script file in a process of its own, or the interpreter that its first line names.
/// `args` begins with the file.
pub(super) fn script(process: &mut Process<'_>, loaded: &Loaded, args: &[Arg]) -> String {
    // PowerShell runs its own, and Windows starts them by their names.
    let is_powershell = |file: &Arg| file.text.len() > 4 && file.text.to_ascii_lowercase().ends_with(".ps1");
    if !loaded.text.starts_with("#!")
        && !shell_engine::is_shell(process.name)
        && args.first().is_some_and(is_powershell)
    {
        let words = ["pwsh", "-File"].map(Arg::from).into_iter().chain(args.iter().cloned());
        return process.start(&words.collect::<Vec<_>>());
    }
    started_by_first_line(process, loaded, args);
    let mut inner = process.scope.clone();
    inner.enter_process();
    if let Some(file) = args.first() {
        inner.name = file.text.as_str().into();
    }
    inner.positional = Some(args.iter().skip(1).map(|arg| arg.text.clone()).collect());
    knows_itself(&mut inner, process, (&loaded.text, args));
    // `DIR=/ ./clean.sh`
    for (name, value) in &process.call.assigns {
        inner.give(name, value);
    }
    let Some(opened) = process.runner.open_file(&mut inner, (loaded.file, "")) else { return String::new() };
    let translated = in_bash(process.name, &loaded.text);
    if let Some(translated) = &translated {
        process.runner.reads_as(loaded.file, translated);
    }
    let text = translated.as_deref().unwrap_or(&loaded.text);
    // The first line may name another interpreter.
    let printed = shell_interpreters::run_script(&mut process.elsewhere(&mut inner), &loaded.text);
    let printed = printed.unwrap_or_else(|| {
        let script = Script::new(text, Some((process.index, How::File)), &process.call.io);
        process.runner.run_text(&mut inner, &script)
    });
    process.runner.close_file(&mut inner, &opened);
    printed
}

/// A first line may name any program: `#!/usr/bin/psql -f`, `#!/usr/bin/env -S uv run --script`. It gets the file.
fn started_by_first_line(process: &mut Process<'_>, loaded: &Loaded, args: &[Arg]) {
    let Some(line) = loaded.text.strip_prefix("#!").and_then(|rest| rest.lines().next()) else { return };
    if shell_interpreters::named_in(&loaded.text).is_some() {
        return;
    }
    let mut words: Vec<Arg> = line.split_whitespace().map(Arg::from).collect();
    let starts =
        |name: &str| words.first().is_some_and(|word| shell_engine::path::file_name(&word.text) == name);
    if starts("env") {
        words.remove(0);
        words.retain(|word| !matches!(word.text.as_str(), "-S" | "-i" | "-"));
    }
    let program =
        words.iter().find(|word| !word.text.contains('=')).map(|word| shell_engine::program_name(&word.text));
    if program.is_none_or(|name| shell_engine::is_shell(&name)) {
        return;
    }
    words.extend(args.iter().cloned());
    // A file that names what starts it again ends here.
    let mut inner = process.scope.clone();
    let (file, origin) = (inner.file, inner.origin);
    let Some(opened) = process.runner.open_file(&mut inner, (loaded.file, "#!")) else { return };
    (inner.file, inner.origin) = (file, origin);
    process.start_in(&mut inner, &words);
    process.runner.close_file(&mut inner, &opened);
}

/// `cmd /c LINE`, `cmd //c LINE` as Git Bash needs it, and `… | cmd`.
fn windows_shell(process: &mut Process<'_>) -> Option<String> {
    let call = process.call;
    let args = process.args();
    let runs = |text: &str| {
        let switch = text.trim_start_matches('/').to_ascii_lowercase();
        text.starts_with('/') && (switch.starts_with('c') || switch.starts_with('k') || switch == "r")
    };
    let mut inner = process.scope.clone();
    let Some(at) = args.iter().position(|arg| runs(&arg.text)) else {
        let text = call.io.stdin.clone()?;
        return Some(cmd::run_text(
            process.runner,
            &mut inner,
            &Script::new(&text, Some((process.index, How::Input)), &Io::default()),
        ));
    };
    // `/crd /s x`: the line may stand right after the letter.
    let glued = args[at].text.trim_start_matches('/').get(1..).unwrap_or("");
    let rest = &args[at + 1..];
    let line = match rest {
        [line] => line.text.clone(),
        // cmd gets one line; the shell around it has taken the quotes away.
        words => words.iter().map(|arg| quoted(&arg.text)).collect::<Vec<_>>().join(" "),
    };
    let line = format!("{glued} {line}");
    Some(cmd::run_text(
        process.runner,
        &mut inner,
        &Script::new(cmd::unquoted(line.trim()), Some((process.index, How::Text)), &call.io),
    ))
}

/// The command line that a program of Windows starts: for someone else, on another machine, or later.
///
/// `PsExec` 2.4 (`psexec \\\\host -u name -s cmd`), gsudo 2.5, and the `/?` of the others.
fn windows_line(name: &str, args: &[Arg]) -> Option<String> {
    let is = |arg: &Arg, word: &str| arg.text.eq_ignore_ascii_case(word);
    let behind = |switch: &str| {
        let at = args.iter().position(|arg| is(arg, switch))?;
        args.get(at + 1).map(|arg| arg.text.clone())
    };
    match name {
        "schtasks" => return behind("/tr"),
        // `wmic process call create "line"`
        "wmic" => return behind("create").filter(|_| args.iter().any(|arg| is(arg, "process"))),
        // Elsewhere it has its line on the standard input.
        "at" if args.len() < 2 || args.iter().any(|arg| arg.text.starts_with('-')) => return None,
        _ => {}
    }
    let mut at = match name {
        "at" => {
            args.iter()
                .position(|arg| arg.text.contains(':'))
                .filter(|&at| !args[at].text.starts_with('/'))?
                + 1
        }
        _ => 0,
    };
    while let Some(arg) = args.get(at) {
        let valued = name != "conhost"
            && matches!(
                arg.text.as_str(),
                "-u" | "-p" | "-w" | "-n" | "-r" | "-a" | "-g" | "-i" | "--integrity" | "--loglevel"
            )
            // The session is optional: `-i cmd`.
            && (arg.text != "-i" || args.get(at + 1).is_some_and(|next| next.text.parse::<u32>().is_ok()));
        if !arg.text.starts_with(['-', '/', '@']) && !arg.text.starts_with("\\\\") {
            break;
        }
        at += 1 + usize::from(valued);
    }
    match args.get(at..)? {
        [] => None,
        [line] => Some(line.text.clone()),
        words => Some(words.iter().map(|arg| quoted(&arg.text)).collect::<Vec<_>>().join(" ")),
    }
}

/// A word as cmd reads it back.
fn quoted(word: &str) -> String {
    if word.contains(char::is_whitespace) && !word.contains('"') {
        format!("\"{word}\"")
    } else {
        word.to_owned()
    }
}

/// `wsl [options] command`: a Linux that sees Windows' drives below `/mnt`.
fn linux_inside(process: &mut Process<'_>) -> String {
    let args = process.args();
    let mut inner = process.scope.clone();
    inner.shell = Language::Posix;
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        match arg.text.as_str() {
            "-d" | "--distribution" | "-u" | "--user" | "--cd" | "--shell-type" | "--distribution-id" => {
                at += 2;
            }
            "-e" | "--exec" | "--" => {
                at += 1;
                break;
            }
            // `--unregister`, `--shutdown`: about Linux, not in it.
            text if text.starts_with('-') => return String::new(),
            _ => break,
        }
    }
    process.start_in(&mut inner, args.get(at..).unwrap_or(&[]))
}

/// `forfiles /p FOLDER /s /m PATTERN /c "COMMAND @path"`
fn for_files(process: &mut Process<'_>) -> String {
    let call = process.call;
    let args = process.args();
    let value = |switch: &str| {
        let at = args.iter().position(|arg| arg.text.eq_ignore_ascii_case(switch))?;
        args.get(at + 1).map(|arg| arg.text.as_str())
    };
    let Some(command) = value("/c").or_else(|| value("-c")) else { return String::new() };
    let folder = shell_windows::slashes(value("/p").unwrap_or("."));
    let filter = value("/m").filter(|pattern| !matches!(*pattern, "*" | "*.*"));
    let entry = match filter {
        Some(pattern) => format!("{}/{}", mark::ENTRY, shell_engine::text::pattern::active(pattern)),
        None if value("/d").is_some() => format!("{}{}", mark::ENTRY, mark::TOKEN),
        None => mark::ENTRY.to_string(),
    };
    let path = shell_windows::below(&folder, &entry);
    let mut text = command.to_owned();
    for name in ["@path", "@file", "@relpath", "@fname", "@PATH", "@FILE"] {
        text = text.replace(name, &path);
    }
    cmd::run_text(
        process.runner,
        &mut process.scope.clone(),
        &Script::new(&text, Some((process.index, How::Text)), &call.io),
    )
}
