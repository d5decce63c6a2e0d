//! One line about the guard, for hosts and shells.

use std::fs;

use serde_json::Value;
use support::call::Call;
use support::programs::{audit_logger, command_blocker};

use super::Machine;

const INIT: [&str; 6] = ["init", "--user", "--yes", "--host", "claude", "--hook"];

/// With a guard for Claude Code.
fn guarded() -> Machine {
    let machine = Machine::new();
    let init = machine.runner(INIT.into_iter().chain(["command-blocker"]));
    assert_eq!(init.exit, Some(0), "{init:?}");
    machine
}

/// As Claude Code asks for it.
fn line(machine: &Machine, session: &str) -> String {
    let said = serde_json::json!({"hook_event_name": "Status", "session_id": session, "cwd": machine.project(),
        "model": {"id": "x", "display_name": "X"}, "version": "2.1.330",
        "workspace": {"current_dir": machine.project(), "project_dir": machine.project()}});
    let answer = machine.call(["statusline"]).env("NO_COLOR", "1").input(said.to_string()).run();
    assert_eq!((answer.exit, answer.stdout.lines().count()), (Some(0), 1), "{answer:?}");
    answer.stdout.trim_end().to_owned()
}

fn denied(machine: &Machine, session: &str, command: &str, observe: bool) {
    let payload = serde_json::json!({"session_id": session, "transcript_path": "/t", "cwd": machine.project(),
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": command, "tool_input": {"command": command}})
    .to_string();
    machine.prepare(Call::new(audit_logger()).input(payload.as_str())).run();
    let mode = if observe { &["--mode", "observe"][..] } else { &[] };
    machine.prepare(Call::new(command_blocker()).args(mode.iter().copied()).input(payload)).run();
}

#[test]
fn the_line_says_whether_the_guard_is_on_and_what_it_denied_last() {
    assert_eq!(line(&Machine::new(), "s"), "guard off");
    let machine = guarded();
    assert_eq!(line(&machine, "s"), "guard on, nothing denied");
    denied(&machine, "s", "git push --force origin main", false);
    denied(&machine, "other", "rm -rf /", false);
    assert_eq!(line(&machine, "s"), "guard on, denied git.push-force git push --force origin main, just now");
    assert_eq!(line(&machine, "third"), "guard on, nothing denied");
    // At a shell's prompt no session is known: the project's.
    let prompt = machine.call(["statusline"]).input("").run();
    assert_eq!(
        prompt.stdout, "guard on: claude, denied files.delete-system rm -rf /, just now\n",
        "{prompt:?}"
    );
    let settings = machine.home().join(".claude/settings.json");
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, text.replace("command-blocker\"", "command-blocker --mode observe\"")).unwrap();
    denied(&machine, "s", "git push --force origin dev", true);
    let observed = line(&machine, "s");
    assert!(observed.starts_with("guard observes, would have denied git.push-force git push"), "{observed}");
    fs::write(&settings, text.replacen('{', "{\n  \"disableAllHooks\": true,", 1)).unwrap();
    let off = line(&machine, "s");
    assert!(off.starts_with("guard switched off") || off.starts_with("guard off"), "{off}");
}

#[test]
fn a_host_that_shows_it_gets_colours_and_bad_input_a_line() {
    let machine = guarded();
    let colored = machine.call(["statusline"]).input(r#"{"session_id":"s"}"#).run();
    assert!(colored.stdout.starts_with("\u{1b}[32mguard on\u{1b}[0m"), "{colored:?}");
    for input in ["", "{", "[]", "\0", "{\"cwd\":7}", "{\"cwd\":\"/no/such/folder\"}"] {
        let answer = machine.call(["statusline"]).env("NO_COLOR", "1").input(input).run();
        assert!(
            answer.exit == Some(0)
                && answer.stdout.starts_with("guard ")
                && answer.stdout.lines().count() == 1,
            "{input}: {answer:?}"
        );
    }
}

#[test]
fn init_sets_it_up_when_asked_and_takes_it_out_again() {
    let machine = Machine::new();
    let settings = machine.home().join(".claude/settings.json");
    let read = || fs::read_to_string(&settings).unwrap_or_default();
    let with = || machine.runner(INIT.into_iter().chain(["command-blocker", "--status-line"]));
    // Not asked for, it is not there.
    machine.runner(INIT.into_iter().chain(["command-blocker"]));
    let before = read();
    assert!(!before.contains("statusLine"), "{before}");
    let asked = with();
    assert_eq!(asked.exit, Some(0), "{asked:?}");
    let json: Value = serde_json::from_str(&read()).unwrap();
    assert_eq!(json["statusLine"]["type"], "command", "{json}");
    let command = json["statusLine"]["command"].as_str().unwrap().to_owned();
    let shown = machine.prepare(Call::new("/bin/sh").args(["-c", &command]).input("{}")).run();
    assert!(shown.stdout.contains("guard on"), "{command}: {shown:?}");
    let again = with();
    assert!(!again.stdout.contains("written"), "{again:?}");
    // One of someone else stays.
    let theirs =
        before.replacen('{', "{\n  \"statusLine\": {\"type\": \"command\", \"command\": \"date\"},", 1);
    fs::write(&settings, &theirs).unwrap();
    let left = with();
    assert!(left.stdout.contains("status line of its own") && read() == theirs, "{left:?}");
    fs::write(&settings, "{\n  \"model\": \"opus\"\n}\n").unwrap();
    with();
    let Some(removed) =
        machine.at_a_terminal(&["init", "--remove", "--user", "--host", "claude", "--yes"], "")
    else {
        return;
    };
    assert_eq!(read(), "{\n  \"model\": \"opus\"\n}\n", "{removed:?}");
}
