//! Copilot CLI 1.0.102, both dialects.
//!
//! Before a tool any failure but a timeout denies. Everything else is read at exit 0 only, and at the top level only.

use super::traits::{
    AgentForm, Agents, Answers, Attended, NESTED, NO_AGENTS, PLAIN, Rewrite, SessionLog, Traits, USUAL,
};
use crate::address::Address;
use crate::asking::Asking;
use crate::detect::Clues;
use crate::field::Field;
use crate::host::Dialect;
use crate::json::Json;
use crate::kind::EventKind as E;
use crate::model::{Effect, Ended, Outcome, Run, decision, filled, member, object};

pub(super) static TRAITS: Traits = Traits {
    dialects: &[Dialect::Flat, Dialect::Timed],
    asking: &[(
        "*",
        Asking::Asks,
        "1.0.102 driven: asks on a terminal, also with --allow-all-tools; -p denies",
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
        // The PascalCase dialect was seen to rewrite without a decision only when told in both places.
        rewrite: Some(Rewrite { modified_args: true, ..NESTED }),
        // 1.0.102 takes a systemMessage without harm, but no one was seen to get it.
        notices: false,
        ..USUAL
    },
    renames_power_shell: true,
    dashed_servers: true,
    session_log: Some(SessionLog { home: "COPILOT_HOME", folder: ".copilot", below: "session-state" }),
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
    // A byte order mark is taken off in the PascalCase dialect only.
    let json = object(if flat { run.stdout } else { run.stdout.trim_start_matches('\u{feff}') });
    let top = |key| member(json, key);
    match (from.kind, run.ended) {
        (_, Ended::TimedOut) => Outcome::ignored("the hook timed out"),
        (E::PreToolUse | E::PermissionRequest, Ended::Exited(2)) => {
            let nested = json.is_some_and(|json| json.get("hookSpecificOutput").is_some());
            let reason = top("permissionDecisionReason").filter(|_| flat || !nested);
            Outcome::of(Effect::Deny, reason)
        }
        (E::PreToolUse, Ended::Exited(0)) => before_tool(flat, json),
        (E::PermissionRequest, Ended::Exited(0)) => {
            let interrupt = json.and_then(|json| json.get("interrupt")?.as_bool()) == Some(true);
            let effect = match top("behavior").as_deref() {
                Some("allow") => Effect::Allow,
                Some("deny") if interrupt => Effect::Abort,
                Some("deny") => Effect::Deny,
                _ => Effect::None,
            };
            Outcome::of(effect, top("message"))
        }
        (E::PreToolUse | E::PermissionRequest, _) => {
            Outcome { ignored: Some("the hook failed, which denies"), ..Outcome::of(Effect::Deny, None) }
        }
        (E::PostToolUseFailure, Ended::Exited(2)) => {
            Outcome { context: filled(run.stderr), ..Outcome::default() }
        }
        (_, Ended::Exited(0)) => after(from.kind, json, run.stdout),
        _ => Outcome::ignored("the hook failed"),
    }
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
    let input = nested.and_then(|nested| nested.get("updatedInput")).or_else(|| json.get("modifiedArgs"));
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
    let blocks = json.get_str("decision").as_deref() == Some("block");
    let context = member(Some(json), "additionalContext");
    match kind {
        E::Stop | E::SubagentStop if blocks && reason.is_some() => Outcome::of(Effect::Block, reason),
        E::UserPromptSubmit | E::PostToolUse if blocks => Outcome::of(Effect::Block, reason),
        E::UserPromptSubmit => {
            Outcome { context, replacement: member(Some(json), "modifiedPrompt"), ..Outcome::default() }
        }
        E::PostToolUse => {
            let replacement = member(json.get("modifiedResult"), "textResultForLlm");
            Outcome { context, replacement, ..Outcome::default() }
        }
        E::SessionStart | E::SubagentStart | E::PostToolUseFailure => {
            Outcome { context, ..Outcome::default() }
        }
        _ => Outcome::default(),
    }
}
