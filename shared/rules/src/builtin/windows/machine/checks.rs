//! What the rules about the machine ask of a command beside its words.

use crate::calls::windows::{holds, is_everything, plain};
use crate::command::Command;

/// `format C: /q`: a drive among the arguments of a program of that name.
pub(super) fn formats(command: &Command<'_>) -> bool {
    let is_drive = |text: &str| {
        let bytes = text.trim_end_matches('\\').as_bytes();
        bytes.len() == 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
            || text.starts_with("\\\\?\\Volume")
    };
    command.is(&["format"]) && !command.only_shows() && plain(command).any(is_drive)
}

/// Whether diskpart gets a script that destroys.
pub(super) fn scripts_disks(command: &Command<'_>) -> bool {
    command.is(&["diskpart"])
        && command.atom.stdin.as_deref().is_some_and(|script| {
            ["clean", "format", "delete", "convert", "remove", "select disk"]
                .iter()
                .any(|word| holds(script, word))
        })
}

/// Whether diskpart only looks.
pub(super) fn only_lists(command: &Command<'_>) -> bool {
    command.is(&["diskpart"])
        && !command.args().iter().any(|arg| arg.text.eq_ignore_ascii_case("/s"))
        && command.atom.stdin.as_deref().is_some_and(|script| {
            script.lines().all(|line| {
                let word = line.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
                matches!(word.as_str(), "" | "list" | "detail" | "exit" | "rescan" | "help" | "select")
            })
        })
}

/// The key of the registry that a command deletes from.
pub(super) fn registry(command: &Command<'_>) -> Option<String> {
    if command.only_shows() {
        return None;
    }
    let key = match &*command.name {
        "reg" => {
            let mut words = plain(command);
            if !words.next()?.eq_ignore_ascii_case("delete") {
                return None;
            }
            words.next()?.to_owned()
        }
        "Remove-Item" | "Remove-ItemProperty" | "Clear-Item" | "Clear-ItemProperty" => {
            let named = command.parameter("Path").chain(command.parameter("LiteralPath")).next()?;
            let path = named.text.clone();
            let relative = !path.contains(':')
                && command.atom.cwd.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("HK"));
            if relative { format!("{}/{path}", command.atom.cwd) } else { path }
        }
        _ => return None,
    };
    let key = key.to_ascii_lowercase().replace('/', "\\");
    let key = key.rsplit("registry::").next().unwrap_or(&key).replace(":\\", "\\").replace(':', "");
    let key = key.trim_matches('\\').to_owned();
    let hive = key.split('\\').next().unwrap_or("");
    (hive.starts_with("hk")).then_some(key)
}

/// Whether a key is the machine's, or so high up that everything hangs on it.
pub(super) fn is_of_machine(key: &str) -> bool {
    let mut parts = key.split('\\');
    let hive = parts.next().unwrap_or("");
    let own = matches!(hive, "hkcu" | "hkey_current_user");
    let below: Vec<&str> = parts.filter(|part| !part.is_empty() && *part != "*").collect();
    !own || below.len() < 2 || below.len() < 3 && matches!(below[1], "microsoft" | "classes" | "policies")
}

/// Services without which Windows or its protection does not work.
const VITAL: &str = "\
    windefend wdnissvc sense mpssvc bfe eventlog wscsvc securityhealthservice vss rpcss rpceptmapper samss schedule \
    cryptsvc dnscache dhcp lanmanserver lanmanworkstation winmgmt termservice winrm sshd wuauserv bits trustedinstaller \
    plugplay power profsvc lsm dcomlaunch netlogon ntds kdc w32time gpsvc swprv wbengine sysmon sysmon64";

fn is_vital_service(name: &str) -> bool {
    is_everything(name)
        || VITAL.split_ascii_whitespace().any(|vital| vital.eq_ignore_ascii_case(name))
        || matches!(
            name.to_ascii_lowercase().as_str(),
            "windows defender*" | "windows firewall" | "windows defender firewall"
        )
}

pub(super) fn stops_vital(command: &Command<'_>) -> bool {
    if command.only_shows() {
        return false;
    }
    let named =
        || ["Name", "DisplayName", "InputObject"].into_iter().flat_map(|name| command.parameter(name));
    match &*command.name {
        "Stop-Service" | "Suspend-Service" => named().any(|arg| is_vital_service(&arg.text)),
        // A service that is disabled does not come back with the next start.
        "Set-Service" => {
            let off = command.parameter("StartupType").any(|arg| arg.text.eq_ignore_ascii_case("disabled"))
                || command.parameter("Status").any(|arg| arg.text.eq_ignore_ascii_case("stopped"));
            off && named().any(|arg| is_vital_service(&arg.text))
        }
        "net" | "net1" => {
            let mut words = plain(command);
            words.next().is_some_and(|word| word.eq_ignore_ascii_case("stop"))
                && words.next().is_some_and(is_vital_service)
        }
        "sc" => {
            // `sc \\HOST stop NAME`: the machine may come first.
            let words: Vec<&str> = plain(command).filter(|word| !word.starts_with("\\\\")).collect();
            match words.as_slice() {
                [verb, name, ..] if verb.eq_ignore_ascii_case("stop") => is_vital_service(name),
                [verb, name, rest @ ..] if verb.eq_ignore_ascii_case("config") => {
                    is_vital_service(name) && rest.iter().any(|word| holds(word, "disabled"))
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// Processes without which Windows stops at once.
const CRITICAL: &str = "\
    csrss lsass lsaiso smss wininit winlogon services svchost system dwm fontdrvhost msmpeng registry";

fn is_critical(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let bare = name.strip_suffix(".exe").unwrap_or(&name);
    is_everything(bare) || CRITICAL.split_ascii_whitespace().any(|critical| critical == bare)
}

pub(super) fn ends_everything(command: &Command<'_>) -> bool {
    if command.only_shows() {
        return false;
    }
    match &*command.name {
        "Stop-Process" => {
            let named = ["Name", "Id", "InputObject"].into_iter().flat_map(|name| command.parameter(name));
            named.into_iter().any(|arg| is_critical(&arg.text))
        }
        "taskkill" => {
            let args = command.args();
            let after = |switch: &str| {
                let at = args.iter().position(|arg| arg.text.eq_ignore_ascii_case(switch))?;
                args.get(at + 1).map(|arg| arg.text.as_str())
            };
            // Without a name, a filter chooses: these fit nearly every process.
            let filter = after("/fi").unwrap_or("").to_ascii_lowercase();
            after("/im").is_some_and(is_critical)
                || after("/im").is_none()
                    && (filter.contains("pid gt")
                        || filter.contains("pid ne")
                        || filter.contains("status eq running")
                        || filter.contains("username eq")
                        || filter.contains("session"))
        }
        "pskill" | "tskill" => plain(command).next().is_some_and(is_critical),
        "wmic" => {
            let mut words = plain(command);
            // Without `where`, wmic's verb goes to every process.
            let process = words.next().is_some_and(|word| word.eq_ignore_ascii_case("process"));
            process
                && !command.args().iter().any(|arg| holds(&arg.text, "where"))
                && command
                    .args()
                    .iter()
                    .any(|arg| holds(&arg.text, "delete") || holds(&arg.text, "terminate"))
        }
        _ => false,
    }
}
