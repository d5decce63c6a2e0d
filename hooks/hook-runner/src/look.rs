//! Questions of our own hooks about a repository: they decide, and do not read hostile repositories themselves.

use std::io::{Read as _, Write as _};
use std::path::Path;

use loss::Answer;
use rules::{Command, Facts, Zone};
use serde_json::{Value, json};
use shell::Analysis;

use crate::Done;
use crate::fault::{Exit, Fault};

/// A larger question is not read, in bytes.
const LARGEST: u64 = 1 << 20;

/// Reads a question and prints the answer: `{}` where it is not known.
pub(crate) fn look() -> Done {
    let mut question = Vec::new();
    let asked = std::io::stdin().lock().take(LARGEST).read_to_end(&mut question);
    let answer = asked.ok().and_then(|_| answer(&question)).unwrap_or_else(|| json!({}));
    writeln!(std::io::stdout(), "{answer}").map_err(Fault::Output)?;
    Ok(Exit::Fine)
}

fn answer(question: &[u8]) -> Option<Value> {
    let question: Value = serde_json::from_slice(question).ok()?;
    match question["ask"].as_str()? {
        "loss" => what_is_lost(&question),
        "committed" => Some(json!({ "committed": committed(&question)? })),
        _ => None,
    }
}

/// What a command of a line would lose.
fn what_is_lost(question: &Value) -> Option<Value> {
    let (text, cwd, home) =
        (question["text"].as_str()?, question["cwd"].as_str()?, question["home"].as_str());
    let facts = Facts::here(Some(cwd), home);
    let analysis = shell::analyze(text, rules::surroundings(&facts));
    let at = usize::try_from(question["atom"].as_u64()?).ok()?;
    // Whoever asks has analysed the line as well, and means one of its commands.
    let command = Command::new(&analysis, analysis.atoms.get(at)?, &facts);
    if command.readable() != question["command"].as_str()? {
        return None;
    }
    let steps = rules::loss::steps(text, &analysis, at, &facts)?;
    let said = loss::look(&steps, &|path| is_made_again(path, &analysis, at, &facts));
    match &said {
        Answer::Nothing => Some(json!({ "nothing": true })),
        Answer::Lost(_) => Some(json!({ "lost": said.list()?, "recoverable": said.is_recoverable() })),
        Answer::Unknown => None,
    }
}

/// Whether tools make a file or folder again: `target`, `node_modules`.
fn is_made_again(path: &Path, analysis: &Analysis, at: usize, facts: &Facts<'_>) -> bool {
    let command = Command::new(analysis, &analysis.atoms[at], facts);
    path.to_str().is_some_and(|path| command.target(path).zone == Zone::Generated)
}

/// Whether files are as they were committed, each.
fn committed(question: &Value) -> Option<Vec<Option<bool>>> {
    let paths = question["paths"].as_array()?.iter();
    Some(paths.map(|path| loss::is_committed(Path::new(path.as_str()?))).collect())
}
