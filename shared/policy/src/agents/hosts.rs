//! What the hosts bring with them, and when a name is the name of an agent.

use payload::{Compared, Host};

/// The names of a host's own agents.
pub(crate) fn builtin(host: Host) -> impl Iterator<Item = &'static str> {
    host.traits().agents.own.split_ascii_whitespace()
}

/// Whether the host brings this agent with it. Of a host that is not known, any may be meant.
pub(crate) fn is_builtin(name: &str, host: Host) -> bool {
    let of = |host: Host| builtin(host).any(|known| is_same(known, name, host));
    if host == Host::Unknown { Host::NAMED.into_iter().any(of) } else { of(host) }
}

/// Whether a host takes `written` for the agent `name`.
pub(crate) fn is_same(name: &str, written: &str, host: Host) -> bool {
    match host.traits().agents.compared {
        Compared::Exactly => name == written,
        // Not ASCII alone: an agent may be named in any language.
        Compared::AnyCase => name.to_lowercase() == written.to_lowercase(),
        Compared::Folded => folded(name).eq(folded(written)),
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
