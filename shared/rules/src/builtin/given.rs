//! Who is given what a command prints: by a substitution in its words, or by a variable that has taken it.

use shell::{Atom, How, Via};

use crate::command::Command;

/// Whether `taker` is given what `printer` prints, as a word or in one.
pub(super) fn is_given(command: &Command<'_>, taker: &Atom, printer: &Atom) -> bool {
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
