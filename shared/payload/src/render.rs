//! A verdict in the form that a host obeys.

use thiserror::Error;

use crate::address::Address;
use crate::host::{Dialect, Host};
use crate::hosts::{Allow, Ask};
use crate::json::{Json, JsonType};
use crate::kind::EventKind;
use crate::own;
use crate::verdict::{Decision, Reason, Reply, Verdict};
use crate::write::{Letters, Object};

/// Why a verdict cannot be said.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The host reads no such thing in answer to this event.
    #[error("{host} cannot be told to {what} on {event}")]
    NoSuchForm {
        /// What was to be said.
        what: &'static str,
        /// Who would not understand.
        host: Host,
        event: EventKind,
    },
    /// A context or a notice without a string.
    #[error("the text of a {what} is empty")]
    EmptyText {
        /// What has no text.
        what: &'static str,
    },
    /// The new input of a rewrite is not one JSON object.
    #[error("the new tool input is not a JSON object")]
    InputNotAnObject,
    /// The host rewrites only calls that the hook also approves.
    #[error("{host} rewrites a tool call only when the hook also approves it")]
    RewriteNeedsApproval { host: Host },
}

impl RenderError {
    /// What to do instead.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoSuchForm { .. } => {
                "Answer `{}` (no opinion), or put the hook on an event where the host reads this answer; see the table in \
                 the documentation of payload::render."
            }
            Self::EmptyText { .. } => "Answer `{}` (no opinion) when there is nothing to say.",
            Self::InputNotAnObject => "Send the complete input of the tool as one JSON object.",
            Self::RewriteNeedsApproval { .. } => {
                "Deny the call and name the better command in the reason, or approve the rewritten call explicitly."
            }
        }
    }
}

/// What is appended where a host cannot ask.
const NEEDS_A_PERSON: &str = "A person must approve this, and no one can be asked here: let the user run it.";

/// A question as a denial, for where it reaches no one.
pub fn unasked(verdict: Verdict) -> Verdict {
    let Verdict::Decide { decision: Decision::Ask, mut reason } = verdict else { return verdict };
    if !reason.text.is_empty() {
        reason.text.push(' ');
    }
    reason.text.push_str(NEEDS_A_PERSON);
    Verdict::Decide { decision: Decision::Deny, reason }
}

/// Writes a verdict in the form that the host obeys, or refuses when the host has no such form.
///
/// | verdict | event | flat | timed | strict |
/// |---|---|---|---|---|
/// | no opinion | any | `{}` | `{}` | `{}` |
/// | deny | before a tool | top-level `permissionDecision` | `decision:"block"` and nested `permissionDecision` | the same |
/// | ask | before a tool | top-level | nested; Gemini: top-level `decision` | nested; Codex: deny |
/// | allow | before a tool | top-level | nested; Gemini: refused | nested; Codex: refused |
/// | rewrite | before a tool | `modifiedArgs` | nested `updatedInput`, Copilot in both places; Gemini: nested `tool_input` | nested `updatedInput`; Codex only with approval |
/// | allow, deny | permission request | `behavior` | – | nested `decision.behavior` |
/// | ask | permission request | deny | – | `{}`: the host asks |
/// | block | stop, sub-agent stop | top-level `decision` | top-level and nested; Gemini: top-level | top-level |
/// | block | prompt, tool result | top-level `decision` | the same | the same |
/// | context | before a tool | top-level `additionalContext` | nested; Gemini: refused | nested |
/// | context | session, prompt, sub-agent start, tool result | top-level | top-level and nested; Gemini: nested | nested |
/// | notice | any | refused | `systemMessage`; Copilot: refused | `systemMessage` |
///
/// Every form but VS Code's was obeyed by a real host in a recorded run; `tests/payloads/replies.tsv` names the run.
///
/// To an unknown dialect a deny (and an ask, as a deny) is said in all forms at once, with the reason on stderr and exit
/// code 2: of all single answers the only one that denies on every host. A block is said at the top level there, which
/// every host but VS Code obeys; anything else is refused.
pub fn render(verdict: &Verdict, to: &Address<'_>) -> Result<Reply, RenderError> {
    if to.dialect == Dialect::Own
        && let Some(own) = to.host.traits().answers.own
    {
        return own::render(own, verdict, to);
    }
    match verdict {
        Verdict::NoOpinion => Ok(Reply::nothing()),
        Verdict::Decide { decision, reason } => decide(*decision, reason, to),
        Verdict::Block { reason } => block(reason, to),
        Verdict::Context(text) => context(text, to),
        Verdict::Rewrite { input, approve, said } => rewrite(input, *approve, said, to),
        Verdict::Notice(text) => notice(text, to),
    }
}

fn refuse<T>(what: &'static str, to: &Address<'_>) -> Result<T, RenderError> {
    Err(RenderError::NoSuchForm { what, host: to.host, event: to.kind })
}

/// An answer with strings of about so many bytes.
fn answer(texts: usize) -> Object {
    Object::new(Letters::Ascii, texts + 192)
}

fn reply(object: Object) -> Reply {
    Reply { stdout: object.finish(), stderr: String::new(), exit: 0 }
}

fn decide(decision: Decision, reason: &Reason, to: &Address<'_>) -> Result<Reply, RenderError> {
    let permission = to.kind == EventKind::PermissionRequest;
    let unknown = to.dialect == Dialect::Unknown;
    if to.kind != EventKind::PreToolUse && !permission && !(unknown && to.kind == EventKind::Other) {
        return refuse(decision.as_str(), to);
    }
    let answers = &to.host.traits().answers;
    // The host calls the hook there and reads no answer.
    if permission && to.dialect == Dialect::Timed && !answers.requests {
        return refuse(decision.as_str(), to);
    }
    match decision {
        Decision::Ask if !to.can_ask() => {
            render(&unasked(Verdict::Decide { decision, reason: reason.clone() }), to)
        }
        Decision::Ask if answers.ask == Ask::Top => {
            let reason = reason.render();
            let mut object = answer(reason.len());
            object.text("decision", "ask").text("systemMessage", &reason);
            Ok(reply(object))
        }
        // The host is about to ask by itself.
        Decision::Ask if permission => Ok(Reply::nothing()),
        Decision::Ask if answers.asks_in_markdown => Ok(pre_tool("ask", &as_markdown(&reason.render()), to)),
        Decision::Ask => Ok(pre_tool("ask", &reason.render(), to)),
        Decision::Deny => Ok(deny(&reason.render(), to)),
        Decision::Allow => {
            // An `allow` needs no words, and must not get those of a block.
            let text = if reason.text.trim().is_empty() { String::new() } else { reason.render() };
            match answers.allow {
                // Never allow where it is not known who reads it.
                Allow::Always | Allow::OnRequest if unknown => refuse("allow", to),
                Allow::Always | Allow::OnRequest if permission => Ok(permission_reply("allow", &text, to)),
                Allow::Always => Ok(pre_tool("allow", &text, to)),
                Allow::OnRequest | Allow::Never => refuse("allow", to),
            }
        }
    }
}

/// One line of plain text as Markdown that is shown as it is: what a person decides about must not be formatted away.
fn as_markdown(line: &str) -> String {
    let mut text = String::with_capacity(line.len() + 16);
    for c in line.chars() {
        // Code, emphasis, links, HTML, strikethrough, entities, formulas and icons; all else is only read where a line begins.
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '~' | '&' | '$') {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

/// A deny in the form that every host of the dialect obeys.
fn deny(reason: &str, to: &Address<'_>) -> Reply {
    if to.dialect == Dialect::Unknown {
        return widest_deny(reason, to);
    }
    let exits = to.host.traits().answers.exits;
    let firmly = |reply| if exits { Reply { stderr: reason.to_owned(), exit: 2, ..reply } } else { reply };
    if to.kind == EventKind::PermissionRequest {
        return firmly(permission_reply("deny", reason, to));
    }
    // Room for both forms.
    let mut object = answer(2 * reason.len());
    if to.dialect == Dialect::Flat {
        object.text("permissionDecision", "deny").text("permissionDecisionReason", reason);
    } else {
        // Both forms: hosts of this dialect read one or the other, and ignore the rest.
        object.text("decision", "block").text("reason", reason);
        if to.host.traits().answers.last_counts {
            object.flag("continue", false);
        }
        nested_decision(&mut object, "deny", reason, to);
    }
    firmly(reply(object))
}

/// A deny in every form at once, with the reason on stderr and exit code 2.
///
/// The hosts that we know obey the exit code, whatever else stands there; so do Windsurf, Kiro CLI, Devin CLI and most
/// others, by their documents. Cline 3.0.65 ignores the exit code, and ends the run at `cancel` (driven). Cursor reads
/// `permission`, Hermes `decision: "block"`; Antigravity wants `decision: "deny"` and names no event, as no one else does.
fn widest_deny(reason: &str, to: &Address<'_>) -> Reply {
    let word = if to.name.is_empty() && to.kind == EventKind::PreToolUse { "deny" } else { "block" };
    let mut object = answer(8 * reason.len());
    object.text("permissionDecision", "deny").text("permissionDecisionReason", reason);
    object.text("decision", word).text("reason", reason);
    object.text("permission", "deny").text("user_message", reason).text("agent_message", reason);
    object.flag("cancel", true).text("errorMessage", reason);
    if to.kind == EventKind::PermissionRequest {
        object.text("behavior", "deny").text("message", reason);
        object.open("hookSpecificOutput").text("hookEventName", to.event_name()).open("decision");
        object.text("behavior", "deny").text("message", reason).close().close();
    } else {
        nested_decision(&mut object, "deny", reason, to);
    }
    Reply { stderr: reason.to_owned(), exit: 2, ..reply(object) }
}

/// An ask or an allow on a tool call.
fn pre_tool(decision: &'static str, reason: &str, to: &Address<'_>) -> Reply {
    let mut object = answer(reason.len());
    if to.dialect == Dialect::Flat {
        object.text("permissionDecision", decision);
        if !reason.is_empty() {
            object.text("permissionDecisionReason", reason);
        }
    } else {
        nested_decision(&mut object, decision, reason, to);
    }
    reply(object)
}

fn nested_decision(object: &mut Object, decision: &'static str, reason: &str, to: &Address<'_>) {
    object
        .open("hookSpecificOutput")
        .text("hookEventName", to.event_name())
        .text("permissionDecision", decision);
    if !reason.is_empty() {
        object.text("permissionDecisionReason", reason);
    }
    object.close();
}

/// The answer to a permission request.
fn permission_reply(behavior: &'static str, message: &str, to: &Address<'_>) -> Reply {
    let mut object = answer(message.len());
    let strict = to.dialect == Dialect::Strict;
    if strict {
        object.open("hookSpecificOutput").text("hookEventName", to.event_name()).open("decision");
    }
    object.text("behavior", behavior);
    if !message.is_empty() {
        object.text("message", message);
    }
    if strict {
        object.close().close();
    }
    reply(object)
}

fn block(reason: &Reason, to: &Address<'_>) -> Result<Reply, RenderError> {
    use EventKind as E;
    let stops = matches!(to.kind, E::Stop | E::SubagentStop);
    // The model reads it as a prompt, with the last lines of a check in it.
    let reason = if stops { reason.render_lines() } else { reason.render() };
    let answers = &to.host.traits().answers;
    if !answers.blocks.contains(&to.kind) {
        return refuse("block", to);
    }
    let mut object = answer(2 * reason.len());
    object.text("decision", "block").text("reason", &reason);
    // VS Code reads a stop's decision only in hookSpecificOutput; Codex rejects it there, Copilot ignores it.
    if stops && to.dialect == Dialect::Timed && answers.both_places {
        object.open("hookSpecificOutput").text("hookEventName", to.event_name());
        object.text("decision", "block").text("reason", &reason).close();
    }
    Ok(reply(object))
}

fn context(text: &str, to: &Address<'_>) -> Result<Reply, RenderError> {
    if text.trim().is_empty() {
        return Err(RenderError::EmptyText { what: "context" });
    }
    let answers = &to.host.traits().answers;
    if !answers.context.contains(&to.kind) || to.dialect == Dialect::Unknown {
        return refuse("add context", to);
    }
    let mut object = answer(2 * text.len());
    // Copilot's PascalCase dialect reads the context of PreToolUse nested, that of all other events at the top.
    let top = to.dialect == Dialect::Flat
        || (to.dialect == Dialect::Timed && to.kind != EventKind::PreToolUse && answers.both_places);
    if top {
        object.text("additionalContext", text);
    }
    if to.dialect != Dialect::Flat {
        object.open("hookSpecificOutput").text("hookEventName", to.event_name());
        object.text("additionalContext", text).close();
    }
    Ok(reply(object))
}

fn rewrite(input: &str, approve: bool, said: &Reason, to: &Address<'_>) -> Result<Reply, RenderError> {
    let Some(input) = Json::new(input).filter(|input| input.kind() == JsonType::Object) else {
        return Err(RenderError::InputNotAnObject);
    };
    if to.kind != EventKind::PreToolUse || to.dialect == Dialect::Unknown {
        return refuse("rewrite a tool call", to);
    }
    // Qwen Code hands the new input to the next hook, and the old one to the tool.
    let Some(form) = to.host.traits().answers.rewrite else { return refuse("rewrite a tool call", to) };
    match form.only {
        Some(true) if !approve => return Err(RenderError::RewriteNeedsApproval { host: to.host }),
        // Gemini has no `allow`: the rewrite alone would leave out what was asked for.
        Some(false) if approve => return refuse("allow", to),
        _ => {}
    }
    let answers = &to.host.traits().answers;
    let said = if said.text.is_empty() { String::new() } else { said.render() };
    let is_read = !said.is_empty() && answers.context.contains(&EventKind::PreToolUse);
    let mut object = answer(2 * (input.text().len() + said.len()));
    // To the person; what they are asked next is about the new input, in the host's own words.
    if !said.is_empty() && answers.notices && to.dialect != Dialect::Flat {
        object.text("systemMessage", &said);
    }
    if to.dialect == Dialect::Flat {
        if approve {
            object.text("permissionDecision", "allow");
        }
        if is_read {
            object.text("additionalContext", &said);
        }
        object.json("modifiedArgs", input);
        return Ok(reply(object));
    }
    if form.modified_args && !approve {
        object.json("modifiedArgs", input);
    }
    object.open("hookSpecificOutput").text("hookEventName", to.event_name());
    if approve {
        object.text("permissionDecision", "allow");
    }
    if is_read {
        object.text("additionalContext", &said);
    }
    object.json(form.key, input).close();
    Ok(reply(object))
}

fn notice(text: &str, to: &Address<'_>) -> Result<Reply, RenderError> {
    if text.trim().is_empty() {
        return Err(RenderError::EmptyText { what: "notice" });
    }
    // In the flat dialect no host was seen to show one.
    if !matches!(to.dialect, Dialect::Timed | Dialect::Strict) || !to.host.traits().answers.notices {
        return refuse("show a notice", to);
    }
    let mut object = answer(text.len());
    object.text("systemMessage", text);
    Ok(reply(object))
}
