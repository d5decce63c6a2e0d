//! Answers of hosts that have a form of their own: written and read as their traits have it.

use crate::address::Address;
use crate::hosts::{Own, Word};
use crate::json::Json;
use crate::model::{Effect, Ended, Outcome, Run, block_effect, filled, member, object};
use crate::render::{RenderError, unasked};
use crate::verdict::{Decision, Reply, Verdict};
use crate::write::{Letters, Object};

/// A verdict in a host's own form.
pub(crate) fn render(own: &Own, verdict: &Verdict, to: &Address<'_>) -> Result<Reply, RenderError> {
    let refuse = |what| Err(RenderError::NoSuchForm { what, host: to.host, event: to.kind });
    let exits = to.host.traits().answers.exits;
    match verdict {
        Verdict::NoOpinion if to.kind.is_before_tool() => Ok(said(own.nothing, "")),
        Verdict::NoOpinion => Ok(Reply::nothing()),
        Verdict::Decide { decision, .. } if !to.kind.is_before_tool() => refuse(decision.as_str()),
        Verdict::Decide { decision: Decision::Deny, reason } => Ok(firmly(own.deny, reason.render(), exits)),
        Verdict::Decide { decision: Decision::Ask, reason } if to.can_ask() => {
            Ok(said(own.ask, &reason.render()))
        }
        Verdict::Decide { decision: Decision::Ask, .. } => render(own, &unasked(verdict.clone()), to),
        Verdict::Decide { decision: Decision::Allow, .. } => refuse("allow"),
        Verdict::Block { reason } => match own.blocks.iter().find(|(kind, _)| *kind == to.kind) {
            Some((_, words)) => Ok(firmly(words, reason.render_lines(), exits)),
            None => refuse("block"),
        },
        Verdict::Context(text) if text.trim().is_empty() => Err(RenderError::EmptyText { what: "context" }),
        Verdict::Context(text) if to.host.traits().answers.context.contains(&to.kind) => {
            let mut object = Object::new(Letters::Ascii, text.len() + 64);
            object.text(own.context, text);
            Ok(Reply { stdout: object.finish(), ..Reply::nothing() })
        }
        Verdict::Context(_) => refuse("add context"),
        Verdict::Rewrite { input, .. } if Json::new(input).is_none() => Err(RenderError::InputNotAnObject),
        Verdict::Rewrite { .. } => refuse("rewrite a tool call"),
        Verdict::Notice(text) if text.trim().is_empty() => Err(RenderError::EmptyText { what: "notice" }),
        Verdict::Notice(_) => refuse("show a notice"),
    }
}

fn said(words: &[Word], reason: &str) -> Reply {
    let mut object = Object::new(Letters::Ascii, words.len() * (reason.len() + 32));
    for word in words {
        match word {
            Word::Is(key, value) => object.text(key, value),
            Word::Flag(key, value) => object.flag(key, *value),
            Word::Reason(key) => object.text(key, reason),
        };
    }
    Reply { stdout: object.finish(), ..Reply::nothing() }
}

/// What holds something back: with the exit code, too, where that is what counts.
fn firmly(words: &[Word], reason: String, exits: bool) -> Reply {
    let reply = said(words, &reason);
    if exits { Reply { stderr: reason, exit: 2, ..reply } } else { reply }
}

/// What a host makes of an answer in its own form, if it reads JSON whatever the exit code; 2 holds back by itself where
/// the host heeds it.
pub(crate) fn read(own: &Own, from: &Address<'_>, run: &Run<'_>, heeds_code: bool) -> Outcome {
    let kind = from.kind;
    let code = match run.ended {
        Ended::Exited(code) => code,
        Ended::Signalled | Ended::TimedOut | Ended::NotStarted => {
            return Outcome::ignored("the hook failed");
        }
    };
    let blocks = own.blocks.iter().find(|(of, _)| *of == kind).map(|(_, words)| *words);
    if let Some(json) = object(run.stdout) {
        if kind.is_before_tool() {
            for (words, effect) in [(own.deny, Effect::Deny), (own.ask, Effect::Ask)] {
                if is_said(words, json) {
                    return Outcome::of(effect, reason(words, json));
                }
            }
        } else if let Some(words) = blocks.filter(|words| is_said(words, json)) {
            return Outcome::of(Effect::Block, reason(words, json));
        }
        if from.host.traits().answers.context.contains(&kind) {
            return Outcome { context: member(Some(json), own.context), ..Outcome::default() };
        }
    }
    if heeds_code && code == 2 && (kind.is_before_tool() || blocks.is_some()) {
        return Outcome::of(block_effect(kind), filled(run.stderr));
    }
    if code == 0 { Outcome::default() } else { Outcome::ignored("the hook failed") }
}

fn is_said(words: &[Word], json: Json<'_>) -> bool {
    let holds = |word: &Word| match word {
        Word::Is(key, value) => json.get_str(key).as_deref() == Some(*value),
        Word::Flag(key, value) => json.get(key).and_then(Json::as_bool) == Some(*value),
        // A host that goes on when it is given a message has no other word for it.
        Word::Reason(key) => words.len() > 1 || json.get_str(key).is_some_and(|text| !text.trim().is_empty()),
    };
    !words.is_empty() && words.iter().all(holds)
}

fn reason(words: &[Word], json: Json<'_>) -> Option<String> {
    let key =
        words.iter().rev().find_map(|word| if let Word::Reason(key) = word { Some(*key) } else { None });
    member(Some(json), key?)
}
