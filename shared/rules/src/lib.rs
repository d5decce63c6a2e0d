//! Rules, what they match, and the decision they lead to.
//!
//! [`judge`] analyses command strings and asks the built-in rules about everything that would run. A rule is a
//! value: id, severity, reason, safer way, examples, and one function that says whether it matches.

mod asked;
mod builtin;
pub mod calls;
mod command;
mod edits;
mod facts;
mod files;
mod folders;
mod head;
mod judge;
pub mod loss;
mod made;
mod of_hosts;
pub mod places;
mod protected;
mod readable;
mod rule;
mod table;
mod zone;

pub use builtin::{PROJECT_SETTINGS, families, rule};
pub use command::{Command, is_option};
pub use edits::{
    EditFinding, Foretold, Script, decision_on_edits, denied_in_files, foretell, judge_files, scripts_made,
    scripts_written,
};
pub use facts::Facts;
pub use files::{Files, MAX_ENTRIES};
pub use folders::folders;
pub use head::Head;
pub use judge::{CommandText, Finding, Judgement, files_read, judge, judge_with, surroundings};
pub use payload::Language;
pub use rule::{Covers, Decision, Family, Profile, Rule, Settings, Severity, When, prompted};
pub use zone::{Target, Zone};
