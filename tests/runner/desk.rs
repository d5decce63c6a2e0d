//! `doctor`, `explain`, `schema`, `completions` and `man`.

use std::fs;

use serde_json::Value;
use support::programs::{command_blocker, root};

use super::{Machine, shipped};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn host<'a>(report: &'a Value, name: &str) -> &'a Value {
    report["hosts"].as_array().unwrap().iter().find(|host| host["host"] == name).unwrap()
}

/// With the programs where every host finds them by name, and nothing installed into the user's own settings.
fn guarded() -> Machine {
    let machine = Machine::new();
    let folder = command_blocker().parent().unwrap().display().to_string();
    fs::write(machine.home().join(".profile"), format!("PATH='{folder}':$PATH\n")).unwrap();
    machine
        .with(".github/hooks/10-command-blocker.json", &shipped("10-command-blocker.json"))
        .with(".claude/settings.json", &shipped("claude-code/settings.json"))
}

#[test]
fn the_doctor_fires_every_hook_once() {
    let answer = guarded().runner(["doctor", "--json"]);
    let report = json(&answer.stdout);
    // VS Code asks the login shell for the PATH; this one is a terminal's.
    for (name, went) in [("vscode", "works"), ("copilot-cloud", "works"), ("claude", "only from a terminal")]
    {
        let hook = &host(&report, name)["hooks"][0];
        assert_eq!(
            (&hook["run"], &hook["went"]),
            (&"command-blocker".into(), &went.into()),
            "{name}: {report:#}"
        );
    }
    assert_eq!(
        (&host(&report, "vscode")["bad"], &host(&report, "claude")["bad"]),
        (&false.into(), &true.into())
    );
    let said = guarded().runner(["doctor", "--host", "claude"]);
    assert!(said.exit == Some(1) && said.stdout.trim_end().ends_with("writes absolute paths)"), "{said:?}");
    let program =
        report["programs"].as_array().unwrap().iter().find(|p| p["name"] == "command-blocker").unwrap();
    assert!(program["found"]["version"].as_str().unwrap().contains("command-blocker"), "{report:#}");
}

#[test]
fn the_doctor_ends_with_a_verdict_and_names_what_is_wrong() {
    let machine = Machine::new();
    let last = |machine: &Machine| {
        let answer = machine.runner(["doctor"]);
        (answer.exit, answer.stdout.trim_end().lines().last().unwrap().to_owned())
    };
    let (exit, nothing) = last(&machine);
    assert!(exit == Some(0) && nothing.contains("`hook-runner init`"), "{nothing}");
    let init = machine.runner(["init", "--user", "--yes", "--host", "claude", "--hook", "command-blocker"]);
    assert_eq!(init.exit, Some(0), "{init:?}");
    assert_eq!(last(&machine), (Some(0), "all hooks work: 1 host, 1 entry".to_owned()));
    let path = machine.home().join(".claude/settings.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen('{', "{\n  \"language\": 7,", 1)).unwrap();
    let doctor = machine.runner(["doctor"]);
    assert_eq!(last(&machine), (Some(1), "1 file is dropped".to_owned()));
    // `check` without a path looks at the user's files, too, and says the same.
    for answer in [doctor, machine.runner(["check"])] {
        let said = &answer.stdout;
        assert!(
            said.contains("~/.claude/settings.json:2:15") && said.contains("`language` is the number 7"),
            "{said}"
        );
        assert_eq!(answer.exit, Some(1), "{answer:?}");
    }
    assert_eq!(machine.runner(["check", "."]).exit, Some(0), "only the project");
    fs::write(&path, text).unwrap();
    fs::create_dir_all(machine.home().join(".gemini")).unwrap();
    let off = "{\"hooksConfig\": {\"enabled\": false}, \"hooks\": {\"BeforeTool\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"true\"}]}]}}";
    fs::write(machine.home().join(".gemini/settings.json"), off).unwrap();
    let check = machine.runner(["check"]);
    assert!(check.stdout.contains("hooks are off: `hooksConfig.enabled` is false"), "{check:?}");
}

#[test]
fn the_doctor_sees_what_switches_hooks_off() {
    let machine = guarded()
        .with(".vscode/settings.json", "{ // off\n \"chat.useHooks\": false }")
        .with(".codex/hooks.json", &shipped("codex/hooks.json"))
        .with(".claude/settings.local.json", "{\"disableAllHooks\": true}");
    fs::create_dir_all(machine.home().join(".codex")).unwrap();
    fs::write(machine.home().join(".codex/config.toml"), "[features]\nhooks = false\n").unwrap();
    let answer = machine.runner(["doctor", "--json"]);
    assert_eq!(answer.exit, Some(1), "{answer:?}");
    let report = json(&answer.stdout);
    let says = |name: &str, part: &str| {
        let host = host(&report, name);
        assert!(host["settings"].to_string().contains(part), "{name}: {host:#}");
        assert_eq!(host["bad"], true, "{name}");
    };
    says("vscode", "chat.useHooks");
    says("copilot", "not trusted");
    says("codex", "hooks = false");
    says("codex", "not trusted in config.toml");
    let claude = host(&report, "claude");
    assert!(claude["switched_off"].as_str().unwrap().contains("disableAllHooks"), "{claude:#}");
    assert_eq!(claude["hooks"], serde_json::json!([]));
}

#[test]
fn a_trusted_folder_is_recognised() {
    let machine = guarded();
    let config = serde_json::json!({"trusted_folders": [machine.project().display().to_string()]});
    fs::create_dir_all(machine.home().join(".copilot")).unwrap();
    fs::write(machine.home().join(".copilot/config.json"), config.to_string()).unwrap();
    let report = json(&machine.runner(["doctor", "--json", "--host", "copilot"]).stdout);
    assert_eq!(host(&report, "copilot")["settings"][0]["text"], "this folder is trusted");
    assert_eq!(host(&report, "copilot")["bad"], false);
}

#[test]
fn the_doctor_runs_nothing_that_is_not_trusted() {
    let machine =
        Machine::new().with(".github/hooks/a.json", r#"{"hooks":{"PreToolUse":[{"bash":"touch ran"}]}}"#);
    let answer = machine.runner(["doctor", "--host", "copilot"]);
    assert!(answer.stdout.contains("not trusted"), "{answer:?}");
    assert!(!machine.project().join("ran").exists());
    machine.runner(["doctor", "--host", "copilot", "--trust"]);
    assert!(machine.project().join("ran").exists());
}

#[test]
fn files_are_listed_in_the_hosts_order() {
    let machine = guarded().with(".github/hooks/90-last.json", r#"{"hooks":{"Stop":[{"bash":"true"}]}}"#);
    let report = json(&machine.runner(["doctor", "--json", "--host", "copilot"]).stdout);
    let files: Vec<&str> = host(&report, "copilot")["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["file"].as_str().unwrap())
        .collect();
    assert_eq!(
        files,
        [".github/hooks/90-last.json", ".github/hooks/10-command-blocker.json", ".claude/settings.json"]
    );
}

#[test]
fn one_command_is_explained_for_all_hosts() {
    let machine = Machine::new();
    let answer = machine.runner(["explain", "cd build && sudo rm -rf /", "--json"]);
    assert_eq!(answer.exit, Some(1), "{answer:?}");
    let report = json(&answer.stdout);
    let hosts = report["hosts"].as_array().unwrap();
    // Those that few people have are there where they are found, or named.
    let usual = host::Product::ALL.into_iter().filter(|product| !product.host.is_late());
    assert_eq!(hosts.len(), usual.count());
    let cursor = machine.runner(["explain", "rm -rf /", "--json", "--host", "cursor"]);
    assert_eq!(json(&cursor.stdout)["hosts"][0]["then"], "refused", "{cursor:?}");
    for host in hosts {
        assert_eq!(
            (&host["then"], &host["hooks"][0]["effect"]),
            (&"refused".into(), &"deny".into()),
            "{host:#}"
        );
    }
    assert_eq!(report["command_blocker"]["decision"], "deny", "{report:#}");
    let fine = machine.runner(["explain", "--host", "claude", "ls -la"]);
    assert_eq!(fine.exit, Some(0), "{fine:?}");
    assert!(fine.stdout.contains("the tool runs") && fine.stdout.contains("Would run"), "{fine:?}");
    let dash = machine.runner(["explain", "-rf"]);
    assert_eq!(dash.exit, Some(0), "{dash:?}");
}

/// With `UPDATE_SCHEMAS` set, writes them.
#[test]
fn the_shipped_schemas_are_the_generated_ones() {
    let folder = root().join("configs/schemas");
    let dialects = host::Product::ALL.into_iter().filter_map(|product| product.schema);
    for dialect in dialects.map(|schema| schema.name) {
        let path = folder.join(format!("{dialect}.schema.json"));
        let schema = Machine::new().runner(["schema", dialect]).stdout;
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &schema).unwrap();
        }
        let shipped = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(shipped, schema, "UPDATE_SCHEMAS=1 cargo test -p tests schemas writes {dialect}");
    }
}

#[test]
fn shells_and_manuals_know_every_task() {
    let machine = Machine::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let answer = machine.runner(["completions", shell]);
        assert_eq!(answer.exit, Some(0), "{answer:?}");
        for task in [
            "run", "replay", "check", "init", "doctor", "explain", "trust", "approve", "schema", "policy",
            "man",
        ] {
            assert!(answer.stdout.contains(task), "{shell}: {task}");
        }
    }
    assert!(machine.runner(["man"]).stdout.starts_with(".ie"), "a page in roff");
    let answer = machine.runner(["man", "pages"]);
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    let pages: Vec<String> = fs::read_dir(machine.project().join("pages"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    for task in [
        "", "-run", "-replay", "-check", "-init", "-doctor", "-explain", "-trust", "-approve", "-schema",
        "-policy", "-man",
    ] {
        assert!(pages.contains(&format!("hook-runner{task}.1")), "{task}: {pages:?}");
    }
}

#[test]
fn help_says_what_is_true() {
    let machine = Machine::new();
    let help = machine.runner(["--help"]);
    assert_eq!(help.exit, Some(0));
    for task in [
        "run",
        "replay",
        "check",
        "init",
        "doctor",
        "explain",
        "trust",
        "approve",
        "schema",
        "completions",
        "man",
    ] {
        assert!(help.stdout.contains(&format!("  {task} ")), "{task}: {}", help.stdout);
        let own = machine.runner([task, "--help"]);
        assert_eq!(own.exit, Some(0), "{own:?}");
    }
    for task in ["run", "replay", "trust", "doctor"] {
        let help = machine.runner([task, "--help-all"]).stdout;
        assert!(help.contains("--trust") && help.contains("They run only when you say so"), "{task}: {help}");
    }
    assert!(help.stdout.contains("Exit codes: 0 fine, 1"), "{}", help.stdout);
}
