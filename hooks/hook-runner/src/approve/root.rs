//! Root's word, where the machine's file says that only it counts.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::SystemTime;

use approvals::{Code, Shown, Signer, grants, private_key};
use store::settings::{Approvals, By};
use store::trust::terminal;

use super::{asked, told};
use crate::Done;
use crate::fault::{Exit, Fault};
use crate::paint::Screen;

/// More than any action that is offered.
const LONGEST: u64 = 256 * 1024;

/// The user for whom root decides.
struct User {
    id: u32,
    group: u32,
    home: PathBuf,
}

/// Shows root what waits for the user who called `sudo`, and signs it.
///
/// Nothing of the user's is opened or written as root: a program of ours looks it up as the user, and what it says is shown
/// and signed as it is. Whoever lies there shows a lie, and gets that signed.
pub(super) fn by_root(code: &Code, screen: &Screen) -> Done {
    if !is_root() {
        return Err(Fault::usage(
            "Only root can approve calls here.",
            format!("Run this in a terminal of your own: sudo hook-runner approve {code}"),
        ));
    }
    // First who asks, as for the user's own approvals.
    let person = terminal::root()?;
    let user = user()?;
    let key = private_key();
    let signer = Signer::read(&key).map_err(|error| Fault::unreadable(&key, error))?;
    // Root would sign, and no hook would accept it.
    if Approvals::of_the_machine().by != By::Root(signer.public()) {
        return Err(Fault::usage(
            "The machine's file names a key other than root's.",
            "Make a new one: sudo hook-runner approve --make-root-key",
        ));
    }
    let offer = offer(code, &user)?;
    let agreed = asked(&person, &offer)?;
    if agreed {
        let folder = grants();
        signer
            .grant(&offer, user.id, &folder, SystemTime::now())
            .map_err(|error| Fault::unwritable(&folder, error))?;
    }
    told(&offer, code, agreed, "root", screen)
}

/// From now on only root lets calls through.
pub(super) fn make_root_key(screen: &Screen) -> Done {
    let (file, key) = (Approvals::file(), private_key());
    if !is_root() {
        return Err(Fault::usage(
            "Only root can do that.",
            "Run this in a terminal of your own: sudo hook-runner approve --make-root-key",
        ));
    }
    // A key that an agent made as root would be its own word ever after.
    terminal::root()?;
    if file.exists() || key.exists() {
        let (file, key) = (file.display(), key.display());
        return Err(Fault::usage(
            "It already exists.",
            format!("Check {file} and {key}, and remove both to make a new one."),
        ));
    }
    let folder = file.parent().unwrap_or(&file);
    fs::create_dir_all(folder).map_err(|error| Fault::unwritable(folder, error))?;
    let public = Signer::make(&key).map_err(|error| Fault::unwritable(&key, error))?;
    let text = format!(
        "# Only root can approve held-back calls: sudo hook-runner approve CODE\nby = \"root\"\nkey = \"{public}\"\n"
    );
    let readable = fs::Permissions::from_mode(0o644);
    fs::write(&file, text)
        .and_then(|()| fs::set_permissions(&file, readable))
        // Hooks run as the user, and read the file and its folder.
        .and_then(|()| fs::set_permissions(folder, fs::Permissions::from_mode(0o755)))
        .map_err(|error| Fault::unwritable(&file, error))?;
    screen.say(&format!("From now on, only root can approve calls: {}\n", file.display()))?;
    Ok(Exit::Fine)
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Who called `sudo`.
fn user() -> Result<User, Fault> {
    let missing = || {
        Fault::usage(
            "The agent's user is unknown.",
            "Run it with sudo, as the user whose agent was held back.",
        )
    };
    let number = |name: &str| std::env::var(name).ok()?.parse::<u32>().ok();
    let id = number("SUDO_UID").ok_or_else(missing)?;
    let group = number("SUDO_GID").ok_or_else(missing)?;
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let home = users.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(':').collect();
        (fields.get(2)?.parse() == Ok(id)).then(|| PathBuf::from(fields.get(5).copied().unwrap_or_default()))
    });
    // macOS keeps its people elsewhere.
    let named = || {
        let name =
            std::env::var("SUDO_USER").ok().filter(|name| !name.contains('/') && !name.starts_with('.'))?;
        Some(PathBuf::from("/Users").join(name))
    };
    let home = home.or_else(named).filter(|home| home.is_absolute()).ok_or_else(missing)?;
    Ok(User { id, group, home })
}

/// What waits, as this program sees it when it runs as the user.
fn offer(code: &Code, user: &User) -> Result<Shown, Fault> {
    let refused = |why: &str| {
        Fault::usage(
            format!("Pending approvals cannot be read: {why}."),
            "Let the agent try again, and take the new code.",
        )
    };
    let program = std::env::current_exe().map_err(|error| refused(&error.to_string()))?;
    // Another process, with the user's rights alone: a link in the user's home leads root nowhere.
    let mut child = Command::new(program)
        .args(["approve", "--describe", &code.to_string()])
        .uid(user.id)
        .gid(user.group)
        // Nothing of root's environment: it may hold what the user must not see.
        .env_clear()
        .env("HOME", &user.home)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| refused(&error.to_string()))?;
    let mut text = String::new();
    if let Some(out) = child.stdout.take() {
        out.take(LONGEST).read_to_string(&mut text).map_err(|error| refused(&error.to_string()))?;
    }
    // What it ended with says nothing more than what it printed.
    let _ = child.wait();
    serde_json::from_str(&text).map_err(|_| refused("nothing is pending under this code"))
}
