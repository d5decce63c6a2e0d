//! Where there are no process groups: threads read, and only the hook itself is ended.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use payload::model::Ended;

use super::{Finished, Kept, MAX_STDERR, MAX_STDOUT, Spec, ended};

/// How often the loop looks for the end.
const TICK: Duration = Duration::from_millis(5);

pub(super) fn run(spec: &Spec, input: &[u8], stop: Option<&AtomicBool>) -> Finished {
    let start = Instant::now();
    let mut command = Command::new(&spec.program);
    command.args(&spec.arguments).current_dir(&spec.folder);
    for name in &spec.unset {
        command.env_remove(name);
    }
    command.envs(spec.env.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Finished::not_started(format!("{}: {error}", spec.program.display())),
    };
    let stdout = collect(child.stdout.take(), MAX_STDOUT);
    let stderr = collect(child.stderr.take(), MAX_STDERR);
    let (stdin, input) = (child.stdin.take(), input.to_vec());
    thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
    let mut late = false;
    let status = loop {
        if let Ok(Some(status)) = child.try_wait() {
            break Some(status);
        }
        if start.elapsed() >= spec.limit || stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            late = true;
            let _ = child.kill();
            break child.wait().ok();
        }
        thread::sleep(TICK);
    };
    let left = spec.limit.saturating_sub(start.elapsed()).max(Duration::from_millis(100));
    let said = stdout.recv_timeout(left);
    let held = said.is_err();
    let said = said.unwrap_or_else(|_| Kept::new(0));
    let complained = stderr.recv_timeout(TICK).unwrap_or_else(|_| Kept::new(0));
    let (ended, code) = match status {
        _ if late || held => (Ended::TimedOut, None),
        Some(status) => ended(status.code(), !said.bytes.is_empty()),
        None => (Ended::Signalled, None),
    };
    Finished {
        stdout: said.text(),
        stderr: complained.text(),
        ended,
        code,
        time: start.elapsed(),
        held_output: held,
        flooded: said.flooded || complained.flooded,
    }
}

fn collect(stream: Option<impl Read + Send + 'static>, limit: usize) -> mpsc::Receiver<Kept> {
    let (done, result) = mpsc::channel();
    thread::spawn(move || {
        let mut kept = Kept::new(limit);
        let mut buffer = vec![0; 32 << 10];
        if let Some(mut stream) = stream {
            while let Ok(length @ 1..) = stream.read(&mut buffer) {
                kept.push(&buffer[..length]);
            }
        }
        let _ = done.send(kept);
    });
    result
}
