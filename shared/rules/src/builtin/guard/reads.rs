//! Commands that read our keys: whoever has one can write what only a person may say.

use shell::{Arg, Flow, mark};

use super::super::has;
use super::files;
use crate::command::Command;
use crate::protected::{self, Relation};

/// Programs that list files without showing what they hold.
const LISTERS: &str = "ls dir exa eza lsd tree stat test [ [[ du df file readlink realpath basename dirname echo printf \
    cd pushd popd wc sha256sum sha1sum sha512sum md5sum shasum cksum b2sum touch mkdir mktemp command type which whereis \
    find fd locate export set unset Get-ChildItem Test-Path Get-Item Get-FileHash Resolve-Path Set-Location gci \
    Join-Path Split-Path Get-Acl hook-runner command-blocker approval-gate audit-logger stop-guard context-injector \
    formatter-trigger rm rmdir unlink chmod chown chgrp mv ln";

/// Programs that take a folder with all that is in it.
const DEEP: &str = "tar gtar bsdtar zip 7z 7za 7zz rsync rclone cpio pax rg ag ack ugrep ripgrep docker podman nerdctl \
    finch restic borg duplicity kopia ditto robocopy xcopy mksquashfs genisoimage mkisofs zpaq rar Compress-Archive \
    tarsnap bup scp sftp croc wormhole syncthing unison";

/// Programs that read a whole folder when an option says so.
const DEEP_BY_OPTION: &str = "cp gcp grep egrep fgrep zgrep diff aws gsutil gcloud az s3cmd scp chezmoi Copy-Item \
    Select-String install";

/// Programs whose argument may be a string in a language.
const INTERPRETERS: &str =
    "python python2 python3 node deno bun ruby perl php lua awk gawk osascript Rscript tclsh";

/// How much of our keys a command reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reads {
    /// A folder around them, as a whole.
    Around,
    /// A key, or the folder that holds it.
    Key,
}

/// What a command reads of our keys.
pub(super) fn keys(command: &Command<'_>) -> Option<Reads> {
    if !command.is_here() || !files::names_any(command) || command.only_asks() {
        return None;
    }
    let redirects = command.atom.redirects.iter().filter(|redirect| redirect.flow == Flow::Read);
    let redirected = redirects.filter_map(|redirect| stands(command, &redirect.target));
    // A program without a name for the file still gets its content: `cat < key`.
    if redirected.max() == Some(Relation::At) && !has(LISTERS, &command.name) {
        return Some(Reads::Key);
    }
    // They show that the key is there, and nothing of its content.
    if has(LISTERS, &command.name) {
        return None;
    }
    let code = has(INTERPRETERS, &command.name);
    // Code is not run here as far as it is not understood: to name the key in it is enough.
    if code && command.atom.stdin.as_deref().is_some_and(names_key) {
        return Some(Reads::Key);
    }
    let deep = has(DEEP, &command.name)
        || has(DEEP_BY_OPTION, &command.name)
            && (command.has(&["-r", "-R", "-a", "--recursive", "--archive"])
                || command.args().iter().any(|arg| arg.text.eq_ignore_ascii_case("-recurse")));
    // Backups that leave our folder out are the way that the reason recommends.
    let without = command.args().iter().any(|arg| {
        arg.text.contains("policy-hooks") && (arg.text.contains("exclude") || arg.text.starts_with('!'))
    }) || command.value(&["--exclude", "-x"]).is_some_and(|text| text.contains("policy-hooks"));
    let read = |arg: &Arg| {
        if code && names_key(&arg.text) {
            return Some(Reads::Key);
        }
        candidates(&arg.text)
            .filter_map(|text| {
                // What a search comes across is read one by one.
                let searched = text.contains(mark::ENTRY);
                match stands(command, text)? {
                    Relation::At => Some(Reads::Key),
                    // A folder that holds little else: to take it is to take the key.
                    Relation::Above { near: true } if deep || searched => Some(Reads::Key),
                    Relation::Above { .. } if (deep || searched) && !without => Some(Reads::Around),
                    Relation::Above { .. } => None,
                }
            })
            .max()
    };
    command.args().iter().filter_map(read).max()
}

fn stands(command: &Command<'_>, text: &str) -> Option<Relation> {
    if !protected::may_name(text) && !command.facts.is_kept_folder(&command.atom.cwd) {
        return None;
    }
    protected::key(&command.target(text).path, command.facts)
}

/// The paths that an argument may name: `if=KEY`, `-F file=@KEY`, `-v KEY:/in`.
fn candidates(text: &str) -> impl Iterator<Item = &str> {
    let option = text.starts_with('-') && !text.contains(['/', '\\']);
    let text = Some(text).filter(|_| !option);
    let value = text.and_then(|text| text.split_once('=')).map(|(_, value)| value);
    let sent = text.and_then(|text| text.split_once('@')).map(|(_, file)| file);
    let glued = text.filter(|text| text.starts_with('-')).and_then(|text| text.get(2..));
    [text, value, sent, glued]
        .into_iter()
        .flatten()
        .flat_map(|text| {
            let mounted = text.split_once(':').map(|(from, _)| from).filter(|from| from.len() > 1);
            [Some(text), mounted].into_iter().flatten()
        })
        .filter(|text| !text.is_empty())
}

/// Whether a string in a language names a key.
fn names_key(text: &str) -> bool {
    let Some(at) = text.find("policy-hooks") else { return false };
    let rest = &text[at..];
    let named =
        |word: &str| rest.match_indices(word).any(|(at, _)| rest[..at].ends_with(['/', '\\', '"', '\'']));
    named("approvals") || named("key")
}
