//! One entry of an event: a group of hooks, or a hook.

use std::time::Duration;

use payload::EventKind;

use super::Reader;
use crate::event::{self, Known, closest};
use crate::hook::{Action, Hook, System};
use crate::keys::{self, Type};
use crate::matcher::{Flaw, Matcher};
use crate::problem::Code;
use crate::record::{BadEntry, LimitValue, Nesting, Quirk, Unit};
use crate::tree::{Member, Node, Value};

/// The most seconds that a timer of JavaScript waits; more, and it ends at once.
const MOST_OF_A_TIMER: f64 = 2_147_483.647;

/// What hooks of one group have in common.
struct Group<'a> {
    event: &'a Member,
    known: Known,
    matcher: Matcher,
    in_turn: bool,
}

impl Reader<'_> {
    /// One element of an event's array.
    pub(super) fn entry(&mut self, event: &Member, known: Known, entry: &Node) {
        let title = self.product.title;
        if !entry.is_object() {
            let message = format!("This entry is {}, not an object.", entry.kind());
            return self.bad_entry(entry.span.clone(), &message, "Write an object.");
        }
        // Claude Code starts the hooks of such a group at once, as those of any other.
        let in_turn = self.product.keys.contains(&"sequential")
            && entry.at("sequential").and_then(Node::truth).unwrap_or(false);
        let matcher = self.matcher(event, known, entry);
        let group = Group { event, known, matcher, in_turn };
        match entry.at("hooks").map(|hooks| (hooks, hooks.elements())) {
            Some((_, Some(hooks))) => {
                self.unknown_keys(entry, keys::GROUP);
                for hook in hooks {
                    self.handler(&group, hook);
                }
            }
            Some((hooks, None)) => {
                let message = format!("`hooks` is {}, not an array.", hooks.kind());
                self.bad_entry(hooks.span.clone(), &message, "Write an array of hooks.");
            }
            None if self.product.nesting.value == Nesting::Groups => {
                let message = format!("{title} requires groups: this entry has no `hooks`.");
                let help = "Wrap it: {\"hooks\": [ … ]}.";
                self.bad_entry(entry.span.clone(), &message, help);
            }
            None => self.handler(&group, entry),
        }
    }

    fn matcher(&mut self, event: &Member, known: Known, entry: &Node) -> Matcher {
        let Some(member) = entry.get("matcher") else { return Matcher::All };
        let span = member.node.span.clone();
        if member.node.value == Value::Null && self.product.has(Quirk::NullMatcherIsNone) {
            return Matcher::All;
        }
        let Some(text) = member.node.text() else {
            let message = format!("`matcher` is {}, not a string.", member.node.kind());
            self.bad_entry(span, &message, "Use a string, or omit it.");
            return Matcher::Never;
        };
        let title = self.product.title;
        let (compiled, flaw) =
            (self.product.matcher)(text, event::of_matchers(self.product, &event.key), known.kind);
        match flaw {
            // A host that reads no matcher at all: worth a word only where the matcher would have left something out.
            Some(Flaw::Ignored) if self.product.has(Quirk::IgnoresMatchers) => {
                if known.kind.is_about_tool() && !matches!(text, "" | "*" | ".*") {
                    let message = format!("{title} ignores `matcher`: this hook runs for every tool.");
                    let help =
                        format!("Let the program look at the tool's name; it gets every call on {title}.");
                    self.problem(Code::MatcherIgnored, span, message, help);
                }
            }
            // This kind of event has nothing to match; what matches everything does no harm.
            Some(Flaw::Ignored) if !matches!(text, "" | "*" | ".*") => {
                let message =
                    format!("`{text}` does nothing here: {title} calls these hooks whatever `matcher` is.");
                self.problem(Code::MatcherIgnored, span, message, "Omit `matcher`.");
            }
            Some(Flaw::Ignored) | None => {}
            Some(Flaw::Empty) => {
                let message = format!("{title} skips a hook with an empty `matcher`.");
                self.problem(Code::MatcherEmpty, span, message, "Omit `matcher` to match everything.");
            }
        }
        compiled
    }

    fn handler(&mut self, group: &Group<'_>, entry: &Node) {
        if !entry.is_object() {
            let message = format!("This hook is {}, not an object.", entry.kind());
            return self.bad_entry(entry.span.clone(), &message, "Write an object.");
        }
        self.duplicates(entry, true);
        let nested = self.product.nesting.value == Nesting::Groups;
        let Some(kind) = self.kind(entry, nested) else { return };
        // Hooks of other types have keys of their own, which are not looked at here.
        if kind == "command" && !self.unknown_keys(entry, keys::ENTRY) {
            return;
        }
        let Some(action) = self.action(entry, &kind) else { return };
        let Some(limit) = self.limit(entry, group.known.kind) else { return };
        let hook = Hook {
            origin: self.origin(&entry.span),
            key: group.event.key.clone(),
            kind: group.known.kind,
            dialect: group.known.dialect,
            matcher: group.matcher.clone(),
            condition: self.claude_text(entry, "if"),
            action,
            limit,
            folder: entry.at("cwd").and_then(Node::text).filter(|_| self.reads("cwd")).map(str::to_owned),
            env: self.env(entry),
            blocks_on_failure: self.claude_text(entry, "onFailure").as_deref() == Some("block")
                || self
                    .product
                    .written
                    .closes
                    .is_some_and(|key| entry.at(key).and_then(Node::truth) == Some(true)),
            detached: self.is_async(entry, group.known.kind),
            in_turn: group.in_turn,
        };
        self.reading.hooks.push(hook);
    }

    fn reads(&self, key: &str) -> bool {
        keys::of_entry(key).is_some_and(|key| key.read_by(self.product))
    }

    fn claude_text(&self, entry: &Node, key: &str) -> Option<String> {
        entry.at(key).and_then(Node::text).filter(|_| self.reads(key)).map(str::to_owned)
    }

    /// The hook's `type`, if the host knows it.
    fn kind(&mut self, entry: &Node, required: bool) -> Option<String> {
        let known = self.product.kinds;
        let Some(member) = entry.get("type") else {
            // Copilot and VS Code take it for a command; the schemas of the others want it said.
            if required {
                self.bad_entry(
                    entry.span.clone(),
                    "This hook has no `type`.",
                    "Write \"type\": \"command\".",
                );
                return None;
            }
            return Some("command".to_owned());
        };
        let kind = member.node.text().unwrap_or_default();
        if known.contains(&kind) {
            return Some(kind.to_owned());
        }
        if self.product.unserved.contains(&kind) {
            let message = format!("{} knows `{kind}` and leaves such hooks out.", self.product.title);
            self.problem(Code::EntrySkipped, member.node.span.clone(), message, "Use `command`.");
            return None;
        }
        let meant = closest(kind, known.iter().copied()).unwrap_or("command");
        let message = format!("`{kind}` is not a hook type.");
        self.bad_entry(member.node.span.clone(), &message, format!("Did you mean `{meant}`?"));
        None
    }

    /// Keys that no one knows, or that this host does not look at though it would matter.
    ///
    /// Whether the values of those that it looks at are of their type.
    fn unknown_keys(&mut self, entry: &Node, known: &[keys::Key]) -> bool {
        let title = self.product.title;
        let mut fine = true;
        for member in entry.members() {
            let span = member.key_span.clone();
            let key = member.key.as_str();
            // A hook that stands alone has `matcher` beside its command.
            let Some(known_key) = known.iter().chain(keys::GROUP).find(|known| known.name == key) else {
                let names = known.iter().map(|known| known.name);
                let help = closest(key, names)
                    .map_or_else(|| "Remove it.".to_owned(), |key| format!("Did you mean `{key}`?"));
                self.problem(Code::KeyUnknown, span, format!("No host knows `{key}` here."), help);
                continue;
            };
            // `limit` says more about its value.
            if self.product.limit_keys.value.contains(&key) {
                continue;
            }
            if known_key.read_by(self.product) {
                // Notes for people are read by no host, and some look at no value before they use it.
                let looks = !matches!(key, "description" | "comment" | "matcher")
                    && !keys::OF_OTHER_KINDS.contains(&key)
                    && !self.product.has(Quirk::TakesAnyValue);
                fine &= !looks || self.fits(known_key, member) || self.product.has(Quirk::IgnoresOtherTypes);
                continue;
            }
            match key {
                // A file that several hosts read has the keys of all of them.
                "cwd" | "env" => {
                    let message = format!("{title} does not look at `{key}`.");
                    let help = if key == "cwd" {
                        "Write `cd FOLDER && …` into the command."
                    } else {
                        "Write `NAME=value …` into the command."
                    };
                    self.problem(Code::KeyNoEffect, span, message, help);
                }
                // With both, the entry is written for several hosts, and each finds its own.
                "timeoutSec" if entry.at("timeout").is_none() => {
                    let limit = self.product.default_limit(EventKind::PreToolUse).as_secs();
                    let message =
                        format!("{title} does not know `timeoutSec`: the hook may take {limit} seconds.");
                    let unit =
                        if self.product.unit.value == Unit::Milliseconds { " in milliseconds" } else { "" };
                    self.problem(Code::TimeoutKey, span, message, format!("Write `timeout`{unit}."));
                }
                _ => {}
            }
        }
        fine
    }

    /// Whether a value is of its key's type; one that is not spoils the entry.
    fn fits(&mut self, key: &keys::Key, member: &Member) -> bool {
        let node = &member.node;
        let fine = match key.kind {
            Type::Text => node.text().is_some(),
            Type::Number => node.number().is_some(),
            Type::Truth => node.truth().is_some(),
            Type::Texts => node.elements().is_some_and(|list| list.iter().all(|e| e.text().is_some())),
            Type::TextMap => {
                node.is_object() && node.members().iter().all(|member| member.node.text().is_some())
            }
            Type::Any => true,
        };
        if !fine {
            let wanted = match key.kind {
                Type::Text => "a string",
                Type::Number => "a number",
                Type::Truth => "true or false",
                Type::Texts => "an array of strings",
                Type::TextMap | Type::Any => "an object",
            };
            let message = format!("`{}` is {}, not {wanted}.", member.key, node.kind());
            let help = format!("Write {wanted}.");
            if self.product.has(Quirk::IgnoresOtherTypes) {
                let message = format!("{message} {} ignores it.", self.product.title);
                self.problem(Code::KeyNoEffect, node.span.clone(), message, help);
            } else {
                self.bad_entry(node.span.clone(), &message, help);
            }
        }
        fine
    }

    /// What the hook runs here; `None` when the host leaves the entry out.
    fn action(&mut self, entry: &Node, kind: &str) -> Option<Action> {
        let text = |key: &str| entry.at(key).and_then(Node::text).map(str::to_owned);
        let title = self.product.title;
        if kind != "command" {
            let message = format!("`{kind}` runs inside {title}; hook-runner only notes it.");
            self.note(Code::EntryInHost, entry.span.clone(), message, "");
            return Some(Action::Elsewhere(kind.to_owned()));
        }
        let arguments = || -> Vec<String> {
            let list = entry.at("args").and_then(Node::elements).unwrap_or_default();
            list.iter().filter_map(Node::text).map(str::to_owned).collect()
        };
        match self.product.nesting.value {
            Nesting::Groups => {
                let Some(command) = text("command") else {
                    let help = if entry.get("bash").is_some() {
                        "Write it as `command`: `bash` is a key of VS Code and Copilot."
                    } else {
                        "Add a `command`."
                    };
                    self.bad_entry(entry.span.clone(), "This hook has no `command`.", help);
                    return None;
                };
                if command.trim().is_empty() && !self.product.has(Quirk::ChecksSettings) {
                    let message = format!("`command` is empty: {title} leaves the hook out.");
                    self.problem(Code::EntrySkipped, entry.span.clone(), message, "Write a command.");
                    return None;
                }
                // With `args`, there is no shell: the command is a program, whatever characters are in it.
                if self.reads("args") && entry.get("args").is_some() {
                    return Some(Action::Program(command, arguments()));
                }
                match self.claude_text(entry, "shell") {
                    Some(shell) => Some(Action::NamedShell(shell, command)),
                    None => Some(Action::Shell(command)),
                }
            }
            Nesting::Either => {
                if self.reads("exec")
                    && let Some(program) = text("exec")
                {
                    return Some(Action::Program(program, arguments()));
                }
                if let Some(args) = entry.get("args")
                    && self.reads("args")
                {
                    let message = format!("{title} runs the command without its `args`.");
                    let help = "Write the arguments into the command, or use `exec` with `args`.";
                    self.problem(Code::ArgsIgnored, args.key_span.clone(), message, help);
                }
                let own = match self.system {
                    System::Windows => "powershell",
                    System::Linux | System::Mac => "bash",
                };
                // The most specific key wins.
                let chosen = [self.system.key(), own, "command"].into_iter().find_map(text);
                chosen.map(Action::Shell).or_else(|| self.other_system(entry))
            }
        }
    }

    /// An entry without a command for this system.
    fn other_system(&mut self, entry: &Node) -> Option<Action> {
        let elsewhere = ["powershell", "windows", "osx", "linux", "bash"];
        let only = elsewhere.iter().copied().find(|key| entry.at(key).and_then(Node::text).is_some());
        let span = entry.span.clone();
        let title = self.product.title;
        let Some(only) = only else {
            let names = entry.members().iter().map(|member| member.key.as_str());
            // A slip in a key's name is the likeliest reason for a hook without a command.
            let near = names
                .filter(|name| keys::of_entry(name).is_none())
                .find_map(|name| closest(name, ["command", "bash", "powershell"]));
            let help =
                near.map_or_else(|| "Add a `command`.".to_owned(), |key| format!("Did you mean `{key}`?"));
            self.bad_entry(span, "This hook has no command.", help);
            return None;
        };
        if self.product.has(Quirk::SkipsOtherSystems) {
            let message = format!("This hook has only `{only}`: {title} skips it on this system.");
            self.problem(Code::EntryOtherSystem, span, message, "Add `bash` or `command`.");
            return None;
        }
        let message = format!(
            "This hook has only `{only}`: on this system {title} cannot start it and denies every call."
        );
        self.problem(Code::EntryOtherSystem, span, message, "Add `bash` or `command`.");
        Some(Action::Unstartable(format!("only `{only}` is given")))
    }

    /// The hook's time limit; `None` when the host takes the entry for a bad one because of it.
    fn limit(&mut self, entry: &Node, kind: EventKind) -> Option<Duration> {
        let default = self.product.default_limit(kind);
        let by_type = self.product.limit_value.value == LimitValue::NumberOrAbsent;
        let mut keys = self.product.limit_keys.value.iter().filter_map(|key| entry.get(key));
        let given = keys.find(|member| !by_type || self.fits(&keys::LIMIT, member));
        let Some(member) = given else { return Some(default) };
        let node = &member.node;
        let (fits, wanted) = match self.product.limit_value.value {
            // Such a host takes whatever there is; what comes of it is looked at below.
            LimitValue::Number | LimitValue::NumberOrAbsent => (true, "a number"),
            LimitValue::AboveZero => (node.number().is_some_and(|number| number > 0.0), "a number above 0"),
            LimitValue::Whole => {
                // As it is written: `10.0` is a whole number to JavaScript, and not to Codex.
                let whole = matches!(&node.value, Value::Number(text) if text.parse::<u64>().is_ok());
                (whole || node.value == Value::Null, "a whole number")
            }
        };
        if !fits
            && node.number().is_some_and(|number| number <= 0.0)
            && self.product.bad_entry.value == BadEntry::Skipped
        {
            let message = format!(
                "A time limit of {}: {} leaves the hook out.",
                node.number().unwrap_or_default(),
                self.product.title
            );
            self.problem(Code::TimeoutZero, node.span.clone(), message, "Omit it, or give a few seconds.");
            return None;
        }
        if !fits {
            let is = match &node.value {
                Value::Number(number) => format!("the number {number}"),
                _ => node.kind().to_owned(),
            };
            let message = format!("`{}` is {is}, not {wanted}.", member.key);
            self.bad_entry(node.span.clone(), &message, format!("Use {wanted}, or omit it."));
            return None;
        }
        // JavaScript makes a number of whatever it is.
        let number = match &node.value {
            Value::Null => return Some(default),
            Value::Number(_) => node.number(),
            Value::Text(text) => text.trim().parse().ok(),
            _ => None,
        };
        let number = number.unwrap_or(0.0);
        let span = node.span.clone();
        let title = self.product.title;
        let unit = if self.product.unit.value == Unit::Milliseconds { 0.001 } else { 1.0 };
        // More than a year amounts to no limit.
        let seconds = (number * unit).clamp(0.0, 31_536_000.0);
        if node.number().is_none()
            || self.product.has(Quirk::TimersOverflow) && number * unit > MOST_OF_A_TIMER
        {
            let message = format!(
                "`{}` is not a time that {title} can wait: it gives up on the hook at once.",
                member.key
            );
            self.problem(Code::TimeoutZero, span, message, "Use a number, or omit it.");
            // A timer makes a number of `"5"`, so that the hook has its time all the same.
            let text = node.text().is_some() && number * unit <= MOST_OF_A_TIMER;
            return Some(if text {
                Duration::try_from_secs_f64(seconds).unwrap_or_default()
            } else {
                Duration::ZERO
            });
        }
        if number <= 0.0 && self.product.limit_value.value == LimitValue::Whole {
            let message = format!("A time limit of 0: {title} takes it for one second.");
            self.note(Code::TimeoutZero, span, message, "Omit it, or give a few seconds.");
            return Some(Duration::from_secs(1));
        } else if number <= 0.0 {
            let message = format!("A time limit of {number}: {title} gives up on the hook at once.");
            self.problem(Code::TimeoutZero, span, message, "Omit it, or give a few seconds.");
        // Less than a second is hardly meant as a time to wait: the number was thought of in seconds.
        } else if unit < 1.0 && number < 1000.0 {
            let message = format!("{title} counts in milliseconds: {number} is less than a second.");
            self.problem(Code::TimeoutUnit, span, message, format!("Write {}.", number * 1000.0));
        // Nor is a quarter of an hour and more: that was thought of in milliseconds.
        } else if unit >= 1.0 && number >= 1000.0 {
            let message =
                format!("{title} counts in seconds: {number} is {} minutes.", (number / 60.0).round());
            self.problem(Code::TimeoutUnit, span, message, format!("Write {}.", (number / 1000.0).ceil()));
        }
        Some(Duration::try_from_secs_f64(seconds).unwrap_or(default))
    }

    fn env(&mut self, entry: &Node) -> Vec<(String, String)> {
        if !self.reads("env") {
            return Vec::new();
        }
        let mut variables = Vec::new();
        for member in entry.at("env").map(Node::members).unwrap_or_default() {
            let Some(value) = member.node.text() else {
                // Gemini CLI starts the hook all the same: [run] on 0.61.0. What VS Code does was said of the whole.
                if !self.product.has(Quirk::TakesAnyValue) && !self.product.has(Quirk::IgnoresOtherTypes) {
                    let message = format!("`{}` is {}, not a string.", member.key, member.node.kind());
                    self.bad_entry(member.node.span.clone(), &message, "Write a string.");
                }
                continue;
            };
            if self.product.has(Quirk::EnvIsLiteral) && value.contains('$') {
                let message = format!("Copilot takes `{value}` literally: nothing in `env` is expanded.");
                let help = "Use the variable in the command itself.";
                self.problem(Code::EnvLiteral, member.node.span.clone(), message, help);
            }
            variables.push((member.key.clone(), value.to_owned()));
        }
        variables
    }

    fn is_async(&mut self, entry: &Node, kind: EventKind) -> bool {
        let flag = ["async", "asyncRewake"].iter().find_map(|key| {
            entry.get(key).filter(|member| member.node.truth() == Some(true)).filter(|_| self.reads(key))
        });
        let decides = kind.is_before_tool()
            || matches!(kind, EventKind::UserPromptSubmit | EventKind::Stop | EventKind::SubagentStop);
        if let Some(member) = flag
            && decides
        {
            let message = format!(
                "An asynchronous hook cannot stop anything: {} does not wait for its answer.",
                self.product.title
            );
            let help = "Remove it from a hook that decides; it is fine for one that only watches.";
            self.problem(Code::AsyncGuard, member.key_span.clone(), message, help);
        }
        flag.is_some()
    }
}
