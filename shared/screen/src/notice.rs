//! Notifications, by terminals that know a sequence for it, and by the desktop.

use std::process::{Command, Stdio};
use std::thread;

use crate::stream::Stream;

/// How a terminal is asked to notify: each knows its own sequence, and some know several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// `OSC 9`: iTerm2, Ghostty, `WezTerm`, kitty.
    Osc9,
    /// `OSC 777`: foot, urxvt, Ghostty, `WezTerm`.
    Osc777,
    /// The bell, which every terminal has.
    Bell,
    /// The desktop's own, by the program that it has for this; the bell where it has none.
    Desktop,
}

/// What shows the text that follows on a desktop. By their whole paths: an agent may write to folders of the `PATH`.
const DESKTOPS: &[&[&str]] = &[
    // libnotify, on Linux and the BSDs.
    &["/usr/bin/notify-send", "--app-name=policy-hooks", "--", "policy-hooks"],
    // macOS. The text is an argument of the script, not a part of it.
    &[
        "/usr/bin/osascript",
        "-e",
        "on run argv",
        "-e",
        "display notification (item 1 of argv) with title \"policy-hooks\"",
        "-e",
        "end run",
        "--",
    ],
];

/// More than that no desktop shows.
const LONGEST: usize = 120;

impl Notice {
    /// Notifies, where a person watches.
    pub fn send(self, text: &str) {
        if self == Self::Desktop && DESKTOPS.iter().any(|desktop| starts(desktop, &plain(text))) {
            return;
        }
        if Stream::Remark.is_terminal() {
            // A terminal that is gone notifies no one.
            let _ = Stream::Remark.pass(&self.sequence(text));
        }
    }

    fn sequence(self, text: &str) -> String {
        let text = plain(text);
        match self {
            Self::Osc9 => format!("\u{1b}]9;{text}\u{1b}\\"),
            Self::Osc777 => format!("\u{1b}]777;notify;policy-hooks;{text}\u{1b}\\"),
            Self::Bell | Self::Desktop => "\u{7}".to_owned(),
        }
    }
}

/// Whether a program could be started; not what it does, as a desktop that hangs must not hold up who waits.
fn starts(program: &[&str], text: &str) -> bool {
    let [path, arguments @ ..] = program else { return false };
    let mut command = Command::new(path);
    command.args(arguments).arg(text).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(mut child) => {
            // Only so that it does not stay behind as a zombie.
            thread::spawn(move || child.wait());
            true
        }
        Err(_) => false,
    }
}

/// Only what can neither end the sequence nor begin another field of it.
fn plain(text: &str) -> String {
    let inert = |c: &char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '.' | ':' | '-' | '_' | ',');
    text.chars().filter(inert).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_text_ends_the_sequence() {
        let hostile = "a\u{1b}\\b\u{7}c\u{9c}d;notify;e\n\u{1b}]0;title\u{7}f\u{202e}";
        for way in [Notice::Osc9, Notice::Osc777, Notice::Bell] {
            let sequence = way.sequence(hostile);
            assert!(sequence.is_ascii(), "{sequence:?}");
            let ends = sequence.matches(['\u{7}', '\u{1b}']).count();
            assert_eq!(ends, if way == Notice::Bell { 1 } else { 2 }, "{sequence:?}");
        }
        assert_eq!(Notice::Osc9.sequence(hostile), "\u{1b}]9;abcdnotifye0titlef\u{1b}\\");
        assert_eq!(Notice::Desktop.sequence(hostile), "\u{7}");
        assert_eq!(Notice::Osc777.sequence("x;y"), "\u{1b}]777;notify;policy-hooks;xy\u{1b}\\");
    }
    #[cfg(unix)]
    #[test]
    fn a_desktop_gets_the_text_as_one_argument() {
        let folder = std::env::temp_dir().join(format!("notice-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let pipe = folder.join("pipe").display().to_string();
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let script = format!("printf '%s|' \"$@\" > {pipe}");
        assert!(starts(&["/bin/sh", "-c", &script, "sh", "--", "title"], &plain("rm -rf \"$(x)\"; waits")));
        // Opening waits for the writer.
        assert_eq!(std::fs::read_to_string(&pipe).unwrap(), "--|title|rm -rf x waits|");
        assert!(!starts(&["/nowhere/notify-send"], "x"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
