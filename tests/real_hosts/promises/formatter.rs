//! What `formatter-trigger` promises.

use std::fs;

use real_hosts::{Report, Turn};

use super::{Cell, Promise, Session, kept, says, shell, when, write};
use crate::real_hosts::scene::Scene;

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
            write("a.ts", "one  two\n"),
            until_it_holds("one two"),
            Turn::Read("a.ts".to_owned()),
            Turn::Edit("a.ts".to_owned(), "one two".to_owned(), "three  four".to_owned()),
            write("a.sql", "one  two\n"),
            until_it_holds("three four"),
            says("done"),
        ]
    },
    promises: &[
        Promise {
            hook: HOOK,
            title: "an edited file ends up formatted",
            cell: |_, scene| holds(scene, "a.ts", "three four"),
            expected: kept,
        },
        Promise {
            hook: HOOK,
            title: "the model reads that it was rewritten",
            cell: |report, _| when(told(report), || format!("not told: {:?}", report.seen)),
            expected: kept,
        },
        Promise {
            hook: HOOK,
            title: "a formatter that is not installed blocks nothing",
            cell: |report, scene| {
                when(report.turns == 7, || format!("{} turns, not 7", report.turns))?;
                holds(scene, "a.sql", "one  two")
            },
            expected: kept,
        },
    ],
    ..Session::USUAL
}];

/// VS Code does not wait for a hook after a call, so that the agent does; on the others this is over at once.
fn until_it_holds(text: &str) -> Turn {
    shell(&format!("timeout 60 sh -c 'until grep -q \"{text}\" a.ts; do sleep 0.2; done'"))
}

/// Each host puts it elsewhere: after the call's result, or into a message of its own.
fn told(report: &Report) -> bool {
    report.seen.iter().any(|seen| seen.text.contains("Read it again before the next edit"))
}

fn holds(scene: &Scene, file: &str, expected: &str) -> Cell {
    let text = fs::read_to_string(scene.project.join(file)).unwrap_or_default();
    when(text.trim_end() == expected, || format!("{file} holds {text:?}"))
}
