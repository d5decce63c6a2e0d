//! Functions of a script that nothing in it calls, for clients whose scripts are judged as text.

use super::Language;
use super::lex::{self, Code, Piece, Token};

/// Rounds in which functions are found that only others call which nothing calls.
const MAX_ROUNDS: usize = 8;
/// Functions of a script that are looked at.
const MAX_FUNCTIONS: usize = 64;

/// JavaScript without the functions that nothing calls: `function drop(name) { … }`, where no other line names `drop`.
pub fn without_unused(text: &str) -> String {
    if text.len() > super::MAX_BODY || !text.contains("function") {
        return text.to_owned();
    }
    let code = lex::read(Language::JavaScript, text);
    let mut functions = functions(&code);
    let mut removed: Vec<(usize, usize)> = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let before = removed.len();
        functions.retain(|&(start, end)| {
            let Some(Token::Name(name)) = code.tokens.get(start + 1) else { return false };
            let is_outside = |at: usize| {
                !(start..=end).contains(&at) && !removed.iter().any(|(from, to)| (*from..=*to).contains(&at))
            };
            // A method of something else may be called alike.
            let is_method = |at: usize| at > 0 && code.tokens[at - 1] == Token::Op(".");
            let is_named = code
                .tokens
                .iter()
                .enumerate()
                .any(|(at, token)| is_outside(at) && !is_method(at) && names(token, name));
            if !is_named {
                removed.push((start, end));
            }
            is_named
        });
        if removed.len() == before {
            break;
        }
    }
    removed.sort_unstable();
    let mut rest = String::new();
    let mut from = 0;
    for (start, end) in removed {
        let (start, end) = (code.place(start), code.place(end) + 1);
        if start >= from {
            rest.push_str(text.get(from..start).unwrap_or_default());
            from = end;
        }
    }
    rest.push_str(text.get(from..).unwrap_or_default());
    rest
}

/// Where the functions with names begin and end that stand at the top.
fn functions(code: &Code) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < code.tokens.len() && found.len() < MAX_FUNCTIONS {
        match (&code.tokens[at], code.tokens.get(at + 1), code.tokens.get(at + 2)) {
            (Token::Name(word), Some(Token::Name(_)), Some(Token::Op("("))) if word == "function" => {
                let body = code.mate(at + 2) + 1;
                if code.tokens.get(body) == Some(&Token::Op("{")) && code.mate(body) < code.tokens.len() {
                    found.push((at, code.mate(body)));
                    at = code.mate(body);
                }
            }
            (Token::Op("(" | "[" | "{"), ..) => at = code.mate(at),
            _ => {}
        }
        at += 1;
    }
    found
}

/// Whether a token names a function, also in a string, which may be run or be a key.
fn names(token: &Token, name: &str) -> bool {
    match token {
        Token::Name(word) => word == name || matches!(word.as_str(), "eval" | "globalThis" | "this"),
        Token::Text(text) => text.contains(name),
        Token::Template(pieces) | Token::Command(pieces) => pieces.iter().any(|piece| match piece {
            Piece::Code(code) => code.tokens.iter().any(|token| names(token, name)),
            Piece::Text(text) => text.contains(name),
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nothing_calls_is_left_out() {
        let text = "function info(n) { print(n); }\nfunction drop(n) { wipe(n); }\nfunction wipe(n) { db.x.drop(); }\ninfo(1);\n";
        assert_eq!(without_unused(text), "function info(n) { print(n); }\n\n\ninfo(1);\n");
        let text = "function drop(n) { db.x.drop(); }\n['drop'].forEach((n) => globalThis[n]());\n";
        assert_eq!(without_unused(text), text);
    }
}
