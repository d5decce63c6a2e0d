//! What allows a call: every part of it needs a rule, and nothing may be in doubt.

use shell::{Flow, Place};

use super::Judge;
use crate::action::Part;
use crate::certainty::{Lean, Match};
use crate::finding::Finding;
use crate::layers::File;
use crate::model::{Effect, NoPrompt, Rule, Subject};

impl Judge<'_, '_> {
    /// The rules that allow the call, if every part of it is allowed and nothing is in doubt.
    pub(super) fn allowed(&self) -> Option<Vec<Finding>> {
        let files = self.stack.files.iter().filter(|file| file.may_loosen);
        let rules: Vec<(&File<'_>, &Rule<'_>)> = files
            .flat_map(|file| file.policy.rules.iter().map(move |rule| (file, rule)))
            .filter(|(_, rule)| rule.effect == Effect::Allow)
            .filter(|(_, rule)| rule.tools.is_empty() || rule.tools.contains(&self.action.tool))
            .collect();
        // A note means that something was not understood: nothing is allowed then.
        if rules.is_empty() || self.case.analyses.iter().any(|analysis| !analysis.notes.is_empty()) {
            return None;
        }
        let parts = self.all_parts()?;
        let mut findings = Vec::new();
        for part in parts {
            let rule = rules.iter().find(|(_, rule)| {
                // Programs are only allowed by what they are, not by the files or hosts that they name.
                let kind = matches!(part, Part::Command { .. }) == matches!(rule.subject, Subject::Run(_));
                kind && self.is_plain(part) && self.matches(rule, part, Lean::Narrow) == Match::Yes
            });
            // One part without a rule is enough: a line is allowed as a whole or not at all.
            let (file, rule) = rule?;
            findings.push(Finding {
                rule: rule.id.clone().into_owned(),
                layer: file.layer,
                file: Some(file.name.clone()),
                effect: Effect::Allow,
                no_prompt: NoPrompt::Deny,
                reason: rule.reason.clone().into_owned(),
                instead: String::new(),
                part,
                evidence: self.evidence(part),
                maybe: false,
                excepted: None,
            });
        }
        Some(findings)
    }

    /// Everything that must be allowed; `None` where that is nothing we know.
    fn all_parts(&self) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        for (text, analysis) in self.case.analyses.iter().enumerate() {
            // What an MCP tool sends to a database belongs to the call.
            let sql = self
                .action
                .commands
                .get(text)
                .is_some_and(|command| command.language == rules::Language::Sql);
            if sql && self.action.mcp.is_some() {
                continue;
            }
            // A string in which nothing is found is not text that is allowed.
            if analysis.atoms.is_empty() {
                return None;
            }
            parts.extend((0..analysis.atoms.len()).map(|atom| Part::Command { text, atom }));
        }
        if self.action.mcp.is_some() {
            parts.push(Part::Mcp);
        } else {
            parts.extend((0..self.action.urls.len()).map(Part::Url));
            parts.extend((0..self.action.paths.len()).map(Part::Path));
        }
        if self.action.agent.is_some() {
            parts.push(Part::Agent);
        }
        (!parts.is_empty()).then_some(parts)
    }

    /// Whether a command is no more than its words: nothing is written, set or only known at run time.
    fn is_plain(&self, part: Part) -> bool {
        let Part::Command { text, atom } = part else { return true };
        let Some(atom) = self.case.analyses.get(text).and_then(|analysis| analysis.atoms.get(atom)) else {
            return false;
        };
        let harmless = |redirect: &shell::Redirect| {
            // Nothing is kept there, and nothing comes from there.
            redirect.target == "/dev/null"
                || redirect.flow != Flow::Read
                    && matches!(redirect.target.as_str(), "/dev/stdout" | "/dev/stderr")
        };
        // On another machine, the same words may be another program.
        atom.place == Place::Here
            && atom.assigns.is_empty()
            && atom.redirects.iter().all(harmless)
            && atom.args.iter().all(|arg| arg.known().is_some())
    }
}
