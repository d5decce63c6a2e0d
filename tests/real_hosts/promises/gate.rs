//! What `approval-gate` promises.

use real_hosts::Turn;
use real_hosts::run::Permissions;

use super::{BY_SOURCE, KEPT, Promise, Session, denied, kept, result, says, shell, when, write};
use crate::real_hosts::setups::Setup;

const HOOK: &str = "approval-gate";

/// Where the user's policy is.
const FILE: &str = ".config/policy-hooks/policy.toml";

const POLICY: &str = r#"
schema = 1

[[rule]]
id = "test.denied"
decision = "deny"
reason = "Nobody touches this."
run = { program = "touch", args_any = ["denied"] }

[[rule]]
id = "test.asked"
decision = "ask"
reason = "A person has to know."
run = { program = "touch", args_any = ["asked"] }

[[rule]]
id = "test.allowed"
decision = "allow"
run = { program = "touch", args_any = ["allowed"], args_none = ["a-*"] }

[[rule]]
id = "test.written"
decision = "deny"
reason = "It is generated."
path = { access = ["write", "delete"], any = ["generated.txt"] }
"#;

/// A typo where the decision stands.
const BROKEN: &str = r#"
schema = 1

[[rule]]
id = "test.denied"
decision = "dney"
reason = "Nobody touches this."
run = { program = "touch", args_any = ["denied"] }
"#;

pub(super) const SESSIONS: &[Session] = &[
    Session {
        hooks: &[HOOK],
        user_files: &[(FILE, POLICY)],
        script: || {
            vec![
                shell("cd . && touch denied"),
                shell("touch asked"),
                shell("touch allowed"),
                write("generated.txt", "x"),
                shell("touch plain"),
                says("done"),
            ]
        },
        promises: &[
            Promise {
                hook: HOOK,
                title: "what a policy denies does not happen, by command or by edit, and the model reads why",
                cell: |report, scene| {
                    denied(report, 0, "test.denied")?;
                    denied(report, 3, "test.written")?;
                    let there = ["denied", "generated.txt"].map(|file| scene.project.join(file).exists());
                    when(there == [false, false], || "it happened".to_owned())
                },
                expected: kept,
                by_source: BY_SOURCE,
            },
            Promise {
                hook: HOOK,
                title: "what a policy asks about is denied where nobody can answer",
                cell: |report, scene| {
                    denied(report, 1, "test.asked")?;
                    when(!scene.project.join("asked").exists(), || "it ran".to_owned())
                },
                expected: kept,
                by_source: "asks, by source",
            },
            Promise {
                hook: HOOK,
                title: "what no rule speaks about is left to the host",
                cell: |_, scene| {
                    when(scene.project.join("plain").exists(), || "`touch plain` did not run".to_owned())
                },
                expected: kept,
                by_source: BY_SOURCE,
            },
        ],
        ..Session::USUAL
    },
    Session {
        hooks: &[HOOK],
        user_files: &[(FILE, POLICY)],
        permissions: Permissions::Ask,
        script: || vec![shell("touch allowed"), shell("touch plain"), says("done")],
        promises: &[Promise {
            hook: HOOK,
            title: "what a policy allows runs without the host's own question",
            cell: |report, scene| {
                result(report, 0)?;
                match ["allowed", "plain"].map(|file| scene.project.join(file).exists()) {
                    [true, false] => Ok(KEPT),
                    [true, true] => Ok("runs, as all else does"),
                    [false, false] => Ok("the host runs no command then"),
                    [false, true] => Err("only `touch plain` ran".to_owned()),
                }
            },
            expected: |setup| match setup {
                Setup::Claude => KEPT,
                Setup::CopilotPascal | Setup::CopilotCamel | Setup::Codex => "runs, as all else does",
                Setup::Gemini => "the host runs no command then",
            },
            by_source: BY_SOURCE,
        }],
        ..Session::USUAL
    },
    Session {
        hooks: &[HOOK],
        user_files: &[(FILE, BROKEN)],
        script: || vec![shell("touch ran"), Turn::Read("victim/keep.txt".to_owned()), says("done")],
        promises: &[Promise {
            hook: HOOK,
            title: "with a mistake in the user's policy commands are asked about, which nobody can answer; reading goes on",
            cell: |report, scene| {
                denied(report, 0, "policy.broken")?;
                when(!scene.project.join("ran").exists(), || "`touch ran` ran".to_owned())?;
                let read = result(report, 1)?;
                when(read.contains("keep"), || read.to_owned())
            },
            expected: kept,
            by_source: "asks, by source",
        }],
        ..Session::USUAL
    },
];
