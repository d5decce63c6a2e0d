//! The keys of a configuration, and which host looks at which.

use crate::product::Product;

/// The type of a key's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// A string.
    Text,
    /// A number of [`crate::product::Unit`].
    Number,
    /// `true` or `false`.
    Truth,
    /// An array of strings.
    Texts,
    /// An object of strings.
    TextMap,
    /// An object or a string, that the host reads by itself.
    Any,
}

/// A key of a hook's entry.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: Type,
    /// What it says.
    pub about: &'static str,
    /// Who looks at it.
    pub hosts: &'static [Product],
}

use Product::{Claude, Codex, CopilotCli, CopilotCloud, Gemini, VsCode};

const EVERYONE: &[Product] = &Product::ALL;
const FLAT: &[Product] = &[VsCode, CopilotCli, CopilotCloud];

/// The keys of a hook's entry. Sources: host-contract.md 1.2, 2.2, 3.1, 4 and 5.
pub const ENTRY: &[Key] = &[
    key("type", Type::Text, "What kind of hook it is; `command` for a program.", EVERYONE),
    key("command", Type::Text, "A shell command.", EVERYONE),
    key("bash", Type::Text, "A command for Linux and macOS; it beats `command`.", FLAT),
    key("powershell", Type::Text, "A command for Windows; it beats `command`.", &[VsCode, CopilotCli]),
    key("linux", Type::Text, "A command for Linux; it beats `bash`.", FLAT),
    key("osx", Type::Text, "A command for macOS; it beats `bash`.", FLAT),
    key("windows", Type::Text, "A command for Windows; it beats `powershell`.", FLAT),
    key("exec", Type::Text, "A program that is started without a shell.", &[CopilotCli, CopilotCloud]),
    key(
        "args",
        Type::Texts,
        "Arguments: of `exec` on Copilot, of `command` on Claude Code, which then uses no shell.",
        &[CopilotCli, CopilotCloud, Claude],
    ),
    key("timeout", Type::Number, "The time limit: seconds, on Gemini CLI milliseconds.", EVERYONE),
    key("timeoutSec", Type::Number, "The time limit in seconds.", FLAT),
    key("cwd", Type::Text, "The folder to run in.", FLAT),
    key("env", Type::TextMap, "Variables, taken literally.", &[VsCode, CopilotCli, CopilotCloud, Gemini]),
    key("shell", Type::Text, "`bash` or `powershell`.", &[Claude]),
    key("if", Type::Text, "A permission rule that the call must match as well.", &[Claude]),
    key("statusMessage", Type::Text, "Shown while the hook runs.", &[Claude, Codex]),
    key("once", Type::Truth, "Runs once in a session.", &[Claude]),
    key("async", Type::Truth, "Nobody waits for the answer.", &[Claude]),
    key("asyncRewake", Type::Truth, "As `async`, and exit code 2 wakes the model.", &[Claude]),
    key("onFailure", Type::Text, "`block`: a hook that fails denies.", &[Claude]),
    key("url", Type::Text, "Of an `http` hook.", &[CopilotCli, Claude]),
    key("headers", Type::TextMap, "Of an `http` hook.", &[CopilotCli, Claude]),
    key("allowedEnvVars", Type::Texts, "Variables that `headers` may use.", &[CopilotCli, Claude]),
    key("prompt", Type::Text, "Of a `prompt` or `agent` hook.", &[CopilotCli, Claude]),
    key("model", Type::Text, "Of a `prompt` or `agent` hook.", &[Claude]),
    key("server", Type::Text, "Of an `mcp_tool` hook.", &[Claude]),
    key("tool", Type::Text, "Of an `mcp_tool` hook.", &[Claude]),
    key("input", Type::Any, "Of an `mcp_tool` hook.", &[Claude]),
    key("name", Type::Text, "A name for people.", &[Gemini]),
    key("description", Type::Text, "A note for people.", EVERYONE),
    key("comment", Type::Text, "A note for people.", EVERYONE),
];

/// The keys of a group of entries.
pub const GROUP: &[Key] = &[
    key("matcher", Type::Text, "For which tools the hooks run. VS Code ignores it.", EVERYONE),
    key("hooks", Type::Any, "The hooks.", EVERYONE),
    key("sequential", Type::Truth, "Runs the group's hooks one after the other.", &[Gemini]),
    key("description", Type::Text, "A note for people.", EVERYONE),
];

/// The keys beside the hooks in a file that holds hooks only.
pub const FILE: &[&str] = &["version", "hooks", "disableAllHooks", "description", "$schema", "name"];

const fn key(name: &'static str, kind: Type, about: &'static str, hosts: &'static [Product]) -> Key {
    Key { name, kind, about, hosts }
}

/// The key of that name in an entry.
pub fn of_entry(name: &str) -> Option<&'static Key> {
    ENTRY.iter().find(|key| key.name == name)
}

impl Key {
    /// Whether a host looks at it.
    pub fn read_by(&self, product: Product) -> bool {
        self.hosts.contains(&product)
    }
}
