//! VS Code with Copilot Chat, the local harness.

use std::time::Duration;

use payload::{Dialect, EventKind, Host};
use serde_json::json;

use crate::failing::{Failing, Fate, row};
use crate::managed::Store;
use crate::matcher::{Engine, Flaw, Matcher};
use crate::place::{Base, Folders, Format, Place, Scope, Shape, When, hooks, settings};
use crate::record::{
    ASSUMED, BadEntry, Counts, Disable, Failures, LimitValue, Nesting, Order, Patience, Permission, Permits,
    Quirk, Record, Speech, Start, Syntax, Unit, Written, fact,
};
use crate::standing::{Remark, Weight, remark, tree_of};
use crate::tools::Deed;
use crate::tree;

/// Copilot Chat, and the editor around it; run since, and found the same.
const SOURCE: &str = "source: vscode-copilot-chat 31acd00a8 (0.42.0), vscode 01272b92";
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
    version: "1.139.1, Copilot Chat 0.67.0",
    program: Some("code"),
    traces: &[
        (Base::Home, ".config/Code"),
        (Base::Home, "Library/Application Support/Code"),
        (Base::Home, "AppData/Roaming/Code"),
    ],
    // [docs] It asks the user's login shell for the `PATH`.
    start: Start::LoginShell,
    configs: None,
    // [source] 1.139.1: `isWorkspaceTrusted` comes before every file of hooks.
    after_init: Some(
        "VS Code: in a workspace that is not trusted no hook runs, the user's included. Trust it when VS Code asks.",
    ),
    quirks: &[
        Quirk::BlockKeepsResult,
        Quirk::ExpandsTilde,
        Quirk::SkipsOtherSystems,
        Quirk::LaterCasingCounts,
        Quirk::IgnoresMatchers,
        Quirk::OnDesktop,
        Quirk::StopDecidesNested,
        // [source] `executePreToolUseHook`, `executePostToolUseHook`; a stop's reasons are a `Set`.
        Quirk::ShowsFirstQuestion,
        Quirk::ShowsReasonOnce,
        // [run] "The user chose to skip the tool call", and the model is asked again after `continue: false`.
        Quirk::AsksPersonAlone,
        Quirk::SkippedHasResult,
        Quirk::AbortRefusesCall,
        // [source] Each key of an entry is looked at by its type, and `updatedInput` by its truth.
        Quirk::IgnoresOtherTypes,
        Quirk::ChangesByTruth,
        // [run] A hook with a limit of 10^12 seconds is ended before its first line, and the call runs.
        Quirk::TimersOverflow,
    ],
    written: Written::USUAL,
    places: &[
        listed(Scope::User, Base::Home, ".copilot/hooks"),
        of_claude(Scope::User, Base::Home, ".claude/settings.json"),
        listed(Scope::Project, Base::Project, ".github/hooks"),
        of_claude(Scope::Project, Base::Project, ".claude/settings.local.json"),
        of_claude(Scope::Project, Base::Project, ".claude/settings.json"),
    ],
    managed: None,
    store: Some(Store {
        mac: "com.microsoft.VSCode",
        windows: r"SOFTWARE\Policies\Microsoft\VSCode",
        value: None,
        source: "docs: VS Code, enterprise policies",
    }),
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
    limit_value: fact(LimitValue::NumberOrAbsent, READ),
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
            let input = json!({"command": command, "explanation": "Runs a command.", "goal": "Run it.", "mode": "sync"});
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
    event_fields: &[(EventKind::SessionStart, "model", "gpt-5")],
    call_id: Some("call_1__vscode-1795402603969"),
    source: Some("new"),
    result: |text| ("tool_response", text.clone()),
    order: fact(Order::EachInTurn, RUN),
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
        row(Failing::Missing, Fate::Runs, RUN),
        row(Failing::MissingOnWindows, Fate::Runs, POWERSHELL),
        row(Failing::Killed, Fate::Runs, RUN),
        row(Failing::Late, Fate::Runs, RUN),
    ],
};

/// A file of Claude Code's, which is read when `chat.useClaudeHooks` is on.
const fn of_claude(scope: Scope, base: Base, path: &'static str) -> Place {
    Place { when: When::ListedWithClaudeHooks, ..settings(scope, base, path, RUN) }
}

/// A folder of files of its own.
const fn listed(scope: Scope, base: Base, path: &'static str) -> Place {
    Place { when: When::Listed, ..hooks(scope, base, path, RUN) }.shaped(Shape::Folder)
}

/// A setting that keeps files of hooks from running.
struct Switch {
    setting: &'static str,
    /// An organisation's policy for it.
    policy: &'static str,
    /// With this value.
    value: bool,
    /// What then happens.
    then: &'static str,
}

/// What still runs where only an organisation's plugins may bring hooks.
const PLUGINS_ONLY: &str = "VS Code's own harness runs no hook of a file, the user's included, only those of plugins that \
                            the policy `ChatEnabledPlugins` enables; its agent host (Copilot SDK) goes by Copilot's own managed settings";

/// [source] 1.139.1: `computeHooks`, `areStandalonePromptFilesBlocked`, and the policies of the settings.
const SWITCHES: [Switch; 3] = [
    Switch { setting: "chat.useHooks", policy: "ChatHooks", value: false, then: "no hook runs" },
    Switch {
        setting: "chat.hooks.allowManagedOnly",
        policy: "ChatAllowManagedHooksOnly",
        value: true,
        then: PLUGINS_ONLY,
    },
    Switch {
        setting: "chat.customizations.strictPluginOnlyCustomization",
        policy: "ChatStrictPluginOnlyCustomization",
        value: true,
        then: PLUGINS_ONLY,
    },
];

/// Where Linux has an organisation's policies. What GitHub hands out is not on the machine.
const POLICY: &str = "etc/vscode/policy.json";

/// What switches it off; an untrusted workspace has no hooks at all, the user's included, and nothing tells of that.
fn standing(folders: &Folders, has_hooks: bool, _of_project: bool) -> Vec<Remark> {
    let mut remarks = Vec::new();
    // Without hooks there is nothing that a switch keeps from running.
    let weight = if has_hooks { Weight::Off } else { Weight::Known };
    let policy = folders.root.join(POLICY);
    let stored = folders.stored(HOST.name);
    let policies = stored.and_then(|stored| Some((stored.at.clone(), tree::parse(&stored.text).ok()?.root)));
    let policies = policies.or_else(|| Some((policy.clone(), tree_of(&policy)?)));
    let settings = folders.vs_code_settings();
    let settings = settings.into_iter().filter_map(|path| tree_of(&path).map(|root| (path, root)));
    let all = policies.into_iter().map(|policies| (true, policies));
    for (is_policy, (path, root)) in all.chain(settings.map(|settings| (false, settings))) {
        let path = &path;
        let truth = |key: &str| Some((root.get(key)?.key_span.clone(), root.at(key)?.truth()?));
        for switch in &SWITCHES {
            let (key, help) = if is_policy {
                (switch.policy, "It is your organisation's: ask them.")
            } else {
                (switch.setting, "Remove it from VS Code's settings.")
            };
            if let Some((span, value)) = truth(key)
                && value == switch.value
            {
                let state = if value { "on" } else { "off" };
                let text = format!("`{key}` is {state}: {}", switch.then);
                remarks.push(remark(weight, text, help).at(path, span));
            }
        }
        if let Some((span, true)) = truth("chat.useClaudeHooks") {
            let text = "`chat.useClaudeHooks` is on: Claude's files are read, too";
            remarks.push(remark(Weight::Known, text, "").at(path, span));
        }
    }
    remarks
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_an_organisation_switches_off_is_off() {
        let machine = tempfile::tempdir().unwrap();
        let root = machine.path().to_owned();
        let folders =
            Folders { home: root.join("home"), project: root.join("p"), root, ..Folders::default() };
        let said = |place: &str, text: &str| {
            let path = machine.path().join(place);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            let remarks = standing(&folders, true, true);
            std::fs::remove_file(path).unwrap();
            remarks.into_iter().map(|remark| (remark.weight, remark.text)).collect::<Vec<_>>()
        };
        let user = "home/.config/Code/User/settings.json";
        for (place, text, told) in [
            (POLICY, r#"{"ChatHooks": false}"#, "`ChatHooks` is off: no hook runs"),
            (POLICY, r#"{"ChatAllowManagedHooksOnly": true}"#, "ChatEnabledPlugins"),
            (POLICY, r#"{"ChatStrictPluginOnlyCustomization": true}"#, "Copilot SDK"),
            (
                user,
                r#"{"chat.hooks.allowManagedOnly": true}"#,
                "`chat.hooks.allowManagedOnly` is on: VS Code's own",
            ),
            (
                "p/.vscode/settings.json",
                r#"{"chat.useHooks": false}"#,
                "`chat.useHooks` is off: no hook runs",
            ),
        ] {
            let said = said(place, text);
            assert_eq!(said.len(), 1, "{text}");
            assert!(said[0].0 == Weight::Off && said[0].1.contains(told), "{text}: {said:?}");
        }
        assert_eq!(said(POLICY, r#"{"ChatHooks": true, "ChatAllowManagedHooksOnly": false}"#), []);
        assert_eq!(said(user, r#"{"ChatHooks": false}"#), [], "a policy is not a setting");
    }
}
