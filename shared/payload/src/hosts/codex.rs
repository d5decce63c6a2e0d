//! Codex CLI 0.169.0, as far as a call needs to know it.
//!
//! How it reads answers: any key that the event's schema does not have voids the answer, and so do several that it has:
//! `ask`, `suppressOutput`, `stopReason`. Exit 2 needs a string on stderr and beats the answer.

use super::traits::{
    AgentForm, Agents, Allow, Answers, Ask, Kept, NESTED, NO_AGENTS, NOTHING_KEPT, PLAIN, Rewrite, Traits,
    USUAL,
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
    kept: Kept {
        program: "codex",
        moved: Some(("CODEX_HOME", ".codex")),
        words: "codex",
        variables: "CODEX_HOME",
        machine: "
            /etc/codex/**
            /Library/Application Support/Codex/**
            C:/ProgramData/OpenAI/Codex/**
",
        user: "
            .codex/**
",
        everyday: "
            .codex/sessions/**
            .codex/archived_sessions/**
            .codex/shell_snapshots/**
            .codex/worktrees/**
            .codex/generated_images/**
            .codex/memories/**
            .codex/history*
            .codex/log/**
            .codex/logs*
            .codex/tmp/**
            .codex/cache/**
            .codex/*.md
",
        project: "
            whole .codex/hooks.json
            whole .codex/config.toml
            whole .codex/hooks/**
            whole .codex/rules/**
            agent .codex/agents/**
            agent .codex/skills/**
",
        switches: "
codex off flag --dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust --yolo --ignore-user-config
codex off value -s|--sandbox danger-full-access
codex off value --disable hooks codex_hooks
codex off key features.hooks false
codex off key features.codex_hooks false
codex off key bypass_hook_trust true
codex off key sandbox_mode danger-full-access
codex off run features disable hooks|codex_hooks
codex looser value -p|--profile *yolo* *danger* *full* *bypass* *unsafe* *auto*
codex looser key profile *yolo* *danger* *full* *bypass* *unsafe* *auto*
codex looser run features enable|disable
codex looser run mcp add|remove
codex looser run plugin|plugins add|remove|install|uninstall|enable|disable|marketplace
",
        ..NOTHING_KEPT
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
    match fits(kind, json) {
        Ok(()) => said(kind, json).unwrap_or_else(Outcome::ignored),
        Err(why) => Outcome::ignored(why),
    }
}

/// The schemas of `codex-hook-schemas.json`: keys and types. `null` stands for a key that is not there, but for the two
/// booleans.
fn fits(kind: E, json: Json<'_>) -> Result<(), &'static str> {
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
            "stopReason" | "systemMessage" => is_text(value),
            // One key too many voids the whole answer, which then lets the call run.
            "reason" | "decision" => decides && is_text(value),
            "hookSpecificOutput" => {
                !nested.is_empty() && matches!(value.kind(), JsonType::Object | JsonType::Null)
            }
            _ => false,
        };
        if !fits {
            return Err("a key that the schema does not have");
        }
    }
    let Some(inner) = part(json) else { return Ok(()) };
    // The name must be an event's, but not this event's.
    if inner.get_str("hookEventName").is_none_or(|name| E::from_name(&name) == E::Other) {
        return Err("hookEventName is missing");
    }
    if inner.members().any(|(key, _)| key != "hookEventName" && !nested.contains(&&*key)) {
        return Err("a nested key that the schema does not have");
    }
    let texts = ["permissionDecision", "permissionDecisionReason", "additionalContext"];
    if texts.iter().any(|key| inner.get(key).is_some_and(|value| !is_text(value))) {
        return Err("a nested value of another type");
    }
    Ok(())
}

fn is_text(value: Json<'_>) -> bool {
    matches!(value.kind(), JsonType::String | JsonType::Null)
}

/// `hookSpecificOutput`, where it is there.
fn part(json: Json<'_>) -> Option<Json<'_>> {
    there(json, "hookSpecificOutput")
}

/// A member that is not `null`.
fn there<'a>(json: Json<'a>, key: &str) -> Option<Json<'a>> {
    json.get(key).filter(|value| value.kind() != JsonType::Null)
}

fn said(kind: E, json: Json<'_>) -> Result<Outcome, &'static str> {
    let nested = part(json);
    let stated = member(Some(json), "reason");
    let reason = stated.as_deref().and_then(filled);
    let ends = json.get("continue").is_some_and(|value| value.text() == "false");
    let blocks = match (kind, json.get_str("decision").as_deref()) {
        (_, Some("block")) => true,
        (E::PreToolUse, Some("approve")) | (_, None) => false,
        (_, Some(_)) => return Err("a decision other than block"),
    };
    let mut outcome = Outcome {
        context: member(nested, "additionalContext"),
        notice: member(Some(json), "systemMessage"),
        ..Outcome::default()
    };
    match kind {
        E::PreToolUse => return before_tool(json, nested, outcome),
        E::PermissionRequest => return permission(json, nested, outcome),
        E::PostToolUse if json.get("suppressOutput").is_some_and(|value| value.text() == "true") && !ends => {
            return Err("continue, stopReason and suppressOutput are not supported here");
        }
        // It ends nothing: the model reads why instead of the result.
        E::PostToolUse if ends => {
            let words =
                || member(Some(json), "stopReason").or(Some("PostToolUse hook stopped execution".to_owned()));
            outcome.replacement = reason.clone().or_else(words);
            if blocks && reason.is_none()
                || json.get("suppressOutput").is_some_and(|value| value.text() == "true")
            {
                outcome.context = None;
            }
        }
        E::SessionStart | E::UserPromptSubmit if ends => {
            outcome.effect = Effect::Abort;
        }
        _ if ends => outcome.ends = true,
        _ if blocks && reason.is_none() => return Err("a block without a reason"),
        _ if blocks => {
            outcome.effect = Effect::Block;
            outcome.reason = reason;
        }
        E::PostToolUse if stated.is_some() => return Err("a reason without a decision"),
        _ => {}
    }
    Ok(outcome)
}

/// Whether it has what an event before a tool refuses.
fn unsupported(json: Json<'_>) -> bool {
    let is = |key, value| json.get(key).is_some_and(|found: Json<'_>| found.text() == value);
    is("continue", "false") || is("suppressOutput", "true") || there(json, "stopReason").is_some()
}

/// [source] Called only where it would ask: not in `codex exec`.
fn permission(
    json: Json<'_>,
    nested: Option<Json<'_>>,
    mut outcome: Outcome,
) -> Result<Outcome, &'static str> {
    if unsupported(json) {
        return Err("continue, stopReason and suppressOutput are not supported here");
    }
    let Some(decision) = nested.and_then(|nested| there(nested, "decision")) else { return Ok(outcome) };
    let reserved = there(decision, "updatedInput").is_some()
        || decision.get("interrupt").and_then(Json::as_bool) == Some(true);
    if reserved {
        return Err("updatedInput and interrupt are not supported here");
    }
    outcome.reason = member(Some(decision), "message").and_then(|text| filled(&text));
    outcome.effect = match member(Some(decision), "behavior").as_deref() {
        Some("allow") => Effect::Allow,
        Some("deny") => Effect::Deny,
        _ => return Err("a behavior other than allow and deny"),
    };
    Ok(outcome)
}

fn before_tool(
    json: Json<'_>,
    nested: Option<Json<'_>>,
    mut outcome: Outcome,
) -> Result<Outcome, &'static str> {
    if unsupported(json) {
        return Err("continue, stopReason and suppressOutput are not supported here");
    }
    let inner = |key| nested.and_then(|nested| there(nested, key));
    let keys = ["permissionDecision", "permissionDecisionReason", "updatedInput"];
    // Where the part decides anything, `decision` beside it is not looked at.
    if !keys.iter().any(|key| inner(key).is_some()) {
        let reason = member(Some(json), "reason");
        match json.get_str("decision").as_deref() {
            Some("block") => {
                outcome.effect = Effect::Deny;
                outcome.reason =
                    Some(reason.and_then(|text| filled(&text)).ok_or("a block without a reason")?);
            }
            Some(_) => return Err("a decision other than block"),
            None if reason.is_some() => return Err("a reason without a decision"),
            None => {}
        }
        return Ok(outcome);
    }
    let word = member(nested, "permissionDecision");
    match (word.as_deref(), inner("updatedInput")) {
        (Some("deny"), None) => {
            let reason = member(nested, "permissionDecisionReason").and_then(|text| filled(&text));
            outcome.effect = Effect::Deny;
            outcome.reason = Some(reason.ok_or("a deny without a reason")?);
        }
        (Some("allow"), Some(input)) => {
            outcome.effect = Effect::Allow;
            outcome.input = Some(input.text().to_owned());
        }
        (Some(_), _) => return Err("a decision that is not supported"),
        (None, Some(_)) => return Err("updatedInput without allow"),
        (None, None) if inner("permissionDecisionReason").is_some() => {
            return Err("a reason without a decision");
        }
        (None, None) => {}
    }
    Ok(outcome)
}
