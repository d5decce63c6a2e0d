//! Brace expansion: `{a,b}` and `{1..5}`.

use super::Runner;
use crate::bash::ast::Part;

/// Words that one brace expression may become.
const MAX_WORDS: usize = 1024;

/// Characters that the words of one brace expression may have together.
const MAX_TOKENS: usize = 256 * 1024;
/// Opening braces of one word whose closing one is looked for.
const MAX_SEARCHES: u32 = 256;

/// What is left of these.
struct Room {
    tokens: usize,
    searches: u32,
}

/// A piece of a word after brace expansion.
#[derive(Clone)]
pub(super) enum Piece<'p> {
    /// Unquoted text.
    Bare(String),
    /// Anything else, as it was.
    Part(&'p Part),
}

/// Whether there is a brace to look at.
pub(super) fn may_expand(source: &str, parts: &[Part]) -> bool {
    parts.iter().any(|part| matches!(part, Part::Bare(span) if span.of(source).contains('{')))
}

/// Expands the braces of a word.
pub(super) fn expand<'p>(source: &str, parts: &'p [Part], runner: &mut Runner) -> Vec<Vec<Piece<'p>>> {
    let mut tokens = Vec::new();
    for part in parts {
        match part {
            Part::Bare(span) => tokens.extend(span.of(source).chars().map(Token::Char)),
            part => tokens.push(Token::Part(part)),
        }
    }
    let mut room = Room { tokens: MAX_TOKENS, searches: MAX_SEARCHES };
    let mut words = alternatives(&tokens, 0, &mut room);
    if words.len() > MAX_WORDS || room.tokens == 0 {
        runner.note(crate::atom::NoteKind::TooMuch, crate::span::Span::default());
        words.truncate(MAX_WORDS);
    }
    words.into_iter().map(pieces).collect()
}

#[derive(Clone, Copy)]
enum Token<'p> {
    Char(char),
    Part(&'p Part),
}

fn pieces(tokens: Vec<Token<'_>>) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for token in tokens {
        match (token, pieces.last_mut()) {
            (Token::Char(c), Some(Piece::Bare(bare))) => bare.push(c),
            (Token::Char(c), _) => pieces.push(Piece::Bare(c.to_string())),
            (Token::Part(part), _) => pieces.push(Piece::Part(part)),
        }
    }
    pieces
}

/// Every word that `tokens` stands for.
fn alternatives<'p>(tokens: &[Token<'p>], depth: u32, room: &mut Room) -> Vec<Vec<Token<'p>>> {
    let mut from = 0;
    while let Some(open) = tokens[from..].iter().position(|token| matches!(token, Token::Char('{'))) {
        let open = from + open;
        if room.searches == 0 {
            break;
        }
        room.searches -= 1;
        // A brace that nothing closes is a letter, and so is one that is nested absurdly deep.
        let Some((close, commas)) = group(&tokens[open..]).filter(|_| depth < 16) else {
            from = open + 1;
            continue;
        };
        let close = open + close;
        let inner: Vec<Vec<Token<'p>>> = if commas.is_empty() {
            if let Some(words) = range(&tokens[open + 1..close]) {
                words
            } else {
                from = open + 1;
                continue;
            }
        } else {
            // The pieces between the braces and the commas; each may hold braces of its own.
            let mut bounds = vec![open];
            bounds.extend(commas.iter().map(|comma| open + comma));
            bounds.push(close);
            bounds
                .windows(2)
                .flat_map(|pair| alternatives(&tokens[pair[0] + 1..pair[1]], depth + 1, room))
                .collect()
        };
        // `{a,b}{c,d}`: what follows multiplies the words, which is why tokens are counted and not only
        // words.
        let tails = alternatives(&tokens[close + 1..], depth + 1, room);
        let mut words = Vec::new();
        for middle in &inner {
            for tail in &tails {
                let width = open + middle.len() + tail.len();
                if words.len() > MAX_WORDS || room.tokens < width {
                    room.tokens = if room.tokens < width { 0 } else { room.tokens };
                    return words;
                }
                room.tokens -= width;
                let mut word = tokens[..open].to_vec();
                word.extend(middle);
                word.extend(tail);
                words.push(word);
            }
        }
        return words;
    }
    vec![tokens.to_vec()]
}

/// The index of the brace that closes the one at 0, and of the commas on its level.
fn group(tokens: &[Token<'_>]) -> Option<(usize, Vec<usize>)> {
    let mut depth = 0;
    let mut commas = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Char('{') => depth += 1,
            Token::Char(',') if depth == 1 => commas.push(index),
            Token::Char('}') => {
                depth -= 1;
                if depth == 0 {
                    return Some((index, commas));
                }
            }
            _ => {}
        }
    }
    None
}

/// `1..5`, `a..e`, `1..9..2`
fn range<'p>(tokens: &[Token<'p>]) -> Option<Vec<Vec<Token<'p>>>> {
    let text: String = tokens
        .iter()
        .map(|token| match token {
            Token::Char(c) => Some(*c),
            Token::Part(_) => None,
        })
        .collect::<Option<_>>()?;
    let mut ends = text.split("..");
    let (first, last) = (ends.next()?, ends.next()?);
    let step: i64 = ends.next().map_or(Some(1), |step| step.parse().ok())?;
    let step = step.abs().max(1);
    let numbers = |first: i64, last: i64| -> Vec<i64> {
        let count = (first.abs_diff(last) / step.unsigned_abs()).min(MAX_WORDS as u64 - 1);
        let sign = if first <= last { step } else { -step };
        (0..=i64::try_from(count).unwrap_or(0)).map(|turn| first + turn * sign).collect()
    };
    let padded =
        |text: &str| text.trim_start_matches('-').len() > 1 && text.trim_start_matches('-').starts_with('0');
    // `{01..10}`: one end with a leading zero pads all of them.
    let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
    let word = |text: String| text.chars().map(Token::Char).collect();
    if let (Ok(first), Ok(last)) = (first.parse::<i64>(), last.parse::<i64>()) {
        // Bash takes 64 bits, but `first + turn * step` must not overflow here.
        if first.abs() > i64::from(i32::MAX) || last.abs() > i64::from(i32::MAX) {
            return None;
        }
        return Some(
            numbers(first, last).into_iter().map(|number| word(format!("{number:0width$}"))).collect(),
        );
    }
    let letter = |text: &str| {
        (text.len() == 1 && text.as_bytes()[0].is_ascii_alphabetic()).then(|| i64::from(text.as_bytes()[0]))
    };
    let (first, last) = (letter(first)?, letter(last)?);
    let char_of = |code: i64| u8::try_from(code).map(|byte| char::from(byte).to_string()).unwrap_or_default();
    Some(numbers(first, last).into_iter().map(|code| word(char_of(code))).collect())
}
