//! Which functions a call runs, as `valgrind` sees it.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::calls::Session;

/// The names of the functions that ran, as the linker knows them.
pub(crate) fn functions(
    program: &Path,
    session: &Session,
    payload: &str,
) -> Result<BTreeSet<String>, String> {
    let seen = session.home.join("seen");
    let mut child = Command::new("valgrind")
        .args(["--tool=callgrind", "--demangle=no"])
        .arg(format!("--callgrind-out-file={}", seen.display()))
        .arg(program)
        .current_dir(&session.project)
        .env_clear()
        .env("HOME", &session.home)
        .env("PATH", &session.path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("valgrind does not start ({error}); install it"))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(payload.as_bytes()).map_err(|error| format!("{}: {error}", program.display()))?;
    }
    child.wait().map_err(|error| format!("valgrind: {error}"))?;
    let report = fs::read_to_string(&seen).map_err(|error| format!("{}: {error}", seen.display()))?;
    Ok(report.lines().filter_map(name).map(str::to_owned).collect())
}

/// The name in a line that first mentions a function: `fn=(12) name`, `cfn=(12) name'2` inside a recursion.
fn name(line: &str) -> Option<&str> {
    let (_, named) = line.strip_prefix('c').unwrap_or(line).strip_prefix("fn=(")?.split_once(") ")?;
    let name = named.rsplit_once('\'').map_or(named, |(name, _)| name);
    // What has no name is `0x…`, and what runs before `main` has one that is not the linker's.
    let is_symbol = !name.starts_with("0x") && !name.contains(['(', ' ']);
    is_symbol.then_some(name)
}
