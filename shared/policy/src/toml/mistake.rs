//! What is not TOML, in the words of policies.

/// Something that is not TOML, or that a policy has no use for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    /// The byte at which it was noticed.
    pub(crate) at: u32,
    pub(crate) message: String,
    pub(crate) hint: &'static str,
}

/// How the library's messages begin, what we say instead, and what to do about it.
const MESSAGES: &[(&str, &str, &str)] = &[
    ("missing escaped", "unknown escape in a string", ESCAPES),
    ("invalid escape", "unknown escape in a string", ESCAPES),
    ("invalid unicode", "unknown escape in a string", ESCAPES),
    ("invalid multi-line", "the string is not closed", "Close it with the same three quotes."),
    ("invalid basic", "the string is not closed", "Close it with `\"`."),
    ("invalid literal", "the string is not closed", "Close it with `'`."),
    ("string values must be quoted", USELESS.0, USELESS.1),
    ("invalid boolean", USELESS.0, USELESS.1),
    ("invalid date", "the calendar has no such day", "Write YYYY-MM-DD."),
    ("unclosed array table", "the header is not closed", HEADERS),
    ("unclosed table", "the header is not closed", HEADERS),
    ("unclosed array", "the list is not closed", "Close it with `]`."),
    ("missing comma between array", "`,` or `]` is missing in the list", "Separate the values with `,`."),
    ("unclosed inline", "the table is not closed", "Close it with `}`."),
    ("missing comma between key", "`,` or `}` is missing in the table", "Separate the keys with `,`."),
    ("extra assignment", "`,` or `}` is missing in the table", "Separate the keys with `,`."),
    ("key with no value", "`=` is missing after the key", "A line reads `key = value`."),
    ("cannot extend", "this key is already used", "Write it once."),
    ("unquoted keys", "a key is missing here", LINES),
    ("unexpected key or value", "unexpected text after the value", "Write one key and value per line."),
    ("invalid comment", "unexpected control character", "Remove it."),
];

const ESCAPES: &str = "Write `\\\\` for a backslash, or put the string in single quotes: '\\s'.";
const HEADERS: &str = "A header reads [defaults] or [[rule]].";
const LINES: &str = "A line reads `key = value` or `[table]`.";
/// For a value that may be TOML, but not of a policy.
const USELESS: (&str, &str) = (
    "a policy does not use this kind of value",
    "Put strings in quotes: \"deny\". Dates are written 2027-01-31.",
);

impl SyntaxError {
    /// What the library says about `text`.
    pub(super) fn of(text: &str, error: &toml::de::Error) -> Self {
        let span = error.span().unwrap_or_default();
        let place = text.floor_char_boundary(span.start);
        let (before, message) = (&text[..place], error.message());
        let new = |at: usize, message: &str, hint| Self { at: offset(at), message: message.to_owned(), hint };
        if message.starts_with("duplicate key") {
            let line = before.rsplit('\n').next().unwrap_or_default();
            return if line.starts_with('[') {
                new(place - line.len(), "this table already exists", "Join the two.")
            } else {
                new(
                    place,
                    "this key appears twice",
                    "Keep one of them; several values go into a list: [\"a\", \"b\"].",
                )
            };
        }
        if message.starts_with("string values must be quoted") && span.is_empty() {
            return new(place, "a value is missing here", "Write a string in quotes, a list or a table.");
        }
        match MESSAGES.iter().find(|(beginning, ..)| message.starts_with(beginning)) {
            Some((_, message, hint)) => new(place, message, hint),
            // A message of a newer library is better than none.
            None => new(place, message, LINES),
        }
    }

    /// A value of a kind that policies do not use.
    pub(super) fn useless(at: u32) -> Self {
        Self { at, message: USELESS.0.to_owned(), hint: USELESS.1 }
    }
}

pub(super) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
