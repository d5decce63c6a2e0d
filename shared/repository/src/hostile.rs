//! What in a repository ends libgit2, and so the process: found before it is asked.
//!
//! libgit2 1.9.7 follows a null pointer where a pattern that takes back nothing (`!\` at the end of a file, `!//`) stands
//! after one with a wildcard, in a file of patterns that belongs to no folder below the root.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// As much of a file is looked at: more than libgit2 is given to read anywhere.
const LARGEST: u64 = 8 * 1024 * 1024;

/// The file that libgit2 must not read, if there is one.
pub(crate) fn patterns(git: &git2::Repository, root: &Path) -> Option<PathBuf> {
    let own = git.config().and_then(|config| config.get_path("core.excludesfile")).ok();
    let files = [root.join(".gitignore"), git.commondir().join("info/exclude")];
    files.into_iter().chain(own).find(|file| {
        let mut bytes = Vec::new();
        File::open(file).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes)).is_ok()
            && bytes.split(|byte| *byte == b'\n').any(takes_back_nothing)
    })
}

fn takes_back_nothing(line: &[u8]) -> bool {
    let nothing = |byte: &u8| matches!(byte, b'/' | b'\\') || byte.is_ascii_whitespace();
    line.trim_ascii_start()
        .strip_prefix(b"!")
        .is_some_and(|rest| !rest.is_empty() && rest.iter().all(nothing))
}
