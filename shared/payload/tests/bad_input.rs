//! Payloads that no host should write, and that must not get past a guard.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use payload::{
    Dialect, EventKind, Field, Hints, Host, JsonType, Language, MAX_DEPTH, PayloadError, ToolKind, parse,
};

fn error(bytes: &[u8]) -> PayloadError {
    parse(bytes, Hints::default()).unwrap_err()
}

const CLAUDE: &str = r#"{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#;

#[test]
fn what_is_not_an_object_is_refused_by_name() {
    for (bytes, message) in [
        (&b""[..], "the payload is empty"),
        (b" \r\n", "the payload is empty"),
        (b"\xef\xbb\xbf", "the payload is empty"),
        (b"null", "the payload is null, not a JSON object"),
        (b"[1]", "the payload is an array, not a JSON object"),
        (b"\"{}\"", "the payload is a string, not a JSON object"),
        (b"-1", "the payload is a number, not a JSON object"),
        (b"true", "the payload is a boolean, not a JSON object"),
        (b"hello", "the payload is not JSON: an object was expected (line 1, column 1)"),
        (b"{\"a\":\"\xff\"}", "the payload is not UTF-8 (byte 6)"),
        (b"{\"a\":1}{}", "the payload is not JSON: text after the object (line 1, column 8)"),
        (b"{\"a\":\n tru}", "the payload is not JSON: expected a value (line 2, column 2)"),
        (b"{\"a\":1,}", "the payload is not JSON: a string was expected (line 1, column 8)"),
        (b"{'a':1}", "the payload is not JSON: a string was expected (line 1, column 2)"),
        (b"{\"a\":\"\x01\"}", "the payload is not JSON: a control character in a string (line 1, column 7)"),
    ] {
        let error = error(bytes);
        assert_eq!(error.to_string(), message);
        assert!(!error.hint().is_empty());
    }
}

#[test]
fn a_payload_that_was_cut_off_is_refused_wherever_it_was_cut() {
    for end in 1..CLAUDE.len() {
        assert!(matches!(error(&CLAUDE.as_bytes()[..end]), PayloadError::Syntax { .. }), "{end}");
    }
}

#[test]
fn deep_nesting_is_read_to_the_limit_and_then_refused() {
    let nested = |levels: usize| {
        format!(r#"{{"session_id":"s","tool_input":{{"a":{}{}}}}}"#, "[".repeat(levels), "]".repeat(levels))
    };
    assert!(parse(nested(64).as_bytes(), Hints::default()).is_ok());
    assert!(parse(nested(MAX_DEPTH - 2).as_bytes(), Hints::default()).is_ok());
    for levels in [MAX_DEPTH - 1, 100_000] {
        assert_eq!(error(nested(levels).as_bytes()), PayloadError::TooDeep { limit: MAX_DEPTH });
    }
    // Encoded in a string it is not an object that could be judged.
    let encoded =
        r#"{"sessionId":"s","toolName":"bash","toolArgs":"{\"a\":X}"}"#.replace('X', &"[".repeat(100_000));
    let event = parse(encoded.as_bytes(), Hints::default()).unwrap();
    assert_eq!(event.input(), None);
    assert!(event.input_unreadable());
}

#[test]
fn lone_surrogates_become_replacement_characters() {
    let text = CLAUDE.replace("ls", r"echo \ud800 \udc00x \ud83d\ude00");
    let event = parse(text.as_bytes(), Hints::default()).unwrap();
    assert_eq!(event.commands()[0].text, "echo \u{fffd} \u{fffd}x 😀");
}

#[test]
fn the_last_of_duplicate_keys_wins() {
    let text = CLAUDE.replace(r#""cwd":"/p""#, r#""cwd":"/a","cwd":"/b","tool_name":"Read""#);
    let event = parse(text.as_bytes(), Hints::default()).unwrap();
    assert_eq!(event.cwd().unwrap(), "/b");
    assert_eq!(event.tool().unwrap().name, "Bash");
    let text = CLAUDE.replace(r#""command":"ls""#, r#""command":"ls","command":"rm -rf /""#);
    let event = parse(text.as_bytes(), Hints::default()).unwrap();
    assert_eq!(event.commands().len(), 1);
    assert_eq!(event.commands()[0].text, "rm -rf /");
}

#[test]
fn a_byte_order_mark_and_white_space_do_not_matter() {
    let text = format!("\u{feff} \n{CLAUDE}\r\n\n");
    let event = parse(text.as_bytes(), Hints::default()).unwrap();
    assert_eq!((event.raw(), event.host), (CLAUDE, Host::Claude));
}

/// Every known field, in every spelling, with every type that it must not have: absent, remembered, and never an error.
#[test]
fn a_wrong_type_in_a_known_field_is_a_defect_and_not_an_error() {
    let values = [
        ("7", JsonType::Number),
        ("true", JsonType::Bool),
        ("[7]", JsonType::Array),
        (r#"{"a":7}"#, JsonType::Object),
        (r#""x""#, JsonType::String),
    ];
    let mut defects = 0;
    for field in Field::ALL {
        for key in field.spellings() {
            for (value, kind) in values {
                let text = format!(r#"{{"session_id":"s","hook_event_name":"PreToolUse","{key}":{value}}}"#);
                let event = parse(text.as_bytes(), Hints::default()).unwrap();
                let Some(seen) = event.field(*field) else {
                    assert_eq!(event.defects().len(), 1, "{text}");
                    assert_eq!(
                        (event.defects()[0].field, event.defects()[0].found),
                        (*field, kind),
                        "{text}"
                    );
                    assert!(!event.defects()[0].to_string().is_empty());
                    defects += 1;
                    continue;
                };
                assert_eq!((seen.text(), event.defects()), (value, &[][..]), "{text}");
            }
            let text = format!(r#"{{"{key}":null}}"#);
            let event = parse(text.as_bytes(), Hints::default()).unwrap();
            assert_eq!((event.field(*field), event.defects()), (None, &[][..]), "{text}");
        }
    }
    assert!(defects > 200, "only {defects} wrong types were seen");
}

#[test]
fn a_call_whose_input_has_a_wrong_type_says_so() {
    for value in ["7", "true", "[]", "null"] {
        let text = CLAUDE.replace(r#"{"command":"ls"}"#, value);
        let event = parse(text.as_bytes(), Hints::default()).unwrap();
        assert!(event.input_unreadable(), "{text}");
        assert_eq!(event.commands(), [], "{text}");
    }
    assert!(!parse(CLAUDE.as_bytes(), Hints::default()).unwrap().input_unreadable());
}

#[test]
fn hints_override_what_the_payload_says() {
    let hints = |host, event| Hints { host, event };
    let seen = |text: &str, hints| {
        let event = parse(text.as_bytes(), hints).unwrap();
        (event.host, event.dialect, event.kind)
    };
    assert_eq!(
        seen(CLAUDE, hints(Some(Host::Codex), None)),
        (Host::Codex, Dialect::Strict, EventKind::PreToolUse)
    );
    assert_eq!(
        seen(CLAUDE, hints(Some(Host::Gemini), Some(EventKind::Stop))),
        (Host::Gemini, Dialect::Timed, EventKind::Stop)
    );
    let copilot =
        r#"{"sessionId":"s","timestamp":1.5,"cwd":"/p","toolName":"bash","toolArgs":{"command":"ls"}}"#;
    assert_eq!(seen(copilot, Hints::default()), (Host::Copilot, Dialect::Flat, EventKind::PreToolUse));
    // VS Code's agent host speaks Copilot's dialect.
    assert_eq!(
        seen(copilot, hints(Some(Host::VsCode), None)),
        (Host::VsCode, Dialect::Flat, EventKind::PreToolUse)
    );
    // Nothing says that it is not a call: the widest form.
    assert_eq!(seen("{}", Hints::default()), (Host::Unknown, Dialect::Unknown, EventKind::Other));
    assert_eq!(
        seen("{}", hints(Some(Host::Copilot), None)),
        (Host::Unknown, Dialect::Unknown, EventKind::Other)
    );
}

#[test]
fn traps_of_single_hosts() {
    // stop_hook_active as a string, inside a camelCase payload.
    let text = r#"{"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","stopReason":"end_turn","stop_hook_active":"true"}"#;
    let event = parse(text.as_bytes(), Hints::default()).unwrap();
    assert_eq!((event.kind, event.stop_hook_active()), (EventKind::Stop, true));
    assert_eq!(event.timestamp().unwrap(), "2026-01-01T00:00:00Z");

    // Claude's tool names with Copilot's argument keys; a Windows path.
    let text = r#"{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"t","cwd":"C:\\p","tool_name":"Write","tool_input":{"path":"C:\\p\\a","file_text":"x"}}"#;
    let event = parse(text.as_bytes(), Hints::default()).unwrap();
    assert_eq!((event.host, event.tool_kind()), (Host::Copilot, ToolKind::Create));
    assert_eq!(event.paths()[0].path, r"C:\p\a");

    // The three forms of a result.
    for (result, seen) in [
        (r#""out""#, "out"),
        (r#"{"resultType":"success","textResultForLlm":"out"}"#, "out"),
        (r#"{"stdout":"out","stderr":""}"#, "out"),
        (r#"[{"type":"text","text":"out"}]"#, "out"),
    ] {
        let text = format!(
            r#"{{"sessionId":"s","timestamp":1,"toolName":"bash","toolArgs":{{"command":"a"}},"toolResult":{result}}}"#
        );
        let event = parse(text.as_bytes(), Hints::default()).unwrap();
        assert_eq!(event.kind, EventKind::PostToolUse);
        assert_eq!(event.tool_result_text().unwrap(), seen);
        assert_eq!(event.commands()[0].language, Language::Posix);
    }

    // An unknown event keeps its name.
    let text = r#"{"hook_event_name":"BrandNew","session_id":"s","prompt_id":"p","x":[1]}"#;
    let event = parse(text.as_bytes(), Hints::default()).unwrap();
    assert_eq!((event.kind, &*event.name, event.host), (EventKind::Other, "BrandNew", Host::Claude));
    assert_eq!(event.unknown_fields()[0].1.text(), "[1]");
    assert!(!event.may_be_call());
    // With a tool in it, it may be a call.
    let text = CLAUDE.replace("PreToolUse", "BrandNew");
    let event = parse(text.as_bytes(), Hints::default()).unwrap();
    assert_eq!((event.kind, &*event.name), (EventKind::PreToolUse, "BrandNew"));
    assert_eq!((event.host, event.dialect), (Host::Unknown, Dialect::Unknown));
    assert_eq!(event.commands()[0].text, "ls");
}
