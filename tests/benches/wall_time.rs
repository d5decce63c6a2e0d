//! How long a whole call takes, beside what else could stand in its place. All in one run, interleaved: the ratios
//! say something on a busy machine too, the times little.
//!
//! `cargo run --release -p tests --bin wall-time [ROUNDS]`. The programs are built as they are shipped for Linux.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use tests::hosts::Target;
use tests::{payloads, programs};

const TARGET: &str = "x86_64-unknown-linux-musl";

/// How often everything is called.
const ROUNDS: usize = 300;

/// What takes longer than this is called in every tenth round only.
const SLOW: Duration = Duration::from_millis(10);

/// The hook that people begin with: three calls of `jq` and one of `grep`.
const BASH_AND_JQ: &str = r#"#!/bin/bash
INPUT=$(cat)
TOOL=$(printf '%s' "$INPUT" | jq -r '.tool_name // .toolName')
EVENT=$(printf '%s' "$INPUT" | jq -r '.hook_event_name // empty')
COMMAND=$(printf '%s' "$INPUT" | jq -r '.tool_input.command // empty')
if [ "$TOOL" = Bash ] && printf '%s' "$COMMAND" | grep -qE 'rm -rf|git push --force|DROP TABLE'; then
  printf '{"hookSpecificOutput":{"hookEventName":"%s","permissionDecision":"deny"}}' "$EVENT"
fi
"#;

const PYTHON: &str = "\
import json, re, sys
call = json.load(sys.stdin)
command = call.get('tool_input', {}).get('command', '')
if re.search(r'rm -rf|git push --force|DROP TABLE', command):
    print(json.dumps({'hookSpecificOutput': {'permissionDecision': 'deny'}}))
";

const NODE: &str = "\
const call = JSON.parse(require('fs').readFileSync(0, 'utf8'));
if (/rm -rf|git push --force|DROP TABLE/.test((call.tool_input || {}).command || ''))
  console.log(JSON.stringify({hookSpecificOutput: {permissionDecision: 'deny'}}));
";

/// One way to answer a call.
struct Row {
    title: String,
    argv: Vec<String>,
    folder: PathBuf,
    times: Vec<Duration>,
    slow: bool,
}

impl Row {
    fn new(title: &str, argv: &[&str], folder: &Path) -> Self {
        Self {
            title: title.to_owned(),
            argv: argv.iter().map(|&word| word.to_owned()).collect(),
            folder: folder.to_owned(),
            times: Vec::new(),
            slow: false,
        }
    }

    fn call(&self, payload: &Path) -> Result<Duration, String> {
        let input =
            std::fs::File::open(payload).map_err(|error| format!("{}: {error}", payload.display()))?;
        let mut command = Command::new(&self.argv[0]);
        command.args(&self.argv[1..]).current_dir(&self.folder);
        // Nobody's own log and settings.
        command
            .env_clear()
            .env("HOME", &self.folder)
            .env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.stdin(input).stdout(Stdio::null()).stderr(Stdio::null());
        let start = Instant::now();
        command.status().map_err(|error| format!("{}: {error}", self.argv[0]))?;
        Ok(start.elapsed())
    }

    fn median(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
    }
}

fn main() -> ExitCode {
    let rounds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(ROUNDS);
    match measure(rounds) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            say(&format!("error: {problem}"));
            ExitCode::FAILURE
        }
    }
}

fn measure(rounds: usize) -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("policy-hooks-wall-time-{}", std::process::id()));
    let result = prepare(&folder).and_then(|(mut calls, mut runs)| {
        let payload = folder.join("payload.json");
        play(&mut calls, &payload, rounds)?;
        table("a call of 1 KB: git status", &calls, "x /bin/true");
        play(&mut runs, &payload, rounds)?;
        table("a hook that says {}", &runs, "x direct");
        Ok(())
    });
    let _ = std::fs::remove_dir_all(&folder);
    result
}

/// What answers a call; and what runs a hook.
fn prepare(folder: &Path) -> Result<(Vec<Row>, Vec<Row>), String> {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        let above = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(above)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok::<String, String>(path.display().to_string())
    };
    let (_, payload) = payloads::shell_call(Target::Claude, "git status");
    write("payload.json", &payloads::padded(&payload, 1024))?;
    let mut calls = vec![
        Row::new("/bin/true", &["/bin/true"], folder),
        Row::new("an empty program", &[&programs::empty(TARGET)?.display().to_string()], folder),
    ];
    for hook in ["command-blocker", "approval-gate", "stop-guard", "audit-logger"] {
        let program = programs::build(hook, &["--release", "--target", TARGET])?.display().to_string();
        calls.push(Row::new(hook, &[&program], folder));
    }
    let own = [
        ("bash", write("hook.sh", BASH_AND_JQ)?, "a hook of bash and jq"),
        ("python3", write("hook.py", PYTHON)?, "the same in Python"),
        ("node", write("hook.js", NODE)?, "the same in Node"),
    ];
    for (program, script, title) in &own {
        if on_path(program) && (*program != "bash" || on_path("jq")) {
            calls.push(Row::new(title, &[program, script], folder));
        } else {
            say(&format!("{title}: not measured, as it is not installed"));
        }
    }
    let project = folder.join("project");
    let hook =
        r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"echo '{}'"}]}]}}"#;
    write("project/.claude/settings.json", hook)?;
    write("project/.git/HEAD", "ref: refs/heads/main\n")?;
    let runner = programs::build("hook-runner", &["--release", "--target", TARGET])?.display().to_string();
    let words =
        ["run", "--host", "claude", "--event", "PreToolUse", "--tool", "shell", "--command", "ls", "--trust"];
    let argv: Vec<&str> = std::iter::once(runner.as_str()).chain(words).collect();
    let runs = vec![
        Row::new("directly", &["/bin/sh", "-c", "echo '{}'"], &project),
        Row::new("by hook-runner run", &argv, &project),
    ];
    Ok((calls, runs))
}

fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Calls every row in every round, after one call each that is not counted.
fn play(rows: &mut [Row], payload: &Path, rounds: usize) -> Result<(), String> {
    for row in rows.iter_mut() {
        row.call(payload)?;
        row.slow = row.call(payload)? > SLOW;
    }
    for round in 0..rounds {
        for row in rows.iter_mut().filter(|row| !row.slow || round % 10 == 0) {
            let time = row.call(payload)?;
            row.times.push(time);
        }
    }
    Ok(())
}

fn table(title: &str, rows: &[Row], ratio: &str) {
    say(&format!("\n{title:<40}{:>10}{ratio:>13}", "median"));
    let first = rows.first().map(Row::median).unwrap_or_default().as_secs_f64();
    for row in rows {
        let median = row.median().as_secs_f64();
        say(&format!("{:<40}{:>7.0} µs{:>13.2}", row.title, median * 1e6, median / first));
    }
}

#[expect(clippy::print_stdout, reason = "a table for people")]
fn say(line: &str) {
    println!("{line}");
}
