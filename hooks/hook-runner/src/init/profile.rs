//! Claude Code's managed settings in the forms of device management: a registry file for Windows, a configuration profile
//! for macOS. [docs] Claude Code, settings: the value `Settings` below `HKLM\\SOFTWARE\\Policies\\ClaudeCode`, and the
//! preference domain `com.anthropic.claudecode`. Both count before the file.

use serde_json::Value;

/// Their names in the tree of their system.
pub(super) const REGISTRY: &str = "ClaudeCode.reg";
pub(super) const PROFILE: &str = "com.anthropic.claudecode.mobileconfig";

/// A file for `reg import`; the settings are one string there.
pub(super) fn registry(settings: &str) -> Option<String> {
    let value: Value = serde_json::from_str(settings).ok()?;
    let quoted = value.to_string().replace('\\', r"\\").replace('"', "\\\"");
    let key = r"HKEY_LOCAL_MACHINE\SOFTWARE\Policies\ClaudeCode";
    // Windows wants its own ends of lines in such a file.
    Some(format!("Windows Registry Editor Version 5.00\r\n\r\n[{key}]\r\n\"Settings\"=\"{quoted}\"\r\n"))
}

/// A profile for macOS, for all users of the machine.
pub(super) fn profile(settings: &str) -> Option<String> {
    let Value::Object(settings) = serde_json::from_str(settings).ok()? else { return None };
    let mut own = members(&settings);
    own +=
        &head("com.anthropic.claudecode", "policy-hooks.claudecode", "6F1C1E0A-5B1B-4B6C-9C52-70C4C1D4A001");
    let around = head("Configuration", "policy-hooks", "6F1C1E0A-5B1B-4B6C-9C52-70C4C1D4A002");
    Some(format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\"><dict>\n\
         <key>PayloadContent</key><array><dict>\n{own}</dict></array>\n\
         <key>PayloadDisplayName</key><string>policy-hooks</string>\n\
         <key>PayloadScope</key><string>System</string>\n\
         {around}</dict></plist>\n"
    ))
}

/// What every payload says of itself. The identifiers stay, so that a new profile replaces the one before.
fn head(kind: &str, identifier: &str, uuid: &str) -> String {
    format!(
        "<key>PayloadType</key><string>{kind}</string>\n<key>PayloadIdentifier</key><string>{identifier}</string>\n\
         <key>PayloadUUID</key><string>{uuid}</string>\n<key>PayloadVersion</key><integer>1</integer>\n"
    )
}

fn members(object: &serde_json::Map<String, Value>) -> String {
    object.iter().map(|(key, value)| format!("<key>{}</key>{}\n", escaped(key), element(value))).collect()
}

fn element(value: &Value) -> String {
    match value {
        // A property list has no null.
        Value::Null => "<string></string>".to_owned(),
        Value::Bool(true) => "<true/>".to_owned(),
        Value::Bool(false) => "<false/>".to_owned(),
        Value::Number(number) if number.is_f64() => format!("<real>{number}</real>"),
        Value::Number(number) => format!("<integer>{number}</integer>"),
        Value::String(text) => format!("<string>{}</string>", escaped(text)),
        Value::Array(list) => format!("<array>{}</array>", list.iter().map(element).collect::<String>()),
        Value::Object(object) => format!("<dict>\n{}</dict>", members(object)),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
