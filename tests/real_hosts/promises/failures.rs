//! What becomes of a call when a guard fails.

use host::failing::{Failing, Fate};

use super::{Programs, Promise, Session, denied, kept, ran, says, shell};
use crate::real_hosts::setups::Setup;

const HOOK: &str = "command-blocker";

/// What the table of failures says about the shipped configuration.
fn fate(setup: Setup, failing: Failing) -> &'static str {
    match setup.product().when(failing).map(|row| row.shipped) {
        Some(Fate::Denied) => "call denied",
        Some(Fate::Runs) => "call runs",
        None => "no one has looked",
    }
}

pub(super) const SESSIONS: &[Session] = &[
    Session {
        hooks: &[HOOK],
        programs: Programs::Misbehaving,
        script: || vec![shell("panic"), shell("sleep"), says("done")],
        promises: &[
            Promise {
                hook: HOOK,
                title: "a hook that panics denies",
                cell: |report, _| denied(report, 0, "hook.internal-error"),
                expected: kept,
            },
            Promise {
                hook: HOOK,
                title: "a hook that hangs denies at its own deadline",
                cell: |report, _| denied(report, 1, "hook.deadline"),
                expected: kept,
            },
        ],
        ..Session::USUAL
    },
    Session {
        hooks: &[HOOK],
        programs: Programs::Killed,
        script: || vec![shell("touch ran"), says("done")],
        promises: &[Promise {
            hook: HOOK,
            title: "the hook is killed by a signal",
            cell: ran,
            expected: |setup| fate(setup, Failing::Killed),
        }],
        ..Session::USUAL
    },
    Session {
        hooks: &[HOOK],
        programs: Programs::Missing,
        script: || vec![shell("touch ran"), says("done")],
        promises: &[Promise {
            hook: HOOK,
            title: "the program is missing",
            cell: ran,
            expected: |setup| fate(setup, Failing::Missing),
        }],
        ..Session::USUAL
    },
];
