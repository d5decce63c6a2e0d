//! What rules about overwriting ask: what is written, unpacked, mirrored and moved away.

use shell::{Place, Redirect, mark};

use crate::builtin::writes::{Way, Write, is_writer, writes};
use crate::builtin::{has, paths, reversed};
use crate::command::Command;
use crate::loss::{is_pattern, put};
use crate::zone::{Target, Zone, may_hold_work};

/// Whether it puts what never ends into a file.
pub(super) fn fills(command: &Command<'_>) -> bool {
    let endless = |text: &str| matches!(text, "/dev/zero" | "/dev/urandom" | "/dev/random");
    let args = || command.args().iter().map(|arg| arg.text.as_str());
    // `dd count=10` ends by itself.
    let limited = || args().any(|text| text.starts_with("count="));
    let reads = match &*command.name {
        "cat" => args().any(endless),
        "yes" => true,
        "dd" => args().any(|text| text.strip_prefix("if=").is_some_and(endless)) && !limited(),
        _ => return false,
    };
    // `timeout 5 yes > x` ends, too.
    let in_time = command.atom.via.is_some_and(|via| {
        command
            .analysis
            .atoms
            .get(via.parent as usize)
            .is_some_and(|atom| atom.program().ends_with("timeout"))
    });
    reads && !in_time && writes_any(command, |_, write| !write.target.path.starts_with("/dev/"))
}

/// Options with which programs name what they write.
const OUTPUTS: &str = "--out --output --output-file --outfile --dest --destination of out";

/// Whether a program of any kind writes onto a disk: an archive, an image, a test, what an option names as its output.
pub(super) fn puts_on_disk(command: &Command<'_>) -> bool {
    let args = command.args();
    // Most arguments name nothing there, which their first letters tell: this is asked of every command.
    let may_be = |text: &str| match text.as_bytes().first() {
        Some(b'/') => text.starts_with("/dev/"),
        Some(b'-') => ["--out", "--dest", "--filename"].iter().any(|option| text.starts_with(option)),
        Some(b'o') => text.starts_with("of=") || text.starts_with("out="),
        _ => false,
    };
    let is_asked = command.name == "socat" || args.iter().any(|arg| may_be(&arg.text));
    if !is_asked || command.only_asks() {
        return false;
    }
    let disk = |text: &str| text.starts_with("/dev/") && paths::is_disk(&command.target(text));
    let mut words = args.iter().map(|arg| arg.text.as_str());
    let mut pairs = args.windows(2).map(|pair| (pair[0].text.as_str(), pair[1].text.as_str()));
    let named = pairs.any(|(option, value)| has(OUTPUTS, option) && disk(value))
        || words
            .any(|word| word.split_once('=').is_some_and(|(name, value)| has(OUTPUTS, name) && disk(value)));
    let last = || command.operands().last().is_some_and(|arg| disk(&arg.text));
    let packs = match &*command.name {
        "tar" | "gtar" | "bsdtar" => {
            let first = args.first().map_or("", |arg| arg.text.as_str());
            let creates = command.has(&["-c", "--create"]) || first.starts_with('c');
            creates
                && (command.value(&["-f", "--file"]).is_some_and(disk)
                    || args.get(1).is_some_and(|arg| disk(&arg.text)))
        }
        "zip" => command.operands().first().is_some_and(|arg| disk(&arg.text)),
        "mksquashfs" | "bmaptool" | "sg_dd" => last(),
        "fio" => {
            let writes = args.iter().any(|arg| arg.text.contains("write") || arg.text.ends_with("=rw"));
            writes && command.value(&["--filename"]).is_some_and(disk)
        }
        "socat" => args.iter().any(|arg| {
            arg.text.rsplit(':').next().is_some_and(|file| disk(file.split(',').next().unwrap_or(file)))
        }),
        _ => false,
    };
    named || packs
}

/// Whether one of the files that it writes is as `matches` says.
pub(super) fn writes_any(command: &Command<'_>, matches: fn(&Command<'_>, &Write) -> bool) -> bool {
    // Most redirections go nowhere: `2>/dev/null`.
    let leads = |redirect: &Redirect| {
        !matches!(redirect.target.as_str(), "/dev/null" | "/dev/stderr" | "/dev/stdout" | "/dev/tty")
    };
    if !is_writer(command) && !command.atom.redirects.iter().any(leads) {
        return false;
    }
    writes(command).iter().any(|write| matches(command, write))
}

/// Whether its files are worth anything: a container's own files are not.
pub(super) fn is_ours(command: &Command<'_>) -> bool {
    command.atom.place != Place::Container
}

/// Whether a server keeps its data there.
pub(super) fn is_server_data(path: &str) -> bool {
    const SERVERS: &str = "\
        mysql mariadb postgresql pgsql mongodb mongo redis valkey cassandra scylla clickhouse elasticsearch opensearch \
        influxdb neo4j couchdb etcd rabbitmq kafka zookeeper";
    let server = path.strip_prefix("/var/lib/").and_then(|rest| rest.split_once('/'));
    server.is_some_and(|(server, _)| has(SERVERS, server))
}

/// Whether a file of the working tree that is there loses what it holds.
pub(super) fn is_work(command: &Command<'_>, write: &Write) -> bool {
    let Write { target, way } = write;
    let is_kept = || match target.zone {
        Zone::Inside => true,
        Zone::Generated => target.inside(command.facts).is_some_and(may_hold_work),
        _ => false,
    };
    let may_hold = || {
        if mark::any(&target.path) {
            // `for f in *.md; do echo x > "$f"; done`
            matches!(way, Way::Empty | Way::Replace) && is_pattern(&target.path)
        } else {
            // Most files that are written are new.
            !target.whole && !command.facts.lacks(&target.path)
        }
    };
    !matches!(way, Way::Append | Way::EditCopy)
        && is_kept()
        && command.atom.place == Place::Here
        && may_hold()
}

/// Whether it puts files into the working tree of which only a look says what they lie over.
pub(super) fn brings_work(command: &Command<'_>) -> bool {
    if command.name == "patch" {
        return reversed(command).is_some();
    }
    let into = put(command).map(|(_, into)| command.target(&into));
    into.is_some_and(|into| matches!(into.zone, Zone::Inside | Zone::Worktree))
}

/// The files of the working tree that a command overwrites, and patterns of such.
pub(crate) fn overwritten<'c>(command: &'c Command<'_>) -> impl Iterator<Item = &'c str> {
    writes(command).iter().filter(|write| is_work(command, write)).map(|write| write.target.path.as_str())
}

/// The folder of the working tree in which `rsync` deletes what its source does not have.
pub(crate) fn mirrored(command: &Command<'_>) -> Option<String> {
    let deletes = || command.args().iter().any(|arg| arg.text.starts_with("--del"));
    if command.name != "rsync" || !deletes() || command.has(&["-n", "--dry-run", "--list-only"]) {
        return None;
    }
    let [_, .., to] = command.operands() else { return None };
    let target = (!to.text.contains(':')).then(|| command.target(&to.text))?;
    let known = target.zone == Zone::Inside && command.atom.place == Place::Here && !mark::any(&target.path);
    known.then_some(target.path)
}

pub(super) fn is_kernel_switch(path: &str) -> bool {
    matches!(path, "/proc/sysrq-trigger" | "/dev/mem" | "/dev/kmem" | "/dev/port" | "/proc/kcore")
        || path.starts_with("/sys/firmware/efi/efivars")
        // `/sys/block/sda/device/delete`, `/sys/bus/pci/…/remove`: the kernel lets go of the device.
        || path.starts_with("/sys/b") && (path.ends_with("/device/delete") || path.ends_with("/remove"))
        || path.strip_prefix("/proc/sys/kernel/").is_some_and(|name| {
            matches!(
                name,
                "sysrq"
                    | "core_pattern"
                    | "modprobe"
                    | "modules_disabled"
                    | "panic"
                    | "hotplug"
                    | "randomize_va_space"
            )
        })
}

/// Whether the path is the root or one of the system's base folders, where nothing is to be unpacked.
pub(super) fn is_base(target: &Target) -> bool {
    match target.zone {
        Zone::Root => true,
        Zone::System => {
            // Places that are meant for files from elsewhere.
            let data =
                ["/var/", "/run/", "/usr/share", "/usr/local", "/usr/src", "/usr/ports", "/opt", "/etc/"];
            !data.iter().any(|folder| target.path.starts_with(folder))
        }
        _ => false,
    }
}

pub(super) fn unpacks_over_system(command: &Command<'_>) -> bool {
    let base = |text: &str| is_base(&command.target(text));
    let unpacks = match &*command.name {
        "tar" | "bsdtar" | "gtar" => {
            let old = old_style(command);
            let extracts = old.is_some_and(|letters| letters.contains('x'));
            (extracts || command.has(&["-x", "--extract", "--get"])) && base(tar_folder(command, old))
        }
        // `-l`, `-t`, `-p` and `-Z` list, test or print, and write nothing.
        "unzip" => base(command.value(&["-d"]).unwrap_or(".")) && !command.has(&["-l", "-t", "-p", "-Z"]),
        // Its output folder is glued to the option: `-o/usr`.
        "7z" | "7za" | "7zz" => command.args().iter().filter_map(|arg| arg.text.strip_prefix("-o")).any(base),
        "cpio" => {
            command.has(&["-i", "--extract"])
                // It unpacks into the current folder, by the names in the archive.
                && (base(&command.atom.cwd) || command.value(&["-D", "--directory"]).is_some_and(base))
        }
        // A patch names its files itself.
        "patch" => command.value(&["-d", "--directory"]).is_some_and(base) && !command.has(&["--dry-run"]),
        "scp" => {
            let operands = command.operands();
            let deep = command.has(&["-r"]);
            // One file into /usr/bin is judged as a write of that file; a tree brings names that are not known.
            deep && operands.len() > 1 && operands.last().is_some_and(|arg| base(&arg.text))
        }
        "unsquashfs" => command.value(&["-d", "-dest"]).is_some_and(base),
        "rsync" => {
            let operands = command.operands();
            let tries = command.has(&["-n", "--dry-run", "--list-only"]);
            !tries && operands.len() > 1 && operands.last().is_some_and(|arg| base(&arg.text))
        }
        "cp" | "gcp" => {
            let operands = command.operands();
            let deep = command.has(&["-r", "-R", "-a", "--recursive", "--archive"]);
            let tree = |arg: &&shell::Arg| !is_library(&arg.text);
            deep && operands.len() > 1
                && operands[..operands.len() - 1].iter().any(tree)
                && operands.last().is_some_and(|arg| base(&arg.text))
        }
        _ => false,
    };
    unpacks && !command.only_asks()
}

/// Whether a name is that of one library: `cp -a` keeps its links, and copies no tree.
fn is_library(path: &str) -> bool {
    let name = shell::path::file_name(path);
    name.contains(".so.") || [".so", ".a", ".dylib"].iter().any(|ending| name.ends_with(ending))
}

pub(super) fn mirrors(command: &Command<'_>) -> bool {
    if command.has(&["-n", "--dry-run", "--list-only"]) {
        return false;
    }
    let lossy = |target: &Target| {
        matches!(target.zone, Zone::Root | Zone::System | Zone::Home | Zone::Worktree | Zone::Repository)
    };
    let operands = command.operands();
    let Some(to) = operands.last().filter(|_| operands.len() > 1) else { return false };
    // `rclone sync` deletes without being told to; `copy` never does.
    if command.name == "rclone" {
        // From an empty folder, `sync` deletes everything.
        let empty =
            operands.get(1).is_some_and(|from| shell::path::file_name(&from.text).starts_with("empty"));
        return operands[0].text == "sync"
            && (empty || !to.text.contains(':') && lossy(&command.target(&to.text)));
    }
    if !command.args().iter().any(|arg| arg.text.starts_with("--del")) {
        return false;
    }
    match to.text.split_once(':') {
        // On another machine only the roots are known to hurt.
        Some((host, path)) if !host.contains('/') => {
            matches!(path.trim_start_matches(':'), "/" | "/etc" | "/etc/" | "/home" | "/home/" | "~" | "~/")
        }
        _ => lossy(&command.target(&to.text)),
    }
}

/// The letters of tar's old style: `tar xzf`.
fn old_style<'a>(command: &Command<'a>) -> Option<&'a str> {
    let first = command.args().first()?.text.as_str();
    (!first.starts_with('-') && first.bytes().all(|b| b.is_ascii_alphabetic())).then_some(first)
}

/// The folder into which tar unpacks. In its old style, values follow in the order of their letters.
fn tar_folder<'a>(command: &Command<'a>, old: Option<&str>) -> &'a str {
    let at = old
        // Of its letters, those with a value take the next words in their order: `tar xfC a.tar /tmp`.
        .and_then(|letters| letters.chars().filter(|c| "bCfFgHKLNTVXI".contains(*c)).position(|c| c == 'C'));
    let folder = at.and_then(|at| command.args().get(at + 1)).map(|arg| arg.text.as_str());
    folder.or_else(|| command.value(&["-C", "--directory", "--cd"])).unwrap_or(".")
}

/// Whether a command moves everything out of the working tree, or a folder of keys to somewhere else.
pub(super) fn clears_out(command: &Command<'_>) -> bool {
    let mut operands = command.operands().to_vec();
    let to = match command.value(&["-t", "--target-directory"]) {
        Some(to) => to,
        None if operands.len() > 1 => operands.pop().map_or("", |arg| arg.text.as_str()),
        None => return false,
    };
    let stays = matches!(command.target(to).zone, Zone::Inside | Zone::Generated | Zone::Worktree);
    operands.iter().any(|arg| {
        let target = command.target(&arg.text);
        match target.zone {
            // To move the tree's content into a folder of its own is a reorganisation.
            Zone::Worktree => !stays && !target.filtered,
            Zone::HomeSettings => paths::holds_secrets(&target) || paths::is_secret(&target),
            // A folder right in the home folder goes to where the next start deletes it.
            Zone::HomeInside => {
                let inside = target.in_home().unwrap_or("/");
                !inside.trim_end_matches('/').contains('/') && command.target(to).zone == Zone::Temporary
            }
            _ => false,
        }
    })
}

pub(super) fn moves_away(command: &Command<'_>) -> bool {
    let vital = |target: &Target| match target.zone {
        Zone::Root | Zone::Home => true,
        // Top folders, and what nothing works without; a single file of /usr/share is not that.
        Zone::System => {
            paths::is_top(target) || paths::is_essential(&target.path) || paths::is_account_file(&target.path)
        }
        Zone::Device => paths::is_disk(target),
        Zone::Repository => target.path.ends_with("/.git"),
        _ => false,
    };
    if command.is(&["mv", "gmv"]) {
        let mut operands = command.operands().to_vec();
        let to = match command.value(&["-t", "--target-directory"]) {
            Some(to) => to,
            None if operands.len() > 1 => operands.pop().map_or("", |arg| arg.text.as_str()),
            None => return false,
        };
        // `mv x /dev/null` as root replaces the device by a file.
        return to == "/dev/null"
            || operands.iter().any(|arg| {
                let target = command.target(&arg.text);
                vital(&target) && !target.filtered && command.atom.place != Place::Container
            });
    }
    // tar and zip delete what they have packed.
    let removes = command.has(&["--remove-files", "--move"]) || command.name == "zip" && command.has(&["-m"]);
    removes
        && command.operands().iter().any(|arg| {
            let target = command.target(&arg.text);
            vital(&target) || target.zone == Zone::Worktree && !target.filtered
        })
}

pub(super) fn is_asked_about(command: &Command<'_>, write: &Write) -> bool {
    let path = write.target.path.as_str();
    if !is_ours(command) || write.target.whole {
        return false;
    }
    // Files right in /etc; deeper ones belong to some program.
    let direct = path.strip_prefix("/etc/").is_some_and(|name| !name.contains('/') && !name.is_empty());
    // Programs write to these two all the time.
    paths::profile(command, &write.target).is_some()
        && !path.ends_with("known_hosts")
        && !path.ends_with(".gitconfig")
        && !adds_completions(command, write)
        || paths::is_machine_file(path)
        // Into folders of drop-ins, such as those of systemd, packages and people put files of their own.
        || write.way != Way::Append && paths::system_program(path).is_some() && !is_drop_in(path)
        || matches!(write.way, Way::Empty)
            && (direct || path.starts_with("/var/log/") || path.starts_with("/var/lib/") && !is_cache(path))
        || write.way != Way::Append && is_repository_state(write)
}

/// Whether an installed tool adds what completes its own commands, as its documentation says to. What prints or runs a
/// file of that name is not such a tool, and neither is one that the text finds elsewhere.
fn adds_completions(command: &Command<'_>, write: &Write) -> bool {
    const TOOLS: [&str; 4] = ["forges", "containers", "cloud", "infrastructure"];
    let is_tool = || {
        let families = command.known.map(|known| known.families);
        families.is_some_and(|families| TOOLS.iter().any(|family| families.meet(catalog::family(family))))
    };
    write.way == Way::Append
        && command.sub(&["completion|completions"])
        && is_tool()
        && !command.atom.args[0].text.contains('/')
        && command.variable("PATH").is_none()
}

/// Folders below `/var/lib` that are made again.
fn is_cache(path: &str) -> bool {
    ["/var/lib/apt/", "/var/lib/dpkg/lock", "/var/lib/misc/"].iter().any(|folder| path.starts_with(folder))
}

/// Files in which git keeps what the repository is: its branches, its objects, its settings.
fn is_repository_state(write: &Write) -> bool {
    if write.target.zone != Zone::Repository {
        return false;
    }
    let Some((_, name)) = write.target.path.split_once("/.git/") else { return false };
    (matches!(name, "HEAD" | "config" | "index" | "packed-refs" | "shallow")
        || ["refs/", "objects/", "logs/"].iter().any(|folder| name.starts_with(folder)))
}

/// Folders below `/usr/lib` and `/lib` into which packages and people put files of their own.
pub(super) fn is_drop_in(path: &str) -> bool {
    ["/systemd/", "/python", "/node_modules", "/udev/", "/firmware/", "/modules/", "/cgi-bin/"]
        .iter()
        .any(|part| path.contains(part))
        || path.ends_with('/')
        || path.matches('/').count() < 3 && !path.starts_with("/bin/") && !path.starts_with("/sbin/")
}
