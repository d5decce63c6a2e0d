//! The words of a call: found once, whatever the number of rules that look at them.

use std::borrow::Cow;
use std::cell::OnceCell;

use rules::Command;
use shell::{Arg, Atom, How};

/// A command, with its words once someone has asked.
pub(crate) struct Called<'a> {
    pub(crate) command: Command<'a>,
    plain: OnceCell<Words<'a>>,
    of_git: OnceCell<Words<'a>>,
    own: OnceCell<&'a [Arg]>,
}

impl<'a> Called<'a> {
    pub(crate) fn new(command: Command<'a>) -> Self {
        Self { command, plain: OnceCell::new(), of_git: OnceCell::new(), own: OnceCell::new() }
    }

    /// Its arguments up to the program that it runs with the rest of them: `docker run --rm alpine` of
    /// `docker run --rm alpine ls --all`.
    pub(crate) fn own_args(&self) -> &'a [Arg] {
        self.own.get_or_init(|| own_args(&self.command))
    }

    /// Its words. `sub` stands in front of them: `git-push` in git's own folder is `git push`.
    pub(crate) fn words(&self, sub: Option<&str>) -> &Words<'a> {
        match sub {
            None => self.plain.get_or_init(|| words(self.command.args(), &self.command.name)),
            Some(sub) => self.of_git.get_or_init(|| {
                let mut words = words(self.command.args(), "git");
                for reading in &mut words.readings {
                    reading.insert(0, Cow::Owned(sub.to_owned()));
                }
                words
            }),
        }
    }
}

fn own_args<'a>(command: &Command<'a>) -> &'a [Arg] {
    let args = command.args();
    let atoms = &command.analysis.atoms;
    let Some(this) = atoms.iter().position(|atom| std::ptr::eq(atom, command.atom)) else { return args };
    let led =
        |atom: &&Atom| atom.via.is_some_and(|via| via.parent as usize == this && via.how == How::Arguments);
    let mut rests = atoms.iter().filter(led).filter_map(|led| {
        let own = args.len().checked_sub(led.args.len()).filter(|_| !led.args.is_empty())?;
        let same = args[own..].iter().zip(led.args.iter()).all(|(arg, led)| arg.text == led.text);
        same.then_some(&args[..own])
    });
    rests.next().unwrap_or(args)
}

/// The words of a call: what is neither an option nor, as far as that is known, the value of one.
pub(crate) struct Words<'c> {
    /// Readings of the operands: with unknown options taking the next argument, and without.
    pub(crate) readings: Vec<Vec<Cow<'c, str>>>,
    /// Whether there is only one reading, of which everything is known.
    pub(crate) sure: bool,
}

fn words<'c>(args: &'c [Arg], name: &str) -> Words<'c> {
    let first = reading(args, name, false);
    let mut sure = args.iter().all(|arg| arg.known().is_some());
    // Whether an unknown option takes a value is not known: both readings count.
    let second = reading(args, name, true);
    let mut readings = vec![first];
    if readings[0] != second {
        sure = false;
        readings.push(second);
    }
    Words { readings, sure }
}

/// The operands. `greedy`: an option in front of the first operand that no one knows takes the next argument.
fn reading<'c>(args: &'c [Arg], program: &str, greedy: bool) -> Vec<Cow<'c, str>> {
    let values = catalog::values(program);
    let takes = |option: &str| values.split_ascii_whitespace().any(|known| known == option);
    let mut words = Vec::new();
    let mut args = args.iter();
    let mut options = true;
    while let Some(arg) = args.next() {
        let text = arg.without_unset();
        // A variable that nothing sets disappears, and its word with it.
        if text.is_empty() && !arg.text.is_empty() {
            continue;
        }
        if options && text == "--" {
            options = false;
        } else if options && text.starts_with('-') && text.len() > 1 {
            let unknown = greedy && words.is_empty() && !text.contains('=') && !is_switch(&text, program);
            if takes(&text) || unknown {
                args.next();
            }
        } else {
            words.push(text);
        }
    }
    words
}

/// Whether an option in front of a sub-command leaves the next argument alone: it means the same everywhere, the catalog
/// says so, or it brings its value along (`make -j8`).
fn is_switch(option: &str, program: &str) -> bool {
    let has = |known: &str, wanted: &str| known.split_ascii_whitespace().any(|known| known == wanted);
    matches!(
        option,
        "-q" | "--quiet" | "-v" | "--verbose" | "-h" | "--help" | "--version" | "--debug" | "--no-color"
    ) || has(catalog::switches(program), option)
        || option.get(..2).is_some_and(|letter| letter != "--" && has(catalog::values(program), letter))
}
