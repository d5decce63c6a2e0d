//! All hooks together, as `hook-runner init` installs them.

use payload::EventKind;

use super::{CONFLICT, Cell, Promise, Session, denied, held_back, kept, says, shell, when, write};
use crate::real_hosts::scene::Scene;
use crate::real_hosts::setups::Setup;

const ALL: &str = "all together";

pub(super) const SESSIONS: &[Session] = &[
    Session {
        is_brief: true,
        script: || {
            vec![
                shell("rm -rf ./victim/.."),
                shell("touch ran"),
                write("a.txt", CONFLICT),
                says("done"),
                write("a.txt", "both\n"),
                says("done now"),
                says("too much"),
            ]
        },
        promises: &[
            Promise {
                hook: ALL,
                title: "the destructive command is denied, the harmless one runs, the agent is held back once",
                cell: |report, scene| {
                    denied(report, 0, "files.delete-worktree")?;
                    when(scene.project.join("ran").exists(), || "`touch ran` did not run".to_owned())?;
                    if scene.setup.lacks("stop-guard").is_some() {
                        return Ok(NOT_HELD);
                    }
                    held_back(report, "stop.no_conflict_markers", 6)
                },
                expected: |setup| if setup.lacks("stop-guard").is_none() { kept(setup) } else { NOT_HELD },
            },
            Promise {
                hook: ALL,
                title: "one finding is read once by the model, and shown at most once to the person",
                cell: |report, _| {
                    let rule = "(rule files.delete-worktree)";
                    let read: usize = report.seen.iter().map(|seen| seen.text.matches(rule).count()).sum();
                    let shown: usize =
                        [&report.stdout, &report.stderr].iter().map(|text| shown(text, rule)).sum();
                    when(read == 1 && shown <= 1, || format!("read {read} times, shown {shown} times"))
                },
                expected: kept,
            },
            Promise {
                hook: "audit-logger",
                title: "every denial is on record once per hook, with its call; every call that ran, with its result; and the chain holds",
                cell: |_, scene| recorded(scene),
                expected: kept,
            },
        ],
        ..Session::USUAL
    },
    Session {
        full_disk: true,
        script: || vec![shell("rm -rf ./victim/.."), shell("touch ran"), says("done"), says("too much")],
        promises: &[Promise {
            hook: ALL,
            title: "with a full disk, calls are judged as usual, and the agent may stop",
            cell: |report, scene| {
                let is_full = [&report.stdout, &report.stderr].iter().any(|text| text.contains("ENOSPC"));
                if is_full && report.turns == 0 {
                    return Ok(NO_START);
                }
                denied(report, 0, "files.delete-worktree")?;
                when(scene.project.join("ran").exists(), || "`touch ran` did not run".to_owned())?;
                when(report.turns == 3, || format!("{} turns, not 3", report.turns))
            },
            expected: |setup| if setup == Setup::OpenCode { NO_START } else { kept(setup) },
        }],
        ..Session::USUAL
    },
];

/// A host that has ended, or goes on, before anyone holds its agent back.
const NOT_HELD: &str = "✓, but not held back";

/// A host that needs the disk itself.
const NO_START: &str = "host does not start";

/// How many times a host's output shows these words; an event that it prints as JSON is one, whatever it repeats in it.
fn shown(output: &str, words: &str) -> usize {
    let times = |line: &str| match serde_json::from_str::<serde_json::Value>(line) {
        Ok(event) if event.is_object() => usize::from(line.contains(words)),
        _ => line.matches(words).count(),
    };
    output.lines().map(times).sum()
}

/// What the log has to say of the first session.
fn recorded(scene: &Scene) -> Cell {
    let files = audit::files(&scene.log).map_err(|error| error.to_string())?;
    let report = audit::verify(&files, &[]).map_err(|error| error.to_string())?;
    when(report.intact, || format!("{report:?}"))?;
    let records = scene.records()?;
    let denials = records.iter().filter(|record| record["decision"]["rule"] == "files.delete-worktree");
    let denials: Vec<&serde_json::Value> = denials.collect();
    let Some(first) = denials.first() else { return Err("no denial is on record".to_owned()) };
    let of_one_call =
        denials.iter().all(|denial| denial["call"].is_string() && denial["call"] == first["call"]);
    let mut hooks: Vec<&str> = denials.iter().filter_map(|denial| denial["by"]["name"].as_str()).collect();
    hooks.sort_unstable();
    hooks.dedup();
    // On hosts that run their hooks side by side, the gate denies the call as well.
    when(of_one_call && hooks.len() == denials.len(), || format!("{denials:?}"))?;
    when(denials.iter().all(|denial| denial["command"] == "rm -rf ./victim/.."), || first.to_string())?;
    let of = |moment: fn(EventKind) -> bool| {
        let events =
            records.iter().filter(|record| record["kind"] == "event" && record["command"] == "touch ran");
        events
            .filter(|record| record["event"].as_str().is_some_and(|name| moment(EventKind::from_name(name))))
            .count()
    };
    // Copilot CLI asks for permission in between: an event of its own.
    let ran = (of(|kind| kind == EventKind::PreToolUse), of(|kind| kind == EventKind::PostToolUse));
    when(ran == (1, 1), || format!("`touch ran` is on record {ran:?} times, before and after it ran"))
}
