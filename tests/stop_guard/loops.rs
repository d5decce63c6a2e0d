//! A check that always fails, on hosts that would go on for ever.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;
use std::time::Instant;

use support::hosts::Target;
use support::programs::stop_guard;

use super::scene::{Active, Scene, Session};

/// A simulated host gives up here, so that a test of an endless loop ends.
const PATIENCE: usize = 12;

/// How a host caps the rounds of stop hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cap {
    None,
    Eight,
    /// Eight in a row without a tool call: an agent that works never reaches it.
    EightWithoutTools,
}

/// Plays one prompt, in which the agent tries something new whenever it is held back; returns how often it was.
fn play(scene: &Scene, session: Session<'_>, cap: Cap, round: usize) -> usize {
    let mut blocks = 0;
    let mut in_a_row = 0;
    loop {
        scene.write("attempt", &format!("{round} {blocks}\n"));
        session.tool(scene, "Bash");
        let answer = session.stop(scene, blocks > 0);
        if !session.is_held(&answer) {
            return blocks;
        }
        blocks += 1;
        in_a_row = if cap == Cap::EightWithoutTools { 0 } else { in_a_row + 1 };
        if blocks >= PATIENCE || (cap == Cap::Eight && in_a_row == 8) {
            return blocks;
        }
    }
}

#[test]
fn no_host_is_held_back_more_often_than_the_limit() {
    for target in Target::ALL {
        for active in [Active::Honest, Active::Missing, Active::AlwaysFalse, Active::Text] {
            for (limit, cap) in [(1, Cap::None), (2, Cap::EightWithoutTools), (5, Cap::Eight)] {
                let scene = Scene::new();
                let head = if limit == 1 { String::new() } else { format!("[stop]\nmax_blocks = {limit}") };
                scene.check(&head, "exit 1");
                let session = Session { active, ..Session::of(target) };
                session.prompt(&scene, "do it");
                let blocks = play(&scene, session, cap, 0);
                assert!((1..=limit).contains(&blocks), "{target:?} {active:?} {cap:?}: {blocks}");
            }
        }
    }
}

#[test]
fn each_prompt_has_its_own_count_and_a_host_that_rushes_through_prompts_ends_as_well() {
    for target in Target::ALL {
        let scene = Scene::new();
        scene.check("", "exit 1");
        let session = Session { active: Active::Missing, ..Session::of(target) };
        let begin = Instant::now();
        let blocks: Vec<usize> = (0..6)
            .map(|round| {
                session.prompt(&scene, "do it");
                play(&scene, session, Cap::None, round)
            })
            .collect();
        assert_eq!(blocks[..3], [1, 1, 1], "{target:?}");
        // Three within a minute are a loop; a slow machine takes several.
        let minutes = usize::try_from(begin.elapsed().as_secs() / 60).unwrap();
        assert!(blocks.iter().sum::<usize>() <= 3 * (1 + minutes), "{target:?}: {blocks:?}");
    }
}

#[test]
fn a_reason_that_comes_back_as_a_prompt_is_not_a_prompt() {
    for target in Target::ALL {
        let scene = Scene::new();
        scene.check("", "exit 1");
        let session = Session { active: Active::Missing, ..Session::of(target) };
        session.prompt(&scene, "do it");
        scene.write("attempt", "1");
        let held = session.stop(&scene, false);
        let reason = session.target.reads(session.stop_event(), &held).reason.unwrap();
        session.prompt(&scene, &reason);
        scene.write("attempt", "2");
        assert!(!session.is_held(&session.stop(&scene, false)), "{target:?}");
    }
}

#[test]
fn without_prompts_and_tools_the_count_still_holds() {
    for target in Target::ALL {
        let scene = Scene::new();
        scene.check("[stop]\nmax_blocks = 2", "exit 1");
        let session = Session { active: Active::Missing, ..Session::of(target) };
        let mut blocks = 0;
        while blocks < PATIENCE {
            scene.write("attempt", &blocks.to_string());
            if !session.is_held(&session.stop(&scene, false)) {
                break;
            }
            blocks += 1;
        }
        assert_eq!(blocks, 2, "{target:?}");
    }
}

#[test]
fn eight_stops_at_once_count_as_what_they_are() {
    for limit in [1, 3] {
        let scene = Scene::new();
        scene.check(&format!("[stop]\nmax_blocks = {limit}"), "exit 1");
        let session = Session { active: Active::Missing, ..Session::of(Target::Codex) };
        session.prompt(&scene, "do it");
        scene.write("attempt", "1");
        let held = thread::scope(|scope| {
            let stops: Vec<_> =
                (0..8).map(|_| scope.spawn(|| session.is_held(&session.stop(&scene, false)))).collect();
            stops.into_iter().filter(|_| true).map(|stop| stop.join().unwrap()).filter(|held| *held).count()
        });
        assert!((1..=limit).contains(&held), "{held} of {limit}");
        assert!(!session.is_held(&session.stop(&scene, false)) || held < limit);
    }
}

#[test]
fn eight_stops_at_once_with_a_check_that_passes_hold_no_one_back() {
    let scene = Scene::new();
    scene.check("", "exit 0");
    let session = Session { active: Active::Missing, ..Session::of(Target::Codex) };
    session.prompt(&scene, "do it");
    scene.write("attempt", "1");
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert!(!session.is_held(&session.stop(&scene, false))));
        }
    });
    assert!((1..=8).contains(&scene.runs()));
}

#[test]
fn a_guard_that_is_killed_in_the_middle_of_a_check_has_used_up_its_block() {
    let scene = Scene::new();
    let started = scene.home().join("started");
    scene.check("", &format!("echo > '{}'; sleep 3; exit 1", started.display()));
    let session = Session { active: Active::Missing, ..Session::of(Target::Gemini) };
    session.prompt(&scene, "do it");
    for round in 0..4 {
        scene.write("attempt", &round.to_string());
        let _ = fs::remove_file(&started);
        let mut child = Command::new(stop_guard())
            .env("HOME", scene.home())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(session.stop_payload(&scene, false).to_string().as_bytes())
            .unwrap();
        while !started.exists() && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        // The first is killed while its check runs; the others may stop without one.
        assert_eq!(String::from_utf8_lossy(&output.stdout), if round == 0 { "" } else { "{}" });
    }
    assert_eq!(scene.runs(), 1);
    // The next prompt is a new turn.
    session.prompt(&scene, "go on");
    scene.check("", "exit 1");
    scene.write("attempt", "last");
    assert!(session.is_held(&session.stop(&scene, false)));
}
