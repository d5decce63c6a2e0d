//! Held against git itself, state by state: `git status --porcelain=v2 --branch`.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use repository::{Head, Repository, Status};

/// Name, and how to get there from one commit with `a`, `b`, `sub/c`, `sub/d`, `run` (executable) and `empty`.
const STATES: &[(&str, &str)] = &[
    ("clean", ""),
    ("modified", "echo more >> a"),
    ("modified, same size and time", "touch -r a stamp; printf 'A\\n' > a; touch -r stamp a; rm stamp"),
    ("staged", "echo more >> a; git add a"),
    ("staged and modified again", "echo more >> a; git add a; echo again >> a"),
    ("staged and taken back in the working tree", "echo more >> a; git add a; git show HEAD:a > a"),
    ("deleted", "rm a"),
    ("deleted and staged", "git rm -q a"),
    ("deleted from the index only", "git rm -q --cached a"),
    ("added", "echo new > new; git add new"),
    ("added and deleted", "echo new > new; git add new; rm new"),
    ("added and modified", "echo new > new; git add new; echo more >> new"),
    ("added empty", ": > new; git add new"),
    ("intended", "echo new > new; git add -N new"),
    ("intended and deleted", "echo new > new; git add -N new; rm new"),
    ("intended and empty", ": > new; git add -N new"),
    ("renamed", "seq 50 > long; git add long; git commit -qm long; git mv long other"),
    (
        "renamed and changed a little",
        "seq 50 > long; git add long; git commit -qm long; git mv long other; sed -i s/25/xx/ other; git add other",
    ),
    (
        "renamed and changed beyond recognition",
        "seq 50 > long; git add long; git commit -qm long; git mv long other; seq 1000 1100 > other; git add other",
    ),
    (
        "renamed and modified",
        "seq 50 > long; git add long; git commit -qm long; git mv long other; echo x >> other",
    ),
    (
        "renamed over an untracked",
        "seq 50 > long; git add long; git commit -qm long; git mv long other; echo x > long",
    ),
    (
        "two renamed",
        "seq 50 > x1; seq 100 160 > x2; git add .; git commit -qm two; git mv x1 y1; git mv x2 sub/y2",
    ),
    ("an empty file renamed", "git mv empty empty2"),
    (
        "renames switched off",
        "git config status.renames false; seq 50 > long; git add long; git commit -qm long; git mv long other",
    ),
    (
        "renames of diff switched off",
        "git config diff.renames false; seq 50 > long; git add long; git commit -qm long; git mv long other",
    ),
    ("renamed in the working tree only", "mv a z"),
    ("untracked", "echo x > x; echo y > sub/y"),
    ("untracked folder", "mkdir -p new/deep; echo x > new/deep/x; echo y > new/y"),
    ("empty folder", "mkdir -p new/deep"),
    (
        "untracked folder with ignored files only",
        "echo '*.o' > .gitignore; git add .gitignore; git commit -qm i; mkdir new; : > new/x.o",
    ),
    (
        "untracked folder with an ignored file among others",
        "echo '*.o' > .gitignore; git add .gitignore; git commit -qm i; mkdir new; : > new/x.o; : > new/x.c",
    ),
    (
        "ignored",
        "echo '*.o' > .gitignore; echo 'build/' >> .gitignore; git add .gitignore; git commit -qm i; : > x.o; mkdir build; : > build/x",
    ),
    ("ignored by the repository's own list", "echo '*.o' > .git/info/exclude; : > x.o; : > x.c"),
    ("ignored but not after all", "printf '*.o\\n!keep.o\\n' > .gitignore; : > x.o; : > keep.o"),
    ("ignored though tracked", "echo a > .gitignore; echo more >> a"),
    ("ignored in a folder below", "echo '*.o' > sub/.gitignore; : > sub/x.o; : > x.o"),
    ("folder of which some is tracked", "mkdir sub/new; : > sub/new/x"),
    ("untracked files not shown", "git config status.showUntrackedFiles no; : > x; echo more >> a"),
    (
        "all untracked files shown",
        "git config status.showUntrackedFiles all; mkdir -p new/deep; : > new/deep/x; : > new/y",
    ),
    ("mode", "chmod +x a"),
    ("mode staged", "chmod +x a; git add a"),
    ("mode taken away", "chmod -x run"),
    ("mode does not count", "git config core.fileMode false; chmod +x a"),
    ("mode and content", "chmod +x a; echo x >> a"),
    ("file becomes link", "rm a; ln -s b a"),
    ("file becomes link, staged", "rm a; ln -s b a; git add a"),
    ("link changes", "ln -s b link; git add link; git commit -qm l; rm link; ln -s a link"),
    ("link is untracked", "ln -s /nowhere link"),
    ("file becomes folder", "rm a; mkdir a; : > a/x"),
    ("file becomes folder, all shown", "git config status.showUntrackedFiles all; rm a; mkdir a; : > a/x"),
    (
        "nested repository, ignored",
        "echo nested > .gitignore; git init -q nested; git -C nested commit -q --allow-empty -m x",
    ),
    (
        "nested repository, none shown",
        "git config status.showUntrackedFiles no; git init -q nested; git -C nested commit -q --allow-empty -m x",
    ),
    (
        "nested repository, all shown",
        "git config status.showUntrackedFiles all; git init -q nested; git -C nested commit -q --allow-empty -m x; : > nested/x",
    ),
    (
        "filtered, another size",
        "git config filter.up.clean 'tr a-z A-Z'; echo '*.f filter=up' > .gitattributes; echo one > x.f; git add .; git commit -qm f; echo three > x.f",
    ),
    (
        "submodule, all ignored",
        "SUB; git config diff.ignoreSubmodules all; git -C module commit -q --allow-empty -m x",
    ),
    (
        "submodule, dirty ignored, new commit",
        "SUB; git config diff.ignoreSubmodules dirty; git -C module commit -q --allow-empty -m x",
    ),
    (
        "conflict and others",
        "git checkout -qb side; echo side > a; git commit -qam side; git checkout -q main; echo main > a; git commit -qam main; git merge -q side || true; echo x >> b; echo n > n; git add n; : > u",
    ),
    (
        "revert",
        "echo x >> a; git commit -qam x; echo y >> a; git commit -qam y; git revert HEAD~1 >/dev/null || true",
    ),
    ("stash", "echo x >> a; git stash -q; echo y >> b; git stash -q; git stash pop -q"),
    ("folder becomes file", "rm -r sub; : > sub"),
    ("folder becomes link", "mv sub other; ln -s other sub"),
    (
        "names",
        "printf x > 'a b'; printf x > 'tab\tx'; printf x > 'quote\"x'; printf x > 'größe'; printf x > \"$(printf 'bad\\377')\"",
    ),
    (
        "merge with conflicts",
        "git checkout -qb side; echo side > a; git commit -qam side; git checkout -q main; echo main > a; git commit -qam main; git merge -q side || true",
    ),
    (
        "merge, deleted by them",
        "git checkout -qb side; git rm -q a; git commit -qm side; git checkout -q main; echo main > a; git commit -qam main; git merge -q side || true",
    ),
    (
        "merge, added by both",
        "git checkout -qb side; echo side > n; git add n; git commit -qm side; git checkout -q main; echo main > n; git add n; git commit -qm main; git merge -q side || true",
    ),
    (
        "merge, a conflict resolved",
        "git checkout -qb side; echo side > a; git commit -qam side; git checkout -q main; echo main > a; git commit -qam main; git merge -q side || true; echo both > a; git add a",
    ),
    (
        "merge without commit",
        "git checkout -qb side; echo side > a; git commit -qam side; git checkout -q main; echo main > b; git commit -qam main; git merge -q --no-commit side",
    ),
    (
        "rebase with conflicts",
        "git checkout -qb side; echo side > a; git commit -qam side; git checkout -q main; echo main > a; git commit -qam main; git checkout -q side; git rebase -q main || true",
    ),
    (
        "cherry-pick with conflicts",
        "git checkout -qb side; echo side > a; git commit -qam side; git checkout -q main; echo main > a; git commit -qam main; git cherry-pick side || true",
    ),
    ("detached", "echo more >> a; git commit -qam two; git checkout -q --detach HEAD~1"),
    ("unborn", "git checkout -q --orphan fresh; git rm -rqf ."),
    ("unborn with files", "git checkout -q --orphan fresh"),
    ("branch with slashes", "git checkout -qb feature/deep/one"),
    ("follows, equal", "git branch base; git branch -q --set-upstream-to=base"),
    (
        "follows, ahead",
        "git branch base; git branch -q --set-upstream-to=base; git commit -q --allow-empty -m 1; git commit -q --allow-empty -m 2",
    ),
    (
        "follows, behind",
        "git branch base; git commit -q --allow-empty -m 1; git branch -f later; git reset -q --hard base; git branch -q --set-upstream-to=later",
    ),
    (
        "follows a remote, apart",
        "git clone -q . ../remote.git --bare; git remote add origin ../remote.git; git push -q -u origin main; git commit -q --allow-empty -m theirs; git push -q; git reset -q --hard HEAD~1; git commit -q --allow-empty -m ours",
    ),
    (
        "follows a remote that is gone",
        "git clone -q . ../gone.git --bare; git remote add origin ../gone.git; git push -q -u origin main; git update-ref -d refs/remotes/origin/main",
    ),
    (
        "follows an ambiguous name",
        "git clone -q . ../amb.git --bare; git remote add origin ../amb.git; git push -q -u origin main; git branch origin/main",
    ),
    (
        "unborn and follows",
        "git branch base; git checkout -q --orphan fresh; git config branch.fresh.remote .; git config branch.fresh.merge refs/heads/base",
    ),
    (
        "autocrlf, line ends differ only",
        "git config core.autocrlf true; printf 'x\\r\\ny\\r\\n' > t; git add t 2>/dev/null; git commit -qm t; printf 'x\\ny\\n' > t",
    ),
    (
        "autocrlf, changed",
        "git config core.autocrlf true; printf 'x\\r\\ny\\r\\n' > t; git add t 2>/dev/null; git commit -qm t; printf 'x\\r\\nz\\r\\n' > t",
    ),
    (
        "autocrlf input",
        "git config core.autocrlf input; printf 'x\\ny\\n' > t; git add t; git commit -qm t; printf 'x\\r\\ny\\r\\n' > t",
    ),
    (
        "autocrlf, CRLF was committed",
        "printf 'x\\r\\n' > t; git add t; git commit -qm t; git config core.autocrlf true; touch -d '2001-01-01' t",
    ),
    (
        "text by attribute",
        "echo '*.txt text eol=crlf' > .gitattributes; printf 'x\\n' > n.txt; git add .; git commit -qm t; printf 'x\\r\\n' > n.txt",
    ),
    (
        "binary by attribute",
        "echo '*.bin -text' > .gitattributes; git config core.autocrlf true; printf 'x\\n' > n.bin; git add .; git commit -qm t; printf 'x\\r\\n' > n.bin",
    ),
    (
        "binary with the same size",
        "printf 'a\\000b' > bin; git add bin; git commit -qm b; printf 'a\\000c\\r' > bin",
    ),
    (
        "ident",
        "echo '*.i ident' > .gitattributes; printf '$Id$\\n' > x.i; git add .; git commit -qm t; printf '$Id: 123 $\\n' > x.i",
    ),
    ("touched only", "touch -d '2001-01-01' a b"),
    ("rewritten with the same", "cat a > tmp; cat tmp > a; rm tmp"),
    ("assumed unchanged", "git update-index --assume-unchanged a b; echo more >> a; rm b"),
    ("skipped", "git update-index --skip-worktree a b; echo more >> a; rm b"),
    ("sparse", "git sparse-checkout set --cone sub; echo x >> sub/c"),
    ("sparse by patterns", "git sparse-checkout set --no-cone '/a'; echo x >> a"),
    (
        "sparse, present all the same",
        "git sparse-checkout set --no-cone '/a'; echo x > b; git show HEAD:sub/c > c; mkdir -p sub; cp c sub/c; rm c",
    ),
    ("index of version 4", "git update-index --index-version 4; echo x >> a; : > new"),
    (
        "index with an untracked cache",
        "git update-index --untracked-cache --force-untracked-cache 2>/dev/null; git status >/dev/null; : > new",
    ),
    ("nested repository", "git init -q nested; : > nested/x"),
    ("nested repository with a commit", "git init -q nested; git -C nested commit -q --allow-empty -m x"),
    (
        "nested repository in an untracked folder",
        "mkdir new; git init -q new/nested; git -C new/nested commit -q --allow-empty -m x; : > new/x",
    ),
    ("submodule, clean", "SUB"),
    ("submodule with a new commit", "SUB; git -C module commit -q --allow-empty -m x"),
    (
        "submodule with a new commit, staged",
        "SUB; git -C module commit -q --allow-empty -m x; git add module",
    ),
    ("submodule with changes", "SUB; echo x >> module/a"),
    ("submodule with untracked files", "SUB; : > module/new"),
    ("submodule deleted", "SUB; rm -r module"),
    (
        "submodule added",
        "git init -q ../inner; git -C ../inner commit -q --allow-empty -m x; git submodule --quiet add ../inner module",
    ),
    ("submodule that is not there yet", "SUB; git submodule --quiet deinit -f module"),
    ("submodule ignored", "SUB; git config submodule.module.ignore all; echo x >> module/a"),
    ("submodule ignored when dirty", "SUB; git config submodule.module.ignore dirty; echo x >> module/a"),
    (
        "submodule, untracked ignored",
        "SUB; git config -f .gitmodules submodule.module.ignore untracked; git commit -qam ign; : > module/new",
    ),
    (
        "bisect",
        "git commit -q --allow-empty -m 2; git commit -q --allow-empty -m 3; git bisect start -q HEAD HEAD~2 >/dev/null",
    ),
    ("linked worktree", "git worktree add -q ../linked; cd ../linked; echo x >> a; : > new; git mv b bb"),
    ("separate folder", "mv .git ../elsewhere; echo 'gitdir: ../elsewhere' > .git; echo x >> a"),
    ("packed", "git pack-refs --all; git gc -q; echo x >> a; git add a"),
    (
        "a hundred of each",
        "for i in $(seq 100); do echo $i > m$i; done; git add .; git commit -qm many; for i in $(seq 100); do echo x >> m$i; echo $i > n$i; done; for i in $(seq 50); do git rm -qf --cached m$i; done",
    ),
];

/// What `SUB` stands for.
const SUBMODULE: &str = "git init -q -b main ../inner; cp a ../inner/a; git -C ../inner add .; git -C ../inner commit -qm i; git submodule --quiet add ../inner module; git commit -qm sub";

const BASE: &str = "git init -q -b main .; echo a > a; echo b > b; mkdir sub; echo c > sub/c; echo d > sub/d; echo r > run; chmod +x run; : > empty; git add .; git commit -qm base";

/// Runs a script; where it ends is where the repository is.
fn play(folder: &Path, script: &str) -> String {
    let script = format!(
        "git() {{ command git -c user.name=t -c user.email=t@t.test -c commit.gpgsign=false -c protocol.file.allow=always -c advice.detachedHead=false \"$@\"; }}\n{BASE}\n{}\npwd > '{}/where'",
        script.replace("SUB", SUBMODULE),
        folder.parent().unwrap().display()
    );
    let output =
        Command::new("sh").args(["-ec", &script]).current_dir(folder).env("LC_ALL", "C").output().unwrap();
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    std::fs::read_to_string(folder.parent().unwrap().join("where")).unwrap().trim().to_owned()
}

/// What git says, in a comparable form.
#[derive(Debug, Default, PartialEq, Eq)]
struct Told {
    oid: String,
    head: String,
    upstream: Option<String>,
    apart: Option<(usize, usize)>,
    tracked: BTreeMap<String, String>,
    conflicts: BTreeSet<String>,
    untracked: BTreeSet<String>,
}

fn shown(path: &[u8]) -> String {
    path.escape_ascii().to_string()
}

fn by_git(folder: &Path) -> Told {
    let output = Command::new("git")
        .args(["status", "--porcelain=v2", "--branch", "-z"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut told = Told::default();
    let mut records = output.stdout.split(|byte| *byte == 0).filter(|record| !record.is_empty());
    while let Some(record) = records.next() {
        let fields = |count| record.splitn(count, |byte| *byte == b' ').collect::<Vec<_>>();
        let text = String::from_utf8_lossy(record);
        match record[0] {
            b'#' => {
                let words: Vec<&str> = text.split(' ').collect();
                match words[1] {
                    "branch.oid" => words[2].clone_into(&mut told.oid),
                    "branch.head" => words[2].clone_into(&mut told.head),
                    "branch.upstream" => told.upstream = Some(words[2].to_owned()),
                    "branch.ab" => {
                        told.apart = Some((words[2][1..].parse().unwrap(), words[3][1..].parse().unwrap()));
                    }
                    other => panic!("{other}"),
                }
            }
            b'1' => {
                let fields = fields(9);
                told.tracked.insert(shown(fields[8]), String::from_utf8_lossy(fields[1]).into_owned());
            }
            b'2' => {
                let fields = fields(10);
                told.tracked.insert(shown(fields[9]), String::from_utf8_lossy(fields[1]).into_owned());
                records.next();
            }
            b'u' => {
                told.conflicts.insert(shown(fields(11)[10]));
            }
            b'?' => {
                told.untracked.insert(shown(&record[2..]));
            }
            _ => panic!("{text}"),
        }
    }
    told
}

fn by_us(folder: &Path) -> Told {
    let repository = Repository::around(folder).unwrap().unwrap();
    let Status { tracked, conflicts, untracked, unclear } = repository.status().unwrap();
    assert!(unclear.is_empty());
    let letter = |change: Option<repository::Change>| change.map_or('.', repository::Change::letter);
    let upstream = repository.upstream();
    Told {
        oid: repository.head().unwrap_or_else(|| "(initial)".to_owned()),
        head: match repository.checked_out().unwrap() {
            Head::Branch(name) => String::from_utf8(name).unwrap(),
            Head::Detached => "(detached)".to_owned(),
        },
        upstream: upstream.as_ref().map(|upstream| String::from_utf8(upstream.name.clone()).unwrap()),
        apart: upstream.and_then(|upstream| upstream.apart),
        tracked: tracked
            .iter()
            .map(|(path, change)| {
                (shown(path), format!("{}{}", letter(change.staged), letter(change.unstaged)))
            })
            .collect(),
        conflicts: conflicts.iter().map(|path| shown(path)).collect(),
        untracked: untracked.iter().map(|path| shown(path)).collect(),
    }
}

/// How many states are made at once.
const LANES: usize = 4;

/// How our reading of a state differs from git's.
fn difference((name, script): &(&str, &str)) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().canonicalize().unwrap().join("tree");
    std::fs::create_dir(&tree).unwrap();
    let tree = play(&tree, script);
    // First ours: git's own call renews the index on disk, and with it what there is to find out.
    let (ours, gits) = (by_us(Path::new(&tree)), by_git(Path::new(&tree)));
    (ours != gits).then(|| format!("\n{name}:\n  ours {ours:?}\n  git  {gits:?}"))
}

#[test]
fn the_status_is_gits_own() {
    let wrong: String = std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES)
            .map(|lane| {
                scope.spawn(move || {
                    STATES.iter().skip(lane).step_by(LANES).filter_map(difference).collect::<String>()
                })
            })
            .collect();
        lanes.into_iter().map(|lane| lane.join().unwrap()).collect()
    });
    assert!(STATES.len() >= 100);
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_only_a_filter_could_tell_is_said_to_be_unclear() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().canonicalize().unwrap().join("tree");
    std::fs::create_dir(&tree).unwrap();
    play(
        &tree,
        "git config filter.up.clean 'echo ran >> ../canary; tr a-z A-Z'; echo '*.f filter=up' > .gitattributes; echo one > x.f; git add .; git commit -qm f; rm -f ../canary; touch -d 2001-01-01 x.f",
    );
    let status = Repository::around(&tree).unwrap().unwrap().status().unwrap();
    assert_eq!(status.unclear.iter().collect::<Vec<_>>(), [b"x.f"]);
    assert!(status.tracked.is_empty() && !status.is_clean());
    assert!(!folder.path().join("canary").exists(), "the filter ran");
}
