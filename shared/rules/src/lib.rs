//! Rules, what they match, and the decision they lead to.
//!
//! [`judge`] analyses command strings and asks the built-in rules about everything that would run. A rule is a
//! value: id, severity, reason, safer way, examples, and one function that says whether it matches.

mod asked;
mod builtin;
mod command;
mod edits;
mod facts;
mod files;
mod folders;
mod judge;
pub mod loss;
mod of_hosts;
mod protected;
mod readable;
mod rule;
mod zone;

pub use builtin::{PROJECT_SETTINGS, families, rule};
pub use command::Command;
pub use edits::{EditFinding, WrittenFinding, decision_on_edits, judge_files, judge_written};
pub use facts::Facts;
pub use files::Files;
pub use folders::folders;
pub use judge::{CommandText, Finding, Judgement, files_read, judge, judge_with, surroundings};
pub use payload::Language;
pub use rule::{Covers, Decision, Family, Profile, Rule, Settings, Severity, When, prompted};
pub use zone::{Target, Zone};
