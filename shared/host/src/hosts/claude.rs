//! Claude Code.

use std::time::Duration;

use payload::{Dialect, EventKind, Host};
use serde_json::json;

use crate::commands::READING;
use crate::failing::{Failing, Fate, Row, row};
use crate::managed::{BySystem, Form, Managed, Store};
use crate::matcher::{self, Engine, Flaw, Matcher};
use crate::place::{Base, Folders, Place, Scope, Shape, settings};
use crate::record::{
    BadEntry, Counts, Disable, Failures, Gate, LimitValue, Nesting, Order, Patience, Permission, Permits,
    Quirk, Record, Schema, Speech, Start, Syntax, Unit, Variable, Written, fact, mode,
};
use crate::standing::{Remark, Weight, remark};
use crate::tools::{Deed, Use};

const RUN: &str = "run: Claude Code 2.1.329";
/// 130 settings files, each with a hook that leaves a mark, and every key of the settings with values that do not fit.
const SETTINGS: &str = "run: Claude Code 2.1.330";
const DOCS: &str = "docs: claude-code-docs ec68a5b2";

/// Where an administrator puts hooks.
const MANAGED: Managed = Managed {
    form: Form::Settings,
    path: BySystem {
        linux: "/etc/claude-code/managed-settings.json",
        mac: "/Library/Application Support/ClaudeCode/managed-settings.json",
        windows: r"C:\Program Files\ClaudeCode\managed-settings.json",
    },
    pinned: None,
    loophole: None,
    source: "run: of Linux in a private /etc; docs: of the others",
};

/// Files beside that one, which are joined with it. [docs]
const DROP_INS: BySystem = BySystem {
    linux: "/etc/claude-code/managed-settings.d",
    mac: "/Library/Application Support/ClaudeCode/managed-settings.d",
    windows: r"C:\Program Files\ClaudeCode\managed-settings.d",
};

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "claude",
    title: "Claude Code",
    host: Host::Claude,
    version: "2.1.330",
    program: Some("claude"),
    traces: &[(Base::Home, ".claude")],
    start: Start::Desktop,
    configs: Some("claude-code"),
    after_init: None,
    quirks: &[
        Quirk::BlockKeepsResult,
        Quirk::RunsInSessionFolder,
        Quirk::SameShellOnWindows,
        Quirk::ChecksSettings,
        Quirk::OnDesktop,
        Quirk::NeedsEventName,
        // [run] g20151: an `ask` beside an input that its tool does not take.
        Quirk::ChecksChanges,
    ],
    written: Written::USUAL,
    places: &[
        MANAGED.place(),
        Place { path: DROP_INS, shape: Shape::Folder, ..MANAGED.place() },
        settings(Scope::User, Base::Home, ".claude/settings.json", RUN),
        // [run] `s_folder`: the local ones are the root's all the same.
        settings(Scope::Project, Base::Project, ".claude/settings.json", RUN).where_started(),
        settings(Scope::Project, Base::Project, ".claude/settings.local.json", RUN),
    ],
    managed: Some(MANAGED),
    store: Some(Store {
        mac: "com.anthropic.claudecode",
        windows: r"SOFTWARE\Policies\ClaudeCode",
        value: Some("Settings"),
        source: DOCS,
    }),
    strays: &[
        (".claude/hooks.json", ".claude/settings.json"),
        (".claude/settings.jsonc", ".claude/settings.json"),
    ],
    marks: &[("claude", "settings.json"), ("claude", "settings.local.json")],
    schema: Some(Schema {
        name: "claude",
        about: "The hooks in `.claude/settings.json`",
        title: "Hooks in Claude Code's settings.json",
    }),
    shares: &[],
    syntax: fact(Syntax::StrictAfterMark, SETTINGS),
    top_keys: None,
    disable: |_, _| Disable::Everything,
    bad_entry: fact(BadEntry::DropsFileOfGuards, SETTINGS),
    nesting: fact(Nesting::Groups, RUN),
    keys: &[
        "args",
        "shell",
        "if",
        "statusMessage",
        "once",
        "async",
        "asyncRewake",
        "onFailure",
        "url",
        "headers",
        "allowedEnvVars",
        "prompt",
        "model",
        "server",
        "tool",
        "input",
    ],
    kinds: &["command", "http", "mcp_tool", "prompt", "agent"],
    unserved: &[],
    unit: fact(Unit::Seconds, RUN),
    limit: fact(Duration::from_mins(10), DOCS),
    // [docs] claude-code-docs ec68a5b2.
    limits: &[
        (EventKind::UserPromptSubmit, Duration::from_secs(30)),
        (EventKind::MessageDisplay, Duration::from_secs(10)),
        (EventKind::SessionEnd, Duration::from_millis(1500)),
    ],
    limit_keys: fact(&["timeout"], RUN),
    limit_value: fact(LimitValue::Number, SETTINGS),
    standing,
    // 2.1.329, from its binary.
    events: &[
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "Notification",
        "UserPromptSubmit",
        "UserPromptExpansion",
        "SessionStart",
        "SessionEnd",
        "Stop",
        "StopFailure",
        "SubagentStart",
        "SubagentStop",
        "PreCompact",
        "PostCompact",
        "PreModelSwitch",
        "PostModelSwitch",
        "PermissionRequest",
        "PermissionDenied",
        "Setup",
        "TeammateIdle",
        "TaskCreated",
        "TaskCompleted",
        "Elicitation",
        "ElicitationResult",
        "ConfigChange",
        "WorktreeCreate",
        "WorktreeRemove",
        "InstructionsLoaded",
        "CwdChanged",
        "FileChanged",
        "DirectoryAdded",
        "MessageDisplay",
    ],
    silent: &[],
    speech: Speech::One(Dialect::Strict),
    both_casings: None,
    failures: Failures::Command,
    permission: Permission::Gated,
    reading: &[READING, &["sleep", "test", "printf"]],
    modes: &[
        // [run] `auto` without a classifier.
        mode("manual", Gate::Asks, Gate::Asks),
        mode("default", Gate::Asks, Gate::Asks),
        mode("auto", Gate::Asks, Gate::Asks),
        mode("acceptEdits", Gate::Asks, Gate::Open),
        mode("plan", Gate::AsksAnyway, Gate::AsksAnyway),
        mode("dontAsk", Gate::Refuses, Gate::Refuses),
        mode("bypassPermissions", Gate::Open, Gate::Open),
    ],
    tools: &[
        (Use::Shell, &["Bash", "PowerShell", "Monitor"]),
        (Use::Edit, &["Write", "Edit", "MultiEdit", "NotebookEdit"]),
        (
            Use::Other,
            &[
                "Read",
                "Glob",
                "Grep",
                "WebFetch",
                "WebSearch",
                "Agent",
                "Task",
                "Skill",
                "Workflow",
                "CronCreate",
                "EnterWorktree",
                "ExitPlanMode",
                "AskUserQuestion",
                "TodoWrite",
                "BashOutput",
                "KillShell",
            ],
        ),
    ],
    other_names: &[],
    server_tools: ("mcp__", "__"),
    translated: &[],
    matcher: |text, _, kind| match text {
        _ if matcher::is_ignored(kind) => (Matcher::All, Some(Flaw::Ignored)),
        "" | "*" => (Matcher::All, None),
        // Without a character that only patterns have it is a list of names: `Edit` does not fit `MultiEdit`.
        _ if text.chars().all(|c| c.is_ascii_alphanumeric() || "_ ,|-".contains(c)) => {
            (Matcher::names(text, &['|', ',']), None)
        }
        _ => (Matcher::part(text, Engine::JavaScript), None),
    },
    engine: Engine::JavaScript,
    shell: fact(&["/bin/sh", "-c"], RUN),
    variables: &[
        ("CLAUDECODE", Variable::Text("1")),
        ("CLAUDE_PROJECT_DIR", Variable::Project),
        ("CLAUDE_CODE_SESSION_ID", Variable::Session),
        ("CLAUDE_CODE_ENTRYPOINT", Variable::Text("cli")),
        // A hook may append to this file; here nothing comes of it.
        ("CLAUDE_ENV_FILE", Variable::AtSessionStart("/dev/null")),
    ],
    call: |deed| match deed {
        Deed::Shell(command) => ("Bash", json!({"command": command, "description": "Runs a command."})),
        Deed::Write(path, text) => ("Write", json!({"file_path": path, "content": text})),
        Deed::Edit(path, old, new) => {
            ("Edit", json!({"file_path": path, "old_string": old, "new_string": new, "replace_all": false}))
        }
        Deed::Read(path) => ("Read", json!({ "file_path": path })),
        Deed::Delegate(task) => {
            let input = json!({"description": "A task.", "prompt": task, "subagent_type": "general-purpose"});
            ("Agent", input)
        }
    },
    // A transcript that can be read and has nothing in it.
    fields: &[("transcript_path", "/dev/null"), ("prompt_id", "1")],
    event_fields: &[],
    call_id: Some("call_1"),
    source: None,
    result: |text| ("tool_response", json!({"stdout": text, "stderr": "", "interrupted": false})),
    order: fact(Order::AtOnce, RUN),
    // In its program each answer is taken as it comes.
    refusal: fact(Counts::LastToAnswer, RUN),
    objection: fact(Counts::All, RUN),
    changed: fact(Counts::LastToAnswer, RUN),
    permits: fact(Permits::FirstToAnswer, RUN),
    once: fact(true, RUN),
    patience: fact(Patience::ForTheProcess, RUN),
    input_key: "updatedInput",
    stop_limit: fact(Some(8), RUN),
    text_limit: fact(Some(10_000), RUN),
    // With `"onFailure": "block"`, as we ship it, it denies.
    failing: &[
        Row { plain: Fate::Runs, ..row(Failing::Missing, Fate::Denied, RUN) },
        Row { plain: Fate::Runs, ..row(Failing::Killed, Fate::Denied, RUN) },
        Row { plain: Fate::Runs, ..row(Failing::Late, Fate::Denied, RUN) },
    ],
};

/// [run] Claude Code 2.1.329, started in a folder of the repository, does not load the root's settings.
fn standing(folders: &Folders, _has_hooks: bool, of_project: bool) -> Vec<Remark> {
    let here = std::env::current_dir().unwrap_or_default();
    let root = &folders.project;
    if of_project && here.starts_with(root) && here != *root && root.join(".claude").is_dir() {
        let text = "started in this folder, Claude Code does not load the settings of the root";
        return vec![remark(Weight::Known, text, "Start it in the root of the project.")];
    }
    Vec::new()
}
