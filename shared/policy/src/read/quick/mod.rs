//! The hook's way through a file without a mistake: what the thorough reader makes of it, at a third of the cost.
//!
//! A hook reads its policies on every call, and nearly all of them are written in the plain form of the documentation.
//! So rules are read straight into the model, without a tree of values, and their examples are passed over. Whatever is
//! not in the plain form, and every mistake, makes this reader give up: then the whole file is read thoroughly. Rules
//! about programs that the call does not run are checked like the others, but not kept. `tests/readers.rs` holds both
//! readers against each other.

#![expect(
    clippy::option_option,
    reason = "the outer one gives up, the inner one has nothing more or leaves out"
)]

pub(super) mod cursor;
mod lists;
mod matchers;
mod others;

use std::borrow::Cow;

use crate::model::{Effect, Policy, Rule, Subject, Text, ToolWord};
use crate::programs::Programs;
use crate::toml::{Entry, Item, Table, Value};

use cursor::{Cursor, has_stray_control};

use super::matchers::Rest;
use super::rule::{self, TOOLS, is_id};
use super::{MAX_FILE, Marks, Reader, words};

/// Reads a file in which nothing is wrong and everything is in the plain form. Examples are left out, and rules about
/// other programs than these.
pub(super) fn read<'f>(text: &'f str, today: i64, about: Option<&Programs<'_>>) -> Option<Policy<'f>> {
    if text.len() > MAX_FILE || has_stray_control(text) {
        return None;
    }
    let reader = Reader { today, found: Vec::new() };
    let (marks, ids, programs) = (Marks::default(), Vec::with_capacity(128), Vec::new());
    let mut quick = Quick {
        cursor: Cursor::new(text),
        reader,
        about,
        marks,
        ids,
        programs,
        keeps: true,
        has_calls: false,
    };
    let policy = quick.file()?;
    // The thorough reader's parts go on after a mistake and only note it.
    quick.reader.found.is_empty().then_some(policy)
}

struct Quick<'f, 'p> {
    cursor: Cursor<'f>,
    /// Reads what is rare, and notes what is wrong with it.
    reader: Reader,
    /// The programs of the call.
    about: Option<&'p Programs<'p>>,
    /// The ids of all rules: marks of them, and the ids themselves for when two have the same mark.
    marks: Marks,
    ids: Vec<Text<'f>>,
    /// Names of a matcher's programs.
    programs: Vec<Text<'f>>,
    /// Whether lists are kept, or only checked.
    keeps: bool,
    /// Whether a matcher of the rule has `calls`, kept or not.
    has_calls: bool,
}

/// The keys of a rule that are there, to notice one that is there twice.
#[derive(Default)]
struct Seen(u32);

impl Seen {
    fn once(&mut self, bit: u32) -> Option<()> {
        let new = self.0 & (1 << bit) == 0;
        self.0 |= 1 << bit;
        new.then_some(())
    }

    fn has(&self, bit: u32) -> bool {
        self.0 & (1 << bit) != 0
    }
}

const DECISION: u32 = 1;
const REASON: u32 = 2;
const MATCH: u32 = 10;
const NOT_MATCH: u32 = 11;
const SUBJECT: u32 = 12;
const REWRITE: u32 = 14;

impl<'f> Quick<'f, '_> {
    fn file(&mut self) -> Option<Policy<'f>> {
        // Room for most files: what grows is copied.
        let mut policy = Policy { rules: Vec::with_capacity(64), ..Policy::default() };
        // Elsewhere than on the first line it may still be right, which the thorough reader knows.
        if self.line()? != Some(b"schema") || self.cursor.value()?.value != Value::Integer(1) {
            return None;
        }
        self.cursor.end_of_line()?;
        let mut seen = Seen::default();
        loop {
            self.cursor.space();
            let at = self.cursor.place();
            if self.cursor.peek().is_none() {
                policy.inherit();
                return Some(policy);
            }
            if self.cursor.takes("[[rule]]") {
                self.cursor.end_of_line()?;
                if !self.passes_over()? {
                    self.rule(at, &mut policy.rules)?;
                }
            } else if self.cursor.takes("[[exception]]") {
                let table = self.section()?;
                policy.exceptions.push(self.reader.exception(table, at)?);
            } else if self.cursor.takes("[defaults]") {
                seen.once(0)?;
                let entry = self.entry("defaults", at)?;
                (policy.defaults, policy.may) = self.reader.defaults(entry);
            } else if self.cursor.takes("[system]") {
                seen.once(1)?;
                let entry = self.entry("system", at)?;
                policy.limits = self.reader.limits(entry);
            } else if self.cursor.takes("[builtin]") {
                seen.once(2)?;
                let entry = self.entry("builtin", at)?;
                policy.builtin = self.reader.builtin(entry);
            } else if self.cursor.takes("[environment]") {
                seen.once(3)?;
                let entry = self.entry("environment", at)?;
                policy.environment = self.reader.environment(entry);
            } else {
                return None;
            }
        }
    }

    /// The key of the next line, after its `=`; none where a header follows, or nothing.
    #[inline]
    fn line(&mut self) -> Option<Option<&'f [u8]>> {
        if self.cursor.next_key() {
            return self.cursor.plain_key().map(Some);
        }
        self.cursor.space();
        match self.cursor.peek() {
            None | Some(b'[') => Some(None),
            Some(_) => self.cursor.plain_key().map(Some),
        }
    }

    /// The entries below a header, as values.
    fn section(&mut self) -> Option<Table<'f>> {
        self.cursor.end_of_line()?;
        let mut table = Table::default();
        loop {
            self.cursor.space();
            if matches!(self.cursor.peek(), None | Some(b'[')) {
                return Some(table);
            }
            self.cursor.pair(&mut table)?;
            self.cursor.end_of_line()?;
        }
    }

    fn entry(&mut self, key: &'static str, at: u32) -> Option<Entry<'f>> {
        let value = Value::Table(self.section()?);
        Some(Entry { key: Cow::Borrowed(key), at, item: Item { value, at } })
    }

    /// A value in the form that the thorough reader takes.
    fn value(&mut self, key: &'f [u8]) -> Option<Entry<'f>> {
        let key = str::from_utf8(key).ok()?;
        let item = self.cursor.value()?;
        Some(Entry { key: Cow::Borrowed(key), at: item.at, item })
    }

    /// A rule, kept unless it is about other programs.
    fn rule(&mut self, at: u32, rules: &mut Vec<Rule<'f>>) -> Option<()> {
        let mut rule = rule::empty(at);
        self.has_calls = false;
        let (mut speaks, mut rewrites) = (true, false);
        let mut seen = Seen::default();
        while let Some(key) = self.line()? {
            let bit = match key {
                b"id" => {
                    rule.id = self.said()?;
                    self.is_new_id(&rule.id).then_some(0)?
                }
                b"decision" => {
                    let word = self.text()?;
                    rule.effect = words::effect(&word)?;
                    // No other word is as long.
                    rewrites = word.len() == rule::REWRITES.len();
                    DECISION
                }
                b"reason" => {
                    rule.reason = self.said()?;
                    REASON
                }
                b"instead" => {
                    rule.instead = self.said()?;
                    3
                }
                b"lock" => {
                    rule.locked = self.cursor.value()?.value == Value::Bool(true);
                    // `false` is the same as nothing, and rare.
                    rule.locked.then_some(4)?
                }
                b"override_by" => {
                    rule.override_by = Some(words::layer(&self.text()?)?);
                    5
                }
                b"no_prompt" => {
                    rule.no_prompt = Some(words::no_prompt(&self.text()?)?);
                    6
                }
                b"tool" => {
                    rule.tools = self.words(TOOLS, words::tool)?;
                    7
                }
                b"when" => {
                    let entry = self.value(key)?;
                    rule.when = self.reader.when(entry);
                    8
                }
                b"rewrite" => {
                    let entry = self.value(key)?;
                    rule.more.get_or_insert_default().rewrite = Some(self.reader.rewrite(entry));
                    REWRITE
                }
                b"may" => {
                    let entry = self.value(key)?;
                    rule.more.get_or_insert_default().may = Some(self.reader.may(entry));
                    13
                }
                b"unless" => {
                    // Read as the same kind, which has to be known.
                    let kind = rule.subject.kind();
                    let item = self.value(key)?.item;
                    rule.unless = self.subject((!kind.is_empty()).then_some(kind)?, item, true)?;
                    9
                }
                b"match" => {
                    self.examples()?;
                    MATCH
                }
                b"not_match" => {
                    self.examples()?;
                    NOT_MATCH
                }
                kind => {
                    rule.subject = self.matchers(kind)?;
                    // Where every matcher is about another program, none is kept.
                    speaks = !matches!(&rule.subject, Subject::Run(kept) if kept.is_empty());
                    SUBJECT
                }
            };
            seen.once(bit)?;
            self.cursor.end_of_line()?;
        }
        let complete = self.settles(&mut rule, &seen, rewrites)?;
        if complete && speaks {
            rules.push(rule);
        } else {
            // Nothing but empty lists: taking 70 of 100 rules apart costs more than leaving them.
            std::mem::forget(rule);
        }
        complete.then_some(())
    }

    /// What the rule is about, after the key of its kind.
    fn matchers(&mut self, kind: &'f [u8]) -> Option<Subject<'f>> {
        Some(match kind {
            b"run" => {
                let mut matchers = Vec::new();
                self.each(|quick| quick.run(&mut matchers))?;
                Subject::Run(matchers)
            }
            b"path" => {
                let mut matchers = Vec::new();
                self.each(|quick| quick.path(&mut matchers))?;
                Subject::Path(matchers)
            }
            b"mcp" => {
                let mut matchers = Vec::new();
                self.each(|quick| quick.mcp(&mut matchers))?;
                Subject::Mcp(matchers)
            }
            b"net" | b"agent" | b"text" => {
                let entry = self.value(kind)?;
                self.subject(rule::kind_of(&entry.key)?, entry.item, false)?
            }
            _ => return None,
        })
    }

    /// Whether a rule says all that it must, once every line of it is read; what contradicts itself is for the thorough
    /// reader to report.
    fn settles(&self, rule: &mut Rule<'f>, seen: &Seen, rewrites: bool) -> Option<bool> {
        let held_back = matches!(rule.effect, Effect::Ask | Effect::Deny);
        if rule.effect.loosens() && self.has_calls {
            return None;
        }
        let complete =
            seen.has(0) && seen.has(DECISION) && (seen.has(REASON) || !held_back) && seen.has(SUBJECT);
        if rewrites || seen.has(REWRITE) {
            let kind = rule.subject.kind();
            rule::settle_rewrite(rule, rewrites, (!kind.is_empty()).then_some(kind)).ok()?;
        }
        if let Subject::Text(_) = rule.subject {
            if !seen.has(MATCH) || !seen.has(NOT_MATCH) {
                return None;
            }
            if rule.tools.is_empty() {
                rule.tools.push(ToolWord::Shell);
            }
        }
        Some(complete)
    }

    /// Whether it is an id, and no other rule has it; one that is there twice is for the thorough reader to find.
    fn is_new_id(&mut self, id: &Text<'f>) -> bool {
        // Only two ids with the same mark are compared with all the others.
        let new = !self.marks.may_repeat(id) || !self.ids.contains(id);
        self.ids.push(id.clone());
        new && is_id(id)
    }

    fn subject(&mut self, kind: &'static str, item: Item<'f>, partial: bool) -> Option<Subject<'f>> {
        match self.reader.subject(kind, item, partial) {
            Rest::Subject(subject) => Some(subject),
            Rest::Lost => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ids of which some have the same mark, whatever the marks are made of.
    #[test]
    fn many_rules_in_the_plain_form_are_read_quickly() {
        let rule = |number: u32| {
            format!(
                "[[rule]]\nid = \"r-{number}\"\ndecision = \"note\"\nrun = {{ program = \"p{number}\" }}\n"
            )
        };
        let text = String::from("schema = 1\n") + &(0..1000).map(rule).collect::<String>();
        assert_eq!(read(&text, 0, None).map(|policy| policy.rules.len()), Some(1000));
        assert!(read(&(text + &rule(7)), 0, None).is_none(), "an id that is there twice");
    }
}
