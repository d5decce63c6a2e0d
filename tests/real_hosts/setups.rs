//! How a user sets up each host: a repository, and `hook-runner init`.

use std::fs;
use std::path::Path;
use std::process::Command;

use host::Product;
use payload::EventKind;
use real_hosts::Host;
use serde_json::{Map, Value};
use support::hosts::Target;
use support::programs;

/// A host with the configuration it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setup {
    Claude,
    /// `PreToolUse` in `.github/hooks`, as it is shipped: VS Code reads the same files.
    CopilotPascal,
    /// `preToolUse` in `.github/hooks`.
    CopilotCamel,
    /// The files of Copilot CLI, whose engine a program of ours starts.
    CopilotSdk,
    Codex,
    Gemini,
    Qwen,
    /// Scripts in `.clinerules/hooks`.
    Cline,
    /// A plugin in `.opencode/plugin`.
    OpenCode,
    /// An extension in `.pi/extensions`.
    Pi,
    /// `.openhands/hooks.json`.
    OpenHands,
    /// The files of Copilot CLI, in `.github/hooks`.
    VsCode,
}

impl Setup {
    pub(super) fn host(self) -> Host {
        match self {
            Self::Claude => Host::Claude,
            Self::CopilotPascal | Self::CopilotCamel => Host::Copilot,
            Self::CopilotSdk => Host::Sdk,
            Self::Codex => Host::Codex,
            Self::Gemini => Host::Gemini,
            Self::Qwen => Host::Qwen,
            Self::Cline => Host::Cline,
            Self::OpenCode => Host::OpenCode,
            Self::Pi => Host::Pi,
            Self::OpenHands => Host::OpenHands,
            Self::VsCode => Host::VsCode,
        }
    }

    /// The host as `hook-runner` knows it.
    pub(super) fn product(self) -> Product {
        match self {
            Self::Claude => Product::CLAUDE,
            Self::CopilotPascal | Self::CopilotCamel | Self::CopilotSdk => Product::COPILOT_CLI,
            Self::Codex => Product::CODEX,
            Self::Gemini => Product::GEMINI,
            Self::Qwen => Product::QWEN,
            Self::Cline => Product::CLINE,
            Self::OpenCode => Product::OPENCODE,
            Self::Pi => Product::PI,
            Self::OpenHands => Product::OPENHANDS,
            Self::VsCode => Product::VS_CODE,
        }
    }

    /// The folder with the recorded payloads that it has to equal.
    pub(super) fn recorded(self) -> &'static str {
        match self {
            Self::Claude => Target::Claude.folder(),
            Self::CopilotPascal | Self::CopilotSdk => Target::CopilotPascal.folder(),
            Self::CopilotCamel => Target::CopilotCamel.folder(),
            Self::Codex => Target::Codex.folder(),
            Self::Gemini => Target::Gemini.folder(),
            Self::VsCode => Target::VsCode.folder(),
            Self::Qwen | Self::Cline | Self::OpenCode | Self::Pi | Self::OpenHands => self.product().name,
        }
    }

    /// Why a hook can do nothing there, whatever is installed: Cline waits for no hook but those around a tool, `opencode run`
    /// has ended when its plugins hear that the model has, and OpenHands passes on nothing when it starts.
    pub(super) fn lacks(self, hook: &str) -> Option<&'static str> {
        match self {
            Self::Cline if matches!(hook, "context-injector" | "stop-guard") => {
                Some("waits for no such hook")
            }
            Self::OpenCode if hook == "stop-guard" => Some("`opencode run` ends without asking"),
            Self::OpenHands if hook == "context-injector" => Some("takes nothing at its start"),
            _ => None,
        }
    }

    /// Whether an `ask` reaches the person at the terminal: Codex, Cline, OpenCode, Pi and OpenHands have no such answer, and an application
    /// on the SDK answers for itself.
    pub(super) fn asks(self) -> bool {
        !matches!(
            self,
            Self::Codex | Self::CopilotSdk | Self::Cline | Self::OpenCode | Self::Pi | Self::OpenHands
        )
    }

    /// Whether a session takes so long that CI plays a few.
    pub(super) fn is_slow(self) -> bool {
        matches!(self, Self::VsCode | Self::Cline | Self::OpenCode | Self::OpenHands)
    }

    /// The head of its column.
    pub(super) fn title(self) -> String {
        let casing = if self == Self::CopilotCamel { " (camelCase)" } else { "" };
        format!("{}{casing} {}", self.host().title(), self.host().version())
    }

    /// Makes `project` a repository with one commit, a file worth keeping, and a sub-agent.
    pub(super) fn prepare(self, project: &Path) {
        fs::create_dir_all(project.join("victim")).unwrap();
        fs::write(project.join("victim/keep.txt"), "keep\n").unwrap();
        // Claude Code and Copilot CLI both read it.
        fs::create_dir_all(project.join(".claude/agents")).unwrap();
        let agent = "---\nname: reviewer\ndescription: Reviews.\n---\nSay that all is well.\n";
        fs::write(project.join(".claude/agents/reviewer.md"), agent).unwrap();
        let others = match self {
            Self::Qwen => Some((".qwen/agents", "")),
            Self::OpenCode => Some((".opencode/agent", "mode: subagent\n")),
            Self::OpenHands => Some((".openhands/agents", "")),
            _ => None,
        };
        if let Some((folder, more)) = others {
            fs::create_dir_all(project.join(folder)).unwrap();
            let agent = agent.replacen("---\n", &format!("---\n{more}"), 1);
            fs::write(project.join(folder).join("reviewer.md"), agent).unwrap();
        }
        if self == Self::VsCode {
            fs::create_dir_all(project.join(".github/agents")).unwrap();
            fs::write(project.join(".github/agents/reviewer.agent.md"), agent).unwrap();
        }
        for arguments in [
            &["init", "--quiet"][..],
            &["add", "."],
            &["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "first"],
        ] {
            assert!(Command::new("git").args(arguments).current_dir(project).status().unwrap().success());
        }
    }

    /// Installs these hooks in it; all, if none is named.
    pub(super) fn init(self, project: &Path, hooks: &[&str], programs: &Path) {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(programs.to_owned()).chain(std::env::split_paths(&path));
        let mut init = Command::new(programs::hook_runner());
        init.args(["init", "--yes", "--host", self.product().name])
            .args(hooks.iter().flat_map(|hook| ["--hook", hook]))
            .current_dir(project)
            .env("PATH", std::env::join_paths(path).unwrap());
        let output = init.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        if self == Self::CopilotCamel {
            in_camel_case(&project.join(".github/hooks"));
        }
    }
}

/// Gives the events of every file their camelCase names, as many who write for Copilot CLI do.
fn in_camel_case(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let mut file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let hooks = file["hooks"].as_object_mut().unwrap();
        let renamed: Map<String, Value> = std::mem::take(hooks)
            .into_iter()
            .map(|(event, entries)| {
                let name = host::event::name(Product::COPILOT_CLI, EventKind::from_name(&event), true);
                (name.map_or(event, str::to_owned), entries)
            })
            .collect();
        *hooks = renamed;
        fs::write(&path, file.to_string()).unwrap();
    }
}
