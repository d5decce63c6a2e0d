//! A home, a repository in it that is configured for prettier, and formatters that are small scripts.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use support::call::{Answer, Call};
use support::programs::formatter_trigger;

/// Joins runs of blanks and writes line feeds, as a formatter might.
pub(super) const SQUEEZE: &str = "tr -d '\\r' | sed 's/  */ /g'";

/// So much time that no load makes a difference, where a test is not about time.
pub(super) const PATIENT: &str = "timeout_ms = 600000\nbudget_ms = 600000\n";

/// The log of the agent's session, in the home.
const LOG: &str = "session.jsonl";

/// A home with a repository.
pub(super) struct Scene {
    home: tempfile::TempDir,
}

/// Everything in a folder: what it is, its mode and its content.
pub(super) type Tree = BTreeMap<PathBuf, (u32, Vec<u8>)>;

impl Scene {
    /// One commit, which configures prettier; prettier is [`SQUEEZE`].
    pub(super) fn new() -> Self {
        let scene = Self { home: tempfile::tempdir().unwrap() };
        fs::create_dir_all(scene.project()).unwrap();
        scene.git(&["init", "-q", "-b", "main"]);
        scene.write(".prettierrc", "{}\n");
        scene.write(".gitignore", "node_modules\n*.log.ts\n");
        scene.commit();
        scene.formatter("prettier", SQUEEZE);
        scene.settings("");
        scene
    }

    pub(super) fn home(&self) -> PathBuf {
        self.home.path().canonicalize().unwrap()
    }

    pub(super) fn project(&self) -> PathBuf {
        self.home().join("project")
    }

    /// What its own configuration says, and no one else's.
    pub(super) fn git(&self, arguments: &[&str]) {
        let output = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@t.test", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(self.project())
            .env("HOME", self.home())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(output.status.success(), "git {arguments:?}: {output:?}");
    }

    pub(super) fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "work"]);
    }

    pub(super) fn write(&self, name: impl AsRef<Path>, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.project().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(super) fn read(&self, name: impl AsRef<Path>) -> String {
        fs::read_to_string(self.project().join(name)).unwrap()
    }

    /// The user's own settings, with time enough.
    pub(super) fn settings(&self, text: &str) {
        self.exact_settings(&format!("{PATIENT}{text}"));
    }

    pub(super) fn exact_settings(&self, text: &str) {
        let folder = self.home().join(".config/policy-hooks");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("format.toml"), text).unwrap();
    }

    /// A formatter on the `PATH`, outside of the project.
    pub(super) fn formatter(&self, name: &str, script: &str) {
        program(&self.home().join("bin").join(name), script);
    }

    /// The user trusts the repository.
    pub(super) fn trust(&self) {
        let mut trust = store::trust::Trust::default();
        trust.add_repository(&self.project()).unwrap();
        trust.write(&store::trust::file(&self.home())).unwrap();
    }

    /// The log of the session, which begins when it is first asked for.
    pub(super) fn log(&self) -> PathBuf {
        let log = self.home().join(LOG);
        if !log.exists() {
            // What was written before is older, though the kernel's clock ticks only every few milliseconds. Of several
            // calls at once one begins the session.
            let own = self.home().join(format!("{LOG}.{:?}", std::thread::current().id()));
            let begin = || {
                fs::write(&own, "").unwrap();
                let created = fs::metadata(&own).unwrap().created().unwrap();
                (fs::remove_file(&own).unwrap(), created).1
            };
            let before = begin();
            while begin() == before {}
            fs::write(&own, "").unwrap();
            let _ = fs::hard_link(&own, &log);
            fs::remove_file(&own).unwrap();
        }
        log
    }

    /// The next call belongs to a new session.
    pub(super) fn new_session(&self) {
        let _ = fs::remove_file(self.home().join(LOG));
    }

    /// A call of the hook.
    pub(super) fn call(&self, payload: &Value) -> Call {
        self.program().args(["--deadline-ms", "900000"]).input(payload.to_string())
    }

    /// The program, where the hook would run it.
    pub(super) fn program(&self) -> Call {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.home().join("bin").display());
        Call::new(formatter_trigger())
            .env("HOME", self.home())
            .env("PATH", path)
            .env("TMPDIR", self.home())
            .env("SECRET_API_TOKEN", "do-not-pass-on")
            .folder(&self.project())
    }

    /// Claude Code wrote a file.
    pub(super) fn wrote(&self, path: impl AsRef<Path>) -> Answer {
        let answer = self.call(&self.claude(path)).run();
        assert_eq!(answer.exit, Some(0), "{answer:?}");
        let said: Value = serde_json::from_str(&answer.stdout).unwrap();
        assert!(said.get("decision").is_none(), "{answer:?}");
        answer
    }

    /// What Claude Code says after it wrote a file.
    pub(super) fn claude(&self, path: impl AsRef<Path>) -> Value {
        json!({
            "session_id": "s", "transcript_path": self.log(), "cwd": self.project(), "prompt_id": "p",
            "hook_event_name": "PostToolUse", "tool_name": "Write",
            "tool_input": {"file_path": path.as_ref(), "content": "x"}, "tool_response": {}, "tool_use_id": "u",
        })
    }

    /// Everything in the home but what the hook remembers.
    pub(super) fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        look(&self.home(), &mut tree);
        let state = self.home().join(".local");
        tree.retain(|path, _| !path.starts_with(&state) && !path.ends_with(LOG));
        tree
    }
}

pub(super) fn program(path: &Path, script: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    // Written under another name first: what is open for writing cannot be started, also by a neighbour's fork.
    let draft = path.with_extension("draft");
    fs::write(&draft, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)).unwrap();
    fs::rename(draft, path).unwrap();
}

fn look(folder: &Path, tree: &mut Tree) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let facts = path.symlink_metadata().unwrap();
        let content = if facts.is_symlink() {
            fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
        } else if facts.is_file() {
            fs::read(&path).unwrap()
        } else {
            Vec::new()
        };
        tree.insert(path.clone(), (facts.permissions().mode(), content));
        if facts.is_dir() {
            look(&path, tree);
        }
    }
}

/// What the model reads in an answer to Claude Code.
pub(super) fn told(answer: &Answer) -> String {
    let said: Value = serde_json::from_str(&answer.stdout).unwrap();
    said["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}

/// What the person reads in it.
pub(super) fn noticed(answer: &Answer) -> String {
    let said: Value = serde_json::from_str(&answer.stdout).unwrap();
    said["systemMessage"].as_str().unwrap_or_default().to_owned()
}
