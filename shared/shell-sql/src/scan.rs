//! SQL into tokens, in one pass.

use super::flavor::{Flavor, Style};
use super::token::{Kind, Token};

/// Names in brackets are at most this long: SQL Server allows 128 characters.
const MAX_NAME: usize = 4 * 128;

/// Reads a string. `escapes` says whether a backslash escapes in `'…'`, `style` what is meant for the client.
pub(super) fn scan(text: &str, flavor: Flavor, escapes: bool, style: Style) -> Vec<Token<'_>> {
    let mut scanner = Scanner {
        text,
        at: 0,
        flavor,
        escapes,
        style,
        delimiter: "",
        runs_comment: false,
        leads: true,
        statement: 0,
        tokens: Vec::new(),
    };
    scanner.run();
    scanner.tokens
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    flavor: Flavor,
    escapes: bool,
    style: Style,
    /// What ends a statement besides `;`, where the client was set so.
    delimiter: &'t str,
    /// Inside `/*! … */`.
    runs_comment: bool,
    /// Only blanks since the line began.
    leads: bool,
    /// The first token of the statement.
    statement: usize,
    tokens: Vec<Token<'t>>,
}

impl<'t> Scanner<'t> {
    fn run(&mut self) {
        while let Some(byte) = self.peek(0) {
            let before = self.at;
            self.piece(byte);
            debug_assert!(self.at > before, "every step reads something");
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn piece(&mut self, byte: u8) {
        match byte {
            // Commands of the client itself, such as `.read x`, count only where a line begins.
            b'\n' => {
                self.leads = true;
                self.at += 1;
                return;
            }
            // NUL cannot stand in SQL: clients end there or skip it, and what follows is looked at all the
            // same.
            b if b.is_ascii_whitespace() || b == 0 => {
                self.at += 1;
                return;
            }
            _ => {}
        }
        if self.comment(byte) || self.leads && self.own_line() {
            return;
        }
        // After `DELIMITER //`, a semicolon no longer ends a statement.
        if !self.delimiter.is_empty() && self.rest().starts_with(self.delimiter) {
            return self.push(Kind::End, self.delimiter.len());
        }
        match byte {
            b';' => self.semicolon(),
            b'\'' => self.quoted(Kind::Text, 1, self.escapes),
            b'"' => {
                // In MySQL double quotes hold a string, in standard SQL a name.
                let text = self.flavor.double_is_text();
                self.quoted(if text { Kind::Text } else { Kind::Name }, 1, text);
            }
            b'`' => self.quoted(Kind::Name, 1, false),
            b'[' if self.flavor.brackets() && self.bracketed() => {}
            b'$' if self.flavor.dollars() && self.dollar_quoted() => {}
            b'\\' if self.style == Style::Psql || self.style == Style::MySql => self.backslash(),
            b'0'..=b'9' => self.push(Kind::Number, self.width(|b| word_byte(b) || b == b'.')),
            b'.' if self.peek(1).is_some_and(|b| b.is_ascii_digit())
                // `.5` is a number, but in `t.5` the dot belongs to a name.
                && !self.tokens.last().is_some_and(Token::names) =>
            {
                self.push(Kind::Number, self.width(|b| b.is_ascii_alphanumeric() || b == b'.'));
            }
            _ if self.begins_word(byte) => self.word(),
            _ => self.symbol(),
        }
    }

    fn width(&self, belongs: impl Fn(u8) -> bool) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        rest.iter().position(|&b| !belongs(b)).unwrap_or(rest.len())
    }

    fn push(&mut self, kind: Kind, width: usize) {
        let text = &self.text[self.at..self.at + width];
        self.keep(kind, text);
        self.at += width;
    }

    /// Keeps a token that no quotes surround.
    fn keep(&mut self, kind: Kind, text: &'t str) {
        self.keep_quoted(Token { kind, text, quote: 0, escapes: false, leads: self.leads });
    }

    fn keep_quoted(&mut self, token: Token<'t>) {
        let kind = token.kind;
        self.tokens.push(token);
        self.leads = false;
        if matches!(kind, Kind::Semi | Kind::End | Kind::Client) {
            // What ends a statement; the next token begins one.
            self.statement = self.tokens.len();
        }
    }

    /// Steps over a comment.
    fn comment(&mut self, byte: u8) -> bool {
        let line = match byte {
            // MySQL wants a blank after the dashes: `5--1` is six.
            b'-' if self.peek(1) == Some(b'-') => {
                self.flavor != Flavor::MySql || self.peek(2).is_none_or(|b| b <= b' ')
            }
            b'#' => {
                self.flavor.hash_comments()
                    || self.flavor == Flavor::Unknown && self.peek(1).is_none_or(|b| b <= b' ')
            }
            b'/' if self.peek(1) == Some(b'*') => {
                self.block_comment();
                return true;
            }
            b'*' if self.runs_comment && self.peek(1) == Some(b'/') => {
                self.runs_comment = false;
                self.at += 2;
                return true;
            }
            _ => false,
        };
        if line {
            self.at += self.width(|b| b != b'\n');
        }
        line
    }

    fn block_comment(&mut self) {
        let runs = if self.rest().starts_with("/*!") {
            3
        } else if self.rest().starts_with("/*M!") {
            4
        } else {
            0
        };
        if runs > 0 && self.flavor.runs_comments() {
            self.at += runs;
            // `/*!50001 DROP …*/`: the version from which on MySQL runs what follows. It is taken for run.
            self.at += self.width(|b| b.is_ascii_digit());
            self.runs_comment = true;
            return;
        }
        self.at += 2;
        let mut depth = 1;
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() {
            match &bytes[self.at..(self.at + 2).min(bytes.len())] {
                b"*/" => {
                    self.at += 2;
                    depth -= 1;
                    if depth == 0 {
                        return;
                    }
                }
                b"/*" if self.flavor.nested_comments() => {
                    self.at += 2;
                    depth += 1;
                }
                _ => self.at += 1,
            }
        }
    }

    /// A line that is meant for the client.
    fn own_line(&mut self) -> bool {
        // Inside a statement, the same word is SQL: `select system from t`.
        let fresh = self.statement == self.tokens.len();
        let line = self.rest().lines().next().unwrap_or("");
        let word = &line[..line.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(line.len())];
        let is = |words: &[&str]| words.iter().any(|known| word.eq_ignore_ascii_case(known));
        let own = match self.style {
            Style::Dot => fresh && line.starts_with('.'),
            Style::MySql if fresh && is(&["delimiter"]) => {
                // The word that sets the delimiter has none at its own end: the line ends it.
                self.delimiter = match line[word.len()..].trim() {
                    ";" => "",
                    other => other,
                };
                self.at += line.len();
                return true;
            }
            Style::MySql => {
                fresh && is(&["system", "source", "tee", "pager"]) && line[word.len()..].starts_with(' ')
            }
            Style::Sqlcmd => {
                // `GO 5` runs the batch before it five times.
                let go = is(&["go"]) && line[2..].trim().bytes().all(|b| b.is_ascii_digit());
                if go {
                    self.keep(Kind::End, line);
                    self.at += line.len();
                    return true;
                }
                // `::` is a cast, and not a command of sqlcmd.
                line.starts_with("!!") || line.starts_with(':') && !line.starts_with("::")
            }
            Style::Sqlplus => {
                // A slash on its own line runs the statement before it.
                if line.trim() == "/" {
                    self.push(Kind::End, 1);
                    return true;
                }
                fresh && (line.starts_with(['!', '@']) || is(&["host", "ho", "start", "spool"]))
            }
            Style::Snow => fresh && line.starts_with('!'),
            Style::Hive => fresh && (line.starts_with('!') || is(&["dfs", "source", "shell"])),
            Style::Plain | Style::Psql => false,
        };
        if own {
            self.keep(Kind::Client, line);
            self.at += line.len();
        }
        own
    }

    /// A client's command after a backslash.
    fn backslash(&mut self) {
        let line = self.rest().lines().next().unwrap_or("");
        if self.style == Style::MySql && matches!(self.peek(1), Some(b'g' | b'G')) {
            // `\g` and `\G` send the statement, as a semicolon does.
            return self.push(Kind::Semi, 2);
        }
        self.keep(Kind::Client, line);
        self.at += line.len().max(1);
    }

    fn semicolon(&mut self) {
        // What follows `COPY … FROM STDIN;` is data, up to a line with `\.`.
        let statement = &self.tokens[self.statement..];
        let data = self.style == Style::Psql
            && statement.first().is_some_and(|first| first.is("copy"))
            && statement.windows(2).any(|pair| pair[0].is("from") && pair[1].is("stdin"));
        self.push(Kind::Semi, 1);
        if data {
            let rest = self.rest();
            // Data is not SQL: a row that reads `DROP TABLE` drops nothing.
            self.at += rest.find("\n\\.").map_or(rest.len(), |end| end + 3);
        }
    }

    /// A string or a name in quotes, of which the first has `width` bytes in front of what it holds.
    fn quoted(&mut self, kind: Kind, width: usize, escapes: bool) {
        let quote = self.text.as_bytes()[self.at + width - 1];
        let triple = [quote; 3];
        let start = self.at + width;
        let bytes = self.text.as_bytes();
        if self.flavor == Flavor::BigQuery && bytes[start - 1..].starts_with(&triple) {
            let inner = start + 2;
            let end = memory_find(&bytes[inner..], &triple).map_or(bytes.len(), |end| inner + end);
            self.keep_quoted(Token {
                kind,
                text: &self.text[inner..end],
                quote: b'$',
                escapes: false,
                leads: self.leads,
            });
            self.at = (end + 3).min(bytes.len());
            return;
        }
        let mut end = start;
        while end < bytes.len() {
            if escapes && bytes[end] == b'\\' {
                end += 2;
            } else if bytes[end] == quote {
                // A quote that is written twice is one of the string.
                if bytes.get(end + 1) != Some(&quote) {
                    break;
                }
                end += 2;
            } else {
                end += 1;
            }
        }
        // A backslash may stand in front of a longer character, or of nothing.
        let mut end = end.min(bytes.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        self.keep_quoted(Token { kind, text: &self.text[start..end], quote, escapes, leads: self.leads });
        self.at = (end + 1).min(bytes.len());
    }

    /// `[name]`
    fn bracketed(&mut self) -> bool {
        let inner = &self.rest()[1..];
        let near = inner.bytes().take(MAX_NAME);
        let Some(end) = near.clone().position(|b| matches!(b, b']' | b'\n')) else { return false };
        // A name ends on its own line; elsewhere the bracket is an index.
        if near.clone().nth(end) != Some(b']') {
            return false;
        }
        let name = &inner[..end];
        if name.is_empty()
            // `ARRAY[1, 2]` of PostgreSQL must not become a name where no one says whose SQL it is.
            || self.flavor == Flavor::Unknown && !name.bytes().all(|b| word_byte(b) || b == b' ')
        {
            return false;
        }
        self.keep_quoted(Token {
            kind: Kind::Name,
            text: name,
            quote: b'[',
            escapes: false,
            leads: self.leads,
        });
        self.at += end + 2;
        true
    }

    /// `$tag$ … $tag$`
    fn dollar_quoted(&mut self) -> bool {
        let rest = self.rest();
        let tag = 1 + rest.as_bytes()[1..].iter().take_while(|&&b| b != b'$' && word_byte(b)).count();
        // `$1` is a parameter.
        if rest.as_bytes().get(tag) != Some(&b'$') || rest.as_bytes()[1].is_ascii_digit() {
            return false;
        }
        let (open, body) = rest.split_at(tag + 1);
        let end = body.find(open).unwrap_or(body.len());
        self.keep_quoted(Token {
            kind: Kind::Text,
            text: &body[..end],
            quote: b'$',
            escapes: false,
            leads: self.leads,
        });
        self.at += (open.len() * 2 + end).min(rest.len());
        true
    }

    fn begins_word(&self, byte: u8) -> bool {
        match byte {
            b'#' | b'@' => self.peek(1).is_some_and(|b| word_byte(b) || b == byte),
            b'$' => true,
            _ => word_byte(byte),
        }
    }

    fn word(&mut self) {
        let hash = !self.flavor.hash_comments();
        let first = self.width(|b| matches!(b, b'#' | b'@'));
        let rest = &self.text.as_bytes()[self.at + first..];
        let width = first
            + rest
                .iter()
                .position(|&b| !(word_byte(b) || hash && b == b'#' || b == b'@'))
                .unwrap_or(rest.len())
                .max(usize::from(first == 0));
        let word = &self.text[self.at..self.at + width];
        // `E'…'`, `N'…'`, `q'[…]'`
        if self.text.as_bytes().get(self.at + width) == Some(&b'\'') {
            let prefix = |known: &str| word.eq_ignore_ascii_case(known);
            if prefix("e") {
                return self.quoted(Kind::Text, width + 1, true);
            }
            if prefix("q") && self.flavor == Flavor::Oracle {
                return self.oracle_quoted();
            }
            if ["n", "x", "b", "r", "_utf8", "_utf8mb4", "_latin1", "_binary"].iter().any(|p| prefix(p)) {
                return self.quoted(Kind::Text, width + 1, self.escapes && !prefix("r"));
            }
        }
        self.push(Kind::Word, width);
    }

    /// `q'[ … ]'`
    fn oracle_quoted(&mut self) {
        let body = &self.rest()[2..];
        let Some(open) = body.chars().next() else { return self.push(Kind::Symbol, 1) };
        let close = match open {
            '[' => ']',
            '(' => ')',
            '{' => '}',
            '<' => '>',
            other => other,
        };
        let inner = &body[open.len_utf8()..];
        let end = inner.find(&format!("{close}'")).unwrap_or(inner.len());
        self.keep_quoted(Token {
            kind: Kind::Text,
            text: &inner[..end],
            quote: b'$',
            escapes: false,
            leads: self.leads,
        });
        let width = 2 + open.len_utf8() + end + close.len_utf8() + 1;
        self.at = (self.at + width).min(self.text.len());
    }

    fn symbol(&mut self) {
        let two = self.text.get(self.at..self.at + 2).unwrap_or("");
        if matches!(two, "<=" | ">=" | "<>" | "!=" | "==" | "||" | "&&" | "::" | ":=" | "!~" | "=>") {
            return self.push(Kind::Symbol, 2);
        }
        let width = self.rest().chars().next().map_or(1, char::len_utf8);
        self.push(Kind::Symbol, width);
    }
}

fn word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

fn memory_find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, flavor: Flavor, style: Style) -> Vec<String> {
        let tokens = scan(text, flavor, flavor.escapes().unwrap_or(false), style);
        tokens.iter().map(|token| format!("{:?}:{}", token.kind, token.value())).collect()
    }

    #[test]
    fn quotes_and_comments_are_those_of_the_database() {
        use Flavor::{BigQuery, MySql, Oracle, Postgres, SqlServer, Sqlite, Unknown};
        for (flavor, text, expected) in [
            (Postgres, "a -- b\nc", "Word:a Word:c"),
            (Postgres, "/* x /* y */ z */ a", "Word:a"),
            (Sqlite, "/* x /* y */ a", "Word:a"),
            (MySql, "a # b", "Word:a"),
            (MySql, "5--1", "Number:5 Symbol:- Symbol:- Number:1"),
            (MySql, "/*!50001 drop */ table", "Word:drop Word:table"),
            (Postgres, "/*!50001 drop */ table", "Word:table"),
            (Unknown, "/*! drop */ table", "Word:drop Word:table"),
            (Postgres, r"'a\' b", r"Text:a\ Word:b"),
            (MySql, r"'a\'b' c", "Text:a'b Word:c"),
            (Postgres, r"E'a\'b' c", "Text:a'b Word:c"),
            (Postgres, "'it''s'", "Text:it's"),
            (Postgres, r#""a b" $$x'y$$ $t$ $$ $t$"#, "Name:a b Text:x'y Text: $$ "),
            (MySql, r#""a""b" `c d`"#, r#"Text:a"b Name:c d"#),
            (SqlServer, "[a b] #tmp @x N'y'", "Name:a b Word:#tmp Word:@x Text:y"),
            (Oracle, "q'[it's]' x", "Text:it's Word:x"),
            (BigQuery, "'''it's''' x", "Text:it's Word:x"),
            (Postgres, "$1 a.b<>.5", "Word:$1 Word:a Symbol:. Word:b Symbol:<> Number:.5"),
            (Postgres, "'open", "Text:open"),
        ] {
            assert_eq!(words(text, flavor, Style::Plain).join(" "), expected, "{flavor:?} {text}");
        }
    }

    #[test]
    fn a_line_may_be_meant_for_the_client() {
        for (style, text, expected) in [
            (Style::Psql, "select 1 \\! ls\nx", r"Word:select Number:1 Client:\! ls Word:x"),
            (
                Style::Psql,
                "copy t from stdin;\ndrop table x;\n\\.\ny",
                "Word:copy Word:t Word:from Word:stdin Semi:; Word:y",
            ),
            (Style::Dot, ".shell ls\nselect +\n.5", "Client:.shell ls Word:select Symbol:+ Number:.5"),
            (Style::MySql, "delimiter //\na; b//\ndelimiter ;\nc", "Word:a Semi:; Word:b End:// Word:c"),
            (Style::MySql, "system ls\nselect system", "Client:system ls Word:select Word:system"),
            (Style::MySql, r"a\G b", r"Word:a Semi:\G Word:b"),
            (Style::Sqlcmd, "a\nGO\n:r x.sql\n!! dir", "Word:a End:GO Client::r x.sql Client:!! dir"),
            (Style::Sqlplus, "a;\n/\nhost ls\n@x", "Word:a Semi:; End:/ Client:host ls Client:@x"),
        ] {
            let flavor = if style == Style::MySql { Flavor::MySql } else { Flavor::Postgres };
            assert_eq!(words(text, flavor, style).join(" "), expected, "{style:?} {text}");
        }
    }
}
