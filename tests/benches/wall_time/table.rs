//! The measurements, for people: on the terminal, and in docs/speed.md.

use std::fmt::Write as _;
use std::fs;

use support::programs::root;

use crate::row::Row;
use crate::say;

/// A table whose first row the others are compared with.
pub(crate) fn print(title: &str, rows: &[Row]) {
    let first = rows.first().map(|row| row.title.as_str()).unwrap_or_default();
    let first = format!("x {first}");
    say(&format!(
        "\n{title:<32}{:>10}{first:>14}{:>12}{:>8}{:>11}",
        "median", "peak KiB", "faults", "size KiB"
    ));
    for row in rows {
        let [time, ratio, peak, faults, size] = cells(row, &rows[0]);
        say(&format!("{:<32}{time:>10}{ratio:>14}{peak:>12}{faults:>8}{size:>11}", row.title));
    }
}

/// Median, ratio, peak memory, page faults and size; empty where nothing was seen.
fn cells(row: &Row, first: &Row) -> [String; 5] {
    let median = row.median().as_secs_f64();
    let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    [
        format!("{:.0} µs", median * 1e6),
        format!("{:.2}", median / first.median().as_secs_f64()),
        number(row.footprint.map(|footprint| footprint.peak_kib)),
        number(row.footprint.map(|footprint| footprint.page_faults)),
        number(row.size().map(|size| size / 1024)),
    ]
}

/// Writes the table between the marks in docs/speed.md, with when and where.
pub(crate) fn into_readme(rows: &[Row], rounds: usize) -> Result<(), String> {
    const OPEN: &str = "<!-- speed -->\n";
    const CLOSE: &str = "<!-- end of speed -->";
    let mut table = format!(
        "Median of {rounds} interleaved calls (a tenth of that for slow ones) with 1 KB on stdin, on {}, {}, at a load of {}; load slows down rows \
         of several processes more than rows of one:\n\n\
         | | Time | × `/bin/true` | Peak memory | Size |\n|---|---|---|---|---|\n",
        today(),
        machine(),
        load()
    );
    for row in rows {
        let [time, ratio, peak, _, size] = cells(row, &rows[0]);
        let kib = |number: String| if number.is_empty() { number } else { number + " KiB" };
        let title = if row.title.contains(' ') { row.title.clone() } else { format!("`{}`", row.title) };
        let _ = writeln!(table, "| {title} | {time} | {ratio} | {} | {} |", kib(peak), kib(size));
    }
    let path = root().join("docs/speed.md");
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let page = fs::read_to_string(&path).map_err(failed)?;
    let parts = page.split_once(OPEN).and_then(|(before, rest)| Some((before, rest.split_once(CLOSE)?.1)));
    let (before, after) = parts.ok_or("docs/speed.md has no place for the table")?;
    fs::write(&path, [before, OPEN, &table, CLOSE, after].concat()).map_err(failed)
}

fn today() -> String {
    let output = std::process::Command::new("date").args(["-u", "+%Y-%m-%d"]).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

/// How many processes want to run, in the mean of the last minute.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// The processor, and how many of it.
fn machine() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or_default();
    let count = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{count} processors, {}", name.trim_start_matches(['\t', ' ', ':']))
}
