//! `check`, `status` and `trust`, as people call them.

use support::call::{Answer, Call};
use support::hosts::Target;
use support::programs::stop_guard;

use super::scene::{Scene, Session};

fn ask(scene: &Scene, command: &str) -> Answer {
    Call::new(stop_guard()).args([command]).env("HOME", scene.home()).folder(&scene.project()).run()
}

#[test]
fn check_runs_every_check_and_says_how_it_ended() {
    let scene = Scene::new();
    scene.check("", "echo broken; exit 2");
    let answer = ask(&scene, "check");
    assert_eq!(answer.exit, Some(1), "{answer:?}");
    assert!(answer.stdout.contains("ok   no_conflict_markers: passed"), "{answer:?}");
    assert!(
        answer.stdout.contains("FAIL tests: failed") && answer.stdout.contains("       broken\n"),
        "{answer:?}"
    );
    scene.check("", "exit 0");
    let answer = ask(&scene, "check");
    assert_eq!((answer.exit, answer.stderr.as_str()), (Some(0), ""), "{answer:?}");
    scene.check("", "exit 127");
    assert_eq!(ask(&scene, "check").exit, Some(1));
}

#[test]
fn check_runs_nothing_of_a_repository_that_is_not_trusted() {
    let scene = Scene::new();
    scene.settings("[[stop.check]]\nid = \"x\"\nargv = [\"touch\", \"ran\"]\n");
    let answer = ask(&scene, "check");
    assert_eq!(answer.exit, Some(1), "what did not run is a finding: {answer:?}");
    assert!(answer.stderr.contains("is not trusted"), "{answer:?}");
    assert!(!scene.project().join("ran").exists());
}

#[test]
fn a_check_by_hand_is_remembered_for_the_agent() {
    let scene = Scene::new();
    scene.check("", "exit 0");
    let session = Session::of(Target::Claude);
    session.prompt(&scene, "do it");
    scene.write("a", "1");
    assert_eq!(ask(&scene, "check").exit, Some(0));
    assert_eq!(scene.runs(), 1);
    assert!(!session.is_held(&session.stop(&scene, false)));
    assert_eq!(scene.runs(), 1);
}

#[test]
fn status_shows_counters_and_passes() {
    let scene = Scene::new();
    scene.check("", "exit 0");
    assert_eq!(ask(&scene, "check").exit, Some(0));
    scene.check("[stop]\nmax_blocks = 2", "exit 1");
    let session = Session::of(Target::Codex);
    session.prompt(&scene, "do it");
    scene.write("a", "1");
    assert!(session.is_held(&session.stop(&scene, false)));
    let answer = ask(&scene, "status");
    assert_eq!(answer.exit, Some(0));
    for part in [
        "Trusted     yes",
        "2 blocks per prompt",
        "Check       tests: `sh -c",
        "codex a1b2: held back 1 of 2 in this turn, last by `tests`",
        "Passed      tests (",
    ] {
        assert!(answer.stdout.contains(part), "{part}: {}", answer.stdout);
    }
}

#[test]
fn trust_is_not_given_without_a_terminal() {
    let scene = Scene::new();
    let answer = ask(&scene, "trust");
    assert_eq!(answer.exit, Some(2), "{answer:?}");
    assert!(!store::trust::file(scene.home()).exists());
    scene.trust();
    let answer = Call::new(stop_guard())
        .args(["trust", "--revoke"])
        .env("HOME", scene.home())
        .folder(&scene.project())
        .run();
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    assert!(
        !store::trust::Trust::read(&store::trust::file(scene.home()))
            .unwrap()
            .has_repository(&scene.project())
    );
}

#[test]
fn help_says_what_happens() {
    let answer = Call::new(stop_guard()).args(["--help-all"]).run();
    assert_eq!((answer.stderr.as_str(), answer.exit), ("", Some(0)));
    for word in ["check", "status", "trust", "{} and exit 0", "100000"] {
        assert!(answer.stdout.contains(word), "{word}: {}", answer.stdout);
    }
}
