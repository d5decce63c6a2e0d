//! GitHub Copilot CLI.

use std::time::Duration;

use payload::{Dialect, EventKind, Host};
use serde_json::{Value, json};

use crate::commands::READING;
use crate::failing::{Failing, Fate, row};
use crate::managed::{BySystem, Form, Managed};
use crate::matcher::{self, Engine, Flaw, Matcher};
use crate::place::{Base, Folders, Format, Scope, Shape, hooks, settings};
use crate::record::{
    BadEntry, Counts, Disable, Failures, Gate, LimitValue, Nesting, Order, Patience, Permission, Permits,
    Quirk, Record, Schema, Speech, Start, Syntax, Unit, Variable, Written, fact, mode,
};
use crate::standing::{Remark, Weight, remark, tree_of};
use crate::tools::{Deed, Use};
use crate::tree::Node;

const RUN: &str = "run: Copilot CLI 1.0.102";
const POWERSHELL: &str = "run: PowerShell ends with 0 where the program is missing";

/// Names of its tools, and those that it uses in `PascalCase` payloads (since 1.0.62).
pub(super) const TRANSLATED: &[(&str, &str)] = &[
    ("bash", "Bash"),
    ("powershell", "Bash"),
    ("view", "Read"),
    ("create", "Write"),
    ("edit", "Edit"),
    ("str_replace_editor", "Edit"),
    ("apply_patch", "Edit"),
    ("grep", "Grep"),
    ("rg", "Grep"),
    ("glob", "Glob"),
    ("web_fetch", "WebFetch"),
    ("web_search", "WebSearch"),
    ("ask_user", "AskUserQuestion"),
    ("update_todo", "TodoWrite"),
    ("task", "Agent"),
];

/// What its tools are for.
pub(super) const TOOLS: &[(Use, &[&str])] = &[
    (Use::Shell, &["bash", "powershell", "write_bash", "write_powershell", "Bash"]),
    (
        Use::Edit,
        &["create", "edit", "str_replace", "insert", "str_replace_editor", "apply_patch", "Write", "Edit"],
    ),
    (
        Use::Other,
        &[
            "view",
            "Read",
            "grep",
            "rg",
            "Grep",
            "glob",
            "Glob",
            "web_fetch",
            "WebFetch",
            "web_search",
            "WebSearch",
            "ask_user",
            "AskUserQuestion",
            "update_todo",
            "TodoWrite",
            "task",
            "Agent",
            "read_bash",
            "stop_bash",
            "list_bash",
            "sql",
            "skill",
            "report_intent",
            "store_memory",
            "create_pull_request",
            "exit_plan_mode",
        ],
    ),
];

/// What its hooks find in their environment.
pub(super) const VARIABLES: &[(&str, Variable)] = &[
    ("COPILOT_CLI", Variable::Text("1")),
    ("COPILOT_PROJECT_DIR", Variable::Project),
    ("CLAUDE_PROJECT_DIR", Variable::Project),
    ("COPILOT_CLI_BINARY_VERSION", Variable::Version),
    ("COPILOT_HOOK_DIR", Variable::HookFolder),
];

/// The form of its payloads. [run] 1.0.102 does not convert these in `PascalCase` configurations.
pub(super) const SPEECH: Speech =
    Speech::ByCasing(&[EventKind::PermissionRequest, EventKind::PreMcpToolCall, EventKind::SubagentStart]);

/// What it tells of a stop besides.
pub(super) const STOP_FIELDS: &[(EventKind, &str, &str)] = &[
    (EventKind::Stop, "transcript_path", "/dev/null"),
    (EventKind::Stop, "stop_reason", "end_turn"),
    (EventKind::SubagentStop, "transcript_path", "/dev/null"),
    (EventKind::SubagentStop, "stop_reason", "end_turn"),
];

/// Where an administrator puts hooks.
const MANAGED: Managed = Managed {
    form: Form::Folder,
    path: BySystem {
        linux: "/etc/github-copilot/policy.d",
        mac: "/etc/github-copilot/policy.d",
        windows: r"C:\ProgramData\GitHub\Copilot\policy.d",
    },
    pinned: None,
    loophole: None,
    source: "run: of Linux in a private /etc; docs: of the others",
};

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "copilot",
    title: "Copilot CLI",
    host: Host::Copilot,
    version: "1.0.102",
    program: Some("copilot"),
    traces: &[(Base::CopilotHome, "")],
    start: Start::Desktop,
    configs: None,
    after_init: None,
    quirks: &[
        Quirk::HandsInputOn,
        Quirk::EmptyCommandFails,
        // [run] `mock-do_thing` before the tool, `mock/do_thing` where permission is asked for.
        Quirk::AsksWithSlash,
        Quirk::EnvIsLiteral,
        Quirk::ReadsVersion,
        Quirk::EventShapeDropsFile,
        Quirk::ExitHidesReason,
        Quirk::BlockNeedsReason,
        Quirk::StopsSubAgents,
        Quirk::PromptsSubAgents,
        // [run] `s_sub_stop_block_twice`: 441 times in a minute.
        Quirk::SubAgentsHaveNoLimit,
        Quirk::BlockHidesContext,
        // [run] `d_mode_default_allow_write`.
        Quirk::AllowLiftsShellOnly,
        // [run] `d_prompt_ctx_ctx`, `d_prompt_block_then_odd`, `d_perm_deny_msgonly`.
        Quirk::JoinsByField,
        Quirk::StopReasonIsPrompt,
    ],
    written: Written::USUAL,
    places: &[
        MANAGED.place(),
        hooks(Scope::User, Base::CopilotHome, "hooks", RUN).shaped(Shape::Tree),
        settings(Scope::User, Base::CopilotHome, "settings.json", RUN),
        hooks(Scope::Project, Base::Project, ".github/hooks", RUN).shaped(Shape::Tree),
        settings(Scope::Project, Base::Project, ".claude/settings.json", RUN),
        settings(Scope::Project, Base::Project, ".claude/settings.local.json", RUN),
        settings(Scope::Project, Base::Project, ".github/copilot/settings.json", RUN),
        settings(Scope::Project, Base::Project, ".github/copilot/settings.local.json", RUN),
    ],
    managed: Some(MANAGED),
    store: None,
    strays: &[
        ("hooks.json", ".github/hooks/NAME.json"),
        (".github/hooks.json", ".github/hooks/NAME.json"),
        (".github/copilot/hooks.json", ".github/hooks/NAME.json"),
        (".copilot/hooks.json", ".github/hooks/NAME.json"),
    ],
    marks: &[
        (".github/hooks/", ""),
        (".copilot/hooks/", ""),
        (".github/copilot/", ""),
        (".copilot/settings", ""),
    ],
    schema: Some(Schema {
        name: "hooks",
        about: "`.github/hooks/*.json` of VS Code and Copilot",
        title: "Hooks of VS Code and GitHub Copilot (.github/hooks/*.json)",
    }),
    shares: &[(Format::Settings, &super::claude::HOST)],
    syntax: fact(Syntax::Strict, RUN),
    top_keys: None,
    disable: |scope, format| match (scope, format) {
        (Scope::Policy, _) => Disable::Ignored("its policy folder"),
        // [run] 1.0.102, in `.github/copilot/settings.local.json`: the user's hooks do not run either.
        (_, Format::Settings) => Disable::Everything,
        (_, Format::Hooks) => Disable::File,
    },
    bad_entry: fact(BadEntry::Skipped, RUN),
    nesting: fact(Nesting::Either, RUN),
    keys: &[
        "bash",
        "powershell",
        "linux",
        "osx",
        "windows",
        "exec",
        "args",
        "timeoutSec",
        "cwd",
        "env",
        "url",
        "headers",
        "allowedEnvVars",
        "prompt",
    ],
    kinds: &["command", "http", "prompt"],
    unserved: &[],
    unit: fact(Unit::Seconds, RUN),
    limit: fact(Duration::from_secs(30), RUN),
    limits: &[],
    limit_keys: fact(&["timeoutSec", "timeout"], RUN),
    limit_value: fact(LimitValue::AboveZero, RUN),
    standing,
    events: &[
        "SessionStart",
        "SessionEnd",
        "UserPromptSubmit",
        "PreToolUse",
        "PreMcpToolCall",
        "PostToolUse",
        "PostToolUseFailure",
        "PermissionRequest",
        "Stop",
        "SubagentStart",
        "SubagentStop",
        "PreCompact",
        "ErrorOccurred",
        "Notification",
        "sessionStart",
        "sessionEnd",
        "userPromptSubmitted",
        "userPromptTransformed",
        "preToolUse",
        "preMcpToolCall",
        "postToolUse",
        "postToolUseFailure",
        "permissionRequest",
        "agentStop",
        "subagentStart",
        "subagentStop",
        "preCompact",
        "errorOccurred",
        "notification",
    ],
    silent: &[],
    speech: SPEECH,
    both_casings: Some("Copilot CLI runs both"),
    failures: Failures::Tool,
    permission: Permission::Changes,
    reading: &[READING, &["uniq"]],
    modes: &[
        mode("default", Gate::Asks, Gate::Asks),
        mode("tools", Gate::Open, Gate::Open),
        mode("all", Gate::Open, Gate::Open),
    ],
    tools: TOOLS,
    other_names: &[],
    server_tools: ("", "-"),
    translated: TRANSLATED,
    matcher: read_matcher,
    engine: Engine::JavaScript,
    shell: fact(&["/bin/bash", "--norc", "--noprofile", "-c"], RUN),
    variables: VARIABLES,
    call,
    fields: &[],
    event_fields: STOP_FIELDS,
    call_id: None,
    source: Some("new"),
    result,
    order: fact(Order::UntilFirstNo, RUN),
    refusal: fact(Counts::First, RUN),
    objection: fact(Counts::Last, RUN),
    changed: fact(Counts::Last, RUN),
    permits: fact(Permits::Last, RUN),
    once: fact(false, RUN),
    patience: fact(Patience::ForItsOutput, RUN),
    input_key: "updatedInput",
    stop_limit: fact(Some(8), RUN),
    text_limit: fact(None, RUN),
    failing: &[
        row(Failing::Missing, Fate::Denied, RUN),
        row(Failing::MissingOnWindows, Fate::Runs, POWERSHELL),
        row(Failing::Killed, Fate::Denied, RUN),
        row(Failing::Late, Fate::Runs, RUN),
    ],
};

/// How it reads a matcher: [run] it does so wherever there is a tool, and calls the other hooks whatever stands there.
pub(super) fn read_matcher(text: &str, dialect: Dialect, kind: EventKind) -> (Matcher, Option<Flaw>) {
    if !kind.is_about_tool() {
        return (Matcher::All, Some(Flaw::Ignored));
    }
    // [run] "matcher cannot be empty - hook will be skipped".
    if text.is_empty() {
        return (Matcher::Never, Some(Flaw::Empty));
    }
    // [run] `Ba` does not match Bash: the whole name has to fit. Blanks around it count in camelCase only.
    let whole = |text: &str| (Matcher::whole(text, Engine::JavaScript), None);
    if dialect != Dialect::Timed {
        return whole(text);
    }
    match text.trim() {
        "*" | "**" => (Matcher::All, None),
        // [run] Names, and only names, are translated: `bash` matches Bash, `^bash$` does not.
        text if matcher::is_names(text) => {
            let claudes: Vec<&str> = text.split('|').map(|name| HOST.translate(name)).collect();
            whole(&claudes.join("|"))
        }
        text => whole(text),
    }
}

/// A call of its own tool.
pub(super) fn call(deed: Deed<'_>) -> (&'static str, Value) {
    match deed {
        Deed::Shell(command) => ("bash", json!({"command": command, "description": "Runs a command."})),
        Deed::Write(path, text) => ("create", json!({"path": path, "file_text": text})),
        Deed::Edit(path, old, new) => ("edit", json!({"path": path, "old_str": old, "new_str": new})),
        Deed::Read(path) => ("view", json!({ "path": path })),
        Deed::Delegate(task) => {
            let input = json!({"name": "task", "description": "A task.", "prompt": task, "agent_type": "general-purpose", "mode": "sync"});
            ("task", input)
        }
    }
}

/// The field of a tool's result.
pub(super) fn result(text: &Value) -> (&'static str, Value) {
    ("tool_result", json!({"result_type": "success", "text_result_for_llm": text}))
}

/// What keeps hooks from running, and who else runs them.
fn standing(folders: &Folders, has_hooks: bool, of_project: bool) -> Vec<Remark> {
    let engine = has_hooks.then(|| remark(Weight::Known, APPLICATIONS, ""));
    of_project.then(|| trust(folders)).into_iter().chain(engine).collect()
}

/// [run] SDK 1.0.14: the same files, the same answers, and its own mode without either.
const APPLICATIONS: &str = "applications on the Copilot SDK run these hooks too, unless they start it with `mode: \"empty\"` and \
                            without `enableFileHooks`; what a hook asks, they answer themselves";

/// Whether the hooks of the project run, which depends on the folder's trust.
///
/// [run] Copilot CLI 1.0.102: in a folder that is not trusted, `-p` loads no hook of the repository, silently.
fn trust(folders: &Folders) -> Remark {
    const MODE: &str = "GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS";
    let home = folders.copilot_home.clone().unwrap_or_else(|| folders.home.join(".copilot"));
    let config = tree_of(&home.join("config.json"));
    let listed = |key: &str| {
        let list =
            config.as_ref().and_then(|config| config.at(key)).and_then(Node::elements).unwrap_or_default();
        list.iter().filter_map(Node::text).any(|folder| folders.project.starts_with(folder))
    };
    let set = |name: &str| std::env::var(name).ok();
    // In front of the trust: where a folder is trusted, no one notices that `1` does nothing.
    if let Some(value) = set(MODE).filter(|value| value != "true") {
        let text = format!("{MODE} is `{value}`; only `true` does something");
        return remark(Weight::Pending, text, "Set it to `true`.");
    }
    if listed("trusted_folders") || listed("trustedFolders") {
        return remark(Weight::Known, "this folder is trusted", "");
    }
    if set("COPILOT_ALLOW_ALL").as_deref() == Some("true") || set(MODE).is_some() {
        return remark(Weight::Known, "hooks of the repository are on by the environment", "");
    }
    let text = format!(
        "this folder is not trusted: in prompt mode (-p) no hook of the repository runs, and it does not say so; \
         start it there once, or set {MODE}=true"
    );
    remark(Weight::Pending, text, "Start `copilot` there once and trust the folder.")
}
