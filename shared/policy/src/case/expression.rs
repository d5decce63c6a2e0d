//! A regular expression of a rule, compiled when a string may match it.

use std::cell::OnceCell;

use regex_lite::{Regex, RegexBuilder};

use super::shape::shape;

/// Compiles a regular expression: linear in time, without Unicode classes, and quickly compiled.
pub(crate) fn regex(text: &str) -> Result<Regex, String> {
    // Bounds for a project's file, which anyone may have written.
    RegexBuilder::new(text).size_limit(1 << 20).nest_limit(64).build().map_err(|error| error.to_string())
}

/// What is wrong with an expression of a rule.
pub(crate) enum Fault {
    /// It does not compile.
    Syntax(String),
    /// It matches everything.
    Empty,
}

/// Whether a rule may have this expression.
pub(crate) fn check(text: &str) -> Result<(), Fault> {
    // Most expressions are plain, and are never compiled unless a call has their literal.
    if shape(text).is_some_and(|shape| !shape.may_be_empty) {
        return Ok(());
    }
    match regex(text) {
        Ok(regex) if regex.is_match("") => Err(Fault::Empty),
        Ok(_) => Ok(()),
        Err(error) => Err(Fault::Syntax(error)),
    }
}

/// An expression, compiled when a string may match it.
#[derive(Debug)]
pub(crate) struct Expression {
    literal: String,
    text: String,
    compiled: OnceCell<Option<Regex>>,
}

impl Expression {
    pub(crate) fn new(text: &str) -> Self {
        let literal = shape(text).map(|shape| shape.literal).unwrap_or_default();
        Self { literal, text: text.to_owned(), compiled: OnceCell::new() }
    }

    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub(crate) fn is_in(&self, text: &str) -> bool {
        // In any case, because the expression may have `(?i)` in front.
        if !contains(text.as_bytes(), self.literal.as_bytes()) {
            return false;
        }
        self.compiled
            .get_or_init(|| regex(&self.text).ok())
            .as_ref()
            .is_some_and(|regex| regex.is_match(text))
    }
}

/// Whether one text stands in the other, in any case.
fn contains(text: &[u8], part: &[u8]) -> bool {
    let Some(first) = part.first() else { return true };
    let (lower, upper) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    memchr::memchr2_iter(lower, upper, text)
        .any(|at| text.get(at..at + part.len()).is_some_and(|here| here.eq_ignore_ascii_case(part)))
}
