//! The files that a command changes, takes away, hides or locks, as far as its arguments tell.

use shell::{Flow, Language};

use super::super::has;
use super::super::writes::writes;
use super::{book, cmdlets, copied, git, patches, scripts, tar};
use crate::command::Command;

/// In which way a file is touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Touch {
    /// It gets other content.
    Write,
    /// Files whose names no one says are put into this folder.
    Fill,
    /// Files and folders whose names no one says are put into this folder.
    Pour,
    /// It goes away, is put behind another, or no one may read or write it any more: with all that is in it.
    Away,
}

const REMOVERS: &str = "rm grm rmdir unlink shred srm trash trash-put rimraf del erase rd rename prename \
    file-rename Remove-Item Clear-Item";

const LOCKERS: &str = "chmod gchmod chown gchown chgrp chattr setfacl chflags xattr icacls cacls attrib takeown \
    chcon setfattr umount bindfs";

/// Formatters change how a file is laid out, not what it says.
const FORMATTERS: &str =
    "prettier biome dprint deno eslint black ruff taplo jsonlint fixjson npx pnpm yarn bunx";

/// Everything that a command touches, as absolute paths.
pub(super) fn each(command: &Command<'_>, found: &mut dyn FnMut(String, Touch)) {
    for write in writes(command) {
        found(write.target.path.clone(), Touch::Write);
    }
    // Redirections above count even so: `rm --help > policy.toml` writes.
    if command.only_asks() || command.only_shows() {
        return;
    }
    let mut add = |text: &str, touch: Touch| found(command.target(text).path, touch);
    let name = &*command.name;
    // `Verb-Noun`: the verb says what becomes of the files, also of cmdlets that are not in a list.
    let cmdlet = name.contains('-') && name.starts_with(|c: char| c.is_ascii_uppercase());
    if command.atom.shell != Language::Posix && cmdlet {
        return cmdlets::each(command, &mut add);
    }
    // git has its own folder, and looks into the book from there.
    if name != "git" {
        book::each(command, &mut add);
        scripts::each(command, &mut add);
    }
    match name {
        // What is moved is gone from its old place, and something else is at the new one.
        "mv" | "gmv" | "move" | "ren" => moved(command, &mut add),
        "ln" | "gln" => linked(command, &mut add),
        "mklink" => all(&texts(command), Touch::Away, &mut add),
        "cp" | "gcp" | "install" | "ginstall" | "rsync" | "scp" | "ditto" | "copy" | "xcopy" | "robocopy" => {
            copied::copied(command, &mut add);
        }
        "tar" | "gtar" | "bsdtar" => tar::each(command, &mut add),
        "curl" | "wget" | "wget2" | "aria2c" => copied::fetched(command, &mut add),
        "git" => git::each(command, &mut add),
        _ if patches::applies(command) => patches::each(command, &mut add),
        "mount" => {
            let operands = texts(command);
            // What lies under a mount point cannot be read while the mount is there.
            all(&operands[operands.len().saturating_sub(1)..], Touch::Away, &mut add);
        }
        "touch" | "gtouch" | "sqlite3" | "mkfifo" | "mknod" => {
            all(&texts(command), Touch::Write, &mut add);
        }
        "chmod" | "gchmod" if is_harmless_mode(command) => {}
        // Without a switch they show what there is.
        "icacls" | "cacls" | "attrib" | "chattr" if !has_switch(command) => {}
        name if has(LOCKERS, name) => all(&texts(command), Touch::Away, &mut add),
        name if has(REMOVERS, name) => {
            all(&texts(command), Touch::Away, &mut add);
        }
        // An unknown program may write where one of its options says so; formatters write what was there.
        name if !has(FORMATTERS, name) && !has(READERS, name) => by_options(command, &mut add),
        _ => {}
    }
}

fn all(texts: &[&str], touch: Touch, add: &mut dyn FnMut(&str, Touch)) {
    for text in texts {
        add(text, touch);
    }
}

fn has_switch(command: &Command<'_>) -> bool {
    // Longer ones are paths: `/home/user/x`.
    command.args().iter().any(|arg| arg.text.starts_with(['/', '+', '-']) && arg.text.len() < 14)
}

/// Whatever program it is: an option says that it writes what it is given.
fn by_options(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    if command.has(&["-i", "--in-place", "--inplace", "--inline", "-w", "--write", "--fix"]) {
        all(&texts(command), Touch::Write, add);
    }
    for option in ["-o", "--output", "--out", "--output-file", "--outfile", "--dest", "--set"] {
        if let Some(text) = command.value(&[option]) {
            add(text, Touch::Write);
        }
    }
}

fn moved(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    if command.name == "ren" {
        if let [from, to] = texts(command).as_slice() {
            add(from, Touch::Away);
            add(&beside(from, to), Touch::Write);
        }
        return;
    }
    let mut operands = texts(command);
    let Some(into) = command.value(&["-t", "--target-directory"]).or_else(|| operands.pop()) else { return };
    for from in operands {
        add(from, Touch::Away);
        add(&within(into, from), Touch::Write);
    }
    add(into, Touch::Write);
}

/// Who links a file may write it under another name.
fn linked(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    let operands = texts(command);
    if let Some((into, from)) = operands.split_last() {
        for from in from {
            add(from, Touch::Fill);
            add(&within(into, from), Touch::Away);
        }
        add(into, Touch::Away);
    }
    if let Some(folder) = command.value(&["-t", "--target-directory"]) {
        add(folder, Touch::Fill);
    }
}

/// Programs whose `-i` or `-o` does not write.
const READERS: &str = "grep egrep fgrep rg ag ack ls cat find fd diff sort uniq jq ps pgrep lsof set bash sh zsh docker \
    podman kubectl python python3 node ruby ssh mount echo file less head tail wc stat tree xargs env sudo timeout [ test \
    gh cargo npm code claude codex gemini copilot";

/// The operands, as strings.
pub(super) fn texts<'c>(command: &Command<'c>) -> Vec<&'c str> {
    let operands = command.operands().iter().copied().map(|arg| arg.text.as_str());
    // Switches of cmd's programs: `/s`, `/q`, `+r`.
    let windows = command.atom.shell == Language::Cmd
        || command.is(&["icacls", "attrib", "takeown", "robocopy", "xcopy"]);
    let switch = |text: &str| {
        windows
            && (text.starts_with('/') && text.len() < 4
                || text.starts_with('+')
                || text.starts_with("/grant")
                || text.starts_with("/deny"))
    };
    operands.filter(|text| !switch(text)).collect()
}

/// `cp FILE FOLDER` writes `FOLDER/FILE`.
pub(super) fn within(folder: &str, from: &str) -> String {
    let name = from.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or("");
    format!("{folder}/{name}")
}

/// `ren FOLDER\FILE NAME` writes `FOLDER\NAME`.
pub(super) fn beside(from: &str, name: &str) -> String {
    match from.rfind(['/', '\\']) {
        Some(slash) if !name.contains(['/', '\\']) => format!("{}{name}", &from[..=slash]),
        _ => name.to_owned(),
    }
}

/// Whether a mode lets the owner go on as ever, and no one else write.
fn is_harmless_mode(command: &Command<'_>) -> bool {
    let modes = command
        .args()
        .iter()
        .map(|arg| arg.text.as_str())
        .find(|text| !text.starts_with("--") && *text != "-R" && *text != "-v");
    let Some(mode) = modes else { return false };
    if mode.bytes().all(|byte| byte.is_ascii_digit()) {
        let digits = mode.as_bytes();
        // The third digit from the end; `4755` has one in front.
        let owner = digits.len().checked_sub(3).map_or(b'0', |at| digits[at]);
        let others = digits.iter().rev().take(2).any(|digit| matches!(digit, b'2' | b'3' | b'6' | b'7'));
        // The owner reads and writes, no one else writes.
        return matches!(owner, b'6' | b'7') && !others;
    }
    mode.split(',').all(|part| {
        let Some((who, what)) = part.split_once('+') else { return false };
        // Only `+` is harmless: `-` and `=` take something away.
        !what.contains(['s', 't']) && (who == "u" || !what.contains('w'))
    })
}

/// Whether anything is written by redirection: the cheapest sign that a command changes a file.
pub(super) fn redirects(command: &Command<'_>) -> bool {
    command.atom.redirects.iter().any(|redirect| redirect.flow != Flow::Read)
}
