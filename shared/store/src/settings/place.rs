//! Where the settings files of the machine and of the user lie.

use std::path::{Path, PathBuf};

/// Where the machine's file `name` lies.
pub fn system(name: &str) -> PathBuf {
    let folder = if cfg!(windows) {
        r"C:\ProgramData\policy-hooks"
    } else if cfg!(target_os = "macos") {
        "/Library/Application Support/policy-hooks"
    } else {
        "/etc/policy-hooks"
    };
    joined(&[Path::new(folder), Path::new(name)])
}

/// Where the file `name` of the user with this home lies.
pub fn user(home: &Path, name: &str) -> PathBuf {
    joined(&[home, Path::new(".config/policy-hooks"), Path::new(name)])
}

/// The parts as one path, with room for all of them from the start.
fn joined(parts: &[&Path]) -> PathBuf {
    let mut path = PathBuf::with_capacity(parts.iter().map(|part| part.as_os_str().len() + 1).sum());
    path.extend(parts);
    path
}
