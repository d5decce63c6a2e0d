//! `%NAME%`, `!NAME!` and the variables of `for`.

use shell_engine::{Scope, Value, mark};

/// What a variable of `for` stands for, by its letter.
pub(super) type Letters = Vec<(char, String)>;

/// A name longer than this is not a name.
const MAX_NAME: usize = 128;

/// `text` with its variables replaced.
pub(super) fn expand(text: &str, scope: &mut Scope, letters: &Letters) -> String {
    if !text.contains(['%', '!']) {
        return text.to_owned();
    }
    let mut expanded = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['%', '!']) {
        expanded.push_str(&rest[..at]);
        let sign = rest.as_bytes()[at];
        let after = &rest[at + 1..];
        if sign == b'!' {
            // Only with `cmd /v:on`; a variable that this text has not set stays for a shell inside.
            if let Some((name, behind)) = delimited(after, '!').filter(|(name, _)| is_name(name))
                && is_set(name, scope)
            {
                expanded.push_str(&variable(name, scope));
                rest = behind;
            } else {
                expanded.push('!');
                rest = after;
            }
            continue;
        }
        if let Some((value, behind)) = letter(after, letters) {
            expanded.push_str(&value);
            rest = behind;
        } else if let Some((name, behind)) = delimited(after, '%').filter(|(name, _)| is_name(name)) {
            expanded.push_str(&variable(name, scope));
            rest = behind;
        } else if let Some((value, behind)) = argument(after, scope) {
            expanded.push_str(&value);
            rest = behind;
        } else {
            expanded.push('%');
            // `%%` in a batch file is one percent sign.
            rest = after.strip_prefix('%').unwrap_or(after);
        }
    }
    expanded.push_str(rest);
    expanded
}

/// What stands before the next `sign`, and what after it.
fn delimited(text: &str, sign: char) -> Option<(&str, &str)> {
    // Bounded: each of many percent signs would search the rest of the text otherwise.
    let near = text.char_indices().take(MAX_NAME).find(|(_, c)| *c == sign);
    let (end, _) = near?;
    (end > 0).then(|| (&text[..end], &text[end + 1..]))
}

fn is_name(text: &str) -> bool {
    // What follows a colon changes the value: `%NAME:~0,3%`.
    let name = text.split(':').next().unwrap_or("");
    !name.is_empty()
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '(' | ')' | '-' | '.' | '#'))
}

fn is_set(text: &str, scope: &mut Scope) -> bool {
    scope.get(&text.split(':').next().unwrap_or("").to_uppercase()).is_some()
}

/// `%x`, `%%x` or `%~dpx` of a `for`.
fn letter<'t>(text: &'t str, letters: &Letters) -> Option<(String, &'t str)> {
    if letters.is_empty() {
        return None;
    }
    // In a batch file the percent sign is doubled, on a command line it is not.
    let text = text.strip_prefix('%').unwrap_or(text);
    let known =
        |c: char| letters.iter().rev().find(|(letter, _)| *letter == c).map(|(_, value)| value.clone());
    if let Some(modified) = text.strip_prefix('~') {
        let end = modified.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(modified.len());
        // The last letter that is a variable ends it.
        let (at, c) = modified[..end].char_indices().rev().find(|(_, c)| known(*c).is_some())?;
        return Some((known(c)?, &modified[at + c.len_utf8()..]));
    }
    let c = text.chars().next()?;
    Some((known(c)?, &text[c.len_utf8()..]))
}

/// `%1`, `%*` and `%~dp0` of a batch file.
fn argument<'t>(text: &'t str, scope: &Scope) -> Option<(String, &'t str)> {
    if let Some(modified) = text.strip_prefix('~') {
        let end = modified.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(modified.len());
        let digit = modified[end..].chars().next().filter(char::is_ascii_digit)?;
        let value = if digit == '0' {
            // `%~dp0` is the batch file's own folder; it is taken to be the current one.
            format!("{}\\", scope.cwd.replace('/', "\\"))
        } else {
            passed(digit, scope).trim_matches('"').to_owned()
        };
        return Some((value, &modified[end + 1..]));
    }
    let c = text.chars().next().filter(|c| c.is_ascii_digit() || *c == '*')?;
    Some((passed(c, scope), &text[c.len_utf8()..]))
}

/// What `call :label a b` has passed as `%1` or `%*`; what comes from outside is not known.
fn passed(place: char, scope: &Scope) -> String {
    let known = scope.positional.as_deref().unwrap_or_default();
    let found = match place.to_digit(10) {
        None if known.is_empty() => None,
        None => Some(known.join(" ")),
        Some(place) => {
            usize::try_from(place).ok().and_then(|place| known.get(place.checked_sub(1)?).cloned())
        }
    };
    let missing = if scope.exact { String::new() } else { mark::PASSED.to_string() };
    found.unwrap_or(missing)
}

/// The value of `NAME`, `NAME:~1,2` or `NAME:a=b`.
fn variable(text: &str, scope: &mut Scope) -> String {
    let (name, change) = text.split_once(':').map_or((text, None), |(name, change)| (name, Some(change)));
    let upper = name.to_uppercase();
    let value = match scope.get(&upper) {
        Some(Value::One(value)) => value.to_string(),
        _ => match upper.as_str() {
            "CD" | "__CD__" => scope.cwd.replace('/', "\\"),
            "CMDCMDLINE" | "ERRORLEVEL" | "CMDEXTVERSION" => mark::TOKEN.to_string(),
            _ => crate::system::environment(&upper, &scope.home)
                .or_else(|| scope.inherited(&upper))
                // cmd keeps `%UNSET%` on a command line and drops it in a batch file; the mark stands for
                // both.
                .map_or_else(|| mark::UNSET.to_string(), |value| value.replace('/', "\\")),
        },
    };
    match change {
        None => value,
        // A part of what is not known is not known either.
        Some(_) if mark::any(&value) => value,
        Some(change) => match change.strip_prefix('~') {
            Some(range) => substring(&value, range),
            None => match change.split_once('=') {
                Some((from, to)) => replaced(&value, from, to),
                None => value,
            },
        },
    }
}

/// `~start,length`, both of which may count from the end.
fn substring(value: &str, range: &str) -> String {
    let (start, length) =
        range.split_once(',').map_or((range, None), |(start, length)| (start, Some(length)));
    let chars: Vec<char> = value.chars().collect();
    let total = i64::try_from(chars.len()).unwrap_or(0);
    let from_end = |number: i64| if number < 0 { (total + number).max(0) } else { number.min(total) };
    let start = from_end(start.trim().parse().unwrap_or(0));
    let end = match length.and_then(|length| length.trim().parse::<i64>().ok()) {
        Some(length) if length < 0 => total + length,
        Some(length) => start.saturating_add(length).min(total),
        None => total,
    };
    let (Ok(start), Ok(end)) = (usize::try_from(start), usize::try_from(end)) else { return String::new() };
    chars.get(start..end.max(start)).unwrap_or(&[]).iter().collect()
}

fn replaced(value: &str, from: &str, to: &str) -> String {
    if let Some(from) = from.strip_prefix('*') {
        // `*x` stands for everything up to the first `x`.
        return match value.find(from).filter(|_| !from.is_empty()) {
            Some(at) => format!("{to}{}", &value[at + from.len()..]),
            None => value.to_owned(),
        };
    }
    // Each replacement may grow the value, and `set` in a loop does it again and again.
    if from.is_empty() || to.len().saturating_mul(value.len()) > 64 * 1024 {
        return value.to_owned();
    }
    value.replace(from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_replaced() {
        let mut scope = Scope::new("/work", Some("/home/user"));
        scope.set_text("X", "delete");
        let letters = vec![('a', "one".to_owned())];
        for (text, expected) in [
            ("%x%", "delete"),
            ("%X:~0,3% a", "del a"),
            ("%X:~-2%", "te"),
            ("%x:e=E%", "dElEtE"),
            ("!x!", "delete"),
            ("%%a %a %~fa", "one one one"),
            ("100%", "100%"),
            ("%CD%", r"\work"),
            ("hello!", "hello!"),
        ] {
            assert_eq!(expand(text, &mut scope, &letters), expected, "{text}");
        }
    }
}
