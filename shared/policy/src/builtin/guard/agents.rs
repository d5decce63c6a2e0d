//! Agents that are started so that no hook sees what they do.

use shell::{Arg, Atom};

use super::super::has;
use crate::command::Command;

/// Which agent a program is, by the name of its package or program.
fn agent(name: &str) -> Option<&'static str> {
    if !matches!(name.as_bytes().first(), Some(b'c' | b'g')) || name.len() < 5 {
        return None;
    }
    let name = name.split('@').next().unwrap_or(name);
    Some(match name {
        "claude" | "claude-code" => "claude",
        "copilot" => "copilot",
        "codex" => "codex",
        "gemini" | "gemini-cli" => "gemini",
        "cursor-agent" => "cursor",
        _ => return None,
    })
}

/// Whether a program is an agent.
pub(super) fn is_agent(name: &str) -> bool {
    agent(name).is_some()
}

/// Whether an agent is started without its hooks or with everything allowed, or hooks are switched off.
pub(super) fn is_unguarded(command: &Command<'_>) -> bool {
    let Some(agent) = agent(&command.name) else {
        return match &*command.name {
            "jq" | "sed" | "tee" | "yq" | "sponge" => switched_off(command),
            _ => false,
        };
    };
    if command.only_asks() {
        return false;
    }
    let flag =
        |flags: &str| command.args().iter().any(|arg| has(flags, arg.text.split('=').next().unwrap_or("")));
    let value = |option: &str, values: &str| command.value(&[option]).is_some_and(|value| has(values, value));
    let holds = |text: &str| command.args().iter().any(|arg| arg.text.contains(text));
    let unguarded = match agent {
        "claude" => {
            flag("--dangerously-skip-permissions --allow-dangerously-skip-permissions --bare --safe-mode")
                || value("--permission-mode", "bypassPermissions")
                || switched_off(command)
        }
        "copilot" => flag("--yolo --allow-all --config-dir") || switched_off(command),
        "codex" => {
            flag(
                "--dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust --yolo --ignore-user-config",
            ) || value("--disable", "hooks")
                || command.sub("", &["features", "disable", "hooks"])
                || value("-s", "danger-full-access")
                || value("--sandbox", "danger-full-access")
                || holds("features.hooks=false")
                || holds("bypass_hook_trust=true")
                || holds("sandbox_mode=danger-full-access")
                || holds("sandbox_mode=\"danger-full-access\"")
        }
        "gemini" => {
            flag("--yolo -y --admin-policy")
                || value("--approval-mode", "yolo")
                || holds("hooksConfig.enabled=false")
                || command.sub("", &["hooks|hook", "disable|disable-all|uninstall"])
                || switched_off(command)
        }
        _ => flag("--yolo --force -f"),
    };
    unguarded || has_other_home(command)
}

/// Variables that decide from where an agent takes its hooks, or whether it asks at all.
const VARIABLES: &str = "HOME USERPROFILE XDG_CONFIG_HOME XDG_STATE_HOME APPDATA LOCALAPPDATA COPILOT_HOME \
    CLAUDE_CONFIG_DIR CODEX_HOME GEMINI_CLI_HOME GEMINI_CLI_SYSTEM_SETTINGS_PATH GEMINI_CLI_SYSTEM_DEFAULTS_PATH \
    COPILOT_ALLOW_ALL CLAUDE_CODE_SIMPLE CLAUDE_CODE_SAFE_MODE GEMINI_YOLO";

/// Whether the agent starts with another home folder than that of the hooks.
fn has_other_home(command: &Command<'_>) -> bool {
    let home = command.facts.home_folder();
    let moved = |name: &str, value: &str| {
        let value = value.trim_end_matches('/');
        let same = home.is_some_and(|home| value == home) && has("HOME USERPROFILE", name);
        has(VARIABLES, name) && !same
    };
    // `env -i claude`
    let cleared = |atom: &Atom| {
        atom.program() == "env"
            && atom
                .args
                .iter()
                .skip(1)
                .any(|arg| has("-i - --ignore-environment", &arg.text) || has(VARIABLES, &arg.text))
    };
    has_variable(command, moved) || before(command).iter().any(cleared) || is_somebody_elses(command)
}

/// Whether the agent runs as another user, or in another file system: there the hooks of this user are not.
fn is_somebody_elses(command: &Command<'_>) -> bool {
    let parent =
        command.atom.via.and_then(|via| command.analysis.atoms.get(usize::try_from(via.parent).ok()?));
    parent.is_some_and(|parent| has("sudo su doas runuser pkexec chroot bwrap", &parent.program()))
}

/// Whether the command starts with such a variable: `HOME=/tmp/x claude`, `export HOME=/tmp/x; claude`,
/// `env HOME=/tmp/x claude`.
fn has_variable(command: &Command<'_>, is: impl Fn(&str, &str) -> bool) -> bool {
    let assigns = |atom: &Atom| atom.assigns.iter().any(|(name, value)| is(name, value));
    let exports = |atom: &Atom| {
        let named = |arg: &Arg| arg.text.split_once('=').is_some_and(|(name, value)| is(name, value));
        matches!(&*atom.program(), "env" | "set" | "export" | "setx") && atom.args.iter().skip(1).any(named)
    };
    assigns(command.atom) || before(command).iter().any(|atom| assigns(atom) || exports(atom))
}

/// What runs before the command.
fn before<'a>(command: &Command<'a>) -> &'a [Atom] {
    let atoms = &command.analysis.atoms;
    let own = atoms.iter().position(|atom| std::ptr::eq(atom, command.atom)).unwrap_or(atoms.len());
    &atoms[..own]
}

/// Whether an argument, or what is read, sets `disableAllHooks` to true.
fn switched_off(command: &Command<'_>) -> bool {
    !command.only_asks()
        && (command.args().iter().any(|arg| switches_off(&arg.text))
            || command.atom.stdin.as_deref().is_some_and(switches_off))
}

/// Whether a text switches hooks off.
fn switches_off(text: &str) -> bool {
    [("disableAllHooks", "true"), ("chat.useHooks", "false")].into_iter().any(|(setting, value)| {
        // Most arguments are shorter: preparing the search would cost more than all else about them.
        text.len() > setting.len()
            && memchr::memmem::rfind(text.as_bytes(), setting.as_bytes())
                .is_some_and(|at| text[at..].contains(value))
    })
}

/// Whether an agent gets other settings, servers or extensions than it has.
pub(super) fn has_other_settings(command: &Command<'_>) -> bool {
    let Some(agent) = agent(&command.name).filter(|_| !command.only_asks()) else { return false };
    let sub = |words: &[&str]| command.sub("", words);
    let settings = || {
        command.value(&["--settings"]).is_some_and(|value| {
            !value.trim_start().starts_with('{')
                || value.contains("ook")
                || value.contains("permission")
                || value.contains("\\u")
        })
    };
    let sources = || {
        command
            .value(&["--setting-sources"])
            .is_some_and(|value| !["user", "project", "local"].iter().all(|source| value.contains(source)))
    };
    sub(&["mcp", "add|add-json|add-from-claude-desktop|remove|reset-project-choices|disable|enable"])
        || sub(&[
            "plugin|plugins|extensions|extension|skills",
            "install|uninstall|remove|add|disable|enable|link|update",
        ])
        || sub(&["config", "set|add|remove"])
        || sub(&["features", "enable|disable"])
        || agent == "claude" && (settings() || sources())
        || command
            .value(&["--allow-tool", "--allowedTools", "--allowed-tools"])
            .is_some_and(|tools| has("shell shell(*) Bash Bash(*) Bash(:*) *", tools))
        || agent == "copilot"
            && command
                .args()
                .iter()
                .any(|arg| has("--allow-all-tools --allow-all-paths --allow-all-urls", &arg.text))
}

/// Whether git is told to take its hooks from elsewhere.
pub(super) fn moves_git_hooks(command: &Command<'_>) -> bool {
    const KEY: &str = "core.hooksPath";
    if command.name != "git" {
        return false;
    }
    let names = |text: &str| text.get(..KEY.len()).is_some_and(|start| start.eq_ignore_ascii_case(KEY));
    let args = command.args();
    let Some(at) = args.iter().position(|arg| names(&arg.text)) else {
        let by_option = |arg: &Arg| arg.text.strip_prefix("--config-env=").is_some_and(names);
        let by_variable = |name: &str, value: &str| {
            name.starts_with("GIT_CONFIG_KEY_") && names(value)
                || name == "GIT_CONFIG_PARAMETERS" && value.to_ascii_lowercase().contains("core.hookspath")
        };
        return args.iter().any(by_option) || has_variable(command, by_variable);
    };
    // `git -c core.hooksPath=/dev/null commit`
    if args[at].text.len() > KEY.len() {
        return at > 0 && matches!(&*args[at - 1].text, "-c" | "--config-env");
    }
    let reads = command.has(&["--get", "--get-all", "--list", "--get-regexp", "--show-origin"])
        || command.sub("-C -c", &["config", "get"]);
    // Without a value it reads, and `--unset` gives the usual hooks back.
    command.sub("-C -c --git-dir --work-tree -f --file", &["config"]) && !reads && args.len() > at + 1
}
