//! Whether it is a person who types here, as far as the system's list of processes tells.
//!
//! Four things have to hold, and what cannot be seen does not hold:
//!
//! 1. No process between this one and the system's first is an agent's host, or was started with a host's mark.
//! 2. The chain of parents leads through the leader of the terminal's session to whoever made the terminal: a process that
//!    cut itself loose is not an one's.
//! 3. Who holds the other end of the terminal, and so types, is a terminal window of the system, a login on a console, or
//!    `sshd` for someone elsewhere. Multiplexers, `script`, `expect` and any other program type what they like.
//! 4. No agent works in the same terminal.

use std::path::{Path, PathBuf};

use crate::trust::agents::{self, Agent};
use crate::trust::terminal::NoPerson;

/// Terminal windows that type nothing by themselves: no remote control, no protocol to type into them, no log of what they
/// show. Not kitty and `WezTerm` (remote control), Konsole (D-Bus), xterm and rxvt (logs, scripts).
const TERMINALS: &[&str] = &[
    "alacritty",
    "cosmic-term",
    "deepin-terminal",
    "foot",
    "ghostty",
    "gnome-console",
    "gnome-terminal-server",
    "kgx",
    "lxterminal",
    "mate-terminal",
    "ptyxis",
    "ptyxis-agent",
    "qterminal",
    "rio",
    "st",
    "tilix",
    "xfce4-terminal",
];

/// What any program of the user can type into.
const OPEN: &[&str] = &[
    "tmux",
    "screen",
    "zellij",
    "byobu",
    "abduco",
    "dtach",
    "kitty",
    "wezterm-gui",
    "wezterm-mux-server",
    "konsole",
    "yakuake",
    "xterm",
    "urxvt",
    "urxvtd",
    "rxvt",
    "emacs",
    "vim",
    "nvim",
    "mosh-server",
];

/// Services of the system that let people in.
const LOGINS: &[&str] = &["login", "sshd", "sshd-session", "sshd-auth"];

/// More than any chain of parents that is not endless.
const LONGEST: usize = 256;

/// A process, as far as it can be seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    pub(crate) parent: u32,
    pub(crate) session: u32,
    /// Its controlling terminal; 0 for none.
    pub(crate) terminal: u64,
    pub(crate) user: u32,
    /// What it is called.
    pub(crate) name: String,
    /// What it runs; `None` where that is someone else's.
    pub(crate) exe: Option<PathBuf>,
    /// Whether what it runs belongs to the system, and lies where no one else can have put it.
    pub(crate) is_the_systems: bool,
    pub(crate) args: Vec<String>,
    /// The mark of a host that it was started with.
    pub(crate) mark: Option<(&'static str, &'static str)>,
}

/// What the system says about its processes.
pub(crate) trait Processes {
    /// A process; `None` where it cannot be seen.
    fn get(&self, pid: u32) -> Option<Process>;
    /// All that can be seen.
    fn all(&self) -> Vec<u32>;
    /// Who holds the other end of this pseudo-terminal, of those that can be seen.
    fn holders(&self, pseudo_terminal: u32) -> Vec<u32>;
    /// Whether a program may push letters into the input of its own terminal.
    fn may_push_input(&self) -> bool;
    /// Whether someone is logged in from this machine to itself.
    fn is_logged_in_to_itself(&self) -> bool;
}

/// What a terminal is.
enum Kind {
    Console,
    Pseudo(u32),
    Other,
}

fn kind(terminal: u64) -> Kind {
    // As `stat` writes it: the lowest byte and the third and fourth are the minor, the second is the major.
    let minor = u32::try_from((terminal & 0xFF) | (terminal >> 12 & 0xF_FF00)).unwrap_or(u32::MAX);
    match terminal >> 8 & 0xFFF {
        // Unix98 pseudo-terminals.
        136 => Kind::Pseudo(minor),
        // Virtual consoles and serial lines; 204 and 229 are those of ARM boards and hypervisors.
        4 if minor > 0 => Kind::Console,
        204 | 229 => Kind::Console,
        _ => Kind::Other,
    }
}

/// Whether it is a person who types for the process `own`. `more` are terminals that the machine's administrator named.
pub(crate) fn judge(world: &impl Processes, own: u32, more: &[PathBuf]) -> Result<(), NoPerson> {
    let own = world.get(own).ok_or(NoPerson::Unseen)?;
    let chain = chain(world, &own)?;
    // First of all: a message that names the agent says more than one about the terminal.
    for process in &chain {
        no_agent(process)?;
    }
    if own.terminal == 0 {
        return Err(NoPerson::NoTerminal);
    }
    // The others at this terminal count as well: one of them may type for us.
    for pid in world.all() {
        let Some(process) = world.get(pid).filter(|process| process.terminal == own.terminal) else {
            continue;
        };
        no_agent(&process)?;
        // Who has this terminal and no parent in it may have been left there to type.
        if world.may_push_input() && !self::chain(world, &process)?.iter().any(|one| one.pid == own.session) {
            return Err(NoPerson::Loose);
        }
    }
    let leader = chain.iter().position(|process| process.pid == own.session).ok_or(NoPerson::Loose)?;
    let above = &chain[leader + 1..];
    let Kind::Pseudo(number) = kind(own.terminal) else {
        let logged_in = above.iter().chain(chain.get(leader)).any(|one| is_login(one) && one.name == "login");
        return match kind(own.terminal) {
            Kind::Console if logged_in => Ok(()),
            _ => Err(NoPerson::Unseen),
        };
    };
    let holders = world.holders(number);
    // A user does not see what root's `sshd` holds: then one has to be among the parents.
    if holders.is_empty() {
        return remote(world, above);
    }
    for holder in &holders {
        let holder = world.get(*holder).ok_or(NoPerson::Unseen)?;
        // An agent may stand above the window, as a terminal inside of an editor does.
        for process in std::iter::once(&holder).chain(&self::chain(world, &holder)?) {
            no_agent(process)?;
        }
        if is_login(&holder) && holder.name.starts_with("sshd") {
            remote(world, above)?;
        } else if !is_terminal(&holder, more) {
            return Err(held(&holder));
        }
    }
    // A window that is not among the parents did not start this: a process that cut itself loose may open any
    // terminal of the user's.
    if above.iter().any(|process| holders.contains(&process.pid)) { Ok(()) } else { Err(NoPerson::Loose) }
}

/// The process and its parents, up to the first of all.
fn chain(world: &impl Processes, of: &Process) -> Result<Vec<Process>, NoPerson> {
    let mut chain = vec![of.clone()];
    while let Some(last) = chain.last()
        && last.parent != 0
    {
        if chain.len() > LONGEST {
            return Err(NoPerson::Unseen);
        }
        let parent = world.get(last.parent).ok_or(NoPerson::Unseen)?;
        chain.push(parent);
    }
    Ok(chain)
}

fn no_agent(process: &Process) -> Result<(), NoPerson> {
    if let Some((_, mark)) = process.mark {
        return Err(NoPerson::Agent(mark));
    }
    match agents::by_program(&process.name, process.exe.as_deref(), &process.args) {
        Some(Agent { name, .. }) => Err(NoPerson::Host(name)),
        None => Ok(()),
    }
}

/// Whether a process is a service that lets people in: the system's, as only the system starts one as root.
fn is_login(process: &Process) -> bool {
    // A user's processes may have any name, but not this owner; of another user's only the name is seen.
    process.user == 0 && LOGINS.contains(&&*process.name) && (process.exe.is_none() || process.is_the_systems)
}

/// Someone who came by the network: each process up to the system's `sshd` is one of its.
fn remote(world: &impl Processes, above: &[Process]) -> Result<(), NoPerson> {
    let mut theirs = above.iter().take_while(|process| process.name.starts_with("sshd"));
    if !theirs.any(is_login) {
        return Err(NoPerson::Unseen);
    }
    if world.is_logged_in_to_itself() {
        return Err(NoPerson::FromHere);
    }
    Ok(())
}

fn file_name(process: &Process) -> String {
    let name =
        process.exe.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| process.name.clone())
}

fn is_terminal(process: &Process, more: &[PathBuf]) -> bool {
    let Some(exe) = process.exe.as_ref().filter(|_| process.is_the_systems) else { return false };
    more.contains(exe) || TERMINALS.contains(&&*file_name(process))
}

fn held(by: &Process) -> NoPerson {
    let name = file_name(by);
    match OPEN.iter().find(|open| **open == name || by.name.starts_with(&format!("{open}:"))) {
        Some(open) => NoPerson::Open(open),
        None => NoPerson::Program(name.chars().filter(char::is_ascii_graphic).take(40).collect()),
    }
}

#[cfg(test)]
mod tests;
