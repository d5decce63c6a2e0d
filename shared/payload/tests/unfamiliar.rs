//! Payloads that no known host writes: what is read out of them, and what is not.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use payload::{Dialect, EventKind, Hints, Host, parse};

/// What is seen of a payload: the event's kind, the tool, the commands, the edited paths, and whether anything was read.
fn seen(text: &str) -> (EventKind, String, Vec<String>, Vec<String>, bool) {
    let event = parse(text.as_bytes(), Hints::default()).unwrap();
    let tool = event.tool().map(|tool| tool.name.to_string()).unwrap_or_default();
    let commands = event.commands().into_iter().map(|command| command.text.into_owned()).collect();
    let edits = event.edits().into_iter().map(|edit| edit.path.into_owned()).collect();
    assert_eq!(event.may_be_call(), event.is_unfamiliar() || event.kind.is_before_tool(), "{text}");
    // A host that is known by its documents is named, and answered in its own form.
    if event.is_unfamiliar() && !event.host.is_late() {
        assert_eq!((event.host, event.dialect), (Host::Unknown, Dialect::Unknown), "{text}");
    }
    (event.kind, tool, commands, edits, !event.input_unreadable())
}

#[test]
fn a_call_is_found_wherever_it_stands() {
    for (text, tool, commands, edits) in [
        (
            r#"{"hookName":"tool_call","tool_call":{"id":"1","name":"run_commands","input":{"commands":["rm -rf /"]}},"preToolUse":{"toolName":"run_commands","parameters":{"commands":"[\"rm -rf /\"]"}}}"#,
            "run_commands",
            &["rm -rf /"][..],
            &[][..],
        ),
        (
            r#"{"agent_action_name":"pre_run_command","tool_info":{"command_line":"rm -rf /","cwd":"/tmp"}}"#,
            "run_command",
            &["rm -rf /"],
            &[],
        ),
        (
            r#"{"toolCall":{"name":"run_command","args":{"CommandLine":"rm -rf /","Cwd":"/tmp"}},"stepIdx":3}"#,
            "run_command",
            &["rm -rf /"],
            &[],
        ),
        (
            r#"{"hook_event_name":"beforeShellExecution","conversation_id":"c","command":"rm -rf /","cwd":"/tmp"}"#,
            "",
            &["rm -rf /"],
            &[],
        ),
        (
            r#"{"agent_action_name":"pre_write_code","tool_info":{"file_path":"/p/.claude/settings.json","edits":[{"old_string":"a","new_string":"b"}]}}"#,
            "Edit",
            &[],
            &["/p/.claude/settings.json"],
        ),
        (
            r#"{"hook_event_name":"beforeReadFile","file_path":"/p/a","content":"x","session_id":"s"}"#,
            "",
            &[],
            &[],
        ),
        (
            r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":["Bash"],"tool_input":{"command":"ls"}}"#,
            "Bash",
            &["ls"],
            &[],
        ),
        (
            r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","arguments":{"command":"ls"}}"#,
            "Bash",
            &["ls"],
            &[],
        ),
        (
            r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","arguments":{"foo":"ls"}}"#,
            "Bash",
            &["ls"],
            &[],
        ),
        (r#"{"data":"{\"payload\":[{\"cmd\":\"ls\"}]}"}"#, "", &["ls"], &[]),
    ] {
        let edits: Vec<String> = edits.iter().map(|edit| (*edit).to_owned()).collect();
        let commands: Vec<String> = commands.iter().map(|command| (*command).to_owned()).collect();
        let (kind, found, run, changed, _) = seen(text);
        assert_eq!((kind, found.as_str()), (EventKind::PreToolUse, tool), "{text}");
        assert_eq!((run, changed), (commands, edits), "{text}");
    }
}

#[test]
fn what_says_nothing_is_not_read() {
    for (text, read) in [
        ("{}", false),
        (r#"{"foo":1}"#, false),
        (r#"{"hook_event_name":"PreToolUse","session_id":"s"}"#, false),
        (r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_input":{"a":"b"}}"#, false),
        (r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"mcp__a__b"}"#, false),
        (r#"{"toolCall":{"name":"run_command","args":{}}}"#, false),
        (r#"{"toolCall":{"name":"ask_question","args":{"question":"rm -rf /?"}}}"#, true),
        (
            r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"mcp__a__b","tool_input":null}"#,
            true,
        ),
        (
            r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"mcp__a__b","tool_input":{}}"#,
            true,
        ),
    ] {
        let (.., readable) = seen(text);
        assert_eq!(readable, read, "{text}");
        assert!(parse(text.as_bytes(), Hints::default()).unwrap().may_be_call(), "{text}");
    }
}

#[test]
fn what_is_not_a_call_stays_none() {
    for text in [
        r#"{"session_id":"s","cwd":"/p","message":"rm -rf /"}"#,
        r#"{"session_id":"s","hook_event_namex":"SessionStart","source":"/p/.claude/settings.json"}"#,
        r#"{"session_id":"s","hook_event_name":["Stop"],"last_assistant_message":"rm -rf /"}"#,
        r#"{"session_id":"s","hook_event_name":"\"Notification\"","message":"rm -rf /"}"#,
        r#"{"hookName":"tool_result","tool_result":{"name":"run_commands","input":{"commands":["rm -rf /"]},"output":[]}}"#,
        r#"{"agent_action_name":"post_run_command","tool_info":{"command_line":"rm -rf /"}}"#,
        r#"{"agent_action_name":"pre_user_prompt","tool_info":{"user_prompt":"rm -rf /"}}"#,
        r#"{"hook_event_name":"afterFileEdit","file_path":"/p/.claude/settings.json","edits":[]}"#,
        r#"{"hook_event_name":"beforeSubmitPrompt","prompt":"rm -rf /","attachments":[{"filePath":"/p/.claude/settings.json"}]}"#,
        r#"{"sessionId":"s","timestamp":1,"toolName":"bash","toolArgs":{"command":"rm -rf /"},"toolResultx":{"a":1}}"#,
        r#"{"sessionId":"s","timestamp":1,"toolName":"bash","toolArgs":{"command":"rm -rf /"},"x":{"toolResult":{"a":1}}}"#,
        r#"{"session_id":"s","tool_calls":[{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"tool_response":"x"}]}"#,
    ] {
        let event = parse(text.as_bytes(), Hints::default()).unwrap();
        assert!(!event.may_be_call(), "{text}: {:?}", event.kind);
    }
}

#[test]
fn settings_that_name_host_and_event_change_nothing() {
    let hints = Hints { host: Some(Host::Claude), event: Some(EventKind::PreToolUse) };
    let text = r#"{"toolCall":{"name":"run_command","args":{"CommandLine":"rm -rf /"}}}"#;
    let event = parse(text.as_bytes(), hints).unwrap();
    assert_eq!((event.kind, event.dialect), (EventKind::PreToolUse, Dialect::Unknown));
    assert_eq!(event.commands()[0].text, "rm -rf /");
    let event = parse(br#"{"a":1}"#, hints).unwrap();
    assert!(event.may_be_call() && event.input_unreadable());
}

#[test]
fn the_folder_of_a_command_is_where_its_tool_goes() {
    let folders = |tool: &str, input: &str| {
        let text = format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/p","tool_name":"{tool}","tool_input":{input}}}"#
        );
        let event = parse(text.as_bytes(), Hints::default()).unwrap();
        let folders = event.folders().into_iter();
        folders
            .map(|folder| folder.map_or("-".to_owned(), std::borrow::Cow::into_owned))
            .collect::<Vec<_>>()
            .join(" ")
    };
    for (tool, input, expected) in [
        ("Bash", r#"{"command":"ls"}"#, "-"),
        ("run_shell_command", r#"{"command":"ls","dir_path":".github"}"#, ".github"),
        ("run_shell_command", r#"{"command":"ls","directory":".github"}"#, ".github -"),
        ("Bash", r#"{"command":"ls","cwd":"/tmp"}"#, "/tmp -"),
        ("mcp__t__run", r#"{"command":"ls","cwd":"/tmp"}"#, "/tmp"),
        ("mcp__t__run", r#"{"command":"ls","workingDirectory":"file:///tmp"}"#, "/tmp"),
        ("mcp__t__run", r#"{"command":"ls","directory":"a"}"#, "a -"),
        ("mcp__t__run", r#"{"cwd":"a","steps":[{"command":"x"},{"command":"y","workdir":"b"}]}"#, "a b"),
        ("mcp__t__run", r#"{"steps":[{"command":"x"},{"command":"y","workdir":"b"}]}"#, "- b"),
    ] {
        assert_eq!(folders(tool, input), expected, "{tool} {input}");
    }
}

#[test]
fn patches_are_edits_of_what_they_name() {
    let edits = |tool: &str, input: serde_json::Value| {
        let text = serde_json::json!({ "hook_event_name": "PreToolUse", "session_id": "s", "tool_name": tool, "tool_input": input });
        let text = text.to_string();
        let event = parse(text.as_bytes(), Hints::default()).unwrap();
        let edits = event
            .edits()
            .into_iter()
            .map(|edit| format!("{:?} {} {:?}", edit.access, edit.path, edit.change));
        edits.collect::<Vec<_>>()
    };
    let diff = "diff --git a/x/y b/x/y\n--- a/x/y\n+++ b/x/y\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-z\n";
    for (tool, key) in [("mcp__jet__apply", "patch"), ("mcp__fs__tool", "unified_diff"), ("apply", "diff")] {
        let found = edits(tool, serde_json::json!({ key: diff }));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("Write x/y Pieces") && found[0].contains(r#"old: "a\nb\n""#),
            "{found:?}"
        );
        assert!(found[1].starts_with("Delete gone"), "{found:?}");
    }
    let patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch";
    assert_eq!(edits("mcp__x__y", serde_json::json!({ "text": patch })), ["Delete a Unknown"]);
    assert_eq!(edits("mcp__git__show", serde_json::json!({ "query": "--- a/x and +++ b/x" })), [""; 0]);
    let serena = serde_json::json!({ "relative_path": ".claude/settings.json", "content": "x" });
    assert_eq!(edits("mcp__serena__create_text_file", serena), [r#"Write .claude/settings.json Whole("x")"#]);
    let moved = serde_json::json!({ "from": "a", "to": "b" });
    assert_eq!(edits("mcp__fs__move", moved.clone()), ["Delete a Unknown", "Write b Unknown"]);
    assert_eq!(edits("mcp__mail__update_draft", moved), [""; 0]);
}

/// Random JSON with a catastrophic command somewhere below a key that means a command.
mod silence {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    const COMMAND: &str = "rm -rf /";

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-z ]{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::vec((key(), inner), 0..3)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    fn key() -> impl Strategy<Value = String> {
        let words = vec![
            "session_id",
            "cwd",
            "payload",
            "data",
            "options",
            "params",
            "input",
            "arguments",
            "tool",
            "tool_input",
            "name",
            "items",
            "meta",
            "transcript_path",
            "timestamp",
            "event",
            "toolName",
            "request",
            "content",
            "text",
        ];
        prop_oneof![prop::sample::select(words).prop_map(str::to_owned), "[a-zA-Z_]{1,8}"]
    }

    fn command_key() -> impl Strategy<Value = String> {
        let words = vec![
            "command",
            "cmd",
            "script",
            "commandLine",
            "command_line",
            "CommandLine",
            "cmdline",
            "shell_command",
            "argv",
            "commands",
            "run",
            "exec",
            "bash",
            "program",
            "executable",
            "shellCommand",
            "COMMAND",
            "commandx",
            "the-command",
        ];
        prop::sample::select(words).prop_map(str::to_owned)
    }

    /// The command as a host may write it.
    fn command() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(json!(COMMAND)),
            Just(json!([COMMAND])),
            Just(json!(["rm", "-rf", "/"])),
            Just(json!(["ls", COMMAND])),
            Just(json!([["rm", "-rf", "/"]])),
            Just(json!({ "value": COMMAND })),
            Just(json!({ "a": [{ "b": COMMAND }] })),
            Just(json!("\"rm -rf /\"")),
            Just(json!("[\"rm -rf /\"]")),
            Just(json!("{\"x\":\"rm -rf /\"}")),
        ]
    }

    fn payload() -> impl Strategy<Value = Value> {
        let place = (command_key(), command(), prop::collection::vec((key(), any_json(), 0..4u8), 0..5));
        place.prop_map(|(key, command, around)| {
            // A program is one word or a line, not a list.
            let program = ["program", "executable"].contains(&&*key);
            let mut value = json!({ key: if program { json!(COMMAND) } else { command } });
            for (key, beside, how) in around {
                value = match how {
                    0 => json!({ key: value }),
                    1 => json!({ key: [beside, value] }),
                    2 => json!({ key: value.to_string() }),
                    _ => {
                        let mut members = value.as_object().cloned().unwrap_or_default();
                        members.entry(key).or_insert(beside);
                        Value::Object(members)
                    }
                };
            }
            value
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_command_in_random_json_passes_in_silence(payload in payload()) {
            let text = payload.to_string();
            let event = parse(text.as_bytes(), Hints::default()).unwrap();
            prop_assert!(event.may_be_call(), "{text}: {:?} {:?}", event.kind, event.name);
            let seen = event.commands().iter().any(|command| command.text.contains(COMMAND));
            prop_assert!(seen || event.input_unreadable(), "{text}: {:?}", event.commands());
        }
    }
}
