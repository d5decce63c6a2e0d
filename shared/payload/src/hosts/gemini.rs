//! Gemini CLI 0.61.0, as far as a call needs to know it.
//!
//! How it reads answers, by its bundle: anything that is JSON beats the exit code; any other text is a decision by the exit
//! code. Fields are looked at without a schema, one by one, as JavaScript does.

use super::traits::{
    AgentForm, Agents, Allow, Answers, Ask, Kept, NESTED, NO_AGENTS, NOTHING_KEPT, PLAIN, Rewrite, Traits,
    USUAL,
};
use crate::address::Address;
use crate::asking::Asking;
use crate::detect::Clues;
use crate::host::Dialect;
use crate::json::{Json, JsonType};
use crate::kind::EventKind as E;
use crate::model::{Effect, Ended, Outcome, Run, block_effect, filled, member};
use crate::verdict::Decision;

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
        joins: &[Decision::Ask, Decision::Deny],
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
    kept: Kept {
        program: "gemini",
        package: "gemini-cli",
        words: "gemini",
        variables: "GEMINI_CLI_HOME GEMINI_CLI_SYSTEM_SETTINGS_PATH GEMINI_CLI_SYSTEM_DEFAULTS_PATH GEMINI_YOLO",
        machine: "
            /etc/gemini-cli/**
            /Library/Application Support/GeminiCli/**
            C:/ProgramData/gemini-cli/**
",
        user: "
            .gemini/*.json
            .gemini/.env
            .gemini/hooks/**
            .gemini/policies/**
            .gemini/extensions/**
            .gemini/commands/**
            .gemini/agents/**
            .gemini/skills/**
",
        project: "
            switches .gemini/settings.json
            whole .gemini/.env
            whole .gemini/hooks/**
            whole .gemini/policies/**
            whole .gemini/extensions/**
            agent .gemini/commands/**
            agent .gemini/agents/**
            agent .gemini/skills/**
",
        switches: "
gemini off flag --yolo -y --admin-policy
gemini off value --approval-mode yolo
gemini off key hooksConfig.enabled false
gemini off key disableAllHooks true
gemini off run hooks|hook disable|disable-all|uninstall
gemini looser value -e|--extensions none
gemini looser tool --allowed-tools run_shell_command ShellTool *
gemini looser run mcp add|remove|disable|enable
gemini looser run extensions|extension|skills install|uninstall|remove|add|disable|enable|link|update
",
        ..NOTHING_KEPT
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
    // What was printed before is thrown away.
    if run.ended == Ended::TimedOut {
        return Outcome::ignored("the hook timed out");
    }
    let trimmed = |text: &'_ str| -> String {
        text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').to_owned()
    };
    // Where nothing stands on stdout, stderr is read the same way.
    let text =
        Some(trimmed(run.stdout)).filter(|text| !text.is_empty()).unwrap_or_else(|| trimmed(run.stderr));
    let unpacked;
    let json = match Json::new(&text) {
        Some(json) if json.kind() == JsonType::String => {
            // A string of JSON is read once more, as the host does.
            unpacked = json.as_str().unwrap_or_default().into_owned();
            Json::new(&unpacked)
        }
        json => json,
    };
    let Some(json) = json else { return plain(from.kind, &text, run.ended) };
    match json.kind() {
        JsonType::Object => said(from.kind, json),
        _ => Outcome::ignored("the answer is not one JSON object"),
    }
}

fn decides(kind: E) -> bool {
    matches!(kind, E::PreToolUse | E::PostToolUse | E::UserPromptSubmit | E::Stop)
}

fn plain(kind: E, text: &str, ended: Ended) -> Outcome {
    match (ended, filled(text)) {
        // A signal leaves no exit code, which counts as 0.
        (Ended::Exited(0 | 1) | Ended::Signalled, Some(text)) => {
            Outcome { notice: Some(text), ..Outcome::default() }
        }
        (Ended::Exited(0), None) => Outcome::default(),
        (Ended::Exited(_), Some(text)) if decides(kind) => Outcome::of(block_effect(kind), Some(text)),
        // The shell's own message is the text.
        (Ended::NotStarted, text) if decides(kind) => Outcome::of(block_effect(kind), text),
        _ => Outcome::ignored("the hook failed"),
    }
}

/// Whether JavaScript takes it for true.
fn holds(value: Json<'_>) -> bool {
    !matches!(value.text(), "null" | "false" | "0" | "-0" | "\"\"")
}

fn said(kind: E, json: Json<'_>) -> Outcome {
    let nested = json.get("hookSpecificOutput").filter(|nested| holds(*nested));
    if nested.is_some_and(|nested| !matches!(nested.kind(), JsonType::Object | JsonType::Array))
        && (decides(kind) || kind == E::SessionStart)
    {
        // It looks for a key in it, which fails, and with it the answers of all hooks.
        return Outcome { voids: true, ..Outcome::ignored("hookSpecificOutput is not an object") };
    }
    let mut outcome = Outcome { notice: member(Some(json), "systemMessage"), ..Outcome::default() };
    if matches!(kind, E::SessionStart | E::UserPromptSubmit | E::PostToolUse) {
        outcome.context = member(nested, "additionalContext").filter(|text| !text.is_empty());
    }
    if kind == E::PreToolUse {
        let input = nested.and_then(|nested| nested.get("tool_input"));
        // What is not an object takes back the change of a hook before it, and changes nothing itself.
        let text =
            |input: Json<'_>| if input.kind() == JsonType::Object { input.text() } else { "null" }.to_owned();
        outcome.input = input.map(text);
    }
    if !decides(kind) {
        return outcome;
    }
    // The reasons of all hooks are joined, also of those that object to nothing.
    outcome.reason = json
        .get("reason")
        .filter(|reason| holds(*reason))
        .map(|reason| reason.as_str().map_or_else(|| reason.text().to_owned(), std::borrow::Cow::into_owned));
    outcome.ends = json.get("continue").is_some_and(|value| value.text() == "false");
    outcome.effect = match json.get_str("decision").as_deref() {
        Some("block" | "deny") => block_effect(kind),
        // The person reads the `systemMessage`; with `-p` the run ends.
        Some("ask") if kind == E::PreToolUse => Effect::Ask,
        _ => Effect::None,
    };
    if outcome.ends && kind == E::PreToolUse {
        outcome.effect = Effect::Abort;
    }
    outcome
}
