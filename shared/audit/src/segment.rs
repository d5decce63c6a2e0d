//! The files of one log: the one that is written to, and those that were full.
//!
//! `audit.jsonl` is written to; `audit-20261122-000000012800.jsonl` was, and ends with record 12,800 on that day.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::LogError;
use crate::time;

/// A segment that is not written to any more.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Segment {
    /// The number of its last record.
    pub last: u64,
    pub path: PathBuf,
}

impl Segment {
    /// The file's name.
    pub fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// The segments of the log at `path`, oldest first; the file that is written to is not among them.
pub fn segments(path: &Path) -> Result<Vec<Segment>, LogError> {
    let folder = folder_of(path);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(LogError::io(folder, "reading the folder")(error)),
    };
    let (stem, ending) = parts(path);
    let mut found: Vec<Segment> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let middle = name.strip_prefix(&stem)?.strip_prefix('-')?.strip_suffix(&ending)?;
            let (day, last) = middle.split_once('-')?;
            let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let last = (day.len() == 8 && digits(day) && digits(last)).then(|| last.parse().ok())??;
            Some(Segment { last, path: entry.path() })
        })
        .collect();
    found.sort();
    Ok(found)
}

/// All files of the log at `path` in the order of the chain.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, LogError> {
    let mut files: Vec<PathBuf> = segments(path)?.into_iter().map(|segment| segment.path).collect();
    if path.symlink_metadata().is_ok() {
        files.push(path.to_owned());
    }
    Ok(files)
}

/// How deep logs are looked for in a folder of copies.
const DEEP: usize = 4;

/// The logs whose files lie in a folder or below it, as copies from several machines do; of each the file that is
/// written to, whether it is there or only those that were full.
pub fn logs_in(folder: &Path) -> Result<Vec<PathBuf>, LogError> {
    let mut found = BTreeSet::new();
    look(folder, DEEP, &mut found)?;
    Ok(found.into_iter().collect())
}

fn look(folder: &Path, deep: usize, found: &mut BTreeSet<PathBuf>) -> Result<(), LogError> {
    let entries = fs::read_dir(folder).map_err(LogError::io(folder, "reading the folder"))?;
    for entry in entries.flatten() {
        let (path, kind) = (entry.path(), entry.file_type());
        let ends = |ending: &str| path.extension().is_some_and(|found| found == ending);
        // A link is not followed: it may lead back up.
        if kind.as_ref().is_ok_and(fs::FileType::is_dir) {
            // What waits beside a log belongs to it.
            if deep > 0 && !ends("spill") {
                look(&path, deep - 1, found)?;
            }
        } else if kind.is_ok_and(|kind| kind.is_file()) && ends("jsonl") {
            found.insert(log_of(&path));
        }
    }
    Ok(())
}

/// The log that a file belongs to: itself, unless its name is that of a full one.
fn log_of(path: &Path) -> PathBuf {
    let (stem, ending) = parts(path);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut words = stem.rsplitn(3, '-');
    match (words.next(), words.next(), words.next()) {
        (Some(last), Some(day), Some(stem)) if day.len() == 8 && digits(day) && digits(last) => {
            folder_of(path).join(format!("{stem}{ending}"))
        }
        _ => path.to_owned(),
    }
}

/// What the file that is written to becomes when it is full.
pub(crate) fn name_for(path: &Path, last: u64) -> PathBuf {
    let (stem, ending) = parts(path);
    let day = time::day(time::now());
    // Twelve digits, so that a shell lists `audit-*.jsonl` in the order of the chain.
    folder_of(path).join(format!("{stem}-{day}-{last:012}{ending}"))
}

/// Where records go that cannot go into the log.
pub(crate) fn spill_folder(path: &Path) -> PathBuf {
    // Added to the whole name: two logs in one folder have two such folders.
    let mut name = path.as_os_str().to_owned();
    name.push(".spill");
    name.into()
}

pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The name without its ending, and the ending with its dot.
fn parts(path: &Path) -> (String, String) {
    let text = |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let stem = text(path.file_stem()).unwrap_or_default();
    (stem, text(path.extension()).map(|ending| format!(".{ending}")).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_copies_holds_a_log_for_each_machine() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        };
        for name in [
            "one/audit.jsonl",
            "one/audit-20261122-000000000012.jsonl",
            "one/audit.jsonl.spill/x.jsonl",
            "two/deep/audit-20261122-000000000007.jsonl",
            "laptop-3.jsonl",
            "notes.txt",
        ] {
            write(name);
        }
        let logs = logs_in(folder.path()).unwrap();
        let names: Vec<_> = logs.iter().map(|log| log.strip_prefix(folder.path()).unwrap()).collect();
        let expected = ["laptop-3.jsonl", "one/audit.jsonl", "two/deep/audit.jsonl"].map(Path::new);
        assert_eq!(names, expected);
        assert_eq!(files(&logs[1]).unwrap().len(), 2);
        assert_eq!(files(&logs[2]).unwrap().len(), 1);
    }
}
