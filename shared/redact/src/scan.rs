//! One pass over a string: words, and what stands between them.

use crate::class::{self, WORD};
use crate::command::{self, Word};
use crate::span::{Encoding, Span, merge};
use crate::{assign, call, encoded, place, program, token};

/// How many encodings may lie around a secret: a header in base64 in an address, say.
pub(crate) const LAYERS: u8 = 2;

/// Longer values, in bytes, are taken out as one.
const LONG: usize = 512;

/// Longer strings, in bytes, are data: they are not split into commands.
const LONGEST_COMMANDS: usize = 256 * 1024;

/// How deep commands are looked for in quoted words: `sh -c "ssh host 'mysql -p…'"`.
const DEEPEST: u8 = 3;

/// The secrets of a string, in its order, none overlapping.
pub(crate) fn scan(text: &str, layers: u8) -> Vec<Span> {
    let mut found = Vec::new();
    Scanner { text, bytes: text.as_bytes(), layers, verb: false, decoded_to: 0 }.run(&mut found);
    if text.len() <= LONGEST_COMMANDS {
        commands(text, layers, 0, &mut found);
    }
    merge(&mut found);
    found
}

/// The secrets that programs take in the commands of a string.
fn commands(text: &str, layers: u8, depth: u8, found: &mut Vec<Span>) {
    let commands = command::split(text);
    for (index, command) in commands.iter().enumerate() {
        program::secrets(&commands, index, depth > 0, found);
        for word in command.words.iter().chain(&command.fed).chain(&command.written) {
            inside(word, layers, depth, found);
        }
    }
}

/// The secrets that show in a word without its quotes, and in the commands that it may hold.
fn inside(word: &Word<'_>, layers: u8, depth: u8, found: &mut Vec<Span>) {
    // What reads the same without its quotes has been looked at as part of the text.
    if word.shown.is_changed() {
        if layers > 0 && word.text().len() >= SHORTEST_SECRET {
            let secrets = scan(&word.shown.text, layers - 1);
            found.extend(word.shown.decoded(secrets, Encoding::Quotes));
        }
    } else if depth < DEEPEST && word.quoted && word.text().contains([' ', '\n']) {
        let mut inner = Vec::new();
        commands(word.text(), layers, depth + 1, &mut inner);
        found.extend(inner.into_iter().filter_map(|span| word.shown.original(span)));
    }
}

/// Shorter words, in bytes, are not looked through again without their quotes.
const SHORTEST_SECRET: usize = 8;

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    /// How many encodings are looked through from here on.
    layers: u8,
    /// Whether the word before gives the next one a value: `setenv`, `set -gx`, `setx`, `ENV`, `aws configure set`.
    verb: bool,
    /// Before it, everything was decoded already.
    decoded_to: usize,
}

impl Scanner<'_> {
    fn run(&mut self, found: &mut Vec<Span>) {
        let mut at = 0;
        while at < self.bytes.len() {
            let byte = self.bytes[at];
            if class::is(byte, WORD) {
                // Nearly everything is words: each is looked at once, as a whole.
                let end = at + class::run(&self.bytes[at..], WORD);
                at = self.word(at, end, found);
                continue;
            }
            // Only blanks may stand between the verb and its object.
            self.verb &= byte == b' ';
            match byte {
                b':' if self.bytes[at..].starts_with(b"://") => {
                    found.extend(place::user_info(self.text, at));
                    if let Some((start, end, rule)) = self.bytes.get(at + 3..).and_then(token::webhook) {
                        found.push(Span::plain(at + 3 + start, at + 3 + end, rule));
                    }
                    at += 2;
                }
                // The second field of `.pgpass` is a port or a star: a cheap test before the costly one.
                b':' if matches!(self.bytes.get(at + 1), Some(b'5' | b'*')) => {
                    found.extend(place::pgpass(self.text, at));
                }
                b':' if self.bytes[at..].starts_with(b":::") => {
                    found.extend(
                        token::around(self.bytes, at).map(|(start, end, rule)| Span::plain(start, end, rule)),
                    );
                }
                b'~' | b'$' | b'!' | b'@' | b'[' | b'{' | b'|' => {
                    found.extend(
                        token::around(self.bytes, at).map(|(start, end, rule)| Span::plain(start, end, rule)),
                    );
                }
                // Each word with escapes is decoded once, however many it has.
                b'%' | b'\\' if self.layers > 0 && at >= self.decoded_to => {
                    self.decoded_to = self.escapes(at, found);
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Looks into the word around an escape, and returns where the word ends.
    fn escapes(&self, at: usize, found: &mut Vec<Span>) -> usize {
        let Some((decoded, encoding, end)) = encoded::escapes(self.text, at) else { return at };
        let secrets = decoded.decoded(scan(&decoded.text, self.layers - 1), encoding);
        // An escape may stand for a part of a character.
        let whole =
            |span: &Span| self.text.is_char_boundary(span.start) && self.text.is_char_boundary(span.end);
        found.extend(secrets.filter(whole));
        end
    }

    /// Looks at one word, and returns where to go on.
    fn word(&mut self, start: usize, end: usize, found: &mut Vec<Span>) -> usize {
        let Self { text, bytes, .. } = *self;
        let word = &bytes[start..end];
        let after_verb = self.verb;
        self.verb = match word {
            b"set" | b"SET" | b"setx" | b"setenv" | b"ENV" => true,
            // fish
            [b'-', flags @ ..] => after_verb && flags.contains(&b'x'),
            _ => false,
        };
        if word.starts_with(b"-----")
            && let Some(span) = place::private_key(text, start)
        {
            found.push(span);
            return span.end;
        }
        if let Some((offset, (rule, length))) = token::in_word(word, &bytes[start..]) {
            let (mut from, to) = (start + offset, start + offset + length);
            if rule == "terraform-cloud-token" && offset == 0 && from > 0 && bytes[from - 1] == b'.' {
                // What stands before the dot belongs to it.
                from -= 1 + bytes[..from - 1]
                    .iter()
                    .rev()
                    .take_while(|byte| class::is(**byte, class::ALNUM))
                    .count();
            }
            found.push(Span::plain(from, to, rule));
            return to.max(end);
        }
        if word == b"Private-Lines"
            && let Some(span) = place::putty_key(text, start)
        {
            found.push(span);
            return span.end;
        }
        found.extend(call::secret(text, start, end));
        if matches!(word, b"stringData" | b"data") && bytes.get(end) == Some(&b':') {
            place::manifest(text, start, end, found);
        }
        if end - start <= 96
            && let Some(span) = assign::secret(text, start, end, after_verb)
        {
            found.push(span);
            // The value may hold more than one secret, as a header with cookies or a connection string does.
            return if span.end - span.start > LONG { span.end.max(end) } else { end };
        }
        if self.layers > 0 && start >= self.decoded_to && word.len() >= encoded::SHORTEST {
            let layers = self.layers - 1;
            let rule_of = |text: &str| scan(text, layers).first().map(|span| span.rule);
            self.decoded_to = encoded::base64(text, start, &rule_of, found);
        }
        end
    }
}
