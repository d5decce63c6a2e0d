//! One session of a host, from its start to its end.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use crate::model::{Kind, Model, Seen};
use crate::terminal::{self, Person};
use crate::{Host, Turn, install, start, vscode};

/// What a host is to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Session {
    pub host: Host,
    /// The folder it works in, absolute; it holds the hook configuration already.
    pub project: PathBuf,
    /// What the model does.
    pub script: Vec<Turn>,
    /// Folders that come first on the `PATH`.
    pub path: Vec<PathBuf>,
    /// More of the environment.
    pub env: Vec<(String, String)>,
    /// Files of the user: paths below the home folder, and what stands in them.
    pub user_files: Vec<(String, String)>,
    /// The folder below the project in which the host is started.
    pub folder: Option<String>,
    /// Whether it has an MCP server, of which [`crate::mcp`] is the program.
    pub mcp: bool,
    /// Whether the disk is full on which hooks keep what they remember, `~/.local/state`.
    pub full_disk: bool,
    /// What the machine has in the place of `/etc`.
    #[serde(default)]
    pub etc: Option<PathBuf>,
    /// Who starts the host.
    #[serde(default)]
    pub user: User,
    /// What the user runs with the host's program before: each is its arguments.
    #[serde(default)]
    pub before: Vec<Vec<String>>,
    /// What the user says.
    pub prompt: String,
    /// What the host lets the model do.
    pub permissions: Permissions,
    /// The same in the host's own word, which then counts.
    pub mode: Option<String>,
    /// Who sits at the terminal; without one the host runs headless.
    pub person: Option<Person>,
    /// Where pictures of an editor go.
    pub shots: Option<PathBuf>,
    /// After so many seconds the host is killed.
    pub seconds: u32,
}

/// Who starts a host.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum User {
    /// Someone who has said to the host that the folder and its hooks are trusted.
    #[default]
    Trusting,
    /// Someone who has not, nor is root, and so can change nothing of the machine's.
    Normal,
}

/// What the host itself lets the model do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Permissions {
    /// The host asks before a tool runs, where it would for a user.
    Ask,
    /// The host lets everything run; only hooks are in the way.
    All,
}

/// What came of a session.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// The host's exit code; 124 when it was killed for taking too long.
    pub exit: Option<i32>,
    /// What the model was shown.
    pub seen: Vec<Seen>,
    /// In which turn each was seen first, from 0.
    pub seen_in: Vec<usize>,
    /// How many turns the model took.
    pub turns: usize,
    /// How often the run ended at a denial, and a person started it again. What it then said stands in
    /// [`Self::tool_results`] in the place of the call's result.
    #[serde(default)]
    pub ended: usize,
    /// Whether the person was asked.
    pub asked: bool,
    /// What an editor asked the person besides, who said no.
    pub questions: Vec<String>,
    /// What the host printed; of a terminal, without blanks; of an editor, what the chat shows at the end.
    pub stdout: String,
    /// What it complained about.
    pub stderr: String,
}

/// Why a session did not take place.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The version that is tested is not there.
    #[error("{} {} is not installed; `cargo run -p real-hosts -- install` installs it", .0.title(), .0.version())]
    NotInstalled(Host),
    /// No network namespace, or no driver in it.
    #[error("no network namespace of its own: {0}; `unshare -n` needs root, or user namespaces")]
    Namespace(String),
    /// Something of the machine failed.
    #[error("{0}")]
    Machine(String),
}

impl Session {
    /// A session in which the host lets everything run.
    pub fn new(host: Host, project: &Path, script: Vec<Turn>) -> Self {
        Self {
            host,
            project: project.to_owned(),
            script,
            path: Vec::new(),
            env: Vec::new(),
            user_files: Vec::new(),
            folder: None,
            mcp: false,
            full_disk: false,
            etc: None,
            user: User::default(),
            before: Vec::new(),
            prompt: "Do the scripted work.".to_owned(),
            permissions: Permissions::All,
            mode: None,
            person: None,
            shots: None,
            seconds: 240,
        }
    }
}

impl Report {
    /// Whether a string of this kind with `part` in it stood in front of the model.
    pub fn saw(&self, kind: Kind, part: &str) -> bool {
        self.seen.iter().any(|seen| seen.kind == kind && seen.text.contains(part))
    }

    /// What came of the model's calls, in order.
    pub fn tool_results(&self) -> impl Iterator<Item = &str> {
        self.seen.iter().filter(|seen| seen.kind == Kind::ToolResult).map(|seen| seen.text.as_str())
    }
}

/// Runs a session in a network namespace of its own. `driver` is this package's program, which goes into it.
///
/// # Errors
///
/// When the host is not installed, or the machine gives no namespace.
pub fn run(driver: &Path, session: &Session) -> Result<Report, RunError> {
    let reports = run_all(driver, std::slice::from_ref(session))?;
    reports.into_iter().next().ok_or_else(|| RunError::Machine(format!("{}: no report", session.host)))
}

/// Runs sessions of one host one after the other; an editor plays them in one window, with what the user of the first has.
///
/// # Errors
///
/// When the host is not installed, or the machine gives no namespace.
pub fn run_all(driver: &Path, sessions: &[Session]) -> Result<Vec<Report>, RunError> {
    if let Some(session) = sessions.iter().find(|session| install::installed(session.host).is_none()) {
        return Err(RunError::NotInstalled(session.host));
    }
    // Without the terminal that someone may have started this from: there is no one whom a host could ask.
    // Cline leaves a process behind for its next run: with a namespace of their own, all end.
    let leaves = sessions.iter().any(|session| session.host == Host::Cline);
    let mut child = Command::new("setsid")
        .args(["--wait", "unshare", "--net", "--mount"])
        .args(leaves.then_some(["--pid", "--fork", "--kill-child"]).into_iter().flatten())
        .args(["sh", "-c", "ip link set lo up && exec \"$0\" sessions"])
        .arg(driver)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| RunError::Namespace(error.to_string()))?;
    let json = serde_json::to_vec(sessions).map_err(|error| RunError::Machine(error.to_string()))?;
    if let Some(mut stdin) = child.stdin.take() {
        // Where this fails, what the program says about it is worth more.
        let _ = stdin.write_all(&json);
    }
    let output = child.wait_with_output().map_err(|error| RunError::Machine(error.to_string()))?;
    serde_json::from_slice(&output.stdout)
        .map_err(|_| RunError::Namespace(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
}

/// Runs sessions right here, wherever the network leads. A full disk is mounted here as well, so that it wants a mount
/// namespace of its own.
///
/// # Errors
///
/// When the host is not installed or does not start.
pub fn perform(sessions: &[Session]) -> Result<Vec<Report>, RunError> {
    match sessions {
        [first, ..] if first.host == Host::VsCode => {
            vscode::perform(sessions).map_err(|error| RunError::Machine(format!("{}: {error}", first.host)))
        }
        _ => sessions.iter().map(perform_one).collect(),
    }
}

fn perform_one(session: &Session) -> Result<Report, RunError> {
    let machine = |error: std::io::Error| RunError::Machine(format!("{}: {error}", session.host));
    let program = install::installed(session.host).ok_or(RunError::NotInstalled(session.host))?;
    let program =
        if session.user == User::Normal { start::shown(program).map_err(machine)? } else { program };
    let home = tempfile::tempdir().map_err(machine)?;
    start::user_files(session, home.path()).map_err(machine)?;
    let project = session.project.display().to_string();
    let model = Model::start(session.host, &project, &session.script).map_err(RunError::Machine)?;
    let mut command = start::command(session, &program, home.path(), model.port()).map_err(machine)?;
    start::before(session, &program, &command).map_err(machine)?;
    if session.user == User::Normal {
        start::give_away(home.path(), &session.project).map_err(machine)?;
    }
    if session.full_disk {
        start::fill_disk(home.path()).map_err(machine)?;
    }
    if let Some(etc) = &session.etc {
        start::bind(etc, "/etc").map_err(machine)?;
    }
    let mut report = Report::default();
    if let Some(person) = &session.person {
        let done = || model.seen().2 >= session.script.len();
        let talk = terminal::talk(&command, person, session.seconds, done).map_err(machine)?;
        (report.asked, report.stdout) = (talk.asked, talk.shown);
    } else {
        loop {
            let turns = model.seen().2;
            let output = command.stdin(Stdio::null()).output().map_err(machine)?;
            report.exit = output.status.code();
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            report.stdout += &said;
            report.stderr += &String::from_utf8_lossy(&output.stderr);
            // A person goes on where the run was ended in the middle of the script.
            let (_, _, now) = model.seen();
            let goes_on = now > turns && now < session.script.len() && model.was_cut_off();
            if !session.host.ends_at_a_denial() || !goes_on {
                break;
            }
            report.ended += 1;
            model.note_end(&(said + &start::last_error(home.path()).map_err(machine)?));
        }
    }
    (report.seen, report.seen_in, report.turns) = model.seen();
    Ok(report)
}
