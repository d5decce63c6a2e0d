//! VS Code with Copilot Chat, the local harness.

use std::time::Duration;

use payload::{Dialect, EventKind, Host};
use serde_json::json;

use crate::failing::{Failing, Fate, row};
use crate::matcher::{Engine, Flaw, Matcher};
use crate::place::{Base, Folders, Format, Place, Scope, Shape, hooks, settings};
use crate::record::{
    ASSUMED, BadEntry, Counts, Disable, Failures, LimitValue, Nesting, Order, Patience, Permission, Permits,
    Quirk, Record, Speech, Start, Syntax, Unit, fact,
};
use crate::standing::{Remark, Weight, remark, tree_of};
use crate::tools::Deed;

/// Copilot Chat, and the editor around it.
const SOURCE: &str = "source: vscode-copilot-chat 31acd00a8 (0.42.0), vscode 01272b92";
const CORE: &str = "source: vscode 01272b92, DEFAULT_HOOK_FILE_PATHS";
const CHAT: &str = "source: vscode-copilot-chat 31acd00a8 (0.42.0)";
/// The real one, in code-server 4.139.1.
const RUN: &str = "run: VS Code 1.139.1, Copilot Chat 0.67.0";
/// Its bundles.
const READ: &str = "source: VS Code 1.139.1, Copilot Chat 0.67.0, bundled";
const POWERSHELL: &str = "run: PowerShell ends with 0 where the program is missing";

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "vscode",
    title: "VS Code",
    host: Host::VsCode,
    version: "copilot-chat 0.42.0",
    program: Some("code"),
    // [docs] It asks the user's login shell for the `PATH`.
    start: Start::LoginShell,
    configs: None,
    after_init: None,
    quirks: &[
        Quirk::BlockKeepsResult,
        Quirk::ExpandsTilde,
        Quirk::SkipsOtherSystems,
        Quirk::LaterCasingCounts,
        Quirk::IgnoresMatchers,
        Quirk::OnDesktop,
        Quirk::TellsCallId,
        Quirk::StopDecidesNested,
        // [source] `executePreToolUseHook`, `executePostToolUseHook`; a stop's reasons are a `Set`.
        Quirk::ShowsFirstQuestion,
        Quirk::ShowsReasonOnce,
    ],
    places: &[
        hooks(Scope::Project, Base::Project, ".github/hooks", CORE).shaped(Shape::Folder),
        of_claude(Scope::Project, Base::Project, ".claude/settings.local.json"),
        of_claude(Scope::Project, Base::Project, ".claude/settings.json"),
        hooks(Scope::User, Base::Home, ".copilot/hooks", CORE).shaped(Shape::Folder),
        of_claude(Scope::User, Base::Home, ".claude/settings.json"),
    ],
    strays: &[(".vscode/hooks.json", ".github/hooks/NAME.json")],
    marks: &[(".github/hooks/", ""), (".copilot/hooks/", "")],
    schema: None,
    shares: &[(Format::Hooks, &super::copilot_cli::HOST), (Format::Settings, &super::claude::HOST)],
    syntax: fact(Syntax::Comments, SOURCE),
    top_keys: None,
    disable: |_, format| match format {
        Format::Hooks => Disable::Ignored("this file and runs its hooks"),
        Format::Settings => Disable::File,
    },
    bad_entry: fact(BadEntry::Skipped, SOURCE),
    nesting: fact(Nesting::Either, SOURCE),
    keys: &["bash", "powershell", "linux", "osx", "windows", "timeoutSec", "cwd", "env"],
    kinds: &["command"],
    unserved: &[],
    unit: fact(Unit::Seconds, SOURCE),
    limit: fact(Duration::from_secs(30), SOURCE),
    limits: &[],
    limit_keys: fact(&["timeout", "timeoutSec"], SOURCE),
    limit_value: fact(LimitValue::Number, ASSUMED),
    standing,
    // `PascalCase`, and the camelCase names that it translates.
    events: &[
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PreCompact",
        "SubagentStart",
        "SubagentStop",
        "Stop",
        "SessionEnd",
        "ErrorOccurred",
        "sessionStart",
        "sessionEnd",
        "userPromptSubmitted",
        "preToolUse",
        "postToolUse",
        "agentStop",
        "subagentStop",
        "errorOccurred",
    ],
    // [source] It has these in its list of names and never calls them locally.
    silent: &[EventKind::SessionEnd, EventKind::ErrorOccurred],
    speech: Speech::One(Dialect::Timed),
    both_casings: Some("VS Code runs only the later of the two"),
    failures: Failures::None,
    permission: Permission::Never,
    reading: &[],
    modes: &[],
    tools: &[],
    other_names: &[],
    server_tools: ("mcp_", "_"),
    translated: &[],
    matcher: |_, _, _| (Matcher::All, Some(Flaw::Ignored)),
    engine: Engine::JavaScript,
    shell: fact(&["/bin/sh", "-c"], SOURCE),
    variables: &[],
    call: |deed| match deed {
        Deed::Shell(command) => {
            let input = json!({"command": command, "explanation": "Runs a command.", "isBackground": false});
            ("run_in_terminal", input)
        }
        Deed::Write(path, text) => ("create_file", json!({"filePath": path, "content": text})),
        Deed::Edit(path, old, new) => {
            ("replace_string_in_file", json!({"filePath": path, "oldString": old, "newString": new}))
        }
        Deed::Read(path) => ("read_file", json!({"filePath": path, "startLine": 1, "endLine": 2000})),
        Deed::Delegate(task) => ("runSubagent", json!({"description": "A task.", "prompt": task})),
    },
    fields: &[("transcript_path", "/dev/null")],
    stop_fields: &[],
    source: None,
    result: |text| ("tool_response", text.clone()),
    order: fact(Order::EachInTurn, SOURCE),
    refusal: fact(Counts::All, RUN),
    objection: fact(Counts::All, READ),
    changed: fact(Counts::Last, ASSUMED),
    permits: fact(Permits::Strictest, ASSUMED),
    once: fact(false, SOURCE),
    patience: fact(Patience::ForItsOutput, SOURCE),
    input_key: "updatedInput",
    stop_limit: fact(None, SOURCE),
    text_limit: fact(None, ASSUMED),
    failing: &[
        row(Failing::Missing, Fate::Runs, CHAT),
        row(Failing::MissingOnWindows, Fate::Runs, POWERSHELL),
        row(Failing::Killed, Fate::Runs, CHAT),
        row(Failing::Late, Fate::Runs, CHAT),
    ],
};

/// A file of Claude Code's, which is read when `chat.useClaudeHooks` is on.
const fn of_claude(scope: Scope, base: Base, path: &'static str) -> Place {
    Place { only_with_claude_hooks: true, ..settings(scope, base, path, CORE) }
}

/// [source] vscode 01272b92: `chat.useHooks` is the master switch; an untrusted workspace has no hooks at all.
fn standing(folders: &Folders, has_hooks: bool, _of_project: bool) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for path in folders.vs_code_settings() {
        let Some(root) = tree_of(&path) else { continue };
        let truth = |key: &str| Some((root.get(key)?.key_span.clone(), root.at(key)?.truth()?));
        if let Some((span, false)) = truth("chat.useHooks") {
            let help = "Remove it from VS Code's settings.";
            // Without hooks there is nothing that the switch keeps from running.
            let weight = if has_hooks { Weight::Off } else { Weight::Known };
            remarks.push(remark(weight, "`chat.useHooks` is off: no hook runs", help).at(&path, span));
        }
        if let Some((span, true)) = truth("chat.useClaudeHooks") {
            let text = "`chat.useClaudeHooks` is on: Claude's files are read, too";
            remarks.push(remark(Weight::Known, text, "").at(&path, span));
        }
    }
    remarks
}
