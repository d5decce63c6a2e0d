//! Random JSON with a catastrophic command somewhere below a key that means a command: an answer of `{}` is a finding. See
//! `tests/fuzz/run`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use payload::{Hints, parse};
use rules::{CommandText, Decision, Language, Facts, judge};
use serde_json::{Map, Value, json};

const COMMAND: &str = "rm -rf /";

/// Keys that mean a command, as hosts and MCP servers write them.
const COMMAND_KEYS: [&str; 20] = [
    "command", "cmd", "script", "commandLine", "command_line", "CommandLine", "cmdline", "shell_command", "argv",
    "commands", "run", "exec", "bash", "shellCommand", "COMMAND", "commandx", "the-command", "execute", "Command",
    "bash_command",
];

/// Keys that mean something else, or nothing.
const OTHER_KEYS: [&str; 24] = [
    "session_id", "sessionId", "cwd", "payload", "data", "options", "params", "input", "arguments", "tool", "tool_name",
    "tool_input", "toolArgs", "name", "items", "meta", "transcript_path", "timestamp", "event", "request", "content",
    "text", "x", "description",
];

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source { bytes };
    let payload = payload(&mut source);
    let text = payload.to_string();
    let Ok(event) = parse(text.as_bytes(), Hints::default()) else { return };
    assert!(event.may_be_call(), "taken for no call: {text}");
    let commands = event.commands();
    let texts: Vec<CommandText<'_>> =
        commands.iter().map(|command| CommandText { text: &command.text, language: Language::Unknown }).collect();
    let denied = judge(&texts, &Facts::on_paper(Some("/p"), Some("/home/u"))).decision == Some(Decision::Deny);
    assert!(denied || event.input_unreadable(), "silent: {text}: {commands:?}");
});

/// Decisions out of the fuzzer's bytes; zeros when they are used up.
struct Source<'b> {
    bytes: &'b [u8],
}

impl Source<'_> {
    fn below(&mut self, limit: usize) -> usize {
        let (first, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
        self.bytes = rest;
        usize::from(*first) % limit
    }

    fn word(&mut self) -> String {
        (0..self.below(6)).map(|_| char::from(b"abcdefghijklmnopqrstuvwxyz_ "[self.below(28)])).collect()
    }

    fn key(&mut self) -> String {
        match self.below(4) {
            0 => self.word(),
            _ => OTHER_KEYS[self.below(OTHER_KEYS.len())].to_owned(),
        }
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth < 4 { 7 } else { 5 }) {
            0 => Value::Null,
            1 => true.into(),
            2 => self.below(256).into(),
            3 | 4 => self.word().into(),
            5 => (0..self.below(4)).map(|_| self.value(depth + 1)).collect(),
            _ => Value::Object((0..self.below(4)).map(|_| (self.key(), self.value(depth + 1))).collect()),
        }
    }
}

fn payload(source: &mut Source<'_>) -> Value {
    let command = match source.below(8) {
        0 => json!([COMMAND]),
        1 => json!(["rm", "-rf", "/"]),
        2 => json!([source.word(), COMMAND]),
        3 => json!({ source.word(): COMMAND }),
        4 => json!(format!("{COMMAND:?}")),
        5 => json!(json!([COMMAND]).to_string()),
        6 => json!([[COMMAND]]),
        _ => json!(COMMAND),
    };
    let key = COMMAND_KEYS[source.below(COMMAND_KEYS.len())];
    let mut value = json!({ key: command });
    for _ in 0..source.below(7) {
        value = match source.below(4) {
            0 => json!({ source.key(): value }),
            1 => json!({ source.key(): [source.value(2), value] }),
            2 => json!({ source.key(): value.to_string() }),
            _ => {
                let mut members = Map::new();
                members.insert(source.key(), source.value(1));
                // What is there already stays.
                members.extend(value.as_object().cloned().unwrap_or_default());
                Value::Object(members)
            }
        };
    }
    value
}
