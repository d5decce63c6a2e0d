//! The log on its way to a collector: what arrives is what was written, whatever is killed, away, slow or full.
//!
//! `FLEET_RECORDS=100000` ships more than CI's 2,000; `.ci/fleet` does so. rotel, rsyslog and syslog-ng come by
//! `.ci/receivers`; with `REAL_RECEIVERS=required` their tests fail where they are not there.

mod background;
mod collector;
mod configs;
mod desk;
mod folder;
mod layers;
mod otlp;
mod schemas;
mod splunk;
mod syslog;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ::audit::{Keeping, Log};
use serde_json::Value;
use support::call::{Answer, Call};
use support::programs::{audit_logger, hook_runner};

/// How many records are shipped.
fn count() -> usize {
    std::env::var("FLEET_RECORDS").ok().and_then(|count| count.parse().ok()).unwrap_or(2_000)
}

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_mins(10);

/// A user with a log.
struct Laptop {
    home: tempfile::TempDir,
}

impl Laptop {
    /// With this many records in files of a few megabytes.
    fn new(records: usize) -> Self {
        let laptop = Self { home: tempfile::tempdir().unwrap() };
        laptop.write(0, records);
        laptop
    }

    fn path(&self) -> &Path {
        self.home.path()
    }

    fn log(&self) -> PathBuf {
        self.path().join(".local/state/policy-hooks/audit/audit.jsonl")
    }

    fn settings(&self, text: &str) {
        let folder = self.path().join(".config/policy-hooks");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("audit.toml"), text).unwrap();
    }

    /// Adds records, the first of which has this number.
    fn write(&self, first: usize, records: usize) {
        let keeping = Keeping { segment_bytes: 4 << 20, ..Keeping::default() };
        let log = Log::new(self.log(), keeping);
        let bodies: Vec<String> = (first..first + records).map(body).collect();
        for batch in bodies.chunks(200) {
            log.append(batch, false).unwrap();
        }
    }

    /// The log's own lines, by the ids of their records.
    fn lines(&self) -> BTreeMap<String, String> {
        let mut lines = BTreeMap::new();
        for file in ::audit::files(&self.log()).unwrap() {
            for line in fs::read_to_string(file).unwrap().lines() {
                let record: Value = serde_json::from_str(line).unwrap();
                lines.insert(record["id"].as_str().unwrap().to_owned(), line.to_owned());
            }
        }
        lines
    }

    fn call(&self, program: &Path) -> Call {
        let nothing = ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "AUDIT_LOG"];
        nothing.into_iter().fold(Call::new(program).env("HOME", self.path()), |call, name| call.env(name, ""))
    }

    /// `hook-runner log ship`.
    fn ship(&self, arguments: &[&str]) -> Answer {
        let ended = self.shipper(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Answer { stdout: text(ended.stdout), stderr: text(ended.stderr), exit: ended.status.code() }
    }

    fn shipper(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(hook_runner());
        command.args(["log", "ship"]).args(arguments).env("HOME", self.path()).stdin(Stdio::null());
        command.env_remove("XDG_STATE_HOME").env_remove("XDG_CONFIG_HOME").env_remove("AUDIT_LOG");
        command
    }

    /// The same, running.
    fn shipping(&self, arguments: &[&str]) -> Child {
        self.shipper(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Ships, and kills the shipper at a moment that differs from kill to kill, until a run ends by itself.
    fn ship_with_kills(&self, kills: u32, arguments: &[&str]) {
        for kill in 0..kills {
            let mut child = self.shipping(arguments);
            let wait = Duration::from_millis(30 + u64::from(kill) * 37 % 400);
            let start = Instant::now();
            while start.elapsed() < wait && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let last = self.ship(arguments);
        assert_eq!(last.exit, Some(0), "{last:?}");
    }

    /// `audit-logger verify --copy` about what arrived.
    fn verify(&self, copy: impl Into<Vec<u8>>, arguments: &[&str]) -> Answer {
        self.call(audit_logger()).args(["verify", "--copy"]).args(arguments.iter().copied()).input(copy).run()
    }

    /// Holds what arrived against the log: every record, unchanged, none that was not written; returns how many came
    /// more than once.
    fn arrived(&self, lines: &[String]) -> usize {
        let sent = self.lines();
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        let mut again = 0;
        for line in lines {
            let record: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            let id = record["id"].as_str().unwrap().to_owned();
            if let Some(before) = seen.insert(id, line.clone()) {
                assert_eq!(&before, line, "one id, two records");
                again += 1;
            }
        }
        assert_eq!(seen.len(), sent.len(), "records arrived, and were sent");
        assert!(seen == sent, "what arrived is not what was written");
        let proof = self.verify(lines.join("\n"), &[]);
        assert_eq!(proof.exit, Some(0), "{proof:?}");
        assert!(proof.stdout.starts_with(&format!("intact: {} records of 1 log", sent.len())), "{proof:?}");
        again
    }
}

/// A record as our programs write them, with what commands are full of.
fn body(number: usize) -> String {
    const COMMANDS: [&str; 6] = [
        "cargo test --workspace",
        "echo \"naïve — 日本語 🦀\" | tr 'a=b' '|'",
        "printf '<13>1 fake syslog\\n' && echo ]{\"v\":1}",
        "grep -rn \"a,b;c\" . | awk -F'=' '{print $1}'",
        "git commit -m 'line one\nline two\tand\u{1b}[31m a colour'",
        "python3 -c \"print('\\\\u2028', '\u{2028}\u{202e}')\"",
    ];
    let mut text = String::new();
    let command =
        format!("{} # {number} {}", COMMANDS[number % COMMANDS.len()], "x".repeat(number * 31 % 700));
    payload::write::escape(&mut text, &command, payload::write::Letters::Shown, 4096);
    let denied = number % 10 == 3;
    let (kind, decision) = if denied {
        (
            "decision",
            ",\"decision\":{\"value\":\"deny\",\"rule\":\"git.force-push\",\"reason\":\"It rewrites what others have.\",\"enforced\":true}",
        )
    } else {
        ("event", "")
    };
    // A UUID of version 7 that says its number.
    let id = format!("01920000-{:04x}-7000-8000-{:012x}", number >> 16 & 0xffff, number);
    let second = number / 1000;
    let (hour, minute, second) = (second / 3600 % 24, second / 60 % 60, second % 60);
    let ts = format!(
        "2026-11-{:02}T{hour:02}:{minute:02}:{second:02}.{:06}Z",
        22 + number % 2,
        number % 1_000_000
    );
    format!(
        "{{\"v\":1,\"id\":\"{id}\",\"ts\":\"{ts}\",\"kind\":\"{kind}\",\"host\":\"claude\",\"event\":\"PreToolUse\",\"session\":\"s-{}\",\"call\":\"toolu_{number}\",\"cwd\":\"/home/ann/src\",\"repo\":{{\"root\":\"/home/ann/src\",\"branch\":\"main\"}},\"tool\":{{\"name\":\"Bash\",\"kind\":\"shell\"}},\"command\":\"{text}\"{decision},\"user\":\"ann:1000\",\"machine\":\"3f9a1c00aa55ee11\",\"level\":\"redacted\",\"by\":{{\"name\":\"audit-logger\",\"version\":\"0.1.0\"}},\"latency_us\":412",
        number % 40
    )
}

/// Where the real receivers are; `None` where they are not, and need not be.
fn receivers() -> Option<PathBuf> {
    let home = std::env::var_os("REAL_RECEIVERS_HOME").map_or_else(
        || std::env::home_dir().unwrap_or_default().join(".cache/real-receivers"),
        PathBuf::from,
    );
    let all = [
        home.join("python/bin/rotel-agent"),
        home.join("root/usr/sbin/syslog-ng"),
        "/usr/sbin/rsyslogd".into(),
    ];
    if all.iter().all(|path| path.is_file()) {
        return Some(home);
    }
    let required = std::env::var_os("REAL_RECEIVERS").is_some_and(|value| value == "required");
    assert!(!required, "{}: `.ci/receivers` gets the receivers", home.display());
    support::skipped(format_args!("{}: there are no receivers; `.ci/receivers` gets them", home.display()));
    None
}

/// Says what was shipped, also where the test passes: `.ci/fleet` is run for these numbers.
fn report(what: &str) {
    use std::io::Write as _;
    let _ = std::io::stderr().write_all(format!("FLEET: {what}\n").as_bytes());
}

/// A port that no one listens on.
fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits until something holds.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A program that ends with the test.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> Self {
        Self(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// As `kill -9` does.
    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The lines of the log in bytes that a receiver kept.
fn lines_of(bytes: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    export::back::text(bytes, |line| lines.push(String::from_utf8(line.to_vec()).unwrap())).unwrap();
    lines
}
