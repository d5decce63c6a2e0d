//! What `approval-gate` promises about sub-agents.

use real_hosts::Turn;

use super::{Cell, KEPT, Promise, Session, denied, result, says, when};
use crate::real_hosts::setups::Setup;

const HOOK: &str = "approval-gate";

pub(super) const SESSIONS: &[Session] = &[Session {
    hooks: &[HOOK],
    script: || {
        let agent = |name: &str| Turn::Agent(name.to_owned());
        vec![agent("reviewr"), agent("reviewer"), says("done"), says("done"), says("done")]
    },
    promises: &[
        Promise {
            hook: HOOK,
            title: "a sub-agent that no one has defined is not started, and the model reads which is meant",
            cell: |report, scene| {
                let text = result(report, 0)?;
                if let Some(cell) = by_host(scene.setup, text) {
                    return Ok(cell);
                }
                denied(report, 0, "agents.unknown")?;
                when(text.contains("Call `reviewer`"), || text.to_owned())
            },
            expected: unless_it_looks_itself,
        },
        Promise {
            hook: HOOK,
            title: "a sub-agent of the repository is started",
            cell: |report, scene| -> Cell {
                // A host that says the same of both calls is heard once.
                let first = result(report, 0)?;
                if let Some(cell) = by_host(scene.setup, first) {
                    return Ok(cell);
                }
                let text = result(report, 1)?;
                when(!text.contains("(rule "), || text.to_owned())
            },
            expected: unless_it_looks_itself,
        },
    ],
    ..Session::USUAL
}];

/// What a host says that asks no hook: Gemini CLI looks for the agent before, and Codex CLI and Pi offer none by themselves.
fn by_host(setup: Setup, text: &str) -> Option<&'static str> {
    if setup == Setup::Cline && !text.contains("(rule ") {
        Some("they have no names")
    } else if ["unsupported call", "Tool subagent not found"].iter().any(|said| text.contains(said)) {
        Some("has none")
    } else if text.contains("Subagent '") && text.contains("not found") {
        Some("host refuses")
    } else {
        None
    }
}

fn unless_it_looks_itself(setup: Setup) -> &'static str {
    match setup {
        Setup::Claude
        | Setup::CopilotPascal
        | Setup::CopilotCamel
        | Setup::CopilotSdk
        | Setup::Qwen
        | Setup::OpenCode
        | Setup::OpenHands
        | Setup::VsCode => KEPT,
        Setup::Codex | Setup::Pi => "has none",
        Setup::Cline => "they have no names",
        Setup::Gemini => "host refuses",
    }
}
