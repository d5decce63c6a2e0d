//! Our programs and the hosts', wherever a host or a shell would find them.

use rules::{Decision, Language};
use serde_json::json;

use super::{PROJECT, decided, edited, ways};

const OURS: [&str; 7] = [
    "command-blocker",
    "approval-gate",
    "hook-runner",
    "audit-logger",
    "stop-guard",
    "context-injector",
    "formatter-trigger",
];

const HOSTS: [&str; 4] = ["claude", "copilot", "codex", "gemini"];

/// Folders in which programs are found.
const FOLDERS: [&str; 10] = [
    "/home/user/.local/bin",
    "/home/user/bin",
    "/home/user/.cargo/bin",
    "/usr/local/bin",
    "/opt/policy-hooks/bin",
    "/home/user/.npm-global/bin",
    "/home/user/.local/pipx/venvs/x/bin",
    "/home/user/.volta/bin",
    "/home/user/.asdf/shims",
    "/home/user/project/node_modules/.bin",
];

#[test]
fn no_tool_writes_a_program_of_ours() {
    let mut wrong = Vec::new();
    for folder in FOLDERS {
        for name in OURS {
            for end in ["", ".exe", ".cmd", ".ps1", ".EXE"] {
                let file = format!("{folder}/{name}{end}");
                for (tool, input) in ways::tools(&file, PROJECT) {
                    if edited(tool, &input) != Some(Decision::Deny) {
                        wrong.push(format!("{:?}: {tool} {input}", edited(tool, &input)));
                    }
                }
            }
            let file = format!("{folder}/{name}");
            for way in ways::bash(&file).into_iter().filter(|way| way.contains(&file)) {
                // What it is applied to lies in the project.
                let patch = way.starts_with("git apply");
                if !patch && decided(Language::Posix, &way) != Some(Decision::Deny) {
                    wrong.push(way);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} are open:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn whoever_writes_the_program_of_a_host_is_asked() {
    let mut wrong = Vec::new();
    for folder in FOLDERS.iter().filter(|folder| !folder.starts_with(PROJECT)) {
        for name in HOSTS {
            let file = format!("{folder}/{name}");
            for (tool, input) in ways::tools(&file, PROJECT) {
                if edited(tool, &input) != Some(Decision::Ask) {
                    wrong.push(format!("{:?}: {tool} {input}", edited(tool, &input)));
                }
            }
            for way in ["ln -sf /tmp/x {P}", "cp /tmp/x {P}", "mv /tmp/x {P}", "echo x > {P}", "rm {P}"] {
                let way = way.replace("{P}", &file);
                if decided(Language::Posix, &way).is_none() {
                    wrong.push(way);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} are silent:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_project_that_makes_them_and_others_stay_free() {
    let mut wrong = Vec::new();
    for file in [
        "hooks/command-blocker/src/main.rs",
        "hooks/command-blocker/Cargo.toml",
        "hooks/hook-runner/README.md",
        "configs/10-command-blocker.json",
        "docs/command-blocker.md",
        "target/release/command-blocker.d",
        "src/claude.rs",
        "src/codex",
        "bin/tool",
        "scripts/claude.py",
        "scripts/codex",
        "/home/user/src/policy-hooks/hooks/command-blocker/src/main.rs",
        "/home/user/.local/bin/tool",
        "/home/user/.local/bin/claude-notes",
        "/home/user/bin/backup.sh",
        "/home/user/.local/share/bash-completion/completions/hook-runner",
        "/home/user/notes/claude",
        "/home/user/src/codex/README.md",
        "/tmp/command-blocker",
        "/tmp/x/claude",
    ] {
        for (tool, input) in [
            ("Write", json!({"file_path": file, "content": "x"})),
            ("Edit", json!({"file_path": file, "old_string": "a", "new_string": "b"})),
            ("create_file", json!({"filePath": file, "content": "x"})),
        ] {
            wrong.extend(edited(tool, &input).map(|decision| format!("{decision:?}: {tool} {input}")));
        }
    }
    for command in [
        "cargo build --release -p command-blocker",
        "cargo test -p hook-runner",
        "cp target/release/command-blocker dist/",
        "target/release/command-blocker --help",
        "strip target/release/hook-runner",
        "chmod +x target/release/hook-runner",
        "chmod +x ~/.local/bin/tool",
        "chmod +x ~/bin/*",
        "ls -la ~/.local/bin",
        "file ~/.local/bin/claude",
        "which claude",
        "cat ~/.local/bin/claude",
        "cp tool ~/.local/bin/",
        "cp target/release/tool ~/.cargo/bin/tool",
        "install -m 755 tool ~/.local/bin/tool",
        "ln -s \"$PWD/tool\" ~/bin/tool",
        "mkdir -p ~/.local/bin",
        "hook-runner completions bash > ~/.local/share/bash-completion/completions/hook-runner",
        "git clone https://github.com/openai/codex",
        "cd codex && cargo build",
        "rm -rf claude",
        "echo x > src/claude",
        "npm install -g @anthropic-ai/claude-code",
    ] {
        wrong.extend(decided(Language::Posix, command).map(|decision| format!("{decision:?}: {command}")));
    }
    assert!(wrong.is_empty(), "{} are held:\n{}", wrong.len(), wrong.join("\n"));
}
