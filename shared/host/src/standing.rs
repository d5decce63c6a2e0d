//! What keeps a host from running hooks that it reads: switches in its settings, and what a person has to do first.

use std::env;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::load::{File, text};
use crate::place::{Folders, Scope};
use crate::product::Product;
use crate::tree::{self, Node};

/// What a remark means for hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Nothing; it is worth knowing.
    Known,
    /// They do not run before a person has done something.
    Pending,
    /// None runs.
    Off,
}

/// Something about a host's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// In a sentence.
    pub text: String,
    /// What to do.
    pub help: String,
    /// What it means.
    pub weight: Weight,
    /// The file that says so, and where in it.
    pub at: Option<(PathBuf, Range<usize>)>,
}

fn remark(weight: Weight, text: impl Into<String>, help: &str) -> Remark {
    Remark { text: text.into(), help: help.to_owned(), weight, at: None }
}

impl Remark {
    fn at(self, path: &Path, span: Range<usize>) -> Self {
        Self { at: Some((path.to_owned(), span)), ..self }
    }
}

/// What a host's settings do to the hooks of these files.
pub(crate) fn look(product: Product, folders: &Folders, files: &[File]) -> Vec<Remark> {
    let has = |file: &&File| !file.reading.hooks.is_empty();
    let of_project = files.iter().filter(has).any(|file| file.place.scope == Scope::Project);
    match product {
        Product::VsCode => vs_code(folders, files.iter().any(|file| has(&file))),
        Product::CopilotCli if of_project => copilot(folders),
        Product::Claude if of_project => claude(folders),
        Product::Codex => codex(folders, files.iter().any(|file| has(&file)), of_project),
        Product::Gemini if files.iter().any(|file| has(&file)) => gemini(folders, of_project),
        _ => Vec::new(),
    }
}

/// A settings file as a tree; `None` when it is not there or is not JSON.
fn tree_of(path: &Path) -> Option<Node> {
    Some(tree::parse(&text(path).ok()?).ok()?.root)
}

/// [source] vscode 01272b92: `chat.useHooks` is the master switch; an untrusted workspace has no hooks at all.
fn vs_code(folders: &Folders, has_hooks: bool) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for path in folders.vs_code_settings() {
        let Some(root) = tree_of(&path) else { continue };
        let truth = |key: &str| Some((root.get(key)?.key_span.clone(), root.at(key)?.truth()?));
        if let Some((span, false)) = truth("chat.useHooks") {
            let help = "Take it out of VS Code's settings.";
            let weight = if has_hooks { Weight::Off } else { Weight::Known };
            remarks.push(remark(weight, "`chat.useHooks` is off: no hook runs", help).at(&path, span));
        }
        if let Some((span, true)) = truth("chat.useClaudeHooks") {
            let text = "`chat.useClaudeHooks` is on: Claude's files are read, too";
            remarks.push(remark(Weight::Known, text, "").at(&path, span));
        }
    }
    remarks
}

/// [run] Copilot CLI 1.0.102: in a folder that is not trusted, `-p` loads no hook of the repository, silently.
fn copilot(folders: &Folders) -> Vec<Remark> {
    const MODE: &str = "GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS";
    let home = folders.copilot_home.clone().unwrap_or_else(|| folders.home.join(".copilot"));
    let config = tree_of(&home.join("config.json"));
    let listed = |key: &str| {
        let list =
            config.as_ref().and_then(|config| config.at(key)).and_then(Node::elements).unwrap_or_default();
        list.iter().filter_map(Node::text).any(|folder| folders.project.starts_with(folder))
    };
    let set = |name: &str| env::var(name).ok();
    if let Some(value) = set(MODE).filter(|value| value != "true") {
        let text = format!("{MODE} is `{value}`; only `true` does something");
        return vec![remark(Weight::Pending, text, "Set it to `true`.")];
    }
    if listed("trusted_folders") || listed("trustedFolders") {
        return vec![remark(Weight::Known, "this folder is trusted", "")];
    }
    if set("COPILOT_ALLOW_ALL").as_deref() == Some("true") || set(MODE).is_some() {
        return vec![remark(Weight::Known, "hooks of the repository are on by the environment", "")];
    }
    let text = format!(
        "this folder is not trusted: in prompt mode (-p) no hook of the repository runs, and it does not say so; \
         start it there once, or set {MODE}=true"
    );
    vec![remark(Weight::Pending, text, "Start `copilot` there once and trust the folder.")]
}

/// [run] Claude Code 2.1.329, started in a folder of the repository, does not load the root's settings.
fn claude(folders: &Folders) -> Vec<Remark> {
    let here = env::current_dir().unwrap_or_default();
    let root = &folders.project;
    if here.starts_with(root) && here != *root && root.join(".claude").is_dir() {
        let text = "started in this folder, Claude Code does not load the settings of the root";
        return vec![remark(Weight::Known, text, "Start it in the root of the project.")];
    }
    Vec::new()
}

/// [run] Codex CLI 0.169.0: hooks that were not reviewed are skipped, and those of projects that are not trusted.
fn codex(folders: &Folders, has_hooks: bool, of_project: bool) -> Vec<Remark> {
    let home = folders.codex_home.clone().unwrap_or_else(|| folders.home.join(".codex"));
    let own = home.join("config.toml");
    let mut remarks = Vec::new();
    for path in [own.clone(), folders.project.join(".codex/config.toml")] {
        let config = text(&path).unwrap_or_default();
        let lines = || config.lines().map(str::trim).filter(|line| !line.starts_with('#'));
        if lines().any(|line| line.starts_with("[hooks") || line.starts_with("[[hooks")) {
            let text = "config.toml has hooks, too; hook-runner does not read those";
            remarks.push(remark(Weight::Known, text, "").at(&path, 0..0));
        }
        let off = lines().find(|line| {
            line.split_once('=').is_some_and(|(key, value)| {
                matches!(key.trim(), "hooks" | "features.hooks") && value.trim().starts_with("false")
            })
        });
        if let Some(line) = off.filter(|_| has_hooks) {
            let start = config.find(line).unwrap_or(0);
            let off = remark(Weight::Off, "`hooks = false` in config.toml: no hook runs", "Take it out.");
            remarks.push(off.at(&path, start..start + line.len()));
        }
    }
    if !has_hooks {
        return remarks;
    }
    let config = text(&own).unwrap_or_default();
    if of_project && !config.contains(&format!("[projects.\"{}\"]", folders.project.display())) {
        let text = "this project is not trusted in config.toml: its hooks do not run";
        remarks.push(remark(Weight::Pending, text, "Start `codex` there once and trust the project."));
    }
    let text = "hooks that were not reviewed with /hooks are skipped, and nothing says so";
    remarks.push(remark(Weight::Known, text, "Type /hooks in Codex CLI and approve them."));
    remarks
}

/// [source] gemini-cli 5411f113: with folder trust on, a folder that is not trusted has no project settings.
fn gemini(folders: &Folders, of_project: bool) -> Vec<Remark> {
    let home = folders.home.join(".gemini");
    let mut remarks = Vec::new();
    let mut trust_on = false;
    for path in [home.join("settings.json"), folders.project.join(".gemini/settings.json")] {
        let Some(root) = tree_of(&path) else { continue };
        let at = |first: &str, second: &str| {
            let member = root.at(first)?.get(second)?;
            Some((member.key_span.clone(), member.node.truth()?))
        };
        for (first, second) in [("hooksConfig", "enabled"), ("tools", "enableHooks")] {
            if let Some((span, false)) = at(first, second) {
                let text = format!("hooks are off: `{first}.{second}` is false");
                remarks.push(remark(Weight::Off, text, "Take it out, or set it to true.").at(&path, span));
            }
        }
        if root.at("security").and_then(|node| node.at("folderTrust")?.at("enabled")?.truth()) == Some(true) {
            trust_on = true;
        }
    }
    if trust_on && of_project {
        let trusted = tree_of(&home.join("trustedFolders.json"));
        let known = trusted.as_ref().is_some_and(|root| {
            root.members().iter().any(|member| {
                folders.project.starts_with(&member.key) && member.node.text() != Some("DO_NOT_TRUST")
            })
        });
        if !known {
            let text = "this folder is not trusted: the project's settings and hooks are not loaded";
            remarks.push(remark(Weight::Pending, text, "Start `gemini` there once and trust the folder."));
        }
    }
    remarks
}
