//! Policies from the centre, as people and timers use them: `policy bundle`, `pull`, `status`, `learn`, `diff`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::call::{Answer, Call};

use super::Machine;

/// A key of minisign without a password, made for tests: whoever reads this can sign with it.
const SECRET: &str = include_str!("../../shared/bundle/tests/minisign/plain.key");
const PUBLIC: &str = include_str!("../../shared/bundle/tests/minisign/plain.pub");
const OTHER: &str = include_str!("../../shared/bundle/tests/minisign/locked.pub");

const POLICY: &str = "schema = 1\n[[rule]]\nid = \"team.deploy\"\ndecision = \"deny\"\nreason = \"The pipeline deploys.\"\n\
                      run = { program = \"make\", args_all = [\"deploy\"] }\nmatch = [\"make deploy\"]\n";

fn machine() -> Machine {
    Machine::new()
        .with("policies/base.toml", POLICY)
        .with("policies/more.toml", "schema = 1\n")
        .with("team.key", SECRET)
        .with("team.pub", PUBLIC)
        .with("other.pub", OTHER)
}

/// Makes and signs a bundle.
fn bundle(machine: &Machine, output: &str, more: &[&str]) -> Answer {
    let mut line =
        vec!["policy", "bundle", "policies", "-o", output, "--key", "team.key", "--force", "--name", "team"];
    line.extend(more);
    machine.runner(line)
}

fn pull(machine: &Machine, source: &str, more: &[&str]) -> Answer {
    let mut line = vec!["policy", "pull", source, "--root", "root"];
    line.extend(more);
    machine.runner(line)
}

fn status(machine: &Machine) -> (Option<i32>, Value) {
    let answer = machine.runner(["policy", "status", "--root", "root", "--json"]);
    (answer.exit, serde_json::from_str(&answer.stdout).unwrap())
}

/// Where the machine's settings are below the root.
fn settings(machine: &Machine) -> PathBuf {
    let folder = store::settings::system("");
    machine.project().join("root").join(folder.strip_prefix("/").unwrap())
}

#[test]
fn a_bundle_is_signed_pulled_and_reported() {
    let machine = machine();
    let made = bundle(&machine, "team.bundle", &["--serial", "7"]);
    assert_eq!(made.exit, Some(0), "{made:?}");
    assert!(made.stdout.contains("team, serial 7, 2 policies, 1 example tried"), "{made:?}");
    let pulled = pull(&machine, "team.bundle", &["--key", "team.pub"]);
    assert_eq!(pulled.exit, Some(0), "{pulled:?}");
    assert!(pulled.stdout.contains("team, serial 7, is in force: 2 policies"), "{pulled:?}");
    let file = settings(&machine).join("policy.d/bundle-7-base.toml");
    assert_eq!(fs::read_to_string(file).unwrap(), POLICY);
    let (exit, report) = status(&machine);
    assert_eq!((exit, &report["bundle"]["serial"]), (Some(0), &json!(7)), "{report:#}");
    assert_eq!(report["bundle"]["stale"], json!(false));
    assert_eq!(report["last_pull"]["outcome"], json!("installed"));
    // From now on the machine knows the key.
    bundle(&machine, "team.bundle", &["--serial", "8"]);
    assert_eq!(pull(&machine, "team.bundle", &[]).exit, Some(0));
    let again = pull(&machine, "team.bundle", &[]);
    assert!(again.exit == Some(0) && again.stdout.contains("was in force already"), "{again:?}");
}

#[test]
fn what_is_refused_is_said_and_changes_nothing() {
    let machine = machine();
    bundle(&machine, "old.bundle", &["--serial", "6"]);
    bundle(&machine, "team.bundle", &["--serial", "7"]);
    assert_eq!(pull(&machine, "team.bundle", &["--key", "team.pub"]).exit, Some(0));
    let refused = |answer: Answer, why: &str| {
        assert_eq!(answer.exit, Some(1), "{answer:?}");
        assert!(answer.stderr.contains(why) && answer.stderr.contains("stays in force"), "{answer:?}");
        let (exit, report) = status(&machine);
        assert_eq!((exit, &report["bundle"]["serial"]), (Some(1), &json!(7)), "{report:#}");
        assert_eq!(report["last_pull"]["outcome"], json!("refused"));
        assert!(report["last_pull"]["why"].as_str().unwrap().contains(why), "{report:#}");
    };
    refused(pull(&machine, "old.bundle", &[]), "is older than 7");
    refused(pull(&machine, "team.bundle", &["--key", "other.pub"]), "is signed by the key");
    bundle(&machine, "next.bundle", &["--serial", "8", "--requires", "99.0.0"]);
    refused(pull(&machine, "next.bundle", &[]), "needs version 99.0.0");
    bundle(
        &machine,
        "next.bundle",
        &["--serial", "8", "--not-before", "2001-01-01", "--not-after", "2001-02-01"],
    );
    refused(pull(&machine, "next.bundle", &[]), "was valid until 2001-02-01");
    bundle(&machine, "next.bundle", &["--serial", "8", "--not-before", "2999-01-01"]);
    refused(pull(&machine, "next.bundle", &[]), "valid from 2999-01-01");
    bundle(&machine, "next.bundle", &["--serial", "8"]);
    let path = machine.project().join("next.bundle");
    let mut bytes = fs::read(&path).unwrap();
    bytes[600] ^= 1;
    fs::write(&path, bytes).unwrap();
    refused(pull(&machine, "next.bundle", &[]), "signature does not hold");
    // No bundle at all is not a refusal, and is remembered as well.
    let missing = pull(&machine, "none.bundle", &[]);
    assert_eq!(missing.exit, Some(2), "{missing:?}");
    assert_eq!(status(&machine).1["last_pull"]["outcome"], json!("failed"));
}

#[test]
fn a_policy_with_a_mistake_is_not_packed() {
    let machine = machine();
    for (old, new, why) in [
        ("\"deny\"", "\"block\"", "base.toml:4:"),
        ("[\"make deploy\"]", "[\"make test\"]", "the rule does not match it"),
    ] {
        let text = POLICY.replace(old, new);
        assert_ne!(text, POLICY);
        fs::write(machine.project().join("policies/base.toml"), text).unwrap();
        let answer = bundle(&machine, "team.bundle", &[]);
        assert_eq!(answer.exit, Some(1), "{answer:?}");
        assert!(answer.stdout.contains(why) && answer.stdout.contains("nothing was written"), "{answer:?}");
        assert!(!machine.project().join("team.bundle").exists());
    }
}

#[test]
fn one_who_has_no_bundle_hears_so() {
    let machine = machine();
    let (exit, report) = status(&machine);
    assert_eq!(
        (exit, &report["bundle"], &report["last_pull"]),
        (Some(0), &Value::Null, &Value::Null),
        "{report:#}"
    );
    let unkeyed = pull(&machine, "team.bundle", &[]);
    assert!(unkeyed.exit == Some(2) && unkeyed.stderr.contains("follows no key yet"), "{unkeyed:?}");
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
    let call = Call::new("/usr/bin/env").args(["git", "-C", folder.to_str().unwrap()]);
    let answer = call.args(identity).args(arguments.iter().copied()).run();
    assert_eq!(answer.exit, Some(0), "{arguments:?}: {answer:?}");
}

/// A repository in which everything that git could run on the way says so in a file.
#[test]
fn nothing_of_a_repository_is_run() {
    let machine = machine();
    bundle(&machine, "team.bundle", &["--serial", "7"]);
    let repository = machine.project().join("repository");
    fs::create_dir(&repository).unwrap();
    git(&repository, &["init", "--quiet", "--initial-branch", "main"]);
    for name in ["team.bundle", "team.bundle.minisig"] {
        fs::copy(machine.project().join(name), repository.join(name)).unwrap();
    }
    let mark = machine.project().join("ran");
    let touch = format!("touch '{}'", mark.display());
    fs::write(repository.join(".gitattributes"), "* filter=evil diff=evil\n").unwrap();
    fs::write(
        repository.join(".gitmodules"),
        "[submodule \"x\"]\n\tpath = x\n\turl = ext::sh -c touch% ran\n",
    )
    .unwrap();
    git(&repository, &["add", "--all"]);
    git(&repository, &["commit", "--quiet", "--message", "team"]);
    for (key, value) in [
        ("filter.evil.smudge", touch.as_str()),
        ("filter.evil.required", "true"),
        ("core.fsmonitor", &touch),
        ("core.sshCommand", &touch),
        ("core.hooksPath", "hooks"),
        ("uploadpack.packObjectsHook", &touch),
    ] {
        git(&repository, &["config", key, value]);
    }
    for hook in ["post-checkout", "post-merge", "reference-transaction", "pre-auto-gc"] {
        for folder in ["hooks", ".git/hooks"] {
            fs::create_dir_all(repository.join(folder)).unwrap();
            let path = repository.join(folder).join(hook);
            fs::write(&path, format!("#!/bin/sh\n{touch}\n")).unwrap();
            #[cfg(unix)]
            fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        }
    }
    let address = format!("file://{}", repository.display());
    let pulled = pull(&machine, &address, &["--key", "team.pub", "--ref", "main"]);
    assert_eq!(pulled.exit, Some(0), "{pulled:?}");
    assert!(!mark.exists(), "something of the repository was run");
    assert_eq!(status(&machine).1["bundle"]["serial"], json!(7));
    // The name of a branch never becomes an option of git.
    for reference in ["--upload-pack=touch ran", "-x", "main:refs/heads/x", "../x"] {
        let answer = pull(&machine, &address, &[&format!("--ref={reference}")]);
        assert_eq!(answer.exit, Some(2), "{answer:?}");
    }
    for address in ["ext::sh -c touch% ran", "ssh://-oProxyCommand=touch/x", "http://example.org/x.bundle"] {
        let answer = pull(&machine, address, &[]);
        assert_eq!(answer.exit, Some(2), "{answer:?}");
    }
    assert!(!mark.exists() && !machine.project().join("ran").exists());
    // What is not there is an error, with the last good one in force.
    let answer = pull(&machine, &address, &["--ref", "no-such-branch"]);
    assert_eq!(answer.exit, Some(2), "{answer:?}");
    assert_eq!(status(&machine).1["bundle"]["serial"], json!(7));
}

/// Pulls that are killed at any moment: what is in force is one bundle, whole.
#[cfg(unix)]
#[test]
fn a_killed_pull_leaves_one_bundle_in_force() {
    let machine = machine();
    bundle(&machine, "a.bundle", &["--serial", "1"]);
    assert_eq!(pull(&machine, "a.bundle", &["--key", "team.pub"]).exit, Some(0));
    let program = support::programs::hook_runner();
    for serial in 2..26_u64 {
        let number = serial.to_string();
        bundle(&machine, "a.bundle", &["--serial", &number]);
        let mut child = std::process::Command::new(program)
            .args(["policy", "pull", "a.bundle", "--root", "root"])
            .current_dir(machine.project())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // Wherever it is by then: what has to hold does not depend on it.
        std::thread::sleep(std::time::Duration::from_micros(serial * 700));
        child.kill().unwrap();
        child.wait().unwrap();
        let folder = settings(&machine).join("policy.d");
        let mut names: Vec<String> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let (_, report) = status(&machine);
        let in_force = report["bundle"]["serial"].as_u64().unwrap();
        let whole = ["base", "more"].map(|name| format!("bundle-{in_force}-{name}.toml"));
        assert_eq!(names, [whole[0].as_str(), whole[1].as_str(), "bundle.lock"], "{report:#}");
        assert!((1..=serial).contains(&in_force) && report["altered"] == json!([]), "{report:#}");
    }
    let (_, before) = status(&machine);
    bundle(&machine, "a.bundle", &["--serial", "99"]);
    assert_eq!(pull(&machine, "a.bundle", &[]).exit, Some(0), "after {before:#}");
}

/// The record of an event.
fn record(event: &str, session: u32, command: &str) -> String {
    json!({
        "v": 1, "id": "0", "kind": "event", "event": event, "ts": "2026-11-24T10:00:00.000000Z",
        "session": session.to_string(), "cwd": "/home/user/p", "call": format!("{session}-{command}"),
        "tool": { "name": "Bash", "kind": "shell" }, "command": command,
    })
    .to_string()
        + "\n"
}

#[test]
fn what_was_approved_is_a_diff_for_a_person() {
    let log: String = (0..4)
        .flat_map(|session| ["make test", "rm -rf ~/work"].map(move |command| (session, command)))
        .flat_map(|(session, command)| {
            ["PreToolUse", "PermissionRequest", "PostToolUse"].map(|event| record(event, session, command))
        })
        .collect();
    let machine = Machine::new().with("audit.jsonl", &log).with("policy.toml", "schema = 1\n");
    let learnt = machine.runner(["policy", "learn", "audit.jsonl", "--policy", "policy.toml"]);
    assert_eq!(learnt.exit, Some(0), "{learnt:?}");
    assert!(learnt.stdout.contains("+run = { program = \"make\", written = [\"make test\"] }"), "{learnt:?}");
    assert!(!learnt.stdout.contains("rm -rf"), "{learnt:?}");
    assert!(learnt.stderr.contains("not proposed: rm -rf ~/work (4 times): the built-in rule"), "{learnt:?}");
    let policy = machine.project().join("policy.toml");
    assert_eq!(fs::read_to_string(&policy).unwrap(), "schema = 1\n", "nothing is written");
    // The diff is one that `patch` takes, and what it adds is only looser by what was approved.
    let added: String = learnt
        .stdout
        .lines()
        .skip(3)
        .filter_map(|line| line.strip_prefix('+'))
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(machine.project().join("new.toml"), format!("schema = 1\n{added}")).unwrap();
    assert_eq!(machine.runner(["policy", "test", "new.toml", "--mutate"]).exit, Some(0));
    let diff = |old: &str, new: &str| {
        machine.runner(["policy", "diff", old, new, "audit.jsonl", "--fail-on-loosening", "--json"])
    };
    let looser = diff("policy.toml", "new.toml");
    let report: Value = serde_json::from_str(&looser.stdout).unwrap();
    assert_eq!(
        (looser.exit, &report["calls"], &report["loosened"]),
        (Some(1), &json!(8), &json!(4)),
        "{report:#}"
    );
    assert_eq!(diff("new.toml", "policy.toml").exit, Some(0));
    let plain = machine.runner(["policy", "diff", "new.toml", "policy.toml", "audit.jsonl"]);
    assert_eq!(plain.exit, Some(1), "{plain:?}");
    // A log with nothing in it is not a log in which nothing was approved.
    let none = machine.runner(["policy", "learn", "policy.toml", "--policy", "policy.toml"]);
    assert_eq!(none.exit, Some(2), "{none:?}");
}

#[test]
fn findings_count_from_the_level_that_is_asked_for() {
    let policy = "schema = 1\n[[rule]]\nid = \"x\"\ndecision = \"deny\"\nreason = \"r\"\nrun = { program = \"frob\" }\n";
    let machine = Machine::new().with(".github/hooks/policy.toml", policy);
    let check = |more: &[&str]| {
        let mut line = vec!["check", ".github/hooks/policy.toml"];
        line.extend(more);
        machine.runner(line)
    };
    let usual = check(&[]);
    assert!(usual.exit == Some(1) && usual.stdout.contains("policy.doubt"), "{usual:?}");
    assert_eq!(check(&["--level", "error"]).exit, Some(0));
    assert_eq!(check(&["--level", "note"]).exit, Some(1));
    assert_eq!(check(&["--ignore", "policy.doubt"]).exit, Some(0));
    for (format, has) in [
        ("sarif", "\"ruleId\": \"policy.doubt\""),
        ("github", "::warning file="),
        ("json", "\"policy.doubt\""),
    ] {
        let answer = check(&["--format", format]);
        assert!(answer.stdout.contains(has), "{answer:?}");
    }
}
