//! The hook's way through a file without a mistake: what the thorough reader makes of it, at a third of the cost.
//!
//! A hook reads its policies on every call, and nearly all of them are written in the plain form of the documentation.
//! So rules are read straight into the model, without a tree of values, and their examples are passed over. Whatever is
//! not in the plain form, and every mistake, makes this reader give up: then the whole file is read thoroughly. It
//! decides nothing by itself, and `tests/readers.rs` holds both readers against each other.

use std::borrow::Cow;

use crate::model::{Effect, PathTest, Policy, Rule, Run, Subject, Text, ToolWord};
use crate::toml::{Cursor, Entry, Item, Made, Table, Value, stray_control};

use super::matchers::{self, ACCESS, Rest, is_flag, no_program, written_out};
use super::rule::{self, TOOLS, is_id};
use super::{MAX_FILE, Reader, words};

/// Reads a file in which nothing is wrong and everything is in the plain form; examples are left out.
pub(super) fn read(text: &str, today: i64) -> Option<Policy<'_>> {
    if text.len() > MAX_FILE || stray_control(text).is_some() {
        return None;
    }
    let reader = Reader { today, found: Vec::new() };
    let mut quick = Quick { cursor: Cursor::new(text), reader };
    let policy = quick.file()?;
    quick.reader.same_ids(&policy);
    quick.reader.found.is_empty().then_some(policy)
}

struct Quick<'f> {
    cursor: Cursor<'f>,
    /// Reads what is rare, and notes what is wrong with it.
    reader: Reader,
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

impl<'f> Quick<'f> {
    fn file(&mut self) -> Option<Policy<'f>> {
        let mut policy = Policy::default();
        if self.line()? != Some("schema") || self.cursor.value().ok()?.value != Value::Integer(1) {
            return None;
        }
        self.cursor.end_of_line().ok()?;
        let mut seen = Seen::default();
        loop {
            self.cursor.space();
            let at = self.cursor.place();
            if self.cursor.peek().is_none() {
                return Some(policy);
            }
            if self.cursor.takes("[[rule]]") {
                self.cursor.end_of_line().ok()?;
                let rule = self.rule(at)?;
                if policy.rules.is_empty() {
                    // A guess: growing step by step would move the first rules many times.
                    policy.rules.reserve(self.cursor.left() / 300 + 1);
                }
                policy.rules.push(rule);
            } else if self.cursor.takes("[[exception]]") {
                let table = self.section()?;
                policy.exceptions.push(self.reader.exception(table, at)?);
            } else if self.cursor.takes("[defaults]") {
                seen.once(0)?;
                let entry = self.entry("defaults", at)?;
                policy.defaults = self.reader.defaults(entry);
            } else if self.cursor.takes("[system]") {
                seen.once(1)?;
                let entry = self.entry("system", at)?;
                policy.limits = self.reader.limits(entry);
            } else if self.cursor.takes("[builtin]") {
                seen.once(2)?;
                let entry = self.entry("builtin", at)?;
                policy.builtin = self.reader.builtin(entry);
            } else {
                return None;
            }
        }
    }

    /// The key of the next line, behind its `=`; none where a header follows, or nothing.
    fn line(&mut self) -> Option<Option<&'f str>> {
        self.cursor.space();
        match self.cursor.peek() {
            None | Some(b'[') => Some(None),
            Some(_) => self.cursor.plain_key().map(Some),
        }
    }

    /// The entries below a header, as values.
    fn section(&mut self) -> Option<Table<'f>> {
        self.cursor.end_of_line().ok()?;
        let mut table = Table { made: Made::Header, ..Table::default() };
        loop {
            self.cursor.space();
            if matches!(self.cursor.peek(), None | Some(b'[')) {
                return Some(table);
            }
            self.cursor.pair(&mut table).ok()?;
            self.cursor.end_of_line().ok()?;
        }
    }

    fn entry(&mut self, key: &'static str, at: u32) -> Option<Entry<'f>> {
        let value = Value::Table(self.section()?);
        Some(Entry { key: Cow::Borrowed(key), at, item: Item { value, at } })
    }

    /// A value in the form that the thorough reader takes.
    fn value(&mut self, key: &'f str) -> Option<Entry<'f>> {
        let item = self.cursor.value().ok()?;
        Some(Entry { key: Cow::Borrowed(key), at: item.at, item })
    }

    fn rule(&mut self, at: u32) -> Option<Rule<'f>> {
        let mut rule = rule::empty(at);
        let mut seen = Seen::default();
        while let Some(key) = self.line()? {
            let bit = match key {
                "id" => {
                    rule.id = self.said()?;
                    is_id(&rule.id).then_some(0)?
                }
                "decision" => {
                    rule.effect = words::effect(&self.text()?)?;
                    DECISION
                }
                "reason" => {
                    rule.reason = self.said()?;
                    REASON
                }
                "instead" => {
                    rule.instead = self.said()?;
                    3
                }
                "lock" => {
                    rule.locked = self.cursor.value().ok()?.value == Value::Bool(true);
                    // `false` is the same as nothing, and rare.
                    rule.locked.then_some(4)?
                }
                "override_by" => {
                    rule.override_by = Some(words::layer(&self.text()?)?);
                    5
                }
                "no_prompt" => {
                    rule.no_prompt = Some(words::no_prompt(&self.text()?)?);
                    6
                }
                "tool" => {
                    rule.tools = self.words(TOOLS, words::tool)?;
                    7
                }
                "when" => {
                    let entry = self.value(key)?;
                    rule.when = self.reader.when(entry);
                    8
                }
                "unless" => {
                    // Read as the same kind, which has to be known.
                    let kind = rule.subject.kind();
                    let item = self.value(key)?.item;
                    rule.unless = self.subject((!kind.is_empty()).then_some(kind)?, item, true)?;
                    9
                }
                "match" => {
                    self.examples()?;
                    MATCH
                }
                "not_match" => {
                    self.examples()?;
                    NOT_MATCH
                }
                "run" => {
                    rule.subject = Subject::Run(self.matchers(Self::run)?);
                    12
                }
                "path" => {
                    rule.subject = Subject::Path(self.matchers(Self::path)?);
                    12
                }
                "net" | "mcp" | "agent" | "text" => {
                    let kind = rule::kind_of(key)?;
                    let item = self.value(key)?.item;
                    rule.subject = self.subject(kind, item, false)?;
                    12
                }
                _ => return None,
            };
            seen.once(bit)?;
            self.cursor.end_of_line().ok()?;
        }
        let held_back = matches!(rule.effect, Effect::Ask | Effect::Deny);
        let complete = seen.has(0) && seen.has(DECISION) && (seen.has(REASON) || !held_back) && seen.has(12);
        if let Subject::Text(_) = rule.subject {
            if !seen.has(MATCH) || !seen.has(NOT_MATCH) {
                return None;
            }
            if rule.tools.is_empty() {
                rule.tools.push(ToolWord::Shell);
            }
        }
        complete.then_some(rule)
    }

    fn subject(&mut self, kind: &'static str, item: Item<'f>, partial: bool) -> Option<Subject<'f>> {
        match self.reader.subject(kind, item, partial) {
            Rest::Subject(subject) => Some(subject),
            Rest::Lost => None,
        }
    }

    /// A text in quotes.
    fn text(&mut self) -> Option<Text<'f>> {
        self.cursor.plain_text()
    }

    /// A text that says something.
    fn said(&mut self) -> Option<Text<'f>> {
        self.text().filter(|text| !text.trim_ascii_start().is_empty() && !text.trim().is_empty())
    }

    /// Each value of a list with at least one, or the only one.
    fn each(&mut self, mut one: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        if self.cursor.peek() != Some(b'[') {
            return one(self);
        }
        self.cursor.at += 1;
        self.cursor.space();
        if self.cursor.peek() == Some(b']') {
            return None;
        }
        while self.cursor.peek() != Some(b']') {
            one(self)?;
            self.cursor.space();
            if self.cursor.peek() == Some(b',') {
                self.cursor.at += 1;
                self.cursor.space();
            } else if self.cursor.peek() != Some(b']') {
                return None;
            }
        }
        self.cursor.at += 1;
        Some(())
    }

    /// A text or a list of them, into a list that is empty so far.
    fn texts(&mut self, list: &mut Vec<Text<'f>>) -> Option<()> {
        list.is_empty().then_some(())?;
        self.each(|quick| {
            let text = quick.text().filter(|text| !text.is_empty())?;
            list.push(text);
            Some(())
        })
    }

    fn patterns(&mut self, list: &mut Vec<Text<'f>>) -> Option<()> {
        self.texts(list)?;
        *list = written_out(std::mem::take(list)).ok()?;
        Some(())
    }

    fn flags(&mut self, list: &mut Vec<Text<'f>>) -> Option<()> {
        self.texts(list)?;
        list.iter().all(|flag| is_flag(flag)).then_some(())
    }

    fn words<T>(&mut self, known: &[&str], meaning: fn(&str) -> T) -> Option<Vec<T>> {
        let mut all = Vec::new();
        self.each(|quick| {
            let text = quick.text()?;
            let word = known.iter().find(|word| ***word == *text)?;
            all.push(meaning(word));
            Some(())
        })?;
        Some(all)
    }

    /// Examples are passed over; their form is looked at.
    fn examples(&mut self) -> Option<()> {
        (self.cursor.peek() == Some(b'[')).then_some(())?;
        self.each(|quick| match quick.cursor.peek() {
            Some(b'"' | b'\'') => quick.text().map(|_| ()),
            Some(b'{') => quick.cursor.value().ok().map(|_| ()),
            _ => None,
        })
    }

    /// Matchers of a kind: one table, or a list of them.
    fn matchers<T>(&mut self, read: fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut all = Vec::new();
        self.each(|quick| {
            all.push(read(quick)?);
            Some(())
        })?;
        Some(all)
    }

    /// Each key of `{ … }`.
    fn inline(&mut self, mut each: impl FnMut(&mut Self, &'f str) -> Option<()>) -> Option<()> {
        (self.cursor.peek() == Some(b'{')).then_some(())?;
        self.cursor.at += 1;
        loop {
            self.cursor.space();
            if self.cursor.peek() == Some(b'}') {
                self.cursor.at += 1;
                return Some(());
            }
            let key = self.cursor.plain_key()?;
            each(self, key)?;
            self.cursor.space();
            match self.cursor.peek() {
                Some(b',') => self.cursor.at += 1,
                Some(b'}') => {}
                _ => return None,
            }
        }
    }

    fn run(&mut self) -> Option<Run<'f>> {
        let mut run = Run::default();
        self.inline(|quick, key| match key {
            "program" => {
                quick.patterns(&mut run.program)?;
                run.program.iter().all(|name| no_program(name).is_none()).then_some(())
            }
            "program_path" => quick.patterns(&mut run.program_path),
            "sub" => quick.texts(&mut run.sub),
            "sub_any" => quick.texts(&mut run.sub_any),
            "flags_any" => quick.flags(&mut run.flags_any),
            "flags_all" => quick.flags(&mut run.flags_all),
            "flags_none" => quick.flags(&mut run.flags_none),
            "args_any" => quick.patterns(&mut run.args_any),
            "args_all" => quick.patterns(&mut run.args_all),
            "args_none" => quick.patterns(&mut run.args_none),
            "env_any" => quick.patterns(&mut run.env_any),
            _ => None,
        })?;
        matchers::names_a_program(&run).then_some(run)
    }

    fn path(&mut self) -> Option<PathTest<'f>> {
        let mut path = PathTest::default();
        self.inline(|quick, key| match key {
            "access" if path.access.is_empty() => {
                path.access = quick.words(ACCESS, words::access)?;
                Some(())
            }
            "any" => quick.patterns(&mut path.any),
            "except" => quick.patterns(&mut path.except),
            _ => None,
        })?;
        (!path.any.is_empty()).then_some(path)
    }
}
