//! What was on when a session started: the heartbeat by which a fleet is watched. An agent that is silent and a guard that
//! was removed look alike without it.

use payload::write::{Letters, Object};
use serde::Deserialize;

/// How many programs are named.
const PROGRAMS: usize = 12;

/// Our programs, hooks and policies on this machine. Digests are not keyed: the same release and the same policy have
/// the same digest on every machine, which is what they are for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Guard {
    pub programs: Vec<Program>,
    /// The host's files that configure hooks, as far as they are there.
    pub hooks: Files,
    /// The policies that are in force.
    pub policy: Files,
    /// The bundle among them that came from the centre.
    pub bundle: Option<Bundle>,
    pub mode: Mode,
    /// Whether an administrator's file calls a program that decides.
    pub managed: bool,
}

/// A program of ours.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Program {
    pub name: String,
    /// Of the file, as `sha256sum` prints it.
    pub sha256: String,
}

/// Files, and one digest of all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Files {
    pub files: u64,
    /// Of their digests in order; empty where there are no files.
    pub sha256: String,
}

/// A bundle of policies.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Bundle {
    pub name: String,
    pub serial: u64,
    /// Of the whole bundle, as `sha256sum` prints it.
    pub sha256: String,
}

/// What becomes of what the programs decide.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    Enforce,
    /// At least one program that decides says `{}` whatever it decides.
    Observe,
    /// No program that decides is called.
    #[default]
    Off,
}

impl Guard {
    pub(super) fn write(&self, object: &mut Object) {
        let program = |program: &Program| {
            let mut one = Object::new(Letters::Shown, 128);
            one.text("name", &cut(&program.name, 32)).text("sha256", &cut(&program.sha256, 64));
            one.finish()
        };
        let programs: Vec<String> = self.programs.iter().take(PROGRAMS).map(program).collect();
        object.object("guard", |guard| {
            guard.list("programs", &programs);
            for (name, files) in [("hooks", &self.hooks), ("policy", &self.policy)] {
                guard.object(name, |object| {
                    object.number("files", files.files);
                    if !files.sha256.is_empty() {
                        object.text("sha256", &cut(&files.sha256, 64));
                    }
                });
            }
            if let Some(bundle) = &self.bundle {
                guard.object("bundle", |object| {
                    object.text("name", &cut(&bundle.name, 64)).number("serial", bundle.serial);
                    object.text("sha256", &cut(&bundle.sha256, 64));
                });
            }
            guard.text(
                "mode",
                match self.mode {
                    Mode::Enforce => "enforce",
                    Mode::Observe => "observe",
                    Mode::Off => "off",
                },
            );
            guard.flag("managed", self.managed);
        });
    }
}

/// It comes from another process: bounded, and nothing but what is in names and digests.
fn cut(text: &str, room: usize) -> String {
    text.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')).take(room).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heartbeat_names_the_bundle_in_force_and_no_other_text() {
        let digest = "0123456789abcdef".repeat(4);
        let written = |bundle: serde_json::Value| {
            let told = serde_json::json!({ "programs": [], "hooks": {}, "policy": {}, "mode": "enforce", "bundle": bundle });
            let guard: Guard = serde_json::from_value(told).unwrap();
            let mut object = Object::new(Letters::Shown, 128);
            guard.write(&mut object);
            serde_json::from_str::<serde_json::Value>(&object.finish()).unwrap()["guard"].clone()
        };
        let bundle = serde_json::json!({ "name": "team_a.1", "serial": 7, "sha256": digest });
        assert_eq!(written(bundle.clone())["bundle"], bundle);
        assert!(written(serde_json::Value::Null).get("bundle").is_none());
        let hostile = written(serde_json::json!({ "name": "a\"},{\n", "serial": 7, "sha256": digest }));
        assert_eq!(hostile["bundle"]["name"], "a");
    }
}
