//! `status`: who is guarded here, at a glance. Nothing is run; `doctor` does that.

use std::fmt::Write as _;
use std::path::PathBuf;

use host::Product;
use host::installed::PROGRAMS;
use payload::EventKind;
use serde_json::{Value, json};

use crate::Done;
use crate::command_line::StatusOptions;
use crate::fault::Exit;
use crate::guard::DECIDING;
use crate::own_settings;
use crate::paint::{Screen, Tone, columns, one_line, paint};
use crate::policy::standing::Bundled;
use crate::project::Project;

/// How a host stands.
pub(crate) enum State {
    /// Our programs that its hooks call, one of which decides about calls.
    Guarded,
    /// Some of our programs, and none that decides.
    Watched,
    /// It is here, and no hook of ours is.
    Bare,
    /// Why its hooks do not run.
    Off(String),
    /// Neither the host nor a hook of ours is here.
    Absent,
}

struct Standing {
    product: Product,
    state: State,
    hooks: Vec<&'static str>,
}

/// `hook-runner status`.
pub(crate) fn status(options: &StatusOptions, screen: &Screen) -> Done {
    let project = Project::around(options.project.as_deref())?;
    let hosts: Vec<Standing> = Product::ALL.into_iter().map(|product| standing(product, &project)).collect();
    let looked = own_settings::look(&project);
    let log = log(&project);
    let pending = crate::approve::pending();
    let bundle = Bundled::here();
    let bare = |host: &Standing| !matches!(host.state, State::Guarded | State::Absent);
    let found = hosts.iter().any(bare) || !looked.mistakes.is_empty() || bundle.is_bad();
    let files: Vec<String> = looked.files.iter().map(|path| project.short(path)).collect();
    let text = if options.json {
        let report = json!({
            "version": 1,
            "hosts": hosts.iter().map(Standing::json).collect::<Vec<_>>(),
            "files": files,
            "mistakes": looked.mistakes.len(),
            "log": log.as_ref().map(|path| path.display().to_string()),
            "pending": pending,
            "bundle": bundle.json(),
        });
        format!("{report:#}\n")
    } else {
        let mut text = people(&hosts);
        let mut rows =
            vec![row("settings", &if files.is_empty() { "none".to_owned() } else { files.join(", ") })];
        if !looked.mistakes.is_empty() {
            let count = looked.mistakes.len();
            let s = if count == 1 { "" } else { "s" };
            rows.push(vec![
                (Tone::Bad, format!("{count} mistake{s}")),
                (Tone::Plain, "hook-runner check".to_owned()),
            ]);
        }
        let log =
            log.map_or("none yet".to_owned(), |path| format!("{}  (hook-runner log)", project.short(&path)));
        rows.push(row("log", &log));
        match pending {
            Some(count @ 1..) => rows.push(row("pending", &format!("{count}  (hook-runner approve)"))),
            Some(0) => rows.push(row("pending", "nothing")),
            None => {}
        }
        if bundle.is_any() {
            rows.push(row("bundle", &format!("{}  (hook-runner policy status)", bundle.line())));
            let troubles = bundle.troubles().into_iter();
            rows.extend(
                troubles.map(|why| vec![(Tone::Bad, "bundle".to_owned()), (Tone::Plain, one_line(&why))]),
            );
        }
        text += "\n";
        text += &columns(&rows, "");
        text + "\nhook-runner doctor calls every hook as its host would.\n"
    };
    screen.say(&text)?;
    Ok(Exit::found(found))
}

fn row(name: &str, value: &str) -> Vec<(Tone, String)> {
    vec![(Tone::Strong, name.to_owned()), (Tone::Plain, one_line(value))]
}

/// Whether every program of ours that decides for a host only observes; `None` where none decides.
pub(crate) fn observes(product: Product, project: &Project) -> Option<bool> {
    let loaded = project.load(product);
    let runs: Vec<String> = loaded
        .hooks()
        .iter()
        .filter(|hook| hook.kind == EventKind::PreToolUse)
        .map(|hook| hook.action.describe())
        .collect();
    let deciding: Vec<&String> =
        runs.iter().filter(|run| DECIDING.iter().any(|name| run.contains(name))).collect();
    let observing = |run: &&String| run.contains("--mode observe") || run.contains("--mode=observe");
    (!deciding.is_empty()).then(|| deciding.iter().all(observing))
}

/// How a host stands, by the hooks that are set up for it here.
pub(crate) fn state(product: Product, project: &Project) -> State {
    standing(product, project).state
}

fn standing(product: Product, project: &Project) -> Standing {
    let loaded = project.load(product);
    let all = loaded.hooks();
    // By what they run, wherever they were installed from: a person may have written the entry by hand.
    let calls = |name: &&&str| all.iter().any(|hook| hook.action.describe().contains(**name));
    let hooks: Vec<&'static str> = PROGRAMS.iter().filter(calls).copied().collect();
    let decides = all.iter().any(|hook| {
        let run = hook.action.describe();
        hook.kind == EventKind::PreToolUse && DECIDING.iter().any(|name| run.contains(name))
    });
    let here = product.program.is_some_and(|name| host::installed::find(name).is_some());
    let state = match &loaded.switched_off {
        // What an administrator installed runs all the same.
        _ if decides => State::Guarded,
        // Also of a host that was not found: it may be anywhere, and nothing that guards is silently off.
        Some(why) => State::Off(why.clone()),
        _ if !hooks.is_empty() => State::Watched,
        _ if here => State::Bare,
        _ => State::Absent,
    };
    Standing { product, state, hooks }
}

impl Standing {
    fn word(&self) -> (Tone, &'static str) {
        match self.state {
            State::Guarded => (Tone::Good, "guarded"),
            State::Watched => (Tone::Warn, "not guarded"),
            State::Bare => (Tone::Bad, "not set up"),
            State::Off(_) => (Tone::Bad, "switched off"),
            State::Absent => (Tone::Quiet, "not here"),
        }
    }

    /// What there is to know about it besides.
    fn detail(&self) -> String {
        match &self.state {
            State::Bare => format!("hook-runner init --user --host {}", self.product.name),
            State::Off(why) => why.clone(),
            _ => self.hooks.join(", "),
        }
    }

    fn json(&self) -> Value {
        json!({"host": self.product.name, "state": self.word().1, "hooks": self.hooks})
    }
}

/// A line for each host that matters here, and one for the others.
fn people(hosts: &[Standing]) -> String {
    let (absent, here): (Vec<&Standing>, Vec<&Standing>) =
        hosts.iter().partition(|host| matches!(host.state, State::Absent));
    let rows: Vec<Vec<(Tone, String)>> = here
        .iter()
        .map(|host| {
            let (tone, word) = host.word();
            vec![
                (Tone::Name, host.product.title.to_owned()),
                (tone, word.to_owned()),
                (Tone::Plain, one_line(&host.detail())),
            ]
        })
        .collect();
    let mut text = columns(&rows, "");
    if here.is_empty() {
        let _ = writeln!(
            text,
            "{} `hook-runner init --user --host claude` sets one up.",
            paint(Tone::Warn, "No host is guarded:")
        );
    }
    let names: Vec<&str> = absent.iter().map(|host| host.product.title).collect();
    if !names.is_empty() {
        let line = format!("Not here: {}.", names.join(", "));
        text += &paint(Tone::Quiet, crate::paint::wrapped(&line, crate::paint::width()).trim_end());
        text += "\n";
    }
    text
}

/// The log, if it has been begun.
fn log(project: &Project) -> Option<PathBuf> {
    let journal = audit::Journal::open(project.root.to_str());
    journal.path().map(PathBuf::from).filter(|path| path.exists())
}
