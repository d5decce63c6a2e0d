//! Switching off this protection.

use crate::command::Command;
use crate::rule::{Family, Rule, Severity, When};

/// The programs that protect, by name.
const OURS: &[&str] = &[
    "command-blocker",
    "hook-runner",
    "approval-gate",
    "audit-logger",
    "stop-guard",
    "context-injector",
    "formatter-trigger",
];

pub(super) static FAMILY: Family = Family {
    id: "guard",
    title: "Switching off this protection",
    covers: |name| {
        matches!(
            name,
            "pkill"
                | "killall"
                | "rm"
                | "mv"
                | "unlink"
                | "chmod"
                | "truncate"
                | "shred"
                | "cp"
                | "ln"
                | "dd"
                | "tee"
                | "claude"
                | "codex"
                | "gemini"
                | "copilot"
                | "jq"
                | "sed"
                | "cargo"
                | "chattr"
                | "npm"
                | "brew"
                | "git"
        )
    },
    rules: &[
        Rule {
            id: "guard.remove",
            severity: Severity::Catastrophic,
            when: When::Command(|command| !command.only_asks() && removes_guard(command)),
            reason: "It stops, removes or replaces a program that watches over commands.",
            instead: "Ask a person to change the protection.",
            matches: "
                pkill -9 command-blocker
                rm ~/.cargo/bin/command-blocker
                mv /usr/local/bin/hook-runner /tmp/x
                chmod -x /usr/local/bin/audit-logger
                cp /bin/true /usr/local/bin/approval-gate
                cargo uninstall command-blocker
                rm .github/hooks/10-command-blocker.json
            ",
            spares: "
                command-blocker --help
                rm -rf hooks/command-blocker/target
                cp target/release/command-blocker dist/
                chmod +x target/release/hook-runner
                ls /usr/local/bin/command-blocker
                cargo build -p command-blocker
            ",
        },
        Rule {
            id: "guard.disable-hooks",
            severity: Severity::Destructive,
            when: When::Command(|command| !command.only_asks() && disables_hooks(command)),
            reason: "It starts an agent, or changes its settings, so that no hook sees its commands.",
            instead: "Start the agent with its hooks, and ask a person to change them.",
            matches: "
                claude --settings '{\"disableAllHooks\": true}' -p hi
                claude -p hi --dangerously-skip-permissions
                jq '.disableAllHooks = true' .claude/settings.json
                codex exec --dangerously-bypass-approvals-and-sandbox hi
                sed -i 's/\"disableAllHooks\": false/\"disableAllHooks\": true/' .claude/settings.json
                echo '{\"disableAllHooks\": true}' | tee .claude/settings.json
            ",
            spares: "
                claude -p hi
                codex exec hi
                git commit -m 'Explain disableAllHooks'
                jq .hooks .claude/settings.json
            ",
        },
    ],
};

fn is_ours(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.strip_suffix(".exe").or_else(|| name.strip_suffix(".json")).unwrap_or(name);
    let name = name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
    OURS.contains(&name)
}

fn removes_guard(command: &Command<'_>) -> bool {
    // In a build folder of the project that makes them, they are files like others.
    let installed = |text: &str| is_ours(text) && !text.contains("target/") && !text.starts_with("dist/");
    let operands = || command.operands("-t --target-directory -u --user -m --mode");
    match &*command.name {
        "pkill" | "killall" => operands().iter().any(|arg| OURS.iter().any(|ours| arg.text.contains(ours))),
        "rm" | "mv" | "unlink" | "truncate" | "shred" | "tee" | "chattr" => {
            operands().iter().any(|arg| installed(&arg.text))
        }
        "chmod" => {
            command.args().iter().any(|arg| {
                arg.text.starts_with('-') || arg.text.bytes().all(|b| matches!(b, b'0' | b'4' | b'6'))
            }) && operands().iter().any(|arg| installed(&arg.text))
        }
        "cp" | "ln" => {
            let operands = operands();
            operands.len() > 1
                && operands.last().is_some_and(|arg| installed(&arg.text))
                && !operands[..operands.len() - 1].iter().any(|arg| is_ours(&arg.text))
        }
        "cargo" | "npm" | "brew" => {
            command.sub("", &["uninstall|remove|rm"])
                && operands().iter().any(|arg| is_ours(&arg.text) || arg.text == "policy-hooks")
        }
        _ => false,
    }
}

fn disables_hooks(command: &Command<'_>) -> bool {
    let mentions = |text: &str| command.args().iter().any(|arg| arg.text.contains(text));
    let off = || {
        command.args().iter().any(|arg| switches_off(&arg.text))
            || command.atom.stdin.as_deref().is_some_and(switches_off)
    };
    match &*command.name {
        "claude" => off() || mentions("--dangerously-skip-permissions") || mentions("--bare"),
        "codex" => {
            mentions("--dangerously-bypass-approvals-and-sandbox")
                || mentions("--disable=hooks")
                || mentions("features.hooks=false")
        }
        "gemini" => mentions("hooksConfig.enabled=false") || off(),
        "copilot" => off(),
        "jq" | "sed" | "tee" => off(),
        _ => false,
    }
}

/// Whether a text sets `disableAllHooks` to true.
fn switches_off(text: &str) -> bool {
    let setting = b"disableAllHooks";
    // Most arguments are shorter: preparing the search would cost more than all else about them.
    text.len() > setting.len()
        && memchr::memmem::rfind(text.as_bytes(), setting).is_some_and(|at| text[at..].contains("true"))
}
