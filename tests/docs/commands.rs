//! Every command that a document tells people to type does something, and every option that it names is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use support::call::Call;
use support::programs::{root, stand_in};
use support::terminal::{at_a_terminal, has_script};

use super::help;
use super::{blocks, documents, path_with_ours, programs, read};

/// Options that documents name and that belong to other programs.
const FOREIGN: &[&str] = &[
    "--bootstrap-server",
    "--force-with-lease",
    "--locked",
    "--password-stdin",
    "--path",
    "--target",
    "--token",
];

/// A home, a project and the files that documents name by words in capitals.
fn desk() -> tempfile::TempDir {
    let desk = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = desk.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let starter = fs::read_to_string(root().join("configs/policies/starter.toml")).unwrap();
    for name in ["FILE", "OLD", "NEW"] {
        write(&format!("project/{name}"), &starter);
    }
    write("project/CALLS", "git push origin main\n");
    write("project/.git/HEAD", "ref: refs/heads/main\n");
    fs::create_dir(desk.path().join("elsewhere")).unwrap();
    let payload = r#"{"session_id":"1","hook_event_name":"PreToolUse","cwd":"/p","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    run(&desk, "audit-logger", Some(payload));
    desk
}

fn run(desk: &tempfile::TempDir, command: &str, input: Option<&str>) -> support::call::Answer {
    call(desk, "/bin/sh").args(["-c", command]).input(input.unwrap_or_default()).run()
}

fn call(desk: &tempfile::TempDir, program: &str) -> Call {
    Call::new(program)
        .folder(&desk.path().join("project"))
        .env("HOME", desk.path())
        .env("PATH", path_with_ours())
}

/// The part of a line before its remark.
fn command(line: &str) -> &str {
    line.split_once(" # ").map_or(line, |(command, _)| command).trim()
}

/// What is wrong with a command that a document shows, or with one of several on its line.
fn wrong(desk: &tempfile::TempDir, command: &str) -> Option<String> {
    if let Some(packages) = command.strip_prefix("pip install policy-hooks && ") {
        // `.ci/channels` installs the wheel, and goes on in the same way.
        let channels = read(".ci/channels");
        let is_tried =
            channels.contains("pip install --quiet --no-index --find-links /packages policy-hooks");
        return if is_tried {
            wrong(desk, packages)
        } else {
            Some(format!("{command}: no channel does this"))
        };
    }
    // `RECORDED=FILE cargo test`
    let assigns = |word: &&str| {
        word.split_once('=').is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase()))
    };
    let words: Vec<&str> = command.split_whitespace().skip_while(assigns).collect();
    let exists = |path: String| (!root().join(&path).exists()).then(|| format!("there is no {path}"));
    let behind = |option: &str| {
        words.iter().position(|word| *word == option).and_then(|at| words.get(at + 1)).copied()
    };
    match words[0] {
        "cargo" => cargo(&words, &behind),
        program if programs().iter().any(|(name, _)| *name == program) => {
            let elsewhere = desk.path().join("elsewhere").display().to_string();
            let mut line = command.replace("/mnt/elsewhere", &elsewhere);
            if line.contains(" ID") {
                let query = run(desk, "audit-logger query --format json", None);
                let record: serde_json::Value =
                    serde_json::from_str(query.stdout.lines().next().unwrap_or_default()).unwrap_or_default();
                line = line.replace(" ID", &format!(" {}", record["id"].as_str().unwrap_or("no-id")));
            }
            // What asks a person is answered.
            if line == "hook-runner init --user" {
                // No host is found on this desk.
                line += " --host claude";
            }
            if line.starts_with("hook-runner init ") {
                line += " --yes";
            }
            if line == "hook-runner uninstall" {
                return uninstalls(desk);
            }
            let answer = run(desk, &line, None);
            (!matches!(answer.exit, Some(0 | 1))).then(|| format!("{command}: {answer:?}"))
        }
        "(cd" | "tar" | "mkdir" => unpacking(command),
        path if path.contains('/') => exists(path.to_owned()),
        _ => Some(format!("{command}: no test knows this command")),
    }
}

/// It works for a person at a terminal, and for no one else.
fn uninstalls(desk: &tempfile::TempDir) -> Option<String> {
    if !has_script() {
        return None;
    }
    let line = format!("'{}' uninstall --yes", stand_in("hook-runner").display());
    let answer = at_a_terminal(call(desk, "/usr/bin/env"), &line, "", &[]);
    (answer.exit != Some(0)).then(|| format!("hook-runner uninstall: {answer:?}"))
}

/// What is done with an archive: CI does the same with a real one, in `.ci/without-rust`.
fn unpacking(command: &str) -> Option<String> {
    (!read(".ci/without-rust").contains(command))
        .then(|| format!("{command}: `.ci/without-rust` does not do this"))
}

/// Building takes long, and is done elsewhere: here the packages and programs only have to be there.
fn cargo<'a>(words: &[&'a str], behind: &dyn Fn(&str) -> Option<&'a str>) -> Option<String> {
    let package = behind("--package").or_else(|| behind("-p"));
    let folder = match (words[1], package) {
        ("install", _) => behind("--path").unwrap_or("nowhere").to_owned(),
        (_, Some("tests")) => "tests".to_owned(),
        (_, Some(package)) => ["hooks", "shared", "tests"]
            .map(|folder| format!("{folder}/{package}"))
            .into_iter()
            .find(|folder| root().join(folder).exists())
            .unwrap_or_else(|| package.to_owned()),
        // Without a package, cargo finds the program wherever it is.
        (_, None) => behind("--bin").map_or(".".to_owned(), |program| format!("tests/{program}")),
    };
    let manifest = root().join(&folder).join("Cargo.toml");
    let Ok(manifest) = fs::read_to_string(&manifest) else {
        return Some(format!("{words:?}: there is no {}", manifest.display()));
    };
    for kind in ["bin", "example"] {
        if let Some(name) = behind(&format!("--{kind}")) {
            let listed = manifest.contains(&format!("name = \"{name}\""))
                || Path::new(&root().join(&folder)).join("examples").join(format!("{name}.rs")).exists();
            if !listed {
                return Some(format!("{words:?}: {folder} has no {kind} {name}"));
            }
        }
    }
    (!["install", "run", "test", "build", "clippy", "fmt", "deny"].contains(&words[1]))
        .then(|| format!("{words:?}: what is that?"))
}

#[test]
fn commands_run() {
    let desk = desk();
    let mut seen = 0;
    let mut problems = Vec::new();
    for document in documents() {
        let text = read(&document);
        for line in blocks(&text, "sh").into_iter().flat_map(str::lines) {
            if command(line).is_empty() || line.starts_with('#') {
                continue;
            }
            seen += 1;
            problems.extend(wrong(&desk, command(line)).map(|problem| format!("{document}: {problem}")));
        }
        for code in inline(&text) {
            let cargo = code.starts_with("cargo ") && code.contains(" -");
            if cargo {
                problems.extend(wrong(&desk, code).map(|problem| format!("{document}: {problem}")));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
    assert!(seen >= 10, "{seen}");
}

/// What stands between two backticks of one line, outside of blocks.
fn inline(text: &str) -> Vec<&str> {
    let outside = text.split("```").step_by(2);
    outside.flat_map(str::lines).flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

/// What is wrong with a call of our programs, or an option alone, in running text.
fn unknown(code: &str) -> Option<String> {
    let all = help::all();
    let mut words = code.split_whitespace();
    let first = words.next()?;
    if !all.contains_key(first) {
        let option = first.split('=').next()?;
        let known = || all.values().any(|help| help.options.contains(option)) || FOREIGN.contains(&option);
        return (first.starts_with("--") && first.len() > 2 && !known())
            .then(|| format!("no program has {option}"));
    }
    let mut key = first.to_owned();
    for word in words {
        let option = word.split('=').next()?;
        if word == "--" {
            break;
        } else if word.starts_with("--") {
            if !all[&key].options.contains(option) {
                return Some(format!("`{code}`: {key} has no {option}"));
            }
        } else if all[&key].commands.contains(word) {
            key = format!("{key} {word}");
        } else if !all[&key].commands.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase()) {
            // The value of an option, as in `--host claude`, is not a sub-command.
            let value = code.split_whitespace().zip(code.split_whitespace().skip(1));
            if !value.clone().any(|(before, at)| at == word && before.starts_with("--")) {
                return Some(format!("`{code}`: {key} has no {word}"));
            }
        }
    }
    None
}

#[test]
fn options_and_sub_commands_are_there() {
    let mut problems = Vec::new();
    for document in documents() {
        // Rules name the options of the programs that they are about.
        if document.starts_with("shared/rules/rules/") {
            continue;
        }
        let text = read(&document);
        let block_lines = blocks(&text, "sh").into_iter().flat_map(str::lines).map(command);
        for code in inline(&text).into_iter().chain(block_lines) {
            problems.extend(unknown(code).map(|problem| format!("{document}: {problem}")));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

/// A line that puts files into place for a whole machine does so in an image: a test leaves `/etc` alone.
fn within(desk: &tempfile::TempDir, line: &str) -> String {
    // A script says so itself; so does the test, of every line.
    let line = line.replace(" --yes", "");
    if !line.contains(" --machine") || line.contains(" --out ") {
        return line;
    }
    let image = desk.path().join("image");
    fs::create_dir_all(&image).unwrap();
    format!("{line} --root '{}' --bin /usr/local/bin", image.display())
}

/// The line for each host, and for each hook, puts hooks into place where nothing is yet, on a machine that has the
/// programs.
#[test]
fn installing_is_one_line() {
    let texts: Vec<String> = documents().iter().map(|document| read(document)).collect();
    let codes = texts.iter().flat_map(|text| inline(text));
    let lines: BTreeSet<&str> =
        codes.filter(|code| code.starts_with("hook-runner init ") && !code.contains("--remove")).collect();
    assert!(lines.len() >= 12, "{lines:?}");
    for line in lines {
        let desk = desk();
        let line = &within(&desk, line);
        let answer = run(&desk, &format!("{line} --yes"), None);
        assert!(answer.exit == Some(0) && answer.stdout.contains("written"), "{line}: {answer:?}");
        let again = run(&desk, &format!("{line} --yes"), None);
        assert!(again.exit == Some(0) && !again.stdout.contains("written"), "{line}: {again:?}");
        if !has_script() {
            continue;
        }
        let (program, rest) = line.split_once(' ').unwrap();
        let stood_in = format!("'{}' {rest} --remove --yes", stand_in(program).display());
        let removed = at_a_terminal(call(&desk, "/usr/bin/env"), &stood_in, "", &[]);
        assert!(removed.exit == Some(0) && removed.stdout.contains("removed"), "{line}: {removed:?}");
    }
}

#[test]
fn unpacking_is_one_line() {
    let readme = read("README.md");
    let lines: Vec<&str> = inline(&readme).into_iter().filter(|code| code.starts_with("tar ")).collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_eq!(unpacking(lines[0]), None);
}

#[test]
fn what_is_not_there_is_found() {
    for code in [
        "hook-runner --colour",
        "hook-runner policies",
        "--no-such-option",
        "hook-runner policy test --mutat",
    ] {
        assert!(unknown(code).is_some(), "{code}");
    }
    for code in [
        "hook-runner init --user --host claude",
        "approval-gate policy test FILE --mutate",
        "git push --force",
    ] {
        assert_eq!(unknown(code), None);
    }
    let desk = desk();
    for command in [
        "cargo run -p tests --bin nothing",
        "cargo install --path hooks/nothing",
        "frobnicate",
        "hook-runner run --nothing",
        "tar -xf elsewhere.zip",
        ".ci/nothing",
    ] {
        assert!(wrong(&desk, command).is_some(), "{command}");
    }
}
