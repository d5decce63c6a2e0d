//! What is promised, for every hook and every host.

use std::path::Path;

use real_hosts::{Report, Turn};

use super::setups::Setup;

/// The program that stands under a hook's name on the `PATH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Program {
    /// The hook itself, as it is shipped.
    Shipped,
    /// A hook on the same harness, which does what its command says: panic, sleep.
    Misbehaving,
    /// One that is killed before it answers.
    Killed,
    /// None.
    Missing,
}

/// One session, and what it has to show.
pub(super) struct Session {
    pub(super) program: Program,
    pub(super) script: fn() -> Vec<Turn>,
    pub(super) promises: &'static [Promise],
}

/// One row of the table.
pub(super) struct Promise {
    /// What the row says.
    pub(super) title: &'static str,
    /// What the cell says: what the host did. An error is what went wrong.
    pub(super) cell: fn(&Report, &Path) -> Result<&'static str, String>,
    /// What it has to say for this setup.
    pub(super) expected: fn(Setup) -> &'static str,
    /// What stands in the column of VS Code, which cannot be run here: its behaviour by its public source.
    pub(super) by_source: &'static str,
}

fn shell(command: &str) -> Turn {
    Turn::Shell(command.to_owned())
}

fn done() -> Turn {
    Turn::Text("done".to_owned())
}

/// The result of the model's call with this number, from 0.
fn result(report: &Report, number: usize) -> Result<&str, String> {
    let results: Vec<&str> = report.tool_results().collect();
    results.get(number).copied().ok_or_else(|| {
        format!("{} results, exit {:?}: {} {}", results.len(), report.exit, report.stdout, report.stderr)
    })
}

/// Whether the call was denied by this rule, and the model was told so.
fn denied(report: &Report, number: usize, rule: &str) -> Result<&'static str, String> {
    let text = result(report, number)?;
    if text.contains(&format!("(rule {rule})")) { Ok("✓") } else { Err(format!("no {rule} in: {text}")) }
}

/// Whether a call that creates `ran` was let through.
fn ran(report: &Report, project: &Path) -> Result<&'static str, String> {
    result(report, 0)?;
    Ok(if project.join("ran").exists() { "call runs" } else { "call denied" })
}

pub(super) const SESSIONS: &[Session] = &[
    Session {
        program: Program::Shipped,
        script: || {
            vec![
                shell("rm -rf ./victim/.."),
                shell("X=r; ${X}m -rf victim/../.git"),
                shell("touch ran"),
                shell("npm publish"),
                Turn::Write("new.txt".to_owned(), "new".to_owned()),
                Turn::Edit("new.txt".to_owned(), "new".to_owned(), "old".to_owned()),
                done(),
            ]
        },
        promises: &[
            Promise {
                title: "a destructive command does not run, and the model reads why",
                cell: |report, project| {
                    denied(report, 0, "files.delete-worktree")?;
                    denied(report, 1, "files.delete-repository")?;
                    let kept = project.join("victim/keep.txt").exists() && project.join(".git/HEAD").exists();
                    if kept { Ok("✓") } else { Err("the files are gone".to_owned()) }
                },
                expected: |_| "✓",
                by_source: "by source",
            },
            Promise {
                title: "a harmless command runs",
                cell: |_, project| {
                    if project.join("ran").exists() {
                        Ok("✓")
                    } else {
                        Err("`touch ran` did not run".to_owned())
                    }
                },
                expected: |_| "✓",
                by_source: "by source",
            },
            Promise {
                title: "what would be asked about is denied where nobody can answer",
                cell: |report, _| denied(report, 3, "packages.publish"),
                expected: |_| "✓",
                by_source: "asks, by source",
            },
            Promise {
                title: "files are written and edited as ever",
                cell: |_, project| {
                    let text = std::fs::read_to_string(project.join("new.txt"));
                    match text.as_deref().map(str::trim) {
                        Ok("old") => Ok("✓"),
                        other => Err(format!("new.txt is {other:?}")),
                    }
                },
                expected: |_| "✓",
                by_source: "by source",
            },
        ],
    },
    Session {
        program: Program::Misbehaving,
        script: || vec![shell("panic"), shell("sleep"), done()],
        promises: &[
            Promise {
                title: "a hook that panics denies",
                cell: |report, _| denied(report, 0, "hook.internal-error"),
                expected: |_| "✓",
                by_source: "by source",
            },
            Promise {
                title: "a hook that hangs denies at its own deadline",
                cell: |report, _| denied(report, 1, "hook.deadline"),
                expected: |_| "✓",
                by_source: "by source",
            },
        ],
    },
    Session {
        program: Program::Killed,
        script: || vec![shell("touch ran"), done()],
        promises: &[Promise {
            title: "the hook is killed by a signal",
            cell: ran,
            expected: |setup| match setup {
                Setup::Claude | Setup::CopilotPascal | Setup::CopilotCamel => "call denied",
                Setup::Codex | Setup::Gemini => "call runs",
            },
            by_source: "call runs",
        }],
    },
    Session {
        program: Program::Missing,
        script: || vec![shell("touch ran"), done()],
        promises: &[Promise {
            title: "the program is missing",
            cell: ran,
            expected: |setup| match setup {
                Setup::Claude | Setup::CopilotPascal | Setup::CopilotCamel | Setup::Gemini => "call denied",
                Setup::Codex => "call runs",
            },
            by_source: "call runs",
        }],
    },
];
