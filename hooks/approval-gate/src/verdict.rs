//! A ruling in the words of the host.

use std::borrow::Cow;

use payload::{Decision, Event, Reason, Verdict};
use policy::{Effect, Finding, Ruling};

/// The verdict of a ruling, for the host of the event.
pub(crate) fn of(ruling: &Ruling, event: &Event<'_>) -> Verdict {
    let of_settings =
        |finding: &Finding| finding.rule == rules::PROJECT_SETTINGS && finding.excepted.is_none();
    let decision = match ruling.answer {
        // What keeps is settled before.
        None | Some(Effect::Note | Effect::Keep) => return Verdict::NoOpinion,
        Some(Effect::Allow) => Decision::Allow,
        // A question that the host does not ask becomes a denial.
        Some(Effect::Ask) if !event.asks_about_settings() && ruling.findings.iter().any(of_settings) => {
            Decision::Deny
        }
        Some(Effect::Ask) => Decision::Ask,
        Some(Effect::Deny) => Decision::Deny,
    };
    let verdict = Verdict::Decide { decision, reason: reason(ruling) };
    // Codex and Gemini cannot be told to allow: their own questions stay.
    if decision == Decision::Allow && payload::render(&verdict, &event.address()).is_err() {
        return Verdict::NoOpinion;
    }
    verdict
}

/// What matched, why it matters, what to do instead, and the rule.
fn reason(ruling: &Ruling) -> Reason {
    let counts = |finding: &&Finding| {
        finding.excepted.is_none() && !matches!(finding.effect, Effect::Note | Effect::Keep)
    };
    let mut findings: Vec<&Finding> = ruling.findings.iter().filter(counts).collect();
    // An ask that becomes a denial here comes before one that stays an ask.
    findings.sort_by_key(|finding| std::cmp::Reverse((finding.on_host(ruling.can_ask), finding.effect)));
    let Some((worst, others)) = findings.split_first() else { return Reason::new("The policy says so.") };
    let unasked = worst.effect == Effect::Ask && ruling.answer == Some(Effect::Deny);
    matched(worst, unasked, others.iter().map(|finding| &*finding.rule))
}

/// What one finding says; `unasked`: of a question that reaches no one.
pub(crate) fn matched<'f>(worst: &Finding, unasked: bool, others: impl Iterator<Item = &'f str>) -> Reason {
    let why = if worst.reason.is_empty() { "The policy says so." } else { &worst.reason };
    let mut why = Cow::Borrowed(why);
    if unasked {
        why.to_mut().push_str(" A person must approve this, and no one can be asked here.");
    }
    Reason { advice: worst.instead.clone(), ..Reason::matched(&worst.evidence, &why, &worst.rule, others) }
}
