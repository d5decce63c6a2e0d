//! Code of other languages on a command line. The first byte chooses the language. See `tests/fuzz/run`.
#![no_main]

use libfuzzer_sys::fuzz_target;

const LANGUAGES: &[&str] = &[
    "python3 -c",
    "node -e",
    "perl -e",
    "ruby -e",
    "php -r",
    "awk",
    "lua -e",
    "deno eval",
    "Rscript -e",
    "perl -ne",
    "groovy -e",
    "julia -e",
    "elixir -e",
    "emacs --batch --eval",
    "tclsh -c",
    "swift -e",
];

fuzz_target!(|input: (u8, &str)| {
    let (language, body) = input;
    let language = LANGUAGES[usize::from(language) % LANGUAGES.len()];
    fuzz::check(&format!("{language} {}", fuzz::quoted(body)));
});
