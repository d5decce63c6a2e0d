//! Strings between delimiters of someone's choice: Perl's and Ruby's `q(…)`, `%w[…]`, `s{…}{…}`, `<FILE>`.

use super::quotes::{unescaped, unquoted};
use super::{Lexer, Token, templates};
use crate::Language;

impl Lexer<'_> {
    /// `q qq qw qx m qr s tr y` of Perl, and prefixed strings of Python and R. `false` if it is only a name.
    pub(super) fn operator_quote(&mut self, name: &str, width: usize) -> bool {
        let after = &self.rest[width..];
        let next = after.chars().next();
        let quote = next.filter(|next| matches!(next, '"' | '\''));
        match self.language {
            Language::Python if name.len() <= 2 && name.chars().all(|c| "rbfutRBFUT".contains(c)) => {
                let Some(quote) = quote else { return false };
                let raw = name.contains(['r', 'R']);
                let fills = name.contains(['f', 'F', 't', 'T']);
                self.skip(width);
                // Three quotes first: `"""` would be an empty string and the beginning of another.
                let triple: String = std::iter::repeat_n(quote, 3).collect();
                let delimiter = if self.rest.starts_with(&triple) { triple } else { quote.to_string() };
                if fills {
                    self.string_with(&delimiter, raw, true);
                } else {
                    self.string_with(&delimiter, raw, false);
                }
                true
            }
            Language::R if matches!(name, "r" | "R") && quote.is_some() => {
                self.skip(width + 1);
                self.delimited('q');
                self.skip(1);
                true
            }
            Language::Perl => {
                let kind = match name {
                    "q" => 'q',
                    "qq" => 'Q',
                    "qw" => 'w',
                    "qx" => 'x',
                    "m" | "qr" => 'm',
                    "s" => 's',
                    "tr" | "y" => 'y',
                    _ => return false,
                };
                let blanks = after.len() - after.trim_start().len();
                let open = after.trim_start().chars().next();
                let opens = open.is_some_and(|c| {
                    !c.is_alphanumeric()
                        && !c.is_whitespace()
                        && !matches!(c, ',' | ';' | ')')
                        // `s=a=b=` is a substitution, `s => 1` a key.
                        && (c != '=' || (kind == 's' || kind == 'y') && !after[blanks..].starts_with("=>"))
                        // perlop: after a blank, `#` begins a comment.
                        && !(c == '#' && blanks > 0)
                });
                // Keys of a hash: `s => 1`, `$x->{y}`.
                let arrow = after.trim_start().starts_with("=>")
                    || matches!(self.code.tokens.last(), Some(Token::Op("->" | "{")))
                        && after.trim_start().starts_with('}');
                if !opens || arrow || matches!(self.code.tokens.last(), Some(Token::Op("->"))) {
                    return false;
                }
                self.skip(width);
                self.delimited(kind);
                true
            }
            _ => false,
        }
    }

    /// The text between delimiters of the writer's choice, which begin here.
    fn between(&mut self) -> String {
        let blanks = self.rest.len() - self.rest.trim_start().len();
        self.skip(blanks);
        let Some(open) = self.rest.chars().next() else { return String::new() };
        let close = match open {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            '<' => '>',
            c => c,
        };
        let mut depth = 0;
        let mut escaped = false;
        let mut end = self.rest.len();
        for (at, c) in self.rest.char_indices() {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == open && (open != close || at == 0) {
                depth += 1;
            } else if c == close {
                depth -= 1;
                if depth == 0 {
                    end = at;
                    break;
                }
            }
        }
        let body = self.rest.get(open.len_utf8()..end).unwrap_or("").to_owned();
        self.skip((end + close.len_utf8()).min(self.rest.len()));
        body
    }

    /// A string between delimiters of the writer's choice.
    pub(super) fn delimited(&mut self, kind: char) {
        let open = self.rest.trim_start().chars().next();
        let body = self.between();
        match kind {
            'x' => {
                let pieces = templates::pieces(self.language, &body, self.depth);
                self.push(Token::Command(pieces));
            }
            'w' | 'W' | 'i' | 'I' => {
                self.push(Token::Op("["));
                for (at, word) in body.split_whitespace().enumerate() {
                    if at > 0 {
                        self.push(Token::Op(","));
                    }
                    self.push(Token::Text(word.to_owned()));
                }
                self.push(Token::Op("]"));
            }
            'Q' => {
                let token = templates::token(self.language, &body, self.depth);
                self.push(token);
            }
            'm' => {
                self.flags();
                self.push(Token::Pattern(body));
            }
            's' | 'y' => {
                let paired = open.is_some_and(|open| "([{<".contains(open));
                let replacement = if paired {
                    self.between()
                } else {
                    // The second part ends with the same character that began the first.
                    let delimiter = open.unwrap_or('/');
                    let end = unescaped(self.rest, delimiter);
                    let text = self.rest[..end].to_owned();
                    self.skip((end + delimiter.len_utf8()).min(self.rest.len()));
                    text
                };
                let flags = self.flags();
                let runs = kind == 's' && flags.contains('e');
                if runs {
                    self.push(Token::Pattern(body));
                } else {
                    self.push(Token::Change { from: body, to: replacement.clone(), letters: kind == 'y' });
                }
                if runs {
                    // `s/x/code/e`: what stands there runs.
                    self.push(Token::Op(";"));
                    let code = super::nested(self.language, &replacement, self.depth + 1);
                    if self.depth < super::MAX_NESTING {
                        for (at, token) in code.tokens.iter().enumerate() {
                            self.spaced = code.is_spaced(at);
                            self.push(token.clone());
                        }
                    }
                    self.push(Token::Op(";"));
                }
            }
            _ => self.push(Token::Text(unquoted(&body))),
        }
    }

    fn flags(&mut self) -> String {
        let width = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let flags = self.rest[..width].to_owned();
        self.skip(width);
        flags
    }

    /// Perl's `<STDIN>`, `<$handle>` and `<*.c>`.
    pub(super) fn reads_handle(&mut self) -> bool {
        let named = matches!(self.code.tokens.last(), Some(Token::Name(_)));
        if self.language != Language::Perl || self.after_value() && !named {
            return false;
        }
        let Some(end) = self.rest.find('>') else { return false };
        let inner = &self.rest[1..end];
        if inner.contains(['\n', ';', '=', '"', '\'']) || inner.starts_with(' ') {
            return false;
        }
        let globs = inner.contains(['*', '/', '.', '~', '?']);
        let inner = inner.to_owned();
        self.skip(end + 1);
        if globs {
            self.push(Token::Name("glob".to_owned()));
            let token = templates::token(self.language, &inner, self.depth);
            self.push(token);
        } else if inner.starts_with('$') {
            self.push(Token::Variable(inner.trim_start_matches('$').to_owned()));
        } else {
            self.push(Token::Name("STDIN".to_owned()));
        }
        true
    }
}
