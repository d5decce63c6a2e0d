//! Pi 1.3.0, driven. It has no hooks but extensions in JavaScript: ours (`configs/pi`) sends what this file reads, and does
//! what the answer says.
//!
//! By its program: the reason of a blocked call is the tool's result; what is added to a result, to a prompt and when it is
//! about to stop reaches the model, and it goes on then. It asks no one about a call, and has no sub-agents of its own.

use super::plugin::BY_PLUGIN;
use super::traits::{Kept, NOTHING_KEPT, Traits};
use crate::address::Address;
use crate::detect::Clues;
use crate::model::{Outcome, Run};

pub(super) static TRAITS: Traits = Traits {
    kept: Kept {
        program: "pi",
        package: "pi-coding-agent",
        moved: Some(("PI_CODING_AGENT_DIR", ".pi/agent")),
        words: ".pi",
        variables: "PI_CODING_AGENT_DIR PI_PACKAGE_DIR",
        user: "
            .pi/agent/**
",
        everyday: "
            .pi/agent/sessions/**
            .pi/agent/*.md
            .pi/agent/themes/**
            .pi/agent/keybindings.json
",
        project: "
            whole .pi/extensions/**
            whole .pi/settings.json
            whole .pi/mcp.json
            agent .pi/skills/**
            agent .pi/prompts/**
",
        switches: "
pi off flag --no-extensions -ne --no-approve -na
pi looser flag --extension -e
pi looser run install|remove|uninstall|config
",
        ..NOTHING_KEPT
    },
    ..BY_PLUGIN
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.is_foreign()
        && clues.text("event").is_some_and(|event| {
            ["tool_call", "tool_result", "input", "session_start", "session_shutdown", "agent_before_settle"]
                .contains(&&*event)
        })
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    super::plugin::read(from, run)
}
