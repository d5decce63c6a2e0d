//! A patch that an earlier call has written is read from the disk, however it reaches the program that applies it.

use std::fs;

use support::call::Call;
use support::programs::command_blocker;

const GIT: &str = "--- a/.github/hooks/10-command-blocker.json\n+++ /dev/null\n@@ -1 +0,0 @@\n-{}\n";
const CODEX: &str =
    "*** Begin Patch\n*** Delete File: .github/hooks/10-command-blocker.json\n*** End Patch\n";
const HARMLESS: &str = "*** Begin Patch\n*** Delete File: src/a.rs\n*** End Patch\n";

#[test]
fn a_patch_on_the_disk_is_read() {
    let home = tempfile::tempdir().unwrap();
    let project = home.path().canonicalize().unwrap().join("project");
    fs::create_dir_all(project.join(".github/hooks")).unwrap();
    fs::create_dir(project.join(".git")).unwrap();
    fs::write(project.join(".github/hooks/10-command-blocker.json"), "{}\n").unwrap();
    for (name, text) in [("git.patch", GIT), ("codex.patch", CODEX), ("harmless.patch", HARMLESS)] {
        fs::write(project.join(name), text).unwrap();
    }
    let silent = |command: &str| {
        let payload = serde_json::json!({
            "session_id": "s", "transcript_path": "/t", "cwd": project, "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "u",
        });
        let answer = Call::new(command_blocker()).env("HOME", home.path()).input(payload.to_string()).run();
        answer.stdout == "{}"
    };
    for command in [
        "git apply git.patch",
        "git apply < git.patch",
        "cat git.patch | git apply",
        "cat git.patch | git apply -",
        "patch -p1 < git.patch",
        "cat git.patch | patch -p1",
        "apply_patch < codex.patch",
        "cat codex.patch | apply_patch",
        "apply_patch \"$(cat codex.patch)\"",
        "apply_patch \"$(< codex.patch)\"",
        "head -n 9 codex.patch | apply_patch",
        "bash -lc 'apply_patch < codex.patch'",
    ] {
        assert!(!silent(command), "{command}");
    }
    for command in
        ["apply_patch < harmless.patch", "cat harmless.patch | apply_patch", "cat codex.patch", "apply_patch"]
    {
        assert!(silent(command), "{command}");
    }
}
