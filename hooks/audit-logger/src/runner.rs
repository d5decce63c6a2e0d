//! What `hook-runner` beside this hook does for it: it knows every host's files, and it may use the network.

use std::path::Path;
use std::time::Duration;

use audit::Guard;
use payload::Event;
use process::{Ended, Job, Output};
use serde_json::json;

const RUNNER: &str = "hook-runner";

/// How long the look at the start of a session may take; without its answer the record says nothing of the guard.
const LIMIT: Duration = Duration::from_secs(1);

/// As much of the answer is read, in bytes.
const LARGEST: usize = 16 * 1024;

/// What is on where a session starts.
pub(crate) fn guard(event: &Event<'_>) -> Option<Guard> {
    let question = json!({ "ask": "guard", "host": event.host.as_str(), "cwd": event.cwd()? });
    let ran = process::run(Job {
        program: process::beside(RUNNER)?.into(),
        arguments: vec!["look".into()],
        folder: Path::new("/"),
        environment: process::inherited(),
        input: Some(question.to_string().into_bytes()),
        stays_open: false,
        output: Output::Used(LARGEST),
        limit: LIMIT,
    });
    let answer = (ran.ended == Ended::Code(0)).then_some(ran.output)?;
    // An empty object says that nothing is known; taken as an answer, it would read as a guard that is off.
    let answer: serde_json::Value = serde_json::from_slice(&answer).ok()?;
    answer["mode"].is_string().then(|| serde_json::from_value(answer).ok())?
}

/// Starts a run that ships the log, and does not wait for it.
pub(crate) fn ship(log: &Path) -> Result<(), String> {
    let runner = process::beside(RUNNER).ok_or("hook-runner is not beside audit-logger")?;
    let arguments = ["log".as_ref(), "ship".as_ref(), "--log".as_ref(), log.as_os_str()];
    process::detached(&runner, arguments).map_err(|error| error.to_string())
}
