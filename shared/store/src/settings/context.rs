//! `context.toml`: what a model learns about a repository.

use std::ops::Range;

use payload::EventKind;
use serde::Deserialize;
use toml::Spanned;

use crate::settings::document::Document;

/// The name of the machine's and the user's file.
pub const NAME: &str = "context.toml";

/// The project's file, below its root. Hosts load every `.json` there, and never a `.toml`.
pub const PROJECT_FILE: &str = ".github/hooks/context.toml";

/// `context.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Context {
    #[serde(default)]
    pub context: Table,
}

/// The `[context]` table.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The facts that are wanted, the most important one first.
    pub facts: Option<Vec<Fact>>,
    /// How long the block may be, in characters.
    pub max_chars: Option<usize>,
    /// How long the repository may be looked at, in milliseconds.
    pub git_deadline_ms: Option<u64>,
    /// Above so many entries in the index the status is not read.
    pub max_index_entries: Option<u32>,
    /// When the facts are reported.
    pub on: Option<Vec<Spanned<String>>>,
    /// Commands whose output is a fact.
    #[serde(default)]
    pub fact: Vec<Spanned<Command>>,
}

/// A `[[context.fact]]` table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Command {
    /// The fact's name.
    pub id: String,
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// How long it may take, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// Environment variables that it gets.
    #[serde(default)]
    pub env: Vec<String>,
}

/// A kind of fact. The order is the usual one, the most important first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fact {
    /// The project's name and version.
    Project,
    /// What is checked out, and how far it is from what it follows.
    Branch,
    /// What was begun and is not finished.
    Operation,
    /// What is not committed.
    Dirty,
    /// Hooks and policies that are not what was trusted.
    Hooks,
    /// What the policy files say.
    Policy,
    /// The versions of tools that files ask for.
    Toolchain,
    /// The package manager, by its lock file.
    Packages,
    /// The names of commands that test, lint, build and format.
    Scripts,
    /// The last subjects; only when asked for.
    Commits,
    /// The head of `TODO`; only when asked for.
    Todo,
    /// Where the remotes are; only when asked for.
    Remotes,
    /// Today; only when asked for.
    Date,
}

impl Fact {
    /// All.
    pub const ALL: [Self; 13] = [
        Self::Project,
        Self::Branch,
        Self::Operation,
        Self::Dirty,
        Self::Hooks,
        Self::Policy,
        Self::Toolchain,
        Self::Packages,
        Self::Scripts,
        Self::Commits,
        Self::Todo,
        Self::Remotes,
        Self::Date,
    ];

    /// Those that no one has to ask for.
    pub const USUAL: [Self; 9] = [
        Self::Project,
        Self::Branch,
        Self::Operation,
        Self::Dirty,
        Self::Hooks,
        Self::Policy,
        Self::Toolchain,
        Self::Packages,
        Self::Scripts,
    ];

    /// The word in the settings, and in front of the line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Branch => "branch",
            Self::Operation => "operation",
            Self::Dirty => "dirty",
            Self::Hooks => "hooks",
            Self::Policy => "policy",
            Self::Toolchain => "toolchain",
            Self::Packages => "packages",
            Self::Scripts => "scripts",
            Self::Commits => "commits",
            Self::Todo => "todo",
            Self::Remotes => "remotes",
            Self::Date => "date",
        }
    }
}

/// The event of that name, if facts can be reported then.
pub fn event(name: &str) -> Option<EventKind> {
    let kind = name.parse::<EventKind>().ok()?;
    matches!(kind, EventKind::SessionStart | EventKind::SubagentStart).then_some(kind)
}

impl Command {
    /// What is wrong with it, and what to write instead.
    fn mistake(&self) -> Option<(String, &'static str)> {
        let Self { id, argv, .. } = self;
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        // The id stands in front of the fact in what the model reads: it must not look like anything else.
        if id.is_empty() || id.len() > 32 || !id.chars().all(fits) {
            let what = format!("the id {id:?} must be 1 to 32 letters, digits, `-`, `_` or `.`");
            return Some((what, "give it another id"));
        }
        argv.first()
            .is_none_or(String::is_empty)
            .then(|| (format!("the fact `{id}` has an empty `argv`"), "name a program"))
    }
}

impl Document for Context {
    fn sift(&mut self, wrong: &mut dyn FnMut(Range<usize>, String, &str)) {
        for name in self.context.on.iter().flatten() {
            if event(name.get_ref()).is_none() {
                let what = format!("`on` is {:?}, but must be SessionStart or SubagentStart", name.get_ref());
                wrong(name.span(), what, "write one of the two");
            }
        }
        self.context.fact.retain(|command| match command.get_ref().mistake() {
            Some((what, hint)) => {
                wrong(command.span(), what, hint);
                false
            }
            None => true,
        });
    }
}
