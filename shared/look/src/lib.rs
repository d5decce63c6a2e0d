//! Asks, in a process of its own, what git knows about files, and what a command would lose.
//!
//! The repository is read by libgit2, which is written in C, and the repository may be hostile: it is not read in a hook
//! that decides. `hook-runner look`, which lies beside the hook, does it, and is killed when it takes too long. Whatever
//! goes wrong there, the answer is that nothing is known, and the rules decide as if no one had looked.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use process::{Ended, Job, Output};
use rules::loss::{Line, Loss, World};
use serde_json::{Value, json};

/// How long all looks of a call may take together: a host waits for the answer.
const LIMIT: Duration = Duration::from_millis(300);

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
}

impl std::fmt::Debug for Look<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Look").field("left", &self.left).finish_non_exhaustive()
    }
}

impl<'a> Look<'a> {
    /// `before` is called before each look, which may take as long as [`LIMIT`].
    pub fn new(before: &'a dyn Fn()) -> Self {
        Self { before, left: Cell::new(LIMIT) }
    }

    fn ask(&self, question: &Value) -> Option<Value> {
        if self.left.get().is_zero() || ELSEWHERE.iter().any(|name| std::env::var_os(name).is_some()) {
            return None;
        }
        (self.before)();
        let start = Instant::now();
        let ran = process::run(Job {
            program: beside()?.into(),
            arguments: vec!["look".into()],
            folder: Path::new("/"),
            environment: process::inherited(),
            input: Some(question.to_string().into_bytes()),
            stays_open: false,
            output: Output::Used(LARGEST),
            limit: self.left.get(),
        });
        self.left.set(self.left.get().saturating_sub(start.elapsed()));
        (ran.ended == Ended::Code(0)).then(|| serde_json::from_slice(&ran.output).ok())?
    }
}

impl World for Look<'_> {
    fn loss(&self, line: &Line<'_>) -> Loss {
        let Some(cwd) = line.cwd else { return Loss::Unknown };
        let answer = self.ask(&json!({
            "ask": "loss",
            "text": line.text,
            "cwd": cwd,
            "home": line.home,
            "atom": line.atom,
            "command": line.command,
        }));
        answer.and_then(|answer| read(&answer)).unwrap_or_default()
    }

    fn are_committed(&self, paths: &[&str]) -> Vec<Option<bool>> {
        let answer = self.ask(&json!({ "ask": "committed", "paths": paths })).unwrap_or_default();
        let said = |at: usize| answer.get("committed")?.get(at)?.as_bool();
        (0..paths.len()).map(said).collect()
    }
}

fn read(answer: &Value) -> Option<Loss> {
    match (answer["nothing"].as_bool(), answer["lost"].as_str()) {
        (Some(true), None) => Some(Loss::Nothing),
        (_, Some(lost)) => Some(Loss::Of {
            what: lost.to_owned(),
            recoverable: answer["recoverable"].as_bool().unwrap_or_default(),
        }),
        _ => None,
    }
}

/// The runner that was installed together with this program. Not one of the `PATH`: whoever can write there could say
/// that nothing is ever lost.
fn beside() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let path = own.with_file_name(format!("hook-runner{}", std::env::consts::EXE_SUFFIX));
    path.is_file().then_some(path)
}
