//! Trust is given by a person, on a terminal.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use crate::{Trust, TrustError, file};

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
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(Answer::NoTerminal);
    }
    let record = file(home);
    let mut trust = Trust::read(&record)?;
    let ask = || -> io::Result<String> {
        write!(io::stderr(), "{question}Do you trust it? [y/N] ")?;
        let mut answer = String::new();
        io::stdin().read_line(&mut answer)?;
        Ok(answer)
    };
    if !ask().is_ok_and(|answer| matches!(answer.trim(), "y" | "Y" | "yes")) {
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
