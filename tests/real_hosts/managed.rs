//! `init --machine`, on the real hosts: its files alone deny, whatever a project or a user switches off.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use real_hosts::{Host, NORMAL_USER, RunError, Session, Turn, User, run};
use support::call::Call;
use support::programs::{self, command_blocker, hook_runner};
use support::terminal::{at_a_terminal, has_script};

use super::is_there;

/// The hosts that read managed files and are played.
const HOSTS: [Host; 4] = [Host::Claude, Host::Copilot, Host::Codex, Host::Gemini];

/// Switches that a project may have; each host ignores the others'.
const SWITCHES: [(&str, &str); 4] = [
    (".claude/settings.json", "{\"disableAllHooks\": true}"),
    (".github/copilot/settings.json", "{\"disableAllHooks\": true}"),
    (".gemini/settings.json", "{\"hooksConfig\": {\"enabled\": false, \"disabled\": [\"command-blocker\"]}}"),
    (".codex/config.toml", "[features]\nhooks = false\n"),
];

/// The same in the user's own settings.
const USERS_SWITCHES: [(&str, &str); 4] = [
    (".claude/settings.json", "{\"disableAllHooks\": true}"),
    (".copilot/settings.json", "{\"disableAllHooks\": true}"),
    (".gemini/settings.json", "{\"hooksConfig\": {\"enabled\": false}}"),
    (".codex/config.toml", "[features]\nhooks = false\n"),
];

/// A copy of `/etc` below a folder.
fn copy_of_etc(root: &Path) -> PathBuf {
    assert!(Command::new("cp").args(["-a", "/etc"]).arg(root).status().unwrap().success());
    root.join("etc")
}

/// Every file of the folders that hosts read.
fn files(etc: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders: Vec<PathBuf> =
        ["claude-code", "github-copilot", "codex", "gemini-cli", "qwen-code", "augment", "windsurf"]
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

/// A normal user reads these files, and changes, moves or deletes none of them.
fn no_one_else_changes(written: &BTreeMap<PathBuf, Vec<u8>>, root: &Path) {
    // A temporary folder is its owner's alone.
    fs::set_permissions(root, fs::Permissions::from_mode(0o755)).unwrap();
    let id = NORMAL_USER.to_string();
    for (path, bytes) in written {
        let tried = "cat \"$1\"; { echo >>\"$1\"; rm -f \"$1\"; mv \"$1\" \"$1.old\"; mv \"${1%/*}\" \"${1%/*}.old\"; } 2>/dev/null";
        let user = Command::new("setpriv")
            .args(["--reuid", &id, "--regid", &id, "--clear-groups", "sh", "-c", tried, "sh"])
            .arg(path)
            .output()
            .unwrap();
        assert_eq!(&user.stdout, bytes, "{}: {user:?}", path.display());
        assert_eq!(&fs::read(path).unwrap(), bytes, "{}", path.display());
    }
}

/// Takes the files away, as an administrator does at a terminal; false where none can be made.
fn taken_away(root: &Path) -> bool {
    let line = format!(
        "'{}' init --machine --remove --yes --root '{}'",
        programs::stand_in("hook-runner").display(),
        root.display()
    );
    let removed = has_script().then(|| at_a_terminal(Call::new("/usr/bin/env"), &line, "", &[]));
    removed.is_some_and(|removed| {
        assert_eq!(removed.exit, Some(0), "{removed:?}");
        true
    })
}

/// Every file of a tree with its owner and its rights, as one number.
fn state(etc: &Path) -> Vec<u8> {
    let line = "tar --sort=name --mtime=@0 -cf - . | sha256sum";
    let sum = Command::new("sh").args(["-c", line]).current_dir(etc).output().unwrap();
    assert!(sum.status.success(), "{sum:?}");
    sum.stdout
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
        let before = state(&etc);
        let init = Command::new(hook_runner())
            .args(["init", "--machine", "--yes", "--bin", &bin, "--root"])
            .arg(&root)
            .output()
            .unwrap();
        assert!(init.status.success(), "{}", String::from_utf8_lossy(&init.stderr));
        let written = files(&etc);
        assert!(written.len() >= 5, "{written:?}");
        for (path, bytes) in &written {
            let mode = if bytes.starts_with(b"#!") { 0o755 } else { 0o644 };
            assert_eq!(path.metadata().unwrap().mode() & 0o777, mode, "{}", path.display());
        }
        no_one_else_changes(&written, &root);
        let project = project(&root);
        let script = vec![
            Turn::Shell("rm -rf .git kept".to_owned()),
            Turn::Shell("echo fine > made.txt".to_owned()),
            Turn::Text("done".to_owned()),
        ];
        let mut session = Session::new(host, &project, script);
        session.etc = Some(etc.clone());
        session.user = User::Normal;
        let owned = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
        session.user_files = USERS_SWITCHES.iter().map(owned).collect();
        match run(&driver, &session) {
            Ok(report) => {
                assert!(project.join("kept").exists(), "{host}: {report:?}");
                assert!(project.join("made.txt").exists(), "{host}: {report:?}");
                if taken_away(&root) {
                    assert_eq!(state(&etc), before, "{host}");
                }
            }
            Err(RunError::Namespace(why)) => {
                support::skipped(format_args!("{why}"));
                return;
            }
            Err(error) => panic!("{host}: {error}"),
        }
    }
}
