//! `init --machine`: the files of an administrator, merged with what is there, and taken out again to the byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use support::programs::command_blocker;

use super::Machine;

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
fn a_machine_gets_its_files_once_and_gets_its_own_back() {
    let machine = Machine::new();
    let root = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("etc/claude-code/managed-settings.json", "{\"permissions\": {\"deny\": [\"WebFetch\"]}}"),
        ("etc/codex/requirements.toml", "allowed_approval_policies = [\"on-request\"]"),
    ] {
        fs::create_dir_all(root.path().join(name).parent().unwrap()).unwrap();
        fs::write(root.path().join(name), text).unwrap();
    }
    let before = files(root.path());
    let place = root.path().display().to_string();
    let bin = command_blocker().parent().unwrap().display().to_string();
    let call = ["init", "--machine", "--yes", "--root", &place, "--bin", &bin];
    let put = machine.runner(call);
    assert_eq!(put.exit, Some(0), "{put:?}");
    let after = files(root.path());
    let names: Vec<&str> = after.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "etc/claude-code/managed-settings.json",
            "etc/codex/requirements.toml",
            "etc/gemini-cli/settings.json",
            "etc/github-copilot/policy.d/10-command-blocker.json",
            "etc/qwen-code/settings.json"
        ]
    );
    for (name, text) in &after {
        assert!(text.contains(&format!("{bin}/command-blocker")), "{name}: {text}");
    }
    assert!(after["etc/claude-code/managed-settings.json"].contains("WebFetch"));
    assert!(after["etc/github-copilot/policy.d/10-command-blocker.json"].contains("\"exec\": "));
    let again = machine.runner(call);
    assert!(again.stdout.contains("everything is already installed"), "{again:?}");
    // Only a person removes it.
    let remove = ["init", "--machine", "--remove", "--yes", "--root", &place];
    assert_eq!(machine.runner(remove).exit, Some(2));
    assert_eq!(files(root.path()), after);
    let Some(removed) = machine.at_a_terminal(&remove, "") else { return };
    assert_eq!(removed.exit, Some(0), "{removed:?}");
    assert_eq!(files(root.path()), before);
    for folder in ["gemini-cli", "github-copilot"] {
        assert!(!root.path().join("etc").join(folder).exists(), "{folder} is left");
    }
}

#[test]
fn a_program_that_a_user_could_replace_is_refused() {
    let machine = Machine::new();
    let folder = tempfile::tempdir().unwrap();
    let shelf = folder.path().canonicalize().unwrap();
    for program in [support::programs::hook_runner(), command_blocker()] {
        let to = shelf.join(program.file_name().unwrap());
        fs::hard_link(program, &to).or_else(|_| fs::copy(program, &to).map(drop)).unwrap();
    }
    let call = support::call::Call::new(shelf.join("hook-runner"));
    let root = tempfile::tempdir().unwrap();
    let place = root.path().display().to_string();
    let answer = machine
        .prepare(call.args(["init", "--machine", "--yes", "--root", &place]))
        .env("PATH", "/usr/bin:/bin")
        .run();
    assert!(answer.exit == Some(2) && answer.stderr.contains("could replace command-blocker"), "{answer:?}");
    assert_eq!(files(root.path()), BTreeMap::new());
}

#[test]
fn the_files_of_every_system_are_written_for_deployment() {
    let machine = Machine::new();
    let out = tempfile::tempdir().unwrap();
    let place = out.path().display().to_string();
    let answer = machine.runner(["init", "--machine", "--yes", "--preset", "audit", "--out", &place]);
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    let files = files(out.path());
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names.len(), 18, "{names:?}");
    for (name, program) in [
        ("linux/etc/codex/requirements.toml", "\"/usr/bin/command-blocker\""),
        (
            "macos/Library/Application Support/ClaudeCode/managed-settings.json",
            "\"/usr/local/bin/command-blocker\"",
        ),
        (
            "windows/C/ProgramData/GitHub/Copilot/policy.d/10-command-blocker.json",
            r#""C:\\Program Files\\policy-hooks\\bin\\command-blocker.exe""#,
        ),
        (
            "windows/C/ProgramData/gemini-cli/settings.json",
            r"& 'C:\\Program Files\\policy-hooks\\bin\\command-blocker.exe'",
        ),
    ] {
        assert!(files[name].contains(program), "{name}: {}", files[name]);
    }
    let wrong = machine.runner(["init", "--machine", "--yes", "--host", "vscode", "--out", &place]);
    assert!(wrong.exit == Some(2) && wrong.stderr.contains("reads no managed hook files"), "{wrong:?}");
}
