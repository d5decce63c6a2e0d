//! What a query prints, where its strings stand in it: `SELECT 'DROP TABLE ' || name || ';' FROM …`.

use super::text::{self, Variables};
use super::token::{Kind, Token};
use super::words::position;

/// The line that a query of strings prints, with marks for what is only known at run time.
pub(super) fn by(tokens: &[Token<'_>], variables: &Variables) -> Option<String> {
    let (first, rest) = tokens.split_first()?;
    if !first.is("select") {
        return None;
    }
    let end = position(rest, "from").unwrap_or(rest.len());
    let expressions =
        rest[..end].get(usize::from(rest.first().is_some_and(|token| token.is("distinct")))..)?;
    if !expressions.iter().any(|token| token.kind == Kind::Text || token.is_one("char chr")) {
        return None;
    }
    let mut line = text::first(expressions, variables)?;
    line.push('\n');
    Some(line)
}
