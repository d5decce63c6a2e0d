//! Programs that run a command on another machine, or at another time.

use shell_engine::{How, Io, Loaded, Place, Process, Runner, Scope, Script, Span};

use super::joined;

pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    let args = process.args();
    match name {
        "ssh" | "mosh" | "autossh" | "sshpass" => {
            // mosh starts ssh by a line of one's own.
            let own = super::options(args, "", "--ssh").filter(|_| name == "mosh");
            for line in ssh_lines(name, args).chain(own.filter(|line| line.contains(' '))) {
                process.text(line);
            }
            configured(process);
            let at = if name == "sshpass" {
                let at = args.iter().position(|arg| arg.text == "ssh")?;
                return Some(process.start(&args[at..]));
            } else {
                host_operand(args)?
            };
            let mut inner = process.scope.clone();
            if is_this_machine(&args[at].text) {
                inner.cwd = inner.home.clone();
            } else {
                inner.place = Place::Remote;
                // Folders of another machine are not ours: paths there stay as they are written.
                inner.home = "~".into();
                inner.cwd = "~".into();
            }
            let printed = shell_engine::mark::REMOTE.to_string();
            let rest = args.get(at + 1..).unwrap_or(&[]);
            // Options may also follow the host.
            let rest = host_operand(rest).map_or(&rest[..0], |at| &rest[at..]);
            if rest.is_empty() {
                // Without a command, the other side's shell reads our input.
                if let Some(script) = call.io.stdin.clone() {
                    process.runner.run_text(
                        &mut inner,
                        &Script::new(&script, Some((process.index, How::Input)), &Io::default()),
                    );
                }
                return Some(printed);
            }
            process.text_in(&inner, &joined(rest));
            Some(printed)
        }
        "scp" | "sftp" => {
            // `-S` names the program that makes the connection.
            let program = super::option(args, "-S", "").filter(|program| program.contains(['/', ' ']));
            for line in ssh_lines(name, args).chain(program) {
                process.text(line);
            }
            configured(process);
            None
        }
        "qsub" | "bsub" | "sbatch" if call.io.stdin.is_some() => {
            let script = call.io.stdin.clone()?;
            Some(process.runner.run_text(
                &mut process.scope.clone(),
                &Script::new(&script, Some((process.index, How::Input)), &Io::default()),
            ))
        }
        "pdsh" | "pssh" | "parallel-ssh" | "clush" | "dsh" | "prun" => {
            let mut inner = process.scope.clone();
            inner.place = Place::Remote;
            inner.home = "~".into();
            inner.cwd = "~".into();
            // Which words are the options' own differs from tool to tool: the last ones are the command.
            let at = args.iter().rposition(|arg| arg.text.starts_with('-')).map_or(0, |at| at + 1);
            // The last option may or may not take a value: both readings are run.
            for from in [at, at + 1] {
                process.text_in(&inner, &joined(args.get(from..).unwrap_or(&[])));
            }
            // Unquoted, the command has options of its own: the guess finds where it begins.
            None
        }
        "ansible" => {
            let line = super::option(args, "-a", "--args")?;
            let module = super::option(args, "-m", "--module-name").unwrap_or("command");
            let module = module.rsplit('.').next().unwrap_or(module);
            if !matches!(module, "command" | "shell" | "raw" | "script") {
                return None;
            }
            let mut inner = process.scope.clone();
            let local =
                |arg: &shell_engine::Arg| matches!(arg.text.as_str(), "localhost" | "127.0.0.1" | "local");
            if !args.iter().any(local) {
                inner.place = Place::Remote;
                inner.home = "~".into();
                inner.cwd = "~".into();
            }
            if module != "script" {
                return Some(process.text_in(&inner, line));
            }
            // It lies here and runs there.
            let mut words = line.split_whitespace();
            let loaded = process.runner.look_up(process.scope, words.next()?)?;
            inner.positional = Some(words.map(str::to_owned).collect());
            let opened = process.runner.open_file(&mut inner, (loaded.file, ""))?;
            let printed = process.text_in(&inner, &loaded.text);
            process.runner.close_file(&mut inner, &opened);
            Some(printed)
        }
        "heroku" | "dokku" | "fly" | "flyctl" | "gcloud" | "salt" | "aws" | "az" | "cf" | "eb"
        | "docker-machine" | "gh" => {
            let line = console_line(name, args)?;
            let mut inner = process.scope.clone();
            inner.place = Place::Remote;
            inner.home = "~".into();
            inner.cwd = "~".into();
            Some(process.text_in(&inner, &line))
        }
        "at" | "batch" => {
            let file = super::option(args, "-f", "");
            let file = file.and_then(|file| process.runner.load(process.scope, file));
            let script = file.or_else(|| Some(Loaded { text: call.io.stdin.clone()?, file: None }))?;
            let io = Io::default();
            let text = Script::new(&script.text, Some((process.index, How::Input)), &io);
            let run = |runner: &mut Runner, scope: &mut Scope| runner.run_text(scope, &text);
            process.runner.in_file(&mut process.scope.clone(), (script.file, ""), run)
        }
        // Its syntax is tested.
        "crontab" if args.iter().any(|arg| arg.text == "-T") => None,
        "crontab" => {
            let reads = args.is_empty() || args.iter().any(|arg| arg.text == "-");
            let table = if reads {
                Loaded { text: call.io.stdin.clone()?, file: None }
            } else {
                let user = super::option(args, "-u", "");
                let mut operands = args.iter().filter(|arg| !arg.text.starts_with('-'));
                let file = operands.find(|arg| Some(arg.text.as_str()) != user)?;
                process.runner.load(process.scope, &file.text)?
            };
            // `crontab - < FILE`
            let table = process.runner.fulfilled(process.scope, &table.text).unwrap_or(table);
            let mut inner = process.scope.clone();
            let opened = process.runner.open_file(&mut inner, (table.file, ""))?;
            let mut at = 0;
            for line in table.text.split_inclusive('\n') {
                // `NAME = value` holds for the lines below it.
                let set = line.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
                if let Some((name, value)) = set.filter(|(name, _)| shell_engine::text::is_name(name)) {
                    inner.set_text(name, value.trim_matches(['"', '\'']));
                    inner.export(name);
                } else if let Some(command) = shell_engine::scheduled(line, false) {
                    inner.origin = table.file.map(|_| Span::new(at, at)).or(inner.origin);
                    process.text_in(&inner, command);
                }
                at += line.len();
            }
            process.runner.close_file(&mut inner, &opened);
            Some(String::new())
        }
        "tmux" => tmux(process),
        "screen" => {
            settings(process);
            if let Some(at) = args.iter().position(|arg| arg.text == "stuff") {
                return Some(process.text(&joined(&args[at + 1..])));
            }
            let mut at = 0;
            while let Some(arg) = args.get(at)
                && arg.text.starts_with('-')
            {
                // `-dmS NAME`
                at += if arg.text.ends_with(['S', 'c', 'e', 'h', 'p', 's', 't', 'T']) { 2 } else { 1 };
            }
            Some(process.start(args.get(at..).unwrap_or(&[])))
        }
        _ => None,
    }
}

/// What a call of tmux does, one command after the other: `tmux new -d \; send-keys ls Enter`.
fn tmux(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    if !args.iter().any(|arg| arg.text == ";") {
        return tmux_command(process);
    }
    let mut printed = None;
    for part in args.split(|arg| arg.text == ";").filter(|part| !part.is_empty()) {
        let words: Vec<shell_engine::Arg> =
            std::iter::once(shell_engine::Arg::from("tmux")).chain(part.iter().cloned()).collect();
        let call = process.call.with_args(words);
        printed = tmux_command(&mut process.with(&call)).or(printed);
    }
    printed
}

/// What is started in a window of tmux, or typed into one.
fn tmux_command(process: &mut Process<'_>) -> Option<String> {
    settings(process);
    let args = process.args();
    // What a key is bound to runs when someone presses it.
    if args
        .first()
        .is_some_and(|arg| matches!(arg.text.as_str(), "bind" | "bind-key" | "unbind" | "unbind-key"))
    {
        return None;
    }
    let at = args.iter().position(|arg| {
        matches!(
            arg.text.as_str(),
            "new"
                | "new-session"
                | "neww"
                | "new-window"
                | "split-window"
                | "splitw"
                | "send-keys"
                | "send"
                | "run-shell"
                | "run"
                | "respawn-pane"
                | "if-shell"
                | "if"
                | "pipe-pane"
                | "display-popup"
                | "popup"
        )
    })?;
    let mut line = Vec::new();
    let mut rest = args[at + 1..].iter();
    while let Some(word) = rest.next() {
        match word.text.as_str() {
            // Typed as they are, keys have no names: `send-keys -l 'ls'`.
            "-l" if args[at].text.starts_with("send") => {}
            "-s" | "-n" | "-t" | "-c" | "-x" | "-y" | "-e" | "-F" | "-l" | "-d"
                if !flag_alone(&args[at].text, &word.text) =>
            {
                rest.next();
            }
            "Enter" | "C-m" | "KPEnter" => {}
            text if text.starts_with('-') => {}
            text => line.push(text.to_owned()),
        }
    }
    if matches!(args[at].text.as_str(), "if" | "if-shell") {
        // A test, which is a line unless it is a format, and commands of tmux.
        let is_format = args[at + 1..].iter().any(|arg| arg.text == "-F" || arg.text == "-bF");
        let mut lines = line.into_iter();
        if let Some(test) = lines.next().filter(|_| !is_format) {
            process.text(&test);
        }
        for line in lines {
            process.text(&format!("tmux {line}"));
        }
        return Some(String::new());
    }
    Some(process.text(&line.join(" ")))
}

/// Whether a letter is a switch of this command of tmux's, though it takes a value elsewhere.
fn flag_alone(command: &str, flag: &str) -> bool {
    let takes = match flag {
        "-d" => matches!(command, "run-shell" | "run" | "display-popup" | "popup"),
        "-c" => !matches!(command, "send-keys" | "send" | "pipe-pane"),
        "-F" => !matches!(command, "if-shell" | "if" | "send-keys" | "send"),
        "-l" => matches!(command, "split-window" | "splitw"),
        _ => true,
    };
    !takes
}

/// Runs what a file of settings starts: `tmux source-file FILE`, `tmux -f FILE`, `screen -c FILE`.
fn settings(process: &mut Process<'_>) -> Option<()> {
    let file = settings_of(process.name, process.args())?;
    let loaded = process.runner.look_up(process.scope, file)?;
    let mut inner = process.scope.clone();
    let opened = process.runner.open_file(&mut inner, (loaded.file, ""))?;
    // A backslash continues a line.
    let whole = loaded.text.replace("\\\n", "  ");
    for line in whole.lines().map(str::trim).filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let order = line.split(' ').next().unwrap_or("");
        if process.name == "tmux" {
            process.text_in(&inner, &format!("tmux {line}"));
        } else if matches!(order, "exec" | "screen") {
            process.text_in(&inner, line[order.len()..].trim_start_matches([' ', '.', '!', '|']));
        }
    }
    process.runner.close_file(&mut inner, &opened);
    Some(())
}

/// The file of settings that a call names.
fn settings_of<'a>(name: &str, args: &'a [shell_engine::Arg]) -> Option<&'a str> {
    let orders: &[&str] = if name == "tmux" { &["source-file", "source", "-f"] } else { &["-c"] };
    let at = args.iter().position(|arg| orders.contains(&arg.text.as_str()))?;
    // `new-session -c FOLDER`, `new-session -f FLAGS`
    // `-dmS NAME`: the name of a session comes after the last letter.
    let names =
        |before: usize| args[before].text.starts_with('-') && args[before].text.ends_with(['S', 'L', 't']);
    let is_own = (0..at).all(|at| args[at].text.starts_with('-') || at > 0 && names(at - 1));
    let file = args[at + 1..].iter().map(|arg| arg.text.as_str()).find(|word| !word.starts_with('-'));
    file.filter(|_| is_own)
}

/// The command line that a cloud's own tool runs on a machine there.
fn console_line(name: &str, args: &[shell_engine::Arg]) -> Option<String> {
    let after = |words: &[&str]| {
        let at = args.iter().position(|arg| words.contains(&arg.text.as_str()))?;
        args.get(at + 1..)
    };
    let operands = |args: &[shell_engine::Arg], skip: usize| {
        let words: Vec<&str> =
            args.iter().map(|arg| arg.text.as_str()).filter(|text| !text.starts_with('-')).collect();
        words.get(skip..).map(|words| words.join(" "))
    };
    match name {
        "heroku" => operands(after(&["run", "run:detached"])?, 0),
        "dokku" => operands(after(&["run", "enter"])?, 1),
        "docker-machine" => operands(after(&["ssh"])?, 1),
        "gh" if args.first()?.text == "codespace" => operands(after(&["ssh"])?, 0),
        "salt" => operands(after(&["cmd.run", "cmd.shell"])?, 0),
        "fly" | "flyctl" => super::option(after(&["ssh"])?, "-C", "--command").map(str::to_owned),
        "gcloud" => super::option(after(&["ssh"])?, "", "--command").map(str::to_owned),
        "cf" | "eb" => super::option(after(&["ssh"])?, "-c", "--command").map(str::to_owned),
        "az" => super::option(after(&["run-command"])?, "", "--scripts").map(str::to_owned),
        "aws" => {
            let parameters = super::option(after(&["send-command", "start-session"])?, "", "--parameters")?;
            // `commands` of a command, `command` of a session.
            let (name, line) = parameters.split_once('=')?;
            name.starts_with("command").then_some(())?;
            Some(line.trim_matches(['[', ']', '"', '\'']).to_owned())
        }
        _ => None,
    }
    .filter(|line| !line.is_empty())
}

/// Command lines in the options of OpenSSH's programs, which run on this side.
fn ssh_lines<'a>(name: &str, args: &'a [shell_engine::Arg]) -> impl Iterator<Item = &'a str> {
    super::bundled(name, args, 'o', "").into_iter().filter_map(ssh_line)
}

/// Runs the command lines of the file of settings that `-F` names.
fn configured(process: &mut Process<'_>) {
    for file in super::bundled(process.name, process.args(), 'F', "") {
        let Some(settings) = super::script_at(process, file) else { continue };
        for line in settings.lines().filter_map(|line| ssh_line(line.trim_start())) {
            process.text(line);
        }
    }
}

/// The command line of a setting of OpenSSH's: `ProxyCommand=LINE`, `Match exec "LINE"`.
fn ssh_line(setting: &str) -> Option<&str> {
    let (name, line) = setting.split_once(['=', ' ', '\t'])?;
    if name.eq_ignore_ascii_case("Match") {
        return line.split_once("exec ")?.1.trim_start().strip_prefix('"')?.split('"').next();
    }
    let runs = ["ProxyCommand", "LocalCommand", "KnownHostsCommand"];
    runs.iter()
        .any(|known| known.eq_ignore_ascii_case(name.trim()))
        .then(|| line.trim_start_matches([' ', '=', ';']))
}

/// Whether `user@host` is the machine itself.
fn is_this_machine(host: &str) -> bool {
    let host = host.strip_prefix("ssh://").unwrap_or(host);
    let host = host.rsplit('@').next().unwrap_or(host);
    matches!(host, "localhost" | "127.0.0.1" | "::1" | "[::1]" | "0.0.0.0" | "localhost.localdomain")
}

/// Where the host stands in ssh's arguments (OpenSSH 9).
fn host_operand(args: &[shell_engine::Arg]) -> Option<usize> {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let Some(short) = arg.text.strip_prefix('-') else { return Some(at) };
        let takes = short
            .find(|c| "BbcDEeFIiJLlmOoPpQRSWw".contains(c))
            .is_some_and(|found| found + 1 == short.len());
        at += if takes { 2 } else { 1 };
    }
    None
}
