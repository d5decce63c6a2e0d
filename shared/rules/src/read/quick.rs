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

use std::borrow::Cow;

use crate::glob;
use crate::model::{Effect, PathTest, Policy, Rule, Run, Subject, Text, ToolWord};
use crate::programs::Programs;
use crate::toml::{Cursor, Entry, Item, Made, Table, Value, stray_control};

use super::matchers::{ACCESS, Rest, is_flag, is_written_out, no_program, written_out};
use super::rule::{self, TOOLS, is_id};
use super::{MAX_FILE, Marks, Reader, words};

/// Reads a file in which nothing is wrong and everything is in the plain form. Examples are left out, and rules about
/// other programs than these.
pub(super) fn read<'f>(text: &'f str, today: i64, about: Option<&Programs<'_>>) -> Option<Policy<'f>> {
    if text.len() > MAX_FILE || stray_control(text).is_some() {
        return None;
    }
    let reader = Reader { today, found: Vec::new() };
    let (marks, ids, programs) = (Marks::default(), Vec::with_capacity(128), Vec::new());
    let mut quick = Quick { cursor: Cursor::new(text), reader, about, marks, ids, programs, keeps: true };
    let policy = quick.file()?;
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
}

/// A list of a matcher.
type Field<'f> = for<'r> fn(&'r mut Run<'f>) -> &'r mut Vec<Text<'f>>;

/// What the texts of a list are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Texts {
    Words,
    Patterns,
    Flags,
}

/// A text that is only looked at.
trait Looked {
    /// Whether a list may have it.
    fn sounds(&self, kind: Texts) -> Option<()>;
}

impl Looked for [u8] {
    fn sounds(&self, kind: Texts) -> Option<()> {
        let sound = !self.is_empty()
            && match kind {
                Texts::Words => true,
                Texts::Flags => is_flag(self),
                Texts::Patterns => {
                    !self.iter().any(|byte| is_written_out(*byte))
                        || str::from_utf8(self).is_ok_and(|text| glob::check(text).is_ok())
                }
            };
        sound.then_some(())
    }
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

impl<'f> Quick<'f, '_> {
    fn file(&mut self) -> Option<Policy<'f>> {
        let mut policy = Policy::default();
        if self.line()? != Some(b"schema") || self.cursor.value().ok()?.value != Value::Integer(1) {
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
                policy.rules.extend(self.rule(at)?);
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
    #[inline]
    fn line(&mut self) -> Option<Option<&'f [u8]>> {
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
    fn value(&mut self, key: &'f [u8]) -> Option<Entry<'f>> {
        let key = str::from_utf8(key).ok()?;
        let item = self.cursor.value().ok()?;
        Some(Entry { key: Cow::Borrowed(key), at: item.at, item })
    }

    /// A rule, and within it nothing if it is about other programs.
    fn rule(&mut self, at: u32) -> Option<Option<Rule<'f>>> {
        let mut rule = rule::empty(at);
        let mut speaks = true;
        let mut seen = Seen::default();
        while let Some(key) = self.line()? {
            let bit = match key {
                b"id" => {
                    rule.id = self.said()?;
                    self.is_new_id(&rule.id).then_some(0)?
                }
                b"decision" => {
                    rule.effect = words::effect(&self.text()?)?;
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
                    rule.locked = self.cursor.value().ok()?.value == Value::Bool(true);
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
                b"run" => {
                    let mut matchers = Vec::new();
                    self.each(|quick| quick.run(&mut matchers))?;
                    speaks = !matchers.is_empty();
                    rule.subject = Subject::Run(matchers);
                    12
                }
                b"path" => {
                    let mut matchers = Vec::new();
                    self.each(|quick| quick.path(&mut matchers))?;
                    rule.subject = Subject::Path(matchers);
                    12
                }
                b"net" | b"mcp" | b"agent" | b"text" => {
                    let entry = self.value(key)?;
                    rule.subject = self.subject(rule::kind_of(&entry.key)?, entry.item, false)?;
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
        complete.then(|| speaks.then_some(rule))
    }

    /// Whether it is an id, and no other rule has it; one that is there twice is for the thorough reader to find.
    fn is_new_id(&mut self, id: &Text<'f>) -> bool {
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

    /// A text in quotes.
    fn text(&mut self) -> Option<Text<'f>> {
        self.cursor.plain_text()
    }

    /// A text that says something.
    fn said(&mut self) -> Option<Text<'f>> {
        let plain = |text: &Text<'_>| text.as_bytes().first().is_some_and(u8::is_ascii_graphic);
        self.text().filter(|text| plain(text) || !text.trim().is_empty())
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

    /// A text or a list of them, at the end of a list that is kept.
    fn texts(&mut self, kind: Texts, list: &mut Vec<Text<'f>>) -> Option<()> {
        let keeps = self.keeps;
        if !keeps {
            return self.each(|quick| {
                if quick.cursor.peek() == Some(b'"')
                    && let Some(text) = quick.cursor.plainest_text()
                {
                    return text.sounds(kind);
                }
                let text = quick.text()?;
                text.as_bytes().sounds(kind)
            });
        }
        self.each(|quick| {
            let text = quick.text().filter(|text| !text.is_empty())?;
            if kind == Texts::Flags && !is_flag(text.as_bytes()) {
                return None;
            }
            if kind == Texts::Patterns && text.bytes().any(is_written_out) {
                let texts = written_out(vec![text]).ok()?;
                if keeps {
                    list.extend(texts);
                }
            } else if keeps {
                list.push(text);
            }
            Some(())
        })
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
            Some(b'"' | b'\'') => match quick.cursor.plainest_text() {
                Some(_) => Some(()),
                None => quick.text().map(|_| ()),
            },
            Some(b'{') => quick.cursor.value().ok().map(|_| ()),
            _ => None,
        })
    }

    /// Each key of `{ … }`.
    fn inline(&mut self, mut each: impl FnMut(&mut Self, &'f [u8]) -> Option<()>) -> Option<()> {
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

    fn run(&mut self, all: &mut Vec<Run<'f>>) -> Option<()> {
        // Most matchers are about another program, and none of their lists is kept.
        let mut run: Option<Run<'f>> = None;
        let (mut seen, mut unkept) = (Seen::default(), Vec::new());
        let mut programs = std::mem::take(&mut self.programs);
        let read = self.inline(|quick, key| {
            use Texts::{Flags, Patterns, Words};
            let field = |list: Field<'f>| list;
            let (bit, kind, list) = match key {
                b"program" => {
                    seen.once(0)?;
                    let keeps = std::mem::replace(&mut quick.keeps, true);
                    quick.texts(Patterns, &mut programs)?;
                    let sound = programs.iter().all(|name| no_program(name).is_none());
                    quick.keeps = keeps && quick.about.is_none_or(|about| about.may_be(&programs));
                    return sound.then_some(());
                }
                b"program_path" => (1, Patterns, field(|run| &mut run.program_path)),
                b"sub" => (2, Words, field(|run| &mut run.sub)),
                b"sub_any" => (3, Words, field(|run| &mut run.sub_any)),
                b"flags_any" => (4, Flags, field(|run| &mut run.flags_any)),
                b"flags_all" => (5, Flags, field(|run| &mut run.flags_all)),
                b"flags_none" => (6, Flags, field(|run| &mut run.flags_none)),
                b"args_any" => (7, Patterns, field(|run| &mut run.args_any)),
                b"args_all" => (8, Patterns, field(|run| &mut run.args_all)),
                b"args_none" => (9, Patterns, field(|run| &mut run.args_none)),
                b"env_any" => (10, Patterns, field(|run| &mut run.env_any)),
                _ => return None,
            };
            seen.once(bit)?;
            let list = if quick.keeps { list(run.get_or_insert_default()) } else { &mut unkept };
            quick.texts(kind, list)
        });
        let speaks = std::mem::replace(&mut self.keeps, true);
        if speaks {
            let program = std::mem::take(&mut programs);
            all.push(Run { program, ..run.unwrap_or_default() });
        } else {
            programs.clear();
        }
        self.programs = programs;
        // A program, a path or a variable has to be named.
        read.filter(|()| seen.has(0) || seen.has(1) || seen.has(10))
    }

    fn path(&mut self, all: &mut Vec<PathTest<'f>>) -> Option<()> {
        let mut path = PathTest::default();
        let mut seen = Seen::default();
        self.inline(|quick, key| match key {
            b"access" => {
                seen.once(0)?;
                path.access = quick.words(ACCESS, words::access)?;
                Some(())
            }
            b"any" => {
                seen.once(1)?;
                quick.texts(Texts::Patterns, &mut path.any)
            }
            b"except" => {
                seen.once(2)?;
                quick.texts(Texts::Patterns, &mut path.except)
            }
            _ => None,
        })?;
        all.push(path);
        seen.has(1).then_some(())
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
