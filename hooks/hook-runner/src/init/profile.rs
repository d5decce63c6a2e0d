//! Claude Code's managed settings in the forms of device management: a registry file for Windows, a configuration profile
//! for macOS. Both count before the file.

use host::managed::Store;
use plist::XmlWriteOptions;
use serde_json::{Map, Value, json};

/// Their names in the tree of their system.
pub(super) const REGISTRY: &str = "ClaudeCode.reg";
pub(super) const PROFILE: &str = "com.anthropic.claudecode.mobileconfig";

/// A file for `reg import`; the settings are one string there.
pub(super) fn registry(store: &Store, settings: &str) -> Option<String> {
    let value: Value = serde_json::from_str(settings).ok()?;
    let quoted = value.to_string().replace('\\', r"\\").replace('"', "\\\"");
    let (key, name) = (store.windows, store.value?);
    // Windows wants its own ends of lines in such a file.
    Some(format!(
        "Windows Registry Editor Version 5.00\r\n\r\n[HKEY_LOCAL_MACHINE\\{key}]\r\n\"{name}\"=\"{quoted}\"\r\n"
    ))
}

/// A profile for macOS, for all users of the machine.
pub(super) fn profile(store: &Store, settings: &str) -> Option<String> {
    let Value::Object(settings) = serde_json::from_str(settings).ok()? else { return None };
    let mut settings = without_nulls(settings);
    settings.extend(head(store.mac, "policy-hooks.claudecode", "6F1C1E0A-5B1B-4B6C-9C52-70C4C1D4A001"));
    let mut around = head("Configuration", "policy-hooks", "6F1C1E0A-5B1B-4B6C-9C52-70C4C1D4A002");
    around.insert("PayloadContent".to_owned(), json!([settings]));
    around.insert("PayloadDisplayName".to_owned(), json!("policy-hooks"));
    around.insert("PayloadScope".to_owned(), json!("System"));
    let mut text = Vec::new();
    plist::to_writer_xml_with_options(&mut text, &around, &XmlWriteOptions::default()).ok()?;
    text.push(b'\n');
    String::from_utf8(text).ok()
}

/// A property list has no null; to leave a member out means the same to the host.
fn without_nulls(members: Map<String, Value>) -> Map<String, Value> {
    let inside = |value| match value {
        Value::Object(members) => Value::Object(without_nulls(members)),
        other => other,
    };
    members
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| (key, inside(value)))
        .collect()
}

/// What every payload says of itself. The identifiers stay, so that a new profile replaces the one before.
fn head(kind: &str, identifier: &str, uuid: &str) -> Map<String, Value> {
    let members = [
        ("PayloadType", json!(kind)),
        ("PayloadIdentifier", json!(identifier)),
        ("PayloadUUID", json!(uuid)),
        ("PayloadVersion", json!(1)),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
