//! `replay`: recorded events once more, through the hooks as they are now, or with the recorded answers.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use host::matcher::Matcher;
use host::process::{Finished, Spec};
use host::{Action, Execute, Fired, Hook, Origin, Problem, Product, Request, Session, Setting, select};
use serde_json::{Value, json};

use super::record::{self, Record};
use super::{processes, something_happened};
use crate::Done;
use crate::command_line::ReplayOptions;
use crate::fault::{Exit, Fault};
use crate::paint::{Screen, Tone, one_line, paint, problem};
use crate::project::Project;
use crate::trust;

/// Gives recorded answers.
struct Recorded {
    answers: Mutex<std::collections::VecDeque<Finished>>,
}

impl Execute for Recorded {
    fn execute(&self, hook: &Hook, _spec: &Spec, _payload: &str) -> Finished {
        // The number stands where the command would.
        let Action::Program(_, index) = &hook.action else { return Finished::not_started(String::new()) };
        let index = index.first().and_then(|index| index.parse::<usize>().ok()).unwrap_or_default();
        let answers = self.answers.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        answers.get(index).cloned().unwrap_or_else(|| Finished::not_started(String::new()))
    }
}

/// `hook-runner replay`.
pub(crate) fn replay(options: &ReplayOptions, screen: &Screen) -> Done {
    let records = record::read(&options.file)?;
    let project = Project::around(options.common.project.as_deref())?;
    let mut shown = Shown::default();
    let mut prepared = Vec::new();
    for record in &records {
        prepared.push(Prepared::of(record, options, &project, screen)?);
    }
    // Only now: a question about trust and a line that says how far this is would write over each other.
    let events: Vec<_> = records.iter().zip(&prepared).collect();
    // One session for all events: some hooks run once in it.
    let mut session = Session::default();
    screen::each("events", &events, |(record, event)| {
        let setting = Setting { product: event.product, scene: record.scene(), project: &project.root };
        let fired = session.fire(&setting, &event.hooks, &event.request, &*event.execute);
        shown.add(record, &fired, event.product, options.answers);
    });
    let Shown { mut text, events, found } = shown;
    // A recording without an event is more likely the wrong file than a quiet session.
    if records.is_empty() {
        return Err(Fault::unreadable(&options.file, "it contains no event"));
    }
    if options.common.json {
        text = format!("{:#}\n", json!({"version": 1, "events": events}));
    }
    screen.say(&text)?;
    Ok(Exit::found(found))
}

/// What is needed to fire a recorded event again.
struct Prepared {
    product: Product,
    request: Request,
    hooks: Vec<Hook>,
    execute: Box<dyn Execute>,
}

impl Prepared {
    fn of(
        record: &Record,
        options: &ReplayOptions,
        project: &Project,
        screen: &Screen,
    ) -> Result<Self, Fault> {
        let product = options.host.map_or_else(|| record.product(), Ok)?;
        let request = record.request()?;
        if options.answers {
            let answers = record.answers.iter().map(record::Answer::finished).collect();
            let execute = Box::new(Recorded { answers: Mutex::new(answers) });
            return Ok(Self { product, request, hooks: stand_ins(record, product), execute });
        }
        let hooks = project.load(product).hooks();
        let chosen: Vec<Hook> = select(product, &hooks, &request).into_iter().cloned().collect();
        trust::require(&chosen, project, options.common.trust, screen)?;
        Ok(Self { product, request, hooks, execute: Box::new(processes()) })
    }
}

/// What is said about the events.
#[derive(Default)]
struct Shown {
    text: String,
    events: Vec<Value>,
    found: bool,
}

impl Shown {
    fn add(&mut self, record: &Record, fired: &Fired, product: Product, from_answers: bool) {
        let same = fired.upshot.then.as_str() == record.then && fired.upshot.told == record.told;
        // With another host, difference is what is asked for.
        self.found |= if from_answers { something_happened(fired) } else { !same };
        let _ = write!(self.text, "{:>3}  {} · {}  ", self.events.len() + 1, product.title, record.event);
        self.text += &describe(record, fired, same);
        self.events.push(json!({
            "host": product.name,
            "event": record.event,
            "recorded": {"then": record.then, "told_model": record.told},
            "now": {"then": fired.upshot.then.as_str(), "told_model": fired.upshot.told},
            "same": same,
        }));
    }
}

/// What a host silently does not do with the answers of a recorded event.
pub(crate) fn answers_of(record: &Record, product: Product, project: &Path) -> Result<Vec<Problem>, Fault> {
    let request = record.request()?;
    let setting = Setting { product, scene: record.scene(), project };
    let answers = record.answers.iter().map(record::Answer::finished).collect();
    let hooks = stand_ins(record, product);
    let fired =
        Session::default().fire(&setting, &hooks, &request, &Recorded { answers: Mutex::new(answers) });
    Ok(fired.ran.into_iter().flat_map(|ran| ran.problems).collect())
}

/// Hooks that stand for the recorded answers.
fn stand_ins(record: &Record, product: Product) -> Vec<Hook> {
    let kind = record.event.parse().unwrap_or(payload::EventKind::Other);
    record
        .answers
        .iter()
        .enumerate()
        .map(|(index, answer)| {
            let camel = host::event::is_camel(&answer.key);
            let key = host::event::name(product, kind, camel).unwrap_or(kind.as_str());
            Hook {
                origin: Origin { file: PathBuf::from("recorded"), line: index + 1, ..Origin::default() },
                key: key.to_owned(),
                kind,
                dialect: host::event::dialect(product, kind, camel),
                matcher: Matcher::All,
                condition: None,
                action: Action::Program(answer.run.clone(), vec![index.to_string()]),
                // It has ended already: no limit is ever reached.
                limit: Duration::from_secs(1),
                folder: None,
                env: Vec::new(),
                blocks_on_failure: false,
                detached: false,
                in_turn: false,
            }
        })
        .collect()
}

fn describe(record: &Record, fired: &Fired<'_>, same: bool) -> String {
    let mark = if same { paint(Tone::Good, "same") } else { paint(Tone::Bad, "different") };
    let mut text = format!("{mark}\n");
    if !same {
        let _ = writeln!(text, "     recorded: {}", record.then);
        let _ = writeln!(text, "     now:      {}", fired.upshot.then.as_str());
        for (when, told) in [("recorded", &record.told), ("now", &fired.upshot.told)] {
            for told in told {
                let _ = writeln!(text, "     the model sees ({when}): {}", one_line(told));
            }
        }
    }
    for found in fired.ran.iter().flat_map(|ran| &ran.problems) {
        text += &problem(found, "     ");
    }
    text
}
