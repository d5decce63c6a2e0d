//! Whose rules a string holds.

use std::str::FromStr;

/// Whose rules a string holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `permissions` of Claude Code's `settings.json`.
    Claude,
    /// `chat.tools.…autoApprove` of VS Code's `settings.json`.
    VsCode,
    /// Copilot CLI's options, or its `permissions-config.json`.
    Copilot,
    /// Codex CLI's `.rules`.
    Codex,
    /// Gemini CLI's policies, or the lists of tools in its `settings.json`.
    Gemini,
    /// `permissions` of GitHub's `managed-settings.json` for Copilot.
    Managed,
    /// `permissions` of Cursor's `cli.json`.
    Cursor,
    /// `permission` of OpenCode's `opencode.json`.
    OpenCode,
    /// `permissions` of Qwen Code's `settings.json`.
    Qwen,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 9] = [
        Self::Claude,
        Self::VsCode,
        Self::Copilot,
        Self::Codex,
        Self::Gemini,
        Self::Managed,
        Self::Cursor,
        Self::OpenCode,
        Self::Qwen,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::VsCode => "vscode",
            Self::Copilot => "copilot",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Managed => "github",
            Self::Cursor => "cursor",
            Self::OpenCode => "opencode",
            Self::Qwen => "qwen",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::VsCode => "VS Code",
            Self::Copilot => "Copilot CLI",
            Self::Codex => "Codex CLI",
            Self::Gemini => "Gemini CLI",
            Self::Managed => "GitHub",
            Self::Cursor => "Cursor",
            Self::OpenCode => "OpenCode",
            Self::Qwen => "Qwen Code",
        }
    }

    /// The format of a file: by where it lies, where several hosts write alike, else by what stands in it.
    pub fn at(path: &str, text: &str) -> Option<Self> {
        let path = path.replace('\\', "/");
        let lies = |place: &str| path.starts_with(place) || path.contains(&format!("/{place}"));
        let places = [
            (".qwen/settings", Self::Qwen),
            (".cursor/cli", Self::Cursor),
            ("opencode.json", Self::OpenCode),
            (".claude/settings", Self::Claude),
        ];
        let by_place = places.into_iter().find(|(place, _)| lies(place)).map(|(_, format)| format);
        by_place.or_else(|| Self::of(text))
    }

    /// The format that a string is in, by what stands in it; nothing, if it may be several or none.
    pub fn of(text: &str) -> Option<Self> {
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        // A comment may stand in front of the object.
        let json = text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '/']);
        let signs = [
            (json && has(&["\"chat.tools.", "\"github.copilot.chat.agent.terminal."]), Self::VsCode),
            (json && is_managed(text), Self::Managed),
            (json && has(&["\"Shell("]) && !is_managed(text), Self::Cursor),
            (json && has(&["\"permission\"", "\"resource\"", "opencode.ai/config"]), Self::OpenCode),
            (
                json && has(&["\"permissions\"", "\"disableBypassPermissionsMode\""])
                    && !is_managed(text)
                    && !has(&["\"Shell(", "\"resource\""]),
                Self::Claude,
            ),
            (json && has(&["\"tool_approvals\"", "\"commandIdentifiers\""]), Self::Copilot),
            (!json && has(&["prefix_rule(", "network_rule(", "host_executable("]), Self::Codex),
            (json && is_gemini(text), Self::Gemini),
            (
                !json && has(&["[[rule]]"]) && has(&["toolName", "commandPrefix", "commandRegex", "mcpName"]),
                Self::Gemini,
            ),
            (
                !json && has(&["--allow-", "--deny-", "--yolo", "--available-tools", "--excluded-tools"]),
                Self::Copilot,
            ),
        ];
        let mut found = signs.into_iter().filter(|(holds, _)| *holds);
        let (_, format) = found.next()?;
        // With two signs it may be either, and a guess would carry over the wrong rules.
        if found.next().is_some() { None } else { Some(format) }
    }
}

/// Whether settings have selectors of GitHub's: `Shell` is Cursor's as well, which writes `Write` where GitHub writes `Edit`, and
/// has nothing to ask about.
fn is_managed(text: &str) -> bool {
    let has = |word: &str| text.contains(word);
    has("\"Domain(") || has("\"Shell(") && (has("\"Edit(") || has("\"ask\""))
}

/// Whether settings have Gemini's lists of tools, under their old names or their own.
fn is_gemini(text: &str) -> bool {
    let has = |word: &str| text.contains(word);
    ["\"excludeTools\"", "\"coreTools\"", "\"ShellTool", "\"run_shell_command"].into_iter().any(has)
        || has("\"tools\"") && ["\"exclude\"", "\"allowed\"", "\"core\""].into_iter().any(has)
}

impl FromStr for Format {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|format| format.as_str() == word);
        found.ok_or_else(|| format!("unknown format `{word}`: use claude, vscode, copilot, codex, gemini, github, cursor, opencode or qwen"))
    }
}
