//! What `hook-runner init` promises, on the real hosts: where it says yes the hooks run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use real_hosts::{Host, RunError, Session, Turn, run};
use support::programs::{self, command_blocker, hook_runner, root};

use super::is_there;

/// Runs `init` for a host in a project; whether it said yes.
fn init(project: &Path, host: Host, more: &[&str]) -> bool {
    let output = Command::new(hook_runner())
        .args(["init", "--yes", "--hook", "command-blocker", "--host", host.configured_as()])
        .args(more)
        .current_dir(project)
        .output()
        .unwrap();
    output.status.success()
}

/// Whether the host denied a destructive command.
fn denies(driver: &Path, project: &Path, host: Host) -> Option<bool> {
    fs::create_dir_all(project.join("kept")).unwrap();
    fs::write(project.join("kept/file"), "").unwrap();
    // Of a repository without a commit nothing brings it back.
    let command = "git clean -fdx . ; rm -rf .git kept".to_owned();
    let session = Session::new(host, project, vec![Turn::Shell(command), Turn::Text("done".to_owned())]);
    match run(driver, &session) {
        Ok(report) => {
            assert!(report.tool_results().count() == 1, "{host}: {report:?}");
            Some(project.join("kept/file").exists())
        }
        Err(RunError::Namespace(why)) => {
            support::skipped(format_args!("{why}"));
            None
        }
        Err(error) => panic!("{host}: {error}"),
    }
}

/// A repository.
fn project() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().canonicalize().unwrap().join("project");
    fs::create_dir(&project).unwrap();
    assert!(Command::new("git").args(["init", "--quiet"]).current_dir(&project).status().unwrap().success());
    (folder, project)
}

#[test]
fn with_the_programs_outside_their_path_all_hosts_deny() {
    let driver = programs::real_hosts();
    command_blocker();
    for host in Host::ALL.into_iter().filter(|host| is_there(*host)) {
        let (_folder, project) = project();
        assert!(init(&project, host, &["--programs", "path"]), "{host}");
        // The driver's PATH has the system's folders and node.
        let Some(denied) = denies(&driver, &project, host) else { return };
        assert!(denied, "{host}");
    }
}

#[test]
fn where_init_says_yes_claude_code_denies() {
    if !is_there(Host::Claude) {
        return;
    }
    let driver = programs::real_hosts();
    let table = fs::read_to_string(root().join("tests/cases/settings/claude.tsv")).unwrap();
    let rows: Vec<&str> = table.lines().filter(|line| !line.starts_with('#')).collect();
    let mut counted = [0, 0];
    // Cases of syntax and hooks, then some of each key.
    let chosen =
        rows.iter().enumerate().filter(|(index, _)| *index < 130 && index % 6 == 0 || index % 90 == 0);
    for (_, row) in chosen {
        let [outcome, name, text] = *row.splitn(3, '\t').collect::<Vec<_>>() else { panic!("{row}") };
        let (_folder, project) = project();
        fs::create_dir(project.join(".claude")).unwrap();
        let text: String = serde_json::from_str(text).unwrap();
        fs::write(project.join(".claude/settings.json"), &text).unwrap();
        let yes = init(&project, Host::Claude, &["--programs", "path"]);
        counted[usize::from(yes)] += 1;
        if yes {
            let Some(denied) = denies(&driver, &project, Host::Claude) else { return };
            assert!(denied, "{outcome} {name}: {text}");
        }
    }
    assert!(counted.iter().all(|count| *count > 8), "{counted:?}");
}
