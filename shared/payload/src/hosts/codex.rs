//! Codex CLI 0.169.0, as far as a call needs to know it.
//!
//! How it reads answers: any key that the event's schema does not have voids the answer, and so do several that it has:
//! `ask`, `suppressOutput`, `stopReason`. Exit 2 needs a string on stderr and beats the answer.

use super::traits::{
    AgentForm, Agents, Allow, Answers, Ask, NESTED, NO_AGENTS, PLAIN, Rewrite, Traits, USUAL,
};
use crate::address::Address;
use crate::asking::Asking;
use crate::detect::Clues;
use crate::field::Field;
use crate::host::Dialect;
use crate::json::{Json, JsonType};
use crate::kind::EventKind as E;
use crate::model::{Effect, Ended, Outcome, Run, block_effect, filled, member, object};

pub(super) static TRAITS: Traits = Traits {
    dialects: &[Dialect::Strict],
    asking: &[("*", Asking::Never, "0.169.0 driven: unsupported, the tool runs (pre_cx_ask)")],
    answers: Answers {
        ask: Ask::Never,
        allow: Allow::OnRequest,
        rewrite: Some(Rewrite { only: Some(true), ..NESTED }),
        ..USUAL
    },
    silent_typing: true,
    // Read, 0.169.0.
    agents: Agents {
        own: "default explorer worker awaiter",
        has_default: true,
        places: &[
            AgentForm::Toml.of_repository(".codex/agents"),
            AgentForm::Tables.of_repository(".codex/config.toml"),
            AgentForm::Toml.of_user(".codex/agents"),
            AgentForm::Tables.of_user(".codex/config.toml"),
        ],
        ..NO_AGENTS
    },
    ..PLAIN
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    // Claude's MessageDisplay has a turn_id too, but with a prompt_id.
    clues.dialect == Dialect::Strict
        && ((clues.has(Field::TurnId) && !clues.has(Field::PromptId))
            || (clues.name == "SessionStart" && clues.has(Field::Model) && clues.has(Field::PermissionMode))
            || clues.transcript_name().starts_with("rollout-"))
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    let kind = from.kind;
    match run.ended {
        Ended::Exited(0) => {}
        Ended::Exited(2) if kind != E::SessionStart => {
            return match filled(run.stderr) {
                Some(reason) => Outcome::of(block_effect(kind), Some(reason)),
                None => Outcome::ignored("exit 2 without a message on stderr"),
            };
        }
        _ => return Outcome::ignored("the hook failed"),
    }
    let text = run.stdout.trim();
    if text.is_empty() {
        return Outcome::default();
    }
    // Text that does not look like JSON is context at these events.
    if !text.starts_with(['{', '[']) {
        return match kind {
            E::SessionStart | E::UserPromptSubmit => Outcome { context: filled(text), ..Outcome::default() },
            _ => Outcome::ignored("plain text has no meaning here"),
        };
    }
    let Some(json) = object(text) else {
        return Outcome::ignored("the answer is not one JSON object");
    };
    match known_keys(kind, json) {
        Ok(()) => said(kind, json).unwrap_or_else(Outcome::ignored),
        Err(why) => Outcome::ignored(why),
    }
}

/// The schemas of `codex-hook-schemas.json`, as far as keys go.
fn known_keys(kind: E, json: Json<'_>) -> Result<(), &'static str> {
    let decides =
        matches!(kind, E::PreToolUse | E::PostToolUse | E::UserPromptSubmit | E::Stop | E::SubagentStop);
    let nested: &[&str] = match kind {
        E::PreToolUse => {
            &["permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"]
        }
        E::PostToolUse => &["additionalContext", "updatedMCPToolOutput"],
        E::PermissionRequest => &["decision"],
        E::SessionStart | E::SubagentStart | E::UserPromptSubmit => &["additionalContext"],
        _ => &[],
    };
    for (key, value) in json.members() {
        let fits = match &*key {
            "continue" | "suppressOutput" => value.kind() == JsonType::Bool,
            "stopReason" | "systemMessage" => value.kind() == JsonType::String,
            // One key too many voids the whole answer, which then lets the call run.
            "reason" | "decision" => decides && value.kind() == JsonType::String,
            "hookSpecificOutput" => !nested.is_empty() && value.kind() == JsonType::Object,
            _ => false,
        };
        if !fits {
            return Err("a key that the schema does not have");
        }
    }
    let Some(inner) = json.get("hookSpecificOutput") else { return Ok(()) };
    // The name must be an event's, but not this event's.
    if inner.get_str("hookEventName").is_none_or(|name| E::from_name(&name) == E::Other) {
        return Err("hookEventName is missing");
    }
    if inner.members().any(|(key, _)| key != "hookEventName" && !nested.contains(&&*key)) {
        return Err("a nested key that the schema does not have");
    }
    Ok(())
}

fn said(kind: E, json: Json<'_>) -> Result<Outcome, &'static str> {
    let nested = json.get("hookSpecificOutput");
    let reason = member(Some(json), "reason").and_then(|text| filled(&text));
    let blocks = match json.get_str("decision").as_deref() {
        Some("block") if reason.is_none() => return Err("a block without a reason"),
        Some("block") => true,
        Some(_) => return Err("a decision other than block"),
        None => false,
    };
    let ends = json.get("continue").is_some_and(|value| value.text() == "false");
    let mut outcome = Outcome {
        context: member(nested, "additionalContext"),
        notice: member(Some(json), "systemMessage"),
        ..Outcome::default()
    };
    match kind {
        E::PreToolUse => return before_tool(json, nested, reason.filter(|_| blocks), outcome),
        E::PermissionRequest => {
            let decision = nested.and_then(|nested| nested.get("decision"));
            let reserved = ["updatedInput", "updatedPermissions"]
                .iter()
                .any(|key| decision.is_some_and(|d| d.get(key).is_some()))
                || decision.and_then(|d| d.get("interrupt")?.as_bool()) == Some(true);
            outcome.reason = member(decision, "message");
            outcome.effect = match member(decision, "behavior").as_deref() {
                // By the schema's own words these fail closed.
                Some(_) if reserved => Effect::Deny,
                Some("allow") => Effect::Allow,
                Some("deny") => Effect::Deny,
                _ => Effect::None,
            };
        }
        _ if ends && kind == E::PostToolUse => outcome.replacement = member(Some(json), "stopReason"),
        E::SessionStart | E::UserPromptSubmit if ends => outcome.effect = Effect::Abort,
        _ if ends => outcome.effect = Effect::EndTurn,
        _ if blocks => {
            outcome.effect = Effect::Block;
            outcome.reason = reason;
        }
        _ => {}
    }
    Ok(outcome)
}

fn before_tool(
    json: Json<'_>,
    nested: Option<Json<'_>>,
    blocked: Option<String>,
    mut outcome: Outcome,
) -> Result<Outcome, &'static str> {
    let is = |key, value| json.get(key).is_some_and(|found: Json<'_>| found.text() == value);
    if is("continue", "false") || is("suppressOutput", "true") || json.get("stopReason").is_some() {
        return Err("continue, stopReason and suppressOutput are not supported here");
    }
    let word = member(nested, "permissionDecision");
    let input = nested.and_then(|nested| nested.get("updatedInput"));
    match (word.as_deref(), input) {
        (Some("deny"), None) => {
            outcome.effect = Effect::Deny;
            outcome.reason = member(nested, "permissionDecisionReason").and_then(|text| filled(&text));
            if outcome.reason.is_none() {
                return Err("a deny without a reason");
            }
        }
        (Some("allow"), Some(input)) => {
            outcome.effect = Effect::Allow;
            outcome.input = Some(input.text().to_owned());
        }
        (Some(_), _) => return Err("a decision that is not supported"),
        (None, Some(_)) => return Err("updatedInput without allow"),
        (None, None) if blocked.is_some() => {
            outcome.effect = Effect::Deny;
            outcome.reason = blocked;
        }
        (None, None) => {}
    }
    Ok(outcome)
}
