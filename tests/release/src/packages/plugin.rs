//! The plugins of Claude Code, Copilot CLI and Codex CLI as a marketplace, and the extension of Gemini CLI, per system:
//! the shipped configurations, with the programs beside them.

use serde_json::{Value, json};

use super::names::Names;
use super::{Archive, Package, Release, SUMMARY};
use crate::ReleaseError;
use crate::archive::{self, Entry};

/// One plugin: its hooks are switched on and off together.
struct Plugin {
    name: &'static str,
    description: &'static str,
    hooks: &'static [&'static str],
    /// Whether it decides about calls: then it brings the runner, which reads repositories for it, and the skill.
    decides: bool,
}

/// The marketplace, and the plugin that most people want.
pub(crate) const NAME: &str = "policy-hooks";

const PLUGINS: [Plugin; 4] = [
    Plugin { name: NAME, description: SUMMARY, hooks: &["command-blocker"], decides: true },
    Plugin {
        name: "policy-hooks-policies",
        description: "The same rules together with the policy files of a team, in place of the policy-hooks plugin",
        hooks: &["approval-gate"],
        decides: true,
    },
    Plugin {
        name: "policy-hooks-work",
        description: "Hooks that give the agent facts about the repository, format what it edits, and check its work",
        hooks: &["context-injector", "formatter-trigger", "stop-guard"],
        decides: false,
    },
    Plugin {
        name: "policy-hooks-audit",
        description: "Hooks that keep a tamper-evident record of what coding agents do",
        hooks: &["audit-logger"],
        decides: false,
    },
];

/// Gemini CLI takes one extension from a release; each of its hooks can be switched off by name.
const EXTENSION: Plugin = Plugin {
    name: NAME,
    description: SUMMARY,
    hooks: &["command-blocker", "context-injector", "formatter-trigger", "stop-guard"],
    decides: true,
};

/// The marketplace of one system.
pub(crate) fn marketplace(release: &Release, archive: &Archive) -> Result<Package, ReleaseError> {
    let folder = format!("policy-hooks-plugins-{}-{}", release.version, Names::of(archive.target).short());
    let entries = marketplace_tree(release, archive)?;
    pack(release, archive, &folder, &folder, &entries)
}

/// The extension of one system, under the name by which Gemini CLI picks a file of a release.
pub(crate) fn extension(release: &Release, archive: &Archive) -> Result<Package, ReleaseError> {
    let name = format!("{}.{NAME}", Names::of(archive.target).short().replace('-', "."));
    pack(release, archive, &name, "", &extension_tree(release, archive)?)
}

fn pack(
    release: &Release,
    archive: &Archive,
    name: &str,
    folder: &str,
    entries: &[Entry],
) -> Result<Package, ReleaseError> {
    let bytes = if archive.target.is_windows() {
        archive::zip(folder, entries, release.time)?
    } else {
        archive::tar_gz(if folder.is_empty() { "." } else { folder }, entries, release.time)?
    };
    Ok(Package { name: format!("{name}.{}", archive.target.suffix()), bytes })
}

/// All plugins, and the file that lists them.
pub(crate) fn marketplace_tree(release: &Release, archive: &Archive) -> Result<Vec<Entry>, ReleaseError> {
    let mut entries = Vec::new();
    let mut listed = Vec::new();
    for plugin in &PLUGINS {
        let folder = format!("plugins/{}", plugin.name);
        listed.push(json!({
            "name": plugin.name, "source": format!("./{folder}"), "description": plugin.description,
        }));
        let manifest = json!({
            "name": plugin.name,
            "version": release.version,
            "description": plugin.description,
            "author": {"name": NAME, "url": release.repository},
            "homepage": release.repository,
            "repository": release.repository,
            "license": "MIT OR Apache-2.0",
            "keywords": ["hooks", "security"],
        });
        let own = [
            Entry::new(".claude-plugin/plugin.json", text(&manifest)),
            Entry::new("hooks/hooks.json", text(&hooks(archive, plugin, &CLAUDE)?)),
            Entry::new("README.md", readme(release, plugin)),
        ];
        let all = own.into_iter().chain(common(archive, plugin)?);
        entries.extend(all.map(|entry| Entry { path: format!("{folder}/{}", entry.path), ..entry }));
    }
    let list = json!({
        "name": NAME,
        "owner": {"name": NAME},
        "metadata": {"description": SUMMARY, "version": release.version},
        "plugins": listed,
    });
    entries.push(Entry::new(".claude-plugin/marketplace.json", text(&list)));
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(entries)
}

/// The extension's folder.
pub(crate) fn extension_tree(release: &Release, archive: &Archive) -> Result<Vec<Entry>, ReleaseError> {
    let manifest = json!({"name": NAME, "version": release.version, "description": EXTENSION.description});
    let mut entries = vec![
        Entry::new("gemini-extension.json", text(&manifest)),
        Entry::new("hooks/hooks.json", text(&hooks(archive, &EXTENSION, &GEMINI)?)),
    ];
    entries.extend(common(archive, &EXTENSION)?);
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(entries)
}

/// What both forms have: programs, the skill, licences.
fn common(archive: &Archive, plugin: &Plugin) -> Result<Vec<Entry>, ReleaseError> {
    let mut entries: Vec<Entry> = archive.papers()?.into_iter().cloned().collect();
    let runner = plugin.decides.then_some("hook-runner");
    for name in plugin.hooks.iter().copied().chain(runner) {
        entries.push(archive.file(&format!("bin/{}", file_name(archive, name)))?.clone());
    }
    if plugin.decides {
        entries
            .push(Entry::new("skills/policy-hooks/SKILL.md", include_str!("../../channels/plugin/SKILL.md")));
    }
    Ok(entries)
}

/// Whose configuration a tree carries.
struct Dialect {
    /// The folder of the shipped files.
    configs: &'static str,
    /// What the host puts in the place of the tree's own folder.
    folder: &'static str,
    /// Whether its hooks have names, by which they are switched off.
    named: bool,
}

/// Copilot CLI and Codex CLI read it as well, and leave out what they do not know.
const CLAUDE: Dialect = Dialect { configs: "claude-code", folder: "${CLAUDE_PLUGIN_ROOT}", named: false };
const GEMINI: Dialect = Dialect { configs: "gemini-cli", folder: "${extensionPath}", named: true };

/// The shipped configurations of a plugin's hooks, whose commands are the programs beside them.
fn hooks(archive: &Archive, plugin: &Plugin, dialect: &Dialect) -> Result<Value, ReleaseError> {
    let mut events = serde_json::Map::new();
    for hook in plugin.hooks {
        // The guard's file is the one that most people copy.
        let file = if *hook == "command-blocker" { "settings" } else { hook };
        let path = format!("configs/{}/{file}.json", dialect.configs);
        let shipped: Value = serde_json::from_slice(&archive.file(&path)?.bytes).map_err(|error| {
            ReleaseError::Form { what: "a configuration", why: format!("{path}: {error}") }
        })?;
        for (event, groups) in shipped["hooks"].as_object().into_iter().flatten() {
            for group in groups.as_array().into_iter().flatten() {
                let mut group = group.clone();
                for entry in group["hooks"].as_array_mut().into_iter().flatten() {
                    command(archive, hook, entry, dialect);
                }
                let all = events.entry(event.clone()).or_insert_with(|| json!([]));
                if let Some(all) = all.as_array_mut() {
                    all.push(group);
                }
            }
        }
    }
    Ok(json!({ "hooks": events }))
}

fn command(archive: &Archive, hook: &str, entry: &mut Value, dialect: &Dialect) {
    let path = format!("\"{}/bin/{}\"", dialect.folder, file_name(archive, hook));
    if dialect.named {
        entry["name"] = json!(hook);
    }
    // PowerShell prints a quoted path instead of running it; a POSIX shell does not know `&` in front. Copilot CLI takes
    // `powershell` first on Windows, and Claude Code, whose hooks run in a POSIX shell there, does not read it.
    if archive.target.is_windows() && !dialect.named {
        entry["powershell"] = json!(format!("& {path}; exit $LASTEXITCODE"));
    }
    let starts = if archive.target.is_windows() && dialect.named { "& " } else { "" };
    entry["command"] = json!(format!("{starts}{path}"));
}

fn file_name(archive: &Archive, program: &str) -> String {
    format!("{program}{}", if archive.target.is_windows() { ".exe" } else { "" })
}

fn readme(release: &Release, plugin: &Plugin) -> String {
    include_str!("../../channels/plugin/README.md")
        .replace("%{name}%", plugin.name)
        .replace("%{description}%", plugin.description)
        .replace("%{repository}%", &release.repository)
}

fn text(value: &Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::tests::release;

    /// A release whose archives hold every program and the shipped configurations.
    fn full() -> Release {
        let mut release = release();
        let configs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
        for archive in &mut release.archives {
            let end = if archive.target.is_windows() { ".exe" } else { "" };
            let names =
                PLUGINS.iter().flat_map(|plugin| plugin.hooks).filter(|name| **name != "command-blocker");
            let programs =
                names.map(|name| Entry { executable: true, ..Entry::new(format!("bin/{name}{end}"), *name) });
            archive.entries.extend(programs);
            for folder in ["claude-code", "gemini-cli"] {
                for file in std::fs::read_dir(configs.join(folder)).unwrap().flatten() {
                    let path = format!("configs/{folder}/{}", file.file_name().to_string_lossy());
                    archive.entries.push(Entry::new(path, std::fs::read(file.path()).unwrap()));
                }
            }
        }
        release
    }

    /// Every command of a hooks file, with its shell's own words taken off.
    fn commands(value: &Value) -> Vec<String> {
        let mut found = Vec::new();
        for group in value["hooks"].as_object().unwrap().values().flat_map(|list| list.as_array().unwrap()) {
            for entry in group["hooks"].as_array().unwrap() {
                found.extend(entry["command"].as_str().map(str::to_owned));
                found.extend(entry["powershell"].as_str().map(str::to_owned));
            }
        }
        found
    }

    #[test]
    fn every_command_starts_a_program_that_the_tree_brings() {
        let release = full();
        for archive in &release.archives {
            let trees =
                [marketplace_tree(&release, archive).unwrap(), extension_tree(&release, archive).unwrap()];
            for tree in trees {
                let files = tree.iter().filter(|entry| entry.path.ends_with("hooks/hooks.json"));
                for file in files {
                    let root = file.path.strip_suffix("hooks/hooks.json").unwrap();
                    let commands = commands(&serde_json::from_slice(&file.bytes).unwrap());
                    assert!(!commands.is_empty(), "{}", file.path);
                    for command in commands {
                        let program = command.split('"').nth(1).unwrap().split_once("}/").unwrap().1;
                        let there = tree.iter().find(|entry| entry.path == format!("{root}{program}"));
                        assert!(there.is_some_and(|entry| entry.executable), "{}: {command}", file.path);
                    }
                }
            }
        }
    }

    #[test]
    fn every_listed_plugin_is_there_with_its_version() {
        let release = full();
        let tree = marketplace_tree(&release, &release.archives[0]).unwrap();
        let read = |path: &str| -> Value {
            let entry = tree.iter().find(|entry| entry.path == path).unwrap_or_else(|| panic!("{path}"));
            serde_json::from_slice(&entry.bytes).unwrap()
        };
        let list = read(".claude-plugin/marketplace.json");
        assert_eq!(list["plugins"].as_array().unwrap().len(), PLUGINS.len());
        for plugin in list["plugins"].as_array().unwrap() {
            let folder = plugin["source"].as_str().unwrap().strip_prefix("./").unwrap();
            let manifest = read(&format!("{folder}/.claude-plugin/plugin.json"));
            assert_eq!((&manifest["name"], &manifest["version"]), (&plugin["name"], &json!("1.2.3")));
        }
    }

    #[test]
    fn the_extension_has_the_name_that_gemini_looks_for() {
        let release = full();
        let names: Vec<String> =
            release.archives.iter().map(|archive| extension(&release, archive).unwrap().name).collect();
        assert!(names.contains(&"linux.x64.policy-hooks.tar.gz".to_owned()), "{names:?}");
        assert!(names.contains(&"darwin.arm64.policy-hooks.tar.gz".to_owned()), "{names:?}");
        assert!(names.contains(&"win32.x64.policy-hooks.zip".to_owned()), "{names:?}");
    }
}
