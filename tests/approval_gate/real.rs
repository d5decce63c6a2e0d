//! The gate on the real hosts, which run if they are installed (see `tests/real_hosts`).

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::thread;

use real_hosts::run::Permissions;
use real_hosts::{Host, Report, RunError, Session, Turn, install, run};
use tests::programs::{self, approval_gate, root};

use super::write;

const POLICY: &str = r#"
schema = 1

[[rule]]
id = "test.denied"
decision = "deny"
reason = "Nobody touches this."
run = { program = "touch", args_any = ["denied"] }

[[rule]]
id = "test.asked"
decision = "ask"
reason = "A person has to know."
run = { program = "touch", args_any = ["asked"] }

[[rule]]
id = "test.allowed"
decision = "allow"
run = { program = "touch", args_any = ["allowed"], args_none = ["a-*"] }

[[rule]]
id = "test.written"
decision = "deny"
reason = "It is generated."
path = { access = ["write", "delete"], any = ["generated.txt"] }
"#;

/// A configuration of ours, and the place where the host looks.
fn configuration(host: Host) -> (&'static str, &'static str) {
    match host {
        Host::Claude => ("claude-code/approval-gate.json", ".claude/settings.json"),
        Host::Copilot => ("20-approval-gate.json", ".github/hooks/20-approval-gate.json"),
        Host::Codex => ("codex/approval-gate.json", ".codex/hooks.json"),
        Host::Gemini => ("gemini-cli/approval-gate.json", ".gemini/settings.json"),
    }
}

/// A repository with the configuration.
fn prepare(host: Host, project: &Path) {
    let (from, to) = configuration(host);
    write(&project.join(to), &fs::read_to_string(root().join("configs").join(from)).unwrap());
    let init = Command::new("git").args(["init", "--quiet"]).current_dir(project).status().unwrap();
    assert!(init.success());
}

/// A folder with the gate under its name, for a user whose policy is [`POLICY`]: the hosts have a home of their own.
fn program(folder: &Path) {
    let home = folder.join("home");
    write(&home.join(".config/policy-hooks/policy.toml"), POLICY);
    let script =
        format!("#!/bin/sh\nHOME='{}' exec '{}' \"$@\"\n", home.display(), approval_gate().display());
    let path = folder.join("bin/approval-gate");
    write(&path, &script);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// What is promised, and what went wrong with it.
type Promise = (&'static str, fn(Host, &Report, &Path) -> Result<(), String>);

fn is_there(project: &Path, file: &str) -> bool {
    project.join(file).exists()
}

fn told(report: &Report, number: usize, rule: &str) -> Result<(), String> {
    let results: Vec<&str> = report.tool_results().collect();
    let text = results.get(number).copied().unwrap_or_default();
    if text.contains(&format!("(rule {rule})")) {
        Ok(())
    } else {
        Err(format!("no {rule} in {results:?}; {}", report.stderr))
    }
}

fn expect(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

/// With a host that would let everything run.
const OPEN: [Promise; 4] = [
    ("what a policy denies does not run, and the model reads why", |_, report, project| {
        told(report, 0, "test.denied")?;
        told(report, 3, "test.written")?;
        expect(!is_there(project, "denied") && !is_there(project, "generated.txt"), "it ran")
    }),
    ("what a policy asks about does not run where nobody can answer", |_, _, project| {
        expect(!is_there(project, "asked"), "it ran")
    }),
    ("what a policy allows runs", |_, _, project| expect(is_there(project, "allowed"), "it did not run")),
    ("what no rule speaks about is left to the host", |_, _, project| {
        expect(is_there(project, "plain"), "it did not run")
    }),
];

fn open() -> Vec<Turn> {
    vec![
        Turn::Shell("cd . && touch denied".to_owned()),
        Turn::Shell("touch asked".to_owned()),
        Turn::Shell("touch allowed".to_owned()),
        Turn::Write("generated.txt".to_owned(), "x".to_owned()),
        Turn::Shell("touch plain".to_owned()),
        Turn::Text("done".to_owned()),
    ]
}

/// With Claude Code that would ask, and nobody there: only what the policy allows runs.
const SHUT: Promise = ("what a policy allows runs without the host's question", |_, _, project| {
    expect(is_there(project, "allowed"), "`allowed` did not run")?;
    expect(!is_there(project, "plain"), "`plain` ran, so the host asks about nothing")
});

fn play(
    host: Host,
    driver: &Path,
    permissions: Permissions,
) -> Result<(Report, tempfile::TempDir), RunError> {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().canonicalize().unwrap();
    program(&real);
    let project = real.join("project");
    fs::create_dir(&project).unwrap();
    prepare(host, &project);
    let mut session = Session::new(host, &project, open());
    session.path = vec![real.join("bin")];
    session.permissions = permissions;
    Ok((run(driver, &session)?, folder))
}

/// What a host did not keep.
fn wrong(host: Host, driver: &Path) -> Result<Vec<String>, RunError> {
    let mut wrong = Vec::new();
    let mut check = |permissions, promises: &[Promise]| -> Result<(), RunError> {
        let (report, folder) = play(host, driver, permissions)?;
        let project = folder.path().canonicalize().unwrap().join("project");
        for (title, promise) in promises {
            if let Err(why) = promise(host, &report, &project) {
                wrong.push(format!("{host:?}: {title}: {why}; {report:?}"));
            }
        }
        Ok(())
    };
    check(Permissions::All, &OPEN)?;
    if host == Host::Claude {
        check(Permissions::Ask, &[SHUT])?;
    }
    Ok(wrong)
}

#[test]
fn the_real_hosts_do_what_the_policy_says() {
    let required = std::env::var_os("REAL_HOSTS").is_some_and(|value| value == "required");
    if let Some(host) = Host::ALL.into_iter().find(|host| install::installed(*host).is_none()) {
        let missing = RunError::NotInstalled(host).to_string();
        assert!(!required, "{missing}");
        eprintln!("SKIPPED: {missing}");
        return;
    }
    let driver = programs::build("real-hosts", &[]).unwrap();
    let wrong: Result<Vec<Vec<String>>, RunError> = thread::scope(|scope| {
        let lanes = Host::ALL.map(|host| {
            let driver = &driver;
            scope.spawn(move || wrong(host, driver))
        });
        lanes.into_iter().map(|lane| lane.join().unwrap()).collect()
    });
    let wrong = match wrong {
        Err(RunError::Namespace(why)) if !required => {
            eprintln!("SKIPPED: {why}");
            return;
        }
        wrong => wrong.unwrap().concat(),
    };
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
