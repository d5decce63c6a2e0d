//! The host's own log of a session, as far as it tells of calls: a line of JSON for the start of each, and one for its end.
//!
//! Seen from VS Code 1.139.1, which writes it out before it calls a hook:
//!
//! ```text
//! {"type":"tool.execution_start","data":{"toolCallId":"c","toolName":"create_file","arguments":{…}},"timestamp":"…"}
//! {"type":"tool.execution_complete","data":{"toolCallId":"c","success":true},…}
//! ```
//!
//! What cannot be read tells nothing: then hooks do what they do on hosts without such a log.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, FixedOffset};
use payload::{Event, Json, ToolKind};

/// How much of the end of a log is read.
const MOST: u64 = 512 * 1024;

/// How long after its call a file may come.
const LATEST: Duration = Duration::from_secs(3);

/// How long hooks after a tool may take, one after the other.
const LATELY: Duration = Duration::from_mins(1);

/// A call of the session.
#[derive(Debug, PartialEq, Eq)]
struct Call {
    id: String,
    tool: String,
    /// The text of its arguments.
    input: String,
    began: Option<DateTime<FixedOffset>>,
    running: bool,
}

/// Whether the prompt of the event is what a running call gave to a sub-agent: the host tells of both in the same words.
pub fn is_prompt_of_sub_agent(event: &Event<'_>) -> bool {
    let Some(prompt) = event.prompt().filter(|prompt| !prompt.trim().is_empty()) else { return false };
    calls(event).iter().filter(|call| call.running && ToolKind::from_name(&call.tool) == ToolKind::Agent).any(
        |call| {
            let given = Json::new(&call.input).and_then(|input| input.get_str("prompt"));
            given.is_some_and(|given| !given.trim().is_empty() && prompt.contains(given.trim()))
        },
    )
}

/// The files that calls of the session have announced and that may not be on the disk yet when this event comes, each with
/// how long it may still take.
pub fn files_to_come(event: &Event<'_>) -> Vec<(PathBuf, Duration)> {
    let announces = event.host.traits().announces;
    let Some(now) = event.timestamp().and_then(|now| stamp(&now)) else { return Vec::new() };
    if announces.is_empty() {
        return Vec::new();
    }
    let late = |call: &Call| {
        let age = now.signed_duration_since(call.began?).to_std().ok()?;
        let left = LATEST.checked_sub(age).filter(|_| announces.contains(&&*call.tool))?;
        let path = Json::new(&call.input)?.get_str("filePath")?;
        Some((PathBuf::from(&*path), left))
    };
    calls(event).iter().filter_map(late).collect()
}

/// What the tools do that were called in the minute before this event, some of them so lately that hooks after them may not
/// have been heard.
pub fn tools_lately(event: &Event<'_>) -> Vec<ToolKind> {
    let Some(now) = event.timestamp().and_then(|now| stamp(&now)) else { return Vec::new() };
    let lately = |call: &&Call| {
        let age = call.began.and_then(|began| now.signed_duration_since(began).to_std().ok());
        age.is_some_and(|age| age <= LATELY)
    };
    calls(event).iter().filter(lately).map(|call| ToolKind::from_name(&call.tool)).collect()
}

/// The calls at the end of the log.
fn calls(event: &Event<'_>) -> Vec<Call> {
    let path = event.transcript_path().filter(|_| event.host.traits().logs_calls);
    path.and_then(|path| end_of(&path)).map_or_else(Vec::new, |text| calls_of(&text))
}

fn end_of(path: &str) -> Option<String> {
    let mut file = File::open(path).ok()?;
    let facts = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    file.seek(SeekFrom::Start(facts.len().saturating_sub(MOST))).ok()?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The calls of a log. Its first line may be cut, and its last not written yet.
fn calls_of(text: &str) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    // Most lines are about something else, and may be long.
    for line in text.lines().filter(|line| line.contains("tool.execution_")) {
        let Some(line) = Json::new(line) else { continue };
        let Some(data) = line.get("data") else { continue };
        let Some(id) = data.get_str("toolCallId") else { continue };
        match line.get_str("type").as_deref() {
            Some("tool.execution_start") => calls.push(Call {
                id: id.into_owned(),
                tool: data.get_str("toolName").unwrap_or_default().into_owned(),
                input: data.get("arguments").map_or_else(String::new, |input| input.text().to_owned()),
                began: line.get_str("timestamp").and_then(|at| stamp(&at)),
                running: true,
            }),
            Some("tool.execution_complete") => {
                // Ids of an earlier turn may come again: the latest call of this id has ended.
                if let Some(call) = calls.iter_mut().rfind(|call| call.id == *id) {
                    call.running = false;
                }
            }
            _ => {}
        }
    }
    calls
}

fn stamp(text: &str) -> Option<DateTime<FixedOffset>> {
    DateTime::parse_from_rfc3339(text).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use payload::{Hints, parse};

    /// As VS Code 1.139.1 wrote it, but for the sub-agent.
    const LOG: &str = r#"{"type":"user.message","data":{"content":"Do the scripted work.","attachments":[]},"id":"0","timestamp":"2026-11-23T17:17:15.243Z","parentId":null}
{"type":"tool.execution_start","data":{"toolCallId":"call_0005","toolName":"create_file","arguments":{"content":"new\n","filePath":"/p/new.txt"}},"id":"1","timestamp":"2026-11-23T17:17:40.920Z","parentId":"0"}
{"type":"tool.execution_complete","data":{"toolCallId":"call_0005","success":true},"id":"2","timestamp":"2026-11-23T17:17:41.925Z","parentId":"1"}
{"type":"tool.execution_start","data":{"toolCallId":"call_0006","toolName":"runSubagent","arguments":{"prompt":"Look around.","description":"d"}},"id":"3","timestamp":"2026-11-23T17:17:42.000Z","parentId":"2"}
"#;

    struct Session(tempfile::TempDir);

    impl Session {
        fn new(log: &str) -> Self {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("log"), log).unwrap();
            Self(folder)
        }

        fn event<T>(&self, event: &str, more: &str, look: impl FnOnce(&Event<'_>) -> T) -> T {
            let log = serde_json_string(&self.0.path().join("log").to_string_lossy());
            let text = format!(
                r#"{{"timestamp":"2026-11-23T17:17:42.420Z","hook_event_name":"{event}","session_id":"s","transcript_path":{log},{more},"cwd":"/p"}}"#
            );
            look(&parse(text.as_bytes(), Hints::default()).unwrap())
        }

        fn is_of_sub_agent(&self, prompt: &str) -> bool {
            self.event("UserPromptSubmit", &format!("\"prompt\":\"{prompt}\""), is_prompt_of_sub_agent)
        }
    }

    fn serde_json_string(text: &str) -> String {
        format!("\"{}\"", text.replace('\\', "\\\\"))
    }

    #[test]
    fn a_created_file_may_come_for_three_seconds() {
        let stop = |log: &str| Session::new(log).event("Stop", "\"stop_hook_active\":false", files_to_come);
        assert_eq!(stop(LOG), [(PathBuf::from("/p/new.txt"), Duration::from_millis(1500))]);
        assert_eq!(
            stop(&LOG.replace("17:17:40.920", "17:17:39.420")),
            [("/p/new.txt".into(), Duration::ZERO)]
        );
        assert_eq!(stop(&LOG.replace("17:17:40.920", "17:17:39.419")), []);
        assert_eq!(stop(&LOG.replace("create_file", "read_file")), []);
        assert_eq!(stop(""), []);
    }

    #[test]
    fn tools_of_the_last_minute_are_reported() {
        let stop = |log: &str| Session::new(log).event("Stop", "\"stop_hook_active\":false", tools_lately);
        assert_eq!(stop(LOG), [ToolKind::Create, ToolKind::Agent]);
        assert_eq!(stop(&LOG.replace("17:17:40.920", "17:16:42.419")), [ToolKind::Agent]);
        assert_eq!(stop(""), []);
    }

    #[test]
    fn a_prompt_is_a_sub_agents_while_the_call_that_gave_it_runs() {
        let session = Session::new(LOG);
        assert!(session.is_of_sub_agent("Look around."));
        assert!(!session.is_of_sub_agent("Go on."));
        let ended = format!(
            "{LOG}{}\n",
            r#"{"type":"tool.execution_complete","data":{"toolCallId":"call_0006","success":true}}"#
        );
        assert!(!Session::new(&ended).is_of_sub_agent("Look around."));
        assert!(
            !Session::new(&LOG.replace("runSubagent", "run_in_terminal")).is_of_sub_agent("Look around.")
        );
    }

    #[test]
    fn a_log_that_is_cut_or_broken_tells_what_can_be_read() {
        let broken = format!("xecution_start\"}}\n{LOG}{{\"type\":\"tool.execution_sta");
        assert_eq!(calls_of(&broken), calls_of(LOG));
        assert_eq!(calls_of(LOG).len(), 2);
        let long = format!("{}\n{LOG}", "x".repeat(usize::try_from(MOST).unwrap()));
        assert!(Session::new(&long).is_of_sub_agent("Look around."));
    }
}
