//! Commands with the decision that the built-in rules must reach: one file per family in `tests/cases`.
//!
//! A line is `deny|ask|none`, a tab, and the command, in which `␤` stands for a line break. A command for PowerShell
//! follows the prompt `PS> `, one for cmd `C:\> `. Lines that begin with `#` are comments.
//!
//! `CASES=git cargo test -p rules --test cases` takes only the files whose name begins so.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use rules::{CommandText, Decision, Facts, Language, judge, prompted};
use shell::{Surroundings, analyze_as, mark};

fn decide(line: &str) -> (&'static str, &'static str) {
    let (language, command) = prompted(line);
    let facts = Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
    let judgement = judge(&[CommandText { text: &command, language }], &facts);
    let decision = match judgement.decision {
        Some(Decision::Deny) => "deny",
        Some(Decision::Ask) => "ask",
        None => "none",
    };
    (decision, judgement.findings.first().map_or("no rule", |finding| finding.rule.id))
}

/// What the command would run, to find out why a row is decided as it is.
fn atoms(line: &str) -> String {
    let (language, command) = prompted(line);
    let surroundings = Surroundings { cwd: Some("/home/user/project"), home: Some("/home/user"), disk: None };
    let analysis = analyze_as(&command, language, surroundings);
    let atoms = analysis.atoms.iter().map(|atom| {
        let args: Vec<_> = atom.args.iter().map(|arg| mark::readable(&arg.text)).collect();
        format!("    runs {args:?} in {}\n", atom.cwd)
    });
    let notes = analysis.notes.iter().map(|note| format!("    note {:?}\n", note.kind));
    atoms.chain(notes).collect()
}

#[test]
fn every_case_is_decided_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "tsv"));
    if let Some(named) = std::env::var("CASES").ok().filter(|named| !named.is_empty()) {
        files.retain(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&named)));
    }
    files.sort();
    assert!(!files.is_empty(), "{} holds no cases", folder.display());
    let mut wrong = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        for (number, line) in std::fs::read_to_string(&file).unwrap().lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let place = format!("{name}:{}", number + 1);
            let Some((expected, command)) = line.split_once('\t') else {
                wrong.push(format!("{place}: no tab: {line}"));
                continue;
            };
            let (decision, rule) = decide(command);
            if decision != expected {
                wrong.push(format!(
                    "{place}: {expected} expected, {decision} by {rule}: {command}\n{}",
                    atoms(command)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} cases are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Lines of a file of cases that are for PowerShell or cmd, with what is expected of them.
fn windows_cases(file: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    lines.map(|(expected, line)| (expected.to_owned(), prompted(line).1)).collect()
}

/// What is decided about a string of which no one says what shell it is for, on a machine with Windows.
fn somehow(command: &str) -> Option<Decision> {
    let facts = Facts::on_paper(Some(r"C:\Users\me\project"), Some(r"C:\Users\me"));
    judge(&[CommandText { text: command, language: Language::Unknown }], &facts).decision
}

#[test]
fn a_shell_that_no_one_names_adds_few_false_alarms() {
    for file in ["windows-powershell-harmless.tsv", "windows-cmd-harmless.tsv"] {
        let cases = windows_cases(file);
        let wrong: Vec<_> =
            cases.iter().map(|(_, command)| command).filter(|command| somehow(command).is_some()).collect();
        assert!(wrong.len() * 100 <= cases.len(), "{file}: {} of {}:\n{wrong:#?}", wrong.len(), cases.len());
    }
}

#[test]
fn a_shell_that_no_one_names_hides_little() {
    for file in ["windows-powershell.tsv", "windows-cmd.tsv"] {
        let cases = windows_cases(file);
        let dangerous: Vec<_> = cases.iter().filter(|(expected, _)| expected == "deny").collect();
        let missed: Vec<_> = dangerous.iter().filter(|(_, command)| somehow(command).is_none()).collect();
        assert!(
            missed.len() * 100 <= dangerous.len() * 3,
            "{file}: {} of {}:\n{missed:#?}",
            missed.len(),
            dangerous.len()
        );
    }
}
