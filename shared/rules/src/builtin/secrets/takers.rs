//! What a substitution takes of secrets, and whether someone shows it again.

use shell::{Atom, Flow, Place};

use super::checks::PRINTER;
use super::shown::{Kept, shows_output};
use crate::builtin::given::is_given;
use crate::command::Command;

/// Commands that print what others have printed, one inside the other, which are followed.
const MAX_DEPTH: usize = 4;

/// Whether a substitution takes what its pipeline prints, and shows it to no one.
pub(super) fn is_handed_on(command: &Command<'_>) -> bool {
    is_taken(command) && !is_shown(command, MAX_DEPTH)
}

/// Whether a substitution takes what the command's pipeline prints.
fn is_taken(command: &Command<'_>) -> bool {
    // What a redirection leads away does not reach the substitution.
    let is_led =
        |atom: &Atom| atom.redirects.iter().any(|redirect| redirect.fd == 1 && redirect.flow != Flow::Read);
    let taken = |atom: &Atom| atom.captured && !is_led(atom);
    let is_last = |atom: &&Atom| command.analysis.readers(atom).next().is_none();
    std::iter::once(command.atom).chain(command.readers()).filter(is_last).all(taken)
}

/// Whether someone prints again what a substitution has taken.
fn is_shown(command: &Command<'_>, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    command.analysis.atoms.iter().filter(|taker| is_given(command, taker, command.atom)).any(|taker| {
        let taker = Command::new(command.analysis, taker, command.facts);
        repeats(&taker)
            && taker.atom.place == Place::Here
            && shows_output(&taker, Kept::Secret)
            && (!is_taken(&taker) || is_shown(&taker, depth))
    })
}

/// Whether a command prints its arguments, or the string that it is fed.
fn repeats(command: &Command<'_>) -> bool {
    command.is(&["echo", "printf", "print"])
        || command.is_kind(PRINTER) && command.atom.stdin.is_some() && command.operands().is_empty()
}
