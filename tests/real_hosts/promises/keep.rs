//! What is saved before a command loses it.

use std::fs;
use std::path::Path;
use std::process::Command;

use support::programs::hook_runner;

use super::{Promise, Session, kept, result, says, shell, told, when};
use crate::real_hosts::setups::Setup;

const HOOK: &str = "approval-gate";

const POLICY: &str = "schema = 1\n\n[builtin.rules]\ngit = \"keep\"\n";

/// What the model reads where its host passes it on.
const SAVED: &str = "was saved before it ran: uncommitted changes in victim/keep.txt";

/// A host has saved the work before: nothing is lost.
const ITSELF: &str = "host saves it itself";

/// Work that is not committed.
fn dirty(project: &Path) {
    fs::write(project.join("victim/keep.txt"), "work\n").unwrap();
    for arguments in [&["config", "user.name", "x"][..], &["config", "user.email", "x@example.org"]] {
        assert!(Command::new("git").args(arguments).current_dir(project).status().unwrap().success());
    }
}

pub(super) const SESSIONS: &[Session] = &[Session {
    hooks: &[HOOK],
    user_files: &[(".config/policy-hooks/policy.toml", POLICY)],
    is_brief: true,
    prepare: dirty,
    script: || {
        vec![
            shell("git reset --hard && cp victim/keep.txt lost.txt"),
            shell(&format!("'{}' kept restore last", hook_runner().display())),
            shell("cp victim/keep.txt back.txt && git add -A && git commit -qm saved && echo committed"),
            shell("git reset --hard && touch clean"),
            says("done"),
        ]
    },
    promises: &[
        Promise {
            hook: HOOK,
            title: "`keep`: `git reset --hard` in a tree with changes runs, and `hook-runner kept restore` brings them back",
            cell: |report, scene| {
                result(report, 3)?;
                if scene.project.join(".git/refs/cline/checkpoints").exists() {
                    return Ok(ITSELF);
                }
                let read = |file: &str| fs::read_to_string(scene.project.join(file)).unwrap_or_default();
                when((read("lost.txt").as_str(), read("back.txt").as_str()) == ("keep\n", "work\n"), || {
                    format!(
                        "{:?}, then {:?}; {:?}",
                        read("lost.txt"),
                        read("back.txt"),
                        report.tool_results().collect::<Vec<_>>()
                    )
                })
            },
            expected: |setup| if setup == Setup::Cline { ITSELF } else { kept(setup) },
        },
        Promise {
            hook: HOOK,
            title: "`keep`: the model reads what was saved, and how to get it back",
            cell: |report, _| {
                let told = report.seen.iter().any(|seen| seen.text.contains(SAVED));
                Ok(if told { super::KEPT } else { "not passed on" })
            },
            expected: told,
        },
        Promise {
            hook: HOOK,
            title: "in a clean tree it runs without a word",
            cell: |report, scene| {
                when(scene.project.join("clean").exists(), || "it did not run".to_owned())?;
                let told =
                    report.seen.iter().filter(|seen| seen.text.contains("was saved before it ran")).count();
                when(told <= 1, || format!("{told} times"))
            },
            expected: kept,
        },
    ],
    ..Session::USUAL
}];
