//! Google Gemini CLI.

use std::path::Path;
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
use crate::tree::Member;

const RUN: &str = "run: Gemini CLI 0.61.0";
const SOURCE: &str = "source: google-gemini/gemini-cli 5411f113";

/// Where an administrator puts hooks.
const MANAGED: Managed = Managed {
    form: Form::Settings,
    path: BySystem {
        linux: "/etc/gemini-cli/settings.json",
        mac: "/Library/Application Support/GeminiCli/settings.json",
        windows: r"C:\ProgramData\gemini-cli\settings.json",
    },
    // run: Gemini CLI 0.61.0: the user's `enabled` counts where the system has none; `disabled` of all are joined.
    pinned: Some(r#""hooksConfig": {"enabled": true}"#),
    loophole: Some("`hooksConfig.disabled` with its command"),
    source: "run: of Linux in a private /etc; docs: of the others",
};

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "gemini",
    title: "Gemini CLI",
    host: Host::Gemini,
    version: "0.61.0",
    program: Some("gemini"),
    traces: &[(Base::Home, ".gemini")],
    start: Start::Desktop,
    configs: Some("gemini-cli"),
    after_init: None,
    quirks: &[
        // [run] In a headless run.
        Quirk::UnansweredEndsRun,
        Quirk::ToolsNeedPerson,
        // [run] "Please fix the configuration file(s) and try again."
        Quirk::RefusesToStart,
        Quirk::DecidesAtTop,
        Quirk::NoContextBeforeTool,
        // [run] `multi.post_block_ctx`.
        Quirk::BlockHidesContext,
        Quirk::StopReasonIsPrompt,
        Quirk::TimersOverflow,
        Quirk::ChangesByObject,
        // [run] `changed` cases: `{"command": ""}`, and an `ask` beside `{"command": 7}`.
        Quirk::ChecksChanges,
        Quirk::EmptyCommandFails,
        Quirk::NullMatcherIsNone,
        // [source] `validateHookConfig` looks at the type and whether there is a command.
        Quirk::TakesAnyValue,
        // [source] The reasons of all answers are joined.
        Quirk::ShowsEveryReason,
    ],
    written: Written::USUAL,
    places: &[
        MANAGED.place(),
        settings(Scope::User, Base::Home, ".gemini/settings.json", RUN),
        settings(Scope::Project, Base::Project, ".gemini/settings.json", RUN).where_started(),
    ],
    managed: Some(MANAGED),
    store: None,
    strays: &[(".gemini/hooks.json", ".gemini/settings.json")],
    marks: &[(".gemini/", ""), ("/gemini", "")],
    schema: Some(Schema {
        name: "gemini",
        about: "The hooks in `.gemini/settings.json`",
        title: "Hooks in Gemini CLI's settings.json",
    }),
    shares: &[],
    syntax: fact(Syntax::CommentsOnly, RUN),
    top_keys: None,
    disable: |_, _| Disable::Unknown,
    bad_entry: fact(BadEntry::Skipped, ASSUMED),
    nesting: fact(Nesting::Groups, SOURCE),
    keys: &["env", "name", "sequential"],
    kinds: &["command"],
    unserved: &[],
    unit: fact(Unit::Milliseconds, RUN),
    limit: fact(Duration::from_mins(1), SOURCE),
    limits: &[],
    limit_keys: fact(&["timeout"], RUN),
    limit_value: fact(LimitValue::Number, RUN),
    standing,
    events: &[
        "BeforeTool",
        "AfterTool",
        "BeforeAgent",
        "AfterAgent",
        "BeforeModel",
        "AfterModel",
        "BeforeToolSelection",
        "SessionStart",
        "SessionEnd",
        "PreCompress",
        "Notification",
    ],
    silent: &[],
    speech: Speech::One(Dialect::Timed),
    both_casings: None,
    failures: Failures::None,
    permission: Permission::Never,
    reading: &[],
    modes: &[
        mode("default", Gate::Asks, Gate::Asks),
        mode("auto_edit", Gate::Asks, Gate::Open),
        mode("plan", Gate::AsksAnyway, Gate::AsksAnyway),
        mode("yolo", Gate::Open, Gate::Open),
    ],
    tools: &[
        (Use::Shell, &["run_shell_command"]),
        (Use::Edit, &["write_file", "replace"]),
        (
            Use::Other,
            &[
                "read_file",
                "read_many_files",
                "grep_search",
                "search_file_content",
                "glob",
                "list_directory",
                "web_fetch",
                "google_web_search",
                "save_memory",
            ],
        ),
    ],
    other_names: &[],
    server_tools: ("mcp_", "_"),
    translated: &[],
    matcher: |text, _, kind| match text.trim() {
        _ if matcher::is_ignored(kind) => (Matcher::All, Some(Flaw::Ignored)),
        "" | "*" => (Matcher::All, None),
        // [source] Patterns are for tools; other events compare the whole word.
        word if !kind.is_about_tool() => (Matcher::Names(vec![word.to_owned()]), None),
        text => (Matcher::part(text, Engine::OlderJavaScript), None),
    },
    engine: Engine::OlderJavaScript,
    shell: fact(&["bash", "-c"], RUN),
    variables: &[
        ("GEMINI_PROJECT_DIR", Variable::Project),
        ("CLAUDE_PROJECT_DIR", Variable::Project),
        ("GEMINI_SESSION_ID", Variable::Session),
        ("GEMINI_CWD", Variable::Cwd),
    ],
    call: |deed| match deed {
        Deed::Shell(command) => {
            ("run_shell_command", json!({"command": command, "description": "Runs a command."}))
        }
        Deed::Write(path, text) => ("write_file", json!({"file_path": path, "content": text})),
        Deed::Edit(path, old, new) => {
            let input =
                json!({"file_path": path, "old_string": old, "new_string": new, "instruction": "Edit."});
            ("replace", input)
        }
        Deed::Read(path) => ("read_file", json!({ "file_path": path })),
        Deed::Delegate(task) => ("invoke_agent", json!({"agent_name": "generalist", "prompt": task})),
    },
    fields: &[("transcript_path", "/dev/null")],
    event_fields: &[],
    call_id: None,
    source: None,
    result: |text| ("tool_response", json!({"llmContent": text, "returnDisplay": text})),
    order: fact(Order::AtOnce, SOURCE),
    refusal: fact(Counts::All, RUN),
    objection: fact(Counts::All, RUN),
    changed: fact(Counts::Last, SOURCE),
    permits: fact(Permits::Strictest, ASSUMED),
    once: fact(true, SOURCE),
    patience: fact(Patience::ForItsOutput, RUN),
    input_key: "tool_input",
    stop_limit: fact(None, RUN),
    text_limit: fact(None, ASSUMED),
    failing: &[
        row(Failing::Missing, Fate::Denied, RUN),
        row(Failing::Killed, Fate::Runs, RUN),
        row(Failing::Late, Fate::Runs, RUN),
    ],
};

/// [source] gemini-cli 5411f113: with folder trust on, a folder that is not trusted has no project settings.
fn standing(folders: &Folders, has_hooks: bool, of_project: bool) -> Vec<Remark> {
    if !has_hooks {
        return Vec::new();
    }
    let home = folders.home.join(".gemini");
    let mut remarks = Vec::new();
    let mut trust_on = false;
    let system = tree_of(&folders.path(&MANAGED.place()));
    let pinned = system.and_then(|root| root.at("hooksConfig")?.at("enabled")?.truth()) == Some(true);
    for path in [home.join("settings.json"), folders.project.join(".gemini/settings.json")] {
        let Some(root) = tree_of(&path) else { continue };
        let at = |first: &str, second: &str| {
            let member = root.at(first)?.get(second)?;
            Some((member.key_span.clone(), member.node.truth()?))
        };
        for (first, second) in [("hooksConfig", "enabled"), ("tools", "enableHooks")] {
            if let Some((span, false)) = at(first, second).filter(|_| !pinned) {
                let text = format!("hooks are off: `{first}.{second}` is false");
                remarks.push(remark(Weight::Off, text, "Remove it, or set it to true.").at(&path, span));
            }
        }
        let disabled = root.at("hooksConfig").and_then(|node| node.at("disabled")?.elements());
        for entry in disabled.unwrap_or_default() {
            let Some(command) = entry.text() else { continue };
            let text = format!("a hook is off: `hooksConfig.disabled` has `{command}`");
            let off = remark(Weight::Off, text, "Remove it there.").only(command);
            remarks.push(off.at(&path, entry.span.clone()));
        }
        if root.at("security").and_then(|node| node.at("folderTrust")?.at("enabled")?.truth()) == Some(true) {
            trust_on = true;
        }
    }
    if trust_on && of_project && !is_trusted(&home, &folders.project) {
        let text = "this folder is not trusted: the project's settings and hooks are not loaded";
        remarks.push(remark(Weight::Pending, text, "Start `gemini` there once and trust the folder."));
    }
    remarks
}

/// Whether a person trusts a project, by the host's folder in the home.
pub(super) fn is_trusted(home: &Path, project: &Path) -> bool {
    tree_of(&home.join("trustedFolders.json")).is_some_and(|root| {
        let trusts =
            |member: &Member| project.starts_with(&member.key) && member.node.text() != Some("DO_NOT_TRUST");
        root.members().iter().any(trusts)
    })
}
