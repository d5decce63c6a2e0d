//! Every edit that a host was seen to make ends formatted, and the host tells its model.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use payload::{EventKind, Hints};
use serde_json::{Value, json};
use support::call::Call;
use support::hosts::Target;
use support::payloads;

use super::scene::Scene;

/// The recorded payload, as if it were about files of this scene that prettier knows.
fn moved(scene: &Scene, text: &str) -> String {
    text.replace(".txt", ".ts").replace("/home/user/project", scene.project().to_str().unwrap())
}

/// The host's call with this payload.
fn call(scene: &Scene, target: Target, event: &str, payload: &str) -> Call {
    let call = scene.program().args(["--deadline-ms", "900000"]).input(payload);
    // Copilot's camelCase payloads do not name their event.
    if target == Target::CopilotCamel { call.args(["--event", event]) } else { call }
}

#[test]
fn every_recorded_edit_of_every_host_is_formatted_and_reported() {
    let mut seen = [0; Target::ALL.len()];
    for recorded in payloads::all() {
        let file = recorded.path.file_name().unwrap().to_string_lossy().to_lowercase();
        if !(file.starts_with("posttooluse-") || file.starts_with("aftertool-")) {
            continue;
        }
        let scene = Scene::new();
        let text = moved(&scene, &recorded.text);
        let event = recorded.event();
        let event = if event == "preToolUse" { "postToolUse".to_owned() } else { event };
        let hints = Hints { event: Some(EventKind::PostToolUse), ..Hints::default() };
        let parsed = payload::parse(text.as_bytes(), hints).unwrap();
        let files: Vec<String> = parsed.edited_files().into_iter().map(Cow::into_owned).collect();
        let inside = |file: &String| Path::new(file).extension().is_some_and(|extension| extension == "ts");
        for file in files.iter().filter(|file| inside(file)) {
            scene.write(file, "a  b\n");
        }
        let before = scene.tree();
        let answer = call(&scene, recorded.target, &event, &text).run();
        let name = recorded.name();
        if recorded.target == Target::VsCode {
            // It formats when the agent stops.
            assert!(
                (answer.stdout.as_str(), answer.exit) == ("{}", Some(0)) && before == scene.tree(),
                "{name}"
            );
            seen[recorded.target as usize] += 1;
            continue;
        }
        assert_eq!(answer.exit, Some(0), "{name}: {answer:?}");
        if !files.iter().any(inside) {
            assert_eq!(answer.stdout, "{}", "{name}");
            assert!(before == scene.tree(), "{name}");
            continue;
        }
        let outcome = recorded.target.reads(&event, &answer);
        let context = outcome.context.unwrap_or_default();
        for file in files.iter().filter(|file| inside(file)) {
            assert_eq!(scene.read(file), "a b\n", "{name}: {answer:?}");
            assert!(context.contains("rewrote") && context.contains("Read it again"), "{name}: {answer:?}");
        }
        assert_eq!(outcome.effect, payload::model::Effect::None, "{name}: {answer:?}");
        seen[recorded.target as usize] += 1;
    }
    assert!(seen.iter().all(|count| *count > 0), "a host without a recorded edit: {seen:?}");
}

#[test]
fn every_tool_that_edits_is_known() {
    let scene = Scene::new();
    let patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch";
    for (tool, input) in [
        ("Write", json!({"file_path": "a.ts", "content": "x"})),
        ("Edit", json!({"file_path": "a.ts", "old_string": "x", "new_string": "y"})),
        ("MultiEdit", json!({"file_path": "a.ts", "edits": []})),
        ("create", json!({"path": "a.ts", "file_text": "x"})),
        ("edit", json!({"path": "a.ts", "old_str": "x", "new_str": "y"})),
        ("str_replace", json!({"path": "a.ts", "old_str": "x", "new_str": "y"})),
        ("str_replace_editor", json!({"command": "str_replace", "path": "a.ts"})),
        ("create_file", json!({"filePath": "a.ts", "content": "x"})),
        ("replace_string_in_file", json!({"filePath": "a.ts", "oldString": "x"})),
        ("multi_replace_string_in_file", json!({"replacements": [{"filePath": "a.ts"}]})),
        ("insert_edit_into_file", json!({"filePath": "a.ts", "code": "x"})),
        ("editFiles", json!({"files": ["a.ts"]})),
        ("write_file", json!({"file_path": "a.ts", "content": "x"})),
        ("replace", json!({"file_path": "a.ts", "old_string": "x"})),
        ("apply_patch", json!({"input": patch})),
        ("apply_patch", json!({"command": patch})),
        ("apply_patch", json!(patch)),
        ("mcp__fs__write_file", json!({"path": "a.ts"})),
    ] {
        scene.write("a.ts", "a  b\n");
        let mut payload = scene.claude("");
        payload["tool_name"] = tool.into();
        payload["tool_input"] = input;
        let answer = scene.call(&payload).run();
        assert_eq!(scene.read("a.ts"), "a b\n", "{tool}: {answer:?}");
    }
    let mut payload = scene.claude("");
    payload["tool_name"] = "NotebookEdit".into();
    payload["tool_input"] = json!({"notebook_path": "n.ipynb", "new_source": "x"});
    scene.write("ruff.toml", "");
    scene.formatter("ruff", "sed 's/  */ /g'");
    scene.write("n.ipynb", "{\"cells\":  []}\n");
    scene.call(&payload).run();
    assert_eq!(scene.read("n.ipynb"), "{\"cells\": []}\n");
}

#[test]
fn several_files_of_one_call_are_formatted_and_reported_together() {
    let scene = Scene::new();
    let names: Vec<String> = (0..5).map(|number| format!("f{number}.ts")).collect();
    for name in &names {
        scene.write(name, "a  b\n");
    }
    let mut payload = scene.claude("");
    payload["tool_name"] = "editFiles".into();
    payload["tool_input"] = json!({"files": names});
    let answer = scene.call(&payload).run();
    let said: Value = serde_json::from_str(&answer.stdout).unwrap();
    let context = said["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(names.iter().all(|name| context.contains(name.as_str())), "{context}");
    assert!(fs::read_dir(scene.project()).unwrap().count() >= 5);
}
