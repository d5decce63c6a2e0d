//! Ending processes, and starting too many.

use super::has;
use shell::{Atom, NoteKind, Place};

use crate::command::Command;
use crate::rule::{Covers, Family, Rule, Severity, When};

pub(super) static FAMILY: Family = Family {
    id: "processes",
    title: "Processes",
    covers: Covers::Listed(catalog::family("processes")),
    rules: &[
        Rule {
            id: "processes.fork-bomb",
            severity: Severity::Catastrophic,
            when: When::Note(NoteKind::ForkBomb),
            reason: "It starts endless copies of itself, until the machine stops answering.",
            instead: "Start a fixed number of jobs, such as `seq 4 | xargs -P 4 -n 1 echo`.",
            matches: "
                :(){ :|:& };:
                bomb() { bomb | bomb & }; bomb
            ",
            spares: "
                f() { echo hi; }; f
                for i in 1 2 3; do sleep 1 & done; wait
            ",
        },
        Rule {
            id: "processes.kill-all",
            severity: Severity::Catastrophic,
            when: When::Command(|command| command.name == "kill" && kills_all(command)),
            reason: "It kills every process of the user or of the machine, including this session.",
            instead: "End one process by its PID, such as `kill 4242`.",
            matches: "
                kill -9 -1
                kill -KILL -- -1
                sudo kill -s TERM -1
                kill -9 1
                kill -9 $(pgrep .)
                ps -e -o pid= | xargs kill -9
            ",
            spares: "
                kill -9 $(lsof -ti:3000)
                kill -1 4242
                kill -HUP 4242
                kill -USR2 1
                kill -l
                kill $(pgrep -f 'node server.js')
                ps aux | grep node | awk '{print $2}' | xargs kill -9
                kill -9 $(ps aux | awk '/vite/ {print $2}')
                kill %1
                docker exec web kill -HUP 1
            ",
        },
        Rule {
            id: "processes.kill-user",
            severity: Severity::Catastrophic,
            when: When::Command(|command| !command.only_asks() && kills_by_name_of_all(command)),
            reason: "It kills all processes of a user, or every process that matches any name.",
            instead: "Name the program, such as `pkill -f 'node server.js'`.",
            matches: "
                pkill -9 -u root
                pkill -f .
                pkill '.*'
                killall -9 -u user
                killall5 -9
                pkill -v node
                loginctl terminate-user alice
            ",
            spares: "
                pkill node
                pkill -f 'node server.js'
                pkill -u user node
                killall node
                loginctl list-users
            ",
        },
        Rule {
            id: "processes.kill-group",
            severity: Severity::Risky,
            when: When::Command(|command| command.name == "kill" && kills_group(command)),
            reason: "It ends everything that this session runs, at once and without warning.",
            instead: "End one process by its PID, such as `kill 4242`.",
            matches: "
                kill -9 0
                kill -s KILL 0
            ",
            spares: "
                kill 0
                trap 'kill 0' EXIT
                kill -0 4242
                kill -9 4242
            ",
        },
        Rule {
            id: "processes.kill-system",
            severity: Severity::Destructive,
            when: When::Command(|command| is_here(command) && names_system_process(command)),
            reason: "It ends the session or stops the whole machine.",
            instead: "Restart the service with its own tool, such as `systemctl restart nginx`.",
            matches: "
                pkill -9 systemd
                killall sshd
                pkill -f gnome-shell
                fuser -km /home
            ",
            spares: "
                pkill chrome
                fuser -k 3000/tcp
                pgrep systemd
                killall Dock
            ",
        },
    ],
};

fn is_here(command: &Command<'_>) -> bool {
    command.atom.place != Place::Container
}

/// Whether `kill` names every process (-1) or the first (1).
fn kills_all(command: &Command<'_>) -> bool {
    let mut args = command.args().iter().map(|arg| arg.text.as_str()).peekable();
    let mut signal = "";
    match args.peek() {
        // These list signals.
        Some(&("-l" | "-L" | "--list" | "--table")) => return false,
        Some(&("-s" | "-n" | "--signal")) => {
            args.next();
            signal = args.next().unwrap_or("");
        }
        // The first dash is a signal: in `kill -1 42`, that is HUP; only a second `-1` means everyone.
        Some(first) if first.starts_with('-') && *first != "--" => {
            signal = first.trim_start_matches('-');
            args.next();
        }
        _ => {}
    }
    // The first process reads its settings again, or is only asked whether it is there.
    let ends = !matches!(signal.trim_start_matches("SIG"), "HUP" | "USR1" | "USR2" | "WINCH" | "0");
    args.any(|text| text == "-1" || ends && is_here(command) && text == "1") || gets_all(command)
}

/// Whether `kill` names its own process group (0), by the signal that no process can answer: `kill 0` is how scripts end.
fn kills_group(command: &Command<'_>) -> bool {
    let is_last = command.args().last().is_some_and(|arg| arg.text == "0");
    let signal = |text: &str| matches!(text.trim_start_matches("SIG"), "9" | "KILL");
    let args = command.args();
    is_last && args.iter().take(args.len() - 1).any(|arg| signal(arg.text.trim_start_matches('-')))
}

/// Whether the numbers that it gets are those of all processes: `kill $(pgrep .)`, `ps -e -o pid= | xargs kill`.
fn gets_all(command: &Command<'_>) -> bool {
    let unknown = command.args().iter().any(shell::Arg::has_hole);
    unknown
        && is_here(command)
        && command.analysis.atoms.iter().any(|atom| match &*atom.program() {
            "pgrep" => kills_by_name_of_all(&Command::new(command.analysis, atom, command.facts)),
            "ps" => lists_all(command, atom),
            _ => false,
        })
}

/// Whether `ps` shows everyone's processes, and nothing in its pipeline picks some of them.
fn lists_all(command: &Command<'_>, ps: &Atom) -> bool {
    let all = ps.args.iter().skip(1).any(|arg| {
        // `ps ax` and `ps aux`: options without a dash.
        let bsd = !arg.text.starts_with('-') && arg.text.contains('x') && arg.text.contains('a');
        // Those of one user are all that an agent may end.
        bsd || matches!(
            arg.text.as_str(),
            "-e" | "-A" | "-ef" | "-eo" | "-Ao" | "-aux" | "-u" | "-U" | "--user" | "-x"
        )
    });
    let picks = |atom: &Atom| match &*atom.program() {
        // Whatever they pick: what they leave out is chosen by someone.
        "grep" | "egrep" | "fgrep" | "rg" | "head" | "tail" | "fzf" | "sed" | "pgrep" => true,
        "awk" | "gawk" | "mawk" => {
            atom.args.iter().skip(1).any(|arg| arg.text.contains(['/', '~', '=', '>', '<']))
        }
        _ => false,
    };
    all && !command.analysis.readers(ps).any(picks)
}

fn kills_by_name_of_all(command: &Command<'_>) -> bool {
    match &*command.name {
        "pkill" | "pgrep" => {
            let patterns = command.operands();
            let by_user = command.has(&["--euid", "--uid"]) || has_letter(command, &["-u", "-U"]);
            let everything =
                |text: &str| text.chars().all(|c| ".*+?^$".contains(c) || shell::mark::is_glob(c));
            // With a user and no pattern, it is every process of that user.
            by_user && patterns.is_empty()
                || patterns.iter().any(|arg| everything(&arg.text))
                || command.has(&["--inverse"])
                // `-v` turns the choice round: everything but one program.
                || has_letter(command, &["-v"])
        }
        "killall" => {
            let names = command.operands();
            let by_user = command.has(&["--user"]) || has_letter(command, &["-u"]);
            // With a user and no name, it is every process of that user.
            by_user && names.is_empty()
                || command.has(&["--regexp"])
                    && names.iter().any(|arg| arg.text.chars().all(|c| ".*+?^$".contains(c)))
                || has_letter(command, &["-r"])
                    && names.iter().any(|arg| arg.text.chars().all(|c| ".*+?^$".contains(c)))
        }
        // It kills everything outside its own session, and takes no name.
        "killall5" => is_here(command),
        // Both take users as well as programs, and decide by themselves which of them a word is.
        "skill" | "slay" => !command.args().is_empty(),
        "loginctl" => {
            command.sub(&["terminate-user|kill-user|terminate-session|terminate-seat|kill-session"])
        }
        _ => false,
    }
}

/// Whether an option letter is given on its own or with its value: signals such as `-USR1` are not option letters.
fn has_letter(command: &Command<'_>, letters: &[&str]) -> bool {
    command.options().any(|arg| {
        let text = arg.text.as_str();
        let signal =
            text.len() > 2 && text[1..].bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        !signal
            && !text.starts_with("--")
            && letters
                .iter()
                .any(|letter| text.starts_with(letter) || text.ends_with(&letter[1..]) && text.len() <= 4)
    })
}

/// Programs with which the session or the machine ends.
const SYSTEM: &str = "\
    systemd init launchd sshd ssh dbus-daemon dbus-broker systemd-logind systemd-journald NetworkManager \
    Xorg Xwayland gnome-shell gnome-session kwin_wayland kwin_x11 plasmashell WindowServer loginwindow \
    gdm gdm3 sddm lightdm wayland sway Hyprland login agetty auditd firewalld dockerd containerd kubelet \
    kernel_task opendirectoryd securityd";

fn names_system_process(command: &Command<'_>) -> bool {
    match &*command.name {
        "pkill" | "killall" => command.operands().iter().any(|arg| has(SYSTEM, arg.text.as_str())),
        "fuser" => {
            let kills = command
                .options()
                .any(|arg| arg.text == "--kill" || !arg.text.starts_with("--") && arg.text.contains('k'));
            kills
                && command
                    .operands()
                    .iter()
                    .any(|arg| arg.text.starts_with('/') && command.target(&arg.text).is_vital())
        }
        _ => false,
    }
}
