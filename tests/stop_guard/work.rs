//! What is checked, what it costs, and what the model and the person read.

use std::fs;

use serde_json::json;
use support::hosts::Target;

use super::scene::{Scene, Session};

#[test]
fn the_reason_says_what_failed_how_and_what_to_do() {
    for target in Target::ALL {
        let scene = Scene::new();
        scene.check("", "printf '\\033[31mtest one failed\\033[0m\\n'; exit 3");
        let session = Session::of(target);
        session.prompt(&scene, "do it");
        scene.write("new", "1");
        let answer = session.stop(&scene, false);
        let outcome = target.reads(session.stop_event(), &answer);
        let reason = outcome.reason.unwrap_or_default();
        for part in ["`tests`", "exited with code 3", "test one failed", "say so", "(rule stop.tests)"] {
            assert!(reason.contains(part), "{target:?}: {part}: {reason}");
        }
        assert!(!reason.contains('\u{1b}'), "{reason}");
        assert_eq!(answer.stderr, "");
        assert!(!session.is_held(&session.stop(&scene, true)), "{target:?}");
    }
}

#[test]
fn a_pass_is_remembered_for_the_tree_and_lost_with_it() {
    let scene = Scene::new();
    scene.check("", "exit 0");
    let session = Session::of(Target::Claude);
    let stop = |runs: usize, why: &str| {
        assert!(!session.is_held(&session.stop(&scene, false)));
        assert_eq!(scene.runs(), runs, "{why}");
    };
    session.prompt(&scene, "do it");
    stop(0, "nothing was changed");
    scene.write("a", "one");
    stop(1, "a new file");
    session.prompt(&scene, "more");
    stop(1, "a turn without changes");
    scene.write("a", "two");
    stop(2, "another content of the same size");
    scene.write("a", "one");
    stop(2, "what passed before");
    scene.commit();
    stop(2, "a commit changes no file");
    fs::rename(scene.project().join("a"), scene.project().join("b")).unwrap();
    stop(3, "another name");
    scene.check("", "exit 0; # another check");
    session.prompt(&scene, "more");
    scene.write("c", "");
    stop(4, "another check");
}

#[test]
fn a_turn_without_edits_and_commands_costs_nothing_even_if_the_user_edits() {
    for target in Target::ALL.into_iter().filter(|target| *target != Target::Codex) {
        let scene = Scene::new();
        scene.check("", "exit 1");
        let session = Session::of(target);
        session.prompt(&scene, "do it");
        session.tool(&scene, "Edit");
        session.prompt(&scene, "explain it");
        session.tool(&scene, "Read");
        scene.write("by the user", "x");
        assert!(!session.is_held(&session.stop(&scene, false)), "{target:?}");
        assert_eq!(scene.runs(), 0);
    }
}

#[test]
fn a_check_that_cannot_run_is_reported_and_holds_no_one_back() {
    for (script, told) in [("exit 127", "127"), ("kill -9 $$", "signal"), ("sleep 100", "did not finish")] {
        let scene = Scene::new();
        scene.check("", script);
        let settings = fs::read_to_string(scene.home().join(".config/policy-hooks/stop.toml")).unwrap();
        scene.settings(&format!("{settings}timeout_s = 1\n"));
        let session = Session::of(Target::Claude);
        session.prompt(&scene, "do it");
        scene.write("a", "1");
        let answer = session.stop(&scene, false);
        assert!(!session.is_held(&answer), "{answer:?}");
        let notice = session.target.reads("Stop", &answer).notice.unwrap();
        assert!(notice.contains("could not run") && notice.contains(told), "{notice}");
    }
    let scene = Scene::new();
    scene.settings("[[stop.check]]\nid = \"x\"\nargv = [\"no-such-tool-here\"]\n");
    scene.trust();
    for target in Target::ALL {
        let session = Session::of(target);
        session.prompt(&scene, "do it");
        scene.write("a", target.title());
        let answer = session.stop(&scene, false);
        assert!(!session.is_held(&answer), "{answer:?}");
        assert!(format!("{answer:?}").contains("no-such-tool-here"), "{target:?}: {answer:?}");
    }
}

#[test]
fn nothing_of_a_check_is_left_also_what_left_its_group() {
    let scene = Scene::new();
    let pids = scene.home().join("pids");
    scene.check(
        "",
        &format!("setsid sh -c 'echo $$ >> {0}; sleep 1000' & sleep 1000 & echo $! >> {0}; while [ $(wc -l < {0}) -lt 2 ]; do :; done", pids.display()),
    );
    let session = Session::of(Target::Claude);
    session.prompt(&scene, "do it");
    scene.write("a", "1");
    assert!(!session.is_held(&session.stop(&scene, false)));
    let pids = fs::read_to_string(pids).unwrap();
    assert_eq!(pids.lines().count(), 2);
    for pid in pids.lines() {
        let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "{state}");
    }
}

#[test]
fn conflict_markers_hold_the_agent_back_without_any_settings() {
    let scene = Scene::new();
    let session = Session::of(Target::VsCode);
    session.prompt(&scene, "merge it");
    scene.write("README", "<<<<<<< HEAD\nhello\n=======\nbye\n>>>>>>> other\n");
    let answer = session.stop(&scene, false);
    let reason = session.target.reads("Stop", &answer).reason.unwrap_or_default();
    assert!(reason.contains("README:1:") && reason.contains("(rule stop.no_conflict_markers)"), "{answer:?}");
    scene.write("README", "hello\nbye\n");
    session.prompt(&scene, "now?");
    assert!(!session.is_held(&session.stop(&scene, false)));
}

/// Qwen Code 0.24.4 calls the hooks of a prompt with an empty one whenever a tool has run: driven, and no stop was ever held.
#[test]
fn an_empty_prompt_after_a_tool_does_not_start_a_turn() {
    let scene = Scene::new();
    let session = Session::of(Target::VsCode);
    session.prompt(&scene, "merge it");
    scene.write("README", "<<<<<<< HEAD\nhello\n=======\nbye\n>>>>>>> other\n");
    session.prompt(&scene, "");
    assert!(session.is_held(&session.stop(&scene, false)));
}

#[test]
fn built_in_checks_find_what_they_are_named_for() {
    type Change = fn(&Scene);
    let cases: [(&str, Change, &str); 8] = [
        ("clean_tree", |scene| scene.write("new", "x"), "new"),
        ("committed", |scene| scene.write("README", "x"), "README"),
        ("no_todo", |scene| scene.write("new", "x\n// TODO: the rest\n"), "new:2: // TODO: the rest"),
        (
            "no_todo",
            |scene| {
                scene.write("new", "# FIXME\n");
                scene.commit();
            },
            "new:1: # FIXME",
        ),
        ("no_debug_output", |scene| scene.write("a.rs", "fn a() {\n    dbg!(1);\n}\n"), "a.rs:2: dbg!(1);"),
        (
            "no_merge_in_progress",
            |scene| {
                scene.git(&["checkout", "-q", "-b", "other"]);
                scene.write("README", "other\n");
                scene.commit();
                scene.git(&["checkout", "-q", "main"]);
                scene.write("README", "main\n");
                scene.commit();
                scene.git(&["merge", "-q", "other"]);
            },
            "a merge is not finished",
        ),
        (
            "pushed",
            |scene| {
                scene.git(&["init", "-q", "--bare", "../remote.git"]);
                scene.git(&["remote", "add", "origin", "../remote.git"]);
            },
            "never pushed",
        ),
        (
            "pushed",
            |scene| {
                scene.git(&["init", "-q", "--bare", "../remote.git"]);
                scene.git(&["remote", "add", "origin", "../remote.git"]);
                scene.git(&["push", "-q", "-u", "origin", "main"]);
                scene.write("new", "x");
                scene.commit();
            },
            "1 commit of the branch \"main\" is not pushed",
        ),
    ];
    for (builtin, change, told) in cases {
        let scene = Scene::new();
        scene.settings(&format!(
            "[stop]\nconflict_markers = false\n[[stop.check]]\nid = \"it\"\nbuiltin = \"{builtin}\"\n"
        ));
        let session = Session::of(Target::Claude);
        session.prompt(&scene, "do it");
        change(&scene);
        // Seen also by a session whose tree was not looked at before.
        session.tool(&scene, "Bash");
        scene.write("ignored by the others", if builtin == "clean_tree" { "x" } else { "" });
        let answer = session.stop(&scene, false);
        let reason = session.target.reads("Stop", &answer).reason.unwrap_or_default();
        assert!(reason.contains(told) && reason.contains("(rule stop.it)"), "{builtin}: {answer:?}");
    }
}

#[test]
fn what_was_there_before_the_session_or_came_with_a_pull_is_not_held_against_it() {
    let scene = Scene::new();
    scene.settings("[[stop.check]]\nid = \"todo\"\nbuiltin = \"no_todo\"\n");
    scene.write("old", "// TODO: by the user\n");
    let session = Session::of(Target::Claude);
    session.prompt(&scene, "do it");
    scene.write("new", "fine\n");
    assert!(!session.is_held(&session.stop(&scene, false)));
    // Someone else's commit, older than the session, arrives by a fast-forward.
    scene.git(&["add", "-A"]);
    scene.git(&["-c", "core.editor=true", "commit", "-q", "-m", "mine"]);
    scene.write("theirs", "// TODO: by someone else\n");
    scene.git(&["add", "-A"]);
    let old = ["commit", "-q", "-m", "theirs", "--date", "2020-01-01T00:00:00Z"];
    let output = std::process::Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@t.test"])
        .args(old)
        .env("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z")
        .env("HOME", scene.home())
        .current_dir(scene.project())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    session.prompt(&scene, "pull");
    scene.write("new", "fine again\n");
    assert!(!session.is_held(&session.stop(&scene, false)));
}

#[test]
fn sub_agents_are_left_alone_unless_wanted() {
    let scene = Scene::new();
    scene.check("", "exit 1");
    let claude = json!({"session_id": "s", "cwd": scene.project(), "hook_event_name": "SubagentStop", "agent_id": "x", "agent_type": "t", "stop_hook_active": false, "prompt_id": "p"});
    // Copilot tells of a sub-agent's end as of the agent's.
    let copilot = json!({"hook_event_name": "Stop", "session_id": "c", "timestamp": "2026-11-21T05:24:26.168Z", "cwd": scene.project(), "agent_id": "c", "agent_type": "t", "stop_hook_active": false});
    scene.write("README", "<<<<<<< a\n=======\n>>>>>>> b\n");
    for payload in [&claude, &copilot] {
        let answer = scene.call(payload.to_string()).run();
        assert_eq!((answer.stdout.as_str(), answer.exit), ("{}", Some(0)), "{answer:?}");
    }
    scene.check("[stop]\nsubagents = true", "exit 1");
    for (target, event, payload) in
        [(Target::Claude, "SubagentStop", &claude), (Target::CopilotPascal, "Stop", &copilot)]
    {
        let answer = scene.call(payload.to_string()).run();
        let reason = target.reads(event, &answer).reason.unwrap_or_default();
        assert!(reason.contains("no_conflict_markers"), "{answer:?}");
        let answer = scene.call(payload.to_string()).run();
        assert_eq!(target.reads(event, &answer).reason, None, "its own count: {answer:?}");
    }
    assert_eq!(scene.runs(), 0, "no program is started for a sub-agent");
}

#[test]
fn work_in_the_background_is_waited_for() {
    let scene = Scene::new();
    scene.check("", "exit 1");
    let session = Session::of(Target::Claude);
    session.prompt(&scene, "do it");
    scene.write("a", "1");
    let mut payload = session.stop_payload(&scene, false);
    payload["background_tasks"] = json!([{"id": "b1", "status": "running"}]);
    let answer = scene.call(payload.to_string()).run();
    assert_eq!(answer.stdout, "{}");
    assert_eq!(scene.runs(), 0);
    assert!(session.is_held(&session.stop(&scene, false)));
}

#[test]
fn a_repository_that_is_not_trusted_runs_nothing() {
    let scene = Scene::new();
    let planted = scene.home().join("planted");
    let script = format!("touch '{}'", planted.display());
    let argv = json!(["sh", "-c", script]);
    scene.write(".github/hooks/stop.toml", &format!("[[stop.check]]\nid = \"evil\"\nargv = {argv}\n"));
    // What the git program would run by itself.
    for (key, value) in [
        ("core.fsmonitor", script.as_str()),
        ("filter.x.clean", script.as_str()),
        ("diff.x.textconv", script.as_str()),
        ("diff.x.command", script.as_str()),
    ] {
        scene.git(&["config", key, value]);
    }
    scene.write(".gitattributes", "* filter=x diff=x\n");
    let session = Session::of(Target::Codex);
    session.prompt(&scene, "do it");
    scene.write("README", "changed\n");
    let answer = session.stop(&scene, false);
    assert!(!session.is_held(&answer));
    assert!(answer.stderr.contains("not trusted in its current state"), "{answer:?}");
    assert!(!planted.exists());
}
