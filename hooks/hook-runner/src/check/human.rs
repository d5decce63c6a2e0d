//! Findings for people: the place with a caret, and what to do.

use std::fmt::Write as _;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use host::{Code, Severity};

use super::Report;
use super::finding::Finding;
use crate::paint::{Tone, columns, one_line, paint};

/// The longest line that is shown, in bytes: a recording has longer ones.
const LONGEST: usize = 400;

/// All findings, and how many there are.
pub(super) fn text(report: &Report) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        text += &one(finding);
        text.push_str("\n\n");
    }
    let mut places: Vec<_> = report.findings.iter().map(|finding| &finding.path).collect();
    places.sort();
    places.dedup();
    // Some findings are about files that are not read themselves.
    let files = count(report.files.max(places.len()), "file");
    if report.findings.is_empty() {
        let nothing = if report.files == 0 { "no hook files here" } else { "no problems found" };
        let _ = writeln!(text, "{}: {files} looked at", paint(Tone::Good, nothing));
        return text;
    }
    let of = |severity| report.findings.iter().filter(|finding| finding.severity == severity).count();
    let parts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .filter(|severity| of(*severity) > 0)
        .map(|severity| paint(crate::paint::tone(severity), count(of(severity), severity.as_str())))
        .collect();
    let _ = writeln!(text, "{} in {files}", parts.join(", "));
    text
}

fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

fn one(finding: &Finding) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let message = one_line(&finding.message);
    let title = level.primary_title(message.as_str()).id(finding.code.as_str());
    let hosts: Vec<&str> = finding.hosts.iter().map(|host| host.title).collect();
    let hosts = format!("for {}", hosts.join(", "));
    let help = one_line(&finding.help);
    let shown = shown(finding);
    let mut group = match &shown {
        Some((source, line, span)) => title.element(
            Snippet::source(source.as_str())
                .path(finding.file.as_str())
                .line_start(*line)
                .annotation(AnnotationKind::Primary.span(span.clone())),
        ),
        None => title.element(Origin::path(finding.file.as_str())),
    };
    if !finding.hosts.is_empty() {
        group = group.element(Level::NOTE.message(hosts.as_str()));
    }
    if !help.is_empty() {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    Renderer::styled().decor_style(DecorStyle::Ascii).render(&[group])
}

/// The line of a finding, its number, and the place in it; `None` when there is none to be shown.
fn shown(finding: &Finding) -> Option<(String, usize, std::ops::Range<usize>)> {
    let text = &finding.text;
    if finding.span.is_empty() || finding.span.end > text.len() {
        return None;
    }
    let start = text[..finding.span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end =
        // A span may go over several lines: the first one is shown.
        text[finding.span.start..].find('\n').map_or(text.len(), |newline| finding.span.start + newline);
    let mut line = &text[start..end];
    let mut from = finding.span.start - start;
    let mut to = finding.span.end.min(end) - start;
    if line.len() > LONGEST {
        // A quarter of the room before the place: what leads up to it helps to read it.
        let mut cut = from.saturating_sub(LONGEST / 4);
        while !line.is_char_boundary(cut) {
            cut -= 1;
        }
        let mut last = (cut + LONGEST).min(line.len());
        while !line.is_char_boundary(last) {
            last -= 1;
        }
        line = &line[cut..last];
        from -= cut;
        to = (to - cut).min(line.len());
    }
    // A byte for a byte, so that the caret stays where it is.
    let clean: String = line.chars().map(|c| if c.is_ascii_control() { ' ' } else { c }).collect();
    (clean.len() == line.len()).then(|| (clean, finding.region().0.0, from..to.max(from + 1).min(line.len())))
}

/// Every code, for `--codes`.
pub(super) fn codes() -> String {
    let rows: Vec<Vec<(Tone, String)>> = Code::ALL
        .iter()
        .map(|code| {
            vec![
                (Tone::Name, code.as_str().to_owned()),
                (crate::paint::tone(code.severity()), code.severity().as_str().to_owned()),
                (Tone::Plain, code.title().to_owned()),
            ]
        })
        .collect();
    columns(&rows, "")
}
