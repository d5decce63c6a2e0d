//! Running PowerShell on paper: statements, variables and blocks.

mod bind;
mod class;
mod cmdlet;
mod command;
mod data;
mod decided;
mod effect;
mod expression;
mod files;
mod member;
mod object;
mod operator;
mod outside;
mod secrets;
mod variable;

pub use outside::run_arguments;

use std::rc::Rc;

use shell_engine::{
    Arg, How, MAX_DEPTH, NoteKind, Redirect, Runner, Scope, Script, Span, Stage as StageId, mark,
};

use super::ast::{Block, Expr, Pipeline, Stage, StageKind, Statement};
use super::parse::{self, Problem};
use super::value::Value;
use bind::{Given, Passed};
use command::Pipe;
use decided::Fixed;
use variable::Variable;

/// Nesting of statements that are followed, through all strings, functions and blocks.
const MAX_LEVEL: u32 = 90;
/// Values of a loop's variable that are tried.
const MAX_TURNS: usize = 24;
/// Values of one command's variables that are tried one after the other.
const MAX_CHOICES: usize = 8;

/// What a session remembers.
#[derive(Default)]
struct State {
    variables: Vec<Variable>,
    /// For each function at work, what stood outside under the names that it has given values of its own.
    shadowed: Vec<Vec<Variable>>,
    functions: Vec<Function>,
    /// The file at work, where it calls functions by their names alone.
    by_name: Option<Rc<str>>,
    /// Where the blocks in it are that the call leaves out.
    undone: Vec<Span>,
    /// Classes, with what their objects hold at first.
    classes: Vec<(String, Value)>,
    aliases: Vec<(String, String)>,
    /// Folders that `Push-Location` left.
    folders: Vec<Rc<str>>,
}

struct Function {
    name: String,
    block: Rc<Block>,
    called: bool,
    /// It comes from another file: what it does stands where it is called.
    foreign: bool,
}

/// One turn of a loop, which `continue` and `break` end.
#[derive(Default)]
struct Turn {
    /// Whether the statements that come next surely run in it as they stand.
    surely: bool,
    /// After a `continue` among such statements.
    skips: bool,
}

/// A PowerShell at work.
pub(super) struct Machine<'r> {
    runner: &'r mut Runner,
    scope: &'r mut Scope,
    state: State,
    /// The text that is read from the standard input.
    stdin: Option<Rc<str>>,
    /// What the file gets that is run.
    passed: Option<Passed>,
    /// Variables that stay as the call, or the one place that sets them, has left them.
    flags: Fixed,
    /// The file at work, where it sets its variables by assignments alone.
    source: Rc<str>,
    /// The first atom of the pipeline at work.
    piped: usize,
    /// Whether the statements that come next surely run as they stand: those of a file or a function, in no loop, no `try`.
    straight: bool,
    /// After a `return` among such statements.
    ended: bool,
    turn: Turn,
    /// Where the statement at work stands.
    span: Span,
    stage: StageId,
    level: u32,
    /// Inside a branch, where an assignment may or may not happen.
    uncertain: bool,
    choice: usize,
    choices: usize,
}

/// Runs code as a PowerShell of its own, and returns what it prints.
pub fn run_text(runner: &mut Runner, scope: &mut Scope, script: &Script<'_>) -> String {
    run(Machine::new(runner, scope, script.io.stdin.clone()), script)
}

/// Runs a script file with its arguments.
fn run_file(
    runner: &mut Runner,
    scope: &mut Scope,
    script: &Script<'_>,
    (file, args): (&str, &[Arg]),
) -> String {
    let file = scope.absolute(file);
    let mut machine = Machine::new(runner, scope, script.io.stdin.clone());
    let given =
        args.iter().map(|arg| match arg.text.strip_prefix('-').and_then(|name| name.split_once(':')) {
            Some((name, value)) => Given::Parameter(name.to_owned(), Some(Value::text(value))),
            None => match arg.text.strip_prefix('-').filter(|name| name.starts_with(char::is_alphabetic)) {
                Some(name) => Given::Parameter(name.to_owned(), None),
                None => Given::Value(Value::text(arg.text.as_str())),
            },
        });
    machine.passed = Some(bind::positional(given.collect()));
    machine.is_at(&file);
    run(machine, script)
}

fn run(mut machine: Machine<'_>, script: &Script<'_>) -> String {
    // What a script of PowerShell brings in is called there, if at all.
    let is_brought = machine.passed.is_some() && machine.scope.shell == payload::Language::PowerShell;
    let printed = machine.text(script.text, script.how);
    // Last, so that what the text itself calls is called with its real arguments.
    if !is_brought {
        machine.uncalled();
    }
    match printed {
        Value::Nothing => String::new(),
        value => format!("{}\n", value.joined("\n")),
    }
}

impl<'r> Machine<'r> {
    /// Gives the variables their values that say where the file at work lies.
    fn is_at(&mut self, file: &str) {
        let path = |key: &str| (key.to_owned(), Value::text(file));
        let command = Value::Map(Rc::new(vec![path("Path"), path("Definition"), path("Source")]));
        let folder = file.rsplit_once('/').map_or(".", |(folder, _)| folder);
        self.set("psscriptroot", Value::text(folder));
        self.set("pscommandpath", Value::text(file));
        self.set("myinvocation", Value::Map(Rc::new(vec![("MyCommand".to_owned(), command)])));
    }

    fn new(runner: &'r mut Runner, scope: &'r mut Scope, stdin: Option<Rc<str>>) -> Self {
        Self {
            runner,
            scope,
            state: State::default(),
            stdin,
            passed: None,
            flags: Fixed::new(),
            source: Rc::from(""),
            piped: 0,
            straight: false,
            ended: false,
            turn: Turn::default(),
            span: Span::default(),
            stage: StageId::default(),
            level: 0,
            uncertain: false,
            choice: 0,
            choices: 0,
        }
    }

    /// Runs a string in this session, as `Invoke-Expression` does.
    fn text(&mut self, text: &str, how: Option<(u32, How)>) -> Value {
        if self.scope.depth >= MAX_DEPTH {
            self.runner.note(NoteKind::TooDeep, self.scope.origin.unwrap_or_default());
            return Value::Nothing;
        }
        if let Some(loaded) = self.runner.fulfilled(self.scope, text) {
            // `iex (Get-Content w.ps1 -Raw)`
            let Some(opened) = self.runner.open_file(self.scope, (loaded.file, "")) else {
                return Value::Nothing;
            };
            let printed = self.text(&loaded.text, how);
            self.runner.close_file(self.scope, &opened);
            return printed;
        }
        if !self.runner.spend(text.len()) {
            return Value::Nothing;
        }
        let outer = (self.scope.via, self.scope.origin, self.scope.shell, self.span);
        if let Some((parent, how)) = how {
            self.scope.led_by(self.runner, parent, how);
        }
        self.scope.shell = payload::Language::PowerShell;
        self.runner.note_foreign_text(self.scope, text, true);
        let (block, problems) = parse::parse(text);
        let is_whole = problems.is_empty();
        for (problem, at) in problems {
            let kind = match problem {
                Problem::Syntax => NoteKind::Syntax,
                Problem::TooDeep => NoteKind::TooDeep,
            };
            self.runner.note(kind, self.scope.origin.unwrap_or_else(|| Span::new(at, at)));
        }
        self.scope.depth += 1;
        let printed = match self.passed.take() {
            Some(passed) => {
                let by_name = is_whole && !decided::calls_by_value(text);
                self.state.by_name = by_name.then(|| Rc::from(text));
                self.with_arguments(&Rc::new(block), passed)
            }
            None => self.block(&block),
        };
        self.scope.depth -= 1;
        (self.scope.via, self.scope.origin, self.scope.shell, self.span) = outer;
        printed
    }

    /// Runs the block of a file with what the call gives.
    fn with_arguments(&mut self, block: &Rc<Block>, passed: Passed) -> Value {
        let mut named = passed.named.iter();
        let shows = named.find(|(given, _)| given.eq_ignore_ascii_case("WhatIf"));
        let is_off =
            |value: &Value| ["false", "$false", "0"].contains(&&*value.string().to_ascii_lowercase());
        let mut flags = Self::fixed(block, &passed);
        // The cmdlets of a file that says so only show what they would do.
        if shows.is_some_and(|(_, value)| !is_off(value)) && block.text.contains("SupportsShouldProcess") {
            flags.push((decided::WHAT_IF.to_owned(), Value::boolean(true)));
        }
        self.settled(block);
        self.invoke_with(block, passed, None, flags)
    }

    /// Functions that nothing calls here may be called later.
    fn uncalled(&mut self) {
        let mut at = 0;
        while at < self.state.functions.len() && !self.runner.stopped() {
            if !self.state.functions[at].called && !self.is_left_out(at) {
                self.state.functions[at].called = true;
                let block = Rc::clone(&self.state.functions[at].block);
                let outer = std::mem::replace(&mut self.scope.shell, payload::Language::PowerShell);
                // Parameters of a function that is called later may be anything.
                for (name, _) in &block.params {
                    self.set(name, Value::mark(mark::PASSED));
                }
                self.set("args", Value::mark(mark::PASSED));
                self.set("_", Value::mark(mark::PASSED));
                self.statements(&block.body);
                self.scope.shell = outer;
                // It may name others before it.
                at = 0;
                continue;
            }
            at += 1;
        }
    }

    /// Whether a function is named nowhere but where it is defined, in what the call leaves out, and in functions that nothing
    /// calls either.
    fn is_left_out(&self, at: usize) -> bool {
        let Some(text) = &self.state.by_name else { return false };
        let Function { name, .. } = &self.state.functions[at];
        let name = name.rsplit(':').next().unwrap_or(name);
        let uncalled = self.state.functions.iter().filter(|function| !function.called);
        let undone = self.state.undone.iter().copied().chain(uncalled.map(|function| function.block.span));
        let left_out: usize = undone.map(|part| decided::mentions(part.of(text), name)).sum();
        decided::mentions(text, name) <= 1 + left_out
    }

    /// Notes blocks that the call leaves out.
    fn leave_out<'b>(&mut self, blocks: impl Iterator<Item = &'b Block>) {
        for block in blocks {
            let is_of_file = self.state.by_name.as_ref().is_some_and(|text| **text == *block.text);
            let is_new = !self.state.undone.contains(&block.span);
            if is_of_file && is_new && self.state.undone.len() < super::value::MAX_LIST {
                self.state.undone.push(block.span);
            }
        }
    }

    /// Runs a block's statements, and returns what they hand out.
    fn block(&mut self, block: &Block) -> Value {
        for (name, default) in &block.params {
            // A parameter that has a value already was passed by whoever calls the block.
            if self.lookup(name).is_none()
                && let Some(default) = default
            {
                let value = self.expr(default);
                self.set(name, value);
            }
        }
        self.statements(&block.body)
    }

    fn statements(&mut self, statements: &[Statement]) -> Value {
        let mut printed = Vec::new();
        let surely = (std::mem::take(&mut self.straight), std::mem::take(&mut self.turn.surely));
        for statement in statements {
            if self.runner.stopped() || self.ended || self.turn.skips {
                break;
            }
            (self.straight, self.turn.surely) = surely;
            match self.statement(statement) {
                Value::Nothing => {}
                Value::List(values) => printed.extend(values.iter().cloned()),
                value => printed.push(value),
            }
            printed.truncate(super::value::MAX_LIST);
        }
        Value::of(printed)
    }

    /// Goes one level deeper, if that is still followed.
    fn enter(&mut self) -> bool {
        // The second count goes through PowerShell inside PowerShell, whose machines know nothing of each
        // other but share one stack.
        if self.level >= MAX_LEVEL || self.runner.levels >= MAX_LEVEL {
            self.runner.note(NoteKind::TooDeep, self.scope.origin.unwrap_or(self.span));
            return false;
        }
        self.level += 1;
        self.runner.levels += 1;
        true
    }

    fn leave(&mut self) {
        self.level -= 1;
        self.runner.levels -= 1;
    }

    fn statement(&mut self, statement: &Statement) -> Value {
        if !self.enter() {
            return Value::Nothing;
        }
        let surely = (std::mem::take(&mut self.straight), std::mem::take(&mut self.turn.surely));
        self.secrets_shown(statement);
        let printed = match statement {
            Statement::Pipeline(pipeline) => self.pipeline(pipeline),
            Statement::Assign { target, adds, value } => {
                let before = self.runner.analysis.atoms.len();
                self.assign(target, *adds, value);
                self.takes(target, before, value);
                Value::Nothing
            }
            Statement::Branches { conditions, blocks } => self.branches(conditions, blocks, surely),
            Statement::ForEach { name, source, body } => self.for_each(name, source, body),
            Statement::Function { name, block } => {
                self.state.functions.retain(|function| function.name != *name);
                if self.state.functions.len() < super::value::MAX_LIST {
                    let function = Function {
                        name: name.clone(),
                        block: Rc::clone(block),
                        called: false,
                        foreign: false,
                    };
                    self.state.functions.push(function);
                }
                Value::Nothing
            }
            Statement::Class { name, fields, methods } => {
                self.class(name, fields, methods);
                Value::Nothing
            }
            // `return x` hands out its value.
            Statement::Flow(value) | Statement::Return(value) => {
                let value = value.as_ref().map_or(Value::Nothing, |value| self.statement(value));
                self.ended |= surely.0 && matches!(statement, Statement::Return(_));
                self.turn.skips |= surely.1 && matches!(statement, Statement::Flow(None));
                value
            }
            Statement::Plain(block) => self.statements(&block.body),
        };
        self.leave();
        printed
    }

    fn branches(&mut self, conditions: &[Statement], blocks: &[Rc<Block>], surely: (bool, bool)) -> Value {
        let (mut conditions, mut blocks) = (conditions, blocks);
        let is_switch = |block: &Rc<Block>| block.body.iter().any(|statement| arm(statement).is_some());
        // What the call decides: the first branch that is left may run.
        while let [condition, others @ ..] = conditions
            && let [block, more @ ..] = blocks
            && !is_switch(block)
            && let Some(holds) = self.decided(condition)
        {
            if holds {
                self.leave_out(more.iter().map(|block| &**block));
                (self.straight, self.turn.surely) = surely;
                return self.statements(&block.body);
            }
            self.leave_out(std::iter::once(&**block));
            (conditions, blocks) = (others, more);
            if conditions.is_empty() {
                (self.straight, self.turn.surely) = surely;
                let printed = blocks.first().map(|block| self.statements(&block.body));
                return printed.unwrap_or(Value::Nothing);
            }
        }
        if let ([subject], [block]) = (conditions, blocks)
            && is_switch(block)
            && let Some(arms) = self.arms(subject, block)
        {
            let all = block.body.iter().filter_map(arm);
            self.leave_out(all.filter(|arm| !arms.iter().any(|taken| std::ptr::eq(*taken, *arm))));
            let mut printed = Vec::new();
            for arm in arms {
                self.straight = surely.0;
                printed.extend(self.statements(&arm.body).elements());
            }
            return Value::of(printed);
        }
        let mut subject = Value::Nothing;
        for condition in conditions {
            subject = self.statement(condition);
        }
        // `switch` gives its blocks what it looks at.
        let outer = self.lookup("_");
        if let Value::List(_) | Value::Text(_) = &subject
            && outer.is_none()
        {
            self.set("_", subject.elements().into_iter().next().unwrap_or(Value::Nothing));
        }
        let uncertain = std::mem::replace(&mut self.uncertain, true);
        let mut printed = Vec::new();
        for block in blocks {
            for statement in &block.body {
                let value = match arm(statement) {
                    Some(arm) => self.statements(&arm.body),
                    None => self.statement(statement),
                };
                printed.extend(value.elements());
                printed.truncate(super::value::MAX_LIST);
            }
        }
        self.uncertain = uncertain;
        Value::of(printed)
    }

    fn for_each(&mut self, name: &str, source: &Statement, body: &Rc<Block>) -> Value {
        let values = self.statement(source);
        let mut printed = Vec::new();
        for value in self.turns(&values) {
            self.set(name, value);
            self.turn.surely = true;
            let value = self.statements(&body.body);
            self.turn.skips = false;
            printed.extend(value.elements());
            printed.truncate(super::value::MAX_LIST);
        }
        Value::of(printed)
    }

    /// The values that a loop goes through; of what a file holds, its lines.
    fn turns(&mut self, values: &Value) -> Vec<Value> {
        let Value::Text(text) = values else { return turns(values) };
        match self.runner.fulfilled(self.scope, text) {
            Some(loaded) => turns(&Value::of(loaded.text.lines().map(Value::text).collect())),
            None => turns(values),
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Value {
        let outer = (self.choice, self.choices, self.uncertain, self.span, self.stage);
        let piped = std::mem::replace(&mut self.piped, self.runner.analysis.atoms.len());
        let number = self.runner.next_pipeline();
        let mut printed = Value::Nothing;
        let mut choice = 0;
        loop {
            self.choice = choice;
            self.choices = 0;
            // What one value leads to does not replace what another one has led to.
            self.uncertain |= choice > 0;
            let mut input = None;
            for (index, stage) in pipeline.stages.iter().enumerate() {
                self.stage = StageId { pipeline: number, index: u32::try_from(index).unwrap_or(u32::MAX) };
                self.span = if stage.span.is_empty() { pipeline.span } else { stage.span };
                input = Some(self.stage(stage, input.as_ref()));
            }
            let value = input.unwrap_or(Value::Nothing);
            if choice == 0 {
                printed = value;
            }
            choice += 1;
            if choice >= self.choices.min(MAX_CHOICES) || self.runner.stopped() {
                break;
            }
        }
        (self.choice, self.choices, self.uncertain, self.span, self.stage) =
            // A pipeline inside of another one tells the outer how many values there are.
            (outer.0, outer.1.max(self.choices), outer.2, outer.3, outer.4);
        self.piped = piped;
        printed
    }

    fn stage(&mut self, stage: &Stage, input: Option<&Value>) -> Value {
        let mut redirects = Vec::new();
        for redirection in &stage.redirects {
            let target = self.expr(&redirection.target);
            if redirection.reads || matches!(target, Value::Nothing) {
                continue;
            }
            let flow =
                if redirection.append { shell_engine::Flow::Append } else { shell_engine::Flow::Write };
            // Streams 3 to 6 are warnings, debug messages and the like: to rules they are errors.
            redirects.push(Redirect { fd: redirection.fd.min(2), flow, target: target.string() });
        }
        match &stage.kind {
            StageKind::Expression(expr) => {
                let value = self.expr(expr);
                if redirects.is_empty() {
                    return value;
                }
                self.write_bare(redirects, &value.joined("\n"));
                Value::Nothing
            }
            StageKind::Command { words, called } => {
                self.command(words, Pipe { input, redirects, called: *called })
            }
        }
    }

    /// Where atoms stand.
    pub(super) fn here(&self) -> Span {
        self.scope.origin.unwrap_or(self.span)
    }
}

/// The block of an arm of a `switch`, which follows its value on its own.
fn arm(statement: &Statement) -> Option<&Block> {
    let Statement::Pipeline(pipeline) = statement else { return None };
    match pipeline.stages.as_slice() {
        [Stage { kind: StageKind::Expression(Expr::Block(block)), .. }] => Some(block),
        _ => None,
    }
}

/// The values that a loop goes through.
fn turns(values: &Value) -> Vec<Value> {
    let mut elements = values.elements();
    if elements.is_empty() {
        // A loop whose values are not known runs once, with anything.
        return vec![Value::unknown()];
    }
    // Lines that a program has printed.
    if let [Value::Text(text)] = elements.as_slice()
        && text.contains('\n')
    {
        elements = text.lines().filter(|line| !line.trim().is_empty()).map(Value::text).collect();
    }
    elements.truncate(MAX_TURNS);
    elements
}
