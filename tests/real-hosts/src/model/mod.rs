//! The model that a host talks to: it answers with the script's turns, and remembers what it was shown.

mod completions;
mod generate;
mod messages;
mod responses;

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tiny_http::{Header, Method, Request, Response, Server};

use crate::script::{OF_SUB_AGENT, ToolCall};
use crate::{Host, Turn};

/// Something that stood in a request, and so in front of the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    pub kind: Kind,
    pub text: String,
}

/// What the model is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Instructions of the host.
    System,
    /// A message, of the user or of the host in the user's name.
    Text,
    /// A call that the model itself made.
    ToolCall,
    /// What came of a call.
    ToolResult,
}

/// One answer: at most one text, and calls.
pub(crate) struct Answer {
    text: Option<String>,
    calls: Vec<ToolCall>,
    /// A number that no other answer has, for the ids that a protocol wants.
    number: usize,
}

/// What goes back over the wire.
enum Reply {
    Json(Value),
    /// Server-sent events: their names, where the protocol has them, and their data.
    Events(Vec<(Option<&'static str>, String)>),
}

/// The protocols that the hosts speak, by the end of the path they post to.
#[derive(Clone, Copy)]
enum Wire {
    /// Anthropic's Messages.
    Messages,
    /// `OpenAI`'s chat completions.
    Completions,
    /// `OpenAI`'s responses.
    Responses,
    /// Gemini's `generateContent`.
    Generate,
}

impl Answer {
    /// A number for one of its calls.
    fn id(&self, call: usize) -> String {
        format!("{:04}{call}", self.number)
    }
}

impl Wire {
    fn of(path: &str) -> Option<Self> {
        if path.ends_with("/messages") {
            Some(Self::Messages)
        } else if path.ends_with("/chat/completions") {
            Some(Self::Completions)
        } else if path.ends_with("/responses") {
            Some(Self::Responses)
        } else {
            path.to_ascii_lowercase().contains("generatecontent").then_some(Self::Generate)
        }
    }

    fn reply(self, answer: &Answer, request: &Value, streams: bool) -> Reply {
        match self {
            Self::Messages => messages::reply(answer, request),
            Self::Completions => completions::reply(answer, request),
            Self::Responses => responses::reply(answer, request),
            Self::Generate => generate::reply(answer, streams),
        }
    }

    fn seen(self, request: &Value) -> Vec<Seen> {
        match self {
            Self::Messages => messages::seen(request),
            Self::Completions => completions::seen(request),
            Self::Responses => responses::seen(request),
            Self::Generate => generate::seen(request),
        }
    }
}

/// A model at work.
pub struct Model {
    port: u16,
    state: Arc<Mutex<State>>,
}

struct State {
    host: Host,
    project: String,
    turns: VecDeque<Turn>,
    /// What sub-agents do that were started.
    of_sub_agents: VecDeque<Turn>,
    answers: usize,
    requests: usize,
    /// Whether the last answer calls tools.
    calls: bool,
    seen: Vec<Seen>,
    /// In which request each was seen first, from 0.
    seen_in: Vec<usize>,
}

impl Model {
    /// Listens on a free port of the loopback interface.
    ///
    /// # Errors
    ///
    /// When the port cannot be opened, for instance because loopback is down.
    pub fn start(host: Host, project: &str, script: &[Turn]) -> Result<Self, String> {
        let server =
            Server::http("127.0.0.1:0").map_err(|error| format!("the model cannot listen: {error}"))?;
        let port = server.server_addr().to_ip().map_or(0, |address| address.port());
        let state = Arc::new(Mutex::new(State::new(host, project, script)));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for request in server.incoming_requests() {
                let state = Arc::clone(&shared);
                // A host may keep one connection waiting while it asks on another.
                thread::spawn(move || serve(request, &state));
            }
        });
        Ok(Self { port, state })
    }

    /// Forgets everything, and does this from now on.
    pub(crate) fn begin(&self, host: Host, project: &str, script: &[Turn]) {
        *lock(&self.state) = State::new(host, project, script);
    }

    /// Whether no one told it what came of its last calls.
    pub(crate) fn was_cut_off(&self) -> bool {
        lock(&self.state).calls
    }

    /// Takes what a run said at its end for the result of its last call.
    pub(crate) fn note_end(&self, said: &str) {
        let mut state = lock(&self.state);
        state.seen.push(Seen { kind: Kind::ToolResult, text: said.to_owned() });
        let requests = state.requests;
        state.seen_in.push(requests);
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// What it was shown, in order, each text once but for results of calls; in which request each; and how many requests
    /// came with tools, which are the turns of the session.
    pub fn seen(&self) -> (Vec<Seen>, Vec<usize>, usize) {
        let state = lock(&self.state);
        (state.seen.clone(), state.seen_in.clone(), state.requests)
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(mut request: Request, state: &Mutex<State>) {
    let path = request.url().split('?').next().unwrap_or_default().to_owned();
    let mut body = Vec::new();
    let read = request.as_reader().read_to_end(&mut body);
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let wire = if *request.method() == Method::Post { Wire::of(&path) } else { None };
    let reply = match wire {
        Some(wire) if read.is_ok() => {
            let answer = lock(state).next(wire, &body);
            wire.reply(&answer, &body, path.to_ascii_lowercase().contains("stream"))
        }
        _ => Reply::Json(other(&path)),
    };
    // A host that has gone away needs no answer.
    let _ = match reply {
        Reply::Json(body) => request.respond(typed(body.to_string(), "application/json")),
        Reply::Events(events) => {
            let mut text = String::new();
            for (name, data) in events {
                if let Some(name) = name {
                    let _ = writeln!(text, "event: {name}");
                }
                let _ = write!(text, "data: {data}\n\n");
            }
            request.respond(typed(text, "text/event-stream"))
        }
    };
}

fn typed(body: String, kind: &str) -> Response<std::io::Cursor<Vec<u8>>> {
    let response = Response::from_string(body);
    match Header::from_bytes("Content-Type", kind) {
        Ok(header) => response.with_header(header),
        Err(()) => response,
    }
}

/// What hosts ask besides: how long a string is, which models there are.
fn other(path: &str) -> Value {
    if path.ends_with("/count_tokens") {
        json!({"input_tokens": 1234})
    } else if path.ends_with(":countTokens") {
        json!({"totalTokens": 123})
    } else {
        json!({"object": "list", "data": [{"id": "scripted", "object": "model", "type": "model"}], "models": []})
    }
}

impl State {
    fn new(host: Host, project: &str, script: &[Turn]) -> Self {
        Self {
            host,
            project: project.to_owned(),
            turns: script.iter().cloned().collect(),
            of_sub_agents: VecDeque::new(),
            answers: 0,
            requests: 0,
            calls: false,
            seen: Vec::new(),
            seen_in: Vec::new(),
        }
    }

    /// The answer to a request: the script's next turn, if the request is part of the session. Hosts also ask for titles
    /// and summaries; those requests bring no tools.
    fn next(&mut self, wire: Wire, request: &Value) -> Answer {
        self.answers += 1;
        let number = self.answers;
        if request["tools"].as_array().is_none_or(Vec::is_empty) {
            let text = if matches!(wire, Wire::Generate) { generate::AUXILIARY } else { "fine" };
            return Answer { text: Some(text.to_owned()), calls: Vec::new(), number };
        }
        let mut of_sub_agent = false;
        let mut known = self.seen.clone();
        for seen in wire.seen(request) {
            of_sub_agent |= seen.kind == Kind::Text && seen.text.contains(OF_SUB_AGENT);
            // Requests bring all that came before once more. Two calls may have the same result, and are two.
            match known.iter().position(|known| *known == seen) {
                Some(at) if seen.kind == Kind::ToolResult => drop(known.swap_remove(at)),
                Some(_) => {}
                None => {
                    self.seen.push(seen);
                    self.seen_in.push(self.requests);
                }
            }
        }
        self.requests += 1;
        let turns = if of_sub_agent { &mut self.of_sub_agents } else { &mut self.turns };
        let turn = turns.pop_front().unwrap_or_else(|| Turn::Text("The script is at its end.".to_owned()));
        self.of_sub_agents.extend(turn.of_sub_agents());
        let calls = turn.calls(self.host, &self.project);
        self.calls = !calls.is_empty();
        Answer { text: turn.text().map(str::to_owned), calls, number }
    }
}

/// The text of a content, however deep it is packed.
fn flat(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(flat).collect::<Vec<_>>().join("\n"),
        Value::Object(fields) => ["text", "content", "output", "parts", "response"]
            .iter()
            .find_map(|key| fields.get(*key).filter(|value| !value.is_null()))
            .map_or_else(|| content.to_string(), flat),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// The items of a list; none, if it is not a list.
fn items(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}
