//! The workflows of GitHub run what people run, and no more than they have to.

use std::fs;

use support::programs::root;

/// Every workflow: its name and text.
fn workflows() -> Vec<(String, String)> {
    let entries = fs::read_dir(root().join(".github/workflows")).unwrap().flatten();
    entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
        .collect()
}

#[test]
fn actions_are_pinned_to_commits() {
    for (name, text) in workflows() {
        for line in text.lines().filter(|line| line.contains("uses:")) {
            let (_, commit) = line.split_once('@').unwrap_or_else(|| panic!("{name}: {line}"));
            let (commit, version) = commit.split_once(" # v").unwrap_or_else(|| panic!("{name}: {line}"));
            let hexadecimal = commit.chars().all(|letter| letter.is_ascii_hexdigit());
            assert!(commit.len() == 40 && hexadecimal && !version.is_empty(), "{name}: {line}");
        }
    }
}

#[test]
fn no_job_may_do_more_than_it_says() {
    for (name, text) in workflows() {
        assert!(text.contains("\npermissions: {}\n"), "{name}: jobs begin with every permission");
        let checkouts = text.matches("actions/checkout@").count();
        assert_eq!(text.matches("persist-credentials: false").count(), checkouts, "{name}");
        // What others choose the name of, such as a branch, is not part of a script.
        for line in text.lines().filter(|line| line.contains("run:")) {
            assert!(!line.contains("${{"), "{name}: {line}");
        }
    }
}

#[test]
fn they_run_what_people_run() {
    let all: String = workflows().into_iter().map(|(_, text)| text).collect();
    for script in [".ci/run", ".ci/release"] {
        assert!(all.contains(script) && root().join(script).exists(), "{script}");
    }
    let toolchain = |text: &str| {
        text.lines().find_map(|line| line.trim().strip_prefix("rust-version = ")).map(str::to_owned).unwrap()
    };
    let version = toolchain(&fs::read_to_string(root().join("Cargo.toml")).unwrap());
    let version = version.trim_matches('"');
    assert!(all.contains(&format!("rustup default {version}")), "{version}");
}

/// What people copy or pin names a version, too: it is this one, and the place is where packages come from.
#[test]
fn what_installs_a_release_names_this_one() {
    let version = env!("CARGO_PKG_VERSION");
    let lines = [
        ("action.yml", format!("default: {version}")),
        ("pyproject.toml", format!("version = \"{version}\"")),
        ("pyproject.toml", format!("dependencies = [\"policy-hooks=={version}\"]")),
        ("configs/copilot-cloud/copilot-setup-steps.yml", format!("VERSION: {version}")),
    ];
    for (file, line) in lines {
        let text = fs::read_to_string(root().join(file)).unwrap();
        assert!(text.lines().any(|found| found.trim() == line), "{file} lacks `{line}`");
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let place = manifest.lines().find_map(|line| line.strip_prefix("repository = \"https://github.com/"));
    let steps = fs::read_to_string(root().join("configs/copilot-cloud/copilot-setup-steps.yml")).unwrap();
    assert!(steps.contains(&format!("REPOSITORY: {}\n", place.unwrap().trim_matches('"'))));
}
