//! What the host's own log of a session tells of its calls.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use support::hosts::Target;

use super::scene::{Scene, Session};

/// A log as VS Code 1.139.1 writes it: a call that runs, and whether it has ended.
fn log(scene: &Scene, payload: &Value, tool: &str, input: &Value, ended: bool) -> PathBuf {
    let start = json!({
        "type": "tool.execution_start",
        "data": {"toolCallId": "call_1", "toolName": tool, "arguments": input},
        "timestamp": payload["timestamp"],
    });
    let end = json!({"type": "tool.execution_complete", "data": {"toolCallId": "call_1", "success": true}});
    let lines = if ended { format!("{start}\n{end}\n") } else { format!("{start}\n") };
    let path = scene.home().join("transcript.jsonl");
    fs::write(&path, lines).unwrap();
    path
}

#[test]
fn a_file_that_a_call_has_announced_is_waited_for() {
    let scene = Scene::new();
    scene.settings("[[stop.check]]\nid = \"it\"\nbuiltin = \"no_todo\"\n");
    let session = Session::of(Target::VsCode);
    session.prompt(&scene, "write it");
    let mut payload = session.stop_payload(&scene, false);
    let input = json!({"filePath": scene.project().join("new"), "content": "// TODO: the rest\n"});
    payload["transcript_path"] = log(&scene, &payload, "create_file", &input, true).to_str().into();
    let answer = thread::scope(|scope| {
        let call = scope.spawn(|| scene.call(payload.to_string()).run());
        // Whether the guard has begun to wait by now or not, it has to end the same way.
        thread::sleep(Duration::from_millis(200));
        scene.write("new", "// TODO: the rest\n");
        call.join().unwrap()
    });
    assert!(session.is_held(&answer), "{answer:?}");
}

#[test]
fn a_file_that_never_comes_delays_the_agent_only_briefly() {
    let scene = Scene::new();
    let session = Session::of(Target::VsCode);
    session.prompt(&scene, "write it");
    let mut payload = session.stop_payload(&scene, false);
    let input = json!({"filePath": scene.project().join("never"), "content": ""});
    payload["transcript_path"] = log(&scene, &payload, "create_file", &input, true).to_str().into();
    assert!(!session.is_held(&scene.call(payload.to_string()).run()));
}

#[test]
fn a_sub_agents_prompt_begins_no_turn() {
    for (running, holds) in [(true, false), (false, true)] {
        let scene = Scene::new();
        scene.check("", "exit 1");
        let session = Session::of(Target::VsCode);
        session.prompt(&scene, "do it");
        scene.write("attempt", "1");
        assert!(session.is_held(&session.stop(&scene, false)));
        let mut payload = session.stop_payload(&scene, false);
        payload["hook_event_name"] = "UserPromptSubmit".into();
        payload["prompt"] = "Look around.".into();
        let input = json!({"prompt": "Look around.", "description": "d"});
        let log = log(&scene, &payload, "runSubagent", &input, !running);
        payload["transcript_path"] = log.to_str().into();
        assert_eq!(scene.call(payload.to_string()).run().stdout, "{}");
        scene.write("attempt", "2");
        // The host says nothing of having been held back: only the count does.
        let held = session.is_held(&session.stop(&scene, false));
        assert_eq!(held, holds, "the sub-agent runs: {running}");
    }
}

#[test]
fn a_stop_before_the_hooks_after_a_tool_were_heard_is_checked() {
    let scene = Scene::new();
    scene.check("", "exit 1");
    let session = Session::of(Target::VsCode);
    session.tool(&scene, "run_in_terminal");
    session.prompt(&scene, "do it");
    // VS Code does not wait for the hooks after a tool: its log alone tells of one.
    scene.write("attempt", "1");
    let mut payload = session.stop_payload(&scene, false);
    for (tool, held) in [("read_file", false), ("run_in_terminal", true)] {
        payload["transcript_path"] = log(&scene, &payload, tool, &json!({}), true).to_str().into();
        assert_eq!(session.is_held(&scene.call(payload.to_string()).run()), held, "{tool}");
    }
}
