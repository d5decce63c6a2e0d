//! Any text as PowerShell. See `tests/fuzz/run`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shell::Language;

fuzz_target!(|text: &str| {
    fuzz::check_as(text, Language::PowerShell);
});
