//! Regular expressions of sed, grep, bash and jq, for text that is known.

use regex_lite::{Regex, RegexBuilder};

use crate::mark;

/// A pattern longer than this, or a text, is not tried.
const MAX_PATTERN: usize = 1024;
const MAX_TEXT: usize = 16 * 1024;

/// In which dialect a pattern is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `\(a\)\{2\}`, as of sed and grep.
    Basic,
    /// `(a){2}`, as of `sed -E` and `[[ x =~ y ]]`.
    Extended,
    /// As of `grep -P`, jq and perl.
    Perl,
}

/// A pattern that can be tried.
#[derive(Debug)]
pub struct Pattern {
    regex: Regex,
    /// The group of which the match consists, where something around it is only looked at.
    part: usize,
}

impl Pattern {
    /// Reads a pattern; `None` where it is not understood.
    pub fn read(pattern: &str, dialect: Dialect, any_case: bool) -> Option<Self> {
        if pattern.len() > MAX_PATTERN || mark::any(pattern) {
            return None;
        }
        let (text, part) = match dialect {
            Dialect::Perl => looked_around(pattern)?,
            _ => (posix(pattern, dialect == Dialect::Extended)?, 0),
        };
        let regex = RegexBuilder::new(&text).case_insensitive(any_case).size_limit(1 << 20).build().ok()?;
        Some(Self { regex, part })
    }

    /// Where it matches, and what its groups hold: the first is the whole match. `None` where it does not, or where the
    /// text is too long or not known.
    pub fn groups<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        self.at(text, 0).map(|(_, groups)| groups)
    }

    /// The same from a place on, with the place where the match ends.
    fn at<'t>(&self, text: &'t str, from: usize) -> Option<((usize, usize), Vec<&'t str>)> {
        if text.len() > MAX_TEXT || is_foreign(text) {
            return None;
        }
        let found = self.regex.captures_at(text, from)?;
        let whole = found.get(self.part)?;
        let groups = (self.part..found.len()).map(|group| found.get(group).map_or("", |part| part.as_str()));
        Some(((whole.start(), whole.end()), groups.collect()))
    }

    /// Every match.
    pub fn matches<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(((_, end), groups)) = self.at(text, from) {
            found.extend(groups.first().copied().filter(|part| !part.is_empty()));
            let Some(next) = text.get(end..).and_then(|rest| rest.chars().next()) else { break };
            from = if end > from { end } else { end + next.len_utf8() };
        }
        found
    }

    /// `text` with the first match replaced, or all of them; `with` makes the new text of the groups.
    pub fn replaced(&self, text: &str, all: bool, mut with: impl FnMut(&[&str]) -> String) -> Option<String> {
        let (mut replaced, mut copied, mut from) = (String::new(), 0, 0);
        while let Some(((start, end), groups)) = self.at(text, from) {
            replaced.push_str(text.get(copied..start)?);
            replaced.push_str(&with(&groups));
            copied = end;
            let Some(next) = text.get(end..).and_then(|rest| rest.chars().next()) else { break };
            from = if end > start { end } else { end + next.len_utf8() };
            if !all || replaced.len() > MAX_TEXT {
                break;
            }
        }
        replaced.push_str(text.get(copied..)?);
        (replaced.len() <= MAX_TEXT).then_some(replaced)
    }
}

/// Whether a part of a text may be anything. Names and numbers are as long as they are: for `.*`, as good as letters.
pub fn is_foreign(text: &str) -> bool {
    let is_name = |c: char| mark::is_glob(c) || matches!(c, mark::ENTRY | mark::TOKEN);
    mark::any(text) && text.contains(|c| mark::is_mark(c) && !is_name(c))
}

/// A pattern of POSIX in the signs of Perl.
fn posix(pattern: &str, extended: bool) -> Option<String> {
    let mut text = String::with_capacity(pattern.len() + 8);
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next()? {
                sign @ ('(' | ')' | '{' | '}' | '+' | '?' | '|') if !extended => text.push(sign),
                '<' | '>' => text.push_str(r"\b"),
                // What only GNU has, and what the other side has as well; a number is a group that comes again.
                sign @ ('w' | 'W' | 's' | 'S' | 'b' | 'B' | 'n' | 't') => text.extend(['\\', sign]),
                sign if sign.is_ascii_alphanumeric() => return None,
                sign => text.extend(['\\', sign]),
            },
            '(' | ')' | '{' | '}' | '+' | '?' | '|' if !extended => text.extend(['\\', c]),
            '*' if text.is_empty() || text.ends_with('(') && !text.ends_with(r"\(") => text.push_str(r"\*"),
            '[' => bracket(&mut chars, &mut text)?,
            c => text.push(c),
        }
    }
    Some(text)
}

/// What stands in brackets, where a backslash means itself.
fn bracket(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, text: &mut String) -> Option<()> {
    text.push('[');
    if chars.next_if_eq(&'^').is_some() {
        text.push('^');
    }
    let mut first = true;
    loop {
        match chars.next()? {
            ']' if !first => break,
            '[' if chars.peek() == Some(&':') => {
                // `[:alpha:]`
                text.push('[');
                loop {
                    let c = chars.next()?;
                    text.push(c);
                    if c == ']' {
                        break;
                    }
                }
            }
            '\\' => match chars.next_if(|c| matches!(c, 'n' | 't')) {
                Some(sign) => text.extend(['\\', sign]),
                None => text.push_str(r"\\"),
            },
            c @ (']' | '[' | '&' | '~' | '^') => text.extend(['\\', c]),
            c => text.push(c),
        }
        first = false;
    }
    text.push(']');
    Some(())
}

/// A pattern of Perl that looks at what stands before and after it: what it looks at becomes a part of the match, of
/// which a group is then taken.
fn looked_around(pattern: &str) -> Option<(String, usize)> {
    let (before, rest) = match pattern.strip_prefix("(?<=").and_then(|rest| rest.split_once(')')) {
        Some((before, rest)) => (before, rest),
        None => pattern.split_once(r"\K").unwrap_or(("", pattern)),
    };
    let looks = rest.find("(?=").filter(|_| rest.ends_with(')'));
    let (body, after) = looks.map_or((rest, ""), |at| (&rest[..at], &rest[at + 3..rest.len() - 1]));
    let around = before.len() + after.len() > 0;
    if ["(?<", "(?!", "(?="].iter().any(|sign| body.contains(sign)) || before.contains('(') {
        return None;
    }
    Some(if around { (format!("(?:{before})({body})(?:{after})"), 1) } else { (body.to_owned(), 0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_their_tools() {
        let groups = |pattern: &str, dialect, text: &'static str| {
            Pattern::read(pattern, dialect, false).and_then(|pattern| pattern.groups(text))
        };
        assert_eq!(groups(r"go \(.*\)", Dialect::Basic, "go x"), Some(vec!["go x", "x"]));
        assert_eq!(groups("^key=(.+)$", Dialect::Extended, "key=/etc"), Some(vec!["key=/etc", "/etc"]));
        assert_eq!(groups("a+b", Dialect::Basic, "a+b"), Some(vec!["a+b"]));
        assert_eq!(groups("[]a]", Dialect::Extended, "x]"), Some(vec!["]"]));
        assert_eq!(groups(r"[[:digit:]\]+", Dialect::Extended, r"x1\2"), Some(vec![r"1\2"]));
        assert_eq!(groups("(?<=x).*(?=x)", Dialect::Perl, "xrmx"), Some(vec!["rm"]));
        assert_eq!(groups(r"k=\K\w+", Dialect::Perl, "k=rm"), Some(vec!["rm"]));
        assert_eq!(groups(r"(a)\1", Dialect::Extended, "aa"), None);
    }

    #[test]
    fn every_match_is_found_or_replaced() {
        let digits = Pattern::read("[0-9]", Dialect::Extended, false).unwrap();
        assert_eq!(digits.replaced("r1m2", true, |_| String::new()).as_deref(), Some("rm"));
        assert_eq!(digits.replaced("r1m2", false, |_| "-".to_owned()).as_deref(), Some("r-m2"));
        assert_eq!(digits.matches("r1m2"), ["1", "2"]);
        let empty = Pattern::read("x*", Dialect::Extended, false).unwrap();
        assert_eq!(empty.replaced("ab", true, |_| "-".to_owned()).as_deref(), Some("-a-b-"));
    }
}
