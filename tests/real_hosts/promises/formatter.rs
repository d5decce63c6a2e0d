//! What `formatter-trigger` promises.

use std::fs;

use real_hosts::{Report, Turn};

use super::{Cell, KEPT, Promise, Session, UNSAID, kept, says, when, write};
use crate::real_hosts::scene::Scene;
use crate::real_hosts::setups::Setup;

const HOOK: &str = "formatter-trigger";

/// The user's own formatters: one that joins runs of blanks, with time enough on any machine, and one that is not there.
const SETTINGS: &str = r#"
timeout_ms = 600000

[[formatter]]
name = "squeeze"
globs = ["*.ts"]
argv = ["sed", "s/  */ /g"]

[[formatter]]
globs = ["*.sql"]
argv = ["no-such-formatter"]
"#;

pub(super) const SESSIONS: &[Session] = &[Session {
    hooks: &[HOOK],
    user_files: &[(".config/policy-hooks/format.toml", SETTINGS)],
    script: || {
        vec![
            write("a.ts", "one\nx  y\n"),
            Turn::Read("a.ts".to_owned()),
            // A whole line, as Codex CLI edits by patches, and the same one whether or not the file is formatted by now.
            Turn::Edit("a.ts".to_owned(), "one".to_owned(), "three  four".to_owned()),
            write("a.sql", "one  two\n"),
            says("done"),
        ]
    },
    promises: &[
        Promise {
            hook: HOOK,
            title: "an edited file ends up formatted",
            cell: |_, scene| holds(scene, "a.ts", "three four\nx y"),
            expected: kept,
        },
        Promise {
            hook: HOOK,
            title: "the model reads that it was rewritten",
            cell: |report, scene| match scene.setup {
                _ if told(report) => Ok(KEPT),
                Setup::OpenHands => Ok(UNSAID),
                _ => Ok(LATER),
            },
            // It formats when the agent stops.
            expected: |setup| match setup {
                Setup::VsCode => LATER,
                Setup::OpenHands => UNSAID,
                _ => KEPT,
            },
        },
        Promise {
            hook: HOOK,
            title: "a formatter that is not installed blocks nothing",
            cell: |report, scene| {
                when(report.turns == 5, || format!("{} turns, not 5", report.turns))?;
                holds(scene, "a.sql", "one  two")
            },
            expected: kept,
        },
    ],
    ..Session::USUAL
}];

/// What was rewritten at the stop is reported with the next prompt.
const LATER: &str = "with the next prompt";

/// Each host puts it elsewhere: after the call's result, or into a message of its own.
fn told(report: &Report) -> bool {
    report.seen.iter().any(|seen| seen.text.contains("Read it again before the next edit"))
}

fn holds(scene: &Scene, file: &str, expected: &str) -> Cell {
    let text = fs::read_to_string(scene.project.join(file)).unwrap_or_default();
    when(text.trim_end() == expected, || format!("{file} holds {text:?}"))
}
