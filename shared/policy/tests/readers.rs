//! A hook reads its policies by a quick reader where it can: whatever the text, it says what the thorough one says.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use policy::layers::{Source, Stack};
use policy::{Layer, MAX_FILE, Programs};
use proptest::prelude::*;
use proptest::sample::select;

const TODAY: i64 = 20_779;

/// What each reader makes of a string: the policy without its examples, and the mistakes.
fn readings(text: &str) -> (String, String) {
    let sources = [Source::of(Layer::User, "/p.toml", text)];
    let stack = Stack::of(&sources, TODAY);
    let (policy, errors) = policy::read(text, TODAY);
    let file = &stack.files[0];
    // Without the rules about other programs the mistakes are the same.
    let about = Stack::about(&Programs::default(), &sources, TODAY);
    assert_eq!(about.files[0].errors, file.errors, "{text}");
    (format!("{:?} {:?}", file.policy, file.errors), format!("{policy:?} {errors:?}"))
}

fn shipped() -> Vec<String> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/policies"));
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let own =
        [include_str!("data/sound.toml"), include_str!("data/sixty.toml"), include_str!("data/forms.toml")];
    files.chain(own.map(str::to_owned)).collect()
}

#[test]
fn both_read_the_same_from_every_policy_here() {
    let texts = shipped();
    assert!(texts.len() >= 7);
    for text in texts {
        let (quick, thorough) = readings(&text);
        assert_eq!(quick, thorough);
        let (quick, thorough) = readings(&text.replace('\n', "\r\n"));
        assert_eq!(quick, thorough, "with the line ends of Windows");
    }
}

#[test]
fn a_file_that_is_too_large_is_read_by_no_one() {
    let text = format!("schema = 1\n#{}", "x".repeat(MAX_FILE));
    let (quick, thorough) = readings(&text);
    assert_eq!(quick, thorough);
    assert!(quick.contains("TooLarge"));
}

/// A policy with a few pieces put in, taken out and moved.
fn damaged() -> impl Strategy<Value = String> {
    let pieces = select(vec![
        "[[rule]]",
        "[[rule]]\n",
        "[rule.run]\n",
        "[defaults]\n",
        "[[exception]]\n",
        "id = \"x\"\n",
        "id = \"git.a\"\n",
        "decision = \"allow\"\n",
        "decision = \"dney\"\n",
        "unless = { args_any = [\"x\"] }\n",
        "lock = false\n",
        "lock = true\n",
        "run = { program = \"a\" }\n",
        "run = [{ program = \"a\" }, { program = [\"b\", 'c'], }]\n",
        "path = { any = \"**\" }\n",
        "run = {}\n",
        "run = { program = \"a\", calls = [\"... delete\", \"up @production\"] }\n",
        "run = { program = \"a\", calls = \"... \" }\n",
        "unless = { calls = \"x\" }\n",
        "path = { access = \"read\", access = \"write\", any = \"x\" }\n",
        "path = { access = [], any = \"x\" }\n",
        "text = 'a+b'\n",
        "text = 'a*'\n",
        "text = '('\n",
        "match = [\"x\"]\n",
        "match = []\n",
        "match = [1]\n",
        "match = \"x\"\n",
        "not_match = [{ tool = \"read\", path = \"x\" }, \"y\"]\n",
        "tool = \"shell\"\n",
        "tool = [\"read\", \"raed\"]\n",
        "when = { host = \"claude\", host = \"codex\" }\n",
        "when = {}\n",
        "no_prompt = \"ask\"\n",
        "override_by = \"none\"\n",
        "\"",
        "'",
        "\"\"\"",
        "'''",
        "\\",
        "\\n",
        "\\q",
        "\r",
        "\r\n",
        "\n",
        "\t",
        "\u{0}",
        "é",
        "#",
        "# c\n",
        "=",
        ",",
        "[",
        "]",
        "{",
        "}",
        ".",
        " ",
        "1",
        "true",
        "2027-01-31",
        "2027-02-31",
        "reason = \" \"\n",
        "reason.x = \"y\"\n",
        "\"reason\" = \"y\"\n",
        "schema = 1\n",
        "program = \"a/b\"",
        "flags_any = [\"x\"]",
        "{a,b}",
        "expires = 2030-01-01\n",
        "[builtin]\nrules = { \"git\" = \"off\" }\n",
        "[environment]\nproduction = [\"live-{a,b}\"]\ndisposable = \"x\"\n",
    ]);
    let edit = (any::<prop::sample::Index>(), 0usize..40, pieces);
    (select(shipped()), prop::collection::vec(edit, 1..5)).prop_map(|(mut text, edits)| {
        for (at, length, piece) in edits {
            let start = text.floor_char_boundary(at.index(text.len() + 1));
            let end = text.floor_char_boundary((start + length).min(text.len()));
            // Often only put in, often in the place of a whole line.
            let start =
                if length % 3 == 0 { text[..start].rfind('\n').map_or(0, |at| at + 1) } else { start };
            let end = if length % 2 == 0 { start } else { end.max(start) };
            text.replace_range(start..end, piece);
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_read_the_same_from_damaged_policies(text in damaged()) {
        let (quick, thorough) = readings(&text);
        prop_assert_eq!(quick, thorough, "{}", text);
    }
}
