//! Which sub-agents are defined.

use std::fs;
use std::path::Path;

use payload::Host;

/// Definitions that are looked at.
const MAX_FILES: usize = 500;
/// How much of a definition is read, in bytes: its head.
const MAX_HEAD: usize = 64 * 1024;

/// Whether the host brings this agent with it.
///
/// Copilot CLI 1.0.102 and Claude Code 2.1.329 by their own lists; VS Code's `Plan` by its documentation.
pub(crate) fn is_builtin(name: &str, host: Host) -> bool {
    let list = match host {
        Host::Copilot => "explore task code-review general-purpose research rubber-duck security-review",
        Host::Claude => "general-purpose Explore Plan statusline-setup",
        Host::VsCode => "Plan",
        _ => "",
    };
    list.split(' ').any(|known| known.eq_ignore_ascii_case(name))
}

/// The names of the agents that the repository and the user define.
pub(crate) fn defined(worktree: Option<&str>, home: Option<&str>) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders = Vec::new();
    if let Some(worktree) = worktree {
        folders.extend([".github/agents", ".claude/agents"].map(|folder| Path::new(worktree).join(folder)));
    }
    if let Some(home) = home {
        folders.extend([".copilot/agents", ".claude/agents"].map(|folder| Path::new(home).join(folder)));
    }
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for entry in entries.flatten() {
            seen += 1;
            if seen > MAX_FILES {
                return names;
            }
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                names.extend(name_of(&path));
            }
        }
    }
    names
}

/// The name in a definition's head, else the file's.
fn name_of(path: &Path) -> Option<String> {
    use std::io::Read as _;
    let stem = path.file_stem()?.to_str()?;
    let stem = stem.strip_suffix(".agent").unwrap_or(stem);
    let mut head = Vec::new();
    let file = fs::File::open(path).ok().filter(|_| path.is_file());
    // A file that cannot be read counts by its name.
    let _ = file.map(|file| file.take(MAX_HEAD as u64).read_to_end(&mut head));
    let text = String::from_utf8_lossy(&head);
    Some(named(&text).unwrap_or_else(|| stem.to_owned()))
}

/// `name:` in the block between the first two `---`.
fn named(text: &str) -> Option<String> {
    let mut lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines();
    if lines.next()?.trim_end() != "---" {
        return None;
    }
    let name =
        lines.take_while(|line| line.trim_end() != "---").find_map(|line| line.strip_prefix("name:"))?;
    let name = name.trim().trim_matches(['"', '\'']).trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_the_head() {
        assert_eq!(named("---\r\nname: \"Research Agent\"\r\n---\r\n"), Some("Research Agent".to_owned()));
        assert_eq!(named("\u{feff}---\nname: x\n---\n"), Some("x".to_owned()));
        assert_eq!(named("# name: x\n"), None);
        assert_eq!(named("---\ntools: []\n---\nname: x\n"), None);
    }
}
