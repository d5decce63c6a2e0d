//! Ways in which a script can bring a value to a call that deletes: `tests/cases/forms`, a table for each language.
//!
//! A table says what its script is called (`file`), how it is run (`run`), two values (`value`: one whose deletion is
//! denied, one that is made again), what stands around the code (`frame`), and the calls that delete (`sink`, with `EXPR`
//! for their argument). Each `form` is code with `VALUE` for the value and `SINK(…)` for the call; where the frame has a
//! place of its own for the top of a file, that comes first, up to `%%`. After a line `--- PATH` comes another file. Every form is tried with every call and with both
//! values: the first one must be denied, the other one must go without a word.
//!
//! `form ask NAME` is a form in which the value is not followed, so that a person is asked about the harmless one, too.
//!
//! `CASES=python cargo test -p rules --test forms` takes only the tables whose name begins so.
#![allow(clippy::unwrap_used)]

mod paper;

use std::path::Path;

use paper::{Committed, Paper, word};

/// A table of one language.
#[derive(Default)]
struct Table {
    file: String,
    run: String,
    values: [String; 2],
    frame: String,
    sinks: Vec<String>,
    forms: Vec<Form>,
}

struct Form {
    name: String,
    /// What must be decided about the two values.
    expected: [&'static str; 2],
    code: String,
}

impl Table {
    fn read(text: &str) -> Self {
        let mut table = Self::default();
        let mut in_frame = false;
        for line in text.lines() {
            let (key, rest) = line.split_once('\t').unwrap_or((line, ""));
            match key {
                "file" => rest.clone_into(&mut table.file),
                "run" => rest.clone_into(&mut table.run),
                "value" => {
                    let (first, second) = rest.split_once('\t').unwrap();
                    table.values = [first.to_owned(), second.to_owned()];
                }
                "frame" => in_frame = true,
                "sink" => {
                    in_frame = false;
                    table.sinks.push(rest.to_owned());
                }
                "form" => {
                    let (name, expected) = match rest.strip_prefix("ask ") {
                        Some(name) => (name, ["ask", "ask"]),
                        None => (rest, ["deny", "none"]),
                    };
                    table.forms.push(Form { name: name.to_owned(), expected, code: String::new() });
                }
                _ => {
                    let code =
                        if in_frame { &mut table.frame } else { &mut table.forms.last_mut().unwrap().code };
                    code.extend([line, "\n"]);
                }
            }
        }
        table
    }

    /// The files of a form: its script, and what stands beside it.
    fn files(&self, form: &Form, sink: &str, value: &str) -> Vec<(String, String)> {
        let mut parts = form.code.split("--- ");
        let own = parts.next().unwrap();
        let (top, main) = own.split_once("%%\n").unwrap_or((own, ""));
        let whole = self.frame.replace("TOP\n", top).replace("MAIN\n", main);
        let others = parts.map(|part| part.split_once('\n').unwrap());
        std::iter::once((self.file.as_str(), &*whole))
            .chain(others)
            .map(|(path, code)| (path.to_owned(), with_sink(code, sink).replace("VALUE", value)))
            .collect()
    }
}

/// Code with each `SINK(…)` written as the call.
fn with_sink(code: &str, sink: &str) -> String {
    let mut rest = code;
    let mut whole = String::new();
    while let Some((before, after)) = rest.split_once("SINK(") {
        let mut depth = 1;
        let end = after.char_indices().find_map(|(at, c)| {
            depth += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            (depth == 0).then_some(at)
        });
        let end = end.unwrap();
        whole.push_str(before);
        whole.push_str(&sink.replace("EXPR", &after[..end]));
        rest = &after[end + 1..];
    }
    whole + rest
}

#[test]
fn a_value_reaches_a_call_in_whatever_form() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/forms");
    let named = std::env::var("CASES").unwrap_or_default();
    let mut wrong = Vec::new();
    let mut tried = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let language = path.file_stem().unwrap().to_string_lossy().into_owned();
        if !language.starts_with(&named) {
            continue;
        }
        let table = Table::read(&std::fs::read_to_string(&path).unwrap());
        for form in &table.forms {
            for (value, expected) in table.values.iter().zip(form.expected) {
                for sink in &table.sinks {
                    tried += 1;
                    let mut disk = Paper::default();
                    for (path, code) in table.files(form, sink, value) {
                        disk.put(&path, code);
                    }
                    let judgement = disk.judge(&table.run, &Committed(None));
                    let decision = word(judgement.decision);
                    // Where a person is asked about the harmless value, the other one may be denied all the same.
                    let is_stricter = expected == "ask" && decision == "deny" && *value == table.values[0];
                    if decision != expected && !is_stricter {
                        let by = judgement.findings.first();
                        let by = by.map_or("no rule".to_owned(), |found| {
                            format!("{} ({})", found.rule.id, found.evidence)
                        });
                        wrong.push(format!(
                            "{language}: {}: {value} with {sink}: {expected} expected, {decision} by {by}",
                            form.name
                        ));
                    }
                }
            }
        }
    }
    assert!(tried > 0, "no table begins with {named}");
    wrong.sort();
    assert!(wrong.is_empty(), "{} of {tried} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
