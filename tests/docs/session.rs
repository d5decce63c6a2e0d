//! The recorded session of the README: real output, drawn as SVG.

use std::fmt::Write as _;

use super::consoles::played;
use super::renew;

const PICTURE: &str = ".github/session.svg";

/// What is typed.
const COMMANDS: [&str; 3] = [
    "command-blocker explain 'cd build && sudo rm -rf /'",
    "command-blocker explain 'git push --force-with-lease && rm -rf node_modules'",
    "hook-runner explain 'echo cm0gLXJmIH4v | base64 -d | bash'",
];

/// Letters in a line; longer ones are wrapped.
const COLUMNS: usize = 100;

/// How wide a letter is, in tenths of a pixel, and how high a line, in pixels.
const LETTER: usize = 78;
const LINE: usize = 18;

/// How long a command is read before it answers, and how long an answer before the next command, in milliseconds.
const BEFORE_ANSWER: usize = 900;
const AFTER_ANSWER: usize = 2_500;

/// One line of the picture.
struct Line {
    text: String,
    class: &'static str,
    /// When it appears, in milliseconds.
    at: usize,
}

fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = 300;
    for command in COMMANDS {
        let console = played(&format!("$ {command}\n"));
        for (index, text) in console.lines().enumerate() {
            if index == 1 {
                at += BEFORE_ANSWER;
            }
            let class = match text {
                _ if index == 0 => "typed",
                _ if text.starts_with("deny") || text.contains("(catastrophic)") => "bad",
                _ if text.starts_with("no objection") => "good",
                _ => "said",
            };
            lines.extend(wrapped(text).into_iter().map(|text| Line { text, class, at }));
        }
        at += AFTER_ANSWER;
        lines.push(Line { text: String::new(), class: "said", at });
    }
    lines.pop();
    lines
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
         .bad {{ fill: #ff7b72; font-weight: bold; }} .good {{ fill: #7ee787; font-weight: bold; }}\n\
         @media (prefers-reduced-motion: no-preference) {{\n  \
         text {{ opacity: 0; animation: appear 1ms forwards; }}\n  \
         @keyframes appear {{ to {{ opacity: 1; }} }}\n}}\n\
         </style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>\n\
         <circle cx=\"20\" cy=\"18\" r=\"6\" fill=\"#ff5f56\"/><circle cx=\"40\" cy=\"18\" r=\"6\" fill=\"#ffbd2e\"/>\
         <circle cx=\"60\" cy=\"18\" r=\"6\" fill=\"#27c93f\"/>\n"
    );
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| !line.text.is_empty()) {
        let _ = writeln!(
            svg,
            "<text x=\"20\" y=\"{}\" class=\"{}\" style=\"animation-delay: {}ms\" xml:space=\"preserve\">{}</text>",
            50 + index * LINE,
            line.class,
            line.at,
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
    renew(PICTURE, |_| picture(&lines()));
}

#[test]
fn long_lines_are_wrapped_and_nothing_is_lost() {
    let text = format!("  {}", "word ".repeat(60));
    let lines = wrapped(text.trim_end());
    assert!(lines.len() > 2 && lines.iter().all(|line| line.len() <= COLUMNS && line.starts_with("  ")));
    let count = lines.iter().flat_map(|line| line.split_whitespace()).count();
    assert_eq!(count, 60);
}
