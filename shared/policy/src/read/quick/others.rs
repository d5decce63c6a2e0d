//! Passing over rules about programs that the call does not run: most rules of a large policy.
//!
//! Only what is written in the one form that nearly all of them have is passed over, line for line, with every check
//! that reading it would make. Whatever differs is read as any other rule.

use crate::programs::Programs;

use super::cursor::plain_length;
use super::lists::{Looked as _, Texts};
use super::{Quick, Seen};

impl Quick<'_, '_> {
    /// Passes over a rule after its header, or leaves everything as it is. `None` where its id is not a new one.
    pub(super) fn passes_over(&mut self) -> Option<bool> {
        let Some(about) = self.about else { return Some(false) };
        let text = self.cursor.text();
        let mut lines = Lines { rest: &text.as_bytes()[self.cursor.at..] };
        let Some(id) = lines.rule(about) else { return Some(false) };
        let start = self.cursor.at;
        let id = text.get(start + ID.len() + 1..)?.get(..id)?;
        self.cursor.at = text.len() - lines.rest.len();
        self.cursor.space();
        if !matches!(self.cursor.peek(), None | Some(b'[')) {
            // It has another line.
            self.cursor.at = start;
            return Some(false);
        }
        // Also of a rule that is passed over: an id that is there twice is a mistake in any call.
        self.is_new_id(&id.into()).then_some(true)
    }
}

/// How the first line of a rule begins.
const ID: &[u8] = b"\nid = ";

/// What is left of the file.
struct Lines<'t> {
    rest: &'t [u8],
}

impl<'t> Lines<'t> {
    /// A whole rule; the length of its id.
    #[inline]
    fn rule(&mut self, about: &Programs<'_>) -> Option<usize> {
        self.over(ID)?;
        let id = self.text()?;
        self.over(b"\ndecision = ")?;
        // Notes need no reason and `allow` has other rules: both are read as any other.
        matches!(self.text()?, b"deny" | b"ask").then_some(())?;
        self.over(b"\nreason = ")?;
        self.said()?;
        if self.over(b"\ninstead = ").is_some() {
            self.said()?;
        }
        self.over(b"\nrun = { program = ")?;
        self.each(|name| {
            (name.iter().all(|byte| is_of_name(*byte)) && !about.may_be_called(name)).then_some(())
        })?;
        let mut seen = Seen::default();
        while self.over(b", ").is_some() {
            self.field(&mut seen)?;
        }
        self.over(b" }")?;
        for examples in [&b"\nmatch = "[..], b"\nnot_match = "] {
            if self.over(examples).is_some() {
                self.rest.starts_with(b"[").then_some(())?;
                self.each(|_| Some(()))?;
            }
        }
        matches!(self.rest, [] | [b'\n', ..]).then_some(id.len())
    }

    /// Another key of the matcher, with its strings.
    #[inline]
    fn field(&mut self, seen: &mut Seen) -> Option<()> {
        use Texts::{Calls, Flags, Patterns, Words};
        let fields = [
            (&b"sub = "[..], Words),
            (b"flags_any = ", Flags),
            (b"args_any = ", Patterns),
            (b"sub_any = ", Words),
            (b"flags_none = ", Flags),
            (b"args_none = ", Patterns),
            (b"flags_all = ", Flags),
            (b"args_all = ", Patterns),
            (b"flags_only = ", Patterns),
            (b"calls = ", Calls),
        ];
        // The most frequent first.
        for (bit, (key, kind)) in (0..).zip(fields) {
            if self.over(key).is_some() {
                seen.once(bit)?;
                return self.each(|text| text.sounds(kind));
            }
        }
        None
    }

    /// Over what has to stand here.
    #[inline]
    fn over(&mut self, text: &[u8]) -> Option<()> {
        self.rest = self.rest.strip_prefix(text)?;
        Some(())
    }

    /// A string in double quotes in which nothing needs a closer look.
    #[inline]
    fn text(&mut self) -> Option<&'t [u8]> {
        let rest = self.rest.strip_prefix(b"\"")?;
        let (text, behind) = rest.split_at_checked(plain_length(rest))?;
        let [b'"', behind @ ..] = behind else { return None };
        self.rest = behind;
        (!text.is_empty()).then_some(text)
    }

    /// A string that says something.
    #[inline]
    fn said(&mut self) -> Option<()> {
        self.text()?.first()?.is_ascii_graphic().then_some(())
    }

    /// A string or a list of them.
    #[inline]
    fn each(&mut self, one: impl Fn(&[u8]) -> Option<()>) -> Option<()> {
        if self.over(b"[").is_none() {
            return one(self.text()?);
        }
        loop {
            one(self.text()?)?;
            if self.over(b"]").is_some() {
                return Some(());
            }
            self.over(b", ")?;
        }
    }
}

/// Whether a program's name may hold it without being a pattern or a mistake.
fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'+')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    const RULE: &str = "[[rule]]\nid = \"a.b\"\ndecision = \"deny\"\nreason = \"It is.\"\ninstead = \"Do that.\"\n\
        run = { program = [\"helm\", \"kube\"], sub = [\"delete\"], flags_any = [\"-f\", \"--force\"], args_none = \"test-*\" }\n\
        match = [\"helm delete -f\"]\nnot_match = [\"helm list\"]\n";

    fn read_quickly(text: &str) -> Option<usize> {
        super::super::read(text, 0, Some(&Programs::default())).map(|policy| policy.rules.len())
    }

    fn passed_over(text: &str) -> bool {
        let about = Programs::default();
        let begun = text.strip_prefix("[[rule]]").unwrap();
        Lines { rest: begun.as_bytes() }.rule(&about).is_some()
    }

    #[test]
    fn the_usual_form_is_passed_over() {
        assert!(passed_over(RULE));
        let two = format!("schema = 1\n\n# One.\n{RULE}\n# Two.\n{}", RULE.replace("a.b", "a.c"));
        assert_eq!(read_quickly(&two), Some(0));
        assert!(read(&two, 0).1.is_empty());
        assert_eq!(read_quickly(&format!("schema = 1\n{RULE}\nlock = true\n")), Some(0));
    }

    #[test]
    fn what_the_call_runs_is_not_passed_over() {
        let analyses = [shell::analyze("KUBE delete x", shell::Surroundings::default())];
        let about = Programs::of(&analyses);
        assert!(Lines { rest: &RULE.as_bytes()["[[rule]]".len()..] }.rule(&about).is_none());
    }

    /// Every mistake in a rule that would be passed over is found.
    #[test]
    fn no_mistake_is_passed_over() {
        let mistakes = [
            ("\"a.b\"", "\"a b\""),
            ("\"a.b\"", "\"\""),
            ("\"deny\"", "\"dney\""),
            ("\"It is.\"", "\"\""),
            ("\"It is.\"", "\" \""),
            ("\"It is.\"", "\"It \\q is.\""),
            ("reason", "raeson"),
            ("\"kube\"", "\"ku be\""),
            ("\"kube\"", "\"ku/be\""),
            ("\"kube\"", "\"ku{be\""),
            ("\"kube\"", "\"\""),
            ("\"--force\"", "\"force\""),
            ("\"-f\"", "\"-\""),
            ("\"test-*\"", "\"test-[\""),
            ("flags_any", "sub"),
            ("flags_any", "flag_any"),
            ("[\"delete\"]", "[]"),
            (" }\n", " \n"),
            ("[\"helm list\"]", "\"helm list\""),
            ("not_match", "match"),
            ("[\"helm list\"]\n", "[\"helm list\"] x\n"),
            ("[\"helm list\"]\n", "[\"helm list\"]\nid = \"z\"\n"),
            ("[\"helm list\"]\n", "[\"helm list\"]\n\nlokc = true\n"),
        ];
        for (right, wrong) in mistakes {
            assert!(RULE.contains(right), "{right}");
            let text = format!("schema = 1\n{}", RULE.replacen(right, wrong, 1));
            assert!(!read(&text, 0).1.is_empty(), "no mistake: {wrong}");
            assert_eq!(read_quickly(&text), None, "{wrong}");
        }
        assert_eq!(read_quickly(&format!("schema = 1\n{RULE}{RULE}")), None, "an id that is there twice");
    }
}
