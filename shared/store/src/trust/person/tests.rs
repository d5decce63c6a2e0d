//! Who types, in worlds that are made up.

use super::*;

/// The number of `/dev/pts/7`.
const PTS_7: u64 = 136 << 8 | 7;
/// `/dev/tty2`
const TTY_2: u64 = 4 << 8 | 2;

#[derive(Default)]
struct World {
    processes: Vec<Process>,
    holders: Vec<u32>,
    may_push: bool,
    itself: bool,
}

impl Processes for World {
    fn get(&self, pid: u32) -> Option<Process> {
        self.processes.iter().find(|process| process.pid == pid).cloned()
    }

    fn all(&self) -> Vec<u32> {
        self.processes.iter().map(|process| process.pid).collect()
    }

    fn holders(&self, pseudo_terminal: u32) -> Vec<u32> {
        if pseudo_terminal == 7 { self.holders.clone() } else { Vec::new() }
    }

    fn may_push_input(&self) -> bool {
        self.may_push
    }

    fn is_logged_in_to_itself(&self) -> bool {
        self.itself
    }
}

/// `pid parent session terminal user name exe`, one process a line; `*` in front of the program: it is the system's. The
/// last one asks.
fn world(lines: &str, holders: &[u32]) -> World {
    let processes = lines.trim().lines().map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [pid, parent, session, terminal, user, name, exe] = fields[..] else { panic!("{line}") };
        let terminal = match terminal {
            "pts" => PTS_7,
            "tty" => TTY_2,
            _ => 0,
        };
        let path = exe.trim_start_matches('*');
        Process {
            pid: pid.parse().unwrap(),
            parent: parent.parse().unwrap(),
            session: session.parse().unwrap(),
            terminal,
            user: user.parse().unwrap(),
            name: name.to_owned(),
            exe: (path != "-").then(|| PathBuf::from(path)),
            is_the_systems: exe.starts_with('*'),
            args: vec![path.to_owned()],
            mark: None,
        }
    });
    World { processes: processes.collect(), holders: holders.to_vec(), ..World::default() }
}

fn asked(world: &World) -> Result<(), NoPerson> {
    judge(world, world.processes.last().unwrap().pid, &[])
}

const WINDOW: &str = "
1 0 1 - 0 systemd -
9 1 9 - 5 systemd */usr/lib/systemd/systemd
20 9 9 - 5 gnome-terminal- */usr/libexec/gnome-terminal-server
30 20 30 pts 5 bash */usr/bin/bash
40 30 30 pts 5 hook-runner /home/u/.local/bin/hook-runner";

const SSH: &str = "
1 0 1 - 0 systemd -
9 1 9 - 0 sshd -
20 9 20 - 0 sshd-session -
21 20 20 - 5 sshd-session -
30 21 30 pts 5 bash */usr/bin/bash
40 30 30 pts 5 hook-runner /home/u/.local/bin/hook-runner";

const CONSOLE: &str = "
1 0 1 - 0 systemd -
20 1 20 tty 0 login -
30 20 20 tty 5 bash */usr/bin/bash
40 30 20 tty 5 hook-runner /home/u/.local/bin/hook-runner";

#[test]
fn people_sit_at_windows_consoles_and_elsewhere() {
    assert_eq!(asked(&world(WINDOW, &[20])), Ok(()));
    assert_eq!(asked(&world(SSH, &[])), Ok(()));
    assert_eq!(asked(&world(CONSOLE, &[])), Ok(()));
    let in_sudo =
        format!("{WINDOW}\n50 40 30 pts 0 sudo -\n60 50 30 pts 0 hook-runner */usr/bin/hook-runner");
    assert_eq!(asked(&world(&in_sudo, &[20])), Ok(()));
}

#[test]
fn a_terminal_that_the_machine_names_counts() {
    let named = WINDOW.replace("*/usr/libexec/gnome-terminal-server", "*/usr/bin/kitty");
    let named = world(&named, &[20]);
    assert_eq!(asked(&named), Err(NoPerson::Open("kitty")));
    assert_eq!(judge(&named, 40, &[PathBuf::from("/usr/bin/kitty")]), Ok(()));
}

/// Every way in which an agent gets a terminal.
#[test]
fn an_agent_is_not_a_person() {
    let program = |name: &str| Err(NoPerson::Program(name.to_owned()));
    for (what, world, expected) in [
        (
            "below a host",
            WINDOW.replace(
                "30 20 30 pts 5 bash */usr/bin/bash",
                "25 20 25 - 5 claude /home/u/claude\n30 25 30 pts 5 bash */usr/bin/bash",
            ),
            Err(NoPerson::Host("Claude Code")),
        ),
        (
            "in an editor's terminal",
            WINDOW
                .replace("gnome-terminal- */usr/libexec/gnome-terminal-server", "code */usr/share/code/code"),
            Err(NoPerson::Host("VS Code")),
        ),
        (
            "a python that forked a terminal",
            WINDOW.replace(
                "gnome-terminal- */usr/libexec/gnome-terminal-server",
                "python3 */usr/bin/python3.11",
            ),
            program("python3.11"),
        ),
        (
            "a copy with a good name",
            WINDOW.replace("*/usr/libexec/gnome", "/home/u/gnome"),
            program("gnome-terminal-server"),
        ),
        (
            "a good name in the wrong place",
            WINDOW.replace("*/usr/libexec/gnome-terminal-server", "*/usr/bin/python3.11"),
            program("python3.11"),
        ),
        (
            "script",
            WINDOW.replace("*/usr/libexec/gnome-terminal-server", "*/usr/bin/script"),
            program("script"),
        ),
        (
            "expect",
            WINDOW.replace("*/usr/libexec/gnome-terminal-server", "*/usr/bin/expect"),
            program("expect"),
        ),
        (
            "a compiled helper",
            WINDOW.replace("*/usr/libexec/gnome-terminal-server", "/home/u/helper"),
            program("helper"),
        ),
        (
            "tmux",
            WINDOW.replace("*/usr/libexec/gnome-terminal-server", "*/usr/bin/tmux"),
            Err(NoPerson::Open("tmux")),
        ),
        (
            "screen",
            WINDOW.replace("*/usr/libexec/gnome-terminal-server", "*/usr/bin/screen"),
            Err(NoPerson::Open("screen")),
        ),
        ("cut loose in a person's terminal", WINDOW.replace("40 30 30", "40 1 30"), Err(NoPerson::Loose)),
        ("its shell cut loose", WINDOW.replace("30 20 30", "30 1 30"), Err(NoPerson::Loose)),
        (
            "beside an agent",
            WINDOW.replace("40 30 30", "35 30 30 pts 5 codex /opt/codex\n40 30 30"),
            Err(NoPerson::Host("Codex")),
        ),
        ("without a terminal", WINDOW.replace(" pts ", " - "), Err(NoPerson::NoTerminal)),
    ] {
        assert_eq!(asked(&self::world(&world, &[20])), expected, "{what}");
    }
}

#[test]
fn a_login_is_the_systems_and_from_elsewhere() {
    let own = SSH.replace("9 1 9 - 0 sshd", "9 1 9 - 5 sshd").replace("20 9 20 - 0", "20 9 20 - 5");
    assert_eq!(asked(&world(&own, &[])), Err(NoPerson::Unseen), "a user's own sshd");
    let between = SSH.replace("30 21 30", "25 21 25 - 5 python3 */usr/bin/python3\n30 25 30");
    assert_eq!(asked(&world(&between, &[])), Err(NoPerson::Unseen), "a program in between");
    assert_eq!(asked(&World { itself: true, ..world(SSH, &[]) }), Err(NoPerson::FromHere));
    let own = CONSOLE.replace("20 1 20 tty 0 login", "20 1 20 tty 5 login");
    assert_eq!(asked(&world(&own, &[])), Err(NoPerson::Unseen), "a user's own login");
    // No one is seen at the other end, and no login leads there: cron, at, systemd-run, a container.
    assert_eq!(asked(&world(WINDOW, &[])), Err(NoPerson::Unseen));
}

#[test]
fn a_mark_anywhere_above_counts_and_what_cannot_be_seen_does_not() {
    for pid in [1, 9, 20, 30, 40] {
        let mut marked = world(WINDOW, &[20]);
        let process = marked.processes.iter_mut().find(|process| process.pid == pid).unwrap();
        process.mark = Some(("Claude Code", "CLAUDECODE"));
        assert_eq!(asked(&marked), Err(NoPerson::Agent("CLAUDECODE")), "{pid}");
        let mut unseen = world(WINDOW, &[20]);
        unseen.processes.retain(|process| process.pid != pid || pid == 40);
        assert_eq!(asked(&unseen).is_err(), pid != 40, "{pid}");
    }
    // A second holder of the other end, which a terminal passed on or took over.
    let two = WINDOW.replace("30 20 30", "22 9 9 - 5 python3 */usr/bin/python3\n30 20 30");
    assert_eq!(asked(&world(&two, &[20, 22])), Err(NoPerson::Program("python3".to_owned())));
}

#[test]
fn who_was_left_in_a_terminal_may_push_letters_where_the_system_lets_it() {
    let left = WINDOW.replace("40 30 30", "35 1 30 pts 5 helper /home/u/helper\n40 30 30");
    assert_eq!(asked(&world(&left, &[20])), Ok(()));
    assert_eq!(asked(&World { may_push: true, ..world(&left, &[20]) }), Err(NoPerson::Loose));
}
