//! rsyslog and syslog-ng carry a log from one to the other, by the files as they are shipped, and the copy is the log.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{config, installed, is_there};
use crate::audit::{Home, claude, silent};

/// How long a record may be on its way, on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// Ends with the test, however that ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits until the receiver listens: a sender that finds no one tries again only after a minute, or loses the order.
fn listens(port: u16) {
    let until = Instant::now() + PATIENCE;
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < until, "nothing listens on {port}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A log with what is hard to carry: long, with letters of all kinds.
fn log(home: &Home) {
    for number in 0..40 {
        let command = match number % 4 {
            0 => "echo 'größe 日本 \u{202e} \"quoted\" \\\\ %msg% $HOST ${x} <134>1 - -'".to_owned(),
            1 => "echo filling ".repeat(300),
            2 => "printf 'a\nb\tc\u{1b}[2J'".to_owned(),
            _ => format!("echo {number}"),
        };
        silent(&home.hook(claude(&number.to_string(), &command)));
    }
}

/// What the file says for the receiver, in its comments after "On the receiver".
fn of_receiver(text: &str) -> String {
    let (_, rest) = text.split_once("# On the receiver").unwrap();
    let lines = rest.lines().filter_map(|line| line.strip_prefix("#   "));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Waits until the copy is as long as the log, and holds both against each other.
fn arrives(home: &Home, folder: &Path) {
    let wanted = fs::read(home.log()).unwrap();
    let until = Instant::now() + PATIENCE;
    let copy = loop {
        let files: Vec<PathBuf> = fs::read_dir(folder)
            .map(|files| files.flatten().map(|file| file.path()).collect())
            .unwrap_or_default();
        let long = |path: &&PathBuf| path.metadata().is_ok_and(|about| about.len() >= wanted.len() as u64);
        if let Some(copy) = files.iter().find(long) {
            break copy.clone();
        }
        assert!(Instant::now() < until, "only this arrived: {files:?}");
        thread::sleep(Duration::from_millis(50));
    };
    assert!(fs::read(&copy).unwrap() == wanted, "{} is not the log", copy.display());
    let verified = home.people(&["verify", copy.to_str().unwrap()]);
    assert!(verified.exit == Some(0) && verified.stdout.starts_with("intact"), "{verified:?}");
}

#[test]
fn rsyslog_carries_a_log_as_it_is() {
    let program = Path::new("/usr/sbin/rsyslogd");
    if !is_there("rsyslog", program) {
        return;
    }
    let home = Home::new();
    log(&home);
    let (folder, port) = (home.path().join("rsyslog"), free_port());
    let text = config("rsyslog.conf");
    let start = |name: &str, rules: String| {
        let work = folder.join(name);
        fs::create_dir_all(&work).unwrap();
        let file = work.join("rsyslog.conf");
        fs::write(
            &file,
            format!("global(workDirectory=\"{}\" maxMessageSize=\"64k\")\n{rules}", work.display()),
        )
        .unwrap();
        let mut command = Command::new(program);
        command.arg("-n").arg("-i").arg(work.join("pid")).arg("-f").arg(&file);
        Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    };
    let copies = folder.join("copies");
    let receiver = of_receiver(&text)
        .replace("port=\"6514\"", &format!("address=\"127.0.0.1\" port=\"{port}\""))
        .replace("/var/log/policy-hooks", copies.to_str().unwrap());
    let sender = text
        .replace("/home/*/.local/state/policy-hooks/audit", home.log().parent().unwrap().to_str().unwrap())
        .replace(
            "target=\"collector.example\" port=\"6514\"",
            &format!("target=\"127.0.0.1\" port=\"{port}\""),
        );
    assert!(sender.contains("127.0.0.1") && receiver.contains("127.0.0.1"), "{receiver}");
    let _receiver = start("receiver", receiver);
    listens(port);
    let _sender = start("sender", sender);
    arrives(&home, &copies);
}

#[test]
fn syslog_ng_carries_a_log_as_it_is() {
    let root = installed().join("root");
    let program = root.join("usr/sbin/syslog-ng");
    if !is_there("syslog-ng", &program) {
        return;
    }
    let modules = fs::read_dir(root.join("usr/lib/syslog-ng")).unwrap().flatten();
    let version = modules.map(|entry| entry.path()).find(|path| path.is_dir()).unwrap();
    let home = Home::new();
    log(&home);
    let (folder, port) = (home.path().join("syslog-ng"), free_port());
    let text = config("syslog-ng.conf");
    let start = |name: &str, rules: String| {
        let work = folder.join(name);
        fs::create_dir_all(&work).unwrap();
        let file = work.join("syslog-ng.conf");
        let release = version.file_name().unwrap().to_str().unwrap();
        fs::write(&file, format!("@version: {release}\n{rules}")).unwrap();
        let libraries = [
            "usr/lib/syslog-ng",
            "usr/lib/x86_64-linux-gnu",
            "lib/x86_64-linux-gnu",
            "usr/lib/aarch64-linux-gnu",
            "lib/aarch64-linux-gnu",
        ]
        .map(|path| root.join(path).display().to_string());
        let mut command = Command::new(&program);
        command.args(["-F", "--no-caps", "--module-path"]).arg(&version).arg("-f").arg(&file);
        command
            .arg("-R")
            .arg(work.join("persist"))
            .arg("-p")
            .arg(work.join("pid"))
            .arg("-c")
            .arg(work.join("control"));
        command.env("LD_LIBRARY_PATH", libraries.join(":")).current_dir(&work);
        Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    };
    let copies = folder.join("copies");
    let receiver = of_receiver(&text)
        .replace("port(6514)", &format!("ip(\"127.0.0.1\") port({port})"))
        .replace("/var/log/policy-hooks", copies.to_str().unwrap());
    let sender = text
        .replace("/home/dev/.local/state/policy-hooks/audit", home.log().parent().unwrap().to_str().unwrap())
        .replace("\"collector.example\" port(6514)", &format!("\"127.0.0.1\" port({port})"));
    assert!(sender.contains("127.0.0.1") && receiver.contains("127.0.0.1"), "{receiver}");
    let _receiver = start("receiver", receiver);
    listens(port);
    let _sender = start("sender", sender);
    arrives(&home, &copies);
}
