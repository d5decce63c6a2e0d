//! Matchers of each kind, and `when`.

use std::borrow::Cow;

use crate::case::{self, Fault};
use crate::error::Problem;
use crate::glob;
use crate::model::{Agent, Effect, May, Mcp, Net, PathTest, Rewrite, Run, Subject, Text, When};
use crate::toml::{Entry, Item, Table, Value};

use super::{Reader, words};

/// Names of hosts.
pub(crate) const HOSTS: &[&str] = &payload::Host::NAMES;
/// Words for what is done to a path.
pub(crate) const ACCESS: &[&str] = &["read", "write", "delete"];

/// What is left of matchers with a mistake.
pub(super) enum Rest<'f> {
    Subject(Subject<'f>),
    /// Nothing that could be matched.
    Lost,
}

impl Reader {
    /// The matchers of a kind: one table, or a list of them. `partial` matchers restrict a rule that has its own, so
    /// they need not name a program.
    pub(super) fn subject<'f>(&mut self, kind: &'static str, item: Item<'f>, partial: bool) -> Rest<'f> {
        let items = match item.value {
            Value::Array(items) if items.is_empty() => {
                self.report(item.at, Problem::EmptyList(kind.to_owned()));
                return Rest::Lost;
            }
            Value::Array(items) => items,
            value => vec![Item { value, at: item.at }],
        };
        if kind == "text" {
            return self.regexes(items);
        }
        let mut tables = Vec::with_capacity(items.len());
        for Item { value, at } in items {
            match value {
                Value::Table(table) => {
                    // Without a condition it would match everything, which no one means by writing nothing.
                    if table.entries.is_empty() {
                        self.report(at, Problem::EmptyMatcher(kind));
                    } else {
                        tables.push((table, at));
                    }
                }
                value => self.report(
                    at,
                    Problem::WrongType {
                        key: kind.to_owned(),
                        wanted: "a table of conditions, or a list of them: { program = \"git\" }",
                        found: value.kind(),
                    },
                ),
            }
        }
        let mut all = Tables { tables: tables.into_iter() };
        let subject = match kind {
            "run" => Subject::Run(all.each(|table, at| self.run(table, at, partial))),
            "path" => Subject::Path(all.each(|table, at| self.path(table, at))),
            "net" => Subject::Net(all.each(|table, at| self.net(table, at))),
            "mcp" => Subject::Mcp(all.each(|table, at| self.mcp(table, at))),
            _ => Subject::Agent(all.each(|table, at| self.agent(table, at))),
        };
        match &subject {
            Subject::Run(list) if list.is_empty() => Rest::Lost,
            Subject::Path(list) if list.is_empty() => Rest::Lost,
            Subject::Net(list) if list.is_empty() => Rest::Lost,
            Subject::Mcp(list) if list.is_empty() => Rest::Lost,
            Subject::Agent(list) if list.is_empty() => Rest::Lost,
            _ => Rest::Subject(subject),
        }
    }

    fn regexes<'f>(&mut self, items: Vec<Item<'f>>) -> Rest<'f> {
        let mut found = Vec::new();
        for Item { value, at } in items {
            match value {
                Value::Text(text) => match case::check(&text) {
                    Ok(()) => found.push(text),
                    Err(Fault::Empty) => {
                        let what = "matches the empty string, and so everything";
                        self.report(at, Problem::BadPattern { pattern: text.into_owned(), what });
                    }
                    Err(Fault::Syntax(error)) => self.report(at, Problem::BadRegex(error)),
                },
                value => self.report(
                    at,
                    Problem::WrongType {
                        key: "text".to_owned(),
                        wanted: "a regular expression in single quotes",
                        found: value.kind(),
                    },
                ),
            }
        }
        if found.is_empty() { Rest::Lost } else { Rest::Subject(Subject::Text(found)) }
    }

    /// Strings that are patterns, with `{a,b}` written out.
    pub(super) fn patterns<'f>(&mut self, entry: Entry<'f>) -> Option<Vec<Text<'f>>> {
        let at = entry.item.at;
        let texts = self.texts(entry)?;
        written_out(texts).map_err(|problem| self.report(at, problem)).ok()
    }

    fn flags<'f>(&mut self, entry: Entry<'f>) -> Option<Vec<Text<'f>>> {
        let at = entry.item.at;
        let texts = self.texts(entry)?;
        // An option without its dash would never match, and the rule would look as if it held.
        for flag in &texts {
            if !is_flag(flag.as_bytes()) {
                self.report(at, Problem::NoFlag(flag.clone().into_owned()));
                return None;
            }
        }
        Some(texts)
    }

    /// Lines of words. `loosens`: whether what they match is let go.
    fn calls<'f>(&mut self, entry: Entry<'f>, loosens: bool) -> Option<Vec<Text<'f>>> {
        let at = entry.item.at;
        let lines = self.texts(entry)?;
        let wrong = lines.iter().find_map(|line| {
            let what = rules::calls::mistake(line)?;
            Some(Problem::BadCall { line: line.clone().into_owned(), what })
        });
        match wrong.or_else(|| loosens.then_some(Problem::CallsLoosen)) {
            Some(problem) => {
                self.report(at, problem);
                None
            }
            None => Some(lines),
        }
    }

    fn run<'f>(&mut self, table: Table<'f>, at: u32, partial: bool) -> Option<Run<'f>> {
        let mut run = Run::default();
        let mut program_lost = false;
        for entry in table.entries {
            match &*entry.key {
                "program" => {
                    let place = entry.item.at;
                    match self.patterns(entry) {
                        Some(program) => {
                            if let Some(problem) = program.iter().find_map(|name| no_program(name)) {
                                self.report(place, problem);
                            }
                            // Kept all the same: a matcher that loses its program would match more than was meant.
                            run.program = program;
                        }
                        None => program_lost = true,
                    }
                }
                "program_path" => run.program_path = self.patterns(entry).unwrap_or_default(),
                "sub" => run.sub = self.texts(entry).unwrap_or_default(),
                "sub_any" => run.sub_any = self.texts(entry).unwrap_or_default(),
                "flags_any" => run.flags_any = self.flags(entry).unwrap_or_default(),
                "flags_all" => run.flags_all = self.flags(entry).unwrap_or_default(),
                "flags_only" => run.flags_only = self.patterns(entry).unwrap_or_default(),
                "flags_none" => run.flags_none = self.flags(entry).unwrap_or_default(),
                "args_any" => run.args_any = self.patterns(entry).unwrap_or_default(),
                "args_all" => run.args_all = self.patterns(entry).unwrap_or_default(),
                "args_none" => run.args_none = self.patterns(entry).unwrap_or_default(),
                "env_any" => run.env_any = self.patterns(entry).unwrap_or_default(),
                "written" => run.written = self.patterns(entry).unwrap_or_default(),
                "calls" => run.calls = self.calls(entry, partial).unwrap_or_default(),
                _ => self.unknown_key(&entry, "run"),
            }
        }
        // A mistake in the program was reported already; a second report would hide it.
        if !partial && run.program.is_empty() && run.program_path.is_empty() && run.env_any.is_empty() {
            if !program_lost {
                let hint = "name the program: program = \"git\", or program = \"*\" for every one";
                self.report(at, Problem::Missing { table: "a `run` matcher", key: "program", hint });
            }
            return None;
        }
        Some(run)
    }

    fn path<'f>(&mut self, table: Table<'f>, at: u32) -> Option<PathTest<'f>> {
        let mut path = PathTest::default();
        let mut any = false;
        for entry in table.entries {
            match &*entry.key {
                "access" => {
                    let known = self.words(&entry, ACCESS).unwrap_or_default();
                    path.access = known.into_iter().map(words::access).collect();
                }
                "any" => {
                    any = true;
                    path.any = self.patterns(entry).unwrap_or_default();
                }
                "except" => path.except = self.patterns(entry).unwrap_or_default(),
                _ => self.unknown_key(&entry, "path"),
            }
        }
        if path.any.is_empty() {
            if !any {
                let hint = "say which paths: any = [\"**/.env\"]";
                self.report(at, Problem::Missing { table: "a `path` matcher", key: "any", hint });
            }
            return None;
        }
        Some(path)
    }

    fn net<'f>(&mut self, table: Table<'f>, at: u32) -> Option<Net<'f>> {
        let mut net = Net::default();
        let mut given = false;
        for entry in table.entries {
            let place = entry.item.at;
            let hosts = match &*entry.key {
                "hosts" | "hosts_not" => {
                    given = true;
                    let not = entry.key == "hosts_not";
                    let Some(hosts) = self.patterns(entry) else { continue };
                    if not { &mut net.hosts_not } else { &mut net.hosts }.extend(hosts);
                    if not { &net.hosts_not } else { &net.hosts }
                }
                _ => {
                    self.unknown_key(&entry, "net");
                    continue;
                }
            };
            if let Some(host) = hosts.iter().find(|host| host.contains("://") || host.contains(' ')) {
                let what = "is not a host: use example.com, *.example.com or 10.0.0.0/8";
                self.report(place, Problem::BadPattern { pattern: host.clone().into_owned(), what });
            }
        }
        if net.hosts.is_empty() && net.hosts_not.is_empty() {
            if !given {
                let hint = "say which hosts: hosts = [\"*.example.com\"], or hosts_not for all others";
                self.report(at, Problem::Missing { table: "a `net` matcher", key: "hosts", hint });
            }
            return None;
        }
        Some(net)
    }

    fn mcp<'f>(&mut self, table: Table<'f>, at: u32) -> Option<Mcp<'f>> {
        let mut mcp = Mcp::default();
        for entry in table.entries {
            match &*entry.key {
                "server" => mcp.server = self.patterns(entry).unwrap_or_default(),
                "tool" => mcp.tool = self.patterns(entry).unwrap_or_default(),
                "args" => self.arguments(entry, &mut mcp),
                _ => self.unknown_key(&entry, "mcp"),
            }
        }
        if mcp.server.is_empty() && mcp.tool.is_empty() && mcp.args.is_empty() {
            let hint = "name the server or the tool: { server = \"github\", tool = \"delete_*\" }";
            self.report(at, Problem::Missing { table: "an `mcp` matcher", key: "server", hint });
            return None;
        }
        Some(mcp)
    }

    /// `args` of an `mcp` matcher.
    pub(super) fn arguments<'f>(&mut self, entry: Entry<'f>, mcp: &mut Mcp<'f>) {
        for entry in self.table(entry) {
            let key = entry.key.clone();
            if let Some(values) = self.patterns(entry) {
                mcp.args.push((key, values));
            }
        }
    }

    fn agent<'f>(&mut self, table: Table<'f>, at: u32) -> Option<Agent<'f>> {
        let mut agent = Agent { allow_empty: true, ..Agent::default() };
        for entry in table.entries {
            match &*entry.key {
                "caller" => agent.caller = self.patterns(entry).unwrap_or_default(),
                "callee" => agent.callee = self.patterns(entry).unwrap_or_default(),
                "callee_not" => agent.callee_not = self.patterns(entry).unwrap_or_default(),
                "extra" => agent.extra = self.texts(entry).unwrap_or_default(),
                // What cannot be read counts at its strictest.
                "known_only" => agent.known_only = self.flag(&entry).unwrap_or(true),
                "allow_empty" => agent.allow_empty = self.flag(&entry).unwrap_or(false),
                _ => self.unknown_key(&entry, "agent"),
            }
        }
        let says = agent.known_only || !agent.allow_empty;
        if !says && agent.caller.is_empty() && agent.callee.is_empty() && agent.callee_not.is_empty() {
            let hint = "name agents (caller, callee, callee_not), or write known_only = true";
            self.report(at, Problem::Missing { table: "an `agent` matcher", key: "callee", hint });
            return None;
        }
        Some(agent)
    }

    pub(super) fn may<'f>(&mut self, entry: Entry<'f>) -> May<'f> {
        let mut may = May::default();
        let at = entry.item.at;
        let entries = self.table(entry);
        if entries.is_empty() {
            self.report(at, Problem::EmptyMatcher("may"));
        }
        for entry in entries {
            // What cannot be read lets nothing through.
            match &*entry.key {
                "set" => may.set = self.patterns(entry).unwrap_or_default(),
                "read" => may.read = self.patterns(entry).unwrap_or_default(),
                "write" => may.write = self.patterns(entry).unwrap_or_default(),
                "unknown" => may.unknown = Some(self.flag(&entry).unwrap_or(false)),
                "scripts" => may.scripts = Some(self.flag(&entry).unwrap_or(false)),
                "inside" => may.inside = Some(self.flag(&entry).unwrap_or(true)),
                _ => self.unknown_key(&entry, "may"),
            }
        }
        may
    }

    /// `rewrite`, and what is decided where the command cannot be rewritten. What cannot be read rewrites nothing.
    pub(super) fn rewrite<'f>(&mut self, entry: Entry<'f>) -> Rewrite<'f> {
        let mut rewrite = Rewrite::default();
        let at = entry.item.at;
        for entry in self.table(entry) {
            match &*entry.key {
                "swap" => {
                    for entry in self.table(entry) {
                        let key = entry.key.clone();
                        rewrite.swap.extend(self.plain(entry).map(|to| (key, to)));
                    }
                }
                "add" => {
                    let at = entry.item.at;
                    let words = self.texts(entry).unwrap_or_default();
                    if let Some(word) = words.iter().find(|word| !is_plain(word)) {
                        self.report(at, Problem::BadWord(word.clone().into_owned()));
                    }
                    rewrite.add = words;
                }
                "trash" => rewrite.trash = self.flag(&entry).unwrap_or(false),
                "otherwise" => {
                    let asks = self.word(&entry, super::rule::OTHERWISE) == Some("ask");
                    rewrite.otherwise = if asks { Effect::Ask } else { Effect::Deny };
                }
                _ => self.unknown_key(&entry, "rewrite"),
            }
        }
        if rewrite.swap.is_empty() && rewrite.add.is_empty() && !rewrite.trash {
            let hint = "say how: swap = { \"--force\" = \"--force-with-lease\" }, add = [\"--dry-run\"], or trash = true";
            self.report(at, Problem::Missing { table: "`rewrite`", key: "swap", hint });
        }
        rewrite
    }

    /// A word that stands for itself in every shell.
    fn plain<'f>(&mut self, entry: Entry<'f>) -> Option<Text<'f>> {
        let at = entry.item.at;
        let word = self.text(entry)?;
        if !is_plain(&word) {
            self.report(at, Problem::BadWord(word.into_owned()));
            return None;
        }
        Some(word)
    }

    pub(super) fn when<'f>(&mut self, entry: Entry<'f>) -> When<'f> {
        let mut when = When::default();
        let at = entry.item.at;
        let entries = self.table(entry);
        if entries.is_empty() {
            self.report(at, Problem::EmptyMatcher("when"));
        }
        for entry in entries {
            match &*entry.key {
                "host" => {
                    let words = self.words(&entry, HOSTS).unwrap_or_default();
                    when.host = words.into_iter().map(Cow::Borrowed).collect();
                }
                "mode" => when.mode = self.patterns(entry).unwrap_or_default(),
                "agent_type" => when.agent_type = self.patterns(entry).unwrap_or_default(),
                "branch" => when.branch = self.patterns(entry).unwrap_or_default(),
                "folder" => when.folder = self.patterns(entry).unwrap_or_default(),
                _ => self.unknown_key(&entry, "when"),
            }
        }
        when
    }
}

/// Patterns with `{a,b}` written out.
pub(super) fn written_out(texts: Vec<Text<'_>>) -> Result<Vec<Text<'_>>, Problem> {
    if !texts.iter().any(|text| text.bytes().any(is_written_out)) {
        return Ok(texts);
    }
    let mut all = Vec::with_capacity(texts.len());
    for text in texts {
        match glob::check(&text) {
            Err(what) => return Err(Problem::BadPattern { pattern: text.into_owned(), what }),
            Ok(()) if text.contains('{') => all.extend(glob::braces(&text).into_iter().map(Cow::Owned)),
            Ok(()) => all.push(text),
        }
    }
    Ok(all)
}

/// Whether a pattern with this byte is looked at closely.
pub(super) fn is_written_out(byte: u8) -> bool {
    // All of them follow the capital letters: one comparison does for nearly every byte.
    byte > b'Z' && matches!(byte, b'[' | b']' | b'{' | b'}' | b'\\')
}

/// Whether a string looks like an option.
pub(super) fn is_flag(flag: &[u8]) -> bool {
    matches!(flag, [b'-' | b'/' | b'+', _, ..]) && !flag.contains(&b' ')
}

/// Whether a word stands for itself in every shell: it becomes part of a command line.
fn is_plain(word: &str) -> bool {
    let plain = |c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '=' | ':' | ',' | '+' | '@' | '%')
    };
    !word.is_empty() && word.chars().all(plain)
}

/// What is wrong with a program's name.
pub(super) fn no_program(name: &str) -> Option<Problem> {
    if !name.bytes().any(|byte| matches!(byte, b'/' | b' ')) {
        return None;
    }
    let what = if name.contains('/') {
        "is a path: `program` takes a name, `program_path` a path"
    } else {
        "contains a space: sub-commands go into `sub`"
    };
    Some(Problem::BadPattern { pattern: name.to_owned(), what })
}

/// Tables with their places.
struct Tables<'f, I: Iterator<Item = (Table<'f>, u32)>> {
    tables: I,
}

impl<'f, I: Iterator<Item = (Table<'f>, u32)>> Tables<'f, I> {
    fn each<T>(&mut self, mut read: impl FnMut(Table<'f>, u32) -> Option<T>) -> Vec<T> {
        self.tables.by_ref().filter_map(|(table, at)| read(table, at)).collect()
    }
}
