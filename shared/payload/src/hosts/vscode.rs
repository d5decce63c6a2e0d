//! VS Code's local harness: 1.139.1 with Copilot Chat 0.67.0, run, and by its bundles.

use super::traits::{
    AgentForm, Agents, Answers, Compared, Kept, NO_AGENTS, NOTHING_KEPT, PLAIN, Traits, USUAL,
};
use crate::address::Address;
use crate::asking::Asking;
use crate::detect::Clues;
use crate::field::Field;
use crate::host::Dialect;
use crate::kind::EventKind as E;
use crate::model::{Effect, Ended, Outcome, Run, block_effect, decision, filled, member, object};
use crate::verdict::Decision;

pub(super) static TRAITS: Traits = Traits {
    // The agent host inside VS Code runs the Copilot SDK and speaks its camelCase dialect.
    dialects: &[Dialect::Timed, Dialect::Flat],
    asking: &[("*", Asking::Asks, "1.139.1 driven: the terminal's own box shows the reason")],
    // The agent host has Copilot's permission requests; VS Code itself has none.
    answers: Answers {
        requests: false,
        both_places: true,
        asks_in_markdown: true,
        // Of several questions it shows the first.
        joins: &[Decision::Deny],
        ..USUAL
    },
    // Seen: what four hooks said after four calls came in the requests after the next; that of the last call never.
    unawaited: true,
    // Seen: the file was there 0.8 to 1.5 s after its hooks were called; edited ones were written before.
    announces: &["create_file"],
    logs_calls: true,
    subagents_in_session: true,
    agents: Agents {
        // By its documentation; the last three are tools that each start the one agent of their name.
        own: "Plan Explore Agent Ask Edit search_subagent execution_subagent explore_subagent",
        // How it compares names is not known, so that case does not count.
        compared: Compared::AnyCase,
        // By its documentation.
        places: &[
            AgentForm::Markdown.of_repository(".github/agents"),
            AgentForm::Markdown.of_repository(".claude/agents"),
            AgentForm::Markdown.of_user(".copilot/agents"),
            AgentForm::Markdown.of_user(".claude/agents"),
            AgentForm::Markdown.of_user(".config/Code/User/prompts"),
            AgentForm::Markdown.of_user(".config/Code - Insiders/User/prompts"),
            AgentForm::Markdown.of_user("Library/Application Support/Code/User/prompts"),
            AgentForm::Markdown.of_user("AppData/Roaming/Code/User/prompts"),
            AgentForm::Plugins.of_user(".copilot/installed-plugins"),
        ],
        ..NO_AGENTS
    },
    kept: Kept {
        words: "vscode",
        machine: "
            /etc/vscode/**
",
        user: "
            .config/Code*/User/settings.json
            .config/Code*/User/mcp.json
            .config/Code*/User/tasks.json
            .config/Code*/User/prompts/**
            .config/Code*/User/profiles/**
            Library/Application Support/Code*/User/settings.json
            Library/Application Support/Code*/User/mcp.json
            Library/Application Support/Code*/User/tasks.json
            Library/Application Support/Code*/User/prompts/**
            Library/Application Support/Code*/User/profiles/**
            AppData/Roaming/Code*/User/settings.json
            AppData/Roaming/Code*/User/mcp.json
            AppData/Roaming/Code*/User/tasks.json
            AppData/Roaming/Code*/User/prompts/**
            AppData/Roaming/Code*/User/profiles/**
            .var/app/com.visualstudio.code*/config/Code*/User/settings.json
            .vscode/argv.json
            .vscode-server*/data/User/settings.json
            .vscode-server*/data/User/mcp.json
            .vscode-server*/data/Machine/settings.json
            .vscode-remote/data/Machine/settings.json
",
        project: "
            whole .github/hooks/**
            agent .github/agents/**
            agent .github/skills/**
            editor .vscode/settings.json
            tasks .vscode/tasks.json
            whole .vscode/mcp.json
",
        switches: "
vscode off key chat.useHooks false
",
        ..NOTHING_KEPT
    },
    ..PLAIN
};

/// What is of the timed form and no other host's; it has no prompt ids.
pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.dialect == Dialect::Timed && (clues.is_old() || !clues.has(Field::PromptId))
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    // Its agent host runs the Copilot SDK.
    if from.dialect == Dialect::Flat {
        return super::copilot::read(from, run);
    }
    let kind = from.kind;
    match run.ended {
        Ended::Exited(0) => {}
        // On Windows PowerShell turns 2 into 1, which runs the tool.
        Ended::Exited(2) => {
            let reason = filled(run.stderr);
            return match kind {
                E::PreToolUse | E::PostToolUse | E::UserPromptSubmit => {
                    Outcome::of(block_effect(kind), reason)
                }
                E::Stop | E::SubagentStop if reason.is_some() => Outcome::of(Effect::Block, reason),
                _ => Outcome::ignored("exit 2 has no meaning here"),
            };
        }
        _ => return Outcome::ignored("the hook failed"),
    }
    let Some(json) = object(run.stdout) else { return Outcome::ignored("the answer is not one JSON object") };
    if json.get_str("hookEventName").is_some_and(|name| name != from.event_name()) {
        return Outcome::ignored("hookEventName is another event's");
    }
    // To its source, the end of a sub-agent is a stop and its start that of a session.
    let same = |name: &str| {
        name == from.event_name()
            || matches!((kind, name), (E::SubagentStop, "Stop") | (E::SubagentStart, "SessionStart"))
    };
    let nested = json
        .get("hookSpecificOutput")
        .filter(|nested| nested.get_str("hookEventName").is_none_or(|name| same(&name)));
    let top = |key| member(Some(json), key);
    let mut outcome = Outcome { notice: top("systemMessage"), ..Outcome::default() };
    let aborts =
        json.get("continue").is_some_and(|value| value.text() == "false") || top("stopReason").is_some();
    if aborts && !matches!(kind, E::SessionStart | E::SubagentStart) {
        outcome.effect = Effect::Abort;
        return outcome;
    }
    let blocks = top("decision").as_deref() == Some("block");
    match kind {
        E::PreToolUse => {
            outcome.effect =
                member(nested, "permissionDecision").as_deref().and_then(decision).unwrap_or_default();
            outcome.reason = member(nested, "permissionDecisionReason");
            outcome.context = member(nested, "additionalContext");
            outcome.input =
                nested.and_then(|nested| nested.get("updatedInput")).map(|input| input.text().to_owned());
        }
        E::UserPromptSubmit | E::PostToolUse if blocks => {
            outcome.effect = Effect::Block;
            outcome.reason = top("reason");
        }
        E::UserPromptSubmit => {
            outcome.context = member(nested, "additionalContext").or_else(|| top("additionalContext"));
        }
        E::PostToolUse | E::SessionStart | E::SubagentStart => {
            outcome.context = member(nested, "additionalContext");
        }
        E::Stop | E::SubagentStop => {
            let reason = member(nested, "reason").filter(|reason| !reason.is_empty());
            if member(nested, "decision").as_deref() == Some("block") && reason.is_some() {
                outcome.effect = Effect::Block;
                outcome.reason = reason;
            }
        }
        _ => {}
    }
    outcome
}
