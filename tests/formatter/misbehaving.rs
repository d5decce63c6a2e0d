//! Formatters that hang, flood, fail, lie or leave processes behind: the file stays as it is, and nothing runs on.

use std::fs;
use std::thread;
use std::time::Duration;

use super::scene::{SQUEEZE, Scene, noticed, program, told};

const UGLY: &str = "a  b\n";

/// A process that has its signal is ended when its turn comes; whoever adopted it reaps it later still.
fn is_gone(pid: &str) -> bool {
    let state = || fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    (0..30_000).any(|_| {
        let gone = state().is_empty() || state().contains(") Z ");
        if !gone {
            thread::sleep(Duration::from_millis(1));
        }
        gone
    })
}

#[test]
fn what_cannot_be_meant_is_not_written() {
    for (title, script, says) in [
        ("prints nothing", "cat > /dev/null", "printed nothing"),
        ("prints half", "head -c 200", "half of the file"),
        ("does not read", "printf 'x\\n'", "half of the file"),
        ("prints no UTF-8", "cat; printf '\\377'", "not UTF-8 text"),
        ("prints a NUL", "cat; printf '\\000'", "no text"),
        ("is killed", "kill -9 $$", "killed by a signal"),
        ("misses a program", "exit 127", "exited with code 127"),
        ("floods", "yes", "far longer than the file"),
        ("floods 1 GB and ends well", "head -c 1000000000 /dev/zero", "far longer than the file"),
        ("is not a program", "", "printed nothing"),
    ] {
        let scene = Scene::new();
        scene.formatter("prettier", script);
        let text = UGLY.repeat(100);
        scene.write("a.ts", &text);
        let before = scene.tree();
        let answer = scene.wrote("a.ts");
        assert!(before == scene.tree(), "{title}");
        assert!(noticed(&answer).contains(says), "{title}: {answer:?}");
    }
}

#[test]
fn what_fails_is_reported_to_the_model_briefly() {
    let scene = Scene::new();
    let token = ["ghp", "_", &"a1B2c3D4e5F6".repeat(3)].concat();
    scene.formatter(
        "prettier",
        &format!("cat; echo 'a.ts: SyntaxError: at 1:3 {token}' >&2; seq 1 100000 >&2; exit 2"),
    );
    scene.write("a.ts", UGLY);
    let answer = scene.wrote("a.ts");
    let told = told(&answer);
    assert!(
        told.contains("prettier could not format a.ts") && told.contains("SyntaxError: at 1:3"),
        "{told}"
    );
    assert!(told.lines().count() == 4 && told.len() < 800 && !told.contains("a1B2c3"), "{told}");
    assert_eq!(scene.read("a.ts"), UGLY);
}

#[test]
fn what_hangs_is_ended() {
    for script in ["exec sleep 1000", "sleep 1000 & wait", "trap '' TERM INT HUP; while :; do sleep 1; done"]
    {
        let scene = Scene::new();
        let pid = scene.home().join("pid");
        scene.exact_settings("timeout_ms = 500\n");
        scene.formatter("prettier", &format!("echo $$ > '{}'; {script}", pid.display()));
        scene.write("a.ts", UGLY);
        let answer = scene.wrote("a.ts");
        assert_eq!(scene.read("a.ts"), UGLY);
        assert!(noticed(&answer).contains("did not finish within 0.5 s"), "{script}: {answer:?}");
        // On a crowded machine it may have been ended before its first word.
        if let Ok(pid) = fs::read_to_string(&pid) {
            assert!(pid.trim().is_empty() || is_gone(&pid), "{script}");
        }
    }
}

#[test]
fn no_process_stays() {
    for (script, formatted) in [
        ("sleep 1000 & echo $! > PID", true),
        ("sleep 1000 > /dev/null 2>&1 & echo $! > PID", true),
        // In a session of its own: only Linux hands such a one over.
        (
            "setsid sh -c 'echo $$ > PID; exec sleep 1000' > /dev/null 2>&1 & while [ ! -s PID ]; do sleep 0.01; done",
            true,
        ),
        (
            "(setsid sh -c 'echo $$ > PID; exec sleep 1000' > /dev/null 2>&1 &) ; while [ ! -s PID ]; do sleep 0.01; done",
            true,
        ),
    ] {
        if !cfg!(target_os = "linux") && script.contains("setsid") {
            continue;
        }
        let scene = Scene::new();
        let pid = scene.home().join("pid");
        let script = script.replace("PID", &pid.display().to_string());
        scene.formatter("prettier", &format!("{script}; {SQUEEZE}"));
        scene.write("a.ts", UGLY);
        let answer = scene.wrote("a.ts");
        assert_eq!(scene.read("a.ts") != UGLY, formatted, "{script}: {answer:?}");
        assert!(is_gone(&fs::read_to_string(&pid).unwrap()), "{script}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_that_is_held_open_is_not_used() {
    let scene = Scene::new();
    scene.exact_settings("timeout_ms = 1000\n");
    let pid = scene.home().join("pid");
    // Until it has left the group, it is ended with the group.
    let script = format!(
        "setsid sh -c 'echo $$ > {0}; exec sleep 1000' & until [ -s {0} ]; do sleep 0.01; done; cat",
        pid.display()
    );
    scene.formatter("prettier", &script);
    scene.write("a.ts", UGLY);
    let answer = scene.wrote("a.ts");
    assert_eq!(scene.read("a.ts"), UGLY);
    assert!(noticed(&answer).contains("did not finish"), "{answer:?}");
    if let Ok(pid) = fs::read_to_string(&pid) {
        assert!(pid.trim().is_empty() || is_gone(&pid));
    }
}

#[test]
fn a_formatter_that_writes_to_the_file_itself_gains_nothing_twice() {
    let scene = Scene::new();
    let path = scene.write("a.ts", UGLY);
    scene.formatter("prettier", &format!("printf 'own\\n' > '{}'; {SQUEEZE}", path.display()));
    let answer = scene.wrote("a.ts");
    assert_eq!((answer.stdout.as_str(), scene.read("a.ts").as_str()), ("{}", "own\n"));
}

#[test]
fn no_secret_and_no_folder_of_the_project_reaches_a_formatter() {
    let scene = Scene::new();
    let dump = scene.home().join("dump");
    scene.formatter("prettier", &format!("env > '{}'; {SQUEEZE}", dump.display()));
    program(&scene.project().join("bin/tr"), "touch pwned; cat");
    scene.write("a.ts", UGLY);
    let path = format!("{0}/bin:.:{1}/bin:/usr/bin:/bin", scene.project().display(), scene.home().display());
    let payload = scene.claude("a.ts");
    scene.call(&payload).env("PATH", path).env("PYTHONPATH", ".:lib").env("NODE_OPTIONS", "-r ./x").run();
    assert_eq!(scene.read("a.ts"), "a b\n");
    let environment = fs::read_to_string(dump).unwrap();
    let project = format!("{}/bin", scene.project().display());
    for part in ["do-not-pass-on", "PYTHONPATH=", "NODE_OPTIONS", project.as_str(), ":.:"] {
        assert!(!environment.contains(part), "{part} in {environment}");
    }
    assert!(!scene.project().join("pwned").exists());
}

#[test]
fn nothing_reaches_a_shell() {
    let scene = Scene::new();
    let words = scene.home().join("words");
    scene.formatter(
        "prettier",
        &format!("for w in \"$@\"; do printf '%s\\n' \"$w\" >> '{}'; done; {SQUEEZE}", words.display()),
    );
    let path = scene.write("$(touch pwned) `id`;'\".ts", UGLY);
    scene.wrote(&path);
    let expected = format!("--stdin-filepath\n{}\n", path.display());
    assert_eq!(fs::read_to_string(words).unwrap(), expected);
}

#[test]
fn a_missing_formatter_is_reported_to_the_person_once_per_session() {
    let scene = Scene::new();
    fs::remove_file(scene.home().join("bin/prettier")).unwrap();
    scene.write("a.ts", UGLY);
    scene.write("b.ts", UGLY);
    let first = scene.wrote("a.ts");
    assert!(noticed(&first).contains("prettier is not installed, but .prettierrc asks for it"), "{first:?}");
    assert_eq!(told(&first), "");
    assert_eq!(scene.wrote("b.ts").stdout, "{}");
    let mut other = scene.claude("a.ts");
    other["session_id"] = "another".into();
    assert!(noticed(&scene.call(&other).run()).contains("not installed"));
}
