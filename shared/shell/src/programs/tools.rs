//! Everyday tools that can also run a command: tar, rsync, editors, debuggers.

use shell_engine::{Arg, How, Io, Process, Scope, Script, mark};
use shell_windows::slashes;

use super::{code, joined, lines, option, options, project, quoted, typeset};

/// Modules that are programs of their own as well, whose files are read.
fn is_tool_of_python(module: &str) -> bool {
    matches!(module, "tox" | "nox" | "poethepoet" | "pytest" | "invoke")
}

pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    let args = process.args();
    if let Some(program) = started(name, args) {
        return Some(process.start(&program));
    }
    let lines: Vec<String> = match name {
        "patch" | "gpatch" | "apply_patch" | "applypatch" => {
            // A patch may come from a file: it is read, so that rules can look into it.
            reads_file(process, &process.scope.clone(), args);
            return None;
        }
        // A script of the project.
        "node" | "nodejs" if args.iter().any(|arg| arg.text == "--run") => return project::script(process),
        "deno" if args.first().is_some_and(|arg| arg.text == "task") => return project::deno_task(process),
        "tar" | "gtar" | "bsdtar" => {
            // What the variable holds stands in front of its own.
            let own = process.variable("TAR_OPTIONS").map(|own| words_of(&own)).unwrap_or_default();
            let readers = options(args, "", "--to-command").chain(options(&own, "", "--to-command"));
            for line in readers {
                // It reads what each of the files holds.
                let held = super::archive::held(process.runner, process.scope, args);
                let text = held.unwrap_or_else(|| mark::UNKNOWN.to_string());
                let io = Io { stdin: Some(text.into()), ..Io::default() };
                let script = Script::new(line, Some((process.index, How::Text)), &io);
                process.runner.run_text(&mut process.scope.clone(), &script);
            }
            tar(args).into_iter().chain(tar(&own)).collect()
        }
        "rsync" => super::bundled(name, args, 'e', "--rsh")
            .into_iter()
            // rsync runs these to reach the other machine.
            .chain(options(args, "", "--rsync-path"))
            // A bare `ssh` is what everyone writes there.
            .filter(|line| line.contains(char::is_whitespace) || line.contains('/'))
            .map(str::to_owned)
            .collect(),
        "sed" | "gsed" => sed(process, args),
        "vim" | "vi" | "nvim" | "ex" | "view" | "vimdiff" | "gvim" => return vim(process),
        "m4" | "gm4" => code::m4(process),
        "rpm" | "rpmspec" | "rpmbuild" => code::rpm(args),
        "dc" => code::dc(process),
        "fzf" | "sk" => code::fzf(args),
        "gnuplot" => typeset::gnuplot(process),
        "latex" | "pdflatex" | "xelatex" | "lualatex" | "tex" | "pdftex" | "xetex" | "luatex" | "latexmk" => {
            typeset::latex(process)
        }
        // Lines with `:!` go to a shell.
        "ghci" => {
            let file = option(args, "-ghci-script", "").and_then(|file| super::script_at(process, file));
            let texts = file.iter().chain(&call.io.stdin);
            texts.flat_map(|text| bang_lines(text)).collect()
        }
        // Lines with `!` go to a shell.
        "ed" | "red" if call.io.stdin.is_some() => return super::ed::run(process),
        "sftp" | "ftp" | "bc" | "lftp" => {
            let mut lines = call.io.stdin.as_deref().map(bang_lines).unwrap_or_default();
            if process.name == "sftp" {
                // The server's program, in place of a connection.
                lines.extend(options(args, "-D", "").map(str::to_owned));
            }
            lines
        }
        "less" | "more" | "most" => {
            // `less '+!cmd' file` runs it on start; its variable holds options as well.
            let own = process.variable(if name == "more" { "MORE" } else { "LESS" }).unwrap_or_default();
            let own = own.split_once("+!").map(|(_, line)| line.to_owned());
            args.iter().filter_map(|arg| arg.text.strip_prefix("+!")).map(str::to_owned).chain(own).collect()
        }
        "systemd-tmpfiles" if args.iter().any(|arg| arg.text == "--remove") => tmpfiles(process),
        "gcc" | "g++" | "cc" | "c++" | "clang" | "clang++" => compiler(process),
        "gdb" | "lldb" => debugger(process, args),
        "osascript" => return scripted(process),
        // They put secrets into the environment of the program after `--`.
        "op" | "doppler" | "infisical" | "dotenvx" | "aws-vault" | "chamber" | "teller" | "granted"
        | "zellij" | "wezterm" => {
            let at = args.iter().position(|arg| arg.text == "--")?;
            let mut inner = process.scope.clone();
            let program = super::variables::set_for(process, &mut inner, &args[at + 1..]);
            return Some(process.start_in(&mut inner, &program));
        }
        "sops" => {
            // `sops exec-env FILE 'command line'`
            let at = args.iter().position(|arg| matches!(arg.text.as_str(), "exec-env" | "exec-file"))?;
            args.get(at + 2).map(|arg| arg.text.clone()).into_iter().collect()
        }
        "fc" => repeated(process).into_iter().collect(),
        "certutil" => return certutil(process, args),
        "wp" | "drush" | "rails" | "php" | "artisan" | "sail" | "manage.py" | "django-admin" | "python"
        | "python3" => {
            return console(process);
        }
        "mongosh" | "mongo" | "cypher-shell" => return database_script(process),
        "redis-cli" | "valkey-cli" | "keydb-cli" => return lua_of_redis(process),
        // Programs whose argument is a command line stand in the catalog.
        _name => return lines::run(process),
    };
    if lines.is_empty() {
        return None;
    }
    for line in lines {
        process.text(&line);
    }
    Some(String::new())
}

/// What was typed before, which `fc -s BEGIN` runs again: the last line that begins so.
fn repeated(process: &Process<'_>) -> Option<String> {
    let (first, rest) = process.args().split_first()?;
    let begins = rest.first().map_or("", |arg| arg.text.as_str());
    let typed =
        process.runner.file_at(process.scope, super::copies::HISTORY).filter(|_| first.text == "-s")?;
    typed.lines().rfind(|line| line.starts_with(begins)).map(str::to_owned)
}

/// The program that another one starts with the rest of its words, or in its own place.
fn started(name: &str, args: &[Arg]) -> Option<Vec<Arg>> {
    let after =
        |is_it: fn(&str) -> bool| args.iter().position(|arg| is_it(&arg.text)).map(|at| &args[at + 1..]);
    let with = |program: &str, rest: &[Arg]| Some([&[Arg::from(program)], rest].concat());
    match name {
        "rake" => Some(["ruby", "-e", option(args, "-e", "--execute")?].map(Arg::from).to_vec()),
        // What no one has used for so long: `tmpreaper 7d FOLDER`.
        "tmpwatch" | "tmpreaper" | "stmpclean" => {
            let words = args.iter().filter(|arg| !arg.text.starts_with('-'));
            let folders = words.filter(|arg| arg.text.contains('/'));
            let mut program = ["find"].map(Arg::from).to_vec();
            program.extend(folders.cloned());
            program.extend(["-mindepth", "1", "-delete"].map(Arg::from));
            Some(program)
        }
        // Both run node as it is set up for the project.
        "yarn" | "pnpm" => args.first().filter(|arg| arg.text == "node").map(|_| args.to_vec()),
        // `python3 -m tox -e clean` is `tox -e clean`.
        "python" | "python3" => after(|arg| arg == "-m")
            .filter(|rest| rest.first().is_some_and(|module| is_tool_of_python(&module.text)))
            .map(<[Arg]>::to_vec),
        // Its Lua runs without an editor: `nvim -l FILE`, `nvim -l -`.
        "nvim" => with("lua", after(|arg| arg == "-l")?),
        "deno" => registry_package(args).map(super::packaged),
        // In a user namespace of its own, but with the files of this machine.
        "podman" if args.first()?.text == "unshare" => {
            let own = args.iter().skip(1).take_while(|arg| arg.text.starts_with('-')).count();
            args.get(1 + own..).map(<[Arg]>::to_vec)
        }
        // zsh's own, of `zmodload zsh/files`.
        "zf_rm" | "zf_rmdir" | "zf_mv" | "zf_ln" | "zf_chmod" | "zf_chown" | "zf_chgrp" => {
            with(&name[3..], args)
        }
        "corepack" => Some(args.to_vec()),
        // `nix run nixpkgs#bash -- -c LINE` starts the program of that name.
        "nix" if args.iter().any(|arg| arg.text == "run") => {
            let at = args.iter().position(|arg| arg.text == "--")?;
            let package = args[..at].iter().rev().find_map(|arg| arg.text.split_once('#'))?.1;
            with(package.rsplit('.').next().unwrap_or(package), &args[at + 1..])
        }
        "nix" => after(|arg| matches!(arg, "-c" | "--command")).map(<[Arg]>::to_vec),
        // What follows `--` are the program's arguments.
        "start-stop-daemon" | "daemonize" => {
            let program = option(args, "-x", "--exec").or_else(|| option(args, "-a", "--startas"))?;
            with(program, after(|arg| arg == "--").unwrap_or_default())
        }
        "sshd" | "ssh-agent" => {
            let at = args.iter().position(|arg| !arg.text.starts_with('-'))?;
            Some(args[at..].to_vec())
        }
        _ => None,
    }
}

/// `certutil -decode FROM TO`, which is known for decoding what was downloaded.
fn certutil(process: &mut Process<'_>, args: &[Arg]) -> Option<String> {
    // It takes either sign, in any case.
    let decodes = |arg: &Arg| {
        let switch = arg.text.trim_start_matches(['-', '/']).to_ascii_lowercase();
        switch.len() < arg.text.len() && matches!(switch.as_str(), "decode" | "decodehex")
    };
    let at = args.iter().position(decodes)?;
    let mut files = args[at + 1..].iter().filter(|arg| !arg.text.starts_with(['-', '/']));
    let (from, to) = (files.next()?, files.next()?);
    let held = process.runner.file_at(process.scope, &slashes(&from.text)).map(|text| text.to_string());
    let remote = held.is_some_and(|text| text.contains(mark::REMOTE));
    let mark = if remote { mark::REMOTE } else { mark::DECODED };
    process.runner.put_file(process.scope, &slashes(&to.text), &mark.to_string());
    Some(String::new())
}

/// The words of a text in which a backslash protects a blank.
fn words_of(text: &str) -> Vec<Arg> {
    let protected = text.replace("\\ ", "\0");
    protected.split_whitespace().map(|word| Arg::from(word.replace('\0', " "))).collect()
}

/// What a compiler starts: the program of `-wrapper PROGRAM,ARGUMENT`, and its parts, where they lie in a folder of the
/// command's own.
fn compiler(process: &mut Process<'_>) -> Vec<String> {
    const PARTS: [&str; 6] = ["as", "cc1", "cc1plus", "collect2", "ld", "cpp"];
    let args = process.args();
    let wrapper = option(args, "-wrapper", "").map(|words| {
        let words: Vec<Arg> = words.split(',').map(Arg::from).collect();
        quoted(&words)
    });
    let mut lines: Vec<String> = wrapper.into_iter().collect();
    let own = options(args, "-B", "").map(str::to_owned);
    let folders = own.chain(process.variable("COMPILER_PATH")).chain(process.variable("GCC_EXEC_PREFIX"));
    for folder in folders.collect::<Vec<_>>() {
        let made = PARTS.iter().map(|part| format!("{}/{part}", folder.trim_end_matches('/')));
        lines.extend(made.filter(|path| process.runner.file_at(process.scope, path).is_some()));
    }
    lines
}

/// What `systemd-tmpfiles --remove FILE` takes away: `R PATH`, `r PATH`, `D PATH`.
fn tmpfiles(process: &mut Process<'_>) -> Vec<String> {
    let files: Vec<&str> =
        process.args().iter().map(|arg| arg.text.as_str()).filter(|text| !text.starts_with("--")).collect();
    let texts: Vec<_> = files.iter().filter_map(|file| super::script_at(process, file)).collect();
    let removed = |line: &str| {
        let mut words = line.split_whitespace();
        let kind = words.next()?;
        let path = words.next().filter(|_| kind.starts_with(['R', 'r', 'D']))?;
        Some(format!("rm -r -f -- {path}"))
    };
    texts.iter().flat_map(|text| text.lines().filter_map(removed)).collect()
}

/// A program that reads the file that it is given reads what the text has written there before.
pub(super) fn reads_file(process: &mut Process<'_>, scope: &Scope, args: &[Arg]) {
    let held = |arg: &Arg| {
        process.runner.file_at(scope, arg.text.split_once('=').map_or(&arg.text, |(_, file)| file))
    };
    let text = args.iter().rev().find_map(held);
    let at = usize::try_from(process.index).unwrap_or(usize::MAX);
    if let Some(atom) = process.runner.analysis.atoms.get_mut(at).filter(|atom| atom.stdin.is_none()) {
        atom.stdin = text;
    }
}

fn tar(args: &[Arg]) -> Vec<String> {
    let mut found: Vec<&str> = Vec::new();
    for (letter, long) in [('I', "--use-compress-program"), ('F', "--info-script")] {
        found.extend(super::bundled("tar", args, letter, long));
    }
    for long in ["--rsh-command", "--new-volume-script"] {
        found.extend(options(args, "", long));
    }
    let actions = options(args, "", "--checkpoint-action");
    found.extend(actions.filter_map(|action| action.strip_prefix("exec=")));
    if let Some((first, rest)) = args.split_first()
        && !first.text.starts_with('-')
    {
        // The old form, `tar cIf PROGRAM ARCHIVE`: each letter that takes a value takes the next argument.
        let valued =
            first.text.chars().filter(|c| catalog::has_letter(const { catalog::row("tar") }.anywhere, *c));
        let values = valued.zip(rest);
        found.extend(values.filter(|(c, _)| matches!(c, 'I' | 'F')).map(|(_, arg)| arg.text.as_str()));
    }
    found.into_iter().map(str::to_owned).collect()
}

/// The package of a registry that deno runs, and its arguments: `deno run -A npm:rimraf x`, `deno x npm:rimraf x`.
fn registry_package(args: &[Arg]) -> Option<&[Arg]> {
    let at = args.iter().position(|arg| arg.text.starts_with("npm:") || arg.text.starts_with("jsr:"))?;
    let own = args[..at].iter().map(|arg| arg.text.as_str());
    // `deno add npm:x` only notes it down.
    own.filter(|text| !text.starts_with('-')).all(|word| matches!(word, "run" | "x")).then(|| &args[at..])
}

/// GNU sed's `e` command and the `e` flag of `s///e`.
fn sed(process: &mut Process<'_>, args: &[Arg]) -> Vec<String> {
    let may_run = |arg: &Arg| arg.text.contains('e') && !matches!(arg.text.as_str(), "-e" | "--expression");
    if !args.iter().any(may_run) {
        return Vec::new();
    }
    if let Some((own, text)) = super::output::own_input(process)
        && let Some(made) = super::sed::run(&own, &text)
    {
        return made.runs;
    }
    let mut lines = Vec::new();
    let words = args.iter().map(|arg| arg.text.as_str()).filter(|text| !text.starts_with('-'));
    let glued = args
        .iter()
        .filter_map(|arg| arg.text.strip_prefix("--expression=").or_else(|| arg.text.strip_prefix("-e")));
    for script in words.chain(glued) {
        lines.extend(super::sed::run_by(script).unwrap_or_default());
        // What the commands so far make of the input.
        let mut before = String::new();
        for command in script.split(['\n', ';']) {
            let body = command
                .trim_start()
                .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '$' | ',' | ' ' | '{' | '!'));
            if body.trim_end() == "e" {
                lines.extend(made(process, &before));
            }
            let substitution = body.strip_prefix('s').and_then(|body| {
                let separator = body.chars().next().filter(char::is_ascii_punctuation)?;
                let [_, with, flags] = super::filter::fields(&body[1..], separator)?;
                (flags.contains('e') && flags.len() < 4).then_some(with)
            });
            if let Some(with) = substitution {
                // The same without its flag to run: where the input is known, it says what the line is.
                let flags = body.rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(body.len(), |at| at + 1);
                let plain = format!("{before}{}{}", &body[..flags], body[flags..].replace('e', ""));
                lines.extend(made(process, &plain).or(Some(with)));
            }
            before += command;
            before.push(';');
        }
    }
    lines
}

/// What sed makes of its input by these commands.
fn made(process: &Process<'_>, script: &str) -> Option<String> {
    super::filter::substitute(&[Arg::from(script.trim_end_matches(';'))], process.call.io.stdin.as_deref()?)
}

/// What vim carries out: by options, in scripts, by keys, and on its input.
fn vim(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    // There `-s` keeps it silent, and elsewhere it names a file of keys.
    let is_ex = process.name == "ex"
        || args.iter().any(|arg| matches!(arg.text.as_str(), "-e" | "-es" | "-E" | "-Es" | "-esc" | "-Esc"));
    let (mut commands, mut scripts, mut edited) = (Vec::new(), Vec::new(), None);
    let mut words = args.iter().map(|arg| arg.text.as_str());
    while let Some(word) = words.next() {
        match word {
            "-c" | "--cmd" | "-sc" | "-esc" | "-Esc" => commands.extend(words.next().map(str::to_owned)),
            "-S" | "-u" => scripts.extend(words.next()),
            "-s" if !is_ex => scripts.extend(words.next()),
            _ if word.starts_with('-') => commands.extend(word.strip_prefix("-c").map(str::to_owned)),
            _ => match word.strip_prefix('+') {
                Some(command) => commands.push(command.to_owned()),
                None => edited = edited.or(Some(word)),
            },
        }
    }
    commands.extend(process.call.io.stdin.as_deref().map(str::to_owned));
    if commands.is_empty() && scripts.is_empty() {
        return None;
    }
    let writes = commands.iter().any(|command| command.contains('!'));
    let edited = edited.filter(|_| writes).and_then(|file| super::script_at(process, file));
    for file in scripts {
        let Some(loaded) = process.runner.look_up(process.scope, file) else { continue };
        super::notes_remote(process, &loaded);
        let mut inner = process.scope.clone();
        let Some(opened) = process.runner.open_file(&mut inner, (loaded.file, "")) else { continue };
        let script = [loaded.text.to_string()];
        shell_interpreters::run_commands(&mut process.elsewhere(&mut inner), &script, None);
        process.runner.close_file(&mut inner, &opened);
    }
    shell_interpreters::run_commands(process, &commands, edited.as_deref());
    Some(String::new())
}

/// A debugger's command that holds code of another language, as a command line for its interpreter.
fn code_of(command: &str) -> Option<String> {
    let (word, code) = command.split_once(char::is_whitespace)?;
    let (interpreter, code) = match word {
        "lua" => ("lua -e", code.to_owned()),
        // The last is lldb's.
        "py" | "py3" | "python" | "python3" | "pyx" | "pythonx" | "script" => ("python3 -c", code.to_owned()),
        "perl" => ("perl -e", code.to_owned()),
        "ruby" => ("ruby -e", code.to_owned()),
        _ => return None,
    };
    Some(format!("{interpreter} '{}'", code.replace('\'', r"'\''")))
}

/// Lines of an editor's script that begin with `!`.
pub(super) fn bang_lines(script: &str) -> Vec<String> {
    script
        .lines()
        .filter_map(|line| line.trim().trim_start_matches(':').strip_prefix('!'))
        .map(str::to_owned)
        .collect()
}

fn debugger(process: &mut Process<'_>, args: &[Arg]) -> Vec<String> {
    let file = option(args, "-x", "--command").or_else(|| option(args, "-s", "--source"));
    let script = file.and_then(|file| super::script_at(process, file));
    let (mut lines, mut started) = (Vec::new(), Vec::new());
    let mut shell_line = |command: &str| {
        let line = ["shell ", "!", "pipe ", "platform shell "]
            .iter()
            .find_map(|prefix| command.strip_prefix(prefix));
        lines.extend(line.map(str::to_owned).or_else(|| code_of(command)));
    };
    for script in script.iter().chain(&process.call.io.stdin) {
        script.lines().for_each(|line| shell_line(line.trim_start()));
    }
    let last = args.len().checked_sub(1).map(|last| (args[last].text.as_str(), last));
    let takes =
        |at: usize| matches!(args[at].text.as_str(), "-ex" | "-iex" | "-x" | "--command" | "--eval-command");
    let is_value = |at: usize| at.checked_sub(1).is_some_and(takes);
    let program =
        last.filter(|(word, at)| !word.starts_with('-') && !is_value(*at)).map_or("", |(word, _)| word);
    let mut words = args.iter();
    while let Some(arg) = words.next() {
        let command = match arg.text.as_str() {
            "-ex" | "--ex" | "-iex" | "--eval-command" | "-o" | "--one-line" => {
                words.next().map(|arg| arg.text.as_str())
            }
            text => text.strip_prefix("--eval-command=").or_else(|| text.strip_prefix("-ex=")),
        };
        if let Some(command) = command {
            shell_line(command);
            // `run ARGUMENTS`, and what starts the program for it.
            let (verb, rest) = command.split_once(' ').unwrap_or((command, ""));
            match verb {
                "run" | "r" | "start" if !program.is_empty() => started.push(format!("{program} {rest}")),
                "set" => {
                    started.extend(rest.strip_prefix("exec-wrapper ").map(str::to_owned));
                    started.extend(rest.strip_prefix("args ").map(|rest| format!("{program} {rest}")));
                }
                _ => {}
            }
        }
    }
    lines.append(&mut started);
    if let Some(at) = args.iter().position(|arg| arg.text == "--args" || arg.text == "--") {
        lines.push(joined(&args[at + 1..]));
    }
    lines
}

/// Runs the lines that start something in the file of a program's script.
fn script_file(process: &mut Process<'_>, lines: impl Fn(&str) -> Vec<String>) -> Option<String> {
    let file = process.args().iter().map(|arg| arg.text.as_str()).find(|word| !word.starts_with('-'))?;
    let loaded = process.runner.look_up(process.scope, file)?;
    super::notes_remote(process, &loaded);
    let mut inner = process.scope.clone();
    let opened = process.runner.open_file(&mut inner, (loaded.file, ""))?;
    for line in lines(&loaded.text) {
        process.text_in(&inner, &line);
    }
    process.runner.close_file(&mut inner, &opened);
    Some(String::new())
}

/// The scripts of macOS: as an argument, from the input, or in a file.
fn scripted(process: &mut Process<'_>) -> Option<String> {
    let input = process.call.io.stdin.as_deref();
    let Some(script) = option(process.args(), "-e", "").or(input) else {
        return script_file(process, osascript);
    };
    let lines = osascript(script);
    for line in &lines {
        process.text(line);
    }
    (!lines.is_empty()).then(String::new)
}

/// Lines for a shell, and those that are typed into a terminal: Terminal's `do script`, iTerm's `write text`, keys.
fn osascript(script: &str) -> Vec<String> {
    ["do shell script ", "do script ", "write text ", "keystroke "]
        .iter()
        .flat_map(|orders| script.split(orders).skip(1))
        .filter_map(|rest| {
            let body = rest.trim_start().strip_prefix('"')?;
            let mut end = 0;
            let bytes = body.as_bytes();
            while end < bytes.len() && bytes[end] != b'"' {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            Some(body.get(..end)?.replace("\\\"", "\"").replace("\\\\", "\\"))
        })
        .collect()
}

/// The console of a web framework is its language's interpreter: `rails runner CODE`, `artisan tinker`,
/// `manage.py shell -c CODE`.
fn console(process: &mut Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    let args = process.args();
    let at = |words: &[&str]| args.iter().position(|arg| words.contains(&arg.text.as_str()));
    let stdin = || call.io.stdin.as_deref();
    let code = if name == "rails" {
        match at(&["runner", "r"]) {
            Some(at) => {
                let valued =
                    args.get(at + 1).is_some_and(|arg| matches!(arg.text.as_str(), "-e" | "--environment"));
                match args.get(at + 1 + 2 * usize::from(valued))?.text.as_str() {
                    "-" => stdin()?,
                    code => code,
                }
            }
            None => at(&["console", "c"]).and_then(|_| stdin())?,
        }
    } else if matches!(name, "wp" | "drush") {
        let at = at(&["eval", "php:eval", "php-eval", "ev"])?;
        args.get(at + 1)?.text.as_str()
    } else if matches!(name, "php" | "artisan" | "sail") {
        at(&["tinker"])?;
        option(args, "", "--execute").or_else(stdin)?
    } else {
        let shell = at(&["shell", "shell_plus"])?;
        if name.starts_with("python") && !args[..shell].iter().any(|arg| arg.text.ends_with("manage.py")) {
            return None;
        }
        option(&args[shell..], "-c", "--command").or_else(stdin)?
    };
    let interpreter = match name {
        "rails" => ["ruby", "-e"],
        "wp" | "drush" | "php" | "artisan" | "sail" => ["php", "-r"],
        _ => ["python3", "-c"],
    };
    // `rails runner FILE`
    let is_file = name == "rails" && process.runner.look_up(process.scope, code).is_some();
    let interpreter = if is_file { &interpreter[..1] } else { &interpreter[..] };
    let args = interpreter.iter().copied().chain([code]).map(Arg::from).collect::<Vec<_>>();
    Some(process.start(&args))
}

/// What a script in the server of Redis calls there: `redis-cli --eval FILE KEY , ARGUMENT`, `redis-cli eval "…" 0`.
fn lua_of_redis(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    let is_eval = |arg: &Arg| arg.text == "--eval" || arg.text.eq_ignore_ascii_case("eval");
    let at = args.iter().position(is_eval)?;
    let script = args.get(at + 1)?.text.as_str();
    let words: Vec<&str> = args[at + 2..].iter().map(|arg| arg.text.as_str()).collect();
    let is_file = args[at].text == "--eval";
    let loaded = if is_file {
        process.runner.look_up(process.scope, script)?
    } else {
        shell_engine::Loaded { text: script.into(), file: None }
    };
    let (keys, given) = match words.iter().position(|word| *word == ",") {
        Some(comma) if is_file => (&words[..comma], &words[comma + 1..]),
        _ if is_file => (words.as_slice(), &[][..]),
        _ => {
            let count = words.first().and_then(|count| count.parse().ok()).unwrap_or(0);
            words.get(1..).unwrap_or_default().split_at_checked(count).unwrap_or_default()
        }
    };
    let list = |words: &[&str]| words.iter().map(|word| format!("{word:?},")).collect::<String>();
    // A call there is a call of the client.
    let mut code = format!("KEYS = {{{}}} ARGV = {{{}}} ", list(keys), list(given));
    let mut rest = &*loaded.text;
    while let Some((before, name)) = rest.split_once("redis.") {
        code.push_str(before);
        let call = ["call(", "pcall("].iter().find_map(|call| name.strip_prefix(*call));
        let Some(body) = call else {
            code.push_str("redis.");
            rest = name;
            continue;
        };
        let end = super::project::closing(body, ('(', ')')).unwrap_or(body.len());
        let words =
            super::project::parts(&body[..end]).into_iter().map(|word| format!(" .. \" \" .. ({word})"));
        code.extend(["os.execute(\"redis-cli\"".to_owned(), words.collect()]);
        rest = &body[end..];
    }
    code.push_str(rest);
    let mut inner = process.scope.clone();
    let opened = process.runner.open_file(&mut inner, (loaded.file, ""))?;
    shell_interpreters::run_piece(&mut process.elsewhere(&mut inner), "lua", (&code, 0));
    process.runner.close_file(&mut inner, &opened);
    None
}

/// A script for a database that this command has written: to run it is to give its text as an argument.
fn database_script(process: &mut Process<'_>) -> Option<String> {
    let call = process.call;
    let files = call.args.iter().enumerate().skip(1);
    let files = files.map(|(at, arg)| (at, arg.text.rsplit('=').next().unwrap_or(&arg.text)));
    let (at, loaded) = files
        .filter(|(_, file)| file.contains('.'))
        .find_map(|(at, file)| Some((at, process.runner.load(process.scope, file)?)))?;
    let script = loaded.text;
    // A function that nothing calls does nothing.
    let script = match process.name {
        "mongosh" | "mongo" => shell_interpreters::without_unused(&script),
        _ => script.to_string(),
    };
    // Where it connects to stays.
    let is_file = |(place, arg): &(usize, &Arg)| {
        *place == at || *place + 1 == at && matches!(arg.text.as_str(), "-f" | "--file")
    };
    let others = call.args.iter().enumerate().filter(|one| !is_file(one)).map(|(_, arg)| arg.clone());
    let args: Vec<Arg> = others.chain(["--eval", &script].map(Arg::from)).collect();
    Some(process.start(&args))
}
