//! What commands run out of files, with the decision that the built-in rules must reach: `tests/cases/files`.
//!
//! A group begins with files, each after a line `--- PATH`; `PATH` is seen from the folder of the project. After a line
//! `---` come its commands: `deny|ask|none`, a tab, the command (`␤` for a line break, prompts as in the other tables), and
//! after another tab, where it is given, the file and line that the finding must name. `team ` in front of the decision
//! says that all files of the group are committed and unchanged.
//!
//! `CASES=shell cargo test -p rules --test files` takes only the files whose name begins so.
#![allow(clippy::unwrap_used)]

mod paper;

use std::path::Path;

use paper::{Committed, Paper, word};

/// A group of the table that is being read.
#[derive(Default)]
struct Group {
    disk: Paper,
    /// The file whose lines are read.
    open: Option<String>,
    /// Whether rows have been read, after which a file begins the next group.
    judged: bool,
}

impl Group {
    /// Takes a line that belongs to a file. `false` for rows.
    fn takes(&mut self, line: &str) -> bool {
        if let Some(path) = line.strip_prefix("--- ") {
            if std::mem::take(&mut self.judged) {
                self.disk.0.clear();
            }
            self.open = Some(self.disk.put(path, String::new()));
            return true;
        }
        if line == "---" {
            self.open = None;
            return true;
        }
        let Some(file) = self.open.as_ref().and_then(|path| self.disk.0.get_mut(path)) else { return false };
        file.push_str(line);
        file.push('\n');
        true
    }

    /// What is wrong with a row.
    fn wrong(&mut self, row: &str) -> Option<String> {
        self.judged = true;
        let mut columns = row.split('\t');
        let (expected, Some(command)) = (columns.next()?, columns.next()) else {
            return Some(format!("no tab: {row}"));
        };
        let (team, expected) = match expected.strip_prefix("team ") {
            Some(expected) => (true, expected),
            None => (false, expected),
        };
        let judgement =
            self.disk.judge(command, if team { &Committed(Some(true)) } else { &Committed(None) });
        let decision = word(judgement.decision);
        let finding = judgement.findings.first();
        let (rule, evidence) =
            finding.map_or(("no rule", ""), |finding| (finding.rule.id, &finding.evidence));
        if decision != expected {
            return Some(format!("{expected} expected, {decision} by {rule} ({evidence}): {command}"));
        }
        let place = columns.next().filter(|place| !place.is_empty())?;
        (!evidence.starts_with(place)).then(|| format!("at {place} expected, at {evidence}: {command}"))
    }
}

#[test]
fn what_a_file_does_is_decided_as_if_it_were_typed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/files");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    if let Some(named) = std::env::var("CASES").ok().filter(|named| !named.is_empty()) {
        files.retain(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&named)));
    }
    files.sort();
    assert!(!files.is_empty(), "{} holds no cases", folder.display());
    let mut wrong = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let mut group = Group::default();
        for (number, line) in std::fs::read_to_string(&file).unwrap().lines().enumerate() {
            // In a file, a line that begins with `#` is the file's.
            let comment = group.open.is_none() && (line.trim().is_empty() || line.starts_with('#'));
            if comment || group.takes(line) {
                continue;
            }
            wrong.extend(group.wrong(line).map(|problem| format!("{name}:{}: {problem}", number + 1)));
        }
    }
    assert!(wrong.is_empty(), "{} cases are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
