//! What a record says: who did what, where, and what was decided. Redacted, and never larger than
//! [`crate::LARGEST_RECORD`].

mod draft;
mod event;
mod granted;
mod guard;
mod kept;

use payload::write::{Letters, Object};

use crate::chain::Head;
use crate::segment::Segment;
use crate::tail::Torn;
use crate::time;

pub use draft::Level;
pub use event::{About, Decided, decision, event, unreadable};
pub use granted::Granted;
pub(crate) use granted::granted;
pub use guard::{Files, Guard, Mode, Program as GuardProgram};
pub use kept::Kept;
pub(crate) use kept::kept;

/// The version of the records' form.
pub const VERSION: u64 = 1;

/// A record's first members.
fn start(kind: &str) -> Object {
    let now = time::now();
    // Letters stay as they are: people read the log in a terminal.
    let mut object = Object::new(Letters::Shown, 2048);
    object.number("v", VERSION);
    object.text("id", &time::identifier(now));
    object.text("ts", &time::stamp(now));
    object.text("kind", kind);
    object
}

/// The first record of a file.
pub(crate) fn begin(follows: Option<&Segment>) -> String {
    let mut object = start("begin");
    if let Some(segment) = follows {
        object.text("follows", &segment.name());
    }
    object.unfinished()
}

/// In the place of bytes that are not a record: what a crash left behind, or someone else wrote.
pub(crate) fn gap(torn: &Torn) -> String {
    let mut object = start("gap");
    object.object("gap", |gap| {
        gap.number("bytes", torn.bytes);
        gap.text("sha256", &torn.sha256);
    });
    object.unfinished()
}

/// In the place of files that were too old to be kept: how each of them ended.
pub(crate) fn expired(heads: &[(&Segment, Head)]) -> String {
    // The last one vouches for all before it; more than a few would not fit.
    const SHOWN: usize = 64;
    let mut object = start("expired");
    let shown = heads.iter().skip(heads.len().saturating_sub(SHOWN)).map(|(segment, head)| {
        let mut one = Object::new(Letters::Shown, 192);
        one.text("file", &segment.name()).number("seq", head.seq).text("hash", head.hash());
        one.finish()
    });
    object.list("expired", &shown.collect::<Vec<_>>());
    object.unfinished()
}
