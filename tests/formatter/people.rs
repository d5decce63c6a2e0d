//! `formatter-trigger which` and `run`, and the user's own formatters.

use std::path::Path;

use super::scene::{Scene, told};

#[test]
fn which_says_what_would_run_and_why() {
    let scene = Scene::new();
    scene.write("src/a b.ts", "a  b\n");
    let answer = scene.program().args(["which", "src/a b.ts"]).run();
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    let shown = scene.project().display().to_string();
    for part in [
        "formatter   prettier",
        &format!("because of  {shown}/.prettierrc"),
        &format!("bin/prettier --stdin-filepath '{shown}/src/a b.ts'"),
        &format!("in          {shown}"),
    ] {
        assert!(answer.stdout.contains(part), "{part} in {}", answer.stdout);
    }
    assert_eq!(scene.read("src/a b.ts"), "a  b\n", "nothing ran");
}

#[test]
fn which_says_why_nothing_would_run() {
    let scene = Scene::new();
    scene.write("a.xyz", "x\n");
    scene.write("a.py", "x\n");
    scene.write("a.log.ts", "x\n");
    for (path, why) in [
        ("a.xyz", "no formatter is known"),
        ("a.py", "configures no formatter"),
        ("a.log.ts", "git ignores it"),
        ("gone.ts", "does not exist"),
        ("/etc/passwd", "no formatter is known"),
    ] {
        let answer = scene.program().args(["which", path]).run();
        assert_eq!(answer.exit, Some(1), "{path}: {answer:?}");
        assert!(answer.stdout.contains(why), "{path}: {answer:?}");
    }
}

#[test]
fn run_formats_by_hand() {
    let scene = Scene::new();
    scene.write("a.ts", "a  b\n");
    scene.write("b.ts", "a b\n");
    let answer = scene.program().args(["run", "a.ts", "b.ts"]).run();
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    assert!(
        answer.stdout.contains("prettier rewrote") && answer.stdout.contains("already formatted"),
        "{answer:?}"
    );
    assert_eq!(scene.read("a.ts"), "a b\n");
    assert_eq!(scene.program().args(["run", "gone.ts"]).run().exit, Some(1));
    assert_eq!(scene.program().args(["run"]).run().exit, Some(2));
}

#[test]
fn trust_is_given_on_a_terminal_only() {
    let scene = Scene::new();
    let answer = scene.program().args(["trust"]).input("y\n").run();
    assert_eq!(answer.exit, Some(2), "{answer:?}");
    assert!(!store::trust::file(&scene.home()).exists());
}

#[test]
fn the_users_own_formatters_come_first() {
    let scene = Scene::new();
    scene.formatter("mine", "test \"$1\" = --name || exit 1; test -n \"$2\" || exit 1; sed 's/b/mine/'");
    scene.settings(
        "[[formatter]]\nglobs = [\"*.ts\", \"*.sql\"]\nargv = [\"mine\", \"--name\", \"{file}\"]\n",
    );
    for name in ["a.ts", "q.sql"] {
        scene.write(name, "a  b\n");
        let answer = scene.wrote(name);
        assert_eq!(scene.read(name), "a  mine\n", "{answer:?}");
        assert!(told(&answer).contains("mine rewrote"), "{answer:?}");
    }
}

#[test]
fn a_program_without_stdin_changes_a_copy() {
    let scene = Scene::new();
    let seen = scene.home().join("seen");
    scene.formatter(
        "inplace",
        &format!("echo \"$1\" > '{}'; sed -i 's/b/copy/' \"$1\"; echo chatter", seen.display()),
    );
    scene.settings("[[formatter]]\nglobs = [\"*.sql\"]\nargv = [\"inplace\", \"{file}\"]\nstdin = false\n");
    let path = scene.write("q.sql", "a  b\n");
    scene.wrote("q.sql");
    assert_eq!(scene.read("q.sql"), "a  copy\n");
    let used = std::fs::read_to_string(seen).unwrap();
    let used = Path::new(used.trim());
    assert!(used != path && used.extension() == path.extension(), "{}", used.display());
    assert!(!used.exists());
}

#[test]
fn a_configuration_of_ones_own_formatter_may_be_code() {
    let scene = Scene::new();
    scene.formatter("linter", "sed 's/b/linted/'");
    scene
        .settings("[[formatter]]\nglobs = [\"*.sql\"]\nargv = [\"linter\"]\nconfig = [\"lint.config.js\"]\n");
    scene.write("q.sql", "a  b\n");
    scene.wrote("q.sql");
    assert_eq!(scene.read("q.sql"), "a  b\n", "nothing configures it");
    scene.write("lint.config.js", "export default {}\n");
    scene.wrote("q.sql");
    assert_eq!(scene.read("q.sql"), "a  b\n", "no one vouches for it");
    scene.commit();
    scene.write("q.sql", "a  b\n");
    scene.wrote("q.sql");
    assert_eq!(scene.read("q.sql"), "a  linted\n");
}
