//! What a shell command is for, as far as its first words tell: hosts do not ask about one that only reads.

use crate::tools::Use;

/// Commands that only change files. [docs] claude-code-docs ec68a5b2: `acceptEdits` is for these as well.
const EDIT: [&str; 7] = ["cp", "mkdir", "mv", "rm", "rmdir", "sed", "touch"];

/// Commands that only read, to every host that looks into commands. [run] Claude Code's `s_manual` and `all_gated`, Copilot
/// CLI's `s_default`.
pub(crate) const READING: &[&str] = &[
    "cat",
    "cd",
    "cut",
    "date",
    "df",
    "diff",
    "du",
    "echo",
    "file",
    "find",
    "grep",
    "head",
    "hostname",
    "id",
    "ls",
    "pwd",
    "sort",
    "stat",
    "tail",
    "tree",
    "true",
    "uname",
    "wc",
    "which",
    "whoami",
    "git diff",
    "git log",
    "git show",
    "git status",
];

/// What a command is for to a host that knows these commands as ones that only read; [`Use::Shell`] where it does not know.
pub(crate) fn purpose(reading: &[&[&str]], command: &str) -> Use {
    // What is only known at run time may be anything.
    if command.contains(['$', '`', '(', '<', '\\']) {
        return Use::Shell;
    }
    let mut purpose = Use::Other;
    for simple in command.split([';', '|', '&', '\n']).map(str::trim).filter(|simple| !simple.is_empty()) {
        let mut words = simple.split_whitespace();
        let first = match (words.next().unwrap_or_default(), words.next()) {
            ("git", Some(second)) => &*format!("git {second}"),
            (first, _) => first,
        };
        // It starts and deletes whatever it is asked to.
        let acts = ["-exec", "-ok", "-delete"].iter().any(|word| simple.contains(word));
        let reads = reading.iter().any(|words| words.contains(&first)) && !(first == "find" && acts);
        if EDIT.contains(&first) || reads && simple.contains('>') {
            // Only what is changed in the project is an edit to a host.
            let outside =
                |word: &str| word.starts_with(['/', '~']) && word != "/dev/null" || word.contains("..");
            if simple.split([' ', '>']).any(outside) {
                return Use::Shell;
            }
            purpose = Use::Edit;
        } else if !reads {
            return Use::Shell;
        }
    }
    purpose
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_tell() {
        for (command, expected) in [
            ("echo hi", Use::Other),
            ("ls -la; cat there.txt | wc", Use::Other),
            ("echo ran > ran.txt; echo done", Use::Edit),
            ("mkdir a && touch a/b", Use::Edit),
            ("rm -rf ./victim; echo done", Use::Edit),
            ("echo a > /tmp/b", Use::Shell),
            ("make > log", Use::Shell),
            ("git status; git push", Use::Shell),
            ("find . -name x", Use::Other),
            ("find . -delete", Use::Shell),
            ("exit 3", Use::Shell),
            ("echo $(rm x)", Use::Shell),
        ] {
            assert_eq!(purpose(&[READING], command), expected, "{command}");
        }
    }
}
