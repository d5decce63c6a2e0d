//! `check`: every code finds its case, and nothing else is found.

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::programs::root;

use super::{Machine, shipped};

/// A case file: what to do and to expect, then `-- PATH --` and the text of each file.
struct Case {
    name: String,
    head: Vec<(String, Vec<String>)>,
    files: Vec<(String, String)>,
}

impl Case {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let mut case = Self {
            name: path.file_name().unwrap().display().to_string(),
            head: Vec::new(),
            files: Vec::new(),
        };
        for line in text.split_inclusive('\n') {
            if let Some(name) = line.trim_end().strip_prefix("-- ").and_then(|rest| rest.strip_suffix(" --"))
            {
                case.files.push((name.to_owned(), String::new()));
            } else if let Some((_, text)) = case.files.last_mut() {
                text.push_str(line);
            } else {
                let (key, value) =
                    line.trim().split_once(": ").unwrap_or_else(|| panic!("{}: {line}", path.display()));
                case.head.push((key.to_owned(), value.split(' ').map(str::to_owned).collect()));
            }
        }
        case
    }

    fn all(&self, key: &str) -> impl Iterator<Item = &Vec<String>> {
        self.head.iter().filter(move |(known, _)| known == key).map(|(_, words)| words)
    }

    fn machine(&self) -> Machine {
        let mut machine = Machine::new();
        for (name, text) in &self.files {
            machine = machine.with(name, text);
        }
        for words in self.all("bytes") {
            let hex = words[1].as_bytes().chunks(2);
            let bytes: Vec<u8> =
                hex.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect();
            fs::write(machine.project().join(&words[0]), bytes).unwrap();
        }
        for words in self.all("mode") {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::Permissions::from_mode(u32::from_str_radix(&words[1], 8).unwrap());
            fs::set_permissions(machine.project().join(&words[0]), mode).unwrap();
        }
        machine
    }

    fn found(&self, machine: &Machine) -> Vec<Value> {
        let mut arguments = vec!["check", "--format", "json", "--notes"];
        for words in self.all("host") {
            arguments.extend(["--host", &words[0]]);
        }
        for words in self.all("path") {
            arguments.push(&words[0]);
        }
        findings(machine, &arguments)
    }
}

fn findings(machine: &Machine, arguments: &[&str]) -> Vec<Value> {
    let answer = machine.runner(arguments.iter().copied());
    assert!(matches!(answer.exit, Some(0 | 1)), "{answer:?}");
    let report: Value =
        serde_json::from_str(&answer.stdout).unwrap_or_else(|error| panic!("{error}: {answer:?}"));
    let findings = report["findings"].as_array().unwrap().clone();
    assert_eq!(answer.exit, Some(i32::from(!findings.is_empty())), "{answer:?}");
    findings
}

fn cases() -> Vec<Case> {
    let folder = root().join("tests/cases/check");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| Case::read(path)).collect()
}

fn describe(finding: &Value, place: bool) -> String {
    let text = |key: &str| finding[key].as_str().unwrap().to_owned();
    let line = format!(" {}:{}", finding["line"], finding["column"]);
    format!("{} {}{}", text("code"), text("file"), if place { &line } else { "" })
}

#[test]
fn every_case_is_found_at_its_place_and_nothing_else() {
    let cases = cases();
    let mut wrong = Vec::new();
    for case in &cases {
        let found = case.found(&case.machine());
        for words in case.all("expect") {
            let expected = words.join(" ");
            if !found.iter().any(|finding| describe(finding, words.len() > 2) == expected) {
                let found: Vec<String> = found.iter().map(|finding| describe(finding, true)).collect();
                wrong.push(format!("{}: `{expected}` is not found, but {found:?}", case.name));
            }
        }
        for finding in found.iter().filter(|finding| finding["severity"] != "note") {
            let known = |words: &Vec<String>| words[0] == finding["code"].as_str().unwrap();
            if !case.all("expect").any(known) {
                wrong.push(format!("{}: {} {finding:#}", case.name, describe(finding, true)));
            }
        }
        for finding in &found {
            assert!(!finding["message"].as_str().unwrap().is_empty(), "{}", case.name);
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Codes that only a running hook can show; they have tests of their own.
const ONLY_WHEN_RUN: &[&str] = &["hook.held-output", "hook.left-processes", "hook.flooded"];

#[test]
fn every_code_has_a_case() {
    let answer = Machine::new().runner(["check", "--codes"]);
    let names: Vec<String> = cases().iter().map(|case| case.name.clone()).collect();
    let mut count = 0;
    for code in answer.stdout.lines().map(|line| line.split_whitespace().next().unwrap()) {
        count += 1;
        let has = names.iter().any(|name| name.strip_suffix(".case").unwrap().starts_with(code));
        assert!(has || ONLY_WHEN_RUN.contains(&code), "{code} has no case");
    }
    assert!(count > 55, "{count}");
}

/// Configurations as people write them, for all hosts: `-- PATH --`, and the text.
#[test]
fn valid_configurations_are_left_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let case = Case::read(&root().join("tests/cases/valid-configs.txt"));
    assert!(case.files.len() >= 30, "{}", case.files.len());
    for (name, text) in &case.files {
        // `WHAT/REAL-PATH`: each stands alone in a project of its own.
        let (what, path) = name.split_once('/').unwrap();
        let machine = Machine::new().with(path, text);
        // The programs that they name.
        for program in case.all("script") {
            let program = machine.project().join(&program[0]);
            fs::create_dir_all(program.parent().unwrap()).unwrap();
            fs::write(&program, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let programs = machine.home().join("bin");
        fs::create_dir_all(&programs).unwrap();
        for program in case.all("program") {
            let program = programs.join(&program[0]);
            fs::write(&program, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let all =
            std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&super::path())));
        let answer = machine.call(["check"]).env("PATH", all.unwrap()).run();
        assert_eq!(answer.exit, Some(0), "{what} {path}:\n{}", answer.stdout);
        assert!(answer.stdout.contains("1 file looked at"), "{what} {path}:\n{}", answer.stdout);
    }
}

#[test]
fn the_shipped_configurations_are_fine() {
    let mut seen = 0;
    let mut folders = vec![root().join("configs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root().join("configs")).unwrap().display().to_string();
            if path.is_dir() {
                // Schemas and policies are not hooks.
                if !["schemas", "policies", "collectors"].contains(&name.as_str()) {
                    folders.push(path);
                }
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "json")
                || !shipped(&name).contains("\"hooks\"")
            {
                continue;
            }
            let place = match name.split_once('/') {
                Some(("claude-code", _)) => ".claude/settings.json".to_owned(),
                Some(("codex", _)) => ".codex/hooks.json".to_owned(),
                Some(("gemini-cli", _)) => ".gemini/settings.json".to_owned(),
                Some(_) => continue,
                None => format!(".github/hooks/{name}"),
            };
            let machine = Machine::new().with(&place, &shipped(&name));
            // Programs of helpers that are not built in this test are not part of the configuration.
            let report = findings(&machine, &["check", "--format", "json"]);
            let report: Vec<_> =
                report.into_iter().filter(|finding| finding["code"] != "program.missing").collect();
            assert_eq!(report, Vec::<Value>::new(), "{name}");
            seen += 1;
        }
    }
    assert!(seen >= 2);
}

#[test]
fn people_see_the_place_with_a_caret() {
    let machine = Machine::new().with(
        ".github/hooks/a.json",
        "{\n  \"hooks\": {\n    \"PreTolUse\": [{\"bash\": \"true\"}]\n  }\n}\n",
    );
    let answer = machine.runner(["check"]);
    assert_eq!(answer.exit, Some(1));
    let expected = "\
error[event.unknown]: VS Code does not know the event `PreTolUse`: its hooks never run. Copilot CLI does not know the event `PreTolUse`: its hooks never run.
 --> .github/hooks/a.json:3:5
  |
3 |     \"PreTolUse\": [{\"bash\": \"true\"}]
  |     ^^^^^^^^^^^
  |
  = note: for VS Code, Copilot CLI
  = help: Did you mean `PreToolUse`?

1 error in 1 file
";
    assert_eq!(answer.stdout, expected);
}

#[test]
fn sarif_and_github_say_the_same() {
    let machine = Machine::new().with(
        ".github/hooks/a,b.json",
        "{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"\", \"bash\": \"true\"}]}}",
    );
    let sarif = machine.runner(["check", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&sarif.stdout).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "matcher.empty");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()]["id"], "matcher.empty");
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&1.into(), &39.into()));
    let github = machine.runner(["check", "--format", "github"]);
    assert!(
        github.stdout.starts_with(
            "::error file=.github/hooks/a%2Cb.json,line=1,endLine=1,col=39,endColumn=41,title=matcher.empty::"
        ),
        "{github:?}"
    );
}

#[test]
fn check_runs_nothing_of_the_project() {
    let machine = Machine::new()
        .with(".github/hooks/a.json", "{\"hooks\": {\"PreToolUse\": [{\"bash\": \"touch ran\"}]}}")
        .with(
            ".claude/settings.json",
            "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"touch ran\"}]}]}}",
        );
    machine.runner(["check"]);
    assert!(!machine.project().join("ran").exists());
}

#[test]
fn hostile_files_are_survived() {
    let deep = "[".repeat(100_000);
    let hostile = [
        ("{".repeat(10_000), "json.syntax"),
        (deep, "json.syntax"),
        ("\0\0\0".to_owned(), "json.syntax"),
        (format!("{{\"hooks\": \"{}\"}}", "x".repeat(5 << 20)), "file.unreadable"),
        (
            "{\"hooks\": {\"PreToolUse\": [null, 1, [], {\"hooks\": 3}, {\"hooks\": [null]}]}}".to_owned(),
            "entry.skipped",
        ),
        ("{\"hooks\": {\"PreToolUse\\u0000\": []}}".to_owned(), "event.unknown"),
    ];
    for (text, code) in hostile {
        let machine = Machine::new().with(".github/hooks/a.json", &text);
        let found = findings(&machine, &["check", "--format", "json"]);
        assert!(found.iter().any(|finding| finding["code"] == code), "{code}: {found:?}");
    }
    // A folder, and a link that leads nowhere, are not files.
    let machine = Machine::new().with(".github/hooks/a.json/b", "x");
    std::os::unix::fs::symlink("/nowhere", machine.project().join(".github/hooks/l.json")).unwrap();
    assert!(matches!(machine.runner(["check"]).exit, Some(0 | 1)));
}

/// What `init` writes for every host, for the user and for the project, has nothing wrong with it.
#[test]
fn our_own_files_are_left_alone() {
    support::programs::hooks();
    let machine = Machine::new();
    let hosts = ["vscode", "copilot", "claude", "codex", "gemini"].map(|host| ["--host", host]).concat();
    for first in [&["init", "--yes", "--user"][..], &["init", "--yes"]] {
        let answer = machine.runner(first.iter().copied().chain(hosts.iter().copied()));
        assert_eq!(answer.exit, Some(0), "{answer:?}");
    }
    let answer = machine.runner(["check"]);
    assert_eq!(answer.exit, Some(0), "{answer:?}");
}

#[test]
fn a_program_is_missed_once_however_many_entries_name_it() {
    let machine = Machine::new()
        .with(".github/hooks/policy-hooks.json", &shipped("policy-hooks.json"))
        .with(".claude/settings.json", &shipped("claude-code/settings.json"));
    let answer = machine.call(["check", "--format", "json"]).env("PATH", "/usr/bin:/bin").run();
    let report: Value = serde_json::from_str(&answer.stdout).unwrap();
    let missing: Vec<&str> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["code"] == "program.missing")
        .map(|finding| finding["message"].as_str().unwrap())
        .collect();
    assert_eq!(missing.len(), 6, "{missing:#?}");
    let blocker: Vec<_> = missing.iter().filter(|message| message.contains("`command-blocker`")).collect();
    let [blocker] = blocker[..] else { panic!("{blocker:?}") };
    assert!(blocker.contains("Copilot CLI and Claude Code deny every call"), "{blocker}");
    assert!(blocker.contains("VS Code lets every call through unguarded"), "{blocker}");
    let ignored = ["check", "--ignore", "program.missing", "--ignore", "hooks.run-twice"];
    let answer = machine.call(ignored).env("PATH", "/usr/bin:/bin").run();
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    assert_eq!(machine.runner(["check", "--ignore", "no.such-code"]).exit, Some(2));
}

#[test]
fn a_misspelt_program_is_named_as_it_is_spelt() {
    let machine = Machine::new()
        .with(".github/hooks/a.json", r#"{"hooks":{"PreToolUse":[{"bash":"comand-blocker"}]}}"#);
    let answer = machine.runner(["check"]);
    assert!(answer.stdout.contains("Did you mean `command-blocker`?"), "{answer:?}");
    assert_eq!(answer.stdout.matches("is not on the PATH").count(), 1, "{answer:?}");
}
