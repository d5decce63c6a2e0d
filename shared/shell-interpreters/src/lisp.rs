//! Emacs Lisp, Scheme and Clojure: forms whose first word is a function.

use shell_engine::arguments::quoted;
use shell_engine::{Arg, Process, mark};

use super::{shell, start};

/// Forms inside forms that are read.
const MAX_DEPTH: usize = 64;

/// A form's words: its function and its arguments, where only strings are known.
type Form = Vec<String>;

/// Looks for forms that do something. Each is looked at when it closes.
pub(super) fn run(process: &mut Process<'_>, body: &str) {
    let mut open: Vec<Form> = Vec::new();
    let mut rest = body;
    while let Some(c) = rest.chars().next() {
        let mut width = c.len_utf8();
        let mut word = None;
        match c {
            ';' => width = rest.find('\n').unwrap_or(rest.len()),
            '(' | '[' if open.len() < MAX_DEPTH => open.push(Form::new()),
            ')' | ']' => {
                if let Some(form) = open.pop() {
                    let list = words_of_list(&form);
                    let value = if list.is_none() { act(process, &form) } else { String::new() };
                    if let Some(outer) = open.last_mut() {
                        match list {
                            // A list of words stands for them: `["rm" "-rf" "x"]`, `(list "-rf" "x")`.
                            Some(words) => outer.extend(words.iter().cloned()),
                            None => outer.push(value),
                        }
                    }
                }
            }
            '"' => {
                let end = closing(&rest[1..]);
                word = Some(rest[1..=end].replace("\\\"", "\"").replace("\\\\", "\\"));
                width = (end + 2).min(rest.len());
            }
            c if c.is_whitespace() || matches!(c, '\'' | '`' | ',' | '#' | '(' | '[' | '{' | '}') => {}
            _ => {
                let end =
                    rest.find(|c: char| c.is_whitespace() || "()[]\"';".contains(c)).unwrap_or(rest.len());
                width = end.max(width);
                word = Some(format!("\u{1}{}", &rest[..width]));
            }
        }
        if let (Some(word), Some(form)) = (word, open.last_mut()) {
            form.push(word);
        }
        rest = &rest[width..];
    }
}

/// The words of a form that is only a list of strings.
fn words_of_list(form: &Form) -> Option<&[String]> {
    let words = match form.as_slice() {
        [first, words @ ..] if matches!(first.as_str(), "\u{1}list" | "\u{1}vector") => words,
        words => words,
    };
    (!words.is_empty() && words.iter().all(|word| !word.starts_with('\u{1}'))).then_some(words)
}

fn closing(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at,
            _ => {}
        }
    }
    text.len()
}

/// Does what a form does; gives back its value, if that is a string.
fn act(process: &mut Process<'_>, form: &Form) -> String {
    let unknown = || mark::UNKNOWN.to_string();
    let Some(function) = form.first().and_then(|word| word.strip_prefix('\u{1}')) else { return unknown() };
    // Names are not strings, but `nil` and `t` say something.
    let texts: Vec<String> = form[1..]
        .iter()
        .filter(|word| !word.starts_with('\u{1}'))
        .map(|word| match word.strip_prefix('~') {
            Some(rest) => format!("{}{rest}", process.scope.home),
            None => word.clone(),
        })
        .collect();
    let says = |name: &str| form.iter().any(|word| word.strip_prefix('\u{1}') == Some(name));
    let program = |words: &[&str]| -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).chain(texts.iter().take(2).cloned()).collect()
    };
    match function {
        "shell-command"
        | "shell-command-to-string"
        | "async-shell-command"
        | "system"
        | "process-lines-shell"
        | "compile"
        | "uiop:run-program"
        | "run-shell-command"
        | "os/shell"
        | "system*"
        | "call-process-shell-command" => {
            texts.iter().take(1).for_each(|line| shell(process, line));
        }
        // Babashka's: a line, and words after it.
        "shell" => {
            let (first, rest) =
                texts.split_first().map_or(("", &texts[..]), |(first, rest)| (&**first, rest));
            let rest: Vec<Arg> = rest.iter().map(|word| Arg::from(word.as_str())).collect();
            shell(process, format!("{first} {}", quoted(&rest)).trim_end());
        }
        "call-process"
        | "start-process"
        | "make-process"
        | "process-lines"
        | "sh"
        | "shell/sh"
        | "clojure.java.shell/sh"
        | "p/shell"
        | "sh/sh"
        | "subprocess"
        | "process"
        | "babashka.process/shell"
        | "sb-ext:run-program"
        | "open-process"
        | "os/execute"
        | "p/process" => {
            // `start-process` has a name and a buffer first.
            let skip = if function == "start-process" { texts.len().min(1) } else { 0 };
            let words = texts[skip..].to_vec();
            match words.as_slice() {
                [line] => shell(process, line),
                _ => start(process, words),
            }
        }
        "delete-directory"
        | "delete-directory/files"
        | "fs/delete-tree"
        | "uiop:delete-directory-tree"
        | "delete-tree"
        | "delete-directory-tree"
        | "babashka.fs/delete-tree"
        | "sb-ext:delete-directory"
        | "delete-dir"
        | "dired-delete-file" => {
            let deep = function != "delete-directory" || form.len() > 2 && !says("nil");
            start(process, program(&["rm", if deep { "-rf" } else { "-f" }, "--"]));
        }
        "delete-file"
        | "io/delete-file"
        | "fs/delete"
        | "file-delete"
        | "os/rm"
        | "clojure.java.io/delete-file"
        | "move-file-to-trash" => {
            start(process, program(&["rm", "-f", "--"]));
        }
        "rename-file" | "rename-file-or-directory" => {
            start(process, program(&["mv", "-f", "--"]));
        }
        "copy-file" => start(process, program(&["cp", "--"])),
        "set-file-modes" | "chmod" => {}
        "spit" | "write-region" => {
            let target = if function == "spit" { texts.first() } else { texts.last() };
            if let Some(target) = target.cloned() {
                start(process, vec!["tee".to_owned(), "--".to_owned(), target]);
            }
        }
        "concat" | "str" | "string-append" => return texts.concat(),
        "expand-file-name" | "file-truename" | "substitute-in-file-name" => {
            return match texts.as_slice() {
                [file, folder] => shell_engine::path::join(folder, file),
                _ => texts.first().cloned().unwrap_or_else(unknown),
            };
        }
        "getenv" if texts.first().is_some_and(|name| name == "HOME") => {
            return process.scope.home.to_string();
        }
        _ => {}
    }
    unknown()
}
