//! `keep`: what a call would lose is saved, and then it may go through.

use std::time::{Duration, Instant};

use payload::{Event, Language, Reason, Verdict};
use policy::{Action, Effect, Part, Ruling};
use program::Context;
use rules::loss::Line;

use crate::Judged;

/// As much time is left for the answer when something was saved, or could not be.
const ANSWERING: Duration = Duration::from_millis(100);

/// A command that would lose something.
#[derive(Debug)]
pub(crate) struct Losing {
    rule: String,
    /// The text it stands in; none where that is not a POSIX shell's.
    text: Option<String>,
    atom: usize,
    command: String,
    folder: Option<String>,
}

/// The commands of a ruling that may go through once what they would lose was saved.
pub(crate) fn losing(ruling: &Ruling, action: &Action<'_>, folder: Option<&str>) -> Vec<Losing> {
    // The built-in rules say what is lost; a rule of a policy only that it may be saved.
    let kept =
        ruling.findings.iter().filter(|finding| finding.effect == Effect::Keep && finding.file.is_none());
    let losing = kept.filter_map(|finding| {
        let Part::Command { text, atom } = finding.part else { return None };
        let command = action.commands.get(text)?;
        Some(Losing {
            rule: finding.rule.clone(),
            text: (command.language == Language::Posix).then(|| command.text.to_owned()),
            atom,
            command: finding.evidence.clone(),
            folder: folder.map(str::to_owned),
        })
    });
    losing.collect()
}

/// Saves it all.
///
/// # Errors
///
/// Why not all of it could be saved.
pub(crate) fn keep(
    judged: &Judged,
    event: &Event<'_>,
    home: Option<&str>,
    context: &Context,
) -> Result<Verdict, String> {
    let mut lines = Vec::new();
    for losing in &judged.losses {
        let text = losing.text.as_deref().ok_or("what it would lose is not known")?;
        let Losing { atom, command, folder, .. } = losing;
        lines.push(Line { text, atom: *atom, command, cwd: folder.as_deref(), home });
    }
    let left = context.deadline().saturating_duration_since(Instant::now());
    let world = look::Look::new(&|| {}).during(event);
    let kept = world.keep(&lines, left.saturating_sub(ANSWERING))?;
    if let Some(first) = judged.losses.first() {
        context.kept(Reason { text: kept.sentence(), advice: String::new(), rule: first.rule.clone() });
    }
    Ok(kept.verdict(event))
}
