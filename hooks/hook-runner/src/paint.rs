//! What people see: colours where they are wanted, columns, and a line that says that it takes long.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use host::{Problem, Severity};

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

/// How a word is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// As it is.
    Plain,
    /// A heading.
    Strong,
    /// Less important.
    Quiet,
    /// Fine.
    Good,
    /// To be looked at.
    Warn,
    /// Wrong, or refused.
    Bad,
    /// A place or a name.
    Name,
}

impl Tone {
    fn style(self) -> Style {
        let color = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
        match self {
            Self::Plain => Style::new(),
            Self::Strong => Style::new().bold(),
            Self::Quiet => Style::new().dimmed(),
            Self::Good => color(AnsiColor::Green),
            Self::Warn => color(AnsiColor::Yellow),
            Self::Bad => color(AnsiColor::Red).bold(),
            Self::Name => color(AnsiColor::Cyan),
        }
    }

    /// The tone of a severity.
    pub(crate) fn of(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Bad,
            Severity::Warning => Self::Warn,
            Severity::Note => Self::Name,
        }
    }
}

/// Text in a tone; the colours are taken out again where no one wants them.
pub(crate) fn paint(tone: Tone, text: impl std::fmt::Display) -> String {
    let style = tone.style();
    format!("{style}{text}{style:#}")
}

pub(crate) use payload::one_line;

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
        rows.iter().filter_map(|row| row.get(column)).map(|(_, cell)| cell.chars().count()).max().unwrap_or(0)
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
            let longest_word = cell.split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
            let folds = index + 1 == row.len() && room >= NARROWEST && longest_word <= room;
            let length = cell.chars().count();
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

/// How many characters fit on a line: `COLUMNS`, else the terminal's own width, else 80.
pub(crate) fn width() -> usize {
    // Wider lines than that are hard to read, and narrower ones hold no word.
    fold().unwrap_or(80).clamp(40, 120)
}

/// Where lines end, if they do: a pipe has no width, and what reads it wants a row on a line.
fn fold() -> Option<usize> {
    let set = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse::<usize>().ok());
    set.or_else(of_terminal)
}

#[cfg(unix)]
fn of_terminal() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    // A terminal that does not know its size says zero.
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn of_terminal() -> Option<usize> {
    None
}

/// A string on lines of at most `width` characters, broken between words; what is indented stays so.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        let words = line.trim_start_matches(' ');
        let indent = line.len() - words.len();
        let mut used = indent;
        lines.push_str(&line[..indent]);
        for (index, word) in words.split(' ').enumerate() {
            let length = word.chars().count();
            // The first word of a line always stands on it, however long it is.
            if index > 0 && used + 1 + length > width {
                lines.push('\n');
                lines.push_str(&line[..indent]);
                used = indent;
            } else if index > 0 {
                lines.push(' ');
                used += 1;
            }
            lines.push_str(word);
            used += length;
        }
        lines.push('\n');
    }
    lines
}

/// A problem that has no place in a file.
pub(crate) fn problem(problem: &Problem, indent: &str) -> String {
    let head = format!("{}[{}]", problem.severity.as_str(), problem.code);
    let mut text =
        format!("{indent}{}: {}\n", paint(Tone::of(problem.severity), head), one_line(&problem.message));
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
    choice: ColorChoice,
}

impl Screen {
    /// With a wish about colours.
    pub(crate) fn new(color: Color) -> Self {
        let forced = std::env::var_os("FORCE_COLOR").is_some_and(|value| !value.is_empty() && value != "0");
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let choice = match color {
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
            Color::Auto if refused => ColorChoice::Never,
            Color::Auto if forced => ColorChoice::Always,
            Color::Auto => ColorChoice::Auto,
        };
        Self { choice }
    }

    /// The variable by which another program of ours is given the same wish.
    pub(crate) fn wish(&self) -> Option<(&'static str, &'static str)> {
        match self.choice {
            ColorChoice::Never => Some(("NO_COLOR", "1")),
            ColorChoice::Always | ColorChoice::AlwaysAnsi => Some(("FORCE_COLOR", "1")),
            ColorChoice::Auto => None,
        }
    }

    /// Writes the answer to stdout.
    pub(crate) fn say(&self, text: &str) -> std::io::Result<()> {
        let mut stdout = AutoStream::new(std::io::stdout(), self.choice);
        stdout.write_all(text.as_bytes())?;
        stdout.flush()
    }

    /// Writes what is not the answer to stderr.
    pub(crate) fn remark(&self, text: &str) {
        let mut stderr = AutoStream::new(std::io::stderr(), self.choice);
        let _ = stderr.write_all(text.as_bytes());
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
        std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
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

    /// Does some work, and says on a terminal that it takes long when it does.
    pub(crate) fn patiently<T>(&self, what: &str, work: impl FnOnce() -> T) -> T {
        if !std::io::stderr().is_terminal() {
            return work();
        }
        let (done, wait) = mpsc::channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                let start = Instant::now();
                let mut shown = false;
                while wait.recv_timeout(Duration::from_secs(1)) == Err(mpsc::RecvTimeoutError::Timeout) {
                    self.remark(&format!("\r{what}: {} s", start.elapsed().as_secs()));
                    shown = true;
                }
                if shown {
                    self.remark("\r\u{1b}[2K");
                }
            });
            let result = work();
            drop(done);
            result
        })
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
    fn lines_are_broken_between_words_and_stay_indented() {
        assert_eq!(wrapped("one two three\n  four  five six", 9), "one two\nthree\n  four \n  five\n  six\n");
        assert_eq!(wrapped("averylongword", 4), "averylongword\n");
    }

    #[test]
    fn nothing_reaches_the_terminal_but_text() {
        assert_eq!(one_line("a\u{1b}[31mb\nc\u{202e}d"), "a·[31mb⏎c·d");
        assert_eq!(block("a\nb\nc\n", "> ", 2), "> a\n> b\n> … 1 more lines\n");
    }
}
