//! What a person may lift once: one exact call, which some rules hold back.

use rules::{Profile, Severity};

use crate::finding::{AGENT_FAMILY, BROKEN, Finding, UNMATCHED, UNRESOLVED};
use crate::layers::Stack;
use crate::model::{Effect, Layer, Rule};

/// The rules that hold a call back, if a person at a terminal may lift every one of them: their ids and reasons.
///
/// Such a person has the authority of the user's own policy file, for one call. An *ask* of anyone is a question to a
/// person, wherever it is answered. A *denial* is the user's to lift unless a rule is locked, comes from the machine and
/// does not let users except it, is catastrophic, or protects this protection.
pub(crate) fn lifted(
    stack: &Stack<'_>,
    findings: &[Finding],
    can_ask: bool,
) -> Option<Vec<(String, String)>> {
    let held = findings.iter().filter(|finding| finding.on_host(can_ask) >= Some(Effect::Ask));
    let mut lifted: Vec<(String, String)> = Vec::new();
    for finding in held {
        if !may_lift(stack, finding) {
            return None;
        }
        if !lifted.iter().any(|(id, _)| *id == finding.rule) {
            lifted.push((finding.rule.clone(), finding.reason.clone()));
        }
    }
    (!lifted.is_empty()).then_some(lifted)
}

fn may_lift(stack: &Stack<'_>, finding: &Finding) -> bool {
    let asks = finding.effect == Effect::Ask;
    // A policy that cannot be read has to be corrected, not got round.
    if finding.rule == BROKEN {
        return false;
    }
    if finding.layer == Layer::BuiltIn {
        if let Some(rule) = rules::rule(&finding.rule) {
            return rule.once() && (asks || !is_set_by_machine(stack, rule));
        }
        // Rules about sub-agents, which the user may except and switch.
        return asks || !machine_says(stack, &[&finding.rule, AGENT_FAMILY]);
    }
    if asks {
        return true;
    }
    if [UNRESOLVED, UNMATCHED].contains(&&*finding.rule) {
        return finding.layer < Layer::System;
    }
    rule_of(stack, finding)
        .is_some_and(|rule| !rule.locked && (finding.layer < Layer::System || is_open(stack, rule)))
}

/// Whether the machine's files say something about a built-in rule that is not the user's to change.
fn is_set_by_machine(stack: &Stack<'_>, rule: &rules::Rule) -> bool {
    let mut files = stack.files.iter().filter(|file| file.layer == Layer::System);
    let strict = rule.severity == Severity::Risky
        && files.any(|file| file.policy.builtin.profile == Some(Profile::Strict));
    strict || machine_says(stack, &[rule.id, rule.family()])
}

/// Whether the machine's files name one of these built-in rules or families.
pub(crate) fn machine_says(stack: &Stack<'_>, names: &[&str]) -> bool {
    let files = stack.files.iter().filter(|file| file.layer == Layer::System);
    let mut said = files.flat_map(|file| &file.policy.builtin.rules);
    said.any(|(id, ..)| names.contains(&&**id))
}

/// Whether a rule of the machine lets users except it.
fn is_open(stack: &Stack<'_>, rule: &Rule<'_>) -> bool {
    stack.limits().user_exceptions && rule.override_by.is_some_and(|layer| layer <= Layer::User)
}

fn rule_of<'s>(stack: &'s Stack<'_>, finding: &Finding) -> Option<&'s Rule<'s>> {
    let files = stack.files.iter().filter(|file| Some(&file.name) == finding.file.as_ref());
    let mut rules = files.flat_map(|file| &file.policy.rules);
    rules.find(|rule| rule.id == finding.rule && !rule.effect.loosens())
}
