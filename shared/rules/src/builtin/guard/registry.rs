//! What a system keeps for every program that it starts later: variables, and on Windows the administrator's settings.

use super::super::has;
use super::agents::VARIABLES;
use crate::command::Command;

/// Keys below which administrators set up the hosts, in small letters.
const POLICIES: &[&str] = &[
    r"\policies\claudecode",
    r"\policies\microsoft\vscode",
    r"\policies\microsoft\visualstudiocode",
    r"\policies\github",
    r"\policies\openai",
    r"\policies\gemini",
    r"\policies\google\gemini",
    r"\policies\policy-hooks",
];

const SETTER: &str = "[Environment]::SetEnvironmentVariable";

/// Whether a command may have to do with that, by its own name.
pub(super) fn may_be(command: &Command<'_>) -> bool {
    let name = &*command.name;
    matches!(name, "reg" | "setx" | "launchctl" | "systemctl" | "regini" | SETTER) || is_item(name)
}

/// `Set-ItemProperty`, `New-Item` and so on.
fn is_item(name: &str) -> bool {
    // Most names are in small letters.
    let cmdlet = name.as_bytes().first().is_some_and(u8::is_ascii_uppercase);
    cmdlet
        && name.split_once("-Item").is_some_and(|(verb, rest)| {
            has("Set New Remove Clear Rename Move Copy", verb) && (rest.is_empty() || rest == "Property")
        })
}

/// Whether a setting of the administrator's for a host is changed or taken away.
pub(super) fn changes_policies(command: &Command<'_>) -> bool {
    let writes = match &*command.name {
        "reg" => command.sub(&["add|delete|copy|import|restore|load|unload"]),
        name => is_item(name) && !command.only_shows(),
    };
    let named = |text: &str| {
        let text = text.to_ascii_lowercase().replace('/', r"\");
        POLICIES.iter().any(|key| text.contains(key))
    };
    writes && command.args().iter().any(|arg| named(&arg.text))
}

/// Whether every agent that is started later gets one of the variables that move its hooks.
pub(super) fn keeps_variable(command: &Command<'_>) -> bool {
    let args = || command.args().iter();
    let lasts = match &*command.name {
        "setx" => true,
        "launchctl" => command.sub(&["setenv|unsetenv"]),
        "systemctl" => args().any(|arg| has("set-environment unset-environment", &arg.text)),
        SETTER => command.parameter("Scope").any(|arg| !arg.text.eq_ignore_ascii_case("Process")),
        "reg" => args().any(|arg| arg.text.to_ascii_lowercase().ends_with("environment")),
        name if is_item(name) => args().any(|arg| arg.text.to_ascii_lowercase().ends_with("environment")),
        _ => false,
    };
    lasts && args().any(|arg| has(VARIABLES, arg.text.split('=').next().unwrap_or("")))
}
