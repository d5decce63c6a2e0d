//! Where strings begin and end.

use shell_engine::mark;
use shell_engine::text::escapes;

use super::{Lexer, Token, templates};
use crate::Language;

/// A here-document whose text has not come yet.
pub(super) struct Heredoc {
    /// The token that stands for it.
    token: usize,
    word: String,
    raw: bool,
    command: bool,
}

impl Lexer<'_> {
    /// Reads a string, if one begins here.
    pub(super) fn quote(&mut self, first: char) -> bool {
        use Language::{Awk, Elixir, Go, JavaScript, Julia, Jvm, Lua, Perl, Php, R, Ruby};
        match first {
            // awk has no single quotes: one is left over from the shell's quoting.
            '\'' if matches!(self.language, R | Awk) && self.language == Awk => {
                self.skip(1);
                true
            }
            '\'' if self.language == Language::Other && self.begins_lifetime() => {
                self.skip(1);
                true
            }
            // A transposition, or a letter of Julia and Go.
            '"' | '\'' => {
                self.string(first);
                true
            }
            // C#'s `@"…"` and `$"…"`
            '@' if self.language == Language::Other && self.rest.starts_with("@\"") => {
                self.skip(1);
                self.string_with("\"", true, false);
                true
            }
            '$' if self.language == Language::Other && self.rest.starts_with("$\"") => {
                self.skip(1);
                self.interpolated();
                true
            }
            '`' => {
                self.backquoted();
                true
            }
            '/' if matches!(self.language, JavaScript | Ruby | Perl | Awk | Jvm) && !self.after_value() => {
                self.pattern()
            }
            '[' if self.language == Lua && (self.rest.starts_with("[[") || self.rest.starts_with("[=")) => {
                self.long_bracket()
            }
            '<' if matches!(self.language, Ruby | Perl | Php) => self.heredoc() || self.reads_handle(),
            '%' if self.language == Ruby && (!self.after_value() || self.begins_words()) => self.percent(),
            '~' if self.language == Elixir => {
                let mut chars = self.rest.chars().skip(1);
                let kind = match chars.next() {
                    Some('w' | 'W') => Some('w'),
                    Some('s' | 'S' | 'c' | 'C') => Some('Q'),
                    _ => None,
                };
                let opens = chars.next().is_some_and(|c| "([{<|/\"'".contains(c));
                if let Some(kind) = kind.filter(|_| opens) {
                    self.skip(2);
                    self.delimited(kind);
                    return true;
                }
                false
            }
            ':' if matches!(self.language, Ruby | Elixir) => self.symbol(),
            _ if matches!(self.language, Julia | Go) => false,
            _ => false,
        }
    }

    /// Whether the quote here begins a lifetime of Rust's: `&'a str`, `<'a>`, `&'static T`.
    fn begins_lifetime(&self) -> bool {
        let after = &self.rest[1..];
        let name = after.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        let next = after[name.len()..].chars().next();
        let borrows = matches!(self.code.tokens.last(), Some(Token::Op("&" | "<")));
        !name.is_empty()
            && next != Some('\'')
            && (borrows || name == "static" || name.len() < 3 && matches!(next, Some('>' | ',' | ' ' | ':')))
    }

    fn string(&mut self, quote: char) {
        let triple: String = std::iter::repeat_n(quote, 3).collect();
        let has_triple = matches!(
            self.language,
            Language::Python | Language::Julia | Language::Jvm | Language::Elixir | Language::Other
        );
        let delimiter = if has_triple && self.rest.starts_with(&triple) { triple } else { quote.to_string() };
        let raw = quote == '\'' && matches!(self.language, Language::Perl | Language::Php | Language::Ruby);
        self.string_with(&delimiter, raw, self.language.fills(quote));
    }

    /// Reads a string between two delimiters: `raw` ones know no escapes, `fills` ones hold expressions.
    pub(super) fn string_with(&mut self, delimiter: &str, raw: bool, fills: bool) {
        let body = self.rest.get(delimiter.len()..).unwrap_or("");
        let mut end = body.len();
        let mut escaped = false;
        // Where an expression inside ends: its quotes are its own.
        let mut inside = 0;
        let mut nests = fills;
        for (at, c) in body.char_indices() {
            if at < inside {
                continue;
            }
            if nests
                && !escaped
                && let Some(open) = templates::opening(self.language, &body[at..])
            {
                match templates::closing(&body[at + open..]) {
                    Some(width) => {
                        inside = at + open + width;
                        continue;
                    }
                    // An expression without an end: the rest is looked at as plain text, once.
                    None => nests = false,
                }
            }
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if body[at..].starts_with(delimiter) {
                end = at;
                break;
            }
        }
        let text = &body[..end];
        let width = (delimiter.len() + end + delimiter.len()).min(self.rest.len());
        let token = if fills {
            templates::token(self.language, text, self.depth)
        } else {
            let text = if self.language == Language::Lua { decimal(text) } else { text.to_owned() };
            Token::Text(if raw { unquoted(&text) } else { decoded(&text) })
        };
        self.push(token);
        self.skip(width);
    }

    /// C#'s `$"rm {path}"`, whose braces are read as those of Python.
    fn interpolated(&mut self) {
        let body = &self.rest[1..];
        let mut end = body.len();
        let mut at = 0;
        while let Some(c) = body[at..].chars().next() {
            match c {
                '\\' => at += 1 + body[at + 1..].chars().next().map_or(0, char::len_utf8),
                '{' if !body[at + 1..].starts_with('{') => {
                    at += 1 + templates::closing(&body[at + 1..]).unwrap_or_default();
                }
                '"' => {
                    end = at;
                    break;
                }
                c => at += c.len_utf8(),
            }
        }
        let end = end.min(body.len());
        let token = templates::braced(self.language, &body[..end], self.depth);
        let width = (end + 2).min(self.rest.len());
        self.push(token);
        self.skip(width);
    }

    fn backquoted(&mut self) {
        let body = &self.rest[1..];
        let end = closing_backquote(body);
        let text = &body[..end];
        let token = match self.language {
            Language::JavaScript => templates::token(self.language, text, self.depth),
            Language::Go | Language::R => Token::Text(text.to_owned()),
            _ => Token::Command(templates::pieces(self.language, text, self.depth)),
        };
        let width = (end + 2).min(self.rest.len());
        self.push(token);
        self.skip(width);
    }

    /// A regular expression between slashes.
    fn pattern(&mut self) -> bool {
        let body = &self.rest[1..];
        let mut class = false;
        let mut escaped = false;
        for (at, c) in body.char_indices() {
            match c {
                _ if escaped => escaped = false,
                // No pattern goes over a line's end: it was a division.
                '\n' => return false,
                '\\' => escaped = true,
                '[' => class = true,
                ']' => class = false,
                '/' if !class => {
                    let flags = body[at + 1..].find(|c: char| !c.is_ascii_alphabetic());
                    let flags = flags.unwrap_or(body.len() - at - 1);
                    // awk has no flags, and a word may follow at once.
                    let flags = if self.language == Language::Awk { 0 } else { flags };
                    self.push(Token::Pattern(body[..at].to_owned()));
                    self.skip(at + 2 + flags);
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// Lua's `[[…]]` and `[==[…]==]`.
    fn long_bracket(&mut self) -> bool {
        let level = self.rest[1..].len() - self.rest[1..].trim_start_matches('=').len();
        if !self.rest[1 + level..].starts_with('[') {
            return false;
        }
        let close = format!("]{}]", "=".repeat(level));
        let body = &self.rest[level + 2..];
        let end = body.find(&close).unwrap_or(body.len());
        let text = body[..end].trim_start_matches('\n').to_owned();
        let width = (level + 2 + end + close.len()).min(self.rest.len());
        self.push(Token::Text(text));
        self.skip(width);
        true
    }

    /// Ruby's `:name` and Elixir's atoms, which are strings as far as anyone here cares.
    fn symbol(&mut self) -> bool {
        let body = &self.rest[1..];
        if body.starts_with(['"', '\'']) && !self.after_value() {
            self.skip(1);
            return false;
        }
        let width = body.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(body.len());
        // Right after a value the colon belongs to that, as in `a ?b:c`.
        let joined = !self.spaced && self.after_value();
        if width == 0 || joined || body.starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        let width = width + usize::from(body[width..].starts_with(['?', '!']));
        self.push(Token::Text(body[..width].to_owned()));
        self.skip(1 + width);
        true
    }

    /// Whether `system %w(a b)` stands here, and no remainder.
    fn begins_words(&self) -> bool {
        let mut chars = self.rest.chars().skip(1);
        let is_argument = self.spaced && matches!(self.code.tokens.last(), Some(Token::Name(_)));
        // `sh %(rm x)`; what divides has a blank after it as well.
        is_argument && matches!(self.rest.as_bytes(), [_, b'(' | b'{' | b'[', ..])
            || is_argument
                && chars.next().is_some_and(|c| "wWqQiIx".contains(c))
                && chars.next().is_some_and(|c| "([{<|/!".contains(c))
    }

    /// Ruby's `%x{…}`, `%q(…)`, `%w[…]`, `%(…)`.
    fn percent(&mut self) -> bool {
        let mut chars = self.rest.chars().skip(1);
        match (chars.next(), chars.next()) {
            (Some(kind @ ('x' | 'q' | 'Q' | 'w' | 'W' | 'i' | 'I')), Some(open))
                if !open.is_alphanumeric() && !open.is_whitespace() && open != '=' =>
            {
                self.skip(2);
                self.delimited(kind.to_ascii_lowercase().min(kind));
                true
            }
            (Some('('), _) => {
                self.skip(1);
                self.delimited('Q');
                true
            }
            _ => false,
        }
    }

    /// The head of a here-document of Ruby, Perl or PHP.
    fn heredoc(&mut self) -> bool {
        let Some(after) = self.rest.strip_prefix("<<") else { return false };
        let (after, marked) = match self.language {
            Language::Php => match after.strip_prefix('<') {
                Some(after) => (after.trim_start_matches(' '), true),
                None => return false,
            },
            _ => match after.strip_prefix(['~', '-']) {
                Some(after) => (after, true),
                None => (after, false),
            },
        };
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
        let name = quote.map_or(after, |_| &after[1..]);
        let width = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
        let starts = name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
            // A small letter after `<<` is mostly a variable that is shifted or appended.
            || (quote.is_some() || marked) && name.starts_with(char::is_alphabetic);
        if width == 0 || !starts || self.after_value() && !marked && quote.is_none() && !self.spaced {
            return false;
        }
        let word = name[..width].to_owned();
        let head = self.rest.len() - name.len() + width + usize::from(quote.is_some());
        let heredoc = Heredoc {
            token: self.code.tokens.len(),
            word,
            raw: quote == Some('\''),
            command: quote == Some('`'),
        };
        self.waiting.push(heredoc);
        self.push(Token::Text(String::new()));
        self.skip(head);
        true
    }

    pub(super) fn heredoc_body(&mut self, heredoc: &Heredoc) {
        let mut width = 0;
        let mut end = self.rest.len();
        for line in self.rest.split_inclusive('\n') {
            // The end may be indented, and the call around it may close on the same line.
            let ends = line.trim().trim_end_matches([';', ')', ',']) == heredoc.word;
            if ends {
                end = width;
                width += line.trim_end_matches('\n').len();
                break;
            }
            width += line.len();
        }
        let text = &self.rest[..end.min(self.rest.len())];
        let token = if heredoc.raw {
            Token::Text(text.to_owned())
        } else if heredoc.command {
            Token::Command(templates::pieces(self.language, text, self.depth))
        } else {
            templates::token(self.language, text, self.depth)
        };
        if let Some(place) = self.code.tokens.get_mut(heredoc.token) {
            *place = token;
        }
        self.skip(width.min(self.rest.len()));
        if self.rest.starts_with('\n') {
            self.skip(1);
        }
    }

    /// A name after a sigil.
    pub(super) fn sigil(&mut self, first: char) -> bool {
        let after = self.rest.get(first.len_utf8()..).unwrap_or("");
        let named = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let is_sigil = match (self.language, first) {
            (Language::Perl, '$') => {
                named(after)
                    || after.starts_with("::")
                    || after.starts_with(|c: char| c.is_ascii_digit() || "&!@/0,;.\\".contains(c))
            }
            (Language::Perl, '@') => named(after),
            // After a value it is a remainder.
            (Language::Perl, '%') => named(after) && !self.after_value(),
            (Language::Php | Language::Julia, '$') => named(after),
            (Language::Ruby, '$') => named(after) || after.starts_with(['0', '*', '!', '?', ',', '_']),
            (Language::Ruby, '@') => named(after.trim_start_matches('@')),
            (Language::Awk, '$') => after.starts_with(|c: char| c.is_alphanumeric()),
            _ => false,
        };
        if !is_sigil {
            return false;
        }
        let body = after.trim_start_matches(['@', ':']);
        let width = body.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(body.len());
        let mut width = width;
        // `$File::Find::name`
        while self.language == Language::Perl && width > 0 && body[width..].starts_with("::") {
            let rest = &body[width + 2..];
            width += 2 + rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        }
        let width = if width == 0 { body.chars().next().map_or(0, char::len_utf8) } else { width };
        let name = &body[..width];
        let name = match (self.language, first) {
            (Language::Awk, _) => format!("${name}"),
            // A field of an object, not a variable with that name.
            (Language::Ruby, '@') => format!("@{name}"),
            _ => name.replace("::", "."),
        };
        let skipped = self.rest.len() - body.len() + width;
        if self.language == Language::Perl && first != '$' {
            self.code.sigils.push((self.code.tokens.len(), first));
        }
        self.push(Token::Variable(name));
        self.skip(skipped);
        true
    }
}

fn closing_backquote(body: &str) -> usize {
    let mut escaped = false;
    let mut depth = 0_u32;
    let bytes = body.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'$' if bytes.get(at + 1) == Some(&b'{') => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'`' if depth == 0 => return at,
            _ => {}
        }
    }
    // Never closed: looking for another end each time would take quadratic time.
    body.len()
}

/// Where `delimiter` stands without a backslash before it.
pub(super) fn unescaped(text: &str, delimiter: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == delimiter {
            return at;
        }
    }
    text.len()
}

/// A string in which a backslash only protects quotes and itself.
pub(super) fn unquoted(text: &str) -> String {
    scrub_keeping_holes(&text.replace("\\\\", "\\").replace("\\'", "'"))
}

/// Lua's `\114` as `\x72`.
fn decimal(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        result.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let digits = after.bytes().take(3).take_while(u8::is_ascii_digit).count();
        if let Ok(byte) = after[..digits].parse::<u8>() {
            result.push_str("\\x");
            result.extend(
                [byte >> 4, byte & 15].map(|digit| char::from_digit(u32::from(digit), 16).unwrap_or('0')),
            );
            rest = &after[digits..];
        } else {
            let width = after.chars().next().map_or(0, char::len_utf8);
            result.push_str(&rest[at..=at + width]);
            rest = &after[width..];
        }
    }
    result.push_str(rest);
    result
}

/// A string with its escapes decoded.
pub(super) fn decoded(text: &str) -> String {
    // A backslash at the end of a line joins it with the next one, inside a string as well.
    let text = text.replace("\\\n", "");
    let text = named(&text);
    let text = braced(&text);
    scrub_keeping_holes(&escapes::ansi_c(&text))
}

/// `\N{LATIN SMALL LETTER R}` as the letter. What another name means is not known.
fn named(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains("\\N{") {
        return text.into();
    }
    let mut parts = text.split("\\N{");
    let mut result = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').unwrap_or((part, ""));
        let letter = name.rsplit(' ').next().filter(|letter| letter.len() == 1).unwrap_or("");
        match name {
            _ if name.starts_with("LATIN SMALL LETTER ") => result.push_str(&letter.to_lowercase()),
            _ if name.starts_with("LATIN CAPITAL LETTER ") => result.push_str(letter),
            "TILDE" => result.push('~'),
            "SOLIDUS" => result.push('/'),
            "SPACE" => result.push(' '),
            "HYPHEN-MINUS" => result.push('-'),
            _ => result.push(shell_engine::mark::UNKNOWN),
        }
        result.push_str(rest);
    }
    result.into()
}

/// `\u{72}` and `\x{72}` as `\U00000072`.
fn braced(text: &str) -> String {
    if !text.contains("\\u{") && !text.contains("\\x{") {
        return text.to_owned();
    }
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\u{").into_iter().chain(rest.find("\\x{")).min() {
        result.push_str(&rest[..at]);
        let after = &rest[at + 3..];
        let Some(close) = after.find('}') else { break };
        let digits = &after[..close];
        // What is not a number is left out, as the languages refuse it.
        if digits.len() <= 8 && !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit()) {
            result.push_str("\\U");
            result.extend(std::iter::repeat_n('0', 8 - digits.len()));
            result.push_str(digits);
        }
        rest = &after[close + 1..];
    }
    result.push_str(rest);
    result
}

/// Decoded text, in which marks stay what they are and other noncharacters do not become some.
fn scrub_keeping_holes(text: &str) -> String {
    text.chars()
        .map(|c| if mark::is_mark(c) && !mark::is_hole(c) { char::REPLACEMENT_CHARACTER } else { c })
        .collect()
}
