//! Any text at all as a command. See `tests/fuzz/run` for how to run it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    fuzz::check(text);
});
