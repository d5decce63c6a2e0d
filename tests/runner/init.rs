//! `init`: shows first, never touches what is not ours, twice is once, and back again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use support::call::Call;
use support::programs::{command_blocker, hook_runner};

use super::{Machine, shipped};

const HOSTS: &[&str] = &["vscode", "copilot", "copilot-cloud", "claude", "codex", "gemini", "qwen"];

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
            ".github/hooks/10-command-blocker.json",
            ".qwen/settings.json"
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
    assert!(again.stdout.contains("everything is already installed"), "{again:?}");
    assert_eq!(files(&machine.project()), once);
    let nobody = machine.runner(arguments(&["--yes", "--remove"]));
    assert!(nobody.exit == Some(2) && nobody.stderr.contains("no terminal"), "{nobody:?}");
    assert_eq!(files(&machine.project()), once, "only a person removes");
    let Some(removed) = machine.at_a_terminal(&arguments(&["--yes", "--remove"]), "") else { return };
    assert_eq!(removed.exit, Some(0), "{removed:?}");
    assert_eq!(files(&machine.project()), BTreeMap::new());
    let nothing = machine.runner(arguments(&["--yes", "--remove"]));
    assert!(nothing.stdout.contains("nothing of ours is installed"), "{nothing:?}");
}

#[test]
fn a_summary_is_shown_first_and_nothing_is_written_without_a_yes() {
    let machine = Machine::new();
    for more in [&[][..], &["--dry-run"], &["--diff"]] {
        let answer = machine.runner(arguments(more));
        assert!(answer.stdout.contains(".claude/settings.json: new; 1 hook on 1 event\n"), "{answer:?}");
        let whole = answer.stdout.contains("+            \"command\": \"command-blocker\"");
        assert_eq!(whole, !more.is_empty(), "{answer:?}");
        assert!(whole || answer.stdout.lines().count() <= 20, "{answer:?}");
        assert_eq!(answer.exit, Some(if more == ["--dry-run"] { 0 } else { 2 }), "{answer:?}");
        assert_eq!(files(&machine.project()), BTreeMap::new());
    }
    let Some(no) = machine.at_a_terminal(&arguments(&[]), "d\nn\n") else { return };
    assert!(
        no.stdout.contains("+++ .claude/settings.json") && no.stdout.contains("Nothing was written."),
        "{no:?}"
    );
    assert_eq!((no.exit, files(&machine.project())), (Some(0), BTreeMap::new()), "{no:?}");
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
fn a_file_that_its_host_would_drop_is_not_touched() {
    for (text, place, why) in [
        ("{ \"hooks\": ", ".claude/settings.json:1:", "This is not JSON"),
        (
            "{\n  // mine\n  \"model\": \"sonnet\"\n}\n",
            ".claude/settings.json:2:3: ",
            "A comment is not JSON",
        ),
        ("{\"a\": [1,]}", ".claude/settings.json:1:", "A trailing comma"),
        ("null", ".claude/settings.json:1:1: ", "The file contains null, not an object"),
        ("{\n  \"model\": 7\n}", ".claude/settings.json:2:12: ", "`model` is the number 7, not a string"),
        ("{\"disableAllHooks\": true}", ".claude/settings.json:1:2: ", "runs only managed hooks"),
        ("{\"hooks\": {\"PreToolUse\": [7]}}", ".claude/settings.json:1:27: ", "This entry is a number"),
    ] {
        let machine = Machine::new().with(".claude/settings.json", text);
        let answer = machine.runner(arguments(&["--yes"]));
        assert_eq!(answer.exit, Some(1), "{text}: {answer:?}");
        let said = &answer.stderr;
        assert!(
            said.contains(place) && said.contains(why) && said.contains("Nothing was written"),
            "{text}: {said}"
        );
        assert!(!said.contains("permissions"), "{said}");
        assert_eq!(files(&machine.project()).len(), 1, "nothing else is written either");
        assert_eq!(files(&machine.project())[".claude/settings.json"], text);
    }
}

/// With [`shared/host/tests/settings.rs`], which holds what we make of such files against what the real host made of them:
/// `init` writes into no file that Claude Code drops, and refuses none that it takes.
#[test]
fn what_claude_code_drops_is_refused_and_what_it_takes_is_written() {
    let table =
        fs::read_to_string(support::programs::root().join("tests/cases/settings/claude.tsv")).unwrap();
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let machine = Machine::new().with(".claude/settings.json", "");
    let path = machine.project().join(".claude/settings.json");
    let mut counted = [0, 0];
    // Every case of syntax and hooks, and some of each key.
    for (index, row) in rows.enumerate().filter(|(index, _)| *index < 110 || index % 16 == 0) {
        let [outcome, name, text] = *row.splitn(3, '\t').collect::<Vec<_>>() else { panic!("{row}") };
        let text: String = serde_json::from_str(text).unwrap();
        fs::write(&path, &text).unwrap();
        let answer = machine.runner(["init", "--yes", "--host", "claude", "--hook", "command-blocker"]);
        let written = fs::read_to_string(&path).unwrap();
        counted[usize::from(answer.exit == Some(0))] += 1;
        if answer.exit == Some(0) {
            // Of several members of one name the last counts, and that is where ours are; theirs was in another.
            let theirs = ["duplicate hooks empty last", "duplicate event empty last"];
            assert!(outcome == "runs" || theirs.contains(&name), "{index} {name}: {written}");
            assert!(written.contains("command-blocker"), "{name}: {written}");
        } else {
            assert_eq!((answer.exit, &written), (Some(1), &text), "{name}: {answer:?}");
            let stricter = ["lone surrogate", "deep", "deeper", "deep hooks", "pre null"];
            assert!(outcome == "drops" || stricter.contains(&name), "{name}: {answer:?}");
        }
    }
    assert!(counted.iter().all(|count| *count > 50), "{counted:?}");
}

#[test]
fn what_keeps_hooks_from_running_elsewhere_is_said() {
    let machine = Machine::new().with(".claude/settings.local.json", "{\n \"disableAllHooks\": true}");
    let call = |host, more: &[&'static str]| {
        machine.runner(
            ["init", "--hook", "command-blocker", "--host", host].into_iter().chain(more.iter().copied()),
        )
    };
    let answer = call("claude", &["--yes"]);
    assert_eq!(answer.exit, Some(1), "{answer:?}");
    assert!(
        answer.stdout.contains("disableAllHooks") && answer.stdout.contains("settings.local.json"),
        "{answer:?}"
    );
    fs::create_dir_all(machine.home().join(".codex")).unwrap();
    fs::write(machine.home().join(".codex/config.toml"), "[features]\nhooks = false\n").unwrap();
    let answer = call("codex", &["--yes", "--user"]);
    assert_eq!(answer.exit, Some(1), "{answer:?}");
    assert!(answer.stdout.contains("~/.codex/config.toml:2:1: `hooks = false`"), "{answer:?}");
    fs::remove_file(machine.home().join(".codex/config.toml")).unwrap();
    let answer = call("codex", &["--yes", "--user"]);
    assert!(answer.exit == Some(0) && answer.stdout.contains("/hooks"), "{answer:?}");
    // Copilot CLI reads that file of Claude Code's, and its switch.
    let answer = call("copilot", &["--yes"]);
    assert!(answer.exit == Some(1) && answer.stdout.contains("switches them off"), "{answer:?}");
    fs::remove_file(machine.project().join(".claude/settings.local.json")).unwrap();
    let answer = call("copilot", &["--yes"]);
    assert!(answer.exit == Some(0) && answer.stdout.contains("this folder is not trusted"), "{answer:?}");
    for file in
        [machine.home().join(".gemini/settings.json"), machine.project().join(".gemini/settings.json")]
    {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "{\"hooksConfig\": {\"enabled\": false}}").unwrap();
        let answer = call("gemini", &["--yes", "--user"]);
        let said = format!("{}{}", answer.stdout, answer.stderr);
        assert!(answer.exit == Some(1) && said.contains("`hooksConfig.enabled` is false"), "{answer:?}");
        fs::remove_file(&file).unwrap();
    }
    let answer = machine.runner(["init", "--yes", "--user", "--host", "copilot-cloud", "--host", "vscode"]);
    assert!(answer.exit == Some(2) && answer.stderr.contains("Nothing was done"), "{answer:?}");
    assert!(!machine.home().join(".copilot").exists());
}

#[test]
fn a_missing_program_is_refused() {
    let machine = Machine::new();
    let call = machine.call(arguments(&["--yes"])).env("PATH", "/usr/bin:/bin");
    let answer = call.run();
    assert_eq!(answer.exit, Some(2), "{answer:?}");
    assert!(answer.stderr.contains("not on the PATH. Without it, "), "{answer:?}");
    let forced = machine.call(arguments(&["--yes", "--force"])).env("PATH", "/usr/bin:/bin").run();
    assert_eq!(forced.exit, Some(0), "{forced:?}");
}

#[test]
fn the_users_own_settings_are_for_every_project() {
    let machine = Machine::new();
    let hosts = HOSTS.iter().filter(|host| **host != "copilot-cloud").flat_map(|host| ["--host", host]);
    let answer =
        machine.runner(["init", "--yes", "--user", "--hook", "command-blocker"].into_iter().chain(hosts));
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    let names: Vec<String> = files(&machine.home()).into_keys().collect();
    assert_eq!(
        names,
        [
            ".claude/settings.json",
            ".codex/hooks.json",
            ".copilot/hooks/10-command-blocker.json",
            ".gemini/settings.json",
            ".qwen/settings.json"
        ]
    );
    assert_eq!(files(&machine.project()), BTreeMap::new());
}

/// What a person may have written already, for each host whose file is of others as well: its path, and texts.
const THEIRS: &[(&str, &str, &[&str])] = &[
    (
        "cursor",
        ".cursor/hooks.json",
        &[
            "{\"version\": 1}\n",
            "{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [{ \"command\": \"mine\" }]\n  }\n}\n",
        ],
    ),
    (
        "windsurf",
        ".codeium/windsurf/hooks.json",
        &["{\"hooks\": {\"pre_run_command\": [{\"command\": \"mine\"}]}}\n"],
    ),
    (
        "antigravity",
        ".gemini/config/hooks.json",
        &["{\n  \"mine\": {\"Stop\": [{\"command\": \"mine\"}]}\n}\n"],
    ),
    ("droid", ".factory/settings.json", &["{\"model\": \"x\"}", "{\n  // mine\n  \"hooks\": {}\n}\n"]),
    ("augment", ".augment/settings.json", &["{}\n"]),
    ("devin", ".config/devin/config.json", &["{\n\t\"model\": \"x\"\n}\n"]),
    ("crush", ".config/crush/crush.json", &["{\"hooks\": {\"PreToolUse\": []}}\n"]),
    (
        "hermes",
        ".hermes/config.yaml",
        &["model: x\nhooks: {}\n", "hooks:\n  pre_tool_call:\n  - command: mine\n"],
    ),
    ("qwen", ".qwen/settings.json", &["{\n  \"model\": {\"name\": \"x\"}\n}\n"]),
    ("opencode", ".config/opencode/plugin/mine.js", &["export const Mine = async () => ({})\n"]),
    ("pi", ".pi/agent/extensions/mine.js", &["export default function () {}\n"]),
    ("openhands", ".openhands/hooks.json", &["{\n  \"Stop\": [{\"hooks\": [{\"command\": \"mine\"}]}]\n}\n"]),
    ("cline", ".cline/hooks/TaskStart", &["#!/bin/sh\necho '{}'\n"]),
    ("kiro", ".kiro/hooks/mine.json", &["{\"version\": \"v1\", \"hooks\": []}\n"]),
];

#[test]
fn every_host_is_set_up_for_its_user_denies_and_is_as_before_afterwards() {
    let hosts = host::Product::ALL.into_iter().filter(|host| host.place(host::place::Scope::User).is_some());
    let mut shown = 0;
    for host in hosts {
        let none: &[&str] = &[];
        let (path, texts) = THEIRS
            .iter()
            .find(|(name, ..)| *name == host.name)
            .map_or(("", none), |(_, path, texts)| (path, texts));
        for text in texts.iter().map(|text| Some(*text)).chain([None]) {
            let machine = Machine::new();
            if let Some(text) = text {
                let file = machine.home().join(path);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, text).unwrap();
            }
            let before = files(&machine.home());
            let arguments = ["init", "--user", "--yes", "--hook", "command-blocker", "--host", host.name];
            let init = machine.runner(arguments);
            // A host may have something left to do for a person.
            assert!(matches!(init.exit, Some(0 | 1)), "{host}: {init:?}");
            assert!(init.stdout.contains("written"), "{host}: {init:?}");
            let once = files(&machine.home());
            assert_ne!(once, before, "{host}");
            let again = machine.runner(arguments);
            assert!(again.stdout.contains("already installed"), "{host}: {again:?}");
            assert_eq!(files(&machine.home()), once, "{host}");
            let denied = machine.runner(["run", "--host", host.name, "--command", "rm -rf /"]);
            assert_eq!(denied.exit, Some(1), "{host}: {denied:?}");
            let edited = machine.runner(["run", "--host", host.name, "--edit", "/home/user/.bashrc"]);
            assert!(!edited.stdout.contains("no hook"), "{host}: {edited:?}");
            let status = machine.runner(["status", "--json"]);
            let status: Value = serde_json::from_str(&status.stdout).unwrap();
            let state = status["hosts"].as_array().unwrap().iter().find(|of| of["host"] == host.name);
            assert_eq!(state.unwrap()["state"], "guarded", "{host}: {status:#}");
            let removal = [&arguments[..], &["--remove"]].concat();
            let Some(removed) = machine.at_a_terminal(&removal, "") else { return };
            assert_eq!(removed.exit, Some(0), "{host}: {removed:?}");
            assert_eq!(files(&machine.home()), before, "{host}");
            shown += 1;
        }
    }
    assert!(shown > 30, "{shown}");
}

/// The commands of a file's hooks.
fn commands(path: &Path) -> Vec<String> {
    fn all(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(members) => {
                let own = ["command", "bash"].into_iter().filter_map(|key| members.get(key)?.as_str());
                found.extend(own.map(str::to_owned));
                members.values().for_each(|value| all(value, found));
            }
            Value::Array(list) => list.iter().for_each(|value| all(value, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    all(&serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap(), &mut found);
    found
}

#[cfg(unix)]
#[test]
fn the_users_own_settings_have_absolute_paths_that_every_shell_starts() {
    let place = tempfile::tempdir().unwrap();
    let names = ["plain", "a b", "o'neill", "$(touch ran)", "a;b"];
    let own = [
        ".claude/settings.json",
        ".codex/hooks.json",
        ".gemini/settings.json",
        ".copilot/hooks/10-command-blocker.json",
    ];
    let machine = Machine::new();
    for name in names {
        // Beside hook-runner, with nothing on the PATH.
        let folder = place.path().canonicalize().unwrap().join(name);
        fs::create_dir(&folder).unwrap();
        for program in [hook_runner(), command_blocker()] {
            let to = folder.join(program.file_name().unwrap());
            fs::hard_link(program, &to).or_else(|_| fs::copy(program, &to).map(drop)).unwrap();
        }
        let run = |arguments: &[&str]| {
            let call = machine.prepare(Call::new(folder.join("hook-runner")).args(arguments.iter().copied()));
            call.env("PATH", "/usr/bin:/bin").run()
        };
        let init = [
            "init",
            "--yes",
            "--user",
            "--hook",
            "command-blocker",
            "--host",
            "claude",
            "--host",
            "codex",
            "--host",
            "gemini",
            "--host",
            "copilot",
            "--host",
            "vscode",
        ];
        let answer = run(&init);
        assert_eq!(answer.exit, Some(0), "{answer:?}");
        assert!(run(&init).stdout.contains("everything is already installed"));
        for file in own {
            let commands = commands(&machine.home().join(file));
            assert_eq!(commands.len(), 1, "moved, not doubled: {commands:?}");
            let payload = r#"{"hook_event_name":"PreToolUse","cwd":"/","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}"#;
            let answer = Call::new("/bin/sh")
                .args(["-c", &commands[0]])
                .env("PATH", "/usr/bin:/bin")
                .input(payload)
                .run();
            assert!(answer.stdout.contains("\"deny\""), "{name}: {commands:?}: {answer:?}");
        }
        let doctor = run(&[
            "doctor", "--json", "--host", "claude", "--host", "codex", "--host", "gemini", "--host", "vscode",
        ]);
        let report: Value = serde_json::from_str(&doctor.stdout).unwrap();
        for host in report["hosts"].as_array().unwrap() {
            assert_eq!(host["hooks"][0]["went"], "works", "{host:#}");
        }
        let check = run(&["check", "--format", "json"]);
        assert_eq!(check.exit, Some(0), "{check:?}");
    }
    assert!(!machine.project().join("ran").exists());
    // By name on top changes nothing, and what was there by name gets its path.
    let shelf = place.path().canonicalize().unwrap().join("plain");
    let path = machine.home().join(own[0]);
    fs::write(
        &path,
        fs::read_to_string(&path).unwrap().replace(&commands(&path)[0], "command-blocker --mode observe"),
    )
    .unwrap();
    let call = machine.prepare(Call::new(shelf.join("hook-runner")));
    let answer =
        call.args(["init", "--yes", "--user", "--hook", "command-blocker", "--host", "claude"]).run();
    // What only watches is said, as it denies nothing.
    assert!(answer.exit == Some(1) && answer.stdout.contains("Claude Code  not denied"), "{answer:?}");
    assert_eq!(commands(&path), [format!("{} --mode observe", shelf.join("command-blocker").display())]);
}

#[test]
fn removing_gives_back_the_same_bytes() {
    let gemini = "{\"security\": {\"auth\": {}}, \"general\": {\"vimMode\": true}}";
    let texts = [
        "",
        "{}",
        "{}\n",
        "{\"a\":1}",
        "{\r\n  \"a\": 1\r\n}\r\n",
        "{\"hooks\": {}}",
        "{\n  \"model\": \"x\"\n}",
    ];
    for text in texts {
        let machine = Machine::new().with(".gemini/settings.json", gemini).with("elsewhere.json", text);
        fs::create_dir(machine.project().join(".claude")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../elsewhere.json", machine.project().join(".claude/settings.json"))
            .unwrap();
        let before = files(&machine.project());
        let all = |more: &[&'static str]| {
            ["init", "--hook", "command-blocker", "--yes", "--host", "claude", "--host", "gemini"]
                .into_iter()
                .chain(more.iter().copied())
                .collect::<Vec<_>>()
        };
        let put = machine.runner(all(&[]));
        assert_eq!(put.exit, Some(0), "{text}: {put:?}");
        assert!(
            fs::read_to_string(machine.project().join("elsewhere.json")).unwrap().contains("command-blocker")
        );
        let Some(taken) = machine.at_a_terminal(&all(&["--remove"]), "") else { return };
        assert_eq!(taken.exit, Some(0), "{text}: {taken:?}");
        assert_eq!(files(&machine.project()), before, "{text}");
        #[cfg(unix)]
        assert!(machine.project().join(".claude/settings.json").is_symlink(), "the link stays one");
    }
}

#[test]
fn unknown_names_are_explained() {
    let machine = Machine::new();
    for (arguments, expected) in [
        (&["init", "--yes", "--hook", "command-blocker"][..], "--host"),
        (&["init", "--yes", "--host", "claude", "--hook", "nothing"], "Unknown hook `nothing`"),
    ] {
        let answer = machine.runner(arguments.iter().copied());
        assert_eq!(answer.exit, Some(2), "{answer:?}");
        assert!(answer.stderr.contains(expected), "{answer:?}");
    }
}
