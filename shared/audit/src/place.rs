//! Where things lie: the log, the settings, the key. Never inside a repository unless someone says so.

use std::env;
use std::path::{Path, PathBuf};

/// The folder of ours in each of the user's folders.
const OURS: &str = "policy-hooks";

/// The log's name in its folder.
const LOG: &str = "audit.jsonl";

/// The seed's variable for the log's place: a file, or a folder.
pub const VARIABLE: &str = "AUDIT_LOG";

/// The user's own log, where nothing says otherwise.
pub(crate) fn usual() -> Option<PathBuf> {
    Some(state()?.join("audit").join(LOG))
}

/// The log that [`VARIABLE`] names.
pub(crate) fn from_environment() -> Option<PathBuf> {
    let value = env::var_os(VARIABLE).filter(|value| !value.is_empty())?;
    let path = PathBuf::from(value);
    Some(if path.is_dir() { path.join(LOG) } else { path })
}

/// Whether there may be a log: a look at the places, before settings are read.
pub(crate) fn may_be_set_up() -> bool {
    env::var_os(VARIABLE).is_some()
        || state().is_some_and(|state| state.join("audit").exists())
        || system_settings().exists()
        || user_settings().is_some_and(|settings| settings.exists())
}

/// The folder for what outlives a session: `$XDG_STATE_HOME/policy-hooks` and its equivalents.
pub fn state() -> Option<PathBuf> {
    if cfg!(windows) {
        return folder("LOCALAPPDATA").map(|folder| folder.join(OURS));
    }
    if let Some(state) = folder("XDG_STATE_HOME") {
        return Some(state.join(OURS));
    }
    if let Some(home) = folder("HOME") {
        let state = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/state" };
        return Some(home.join(state).join(OURS));
    }
    // A container without a home: better than nothing, and private all the same.
    let name = format!("{OURS}-{}", crate::private::user_id());
    (!cfg!(windows)).then(|| env::temp_dir().join(name))
}

/// The administrator's settings.
pub(crate) fn system_settings() -> PathBuf {
    if cfg!(windows) {
        let data = folder("ProgramData").unwrap_or_else(|| PathBuf::from(r"C:\ProgramData"));
        return data.join(OURS).join("audit.toml");
    }
    let folder = if cfg!(target_os = "macos") { "/Library/Application Support" } else { "/etc" };
    Path::new(folder).join(OURS).join("audit.toml")
}

pub(crate) fn user_settings() -> Option<PathBuf> {
    let folder = if cfg!(windows) {
        folder("APPDATA")?
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")))?
    };
    Some(folder.join(OURS).join("audit.toml"))
}

/// A repository's settings.
pub(crate) fn project_settings(root: &Path) -> PathBuf {
    root.join(".policy-hooks").join("audit.toml")
}

/// The folder that a variable names, if it is absolute.
fn folder(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute())
}
