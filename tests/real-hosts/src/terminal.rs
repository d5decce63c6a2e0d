//! A person at a terminal: a host that asks gets an answer.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use serde::{Deserialize, Serialize};

/// What a person does when the host asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// A string of the question, without blanks: terminals show a blank by moving the cursor.
    pub question: String,
    /// What the person answers.
    pub answer: Answer,
}

/// An answer to a host's question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// Takes what is offered first: yes.
    Yes,
    /// Leaves the question.
    No,
}

impl Answer {
    fn keys(self) -> &'static [u8] {
        match self {
            Self::Yes => b"\r",
            Self::No => b"\x1b",
        }
    }
}

/// How long a person reads a question before the answer.
const READING: Duration = Duration::from_millis(1500);

/// How long a person waits for an effect of the answer.
const AGAIN: Duration = Duration::from_secs(10);

/// What came of a session at a terminal.
pub(crate) struct Conversation {
    /// Whether the question was asked.
    pub(crate) asked: bool,
    /// What the terminal showed, without what moves the cursor.
    pub(crate) shown: String,
}

/// Runs `command` at a terminal of its own until the model is `done`.
pub(crate) fn talk(
    command: &Command,
    person: &Person,
    seconds: u32,
    done: impl Fn() -> bool,
) -> io::Result<Conversation> {
    let (keyboard, mut child) = start(command)?;
    let screen = Screen::watch(keyboard.try_clone()?);
    let end = Instant::now() + Duration::from_secs(seconds.into());
    let (mut seen, mut over) = (Since::default(), Since::default());
    let mut asked = false;
    let mut answered = Instant::now();
    while Instant::now() < end && child.try_wait()?.is_none() {
        thread::sleep(READING / 5);
        // Hosts animate their questions, so that a screen never stands still.
        if !asked && seen.holds_for(screen.all().contains(&person.question), READING) {
            asked = true;
            answered = Instant::now();
            (&keyboard).write_all(person.answer.keys())?;
        } else if asked && answered.elapsed() > AGAIN {
            // The host was not listening yet.
            answered = Instant::now();
            (&keyboard).write_all(person.answer.keys())?;
        }
        let finished = done() || asked && person.answer == Answer::No;
        if over.holds_for(finished, READING) {
            break;
        }
    }
    // A host at a terminal waits for the next prompt.
    let _ = child.kill();
    let _ = child.wait();
    Ok(Conversation { asked, shown: screen.all() })
}

/// The command at a terminal of its own, with the other end of that.
fn start(command: &Command) -> io::Result<(File, Child)> {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    tcsetwinsize(&ours, Winsize { ws_row: 50, ws_col: 160, ws_xpixel: 0, ws_ypixel: 0 })?;
    let name = ptsname(&ours, Vec::new())?;
    let theirs = File::options().read(true).write(true).open(name.to_string_lossy().as_ref())?;
    let mut session = Command::new("setsid");
    session.args(["--ctty", "--wait"]).arg(command.get_program()).args(command.get_args());
    session.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(folder) = command.get_current_dir() {
        session.current_dir(folder);
    }
    let child = session.stdin(theirs.try_clone()?).stdout(theirs.try_clone()?).stderr(theirs).spawn()?;
    Ok((File::from(ours), child))
}

/// Since when something holds.
#[derive(Default)]
struct Since(Option<Instant>);

impl Since {
    fn holds_for(&mut self, holds: bool, time: Duration) -> bool {
        let since = *self.0.get_or_insert_with(Instant::now);
        if !holds {
            self.0 = None;
        }
        holds && since.elapsed() >= time
    }
}

/// What a terminal has shown since the start.
#[derive(Clone, Default)]
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Screen {
    /// Reads what a terminal receives, until it is gone.
    fn watch(mut terminal: File) -> Self {
        let screen = Self::default();
        let watched = screen.clone();
        thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(length @ 1..) = terminal.read(&mut buffer) {
                watched.lock().extend_from_slice(&buffer[..length]);
            }
        });
        screen
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn all(&self) -> String {
        compact(&self.lock())
    }
}

fn compact(bytes: &[u8]) -> String {
    let text = strip_ansi_escapes::strip(bytes);
    String::from_utf8_lossy(&text).chars().filter(|c| !c.is_whitespace()).collect()
}
