//! What a host makes of a configuration: its hooks, and what it silently does not do.

mod entry;
mod settings;

use std::ops::Range;
use std::path::PathBuf;

use crate::event;
use crate::hook::{Hook, Origin, System};
use crate::keys;
use crate::place::{Format, Scope};
use crate::problem::{Code, Problem, Severity};
use crate::record::{BadEntry, Disable, Product, Quirk, Syntax};
use crate::tree::{self, Liberty, Member, Node};

/// Claude Code reads no settings file that is larger. [run] 2.1.330.
const MOST_SETTINGS: usize = 2 << 20;

/// A file to be read.
#[derive(Debug, Clone)]
pub struct Source<'a> {
    pub file: PathBuf,
    pub scope: Scope,
    /// What it holds.
    pub format: Format,
    pub text: &'a str,
}

/// What a host makes of a file.
#[derive(Debug, Default)]
pub struct Reading {
    /// The hooks that it will run.
    pub hooks: Vec<Hook>,
    /// What is wrong, in the order of the text.
    pub problems: Vec<Problem>,
    /// Whether the host drops the file, so that none of its hooks run.
    pub dropped: bool,
    /// Whether the file switches off hooks of other files, too (Claude Code).
    pub disables_others: bool,
    /// Whether it lets managed hooks run only (Claude Code).
    pub managed_only: bool,
}

/// Reads a file as a host does, on a system.
pub fn read(product: Product, source: &Source<'_>, system: System) -> Reading {
    let mut reader = Reader { product, source, system, reading: Reading::default(), guards: false };
    let layout = product.written.layout;
    match layout.parse(&source.file, source.text, product.events) {
        Ok(document) => reader.document(&document),
        Err(broken) => {
            reader.drop_file(
                Code::JsonSyntax,
                broken.span,
                &format!("This is not {}: {}.", layout.language(), broken.message),
                "Fix the syntax.",
            );
        }
    }
    let mut reading = reader.reading;
    // Only here, at the end: the file is read on after what drops it, so that one run tells of all its mistakes.
    if reading.dropped {
        reading.hooks.clear();
    }
    reading.problems.sort_by_key(|problem| (problem.span.start, problem.code));
    reading.problems.dedup();
    reading
}

struct Reader<'a> {
    product: Product,
    source: &'a Source<'a>,
    system: System,
    reading: Reading,
    /// Whether the event that is read is one whose bad entries drop the file.
    guards: bool,
}

impl Reader<'_> {
    fn problem(&mut self, code: Code, span: Range<usize>, message: String, help: impl Into<String>) {
        self.reading.problems.push(Problem::new(code, self.product, span, message, help));
    }

    /// A problem because of which the host drops the file.
    fn drop_file(&mut self, code: Code, span: Range<usize>, message: &str, help: &str) {
        // A file of the wrong shape does not keep such a host from starting.
        let unreadable = matches!(code, Code::JsonSyntax | Code::JsonByteOrderMark | Code::JsonTrailingComma);
        let does = if unreadable && self.product.has(Quirk::RefusesToStart) {
            "does not start"
        } else {
            "drops the whole file"
        };
        let message = format!("{message} {} {does}.", self.product.title);
        self.problem(code, span, message, help);
        self.reading.dropped = true;
    }

    /// A problem with one entry: what becomes of its neighbours is the host's affair.
    fn bad_entry(&mut self, span: Range<usize>, message: &str, help: impl Into<String>) {
        let title = self.product.title;
        let drops = match self.product.bad_entry.value {
            BadEntry::Skipped => false,
            BadEntry::DropsFile => true,
            BadEntry::DropsFileOfGuards => self.guards,
        };
        if drops {
            let message = format!("{message} {title} then runs none of the file's hooks.");
            self.problem(Code::EntryBreaksFile, span, message, help);
            self.reading.dropped = true;
        } else {
            self.problem(Code::EntrySkipped, span, format!("{message} {title} skips it."), help);
        }
    }

    fn document(&mut self, document: &tree::Document) {
        let syntax = self.product.syntax.value;
        let mut wrong = document.liberties.iter().filter(|(_, liberty)| match syntax {
            Syntax::Strict => true,
            // Some hosts strip the mark before a strict parser sees the text.
            Syntax::StrictAfterMark => *liberty != Liberty::ByteOrderMark,
            Syntax::CommentsOnly => *liberty != Liberty::Comment,
            Syntax::CommentsAfterMark => *liberty == Liberty::TrailingComma,
            Syntax::Comments => false,
        });
        // One is enough to drop the file; the strict parser below would name the same place again.
        if let Some((span, liberty)) = wrong.next() {
            let (code, what) = match liberty {
                Liberty::ByteOrderMark => (Code::JsonByteOrderMark, "A byte order mark"),
                Liberty::Comment => (Code::JsonComment, "A comment"),
                Liberty::TrailingComma => (Code::JsonTrailingComma, "A trailing comma"),
            };
            self.drop_file(code, span.clone(), &format!("{what} is not JSON."), "Remove it.");
        } else if matches!(syntax, Syntax::Strict | Syntax::StrictAfterMark) {
            self.strictly();
        }
        let root = &document.root;
        if !root.is_object() {
            let message = format!("The file contains {}, not an object.", root.kind());
            return self.drop_file(Code::JsonShape, root.span.clone(), &message, "Write {\"hooks\": {…}}.");
        }
        // Settings hold much that is not about hooks.
        self.duplicates(root, self.source.format == Format::Hooks);
        self.head(root);
        self.values(root);
        let Some(hooks) = root.get("hooks") else {
            // Settings without hooks are nothing unusual.
            if self.source.format == Format::Hooks && !self.reading.dropped {
                let message = "This file has no `hooks`.".to_owned();
                self.problem(Code::HooksMissing, root.span.start..root.span.start + 1, message, "Add them.");
            }
            return;
        };
        if !hooks.node.is_object() {
            let message = format!("`hooks` is {}, not an object.", hooks.node.kind());
            let help = "Write an object with an array for each event.";
            return self.drop_file(Code::JsonShape, hooks.node.span.clone(), &message, help);
        }
        self.duplicates(&hooks.node, true);
        self.casings(&hooks.node);
        for member in hooks.node.members() {
            // Of several with one name, the last is read.
            if hooks.node.get(&member.key).is_some_and(|last| last.key_span == member.key_span) {
                self.event(member);
            }
        }
    }

    /// What the lenient parser takes and a strict one does not: control characters in strings, unknown escapes.
    fn strictly(&mut self) {
        // A mark has its own finding.
        let text = self.source.text.trim_start_matches('\u{feff}');
        // Our own parser goes on after mistakes, so that it can report several; a strict one is asked whether the
        // host reads it.
        let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text) else { return };
        // serde counts lines and columns; findings count bytes.
        let line: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let at = self.source.text.len() - text.len() + line + error.column().saturating_sub(1);
        let message = error.to_string();
        let what = message.split(" at line").next().unwrap_or_default();
        let at = at.min(self.source.text.len());
        self.drop_file(Code::JsonSyntax, at..at, &format!("This is not JSON: {what}."), "Fix the syntax.");
    }

    /// Values of Claude Code's settings that drop the file, hooks and all.
    fn values(&mut self, root: &Node) {
        if !self.product.has(Quirk::ChecksSettings) || self.source.format != Format::Settings {
            return;
        }
        if self.source.text.len() > MOST_SETTINGS {
            return self.drop_file(
                Code::JsonShape,
                0..0,
                "The file is larger than 2 MiB.",
                "Make it smaller.",
            );
        }
        if let Some(wrong) = settings::wrong(root) {
            self.drop_file(Code::JsonShape, wrong.span, &wrong.message, &wrong.help);
        }
        if let Some(span) = settings::stray_guard(root) {
            let message = "Hooks that decide about calls are outside `hooks`.";
            self.drop_file(Code::JsonShape, span, message, "Move them into `hooks` at the top level.");
        }
    }

    fn duplicates(&mut self, object: &Node, report: bool) {
        for (index, member) in object.members().iter().enumerate() {
            if report && object.members()[..index].iter().any(|earlier| earlier.key == member.key) {
                let message = format!("`{}` appears here a second time; only this one counts.", member.key);
                self.problem(Code::KeyDuplicate, member.key_span.clone(), message, "Merge the two.");
            }
        }
    }

    /// Everything beside `hooks`.
    fn head(&mut self, root: &Node) {
        let product = self.product;
        let is_event = |member: &Member| {
            event::known(product, &member.key).is_some() && member.node.elements().is_some()
        };
        for member in root.members().iter().filter(|member| is_event(member)) {
            let message =
                format!("`{}` is next to `hooks`, where no host looks: its hooks never run.", member.key);
            self.problem(Code::KeyUnknown, member.key_span.clone(), message, "Put it under `hooks`.");
        }
        if self.source.format == Format::Hooks {
            let unknown = |member: &&Member| !keys::FILE.contains(&member.key.as_str()) && !is_event(member);
            for member in root.members().iter().filter(unknown) {
                let hint = event::closest(&member.key, keys::FILE.iter().copied());
                let help =
                    hint.map_or_else(|| "Remove it.".to_owned(), |key| format!("Did you mean `{key}`?"));
                self.problem(
                    Code::KeyUnknown,
                    member.key_span.clone(),
                    format!("No host knows `{}` here.", member.key),
                    help,
                );
            }
        }
        if let Some(known) = self.product.top_keys
            && let Some(other) = root.members().iter().find(|member| !known.contains(&member.key.as_str()))
        {
            let message = format!("{} does not know `{}` here.", self.product.title, other.key);
            self.drop_file(Code::JsonShape, other.key_span.clone(), &message, "Remove it.");
        }
        if self.product.top_keys.is_some()
            && let Some(note) = root.get("description").filter(|note| note.node.text().is_none())
        {
            let message = "`description` is not a string.";
            self.drop_file(Code::JsonShape, note.node.span.clone(), message, "Use a string, or omit it.");
        }
        if self.product.has(Quirk::ReadsVersion)
            && self.source.format == Format::Hooks
            && let Some(version) = root.get("version")
            && version.node.number() != Some(1.0)
        {
            let message = "`version` is not the number 1.";
            let help = "Write \"version\": 1, or omit it.";
            self.drop_file(Code::Version, version.node.span.clone(), message, help);
        }
        if self.product.has(Quirk::ReadsVersion)
            && let Some(disable) =
                root.get("disableAllHooks").filter(|disable| disable.node.truth().is_none())
        {
            let message = format!("`disableAllHooks` is {}, not true or false.", disable.node.kind());
            self.drop_file(Code::JsonShape, disable.node.span.clone(), &message, "Use true or false.");
        }
        if let Some(disable) = root.get("disableAllHooks")
            && disable.node.truth() == Some(true)
        {
            self.disabled(&disable.key_span);
        }
        self.reading.managed_only = self.product.has(Quirk::ChecksSettings)
            // Only an administrator's file can switch off everyone else's hooks.
            && self.source.scope == Scope::Policy
            && root.at("allowManagedHooksOnly").and_then(Node::truth) == Some(true);
    }

    fn disabled(&mut self, span: &Range<usize>) {
        let help = "Remove it if the hooks are meant to run.";
        let title = self.product.title;
        let (code, message) = match (self.product.disable)(self.source.scope, self.source.format) {
            Disable::Ignored(place) => {
                (Code::DisableIgnored, format!("{title} ignores `disableAllHooks` in {place}."))
            }
            Disable::Unknown => (Code::DisableIgnored, format!("{title} does not know `disableAllHooks`.")),
            Disable::File => {
                self.reading.dropped = true;
                (Code::HooksDisabled, format!("{title} runs no hook of this file."))
            }
            Disable::Everything => {
                self.reading.disables_others = true;
                let message =
                    format!("{title} runs only managed hooks: none of this file, none of the user.");
                (Code::HooksDisabled, message)
            }
        };
        self.problem(code, span.clone(), message, help);
    }

    /// Events that stand there in two casings.
    fn casings(&mut self, hooks: &Node) {
        let Some(what) = self.product.both_casings else { return };
        let product = self.product;
        let known = |member: &Member| event::known(product, &member.key).map(|known| known.kind);
        for (index, member) in hooks.members().iter().enumerate() {
            let Some(kind) = known(member) else { continue };
            // The same key a second time is a doubled one, which `duplicates` names.
            let twin = hooks.members()[..index]
                .iter()
                .find(|earlier| earlier.key != member.key && known(earlier) == Some(kind));
            let Some(twin) = twin else { continue };
            let message = format!("`{}` and `{}` are the same event; {what}.", twin.key, member.key);
            self.problem(
                Code::EventBothCasings,
                member.key_span.clone(),
                message,
                "Keep one casing in a file; PascalCase suits VS Code and Copilot CLI.",
            );
        }
    }

    fn event(&mut self, member: &Member) {
        let title = self.product.title;
        self.guards = settings::GUARDS.contains(&member.key.as_str());
        let Some(known) = event::known(self.product, &member.key) else {
            if self.foreign(&member.key) {
                let message =
                    format!("{title} has no event `{}`; another host that reads this file has.", member.key);
                return self.note(Code::EventUnknown, member.key_span.clone(), message, "");
            }
            let help = match event::meant(self.product, &member.key) {
                Some(name) => format!("Did you mean `{name}`?"),
                None => format!("{title} knows {}.", self.product.events.join(", ")),
            };
            let message = format!("{title} does not know the event `{}`: its hooks never run.", member.key);
            return self.problem(Code::EventUnknown, member.key_span.clone(), message, help);
        };
        if !known.fires {
            let message = format!("{title} knows `{}` and never calls hooks for it.", member.key);
            let span = member.key_span.clone();
            // Another host may read the same file and call them.
            let calls = |record| event::known(Product(record), &member.key).is_some_and(|known| known.fires);
            if self.product.shares.iter().any(|(_, record)| calls(record)) {
                self.note(Code::EventNeverFires, span, message, "Use another event for this host.");
            } else {
                self.problem(Code::EventNeverFires, span, message, "Use another event.");
            }
        }
        let Some(entries) = member.node.elements() else {
            let message = format!("`{}` is {}, not an array.", member.key, member.node.kind());
            let span = member.node.span.clone();
            // [run] Claude Code 2.1.330: `null` is none, whatever the event.
            let drops = match self.product.bad_entry.value {
                BadEntry::Skipped => self.product.has(Quirk::EventShapeDropsFile),
                BadEntry::DropsFile => true,
                BadEntry::DropsFileOfGuards => self.guards && member.node.value != tree::Value::Null,
            };
            if drops {
                self.drop_file(Code::EventShape, span, &message, "Write an array of hooks.");
            } else {
                let message = format!("{message} {title} runs none of it.");
                self.problem(Code::EventShape, span, message, "Write an array of hooks.");
            }
            return;
        };
        if self.product.has(Quirk::LaterCasingCounts) {
            self.reading.hooks.retain(|hook| hook.kind != known.kind);
        }
        for entry in entries {
            let before = (self.reading.hooks.len(), self.reading.problems.len());
            self.entry(member, known, entry);
            if self.product.has(Quirk::ChecksSettings) {
                self.whole_entry(entry, before);
            }
        }
    }

    /// What nothing more telling has been said about: Claude Code checks every value of an entry, and a bad one takes the
    /// hook with it. `before` is how many hooks and problems there were before the entry.
    fn whole_entry(&mut self, entry: &Node, before: (usize, usize)) {
        let Some(wrong) = settings::wrong_entry(entry) else { return };
        let said = |problem: &Problem| matches!(problem.code, Code::EntryBreaksFile | Code::EntrySkipped);
        if !self.reading.problems[before.1..].iter().any(said) {
            self.bad_entry(wrong.span.clone(), &wrong.message, wrong.help);
        }
        let all = self.reading.hooks.split_off(before.0);
        let fine = |hook: &Hook| {
            let span = &hook.origin.span;
            !(span.start <= wrong.span.start && wrong.span.end <= span.end) && wrong.span != entry.span
        };
        self.reading.hooks.extend(all.into_iter().filter(fine));
    }

    /// Whether a key is another host's name of an event, in a file that this host shares with that one.
    ///
    /// Copilot's own events in `.github/hooks` are none of VS Code's business, and Claude's are none of Copilot's.
    fn foreign(&self, key: &str) -> bool {
        self.other_reader().is_some_and(|other| event::known(other, key).is_some())
    }

    /// The host for which a file of this format may be written, too.
    fn other_reader(&self) -> Option<Product> {
        let of = self.product.shares.iter().find(|(format, _)| *format == self.source.format);
        of.map(|(_, record)| Product(record))
    }

    fn note(&mut self, code: Code, span: Range<usize>, message: String, help: impl Into<String>) {
        let mut problem = Problem::new(code, self.product, span, message, help);
        problem.severity = Severity::Note;
        self.reading.problems.push(problem);
    }

    fn origin(&self, span: &Range<usize>) -> Origin {
        Origin {
            file: self.source.file.clone(),
            span: span.clone(),
            line: tree::position(self.source.text, span.start).0,
            scope: self.source.scope,
        }
    }
}
