//! Any bytes as a hook's standard input: parsed, looked at from every side, answered. See `tests/fuzz/run`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use payload::{
    Address, Decision, Event, EventKind, Field, Hints, Host, MAX_REASON, Reason, Verdict, model, parse,
    render,
};
use serde_json::value::RawValue;

fuzz_target!(|bytes: &[u8]| {
    let (choice, payload) = bytes.split_first().unwrap_or((&0, &[]));
    let hints = hints(*choice);
    let Ok(event) = parse(payload, hints) else {
        answer(&Address::unknown(), "");
        return;
    };
    let again = parse(payload, hints).map(|event| format!("{event:?}"));
    assert_eq!(Some(format!("{event:?}")), again.ok(), "the same bytes, two answers");
    look(&event);
    let said = event.commands().first().map_or_else(String::new, |command| command.text.to_string());
    answer(&event.address(), &said);
});

fn hints(choice: u8) -> Hints {
    let host = [None, Some(Host::Claude), Some(Host::Codex), Some(Host::Gemini), Some(Host::Copilot)];
    let event =
        [None, Some(EventKind::PreToolUse), Some(EventKind::PermissionRequest), Some(EventKind::Stop)];
    Hints {
        host: host[usize::from(choice) % host.len()],
        event: event[usize::from(choice / 5) % event.len()],
    }
}

/// Every view of an event.
fn look(event: &Event<'_>) {
    for &field in Field::ALL {
        let _ = (event.field(field), event.text(field));
    }
    let _ = (
        event.session_id(),
        event.cwd(),
        event.transcript_path(),
        event.timestamp(),
        event.permission_mode(),
    );
    let _ = (event.source(), event.stop_hook_active(), event.prompt(), event.agent(), event.tool());
    let _ = (event.tool_kind(), event.tool_use_id(), event.input_text(), event.input_unreadable());
    let _ = (event.tool_result(), event.tool_result_text(), event.error(), event.unknown_fields());
    let _ =
        (event.mcp(), event.agent_started(), event.urls(), event.commands(), event.paths(), event.asking());
    if let Some(input) = event.input() {
        // A number may be larger than serde_json takes for a value.
        assert!(serde_json::from_str::<&RawValue>(input.text()).is_ok(), "an input that is not JSON");
    }
    for defect in event.defects() {
        let _ = format!("{defect:?}");
    }
}

/// Every verdict as a reply: one line of ASCII JSON, which the model of the host reads without trouble.
fn answer(address: &Address<'_>, said: &str) {
    let reason = || Reason { text: said.to_owned(), advice: said.to_owned(), rule: "fuzz.rule".to_owned() };
    let mut verdicts = vec![Verdict::NoOpinion, Verdict::Block { reason: reason() }];
    verdicts.extend([
        Verdict::Context(said.to_owned()),
        Verdict::Notice(said.to_owned()),
        Verdict::Rewrite { input: r#"{"command":"ls"}"#.to_owned(), approve: true, said: Reason::default() },
    ]);
    for decision in [Decision::Allow, Decision::Ask, Decision::Deny] {
        verdicts.push(Verdict::Decide { decision, reason: reason() });
    }
    for verdict in verdicts {
        let Ok(reply) = render(&verdict, address) else { continue };
        assert!(reply.stdout.is_ascii() && !reply.stdout.contains(['\n', '\r']), "{}", reply.stdout);
        let json: serde_json::Value = serde_json::from_str(&reply.stdout).expect("a reply is JSON");
        assert!(json.is_object(), "a reply is an object");
        let _ = model::read(address, &reply);
    }
    assert!(reason().render().chars().count() <= MAX_REASON);
}
