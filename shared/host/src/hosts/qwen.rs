//! Qwen Code, which began as Gemini CLI and took over the names of Claude's hooks.

use std::time::Duration;

use payload::{Dialect, Host};
use serde_json::json;

use crate::failing::{Failing, Fate, row};
use crate::managed::{BySystem, Form, Managed};
use crate::matcher::{self, Engine, Flaw, Matcher};
use crate::place::{Base, Folders, Scope, settings};
use crate::record::{
    ASSUMED, BadEntry, Counts, Disable, Failures, Gate, LimitValue, Nesting, Order, Patience, Permission,
    Permits, Quirk, Record, Schema, Speech, Start, Syntax, Unit, Variable, Written, fact, mode,
};
use crate::standing::{Remark, Weight, remark, tree_of};
use crate::tools::{Deed, Use};

const RUN: &str = "run: Qwen Code 0.24.4";
const SOURCE: &str = "source: @qwen-code/qwen-code 0.24.4, its bundle";

/// Where an administrator puts hooks.
const MANAGED: Managed = Managed {
    form: Form::Settings,
    path: BySystem {
        linux: "/etc/qwen-code/settings.json",
        mac: "/Library/Application Support/QwenCode/settings.json",
        windows: r"C:\ProgramData\qwen-code\settings.json",
    },
    pinned: None,
    loophole: None,
    source: "source: QwenLM/qwen-code",
};

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "qwen",
    title: "Qwen Code",
    host: Host::Qwen,
    version: "0.24.4",
    program: Some("qwen"),
    traces: &[(Base::Home, ".qwen")],
    start: Start::Desktop,
    configs: Some("qwen-code"),
    after_init: None,
    quirks: &[
        // [source] What a hook allows, its own rules still ask about.
        Quirk::AllowKeepsGate,
        // [run] With `-p`, unless everything is allowed.
        Quirk::ToolsNeedPerson,
        Quirk::RunsInSessionFolder,
        Quirk::DecidesAtTop,
    ],
    written: Written::USUAL,
    places: &[
        MANAGED.place(),
        settings(Scope::User, Base::Home, ".qwen/settings.json", SOURCE),
        settings(Scope::Project, Base::Project, ".qwen/settings.json", RUN),
    ],
    managed: Some(MANAGED),
    store: None,
    strays: &[(".qwen/hooks.json", ".qwen/settings.json")],
    marks: &[(".qwen/", ""), ("/qwen", "")],
    schema: Some(Schema {
        name: "qwen",
        about: "The hooks in `.qwen/settings.json`",
        title: "Hooks in Qwen Code's settings.json",
    }),
    shares: &[],
    syntax: fact(Syntax::CommentsAfterMark, RUN),
    top_keys: None,
    disable: |_, _| Disable::Everything,
    bad_entry: fact(BadEntry::Skipped, RUN),
    nesting: fact(Nesting::Groups, SOURCE),
    keys: &[
        "name",
        "env",
        "shell",
        "async",
        "once",
        "statusMessage",
        "sequential",
        "url",
        "headers",
        "allowedEnvVars",
        "prompt",
        "model",
    ],
    kinds: &["command", "http", "prompt"],
    unserved: &[],
    // [source] From 1000 on it is taken for milliseconds.
    unit: fact(Unit::Seconds, SOURCE),
    limit: fact(Duration::from_mins(1), SOURCE),
    limits: &[],
    limit_keys: fact(&["timeout"], SOURCE),
    limit_value: fact(LimitValue::Number, SOURCE),
    standing,
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
        "SessionDelete",
        "Stop",
        "StopFailure",
        "MessageDisplay",
        "SubagentStart",
        "SubagentStop",
        "PreCompact",
        "PostCompact",
        "PermissionRequest",
        "PermissionDenied",
        "TodoCreated",
        "TodoCompleted",
        "InstructionsLoaded",
    ],
    silent: &[],
    speech: Speech::One(Dialect::Strict),
    both_casings: None,
    failures: Failures::Command,
    permission: Permission::GatedAtTerminal,
    reading: &[],
    modes: &[mode("default", Gate::AsksAnyway, Gate::AsksAnyway), mode("yolo", Gate::Open, Gate::Open)],
    tools: &[
        (Use::Shell, &["run_shell_command", "monitor"]),
        (Use::Edit, &["write_file", "edit", "notebook_edit"]),
        (
            Use::Other,
            &[
                "read_file",
                "grep_search",
                "glob",
                "list_directory",
                "web_fetch",
                "web_search",
                "save_memory",
                "todo_write",
                "agent",
                "skill",
                "exit_plan_mode",
                "enter_plan_mode",
                "ask_user_question",
                "cron_create",
                "workflow",
            ],
        ),
    ],
    // [source] `TOOL_NAME_ALIASES`.
    other_names: &[
        ("run_shell_command", &["Shell", "ShellTool", "Bash"]),
        ("monitor", &["Monitor", "MonitorTool"]),
        ("edit", &["Edit", "EditTool"]),
        ("write_file", &["WriteFile", "WriteFileTool", "Write"]),
        ("notebook_edit", &["NotebookEdit", "NotebookEditTool"]),
        ("read_file", &["ReadFile", "ReadFileTool", "Read"]),
        ("grep_search", &["Grep", "GrepTool", "search_file_content"]),
        ("glob", &["Glob", "GlobTool"]),
        ("list_directory", &["ListFiles", "ListFilesTool"]),
        ("web_fetch", &["WebFetch", "WebFetchTool"]),
        ("web_search", &["WebSearch", "WebSearchTool"]),
        ("todo_write", &["TodoWrite", "TodoList", "TodoWriteTool"]),
        ("agent", &["Agent", "AgentTool", "task", "Task", "TaskTool"]),
        ("skill", &["Skill", "SkillTool"]),
    ],
    server_tools: ("mcp__", "__"),
    translated: &[],
    matcher: |text, _, kind| match text.trim() {
        _ if matcher::is_ignored(kind) => (Matcher::All, Some(Flaw::Ignored)),
        "" | "*" | ".*" => (Matcher::All, None),
        // [source] Parts of a list that is no pattern as a whole are trimmed.
        list if list.contains('|') && !list.starts_with(['^', '(']) => {
            let parts: Vec<&str> = list.split('|').map(str::trim).filter(|part| !part.is_empty()).collect();
            if parts.iter().any(|part| matches!(*part, "*" | ".*")) {
                return (Matcher::All, None);
            }
            (Matcher::part(&parts.join("|"), Engine::JavaScript), None)
        }
        text => (Matcher::part(text, Engine::JavaScript), None),
    },
    engine: Engine::JavaScript,
    shell: fact(&["bash", "-c"], RUN),
    variables: &[
        ("QWEN_PROJECT_DIR", Variable::Cwd),
        ("CLAUDE_PROJECT_DIR", Variable::Cwd),
        ("GEMINI_PROJECT_DIR", Variable::Cwd),
        ("QWEN_CODE_SESSION_ID", Variable::Session),
    ],
    call: |deed| match deed {
        Deed::Shell(command) => ("run_shell_command", json!({"command": command, "is_background": false})),
        Deed::Write(path, text) => ("write_file", json!({"file_path": path, "content": text})),
        Deed::Edit(path, old, new) => {
            ("edit", json!({"file_path": path, "old_string": old, "new_string": new}))
        }
        Deed::Read(path) => ("read_file", json!({ "file_path": path })),
        Deed::Delegate(task) => {
            let input = json!({"description": "A task.", "prompt": task, "subagent_type": "general-purpose"});
            ("agent", input)
        }
    },
    fields: &[
        ("transcript_path", "/dev/null"),
        ("prompt_id", "1"),
        ("timestamp", "2026-11-23T12:00:00.000Z"),
    ],
    event_fields: &[],
    call_id: Some("call_1"),
    source: None,
    result: |text| ("tool_response", json!({"llmContent": text, "returnDisplay": text})),
    order: fact(Order::AtOnce, SOURCE),
    refusal: fact(Counts::Last, SOURCE),
    objection: fact(Counts::All, SOURCE),
    changed: fact(Counts::Last, ASSUMED),
    permits: fact(Permits::Strictest, SOURCE),
    once: fact(true, SOURCE),
    patience: fact(Patience::ForItsOutput, SOURCE),
    input_key: "updatedInput",
    stop_limit: fact(Some(8), RUN),
    text_limit: fact(None, ASSUMED),
    // [run], too; but the tests play only the hosts that they install.
    failing: &[
        row(Failing::Missing, Fate::Runs, SOURCE),
        row(Failing::Killed, Fate::Runs, SOURCE),
        row(Failing::Late, Fate::Runs, SOURCE),
    ],
};

/// [source] With folder trust on, a folder that is not trusted has no project hooks.
fn standing(folders: &Folders, has_hooks: bool, of_project: bool) -> Vec<Remark> {
    let home = folders.home.join(".qwen");
    let on = tree_of(&home.join("settings.json")).is_some_and(|root| {
        let enabled = root.at("security").and_then(|node| node.at("folderTrust")?.at("enabled")?.truth());
        enabled == Some(true)
    });
    if !has_hooks || !of_project || !on || super::gemini::is_trusted(&home, &folders.project) {
        return Vec::new();
    }
    let text = "this folder is not trusted: the project's hooks are not loaded";
    vec![remark(Weight::Pending, text, "Start `qwen` there once and trust the folder.")]
}
