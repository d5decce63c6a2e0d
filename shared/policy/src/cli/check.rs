//! `policy check`: mistakes, and rules that do not do what someone hopes.

use std::fmt::Write as _;

use clap::ArgMatches;
use serde_json::json;

use super::examples::example;
use super::{Done, Exit};
use crate::error::{PolicyError, Problem, line_and_column, nearest};
use crate::layers::{Source, today};
use crate::model::{Effect, Layer, Policy, Rule, Run, Subject, Text};
use crate::read::{is_builtin, read};

/// What there is to say about a file.
#[derive(Debug)]
pub struct Report {
    /// Mistakes: the file counts as broken.
    pub errors: Vec<PolicyError>,
    /// What counts, but probably not as it is meant.
    pub warnings: Vec<PolicyError>,
}

/// Checks a file. `others` are the ids of rules in other files; `expiring` is how many days ahead exceptions are
/// looked at.
pub fn check(source: &Source, others: &[String], today: i64, expiring: i64) -> Report {
    let (policy, errors) = read(&source.text, today);
    let mut warnings = Vec::new();
    let mut warn = |at: u32, problem: Problem| {
        let (line, column) = line_and_column(&source.text, at);
        warnings.push(PolicyError { line, column, problem });
    };
    for exception in &policy.exceptions {
        let left = i64::from(exception.expires.to_epoch_days()) - today;
        if left < 0 {
            warn(exception.at, Problem::Expired(exception.expires.to_string()));
        } else if left <= expiring {
            warn(
                exception.at,
                Problem::Inert {
                    what: format!("the exception expires in {left} days"),
                    hint: "have it approved again, or remove it",
                },
            );
        }
        let ids = || policy.rules.iter().map(|rule| &*rule.id).chain(others.iter().map(String::as_str));
        let family = exception.rule.strip_suffix(".*").unwrap_or(&exception.rule);
        let known = is_builtin(&exception.rule)
            || is_builtin(family)
            // A family of a policy's own rules is nothing but what their ids begin with.
            || ids().any(|id| id == exception.rule || id.starts_with(&format!("{family}.")));
        if !known {
            let builtin = rules::families().iter().flat_map(|family| family.rules).map(|rule| rule.id);
            let nearest = nearest(&exception.rule, ids().chain(builtin)).map(str::to_owned);
            warn(exception.at, Problem::NoSuchRule { id: exception.rule.clone().into_owned(), nearest });
        }
    }
    inert(source.layer, &policy, &mut warn);
    for rule in &policy.rules {
        for item in rule.examples.matches.iter().chain(&rule.examples.spares) {
            if let Err((at, problem)) = example(item) {
                warn(at, problem);
            }
        }
        for what in doubts(rule) {
            let (what, hint) = what;
            warn(rule.at, Problem::Inert { what: format!("rule `{}` {what}", rule.id), hint });
        }
    }
    Report { errors, warnings }
}

/// What has no effect in this layer.
fn inert(layer: Layer, policy: &Policy<'_>, warn: &mut impl FnMut(u32, Problem)) {
    if layer == Layer::Project {
        for (id, effect, at) in &policy.builtin.rules {
            if effect.is_none() {
                warn(
                    *at,
                    Problem::Inert {
                        what: format!("a project cannot switch `{id}` off"),
                        hint: "move it to a layer that may",
                    },
                );
            }
        }
    }
    if layer != Layer::System && policy.limits != crate::model::Limits::default() {
        warn(
            0,
            Problem::Inert {
                what: "[system] counts in the system layer only".to_owned(),
                hint: "move it to a file of the machine, in policy.d",
            },
        );
    }
}

/// What is odd about a rule.
fn doubts(rule: &Rule<'_>) -> Vec<(&'static str, &'static str)> {
    let mut found = Vec::new();
    if rule.examples.matches.is_empty() {
        found.push((
            "has no `match` example, so no one knows whether it works",
            "add a command that it matches: match = [\"…\"]",
        ));
    }
    if let (Effect::Allow, Subject::Run(tests)) = (rule.effect, &rule.subject) {
        let open = |name: &str| {
            matches!(
                name,
                "*" | "bash"
                    | "sh"
                    | "zsh"
                    | "python"
                    | "python3"
                    | "node"
                    | "ruby"
                    | "perl"
                    | "env"
                    | "xargs"
                    | "find"
                    | "sudo"
                    | "npx"
                    | "eval"
                    | "make"
            )
        };
        // What is written out beyond the program's name is meant.
        let bare = |test: &Run<'_>| {
            let alone =
                |text: &Text<'_>| text.split_ascii_whitespace().nth(1).is_none_or(|word| word == "**");
            let named = !test.sub.is_empty() || !test.sub_any.is_empty();
            // What these run is a command of its own, or a target that the rule may leave out.
            let led = |name: &Text<'_>| matches!(&**name, "find" | "xargs" | "make" | "node");
            let narrowed = !(test.flags_none.is_empty() && test.flags_only.is_empty())
                && test.program.iter().all(|name| led(name) || !open(name));
            !named && !narrowed && (test.written.is_empty() || test.written.iter().any(alone))
        };
        if tests.iter().any(|test| bare(test) && test.program.iter().any(|name| open(name))) {
            found.push(("allows a program that can run anything", "name what it may be called with"));
        }
    }
    found
}

pub(super) fn command(matches: &ArgMatches) -> Done {
    let expiring = match matches.get_one::<String>("fail-expiring") {
        Some(days) => {
            days.trim_end_matches('d').parse().map_err(|error| format!("--fail-expiring {days}: {error}"))?
        }
        // Below every number of days that is left: nothing is reported ahead of its last day.
        None => -1,
    };
    let sources =
        super::paths(matches, "file").iter().map(|path| super::open(path)).collect::<Result<Vec<_>, _>>()?;
    let today = today();
    // An exception of one file may be for a rule of another.
    let ids: Vec<String> = sources
        .iter()
        .flat_map(|source| read(&source.text, today).0.rules.into_iter().map(|rule| rule.id.into_owned()))
        .collect();
    let mut text = String::new();
    let mut all = Vec::new();
    let mut exit = Exit::Fine;
    for source in &sources {
        let report = check(source, &ids, today, expiring);
        let path = source.path.display();
        for (kind, list) in [("error", &report.errors), ("warning", &report.warnings)] {
            for error in list {
                exit = Exit::Findings;
                let _ = writeln!(
                    text,
                    "{path}:{}:{}: {kind}: {} ({})",
                    error.line,
                    error.column,
                    error.problem,
                    error.problem.hint()
                );
                all.push(json!({
                    "file": path.to_string(), "line": error.line, "column": error.column, "kind": kind,
                    "message": error.problem.to_string(), "hint": error.problem.hint(),
                }));
            }
        }
        if report.errors.is_empty() && report.warnings.is_empty() {
            let _ = writeln!(text, "{path}: fine");
        }
    }
    Ok((if matches.get_flag("json") { format!("{:#}\n", json!(all)) } else { text }, exit))
}
