//! `OpenCode` 1.18.33, driven. It has no hooks but plugins in JavaScript: ours (`configs/opencode`) sends what this file reads, and
//! does what the answer says.
//!
//! By its program: what a plugin throws before a tool is the tool's result; what it adds to the result and to a prompt reaches
//! the model.

use super::plugin::BY_PLUGIN;
use super::traits::{AgentForm, Agents, Compared, Kept, NO_AGENTS, NOTHING_KEPT, Traits};
use crate::address::Address;
use crate::detect::Clues;
use crate::model::{Outcome, Run};

pub(super) static TRAITS: Traits = Traits {
    agents: Agents {
        own: "general explore build plan",
        compared: Compared::Exactly,
        places: &[
            AgentForm::Markdown.of_repository(".opencode/agent"),
            AgentForm::Markdown.of_repository(".opencode/agents"),
            AgentForm::Markdown.of_user(".config/opencode/agent"),
            AgentForm::Markdown.of_user(".config/opencode/agents"),
        ],
        ..NO_AGENTS
    },
    kept: Kept {
        program: "opencode",
        package: "opencode-ai",
        words: "opencode",
        variables: "OPENCODE_CONFIG OPENCODE_CONFIG_DIR OPENCODE_CONFIG_CONTENT OPENCODE_DISABLE_DEFAULT_PLUGINS \
            OPENCODE_PURE",
        user: "
            .config/opencode/**
",
        // Not `opencode.json` beside the sources: it lies in no folder of its own, so that every search in a repository would be
        // about it.
        project: "
            whole .opencode/plugin/**
            whole .opencode/plugins/**
            agent .opencode/agent/**
            agent .opencode/agents/**
            agent .opencode/command/**
            agent .opencode/commands/**
            whole .opencode/opencode.json
            whole .opencode/opencode.jsonc
",
        switches: "
opencode off flag --pure
opencode looser run plugin
",
        ..NOTHING_KEPT
    },
    ..BY_PLUGIN
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.is_foreign()
        && clues.text("event").is_some_and(|event| {
            ["tool.execute.", "session.", "chat."].iter().any(|start| event.starts_with(start))
        })
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    super::plugin::read(from, run)
}
