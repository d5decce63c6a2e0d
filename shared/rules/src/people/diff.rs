//! `policy diff`: what changes for recorded calls between two policies.

use std::fmt::Write as _;
use std::path::Path;

use clap::ArgMatches;
use payload::Hints;
use policy::Facts;

use super::examples::{CWD, HOME};
use super::{Done, Exit, one_line};
use crate::action::{Action, Parts};
use crate::decide::{Ruling, decide};
use crate::layers::{Source, Stack, today};
use crate::model::Effect;

/// One line a call whose decision changes: `old -> new`, the rules, the call. A call is a command, or a payload in JSON.
pub fn diff(old: &Source, new: &Source, calls: &str) -> (String, usize) {
    let (old, new) = (std::slice::from_ref(old), std::slice::from_ref(new));
    let (old, new) = (Stack::of(old, today()), Stack::of(new, today()));
    let mut text = String::new();
    let mut changed = 0;
    for line in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (before, after) = (judge(&old, line), judge(&new, line));
        if before != after {
            changed += 1;
            let _ = writeln!(
                text,
                "{:>5} -> {:<5} {:<28} {}",
                before.0,
                after.0,
                if after.1.is_empty() { &before.1 } else { &after.1 },
                one_line(line)
            );
        }
    }
    (text, changed)
}

/// The decision, and the rule that it comes from.
fn judge(stack: &Stack<'_>, call: &str) -> (&'static str, String) {
    let said = |ruling: &Ruling| {
        let rule = ruling
            .findings
            .iter()
            .find(|finding| Some(finding.effect) == ruling.decision && finding.excepted.is_none());
        (
            ruling.decision.map_or("none", Effect::as_str),
            rule.map(|finding| finding.rule.clone()).unwrap_or_default(),
        )
    };
    if call.starts_with('{')
        && let Ok(event) = payload::parse(call.as_bytes(), Hints::default())
    {
        let parts = Parts::of(&event);
        let action = parts.action(&event);
        return said(&decide(stack, &action, &Facts::on_paper(action.cwd, Some(HOME)), None));
    }
    let action = Action::command(call, Some(CWD));
    said(&decide(stack, &action, &Facts::on_paper(Some(CWD), Some(HOME)), None))
}

pub(super) fn command(matches: &ArgMatches) -> Done {
    let path = |name: &str| Path::new(matches.get_one::<String>(name).map_or("", String::as_str));
    let (old, new) = (super::open(path("old"))?, super::open(path("new"))?);
    let calls = std::fs::read_to_string(path("calls"))
        .map_err(|error| format!("{}: {error}", path("calls").display()))?;
    let (text, changed) = diff(&old, &new, &calls);
    Ok((
        format!(
            "{text}{changed} of {} calls change\n",
            calls.lines().filter(|line| !line.trim().is_empty()).count()
        ),
        if changed == 0 { Exit::Fine } else { Exit::Findings },
    ))
}
