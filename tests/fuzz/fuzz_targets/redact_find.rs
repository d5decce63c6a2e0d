//! Any text through the redactor. See `tests/fuzz/run`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use redact::{KEY_LENGTH, Key, Redactor, find};

fuzz_target!(|text: &str| {
    let spans = find(text);
    let mut from = 0;
    for span in &spans {
        assert!(from <= span.start && span.start < span.end && span.end <= text.len(), "{spans:?}");
        assert!(text.get(span.start..span.end).is_some(), "a character is cut: {span:?}");
        from = span.end;
    }
    let key = Key::new(&|| [1; KEY_LENGTH]);
    let redacted = Redactor::new(&key, &[]).redact(text);
    assert_eq!(redacted.made.is_empty(), spans.is_empty());
    for span in spans.iter().filter(|span| span.end - span.start >= 24) {
        assert!(!redacted.text.contains(&text[span.start..span.end]), "{span:?} is still there");
    }
});
