//! Syslog through real receivers: rsyslog over TCP, TLS and its socket, syslog-ng over TCP; killed in the middle.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Laptop, Running, count, free_port, lines_of, receivers, until};

/// rsyslog with one input, which writes each message to a file before it reads the next.
fn rsyslog(folder: &Path, input: &str) -> Running {
    let config = folder.join("rsyslog.conf");
    let text = format!(
        "global(workDirectory=\"{folder}\" maxMessageSize=\"64k\")\nmain_queue(queue.type=\"Direct\")\n{input}\n\
         template(name=\"raw\" type=\"string\" string=\"%msg%\\n\")\n\
         action(type=\"omfile\" file=\"{out}\" template=\"raw\" asyncWriting=\"off\" flushOnTXEnd=\"on\")\n",
        folder = folder.display(),
        out = folder.join("arrived").display(),
    );
    fs::write(&config, text).unwrap();
    let mut command = Command::new("/usr/sbin/rsyslogd");
    command.args(["-n", "-f"]).arg(&config).arg("-i").arg(folder.join("rsyslog.pid"));
    Running::start(&mut command)
}

fn tcp(port: u16) -> String {
    format!(
        "module(load=\"imtcp\" maxSessions=\"1000\")\ninput(type=\"imtcp\" address=\"127.0.0.1\" port=\"{port}\")"
    )
}

/// syslog-ng, unpacked and not installed.
fn syslog_ng(home: &Path, folder: &Path, port: u16) -> Running {
    let root = home.join("root");
    let config = folder.join("syslog-ng.conf");
    let text = format!(
        "@version: 3.38\noptions {{ chain-hostnames(no); flush-lines(1); log-msg-size(65536); log-fifo-size(200000); }};\n\
         source s {{ syslog(ip(127.0.0.1) port({port}) transport(\"tcp\") max-connections(100) log-iw-size(100000)); }};\n\
         destination d {{ file(\"{out}\" template(\"$MSG\\n\")); }};\n\
         log {{ source(s); destination(d); flags(flow-control); }};\n",
        out = folder.join("arrived").display(),
    );
    fs::write(&config, text).unwrap();
    let libraries = root.join("usr/lib/syslog-ng");
    let modules =
        fs::read_dir(&libraries).unwrap().flatten().map(|entry| entry.path()).find(|path| path.is_dir());
    let mut command = Command::new(root.join("usr/sbin/syslog-ng"));
    command.env("LD_LIBRARY_PATH", &libraries).args(["--foreground", "--no-caps", "--cfgfile"]).arg(&config);
    command.arg("--module-path").arg(modules.unwrap_or(libraries));
    for (option, name) in [("--persist-file", "persist"), ("--pidfile", "pid"), ("--control", "control")] {
        command.arg(option).arg(folder.join(name));
    }
    Running::start(&mut command)
}

fn arrived(folder: &Path) -> Vec<String> {
    fs::read(folder.join("arrived")).map(|bytes| lines_of(&bytes)).unwrap_or_default()
}

fn wait_for(port: u16) {
    until("a receiver", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
}

/// Waits until a receiver has written everything that it has read.
fn all_of(laptop: &Laptop, folder: &Path) -> Vec<String> {
    let sent = laptop.lines().len();
    let mut lines = Vec::new();
    until("all records in the receiver's file", || {
        // Counted first: reading a hundred thousand records takes a while.
        let bytes = fs::read(folder.join("arrived")).unwrap_or_default();
        if bytes.split(|byte| *byte == b'\n').count() <= sent {
            return false;
        }
        lines = lines_of(&bytes);
        lines.iter().collect::<std::collections::HashSet<_>>().len() >= sent
    });
    lines
}

fn said(laptop: &Laptop, receiver: &str, again: usize) {
    super::report(&format!("{} records through {receiver}, {again} twice", laptop.lines().len()));
}

#[test]
fn everything_goes_through_rsyslog_over_tcp() {
    let Some(_) = receivers() else { return };
    let laptop = Laptop::new(count());
    let folder = tempfile::tempdir().unwrap();
    let port = free_port();
    let _rsyslog = rsyslog(folder.path(), &tcp(port));
    wait_for(port);
    laptop.ship_with_kills(5, &["--to", &format!("syslog+tcp://127.0.0.1:{port}")]);
    let again = laptop.arrived(&all_of(&laptop, folder.path()));
    said(&laptop, "rsyslog", again);
}

#[test]
fn everything_goes_through_syslog_ng() {
    let Some(home) = receivers() else { return };
    let laptop = Laptop::new(count());
    let folder = tempfile::tempdir().unwrap();
    let port = free_port();
    let _receiver = syslog_ng(&home, folder.path(), port);
    wait_for(port);
    laptop.ship_with_kills(3, &["--to", &format!("syslog+tcp://127.0.0.1:{port}")]);
    let again = laptop.arrived(&all_of(&laptop, folder.path()));
    said(&laptop, "syslog-ng", again);
}

#[test]
fn a_receiver_that_is_killed_again_and_again_loses_nothing() {
    let Some(_) = receivers() else { return };
    let laptop = Laptop::new(count());
    let folder = tempfile::tempdir().unwrap();
    let port = free_port();
    let to = format!("syslog+tcp://127.0.0.1:{port}");
    let mut shipper = Running(laptop.shipping(&["--to", &to, "--follow"]));
    for kill in 0..6u64 {
        let mut receiver = rsyslog(folder.path(), &tcp(port));
        wait_for(port);
        std::thread::sleep(Duration::from_millis(100 + kill * 173 % 700));
        receiver.kill();
    }
    let _receiver = rsyslog(folder.path(), &tcp(port));
    let lines = all_of(&laptop, folder.path());
    shipper.kill();
    let again = laptop.arrived(&lines);
    said(&laptop, "rsyslog, killed six times", again);
}

/// An authority, and a receiver's certificate of it, for `localhost`.
fn certificates(folder: &Path) -> [PathBuf; 3] {
    let run = |arguments: &[&str]| {
        let done = Command::new("openssl").args(arguments).current_dir(folder).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    fs::write(folder.join("ext"), "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n").unwrap();
    run(&[
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "ca.key",
        "-out",
        "ca.pem",
        "-days",
        "30",
        "-subj",
        "/CN=test authority",
    ]);
    run(&[
        "req",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "key.pem",
        "-out",
        "csr",
        "-subj",
        "/CN=localhost",
    ]);
    run(&[
        "x509",
        "-req",
        "-in",
        "csr",
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-out",
        "cert.pem",
        "-days",
        "30",
        "-extfile",
        "ext",
    ]);
    ["ca.pem", "cert.pem", "key.pem"].map(|name| folder.join(name))
}

#[test]
fn everything_goes_through_rsyslog_over_tls_and_only_to_who_is_known() {
    let Some(_) = receivers() else { return };
    let laptop = Laptop::new(500);
    let folder = tempfile::tempdir().unwrap();
    let [ca, certificate, key] = certificates(folder.path());
    let port = free_port();
    let input = format!(
        "global(defaultNetstreamDriver=\"ossl\" defaultNetstreamDriverCAFile=\"{}\" defaultNetstreamDriverCertFile=\"{}\" defaultNetstreamDriverKeyFile=\"{}\")\n\
         module(load=\"imtcp\" streamDriver.name=\"ossl\" streamDriver.mode=\"1\" streamDriver.authMode=\"anon\")\n\
         input(type=\"imtcp\" address=\"127.0.0.1\" port=\"{port}\")",
        ca.display(),
        certificate.display(),
        key.display()
    );
    let _rsyslog = rsyslog(folder.path(), &input);
    wait_for(port);
    let to = format!("syslog+tls://localhost:{port}");
    let unknown = laptop.ship(&["--to", &to, "--give-up", "1"]);
    assert_eq!((unknown.exit, arrived(folder.path()).len()), (Some(1), 0), "{unknown:?}");
    let answer = laptop.ship(&["--to", &to, "--ca-file", ca.to_str().unwrap()]);
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    laptop.arrived(&all_of(&laptop, folder.path()));
}

#[test]
fn everything_goes_through_the_socket_of_the_system() {
    let Some(_) = receivers() else { return };
    let laptop = Laptop::new(500);
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("log");
    let input = format!(
        "module(load=\"imuxsock\" sysSock.use=\"off\")\ninput(type=\"imuxsock\" socket=\"{}\")",
        socket.display()
    );
    let _rsyslog = rsyslog(folder.path(), &input);
    until("the socket", || socket.exists());
    let answer = laptop.ship(&["--to", &format!("syslog+unix://{}", socket.display())]);
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    laptop.arrived(&all_of(&laptop, folder.path()));
}
