//! A host that goes on while the hooks after a tool run: VS Code reports edits only then, and formats when the agent stops.

use std::thread;
use std::time::Duration;

use payload::model::Effect;
use serde_json::{Value, json};
use support::call::Answer;
use support::hosts::Target;

use super::scene::{Scene, noticed};

/// A payload as VS Code 1.139.1 was recorded to write it.
fn payload(scene: &Scene, event: &str, more: &Value) -> Value {
    let mut payload = json!({
        "timestamp": "2026-11-23T10:30:00.000Z",
        "hook_event_name": event,
        "session_id": "b1f0c7de-8f0e-4a4b-9c53-0d6a1f1d2f11",
        "transcript_path": scene.home().join("transcript.jsonl"),
    });
    let members = payload.as_object_mut().unwrap();
    members.extend(more.as_object().unwrap().clone());
    members.insert("cwd".to_owned(), scene.project().to_str().into());
    payload
}

fn created(scene: &Scene, path: &str) -> Value {
    let input = json!({"filePath": path, "content": "a  b\n"});
    payload(
        scene,
        "PostToolUse",
        &json!({"tool_name": "create_file", "tool_input": input, "tool_response": "", "tool_use_id": "call_1__vscode-1795402603969"}),
    )
}

/// The session's log tells that the file was created when the agent stopped.
fn log(scene: &Scene, path: &str) {
    let start = json!({
        "type": "tool.execution_start",
        "data": {"toolCallId": "call_1", "toolName": "create_file", "arguments": {"filePath": path, "content": "a  b\n"}},
        "timestamp": "2026-11-23T10:30:00.000Z",
    });
    std::fs::write(scene.home().join("transcript.jsonl"), format!("{start}\n")).unwrap();
}

fn hook(scene: &Scene, payload: &Value) -> Answer {
    let answer = scene.program().args(["--deadline-ms", "900000"]).input(payload.to_string()).run();
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    answer
}

#[test]
fn an_edit_in_vs_code_is_formatted_at_the_stop_and_reported_with_the_next_prompt() {
    let scene = Scene::new();
    let path = scene.write("a.ts", "a  b\n");
    assert_eq!(hook(&scene, &created(&scene, &path.to_string_lossy())).stdout, "{}");
    assert_eq!(scene.read("a.ts"), "a  b\n", "an edit of the agent's may be on its way");
    let answer = hook(&scene, &payload(&scene, "Stop", &json!({"stop_hook_active": false})));
    assert_eq!(Target::VsCode.reads("Stop", &answer).effect, Effect::None, "{answer:?}");
    assert!(noticed(&answer).contains("prettier rewrote a.ts"), "{answer:?}");
    assert_eq!(scene.read("a.ts"), "a b\n");
    let answer = hook(&scene, &payload(&scene, "UserPromptSubmit", &json!({"prompt": "go on"})));
    let context = Target::VsCode.reads("UserPromptSubmit", &answer).context.unwrap_or_default();
    assert!(context.contains("rewrote a.ts"), "{answer:?}");
}

#[test]
fn a_file_that_is_still_to_come_at_the_stop_is_waited_for() {
    let scene = Scene::new();
    // The folder is new as well.
    let path = scene.project().join("src/new.ts");
    hook(&scene, &created(&scene, &path.to_string_lossy()));
    log(&scene, &path.to_string_lossy());
    let stop = payload(&scene, "Stop", &json!({"stop_hook_active": false}));
    thread::scope(|scope| {
        let call = scope.spawn(|| hook(&scene, &stop));
        // Whether the hook has begun to wait by now or not, it has to end the same way.
        thread::sleep(Duration::from_millis(200));
        scene.write("src/new.ts", "a  b\n");
        call.join().unwrap()
    });
    assert_eq!(scene.read("src/new.ts"), "a b\n");
}

#[test]
fn a_file_that_never_comes_ends_the_call() {
    let scene = Scene::new();
    let path = scene.project().join("never.ts");
    hook(&scene, &created(&scene, &path.to_string_lossy()));
    log(&scene, &path.to_string_lossy());
    assert_eq!(hook(&scene, &payload(&scene, "Stop", &json!({"stop_hook_active": false}))).stdout, "{}");
}
