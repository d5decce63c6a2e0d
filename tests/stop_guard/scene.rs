//! A home, a repository in it, and a host that calls.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use payload::model::Effect;
use serde_json::{Value, json};
use support::call::{Answer, Call};
use support::hosts::Target;
use support::programs::stop_guard;

/// How a host tells that a stop hook made the agent go on already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Active {
    Honest,
    Missing,
    AlwaysFalse,
    Text,
}

/// A home with a repository.
pub(super) struct Scene {
    home: tempfile::TempDir,
}

impl Scene {
    /// One commit, nothing changed, nothing configured.
    pub(super) fn new() -> Self {
        let scene = Self { home: tempfile::tempdir().unwrap() };
        fs::create_dir_all(scene.project()).unwrap();
        scene.git(&["init", "-q", "-b", "main"]);
        scene.write("README", "hello\n");
        scene.commit();
        scene
    }

    pub(super) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(super) fn project(&self) -> PathBuf {
        self.home().join("project")
    }

    /// What its own configuration says, and no one else's.
    pub(super) fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@t.test", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(self.project())
            .env("HOME", self.home())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }

    pub(super) fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "work"]);
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        let path = self.project().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The user's own settings.
    pub(super) fn settings(&self, text: &str) {
        let folder = self.home().join(".config/policy-hooks");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("stop.toml"), text).unwrap();
    }

    /// The user trusts the repository.
    pub(super) fn trust(&self) {
        let mut trust = store::trust::Trust::default();
        trust.add_repository(&self.project()).unwrap();
        trust.write(&store::trust::file(self.home())).unwrap();
    }

    /// A trusted check that runs `script`, and notes each run in `runs`.
    pub(super) fn check(&self, head: &str, script: &str) {
        let runs = self.home().join("runs");
        let script = format!("echo run >> '{}'; {script}", runs.display());
        let argv = json!(["sh", "-c", script]);
        self.settings(&format!("{head}\n[[stop.check]]\nid = \"tests\"\nargv = {argv}\n"));
        self.trust();
    }

    /// How often the check's program was started.
    pub(super) fn runs(&self) -> usize {
        fs::read_to_string(self.home().join("runs")).unwrap_or_default().lines().count()
    }

    pub(super) fn call(&self, payload: impl Into<Vec<u8>>) -> Call {
        Call::new(stop_guard()).env("HOME", self.home()).env("TMPDIR", self.home()).input(payload)
    }
}

/// A session of one host.
#[derive(Debug, Clone, Copy)]
pub(super) struct Session<'s> {
    pub(super) target: Target,
    pub(super) active: Active,
    pub(super) id: &'s str,
}

impl Session<'_> {
    pub(super) fn of(target: Target) -> Self {
        Self { target, active: Active::Honest, id: "a1b2" }
    }

    fn base(self, scene: &Scene, event: &str) -> Value {
        let cwd = scene.project();
        let mut payload = match self.target {
            Target::CopilotCamel => json!({"sessionId": self.id, "timestamp": 1, "cwd": cwd}),
            Target::CopilotPascal => {
                json!({"session_id": self.id, "timestamp": "2026-11-21T05:24:27.186Z", "cwd": cwd})
            }
            Target::VsCode | Target::Gemini => {
                json!({"session_id": self.id, "timestamp": "2026-11-21T05:24:27.186Z", "cwd": cwd, "transcript_path": "/t"})
            }
            Target::Claude => {
                json!({"session_id": self.id, "transcript_path": "/t", "cwd": cwd, "prompt_id": "p"})
            }
            Target::Codex => json!({"session_id": self.id, "turn_id": "t", "model": "m", "cwd": cwd}),
        };
        if self.target != Target::CopilotCamel {
            payload["hook_event_name"] = event.into();
        }
        payload
    }

    /// The host's name of its stop event.
    pub(super) fn stop_event(self) -> &'static str {
        match self.target {
            Target::CopilotCamel => "agentStop",
            Target::Gemini => "AfterAgent",
            _ => "Stop",
        }
    }

    pub(super) fn stop_payload(self, scene: &Scene, again: bool) -> Value {
        let mut payload = self.base(scene, self.stop_event());
        match self.active {
            Active::Honest => payload["stop_hook_active"] = again.into(),
            Active::AlwaysFalse => payload["stop_hook_active"] = false.into(),
            Active::Text => payload["stop_hook_active"] = again.to_string().into(),
            Active::Missing => {}
        }
        if self.target == Target::CopilotCamel {
            payload["transcriptPath"] = "/t".into();
            payload["stopReason"] = "end_turn".into();
        }
        payload
    }

    /// The agent wants to stop; `again` after it was held back.
    pub(super) fn stop(self, scene: &Scene, again: bool) -> Answer {
        let answer = scene
            .call(self.stop_payload(scene, again).to_string())
            .args(self.event_flag(self.stop_event()))
            .run();
        assert_eq!(answer.exit, Some(0), "{answer:?}");
        assert!(serde_json::from_str::<Value>(&answer.stdout).unwrap().is_object(), "{answer:?}");
        answer
    }

    /// Whether the agent is held back.
    pub(super) fn is_held(self, answer: &Answer) -> bool {
        self.target.reads(self.stop_event(), answer).effect == Effect::Block
    }

    /// The user sends a prompt.
    pub(super) fn prompt(self, scene: &Scene, text: &str) {
        let event = match self.target {
            Target::CopilotCamel => "userPromptSubmitted",
            Target::Gemini => "BeforeAgent",
            _ => "UserPromptSubmit",
        };
        let mut payload = self.base(scene, event);
        payload["prompt"] = text.into();
        self.nothing_said(scene, &payload, event);
    }

    /// A tool ran.
    pub(super) fn tool(self, scene: &Scene, name: &str) {
        let event = match self.target {
            Target::CopilotCamel => "postToolUse",
            Target::Gemini => "AfterTool",
            _ => "PostToolUse",
        };
        let mut payload = self.base(scene, event);
        if self.target == Target::CopilotCamel {
            payload["toolName"] = name.into();
            payload["toolArgs"] = json!({});
            payload["toolResult"] = json!({"resultType": "success", "textResultForLlm": ""});
        } else {
            payload["tool_name"] = name.into();
            payload["tool_input"] = json!({});
            payload["tool_response"] = json!({});
        }
        self.nothing_said(scene, &payload, event);
    }

    pub(super) fn event_flag(self, event: &str) -> Vec<String> {
        // Copilot's camelCase payloads do not name their event.
        if self.target == Target::CopilotCamel {
            vec!["--event".to_owned(), event.to_owned()]
        } else {
            Vec::new()
        }
    }

    fn nothing_said(self, scene: &Scene, payload: &Value, event: &str) {
        let answer = scene.call(payload.to_string()).args(self.event_flag(event)).run();
        assert_eq!((answer.stdout.as_str(), answer.stderr.as_str(), answer.exit), ("{}", "", Some(0)));
    }
}
