//! What is said to be lost, held against what the real git loses: generated repositories × command lines.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use git2::Repository;
use loss::Answer;
use rules::Facts;

/// A generator of numbers that needs no crate: a case is named by its seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % most as u64).unwrap()
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

const FILES: &[&str] = &["a.txt", "src/b.rs", "src/c.rs", "src/deep/d.rs", "e.sh"];
const BRANCHES: &[&str] = &["main", "side", "merged", "other"];

fn sh(folder: &Path, line: &str) -> bool {
    let mut command = Command::new("bash");
    command.args(["-c", line]).current_dir(folder).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    for (name, value) in [("NAME", "x"), ("EMAIL", "x@example.org")] {
        command.env(format!("GIT_AUTHOR_{name}"), value).env(format!("GIT_COMMITTER_{name}"), value);
    }
    command.status().unwrap().success()
}

/// A repository with some history: three commits on main, a branch that is merged, two that are not.
fn first(folder: &Path) {
    let made = sh(
        folder,
        "git init -q -b main . && mkdir -p src/deep && printf '1\n2\n3\n' | tee a.txt src/b.rs src/c.rs src/deep/d.rs e.sh >/dev/null \
         && chmod +x e.sh && printf 'build/\n.env\n*.log\n' > .gitignore && git add . && git commit -qm first \
         && git branch merged && echo two >> a.txt && git commit -qam second && git switch -qc side \
         && echo side >> src/b.rs && echo new > side.txt && echo theirs > .env && git add -f .  && git commit -qm side && git switch -qc other main \
         && git rm -q src/c.rs && git commit -qm other && git switch -q main && echo three >> src/b.rs && git commit -qam third",
    );
    assert!(made);
}

/// Some uncommitted work.
fn disturb(folder: &Path, dice: &mut Dice) -> String {
    let mut log = Vec::new();
    for _ in 0..dice.below(5) {
        let file = dice.one(FILES);
        let line = match dice.below(18) {
            0 | 1 => format!("echo work >> {file}"),
            2 => format!("echo staged >> {file}; git add {file}"),
            3 => format!("echo staged >> {file}; git add {file}; echo again >> {file}"),
            4 => format!("rm -f {file}"),
            5 => format!("chmod +x {file}"),
            6 => format!("rm -f {file}; ln -s elsewhere {file}"),
            7 => "echo new > new.txt".to_owned(),
            8 => "mkdir -p fresh/deep; echo new > fresh/deep/n.txt; echo n > src/n.rs".to_owned(),
            9 => "mkdir -p build; echo o > build/x.o; echo key > .env; echo l > x.log".to_owned(),
            10 => "git stash -q".to_owned(),
            11 => "git checkout -q --detach; echo detached >> a.txt; git commit -qam detached".to_owned(),
            // What another branch has, or had.
            12 => "git show side:src/b.rs > src/b.rs".to_owned(),
            13 => "git show HEAD~1:a.txt > a.txt".to_owned(),
            14 => "git mv e.sh f.sh".to_owned(),
            15 => "echo key > .env".to_owned(),
            16 => "mkdir -p side.txt; echo l > side.txt/x.log".to_owned(),
            _ => "echo untracked > side.txt".to_owned(),
        };
        sh(folder, &line);
        log.push(line);
    }
    log.join(" ;; ")
}

/// A line of commands of which the last may lose something.
struct Line {
    before: String,
    last: String,
    /// Whether no one promises to understand what stands before.
    odd: bool,
}

fn line(dice: &mut Dice) -> Line {
    let file = dice.one(&[FILES, &["src", ".", "src/", "*.rs", "missing", "src/deep", "side.txt"]].concat());
    let other = dice.one(FILES);
    let branch = dice.one(BRANCHES);
    let revision = dice.one(&["HEAD", "HEAD~1", "side", "other", "merged", "main"]);
    let kind = dice.below(16);
    let before = match kind {
        0 => "git stash && ".to_owned(),
        1 => "git stash -u && ".to_owned(),
        2 => "git commit -qam saved && ".to_owned(),
        3 => format!("git add {other} && "),
        4 => "git add -A && git commit -qm all && ".to_owned(),
        5 => "git branch backup && ".to_owned(),
        6 => "git stash; ".to_owned(),
        7 => format!("git reset -q -- {other}; "),
        12 => format!("rm -rf {other}; "),
        8 => format!("mv new.txt {other}; "),
        9 => format!("cp a.txt {other} && "),
        10 => "(git stash) && ".to_owned(),
        11 => "bash -c 'git stash' && ".to_owned(),
        _ => String::new(),
    };
    let last = match dice.below(29) {
        0 => format!("git checkout -- {file}"),
        1 => format!("git checkout {revision} -- {file}"),
        2 => format!("git checkout {file}"),
        3 => format!("git checkout -f {branch}"),
        4 => "git checkout -f".to_owned(),
        5 | 6 => format!("git restore {file}"),
        7 => format!("git restore -SW {file}"),
        8 => format!("git restore --source {revision} {file}"),
        9 => format!("git restore --staged {file}"),
        10 | 11 => "git reset --hard".to_owned(),
        12 => format!("git reset --hard {revision}"),
        13 => "git reset --merge".to_owned(),
        14 => format!("git switch -f {branch}"),
        15 => format!("git switch --discard-changes {branch}"),
        16 => "git clean -fd".to_owned(),
        17 => format!("git clean -f {file}"),
        18 => "git clean -fdx".to_owned(),
        19 => "git clean -f".to_owned(),
        20 => "git stash drop".to_owned(),
        21 => "git stash clear".to_owned(),
        22 => format!("git branch -D {branch}"),
        23 => format!("git branch -f {branch} {revision}"),
        24 => format!("git rm -rf {file}"),
        25 => format!("rm -rf {file}"),
        26 => "rm -rf src/*".to_owned(),
        27 => format!("rm -f {file} {other}"),
        _ => format!("git checkout -B {branch} {revision}"),
    };
    Line { before, last, odd: matches!(kind, 8..=11) }
}

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

fn copy(from: &Path, to: &Path) -> PathBuf {
    assert!(Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap().success());
    to.to_owned()
}

fn answer(folder: &Path, text: &str) -> Answer {
    let folder = folder.to_str().unwrap();
    let surroundings = shell::Surroundings { cwd: Some(folder), home: Some("/home/user"), disk: None };
    let analysis = shell::analyze(text, surroundings);
    let facts = Facts::on_paper(Some(folder), Some("/home/user"));
    match rules::loss::steps(text, &analysis, analysis.atoms.len() - 1, &facts) {
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
