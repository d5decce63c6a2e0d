//! Files that are about something else, and lines in them that decide from where agents take their settings and what starts
//! under their names.

use rules::{Decision, Language};
use serde_json::{Value, json};

use super::{decided, edited};

const VARIABLE_FILES: [&str; 6] = [
    "/home/user/project/.env",
    "/home/user/project/packages/a/.env",
    "/home/user/.pam_environment",
    "/home/user/.config/environment.d/10.conf",
    "/etc/environment",
    "/home/user/.env",
];

const VARIABLES: [&str; 12] = [
    "GEMINI_CLI_HOME=/tmp/x",
    "GEMINI_CLI_HOME='/tmp/x'",
    "export GEMINI_CLI_HOME=/tmp/x",
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH=/tmp/x.json",
    "CLAUDE_CONFIG_DIR=/tmp/x",
    "COPILOT_HOME=\"/tmp/x\"",
    "CODEX_HOME=/tmp/x",
    "XDG_CONFIG_HOME=/tmp/x",
    "XDG_STATE_HOME=/tmp/x",
    "AUDIT_LOG=/dev/null",
    "COPILOT_ALLOW_ALL=1",
    "HOME=/tmp/x",
];

const HARMLESS_VARIABLES: [&str; 24] = [
    "GEMINI_API_KEY=x",
    "GEMINI_MODEL=gemini-2.5-pro",
    "ANTHROPIC_API_KEY=x",
    "OPENAI_API_KEY=x",
    "COPILOT_MODEL=x",
    "DATABASE_URL=postgres://localhost/x",
    "PORT=3000",
    "NODE_ENV=development",
    "LOG_LEVEL=debug",
    "# CLAUDE_CONFIG_DIR=/tmp/x",
    "APP_HOME=/srv/app",
    "JAVA_HOME=/usr/lib/jvm/x",
    "CARGO_HOME=/opt/cargo",
    "XDG_CACHE_HOME=/tmp/cache",
    "XDG_DATA_HOME=/tmp/data",
    "MY_AUDIT_LOG=/var/log/x",
    "AUDIT_LOGGING=true",
    "PATH_PREFIX=/api",
    "EDITOR=vim",
    "LANG=en_US.UTF-8",
    "CLAUDE_CONFIG_DIR=/home/user/.claude",
    "XDG_CONFIG_HOME=/home/user/.config",
    "CODEX_HOME=$HOME/.codex",
    "VITE_CODEX_HOME_URL=https://example.org",
];

const PROFILES: [&str; 14] = [
    "/home/user/.bashrc",
    "/home/user/.bash_profile",
    "/home/user/.bash_aliases",
    "/home/user/.profile",
    "/home/user/.zshrc",
    "/home/user/.zshenv",
    "/home/user/.zprofile",
    "/home/user/.config/fish/config.fish",
    "/home/user/.config/fish/functions/claude.fish",
    "/home/user/.bashrc.d/10.sh",
    "/home/user/Documents/PowerShell/Microsoft.PowerShell_profile.ps1",
    "/home/user/.config/powershell/profile.ps1",
    "/home/user/project/.envrc",
    "/etc/profile.d/x.sh",
];

const LINES: [&str; 16] = [
    "alias claude=/tmp/x",
    "alias claude='claude --dangerously-skip-permissions'",
    "alias cc='claude --dangerously-skip-permissions'",
    "alias codex='codex --yolo'",
    "alias copilot=true",
    "alias hook-runner=true",
    "alias command-blocker='echo {}'",
    "function claude { /tmp/x \"$@\"; }",
    "function gemini",
    "codex() { /tmp/x \"$@\"; }",
    "export CLAUDE_CONFIG_DIR=/tmp/x",
    "export COPILOT_HOME=/tmp/x",
    "set -gx CODEX_HOME /tmp/x",
    "export PATH=/tmp/evil:$PATH",
    "export XDG_STATE_HOME=/tmp/x",
    "$env:CLAUDE_CONFIG_DIR = '/tmp/x'",
];

const HARMLESS_LINES: [&str; 30] = [
    "export PATH=\"$HOME/.local/bin:$PATH\"",
    "export PATH=\"$HOME/.cargo/bin:$PATH\"",
    "export PATH=$PATH:/usr/local/go/bin",
    "export PATH=\"/opt/homebrew/bin:$PATH\"",
    "export EDITOR=nvim",
    "export HISTSIZE=10000",
    "alias ll='ls -la'",
    "alias gs='git status'",
    "alias c=claude",
    "alias claude='claude --model opus'",
    "alias cdx='codex exec'",
    "alias g=git",
    "function mkcd() { mkdir -p \"$1\" && cd \"$1\"; }",
    "function gemini_key { pass show gemini; }",
    "eval \"$(zoxide init zsh)\"",
    "eval \"$(direnv hook bash)\"",
    "source ~/.cargo/env",
    "[ -f ~/.fzf.bash ] && source ~/.fzf.bash",
    "export NVM_DIR=\"$HOME/.nvm\"",
    "[ -s \"$NVM_DIR/nvm.sh\" ] && . \"$NVM_DIR/nvm.sh\"",
    "export ANTHROPIC_API_KEY=$(pass show anthropic)",
    "export XDG_CONFIG_HOME=\"$HOME/.config\"",
    "export XDG_STATE_HOME=\"${XDG_STATE_HOME:-$HOME/.local/state}\"",
    "# alias claude=/tmp/x",
    "set -gx EDITOR nvim",
    "fish_add_path ~/.cargo/bin",
    "setopt HIST_IGNORE_DUPS",
    "PS1='\\u@\\h:\\w\\$ '",
    "ulimit -n 4096",
    "export GPG_TTY=$(tty)",
];

/// A line that is added, by the tools of every host.
fn tools(file: &str, line: &str) -> Vec<(&'static str, Value)> {
    let patch = format!("*** Begin Patch\n*** Update File: {file}\n@@\n A=1\n+{line}\n*** End Patch");
    vec![
        ("Write", json!({"file_path": file, "content": format!("A=1\n{line}\nB=2\n")})),
        ("create_file", json!({"filePath": file, "content": line})),
        ("create", json!({"path": file, "file_text": line})),
        ("Edit", json!({"file_path": file, "old_string": "A=1", "new_string": format!("A=1\n{line}")})),
        (
            "MultiEdit",
            json!({"file_path": file, "edits": [{"old_string": "A=1", "new_string": format!("A=1\n{line}")}]}),
        ),
        (
            "replace_string_in_file",
            json!({"filePath": file, "oldString": "A=1", "newString": format!("A=1\n{line}")}),
        ),
        ("edit", json!({"path": file, "old_str": "A=1", "new_str": line})),
        ("insert", json!({"path": file, "insert_line": 1, "insert_text": line})),
        ("apply_patch", json!({"input": patch})),
        ("replace", json!({"file_path": file, "old_string": "A=1", "new_string": line})),
        ("mcp__fs__write_file", json!({"path": file, "content": line})),
    ]
}

fn check(files: &[&str], lines: &[&str], expected: Option<Decision>, wrong: &mut Vec<String>) -> usize {
    let mut all = 0;
    for (file, line) in files.iter().flat_map(|file| lines.iter().map(move |line| (file, line))) {
        for (tool, input) in tools(file, line) {
            all += 1;
            let decision = edited(tool, &input);
            if decision != expected {
                wrong.push(format!("{decision:?}: {tool} {input}"));
            }
        }
    }
    all
}

#[test]
fn lines_that_rule_agents_are_asked_about_and_others_are_not() {
    let mut wrong = Vec::new();
    let held = check(&VARIABLE_FILES, &VARIABLES, Some(Decision::Ask), &mut wrong)
        + check(&PROFILES, &LINES, Some(Decision::Ask), &mut wrong);
    let free = check(&VARIABLE_FILES, &HARMLESS_VARIABLES, None, &mut wrong)
        + check(&PROFILES, &HARMLESS_LINES, None, &mut wrong);
    assert!(wrong.is_empty(), "{} of {held} and {free}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(held >= 2000 && free >= held, "{held} {free}");
}

#[test]
fn a_shell_adds_such_variables_no_more_than_a_tool_does() {
    let ways = [
        "echo '{L}' >> {P}",
        "echo '{L}' > {P}",
        "printf '%s\\n' '{L}' >> {P}",
        "echo '{L}' | tee -a {P}",
        "cat > {P} <<'E'\nA=1\n{L}\nE",
        "sed -i '$ a {L}' {P}",
    ];
    let mut wrong = Vec::new();
    for (file, way) in VARIABLE_FILES.iter().flat_map(|file| ways.map(|way| (file, way))) {
        let command = |line: &str| way.replace("{L}", line).replace("{P}", file);
        let plain = |line: &&&str| !line.contains(['\'', '$']);
        for line in VARIABLES.iter().filter(plain) {
            if decided(Language::Posix, &command(line)).is_none() {
                wrong.push(command(line));
            }
        }
        // Other rules ask about whatever is written outside the project, and a comment for `sed` is none for us.
        let free = |line: &&&str| file.contains("/project/") && !line.starts_with('#');
        for line in HARMLESS_VARIABLES.iter().filter(plain).filter(free) {
            if decided(Language::Posix, &command(line)).is_some() {
                wrong.push(format!("held: {}", command(line)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn settings_of_a_container_are_free_but_for_switches() {
    let file = "/home/user/project/.devcontainer/devcontainer.json";
    let whole = |settings: &str, more: &str| {
        json!({"file_path": file, "content": format!(
            "{{\"image\": \"node:22\", // ours\n \"customizations\": {{\"vscode\": {{\"extensions\": [\"a.b\"], \"settings\": {{{settings}}}}}}}{more}}}"
        )})
    };
    for (input, expected) in [
        (whole("\"chat.useHooks\": false", ""), Some(Decision::Ask)),
        (whole("\"chat\\u002euseHooks\": false", ""), Some(Decision::Ask)),
        (whole("\"chat.useCustomAgentHooks\": false", ""), Some(Decision::Ask)),
        (whole("\"chat.hookFilesLocations\": {}", ""), Some(Decision::Ask)),
        (whole("\"chat.tools.global.autoApprove\": true", ""), Some(Decision::Ask)),
        (whole("", ", \"containerEnv\": {\"CODEX_HOME\": \"/tmp/x\"}"), Some(Decision::Ask)),
        (whole("", ", \"remoteEnv\": {\"COPILOT_ALLOW_ALL\": \"1\"}"), Some(Decision::Ask)),
        (whole("\"chat.useHooks\": true", ""), None),
        (whole("\"editor.tabSize\": 2, \"terminal.integrated.fontSize\": 12", ""), None),
        (whole("", ", \"containerEnv\": {\"CLAUDE_CONFIG_DIR\": \"/home/node/.claude\"}"), None),
        (whole("", ", \"postCreateCommand\": \"npm ci\", \"forwardPorts\": [3000]"), None),
        (json!({"file_path": file, "old_string": "node:20", "new_string": "node:22"}), None),
        (
            json!({"file_path": file, "old_string": "\"a\": 1", "new_string": "\"a\": 1, \"settings\": {\"chat.useHooks\": false}"}),
            Some(Decision::Ask),
        ),
        (
            json!({"file_path": file, "old_string": "\"editor.tabSize\": 2,", "new_string": "\"chat.useHooks\": false,"}),
            Some(Decision::Ask),
        ),
    ] {
        let tool = if input.get("content").is_some() { "Write" } else { "Edit" };
        assert_eq!(edited(tool, &input), expected, "{tool} {input}");
    }
    for (command, expected) in [
        ("sed -i 's/node:20/node:22/' .devcontainer/devcontainer.json", None),
        ("cp -r ../x/.devcontainer .", None),
        ("rm -rf .devcontainer", None),
        (
            "echo '{\"settings\": {\"chat.useHooks\": false}}' > .devcontainer/devcontainer.json",
            Some(Decision::Ask),
        ),
    ] {
        assert_eq!(decided(Language::Posix, command), expected, "{command}");
    }
}
