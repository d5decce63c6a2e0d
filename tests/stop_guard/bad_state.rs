//! Bad input, and state that cannot be kept: the agent may stop, and nothing loops.

use std::fs;
use std::path::PathBuf;

use support::call::{Answer, Call};
use support::hosts::Target;
use support::payloads;
use support::programs::stop_guard;

use super::scene::{Scene, Session};

#[track_caller]
fn may_stop(answer: &Answer) {
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    let stdout: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    assert!(stdout.get("decision").is_none() && stdout.get("hookSpecificOutput").is_none(), "{answer:?}");
}

#[test]
fn input_that_is_not_a_payload() {
    let deep = "[".repeat(100_000);
    for input in ["", " ", "null", "[]", "{", "\u{0}", "{}{}", deep.as_str(), r#"{"hook_event_name":"Stop"}"#]
    {
        let answer = Scene::new().call(input).run();
        may_stop(&answer);
        assert!(!answer.stderr.is_empty(), "{input:.20}");
    }
    may_stop(&Scene::new().call(vec![b'x'; 50_000_000]).run());
    may_stop(&Scene::new().call(vec![0xff; 10]).run());
}

#[cfg(unix)]
#[test]
fn a_repository_that_cannot_be_read_in_time_delays_no_one() {
    for name in ["index", "config"] {
        let scene = Scene::new();
        scene.check("", "exit 1");
        scene.write("a", "1");
        let file = scene.project().join(".git").join(name);
        fs::remove_file(&file).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
        let answer = scene.call(Session::of(Target::Claude).stop_payload(&scene, false).to_string()).run();
        may_stop(&answer);
        // Not the deadline of 100 s, after which the host would have given up.
        assert!(answer.stderr.contains("could not finish its work in 10,000 ms"), "{name}: {answer:?}");
    }
}

#[test]
fn a_payload_without_a_session_or_with_an_odd_one() {
    let scene = Scene::new();
    scene.check("", "exit 1");
    scene.write("a", "1");
    let session = Session::of(Target::Claude);
    let mut payload = session.stop_payload(&scene, false);
    for odd in [serde_json::json!(null), serde_json::json!(""), serde_json::json!(7), serde_json::json!({})] {
        payload["session_id"] = odd;
        may_stop(&scene.call(payload.to_string()).run());
    }
    assert_eq!(scene.runs(), 0);
    // A hostile one is not a path.
    payload["session_id"] = "../../../../tmp/\u{0}x".into();
    assert!(session.is_held(&scene.call(payload.to_string()).run()));
    payload["session_id"] = "x".repeat(1_000_000).into();
    assert!(session.is_held(&scene.call(payload.to_string()).run()));
}

/// The record of the only session.
fn record(scene: &Scene) -> PathBuf {
    let owners = scene.home().join(".local/state/policy-hooks/sessions/owners");
    let mut found: Vec<PathBuf> = fs::read_dir(owners)
        .unwrap()
        .map(|owner| owner.unwrap().path().join("stop-guard.json"))
        .filter(|path| path.exists())
        .collect();
    assert_eq!(found.len(), 1);
    found.pop().unwrap()
}

#[test]
fn damaged_state_lets_the_agent_stop() {
    let big = "x".repeat(1_000_000);
    for damage in ["", "{", "null", "[]", r#"{"blocks":-1}"#, "\u{0}\u{0}", big.as_str()] {
        let scene = Scene::new();
        scene.check("", "exit 1");
        let session = Session::of(Target::Gemini);
        session.prompt(&scene, "do it");
        fs::write(record(&scene), damage).unwrap();
        scene.write("a", "1");
        may_stop(&session.stop(&scene, false));
        assert_eq!(scene.runs(), 0);
        session.prompt(&scene, "again");
        scene.write("a", "2");
        assert!(session.is_held(&session.stop(&scene, false)), "the next turn is whole again");
    }
}

#[test]
fn state_that_cannot_be_kept_lets_the_agent_stop() {
    let state = |scene: &Scene| scene.home().join(".local/state");
    let breaks: [fn(&PathBuf); 4] = [
        |state| fs::write(state, "a file").unwrap(),
        |state| std::os::unix::fs::symlink("/dev/null", state).unwrap(),
        |state| std::os::unix::fs::symlink("/proc/self", state).unwrap(),
        |state| {
            fs::create_dir_all(state.join("policy-hooks")).unwrap();
            fs::write(state.join("policy-hooks/sessions"), "").unwrap();
        },
    ];
    for broken in breaks {
        let scene = Scene::new();
        scene.check("", "exit 1");
        fs::create_dir_all(scene.home().join(".local")).unwrap();
        broken(&state(&scene));
        let session = Session::of(Target::Codex);
        for round in 0..3 {
            scene.write("a", &round.to_string());
            may_stop(&session.stop(&scene, false));
        }
        assert_eq!(scene.runs(), 0);
    }
}

#[test]
fn no_home_no_folder_and_a_broken_repository_let_the_agent_stop() {
    let scene = Scene::new();
    scene.check("", "exit 1");
    let session = Session::of(Target::Claude);
    let mut payload = session.stop_payload(&scene, false);
    may_stop(&Call::new(stop_guard()).env("HOME", "").input(payload.to_string()).run());
    payload["cwd"] = "/no/such/folder".into();
    may_stop(&scene.call(payload.to_string()).run());
    fs::write(scene.project().join(".git/HEAD"), "\u{0}").unwrap();
    fs::write(scene.project().join(".git/index"), "no index").unwrap();
    // The check itself can still say something; the count holds all the same.
    session.stop(&scene, false);
    may_stop(&session.stop(&scene, false));
}

#[test]
fn a_mistaken_argument_never_holds_an_agent_back() {
    for arguments in
        [&["--hosst", "claude"][..], &["--mode", "loud"], &["frobnicate"], &["--deadline-ms", "0"]]
    {
        let answer = Scene::new().call("{}").args(arguments.iter().copied()).run();
        assert_eq!((answer.stdout.as_str(), answer.exit), ("{}", Some(0)), "{arguments:?}: {answer:?}");
        assert!(!answer.stderr.is_empty());
    }
    let answer = Scene::new().call("").args(["status", "--colour"]).run();
    assert_eq!(answer.exit, Some(2), "{answer:?}");
}

#[test]
fn a_closed_stdout_never_holds_an_agent_back() {
    let scene = Scene::new();
    scene.check("", "exit 1");
    scene.write("a", "1");
    let session = Session::of(Target::Claude);
    let answer = scene.call(session.stop_payload(&scene, false).to_string()).stdout_is_closed().run();
    assert_eq!(answer.exit, Some(0), "{answer:?}");
}

#[test]
fn every_recorded_payload_is_answered() {
    let scene = Scene::new();
    for recorded in payloads::all() {
        let answer = scene.call(recorded.text.as_str()).run();
        assert_eq!((answer.stdout.as_str(), answer.exit), ("{}", Some(0)), "{}", recorded.name());
    }
}
