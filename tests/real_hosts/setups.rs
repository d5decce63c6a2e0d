//! How a user sets up each host: the shipped configurations, in the places where the host looks.

use std::fs;
use std::path::Path;
use std::process::Command;

use real_hosts::Host;
use serde_json::Value;
use tests::programs::root;

/// A host with the configuration it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setup {
    Claude,
    /// `PreToolUse` in `.github/hooks`, as it is shipped: VS Code reads the same file.
    CopilotPascal,
    /// `preToolUse` in `.github/hooks`.
    CopilotCamel,
    Codex,
    Gemini,
}

impl Setup {
    pub(super) fn host(self) -> Host {
        match self {
            Self::Claude => Host::Claude,
            Self::CopilotPascal | Self::CopilotCamel => Host::Copilot,
            Self::Codex => Host::Codex,
            Self::Gemini => Host::Gemini,
        }
    }

    /// The head of its column.
    pub(super) fn title(self) -> String {
        let casing = if self == Self::CopilotCamel { " (camelCase)" } else { "" };
        format!("{}{casing} {}", self.host().title(), self.host().package().1)
    }

    /// Makes `project` a repository with one commit, a file worth keeping, and the hook configuration.
    pub(super) fn prepare(self, project: &Path) {
        fs::create_dir_all(project.join("victim")).unwrap();
        fs::write(project.join("victim/keep.txt"), "keep\n").unwrap();
        for arguments in [
            &["init", "--quiet"][..],
            &["add", "."],
            &["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "first"],
        ] {
            assert!(Command::new("git").args(arguments).current_dir(project).status().unwrap().success());
        }
        let (file, content) = self.configuration();
        let file = project.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content.to_string()).unwrap();
    }

    fn configuration(self) -> (&'static str, Value) {
        match self {
            Self::Claude => (".claude/settings.json", shipped("claude-code/settings.json")),
            Self::CopilotPascal => {
                (".github/hooks/10-command-blocker.json", shipped("10-command-blocker.json"))
            }
            Self::CopilotCamel => {
                let text = shipped("10-command-blocker.json").to_string();
                let text = text.replace("PreToolUse", "preToolUse");
                (".github/hooks/10-command-blocker.json", serde_json::from_str(&text).unwrap())
            }
            Self::Codex => (".codex/hooks.json", shipped("codex/hooks.json")),
            Self::Gemini => (".gemini/settings.json", shipped("gemini-cli/settings.json")),
        }
    }
}

fn shipped(name: &str) -> Value {
    let text = fs::read_to_string(root().join("configs").join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}
