//! Any text as a configuration: every host reads it the same way twice, and every finding has a place in it. See
//! `tests/fuzz/run`.
#![no_main]

use std::path::PathBuf;

use host::read::Source;
use host::{Format, Product, Request, System, read, select};
use host::place::Scope;
use libfuzzer_sys::fuzz_target;
use payload::EventKind;

fuzz_target!(|text: &str| {
    for product in Product::ALL {
        for format in [Format::Hooks, Format::Settings] {
            let source = Source { file: PathBuf::from("f.json"), scope: Scope::Project, format, text };
            let reading = read(product, &source, System::Linux);
            let again = read(product, &source, System::Linux);
            assert_eq!(reading.hooks, again.hooks, "the same text, two readings");
            assert!(!reading.dropped || reading.hooks.is_empty(), "a dropped file has no hooks");
            for problem in &reading.problems {
                assert!(problem.span.start <= problem.span.end && problem.span.end <= text.len(), "{problem:?}");
                assert!(!problem.message.is_empty());
            }
            for hook in &reading.hooks {
                assert!(hook.origin.span.end <= text.len() && hook.origin.line >= 1);
            }
            let request = Request::shell(EventKind::PreToolUse, product, "ls", "/p");
            for hook in select(product, &reading.hooks, &request) {
                assert_eq!(hook.kind, EventKind::PreToolUse);
            }
        }
    }
});
