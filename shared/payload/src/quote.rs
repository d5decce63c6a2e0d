//! Words as a POSIX shell reads them back unchanged.

use std::borrow::Cow;

/// A word as it is where every shell leaves it alone, otherwise in single quotes.
///
/// By hand, as `shell-words` 1.1 only quotes what it knows to be special: `{a,b}` and `!x` stay bare, and bash expands
/// them.
pub fn quote(word: &str) -> Cow<'_, str> {
    // Bash leaves these alone anywhere in a word.
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,@%+".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_shell_might_change_is_quoted() {
        for word in ["a-b_c./d=e:f,g@h%i+1", "--force"] {
            assert_eq!(quote(word), word);
        }
        for (word, quoted) in
            [("", "''"), ("a b", "'a b'"), ("it's", r"'it'\''s'"), ("{a,b}", "'{a,b}'"), ("é", "'é'")]
        {
            assert_eq!(quote(word), quoted);
        }
    }
}
