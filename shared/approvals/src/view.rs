//! Whether what a person is shown is all that acts.
//!
//! Secrets are taken out of what is shown. An approval is only offered where nothing but an inert value can be hidden that
//! way: the text is analysed with and without it, and whatever else differs means that the mask could stand for more than
//! one behaviour.

use redact::Span;
use shell::{Analysis, Atom, Flow, How, Language, Surroundings};

/// Rows of a usual terminal that an action may take: what is longer scrolls out of sight before it is judged.
pub(crate) const MOST_ROWS: usize = 60;

/// Columns of such a terminal, less what stands in front.
const COLUMNS: usize = 100;

/// Options after which programs take code.
const CODE: [&str; 12] =
    ["-c", "-e", "-E", "-r", "-p", "-x", "--eval", "--print", "--execute", "--command", "-Command", "/c"];

/// How many rows a string takes.
pub(crate) fn rows(text: &str) -> usize {
    text.split('\n').map(|line| 1 + line.chars().count() / COLUMNS).sum()
}

/// Whether a string holds what no terminal shows as itself: control characters, and those that are invisible, change the
/// direction, or pass for a blank.
pub(crate) fn is_unshowable(text: &str) -> bool {
    text.chars().any(|c| match c {
        '\n' | '\t' => false,
        c if c.is_ascii() => c.is_control(),
        c => {
            c.is_control()
                || c.is_whitespace()
                || matches!(u32::from(c),
                    0xAD | 0x34F | 0x61C | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F
                    | 0x2028..=0x202F | 0x2060..=0x206F | 0x2800 | 0x3164 | 0xE000..=0xF8FF | 0xFDD0..=0xFDEF
                    | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB | 0xFFFD..=0xFFFF | 0x1BCA0..=0x1BCA3
                    | 0x1D173..=0x1D17A | 0xE0000..)
        }
    })
}

/// Whether the masks in a command hide more than values: with a harmless word in their place it would do something else.
pub(crate) fn hides_behaviour(command: &str, shells: &[Language], spans: &[Span]) -> bool {
    if spans.is_empty() {
        return false;
    }
    let Some(masks) = Masks::of(command, spans) else { return true };
    shells.iter().any(|shell| masks.differ(command, *shell))
}

/// A command whose secrets are replaced by words that stand nowhere else.
struct Masks<'t> {
    /// The word, what it stands for, and whether an option of a known program takes it.
    words: Vec<(String, &'t str, bool)>,
    masked: String,
}

impl<'t> Masks<'t> {
    fn of(command: &'t str, spans: &[Span]) -> Option<Self> {
        let mut masks = Self { words: Vec::new(), masked: String::with_capacity(command.len()) };
        let mut from = 0;
        for (number, span) in spans.iter().enumerate() {
            let word = format!("Mask{number}ed");
            // A word that stands in the command already could not be distinguished from the mask: nothing is offered then.
            if command.contains(&word) {
                return None;
            }
            masks.masked.push_str(command.get(from..span.start)?);
            masks.masked.push_str(&word);
            from = span.end;
            let by_option = span.rule.starts_with("option");
            masks.words.push((word, command.get(span.start..span.end)?, by_option));
        }
        masks.masked.push_str(command.get(from..)?);
        Some(masks)
    }

    fn differ(&self, command: &str, shell: Language) -> bool {
        let read = |text| shell::analyze_as(text, shell, Surroundings::default());
        let (real, masked) = (read(command), read(&self.masked));
        !self.is_same(&real, &masked) || !self.words.iter().all(|word| is_value(word, &masked))
    }

    /// Whether two analyses differ in nothing but the masked words.
    fn is_same(&self, real: &Analysis, masked: &Analysis) -> bool {
        real.atoms.len() == masked.atoms.len()
            && real.notes.iter().map(|note| note.kind).eq(masked.notes.iter().map(|note| note.kind))
            && real.links == masked.links
            && real.clones == masked.clones
            && real.atoms.iter().zip(&masked.atoms).all(|(real, masked)| self.is_same_atom(real, masked))
    }

    fn is_same_atom(&self, real: &Atom, masked: &Atom) -> bool {
        let args = real.args.iter().zip(masked.args.iter());
        let assigns = real.assigns.iter().zip(&masked.assigns);
        real.args.len() == masked.args.len()
            && real.assigns.len() == masked.assigns.len()
            // Compared as they are: a mask in the program's name, a redirection, an input or a folder could
            // stand for any of them.
            && real.args.first() == masked.args.first()
            && real.redirects == masked.redirects
            && real.stdin == masked.stdin
            && real.cwd == masked.cwd
            && (real.place, real.shell, real.via, real.stage)
                == (masked.place, masked.shell, masked.via, masked.stage)
            && args.into_iter().all(|(real, masked)| self.is_same_word(&real.text, &masked.text))
            && assigns
                .into_iter()
                .all(|(real, masked)| real.0 == masked.0 && self.is_same_word(&real.1, &masked.1))
    }

    fn is_same_word(&self, real: &str, masked: &str) -> bool {
        // The last first: `Mask1` is the beginning of `Mask10` for no one, as each ends in letters.
        let filled =
            self.words.iter().fold(masked.to_owned(), |text, (word, secret, _)| text.replace(word, secret));
        filled == real
    }
}

/// Whether a mask stands for a value wherever it stands: in an assignment or in an argument that no program runs.
fn is_value((word, _, by_option): &(String, &str, bool), analysis: &Analysis) -> bool {
    let mut found = false;
    for (index, atom) in analysis.atoms.iter().enumerate() {
        found |= atom.assigns.iter().any(|(_, value)| value.contains(word));
        for (place, arg) in atom.args.iter().enumerate().filter(|(_, arg)| arg.text.contains(word)) {
            found = true;
            let before = place.checked_sub(1).map_or("", |before| &atom.args[before].text);
            if runs_text(index, atom, analysis)
                || !by_option && arg.text == *word && CODE.contains(&before)
                || !is_literal(&arg.text, word, *by_option)
            {
                return false;
            }
        }
    }
    // A mask that no atom has is in a part that was not understood.
    found
}

/// Whether an atom runs text that it is given, or what it prints goes where something may run it.
fn runs_text(index: usize, atom: &Atom, analysis: &Analysis) -> bool {
    let leads = |other: &Atom| {
        other.via.is_some_and(|via| {
            usize::try_from(via.parent).is_ok_and(|parent| parent == index)
                && !matches!(via.how, How::Arguments | How::Statement)
        })
    };
    let writes = atom.redirects.iter().any(|redirect| {
        redirect.flow != Flow::Read
            && !matches!(redirect.target.as_str(), "/dev/null" | "/dev/stderr" | "/dev/stdout" | "&1" | "&2")
    });
    let prints = matches!(&*atom.program(), "echo" | "printf" | "print" | "cat" | "Write-Output");
    analysis.atoms.iter().any(leads) || prints && (writes || analysis.readers(atom).next().is_some())
}

/// Whether an argument is one word around a mask, or a header with one: not a sentence of some language.
fn is_literal(arg: &str, word: &str, by_option: bool) -> bool {
    let Some((before, after)) = arg.split_once(word) else { return false };
    // Letters of a bundle, or the name of an option.
    if before.starts_with('-') && !before.contains('=') && !by_option {
        return false;
    }
    let acts = |c: char| c.is_whitespace() || shell::mark::is_mark(c) || ";|&<>(){}`'\"$\\".contains(c);
    let is_name = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let header = before
        .split_once(':')
        .filter(|_| after.is_empty())
        .is_some_and(|(name, kind)| is_name(name) && is_name(kind.trim()));
    // The rest of a URL may ask and name what it likes: it is shown.
    let url = before.contains("://") && !arg.contains(|c: char| acts(c) && c != '&' && c != ';');
    header || url || !before.contains(acts) && !after.contains(acts)
}

#[cfg(test)]
mod tests {
    use redact::{KEY_LENGTH, Key, Redactor};

    use super::*;

    /// Also where a token is not taken out: then all of it is shown.
    fn hides(command: &str) -> bool {
        let key = Key::new(&|| [7; KEY_LENGTH]);
        let redacted = Redactor::new(&key, &[]).redact(command);
        redacted.spans.is_empty()
            || redacted.spans.iter().any(|span| span.may_act(command))
            || hides_behaviour(command, &[Language::Posix], &redacted.spans)
    }

    /// `@` stands for a token, `%` for an `@`.
    #[test]
    fn a_mask_that_could_be_a_behaviour_is_not_shown() {
        let token = ["ghp", "_", &"a1B2c3D4e5F6".repeat(3)].concat();
        let mut wrong = Vec::new();
        for (command, hidden) in [
            ("curl -u admin:hunter2x https://example.com; git push -f", false),
            ("PGPASSWORD=winter-884Kq psql -c 'drop table a'", false),
            ("git push --force https://user:hunter2hunter2%example.com/x.git main", false),
            ("sudo curl -X DELETE -H 'Authorization: Bearer @' https://example.com/a?b=c&d=e", false),
            ("GITHUB_TOKEN=@ gh repo delete a/b --yes", false),
            ("docker run -e TOKEN=@ x; git push -f", false),
            ("mysql -phunter2x -e 'drop database a'", false),
            ("PASSWORD=reboot9x; $PASSWORD", true),
            ("PASSWORD=main-9x; git push -f origin $PASSWORD; sh -c $PASSWORD", true),
            ("echo @ | sh; git push -f", true),
            ("echo @ > x.sh; git push -f", true),
            ("@ x; git push -f", true),
            ("git push -f > @", true),
            ("sh -c @; git push -f", true),
            ("sh -c '@ x'; git push -f", true),
            ("python3 -c @; git push -f", true),
            ("python3 -c 'import os; os.system(\"@\")'; git push -f", true),
            ("tar -x@; git push -f", true),
            ("git push -f --@", true),
            ("eval @; git push -f", true),
            ("xargs @ < a; git push -f", true),
            ("find . -exec @ {} +; git push -f", true),
            ("frob <<< @; git push -f", true),
            ("cat > a.sh <<E\n@\nE\ngit push -f", true),
            ("psql -c \"alter user a password 'winter-884Kq'\"", true),
            ("PASSWORD=a$IFS$9b git push -f", true),
            ("curl -u admin:~/.n*rc https://example.com; git push -f", true),
        ] {
            let command = command.replace('@', &token).replace('%', "@");
            if hides(&command) != hidden {
                wrong.push(command);
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn what_no_terminal_shows_as_itself_is_found() {
        for text in [
            "a\u{1b}[2K",
            "a\u{202e}b",
            "a\u{200b}b",
            "a\u{a0}b",
            "a\rb",
            "a\u{e0041}",
            "a\0",
            "a\u{2800}b",
            "a\u{fe0f}",
        ] {
            assert!(is_unshowable(text), "{text:?}");
        }
        for text in ["git push -f\n\tx", "git commit -m 'größer → schneller'", "echo 日本語"] {
            assert!(!is_unshowable(text), "{text:?}");
        }
    }
}
