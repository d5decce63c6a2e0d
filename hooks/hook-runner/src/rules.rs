//! `rules`: the built-in rules, from the same table that decides.

use std::fmt::Write as _;

use ::rules::{Family, Language, Rule, Severity, families, rule};
use serde_json::{Value, json};

use crate::Done;
use crate::command_line::RulesOptions;
use crate::fault::{Exit, Fault};
use crate::paint::{Screen, Tone, block, columns, paint, width, wrapped};

/// How many examples of each kind are shown.
const EXAMPLES: usize = 6;

/// `hook-runner rules`.
pub(crate) fn rules(options: &RulesOptions, screen: &Screen) -> Done {
    let family = |name: &str| families().iter().find(|family| family.id == name);
    let found = match options.name.as_deref() {
        None => Found::All,
        Some(name) => match (family(name), rule(name)) {
            (Some(family), _) => Found::Family(family),
            (None, Some(rule)) => Found::Rule(rule),
            (None, None) => return Err(unknown(name)),
        },
    };
    let text = if options.json { format!("{:#}\n", found.json()) } else { found.text() };
    screen.say(&text)?;
    Ok(Exit::Fine)
}

/// What is to be shown.
enum Found {
    All,
    Family(&'static Family),
    Rule(&'static Rule),
}

impl Found {
    fn text(&self) -> String {
        match self {
            Self::All => all(),
            Self::Family(family) => one_family(family),
            Self::Rule(rule) => one_rule(rule),
        }
    }

    fn json(&self) -> Value {
        let rules: Vec<Value> = match self {
            Self::All => families().iter().flat_map(|family| family.rules).map(machine).collect(),
            Self::Family(family) => family.rules.iter().map(machine).collect(),
            Self::Rule(rule) => vec![machine(rule)],
        };
        json!({"version": 1, "rules": rules})
    }
}

fn all() -> String {
    let row = |family: &&'static Family| {
        vec![
            (Tone::Name, family.id.to_owned()),
            (Tone::Quiet, family.rules.len().to_string()),
            (Tone::Plain, family.title.to_owned()),
        ]
    };
    let rows: Vec<_> = families().iter().map(row).collect();
    let count: usize = families().iter().map(|family| family.rules.len()).sum();
    format!(
        "{}\n{}\n{}",
        paint(Tone::Strong, format!("{count} rules in {} families", families().len())),
        columns(&rows, "  "),
        "hook-runner rules FAMILY lists its rules, hook-runner rule ID shows one.\n"
    )
}

fn one_family(family: &Family) -> String {
    let mut text = format!("{}\n", paint(Tone::Strong, format!("{}: {}", family.id, family.title)));
    for rule in family.rules {
        let _ = writeln!(text, "\n{}\n  {}", paint(Tone::Name, rule.id), severity(rule));
        text += &block(&wrapped(rule.reason, width() - 2), "  ", 8);
    }
    text
}

fn one_rule(rule: &'static Rule) -> String {
    let mut text = format!("{}\n{}\n\n", paint(Tone::Name, rule.id), severity(rule));
    text += &block(&wrapped(rule.reason, width()), "", 8);
    let _ = writeln!(text, "{}", paint(Tone::Strong, "Instead"));
    text += &block(&wrapped(rule.instead, width() - 2), "  ", 8);
    text += &examples("Matches", rule.matches);
    text += &examples("Leaves alone", rule.spares);
    if let Some(table) = rule.when.table() {
        let lines = table.rows().filter(|row| !row.ends_with(':')).count();
        let more = format!(
            "{lines} lines of calls, which a policy may copy: `hook-runner rules {} --json`.",
            rule.id
        );
        let _ = writeln!(text, "\n{}", paint(Tone::Strong, "Looks for"));
        text += &block(&wrapped(&more, width() - 2), "  ", 8);
    }
    let _ = writeln!(text, "\n{}", paint(Tone::Strong, "Exceptions"));
    text += &block(&wrapped(exceptions(rule), width() - 2), "  ", 8);
    text
}

/// What a person can do about a rule that is in the way.
fn exceptions(rule: &Rule) -> &'static str {
    if rule.is_locked() {
        "None: it protects these hooks. Run the command yourself, in a terminal of your own."
    } else if rule.once() {
        "One call: `hook-runner approve CODE`, with the code in the denial. For longer: an exception with a reason and a \
         date in a policy. Or run the command yourself, in a terminal of your own."
    } else {
        "Only a machine's policy can make one. Run the command yourself, in a terminal of your own."
    }
}

fn severity(rule: &Rule) -> String {
    let (tone, happens) = match rule.severity {
        Severity::Risky => (Tone::Warn, "asked about; denied where no one can answer"),
        Severity::Destructive | Severity::Catastrophic => (Tone::Bad, "denied"),
    };
    format!("{}: {happens}", paint(tone, rule.severity.name()))
}

/// Examples after the prompt of their shell, from all over the list: neighbours resemble each other.
fn examples(title: &str, text: &'static str) -> String {
    let all: Vec<(Language, String)> = Rule::examples(text).collect();
    let count = all.len().min(EXAMPLES);
    let mut shown = format!("\n{}\n", paint(Tone::Strong, title));
    for (language, command) in (0..count).map(|index| &all[index * all.len() / count]) {
        let prompt = match language {
            Language::PowerShell => "PS> ",
            Language::Cmd => "C:\\> ",
            _ => "$ ",
        };
        shown += &block(&wrapped(&format!("{prompt}{command}"), width() - 2), "  ", 8);
    }
    shown
}

fn machine(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "severity": rule.severity.name(),
        "reason": rule.reason,
        "instead": rule.instead,
        "approvable": rule.once(),
        "calls": rule.when.table().map(|table| table.rows().collect::<Vec<_>>()),
    })
}

/// A name that is neither, with what it most resembles.
fn unknown(name: &str) -> Fault {
    let ids = families().iter().flat_map(|family| family.rules.iter().map(|rule| rule.id).chain([family.id]));
    let closest = ids
        .map(|id| (strsim::jaro_winkler(id, name), id))
        .filter(|(alike, _)| *alike > 0.8)
        .max_by(|one, other| one.0.total_cmp(&other.0));
    let hint = match closest {
        Some((_, id)) => format!("Did you mean {id}?"),
        // Rules of policies and of the harness have names, too, and are not in this table.
        None => "`hook-runner rules` lists all; rules of a policy are in its file, and `hook.` rules in the hooks' pages.".to_owned(),
    };
    Fault::usage(format!("There is no built-in rule or family `{}`.", crate::paint::one_line(name)), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_screen_without_a_wrap_inside_a_word() {
        for rule in families().iter().flat_map(|family| family.rules) {
            let screen = anstream::adapter::strip_str(&one_rule(rule)).to_string();
            assert!(screen.contains("Instead") && screen.contains("Exceptions"), "{screen}");
            for line in screen.lines().filter(|line| line.chars().count() > width()) {
                // A word that is longer than a line stands alone on it.
                assert!(!line.trim().contains(' '), "{}: {line}", rule.id);
            }
        }
    }

    #[test]
    fn a_name_that_is_almost_right_is_recognised() {
        assert_eq!(unknown("git.push-forse").hint(), "Did you mean git.push-force?");
        assert!(unknown("zzz").hint().contains("lists all"));
    }
}
