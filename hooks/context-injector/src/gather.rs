//! All facts of one place, and never later than promised.
//!
//! Whatever touches the project runs on a thread of its own: a pipe among git's files, a huge tree or a slow disk stop
//! that thread and not the answer. What it has not reported by then is named.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use payload::EventKind;
use store::trust::Trust;

use crate::budget::{Block, block};
use crate::facts::{self, Fact, Sources, own};
use crate::settings::Settings;

/// How long all commands of the settings may take.
const COMMANDS: Duration = Duration::from_secs(5);

/// What is kept of the time for saying what was found out.
const SAYING: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) block: Block,
    /// Whether the event is one on which the facts are wanted.
    pub(crate) wanted: bool,
    /// What a person has to know.
    pub(crate) notes: Vec<String>,
}

/// What the thread tells.
enum News {
    /// The settings that hold here, and whether the user trusts the repository, with its top folder.
    Place(Box<Settings>, PathBuf, bool),
    /// What a fact says, or that there is none.
    Told(Fact, Option<String>),
    /// Why git's facts are missing.
    Refused(&'static str),
}

/// The facts around `folder`. `event`: what happened, if the settings should be asked whether that matters. `begun`: since
/// when someone waits.
pub(crate) fn gather(
    folder: &Path,
    home: Option<&Path>,
    event: Option<EventKind>,
    begun: Instant,
    until: Instant,
) -> Gathered {
    let mut settings = Settings::own(home);
    let (tell, news) = mpsc::channel();
    let (own, here, house) = (settings.clone(), folder.to_owned(), home.map(Path::to_owned));
    let started =
        // Where no thread can be had nothing is looked at: without one, a pipe could hold up the answer.
        thread::Builder::new().spawn(move || look(&here, house.as_deref(), own, event, &tell)).is_ok();
    let mut found: Vec<(Fact, Option<String>)> = Vec::new();
    let mut refused = None;
    let mut place = None;
    let mut late = !started;
    loop {
        // Some time is kept for writing the answer.
        let limit = (begun + settings.look.saturating_sub(SAYING.min(settings.look / 10))).min(until);
        match news.recv_timeout(limit.saturating_duration_since(Instant::now())) {
            Ok(News::Place(here, root, trusted)) => {
                settings = *here;
                place = Some((root, trusted));
            }
            Ok(News::Told(fact, text)) => found.push((fact, text)),
            Ok(News::Refused(why)) => refused = Some(why),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                late = true;
                break;
            }
        }
    }
    let wanted = event.is_none_or(|event| settings.on.contains(&event));
    let mut lines = Vec::new();
    let mut missing = Vec::new();
    for fact in &settings.facts {
        match found.iter().find(|(known, _)| known == fact) {
            Some((_, Some(text))) => lines.push(format!("{}: {text}", fact.as_str())),
            Some((_, None)) => {}
            // The model must not take silence for a clean tree.
            None if late && *fact == Fact::Dirty => {
                lines.push(format!("dirty: status not read within {} ms", settings.look.as_millis()));
            }
            None => missing.push(fact.as_str()),
        }
    }
    if let Some(why) = refused {
        lines.insert(0, format!("git: not read, {why}"));
    }
    if late && !missing.is_empty() {
        lines.push(format!("not read within {} ms: {}", settings.look.as_millis(), missing.join(", ")));
    }
    // After the thread's time: commands have a limit of their own, and run only where an answer is wanted.
    if wanted
        && !settings.withheld
        && let Some((root, trusted)) = &place
    {
        // A command must not find a hostile repository around itself by accident.
        let start = if *trusted { Some(root.as_path()) } else { home };
        let until = until.min(Instant::now() + COMMANDS);
        let told = start.map(|start| own::tell(&settings.commands, start, until)).unwrap_or_default();
        lines.extend(told.into_iter().map(|(id, text)| format!("{id}: {text}")));
    }
    // Whatever was found out: a broken file may have kept it from being reported.
    if settings.withheld {
        lines.clear();
    }
    Gathered { block: block(&lines, settings.max_chars), wanted, notes: settings.notes }
}

/// Finds everything out, the cheap facts first.
fn look(
    folder: &Path,
    home: Option<&Path>,
    own: Settings,
    event: Option<EventKind>,
    tell: &mpsc::Sender<News>,
) {
    let Some(sources) = Sources::around(folder, home) else { return };
    // Trust that cannot be read is none, so the project's file only makes the block smaller.
    let trust = home.and_then(|home| Trust::read(&store::trust::file(home)).ok()).unwrap_or_default();
    let settings = own.with_project(&trust, &sources.root);
    let sources = sources.limited(&settings);
    let trusted = trust.has_repository(&sources.root);
    let news = News::Place(Box::new(settings.clone()), sources.root.clone(), trusted);
    // Known only here: the project's file may say on which events nothing is wanted.
    let unwanted = settings.withheld || event.is_some_and(|event| !settings.on.contains(&event));
    if tell.send(news).is_err() || unwanted {
        return;
    }
    if let Some(why) = sources.refused {
        let _ = tell.send(News::Refused(why));
    }
    // The status is the only slow fact, and comes last.
    let late = |fact: &&Fact| **fact == Fact::Dirty;
    let first = settings.facts.iter().filter(|fact| !late(fact));
    for fact in first.chain(settings.facts.iter().filter(late)) {
        if tell.send(News::Told(*fact, facts::tell(*fact, &sources))).is_err() {
            return;
        }
    }
    // Taking apart what libgit2 holds costs time that no one has: the process is about to end.
    std::mem::forget(sources);
}
