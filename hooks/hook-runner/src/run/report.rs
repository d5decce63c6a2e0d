//! What became of an event, for people and for machines.

use std::fmt::Write as _;

use host::load::Loaded;
use host::{Fired, Ran, Request, Scene, Subject, Upshot};
use payload::model::{Effect, Ended};
use serde_json::{Value, json};

use super::event_name;
use crate::paint::{Tone, block, columns, one_line, paint, problem};
use crate::project::Project;

/// How many lines of a hook's stderr are shown.
const STDERR_LINES: usize = 8;

/// What became of an event.
pub(crate) struct Report<'a> {
    pub(crate) project: &'a Project,
    /// The host's hooks.
    pub(crate) loaded: &'a Loaded,
    pub(crate) request: &'a Request,
    /// How the host was started.
    pub(crate) scene: Scene,
    /// What became of it.
    pub(crate) fired: &'a Fired<'a>,
}

/// The effect of one answer, in a word.
pub(crate) fn word(effect: Effect) -> (&'static str, Tone) {
    match effect {
        Effect::None => ("no opinion", Tone::Quiet),
        Effect::Allow => ("allow", Tone::Warn),
        Effect::Ask => ("ask", Tone::Warn),
        Effect::Deny => ("deny", Tone::Bad),
        Effect::Block => ("block", Tone::Bad),
        Effect::Abort => ("aborts", Tone::Bad),
    }
}

fn ended(ran: &Ran<'_>) -> String {
    match ran.finished.ended {
        Ended::Exited(code) => format!("exit {code}"),
        Ended::Signalled => "killed".to_owned(),
        Ended::TimedOut => "too late".to_owned(),
        Ended::NotStarted => "not started".to_owned(),
    }
}

impl Report<'_> {
    fn subject(&self) -> String {
        match &self.request.subject {
            Subject::Tool { name, input, .. } => {
                let text = ["command", "filePath", "file_path", "path"]
                    .iter()
                    .find_map(|key| input.get(key)?.as_str());
                format!("{name}: {}", text.map_or_else(|| input.to_string(), str::to_owned))
            }
            Subject::Prompt(prompt) => prompt.clone(),
            Subject::Plain(source) => source.clone(),
        }
    }

    /// The event, and what it is about.
    pub(super) fn title(&self) -> String {
        let subject = one_line(&self.subject());
        let about = if subject.is_empty() { String::new() } else { format!(" · {subject}") };
        format!("{}{about}", event_name(self.loaded.product, self.request))
    }

    pub(crate) fn text(&self) -> String {
        let name = event_name(self.loaded.product, self.request);
        let mut text = paint(Tone::Strong, format!("{} · {name}", self.loaded.product.title));
        text += self.title().strip_prefix(name).unwrap_or_default();
        text.push('\n');
        text += &not_running(self.loaded, self.project);
        if self.fired.ran.is_empty() {
            let product = self.loaded.product;
            let why = if self.loaded.hooks().is_empty() {
                let init = format!("hook-runner init --host {}", product.name);
                format!("no hook is set up for {}: `{init}`", product.title)
            } else {
                "no hook is called".to_owned()
            };
            let _ = writeln!(text, "  {}", paint(Tone::Quiet, why));
        }
        text + &self.hooks() + &self.upshot()
    }

    /// The hooks, and what each said.
    pub(super) fn hooks(&self) -> String {
        let mut text = String::new();
        text += &columns(&self.rows(), "  ");
        for ran in &self.fired.ran {
            text += &self.details(ran);
        }
        for hook in &self.fired.not_reached {
            let line = format!(
                "not reached: {}:{}  {}",
                self.project.short(&hook.origin.file),
                hook.origin.line,
                one_line(&hook.action.describe())
            );
            let _ = writeln!(text, "  {}", paint(Tone::Quiet, line));
        }
        if self.fired.left > 0 {
            let line = format!("{} processes were left behind; they were ended", self.fired.left);
            let _ = writeln!(text, "  {}", paint(Tone::Warn, line));
        }
        text
    }

    fn rows(&self) -> Vec<Vec<(Tone, String)>> {
        let row = |ran: &Ran<'_>| {
            let (said, tone) = word(ran.outcome.effect);
            vec![
                (
                    Tone::Name,
                    format!("{}:{}", self.project.short(&ran.hook.origin.file), ran.hook.origin.line),
                ),
                (Tone::Plain, one_line(&ran.hook.action.describe())),
                (tone, said.to_owned()),
                (Tone::Quiet, ended(ran)),
                (Tone::Quiet, format!("{} ms", ran.finished.time.as_millis())),
            ]
        };
        self.fired.ran.iter().map(row).collect()
    }

    fn details(&self, ran: &Ran<'_>) -> String {
        let mut text = String::new();
        if let Some(reason) = &ran.outcome.reason {
            text += &block(reason, "      ", STDERR_LINES);
        }
        // Some hosts take stderr for the reason: it is shown once.
        if !ran.finished.stderr.trim().is_empty()
            && ran.outcome.reason.as_deref() != Some(ran.finished.stderr.trim())
        {
            text += &block(&ran.finished.stderr, "      stderr: ", STDERR_LINES);
        }
        for found in &ran.problems {
            text += &problem(found, "      ");
        }
        // With one hook there is no doubt whose words they are.
        if !text.is_empty() && self.fired.ran.len() > 1 {
            text = format!("    {}\n{text}", one_line(&ran.hook.action.describe()));
        }
        text
    }

    /// What came of the event, and what else could have.
    fn upshot(&self) -> String {
        sentences(&self.fired.upshot) + &self.others()
    }

    pub(super) fn others(&self) -> String {
        let mut text = String::new();
        // Shown even where they are all the same for the agent: what it reads may differ.
        for (_, other) in &self.fired.races {
            text += "   or, as these hooks run at the same time and the order of their answers counts:\n";
            text += &sentences(other);
        }
        text
    }
}

/// Which files the host does not run hooks of.
pub(super) fn not_running(loaded: &Loaded, project: &Project) -> String {
    let mut text = String::new();
    if let Some(why) = &loaded.switched_off {
        let _ = writeln!(text, "  {}", paint(Tone::Bad, format!("hooks are switched off by {why}")));
    }
    for file in loaded.files.iter().filter(|file| file.reading.dropped) {
        let place = project.short(&file.path);
        let title = loaded.product.title;
        let line = format!("{title} drops {place}: none of its hooks run; see `hook-runner check`");
        let _ = writeln!(text, "  {}", paint(Tone::Bad, line));
    }
    text
}

/// What the host does.
pub(super) fn sentence(upshot: &Upshot) -> String {
    let tone = if upshot.then.holds_back() { Tone::Bad } else { Tone::Good };
    let ends = if upshot.turn_ends { "; the turn ends" } else { "" };
    format!("{} {}{ends}\n", paint(Tone::Strong, "=>"), paint(tone, upshot.then.sentence()))
}

/// What comes of an event.
fn sentences(upshot: &Upshot) -> String {
    let mut text = sentence(upshot);
    for told in &upshot.told {
        let _ = writeln!(text, "   the model sees: {}", one_line(told));
    }
    for late in &upshot.late {
        let _ = writeln!(text, "   the model sees one request later, if there is one: {}", one_line(late));
    }
    for shown in &upshot.shown {
        let _ = writeln!(text, "   the user sees: {}", one_line(shown));
    }
    text
}

/// For machines.
pub(crate) fn json(report: &Report<'_>) -> String {
    let mut value = about(report.loaded, report.project, report.scene);
    merge(&mut value, event(report));
    format!("{value:#}\n")
}

/// The host, how it was started, and what it does not read.
pub(super) fn about(loaded: &Loaded, project: &Project, scene: Scene) -> Value {
    let dropped = loaded.files.iter().filter(|file| file.reading.dropped);
    let dropped: Vec<String> = dropped.map(|file| project.short(&file.path)).collect();
    json!({
        "version": 1,
        "host": loaded.product.name,
        "scene": {
            "headless": scene.headless,
            "gated": scene.gated,
            "mode": scene.mode.map(|mode| mode.name),
        },
        "dropped_files": dropped,
        "switched_off": loaded.switched_off,
    })
}

/// One event.
pub(super) fn event(report: &Report<'_>) -> Value {
    let Report { project, loaded, request, fired, .. } = report;
    let hooks: Vec<Value> = fired.ran.iter().map(|ran| hook(ran, project)).collect();
    let not_reached: Vec<Value> = fired
        .not_reached
        .iter()
        .map(|hook| json!({"file": project.short(&hook.origin.file), "line": hook.origin.line, "run": hook.action.describe()}))
        .collect();
    let races: Vec<Value> = fired
        .races
        .iter()
        .map(|(merged, upshot)| {
            json!({
                "then": upshot.then.as_str(),
                "turn_ends": upshot.turn_ends,
                "told_model": upshot.told,
                "input": merged.input,
            })
        })
        .collect();
    json!({
        "event": event_name(loaded.product, request),
        "hooks": hooks,
        "not_reached": not_reached,
        "then": fired.upshot.then.as_str(),
        "turn_ends": fired.upshot.turn_ends,
        "told_model": fired.upshot.told,
        "told_model_late": fired.upshot.late,
        "told_user": fired.upshot.shown,
        "input": fired.merged.input,
        "races": races,
        "left_processes": fired.left,
    })
}

/// Adds the members of one object to another.
pub(super) fn merge(into: &mut Value, from: Value) {
    if let (Some(into), Value::Object(from)) = (into.as_object_mut(), from) {
        into.extend(from);
    }
}

fn hook(ran: &Ran<'_>, project: &Project) -> Value {
    let problems: Vec<Value> = ran
        .problems
        .iter()
        .map(|found| json!({"code": found.code.as_str(), "severity": found.severity.as_str(), "message": found.message, "help": found.help}))
        .collect();
    json!({
        "file": project.short(&ran.hook.origin.file),
        "line": ran.hook.origin.line,
        "run": ran.hook.action.describe(),
        "effect": word(ran.outcome.effect).0,
        "reason": ran.outcome.reason,
        "context": ran.outcome.context,
        "ignored": ran.outcome.ignored,
        "ended": ended(ran),
        "exit": ran.finished.code,
        "ms": u64::try_from(ran.finished.time.as_millis()).unwrap_or(u64::MAX),
        "stdout": ran.finished.stdout,
        "stderr": ran.finished.stderr,
        "problems": problems,
    })
}
