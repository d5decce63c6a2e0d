//! Values that a variable carries to the place that gives them away: `T=…; curl -H "Authorization: Bearer $T"`.
//!
//! The text is read once more with the values where the variables stand: what is a secret there is one where it was
//! assigned, whatever the place and the program.

use crate::class::{self, ALNUM, DIGIT, LOW_LINE};
use crate::guard;
use crate::literal::{self, Value};
use crate::scan::{LAYERS, scan};
use crate::span::{Span, merge};

/// Longer strings, in bytes, are not read twice.
const LONGEST: usize = 64 * 1024;

/// How many variables are followed.
const MOST: usize = 32;

struct Variable<'t> {
    name: &'t str,
    value: Value,
}

/// `found`, and the values of the variables that stand where secrets stand.
pub(crate) fn resolved(text: &str, mut found: Vec<Span>) -> Vec<Span> {
    // Most strings assign nothing or use nothing, and cost two searches.
    if text.len() > LONGEST || !text.contains(['=', '<']) || !text.contains(['$', '%', '{']) {
        return found;
    }
    let covered = |value: &Value, found: &[Span]| {
        found.iter().any(|span| span.start < value.end && value.start < span.end)
    };
    let mut variables = assigned(text);
    variables.retain(|variable| !covered(&variable.value, &found));
    if variables.is_empty() {
        return found;
    }
    let (replaced, places) = replaced(text, &variables);
    if places.is_empty() {
        return found;
    }
    let before = found.len();
    for span in scan(&replaced, LAYERS) {
        let inside = places.iter().filter(|(start, end, _)| span.start < *end && *start < span.end);
        let values = inside.filter_map(|(_, _, index)| variables.get(*index)).map(|variable| &variable.value);
        found.extend(values.map(|value| Span::plain(value.start, value.end, span.rule)));
    }
    if found.len() > before {
        merge(&mut found);
    }
    found
}

/// The text with values for variables, and where each of these is now.
fn replaced(text: &str, variables: &[Variable<'_>]) -> (String, Vec<(usize, usize, usize)>) {
    let mut out = String::with_capacity(text.len() * 2);
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(['$', '%', '{'])).map(|at| from + at) {
        out.push_str(&text[from..at]);
        let used = variables.iter().enumerate().filter(|(_, variable)| variable.value.end <= at);
        // The last one before counts.
        let hit = used
            .rev()
            .find_map(|(index, variable)| use_of(&text[at..], variable.name).map(|length| (index, length)));
        if let Some((index, length)) = hit
            // A value that is used many times must not make a text of any length.
            && out.len() < 4 * LONGEST
        {
            let value = &variables[index].value;
            places.push((out.len(), out.len() + value.end - value.start, index));
            out.push_str(&text[value.start..value.end]);
            from = at + length;
        } else {
            out.push_str(&text[at..=at]);
            from = at + 1;
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    (out, places)
}

/// How long the use of a variable at the start of `text` is: `$name`, `${name}`, `%name%`, `{name}` of a format string.
fn use_of(text: &str, name: &str) -> Option<usize> {
    let [open, close] = match text.as_bytes() {
        [b'$', b'{', ..] => ["${", "}"],
        [b'$', b'e', b'n', b'v', b':', ..] => ["$env:", ""],
        [b'$', ..] => ["$", ""],
        [b'%', ..] => ["%", "%"],
        _ => ["{", "}"],
    };
    let rest = text.strip_prefix(open)?.strip_prefix(name)?;
    let ends = if close.is_empty() {
        rest.bytes().next().is_none_or(|byte| !class::is(byte, ALNUM | LOW_LINE))
    } else {
        rest.starts_with(close)
    };
    ends.then_some(open.len() + name.len() + close.len())
}

/// The assignments of a string, in its order.
fn assigned(text: &str) -> Vec<Variable<'_>> {
    let bytes = text.as_bytes();
    let mut all: Vec<Variable<'_>> = Vec::new();
    for sign in memchr::memchr2_iter(b'=', b'<', bytes).take(8 * MOST) {
        let variable = if bytes[sign] == b'=' { by_sign(text, sign) } else { by_read(text, sign) };
        if let Some(variable) = variable.filter(|variable| may_be_secret(text, &variable.value))
            && all.len() < MOST
        {
            all.push(variable);
        }
    }
    all
}

fn may_be_secret(text: &str, value: &Value) -> bool {
    let Some(shown) = text.get(value.start..value.end) else { return false };
    shown.len() >= 6
        && !guard::is_placeholder(shown)
        && !shown.contains(char::is_whitespace)
        // Paths and options are carried by variables far more often than secrets are.
        && !shown.starts_with(['/', '.', '~', '-'])
        && class::run(shown.as_bytes(), DIGIT) < shown.len()
}

/// `name=value`, `$name = "value"`
fn by_sign(text: &str, sign: usize) -> Option<Variable<'_>> {
    let bytes = text.as_bytes();
    // Comparisons, matches and pairs, which assign nothing.
    if matches!(bytes.get(sign + 1), Some(b'=' | b'~' | b'>')) {
        return None;
    }
    let spaces = bytes[..sign].iter().rev().take_while(|byte| **byte == b' ').count();
    let name = name_before(text, sign - spaces)?;
    let value = literal::skip_spaces(bytes, sign + 1, bytes.len().min(sign + 3));
    // With spaces around it is a program's, as PowerShell and Python have it: then the value is quoted.
    let is_code = spaces > 0;
    // A shell's `NAME= value` leaves the variable empty and runs the value.
    if !is_code && value > sign + 1 {
        return None;
    }
    let value = literal::literal(bytes, value, true).filter(|value| value.quoted || !is_code)?;
    Some(Variable { name, value })
}

/// `read -r name <<< value`
fn by_read(text: &str, sign: usize) -> Option<Variable<'_>> {
    let bytes = text.as_bytes();
    if !bytes[sign..].starts_with(b"<<<") {
        return None;
    }
    let command = text[..sign].rsplit(['\n', ';', '|', '&']).next()?;
    if command.split_ascii_whitespace().next() != Some("read") {
        return None;
    }
    let name = name_before(text, text[..sign].trim_end().len())?;
    let value = literal::literal(bytes, literal::skip_spaces(bytes, sign + 3, bytes.len()), true)?;
    Some(Variable { name, value })
}

fn name_before(text: &str, end: usize) -> Option<&str> {
    let length =
        text.as_bytes()[..end].iter().rev().take_while(|byte| class::is(**byte, ALNUM | LOW_LINE)).count();
    let name = text.get(end - length..end)?;
    (length > 0 && !class::is(name.as_bytes()[0], DIGIT)).then_some(name)
}
