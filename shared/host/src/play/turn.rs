//! What a model does, as a file says it: the same words for every host.

use std::collections::VecDeque;

use serde_json::Value;

use crate::record::Product;
use crate::tools::Deed;

/// One answer of the model, or what the user says.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    /// The user says this.
    Prompt(String),
    /// The model calls tools: several at once, or one.
    Calls(Vec<Call>),
    /// The model says something, and is done.
    Text(String),
    /// The model cannot be reached.
    Error,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The tool, by the name by which hooks know it.
    pub name: String,
    pub input: Value,
    /// What it returns.
    pub result: Value,
    pub ends: Ends,
    /// What the sub-agent does that it starts.
    pub agent: Option<Vec<Turn>>,
}

/// How a call ends that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    Well,
    /// The command ends with another exit code than 0.
    ExitCode,
    /// The tool itself fails: a file is not there.
    Failed,
}

/// What is wrong with a session's file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("turn {number}: {what}")]
pub struct BadTurn {
    /// Which turn, from 1.
    pub number: usize,
    what: String,
}

/// The turns of a session: a list, or an object with a list `main` and the turns of its sub-agents, `sub`.
///
/// # Errors
///
/// The first turn that is none.
pub fn turns(session: &Value, product: Product, folder: &str) -> Result<Vec<Turn>, BadTurn> {
    let list = |value: &Value| value.as_array().cloned();
    let bad = |what: &str| BadTurn { number: 0, what: what.to_owned() };
    let main = list(session).or_else(|| list(&session["main"]));
    let main = main.ok_or_else(|| bad("a session is a list of turns, or an object with one in `main`"))?;
    let sub = list(&session["sub"]).unwrap_or_default();
    let mut reader = Reader { product, folder, sub: sub.into() };
    reader.all(&main)
}

struct Reader<'a> {
    product: Product,
    /// The folder from which paths count.
    folder: &'a str,
    /// What sub-agents do whose call does not say it: each goes on up to its first text.
    sub: VecDeque<Value>,
}

impl Reader<'_> {
    fn all(&mut self, turns: &[Value]) -> Result<Vec<Turn>, BadTurn> {
        let numbered = turns.iter().enumerate();
        let one = |(index, turn): (usize, &Value)| {
            self.turn(turn).map_err(|what| BadTurn { number: index + 1, what })
        };
        numbered.map(one).collect()
    }

    fn turn(&mut self, turn: &Value) -> Result<Turn, String> {
        let text = |key: &str| turn[key].as_str().map(str::to_owned);
        if turn.get("error").or(turn.get("http_error")).is_some() {
            return Ok(Turn::Error);
        }
        if let Some(prompt) = text("prompt") {
            return Ok(Turn::Prompt(prompt));
        }
        match turn["tools"].as_array() {
            Some(calls) => {
                Ok(Turn::Calls(calls.iter().map(|call| self.call(call)).collect::<Result<_, _>>()?))
            }
            // A text beside a call is only a remark.
            None => match (self.call(turn), text("text")) {
                (Ok(call), _) => Ok(Turn::Calls(vec![call])),
                (Err(_), Some(said)) => Ok(Turn::Text(said)),
                (Err(what), None) => Err(what),
            },
        }
    }

    fn call(&mut self, call: &Value) -> Result<Call, String> {
        let mut agent = None;
        let strings =
            |key: &str| -> Option<Vec<&str>> { call[key].as_array()?.iter().map(Value::as_str).collect() };
        let one = |key: &str| call[key].as_str().map(|text| vec![text]);
        let parts = |key: &str| strings(key).or_else(|| one(key)).unwrap_or_default();
        let (name, input) = match (&*parts("shell"), &*parts("write"), &*parts("edit"), &*parts("read")) {
            ([command], ..) => self.own(Deed::Shell(command)),
            (_, [path, text], ..) => self.own(Deed::Write(&self.path(path), text)),
            (_, _, [path, old, new], _) => self.own(Deed::Edit(&self.path(path), old, new)),
            (_, _, _, [path]) => self.own(Deed::Read(&self.path(path))),
            _ if call.get("subagent").is_some() => {
                let turns = call["subagent"].as_array().or(call["turns"].as_array()).cloned();
                let turns = turns.unwrap_or_else(|| self.next_sub());
                agent = Some(self.all(&turns).map_err(|bad| format!("in its sub-agent, {bad}"))?);
                self.own(Deed::Delegate(call["subagent"].as_str().unwrap_or("look around")))
            }
            _ => self.named(call)?,
        };
        let exit = call["exit"].as_i64().or_else(|| exit_code(call["shell"].as_str()?));
        let ends = match exit {
            _ if call["fails"] == true => Ends::Failed,
            Some(code) if code != 0 => Ends::ExitCode,
            _ => Ends::Well,
        };
        let result = call.get("result").cloned().unwrap_or_else(|| "ok".into());
        Ok(Call { name, input, result, ends, agent })
    }

    fn own(&self, deed: Deed<'_>) -> (String, Value) {
        let (name, input) = (self.product.call)(deed);
        (name.to_owned(), input)
    }

    /// Any tool, as `{"tool": NAME, "input": …}` or `{"tool": [NAME, …]}`.
    fn named(&self, call: &Value) -> Result<(String, Value), String> {
        let (name, input) = match &call["tool"] {
            Value::String(name) => (name.as_str(), &call["input"]),
            Value::Array(pair) => {
                (pair.first().and_then(Value::as_str).unwrap_or_default(), &call["tool"][1])
            }
            _ => ("", &Value::Null),
        };
        if name.is_empty() {
            return Err(format!(
                "{call} is none: use prompt, shell, write, edit, read, tool, tools, subagent or text"
            ));
        }
        // The model of Codex knows its shell by another name than hooks do.
        if name == "exec_command" && self.product == Product::CODEX {
            return Ok(self.own(Deed::Shell(input["cmd"].as_str().unwrap_or_default())));
        }
        let input = input.to_string().replace("$PROJECT", self.folder);
        Ok((name.to_owned(), serde_json::from_str(&input).unwrap_or_default()))
    }

    fn path(&self, path: &str) -> String {
        // Codex has paths in patches, which count from the folder.
        if path.starts_with('/') || self.product == Product::CODEX {
            return path.to_owned();
        }
        format!("{}/{path}", self.folder)
    }

    /// What the next sub-agent does.
    fn next_sub(&mut self) -> Vec<Value> {
        let end =
            self.sub.iter().position(|turn| turn.get("text").is_some()).map_or(self.sub.len(), |at| at + 1);
        self.sub.drain(..end).collect()
    }
}

/// The exit code with which a command says that it ends: `… exit 3`.
fn exit_code(command: &str) -> Option<i64> {
    let (before, code) = command.trim().rsplit_once(' ')?;
    let says = before.split([';', '&', '\n']).next_back()?.trim() == "exit";
    says.then(|| code.parse().ok())?
}
