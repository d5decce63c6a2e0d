//! Where an administrator's hooks lie that no user can edit or switch off, on each system.

use std::path::{Path, PathBuf};

use crate::hook::System;
use crate::place::{Base, Format, Place, Scope, Shape, hooks};

/// A path that is another one on each system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BySystem {
    pub linux: &'static str,
    pub mac: &'static str,
    pub windows: &'static str,
}

impl BySystem {
    /// The same path on every system.
    pub const fn everywhere(path: &'static str) -> Self {
        Self { linux: path, mac: path, windows: path }
    }

    /// What it is on a system.
    pub const fn on(&self, system: System) -> &'static str {
        match system {
            System::Linux => self.linux,
            System::Mac => self.mac,
            System::Windows => self.windows,
        }
    }
}

/// Where a path of a machine is in a tree that stands for its file system: a drive is a folder there.
pub fn below(root: &Path, path: &str) -> PathBuf {
    if root == Path::new("/") {
        return PathBuf::from(path);
    }
    root.join(path.replace(":\\", "/").replace('\\', "/").trim_start_matches('/'))
}

/// What an administrator's file looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The host's settings, hooks among them.
    Settings,
    /// A folder of files with hooks, which name programs instead of shell commands.
    Folder,
    /// TOML that constrains the host, hooks among it.
    Requirements,
}

/// An administrator's file, or folder of files.
#[derive(Debug, Clone, Copy)]
pub struct Managed {
    pub form: Form,
    pub path: BySystem,
    /// A member of the settings, beside the hooks: without it a user's settings switch all hooks off.
    pub pinned: Option<&'static str>,
    /// How a user can switch off a single hook all the same.
    pub loophole: Option<&'static str>,
    /// How this is known.
    pub source: &'static str,
}

impl Managed {
    /// The place where the host reads it.
    pub const fn place(&self) -> Place {
        let place = hooks(Scope::Policy, Base::Root, "", self.source);
        let (shape, format) = match self.form {
            Form::Settings => (Shape::File, Format::Settings),
            // [run] Copilot CLI: what is linked there is not read.
            Form::Folder => (Shape::FolderOfFiles, Format::Hooks),
            Form::Requirements => (Shape::File, Format::Hooks),
        };
        Place { path: self.path, shape, format, ..place }
    }
}

/// A store of the system in which device management keeps a host's policies: no file that one edits.
#[derive(Debug, Clone, Copy)]
pub struct Store {
    /// The domain of macOS' managed preferences.
    pub mac: &'static str,
    /// The key of Windows' registry, below `HKEY_LOCAL_MACHINE`.
    pub windows: &'static str,
    /// The value of that key that holds all of it as JSON; without one, each value is a member.
    pub value: Option<&'static str>,
    /// How this is known.
    pub source: &'static str,
}

/// What such a store holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The host whose policies they are.
    pub host: &'static str,
    /// The file of the store, or the name of the key.
    pub at: PathBuf,
    /// The policies, as JSON.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drive_is_a_folder_of_a_tree_and_itself_on_the_machine() {
        let path = r"C:\Program Files\ClaudeCode\managed-settings.json";
        assert_eq!(below(Path::new("/"), path), Path::new(path));
        assert_eq!(
            below(Path::new("/t"), path),
            Path::new("/t/C/Program Files/ClaudeCode/managed-settings.json")
        );
        assert_eq!(below(Path::new("/t"), "/etc/x"), Path::new("/t/etc/x"));
        assert_eq!(below(Path::new("/"), "/etc/x"), Path::new("/etc/x"));
    }
}
