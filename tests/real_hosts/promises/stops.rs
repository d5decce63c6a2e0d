//! What `stop-guard` promises.

use super::{CONFLICT, Promise, Session, held_back, kept, says, when, write};

const HOOK: &str = "stop-guard";

/// What the model reads when it is held back.
const RULE: &str = "stop.no_conflict_markers";

pub(super) const SESSIONS: &[Session] = &[
    Session {
        hooks: &[HOOK],
        is_brief: true,
        script: || {
            vec![
                write("a.txt", CONFLICT),
                says("done"),
                write("a.txt", "both\n"),
                says("done now"),
                says("too much"),
            ]
        },
        promises: &[Promise {
            hook: HOOK,
            title: "unfinished work makes the model go on once, with our reason; then it may stop",
            cell: |report, _| held_back(report, RULE, 4),
            expected: kept,
        }],
        ..Session::USUAL
    },
    Session {
        hooks: &[HOOK],
        script: || {
            vec![
                write("a.txt", CONFLICT),
                says("done"),
                write("b.txt", CONFLICT),
                says("done"),
                write("c.txt", CONFLICT),
                says("done"),
            ]
        },
        promises: &[Promise {
            hook: HOOK,
            title: "a check that always fails ends at the limit",
            cell: |report, _| held_back(report, RULE, 4),
            expected: kept,
        }],
        ..Session::USUAL
    },
    Session {
        hooks: &[HOOK],
        script: || vec![write("a.txt", "both\n"), says("done"), says("too much")],
        promises: &[Promise {
            hook: HOOK,
            title: "finished work is not held back",
            cell: |report, _| when(report.turns == 2, || format!("{} turns, not 2", report.turns)),
            expected: kept,
        }],
        ..Session::USUAL
    },
];
