//! Permission rules of coding agents as a policy of ours.
//!
//! [`import`] reads what a host lets people write, and gives a policy file that passes `policy check` and `policy test`,
//! with [`Remark`]s: what could not be carried over, what leaked in the original, what is stricter now. What allows is
//! carried over only where our rule allows nothing that the original did not; what asks or denies may become wider.

mod claude;
mod codex;
mod copilot;
mod cursor;
mod draft;
mod expression;
mod format;
mod gemini;
mod json;
mod managed;
mod opencode;
mod pattern;
mod prove;
mod report;
mod starlark;
mod vscode;
mod words;
mod write;

use std::fmt;

pub use format::Format;
pub use report::{json, text};

use draft::{Draft, Effect};

/// The largest text that is read, in bytes.
pub const MAX_SIZE: usize = 1 << 20;
/// Rules that are carried over; no one wrote more by hand.
const MAX_RULES: usize = 1_000;

/// A place in a string, both numbers from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

/// A string that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {message}", place.line, place.column)]
pub struct Broken {
    pub place: Place,
    /// What is wrong, and what to do.
    pub message: String,
}

/// What there is to say about an entry of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// It is not in the policy.
    Left,
    /// Ways round it in the original, which our rule closes where it is one.
    Leaky,
    /// Our rule holds back more than it did.
    Stricter,
}

/// One thing to know about an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Where the entry stands.
    pub place: Place,
    /// The entry.
    pub original: String,
    /// What kind of thing.
    pub sort: Sort,
    /// The thing.
    pub why: String,
}

/// What came of a string.
#[derive(Debug, Clone, Default)]
pub struct Imported {
    /// The policy file.
    pub policy: String,
    /// The ids of its rules, each with the place of its entry.
    pub rules: Vec<(String, Place)>,
    /// In the order of the text.
    pub remarks: Vec<Remark>,
}

impl Imported {
    /// What is not in the policy.
    pub fn left(&self) -> impl Iterator<Item = &Remark> {
        self.remarks.iter().filter(|remark| remark.sort == Sort::Left)
    }
}

/// A string to carry over.
#[derive(Debug, Clone, Copy)]
pub struct Source<'s> {
    /// What the report calls it.
    pub name: &'s str,
    pub text: &'s str,
    /// Whose rules they are.
    pub format: Format,
    /// Whether it is known to belong to a repository, so that paths from its root mean those of the repository.
    pub of_project: bool,
}

/// Carries over a string.
///
/// # Errors
///
/// When the text is not in the format.
pub fn import(source: &Source<'_>) -> Result<Imported, Broken> {
    let Source { name, text, format, of_project } = *source;
    if text.len() > MAX_SIZE {
        let message = format!("larger than {} MiB", MAX_SIZE >> 20);
        return Err(Broken { place: Place { line: 1, column: 1 }, message });
    }
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut found = Found {
        text: body,
        of_project,
        names_hosts: false,
        drafts: Vec::new(),
        remarks: Vec::new(),
        lost: Vec::new(),
    };
    match format {
        Format::Claude => claude::read(&mut found)?,
        Format::VsCode => vscode::read(&mut found)?,
        Format::Copilot => copilot::read(&mut found)?,
        Format::Codex => codex::read(&mut found)?,
        Format::Gemini => gemini::read(&mut found)?,
        Format::Managed => managed::read(&mut found)?,
        Format::Cursor => cursor::read(&mut found)?,
        Format::OpenCode => opencode::read(&mut found)?,
        Format::Qwen => claude::qwen(&mut found)?,
    }
    let Found { mut drafts, mut remarks, lost, .. } = found;
    // Before the proof, which judges every example of every rule.
    if drafts.len() > MAX_RULES {
        let place = drafts[MAX_RULES].place;
        return Err(Broken { place, message: format!("more than {MAX_RULES} rules: split the file") });
    }
    draft::number(&mut drafts, format);
    let drafts = prove::prove(drafts, lost, &mut remarks);
    remarks.sort_by_key(|remark| (remark.place, remark.sort));
    // Several alternatives of one entry may have the same remark.
    remarks.dedup();
    let rules = drafts.iter().map(|draft| (draft.id.clone(), draft.place)).collect();
    let policy = write::file(name, format, &drafts, &remarks);
    // Checked at the end: reasons and examples make a policy longer than what it came from.
    if policy.len() > policy::MAX_FILE {
        let message = "the policy would be larger than one may be: split the file".to_owned();
        return Err(Broken { place: Place { line: 1, column: 1 }, message });
    }
    Ok(Imported { policy, rules, remarks })
}

/// What has been found in a string so far.
struct Found<'t> {
    text: &'t str,
    of_project: bool,
    /// Whether a rule about fetching names a host alone, without `domain:`.
    names_hosts: bool,
    drafts: Vec<Draft>,
    remarks: Vec<Remark>,
    /// What held something back and is not carried over.
    lost: Vec<(About, Place)>,
}

/// What a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    Commands,
    Files,
    Hosts,
    Mcp,
    Agents,
    Everything,
}

impl Found<'_> {
    fn place(&self, at: usize) -> Place {
        let (line, column) = host::tree::position(self.text, at);
        Place { line, column }
    }

    fn broken(&self, at: usize, message: impl Into<String>) -> Broken {
        Broken { place: self.place(at), message: message.into() }
    }

    fn remark(&mut self, entry: &Entry, sort: Sort, why: impl Into<String>) {
        let (place, original) = (entry.place, entry.original.clone());
        self.remarks.push(Remark { place, original, sort, why: why.into() });
    }

    fn left(&mut self, entry: &Entry, why: impl Into<String>) {
        self.remark(entry, Sort::Left, why);
    }

    /// Something that held back is lost: what allows the like may allow too much without it.
    fn lost(&mut self, permission: Permission<'_>, about: About, why: impl Into<String>) {
        if permission.effect != Effect::Allow {
            self.lost.push((about, permission.entry.place));
        }
        self.left(permission.entry, why);
    }

    fn leaky(&mut self, entry: &Entry, why: impl Into<String>) {
        self.remark(entry, Sort::Leaky, why);
    }

    fn stricter(&mut self, entry: &Entry, why: impl Into<String>) {
        self.remark(entry, Sort::Stricter, why);
    }

    fn entry(&self, at: usize, original: impl Into<String>) -> Entry {
        Entry { place: self.place(at), original: original.into() }
    }
}

/// An entry of the original.
#[derive(Debug, Clone)]
struct Entry {
    place: Place,
    original: String,
}

/// What an entry says about whatever it names.
#[derive(Debug, Clone, Copy)]
struct Permission<'e> {
    entry: &'e Entry,
    effect: Effect,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
