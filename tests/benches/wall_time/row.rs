//! One way to answer a call, called many times.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::footprint::{self, Footprint};

/// What takes longer than this is called in every tenth round only.
const SLOW: Duration = Duration::from_millis(400);

pub(crate) struct Row {
    pub(crate) title: String,
    pub(crate) footprint: Option<Footprint>,
    argv: Vec<String>,
    folder: PathBuf,
    times: Vec<Duration>,
    slow: bool,
}

impl Row {
    pub(crate) fn new(title: &str, argv: &[&str], folder: &Path) -> Self {
        Self {
            title: title.to_owned(),
            footprint: None,
            argv: argv.iter().map(|&word| word.to_owned()).collect(),
            folder: folder.to_owned(),
            times: Vec::new(),
            slow: false,
        }
    }

    fn call(&self, payload: &Path) -> Result<Duration, String> {
        let input =
            std::fs::File::open(payload).map_err(|error| format!("{}: {error}", payload.display()))?;
        let mut command = Command::new(&self.argv[0]);
        command.args(&self.argv[1..]).current_dir(&self.folder);
        // No one's own log and settings.
        command
            .env_clear()
            .env("HOME", &self.folder)
            .env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.stdin(input).stdout(Stdio::null()).stderr(Stdio::null());
        let start = Instant::now();
        command.status().map_err(|error| format!("{}: {error}", self.argv[0]))?;
        Ok(start.elapsed())
    }

    pub(crate) fn median(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
    }

    /// Looks at its memory. What ends too early, or works in processes of its own, is not seen.
    pub(crate) fn footprint(&mut self, payload: &Path) {
        let input = std::fs::read(payload).unwrap_or_default();
        let several = self.title == crate::others::BASH;
        if !several && self.title != "/bin/true" && !self.title.starts_with("an empty") {
            self.footprint =
                footprint::of(Path::new(&self.argv[0]), &self.argv[1..], &self.folder, &input).ok();
        }
    }

    /// The program's size in bytes, if it is one of ours.
    pub(crate) fn size(&self) -> Option<u64> {
        let ours = self.argv[0].contains("/release/");
        ours.then(|| std::fs::metadata(&self.argv[0]).map(|metadata| metadata.len()).ok())?
    }
}

/// Calls every row in every round, after one call each that is not counted.
pub(crate) fn play(rows: &mut [Row], payload: &Path, rounds: usize) -> Result<(), String> {
    for row in rows.iter_mut() {
        row.call(payload)?;
        row.slow = row.call(payload)? > SLOW;
    }
    for round in 0..rounds {
        for row in rows.iter_mut().filter(|row| !row.slow || round % 10 == 0) {
            let time = row.call(payload)?;
            row.times.push(time);
        }
    }
    Ok(())
}
