//! A file's text as a document: what it says as far as it can be read, and every mistake.

use std::ops::Range;
use std::path::Path;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Deserializer};

use crate::settings::file::{Found, LARGEST, Layer, find};
use crate::settings::mistake::Mistake;

/// As many mistakes of one file are named.
const MOST: usize = 16;

/// What a settings file may say.
pub trait Document: DeserializeOwned + Default {
    /// Takes out what has the right form and still makes no sense; each with its place, what is wrong, and what to
    /// write instead.
    fn sift(&mut self, wrong: &mut dyn FnMut(Range<usize>, String, &str));
}

/// A file as it was read.
#[derive(Debug)]
pub struct Said<T> {
    /// What it says, as far as it can be read; `None` when there is no such file.
    pub document: Option<T>,
    /// Its bytes, as far as there are any.
    pub bytes: Vec<u8>,
    /// What is wrong with it. It is broken if there is anything.
    pub mistakes: Vec<Mistake>,
}

/// Reads the file at `path`.
pub fn read<T: Document>(path: &Path, layer: Layer) -> Said<T> {
    match find(path, layer, LARGEST) {
        Found::Absent => Said { document: None, bytes: Vec::new(), mistakes: Vec::new() },
        Found::Broken(why) => Said {
            document: Some(T::default()),
            bytes: Vec::new(),
            // As a document all the same: a file that cannot be read is broken, not absent.
            mistakes: vec![Mistake::of_file(path, &why)],
        },
        Found::Content(bytes) => {
            let (document, mistakes) = parse(path, &bytes);
            Said { document: Some(document), bytes, mistakes }
        }
    }
}

/// What these bytes of a file say: all of what can be read, and all that is wrong.
pub fn parse<T: Document>(path: &Path, bytes: &[u8]) -> (T, Vec<Mistake>) {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            // The text up to there, so that the mistake has a line and a column.
            let whole = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let (what, hint) = ("the file is not UTF-8 text".to_owned(), "save it as UTF-8".to_owned());
            let at = whole.len()..whole.len();
            return (T::default(), vec![Mistake::at(path, &whole, at, what, hint)]);
        }
    };
    let (mut table, errors) = DeTable::parse_recoverable(text);
    let mut mistakes: Vec<Mistake> = Vec::new();
    for error in &errors {
        mistakes.push(Mistake::of_toml(path, text, error));
        // What a reader puts in the place of a value that it cannot read was not said.
        cut(table.get_mut(), &error.span().unwrap_or_default());
    }
    let mut document = loop {
        // Over and over: serde stops at the first mistake, and a person wants to see them all.
        match T::deserialize(Deserializer::from(table.clone())) {
            Ok(document) => break document,
            Err(error) => {
                mistakes.push(Mistake::of_toml(path, text, &error));
                let span = error.span().unwrap_or_default();
                // What cannot be cut out would be reported for ever.
                if mistakes.len() > MOST || !cut(table.get_mut(), &span) {
                    break T::default();
                }
            }
        }
    };
    document.sift(&mut |span, what, hint| {
        mistakes.push(Mistake::at(path, text, span, what, hint.to_owned()));
    });
    // The reader of TOML and serde may report one mistake twice.
    mistakes.dedup();
    mistakes.truncate(MOST);
    (document, mistakes)
}

fn touch(one: &Range<usize>, other: &Range<usize>) -> bool {
    // An empty place, as at the end of a file, touches what begins there.
    one.start < other.end.max(other.start + 1) && other.start < one.end.max(one.start + 1)
}

/// Takes out the innermost entry that a mistake is in; whether there was one.
fn cut(table: &mut DeTable<'_>, span: &Range<usize>) -> bool {
    // The innermost first: one wrong value must not take a whole table along.
    if table.iter_mut().any(|(_, value)| cut_inside(value, span)) {
        return true;
    }
    let touched = table.iter().find(|(key, value)| touch(&key.span(), span) || touch(&value.span(), span));
    let key = touched.map(|(key, _)| key.clone());
    key.is_some_and(|key| table.remove(&key).is_some())
}

fn cut_inside(value: &mut Spanned<DeValue<'_>>, span: &Range<usize>) -> bool {
    match value.get_mut() {
        DeValue::Table(table) => cut(table, span),
        DeValue::Array(list) => {
            if list.iter_mut().any(|one| cut_inside(one, span)) {
                return true;
            }
            let Some(index) =
                // Only tables of a list: without one of its words, a list of words would say something else.
                list.iter().position(|one| one.get_ref().is_table() && touch(&one.span(), span))
            else {
                return false;
            };
            let kept = std::mem::replace(list, DeArray::new())
                .into_iter()
                .enumerate()
                .filter(|(at, _)| *at != index);
            *list = kept.map(|(_, one)| one).collect();
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Default, Deserialize, PartialEq, Eq)]
    #[serde(deny_unknown_fields)]
    struct File {
        #[serde(default)]
        names: Vec<String>,
        level: Option<u8>,
        #[serde(default)]
        check: Vec<Check>,
    }

    #[derive(Debug, Deserialize, PartialEq, Eq)]
    #[serde(deny_unknown_fields)]
    struct Check {
        id: String,
        limit: Option<u8>,
    }

    impl Document for File {
        fn sift(&mut self, _wrong: &mut dyn FnMut(Range<usize>, String, &str)) {}
    }

    fn read(text: &str) -> (File, Vec<String>) {
        let (file, mistakes) = parse(Path::new("f.toml"), text.as_bytes());
        (file, mistakes.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn one_mistake_takes_nothing_else_away() {
        for (text, place, hint) in [
            ("levl = 3\nnames = [\"a\"]\nlevel = 2\n", "f.toml:1:1: ", "did you mean `level`?"),
            ("names = [\"a\"]\nlevel = 2\nlimit = 7\n", "f.toml:3:1: ", "known are"),
            ("names = [\"a\"]\nlevel = 2\nx = = 3\n", "f.toml:3:", ""),
            ("names = [\"a\"]\nlevel = 2\n[[check]]\nlimit = 3\n", "f.toml:3:", "add it"),
            ("names = [\"a\"]\nlevel = 2\n[[check]]\nid = 3\n", "f.toml:4:6: ", ""),
        ] {
            let (file, mistakes) = read(text);
            assert_eq!((file.names, file.level), (vec!["a".to_owned()], Some(2)), "{text}{mistakes:?}");
            assert!(mistakes[0].starts_with(place) && mistakes[0].contains(hint), "{text}{mistakes:?}");
        }
    }

    #[test]
    fn what_a_mistake_is_in_does_not_count() {
        for text in ["level = \"x\"\n", "level = tru\n", "level = 300\n", "level = 2 3\n", "level = \n"] {
            let (file, mistakes) = read(text);
            assert_eq!(file.level, None, "{text}{mistakes:?}");
            assert!(!mistakes.is_empty(), "{text}");
        }
    }

    #[test]
    fn the_checks_beside_a_mistake_are_kept() {
        let (file, mistakes) =
            read("[[check]]\nid = \"a\"\n[[check]]\nidd = \"b\"\n[[check]]\nid = \"c\"\nlimit = \"x\"\n");
        let ids: Vec<&str> = file.check.iter().map(|check| check.id.as_str()).collect();
        assert_eq!(ids, ["a", "c"], "{mistakes:?}");
        assert!(mistakes.len() >= 2, "{mistakes:?}");
    }

    #[test]
    fn no_text_at_all_is_a_mistake_with_a_place() {
        let (_, mistakes) = parse::<File>(Path::new("f.toml"), b"level = 1\n\xff");
        assert_eq!(mistakes[0].at, Some((2, 1)));
    }
}
