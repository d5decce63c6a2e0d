//! Settings files as the real Claude Code read them: whether a hook in them ran.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use host::place::Scope;
use host::read::Source;
use host::{Format, Product, System};

/// Files whose hooks run, and that we take for dropped: no one writes them, and saying no is on the safe side.
const STRICTER: &[&str] = &["lone surrogate", "deep", "deeper", "deep hooks"];

#[test]
fn files_are_dropped_that_the_real_host_dropped() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/settings/claude.tsv");
    let table = fs::read_to_string(root).unwrap();
    let mut wrong = Vec::new();
    let mut counted = [0, 0];
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [outcome, name, text] = *line.splitn(3, '\t').collect::<Vec<_>>() else { panic!("{line}") };
        let text: String = serde_json::from_str(text).unwrap();
        let source = Source {
            file: "settings.json".into(),
            scope: Scope::User,
            format: Format::Settings,
            text: &text,
        };
        let reading = host::read(Product::CLAUDE, &source, System::Linux);
        let runs = reading.hooks.iter().any(|hook| hook.key == "SessionStart") && !reading.disables_others;
        counted[usize::from(runs)] += 1;
        if runs != (outcome == "runs") && !STRICTER.contains(&name) {
            let why: Vec<String> = reading.problems.iter().map(|problem| problem.message.clone()).collect();
            wrong.push(format!("{outcome}\t{name}\t{why:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(counted[0] > 300 && counted[1] > 100, "{counted:?}");
}

#[test]
fn a_file_that_is_too_large_is_dropped() {
    let text = format!(
        r#"{{"x": "{}", "hooks": {{"Stop": [{{"hooks": [{{"type": "command", "command": "x"}}]}}]}}}}"#,
        "a".repeat(2_100_000)
    );
    let source =
        Source { file: "settings.json".into(), scope: Scope::User, format: Format::Settings, text: &text };
    assert!(host::read(Product::CLAUDE, &source, System::Linux).dropped);
}

/// What the real Codex CLI 0.169.0 and Gemini CLI 0.61.0 made of files with a hook before a tool call.
#[test]
fn codex_and_gemini_take_what_the_real_ones_took() {
    let hook = r#"{"type": "command", "command": "x"}"#;
    let codex = |before: &str, after: &str| {
        format!(r#"{{{before}"hooks": {{"PreToolUse": [{{"hooks": [{hook}]}}]{after}}}}}"#)
    };
    let gemini = |before: &str, after: &str| {
        format!(r#"{{{before}"hooks": {{"BeforeTool": [{{"matcher": "*", "hooks": [{hook}]}}]}}{after}}}"#)
    };
    for (product, runs, text) in [
        (Product::CODEX, true, codex("", "")),
        (Product::CODEX, true, codex(r#""description": "x", "#, "")),
        (Product::CODEX, true, codex("", r#", "Whatever": []"#)),
        (Product::CODEX, true, codex("", "").replace(r#""hooks": [{"#, r#""x": 7, "hooks": [{"#)),
        (Product::CODEX, false, codex("// c\n", "")),
        (Product::CODEX, false, codex("", ",")),
        (Product::CODEX, false, format!("\u{feff}{}", codex("", ""))),
        (Product::CODEX, false, codex(r#""x": 7, "#, "")),
        (Product::CODEX, false, codex(r#""version": 1, "#, "")),
        (Product::CODEX, false, codex(r#""$schema": "x", "#, "")),
        (Product::CODEX, false, codex("", r#", "Stop": [7]"#)),
        (Product::CODEX, false, codex("", r#", "Stop": null"#)),
        (Product::CODEX, false, codex("", r#", "Stop": [{"matcher": 7, "hooks": []}]"#)),
        (Product::CODEX, false, codex("", r#", "Stop": [{"hooks": [{"type": "script", "command": "x"}]}]"#)),
        (Product::GEMINI, true, gemini("", "")),
        (Product::GEMINI, true, gemini("// c\n", "")),
        (Product::GEMINI, true, gemini(r#""general": 7, "#, "")),
        (Product::GEMINI, false, gemini("", ",")),
        (Product::GEMINI, false, format!("\u{feff}{}", gemini("", ""))),
    ] {
        let format = if product == Product::CODEX { Format::Hooks } else { Format::Settings };
        let source = Source { file: "x.json".into(), scope: Scope::User, format, text: &text };
        let reading = host::read(product, &source, System::Linux);
        assert_eq!(!reading.hooks.is_empty(), runs, "{product}: {text}: {:?}", reading.problems);
    }
}
