#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

const SHIPPED: &str = include_str!("../../../../../configs/claude-code/settings.json");
const GATE: &str = include_str!("../../../../../configs/claude-code/approval-gate.json");
const LOGGER: &str = include_str!("../../../../../configs/claude-code/audit-logger.json");
const ALL: &[(&str, &str)] = &[("", SHIPPED), ("", GATE), ("", LOGGER)];
const HOOKS: &[&str] = &["command-blocker", "approval-gate", "audit-logger"];

fn by_name(_: &Call) -> Option<String> {
    None
}

#[expect(clippy::unnecessary_wraps, reason = "it stands for others")]
fn by_path(call: &Call) -> Option<String> {
    Some(Call::write(
        &format!("/opt/a b/{}", call.program),
        &call.rest,
        host::installed::command::Quoting::Posix,
    ))
}

fn added(text: Option<&str>, command: &dyn Fn(&Call) -> Option<String>) -> String {
    with(text, &Wanted { shipped: ALL, hooks: HOOKS, command, frame: Frame::USUAL }).unwrap().unwrap()
}

fn value(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Adds ours and removes it again, and looks at both.
fn there_and_back(text: &str) {
    for command in [&by_name as &dyn Fn(&Call) -> Option<String>, &by_path] {
        let once = added(Some(text), command);
        assert!(tree::parse(&once).is_ok() || tree::parse(text).is_err(), "{once}");
        assert!(once.contains("audit-logger") && once.contains("command-blocker"), "{once}");
        assert_eq!(added(Some(&once), command), once, "twice is once");
        assert_eq!(without(&once, HOOKS, Frame::USUAL).unwrap().as_deref(), Some(text), "{once}");
        // In two steps, both ways.
        let one = Wanted { shipped: ALL, hooks: &HOOKS[..1], command, frame: Frame::USUAL };
        let one = with(Some(text), &one).unwrap().unwrap();
        assert_eq!(without(&one, &HOOKS[..1], Frame::USUAL).unwrap().as_deref(), Some(text), "{one}");
        let both = added(Some(&one), command);
        let less = without(&both, &HOOKS[1..], Frame::USUAL).unwrap().unwrap();
        assert_eq!(
            without(&less, &HOOKS[..1], Frame::USUAL).unwrap().as_deref(),
            Some(text),
            "{both}\n{less}"
        );
    }
}

#[test]
fn a_new_file_says_what_is_shipped() {
    let wanted = Wanted { shipped: &[("", SHIPPED)], hooks: HOOKS, command: &by_name, frame: Frame::USUAL };
    let text = with(None, &wanted).unwrap().unwrap();
    assert_eq!(text, SHIPPED, "its order, too");
    assert_eq!(without(&text, HOOKS, Frame::USUAL).unwrap(), None);
    assert_eq!(without(&added(None, &by_path), HOOKS, Frame::USUAL).unwrap(), None);
}

#[test]
fn the_bytes_come_back() {
    for text in [
        "",
        "\n",
        "  \r\n",
        "\u{feff}",
        "{}",
        "{}\n",
        "{ }",
        "{\n}\n",
        "{\r\n}\r\n",
        "\u{feff}{}\n",
        "{\"a\":1}",
        "{\"a\":1}\n",
        "{ \"a\": 1 }",
        "{\"hooks\":{}}",
        "{\"hooks\": {}}\n",
        "{\n  \"hooks\": {}\n}\n",
        "{\n  \"hooks\": {\n  }\n}\n",
        "{\n  \"hooks\": {},\n  \"model\": \"x\"\n}",
        "{\"hooks\":{\"PreToolUse\":[]}}",
        "{\n  \"hooks\": {\n    \"PreToolUse\": [],\n    \"Stop\": [\n    ]\n  }\n}\n",
        "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"make\"}]}]},\"b\":2}",
        "{\r\n  \"model\": \"opus\",\r\n  \"hooks\": {\r\n    \"Stop\": []\r\n  }\r\n}\r\n",
        "{\n  // mine\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"make\"}]}, // why\n    ],\n  },\n}\n",
        "{\n\t\"a\": [1, 2,   3],\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{ \"hooks\": [ { \"type\": \"command\", \"command\": \"other\" } ] }\n\t\t]\n\t}\n}\n",
        "{\"security\": {\"auth\": 1}, \"general\": {\"a\": true}, \"ui\": {}}",
        "// first\n{\n  /* second */\n}\n// last\n",
        "{ /* , */ \"a\": 1 /* , */ }",
        "{\"hooks\":{\"PreToolUse\":7},\"hooks\":{}}",
    ] {
        there_and_back(text);
    }
}

#[test]
fn the_style_is_the_files_own() {
    let one_line = added(Some("{\"a\":1}"), &by_name);
    assert!(!one_line.contains('\n'), "{one_line}");
    let tabs = added(Some("{\n\t\"a\": 1\n}\n"), &by_name);
    assert!(tabs.contains("\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{"), "{tabs}");
    let windows = added(Some("{\r\n  \"a\": 1\r\n}\r\n"), &by_name);
    assert_eq!(windows.matches('\n').count(), windows.matches("\r\n").count(), "{windows:?}");
    assert!(added(Some("{\n  \"a\": 1\n}"), &by_name).ends_with('}'), "no newline at the end");
}

#[test]
fn both_forms_are_ours() {
    let names = added(Some("{\"a\":1}"), &by_name);
    let paths = added(Some(&names), &by_path);
    assert_eq!(
        paths.matches("/opt/a b/").count(),
        names.matches("-blocker\"").count()
            + names.matches("-gate\"").count()
            + names.matches("-logger\"").count()
    );
    assert_eq!(paths, added(Some("{\"a\":1}"), &by_path), "rewritten in place");
    let moved = paths.replace("/opt/a b/", "/usr/lib/");
    assert_eq!(added(Some(&moved), &by_path), paths, "the programs moved");
    assert_eq!(added(Some(&paths), &by_name), paths, "a path that is there stays");
    assert_eq!(without(&paths, HOOKS, Frame::USUAL).unwrap().as_deref(), Some("{\"a\":1}"));
    // Arguments stay.
    let strict = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"command-blocker --profile strict"}]}]}}"#;
    let strict = added(Some(strict), &by_path);
    assert!(strict.contains("'/opt/a b/command-blocker' --profile strict"), "{strict}");
}

#[test]
fn handlers_that_do_more_are_not_ours() {
    let text =
        r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"command-blocker && mine"}]}]}}"#;
    assert_eq!(without(text, HOOKS, Frame::USUAL).unwrap().as_deref(), Some(text));
    let shared = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"mine"},{"type":"command","command":"command-blocker"}]}]}}"#;
    let left = value(&without(shared, HOOKS, Frame::USUAL).unwrap().unwrap());
    assert_eq!(left["hooks"]["PreToolUse"][0]["hooks"].as_array().unwrap().len(), 1);
}

#[test]
fn what_was_added_after_ours_stays() {
    let text = added(Some("{\"a\":1}"), &by_name);
    let group = "{\"hooks\":[{\"type\":\"command\",\"command\":\"mine\"}]}";
    let text = text.replacen("\"PreToolUse\": [ ", &format!("\"PreToolUse\": [ {group}, "), 1);
    let left = value(&without(&text, HOOKS, Frame::USUAL).unwrap().unwrap());
    assert_eq!(left, serde_json::json!({"a": 1, "hooks": {"PreToolUse": [value(group)]}}));
}

#[test]
fn what_cannot_be_read_is_not_written() {
    let wanted = Wanted { shipped: ALL, hooks: HOOKS, command: &by_name, frame: Frame::USUAL };
    for text in ["{", "[]", "null", "{\"hooks\": 1}", "{\"hooks\": {\"PreToolUse\": {}}}"] {
        assert!(with(Some(text), &wanted).is_err(), "{text}");
    }
}

/// JSON with white space and, for hosts that take them, comments in every place.
fn texts() -> impl Strategy<Value = String> {
    let space = prop_oneof![
        6 => Just(""), 3 => Just(" "), 3 => Just("\n"), 2 => Just("\n  "), 1 => Just("\r\n\t"),
        1 => Just(" // x, }\n"), 1 => Just("/* ], */"),
    ];
    let leaf = prop_oneof![Just("1"), Just("null"), Just("\"a b\""), Just("[]"), Just("{}"), Just("\"}\"")];
    let mine = Just(r#"{"hooks":[{"type":"command","command":"mine"}]}"#);
    let groups =
        (proptest::collection::vec((space.clone(), mine, space.clone()), 0..3), space.clone(), any::<bool>())
            .prop_map(|(groups, end, comma)| {
                let all: Vec<String> = groups.iter().map(|(a, group, b)| format!("{a}{group}{b}")).collect();
                let comma = if comma && !all.is_empty() { "," } else { "" };
                format!("[{}{comma}{end}]", all.join(","))
            });
    let events =
        proptest::sample::subsequence(vec!["PreToolUse", "PermissionRequest", "Stop", "Other"], 0..4);
    let hooks = (events, proptest::collection::vec((space.clone(), groups, space.clone()), 4), space.clone())
        .prop_map(|(events, groups, end)| {
            let all: Vec<String> = events
                .iter()
                .zip(&groups)
                .map(|(event, (a, groups, b))| format!("{a}\"{event}\":{b}{groups}{a}"))
                .collect();
            format!("{{{}{end}}}", all.join(","))
        });
    let member = (space.clone(), "[a-z]{1,4}", space.clone(), leaf, space.clone())
        .prop_map(|(a, key, b, leaf, c)| format!("{a}\"{key}\"{b}:{b}{leaf}{c}"));
    let members = proptest::collection::vec(member, 0..4);
    (space.clone(), members, proptest::option::of(hooks), any::<usize>(), space.clone(), space).prop_map(
        |(before, mut members, hooks, at, inside, after)| {
            if let Some(hooks) = hooks {
                let at = at % (members.len() + 1);
                members.insert(at, format!("{inside}\"hooks\": {hooks}"));
            }
            format!("{before}{{{}{inside}}}{after}", members.join(","))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]
    #[test]
    fn the_bytes_of_any_file_come_back(text in texts()) {
        there_and_back(&text);
    }
}
