//! Real hosts: with the configuration for that, files are formatted when the agent stops. For what is formatted at each
//! edit, see `tests/real_hosts`.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use real_hosts::model::Kind;
use real_hosts::{Host, Report, RunError, Session, Turn, run};
use support::programs::{self, formatter_trigger, root};

use super::scene::{PATIENT, SQUEEZE, program};
use crate::real_hosts::{is_required, is_there};

/// A configuration of ours, and the place where the host looks.
fn configuration(host: Host) -> (&'static str, &'static str) {
    match host {
        Host::Claude => ("claude-code.json", ".claude/settings.json"),
        Host::Copilot | Host::Sdk | Host::VsCode => {
            ("40-formatter-trigger.json", ".github/hooks/40-formatter-trigger.json")
        }
        Host::Codex => ("codex.json", ".codex/hooks.json"),
        Host::Gemini => ("gemini-cli.json", ".gemini/settings.json"),
        Host::Qwen => ("qwen-code.json", ".qwen/settings.json"),
        Host::Cline | Host::OpenCode | Host::Pi | Host::OpenHands => {
            unreachable!("nothing is shipped for when they stop")
        }
    }
}

/// A repository with one commit, prettier's configuration and ours.
fn prepare(host: Host, project: &Path) {
    fs::write(project.join(".prettierrc"), "{}\n").unwrap();
    let (from, to) = configuration(host);
    let to = project.join(to);
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(root().join("configs/at-stop").join(from), to).unwrap();
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "."],
        &["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "first"],
    ] {
        let git = std::process::Command::new("git").args(arguments).current_dir(project).status();
        assert!(git.unwrap().success());
    }
}

fn play(host: Host, driver: &Path, path: &[PathBuf]) -> Result<(Report, String), RunError> {
    let project = tempfile::tempdir().unwrap();
    let folder = project.path().canonicalize().unwrap();
    prepare(host, &folder);
    let script = vec![
        Turn::Write("a.ts".to_owned(), "one  two\n".to_owned()),
        Turn::Read("a.ts".to_owned()),
        Turn::Edit("a.ts".to_owned(), "one  two".to_owned(), "three  four".to_owned()),
        Turn::Text("done".to_owned()),
    ];
    let mut session = Session::new(host, &folder, script);
    session.path = path.to_vec();
    let report = run(driver, &session)?;
    Ok((report, fs::read_to_string(folder.join("a.ts")).unwrap_or_default()))
}

/// How often the model read that a file was rewritten.
fn told(report: &Report) -> usize {
    report.seen.iter().filter(|seen| seen.text.contains("Read it again before")).count()
}

#[test]
fn at_a_stop_what_was_edited_is_formatted_and_the_agent_stops() {
    // Cline waits for no hook when it stops, `opencode run` has ended by then, and nothing is shipped for the others.
    let stops = |host: &Host| !matches!(host, Host::Cline | Host::OpenCode | Host::Pi | Host::OpenHands);
    let hosts: Vec<Host> = Host::ALL.into_iter().filter(stops).filter(|host| is_there(*host)).collect();
    let driver = programs::real_hosts();
    let bin = tempfile::tempdir().unwrap();
    program(&bin.path().join("prettier"), SQUEEZE);
    // A home with patience: on a crowded machine a script may take longer than a person would wait.
    let home = tempfile::tempdir().unwrap();
    let settings = home.path().join(".config/policy-hooks");
    fs::create_dir_all(&settings).unwrap();
    fs::write(settings.join("format.toml"), PATIENT).unwrap();
    let hook = formatter_trigger().display();
    let script = format!("HOME='{}' exec '{hook}' --deadline-ms 600000 \"$@\"", home.path().display());
    program(&bin.path().join("formatter-trigger"), &script);
    let path = [bin.path().to_owned()];
    let wrong: Vec<String> = thread::scope(|scope| {
        let lane = |host: &Host| {
            let (host, driver, path) = (*host, &driver, &path);
            scope.spawn(move || match play(host, driver, path) {
                Err(RunError::Namespace(why)) if !is_required(host) => {
                    support::skipped(format_args!("{why}"));
                    None
                }
                report => {
                    let (report, text) = report.unwrap();
                    // Until then, the model finds what it wrote.
                    let waited = report.saw(Kind::ToolResult, "one  two");
                    let stopped = report.turns == 4 && told(&report) == 0;
                    (text.trim_end() != "three four" || !waited || !stopped).then(|| {
                        format!("{host:?}: {text:?}, waited: {waited}, stopped: {stopped}; {report:?}")
                    })
                }
            })
        };
        // All are started before the first is waited for.
        let lanes: Vec<_> = hosts.iter().map(lane).collect();
        lanes.into_iter().filter_map(|lane| lane.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
