//! VS Code: in a browser that no one sees, with a chat model of ours, so that it needs no account and no network.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::model::Model;
use crate::run::{Permissions, Report, Session};
use crate::terminal::Person;
use crate::{Host, install, start};

const DRIVER: &str = include_str!("../vscode/drive.mjs");

/// The extension that brings the model, with the folder in which VS Code looks for it.
const EXTENSION: [(&str, &str); 2] = [
    ("package.json", include_str!("../vscode/model/package.json")),
    ("extension.js", include_str!("../vscode/model/extension.js")),
];

const READER: &str = include_str!("../vscode/read_hooks.mjs");

const SERVER: &str = "node_modules/code-server/lib/vscode";

/// What the driver receives once.
#[derive(Serialize)]
struct Desk<'a> {
    installed: PathBuf,
    chromium: PathBuf,
    home: &'a Path,
}

/// What the driver receives about a session.
#[derive(Serialize)]
struct Task<'a> {
    folder: PathBuf,
    prompt: &'a str,
    person: Option<&'a Person>,
    shots: Option<&'a Path>,
}

/// What the driver saw of a session.
#[derive(Debug, Deserialize)]
struct Shown {
    /// Whether the question was asked to which the person has an answer.
    asked: bool,
    /// Those to which the person has none: no.
    questions: Vec<String>,
    /// The chat.
    chat: String,
}

/// Plays sessions in one window, each in its folder, with what the user of the first has.
pub(crate) fn perform(sessions: &[Session]) -> io::Result<Vec<Report>> {
    let [first, ..] = sessions else { return Ok(Vec::new()) };
    let home = tempfile::tempdir()?;
    start::user_files(first, home.path())?;
    let node = install::installed(Host::VsCode).ok_or(io::ErrorKind::NotFound)?;
    let model = Model::start(Host::VsCode, "", &[]).map_err(io::Error::other)?;
    let seconds = sessions.iter().map(|session| session.seconds).sum();
    let timed = Session { seconds, ..first.clone() };
    let mut command = start::command(&timed, &node, home.path(), model.port())?;
    if first.full_disk {
        start::fill_disk(home.path())?;
    }
    let mut driver = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (Some(mut tasks), Some(shown)) = (driver.stdin.take(), driver.stdout.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let mut shown = BufReader::new(shown).lines();
    let mut reports = Vec::new();
    for session in sessions {
        model.begin(Host::VsCode, &session.project.display().to_string(), &session.script);
        let task = Task {
            folder: start::folder(session),
            prompt: &session.prompt,
            person: session.person.as_ref(),
            shots: session.shots.as_deref(),
        };
        // Where the driver is gone, it has said why.
        let _ = writeln!(tasks, "{}", serde_json::to_string(&task)?);
        let line = shown.next().transpose()?;
        let was_killed = line.is_none();
        let mut report = Report { exit: Some(if was_killed { 124 } else { 0 }), ..Report::default() };
        if let Some(shown) = line.and_then(|line| serde_json::from_str::<Shown>(&line).ok()) {
            (report.asked, report.questions, report.stdout) = (shown.asked, shown.questions, shown.chat);
        }
        (report.seen, report.seen_in, report.turns) = model.seen();
        reports.push(report);
        if was_killed {
            break;
        }
    }
    drop(tasks);
    let output = driver.wait_with_output()?;
    if let Some(last) = reports.last_mut() {
        last.stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    }
    Ok(reports)
}

/// The browser.
fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    // Ubuntu's `chromium` may be a snap, which starts no program of another home.
    ["google-chrome", "chromium", "chromium-browser"].iter().find_map(|name| {
        std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
    })
}

/// Whether everything is there beside the package and its node.
pub(crate) fn is_ready(folder: &Path) -> bool {
    folder.join(SERVER).join("node_modules").is_dir() && chromium().is_some()
}

/// Installs what belongs to the package and does not come with it.
pub(crate) fn complete(folder: &Path) -> Result<(), String> {
    let server = folder.join(SERVER);
    let says = fs::read_to_string(server.join("product.json"))
        .ok()
        .and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok())
        .unwrap_or_default();
    let version = Host::VsCode.version();
    if says["version"] != version.as_str() {
        return Err(format!(
            "code-server {} holds VS Code {}, not {version}",
            Host::VsCode.package().1,
            says["version"]
        ));
    }
    install::npm(&server, &["install", "--omit=dev", "--ignore-scripts"], &[])?;
    if chromium().is_none() {
        return Err(
            "VS Code runs in a browser: install Chromium (Debian: `apt-get install chromium`)".to_owned()
        );
    }
    Ok(())
}

/// What VS Code's own reader makes of hook files: of each, given as its path in a project and its text, the hooks as
/// `[event, command on Linux, on macOS, on Windows, seconds]`; nothing where VS Code is not installed.
///
/// # Errors
///
/// When the reader does not run.
pub fn read_hooks(files: &[(String, String)]) -> Option<Result<Vec<Vec<serde_json::Value>>, String>> {
    let node = install::installed(Host::VsCode)?;
    let reader =
        install::folder(Host::VsCode).join("node_modules/@codingame/monaco-vscode-api/vscode/src/vs");
    let run = || -> io::Result<std::process::Output> {
        let script = tempfile::Builder::new().suffix(".mjs").tempfile()?;
        fs::write(script.path(), READER)?;
        Command::new(node).arg(script.path()).arg(reader).arg(serde_json::to_string(files)?).output()
    };
    let parsed = |output: std::process::Output| {
        serde_json::from_slice(&output.stdout)
            .map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())
    };
    Some(run().map_err(|error| error.to_string()).and_then(parsed))
}

/// The driver's command line. What the user has lies below `home`.
pub(crate) fn prepare(session: &Session, command: &mut Command, home: &Path, url: &str) -> io::Result<()> {
    let write = |file: &str, text: &str| {
        let file = home.join(file);
        fs::create_dir_all(file.parent().unwrap_or(home))?;
        fs::write(file, text)
    };
    // As with every user, hooks get the PATH of a login shell; which Debian's /etc/profile resets.
    let path =
        command.get_envs().find(|(name, _)| *name == "PATH").and_then(|(_, path)| path).unwrap_or_default();
    write(".profile", &format!("PATH='{}'\n", path.to_string_lossy()))?;
    let mode = session.mode.as_deref().unwrap_or(match session.permissions {
        Permissions::Ask => "default",
        Permissions::All => "autoApprove",
    });
    let settings = json!({
        "chat.permissions.default": mode, "chat.byokUtilityModelDefault": "mainAgent",
        "chat.tools.riskAssessment.enabled": false, "chat.agent.thinking.collapsedTools": "off",
        "workbench.startupEditor": "none", "chat.viewSessions.enabled": false, "workbench.secondarySideBar.defaultVisibility": "maximized",
        "telemetry.telemetryLevel": "off", "extensions.autoUpdate": false, "extensions.autoCheckUpdates": false
    });
    write("vscode/User/settings.json", &settings.to_string())?;
    // A group of models that are not Copilot's is what lets the chat work without signing in.
    let models = json!([{"name": "Scripted", "vendor": "scripted"}]);
    write("vscode/User/chatLanguageModels.json", &models.to_string())?;
    if session.mcp {
        write("vscode/User/mcp.json", &json!({"servers": start::servers()?}).to_string())?;
    }
    for (file, text) in EXTENSION {
        write(&format!("extensions/policy-hooks.scripted-model-0.0.1/{file}"), text)?;
    }
    write("drive.mjs", DRIVER)?;
    let desk =
        Desk { installed: install::folder(Host::VsCode), chromium: chromium().unwrap_or_default(), home };
    command.arg(home.join("drive.mjs")).arg(serde_json::to_string(&desk)?).env("SCRIPTED_MODEL", url);
    Ok(())
}
