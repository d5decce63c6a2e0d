//! The files that start a run, by the programs that read them where these are here.

use std::fs;
use std::process::Command;

use support::programs::root;

/// A file of `configs/ship`.
fn file(name: &str) -> String {
    fs::read_to_string(root().join("configs/ship").join(name)).unwrap()
}

#[test]
fn systemd_takes_the_units() {
    let there = Command::new("systemd-analyze").arg("--version").output();
    if !there.is_ok_and(|output| output.status.success()) {
        support::skipped(format_args!("systemd-analyze is not here"));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["policy-hooks-ship.service", "policy-hooks-ship.timer"] {
        fs::write(folder.path().join(name), file(name)).unwrap();
    }
    let checked = Command::new("systemd-analyze")
        .args(["verify", "--man=no", "--recursive-errors=no"])
        .arg(folder.path().join("policy-hooks-ship.timer"))
        .arg(folder.path().join("policy-hooks-ship.service"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success() && !said.contains("policy-hooks-ship"), "{said}");
}

#[test]
fn lists_and_tasks_are_well_formed() {
    let script = "import sys, plistlib, xml.dom.minidom as m
p = plistlib.load(open(sys.argv[1], 'rb'))
assert p['ProgramArguments'][1:] == ['log', 'ship'] and p['StartInterval'] == 300, p
t = m.parse(sys.argv[2])
assert t.documentElement.tagName == 'Task'
assert t.getElementsByTagName('Arguments')[0].firstChild.data == 'log ship'";
    let folder = root().join("configs/ship");
    let checked = Command::new("python3")
        .args(["-c", script])
        .args([folder.join("com.policy-hooks.ship.plist"), folder.join("policy-hooks-ship.xml")])
        .output()
        .unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

#[test]
fn a_line_of_cron_has_five_times_and_the_command() {
    let text = file("crontab");
    let line = text.lines().find(|line| !line.starts_with('#')).unwrap();
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(words[5..8], ["hook-runner", "log", "ship"]);
    assert!(words[..5].iter().all(|word| word.starts_with('*')), "{line}");
}

#[test]
fn the_settings_are_read_without_a_mistake() {
    let path = root().join("configs/ship/audit.toml");
    let mistakes = ::audit::settings_mistakes(&path, store::settings::Layer::User);
    assert_eq!(
        mistakes.map(|mistakes| mistakes.iter().map(ToString::to_string).collect::<Vec<_>>()),
        Some(vec![])
    );
}
