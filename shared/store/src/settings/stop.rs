//! `stop.toml`: what is checked before an agent may stop.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use crate::settings::document::Document;

/// The file's name in the folders of the machine and the user.
pub const NAME: &str = "stop.toml";

/// The project's file, below the repository's root. Hosts load every `.json` there, and never a `.toml`.
pub const PROJECT_FILE: &str = ".github/hooks/stop.toml";

/// `stop.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    #[serde(default)]
    pub stop: Table,
}

/// The `[stop]` table.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// How often the agent may be held back per prompt.
    pub max_blocks: Option<u32>,
    /// How long all checks together may take, in seconds.
    pub budget_s: Option<u64>,
    /// Whether sub-agents are checked too.
    pub subagents: Option<bool>,
    /// Whether the other checks run after one failed.
    pub run_all: Option<bool>,
    /// Whether conflict markers are looked for.
    pub conflict_markers: Option<bool>,
    #[serde(default)]
    pub check: Vec<Spanned<Check>>,
}

/// A `[[stop.check]]` table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    pub id: String,
    /// A check that starts no program.
    pub builtin: Option<Builtin>,
    /// A program that is to end with 0.
    pub argv: Option<Vec<String>>,
    /// The files that it is about.
    #[serde(default)]
    pub paths: Vec<String>,
    /// How long it may take, in seconds.
    pub timeout_s: Option<u64>,
    /// Environment variables that it gets.
    #[serde(default)]
    pub env: Vec<String>,
}

/// A check that starts no program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Builtin {
    /// No conflict markers among the lines that the session added.
    NoConflictMarkers,
    /// Nothing changed and nothing untracked.
    CleanTree,
    /// No tracked file differs from the last commit.
    Committed,
    /// Every commit of the branch is where it is pushed to.
    Pushed,
    /// No merge, rebase, cherry-pick or revert that is not finished.
    NoMergeInProgress,
    /// No `TODO`, `FIXME`, `XXX` or `HACK` among the lines that the session added.
    NoTodo,
    /// No debug output or breakpoint among the lines that the session added.
    NoDebugOutput,
}

impl Builtin {
    /// Its name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoConflictMarkers => "no_conflict_markers",
            Self::CleanTree => "clean_tree",
            Self::Committed => "committed",
            Self::Pushed => "pushed",
            Self::NoMergeInProgress => "no_merge_in_progress",
            Self::NoTodo => "no_todo",
            Self::NoDebugOutput => "no_debug_output",
        }
    }
}

impl Check {
    /// What is wrong with it, and what to write instead.
    fn mistake(&self) -> Option<(String, &'static str)> {
        let Self { id, builtin, argv, .. } = self;
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if id.is_empty() || id.len() > 64 || !id.chars().all(fits) {
            let what = format!("the id {id:?} must be 1 to 64 letters, digits, `-`, `_` or `.`");
            return Some((what, "give it another id"));
        }
        match (builtin, argv) {
            (Some(_), None) => None,
            (None, Some(argv)) if argv.first().is_some_and(|program| !program.is_empty()) => None,
            (None, Some(_)) => Some((format!("check `{id}` has an empty `argv`"), "name a program")),
            _ => Some((format!("check `{id}` needs either `builtin` or `argv`"), "write one of them")),
        }
    }
}

impl Document for Stop {
    fn sift(&mut self, wrong: &mut dyn FnMut(Range<usize>, String, &str)) {
        self.stop.check.retain(|check| match check.get_ref().mistake() {
            Some((what, hint)) => {
                wrong(check.span(), what, hint);
                false
            }
            None => true,
        });
    }
}
