//! What only a person may do, on a terminal of their own.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, Write as _};
use std::path::Path;

use thiserror::Error;

use crate::{Trust, TrustError, file};

/// What hosts put into the environment of the shells that they give to agents. Driven: Claude Code 2.1.329, Copilot CLI
/// 1.0.102, Codex CLI 0.169.0, Gemini CLI 0.61.0.
pub const MARKS: &[&str] = &[
    "CLAUDECODE",
    "CLAUDE_CODE_SESSION_ID",
    "COPILOT_CLI",
    "COPILOT_AGENT_SESSION_ID",
    "GEMINI_CLI",
    "CODEX_CI",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "AI_AGENT",
];

/// Why nobody can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoPerson {
    /// An agent's shell, by a variable that its host sets.
    #[error("this is an agent's shell: {0} is set")]
    Agent(&'static str),
    /// No terminal: what an agent runs mostly has none.
    #[error("there is no terminal here")]
    NoTerminal,
}

impl NoPerson {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        "Run this in a terminal of your own, not through an agent."
    }
}

/// A person at a terminal.
#[derive(Debug)]
pub struct Person {
    terminal: File,
}

/// The mark of an agent's shell in the environment, if there is one.
pub fn agent() -> Option<&'static str> {
    MARKS.iter().copied().find(|mark| std::env::var_os(mark).is_some_and(|value| !value.is_empty()))
}

/// The mark of an agent's shell in the environment that a process of this terminal session was started with: who takes it
/// out of the environment of one program only (`env -u`) still has it in that of the shell around it.
///
/// What began before the session is not looked at: people start terminals from anywhere.
#[cfg(target_os = "linux")]
fn agent_before() -> Option<&'static str> {
    const MOST: usize = 64;
    let (mut parent, session) = lineage("self")?;
    for _ in 0..MOST {
        let (next, its_session) = lineage(&parent)?;
        if its_session != session {
            return None;
        }
        let environment = std::fs::read(format!("/proc/{parent}/environ")).unwrap_or_default();
        let is_set = |mark: &&str| {
            environment.split(|byte| *byte == 0).any(|variable| {
                variable.strip_prefix(mark.as_bytes()).is_some_and(|rest| rest.len() > 1 && rest[0] == b'=')
            })
        };
        if let Some(mark) = MARKS.iter().copied().find(is_set) {
            return Some(mark);
        }
        parent = next;
    }
    None
}

/// Nobody tells, elsewhere.
#[cfg(not(target_os = "linux"))]
fn agent_before() -> Option<&'static str> {
    None
}

/// The parent and the session of a process, as the system writes them.
#[cfg(target_os = "linux")]
fn lineage(process: &str) -> Option<(String, String)> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in brackets may hold anything; behind it: state, parent, group, session.
    let mut fields = text.rsplit_once(')')?.1.split_ascii_whitespace().skip(1);
    let parent = fields.next()?.to_owned();
    Some((parent, fields.nth(1)?.to_owned()))
}

/// The person at the terminal that this process belongs to. Input and messages have to be that terminal as well: an
/// agent's shell may have inherited it, with pipes in front.
pub fn person() -> Result<Person, NoPerson> {
    if let Some(mark) = agent().or_else(agent_before) {
        return Err(NoPerson::Agent(mark));
    }
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(NoPerson::NoTerminal);
    }
    let name = if cfg!(windows) { "CONIN$" } else { "/dev/tty" };
    let terminal = File::open(name).map_err(|_| NoPerson::NoTerminal)?;
    Ok(Person { terminal })
}

impl Person {
    /// Shows a text, which must not hold what a terminal would act upon, and returns the line that the person types.
    pub fn ask(&self, text: &str) -> io::Result<String> {
        write!(io::stderr(), "{text}")?;
        let mut line = String::new();
        BufReader::new(&self.terminal).read_line(&mut line)?;
        Ok(line)
    }
}

/// How it ended.
#[derive(Debug)]
pub enum Answer {
    /// It is remembered.
    Given,
    /// The person said no.
    Refused,
    /// Nobody can be asked: an agent's shell has no terminal, and what it runs must not be what trusts it.
    NoTerminal,
}

/// Asks `question`, which must not hold what a terminal would act upon, and remembers a yes.
///
/// `code`: whether the repository's code may run; `exact`: a file that counts from now on, with these bytes.
pub fn give(
    home: &Path,
    root: &Path,
    code: bool,
    exact: Option<(&Path, &[u8])>,
    question: &str,
) -> Result<Answer, TrustError> {
    let Ok(person) = person() else { return Ok(Answer::NoTerminal) };
    let record = file(home);
    let mut trust = Trust::read(&record)?;
    let answer = person.ask(&format!("{question}Do you trust it? [y/N] "));
    if !answer.is_ok_and(|answer| matches!(answer.trim(), "y" | "Y" | "yes")) {
        return Ok(Answer::Refused);
    }
    if code {
        trust.add_repository(root)?;
    }
    if let Some((path, bytes)) = exact {
        trust.add_file(path, bytes)?;
    }
    trust.write(&record)?;
    Ok(Answer::Given)
}

/// Takes back all trust in a repository and in the files below it.
pub fn take_back(home: &Path, root: &Path) -> Result<(), TrustError> {
    let record = file(home);
    let mut trust = Trust::read(&record)?;
    trust.remove(root);
    trust.write(&record)
}
