//! Patterns of policy files, against strings of which some is only known at run time.
//!
//! `*` is any text (in a path: without a slash), `**` any text, `**/` any folders or none, `?` one character, `[a-z]`
//! and `[!a-z]` one of a class, `\` takes the next character as it is. `{a,b}` is written out when the file is read.

use shell::mark;

use crate::certainty::Match;

/// What slashes mean to a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Nothing: arguments, hosts, names.
    Plain,
    /// `*` and `?` stop at them.
    Path,
}

/// How strings are compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) style: Style,
    /// Without regard to case.
    pub(crate) fold: bool,
}

/// Whether the file systems of this platform usually tell `A` from `a`.
pub(crate) const FOLDS: bool = cfg!(any(target_os = "macos", windows));

pub(crate) const PLAIN: Rules = Rules { style: Style::Plain, fold: false };
pub(crate) const NAME: Rules = Rules { style: Style::Plain, fold: true };
pub(crate) const PATH: Rules = Rules { style: Style::Path, fold: FOLDS };

/// Whether a pattern with this byte may match more than itself.
pub(crate) fn is_special(byte: u8) -> bool {
    matches!(byte, b'*' | b'?' | b'[' | b'\\')
}

/// Alternatives that a pattern may be written out to.
const MOST: usize = 256;

/// Whether a pattern can be read.
pub(crate) fn check(pattern: &str) -> Result<(), &'static str> {
    let mut chars = pattern.chars();
    let (mut braces, mut class) = (0u32, false);
    let (mut options, mut all) = (1usize, 1usize);
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.next().is_none() => return Err("ends in a backslash"),
            '\\' => {}
            ']' if class => class = false,
            // Inside a class, braces stand for themselves.
            _ if class => {}
            '[' => class = true,
            '{' if braces > 0 => return Err("has nested braces"),
            '{' => (braces, options) = (1, 1),
            ',' => options += 1,
            '}' if braces == 0 => return Err("closes a brace that is not open"),
            '}' => (braces, all) = (0, all.saturating_mul(options)),
            _ => {}
        }
    }
    if all > MOST {
        return Err("has more than 256 alternatives");
    }
    match (class, braces) {
        (true, _) => Err("has a `[` that is not closed"),
        (_, 0) => Ok(()),
        _ => Err("has a `{` that is not closed"),
    }
}

/// A pattern that [`check`] has accepted, with its `{a,b}` written out. A backslash and a class keep what they mean.
pub(crate) fn braces(pattern: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    // What comes next: a part that all have, or the alternatives of an open brace.
    let mut next = vec![String::new()];
    let append = |all: &[String], next: &[String]| -> Vec<String> {
        all.iter()
            .flat_map(|start| next.iter().map(move |part| format!("{start}{part}")))
            .take(MOST)
            .collect()
    };
    let (mut open, mut class) = (false, false);
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '{' | '}' if !class => {
                all = append(&all, &next);
                next = vec![String::new()];
                open = c == '{';
                continue;
            }
            ',' if open && !class => {
                next.push(String::new());
                continue;
            }
            '[' => class = true,
            ']' => class = false,
            _ => {}
        }
        if let Some(part) = next.last_mut() {
            part.push(c);
            if c == '\\' {
                part.extend(chars.next());
            }
        }
    }
    append(&all, &next)
}

pub(crate) fn matches(pattern: &str, text: &str, rules: Rules) -> Match {
    if !mark::any(text) {
        return if plain_fits(pattern.as_bytes(), text.as_bytes(), rules) { Match::Yes } else { Match::No };
    }
    marked_matches(pattern, text, rules)
}

/// The quick way: both are only text. Goes back to the last `*`, and to the last `**` before that.
fn plain_fits(pattern: &[u8], text: &[u8], rules: Rules) -> bool {
    let (mut p, mut t) = (0, 0);
    // Where to go on after the last `*` and the last `**`, and the text that they have taken so far.
    let mut star: Option<(usize, usize)> = None;
    let mut deep: Option<(usize, usize)> = None;
    loop {
        match token(pattern, p, rules.style) {
            Some((Token::Deep(_), next)) => {
                deep = Some((next, t));
                star = None;
                p = next;
                continue;
            }
            Some((Token::Star, next)) => {
                star = Some((next, t));
                p = next;
                continue;
            }
            Some((one, next)) if t < text.len() => {
                if let Some(width) = takes(pattern, &one, &text[t..], rules) {
                    p = next;
                    t += width;
                    continue;
                }
            }
            None if t == text.len() => return true,
            _ => {}
        }
        // The nearest one first: only when it cannot go on does the `**` before it.
        if let Some((next, taken)) = star
            && taken < text.len()
            && (rules.style == Style::Plain || text[taken] != b'/')
        {
            star = Some((next, taken + 1));
            (p, t) = (next, taken + 1);
            continue;
        }
        star = None;
        let Some((next, taken)) = deep else { return false };
        // `**/` only goes on at the next folder: `**/x` is not `yx`.
        let folders = next >= 3 && pattern[next - 1] == b'/' && pattern[next - 2] == b'*';
        let step = if folders {
            text[taken..].iter().position(|&b| b == b'/').map(|slash| slash + 1)
        } else {
            Some(1)
        };
        let Some(step) = step.filter(|step| taken + step <= text.len()) else { return false };
        deep = Some((next, taken + step));
        (p, t) = (next, taken + step);
    }
}

enum Token {
    /// `**` or, with folders, `**/`.
    Deep(bool),
    Star,
    Any,
    /// From `[` to just after `]`.
    Class(usize, usize),
    Byte(u8),
}

fn token(pattern: &[u8], at: usize, style: Style) -> Option<(Token, usize)> {
    Some(match *pattern.get(at)? {
        b'*' if pattern.get(at + 1) == Some(&b'*') && style == Style::Path => {
            let folders = pattern.get(at + 2) == Some(&b'/') && (at == 0 || pattern[at - 1] == b'/');
            (Token::Deep(folders), at + if folders { 3 } else { 2 })
        }
        b'*' => (Token::Star, at + 1),
        b'?' => (Token::Any, at + 1),
        b'[' => {
            let close = pattern[at + 1..]
                .iter()
                .position(|&byte| byte == b']')
                .map_or(pattern.len(), |end| at + 2 + end);
            (Token::Class(at, close), close)
        }
        b'\\' => (Token::Byte(pattern.get(at + 1).copied().unwrap_or(b'\\')), at + 2),
        byte => (Token::Byte(byte), at + 1),
    })
}

/// How many bytes of the text a token takes; the text holds some.
fn takes(pattern: &[u8], token: &Token, text: &[u8], rules: Rules) -> Option<usize> {
    let byte = text[0];
    match *token {
        Token::Byte(wanted) => same(wanted, byte, rules.fold).then_some(1),
        Token::Any => (rules.style == Style::Plain || byte != b'/').then(|| width(text)),
        Token::Class(start, end) => {
            // As in a shell, no class takes a slash, in plain strings either.
            (in_class(&pattern[start..end], byte, rules.fold) && byte != b'/').then(|| width(text))
        }
        Token::Deep(_) | Token::Star => None,
    }
}

fn same(a: u8, b: u8, fold: bool) -> bool {
    a == b || fold && a.eq_ignore_ascii_case(&b)
}

/// The bytes of the first character.
fn width(text: &[u8]) -> usize {
    1 + text[1..].iter().take_while(|&&byte| byte & 0xC0 == 0x80).count()
}

fn in_class(class: &[u8], byte: u8, fold: bool) -> bool {
    let inner = class.strip_prefix(b"[").unwrap_or(class);
    let inner = inner.strip_suffix(b"]").unwrap_or(inner);
    let (not, inner) = match inner.first() {
        Some(b'!' | b'^') => (true, &inner[1..]),
        _ => (false, inner),
    };
    let mut at = 0;
    let mut found = false;
    while let Some(&from) = inner.get(at) {
        let (to, next) = match (inner.get(at + 1), inner.get(at + 2)) {
            (Some(b'-'), Some(&to)) => (to, at + 3),
            _ => (from, at + 1),
        };
        // A range is compared in both cases: `[a-z]` folds to `[A-Z]`, byte by byte.
        let folded = fold
            && ((from..=to).contains(&byte.to_ascii_lowercase())
                || (from..=to).contains(&byte.to_ascii_uppercase()));
        found |= (from..=to).contains(&byte) || folded;
        at = next;
    }
    found != not
}

/// The thorough way: the text has marks. Every place that a part of the pattern can reach, step by step.
fn marked_matches(pattern: &str, text: &str, rules: Rules) -> Match {
    let pattern = pattern.as_bytes();
    let text = without_classes(text);
    // A bound on what one comparison may cost; an agent writes the text, and a doubt is the safe answer.
    if pattern.len() * text.len() > 1 << 16 {
        return Match::Maybe;
    }
    // Each place is gone on from at most twice: once reached perhaps, and once for sure.
    let mut seen = vec![Match::No; (pattern.len() + 1) * (text.len() + 1)];
    // Whether the shortest way there used text that is not known.
    let mut open = vec![(0usize, 0usize, Match::Yes)];
    let mut best = Match::No;
    while let Some((p, t, so_far)) = open.pop() {
        let cell = &mut seen[p * (text.len() + 1) + t];
        if *cell >= so_far {
            continue;
        }
        *cell = so_far;
        if p >= pattern.len() && t >= text.len() {
            best = best.max(so_far);
            if best == Match::Yes {
                break;
            }
            continue;
        }
        let here = text.get(t).copied();
        let token = token(pattern, p, rules.style);
        if let Some(c) = here.filter(|c| mark::is_mark(*c)) {
            let certain = if mark::is_hole(c) { Match::Maybe } else { so_far };
            // The mark is nothing, or it takes one more token of the pattern.
            if !matches!(c, mark::ANY | mark::CLASS) {
                open.push((p, t + 1, so_far.min(certain)));
            }
            if let Some((token, next)) = &token {
                // What a person wrote as `*` names whatever is there; only a pattern with the same freedom is sure.
                let any = matches!(token, Token::Star | Token::Deep(_) | Token::Any);
                let matched = if any { so_far.min(certain) } else { Match::Maybe.min(so_far) };
                let slash = matches!(token, Token::Byte(b'/'));
                // A shell's `*` ends at a slash, and a token has none.
                let crosses = mark::is_hole(c) && c != mark::TOKEN;
                // Shells leave names with a dot in front to patterns that begin with one.
                let hidden = matches!(token, Token::Byte(b'.'))
                    && matches!(c, mark::STAR | mark::ANY | mark::CLASS)
                    && (t == 0 || text[t - 1] == '/');
                if (!slash || crosses) && !hidden {
                    // Those stand for one character; the others may hold the rest of the pattern as well.
                    let stays = !matches!(c, mark::ANY | mark::CLASS);
                    open.push((*next, if stays { t } else { t + 1 }, matched));
                }
            }
        }
        match token {
            Some((Token::Deep(folders), next)) => {
                open.push((next, t, so_far));
                if here.is_some_and(|c| !mark::is_mark(c)) {
                    let over = if folders {
                        text[t..].iter().position(|&c| c == '/').map(|at| t + at + 1)
                    } else {
                        Some(t + 1)
                    };
                    if let Some(over) = over {
                        open.push((p, over, so_far));
                    }
                } else if here.is_some() {
                    open.push((p, t + 1, so_far));
                }
            }
            Some((Token::Star, next)) => {
                open.push((next, t, so_far));
                if here.is_some_and(|c| !mark::is_mark(c) && (rules.style == Style::Plain || c != '/')) {
                    open.push((p, t + 1, so_far));
                }
            }
            Some((one, next)) => {
                if let Some(c) = here.filter(|c| !mark::is_mark(*c)) {
                    let mut bytes = [0; 4];
                    let encoded = c.encode_utf8(&mut bytes).as_bytes();
                    // A character of several bytes is compared byte by byte with the pattern's.
                    let taken = takes(pattern, &one, encoded, rules).is_some();
                    let whole = match one {
                        Token::Byte(_) => {
                            pattern.get(p..p + encoded.len()) == Some(encoded) || encoded.len() == 1
                        }
                        _ => true,
                    };
                    if taken && whole {
                        let skip = if matches!(one, Token::Byte(_)) { encoded.len() - 1 } else { 0 };
                        open.push((next + skip, t + 1, so_far));
                    }
                }
            }
            None => {}
        }
    }
    best
}

/// A string in which every `[…]` that a shell would try is its mark alone: one character that is not known.
fn without_classes(text: &str) -> Vec<char> {
    let mut kept = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        kept.push(c);
        rest = &rest[c.len_utf8()..];
        if c == mark::CLASS {
            // A `]` right after the opening one, or after its `!`, belongs to the class.
            let first = rest.trim_start_matches(['!', '^']);
            let inner = first.strip_prefix(']').unwrap_or(first);
            rest = inner.split_once(']').map_or(rest, |(_, behind)| behind);
        }
    }
    kept
}

/// The folders of a pattern in front of its first wildcard, without a slash at the end.
pub(crate) fn base(pattern: &str) -> &str {
    let wild = pattern.find(['*', '?', '[']).unwrap_or(pattern.len());
    if wild == pattern.len() {
        return pattern.trim_end_matches('/');
    }
    pattern[..wild].rfind('/').map_or("", |slash| &pattern[..slash])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_texts() {
        for (pattern, text, path, plain) in [
            ("a", "a", true, true),
            ("*", "a/b", false, true),
            ("*.env", "x.env", true, true),
            ("**/.env", ".env", true, false),
            ("**/.env", "/a/b/.env", true, true),
            ("**/.env", "/a/b.env", false, false),
            ("/etc/**", "/etc/a/b", true, true),
            ("/etc/**", "/etcetera", false, false),
            ("src/**/test_*.rs", "src/test_a.rs", true, false),
            ("src/**/test_*.rs", "src/a/b/test_a.rs", true, true),
            ("src/*/x", "src/a/b/x", false, true),
            ("+*", "+main", true, true),
            ("[a-c]?", "bz", true, true),
            ("[!a-c]?", "bz", false, false),
            ("a\\*", "a*", true, true),
            ("a\\*", "ab", false, false),
            ("*a*b*c", "xxaxxbxxc", true, true),
            ("?", "é", true, true),
            ("**/a/**/b", "/a/x/a/y/b", true, true),
        ] {
            let with = |style| matches(pattern, text, Rules { style, fold: false }) == Match::Yes;
            assert_eq!((with(Style::Path), with(Style::Plain)), (path, plain), "{pattern} {text}");
        }
    }

    #[test]
    fn unknown_text_may_fit() {
        let hole = mark::UNKNOWN;
        let star = mark::STAR;
        for (pattern, text, expected) in [
            ("main", format!("{hole}"), Match::Maybe),
            ("main", format!("{hole}in"), Match::Maybe),
            ("main", format!("{hole}x"), Match::No),
            ("**/.env", format!("/a/{hole}/.env"), Match::Yes),
            ("**/.env", format!("/a/.e{star}"), Match::Maybe),
            ("**/.env", format!("/a/{star}.rs"), Match::No),
            ("/s/**", format!("/s/{star}"), Match::Yes),
            ("**/.env", format!("/a/.{}e]nv", mark::CLASS), Match::Maybe),
            ("**/.env", format!("/a/.{}!]x]nv", mark::CLASS), Match::Maybe),
            ("**/.env", format!("/a/.{}e]nvx", mark::CLASS), Match::No),
            ("*", format!("{hole}"), Match::Maybe),
        ] {
            let matched = matches(pattern, &text, PATH);
            if pattern == "*" || text.contains(&format!("{hole}/.env")) {
                assert!(matched >= Match::Maybe, "{pattern} {text:?}");
            } else {
                assert_eq!(matched, expected, "{pattern} {text:?}");
            }
        }
    }

    #[test]
    fn many_stars_and_an_unknown_part_are_compared_in_bounded_work() {
        // Once a power of the stars: 17 s for this, and a hook that is late lets the call through on most hosts.
        let text = format!("{}{}", "://:@".repeat(400), mark::UNKNOWN);
        assert_eq!(matches("*://*:*@*:*@*x", &text, PLAIN), Match::Maybe);
    }

    #[test]
    fn braces_are_written_out() {
        assert_eq!(braces("a{b,c}d{e,f}"), ["abde", "abdf", "acde", "acdf"]);
        assert!(
            check("a{b").is_err() && check("a]").is_ok() && check("[a").is_err() && check("a{b,c}").is_ok()
        );
        assert_eq!(braces("\\{a,b\\}"), ["\\{a,b\\}"]);
        assert_eq!(braces("[{]a{b,c}"), ["[{]ab", "[{]ac"]);
        assert_eq!(braces("{a\\,b,c}"), ["a\\,b", "c"]);
        let many = |number: usize| format!("{{{}}}", vec!["p"; number].join(","));
        assert!(check(&many(256)).is_ok() && check(&many(257)).is_err());
        assert!(check(&format!("{}{}", many(17), many(16))).is_err());
        assert_eq!(base("/a/b/*.c"), "/a/b");
        assert_eq!(base("/a/b/"), "/a/b");
        assert_eq!(base("**/x"), "");
    }
}
