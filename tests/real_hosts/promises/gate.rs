//! What `approval-gate` promises.

use real_hosts::run::Permissions;
use real_hosts::terminal::Answer;
use real_hosts::{Report, Turn};

use super::{
    Cell, KEPT, Promise, Session, asks_in_an_editor, denied, held, kept, result, says, shell, when, write,
};
use crate::real_hosts::scene::Scene;
use crate::real_hosts::setups::Setup;

const HOOK: &str = "approval-gate";

/// Where the user's policy is.
const FILE: &str = ".config/policy-hooks/policy.toml";

const POLICY: &str = r#"
schema = 1

[[rule]]
id = "test.denied"
decision = "deny"
reason = "No one touches this."
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

/// A command that runs in another form: `made` instead of `wanted`.
const REWRITES: &str = r#"
schema = 1

[[rule]]
id = "test.rewritten"
decision = "rewrite"
reason = "It has another name."
instead = "Use the other name."
run = { program = "touch", args_any = ["wanted"] }
rewrite = { swap = { "wanted" = "made" } }
"#;

/// Which of the two files there are: what was written, what it became.
fn made(scene: &Scene) -> [bool; 2] {
    ["wanted", "made"].map(|file| scene.project.join(file).exists())
}

/// A typo where the decision stands.
const BROKEN: &str = r#"
schema = 1

[[rule]]
id = "test.denied"
decision = "dney"
reason = "No one touches this."
run = { program = "touch", args_any = ["denied"] }
"#;

/// What stands in the question, without blanks.
const QUESTION: &str = "Apersonhastoknow";

/// Whether the person was asked, and the call ran if that is what was answered.
fn at_the_terminal(report: &Report, scene: &Scene, yes: bool) -> Cell {
    let ran = scene.project.join("asked").exists();
    match (report.asked, ran) {
        (true, ran) if ran == yes => Ok(KEPT),
        (false, false) => denied(report, 0, "test.asked").map(|_| "denied, as the host does not ask"),
        _ => Err(format!("asked: {}, ran: {ran}; {report:?}", report.asked)),
    }
}

fn asked(setup: Setup) -> &'static str {
    if setup.asks() { KEPT } else { "denied, as the host does not ask" }
}

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
            },
            Promise {
                hook: HOOK,
                title: "what a policy asks about is denied where no one can answer",
                cell: |report, scene| {
                    when(!scene.project.join("asked").exists(), || "it ran".to_owned())?;
                    held(report, 1, "test.asked")
                },
                expected: asks_in_an_editor,
            },
            Promise {
                hook: HOOK,
                title: "what no rule covers is left to the host",
                cell: |_, scene| {
                    when(scene.project.join("plain").exists(), || "`touch plain` did not run".to_owned())
                },
                expected: kept,
            },
        ],
        ..Session::USUAL
    },
    Session {
        hooks: &[HOOK],
        user_files: &[(FILE, POLICY)],
        is_brief: true,
        person: Some((QUESTION, Answer::Yes)),
        script: || vec![shell("touch asked"), says("done")],
        promises: &[Promise {
            hook: HOOK,
            title: "a person is asked, says yes, and the call runs",
            cell: |report, scene| at_the_terminal(report, scene, true),
            expected: asked,
        }],
        ..Session::USUAL
    },
    Session {
        hooks: &[HOOK],
        user_files: &[(FILE, POLICY)],
        person: Some((QUESTION, Answer::No)),
        script: || vec![shell("touch asked"), says("done")],
        promises: &[Promise {
            hook: HOOK,
            title: "a person is asked, says no, and it does not run",
            cell: |report, scene| at_the_terminal(report, scene, false),
            expected: asked,
        }],
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
                Setup::Claude | Setup::CopilotSdk | Setup::VsCode => KEPT,
                Setup::CopilotPascal
                | Setup::CopilotCamel
                | Setup::Codex
                | Setup::OpenCode
                | Setup::Pi
                | Setup::OpenHands => "runs, as all else does",
                Setup::Gemini | Setup::Qwen | Setup::Cline => "the host runs no command then",
            },
        }],
        ..Session::USUAL
    },
    Session {
        hooks: &[HOOK],
        user_files: &[(FILE, BROKEN)],
        script: || vec![shell("touch ran"), Turn::Read("victim/keep.txt".to_owned()), says("done")],
        promises: &[Promise {
            hook: HOOK,
            title: "with a mistake in the user's policy, commands are asked about, which no one can answer; reading still works",
            cell: |report, scene| {
                when(!scene.project.join("ran").exists(), || "`touch ran` ran".to_owned())?;
                let read = result(report, 1)?;
                when(read.contains("keep"), || read.to_owned())?;
                held(report, 0, "policy.broken")
            },
            expected: asks_in_an_editor,
        }],
        ..Session::USUAL
    },
    Session {
        hooks: &[HOOK],
        user_files: &[(FILE, REWRITES)],
        script: || vec![shell("cd . && touch wanted"), shell("touch wanted $UNSET_HERE"), says("done")],
        promises: &[Promise {
            hook: HOOK,
            title: "a rewritten call runs as rewritten; what is only known at run time is denied",
            cell: |report, scene| {
                denied(report, 1, "test.rewritten")?;
                match made(scene) {
                    [false, true] => Ok(KEPT),
                    [false, false] => denied(report, 0, "test.rewritten").map(|_| "denied, with the advice"),
                    [true, _] => Err("it ran as it was".to_owned()),
                }
            },
            expected: |setup| match setup {
                Setup::Codex
                | Setup::Qwen
                | Setup::Cline
                | Setup::OpenCode
                | Setup::Pi
                | Setup::OpenHands => "denied, with the advice",
                _ => KEPT,
            },
        }],
        ..Session::USUAL
    },
    Session {
        hooks: &[HOOK],
        user_files: &[(FILE, REWRITES)],
        permissions: Permissions::Ask,
        script: || vec![shell("touch wanted"), shell("touch plain"), says("done")],
        promises: &[Promise {
            hook: HOOK,
            title: "a rewritten call still meets the host's own question",
            cell: |_, scene| {
                // Whatever the host makes of a call of which no hook speaks, it makes of this one.
                let plain = scene.project.join("plain").exists();
                match made(scene) {
                    [false, ran] if ran == plain => Ok(if ran { "runs, as all else does" } else { KEPT }),
                    [false, false] => Ok("denied, with the advice"),
                    there => Err(format!("{there:?}, plain: {plain}")),
                }
            },
            expected: |setup| match setup {
                // The last three run no command at all then.
                Setup::Claude | Setup::CopilotSdk | Setup::VsCode => KEPT,
                Setup::Gemini | Setup::Qwen | Setup::Cline => KEPT,
                Setup::CopilotPascal | Setup::CopilotCamel => "runs, as all else does",
                Setup::Codex | Setup::OpenCode | Setup::Pi | Setup::OpenHands => "denied, with the advice",
            },
        }],
        ..Session::USUAL
    },
];
