//! How configurations name our programs: by an absolute path of this machine, or by a name that each machine looks up.

use std::collections::BTreeMap;
use std::path::PathBuf;

use host::installed::command::{Call, Quoting, call, lasting_path};
use host::record::Quirk;
use host::tree::{self, Node};
use host::{Product, System};

use super::style::quoted;
use crate::command_line::Programs;

/// The commands that configurations get.
#[derive(Debug, Clone)]
pub(super) struct Form {
    /// Where the programs are; empty where names are written.
    paths: BTreeMap<&'static str, String>,
}

impl Form {
    /// Of these hooks, and those that are not to be found.
    pub(super) fn of(programs: Programs, hooks: &[&'static str]) -> (Self, Vec<&'static str>) {
        let mut paths = BTreeMap::new();
        let mut missing = Vec::new();
        for name in hooks {
            let found = match programs {
                Programs::Path => lasting_path(name),
                Programs::Name => host::installed::on_path(name),
            };
            match found.map(PathBuf::into_os_string).map(std::ffi::OsString::into_string) {
                Some(Ok(path)) if programs == Programs::Path => {
                    paths.insert(*name, path);
                }
                Some(Ok(_)) => {}
                // A path that is not Unicode cannot stand in JSON.
                Some(Err(_)) | None => missing.push(*name),
            }
        }
        (Self { paths }, missing)
    }

    /// Whether it leaves names as they are.
    pub(super) fn is_by_name(&self) -> bool {
        self.paths.is_empty()
    }

    /// The command for a call of ours; `None` leaves it as it is.
    pub(super) fn command(&self, quoting: Quoting, call: &Call) -> Option<String> {
        Some(Call::write(self.paths.get(call.program)?, &call.rest, quoting))
    }

    /// The command of Claude Code's status line.
    pub(super) fn status_line(&self) -> String {
        const NAME: &str = "hook-runner";
        let path = lasting_path(NAME)
            .filter(|_| !self.is_by_name())
            .and_then(|path| path.into_os_string().into_string().ok());
        let program = path.unwrap_or_else(|| NAME.to_owned());
        Call::write(&program, " statusline", quoting(Product::CLAUDE))
    }

    /// A shipped file of a folder of hooks, with our programs by these paths under the key of this system; that of others
    /// stays, as no one here reads it.
    pub(super) fn flat(&self, shipped: &str) -> String {
        let (key, quoting) = match System::HERE {
            System::Windows => ("powershell", Quoting::PowerShell),
            System::Linux | System::Mac => ("bash", Quoting::Posix),
        };
        rewritten(shipped, |name, call| if name == key { self.command(quoting, call) } else { None })
    }
}

/// How a host's shell on this system quotes.
pub(super) fn quoting(product: Product) -> Quoting {
    match System::HERE {
        System::Windows if !product.has(Quirk::SameShellOnWindows) => Quoting::PowerShell,
        _ => Quoting::Posix,
    }
}

/// A file with our programs by name, whichever way it has them.
pub(super) fn by_name(text: &str) -> String {
    // The shipped files have names: with these in the place of paths, a file that only differs in them is ours.
    rewritten(text, |_, call| Some(format!("{}{}", call.program, call.rest)))
}

/// A file of a folder of hooks with other commands in the place of ours.
fn rewritten(text: &str, command: impl Fn(&str, &Call) -> Option<String>) -> String {
    let Ok(document) = tree::parse(text) else { return text.to_owned() };
    let events = document.root.at("hooks").map(Node::members).unwrap_or_default();
    let entries = events.iter().flat_map(|event| event.node.elements().unwrap_or_default());
    let mut edits: Vec<_> = entries
        .flat_map(Node::members)
        .filter(|member| matches!(member.key.as_str(), "bash" | "powershell" | "command"))
        .filter_map(|member| {
            let command = command(&member.key, &call(member.node.text()?)?)?;
            Some((member.node.span.clone(), quoted(&command)))
        })
        .collect();
    // From the end, so that what comes before keeps its place.
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut text = text.to_owned();
    for (span, command) in edits {
        text.replace_range(span, &command);
    }
    text
}
