//! Tools with an option, or an operand, that holds a command line.

use shell_engine::{Arg, Process, program_name};

use super::{QUOTES, options, quoted};

/// The options of a tool whose values are command lines, separated by blanks.
///
/// From the manual pages of coreutils 9, tcpdump 4.99, `OpenVPN` 2.6, ppp 2.5, Slurm 23, Subversion 1.14, LVM2 and
/// the tools' own `--help`.
fn line_options(name: &str) -> Option<&'static str> {
    Some(match name {
        "man" => "-P --pager",
        "zip" => "-TT --unzip-command",
        "nix-shell" => "--run --command",
        "hyperfine" => "-p --prepare -s --setup -c --cleanup --conclude",
        "split" => "--filter",
        "sort" => "--compress-program",
        "tcpdump" => "-z",
        "svn" => "--diff-cmd --diff3-cmd --editor-cmd",
        "openvpn" => {
            "--up --down --route-up --route-pre-down --client-connect --client-disconnect --learn-address --tls-verify --auth-user-pass-verify --ipchange"
        }
        "pppd" => "pty connect disconnect init",
        "sbatch" => "--wrap",
        "dmsetup" => "--exec",
        "cargo-watch" => "-s --shell",
        "gksu" | "gksudo" | "kdesu" | "kdesudo" | "beesu" => "-c --command",
        // Only their operands are lines.
        "concurrently" | "pee" | "mispipe" | "npm-run-all" | "pm2" | "meta" | "gita" | "xdotool"
        | "ydotool" | "wtype" | "dotool" => "",
        _ => return None,
    })
}

/// How many words stand in front of a tool's operands, if those are command lines.
fn line_operands(name: &str, args: &[Arg]) -> Option<usize> {
    let first = args.first().map_or("", |arg| arg.text.as_str());
    match name {
        "hyperfine" | "concurrently" | "pee" | "mispipe" | "gksu" | "gksudo" | "kdesu" | "kdesudo"
        | "beesu" | "npm-run-all" => Some(0),
        "pm2" => (first == "start").then_some(1),
        // What is typed for someone else: a terminal runs it as a line.
        "xdotool" | "ydotool" => (first == "type").then_some(1),
        "wtype" | "dotool" => Some(0),
        "meta" => (first == "exec").then_some(1),
        "gita" => (first == "shell").then_some(1),
        _ => None,
    }
}

/// Options whose values are command lines, of tools that do more than run them.
fn side_options(name: &str) -> Option<&'static str> {
    Some(match name {
        "go" => "-exec",
        "wget" => "--use-askpass",
        "nodemon" => "--exec",
        "npm" | "pnpm" => "--script-shell",
        _ => return None,
    })
}

/// `gh alias set NAME LINE`, and what stands for that line from then on.
fn forge(process: &mut Process<'_>) -> Option<String> {
    let (name, args) = (process.name, process.args());
    let words: Vec<&str> =
        args.iter().map(|arg| arg.text.as_str()).filter(|text| !text.starts_with('-')).collect();
    if let ["alias", "set", alias, line, ..] = words.as_slice() {
        // An alias is run by whoever says its name; `!` and `--shell` make it a line for the shell.
        let is_line =
            line.starts_with('!') || args.iter().any(|arg| matches!(arg.text.as_str(), "-s" | "--shell"));
        let own = line.trim_start_matches('!');
        let own = if is_line { own.to_owned() } else { format!("{name} {own}") };
        process.scope.set_alias(&format!("{name} {alias}"), &own);
        if is_line {
            process.text(&own);
        }
        return None;
    }
    let line = process.scope.alias(&format!("{name} {}", words.first()?))?.to_owned();
    let line = format!("{line} {}", quoted(args.get(1..).unwrap_or_default()));
    Some(process.text(&line))
}

/// A setting of cargo that names a program: `--config 'target.x.runner="LINE"'`.
fn cargo_setting(setting: &str) -> Option<&str> {
    let (name, value) = setting.split_once('=')?;
    let name = name.trim().rsplit('.').next()?;
    matches!(name, "runner" | "linker" | "rustc" | "rustc-wrapper" | "rustc-workspace-wrapper")
        .then(|| value.trim().trim_matches(QUOTES))
}

/// Runs the lines in the options of a tool that does more than run them.
pub(super) fn beside(process: &mut Process<'_>) {
    let Some(flag) = side_options(process.name) else { return };
    let (short, long) = if flag.starts_with("--") { ("", flag) } else { (flag, "") };
    for line in options(process.args(), short, long) {
        process.text(line);
    }
}

pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let name = process.name;
    let args = process.args();
    if matches!(name, "npm" | "pnpm")
        && let [config, set, name, line, ..] = args
        && config.text == "config"
        && set.text == "set"
        && name.text == "script-shell"
    {
        process.text(&line.text);
    }
    if side_options(name).is_some() {
        if !matches!(name, "npm" | "pnpm") {
            beside(process);
        }
        return None;
    }
    match name {
        "cmake" => return cmake(process),
        "flatpak" => return flatpak(process),
        // `-o DPkg::Pre-Invoke=…` runs before the packages do anything.
        "apt" | "apt-get" | "aptitude" | "dpkg" => {
            for line in package_hooks(args) {
                process.text(line);
            }
            return None;
        }
        "jj" => return jj(process),
        "hg" | "chg" | "rhg" | "sl" => {
            for line in options(args, "", "--config").filter_map(mercurial_setting) {
                process.text(line);
            }
            return None;
        }
        "cargo" => {
            for line in options(args, "", "--config").filter_map(cargo_setting) {
                process.text(line);
            }
        }
        "gh" | "glab" => return forge(process),
        "socat" => {
            for line in args.iter().filter_map(|arg| socat_line(&arg.text)) {
                process.text(line);
            }
            return None;
        }
        _ => {}
    }
    // cargo's sub-commands are programs of their own.
    let watches = name == "cargo" && args.first().is_some_and(|arg| arg.text == "watch");
    let flags = line_options(if watches { "cargo-watch" } else { name })?;
    let operands = line_operands(name, args);
    let mut lines: Vec<&str> = Vec::new();
    for flag in flags.split(' ').filter(|flag| !flag.is_empty()) {
        let (short, long) = if flag.starts_with("--") { ("", flag) } else { (flag, "") };
        lines.extend(options(args, short, long));
    }
    if name == "zip" {
        lines.extend(args.iter().filter_map(|arg| arg.text.strip_prefix("-TT=")));
    }
    if let Some(skipped) = operands {
        let words = args.iter().skip(skipped).map(|arg| arg.text.as_str());
        lines.extend(words.filter(|word| !word.starts_with('-')));
    }
    if lines.is_empty() {
        return None;
    }
    for line in &lines {
        // `concurrently npm:build`, `"npm:watch-*"`: scripts of the project.
        match line.split_once(':').filter(|(manager, _)| name == "concurrently" && is_manager(manager)) {
            Some((_, script)) => _ = process.start(&["npm-run-all", script].map(Arg::from)),
            None => _ = process.text(line),
        }
    }
    // pm2 also starts the scripts that it is given.
    (name != "pm2").then(String::new)
}

fn is_manager(name: &str) -> bool {
    matches!(name, "npm" | "pnpm" | "yarn" | "bun")
}

/// `cmake -E TOOL …` is a set of small tools, and some of them start a program.
fn cmake(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    let at = args.iter().position(|arg| arg.text == "-E")?;
    let rest = args.get(at + 2..)?;
    let tool = match args[at + 1].text.as_str() {
        "rm" | "remove" => "rm",
        "remove_directory" => "rm -r -f",
        "env" => "env",
        "chdir" => "env -C",
        "time" => "time",
        "copy" | "copy_directory" | "copy_if_different" => "cp -r",
        "rename" => "mv",
        _ => return None,
    };
    let inner: Vec<Arg> = tool.split(' ').map(Arg::from).chain(rest.iter().cloned()).collect();
    Some(process.start(&inner))
}

/// `flatpak run --command=PROGRAM APPLICATION ARGUMENT…`
fn flatpak(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    let program = super::option(args, "", "--command")?;
    let at = args.iter().rposition(|arg| arg.text.starts_with("--command"))? + 1;
    // After the options comes the application.
    let behind = args.get(at..)?;
    let application = behind.iter().position(|arg| !arg.text.starts_with('-'))?;
    let mut inner = vec![Arg::from(program)];
    inner.extend(behind.get(application + 1..)?.iter().cloned());
    Some(process.start(&inner))
}

/// `apt-get -o APT::Update::Pre-Invoke::=LINE`, `dpkg --pre-invoke=LINE`
fn package_hooks(args: &[Arg]) -> impl Iterator<Item = &str> {
    let settings = options(args, "-o", "--option").filter_map(|setting| {
        let (name, line) = setting.split_once('=')?;
        name.to_ascii_lowercase().contains("-invoke").then_some(line)
    });
    settings.chain(options(args, "", "--pre-invoke")).chain(options(args, "", "--post-invoke"))
}

/// The command line in socat's address `EXEC:LINE,option` or `SYSTEM:LINE`.
fn socat_line(address: &str) -> Option<&str> {
    let (kind, line) = address.split_once(':')?;
    matches!(kind.to_ascii_uppercase().as_str(), "EXEC" | "SYSTEM" | "SHELL")
        .then(|| line.split(',').next().unwrap_or(line))
}

/// Runs what Jujutsu starts: `jj util exec -- PROGRAM`, and what its settings name.
fn jj(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    for setting in options(args, "", "--config") {
        jj_setting(process, setting);
    }
    let words: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).collect();
    if let ["config", "set", .., name, value] = words.as_slice() {
        jj_setting(process, &format!("{name}={value}"));
    }
    let at = args.windows(2).position(|pair| pair[0].text == "util" && pair[1].text == "exec")?;
    let rest = args.get(at + 2..)?;
    let own = rest.iter().take_while(|arg| arg.text.starts_with('-') && arg.text != "--").count();
    let program = rest.get(own..)?;
    Some(process.start(program.strip_prefix(&[Arg::from("--")]).unwrap_or(program)))
}

/// Runs the program that a setting of Jujutsu's names: `ui.pager=["less", "-F"]`, `aliases.x=["util", "exec", …]`.
fn jj_setting(process: &mut Process<'_>, setting: &str) {
    let Some((name, value)) = setting.split_once('=') else { return };
    let (name, value) = (name.trim(), value.trim());
    let mut parts = name.split('.');
    let (section, last) = (parts.next().unwrap_or(""), parts.next_back().unwrap_or(""));
    let is_alias = section == "aliases";
    if !is_alias
        && !matches!(
            last,
            "pager" | "editor" | "diff-editor" | "merge-editor" | "formatter" | "program" | "command"
        )
        && !matches!(last, "diff-formatter" | "executable-path")
    {
        return;
    }
    if !value.starts_with('[') {
        process.text(value.trim_matches(QUOTES));
        return;
    }
    // A list of TOML: every other piece stands between two quotes.
    let words = value.split(QUOTES).skip(1).step_by(2).map(Arg::from);
    let words: Vec<Arg> = is_alias.then(|| Arg::from("jj")).into_iter().chain(words).collect();
    process.start(&words);
}

/// The command line in `--config alias.x='!LINE'` or `--config hooks.x=LINE`.
fn mercurial_setting(setting: &str) -> Option<&str> {
    let (name, value) = setting.split_once('=')?;
    match program_name(name).split('.').next() {
        Some("alias") => value.strip_prefix('!'),
        Some("hooks" | "merge-tools" | "extdiff") => Some(value),
        _ => (name == "ui.ssh" || name == "ui.editor").then_some(value),
    }
}
