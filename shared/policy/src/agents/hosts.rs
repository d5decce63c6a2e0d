//! What the hosts bring with them, and when a name is the name of an agent.
//!
//! Run: Copilot CLI 1.0.102, Claude Code 2.1.329, asked for an agent that does not exist, and for others in another
//! case. Read: Gemini CLI 0.61.0 (`loadBuiltInAgents`, a `Map` of names) and Codex CLI 0.169.0 (its built-in roles).
//! VS Code by its documentation; how it compares names is not known, so that case does not count there.

use payload::Host;

/// The names of a host's own agents.
pub(crate) fn builtin(host: Host) -> impl Iterator<Item = &'static str> {
    let list = match host {
        Host::Copilot => "explore task general-purpose rubber-duck code-review research security-review",
        // The guide is there in sessions at a terminal only, the fork where the setting lets it.
        Host::Claude => "general-purpose Explore Plan claude statusline-setup claude-code-guide fork",
        // The last two are tools that each start the one agent of their name.
        Host::VsCode => "Plan Explore Agent Ask Edit search_subagent execution_subagent",
        Host::Codex => "default explorer worker awaiter",
        Host::Gemini => "codebase_investigator generalist cli_help browser_agent",
        Host::Unknown => "",
    };
    list.split_ascii_whitespace()
}

/// Whether the host brings this agent with it. Of a host that is not known, any may be meant.
pub(crate) fn is_builtin(name: &str, host: Host) -> bool {
    let of = |host: Host| builtin(host).any(|known| is_same(known, name, host));
    if host == Host::Unknown { Host::NAMED.into_iter().any(of) } else { of(host) }
}

/// Whether a host takes `written` for the agent `name`.
pub(crate) fn is_same(name: &str, written: &str, host: Host) -> bool {
    match host {
        Host::Copilot | Host::Codex | Host::Gemini => name == written,
        // "claude-one" is "Claude_One" and "claude one".
        Host::Claude => folded(name).eq(folded(written)),
        Host::VsCode | Host::Unknown => name.to_lowercase() == written.to_lowercase(),
    }
}

/// A name without what Claude Code does not look at.
fn folded(name: &str) -> impl Iterator<Item = char> {
    let counts = |c: &char| !c.is_whitespace() && !matches!(c, '_' | '-' | '\u{2010}'..='\u{2015}');
    name.chars().filter(counts).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_as_the_host_does() {
        for (name, written, host, same) in [
            ("plain", "plain", Host::Copilot, true),
            ("plain", "Plain", Host::Copilot, false),
            ("claude-one", "Claude_One", Host::Copilot, false),
            ("claude-one", "Claude_One", Host::Claude, true),
            ("Claude One", "claude-one", Host::Claude, true),
            ("claude-one", "claude-two", Host::Claude, false),
            ("generalist", "Generalist", Host::Gemini, false),
            ("worker", "Worker", Host::Codex, false),
            ("Research Agent", "research agent", Host::VsCode, true),
            ("Research Agent", "research-agent", Host::VsCode, false),
        ] {
            assert_eq!(is_same(name, written, host), same, "{name} {written} {host}");
        }
    }

    #[test]
    fn every_host_has_agents_of_its_own() {
        for (name, host) in [
            ("explore", Host::Copilot),
            ("Explore", Host::Claude),
            ("general purpose", Host::Claude),
            ("plan", Host::VsCode),
            ("search_subagent", Host::VsCode),
            ("explorer", Host::Codex),
            ("codebase_investigator", Host::Gemini),
            ("Plan", Host::Unknown),
        ] {
            assert!(is_builtin(name, host), "{name} {host}");
            assert!(!is_builtin("made-up", host));
        }
        assert!(!is_builtin("Explore", Host::Copilot) && !is_builtin("", Host::Claude));
    }
}
