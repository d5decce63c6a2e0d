//! Following code far enough to see what its calls get.
//!
//! Tokens are evaluated as they are read, and there is no syntax tree. Every branch is taken and every loop entered
//! once: a variable that goes through several values holds all of them at the same time. Functions are kept, and
//! looked through for each call with what they get there; those that no one calls are looked through at the end.

mod ahead;
mod arms;
mod bare;
mod callbacks;
mod calls;
mod decided;
mod expression;
mod fill;
mod functions;
mod go;
mod lists;
mod modules;
mod names;
mod narrow;
mod operators;
mod postfix;
mod scopes;
mod siblings;
mod statement;
mod strings;
mod turns;
mod types;
mod words;

pub(super) use callbacks::goes_through;
pub(crate) use fill::Place;
pub(super) use lists::{pairs_of, side_by_side};
pub(super) use names::{OWN_NAME, module_name};
pub(super) use operators::path_of;
pub(super) use postfix::{Callee, callee_of};
pub(super) use strings::printed;

use std::collections::HashMap;
use std::rc::Rc;

use shell_engine::{NoteKind, Process, Runner, Scope, Span, mark};

use super::Language;
use super::database::Statements;
use super::lex::{Code, Token};
use super::tasks::Tasks;
use super::value::{Arguments, Defined, Function, Value};

/// Nesting of expressions that is followed, in all bodies that contain one another.
const MAX_FRAMES: u32 = 56;
/// Variables that are remembered.
const MAX_VARIABLES: usize = 2000;
/// Values that one list holds, with everything in it.
const MAX_WEIGHT: usize = 2048;
/// Steps that any body may take, whatever its size.
const LEAST_STEPS: usize = 20_000;

/// What code gets from the command that runs it.
#[derive(Default)]
pub(super) struct Given {
    /// Its standard input, if that is known and the code does not stand there itself.
    pub(super) stdin: Option<Rc<str>>,
    /// The arguments after the code.
    pub(super) arguments: Vec<String>,
    /// Whether these are all that it gets.
    pub(super) complete: bool,
    /// Whether nothing but its own statements calls its functions: no tool that it is written for.
    pub(super) alone: bool,
    /// Whether it stands in a file, whose name is an argument for JavaScript.
    pub(super) in_file: bool,
    /// Variables that it starts with.
    pub(super) variables: Vec<(String, String)>,
    /// Where the code begins in its file.
    pub(super) begins: usize,
    /// For a module, the code that imports it.
    pub(super) mentioned: Option<Rc<Code>>,
    /// What the code does with it that leads to it.
    pub(super) led: Leads,
    /// Modules that have been imported on the way here.
    pub(super) modules: usize,
    /// What a tool wants of the tasks that the code declares.
    pub(super) tasks: Option<Tasks>,
}

/// A reader of code that remembers what it has seen.
pub(super) struct Follower<'r> {
    /// Whether it has read a variable of the environment that keeps a secret.
    pub(super) has_secret: bool,
    /// Files of the home folder that it has read: whatever is computed later may hold them.
    pub(super) private: Vec<Rc<str>>,
    /// What of them was sent where, by functions that no one knows.
    pub(super) handed: Vec<(Rc<str>, Rc<str>)>,
    /// Objects that hold something of them, by their paths.
    pub(super) holders: Vec<(Rc<str>, Rc<str>)>,
    pub(super) home: crate::home::Home,
    /// What stands in the place of a library's calls.
    pub(super) doubles: crate::doubles::Doubles,
    /// Classes of which an object was made with an address.
    pub(super) addresses: Vec<(Rc<str>, Rc<str>)>,
    pub(super) runner: &'r mut Runner,
    pub(super) scope: &'r mut Scope,
    pub(super) index: u32,
    pub(super) language: Language,
    pub(super) given: Given,
    pub(super) code: Rc<Code>,
    pub(super) at: usize,
    /// Where the part that is looked at ends.
    pub(super) end: usize,
    /// Brackets around the expression, in which line breaks mean nothing.
    brackets: u32,
    /// Tokens that may still be looked at.
    steps: usize,
    pub(super) variables: HashMap<String, Value>,
    defined: Vec<Defined>,
    /// The class that is being read, or whose method is at work.
    class: Rc<str>,
    /// The names of classes and modules.
    classes: Vec<Rc<str>>,
    /// Classes, each with the one that it extends.
    bases: Vec<(Rc<str>, Rc<str>)>,
    /// What a decorator is that stands before the function that comes next.
    decorator: Option<Value>,
    /// What the `resolve` of a promise was called with.
    pub(super) resolved: Option<Value>,
    /// The constants of `enum`s, with what they are made of.
    constants: Vec<(Rc<str>, Arguments)>,
    /// The fields that classes say they have, in their order.
    fields: Vec<(Rc<str>, String)>,
    /// Functions at work and blocks, the innermost last.
    scopes: Vec<scopes::Scope>,
    /// How many scopes there were when the code that is read began.
    first_scope: usize,
    /// Whether what is assigned now is declared by it.
    declares: scopes::Declares,
    /// What stands after the call of each function at work: Ruby's block.
    blocks: Vec<Option<Rc<Function>>>,
    /// Functions at work.
    active: Vec<*const Function>,
    /// Their calls, each with a number of its own.
    calls: Vec<usize>,
    /// How many calls there have been.
    called: usize,
    /// Variables that stand for the same list or map.
    aliases: Vec<(String, String)>,
    /// Modules of which all names are imported.
    stars: Vec<String>,
    /// What `return` gives back in the function at work.
    returned: Vec<Value>,
    /// The value of the last statement.
    last: Value,
    /// The variable that the first argument of a call names.
    pub(super) first_name: Option<String>,
    /// Where the loop without end that is looked at ends.
    endless: usize,
    reached: Reached,
    /// Where the branch ends that may not be taken.
    branch: usize,
    /// Where the branch ends that the file takes as a program: `if __name__ == "__main__":`. Others may load it as a module.
    program: usize,
    /// The brace that begins the body of the statement whose head is read.
    body: usize,
    pub(super) printed: String,
    /// Clients of services.
    pub(super) clients: Vec<crate::services::Client>,
    /// What it sends to databases.
    pub(super) statements: Statements,
    /// The address of a connection that was opened.
    pub(super) connected: Option<String>,
    /// The code of files of the disk, in which statements have places: this one's, and that of its modules.
    placed: Vec<Placed>,
    /// What the module that was imported last has at its top.
    exports: HashMap<String, Value>,
    /// Modules that have been imported so far.
    modules: usize,
    /// What the code does with the file that is read next.
    leads: Leads,
    /// Folders that the code adds to those in which its modules are looked for.
    pub(super) search: Vec<String>,
    /// Tasks that the code declares for a tool.
    pub(super) tasks: Option<Tasks>,
    /// Parts of the code that are known not to run.
    undone: Vec<decided::Skipped>,
    /// Definitions that were made before their turn.
    ahead: Vec<decided::Skipped>,
    /// Functions of tables of which the code has chosen another one: what only they call is not called.
    unchosen: Vec<decided::Skipped>,
    /// Variables that are words of the call.
    of_call: Vec<String>,
    /// Variables of loops that go through them.
    each_of_call: Vec<String>,
    /// The block that a word of the call has run.
    by_word: Option<(Rc<Code>, std::ops::Range<usize>)>,
    /// The names of a whole program, which tell what nothing calls.
    naming: Option<modules::Naming>,
    /// Variables that are all words of the call.
    all_of_call: Vec<String>,
    /// Whether the code has declared a flag that the call gives or not.
    pub(super) has_flags: bool,
    /// Whether an option of the call was read since a variable got a value.
    pub(super) reads_option: bool,
    /// Operands that it has declared.
    pub(super) operands: usize,
    /// Whether the code asks for the words of the call.
    asking: Option<(Rc<Code>, bool)>,
}

/// What code does with a file that it names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Leads {
    #[default]
    Imports,
    /// As a program of its own: Python's `runpy.run_path`.
    Runs,
}

/// How the function at work was reached.
#[derive(Debug, Clone, Copy, Default)]
struct Reached {
    /// Whether a loop without end that waits for nothing calls it again and again.
    in_endless: bool,
    /// Whether the loop without end that is looked at waits for something in each of its turns: a connection, a child.
    waits: bool,
    /// Whether it may not be called at all.
    unsure: bool,
}

/// Code that stands in a file of the disk.
#[derive(Debug, Clone)]
struct Placed {
    code: Rc<Code>,
    /// How far into the file it begins.
    begins: usize,
    file: Option<u32>,
}

/// What a module is for the code that imports it.
struct Exports {
    functions: Vec<Defined>,
    bases: Vec<(Rc<str>, Rc<str>)>,
    variables: HashMap<String, Value>,
    placed: Vec<Placed>,
    classes: Vec<Rc<str>>,
    /// The fields that its classes say they have.
    fields: Vec<(Rc<str>, String)>,
    tasks: Option<Tasks>,
    /// Parts of it that do not run.
    undone: Vec<decided::Skipped>,
    /// Steps that it has not taken.
    steps: usize,
}

/// Looks through code for calls that do something. Returns what it prints, if all of that is known.
pub(super) fn run(process: &mut Process<'_>, language: Language, code: Code, given: Given) -> Option<String> {
    followed(process, language, code, given).0
}

/// Looks through code, and says as well what it defines.
fn followed(
    process: &mut Process<'_>,
    language: Language,
    code: Code,
    given: Given,
) -> (Option<String>, Exports) {
    let first_atom = process.runner.analysis.atoms.len();
    let home = crate::home::Home { own: Rc::clone(&process.scope.home), is_moved: false };
    let mut follower = Follower {
        runner: process.runner,
        scope: process.scope,
        index: process.index,
        language,
        given,
        at: 0,
        end: code.tokens.len(),
        brackets: 0,
        steps: code.tokens.len() * 32 + LEAST_STEPS,
        code: Rc::new(code),
        variables: HashMap::new(),
        defined: Vec::new(),
        class: Rc::from(""),
        classes: Vec::new(),
        bases: Vec::new(),
        fields: Vec::new(),
        decorator: None,
        resolved: None,
        constants: Vec::new(),
        scopes: Vec::new(),
        first_scope: 0,
        declares: scopes::Declares::No,
        blocks: Vec::new(),
        active: Vec::new(),
        calls: Vec::new(),
        called: 0,
        aliases: Vec::new(),
        stars: Vec::new(),
        returned: Vec::new(),
        last: Value::unknown(),
        first_name: None,
        endless: 0,
        reached: Reached::default(),
        branch: 0,
        program: 0,
        body: usize::MAX,
        printed: String::new(),
        clients: Vec::new(),
        statements: Statements::default(),
        connected: None,
        placed: Vec::new(),
        exports: HashMap::new(),
        modules: 0,
        leads: Leads::Imports,
        search: Vec::new(),
        tasks: None,
        undone: Vec::new(),
        ahead: Vec::new(),
        unchosen: Vec::new(),
        of_call: Vec::new(),
        naming: None,
        all_of_call: Vec::new(),
        each_of_call: Vec::new(),
        by_word: None,
        has_flags: false,
        reads_option: false,
        operands: 0,
        asking: None,
        has_secret: false,
        private: Vec::new(),
        handed: Vec::new(),
        holders: Vec::new(),
        doubles: crate::doubles::Doubles::default(),
        home,
        addresses: Vec::new(),
    };
    follower.modules = follower.given.modules;
    follower.tasks = follower.given.tasks.take();
    if follower.runner.is_own_text(follower.scope, follower.index) {
        let (code, begins) = (Rc::clone(&follower.code), follower.given.begins);
        follower.placed.push(Placed { code, begins, file: follower.scope.file });
    }
    for (name, value) in std::mem::take(&mut follower.given.variables) {
        follower.assign(&name, Value::from(value));
    }
    follower.name_words_of_scons();
    follower.import_siblings();
    follower.define_ahead();
    follower.statements();
    follower.end_scopes(0);
    let module = (language == Language::Lua).then(|| follower.returned.last().cloned()).flatten();
    if let Some(module) = module {
        follower.assign(modules::THE_MODULE, module);
    }
    // Those of a module are run by the code that loads it.
    if follower.given.mentioned.is_none() {
        follower.run_tasks();
    }
    follower.uncalled();
    follower.hand_over_functions();
    follower.hand_over_shells(first_atom);
    follower.run_statements();
    let Follower {
        printed, defined, bases, variables, placed, classes, fields, tasks, undone, steps, ..
    } = follower;
    let steps = steps.min(LEAST_STEPS);
    let exports =
        Exports { functions: defined, bases, variables, placed, classes, fields, tasks, undone, steps };
    ((!printed.is_empty()).then_some(printed), exports)
}

impl Follower<'_> {
    pub(super) fn peek(&self) -> Option<&Token> {
        if self.at < self.end { self.code.tokens.get(self.at) } else { None }
    }

    /// The token `ahead` of the next one.
    fn ahead(&self, ahead: usize) -> Option<&Token> {
        if self.at + ahead < self.end { self.code.tokens.get(self.at + ahead) } else { None }
    }

    fn op(&self) -> Option<&'static str> {
        self.op_ahead(0)
    }

    fn op_ahead(&self, ahead: usize) -> Option<&'static str> {
        match self.ahead(ahead) {
            Some(Token::Op(op)) => Some(op),
            _ => None,
        }
    }

    fn take(&mut self, op: &str) -> bool {
        let next = self.op() == Some(op);
        self.at += usize::from(next);
        next
    }

    fn word(&self) -> Option<&str> {
        self.word_ahead(0)
    }

    fn word_ahead(&self, ahead: usize) -> Option<&str> {
        match self.ahead(ahead) {
            Some(Token::Name(name)) => Some(name),
            _ => None,
        }
    }

    fn take_word(&mut self, word: &str) -> bool {
        let next = self.word() == Some(word);
        self.at += usize::from(next);
        next
    }

    fn skip_lines(&mut self) {
        while matches!(self.peek(), Some(Token::Line(_))) {
            self.at += 1;
        }
    }

    /// Takes `count` steps; `false` when none are left.
    pub(super) fn step(&mut self, count: usize) -> bool {
        if self.steps < count || self.runner.stopped() {
            if self.steps > 0 {
                let span = self.scope.origin.unwrap_or_else(|| self.runner.span_of(self.index));
                self.runner.note(NoteKind::TooMuch, span);
            }
            self.steps = 0;
            self.at = self.end;
            return false;
        }
        self.steps -= count;
        true
    }

    /// Goes one level deeper; `false`, and past the bracket that stands here, if that is too deep.
    fn enter(&mut self) -> bool {
        if self.runner.code_frames >= MAX_FRAMES {
            let span = self.scope.origin.unwrap_or_else(|| self.runner.span_of(self.index));
            self.runner.note(NoteKind::TooDeep, span);
            self.at = (self.code.mate(self.at) + 1).clamp(self.at + 1, self.end.max(self.at + 1));
            return false;
        }
        if !self.step(1) {
            return false;
        }
        self.runner.code_frames += 1;
        true
    }

    fn leave(&mut self) {
        self.runner.code_frames -= 1;
    }

    /// Goes through everything up to the end of the part.
    fn statements(&mut self) {
        let outer = (self.scope.origin, self.scope.file);
        while self.at < self.end {
            let before = self.at;
            if !self.step(1) {
                break;
            }
            if let Some(placed) = self.placed.iter().find(|placed| Rc::ptr_eq(&placed.code, &self.code)) {
                let at = placed.begins + placed.code.place(self.at);
                (self.scope.origin, self.scope.file) = (Some(Span::new(at, at)), placed.file);
            }
            self.end_blocks();
            if !(self.undone.is_empty() && self.ahead.is_empty()) {
                self.skip_undone();
                if self.at > before {
                    continue;
                }
            }
            self.statement();
            self.at = self.at.max(before + 1);
        }
        (self.scope.origin, self.scope.file) = outer;
    }

    /// A value, if it is not larger than anything that is meant seriously.
    pub(super) fn bounded(&mut self, value: Value) -> Value {
        if !matches!(value, Value::List(_) | Value::Map(_) | Value::Any(_)) {
            return value;
        }
        let weight = value.weight(MAX_WEIGHT);
        if weight < MAX_WEIGHT && self.step(weight * 4) { value } else { Value::unknown() }
    }

    pub(super) fn assign(&mut self, name: &str, value: Value) {
        let value = self.bounded(value);
        self.begin_name(name);
        self.part(name);
        if self.variables.len() < MAX_VARIABLES || self.variables.contains_key(name) {
            self.variables.insert(name.to_owned(), value);
        }
    }

    /// Keeps a field that the objects of a class have.
    fn keep_field(&mut self, class: &str, name: String) {
        if self.fields.len() < MAX_VARIABLES {
            self.fields.push((Rc::from(class), name));
        }
    }

    /// The variable that holds this very list of words.
    pub(super) fn owner_of(&self, value: &Value) -> Option<String> {
        let words = |value: &Value| match value {
            Value::Map(entries) => match entries.as_slice() {
                [(_, Value::List(words))] => Some(words.iter().map(Value::text).collect::<Vec<_>>()),
                _ => None,
            },
            _ => None,
        };
        let own = words(value)?;
        let mut owners = self.variables.iter().filter(|(_, held)| words(held).as_ref() == Some(&own));
        owners.next().map(|(name, _)| name.clone()).filter(|_| owners.next().is_none())
    }

    pub(super) fn variable(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }

    /// Looks through other code with the same variables, as `eval` does. Returns its last value.
    pub(super) fn run_inside(&mut self, code: Rc<Code>, start: usize, end: usize) -> Value {
        self.inside(code, start, end, |follower| {
            follower.last = Value::unknown();
            follower.define_ahead();
            follower.statements();
            std::mem::replace(&mut follower.last, Value::unknown())
        })
    }

    /// What `read` makes of a part of other code, with the same variables.
    pub(super) fn inside(
        &mut self,
        code: Rc<Code>,
        start: usize,
        end: usize,
        read: fn(&mut Self) -> Value,
    ) -> Value {
        if !self.enter() {
            return Value::unknown();
        }
        let outer = (std::mem::replace(&mut self.code, code), self.at, self.end, self.brackets);
        let blocks = (self.endless, self.branch, self.program, self.reached);
        self.reached.unsure |= self.at <= self.branch && self.branch != self.program;
        self.reached.in_endless |= self.endless > 0 && self.at <= self.endless && !self.reached.waits;
        let first_scope = std::mem::replace(&mut self.first_scope, self.scopes.len());
        (self.at, self.end, self.brackets, self.endless, self.branch, self.program) =
            (start, end, 0, 0, 0, 0);
        let value = read(self);
        (self.code, self.at, self.end, self.brackets) = outer;
        (self.endless, self.branch, self.program, self.reached) = blocks;
        self.end_scopes(self.first_scope);
        self.first_scope = first_scope;
        self.leave();
        value
    }

    /// Whether what stands here is in a branch that may not be taken.
    pub(super) fn may_not_run(&self) -> bool {
        self.at <= self.branch
    }

    /// Whether the code here runs only where something calls it.
    pub(crate) fn is_in_function(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Whether it is not sure that the code here runs, whoever calls it.
    pub(crate) fn is_unsure(&self) -> bool {
        self.reached.unsure || self.may_not_run() && self.branch != self.program
    }

    /// Nothing after this runs.
    pub(super) fn end_program(&mut self) {
        self.steps = 0;
        self.at = self.end;
    }

    /// Notes something about the code as a whole.
    pub(super) fn note(&mut self, kind: NoteKind) {
        let span = self.scope.origin.unwrap_or_else(|| self.runner.span_of(self.index));
        self.runner.note(kind, span);
    }

    /// Whether the call that was just read stands in a loop without end.
    pub(super) fn is_endless(&self) -> bool {
        // `fork while fork`, `fork while 1`
        self.endless > 0 && self.at <= self.endless
            || self.reached.in_endless && !self.function_waits()
            || matches!(self.word(), Some("while" | "until"))
    }

    /// Whether the function at work waits for something.
    fn function_waits(&self) -> bool {
        let function = self.active.last().and_then(|&active| self.known(active)).map(|known| &known.function);
        let (from, to) = function.map_or((0, self.end), |function| (function.start, function.end));
        self.waits_between(from, to)
    }

    /// Whether words start the very program that they stand in, as it was started, and nothing decides that they do: each of
    /// them starts the next ones.
    pub(super) fn starts_itself(&self, words: &[shell_engine::Arg]) -> bool {
        if self.scope.file.is_none() || !self.given.complete || self.is_unsure() {
            return false;
        }
        let file = self.own_file();
        let is_own = |word: &shell_engine::Arg| *self.scope.absolute(&word.text) == *file;
        let Some(at) = words.iter().take(2).position(is_own) else { return false };
        let given = self.given.arguments.iter().map(String::as_str);
        // What a child gets from its parent, or who it is.
        let tells = |pair: &[Token]| match pair {
            [Token::Name(word), Token::Op(":" | "=")] => word == "env",
            [Token::Name(word), _] => {
                matches!(
                    word.as_str(),
                    "send" | "isPrimary" | "isMaster" | "isMainThread" | "isWorker" | "parentPort"
                )
            }
            _ => false,
        };
        words[at + 1..].iter().map(|word| word.text.as_str()).eq(given)
            && !self.code.tokens.windows(2).any(tells)
    }

    /// Whether something between two tokens may end the loop around them.
    fn ends_between(&self, from: usize, to: usize) -> bool {
        let ends = |token: &Token| matches!(token, Token::Name(word) if matches!(word.as_str(), "break" | "return" | "exit" | "last"));
        self.code.tokens.get(from..to).unwrap_or_default().iter().any(ends)
    }

    /// Whether something between two tokens waits: for a connection, a child, a message.
    fn waits_between(&self, from: usize, to: usize) -> bool {
        let waits = |token: &Token| match token {
            Token::Name(word) | Token::Variable(word) => {
                let last = word.rsplit('.').next().unwrap_or(word);
                matches!(
                    last,
                    "accept"
                        | "wait"
                        | "waitpid"
                        | "waitall"
                        | "wait3"
                        | "wait4"
                        | "sleep"
                        | "usleep"
                        | "select"
                        | "poll"
                        | "recv"
                        | "receive"
                        | "get"
                        | "gets"
                        | "input"
                        | "pop"
                        | "shift"
                        | "read"
                        | "readline"
                        | "acquire"
                        | "pause"
                        | "join"
                )
            }
            _ => false,
        };
        self.code.tokens.get(from..to).unwrap_or_default().iter().any(waits)
    }

    /// Whether the code has this name anywhere.
    pub(super) fn names(&self, name: &str) -> bool {
        self.code.tokens.iter().any(|token| matches!(token, Token::Name(word) if word == name))
    }

    /// Modules of which all names are imported.
    pub(super) fn starred(&self) -> &[String] {
        &self.stars
    }

    /// All names of a module are known from now on.
    pub(super) fn import_all_of(&mut self, module: &str) {
        self.stars.push(module.to_owned());
    }

    /// The function of the code that a path calls.
    pub(super) fn function_named(&mut self, path: &str) -> Option<Rc<Function>> {
        if let Some(Value::Function(function)) = self.variables.get(path) {
            return Some(Rc::clone(function));
        }
        let name = path.rsplit('.').next().unwrap_or(path);
        self.take_function(name)
    }

    /// Whether a path leads to something of the system whose name is put together at run time.
    pub(super) fn is_hidden(path: &str) -> bool {
        path.contains(mark::is_hole)
            && ["os.", "subprocess.", "shutil.", "child_process.", "fs.", "module.", "builtins."]
                .iter()
                .any(|module| path.starts_with(module))
    }

    /// A block that is run again and again.
    pub(super) fn endless_block(&mut self, block: &Rc<Function>) -> Value {
        let outer =
            (std::mem::replace(&mut self.code, Rc::clone(&block.code)), self.at, self.end, self.endless);
        (self.at, self.end, self.endless) = (block.start, block.end, block.end);
        self.reached.waits =
            self.waits_between(block.start, block.end) || self.ends_between(block.start, block.end);
        self.statements();
        (self.code, self.at, self.end, self.endless) = outer;
        Value::unknown()
    }

    /// A variable of the environment.
    pub(super) fn environment(&mut self, key: &str) -> Value {
        let key = if key == "user.home" || key == "USERPROFILE" { "HOME" } else { key };
        if key == "HOME" && self.home.is_moved {
            return Value::from(&*self.scope.home);
        }
        if let Some(shell_engine::Value::One(text)) = self.scope.get(key) {
            return Value::from(&*text);
        }
        self.has_secret |= shell_engine::bash::names_secret(key);
        Value::from(self.scope.inherited(key).unwrap_or_else(|| mark::UNSET.to_string()))
    }
}
