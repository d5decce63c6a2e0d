//! Repositories to measure with.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Makes a folder, and those around it.
///
/// # Errors
///
/// A sentence that says why not.
pub fn create(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Writes a file.
///
/// # Errors
///
/// A sentence that says why not.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// A repository of so many files, twenty in a folder, all committed.
///
/// # Errors
///
/// A sentence that says why not.
pub fn committed(project: &Path, files: usize) -> Result<(), String> {
    for number in 0..files {
        let folder = project.join(format!("src/part{}", number / 20));
        if number % 20 == 0 {
            create(&folder)?;
        }
        write(&folder.join(format!("file{number}.txt")), "text\n")?;
    }
    write(&project.join("Cargo.toml"), "[package]\nname = \"measured\"\nversion = \"1.0.0\"\n")?;
    // The index has to be younger than the files, or every file is read.
    std::thread::sleep(Duration::from_millis(50));
    for arguments in [
        &["init", "--quiet", "--initial-branch", "main"][..],
        &["add", "."],
        &["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "first"],
    ] {
        let status = Command::new("git").args(arguments).current_dir(project).status();
        match status {
            Ok(status) if status.success() => {}
            Ok(status) => return Err(format!("git {}: {status}", arguments.join(" "))),
            Err(error) => return Err(format!("git: {error}")),
        }
    }
    Ok(())
}
