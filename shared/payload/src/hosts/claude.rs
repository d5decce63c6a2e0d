//! Claude Code 2.1.329, as far as a call needs to know it.
//!
//! How it reads answers: JSON is read at every exit code. A known key with a bad value voids the whole answer; unknown keys
//! do not matter.

use super::traits::{AgentForm, Agents, Answers, Attended, Compared, NO_AGENTS, PLAIN, Traits, USUAL};
use crate::address::Address;
use crate::asking::Asking;
use crate::detect::Clues;
use crate::field::Field;
use crate::host::Dialect;
use crate::json::{Json, JsonType};
use crate::kind::EventKind as E;
use crate::model::{Effect, Ended, Outcome, Run, block_effect, decision, filled, member, object};

pub(super) static TRAITS: Traits = Traits {
    dialects: &[Dialect::Strict],
    asking: &[
        ("auto", Asking::Unproven, "reported to have no effect: anthropics/claude-code#89561"),
        ("dontAsk", Asking::Unproven, "not driven"),
        ("*", Asking::Asks, "2.1.329 driven: asks on a terminal, also in bypassPermissions; -p denies"),
    ],
    // Driven: commands that touch `.claude` run though a hook asks (`rm -rf .claude`, `sed -i … .claude/settings.json`).
    unasked_about_settings: Some("bypassPermissions"),
    // 2.1.329 driven: 0 in `-p`.
    attended: Attended::Unless("CLAUDE_CODE_SESSION_ATTENDED", "0"),
    answers: Answers {
        blocks: &[
            E::Stop,
            E::SubagentStop,
            E::UserPromptSubmit,
            E::PostToolUse,
            E::PostToolUseFailure,
            E::PostToolBatch,
            E::UserPromptExpansion,
            E::ConfigChange,
            E::PreCompact,
        ],
        context: &[
            E::SessionStart,
            E::UserPromptSubmit,
            E::PostToolUse,
            E::PreToolUse,
            E::SubagentStart,
            E::PostToolUseFailure,
            E::UserPromptExpansion,
            E::PostToolBatch,
        ],
        ..USUAL
    },
    posix_tools: &["Bash", "Monitor"],
    subagents_in_session: true,
    agents: Agents {
        // The guide is there in sessions at a terminal only, the fork where the setting lets it.
        own: "general-purpose Explore Plan claude statusline-setup claude-code-guide fork",
        // Run, 2.1.329: "claude-one" is "Claude_One" and "claude one".
        compared: Compared::Folded,
        // Run, 2.1.329.
        places: &[
            AgentForm::Markdown.of_repository(".claude/agents"),
            AgentForm::Markdown.of_user(".claude/agents"),
            AgentForm::Plugins.of_user(".claude/plugins"),
        ],
        ..NO_AGENTS
    },
    ..PLAIN
};

/// Every payload of the strict form that is not shown to be another host's (Kiro CLI, Devin CLI, Crush, Hermes, by their
/// documents): Claude Code always tells its transcript, and none of its tools is written in small letters.
pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    if clues.dialect != Dialect::Strict {
        return false;
    }
    let own = |tool: &str| tool.starts_with("mcp_") || !tool.starts_with(|c: char| c.is_ascii_lowercase());
    [Field::TranscriptPath, Field::PermissionMode, Field::PromptId].into_iter().any(|field| clues.has(field))
        || own(&clues.tool())
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    let Ended::Exited(code) = run.ended else { return Outcome::ignored("the hook failed") };
    let text = run.stdout.trim_start_matches('\u{feff}').trim();
    let json = object(text);
    let mut outcome = match json {
        Some(json) if valid(json, from) => said(from.kind, json),
        Some(_) => Outcome::ignored("the answer does not fit the schema"),
        None if text.starts_with('{') => Outcome::ignored("the answer is not JSON"),
        None => plain(from.kind, text, code),
    };
    // Exit 2 blocks whatever the answer says, but a deny in the answer keeps its reason.
    if code == 2 && !matches!(outcome.effect, Effect::Deny | Effect::Block) && stops_on_two(from.kind) {
        outcome.effect = block_effect(from.kind);
        outcome.reason = filled(run.stderr);
    }
    outcome
}

fn stops_on_two(kind: E) -> bool {
    matches!(
        kind,
        E::PreToolUse
            | E::UserPromptSubmit
            | E::UserPromptExpansion
            | E::PostToolUse
            | E::PostToolUseFailure
            | E::PostToolBatch
            | E::Stop
            | E::SubagentStop
            | E::ConfigChange
            | E::PreCompact
    )
}

/// Text that is not JSON: context where the host takes it.
fn plain(kind: E, text: &str, code: u8) -> Outcome {
    match kind {
        E::SessionStart | E::UserPromptSubmit | E::UserPromptExpansion if code == 0 => {
            Outcome { context: filled(text), ..Outcome::default() }
        }
        _ if text.is_empty() => Outcome::default(),
        _ => Outcome::ignored("plain text has no meaning here"),
    }
}

fn valid(json: Json<'_>, from: &Address<'_>) -> bool {
    let typed = |object: Json<'_>, key: &str, types: &[JsonType]| {
        object.get(key).is_none_or(|value| types.contains(&value.kind()))
    };
    let top =
        ["reason", "stopReason", "systemMessage"].iter().all(|key| typed(json, key, &[JsonType::String]))
            && ["continue", "suppressOutput"].iter().all(|key| typed(json, key, &[JsonType::Bool]))
            && json
                .get("decision")
                .is_none_or(|value| matches!(value.as_str().as_deref(), Some("approve" | "block")));
    let Some(nested) = json.get("hookSpecificOutput") else { return top };
    top && nested.get_str("hookEventName").as_deref() == Some(from.event_name())
        && nested
            .get("permissionDecision")
            .is_none_or(|value| matches!(value.as_str().as_deref(), Some("allow" | "deny" | "ask" | "defer")))
        && ["permissionDecisionReason", "additionalContext"]
            .iter()
            .all(|key| typed(nested, key, &[JsonType::String]))
        && typed(nested, "updatedInput", &[JsonType::Object])
}

fn said(kind: E, json: Json<'_>) -> Outcome {
    let nested = json.get("hookSpecificOutput");
    let blocks = json.get_str("decision").as_deref() == Some("block");
    let ends = json.get("continue").is_some_and(|value| value.text() == "false");
    let mut outcome = Outcome {
        context: member(nested, "additionalContext"),
        notice: member(Some(json), "systemMessage"),
        ..Outcome::default()
    };
    match kind {
        E::PreToolUse => {
            let word = member(nested, "permissionDecision");
            outcome.effect = match word.as_deref() {
                Some("defer") => Effect::Abort,
                Some(word) => decision(word).unwrap_or_default(),
                // The old form, which still counts where the nested one is missing.
                None if blocks => Effect::Deny,
                None if json.get("decision").is_some() => Effect::Allow,
                None if ends => Effect::EndTurn,
                None => Effect::None,
            };
            outcome.reason = member(nested, "permissionDecisionReason")
                .or_else(|| member(Some(json), "reason").filter(|_| word.is_none()));
            outcome.input =
                nested.and_then(|nested| nested.get("updatedInput")).map(|input| input.text().to_owned());
        }
        E::PermissionRequest => {
            let decision = nested.and_then(|nested| nested.get("decision"));
            outcome.effect = match member(decision, "behavior").as_deref() {
                Some("allow") => Effect::Allow,
                // It ends the turn as well.
                Some("deny") if decision.and_then(|d| d.get("interrupt")?.as_bool()) == Some(true) => {
                    Effect::Abort
                }
                Some("deny") => Effect::Deny,
                _ => Effect::None,
            };
            outcome.reason = member(decision, "message");
        }
        // A context at a stop makes the agent go on, too.
        E::Stop | E::SubagentStop if outcome.context.is_some() => outcome.effect = Effect::Block,
        E::SessionStart | E::SessionEnd | E::Notification | E::SubagentStart => {}
        _ if blocks => {
            outcome.effect = Effect::Block;
            outcome.reason = member(Some(json), "reason");
        }
        E::UserPromptSubmit if ends => outcome.effect = Effect::Abort,
        _ if ends => outcome.effect = Effect::EndTurn,
        _ => {}
    }
    outcome
}
