//! What git knows about one file.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use repository::{Paths, Repository};

#[test]
fn ignored_tracked_and_committed_files_are_distinguished() {
    let folder = tempfile::tempdir().unwrap();
    let git = git2::Repository::init(folder.path()).unwrap();
    for (name, text) in [(".gitignore", "*.log\n/out/\n"), ("kept.log", "old\n"), ("a.txt", "old\n")] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut index = git.index().unwrap();
    for name in [".gitignore", "kept.log", "a.txt"] {
        index.add_path(Path::new(name)).unwrap();
    }
    index.write().unwrap();
    let tree = git.find_tree(index.write_tree().unwrap()).unwrap();
    let me = git2::Signature::now("t", "t@t.test").unwrap();
    git.commit(Some("HEAD"), &me, &me, "work", &tree, &[]).unwrap();
    fs::write(folder.path().join("a.txt"), "new\n").unwrap();

    let repository = Repository::around(folder.path()).unwrap().unwrap();
    let ignores = |name: &str| repository.ignores(Path::new(name)).unwrap();
    assert!(ignores("x.log") && ignores("out/deep/x.txt"));
    assert!(!ignores("kept.log") && !ignores("a.txt") && !ignores("new.txt"));
    let tracks = |name: &str| repository.tracks(Path::new(name)).unwrap();
    assert!(tracks("a.txt") && !tracks("new.txt"));
    assert_eq!(repository.committed(Path::new("a.txt")), Some(b"old\n".to_vec()));
    assert_eq!(repository.committed(Path::new("new.txt")), None);
}

#[test]
fn patterns_match_paths_of_any_depth() {
    let paths = Paths::new(&["*.sql".to_owned(), "vendor/**".to_owned()]).unwrap();
    for (path, fits) in
        [("a.sql", true), ("deep/b.sql", true), ("vendor/x/y", true), ("src/vendor.rs", false)]
    {
        assert_eq!(paths.matches(Path::new(path)), fits, "{path}");
    }
}

#[test]
fn patterns_that_end_libgit2_are_refused() {
    for (file, text) in [
        (".gitignore", "*.a\n!\\"),
        (".gitignore", "*.a\n!//\n"),
        (".gitignore", "*.a\n!//  \r\n"),
        (".git/info/exclude", "*.a\n!\\"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        git2::Repository::init(folder.path()).unwrap();
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let refused = Repository::around(folder.path()).unwrap_err();
        assert!(refused.to_string().contains("takes back nothing"), "{text}: {refused}");
        for harmless in ["*.a\n!b\n", "!\n", "*.a\n! \\ b\n"] {
            fs::write(&path, harmless).unwrap();
            let repository = Repository::around(folder.path()).unwrap().unwrap();
            assert!(!repository.ignores(Path::new("b")).unwrap(), "{harmless}");
        }
    }
}
