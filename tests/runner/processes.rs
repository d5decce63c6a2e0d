//! Whatever a hook does, the run ends, in little memory, and no process is left.

use std::fs;

use support::call::{Answer, Call};
use support::programs::hook_runner;

use super::Machine;

/// Runs one hook of Copilot CLI for a tool call.
fn run(command: &str, mark: &str, limit: u32) -> (Machine, Answer) {
    let config = serde_json::json!({
        "hooks": {"PreToolUse": [{"bash": command, "env": {"LEFT_BY": mark}, "timeoutSec": limit}]}
    });
    let machine = Machine::new().with(".github/hooks/a.json", &config.to_string());
    // 64 MiB of address space, for the runner and every hook; hooks inherit the limit.
    let line =
        format!("ulimit -v 65536; exec {} run --host copilot --command ls --trust", hook_runner().display());
    let answer = machine.prepare(Call::new("/bin/bash").args(["-c", &line])).run();
    (machine, answer)
}

/// Processes whose environment or arguments have a mark.
#[cfg(target_os = "linux")]
fn alive(mark: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter(|entry| entry.file_name().to_string_lossy().bytes().all(|b| b.is_ascii_digit()))
        .filter(|entry| {
            let has = |file: &str| {
                fs::read(entry.path().join(file))
                    .is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(mark))
            };
            has("environ") || has("cmdline")
        })
        .map(|entry| fs::read_to_string(entry.path().join("stat")).unwrap_or_default())
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn alive(_mark: &str) -> Vec<String> {
    let _ = fs::metadata("/");
    Vec::new()
}

#[track_caller]
fn nothing_is_left(name: &str, command: &str, limit: u32, expected: &str) {
    // The numbers keep tests that run at the same time apart.
    let mark = format!("hook-runner-test-{name}-{}", std::process::id());
    let (_machine, answer) = run(&command.replace("MARK", &mark), &mark, limit);
    assert!(answer.stdout.contains(expected), "{answer:?}");
    assert_eq!(alive(&mark), Vec::<String>::new(), "{answer:?}");
}

#[test]
fn a_hook_that_sleeps() {
    nothing_is_left("sleeps", "sleep 1000", 1, "hook.timed-out");
}

#[test]
fn a_hook_that_ignores_polite_signals() {
    nothing_is_left("ignores", "trap '' TERM INT HUP; while :; do sleep 1000; done", 1, "hook.timed-out");
}

#[test]
fn a_hook_that_forks_children() {
    nothing_is_left("forks", "for i in 1 2 3 4 5; do sleep 1000 & done; wait", 1, "hook.timed-out");
}

#[test]
fn a_hook_that_leaves_children_behind() {
    nothing_is_left("leaves", "sleep 1000 >/dev/null 2>&1 </dev/null & echo '{}'", 9, "the tool runs");
}

#[cfg(target_os = "linux")]
#[test]
fn a_hook_that_leaves_grandchildren_in_sessions_of_their_own() {
    let command = "setsid sh -c 'setsid sleep 1000 & setsid env -i sh -c \"touch up; exec -a MARK sleep 1000\" & \
                   sleep 1000' >/dev/null 2>&1 </dev/null & until [ -e up ]; do sleep 0.02; done; echo '{}'";
    nothing_is_left("grandchildren", command, 9, "were left behind");
}

#[test]
fn a_hook_whose_child_holds_the_output() {
    nothing_is_left("holds", "sleep 1000 & echo '{}'", 1, "hook.held-output");
}

#[test]
fn a_hook_that_floods_stdout_with_a_gigabyte() {
    nothing_is_left("floods", "head -c 1073741824 /dev/zero", 50, "hook.flooded");
}

#[test]
fn a_hook_that_floods_without_end() {
    nothing_is_left("endless", "yes; true", 1, "hook.timed-out");
}

#[test]
fn a_hook_that_floods_stderr() {
    nothing_is_left("complains", "head -c 100000000 /dev/zero >&2; echo '{}'", 50, "hook.flooded");
}

#[test]
fn a_hook_that_writes_nothing() {
    nothing_is_left("silent", "true", 9, "the tool runs");
}

#[test]
fn a_hook_that_crashes() {
    nothing_is_left("crashes", "kill -SEGV $$", 9, "hook.failed");
}

#[test]
fn a_hook_that_closes_its_output_and_stays() {
    nothing_is_left("stays", "exec >&- 2>&-; sleep 1000", 1, "hook.timed-out");
}

#[test]
fn a_hook_that_does_not_read() {
    // The payload is larger than any pipe.
    let payload = format!(
        r#"{{"session_id":"s","timestamp":"2026-11-21T05:24:25.234Z","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"{}"}}}}"#,
        "x".repeat(3 << 20)
    );
    let config = r#"{"hooks":{"PreToolUse":[{"bash":"echo '{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"no\"}'"}]}}"#;
    let machine = Machine::new().with(".github/hooks/a.json", config);
    let answer = machine.call(["run", "--trust"]).input(payload).run();
    assert!(answer.stdout.contains("the tool does not run"), "{answer:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_the_hooks() {
    let mark = format!("hook-runner-test-interrupt-{}", std::process::id());
    let config = serde_json::json!({
        "hooks": {"PreToolUse": [{"bash": "sleep 1000 & sleep 1000", "env": {"LEFT_BY": mark}, "timeoutSec": 900}]}
    });
    let machine = Machine::new().with(".github/hooks/a.json", &config.to_string());
    // The signal is sent when both sleep; `wait` returns when the runner has ended.
    let line = format!(
        "{} run --host copilot --command ls --trust & runner=$!; \
         until [ \"$(grep -lsaz 'LEFT_BY={mark}' /proc/[0-9]*/environ 2>/dev/null | wc -l)\" -ge 3 ]; do sleep 0.05; done; \
         kill -INT $runner; wait $runner",
        hook_runner().display()
    );
    let answer = machine.prepare(Call::new("/bin/bash").args(["-c", &format!("set -m; {line}")])).run();
    assert_eq!(alive(&mark), Vec::<String>::new(), "{answer:?}");
}
