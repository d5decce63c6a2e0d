//! Simple commands: words become a program, the program is peeled, and its output is guessed.

use std::rc::Rc;

use super::{MAX_DEPTH, Runner, Scope, Value};
use crate::atom::{Arg, Atom, Flow, How, NoteKind, Redirect, Stage as StageId, Via, program_name};
use crate::bash::ast::{Assign, AssignValue, Redirect as RedirectNode, Text, Word};
use crate::mark;
use crate::programs;
use crate::span::Span;
use crate::text::pattern;

/// A key of an array that is longer is not remembered.
pub(super) const MAX_KEY: usize = 256;
/// What it costs to copy an element of an array, in bytes of text.
const COPY: usize = 8;

/// Values of one command's variables that are tried one after the other.
const MAX_CHOICES: usize = 9;

/// Programs that a pattern in command position may stand for: the ones that other rules are about.
const PATTERN_PROGRAMS: &str = "rm sh bash dd git env sudo mkfs mkfs.ext4 shred chmod chown find xargs mv cp curl wget python3 python perl ruby node kill killall tee truncate wipefs fdisk reboot shutdown unlink rmdir docker kubectl terraform aws ssh su";

/// Where a command reads from, and whether anybody wants what it prints.
#[derive(Clone, Default)]
pub(crate) struct Io {
    /// The text on its standard input, if that is not simply the terminal's.
    pub(crate) stdin: Option<Rc<str>>,
    /// Whether its output is used.
    pub(crate) capture: bool,
}

/// A program with everything it is started with.
pub(crate) struct Call {
    pub(crate) args: Rc<Vec<Arg>>,
    pub(crate) assigns: Vec<(String, String)>,
    pub(crate) redirects: Vec<Redirect>,
    pub(crate) io: Io,
    pub(crate) stage: StageId,
    pub(crate) span: Span,
    /// Another program starts it, which knows no functions of the shell.
    pub(crate) external: bool,
}

impl Call {
    /// Another program started in the same place with `args`.
    pub(crate) fn with_args(&self, args: Vec<Arg>) -> Self {
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

type Simple<'t> = (&'t [Assign], &'t [Word], &'t [RedirectNode]);

impl Runner {
    /// Runs a simple command once for each value that its variables may have.
    pub(super) fn simple(
        &mut self,
        scope: &mut Scope,
        text: &Rc<Text>,
        (assigns, words, redirects): (&Vec<Assign>, &Vec<Word>, &Vec<RedirectNode>),
        io: &Io,
        (stage, span): (StageId, Span),
    ) -> String {
        if let Some(output) = self.alias(scope, text, (words, span), io) {
            return output;
        }
        if scope.expanding {
            // The command around this substitution goes through the values.
            return self.simple_once(scope, text, (assigns, words, redirects), io, (stage, span));
        }
        let outer = (scope.choice, scope.choices, scope.uncertain);
        let mut printed = String::new();
        let mut choice = 0;
        loop {
            scope.choice = choice;
            scope.choices = 0;
            // What one value leads to does not replace what another one has led to.
            scope.uncertain |= choice > 0;
            let output = self.simple_once(scope, text, (assigns, words, redirects), io, (stage, span));
            if choice == 0 {
                printed = output;
            } else if !output.is_empty() && output != printed {
                self.append(&mut printed, output);
            }
            choice += 1;
            if choice >= scope.choices.min(MAX_CHOICES) {
                break;
            }
        }
        (scope.choice, scope.choices, scope.uncertain) = outer;
        printed
    }

    /// An alias is text in front of the rest of the command.
    fn alias(
        &mut self,
        scope: &mut Scope,
        text: &Rc<Text>,
        (words, span): (&[Word], Span),
        io: &Io,
    ) -> Option<String> {
        let first = words.first()?;
        if !first.parts.is_empty() {
            return None;
        }
        let name = first.span.of(&text.source);
        let alias = scope.alias(name)?;
        if scope.open_aliases.iter().any(|open| &**open == name) {
            return None;
        }
        let end = words.last().map_or(first.span.end, |last| last.span.end);
        let rest = Span { start: first.span.end, end }.of(&text.source);
        let expanded = format!("{alias}{rest}");
        let outer = scope.origin.replace(scope.origin.unwrap_or(span));
        // In its own text, the name is a program.
        scope.open_aliases.push(Rc::from(name));
        let output = self.run_text(scope, &expanded, None, io);
        scope.open_aliases.pop();
        scope.origin = outer;
        Some(output)
    }

    fn simple_once(
        &mut self,
        scope: &mut Scope,
        text: &Rc<Text>,
        (assigns, words, redirects): Simple<'_>,
        io: &Io,
        (stage, span): (StageId, Span),
    ) -> String {
        let outer = std::mem::replace(&mut scope.expanding, true);
        self.at = scope.origin.unwrap_or(span);
        let outer_input = std::mem::replace(&mut scope.input, io.stdin.clone());
        let args = self.words(scope, text, words);
        let mut io = io.clone();
        let mut set = Vec::with_capacity(assigns.len());
        for assign in assigns {
            let value = self.assigned(scope, text, assign);
            let name = assign.name.of(&text.source);
            let declares = words.is_empty() || super::builtin::declares(&args);
            if declares {
                if super::builtin::declares_local(&args) {
                    scope.declare_local(name);
                }
                scope.set(name, value.clone());
            }
            let value = super::expand::joined(&value);
            self.variable_set(scope, name, &value);
            set.push((name.to_owned(), value));
        }
        let redirects = self.redirects(scope, text, redirects, &mut io);
        scope.expanding = outer;
        scope.input = outer_input;
        let call = Call { args: Rc::new(args), assigns: set, redirects, io, stage, span, external: false };
        self.call(scope, call)
    }

    fn assigned(&mut self, scope: &mut Scope, text: &Rc<Text>, assign: &Assign) -> Value {
        let name = assign.name.of(&text.source);
        let before = if assign.append { scope.get(name) } else { None };
        match &assign.value {
            AssignValue::One(word) => {
                let value = self.whole(scope, text, word);
                let value = unglobbed(value);
                match before {
                    Some(Value::One(before)) => {
                        let both = format!("{before}{value}");
                        Value::One(Rc::from(self.capped(both)))
                    }
                    Some(Value::Many(before)) if self.spend(before.len() * COPY) => {
                        let mut values = before.to_vec();
                        if let Some(first) = values.first_mut() {
                            first.push_str(&value);
                        }
                        Value::Many(Rc::from(values))
                    }
                    _ => Value::One(Rc::from(value)),
                }
            }
            AssignValue::Element(index, word) => {
                let value = self.whole(scope, text, word);
                let mut values = match scope.get(name) {
                    Some(Value::Many(values)) if self.spend(values.len() * COPY) => values.to_vec(),
                    Some(Value::One(text)) => vec![text.to_string()],
                    _ => Vec::new(),
                };
                let index = self.single(scope, text, index);
                if index.parse::<usize>().is_err() && index.len() <= MAX_KEY {
                    scope.set_text(&format!("{name}[{index}]"), &value);
                }
                match index.parse::<usize>() {
                    Ok(index) if index < values.len() => values[index] = value,
                    _ => values.push(value),
                }
                Value::Many(Rc::from(values))
            }
            AssignValue::Many(words) => {
                let added = self.array(scope, text, name, words);
                match (before, added) {
                    (Some(Value::Many(before)), Value::Many(added)) if self.spend(before.len() * COPY) => {
                        Value::Many(before.iter().chain(added.iter()).cloned().collect())
                    }
                    (_, added) => added,
                }
            }
        }
    }

    pub(crate) fn push_atom(&mut self, scope: &Scope, call: &Call) -> u32 {
        let index = u32::try_from(self.analysis.atoms.len()).unwrap_or(u32::MAX);
        self.analysis.atoms.push(Atom {
            args: Rc::clone(&call.args),
            assigns: call.assigns.clone(),
            redirects: call.redirects.clone(),
            stdin: call.io.stdin.clone(),
            cwd: Rc::clone(&scope.cwd),
            place: scope.place,
            shell: scope.shell,
            via: scope.via,
            span: call.span,
            stage: call.stage,
        });
        index
    }

    /// Adds an atom that nothing leads to.
    pub(crate) fn push(&mut self, scope: &Scope, args: Vec<Arg>) -> u32 {
        let call = Call {
            args: Rc::new(args),
            assigns: Vec::new(),
            redirects: Vec::new(),
            io: Io::default(),
            stage: StageId::default(),
            span: scope.origin.unwrap_or_default(),
            external: true,
        };
        self.push_atom(scope, &call)
    }

    /// Runs a program and returns what it prints, if anybody wants it.
    pub(crate) fn call(&mut self, scope: &mut Scope, mut call: Call) -> String {
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
        let writes_file =
            call.redirects.iter().any(|redirect| redirect.fd == 1 && redirect.flow != Flow::Read);
        call.io.capture |= writes_file;
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
        output
    }

    fn run_program(&mut self, scope: &mut Scope, call: &Call) -> String {
        let args = Rc::clone(&call.args);
        let name = program_name(&args[0].text);
        let function = scope.function(&name).filter(|_| !call.external && !call.args[0].text.contains('/'));
        if let Some(function) = function {
            let output = self.call_function(scope, &function, call);
            if function.certain {
                return output;
            }
        }
        let index = self.push_atom(scope, call);
        if let Some(output) = super::builtin::run(self, scope, index, &name, call) {
            return output;
        }
        if let Some(output) = programs::run(self, scope, index, &name, call) {
            return output;
        }
        if call.args[0].text.contains('/')
            && let Some(script) = self.file_at(scope, &call.args[0].text)
        {
            return self.run_script(scope, index, &script, &call.args, &call.io);
        }
        super::output::of(self, scope, &name, call)
    }

    /// Runs the text of a script file in a process of its own, or the interpreter that its first line names.
    /// `args` begins with the file.
    pub(crate) fn run_script(
        &mut self,
        scope: &Scope,
        index: u32,
        script: &str,
        args: &[Arg],
        io: &Io,
    ) -> String {
        let mut inner = scope.clone();
        inner.enter_process();
        if let Some(file) = args.first() {
            inner.name = Rc::from(file.text.as_str());
        }
        inner.positional = Some(args.iter().skip(1).map(|arg| arg.text.clone()).collect());
        if let Some(dialect) = programs::code::shebang(script) {
            return programs::code::run_body(self, &mut inner, index, dialect, script);
        }
        self.run_text(&mut inner, script, Some((index, How::File)), io)
    }

    fn call_function(&mut self, scope: &mut Scope, function: &super::scope::Function, call: &Call) -> String {
        scope.mark_called(&function.name);
        if scope.depth + 1 >= MAX_DEPTH {
            return String::new();
        }
        let args = call.args[1..].iter().map(|arg| arg.text.clone()).collect();
        let outer = scope.positional.replace(args);
        scope.depth += 1;
        let locals = scope.locals.replace(Vec::new());
        for (name, value) in &call.assigns {
            scope.declare_local(name);
            scope.set_text(name, value);
        }
        let origin = scope.origin;
        scope.origin = origin.or(function.origin);
        let output = self.stage(scope, &function.text, &function.body, &call.io, call.stage);
        scope.origin = origin;
        scope.leave_function(locals);
        scope.depth -= 1;
        scope.positional = outer;
        output
    }

    /// Runs `args` as a program that the atom `parent` starts.
    pub(crate) fn start(&mut self, scope: &mut Scope, parent: u32, how: How, call: Call) -> String {
        let size: usize = call.args.iter().map(|arg| arg.text.len() + 8).sum();
        self.spend(size);
        let outer = scope.via.replace(Via { parent, how });
        scope.depth += 1;
        let output = self.call(scope, call);
        scope.depth -= 1;
        scope.via = outer;
        output
    }
}

/// A pattern in command position becomes the program that it may stand for.
fn resolve_pattern(program: &mut Arg) {
    let name = program_name(&program.text).into_owned();
    if name.chars().all(|c| c == mark::STAR) {
        return;
    }
    if let Some(found) = PATTERN_PROGRAMS.split(' ').find(|candidate| pattern::matches(&name, candidate)) {
        found.clone_into(&mut program.text);
    }
}

/// An assignment keeps pattern characters as letters; using it unquoted makes them active again.
fn unglobbed(value: String) -> String {
    if !value.contains(mark::is_glob) {
        return value;
    }
    value
        .chars()
        .map(|c| match c {
            mark::STAR => '*',
            mark::ANY => '?',
            mark::CLASS => '[',
            c => c,
        })
        .collect()
}
