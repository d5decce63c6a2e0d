//! Words: where a command's name ends, and how programs and built-in commands cut their arguments.

/// The commands that cmd runs itself.
pub(super) fn is_builtin(name: &str) -> bool {
    matches!(
        name,
        "assoc"
            | "call"
            | "cd"
            | "chdir"
            | "cls"
            | "color"
            | "copy"
            | "date"
            | "del"
            | "dir"
            | "echo"
            | "endlocal"
            | "erase"
            | "exit"
            | "ftype"
            | "goto"
            | "md"
            | "mkdir"
            | "mklink"
            | "move"
            | "path"
            | "pause"
            | "popd"
            | "prompt"
            | "pushd"
            | "rd"
            | "rem"
            | "ren"
            | "rename"
            | "rmdir"
            | "set"
            | "setlocal"
            | "shift"
            | "start"
            | "time"
            | "title"
            | "type"
            | "ver"
            | "verify"
            | "vol"
    )
}

/// A command's name, and what follows it.
pub(super) fn name(text: &str) -> (String, &str) {
    let text = text.trim_start_matches([' ', '\t', ',', ';', '=', '@']);
    let mut name = String::new();
    let mut quoted = false;
    let mut at = 0;
    let mut chars = text.char_indices();
    while let Some((index, c)) = chars.next() {
        at = index;
        match c {
            '"' => {
                quoted = !quoted;
                at = index + 1;
                continue;
            }
            '^' if !quoted => {
                if let Some((_, next)) = chars.next() {
                    name.push(next);
                }
                // The caret may have taken a character of several bytes with it.
                at = text.len() - chars.as_str().len();
                continue;
            }
            c if !quoted && (c.is_whitespace() || matches!(c, ',' | ';' | '=')) => break,
            '/' if !quoted && !name.is_empty() && !name.starts_with('/') && !name.starts_with('.') => break,
            // `cd..`, `cd\`, `echo.`
            '.' | '\\' | ':' | '(' | '+' | '[' | ']' if !quoted && is_builtin(&name.to_ascii_lowercase()) => {
                break;
            }
            _ => {}
        }
        name.push(c);
        at = index + c.len_utf8();
    }
    (name, &text[at..])
}

/// The words of a built-in command, without carets and quotes; switches that stand together are taken apart.
pub(super) fn builtin(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut quoted, mut any) = (false, false);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                quoted = !quoted;
                any = true;
            }
            '^' if !quoted => word.extend(chars.next()),
            // To cmd's own commands, these separate words as a blank does.
            c if !quoted && (c.is_whitespace() || matches!(c, ',' | ';' | '=')) => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            // `del/s/q x`: a switch needs no blank before it.
            '/' if !quoted && !word.is_empty() && is_switch(chars.as_str()) => {
                words.push(std::mem::take(&mut word));
                word.push('/');
            }
            c => word.push(c),
        }
    }
    if any || !word.is_empty() {
        words.push(word);
    }
    words
}

/// Whether a switch such as `/s` or `/-y` begins after a slash.
fn is_switch(rest: &str) -> bool {
    let mut chars = rest.trim_start_matches('-').chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.next().is_none_or(|c| c.is_whitespace() || matches!(c, '/' | ':' | '"'))
}

/// `text` without the carets that cmd takes away.
pub(super) fn uncareted(text: &str) -> String {
    if !text.contains('^') {
        return text.to_owned();
    }
    let mut plain = String::new();
    let mut quoted = false;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '^' if !quoted => plain.extend(chars.next()),
            c => {
                quoted ^= c == '"';
                plain.push(c);
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_where_cmd_says() {
        for (text, expected, rest) in [
            ("del/s/q x", "del", "/s/q x"),
            ("cd..", "cd", ".."),
            (r"cd\Windows", "cd", r"\Windows"),
            ("echo.hi", "echo", ".hi"),
            ("r^d /s x", "rd", " /s x"),
            (r#""C:\a b\c.exe" x"#, r"C:\a b\c.exe", " x"),
            (r#"de"l" x"#, "del", " x"),
        ] {
            assert_eq!(name(text), (expected.to_owned(), rest), "{text}");
        }
    }

    #[test]
    fn switches_are_taken_apart() {
        assert_eq!(builtin(r#"/s/q "C:\a b" c"#), ["/s", "/q", r"C:\a b", "c"]);
        assert_eq!(builtin(r"C:\x/s/q"), [r"C:\x", "/s", "/q"]);
        assert_eq!(builtin("src/main.c"), ["src/main.c"]);
    }
}
