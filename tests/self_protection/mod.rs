//! What decides what agents may do is not an agent's to change: every place from which a host loads hooks or settings,
//! touched in every way.

mod carried;
mod everyday;
mod keys;
mod patch_files;
mod programs;
mod shadows;
mod ways;

use host::place::{Base, Shape};
use host::{Product, System};
use payload::{Hints, parse};
use rules::{CommandText, Decision, Facts, Language, decision_on_edits, judge, judge_files};

const HOME: &str = "/home/user";
const PROJECT: &str = "/home/user/project";

fn facts() -> Facts<'static> {
    Facts::on_paper(Some(PROJECT), Some(HOME))
}

/// Those whose paths a shell here can name.
const SYSTEMS: [System; 2] = [System::Linux, System::Mac];

/// A file of each place, and of those that are ours.
fn files() -> Vec<String> {
    let mut files: Vec<String> = Product::ALL
        .into_iter()
        .flat_map(|product| product.places)
        .flat_map(|place| SYSTEMS.map(|system| (place, place.path.on(system))))
        .map(|(place, path)| {
            let base = match place.base {
                Base::Root => String::new(),
                Base::Home => HOME.to_owned(),
                Base::ConfigHome => HOME.to_owned() + "/.config",
                Base::CopilotHome => format!("{HOME}/.copilot"),
                Base::CodexHome => format!("{HOME}/.codex"),
                Base::Project => PROJECT.to_owned(),
            };
            let file = match place.shape {
                Shape::File => "",
                Shape::Folder | Shape::FolderOfFiles => "/50-any.json",
                Shape::Tree => "/sub/50-any.json",
                Shape::Every("") => "/PreToolUse",
                Shape::Every(_) => "/50-any.js",
            };
            format!("{base}/{}{file}", path.trim_start_matches('/'))
        })
        .collect();
    let here = policy::layers::Places::here(Some(HOME));
    files.extend(here.system.map(|folder| format!("{}/10-any.toml", folder.display())));
    files.extend(here.user.map(|file| file.display().to_string()));
    files.push(format!("{HOME}/.local/state/policy-hooks/approvals/key"));
    files.push(store::trust::file(HOME.as_ref()).display().to_string());
    for name in [
        ".github/hooks/policy.toml",
        ".claude/hooks/policy.toml",
        ".codex/config.toml",
        ".mcp.json",
        ".vscode/settings.json",
        ".vscode/mcp.json",
        ".git/config",
        ".git/hooks/pre-commit",
        ".github/agents/a.agent.md",
        ".claude/agents/a.md",
    ] {
        files.push(format!("{PROJECT}/{name}"));
    }
    for name in [
        ".codex/config.toml",
        ".copilot/config.json",
        ".copilot/permissions-config.json",
        ".config/Code/User/settings.json",
        ".claude.json",
    ] {
        files.push(format!("{HOME}/{name}"));
    }
    files.sort();
    files.dedup();
    files
}

/// The decision about a command, and the rule of this family that leads to it.
fn decided(language: Language, command: &str) -> Option<Decision> {
    judge(&[CommandText { text: command, language }], &facts()).decision
}

/// The decision about a call of an edit tool.
fn edited(tool: &str, input: &serde_json::Value) -> Option<Decision> {
    let payload = serde_json::json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": PROJECT, "tool_name": tool, "tool_input": input,
    });
    let text = payload.to_string();
    let event = parse(text.as_bytes(), Hints::default()).unwrap();
    decision_on_edits(&judge_files(&event, &facts()), rules::Profile::Standard)
}

#[test]
fn every_place_is_protected_from_every_way_of_touching_it() {
    let mut wrong = Vec::new();
    for file in files() {
        let expected = if file.starts_with(PROJECT) { Decision::Ask } else { Decision::Deny };
        for (language, ways) in [
            (Language::Posix, ways::bash(&file)),
            (Language::PowerShell, ways::powershell(&file)),
            (Language::Cmd, ways::cmd(&file)),
        ] {
            assert!(ways.len() >= if language == Language::Cmd { 10 } else { 25 }, "{}", ways.len());
            for way in ways {
                let decision = decided(language, &way);
                if decision.is_none_or(|decision| decision < expected) {
                    wrong.push(format!("{decision:?}: {way}"));
                }
            }
        }
        let tools = ways::tools(&file, PROJECT);
        assert!(tools.len() >= 25, "{}", tools.len());
        for (tool, input) in tools {
            if edited(tool, &input) != Some(expected) {
                wrong.push(format!("{:?}: {tool} {input}", edited(tool, &input)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} ways are open:\n{}", wrong.len(), wrong.join("\n"));
}

/// Windows drops more of a name than another system.
#[test]
fn a_file_is_protected_by_each_name_that_windows_has_for_it() {
    let project = r"C:\Users\me\p";
    for name in [
        r".claude\settings.json::$DATA",
        r".claude.\settings.json ",
        r".CLAUDE\Settings.JSON. .",
        r".claude::$INDEX_ALLOCATION\settings.json",
        "C:/Users/me/p/.claude/settings.json::$data",
        r"\\?\C:\Users\me\p\.claude\settings.json",
        r"\\localhost\C$\Users\me\p\.claude\settings.json",
    ] {
        let is_whole = name.starts_with(['C', '\\']);
        let path = if is_whole { name.to_owned() } else { format!(r"{project}\{name}") };
        let payload = serde_json::json!({
            "hook_event_name": "PreToolUse", "session_id": "s", "cwd": project, "tool_name": "Write",
            "tool_input": {"file_path": path, "content": "{}"},
        });
        let text = payload.to_string();
        let event = parse(text.as_bytes(), Hints::default()).unwrap();
        let facts = Facts::on_paper(Some(project), Some(r"C:\Users\me"));
        let findings = judge_files(&event, &facts);
        assert!(decision_on_edits(&findings, rules::Profile::Standard).is_some(), "{path}");
    }
}

#[test]
fn reading_stays_free() {
    let mut wrong = Vec::new();
    // The key is read by no one: `keys.rs`.
    for file in files().into_iter().filter(|file| !file.ends_with("/key")) {
        for (language, ways) in [
            (Language::Posix, ways::reading_in_bash(&file)),
            (Language::PowerShell, ways::reading_in_powershell(&file)),
        ] {
            for way in ways {
                let judgement = judge(&[CommandText { text: &way, language }], &facts());
                let found = judgement.findings.iter().map(|finding| finding.rule.id);
                // Keys and credentials have rules of their own.
                if let Some(rule) = found.into_iter().find(|rule| rule.starts_with("guard.")) {
                    wrong.push(format!("{rule}: {way}"));
                }
            }
        }
        for (tool, input) in ways::reading_tools(&file) {
            if let Some(decision) = edited(tool, &input) {
                wrong.push(format!("{decision:?}: {tool} {input}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} are not:\n{}", wrong.len(), wrong.join("\n"));
}
