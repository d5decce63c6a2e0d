//! Two fingerprints are equal exactly when the files are.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use proptest::prelude::*;
use repository::{Paths, Repository};

fn tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    git2::Repository::init(folder.path()).unwrap();
    folder
}

fn until() -> Instant {
    Instant::now() + Duration::from_mins(1)
}

fn files(folder: &Path, patterns: &[&str]) -> String {
    let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
    let repository = Repository::around(folder).unwrap().unwrap();
    repository.snapshot(until()).unwrap().files(&Paths::new(&patterns).unwrap()).as_str().to_owned()
}

fn whole(folder: &Path) -> String {
    let repository = Repository::around(folder).unwrap().unwrap();
    repository.snapshot(until()).unwrap().whole().as_str().to_owned()
}

fn commit(folder: &Path) {
    let git = git2::Repository::open(folder).unwrap();
    let mut index = git.index().unwrap();
    index.add_all(["*"], git2::IndexAddOption::DEFAULT, None).unwrap();
    index.update_all(["*"], None).unwrap();
    index.write().unwrap();
    let tree = git.find_tree(index.write_tree().unwrap()).unwrap();
    let me = git2::Signature::now("t", "t@t.test").unwrap();
    let parent = git.head().ok().and_then(|head| head.peel_to_commit().ok());
    let parents: Vec<_> = parent.iter().collect();
    git.commit(Some("HEAD"), &me, &me, "work", &tree, &parents).unwrap();
}

/// One change to a tree.
#[derive(Debug, Clone)]
enum Change {
    Write(u8, u8),
    Remove(u8),
    Rename(u8, u8),
    Mode(u8, bool),
    Link(u8, u8),
    Commit,
}

fn change() -> impl Strategy<Value = Change> {
    let (file, text) = (0..4_u8, 0..3_u8);
    prop_oneof![
        4 => (file.clone(), text.clone()).prop_map(|(file, text)| Change::Write(file, text)),
        1 => file.clone().prop_map(Change::Remove),
        2 => (file.clone(), file.clone()).prop_map(|(from, to)| Change::Rename(from, to)),
        1 => (file.clone(), any::<bool>()).prop_map(|(file, run)| Change::Mode(file, run)),
        1 => (file, text).prop_map(|(file, text)| Change::Link(file, text)),
        1 => Just(Change::Commit),
    ]
}

/// Where a file lies: at the top, in folders, and with a name that is a pattern.
fn name(file: u8) -> &'static str {
    ["a", "src/b", "src/deep/c", "[d]*"][usize::from(file)]
}

/// Applies a change. All strings have one size, and all files one time.
fn apply(root: &Path, change: &Change) {
    let path = |file: u8| {
        let path = root.join(name(file));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    };
    match *change {
        Change::Write(file, text) => {
            let path = path(file);
            if path.is_symlink() {
                fs::remove_file(&path).unwrap();
            }
            fs::write(&path, ["one", "two", "six"][usize::from(text)]).unwrap();
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
            let times = FileTimes::new().set_modified(time).set_accessed(time);
            File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
        }
        Change::Remove(file) => drop(fs::remove_file(path(file))),
        Change::Rename(from, to) => drop(fs::rename(path(from), path(to))),
        Change::Mode(file, run) => {
            if path(file).is_file() && !path(file).is_symlink() {
                fs::set_permissions(path(file), Permissions::from_mode(if run { 0o755 } else { 0o644 }))
                    .unwrap();
            }
        }
        Change::Link(file, text) => {
            let _ = fs::remove_file(path(file));
            std::os::unix::fs::symlink(["one", "two", "six"][usize::from(text)], path(file)).unwrap();
        }
        Change::Commit => commit(root),
    }
}

/// What is in the tree, found without git.
fn truth(root: &Path) -> BTreeMap<&'static str, (bool, String)> {
    (0..4)
        .filter_map(|file| {
            let path = root.join(name(file));
            if path.is_symlink() {
                return Some((name(file), (true, format!("-> {}", fs::read_link(path).unwrap().display()))));
            }
            let text = fs::read_to_string(&path).ok()?;
            let run = fs::metadata(&path).unwrap().permissions().mode() & 0o100 != 0;
            Some((name(file), (run, text)))
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn it_is_equal_exactly_when_the_files_are(changes in prop::collection::vec(change(), 1..14)) {
        let folder = tree();
        let mut seen = vec![(truth(folder.path()), files(folder.path(), &[]))];
        for change in &changes {
            apply(folder.path(), change);
            let now = (truth(folder.path()), files(folder.path(), &[]));
            for before in &seen {
                prop_assert_eq!(before.0 == now.0, before.1 == now.1, "{:?} {:?} {:?}", change, before, now);
            }
            seen.push(now);
        }
    }
}

#[test]
fn a_commit_changes_the_whole_and_no_file() {
    let folder = tree();
    fs::write(folder.path().join("a"), "one").unwrap();
    let before = (files(folder.path(), &[]), whole(folder.path()));
    commit(folder.path());
    assert_eq!(files(folder.path(), &[]), before.0);
    assert_ne!(whole(folder.path()), before.1);
    assert_eq!(whole(folder.path()), whole(folder.path()));
}

#[test]
fn patterns_choose_files() {
    let folder = tree();
    fs::create_dir_all(folder.path().join("src/deep")).unwrap();
    fs::write(folder.path().join("src/deep/a.rs"), "one").unwrap();
    fs::write(folder.path().join("notes.md"), "one").unwrap();
    let before = (files(folder.path(), &["src/**"]), files(folder.path(), &["*.rs"]));
    fs::write(folder.path().join("notes.md"), "two").unwrap();
    assert_eq!((files(folder.path(), &["src/**"]), files(folder.path(), &["*.rs"])), before);
    fs::write(folder.path().join("src/deep/a.rs"), "two").unwrap();
    assert_ne!(files(folder.path(), &["src/**"]), before.0);
    assert_ne!(files(folder.path(), &["*.rs"]), before.1);
}

#[test]
fn ignored_files_are_not_part_of_it_and_folders_outside_have_none() {
    let folder = tree();
    fs::write(folder.path().join(".gitignore"), "built\n").unwrap();
    let before = files(folder.path(), &[]);
    fs::write(folder.path().join("built"), "x").unwrap();
    assert_eq!(files(folder.path(), &[]), before);
    let outside = tempfile::tempdir().unwrap();
    assert!(Repository::around(outside.path()).unwrap().is_none());
    assert!(Repository::around(Path::new("/no/such/folder")).unwrap().is_none());
}

#[test]
fn a_tree_that_takes_too_long_is_an_error() {
    let folder = tree();
    fs::write(folder.path().join("a"), "one").unwrap();
    let repository = Repository::around(folder.path()).unwrap().unwrap();
    assert!(repository.snapshot(Instant::now()).is_err());
}
