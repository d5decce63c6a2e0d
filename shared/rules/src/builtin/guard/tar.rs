//! What tar takes out of an archive, and what it puts away into one.

use super::copied::bring_ours;
use super::touch::Touch;
use crate::command::{Command, is_option};

/// A call of tar. Its letters follow a dash or, in the first argument, without one: then their values follow in
/// the same order.
#[derive(Default)]
struct Call<'c> {
    extracts: bool,
    writes: bool,
    to_stdout: bool,
    archive: Option<&'c str>,
    folder: Option<&'c str>,
    operands: Vec<&'c str>,
}

pub(super) fn each(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    let call = Call::of(command);
    let folder = call.folder.unwrap_or(".");
    // What is printed changes no file.
    if call.extracts && !call.to_stdout {
        add(folder, Touch::Pour);
        bring_ours(command, None, folder, add);
        for member in &call.operands {
            add(&format!("{folder}/{member}"), Touch::Write);
        }
    }
    if call.writes
        && let Some(archive) = call.archive
    {
        add(archive, Touch::Write);
    }
    if command.has(&["--remove-files"]) {
        for operand in &call.operands {
            add(&format!("{folder}/{operand}"), Touch::Away);
            add(operand, Touch::Away);
        }
    }
}

impl<'c> Call<'c> {
    fn of(command: &Command<'c>) -> Self {
        let mut call = Self::default();
        let values = command.known.map_or("", |program| program.anywhere);
        let takes = |option: &str| values.split(' ').any(|known| is_option(option, known));
        let mut args = command.args().iter().map(|arg| arg.text.as_str());
        let mut first = true;
        while let Some(text) = args.next() {
            let first = std::mem::take(&mut first);
            if let Some(long) = text.strip_prefix("--") {
                let (name, value) =
                    text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
                let takes_next = value.is_none() && !long.is_empty() && takes(name);
                call.long(name, if takes_next { args.next() } else { value });
            } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
                for (at, letter) in letters.char_indices() {
                    // The rest of the bundle is its value: `-fa.tar`.
                    if takes(&format!("-{letter}")) {
                        let glued = &letters[at + letter.len_utf8()..];
                        call.letter(letter, if glued.is_empty() { args.next() } else { Some(glued) });
                        break;
                    }
                    call.letter(letter, None);
                }
            } else if first {
                for letter in text.chars() {
                    let value = if takes(&format!("-{letter}")) { args.next() } else { None };
                    call.letter(letter, value);
                }
            } else {
                call.operands.push(text);
            }
        }
        call
    }

    fn letter(&mut self, letter: char, value: Option<&'c str>) {
        match letter {
            'x' => self.extracts = true,
            // These create the archive or change it.
            'c' | 'r' | 'u' | 'A' => self.writes = true,
            'O' => self.to_stdout = true,
            'f' => self.archive = value,
            'C' => self.folder = value,
            _ => {}
        }
    }

    fn long(&mut self, name: &str, value: Option<&'c str>) {
        // Shorter abbreviations fit several options.
        let is = |option: &str| name.len() > 4 && is_option(name, option);
        if is("--extract") || is("--get") || name == "--get" {
            self.extracts = true;
        } else if is("--create") || is("--append") || is("--update") {
            self.writes = true;
        } else if is("--to-stdout") {
            self.to_stdout = true;
        } else if is("--directory") || is("--one-top-level") {
            self.folder = value.or(self.folder);
        } else if is("--file") {
            self.archive = value;
        }
    }
}
