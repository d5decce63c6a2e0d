//! What `command-blocker` promises while everything works.

use real_hosts::Turn;

use super::{
    KEPT, Promise, Session, asks_in_an_editor, denied, held, kept, result, says, shell, told, when, write,
};

const HOOK: &str = "command-blocker";

pub(super) const SESSIONS: &[Session] = &[COMMANDS, SCRIPTS];

const SCRIPTS: Session = Session {
    hooks: &[HOOK],
    script: || vec![write("clean.sh", "true\nrm -rf ./victim/..\n"), shell("sh clean.sh"), says("done")],
    promises: &[
        Promise {
            hook: HOOK,
            title: "a script that the host's own edit tool has written is stopped when the next call starts it, and the reason names its line",
            cell: |report, scene| {
                denied(report, 1, "files.delete-worktree")?;
                let text = result(report, 1)?;
                when(text.contains("clean.sh:2: rm -rf"), || format!("no line in: {text}"))?;
                let files = ["victim/keep.txt", "clean.sh"].map(|file| scene.project.join(file));
                when(files.iter().all(|file| file.exists()), || "the files are gone".to_owned())
            },
            expected: kept,
        },
        Promise {
            hook: HOOK,
            title: "the model reads that already when it writes the script",
            cell: |report, _| {
                let told =
                    report.seen.iter().any(|seen| seen.text.contains("a call that runs it will be denied"));
                Ok(if told { KEPT } else { "not passed on" })
            },
            expected: told,
        },
    ],
    ..Session::USUAL
};

const COMMANDS: Session = Session {
    hooks: &[HOOK],
    is_brief: true,
    script: || {
        vec![
            shell("rm -rf ./victim/.."),
            shell("X=r; ${X}m -rf victim/../.git"),
            shell("touch ran"),
            shell("npm publish"),
            write("new.txt", "new"),
            Turn::Edit("new.txt".to_owned(), "new".to_owned(), "old".to_owned()),
            says("done"),
        ]
    },
    promises: &[
        Promise {
            hook: HOOK,
            title: "a destructive command does not run, and the model reads why",
            cell: |report, scene| {
                denied(report, 0, "files.delete-worktree")?;
                denied(report, 1, "files.delete-repository")?;
                let files = ["victim/keep.txt", ".git/HEAD"].map(|file| scene.project.join(file));
                when(files.iter().all(|file| file.exists()), || "the files are gone".to_owned())
            },
            expected: kept,
        },
        Promise {
            hook: HOOK,
            title: "a harmless command runs",
            cell: |_, scene| {
                when(scene.project.join("ran").exists(), || "`touch ran` did not run".to_owned())
            },
            expected: kept,
        },
        Promise {
            hook: HOOK,
            title: "what would be asked about is denied where no one can answer",
            cell: |report, _| held(report, 3, "packages.publish"),
            expected: asks_in_an_editor,
        },
        Promise {
            hook: HOOK,
            title: "files are written and edited as usual",
            cell: |_, scene| {
                let text = std::fs::read_to_string(scene.project.join("new.txt"));
                let text = text.as_deref().map(str::trim);
                when(matches!(text, Ok("old")), || format!("new.txt is {text:?}"))
            },
            expected: kept,
        },
    ],
    ..Session::USUAL
};
