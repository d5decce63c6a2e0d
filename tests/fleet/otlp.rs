//! OTLP over HTTP: to a receiver that misbehaves, and through a real collector.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::time::Duration;

use super::collector::{Collector, Reply, lines};
use super::{Laptop, Running, count, free_port, receivers, until};

#[test]
fn everything_arrives_once_and_only_what_is_new_the_next_time() {
    let laptop = Laptop::new(count());
    let collector = Collector::start(|_, _| Reply::Take);
    let to = format!("http://127.0.0.1:{}", collector.port);
    let answer = laptop.ship(&["--to", &to]);
    assert_eq!((answer.exit, answer.stderr.as_str()), (Some(0), ""), "{answer:?}");
    assert!(answer.stdout.ends_with("records acknowledged\n"), "{answer:?}");
    assert_eq!(laptop.arrived(&collector.lines()), 0);
    assert!(collector.taken().iter().all(|taken| taken.path == "/v1/logs"));

    let before = collector.taken().len();
    assert_eq!(laptop.ship(&["--to", &to]).stdout, "0 records acknowledged\n");
    assert_eq!(collector.taken().len(), before);
    laptop.write(count(), 3);
    assert_eq!(laptop.ship(&["--to", &to, "--status"]).exit, Some(1));
    assert_eq!(laptop.ship(&["--to", &to]).stdout, "3 records acknowledged\n");
    assert_eq!(laptop.arrived(&collector.lines()), 0);
    let status = laptop.ship(&["--to", &to, "--status"]);
    assert!(status.stdout.contains("0 records waiting"), "{status:?}");
}

#[test]
fn a_receiver_that_sends_errors_or_nonsense_or_is_slow_gets_everything() {
    let laptop = Laptop::new(count());
    let collector = Collector::start(|number, _| match number % 7 {
        0 => Reply::Refuse(503, None),
        1 => Reply::Refuse(429, Some(("Retry-After", "0"))),
        2 => Reply::Babble,
        3 => Reply::TakeAndBabble,
        4 => Reply::Slow(Duration::from_millis(200)),
        5 => Reply::Refuse(500, None),
        _ => Reply::Take,
    });
    let to = format!("http://127.0.0.1:{}", collector.port);
    let answer = laptop.ship(&["--to", &to, "--format", "otlp", "--give-up", "600", "--retry-ms", "5"]);
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    // What was taken and not acknowledged came again; its id says so.
    assert!(laptop.arrived(&collector.lines()) > 0);
}

#[test]
fn a_receiver_that_is_away_loses_nothing_and_is_reported() {
    let laptop = Laptop::new(100);
    let port = free_port();
    let to = format!("http://127.0.0.1:{port}");
    let answer = laptop.ship(&["--to", &to, "--give-up", "1"]);
    assert_eq!((answer.exit, answer.stdout.as_str()), (Some(1), "0 records acknowledged\n"), "{answer:?}");
    assert!(
        answer.stderr.contains("did not take the records") && answer.stderr.contains("Nothing is lost"),
        "{answer:?}"
    );
    let collector = Collector::start_at(&format!("127.0.0.1:{port}"), |_, _| Reply::Take);
    assert_eq!(laptop.ship(&["--to", &to]).exit, Some(0));
    assert_eq!(laptop.arrived(&collector.lines()), 0);
}

#[test]
fn a_shipper_that_is_killed_again_and_again_loses_nothing() {
    let laptop = Laptop::new(count());
    let collector = Collector::start(|_, _| Reply::Slow(Duration::from_millis(5)));
    let to = format!("http://127.0.0.1:{}", collector.port);
    laptop.ship_with_kills(20, &["--to", &to]);
    laptop.arrived(&collector.lines());
}

#[test]
fn a_record_that_the_receiver_refuses_does_not_keep_the_others() {
    let laptop = Laptop::new(300);
    let collector = Collector::start(|_, taken| {
        let refused = lines(taken).iter().any(|line| line.contains("\"call\":\"toolu_77\""));
        if refused { Reply::Refuse(400, None) } else { Reply::Take }
    });
    let to = format!("http://127.0.0.1:{}", collector.port);
    let answer = laptop.ship(&["--to", &to]);
    assert_eq!(answer.exit, Some(1), "{answer:?}");
    assert!(answer.stderr.contains("refused 1 record"), "{answer:?}");
    assert_eq!(collector.lines().len(), laptop.lines().len() - 1);
    assert!(laptop.ship(&["--to", &to, "--status"]).stdout.contains("1 refused"));
    // What is missing is seen in the copy.
    let proof = laptop.verify(collector.lines().join("\n"), &[]);
    assert!(proof.exit == Some(1) && proof.stdout.contains("1 records are missing"), "{proof:?}");
}

#[test]
fn a_success_in_part_is_none() {
    let laptop = Laptop::new(40);
    let said = r#"{"partialSuccess":{"rejectedLogRecords":"3","errorMessage":"too old"}}"#;
    let collector = Collector::start(move |_, _| Reply::Say(said));
    let to = format!("http://127.0.0.1:{}", collector.port);
    let answer = laptop.ship(&["--to", &to, "--format", "otlp"]);
    assert_eq!(answer.exit, Some(1), "{answer:?}");
    assert!(answer.stderr.contains("3 records were rejected: too old"), "{answer:?}");
    assert!(laptop.ship(&["--to", &to, "--status"]).stdout.contains("nothing acknowledged yet"));
}

#[test]
fn a_token_reaches_the_receiver_and_nothing_else() {
    let laptop = Laptop::new(5);
    let token = laptop.path().join("token");
    fs::write(&token, "tok-s3cret-91\n").unwrap();
    fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).unwrap();
    let collector =
        Collector::start(|number, _| if number == 0 { Reply::Refuse(401, None) } else { Reply::Take });
    let to = format!("http://127.0.0.1:{}", collector.port);
    let arguments = ["--to", &to, "--token-file", token.to_str().unwrap()];
    let refused = laptop.ship(&arguments);
    assert_eq!(refused.exit, Some(1), "{refused:?}");
    let answer = laptop.ship(&arguments);
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    let taken = collector.taken();
    assert!(taken[0].headers.contains(&("authorization".to_owned(), "Bearer tok-s3cret-91".to_owned())));
    for said in [&refused.stdout, &refused.stderr, &answer.stdout, &answer.stderr] {
        assert!(!said.contains("s3cret"), "{said}");
    }
    let state = laptop.path().join(".local/state/policy-hooks/ship");
    for file in fs::read_dir(state).unwrap().flatten() {
        let text = fs::read_to_string(file.path()).unwrap();
        assert!(!text.contains("s3cret"), "{text}");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o077, 0, "{:?}", file.path());
    }
    // Across a network, a token does not travel in the clear; nor does one stand in an address.
    let clear = laptop.ship(&["--to", "http://192.0.2.1:4318", "--token-file", token.to_str().unwrap()]);
    assert!(clear.exit == Some(2) && clear.stderr.contains("use https"), "{clear:?}");
    let address = laptop.ship(&["--to", "https://me:s3cret@192.0.2.1"]);
    assert!(address.exit == Some(2) && !address.stderr.contains("s3cret"), "{address:?}");
}

#[test]
fn two_shippers_do_not_send_the_same() {
    let laptop = Laptop::new(2_000);
    let collector = Collector::start(|_, _| Reply::Slow(Duration::from_millis(20)));
    let to = format!("http://127.0.0.1:{}", collector.port);
    let mut children: Vec<_> = (0..4).map(|_| laptop.shipping(&["--to", &to])).collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(laptop.arrived(&collector.lines()), 0);
}

#[test]
fn what_is_written_meanwhile_is_sent_with_follow() {
    let laptop = Laptop::new(10);
    let collector = Collector::start(|_, _| Reply::Take);
    let to = format!("http://127.0.0.1:{}", collector.port);
    let _shipper = Running(laptop.shipping(&["--to", &to, "--follow"]));
    until("the first records", || collector.lines().len() >= 11);
    laptop.write(10, 50);
    until("the next records", || collector.lines().len() >= 61);
    assert_eq!(laptop.arrived(&collector.lines()), 0);
}

/// rotel between us and a sink.
fn rotel(home: &std::path::Path, folder: &std::path::Path, port: u16, sink: u16) -> Running {
    let mut command = Command::new(home.join("python/bin/rotel-agent"));
    command.args(["start", "--exporter", "otlp", "--otlp-exporter-protocol", "http"]);
    command.args(["--otlp-exporter-endpoint", &format!("http://127.0.0.1:{sink}")]);
    command.args(["--otlp-exporter-compression", "none"]);
    command.args(["--otlp-http-endpoint", &format!("127.0.0.1:{port}")]);
    command.args(["--otlp-grpc-endpoint", &format!("127.0.0.1:{}", free_port())]);
    command.args(["--pid-file", folder.join("rotel.pid").to_str().unwrap()]).current_dir(folder);
    let running = Running::start(&mut command);
    until("rotel", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    running
}

#[test]
fn everything_goes_through_a_real_collector_as_protobuf_and_as_json() {
    let Some(home) = receivers() else { return };
    for format in ["otlp-protobuf", "otlp"] {
        let laptop = Laptop::new(count());
        let collector = Collector::start(|_, _| Reply::Take);
        let port = free_port();
        let _rotel = rotel(&home, laptop.path(), port, collector.port);
        let to = format!("http://127.0.0.1:{port}");
        laptop.ship_with_kills(5, &["--to", &to, "--format", format]);
        let sent = laptop.lines().len();
        until("all records after rotel", || {
            // Requests of a megabyte are looked into when they are likely to be all.
            collector.count() >= sent
                && collector.lines().iter().collect::<std::collections::HashSet<_>>().len() >= sent
        });
        let again = laptop.arrived(&collector.lines());
        super::report(&format!("{sent} records through rotel ({format}), {again} twice"));
    }
}
