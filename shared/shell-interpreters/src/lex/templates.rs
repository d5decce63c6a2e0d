//! Strings with expressions inside: f-strings, template literals, interpolation.

use std::rc::Rc;

use super::quotes::decoded;
use super::{MAX_NESTING, Piece, Token, nested};
use crate::Language;

/// A string as one token: plain, if nothing stands inside.
pub(super) fn token(language: Language, text: &str, depth: u32) -> Token {
    let mut pieces = pieces(language, text, depth);
    match pieces.as_mut_slice() {
        [] => Token::Text(String::new()),
        [Piece::Text(text)] => Token::Text(std::mem::take(text)),
        _ => Token::Template(pieces),
    }
}

/// A string with expressions in braces, in a language that has them only in strings of that kind.
pub(super) fn braced(language: Language, text: &str, depth: u32) -> Token {
    match pieces_as(Language::Python, language, text, depth) {
        pieces if pieces.is_empty() => Token::Text(String::new()),
        pieces => Token::Template(pieces),
    }
}

/// The parts of a string, plain ones decoded.
pub(super) fn pieces(language: Language, text: &str, depth: u32) -> Vec<Piece> {
    pieces_as(language, language, text, depth)
}

/// The same for a string that is written as in one language, with expressions of another one.
fn pieces_as(language: Language, inner_language: Language, text: &str, depth: u32) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c == '\\' {
            let width = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
            // `\$` and `\#` only protect; other escapes are decoded with the text around them.
            if matches!(rest.as_bytes().get(1), Some(b'$' | b'#' | b'@' | b'`')) {
                plain.push_str(&rest[1..width]);
            } else {
                plain.push_str(&rest[..width]);
            }
            rest = &rest[width..];
            continue;
        }
        if language == Language::Python && (rest.starts_with("{{") || rest.starts_with("}}")) {
            plain.push(c);
            rest = &rest[2..];
            continue;
        }
        if let Some((inner, width)) = expression(language, rest) {
            if !plain.is_empty() {
                pieces.push(Piece::Text(decoded(&std::mem::take(&mut plain))));
            }
            // `{x!r}` is written in quotes.
            let quoted = language == Language::Python
                && rest.get(1 + inner.len()..).is_some_and(|rest| rest.starts_with("!r"));
            if quoted {
                pieces.push(Piece::Text("'".to_owned()));
                plain.push('\'');
            }
            if depth < MAX_NESTING {
                let format = rest.get(1 + inner.len()..width).filter(|_| language == Language::Python);
                let code = match format.and_then(computed_width) {
                    Some(format) => nested(inner_language, &format!("[{format}, {inner}][-1]"), depth + 1),
                    None => nested(inner_language, inner, depth + 1),
                };
                pieces.push(Piece::Code(Rc::new(code)));
            } else {
                pieces.push(Piece::Text(shell_engine::mark::UNKNOWN.to_string()));
            }
            rest = &rest[width..];
        } else {
            plain.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text(decoded(&plain)));
    }
    pieces
}

/// What is called in the format of an f-string: `f` of `{x:>{f()}}`.
fn computed_width(format: &str) -> Option<&str> {
    let inner = &format[format.find('{')? + 1..];
    let inner = &inner[..closing(inner)?];
    inner.contains('(').then_some(inner)
}

/// The expression that begins here, and how much of the text it takes.
fn expression(language: Language, rest: &str) -> Option<(&str, usize)> {
    let bracketed = |skip: usize| {
        let width = closing(&rest[skip..])?;
        Some((&rest[skip..skip + width], skip + width + 1))
    };
    match language {
        Language::Python => {
            let (inner, width) = rest.starts_with('{').then(|| bracketed(1))??;
            Some((before_format(inner), width))
        }
        Language::JavaScript => rest.starts_with("${").then(|| bracketed(2))?,
        Language::Ruby | Language::Elixir => rest.starts_with("#{").then(|| bracketed(2))?,
        Language::Other => rest.starts_with("\\(").then(|| bracketed(2))?,
        Language::Julia if rest.starts_with("$(") => bracketed(2),
        Language::Perl if rest.starts_with("@{") || rest.starts_with("${") => {
            let (inner, width) = bracketed(2)?;
            // `${name}`, `@{[ code ]}` and `${\ code}`.
            Some((inner.trim_start_matches('\\'), width))
        }
        Language::Php if rest.starts_with("{$") => bracketed(1),
        Language::Jvm if rest.starts_with("${") => bracketed(2),
        Language::Perl | Language::Php | Language::Julia | Language::Jvm => variable(language, rest),
        _ => None,
    }
}

/// `$name`, `$name[0]`, `$name{key}`, `$name->{key}`, and `@name` of Perl.
fn variable(language: Language, rest: &str) -> Option<(&str, usize)> {
    let array = language == Language::Perl && rest.starts_with('@');
    if !rest.starts_with('$') && !array {
        return None;
    }
    let name = &rest[1..];
    let mut width = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    if width == 0 || name.starts_with(|c: char| c.is_ascii_digit()) && language != Language::Perl {
        return None;
    }
    while language == Language::Perl && name[width..].starts_with("::") {
        let rest = &name[width + 2..];
        let more = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if more == 0 {
            break;
        }
        width += 2 + more;
    }
    width += 1;
    if matches!(language, Language::Perl | Language::Php) {
        if rest[width..].starts_with("->{") || rest[width..].starts_with("->[") {
            width += 2;
        }
        if rest[width..].starts_with(['[', '{'])
            && let Some(inner) = closing(&rest[width + 1..])
            // A bracket far away is text, not an index.
            && inner < 64
            && (language == Language::Perl || rest[width..].starts_with('['))
        {
            width += inner + 2;
        }
    }
    Some((&rest[..width], width))
}

/// How much of a string opens an expression inside of it.
pub(super) fn opening(language: Language, rest: &str) -> Option<usize> {
    let opens = match language {
        Language::Ruby | Language::Elixir => "#{",
        Language::Php => "{$",
        Language::Jvm => "${",
        Language::Julia => "$(",
        Language::Other => "\\(",
        Language::Python if !rest.starts_with("{{") => "{",
        _ => return None,
    };
    rest.starts_with(opens).then_some(opens.len())
}

/// Where the bracket that was opened before `text` closes.
pub(super) fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match c {
            _ if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '\'' | '"' => quote = Some(c),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return Some(at),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    // A quote in prose: `it's {x}`.
    text.find(['}', ')'])
}

/// An expression of an f-string without `!r` and `:>10`.
fn before_format(inner: &str) -> &str {
    let mut depth = 0_u32;
    let mut quote = None;
    let bytes = inner.as_bytes();
    for (at, c) in inner.char_indices() {
        match c {
            _ if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '\'' | '"' => quote = Some(c),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => return &inner[..at],
            '!' if depth == 0 && bytes.get(at + 1) != Some(&b'=') => return &inner[..at],
            '=' if depth == 0 && at + 1 == inner.len() => return &inner[..at],
            _ => {}
        }
    }
    inner
}
