//! Splunk's HTTP Event Collector, by its documents: a stand-in of ours answers as it does.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;

use super::collector::{Collector, Reply};
use super::{Laptop, lines_of};

#[test]
fn events_are_indexed_as_their_exact_lines_and_acknowledgement_is_waited_for() {
    let laptop = Laptop::new(700);
    let token = laptop.path().join("token");
    fs::write(&token, "0000-1111").unwrap();
    fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).unwrap();
    let collector = Collector::start(|number, taken| {
        if taken.path.starts_with("/services/collector/ack?channel=") {
            // At first the indexer has it not.
            return Reply::Say(if number % 3 == 1 {
                r#"{"acks":{"7":false}}"#
            } else {
                r#"{"acks":{"7":true}}"#
            });
        }
        assert_eq!(taken.path, "/services/collector/event");
        Reply::Say(r#"{"text":"Success","code":0,"ackId":7}"#)
    });
    let to = format!("splunk+http://127.0.0.1:{}", collector.port);
    let answer = laptop.ship(&["--to", &to, "--token-file", token.to_str().unwrap()]);
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    let taken = collector.taken();
    let events: Vec<_> = taken.iter().filter(|taken| taken.path.ends_with("/event")).collect();
    let lines: Vec<String> = events.iter().flat_map(|taken| lines_of(&taken.body)).collect();
    assert_eq!(laptop.arrived(&lines), 0);
    assert!(taken.len() > events.len(), "acknowledgement was asked for");
    let first: Value =
        serde_json::from_slice(events[0].body.split(|byte| *byte == b'\n').next().unwrap()).unwrap();
    assert_eq!(first["sourcetype"], "policy_hooks:audit");
    assert!(first["time"].as_f64().unwrap() > 1.7e9 && first["fields"]["audit_seq"] == 1, "{first}");
    let has = |name: &str, value: &str| events[0].headers.contains(&(name.to_owned(), value.to_owned()));
    assert!(has("authorization", "Splunk 0000-1111"));
    assert!(
        events[0].headers.iter().any(|(name, value)| name == "x-splunk-request-channel" && value.len() == 36)
    );
}
