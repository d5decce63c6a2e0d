//! Where the demo plays: a home of its own, with two of our programs and a repository in it. Nothing of the user's is read,
//! and nothing is left there.

use std::cell::Cell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use payload::model::Outcome;
use support::call::{Answer, Call};
use support::hosts::Target;
use support::{payloads, repositories};

/// The most that a terminal of 80 columns shows without a wrap.
pub(crate) const WIDTH: usize = 79;

/// The programs that are called, as links to this one.
const PROGRAMS: [&str; 3] = ["audit-logger", "command-blocker", "hook-runner"];

pub(crate) struct Scene {
    folder: PathBuf,
    colored: bool,
    /// How many calls there were: hosts give each a name of its own.
    calls: Cell<u32>,
}

impl Scene {
    pub(crate) fn new(colored: bool) -> io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("policy-hooks-demo-{}", std::process::id()));
        let scene = Self { folder, colored, calls: Cell::new(0) };
        fs::create_dir_all(scene.project())?;
        fs::create_dir_all(scene.bin())?;
        let own = std::env::current_exe()?;
        for name in PROGRAMS {
            let to = scene.bin().join(name);
            // A copy where the folder is on another disk.
            fs::hard_link(&own, &to).or_else(|_| fs::copy(&own, &to).map(drop))?;
        }
        let log = scene.home().join(".local/state/policy-hooks/audit/audit.jsonl");
        fs::create_dir_all(log.parent().unwrap_or(Path::new("/")))?;
        // A log that someone began is what decisions are added to.
        fs::write(log, "")?;
        Ok(scene)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    fn bin(&self) -> PathBuf {
        self.folder.join("bin")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.join("home/project")
    }

    /// A program of ours in this home.
    fn program(&self, name: &str) -> Call {
        let call = Call::new(self.bin().join(name)).folder(&self.project()).env("HOME", self.home());
        let colors = if self.colored { ("FORCE_COLOR", "1") } else { ("NO_COLOR", "1") };
        let call = call.env(colors.0, colors.1).env("COLUMNS", WIDTH.to_string());
        ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "AUDIT_LOG"].iter().fold(call, |call, name| call.env(name, ""))
    }

    /// What a host makes of the command blocker's answer. A person is there to be asked.
    pub(crate) fn call(&self, target: Target, command: &str, arguments: &[&str]) -> Outcome {
        let (event, payload) = payloads::shell_call(target, command);
        let mut payload: serde_json::Value = serde_json::from_str(&payload).unwrap_or_default();
        payload["cwd"] = self.project().display().to_string().into();
        self.calls.set(self.calls.get() + 1);
        if let Some(id) = payload.get_mut("tool_use_id") {
            *id = format!("call_{}", self.calls.get()).into();
        }
        let call = self.program("command-blocker").args(arguments.iter().copied());
        target.reads(&event, &call.input(payload.to_string()).run())
    }

    /// What a person reads who types this.
    pub(crate) fn typed(&self, arguments: &[&str]) -> Answer {
        self.program("hook-runner").args(arguments.iter().copied()).run()
    }

    /// A repository with work that git knows nothing of; `None` where there is no git to make one.
    pub(crate) fn repository(&self) -> Option<Work> {
        repositories::committed(&self.project(), 1).ok()?;
        let file = self.project().join("src/part0/file0.txt");
        let committed = fs::read(&file).ok()?;
        fs::write(&file, "an afternoon of work\n").ok()?;
        Some(Work { file, committed })
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A file that was changed, and not committed.
pub(crate) struct Work {
    file: PathBuf,
    committed: Vec<u8>,
}

impl Work {
    /// What `git reset --hard` does to it.
    pub(crate) fn reset(&self) -> io::Result<()> {
        fs::write(&self.file, &self.committed)
    }

    pub(crate) fn text(&self) -> String {
        fs::read_to_string(&self.file).unwrap_or_default()
    }
}
