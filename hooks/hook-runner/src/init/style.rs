//! How a JSON text is written, and new values in the same way.

use std::ops::Range;

use host::tree::{Node, Value};

/// How elements of one container are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Style {
    newline: &'static str,
    unit: String,
    /// The indentation of an element, where each has lines of its own.
    base: Option<String>,
}

impl Style {
    /// That of a file that is not there yet: two spaces, as what is shipped.
    pub(super) fn new_file() -> Self {
        Self { newline: "\n", unit: "  ".to_owned(), base: Some(String::new()) }
    }

    /// That of a container of a string, whose elements stand in these places.
    pub(super) fn of(text: &str, root: &Node, container: &Range<usize>, elements: &[Range<usize>]) -> Self {
        // One kind of line end for all of the file: a mixed one is not made more so than it is.
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let unit = root
            .members()
            .first()
            .and_then(|member| own_line(text, member.key_span.start))
            // A file on one line has no indentation to go by.
            .filter(|unit| !unit.is_empty())
            .map_or_else(|| "  ".to_owned(), str::to_owned);
        let inner = || Some(format!("{}{unit}", line_indent(text, container.start)));
        let base = match elements {
            [] => {
                // An empty container in a file of one line stays on it.
                let one_line = !root.members().is_empty() && !text[root.span.clone()].contains('\n');
                if one_line { None } else { inner() }
            }
            [first, ..] => {
                let gap =
                    // From the last gap: what was added last shows the style that is kept now.
                    elements.len().checked_sub(2).map(|last| elements[last].end..elements[last + 1].start);
                let gap = gap.and_then(|gap| own_line(text, gap.end).filter(|_| text[gap].contains('\n')));
                match own_line(text, first.start).or(gap) {
                    Some(base) => Some(base.to_owned()),
                    None if text[first.clone()].contains('\n') => inner(),
                    None => None,
                }
            }
        };
        Self { newline, unit, base }
    }

    /// What stands between two elements, after the comma.
    pub(super) fn gap(&self) -> String {
        self.base.as_ref().map_or_else(|| " ".to_owned(), |base| format!("{}{base}", self.newline))
    }

    /// A value, as an element of the container.
    pub(super) fn write(&self, node: &Node) -> String {
        let mut text = String::new();
        self.value(&mut text, node, self.base.as_deref());
        text
    }

    fn value(&self, text: &mut String, node: &Node, base: Option<&str>) {
        match &node.value {
            Value::Null => text.push_str("null"),
            Value::Bool(truth) => text.push_str(if *truth { "true" } else { "false" }),
            Value::Number(number) => text.push_str(number),
            Value::Text(string) => text.push_str(&quoted(string)),
            Value::List(list) => {
                self.container(text, ['[', ']'], list, base, |text, element, base| {
                    self.value(text, element, base);
                });
            }
            Value::Object(members) => {
                self.container(text, ['{', '}'], members, base, |text, member, base| {
                    text.push_str(&quoted(&member.key));
                    text.push_str(": ");
                    self.value(text, &member.node, base);
                });
            }
        }
    }

    /// With white space after the bracket: a container without is one that was there before.
    fn container<T>(
        &self,
        text: &mut String,
        [open, close]: [char; 2],
        elements: &[T],
        base: Option<&str>,
        write: impl Fn(&mut String, &T, Option<&str>),
    ) {
        let inner = base.map(|base| format!("{base}{}", self.unit));
        let gap = |base: Option<&str>| {
            base.map_or_else(|| " ".to_owned(), |base| format!("{}{base}", self.newline))
        };
        text.push(open);
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            text.push_str(&gap(inner.as_deref()));
            write(text, element, inner.as_deref());
        }
        if !elements.is_empty() {
            text.push_str(&gap(base));
        }
        text.push(close);
    }
}

/// A string as JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The white space in front of a place, when nothing else is on its line.
fn own_line(text: &str, at: usize) -> Option<&str> {
    let start = text[..at].rfind('\n')? + 1;
    let before = &text[start..at];
    before.chars().all(|c| c == ' ' || c == '\t').then_some(before)
}

/// The white space at the beginning of the line of a place.
fn line_indent(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[start..at];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
