//! Measures the built-in rules on files of labelled commands.
//!
//! `cargo run --release -p rules --example measure -- [--misses] FILE.jsonl…`
//!
//! A line is `{"command": …, "shell": "bash", "expect": "deny|ask|allow", "severity": …, "category": …}`.

use std::collections::BTreeMap;
use std::rc::Rc;

use rules::{CommandText, Decision, Facts, Language, judge};
use serde_json::Value;

/// A disk on which nothing lies: what a line writes itself is looked for there.
#[derive(Debug)]
struct Empty;

impl shell::Disk for Empty {
    fn read(&self, _: &str) -> shell::Found {
        shell::Found::Nothing
    }

    fn list(&self, _: &str) -> Vec<shell::Entry> {
        Vec::new()
    }
}

#[expect(clippy::print_stdout, reason = "its output is its purpose")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut misses = false;
    for argument in std::env::args().skip(1) {
        if argument == "--misses" {
            misses = true;
            continue;
        }
        let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
        for line in std::fs::read_to_string(&argument)?.lines() {
            let row: Value = serde_json::from_str(line)?;
            let field = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or("");
            let language = match field("shell") {
                "powershell" => Language::PowerShell,
                "cmd" => Language::Cmd,
                _ => Language::Posix,
            };
            let command = field("command");
            let facts = Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
            let facts = facts.with_scripts(Rc::new(Empty));
            let judgement = judge(&[CommandText { text: command, language }], &facts);
            let column = match judgement.decision {
                Some(Decision::Deny) => 0,
                Some(Decision::Ask) => 1,
                None => 2,
            };
            let expect = field("expect");
            let category = if argument.contains("tldr") {
                ""
            } else {
                field("category").split(':').next().unwrap_or("")
            };
            counts.entry(format!("{expect:6}{category:14}{}", field("severity"))).or_default()[column] += 1;
            let wrong = match expect {
                "deny" => column != 0,
                "ask" => column == 2,
                _ => column != 2,
            };
            if misses && wrong {
                let got = ["DENY", "ask", "-"][column];
                let rule = judgement.findings.first().map_or("", |finding| finding.rule.id);
                println!(
                    "{got:5}{:12}{:24}{rule:28}{}",
                    field("severity"),
                    field("category"),
                    command.replace('\n', "␤")
                );
            }
        }
        println!("{argument}: deny / ask / none");
        for (key, [deny, ask, none]) in counts {
            println!("  {key:36}{deny:6}{ask:6}{none:6}");
        }
    }
    Ok(())
}
