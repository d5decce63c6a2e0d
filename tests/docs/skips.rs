//! A test that is left out says so: one that returns early and in silence passes where it tests nothing.

use std::fs;
use std::path::Path;

use support::programs::root;

/// Calls that say themselves why a test is left out, where they find that something is missing.
const SAY_SO: [&str; 5] = ["skipped(", "has_script()", "are_there()", "is_there(", "at_a_terminal("];

/// How many lines before a `return` may hold the reason.
const NEAR: usize = 5;

/// The lines of a source file in which a test returns without a word.
fn silent(source: &str) -> Vec<usize> {
    let lines: Vec<&str> = source.lines().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        at += 1;
        if lines[at - 1].trim() != "#[test]" {
            continue;
        }
        let indent = &lines[at - 1][..lines[at - 1].len() - lines[at - 1].trim_start().len()];
        let end = format!("{indent}}}");
        let start = at;
        while at < lines.len() && lines[at] != end {
            let left = lines[at].trim() == "return;"
                // One of a loop or a closure, further in, ends that alone, or has found what it waited for.
                && lines[at].starts_with(&format!("{indent}        return"));
            let near = &lines[start.max(at.saturating_sub(NEAR))..=at];
            if left && !near.iter().any(|line| SAY_SO.iter().any(|call| line.contains(call))) {
                found.push(at + 1);
            }
            at += 1;
        }
    }
    found
}

fn look(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(root().join(folder)).unwrap().flatten() {
        let path = folder.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            if !path.ends_with("target") {
                look(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(root().join(&path)).unwrap();
            found.extend(silent(&source).into_iter().map(|line| format!("{}:{line}", path.display())));
        }
    }
}

#[test]
fn no_test_is_left_out_in_silence() {
    let mut found = Vec::new();
    for folder in ["hooks", "shared", "tests"] {
        look(Path::new(folder), &mut found);
    }
    assert!(found.is_empty(), "say why with `support::skipped`:\n{}", found.join("\n"));
}

#[test]
fn a_silent_return_is_found() {
    let test = |why: &str| {
        format!("#[test]\nfn x() {{\n    if !there {{\n{why}        return;\n    }}\n    work();\n}}\n")
    };
    assert_eq!(silent(&test("")), [4]);
    assert_eq!(silent(&test("        support::skipped(format_args!(\"no disk\"));\n")), [0_usize; 0]);
}
