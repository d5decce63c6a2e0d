//! Generated repositories with work in them, and lines of commands that may lose some of it.

use std::fs::Metadata;
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
    // A filter as git-lfs is one.
    let settings = [("clean", "sed s/SECRET/pointer/"), ("smudge", "sed s/pointer/SECRET/")];
    command.env("GIT_CONFIG_COUNT", "2");
    for (at, (name, value)) in settings.iter().enumerate() {
        command.env(format!("GIT_CONFIG_KEY_{at}"), format!("filter.fake.{name}"));
        command.env(format!("GIT_CONFIG_VALUE_{at}"), value);
    }
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
         && git rm -q src/c.rs && git commit -qm other && git switch -q main && echo three >> src/b.rs && git commit -qam third \
         && git tag v1 HEAD~1 && git tag -a v2 -m two && git tag v3 side",
    );
    assert!(made);
}

/// Some uncommitted work.
pub(crate) fn disturb(folder: &Path, dice: &mut Dice) -> String {
    let mut log = Vec::new();
    for _ in 0..dice.below(5) {
        let file = dice.one(FILES);
        let line = match dice.below(21) {
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
            17 => "echo amended >> a.txt; git commit -qa --amend --no-edit".to_owned(),
            18 => format!("echo staged >> {file}; git add {file}; echo again >> {file}; git stash -q"),
            19 => "git stash -qu".to_owned(),
            16 => "mkdir -p side.txt; echo l > side.txt/x.log".to_owned(),
            _ => "echo untracked > side.txt".to_owned(),
        };
        sh(folder, &line);
        log.push(line);
    }
    log.join(" ;; ")
}

/// What makes a repository unusual: files that git does not look at, other repositories and working trees, conflicts.
pub(crate) fn make_unusual(folder: &Path, dice: &mut Dice) -> String {
    let name = folder.file_name().unwrap().to_str().unwrap();
    let mut log = Vec::new();
    for _ in 0..dice.below(3) {
        let file = dice.one(FILES);
        let line = match dice.below(22) {
            0 => format!("git update-index --assume-unchanged {file}"),
            1 => format!("git update-index --assume-unchanged {file}; echo hidden >> {file}"),
            2 => format!("git update-index --skip-worktree {file}; echo hidden >> {file}"),
            3 => "git sparse-checkout set --cone src".to_owned(),
            4 => "echo new > intended.txt; git add -N intended.txt".to_owned(),
            5..=7 => {
                let then = dice.one(&["true", "echo w >> libs/sub/a.txt", "echo w > libs/sub/new.txt"]);
                let add = "git -c protocol.file.allow=always submodule -q add ../template libs/sub";
                format!("{add} && git commit -qm sub; {then}")
            }
            8..=11 => {
                let how = dice.one(&["--detach", "-b linked"]);
                let then = dice.one(&["true", "echo w >> a.txt", "echo c >> a.txt; git commit -qam linked", "echo n > n.txt"]);
                format!("git worktree add -q {how} ../{name}.wt; cd ../{name}.wt && {then}")
            }
            12 if dice.below(2) == 0 => "echo mine > src/b.rs; git stash -q; echo yours > src/b.rs; git commit -qam yours; git stash pop".to_owned(),
            13 if dice.below(2) == 0 => "echo mine >> src/b.rs; git commit -qam mine; git merge -q --no-edit side".to_owned(),
            14 | 20 => "git init -q nested; echo n > nested/n.txt".to_owned(),
            15 => "git init -q nested; cd nested; echo n > n.txt; git add .; git commit -qm n".to_owned(),
            16 => "git pack-refs --all; git gc -q".to_owned(),
            17 => "printf '*.bin filter=fake\n' > .gitattributes; echo SECRET > f.bin; git add .; git commit -qm bin; git status".to_owned(),
            18 | 21 => "git branch spare; git branch spare2 side".to_owned(),
            _ => format!("touch {file}"),
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
    /// Whether no one promises to understand it.
    pub(crate) odd: bool,
}

pub(crate) fn line(dice: &mut Dice, name: &str) -> Line {
    let file = dice.one(
        &[FILES, &["src", ".", "src/", "*.rs", "missing", "src/deep", "side.txt", "libs", "nested"]].concat(),
    );
    let other = dice.one(FILES);
    let branch = dice.one(BRANCHES);
    let tag = dice.one(&["v1", "v2", "v3"]);
    let revision = dice.one(&[
        "HEAD", "HEAD~1", "side", "other", "merged", "main", "@{-1}", "HEAD@{1}", "main@{u}", "merged^2",
        "v1^{}",
    ]);
    let kind = dice.below(37);
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
        15 => format!("echo w >> {other} && git add -A && git commit -qm w && "),
        16 => format!("touch made.txt && git add {other} made.txt && git commit -qm made && "),
        13 => format!("git switch -q {branch}; "),
        14 => format!("git checkout -q --detach {branch} && git switch -q - && "),
        17 => "git commit -q --allow-empty -m empty && ".to_owned(),
        18 => "git archive -o ../kept.tar HEAD && tar cf ../src.tar src && ".to_owned(),
        19 => format!("git branch made {branch}; git branch -D {branch}; "),
        20 => format!("cp {other} ../{name}.copy && "),
        21 => format!("mv {other} ../{name}.moved && "),
        22 => format!("git diff > ../{name}.patch; "),
        23 => format!("cp {other} copied.txt && "),
        24 => "git stash; git stash apply; ".to_owned(),
        25 => "mv new.txt gone.txt && ".to_owned(),
        26 => format!("git mv {other} moved.txt; "),
        27 => "git stash -q -k && ".to_owned(),
        28 => "git commit -q --amend -m amended && ".to_owned(),
        29 => "git diff --quiet && ".to_owned(),
        30 => format!("git diff --quiet HEAD -- {other}; "),
        31 => format!("git stash push -q -k -- {other}; "),
        32 => "[ -z \"$(git status --porcelain)\" ] && ".to_owned(),
        33 => "[ -z \"$(git status -s -uno)\" ] && ".to_owned(),
        34 => "git stash show -p > /dev/null; ".to_owned(),
        _ => String::new(),
    };
    // What the line has made itself may be all that holds something.
    let which = match kind {
        19 => 68,
        25 => 69,
        36 => 107 + dice.below(5),
        _ => dice.below(107),
    };
    let last = match which {
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
        28 => "git stash pop".to_owned(),
        29 => format!("git tag -f {tag} {revision}"),
        30 => format!("git tag -d {tag}"),
        31 => format!("git switch -C {branch} {revision}"),
        32 => format!("git update-ref -d refs/heads/{branch}"),
        33 => "git reflog expire --expire=now --all".to_owned(),
        34 => "git reflog delete HEAD@{0}".to_owned(),
        35 => format!("git branch -M {branch} moved"),
        36 => "find . -name '*.rs' -delete".to_owned(),
        37 => "find src -delete".to_owned(),
        39 => "rm -rf s*c".to_owned(),
        40 => "find . -name deep -exec rm -r {} +".to_owned(),
        38 => "find . -name c.rs -exec rm {} +".to_owned(),
        41 | 42 => format!("git worktree remove --force ../{name}.wt"),
        43 => format!("git worktree remove ../{name}.wt"),
        44 => "git checkout-index -f -a".to_owned(),
        45 => "git read-tree --reset -u HEAD".to_owned(),
        46 => "git submodule deinit -f --all".to_owned(),
        47 => "git clean -ffdx".to_owned(),
        48 => "rm -rf libs nested".to_owned(),
        49 => format!("unlink {other}"),
        50 => format!("git restore --staged {file}"),
        51 => "git reset -q".to_owned(),
        52 => format!("git reset -q -- {file}"),
        53 => format!("truncate -s 0 {other}"),
        54 => format!("sed -i s/1/9/ {other}"),
        55 => format!("echo x > {other}"),
        56 => "rm -f new.txt intended.txt".to_owned(),
        57 => format!("git reset --keep {revision}"),
        58 => format!("shred -u {other}"),
        59 => "git branch -D @{-1}".to_owned(),
        60 => "git checkout -f -".to_owned(),
        61 => format!("git update-ref refs/heads/{branch} {revision}"),
        62 => "find src -type f -newer a.txt -delete".to_owned(),
        63 => format!("git checkout -- \"$PWD/{file}\""),
        64 => "git ls-files -m | xargs git checkout --".to_owned(),
        65 => format!("git fetch -q . +{revision}:{branch}"),
        66 => "git rebase --skip".to_owned(),
        67 => "git notes remove HEAD".to_owned(),
        68 => "git update-ref -d refs/heads/made".to_owned(),
        69 => "rm gone.txt".to_owned(),
        70 => format!("git show HEAD:{other} > {other}"),
        71 => format!("git diff > {other}"),
        72 => format!("git checkout ':!{other}'"),
        73 => format!("git restore . ':!{other}'"),
        74 => "git clean -fd ':!new.txt'".to_owned(),
        75 => "git checkout -- '*.rs' ':(top,exclude)src/b.rs'".to_owned(),
        76 => "git restore ':(glob)src/*.rs'".to_owned(),
        77 => "git diff --name-only | xargs rm -f".to_owned(),
        78 => "git ls-files -o --exclude-standard | xargs rm -f".to_owned(),
        79 => "git status --porcelain | cut -c4- | xargs rm -f".to_owned(),
        80 => format!("rm -rf ../{name}/{file}"),
        81 => format!("echo x > ../{name}/{other}"),
        82 => format!("git mv -f a.txt {other}"),
        83 => format!("git checkout --theirs {other}"),
        84 => "git archive side | tar x".to_owned(),
        85 => "cp -r ../template/src/. src/".to_owned(),
        86 => "git read-tree HEAD".to_owned(),
        87 => "rm .git/index".to_owned(),
        88 => "git reset -q HEAD~1".to_owned(),
        89 => "git diff | git apply -R".to_owned(),
        90 => "git diff | patch -R -p1 -s".to_owned(),
        91 | 92 => "git merge --abort".to_owned(),
        93 => format!("git rm -q {other}"),
        94 => format!("git worktree prune; rm -f {other}"),
        95 => "rm -f libs/sub/new.txt".to_owned(),
        96 => "rm -f nested/n.txt".to_owned(),
        97 => format!("git checkout-index -f {other}"),
        98 => format!("git checkout -m {other}"),
        99 => "git read-tree --empty".to_owned(),
        100 => "git symbolic-ref HEAD refs/heads/side".to_owned(),
        101 => "find . -name 'n*.txt' -delete".to_owned(),
        102 => "git clean -f -- '*.txt'".to_owned(),
        103 => "git clean -fd 'n*'".to_owned(),
        107 => format!("git clean -fdx -e {}", dice.one(&[".env", "*.log", "n*", "fresh", "build"])),
        108 => "git checkout -q --orphan begun && git rm -rfq .".to_owned(),
        109 => "git checkout -q --orphan begun".to_owned(),
        110 => "git branch --format='%(refname:short)' | grep -v main | xargs git branch -D".to_owned(),
        111 => "git for-each-ref --format='%(refname:short)' refs/heads | xargs -n1 git branch -D".to_owned(),
        _ => format!("git checkout -B {branch} {revision}"),
    };
    // Nor which files are newer, and what another repository has.
    Line {
        before,
        last,
        odd: matches!(kind, 8..=11) || matches!(which, 62 | 65 | 71 | 81 | 86..=88 | 99 | 101),
    }
}

/// One generated repository, and what is run in it.
pub(crate) struct Case {
    pub(crate) here: PathBuf,
    pub(crate) line: Line,
    /// The whole line.
    pub(crate) text: String,
    /// How to find it again.
    pub(crate) name: String,
}

/// As many cases as the variable `NAME_CASES` says, from the seed that `NAME_FROM` says; 150 from the first otherwise.
pub(crate) fn each(name: &str, rooms: &Path, mut run: impl FnMut(Case)) -> usize {
    let number = |what: &str, usual: usize| {
        std::env::var(format!("{name}_{what}")).ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
    };
    let (cases, from) = (number("CASES", 150), number("FROM", 0));
    let template = rooms.join("template");
    std::fs::create_dir(&template).unwrap();
    first(&template);
    for seed in from..from + cases {
        let mut dice = Dice(seed as u64 * 7_919 + 17);
        let here = copy(&template, &rooms.join(seed.to_string()));
        let unusual = make_unusual(&here, &mut dice);
        let done = disturb(&here, &mut dice);
        let line = line(&mut dice, &seed.to_string());
        let text = format!("{}{}", line.before, line.last);
        let odd = if line.odd { " (odd)" } else { "" };
        let name = format!("seed {seed}{odd}: {unusual} ;; {done} => {text}");
        run(Case { here: here.clone(), line, text, name });
        std::fs::remove_dir_all(&here).unwrap();
        let _ = std::fs::remove_dir_all(here.with_extension("wt"));
        for left in ["copy", "moved", "patch"] {
            let _ = std::fs::remove_file(here.with_extension(left));
        }
    }
    cases
}

/// The files of a working tree, but for what tools make.
pub(crate) fn files(folder: &Path) -> Vec<(String, PathBuf, Metadata)> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            let facts = std::fs::symlink_metadata(&path).unwrap();
            if name == "build" || path.file_name().is_some_and(|name| name == ".git") {
                continue;
            }
            if facts.is_dir() {
                folders.push(path);
            } else {
                found.push((name, path, facts));
            }
        }
    }
    found
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
