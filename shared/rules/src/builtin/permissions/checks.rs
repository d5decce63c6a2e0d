//! What rules about permissions ask: modes, owners and what they apply to.

use shell::Place;

use crate::builtin::paths;
use crate::command::Command;
use crate::zone::{Target, Zone};

/// The mode, owner or other first operand, and what it applies to.
pub(super) fn split<'a>(command: &Command<'a>) -> (Option<&'a str>, Vec<Target>) {
    let takes_first = !command.is(&["setfacl", "chattr", "restorecon", "xattr", "setfattr"])
        && (command.name != "chcon" || !command.has(&["-t", "-u", "-r", "-l"]))
        && command.value(&["--reference"]).is_none();
    // `-x`, `-rwx` and `-w` are modes, not options.
    let is_mode = |text: &str| {
        command.is(&["chmod", "gchmod"])
            && text.len() > 1
            && text.starts_with('-')
            && text[1..].chars().all(|c| "rwxXst".contains(c))
    };
    let mode_at = command.args().iter().find(|arg| is_mode(&arg.text)).map(|arg| arg.text.as_str());
    let mut operands = command.operands().to_vec();
    if let Some(mode) = mode_at {
        return (Some(mode), operands.iter().map(|arg| command.target(&arg.text)).collect());
    }
    let first = (takes_first && !operands.is_empty()).then(|| operands.remove(0).text.as_str());
    (first, operands.iter().map(|arg| command.target(&arg.text)).collect())
}

pub(super) fn any(command: &Command<'_>, matches: fn(&Command<'_>, &Target) -> bool) -> bool {
    // `install` sets the mode of its own copies; what it writes over is another family's question.
    command.name != "install"
        && !command.only_asks()
        && split(command).1.iter().any(|target| matches(command, target))
}

/// Whether what lies below is meant, too.
pub(super) fn is_deep(command: &Command<'_>) -> bool {
    let recursive = match &*command.name {
        "xattr" => command.has(&["-r"]),
        "setcap" | "install" => return false,
        _ => command.has(&["-R", "--recursive"]),
    };
    recursive || split(command).1.iter().any(|target| target.whole && !target.filtered)
}

/// Whether the path is the root, a base folder of the system, or a home folder.
pub(super) fn is_base(command: &Command<'_>, target: &Target) -> bool {
    if target.filtered {
        return target.zone == Zone::Root;
    }
    match target.zone {
        Zone::Root => true,
        Zone::Home => command.atom.place != Place::Container,
        Zone::System => {
            let data = ["/var/", "/run/", "/etc/"].iter().any(|folder| target.path.starts_with(folder));
            // What a web server hands out belongs to whoever works on the site.
            let site = target.path == "/var/www" || target.path.starts_with("/var/www/");
            paths::is_top(target) && !site || !data && command.atom.place != Place::Container
        }
        _ => false,
    }
}

/// Whether a home folder only becomes more private: `chmod -R go-rwx ~`.
pub(super) fn opens_nothing(command: &Command<'_>, target: &Target) -> bool {
    let (Some(mode), _) = split(command) else { return false };
    target.zone == Zone::Home
        && command.is(&["chmod", "gchmod"])
        && (mode.starts_with("go-") || mode.starts_with("o-") || mode.starts_with("u+"))
}

/// Whether a mode lets a program run with its owner's rights.
pub(super) fn sets_user(mode: &str) -> bool {
    if mode.bytes().all(|b| b.is_ascii_digit()) {
        let mode = mode.trim_start_matches('0');
        return mode.len() == 4 && matches!(mode.as_bytes()[0], b'4'..=b'7');
    }
    mode.split(',').any(|clause| {
        let Some(at) = clause.find(['+', '=']) else { return false };
        let who = &clause[..at];
        clause[at..].contains('s') && (who.is_empty() || who.contains(['u', 'a']))
    })
}

pub(super) fn lends_root(command: &Command<'_>) -> bool {
    // `install -m 4755` copies and sets the mode at once.
    if command.name == "install" {
        return command.value(&["-m", "--mode"]).is_some_and(sets_user);
    }
    let (Some(first), targets) = split(command) else { return false };
    match &*command.name {
        "chmod" | "gchmod" => {
            // Chromium's sandbox is made to be installed like that.
            sets_user(first) && targets.iter().any(|target| target.file_name() != "chrome-sandbox")
        }
        "setcap" => {
            let caps = first.to_ascii_lowercase();
            caps.starts_with('=')
                || caps.starts_with("all")
                || [
                    "setuid",
                    "setgid",
                    "sys_admin",
                    "dac_override",
                    "dac_read_search",
                    "sys_ptrace",
                    "sys_module",
                    "setfcap",
                    "chown",
                    "fowner",
                ]
                .iter()
                .any(|cap| caps.contains(cap))
        }
        _ => false,
    }
}

/// Whether a mode lets everyone write. Symbolic: `o+w`, `a=rwx`, `+rwx` does not (the umask applies).
pub(super) fn lets_all_write(mode: &str) -> bool {
    if mode.bytes().all(|b| b.is_ascii_digit()) {
        // Octal digits: the last one is for others, and the bit of 2 lets them write.
        return mode.len() >= 3 && matches!(mode.as_bytes()[mode.len() - 1], b'2' | b'3' | b'6' | b'7');
    }
    mode.split(',').any(|clause| {
        clause
            .find(['+', '='])
            // `u+w,g-w` is judged clause by clause; `+w` alone is cut by the umask, so others do not get it.
            .is_some_and(|at| clause[..at].contains(['o', 'a']) && clause[at..].contains('w'))
    })
}

pub(super) fn lets_all_read(mode: &str) -> bool {
    if mode.bytes().all(|b| b.is_ascii_digit()) {
        // Any right of others on a secret is one too many, not only reading.
        return mode.len() >= 3 && mode.as_bytes()[mode.len() - 1] != b'0';
    }
    mode.split(',').any(|clause| {
        clause
            .find(['+', '='])
            // Unlike for writing, `+r` alone counts: the usual umask of 022 lets others read.
            .is_some_and(|at| (at == 0 || clause[..at].contains(['o', 'a'])) && clause[at..].contains('r'))
    })
}

/// Whether a mode takes from everyone the right to run or enter.
pub(super) fn forbids_running(mode: &str) -> bool {
    if mode.bytes().all(|b| b.is_ascii_digit()) {
        // An odd digit holds the right to run.
        return mode.bytes().rev().take(3).all(|b| matches!(b, b'0' | b'2' | b'4' | b'6'));
    }
    mode.split(',').any(|clause| {
        let who = clause.split(['-', '=', '+']).next().unwrap_or("");
        let everybody = who.is_empty() || who.contains('a') || who.contains('o');
        // `a-x` takes the right away, and `a=` takes away all of them.
        everybody && (clause.contains('-') && clause.contains('x') || clause.ends_with('='))
    })
}

/// Whether a file in a folder of programs is not a program: settings, units and libraries need no right to run.
fn is_data(name: &str) -> bool {
    name.split('.')
        .skip(1)
        .any(|ending| matches!(ending, "conf" | "service" | "so" | "a" | "py" | "h" | "json"))
}

pub(super) fn spoils_system_file(command: &Command<'_>, target: &Target) -> bool {
    let path = target.path.as_str();
    let (first, _) = split(command);
    let first = first.unwrap_or("");
    let opens = command.is(&["chmod", "gchmod"]) && lets_all_write(first);
    // Disks and keys, a home folder, and what a server hands out.
    if paths::is_disk(target) {
        // Whoever owns a disk's device, or may write to it, gets around every permission of its files.
        return opens || command.is(&["chown", "chgrp"]);
    }
    let kept =
        target.zone == Zone::HomeSettings && (paths::holds_secrets(target) || paths::is_secret(target));
    // A server below /var or programs below /usr hand on whatever anyone puts there.
    let served = is_deep(command) && (path.starts_with("/var/") || path.starts_with("/usr/"));
    // sshd refuses keys, and logins by them, where others may write to the home folder.
    if opens && (target.zone == Zone::Home || kept || served) {
        return true;
    }
    if !matches!(target.zone, Zone::Root | Zone::System) {
        return false;
    }
    match &*command.name {
        "chmod" | "gchmod" => breaks_by_mode(first, target),
        "chown" | "gchown" | "chgrp" | "gchgrp" => {
            // To give system files to root is what a repair does. `:group` alone keeps the owner.
            let root = first.starts_with("root")
                || first.starts_with("0:")
                || first == "0"
                || first.starts_with(':');
            // sudo and its like refuse to run unless they belong to root.
            !root
                && (paths::is_account_file(path)
                    || paths::system_program(path).is_some()
                    || target.zone == Zone::Root)
        }
        "chattr" => command.args().iter().any(|arg| {
            // `+i` makes a file immutable even for root; `-i` opens one that someone had protected.
            arg.text.starts_with(['+', '-', '='])
                && arg.text != "-R"
                && arg.text.contains(['i', 'a', 'u', 's'])
        }),
        "chflags" => matches!(first, "uchg" | "schg" | "noschg" | "nouchg" | "sappnd" | "hidden"),
        "setfacl" => paths::is_account_file(path) || paths::is_secret(target) || paths::is_top(target),
        "chcon" => paths::is_account_file(path) || paths::system_program(path).is_some(),
        _ => false,
    }
}

/// Whether it is what a server hands out: data, and no program.
fn is_handed_out(path: &str) -> bool {
    ["/var/www/", "/srv/"].iter().any(|data| path.starts_with(data))
}

/// Whether a mode opens a file of the system to all users, or takes away a right that the system needs.
fn breaks_by_mode(mode: &str, target: &Target) -> bool {
    let path = target.path.as_str();
    // Sockets and lock files live there, and are gone with the next start.
    let run = path.starts_with("/run/") || path.starts_with("/var/run/");
    // Where nothing can be run any more, neither can the chmod that would undo it.
    let runs = paths::system_program(path).is_some()
        || target.zone == Zone::Root
        || paths::is_top(target) && !path.starts_with("/etc/") && !is_handed_out(path);
    lets_all_write(mode) && !run
        || runs && forbids_running(mode) && !is_data(target.file_name())
        || paths::is_secret(target) && lets_all_read(mode)
        // Mode 000 on /etc/passwd and its like: no name of a user can be looked up.
        || paths::is_account_file(path) && mode.bytes().all(|b| b == b'0')
}

pub(super) fn is_too_open(command: &Command<'_>, target: &Target) -> bool {
    let (first, _) = split(command);
    let first = first.unwrap_or("");
    let deep = is_deep(command);
    match &*command.name {
        "chmod" | "gchmod" => {
            let outside = matches!(
                target.zone,
                Zone::Worktree | Zone::Elsewhere | Zone::HomeInside | Zone::HomeSettings
            );
            // Inside the working tree, single files with odd modes are everyday work; whole trees are not.
            lets_all_write(first)
                && (deep && outside || matches!(target.zone, Zone::System | Zone::HomeSettings | Zone::Home))
                || paths::is_secret(target) && target.zone == Zone::HomeSettings && lets_all_read(first)
                // Whatever the mode: one mode for files and programs alike leaves some of them wrong.
                || deep && target.zone == Zone::System && !is_handed_out(&target.path)
                // The user's own programs could read nothing there any more.
                || closes(first) && (deep && target.zone == Zone::Worktree || target.zone == Zone::Home)
        }
        "setfacl"
            if deep
                && target.zone == Zone::Elsewhere
                && command.args().iter().any(|arg| opens_to_all(&arg.text)) =>
        {
            true
        }
        "chown" | "gchown" | "chgrp" | "gchgrp" | "setfacl" | "chcon" | "chattr" => {
            let to_root = first.starts_with("root") || first == "0" || first.starts_with("0:");
            // To hand the working tree to root locks out whoever works in it; in a container that is usual.
            deep && (target.zone == Zone::System
                || to_root
                    && command.atom.place == Place::Here
                    && matches!(target.zone, Zone::Worktree | Zone::Home))
        }
        _ => false,
    }
}

/// Whether an entry of an access list lets everyone write: `o::rwx`, `other:rw`.
fn opens_to_all(entries: &str) -> bool {
    let is_others = |entry: &str| entry.starts_with("o:") || entry.starts_with("other:");
    entries
        .split(',')
        .any(|entry| is_others(entry) && entry.rsplit(':').next().unwrap_or_default().contains('w'))
}

/// Whether a mode leaves nothing to anyone.
fn closes(mode: &str) -> bool {
    !mode.is_empty() && mode.bytes().all(|b| b == b'0') || matches!(mode, "a-rwx" | "ugo-rwx" | "a=" | "ugo=")
}
