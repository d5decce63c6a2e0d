//! One answer leaves the process, whoever has it first.

use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use payload::{Reply, Verdict};

use crate::outcome::PATIENCE;
use crate::{ending, run, stream};

/// The exit code that stops a call on every host, where stdout cannot say so.
pub(crate) const STOP: u8 = 2;

/// How long the second to answer waits for the first to end the process.
const GRACE: Duration = Duration::from_secs(1);

/// What leaves the process.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The bytes and the exit code that the host obeys.
    pub(crate) reply: Reply,
    /// Whether the call is held back, which is to be said on stderr if stdout is closed.
    pub(crate) holds_back: bool,
    pub(crate) verdict: Verdict,
    /// The rule of what went wrong, if something did.
    pub(crate) failure: Option<&'static str>,
}

/// Hands out the right to answer, once.
#[derive(Debug, Default)]
pub(crate) struct Outlet {
    taken: AtomicBool,
    /// The exit code plus one, once the answer is out.
    sent: AtomicU16,
    /// Whether the witness of the answer that is out has been heard.
    settled: AtomicBool,
}

impl Outlet {
    /// Writes `answer` and returns the exit code.
    ///
    /// Does not return if another thread answers already: that thread is about to end the process.
    pub(crate) fn send(&self, answer: &Answer) -> u8 {
        let Answer { reply, holds_back, verdict, .. } = answer;
        // Taken before it is written: a deadline that passes in the middle must not add a second object to stdout.
        if self.taken.swap(true, Ordering::SeqCst) {
            self.leave_it_to_the_other(if *holds_back { STOP } else { reply.exit });
        }
        // Stdout first: hosts read it, people read the rest.
        let heard = stream::write_stdout(reply.stdout.as_bytes()).is_ok();
        if !reply.stderr.is_empty() {
            stream::write_stderr(reply.stderr.as_bytes());
            stream::write_stderr(b"\n");
        }
        // With stdout closed, no host can read the object; the exit code is all that it still sees.
        let exit = if *holds_back && !heard {
            if reply.stderr.is_empty()
                && let Some(reason) = run::holds_back(verdict)
            {
                stream::write_stderr(reason.render().as_bytes());
                stream::write_stderr(b"\n");
            }
            STOP
        } else {
            reply.exit
        };
        // Plus one, so that zero can stand for an answer that is not out yet.
        self.sent.store(u16::from(exit) + 1, Ordering::SeqCst);
        exit
    }

    /// The witness has been heard: whoever is left may end the process.
    pub(crate) fn settle(&self) {
        self.settled.store(true, Ordering::SeqCst);
    }

    /// The first to answer ends the process; should it never do so, as when no one reads a full stdout, the second
    /// does. If the answer is out already, what goes wrong later cannot change it, and only its record is waited for.
    fn leave_it_to_the_other(&self, exit: u8) -> ! {
        if self.sent.load(Ordering::SeqCst) == 0 {
            thread::sleep(GRACE);
        }
        // Once the answer is out its exit code holds, whatever the second thread came to say.
        let sent = self.sent.load(Ordering::SeqCst).checked_sub(1).and_then(|sent| u8::try_from(sent).ok());
        let until = Instant::now() + PATIENCE;
        while sent.is_some() && !self.settled.load(Ordering::SeqCst) && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
        ending::exit(sent.unwrap_or(exit))
    }
}
