//! How commands end, where a script's own text and its call decide that: `if [ "$1" = --help ]`, `(( DRY_RUN ))`,
//! `$FORCE && …`. The branch that is not taken does not run.
//!
//! Only in scripts whose arguments are known ([`Scope::is_exact`]): a line that someone types is judged whole.

use std::borrow::Cow;
use std::rc::Rc;

use super::{Runner, Scope, Value};
use crate::atom::{Arg, Atom};

use crate::bash::ast::{Assign, AssignValue, Command, Part, Stage, Text, Word};
use crate::mark;
use crate::text::pattern;
use crate::text::regex::{Dialect, Pattern};

/// Variables that bash sets itself, or that are set where agents work, though nothing here sets them.
const OUTSIDE: &[&str] = &[
    "CI",
    "CODESPACES",
    "COLORTERM",
    "COLUMNS",
    "CONDA_PREFIX",
    "DBUS_SESSION_BUS_ADDRESS",
    "DIRSTACK",
    "DISPLAY",
    "EDITOR",
    "FUNCNAME",
    "GOPATH",
    "HISTFILE",
    "JAVA_HOME",
    "KUBECONFIG",
    "LANG",
    "LINES",
    "MAIL",
    "MAKEFLAGS",
    "OPTARG",
    "OPTERR",
    "OPTIND",
    "PAGER",
    "PATH",
    "PIPESTATUS",
    "PS1",
    "PS2",
    "PS4",
    "REPLY",
    "SHELLOPTS",
    "SUDO_USER",
    "VIRTUAL_ENV",
    "VISUAL",
    "WAYLAND_DISPLAY",
];

/// How the names of others begin: of shells, hosts, forges and package managers.
const BEGINNINGS: &[&str] = &[
    "AWS_", "BASH", "CARGO_", "CLAUDE", "CODEX", "COMP_", "COPILOT", "CURSOR_", "GEMINI", "GITHUB_",
    "GITLAB_", "GIT_", "LC_", "MAKE_", "NODE_", "NVM_", "OPENCODE", "RUNNER_", "SSH_", "TERM", "VSCODE_",
    "WSL", "XDG_", "ZSH", "fish_", "npm_",
];

/// Programs whose output is computed here letter by letter; of others it may be another one.
const EXACT: &[&str] = &[
    ":", "[", "basename", "cat", "cd", "cut", "dirname", "echo", "exit", "local", "printf", "pwd", "return",
    "rev", "test", "tr", "true",
];

fn is_exact(atom: &Atom) -> bool {
    EXACT.contains(&&*atom.program())
        || atom.program() == "git" && atom.args.last().is_some_and(|arg| arg.text == "--show-toplevel")
}

/// Whether an arm of `case` is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Taken {
    Never,
    Maybe,
    Surely,
}

/// Whether an arm with this pattern is taken.
pub(super) fn taken(pattern: &str, subject: Option<&str>) -> Taken {
    match subject {
        None => Taken::Maybe,
        Some(_) if pattern.contains(mark::is_hole) || pattern.contains(['(', '~', '\\']) => Taken::Maybe,
        Some(subject) if pattern::matches(pattern, subject) => Taken::Surely,
        Some(_) => Taken::Never,
    }
}

/// Whether both succeed.
pub(super) fn both(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

/// Whether one of them succeeds.
pub(super) fn either(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    both(one.map(|holds| !holds), other.map(|holds| !holds)).map(|fails| !fails)
}

/// Whether a variable that nothing here sets may have a value.
pub(super) fn comes_from_outside(name: &str) -> bool {
    OUTSIDE.binary_search(&name).is_ok()
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || super::names_secret(name)
}

/// The text of a word that was expanded, if nothing about it is left to the shell; a variable that nothing sets is
/// empty.
fn known(text: &str) -> Option<Cow<'_, str>> {
    if !mark::any(text) {
        return Some(Cow::Borrowed(text));
    }
    let plain: String = text.chars().filter(|c| *c != mark::UNSET).collect();
    (!mark::any(&plain)).then_some(Cow::Owned(plain))
}

/// Whether a word has any text, however much of it is not known.
fn has_text(text: &str) -> Option<bool> {
    match known(text) {
        Some(text) => Some(!text.is_empty()),
        None if text.chars().any(|c| !mark::is_hole(c) || c == mark::TOKEN) => Some(true),
        None => None,
    }
}

/// Whether a value is nothing: of a variable that nothing sets, in a script, where that decides what its words are.
pub(super) fn vanishes(scope: &Scope, name: &str, value: &Value) -> bool {
    scope.is_exact()
        && matches!(value, Value::One(text) if text.chars().eq([mark::UNSET]))
        && !comes_from_outside(name)
}

/// A condition in brackets.
struct Condition<'t> {
    tokens: &'t [String],
    at: usize,
    /// `[[ … ]]`, where the right side is a pattern.
    doubled: bool,
}

impl Condition<'_> {
    fn peek(&self, ahead: usize) -> Option<&str> {
        self.tokens.get(self.at + ahead).map(String::as_str)
    }

    fn takes(&mut self, words: [&str; 2]) -> bool {
        let found = self.peek(0).is_some_and(|token| words.contains(&token));
        self.at += usize::from(found);
        found
    }

    fn any_of(&mut self) -> Option<bool> {
        let mut holds = self.all_of();
        while self.takes(["||", "-o"]) {
            holds = either(holds, self.all_of());
        }
        holds
    }

    fn all_of(&mut self) -> Option<bool> {
        let mut holds = self.one();
        while self.takes(["&&", "-a"]) {
            holds = both(holds, self.one());
        }
        holds
    }

    fn one(&mut self) -> Option<bool> {
        if self.peek(0) == Some("!") && self.peek(1).is_some() {
            self.at += 1;
            return self.one().map(|holds| !holds);
        }
        if self.peek(0) == Some("(") && self.tokens.len() > self.at + 2 {
            self.at += 1;
            let holds = self.any_of();
            return if self.takes([")", ")"]) { holds } else { None };
        }
        let (first, second) = (self.peek(0)?.to_owned(), self.peek(1).unwrap_or("").to_owned());
        if is_comparison(&second)
            && let Some(right) = self.peek(2).map(str::to_owned)
        {
            self.at += 3;
            return self.compared(&first, &second, &right);
        }
        if first.len() == 2 && first.starts_with('-') && self.peek(1).is_some() {
            self.at += 2;
            return match first.as_str() {
                "-n" => has_text(&second),
                "-z" => has_text(&second).map(|has| !has),
                // What lies on the disk by then, and what the shell has set.
                _ => None,
            };
        }
        self.at += 1;
        has_text(&first)
    }

    fn compared(&self, left: &str, op: &str, right: &str) -> Option<bool> {
        let left = known(left)?;
        match op {
            "=" | "==" | "!=" => {
                let right: String = right.chars().filter(|c| *c != mark::UNSET).collect();
                let same = if self.doubled {
                    let taken = taken(&right, Some(&left));
                    (taken != Taken::Maybe).then_some(taken == Taken::Surely)
                } else {
                    (!mark::any(&right)).then(|| left == right)
                };
                same.map(|same| same == (op != "!="))
            }
            "=~" => {
                let right = right.chars().all(|c| !mark::is_hole(c)).then(|| mark::readable(right))?;
                Some(Pattern::read(&right, Dialect::Extended, false)?.groups(&left).is_some())
            }
            op => {
                // In `[[ … ]]`, `010` is eight.
                let is_octal = |text: &str| self.doubled && text.len() > 1 && text.starts_with('0');
                let number = |text: &str| text.trim().parse::<i64>().ok().filter(|_| !is_octal(text.trim()));
                let (left, right) = (number(&left)?, number(&known(right)?)?);
                Some(match op {
                    "-eq" => left == right,
                    "-ne" => left != right,
                    "-lt" => left < right,
                    "-le" => left <= right,
                    "-gt" => left > right,
                    "-ge" => left >= right,
                    _ => return None,
                })
            }
        }
    }
}

fn is_comparison(word: &str) -> bool {
    matches!(
        word,
        "=" | "=="
            | "!="
            | "=~"
            | "<"
            | ">"
            | "-eq"
            | "-ne"
            | "-lt"
            | "-le"
            | "-gt"
            | "-ge"
            | "-nt"
            | "-ot"
            | "-ef"
    )
}

/// Whether a condition in brackets holds, by its words as they were expanded.
pub(super) fn holds(tokens: &[String], doubled: bool) -> Option<bool> {
    if tokens.is_empty() {
        return Some(false);
    }
    let mut condition = Condition { tokens, at: 0, doubled };
    let holds = condition.any_of();
    holds.filter(|_| condition.at == tokens.len())
}

/// Whether stages are one command that nothing else runs in.
pub(super) fn fails_alone(scope: &Scope, text: &Text, stages: &[Stage]) -> bool {
    match stages {
        [Stage { command: Command::Simple { words, .. }, .. }] => {
            words.first().is_none_or(|word| !scope.has_function(word.span.of(&text.source)))
        }
        [Stage { command: Command::Test(_) | Command::Arithmetic(_) | Command::Subshell(_), .. }] => true,
        _ => false,
    }
}

/// Whether assignments alone succeed: what a substitution in them does is not known.
fn assigns(assigns: &[Assign]) -> Option<bool> {
    let runs = |word: &Word| {
        word.parts.iter().any(|part| matches!(part, Part::Substitution { .. } | Part::Backquote { .. }))
    };
    let plain = assigns.iter().all(|assign| match &assign.value {
        AssignValue::One(word) | AssignValue::Element(_, word) => !runs(word),
        AssignValue::Many(words) => !words.iter().any(runs),
    });
    plain.then_some(true)
}

impl Runner {
    /// Whether what the atoms from `first` on print is computed letter by letter.
    pub(super) fn prints_as_known(&self, first: usize) -> bool {
        self.analysis.atoms[first..].iter().all(is_exact)
    }

    /// Whether no file is another one by now: all that has run are shells and what prints.
    pub(super) fn writes_as_known(&self) -> bool {
        self.analysis.atoms.iter().all(|atom| is_exact(atom) || crate::is_shell(&atom.program()))
    }

    /// What `case` looks at, if that is known.
    pub(super) fn subject(&mut self, scope: &mut Scope, text: &Rc<Text>, subject: &Word) -> Option<String> {
        let outer = scope.begin();
        // For what runs in it as well: `case $(rm x) in`.
        let value = self.whole(scope, text, subject);
        // Arms may fall through: then every arm counts.
        if !scope.is_settled(outer) || !scope.is_exact() || text.source.contains(";&") {
            return None;
        }
        known(&value).map(Cow::into_owned)
    }

    /// How a simple command ends that does nothing but ask or remember; `None` where it is not known, and where a function has
    /// that name. What it leaves has been set by then.
    pub(super) fn ends(
        &self,
        scope: &Scope,
        (assigned, words, args): (&[Assign], &[Word], &[Arg]),
    ) -> Option<bool> {
        if !scope.is_exact() {
            return None;
        }
        let Some((program, rest)) = args.split_first() else { return assigns(assigned) };
        if let Some(function) = scope.function(&program.text) {
            return self.status.filter(|_| function.certain);
        }
        match program.text.as_str() {
            ":" | "true" | "echo" | "printf" | "export" | "declare" | "local" | "readonly" | "typeset"
            | "set" | "shopt" | "alias" | "trap" | "unset" => Some(true),
            "false" => Some(false),
            name @ ("test" | "[") => {
                let rest = match (name, rest.split_last()) {
                    ("[", Some((last, rest))) if last.text == "]" => rest,
                    ("[", _) => return None,
                    _ => rest,
                };
                // Without quotes, an empty word is none.
                let is_bare = |part: &Part| matches!(part, Part::Parameter { quoted: false, .. });
                let vanishes = rest.iter().any(|arg| known(&arg.text).is_some_and(|text| text.is_empty()))
                    && words.iter().flat_map(|word| &word.parts).any(is_bare);
                let tokens: Vec<String> = rest.iter().map(|arg| arg.text.clone()).collect();
                if vanishes && tokens.len() < 3 { None } else { holds(&tokens, false) }
            }
            // They have said so themselves.
            "getopts" | "eval" | "shift" | "read" => self.status,
            "exit" | "return" => match rest {
                [] => self.status,
                [status, ..] => status.text.parse::<i64>().ok().map(|status| status == 0),
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(condition: &str, doubled: bool) -> Option<bool> {
        let tokens: Vec<String> = condition.split_whitespace().map(|word| word.replace('_', "")).collect();
        holds(&tokens, doubled)
    }

    #[test]
    fn what_comes_from_outside_is_known_by_name() {
        assert!(OUTSIDE.is_sorted());
        let outside =
            ["PATH", "API_TOKEN", "CLAUDECODE", "BASH_VERSINFO", "PIPESTATUS", "npm_lifecycle_event"];
        assert!(outside.into_iter().all(comes_from_outside));
        assert!(!["FORCE", "HOME", "DRY_RUN", "CITY"].into_iter().any(comes_from_outside));
    }

    #[test]
    fn conditions_are_decided_as_far_as_they_are_known() {
        let unknown = mark::UNKNOWN;
        for (condition, doubled, expected) in [
            ("a = a", false, Some(true)),
            ("a != a", false, Some(false)),
            ("_", false, Some(false)),
            ("-n _", false, Some(false)),
            ("-z _ -a a = a", false, Some(true)),
            ("! a = b", false, Some(true)),
            ("( a = b ) -o 1 -lt 2", false, Some(true)),
            ("-f x", false, None),
            ("-f x && a = b", true, Some(false)),
            ("-f x || a = b", true, None),
            ("abc == a*", true, Some(false)),
            (&format!("abc == a{}", mark::STAR), true, Some(true)),
            ("v12 =~ ^v[0-9]+$", true, Some(true)),
            ("1 -gt x", false, None),
            (&format!("{unknown} = a"), false, None),
            (&format!("-n a{unknown}"), false, Some(true)),
            (&format!("-n {unknown}"), false, None),
            (&format!("-z {}", mark::UNSET), false, Some(true)),
        ] {
            assert_eq!(held(condition, doubled), expected, "{condition}");
        }
    }
}
