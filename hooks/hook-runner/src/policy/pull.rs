//! `policy pull`: a bundle into this machine's layer.

use std::path::{Path, PathBuf};

use bundle::{InstallError, Order, PublicKey, PullError, Source, Switches, stamp};
use clap::{Arg, ArgAction, ArgMatches, Command};
use semver::Version;
use serde_json::json;

use super::bundle::now;
use crate::Done;
use crate::fault::{Exit, Fault};
use crate::init::weak_part;
use crate::paint::Screen;

pub(super) fn task() -> Command {
    let text = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    Command::new("pull")
        .about("Puts a signed bundle of policies in force on this machine, as root")
        .long_about(
            "Puts a signed bundle of policies in force on this machine, as root.\n\n\
             A bundle that is older than what was seen here, over, not yet valid, changed, signed by another key, for \
             newer programs or with a mistake is refused, and the last good one stays in force. git and curl are the \
             system's own, run without a shell; nothing of a repository is checked out or run. A timer calls this, never \
             a hook. Exit codes: 0 it is in force, 1 it is refused, 2 it cannot be fetched, 3 it cannot be written.",
        )
        .arg(
            Arg::new("source")
                .required(true)
                .value_name("SOURCE")
                .help("A file, a folder, https://… or a remote of git; the signature lies beside it"),
        )
        .arg(text("key", "KEY", "The public key, or its file [default: the key that this machine follows]"))
        .arg(text("ref", "NAME", "With git: the branch or tag [default: HEAD]"))
        .arg(text("file", "PATH", "With git: the bundle in it [default: the only *.bundle at its top]"))
        .arg(flag("switch", "Follow another key or another name from now on"))
        .arg(flag("reset-clock", "Forget the latest time that was seen: the clock was wrong"))
        .arg(text("root", "FOLDER", "The root of the file system, such as an image's"))
        .arg(flag("json", "Print JSON"))
}

/// The folder of the machine's settings, below this root.
pub(super) fn machine(root: Option<&String>) -> PathBuf {
    let policies = store::bundle::folder();
    let here = policies.parent().unwrap_or(&policies).to_owned();
    match root {
        // What follows the root of the path, whatever it is on this system.
        Some(root) => Path::new(root).join(here.components().filter(is_name).collect::<PathBuf>()),
        None => here,
    }
}

fn is_name(part: &std::path::Component<'_>) -> bool {
    matches!(part, std::path::Component::Normal(_))
}

/// `hook-runner policy pull`.
pub(super) fn run(matches: &ArgMatches, screen: &Screen) -> Done {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let root = matches.get_one::<String>("root");
    let machine = machine(root);
    let source = Source::parse(text("source").unwrap_or_default(), text("ref"), text("file"))
        .map_err(|error| Fault::usage(error.to_string(), error.hint()))?;
    let key = match text("key") {
        Some(named) => PublicKey::named(named),
        None => followed(&machine)?,
    };
    let key = key.map_err(|error| Fault::usage(error.to_string(), error.hint()))?;
    if root.is_none()
        && machine.exists()
        && let Some(weak) = weak_part(&machine)
    {
        return Err(Fault::usage(
            format!("{}: not only root can change {}", machine.display(), weak.display()),
            "chown root, chmod 755.",
        ));
    }
    let version = version();
    let switches = Switches { line: matches.get_flag("switch"), clock: matches.get_flag("reset-clock") };
    let order =
        Order { source: &source, key: &key, machine: &machine, clock: now(), version: &version, switches };
    let pulled = screen::patiently("pulling", || bundle::pull(&order)).map_err(|error| fault(&error))?;
    let identity = &pulled.identity;
    let text = if matches.get_flag("json") {
        let report = json!({
            "version": 1, "unchanged": pulled.unchanged, "bundle": super::standing::identity(identity, now()),
        });
        format!("{report:#}\n")
    } else {
        let count = identity.files.len();
        let policies = if count == 1 { "1 policy".to_owned() } else { format!("{count} policies") };
        let state = if pulled.unchanged { "was in force already" } else { "is in force" };
        format!(
            "{}, serial {}, {state}: {policies}, valid until {}\n",
            identity.name,
            identity.serial,
            stamp(identity.not_after)
        )
    };
    screen.say(&text)?;
    Ok(Exit::Fine)
}

/// The version of the programs.
fn version() -> Version {
    // Cargo takes no other.
    Version::parse(env!("CARGO_PKG_VERSION")).unwrap_or(Version::new(0, 0, 0))
}

/// The key that this machine follows.
fn followed(machine: &Path) -> Result<Result<PublicKey, bundle::KeyError>, Fault> {
    let memory = bundle::last_pull(machine).map_err(|error| fault(&PullError::Memory(error)))?;
    match memory.followed {
        Some(followed) => Ok(PublicKey::parse(&followed.key)),
        None => Err(Fault::usage(
            "this machine follows no key yet",
            "Name the public key of whoever signs your bundles with --key.",
        )),
    }
}

fn fault(error: &PullError) -> Fault {
    let exit = match error {
        PullError::Refused(_) => Exit::Found,
        PullError::Fetch(_) => Exit::Usage,
        PullError::Install(InstallError::Busy | InstallError::Disk { .. }) | PullError::Memory(_) => {
            Exit::Internal
        }
    };
    let stays = match error {
        PullError::Refused(_) | PullError::Fetch(_) => ". What was in force stays in force",
        _ => "",
    };
    Fault::Pull { message: format!("{error}{stays}"), hint: error.hint(), exit }
}
