//! Measures how fast a log is verified: `cargo run --release -p audit --example verify_speed [MIB]`.
//!
//! On a crowded machine the processor's time says more than the clock's: what one idle core would do.

#![allow(clippy::print_stdout, reason = "a tool for people")]

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::time::Instant;

use audit::Head;

/// A record's own text, about as long as those of an agent's calls.
const BODY: usize = 900;

fn main() -> Result<(), Box<dyn Error>> {
    let size: u64 = std::env::args().nth(1).map_or(Ok(256), |size| size.parse())? << 20;
    let path = std::env::temp_dir().join(format!("verify-speed-{}.jsonl", std::process::id()));
    let mut log = BufWriter::new(File::create(&path)?);
    let (mut head, mut written, mut line) = (Head::START, 0, Vec::new());
    while written < size {
        line.clear();
        let filling = "echo filling; ".repeat(BODY / 14);
        head = head.seal(
            &format!("{{\"v\":1,\"id\":\"{written:036}\",\"kind\":\"event\",\"command\":\"{filling}\""),
            &mut line,
        );
        log.write_all(&line)?;
        written += line.len() as u64;
    }
    log.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
    let (start, used) = (Instant::now(), processor_seconds());
    let report = audit::verify(std::slice::from_ref(&path), &[])?;
    let (clock, used) =
        (start.elapsed().as_secs_f64(), processor_seconds().zip(used).map(|(now, then)| now - then));
    fs::remove_file(&path)?;
    assert!(report.intact && report.bytes == written, "{report:?}");
    let speed =
        |seconds: f64| f64::from(u32::try_from(written >> 10).unwrap_or(u32::MAX)) / 1000.0 * 1.024 / seconds;
    println!("{} records, {} MiB", report.records, written >> 20);
    println!("by the clock        {:7.0} MB/s", speed(clock));
    if let Some(used) = used.filter(|used| *used > 0.0) {
        println!("per idle core       {:7.0} MB/s", speed(used));
    }
    Ok(())
}

/// The time that processors spent on this process, user and system; counted in hundredths of seconds.
fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<u32>().ok().map(f64::from);
    Some((ticks(11)? + ticks(12)?) / 100.0)
}
