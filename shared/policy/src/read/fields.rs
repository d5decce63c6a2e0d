//! Values of the types that policies have.

use crate::error::{Problem, nearest};
use crate::model::Text;
use crate::toml::{Entry, Item, Table, Value};

use super::Reader;

impl Reader {
    pub(super) fn wrong_type(&mut self, entry: &Entry<'_>, wanted: &'static str) {
        let found = entry.item.value.kind();
        self.report(entry.item.at, Problem::WrongType { key: entry.key.clone().into_owned(), wanted, found });
    }

    pub(super) fn table<'f>(&mut self, entry: Entry<'f>) -> Vec<Entry<'f>> {
        match entry.item.value {
            Value::Table(table) => table.entries,
            _ => {
                self.wrong_type(&entry, "a table");
                Vec::new()
            }
        }
    }

    /// Each table of `[[key]]`.
    pub(super) fn tables<'f, T>(
        &mut self,
        entry: Entry<'f>,
        read: impl Fn(&mut Self, Table<'f>, u32) -> Option<T>,
    ) -> Vec<T> {
        let Entry { key, at, item } = entry;
        let items = match item.value {
            Value::Array(items) => items,
            // `[rule]`: read it all the same, and say how it is written.
            value @ Value::Table(_) => {
                self.report(
                    at,
                    Problem::WrongType {
                        key: key.clone().into_owned(),
                        wanted: "a list of tables: [[rule]], [[exception]]",
                        found: value.kind(),
                    },
                );
                vec![Item { value, at }]
            }
            value => {
                let entry = Entry { key, at, item: Item { value, at: item.at } };
                self.wrong_type(&entry, "a list of tables: [[rule]], [[exception]]");
                return Vec::new();
            }
        };
        let mut all = Vec::with_capacity(items.len());
        for Item { value, at } in items {
            match value {
                Value::Table(table) => all.extend(read(self, table, at)),
                value => {
                    let found = value.kind();
                    self.report(
                        at,
                        Problem::WrongType { key: key.clone().into_owned(), wanted: "a table", found },
                    );
                }
            }
        }
        all
    }

    /// A string that is not empty.
    pub(super) fn text<'f>(&mut self, entry: Entry<'f>) -> Option<Text<'f>> {
        match entry.item.value {
            Value::Text(text) if !text.trim().is_empty() => Some(text),
            _ => {
                self.wrong_type(&entry, "a string in quotes that is not empty");
                None
            }
        }
    }

    /// A string, or a list of strings, of which there is at least one. `None` after a mistake.
    pub(super) fn texts<'f>(&mut self, entry: Entry<'f>) -> Option<Vec<Text<'f>>> {
        match entry.item.value {
            Value::Text(text) if !text.is_empty() => Some(vec![text]),
            Value::Array(items) if items.is_empty() => {
                self.report(entry.item.at, Problem::EmptyList(entry.key.into_owned()));
                None
            }
            Value::Array(items) => {
                let mut texts = Vec::with_capacity(items.len());
                let mut whole = true;
                for item in items {
                    match item.value {
                        Value::Text(text) if !text.is_empty() => texts.push(text),
                        value => {
                            whole = false;
                            let key = entry.key.clone().into_owned();
                            let found = if matches!(value, Value::Text(_)) {
                                "an empty string"
                            } else {
                                value.kind()
                            };
                            self.report(
                                item.at,
                                Problem::WrongType { key, wanted: "a list of strings", found },
                            );
                        }
                    }
                }
                whole.then_some(texts)
            }
            _ => {
                self.wrong_type(&entry, "a string or a list of strings");
                None
            }
        }
    }

    pub(super) fn flag(&mut self, entry: &Entry<'_>) -> Option<bool> {
        match entry.item.value {
            Value::Bool(flag) => Some(flag),
            _ => {
                self.wrong_type(entry, "true or false");
                None
            }
        }
    }

    /// One of a few words.
    pub(super) fn word(&mut self, entry: &Entry<'_>, known: &'static [&'static str]) -> Option<&'static str> {
        match &entry.item.value {
            Value::Text(text) => match known_word(&entry.key, text, known) {
                Ok(word) => Some(word),
                Err(problem) => {
                    self.report(entry.item.at, problem);
                    None
                }
            },
            _ => {
                self.wrong_type(entry, "a string in quotes");
                None
            }
        }
    }

    /// Known words: one, or a list.
    pub(super) fn words(
        &mut self,
        entry: &Entry<'_>,
        known: &'static [&'static str],
    ) -> Option<Vec<&'static str>> {
        let items = match &entry.item.value {
            Value::Array(items) if items.is_empty() => {
                self.report(entry.item.at, Problem::EmptyList(entry.key.clone().into_owned()));
                return None;
            }
            Value::Array(items) => items.as_slice(),
            _ => std::slice::from_ref(&entry.item),
        };
        let mut words = Vec::with_capacity(items.len());
        let mut whole = true;
        for item in items {
            match &item.value {
                Value::Text(text) => match known_word(&entry.key, text, known) {
                    Ok(word) => words.push(word),
                    Err(problem) => {
                        whole = false;
                        self.report(item.at, problem);
                    }
                },
                value => {
                    whole = false;
                    let key = entry.key.clone().into_owned();
                    self.report(
                        item.at,
                        Problem::WrongType { key, wanted: "a list of strings", found: value.kind() },
                    );
                }
            }
        }
        whole.then_some(words)
    }
}

/// The known word that `text` is.
pub(crate) fn known_word(
    key: &str,
    text: &str,
    known: &'static [&'static str],
) -> Result<&'static str, Problem> {
    known.iter().copied().find(|word| *word == text).ok_or_else(|| Problem::UnknownWord {
        key: key.to_owned(),
        value: text.to_owned(),
        nearest: nearest(text, known.iter().copied()),
        known,
    })
}
