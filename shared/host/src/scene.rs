//! What a host then does: its own rules beside the hooks' answer.

use payload::EventKind;
use payload::model::Effect;
use serde_json::Value;

use crate::commands;
use crate::hosts;
use crate::merge::Merged;
use crate::record::{Failures, Gate, Mode, Permission, Product, Quirk};
use crate::request::{Request, Subject};
use crate::tools::Use;

/// How the host was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scene {
    /// No one is there to be asked: `-p`, `exec`, CI.
    pub headless: bool,
    /// The host's own rules would ask about the call, or refuse it.
    pub gated: bool,
    /// Its permission mode, which says that for itself.
    pub mode: Option<&'static Mode>,
}

impl Scene {
    /// How things stand when hooks before the tool have said this: what they allowed, the host does not ask about.
    #[must_use]
    pub fn after(self, before: Effect) -> Self {
        Self { gated: self.gated && before != Effect::Allow, ..self }
    }

    /// What the host's own rules say about a call.
    pub(crate) fn gate(self, product: Product, request: &Request) -> Gate {
        let purpose = match (&request.subject, purpose(request)) {
            (Subject::Tool { input, .. }, Some(Use::Shell)) if !product.reading.is_empty() => {
                input["command"].as_str().map(|command| commands::purpose(product.reading, command))
            }
            (_, purpose) => purpose,
        };
        match (self.mode, purpose) {
            (Some(_), Some(Use::Other)) => Gate::Open,
            (Some(mode), Some(Use::Edit)) => mode.edits,
            (Some(mode), Some(Use::Shell)) => mode.shell,
            // A tool that no list has is an MCP server's.
            (Some(mode), None) => mode.others,
            (None, _) if self.gated => Gate::Asks,
            (None, _) => Gate::Open,
        }
    }
}

/// What the tool of a call is for.
fn purpose(request: &Request) -> Option<Use> {
    let Subject::Tool { name, .. } = &request.subject else { return None };
    hosts::purpose(name)
}

/// Whether a hook's allow makes the host run the call without a question.
fn lifts(product: Product, gate: Gate, request: &Request) -> bool {
    gate != Gate::AsksAnyway
        && !product.has(Quirk::AllowKeepsGate)
        && !(product.has(Quirk::AllowLiftsShellOnly) && purpose(request) == Some(Use::Edit))
}

/// What happens then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// The tool runs.
    Runs,
    /// The tool runs with another input.
    RunsChanged,
    /// The tool is called with an input that it refuses.
    Fails,
    /// The user is asked.
    Asks,
    /// The tool does not run.
    Refused,
    /// The model sees the tool's result.
    ResultSeen,
    /// The model sees something else instead of the tool's result.
    ResultReplaced,
    /// The agent stops.
    Stops,
    /// The agent goes on instead of stopping.
    GoesOn,
    /// The prompt, or the session, is dropped.
    Dropped,
    /// It goes on as it would without hooks.
    Nothing,
}

/// What the host does, and what it says to whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upshot {
    pub then: Then,
    pub turn_ends: bool,
    /// The hooks' strings that the model sees.
    pub told: Vec<String>,
    /// Those that it sees only in the request after the next, and never where there is none: the host did not wait.
    pub late: Vec<String>,
    /// The hooks' strings that the user sees.
    pub shown: Vec<String>,
}

impl Then {
    /// What happens, in words.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Runs => "the tool runs",
            Self::RunsChanged => "the tool runs with the changed input",
            Self::Fails => "the tool call fails: the changed input lacks what the tool needs",
            Self::Asks => "the user is asked",
            Self::Refused => "the tool does not run",
            Self::ResultSeen => "the model sees the tool's result",
            Self::ResultReplaced => "the model does not see the tool's result, but the hook's text",
            Self::Stops => "the agent stops",
            Self::GoesOn => "the agent goes on instead of stopping",
            Self::Dropped => "it is dropped: the model is not asked",
            Self::Nothing => "it continues as if there were no hooks",
        }
    }

    /// The word for machines.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::RunsChanged => "runs-changed",
            Self::Fails => "fails",
            Self::Asks => "asks",
            Self::Refused => "refused",
            Self::ResultSeen => "result-seen",
            Self::ResultReplaced => "result-replaced",
            Self::Stops => "stops",
            Self::GoesOn => "goes-on",
            Self::Dropped => "dropped",
            Self::Nothing => "nothing",
        }
    }

    /// Whether the hooks held something back.
    pub fn holds_back(self) -> bool {
        matches!(
            self,
            Self::Fails | Self::Asks | Self::Refused | Self::GoesOn | Self::Dropped | Self::ResultReplaced
        )
    }
}

/// What a host does after these answers.
pub fn upshot(product: Product, scene: Scene, request: &Request, merged: &Merged) -> Upshot {
    let kind = request.kind;
    let unawaited = kind == EventKind::PostToolUse && product.host.traits().unawaited;
    let then = match kind {
        _ if unawaited => Then::ResultSeen,
        kind if kind.is_before_tool() => before_tool(product, scene, request, merged),
        EventKind::PostToolUse => {
            let replaced = merged.replacement.is_some()
                || (merged.effect == Effect::Block && !product.has(Quirk::BlockKeepsResult))
                || merged.ends
                || merged.effect == Effect::Abort;
            if replaced { Then::ResultReplaced } else { Then::ResultSeen }
        }
        EventKind::Stop | EventKind::SubagentStop => {
            // [run] Copilot CLI 1.0.102 calls the hook for a sub-agent, which ends all the same.
            let of_sub_agent = kind == EventKind::Stop && request.agent.is_some();
            let holds = !(of_sub_agent && product.has(Quirk::StopsSubAgents));
            if merged.effect == Effect::Block && !merged.ends && holds { Then::GoesOn } else { Then::Stops }
        }
        _ if matches!(merged.effect, Effect::Block | Effect::Abort) => Then::Dropped,
        EventKind::UserPromptSubmit if merged.ends => Then::Dropped,
        _ => Then::Nothing,
    };
    let unanswered = then == Then::Refused && merged.effect == Effect::Ask;
    let ends = unanswered && product.has(Quirk::UnansweredEndsRun);
    // Whoever is not asked because the call fails hears no reason for a question.
    let unheard = ends || then == Then::Fails && merged.effect == Effect::Ask;
    let mut shown = merged.notices.clone();
    // A prompt that is dropped never reaches the model, so the reason goes to the person.
    if then == Then::Dropped {
        shown.extend(merged.reasons.iter().cloned());
    }
    // A run that has ended has no model to tell.
    let mut told = if unheard { Vec::new() } else { merged.told(kind, product) };
    if merged.effect == Effect::Ask && product.has(Quirk::AsksPersonAlone) {
        told.retain(|text| !merged.reasons.contains(text));
        shown.extend(merged.reasons.iter().cloned());
    }
    let (told, late) = if unawaited { (Vec::new(), told) } else { (told, Vec::new()) };
    let refuses_only = kind == EventKind::PreToolUse && product.has(Quirk::AbortRefusesCall);
    let aborts = merged.effect == Effect::Abort && !refuses_only;
    // An answer that no one waits for ends nothing.
    let turn_ends = !unawaited && (ends || merged.ends || aborts);
    Upshot { then, turn_ends, told, late, shown }
}

fn before_tool(product: Product, scene: Scene, request: &Request, merged: &Merged) -> Then {
    let nobody = scene.headless || product.has(Quirk::NobodyToAsk);
    let asks = if nobody { Then::Refused } else { Then::Asks };
    let runs = match &merged.input {
        Some(input) if lacks_something(product, request, input) => Then::Fails,
        Some(_) => Then::RunsChanged,
        None => Then::Runs,
    };
    let gate = scene.gate(product, request);
    let allowed = merged.effect == Effect::Allow
        // An answer to the question itself is heeded by every host, whatever it thinks of an allow before it.
        && (request.kind == EventKind::PermissionRequest || lifts(product, gate, request));
    match merged.effect {
        Effect::Deny | Effect::Abort | Effect::Block => Then::Refused,
        Effect::Ask if runs == Then::Fails && product.has(Quirk::ChecksChanges) => runs,
        Effect::Ask => asks,
        Effect::Allow | Effect::None if matches!(gate, Gate::Open | Gate::Sandboxed) || allowed => runs,
        Effect::Allow | Effect::None if gate == Gate::Refuses => Then::Refused,
        Effect::Allow | Effect::None => asks,
    }
}

/// Whether the changed input has not got the one thing that the tool cannot do without.
///
/// [run] `pre_updatedInput_partial`: every host replaces the whole input, and the tool's schema then refuses it.
fn lacks_something(product: Product, request: &Request, input: &str) -> bool {
    let Subject::Tool { name, input: old, .. } = &request.subject else { return false };
    let new: Value = serde_json::from_str(input).unwrap_or_default();
    if name == "apply_patch" {
        return !new["command"].as_str().is_some_and(|patch| patch.contains("*** Begin Patch"));
    }
    // The keys of the hosts' shell and edit tools; a tool with others is not judged.
    ["command", "file_path", "filePath", "path"].iter().any(|key| match (old.get(key), &new[key]) {
        (Some(Value::String(_)), Value::String(text)) => {
            text.is_empty() && product.has(Quirk::EmptyCommandFails)
        }
        (old, _) => old.is_some(),
    })
}

/// Whether the host asks for permission, and calls the hooks for that, after these answers before the tool.
///
/// [run] Claude Code 2.1.330 where it would ask the user; Copilot CLI 1.0.102 for every call that does not only read;
/// `codex exec` 0.169.0 never. The others have no such event.
pub fn asks_permission(product: Product, scene: Scene, request: &Request, before: Effect) -> bool {
    let gate = scene.gate(product, request);
    let allowed = before == Effect::Allow && lifts(product, gate, request);
    if !matches!(before, Effect::None | Effect::Allow) || allowed {
        return false;
    }
    match product.permission {
        Permission::Gated => matches!(gate, Gate::Asks | Gate::AsksAnyway),
        // A tool without a known purpose may change something.
        Permission::Changes => purpose(request) != Some(Use::Other),
        Permission::GatedAtTerminal => gate == Gate::Asks && !scene.headless,
        Permission::Never => false,
    }
}

/// Whether a tool is there at all.
pub fn is_offered(product: Product, scene: Scene, request: &Request) -> bool {
    let gone =
        product.has(Quirk::ToolsNeedPerson) && scene.headless && scene.gate(product, request) != Gate::Open;
    !(gone && purpose(request).is_none_or(|purpose| purpose != Use::Other))
}

/// The event after a tool: [run] for a failed shell command Claude Code fires `PostToolUseFailure`, Copilot CLI only for
/// errors of the tool itself; Codex and Gemini have one event for both.
pub fn after_tool(product: Product, failed: bool, only_exit_code: bool) -> EventKind {
    let own = match product.failures {
        Failures::Command => failed,
        Failures::Tool => failed && !only_exit_code,
        Failures::None => false,
    };
    if own { EventKind::PostToolUseFailure } else { EventKind::PostToolUse }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upshot_of(kind: EventKind, effect: Effect) -> Upshot {
        let request = Request::shell(kind, Product::VS_CODE, "true", "/p");
        let merged = Merged {
            effect,
            reasons: vec!["why".to_owned()],
            contexts: vec!["context".to_owned()],
            ..Merged::default()
        };
        upshot(Product::VS_CODE, Scene::default(), &request, &merged)
    }

    #[test]
    fn vs_code_waits_for_no_hook_after_a_tool() {
        let seen = upshot_of(EventKind::PostToolUse, Effect::Block);
        assert_eq!((seen.then, seen.turn_ends, seen.told.len()), (Then::ResultSeen, false, 0));
        assert_eq!(seen.late, ["why", "context"]);
        assert!(!upshot_of(EventKind::PostToolUse, Effect::Abort).turn_ends);
    }

    #[test]
    fn vs_code_asks_the_person_alone_and_goes_on_after_an_abort_before_a_tool() {
        let asked = upshot_of(EventKind::PreToolUse, Effect::Ask);
        assert_eq!(
            (asked.then, asked.told, asked.shown),
            (Then::Asks, vec!["context".to_owned()], vec!["why".to_owned()])
        );
        let aborted = upshot_of(EventKind::PreToolUse, Effect::Abort);
        assert_eq!((aborted.then, aborted.turn_ends), (Then::Refused, false));
        assert!(upshot_of(EventKind::UserPromptSubmit, Effect::Abort).turn_ends);
    }
}
