//! What programs said, and how they were called, for people and models to read.

/// A program's output as it may be shown: text, without escape sequences and secrets.
pub fn plain(output: &[u8]) -> String {
    let stripped = strip_ansi_escapes::strip(output);
    let text = String::from_utf8_lossy(&stripped);
    redact::Redactor::untagged().redact(&text).text.into_owned()
}

/// A command line for people to read; it is never run like that.
pub fn quoted<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    format!("`{}`", shell_words::join(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_plain_and_without_secrets() {
        let token = ["ghp", "_", &"a1B2c3D4e5F6".repeat(3)].concat();
        let shown = plain(format!("\u{1b}[31mred\u{1b}[0m {token}\n").as_bytes());
        assert!(shown.starts_with("red [REDACTED:") && !shown.contains("a1B2c3"), "{shown}");
        assert_eq!(plain(&[0xff]), "\u{fffd}");
    }

    #[test]
    fn words_that_a_shell_would_split_are_quoted() {
        assert_eq!(quoted(["cargo", "test", "a b", ""]), "`cargo test 'a b' ''`");
    }
}
