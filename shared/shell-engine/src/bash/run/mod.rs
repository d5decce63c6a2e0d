//! Running a script on paper: what would each command be, and what would it say?
//!
//! Every branch is taken and every loop is entered, because which ones the shell takes is not known here.
//! Variables, folders, functions, files written on the way and texts that known filters print are followed,
//! so that the program which runs in the end is found however it was spelled.

mod arithmetic;
mod brace;
pub mod builtin;
mod compound;
mod expand;
mod folders;
mod parameter;
mod redirect;
mod simple;
pub(crate) mod status;
mod traps;

pub use simple::names_secret;

use std::any::Any;
use std::rc::Rc;

use payload::Language;

use super::ast::{ErrorKind, Text};
use crate::atom::{NoteKind, Stage};
use crate::runner::{Io, MAX_DEPTH, Runner, Scope, Script, Value};
use crate::span::Span;

/// Where a command stands: the text of which it is a piece, and what it reads and prints.
#[derive(Clone, Copy)]
struct Frame<'t> {
    text: &'t Rc<Text>,
    io: &'t Io,
    id: Stage,
}

impl<'t> Frame<'t> {
    fn new(text: &'t Rc<Text>, io: &'t Io) -> Self {
        Self { text, io, id: Stage::default() }
    }
}

/// Runs the text that a caller hands in, with what it leaves for the end.
pub fn run_whole(runner: &mut Runner, scope: &mut Scope, script: &Script<'_>) -> String {
    let printed = run_text(runner, scope, script);
    // Traps have run by then: what they call is called.
    runner.run_uncalled(scope);
    printed
}

/// Runs code in `scope`, as `eval`, `bash -c` and a script do.
pub fn run_text(runner: &mut Runner, scope: &mut Scope, script: &Script<'_>) -> String {
    let Script { text, how, io, stage } = *script;
    // `cat f | sh`, `eval "$(cat f)"`: here it shows that the content runs.
    if let Some(loaded) = runner.fulfilled(scope, text) {
        let script = Script { text: &loaded.text, how, io, stage };
        let run = |runner: &mut Runner, scope: &mut Scope| run_text(runner, scope, &script);
        return runner.in_file(scope, (loaded.file, ""), run).unwrap_or_default();
    }
    if scope.depth >= MAX_DEPTH {
        runner.note(NoteKind::TooDeep, scope.origin.unwrap_or_default());
        return String::new();
    }
    if !runner.spend(text.len()) {
        return String::new();
    }
    runner.note_foreign_text(scope, text, how.is_none_or(|(parent, _)| runner.sets_up(parent)));
    let tree = Rc::new(super::parse::parse(text.to_owned()));
    runner.analysis.trees.push(Rc::clone(&tree) as Rc<dyn Any>);
    // Code that runs changes variables and folders for good, but not where the outer one was.
    let outer = (scope.via, scope.origin, scope.depth, scope.shell);
    scope.shell = Language::Posix;
    if let Some((parent, how)) = how {
        scope.led_by(runner, parent, how);
    } else if scope.depth > 0 {
        // Text without a program that leads to it, such as an alias: what it starts stands where the command
        // does.
        scope.origin = Some(scope.origin.unwrap_or(runner.at));
    }
    for error in &tree.errors {
        let kind = match error.kind {
            ErrorKind::TooDeep => NoteKind::TooDeep,
            ErrorKind::Unclosed | ErrorKind::Unexpected => NoteKind::Syntax,
        };
        // The place of a mistake only means something in the text that the caller gave.
        let at = error.at as usize;
        runner.note(kind, scope.origin.unwrap_or_else(|| Span::new(at, at)));
    }
    scope.depth += 1;
    let is_shell = scope.traps.begin();
    let output = runner.list(scope, Frame { id: stage, ..Frame::new(&tree.text, io) }, &tree.body);
    if is_shell {
        runner.run_traps(scope, false);
        scope.traps.end();
    }
    (scope.via, scope.origin, scope.depth, scope.shell) = outer;
    output
}
