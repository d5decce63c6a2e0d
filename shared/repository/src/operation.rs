//! What was begun and is not finished: a merge, a rebase, a bisection.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::Repository;

/// As much of one of git's notes as is read, in bytes.
const NOTE: u64 = 4096;

/// Something that was begun and is not finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Such as `merge` or `rebase`.
    pub name: &'static str,
    /// The step that it is at, and the number of steps.
    pub step: Option<(u32, u32)>,
    /// The branch that is rebased.
    pub branch: Option<Vec<u8>>,
}

impl Repository {
    /// All that was begun and is not finished: a bisection may be going on besides.
    pub fn operations(&self) -> Vec<Operation> {
        let plain = |name| Operation { name, step: None, branch: None };
        let folder = self.git.path();
        let mut found = Vec::new();
        if let Some(name) = self.operation() {
            let mut operation = plain(name);
            // There are two kinds of rebase, each with notes of its own.
            for (notes, at, all) in [("rebase-merge", "msgnum", "end"), ("rebase-apply", "next", "last")] {
                let notes = folder.join(notes);
                let (Some(at), Some(all)) = (number(&notes.join(at)), number(&notes.join(all))) else {
                    continue;
                };
                operation.step = Some((at, all));
                let branch = note(&notes.join("head-name"));
                operation.branch =
                    branch.and_then(|name| Some(name.strip_prefix(b"refs/heads/")?.to_owned()));
            }
            found.push(operation);
        }
        if folder.join("BISECT_LOG").exists() {
            found.push(plain("bisect"));
        }
        found
    }
}

/// One line that git left for itself.
fn note(path: &Path) -> Option<Vec<u8>> {
    // Git writes plain files: a pipe would not end, and a link may lead anywhere.
    if !std::fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(NOTE).read_to_end(&mut bytes).ok()?;
    Some(bytes.trim_ascii_end().to_owned())
}

fn number(path: &Path) -> Option<u32> {
    std::str::from_utf8(&note(path)?).ok()?.parse().ok()
}
