//! `kept`: what was saved before a command lost it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ::keep::{Entry, Occasion, Plan, Store, What};
use audit::{KeptRecord, Writer};
use store::trust::terminal::{self, NoPerson, Person, TELLS};

use crate::Done;
use crate::command_line::{KeptOptions, KeptTask};
use crate::fault::{Exit, Fault};
use crate::paint::{Screen, Tone, one_line, paint};

/// As many files are named; the rest is counted.
const NAMED: usize = 20;

/// How long saving may take that a person waits for.
const PATIENCE: Duration = Duration::from_mins(1);

/// `hook-runner kept`.
pub(crate) fn task(options: &KeptOptions, screen: &Screen) -> Done {
    let store = Store::of(&home()?);
    match options.task.as_ref().unwrap_or(&KeptTask::List { json: false }) {
        KeptTask::List { json } => list(&store, *json, screen),
        KeptTask::Show { id } => show(&store.find(id)?, screen),
        KeptTask::Diff { id } => {
            let patch = ::keep::diff(&store, &store.find(id)?)?;
            // Files may hold what steers a terminal.
            let lines = String::from_utf8_lossy(&patch);
            screen::data(&lines.lines().map(|line| one_line(line) + "\n").collect::<String>())?;
            Ok(Exit::found(!patch.is_empty()))
        }
        KeptTask::Restore { id, paths } => restore(&store, &store.find(id)?, paths, screen),
        KeptTask::Drop { ids, all } => {
            let entries = if *all {
                store.entries()
            } else {
                ids.iter().map(|id| store.find(id)).collect::<Result<_, _>>()?
            };
            drop_all(&store, &entries, screen)
        }
    }
}

fn home() -> Result<PathBuf, Fault> {
    std::env::home_dir()
        .filter(|home| home.is_absolute())
        .ok_or_else(|| Fault::usage("No home folder is known.", "Set HOME to an absolute path."))
}

fn list(store: &Store, json: bool, screen: &Screen) -> Done {
    let entries = store.entries();
    if json {
        screen.say(&format!("{}\n", serde_json::to_string_pretty(&entries).unwrap_or_default()))?;
        return Ok(Exit::Fine);
    }
    let mut text = String::new();
    for entry in &entries {
        let _ = writeln!(text, "{}  {}", paint(Tone::Name, &entry.id), one_line(&entry.command));
        let _ = writeln!(text, "  {}: {}", one_line(entry.place()), one_line(&entry.lost));
    }
    if entries.is_empty() {
        text.push_str("Nothing is kept.\n");
    } else {
        text.push_str("\nhook-runner kept restore ID brings it back; the beginning of the id is enough.\n");
    }
    screen.say(&text)?;
    Ok(Exit::Fine)
}

fn show(entry: &Entry, screen: &Screen) -> Done {
    let mut text = format!("{}\n", paint(Tone::Name, &entry.id));
    let _ = writeln!(text, "  command  {}", one_line(&entry.command));
    let _ = writeln!(text, "  in       {}", one_line(entry.place()));
    let _ = writeln!(text, "  lost     {}", one_line(&entry.lost));
    named(&mut text, "file", entry.paths().into_iter());
    if let What::Tree(tree) = &entry.what {
        named(&mut text, "branch", tree.references.iter().map(|reference| reference.name.as_str()));
        named(&mut text, "stash", tree.stashes.iter().map(|stash| stash.message.as_str()));
        let _ = writeln!(text, "  in git   refs/policy-hooks/kept/{}/state", entry.id);
    }
    screen.say(&text)?;
    Ok(Exit::Fine)
}

/// Some names under one word.
fn named<'n>(text: &mut String, word: &str, names: impl Iterator<Item = &'n str>) {
    let names: Vec<&str> = names.collect();
    for name in names.iter().take(NAMED) {
        let _ = writeln!(text, "  {word:<8} {}", one_line(name));
    }
    if names.len() > NAMED {
        let _ = writeln!(text, "  {word:<8} and {} more", names.len() - NAMED);
    }
}

fn restore(store: &Store, entry: &Entry, paths: &[String], screen: &Screen) -> Done {
    let plan = ::keep::plan(store, entry, paths)?;
    let moves = plan.references().count();
    if plan.files() + moves > 0 && !agreed(&plan)? {
        screen.say("Nothing was changed.\n")?;
        return Ok(Exit::Found);
    }
    // What restoring overwrites can be had again in turn.
    if !plan.overwrites().is_empty() {
        let before = keep_first(store, entry, &plan)?;
        screen.say(&format!("What is there now is kept as {before}.\n"))?;
    }
    crate::paint::patiently("restoring", || plan.run())?;
    record("restored", entry, screen)?;
    let mut restored = Vec::new();
    if plan.files() > 0 {
        restored.push(screen::several(plan.files(), "file"));
    }
    if matches!(&entry.what, What::Tree(tree) if paths.is_empty() && tree.index) {
        restored.push("the index".to_owned());
    }
    if moves > 0 {
        restored.push(screen::several(moves, "reference"));
    }
    let restored = if restored.is_empty() { "nothing".to_owned() } else { restored.join(" and ") };
    screen.say(&format!("Restored {restored}.\n"))?;
    if !plan.filtered().is_empty() {
        let mut text = "These are made by a filter of the repository, which only git runs; `git checkout -- PATH` brings them back:\n".to_owned();
        named(&mut text, "file", plan.filtered().iter().map(String::as_str));
        screen.say(&text)?;
    }
    Ok(Exit::Fine)
}

/// Whether it may be done: without a word where nothing is overwritten that is nowhere else.
fn agreed(plan: &Plan<'_>) -> Result<bool, Fault> {
    if plan.overwrites().is_empty() {
        return Ok(true);
    }
    let mut text = "This overwrites what is nowhere else:\n".to_owned();
    named(&mut text, "now", plan.overwrites().iter().map(String::as_str));
    let person = person().map_err(|why| {
        let hint =
            format!("{text}{} Or restore single files: `hook-runner kept restore ID PATH`.", why.hint());
        Fault::usage(format!("A person must agree: {why}."), hint)
    })?;
    Ok(person.agrees(&text)?)
}

/// Keeps what restoring overwrites, and says as what.
fn keep_first(store: &Store, entry: &Entry, plan: &Plan<'_>) -> Result<String, Fault> {
    let command = format!("hook-runner kept restore {}", entry.id);
    let lost = plan.overwrites().join(", ");
    let occasion = Occasion { command: &command, lost: &lost, until: Instant::now() + PATIENCE };
    let kept = match &entry.what {
        What::Tree(tree) => {
            let unknown = || ::keep::KeepError::NoRepository {
                root: (&tree.root).into(),
                why: "its state is not understood, such as the middle of a merge".to_owned(),
            };
            let mut stake = loss::all_at_stake(Path::new(&tree.root), &|_| false).ok_or_else(unknown)?;
            stake.references.extend(plan.references().map(|(name, now)| (name.to_owned(), now)));
            ::keep::keep_repository(store, &stake, &occasion)?
        }
        What::Files(_) => {
            let paths: Vec<PathBuf> = plan.overwrites().iter().map(PathBuf::from).collect();
            ::keep::keep_files(store, &paths, &occasion)?
        }
    };
    Ok(kept.id)
}

fn drop_all(store: &Store, entries: &[Entry], screen: &Screen) -> Done {
    // First who asks: an agent drops nothing, whatever it is.
    let person = person()?;
    let mut text = "This deletes what was kept:\n".to_owned();
    let saved = |entry: &Entry| format!("{}  {}", entry.id, entry.command);
    let saved: Vec<String> = entries.iter().map(saved).collect();
    named(&mut text, "kept", saved.iter().map(String::as_str));
    text += "It cannot be brought back then.\n\nDelete it?";
    if entries.is_empty() || !person.agrees(&text)? {
        screen.say("Nothing was dropped.\n")?;
        return Ok(Exit::Found);
    }
    for entry in entries {
        ::keep::drop(store, entry)?;
        record("dropped", entry, screen)?;
    }
    screen.say(&format!("Dropped {}.\n", screen::several(entries.len(), "entry")))?;
    Ok(Exit::Fine)
}

/// Notes in the audit log what became of an entry. It is done by then: a log that cannot be written to is only reported.
fn record(value: &'static str, entry: &Entry, screen: &Screen) -> Result<(), Fault> {
    let kept = KeptRecord { value, id: &entry.id, command: &entry.command, folder: entry.place() };
    let version = env!("CARGO_PKG_VERSION");
    let writer = Writer { program: "hook-runner", version, policy: "kept", elapsed: Duration::ZERO };
    if let Err(error) = audit::kept(&kept, &writer) {
        screen.say(&format!("It is not in the audit log: {error}. {}\n", error.hint()))?;
    }
    Ok(())
}

/// The person, where the system tells who types.
fn person() -> Result<Person, NoPerson> {
    if TELLS { terminal::person() } else { Err(NoPerson::Unseen) }
}
