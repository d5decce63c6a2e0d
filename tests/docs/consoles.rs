//! Console blocks show what the programs print.

use support::call::Call;

use super::{documents, path_with_ours, read, renew};

const OPEN: &str = "```console\n";

/// A console block as it should read: each command with what it prints, in a folder of its own.
pub(super) fn played(console: &str) -> String {
    let scratch = tempfile::tempdir().unwrap();
    let mut text = String::new();
    for command in console.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let answer = Call::new("/bin/sh")
            .args(["-c", command])
            .folder(scratch.path())
            .env("PATH", path_with_ours())
            .run();
        let printed = format!("{}{}", answer.stderr, answer.stdout);
        text += &["$ ", command, "\n", printed.trim_end(), "\n"].concat();
    }
    // Blanks at ends of lines are no one's meaning, and editors take them away.
    text.lines().fold(String::new(), |text, line| text + line.trim_end() + "\n")
}

#[test]
fn consoles_show_what_the_programs_print() {
    let mut count = 0;
    for document in documents() {
        if !read(&document).contains(OPEN) {
            continue;
        }
        renew(&document, |text| {
            let (first, rest) = text.split_once(OPEN).unwrap();
            let mut renewed = first.to_owned();
            for part in rest.split(OPEN) {
                let (console, after) = part.split_once("```").unwrap();
                renewed += &[OPEN, &played(console), "```", after].concat();
                count += 1;
            }
            renewed
        });
    }
    assert!(count > 5, "{count}");
}

#[test]
fn a_console_that_lies_is_found() {
    let played = played("$ command-blocker --version\ncommand-blocker 0.0.0\n");
    assert_eq!(played, format!("$ command-blocker --version\ncommand-blocker {}\n", program::VERSION));
}
