//! Cases: what hooks answer and what the model does, and what a real host was recorded doing then.
//!
//! One case is one line of `tests/payloads/generated.jsonl`, in the form of `recorded.jsonl` beside it. A case without
//! `observed` has not been recorded yet.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::model::Kind;
use crate::{Host, Report, Session, Turn, run};

/// A host with one of the casings of its configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    ClaudeCode,
    /// `preToolUse` in `.github/hooks`.
    CopilotCli,
    /// `PreToolUse` in `.github/hooks`.
    CopilotCliPascal,
    Codex,
    Gemini,
}

/// One case.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Case {
    pub host: Side,
    pub case: String,
    /// The version that was recorded.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// The host's permission mode, in its own word.
    pub mode: String,
    /// What hooks of each event answer.
    pub hooks: BTreeMap<String, Vec<Answer>>,
    /// Keys of the file beside the hooks.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub settings: Map<String, Value>,
    /// What the model does.
    pub script: Vec<Turn>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<Observed>,
}

/// A hook, by what it answers.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Answer {
    /// A text, or anything else as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub stdout: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// How long it takes before it answers, in tenths of a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits: Option<u64>,
    /// How long it takes after its answer, in tenths of a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lingers: Option<u64>,
    /// The signal that ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<u8>,
    /// Whether it has nothing to say when it is called again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub first_only: bool,
    /// Keys of its entry beside the command.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub entry: Map<String, Value>,
    /// Keys of the group in which it stands; of the entry itself where there are no groups.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub group: Map<String, Value>,
}

/// `null` is something that a hook can print.
fn there<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// What the host did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    pub tool_ran: bool,
    pub input_rewritten: bool,
    /// What stands in `ran.txt` afterwards.
    #[serde(default)]
    pub ran: String,
    /// The hooks' marks that the model saw.
    pub seen: Vec<String>,
    /// How many times the first stop hook was called after the first time.
    pub went_on: Option<u64>,
    /// Whether the model saw the tool's own output.
    pub result_kept: bool,
    /// How many times the model was asked.
    pub requests: usize,
    /// How many times each hook was called.
    pub called: BTreeMap<String, u64>,
}

impl Side {
    pub fn host(self) -> Host {
        match self {
            Self::ClaudeCode => Host::Claude,
            Self::CopilotCli | Self::CopilotCliPascal => Host::Copilot,
            Self::Codex => Host::Codex,
            Self::Gemini => Host::Gemini,
        }
    }

    /// Where its hooks stand, below the project.
    fn file(self) -> &'static str {
        match self {
            Self::ClaudeCode => ".claude/settings.json",
            Self::CopilotCli | Self::CopilotCliPascal => ".github/hooks/h.json",
            Self::Codex => ".codex/hooks.json",
            Self::Gemini => ".gemini/settings.json",
        }
    }

    fn has_groups(self) -> bool {
        self.host() != Host::Copilot
    }
}

impl FromStr for Side {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Ok(match name {
            "copilot-pascal" => Self::CopilotCliPascal,
            _ => match name.parse()? {
                Host::Claude => Self::ClaudeCode,
                Host::Copilot => Self::CopilotCli,
                Host::Codex => Self::Codex,
                Host::Gemini => Self::Gemini,
            },
        })
    }
}

impl Case {
    /// As a line of a file.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Plays it on the real host.
    ///
    /// # Errors
    ///
    /// Where the host cannot be run.
    pub fn record(&self, driver: &Path) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let root = folder.path().canonicalize().map_err(|error| error.to_string())?;
        let (project, hooks) = (root.join("project"), root.join("hooks"));
        self.prepare(&project, &hooks).map_err(|error| error.to_string())?;
        let mut session = Session::new(self.host.host(), &project, self.script.clone());
        session.mode = Some(self.mode.clone());
        session.seconds = 60;
        let report = run(driver, &session).map_err(|error| error.to_string())?;
        let version = self.host.host().package().1.to_owned();
        Ok(Self { version, observed: Some(self.observed(&project, &hooks, &report)), ..self.clone() })
    }

    /// The hooks by the names under which they are counted.
    fn named(&self) -> impl Iterator<Item = (String, &str, &Answer)> {
        self.hooks.iter().flat_map(|(event, answers)| {
            let name = move |index| format!("{event}-{index}");
            answers.iter().enumerate().map(move |(index, answer)| (name(index), event.as_str(), answer))
        })
    }

    /// Writes the project and the programs of its hooks.
    fn prepare(&self, project: &Path, hooks: &Path) -> io::Result<()> {
        let file = project.join(self.host.file());
        fs::create_dir_all(file.parent().unwrap_or(project))?;
        fs::create_dir_all(project.join(".git"))?;
        fs::write(project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
        fs::create_dir_all(project.join(".git/objects"))?;
        fs::create_dir_all(project.join(".git/refs"))?;
        fs::write(project.join("there.txt"), "there\n")?;
        fs::create_dir_all(hooks)?;
        let mut events: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for (name, event, answer) in self.named() {
            let script = hooks.join(&name);
            fs::write(&script, answer.script(hooks, &name))?;
            let stdout = answer.stdout.as_ref().map_or_else(String::new, text);
            fs::write(hooks.join(format!("{name}.out")), stdout)?;
            fs::write(hooks.join(format!("{name}.err")), answer.stderr.as_deref().unwrap_or_default())?;
            let mut entry = json!({"type": "command", "command": format!("exec sh {}", script.display())});
            let mut group = Value::Object(answer.group.clone());
            extend(&mut entry, &answer.entry);
            let whole = if self.host.has_groups() {
                group["hooks"] = json!([entry]);
                group
            } else {
                extend(&mut entry, &answer.group);
                entry
            };
            events.entry(event).or_default().push(whole);
        }
        let mut whole = json!({ "hooks": events });
        extend(&mut whole, &self.settings);
        fs::write(file, whole.to_string())
    }

    fn observed(&self, project: &Path, hooks: &Path, report: &Report) -> Observed {
        let ran = fs::read_to_string(project.join("ran.txt")).unwrap_or_default();
        let calls =
            |name: &str| fs::read(hooks.join(format!("{name}.calls"))).map_or(0, |calls| calls.len() as u64);
        let called: BTreeMap<String, u64> =
            self.named().map(|(name, ..)| (calls(&name), name)).map(|(count, name)| (name, count)).collect();
        let stop =
            ["Stop", "agentStop", "AfterAgent"].into_iter().find(|event| self.hooks.contains_key(*event));
        let went_on = stop.map_or(0, |stop| called[&format!("{stop}-0")].saturating_sub(1));
        let shown = |kind: &Kind| matches!(kind, Kind::System | Kind::Text | Kind::ToolResult);
        let texts: Vec<&str> =
            report.seen.iter().filter(|seen| shown(&seen.kind)).map(|seen| seen.text.as_str()).collect();
        let all: String = self.named().map(|(_, _, answer)| answer.words()).collect();
        let mut seen = marks(&all);
        seen.retain(|mark| *mark != "MARK_REWRITTEN" && texts.iter().any(|text| has(text, mark)));
        Observed {
            tool_ran: !ran.is_empty(),
            input_rewritten: ran.contains("MARK_REWRITTEN"),
            ran: ran.trim().to_owned(),
            seen: seen.into_iter().map(str::to_owned).collect(),
            // Killed by the driver: it would never have stopped.
            went_on: (report.exit != Some(124)).then_some(went_on),
            result_kept: report.tool_results().any(|text| has(text, "MARK_TOOL_OUTPUT")),
            requests: report.turns,
            called,
        }
    }
}

impl Answer {
    /// The shell script that answers so.
    fn script(&self, hooks: &Path, name: &str) -> String {
        let file = |end: &str| format!("{}/{name}.{end}", hooks.display());
        let calls = file("calls");
        let tenths = |tenths: Option<u64>| {
            tenths.map_or_else(String::new, |tenths| format!("sleep {}.{}\n", tenths / 10, tenths % 10))
        };
        let again = if self.first_only {
            format!("[ \"$(wc -c < {calls})\" -gt 1 ] && exit 0\n")
        } else {
            String::new()
        };
        let ends = self.signal.map_or_else(
            || format!("exit {}\n", self.exit.unwrap_or(0)),
            |signal| format!("kill -{signal} $$\n"),
        );
        format!(
            "cat >/dev/null\nprintf x >>{calls}\n{again}{}cat {}\ncat {} >&2\n{}{ends}",
            tenths(self.waits),
            file("out"),
            file("err"),
            tenths(self.lingers),
        )
    }

    /// All that it says.
    fn words(&self) -> String {
        let stdout = self.stdout.as_ref().map_or_else(String::new, Value::to_string);
        format!("{stdout} {} ", self.stderr.as_deref().unwrap_or_default())
    }
}

fn extend(object: &mut Value, more: &Map<String, Value>) {
    if let Some(object) = object.as_object_mut() {
        object.extend(more.clone());
    }
}

/// What a program prints: a text as it is.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The marks in a text, each once.
fn marks(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_uppercase() || c == '_';
    let whole = |at: usize| &text[at..at + text[at..].find(|c| !is_part(c)).unwrap_or(text.len() - at)];
    let mut marks: Vec<&str> = text.match_indices("MARK_").map(|(at, _)| whole(at)).collect();
    marks.sort_unstable();
    marks.dedup();
    marks
}

/// Whether a text has this mark, and not only one that begins like it.
fn has(text: &str, mark: &str) -> bool {
    let goes_on = |c: char| c.is_ascii_uppercase() || c == '_';
    text.match_indices(mark).any(|(at, _)| !text[at + mark.len()..].starts_with(goes_on))
}
