//! Files that are copied, unpacked or fetched to where they count.

use shell::{mark, path};

use super::touch::{Touch, texts, within};
use crate::command::Command;

/// Options of copying programs that take the next argument.
const VALUES: &str = "-t --target-directory -m --mode -o --owner -g --group -S --suffix --strip-program -e --rsh \
    --exclude --include --filter -P -F -l -J --exclude-from --files-from";

pub(super) fn copied(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    if command.has(&["--dry-run"]) || command.is(&["rsync"]) && command.has(&["-n"]) {
        return;
    }
    let mut operands = texts(command, VALUES);
    let folder = command.value(&["-t", "--target-directory"]).filter(|_| !command.is(&["rsync", "scp"]));
    let robocopy = command.is(&["robocopy"]);
    let to = match folder {
        Some(to) => to,
        None if robocopy && operands.len() > 1 => operands.swap_remove(1),
        None if operands.len() > 1 => operands.pop().unwrap_or(""),
        None => return,
    };
    if to.contains("::")
        || command.is(&["rsync", "scp"]) && to.contains(':') && !shell::windows::has_drive(to)
    {
        return;
    }
    add(to, Touch::Write);
    let mirrors = command.args().iter().any(|arg| {
        arg.text.starts_with("--del")
            || arg.text.eq_ignore_ascii_case("/mir")
            || arg.text.eq_ignore_ascii_case("/purge")
    });
    if mirrors {
        add(to, Touch::Away);
    }
    for from in operands {
        let whole = from.ends_with(['/', '\\', '*', mark::STAR]) || from.ends_with("/.");
        if whole || robocopy || command.is(&["xcopy"]) {
            add(to, Touch::Fill);
        } else {
            add(&within(to, from), Touch::Write);
            // A folder brings along what is in it.
            if command.has(&["-r", "-R", "-a", "--recursive", "--archive"]) {
                add(&within(to, from), Touch::Fill);
            }
        }
        if command.has(&["-l", "--link"]) && command.is(&["cp", "gcp"]) {
            add(from, Touch::Away);
        }
    }
}

pub(super) fn unpacked(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    let first = command.args().first().map_or("", |arg| arg.text.as_str());
    let letters = first.len() < 8 && !first.starts_with("--") && first.contains('x');
    let lists = command.is(&["unzip"]) && command.has(&["-l", "-t", "-p", "-Z"])
        || command.is(&["7z", "7za"]) && first == "l";
    let reads =
        command.is(&["tar", "gtar", "bsdtar"]) && !letters && !command.has(&["--extract", "--get", "-x"]);
    if reads || lists {
        return;
    }
    let glued = command
        .args()
        .iter()
        .find_map(|arg| arg.text.strip_prefix("-o"))
        .filter(|_| command.is(&["7z", "7za"]));
    let folder = command.value(&["-C", "--directory", "-d", "-D"]).or(glued);
    add(folder.unwrap_or("."), Touch::Fill);
    // Members that are named are what comes out.
    for member in texts(command, "-C --directory -f --file -d --exclude -X -T").into_iter().skip(1) {
        add(&format!("{}/{member}", folder.unwrap_or(".")), Touch::Write);
    }
}

pub(super) fn fetched(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    let curl = command.is(&["curl"]);
    if curl && !command.has(&["-O", "--remote-name", "--remote-name-all"])
        || !curl && command.has(&["-O", "--output-document", "--spider"])
    {
        return;
    }
    let folder = command.value(&["--output-dir", "-P", "--directory-prefix", "-d", "--dir"]).unwrap_or(".");
    for address in command.args().iter().filter(|arg| arg.text.contains("://")) {
        let name = address.text.split(['?', '#']).next().unwrap_or("");
        add(&format!("{folder}/{}", path::file_name(name)), Touch::Write);
    }
}
