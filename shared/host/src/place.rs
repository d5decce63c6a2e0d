//! Where each host looks for hooks, in its order.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::hook::System;
use crate::locations::Locations;
use crate::managed::{BySystem, Stored, below};

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Scope {
    /// The organisation's.
    Policy,
    User,
    /// The repository's: whoever can push to it decides what runs.
    #[default]
    Project,
}

impl Scope {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

/// From where a path counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// The root of the file system.
    Root,
    /// The user's home folder.
    Home,
    /// `COPILOT_HOME`, or `~/.copilot`.
    CopilotHome,
    /// `CODEX_HOME`, or `~/.codex`.
    CodexHome,
    /// `XDG_CONFIG_HOME`, or `~/.config`, of hosts that ask for it.
    ConfigHome,
    /// The root of the project.
    Project,
}

/// One file, or a folder of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    File,
    /// Every `*.json` of a folder, in the order of their names.
    Folder,
    /// The same without links.
    FolderOfFiles,
    /// Every `*.json` of a folder and of the folders in it, level by level, each in descending order of the paths. Hidden
    /// ones are left out; links are followed, and what was reached before does not count again.
    Tree,
    /// Every file of a folder with this extension, in the order of their names; without one, every file.
    Every(&'static str),
}

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Hooks only.
    Hooks,
    /// A host's settings, hooks among them.
    Settings,
}

/// Which settings have a say about a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    Always,
    /// VS Code's `chat.hookFilesLocations`.
    Listed,
    /// That, and `chat.useClaudeHooks` has to be on.
    ListedWithClaudeHooks,
}

/// A place where a host looks.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Whose file it is.
    pub scope: Scope,
    /// From where the path counts.
    pub base: Base,
    pub path: BySystem,
    /// What is there.
    pub shape: Shape,
    /// What the files hold.
    pub format: Format,
    /// Which settings have a say.
    pub when: When,
    /// Whether it is below the folder in which the host is started, not below the project's root.
    pub where_started: bool,
    /// How this is known.
    pub source: &'static str,
}

impl Place {
    /// The same with other contents of the path.
    pub(crate) const fn shaped(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// The same below the folder in which the host is started.
    pub(crate) const fn where_started(self) -> Self {
        Self { where_started: true, ..self }
    }
}

/// A file that holds hooks only.
pub const fn hooks(scope: Scope, base: Base, path: &'static str, source: &'static str) -> Place {
    let (shape, format) = (Shape::File, Format::Hooks);
    let path = BySystem::everywhere(path);
    Place { scope, base, path, shape, format, when: When::Always, where_started: false, source }
}

/// A file of a host's settings.
pub(crate) const fn settings(scope: Scope, base: Base, path: &'static str, source: &'static str) -> Place {
    Place { format: Format::Settings, ..hooks(scope, base, path, source) }
}

/// The user's settings of VS Code, below the home.
const VS_CODE_SETTINGS: BySystem = BySystem {
    linux: ".config/Code/User/settings.json",
    mac: "Library/Application Support/Code/User/settings.json",
    windows: "AppData/Roaming/Code/User/settings.json",
};

/// The folders of one machine and one project.
#[derive(Debug, Clone, Default)]
pub struct Folders {
    /// The root of the file system; another one in tests.
    pub root: PathBuf,
    /// The user's home.
    pub home: PathBuf,
    pub copilot_home: Option<PathBuf>,
    pub codex_home: Option<PathBuf>,
    pub config_home: Option<PathBuf>,
    /// The project's root.
    pub project: PathBuf,
    /// The folder in which the host is started, where that is another one.
    pub started: Option<PathBuf>,
    /// What VS Code's settings say about places.
    pub vs_code: Locations,
    /// What device management keeps in a store of the system.
    pub stores: Vec<Stored>,
}

impl Folders {
    /// The folders that the environment names, for a project.
    pub fn here(project: &Path) -> Self {
        let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = std::env::home_dir().unwrap_or_default();
        let mut folders = Self {
            root: PathBuf::from("/"),
            copilot_home: folder("COPILOT_HOME"),
            codex_home: folder("CODEX_HOME"),
            config_home: folder("XDG_CONFIG_HOME"),
            project: project.to_owned(),
            started: None,
            home,
            vs_code: Locations::default(),
            stores: Vec::new(),
        };
        folders.vs_code = Locations::of(&folders.vs_code_settings());
        folders
    }

    /// The files in which VS Code's settings of the user and the project may be.
    pub(crate) fn vs_code_settings(&self) -> [PathBuf; 2] {
        let user = self.home.join(VS_CODE_SETTINGS.on(System::HERE));
        [user, self.project.join(".vscode/settings.json")]
    }

    /// What a store of the system holds for a host.
    pub fn stored(&self, host: &str) -> Option<&Stored> {
        self.stores.iter().find(|stored| stored.host == host)
    }

    pub(crate) fn base(&self, base: Base) -> PathBuf {
        match base {
            Base::Root => self.root.clone(),
            Base::Home => self.home.clone(),
            Base::CopilotHome => self.copilot_home.clone().unwrap_or_else(|| self.home.join(".copilot")),
            Base::CodexHome => self.codex_home.clone().unwrap_or_else(|| self.home.join(".codex")),
            Base::ConfigHome => self.config_home.clone().unwrap_or_else(|| self.home.join(".config")),
            Base::Project => self.project.clone(),
        }
    }

    /// Where a place is on this machine.
    pub fn path(&self, place: &Place) -> PathBuf {
        let path = place.path.on(System::HERE);
        if place.base == Base::Root {
            return below(&self.root, path);
        }
        let started = self.started.clone().filter(|_| place.where_started);
        started.unwrap_or_else(|| self.base(place.base)).join(path)
    }
}

/// A file that a host reads.
#[derive(Debug, Clone)]
pub struct Found {
    pub path: PathBuf,
    /// Why it is read.
    pub place: Place,
}

/// The files in the places of a host, in its order.
pub fn find(places: &'static [Place], folders: &Folders) -> Vec<Found> {
    let mut found = Vec::new();
    for place in that_count(places, folders) {
        let path = folders.path(place);
        let files = match place.shape {
            Shape::File => Vec::from_iter(path.is_file().then_some(path)),
            Shape::Folder => listed(&path).0,
            Shape::FolderOfFiles => listed(&path).0.into_iter().filter(|file| !file.is_symlink()).collect(),
            Shape::Tree => tree(&path),
            Shape::Every(extension) => every(&path, extension),
        };
        found.extend(files.into_iter().map(|path| Found { path, place: *place }));
    }
    if places.iter().any(|place| place.when == When::Listed) {
        found.extend(folders.vs_code.added(places, folders));
        // The user's first, as with those that are there by default.
        found.sort_by_key(|found| found.place.scope != Scope::User);
    }
    found
}

/// The place of a file, whether or not it is there; `None` where the host does not look for it.
pub fn of(places: &'static [Place], folders: &Folders, path: &Path) -> Option<&'static Place> {
    let json = path.extension().is_some_and(|extension| extension == "json");
    that_count(places, folders).find(|place| {
        let here = folders.path(place);
        match place.shape {
            Shape::File => here == path,
            Shape::Folder | Shape::FolderOfFiles => json && path.parent() == Some(&here),
            Shape::Tree => json && path.starts_with(&here),
            Shape::Every(extension) => path.parent() == Some(&here) && has_extension(path, extension),
        }
    })
}

/// The places where a host looks, with what its settings say.
fn that_count<'f>(
    places: &'static [Place],
    folders: &'f Folders,
) -> impl Iterator<Item = &'static Place> + use<'f> {
    places.iter().filter(|place| folders.vs_code.count(place))
}

/// The hook files and the folders in a folder, both in the order of their names.
pub(crate) fn listed(folder: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    // Hardly anyone has all of these folders; one that is missing is as good as an empty one.
    let Ok(entries) = fs::read_dir(folder) else { return (Vec::new(), Vec::new()) };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let (folders, files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_dir());
    let json = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "json");
    (files.into_iter().filter(json).collect(), folders)
}

/// The files of [`Shape::Every`].
fn every(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.is_file() && has_extension(path, extension));
    paths.sort();
    paths
}

fn has_extension(path: &Path, extension: &str) -> bool {
    extension.is_empty() || path.extension().is_some_and(|of| of == extension)
}

/// How deep a tree of folders is followed; a host was seen to go 12 deep.
const DEEPEST: usize = 32;

/// The files of a tree in the order of [`Shape::Tree`].
fn tree(folder: &Path) -> Vec<PathBuf> {
    let shown =
        |path: &PathBuf| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.'));
    let mut seen = HashSet::new();
    // By links, one folder or file has several names: the first in the host's order counts.
    let mut first = |path: &PathBuf| path.canonicalize().is_ok_and(|path| seen.insert(path));
    let mut files = Vec::new();
    let mut level = vec![folder.to_owned()];
    // A loop of links ends sooner, as each folder counts once; a tree that someone made very deep ends here.
    for _ in 0..DEEPEST {
        let (mut here, mut below) = (Vec::new(), Vec::new());
        for folder in level.iter().filter(|folder| first(folder)) {
            let (inside, folders) = listed(folder);
            here.extend(inside.into_iter().filter(shown));
            below.extend(folders.into_iter().filter(shown));
        }
        here.sort_by(|a, b| b.cmp(a));
        below.sort_by(|a, b| b.cmp(a));
        files.extend(here.into_iter().filter(&mut first));
        level = below;
    }
    files
}

/// The root of the project around a folder: the closest one with `.git`, or the folder itself.
pub fn project_root(folder: &Path) -> PathBuf {
    folder
        .ancestors()
        // In a worktree or a submodule `.git` is a file.
        .find(|folder| folder.join(".git").exists())
        .map_or_else(|| folder.to_owned(), Path::to_owned)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Product;

    fn folders(names: &[&str]) -> (tempfile::TempDir, Folders) {
        let machine = tempfile::tempdir().unwrap();
        let root = machine.path().to_owned();
        for name in names {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "{}").unwrap();
        }
        let folders =
            Folders { home: root.join("home"), project: root.join("project"), root, ..Folders::default() };
        (machine, folders)
    }

    fn names(product: Product, folders: &Folders) -> Vec<String> {
        let name = |found: &Found| found.path.strip_prefix(&folders.root).unwrap().display().to_string();
        find(product.places, folders).iter().map(name).collect()
    }

    #[test]
    fn every_host_finds_its_files_in_its_order() {
        let (_machine, mut folders) = folders(&[
            "project/.github/hooks/10-a.json",
            "project/.github/hooks/30-c.json",
            "project/.github/hooks/20-b.json",
            "project/.github/hooks/sub/99-z.json",
            "project/.github/hooks/note.jsonc",
            "project/.claude/settings.json",
            "project/.codex/hooks.json",
            "project/.gemini/settings.json",
            "home/.claude/settings.json",
            "home/.copilot/hooks/u.json",
            "home/more/m.json",
            "etc/github-copilot/policy.d/p.json",
        ]);
        assert_eq!(
            names(Product::COPILOT_CLI, &folders),
            [
                "etc/github-copilot/policy.d/p.json",
                "home/.copilot/hooks/u.json",
                "project/.github/hooks/30-c.json",
                "project/.github/hooks/20-b.json",
                "project/.github/hooks/10-a.json",
                "project/.github/hooks/sub/99-z.json",
                "project/.claude/settings.json",
            ]
        );
        assert_eq!(
            names(Product::VS_CODE, &folders),
            [
                "home/.copilot/hooks/u.json",
                "project/.github/hooks/10-a.json",
                "project/.github/hooks/20-b.json",
                "project/.github/hooks/30-c.json",
            ]
        );
        assert_eq!(
            names(Product::CLAUDE, &folders),
            ["home/.claude/settings.json", "project/.claude/settings.json"]
        );
        assert_eq!(names(Product::CODEX, &folders), ["project/.codex/hooks.json"]);
        assert_eq!(names(Product::GEMINI, &folders), ["project/.gemini/settings.json"]);
        let settings = folders.project.join(".vscode/settings.json");
        fs::create_dir_all(settings.parent().unwrap()).unwrap();
        let mut set = |text: &str| {
            fs::write(&settings, text).unwrap();
            folders.vs_code = Locations::of(&folders.vs_code_settings());
            names(Product::VS_CODE, &folders)
        };
        assert_eq!(set("{ // ours\n \"chat.useClaudeHooks\": true, }").len(), 6);
        let listed = r#"{"chat.hookFilesLocations": {
            ".github/hooks": false, ".claude/settings.json": true, "etc/missing": true,
            ".github/hooks/sub": true, "../etc/github-copilot/policy.d/p.json": true, "~/.claude/settings.json": true,
            "~/more": true, "~/.copilot/hooks": true
        }}"#;
        assert_eq!(
            set(listed),
            [
                "home/.copilot/hooks/u.json",
                "home/more/m.json",
                "project/.github/hooks/sub/99-z.json",
                "project/../etc/github-copilot/policy.d/p.json",
            ]
        );
    }
}
