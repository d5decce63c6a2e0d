//! Gemini CLI 0.61.0, as far as a call needs to know it.
//!
//! How it reads answers: a JSON object beats the exit code; any other text is a decision by the exit code.

use super::traits::{
    AgentForm, Agents, Allow, Answers, Ask, NESTED, NO_AGENTS, PLAIN, Rewrite, Traits, USUAL,
};
use crate::address::Address;
use crate::asking::Asking;
use crate::detect::Clues;
use crate::host::Dialect;
use crate::kind::EventKind as E;
use crate::model::{Effect, Ended, Outcome, Run, block_effect, filled, member, object};

pub(super) static TRAITS: Traits = Traits {
    dialects: &[Dialect::Timed],
    asking: &[(
        "*",
        Asking::AtTerminal,
        "0.61.0 driven: asks on a terminal, also in yolo mode; with -p the run ends",
    )],
    answers: Answers {
        // Its question shows the `systemMessage`, and nothing else of the answer.
        ask: Ask::Top,
        allow: Allow::OnRequest,
        requests: false,
        blocks: &[E::Stop, E::UserPromptSubmit, E::PostToolUse],
        context: &[E::SessionStart, E::UserPromptSubmit, E::PostToolUse],
        rewrite: Some(Rewrite { key: "tool_input", only: Some(false), ..NESTED }),
        ..USUAL
    },
    // Read, 0.61.0: `loadBuiltInAgents`, a `Map` of names.
    agents: Agents {
        own: "codebase_investigator generalist cli_help browser_agent",
        places: &[
            AgentForm::Markdown.of_repository(".gemini/agents"),
            AgentForm::Markdown.of_user(".gemini/agents"),
            AgentForm::Plugins.of_user(".gemini/extensions"),
        ],
        ..NO_AGENTS
    },
    ..PLAIN
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.dialect == Dialect::Timed
        && !clues.is_old()
        && (clues.name.starts_with("Before")
            || clues.name.starts_with("After")
            || clues.name == "PreCompress"
            || clues.transcript_is_under(".gemini"))
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    let kind = from.kind;
    let decides = matches!(kind, E::PreToolUse | E::PostToolUse | E::UserPromptSubmit | E::Stop);
    let Some(json) = object(run.stdout) else {
        let text = filled(run.stdout).or_else(|| filled(run.stderr));
        return match (run.ended, text) {
            (Ended::Exited(0 | 1), Some(text)) => Outcome { notice: Some(text), ..Outcome::default() },
            (Ended::Exited(0), None) => Outcome::default(),
            (Ended::Exited(_), Some(text)) if decides => Outcome::of(block_effect(kind), Some(text)),
            // The shell's own message is the text.
            (Ended::NotStarted, _) if decides => Outcome::of(block_effect(kind), None),
            _ => Outcome::ignored("the hook failed"),
        };
    };
    let nested = json.get("hookSpecificOutput");
    let mut outcome = Outcome { notice: member(Some(json), "systemMessage"), ..Outcome::default() };
    if matches!(kind, E::SessionStart | E::UserPromptSubmit | E::PostToolUse) {
        outcome.context = member(nested, "additionalContext");
    }
    if kind == E::PreToolUse {
        outcome.input =
            nested.and_then(|nested| nested.get("tool_input")).map(|input| input.text().to_owned());
    }
    if !decides {
        return outcome;
    }
    match json.get_str("decision").as_deref() {
        Some("block" | "deny") => {
            outcome.effect = block_effect(kind);
            outcome.reason = member(Some(json), "reason");
        }
        // The person reads the `systemMessage`; with `-p` the run ends.
        Some("ask") if kind == E::PreToolUse => outcome.effect = Effect::Ask,
        _ if json.get("continue").is_some_and(|value| value.text() == "false") => {
            outcome.effect = Effect::Abort;
        }
        _ => {}
    }
    outcome
}
