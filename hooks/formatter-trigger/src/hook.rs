//! What an edit, a stop and a prompt lead to.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use payload::{Event, Verdict};
use store::transcript;

use crate::choose::{self, Moment};
use crate::folder;
use crate::format::{Outcome, format, format_at};
use crate::installed::is_installed;
use crate::memory;
use crate::report::Said;
use crate::workspace::Workspace;

/// Files were edited: they are formatted, or wait for the agent to stop.
pub(crate) fn edited(
    event: &Event<'_>,
    workspace: &Workspace,
    files: &[Cow<'_, str>],
    at_stop: bool,
) -> Said {
    let mut said = Said { person: workspace.settings.notes.clone(), ..Said::default() };
    // Where each file is, as its path says, and without links.
    let places: Vec<(PathBuf, Option<PathBuf>)> = files
        .iter()
        .map(|file| workspace.folder.join(&**file))
        .map(|full| {
            let real = folder::real(&full).ok();
            (full, real)
        })
        .collect();
    let installed = |(full, real): &(PathBuf, Option<PathBuf>)| {
        let real = real.as_deref().filter(|real| real.as_os_str() != full.as_os_str());
        is_installed(full) || real.is_some_and(is_installed)
    };
    if places.iter().any(installed) {
        // From here on, what is installed in the project may be the agent's own code.
        let mark = workspace.tools_edited();
        if let Err(error) = mark.mark(b"") {
            said.whispers.push(format!("{error}. {}", error.hint()));
        }
    }
    let mut waiting = Vec::new();
    for (full, real) in places {
        if !choose::is_known(workspace, &full) {
            continue;
        }
        if at_stop || choose::waits(workspace, &full) {
            waiting.push(full.to_string_lossy().into_owned());
        }
        if !at_stop {
            let outcome = format_at(workspace, real, Moment::Edit);
            said.add(workspace.relative(&full).unwrap_or(&full), &outcome);
        }
    }
    process::end_leftovers();
    if !waiting.is_empty()
        && let Err(why) = memory::change(event, workspace, |memory| memory.wait(waiting))
    {
        said.whispers.push(why);
    }
    once(event, workspace, said)
}

/// The agent stops: what waits is formatted. It is never held back.
pub(crate) fn stop(event: &Event<'_>, workspace: &Workspace) -> Said {
    if !memory::is_there(event, workspace) {
        return Said::default();
    }
    // What was edited last need not be on the disk yet.
    for (path, left) in transcript::files_to_come(event) {
        let written = || std::fs::metadata(&path).is_ok_and(|facts| facts.len() > 0);
        program::wait(workspace.until.min(Instant::now() + left), written);
    }
    let waiting = memory::change(event, workspace, |memory| std::mem::take(&mut memory.waiting));
    let mut said = Said::default();
    for file in waiting.unwrap_or_default() {
        let path = Path::new(&file);
        let outcome = format(workspace, path, Moment::Stop);
        said.add(workspace.relative(path).unwrap_or(path), &outcome);
    }
    process::end_leftovers();
    // A stop carries no word to the model without holding it back: the next prompt does.
    let news = std::mem::take(&mut said.model);
    said.person.extend(news.iter().map(|text| text.lines().next().unwrap_or_default().to_owned()));
    if !news.is_empty() {
        let _ = memory::change(event, workspace, |memory| memory.news.extend(news));
    }
    once(event, workspace, said)
}

/// The user sent a prompt: the model learns what was rewritten since.
pub(crate) fn prompt(event: &Event<'_>, workspace: &Workspace) -> Said {
    // What a sub-agent reads, the agent that the person talks to does not.
    if !memory::is_there(event, workspace) || transcript::is_prompt_of_sub_agent(event) {
        return Said::default();
    }
    workspace.store().sweep(SystemTime::now());
    let news = memory::change(event, workspace, |memory| std::mem::take(&mut memory.news));
    Said { model: news.unwrap_or_default(), ..Said::default() }
}

/// `said` without what the person has read before.
fn once(event: &Event<'_>, workspace: &Workspace, mut said: Said) -> Said {
    if said.person.is_empty() {
        return said;
    }
    // What goes to stderr, as there is something for the model, was not shown yet.
    let heard = said.model.is_empty() && !matches!(said.clone().for_host(event).0, Verdict::NoOpinion);
    if heard {
        let texts = std::mem::take(&mut said.person);
        // Who cannot remember tells it each time.
        said.person =
            memory::change(event, workspace, |memory| memory.untold(texts.clone())).unwrap_or(texts);
    }
    said
}

/// What became of a file, for people.
pub(crate) fn sentence(path: &Path, outcome: &Outcome) -> String {
    let mut said = Said::default();
    said.add(path, outcome);
    let shown = payload::one_line(&path.to_string_lossy());
    match outcome {
        Outcome::Unchanged => format!("{shown} is already formatted."),
        Outcome::Skipped(skip) => {
            format!("{shown} stays as it is: {}.", payload::one_line(&skip.to_string()))
        }
        _ => [said.model, said.person, said.whispers].concat().join("\n"),
    }
}
