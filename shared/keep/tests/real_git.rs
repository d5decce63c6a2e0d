//! What is kept, held against what the real git loses: saving changes nothing, and restoring brings tree and index back
//! byte by byte, on generated repositories × command lines.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../loss/tests/states/mod.rs"]
mod states;

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use keep::{Occasion, Store};
use loss::Answer;

use states::{Case, each, files, sh, steps};

/// Files with their rights and bytes, or where links lead; the index; what git says of it.
#[derive(Debug, PartialEq, Eq)]
struct Tree {
    files: BTreeMap<String, (u32, Vec<u8>)>,
    index: Vec<u8>,
}

fn tree(folder: &Path) -> Tree {
    let held = files(folder).into_iter().map(|(name, path, facts)| {
        let held = if facts.is_symlink() {
            (0, std::fs::read_link(&path).unwrap().to_str().unwrap().as_bytes().to_vec())
        } else {
            (facts.permissions().mode(), std::fs::read(&path).unwrap())
        };
        (name, held)
    });
    Tree { files: held.collect(), index: std::fs::read(folder.join(".git/index")).unwrap() }
}

/// What leads to commits, but for what is kept.
fn references(folder: &Path) -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(folder).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["for-each-ref", "--exclude=refs/policy-hooks"])
        + &git(&["stash", "list", "--format=%H %gs"])
        + &git(&["rev-parse", "--symbolic-full-name", "HEAD"])
        + &git(&["rev-parse", "HEAD"])
}

/// The files of a working tree that is linked to another one, with what they hold.
fn contents(root: &Path) -> BTreeMap<String, Option<Vec<u8>>> {
    files(root).into_iter().map(|(name, path, _)| (name, std::fs::read(path).ok())).collect()
}

#[test]
fn what_git_loses_comes_back_byte_by_byte() {
    let rooms = tempfile::tempdir().unwrap();
    let store = Store::of(rooms.path());
    let (mut kept, mut refused) = (0, Vec::new());
    let cases = each("KEEP", rooms.path(), |Case { here, line, text, name: case }| {
        let staked = steps(&here, &text)
            .and_then(|steps| loss::stakes(&steps, &|path| path.ends_with("build")).ok().flatten());
        // Of several repositories, each is saved for itself.
        let Some([(Answer::Lost(_), stake)]) = staked.as_deref() else { return };
        let stake = stake.clone();
        let (start, named) = (tree(&here), references(&here));
        let own = stake.removed.then(|| contents(&stake.root));
        let occasion =
            Occasion { command: &text, lost: "work", until: Instant::now() + Duration::from_mins(1) };
        let entry = match keep::keep_repository(&store, &stake, &occasion) {
            Ok(entry) => entry,
            Err(error) => {
                // What lies in a repository within this one is not saved, nor an index with conflicts, nor logs: none is let go.
                let index = git2::Repository::open(&here).unwrap().index().unwrap();
                if !stake.beyond && !stake.forgets && !index.has_conflicts() {
                    refused.push(format!("{case}: {error}"));
                }
                assert_eq!((tree(&here), references(&here)), (start, named), "{case}");
                return;
            }
        };
        kept += 1;
        assert_eq!(tree(&here), start, "saving changes nothing: {case}");
        assert_eq!(references(&here), named, "saving changes nothing: {case}");
        sh(&here, &text);
        // What `patch` could not take back, it writes down beside the file.
        sh(&here, r"find . -name '*.rej' -delete");
        // As the hint says: the files come back into a working tree that is made again.
        if own.is_some() {
            assert!(
                sh(&here, &format!("git worktree add -q -f --detach {}", stake.root.display())),
                "{case}"
            );
        }
        let plan = keep::plan(&store, &entry, &[]).unwrap();
        plan.run().unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(tree(&here), start, "{case}");
        if let Some(own) = own {
            assert_eq!(contents(&stake.root), own, "{case}");
            return;
        }
        if line.before.is_empty() {
            assert_eq!(references(&here), named, "{case}");
        }
        assert!(sh(&here, "git fsck --strict --no-dangling"), "{case}");
    });
    assert!(kept * 10 > cases && refused.is_empty(), "{cases} cases, {kept} kept, refused: {refused:#?}");
    println!("{cases} cases, {kept} kept");
}
