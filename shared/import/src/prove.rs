//! What is carried over is tried: every example of every rule, alone and together with the others.

use policy::cli::{Outcome, test};
use policy::layers::Source;
use policy::{Layer, layers::today};

use crate::draft::{Draft, Effect, Example, Kind};
use crate::{About, Place, Remark, Sort, write};

/// The rules that do what their examples say.
pub(crate) fn prove(
    drafts: Vec<Draft>,
    mut lost: Vec<(About, Place)>,
    remarks: &mut Vec<Remark>,
) -> Vec<Draft> {
    let mut good = Vec::with_capacity(drafts.len());
    for mut draft in drafts {
        // A rule by meaning is tried first, a rule about the text of the command if that does not hold.
        if alone(&mut draft) || second_try(&mut draft) {
            good.push(draft);
        } else {
            let why = match draft.effect {
                Effect::Allow => {
                    "a built-in rule holds it back, or it runs another program that nothing allows"
                }
                _ => "no rule of ours matches it",
            };
            // A restriction that is lost makes it unsafe to carry over what it restricted.
            if draft.effect != Effect::Allow {
                lost.push((draft.is_about(), draft.place));
            }
            left(&draft, why, remarks);
        }
    }
    good.retain(|draft| {
        let like = |(about, _): &&(About, Place)| *about == About::Everything || *about == draft.is_about();
        let Some((_, place)) = lost.iter().find(like).filter(|_| draft.effect == Effect::Allow) else {
            return true;
        };
        left(draft, &format!("{place} held back some of it, and is not carried over"), remarks);
        false
    });
    together(good, remarks)
}

fn left(draft: &Draft, why: &str, remarks: &mut Vec<Remark>) {
    let entry = draft.entry();
    // What was said about a rule that is not there is of no use.
    remarks.retain(|remark| remark.place != entry.place || remark.original != entry.original);
    remarks.push(Remark {
        place: entry.place,
        original: entry.original,
        sort: Sort::Left,
        why: why.to_owned(),
    });
}

/// Tries a rule by itself, and takes out examples that do not hold. Whether it is of use.
fn alone(draft: &mut Draft) -> bool {
    let Some(outcomes) = outcomes(&write::alone(draft)) else { return false };
    // The first example is the original's own.
    if outcomes.first().is_none_or(|outcome| outcome.fault.is_some()) || draft.matches.is_empty() {
        return false;
    }
    let holds: Vec<bool> = outcomes.iter().map(|outcome| outcome.fault.is_none()).collect();
    let (matches, spares) = holds.split_at(draft.matches.len().min(holds.len()));
    keep(&mut draft.matches, matches);
    keep(&mut draft.spares, spares);
    // A rule about strings needs an example of each kind.
    !(matches!(draft.kind, Kind::Text(_)) && draft.spares.is_empty())
}

fn second_try(draft: &mut Draft) -> bool {
    let Some(kind) = draft.fallback.take() else { return false };
    draft.kind = kind;
    alone(draft)
}

fn source(text: &str) -> Source {
    // As it will be once it lies where policies do. x
    Source { trusted: true, ..Source::of(Layer::User, "policy.toml", text) }
}

/// The outcomes of a file in which nothing is wrong.
fn outcomes(text: &str) -> Option<Vec<Outcome>> {
    let source = source(text);
    let report = policy::cli::check(&source, &[], today(), -1);
    // Our own output must not need a second look.
    if !report.errors.is_empty() || !report.warnings.is_empty() {
        return None;
    }
    Some(test(&source, &[], false).outcomes)
}

/// Takes out what the other rules overrule.
fn together(mut drafts: Vec<Draft>, remarks: &mut Vec<Remark>) -> Vec<Draft> {
    let allows = |draft: &Draft| draft.effect == Effect::Allow;
    // Each turn takes out at least one rule, and what it overruled may hold again: there is no third turn to win.
    for _ in 0..3 {
        if !drafts.iter().any(allows) {
            break;
        }
        // What holds back does so whatever else is there; only a rule about strings cannot be without examples.
        let tried: Vec<Draft> = drafts
            .iter()
            .map(|draft| {
                let kept = allows(draft) || matches!(draft.kind, Kind::Text(_));
                let examples = |all: &[Example]| if kept { all.to_vec() } else { Vec::new() };
                let (matches, spares) = (examples(&draft.matches), examples(&draft.spares));
                Draft { matches, spares, ..draft.clone() }
            })
            .collect();
        let text = write::file("policy", crate::Format::Claude, &tried, &[]);
        let mut outcomes = test(&source(&text), &[], false).outcomes.into_iter();
        let mut tried = tried.iter();
        let mut any = false;
        drafts.retain_mut(|draft| {
            let count = tried.next().map_or((0, 0), |tried| (tried.matches.len(), tried.spares.len()));
            let own = outcomes.by_ref().take(count.0 + count.1);
            let holds: Vec<bool> = own.map(|outcome| outcome.fault.is_none()).collect();
            if !allows(draft) {
                return true;
            }
            let (matches, spares) = holds.split_at(count.0.min(holds.len()));
            // Without its own example a rule has nothing to show for itself.
            if matches.first() != Some(&true) {
                any = true;
                left(draft, "another rule of this file holds it back", remarks);
                return false;
            }
            any |= holds.contains(&false);
            keep(&mut draft.matches, matches);
            keep(&mut draft.spares, spares);
            true
        });
        if !any {
            break;
        }
    }
    drafts
}

fn keep(examples: &mut Vec<Example>, holds: &[bool]) {
    let mut holds = holds.iter();
    examples.retain(|_| holds.next() == Some(&true));
}
