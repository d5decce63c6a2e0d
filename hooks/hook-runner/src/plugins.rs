//! Hooks of plugins and extensions that the user's hosts have switched on. Each host keeps its own books about them. [run]
//! Claude Code 2.1.330, Copilot CLI 1.0.102, Codex CLI 0.169.0, Gemini CLI 0.61.0: installed from a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use host::System;
use host::load::{File, Loaded};
use host::place::{Base, Folders, Format, Place, Scope, hooks};
use host::read::{Source, read};
use serde_json::Value;

/// Why such a file is read.
const PLUGIN: Place = hooks(Scope::User, Base::Home, "", "run: a plugin that is switched on");

/// What stands for a plugin's own folder in its commands.
const OWN_FOLDER: [&str; 2] = ["${CLAUDE_PLUGIN_ROOT}", "${extensionPath}"];

/// Adds the hooks of every plugin that is switched on.
pub(crate) fn add(loaded: &mut Loaded, folders: &Folders) {
    for root in roots(loaded, folders) {
        let path = root.join("hooks/hooks.json");
        let Ok(mut text) = host::tree::text(&path) else { continue };
        let Ok(quoted) = serde_json::to_string(&root.display().to_string()) else { continue };
        for name in OWN_FOLDER {
            text = text.replace(name, quoted.trim_matches('"'));
        }
        let source = Source { file: path.clone(), scope: Scope::User, format: Format::Hooks, text: &text };
        let mut reading = read(loaded.product, &source, System::HERE);
        // One file is written for several hosts: each leaves out what it does not know.
        reading.problems.clear();
        if loaded.switched_off.is_some() {
            reading.hooks.clear();
        }
        loaded.files.push(File { path, place: PLUGIN, text: Ok(text), reading });
    }
}

/// The folders of the plugins that a host has switched on.
fn roots(loaded: &Loaded, folders: &Folders) -> Vec<PathBuf> {
    let copilot_home = || folders.copilot_home.clone().unwrap_or_else(|| folders.home.join(".copilot"));
    let codex_home = || folders.codex_home.clone().unwrap_or_else(|| folders.home.join(".codex"));
    match loaded.product.name {
        "claude" => claude(loaded, &folders.home.join(".claude/plugins")),
        "copilot" => copilot(loaded, &copilot_home()),
        "codex" => codex(&codex_home()),
        "gemini" => gemini(&folders.home.join(".gemini/extensions")),
        _ => Vec::new(),
    }
}

/// `enabledPlugins` of the settings that the host read: the project's counts before the user's, the administrator's before
/// both.
fn enabled(loaded: &Loaded) -> Vec<String> {
    let mut switches = BTreeMap::new();
    let of = |scope: Scope| loaded.files.iter().filter(move |file| file.place.scope == scope);
    for file in of(Scope::User).chain(of(Scope::Project)).chain(of(Scope::Policy)) {
        let Some(settings) = file.text.as_ref().ok().and_then(|text| parse(text)) else { continue };
        for (name, on) in settings["enabledPlugins"].as_object().into_iter().flatten() {
            switches.insert(name.clone(), on != &Value::Bool(false));
        }
    }
    switches.into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect()
}

fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

fn json(path: &Path) -> Option<Value> {
    parse(&host::tree::text(path).ok()?)
}

fn claude(loaded: &Loaded, own: &Path) -> Vec<PathBuf> {
    let Some(installed) = json(&own.join("installed_plugins.json")) else { return Vec::new() };
    enabled(loaded)
        .iter()
        .flat_map(|name| installed["plugins"][name.as_str()].as_array().into_iter().flatten())
        .filter_map(|install| install["installPath"].as_str().map(PathBuf::from))
        .collect()
}

/// A marketplace in a folder is read where it lies; what was fetched from elsewhere was copied.
fn copilot(loaded: &Loaded, home: &Path) -> Vec<PathBuf> {
    let settings = json(&home.join("settings.json")).unwrap_or_default();
    let root = |name: &String| {
        let (plugin, marketplace) = name.split_once('@')?;
        let Some(folder) = settings["extraKnownMarketplaces"][marketplace]["source"]["path"].as_str() else {
            return Some(home.join("installed-plugins").join(marketplace).join(plugin));
        };
        let list = json(&Path::new(folder).join(".claude-plugin/marketplace.json"))?;
        let listed = list["plugins"].as_array()?.iter().find(|listed| listed["name"] == plugin)?;
        Some(Path::new(folder).join(listed["source"].as_str()?))
    };
    enabled(loaded).iter().filter_map(root).collect()
}

fn codex(home: &Path) -> Vec<PathBuf> {
    let config = fs::read_to_string(home.join("config.toml")).unwrap_or_default();
    let Ok(config) = config.parse::<toml::Table>() else { return Vec::new() };
    let plugins = config.get("plugins").and_then(toml::Value::as_table);
    let on = |plugin: &toml::Value| plugin.get("enabled").and_then(toml::Value::as_bool) != Some(false);
    let root = |name: &String| {
        let (plugin, marketplace) = name.split_once('@')?;
        newest(&home.join("plugins/cache").join(marketplace).join(plugin))
    };
    plugins
        .into_iter()
        .flatten()
        .filter(|(_, plugin)| on(plugin))
        .filter_map(|(name, _)| root(name))
        .collect()
}

/// The folder that was written last: one for each version.
fn newest(folder: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    entries
        .max_by_key(|entry| entry.metadata().and_then(|data| data.modified()).ok())
        .map(|entry| entry.path())
}

fn gemini(folder: &Path) -> Vec<PathBuf> {
    let rules = json(&folder.join("extension-enablement.json")).unwrap_or_default();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries
        .filter(|root| {
            let name = json(&root.join("gemini-extension.json"))
                .and_then(|manifest| manifest["name"].as_str().map(str::to_owned));
            // Switched off for some folders counts as off: a guard that is only believed to run is worse.
            name.is_some_and(|name| {
                let rules = rules[name.as_str()]["overrides"].as_array();
                !rules
                    .into_iter()
                    .flatten()
                    .any(|rule| rule.as_str().is_some_and(|rule| rule.starts_with('!')))
            })
        })
        .collect()
}
