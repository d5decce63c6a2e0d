//! Examples of settings and policies are read by the programs that they are for.

use std::fs;

use support::call::Call;
use support::programs;

use super::{blocks, documents, read};

/// A call of a program that says what it finds in its settings, in a home with this file.
fn said(document: &str, text: &str) -> Option<String> {
    const PAYLOAD: &str = r#"{"session_id":"1","hook_event_name":"PreToolUse","cwd":"/","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    let home = tempfile::tempdir().unwrap();
    let (file, program, words) = match document {
        "hooks/audit-logger/README.md" | "docs/fleet.md" => ("audit.toml", programs::audit_logger(), vec![]),
        "hooks/context-injector/README.md" => ("context.toml", programs::context_injector(), vec!["preview"]),
        "hooks/formatter-trigger/README.md" => {
            ("format.toml", programs::formatter_trigger(), vec!["which", "x.rs"])
        }
        "hooks/stop-guard/README.md" => ("stop.toml", programs::stop_guard(), vec!["status"]),
        _ if text.contains("schema = 1") => {
            ("policy.toml", programs::approval_gate(), vec!["policy", "check"])
        }
        _ => return None,
    };
    let settings = home.path().join(".config/policy-hooks").join(file);
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    fs::write(&settings, text).unwrap();
    let mut call = Call::new(program).args(words.iter().copied());
    if file == "policy.toml" {
        call = call.args([settings.as_os_str()]);
    }
    let answer = call.env("HOME", home.path()).folder(home.path()).input(PAYLOAD).run();
    Some(answer.stderr + &answer.stdout)
}

#[test]
fn settings_and_policies_are_read_without_complaint() {
    let mut seen = 0;
    for document in documents() {
        for block in blocks(&read(&document), "toml") {
            let told = said(&document, block).unwrap_or_else(|| panic!("{document}: no one reads {block}"));
            for complaint in ["TOML parse error", "unknown", "error", "does not count", "not here"] {
                assert!(!told.contains(complaint), "{document}: {told}");
            }
            let told = said(&document, &format!("no_such_key = 1\n{block}")).unwrap();
            assert!(told.contains("no_such_key"), "{document}: a mistake goes unseen: {told}");
            seen += 1;
        }
    }
    assert!(seen >= 5, "{seen}");
}

#[test]
fn json_is_json() {
    for document in documents() {
        for block in blocks(&read(&document), "json") {
            if let Err(error) = serde_json::from_str::<serde_json::Value>(block) {
                panic!("{document}: {error}: {block}");
            }
        }
    }
}
