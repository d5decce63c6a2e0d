//! The hosts, as far as a call needs to know them: one file each, and one line each in the list below. All else that is
//! known of one is its record in `shared/host`.

mod claude;
mod codex;
mod copilot;
mod gemini;
mod qwen;
mod traits;
mod vscode;

use crate::address::Address;
use crate::detect::Clues;
use crate::model::{Outcome, Run};
pub use traits::{AgentForm, AgentPlace, Agents, Attended, Compared, Kept, Root, Traits};
pub(crate) use traits::{Allow, Ask};

/// Declares the hosts; the name of a file is that of the host.
macro_rules! hosts {
    ($($(#[$doc:meta])* $name:ident $file:ident;)*) => {
        /// The program that called the hook.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Host {
            $($(#[$doc])* $name,)*
            /// The payload does not show it.
            Unknown,
        }

        impl Host {
            /// Every host that has a name.
            pub const NAMED: [Self; [$(stringify!($file)),*].len()] = [$(Self::$name),*];

            /// The names that a `--host` flag takes.
            pub const NAMES: [&str; Self::NAMED.len()] = [$(stringify!($file)),*];

            pub(crate) const HINT: &str = concat!(
                "Use one of ", $(stringify!($file), ", ",)* "or omit the flag: the payload is recognised."
            );

            /// The name that a `--host` flag takes.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($file),)*
                    Self::Unknown => "unknown",
                }
            }

            /// What a call needs to know of it.
            pub const fn traits(self) -> &'static Traits {
                match self {
                    $(Self::$name => &$file::TRAITS,)*
                    Self::Unknown => &traits::UNKNOWN,
                }
            }
        }

        /// Who wrote a payload: the last of the list who may have, since the first ones take what no one else claims.
        pub(crate) fn writer(clues: &Clues<'_>) -> Host {
            let mut host = Host::Unknown;
            $(if $file::wrote(clues) {
                host = Host::$name;
            })*
            host
        }

        /// What the host at `from` makes of what a hook left behind.
        pub(crate) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
            match from.host {
                $(Host::$name => $file::read(from, run),)*
                Host::Unknown => Outcome::ignored("the host is not known"),
            }
        }
    };
}

hosts! {
    /// VS Code with Copilot Chat, the local harness.
    VsCode vscode;
    /// GitHub Copilot CLI and the Copilot cloud agent.
    Copilot copilot;
    Claude claude;
    Codex codex;
    Gemini gemini;
    Qwen qwen;
}
