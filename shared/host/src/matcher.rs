//! For which calls a hook is there, as each host reads `matcher`.

use payload::{Dialect, EventKind};
use regex_lite::Regex;

use crate::product::Product;

/// For which calls a hook is there.
#[derive(Debug, Clone)]
pub enum Matcher {
    /// For all.
    All,
    /// For these names.
    Names(Vec<String>),
    /// For names that fit.
    Pattern(Box<Regex>),
    /// For none: the host skips the hook.
    Never,
}

impl PartialEq for Matcher {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Names(a), Self::Names(b)) => a == b,
            (Self::Pattern(a), Self::Pattern(b)) => a.as_str() == b.as_str(),
            (Self::All, Self::All) | (Self::Never, Self::Never) => true,
            _ => false,
        }
    }
}

impl Eq for Matcher {}

/// What is wrong with a matcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// The host does not look at it.
    Ignored,
    /// Empty, where empty means never.
    Empty,
    /// No regular expression, so that it never matches.
    Invalid,
}

/// Reads a matcher as the host does.
pub fn compile(product: Product, dialect: Dialect, kind: EventKind, text: &str) -> (Matcher, Option<Flaw>) {
    let regex = |pattern: &str| match Regex::new(pattern) {
        Ok(regex) => (Matcher::Pattern(Box::new(regex)), None),
        Err(_) => (Matcher::Never, Some(Flaw::Invalid)),
    };
    match product {
        // [source] The field is parsed and never used.
        Product::VsCode => (Matcher::All, Some(Flaw::Ignored)),
        Product::CopilotCli | Product::CopilotCloud => {
            if !kind.is_about_tool() {
                (Matcher::All, Some(Flaw::Ignored))
            } else if text.is_empty() {
                // [run] "matcher cannot be empty - hook will be skipped".
                (Matcher::Never, Some(Flaw::Empty))
            } else if dialect == Dialect::Timed && matches!(text, "*" | "**") {
                (Matcher::All, None)
            } else {
                // [run] `Ba` does not match Bash: the whole name has to fit.
                regex(&format!("^(?:{text})$"))
            }
        }
        Product::Claude => {
            if matches!(text, "" | "*") {
                (Matcher::All, None)
            } else if text.chars().all(|c| c.is_ascii_alphanumeric() || "_ ,|-".contains(c)) {
                let names = text.split(['|', ',']).map(|name| name.trim().to_owned());
                (Matcher::Names(names.filter(|name| !name.is_empty()).collect()), None)
            } else {
                regex(text)
            }
        }
        Product::Codex if matches!(text, "" | "*") => (Matcher::All, None),
        Product::Codex => regex(text),
        Product::Gemini if matches!(text, "" | "*") => (Matcher::All, None),
        // [source] Patterns are for tools; other events compare the whole word.
        Product::Gemini if !kind.is_about_tool() => (Matcher::Names(vec![text.to_owned()]), None),
        Product::Gemini => regex(text),
    }
}

impl Matcher {
    /// Whether one of the names fits.
    pub fn matches<S: AsRef<str>>(&self, names: &[S]) -> bool {
        match self {
            Self::All => true,
            Self::Never => false,
            Self::Names(known) => names.iter().any(|name| known.iter().any(|known| known == name.as_ref())),
            Self::Pattern(regex) => names.iter().any(|name| regex.is_match(name.as_ref())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of host-behaviour.md 0.14 and host-contract.md 2.2, 3.1 and 4: product, dialect, matcher, does it match.
    #[test]
    fn matchers_are_read_as_the_hosts_were_seen_to_read_them() {
        use Dialect::{Flat, Strict, Timed};
        let rows: &[(Product, Dialect, &str, &[&str], bool)] = &[
            (Product::Claude, Strict, "", &["Bash"], true),
            (Product::Claude, Strict, "*", &["Bash"], true),
            (Product::Claude, Strict, ".*", &["Bash"], true),
            (Product::Claude, Strict, "Bash", &["Bash"], true),
            (Product::Claude, Strict, "bash", &["Bash"], false),
            (Product::Claude, Strict, "Bas", &["Bash"], false),
            (Product::Claude, Strict, "Edit|Bash", &["Bash"], true),
            (Product::Claude, Strict, "Edit, Bash", &["Bash"], true),
            (Product::Claude, Strict, "^Ba", &["Bash"], true),
            (Product::Claude, Strict, "(", &["Bash"], false),
            (Product::CopilotCli, Flat, "", &["bash"], false),
            (Product::CopilotCli, Flat, "*", &["bash"], false),
            (Product::CopilotCli, Flat, ".*", &["bash"], true),
            (Product::CopilotCli, Flat, "bash", &["bash"], true),
            (Product::CopilotCli, Flat, "Bash", &["bash"], false),
            (Product::CopilotCli, Timed, "", &["Bash", "bash"], false),
            (Product::CopilotCli, Timed, "*", &["Bash", "bash"], true),
            (Product::CopilotCli, Timed, "**", &["Bash", "bash"], true),
            (Product::CopilotCli, Timed, "Bash", &["Bash", "bash"], true),
            (Product::CopilotCli, Timed, "bash", &["Bash", "bash"], true),
            (Product::CopilotCli, Timed, "Edit|Bash", &["Bash", "bash"], true),
            (Product::CopilotCli, Timed, "^Ba.*", &["Bash", "bash"], true),
            (Product::CopilotCli, Timed, "Ba", &["Bash", "bash"], false),
            (Product::Codex, Strict, "", &["Bash"], true),
            (Product::Codex, Strict, "*", &["Bash"], true),
            (Product::Codex, Strict, "Bash", &["Bash"], true),
            (Product::Codex, Strict, "^Bash$", &["Bash"], true),
            (Product::Codex, Strict, ".*", &["Bash"], true),
            (Product::Codex, Strict, "exec_command", &["Bash"], false),
            (Product::Codex, Strict, "shell", &["Bash"], false),
            (Product::Gemini, Timed, "*", &["run_shell_command"], true),
            (Product::Gemini, Timed, "run_shell_command", &["run_shell_command"], true),
            (Product::Gemini, Timed, "write_.*", &["run_shell_command"], false),
            (Product::VsCode, Timed, "Nothing", &["run_in_terminal"], true),
        ];
        for (product, dialect, text, names, expected) in rows {
            let (matcher, _) = compile(*product, *dialect, EventKind::PreToolUse, text);
            assert_eq!(matcher.matches(names), *expected, "{product} {dialect:?} {text:?}");
        }
    }

    #[test]
    fn flaws_are_named() {
        let flaw = |product, dialect, text| compile(product, dialect, EventKind::PreToolUse, text).1;
        assert_eq!(flaw(Product::VsCode, Dialect::Timed, "Bash"), Some(Flaw::Ignored));
        assert_eq!(flaw(Product::CopilotCli, Dialect::Flat, ""), Some(Flaw::Empty));
        assert_eq!(flaw(Product::CopilotCli, Dialect::Flat, "*"), Some(Flaw::Invalid));
        assert_eq!(flaw(Product::Claude, Dialect::Strict, "("), Some(Flaw::Invalid));
        assert_eq!(flaw(Product::Claude, Dialect::Strict, "Bash"), None);
    }
}
