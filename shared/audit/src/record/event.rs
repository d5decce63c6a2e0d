//! Records of events and of decisions.

use std::time::Duration;

use payload::write::{Letters, Object};
use payload::{Event, EventKind, Field, Host, ToolKind};
use program::JudgedFile;
use redact::{Key, Pattern, Redactor};
use sha2::{Digest as _, Sha256};
use store::trust::Drift;

use super::draft::{Draft, Level};
use super::guard::Guard;
use crate::chain::short_hex;
use crate::here::{self, Who};
use crate::repository::Repository;

/// How long each text may be as JSON, in bytes. All together stay below [`crate::LARGEST_RECORD`].
pub(super) mod room {
    pub(in crate::record) const NAME: usize = 128;
    pub(in crate::record) const SESSION: usize = 200;
    pub(in crate::record) const PATH: usize = 512;
    pub(in crate::record) const BRANCH: usize = 256;
    pub(in crate::record) const COMMANDS: usize = 4096;
    pub(in crate::record) const PATHS: usize = 1536;
    pub(in crate::record) const URLS: usize = 1024;
    pub(in crate::record) const ERROR: usize = 512;
    pub(in crate::record) const REASON: usize = 1024;
    pub(in crate::record) const CONTENT: usize = 1024;
    pub(in crate::record) const FILES: usize = 2048;
}

/// What a record needs besides the event.
#[derive(Debug, Clone, Copy)]
pub struct About<'k> {
    /// The program that writes the record.
    pub program: &'static str,
    pub version: &'static str,
    /// What it decides by: a name or digest of its rules or settings.
    pub policy: &'k str,
    /// How much is written.
    pub level: Level,
    /// The installation's key.
    pub key: &'k Key<'k>,
    /// The team's own patterns of secrets.
    pub patterns: &'k [Pattern],
    /// How long the program has worked so far.
    pub elapsed: Duration,
    /// The repository that the event happened in.
    pub repository: Option<&'k Repository>,
    /// How its hooks, policies and programs differ from what the user trusted; `None` where no one looked.
    pub drift: Option<&'k Drift>,
    /// What was on when a session started; `None` for other events, and where no one could tell.
    pub guard: Option<&'k Guard>,
    /// How the user and the machine are written; `None` where no setting says anything about it.
    pub who: Option<&'k Who>,
}

/// A decision, for the record.
#[derive(Debug, Clone, Copy)]
pub struct Decided<'d> {
    /// `deny`, `ask`, `allow`, `block`, `approved`, `keep`.
    pub value: &'d str,
    /// The rule's id.
    pub rule: &'d str,
    /// Why, and what to do instead.
    pub reason: &'d str,
    /// Whether the host received it.
    pub enforced: bool,
    /// The code of the approval that a person may give, or gave.
    pub approval: Option<&'d str>,
    /// The files that were read because the call would run them.
    pub files: &'d [JudgedFile],
}

/// The record of an event: an object without its closing brace.
pub fn event(event: &Event<'_>, about: &About<'_>) -> String {
    let mut draft = draft("event", about);
    describe(&mut draft, event, about);
    if let Some(drift) = about.drift {
        drifted(&mut draft, drift);
    }
    if let Some(guard) = about.guard {
        guard.write(&mut draft.object);
    }
    if let Some(value) = decided_by_host(event) {
        draft.object.object("decision", |decision| {
            decision.text("value", value);
            decision.text("by", "host");
        });
    }
    end(draft, about)
}

/// How many files that differ are named.
const NAMED: usize = 8;

/// What is not as the user trusted it.
fn drifted(draft: &mut Draft<'_>, drift: &Drift) {
    let files = || drift.changed.iter().chain(&drift.gone);
    let shown = if draft.level > Level::Metadata { NAMED } else { 0 };
    let names: Vec<String> = files()
        .take(shown)
        .map(|path| format!("\"{}\"", draft.written("drift", &path.to_string_lossy(), room::PATH)))
        .collect();
    draft.object.object("drift", |object| {
        object.number("files", files().count() as u64);
        if !names.is_empty() {
            object.list("paths", &names);
        }
    });
}

/// The record of a decision about an event.
pub fn decision(event: Option<&Event<'_>>, decided: &Decided<'_>, about: &About<'_>) -> String {
    let mut draft = draft("decision", about);
    if let Some(event) = event {
        describe(&mut draft, event, about);
    }
    judged_files(&mut draft, decided.files);
    let reason =
        // Before the object is begun: while it is being filled, the draft cannot take anything else.
        (about.level > Level::Metadata).then(|| draft.written("reason", decided.reason, room::REASON));
    let rule = draft.written("rule", decided.rule, room::NAME);
    draft.object.object("decision", |decision| {
        decision.text("value", decided.value);
        decision.escaped("rule", &rule);
        if let Some(reason) = reason {
            decision.escaped("reason", &reason);
        }
        decision.flag("enforced", decided.enforced);
        if let Some(code) = decided.approval {
            decision.text("approval", code);
        }
    });
    end(draft, about)
}

/// The files that a call would run, each with the digest of what stood in it.
fn judged_files(draft: &mut Draft<'_>, files: &[JudgedFile]) {
    let (mut list, mut left) = (Vec::new(), room::FILES);
    for file in files {
        let path = (draft.level > Level::Metadata).then(|| draft.written("files", &file.path, room::PATH));
        let mut one = Object::new(Letters::Shown, 192);
        if let Some(path) = path {
            one.escaped("path", &path);
        }
        one.number("bytes", file.bytes.len() as u64);
        // Not keyed: whoever has the file, or a commit with it, can tell that it is the same.
        one.text("sha256", &short_hex(&Sha256::digest(&file.bytes), 64));
        let one = one.finish();
        if one.len() > left {
            draft.cut("files", file.bytes.len());
            continue;
        }
        left -= one.len();
        list.push(one);
    }
    if !list.is_empty() {
        draft.object.list("files", &list);
    }
}

/// The record of an input that could not be read as an event.
pub fn unreadable(why: &str, bytes: usize, about: &About<'_>) -> String {
    let mut draft = draft("unreadable", about);
    // Fixed words of ours, which need no redactor.
    draft.object.text("why", why);
    draft.object.object("input", |input| {
        input.number("bytes", bytes as u64);
    });
    end(draft, about)
}

pub(super) fn draft<'k>(kind: &str, about: &About<'k>) -> Draft<'k> {
    Draft::new(kind, about.level, Redactor::new(about.key, about.patterns), about.key)
}

pub(super) fn end(mut draft: Draft<'_>, about: &About<'_>) -> String {
    match about.who {
        None => {
            draft.object.text("user", &here::user());
            draft.object.text("machine", &here::machine());
        }
        Some(who) => who.write(&mut draft.object, about.key),
    }
    draft.object.text("level", about.level.as_str());
    draft.object.object("by", |by| {
        by.text("name", about.program);
        by.text("version", about.version);
        if !about.policy.is_empty() {
            by.text("policy", about.policy);
        }
    });
    draft.object.number("latency_us", u64::try_from(about.elapsed.as_micros()).unwrap_or(u64::MAX));
    draft.finish()
}

/// Who, what, where.
fn describe(draft: &mut Draft<'_>, event: &Event<'_>, about: &About<'_>) {
    draft.object.text("host", event.host.as_str());
    let kind = event.kind.as_str();
    if kind.is_empty() {
        draft.text("event", if event.name.is_empty() { "unknown" } else { &event.name }, room::NAME);
    } else {
        // Hosts have words of their own for one event (`BeforeTool`, `preToolUse`): they stay beside ours.
        draft.object.text("event", kind);
        if event.name != kind && !event.name.is_empty() {
            draft.text("event_name", &event.name, room::NAME);
        }
    }
    if let Some(session) = event.session_id() {
        draft.text("session", &session, room::SESSION);
    }
    if event.kind.is_about_tool() || event.kind == EventKind::Other && event.tool().is_some() {
        let call = call(draft, event);
        draft.text("call", &call, room::SESSION);
    }
    if let Some(agent) = event.agent() {
        let id = agent.id.map(|id| draft.written("agent", &id, room::NAME));
        let kind = agent.kind.map(|kind| draft.written("agent", &kind, room::NAME));
        draft.object.object("agent", |object| {
            for (name, value) in [("id", id), ("kind", kind)] {
                if let Some(value) = value {
                    object.escaped(name, &value);
                }
            }
        });
    }
    if let Some(cwd) = event.cwd() {
        draft.text("cwd", &cwd, room::PATH);
    }
    if let Some(repository) = about.repository {
        let root = draft.written("repo", &repository.root, room::PATH);
        let branch = repository.branch.as_deref().map(|branch| draft.written("repo", branch, room::BRANCH));
        draft.object.object("repo", |object| {
            object.escaped("root", &root);
            if let Some(branch) = branch {
                object.escaped("branch", &branch);
            }
        });
    }
    if let Some(mode) = event.permission_mode() {
        draft.text("permission_mode", &mode, room::NAME);
    }
    if let Some(source) = event.source() {
        draft.text("source", &source, room::NAME);
    }
    if let Some(model) = event.text(Field::Model) {
        draft.text("model", &model, room::NAME);
    }
    tool(draft, event);
    if let Some(prompt) = event.prompt() {
        draft.left_out("prompt", &prompt, room::CONTENT);
    }
    if let Some(error) = event.error() {
        if draft.level > Level::Metadata {
            draft.text("error", &error, room::ERROR);
        } else {
            draft.left_out("error", &error, 0);
        }
    }
    if let Some(said) = event.text(Field::LastMessage) {
        draft.left_out("message", &said, room::CONTENT);
    }
}

/// The tool, what it is called with, and what it returned.
fn tool(draft: &mut Draft<'_>, event: &Event<'_>) {
    if event.tool().is_none() && !event.is_unfamiliar() {
        return;
    }
    if let Some(tool) = event.tool() {
        let name = draft.written("tool", &tool.name, room::NAME);
        draft.object.object("tool", |object| {
            object.escaped("name", &name);
            object.text("kind", kind_name(tool.kind));
        });
    }
    let commands = event.commands();
    let mut shown = false;
    if draft.level > Level::Metadata {
        match commands.as_slice() {
            [] => {}
            [one] => draft.text("command", &one.text, room::COMMANDS),
            several => draft.texts("commands", several.iter().map(|command| &*command.text), room::COMMANDS),
        }
        shown = !commands.is_empty();
        let folders: Vec<_> = event.folders().into_iter().flatten().collect();
        draft.texts("folders", folders.iter().map(|folder| &**folder), room::PATH);
        let paths = event.paths();
        draft.texts("paths", paths.iter().map(|touched| &*touched.path), room::PATHS);
        let urls = event.urls();
        draft.texts("urls", urls.iter().map(|url| &**url), room::URLS);
    }
    // A command that is written needs no digest.
    // At the full level the arguments may hold more than the command, such as a time limit.
    if (!shown || draft.level == Level::Full)
        && let Some(input) = event.input().map(payload::Json::text).or(event.input_text())
    {
        draft.left_out("input", input, room::CONTENT);
    }
    if let Some(result) = event.tool_result() {
        let text = event.tool_result_text();
        draft.left_out("output", text.as_deref().unwrap_or(result.text()), room::CONTENT);
    }
}

/// What links the records of one call: the host's own identifier, or what the call consists of.
///
/// Copilot and Gemini give no identifier. Two hooks of one event get the same session, tool, arguments and time, so
/// that their digest is the same, and the next call's is another.
fn call(draft: &Draft<'_>, event: &Event<'_>) -> String {
    if let Some(id) = event.tool_use_id() {
        return id.into_owned();
    }
    let session = event.session_id().unwrap_or_default();
    let tool = event.tool().map_or("", |tool| &*tool.name);
    let time = event.timestamp().unwrap_or_default();
    let input = event.input().map(payload::Json::text).or(event.input_text()).unwrap_or_default();
    let parts = [event.kind.as_str(), &session, tool, &time, input].map(str::as_bytes);
    // A zero byte between the parts: none of them can reach over.
    draft.digest(&[parts[0], b"\0", parts[1], b"\0", parts[2], b"\0", parts[3], b"\0", parts[4]])
}

/// What the event itself says about a decision.
fn decided_by_host(event: &Event<'_>) -> Option<&'static str> {
    match event.kind {
        EventKind::PermissionDenied => Some("deny"),
        EventKind::PermissionRequest if event.host != Host::Unknown => Some("ask"),
        _ => None,
    }
}

fn kind_name(kind: ToolKind) -> &'static str {
    match kind {
        ToolKind::Shell => "shell",
        ToolKind::ShellInput => "shell-input",
        ToolKind::Task => "task",
        ToolKind::Create => "create",
        ToolKind::Edit => "edit",
        ToolKind::Patch => "patch",
        ToolKind::Notebook => "notebook",
        ToolKind::MakeDir => "make-dir",
        ToolKind::Read => "read",
        ToolKind::Search => "search",
        ToolKind::Fetch => "fetch",
        ToolKind::Agent => "agent",
        ToolKind::Ide => "ide",
        ToolKind::Memory => "memory",
        ToolKind::Mcp => "mcp",
        ToolKind::Sql => "sql",
        _ => "other",
    }
}
