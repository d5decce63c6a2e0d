//! `OpenAI` Codex CLI.

use std::time::Duration;

use payload::{Dialect, Host};
use serde_json::{Value, json};

use crate::failing::{Failing, Fate, row};
use crate::managed::{BySystem, Form, Managed};
use crate::matcher::{self, Engine, Flaw, Matcher};
use crate::place::{Base, Folders, Scope, hooks};
use crate::record::{
    ASSUMED, BadEntry, Counts, Disable, Failures, Gate, LimitValue, Mode, Nesting, Order, Patience,
    Permission, Permits, Quirk, Record, Schema, Speech, Start, Syntax, Unit, Written, fact, mode,
};
use crate::standing::{Remark, Weight, remark};
use crate::tools::{Deed, Use};
use crate::tree::text;

const RUN: &str = "run: Codex CLI 0.169.0";
const SOURCE: &str = "source: openai/codex 2219e3df";

/// Where an administrator puts hooks.
const MANAGED: Managed = Managed {
    form: Form::Requirements,
    path: BySystem {
        linux: "/etc/codex/requirements.toml",
        mac: "/etc/codex/requirements.toml",
        windows: r"C:\ProgramData\OpenAI\Codex\requirements.toml",
    },
    pinned: None,
    loophole: None,
    source: "run: of Linux in a private /etc; docs: of the others",
};

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "codex",
    title: "Codex CLI",
    host: Host::Codex,
    version: "0.169.0",
    program: Some("codex"),
    traces: &[(Base::CodexHome, "")],
    start: Start::Desktop,
    configs: Some("codex"),
    after_init: None,
    quirks: &[
        // [run] An allow does not lift its sandbox.
        Quirk::AllowKeepsGate,
        Quirk::RunsInSessionFolder,
        Quirk::ReviewsHooks,
        Quirk::OnDesktop,
        Quirk::ExitNeedsText,
        Quirk::NeedsEventName,
        Quirk::CannotAsk,
        Quirk::NullMatcherIsNone,
    ],
    written: Written::USUAL,
    places: &[
        hooks(Scope::User, Base::CodexHome, "hooks.json", RUN),
        hooks(Scope::Project, Base::Project, ".codex/hooks.json", RUN),
    ],
    managed: Some(MANAGED),
    store: None,
    strays: &[(".codex/settings.json", ".codex/hooks.json")],
    marks: &[(".codex/hooks.json", ""), ("/codex/", "")],
    schema: Some(Schema {
        name: "codex",
        about: "`.codex/hooks.json`",
        title: "Hooks of Codex CLI (.codex/hooks.json)",
    }),
    shares: &[],
    syntax: fact(Syntax::Strict, SOURCE),
    // [run] Any other key, and no hook of the file runs.
    top_keys: Some(&["hooks", "description"]),
    disable: |_, _| Disable::Unknown,
    bad_entry: fact(BadEntry::DropsFile, ASSUMED),
    nesting: fact(Nesting::Groups, RUN),
    keys: &["statusMessage", "async"],
    kinds: &["command"],
    // [run] `d_entry_type_prompt`.
    unserved: &["prompt", "agent"],
    unit: fact(Unit::Seconds, RUN),
    limit: fact(Duration::from_mins(10), SOURCE),
    limits: &[],
    limit_keys: fact(&["timeout"], RUN),
    limit_value: fact(LimitValue::Whole, RUN),
    standing,
    events: &[
        "SessionStart",
        "SessionEnd",
        "UserPromptSubmit",
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "PreCompact",
        "PostCompact",
        "SubagentStart",
        "SubagentStop",
        "Stop",
    ],
    silent: &[],
    speech: Speech::One(Dialect::Strict),
    both_casings: None,
    failures: Failures::None,
    permission: Permission::GatedAtTerminal,
    reading: &[],
    modes: &[
        // [run] With no one to approve it, what an MCP server does outside the sandbox is refused.
        Mode { others: Gate::Refuses, ..mode("read-only", Gate::Sandboxed, Gate::Refuses) },
        Mode { others: Gate::Refuses, ..mode("workspace-write", Gate::Open, Gate::Open) },
        mode("danger-full-access", Gate::Open, Gate::Open),
    ],
    tools: &[(Use::Shell, &["Bash"]), (Use::Edit, &["apply_patch", "Edit", "Write"])],
    // [docs] It takes Claude's names of its patch tool.
    other_names: &[("apply_patch", &["Edit", "Write"])],
    server_tools: ("mcp__", "__"),
    translated: &[],
    matcher: |text, _, kind| match text {
        _ if matcher::is_ignored(kind) => (Matcher::All, Some(Flaw::Ignored)),
        "" | "*" => (Matcher::All, None),
        _ if matcher::is_names(text) => (Matcher::names(text, &['|']), None),
        _ => (Matcher::part(text, Engine::Rust), None),
    },
    engine: Engine::Rust,
    shell: fact(&["$SHELL", "-c"], SOURCE),
    variables: &[],
    call: |deed| match deed {
        Deed::Shell(command) => ("Bash", json!({ "command": command })),
        // The file's name is nowhere but in the text of the patch.
        Deed::Write(path, text) => {
            let lines: String = text.lines().map(|line| format!("+{line}\n")).collect();
            patch(&format!("*** Add File: {path}\n{lines}"))
        }
        Deed::Edit(path, old, new) => patch(&format!("*** Update File: {path}\n@@\n-{old}\n+{new}\n")),
        // It has no tool for that.
        Deed::Read(path) => ("Bash", json!({ "command": format!("cat {path}") })),
        Deed::Delegate(task) => ("spawn_agent", json!({ "message": task })),
    },
    fields: &[("transcript_path", "/dev/null"), ("turn_id", "1"), ("model", "gpt")],
    event_fields: &[],
    call_id: Some("call_1"),
    source: None,
    result: |text| ("tool_response", text.clone()),
    order: fact(Order::AtOnce, RUN),
    refusal: fact(Counts::First, RUN),
    objection: fact(Counts::All, RUN),
    // "Chooses the rewrite from the hook that actually finished last."
    changed: fact(Counts::LastToAnswer, RUN),
    permits: fact(Permits::Strictest, SOURCE),
    once: fact(false, ASSUMED),
    patience: fact(Patience::ForItsOutput, RUN),
    input_key: "updatedInput",
    stop_limit: fact(None, RUN),
    text_limit: fact(None, RUN),
    failing: &[
        row(Failing::Missing, Fate::Runs, RUN),
        row(Failing::Killed, Fate::Runs, RUN),
        row(Failing::Late, Fate::Runs, RUN),
    ],
};

fn patch(body: &str) -> (&'static str, Value) {
    ("apply_patch", json!({ "command": format!("*** Begin Patch\n{body}*** End Patch") }))
}

/// [run] Codex CLI 0.169.0: hooks that were not reviewed are skipped, and those of projects that are not trusted.
fn standing(folders: &Folders, has_hooks: bool, of_project: bool) -> Vec<Remark> {
    let home = folders.codex_home.clone().unwrap_or_else(|| folders.home.join(".codex"));
    let own = home.join("config.toml");
    let mut remarks = Vec::new();
    for path in [own.clone(), folders.project.join(".codex/config.toml")] {
        let config = text(&path).unwrap_or_default();
        // By lines: for these settings alone the crate does without a TOML parser, and a file with a mistake
        // still says something.
        let lines = || config.lines().map(str::trim).filter(|line| !line.starts_with('#'));
        if lines().any(|line| line.starts_with("[hooks") || line.starts_with("[[hooks")) {
            let text = "config.toml has hooks, too; hook-runner does not read those";
            remarks.push(remark(Weight::Known, text, "").at(&path, 0..0));
        }
        let off = lines().find(|line| {
            line.split_once('=').is_some_and(|(key, value)| {
                // Under `[features]`, or as one dotted key.
                matches!(key.trim(), "hooks" | "features.hooks") && value.trim().starts_with("false")
            })
        });
        if let Some(line) = off.filter(|_| has_hooks) {
            let start = config.find(line).unwrap_or(0);
            let off = remark(Weight::Off, "`hooks = false` in config.toml: no hook runs", "Remove it.");
            remarks.push(off.at(&path, start..start + line.len()));
        }
    }
    if !has_hooks {
        return remarks;
    }
    let config = text(&own).unwrap_or_default();
    if of_project && !config.contains(&format!("[projects.\"{}\"]", folders.project.display())) {
        let text = "this project is not trusted in config.toml: its hooks do not run";
        remarks.push(remark(Weight::Pending, text, "Start `codex` there once and trust the project."));
    }
    let text = "hooks that were not reviewed with /hooks are skipped silently";
    remarks.push(remark(Weight::Known, text, "Type /hooks in Codex CLI and approve them."));
    remarks
}
