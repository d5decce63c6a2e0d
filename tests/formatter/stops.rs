//! Collected at edits and formatted once when the agent stops; what changes the meaning only then.

use payload::model::Effect;
use serde_json::{Value, json};
use support::call::Answer;
use support::hosts::Target;

use super::scene::{Scene, noticed, told};

const UGLY: &str = "a  b\n";
const NICE: &str = "a b\n";

fn event(scene: &Scene, name: &str) -> Value {
    json!({"session_id": "s", "transcript_path": "/t", "cwd": scene.project(), "prompt_id": "p", "hook_event_name": name})
}

fn at_stop(scene: &Scene, payload: &Value) -> Answer {
    let answer = scene.call(payload).args(["--when", "stop"]).run();
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    answer
}

#[test]
fn files_wait_for_the_stop_and_are_reported_with_the_next_prompt() {
    let scene = Scene::new();
    let runs = scene.home().join("runs");
    scene.formatter("prettier", &format!("echo >> '{}'; sed 's/  */ /g'", runs.display()));
    for name in ["a.ts", "b.ts"] {
        scene.write(name, UGLY);
        for _ in 0..3 {
            assert_eq!(at_stop(&scene, &scene.claude(name)).stdout, "{}");
        }
    }
    assert_eq!((scene.read("a.ts").as_str(), runs.exists()), (UGLY, false));
    let answer = at_stop(&scene, &event(&scene, "Stop"));
    assert_eq!(Target::Claude.reads("Stop", &answer).effect, Effect::None, "{answer:?}");
    assert!(noticed(&answer).contains("prettier rewrote a.ts"), "{answer:?}");
    assert_eq!((scene.read("a.ts").as_str(), scene.read("b.ts").as_str()), (NICE, NICE));
    assert_eq!(std::fs::read_to_string(&runs).unwrap().lines().count(), 2, "each file once");
    // Nothing waits any more.
    assert_eq!(at_stop(&scene, &event(&scene, "Stop")).stdout, "{}");
    let answer = at_stop(&scene, &event(&scene, "UserPromptSubmit"));
    let said: Value = serde_json::from_str(&answer.stdout).unwrap();
    let context = said["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
    assert!(
        context.contains("a.ts") && context.contains("b.ts") && context.contains("Read it again"),
        "{answer:?}"
    );
    assert_eq!(at_stop(&scene, &event(&scene, "UserPromptSubmit")).stdout, "{}", "reported once");
}

#[test]
fn a_stop_is_never_held_back_on_any_host() {
    for target in Target::ALL {
        let scene = Scene::new();
        scene.write("a.ts", UGLY);
        let (edit, stop) = match target {
            Target::CopilotCamel => ("postToolUse", "agentStop"),
            Target::Gemini => ("AfterTool", "AfterAgent"),
            _ => ("PostToolUse", "Stop"),
        };
        let base = |name: &str| match target {
            Target::CopilotCamel => json!({"sessionId": "s", "timestamp": 1, "cwd": scene.project()}),
            Target::Claude => event(&scene, name),
            Target::Codex => {
                json!({"session_id": "s", "turn_id": "t", "model": "m", "cwd": scene.project(), "hook_event_name": name})
            }
            _ => {
                json!({"session_id": "s", "timestamp": "2026-11-21T05:24:27.186Z", "cwd": scene.project(), "hook_event_name": name})
            }
        };
        let mut edited = base(edit);
        if target == Target::CopilotCamel {
            edited["toolName"] = "create".into();
            edited["toolArgs"] = json!({"path": "a.ts"});
        } else {
            edited["tool_name"] = "create_file".into();
            edited["tool_input"] = json!({"filePath": "a.ts"});
        }
        let flags = |name: &str| {
            let event = if target == Target::CopilotCamel {
                vec!["--event".to_owned(), name.to_owned()]
            } else {
                vec![]
            };
            [event, vec!["--when".to_owned(), "stop".to_owned()]].concat()
        };
        let first = scene.call(&edited).args(flags(edit)).run();
        assert_eq!(
            (first.stdout.as_str(), scene.read("a.ts").as_str()),
            ("{}", UGLY),
            "{target:?}: {first:?}"
        );
        let answer = scene.call(&base(stop)).args(flags(stop)).run();
        assert_eq!(scene.read("a.ts"), NICE, "{target:?}: {answer:?}");
        assert_eq!(target.reads(stop, &answer).effect, Effect::None, "{target:?}: {answer:?}");
        assert_eq!(answer.exit, Some(0), "{target:?}");
    }
}

#[test]
fn what_may_change_the_meaning_waits_for_the_stop() {
    let scene = Scene::new();
    scene.formatter("fixer", "sed -i 's/unused//' \"$1\"");
    scene.settings("[[formatter]]\nname = \"fixer\"\nglobs = [\"*.ts\"]\nargv = [\"fixer\", \"{file}\"]\nstdin = false\nclass = \"semantic\"\n");
    scene.write("a.ts", "unused a  b c d e f g\n");
    let answer = scene.wrote("a.ts");
    assert_eq!(scene.read("a.ts"), "unused a b c d e f g\n");
    assert!(told(&answer).contains("prettier rewrote a.ts"), "{answer:?}");
    let answer = scene.call(&event(&scene, "Stop")).run();
    assert_eq!(scene.read("a.ts"), " a b c d e f g\n", "{answer:?}");
    assert!(noticed(&answer).contains("fixer rewrote a.ts"), "{answer:?}");
}

#[test]
fn without_a_session_or_a_place_to_remember_edits_are_formatted_all_the_same() {
    let scene = Scene::new();
    scene.write("a.ts", UGLY);
    let mut payload = scene.claude("a.ts");
    payload["session_id"] = Value::Null;
    scene.call(&payload).args(["--host", "claude"]).run();
    assert_eq!(scene.read("a.ts"), NICE);
    std::fs::remove_dir_all(scene.home().join(".local")).unwrap();
    std::fs::write(scene.home().join(".local"), "in the way").unwrap();
    scene.write("a.ts", UGLY);
    let answer = scene.wrote("a.ts");
    assert_eq!(scene.read("a.ts"), NICE, "{answer:?}");
}
