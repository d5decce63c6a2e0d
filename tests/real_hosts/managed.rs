//! `init --machine`, on the real hosts: its files alone deny, whatever a project or a user switches off.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use real_hosts::{Host, RunError, Session, Turn, run};
use support::programs::{self, command_blocker, hook_runner};

use super::is_there;

/// The hosts that read managed files and are played.
const HOSTS: [Host; 4] = [Host::Claude, Host::Copilot, Host::Codex, Host::Gemini];

/// Switches that a project may have; each host ignores the others'.
const SWITCHES: [(&str, &str); 3] = [
    (".claude/settings.json", "{\"disableAllHooks\": true}"),
    (".github/copilot/settings.json", "{\"disableAllHooks\": true}"),
    (".gemini/settings.json", "{\"hooksConfig\": {\"disabled\": [\"command-blocker\"]}}"),
];

/// A copy of `/etc` below a folder.
fn copy_of_etc(root: &Path) -> PathBuf {
    assert!(Command::new("cp").args(["-a", "/etc"]).arg(root).status().unwrap().success());
    root.join("etc")
}

/// Every file of the folders that hosts read.
fn files(etc: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders: Vec<PathBuf> = ["claude-code", "github-copilot", "codex", "gemini-cli", "qwen-code"]
        .map(|name| etc.join(name))
        .to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).unwrap();
                found.insert(path, bytes);
            }
        }
    }
    found
}

fn project(root: &Path) -> PathBuf {
    let project = root.join("project");
    fs::create_dir(&project).unwrap();
    assert!(Command::new("git").args(["init", "--quiet"]).current_dir(&project).status().unwrap().success());
    for (name, text) in SWITCHES {
        let path = project.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::write(project.join("kept"), "").unwrap();
    project
}

#[test]
fn with_the_machines_files_alone_all_hosts_deny_whatever_is_switched_off() {
    let driver = programs::real_hosts();
    let bin = command_blocker().parent().unwrap().display().to_string();
    for host in HOSTS.into_iter().filter(|host| is_there(*host)) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let etc = copy_of_etc(&root);
        let init = Command::new(hook_runner())
            .args(["init", "--machine", "--yes", "--bin", &bin, "--root"])
            .arg(&root)
            .output()
            .unwrap();
        assert!(init.status.success(), "{}", String::from_utf8_lossy(&init.stderr));
        let written = files(&etc);
        assert!(written.len() >= 5, "{written:?}");
        for path in written.keys() {
            assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o644, "{}", path.display());
        }
        let project = project(&root);
        let script = vec![
            Turn::Shell("rm -rf .git kept".to_owned()),
            Turn::Shell("echo fine > made.txt".to_owned()),
            Turn::Text("done".to_owned()),
        ];
        let mut session = Session::new(host, &project, script);
        session.etc = Some(etc.clone());
        session.untrusted = true;
        match run(&driver, &session) {
            Ok(report) => {
                assert!(project.join("kept").exists(), "{host}: {report:?}");
                assert!(project.join("made.txt").exists(), "{host}: {report:?}");
            }
            Err(RunError::Namespace(why)) => {
                eprintln!("SKIPPED: {why}");
                return;
            }
            Err(error) => panic!("{host}: {error}"),
        }
    }
}
