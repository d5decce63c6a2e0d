//! One pass over a text: words, and what stands between them.

use crate::class::{self, WORD};
use crate::option::{self, Program};
use crate::span::{Span, merge};
use crate::{assign, encoded, piped, place, token};

/// Which encodings are looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layers {
    /// One layer of base64 or URL encoding.
    One,
    /// None: the text has been decoded already.
    None,
}

/// Longer values, in bytes, are taken out as one.
const LONG: usize = 512;

/// The secrets of a text, in its order, none overlapping.
pub(crate) fn scan(text: &str, layers: Layers) -> Vec<Span> {
    let mut found = Vec::new();
    Scanner { text, bytes: text.as_bytes(), layers, program: None, verb: false }.run(&mut found);
    merge(&mut found);
    found
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    layers: Layers,
    /// The program whose options are being read.
    program: Option<Program>,
    /// Whether the word before gives the next one a value: `setenv`, `set -gx`, `setx`, `ENV`, `aws configure set`.
    verb: bool,
}

impl Scanner<'_> {
    fn run(&mut self, found: &mut Vec<Span>) {
        let mut at = 0;
        let mut decoded_to = 0;
        while at < self.bytes.len() {
            let byte = self.bytes[at];
            if class::is(byte, WORD) {
                let end = at + class::run(&self.bytes[at..], WORD);
                at = self.word(at, end, &mut decoded_to, found);
                continue;
            }
            self.verb &= byte == b' ';
            match byte {
                b':' if self.bytes[at..].starts_with(b"://") => {
                    found.extend(place::user_info(self.text, at));
                    if let Some((rule, length)) = self.bytes.get(at + 3..).and_then(token::webhook) {
                        let path =
                            self.bytes[at + 3..].iter().position(|byte| *byte == b'/').unwrap_or(0) + 1;
                        found.push(Span::plain(at + 3 + path, at + 3 + length, rule));
                    }
                    at += 2;
                }
                b':' if matches!(self.bytes.get(at + 1), Some(b'5' | b'*')) => {
                    found.extend(place::pgpass(self.text, at));
                }
                b'~' => {
                    if let Some((start, end)) = token::azure_secret(self.bytes, at) {
                        found.push(Span::plain(start, end, "azure-client-secret"));
                    }
                }
                b'%' if self.layers == Layers::One && at >= decoded_to => {
                    decoded_to = encoded::percent(self.text, at, found);
                }
                byte if option::ends_command(byte) => self.program = None,
                _ => {}
            }
            at += 1;
        }
    }

    /// Looks at one word, and returns where to go on.
    fn word(&mut self, start: usize, end: usize, decoded_to: &mut usize, found: &mut Vec<Span>) -> usize {
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
        // In front of `:` stands a scheme or a name, and no program.
        if bytes.get(end).is_none_or(u8::is_ascii_whitespace)
            // `bw login` and the like are one program.
            && (word != b"login" || self.program.is_none())
            && let Some(program) = option::program(word)
        {
            self.program = Some(program);
        }
        if let Some(program) = self.program
            && let Some(span) = option::option(text, program, start, end)
        {
            found.push(span);
            return span.end.max(end);
        }
        found.extend(piped::secret(text, start, end));
        if end - start <= 96
            && let Some(span) = assign::secret(text, start, end, after_verb)
        {
            found.push(span);
            // The value may hold more than one secret, as a header with cookies or a connection string does.
            return if span.end - span.start > LONG { span.end.max(end) } else { end };
        }
        if self.layers == Layers::One && start >= *decoded_to && word.len() >= encoded::SHORTEST {
            *decoded_to = encoded::base64(text, start, found);
        }
        end
    }
}
