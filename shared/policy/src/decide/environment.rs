//! `[environment]`: what the names of clusters, databases and hosts mean for the built-in rules.

use rules::{Profile, Severity};
use shell::How;

use super::Judge;
use crate::action::Part;
use crate::case::Case;
use crate::certainty::Match;
use crate::glob::{self, NAME};
use crate::model::{Layer, Text};

impl Judge<'_, '_> {
    /// Whose list of production names a part's target, and by which pattern.
    pub(super) fn production(&self, rule: &rules::Rule, part: Part) -> Option<(Layer, String)> {
        // Whatever a broken file has lost, what is left of it restricts.
        let lists = self.stack.files.iter().map(|file| (file.layer, &*file.policy.environment.production));
        named(rule, lists, || words(self.case, self.started(part)))
    }

    /// Whether a part only acts on what is made again at will.
    pub(super) fn is_disposable(&self, rule: &rules::Rule, part: Part) -> bool {
        // Who is not as strict as those above has no say in what they are strict about.
        let strict =
            self.stack.files.iter().filter(|file| file.policy.builtin.profile == Some(Profile::Strict));
        let floor = strict.map(|file| file.layer).max().unwrap_or(Layer::User).max(Layer::User);
        let files = self.stack.files.iter().filter(|file| file.layer >= floor && file.errors.is_empty());
        let lists = files.map(|file| (file.layer, &*file.policy.environment.disposable));
        rule.severity < Severity::Catastrophic
            && named(rule, lists, || names(self.case, self.started(part))).is_some()
    }

    /// The program of a part: a statement of SQL has been sent by one.
    fn started(&self, part: Part) -> Part {
        let Part::Command { text, mut atom } = part else { return part };
        while let Some(via) =
            self.case.command(Part::Command { text, atom }).and_then(|command| command.atom.via)
            && via.how == How::Statement
        {
            atom = via.parent as usize;
        }
        Part::Command { text, atom }
    }
}

/// The list that has one of the names. Most policies have none, and then nothing is looked at.
fn named<'s>(
    rule: &rules::Rule,
    lists: impl Iterator<Item = (Layer, &'s [Text<'s>])>,
    names: impl FnOnce() -> Vec<String>,
) -> Option<(Layer, String)> {
    let mut lists = lists.filter(|(_, list)| !list.is_empty()).peekable();
    lists.peek()?;
    if !rules::places::matter_to(rule) {
        return None;
    }
    let names = names();
    let is_one = |pattern: &str| names.iter().any(|name| glob::matches(pattern, name, NAME) == Match::Yes);
    lists.find_map(|(layer, list)| {
        let pattern = list.iter().find(|pattern| is_one(pattern))?;
        Some((layer, pattern.clone().into_owned()))
    })
}

fn hosts(case: &Case<'_>, part: Part) -> Vec<String> {
    case.hosts(part).iter().map(|host| host.0.clone()).collect()
}

/// Every word of a command that may name its target: to restrict, that is enough.
fn words(case: &Case<'_>, part: Part) -> Vec<String> {
    let mut words = hosts(case, part);
    let Some(command) = case.command(part) else { return words };
    let assigned = command.variables().map(|(_, value)| value);
    for text in command.args().iter().map(|arg| arg.text.as_str()).chain(assigned) {
        words.push(text.to_owned());
        let parts = text.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '-' | '_'));
        words.extend(parts.filter(|part| part.len() < text.len() && !part.is_empty()).map(str::to_owned));
    }
    words
}

/// What surely names its target: to loosen, nothing else counts.
fn names(case: &Case<'_>, part: Part) -> Vec<String> {
    let mut names = hosts(case, part);
    let Some(command) = case.command(part) else { return names };
    names.extend(rules::places::named(&command));
    names
}
