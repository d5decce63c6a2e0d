//! `[[rule]]` and `[[exception]]`.

use std::borrow::Cow;

use crate::error::Problem;
use crate::model::{Effect, Examples, Exception, Layer, Rule, Subject, ToolWord, When};
use crate::toml::{Entry, Item, Table, Value};

use super::matchers::Rest;
use super::quick::cursor::is_bare;
use super::{Reader, words};

/// The kinds of rules.
pub(crate) const KINDS: &[&str] = &["run", "path", "net", "mcp", "agent", "text"];
/// Words for tools.
pub(crate) const TOOLS: &[&str] = &["shell", "read", "write", "fetch", "mcp", "agent", "other"];
/// Words for decisions.
pub(crate) const DECISIONS: &[&str] = &["deny", "ask", "keep", "allow", "note", "rewrite"];
/// Words for layers.
pub(crate) const LAYERS: &[&str] = &["none", "system", "user", "project"];
/// What is decided where a command cannot be rewritten.
pub(crate) const OTHERWISE: &[&str] = &["deny", "ask"];
/// The decision of which `rewrite` says the rest.
pub(super) const REWRITES: &str = "rewrite";

/// A rule that says nothing yet.
pub(super) fn empty<'f>(at: u32) -> Rule<'f> {
    Rule {
        id: Cow::Borrowed(""),
        // A rule whose decision cannot be read denies.
        effect: Effect::Deny,
        reason: Cow::Borrowed(""),
        instead: Cow::Borrowed(""),
        locked: false,
        override_by: None,
        no_prompt: None,
        tools: Vec::new(),
        when: When::default(),
        subject: Subject::Nothing,
        unless: Subject::Nothing,
        more: None,
        examples: Examples::default(),
        at,
    }
}

pub(super) fn kind_of(key: &str) -> Option<&'static str> {
    KINDS.iter().copied().find(|kind| *kind == key)
}

impl Reader {
    pub(super) fn rule<'f>(&mut self, table: Table<'f>, at: u32) -> Option<Rule<'f>> {
        let before = self.found.len();
        let damaged = table.damaged;
        let mut rule = empty(at);
        let mut subject: Option<(&'static str, Item<'f>)> = None;
        let mut unless = None;
        let (mut decided, mut reasoned, mut rewrites) = (false, false, false);
        for entry in table.entries {
            match &*entry.key {
                "id" => rule.id = self.id(entry),
                "decision" => {
                    decided = true;
                    rewrites = matches!(&entry.item.value, Value::Text(text) if text == REWRITES);
                    rule.effect = self.effect(&entry);
                }
                "reason" => {
                    reasoned = true;
                    rule.reason = self.text(entry).unwrap_or_default();
                }
                "instead" => rule.instead = self.text(entry).unwrap_or_default(),
                // What cannot be read counts at its strictest: locked, and no layer below may override.
                "lock" => rule.locked = self.flag(&entry).unwrap_or(true),
                "override_by" => {
                    let word = self.word(&entry, LAYERS);
                    rule.override_by = Some(word.and_then(words::layer).unwrap_or(Layer::System));
                }
                "no_prompt" => rule.no_prompt = Some(self.no_prompt(&entry)),
                "tool" => {
                    let known = self.words(&entry, TOOLS).unwrap_or_default();
                    rule.tools = known.into_iter().map(words::tool).collect();
                }
                "when" => rule.when = self.when(entry),
                "unless" => unless = Some(entry.item),
                "rewrite" => rule.more.get_or_insert_default().rewrite = Some(self.rewrite(entry)),
                "may" => rule.more.get_or_insert_default().may = Some(self.may(entry)),
                "match" => rule.examples.matches = self.examples(entry),
                "not_match" => rule.examples.spares = self.examples(entry),
                key => match kind_of(key) {
                    Some(kind) => match &subject {
                        Some((first, _)) => {
                            let first = *first;
                            self.report(entry.at, Problem::TwoKinds(first, kind));
                        }
                        None => subject = Some((kind, entry.item)),
                    },
                    None => self.unknown_key(&entry, "rule"),
                },
            }
        }
        // The line that said what it matches may be the one that is broken.
        if damaged && subject.is_none() {
            return None;
        }
        self.complete(&rule, decided, reasoned);
        if let Err(problem) = settle_rewrite(&mut rule, rewrites, subject.as_ref().map(|(kind, _)| *kind)) {
            self.report(at, problem);
        }
        let Some((kind, item)) = subject else {
            let hint = "say what it matches: run, path, net, mcp, agent or text";
            self.report(at, Problem::Missing { table: "a rule", key: "run", hint });
            return None;
        };
        if kind == "text" && (rule.examples.matches.is_empty() || rule.examples.spares.is_empty()) {
            self.report(at, Problem::TextWithoutExamples);
        }
        rule.subject = match self.subject(kind, item, false) {
            Rest::Subject(subject) => subject,
            Rest::Lost => return None,
        };
        if rule.effect.loosens() && rule.subject.has_calls() {
            self.report(at, Problem::CallsLoosen);
        }
        if let Some(item) = unless {
            // It loosens the rule: one with a mistake does not count at all.
            let sound = self.found.len();
            if let Rest::Subject(unless) = self.subject(kind, item, true)
                && self.found.len() == sound
            {
                rule.unless = unless;
            }
        }
        // Regular expressions were made for command lines; file contents would match them by accident.
        if kind == "text" && rule.tools.is_empty() {
            rule.tools.push(ToolWord::Shell);
        }
        // What loosens must be right in every word.
        let faulty = damaged || self.found.len() > before;
        (!rule.effect.loosens() || !faulty).then_some(rule)
    }

    /// What every rule must say.
    fn complete(&mut self, rule: &Rule<'_>, decided: bool, reasoned: bool) {
        let missing = |key, hint| Problem::Missing { table: "a rule", key, hint };
        if rule.id.is_empty() {
            self.report(
                rule.at,
                missing("id", "give it a name that others can refer to: id = \"git.force-push\""),
            );
        }
        if !decided {
            self.report(
                rule.at,
                missing(
                    "decision",
                    "write decision = \"deny\", \"ask\", \"keep\", \"allow\", \"rewrite\" or \"note\"",
                ),
            );
        }
        let held_back = matches!(rule.effect, Effect::Ask | Effect::Deny);
        if held_back && !reasoned {
            self.report(
                rule.at,
                missing("reason", "explain why in one sentence: the agent and the person read it"),
            );
        }
    }

    fn id<'f>(&mut self, entry: Entry<'f>) -> Cow<'f, str> {
        let at = entry.item.at;
        let Some(id) = self.text(entry) else { return Cow::Borrowed("") };
        if !is_id(&id) {
            self.report(at, Problem::BadId(id.clone().into_owned()));
        }
        id
    }

    fn effect(&mut self, entry: &Entry<'_>) -> Effect {
        // What cannot be read restricts.
        self.word(entry, DECISIONS).and_then(words::effect).unwrap_or(Effect::Deny)
    }

    /// Examples are only decoded when someone tests them, but their form is checked.
    fn examples<'f>(&mut self, entry: Entry<'f>) -> Vec<Item<'f>> {
        match entry.item.value {
            Value::Array(items) => {
                for item in &items {
                    if !matches!(item.value, Value::Text(_) | Value::Table(_)) {
                        let key = entry.key.clone().into_owned();
                        let wanted =
                            "a list of commands, or of tables such as { tool = \"read\", path = \".env\" }";
                        self.report(item.at, Problem::WrongType { key, wanted, found: item.value.kind() });
                    }
                }
                items
            }
            _ => {
                self.wrong_type(&entry, "a list of commands");
                Vec::new()
            }
        }
    }

    pub(super) fn exception<'f>(&mut self, table: Table<'f>, at: u32) -> Option<Exception<'f>> {
        let before = self.found.len();
        let damaged = table.damaged;
        let (mut rule, mut reason, mut owner) = (None, None, None);
        let mut expires = None;
        let mut dated = false;
        let mut when = When::default();
        let mut only = Subject::Nothing;
        for entry in table.entries {
            match &*entry.key {
                "rule" => rule = self.text(entry),
                "reason" => reason = self.text(entry),
                "owner" => owner = self.text(entry),
                "expires" => {
                    dated = true;
                    expires = self.expiry(&entry);
                }
                "when" => when = self.when(entry),
                key => match kind_of(key) {
                    Some(kind) => {
                        if !only.kind().is_empty() {
                            self.report(entry.at, Problem::TwoKinds(only.kind(), kind));
                        }
                        if let Rest::Subject(subject) = self.subject(kind, entry.item, true) {
                            only = subject;
                        }
                    }
                    None => self.unknown_key(&entry, "exception"),
                },
            }
        }
        let mut missing = |key, hint| self.report(at, Problem::Missing { table: "an exception", key, hint });
        if rule.is_none() {
            missing("rule", "name the rule: rule = \"git.force-push\"");
        }
        if reason.is_none() {
            missing("reason", "say why, with the number of the ticket");
        }
        if !dated {
            missing("expires", "say until when, at most 366 days ahead: expires = 2027-01-31");
        }
        // An exception loosens, so one with any mistake does not count.
        if damaged || self.found.len() > before {
            return None;
        }
        Some(Exception {
            rule: rule?,
            reason: reason?,
            owner: owner.unwrap_or_default(),
            expires: expires?,
            when,
            only,
            at,
        })
    }
}

/// What a rule that rewrites decides where it cannot; `rewrites`: whether its decision says so.
pub(super) fn settle_rewrite(
    rule: &mut Rule<'_>,
    rewrites: bool,
    kind: Option<&'static str>,
) -> Result<(), Problem> {
    let rewrite = rule.more.as_ref().and_then(|more| more.rewrite.as_ref());
    let missing = |key, hint| Err(Problem::Missing { table: "a rule that rewrites", key, hint });
    match (rewrites, rewrite) {
        (false, None) => Ok(()),
        (true, None) => {
            missing("rewrite", "say how: rewrite = { swap = { \"--force\" = \"--force-with-lease\" } }")
        }
        (false, Some(_)) => missing("decision", "write decision = \"rewrite\""),
        (true, Some(_)) if kind.is_some_and(|kind| kind != "run") => {
            missing("run", "only commands are rewritten: run = { program = \"git\" }")
        }
        (true, Some(rewrite)) => {
            rule.effect = rewrite.otherwise;
            Ok(())
        }
    }
}

/// Whether others can refer to a rule by this name.
pub(super) fn is_id(id: &str) -> bool {
    // Ids stand in denials, records and other files' exceptions.
    id.len() <= 100 && id.bytes().all(|byte| is_bare(byte) || byte == b'.')
}
