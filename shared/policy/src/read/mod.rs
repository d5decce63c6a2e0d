//! From the text of a policy file to what it says.
//!
//! Every mistake is found, not only the first. What is left of a rule with a mistake still counts as far as it
//! restricts: a restriction of a rule that cannot be read is taken away, so that the rule matches more, and a rule
//! that loosens is dropped. The file as a whole is broken all the same, see [`crate::layers`].

#![expect(
    clippy::single_match_else,
    reason = "a value of the right type, else a report: the same shape everywhere"
)]

pub(crate) mod fields;
pub(crate) mod matchers;
mod quick;
pub(crate) mod rule;
mod words;

use chrono::NaiveDate;

use crate::error::{PolicyError, Problem, line_and_column, nearest};
use crate::finding::{AGENT_FAMILY, AGENT_RULES};
use crate::language;
use crate::model::{
    BuiltIn, Defaults, Effect, Environment, Limits, May, NoPrompt, Policy, Scripts, Unresolved,
};
use crate::programs::Programs;
use crate::toml::{self, Entry, Table, Value};

/// The largest policy file, in bytes.
pub const MAX_FILE: usize = 1024 * 1024;

/// What may be said about calls that no rule, or no one, resolves.
pub(crate) const UNMATCHED: &[&str] = &["none", "ask", "deny"];
/// What becomes of an ask where no one can answer.
pub(crate) const NO_PROMPT: &[&str] = &["deny", "ask", "none"];
/// How strict the built-in rules are.
pub(crate) const PROFILES: &[&str] = &["standard", "strict"];
/// What may be said about a built-in rule.
pub(crate) const BUILTIN_RULES: &[&str] = &["off", "keep", "ask", "deny"];

/// How `scripts` says that files are judged which a command runs.
pub(crate) const SCRIPTS: &[&str] = &["as-typed", "by-git", "team", "ignore"];

/// Reads a policy file. `today` decides which exceptions run too long; days since 1970.
pub fn read(text: &str, today: i64) -> (Policy<'_>, Vec<PolicyError>) {
    let mut reader = Reader { today, found: Vec::new() };
    // Again, although files are read up to this size: people's commands read them without a bound.
    if text.len() > MAX_FILE {
        return (
            Policy::default(),
            vec![PolicyError {
                line: 1,
                column: 1,
                problem: Problem::Unusable(store::settings::Why::TooLarge(MAX_FILE as u64)),
            }],
        );
    }
    let (table, errors) = toml::parse(text);
    for error in errors {
        reader.found.push((error.at, Problem::Syntax { message: error.message, hint: error.hint }));
    }
    let policy = reader.file(table);
    let mut found = reader.found;
    // TOML's own mistakes were all found first; people read in the order of the file.
    found.sort_by_key(|(at, _)| *at);
    let errors = found
        .into_iter()
        .map(|(at, problem)| {
            let (line, column) = line_and_column(text, at);
            PolicyError { line, column, problem }
        })
        .collect();
    (policy, errors)
}

/// Reads a policy file for a hook: without the examples and the rules about other programs than these, and quickly if
/// nothing is wrong with it.
pub(crate) fn read_for_hook<'f>(
    text: &'f str,
    today: i64,
    about: Option<&Programs<'_>>,
) -> (Policy<'f>, Vec<PolicyError>) {
    match quick::read(text, today, about) {
        Some(policy) => (policy, Vec::new()),
        None => read(text, today),
    }
}

/// Collects mistakes while it reads.
pub(crate) struct Reader {
    today: i64,
    found: Vec<(u32, Problem)>,
}

impl Reader {
    fn report(&mut self, at: u32, problem: Problem) {
        self.found.push((at, problem));
    }

    fn unknown_key(&mut self, entry: &Entry<'_>, table: &'static str) {
        let key = entry.key.clone().into_owned();
        let nearest = nearest(&key, language::keys(table).into_iter());
        self.report(entry.at, Problem::UnknownKey { key, table, nearest });
    }

    fn file<'f>(&mut self, table: Table<'f>) -> Policy<'f> {
        let mut policy = Policy::default();
        let mut schema = false;
        for entry in table.entries {
            match &*entry.key {
                "schema" => {
                    schema = true;
                    self.schema(&entry);
                }
                "defaults" => (policy.defaults, policy.may) = self.defaults(entry),
                "system" => policy.limits = self.limits(entry),
                "builtin" => policy.builtin = self.builtin(entry),
                "environment" => policy.environment = self.environment(entry),
                "rule" => {
                    policy.rules = self.tables(entry, |reader, table, at| reader.rule(table, at));
                }
                "exception" => {
                    policy.exceptions = self.tables(entry, |reader, table, at| reader.exception(table, at));
                }
                _ => self.unknown_key(&entry, "file"),
            }
        }
        if !schema {
            let hint = "begin the file with `schema = 1`";
            self.report(0, Problem::Missing { table: "the file", key: "schema", hint });
        }
        policy.inherit();
        let mut marks = Marks::default();
        if policy.rules.iter().fold(false, |any, rule| any | marks.may_repeat(&rule.id)) {
            self.same_ids(&policy);
        }
        policy
    }

    fn schema(&mut self, entry: &Entry<'_>) {
        match entry.item.value {
            Value::Integer(1) => {}
            Value::Integer(newer) if newer > 1 => self.report(entry.item.at, Problem::NewerSchema(newer)),
            _ => self.wrong_type(entry, "the number 1"),
        }
    }

    fn same_ids(&mut self, policy: &Policy<'_>) {
        let mut ids: Vec<(&str, u32)> = policy.rules.iter().map(|rule| (&*rule.id, rule.at)).collect();
        ids.sort_unstable();
        for pair in ids.windows(2) {
            // An id that is missing was reported as such.
            if pair[0].0 == pair[1].0 && !pair[0].0.is_empty() {
                self.report(pair[1].1, Problem::DuplicateId(pair[1].0.to_owned()));
            }
        }
    }

    fn defaults<'f>(&mut self, entry: Entry<'f>) -> (Defaults, May<'f>) {
        let (mut defaults, mut may) = (Defaults::default(), May::default());
        for entry in self.table(entry) {
            match &*entry.key {
                "unmatched" => {
                    // What cannot be read makes the file broken, which asks about everything but reading.
                    defaults.unmatched = match self.word(&entry, UNMATCHED) {
                        Some("deny") => Some(Effect::Deny),
                        Some("ask") => Some(Effect::Ask),
                        _ => None,
                    };
                }
                "unresolved" => {
                    defaults.unresolved = Some(match self.word(&entry, UNMATCHED) {
                        Some("none") => Unresolved::None,
                        Some("ask") => Unresolved::Ask,
                        _ => Unresolved::Deny,
                    });
                }
                "no_prompt" => defaults.no_prompt = Some(self.no_prompt(&entry)),
                "may" => may = self.may(entry),
                _ => self.unknown_key(&entry, "defaults"),
            }
        }
        (defaults, may)
    }

    fn no_prompt(&mut self, entry: &Entry<'_>) -> NoPrompt {
        self.word(entry, NO_PROMPT).and_then(words::no_prompt).unwrap_or_default()
    }

    fn limits(&mut self, entry: Entry<'_>) -> Limits {
        let mut limits = Limits::default();
        for entry in self.table(entry) {
            // What cannot be read closes the door.
            match &*entry.key {
                "allow_project_allow" => limits.project_allow = self.flag(&entry).unwrap_or(false),
                "allow_user_exceptions" => limits.user_exceptions = self.flag(&entry).unwrap_or(false),
                _ => self.unknown_key(&entry, "system"),
            }
        }
        limits
    }

    fn builtin<'f>(&mut self, entry: Entry<'f>) -> BuiltIn<'f> {
        let mut builtin = BuiltIn::default();
        for entry in self.table(entry) {
            match &*entry.key {
                "profile" => {
                    // A word that cannot be read is the stricter one.
                    let strict = self.word(&entry, PROFILES) != Some("standard");
                    builtin.profile =
                        Some(if strict { rules::Profile::Strict } else { rules::Profile::Standard });
                }
                "rules" => {
                    for entry in self.table(entry) {
                        let effect = match self.word(&entry, BUILTIN_RULES) {
                            Some("off") => None,
                            Some("keep") => Some(Effect::Keep),
                            Some("ask") => Some(Effect::Ask),
                            _ => Some(Effect::Deny),
                        };
                        if !is_builtin(&entry.key) {
                            let nearest = nearest_builtin(&entry.key).map(str::to_owned);
                            let id = entry.key.clone().into_owned();
                            self.report(entry.at, Problem::NoSuchRule { id, nearest });
                        }
                        builtin.rules.push((entry.key, effect, entry.at));
                    }
                }
                "agents" => builtin.agents = self.texts(entry).unwrap_or_default(),
                // `scripts = "team"` is about all of them.
                "scripts" if matches!(entry.item.value, Value::Text(_)) => {
                    let whose = self.scripts(&entry);
                    builtin.scripts.push(("**".into(), whose));
                }
                "scripts" => {
                    for entry in self.table(entry) {
                        let whose = self.scripts(&entry);
                        builtin.scripts.push((entry.key, whose));
                    }
                }
                _ => self.unknown_key(&entry, "builtin"),
            }
        }
        builtin
    }

    fn environment<'f>(&mut self, entry: Entry<'f>) -> Environment<'f> {
        let mut environment = Environment::default();
        for entry in self.table(entry) {
            let names = match &*entry.key {
                "production" => &mut environment.production,
                "disposable" => &mut environment.disposable,
                _ => {
                    self.unknown_key(&entry, "environment");
                    continue;
                }
            };
            *names = self.patterns(entry).unwrap_or_default();
        }
        environment
    }

    fn scripts(&mut self, entry: &Entry<'_>) -> Scripts {
        match self.word(entry, SCRIPTS) {
            Some("ignore") => Scripts::Ignore,
            Some("team") => Scripts::Team,
            Some("by-git") => Scripts::ByGit,
            // A word that cannot be read is the strictest one.
            _ => Scripts::AsTyped,
        }
    }

    fn expiry(&mut self, entry: &Entry<'_>) -> Option<NaiveDate> {
        match entry.item.value {
            Value::Date(date) => {
                if i64::from(date.to_epoch_days()) > self.today + 366 {
                    self.report(entry.item.at, Problem::TooLong(date.to_string()));
                    return None;
                }
                Some(date)
            }
            _ => {
                self.wrong_type(entry, "a date without quotes: 2027-01-31");
                None
            }
        }
    }
}

/// Strings that were seen, as far as a few bits tell: sorting the ids costs more than all the rest of a rule.
struct Marks([u64; 256]);

impl Default for Marks {
    fn default() -> Self {
        Self([0; 256])
    }
}

impl Marks {
    /// Whether the text may have been seen before; notes it.
    fn may_repeat(&mut self, text: &str) -> bool {
        // As FNV-1a, but eight bytes a step; fourteen bits are kept.
        let step = |hash: u64, word: u64| {
            let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ (mixed >> 32)
        };
        let (words, rest) = text.as_bytes().as_chunks::<8>();
        let hash = words.iter().fold(0, |hash, word| step(hash, u64::from_le_bytes(*word)));
        let hash = step(hash, rest.iter().fold(1, |word, byte| (word << 8) | u64::from(*byte)));
        let [word, bit, ..] = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes();
        // One byte picks the word and six bits of the other the bit in it.
        let (word, bit) = (&mut self.0[usize::from(word)], 1 << (bit & 63));
        let before = *word & bit != 0;
        *word |= bit;
        before
    }
}

/// Whether a built-in rule or family has this name.
pub(crate) fn is_builtin(id: &str) -> bool {
    if id == AGENT_FAMILY || AGENT_RULES.contains(&id) {
        true
    } else if id.contains('.') {
        rules::rule(id).is_some()
    } else {
        rules::families().iter().any(|family| family.id == id)
    }
}

fn nearest_builtin(id: &str) -> Option<&'static str> {
    let families = rules::families();
    let rules = families.iter().flat_map(|family| family.rules).map(|rule| rule.id).chain(AGENT_RULES);
    nearest(id, rules.chain(families.iter().map(|family| family.id)))
}
