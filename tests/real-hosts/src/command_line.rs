//! The driver on a command line.

use std::fs::OpenOptions;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use crate::cases::Case;
use crate::{Host, Session, generate, install, mcp, run};

const USAGE: &str = "\
Usage: real-hosts install [HOST…]                  installs the tested versions from the npm registry
       real-hosts play HOST FOLDER SCRIPT [BIN…]   runs a session, and prints what came of it as JSON
       real-hosts generate HOST SEED COUNT         makes random cases, one a line
       real-hosts record FILE                      plays the cases on stdin, and adds what came of each to FILE
       real-hosts session                          the same without a namespace, from a session on stdin
       real-hosts mcp                              an MCP server with one tool, for hosts to start

HOST is claude, copilot, codex or gemini; to generate for, copilot-pascal as well. BIN comes first on its PATH. SCRIPT is what the model does:
  [{\"shell\":\"ls\"},{\"write\":[\"a.txt\",\"text\"]},{\"edit\":[\"a.txt\",\"old\",\"new\"]},{\"read\":\"a.txt\"},{\"text\":\"done\"}]";

/// What the program does.
pub fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        ["install", hosts @ ..] => install(hosts),
        ["play", host, folder, script, path @ ..] => play(host, folder, script, path),
        ["generate", host, seed, count] => generate(host, seed, count),
        ["record", file] => record(Path::new(file)),
        ["session"] => session(),
        ["mcp"] => mcp::serve().map(|()| String::new()).map_err(|error| error.to_string()),
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

fn generate(host: &str, seed: &str, count: &str) -> Result<String, String> {
    let number = |text: &str| text.parse::<u64>().map_err(|error| format!("{text}: {error}"));
    let (seed, count) = (number(seed)?, number(count)?);
    let cases: Result<Vec<String>, String> =
        (seed..seed + count).map(|seed| Ok(generate::case(host.parse()?, seed).line())).collect();
    Ok(cases?.join("\n"))
}

fn record(file: &Path) -> Result<String, String> {
    let driver = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut counted = 0;
    for line in std::io::stdin().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let case: Case = serde_json::from_str(&line).map_err(|error| format!("{line}: {error}"))?;
        let recorded = case.record(&driver)?;
        let mut options = OpenOptions::new();
        let mut file = options
            .create(true)
            .append(true)
            .open(file)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        writeln!(file, "{}", recorded.line()).map_err(|error| error.to_string())?;
        counted += 1;
    }
    Ok(format!("{counted} recorded"))
}

fn session() -> Result<String, String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| error.to_string())?;
    let session = serde_json::from_str(&text).map_err(|error| format!("the session: {error}"))?;
    let report = crate::run::perform(&session).map_err(|error| error.to_string())?;
    serde_json::to_string(&report).map_err(|error| error.to_string())
}
