//! No secret in what the programs write or answer: the log at every level, the approvals' state, the answers.
//!
//! The kinds are those of `redact`'s own tables, a part of them each, in calls that are denied and offered for approval.
#[path = "../shared/redact/tests/labelled/cases.rs"]
#[allow(dead_code, reason = "a part of what redact's tests need")]
mod cases;
#[path = "../shared/redact/tests/labelled/random.rs"]
#[allow(dead_code, reason = "a part of what redact's tests need")]
mod random;

use std::fs;
use std::path::Path;

use cases::Made;
use random::Random;
use support::call::{Answer, Call};
use support::programs::{approval_gate, audit_logger, command_blocker};

/// Destructive, and approvable.
const DENIED: &str = "git push --force origin main";

/// How a form stands in a command.
const PLACES: [&str; 8] = [
    "tool deploy '{}'",
    "VALUE='{}' make run",
    "curl -H 'X-Thing: {}' https://api.example.com/v1",
    "curl 'https://api.example.com/v1?q={}'",
    "curl -d '{\"thing\":\"{}\"}' https://api.example.com/v1",
    "cat > app.conf <<EOF\nthing: {}\nEOF",
    "echo '{}' | tool import -",
    "printf 'thing = %s' '{}' >> app.toml",
];

/// Every so many rows are played, each in one of [`PLACES`].
const STEP: usize = 5;

fn commands() -> Vec<Made> {
    let mut random = Random::new(41);
    let forms = cases::rows(cases::FORMS).step_by(STEP).enumerate().map(|(at, row)| {
        let made = cases::make(row.split_once('\t').unwrap().1, &mut random);
        let text = PLACES[at % PLACES.len()].replace("{}", &made.text);
        Made { text, secrets: made.secrets_or_all() }
    });
    let mut commands: Vec<Made> = forms.collect();
    let mut random = Random::new(43);
    commands.extend(cases::rows(cases::PLACES).step_by(STEP).map(|row| cases::make(row, &mut random)));
    commands
}

fn call(home: &Path, program: &Path, payload: &serde_json::Value) -> Answer {
    let nothing = ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "AUDIT_LOG"];
    let call = Call::new(program).folder(home).env("HOME", home).args(["--deadline-ms", "30000"]);
    nothing.into_iter().fold(call, |call, name| call.env(name, "")).input(payload.to_string()).run()
}

/// Everything in the files below a folder.
fn written(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text.push_str(&written(&path));
        } else {
            text.push_str(&String::from_utf8_lossy(&fs::read(&path).unwrap()));
        }
    }
    text
}

/// The first ten letters in a row of a secret that stand in a string.
fn leaks<'s>(text: &str, secret: &'s str) -> Option<&'s str> {
    // The kind in a tag may begin as the secret does.
    let plain: String =
        text.split("[REDACTED:").map(|part| part.split_once(']').map_or(part, |(_, rest)| rest)).collect();
    let pieces =
        secret.as_bytes().windows(secret.len().min(10)).filter_map(|piece| std::str::from_utf8(piece).ok());
    pieces.into_iter().find(|piece| plain.contains(piece))
}

#[test]
fn no_kind_of_secret_is_written_or_answered() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().canonicalize().unwrap();
    fs::create_dir_all(home.join(".config/policy-hooks")).unwrap();
    fs::write(home.join(".config/policy-hooks/audit.toml"), "level = \"full\"\n").unwrap();
    let commands = commands();
    assert!(commands.len() >= 140);
    let mut answers = String::new();
    let (mut denied, mut offered) = (0, 0);
    for (at, made) in commands.iter().enumerate() {
        let command = format!("{}\n{DENIED}", made.text);
        let payload = serde_json::json!({
            "session_id": "s", "transcript_path": "/t", "cwd": home, "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": at.to_string()
        });
        let blocked = call(&home, command_blocker(), &payload);
        denied += usize::from(blocked.stdout.contains("deny"));
        offered += usize::from(blocked.stdout.contains("hook-runner approve"));
        let gate = call(&home, approval_gate(), &payload);
        let logged = call(&home, audit_logger(), &payload);
        for answer in [blocked, gate, logged] {
            answers.push_str(&answer.stdout);
            answers.push_str(&answer.stderr);
        }
    }
    assert_eq!(denied, commands.len());
    assert!(offered >= commands.len() / 3, "{offered} of {} offered", commands.len());
    let state = written(&home.join(".local/state"));
    assert!(state.matches("[REDACTED:").count() >= commands.len(), "nothing was looked at");
    let leaking: Vec<String> = commands
        .iter()
        .flat_map(|made| made.secrets.iter().map(move |secret| (made, secret)))
        .filter_map(|(made, secret)| {
            let piece = leaks(&state, secret).or_else(|| leaks(&answers, secret))?;
            Some(format!("{piece}: {}", made.text))
        })
        .collect();
    assert!(leaking.is_empty(), "{} of {}:\n{}", leaking.len(), commands.len(), leaking.join("\n"));
}

#[test]
fn a_denial_quotes_no_secret() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().canonicalize().unwrap();
    for (command, secret) in [
        ("git push --force https://bob:hunter2xyzq@git.example/x/y.git main", "hunter2xyzq"),
        ("dropdb 'postgres://u:monkey238yYi@db.prod/x'", "monkey238yYi"),
        ("redis-cli -a hunt3r flushall", "hunt3r"),
        ("mysqladmin -pmonkey238yYi drop x", "monkey238yYi"),
        // What is quoted is the statement as it is understood, in which the call is a string.
        (r#"psql -c "update u set h = crypt('monkey!238yYi', gen_salt('bf'))""#, "monkey!238yYi"),
    ] {
        let payload = serde_json::json!({
            "session_id": "s", "transcript_path": "/t", "cwd": home, "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "1"
        });
        for program in [command_blocker(), approval_gate()] {
            let answer = call(&home, program, &payload);
            assert!(answer.stdout.contains("deny"), "{command}: {answer:?}");
            assert!(answer.stdout.contains("[REDACTED:"), "{command}: {answer:?}");
            assert!(
                !answer.stdout.contains(secret) && !answer.stderr.contains(secret),
                "{command}: {answer:?}"
            );
        }
    }
}
