//! For which calls a hook is there, as each host reads `matcher`.
//!
//! Recorded with 71 to 91 matchers on each host: `tests/matchers.json`.

use payload::{Dialect, EventKind};

use crate::product::Product;
use crate::request::claude_name;

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
enum Engine {
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
        let text = if self.whole { format!("^(?:{})$", self.text) } else { self.text.clone() };
        match self.engine {
            Engine::Rust => regex::Regex::new(&text).ok().map(Compiled::Rust),
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
        rest.len() < text.len() - at - open.len() && rest.starts_with(':')
    })
}

/// Whether a matcher is names with `|` between them.
fn is_names(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || "_|".contains(c))
}

/// Reads a matcher as the host does.
pub fn compile(product: Product, dialect: Dialect, kind: EventKind, text: &str) -> (Matcher, Option<Flaw>) {
    let pattern = |text: &str, engine, whole| {
        (Matcher::Pattern(Pattern { text: text.to_owned(), engine, whole }), None)
    };
    let names = |separators: &[char], text: &str| {
        let names = text.split(separators).map(|name| name.trim().to_owned());
        (Matcher::Names(names.filter(|name| !name.is_empty()).collect()), None)
    };
    // [run] Claude Code, Codex and Gemini CLI call these whatever stands there; Copilot CLI does so wherever there is no
    // tool.
    let ignored = match product {
        Product::VsCode => true,
        Product::CopilotCli | Product::CopilotCloud => !kind.is_about_tool(),
        Product::Claude | Product::Codex | Product::Gemini => {
            matches!(kind, EventKind::UserPromptSubmit | EventKind::Stop)
        }
    };
    if ignored {
        return (Matcher::All, Some(Flaw::Ignored));
    }
    match product {
        Product::VsCode => (Matcher::All, None),
        // [run] "matcher cannot be empty - hook will be skipped".
        Product::CopilotCli | Product::CopilotCloud if text.is_empty() => (Matcher::Never, Some(Flaw::Empty)),
        Product::CopilotCli | Product::CopilotCloud => {
            // [run] `Ba` does not match Bash: the whole name has to fit. Blanks around it count in camelCase only.
            let text = if dialect == Dialect::Timed { text.trim() } else { text };
            if dialect == Dialect::Timed && matches!(text, "*" | "**") {
                (Matcher::All, None)
            } else if dialect == Dialect::Timed && is_names(text) {
                // [run] Names, and only names, are translated: `bash` matches Bash, `^bash$` does not.
                let claudes: Vec<&str> = text.split('|').map(claude_name).collect();
                pattern(&claudes.join("|"), Engine::JavaScript, true)
            } else {
                pattern(text, Engine::JavaScript, true)
            }
        }
        Product::Claude | Product::Codex if matches!(text, "" | "*") => (Matcher::All, None),
        Product::Claude if text.chars().all(|c| c.is_ascii_alphanumeric() || "_ ,|-".contains(c)) => {
            names(&['|', ','], text)
        }
        Product::Claude => pattern(text, Engine::JavaScript, false),
        Product::Codex if is_names(text) => names(&['|'], text),
        Product::Codex => pattern(text, Engine::Rust, false),
        Product::Gemini if matches!(text.trim(), "" | "*") => (Matcher::All, None),
        // [source] Patterns are for tools; other events compare the whole word.
        Product::Gemini if !kind.is_about_tool() => (Matcher::Names(vec![text.trim().to_owned()]), None),
        Product::Gemini => pattern(text.trim(), Engine::OlderJavaScript, false),
    }
}

impl Matcher {
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
        assert_eq!(flaw(Product::Claude, Dialect::Strict, "Bash"), None);
        let invalid = |product, dialect, text| {
            compile(product, dialect, EventKind::PreToolUse, text).0.invalid().is_some()
        };
        assert!(invalid(Product::CopilotCli, Dialect::Flat, "*"));
        assert!(invalid(Product::Claude, Dialect::Strict, "(?i)bash"));
        assert!(invalid(Product::Codex, Dialect::Strict, "(?!Read).*"));
        assert!(!invalid(Product::Claude, Dialect::Strict, "^(?!Read$).*"));
        assert!(!invalid(Product::Codex, Dialect::Strict, r"\p{Lu}.*"));
    }
}
