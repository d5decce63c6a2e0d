//! What people see: columns, problems, questions, and colours where they are wanted.

use std::fmt::Write as _;
use std::io::IsTerminal as _;

use host::{Problem, Severity};
use screen::Stream;

use crate::command_line::Preset;
use crate::fault::{Exit, Fault};

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set; also elsewhere when `FORCE_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The tone of a severity.
pub(crate) fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Error => Tone::Bad,
        Severity::Warning => Tone::Warn,
        Severity::Note => Tone::Name,
    }
}

pub(crate) use payload::one_line;
// Colours are taken out again where no one wants them: by [`Stream::say`].
pub(crate) use screen::{Tone, fold, paint, patiently, width, wrapped};

/// A string on its own lines, indented, that does nothing to a terminal.
pub(crate) fn block(text: &str, indent: &str, most: usize) -> String {
    let mut shown = String::new();
    let lines: Vec<&str> = text.trim_end().lines().collect();
    for line in lines.iter().take(most) {
        let _ = writeln!(shown, "{indent}{}", one_line(line));
    }
    if lines.len() > most {
        let _ = writeln!(shown, "{indent}… {} more lines", lines.len() - most);
    }
    shown
}

/// Columns: each as wide as its widest cell. The tone of a cell does not count. On a terminal that is too narrow, the last
/// column folds, and a cell that fits no line there has one of its own, below.
pub(crate) fn columns(rows: &[Vec<(Tone, String)>], indent: &str) -> String {
    table(rows, indent, fold())
}

/// Narrower than that, a folded column is harder to read than one that stands below.
const NARROWEST: usize = 24;

fn table(rows: &[Vec<(Tone, String)>], indent: &str, fold: Option<usize>) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|(_, cell)| screen::columns(cell))
            .max()
            .unwrap_or(0)
    };
    let mut starts = vec![indent.chars().count()];
    starts.extend((0..count).scan(starts[0], |start, column| {
        *start += width(column) + 2;
        Some(*start)
    }));
    let fold = fold.unwrap_or(usize::MAX);
    let mut text = String::new();
    for row in rows {
        text += indent;
        let mut at = starts[0];
        let mut is_broken = false;
        for (index, (tone, cell)) in row.iter().enumerate() {
            let mut start = if is_broken { at + 2 } else { starts[index] };
            let room = fold.saturating_sub(start);
            let longest_word = cell.split(' ').map(screen::columns).max().unwrap_or(0);
            let folds = index + 1 == row.len() && room >= NARROWEST && longest_word <= room;
            let length = screen::columns(cell);
            if index > 0 && length > room && !folds {
                start = starts[0] + 4;
                at = 0;
                text.push('\n');
                is_broken = true;
            }
            text.extend(std::iter::repeat_n(' ', start - at));
            let parts = wrapped(cell, if folds { room } else { usize::MAX });
            let parts: Vec<String> = parts.trim_end().split('\n').map(|part| paint(*tone, part)).collect();
            text += &parts.join(&format!("\n{}", " ".repeat(start)));
            at = start + length;
        }
        text.push('\n');
    }
    text
}

/// A problem that has no place in a file.
pub(crate) fn problem(problem: &Problem, indent: &str) -> String {
    let head = format!("{}[{}]", problem.severity.as_str(), problem.code);
    let mut text =
        format!("{indent}{}: {}\n", paint(tone(problem.severity), head), one_line(&problem.message));
    if !problem.help.is_empty() {
        let _ = writeln!(text, "{indent}  {} {}", paint(Tone::Quiet, "help:"), one_line(&problem.help));
    }
    text
}

/// What a person answers who may want to see more first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Yes.
    Yes,
    /// Anything else.
    No,
    /// More is to be shown, and asked again.
    Show,
    /// Another preset.
    Preset(Preset),
}

/// Where the program writes.
#[derive(Debug)]
pub(crate) struct Screen {
    /// Whether colours were asked for, or refused; else it depends on who watches.
    colors: Option<bool>,
}

impl Screen {
    /// With a wish about colours.
    pub(crate) fn new(color: Color) -> Self {
        let colors = match color {
            Color::Always => Some(true),
            Color::Never => Some(false),
            // The environment's word, whatever it is written to; without one, each stream by itself.
            Color::Auto => match (screen::is_colored(true), screen::is_colored(false)) {
                (false, _) => Some(false),
                (true, true) => Some(true),
                (true, false) => None,
            },
        };
        Self { colors }
    }

    /// The wish about colours, if there is one.
    pub(crate) fn colors(&self) -> Option<bool> {
        self.colors
    }

    /// The variable by which another program of ours is given the same wish.
    pub(crate) fn wish(&self) -> Option<(&'static str, &'static str)> {
        self.colors.map(|colored| if colored { ("FORCE_COLOR", "1") } else { ("NO_COLOR", "1") })
    }

    /// Writes the answer to stdout, for a person to read; JSON as it is.
    pub(crate) fn say(&self, text: &str) -> std::io::Result<()> {
        if screen::is_json(text) { screen::data(text) } else { Stream::Answer.say(text, self.colors) }
    }

    /// Writes what is not the answer to stderr.
    pub(crate) fn remark(&self, text: &str) {
        let _ = Stream::Remark.say(text, self.colors);
    }

    /// Says why the work could not be done.
    pub(crate) fn fault(&self, fault: &Fault) -> Exit {
        let exit = fault.exit();
        if exit != Exit::Fine {
            let mut text = format!("{} {fault}\n", paint(Tone::Bad, "error:"));
            if !fault.hint().is_empty() {
                let _ = writeln!(text, "{} {}", paint(Tone::Quiet, "help:"), fault.hint());
            }
            self.remark(&text);
        }
        exit
    }

    /// Whether a person can be asked.
    pub(crate) fn can_ask() -> bool {
        std::io::stdin().is_terminal() && Stream::Remark.is_terminal()
    }

    /// Asks a person; anything but yes is no.
    pub(crate) fn ask(&self, question: &str) -> bool {
        self.remark(&format!("{question} [y/N] "));
        let mut answer = String::new();
        let _ = std::io::stdin().read_line(&mut answer);
        matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
    }

    /// Asks a person who may want to see more first; anything but yes and that is no.
    pub(crate) fn ask_or_show(&self, question: &str, preset: Option<Preset>) -> Answer {
        let presets = if preset.is_some() { ", or another preset" } else { "" };
        self.remark(&format!("{question} [y/N/d: show the difference{presets}] "));
        let mut answer = String::new();
        let _ = std::io::stdin().read_line(&mut answer);
        let answer = answer.trim().to_lowercase();
        match answer.as_str() {
            "y" | "yes" => Answer::Yes,
            "d" | "diff" => Answer::Show,
            _ => {
                let named = Preset::ALL.into_iter().find(|known| known.name() == answer);
                named.filter(|_| preset.is_some()).map_or(Answer::No, Answer::Preset)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_whatever_their_tone() {
        let rows = vec![
            vec![(Tone::Bad, "a".to_owned()), (Tone::Plain, "x".to_owned())],
            vec![(Tone::Plain, "längst".to_owned()), (Tone::Plain, "y".to_owned())],
        ];
        let text = columns(&rows, "  ");
        let plain: Vec<String> =
            text.lines().map(|line| anstream::adapter::strip_str(line).to_string()).collect();
        assert_eq!(plain, ["  a       x", "  längst  y"]);
    }

    #[test]
    fn the_last_column_folds_where_it_is_too_wide() {
        let row = |cell: &str| vec![(Tone::Plain, "name".to_owned()), (Tone::Plain, cell.to_owned())];
        let text = table(&[row("one, two, three, four, five, six")], "  ", Some(34));
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(plain, "  name  one, two, three, four,\n        five, six\n");
        assert_eq!(table(&[row("one, two")], "", None).lines().count(), 1);
    }

    #[test]
    fn a_cell_that_fits_no_line_has_one_of_its_own() {
        let row = |path: &str| ["name", path, "fine"].map(|cell| (Tone::Plain, cell.to_owned())).to_vec();
        let text = table(&[row("/a/long/path/to/a/program"), row("/b")], "  ", Some(30));
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(plain, "  name\n      /a/long/path/to/a/program\n      fine\n  name  /b\n      fine\n");
    }

    #[test]
    fn nothing_reaches_the_terminal_but_text() {
        assert_eq!(one_line("a\u{1b}[31mb\nc\u{202e}d"), "a·[31mb⏎c·d");
        assert_eq!(block("a\nb\nc\n", "> ", 2), "> a\n> b\n> … 1 more lines\n");
    }
}
