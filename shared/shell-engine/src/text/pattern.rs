//! Shell patterns against known text.

use crate::mark;

/// Text longer than this is not searched: the answer is the text itself.
const MAX_TEXT: usize = 4096;

/// A pattern in an argument, with its special characters active.
pub fn active(pattern: &str) -> String {
    pattern
        .chars()
        .map(|c| match c {
            '*' => mark::STAR,
            '?' => mark::ANY,
            '[' => mark::CLASS,
            c => c,
        })
        .collect()
}

/// Whether all of `text` matches `pattern`, whose active characters are marks.
pub fn matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    matches_chars(&pattern, &text)
}

/// The usual two-pointer walk: on a mismatch, the last `*` takes one character more.
fn matches_chars(pattern: &[char], text: &[char]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&mark::STAR) {
            // Only the last star needs to be gone back to: an earlier one taking more cannot help.
            retry = Some((p + 1, t));
            p += 1;
            continue;
        }
        if let Some(width) = single(&pattern[p.min(pattern.len())..], text[t]) {
            p += width;
            t += 1;
            continue;
        }
        match retry {
            Some((after, taken)) => {
                p = after;
                t = taken + 1;
                retry = Some((after, taken + 1));
            }
            None => return false,
        }
    }
    pattern[p..].iter().all(|&c| c == mark::STAR)
}

/// How many pattern characters stand for the one character `c`, if they match it.
fn single(pattern: &[char], c: char) -> Option<usize> {
    match *pattern.first()? {
        mark::ANY => Some(1),
        mark::CLASS => class(pattern, c),
        // A pattern with unknown text in it may match anything there; one character of it is the least that
        // does.
        hole if mark::is_hole(hole) => Some(1),
        literal if literal == c => Some(1),
        _ => None,
    }
}

/// Matches `[abc]`, `[!a-z]`, `[[:alpha:]]`.
fn class(pattern: &[char], c: char) -> Option<usize> {
    let negated = matches!(pattern.get(1), Some('!' | '^'));
    let start = 1 + usize::from(negated);
    let mut at = start;
    let mut found = false;
    loop {
        let first = *pattern.get(at)?;
        // `[]a]`: right after the bracket it is a letter.
        if first == ']' && at > start {
            break;
        }
        let opens = |c: Option<&char>| matches!(c, Some('[' | &mark::CLASS));
        if opens(pattern.get(at)) && pattern.get(at + 1) == Some(&':') {
            let end = at + 2 + pattern[at + 2..].iter().position(|&c| c == ':')?;
            let name: String = pattern[at + 2..end].iter().collect();
            found |= named_class(&name, c);
            at = end + 2;
            continue;
        }
        if pattern.get(at + 1) == Some(&'-') && pattern.get(at + 2).is_some_and(|&c| c != ']') {
            found |= (first..=pattern[at + 2]).contains(&c);
            at += 3;
        } else {
            found |= first == c;
            at += 1;
        }
    }
    (found != negated).then_some(at + 1)
}

fn named_class(name: &str, c: char) -> bool {
    match name {
        "alpha" => c.is_ascii_alphabetic(),
        "digit" => c.is_ascii_digit(),
        "alnum" => c.is_ascii_alphanumeric(),
        "lower" => c.is_ascii_lowercase(),
        "upper" => c.is_ascii_uppercase(),
        "space" => c.is_ascii_whitespace(),
        "punct" => c.is_ascii_punctuation(),
        _ => false,
    }
}

/// What it costs at most to look for `pattern` in `size` bytes of text, in bytes of text to copy.
pub(crate) fn effort(pattern: &str, size: usize) -> usize {
    if !mark::any(pattern) {
        return 0;
    }
    let size = size.min(MAX_TEXT);
    let stars = pattern.matches(mark::STAR).count();
    size * size * (1 + stars) / 256 + pattern.len()
}

/// The same where every piece of the text is tried.
pub(crate) fn effort_to_replace(pattern: &str, size: usize) -> usize {
    if !mark::any(pattern) {
        return 0;
    }
    let size = size.min(MAX_TEXT / 16);
    let stars = pattern.matches(mark::STAR).count();
    size * size * size * (1 + stars) / 4096 + pattern.len()
}

/// `text` without the shortest or longest prefix or suffix that matches.
pub(crate) fn trim(text: &str, pattern: &str, suffix: bool, longest: bool) -> String {
    if text.len() > MAX_TEXT {
        return text.to_owned();
    }
    let chars: Vec<char> = text.chars().collect();
    let pattern: Vec<char> = pattern.chars().collect();
    let fits = |length: usize| {
        let part = if suffix { &chars[chars.len() - length..] } else { &chars[..length] };
        matches_chars(&pattern, part)
    };
    let length = if longest {
        (0..=chars.len()).rev().find(|&length| fits(length))
    } else {
        (0..=chars.len()).find(|&length| fits(length))
    };
    let length = length.unwrap_or(0);
    let kept = if suffix { &chars[..chars.len() - length] } else { &chars[length..] };
    kept.iter().collect()
}

/// `text` with the first or all longest matches replaced.
pub(crate) fn replace(text: &str, pattern: &str, with: &str, all: bool) -> String {
    // Every match grows the text by the replacement.
    let long = text.len().saturating_mul(with.len()) > MAX_TEXT * MAX_TEXT;
    if long && all {
        return mark::UNKNOWN.to_string();
    }
    if !mark::any(pattern) {
        return if all { text.replace(pattern, with) } else { text.replacen(pattern, with, 1) };
    }
    if text.len() > MAX_TEXT / 16 {
        return mark::UNKNOWN.to_string();
    }
    let chars: Vec<char> = text.chars().collect();
    let pattern: Vec<char> = pattern.chars().collect();
    let mut replaced = String::new();
    let mut at = 0;
    let mut open = true;
    while at < chars.len() {
        let width =
            (1..=chars.len() - at).rev().find(|&width| matches_chars(&pattern, &chars[at..at + width]));
        if let Some(width) = width.filter(|_| open) {
            replaced.push_str(with);
            at += width;
            open = all;
        } else {
            replaced.push(chars[at]);
            at += 1;
        }
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_the_shell() {
        for (pattern, text, expected) in [
            ("r?", "rm", true),
            ("r?", "rmm", false),
            ("*.py", "a.py", true),
            ("[a-z]*", "usr", true),
            ("[!a-z]*", "usr", false),
            ("[[:digit:]]x", "1x", true),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "aXbY", false),
            ("[", "a", false),
        ] {
            assert_eq!(matches(&active(pattern), text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn trimming_takes_the_shortest_or_the_longest() {
        assert_eq!(trim("a/b/c", &active("*/"), false, false), "b/c");
        assert_eq!(trim("a/b/c", &active("*/"), false, true), "c");
        assert_eq!(trim("/home/", "/", true, false), "/home");
        assert_eq!(trim("x.tar.gz", &active(".*"), true, true), "x");
    }

    #[test]
    fn replacing_is_greedy() {
        assert_eq!(replace("xaxbx", "x", "", true), "ab");
        assert_eq!(replace("a--b", &active("-*"), "+", false), "a+");
    }
}
