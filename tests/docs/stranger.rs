//! A stranger's path, from the README alone: every command on it is in the README, or was printed by the step before it.

use serde_json::Value;
use support::call::{Answer, Call};
use support::programs::stand_in;
use support::terminal::{at_a_terminal, has_script};

use super::read;
use crate::runner::Machine;

/// What Claude Code sends before it runs a command.
fn payload(machine: &Machine, id: &str) -> String {
    serde_json::json!({"session_id": "s", "transcript_path": "/t", "cwd": machine.project(), "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "git push --force origin main"}, "tool_use_id": id})
    .to_string()
}

/// What the person has seen so far, and who types.
struct Stranger {
    machine: Machine,
    readme: String,
    last: String,
}

impl Stranger {
    /// Types a command that the README shows, or that was just printed.
    fn types(&mut self, command: &str, answers: &str) -> Answer {
        let known = self.readme.contains(command) || self.last.contains(command);
        assert!(known, "nothing says `{command}`; last was:\n{}", self.last);
        let (program, rest) = command.split_once(' ').unwrap();
        let line = format!("'{}' {rest}", stand_in(program).display());
        let answer = at_a_terminal(self.machine.prepare(Call::new("/usr/bin/env")), &line, answers, &[]);
        assert_eq!(answer.exit, Some(0), "{command}: {answer:?}");
        self.last.clone_from(&answer.stdout);
        answer
    }

    /// The host calls what stands in its settings before it runs a command.
    fn host_calls(&mut self, id: &str) -> Vec<Answer> {
        let settings = std::fs::read_to_string(self.machine.home().join(".claude/settings.json")).unwrap();
        let settings: Value = serde_json::from_str(&settings).unwrap();
        let entries = settings["hooks"]["PreToolUse"].as_array().unwrap();
        let hooks = entries.iter().flat_map(|entry| entry["hooks"].as_array().unwrap());
        let commands = hooks.filter_map(|hook| hook["command"].as_str());
        let input = payload(&self.machine, id);
        let call = |command: &str| {
            let shell = Call::new("/bin/sh").args(["-c", command]).input(input.as_str());
            self.machine.prepare(shell).env("CLAUDE_CODE_SESSION_ATTENDED", "0").run()
        };
        let answers: Vec<Answer> = commands.map(call).collect();
        self.last = answers.iter().map(|answer| answer.stdout.as_str()).collect();
        answers
    }
}

#[test]
fn a_stranger_gets_from_the_readme_to_an_approval_and_out_again() {
    if !has_script() {
        return;
    }
    let mut stranger = Stranger { machine: Machine::new(), readme: read("README.md"), last: String::new() };
    let init = stranger.types("hook-runner init --user --host claude", "y\n");
    assert!(init.stdout.contains("written"), "{init:?}");
    let doctor = stranger.types("hook-runner doctor", "");
    assert!(doctor.stdout.contains("all hooks work"), "{doctor:?}");
    let status = stranger.types("hook-runner status", "");
    assert!(
        status.stdout.lines().any(|line| line.contains("Claude Code") && line.contains("guarded")),
        "{status:?}"
    );

    stranger.host_calls("1");
    assert!(stranger.last.contains("\"deny\""), "{}", stranger.last);
    let printed = |text: &str, before: &str, length: usize| -> String {
        let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}"));
        rest.chars().take(length).take_while(|letter| !matches!(letter, ')' | '"')).collect()
    };
    let denial = stranger.last.clone();
    let code = printed(&denial, "hook-runner approve ", 9);
    let rule = printed(&denial, "(rule ", 40);
    let looked = stranger.types(&format!("hook-runner rule {rule}"), "");
    assert!(looked.stdout.contains("Leaves alone"), "{looked:?}");
    let pending = stranger.types("hook-runner approve", "");
    assert!(pending.stdout.contains(&code), "{pending:?}");
    stranger.last = denial;
    let agreed = stranger.types(&format!("hook-runner approve {code}"), "yes\n");
    assert!(agreed.stdout.contains("Allowed, once"), "{agreed:?}");
    for answer in stranger.host_calls("2") {
        assert_eq!(answer.stdout.trim(), "{}", "{answer:?}");
    }
    stranger.host_calls("3");
    assert!(stranger.last.contains("\"deny\""), "{}", stranger.last);

    let log = stranger.types("hook-runner log", "");
    assert!(log.stdout.contains(&rule) && log.stdout.contains("grant"), "{log:?}");
    let report = stranger.types("hook-runner report", "");
    assert!(report.stdout.contains(&rule), "{report:?}");
    let gone = stranger.types("hook-runner uninstall", "y\ny\n");
    assert!(gone.stdout.contains("command-blocker"), "{gone:?}");
    assert!(!stranger.machine.home().join(".claude/settings.json").exists(), "{gone:?}");
}
