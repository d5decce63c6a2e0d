//! The host model reproduces what the real hosts were recorded doing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use payload::model::{self, Effect, Ended, Outcome, Run};
use payload::{Address, Dialect, EventKind, Host};
use serde_json::Value;

/// One recorded run of one hook.
struct Row(Value);

impl Row {
    fn text(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap()
    }

    fn id(&self) -> String {
        format!("{} {}", self.text("host"), self.text("case"))
    }

    fn address(&self) -> Address<'_> {
        let name = self.text("event");
        let kind: EventKind = name.parse().unwrap();
        let (host, dialect) = match self.text("host") {
            "claude-code" => (Host::Claude, Dialect::Strict),
            "codex" => (Host::Codex, Dialect::Strict),
            "gemini" => (Host::Gemini, Dialect::Timed),
            "copilot-cli" => (Host::Copilot, Dialect::Flat),
            // This payload stays camelCase.
            "copilot-cli-pascal" if kind == EventKind::PermissionRequest => (Host::Copilot, Dialect::Flat),
            "copilot-cli-pascal" => (Host::Copilot, Dialect::Timed),
            other => panic!("{other}"),
        };
        Address { host, dialect, kind, name: Cow::Borrowed(name) }
    }

    /// Why the run is not a pure function of the hook's answer.
    fn left_out(&self) -> Option<&'static str> {
        let answer = &self.0["answer"];
        let case = self.text("case");
        if self.0["outcome"]["called"] == false {
            Some("the host did not call the hook")
        } else if answer["big"] == true {
            Some("the size of the text decided")
        } else if self.0["person"].is_object() {
            Some("a person decided")
        } else if case == "pre_updatedInput_partial" {
            Some("the tool's own schema decided")
        } else {
            None
        }
    }

    fn outcome(&self) -> Outcome {
        let answer = &self.0["answer"];
        let stdout = match &answer["stdout"] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            object => object.to_string(),
        };
        let ended = if answer["sleep"].is_number() {
            Ended::TimedOut
        } else if answer["signal"].is_number() {
            Ended::Signalled
        } else if answer["cmd"].as_str().is_some_and(|command| command != "exit 0") {
            Ended::NotStarted
        } else {
            Ended::Exited(u8::try_from(answer["exit"].as_u64().unwrap_or(0)).unwrap())
        };
        let run = Run { stdout: &stdout, stderr: answer["stderr"].as_str().unwrap_or(""), ended };
        model::read_run(&self.address(), &run)
    }

    /// What the model says, in the words of the recording.
    fn predicted(&self, outcome: &Outcome) -> Value {
        let address = self.address();
        let told = outcome.for_the_model(address.kind);
        let recorded = &self.0["outcome"];
        // Every mark that stands anywhere in the answer, and that the model says reaches the model.
        let answer = self.0["answer"].to_string();
        let mut seen: Vec<&str> = answer
            .match_indices("MARK_")
            .map(|(at, _)| {
                let rest = &answer[at..];
                &rest[..rest.find(|c: char| !c.is_ascii_uppercase() && c != '_').unwrap_or(rest.len())]
            })
            .filter(|mark| *mark != "MARK_REWRITTEN" && told.iter().any(|text| text.contains(mark)))
            .collect();
        seen.sort_unstable();
        seen.dedup();
        let ended = outcome.ends || outcome.effect == Effect::Abort;
        let mut predicted = serde_json::json!({ "seen": seen });
        let mut set = |key: &str, value: Value| predicted[key] = value;
        match address.kind {
            EventKind::PreToolUse | EventKind::PermissionRequest => {
                // In a gated run the host itself refuses whatever the hook does not allow.
                let runs = match outcome.effect {
                    Effect::Allow => self.0["open"] == true || address.host != Host::Codex,
                    Effect::None => self.0["open"] == true,
                    _ => false,
                };
                let tool = match (runs, &outcome.input) {
                    (true, Some(_)) => "rewritten",
                    (true, None) => "ran",
                    (false, _) => "blocked",
                };
                set("tool", tool.into());
                set("ended", ended.into());
            }
            EventKind::PostToolUse => {
                let replaced = outcome.replacement.is_some()
                    || (outcome.effect == Effect::Block && address.host != Host::Claude)
                    || ended;
                set("result", if replaced { "gone" } else { "kept" }.into());
                set("ended", ended.into());
            }
            EventKind::Stop => set("continued", (outcome.effect == Effect::Block && !ended).into()),
            EventKind::SessionStart | EventKind::UserPromptSubmit => {
                set("blocked", (outcome.effect == Effect::Block || ended).into());
            }
            EventKind::PostToolUseFailure => {}
            other => panic!("{other}"),
        }
        assert_eq!(
            recorded.as_object().unwrap().len(),
            predicted.as_object().unwrap().len(),
            "{}",
            self.id()
        );
        predicted
    }
}

fn rows() -> Vec<Row> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/payloads/obeyed.jsonl");
    let rows: Vec<_> = fs::read_to_string(file)
        .unwrap()
        .lines()
        .map(|line| Row(serde_json::from_str(line).unwrap()))
        .collect();
    assert_eq!(rows.len(), 527);
    rows
}

#[test]
fn the_model_does_what_the_hosts_did() {
    let mut wrong = Vec::new();
    let (mut reproduced, mut left_out) = (0, Vec::new());
    for row in rows() {
        if let Some(why) = row.left_out() {
            left_out.push(format!("{}: {why}", row.id()));
            continue;
        }
        let outcome = row.outcome();
        let predicted = row.predicted(&outcome);
        if predicted == row.0["outcome"] {
            reproduced += 1;
        } else {
            wrong.push(format!(
                "{}\n  answer    {}\n  recorded  {}\n  predicted {predicted}\n  {outcome:?}",
                row.id(),
                row.0["answer"],
                row.0["outcome"]
            ));
        }
    }
    println!(
        "{reproduced} of 527 recorded runs reproduced, {} left out:\n{}",
        left_out.len(),
        left_out.join("\n")
    );
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!((reproduced, left_out.len()), (492, 35));
}
