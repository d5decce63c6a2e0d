//! Claude Code 2.1.329, as far as a call needs to know it.
//!
//! How it reads answers, by the schema in its program: JSON is read at every exit code. A known key with a bad value voids the whole answer; unknown keys
//! do not matter.

use super::traits::{
    AgentForm, Agents, Answers, Attended, Compared, Kept, NO_AGENTS, NOTHING_KEPT, PLAIN, Traits, USUAL,
};
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
    kept: Kept {
        program: "claude",
        package: "claude-code",
        moved: Some(("CLAUDE_CONFIG_DIR", ".claude")),
        words: "claude",
        variables: "CLAUDE_CONFIG_DIR CLAUDE_CODE_SIMPLE CLAUDE_CODE_SAFE_MODE",
        machine: "
            /etc/claude-code/**
            /Library/Application Support/ClaudeCode/**
            C:/ProgramData/ClaudeCode/**
            C:/Program Files/ClaudeCode/**
",
        user: "
            .claude.json
            .claude/settings*.json
            .claude/managed-settings*
            .claude/remote-settings.json
            .claude/.claude.json
            .claude/keybindings.json
            .claude/.credentials.json
            .claude/hooks/**
            .claude/agents/**
            .claude/commands/**
            .claude/skills/**
            .claude/plugins/**
",
        project: "
            switches .claude/settings*.json
            whole .claude/hooks/**
            agent .claude/agents/**
            agent .claude/commands/**
            agent .claude/skills/**
            whole .claude-plugin/**
",
        switches: "
claude off flag --dangerously-skip-permissions --allow-dangerously-skip-permissions --bare --safe-mode
claude off value --permission-mode bypassPermissions dontAsk
claude off key disableAllHooks true
claude looser value --mcp-config|--plugin-dir|--agents|--permission-prompt-tool *
claude looser tool --allowedTools|--allowed-tools Bash Bash(*) Bash(:*) *
claude looser run mcp add|add-json|add-from-claude-desktop|remove|reset-project-choices
claude looser run plugin|plugins install|uninstall|remove|add|disable|enable|update|marketplace
claude looser run config set|add|remove
",
        ..NOTHING_KEPT
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
    let code = match run.ended {
        Ended::Exited(code) => code,
        // [run] What it printed before the signal counts.
        Ended::Signalled => 137,
        Ended::TimedOut | Ended::NotStarted => return Outcome::ignored("the hook failed"),
    };
    let text = run.stdout.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let mut outcome = match object(text) {
        Some(json) if valid(json, from) => said(from, json),
        Some(_) => Outcome::ignored("the answer does not fit the schema"),
        None if text.starts_with('{') && text.ends_with('}') && !is_lines(text, from) => {
            Outcome::ignored("the answer is not JSON")
        }
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

/// Whether every line is a JSON text of its own that says nothing: a log, which is read as plain text.
fn is_lines(text: &str, from: &Address<'_>) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    let says_nothing = |line| match (Json::new(line), object(line)) {
        (_, Some(json)) => !valid(json, from) || !json.members().any(|(key, _)| TOP.contains(&&*key)),
        (json, None) => json.is_some(),
    };
    text.lines().nth(1).is_some() && lines.peek().is_some() && lines.all(says_nothing)
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

/// The keys of an answer's top level.
const TOP: [&str; 8] = [
    "continue",
    "suppressOutput",
    "stopReason",
    "decision",
    "reason",
    "systemMessage",
    "terminalSequence",
    "hookSpecificOutput",
];

/// Whether every key that is there has a value of its type: `null` is none.
fn typed(object: Json<'_>, keys: &[&str], kind: JsonType) -> bool {
    keys.iter().all(|key| object.get(key).is_none_or(|value| value.kind() == kind))
}

fn one_of(object: Json<'_>, key: &str, words: &[&str]) -> bool {
    object.get(key).is_none_or(|value| value.as_str().is_some_and(|word| words.contains(&&*word)))
}

fn valid(json: Json<'_>, from: &Address<'_>) -> bool {
    typed(json, &["reason", "stopReason", "systemMessage", "terminalSequence"], JsonType::String)
        && typed(json, &["continue", "suppressOutput"], JsonType::Bool)
        && one_of(json, "decision", &["approve", "block"])
        && json.get("hookSpecificOutput").is_none_or(|nested| {
            // A block counts even beside another event's part, which is then left out.
            nested_fits(nested)
                && (named(nested, from) || (from.kind != E::PermissionRequest && is_block(json)))
        })
}

fn is_block(json: Json<'_>) -> bool {
    json.get_str("decision").as_deref() == Some("block")
}

fn named(nested: Json<'_>, from: &Address<'_>) -> bool {
    nested.get_str("hookEventName").as_deref() == Some(from.event_name())
}

/// Whether the part is one of the event that it names.
fn nested_fits(nested: Json<'_>) -> bool {
    let name = nested.get_str("hookEventName");
    let kind = name.as_deref().map_or(E::Other, E::from_name);
    let context = typed(nested, &["additionalContext"], JsonType::String);
    match kind {
        // Events that the schema has no part for.
        E::Other | E::SessionEnd | E::PreCompact | E::PostCompact | E::StopFailure => false,
        E::PreToolUse => {
            context
                && one_of(nested, "permissionDecision", &["allow", "deny", "ask", "defer"])
                && typed(nested, &["permissionDecisionReason"], JsonType::String)
                && typed(nested, &["updatedInput"], JsonType::Object)
        }
        // A part for this event that decides nothing does not fit.
        E::PermissionRequest => nested.get("decision").is_some_and(decision_fits),
        E::SessionStart => {
            context
                && typed(nested, &["initialUserMessage", "sessionTitle"], JsonType::String)
                && typed(nested, &["watchPaths"], JsonType::Array)
                && typed(nested, &["reloadSkills"], JsonType::Bool)
        }
        E::UserPromptSubmit | E::UserPromptExpansion => {
            context
                && typed(nested, &["sessionTitle"], JsonType::String)
                && typed(nested, &["suppressOriginalPrompt"], JsonType::Bool)
        }
        _ => context,
    }
}

fn decision_fits(decision: Json<'_>) -> bool {
    match decision.get_str("behavior").as_deref() {
        Some("allow") => {
            typed(decision, &["updatedInput"], JsonType::Object)
                && typed(decision, &["updatedPermissions"], JsonType::Array)
        }
        Some("deny") => {
            typed(decision, &["message"], JsonType::String) && typed(decision, &["interrupt"], JsonType::Bool)
        }
        _ => false,
    }
}

fn said(from: &Address<'_>, json: Json<'_>) -> Outcome {
    let kind = from.kind;
    let nested = json.get("hookSpecificOutput").filter(|nested| named(*nested, from));
    let blocks = is_block(json);
    let top_reason = || member(Some(json), "reason").filter(|reason| !reason.is_empty());
    let mut outcome = Outcome {
        context: member(nested, "additionalContext"),
        notice: member(Some(json), "systemMessage"),
        ends: json.get("continue").is_some_and(|value| value.text() == "false"),
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
                None => Effect::None,
            };
            outcome.reason = member(nested, "permissionDecisionReason")
                .filter(|reason| !reason.is_empty() || outcome.effect != Effect::Deny)
                .or_else(|| top_reason().filter(|_| word.is_none() || outcome.effect == Effect::Deny));
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
            (outcome.context, outcome.ends) = (None, false);
            // [run] An empty one changes nothing.
            let input = decision.and_then(|decision| decision.get("updatedInput"));
            outcome.input =
                input.filter(|input| input.members().next().is_some()).map(|input| input.text().to_owned());
        }
        E::SessionStart | E::SessionEnd | E::Notification | E::SubagentStart => outcome.ends = false,
        _ if blocks => {
            outcome.effect = Effect::Block;
            outcome.reason = top_reason();
        }
        // A context at a stop makes the agent go on, too.
        E::Stop | E::SubagentStop if outcome.context.is_some() => outcome.effect = Effect::Block,
        _ => {}
    }
    outcome
}
