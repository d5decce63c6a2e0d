//! Everyday tools that can also run a command: tar, rsync, editors, debuggers.

use shell_engine::{Arg, How, Io, Process, Scope, Script, mark};
use shell_windows::slashes;

use super::{code, joined, lines, option, options, project, quoted};

/// Modules that are programs of their own as well, whose files are read.
fn is_tool_of_python(module: &str) -> bool {
    matches!(module, "tox" | "nox" | "poethepoet" | "pytest" | "invoke")
}

pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    let args = process.args();
    let lines: Vec<String> = match name {
        "patch" | "gpatch" | "apply_patch" | "applypatch" => {
            // A patch may come from a file: it is read, so that rules can look into it.
            reads_file(process, &process.scope.clone(), args);
            return None;
        }
        "rake" if let Some(code) = option(args, "-e", "--execute") => {
            return Some(process.start(&["ruby", "-e", code].map(Arg::from)));
        }
        // Both run node as it is set up for the project.
        "yarn" | "pnpm" if args.first().is_some_and(|arg| arg.text == "node") => {
            return Some(process.start(args));
        }
        // A script of the project.
        "node" | "nodejs" if args.iter().any(|arg| arg.text == "--run") => return project::script(process),
        "deno" if args.first().is_some_and(|arg| arg.text == "task") => return project::deno_task(process),
        // `python3 -m tox -e clean` is `tox -e clean`.
        "python" | "python3" if let Some(at) = args.iter().position(|arg| is_tool_of_python(&arg.text)) => {
            args.get(at.checked_sub(1)?).filter(|arg| arg.text == "-m")?;
            return Some(process.start(&args[at..]));
        }
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
        "nvim" if let Some(at) = args.iter().position(|arg| arg.text == "-l") => {
            // Its Lua runs without an editor: `nvim -l FILE`, `nvim -l -`.
            let lua: Vec<Arg> = [Arg::from("lua")].iter().chain(&args[at + 1..]).cloned().collect();
            return Some(process.start(&lua));
        }
        "vim" | "vi" | "nvim" | "ex" | "view" | "vimdiff" | "gvim" => {
            vim_script(process);
            vim(process)
        }
        "m4" | "gm4" => code::m4(process),
        "rpm" | "rpmspec" | "rpmbuild" => code::rpm(args),
        "dc" => code::dc(process),
        "fzf" | "sk" => code::fzf(args),
        "deno" if let Some(package) = registry_package(args) => {
            return Some(process.start(&super::packaged(package)));
        }
        "podman" if args.first().is_some_and(|arg| arg.text == "unshare") => {
            // In a user namespace of its own, but with the files of this machine.
            let own = args.iter().skip(1).take_while(|arg| arg.text.starts_with('-')).count();
            return Some(process.start(args.get(1 + own..)?));
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
        // zsh's own, of `zmodload zsh/files`.
        "zf_rm" | "zf_rmdir" | "zf_mv" | "zf_ln" | "zf_chmod" | "zf_chown" | "zf_chgrp" => {
            let inner: Vec<Arg> =
                std::iter::once(Arg::from(&name[3..])).chain(args.iter().cloned()).collect();
            return Some(process.start(&inner));
        }
        "systemd-tmpfiles" if args.iter().any(|arg| arg.text == "--remove") => tmpfiles(process),
        "gcc" | "g++" | "cc" | "c++" | "clang" | "clang++" => compiler(process),
        "gdb" | "lldb" => debugger(process, args),
        "osascript" => return scripted(process),
        // They put secrets into the environment of the program after `--`.
        "op" | "doppler" | "infisical" | "dotenvx" | "aws-vault" | "chamber" | "teller" | "granted"
        | "zellij" | "wezterm" => {
            let at = args.iter().position(|arg| arg.text == "--")?;
            return Some(process.start(&args[at + 1..]));
        }
        "corepack" => return Some(process.start(args)),
        "sops" => {
            // `sops exec-env FILE 'command line'`
            let at = args.iter().position(|arg| matches!(arg.text.as_str(), "exec-env" | "exec-file"))?;
            args.get(at + 2).map(|arg| arg.text.clone()).into_iter().collect()
        }
        "nix" if args.iter().any(|arg| arg.text == "run") => {
            // `nix run nixpkgs#bash -- -c LINE` starts the program of that name.
            let at = args.iter().position(|arg| arg.text == "--")?;
            let package = args[..at].iter().rev().find_map(|arg| arg.text.split_once('#'))?.1;
            let program = [Arg::from(package.rsplit('.').next().unwrap_or(package))];
            return Some(process.start(&[&program, &args[at + 1..]].concat()));
        }
        "nix" => {
            let at = args.iter().position(|arg| matches!(arg.text.as_str(), "-c" | "--command"))?;
            return Some(process.start(&args[at + 1..]));
        }
        "start-stop-daemon" | "daemonize" => {
            // What follows `--` are the program's arguments.
            let program = option(args, "-x", "--exec").or_else(|| option(args, "-a", "--startas"))?;
            let rest = args.iter().position(|arg| arg.text == "--").map_or(&args[..0], |at| &args[at + 1..]);
            let mut inner = vec![Arg::from(program)];
            inner.extend_from_slice(rest);
            return Some(process.start(&inner));
        }
        "sshd" | "ssh-agent" => {
            let at = args.iter().position(|arg| !arg.text.starts_with('-'))?;
            return Some(process.start(&args[at..]));
        }
        "certutil" => return certutil(process, args),
        "wp" | "drush" | "rails" | "php" | "artisan" | "sail" | "manage.py" | "django-admin" | "python"
        | "python3" => {
            return console(process);
        }
        "mongosh" | "mongo" | "cypher-shell" => return database_script(process),
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
    let file = option(args, "-f", "--file").and_then(|file| super::script_at(process, file));
    let words = args.iter().map(|arg| arg.text.as_str()).filter(|text| !text.starts_with('-'));
    let glued = args
        .iter()
        .filter_map(|arg| arg.text.strip_prefix("--expression=").or_else(|| arg.text.strip_prefix("-e")));
    for script in words.chain(glued).chain(file.as_deref()) {
        // What the commands so far make of the input.
        let mut before = String::new();
        for command in script.split(['\n', ';']) {
            let body = command
                .trim_start()
                .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '$' | ',' | ' ' | '{' | '!'));
            if let Some(line) = body.strip_prefix("e ") {
                lines.push(line.to_owned());
            } else if body.trim_end() == "e" {
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

fn vim(process: &mut Process<'_>) -> Vec<String> {
    let (args, call) = (process.args(), process.call);
    let mut lines = Vec::new();
    let takes = |at: usize| matches!(args[at].text.as_str(), "-c" | "-s" | "-u" | "--cmd" | "-S" | "-i");
    let is_opened = |(at, word): &(usize, &Arg)| {
        !word.text.starts_with(['-', '+']) && !at.checked_sub(1).is_some_and(takes)
    };
    let opened = args.iter().enumerate().find(is_opened).map(|(_, word)| word.text.as_str());
    let mut set: Vec<(String, String)> = Vec::new();
    let mut words = args.iter();
    while let Some(arg) = words.next() {
        let text = arg.text.as_str();
        let command = match text {
            "-c" | "--cmd" | "-sc" | "-esc" | "-Esc" => words.next().map(|arg| arg.text.as_str()),
            _ => text.strip_prefix('+').or_else(|| text.strip_prefix("-c")),
        };
        for command in command.into_iter().flat_map(|command| command.split(" | ")) {
            let command = expanded_by_vim(process, command);
            let command = executed_by_vim(&command, &mut set).unwrap_or(command);
            written_by_vim(process, &command);
            let writes = command.trim_start_matches([':', ' ', '%']);
            let reader = ["w !", "write !"].iter().find_map(|prefix| writes.strip_prefix(prefix));
            match (reader, opened) {
                // It reads what was opened.
                (Some(reader), Some(file)) => {
                    lines.push(format!("cat {} | {reader}", quoted(&[Arg::from(file)])));
                }
                _ => lines.extend(started_by_vim(&command)),
            }
        }
    }
    lines.extend(call.io.stdin.as_deref().map(bang_lines).unwrap_or_default());
    lines
}

/// A command of vim's with the home folder in the place of what stands for it.
fn expanded_by_vim(process: &Process<'_>, command: &str) -> String {
    if !command.contains("expand(") && !command.contains("$HOME") {
        return command.to_owned();
    }
    let home = format!("'{}'", process.scope.home);
    let mut command = command.to_owned();
    for written in ["~", "$HOME"] {
        for quote in ["\"", "'"] {
            command = command.replace(&format!("expand({quote}{written}{quote})"), &home);
        }
    }
    command.replace("delete($HOME", &format!("delete({home}"))
}

/// The command that `exe "!" . @a` makes, from strings and from what `let` has set.
fn executed_by_vim(command: &str, set: &mut Vec<(String, String)>) -> Option<String> {
    let command = command.trim_start_matches([':', ' ']);
    let value = |expression: &str, set: &[(String, String)]| -> Option<String> {
        let mut value = String::new();
        let mut rest = expression.trim();
        while let Some(first) = rest.chars().next() {
            match first {
                '"' | '\'' => {
                    let (text, after) = rest[1..].split_once(first)?;
                    value.push_str(text);
                    rest = after.trim_start();
                }
                '.' | ' ' => rest = rest.trim_start_matches(['.', ' ']),
                _ => {
                    let end = rest.find(['.', ' ']).unwrap_or(rest.len());
                    value.push_str(&set.iter().rev().find(|(name, _)| *name == rest[..end])?.1);
                    rest = &rest[end..];
                }
            }
        }
        Some(value)
    };
    if let Some((name, expression)) = command.strip_prefix("let ").and_then(|rest| rest.split_once('=')) {
        let value = value(expression, set)?;
        set.push((name.trim().to_owned(), value));
        return None;
    }
    let expression = ["execute ", "exe ", "exec "].iter().find_map(|verb| command.strip_prefix(verb))?;
    value(expression, set)
}

/// Remembers what `writefile(["LINE"], "FILE")` leaves.
fn written_by_vim(process: &mut Process<'_>, command: &str) {
    let Some((_, rest)) = command.split_once("writefile([") else { return };
    let Some((lines, rest)) = rest.split_once(']') else { return };
    // Every other piece stands between two quotes.
    let strings =
        |text: &str| text.split(['"', '\'']).skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    if let Some(file) = strings(rest).first() {
        process.runner.put_file(process.scope, file, &(strings(lines).join("\n") + "\n"));
    }
}

/// What a command of vim's starts, as a line for a shell.
fn started_by_vim(command: &str) -> Option<String> {
    let command = command.trim_start_matches([':', ' ', '%']);
    let starts =
        ["!", "silent !", "silent! !", "sil !", "terminal ", "term ", "r !", "read !", "w !", "write !"];
    if let Some(line) = starts.iter().find_map(|prefix| command.strip_prefix(prefix)) {
        return Some(line.to_owned());
    }
    if let Some(code) = code_of(command) {
        return Some(code);
    }
    if let Some((_, line)) = command.split_once("system(") {
        let line = line.trim_matches(['\'', '"', ')', ' ']);
        // `system("rm " . name)`: what is joined is not known.
        return Some(match line.split_once(['"', '\'']) {
            Some((before, rest)) if rest.trim_start().starts_with('.') => {
                format!("{before}{}", mark::UNKNOWN)
            }
            _ => line.to_owned(),
        });
    }
    if command.contains("delete(v:val") {
        // `call map(glob("/x/*", 0, 1), "delete(v:val)")`: all that the paths stand for.
        let paths = command.split(['"', '\'']).skip(1).step_by(2).filter(|text| text.starts_with(['/', '~']));
        let paths: Vec<&str> = paths.collect();
        return (!paths.is_empty()).then(|| format!("rm -r -f -- {}", paths.join(" ")));
    }
    // `call delete("x", "rf")`
    let (_, path) = command.split_once("delete(")?;
    let quote = path.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (path, flags) = path[1..].split_once(quote)?;
    let delete = if flags.contains("rf") { "-rf" } else { "-f" };
    Some(quoted(&["rm", delete, path].map(Arg::from)))
}

/// An editor's command that holds code of another language, as a command line for its interpreter.
fn code_of(command: &str) -> Option<String> {
    let (word, code) = command.split_once(char::is_whitespace)?;
    let (interpreter, code) = match word {
        "lua" => ("lua -e", code.to_owned()),
        // The last is lldb's.
        "py" | "py3" | "python" | "python3" | "pyx" | "pythonx" | "script" => ("python3 -c", code.to_owned()),
        "perl" => ("perl -e", code.to_owned()),
        "ruby" => ("ruby -e", code.to_owned()),
        // What vim calls itself is what neovim's Lua calls `vim.fn`.
        "call" | "cal" | "echo" | "eval" if code.trim_start().starts_with("delete(") => {
            ("lua -e", format!("vim.fn.{}", code.trim_start()))
        }
        "call" | "cal" | "echo" | "eval" | "let" => return started_job(code),
        _ => return None,
    };
    Some(format!("{interpreter} '{}'", code.replace('\'', r"'\''")))
}

/// The line of a job that an editor starts: `call jobstart("LINE")`, `call job_start(["rm", "x"])`.
fn started_job(code: &str) -> Option<String> {
    let starts = ["job_start(", "jobstart(", "term_start(", "termopen(", "systemlist("];
    let (_, rest) = starts.iter().find_map(|start| code.split_once(start))?;
    // Every other piece stands between two quotes.
    let words: Vec<Arg> = rest.split(['"', '\'']).skip(1).step_by(2).map(Arg::from).collect();
    Some(if rest.trim_start().starts_with('[') { quoted(&words) } else { words.first()?.text.clone() })
}

/// Lines of an editor's script that begin with `!`.
fn bang_lines(script: &str) -> Vec<String> {
    script
        .lines()
        .filter_map(|line| line.trim().trim_start_matches(':').strip_prefix('!'))
        .map(str::to_owned)
        .collect()
}

fn debugger(process: &mut Process<'_>, args: &[Arg]) -> Vec<String> {
    let script = option(args, "-x", "--command").and_then(|file| super::script_at(process, file));
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

/// Runs the lines that start something in the script of an editor, or of a program like it: `vim -S FILE`,
/// `vim -c 'source FILE'`.
fn editor_script(process: &mut Process<'_>, lines: impl Fn(&str) -> Vec<String>) -> Option<String> {
    let args = process.args();
    let edits = matches!(process.name, "vim" | "vi" | "nvim" | "ex" | "view" | "vimdiff" | "gvim");
    let named = ["-S", "-u", "-f"].iter().find_map(|name| option(args, name, ""));
    let sourced = || {
        let commands = args.iter().map(|arg| arg.text.trim_start_matches(['+', ':']));
        commands
            .filter_map(|command| command.split_once(' '))
            .find_map(|(verb, file)| matches!(verb, "so" | "source" | "luafile").then(|| file.trim()))
    };
    let first = || args.iter().map(|arg| arg.text.as_str()).find(|word| !word.starts_with('-'));
    let file = named.or_else(sourced).or_else(|| first().filter(|_| !edits))?;
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

/// Runs the lines of a script of vim's: each may have several commands.
fn vim_script(process: &mut Process<'_>) {
    let args = process.args();
    if let Some(script) = option(args, "-S", "").and_then(|file| process.runner.file_at(process.scope, file))
    {
        let commands = script.lines().flat_map(|line| line.split(" | "));
        commands.for_each(|command| written_by_vim(process, command));
    }
    editor_script(process, |script| {
        script
            .lines()
            .flat_map(|line| line.split(" | "))
            .filter_map(|line| started_by_vim(line.trim()))
            .collect()
    });
}

/// The scripts of macOS: as an argument, from the input, or in a file.
fn scripted(process: &mut Process<'_>) -> Option<String> {
    let input = process.call.io.stdin.as_deref();
    let Some(script) = option(process.args(), "-e", "").or(input) else {
        return editor_script(process, osascript);
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

/// A script for a database that this command has written: to run it is to give its text as an argument.
fn database_script(process: &mut Process<'_>) -> Option<String> {
    let call = process.call;
    let files = call.args[1..].iter().map(|arg| arg.text.rsplit('=').next().unwrap_or(&arg.text));
    let script = files
        .filter(|file| file.contains('.'))
        .find_map(|file| process.runner.load(process.scope, file))?
        .text;
    let args = [call.args[0].text.as_str(), "--eval", &script].map(Arg::from).to_vec();
    Some(process.start(&args))
}
