//! Someone who has just got the programs: `hook-runner init` at a terminal and one answer, then the line that it printed,
//! said to the real host.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use real_hosts::{Host, Report, RunError, Session, Turn, run};
use support::call::Call;
use support::programs::{self, hook_runner};
use support::terminal::{at_a_terminal, has_script};

use super::{is_required, is_there};

/// The hosts that are played, with the folder by which each is found.
const HOSTS: [(Host, &str); 5] = [
    (Host::Claude, ".claude"),
    (Host::Copilot, ".copilot"),
    (Host::Codex, ".codex"),
    (Host::Gemini, ".gemini"),
    (Host::VsCode, ".config/Code"),
];

/// What is typed for each preset. The other two bring the same guard, and are played where everything is.
const PRESETS: [(&str, &str); 3] = [("guard", "y\n"), ("team", "team\ny\n"), ("audit", "audit\ny\n")];

/// A patient person.
const MINUTE: Duration = Duration::from_mins(1);

/// What `init` shows to a person who types this; with nothing of ours in the environment.
fn init(home: &Path, typed: &str) -> String {
    let folder = hook_runner().parent().unwrap().display().to_string();
    let environment = [format!("HOME={}", home.display()), format!("PATH={folder}:/usr/bin:/bin")];
    let environment = ["-i", "TERM=xterm", &environment[0], &environment[1]];
    let call = Call::new("/usr/bin/env").folder(home);
    let answer = at_a_terminal(call, "hook-runner init", typed, &environment);
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    answer.stdout
}

/// Every file below a folder, as a session's user has it.
fn files(home: &Path, folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(home, &path, found);
        } else {
            let name = path.strip_prefix(home).unwrap().display().to_string();
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Plays what the person then asks for, in a repository.
fn tried(driver: &Path, host: Host, home: &Path, command: &str) -> Result<Report, RunError> {
    let project = home.join("project");
    let mut user_files = Vec::new();
    files(home, home, &mut user_files);
    fs::create_dir(&project).unwrap();
    let git = std::process::Command::new("git").args(["init", "--quiet"]).current_dir(&project).status();
    assert!(git.unwrap().success());
    let script = vec![
        Turn::Shell(command.to_owned()),
        Turn::Shell("echo fine > made.txt".to_owned()),
        Turn::Text("done".to_owned()),
    ];
    run(driver, &Session { user_files, ..Session::new(host, &project, script) })
}

#[test]
fn one_command_protects_a_newcomer_and_the_line_that_it_prints_shows_it() {
    if !has_script() {
        return;
    }
    let driver = programs::real_hosts();
    let presets = if is_required(Host::Claude) { &PRESETS[..] } else { &PRESETS[..1] };
    for (host, folder) in HOSTS.into_iter().filter(|(host, _)| is_there(*host)) {
        for (preset, typed) in presets {
            let home = tempfile::tempdir().unwrap();
            let root = home.path().canonicalize().unwrap();
            fs::create_dir_all(root.join(folder)).unwrap();
            let start = Instant::now();
            let said = init(&root, typed);
            assert!(start.elapsed() < MINUTE, "{host}: {:?}", start.elapsed());
            let asked = said.split("Write this?").next().unwrap();
            assert!(asked.lines().count() <= 20, "{host}: {said}");
            let line = said.split_once("ask your agent to run `").unwrap_or_else(|| panic!("{said}")).1;
            let command = line.split_once('`').unwrap().0;
            let report = match tried(&driver, host, &root, command) {
                Err(RunError::Namespace(why)) => {
                    support::skipped(format_args!("{why}"));
                    return;
                }
                report => report.unwrap_or_else(|error| panic!("{host}: {error}")),
            };
            // The repository has no such remote: git would say so, and the guard says why.
            let first = report.tool_results().next().unwrap_or_default();
            assert!(first.contains("git.push-force"), "{host}, {preset}: {report:?}\n{said}");
            assert!(root.join("project/made.txt").exists(), "{host}, {preset}: {report:?}");
        }
    }
}
