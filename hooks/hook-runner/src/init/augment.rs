//! The managed hooks of Augment, which is not among the hosts that are run: as its documentation has them. [docs]
//! docs.augmentcode.com, CLI hooks: a group of hooks as Claude Code has them, times in milliseconds. A command is the path
//! of a `.sh` file, and the exit code 2 blocks a tool.

use host::System;
use host::installed::command::{Call, Quoting, call};
use serde_json::{Value, json};

/// Where our scripts lie: a folder of its documentation.
const SCRIPTS: &str = "/etc/augment/hooks/";

/// The hooks that its settings get, with the program itself in place of its script. Without a matcher they are asked
/// about every tool.
pub(super) fn shipped(program: &str) -> String {
    let hook = json!({"type": "command", "command": program, "timeout": 10_000});
    json!({"hooks": {"PreToolUse": [{"hooks": [hook]}]}}).to_string()
}

/// Its settings; none on Windows, where nothing says what would run a `.sh` file.
pub(super) fn settings(system: System) -> Option<&'static str> {
    (system != System::Windows).then_some("/etc/augment/settings.json")
}

/// The script by which it calls a program.
pub(super) fn script_path(program: &str) -> String {
    format!("{SCRIPTS}{program}.sh")
}

/// What stands in that script. A code other than 2 lets the tool run, so that a missing program has to be said.
pub(super) fn script(path: &str) -> String {
    host::installed::command::script(&Call::write(path, "", Quoting::Posix))
}

/// Our programs that its settings call, each by its script.
pub(super) fn calls(text: &str) -> Vec<Call> {
    let settings: Value = serde_json::from_str(text).unwrap_or_default();
    let groups = settings["hooks"]["PreToolUse"].as_array().into_iter().flatten();
    let hooks = groups.filter_map(|group| group["hooks"].as_array()).flatten();
    let command = |hook: &Value| hook["command"].as_str().map(str::to_owned);
    hooks.filter_map(command).filter_map(|command| call_of(&command)).collect()
}

/// The call behind a command that is one of our scripts.
fn call_of(command: &str) -> Option<Call> {
    call(command).filter(|call| command == script_path(call.program))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_scripts_are_known() {
        assert_eq!(call_of(&script_path("command-blocker")).unwrap().program, "command-blocker");
        for other in [
            "/etc/augment/hooks/theirs.sh",
            "/home/me/command-blocker.sh",
            "/etc/augment/hooks/command-blocker",
            "/etc/augment/hooks/../command-blocker.sh",
        ] {
            assert_eq!(call_of(other), None, "{other}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn its_script_asks_the_program_and_blocks_without_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("o'neill $(id)").join("command-blocker");
        let run = || {
            let script = script(program.to_str().unwrap());
            std::process::Command::new("sh").args(["-c", &script]).output().unwrap()
        };
        let missing = run();
        assert_eq!(missing.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&missing.stderr).contains("is missing"), "{missing:?}");
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::fs::write(&program, "#!/bin/sh\necho asked\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let asked = run();
        assert!(asked.status.success() && asked.stdout == b"asked\n", "{asked:?}");
    }
}
