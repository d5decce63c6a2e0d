//! Secrets out of anything that is written or shown.
//!
//! ```
//! let key = redact::Key::new(&|| [7; redact::KEY_LENGTH]);
//! let redactor = redact::Redactor::new(&key, &[]);
//! let redacted = redactor.redact("curl -u admin:hunter2x https://example.com");
//! assert!(redacted.text.starts_with("curl -u admin:[REDACTED:option-password:"));
//! assert_eq!(redacted.made[0].rule, "option-password");
//! ```
//!
//! Three kinds of evidence, from strong to weak: a token's own form ([`token`]), a place that holds secrets ([`place`],
//! [`program`], [`call`], [`assign`]), and a name together with a value that looks random ([`guard`]). A pass over the
//! bytes finds forms and names, another one over the commands ([`command`]) finds what programs take, and a third one,
//! where a variable is used, the value that it carries ([`variable`]). No regular expressions: compiling them would cost
//! more than a whole hook. Strings are looked at decoded (not as escaped JSON), whole (a cut token escapes its rule), and
//! through two layers of encodings ([`encoded`]).
//!
//! A redactor may take too much; a rule that blocks may not. Do not use this one to block.

mod assign;
mod call;
mod class;
mod command;
mod encoded;
mod guard;
mod literal;
mod name;
mod pair;
mod pattern;
mod place;
mod program;
mod rewritten;
mod scan;
mod span;
mod tag;
mod token;
mod variable;

use std::borrow::Cow;
use std::cell::RefCell;

pub use pattern::{BadPattern, Pattern};
pub use span::{Encoding, How, Span};
pub use tag::{KEY_LENGTH, Key};

/// The shortest secret that is looked for again where nothing gives it away, in bytes.
const AGAIN: usize = 8;

/// How many secrets are looked for again.
const REMEMBERED: usize = 64;

/// The secrets of a string, in its order, none overlapping.
pub fn find(text: &str) -> Vec<Span> {
    variable::resolved(text, scan::scan(text, scan::LAYERS))
}

/// Redacts the strings of one record.
///
/// It remembers the secrets that it has seen: what one text gives away is taken out of the next ones too, also where
/// only its beginning was quoted.
#[derive(Debug)]
pub struct Redactor<'k> {
    /// Where tags come from that tell one secret from another, if any are wanted.
    key: Option<&'k Key<'k>>,
    patterns: &'k [Pattern],
    seen: RefCell<Vec<(String, &'static str)>>,
}

/// A string without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'t> {
    /// The text; borrowed when nothing was taken out.
    pub text: Cow<'t, str>,
    /// What was taken out, by rule.
    pub made: Vec<Made>,
    /// Where in the original text, in its order, none overlapping.
    pub spans: Vec<Span>,
}

/// How often a rule took something out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    pub rule: &'static str,
    /// How many secrets.
    pub count: usize,
}

impl<'k> Redactor<'k> {
    /// A redactor whose tags come from `key`, with a team's own patterns besides the built-in rules.
    pub fn new(key: &'k Key<'k>, patterns: &'k [Pattern]) -> Self {
        Self { key: Some(key), patterns, seen: RefCell::new(Vec::new()) }
    }

    /// A redactor for what is read once and kept nowhere: the kind of a secret stands in its place, without a tag.
    pub fn untagged() -> Self {
        Self { key: None, patterns: &[], seen: RefCell::new(Vec::new()) }
    }

    /// `text` without its secrets.
    pub fn redact<'t>(&self, text: &'t str) -> Redacted<'t> {
        let mut spans = find(text);
        for pattern in self.patterns {
            let parts = pattern.find(text).into_iter();
            spans.extend(parts.map(|(start, end)| Span::plain(start, end, "own-pattern")));
        }
        let mut seen = self.seen.borrow_mut();
        for span in &spans {
            if let Some(secret) = text.get(span.start..span.end)
                // A shorter one stands in other words by chance.
                && secret.len() >= AGAIN
                && seen.len() < REMEMBERED
                && !seen.iter().any(|(known, _)| known == secret)
            {
                seen.push((secret.to_owned(), span.rule));
            }
        }
        // Those of this text, too: a rule may have found only one of the places.
        for (secret, rule) in seen.iter() {
            again(text, secret, rule, &mut spans);
        }
        if spans.is_empty() {
            return Redacted { text: Cow::Borrowed(text), made: Vec::new(), spans: Vec::new() };
        }
        span::merge(&mut spans);
        self.replaced(text, spans)
    }

    fn replaced<'t>(&self, text: &'t str, spans: Vec<Span>) -> Redacted<'t> {
        // About the length of a tag, which is often longer than the secret.
        let mut out = String::with_capacity(text.len() + 32 * spans.len());
        let mut made: Vec<Made> = Vec::new();
        let mut from = 0;
        for span in &spans {
            let (Some(before), Some(secret)) = (text.get(from..span.start), text.get(span.start..span.end))
            else {
                continue;
            };
            out.push_str(before);
            match self.key {
                Some(key) => out.push_str(&key.tag(span.rule, secret)),
                None => out.extend(["[REDACTED:", span.rule, "]"]),
            }
            from = span.end;
            match made.iter_mut().find(|known| known.rule == span.rule) {
                Some(known) => known.count += 1,
                None => made.push(Made { rule: span.rule, count: 1 }),
            }
        }
        out.push_str(text.get(from..).unwrap_or_default());
        Redacted { text: Cow::Owned(out), made, spans }
    }
}

/// Finds `secret`, and as much of its beginning as stands elsewhere in `text`.
fn again(text: &str, secret: &str, rule: &'static str, spans: &mut Vec<Span>) {
    let bytes = secret.as_bytes();
    let Some(beginning) = bytes.get(..AGAIN) else { return };
    for start in memchr::memmem::find_iter(text.as_bytes(), beginning) {
        let rest = &text.as_bytes()[start..];
        let mut end = start + rest.iter().zip(bytes).take_while(|(a, b)| a == b).count();
        // The last byte that is alike may be the first of another character, which then goes, too.
        while !text.is_char_boundary(end) {
            end += 1;
        }
        if text.is_char_boundary(start) {
            spans.push(Span::plain(start, end, rule));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn redacted(texts: &[&str]) -> Vec<String> {
        let key = Key::new(&|| [3; KEY_LENGTH]);
        let redactor = Redactor::new(&key, &[]);
        texts.iter().map(|text| redactor.redact(text).text.into_owned()).collect()
    }

    #[test]
    fn every_character_comes_to_an_end() {
        for first in 0..=u8::MAX {
            for second in [' ', 'a', '"', '\x0c', ';'] {
                let first = char::from(first);
                for text in
                    [format!("{first}{second}"), format!("x {first}{second} y"), format!("x {second}{first}")]
                {
                    assert!(find(&text).is_empty(), "{text:?}");
                }
            }
        }
        assert_eq!(find("page\x0cexport TOKEN=a1B2c3D4e5F6a1B2c3D4\x0cend").len(), 1);
    }

    #[test]
    fn the_same_secret_has_the_same_tag_and_no_part_of_it_is_shown() {
        let text =
            "PGPASSWORD=winter-884Kq psql && PGPASSWORD=winter-884Kq pg_dump && PGPASSWORD=summer-118Xy psql";
        let all = &redacted(&[text])[0];
        let tags: Vec<&str> =
            all.match_indices("[REDACTED:password:").map(|(at, _)| &all[at..at + 26]).collect();
        assert_eq!(tags.len(), 3, "{all}");
        assert_eq!(tags[0], tags[1]);
        assert_ne!(tags[0], tags[2]);
        assert!(!all.contains("winter") && !all.contains("884Kq"), "{all}");
    }

    #[test]
    fn what_one_text_gives_away_is_taken_out_of_the_next_also_when_it_is_cut() {
        let secret = ["ghp", "_", &"a1B2c3D4e5F6".repeat(3)].concat();
        let quoted = format!("`git push https://{}…`: it pushes", &secret[..20]);
        let both = redacted(&[&format!("git push https://{secret}@github.com/o/r"), &quoted]);
        assert!(both.iter().all(|text| !text.contains("a1B2c3")), "{both:?}");
        assert!(both[1].starts_with("`git push https://[REDACTED:github-pat:"), "{both:?}");
    }

    #[test]
    fn own_patterns_find_what_only_the_team_knows() {
        let patterns = [Pattern::new(r"ACME-(?<secret>\d{6})")];
        let key = Key::new(&|| [3; KEY_LENGTH]);
        let made = Redactor::new(&key, &patterns).redact("login ACME-481516 now");
        assert!(made.text.starts_with("login ACME-[REDACTED:own-pattern:"), "{}", made.text);
        assert!(Pattern::check("(").is_err());
    }

    /// Read again and again from every place, these would take until tomorrow.
    #[test]
    fn a_text_that_repeats_itself_is_read_to_its_end() {
        for part in [
            "secret=",
            "secret=(",
            "Cookie:",
            "token s ",
            "auth=(\"",
            "--stdin ",
            "aws --value ",
            "Private-Lines: ",
            "-----BEGIN ",
            "<password>",
            "://",
            "password: \"",
            "name: token ",
            "a:5432:",
            "%41",
            "eyJ",
        ] {
            let text = part.repeat((1 << 17) / part.len());
            let _ = redacted(&[&text]);
        }
        let many: String = (0..5_000).map(|number| format!("password=Secret-{number:06}\n")).collect();
        assert!(!redacted(&[&many])[0].contains("Secret-0"));
    }

    proptest! {
        #[test]
        fn any_text_is_cut_at_its_characters(text in r#"(?s)(.{0,20}|[a-z=:"' /@%-]{0,30}|password|token|://|ghp_|-----BEGIN |[A-Za-z0-9]{0,50}){0,8}"#) {
            let spans = find(&text);
            let mut from = 0;
            for span in &spans {
                prop_assert!(from <= span.start && span.start < span.end && span.end <= text.len());
                prop_assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
                from = span.end;
            }
            prop_assert_eq!(redacted(&[&text])[0] == text, spans.is_empty());
        }
    }
}
