//! Many processes, full files and kills: no record is lost, no line is torn, and the chain holds.

use std::collections::HashSet;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::programs::audit_logger;

use super::{Home, claude, full, silent};

const WRITER: &str = env!("CARGO_BIN_EXE_audit-writer");

/// Real hook processes at the same time: each of `lanes` calls the hook `calls` times.
fn storm(home: &Home, lanes: usize, calls: usize) {
    audit_logger();
    let filling = "echo filling; ".repeat(60);
    thread::scope(|scope| {
        for lane in 0..lanes {
            let filling = &filling;
            scope.spawn(move || {
                for number in 0..calls {
                    silent(
                        &home.hook(claude(&format!("call-{lane}-{number}"), &format!("{filling}{number}"))),
                    );
                }
            });
        }
    });
    // What still waits beside the log is taken in by the next writers.
    while !audit::waiting(&home.log()).is_empty() {
        silent(&home.hook(claude("call-last", "ls")));
    }
    let files = audit::files(&home.log()).unwrap();
    let report = home.verify();
    assert!(report.intact && report.gaps == 0, "{report:?}");
    let mut seen = HashSet::new();
    let strange = audit::each(&files, |record| {
        let call = record.text("call").to_owned();
        if call.starts_with("call-") && call != "call-last" {
            assert!(seen.insert(call.clone()), "{call} is there twice");
        }
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(strange.unwrap(), 0, "torn lines");
    assert_eq!(seen.len(), lanes * calls, "records are lost");
}

#[test]
fn many_hooks_at_once_lose_nothing() {
    let (lanes, calls) = if full() { (64, 200) } else { (8, 12) };
    storm(&Home::new(), lanes, calls);
}

#[test]
fn many_hooks_at_once_lose_nothing_while_files_fill_up() {
    let (lanes, calls) = if full() { (64, 200) } else { (8, 12) };
    let home = Home::new();
    home.settings("segment_mib = 1\n");
    // Nearly full already, so that the small run has its change of files, too.
    silent(&home.hook(claude("first", "ls")));
    let log = audit::Log::new(home.log(), audit::Keeping::default());
    let filling = "x".repeat(14_000);
    while fs::metadata(home.log()).unwrap().len() < (1 << 20) - 60_000 {
        log.append(&[format!("{{\"v\":1,\"id\":\"f\",\"kind\":\"event\",\"command\":\"{filling}\"")], false)
            .unwrap();
    }
    storm(&home, lanes, calls);
    assert!(audit::files(&home.log()).unwrap().len() > 1);
}

#[test]
fn kills_in_the_middle_of_large_writes_cost_no_earlier_record() {
    let kills: u32 = if full() { 200 } else { 8 };
    let home = Home::new();
    let log = home.path().join("audit.jsonl");
    let mut before = 0;
    for kill in 0..kills {
        let mut writer = Command::new(WRITER).arg(&log).stdin(Stdio::null()).spawn().unwrap();
        // At a moment that differs from kill to kill; the clock decides nothing else.
        let start = Instant::now();
        let wait = Duration::from_micros(2_000 + u64::from(kill) * 7_919 % 23_000);
        while start.elapsed() < wait {
            thread::sleep(Duration::from_micros(100));
        }
        writer.kill().unwrap();
        writer.wait().unwrap();
        let call = home.call(audit_logger()).env("AUDIT_LOG", &log);
        silent(&call.input(claude(&format!("after-{kill}"), "ls")).run());
        let report = audit::verify(&audit::files(&log).unwrap(), &[]).unwrap();
        assert!(report.intact, "{report:?}");
        assert!(report.records > before, "the next append works");
        before = report.records;
        // A long run would fill the disk.
        if report.bytes > 64 << 20 {
            fs::remove_file(&log).unwrap();
            before = 0;
        }
    }
}
