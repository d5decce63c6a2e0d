//! `init` alone: what a person reads who types nothing else, each screen as it stands on a terminal of 80 columns.

use std::fs;
use std::path::PathBuf;

use support::call::{Answer, Call};
use support::programs::{command_blocker, hook_runner, root};
use tempfile::TempDir;

use super::Machine;

/// A machine with two of our programs, and the folders that these hosts leave behind.
struct Desk {
    machine: Machine,
    programs: TempDir,
}

impl Desk {
    fn new(hosts: &[&str]) -> Self {
        let desk = Self { machine: Machine::new(), programs: tempfile::tempdir().unwrap() };
        for host in hosts {
            fs::create_dir_all(desk.machine.home().join(host)).unwrap();
        }
        for program in [hook_runner(), command_blocker()] {
            let to = desk.folder().join(program.file_name().unwrap());
            fs::hard_link(program, &to).or_else(|_| fs::copy(program, &to).map(drop)).unwrap();
        }
        desk
    }

    fn folder(&self) -> PathBuf {
        self.programs.path().canonicalize().unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Answer {
        let call = Call::new(self.folder().join("hook-runner")).args(arguments.iter().copied());
        self.machine.prepare(call).env("PATH", "/usr/bin:/bin").run()
    }

    /// Holds a screen against the one that is kept; what depends on the machine is left out.
    fn shows(&self, name: &str, arguments: &[&str], exit: i32) -> String {
        let answer = self.run(arguments);
        assert_eq!(answer.exit, Some(exit), "{name}: {answer:?}");
        let said = format!("{}{}", answer.stdout, answer.stderr);
        for line in said.lines() {
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
        let said = without_times(&said.replace(&self.folder().display().to_string(), "/usr/bin"));
        let path = root().join("tests/runner/screens").join(format!("{name}.txt"));
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &said).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(said, kept, "{name}: renew with UPDATE_SNAPSHOTS=1");
        said
    }
}

/// With `N ms` for every time.
fn without_times(text: &str) -> String {
    let words = text.split_inclusive([' ', '\n', '(']).collect::<Vec<_>>();
    let number = |word: &str| word.trim_end().chars().all(|c| c.is_ascii_digit()) && !word.trim().is_empty();
    let of = |(index, word): (usize, &&str)| {
        let is_time = words.get(index + 1).is_some_and(|next| next.trim_end() == "ms");
        if is_time && number(word) { "N ".to_owned() } else { (*word).to_owned() }
    };
    words.iter().enumerate().map(of).collect()
}

const ALL: &[&str] = &[".claude", ".codex", ".copilot", ".gemini", ".qwen", ".config/Code"];

#[test]
fn what_is_there_is_found_and_asked_about_in_twenty_lines() {
    let desk = Desk::new(ALL);
    for (name, preset) in [("guard", "guard"), ("team", "team"), ("audit", "audit")] {
        let said = desk.shows(&format!("init-{name}"), &["init", "--preset", preset], 2);
        assert!(said.lines().count() <= 20, "{said}");
    }
    assert_eq!(
        desk.run(&["init"]).stdout.lines().last(),
        desk.run(&["init", "--preset", "guard"]).stdout.lines().last()
    );
    assert!(!desk.machine.home().join(".claude/settings.json").exists(), "no one said yes");
    let said = Desk::new(&[".claude"]).shows("init-one-host", &["init"], 2);
    assert!(!said.contains("Codex"), "{said}");
    Desk::new(&[]).shows("init-no-host", &["init"], 2);
}

#[test]
fn one_command_protects_and_proves_it() {
    let desk = Desk::new(ALL);
    let said = desk.shows("init-yes", &["init", "--yes"], 0);
    let (_, line) = said.split_once("ask your agent to run `").unwrap();
    let command = line.split_once('`').unwrap().0.to_owned();
    for host in ["vscode", "copilot", "claude", "codex", "gemini", "qwen"] {
        let denied = desk.run(&["run", "--host", host, "--command", &command]);
        assert_eq!(denied.exit, Some(1), "{host}: {denied:?}");
    }
    desk.shows("init-again", &["init", "--yes"], 0);
    assert_eq!(desk.run(&["doctor"]).exit, Some(0));
}

#[test]
fn a_file_that_a_host_drops_leaves_the_others_guarded() {
    let desk = Desk::new(&[".claude", ".gemini"]);
    fs::write(desk.machine.home().join(".claude/settings.json"), "{\"a\": [1,]}").unwrap();
    desk.shows("init-left-out", &["init", "--yes"], 1);
    let denied = desk.run(&["run", "--host", "gemini", "--command", "rm -rf /"]);
    assert_eq!(denied.exit, Some(1), "{denied:?}");
}

#[test]
fn one_program_decides() {
    let desk = Desk::new(&[".claude"]);
    let gate = ["init", "--yes", "--decider", "approval-gate"];
    let missing = desk.run(&gate);
    assert!(missing.exit == Some(2) && missing.stderr.contains("approval-gate is neither"), "{missing:?}");
    // What is asked for by a policy is the program that reads it.
    let policies = desk.machine.home().join(".config/policy-hooks");
    fs::create_dir_all(&policies).unwrap();
    fs::write(policies.join("policy.toml"), "schema = 1\n").unwrap();
    let by_policy = desk.run(&["init", "--yes"]);
    assert!(by_policy.stderr.contains("approval-gate is neither"), "{by_policy:?}");
    let said = desk.run(&["init", "--yes", "--decider", "command-blocker"]);
    assert_eq!(said.exit, Some(0), "{said:?}");
    // What is installed stays the one that decides.
    assert_eq!(desk.run(&["init", "--yes"]).exit, Some(0));
}

#[test]
fn another_preset_can_be_asked_for_and_everything_be_removed() {
    let desk = Desk::new(&[".claude", ".gemini"]);
    let before = desk.machine.home().join(".gemini/settings.json");
    assert_eq!(desk.run(&["init", "--yes"]).exit, Some(0));
    assert!(before.exists());
    let Some(other) = desk.machine.at_a_terminal(&["init", "--decider", "command-blocker"], "audit\nn\n")
    else {
        return;
    };
    assert!(other.stdout.contains("* audit") && other.stdout.contains("Nothing was written"), "{other:?}");
    let Some(removed) = desk.machine.at_a_terminal(&["init", "--remove", "--yes"], "") else { return };
    assert!(removed.exit == Some(0) && removed.stdout.contains("removed"), "{removed:?}");
    assert!(!before.exists());
}
