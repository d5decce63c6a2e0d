//! `run --session`: whole sessions. Recorded runs are played with nothing but the program, and it says what the host did.

use std::fs;

use real_hosts::cases::{Case, Side, has, marks};
use serde_json::Value;
use support::programs::root;

use super::{Machine, shipped};

/// Every so many recorded runs one is played here; `shared/host/tests/matrix.rs` plays all, without processes.
const STEP: usize = 12;

fn host(side: Side) -> &'static str {
    match side {
        Side::ClaudeCode => "claude",
        Side::CopilotCli | Side::CopilotCliPascal => "copilot",
        Side::Codex => "codex",
        Side::Gemini => "gemini",
        Side::VsCode => "vscode",
    }
}

/// What a session's report says of a recorded run, where that differs.
fn differences(case: &Case) -> Vec<String> {
    let observed = case.observed.as_ref().unwrap();
    let machine = Machine::new();
    let hooks = machine.home().join("hooks");
    for (path, text) in case.prepare(&machine.project(), &hooks).unwrap() {
        let path = machine.home().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let script = serde_json::to_string(&case.script).unwrap();
    let mut arguments =
        vec!["run", "--host", host(case.host), "--session", "-", "--headless", "--trust", "--json"];
    match (case.host, case.mode.as_str()) {
        // VS Code has no modes on a command line: it asks in one of its own.
        (Side::VsCode, "default") => arguments.push("--gated"),
        (Side::VsCode, _) => {}
        (_, mode) => arguments.extend(["--mode", mode]),
    }
    let answer = machine.call(arguments).input(script.as_str()).run();
    let Ok(report) = serde_json::from_str::<Value>(&answer.stdout) else {
        return vec![format!("{} {}: {answer:?}", host(case.host), case.case)];
    };
    let list = |key: &str| report[key].as_array().unwrap().clone();
    let mut wrong = Vec::new();
    let mut compare = |what: &str, said: Value, recorded: Value| {
        if said != recorded {
            wrong.push(format!("{} {}: {what}: {said}, recorded {recorded}", host(case.host), case.case));
        }
    };
    compare("requests", list("requests").len().into(), observed.requests.into());
    let commands: Vec<String> = (list("events").iter())
        .flat_map(|event| event["hooks"].as_array().unwrap().clone())
        .map(|hook| hook["run"].as_str().unwrap().to_owned())
        .collect();
    for (name, ..) in case.named() {
        let end = format!("/{name}");
        let called = commands.iter().filter(|command| command.ends_with(&end)).count();
        compare(&name, called.into(), observed.called[&name].into());
    }
    // Of other commands nothing tells whether they ran.
    let tells = script.contains("ran.txt");
    let ran = list("calls").iter().any(|call| call["ran"] == true && call["sandboxed"] == false);
    compare("ran", (tells && ran).into(), observed.tool_ran.into());
    let words: String = case.named().map(|(_, _, answer)| answer.words()).collect();
    let mut rest: Vec<&str> = marks(&words).into_iter().filter(|mark| *mark != "MARK_REWRITTEN").collect();
    let reads: Vec<Vec<&str>> = (list("requests").iter())
        .map(|request| {
            let text = request["read"].to_string();
            let (read, left) = rest.drain(..).partition(|mark| has(&text, mark));
            rest = left;
            read
        })
        .collect();
    compare("the model reads", reads.into(), observed.reads.clone().into());
    wrong
}

#[test]
fn recorded_runs_are_played_by_the_program() {
    let file = root().join("tests/payloads/generated.jsonl");
    let cases = fs::read_to_string(file).unwrap();
    let cases = cases.lines().map(|line| serde_json::from_str::<Case>(line).unwrap());
    // A race may end otherwise here, and what waits costs seconds; a file that is only read changes nothing.
    let quick = |case: &Case| {
        let slow = |(_, _, answer): (String, &str, &real_hosts::cases::Answer)| {
            answer.waits.or(answer.lingers).is_some() || answer.entry.contains_key("timeout")
        };
        let reads = serde_json::to_string(&case.script).unwrap().contains("\"read\"");
        let told = case.observed.as_ref().is_some_and(|observed| observed.reads.len() == observed.requests);
        // What a person skips in VS Code is reported after the call, which is not modelled yet: see `OPEN` there.
        let asks = case.host == Side::VsCode
            && case.named().any(|(_, _, answer)| answer.words().contains("\"ask\""));
        told && !reads && !asks && !case.named().any(slow)
    };
    let some: Vec<Case> = cases.filter(quick).step_by(STEP).collect();
    assert!(some.len() > 10, "{}", some.len());
    let wrong: Vec<String> = some.iter().flat_map(differences).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), some.len(), wrong.join("\n"));
}

#[test]
fn a_session_for_people() {
    let machine = Machine::new().with(".claude/settings.json", &shipped("claude-code/settings.json"));
    let turns = r#"[{"shell": "rm -rf /"}, {"tools": [{"shell": "ls"}, {"read": "a"}]}, {"text": "done"}]"#;
    let answer = machine.call(["run", "--host", "claude", "--session", "-"]).input(turns).run();
    assert_eq!(answer.exit, Some(1), "{answer:?}");
    // How long a hook takes is another matter.
    let project = machine.project().display().to_string();
    let shown: String = (answer.stdout.replace(&project, "PROJECT").lines())
        .map(|line| line.split("  exit 0").next().unwrap().trim_end().to_owned() + "\n")
        .collect();
    assert_eq!(shown, include_str!("session.txt"), "{answer:?}");
}

#[test]
fn anything_else_is_refused() {
    let machine = Machine::new();
    for (text, expected) in [
        ("", "EOF"),
        ("7", "a list of turns"),
        (r#"[{"shell": "ls"}, {"sell": "ls"}]"#, "turn 2"),
        (r#"[{"subagent": [{"x": 1}]}]"#, "sub-agent"),
    ] {
        let answer = machine.call(["run", "--host", "codex", "--session", "-"]).input(text).run();
        assert_eq!(answer.exit, Some(2), "{text}: {answer:?}");
        assert!(answer.stderr.contains(expected), "{text}: {answer:?}");
    }
}
