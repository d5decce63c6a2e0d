//! For which calls a hook is there, as each host reads `matcher`.
//!
//! Recorded with 71 to 91 matchers on each host: `tests/matchers.json`.

use payload::EventKind;

/// For which calls a hook is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Matcher {
    /// For all.
    All,
    /// For these names.
    Names(Vec<String>),
    /// For names that fit.
    Pattern(Pattern),
    /// For none: the host skips the hook.
    Never,
}

/// A regular expression, in the language of the host's own engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    engine: Engine,
    /// Whether the whole name has to fit.
    whole: bool,
}

/// Whose regular expressions these are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// ECMAScript without flags: look-around, and no `(?i)`.
    JavaScript,
    /// The same on a Node.js that does not know `(?i:…)` yet: Gemini CLI brings none of its own.
    OlderJavaScript,
    /// Rust's `regex`: Unicode classes, flags, and no look-around.
    Rust,
}

/// A regular expression that is ready. Compiled when it is needed: whoever only wants to know which hooks there are links
/// no engine.
enum Compiled {
    JavaScript(regress::Regex),
    Rust(regex::Regex),
}

/// What is wrong with a matcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// The host does not look at it.
    Ignored,
    /// Empty, where empty means never.
    Empty,
}

impl Pattern {
    fn compiled(&self) -> Option<Compiled> {
        // The group keeps `a|b` together: without it the anchors would belong to one side each.
        let text = if self.whole { format!("^(?:{})$", self.text) } else { self.text.clone() };
        match self.engine {
            Engine::Rust => regex::Regex::new(&text).ok().map(Compiled::Rust),
            // `regress` takes them, as a newer Node.js does.
            Engine::OlderJavaScript if has_modifiers(&text) => None,
            Engine::JavaScript | Engine::OlderJavaScript => {
                regress::Regex::new(&text).ok().map(Compiled::JavaScript)
            }
        }
    }

    /// Whether it is a regular expression at all to its host; one that is not never matches.
    pub fn is_valid(&self) -> bool {
        self.compiled().is_some()
    }
}

impl Compiled {
    fn fits(&self, name: &str) -> bool {
        match self {
            Self::JavaScript(regex) => regex.find(name).is_some(),
            Self::Rust(regex) => regex.is_match(name),
        }
    }
}

/// Whether a group has modifiers of its own, `(?i:…)`, which Node.js knows since version 23.
fn has_modifiers(text: &str) -> bool {
    text.match_indices("(?").any(|(at, open)| {
        let rest = text[at + open.len()..].trim_start_matches(['i', 'm', 's', '-']);
        // `(?:` has none; only a letter or `-` in front of the colon makes it new.
        rest.len() < text.len() - at - open.len() && rest.starts_with(':')
    })
}

/// Whether a matcher is names with `|` between them.
pub(crate) fn is_names(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || "_|".contains(c))
}

/// Whether an event's hooks are called whatever their matcher says: [run] on Claude Code, Codex and Gemini CLI.
pub(crate) fn is_ignored(kind: EventKind) -> bool {
    matches!(kind, EventKind::UserPromptSubmit | EventKind::Stop)
}

impl Engine {
    /// Whose language it is.
    pub fn language(self) -> &'static str {
        match self {
            Self::JavaScript | Self::OlderJavaScript => "JavaScript",
            Self::Rust => "Rust",
        }
    }
}

impl Matcher {
    /// Names with one of these between them.
    pub(crate) fn names(text: &str, separators: &[char]) -> Self {
        let names = text.split(separators).map(|name| name.trim().to_owned());
        Self::Names(names.filter(|name| !name.is_empty()).collect())
    }

    /// A pattern that the whole name has to fit.
    pub(crate) fn whole(text: &str, engine: Engine) -> Self {
        Self::Pattern(Pattern { text: text.to_owned(), engine, whole: true })
    }

    /// A pattern that a part of the name has to fit.
    pub(crate) fn part(text: &str, engine: Engine) -> Self {
        Self::Pattern(Pattern { text: text.to_owned(), engine, whole: false })
    }

    /// Whether one of the names fits.
    pub fn matches<S: AsRef<str>>(&self, names: &[S]) -> bool {
        match self {
            Self::All => true,
            Self::Never => false,
            Self::Names(known) => names.iter().any(|name| known.iter().any(|known| known == name.as_ref())),
            Self::Pattern(pattern) => {
                pattern.compiled().is_some_and(|regex| names.iter().any(|name| regex.fits(name.as_ref())))
            }
        }
    }

    /// What it says, whatever stands around it in a file.
    pub fn text(&self) -> String {
        match self {
            Self::All | Self::Never => String::new(),
            Self::Names(names) => names.join("|"),
            Self::Pattern(pattern) => pattern.text.clone(),
        }
    }

    /// The pattern, if its host could not read it.
    pub fn invalid(&self) -> Option<&str> {
        match self {
            Self::Pattern(pattern) if !pattern.is_valid() => Some(&pattern.text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Product;
    use payload::Dialect;

    /// Rows of host-behaviour.md 0.14 and host-contract.md 2.2, 3.1 and 4: product, dialect, matcher, does it match.
    #[test]
    fn matchers_are_read_as_the_hosts_were_seen_to_read_them() {
        use Dialect::{Flat, Strict, Timed};
        let rows: &[(Product, Dialect, &str, &[&str], bool)] = &[
            (Product::CLAUDE, Strict, "", &["Bash"], true),
            (Product::CLAUDE, Strict, "*", &["Bash"], true),
            (Product::CLAUDE, Strict, ".*", &["Bash"], true),
            (Product::CLAUDE, Strict, "Bash", &["Bash"], true),
            (Product::CLAUDE, Strict, "bash", &["Bash"], false),
            (Product::CLAUDE, Strict, "Bas", &["Bash"], false),
            (Product::CLAUDE, Strict, "Edit|Bash", &["Bash"], true),
            (Product::CLAUDE, Strict, "Edit, Bash", &["Bash"], true),
            (Product::CLAUDE, Strict, "^Ba", &["Bash"], true),
            (Product::CLAUDE, Strict, "(", &["Bash"], false),
            (Product::COPILOT_CLI, Flat, "", &["bash"], false),
            (Product::COPILOT_CLI, Flat, "*", &["bash"], false),
            (Product::COPILOT_CLI, Flat, ".*", &["bash"], true),
            (Product::COPILOT_CLI, Flat, "bash", &["bash"], true),
            (Product::COPILOT_CLI, Flat, "Bash", &["bash"], false),
            (Product::COPILOT_CLI, Timed, "", &["Bash", "bash"], false),
            (Product::COPILOT_CLI, Timed, "*", &["Bash", "bash"], true),
            (Product::COPILOT_CLI, Timed, "**", &["Bash", "bash"], true),
            (Product::COPILOT_CLI, Timed, "Bash", &["Bash", "bash"], true),
            (Product::COPILOT_CLI, Timed, "bash", &["Bash", "bash"], true),
            (Product::COPILOT_CLI, Timed, "Edit|Bash", &["Bash", "bash"], true),
            (Product::COPILOT_CLI, Timed, "^Ba.*", &["Bash", "bash"], true),
            (Product::COPILOT_CLI, Timed, "Ba", &["Bash", "bash"], false),
            (Product::CODEX, Strict, "", &["Bash"], true),
            (Product::CODEX, Strict, "*", &["Bash"], true),
            (Product::CODEX, Strict, "Bash", &["Bash"], true),
            (Product::CODEX, Strict, "^Bash$", &["Bash"], true),
            (Product::CODEX, Strict, ".*", &["Bash"], true),
            (Product::CODEX, Strict, "exec_command", &["Bash"], false),
            (Product::CODEX, Strict, "shell", &["Bash"], false),
            (Product::GEMINI, Timed, "*", &["run_shell_command"], true),
            (Product::GEMINI, Timed, "run_shell_command", &["run_shell_command"], true),
            (Product::GEMINI, Timed, "write_.*", &["run_shell_command"], false),
            (Product::VS_CODE, Timed, "Nothing", &["run_in_terminal"], true),
        ];
        for (product, dialect, text, names, expected) in rows {
            let (matcher, _) = (product.matcher)(text, *dialect, EventKind::PreToolUse);
            assert_eq!(matcher.matches(names), *expected, "{product} {dialect:?} {text:?}");
        }
    }

    #[test]
    fn flaws_are_named() {
        let flaw =
            |product: Product, dialect, text| (product.matcher)(text, dialect, EventKind::PreToolUse).1;
        assert_eq!(flaw(Product::VS_CODE, Dialect::Timed, "Bash"), Some(Flaw::Ignored));
        assert_eq!(flaw(Product::COPILOT_CLI, Dialect::Flat, ""), Some(Flaw::Empty));
        assert_eq!(flaw(Product::CLAUDE, Dialect::Strict, "Bash"), None);
        let invalid = |product: Product, dialect, text| {
            (product.matcher)(text, dialect, EventKind::PreToolUse).0.invalid().is_some()
        };
        assert!(invalid(Product::COPILOT_CLI, Dialect::Flat, "*"));
        assert!(invalid(Product::CLAUDE, Dialect::Strict, "(?i)bash"));
        assert!(invalid(Product::CODEX, Dialect::Strict, "(?!Read).*"));
        assert!(!invalid(Product::CLAUDE, Dialect::Strict, "^(?!Read$).*"));
        assert!(!invalid(Product::CODEX, Dialect::Strict, r"\p{Lu}.*"));
    }
}
