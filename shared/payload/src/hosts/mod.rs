//! The hosts, as far as a call needs to know them: one file each, and one line each in the list below. All else that is
//! known of one is its record in `shared/host`.

mod antigravity;
mod augment;
mod claude;
mod cline;
mod codex;
mod copilot;
mod crush;
mod cursor;
mod devin;
mod droid;
mod gemini;
mod hermes;
mod kiro;
mod late;
mod opencode;
mod openhands;
mod pi;
mod plugin;
mod qwen;
mod traits;
mod vscode;
mod windsurf;

use crate::address::Address;
use crate::detect::Clues;
use crate::model::{Outcome, Run};
pub use traits::{AgentForm, AgentPlace, Agents, Attended, Compared, Kept, Root, Traits};
pub(crate) use traits::{Allow, Ask, Own, Word};

/// Declares the hosts; the name of a file is that of the host.
macro_rules! hosts {
    (
        everyday { $($(#[$doc:meta])* $name:ident $file:ident;)* }
        late { $($(#[$late_doc:meta])* $late:ident $late_file:ident;)* }
    ) => {
        /// The program that called the hook.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Host {
            $($(#[$doc])* $name,)*
            $($(#[$late_doc])* $late,)*
            /// The payload does not show it.
            Unknown,
        }

        impl Host {
            /// Every host that has a name.
            pub const NAMED: [Self; [$(stringify!($file),)* $(stringify!($late_file)),*].len()] =
                [$(Self::$name,)* $(Self::$late),*];

            /// The names that a `--host` flag takes.
            pub const NAMES: [&str; Self::NAMED.len()] = [$(stringify!($file),)* $(stringify!($late_file)),*];

            pub(crate) const HINT: &str = concat!(
                "Use one of ", $(stringify!($file), ", ",)* $(stringify!($late_file), ", ",)* "or omit the flag: the payload is recognised."
            );

            /// The name that a `--host` flag takes.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($file),)*
                    $(Self::$late => stringify!($late_file),)*
                    Self::Unknown => "unknown",
                }
            }

            /// What a call needs to know of it.
            pub const fn traits(self) -> &'static Traits {
                match self {
                    $(Self::$name => &$file::TRAITS,)*
                    $(Self::$late => &$late_file::TRAITS,)*
                    Self::Unknown => &traits::UNKNOWN,
                }
            }

            /// Whether its payloads are recognised after those of everyday calls, and unpacked then.
            pub const fn is_late(self) -> bool {
                matches!(self, $(Self::$late)|*)
            }
        }

        /// Who wrote a payload: the last of the list who may have, since the first ones take what no one else claims.
        pub(crate) fn writer(clues: &Clues<'_>) -> Host {
            let mut host = Host::Unknown;
            $(if $file::wrote(clues) {
                host = Host::$name;
            })*
            // Everyday calls end here: each of the others is asked about only where something speaks for it.
            if late::may_have_written(host, clues) {
                $(if $late_file::wrote(clues) {
                    return Host::$late;
                })*
            }
            host
        }

        /// What the host at `from` makes of what a hook left behind.
        pub(crate) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
            match from.host {
                $(Host::$name => $file::read(from, run),)*
                $(Host::$late => $late_file::read(from, run),)*
                Host::Unknown => Outcome::ignored("the host is not known"),
            }
        }
    };
}

hosts! {
    everyday {
    /// VS Code with Copilot Chat, the local harness.
    VsCode vscode;
    /// GitHub Copilot CLI and the Copilot cloud agent.
    Copilot copilot;
    Claude claude;
    Codex codex;
    Gemini gemini;
    Qwen qwen;
    }
    late {
    /// Cursor, the editor and its agent in the terminal.
    Cursor cursor;
    Cline cline;
    /// `OpenCode`, by the plugin of `configs/opencode`.
    OpenCode opencode;
    /// Pi, by the extension of `configs/pi`.
    Pi pi;
    /// Windsurf, which is Devin Desktop now.
    Windsurf windsurf;
    Kiro kiro;
    Antigravity antigravity;
    /// Factory's Droid.
    Droid droid;
    /// Augment Code's Auggie.
    Augment augment;
    Devin devin;
    Crush crush;
    Hermes hermes;
    OpenHands openhands;
    }
}
