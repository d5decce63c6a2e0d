//! Qwen Code 0.24.4, as far as a call needs to know it: payloads with a time, as Gemini CLI's, and answers in Claude's form.
//!
//! How it reads answers, by its bundle and in runs: stdout, or stderr where stdout is empty; with exit code 2 stderr alone.
//! A JSON object counts at every exit code. Other text denies with exit code 2, and is a message otherwise.

use super::traits::{
    AgentForm, Agents, Allow, Answers, Attended, Compared, Kept, NO_AGENTS, NOTHING_KEPT, PLAIN, Traits,
    USUAL,
};
use crate::address::Address;
use crate::asking::Asking;
use crate::detect::Clues;
use crate::field::Field;
use crate::host::Dialect;
use crate::json::Json;
use crate::kind::EventKind as E;
use crate::model::{Effect, Ended, Outcome, Run, block_effect, decision, filled, member, object};

pub(super) static TRAITS: Traits = Traits {
    dialects: &[Dialect::Strict],
    asking: &[(
        "*",
        Asking::Asks,
        "0.24.4, source: asks at a terminal, also in yolo mode; -p denies (driven)",
    )],
    // Driven: without one, an `ask` denies, and its text is the result.
    attended: Attended::WithTerminal,
    answers: Answers {
        // Source: an `allow` before a tool lifts nothing.
        allow: Allow::OnRequest,
        // Source: after a tool it looks at `continue` only.
        blocks: &[E::Stop, E::SubagentStop, E::UserPromptSubmit],
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
        // Source: a changed input reaches the next hook, not the tool.
        rewrite: None,
        // Driven: after a denial, an `allow` of a hook that is listed later ran the tool.
        last_counts: true,
        ..USUAL
    },
    subagents_in_session: true,
    agents: Agents {
        own: "general-purpose Explore Plan statusline-setup fork",
        compared: Compared::AnyCase,
        places: &[
            AgentForm::Markdown.of_repository(".qwen/agents"),
            AgentForm::Markdown.of_user(".qwen/agents"),
            AgentForm::Plugins.of_user(".qwen/extensions"),
        ],
        ..NO_AGENTS
    },
    kept: Kept {
        program: "qwen",
        package: "qwen-code",
        moved: Some(("QWEN_HOME", ".qwen")),
        words: "qwen",
        variables: "QWEN_HOME QWEN_CODE_SYSTEM_SETTINGS_PATH QWEN_CODE_SYSTEM_DEFAULTS_PATH \
            QWEN_CODE_TRUSTED_FOLDERS_PATH",
        machine: "
            /etc/qwen-code/**
            /Library/Application Support/QwenCode/**
            C:/ProgramData/qwen-code/**
",
        user: "
            .qwen/*.json
            .qwen/.env
            .qwen/hooks/**
            .qwen/extensions/**
            .qwen/commands/**
            .qwen/agents/**
            .qwen/skills/**
",
        project: "
            switches .qwen/settings.json
            whole .qwen/.env
            whole .qwen/hooks/**
            whole .qwen/extensions/**
            agent .qwen/commands/**
            agent .qwen/agents/**
            agent .qwen/skills/**
",
        switches: "
qwen off flag --yolo -y --bare --safe-mode
qwen off value --approval-mode yolo
qwen off key disableAllHooks true
qwen looser value -e|--extensions none
qwen looser value --mcp-config *
qwen looser tool --allowed-tools run_shell_command ShellTool Shell Bash *
qwen looser run mcp add|remove
qwen looser run extensions install|uninstall|remove|add|disable|enable|link|update
",
        ..NOTHING_KEPT
    },
    ..PLAIN
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.dialect == Dialect::Timed
        && !clues.is_old()
        && (clues.has(Field::PromptId) || clues.transcript_is_under(".qwen"))
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    let kind = from.kind;
    let code = match run.ended {
        Ended::Exited(code) => code,
        // The shell says so on stderr, which is a message for the user.
        Ended::NotStarted => 127,
        Ended::Signalled | Ended::TimedOut => return Outcome::ignored("the hook failed"),
    };
    let stdout = filled(run.stdout).filter(|_| code != 2);
    let Some(text) = stdout.clone().or_else(|| filled(run.stderr)) else { return Outcome::default() };
    if let Some(json) = object(&text) {
        return said(kind, json);
    }
    if code == 2 {
        return if decides(kind) {
            Outcome::of(block_effect(kind), Some(text))
        } else {
            Outcome::ignored("exit 2 has no meaning here")
        };
    }
    if text.starts_with('{') {
        return Outcome::ignored("the answer is not JSON");
    }
    let is_context = code == 0 && stdout.is_some() && matches!(kind, E::SessionStart | E::UserPromptSubmit);
    if is_context {
        Outcome { context: Some(text), ..Outcome::default() }
    } else {
        Outcome { notice: Some(text), ..Outcome::default() }
    }
}

fn decides(kind: E) -> bool {
    kind == E::PreToolUse || TRAITS.answers.blocks.contains(&kind)
}

fn said(kind: E, json: Json<'_>) -> Outcome {
    let nested = json.get("hookSpecificOutput");
    let top = |key| member(Some(json), key);
    let mut outcome = Outcome { notice: top("systemMessage"), ..Outcome::default() };
    if TRAITS.answers.context.contains(&kind) {
        outcome.context = member(nested, "additionalContext");
    }
    let stops = json.get("continue").is_some_and(|value| value.text() == "false");
    let blocks = matches!(top("decision").as_deref(), Some("block" | "deny"));
    match kind {
        E::PreToolUse => {
            let nested_word = member(nested, "permissionDecision").as_deref().and_then(decision);
            outcome.effect = nested_word.or_else(|| top_word(json)).unwrap_or_default();
            outcome.reason = member(nested, "permissionDecisionReason").or_else(|| top("reason"));
            // `continue: false` denies, unless the answer has decided more strictly or asks.
            if stops && !matches!(outcome.effect, Effect::Deny | Effect::Ask) {
                outcome.effect = Effect::Deny;
                outcome.reason = top("stopReason").or_else(|| top("reason"));
            }
        }
        E::PermissionRequest => {
            let said = nested.and_then(|nested| nested.get("decision"));
            outcome.effect = match member(said, "behavior").as_deref() {
                Some("deny") => Effect::Deny,
                Some("allow") => Effect::Allow,
                _ => Effect::None,
            };
            outcome.reason = member(said, "message");
        }
        E::Stop | E::SubagentStop | E::UserPromptSubmit if blocks || stops => {
            outcome.effect = Effect::Block;
            outcome.reason = top("stopReason").or_else(|| top("reason"));
        }
        // The tools have run, so there is only the turn to end.
        E::PostToolBatch if blocks || stops => outcome.ends = true,
        E::PostToolUse if stops => outcome.ends = true,
        _ => {}
    }
    outcome
}

/// The decision at the top, in either of its vocabularies.
fn top_word(json: Json<'_>) -> Option<Effect> {
    match json.get_str("decision").as_deref()? {
        "approve" => Some(Effect::Allow),
        "block" => Some(Effect::Deny),
        word => decision(word),
    }
}
