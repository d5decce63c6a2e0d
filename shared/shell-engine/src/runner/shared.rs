//! What the copies of a shell share until one of them changes it.

use std::ops::Deref;
use std::rc::Rc;

/// A list that costs nothing to copy, and nothing at all while it is empty, as most lists of most shells are.
#[derive(Debug)]
pub(crate) struct Shared<T>(Option<Rc<Vec<T>>>);

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Eq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            // Compares pointers first.
            (Some(one), Some(two)) => one == two,
            _ => self.is_empty() && other.is_empty(),
        }
    }
}

impl<T> Deref for Shared<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl<T: Clone> Shared<T> {
    /// The list as one's own.
    pub(crate) fn to_mut(&mut self) -> &mut Vec<T> {
        Rc::make_mut(self.0.get_or_insert_default())
    }
}
