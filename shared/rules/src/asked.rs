//! What has been asked already.

use std::rc::Rc;

use shell::{Analysis, Atom, Redirect};

use crate::command::Command;
use crate::rule::Family;

/// What has been asked already, so that a long script costs little more than its different commands.
pub(crate) struct Asked<'a> {
    analysis: &'a Analysis,
    /// Which families cover a program.
    families: Vec<(String, Rc<[&'static Family]>)>,
    /// Commands that stand alone, by a hash of their arguments.
    alone: Vec<(u64, usize)>,
    /// Pipelines of several stages, in ascending order.
    pipelines: Vec<u32>,
}

/// Whether a redirection opens a connection to a server, as bash does: `> /dev/tcp/HOST/PORT`.
pub(crate) fn connects(redirect: &Redirect) -> bool {
    redirect.target.starts_with("/dev/tcp/") || redirect.target.starts_with("/dev/udp/")
}

/// Commands that are compared with the next one.
const REMEMBERED: usize = 64;

impl<'a> Asked<'a> {
    pub(crate) fn new(analysis: &'a Analysis) -> Self {
        let staged = analysis.atoms.iter().filter(|atom| atom.stage.index > 0);
        let mut pipelines: Vec<u32> = staged.map(|atom| atom.stage.pipeline).collect();
        pipelines.sort_unstable();
        Self { analysis, families: Vec::new(), alone: Vec::new(), pipelines }
    }

    /// The families that cover the program.
    pub(crate) fn families<I: Iterator<Item = &'a &'static Family>>(
        &mut self,
        command: &Command<'_>,
        all: impl Fn() -> I,
    ) -> Rc<[&'static Family]> {
        let name = &*command.name;
        let covers = |family: &&'static Family| family.covers.program(name, command.known);
        // What goes into a connection matters, whoever prints it.
        if command.atom.redirects.iter().any(connects) {
            let covers = |family: &&'static Family| covers(family) || family.covers.program("", None);
            return all().copied().filter(covers).collect();
        }
        if let Some((_, families)) = self.families.iter().find(|(known, _)| known == name) {
            return Rc::clone(families);
        }
        let families: Rc<[&'static Family]> = all().copied().filter(covers).collect();
        self.families.push((name.to_owned(), Rc::clone(&families)));
        families
    }

    /// Whether the very same command was asked about before. One that reads or feeds another is never the same:
    /// rules look at its neighbours.
    pub(crate) fn before(&mut self, index: usize, atom: &Atom) -> bool {
        if atom.stdin.is_some() || self.pipelines.binary_search(&atom.stage.pipeline).is_ok() {
            return false;
        }
        let hash = hash_of(atom);
        let same = |&(known, at): &(u64, usize)| {
            known == hash && {
                let other: &Atom = &self.analysis.atoms[at];
                other.args == atom.args
                    && other.redirects == atom.redirects
                    && other.assigns == atom.assigns
                    && other.cwd == atom.cwd
                    && other.place == atom.place
                    // Whose file it stands in decides how bad it is.
                    && other.file == atom.file
            }
        };
        if self.alone.iter().any(same) {
            return true;
        }
        if self.alone.len() < REMEMBERED {
            self.alone.push((hash, index));
        }
        false
    }
}

/// A quick hash of the arguments, eight bytes at a time (FxHash): equality is checked where it matters.
fn hash_of(atom: &Atom) -> u64 {
    let add = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x517C_C1B7_2722_0A95);
    atom.args.iter().fold(0, |hash, arg| {
        let (words, rest) = arg.text.as_bytes().as_chunks::<8>();
        let hash = words.iter().fold(hash, |hash, word| add(hash, u64::from_le_bytes(*word)));
        // The length tells `a b` from `ab`.
        let rest = rest.iter().fold(arg.text.len() as u64, |rest, byte| rest << 8 | u64::from(*byte));
        add(hash, rest)
    })
}
