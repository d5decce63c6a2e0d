//! `todo`: how the project's list begins.

use super::listed;
use crate::tree::Tree;
use crate::untrusted::quoted;

/// The files, of which the first one counts.
const FILES: [&str; 4] = ["TODO", "TODO.md", "TODO.txt", "todo.md"];

/// How many lines are reported.
const MOST: usize = 3;

pub(super) fn tell(tree: &Tree) -> Option<String> {
    let text = tree.folders().find_map(|folder| FILES.iter().find_map(|file| tree.read(folder, file)))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let text = listed(lines.take(MOST).map(|line| quoted(line.as_bytes(), 100)), MOST, 400);
    (!text.is_empty()).then_some(text)
}
