//! Asks, in a process of its own, what git knows about files, and what a command would lose.
//!
//! The repository is read by libgit2, which is written in C, and the repository may be hostile: it is not read in a hook
//! that decides. `hook-runner look`, which lies beside the hook, does it, and is killed when it takes too long. Whatever
//! goes wrong there, the answer is that nothing is known, and the rules decide as if no one had looked.

use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

use payload::{Event, EventKind, Verdict};
use process::{Ended, Job, Output};
use rules::loss::{Line, Loss, World};
use serde_json::{Value, json};

/// How long all looks of a call may take together: a host waits for the answer.
const LIMIT: Duration = Duration::from_millis(300);

/// How long saving may take: it ends before the hook's own time does.
const KEEPING: Duration = Duration::from_millis(900);

/// How long it may take to end.
const END: Duration = Duration::from_millis(100);

/// As much of the answer is read, in bytes.
const LARGEST: usize = 64 * 1024;

/// Variables by which git works on another repository than the one around the folder.
const ELSEWHERE: [&str; 6] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY"];

/// The world as `hook-runner look` sees it.
pub struct Look<'a> {
    /// Called before a look: it may take a while.
    before: &'a dyn Fn(),
    left: Cell<Duration>,
    /// What it is about: its session's own work is no one's loss.
    event: Option<&'a Event<'a>>,
}

impl std::fmt::Debug for Look<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Look").field("left", &self.left).finish_non_exhaustive()
    }
}

impl<'a> Look<'a> {
    /// `before` is called before each look, which may take as long as [`LIMIT`].
    pub fn new(before: &'a dyn Fn()) -> Self {
        Self { before, left: Cell::new(LIMIT), event: None }
    }

    /// The same, about a call of this session.
    #[must_use]
    pub fn during(self, event: &'a Event<'a>) -> Self {
        Self { event: Some(event), ..self }
    }

    /// Saves what these commands would lose; `limit` is how long that may take.
    ///
    /// # Errors
    ///
    /// Why not all of it was saved.
    pub fn keep(&self, lines: &[Line<'_>], limit: Duration) -> Result<Kept, String> {
        let calls: Vec<Value> = lines.iter().map(of_line).collect();
        // It has to end by itself before it is killed: what it has begun is then taken back.
        let until = limit.saturating_sub(END).min(KEEPING);
        let question = json!({
            "ask": "keep",
            "calls": calls,
            "limit_ms": until.as_millis(),
            "transcript": self.transcript(),
        });
        let answer = self.run(&question, limit).ok_or("the program that saves it gave no answer")?;
        match (answer["kept"].as_array(), answer["not_kept"].as_str()) {
            (Some(ids), None) => Ok(Kept {
                ids: ids.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
                lost: answer["lost"].as_str().unwrap_or_default().to_owned(),
            }),
            (_, why) => Err(why.unwrap_or("nothing is known of this repository").to_owned()),
        }
    }

    /// Where the host notes the session.
    fn transcript(&self) -> Value {
        self.event.and_then(Event::transcript_path).as_deref().into()
    }

    fn ask(&self, question: &Value) -> Option<Value> {
        let start = Instant::now();
        let answer = self.run(question, self.left.get());
        self.left.set(self.left.get().saturating_sub(start.elapsed()));
        answer
    }

    fn run(&self, question: &Value, limit: Duration) -> Option<Value> {
        if limit.is_zero() || ELSEWHERE.iter().any(|name| std::env::var_os(name).is_some()) {
            return None;
        }
        (self.before)();
        let ran = process::run(Job {
            program: process::beside("hook-runner")?.into(),
            arguments: vec!["look".into()],
            folder: Path::new("/"),
            environment: process::inherited(),
            input: Some(question.to_string().into_bytes()),
            stays_open: false,
            output: Output::Used(LARGEST),
            limit,
        });
        (ran.ended == Ended::Code(0)).then(|| serde_json::from_slice(&ran.output).ok())?
    }
}

impl World for Look<'_> {
    fn loss(&self, line: &Line<'_>) -> Loss {
        if line.cwd.is_none() {
            return Loss::Unknown;
        }
        let mut question = of_line(line);
        question["ask"] = "loss".into();
        question["transcript"] = self.transcript();
        let answer = self.ask(&question);
        answer.and_then(|answer| read(&answer)).unwrap_or_default()
    }

    fn are_committed(&self, paths: &[&str]) -> Vec<Option<bool>> {
        let answer = self.ask(&json!({ "ask": "committed", "paths": paths })).unwrap_or_default();
        let said = |at: usize| answer.get("committed")?.get(at)?.as_bool();
        (0..paths.len()).map(said).collect()
    }
}

/// What was saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The entries, by which `hook-runner kept` finds them; none where nothing would be lost.
    pub ids: Vec<String>,
    /// What would be lost, as a list to read.
    pub lost: String,
}

impl Kept {
    /// What the model and the person read.
    pub fn sentence(&self) -> String {
        let ids: Vec<String> = self.ids.iter().map(|id| format!("`hook-runner kept restore {id}`")).collect();
        format!(
            "What this command loses was saved before it ran: {}. {} brings it back.",
            self.lost,
            ids.join(" and ")
        )
    }

    /// The same as an answer that lets the host decide: its readers learn of it where it can say so.
    pub fn verdict(&self, event: &Event<'_>) -> Verdict {
        if self.ids.is_empty() || event.kind != EventKind::PreToolUse {
            return Verdict::NoOpinion;
        }
        let forms = [Verdict::Context(self.sentence()), Verdict::Notice(self.sentence())];
        let said = forms.into_iter().find(|form| payload::render(form, &event.address()).is_ok());
        said.unwrap_or(Verdict::NoOpinion)
    }
}

/// A verdict on a call of which not everything could be saved, with the cause.
pub fn not_kept(verdict: Verdict, why: Option<&str>) -> Verdict {
    match (verdict, why) {
        (Verdict::Decide { decision, mut reason }, Some(why)) => {
            reason.text.push_str(" It could not be saved first: ");
            reason.text.push_str(why);
            reason.text.push('.');
            Verdict::Decide { decision, reason }
        }
        (verdict, _) => verdict,
    }
}

fn of_line(line: &Line<'_>) -> Value {
    json!({
        "text": line.text,
        "cwd": line.cwd,
        "home": line.home,
        "atom": line.atom,
        "command": line.command,
    })
}

fn read(answer: &Value) -> Option<Loss> {
    if answer["unreadable"].as_bool() == Some(true) {
        return Some(Loss::Unreadable);
    }
    match (answer["nothing"].as_bool(), answer["lost"].as_str()) {
        (Some(true), None) => Some(Loss::Nothing),
        (_, Some(lost)) => Some(Loss::Of {
            what: lost.to_owned(),
            recoverable: answer["recoverable"].as_bool().unwrap_or_default(),
        }),
        _ => None,
    }
}
