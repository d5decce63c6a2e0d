//! Arrays whose keys are not 0, 1, 2 …: with gaps, or with words as keys. Names that stand for one element of them.
//!
//! The elements lie in a variable as those of any array do, in the order of their keys; the keys lie beside them, in a
//! variable that no command can name.

use std::rc::Rc;

use super::scope::{Scope, Value};
use crate::mark;

/// Names that lead from one to the next.
const MAX_NAMEREFS: usize = 8;

impl Scope {
    /// The keys of an array that has others than 0, 1, 2 …
    pub(crate) fn keys(&mut self, name: &str) -> Option<Rc<[String]>> {
        match self.get(&format!("{name}[]")) {
            Some(Value::Many(keys)) => Some(keys),
            _ => None,
        }
    }

    /// Remembers the keys of an array, unless they are 0, 1, 2 …
    pub(crate) fn set_keys(&mut self, name: &str, keys: Vec<String>) {
        let hidden = format!("{name}[]");
        let plain = keys.iter().enumerate().all(|(at, key)| key.parse() == Ok(at));
        if !plain || keys.is_empty() {
            self.set(&hidden, Value::Many(Rc::from(keys)));
        } else if self.get(&hidden).is_some() {
            self.unset(&hidden);
        }
    }

    /// Whether an array takes words as its keys.
    pub(crate) fn is_associative(&mut self, name: &str) -> bool {
        self.is_map(name)
            || self.keys(name).is_some_and(|keys| keys.iter().all(|key| key.parse::<i64>().is_err()))
    }

    /// The elements of an array with their keys.
    pub(crate) fn entries(&mut self, name: &str) -> Vec<(String, String)> {
        let values = match self.get(name) {
            Some(Value::Many(values)) => values.to_vec(),
            Some(Value::One(text)) => vec![text.to_string()],
            None => Vec::new(),
        };
        match self.keys(name).filter(|keys| keys.len() == values.len()) {
            Some(keys) => keys.iter().cloned().zip(values).collect(),
            None => values.into_iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
        }
    }

    /// The array with one element set, or added to.
    pub(crate) fn with_element(&mut self, name: &str, key: &str, (value, append): (String, bool)) -> Value {
        let mut entries = self.entries(name);
        match entries.iter_mut().find(|(known, _)| known == key) {
            Some((_, known)) if append => known.push_str(&value),
            Some((_, known)) => *known = value,
            None => {
                // Those with a number stand in their order; words stand as they came.
                let number = key.parse::<i64>().ok();
                let at = number.and_then(|number| {
                    entries
                        .iter()
                        .position(|(known, _)| known.parse::<i64>().is_ok_and(|known| known > number))
                });
                entries.insert(at.unwrap_or(entries.len()), (key.to_owned(), value));
            }
        }
        let (keys, values): (Vec<String>, Vec<String>) = entries.into_iter().unzip();
        self.set_keys(name, keys);
        Value::Many(Rc::from(values))
    }

    /// Sets what a name or an element stands for: `x`, `x[1]`, `x[word]`.
    pub(crate) fn set_place(&mut self, place: &str, text: &str) {
        match element_of(place) {
            Some((name, key)) => {
                let value = self.with_element(name, key, (text.to_owned(), false));
                self.set(name, value);
            }
            None => self.set_text(place, text),
        }
    }

    /// Takes an element out of its array.
    pub(crate) fn unset_element(&mut self, name: &str, key: &str) {
        if self.is_unsure() {
            return;
        }
        let mut entries = self.entries(name);
        entries.retain(|(known, _)| known != key);
        let (keys, values): (Vec<String>, Vec<String>) = entries.into_iter().unzip();
        self.set_keys(name, keys);
        self.set(name, Value::Many(Rc::from(values)));
    }

    /// The text of an element; `None` where nothing is known of its key.
    pub(crate) fn element(&mut self, name: &str, key: &str) -> Option<String> {
        let entries = self.entries(name);
        let number = key.parse::<i64>().ok().filter(|number| *number < 0);
        let key = match (number, entries.last().and_then(|(last, _)| last.parse::<i64>().ok())) {
            (Some(number), Some(last)) => (last + 1 + number).to_string(),
            _ => key.to_owned(),
        };
        entries.into_iter().find(|(known, _)| *known == key).map(|(_, value)| value)
    }

    /// What a name that only stands for another one stands for in the end: `declare -n r=x`.
    pub(crate) fn referred(&self, name: &str) -> Option<String> {
        let mut found = self.refers_to(name)?;
        for _ in 0..MAX_NAMEREFS {
            let Some(next) = self.refers_to(&found).filter(|next| *next != found) else { break };
            found = next;
        }
        Some(found)
    }
}

/// A name and a key: `x[1]`. `None` for a plain name.
pub(crate) fn element_of(place: &str) -> Option<(&str, &str)> {
    let (name, key) = place.strip_suffix(']')?.split_once('[')?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_name && !name.is_empty() && !key.is_empty() && !mark::any(key)).then_some((name, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_keeps_its_gaps() {
        let mut scope = Scope::new("/", None);
        for (key, value) in [("7", "c"), ("3", "b"), ("1", "a"), ("3", "B")] {
            scope.set_place(&format!("x[{key}]"), value);
        }
        assert_eq!(scope.get("x"), Some(Value::Many(Rc::from(["a", "B", "c"].map(str::to_owned)))));
        assert_eq!(scope.element("x", "3").as_deref(), Some("B"));
        assert_eq!(scope.element("x", "-1").as_deref(), Some("c"));
        assert_eq!(scope.element("x", "0"), None);
        scope.unset_element("x", "3");
        assert_eq!(scope.entries("x").len(), 2);
    }

    #[test]
    fn places_are_names_and_elements() {
        assert_eq!(element_of("t[2]"), Some(("t", "2")));
        assert_eq!(element_of("t"), None);
        assert_eq!(element_of("a.b[1]"), None);
        assert_eq!(element_of("t[]"), None);
    }
}
