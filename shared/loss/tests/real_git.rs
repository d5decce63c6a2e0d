//! What is said to be lost, held against what the real git loses: generated repositories × command lines.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod states;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use git2::Repository;
use loss::Answer;

use states::{Case, copy, each, files, sh, steps};

/// A file as it can be had: path, mode, object.
type Had = (Vec<u8>, u32, String);

/// Everything that exists: files of the working tree, the index, all commits to which something leads, stashes.
#[derive(Default)]
struct Everything {
    files: BTreeSet<Had>,
    commits: BTreeSet<git2::Oid>,
    /// Commits to which only logs lead.
    logged: BTreeSet<git2::Oid>,
    /// Tags, and the objects that they lead to.
    tags: BTreeSet<String>,
    /// Only what would be missed: files on the disk and in the index.
    missed: BTreeSet<Had>,
}

/// The files of a commit.
fn files_of(commit: &git2::Commit<'_>) -> Vec<Had> {
    let mut found = Vec::new();
    commit
        .tree()
        .unwrap()
        .walk(git2::TreeWalkMode::PreOrder, |folder, entry| {
            if entry.kind() != Some(git2::ObjectType::Tree) {
                let name = [folder.as_bytes(), entry.name_bytes()].concat();
                found.push((name, u32::try_from(entry.filemode()).unwrap(), entry.id().to_string()));
            }
            git2::TreeWalkResult::Ok
        })
        .unwrap();
    found
}

fn everything(folder: &Path) -> Everything {
    let git = Repository::open(folder).unwrap();
    let mut all = Everything::default();
    let linked = folder.with_extension("wt");
    let mut there = files(folder);
    if linked.exists() {
        let inside = files(&linked);
        there.extend(inside.into_iter().map(|(name, path, facts)| (format!("wt:{name}"), path, facts)));
        if let Some(head) = Repository::open(&linked).ok().and_then(|git| git.head().ok()?.target()) {
            let commit = git.find_commit(head).unwrap();
            let held = files_of(&commit).into_iter();
            all.files.extend(held.map(|(name, mode, id)| ([b"wt:", &*name].concat(), mode, id)));
            all.commits.insert(head);
        }
    }
    for (name, path, facts) in there {
        let (mode, id) = if facts.is_symlink() {
            let target = std::fs::read_link(&path).unwrap();
            let bytes = target.to_str().unwrap().as_bytes();
            (0o120_000, git2::Oid::hash_object(git2::ObjectType::Blob, bytes).unwrap())
        } else {
            let bytes = std::fs::read(&path).unwrap();
            let is_filtered = path.extension().is_some_and(|ending| ending == "bin");
            let bytes = if is_filtered {
                String::from_utf8(bytes).unwrap().replace("SECRET", "pointer").into_bytes()
            } else {
                bytes
            };
            (repository::mode(&facts), git2::Oid::hash_object(git2::ObjectType::Blob, &bytes).unwrap())
        };
        all.missed.insert((name.into_bytes(), mode, id.to_string()));
    }
    // What git makes of a conflict, it makes again; and what is in a copy beside the tree is there.
    let index = git.index().unwrap();
    let conflicts = index.conflicts().unwrap().filter_map(|conflict| conflict.unwrap().our);
    let conflicts: Vec<String> = conflicts.map(|our| String::from_utf8(our.path).unwrap()).collect();
    all.missed.retain(|(name, ..)| {
        let name = String::from_utf8_lossy(name).into_owned();
        !conflicts.contains(&name) || !is_made_by_git(folder, &name)
    });
    for copy in ["copy", "moved"].map(|ending| folder.with_extension(ending)) {
        if let Ok(bytes) = std::fs::read(copy) {
            let id = git2::Oid::hash_object(git2::ObjectType::Blob, &bytes).unwrap();
            all.files.insert((b"copy".to_vec(), 0, id.to_string()));
        }
    }
    // Of some, only the name is staged.
    let intended = |entry: &git2::IndexEntry| entry.flags_extended & (1 << 13) != 0;
    for entry in git.index().unwrap().iter().filter(|entry| !intended(entry)) {
        all.missed.insert((entry.path, entry.mode, entry.id.to_string()));
    }
    all.files.extend(all.missed.iter().cloned());
    // What a submodule has committed stays in the repository around it.
    if let Ok(sub) = Repository::open(folder.join(".git/modules/libs/sub")) {
        let head = sub.head().unwrap().peel_to_commit().unwrap();
        all.files.extend(
            files_of(&head).into_iter().map(|(name, mode, id)| ([b"libs/sub/", &*name].concat(), mode, id)),
        );
    }
    if let Ok(nested) = Repository::open(folder.join("nested"))
        && let Ok(head) = nested.head()
    {
        let held = files_of(&head.peel_to_commit().unwrap());
        all.files.extend(held.into_iter().map(|(name, mode, id)| ([b"nested/", &*name].concat(), mode, id)));
    }
    for tag in git.references_glob("refs/tags/*").unwrap() {
        let tag = tag.unwrap();
        all.tags.insert(format!("{} {}", tag.name().unwrap(), tag.target().unwrap()));
    }
    let ran =
        Command::new("git").args(["log", "--all", "--reflog", "--format=%H"]).current_dir(folder).output();
    let ran = String::from_utf8(ran.unwrap().stdout).unwrap();
    all.logged = ran.lines().map(|id| id.parse().unwrap()).collect();
    let mut walk = git.revwalk().unwrap();
    walk.push_glob("*").unwrap();
    let _ = walk.push_head();
    // Of a stash, what it holds would be missed, not its commits.
    let mut stashed = BTreeSet::new();
    if let Ok(log) = git.reflog("refs/stash") {
        for entry in log.iter() {
            let stash = git.find_commit(entry.id_new()).unwrap();
            let base = stash.parent(0).unwrap();
            walk.push(base.id()).unwrap();
            stashed.extend(stash.parent_ids().skip(1).chain([stash.id()]));
            let known: BTreeSet<Had> = files_of(&base).into_iter().collect();
            let held = stash.parents().skip(1).chain([stash.clone()]);
            let held: Vec<Had> =
                held.flat_map(|held| files_of(&held)).filter(|file| !known.contains(file)).collect();
            all.missed.extend(held.iter().cloned());
            all.files.extend(held);
        }
    }
    for id in walk.filter_map(Result::ok) {
        if !stashed.contains(&id) {
            all.commits.insert(id);
        }
        let held = files_of(&git.find_commit(id).unwrap());
        // They can be had back in another working tree as well.
        let linked = held.iter().map(|(name, mode, id)| ([b"wt:", &**name].concat(), *mode, id.clone()));
        all.files.extend(linked.collect::<Vec<_>>());
        all.files.extend(held);
    }
    all
}

/// Whether a file with a conflict is what git makes of it.
fn is_made_by_git(folder: &Path, name: &str) -> bool {
    // Of a pipe, `git merge-file` reads nothing.
    let sides = tempfile::tempdir().unwrap();
    let [ours, base, theirs] = [2, 1, 3].map(|stage| {
        let side = sides.path().join(stage.to_string());
        let shown = format!(":{stage}:{name}");
        let ran = Command::new("git").args(["show", &shown]).current_dir(folder).output().unwrap();
        std::fs::write(&side, ran.stdout).unwrap();
        side
    });
    let merge = [Path::new("merge-file"), Path::new("-p"), &ours, &base, &theirs];
    let ran = Command::new("git").args(merge).current_dir(folder).output().unwrap();
    let plain = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let is_mark = |line: &str| line.starts_with("<<<<<<<") || line.starts_with(">>>>>>>");
        text.lines()
            .map(|line| if is_mark(line) { line[..7].to_owned() } else { line.to_owned() })
            .collect::<Vec<_>>()
    };
    std::fs::read(folder.join(name)).is_ok_and(|bytes| plain(&bytes) == plain(&ran.stdout))
}

/// What existed and does not any more: files, tags, and commits even where their files still exist. What logs alone lead
/// to is missed only where a command is about them.
fn lost(before: &Everything, after: &Everything, logs: bool) -> BTreeSet<String> {
    let empty = git2::Oid::hash_object(git2::ObjectType::Blob, b"").unwrap().to_string();
    let elsewhere =
        |path: &[u8], id: &str| after.files.iter().any(|(other, _, known)| other != path && known == id);
    let files = before.missed.difference(&after.files);
    let files = files.filter(|(path, _, id)| *id != empty && !elsewhere(path, id));
    let files = files.map(|(path, mode, id)| format!("{} {mode:o} {id}", String::from_utf8_lossy(path)));
    let commits = before.commits.difference(&after.commits);
    let logged = before.logged.difference(&after.logged).filter(|_| logs);
    let commits = commits.chain(logged).map(ToString::to_string);
    files.chain(commits).chain(before.tags.difference(&after.tags).cloned()).collect()
}

fn answer(folder: &Path, text: &str) -> Answer {
    match steps(folder, text) {
        Some(steps) => loss::look(&steps, &|path| path.ends_with("build")),
        None => Answer::Unknown,
    }
}

#[test]
fn nothing_lost_is_said_only_where_git_loses_nothing() {
    let rooms = tempfile::tempdir().unwrap();
    let (mut wrong, mut loud, mut silent, mut unknown, mut harmless) = (Vec::new(), Vec::new(), 0, 0, 0);
    let mut held = 0;
    let cases = each("LOSS", rooms.path(), |Case { here, line, text, name }| {
        let said = answer(&here, &text);
        let start = everything(&here);
        let partly = copy(&here, &here.with_extension("partly"));
        sh(&partly, line.before.trim_end_matches(['&', ';', ' ']));
        let logs = line.last.starts_with("git reflog");
        let by_prefix = lost(&start, &everything(&partly), logs);
        sh(&here, &text);
        let end = everything(&here);
        let mut lost: Vec<String> = lost(&start, &end, logs).difference(&by_prefix).cloned().collect();
        // What it takes off a branch stays in the files, and in the log.
        if line.last == "git reset -q HEAD~1" {
            lost.retain(|one| !end.logged.iter().any(|id| id.to_string() == *one));
        }
        std::fs::remove_dir_all(&partly).unwrap();
        let case = format!("{name}\n  said {said:?}\n  lost {lost:?}");
        if said == Answer::Nothing && !lost.is_empty() {
            wrong.push(case);
            return;
        }
        held += usize::from(!lost.is_empty());
        if line.odd {
            return;
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
    });
    let report = format!(
        "{cases} cases: {harmless} lose nothing, of which {silent} are silent and {unknown} unknown; {held} lose something, and no one says that they do not\n{}",
        loud.join("\n")
    );
    assert!(
        wrong.is_empty(),
        "{} lose something without a word:\n{}\n{report}",
        wrong.len(),
        wrong.join("\n")
    );
    // At least 95 in a hundred of those that lose nothing are silent, where lines may check something else out first.
    assert!(silent * 100 >= harmless * 95, "{report}");
    println!("{report}");
}
