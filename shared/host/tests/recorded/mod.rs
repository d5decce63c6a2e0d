//! Recorded runs: their hooks as files, the answers of their hooks, and what their tools write.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use host::load::{load, load_with};
use host::place::Folders;
use host::play::{Made, Turn, turns as turns_of};
use host::process::{Finished, Processes, Spec};
use host::record::Nesting;
use host::{Execute, Hook, Product, Scene, System};
use payload::model::Ended;
use serde_json::{Map, Value, json};

/// A recorded run.
pub(crate) struct Row(pub(crate) Value);

/// All that were recorded.
pub(crate) fn rows() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/payloads");
    let own = std::env::var("RECORDED").map_or_else(|_| folder.join("generated.jsonl"), Into::into);
    let texts = [folder.join("recorded.jsonl"), own].map(|file| fs::read_to_string(file).unwrap());
    texts.iter().flat_map(|text| text.lines()).map(|line| Row(serde_json::from_str(line).unwrap())).collect()
}

impl Row {
    pub(crate) fn text(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap()
    }

    pub(crate) fn id(&self) -> String {
        format!("{} {}", self.text("host"), self.text("case"))
    }

    pub(crate) fn product(&self) -> Product {
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
    pub(crate) fn scene(&self) -> Scene {
        // `codex exec` refuses what is to run outside its sandbox.
        if self.0["script"].to_string().contains("require_escalated") {
            return Scene { headless: true, gated: true, mode: None };
        }
        let mode = self.product().modes.iter().find(|mode| mode.name == self.text("mode"));
        // VS Code's modes are not in its record: it asks in one of them.
        let gated = mode.is_none() && self.text("mode") == "default";
        Scene { headless: true, gated, mode }
    }

    /// What the model does.
    pub(crate) fn script(&self) -> Vec<Turn> {
        let mut script = self.0["script"].clone();
        let turns = if script.is_array() { &mut script } else { &mut script["main"] };
        for turn in turns.as_array_mut().unwrap() {
            if turn["subagent"].is_array() {
                turn["turns"] = turn["subagent"].take();
                // As the driver has it.
                turn["subagent"] = "[[SUB]] look around".into();
            }
            if turn["read"].as_str().is_some_and(|file| file.contains("not-exist") || file == "nope.txt") {
                turn["fails"] = true.into();
            }
        }
        turns_of(&script, self.product(), "/p").unwrap()
    }

    /// The marks that its hooks have, each once.
    pub(crate) fn marks(&self) -> Vec<String> {
        let all = self.0["hooks"].to_string();
        let goes_on = |c: char| c.is_ascii_uppercase() || c == '_';
        let mut marks: Vec<String> = all
            .match_indices("MARK_")
            .map(|(at, _)| &all[at..])
            .map(|mark| mark[..mark.find(|c| !goes_on(c)).unwrap_or(mark.len())].to_owned())
            .filter(|mark| !["MARK_REWRITTEN", "MARK_TOOL"].contains(&mark.as_str()))
            .collect();
        marks.sort();
        marks.dedup();
        marks
    }

    /// Its hooks: event, name and answer.
    pub(crate) fn answers(&self) -> Vec<(&str, String, &Value)> {
        let events = self.0["hooks"].as_object().unwrap();
        let named = |(event, answers): (&'_ String, &'_ Value)| {
            let count = answers.as_array().unwrap().len();
            (0..count).map(|index| format!("{event}-{index}")).collect::<Vec<_>>()
        };
        events
            .iter()
            .flat_map(|(event, answers)| {
                let names = named((event, answers));
                answers
                    .as_array()
                    .unwrap()
                    .iter()
                    .zip(names)
                    .map(move |(one, name)| (event.as_str(), name, one))
            })
            .collect()
    }

    /// The first of its hooks that hears of the stop.
    pub(crate) fn first_stop(&self) -> Option<String> {
        let events = self.0["hooks"].as_object().unwrap();
        let stop =
            ["Stop", "agentStop", "AfterAgent"].into_iter().find(|event| events.contains_key(*event))?;
        Some(format!("{stop}-0"))
    }
}

/// Whether a string has this mark, and not only one that begins like it.
pub(crate) fn has(text: &str, mark: &str) -> bool {
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

/// A machine with the files of a run.
pub(crate) struct Machine {
    folder: Option<tempfile::TempDir>,
    product: Product,
    /// The folder below the project in which the host was started.
    started: Option<String>,
    /// The files with hooks, and what stands in them.
    pub(crate) files: Vec<(PathBuf, String)>,
}

impl Machine {
    pub(crate) fn of(row: &Row) -> Self {
        let grouped = row.product().nesting.value == Nesting::Groups;
        let mut files: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
        for (event, name, answer) in row.answers() {
            let mut entry = json!({"type": "command", "command": name});
            if let Some(limit) = answer["timeout"].as_u64() {
                // The recordings give seconds; Gemini's own unit is a thousandth of that.
                entry["timeout"] = (limit * if row.product() == Product::GEMINI { 1000 } else { 1 }).into();
            }
            extend(&mut entry, &answer["entry"]);
            let mut group = if grouped { json!({}) } else { entry.clone() };
            extend(&mut group, &answer["group"]);
            if grouped {
                group["hooks"] = json!([entry]);
            }
            let place = answer["place"].as_str().unwrap_or("project");
            let list = files.entry(place).or_default().entry(event.to_owned()).or_insert_with(|| json!([]));
            list.as_array_mut().unwrap().push(group);
        }
        files.entry("project").or_default();
        for place in row.0["others"].as_object().into_iter().flat_map(Map::keys) {
            files.entry(place).or_default();
        }
        let written = |(place, events): (&str, Map<String, Value>)| {
            let mut whole = json!({ "hooks": events });
            extend(&mut whole, if place == "project" { &row.0["settings"] } else { &row.0["others"][place] });
            (file(row.text("host"), place), whole.to_string())
        };
        let files: Vec<(PathBuf, String)> = files.into_iter().map(written).collect();
        // Settings beside the hooks may be looked for on the disk, which costs more time than all the rest.
        let on_disk = ["settings", "others"].iter().any(|key| row.0.get(key).is_some())
            || row.0["hooks"].to_string().contains("\"cwd\"");
        let folder = on_disk.then(|| tempfile::tempdir().unwrap());
        for (name, text) in files.iter().filter(|_| on_disk) {
            let path = folder.as_ref().unwrap().path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let started = row.0["folder"].as_str().map(str::to_owned);
        Self { folder, product: row.product(), started, files }
    }

    fn root(&self) -> &Path {
        self.folder.as_ref().map_or(Path::new("/nowhere"), tempfile::TempDir::path)
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.root().join("project")
    }

    /// The hooks that the host would run.
    pub(crate) fn hooks(&self) -> Vec<Hook> {
        let root = self.root().to_owned();
        let (home, project) = (root.join("home"), root.join("project"));
        let started = self.started.as_ref().map(|folder| project.join(folder));
        let folders = Folders { home, project, root, started, ..Folders::default() };
        if self.folder.is_some() {
            return load(self.product, &folders, System::Linux).hooks();
        }
        let mut files: Vec<(PathBuf, &str)> =
            self.files.iter().map(|(name, text)| (folders.root.join(name), text.as_str())).collect();
        let places = self.product.places;
        files.sort_by_key(|(path, _)| {
            let place = places.iter().position(|place| path.starts_with(folders.path(place)));
            (place, path.components().count())
        });
        let pending: Vec<(&Path, Option<&str>)> =
            files.iter().map(|(path, text)| (path.as_path(), Some(*text))).collect();
        load_with(self.product, &folders, System::Linux, &pending).hooks()
    }
}

fn extend(into: &mut Value, from: &Value) {
    into.as_object_mut().unwrap().extend(from.as_object().cloned().unwrap_or_default());
}

/// Where hooks stand on a machine.
fn file(host: &str, place: &str) -> PathBuf {
    let base = if place == "user" { "home" } else { "project" };
    Path::new(base).join(match (host, place) {
        ("claude-code", "local") => ".claude/settings.local.json",
        ("claude-code", _) => ".claude/settings.json",
        ("codex", _) => ".codex/hooks.json",
        ("gemini", _) => ".gemini/settings.json",
        (_, "user") => ".copilot/hooks/u.json",
        (_, "local") => ".github/copilot/settings.local.json",
        (_, "below") => ".github/hooks/below/b.json",
        _ => ".github/hooks/h.json",
    })
}

/// Gives the recorded answers.
pub(crate) struct Actors<'a> {
    answers: BTreeMap<String, &'a Value>,
    /// How often each was given; not those that the host gives up before they begin, or while they do.
    calls: Mutex<BTreeMap<String, u64>>,
}

impl<'a> Actors<'a> {
    pub(crate) fn new(row: &'a Row) -> Self {
        let answers: BTreeMap<_, _> =
            row.answers().into_iter().map(|(_, name, answer)| (name, answer)).collect();
        let calls = answers.keys().map(|name| (name.clone(), 0)).collect();
        Self { answers, calls: Mutex::new(calls) }
    }

    /// How often each was given.
    pub(crate) fn counts(&self) -> BTreeMap<String, u64> {
        self.calls.lock().unwrap().clone()
    }
}

impl Execute for Actors<'_> {
    fn execute(&self, hook: &Hook, spec: &Spec, payload: &str) -> Finished {
        let command = spec.arguments.last().unwrap().to_str().unwrap();
        let Some(answer) = self.answers.get(command) else {
            // Another command than that of the recorder: it is what it is.
            return Processes::new(None).execute(hook, &Spec { folder: "/".into(), ..spec.clone() }, payload);
        };
        if hook.folder.is_some() && !spec.folder.is_dir() {
            return Finished::not_started(String::new());
        }
        // A limit that the shell does not live through.
        if spec.limit <= Duration::from_millis(20) {
            self.calls.lock().unwrap().remove(command);
            return Finished { ended: Ended::TimedOut, ..Finished::not_started(String::new()) };
        }
        let mut calls = self.calls.lock().unwrap();
        let call = calls.entry(command.to_owned()).or_default();
        *call += 1;
        let again = *call > 1 && answer["first_only"] == true;
        let silent = again || answer["when"].as_str().is_some_and(|part| !payload.contains(part));
        let none = json!({});
        let answer = if silent { &none } else { *answer };
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
            stderr: expanded(answer["stderr"].as_str().unwrap_or_default()),
            ended,
            time,
            ..Finished::not_started(String::new())
        }
    }
}

/// What calls leave on the disk.
#[derive(Default)]
pub(crate) struct Disk {
    ran: Vec<String>,
    other: bool,
}

/// What a call runs or writes.
pub(crate) fn text_of(made: &Made) -> String {
    let changed = made.changed.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let input: Value = changed.unwrap_or_else(|| made.input.clone());
    input["command"].as_str().map_or_else(|| input.to_string(), str::to_owned)
}

impl Disk {
    pub(crate) fn change(&mut self, made: &Made) {
        let text = text_of(made);
        let said = |end: &str| {
            let before = text.split_once(end)?.0;
            Some(before.rsplit_once("echo ")?.1.trim().to_owned())
        };
        if let Some(word) = said(" >> ran.txt") {
            self.ran.push(word);
        } else if let Some(word) = said(" > ran.txt") {
            self.ran = vec![word];
        } else if text.contains("ran.txt") && !text.contains("echo") {
            self.ran = vec!["ran".to_owned()];
        }
        self.other |= text.contains("other.txt");
    }

    pub(crate) fn words(&self) -> String {
        let mut words: Vec<&str> = self.ran.iter().map(String::as_str).collect();
        words.extend(self.other.then_some("other"));
        words.sort_unstable();
        words.join(" ")
    }
}
