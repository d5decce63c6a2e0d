//! What was predicted against what happened.

use shell::{Analysis, NoteKind, mark};

use super::generator::{Case, RECORDERS};
use super::stage::Performance;

/// A call as it is predicted: arguments that may hold marks.
type Predicted = Vec<String>;

/// Why prediction and performance do not agree. Nothing, if they do.
pub(crate) fn disagreement(case: &Case, analysis: &Analysis, performance: &Performance) -> Option<String> {
    if analysis.notes.iter().any(|note| note.kind == NoteKind::Syntax) {
        return Some("bash takes it, we find a mistake in its syntax".to_owned());
    }
    let predicted = predicted(analysis);
    let unknown = |arg: &String| arg.contains(|c| mark::is_hole(c) && c != mark::UNSET);
    if case.exact && predicted.iter().flatten().any(unknown) {
        return Some(format!("could be known: {}\n  ran: {:?}", readable(&predicted), performance.calls));
    }
    let mut left = predicted.clone();
    let mut calls = performance.calls.clone();
    if case.repeats {
        for list in [&mut left, &mut calls] {
            list.sort();
            list.dedup();
        }
    }
    for call in &calls {
        match left.iter().position(|predicted| agrees(predicted, call)) {
            Some(index) if case.exact => {
                left.remove(index);
            }
            Some(_) => {}
            None => return Some(format!("not predicted: {call:?}\n  predicted: {}", readable(&predicted))),
        }
    }
    if case.exact && !left.is_empty() {
        return Some(format!("never ran: {}\n  ran: {:?}", readable(&left), performance.calls));
    }
    if case.exact && !case.repeats && is_sequential(&case.text) {
        let ordered =
            predicted.iter().zip(&performance.calls).all(|(predicted, call)| agrees(predicted, call));
        if !ordered {
            return Some(format!("another order: {}\n  ran: {:?}", readable(&predicted), performance.calls));
        }
    }
    None
}

/// The recorders that the analysis expects to run.
fn predicted(analysis: &Analysis) -> Vec<Predicted> {
    let recorders = analysis.atoms.iter().filter(|atom| RECORDERS.contains(&&*atom.program()));
    recorders
        .map(|atom| {
            let mut args: Predicted = atom.args.iter().map(|arg| arg.text.clone()).collect();
            args[0] = atom.program().into_owned();
            args
        })
        .collect()
}

/// Whether nothing in a command runs at the same time as, or before, what stands left of it.
fn is_sequential(text: &str) -> bool {
    !text.contains('|')
        && !text.contains('&')
        && !text.contains("coproc")
        && !text.contains("trap")
        && !text.contains("<(")
}

/// Whether a call is what was predicted.
fn agrees(predicted: &[String], call: &[String]) -> bool {
    match (predicted.split_first(), call.split_first()) {
        (None, None) => true,
        (Some((first, rest)), others) => {
            // What is not known may be empty, and then it is not an argument at all unless it stands in quotes.
            let vanishes = !first.is_empty() && first.chars().all(mark::is_hole);
            others.is_some_and(|(call, others)| is_argument(first, call) && agrees(rest, others))
                || vanishes && agrees(rest, call)
        }
        (None, Some(_)) => false,
    }
}

/// Whether an argument is what was predicted. What `find` prints is predicted as an absolute path.
fn is_argument(predicted: &str, real: &str) -> bool {
    let entry = predicted.find(mark::ENTRY);
    let below = entry.and_then(|entry| real.strip_prefix("./").map(|real| fits(&predicted[entry..], real)));
    below.unwrap_or(false) || fits(predicted, real)
}

/// Whether a string is what was predicted, where anything may stand for what is not known.
fn fits(predicted: &str, real: &str) -> bool {
    let mut chars = predicted.chars();
    let Some(first) = chars.next() else { return real.is_empty() };
    let rest = chars.as_str();
    match first {
        mark::UNSET => fits(rest, real),
        mark::ENTRY => {
            let ends = real.char_indices().map(|(at, _)| at).chain([real.len()]);
            ends.into_iter().any(|end| fits(rest, &real[end..]))
                || rest.strip_prefix('/').is_some_and(|rest| fits(rest, real))
        }
        first if mark::is_hole(first) || first == mark::STAR => {
            let mut ends = real.char_indices().map(|(at, _)| at).chain([real.len()]);
            ends.any(|end| fits(rest, &real[end..]))
        }
        mark::ANY => real.chars().next().is_some_and(|c| fits(rest, &real[c.len_utf8()..])),
        first => {
            let first = mark::readable(first.encode_utf8(&mut [0; 4])).into_owned();
            real.strip_prefix(&first).is_some_and(|real| fits(rest, real))
        }
    }
}

fn readable(calls: &[Predicted]) -> String {
    let calls: Vec<Vec<_>> =
        calls.iter().map(|call| call.iter().map(|arg| mark::readable(arg)).collect()).collect();
    format!("{calls:?}")
}
