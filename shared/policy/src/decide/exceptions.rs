//! Who may take a rule away for a time, and whether someone has.

use super::Judge;
use super::builtin::floor_of_builtin;
use crate::action::Part;
use crate::certainty::{Lean, Match};
use crate::finding::{AGENT_RULES, Finding};
use crate::layers::File;
use crate::matching;
use crate::model::{Exception, Layer, Rule, Subject};

/// Who says a rule, and the lowest layer that may except something from it.
#[derive(Clone, Copy)]
struct Held {
    by: Layer,
    until: Layer,
}

impl Judge<'_, '_> {
    /// Takes away what an exception is for.
    pub(super) fn except(&mut self) {
        let mut findings = std::mem::take(&mut self.findings);
        for finding in &mut findings {
            // Broken, unmatched and unresolved calls come of no single rule that could be excepted.
            if !finding.counts() || finding.rule.starts_with("policy.") {
                continue;
            }
            finding.excepted = match finding.layer {
                Layer::BuiltIn if rules::rule(&finding.rule).is_some() => {
                    rules::rule(&finding.rule).and_then(|rule| self.excepted_builtin(rule, finding.part))
                }
                Layer::BuiltIn if AGENT_RULES.contains(&&*finding.rule) => {
                    let held = Held { by: Layer::BuiltIn, until: Layer::User };
                    self.exception(&finding.rule, held, finding.part)
                }
                _ => self.rule_of(finding).and_then(|(rule, layer)| self.excepted(rule, layer, finding.part)),
            };
        }
        self.findings = findings;
    }

    /// The rule of a finding, with its layer.
    fn rule_of(&self, finding: &Finding) -> Option<(&Rule<'_>, Layer)> {
        let files = self.stack.files.iter().filter(|file| Some(&file.name) == finding.file.as_ref());
        let mut rules = files.flat_map(|file| file.policy.rules.iter().map(|rule| (rule, file.layer)));
        rules.find(|(rule, _)| rule.id == finding.rule && !rule.effect.loosens())
    }

    pub(super) fn excepted_builtin(&self, rule: &rules::Rule, part: Part) -> Option<String> {
        if rule.is_locked() {
            return None;
        }
        // What is the user's own, the user may let an agent change, for a time.
        let floor = if rule.family() == "guard" { Layer::User } else { floor_of_builtin(rule) };
        self.exception(rule.id, Held { by: Layer::BuiltIn, until: floor }, part)
    }

    fn excepted(&self, rule: &Rule<'_>, layer: Layer, part: Part) -> Option<String> {
        if rule.locked {
            return None;
        }
        // By default a rule is excepted by its own layer or one above it.
        let floor = rule.override_by.unwrap_or(match layer {
            Layer::BuiltIn => Layer::System,
            layer => layer,
        });
        self.exception(&rule.id, Held { by: layer, until: floor }, part)
    }

    /// The exception for a part, from a layer that may.
    fn exception(&self, id: &str, held: Held, part: Part) -> Option<String> {
        let limits = self.stack.limits();
        let may = |file: &&File<'_>| {
            let shut = file.layer == Layer::User && held.by > Layer::User && !limits.user_exceptions;
            file.may_loosen && file.layer >= held.until && !shut
        };
        let exceptions = self.stack.files.iter().filter(may).flat_map(|file| &file.policy.exceptions);
        let mut live = exceptions.filter(|exception| {
            is_for(exception, id) && i64::from(exception.expires.to_epoch_days()) >= self.stack.today
        });
        live.find(|exception| self.covers(exception, part))
            .map(|exception| exception.reason.clone().into_owned())
    }

    fn covers(&self, exception: &Exception<'_>, part: Part) -> bool {
        let only = match &exception.only {
            Subject::Nothing => Match::Yes,
            only => matching::subject(only, part, self.case, Lean::Narrow),
        };
        only == Match::Yes && matching::when(&exception.when, self.case) == Match::Yes
    }
}

/// Whether an exception names a rule, or its family: `git.*`.
fn is_for(exception: &Exception<'_>, id: &str) -> bool {
    match exception.rule.strip_suffix(".*") {
        // With the dot: `git.*` is not about `github.x`.
        Some(family) => id.strip_prefix(family).is_some_and(|rest| rest.starts_with('.')),
        None => exception.rule == id,
    }
}
