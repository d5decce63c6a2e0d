//! Where an administrator's hooks lie that no user can edit or switch off, on each system.

use crate::hook::System;

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
    pub linux: &'static str,
    pub mac: &'static str,
    pub windows: &'static str,
    /// A member of the settings, beside the hooks: without it a user's settings switch all hooks off.
    pub pinned: Option<&'static str>,
    /// How a user can switch off a single hook all the same.
    pub loophole: Option<&'static str>,
    /// How this is known.
    pub source: &'static str,
}

impl Managed {
    /// Where it is on a system.
    pub fn path(&self, system: System) -> &'static str {
        match system {
            System::Linux => self.linux,
            System::Mac => self.mac,
            System::Windows => self.windows,
        }
    }
}
