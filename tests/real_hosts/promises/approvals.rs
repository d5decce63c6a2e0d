//! What a person's approval is worth.

use std::fs;

use super::{Cell, KEPT, Promise, Session, asks_in_an_editor, denied, held, kept, result, says, shell, when};
use crate::real_hosts::person::WAIT;
use crate::real_hosts::scene::Scene;

const HOOK: &str = "hook-runner";

/// Held back by a denial. Without a remote, what is counted is that it ran.
const DENIED: &str = "echo ran >> pushed; git push --force origin main";

/// Held back by a question, which no one hears here.
const ASKED: &str = "echo ran >> published; npm publish";

pub(super) const SESSIONS: &[Session] = &[Session {
    script: || {
        vec![
            shell(DENIED),
            shell(ASKED),
            shell(WAIT),
            shell(DENIED),
            shell(ASKED),
            shell(DENIED),
            shell(ASKED),
            says("done"),
        ]
    },
    promises: &[
        Promise {
            hook: HOOK,
            title: "`approve`: a denied call that a person lets through runs once, and only once",
            cell: |report, scene| {
                denied(report, 0, "git.push-force")?;
                let text = result(report, 0)?;
                when(text.contains("hook-runner approve "), || format!("no code in: {text}"))?;
                when(report.turns == 8, || format!("{} turns, not 8", report.turns))?;
                once(scene, "pushed")?;
                recorded(scene, "git.push-force")
            },
            expected: kept,
        },
        Promise {
            hook: HOOK,
            title: "`approve`: so does a call that would be asked about where no one can answer",
            cell: |report, scene| {
                let cell = held(report, 1, "packages.publish")?;
                if cell != KEPT {
                    return Ok(cell);
                }
                let text = result(report, 1)?;
                when(text.contains("hook-runner approve "), || format!("no code in: {text}"))?;
                once(scene, "published")?;
                recorded(scene, "packages.publish")
            },
            expected: asks_in_an_editor,
        },
    ],
    ..Session::USUAL
}];

/// Whether the command that writes a line there ran once.
fn once(scene: &Scene, file: &str) -> Cell {
    let text = fs::read_to_string(scene.project.join(file)).unwrap_or_default();
    when(text == "ran\n", || format!("{file}: {text:?}"))
}

/// Whether the log says that the rule was lifted for one call.
fn recorded(scene: &Scene, rule: &str) -> Cell {
    let records = scene.records()?;
    let lifted = records
        .iter()
        .filter(|record| record["decision"]["value"] == "approved" && record["decision"]["rule"] == rule);
    let mut calls: Vec<&serde_json::Value> =
        lifted.filter(|record| record["event"] == "PreToolUse").map(|record| &record["call"]).collect();
    calls.dedup();
    when(calls.len() == 1, || format!("{calls:?}"))
}
