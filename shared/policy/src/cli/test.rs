//! `policy test`: examples, their respellings, scenarios, and rules that nothing tests.

use std::fmt::Write as _;
use std::path::Path;

use clap::ArgMatches;
use payload::Hints;
use rules::Facts;
use serde_json::json;

use super::examples::{CWD, HOME, example};
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
    let Some(file) = stack.files.first() else { return Tested::default() };
    let mut bench = Bench { stack: &stack, mutate, seen: Vec::new(), outcomes: Vec::new() };
    for error in &file.errors {
        bench.report("the file", String::new(), Some(error.to_string()));
    }
    screen::each(&format!("testing {}", source.path.display()), &file.policy.rules, |rule| {
        for (items, wanted) in [(&rule.examples.matches, true), (&rule.examples.spares, false)] {
            for item in items {
                bench.example(rule, item, wanted);
            }
        }
        if !rule.examples.matches.is_empty() {
            bench.seen.push(rule.id.clone().into_owned());
        }
    });
    for (name, text) in scenarios {
        bench.scenario_file(name, text);
    }
    let rules = file.policy.rules.iter().map(|rule| rule.id.clone().into_owned());
    let untested = rules.filter(|id| !bench.seen.contains(id)).collect();
    Tested { outcomes: bench.outcomes, untested }
}

/// A policy under test, and what came of it so far.
struct Bench<'s> {
    stack: &'s Stack<'s>,
    /// Whether examples are respelled, too.
    mutate: bool,
    /// Rules that something has matched.
    seen: Vec<String>,
    outcomes: Vec<Outcome>,
}

impl Bench<'_> {
    fn report(&mut self, of: &str, what: String, fault: Option<String>) {
        self.outcomes.push(Outcome { of: of.to_owned(), what, fault });
    }

    fn example(&mut self, rule: &Rule<'_>, item: &Item<'_>, wanted: bool) {
        let example = match example(item) {
            Ok(example) => example,
            Err((_, fault)) => {
                let fault = format!("{fault} ({})", fault.hint());
                return self.report(&rule.id, "an example".to_owned(), Some(fault));
            }
        };
        let matches = speaks(&ruling(self.stack, &example.action), rule);
        let fault = match (wanted, matches) {
            (true, false) => Some("the rule does not match it"),
            (false, true) => Some("the rule matches it"),
            _ => None,
        };
        let what = if wanted { "match" } else { "not_match" };
        let what = format!("{what}: {}", one_line(&example.title));
        self.report(&rule.id, what, fault.map(str::to_owned));
        // What is allowed is meant word for word.
        let restricts = rule.effect >= Effect::Ask;
        if self.mutate
            && wanted
            && matches
            && restricts
            && let Some(command) = example.command
        {
            self.respelled(rule, &example.action, command);
        }
    }

    fn respelled(&mut self, rule: &Rule<'_>, example: &Action<'_>, command: &str) {
        for (way, text) in respellings(command) {
            let action = Action { commands: Action::command(&text, None).commands, ..example.clone() };
            let escapes = !speaks(&ruling(self.stack, &action), rule);
            let what = format!("respelled ({way}): {}", one_line(&text));
            self.report(&rule.id, what, escapes.then(|| "the rule does not match it".to_owned()));
        }
    }

    /// A file of `[[scenario]]` with a payload and what is expected.
    fn scenario_file(&mut self, name: &str, text: &str) {
        let (table, errors) = toml::parse(text);
        for error in errors {
            let (line, column) = crate::error::line_and_column(text, error.at);
            self.report(
                name,
                format!("line {line}, column {column}"),
                Some(format!("{} ({})", error.message, error.hint)),
            );
        }
        for entry in &table.entries {
            let Value::Array(items) = &entry.item.value else {
                self.report(
                    name,
                    entry.key.clone().into_owned(),
                    Some("a scenario file contains [[scenario]] tables".to_owned()),
                );
                continue;
            };
            for item in items {
                let Value::Table(table) = &item.value else { continue };
                let title = text_of(table, "name").unwrap_or("a scenario without a name");
                let fault = self.scenario(table).err();
                self.report(name, title.to_owned(), fault);
            }
        }
    }

    fn scenario(&mut self, table: &Table<'_>) -> Result<(), String> {
        if let Some(entry) = table
            .entries
            .iter()
            .find(|entry| !["name", "payload", "event", "expect", "rule"].contains(&&*entry.key))
        {
            return Err(format!(
                "unknown key `{}`: name, payload, event, expect and rule are known",
                entry.key
            ));
        }
        let payload = text_of(table, "payload").ok_or("it has no `payload`: the JSON that a host sends")?;
        let expected =
            text_of(table, "expect").ok_or("it has no `expect`: deny, ask, keep, allow or none")?;
        let event = match text_of(table, "event") {
            Some(name) => Some(name.parse().map_err(|error: payload::UnknownEvent| format!("{error}"))?),
            None => None,
        };
        let event = payload::parse(payload.as_bytes(), Hints { host: None, event })
            .map_err(|error| error.to_string())?;
        let parts = Parts::of(&event);
        let action = parts.action(&event);
        let ruling = ruling(self.stack, &action);
        self.seen.extend(ruling.findings.iter().map(|finding| finding.rule.clone()));
        // As the host would get it, since a scenario gives the host's own payload.
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
}

fn ruling(stack: &Stack<'_>, action: &Action<'_>) -> Ruling {
    decide(stack, action, &Facts::on_paper(action.cwd.or(Some(CWD)), Some(HOME)))
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
        // A finding alone is not enough: one part may be allowed and the call still held back.
        Effect::Allow => ruling.decision == Some(Effect::Allow) && found(Effect::Allow),
        Effect::Deny => found(Effect::Deny),
        effect => found(effect),
    }
}

fn text_of<'t>(table: &'t Table<'_>, key: &str) -> Option<&'t str> {
    let entry = table.entries.iter().find(|entry| entry.key == key)?;
    match &entry.item.value {
        Value::Text(text) => Some(text),
        _ => None,
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
            let what = if outcome.what.is_empty() { String::new() } else { format!("{}: ", outcome.what) };
            let _ = writeln!(text, "{}: {}: {what}{fault}", path.display(), outcome.of);
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
        // XML 1.0 cannot write most control characters, not even escaped.
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
