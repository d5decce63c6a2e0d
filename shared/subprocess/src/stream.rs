//! What a program prints, read to its end and kept in part: a flood neither stalls it nor fills the memory.

use std::collections::VecDeque;
use std::io::{self, PipeReader, Read as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Which part is kept, in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    Beginning(usize),
    End(usize),
}

/// A stream that is being read.
#[derive(Debug)]
pub(crate) struct Stream {
    kept: Arc<Mutex<VecDeque<u8>>>,
    flooded: Arc<AtomicBool>,
    closed: mpsc::Receiver<()>,
}

impl Stream {
    pub(crate) fn read(mut reader: PipeReader, part: Part) -> Self {
        let (done, closed) = mpsc::channel();
        let (kept, flooded) = (Arc::default(), Arc::new(AtomicBool::new(false)));
        let stream = Self { kept: Arc::clone(&kept), flooded: Arc::clone(&flooded), closed };
        thread::spawn(move || {
            let mut buffer = [0; 16 * 1024];
            loop {
                match reader.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(count) => {
                        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                        if keep(&mut kept, buffer.get(..count).unwrap_or_default(), part) {
                            flooded.store(true, Ordering::Relaxed);
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => return,
                }
            }
            let _ = done.send(());
        });
        stream
    }

    /// Whether there was more than is kept.
    pub(crate) fn is_flooded(&self) -> bool {
        self.flooded.load(Ordering::Relaxed)
    }

    /// Waits for its end; `false` when somebody holds it open for longer.
    pub(crate) fn closes_within(&self, limit: Duration) -> bool {
        self.closed.recv_timeout(limit).is_ok()
    }

    /// What was kept so far.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }
}

/// Adds to what is kept; whether something had to go.
fn keep(kept: &mut VecDeque<u8>, bytes: &[u8], part: Part) -> bool {
    match part {
        Part::Beginning(most) => {
            let room = most.saturating_sub(kept.len());
            kept.extend(bytes.iter().take(room));
            bytes.len() > room
        }
        Part::End(most) => {
            kept.extend(bytes);
            let surplus = kept.len().saturating_sub(most);
            kept.drain(..surplus);
            surplus > 0
        }
    }
}
