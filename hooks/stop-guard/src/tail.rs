//! The end of a program's output, for the model and the person.

/// How many lines of a check's output the model sees, and how many characters.
const LINES: usize = 30;
const CHARACTERS: usize = 1500;

/// The end of a program's output, as it may be shown: without escape sequences and secrets, and not too much of it.
pub(crate) fn tail(output: &[u8]) -> String {
    // Redacted before it is cut: a cut secret would no longer be known as one.
    let text = process::plain(output);
    let lines: Vec<&str> = text
        .lines()
        // What a progress line wrote over itself is gone on a terminal, too.
        .map(|line| line.trim_end().rsplit('\r').next().unwrap_or_default().trim_end())
        .filter(|line| !line.is_empty())
        .collect();
    let from = lines.len().saturating_sub(LINES);
    let last = lines.get(from..).unwrap_or_default().join("\n");
    let surplus = last.chars().count().saturating_sub(CHARACTERS);
    if surplus == 0 {
        return last;
    }
    ['…'].into_iter().chain(last.chars().skip(surplus + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_is_short_plain_and_without_secrets() {
        let token = ["ghp", "_", &"a1B2c3D4e5F6".repeat(3)].concat();
        let mut output = String::new();
        for line in 0..100 {
            output += &["\u{1b}[31mline ", &line.to_string(), "\u{1b}[0m\r\n"].concat();
        }
        output += &["10%\r50%\rdone\nusing ", &token, " now\n\n"].concat();
        let shown = tail(output.as_bytes());
        assert!(shown.lines().count() <= LINES && shown.chars().count() <= CHARACTERS);
        assert!(shown.contains("line 99\n") && !shown.contains("line 1\n"), "{shown}");
        assert!(!shown.contains('\u{1b}') && !shown.contains('\r'), "{shown}");
        assert!(!shown.contains("a1B2c3") && shown.contains("[REDACTED:"), "{shown}");
        assert!(tail(&"x".repeat(100_000).into_bytes()).chars().count() == CHARACTERS);
        assert_eq!(tail(&[0xff, b'\n']), "\u{fffd}");
        assert_eq!(tail(b""), "");
    }
}
