//! Any text as a command line or batch file of cmd.exe. See `tests/fuzz/run`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shell::Language;

fuzz_target!(|text: &str| {
    fuzz::check_as(text, Language::Cmd);
});
