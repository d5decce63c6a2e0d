//! `policy test`: examples, their respellings, scenarios, and rules that nothing tests.

use std::fmt::Write as _;
use std::path::Path;

use clap::ArgMatches;
use payload::Hints;
use rules::Facts;
use serde_json::json;

use super::examples::{CWD, Example, HOME, example};
use super::{Done, Exit, one_line, respellings};
use crate::action::{Action, Parts};
use crate::decide::{Ruling, decide};
use crate::layers::{Source, Stack, today};
use crate::model::{Effect, Rule};
use crate::toml::{self, Item, Table, Value};

/// One thing that was tested.
#[derive(Debug)]
pub struct Outcome {
    /// The rule, or the scenario.
    pub of: String,
    /// What was tried.
    pub what: String,
    /// What is wrong; nothing if all is well.
    pub fault: Option<String>,
}

/// Everything that was tested.
#[derive(Debug, Default)]
pub struct Tested {
    /// In the order of the file.
    pub outcomes: Vec<Outcome>,
    /// Rules that no example and no scenario matches.
    pub untested: Vec<String>,
}

impl Tested {
    /// What failed.
    pub fn faults(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(|outcome| outcome.fault.is_some())
    }
}

/// Runs the examples of a file, with `mutate` also their respellings, and the scenarios in `scenarios`.
pub fn test(source: &Source, scenarios: &[(String, String)], mutate: bool) -> Tested {
    let sources = std::slice::from_ref(source);
    let stack = Stack::with_examples(sources, today());
    let mut tested = Tested::default();
    let Some(file) = stack.files.first() else { return tested };
    for error in &file.errors {
        tested.outcomes.push(Outcome {
            of: "the file".to_owned(),
            what: String::new(),
            fault: Some(error.to_string()),
        });
    }
    let mut seen: Vec<String> = Vec::new();
    for rule in &file.policy.rules {
        for (items, wanted) in [(&rule.examples.matches, true), (&rule.examples.spares, false)] {
            for item in items {
                one(&stack, rule, item, wanted, mutate && wanted, &mut tested);
            }
        }
        if !rule.examples.matches.is_empty() {
            seen.push(rule.id.clone().into_owned());
        }
    }
    for (name, text) in scenarios {
        scenario_file(&stack, name, text, &mut tested, &mut seen);
    }
    let rules = file.policy.rules.iter().map(|rule| rule.id.clone().into_owned());
    tested.untested = rules.filter(|id| !seen.contains(id)).collect();
    tested
}

fn one(stack: &Stack<'_>, rule: &Rule<'_>, item: &Item<'_>, wanted: bool, mutate: bool, tested: &mut Tested) {
    let id = || rule.id.clone().into_owned();
    let example = match example(item) {
        Ok(example) => example,
        Err(fault) => {
            return tested.outcomes.push(Outcome {
                of: id(),
                what: "an example".to_owned(),
                fault: Some(fault),
            });
        }
    };
    let matches = speaks(&ruling(stack, &example.action, example.branch), rule);
    let fault = match (wanted, matches) {
        (true, false) => Some("the rule does not match it"),
        (false, true) => Some("the rule matches it"),
        _ => None,
    };
    let what = if wanted { "match" } else { "not_match" };
    let what = format!("{what}: {}", one_line(&example.title));
    tested.outcomes.push(Outcome { of: id(), what, fault: fault.map(str::to_owned) });
    // What is allowed is meant word for word.
    let restricts = rule.effect >= Effect::Ask;
    if let (true, true, Some(command)) = (mutate && matches, restricts, example.command) {
        mutated(stack, rule, &example, command, tested);
    }
}

fn mutated(stack: &Stack<'_>, rule: &Rule<'_>, example: &Example<'_>, command: &str, tested: &mut Tested) {
    for (way, text) in respellings(command) {
        let action = Action { commands: Action::command(&text, None).commands, ..example.action.clone() };
        let escapes = !speaks(&ruling(stack, &action, example.branch), rule);
        tested.outcomes.push(Outcome {
            of: rule.id.clone().into_owned(),
            what: format!("respelled ({way}): {}", one_line(&text)),
            fault: escapes.then(|| "the rule does not match it".to_owned()),
        });
    }
}

fn ruling(stack: &Stack<'_>, action: &Action<'_>, branch: Option<&str>) -> Ruling {
    decide(stack, action, &Facts::on_paper(action.cwd.or(Some(CWD)), Some(HOME)), branch)
}

/// Whether the rule has its say.
fn speaks(ruling: &Ruling, rule: &Rule<'_>) -> bool {
    let found = |effect: Effect| {
        ruling
            .findings
            .iter()
            .any(|finding| finding.rule == rule.id && finding.effect == effect && finding.file.is_some())
    };
    match rule.effect {
        Effect::Allow => ruling.decision == Some(Effect::Allow) && found(Effect::Allow),
        Effect::Deny => found(Effect::Deny),
        effect => found(effect),
    }
}

/// A file of `[[scenario]]` with a payload and what is expected.
fn scenario_file(stack: &Stack<'_>, name: &str, text: &str, tested: &mut Tested, seen: &mut Vec<String>) {
    let (table, errors) = toml::parse(text);
    let mut report = |of: &str, what: String, fault: Option<String>| {
        tested.outcomes.push(Outcome { of: of.to_owned(), what, fault });
    };
    for error in errors {
        let (line, column) = crate::error::line_and_column(text, error.at);
        report(
            name,
            format!("line {line}, column {column}"),
            Some(format!("{} ({})", error.message, error.hint)),
        );
    }
    for entry in &table.entries {
        let Value::Array(items) = &entry.item.value else {
            report(
                name,
                entry.key.clone().into_owned(),
                Some("a scenario file holds [[scenario]] tables".to_owned()),
            );
            continue;
        };
        for item in items {
            let Value::Table(table) = &item.value else { continue };
            let title = text_of(table, "name").unwrap_or("a scenario without a name");
            let fault = scenario(stack, table, seen).err();
            report(name, title.to_owned(), fault);
        }
    }
}

fn text_of<'t>(table: &'t Table<'_>, key: &str) -> Option<&'t str> {
    let entry = table.entries.iter().find(|entry| entry.key == key)?;
    match &entry.item.value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

fn scenario(stack: &Stack<'_>, table: &Table<'_>, seen: &mut Vec<String>) -> Result<(), String> {
    if let Some(entry) = table
        .entries
        .iter()
        .find(|entry| !["name", "payload", "event", "expect", "rule"].contains(&&*entry.key))
    {
        return Err(format!("unknown key `{}`: name, payload, event, expect and rule are known", entry.key));
    }
    let payload = text_of(table, "payload").ok_or("it has no `payload`: the JSON that a host sends")?;
    let expected = text_of(table, "expect").ok_or("it has no `expect`: deny, ask, allow or none")?;
    let event = match text_of(table, "event") {
        Some(name) => Some(name.parse().map_err(|error: payload::UnknownEvent| format!("{error}"))?),
        None => None,
    };
    let event =
        payload::parse(payload.as_bytes(), Hints { host: None, event }).map_err(|error| error.to_string())?;
    let parts = Parts::of(&event);
    let action = parts.action(&event);
    let ruling = ruling(stack, &action, None);
    seen.extend(ruling.findings.iter().map(|finding| finding.rule.clone()));
    let got = ruling.answer.map_or("none", Effect::as_str);
    if got != expected {
        let why = ruling.findings.first().map_or("no rule", |finding| &finding.rule);
        return Err(format!("{expected} expected, {got} by {why}"));
    }
    match text_of(table, "rule") {
        Some(rule) if !ruling.findings.iter().any(|finding| finding.rule == rule) => {
            Err(format!("`{rule}` does not match"))
        }
        _ => Ok(()),
    }
}

pub(super) fn command(matches: &ArgMatches) -> Done {
    let mut scenarios = Vec::new();
    for path in super::paths(matches, "scenarios") {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        scenarios.push((path.display().to_string(), text));
    }
    let (mut text, mut all, mut suites) = (String::new(), Vec::new(), String::new());
    let mut exit = Exit::Fine;
    for path in super::paths(matches, "file") {
        let source = super::open(&path)?;
        let tested = test(&source, &scenarios, matches.get_flag("mutate"));
        let faults = tested.faults().count();
        if faults > 0 {
            exit = Exit::Findings;
        }
        for outcome in tested.faults() {
            let fault = outcome.fault.as_deref().unwrap_or_default();
            let what = if outcome.what.is_empty() { String::new() } else { format!(": {}", outcome.what) };
            let _ = writeln!(text, "{}: {}: {fault}{what}", path.display(), outcome.of);
        }
        let untested = match tested.untested.as_slice() {
            [] => String::new(),
            rules => format!("; nothing tests {}", rules.join(", ")),
        };
        let _ = writeln!(
            text,
            "{}: {} of {} hold{untested}",
            path.display(),
            tested.outcomes.len() - faults,
            tested.outcomes.len()
        );
        all.push(json!({
            "file": path.display().to_string(),
            "tested": tested.outcomes.len(),
            "failed": tested.faults().map(|outcome| json!({
                "rule": outcome.of, "what": outcome.what, "fault": outcome.fault,
            })).collect::<Vec<_>>(),
            "untested": tested.untested,
        }));
        suites.push_str(&junit(&path, &tested));
    }
    if let Some(file) = matches.get_one::<String>("junit") {
        let xml =
            format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n{suites}</testsuites>\n");
        std::fs::write(file, xml).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok((if matches.get_flag("json") { format!("{:#}\n", json!(all)) } else { text }, exit))
}

fn junit(path: &Path, tested: &Tested) -> String {
    let escape = |text: &str| {
        let text =
            text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>()
    };
    let mut xml = format!(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n",
        escape(&path.display().to_string()),
        tested.outcomes.len(),
        tested.faults().count()
    );
    for outcome in &tested.outcomes {
        let _ = write!(
            xml,
            "    <testcase classname=\"{}\" name=\"{}\"",
            escape(&outcome.of),
            escape(&outcome.what)
        );
        let _ = match &outcome.fault {
            Some(fault) => writeln!(xml, "><failure message=\"{}\"/></testcase>", escape(fault)),
            None => writeln!(xml, "/>"),
        };
    }
    xml.push_str("  </testsuite>\n");
    xml
}
