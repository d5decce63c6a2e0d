//! `dirty`: what is not committed.

use std::fmt::Write as _;

use repository::{Change, Repository, Status};

use super::listed;
use crate::untrusted::quoted;

/// How many paths are shown.
const PATHS: usize = 10;

/// An index that is larger, in bytes, is not read, whatever its head claims.
const LARGEST_INDEX: u64 = 64 << 20;

pub(super) fn tell(git: &Repository, max_index: u32) -> String {
    if let Some(size) = git.index_size()
        // The index is read as a whole: its head tells how large it is before that costs time.
        && (size.entries > max_index || size.bytes > LARGEST_INDEX)
    {
        return format!(
            "status not read, as git's index has {} entries and {} KiB",
            size.entries,
            size.bytes >> 10
        );
    }
    git.status()
        .map_or_else(|_| "status not read, as git's files cannot be read".to_owned(), |status| of(&status))
}

fn of(status: &Status) -> String {
    if status.is_clean() {
        return "nothing to commit".to_owned();
    }
    let mut text = format!(
        "{} staged, {} modified, {} untracked, {} in conflict",
        status.staged(),
        status.unstaged(),
        status.untracked.len(),
        status.conflicts.len()
    );
    // To compare them git would run a program of the repository's choice.
    if !status.unclear.is_empty() {
        let _ = write!(text, ", {} that only a filter program could compare", status.unclear.len());
    }
    let letter = |change: Option<Change>| change.map_or('.', Change::letter);
    let conflicts = status.conflicts.iter().map(|path| ("U".to_owned(), path));
    let tracked = status
        .tracked
        .iter()
        .map(|(path, known)| (format!("{}{}", letter(known.staged), letter(known.unstaged)), path));
    let untracked = status.untracked.iter().map(|path| ("?".to_owned(), path));
    let paths = conflicts.chain(tracked).chain(untracked);
    // Only the shown ones are worth looking at closely.
    let all = status.conflicts.len() + status.tracked.len() + status.untracked.len();
    let shown: Vec<String> =
        paths.take(PATHS).map(|(code, path)| format!("{code} {}", quoted(path, 80))).collect();
    if shown.is_empty() {
        return text;
    }
    let rest = all - shown.len();
    // What the counts leave of the 400 characters that a list may have.
    let room = 400_usize.saturating_sub(text.chars().count());
    format!("{text}: {}", listed(shown.into_iter().chain((0..rest).map(|_| String::new())), PATHS, room))
}

#[cfg(test)]
mod tests {
    use repository::Tracked;

    use super::*;

    #[test]
    fn counts_and_a_few_paths_in_one_line() {
        let mut status = Status::default();
        assert_eq!(of(&status), "nothing to commit");
        status.conflicts.insert(b"c".to_vec());
        status.tracked.insert(
            b"a b".to_vec(),
            Tracked { staged: Some(Change::Added), unstaged: Some(Change::Modified) },
        );
        status.tracked.insert(b"d".to_vec(), Tracked { staged: None, unstaged: Some(Change::Deleted) });
        status.untracked.insert(b"new/".to_vec());
        assert_eq!(
            of(&status),
            "1 staged, 2 modified, 1 untracked, 1 in conflict: U \"c\", AM \"a b\", .D \"d\", ? \"new/\""
        );
        for number in 0..500 {
            status.untracked.insert(format!("{number:03}").into_bytes());
        }
        let text = of(&status);
        assert!(text.ends_with("? \"006\", and 494 more"), "{text}");
        for number in 0..20 {
            status.conflicts.insert(format!("{number}{}", "x".repeat(300)).into_bytes());
        }
        assert!(of(&status).chars().count() < 430, "{}", of(&status));
    }
}
