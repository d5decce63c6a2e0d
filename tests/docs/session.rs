//! The recorded session of the README: real output, drawn as SVG. All of it is there at once: previews, printers and
//! people who want no motion see what everyone sees.

use std::fmt::Write as _;

use regex::Regex;
use support::call::Call;
use support::programs::{audit_logger, command_blocker, stand_in};
use support::terminal::{at_a_terminal, has_script};

use super::renew;
use crate::runner::Machine;

const PICTURE: &str = ".github/session.svg";

/// What the agent tries, and a person lets through.
const COMMAND: &str = "git push --force origin main";

/// What stands for the code of the day.
const CODE: &str = "7K3F-9QXM";

/// Letters in a line; longer ones are wrapped.
const COLUMNS: usize = 100;

/// How wide a letter is, in tenths of a pixel, and how high a line, in pixels.
const LETTER: usize = 78;
const LINE: usize = 18;

/// One line of the picture.
struct Line {
    text: String,
    class: &'static str,
}

/// A call of Claude Code, as its hooks read it.
fn payload(machine: &Machine, event: &str, id: &str) -> String {
    serde_json::json!({"session_id": "4f1c2a", "transcript_path": "/t", "cwd": machine.project(),
        "permission_mode": "default", "hook_event_name": event, "tool_name": "Bash", "source": "startup",
        "tool_input": {"command": COMMAND}, "tool_use_id": id})
    .to_string()
}

/// A question, a denial, a person's approval, and the record of it; `None` where no terminal can be made.
fn lines() -> Option<Vec<Line>> {
    if !has_script() {
        return None;
    }
    let machine = Machine::new();
    let typed = |words: &str, answers: &str| -> String {
        let line = format!("'{}' {words}", stand_in("hook-runner").display());
        let call = machine.prepare(Call::new("/usr/bin/env")).env("COLUMNS", COLUMNS.to_string());
        at_a_terminal(call.env("NO_COLOR", "1"), &line, answers, &[]).stdout.replace('\r', "")
    };
    let hook = |program, event: &str, id: &str| {
        machine.prepare(Call::new(program).input(payload(&machine, event, id))).run().stdout
    };
    typed("init --user --yes --host claude --hook command-blocker", "");
    let mut lines = Vec::new();
    show(&mut lines, &format!("hook-runner explain --host claude '{COMMAND}'"));
    let explained = typed(&format!("explain --host claude '{COMMAND}'"), "");
    // The first lines answer the question; what the analysis saw is on a page of its own.
    said(&mut lines, &head(&explained));
    // The log is begun by the logger; the blocker adds what it decides.
    hook(audit_logger(), "SessionStart", "0");
    let denial: serde_json::Value =
        serde_json::from_str(&hook(command_blocker(), "PreToolUse", "1")).unwrap();
    let reason = denial["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
    let code: String = reason.split_once("approve ").unwrap().1.chars().take(9).collect();
    blank(&mut lines);
    lines.push(Line { text: "The agent tries it anyway. Its model reads:".to_owned(), class: "note" });
    said(&mut lines, &reason.replace(&code, CODE));
    blank(&mut lines);
    show(&mut lines, &format!("hook-runner approve {CODE}"));
    let approved = typed(&format!("approve {code}"), "yes\n");
    hook(command_blocker(), "PreToolUse", "2");
    said(&mut lines, &fixed(&machine, &approved, &code));
    blank(&mut lines);
    show(&mut lines, "hook-runner log -n 3");
    said(&mut lines, &fixed(&machine, &typed("log -n 3", ""), &code));
    Some(lines)
}

/// Up to the first empty line.
fn head(text: &str) -> String {
    text.lines().take_while(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

/// Without what is another one at every run: the code, the times, the folder.
fn fixed(machine: &Machine, text: &str, code: &str) -> String {
    let time = Regex::new(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d").unwrap();
    let text = text.replace(code, CODE).replace(&machine.project().display().to_string(), "~/project");
    // What was typed is echoed before or after the question, as the terminal has it.
    let text: String = text.lines().filter(|line| *line != "yes").map(|line| format!("{line}\n")).collect();
    time.replace_all(&text, "2026-11-24 09:41:07").replace("to agree: ", "to agree: yes\n")
}

fn show(lines: &mut Vec<Line>, command: &str) {
    lines.push(Line { text: format!("$ {command}"), class: "typed" });
}

fn blank(lines: &mut Vec<Line>) {
    lines.push(Line { text: String::new(), class: "said" });
}

fn said(lines: &mut Vec<Line>, text: &str) {
    for text in text.lines() {
        let class = match text {
            _ if text.contains("does not run") || text.contains(" deny") => "bad",
            _ if text.starts_with("Allowed") || text.contains(" approved") || text.contains(" granted") => {
                "good"
            }
            _ => "said",
        };
        lines.extend(wrapped(text).into_iter().map(|text| Line { text, class }));
    }
}

/// At most [`COLUMNS`] letters a line, broken at blanks, the rest as deep as the beginning.
fn wrapped(text: &str) -> Vec<String> {
    let indent = " ".repeat(text.len() - text.trim_start().len());
    let mut lines = vec![indent.clone()];
    for word in text.trim_start().split_inclusive(' ') {
        let line = lines.last_mut().unwrap();
        if line.chars().count() + word.trim_end().chars().count() > COLUMNS && line.trim() != "" {
            lines.push(format!("{indent}{word}"));
        } else {
            line.push_str(word);
        }
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

fn picture(lines: &[Line]) -> String {
    let width = COLUMNS * LETTER / 10 + 40;
    let height = lines.len() * LINE + 56;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>A terminal session with policy-hooks</title>\n\
         <style>\n\
         text {{ font: 13px ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre; }}\n\
         .said {{ fill: #c9d1d9; }} .typed {{ fill: #79c0ff; font-weight: bold; }}\n\
         .bad {{ fill: #ff7b72; font-weight: bold; }} .good {{ fill: #7ee787; font-weight: bold; }} .note {{ fill: #8b949e; }}\n\
         </style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>\n\
         <circle cx=\"20\" cy=\"18\" r=\"6\" fill=\"#ff5f56\"/><circle cx=\"40\" cy=\"18\" r=\"6\" fill=\"#ffbd2e\"/>\
         <circle cx=\"60\" cy=\"18\" r=\"6\" fill=\"#27c93f\"/>\n"
    );
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| !line.text.is_empty()) {
        let _ = writeln!(
            svg,
            "<text x=\"20\" y=\"{}\" class=\"{}\" xml:space=\"preserve\">{}</text>",
            50 + index * LINE,
            line.class,
            escaped(&line.text)
        );
    }
    svg + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[test]
fn the_picture_shows_what_the_programs_print() {
    let Some(lines) = lines() else { return };
    assert!(lines.iter().any(|line| line.class == "bad") && lines.iter().any(|line| line.class == "good"));
    renew(PICTURE, |_| picture(&lines));
}

#[test]
fn long_lines_are_wrapped_and_nothing_is_lost() {
    let text = format!("  {}", "word ".repeat(60));
    let lines = wrapped(text.trim_end());
    assert!(lines.len() > 2 && lines.iter().all(|line| line.len() <= COLUMNS && line.starts_with("  ")));
    let count = lines.iter().flat_map(|line| line.split_whitespace()).count();
    assert_eq!(count, 60);
}
