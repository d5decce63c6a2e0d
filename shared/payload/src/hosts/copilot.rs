//! Copilot CLI 1.0.102, both dialects.
//!
//! Before a tool any failure but a timeout denies. Everything else is read at exit 0 only, and at the top level only.

use super::traits::{
    AgentForm, Agents, Answers, Attended, Kept, NESTED, NO_AGENTS, NOTHING_KEPT, PLAIN, Rewrite, Traits,
    USUAL,
};
use crate::address::Address;
use crate::asking::Asking;
use crate::detect::Clues;
use crate::field::Field;
use crate::host::Dialect;
use crate::json::{Json, JsonType};
use crate::kind::EventKind as E;
use crate::model::{Effect, Ended, Outcome, Run, decision, filled, member, object};

pub(super) static TRAITS: Traits = Traits {
    dialects: &[Dialect::Flat, Dialect::Timed],
    asking: &[(
        "*",
        Asking::ByOwnClient,
        "1.0.102 driven: asks on a terminal, also with --allow-all-tools; -p denies; SDK 1.0.14 driven: the application answers",
    )],
    // It asks on the terminal that it was started from.
    attended: Attended::WithTerminal,
    answers: Answers {
        context: &[
            E::SessionStart,
            E::UserPromptSubmit,
            E::PostToolUse,
            E::PreToolUse,
            E::SubagentStart,
            E::PostToolUseFailure,
        ],
        both_places: true,
        // The PascalCase dialect was seen to rewrite without a decision only when it stands in both places.
        rewrite: Some(Rewrite { modified_args: true, ..NESTED }),
        // 1.0.102 takes a systemMessage without harm, but no one was seen to get it.
        notices: false,
        ..USUAL
    },
    renames_power_shell: true,
    dashed_servers: true,
    session_log: Some("session-state"),
    agents: Agents {
        own: "explore task general-purpose rubber-duck code-review research security-review",
        // Run, 1.0.102.
        places: &[
            AgentForm::Markdown.of_repository(".github/agents"),
            AgentForm::Markdown.of_repository(".claude/agents"),
            AgentForm::Markdown.of_user(".copilot/agents"),
            AgentForm::Markdown.of_user(".claude/agents"),
            AgentForm::Plugins.of_user(".copilot/installed-plugins"),
        ],
        ..NO_AGENTS
    },
    kept: Kept {
        program: "copilot",
        moved: Some(("COPILOT_HOME", ".copilot")),
        words: "copilot github",
        variables: "COPILOT_HOME COPILOT_ALLOW_ALL",
        machine: "
            /etc/github-copilot/**
            /Library/Application Support/GitHub/Copilot/**
            /Library/Application Support/GitHubCopilot/**
            C:/ProgramData/GitHub/Copilot/**
",
        user: "
            .copilot/**
            .config/github-copilot/**
",
        everyday: "
            .copilot/session-state/**
            .copilot/history-session-state/**
            .copilot/session-store*
            .copilot/logs/**
            .copilot/tmp/**
            .copilot/cache/**
            .copilot/pkg/**
            .copilot/ide/**
            .copilot/*.md
            .copilot/instructions/**
",
        project: "
            switches .github/copilot/*.json
",
        switches: "
copilot off flag --yolo --allow-all --config-dir
copilot off key disableAllHooks true
copilot looser flag --allow-all-tools --allow-all-paths --allow-all-urls
copilot looser value --additional-mcp-config *
copilot looser tool --allow-tool shell shell(*) *
copilot looser run mcp|plugin|plugins|skills add|remove|install|uninstall|disable|enable|update
",
        ..NOTHING_KEPT
    },
    ..PLAIN
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    match clues.dialect {
        Dialect::Flat => true,
        Dialect::Timed if !clues.is_old() => {
            clues.transcript_is_under(".copilot")
                || (clues.transcript.is_empty() && !clues.has(Field::ToolUseId))
        }
        _ => false,
    }
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    let flat = from.dialect == Dialect::Flat;
    let json = object(run.stdout.trim_start_matches('\u{feff}'));
    match (from.kind, run.ended) {
        (_, Ended::TimedOut) => Outcome::ignored("the hook timed out"),
        (E::PreToolUse, Ended::Exited(2)) => {
            let nested = json.is_some_and(|json| json.get("hookSpecificOutput").is_some());
            let mut outcome = before_tool(flat, json);
            // The exit code beats what the answer says, an `allow` as well.
            outcome.effect = Effect::Deny;
            outcome.reason = member(json, "permissionDecisionReason").filter(|_| flat || !nested);
            Outcome { input: None, ..outcome }
        }
        (E::PreToolUse, Ended::Exited(0)) => before_tool(flat, json),
        (E::PermissionRequest, Ended::Exited(0 | 2)) => permission(json, run),
        (E::PreToolUse | E::PermissionRequest, _) => {
            Outcome { ignored: Some("the hook failed, which denies"), ..Outcome::of(Effect::Deny, None) }
        }
        (E::PostToolUseFailure, Ended::Exited(2)) => {
            let own = after(from.kind, json, run.stdout);
            Outcome { context: own.context.or_else(|| filled(run.stderr)), ..own }
        }
        (_, Ended::Exited(0 | 2)) => after(from.kind, json, run.stdout),
        _ => Outcome::ignored("the hook failed"),
    }
}

fn permission(json: Option<Json<'_>>, run: &Run<'_>) -> Outcome {
    // [run] Text that is not JSON is a failure; JSON that is not an object says nothing.
    let failed = run.ended == Ended::Exited(0);
    if failed
        && !run.stdout.trim().is_empty()
        && Json::new(run.stdout.trim_start_matches('\u{feff}')).is_none()
    {
        return Outcome {
            ignored: Some("the answer is not JSON, which denies"),
            ..Outcome::of(Effect::Deny, None)
        };
    }
    let effect = match member(json, "behavior").as_deref() {
        _ if run.ended == Ended::Exited(2) => Effect::Deny,
        Some("allow") => Effect::Allow,
        Some("deny") => Effect::Deny,
        _ => Effect::None,
    };
    // [run] Another hook's denial ends the run as well.
    let ends = json.and_then(|json| json.get("interrupt")?.as_bool()) == Some(true);
    Outcome { ends, ..Outcome::of(effect, member(json, "message")) }
}

fn before_tool(flat: bool, json: Option<Json<'_>>) -> Outcome {
    let Some(json) = json else { return Outcome::ignored("the answer is not one JSON object") };
    let nested = json.get("hookSpecificOutput").filter(|_| !flat);
    let inner = member(nested, "permissionDecision");
    let (word, reason) = if inner.is_some() {
        (inner, member(nested, "permissionDecisionReason"))
    } else {
        (member(Some(json), "permissionDecision"), member(Some(json), "permissionDecisionReason"))
    };
    // [run] `null` is as if it were not there; at the top it is an input, which no tool takes.
    let changed = nested.and_then(|nested| nested.get("updatedInput"));
    let input = changed.filter(|input| input.kind() != JsonType::Null).or_else(|| json.get("modifiedArgs"));
    Outcome {
        effect: word.as_deref().and_then(decision).unwrap_or_default(),
        reason,
        context: member(nested, "additionalContext").or_else(|| member(Some(json), "additionalContext")),
        input: input.map(|input| input.text().to_owned()),
        ..Outcome::default()
    }
}

/// All events but the two before a tool.
fn after(kind: E, json: Option<Json<'_>>, stdout: &str) -> Outcome {
    let Some(json) = json else {
        return if stdout.trim().is_empty() {
            Outcome::default()
        } else {
            Outcome::ignored("the answer is not one JSON object")
        };
    };
    let reason = member(Some(json), "reason").filter(|reason| !reason.is_empty());
    let word = json.get_str("decision");
    let context = member(Some(json), "additionalContext");
    let effect = match (kind, word.as_deref()) {
        (E::Stop | E::SubagentStop | E::UserPromptSubmit | E::PostToolUse, Some("block"))
            if reason.is_some() =>
        {
            Effect::Block
        }
        // [run] g20148: of a prompt, an empty reason is one.
        (E::UserPromptSubmit, Some("block")) if json.get_str("reason").is_some() => Effect::Block,
        // It takes back a block of a hook before it.
        (E::Stop | E::SubagentStop | E::UserPromptSubmit, Some(word)) if word != "block" => Effect::Allow,
        _ => Effect::None,
    };
    match kind {
        E::UserPromptSubmit => Outcome {
            effect,
            reason,
            // [run] `null` takes back what a hook before it said.
            context: context.or_else(|| json.get("additionalContext").map(|_| String::new())),
            replacement: member(Some(json), "modifiedPrompt"),
            ..Outcome::default()
        },
        E::PostToolUse => {
            let replacement = member(json.get("modifiedResult"), "textResultForLlm");
            // A block hides it, also that of its own answer.
            let context = context.filter(|_| effect != Effect::Block);
            let reason = reason.filter(|_| effect == Effect::Block);
            Outcome { effect, reason, context, replacement, ..Outcome::default() }
        }
        E::SessionStart | E::SubagentStart | E::PostToolUseFailure => {
            Outcome { context, ..Outcome::default() }
        }
        _ => Outcome::of(effect, reason),
    }
}
