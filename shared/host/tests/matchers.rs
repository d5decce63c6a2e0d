//! Each host calls a hook for the matchers for which the real one was recorded calling it.
//!
//! A line of `matchers.jsonl` is one event of a session with a shell call, `echo hi`, and a recorder with each matcher.
#![allow(clippy::unwrap_used)]

use host::{Product, Request, Subject, event};
use payload::EventKind;
use serde_json::Value;

const RECORDED: &str = include_str!("matchers.jsonl");

fn request(product: Product, kind: EventKind) -> Request {
    if kind.is_about_tool() {
        return Request::shell(kind, product, "echo hi", "/p");
    }
    Request { subject: Subject::Plain("startup".to_owned()), ..Request::new(kind, "/p") }
}

#[test]
fn matchers_match_what_they_were_recorded_matching() {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for line in RECORDED.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let product: Product = row["host"].as_str().unwrap().parse().unwrap();
        assert_eq!(row["version"], product.version, "record it with the new version");
        let known = event::known(product, row["event"].as_str().unwrap()).unwrap();
        let names = request(product, known.kind).names_in(product, known.dialect);
        for (key, called) in [("called", true), ("not_called", false)] {
            for text in row[key].as_array().unwrap().iter().map(|text| text.as_str().unwrap()) {
                compared += 1;
                let (matcher, _) = (product.matcher)(text, known.dialect, known.kind);
                if matcher.matches(&names) != called {
                    wrong.push(format!("{} {}: {text:?}: recorded {called}", row["host"], row["event"]));
                }
            }
        }
    }
    assert!(compared > 550, "{compared}");
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
}
