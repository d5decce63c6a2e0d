//! With the same answers of the same hooks, we predict what the real hosts were recorded doing.
//!
//! Every run of `tests/payloads/recorded.jsonl` is played: its hooks become a configuration in the host's dialect, which
//! is read, matched, called and merged by this crate. Only the processes are stand-ins that give the recorded answers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use host::process::{Finished, Spec};
use host::read::Source;
use host::record::Nesting;
use host::scene::{self, Then};
use host::{Execute, Fired, Hook, Product, Request, Scene, Session, Setting, Subject, System};
use payload::EventKind;
use payload::model::Ended;
use serde_json::{Value, json};

/// More rounds than any limit: the agent would never stop.
const ENDLESS: u32 = 30;

/// A recorded run.
struct Row(Value);

/// What is predicted, and was recorded.
#[derive(Debug, PartialEq)]
struct Seen {
    tool_ran: bool,
    input_rewritten: bool,
    /// The strings of the hooks that the model saw.
    texts: Vec<String>,
    /// How many times the agent went on instead of stopping; `None` is without end.
    went_on: Option<u64>,
    /// Whether the model saw the tool's own output, where the run is about that.
    result_kept: Option<bool>,
    /// Whether the model was asked at all, where the run is about that.
    model_was_asked: Option<bool>,
}

impl Row {
    fn text(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap()
    }

    fn id(&self) -> String {
        format!("{} {}", self.text("host"), self.text("case"))
    }

    fn product(&self) -> Product {
        match self.text("host") {
            "claude-code" => Product::CLAUDE,
            "copilot-cli" | "copilot-cli-pascal" => Product::COPILOT_CLI,
            "codex" => Product::CODEX,
            "gemini" => Product::GEMINI,
            other => panic!("{other}"),
        }
    }

    /// The mode in which the host was started; every run was without a person.
    fn scene(&self) -> Scene {
        let gated = match self.text("mode") {
            "bypassPermissions" | "tools" | "danger-full-access" | "yolo" => false,
            "manual" | "default" | "read-only" | "workspace-write" => true,
            other => panic!("{other}"),
        };
        Scene { headless: true, gated }
    }

    /// The hooks as a configuration of the host, with the number of an answer for a command.
    fn config(&self, answers: &mut Vec<Value>) -> String {
        let grouped = self.product().nesting.value == Nesting::Groups;
        let mut events = serde_json::Map::new();
        for (event, hooks) in self.0["hooks"].as_object().unwrap() {
            let entries = hooks.as_array().unwrap().iter().map(|answer| {
                let mut entry = json!({"type": "command", "command": answers.len().to_string()});
                if let Some(limit) = answer["timeout"].as_u64() {
                    // The recordings give seconds; Gemini's own unit is a thousandth of that.
                    entry["timeout"] =
                        (limit * if self.product() == Product::GEMINI { 1000 } else { 1 }).into();
                }
                answers.push(answer.clone());
                if grouped { json!({ "hooks": [entry] }) } else { entry }
            });
            events.insert(event.clone(), entries.collect());
        }
        json!({ "hooks": events }).to_string()
    }

    fn recorded(&self) -> Seen {
        let seen = &self.0["observed"];
        Seen {
            tool_ran: seen["tool_ran"].as_bool().unwrap(),
            input_rewritten: seen["input_rewritten"].as_bool().unwrap(),
            texts: seen["seen"].as_array().unwrap().iter().map(|m| m.as_str().unwrap().to_owned()).collect(),
            went_on: seen["went_on"].as_u64(),
            result_kept: seen["result_kept"].as_bool(),
            model_was_asked: seen["model_was_asked"].as_bool(),
        }
    }

    fn predicted(&self) -> Seen {
        let mut answers = Vec::new();
        let config = self.config(&mut answers);
        let format = self.product().place(host::place::Scope::Project).unwrap().format;
        let source =
            Source { file: "hooks.json".into(), scope: host::place::Scope::default(), format, text: &config };
        let reading = host::read(self.product(), &source, System::Linux);
        assert!(!reading.dropped, "{}: {:?}", self.id(), reading.problems);
        let stage = Stage { answers, calls: Mutex::default() };
        let mut play = Play {
            row: self,
            hooks: &reading.hooks,
            stage: &stage,
            session: Session::default(),
            told: String::new(),
            tool_ran: false,
            input_rewritten: false,
            result_kept: None,
        };
        let asked = play.all();
        let went_on = (play.session.blocks() < ENDLESS).then(|| play.went_on());
        let marks = self.0["hooks"].to_string();
        let mut texts: Vec<String> = marks
            .match_indices("MARK_")
            .map(|(at, _)| &marks[at..])
            .map(|mark| {
                mark[..mark.find(|c: char| !c.is_ascii_uppercase() && c != '_').unwrap_or(mark.len())]
                    .to_owned()
            })
            .filter(|mark| mark != "MARK_REWRITTEN" && has(&play.told, mark))
            .collect();
        texts.sort();
        texts.dedup();
        let about = |key: &str| self.0["observed"].get(key).is_some();
        Seen {
            tool_ran: play.tool_ran,
            input_rewritten: play.input_rewritten,
            texts,
            went_on,
            result_kept: about("result_kept").then_some(play.result_kept).flatten(),
            model_was_asked: about("model_was_asked").then_some(asked),
        }
    }
}

/// Gives the recorded answers.
struct Stage {
    answers: Vec<Value>,
    /// How often each was given.
    calls: Mutex<BTreeMap<usize, u32>>,
}

/// Whether a string has this mark, and not only one that begins like it.
fn has(text: &str, mark: &str) -> bool {
    text.match_indices(mark)
        .any(|(at, _)| !text[at + mark.len()..].starts_with(|c: char| c.is_ascii_uppercase() || c == '_'))
}

/// A long text is kept as `~COUNT*UNIT~`.
fn expanded(text: &str) -> String {
    let mut parts = text.split('~');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    while let (Some(run), Some(after)) = (parts.next(), parts.next()) {
        let (count, unit) = run.split_once('*').unwrap();
        whole += &unit.repeat(count.parse().unwrap());
        whole += after;
    }
    whole
}

impl Execute for Stage {
    fn execute(&self, hook: &Hook, spec: &Spec, _payload: &str) -> Finished {
        let host::Action::Shell(command) = &hook.action else { panic!("{:?}", hook.action) };
        assert_eq!(spec.arguments.last().unwrap(), command.as_str());
        let index: usize = command.parse().unwrap();
        let mut calls = self.calls.lock().unwrap();
        let call = calls.entry(index).or_default();
        *call += 1;
        let mut answer = self.answers[index].clone();
        if *call > 1 && answer["first_only"] == true {
            answer = json!({});
        }
        let stdout = match &answer["stdout"] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            object => object.to_string(),
        };
        let code = u8::try_from(answer["exit"].as_u64().unwrap_or(0)).unwrap();
        let sleeps = Duration::from_secs(answer["sleep"].as_u64().unwrap_or(0));
        let ended = if sleeps > spec.limit {
            Ended::TimedOut
        } else if answer["signal"].is_number() {
            Ended::Signalled
        } else if answer["cmd"].as_str().is_some_and(|command| command != "exit 0") {
            Ended::NotStarted
        } else {
            Ended::Exited(code)
        };
        Finished {
            stdout: expanded(&stdout),
            stderr: answer["stderr"].as_str().unwrap_or_default().to_owned(),
            ended,
            ..Finished::not_started(String::new())
        }
    }
}

/// One session of an agent that does what the script says.
struct Play<'a> {
    row: &'a Row,
    hooks: &'a [Hook],
    stage: &'a Stage,
    session: Session,
    told: String,
    tool_ran: bool,
    input_rewritten: bool,
    result_kept: Option<bool>,
}

impl Play<'_> {
    fn fire(&mut self, request: &Request) -> Fired<'_> {
        self.fire_in(self.row.scene(), request)
    }

    fn fire_in(&mut self, scene: Scene, request: &Request) -> Fired<'_> {
        let setting = Setting { product: self.row.product(), scene, project: Path::new("/p") };
        let fired = self.session.fire(&setting, self.hooks, request, self.stage);
        self.told.push_str(&fired.upshot.told.join("\n"));
        fired
    }

    /// Returns whether the model was asked.
    fn all(&mut self) -> bool {
        for kind in [EventKind::SessionStart, EventKind::UserPromptSubmit] {
            if self.fire(&Request::new(kind, "/p")).upshot.then == Then::Dropped {
                return false;
            }
        }
        for step in self.row.0["script"].as_array().unwrap() {
            if step.get("error").is_some() {
                return true;
            }
            if step.get("text").is_some() {
                break;
            }
            if self.tool(step) {
                return true;
            }
        }
        while self.session.blocks() < ENDLESS {
            if self.fire(&Request::new(EventKind::Stop, "/p")).upshot.then != Then::GoesOn {
                break;
            }
        }
        true
    }

    /// How often the stop hook was called after the first time.
    fn went_on(&self) -> u64 {
        let stop = |hook: &&Hook| hook.kind == EventKind::Stop;
        let Some(hook) = self.hooks.iter().find(stop) else { return 0 };
        let host::Action::Shell(command) = &hook.action else { return 0 };
        let calls = self.stage.calls.lock().unwrap();
        u64::from(calls.get(&command.parse().unwrap()).copied().unwrap_or(1)) - 1
    }

    /// Returns whether the turn ends.
    fn tool(&mut self, step: &Value) -> bool {
        let (product, scene) = (self.row.product(), self.row.scene());
        let kind = EventKind::PreToolUse;
        let command = step["shell"].as_str();
        let request = match (command, step["read"].as_str(), step["tool"].as_str()) {
            (Some(command), _, _) => Request::shell(kind, product, command, "/p"),
            // Codex reads files with its shell.
            (_, Some(path), _) if product == Product::CODEX => {
                Request::shell(kind, product, &format!("cat {path}"), "/p")
            }
            (_, Some(path), _) => Request::tool(kind, "view", json!({ "path": path }), "/p"),
            (_, _, Some("exec_command")) => {
                Request::shell(kind, product, step["input"]["cmd"].as_str().unwrap_or_default(), "/p")
            }
            (_, _, Some(name)) => Request::tool(kind, name, step["input"].clone(), "/p"),
            _ => Request::tool(kind, "another", json!({}), "/p"),
        };
        let reads_only = step.get("read").is_some();
        if !scene::is_offered(product, scene, command.is_some()) {
            return false;
        }
        let fired = self.fire(&request);
        let (effect, mut then, mut ends) = (fired.merged.effect, fired.upshot.then, fired.upshot.turn_ends);
        let changed = fired.merged.input.clone();
        if scene::asks_permission(product, scene, reads_only, effect) {
            let permission = Request { kind: EventKind::PermissionRequest, ..request.clone() };
            let fired = self.fire_in(scene.after(effect), &permission);
            ends |= fired.upshot.turn_ends;
            if fired.upshot.then != Then::Runs || !matches!(then, Then::RunsChanged | Then::Fails) {
                then = fired.upshot.then;
            }
        }
        let run = changed.as_deref().unwrap_or(command.unwrap_or_default());
        let runs = matches!(then, Then::Runs | Then::RunsChanged);
        let run = if step["tool"] == "exec_command" {
            step["input"]["cmd"].as_str().unwrap_or_default()
        } else {
            run
        };
        self.tool_ran |= runs && run.contains("> ran.txt");
        self.input_rewritten |= then == Then::RunsChanged && run.contains("MARK_REWRITTEN");
        if !runs {
            return ends;
        }
        let exit_code = command.is_some_and(|command| command.contains("exit 3"));
        let failed = exit_code || step["read"].as_str().is_some_and(|path| path.contains("not-exist"));
        let after = scene::after_tool(product, failed, exit_code);
        let request = match request.subject {
            Subject::Tool { name, input, .. } => Request::tool(after, &name, input, "/p"),
            _ => request,
        };
        let fired = self.fire(&request);
        let (kept, turn_ends) = (fired.upshot.then == Then::ResultSeen, fired.upshot.turn_ends);
        self.result_kept = Some(kept);
        ends || turn_ends
    }
}

fn rows() -> Vec<Row> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/payloads/recorded.jsonl");
    let text = fs::read_to_string(file).unwrap();
    text.lines().map(|line| Row(serde_json::from_str(line).unwrap())).collect()
}

/// Runs that are not matter of hooks, with the reason.
const LEFT_OUT: &[(&str, &str)] = &[];

#[test]
fn what_the_hosts_did_is_predicted() {
    let rows = rows();
    assert_eq!(rows.len(), 597);
    let (mut right, mut wrong, mut left_out) = (0, Vec::new(), 0);
    for row in &rows {
        if LEFT_OUT.iter().any(|(id, _)| *id == row.id()) {
            left_out += 1;
            continue;
        }
        let (predicted, recorded) = (row.predicted(), row.recorded());
        if predicted == recorded {
            right += 1;
        } else {
            wrong.push(format!("{}\n  predicted {predicted:?}\n  recorded  {recorded:?}", row.id()));
        }
    }
    println!("{right} of {} recorded runs predicted, {left_out} left out", rows.len());
    println!("{}", wrong.join("\n"));
    assert!(right * 100 >= 99 * rows.len(), "{right} right; wrong:\n{}", wrong.join("\n"));
}
