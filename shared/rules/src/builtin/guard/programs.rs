//! Our own programs: what only a person may run, and what stops, removes or replaces them.

use shell::mark;

use super::super::has;
use super::{files, touch};
use crate::command::Command;
use crate::protected::{self, Owner, Relation};

/// The programs that protect, by name.
pub(super) const OURS: &[&str] = &[
    "command-blocker",
    "hook-runner",
    "approval-gate",
    "audit-logger",
    "stop-guard",
    "context-injector",
    "formatter-trigger",
];

/// Where the hyphen stands in each of them.
const HYPHENS: [usize; OURS.len()] = {
    let (mut found, mut number) = ([0; OURS.len()], 0);
    // Not iterators: this is a constant.
    while number < OURS.len() {
        while OURS[number].as_bytes()[found[number]] != b'-' {
            found[number] += 1;
        }
        number += 1;
    }
    found
};

/// Whether a command may be about our programs, by its own name.
pub(super) fn may_be(command: &Command<'_>) -> bool {
    let name = &*command.name;
    is_killer(name)
        // Most names are shorter.
        || name.len() > 9 && OURS.contains(&name)
        || is_package_manager(name) && command.args().iter().any(|arg| takes_away(&arg.text))
}

fn is_killer(name: &str) -> bool {
    matches!(name, "pkill" | "killall" | "kill" | "taskkill" | "Stop-Process" | "fuser" | "skill")
}

fn takes_away(word: &str) -> bool {
    // A pattern, not a list: every word of every `cargo` and `npm` is asked.
    matches!(
        word,
        "uninstall"
            | "remove"
            | "rm"
            | "purge"
            | "erase"
            | "autoremove"
            | "delete"
            | "del"
            | "disable"
            | "-R"
            | "-Rs"
            | "-Rns"
            | "-e"
            | "-r"
            | "-P"
            | "--remove"
            | "--purge"
            | "--erase"
            | "--uninstall"
            | "--unmerge"
    )
}

/// Whether a command gives or takes trust, or approves: a person does that.
pub(super) fn is_for_people(command: &Command<'_>) -> bool {
    OURS.contains(&&*command.name)
        && !command.only_asks()
        // Anywhere among the operands: `hook-runner policy trust` is the same.
        && (command.operands().iter().any(|arg| has("trust approve grant", &arg.without_unset()))
            // `kept drop`, and `policy pull`, which names the key that it believes.
            || [["kept", "drop"], ["policy", "pull"]].iter().any(|words| {
                words.iter().all(|word| command.operands().iter().any(|arg| arg.without_unset() == *word))
            }))
}

/// Where git keeps what was saved before it would have been lost.
const KEPT: &str = "refs/policy-hooks";

/// Whether a command deletes, moves or sends away what was kept.
pub(super) fn takes_kept(command: &Command<'_>) -> bool {
    let name = &*command.name;
    if !matches!(name, "git" | "rm" | "mv" | "unlink" | "shred" | "rmdir") {
        return false;
    }
    // Nearly every argument is shorter, and need not be searched.
    let names = |arg: &shell::Arg| arg.text.len() >= KEPT.len() && arg.text.contains(KEPT);
    if !command.args().iter().any(names) {
        return false;
    }
    let words = command.operands();
    match words.first().map(|arg| &*arg.text) {
        _ if name != "git" => true,
        Some("update-ref" | "symbolic-ref" | "push" | "fetch" | "pack-refs") => true,
        // What it prints is what `git update-ref --stdin` then does.
        Some("for-each-ref") => command.args().iter().any(|arg| arg.text.contains("delete")),
        _ => false,
    }
}

/// Whether a program of ours is stopped, removed or replaced.
pub(super) fn removes(command: &Command<'_>) -> bool {
    let name = &*command.name;
    if OURS.contains(&name) {
        // Of our own programs, only `hook-runner uninstall` and `init --remove` take protection away.
        let named = |task: &str| command.operands().iter().any(|arg| arg.without_unset() == task);
        return named("uninstall") || named("init") && command.has(&["--remove"]);
    }
    if is_killer(name) {
        return kills(command);
    }
    if is_package_manager(name) {
        return command.args().iter().any(|arg| takes_away(&arg.text))
            && command.args().iter().any(|arg| is_ours(&arg.text) || names_package(&arg.text));
    }
    // `rm "$(command -v hook-runner)"`
    let removes =
        matches!(name, "rm" | "mv" | "cp" | "ln" | "chmod" | "unlink" | "shred" | "truncate" | "tee" | "dd");
    let cmdlets = "Remove-Item Move-Item Rename-Item Copy-Item Set-Content Clear-Content Out-File New-Item";
    let places = "which command type whereis realpath readlink where where.exe Get-Command Get-Process";
    if (removes || has(cmdlets, name)) && says_where(command, places) {
        return true;
    }
    let in_programs = |text: &str| text.as_bytes().windows(4).any(|four| four == b"/bin");
    if !command.is_here()
        || !files::names_any(command) && !command.args().iter().any(|arg| in_programs(&arg.text))
    {
        return false;
    }
    if command.is(&["chmod", "gchmod"]) {
        // `-x`, `a-x`, or octal digits without a right to run: the host could no longer start it.
        let locks = |text: &str| {
            text.starts_with('-') && text.len() < 5 && text != "-R" && text != "-v"
                || text.contains('-') && text.len() < 7 && text.starts_with(['u', 'a', 'g', 'o'])
                || text.bytes().all(|byte| byte.is_ascii_digit()) && !is_executable_mode(text)
        };
        let deep = command.has(&["-R", "--recursive"]);
        let installed = |text: &str| {
            let path = command.target(text).path;
            is_installed(command, &path)
                // With `-R`, the folder around our programs is enough.
                || deep && is_installed(command, &format!("{}/{}", path.trim_end_matches('/'), OURS[0]))
        };
        return command.args().iter().any(|arg| locks(&arg.text))
            && command.args().iter().any(|arg| installed(&arg.text));
    }
    // What is touched has one of our names, or one that may be.
    let may_be_ours = |text: &str| {
        let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
        // A name that is only known at run time may be one of ours.
        mark::any(name) || places_of_ours(name).next().is_some()
    };
    let redirects = || command.atom.redirects.iter().any(|redirect| may_be_ours(&redirect.target));
    if !command.args().iter().any(|arg| may_be_ours(&arg.text)) && !redirects() {
        return false;
    }
    let mut removed = false;
    touch::each(command, &mut |path, _| {
        removed |= is_our_part(command, &path) || mark::any(&path) && is_installed(command, &path);
    });
    removed
}

/// What the names of our packages begin with.
const OWN: &str = "policy-hooks";

/// Whether a word names a package of ours, or a plugin: `policy-hooks-managed`, `@policy-hooks/cli-linux-x64`,
/// `policy-hooks@policy-hooks`.
fn names_package(word: &str) -> bool {
    // For PyPI, `Policy_Hooks` and `policy.hooks` are the same name.
    let plain = |byte: u8| if matches!(byte, b'_' | b'.') { b'-' } else { byte.to_ascii_lowercase() };
    word.trim_start_matches('@').bytes().map(plain).take(OWN.len()).eq(OWN.bytes())
}

/// What takes packages away, and the hosts, which take plugins away.
fn is_package_manager(name: &str) -> bool {
    matches!(
        name,
        "cargo"
            | "npm"
            | "pnpm"
            | "yarn"
            | "bun"
            | "pip"
            | "pip3"
            | "pipx"
            | "uv"
            | "brew"
            | "port"
            | "apt"
            | "apt-get"
            | "aptitude"
            | "dpkg"
            | "dnf"
            | "yum"
            | "microdnf"
            | "zypper"
            | "rpm"
            | "rpm-ostree"
            | "apk"
            | "pacman"
            | "yay"
            | "paru"
            | "emerge"
            | "nix"
            | "nix-env"
            | "snap"
            | "flatpak"
            | "scoop"
            | "choco"
            | "winget"
            | "mise"
            | "claude"
            | "copilot"
            | "codex"
            | "gemini"
            | "qwen"
    )
}

fn is_executable_mode(mode: &str) -> bool {
    mode.len() >= 3 && mode.as_bytes().get(mode.len() - 3).is_some_and(|digit| matches!(digit, b'5' | b'7'))
}

fn kills(command: &Command<'_>) -> bool {
    let all = command.is(&["pkill", "skill"]) && command.has(&["-f", "--full"])
        || command.has(&["-r", "--regexp"])
        || command.is(&["pkill", "Stop-Process"]);
    let matches = |text: &str| all && !text.starts_with('-') && may_mean_ours(text);
    if command.args().iter().any(|arg| names_ours(&arg.text) || matches(&arg.text)) {
        return true;
    }
    // `kill $(pgrep hook-runner)`
    says_where(command, "pgrep pidof ps grep Get-Process lsof")
}

/// Where a string names our programs: the first byte of each name, and its end.
pub(super) fn places_of_ours(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let bytes = text.as_bytes();
    // Every name has one hyphen, and most strings have none.
    let hyphens = text.bytes().enumerate().filter(|(_, byte)| *byte == b'-').map(|(at, _)| at);
    hyphens.filter_map(move |hyphen| {
        OURS.iter().zip(&HYPHENS).find_map(|(ours, own)| {
            let start = hyphen.checked_sub(*own)?;
            let end = start + ours.len();
            // The letter after it tells most apart.
            let near = bytes.get(hyphen + 1) == ours.as_bytes().get(own + 1);
            (near && bytes.get(start..end) == Some(ours.as_bytes())).then_some((start, end))
        })
    })
}

/// Whether a string names one of our programs.
fn names_ours(text: &str) -> bool {
    places_of_ours(text).next().is_some() || text.contains("policy-hooks")
}

/// Whether a pattern of names, which fits anywhere, may mean a program of ours: `blocker`, `command-b`, `stop-gu.rd`.
fn may_mean_ours(pattern: &str) -> bool {
    let bare = pattern.trim_start_matches('^').trim_end_matches('$');
    // `.` and `.*` are the regular expressions that people type; `?` and `*` are PowerShell's.
    let steps =
        bare.replace(".*", "*").replace('.', "?").replace([mark::STAR], "*").replace([mark::ANY], "?");
    let letters = steps.bytes().filter(u8::is_ascii_alphanumeric).count();
    let active = shell::pattern::active(&format!("*{steps}*"));
    // Fewer letters fit too many other programs.
    letters > 3 && OURS.iter().any(|ours| shell::pattern::matches(&active, ours))
}

/// Whether something that only run time tells is an argument, and one of these programs before was asked about ours.
fn says_where(command: &Command<'_>, programs: &str) -> bool {
    command.args().iter().any(shell::Arg::has_hole)
        && command.analysis.atoms.iter().any(|atom| {
            has(programs, &atom.program())
                && atom
                    .args
                    .iter()
                    .skip(1)
                    .any(|arg| names_ours(&arg.text) || atom.program() == "pgrep" && may_mean_ours(&arg.text))
        })
}

fn is_ours(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = name.strip_suffix(".exe").or_else(|| name.strip_suffix(".json")).unwrap_or(name);
    // `10-command-blocker.json`: the numbers put them into an order.
    let name = name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
    OURS.contains(&name)
}

/// Whether a path is our part of a host's configuration.
fn is_our_part(command: &Command<'_>, path: &str) -> bool {
    path.contains(".json") && is_ours(path) && protected::find(path, command.facts).is_some()
}

/// Whether a path is a program of ours where a host would find it.
fn is_installed(command: &Command<'_>, path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if mark::any(name) {
        // `chmod -x ~/.local/bin/*`
        let fits = |ours: &&&str| shell::pattern::matches(name, ours);
        return OURS.iter().find(fits).is_some_and(|ours| is_installed(command, &format!("{folder}/{ours}")));
    }
    // The table of places is long, and nearly every file has another name.
    is_ours(name)
        && protected::find(path, command.facts)
            .is_some_and(|kept| kept.owner == Owner::Program && kept.relation == Relation::At)
}
