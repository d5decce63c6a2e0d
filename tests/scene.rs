//! A home and a repository in it, for hooks that look at real ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use payload::model::Effect;
use serde_json::Value;
use support::call::{Answer, Call};
use support::hosts::Target;
use support::payloads;
use support::programs::{command_blocker, root};

pub(crate) struct Scene(tempfile::TempDir);

impl Scene {
    /// A repository with one commit, outside of the folders for temporary files as far as our rules see.
    pub(crate) fn new() -> Self {
        let scene = Self(tempfile::tempdir_in(root().join("target")).unwrap());
        fs::create_dir_all(scene.home()).unwrap();
        fs::create_dir_all(scene.project().join("src")).unwrap();
        scene.write("src/a.rs", "one\ntwo\nthree\n");
        scene.write("src/b.rs", "b\n");
        scene.write(".gitignore", "*.log\n*.own\n");
        scene.sh("git init -q -b main . && git add . && git commit -qm first");
        scene
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.at("home")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.at("project")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        fs::write(self.project().join(path), text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.project().join(path)).unwrap_or_default()
    }

    pub(crate) fn try_sh(&self, line: &str) -> Output {
        let mut command = Command::new("bash");
        command.args(["-c", line]).current_dir(self.project()).env("HOME", self.home());
        for (name, value) in [("NAME", "x"), ("EMAIL", "x@example.org")] {
            command.env(format!("GIT_AUTHOR_{name}"), value).env(format!("GIT_COMMITTER_{name}"), value);
        }
        command.output().unwrap()
    }

    /// What a line prints, which must succeed.
    #[track_caller]
    pub(crate) fn sh(&self, line: &str) -> String {
        let ran = self.try_sh(line);
        assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8_lossy(&ran.stdout).into_owned()
    }

    /// A call of a hook about a line, from a host.
    pub(crate) fn call_of(&self, program: &Path, target: Target, line: &str) -> Call {
        let (_, payload) = payloads::shell_call(target, line);
        let mut payload: Value = serde_json::from_str(&payload).unwrap();
        payload["cwd"] = self.project().to_str().unwrap().into();
        let call = Call::new(program).env("HOME", self.home()).folder(&self.project());
        // The repository that these tests are part of is none around them.
        let call = call.env("GIT_CEILING_DIRECTORIES", root().join("target"));
        call.env("AUDIT_LOG", "").input(payload.to_string())
    }

    /// A call of Claude Code's.
    pub(crate) fn call(&self, program: &Path, line: &str) -> Call {
        self.call_of(program, Target::Claude, line)
    }

    /// What the command blocker says about a line, and why.
    #[track_caller]
    pub(crate) fn says(&self, line: &str) -> (Effect, String) {
        said(&self.call(command_blocker(), line).run())
    }
}

#[track_caller]
pub(crate) fn said(answer: &Answer) -> (Effect, String) {
    let outcome = Target::Claude.reads("PreToolUse", answer);
    (outcome.effect, outcome.reason.unwrap_or_default())
}
