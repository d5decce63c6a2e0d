//! `init`: shows first, never touches what is not ours, twice is once, and back again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{Machine, shipped};

const HOSTS: &[&str] = &["vscode", "copilot", "copilot-cloud", "claude", "codex", "gemini"];

/// The arguments for every host; only hooks that this test has built.
fn arguments(more: &[&'static str]) -> Vec<&'static str> {
    let hosts = HOSTS.iter().flat_map(|host| ["--host", host]);
    ["init", "--hook", "command-blocker"].into_iter().chain(hosts).chain(more.iter().copied()).collect()
}

/// Every file below a folder.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn every_host_gets_its_file_and_denies_then() {
    let machine = Machine::new();
    let answer = machine.runner(arguments(&["--yes"]));
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    let files = files(&machine.project());
    let names: Vec<&String> = files.keys().collect();
    assert_eq!(
        names,
        [
            ".claude/settings.json",
            ".codex/hooks.json",
            ".gemini/settings.json",
            ".github/hooks/10-command-blocker.json"
        ]
    );
    assert_eq!(files[".github/hooks/10-command-blocker.json"], shipped("10-command-blocker.json"));
    for host in HOSTS {
        let denied = machine.runner(["run", "--host", host, "--command", "rm -rf /"]);
        assert_eq!(denied.exit, Some(1), "{host}: {denied:?}");
    }
    let check = machine
        .runner(["check", "--format", "json", "--host", "claude", "--host", "codex", "--host", "gemini"]);
    assert_eq!(check.exit, Some(0), "{check:?}");
}

#[test]
fn twice_is_once_and_removing_takes_everything_out_again() {
    let machine = Machine::new();
    machine.runner(arguments(&["--yes"]));
    let once = files(&machine.project());
    let again = machine.runner(arguments(&["--yes"]));
    assert!(again.stdout.contains("everything is there already"), "{again:?}");
    assert_eq!(files(&machine.project()), once);
    let nobody = machine.runner(arguments(&["--yes", "--remove"]));
    assert!(nobody.exit == Some(2) && nobody.stderr.contains("no terminal"), "{nobody:?}");
    assert_eq!(files(&machine.project()), once, "only a person removes");
    let Some(removed) = machine.at_a_terminal(&arguments(&["--yes", "--remove"]), "") else { return };
    assert_eq!(removed.exit, Some(0), "{removed:?}");
    assert_eq!(files(&machine.project()), BTreeMap::new());
    let nothing = machine.runner(arguments(&["--yes", "--remove"]));
    assert!(nothing.stdout.contains("nothing of ours is there"), "{nothing:?}");
}

#[test]
fn the_change_is_shown_first_and_nothing_is_written_without_a_yes() {
    let machine = Machine::new();
    for more in [&[][..], &["--dry-run"]] {
        let answer = machine.runner(arguments(more));
        assert!(answer.stdout.contains("+++ .claude/settings.json"), "{answer:?}");
        assert!(answer.stdout.contains("+            \"command\": \"command-blocker\""), "{answer:?}");
        assert_eq!(answer.exit, Some(if more.is_empty() { 2 } else { 0 }), "{answer:?}");
        assert_eq!(files(&machine.project()), BTreeMap::new());
    }
}

#[test]
fn what_is_not_ours_stays_as_it_was() {
    let claude = "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}\n    ]\n  }\n}\n";
    let gemini = "{\n  // the team's\n  \"theme\": \"GitHub\"\n}\n";
    let flat =
        "{\"version\": 1, \"hooks\": {\"PreToolUse\": [{\"bash\": \"command-blocker --profile strict\"}]}}\n";
    let machine = Machine::new()
        .with(".claude/settings.json", claude)
        .with(".gemini/settings.json", gemini)
        .with(".github/hooks/10-command-blocker.json", flat);
    let answer = machine.runner(arguments(&["--yes"]));
    assert!(answer.stdout.contains("left alone"), "{answer:?}");
    let after = files(&machine.project());
    assert_eq!(after[".github/hooks/10-command-blocker.json"], flat);
    assert!(after[".gemini/settings.json"].contains("// the team's"), "{after:?}");
    let settings: Value = serde_json::from_str(&after[".claude/settings.json"]).unwrap();
    assert_eq!(settings["model"], "opus");
    let groups = settings["hooks"]["PreToolUse"].as_array().unwrap();
    assert_eq!((groups.len(), &groups[0]["hooks"][0]["command"]), (2, &"mine".into()));

    if machine.at_a_terminal(&arguments(&["--yes", "--remove"]), "").is_none() {
        return;
    }
    let back = files(&machine.project());
    assert_eq!(back[".github/hooks/10-command-blocker.json"], flat);
    let meaning = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert_eq!(meaning(&back[".claude/settings.json"]), meaning(claude));
    assert!(
        back[".gemini/settings.json"].contains("// the team's")
            && !back[".gemini/settings.json"].contains("hooks")
    );
}

#[test]
fn a_file_that_cannot_be_read_is_not_touched() {
    let machine = Machine::new().with(".claude/settings.json", "{ \"hooks\": ");
    let answer = machine.runner(arguments(&["--yes"]));
    assert_eq!(answer.exit, Some(2), "{answer:?}");
    assert_eq!(files(&machine.project()).len(), 1, "nothing else is written either");
}

#[test]
fn a_missing_program_is_refused() {
    let machine = Machine::new();
    let call = machine.call(arguments(&["--yes"])).env("PATH", "/usr/bin:/bin");
    let answer = call.run();
    assert_eq!(answer.exit, Some(2), "{answer:?}");
    assert!(answer.stderr.contains("not on the PATH"), "{answer:?}");
    let forced = machine.call(arguments(&["--yes", "--force"])).env("PATH", "/usr/bin:/bin").run();
    assert_eq!(forced.exit, Some(0), "{forced:?}");
}

#[test]
fn the_users_own_settings_are_for_every_project() {
    let machine = Machine::new();
    let answer = machine.runner(arguments(&["--yes", "--user"]));
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    let names: Vec<String> = files(&machine.home()).into_keys().collect();
    assert_eq!(
        names,
        [
            ".claude/settings.json",
            ".codex/hooks.json",
            ".copilot/hooks/10-command-blocker.json",
            ".gemini/settings.json"
        ]
    );
    assert_eq!(files(&machine.project()), BTreeMap::new());
}

#[test]
fn unknown_names_are_explained() {
    let machine = Machine::new();
    for (arguments, expected) in [
        (&["init", "--yes", "--hook", "command-blocker"][..], "--host"),
        (&["init", "--yes", "--host", "claude", "--hook", "nothing"], "There is no hook `nothing`"),
    ] {
        let answer = machine.runner(arguments.iter().copied());
        assert_eq!(answer.exit, Some(2), "{answer:?}");
        assert!(answer.stderr.contains(expected), "{answer:?}");
    }
}
