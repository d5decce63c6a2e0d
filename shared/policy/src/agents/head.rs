//! The name in the head of a definition.

/// `name:` in the block between the first two `---`, at its outermost level.
pub(super) fn name(text: &str) -> Option<String> {
    let line = block(text)?.find_map(|line| line.strip_prefix("name:"))?;
    let name = scalar(line.trim());
    (!name.is_empty()).then_some(name)
}

/// Whether a string begins with such a block.
pub(super) fn has_block(text: &str) -> bool {
    block(text).is_some()
}

/// The lines of the block.
fn block(text: &str) -> Option<impl Iterator<Item = &str>> {
    // Editors on Windows put the mark in front, and the hosts read the file all the same.
    let mut lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines();
    if lines.next()?.trim_end() != "---" {
        return None;
    }
    Some(lines.take_while(|line| line.trim_end() != "---"))
}

/// A value of one line, as YAML writes it: `'it''s'`, `"a\"b"`, or plain up to a comment.
fn scalar(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some('\'') => {
            let mut value = String::new();
            while let Some(c) = chars.next() {
                // Two single quotes are one.
                if c == '\'' && chars.next() != Some('\'') {
                    break;
                }
                value.push(c);
            }
            value.trim().to_owned()
        }
        Some('"') => {
            let mut value = String::new();
            while let Some(c) = chars.next() {
                match c {
                    '"' => break,
                    '\\' => value.extend(chars.next()),
                    c => value.push(c),
                }
            }
            value.trim().to_owned()
        }
        // What goes on over several lines is not a name.
        Some('|' | '>') => String::new(),
        _ => text.find(" #").map_or(text, |comment| &text[..comment]).trim().to_owned(),
    }
}

/// `name = "…"` in front of the first table of a TOML file, as Codex has it.
pub(super) fn name_in_toml(text: &str) -> Option<String> {
    // By lines, since the head of a file may end anywhere, and half a file is not TOML.
    let mut lines = text.lines().map(str::trim).take_while(|line| !line.starts_with('['));
    let value = lines.find_map(|line| line.strip_prefix("name")?.trim_start().strip_prefix('='))?;
    let name = scalar(value.trim());
    (!name.is_empty()).then_some(name)
}

/// The agents that the tables `[agents.NAME]` of Codex's configuration define.
pub(super) fn tables(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter_map(|line| {
        let line = line.trim().strip_prefix("[agents.")?;
        let (name, _) = line.split_once(']')?;
        Some(scalar(name.trim())).filter(|name| !name.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_the_head() {
        for (text, found) in [
            ("---\r\nname: \"Research Agent\"\r\n---\r\n", Some("Research Agent")),
            ("\u{feff}---\nname: x\n---\n", Some("x")),
            ("---\ntools: []\nname: it's # mine\n---\n", Some("it's")),
            ("---\nname: 'it''s'\n---\n", Some("it's")),
            ("---\nname: \"a \\\"b\\\"\" # no\n---\n", Some("a \"b\"")),
            ("---\nname: c#\n---\n", Some("c#")),
            ("---\nname: x\n", Some("x")),
            ("---\nhooks:\n  name: x\n---\n", None),
            ("---\nname: |\n  x\n---\n", None),
            ("---\nname:\n---\n", None),
            ("---\ntools: []\n---\nname: x\n", None),
            ("# name: x\n", None),
            ("", None),
        ] {
            assert_eq!(name(text).as_deref(), found, "{text}");
        }
        assert!(has_block("---\nx: 1\n---\n") && !has_block("# Agents\n"));
    }

    #[test]
    fn codex_writes_toml() {
        assert_eq!(name_in_toml("# x\nname = 'cod-one'\n[x]\nname = \"y\"\n"), Some("cod-one".to_owned()));
        assert_eq!(name_in_toml("names = 'x'\n[x]\nname = \"y\"\n"), None);
        let text = "[agents.reviewer]\n[agents.\"two words\"]\n[agents]\n[other.x]\n";
        assert_eq!(tables(text).collect::<Vec<_>>(), ["reviewer", "two words"]);
    }
}
