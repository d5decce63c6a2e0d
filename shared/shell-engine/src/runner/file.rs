//! A file that the command itself has written.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::mark;

/// What a file holds. Scripts write many files line by line and read few: the text that readers share is made when
/// the first of them comes.
#[derive(Debug, Default)]
pub(super) struct WrittenFile {
    text: String,
    shared: OnceCell<Rc<str>>,
}

impl WrittenFile {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), shared: OnceCell::new() }
    }

    pub(super) fn append(&mut self, text: &str) {
        // A file ends with its last line, also one that is only promised.
        if self.text.ends_with(|c| mark::promised(c).is_some()) {
            self.text.push('\n');
        }
        self.text.push_str(text);
        self.shared = OnceCell::new();
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn text(&self) -> Rc<str> {
        Rc::clone(self.shared.get_or_init(|| Rc::from(self.text.as_str())))
    }
}
