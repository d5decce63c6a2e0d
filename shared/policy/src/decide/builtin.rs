//! The built-in rules, with what the files say about them.

use rules::loss::Loss;
use rules::{Profile, Severity};

use super::{Judge, effect_of};
use crate::action::Part;
use crate::certainty::{Lean, Match};
use crate::finding::Finding;
use crate::layers::{File, Stack};
use crate::model::{Effect, Layer, NoPrompt};
use crate::once::machine_says;

/// A built-in rule that matched.
struct Found<'f> {
    rule: &'static rules::Rule,
    evidence: &'f str,
    loss: &'f Loss,
    /// Whether it stands in a file that a team has committed.
    team: bool,
    /// Whether it happens to something that is made and thrown away, by what everyone names so.
    local: bool,
}

impl Judge<'_, '_> {
    /// The built-in rules, with what the files say about them.
    pub(super) fn built_in(&mut self, found: &[rules::Finding]) {
        for finding in found {
            let part = match finding.atom {
                Some(atom) => Part::Command { text: finding.text, atom },
                None => Part::Whole,
            };
            let found = Found {
                rule: finding.rule,
                evidence: &finding.evidence,
                loss: &finding.loss,
                team: finding.team,
                local: finding.local,
            };
            self.built_in_rule(&found, part);
        }
    }

    /// The same about files that a tool edits by itself.
    pub(super) fn built_in_edits(&mut self, found: &[rules::EditFinding]) {
        for finding in found {
            let path = self.action.paths.iter().position(|(path, _)| *path == finding.path);
            // An exception that is only for a path does not cover the whole call: what is not found again
            // stays held back.
            let part = path.map_or(Part::Whole, Part::Path);
            let (rule, evidence) = (finding.rule, finding.evidence.as_str());
            let found = Found { rule, evidence, loss: &Loss::Unknown, team: false, local: false };
            self.built_in_rule(&found, part);
        }
    }

    fn built_in_rule(&mut self, found: &Found<'_>, part: Part) {
        let Found { rule, evidence, loss, team, local } = *found;
        let severity = loss.severity(rule);
        // What can be undone in a committed file is the team's own business.
        let Some(severity) = (if team { severity.in_team_file() } else { Some(severity) }) else { return };
        let strict = profile(self.stack) == Profile::Strict;
        let by_severity = match loss {
            // Only a file that names the rule still makes it speak.
            _ if !loss.speaks_for(rule) => None,
            _ if severity == Severity::Risky && !strict => Some(Effect::Ask),
            _ => Some(Effect::Deny),
        };
        let is_disposable = || local && !strict || self.is_disposable(rule, part);
        let by_severity = match by_severity {
            Some(Effect::Deny) if is_disposable() => Some(Effect::Ask),
            Some(Effect::Ask) if is_disposable() => None,
            effect => effect,
        };
        let floor = (!rule.is_locked()).then(|| floor_of_builtin(rule));
        let can_be_kept = !self.action.keeps_nothing
            && rule.when.can_be_kept()
            && severity < Severity::Catastrophic
            && loss.speaks_for(rule);
        let mut effect = self.set(rule.id, floor, by_severity, can_be_kept);
        if can_be_kept && let Some(keeper) = self.keeper(rule, part) {
            self.findings.push(keeper);
            effect = Some(Effect::Keep);
        }
        if rule.family() == "unresolved"
            && self.stack.who_says_unresolved().is_some()
            && let (Some(now), Some(said)) = (effect, effect_of(self.stack.unresolved(Layer::User)))
        {
            // `unresolved` in a file is about all that cannot be followed, so the built-in rules about it follow.
            effect = Some(now.max(said));
        }
        let production = loss.speaks_for(rule).then(|| self.production(rule, part)).flatten();
        // What someone has switched off stays so, unless the machine says that this is production.
        effect = match &production {
            Some((Layer::System, _)) => Some(Effect::Deny),
            Some(_) => effect.map(|_| Effect::Deny),
            None => effect,
        };
        let named = production.map(|(_, pattern)| format!(" The policy lists `{pattern}` as production."));
        if let Some(effect) = effect {
            self.findings.push(Finding {
                rule: rule.id.to_owned(),
                layer: Layer::BuiltIn,
                file: None,
                effect,
                no_prompt: self.stack.no_prompt(owner(self.stack, rule)),
                reason: loss.reason(rule) + &named.unwrap_or_default(),
                instead: rule.instead.to_owned(),
                part,
                evidence: evidence.to_owned(),
                maybe: false,
                excepted: None,
            });
        }
        let off = effect.is_none() || self.excepted_builtin(rule, part).is_some();
        // Where a rule is silent because nothing is lost, the engine has gone on by itself.
        if off && loss.speaks_for(rule) {
            self.next_of_family(found, part);
        }
    }

    /// The rule of a policy by which what this part would lose is saved, where no policy says anything else about the
    /// built-in rule.
    fn keeper(&self, rule: &rules::Rule, part: Part) -> Option<Finding> {
        let names = |file: &File<'_>| {
            let mut said = file.policy.builtin.rules.iter();
            said.any(|(id, ..)| *id == rule.id || *id == rule.family())
        };
        if self.stack.files.iter().any(names) {
            return None;
        }
        let floor = floor_of_builtin(rule);
        let files = self.stack.files.iter().filter(|file| file.layer >= floor && file.errors.is_empty());
        let mut rules = files.flat_map(|file| file.policy.rules.iter().map(move |rule| (file, rule)));
        let (file, keeper) = rules.find(|(_, rule)| {
            rule.effect == Effect::Keep
                && (rule.tools.is_empty() || rule.tools.contains(&self.action.tool))
                && self.matches(rule, part, Lean::Narrow) == Match::Yes
        })?;
        Some(Finding {
            rule: keeper.id.clone().into_owned(),
            layer: file.layer,
            file: Some(file.name.clone()),
            effect: Effect::Keep,
            no_prompt: NoPrompt::Deny,
            reason: keeper.reason.clone().into_owned(),
            instead: String::new(),
            part,
            evidence: self.evidence(part),
            maybe: false,
            excepted: None,
        })
    }

    /// The engine stops at the first rule of a family that matches; when that one does not count, the others are asked.
    fn next_of_family(&mut self, found: &Found<'_>, part: Part) {
        let rule = found.rule;
        let Some(command) = self.case.command(part) else { return };
        let family = rules::families().iter().find(|family| family.id == rule.family());
        let rules = family.map_or(&[][..], |family| family.rules);
        let later = rules.iter().skip_while(|one| one.id != rule.id).skip(1);
        let next = later.into_iter().find(|one| one.when.matches(&command));
        if let Some(next) = next {
            self.built_in_rule(&Found { rule: next, ..*found }, part);
        }
    }

    /// What a built-in rule says after the files had their say; `None`: it is switched off. `floor` is the lowest layer
    /// that may loosen it, if one may.
    pub(super) fn set(
        &self,
        rule: &str,
        floor: Option<Layer>,
        usual: Option<Effect>,
        can_be_kept: bool,
    ) -> Option<Effect> {
        let family = rule.split_once('.').map_or(rule, |(family, _)| family);
        let mut effect = usual;
        let mut set_above = false;
        for file in &self.stack.files {
            for (id, said, _) in &file.policy.builtin.rules {
                // Where nothing can be saved, it is as if no one had said so.
                if id != rule && id != family || *said == Some(Effect::Keep) && !can_be_kept {
                    continue;
                }
                let above = floor.is_some_and(|floor| file.layer >= floor);
                // A broken file may have lost the line that takes this back.
                let loosens = above && file.errors.is_empty() && file.layer != Layer::Project;
                // What the machine has said, the user can only make stricter.
                effect = if loosens && !set_above { *said } else { effect.max(*said) };
                set_above |= file.layer == Layer::System;
            }
        }
        effect
    }
}

fn profile(stack: &Stack<'_>) -> Profile {
    let strict = stack.files.iter().any(|file| file.policy.builtin.profile == Some(Profile::Strict));
    if strict { Profile::Strict } else { Profile::Standard }
}

/// Whose a built-in rule is: no layer below has a say in what becomes of its question where no one can answer.
fn owner(stack: &Stack<'_>, rule: &rules::Rule) -> Layer {
    if rule.is_locked() {
        Layer::BuiltIn
    } else if machine_says(stack, &[rule.id, rule.family()]) {
        Layer::System
    } else {
        floor_of_builtin(rule)
    }
}

/// The lowest layer that may loosen a built-in rule.
pub(super) fn floor_of_builtin(rule: &rules::Rule) -> Layer {
    if rule.severity == Severity::Catastrophic || rule.family() == "guard" {
        Layer::System
    } else {
        Layer::User
    }
}
