//! Questions of our own hooks about a repository: they decide, and do not read hostile repositories themselves.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use keep::{Occasion, Store};
use loss::{Answer, Lost, Stake, Staked, Unreadable};
use rules::loss::{Does, Step};
use rules::{Command, Facts, Zone};
use serde_json::{Value, json};
use shell::Analysis;

use crate::Done;
use crate::fault::{Exit, Fault};
use crate::own::Session;

/// A larger question is not read, in bytes.
const LARGEST: u64 = 1 << 20;

/// Reads a question and prints the answer: `{}` where it is not known.
pub(crate) fn look() -> Done {
    let mut question = Vec::new();
    let asked = std::io::stdin().lock().take(LARGEST).read_to_end(&mut question);
    let answer = asked.ok().and_then(|_| answer(&question)).unwrap_or_else(|| json!({}));
    screen::data(&format!("{answer}\n")).map_err(Fault::Output)?;
    Ok(Exit::Fine)
}

fn answer(question: &[u8]) -> Option<Value> {
    let question: Value = serde_json::from_slice(question).ok()?;
    match question["ask"].as_str()? {
        "loss" => what_is_lost(&question),
        "keep" => Some(match keep(&question) {
            Ok(kept) => kept,
            Err(why) => json!({ "not_kept": why }),
        }),
        "committed" => Some(json!({ "committed": committed(&question)? })),
        "guard" => crate::guard::look(&question),
        _ => None,
    }
}

/// What a command of a line would lose.
fn what_is_lost(question: &Value) -> Option<Value> {
    let (steps, is_made_again) = steps(question)?;
    let session = session(question);
    let said = match staked(&steps, &*is_made_again, session.as_ref()) {
        Ok(all) => joined(all?),
        // What a session has made itself is known to it, whatever git knows.
        Err(Unreadable) if is_all_own(&steps, session.as_ref()) => Answer::Nothing,
        // Of git's own commands, the text says how much they protect.
        Err(Unreadable) if !works_on_files(&steps) => Answer::Unknown,
        Err(Unreadable) => Answer::Unreadable,
    };
    match &said {
        Answer::Nothing => Some(json!({ "nothing": true })),
        Answer::Lost(_) => Some(json!({ "lost": said.list()?, "recoverable": said.is_recoverable() })),
        Answer::Unreadable => Some(json!({ "unreadable": true })),
        Answer::Unknown => None,
    }
}

/// One answer about all repositories.
fn joined(all: Vec<Staked>) -> Answer {
    let mut lost = Vec::new();
    for (said, _) in all {
        if let Answer::Lost(more) = said {
            lost.extend(more);
        }
    }
    if lost.is_empty() { Answer::Nothing } else { Answer::Lost(lost) }
}

/// Whether the last command deletes or overwrites files, whatever git knows of them.
fn works_on_files(steps: &[Step]) -> bool {
    let is_one = |does: &Does| match does {
        Does::Delete { .. } | Does::Overwrite { .. } | Does::Put { .. } | Does::Move { .. } => true,
        // `git diff | patch -R`
        Does::Restore(restore) => restore.lenient && restore.worktree,
        _ => false,
    };
    steps.last().is_some_and(|step| is_one(&step.does))
}

/// Whether a session has made all the files that a command names.
fn is_all_own(steps: &[Step], session: Option<&Session>) -> bool {
    let named = named(steps);
    session.is_some_and(|session| !named.is_empty() && named.iter().all(|path| session.touched(path)))
}

/// The files that the last command deletes or overwrites by their names.
fn named(steps: &[Step]) -> Vec<PathBuf> {
    let atom = steps.last().map(|step| step.atom);
    let mut named = Vec::new();
    for step in steps.iter().filter(|step| Some(step.atom) == atom) {
        match &step.does {
            Does::Delete { paths, .. } | Does::Overwrite { paths } => {
                named.extend(paths.iter().map(|path| Path::new(&step.folder).join(path)));
            }
            _ => return Vec::new(),
        }
    }
    named
}

/// The session in which the question came up, as its host has noted it.
fn session(question: &Value) -> Option<Session> {
    // One that has noted nothing yet has nothing of its own.
    question["transcript"].as_str().map(|path| Session::read(path).unwrap_or_default())
}

/// What the last of the steps would lose that is not the session's own, and all that is at stake.
fn staked(
    steps: &[Step],
    is_made_again: &dyn Fn(&Path) -> bool,
    session: Option<&Session>,
) -> Result<Option<Vec<Staked>>, Unreadable> {
    let Some(mut all) = loss::stakes(steps, is_made_again)? else { return Ok(None) };
    let atom = steps.last().map(|step| step.atom);
    let last: Vec<&Step> = steps.iter().filter(|step| Some(step.atom) == atom).collect();
    for (said, stake) in &mut all {
        let Answer::Lost(lost) = said else { continue };
        let is_own =
            |one: &Lost| last.iter().all(|step| is_own(one, step, &stake.root, session).unwrap_or_default());
        lost.retain(|one| !is_own(one));
        if lost.is_empty() {
            *said = Answer::Nothing;
        }
    }
    Ok(Some(all))
}

/// Whether something that a step would lose is the session's own.
fn is_own(one: &Lost, step: &Step, root: &Path, session: Option<&Session>) -> Option<bool> {
    let (path, untracked) = match one {
        Lost::Changes { path, .. } => (path, false),
        Lost::Untracked { path } => (path, true),
        Lost::Repository { path } => {
            return Some(session?.touched(&root.join(path).join(".git/description")));
        }
        _ => return None,
    };
    let full = root.join(path);
    let names = |named: &String| Path::new(&step.folder).join(named) == full;
    // What overwrites or deletes a file by its name knows it; what discards it may not.
    let (knows, deletes) = match &step.does {
        Does::Overwrite { .. } => (true, false),
        Does::Delete { paths, .. } => (paths.iter().any(names), true),
        _ => (false, false),
    };
    // Where a host tells nothing of its session, what git does not know is most often a draft of the session.
    let Some(session) = session else { return Some(knows && untracked) };
    let knows = knows || deletes && untracked;
    let made = || session.made(&full, loss::committed(root, path)?.as_deref()).then_some(());
    Some(knows && session.touched(&full) || made().is_some())
}

/// Says whether tools make a file or folder again.
type MadeAgain = Box<dyn Fn(&Path) -> bool>;

/// The steps of a line up to the command that is asked about.
fn steps(question: &Value) -> Option<(Vec<Step>, MadeAgain)> {
    let (text, cwd, home) =
        (question["text"].as_str()?, question["cwd"].as_str()?, question["home"].as_str());
    let facts = Facts::here(Some(cwd), home);
    let analysis = shell::analyze(text, rules::surroundings(&facts));
    let at = usize::try_from(question["atom"].as_u64()?).ok()?;
    // Whoever asks has analysed the line as well, and means one of its commands.
    let command = Command::new(&analysis, analysis.atoms.get(at)?, &facts);
    if command.readable() != question["command"].as_str()? {
        return None;
    }
    let steps = rules::loss::steps(text, &analysis, at, &facts)?;
    let (cwd, home) = (cwd.to_owned(), home.map(str::to_owned));
    let made_again = move |path: &Path| {
        let facts = Facts::here(Some(&cwd), home.as_deref());
        is_made_again(path, &analysis, at, &facts)
    };
    Some((steps, Box::new(made_again)))
}

/// Saves what commands would lose, all of it.
fn keep(question: &Value) -> Result<Value, String> {
    const UNKNOWN: &str = "what it would lose is not known";
    let calls = question["calls"].as_array().ok_or(UNKNOWN)?;
    let first = calls.first().ok_or(UNKNOWN)?;
    let home = first["home"].as_str().map(Path::new).filter(|home| home.is_absolute() && home.is_dir());
    let store = Store::of(home.ok_or("no home folder is known")?);
    let limit = Duration::from_millis(question["limit_ms"].as_u64().unwrap_or_default());
    let until = Instant::now() + limit;
    let session = session(question);
    let mut stakes: Vec<Stake> = Vec::new();
    let (mut paths, mut lost) = (Vec::new(), Vec::new());
    for call in calls {
        let (steps, is_made_again) = steps(call).ok_or(UNKNOWN)?;
        if let Ok(Some(all)) = staked(&steps, &*is_made_again, session.as_ref()) {
            for (said, stake) in all {
                let Some(list) = said.list() else { continue };
                lost.push(list);
                match stakes.iter_mut().find(|known| known.root == stake.root) {
                    Some(known) => known.join(stake),
                    None => stakes.push(stake),
                }
            }
        } else {
            let deleted = deleted(&steps).ok_or(UNKNOWN)?;
            lost.extend(deleted.iter().map(|path| path.display().to_string()));
            paths.extend(deleted);
        }
    }
    let command = first["text"].as_str().unwrap_or_default();
    let command = redact::Redactor::untagged().redact(command).text.into_owned();
    let occasion = Occasion { command: &command, lost: &lost.join("; "), until };
    let mut ids = Vec::new();
    for stake in &stakes {
        ids.push(keep::keep_repository(&store, stake, &occasion).map_err(|error| error.to_string())?.id);
    }
    if !paths.is_empty() {
        ids.push(keep::keep_files(&store, &paths, &occasion).map_err(|error| error.to_string())?.id);
    }
    Ok(json!({ "kept": ids, "lost": occasion.lost }))
}

/// The files and folders that `rm` deletes, by absolute paths; `None` where that is not certain.
fn deleted(steps: &[Step]) -> Option<Vec<PathBuf>> {
    let last = steps.last()?;
    let (Does::Delete { paths, .. } | Does::Overwrite { paths }) = &last.does else { return None };
    let place = |path: &String| {
        if path.contains(['*', '\0']) {
            return None;
        }
        let full = Path::new(&last.folder).join(path);
        // As the system reads it: links on the way are followed, what is deleted is not.
        Some(std::fs::canonicalize(full.parent()?).ok()?.join(full.file_name()?))
    };
    paths.iter().map(place).collect()
}

/// Whether tools make a file or folder again: `target`, `node_modules`.
fn is_made_again(path: &Path, analysis: &Analysis, at: usize, facts: &Facts<'_>) -> bool {
    let command = Command::new(analysis, &analysis.atoms[at], facts);
    path.to_str().is_some_and(|path| command.target(path).zone == Zone::Generated)
}

/// Whether files are as they were committed, each.
fn committed(question: &Value) -> Option<Vec<Option<bool>>> {
    let paths = question["paths"].as_array()?.iter();
    Some(paths.map(|path| loss::is_committed(Path::new(path.as_str()?))).collect())
}
