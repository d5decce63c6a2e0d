//! What is said to be lost, held against what the real git loses: generated repositories × command lines.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod states;

use std::collections::BTreeSet;
use std::path::Path;

use git2::Repository;
use loss::Answer;

use states::{Dice, Line, copy, disturb, first, line, sh, steps};

/// A file as it can be had: path, mode, object.
type Had = (Vec<u8>, u32, String);

/// Everything that exists: files of the working tree, the index, all commits to which something leads, stashes.
#[derive(Default)]
struct Everything {
    files: BTreeSet<Had>,
    commits: BTreeSet<git2::Oid>,
    /// Only what would be missed: files on the disk and in the index.
    missed: BTreeSet<Had>,
}

fn everything(folder: &Path) -> Everything {
    let git = Repository::open(folder).unwrap();
    let mut all = Everything::default();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            if name == ".git" || name == "build" {
                continue;
            }
            let facts = std::fs::symlink_metadata(&path).unwrap();
            if facts.is_dir() {
                folders.push(path);
                continue;
            }
            let (mode, id) = if facts.is_symlink() {
                let target = std::fs::read_link(&path).unwrap();
                let bytes = target.to_str().unwrap().as_bytes();
                (0o120_000, git2::Oid::hash_object(git2::ObjectType::Blob, bytes).unwrap())
            } else {
                (repository::mode(&facts), git2::Oid::hash_file(git2::ObjectType::Blob, &path).unwrap())
            };
            all.missed.insert((name.into_bytes(), mode, id.to_string()));
        }
    }
    for entry in git.index().unwrap().iter() {
        all.missed.insert((entry.path, entry.mode, entry.id.to_string()));
    }
    all.files.clone_from(&all.missed);
    let mut walk = git.revwalk().unwrap();
    walk.push_glob("*").unwrap();
    let _ = walk.push_head();
    if let Ok(log) = git.reflog("refs/stash") {
        for entry in log.iter() {
            walk.push(entry.id_new()).unwrap();
        }
    }
    for id in walk.filter_map(Result::ok) {
        all.commits.insert(id);
        let tree = git.find_commit(id).unwrap().tree().unwrap();
        tree.walk(git2::TreeWalkMode::PreOrder, |folder, entry| {
            if entry.kind() == Some(git2::ObjectType::Blob) {
                let name = [folder.as_bytes(), entry.name_bytes()].concat();
                all.files.insert((name, u32::try_from(entry.filemode()).unwrap(), entry.id().to_string()));
            }
            git2::TreeWalkResult::Ok
        })
        .unwrap();
    }
    all
}

/// What existed and does not any more: files, and commits even where their files still exist.
fn lost(before: &Everything, after: &Everything) -> BTreeSet<String> {
    let files = before.missed.difference(&after.files);
    let files = files.map(|(path, mode, id)| format!("{} {mode:o} {id}", String::from_utf8_lossy(path)));
    files.chain(before.commits.difference(&after.commits).map(ToString::to_string)).collect()
}

fn answer(folder: &Path, text: &str) -> Answer {
    match steps(folder, text) {
        Some(steps) => loss::look(&steps, &|path| path.ends_with("build")),
        None => Answer::Unknown,
    }
}

#[test]
fn nothing_lost_is_said_only_where_git_loses_nothing() {
    let cases: usize = std::env::var("LOSS_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(150);
    let from: usize = std::env::var("LOSS_FROM").ok().and_then(|from| from.parse().ok()).unwrap_or(0);
    let rooms = tempfile::tempdir().unwrap();
    let template = rooms.path().join("template");
    std::fs::create_dir(&template).unwrap();
    first(&template);
    let (mut wrong, mut loud, mut silent, mut unknown, mut harmless) = (Vec::new(), Vec::new(), 0, 0, 0);
    for seed in from..from + cases {
        let mut dice = Dice(seed as u64 * 7_919 + 17);
        let here = copy(&template, &rooms.path().join(format!("{seed}")));
        let done = disturb(&here, &mut dice);
        let Line { before: prefix, last, odd } = line(&mut dice);
        let text = format!("{prefix}{last}");
        let said = answer(&here, &text);
        let start = everything(&here);
        let partly = copy(&here, &rooms.path().join(format!("{seed}-partly")));
        sh(&partly, prefix.trim_end_matches(['&', ';', ' ']));
        sh(&here, &text);
        let by_prefix = lost(&start, &everything(&partly));
        let lost: Vec<String> = lost(&start, &everything(&here)).difference(&by_prefix).cloned().collect();
        let case = format!("seed {seed}: {done} => {text}\n  said {said:?}\n  lost {lost:?}");
        if said == Answer::Nothing && !lost.is_empty() {
            wrong.push(case);
            continue;
        }
        if odd {
            continue;
        }
        harmless += usize::from(lost.is_empty());
        match (&said, lost.is_empty()) {
            (Answer::Nothing, true) => silent += 1,
            (Answer::Unknown, true) => {
                unknown += 1;
                loud.push(case);
            }
            (Answer::Lost(_), true) => loud.push(case),
            _ => {}
        }
        let _ = std::fs::remove_dir_all(&here);
        let _ = std::fs::remove_dir_all(&partly);
    }
    let report = format!(
        "{cases} cases: {harmless} lose nothing, of which {silent} are silent and {unknown} unknown\n{}",
        loud.join("\n")
    );
    assert!(
        wrong.is_empty(),
        "{} lose something without a word:\n{}\n{report}",
        wrong.len(),
        wrong.join("\n")
    );
    // At least 97 in a hundred of those that lose nothing are silent.
    assert!(silent * 100 >= harmless * 97, "{report}");
    println!("{report}");
}
