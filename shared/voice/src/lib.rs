//! One voice for one finding.
//!
//! `command-blocker` and `approval-gate` look for the same things, and neither is silent because the other speaks: the other
//! may be killed, late, or not heard. So both deny. Most hosts then show one reason; some join them all, and the model and
//! the person would read every finding twice. There, whoever comes second says that it denies as well, and no more.
//!
//! Who is second is decided by a claim in the session's state: whoever is about to speak leaves one, and whoever finds the
//! other's takes it away. Where the host names each call, the claim stays, and every one after the first is second: a program
//! that the user's hooks and the project's both start, too. What cannot be read or kept means that both speak in full.

mod claim;
mod foretold;

use std::path::Path;
use std::time::SystemTime;

use payload::{Decision, Event, Reason, Verdict};
use program::Context;
use store::session::{Owner, Store};

use claim::{Call, Claim};
pub use foretold::{foretold, hears};

/// The name of the record in which claims stand.
const CLAIMS: &str = "voice";

/// The verdict as it is; the host receives less where another program of ours has already said the same of this call.
///
/// Costs nothing where nothing is held back.
pub fn once(verdict: Verdict, event: &Event<'_>, context: &Context) -> Verdict {
    let Verdict::Decide { decision, reason } = &verdict else { return verdict };
    if *decision == Decision::Allow || !event.address().joins(*decision) {
        return verdict;
    }
    // Who only watches says nothing, and what a person tries out leaves nothing behind.
    if context.enforces() && !context.is_drill() && is_second(*decision, reason, event, context) {
        // A question that reaches no one is sent as a denial.
        let asks = *decision == Decision::Ask && event.reach().holds();
        let (decision, does) = if asks { (Decision::Ask, "asks about") } else { (Decision::Deny, "denies") };
        let reason = Reason::new(format!("{} {does} it as well.", context.program().name));
        context.say(Verdict::Decide { decision, reason });
    }
    verdict
}

fn is_second(decision: Decision, reason: &Reason, event: &Event<'_>, context: &Context) -> bool {
    let Some(session) = event.session_id().filter(|id| !id.is_empty()) else { return false };
    context.may_block();
    // A home that is not there is not made, and one that depends on the folder at work is the project's.
    let home = context.home().filter(|home| Path::new(home).is_absolute() && Path::new(home).is_dir());
    let Some(home) = home else { return false };
    let store = Store::of(Path::new(&home));
    let now = SystemTime::now();
    store.sweep(now);
    let record = store.record(Owner::Session { host: event.host.as_str(), id: &session }, CLAIMS);
    // Word for word: what the other has not said is not left out.
    let said = [decision.as_str(), &reason.render()];
    let claim = Claim::new(context.program().name, &Call::of(event), &said, now);
    claim.take(&record).unwrap_or(false)
}
