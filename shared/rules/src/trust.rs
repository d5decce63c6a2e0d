//! Which project files a person has trusted, by the hash of their content.
//!
//! One line a file in `trusted`: the SHA-256 of the content, two blanks, the path. Any change of the file ends it.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::layers::{self, Source};

/// Whether exactly this content of this file is trusted.
pub(crate) fn is_trusted(state: Option<&Path>, source: &Source) -> bool {
    let Some(state) = state else { return false };
    let Ok(list) = fs::read_to_string(state.join(LIST)) else { return false };
    let path = source.path.display().to_string();
    let mut known =
        list.lines().filter_map(|line| line.split_once("  ")).filter(|(_, known)| *known == path).peekable();
    // Hashing costs; most files have never been trusted.
    known.peek().is_some() && {
        let hash = hash(&source.text);
        known.any(|(known, _)| known == hash)
    }
}

const LIST: &str = "trusted";

/// The trusted files below `root` that are not what they were, as paths.
pub fn changed_below(state: &Path, root: &Path) -> Vec<PathBuf> {
    let Ok(list) = fs::read_to_string(state.join(LIST)) else { return Vec::new() };
    let known = list.lines().filter_map(|line| line.split_once("  "));
    known
        .map(|(known, path)| (known, PathBuf::from(path)))
        .filter(|(_, path)| path.starts_with(root))
        .filter(|(known, path)| layers::text(path).is_none_or(|text| hash(&text) != *known))
        .map(|(_, path)| path)
        .collect()
}

/// SHA-256, in hexadecimal digits.
pub fn hash(text: &str) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// Remembers that this content of this file is trusted, instead of what was trusted before.
pub fn remember(state: &Path, source: &Source) -> io::Result<()> {
    fs::create_dir_all(state)?;
    let path = source.path.display().to_string();
    if path.contains('\n') {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path holds a line break"));
    }
    let mut list = String::new();
    for line in
        known(state)?.lines().filter(|line| line.split_once("  ").is_some_and(|(_, known)| known != path))
    {
        let _ = writeln!(list, "{line}");
    }
    let _ = writeln!(list, "{}  {path}", hash(&source.text));
    replace(state, &list)
}

/// Ends the trust in a file; whether there was any.
pub fn forget(state: &Path, path: &Path) -> io::Result<bool> {
    let path = path.display().to_string();
    let list = known(state)?;
    let kept: String = list
        .lines()
        .filter(|line| line.split_once("  ").is_none_or(|(_, known)| known != path))
        .map(|line| format!("{line}\n"))
        .collect();
    let any = kept.len() != list.len();
    if any {
        replace(state, &kept)?;
    }
    Ok(any)
}

fn known(state: &Path) -> io::Result<String> {
    match fs::read_to_string(state.join(LIST)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        other => other,
    }
}

/// Writes beside, then renames: nobody reads half a list.
fn replace(state: &Path, list: &str) -> io::Result<()> {
    let beside = state.join(format!("{LIST}.{}", std::process::id()));
    fs::write(&beside, list)?;
    fs::rename(&beside, state.join(LIST))
}

/// Asks on the terminal. `false` without one: an agent has none.
pub fn confirm(question: &str) -> io::Result<bool> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Ok(false);
    }
    let mut out = io::stdout();
    write!(out, "{question} Type `trust` to go on: ")?;
    out.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(answer.trim() == "trust")
}

/// Whether there is a terminal on both sides.
pub fn has_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Whether an agent started this program, by what the hosts put into the environment of a shell.
pub fn is_agent() -> bool {
    ["CLAUDECODE", "COPILOT_CLI", "GEMINI_CLI", "CODEX_SANDBOX", "CODEX_THREAD_ID"]
        .iter()
        .any(|name| std::env::var_os(name).is_some())
}
