//! Tokens found by their words, and made into words.

use shell_engine::mark;

use super::token::{Kind, Token};

/// Characters of a string in quotes that are kept.
const MAX_TEXT: usize = 120;

/// Where a word stands outside of brackets.
pub(super) fn position(tokens: &[Token<'_>], word: &str) -> Option<usize> {
    position_of(tokens, word)
}

pub(super) fn position_of(tokens: &[Token<'_>], words: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        if token.is_symbol("(") {
            depth += 1;
        } else if token.is_symbol(")") {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && token.is_one(words) {
            return Some(at);
        }
    }
    None
}

/// Where the bracket at `open` is closed; the last token, if it is not.
pub(super) fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.is_symbol("(") {
            depth += 1;
        } else if token.is_symbol(")") {
            depth = depth.saturating_sub(1);
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len().saturating_sub(1)
}

/// The name `a.b.c` at `at`, and where it ends.
pub(super) fn name(tokens: &[Token<'_>], at: usize) -> Option<(String, usize)> {
    let first = tokens.get(at).filter(|token| token.names())?;
    let short = |token: &Token<'_>| token.value().chars().take(MAX_TEXT).collect::<String>();
    let mut name = short(first);
    let mut next = at + 1;
    while let Some(dot) = tokens.get(next)
        && dot.is_symbol(".")
        && next < at + 8
    {
        name.push('.');
        next += 1;
        if let Some(part) = tokens.get(next).filter(|part| part.names()) {
            name.push_str(&short(part));
            next += 1;
        }
    }
    Some((name, next))
}

/// The beginning of a token. A `*` that a shell may have taken for a pattern, as in `sqlite3 app.db select * from x`, is
/// a sign of SQL here.
fn shown(text: &str) -> String {
    text.chars().take(MAX_TEXT).map(|letter| if letter == mark::STAR { '*' } else { letter }).collect()
}

/// Tokens as words, at most `limit` of them.
pub(super) fn render(tokens: &[Token<'_>], limit: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut glue = false;
    for token in tokens {
        let text = match token.kind {
            Kind::Text => format!("'{}'", shown(&token.value())),
            Kind::Name => shown(&token.value()),
            _ => shown(token.text),
        };
        // Names with dots stay one word, which rules compare with names of tables.
        let joins = matches!(token.text, "." | "(" | ")" | ",") && token.kind == Kind::Symbol;
        if (glue || joins)
            && let Some(last) = words.last_mut()
            && last.len() < 4 * MAX_TEXT
        {
            last.push_str(&text);
        } else {
            // What is cut off is shown to be: a reader must not take it for the whole statement.
            if words.len() == limit {
                words.push("…".to_owned());
                break;
            }
            words.push(text);
        }
        glue = token.is_symbol(".") || token.is_symbol("(");
    }
    debug_assert!(words.iter().all(|word| !word.contains(mark::STAR)), "no word is a pattern");
    words
}
