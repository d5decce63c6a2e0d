//! The hooks of Copilot CLI's three places are called in the order in which the real host was recorded calling them.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::symlink;

use host::place::Folders;
use host::{Product, Request, System, load::load, select};
use payload::EventKind;
use serde_json::{Value, json};

/// Each hook was a recorder that wrote down the file that it stands in.
const RECORDED: &str = include_str!("order.json");

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn hooks_are_called_in_the_recorded_order() {
    let recorded: Value = serde_json::from_str(RECORDED).unwrap();
    assert_eq!(recorded["version"], Product::COPILOT_CLI.version, "record it with the new version");
    let machine = tempfile::tempdir().unwrap();
    let root = machine.path().canonicalize().unwrap();
    let called = texts(&recorded["called"]);
    for file in called.iter().copied().chain(texts(&recorded["not_called"])) {
        let hook = json!({"type": "command", "command": file});
        let config = if file.contains(".claude/") {
            json!({"hooks": {"PreToolUse": [{"hooks": [hook]}]}})
        } else {
            json!({"version": 1, "hooks": {"preToolUse": [hook]}})
        };
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, config.to_string()).unwrap();
    }
    for (link, target) in recorded["links"].as_object().unwrap() {
        symlink(target.as_str().unwrap(), root.join(link)).unwrap();
    }
    let folders =
        Folders { home: root.join("home"), project: root.join("project"), root, ..Folders::default() };
    let hooks = load(Product::COPILOT_CLI, &folders, System::Linux).hooks();
    let request = Request::shell(EventKind::PreToolUse, Product::COPILOT_CLI, "echo hi", "/p");
    let predicted: Vec<String> =
        select(Product::COPILOT_CLI, &hooks, &request).iter().map(|hook| hook.action.describe()).collect();
    assert_eq!(predicted, called);
}
