//! JSON that remembers where everything stands, with doubled keys and comments.

use std::fs;
use std::io::Read as _;
use std::ops::Range;
use std::path::Path;

use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, ast};

/// The largest configuration that is read, in bytes.
pub const MAX_SIZE: usize = 4 << 20;

/// A value and where it stands, in bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// From its first byte to after its last.
    pub span: Range<usize>,
    pub value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it is written.
    Number(String),
    Text(String),
    List(Vec<Node>),
    /// An object, with every member that it has, also those of one name.
    Object(Vec<Member>),
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    pub key: String,
    /// Where the name stands.
    pub key_span: Range<usize>,
    /// Its value.
    pub node: Node,
}

/// A string that is JSON, perhaps with liberties.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub root: Node,
    /// Where strict JSON is broken, and how, in the order of the text.
    pub liberties: Vec<(Range<usize>, Liberty)>,
}

/// What a string has that strict JSON has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Liberty {
    /// A byte order mark in front.
    ByteOrderMark,
    Comment,
    /// A comma after the last element.
    TrailingComma,
}

/// Why a string is not JSON, in any form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    pub span: Range<usize>,
    pub message: String,
}

/// Parses JSON with comments and trailing commas, and says where it is not strict.
///
/// # Errors
///
/// When the text is not JSON even so, is larger than [`MAX_SIZE`], or nests deeper than 512 levels.
pub fn parse(text: &str) -> Result<Document, Broken> {
    if text.len() > MAX_SIZE {
        return Err(Broken { span: 0..0, message: format!("larger than {} MiB", MAX_SIZE >> 20) });
    }
    // The parser does not know the mark; its places are moved by the length of it.
    let body = text.trim_start_matches('\u{feff}');
    let shift = text.len() - body.len();
    let options = |liberal| ParseOptions {
        allow_comments: liberal,
        allow_trailing_commas: liberal,
        // Comments and trailing commas are all that any host forgives.
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let collect = CollectOptions { comments: CommentCollectionStrategy::Separate, tokens: false };
    let parsed =
        jsonc_parser::parse_to_ast(body, &collect, &options(true)).map_err(|error| broken(&error, shift))?;
    let Some(root) = parsed.value else {
        return Err(Broken { span: 0..text.len(), message: "empty".to_owned() });
    };
    let mut liberties = Vec::new();
    if shift > 0 {
        liberties.push((0..shift, Liberty::ByteOrderMark));
    }
    let mut comments: Vec<Range<usize>> = parsed
        .comments
        .iter()
        .flat_map(|map| map.values())
        .flat_map(|comments| comments.iter())
        .map(|comment| comment.start() + shift..comment.end() + shift)
        .collect();
    comments.sort_by_key(|span| span.start);
    // The parser's map has a comment twice: by the end of the token before it and by the start of the one after it.
    comments.dedup();
    liberties.extend(comments.into_iter().map(|span| (span, Liberty::Comment)));
    // The parser does not keep trailing commas: what strict parsing objects to, beside comments, is one.
    let strict = ParseOptions { allow_comments: true, ..options(false) };
    if let Err(error) = jsonc_parser::parse_to_ast(body, &CollectOptions::default(), &strict) {
        let span = error.range();
        liberties.push((span.start + shift..span.end + shift, Liberty::TrailingComma));
    }
    liberties.sort_by_key(|(span, _)| span.start);
    Ok(Document { root: node(&root, shift), liberties })
}

fn broken(error: &jsonc_parser::errors::ParseError, shift: usize) -> Broken {
    let span = error.range();
    Broken { span: span.start + shift..span.end + shift, message: lower(&error.kind().to_string()) }
}

fn lower(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn node(value: &ast::Value<'_>, shift: usize) -> Node {
    let range = value.range();
    let value = match value {
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::BooleanLit(literal) => Value::Bool(literal.value),
        ast::Value::NumberLit(literal) => Value::Number(literal.value.to_owned()),
        ast::Value::StringLit(literal) => Value::Text(literal.value.to_string()),
        ast::Value::Array(array) => Value::List(array.elements.iter().map(|e| node(e, shift)).collect()),
        ast::Value::Object(object) => Value::Object(
            object
                .properties
                .iter()
                .map(|property| {
                    let name = property.name.range();
                    Member {
                        key: property.name.as_str().to_owned(),
                        key_span: name.start + shift..name.end + shift,
                        node: node(&property.value, shift),
                    }
                })
                .collect(),
        ),
    };
    Node { span: range.start + shift..range.end + shift, value }
}

impl Node {
    /// Its members, when it is an object.
    pub fn members(&self) -> &[Member] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// Its elements, when it is an array.
    pub fn elements(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(elements) => Some(elements),
            _ => None,
        }
    }

    /// The member of that name; of several, the last, as every host's parser does it.
    pub fn get(&self, key: &str) -> Option<&Member> {
        self.members().iter().rev().find(|member| member.key == key)
    }

    /// The value of the member of that name.
    pub fn at(&self, key: &str) -> Option<&Node> {
        self.get(key).map(|member| &member.node)
    }

    /// Its text, when it is a string.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Its number, when it is one.
    pub fn number(&self) -> Option<f64> {
        match &self.value {
            Value::Number(number) => number.parse().ok(),
            _ => None,
        }
    }

    /// Whether it is `true` or `false`, when it is either.
    pub fn truth(&self) -> Option<bool> {
        match self.value {
            Value::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    pub fn is_object(&self) -> bool {
        matches!(self.value, Value::Object(_))
    }

    /// What it is, in a word with its article.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a truth value",
            Value::Number(_) => "a number",
            Value::Text(_) => "a string",
            Value::List(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}

/// The line and the column of a byte, both from 1; the column counts characters.
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// Reads a text file of at most [`MAX_SIZE`] bytes.
///
/// # Errors
///
/// A sentence that says why it cannot be read.
pub fn text(path: &Path) -> Result<String, String> {
    // To open a pipe waits for someone who writes into it.
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        return Err("it is not a file".to_owned());
    }
    let file = fs::File::open(path).map_err(|error| error.to_string())?;
    // Of the open file, which no one can exchange any more. A device would never end.
    if !file.metadata().is_ok_and(|data| data.is_file()) {
        return Err("it is not a file".to_owned());
    }
    let mut bytes = Vec::new();
    // One byte more, to tell a file that is too large from one that is just as large as it may be.
    let limit = u64::try_from(MAX_SIZE).unwrap_or(u64::MAX) + 1;
    file.take(limit).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() > MAX_SIZE {
        return Err(format!("it is larger than {} MiB", MAX_SIZE >> 20));
    }
    String::from_utf8(bytes)
        .map_err(|error| format!("byte {} is not UTF-8", error.utf8_error().valid_up_to()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_pipe_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("x.json");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(super::text(&pipe).unwrap_err(), "it is not a file");
    }

    #[test]
    fn everything_has_a_place() {
        let text = "{\n  \"a\": [1, \"x\"], \"a\": true }";
        let root = parse(text).unwrap().root;
        assert_eq!(root.members().len(), 2);
        assert_eq!(root.at("a").unwrap().truth(), Some(true));
        let first = &root.members()[0];
        assert_eq!(&text[first.key_span.clone()], "\"a\"");
        assert_eq!(&text[first.node.span.clone()], "[1, \"x\"]");
        assert_eq!(position(text, first.key_span.start), (2, 3));
    }

    #[test]
    fn liberties_are_distinguished() {
        let text = "\u{feff}{ // why\n \"a\": [1,], /* b */ \"c\": 1 }";
        let document = parse(text).unwrap();
        let kinds: Vec<_> = document.liberties.iter().map(|(_, liberty)| *liberty).collect();
        assert_eq!(
            kinds,
            [Liberty::ByteOrderMark, Liberty::Comment, Liberty::TrailingComma, Liberty::Comment]
        );
        assert_eq!(parse(r#"{"a": "// no comment,]"}"#).unwrap().liberties, []);
    }

    #[test]
    fn what_is_not_json_says_where() {
        let error = parse("{\"a\" 1}").unwrap_err();
        assert!(error.span.start > 0, "{error:?}");
        for text in ["", "  ", "{", "[1 2]", "{'a': 1}", "{a: 1}", "{\"a\":1}}", "\u{feff}"] {
            assert!(parse(text).is_err(), "{text:?}");
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
    }
}
