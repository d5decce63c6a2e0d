//! GitHub's Copilot cloud agent, once called coding agent. It runs Copilot CLI's runtime.

use std::time::Duration;

use payload::Host;

use crate::failing::{Failing, Fate, row};
use crate::matcher::Engine;
use crate::place::{Base, Format, Scope, Shape, hooks};
use crate::record::{
    ASSUMED, BadEntry, Counts, Disable, Failures, LimitValue, Nesting, Order, Patience, Permission, Permits,
    Quirk, Record, Start, Syntax, Unit, fact,
};

use super::copilot_cli::{SPEECH, STOP_FIELDS, TOOLS, TRANSLATED, VARIABLES, call, read_matcher, result};

const DOCS: &str = "docs: github/docs 05da5bc3";
const RUNTIME: &str = "assumed: as Copilot CLI, whose runtime it has";

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "copilot-cloud",
    title: "Copilot cloud agent",
    host: Host::Copilot,
    version: "documentation of 2026",
    program: None,
    traces: &[],
    start: Start::Elsewhere,
    configs: None,
    after_init: Some("Install the programs in copilot-setup-steps.yml: without them every call is denied."),
    quirks: &[
        Quirk::NobodyToAsk,
        Quirk::HandsInputOn,
        Quirk::EnvIsLiteral,
        Quirk::ReadsVersion,
        Quirk::EventShapeDropsFile,
        Quirk::ExitHidesReason,
        Quirk::BlockNeedsReason,
        Quirk::StopsSubAgents,
    ],
    places: &[hooks(Scope::Project, Base::Project, ".github/hooks", DOCS).shaped(Shape::Folder)],
    strays: &[],
    marks: &[],
    schema: None,
    shares: &[(Format::Hooks, &super::copilot_cli::HOST), (Format::Settings, &super::claude::HOST)],
    syntax: fact(Syntax::Strict, DOCS),
    top_keys: None,
    disable: |_, _| Disable::File,
    bad_entry: fact(BadEntry::Skipped, DOCS),
    nesting: fact(Nesting::Either, DOCS),
    keys: &["bash", "linux", "osx", "windows", "exec", "args", "timeoutSec", "cwd", "env"],
    kinds: &["command"],
    unserved: &[],
    unit: fact(Unit::Seconds, DOCS),
    limit: fact(Duration::from_secs(30), DOCS),
    limits: &[],
    limit_keys: fact(&["timeoutSec", "timeout"], DOCS),
    limit_value: fact(LimitValue::AboveZero, RUNTIME),
    standing: |_, _, _| Vec::new(),
    // [docs] It asks no one and notifies no one.
    events: &[
        "SessionStart",
        "SessionEnd",
        "UserPromptSubmit",
        "PreToolUse",
        "PreMcpToolCall",
        "PostToolUse",
        "PostToolUseFailure",
        "Stop",
        "SubagentStart",
        "SubagentStop",
        "PreCompact",
        "ErrorOccurred",
        "sessionStart",
        "sessionEnd",
        "userPromptSubmitted",
        "userPromptTransformed",
        "preToolUse",
        "preMcpToolCall",
        "postToolUse",
        "postToolUseFailure",
        "agentStop",
        "subagentStart",
        "subagentStop",
        "preCompact",
        "errorOccurred",
    ],
    silent: &[],
    speech: SPEECH,
    both_casings: Some("Copilot CLI runs both"),
    failures: Failures::Tool,
    permission: Permission::Never,
    reading: &[],
    modes: &[],
    tools: TOOLS,
    other_names: &[],
    server_tools: ("", "-"),
    translated: TRANSLATED,
    matcher: read_matcher,
    engine: Engine::JavaScript,
    shell: fact(&["/bin/bash", "--norc", "--noprofile", "-c"], DOCS),
    variables: VARIABLES,
    call,
    fields: &[],
    event_fields: STOP_FIELDS,
    call_id: None,
    source: Some("new"),
    result,
    order: fact(Order::UntilFirstNo, DOCS),
    refusal: fact(Counts::First, ASSUMED),
    objection: fact(Counts::Last, ASSUMED),
    changed: fact(Counts::Last, ASSUMED),
    permits: fact(Permits::Last, ASSUMED),
    once: fact(false, ASSUMED),
    patience: fact(Patience::ForItsOutput, ASSUMED),
    input_key: "updatedInput",
    stop_limit: fact(Some(8), ASSUMED),
    text_limit: fact(None, ASSUMED),
    failing: &[
        row(Failing::Missing, Fate::Denied, RUNTIME),
        row(Failing::Killed, Fate::Denied, RUNTIME),
        row(Failing::Late, Fate::Runs, RUNTIME),
    ],
};
