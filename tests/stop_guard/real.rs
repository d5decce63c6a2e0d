//! The shipped configurations on the real hosts, which run if they are installed (see `tests/real_hosts`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use real_hosts::model::Kind;
use real_hosts::{Host, Report, RunError, Session, Turn, install, run};
use tests::programs::{self, root, stop_guard};

/// A configuration of ours, and the place where the host looks.
fn configuration(host: Host) -> (&'static str, &'static str) {
    match host {
        Host::Claude => ("claude-code/stop-guard.json", ".claude/settings.json"),
        Host::Copilot => ("50-stop-guard.json", ".github/hooks/50-stop-guard.json"),
        Host::Codex => ("codex/stop-guard.json", ".codex/hooks.json"),
        Host::Gemini => ("gemini-cli/stop-guard.json", ".gemini/settings.json"),
    }
}

/// A repository with one commit and the configuration.
fn prepare(host: Host, project: &Path) {
    fs::write(project.join("notes.txt"), "hello\n").unwrap();
    let (from, to) = configuration(host);
    let to = project.join(to);
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(root().join("configs").join(from), to).unwrap();
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "."],
        &["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "first"],
    ] {
        assert!(Command::new("git").args(arguments).current_dir(project).status().unwrap().success());
    }
}

/// A file with a conflict in it.
fn conflict(file: &str) -> Turn {
    Turn::Write(file.to_owned(), "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n".to_owned())
}

fn fine(file: &str) -> Turn {
    Turn::Write(file.to_owned(), "both\n".to_owned())
}

fn text(words: &str) -> Turn {
    Turn::Text(words.to_owned())
}

/// What the model does, how many of its turns the host asks for, and whether it reads our reason.
type Case = (&'static str, fn() -> Vec<Turn>, usize, bool);

const CASES: [Case; 4] = [
    (
        "a failing check makes the model go on once, and a fixed one lets it stop",
        || vec![conflict("a.txt"), text("done"), fine("a.txt"), text("done now"), text("too much")],
        4,
        true,
    ),
    ("a passing check lets the model stop", || vec![fine("a.txt"), text("done"), text("too much")], 2, false),
    (
        "a check that always fails ends at the limit",
        || {
            vec![
                conflict("a.txt"),
                text("done"),
                conflict("b.txt"),
                text("done"),
                conflict("c.txt"),
                text("done"),
            ]
        },
        4,
        true,
    ),
    ("an answer without work is not held back", || vec![text("an answer"), text("too much")], 1, false),
];

fn play(host: Host, driver: &Path, path: &Path, script: Vec<Turn>) -> Result<Report, RunError> {
    let project = tempfile::tempdir().unwrap();
    let folder = project.path().canonicalize().unwrap();
    prepare(host, &folder);
    let mut session = Session::new(host, &folder, script);
    session.path = vec![path.to_owned()];
    run(driver, &session)
}

#[test]
fn the_real_hosts_go_on_once_and_stop_then() {
    let required = std::env::var_os("REAL_HOSTS").is_some_and(|value| value == "required");
    if let Some(host) = Host::ALL.into_iter().find(|host| install::installed(*host).is_none()) {
        let missing = RunError::NotInstalled(host).to_string();
        assert!(!required, "{missing}");
        eprintln!("SKIPPED: {missing}");
        return;
    }
    let driver = programs::build("real-hosts", &[]).unwrap();
    let path: PathBuf = stop_guard().parent().unwrap().to_owned();
    let wrong: Vec<String> = thread::scope(|scope| {
        let lanes = Host::ALL.map(|host| {
            let (driver, path) = (&driver, &path);
            scope.spawn(move || {
                let mut wrong = Vec::new();
                for (title, script, turns, told) in CASES {
                    let report = match play(host, driver, path, script()) {
                        Err(RunError::Namespace(why)) if !required => {
                            eprintln!("SKIPPED: {why}");
                            continue;
                        }
                        report => report.unwrap(),
                    };
                    let saw = report.saw(Kind::Text, "(rule stop.no_conflict_markers)");
                    if (report.turns, saw) != (turns, told) {
                        wrong.push(format!(
                            "{host:?}: {title}: {} turns, told: {saw}; {report:?}",
                            report.turns
                        ));
                    }
                }
                wrong
            })
        });
        lanes.into_iter().flat_map(|lane| lane.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
