//! What may become of a string: its line endings stay, and nothing of it gets lost.

/// `output` with the line endings that `input` had throughout. A formatter that is configured to write CRLF may do so.
pub(crate) fn with_endings_of(input: &str, output: String) -> String {
    // Known sooner than the endings are counted, and true of most.
    if !input.contains('\r') {
        return output;
    }
    let crlf = input.matches("\r\n").count();
    let all = input.matches('\n').count();
    if crlf == 0 || crlf != all || output.contains("\r\n") {
        return output;
    }
    output.replace('\n', "\r\n")
}

/// Why an output cannot be meant, if so.
pub(crate) fn is_refused(input: &str, output: &str) -> Option<&'static str> {
    if output.is_empty() {
        return Some("it printed nothing");
    }
    if output.contains('\0') {
        return Some("it printed no text");
    }
    if is_diff(output) && !is_diff(input) {
        return Some("it printed a diff");
    }
    if output.len() > input.len() / 2 {
        return None;
    }
    // Only blanks went: that is what a formatter is for.
    let ink = |text: &str| text.split_whitespace().collect::<String>();
    (ink(input) != ink(output)).then_some("it printed half of the file or less")
}

/// Whether a string is a list of changes, as of a formatter that is configured to show them and write nothing.
fn is_diff(text: &str) -> bool {
    let mut lines = text.lines();
    let mut begins = |start: &str| lines.next().is_some_and(|line| line.starts_with(start));
    begins("--- ") && begins("+++ ") && begins("@@ ")
}

/// The first and the last line of `new` that differ from `old`, from 1.
pub(crate) fn changed_lines(old: &str, new: &str) -> (usize, usize) {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let before = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - before;
    let after = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    (before + 1, (new.len() - after).max(before + 1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn line_endings_stay() {
        for (input, output, expected) in [
            ("a\r\nb\r\n", "a\nb\n", "a\r\nb\r\n"),
            ("a\r\nb\n", "a\nb\n", "a\nb\n"),
            ("a\nb\n", "a\nb\n", "a\nb\n"),
            ("a", "a\n", "a\n"),
            ("a\r\n", "a\r\n", "a\r\n"),
            ("a\n", "a\r\n", "a\r\n"),
        ] {
            assert_eq!(with_endings_of(input, output.to_owned()), expected, "{input:?} {output:?}");
        }
    }

    #[test]
    fn an_output_that_lost_something_is_refused() {
        for (input, output, fine) in [
            ("abcd", "", false),
            ("\n\n", "", false),
            ("abcd", "ab", false),
            ("abcd", "abc", true),
            ("a\n\n\n\n\n\n\n", "a\n", true),
            ("{ }\n\n\n\n", "{}\n", true),
            ("abcd", "a\0cd", false),
            ("a", "a\n", true),
            ("a\n", "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n", false),
            ("--- a\n+++ b\n@@ -1 +1 @@\n-a \n+b\n", "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n", true),
        ] {
            assert_eq!(is_refused(input, output).is_none(), fine, "{input:?} {output:?}");
        }
    }

    #[test]
    fn the_changed_lines_are_found() {
        for (old, new, lines) in [
            ("a\nb\nc\n", "a\nB\nc\n", (2, 2)),
            ("a\nb\n", "a\nb\nc\n", (3, 3)),
            ("a\nb\nc\n", "a\nc\n", (2, 2)),
            ("a\na\n", "a\na\na\n", (3, 3)),
            ("x", "x\n", (2, 2)),
            ("fn a(){}\n", "fn a() {\n}\n", (1, 2)),
        ] {
            assert_eq!(changed_lines(old, new), lines, "{old:?} {new:?}");
        }
    }

    proptest! {
        #[test]
        fn endings_are_one_kind_where_they_were(lines in prop::collection::vec("[a-z ]{0,5}", 1..6)) {
            let lf: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let crlf = lf.replace('\n', "\r\n");
            prop_assert_eq!(with_endings_of(&crlf, lf.clone()), crlf);
            prop_assert_eq!(with_endings_of(&lf, lf.clone()), lf);
        }

        #[test]
        fn changed_lines_lie_in_the_new_text(old in "([ab]\n){0,6}", new in "([ab]\n){1,6}") {
            let (first, last) = changed_lines(&old, &new);
            prop_assert!(1 <= first && first <= last && last <= new.lines().count() + 1);
        }
    }
}
