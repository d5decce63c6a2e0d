//! Guards that a host kills: `kill -9` in the middle of a check, alone and among seven others.

use std::fs;
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use support::call::Answer;
use support::hosts::Target;
use support::programs::stop_guard;

use super::scene::{Active, Scene, Session};

/// A stop on its way.
fn begin(scene: &Scene, session: Session<'_>) -> Child {
    let mut child = Command::new(stop_guard())
        .args(session.event_flag(session.stop_event()))
        .env("HOME", scene.home())
        .env("TMPDIR", scene.home())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let payload = session.stop_payload(scene, false).to_string();
    child.stdin.take().unwrap().write_all(payload.as_bytes()).unwrap();
    child
}

/// What the host receives.
fn end(child: Child) -> Answer {
    let output = child.wait_with_output().unwrap();
    Answer {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::new(),
        exit: output.status.code(),
    }
}

#[test]
fn eight_stops_at_once_some_of_them_killed_never_pass_the_limit() {
    let ways = [(Active::Honest, 1), (Active::Missing, 2), (Active::AlwaysFalse, 3), (Active::Text, 1)];
    for (index, target) in Target::ALL.into_iter().enumerate() {
        // Two ways for each host, and every way on several hosts: processes are dear.
        for (active, limit) in [ways[index % 4], ways[(index + 1) % 4]] {
            let scene = Scene::new();
            let head = if limit == 1 { String::new() } else { format!("[stop]\nmax_blocks = {limit}") };
            scene.check(&head, "exit 1");
            let session = Session { active, ..Session::of(target) };
            session.prompt(&scene, "do it");
            scene.write("attempt", "1");
            session.tool(&scene, "Bash");
            let mut stops: Vec<Child> = (0..8).map(|_| begin(&scene, session)).collect();
            // In the middle of a check, as soon as there is one.
            while scene.runs() == 0 && stops.iter_mut().any(|stop| stop.try_wait().unwrap().is_none()) {
                thread::sleep(Duration::from_millis(1));
            }
            for stop in stops.iter_mut().step_by(2) {
                stop.kill().unwrap();
            }
            let answers: Vec<Answer> = stops.into_iter().map(end).collect();
            let mut held =
                answers.iter().filter(|answer| !answer.stdout.is_empty() && session.is_held(answer)).count();
            // Whatever the host does next, and whatever the agent tries.
            for round in 0..6 {
                scene.write("attempt", &format!("again {round}"));
                held += usize::from(session.is_held(&session.stop(&scene, round > 0)));
            }
            assert!(held <= limit, "{target:?} {active:?}: {held} of {limit}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_check_does_not_outlive_a_guard_that_is_killed() {
    let scene = Scene::new();
    let pids = scene.home().join("pids");
    // The program itself, a child of it, and one that has left its process group.
    let note = format!(">> '{}'", pids.display());
    scene.check(
        "",
        &format!(
            "echo $$ {note}; sleep 100000 & echo $! {note}; setsid sh -c \"echo \\$\\$ {note}; sleep 100000\" & wait"
        ),
    );
    let session = Session::of(Target::Claude);
    session.prompt(&scene, "do it");
    scene.write("a", "1");
    let mut guard = begin(&scene, session);
    let seen = || fs::read_to_string(&pids).unwrap_or_default();
    while seen().lines().count() < 3 {
        assert!(guard.try_wait().unwrap().is_none(), "the check ended: {}", seen());
        thread::sleep(Duration::from_millis(1));
    }
    guard.kill().unwrap();
    guard.wait().unwrap();
    for pid in seen().lines() {
        let state = || fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // Each has its signal; the kernel ends it when its turn comes, and whoever adopted it reaps it later still.
        let gone = || state().is_empty() || state().contains(") Z ");
        let mut looks = 0;
        while !gone() {
            assert!(looks < 120_000, "{}", state());
            looks += 1;
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Only the guard starts programs under its own name.
#[cfg(target_os = "linux")]
#[test]
fn no_one_else_can_have_a_program_supervised() {
    let scene = Scene::new();
    let file = scene.home().join("ran");
    let status = Command::new(stop_guard())
        .args(["supervise", "--", "touch"])
        .arg(&file)
        .stdin(Stdio::null())
        .status()
        .unwrap();
    assert_eq!((status.code(), file.exists()), (Some(126), false));
}
