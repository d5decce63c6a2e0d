//! Conditions of `CMake`'s: which branch of an `if` is followed, as far as the call and the lists tell.

use shell_engine::mark;

use super::{Lists, MAX_DEPTH, Statement};

/// Whether a value does not hold as a condition.
fn is_off(value: &str) -> bool {
    let value = value.to_ascii_uppercase();
    matches!(value.as_str(), "FALSE" | "0" | "OFF" | "NO" | "N" | "IGNORE" | "NOTFOUND" | "")
        || value.ends_with("-NOTFOUND")
}

/// What a condition asks about the word that follows.
const TESTS: [&str; 10] = [
    "DEFINED",
    "EXISTS",
    "COMMAND",
    "TARGET",
    "POLICY",
    "TEST",
    "IS_DIRECTORY",
    "IS_SYMLINK",
    "IS_ABSOLUTE",
    "IS_READABLE",
];

/// Variables that say on what system it runs.
const PLATFORMS: [&str; 10] =
    ["WIN32", "UNIX", "APPLE", "LINUX", "BSD", "MSVC", "MINGW", "CYGWIN", "ANDROID", "IOS"];

/// The branches of an `if`, each with the words of its condition; an `else` has none.
fn branches<'b>(
    condition: &'b [String],
    body: &'b [Statement],
) -> Vec<(Option<&'b [String]>, &'b [Statement])> {
    let mut found = Vec::new();
    let (mut depth, mut begins, mut head) = (0_u32, 0, Some(condition));
    for (at, statement) in body.iter().enumerate() {
        match statement.name.as_str() {
            "if" => depth += 1,
            "endif" => depth = depth.saturating_sub(1),
            name @ ("else" | "elseif") if depth == 0 => {
                found.push((head, &body[begins..at]));
                begins = at + 1;
                head = (name == "elseif").then_some(&statement.words);
            }
            _ => {}
        }
    }
    found.push((head, &body[begins..]));
    found
}

impl Lists<'_> {
    /// Follows the branch whose condition holds, and each of which no one knows.
    pub(super) fn choose(&mut self, condition: &[String], body: &[Statement]) {
        let unsure = self.unsure;
        for (condition, branch) in branches(condition, body) {
            let holds = condition.map_or(Some(true), |words| self.holds(words));
            self.unsure += usize::from(holds.is_none());
            if holds != Some(false) {
                self.statements(branch);
            }
            if holds == Some(true) {
                break;
            }
        }
        self.unsure = unsure;
    }

    /// Whether a condition holds: parts that `OR` joins, of parts that `AND` joins.
    fn holds(&self, words: &[String]) -> Option<bool> {
        let mut rest = words;
        let holds = self.any(&mut rest, 0)?;
        rest.is_empty().then_some(holds)
    }

    fn any(&self, rest: &mut &[String], depth: usize) -> Option<bool> {
        let mut whole = self.each(rest, depth);
        while let Some(more) = rest.strip_prefix(&["OR".to_owned()]) {
            *rest = more;
            let other = self.each(rest, depth);
            whole = if whole == Some(true) || other == Some(true) { Some(true) } else { whole.and(other) };
        }
        whole
    }

    fn each(&self, rest: &mut &[String], depth: usize) -> Option<bool> {
        let mut whole = self.part(rest, depth);
        while let Some(more) = rest.strip_prefix(&["AND".to_owned()]) {
            *rest = more;
            let other = self.part(rest, depth);
            whole = match (whole, other) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(_), Some(_)) => Some(true),
                _ => None,
            };
        }
        whole
    }

    /// One part of a condition: `NOT part`, `(…)`, `TEST word`, `word TEST word`, or a word.
    fn part(&self, rest: &mut &[String], depth: usize) -> Option<bool> {
        let (first, mut after) = rest.split_first().filter(|_| depth < MAX_DEPTH)?;
        match first.as_str() {
            "NOT" => {
                let holds = self.part(&mut after, depth + 1);
                *rest = after;
                return holds.map(|holds| !holds);
            }
            "(" => {
                let holds = self.any(&mut after, depth + 1);
                *rest = after.split_first().map_or(after, |(_, after)| after);
                return holds;
            }
            test if TESTS.contains(&test) => {
                let (name, after) = after.split_first()?;
                *rest = after;
                return if test == "DEFINED" { self.is_set(&self.value(name)) } else { None };
            }
            _ => {}
        }
        if let [test, right, after @ ..] = after
            && !matches!(test.as_str(), "AND" | "OR" | ")")
        {
            *rest = after;
            let (left, right) = (self.side(first)?, self.side(right)?);
            return match test.as_str() {
                "STREQUAL" | "PATH_EQUAL" => Some(left == right),
                "IN_LIST" => Some(right.split(';').any(|item| item == left)),
                _ => {
                    let (left, right) = (left.parse::<i64>().ok()?, right.parse::<i64>().ok()?);
                    Some(match test.as_str() {
                        "EQUAL" => left == right,
                        "LESS" => left < right,
                        "GREATER" => left > right,
                        "LESS_EQUAL" => left <= right,
                        "GREATER_EQUAL" => left >= right,
                        _ => return None,
                    })
                }
            };
        }
        *rest = after;
        let word = self.value(first);
        match word.to_ascii_uppercase().as_str() {
            _ if mark::any(&word) => None,
            "1" | "ON" | "YES" | "TRUE" | "Y" => Some(true),
            _ if is_off(&word) => Some(false),
            _ => match self.known(&word) {
                Some(value) if mark::any(value) => None,
                Some(value) => Some(!is_off(value)),
                None => self.is_set(&word).filter(|set| !set),
            },
        }
    }

    /// Whether a variable has a value, if that is known.
    fn is_set(&self, name: &str) -> Option<bool> {
        if self.known(name).is_some() {
            return Some(true);
        }
        let own = |name: &str| name.starts_with("CMAKE_") || name.contains('{') || PLATFORMS.contains(&name);
        let named = self.named.as_ref()?;
        (!own(name) && !mark::any(name) && !named.iter().any(|other| other == name)).then_some(false)
    }

    /// What stands at one side of a comparison: the value of a variable, or a text.
    fn side(&self, word: &str) -> Option<String> {
        let text = self.value(word);
        if mark::any(&text) {
            return None;
        }
        if let Some(value) = self.known(&text) {
            return Some(value.to_owned()).filter(|value| !mark::any(value));
        }
        // A name in capitals is a variable that comes from elsewhere.
        let is_name =
            text.bytes().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'0'..=b'9'))
                && text.contains(|c: char| c.is_ascii_uppercase())
                && !word.contains('$');
        (!is_name || self.is_set(&text) == Some(false)).then_some(text)
    }
}
