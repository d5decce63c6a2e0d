//! Commands as a shell splits them, with the place of every word. Any text is split: what is not a command gives words
//! that no program of ours is among.

use crate::rewritten::Rewritten;

/// A word without its quotes.
#[derive(Debug)]
pub(crate) struct Word<'t> {
    pub(crate) shown: Rewritten<'t>,
    /// All of it stood between quotes.
    pub(crate) quoted: bool,
}

impl Word<'_> {
    pub(crate) fn text(&self) -> &str {
        &self.shown.text
    }
}

/// A simple command.
#[derive(Debug, Default)]
pub(crate) struct Command<'t> {
    pub(crate) words: Vec<Word<'t>>,
    /// Which of the commands prints into it.
    pub(crate) producer: Option<usize>,
    /// What `<<<` or `<<` gives it on stdin.
    pub(crate) fed: Vec<Word<'t>>,
    /// The commands in the parentheses before it, if it is what follows them.
    pub(crate) group: std::ops::Range<usize>,
    /// The files that it writes by `>`.
    pub(crate) written: Vec<Word<'t>>,
}

/// What the next word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Argument,
    Written,
    Read,
    HereString,
    Delimiter,
}

/// The commands of `text`, inner ones (`$(…)`) before the ones around them.
pub(crate) fn split(text: &str) -> Vec<Command<'_>> {
    let splitter = Splitter {
        text,
        bytes: text.as_bytes(),
        at: 0,
        now: Command::default(),
        around: Vec::new(),
        bodies: Vec::new(),
        done: Vec::new(),
    };
    splitter.run()
}

struct Splitter<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    now: Command<'t>,
    /// The commands around an open parenthesis.
    around: Vec<(Command<'t>, usize)>,
    /// The here-documents whose body is still to come: which command reads it, and the line that ends it.
    bodies: Vec<(usize, String)>,
    done: Vec<Command<'t>>,
}

impl<'t> Splitter<'t> {
    fn run(mut self) -> Vec<Command<'t>> {
        let mut role = Role::Argument;
        while let Some(&byte) = self.bytes.get(self.at) {
            let next = self.bytes.get(self.at + 1).copied();
            match byte {
                // A backquote only separates: what it runs is looked at as words of the command around it.
                b'`' => self.at += 1,
                // All that ends a word and means nothing, form feeds as well: a word begins with something else.
                blank if blank != b'\n' && blank.is_ascii_whitespace() => self.at += 1,
                // A line that goes on.
                b'\\' if matches!(next, Some(b'\n' | b'\r')) => self.at += 2,
                b'\n' => {
                    self.end(false);
                    self.at += 1;
                    self.read_bodies();
                    role = Role::Argument;
                }
                b';' => {
                    self.end(false);
                    self.at += 1;
                    role = Role::Argument;
                }
                // `&>file` redirects; the sign does not end a command.
                b'&' if next == Some(b'>') => self.at += 1,
                b'&' => {
                    self.end(false);
                    self.at += 1;
                    role = Role::Argument;
                }
                b'|' => {
                    let both = next == Some(b'|');
                    self.end(!both);
                    // `|&` pipes stderr as well.
                    self.at += if both || next == Some(b'&') { 2 } else { 1 };
                    role = Role::Argument;
                }
                b'(' => {
                    // Inside brackets another command begins, and the one around it goes on after them.
                    self.around.push((std::mem::take(&mut self.now), self.done.len()));
                    self.at += 1;
                    role = Role::Argument;
                }
                b')' => {
                    self.close();
                    self.at += 1;
                    role = Role::Argument;
                }
                b'>' | b'<' => role = self.redirection(byte),
                _ => {
                    let word = self.word();
                    self.take(word, role);
                    role = Role::Argument;
                }
            }
        }
        while !self.around.is_empty() {
            self.close();
        }
        self.end(false);
        self.done
    }

    /// Goes on with the command around a parenthesis that closes.
    fn close(&mut self) {
        if let Some((around, first)) = self.around.pop() {
            self.end(false);
            self.now = around;
            self.now.group = first..self.done.len();
        }
    }

    /// Ends the command; `into` the next one where it prints into that.
    fn end(&mut self, into: bool) {
        let command = std::mem::take(&mut self.now);
        self.done.push(command);
        self.now.producer = into.then(|| self.done.len() - 1);
    }

    fn redirection(&mut self, sign: u8) -> Role {
        let rest = &self.bytes[self.at..];
        let (length, role) = match rest {
            [b'<', b'<', b'<', ..] => (3, Role::HereString),
            [b'<', b'<', b'-', ..] => (3, Role::Delimiter),
            [b'<', b'<', ..] => (2, Role::Delimiter),
            [b'>', b'>' | b'|' | b'&', ..] => (2, Role::Written),
            [b'<', b'&', ..] => (2, Role::Read),
            _ if sign == b'>' => (1, Role::Written),
            _ => (1, Role::Read),
        };
        self.at += length;
        role
    }

    fn take(&mut self, word: Word<'t>, role: Role) {
        match role {
            Role::Argument => self.now.words.push(word),
            Role::Written => self.now.written.push(word),
            // A file's name on stdin: what is in it is not in this text.
            Role::Read => {}
            Role::HereString => self.now.fed.push(word),
            // The command is the next one to be done, unless it stands around others; those then get the body.
            Role::Delimiter => self.bodies.push((self.done.len(), word.text().to_owned())),
        }
    }

    /// Reads the here-documents that start here.
    fn read_bodies(&mut self) {
        for (reader, delimiter) in std::mem::take(&mut self.bodies) {
            let start = self.at;
            loop {
                let rest = &self.bytes[self.at..];
                let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                // Also with blanks around it, as `<<-` has it. Too early an end only means that a line is
                // read as a command.
                let is_end = rest[..line].trim_ascii() == delimiter.as_bytes();
                let body_end = self.at;
                self.at = (self.at + line + 1).min(self.bytes.len());
                // Without its end, the rest of the text is the body, as it is to a shell.
                if is_end || self.at == self.bytes.len() {
                    let end = if is_end { body_end } else { self.bytes.len() };
                    if let (Some(body), Some(command)) =
                        (self.text.get(start..end), self.done.get_mut(reader))
                    {
                        let shown = Rewritten::unchanged(body, start);
                        command.fed.push(Word { shown, quoted: true });
                    }
                    break;
                }
            }
        }
    }

    /// The word that starts here.
    fn word(&mut self) -> Word<'t> {
        let start = self.at;
        let bytes = self.bytes;
        let first = bytes[start];
        if matches!(first, b'\'' | b'"')
            && let Some(length) = memchr::memchr(first, &bytes[start + 1..])
        {
            let (from, to) = (start + 1, start + 1 + length);
            // Nothing is copied for a word that is quoted as a whole, or not at all: most are one of these.
            let ends = bytes.get(to + 1).is_none_or(|byte| ends_word(*byte));
            if ends
                && (first == b'\'' || !bytes[from..to].contains(&b'\\'))
                && let Some(inner) = self.text.get(from..to)
            {
                self.at = to + 1;
                return Word { shown: Rewritten::unchanged(inner, from), quoted: true };
            }
        }
        let plain = bytes[start..]
            .iter()
            .position(|byte| ends_word(*byte) || matches!(byte, b'\'' | b'"' | b'\\' | b'$'))
            .map_or(bytes.len(), |length| start + length);
        if bytes.get(plain).is_none_or(|byte| ends_word(*byte))
            && let Some(text) = self.text.get(start..plain)
        {
            self.at = plain;
            return Word { shown: Rewritten::unchanged(text, start), quoted: false };
        }
        self.rewritten(start)
    }

    /// A word with quotes or backslashes in it, without them.
    fn rewritten(&mut self, start: usize) -> Word<'t> {
        let bytes = self.bytes;
        let mut out = Unquoted { text: Vec::new(), origin: Vec::new() };
        let mut at = start;
        let mut changed = false;
        while let Some(&byte) = bytes.get(at) {
            let closing = |quote: u8, from: usize| {
                bytes.get(from..).and_then(|rest| memchr::memchr(quote, rest)).map(|length| from + length)
            };
            match byte {
                b'\'' if let Some(end) = closing(b'\'', at + 1) => {
                    out.copy(bytes, at + 1, end);
                    (at, changed) = (end + 1, true);
                }
                b'"' if let Some(end) = out.double(bytes, at + 1) => (at, changed) = (end, true),
                b'$' if bytes.get(at + 1) == Some(&b'\'') && closing(b'\'', at + 2).is_some() => {
                    (at, changed) = (out.dollar(bytes, at + 2), true);
                }
                b'\\' if bytes.get(at + 1) == Some(&b'\n') => (at, changed) = (at + 2, true),
                b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii) => {
                    out.copy(bytes, at + 1, at + 2);
                    (at, changed) = (at + 2, true);
                }
                byte if ends_word(byte) => break,
                _ => {
                    out.copy(bytes, at, at + 1);
                    at += 1;
                }
            }
        }
        self.at = at;
        if !changed && let Some(text) = self.text.get(start..at) {
            return Word { shown: Rewritten::unchanged(text, start), quoted: false };
        }
        // The end of the last letter, not of the quotes around it.
        let end = out.origin.last().map_or(at, |last| last + 1);
        out.origin.push(end);
        Word { shown: Rewritten::new(out.text, out.origin), quoted: false }
    }
}

struct Unquoted {
    text: Vec<u8>,
    origin: Vec<usize>,
}

impl Unquoted {
    fn copy(&mut self, bytes: &[u8], from: usize, to: usize) {
        self.text.extend_from_slice(&bytes[from..to]);
        self.origin.extend(from..to);
    }

    /// The rest of a double-quoted part; returns where it ends, or `None` if it does not.
    fn double(&mut self, bytes: &[u8], from: usize) -> Option<usize> {
        let before = self.text.len();
        let mut at = from;
        loop {
            match *bytes.get(at)? {
                b'"' => return Some(at + 1),
                b'\\' if bytes.get(at + 1) == Some(&b'\n') => at += 2,
                b'\\' if matches!(bytes.get(at + 1), Some(b'"' | b'\\' | b'$' | b'`')) => {
                    self.copy(bytes, at + 1, at + 2);
                    at += 2;
                }
                _ => {
                    self.copy(bytes, at, at + 1);
                    at += 1;
                }
            }
            // A quote that is not closed is a sign like any other, as an apostrophe in prose is.
            if at == bytes.len() {
                self.text.truncate(before);
                self.origin.truncate(before);
                return None;
            }
        }
    }

    /// The rest of `$'…'`; returns where it ends. Escapes stay: they are looked through elsewhere.
    fn dollar(&mut self, bytes: &[u8], from: usize) -> usize {
        let mut at = from;
        while let Some(&byte) = bytes.get(at) {
            if byte == b'\'' {
                return at + 1;
            }
            let length = if byte == b'\\' && at + 1 < bytes.len() { 2 } else { 1 };
            self.copy(bytes, at, at + length);
            at += length;
        }
        at
    }
}

fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b';' | b'|' | b'&' | b'<' | b'>' | b'(' | b')' | b'`')
}
