//! What a look at git's files tells is what libgit2 and git tell, or nothing.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use repository::{Glance, Repository};

/// A home with a repository in it.
struct Scene {
    home: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        let scene = Self { home: tempfile::tempdir().unwrap() };
        fs::create_dir(scene.root()).unwrap();
        scene.git(&["init", "-q", "-b", "main"]);
        scene
    }

    fn root(&self) -> std::path::PathBuf {
        self.home.path().join("project")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, arguments: &[&str]) {
        let output = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@t.test", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(self.root())
            .env("HOME", self.home.path())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(output.status.success(), "git {arguments:?}: {output:?}");
    }

    fn glance(&self) -> Option<Glance> {
        Glance::at(&self.root(), self.home.path())
    }

    fn keeps(&self, path: &str) -> bool {
        self.glance().is_some_and(|glance| glance.surely_keeps(Path::new(path)))
    }
}

#[test]
fn what_usual_projects_keep_is_known_at_once() {
    let scene = Scene::new();
    scene.write(
        ".gitignore",
        "# build\n/target\nnode_modules/\n*.log\n__pycache__/\n*.py[cod]\ndist\n!dist/x\n.*.sw?\n",
    );
    scene.write("src/.gitignore", "generated/\n");
    for kept in ["a.ts", "src/deep/main.rs", "src/logs/a.py", "packages/x/index.js"] {
        assert!(scene.keeps(kept), "{kept}");
    }
    for ignored in [
        "target/a.rs",
        "x/node_modules/a.js",
        "a.log",
        "x.pyc",
        "src/generated/a.rs",
        "src/x/generated/a.rs",
        "dist/x",
    ] {
        assert!(!scene.keeps(ignored), "{ignored}");
    }
    assert!(scene.keeps("other/generated/a.rs"));
}

#[test]
fn patterns_from_everywhere_count() {
    let scene = Scene::new();
    assert!(scene.keeps("a.ts"));
    scene.write(".git/info/exclude", "*.ts\n");
    assert!(!scene.keeps("a.ts") && scene.keeps("a.rs"));
    scene.write(".git/info/exclude", "");
    let own = scene.home.path().join("mine");
    fs::write(&own, "*.ts\n").unwrap();
    fs::write(scene.home.path().join(".gitconfig"), "[core]\n\texcludesfile = ~/mine\n").unwrap();
    assert!(!scene.keeps("a.ts") && scene.keeps("a.rs"));
    fs::remove_file(scene.home.path().join(".gitconfig")).unwrap();
    scene.git(&["config", "core.excludesFile", own.to_str().unwrap()]);
    assert!(!scene.keeps("a.ts") && scene.keeps("a.rs"));
    fs::remove_file(&own).unwrap();
    assert!(scene.keeps("a.ts"));
}

#[test]
fn what_is_not_plain_is_left_to_others() {
    for (name, text) in [
        (".git/config", "[include]\n\tpath = x\n"),
        (".git/config", "[Core] excludesfile = /x\n"),
        (".git/config", "[core]\n\texcludesfile = \"/x\"\n"),
        (".git/config", "[core]\n\texcludesfile = \\\n /x\n"),
        (".git/config", "[core]\n\tworktree = ..\n"),
        (".git/config", "[core]\n\tbare = true\n"),
        (".git/config", "[extensions]\n\tworktreeConfig = true\n"),
        ("../.gitconfig", "[includeIf \"gitdir:/\"]\n\tpath = x\n"),
        (".gitignore", "\\#x\n"),
        ("src/.gitignore", "[[:alpha:]]*.log\n"),
        (".gitignore", "\u{feff}*.x\n"),
    ] {
        let scene = Scene::new();
        assert!(scene.keeps("src/a.ts"));
        scene.write(name, text);
        assert!(!scene.keeps("src/a.ts"), "{name}: {text}");
    }
    let scene = Scene::new();
    assert!(!scene.keeps("src/ä.ts"), "case and composition are the file system's");
    fs::remove_file(scene.root().join(".git/HEAD")).unwrap();
    assert!(scene.glance().is_none());
    let scene = Scene::new();
    fs::rename(scene.root().join(".git"), scene.home.path().join("elsewhere")).unwrap();
    scene.write(".git", "gitdir: ../elsewhere\n");
    assert!(scene.glance().is_none());
}

#[test]
fn what_is_tracked_is_seen_in_every_index() {
    let scene = Scene::new();
    let none = |path: &str| scene.glance().unwrap().surely_tracks_none(&[Path::new("x"), Path::new(path)]);
    assert!(none("node_modules/.bin/prettier"));
    scene.write("a.ts", "");
    scene.write("src/b.ts", "");
    std::os::unix::fs::symlink("src", scene.root().join("link")).unwrap();
    scene.git(&["add", "-A"]);
    for version in ["2", "3"] {
        scene.git(&["update-index", "--index-version", version]);
        assert!(none("node_modules/.bin/prettier") && none("src/c.ts") && none("src"), "{version}");
        assert!(!none("a.ts") && !none("src/b.ts") && !none("A.ts"), "{version}");
        assert!(!none("link/b.ts"), "{version}: the link on the way is tracked");
    }
    scene.write("later.ts", "");
    scene.git(&["add", "-N", "later.ts"]);
    assert!(!none("x/y"), "a version that is not read");
    scene.git(&["add", "-A"]);
    for unusual in [&["update-index", "--index-version", "4"][..], &["update-index", "--split-index"]] {
        scene.git(unusual);
        assert!(!none("node_modules/.bin/prettier"), "{unusual:?}");
        scene.git(&["update-index", "--no-split-index", "--index-version", "2"]);
    }
    let index = scene.root().join(".git/index");
    let bytes = fs::read(&index).unwrap();
    for end in [0, 3, 40, bytes.len() - 1] {
        fs::write(&index, &bytes[..end]).unwrap();
        assert!(!none("node_modules/.bin/prettier"), "{end} bytes");
    }
}

fn name() -> impl Strategy<Value = String> {
    "[abAB.]{1,2}".prop_filter("no path", |name| !matches!(name.as_str(), "." | ".."))
}

fn path() -> impl Strategy<Value = String> {
    prop::collection::vec(name(), 1..4).prop_map(|names| names.join("/"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_git_ignores_is_said_to_be_kept(
        top in prop::collection::vec("[!/ #]{0,2}[ab.*?/\\[\\]!\\\\-]{0,6}[/ \r]?", 0..4),
        below in prop::collection::vec("[ab*/]{1,4}", 0..2),
        folder in name(),
        paths in prop::collection::vec(path(), 8),
    ) {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("project");
        git2::Repository::init(&root).unwrap();
        fs::write(root.join(".gitignore"), top.join("\n")).unwrap();
        if folder.to_lowercase() != ".git" {
            fs::create_dir_all(root.join(&folder)).unwrap();
            fs::write(root.join(&folder).join(".gitignore"), below.join("\n")).unwrap();
        }
        let Some(glance) = Glance::at(&root, home.path()) else { return Ok(()) };
        let Ok(Some(repository)) = Repository::around(&root) else { return Ok(()) };
        for path in paths {
            let path = Path::new(&path);
            if glance.surely_keeps(path) {
                prop_assert!(!repository.ignores(path).unwrap(), "{} {top:?} {below:?}", path.display());
            }
        }
    }
}
