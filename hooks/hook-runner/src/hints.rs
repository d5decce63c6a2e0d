//! Words that people try and that are not sub-commands: what to type instead.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};

/// A word, and what does it.
const HINTS: &[(&str, &str)] = &[
    ("add", "hook-runner init"),
    ("allow", "hook-runner approve"),
    ("anchor", "hook-runner log anchor"),
    ("approvals", "hook-runner approve"),
    ("audit", "hook-runner log"),
    ("block", "hook-runner explain 'COMMAND'"),
    ("bundle", "hook-runner policy bundle"),
    ("config", "hook-runner status"),
    ("context", "context-injector preview"),
    ("deny", "hook-runner explain 'COMMAND'"),
    ("disable", "hook-runner uninstall"),
    ("enable", "hook-runner init"),
    ("export", "hook-runner log query --format json"),
    ("families", "hook-runner rules"),
    ("format", "formatter-trigger which FILE"),
    ("history", "hook-runner log"),
    ("hooks", "hook-runner status"),
    ("hosts", "hook-runner status"),
    ("import", "hook-runner policy import"),
    ("info", "hook-runner status"),
    ("install", "hook-runner init"),
    ("learn", "hook-runner policy learn"),
    ("lint", "hook-runner check"),
    ("list", "hook-runner status"),
    ("logs", "hook-runner log"),
    ("ls", "hook-runner status"),
    ("pending", "hook-runner approve"),
    ("policies", "hook-runner policy"),
    ("preview", "context-injector preview"),
    ("pull", "hook-runner policy pull"),
    ("query", "hook-runner log query"),
    ("remove", "hook-runner uninstall"),
    ("search", "hook-runner log query"),
    ("self-update", "hook-runner update"),
    ("setup", "hook-runner init"),
    ("show", "hook-runner log show"),
    ("stats", "hook-runner report"),
    ("stop", "stop-guard check"),
    ("summary", "hook-runner report"),
    ("tail", "hook-runner log"),
    ("test", "hook-runner policy test, or hook-runner doctor"),
    ("upgrade", "hook-runner update"),
    ("verify", "hook-runner log verify"),
    ("version", "hook-runner --version"),
    ("which", "formatter-trigger which FILE"),
    ("why", "hook-runner explain 'COMMAND'"),
];

/// With what to type instead, in place of sub-commands that look like the word.
pub(crate) fn with_tip(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    if let Some(instead) = instead(word) {
        let tip = StyledStr::from(format!("try {instead}"));
        let _ = error.remove(ContextKind::SuggestedSubcommand);
        let _ = error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

fn instead(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    HINTS.iter().find(|(known, _)| *known == word).map(|(_, instead)| *instead)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line;

    #[test]
    fn every_hint_leads_to_a_sub_command_and_none_hides_one() {
        let command = command_line::command();
        for (word, instead) in HINTS {
            assert!(command.find_subcommand(word).is_none(), "{word} is a sub-command");
            for part in instead.split(", or ").filter_map(|part| part.strip_prefix("hook-runner ")) {
                let first = part.split(' ').next().unwrap_or_default();
                assert!(
                    first.starts_with("--") || command.find_subcommand(first).is_some(),
                    "{word}: {part}"
                );
            }
        }
        assert_eq!(instead("Install"), Some("hook-runner init"));
        assert_eq!(instead("frobnicate"), None);
    }
}
