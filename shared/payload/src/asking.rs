//! Whether `ask` reaches a person.

use crate::event::Event;
use crate::host::Host;

/// What becomes of a hook's `ask` before a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Asking {
    /// A person is asked; with no one there (`claude -p`, `copilot -p`, the Copilot cloud agent) the call is denied.
    Asks,
    /// A person at the host's terminal is asked; without one the call does not run, and the run ends. The payload does not
    /// tell which it is: [`Event::reach`] finds out.
    AtTerminal,
    /// As with `Asks`, if it is the host's own client; an application on its SDK may say yes by itself, and the payload does
    /// not tell which it is: [`Event::reach`] finds out.
    ByOwnClient,
    /// No one has seen the host ask in this mode, or someone saw it run the tool.
    Unproven,
    /// The tool runs, or the whole run ends; [`crate::render`] says deny instead.
    Never,
}

/// What becomes of `ask` on a host in a permission mode; unknown hosts never ask.
pub fn asking(host: Host, permission_mode: Option<&str>) -> Asking {
    let mode = permission_mode.unwrap_or("*");
    // The row of `*` is each host's last.
    let row = host.traits().asking.iter().find(|(named, ..)| *named == mode || *named == "*");
    row.map_or(Asking::Never, |(_, asking, _)| *asking)
}

/// How to find out whether a question reaches a person, where its host does not tell.
#[derive(Debug, Clone, Copy)]
pub struct PersonSearch {
    /// Whether one sits at the host's terminal.
    pub at_terminal: fn() -> bool,
    /// Whether the host's own client asks, and not an application on its SDK.
    pub by_own_client: fn() -> bool,
}

impl Default for PersonSearch {
    fn default() -> Self {
        Self { at_terminal: || false, by_own_client: || true }
    }
}

/// Whether a question reaches a person.
#[derive(Debug, Clone, Copy)]
pub enum Reach {
    /// It does, or does not.
    Known(bool),
    /// To be looked up, which costs something: only when there is a question.
    Find(fn() -> bool),
}

impl Reach {
    /// Whether it does; looks it up.
    pub fn holds(self) -> bool {
        match self {
            Self::Known(reaches) => reaches,
            Self::Find(find) => find(),
        }
    }
}

impl Event<'_> {
    /// Says how to find out whether a question of that kind reaches a person. Without it no one sits at a terminal, and
    /// every client is the host's own.
    pub fn look_for_person(&mut self, search: PersonSearch) {
        self.person = search;
    }

    /// What becomes of `ask` in answer to this event, by its host and permission mode.
    ///
    /// [`crate::Address::can_ask`] says whether `ask` is sent at all; this says whether to rely on it.
    pub fn asking(&self) -> Asking {
        asking(self.host, self.permission_mode().as_deref())
    }

    /// Whether `ask` in answer to this event reaches a person, as far as that can be known.
    pub fn reach(&self) -> Reach {
        match self.asking() {
            // What is not sent reaches no one, whatever the mode.
            _ if !self.address().can_ask() => Reach::Known(false),
            Asking::Asks => Reach::Known(true),
            Asking::AtTerminal => Reach::Find(self.person.at_terminal),
            Asking::ByOwnClient => Reach::Find(self.person.by_own_client),
            Asking::Unproven | Asking::Never => Reach::Known(false),
        }
    }

    /// Whether a person is asked about what changes the host's own settings in the repository.
    pub fn asks_about_settings(&self) -> bool {
        let unasked = self.host.traits().unasked_about_settings;
        unasked.is_none() || self.permission_mode().as_deref() != unasked
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::{Address, EventKind};

    #[test]
    fn a_mode_of_its_own_comes_before_the_rest() {
        assert_eq!(asking(Host::Claude, Some("auto")), Asking::Unproven);
        assert_eq!(asking(Host::Claude, Some("bypassPermissions")), Asking::Asks);
        assert_eq!(asking(Host::Claude, None), Asking::Asks);
        assert_eq!(asking(Host::Unknown, None), Asking::Never);
    }

    #[test]
    fn ask_is_sent_exactly_where_the_table_does_not_say_never() {
        for host in Host::NAMED {
            for dialect in host.dialects() {
                let to =
                    Address { host, dialect: *dialect, kind: EventKind::PreToolUse, name: Cow::Borrowed("") };
                assert_eq!(to.can_ask(), asking(host, None) != Asking::Never, "{host}");
            }
        }
    }
}
