//! The plugins and the extension of a release, on the real hosts: installed by the host's own command from a folder, they
//! keep the same promises as what `init` writes, and uninstalled they do nothing any more.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use real_hosts::{Host, RunError, Turn, install, run};
use support::programs;

use super::promises::{Programs, Session, sessions};
use super::scene::{Scene, Shelf};
use super::setups::Setup;
use super::{is_required, is_there};

/// Each plugin of the marketplace, with its hooks.
const PLUGINS: [(&str, &[&str]); 4] = [
    ("policy-hooks", &["command-blocker"]),
    ("policy-hooks-policies", &["approval-gate"]),
    ("policy-hooks-work", &["context-injector", "formatter-trigger", "stop-guard"]),
    ("policy-hooks-audit", &["audit-logger"]),
];

const SETUPS: [Setup; 4] = [Setup::Claude, Setup::CopilotPascal, Setup::Codex, Setup::Gemini];

/// Every program, to which any test may link: trees are made of short files first, as copies of all would fill the disk.
fn trees(hooks: &[(String, PathBuf)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let bin = folder.path().join("stand-ins");
    fs::create_dir(&bin).unwrap();
    let runner = ("hook-runner".to_owned(), programs::hook_runner().to_owned());
    let all: Vec<&(String, PathBuf)> = hooks.iter().chain([&runner]).collect();
    for (name, _) in &all {
        fs::write(bin.join(name), name).unwrap();
    }
    release::plugins(&bin, folder.path()).unwrap();
    let mut folders = vec![folder.path().join("plugins"), folder.path().join("extension")];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if next.ends_with("bin") {
                let name = entry.file_name();
                let (_, program) = all.iter().find(|(other, _)| name == other.as_str()).unwrap();
                fs::remove_file(&path).unwrap();
                fs::hard_link(program, &path).or_else(|_| fs::copy(program, &path).map(drop)).unwrap();
            }
        }
    }
    folder
}

/// The host's commands that install what brings these hooks; everything, if none is named.
pub(super) fn install(host: Host, trees: &Path, hooks: &[&str]) -> Vec<Vec<String>> {
    let words = |line: &[&str]| line.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    if host == Host::Gemini {
        let extension = trees.join("extension").display().to_string();
        return vec![words(&["extensions", "install", &extension, "--consent"])];
    }
    let marketplace = trees.join("plugins").display().to_string();
    let wanted = PLUGINS
        .iter()
        .filter(|(_, own)| hooks.is_empty() || own.iter().any(|hook| hooks.contains(hook)))
        .map(|(name, _)| words(&["plugin", verb(host), &format!("{name}@policy-hooks")]));
    std::iter::once(words(&["plugin", "marketplace", "add", &marketplace])).chain(wanted).collect()
}

fn verb(host: Host) -> &'static str {
    if host == Host::Codex { "add" } else { "install" }
}

/// The host's commands that remove the guard again.
fn uninstall(host: Host) -> Vec<Vec<String>> {
    let lines: &[&[&str]] = match host {
        Host::Gemini => &[&["extensions", "uninstall", "policy-hooks"]],
        Host::Codex => &[
            &["plugin", "remove", "policy-hooks@policy-hooks"],
            &["plugin", "marketplace", "remove", "policy-hooks"],
        ],
        _ => &[
            &["plugin", "uninstall", "policy-hooks@policy-hooks"],
            &["plugin", "marketplace", "remove", "policy-hooks"],
        ],
    };
    lines.iter().map(|line| line.iter().map(|word| (*word).to_owned()).collect()).collect()
}

/// Whether a session is about what the plugins bring, with the programs that they bring. Each installs its plugins first,
/// so that the brief ones stand for all unless a host is named.
fn is_for(setup: Setup, session: &Session, is_named: bool) -> bool {
    let brought = |hook: &&str| !matches!(*hook, "approval-gate" | "audit-logger");
    (session.is_brief || is_named)
        && session.programs == Programs::Shipped
        && !session.full_disk
        && (setup != Setup::Gemini || !session.hooks.is_empty() && session.hooks.iter().all(brought))
}

#[test]
fn plugins_keep_what_is_promised() {
    let required = is_required(Host::Claude);
    let wanted = std::env::var("HOSTS").unwrap_or_default();
    let is_wanted = |host: Host| wanted.is_empty() || wanted.split(',').any(|name| name == host.name());
    let setups: Vec<Setup> =
        SETUPS.into_iter().filter(|setup| is_wanted(setup.host()) && is_there(setup.host())).collect();
    if setups.is_empty() {
        return;
    }
    let hooks = if required { programs::shipped_hooks() } else { programs::hooks() };
    let (trees, shelf, driver) = (trees(&hooks), Shelf::new(&hooks), programs::real_hosts());
    let mut broken = String::new();
    let mut held = 0;
    for setup in setups {
        for session in sessions().filter(|session| is_for(setup, session, !wanted.is_empty())) {
            let (scene, report) = match Scene::play(setup, session, &driver, &shelf, Some(trees.path())) {
                Err(RunError::Namespace(why)) if !required => {
                    support::skipped(format_args!("{why}"));
                    return;
                }
                played => played.unwrap(),
            };
            for promise in session.promises {
                match promise.holds(setup, &report, &scene) {
                    Ok(_) => held += 1,
                    Err(why) => {
                        let _ =
                            write!(broken, "\n{}: {}: {}: {why}", setup.title(), promise.hook, promise.title);
                    }
                }
            }
        }
    }
    assert!(broken.is_empty(), "{held} held, and: {broken}");
}

#[test]
fn what_is_uninstalled_does_nothing_any_more() {
    let hooks = programs::hooks();
    let hosts: Vec<Setup> = SETUPS.into_iter().filter(|setup| is_there(setup.host())).collect();
    if hosts.is_empty() {
        return;
    }
    let (trees, driver) = (trees(&hooks), programs::real_hosts());
    for setup in hosts {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().canonicalize().unwrap().join("project");
        setup.prepare(&project);
        let host = setup.host();
        let script = vec![Turn::Shell("find .git -delete".to_owned()), Turn::Text("done".to_owned())];
        let mut session = real_hosts::Session::new(host, &project, script);
        session.before = install(host, trees.path(), &["command-blocker"]);
        session.before.extend(uninstall(host));
        match run(&driver, &session) {
            Ok(report) => assert!(!project.join(".git").exists(), "{host}: {report:?}"),
            Err(RunError::Namespace(why)) => return support::skipped(format_args!("{why}")),
            Err(error) => panic!("{host}: {error}"),
        }
    }
}

#[test]
fn claude_code_finds_nothing_wrong_with_the_plugins() {
    if !is_there(Host::Claude) {
        return;
    }
    let trees = trees(&programs::hooks());
    let home = tempfile::tempdir().unwrap();
    let plugins = trees.path().join("plugins");
    let own = PLUGINS.iter().map(|(name, _)| plugins.join("plugins").join(name));
    for folder in std::iter::once(plugins.clone()).chain(own) {
        let output = Command::new(install::installed(Host::Claude).unwrap())
            .args(["plugin", "validate", "--strict"])
            .arg(&folder)
            .env("HOME", home.path())
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && said.contains("Validation passed"),
            "{}: {said}",
            folder.display()
        );
    }
}
