//! Copies of secrets: files by which they leave the folder where others cannot read them.

use shell::{Atom, path};

use super::checks::{encodes, hands_out_secret, repeats_secret, tells_secret};
use crate::builtin::paths;
use crate::command::Command;
use crate::zone::{Target, Zone};

/// Whether keys or credentials are copied or packed into a file outside of the home folder.
pub(super) fn copies_secret(command: &Command<'_>) -> bool {
    let operands = command.operands();
    let packs = match &*command.name {
        // To a server is `secrets.send-file`'s.
        "cp" | "gcp" | "rsync" | "install" | "ginstall" => {
            let Some((to, from)) = operands.split_last() else { return false };
            let leaves =
                !matches!(command.target(&to.text).zone, Zone::Home | Zone::HomeInside | Zone::HomeSettings);
            return leaves
                && !to.text.contains(':')
                && from.iter().any(|arg| keeps_keys(&command.target(&arg.text)));
        }
        "tar" | "gtar" | "bsdtar" => {
            let first = command.args().first().map_or("", |arg| arg.text.as_str());
            let old = !first.starts_with('-')
                && first.contains('c')
                && first.bytes().all(|b| b.is_ascii_alphabetic());
            old || command.has(&["-c", "--create", "-r", "--append"])
        }
        "zip" => true,
        // What lies there, every program may read.
        "pbcopy" | "xclip" | "xsel" | "wl-copy" | "clip" => {
            return super::checks::reads_secret_file(command, command.atom);
        }
        "7z" | "7za" | "7zz" | "7zr" => command.sub(&["a"]),
        _ => false,
    };
    packs && operands.iter().any(|arg| keeps_keys(&command.target(&arg.text)))
}

/// Whether it is a key, a credential, or a folder that is there for them; an application's own settings are copied
/// from one checkout to the next every day.
fn keeps_keys(target: &Target) -> bool {
    const FOLDERS: &[&str] = &[
        ".ssh",
        ".aws",
        ".gnupg",
        ".kube",
        ".azure",
        ".password-store",
        ".config/gcloud",
        ".local/share/keyrings",
    ];
    let folder = || {
        let path = target.folder();
        target
            .below_home(&format!("{}/", path.trim_end_matches('/')))
            .is_some_and(|inside| FOLDERS.contains(&inside.trim_end_matches('/')))
    };
    paths::is_secret(target) && !paths::is_environment(target.file_name()) || folder()
}

/// Copies of copies that are followed.
const MAX_COPIES: usize = 3;

/// Whether a file holds a secret because this command has put one there: `cat KEY > x; curl -T x …`.
pub(super) fn carries_secret(command: &Command<'_>, file: &str) -> bool {
    carries(command, &path::join(&command.atom.cwd, file), MAX_COPIES)
}

fn carries(command: &Command<'_>, sent: &str, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let holds = |atom: &Atom| {
        tells_secret(command, atom)
            || hands_out_secret(command, atom)
            || repeats_secret(command, atom)
            || copies(atom) && {
                let words = atom.args.iter().skip(1).filter(|arg| !arg.text.starts_with('-'));
                let mut full =
                    words.flat_map(|arg| [&*atom.cwd, &folder(atom)].map(|base| path::join(base, &arg.text)));
                full.any(|from| {
                    let is_key = |path: &str| paths::is_secret(&command.target(path));
                    from != sent && (encodes(atom) && is_key(&from) || carries(command, &from, depth))
                })
            }
    };
    let atoms = || command.analysis.atoms.iter();
    // What one stage reads, a later one of the same pipeline writes.
    atoms()
        .filter(|atom| writes(atom, sent))
        .any(|atom| holds(atom) || command.analysis.feeders(atom).any(holds))
}

/// Whether a command puts into a file what it reads, or a folder of that file: `cp KEY folder; tar cf x folder`.
fn writes(atom: &Atom, file: &str) -> bool {
    let is_it = |name: &str| path::is_within(file, &path::join(&atom.cwd, name));
    let written = atom.redirects.iter().filter(|redirect| redirect.flow != shell::Flow::Read);
    written.map(|redirect| path::join(&atom.cwd, &redirect.target)).any(|name| name == file)
        || copies(atom)
            && atom.args.iter().skip(1).any(|arg| is_it(arg.text.strip_prefix("of=").unwrap_or(&arg.text)))
}

/// The folder in which an atom finds what it copies: `tar cf x -C FOLDER file`.
fn folder(atom: &Atom) -> String {
    let mut words = atom.args.iter().map(|arg| arg.text.as_str()).skip_while(|word| *word != "-C");
    let named = words.nth(1).filter(|_| atom.program() == "tar");
    named.map_or_else(|| atom.cwd.to_string(), |folder| path::join(&atom.cwd, folder))
}

fn copies(atom: &Atom) -> bool {
    matches!(
        &*atom.program(),
        "cp" | "mv" | "tar" | "zip" | "7z" | "gzip" | "tee" | "dd" | "gpg" | "openssl" | "install"
    )
}

/// Whether what is sent stays on this machine: every address is its own.
pub(super) fn stays_here(command: &Command<'_>) -> bool {
    let operands = command.operands();
    let mut hosts = operands.iter().filter_map(|arg| host(&arg.text)).peekable();
    hosts.peek().is_some()
        && hosts.all(|host| matches!(host, "localhost" | "127.0.0.1" | "[::1]" | "::1" | "0.0.0.0"))
}

/// The host of an address, with or without a scheme: `http://localhost:3000/x`, `localhost:3000`, `127.0.0.1`.
pub(super) fn host(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once("://").map_or((false, text), |(_, rest)| (true, rest));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or("");
    let authority = authority.rsplit('@').next().unwrap_or(authority);
    let host = if authority.starts_with('[') {
        authority.find(']').map_or(authority, |end| &authority[..=end])
    } else {
        authority.split(':').next().unwrap_or(authority)
    };
    (scheme || host.contains('.') || host == "localhost" || host == "[").then_some(host)
}
