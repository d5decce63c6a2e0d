//! A program's call: what it is started with, where, and what it may do there.

use std::borrow::Cow;
use std::rc::Rc;

use super::scope::{Function, Left, Value};
use super::{MAX_DEPTH, Runner, Scope};
use crate::atom::{
    Arg, Atom, Flow, How, NoteKind, PATTERN_PROGRAMS, Redirect, Stage as StageId, Via, program_name,
};
use crate::mark;
use crate::span::Span;
use crate::text::pattern;

/// Where a command reads from, and whether anyone wants what it prints.
#[derive(Clone, Default)]
pub struct Io {
    /// The text on its standard input, if that is not simply the terminal's.
    pub stdin: Option<Rc<str>>,
    /// Whether its output is used.
    pub capture: bool,
    /// Whether the programs that use it only show it: nothing of it is run, or kept in a file.
    pub viewed: bool,
}

/// A program with everything it is started with.
#[derive(Default)]
pub struct Call {
    /// The program, then its arguments; empty where there is only a redirection.
    pub args: Rc<Vec<Arg>>,
    /// Variables that it gets besides those that its shell exports: `X=1 program`.
    pub assigns: Vec<(String, String)>,
    /// Redirections, with resolved targets.
    pub redirects: Vec<Redirect>,
    /// Its standard input, and whether its output is used.
    pub io: Io,
    /// The pipeline it belongs to.
    pub stage: StageId,
    /// Where it stands in the original text.
    pub span: Span,
    /// Another program starts it, which knows no functions of the shell.
    pub external: bool,
}

impl Call {
    /// Another program started in the same place with `args`.
    #[must_use]
    pub fn with_args(&self, args: Vec<Arg>) -> Self {
        Self {
            args: Rc::new(args),
            assigns: Vec::new(),
            redirects: Vec::new(),
            io: self.io.clone(),
            stage: self.stage,
            span: self.span,
            external: true,
        }
    }
}

/// Code for a shell.
#[derive(Clone, Copy)]
pub struct Script<'a> {
    /// The code itself.
    pub text: &'a str,
    /// The atom that leads to it, and in which way.
    pub how: Option<(u32, How)>,
    /// What its commands read, and whether what they print is used.
    pub io: &'a Io,
    /// The stage of a pipeline that it is.
    pub stage: StageId,
}

impl<'a> Script<'a> {
    /// Code as it is, with what leads to it.
    pub fn new(text: &'a str, how: Option<(u32, How)>, io: &'a Io) -> Self {
        Self { text, how, io, stage: StageId::default() }
    }
}

/// A program at work: its atom, what it was started with, and the shell that did.
pub struct Process<'a> {
    /// The analysis in which it runs.
    pub runner: &'a mut Runner,
    /// The shell that started it.
    pub scope: &'a mut Scope,
    /// Its atom.
    pub index: u32,
    /// Its name, without folder and extension.
    pub name: &'a str,
    /// What it was started with.
    pub call: &'a Call,
}

/// What a program prints, if it is one of those that are asked for it.
pub enum Output {
    /// Another program.
    NotMine,
    /// It has run; what it prints is not known here.
    Unknown,
    /// It has run, and prints this.
    Printed(String),
}

impl<'a> Process<'a> {
    /// Its arguments.
    pub fn args(&self) -> &'a [Arg] {
        &self.call.args[1..]
    }

    /// A variable of its environment, as far as the command line has set it.
    pub fn variable(&mut self, name: &str) -> Option<String> {
        let own = self.call.assigns.iter().rev().find(|(own, _)| own == name);
        if let Some((_, value)) = own {
            return Some(value.clone());
        }
        match self.scope.get(name) {
            Some(Value::One(value)) => Some(value.to_string()),
            _ => None,
        }
    }

    /// Starts `args` as a program of its own.
    pub fn start(&mut self, args: &[Arg]) -> String {
        if args.is_empty() || self.runner.stopped() {
            return String::new();
        }
        self.runner.start(
            self.scope,
            Via { parent: self.index, how: How::Arguments },
            self.call.with_args(args.to_vec()),
        )
    }

    /// Starts `args` as a program of its own, in another place.
    pub fn start_in(&mut self, scope: &mut Scope, args: &[Arg]) -> String {
        self.elsewhere(scope).start(args)
    }

    /// Runs a line in a shell of its own.
    pub fn text(&mut self, line: &str) -> String {
        let script = Script::new(line, Some((self.index, How::Text)), &self.call.io);
        self.runner.run_text(&mut self.scope.clone(), &script)
    }

    /// Runs a line in a shell of its own, in another place.
    pub fn text_in(&mut self, scope: &Scope, line: &str) -> String {
        let script = Script::new(line, Some((self.index, How::Text)), &self.call.io);
        self.runner.run_text(&mut scope.clone(), &script)
    }

    /// The same program in another place.
    pub fn elsewhere<'b>(&'b mut self, scope: &'b mut Scope) -> Process<'b> {
        Process { runner: self.runner, scope, index: self.index, name: self.name, call: self.call }
    }

    /// The same program, started with something else.
    pub fn with<'b>(&'b mut self, call: &'b Call) -> Process<'b> {
        Process { runner: self.runner, scope: self.scope, index: self.index, name: self.name, call }
    }
}

impl Runner {
    /// Adds the atom of a call, and returns its index.
    pub fn push_atom(&mut self, scope: &Scope, call: &Call) -> u32 {
        let index = u32::try_from(self.analysis.atoms.len()).unwrap_or(u32::MAX);
        let mut atom = Atom {
            args: Rc::clone(&call.args),
            assigns: call.assigns.clone(),
            redirects: call.redirects.clone(),
            stdin: call.io.stdin.clone(),
            captured: call.io.capture,
            cwd: Rc::clone(&scope.cwd),
            place: scope.place,
            shell: scope.shell,
            via: scope.via,
            span: call.span,
            file: scope.file,
            stage: call.stage,
        };
        if self.promises_any() {
            self.withdraw_promises(&mut atom);
        }
        self.analysis.atoms.push(atom);
        index
    }

    /// What was promised and not run is not known to those who look at the atom.
    fn withdraw_promises(&self, atom: &mut Atom) {
        // Most atoms hold no such mark, and keep the arguments that they share with their call.
        let withdraw = |text: &mut String| {
            if let Cow::Owned(plain) = self.unpromised(text) {
                *text = plain;
            }
        };
        let promises = |arg: &Arg| mark::any(&arg.text) && arg.text.contains(|c| mark::promised(c).is_some());
        if atom.args.iter().any(promises) {
            for arg in Rc::make_mut(&mut atom.args) {
                withdraw(&mut arg.text);
            }
        }
        atom.assigns.iter_mut().for_each(|(_, value)| withdraw(value));
        atom.redirects.iter_mut().for_each(|redirect| withdraw(&mut redirect.target));
        for text in atom.stdin.iter_mut().chain([&mut atom.cwd]) {
            if let Cow::Owned(plain) = self.unpromised(text) {
                *text = Rc::from(plain);
            }
        }
    }

    /// Adds an atom that nothing leads to.
    pub fn push(&mut self, scope: &Scope, args: Vec<Arg>) -> u32 {
        let span = scope.origin.unwrap_or_default();
        let call = Call { args: Rc::new(args), span, external: true, ..Call::default() };
        self.push_atom(scope, &call)
    }

    /// Runs a program and returns what it prints, if anyone wants it.
    pub fn call(&mut self, scope: &mut Scope, mut call: Call) -> String {
        if !self.step() {
            return String::new();
        }
        if scope.depth >= MAX_DEPTH {
            self.note(NoteKind::TooDeep, call.span);
            return String::new();
        }
        if call.args.is_empty() {
            if !call.redirects.is_empty() {
                self.push_atom(scope, &call);
                self.keep_stdout(scope, &call, "");
                // `$(< file)` prints the file.
                let reads = |redirect: &Redirect| redirect.fd == 0 && redirect.flow == Flow::Read;
                if call.io.capture && call.redirects.iter().all(reads) {
                    return call.io.stdin.as_deref().unwrap_or("").to_owned();
                }
            }
            return String::new();
        }
        // `$SUDO rm …`: without the variable, the next word is the program.
        while call.args.len() > 1
            && call.args[0].text.chars().all(|c| c == mark::UNSET)
            && !call.args[1].text.starts_with('-')
        {
            Rc::make_mut(&mut call.args).remove(0);
        }
        if call.args[0].text.contains(mark::is_glob) {
            resolve_pattern(&mut Rc::make_mut(&mut call.args)[0]);
        }
        // `"$CMD"`: it may be any of the shell's own functions.
        let name = &call.args[0].text;
        scope.meddled |= mark::any(name) && name.contains(mark::is_hole) && scope.has_functions();
        let writes_file =
            call.redirects.iter().any(|redirect| redirect.fd == 1 && redirect.flow != Flow::Read);
        // `exec > >(sh)`: what is printed from then on is the reader's.
        if writes_file && call.args.len() == 1 && call.args[0].text == "exec" {
            let to = call.redirects.iter().rev().find(|redirect| redirect.fd == 1);
            self.output = to.map(|to| scope.absolute(&to.target)).filter(|path| self.is_pipe(scope, path));
        }
        let to_reader = !writes_file && !call.io.capture && self.output.is_some();
        // A file that is written may be run later, so its content matters.
        call.io.capture |= writes_file || to_reader;
        let output = self.run_program(scope, &call);
        // `$(…) rm x`: if nothing was printed, the next word is the program.
        let may_vanish =
            |c| mark::is_hole(c) && !matches!(c, mark::TOKEN | mark::ENTRY | mark::PASSED | mark::UNSET);
        if let [program, rest @ ..] = call.args.as_slice()
            && let [next, ..] = rest
            && !call.external
            && program.text.chars().all(may_vanish)
            && !next.text.starts_with('-')
        {
            let rest = rest.to_vec();
            let inner = Call { external: false, redirects: call.redirects.clone(), ..call.with_args(rest) };
            self.call(scope, inner);
        }
        if writes_file {
            self.keep_stdout(scope, &call, &output);
            return String::new();
        }
        if to_reader && let Some(pipe) = self.output.take() {
            // Taken while it is fed: what the reader prints is not its own input.
            self.feed_readers(scope, &pipe, &output);
            self.output = Some(pipe);
            return String::new();
        }
        output
    }

    fn run_program(&mut self, scope: &mut Scope, call: &Call) -> String {
        let args = Rc::clone(&call.args);
        let name = program_name(&args[0].text);
        let function = scope.function(&name).filter(|_| !call.external && !call.args[0].text.contains('/'));
        if let Some(function) = function {
            if !call.redirects.is_empty() {
                // As for a group: no program, and yet a file that is written.
                let redirects = call.redirects.clone();
                let bare =
                    Call { redirects, span: call.span, stage: call.stage, external: true, ..Call::default() };
                self.push_atom(scope, &bare);
            }
            let output = self.call_function(scope, &function, call);
            // A function from a branch that may not have run leaves the program possible.
            if function.certain {
                return output;
            }
        }
        self.not_found(scope, call);
        let index = self.push_atom(scope, call);
        (self.registry.program)(&mut Process { runner: self, scope, index, name: &name, call })
    }

    /// Runs the function that bash calls for a program which it does not find: which those are is not known here.
    fn not_found(&mut self, scope: &mut Scope, call: &Call) {
        const HANDLER: &str = "command_not_found_handle";
        // Nor is it, for what the function itself calls.
        if call.external || scope.open_aliases.iter().any(|open| &**open == HANDLER) {
            return;
        }
        let Some(function) = scope.function(HANDLER) else { return };
        let args = [&[Arg::from(HANDLER)][..], &call.args[..]].concat();
        let call = Call {
            args: Rc::new(args),
            io: call.io.clone(),
            stage: call.stage,
            span: call.span,
            ..Call::default()
        };
        scope.open_aliases.push(Rc::from(HANDLER));
        self.call_function(scope, &function, &call);
        scope.open_aliases.pop();
    }

    fn call_function(&mut self, scope: &mut Scope, function: &Function, call: &Call) -> String {
        // Also where the depth ends it: it has been called, so it need not run for unknown callers.
        scope.mark_called(&function.name);
        if scope.depth + 1 >= MAX_DEPTH {
            return String::new();
        }
        let args = call.args[1..].iter().map(|arg| arg.text.clone()).collect();
        let openly = std::mem::take(&mut scope.gives_openly);
        let openly = std::mem::replace(&mut scope.given_openly, openly);
        let outer = (scope.positional.replace(args), scope.exact);
        // Deep in functions that call themselves, all branches are looked at: no more of them are.
        scope.exact &= scope.depth < MAX_DEPTH / 2;
        let before = std::mem::take(&mut scope.may_have_left);
        let places = std::mem::replace(&mut scope.in_loop, false);
        let returns = std::mem::replace(&mut scope.may_return, true);
        scope.depth += 1;
        let locals = scope.locals.replace(Vec::new());
        for (name, value) in &call.assigns {
            self.sets(name);
            scope.declare_local(name);
            scope.set_text(name, value);
            if scope.given_openly {
                scope.leave_open(name);
            }
        }
        // A function that was defined in a string runs where the string stands, not at offsets of its own
        // text.
        let (origin, file) = (scope.origin, scope.file);
        let here = file == function.file;
        (scope.origin, scope.file) = (origin.filter(|_| here).or(function.origin), function.file);
        let output = function.body.run(self, scope, call);
        (scope.origin, scope.file) = (origin, file);
        if !scope.traps.waiting().is_empty() {
            self.run_return_traps(scope);
        }
        scope.leave_function(locals);
        scope.depth -= 1;
        (scope.positional, scope.exact) = outer;
        scope.given_openly = openly;
        if scope.may_have_left >= Left::Function {
            self.status = None;
        }
        scope.arrive(Left::Function, Left::Nothing);
        (scope.in_loop, scope.may_return) = (places, returns);
        scope.may_have_left = scope.may_have_left.max(before);
        output
    }

    /// Runs a program that another one starts.
    pub fn start(&mut self, scope: &mut Scope, via: Via, call: Call) -> String {
        // A program that starts another with all of its arguments, a thousand times, must end somewhere.
        let size: usize = call.args.iter().map(|arg| arg.text.len() + 8).sum();
        self.spend(size);
        let outer = scope.via.replace(via);
        scope.depth += 1;
        let output = self.call(scope, call);
        scope.depth -= 1;
        scope.via = outer;
        output
    }

    fn keep_stdout(&mut self, scope: &Scope, call: &Call, output: &str) {
        for redirect in &call.redirects {
            if redirect.fd == 1 && redirect.flow != Flow::Read {
                let path = scope.absolute(&redirect.target);
                self.file_planted(scope, &path, output);
                if redirect.flow == Flow::Append {
                    self.add_to_file(scope, path, output);
                } else {
                    self.write_file(path, output, false);
                }
            }
        }
    }
}

/// A pattern in command position becomes the program that it may stand for.
fn resolve_pattern(program: &mut Arg) {
    let name = program_name(&program.text).into_owned();
    // `*` alone stands for whatever lies first in the folder; `/bin/*` for any program that there is.
    if name.chars().all(|c| c == mark::STAR) {
        let folder = program.text.trim_end_matches(mark::STAR);
        if matches!(folder, "/bin/" | "/usr/bin/" | "/sbin/" | "/usr/sbin/" | "/usr/local/bin/") {
            program.text = mark::UNKNOWN.to_string();
        }
        return;
    }
    if let Some(found) = PATTERN_PROGRAMS.split(' ').find(|candidate| pattern::matches(&name, candidate)) {
        found.clone_into(&mut program.text);
    }
}
