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
        (
            "etc/augment/settings.json",
            r#"{"shell": "zsh", "hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "/opt/theirs.sh"}]}]}}"#,
        ),
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
            "etc/augment/hooks/command-blocker.sh",
            "etc/augment/settings.json",
            "etc/claude-code/managed-settings.json",
            "etc/codex/requirements.toml",
            "etc/gemini-cli/settings.json",
            "etc/github-copilot/policy.d/10-command-blocker.json",
            "etc/qwen-code/settings.json",
            "etc/windsurf/hooks.json"
        ]
    );
    for (name, text) in after.iter().filter(|(name, _)| *name != "etc/augment/settings.json") {
        assert!(text.contains(&format!("{bin}/command-blocker")), "{name}: {text}");
    }
    assert!(after["etc/augment/settings.json"].contains("\"/etc/augment/hooks/command-blocker.sh\""));
    assert!(after["etc/augment/settings.json"].contains("theirs.sh"));
    assert!(after["etc/claude-code/managed-settings.json"].contains("WebFetch"));
    assert!(after["etc/github-copilot/policy.d/10-command-blocker.json"].contains("\"exec\": "));
    let again = machine.runner(call);
    assert!(again.stdout.contains("everything is already installed"), "{again:?}");
    // Only a person removes it.
    let remove = ["uninstall", "--machine", "--yes", "--root", &place];
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
    assert_eq!(names.len(), 27, "{names:?}");
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
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let registry = &files["windows/ClaudeCode.reg"];
    let value =
        registry.lines().find_map(|line| line.strip_prefix("\"Settings\"=\"")?.strip_suffix('"')).unwrap();
    let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
    assert_eq!(json(&value), json(&files["windows/C/Program Files/ClaudeCode/managed-settings.json"]));
    // Python reads property lists; not every machine has it.
    let script = "import json,plistlib,sys; d=plistlib.load(open(sys.argv[1],'rb'))['PayloadContent'][0]; \
                  print(json.dumps({k: v for k, v in d.items() if not k.startswith('Payload')}))";
    let profile = out.path().join("macos/com.anthropic.claudecode.mobileconfig");
    if let Ok(read) = std::process::Command::new("python3").args(["-c", script]).arg(profile).output() {
        let said = String::from_utf8_lossy(&read.stdout);
        assert!(read.status.success(), "{read:?}");
        assert_eq!(
            json(&said),
            json(&files["macos/Library/Application Support/ClaudeCode/managed-settings.json"])
        );
    }
    let wrong = machine.runner(["init", "--machine", "--yes", "--host", "vscode", "--out", &place]);
    assert!(wrong.exit == Some(2) && wrong.stderr.contains("reads no managed hook files"), "{wrong:?}");
}

/// `doctor` where this folder is `/etc`; none where that cannot be arranged.
fn doctor(machine: &Machine, etc: &Path, more: &[&str]) -> Option<support::call::Answer> {
    let mount = "mount --bind \"$0\" /etc && exec \"$@\"";
    let etc = etc.display().to_string();
    let runner = support::programs::hook_runner().display().to_string();
    let call =
        support::call::Call::new("unshare").args(["--mount", "sh", "-c", mount, &etc, &runner, "doctor"]);
    let answer = machine.prepare(call.args(more.iter().copied())).run();
    let refused = answer.stderr.contains("unshare") || answer.stderr.contains("mount:");
    if refused {
        support::skipped(format_args!("no mount namespace: {}", answer.stderr));
    }
    (!refused).then_some(answer)
}

#[cfg(target_os = "linux")]
#[test]
fn doctor_says_what_no_user_can_switch_off() {
    use std::os::unix::fs::PermissionsExt as _;
    let machine = Machine::new();
    let root = tempfile::tempdir().unwrap();
    let copied = std::process::Command::new("cp").args(["-a", "/etc"]).arg(root.path()).status().unwrap();
    assert!(copied.success());
    let bin = command_blocker().parent().unwrap().display().to_string();
    let place = root.path().display().to_string();
    let put = machine.runner(["init", "--machine", "--yes", "--root", &place, "--bin", &bin]);
    assert_eq!(put.exit, Some(0), "{put:?}");
    let etc = root.path().join("etc");
    let Some(answer) = doctor(&machine, &etc, &["--json"]) else { return };
    let host = |text: &str, name: &str| -> serde_json::Value {
        let report: serde_json::Value =
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        report["hosts"].as_array().unwrap().iter().find(|host| host["host"] == name).unwrap().clone()
    };
    for name in ["claude", "copilot", "codex", "gemini", "qwen"] {
        let host = host(&answer.stdout, name);
        assert_eq!(host["managed"]["programs"], serde_json::json!(["command-blocker"]), "{host:#}");
        assert_eq!(
            (&host["managed"]["weak"], &host["bad"]),
            (&serde_json::Value::Null, &false.into()),
            "{host:#}"
        );
        assert_eq!(host["hooks"][0]["went"], "works", "{host:#}");
    }
    let shown = doctor(&machine, &etc, &[]).unwrap().stdout;
    assert_eq!(shown.matches("managed: no user can switch off command-blocker").count(), 4, "{shown}");
    let only = "managed: only `hooksConfig.disabled` with its command switches off command-blocker";
    assert!(shown.contains(only), "{shown}");
    for path in ["/etc/augment/settings.json", "/etc/windsurf/hooks.json"] {
        assert!(shown.contains(&format!("managed: {path} calls command-blocker")), "{shown}");
    }
    // Where the script is missing, Augment lets every tool run.
    let script = etc.join("augment/hooks/command-blocker.sh");
    let aside = etc.join("aside.sh");
    fs::rename(&script, &aside).unwrap();
    let missing = doctor(&machine, &etc, &[]).unwrap();
    assert!(
        missing.exit == Some(1)
            && missing.stdout.contains("command-blocker.sh is missing: /etc/augment/settings.json calls it")
            && missing.stdout.contains("Augment does not work as it is managed"),
        "{missing:?}"
    );
    fs::rename(&aside, &script).unwrap();
    // What a user says there about all hooks does not count; the name of one does.
    let users = machine.home().join(".gemini/settings.json");
    fs::create_dir_all(users.parent().unwrap()).unwrap();
    fs::write(&users, r#"{"hooksConfig": {"enabled": false}}"#).unwrap();
    let answer = doctor(&machine, &etc, &["--json"]).unwrap();
    assert_eq!(host(&answer.stdout, "gemini")["hooks"][0]["went"], "works", "{answer:?}");
    let settings = fs::read_to_string(etc.join("gemini-cli/settings.json")).unwrap();
    let settings: serde_json::Value = serde_json::from_str(&settings).unwrap();
    let command = &settings["hooks"]["BeforeTool"][0]["hooks"][0]["command"];
    fs::write(&users, serde_json::json!({"hooksConfig": {"disabled": [command]}}).to_string()).unwrap();
    let answer = doctor(&machine, &etc, &[]).unwrap();
    assert!(
        answer.exit == Some(1) && answer.stdout.contains("1 hook is switched off by its name"),
        "{answer:?}"
    );
    fs::remove_file(&users).unwrap();
    let file = etc.join("codex/requirements.toml");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    let answer = doctor(&machine, &etc, &["--json"]).unwrap();
    let host = host(&answer.stdout, "codex");
    assert_eq!(
        (&host["managed"]["weak"], &host["bad"]),
        (&"/etc/codex/requirements.toml".into(), &true.into())
    );
    assert_eq!(answer.exit, Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn doctor_reads_the_hooks_of_plugins_as_hosts_do() {
    let machine = Machine::new();
    let home = machine.home();
    let write = |path: &Path, text: &str| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let hooks = |root: &Path, event: &str, variable: &str| {
        let text = format!(
            r#"{{"hooks": {{"{event}": [{{"hooks": [{{"type": "command", "command": "\"${{{variable}}}/bin/command-blocker\""}}]}}]}}}}"#
        );
        write(&root.join("hooks/hooks.json"), &text);
        fs::create_dir_all(root.join("bin")).unwrap();
        let program = root.join("bin/command-blocker");
        fs::hard_link(command_blocker(), &program)
            .or_else(|_| fs::copy(command_blocker(), &program).map(drop))
            .unwrap();
    };
    let market = home.join("market");
    hooks(&market.join("plugins/p"), "PreToolUse", "CLAUDE_PLUGIN_ROOT");
    hooks(&home.join(".codex/plugins/cache/m/p/1.0"), "PreToolUse", "CLAUDE_PLUGIN_ROOT");
    hooks(&home.join(".gemini/extensions/p"), "BeforeTool", "extensionPath");
    let market = market.display();
    write(
        &home.join("market/.claude-plugin/marketplace.json"),
        r#"{"plugins": [{"name": "p", "source": "./plugins/p"}]}"#,
    );
    let settings = |on: bool| {
        format!(
            r#"{{"enabledPlugins": {{"p@m": {on}}}, "extraKnownMarketplaces": {{"m": {{"source": {{"source": "directory", "path": "{market}"}}}}}}}}"#
        )
    };
    write(&home.join(".claude/settings.json"), &settings(true));
    let installed = format!(
        r#"{{"version": 2, "plugins": {{"p@m": [{{"scope": "user", "installPath": "{market}/plugins/p"}}]}}}}"#
    );
    write(&home.join(".claude/plugins/installed_plugins.json"), &installed);
    write(&home.join(".copilot/settings.json"), &settings(true));
    write(&home.join(".codex/config.toml"), "[plugins.\"p@m\"]\nenabled = true\n");
    write(&home.join(".gemini/extensions/p/gemini-extension.json"), r#"{"name": "p", "version": "1"}"#);
    let went = |machine: &Machine| -> Vec<serde_json::Value> {
        let answer = machine.runner(["doctor", "--json", "--trust"]);
        let report: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
        let hosts = report["hosts"].as_array().unwrap();
        let of = |name| hosts.iter().find(|host| host["host"] == name).unwrap()["hooks"][0]["went"].clone();
        ["claude", "copilot", "codex", "gemini"].map(of).into()
    };
    assert_eq!(went(&machine), ["works"; 4]);
    write(&home.join(".claude/settings.json"), &settings(false));
    write(&home.join(".copilot/settings.json"), &settings(false));
    write(&home.join(".codex/config.toml"), "[plugins.\"p@m\"]\nenabled = false\n");
    write(&home.join(".gemini/extensions/extension-enablement.json"), r#"{"p": {"overrides": ["!/*"]}}"#);
    assert_eq!(went(&machine), [const { serde_json::Value::Null }; 4]);
}

#[test]
fn doctor_offers_to_install_what_is_not_there() {
    let machine = Machine::new();
    fs::create_dir_all(machine.home().join(".claude")).unwrap();
    let Some(shown) = machine.at_a_terminal(&["doctor", "--fix"], "n\n") else { return };
    assert!(shown.stdout.contains("no hooks are installed"), "{shown:?}");
    assert!(shown.stdout.contains("Nothing was written"), "{shown:?}");
    assert!(!machine.home().join(".claude/settings.json").exists());
    let answer = machine.at_a_terminal(&["doctor", "--fix"], "y\n").unwrap();
    let written = fs::read_to_string(machine.home().join(".claude/settings.json")).unwrap_or_default();
    assert!(written.contains("command-blocker"), "{answer:?}");
    // What no longer starts is installed again, by its path.
    let lost = written.replace(&command_blocker().display().to_string(), "/nowhere/command-blocker");
    fs::write(machine.home().join(".claude/settings.json"), lost).unwrap();
    let answer = machine.at_a_terminal(&["doctor", "--fix", "--host", "claude"], "y\n").unwrap();
    let mended = fs::read_to_string(machine.home().join(".claude/settings.json")).unwrap();
    assert!(!mended.contains("/nowhere/"), "{answer:?}\n{mended}");
}
