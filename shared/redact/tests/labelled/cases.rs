//! Tables of strings from which rows are made while the test runs: `{a36}` becomes 36 letters and digits, `«…»` is the
//! secret, `\n` a new line. So no secret, not even an invented one, stands in the repository.

use super::random::Random;

pub(crate) const FORMS: &str = include_str!("../cases/forms.tsv");
pub(crate) const PLACES: &str = include_str!("../cases/places.tsv");
pub(crate) const EVERYDAY: &str = include_str!("../cases/everyday.tsv");

/// A made text, and its secrets.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    pub(crate) text: String,
    pub(crate) secrets: Vec<String>,
}

impl Made {
    /// The whole text where nothing is marked.
    pub(crate) fn secrets_or_all(&self) -> Vec<String> {
        if self.secrets.is_empty() { vec![self.text.clone()] } else { self.secrets.clone() }
    }
}

/// The rows of a table, without its comments.
pub(crate) fn rows(table: &str) -> impl Iterator<Item = &str> {
    table.lines().filter(|line| !line.starts_with("# "))
}

/// One text from a template.
pub(crate) fn make(template: &str, random: &mut Random) -> Made {
    let mut made = Made { text: String::new(), secrets: Vec::new() };
    let mut rest = template;
    let mut from = None;
    while let Some(first) = rest.chars().next() {
        if let Some((text, length)) = field(rest, random) {
            made.text.push_str(&text);
            rest = &rest[length..];
            continue;
        }
        if let Some(after) = rest.strip_prefix("\\n") {
            made.text.push('\n');
            rest = after;
            continue;
        }
        match first {
            '«' => from = Some(made.text.len()),
            '»' => made.secrets.extend(from.take().map(|from| made.text[from..].to_owned())),
            _ => made.text.push(first),
        }
        rest = &rest[first.len_utf8()..];
    }
    made
}

/// What a field such as `{x40}` becomes, and how long the field is.
fn field(text: &str, random: &mut Random) -> Option<(String, usize)> {
    let inner = text.strip_prefix('{')?.split_once('}')?.0;
    let (kind, count) = inner.split_at_checked(1)?;
    let made = match (kind, count.parse::<usize>()) {
        ("u", _) if count.is_empty() => random.uuid(),
        ("p", _) if count.is_empty() => random.password(),
        ("a", Ok(count)) => random.alnum(count),
        ("x", Ok(count)) => random.hex(count),
        ("X", Ok(count)) => random.hex(count).to_uppercase(),
        ("w", Ok(count)) => random.word(count),
        ("b", Ok(count)) => random.base64(count),
        ("B", Ok(count)) => random.text("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", count),
        ("C", Ok(count)) => random.caps(count),
        ("U", Ok(count)) => random.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", count),
        ("l", Ok(count)) => random.text("abcdefghijklmnopqrstuvwxyz0123456789", count),
        ("d", Ok(count)) => random.digits(count),
        _ => return None,
    };
    Some((made, inner.len() + 2))
}
