//! Whether it is a person who types here, by what macOS's `ps` says of the processes around.
//!
//! Who holds the other end of a terminal cannot be asked there. So every parent is looked at, up to a terminal window, a
//! login on a console or `sshd`; what was cut loose ends at `launchd` before it reaches one.

use std::path::Path;
use std::process::Command;

use crate::trust::agents::{self, Agent};
use crate::trust::terminal::NoPerson;

/// Where programs lie that people install for everyone, and the system's own.
const FOLDERS: [&str; 3] = ["/System/", "/Applications/", "/usr/"];

/// What lets people in: terminal windows, and services of the system. Not iTerm2, kitty and `WezTerm`, into which other
/// programs can type by default.
const ENTRANCES: [&str; 6] = ["Terminal", "Ghostty", "ghostty", "alacritty", "sshd", "sshd-session"];

/// More than any chain of parents that is not endless.
const LONGEST: usize = 256;

pub(crate) fn judge(own: u32) -> Result<(), NoPerson> {
    // The system's own program: no one can put another one there.
    // Without our environment: a variable must not change what it prints.
    let listed = Command::new("/bin/ps").env_clear().args(["-axo", "pid=,ppid=,uid=,comm="]).output();
    let listed = listed.map_err(|_| NoPerson::Unseen)?;
    judge_list(&String::from_utf8_lossy(&listed.stdout), own)
}

fn judge_list(list: &str, own: u32) -> Result<(), NoPerson> {
    let process = |pid: u32| {
        list.lines().find_map(|line| {
            let mut fields = line.trim_start().splitn(2, char::is_whitespace);
            // The name of a program may have blanks: only the first three fields are split off.
            if fields.next()?.parse() != Ok(pid) {
                return None;
            }
            let (parent, rest) = fields.next()?.trim_start().split_once(char::is_whitespace)?;
            let (user, command) = rest.trim_start().split_once(char::is_whitespace)?;
            Some((parent.parse::<u32>().ok()?, user.parse::<u32>().ok()?, command.trim()))
        })
    };
    let mut pid = own;
    let mut entered = false;
    for _ in 0..LONGEST {
        let (parent, user, command) = process(pid).ok_or(NoPerson::Unseen)?;
        let name = command.rsplit('/').next().unwrap_or(command);
        if let Some(Agent { name, .. }) = agents::by_program(name, Some(Path::new(command)), &[]) {
            return Err(NoPerson::Host(name));
        }
        let is_installed = FOLDERS.iter().any(|folder| command.starts_with(folder));
        // Who is called `sshd` and is not root's is someone's program of that name.
        entered |= ENTRANCES.contains(&name) && is_installed && (user == 0 || !name.starts_with("sshd"));
        if parent == 0 {
            return if entered { Ok(()) } else { Err(NoPerson::Loose) };
        }
        pid = parent;
    }
    Err(NoPerson::Unseen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_leads_to_a_terminal_window_and_past_no_agent() {
        let list = "    1     0     0 /sbin/launchd
  500     1   501 /System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal
  510   500     0 login
  511   510   501 -zsh
  520   511   501 /Users/u/.local/bin/hook-runner
  600   511   501 claude
  610   600   501 /bin/zsh
  700     1   501 /usr/bin/python3
  710   700   501 hook-runner
  800     1   501 /Users/u/Terminal
  810   800   501 hook-runner\n";
        for (own, expected) in [
            (520, Ok(())),
            (610, Err(NoPerson::Host("Claude Code"))),
            (710, Err(NoPerson::Loose)),
            (810, Err(NoPerson::Loose)),
            (999, Err(NoPerson::Unseen)),
        ] {
            assert_eq!(judge_list(list, own), expected, "{own}");
        }
    }
}
