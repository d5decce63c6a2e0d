//! One file that is to change.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use similar::{ChangeTag, TextDiff};

use crate::fault::Fault;
use crate::paint::{Tone, one_line, paint};
use crate::project::Project;

/// One file that is to change.
pub(super) struct Change {
    pub(super) path: PathBuf,
    /// Its text now; `None` when it is not there.
    pub(super) before: Option<String>,
    /// Its text then; `None` when it is to be deleted.
    pub(super) after: Option<String>,
}

impl Change {
    /// What changes, as a unified diff.
    pub(super) fn diff(&self, project: &Project) -> String {
        let name = project.short(&self.path);
        let (before, after) = (self.before.as_deref().unwrap_or(""), self.after.as_deref().unwrap_or(""));
        let side = |text: &Option<String>| if text.is_some() { name.clone() } else { "/dev/null".to_owned() };
        let mut text = paint(Tone::Strong, format!("--- {}", side(&self.before)));
        text += "\n";
        text += &paint(Tone::Strong, format!("+++ {}", side(&self.after)));
        text += "\n";
        let diff = TextDiff::from_lines(before, after);
        for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
            text += &paint(Tone::Name, hunk.header());
            text += "\n";
            for change in hunk.iter_changes() {
                let (sign, tone) = match change.tag() {
                    ChangeTag::Delete => ('-', Tone::Bad),
                    ChangeTag::Insert => ('+', Tone::Good),
                    ChangeTag::Equal => (' ', Tone::Plain),
                };
                // A file may hold anything, and a diff is shown on a terminal.
                let line = one_line(change.value().trim_end_matches(['\n', '\r']));
                text += &paint(tone, format!("{sign}{line}"));
                text += "\n";
            }
        }
        text
    }

    /// Does it: the new text is written beside the file and then put in its place, so that nothing is lost on the way.
    pub(super) fn write(&self) -> Result<(), Fault> {
        let fault = |error: std::io::Error| Fault::unwritable(&self.path, error);
        let path = through_links(&self.path);
        let Some(after) = &self.after else { return fs::remove_file(&path).map_err(fault) };
        // Read again as late as possible: someone may have saved the file while the question stood there.
        let now = fs::read_to_string(&path).ok();
        if now != self.before {
            return Err(Fault::unwritable(&self.path, "it changed while you were asked"));
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(fault)?;
        let beside = folder.join(format!(".hook-runner-{}.new", std::process::id()));
        let write = || -> std::io::Result<()> {
            let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&beside)?;
            file.write_all(after.as_bytes())?;
            // On the disk before it has the name: after a power cut there is the old file or the new one.
            file.sync_all()?;
            // A file that others may not read stays so.
            if let Ok(data) = path.metadata() {
                fs::set_permissions(&beside, data.permissions())?;
            } else if after.starts_with("#!") {
                executable(&beside)?;
            }
            fs::rename(&beside, &path)
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&beside);
            fault(error)
        })
    }
}

impl Change {
    /// Does it for every user of a machine: all may read the file, and what was made for it alone goes with it.
    pub(super) fn write_for_all(&self) -> Result<(), Fault> {
        self.write()?;
        let fault = |error: std::io::Error| Fault::unwritable(&self.path, error);
        let Some(folder) = self.path.parent() else { return Ok(()) };
        if self.after.is_none() {
            // Fails where something else is in them, which is right. No file of a host lies deeper than two folders of its own.
            let _ = folder.ancestors().take(2).try_for_each(fs::remove_dir);
            return Ok(());
        }
        #[cfg(unix)]
        if self.before.is_none() {
            use std::os::unix::fs::PermissionsExt as _;
            let runs = self.after.as_deref().is_some_and(|text| text.starts_with("#!"));
            let mode = if runs { 0o755 } else { 0o644 };
            // Whatever root's umask is: a host that cannot read them runs unguarded.
            fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).map_err(fault)?;
            fs::set_permissions(&self.path, fs::Permissions::from_mode(mode)).map_err(fault)?;
        }
        let _ = &fault;
        Ok(())
    }
}

/// Lets the user run a new script.
#[cfg(unix)]
fn executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = path.metadata()?.permissions().mode();
    // Who may read it may run it.
    fs::set_permissions(path, fs::Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

#[cfg(not(unix))]
fn executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// The file that is meant through links, also where it is not there yet.
fn through_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    // No system follows more.
    for _ in 0..40 {
        let Ok(target) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("/")).join(target);
    }
    // What is not there yet has no real path.
    path.canonicalize().unwrap_or(path)
}
