//! Sub-agents that exist: in the repository, in the user's folders, and in the hosts themselves.
//!
//! Where not everything could be seen (a folder that cannot be read, one with more files than are looked at, a link
//! that leaves the repository), no one can say of a name that it does not exist, and nothing is held back.

mod head;
mod hosts;
mod look;

use payload::Host;

pub(crate) use hosts::{is_builtin, is_same};
pub(crate) use look::look;

use crate::error::nearest;

/// An agent that someone has defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Defined {
    pub(crate) name: String,
    /// The hosts that load it.
    pub(crate) hosts: Vec<Host>,
}

/// Everything that was found.
#[derive(Debug, Default)]
pub(crate) struct Roster {
    /// The agents of the repository and of the user.
    pub(crate) defined: Vec<Defined>,
    /// Whether the repository defines any.
    pub(crate) in_repository: bool,
    /// Why there may be more of them.
    pub(crate) unseen: Option<&'static str>,
}

impl Roster {
    /// Whether someone has defined an agent of this name.
    pub(crate) fn has(&self, name: &str, host: Host) -> bool {
        // A plugin's agent is called with the plugin's name in front.
        let last = name.rsplit_once(':').map_or(name, |(_, last)| last);
        let is = |agent: &Defined| [name, last].iter().any(|name| hosts::is_same(&agent.name, name, host));
        self.defined.iter().any(is)
    }

    /// The names that may be meant: those that the host loads, its own, then those that only others load.
    pub(crate) fn names(&self, host: Host) -> Vec<&str> {
        let loaded = |agent: &Defined| agent.hosts.contains(&host) || host == Host::Unknown;
        let of = |wanted: bool| {
            let agents = self.defined.iter().filter(move |agent| loaded(agent) == wanted);
            let mut names: Vec<&str> = agents.map(|agent| agent.name.as_str()).collect();
            // Folders are read in no order, and a denial should read the same each time.
            names.sort_unstable();
            names
        };
        let own = hosts::builtin(host).map(|name| -> &str { name });
        let mut names: Vec<&str> = Vec::new();
        // Those last: the call would fail there, but the name tells what the repository means.
        for name in of(true).into_iter().chain(own).chain(of(false)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// Names that a denial lists.
const MAX_LISTED: usize = 8;
/// How much of a name a denial shows, in characters: anyone may have written it.
const MAX_SHOWN: usize = 60;

/// What to call instead of `written`.
pub(crate) fn advice(written: Option<&str>, names: &[&str]) -> String {
    let close = written.and_then(|written| nearest(written, names.iter().copied()));
    if let Some(close) = close {
        return format!("Call `{}`.", shown(close));
    }
    let listed: Vec<String> =
        names.iter().take(MAX_LISTED).map(|name| format!("`{}`", shown(name))).collect();
    let more = if names.len() > MAX_LISTED { " and others" } else { "" };
    if listed.is_empty() {
        return "Do the work without a sub-agent.".to_owned();
    }
    format!("Call one of {}{more}.", listed.join(", "))
}

/// A name as it is shown: on one line, and not too long.
pub(crate) fn shown(name: &str) -> String {
    let line = payload::one_line(name);
    match line.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denial_says_what_to_call() {
        let names = ["research", "review", "Explore"];
        assert_eq!(advice(Some("reserch"), &names), "Call `research`.");
        assert_eq!(advice(Some("explore"), &names), "Call `Explore`.");
        assert_eq!(advice(Some("deploy"), &names), "Call one of `research`, `review`, `Explore`.");
        assert_eq!(advice(None, &names), "Call one of `research`, `review`, `Explore`.");
        assert_eq!(advice(None, &["a"; 9]), format!("Call one of {} and others.", ["`a`"; 8].join(", ")));
        assert_eq!(advice(Some("x"), &[]), "Do the work without a sub-agent.");
        assert_eq!(shown("a\n\u{202e}b"), "a⏎·b");
        assert_eq!(shown(&"x".repeat(90)).chars().count(), 61);
    }
}
