//! How each host is started: offline, without telemetry, updates or questions, with a home folder of its own.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::run::{Permissions, Session, User};
use crate::script::SERVER;
use crate::{Host, install, vscode};

/// No key of anyone's: the model takes everything.
const KEY: &str = "dummy-key-not-real";

/// Someone who is not root.
pub const NORMAL_USER: u32 = 1000;

/// The host's command line. `home` is empty, but for what is written here.
pub(crate) fn command(session: &Session, program: &Path, home: &Path, port: u16) -> io::Result<Command> {
    let url = format!("http://127.0.0.1:{port}");
    let mut command = Command::new("timeout");
    if session.person.is_some() {
        // It would stop at its first look at the terminal otherwise.
        command.arg("--foreground");
    }
    command.arg("--kill-after=5").arg(session.seconds.to_string());
    if session.user == User::Normal {
        let id = NORMAL_USER.to_string();
        command.args(["setpriv", "--reuid", &id, "--regid", &id, "--clear-groups", "--no-new-privs"]);
    }
    command.arg(program);
    command.env_clear().current_dir(folder(session));
    command
        .env("PATH", path(session, home)?)
        .env("HOME", home)
        .env("TERM", "xterm-256color")
        .env("LANG", "C.UTF-8")
        .env("SHELL", "/bin/bash")
        .env("NO_PROXY", "127.0.0.1,localhost")
        .env("TMPDIR", "/tmp")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    match session.host {
        Host::Claude => claude(session, &mut command, home, &url)?,
        Host::Copilot => copilot(session, &mut command, home, &url)?,
        Host::Sdk => sdk(session, &mut command, home, &url)?,
        Host::Codex => codex(session, &mut command, home, &url)?,
        Host::Gemini => gemini(session, &mut command, home, &url)?,
        Host::Qwen => qwen(session, &mut command, home, &url)?,
        Host::Cline => cline(session, program, &mut command, &url)?,
        Host::OpenCode => opencode(session, &mut command, home, &url)?,
        Host::Pi => pi(session, &mut command, home, &url)?,
        Host::OpenHands => openhands(session, &mut command, &url),
        Host::VsCode => vscode::prepare(session, &mut command, home, &url)?,
    }
    command.envs(session.env.iter().map(|(name, value)| (name, value)));
    Ok(command)
}

/// Where the host is started.
pub(crate) fn folder(session: &Session) -> PathBuf {
    session.folder.as_ref().map_or_else(|| session.project.clone(), |folder| session.project.join(folder))
}

/// How the MCP server of a session is started; `tools` is Copilot's key.
pub(crate) fn servers() -> io::Result<serde_json::Value> {
    let program = std::env::current_exe()?;
    let entry = json!({"command": program, "args": ["mcp"], "env": {}, "tools": ["*"]});
    Ok(json!({SERVER: entry}))
}

/// Writes what the user has in the home folder.
pub(crate) fn user_files(session: &Session, home: &Path) -> io::Result<()> {
    for (path, text) in &session.user_files {
        let path = home.join(path);
        fs::create_dir_all(path.parent().unwrap_or(home))?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// Runs what the user runs with the host's program before a session, as that is started.
pub(crate) fn before(session: &Session, program: &Path, started: &Command) -> io::Result<()> {
    for arguments in &session.before {
        let mut command = Command::new("timeout");
        command.arg("120").arg(program).args(arguments).env_clear().stdin(std::process::Stdio::null());
        command.current_dir(folder(session));
        command.envs(started.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let output = command.output()?;
        if !output.status.success() {
            let said = [output.stdout, output.stderr].concat();
            return Err(io::Error::other(format!("{arguments:?}: {}", String::from_utf8_lossy(&said))));
        }
    }
    Ok(())
}

/// Where a normal user finds the hosts: in this mount namespace, as they lie in root's home.
const SHOWN: &str = "/mnt";

/// Where a normal user finds a host's program.
pub(crate) fn shown(program: PathBuf) -> io::Result<PathBuf> {
    let hosts = install::root();
    let Ok(inside) = program.strip_prefix(&hosts) else { return Ok(program) };
    bind(&hosts, SHOWN)?;
    Ok(Path::new(SHOWN).join(inside))
}

/// Makes what a session works in the normal user's own.
pub(crate) fn give_away(home: &Path, project: &Path) -> io::Result<()> {
    let owner = format!("{NORMAL_USER}:{NORMAL_USER}");
    let status = Command::new("chown").args(["-R", "-P", &owner]).args([home, project]).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("chown: {status}"))) }
}

/// Puts a file system without room below the home folder.
pub(crate) fn fill_disk(home: &Path) -> io::Result<()> {
    let state = home.join(".local/state");
    fs::create_dir_all(&state)?;
    // Its own folder takes the only place for a file.
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", "size=4k,nr_inodes=1", "full"]).arg(&state);
    let status = mount.status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("mount: {status}"))) }
}

/// Puts a folder in the place of another, for this mount namespace.
pub(crate) fn bind(folder: &Path, place: &str) -> io::Result<()> {
    let status = Command::new("mount").arg("--bind").arg(folder).arg(place).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("mount: {status}"))) }
}

/// The caller's folders first, then node and the system's. Node alone, not the folder it lies in: hooks that a developer
/// has installed beside it must not stand in for those that are tested.
fn path(session: &Session, home: &Path) -> io::Result<OsString> {
    let bin = home.join("bin");
    fs::create_dir(&bin)?;
    if let Some(node) = std::env::var_os("PATH").and_then(|path| {
        std::env::split_paths(&path).map(|folder| folder.join("node")).find(|node| node.exists())
    }) {
        symlink(node.canonicalize()?, bin.join("node"))?;
    }
    let system = ["/usr/bin", "/bin"].map(PathBuf::from);
    std::env::join_paths(session.path.iter().cloned().chain([bin]).chain(system)).map_err(io::Error::other)
}

fn claude(session: &Session, command: &mut Command, home: &Path, url: &str) -> io::Result<()> {
    let project = session.project.display().to_string();
    let settings = json!({
        "hasCompletedOnboarding": true, "theme": "dark", "bypassPermissionsModeAccepted": true,
        "customApiKeyResponses": {"approved": [KEY], "rejected": []},
        "projects": {project: {"hasTrustDialogAccepted": session.user == User::Trusting, "hasCompletedProjectOnboarding": true, "allowedTools": []}}
    });
    fs::write(home.join(".claude.json"), settings.to_string())?;
    let mode = session.mode.as_deref().unwrap_or(match session.permissions {
        Permissions::Ask => "manual",
        Permissions::All => "bypassPermissions",
    });
    match session.person {
        None => command.args(["-p", &session.prompt, "--output-format", "stream-json", "--verbose"]),
        Some(_) => command.arg(&session.prompt),
    };
    command.args(["--model", "claude-sonnet-4-5", "--permission-mode", mode]);
    if session.mcp {
        command.args(["--mcp-config", &json!({"mcpServers": servers()?}).to_string()]);
    }
    command
        .env("ANTHROPIC_BASE_URL", url)
        .env("ANTHROPIC_API_KEY", KEY)
        // Root may only skip permissions in what says that it is a sandbox.
        .env("IS_SANDBOX", "1")
        .env("CLAUDE_CODE_MAX_RETRIES", "1")
        .env("API_TIMEOUT_MS", "60000");
    for off in [
        "DISABLE_TELEMETRY",
        "DISABLE_AUTOUPDATER",
        "DISABLE_ERROR_REPORTING",
        "DISABLE_BUG_COMMAND",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    ] {
        command.env(off, "1");
    }
    Ok(())
}

fn copilot(session: &Session, command: &mut Command, home: &Path, url: &str) -> io::Result<()> {
    let own = home.join(".copilot");
    fs::create_dir_all(&own)?;
    let project = session.project.display().to_string();
    let trusted = if session.user == User::Normal { Vec::new() } else { vec![&project] };
    let settings = json!({"trusted_folders": trusted, "trustedFolders": trusted});
    fs::write(own.join("config.json"), settings.to_string())?;
    // It unpacks about 235 MB into the home folder's cache at its first start: all runs share that, but for those of a
    // user who may not write there.
    if session.user == User::Trusting {
        let shared = install::root().join("home-copilot/.cache");
        fs::create_dir_all(&shared)?;
        symlink(shared, home.join(".cache"))?;
    }
    let prompt = if session.person.is_some() { "-i" } else { "-p" };
    if session.mcp {
        command.args(["--additional-mcp-config", &json!({"mcpServers": servers()?}).to_string()]);
    }
    command
        .args([prompt, &session.prompt, "--no-color", "--no-auto-update"])
        .args(match (session.mode.as_deref(), session.permissions) {
            (Some("default"), _) => &[][..],
            (Some("tools"), _) | (None, Permissions::Ask) => &["--allow-all-tools"],
            (_, Permissions::All) | (Some(_), _) => &["--allow-all"],
        })
        .env("COPILOT_HOME", own)
        .env("COPILOT_OFFLINE", "true")
        .env("COPILOT_AUTO_UPDATE", "false")
        .env("COPILOT_PROVIDER_BASE_URL", format!("{url}/v1"))
        .env("COPILOT_PROVIDER_TYPE", "openai")
        .env("COPILOT_PROVIDER_API_KEY", KEY)
        .env("COPILOT_PROVIDER_WIRE_API", "completions")
        .env("COPILOT_MODEL", "claude-sonnet-4.5");
    Ok(())
}

fn sdk(session: &Session, command: &mut Command, home: &Path, url: &str) -> io::Result<()> {
    let own = home.join(".copilot");
    fs::create_dir_all(&own)?;
    let project = session.project.display().to_string();
    fs::write(own.join("config.json"), json!({"trusted_folders": [&project]}).to_string())?;
    let script = home.join("play.mjs");
    fs::write(&script, include_str!("../sdk/play.mjs"))?;
    let mode = match session.permissions {
        Permissions::Ask => "ask",
        Permissions::All => "all",
    };
    command
        .arg(script)
        .arg(install::folder(Host::Sdk))
        .args([mode, &session.prompt])
        .env("COPILOT_HOME", own)
        .env("COPILOT_OFFLINE", "true")
        .env("PROVIDER_URL", format!("{url}/v1"))
        .env("PROVIDER_KEY", KEY);
    Ok(())
}

fn codex(session: &Session, command: &mut Command, home: &Path, url: &str) -> io::Result<()> {
    let own = home.join(".codex");
    fs::create_dir_all(&own)?;
    let project = session.project.display();
    let mode = session.mode.as_deref().unwrap_or("danger-full-access");
    let mcp = if session.mcp {
        let program = std::env::current_exe()?;
        format!("[mcp_servers.{SERVER}]\ncommand = \"{}\"\nargs = [\"mcp\"]\n", program.display())
    } else {
        String::new()
    };
    let trust = if session.user == User::Normal {
        String::new()
    } else {
        format!("[projects.\"{project}\"]\ntrust_level = \"trusted\"\n")
    };
    // What the user switched off stays off.
    let written = fs::read_to_string(own.join("config.toml")).unwrap_or_default();
    let hooks = !written.lines().any(|line| line.trim() == "hooks = false");
    let settings = format!(
        "model = \"gpt-5.5\"\nmodel_provider = \"scripted\"\napproval_policy = \"never\"\n\
         sandbox_mode = \"{mode}\"\ncheck_for_update_on_startup = false\n\
         [analytics]\nenabled = false\n[feedback]\nenabled = false\n[features]\nhooks = {hooks}\n\
         [model_providers.scripted]\nname = \"scripted\"\nbase_url = \"{url}/v1\"\nenv_key = \"SCRIPTED_KEY\"\n\
         wire_api = \"responses\"\nrequest_max_retries = 0\nstream_max_retries = 0\n\
         {trust}{mcp}"
    );
    fs::write(own.join("config.toml"), settings)?;
    command
        .args(["exec", "--json", "--skip-git-repo-check", "-C"])
        .arg(folder(session))
        // No one is here to review the hooks, which Codex otherwise skips in silence.
        .args((session.user == User::Trusting).then_some("--dangerously-bypass-hook-trust"))
        .arg(&session.prompt)
        .env("CODEX_HOME", own)
        .env("SCRIPTED_KEY", KEY);
    Ok(())
}

fn gemini(session: &Session, command: &mut Command, home: &Path, url: &str) -> io::Result<()> {
    let own = home.join(".gemini");
    fs::create_dir_all(&own)?;
    let mut settings = json!({
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},
        "general": {"enableAutoUpdate": false, "disableAutoUpdate": true, "disableUpdateNag": true},
        "privacy": {"usageStatisticsEnabled": false}, "telemetry": {"enabled": false},
        "tools": {"useRipgrep": false}, "hooksConfig": {"enabled": true}
    });
    if session.mcp {
        settings["mcpServers"] = servers()?;
    }
    // What the user has written down counts as well.
    let file = own.join("settings.json");
    let users: serde_json::Value =
        fs::read_to_string(&file).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    if let (Some(settings), Some(users)) = (settings.as_object_mut(), users.as_object()) {
        settings.extend(users.clone());
    }
    fs::write(file, settings.to_string())?;
    let mode = session.mode.as_deref().unwrap_or(match session.permissions {
        Permissions::Ask => "default",
        Permissions::All => "yolo",
    });
    match session.person {
        None => command.args(["-p", &session.prompt, "--output-format", "json"]),
        Some(_) => command.args(["-i", &session.prompt]),
    };
    command
        .args(["--model", "gemini-2.5-flash"])
        .args(["--approval-mode", mode, "--skip-trust"])
        .env("GEMINI_API_KEY", KEY)
        .env("GOOGLE_GEMINI_BASE_URL", url)
        .env("GEMINI_TELEMETRY_ENABLED", "false")
        .env("GEMINI_SANDBOX", "false")
        .env("GEMINI_CLI_TRUST_WORKSPACE", "true")
        .env("GEMINI_CLI_NO_RELAUNCH", "true");
    Ok(())
}

fn qwen(session: &Session, command: &mut Command, home: &Path, url: &str) -> io::Result<()> {
    let own = home.join(".qwen");
    fs::create_dir_all(&own)?;
    let mut settings = json!({
        "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": false}},
        "general": {"enableAutoUpdate": false, "disableAutoUpdate": true},
        "privacy": {"usageStatisticsEnabled": false}, "telemetry": {"enabled": false}
    });
    if session.mcp {
        settings["mcpServers"] = servers()?;
    }
    fs::write(own.join("settings.json"), settings.to_string())?;
    let mode = session.mode.as_deref().unwrap_or(match session.permissions {
        Permissions::Ask => "default",
        Permissions::All => "yolo",
    });
    command
        .arg(install::folder(Host::Qwen).join("node_modules/@qwen-code/qwen-code/cli.js"))
        .args(["--auth-type", "openai", "--approval-mode", mode])
        .args([if session.person.is_some() { "-i" } else { "-p" }, &session.prompt])
        .env("OPENAI_API_KEY", KEY)
        .env("OPENAI_BASE_URL", format!("{url}/v1"))
        .env("OPENAI_MODEL", "scripted");
    Ok(())
}

/// It keeps in the home folder which model it talks to, and takes that from its own program alone.
fn cline(session: &Session, program: &Path, command: &mut Command, url: &str) -> io::Result<()> {
    let url = format!("{url}/v1");
    let mut auth = Command::new(program);
    auth.args(["auth", "-p", "openai", "-k", KEY, "-m", "scripted", "-b", &url]).env_clear();
    auth.current_dir(folder(session)).stdin(std::process::Stdio::null());
    auth.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = auth.env("CLINE_TELEMETRY_DISABLED", "1").output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let approves = session.permissions == Permissions::All;
    command
        .args(["--json", "--auto-approve", if approves { "true" } else { "false" }, &session.prompt])
        .env("CLINE_TELEMETRY_DISABLED", "1")
        .env("NO_COLOR", "1");
    Ok(())
}

/// Why the run of Cline that a denial ended as the `count`th has ended: only its log says so, a little later.
pub(crate) fn end(home: &Path, count: usize) -> io::Result<String> {
    for _ in 0..100 {
        let log = fs::read_to_string(home.join(".cline/data/logs/cline.log"))?;
        let lines = log.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let mut ends = lines.filter(|line| line["errorName"] == "ControlledStopError");
        if let Some(end) = ends.nth(count - 1) {
            return Ok(end["errorMessage"].as_str().unwrap_or_default().to_owned());
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    Ok(String::new())
}

/// Where there are plugins, it asks npm for a package beside them, unless that seems to be there.
const ASKED_FOR: &str = r#"{"packages":{"":{"dependencies":{"@opencode-ai/plugin":"1"}}}}"#;

fn opencode(session: &Session, command: &mut Command, home: &Path, url: &str) -> io::Result<()> {
    let own = home.join(".config/opencode");
    for folder in [own.clone(), session.project.join(".opencode")] {
        fs::create_dir_all(folder.join("node_modules"))?;
        fs::write(folder.join("package-lock.json"), ASKED_FOR)?;
    }
    let options = json!({"baseURL": format!("{url}/v1"), "apiKey": KEY});
    let models = json!({"scripted": {"name": "scripted", "tool_call": true}});
    let provider =
        json!({"npm": "@ai-sdk/openai-compatible", "name": "m", "options": options, "models": models});
    let settings = json!({
        "provider": {"m": provider}, "model": "m/scripted", "small_model": "m/scripted", "autoupdate": false,
        "share": "disabled"
    });
    fs::write(own.join("opencode.json"), settings.to_string())?;
    command.arg("run").args((session.permissions == Permissions::All).then_some("--auto"));
    command.arg(&session.prompt);
    for off in [
        "OPENCODE_DISABLE_MODELS_FETCH",
        "OPENCODE_DISABLE_AUTOUPDATE",
        "OPENCODE_DISABLE_LSP_DOWNLOAD",
        "OPENCODE_DISABLE_CLAUDE_CODE",
        "OPENCODE_DISABLE_SHARE",
    ] {
        command.env(off, "1");
    }
    command.env("NO_COLOR", "1");
    Ok(())
}

fn pi(session: &Session, command: &mut Command, home: &Path, url: &str) -> io::Result<()> {
    let own = home.join(".pi/agent");
    fs::create_dir_all(&own)?;
    let url = format!("{url}/v1");
    let model =
        json!({"baseUrl": url, "api": "openai-completions", "apiKey": KEY, "models": [{"id": "scripted"}]});
    fs::write(own.join("models.json"), json!({"providers": {"m": model}}).to_string())?;
    if session.mcp {
        let mut servers = servers()?;
        servers[SERVER]["exposure"] = "direct".into();
        fs::write(own.join("mcp.json"), json!({ "mcpServers": servers }).to_string())?;
    }
    command
        .arg(install::folder(Host::Pi).join("node_modules/@earendil-works/pi-coding-agent/dist/cli.js"))
        // No one is here to say that the project may be trusted.
        .args((session.user == User::Trusting).then_some("--approve"))
        .args(["--model", "m/scripted", "--print", &session.prompt]);
    for (name, value) in [("PI_OFFLINE", "1"), ("PI_TELEMETRY", "0"), ("PI_SKIP_VERSION_CHECK", "1")] {
        command.env(name, value);
    }
    Ok(())
}

fn openhands(session: &Session, command: &mut Command, url: &str) {
    // Without a screen it runs everything.
    command
        .args(["--headless", "--override-with-envs", "--task", &session.prompt])
        .env("LLM_API_KEY", KEY)
        .env("LLM_MODEL", "openai/scripted")
        .env("LLM_BASE_URL", format!("{url}/v1"))
        .env("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        .env("OPENHANDS_SUPPRESS_BANNER", "1");
}
