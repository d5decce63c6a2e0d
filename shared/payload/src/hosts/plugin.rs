//! What plugins of ours send and obey, where a host has no hooks but plugins: `shared/host/src/hosts/*.js`.

use super::late::CAREFUL;
use super::traits::{Answers, Envelope, Own, PLAIN, Traits, Word};
use crate::address::Address;
use crate::field::Field;
use crate::host::Dialect;
use crate::kind::EventKind as E;
use crate::model::{Effect, Ended, Outcome, Run, filled, object};
use crate::own;

static OWN: Own = Own {
    nothing: &[],
    deny: &[Word::Is("decision", "block"), Word::Reason("reason")],
    ask: &[],
    blocks: &[(E::Stop, &[Word::Is("decision", "block"), Word::Reason("reason")])],
    context: "context",
};

pub(super) const BY_PLUGIN: Traits = Traits {
    dialects: &[Dialect::Own],
    answers: Answers {
        blocks: &[E::Stop],
        context: &[E::SessionStart, E::UserPromptSubmit, E::PostToolUse],
        own: Some(&OWN),
        ..CAREFUL
    },
    envelope: Some(&Envelope { fields: &[(Field::EventName, "event")], ..Envelope::NONE }),
    posix_tools: &["bash"],
    ..PLAIN
};

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    // Before a tool, everything but an answer is a denial.
    if from.kind.is_before_tool() && (run.ended != Ended::Exited(0) || object(run.stdout).is_none()) {
        return Outcome::of(Effect::Deny, filled(run.stderr));
    }
    own::read(&OWN, from, run, false)
}
