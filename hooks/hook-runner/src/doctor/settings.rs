//! Settings of hosts that keep hooks from running, without a word.

use std::env;
use std::path::Path;

use host::Product;
use host::load::{Loaded, text};
use host::place::Scope;
use host::tree::{self, Node};

use crate::project::Project;

/// Something about a host's settings.
pub(super) struct Remark {
    /// In a sentence.
    pub(super) text: String,
    /// Whether hooks do not run because of it.
    pub(super) bad: bool,
}

fn bad(text: impl Into<String>) -> Remark {
    Remark { text: text.into(), bad: true }
}

fn fine(text: impl Into<String>) -> Remark {
    Remark { text: text.into(), bad: false }
}

/// What a host's settings do to the project's hooks.
pub(super) fn look(product: Product, project: &Project, loaded: &Loaded) -> Vec<Remark> {
    let of_project =
        loaded.files.iter().any(|file| file.place.scope == Scope::Project && !file.reading.hooks.is_empty());
    match product {
        Product::VsCode => vs_code(project),
        Product::CopilotCli if of_project => copilot(project),
        Product::Claude if of_project => claude(project),
        Product::Codex => codex(project, !loaded.hooks().is_empty()),
        Product::Gemini if of_project => gemini(project),
        _ => Vec::new(),
    }
}

/// A settings file as a tree; `None` when it is not there or no JSON.
fn tree_of(path: &Path) -> Option<Node> {
    Some(tree::parse(&text(path).ok()?).ok()?.root)
}

/// [source] vscode 01272b92: `chat.useHooks` is the master switch; an untrusted workspace has no hooks at all.
fn vs_code(project: &Project) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let home = &project.folders.home;
    let files = [
        home.join(".config/Code/User/settings.json"),
        home.join("Library/Application Support/Code/User/settings.json"),
        project.root.join(".vscode/settings.json"),
    ];
    for path in files {
        let Some(root) = tree_of(&path) else { continue };
        let truth = |key: &str| root.at(key).and_then(Node::truth);
        if truth("chat.useHooks") == Some(false) {
            remarks.push(bad(format!("`chat.useHooks` is off in {}: no hook runs", project.short(&path))));
        }
        if truth("chat.useClaudeHooks") == Some(true) {
            remarks.push(fine(format!(
                "`chat.useClaudeHooks` is on in {}: Claude's files are read, too",
                project.short(&path)
            )));
        }
    }
    remarks
}

/// [run] Copilot CLI 1.0.102: in a folder that is not trusted, `-p` loads no hook of the repository, silently.
fn copilot(project: &Project) -> Vec<Remark> {
    const MODE: &str = "GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS";
    let folders = &project.folders;
    let home = folders.copilot_home.clone().unwrap_or_else(|| folders.home.join(".copilot"));
    let config = tree_of(&home.join("config.json"));
    let listed = |key: &str| {
        let list =
            config.as_ref().and_then(|config| config.at(key)).and_then(Node::elements).unwrap_or_default();
        list.iter().filter_map(Node::text).any(|folder| project.root.starts_with(folder))
    };
    let set = |name: &str| env::var(name).ok();
    if let Some(value) = set(MODE).filter(|value| value != "true") {
        return vec![bad(format!("{MODE} is `{value}`; only `true` does something"))];
    }
    if listed("trusted_folders") || listed("trustedFolders") {
        return vec![fine("this folder is trusted")];
    }
    if set("COPILOT_ALLOW_ALL").as_deref() == Some("true") || set(MODE).is_some() {
        return vec![fine("hooks of the repository are on by the environment")];
    }
    vec![bad(format!(
        "this folder is not trusted: in prompt mode (-p) no hook of the repository runs, and it does not say so; \
         start it there once, or set {MODE}=true"
    ))]
}

/// [run] Claude Code 2.1.329, started in a folder of the repository, does not load the root's settings.
fn claude(project: &Project) -> Vec<Remark> {
    let here = env::current_dir().unwrap_or_default();
    if here.starts_with(&project.root) && here != project.root && project.root.join(".claude").is_dir() {
        return vec![fine("started in this folder, Claude Code does not load the settings of the root")];
    }
    Vec::new()
}

/// [run] Codex CLI 0.169.0: hooks that were not reviewed are skipped, and those of projects that are not trusted.
fn codex(project: &Project, has_hooks: bool) -> Vec<Remark> {
    let folders = &project.folders;
    let home = folders.codex_home.clone().unwrap_or_else(|| folders.home.join(".codex"));
    let config = text(&home.join("config.toml")).unwrap_or_default();
    let lines = || config.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let mut remarks = Vec::new();
    if lines().any(|line| line.starts_with("[hooks") || line.starts_with("[[hooks")) {
        remarks.push(fine("config.toml has hooks, too; hook-runner does not read those"));
    }
    if !has_hooks {
        return remarks;
    }
    let off = lines().any(|line| {
        line.split_once('=')
            .is_some_and(|(key, value)| key.trim() == "hooks" && value.trim().starts_with("false"))
    });
    if off {
        remarks.push(bad("`hooks = false` in config.toml: no hook runs"));
    }
    if !config.contains(&format!("[projects.\"{}\"]", project.root.display()))
        && project.root.join(".codex/hooks.json").is_file()
    {
        remarks.push(bad("this project is not trusted in config.toml: its hooks do not run"));
    }
    remarks.push(fine("hooks that were not reviewed with /hooks are skipped, and nothing says so"));
    remarks
}

/// [source] gemini-cli 5411f113: with folder trust on, a folder that is not trusted has no project settings.
fn gemini(project: &Project) -> Vec<Remark> {
    let home = project.folders.home.join(".gemini");
    let settings = tree_of(&home.join("settings.json"));
    let at = |keys: &[&str]| {
        keys.iter().try_fold(settings.as_ref()?, |node, key| node.at(key)).and_then(Node::truth)
    };
    let mut remarks = Vec::new();
    if at(&["hooksConfig", "enabled"]) == Some(false) || at(&["tools", "enableHooks"]) == Some(false) {
        remarks.push(bad("hooks are off in ~/.gemini/settings.json"));
    }
    if at(&["security", "folderTrust", "enabled"]) == Some(true) {
        let trusted = tree_of(&home.join("trustedFolders.json"));
        let known = trusted.as_ref().is_some_and(|root| {
            root.members().iter().any(|member| {
                project.root.starts_with(&member.key) && member.node.text() != Some("DO_NOT_TRUST")
            })
        });
        if !known {
            remarks.push(bad("this folder is not trusted: the project's settings and hooks are not loaded"));
        }
    }
    remarks
}
