//! What rules about deleting ask: which program deletes, how deep, and what it meets.

use super::super::has;
use shell::{Language, Place, mark};

use crate::builtin::paths;
use crate::command::Command;
use crate::loss::{is_pattern, listed};
use crate::zone::{Target, Zone, is_generated, may_be_tracked};

/// Programs that move things to the trash, from which all but a whole system comes back.
fn is_trash(command: &Command<'_>) -> bool {
    command.is_kind(const { catalog::kind("trash") })
}

/// Whether a home folder or the system goes to the trash.
pub(super) fn trashes_vital(command: &Command<'_>) -> bool {
    is_trash(command)
        && (command.name != "gio" || command.sub(&["trash"]))
        && !command.only_asks()
        && command.operands().iter().any(|arg| {
            let target = command.target(&arg.text);
            matches!(target.zone, Zone::Root | Zone::Home)
                || target.zone == Zone::System && target.path.starts_with('/')
        })
}

/// Whether one of the folders right in a home goes to the trash.
pub(super) fn trashes_home(command: &Command<'_>) -> bool {
    is_trash(command)
        && (command.name != "gio" || command.sub(&["trash"]))
        && !command.only_asks()
        && command.operands().iter().any(|arg| {
            let target = command.target(&arg.text);
            let inside = target.in_home().unwrap_or_default();
            // Below it, one thing among many is meant.
            matches!(target.zone, Zone::HomeSettings | Zone::HomeInside)
                && !inside.is_empty()
                && !inside.trim_end_matches('/').contains('/')
        })
}

/// Whether what lies in the trash is gone for good.
pub(super) fn empties_trash(command: &Command<'_>) -> bool {
    command.name == "trash-empty" && !command.only_asks() && !command.has(&["--dry-run"])
        || command.name == "Clear-RecycleBin" && !command.only_shows()
        || command.name == "gio" && command.sub(&["trash"]) && command.has(&["--empty"])
}

/// Whether a POSIX shell runs a program here that deletes what it names.
pub(crate) fn is_deleter(command: &Command<'_>) -> bool {
    command.atom.shell == Language::Posix
        && catalog::find(&command.name)
            .is_some_and(|known| known.families.meet(const { catalog::family("files") }))
        && !is_trash(command)
}

/// Whether one of the things that the program deletes is as `matches` says.
pub(super) fn any(command: &Command<'_>, matches: fn(&Command<'_>, &Target, &str) -> bool) -> bool {
    // BSD's programs read no options after the first operand: `rm -rf x --help` deletes there.
    let asks = command
        .args()
        .first()
        .is_some_and(|arg| matches!(arg.text.as_str(), "--help" | "--version" | "-h" | "-V"));
    if asks || is_trash(command) || super::super::containers::is_in_new_container(command) {
        return false;
    }
    if command.atom.shell != Language::Posix && (is_windows(command) || command.name == "rd") {
        let named = || named_on_windows(command);
        return !command.only_shows()
            && named().iter().any(|text| matches(command, &command.target(text), text));
    }
    if command.name == "rd" {
        // Only cmd has it.
        return false;
    }
    let operands = command.operands();
    // `rm -rf "$x"` with an empty `x` deletes nothing.
    let mut named = operands.iter().filter(|arg| !arg.text.is_empty());
    if command.is(&["rimraf", "del-cli", "del"]) {
        // They look for patterns themselves, whatever quotes keep the shell from it.
        return named.any(|arg| {
            let text = shell::pattern::active(&arg.text);
            matches(command, &command.target(&text), &text)
        });
    }
    named.any(|arg| matches(command, &command.target(&arg.text), &arg.text))
}

/// Whether a command of PowerShell or cmd deletes; they separate their operands in their own ways.
fn is_windows(command: &Command<'_>) -> bool {
    match command.atom.shell {
        Language::PowerShell => command.name == "Remove-Item",
        Language::Cmd => command.is(&["del", "rd"]),
        _ => false,
    }
}

/// What `Remove-Item`, `del` and `rd` delete.
fn named_on_windows(command: &Command<'_>) -> Vec<String> {
    if command.atom.shell == Language::Cmd {
        let operands = command.args().iter().filter(|arg| !arg.text.starts_with('/'));
        let deep = command.name == "del" && command.has_word("/s");
        let below = |text: &str| {
            // `del /s *.obj` goes through all folders below.
            let slashed = shell::windows::slashes(text);
            let (folder, pattern) = slashed.rsplit_once('/').unwrap_or((".", &slashed));
            // `*` and `*.*` mean everything, so the folder itself is the target.
            let narrow = pattern.contains(['*', '?']) && !matches!(pattern, "*" | "*.*");
            if deep && narrow { searched(folder, pattern) } else { slashed }
        };
        return operands.map(|arg| below(&arg.text)).filter(|text| !text.is_empty()).collect();
    }
    let paths = ["Path", "LiteralPath"].into_iter().flat_map(|name| command.parameter(name));
    let filters: Vec<&str> = ["Filter", "Include"]
        .into_iter()
        .flat_map(|name| command.parameter(name))
        .map(|arg| arg.text.as_str())
        .collect();
    let mut named = Vec::new();
    for arg in paths.filter(|arg| !arg.text.is_empty()) {
        let path = shell::windows::slashes(&arg.text);
        // Without a filter that chooses, what is named goes as a whole.
        if filters.iter().all(|filter| matches!(*filter, "*" | "*.*")) {
            named.push(path);
            continue;
        }
        let folder = path.strip_suffix("/*").unwrap_or(&path);
        let folder = if folder == "*" { "." } else { folder };
        named.extend(filters.iter().map(|filter| searched(folder, filter)));
    }
    named
}

/// What a search for `pattern` below `folder` finds.
fn searched(folder: &str, pattern: &str) -> String {
    format!("{}/{}/{pattern}", folder.trim_end_matches('/'), mark::ENTRY)
}

pub(super) fn is_here(command: &Command<'_>) -> bool {
    command.atom.place == Place::Here
}

/// Whether it deletes folders with what is in them.
pub(crate) fn is_recursive(command: &Command<'_>) -> bool {
    match &*command.name {
        "rm" | "grm" | "srm" | "wipe" | "safe-rm" => command.has(&["-r", "-R", "--recursive"]),
        // They take single files and refuse folders.
        "unlink" | "gunlink" | "shred" | "gshred" => false,
        "Remove-Item" => command.has_word("-Recurse"),
        "rd" => command.has_word("/s"),
        "del" if command.atom.shell == Language::Cmd => command.has_word("/s"),
        _ => true,
    }
}

/// Whether it overwrites what it deletes.
pub(super) fn destroys(command: &Command<'_>) -> bool {
    command.is(&["shred", "gshred", "srm", "wipe"])
}

/// Whether more than one named file goes.
pub(super) fn goes_deep(command: &Command<'_>, target: &Target) -> bool {
    target.whole || is_recursive(command)
}

/// System folders in which files come and go.
const VOLATILE: &[&str] = &[
    "/var/log/",
    "/run/",
    "/var/run/",
    "/var/spool/",
    "/var/crash/",
    "/var/lock/",
    "/var/backups/",
    "/var/lib/man-db/",
];

pub(super) fn is_volatile(command: &Command<'_>, target: &Target) -> bool {
    let narrow = !goes_deep(command, target) || target.filtered;
    let path = format!("{}/", target.folder());
    // One program's settings: `/etc/nginx/sites-enabled/default`.
    let settings = path.strip_prefix("/etc/").is_some_and(|inside| inside.matches('/').count() > 1)
        && !paths::is_account_file(&target.path)
        && !paths::is_machine_file(&target.path)
        && !paths::is_secret(target)
        && !destroys(command);
    let bare = path.trim_start_matches(mark::UNSET);
    narrow && (settings || VOLATILE.iter().any(|folder| bare.starts_with(folder)))
}

/// `$PREFIX/bin/tool`, `$ROOTFS/usr/share/doc`: with a value it is a folder that someone installs into. Without
/// one it lies deep enough in the system for a question.
fn is_installed(text: &str) -> bool {
    let path = text.trim_start_matches(mark::UNSET);
    let mut parts = path.trim_matches('/').split('/');
    path.len() < text.len()
        && !path.contains([mark::STAR, mark::ANY, mark::CLASS])
        && !path.contains("..")
        && matches!(parts.next(), Some("bin" | "sbin" | "lib" | "lib64" | "usr"))
        && parts.next().is_some()
}

/// What a program that has ended leaves behind: `/run/app.pid`.
fn is_process_file(command: &Command<'_>, target: &Target) -> bool {
    let runs = target.path.starts_with("/run/") || target.path.starts_with("/var/run/");
    runs && !goes_deep(command, target)
        && target.path.rsplit_once('.').is_some_and(|(_, ending)| ending == "pid")
}

pub(super) fn is_vital_loss(command: &Command<'_>, target: &Target, text: &str) -> bool {
    match target.zone {
        Zone::Root => true,
        Zone::System => !is_volatile(command, target) && !is_installed(text),
        Zone::Device => !target.path.starts_with("/dev/tcp/"),
        // `find ~ -name node_modules` goes through all of it, and takes only what a tool makes again.
        Zone::Home => goes_deep(command, target) && !(target.filtered && is_made_again(target.file_name())),
        Zone::Elsewhere => command.atom.place == Place::Remote && is_of_device(command, target),
        _ => false,
    }
}

/// Whether all that someone has on a device with Android goes: `adb shell rm -rf /data`.
fn is_of_device(command: &Command<'_>, target: &Target) -> bool {
    const STORES: &str = "/data /data/data /data/app /data/media /data/media/0 /sdcard /storage /storage/emulated \
                          /storage/emulated/0 /system /vendor";
    let parent = command.atom.via.and_then(|via| command.analysis.atoms.get(via.parent as usize));
    is_recursive(command)
        && parent.is_some_and(|parent| parent.program() == "adb")
        && has(STORES, target.folder().trim_end_matches('/'))
}

pub(super) fn is_made_again(pattern: &str) -> bool {
    let compiled = pattern.rsplit_once('.').is_some_and(|(_, ending)| ending == "pyc");
    compiled || !pattern.contains(mark::is_glob) && is_generated(pattern)
}

/// `$UNSET/` and `$UNSET/*`: what is left of them is the root folder.
pub(super) fn is_unset_root(text: &str) -> bool {
    let rest = text.trim_start_matches(mark::UNSET);
    rest.len() < text.len()
        && rest.starts_with('/')
        && rest.chars().all(|c| matches!(c, '/' | '.') || mark::is_glob(c))
}

/// The parts of git's folder that cannot be made again.
pub(super) fn is_repository(target: &Target, command: &Command<'_>) -> bool {
    let path = target.folder();
    if target.filtered {
        return target.zone == Zone::Worktree && target.file_name() == ".git";
    }
    if target.zone != Zone::Repository {
        return false;
    }
    let inside = path.rsplit_once(".git").map_or("", |(_, inside)| inside.trim_start_matches('/'));
    let part = inside.split('/').next().unwrap_or("");
    match part {
        "" => goes_deep(command, target),
        // Single files there, such as a lock or a broken ref, are what repairs remove.
        "objects" | "refs" | "logs" | "worktrees" => goes_deep(command, target),
        // Without one of these, git no longer knows the repository, or loses its branches.
        "HEAD" | "packed-refs" | "config" => true,
        _ => false,
    }
}

/// Names under which projects keep what people wrote.
const SOURCES: &str = "\
    src source sources app apps packages crates cmd internal pkg include test tests spec specs __tests__ \
    doc docs migrations config scripts .github";

/// Whether the path is one of the working tree's folders of sources.
pub(in crate::builtin) fn is_source_folder(target: &Target, command: &Command<'_>) -> bool {
    if target.zone != Zone::Inside {
        return false;
    }
    let folder = target.folder();
    let inside = match command.facts.worktree() {
        Some(worktree) => folder.strip_prefix(worktree).map_or("", |inside| inside.trim_start_matches('/')),
        None => folder,
    };
    has(SOURCES, inside)
}

/// Whether folders go of which the names do not say whether git tracks them, and nothing else does.
pub(super) fn may_take_tracked(command: &Command<'_>) -> bool {
    let is_one = |command: &Command<'_>, target: &Target, _: &str| {
        target.zone == Zone::Generated
            && is_here(command)
            && goes_deep(command, target)
            && !target.filtered
            && target.inside(command.facts).is_some_and(may_be_tracked)
    };
    let is_disposable = |text: &str| matches!(command.target(text).zone, Zone::Generated | Zone::Temporary);
    // What else goes has rules of its own, and the look would list it, too.
    any(command, is_one) && command.operands().iter().all(|arg| is_disposable(&arg.text))
}

/// Whether something of the working tree goes of which only a look says whether it exists elsewhere.
pub(super) fn may_take_work(command: &Command<'_>) -> bool {
    any(command, |command, target, _| {
        let is_work = match target.zone {
            Zone::Inside => true,
            Zone::Generated => target.inside(command.facts).is_some_and(may_be_tracked),
            Zone::Worktree => target.filtered,
            _ => false,
        };
        is_work
            && is_here(command)
            && is_pattern(&target.path)
            && !(target.filtered && is_made_again(target.file_name()))
            && (mark::any(&target.path) || !command.facts.lacks(&target.path) || brings(command))
    }) || any(command, |command, target, _| is_here(command) && is_noted(target))
}

/// Whether something is moved in front of a command: what it names may be there by then.
fn brings(command: &Command<'_>) -> bool {
    command.analysis.atoms.iter().any(|atom| matches!(&*atom.program(), "mv" | "gmv"))
}

/// The files of git's folder that alone lead to what is staged, or to a branch's commits.
fn is_noted(target: &Target) -> bool {
    target.zone == Zone::Repository
        && target.path.rsplit_once("/.git/").is_some_and(|(_, inside)| {
            inside == "index" || inside.starts_with("refs/heads/") || inside.starts_with("refs/tags/")
        })
}

/// Whether git names what goes, so that what it lists is what can be lost.
pub(super) fn is_listed(command: &Command<'_>) -> bool {
    is_here(command) && listed(command).is_some_and(|listed| !listed.names_all())
}

pub(super) fn is_unknown(target: &Target, text: &str) -> bool {
    let unknown =
        |c: char| matches!(c, mark::UNKNOWN | mark::PRINTED | mark::REMOTE | mark::DECODED | mark::UNSET);
    let name = text.trim_end_matches(|c| c == '/' || mark::is_glob(c));
    if target.zone == Zone::Unknown || !name.is_empty() && name.chars().all(mark::is_hole) {
        return name.contains(unknown);
    }
    false
}

/// `cd "$DIR" && rm -rf *`: everything in a folder that may well be the one it started in.
pub(super) fn is_in_unknown_folder(command: &Command<'_>, target: &Target, text: &str) -> bool {
    let Some(inside) = target.whole.then(|| target.folder()) else { return false };
    let worktree = command.facts.worktree().unwrap_or("");
    let inside = inside.strip_prefix(worktree).unwrap_or(inside).trim_start_matches('/');
    !target.filtered
        && !text.starts_with(mark::is_hole)
        && !inside.is_empty()
        && inside.chars().all(|c| mark::is_hole(c) && c != mark::TOKEN)
}

/// Files of which there is no other copy, for which a person is asked.
pub(super) fn is_asked_about(command: &Command<'_>, target: &Target, text: &str) -> bool {
    let place = command.atom.place;
    match target.zone {
        Zone::HomeInside | Zone::HomeSettings | Zone::Elsewhere => match place {
            Place::Here => !text.starts_with(mark::is_hole),
            // Zones of another machine are guesses: only whole folders are worth a question.
            Place::Remote => goes_deep(command, target),
            // A container's own files are made again from its image. In `/data`, those of Redis, MongoDB, Neo4j and
            // MinIO keep what they store.
            Place::Container => {
                matches!(target.folder(), "/data" | "/data/db" | "/data/databases")
                    && goes_deep(command, target)
            }
        },
        Zone::System => place != Place::Container && !is_process_file(command, target),
        Zone::Temporary if place == Place::Container => false,
        Zone::Temporary => {
            target.whole
                && !target.filtered
                && target.folder().matches('/').count() <= 2
                && target.folder().ends_with("tmp")
                || is_recursive(command) && matches!(target.path.as_str(), "/tmp" | "/var/tmp")
        }
        Zone::Inside | Zone::Generated => {
            // `.env/` is a folder: Python's environment.
            // All that was written in a language, in a folder of sources or below it.
            let sources = || {
                let folder = target.path.split(mark::is_mark).next().unwrap_or("").trim_end_matches('/');
                is_source_pattern(target.file_name())
                    && (is_source_folder(&command.target(folder), command)
                        || command.facts.worktree() == Some(folder))
            };
            target.zone == Zone::Inside && place == Place::Here && (sources() || is_found(target))
                || place == Place::Here
                    && !text.ends_with('/')
                    // A build's copy of it is made again with the build.
                    && (target.zone == Zone::Inside && paths::is_environment(target.file_name())
                        || target.file_name().ends_with(".tfstate"))
        }
        // What is old, large or someone's in the whole tree may be git's own as well.
        Zone::Worktree if target.filtered => {
            let all = || is_recursive(command) && target.path.ends_with(mark::TOKEN);
            is_source_pattern(target.file_name()) || is_found(target) || all()
        }
        _ => false,
    }
}

/// Whether files go in which a search has found something, whatever they are called: `grep -rl x . | xargs rm`.
fn is_found(target: &Target) -> bool {
    target.filtered && target.file_name().chars().eq([mark::PRINTED])
}

/// `*.py` and the like: with a search over the whole tree, all that was written in a language.
pub(in crate::builtin) fn is_source_pattern(pattern: &str) -> bool {
    const ENDINGS: &str = "\
        py rs go ts tsx jsx java kt c cc cpp h hpp rb php cs swift md sql sh vue scala ex hs tf ipynb \
        env";
    // Windows' programs look for patterns themselves.
    let Some(ending) = pattern.strip_prefix([mark::STAR, '*']).and_then(|rest| rest.strip_prefix('.')) else {
        return false;
    };
    has(ENDINGS, ending)
}
