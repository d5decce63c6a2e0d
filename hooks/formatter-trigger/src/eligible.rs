//! Which files may be formatted at all.

use std::fs::{self, Metadata};
use std::path::{Component, Path, PathBuf};

use crate::folder::{self, Folder, real};
use crate::skip::Skip;
use crate::workspace::Workspace;

/// How many lines at the start of a file may say that it is generated.
const HEAD: usize = 5;

/// Folders of hooks, agents' settings and policies, relative to the root.
const OWN_FOLDERS: &[&str] = &[
    ".github/hooks",
    ".github/agents",
    ".github/copilot",
    ".claude",
    ".codex",
    ".copilot",
    ".gemini",
    ".cursor",
    ".policy-hooks",
    ".config/policy-hooks",
    ".local/state/policy-hooks",
];

/// Files of the same kind.
const OWN_FILES: &[&str] = &[".mcp.json", ".vscode/settings.json", ".vscode/tasks.json", ".vscode/mcp.json"];

/// A file that may be formatted.
#[derive(Debug)]
pub(crate) struct File {
    /// Absolute, without links.
    pub(crate) path: PathBuf,
    /// Relative to the root.
    pub(crate) relative: PathBuf,
    /// The folders that it lies in, from its own up to the root.
    pub(crate) folders: Vec<Folder>,
}

/// The file that `path` of a payload means, if it may be formatted as far as its place tells. What git says to it is
/// asked when there is a formatter for it.
pub(crate) fn file(workspace: &Workspace, path: &Path) -> Result<File, Skip> {
    at(workspace, real(&workspace.folder.join(path)).ok())
}

/// The same for a path without links, `None` where there is nothing.
pub(crate) fn at(workspace: &Workspace, path: Option<PathBuf>) -> Result<File, Skip> {
    let path = path.ok_or(Skip::Gone)?;
    let relative = workspace.relative(&path).ok_or(Skip::Outside)?.to_owned();
    // Without a repository, the whole disk or the whole home is not a project.
    if workspace.root.parent().is_none() {
        return Err(Skip::Outside);
    }
    if is_own(&relative) {
        return Err(Skip::OwnConfiguration);
    }
    let folders = workspace.folders_above(&path);
    // The last one is the root.
    if folders.iter().rev().skip(1).any(|folder| folder.has(".git")) {
        return Err(Skip::OtherRepository);
    }
    let facts = fs::metadata(&path).map_err(|_| Skip::Gone)?;
    if !facts.is_file() {
        return Err(Skip::NotAFile);
    }
    if facts.len() > workspace.settings.max_file {
        return Err(Skip::TooLarge { limit: workspace.settings.max_file });
    }
    if facts.permissions().readonly() || is_read_only(&facts) {
        return Err(Skip::ReadOnly);
    }
    if names(&facts) > 1 {
        return Err(Skip::ManyNames);
    }
    if workspace.settings.excludes(&relative) {
        return Err(Skip::Excluded);
    }
    Ok(File { path, relative, folders })
}

impl File {
    /// An error for a file that git ignores.
    pub(crate) fn is_kept(&self, workspace: &Workspace) -> Result<(), Skip> {
        if workspace.ignores(&self.relative)? { Err(Skip::Ignored) } else { Ok(()) }
    }
}

/// Whether a path, relative to the root, belongs to hooks, agents or git.
fn is_own(relative: &Path) -> bool {
    // All of them begin with a dot.
    if !folder::parts(relative).any(|part| part.first() == Some(&b'.')) {
        return false;
    }
    let parts: Vec<&str> = relative
        .components()
        .filter_map(|part| match part {
            Component::Normal(part) => part.to_str(),
            _ => None,
        })
        .collect();
    if parts.iter().any(|part| part.eq_ignore_ascii_case(".git")) {
        return true;
    }
    // Settings count in sub-folders, too: that is where an agent started there looks for them.
    (0..parts.len()).any(|start| {
        let rest = parts.get(start..).unwrap_or_default();
        rest.first().is_some_and(|first| first.starts_with('.'))
            && OWN_FOLDERS.iter().chain(OWN_FILES).any(|own| begins(rest, own))
    })
}

/// On file systems that do not tell case apart, `.GitHub` is `.github`.
fn begins(parts: &[&str], own: &str) -> bool {
    let mut parts = parts.iter();
    own.split('/').all(|own| parts.next().is_some_and(|part| part.eq_ignore_ascii_case(own)))
}

/// The text of a file, if it is one that may be formatted.
pub(crate) fn text(bytes: &[u8], limit: u64) -> Result<&str, Skip> {
    if bytes.len() as u64 > limit {
        return Err(Skip::TooLarge { limit });
    }
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0')).ok_or(Skip::NotText)?;
    let generated =
        // In two parts, so that this file does not count as generated.
        |line: &str| line.contains(concat!("@", "generated")) || line.contains(concat!("DO NOT", " EDIT"));
    if text.lines().take(HEAD).any(generated) {
        return Err(Skip::Generated);
    }
    Ok(text)
}

/// Whether no one may write it: root could, and should not.
#[cfg(unix)]
fn is_read_only(facts: &Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&facts.permissions()) & 0o200 == 0
}

#[cfg(not(unix))]
fn is_read_only(_facts: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn names(facts: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(facts)
}

#[cfg(not(unix))]
fn names(_facts: &Metadata) -> u64 {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_agents_and_git_are_never_formatted() {
        for path in [
            ".github/hooks/x.json",
            "sub/.github/hooks/x.json",
            ".GitHub/Hooks/x.json",
            ".claude/settings.json",
            ".claude/hooks/a.py",
            ".git/config",
            "sub/.git/hooks/a.sh",
            ".mcp.json",
            ".vscode/settings.json",
            ".policy-hooks/audit.toml",
        ] {
            assert!(is_own(Path::new(path)), "{path}");
        }
        for path in
            [".github/workflows/ci.yml", "src/claude/settings.json", "github/hooks/a.json", "a.git/b.rs"]
        {
            assert!(!is_own(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn only_text_that_people_write_is_formatted() {
        assert_eq!(text(b"fn main() {}\n", 1024), Ok("fn main() {}\n"));
        assert_eq!(text(b"\xff\xfe", 1024), Err(Skip::NotText));
        assert_eq!(text(b"a\0b", 1024), Err(Skip::NotText));
        assert_eq!(text(&[b'a'; 1025], 1024), Err(Skip::TooLarge { limit: 1024 }));
        let mark = concat!("// @", "generated");
        assert_eq!(text(mark.as_bytes(), 1024), Err(Skip::Generated));
        assert!(text(format!("\n\n\n\n\n{mark}").as_bytes(), 1024).is_ok());
    }
}
