//! Ways in which an agent gets a terminal and types at it: none of them approves. Each did, before who holds the other end
//! of a terminal was looked at.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::*;

/// Starts a program at a terminal of its own, reads what it wants typed, and types it.
const TYPIST: &str = r#"
import os, pty, re, sys
kind, out, program = sys.argv[1], sys.argv[2], sys.argv[3:]
if kind == "loose":
    if os.fork(): os._exit(0)
    os.setsid()
    if os.fork(): os._exit(0)
for name in [name for name in os.environ if name not in ("HOME", "PATH")]: del os.environ[name]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(program[0], program)
seen, typed = b"", False
while True:
    try: data = os.read(terminal, 4096)
    except OSError: break
    if not data: break
    seen += data
    word = re.search(rb"[Tt]ype (\w+)(?: to agree)?: ", seen)
    if word and not typed:
        typed = True
        if kind == "push":
            import fcntl
            slave = os.open(os.ptsname(terminal) if hasattr(os, "ptsname") else "/proc/%d/fd/0" % pid, os.O_RDWR | os.O_NOCTTY)
            for letter in word.group(1) + b"\n":
                try: fcntl.ioctl(slave, 0x5412, bytes([letter]))
                except OSError: os.write(terminal, bytes([letter]))
            os.close(slave)
        else:
            os.write(terminal, word.group(1) + b"\n")
os.waitpid(pid, 0)
open(out + ".new", "wb").write(seen)
os.rename(out + ".new", out)
"#;

/// What is tried, as lines for `/bin/sh`: `$T` is the typist, `$R` the runner, `$C` the code, `$O` the file for what it
/// said, `$D` a folder. The programs that it needs stand in front.
const WAYS: &[(&str, &str, &str)] = &[
    ("a forked terminal", "python3", r#"python3 "$T" fork "$O" "$R" approve "$C""#),
    (
        "the same, without marks",
        "python3 env",
        r#"env -i HOME="$HOME" PATH="$PATH" python3 "$T" fork "$O" "$R" approve "$C""#,
    ),
    ("forked twice and cut loose", "python3", r#"python3 "$T" loose "$O" "$R" approve "$C""#),
    ("a new session", "python3 setsid", r#"setsid -w python3 "$T" fork "$O" "$R" approve "$C""#),
    ("a new session, cut loose", "python3 setsid", r#"setsid -f python3 "$T" fork "$O" "$R" approve "$C""#),
    ("pushed letters", "python3", r#"python3 "$T" push "$O" "$R" approve "$C""#),
    ("a shell between", "python3", r#"python3 "$T" fork "$O" sh -c "'$R' approve '$C'; true""#),
    (
        "a program with a terminal's name",
        "python3",
        r#"p=$(readlink -f "$(command -v python3)"); cp "$p" "$D/gnome-terminal-server"; PYTHONHOME=$(python3 -c 'import sys; print(sys.prefix)') "$D/gnome-terminal-server" "$T" fork "$O" "$R" approve "$C""#,
    ),
    (
        "script",
        "script",
        r#"(sleep 2; echo yes) | env -i HOME="$HOME" PATH="$PATH" script -qec "'$R' approve $C" "$O" >"$O.log" 2>&1"#,
    ),
    (
        "script, without the mark",
        "script",
        r#"(sleep 2; echo yes) | env -u CLAUDECODE script -qec "'$R' approve $C" "$O" >"$O.log" 2>&1"#,
    ),
    (
        "script in a new session",
        "script setsid",
        r#"(sleep 2; echo yes) | env -i HOME="$HOME" PATH="$PATH" setsid -w script -qec "'$R' approve $C" "$O" >"$O.log" 2>&1"#,
    ),
    (
        "script in a forked terminal",
        "python3 script",
        r#"python3 "$T" fork "$O" script -qec "'$R' approve '$C'" /dev/null"#,
    ),
    (
        "tmux",
        "tmux",
        r#"export TMUX_TMPDIR="$D"; env -i HOME="$HOME" PATH="$PATH" TMUX_TMPDIR="$D" tmux -L x new -d -x 200 -y 50 "'$R' approve $C >$O.out; sleep 3"
           for i in 1 2 3 4 5 6 7 8; do sleep 0.5; w=$(tmux -L x capture-pane -p | sed -n 's/.*[Tt]ype \([a-z0-9]*\).*: *$/\1/p' | tail -1); [ -n "$w" ] && break; done
           [ -n "$w" ] && tmux -L x send-keys "$w" Enter && sleep 1; tmux -L x capture-pane -p >"$O.new"; tmux -L x kill-server; mv "$O.new" "$O""#,
    ),
    (
        "screen",
        "screen",
        r#"env -i HOME="$HOME" PATH="$PATH" screen -dmS x sh -c "'$R' approve $C"; sleep 1; screen -S x -X stuff "yes
"; sleep 1; screen -S x -X hardcopy "$O"; touch "$O""#,
    ),
    (
        "expect",
        "expect",
        r#"expect -c "spawn $R approve $C; expect -re {ype (\\w+)}; send \$expect_out(1,string)\\r; expect eof" >"$O" 2>&1"#,
    ),
    (
        "socat",
        "socat",
        r#"(sleep 2; echo yes) | socat - "EXEC:'$R approve $C',pty,setsid,ctty,stderr" >"$O" 2>&1"#,
    ),
    (
        "a view of the processes of its own",
        "python3 unshare",
        r#"unshare -Urmpf --mount-proc python3 "$T" fork "$O" "$R" approve "$C" 2>"$O.err" || { echo none >"$O"; }"#,
    ),
    (
        "files of its own over those of the system",
        "python3 unshare mount",
        r#"unshare -Urm sh -c 'mkdir "$D/p"; cp -r /proc/self/status "$D/p/" 2>/dev/null; mount --bind "$D/p" /proc && exec python3 "$T" fork "$O" "$R" approve "$C"' 2>"$O.err" || { echo none >"$O"; }"#,
    ),
    (
        "the system's manager",
        "systemd-run script",
        r#"systemd-run --user --pty --wait -q "$R" approve "$C" </dev/null >"$O" 2>&1; touch "$O""#,
    ),
];

fn has(program: &str) -> bool {
    Call::new("/bin/sh").args(["-c", &format!("command -v {program} >/dev/null")]).run().exit == Some(0)
}

/// What the runner said, once it has.
fn said(file: &PathBuf) -> String {
    let start = Instant::now();
    while !file.exists() && start.elapsed() < Duration::from_mins(1) {
        std::thread::sleep(Duration::from_millis(100));
    }
    String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned()
}

#[test]
fn whatever_terminal_an_agent_makes_it_does_not_approve() {
    let mut tried = 0;
    for (name, needs, line) in WAYS {
        if let Some(missing) = needs.split(' ').find(|program| !has(program)) {
            support::skipped(format_args!("{name}: no {missing}"));
            continue;
        }
        let machine = Machine::new();
        let folder = machine.folder.path().join("attack");
        fs::create_dir_all(&folder).unwrap();
        let typist = folder.join("typist.py");
        fs::write(&typist, TYPIST).unwrap();
        let out = folder.join("out");
        let code = code(&machine.block("1", PUSH)).unwrap();
        let call = machine
            .call("/bin/sh".as_ref())
            .args(["-c", line])
            .env("T", typist)
            .env("R", hook_runner())
            .env("C", &code)
            .env("O", &out)
            .env("D", &folder)
            .env("CLAUDECODE", "1");
        let _ = call.run();
        let said = said(&out);
        let answer = machine.block("2", PUSH);
        assert_eq!(effect(Target::Claude, &answer), Effect::Deny, "{name}: {said}");
        assert!(!said.contains(PUSH) && !said.contains("Allowed"), "{name}: {said}");
        tried += 1;
    }
    assert!(tried >= 3 || !has("python3"), "{tried}");
}
