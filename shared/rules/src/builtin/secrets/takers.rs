//! Who is given what a command prints: by a substitution in its words, or by a variable that has taken it.

use shell::{Atom, Flow, How, Place, Via};

use super::checks::PRINTER;
use super::shown::{Kept, shows_output};
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

/// Whether `taker` is given what `printer` prints, as a word or in one.
pub(crate) fn is_given(command: &Command<'_>, taker: &Atom, printer: &Atom) -> bool {
    encloses(taker, printer) || is_handed(command, taker, printer)
}

/// Whether a substitution with `printer` stands in the text of `taker`.
pub(super) fn encloses(taker: &Atom, printer: &Atom) -> bool {
    printer.file == taker.file
        && printer.span.start > taker.span.start
        && printer.span.end <= taker.span.end
        && printer.stage.pipeline != taker.stage.pipeline
}

/// Whether a variable hands on what `printer` prints to `taker`, or to what runs it: `sudo echo "$x"`.
fn is_handed(command: &Command<'_>, taker: &Atom, printer: &Atom) -> bool {
    let handed = &command.analysis.handed;
    if handed.is_empty() {
        return false;
    }
    let atoms = &command.analysis.atoms;
    let place = |atom: &Atom| atoms.iter().position(|known| std::ptr::eq(known, atom));
    let (Some(taker), Some(printer)) = (place(taker), place(printer)) else { return false };
    let mut leading = std::iter::successors(Some(taker), |at| {
        let is_trap = |via: &Via| atoms.get(via.parent as usize).is_some_and(|atom| atom.program() == "trap");
        let via = atoms[*at].via.filter(|via| via.how == How::Arguments || is_trap(via))?;
        // Whoever leads to an atom stands before it.
        Some(via.parent as usize).filter(|parent| parent < at)
    });
    leading.any(|taker| handed.iter().any(|handed| handed.to == taker && handed.atoms.contains(&printer)))
}
