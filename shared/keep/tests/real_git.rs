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

use states::{Dice, Line, copy, disturb, first, line, sh, steps};

/// Files with their rights and bytes, or where links lead; the index; what git says of it.
#[derive(Debug, PartialEq, Eq)]
struct Tree {
    files: BTreeMap<String, (u32, Vec<u8>)>,
    index: Vec<u8>,
}

fn tree(folder: &Path) -> Tree {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            let facts = std::fs::symlink_metadata(&path).unwrap();
            if name == ".git" || name == "build" {
                continue;
            }
            if facts.is_dir() {
                folders.push(path);
            } else if facts.is_symlink() {
                let to = std::fs::read_link(&path).unwrap();
                files.insert(name, (0, to.to_str().unwrap().as_bytes().to_vec()));
            } else {
                files.insert(name, (facts.permissions().mode(), std::fs::read(&path).unwrap()));
            }
        }
    }
    Tree { files, index: std::fs::read(folder.join(".git/index")).unwrap() }
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

#[test]
fn what_git_loses_comes_back_byte_by_byte() {
    let number = |name: &str, usual: usize| {
        std::env::var(name).ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual)
    };
    let (cases, from) = (number("KEEP_CASES", 150), number("KEEP_FROM", 0));
    let rooms = tempfile::tempdir().unwrap();
    let template = rooms.path().join("template");
    std::fs::create_dir(&template).unwrap();
    first(&template);
    let store = Store::of(rooms.path());
    let (mut kept, mut refused) = (0, 0);
    for seed in from..from + cases {
        let mut dice = Dice(seed as u64 * 7_919 + 17);
        let here = copy(&template, &rooms.path().join(format!("{seed}")));
        let done = disturb(&here, &mut dice);
        let Line { before: prefix, last, odd } = line(&mut dice);
        let text = format!("{prefix}{last}");
        let stake =
            steps(&here, &text).and_then(|steps| loss::stake(&steps, &|path| path.ends_with("build")));
        let Some((Answer::Lost(_), stake)) = stake else { continue };
        let (start, named) = (tree(&here), references(&here));
        let occasion =
            Occasion { command: &text, lost: "work", until: Instant::now() + Duration::from_mins(1) };
        let understood = if odd { "odd" } else { "plain" };
        let case = format!("seed {seed}, {understood}: {done} => {text}");
        let Ok(entry) = keep::keep_repository(&store, &stake, &occasion) else {
            refused += 1;
            assert_eq!((tree(&here), references(&here)), (start, named), "{case}");
            continue;
        };
        kept += 1;
        assert_eq!(tree(&here), start, "saving changes nothing: {case}");
        assert_eq!(references(&here), named, "saving changes nothing: {case}");
        sh(&here, &text);
        let plan = keep::plan(&store, &entry, &[]).unwrap();
        plan.run().unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(tree(&here), start, "{case}");
        if prefix.is_empty() {
            assert_eq!(references(&here), named, "{case}");
        }
        assert!(sh(&here, "git fsck --strict --no-dangling"), "{case}");
        std::fs::remove_dir_all(&here).unwrap();
    }
    assert!(kept * 10 > cases && refused == 0, "{cases} cases, {kept} kept, {refused} refused");
    println!("{cases} cases, {kept} kept");
}
