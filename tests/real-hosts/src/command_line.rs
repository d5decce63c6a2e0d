//! The driver on a command line.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use crate::{Host, Session, install, run};

const USAGE: &str = "\
Usage: real-hosts install [HOST…]                  installs the tested versions from the npm registry
       real-hosts play HOST FOLDER SCRIPT [BIN…]   runs a session, and prints what came of it as JSON
       real-hosts session                          the same without a namespace, from a session on stdin

HOST is claude, copilot, codex or gemini. BIN comes first on its PATH. SCRIPT is what the model does:
  [{\"shell\":\"ls\"},{\"write\":[\"a.txt\",\"text\"]},{\"edit\":[\"a.txt\",\"old\",\"new\"]},{\"read\":\"a.txt\"},{\"text\":\"done\"}]";

/// What the program does.
pub fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        ["install", hosts @ ..] => install(hosts),
        ["play", host, folder, script, path @ ..] => play(host, folder, script, path),
        ["session"] => session(),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(text) => {
            // Nobody is left to be told.
            let _ = writeln!(std::io::stdout(), "{text}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            let _ = writeln!(std::io::stderr(), "{problem}");
            ExitCode::from(2)
        }
    }
}

fn install(names: &[&str]) -> Result<String, String> {
    let hosts: Vec<Host> = names.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
    let mut report = Vec::new();
    for host in if hosts.is_empty() { &Host::ALL[..] } else { &hosts } {
        report.push(format!("{} {}: {}", host.title(), host.package().1, install::install(*host)?.display()));
    }
    Ok(report.join("\n"))
}

fn play(host: &str, folder: &str, script: &str, path: &[&str]) -> Result<String, String> {
    let script = serde_json::from_str(script).map_err(|error| format!("the script: {error}\n\n{USAGE}"))?;
    let folder = Path::new(folder).canonicalize().map_err(|error| format!("{folder}: {error}"))?;
    let driver = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut session = Session::new(host.parse()?, &folder, script);
    session.path = path.iter().map(Path::new).map(Path::to_owned).collect();
    let report = run(&driver, &session).map_err(|error| error.to_string())?;
    serde_json::to_string_pretty(&report).map_err(|error| error.to_string())
}

fn session() -> Result<String, String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| error.to_string())?;
    let session = serde_json::from_str(&text).map_err(|error| format!("the session: {error}"))?;
    let report = crate::run::perform(&session).map_err(|error| error.to_string())?;
    serde_json::to_string(&report).map_err(|error| error.to_string())
}
