//! With the same answers of the same hooks, we predict what the real hosts were recorded doing.
//!
//! Every run of `tests/payloads/recorded.jsonl` and of `generated.jsonl` beside it is played: its hooks become a configuration in the host's dialect, which
//! is read, matched, called and merged by this crate. Only the processes are stand-ins that give the recorded answers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use host::process::{Finished, Spec};
use host::read::Source;
use host::record::{Mode, Nesting, Quirk};
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
    /// What only generated runs tell.
    more: Option<More>,
}

/// What generated runs tell besides.
#[derive(Debug, PartialEq)]
struct More {
    /// What the tool wrote.
    ran: String,
    /// How many times the model was asked.
    requests: u64,
    /// How many times each hook was called.
    called: Vec<(String, u64)>,
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
            "vscode" => Product::VS_CODE,
            other => panic!("{other}"),
        }
    }

    /// How the host was started; every run was without a person.
    fn scene(&self) -> Scene {
        let own = |mode: &&Mode| mode.name == self.text("mode");
        if let Some(mode) = self.product().modes.iter().find(own).filter(|_| self.is_generated()) {
            // [run] A redirection is an edit to `acceptEdits`.
            let mode = Some(mode).filter(|mode| mode.name != "acceptEdits");
            return Scene { headless: true, gated: false, mode };
        }
        let gated = match self.text("mode") {
            "acceptEdits" | "bypassPermissions" | "all" | "tools" | "danger-full-access" | "yolo" | "autoApprove" | "autopilot" => false,
            "manual" | "default" | "read-only" | "workspace-write" | "dontAsk" | "plan" | "auto_edit" => true,
            other => panic!("{other}"),
        };
        // [run] `codex exec` asks no one: its sandbox keeps the tool from writing, which is not a matter of hooks.
        let gated = gated && !(self.product() == Product::CODEX && self.is_generated());
        Scene { headless: true, gated, mode: None }
    }

    fn is_generated(&self) -> bool {
        self.0.get("version").is_some()
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
                let mut named = answer.clone();
                named["name"] =
                    format!("{event}-{}", answers.iter().filter(|a: &&Value| a["event"] == **event).count())
                        .into();
                named["event"] = event.as_str().into();
                answers.push(named);
                let extend = |into: &mut Value, from: &Value| {
                    into.as_object_mut().unwrap().extend(from.as_object().cloned().unwrap_or_default());
                };
                extend(&mut entry, &answer["entry"]);
                let mut group = if grouped { json!({ "hooks": [entry] }) } else { entry };
                extend(&mut group, &answer["group"]);
                group
            });
            events.insert(event.clone(), entries.collect());
        }
        let mut whole = json!({ "hooks": events });
        whole.as_object_mut().unwrap().extend(self.0["settings"].as_object().cloned().unwrap_or_default());
        whole.to_string()
    }

    fn recorded(&self) -> Seen {
        let seen = &self.0["observed"];
        Seen {
            tool_ran: seen["tool_ran"].as_bool().unwrap(),
            input_rewritten: seen["input_rewritten"].as_bool().unwrap(),
            texts: seen["seen"]
                .as_array()
                .unwrap()
                .iter()
                .map(|mark| mark.as_str().unwrap().to_owned())
                .filter(|mark| mark != "MARK_TOOL")
                .collect(),
            went_on: seen["went_on"].as_u64(),
            result_kept: seen["result_kept"].as_bool(),
            model_was_asked: seen["model_was_asked"].as_bool(),
            more: seen["requests"].as_u64().map(|requests| More {
                ran: seen["ran"].as_str().unwrap().to_owned(),
                requests,
                called: seen["called"]
                    .as_object()
                    .unwrap()
                    .iter()
                    .map(|(name, count)| (name.clone(), count.as_u64().unwrap()))
                    .collect(),
            }),
        }
    }

    /// What is predicted: several things where hooks race.
    fn predictions(&self) -> Vec<Seen> {
        let (first, raced) = self.predicted(0);
        let others = (1..4).filter(|_| raced).map(|pick| self.predicted(pick).0);
        std::iter::once(first).chain(others).collect()
    }

    fn predicted(&self, pick: usize) -> (Seen, bool) {
        let mut answers = Vec::new();
        let config = self.config(&mut answers);
        let format = self.product().place(host::place::Scope::Project).unwrap().format;
        let source =
            Source { file: "hooks.json".into(), scope: host::place::Scope::default(), format, text: &config };
        let reading = host::read(self.product(), &source, System::Linux);
        let hooks = if reading.disables_others { Vec::new() } else { reading.hooks };
        let stage = Stage { answers, calls: Mutex::default() };
        let mut play = Play {
            row: self,
            hooks: &hooks,
            stage: &stage,
            session: Session::default(),
            told: String::new(),
            tool_ran: false,
            input_rewritten: false,
            ran: String::new(),
            requests: 0,
            result_kept: None,
            pick,
            raced: false,
        };
        let asked = play.all();
        if !asked {
            play.told.clear();
        }
        let went_on = (play.session.blocks() < ENDLESS).then(|| play.went_on());
        let marks = self.0["hooks"].to_string();
        let mut texts: Vec<String> = marks
            .match_indices("MARK_")
            .map(|(at, _)| &marks[at..])
            .map(|mark| {
                mark[..mark.find(|c: char| !c.is_ascii_uppercase() && c != '_').unwrap_or(mark.len())]
                    .to_owned()
            })
            .filter(|mark| !["MARK_REWRITTEN", "MARK_TOOL"].contains(&mark.as_str()) && has(&play.told, mark))
            .collect();
        texts.sort();
        texts.dedup();
        let about = |key: &str| self.0["observed"].get(key).is_some();
        let seen = Seen {
            tool_ran: play.tool_ran,
            input_rewritten: play.input_rewritten,
            texts,
            went_on,
            result_kept: about("result_kept")
                .then_some(play.result_kept.or(about("requests").then_some(false)))
                .flatten(),
            model_was_asked: about("model_was_asked").then_some(asked),
            more: about("requests").then(|| play.more()),
        };
        (seen, play.raced)
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
        let (host::Action::Shell(command) | host::Action::NamedShell(_, command)) = &hook.action else {
            panic!("{:?}", hook.action)
        };
        assert_eq!(spec.arguments.last().unwrap(), command.as_str());
        // A limit that the shell does not live through.
        let Some(index) = command.parse::<usize>().ok().filter(|_| spec.limit > Duration::from_millis(20))
        else {
            return Finished { ended: Ended::TimedOut, ..Finished::not_started(String::new()) };
        };
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
        let tenths = |key: &str| Duration::from_millis(100 * answer[key].as_u64().unwrap_or(0));
        let sleeps = Duration::from_secs(answer["sleep"].as_u64().unwrap_or(0)) + tenths("waits");
        let time = sleeps + tenths("lingers");
        let stdout = if sleeps > spec.limit { String::new() } else { stdout };
        let ended = if time > spec.limit {
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
            time,
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
    /// What the tool wrote.
    ran: String,
    /// How many times the model was asked.
    requests: u64,
    result_kept: Option<bool>,
    /// Which of the outcomes of a race it is.
    pick: usize,
    /// Whether there was one.
    raced: bool,
}

impl Play<'_> {
    fn fire(&mut self, request: &Request) -> Fired<'_> {
        self.fire_in(self.row.scene(), request)
    }

    fn fire_in(&mut self, scene: Scene, request: &Request) -> Fired<'_> {
        let setting = Setting { product: self.row.product(), scene, project: Path::new("/p") };
        let mut fired = self.session.fire(&setting, self.hooks, request, self.stage);
        self.raced |= !fired.races.is_empty();
        if self.pick > 0
            && let Some((merged, upshot)) = fired.races.get((self.pick - 1).min(fired.races.len().max(1) - 1))
        {
            (fired.merged, fired.upshot) = (merged.clone(), upshot.clone());
        }
        self.told += &(fired.upshot.told.join("\n") + "\n");
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
            self.requests += 1;
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
            if self.row.product().has(Quirk::StopReasonIsPrompt)
                && self.fire(&Request::new(EventKind::UserPromptSubmit, "/p")).upshot.then == Then::Dropped
            {
                break;
            }
            self.requests += 1;
        }
        true
    }

    fn more(&self) -> More {
        let calls = self.stage.calls.lock().unwrap();
        let count = |index: usize| u64::from(calls.get(&index).copied().unwrap_or(0));
        let names = self.stage.answers.iter().enumerate();
        let mut called: Vec<(String, u64)> = names
            .map(|(index, answer)| (answer["name"].as_str().unwrap().to_owned(), count(index)))
            .collect();
        called.sort();
        More { ran: self.ran.clone(), requests: self.requests, called }
    }

    /// How often the stop hook was called after the first time.
    fn went_on(&self) -> u64 {
        let stop = |hook: &&Hook| hook.kind == EventKind::Stop;
        let Some(hook) = self.hooks.iter().find(stop) else { return 0 };
        let host::Action::Shell(command) = &hook.action else { return 0 };
        let calls = self.stage.calls.lock().unwrap();
        u64::from(calls.get(&command.parse().unwrap()).copied().unwrap_or(1)) - 1
    }

    /// A call of the host's tool that writes a file.
    fn write(&self, step: &Value) -> Request {
        let (path, text) = (step["write"][0].as_str().unwrap(), step["write"][1].as_str().unwrap());
        let product = self.row.product();
        let (name, input) = if product == Product::COPILOT_CLI {
            ("create", json!({"path": path, "file_text": text}))
        } else if product == Product::CODEX {
            (
                "apply_patch",
                json!({"command": format!("*** Begin Patch\n*** Add File: {path}\n+{text}*** End Patch")}),
            )
        } else if product == Product::VS_CODE {
            ("create_file", json!({"filePath": path, "content": text}))
        } else if product == Product::GEMINI {
            ("write_file", json!({"file_path": path, "content": text}))
        } else {
            ("Write", json!({"file_path": path, "content": text}))
        };
        Request::tool(EventKind::PreToolUse, name, input, "/p")
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
            (_, Some(path), _) => Request::tool(
                kind,
                if product == Product::COPILOT_CLI { "view" } else { "Read" },
                json!({ "path": path }),
                "/p",
            ),
            _ if step.get("write").is_some() => self.write(step),
            (_, _, Some("exec_command")) => {
                Request::shell(kind, product, step["input"]["cmd"].as_str().unwrap_or_default(), "/p")
            }
            (_, _, Some(name)) => Request::tool(kind, name, step["input"].clone(), "/p"),
            _ => Request::tool(kind, "another", json!({}), "/p"),
        };
        let writes = step["write"][1].as_str().filter(|_| step["write"][0] == "ran.txt");
        if !scene::is_offered(product, scene, &request) {
            return false;
        }
        let fired = self.fire(&request);
        let (effect, mut then, mut ends) = (fired.merged.effect, fired.upshot.then, fired.upshot.turn_ends);
        let mut changed = fired.merged.input.clone();
        if scene::asks_permission(product, scene, &request, effect) {
            let permission = Request { kind: EventKind::PermissionRequest, ..request.clone() };
            let fired = self.fire_in(scene.after(effect), &permission);
            ends |= fired.upshot.turn_ends;
            changed = fired.merged.input.clone().or(changed);
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
        let sandboxed = self.row.text("mode") == "read-only" && self.row.is_generated();
        self.tool_ran |= runs && !sandboxed && run.contains("> ran.txt");
        if let Some(text) = writes.filter(|_| runs && !sandboxed) {
            text.trim().clone_into(&mut self.ran);
            self.tool_ran = true;
        }
        if let Some((word, _)) = run.split_once(" > ran.txt").filter(|_| runs && !sandboxed) {
            word.rsplit("echo ").next().unwrap_or_default().clone_into(&mut self.ran);
        }
        self.input_rewritten |= then == Then::RunsChanged && run.contains("MARK_REWRITTEN");
        // No hook is called after a patch that the sandbox refuses.
        if !runs || sandboxed && writes.is_some() {
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
        // What the model is not asked about again, it does not see.
        self.result_kept =
            Some(kept && !ends && !turn_ends && (run.contains("MARK_TOOL") || !self.row.is_generated()));
        ends || turn_ends
    }
}

fn rows() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/payloads");
    let own = std::env::var("RECORDED").map_or_else(|_| folder.join("generated.jsonl"), Into::into);
    let texts = [folder.join("recorded.jsonl"), own].map(|file| fs::read_to_string(file).unwrap());
    texts.iter().flat_map(|text| text.lines()).map(|line| Row(serde_json::from_str(line).unwrap())).collect()
}

/// Runs that are not matter of hooks, with the reason.
const LEFT_OUT: &[(&str, &str)] = &[
    ("gemini d_top_hooksConfig_{'enabled': False}", "a switch that `load` reads, not the file's reader"),
    ("gemini g400", "a hook that is given up at once was just quick enough to be counted"),
];

#[test]
fn what_the_hosts_did_is_predicted() {
    let rows = rows();
    let (mut right, mut wrong, mut left_out, mut races) = (0, Vec::new(), 0, 0);
    for row in &rows {
        if LEFT_OUT.iter().any(|(id, _)| *id == row.id()) {
            left_out += 1;
            continue;
        }
        let (predicted, recorded) = (row.predictions(), row.recorded());
        races += usize::from(predicted.len() > 1);
        if predicted.contains(&recorded) {
            right += 1;
        } else {
            wrong.push(format!(
                "{}\n  {}\n  predicted {predicted:?}\n  recorded  {recorded:?}",
                row.id(),
                row.0
            ));
        }
    }
    println!("{right} of {} recorded runs predicted, {races} of them races, {left_out} left out", rows.len());
    assert!(
        wrong.is_empty(),
        "{} wrong:
{}",
        wrong.len(),
        wrong.join(
            "
"
        )
    );
}
