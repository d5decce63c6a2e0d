//! Agents that are started so that no hook sees what they do.

use payload::Host;
use shell::{Arg, Atom, Place, mark};

use super::super::has;
use super::registry;
use super::switches::{self, Effect};
use crate::command::Command;
use crate::of_hosts::lines_of_all;
use crate::protected;
use crate::zone::Zone;

/// Which agent a program is, by the name of its package or program.
fn agent(name: &str) -> Option<&'static str> {
    // One look at the first letter spares nearly every command the rest.
    if !protected::begins_host(name) {
        return None;
    }
    // `copilot@1.2`, as npx and its like take it.
    let name = name.split('@').next().unwrap_or(name);
    let of = |host: &Host| {
        let kept = &host.traits().kept;
        !name.is_empty() && (name == kept.program || name == kept.package)
    };
    Host::NAMED.iter().find(|host| of(host)).map(|host| host.as_str())
}

/// Which agent a command starts, also by its script: `node …/@openai/codex/bin/codex.js`.
fn started(command: &Command<'_>) -> Option<&'static str> {
    agent(&command.name).or_else(|| {
        if !matches!(&*command.name, "node" | "nodejs" | "bun" | "deno" | "tsx") {
            return None;
        }
        let script = command.args().iter().find(|arg| !arg.text.starts_with('-') && arg.text != "run")?;
        // Agents from npm are scripts of node: a folder of the path has the agent's name.
        let named = script.text.split('/').rev().take(6).find_map(|part| agent(part.trim_end_matches(".js")));
        named.or_else(|| {
            UNMISTAKABLE.iter().find(|(switch, _)| command.has_word(switch)).map(|(_, agent)| *agent)
        })
    })
}

/// Switches that tell which agent a script is, wherever it lies.
const UNMISTAKABLE: &[(&str, &str)] = &[
    ("--dangerously-skip-permissions", "claude"),
    ("--dangerously-bypass-approvals-and-sandbox", "codex"),
    ("--allow-all-tools", "copilot"),
];

/// Whether a command starts an agent.
pub(super) fn is_agent(command: &Command<'_>) -> bool {
    started(command).is_some()
}

/// Whether an agent is started without its hooks or with everything allowed, or hooks are switched off.
pub(super) fn is_unguarded(command: &Command<'_>) -> bool {
    let unguarded = match started(command) {
        Some(agent) => switches::given(command, agent) == Some(Effect::Off) || has_other_home(command),
        // Not an agent: but a program that writes such a switch into settings does the same.
        None => {
            matches!(&*command.name, "jq" | "sed" | "tee" | "yq" | "sponge") && switched_off(command)
                || registry::keeps_variable(command)
        }
    };
    unguarded && !command.only_asks()
}

/// Variables that decide from where an agent takes its hooks, or whether it asks at all.
pub(crate) const VARIABLES: &str = lines_of_all!(
    "HOME USERPROFILE XDG_CONFIG_HOME XDG_STATE_HOME APPDATA LOCALAPPDATA AUDIT_LOG",
    variables
);

/// Whether the agent starts with another home folder than that of the hooks.
fn has_other_home(command: &Command<'_>) -> bool {
    let home = command.facts.home_folder();
    let moved = |name: &str, value: &str| match name {
        // To set it to what it is changes nothing.
        "HOME" | "USERPROFILE" => home.is_none_or(|home| value.trim_end_matches('/') != home),
        "PATH" => has_foreign_folder(command, value),
        // With these, another script runs inside the agent before it does.
        "NODE_OPTIONS" => value
            .split([' ', '='])
            .any(|word| has("--require -r --import --loader --experimental-loader", word)),
        _ => has(VARIABLES, name),
    };
    // `env -i claude`
    let cleared = |atom: &Atom| {
        let named = |arg: &Arg| {
            let text = arg.text.strip_prefix("--unset=").or_else(|| arg.text.strip_prefix("-u"));
            has(VARIABLES, text.filter(|text| !text.is_empty()).unwrap_or(&arg.text))
        };
        let args = || atom.args.iter().skip(1);
        match &*atom.program() {
            "env" => args().any(|arg| has("-i - --ignore-environment", &arg.text) || named(arg)),
            "unset" => args().any(named),
            _ => false,
        }
    };
    has_variable(command, moved) || before(command).iter().any(cleared) || is_someone_elses(command)
}

/// Whether the agent runs as another user, or in another file system: there the hooks of this user are not.
fn is_someone_elses(command: &Command<'_>) -> bool {
    let parent =
        command.atom.via.and_then(|via| command.analysis.atoms.get(usize::try_from(via.parent).ok()?));
    command.atom.place == Place::Container
        || parent.is_some_and(|parent| has("sudo su doas runuser pkexec chroot bwrap", &parent.program()))
}

/// Whether programs are looked for in a folder into which anyone writes, such as an agent, before all others.
fn has_foreign_folder(command: &Command<'_>, path: &str) -> bool {
    // Only folders before `$PATH`: those after it come too late to hide a program.
    let folders = path.split(':').take_while(|folder| !folder.chars().all(mark::is_hole));
    folders.filter(|folder| !mark::any(folder)).any(|folder| {
        matches!(
            command.target(folder).zone,
            Zone::Temporary | Zone::Worktree | Zone::Inside | Zone::Generated | Zone::Repository
        )
    })
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

/// Whether an argument, or what is read, switches hooks off.
fn switched_off(command: &Command<'_>) -> bool {
    command.args().iter().any(|arg| switches::switches_off(&arg.text))
        || command.atom.stdin.as_deref().is_some_and(switches::switches_off)
}

/// Whether an agent gets other settings, servers or extensions than it has.
pub(super) fn has_other_settings(command: &Command<'_>) -> bool {
    let Some(agent) = started(command).filter(|_| !command.only_asks()) else { return false };
    let settings = || {
        command.value(&["--settings"]).is_some_and(|value| {
            // A file may hold anything; inline JSON is looked at, and escapes could hide a key.
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
    switches::given(command, agent).is_some() || agent == "claude" && (settings() || sources())
}

/// Whether git is set to take its hooks from elsewhere.
pub(super) fn moves_git_hooks(command: &Command<'_>) -> bool {
    const KEY: &str = "core.hooksPath";
    // What husky and its like set up: hooks that the repository itself brings, shows in each change, and that are followed.
    const BROUGHT: [&str; 3] = [".husky", ".husky/_", ".githooks"];
    let brought = |folder: &str| {
        let folder = folder.trim_end_matches('/');
        BROUGHT.contains(&folder.strip_prefix("./").unwrap_or(folder))
    };
    if command.name != "git" {
        return false;
    }
    let names = |text: &str| text.get(..KEY.len()).is_some_and(|start| start.eq_ignore_ascii_case(KEY));
    let args = command.args();
    let Some(at) = args.iter().position(|arg| names(&arg.text)) else {
        let by_option = |arg: &Arg| arg.text.strip_prefix("--config-env=").is_some_and(names);
        let by_variable = |name: &str, value: &str| {
            name.starts_with("GIT_CONFIG_KEY_") && names(value)
                // What git itself uses to hand `-c` to its children.
                || name == "GIT_CONFIG_PARAMETERS" && value.to_ascii_lowercase().contains("core.hookspath")
        };
        return args.iter().any(by_option) || has_variable(command, by_variable);
    };
    // `git -c core.hooksPath=/dev/null commit`
    if args[at].text.len() > KEY.len() {
        let folder = args[at].text[KEY.len()..].strip_prefix('=').unwrap_or("");
        return at > 0
            && (args[at - 1].text == "-c" && !brought(folder) || args[at - 1].text == "--config-env");
    }
    let reads = command.has(&["--get", "--get-all", "--list", "--get-regexp", "--show-origin"])
        || command.sub(&["config", "get"]);
    if args.get(at + 1).is_some_and(|value| brought(&value.text)) {
        return false;
    }
    // Without a value it reads, and `--unset` gives the usual hooks back.
    command.sub(&["config"]) && !reads && args.len() > at + 1
}
