//! Whatever is on stdin, and wherever the agent is said to work: `{}` and exit 0.

use std::fs;

use support::call::{Answer, Call};
use support::hosts::Target;
use support::programs::context_injector;

use super::scene::{Scene, start};

#[track_caller]
fn nothing(answer: &Answer) {
    assert_eq!((answer.stdout.as_str(), answer.exit), ("{}", Some(0)), "{answer:?}");
}

#[test]
fn input_that_is_not_a_payload() {
    let scene = Scene::new();
    let deep = "[".repeat(100_000);
    for input in [
        "",
        " ",
        "null",
        "[]",
        "{",
        "\u{0}",
        "{}{}",
        "{}",
        deep.as_str(),
        r#"{"hook_event_name":"SessionStart"}"#,
    ] {
        nothing(&scene.call(input).run());
    }
    nothing(&scene.call(vec![b'x'; 50_000_000]).run());
    nothing(&scene.call(vec![0xff, 0xfe, 0x00]).run());
    let payload = start(Target::Claude, &scene.project());
    nothing(&scene.call(&payload.as_bytes()[..payload.len() - 1]).run());
    nothing(&scene.call(payload.replacen('{', &format!("{{\"x\":\"{}\",", "y".repeat(50_000_000)), 1)).run());
}

#[test]
fn folders_that_are_none() {
    let scene = Scene::new();
    let file = scene.project().join("README");
    let gone = scene.home().join("gone");
    fs::create_dir(&gone).unwrap();
    fs::remove_dir(&gone).unwrap();
    let long = "/x".repeat(5_000);
    for cwd in [
        "",
        ".",
        "relative",
        "/no/such/folder",
        "\0",
        "/\0/x",
        long.as_str(),
        file.to_str().unwrap(),
        gone.to_str().unwrap(),
    ] {
        let mut payload: serde_json::Value =
            serde_json::from_str(&start(Target::Claude, &scene.project())).unwrap();
        payload["cwd"] = cwd.into();
        nothing(&scene.call(payload.to_string()).run());
    }
    for odd in
        [serde_json::json!(null), serde_json::json!(7), serde_json::json!([]), serde_json::json!({"a": 1})]
    {
        let mut payload: serde_json::Value =
            serde_json::from_str(&start(Target::Claude, &scene.project())).unwrap();
        payload["cwd"] = odd;
        nothing(&scene.call(payload.to_string()).run());
    }
}

#[test]
fn an_empty_folder_without_a_repository_yields_nothing() {
    let scene = Scene::new();
    let empty = scene.home().join("empty");
    fs::create_dir(&empty).unwrap();
    assert_eq!(scene.told_in(&empty), "");
    fs::write(empty.join("Cargo.toml"), "[package]\nname = \"a\"\nversion = \"1.0.0\"\n").unwrap();
    let told = scene.told_in(&empty);
    assert!(told.ends_with("\nproject: \"a\" version \"1.0.0\" from \"Cargo.toml\""), "{told}");
}

#[test]
fn without_a_home_the_facts_are_reported_all_the_same() {
    let scene = Scene::new();
    let payload = start(Target::Claude, &scene.project());
    let answer = Call::new(context_injector()).env("HOME", "").input(payload).run();
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    let stdout: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    // Whether 300 ms were enough is not what is tried here.
    assert!(
        stdout["hookSpecificOutput"]["additionalContext"].as_str().unwrap().contains("Repository facts"),
        "{answer:?}"
    );
}

#[test]
fn mistaken_arguments_and_a_closed_stdout_are_in_no_ones_way() {
    let scene = Scene::new();
    for arguments in [&["--hosst", "claude"][..], &["--mode", "loud"], &["frobnicate"]] {
        nothing(&scene.call("{}").args(arguments.iter().copied()).run());
    }
    let answer = scene.call(start(Target::Claude, &scene.project())).stdout_is_closed().run();
    assert_eq!(answer.exit, Some(0), "{answer:?}");
}
