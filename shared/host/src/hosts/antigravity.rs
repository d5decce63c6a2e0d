//! Antigravity, Google's editor and its agent in the terminal.

use payload::Host;
use serde_json::{Value, json};

use super::documented::DOCUMENTED;
use crate::failing::{Failing, Fate, row};
use crate::layout::Layout;
use crate::matcher::Engine;
use crate::place::{Base, Scope, hooks};
use crate::record::{LimitValue, Nesting, Quirk, Record, Said, Syntax, Unit, Written, fact};
use crate::tools::{Deed, Use};

const DOCS: &str = "docs: antigravity.google/docs/hooks, 2026-11; crate safe-chains, tried with agy 1.1.2";
const TRIED: &str = "docs: stbenjam/skillsaw docs/rules/antigravity-hooks-valid.md, measured with agy 1.1.25";

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "antigravity",
    title: "Antigravity",
    host: Host::Antigravity,
    program: Some("agy"),
    traces: &[(Base::Home, ".gemini/antigravity"), (Base::Home, ".gemini/config")],
    configs: Some("antigravity"),
    after_init: Some("Antigravity's CLI was reported to read hooks of plugins only (1.1.11): try it."),
    quirks: &[Quirk::OnDesktop, Quirk::DecidesAtTop],
    written: Written {
        layout: Layout::Named("policy-hooks"),
        // Its payloads name no event.
        arguments: " --event $EVENT",
        payload: Some(payload),
        ..Written::USUAL
    },
    places: &[
        hooks(Scope::User, Base::Home, ".gemini/config/hooks.json", DOCS),
        hooks(Scope::Project, Base::Project, ".agents/hooks.json", DOCS),
    ],
    marks: &[(".gemini/config/", "hooks.json"), (".agents/", "hooks.json")],
    syntax: fact(Syntax::Strict, TRIED),
    // Groups before and after a tool, elsewhere hooks themselves.
    nesting: fact(Nesting::Either, TRIED),
    keys: &["prompt", "model"],
    kinds: &["command", "prompt"],
    unit: fact(Unit::Seconds, TRIED),
    limit_value: fact(LimitValue::Whole, TRIED),
    events: &["PreToolUse", "PostToolUse", "PreInvocation", "PostInvocation", "Stop", "SessionStart"],
    tools: &[
        (Use::Shell, &["run_command"]),
        (Use::Edit, &["write_to_file", "replace_file_content", "multi_replace_file_content"]),
        (Use::Other, &["view_file"]),
    ],
    engine: Engine::Rust,
    call: |deed| match deed {
        Deed::Shell(command) => ("run_command", json!({ "CommandLine": command })),
        Deed::Write(path, text) => ("write_to_file", json!({"TargetFile": path, "CodeContent": text})),
        Deed::Edit(path, old, new) => (
            "replace_file_content",
            json!({"TargetFile": path, "TargetContent": old, "ReplacementContent": new}),
        ),
        Deed::Read(path) => ("view_file", json!({ "AbsolutePath": path })),
        // It says nothing of sub-agents.
        Deed::Delegate(task) => ("agent", json!({ "prompt": task })),
    },
    // A missing decision is a denial.
    failing: &[
        row(Failing::Missing, Fate::Denied, DOCS),
        row(Failing::Killed, Fate::Denied, DOCS),
        row(Failing::Late, Fate::Denied, DOCS),
    ],
    ..DOCUMENTED
};

fn payload(said: &Said<'_>) -> Value {
    let mut payload = json!({"conversationId": said.session, "workspacePaths": [said.cwd], "stepIdx": 1});
    let (name, input) = said.tool;
    if said.kind.is_about_tool() {
        payload["toolCall"] = json!({"name": name, "args": input});
    }
    if !said.kind.is_before_tool() && !said.result.is_null() {
        payload["toolResult"] = said.result.clone();
    }
    payload
}
