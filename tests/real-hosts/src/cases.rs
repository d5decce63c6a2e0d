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
use crate::{Host, Report, Session, Turn, run_all};

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
    #[serde(rename = "vscode")]
    VsCode,
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
    /// The same of other files.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub others: BTreeMap<Place, Map<String, Value>>,
    /// The folder below the project in which the host is started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Whether there is an MCP server.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mcp: bool,
    /// What the model does.
    pub script: Vec<Turn>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<Observed>,
}

/// Whose file it is in which a hook stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// That of the project.
    #[default]
    Project,
    /// The user's, in the home folder.
    User,
    /// The one of the project that is not shared.
    Local,
    /// One in a folder below.
    Below,
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
    /// It has nothing to say unless this stands in the payload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// In which file it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
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
    /// Which marks the model read first in which request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Vec<String>>,
    /// The hooks in the order in which they began, with `@` where a sub-agent was named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
}

impl Side {
    pub fn host(self) -> Host {
        match self {
            Self::ClaudeCode => Host::Claude,
            Self::CopilotCli | Self::CopilotCliPascal => Host::Copilot,
            Self::Codex => Host::Codex,
            Self::Gemini => Host::Gemini,
            Self::VsCode => Host::VsCode,
        }
    }

    /// Where hooks stand: below the project, or the home folder for those of the user. Where a host has no such place, in
    /// that of the project.
    pub fn file(self, place: Place) -> &'static str {
        match (self, place) {
            (Self::ClaudeCode, Place::Local) => ".claude/settings.local.json",
            (Self::ClaudeCode, _) => ".claude/settings.json",
            (Self::CopilotCli | Self::CopilotCliPascal | Self::VsCode, Place::User) => {
                ".copilot/hooks/u.json"
            }
            (Self::CopilotCli | Self::CopilotCliPascal, Place::Local) => {
                ".github/copilot/settings.local.json"
            }
            (Self::CopilotCli | Self::CopilotCliPascal | Self::VsCode, Place::Below) => {
                ".github/hooks/below/b.json"
            }
            (Self::CopilotCli | Self::CopilotCliPascal, Place::Project) => ".github/hooks/h.json",
            (Self::VsCode, _) => ".github/hooks/h.json",
            (Self::Codex, _) => ".codex/hooks.json",
            (Self::Gemini, _) => ".gemini/settings.json",
        }
    }

    fn has_groups(self) -> bool {
        !matches!(self.host(), Host::Copilot | Host::VsCode)
    }
}

impl FromStr for Side {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Ok(match name {
            "copilot-pascal" => Self::CopilotCliPascal,
            _ => match name.parse()? {
                Host::Claude => Self::ClaudeCode,
                Host::Copilot | Host::Sdk => Self::CopilotCli,
                Host::Codex => Self::Codex,
                Host::Gemini => Self::Gemini,
                Host::VsCode => Self::VsCode,
                Host::Qwen | Host::Cline | Host::OpenCode | Host::Pi | Host::OpenHands => {
                    return Err(format!("no cases are recorded with {name}"));
                }
            },
        })
    }
}

impl Case {
    /// As a line of a file.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Whether both may be played in one window: nothing differs that an editor keeps from one project to the next.
    pub fn goes_with(&self, other: &Self) -> bool {
        let is_plain = |case: &Self| {
            let hooks = case.hooks.values().flatten();
            case.host == Side::VsCode
                && !case.mcp
                && !hooks.clone().any(|hook| hook.place == Some(Place::User))
        };
        is_plain(self) && is_plain(other) && self.mode == other.mode
    }

    /// Plays cases on the real host.
    ///
    /// # Errors
    ///
    /// Where the host cannot be run.
    pub fn record(cases: &[Self], driver: &Path) -> Result<Vec<Self>, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let root = folder.path().canonicalize().map_err(|error| error.to_string())?;
        let places = |index: usize| ["project", "hooks"].map(|name| root.join(format!("{name}-{index}")));
        let sessions: Result<Vec<Session>, String> = (cases.iter().enumerate())
            .map(|(index, case)| {
                let [project, hooks] = places(index);
                let mut session = Session::new(case.host.host(), &project, case.script.clone());
                session.user_files = case.prepare(&project, &hooks).map_err(|error| error.to_string())?;
                session.mode = Some(case.mode.clone());
                session.folder.clone_from(&case.folder);
                session.mcp = case.mcp;
                session.seconds = if case.host == Side::VsCode { 240 } else { 60 };
                Ok(session)
            })
            .collect();
        let reports = run_all(driver, &sessions?).map_err(|error| error.to_string())?;
        let recorded = cases.iter().zip(&reports).enumerate().map(|(index, (case, report))| {
            let [project, hooks] = places(index);
            let observed = Some(case.observed(&project, &hooks, report));
            Self { version: case.host.host().version(), observed, ..case.clone() }
        });
        Ok(recorded.collect())
    }

    /// The hooks by the names under which they are counted.
    pub fn named(&self) -> impl Iterator<Item = (String, &str, &Answer)> {
        self.hooks.iter().flat_map(|(event, answers)| {
            let name = move |index| format!("{event}-{index}");
            answers.iter().enumerate().map(move |(index, answer)| (name(index), event.as_str(), answer))
        })
    }

    /// Writes the project and the programs of its hooks; what the user has is returned.
    ///
    /// # Errors
    ///
    /// Where something cannot be written.
    pub fn prepare(&self, project: &Path, hooks: &Path) -> io::Result<Vec<(String, String)>> {
        fs::create_dir_all(project.join(".git"))?;
        fs::create_dir_all(project.join(self.folder.as_deref().unwrap_or_default()))?;
        fs::write(project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
        fs::create_dir_all(project.join(".git/objects"))?;
        fs::create_dir_all(project.join(".git/refs"))?;
        fs::write(project.join("there.txt"), "there\n")?;
        fs::create_dir_all(hooks)?;
        let mut files: BTreeMap<Place, BTreeMap<&str, Vec<Value>>> = BTreeMap::new();
        for (name, event, answer) in self.named() {
            let script = hooks.join(&name);
            fs::write(&script, answer.script(hooks, &name))?;
            let stdout = answer.stdout.as_ref().map_or_else(String::new, text);
            fs::write(hooks.join(format!("{name}.out")), expanded(&stdout))?;
            fs::write(
                hooks.join(format!("{name}.err")),
                expanded(answer.stderr.as_deref().unwrap_or_default()),
            )?;
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
            let place = answer.place.unwrap_or_default();
            files.entry(place).or_default().entry(event).or_default().push(whole);
        }
        for place in self.others.keys().chain([&Place::Project]) {
            files.entry(*place).or_default();
        }
        let mut of_user = Vec::new();
        for (place, events) in files {
            let mut whole = json!({ "hooks": events });
            let none = Map::new();
            let settings =
                if place == Place::Project { Some(&self.settings) } else { self.others.get(&place) };
            extend(&mut whole, settings.unwrap_or(&none));
            let file = self.host.file(place);
            if place == Place::User {
                of_user.push((file.to_owned(), whole.to_string()));
                continue;
            }
            let file = project.join(file);
            fs::create_dir_all(file.parent().unwrap_or(project))?;
            fs::write(file, whole.to_string())?;
        }
        Ok(of_user)
    }

    fn observed(&self, project: &Path, hooks: &Path, report: &Report) -> Observed {
        // Commands run where the host was started, and so do its tools for files; the MCP tool receives the project.
        let here = project.join(self.folder.as_deref().unwrap_or_default());
        let read = |folder: &Path| fs::read_to_string(folder.join("ran.txt")).ok();
        let ran = read(&here).or_else(|| read(project)).unwrap_or_default();
        let calls =
            |name: &str| fs::read(hooks.join(format!("{name}.calls"))).map_or(0, |calls| calls.len() as u64);
        let called: BTreeMap<String, u64> =
            self.named().map(|(name, ..)| (calls(&name), name)).map(|(count, name)| (name, count)).collect();
        let stop =
            ["Stop", "agentStop", "AfterAgent"].into_iter().find(|event| self.hooks.contains_key(*event));
        let went_on = stop.map_or(0, |stop| called[&format!("{stop}-0")].saturating_sub(1));
        let shown = |kind: &Kind| matches!(kind, Kind::System | Kind::Text | Kind::ToolResult);
        let texts: Vec<(&str, usize)> = (report.seen.iter().zip(&report.seen_in))
            .filter(|(seen, _)| shown(&seen.kind))
            .map(|(seen, request)| (seen.text.as_str(), *request))
            .collect();
        let all: String = self.named().map(|(_, _, answer)| answer.words()).collect();
        let mut reads = vec![Vec::new(); report.turns];
        let mut seen = marks(&all);
        seen.retain(|mark| {
            let first = texts.iter().find(|(text, _)| has(text, mark)).filter(|_| *mark != "MARK_REWRITTEN");
            if let Some(request) = first.and_then(|(_, request)| reads.get_mut(*request)) {
                request.push((*mark).to_owned());
            }
            first.is_some()
        });
        // Calls at once write in any order.
        let mut words: Vec<&str> = ran.trim().lines().collect();
        words.extend(
            [project, &here].iter().any(|folder| folder.join("other.txt").exists()).then_some("other"),
        );
        words.sort_unstable();
        let order = fs::read_to_string(hooks.join("order")).unwrap_or_default();
        Observed {
            tool_ran: !words.is_empty(),
            input_rewritten: ran.contains("MARK_REWRITTEN"),
            ran: words.join(" "),
            seen: seen.into_iter().map(str::to_owned).collect(),
            // Killed by the driver: it would never have stopped.
            went_on: (report.exit != Some(124)).then_some(went_on),
            result_kept: report.tool_results().any(|text| has(text, "MARK_TOOL_OUTPUT")),
            requests: report.turns,
            called,
            reads,
            order: order.lines().map(str::to_owned).collect(),
            exit: report.exit,
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
        let when = self
            .when
            .as_ref()
            .map_or_else(String::new, |part| format!("case $in in *'{part}'*) ;; *) exit 0;; esac\n"));
        let order = hooks.join("order");
        let ends = self.signal.map_or_else(
            || format!("exit {}\n", self.exit.unwrap_or(0)),
            |signal| format!("kill -{signal} $$\n"),
        );
        format!(
            "in=$(cat)\nprintf x >>{calls}\n\
             case $in in *'\"agent_id\"'*|*'\"agentId\"'*) by=@;; esac\necho {name}$by >>{}\n\
             {again}{when}{}cat {}\ncat {} >&2\n{}{ends}",
            order.display(),
            tenths(self.waits),
            file("out"),
            file("err"),
            tenths(self.lingers),
        )
    }

    /// All that it says.
    pub fn words(&self) -> String {
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

/// A long text is kept as `~COUNT*UNIT~`.
pub fn expanded(text: &str) -> String {
    let mut parts = text.split('~');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    while let (Some(run), Some(after)) = (parts.next(), parts.next()) {
        match run.split_once('*').and_then(|(count, unit)| Some((count.parse().ok()?, unit))) {
            Some((count, unit)) => whole += &str::repeat(unit, count),
            None => whole += run,
        }
        whole += after;
    }
    whole
}

/// The marks in a text, each once.
pub fn marks(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_uppercase() || c == '_';
    let whole = |at: usize| &text[at..at + text[at..].find(|c| !is_part(c)).unwrap_or(text.len() - at)];
    let mut marks: Vec<&str> = text.match_indices("MARK_").map(|(at, _)| whole(at)).collect();
    marks.sort_unstable();
    marks.dedup();
    marks
}

/// Whether a text has this mark, and not only one that begins like it.
pub fn has(text: &str, mark: &str) -> bool {
    let goes_on = |c: char| c.is_ascii_uppercase() || c == '_';
    text.match_indices(mark).any(|(at, _)| !text[at + mark.len()..].starts_with(goes_on))
}
