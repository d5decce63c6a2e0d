//! Generated repositories with work in them, and lines of commands that may lose some of it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rules::Facts;
use rules::loss::Step;

/// A generator of numbers that needs no crate: a case is named by its seed.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % most as u64).unwrap()
    }

    pub(crate) fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

pub(crate) const FILES: &[&str] = &["a.txt", "src/b.rs", "src/c.rs", "src/deep/d.rs", "e.sh"];
pub(crate) const BRANCHES: &[&str] = &["main", "side", "merged", "other"];

pub(crate) fn sh(folder: &Path, line: &str) -> bool {
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
pub(crate) fn first(folder: &Path) {
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
pub(crate) fn disturb(folder: &Path, dice: &mut Dice) -> String {
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
pub(crate) struct Line {
    pub(crate) before: String,
    pub(crate) last: String,
    /// Whether no one promises to understand what stands before.
    pub(crate) odd: bool,
}

pub(crate) fn line(dice: &mut Dice) -> Line {
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

pub(crate) fn copy(from: &Path, to: &Path) -> PathBuf {
    assert!(Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap().success());
    to.to_owned()
}

/// The steps of a line up to its last command.
pub(crate) fn steps(folder: &Path, text: &str) -> Option<Vec<Step>> {
    let folder = folder.to_str().unwrap();
    let surroundings = shell::Surroundings { cwd: Some(folder), home: Some("/home/user"), disk: None };
    let analysis = shell::analyze(text, surroundings);
    let facts = Facts::on_paper(Some(folder), Some("/home/user"));
    rules::loss::steps(text, &analysis, analysis.atoms.len() - 1, &facts)
}
