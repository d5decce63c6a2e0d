//! Policy files: what a team allows, asks about and denies.
//!
//! [`layers::find`] finds the files of a call, [`layers::Stack`] reads them, and [`decide`] judges an [`Action`] by all
//! of them. Restrictions of every layer add up; what loosens needs a layer that may. A mistake in a file never
//! switches a restriction off.

mod action;
mod agents;
mod case;
mod certainty;
pub mod cli;
mod decide;
mod error;
mod finding;
mod glob;
mod language;
pub mod layers;
mod matching;
mod model;
mod once;
mod programs;
mod read;
mod scripts;
mod toml;

pub use action::{Action, AgentStart, McpCall, Part, Parts};
pub use decide::{Rewritten, Ruling, decide, decide_judged, judged_as_said};
pub use error::{PolicyError, Problem};
pub use finding::{BROKEN, Finding};
pub use model::{Effect, Layer, May, More, Policy, Rule, Scripts, ToolWord};
pub use programs::Programs;
pub use read::{MAX_FILE, read};
pub use scripts::Owners;
