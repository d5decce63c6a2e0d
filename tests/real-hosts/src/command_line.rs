//! The driver on a command line.

use std::fs::OpenOptions;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use crate::cases::Case;
use crate::{Host, Session, generate, install, mcp, run};

/// So many cases share a window, where a host has windows.
const AT_ONCE: usize = 15;

const USAGE: &str = "\
Usage: real-hosts install [HOST…]                  installs the tested versions from the npm registry
       real-hosts newer [--write]                  asks the registry for newer versions; takes them for the tested ones
       real-hosts play HOST FOLDER SCRIPT [BIN…]   runs a session, and prints what came of it as JSON
       real-hosts generate HOST SEED COUNT         makes random cases, one a line
       real-hosts record FILE                      plays the cases on stdin, and adds what came of each to FILE
       real-hosts sessions                         the same without a namespace, from a list of sessions on stdin
       real-hosts mcp                              an MCP server with one tool, for hosts to start

HOST is claude, copilot, sdk, codex, gemini, qwen, cline, opencode, pi, openhands or vscode; cases are generated for claude, copilot, copilot-pascal, codex, gemini and vscode. BIN comes first on its PATH. SCRIPT is what the model does:
  [{\"shell\":\"ls\"},{\"write\":[\"a.txt\",\"text\"]},{\"edit\":[\"a.txt\",\"old\",\"new\"]},{\"read\":\"a.txt\"},{\"text\":\"done\"}]";

/// What the program does.
pub fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        ["install", hosts @ ..] => install(hosts),
        ["newer"] => install::newer(false),
        ["newer", "--write"] => install::newer(true),
        ["play", host, folder, script, path @ ..] => play(host, folder, script, path),
        ["generate", host, seed, count] => generate(host, seed, count),
        ["record", file] => record(Path::new(file)),
        ["sessions"] => sessions(),
        ["mcp"] => mcp::serve().map(|()| String::new()).map_err(|error| error.to_string()),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(text) => {
            // No one is left to read it.
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
        report.push(format!("{} {}: {}", host.title(), host.version(), install::install(*host)?.display()));
    }
    Ok(report.join("\n"))
}

fn play(host: &str, folder: &str, script: &str, path: &[&str]) -> Result<String, String> {
    let script = serde_json::from_str(script).map_err(|error| format!("the script: {error}\n\n{USAGE}"))?;
    let folder = Path::new(folder).canonicalize().map_err(|error| format!("{folder}: {error}"))?;
    let driver = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut session = Session::new(host.parse()?, &folder, script);
    session.path = path.iter().map(Path::new).map(Path::to_owned).collect();
    if let Ok(before) = std::env::var("BEFORE") {
        session.before = serde_json::from_str(&before).map_err(|error| format!("BEFORE: {error}"))?;
    }
    session.shots = std::env::var_os("SHOTS").map(Into::into);
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
    let mut record = |cases: &mut Vec<Case>| -> Result<(), String> {
        for recorded in Case::record(cases, &driver)? {
            let mut options = OpenOptions::new();
            let mut file = options
                .create(true)
                .append(true)
                .open(file)
                .map_err(|error| format!("{}: {error}", file.display()))?;
            writeln!(file, "{}", recorded.line()).map_err(|error| error.to_string())?;
            counted += 1;
        }
        cases.clear();
        Ok(())
    };
    let mut together: Vec<Case> = Vec::new();
    for line in std::io::stdin().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let case: Case = serde_json::from_str(&line).map_err(|error| format!("{line}: {error}"))?;
        if together.len() == AT_ONCE || together.first().is_some_and(|first| !first.goes_with(&case)) {
            record(&mut together)?;
        }
        together.push(case);
    }
    record(&mut together)?;
    Ok(format!("{counted} recorded"))
}

fn sessions() -> Result<String, String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| error.to_string())?;
    let sessions: Vec<Session> =
        serde_json::from_str(&text).map_err(|error| format!("the sessions: {error}"))?;
    let reports = crate::run::perform(&sessions).map_err(|error| error.to_string())?;
    serde_json::to_string(&reports).map_err(|error| error.to_string())
}
