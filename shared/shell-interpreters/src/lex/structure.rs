//! Which bracket closes which, and where blocks of words end.

use super::Token;
use crate::Language;

/// For each token that opens a bracket or a block, where it closes. One pass, whatever the nesting.
pub(super) fn mates(language: Language, tokens: &[Token]) -> Vec<u32> {
    let none = u32::try_from(tokens.len()).unwrap_or(u32::MAX);
    let mut mates = vec![none; tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    // A `do` that only ends the head of `while … do`.
    let mut head = false;
    let mut starts = true;
    for (at, token) in tokens.iter().enumerate() {
        let place = u32::try_from(at).unwrap_or(u32::MAX);
        match token {
            Token::Op("(" | "[" | "{") => open.push(at),
            Token::Op(")" | "]" | "}") => {
                // Blocks of words that were never closed end with the bracket around them.
                while let Some(from) = open.pop() {
                    mates[from] = place;
                    if matches!(tokens[from], Token::Op(_)) {
                        break;
                    }
                }
            }
            Token::Name(name) if language.has_word_blocks() => {
                let after_dot = matches!(
                    at.checked_sub(1).map(|before| &tokens[before]),
                    Some(Token::Op("." | "&." | ":"))
                );
                if after_dot || matches!(tokens.get(at + 1), Some(Token::Op(":"))) {
                } else if matches!(name.as_str(), "end" | "until")
                    && (name == "end" || language == Language::Lua)
                {
                    // Only a word closes with a word.
                    if let Some(&from) = open.last()
                        && !matches!(tokens[from], Token::Op(_))
                    {
                        open.pop();
                        mates[from] = place;
                    }
                } else if name == "do" && head {
                    head = false;
                } else if name == "def" && is_short(&tokens[at + 1..]) {
                } else if opens(language, name, starts) {
                    open.push(at);
                    head = matches!(name.as_str(), "while" | "until" | "for");
                }
            }
            _ => {}
        }
        if matches!(token, Token::Line(_) | Token::Op(";")) {
            head = false;
        }
        starts = matches!(token, Token::Line(_) | Token::Op(";" | "=" | "(" | "{" | "|" | "=>"))
            || matches!(token, Token::Name(name) if matches!(name.as_str(), "then" | "do" | "else" | "begin" | "return"));
    }
    mates
}

/// Whether `def` defines a method by one expression: `def f(x) = x + 1`, but not the setter `def x=(v)`.
fn is_short(rest: &[Token]) -> bool {
    let mut at = 0;
    while matches!(rest.get(at), Some(Token::Name(_))) {
        at += 1;
        if rest.get(at) != Some(&Token::Op(".")) {
            break;
        }
        at += 1;
    }
    if rest.get(at) == Some(&Token::Op("(")) {
        let mut depth = 0_u32;
        for (place, token) in rest.iter().enumerate().skip(at).take(64) {
            match token {
                Token::Op("(") => depth += 1,
                Token::Op(")") if depth == 1 => return rest.get(place + 1) == Some(&Token::Op("=")),
                Token::Op(")") => depth -= 1,
                _ => {}
            }
        }
        return false;
    }
    at > 0 && rest.get(at) == Some(&Token::Op("=")) && rest.get(at + 1) != Some(&Token::Op("("))
}

/// Whether a word opens a block that `end` closes; `starts` says that it begins a statement.
fn opens(language: Language, word: &str, starts: bool) -> bool {
    match language {
        Language::Ruby => match word {
            "do" | "begin" | "def" | "class" | "module" | "case" => true,
            // After a statement, `p y if y`, they need no `end`.
            "if" | "unless" | "while" | "until" | "for" => starts,
            _ => false,
        },
        Language::Lua => matches!(word, "function" | "do" | "if" | "repeat" | "while" | "for"),
        Language::Julia => match word {
            "function" | "begin" | "let" | "do" | "try" | "module" | "quote" | "macro" | "struct" => true,
            // Inside brackets they belong to a comprehension.
            "for" | "while" | "if" => starts,
            _ => false,
        },
        Language::Elixir => matches!(word, "do" | "fn"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    #[test]
    fn blocks_end_where_they_should() {
        let code = read(Language::Ruby, "def f(x)\n x.each do |y|\n p y if y\n end\nend\nf(1)");
        assert!(matches!(&code.tokens[code.mate(0) + 2], Token::Name(name) if name == "f"));
        let code = read(Language::Lua, "while a do b() end f()");
        assert!(matches!(&code.tokens[code.mate(0) + 1], Token::Name(name) if name == "f"));
        let code = read(Language::JavaScript, "f(a[1], {b: (c)})");
        assert_eq!(code.mate(1), code.tokens.len() - 1);
    }
}
