//! git runs other programs: aliases, pagers, hooks of a rebase, bisect and submodules.

use shell_engine::{Arg, Process, Scope};

use super::project::repository;
use super::{joined, quoted};

/// Whether the value of a git setting is a command line. The last part of the name is compared without case.
fn holds_command(setting: &str) -> bool {
    let Some((section, rest)) = setting.split_once('.') else { return false };
    // A part in the middle is a name that someone chose: `filter.lfs.clean`.
    let key = rest.rsplit('.').next().unwrap_or(rest);
    match section {
        "core" => matches!(
            key,
            "pager" | "editor" | "sshcommand" | "askpass" | "fsmonitor" | "gitproxy" | "alternaterefscommand"
        ),
        "sequence" => key == "editor",
        "diff" => matches!(key, "external" | "textconv" | "command"),
        "merge" => matches!(key, "tool" | "driver"),
        "filter" => matches!(key, "clean" | "smudge" | "process"),
        "trailer" => matches!(key, "command" | "cmd"),
        "credential" => key == "helper",
        "gpg" => key == "program",
        "interactive" => key == "difffilter",
        "mergetool" | "difftool" | "guitool" | "browser" | "man" => key == "cmd",
        "remote" => matches!(key, "uploadpack" | "receivepack"),
        "sendemail" => matches!(key, "tocmd" | "cccmd" | "headercmd" | "sendmailcmd"),
        "uploadpack" => key == "packobjectshook",
        "tar" | "hook" => key == "command",
        "imap" => key == "tunnel",
        "pager" => true,
        _ => false,
    }
}

/// What `git push` means by a setting such as `remote.origin.push = +main`, or `remote.origin.mirror = true`.
fn pushed_by(name: &str, value: &str) -> Option<String> {
    let (remote, what) = name.strip_prefix("remote.")?.rsplit_once('.')?;
    let what = match what {
        "push" => value,
        "mirror" if value == "true" => "--mirror",
        _ => return None,
    };
    Some(quoted(&[remote, what].map(Arg::from)))
}

/// The setting that says where the hooks lie.
pub(super) const HOOKS_FOLDER: &str = "core.hookspath";

/// The folder that `clone [options] ADDRESS [FOLDER]` makes, if the address leads to another machine.
fn cloned(args: &[Arg]) -> Option<&str> {
    let (first, rest) = args.split_first()?;
    if first.text != "clone" {
        return None;
    }
    let values = const { catalog::row("git") }.values_of("clone").unwrap_or_default();
    let mut rest = rest.iter().map(|arg| arg.text.as_str());
    let mut operands = Vec::new();
    while let Some(text) = rest.next() {
        if values.split_ascii_whitespace().any(|option| option == text) {
            rest.next();
        } else if !text.starts_with('-') {
            operands.push(text);
        }
    }
    let address = operands.first().filter(|address| address.contains(':'))?;
    let name = || shell_engine::path::file_name(address.trim_end_matches('/').trim_end_matches(".git"));
    Some(operands.get(1).copied().unwrap_or_else(|| name()))
}

pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    if name != "git" {
        return None;
    }
    let args = &call.args[1..];
    if let Some(settings) = settings_of_environment(process) {
        // As `-c` says it, so that every rule about settings holds.
        let mut with_settings = vec![Arg::from("git")];
        for setting in settings {
            with_settings.extend([Arg::from("-c"), Arg::from(setting)]);
        }
        with_settings.extend_from_slice(args);
        process.start(&with_settings);
    }
    let mut settings: Vec<(String, String)> = Vec::new();
    let mut inner = process.scope.clone();
    let at = global_options(args, &mut settings, &mut inner);
    // git starts these by itself: `GIT_PAGER='rm -rf x' git log`.
    for (name, value) in &call.assigns {
        if matches!(
            name.as_str(),
            "GIT_PAGER" | "GIT_EDITOR" | "GIT_SSH_COMMAND" | "GIT_SEQUENCE_EDITOR" | "EDITOR" | "PAGER"
        ) {
            process.text_in(&inner, value);
        }
    }
    // Scripts in a fresh clone are someone else's code.
    if let Some(folder) = args.get(at..).and_then(cloned) {
        process.runner.analysis.clones.push((process.index, inner.absolute(folder)));
    }
    let mut ran = false;
    for (name, value) in &settings {
        let lower = name.to_ascii_lowercase();
        let command = value.strip_prefix('!').unwrap_or(value);
        if holds_command(&lower) {
            process.text_in(&inner, command);
            ran = true;
        }
    }
    let sub = args.get(at)?;
    let rest = &args[at + 1..];
    for line in started_by(&sub.text, rest) {
        process.text_in(&inner, &line);
    }
    if let Some((_, value)) =
        // The last `-c` wins.
        settings.iter().rev().find(|(name, _)| name.strip_prefix("alias.") == Some(&sub.text))
    {
        let line = match value.strip_prefix('!') {
            // git appends the arguments of the call to the alias.
            Some(command) => format!("{command} {}", quoted(rest)),
            None => format!("git {value} {}", quoted(rest)),
        };
        return Some(process.text_in(&inner, &line));
    }
    match sub.text.as_str() {
        "apply" | "am" => {
            super::tools::reads_file(process, &inner, rest);
            None
        }
        "bisect" if rest.first().is_some_and(|arg| arg.text == "run") => {
            Some(process.start_in(&mut inner, &rest[1..]))
        }
        "rebase" => {
            // It runs after each commit that is applied.
            let line = super::option(rest, "-x", "--exec")?;
            Some(process.text_in(&inner, line))
        }
        "submodule" => {
            // It joins its words and hands them to a shell, in each submodule.
            let each = rest.iter().position(|arg| arg.text == "foreach")?;
            let program: Vec<Arg> =
                rest[each + 1..].iter().skip_while(|arg| arg.text.starts_with('-')).cloned().collect();
            Some(process.text_in(&inner, &joined(&program)))
        }
        "filter-branch" => {
            for option in
                ["--tree-filter", "--index-filter", "--msg-filter", "--env-filter", "--commit-filter"]
            {
                if let Some(line) = super::option(rest, "", option) {
                    let mut place = inner.clone();
                    // A filter works in a checkout of its own.
                    place.place = shell_engine::Place::Container;
                    process.text_in(&place, line);
                }
            }
            Some(String::new())
        }
        "difftool" | "mergetool" => {
            let line = super::option(rest, "-x", "--extcmd")?;
            Some(process.text_in(&inner, line))
        }
        "config" => {
            // `git config set NAME VALUE`
            let operands = rest.iter().filter(|arg| !arg.text.starts_with('-'));
            let operands: Vec<&Arg> = operands.skip_while(|arg| arg.text == "set").collect();
            // Reading a setting starts nothing.
            let [name, value, ..] = operands.as_slice() else { return ran.then(String::new) };
            let lower = name.text.to_ascii_lowercase();
            if holds_command(&lower) {
                // From now on, git runs it by itself.
                process.text_in(&inner, value.text.trim_start_matches('!'));
            }
            if lower == HOOKS_FOLDER {
                process.scope.set_alias(&format!("git {HOOKS_FOLDER}"), &value.text);
            }
            if lower == "include.path" {
                // Seen from the file that includes it.
                let home = rest.iter().any(|arg| arg.text == "--global");
                let folder = if home { &*inner.home } else { ".git" };
                let path = if value.text.starts_with('~') {
                    value.text.clone()
                } else {
                    shell_engine::path::join(folder, &value.text)
                };
                process.scope.set_alias("git include.path", &path);
            }
            if let Some(pushed) = pushed_by(&lower, &value.text) {
                process.scope.set_alias("git remote.push", &pushed);
            }
            let alias = name.text.strip_prefix("alias.")?;
            let own = value.text.strip_prefix('!');
            if let Some(line) = own {
                process.text_in(&inner, line);
            }
            let line = own.map_or_else(|| format!("git {}", value.text), str::to_owned);
            // An alias that is set here may be used by a later command of the same line.
            process.scope.set_alias(&format!("git {alias}"), &line);
            Some(String::new())
        }
        // What it pushes where the call does not say.
        "push"
            if rest.iter().filter(|arg| !arg.text.starts_with('-')).count() < 2
                && let Some(pushed) = settings
                    .iter()
                    .rev()
                    .find_map(|(name, value)| pushed_by(&name.to_ascii_lowercase(), value))
                    .or_else(|| inner.alias("git remote.push").map(str::to_owned)) =>
        {
            Some(process.text_in(&inner, &format!("git push {pushed}")))
        }
        sub => {
            // A program on the `PATH` that the command has made: `git-boom` is `git boom`.
            if let Some(own) = process.runner.made_named(&format!("git-{sub}")) {
                let words: Vec<Arg> = std::iter::once(Arg::from(own)).chain(rest.iter().cloned()).collect();
                process.start_in(&mut inner, &words);
            }
            if let Some(line) = process.scope.alias(&format!("git {sub}")).map(str::to_owned) {
                return Some(process.text_in(&inner, &format!("{line} {}", quoted(rest))));
            }
            let is_folder = |(name, _): &&(String, String)| name.eq_ignore_ascii_case(HOOKS_FOLDER);
            let folder = settings.iter().rfind(is_folder).map(|(_, folder)| folder.as_str());
            repository::run_hooks(process, &inner, (sub, folder));
            let includes = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("include.path");
            if let Some((_, path)) = settings.iter().rfind(includes) {
                inner.set_alias("git include.path", path);
            }
            repository::run_alias(process, &inner, sub).or_else(|| ran.then(String::new))
        }
    }
}

/// What lies in a repository since the command has put it there: a message, an object, a setting.
const KEPT: &str = "/dev/git/";

/// Remembers what a call puts into the repository, so that a later one can print it.
pub(super) fn keep(process: &mut Process<'_>) {
    let puts = |arg: &Arg| {
        matches!(
            arg.text.as_str(),
            "commit" | "tag" | "notes" | "stash" | "commit-tree" | "config" | "hash-object" | "add" | "stage"
        )
    };
    // Most calls only look.
    if !process.args().iter().any(puts) {
        return;
    }
    let words = super::operands("git", process.args());
    let args = process.args();
    let kept = match words.as_slice() {
        ["commit" | "tag" | "notes" | "stash" | "commit-tree", ..] => {
            super::bundled("git", args, 'm', "--message")
                .first()
                .map(|message| ("message".to_owned(), (*message).to_owned()))
        }
        ["config", name, value] | ["config", "set", name, value] => {
            Some((format!("config/{name}"), (*value).to_owned()))
        }
        ["hash-object", file @ ..] => {
            let text = file.first().and_then(|file| process.runner.file_at(process.scope, file));
            text.or_else(|| process.call.io.stdin.clone()).map(|text| ("object".to_owned(), text.to_string()))
        }
        ["add" | "stage", file] => {
            let text = process.runner.file_at(process.scope, file);
            text.map(|text| ("object".to_owned(), text.to_string()))
        }
        _ => None,
    };
    if let Some((name, text)) = kept {
        process.runner.put_file(process.scope, &format!("{KEPT}{name}"), &text);
    }
}

/// What a call prints of that. `None` where nothing was put there, or it prints something else.
pub(super) fn printed(process: &Process<'_>) -> Option<String> {
    let formats = |arg: &Arg| arg.text.starts_with("--format=") || arg.text.starts_with("--pretty=");
    if !process.runner.has_made_below(KEPT) && !process.args().iter().any(formats) {
        return None;
    }
    let words = super::operands("git", process.args());
    let kept = |name: &str| process.runner.file_at(process.scope, &format!("{KEPT}{name}"));
    let line = |text: std::rc::Rc<str>| format!("{}\n", text.trim_end());
    match words.as_slice() {
        ["config", name] | ["config", "get" | "--get", name] => kept(&format!("config/{name}")).map(line),
        ["cat-file" | "show", ..] if kept("object").is_some() => Some(kept("object")?.to_string()),
        ["log" | "show" | "for-each-ref" | "tag" | "notes" | "stash" | "reflog", ..] => {
            let format = process.args().iter().find_map(|arg| {
                let format =
                    arg.text.strip_prefix("--format=").or_else(|| arg.text.strip_prefix("--pretty="))?;
                Some(format.trim_start_matches("format:").trim_start_matches("tformat:"))
            });
            let message = kept("message");
            let Some(format) = format else { return message.map(line) };
            // `%s`, `%B`, `%(contents)`: what was written; the others are names, dates and numbers.
            let format = format.replace("%(contents)", "%s").replace("%(subject)", "%s");
            super::texts::filled_in(&format, |directive| {
                message
                    .as_ref()
                    .filter(|_| matches!(directive, 's' | 'B' | 'b' | 'N'))
                    .map(std::string::ToString::to_string)
            })
        }
        _ => None,
    }
}

/// Settings that git finds in its environment, as `name=value`: `GIT_CONFIG_COUNT` with its keys and values, and
/// `GIT_CONFIG_PARAMETERS`, by which git hands `-c` on to itself.
fn settings_of_environment(process: &Process<'_>) -> Option<Vec<String>> {
    let assigns = &process.call.assigns;
    let exported;
    let assigns = if assigns.iter().any(|(name, _)| name.starts_with("GIT_CONFIG_")) {
        assigns
    } else {
        exported = process.scope.exported("GIT_CONFIG_");
        &exported
    };
    if assigns.is_empty() {
        return None;
    }
    let value =
        |name: &str| assigns.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let mut settings = Vec::new();
    // More than a person sets is not looked at.
    let count = value("GIT_CONFIG_COUNT").and_then(|count| count.parse().ok()).unwrap_or(0_usize).min(16);
    for at in 0..count {
        let name = value(&format!("GIT_CONFIG_KEY_{at}")).unwrap_or_default();
        let value = value(&format!("GIT_CONFIG_VALUE_{at}")).unwrap_or_default();
        settings.push(format!("{name}={value}"));
    }
    // `'name=value' 'name'='value'`: quotes say where a setting ends, blanks inside belong to it.
    let parameters = value("GIT_CONFIG_PARAMETERS").unwrap_or_default().replace("'='", "=");
    settings.extend(parameters.split('\'').skip(1).step_by(2).map(str::to_owned));
    (!settings.is_empty()).then_some(settings)
}

/// Command lines in the options of a sub-command, and in addresses such as `ext::LINE` (git-remote-ext).
fn started_by(sub: &str, rest: &[Arg]) -> Vec<String> {
    let options: &[(&str, &str)] = match sub {
        "fetch" | "pull" | "ls-remote" | "fetch-pack" => &[("", "--upload-pack")],
        "clone" => &[("-u", "--upload-pack")],
        "push" | "send-pack" => &[("", "--receive-pack"), ("", "--exec")],
        "archive" => &[("", "--exec")],
        "grep" => &[("-O", "--open-files-in-pager")],
        "send-email" => &[("", "--sendmail-cmd"), ("", "--to-cmd"), ("", "--cc-cmd")],
        _ => return Vec::new(),
    };
    let values = options.iter().flat_map(|(short, long)| super::options(rest, short, long));
    let values = values.map(str::to_owned);
    let settings = super::options(rest, "-c", "--config").filter(|_| sub == "clone");
    let set = settings.filter_map(|setting| {
        let (name, line) = setting.split_once('=')?;
        holds_command(&name.to_ascii_lowercase()).then(|| line.trim_start_matches('!').to_owned())
    });
    let values = values.chain(set);
    // `% ` is a blank that does not separate.
    let address = |arg: &Arg| Some(arg.text.strip_prefix("ext::")?.replace("% ", "\\ "));
    // `git grep -O` without a value takes the next word for something else.
    values.filter(|line| line.contains(char::is_whitespace)).chain(rest.iter().filter_map(address)).collect()
}

/// Steps over the options in front of the sub-command.
fn global_options(args: &[Arg], settings: &mut Vec<(String, String)>, scope: &mut Scope) -> usize {
    let takes = |text: &str| {
        const { catalog::row("git").values }.split_ascii_whitespace().any(|option| option == text)
    };
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let value = || args.get(at + 1).map_or("", |arg| arg.text.as_str());
        match arg.text.as_str() {
            "-c" | "--config-env" => {
                if let Some((name, value)) = value().split_once('=') {
                    settings.push((name.to_owned(), value.to_owned()));
                }
                at += 2;
            }
            "-C" => {
                scope.change_folder(value());
                at += 2;
            }
            // Of the others, the catalog knows which take the next word.
            text if takes(text) => at += 2,
            text if text.starts_with('-') => at += 1,
            _ => break,
        }
    }
    at
}
