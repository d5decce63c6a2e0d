//! The keys of a configuration, and which host looks at which.

use crate::record::Product;

/// The type of a key's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Text,
    /// A number of [`crate::record::Unit`].
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
    pub name: &'static str,
    pub kind: Type,
    pub about: &'static str,
}

/// The keys of hooks that are not commands: their values do not matter in one that is.
pub const OF_OTHER_KINDS: &[&str] =
    &["url", "headers", "allowedEnvVars", "prompt", "model", "server", "tool", "input"];

/// The keys that every host looks at.
pub const COMMON: &[&str] = &["type", "command", "timeout", "description", "comment", "matcher", "hooks"];

/// The keys of a hook's entry. Sources: host-contract.md 1.2, 2.2, 3.1, 4 and 5.
pub const ENTRY: &[Key] = &[
    key("type", Type::Text, "What kind of hook it is; `command` for a program."),
    key("command", Type::Text, "A shell command."),
    key("bash", Type::Text, "A command for Linux and macOS; it beats `command`."),
    key("powershell", Type::Text, "A command for Windows; it beats `command`."),
    key("linux", Type::Text, "A command for Linux; it beats `bash`."),
    key("osx", Type::Text, "A command for macOS; it beats `bash`."),
    key("windows", Type::Text, "A command for Windows; it beats `powershell`."),
    key("exec", Type::Text, "A program that is started without a shell."),
    key(
        "args",
        Type::Texts,
        "Arguments: of `exec` on Copilot, of `command` on Claude Code, which then uses no shell.",
    ),
    key("timeout", Type::Number, "The time limit: seconds, on Gemini CLI milliseconds."),
    key("timeoutSec", Type::Number, "The time limit in seconds."),
    key("cwd", Type::Text, "The folder to run in."),
    key("env", Type::TextMap, "Variables, taken literally."),
    key("shell", Type::Text, "`bash` or `powershell`."),
    key("if", Type::Text, "A permission rule that the call must match as well."),
    key("statusMessage", Type::Text, "Shown while the hook runs."),
    key("once", Type::Truth, "Runs once in a session."),
    key("async", Type::Truth, "The host does not wait for the answer."),
    key("asyncRewake", Type::Truth, "Like `async`; exit code 2 wakes the model."),
    key("onFailure", Type::Text, "`block`: a hook that fails denies."),
    key("failClosed", Type::Truth, "A hook that fails denies."),
    key("fail_closed", Type::Truth, "A hook that fails denies."),
    key("loop_limit", Type::Any, "How often a stop hook makes the agent go on."),
    key("show_output", Type::Truth, "The person sees what the hook prints."),
    key("working_directory", Type::Text, "The folder to run in."),
    key("metadata", Type::Any, "What payloads tell besides."),
    key("url", Type::Text, "Of an `http` hook."),
    key("headers", Type::TextMap, "Of an `http` hook."),
    key("allowedEnvVars", Type::Texts, "Variables that `headers` may use."),
    key("prompt", Type::Text, "Of a `prompt` or `agent` hook."),
    key("model", Type::Text, "Of a `prompt` or `agent` hook."),
    key("server", Type::Text, "Of an `mcp_tool` hook."),
    key("tool", Type::Text, "Of an `mcp_tool` hook."),
    key("input", Type::Any, "Of an `mcp_tool` hook."),
    key("name", Type::Text, "A display name."),
    key("description", Type::Text, "A comment."),
    key("comment", Type::Text, "A comment."),
];

/// A time limit, whatever its key.
pub(crate) const LIMIT: Key = key("timeout", Type::Number, "The time limit.");

/// The keys of a group of entries.
pub const GROUP: &[Key] = &[
    key("matcher", Type::Text, "The tools that the hooks run for. VS Code ignores it."),
    key("hooks", Type::Any, "The hooks."),
    key("sequential", Type::Truth, "Runs the group's hooks one after the other."),
    key("description", Type::Text, "A comment."),
];

/// The keys beside the hooks in a file that holds hooks only.
pub const FILE: &[&str] = &["version", "hooks", "disableAllHooks", "description", "$schema", "name"];

const fn key(name: &'static str, kind: Type, about: &'static str) -> Key {
    Key { name, kind, about }
}

/// The key of that name in an entry.
pub fn of_entry(name: &str) -> Option<&'static Key> {
    ENTRY.iter().find(|key| key.name == name)
}

impl Key {
    /// Whether a host looks at it.
    pub fn read_by(&self, product: Product) -> bool {
        COMMON.contains(&self.name) || product.keys.contains(&self.name)
    }
}
