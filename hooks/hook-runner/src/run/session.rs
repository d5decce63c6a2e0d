//! A whole session: its turns from a file, through every hook that they call.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

use host::load::Loaded;
use host::play::{Asked, Made, Played, turns};
use host::{Product, Scene, Setting, Stage, play};
use serde_json::{Value, json};

use super::report::{self, Report};
use super::{processes, record, scene, something_happened};
use crate::Done;
use crate::command_line::RunOptions;
use crate::fault::{Exit, Fault};
use crate::paint::{Screen, Tone, one_line, paint};
use crate::project::Project;
use crate::trust;

/// `hook-runner run --session`.
pub(super) fn run(
    file: &Path,
    product: Product,
    project: &Project,
    options: &RunOptions,
    screen: &Screen,
) -> Done {
    let here = project.here();
    let folder = here.display().to_string();
    let wrong =
        |what: String| Fault::usage(format!("{}: {what}.", file.display()), "See `hook-runner run --help`.");
    let session: Value = serde_json::from_str(&read(file)?).map_err(|error| wrong(error.to_string()))?;
    let turns = turns(&session, product, &folder).map_err(|bad| wrong(bad.to_string()))?;
    let loaded = project.load_in(product, &here);
    let hooks = loaded.hooks();
    trust::require(&hooks, project, options.common.trust, screen)?;
    let scene = scene(product, &options.common)?;
    let setting = Setting { product, scene, project: &project.root };
    let processes = processes();
    let stage = Stage { setting, hooks: &hooks, execute: &processes, folder: &folder, race: 0 };
    let played = crate::paint::patiently("a session", || play(stage, &turns));
    for (request, fired) in &played.events {
        if let Some(file) = &options.record {
            record::append(file, &setting, request, fired)?;
        }
    }
    let shown = Shown { project, loaded: &loaded, scene, played: &played };
    screen.say(&if options.common.json { shown.json() } else { shown.text() })?;
    Ok(Exit::found(played.events.iter().any(|(_, fired)| something_happened(fired))))
}

fn read(file: &Path) -> Result<String, Fault> {
    if file == Path::new("-") {
        let mut text = String::new();
        let read = std::io::stdin().lock().read_to_string(&mut text);
        return read.map(|_| text).map_err(|error| Fault::unreadable(file, error));
    }
    host::tree::text(file).map_err(|why| Fault::unreadable(file, why))
}

struct Shown<'a> {
    project: &'a Project,
    loaded: &'a Loaded,
    scene: Scene,
    played: &'a Played<'a>,
}

impl Shown<'_> {
    fn reports(&self) -> impl Iterator<Item = Report<'_>> {
        let &Self { project, loaded, scene, played } = self;
        played.events.iter().map(move |(request, fired)| Report { project, loaded, request, scene, fired })
    }

    fn text(&self) -> String {
        let mut text = paint(Tone::Strong, format!("{} · a session", self.loaded.product.title)) + "\n";
        text += &report::not_running(self.loaded, self.project);
        let mut requests = self.played.requests.iter().enumerate().peekable();
        for (index, report) in self.reports().enumerate() {
            while let Some((number, asked)) = requests.next_if(|(_, asked)| asked.after <= index) {
                text += &request(number, asked);
            }
            // Where no hook is called, the host does what it does without hooks.
            if !report.fired.ran.is_empty() {
                let _ = writeln!(text, "{}", paint(Tone::Name, report.title()));
                text += &(report.hooks() + &report::sentence(&report.fired.upshot) + &report.others());
            }
        }
        for (number, asked) in requests {
            text += &request(number, asked);
        }
        for made in self.played.calls.iter().filter(|made| made.then.is_none()) {
            let title = self.loaded.product.title;
            let _ = writeln!(text, "{title} does not offer {} here", one_line(&made.name));
        }
        let _ = write!(text, "{} {}", paint(Tone::Strong, "=>"), self.played.end.sentence());
        let times = self.played.went_on().filter(|times| *times > 0);
        text + &times.map_or_else(String::new, |times| format!(" after it went on {times} times")) + "\n"
    }

    fn json(&self) -> String {
        let mut value = report::about(self.loaded, self.project, self.scene);
        let events: Vec<Value> = self
            .reports()
            .map(|report| {
                let mut event = report::event(&report);
                report::merge(&mut event, json!({"agent": report.request.agent, "subject": report.title()}));
                event
            })
            .collect();
        let requests: Vec<Value> = (self.played.requests.iter())
            .map(|asked| json!({"agent": asked.agent, "read": asked.read, "after_events": asked.after}))
            .collect();
        let calls: Vec<Value> = self.played.calls.iter().map(call).collect();
        report::merge(
            &mut value,
            json!({
                "events": events,
                "requests": requests,
                "calls": calls,
                "went_on": self.played.went_on(),
                "end": self.played.end.as_str(),
            }),
        );
        format!("{value:#}\n")
    }
}

/// A request to the model, and what is new in it.
fn request(number: usize, asked: &Asked) -> String {
    let by = asked.agent.as_ref().map_or("", |_| " by the sub-agent");
    let mut text = paint(Tone::Quiet, format!("request {}{by}", number + 1)) + "\n";
    for told in &asked.read {
        let _ = writeln!(text, "   the model reads: {}", one_line(told));
    }
    text
}

fn call(made: &Made) -> Value {
    let changed = made.changed.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
    json!({
        "tool": made.name,
        "input": made.input,
        "changed_input": changed,
        "then": made.then.map(host::scene::Then::as_str),
        "ran": made.ran(),
        "sandboxed": made.sandboxed,
        "result_read": made.result_read,
        "agent": made.agent,
    })
}
