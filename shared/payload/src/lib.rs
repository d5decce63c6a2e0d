//! Every host's hook JSON in, every host's hook JSON out.
//!
//! No I/O and no policy: bytes become an [`Event`] ([`parse`]), a [`Verdict`] becomes a [`Reply`] ([`render`]). [`model`]
//! reads a reply as the host would.
//!
//! ```
//! use payload::{Decision, Hints, Reason, Verdict, parse, render};
//!
//! let stdin = br#"{"sessionId":"s","timestamp":1,"cwd":"/p","toolName":"bash","toolArgs":{"command":"git push -f"}}"#;
//! let event = parse(stdin, Hints::default())?;
//! assert_eq!(event.commands()[0].text, "git push -f");
//!
//! let verdict = Verdict::Decide { decision: Decision::Deny, reason: Reason::new("This rewrites shared history.") };
//! let reply = render(&verdict, &event.address())?;
//! assert_eq!(
//!     reply.stdout,
//!     r#"{"permissionDecision":"deny","permissionDecisionReason":"This rewrites shared history."}"#
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
mod asking;
mod command;
mod detect;
mod edit;
mod error;
mod event;
mod expand;
mod field;
mod host;
mod hosts;
mod json;
mod keys;
mod kind;
mod language;
pub mod model;
mod own;
mod parse;
mod patch;
mod path;
mod quote;
mod render;
mod scan;
mod settings;
mod shown;
mod sql;
mod tool;
mod unfamiliar;
mod uri;
mod verdict;
mod view;
pub mod write;

pub use address::Address;
pub use asking::{Asking, PersonSearch, Reach, asking};
pub use command::ShellCommand;
pub use edit::{Change, Edit, Piece};
pub use error::PayloadError;
pub use event::{AgentRef, Event};
pub use field::{Defect, Field};
pub use host::{Dialect, Host, UnknownHost};
pub use hosts::{AgentForm, AgentPlace, Agents, Attended, Compared, Kept, Root, Traits};
pub use json::{Json, JsonType};
pub use kind::{EventKind, UnknownEvent};
pub use language::Language;
pub use parse::{Hints, parse};
pub use patch::patched;
pub use path::{Access, TouchedPath};
pub use quote::quote;
pub use render::{RenderError, render, unasked};
pub use scan::MAX_DEPTH;
pub use settings::CLAUDE_SETTINGS;
pub use shown::{is_unsafe, one_line};
pub use tool::{Tool, ToolKind};
pub use verdict::{Decision, MAX_REASON, Reason, Reply, Verdict};
pub use view::{AgentStart, McpCall};
