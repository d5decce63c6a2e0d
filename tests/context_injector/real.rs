//! The shipped configurations on the real hosts, which run if they are installed (see `tests/real_hosts`).

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::thread;

use real_hosts::{Host, Report, RunError, Session, Turn, install, run};
use tests::programs::{self, context_injector, root};

use super::scene::HEAD;

/// A configuration of ours, and the place where the host looks.
fn configuration(host: Host) -> (&'static str, &'static str) {
    match host {
        Host::Claude => ("claude-code/context-injector.json", ".claude/settings.json"),
        Host::Copilot => ("30-context-injector.json", ".github/hooks/30-context-injector.json"),
        Host::Codex => ("codex/context-injector.json", ".codex/hooks.json"),
        Host::Gemini => ("gemini-cli/context-injector.json", ".gemini/settings.json"),
    }
}

/// A repository with one commit, on a branch that no host knows, with the configuration.
fn prepare(host: Host, project: &Path) {
    fs::write(project.join("package.json"), r#"{"name":"a-name-that-only-we-tell","version":"4.5.6"}"#)
        .unwrap();
    let (from, to) = configuration(host);
    let to = project.join(to);
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    let text = fs::read_to_string(root().join("configs").join(from)).unwrap();
    // The host has to wait for the hook's answer on a machine that is twenty times slower, too.
    let patient = text.replace("\"timeout\": 10000", "\"timeout\": 80000").replace("\": 10\n", "\": 80\n");
    assert_ne!(patient, text);
    fs::write(to, patient).unwrap();
    for arguments in [
        &["init", "--quiet", "--initial-branch", "trunk"][..],
        &["add", "."],
        &["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "first"],
    ] {
        assert!(Command::new("git").args(arguments).current_dir(project).status().unwrap().success());
    }
    fs::write(project.join("a-new-file"), "x").unwrap();
}

/// The program under its own name, with time for a crowded machine.
fn patient(folder: &Path) {
    let home = folder.join("home");
    fs::create_dir_all(home.join(".config/policy-hooks")).unwrap();
    fs::write(home.join(".config/policy-hooks/context.toml"), "[context]\ngit_deadline_ms = 60000\n")
        .unwrap();
    let program = folder.join("context-injector");
    let script = format!(
        "#!/bin/sh\nHOME='{}' exec '{}' --deadline-ms 120000 \"$@\"\n",
        home.display(),
        context_injector().display()
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
}

fn play(host: Host, driver: &Path, path: &Path) -> Result<Report, RunError> {
    let project = tempfile::tempdir().unwrap();
    let folder = project.path().canonicalize().unwrap();
    prepare(host, &folder);
    let mut session = Session::new(host, &folder, vec![Turn::Text("done".to_owned())]);
    session.path = vec![path.to_owned()];
    run(driver, &session)
}

#[test]
fn the_real_hosts_show_the_facts_to_the_model() {
    let required = std::env::var_os("REAL_HOSTS").is_some_and(|value| value == "required");
    if let Some(host) = Host::ALL.into_iter().find(|host| install::installed(*host).is_none()) {
        let missing = RunError::NotInstalled(host).to_string();
        assert!(!required, "{missing}");
        eprintln!("SKIPPED: {missing}");
        return;
    }
    let driver = programs::build("real-hosts", &[]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    patient(folder.path());
    let wrong: Vec<String> = thread::scope(|scope| {
        let lanes = Host::ALL.map(|host| {
            let (driver, path) = (&driver, folder.path());
            scope.spawn(move || match play(host, driver, path) {
                Err(RunError::Namespace(why)) if !required => {
                    eprintln!("SKIPPED: {why}");
                    None
                }
                report => {
                    let report = report.unwrap();
                    let facts = [
                        HEAD,
                        "project: \"a-name-that-only-we-tell\" version \"4.5.6\"",
                        "branch: \"trunk\" at ",
                        "dirty: 0 staged, 0 modified, ",
                        "? \"a-new-file\"",
                    ];
                    let shown = |fact: &&str| report.seen.iter().any(|seen| seen.text.contains(*fact));
                    let missing: Vec<&str> = facts.iter().filter(|fact| !shown(fact)).copied().collect();
                    (!missing.is_empty()).then(|| format!("{host:?}: {missing:?} is missing: {report:?}"))
                }
            })
        });
        lanes.into_iter().filter_map(|lane| lane.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
