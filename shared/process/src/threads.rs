//! What goes into a program and comes out of it, where the system cannot wait for several pipes: a thread each.

use std::io::{self, PipeReader, Read as _, Write as _};
use std::process::{Child, ChildStdin};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::part::{Kept, Part};

/// How long a look for a program's end waits.
const PAUSE: Duration = Duration::from_millis(5);

/// The pipes of a program.
#[derive(Debug)]
pub(crate) struct Pipes(Vec<Stream>);

#[derive(Debug)]
struct Stream {
    kept: Arc<Mutex<Kept>>,
    closed: mpsc::Receiver<()>,
}

impl Pipes {
    /// The pipes of a child: what it gets, and what it prints.
    pub(crate) fn new(
        _child: &Child,
        input: Option<(ChildStdin, Vec<u8>)>,
        readers: Vec<(PipeReader, Part)>,
    ) -> Self {
        if let Some((mut stdin, bytes)) = input {
            // A program that does not want to read has its reasons; its exit code tells.
            thread::spawn(move || drop(stdin.write_all(&bytes)));
        }
        Self(readers.into_iter().map(|(reader, part)| Stream::read(reader, part)).collect())
    }

    /// Lets a little time pass; whether the program may have ended.
    pub(crate) fn wait(&mut self, longest: Duration, _with_end: bool) -> bool {
        thread::sleep(longest.min(PAUSE));
        true
    }

    /// Whether no one holds a stream open.
    pub(crate) fn are_closed(&self) -> bool {
        // A thread that reads holds the other one.
        self.0.iter().all(|stream| Arc::strong_count(&stream.kept) == 1)
    }

    /// Waits for what is there already.
    pub(crate) fn drain(&mut self) {
        for number in 0..self.0.len() {
            self.closes_within(number, PAUSE);
        }
    }

    /// Waits for the end of this stream; `false` when someone holds it open for longer.
    pub(crate) fn closes_within(&mut self, number: usize, limit: Duration) -> bool {
        self.0.get(number).is_none_or(|stream| stream.closed.recv_timeout(limit).is_ok())
    }

    /// Whether this stream held more than is kept.
    pub(crate) fn is_flooded(&self, number: usize) -> bool {
        self.0.get(number).is_some_and(|stream| lock(&stream.kept).is_flooded())
    }

    /// What was kept of this stream.
    pub(crate) fn take(&mut self, number: usize) -> Vec<u8> {
        self.0.get(number).map(|stream| lock(&stream.kept).take()).unwrap_or_default()
    }
}

fn lock(kept: &Mutex<Kept>) -> std::sync::MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stream {
    fn read(mut reader: PipeReader, part: Part) -> Self {
        let (done, closed) = mpsc::channel();
        let kept = Arc::new(Mutex::new(Kept::new(part)));
        let stream = Self { kept: Arc::clone(&kept), closed };
        thread::spawn(move || {
            let mut buffer = [0; 16 * 1024];
            loop {
                match reader.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(count) => lock(&kept).add(buffer.get(..count).unwrap_or_default()),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => return,
                }
            }
            let _ = done.send(());
        });
        stream
    }
}
