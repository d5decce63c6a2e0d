//! What only a person may do, on a terminal of their own.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use screen::Stream;
use thiserror::Error;

use crate::trust::agents::marks;
use crate::trust::{Trust, TrustError, file};

/// Why no one can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoPerson {
    /// An agent's shell, by a variable that its host sets.
    #[error("this is an agent's shell: {0} is set")]
    Agent(&'static str),
    /// An agent's shell, by a process around it.
    #[error("this is an agent's shell: {0} runs it")]
    Host(&'static str),
    /// No terminal: what an agent runs mostly has none.
    #[error("there is no terminal here")]
    NoTerminal,
    /// The process, or one between it and its terminal, has cut itself loose from who started it.
    #[error("what started this cannot be seen: it is detached from its terminal")]
    Loose,
    /// A program at the other end of the terminal into which any program can type.
    #[error("this terminal is {0}'s, into which any program of yours can type")]
    Open(&'static str),
    /// Another program at the other end of the terminal.
    #[error("`{0}` holds the other end of this terminal, and may type whatever it likes")]
    Program(String),
    /// A login from this machine to itself.
    #[error("this login comes from this machine itself, and may be a program's")]
    FromHere,
    /// Who types is not known.
    #[error("who types at this terminal cannot be determined")]
    Unseen,
}

impl NoPerson {
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Agent(_) | Self::Host(_) | Self::NoTerminal | Self::Loose => {
                "Run this in a terminal of your own, not through an agent."
            }
            Self::Open(_) | Self::Program(_) | Self::FromHere | Self::Unseen => {
                "Run this in a plain terminal window (GNOME Terminal, Alacritty, foot, Ghostty), on a console, or over ssh from elsewhere; an administrator can name more terminals, or let root decide: see SECURITY.md."
            }
        }
    }

    /// Whether it is surely an agent, or no one: root's word does not help then.
    pub fn is_agent(&self) -> bool {
        matches!(self, Self::Agent(_) | Self::Host(_) | Self::NoTerminal)
    }
}

/// A person at a terminal.
#[derive(Debug)]
pub struct Person {
    terminal: File,
}

/// The mark of an agent's shell in the environment, if there is one.
pub fn agent() -> Option<&'static str> {
    marks().find(|mark| std::env::var_os(mark).is_some_and(|value| !value.is_empty()))
}

/// Whether this system says who types at a terminal. Elsewhere the marks of hosts and a terminal are all that is looked at.
pub const TELLS: bool = cfg!(any(target_os = "linux", target_os = "macos"));

/// Set by test programs only: whoever is at the terminal counts as a person, and says `yes`.
static STAND_IN: AtomicBool = AtomicBool::new(false);

/// From now on whoever is at the terminal counts as a person. For test programs, which have no person: no program that is
/// shipped calls it.
pub fn let_anyone_stand_in() {
    STAND_IN.store(true, Ordering::Relaxed);
}

fn is_stand_in() -> bool {
    STAND_IN.load(Ordering::Relaxed)
}

#[cfg(target_os = "linux")]
fn seen(more: &[PathBuf]) -> Result<(), NoPerson> {
    let (linux, own) = crate::trust::processes::Linux::look()?;
    crate::trust::person::judge(&linux, own, more)
}

#[cfg(target_os = "macos")]
fn seen(_more: &[PathBuf]) -> Result<(), NoPerson> {
    crate::trust::macos::judge(std::process::id())
}

/// No one tells, elsewhere.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn seen(_more: &[PathBuf]) -> Result<(), NoPerson> {
    Ok(())
}

/// The person at the terminal that this process belongs to. Input and messages have to be that terminal as well: an
/// agent's shell may have inherited it, with pipes in front.
pub fn person() -> Result<Person, NoPerson> {
    let terminal = somebody()?;
    if !is_stand_in() {
        seen(&crate::settings::Approvals::of_the_machine().terminals)?;
    }
    Ok(terminal)
}

/// Root, who may sit at any terminal that is not an agent's.
pub fn root() -> Result<Person, NoPerson> {
    let terminal = somebody()?;
    match if is_stand_in() { Ok(()) } else { seen(&[]) } {
        Err(error) if error.is_agent() => Err(error),
        _ => Ok(terminal),
    }
}

/// Whoever is at a terminal that shows no mark of a host.
fn somebody() -> Result<Person, NoPerson> {
    if let Some(mark) = agent() {
        return Err(NoPerson::Agent(mark));
    }
    // Stdout may go elsewhere; the question and the answer may not.
    if !io::stdin().is_terminal() || !Stream::Remark.is_terminal() {
        return Err(NoPerson::NoTerminal);
    }
    // Answers are read from the terminal itself, whatever stdin is.
    let name = if cfg!(windows) { "CONIN$" } else { "/dev/tty" };
    let terminal = File::open(name).map_err(|_| NoPerson::NoTerminal)?;
    Ok(Person { terminal })
}

impl Person {
    /// Shows a question, which must not hold what a terminal would act upon, and says whether the person agrees: by a number
    /// that is another one each time, so that no one who does not see it can have typed it.
    pub fn agrees(&self, question: &str) -> io::Result<bool> {
        let mut bytes = [0; 4];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let word = if is_stand_in() {
            "yes".to_owned()
        } else {
            // Four digits: too many for a program to type blindly, few enough for a person.
            (1_000 + u32::from_le_bytes(bytes) % 9_000).to_string()
        };
        Stream::Remark.say(&format!("{question} Type {word} to agree: "), None)?;
        let mut line = String::new();
        BufReader::new(&self.terminal).read_line(&mut line)?;
        Ok(line.trim() == word)
    }
}

/// How it ended.
#[derive(Debug)]
pub enum Answer {
    /// It is remembered.
    Given,
    /// It is forgotten.
    TakenBack,
    /// The person said no.
    Refused,
    /// No one can be asked: what an agent runs must not be what trusts it.
    NoPerson(NoPerson),
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
    let person = match person() {
        Ok(person) => person,
        Err(why) => return Ok(Answer::NoPerson(why)),
    };
    let record = file(home);
    let mut trust = Trust::read(&record)?;
    // A terminal that cannot be read has not said yes.
    if !person.agrees(&format!("{question}Do you trust it?")).unwrap_or(false) {
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
pub fn take_back(home: &Path, root: &Path) -> Result<Answer, TrustError> {
    let record = file(home);
    let mut trust = Trust::read(&record)?;
    trust.remove(root);
    trust.write(&record)?;
    Ok(Answer::TakenBack)
}

/// What the sub-command `trust` says in the end, and the exit code of a program for people.
pub fn outcome(result: Result<Answer, TrustError>) -> (u8, String) {
    match result {
        Ok(Answer::Given) => (0, "trusted.".to_owned()),
        Ok(Answer::TakenBack) => (0, "no longer trusted.".to_owned()),
        Ok(Answer::Refused) => (1, "nothing changed.".to_owned()),
        Ok(Answer::NoPerson(why)) => {
            (2, format!("only a person at a terminal can give trust: {why}. {}", why.hint()))
        }
        Err(error) => (3, format!("{error} {}", error.hint())),
    }
}
