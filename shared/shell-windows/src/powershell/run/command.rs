//! Commands: a name becomes a function, a cmdlet or a program, and words become its arguments.

use std::rc::Rc;

use shell_engine::text::pattern;
use shell_engine::{Arg, Call, How, Io, MAX_DEPTH, NoteKind, Redirect, Script, mark, program_name};

use super::super::ast::{Block, Expr, Stage, StageKind, Statement, Word};
use super::super::names::{self, Cmdlet};
use super::super::parse;
use super::super::value::Value;
use super::bind::{Bound, Given, Passed, bind, bind_unknown, positional};
use super::decided::Fixed;
use super::{Function, Machine, turns};
use crate::system::slashes;

/// What a call of a block costs, in bytes of text that is read.
const CALL: usize = 64;

/// How a command stands in its pipeline: what comes in, and where what it prints goes.
#[derive(Default)]
pub(super) struct Pipe<'v> {
    pub(super) input: Option<&'v Value>,
    pub(super) redirects: Vec<Redirect>,
    /// Whether `&` or `.` calls it.
    pub(super) called: bool,
}

/// The verbs of cmdlets that only show what they would do where `$WhatIfPreference` says so.
const HEED_WHAT_IF: [&str; 12] = [
    "Clear",
    "Copy",
    "Disable",
    "Format",
    "Initialize",
    "Move",
    "Remove",
    "Rename",
    "Reset",
    "Restart",
    "Set",
    "Stop",
];

impl Machine<'_> {
    pub(super) fn command(&mut self, words: &[Word], pipe: Pipe<'_>) -> Value {
        let Some((first, rest)) = words.split_first() else {
            self.write_bare(pipe.redirects, "");
            return Value::Nothing;
        };
        let name = match first {
            Word::Value(expr) => self.expr(expr),
            Word::Parameter { name, .. } => Value::text(format!("-{name}")),
            Word::Splat(name) => self.variable(name),
        };
        let given = self.given(rest);
        match name {
            // `& {…}`
            Value::Block(block) => self.invoke(&block, positional(given), pipe.input),
            // `& $command` where it is a list: its first element is the program.
            Value::List(values) => {
                let mut values = values.iter();
                let name = values.next().map(Value::string).unwrap_or_default();
                let given = values.cloned().map(Given::Value).chain(given).collect();
                self.named(&name, given, pipe)
            }
            name => {
                let name = name.string();
                self.secrets_given(&name, rest, &given);
                self.hands_words(rest);
                self.named(&name, given, pipe)
            }
        }
    }

    pub(super) fn given(&mut self, words: &[Word]) -> Vec<Given> {
        let mut given = Vec::with_capacity(words.len());
        for word in words {
            match word {
                Word::Parameter { name, value } => {
                    let value = value.as_ref().map(|value| self.expr(value));
                    given.push(Given::Parameter(name.clone(), value));
                }
                Word::Value(expr) => {
                    let value = self.expr(expr);
                    given.push(Given::Value(value));
                }
                Word::Splat(name) => match self.variable(name) {
                    Value::Map(entries) => {
                        given.extend(
                            entries
                                .iter()
                                .map(|(name, value)| Given::Parameter(name.clone(), Some(value.clone()))),
                        );
                    }
                    value => given.extend(value.elements().into_iter().map(Given::Value)),
                },
            }
        }
        given
    }

    /// Runs what a name stands for.
    pub(super) fn named(&mut self, name: &str, given: Vec<Given>, pipe: Pipe<'_>) -> Value {
        let name = name.trim();
        if name.is_empty() || self.runner.stopped() {
            return Value::Nothing;
        }
        if let Some(function) =
            self.state.functions.iter_mut().rev().find(|function| function.name.eq_ignore_ascii_case(name))
        {
            // Functions that nothing calls are gone through at the end.
            function.called = true;
            let (block, foreign) = (Rc::clone(&function.block), function.foreign);
            let here = foreign.then(|| self.here());
            let outer = self.scope.origin;
            self.scope.origin = here.or(outer);
            self.state.shadowed.push(Vec::new());
            let value = self.invoke(&block, positional(given), pipe.input);
            self.end_function();
            self.scope.origin = outer;
            return value;
        }
        let alias = self.state.aliases.iter().rev().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
        if let Some((_, full)) = alias.cloned()
            && !full.eq_ignore_ascii_case(name)
        {
            // An alias of an alias, not in circles.
            let full = resolved_name(&full);
            let resolved = names::alias(&full).map_or(full.clone(), str::to_owned);
            return self.resolved(&resolved, given, pipe);
        }
        match names::alias(name) {
            // PowerShell 7 on Linux and macOS has the programs instead; `rm -rf` tells it is one of those.
            Some(full) if !pipe.called || names::cmdlet(full).is_some() => match names::cmdlet(full) {
                Some(cmdlet) if foreign(cmdlet, &given) => self.native(name, &given, pipe),
                _ => self.resolved(full, given, pipe),
            },
            _ => self.resolved(name, given, pipe),
        }
    }

    /// The arguments, with those that `$PSDefaultParameterValues` gives the cmdlet besides. Its keys are
    /// `cmdlet:parameter`, where `*` stands for any rest of a name. `$WhatIfPreference` is one for all of them.
    fn with_defaults(&mut self, cmdlet: &str, mut given: Vec<Given>) -> Vec<Given> {
        let mut defaults = match self.lookup("psdefaultparametervalues") {
            Some(Value::Map(defaults)) => defaults.to_vec(),
            _ => Vec::new(),
        };
        let shows = self.flags.iter().rfind(|(flag, _)| flag.eq_ignore_ascii_case(super::decided::WHAT_IF));
        // Others go on: `Invoke-Command`, `Send-MailMessage`.
        let verb = cmdlet.split('-').next().unwrap_or_default();
        let shows = shows.filter(|_| HEED_WHAT_IF.iter().any(|heeds| heeds.eq_ignore_ascii_case(verb)));
        defaults.extend(shows.map(|(_, value)| ("*:WhatIf".to_owned(), Value::boolean(!value.is_false()))));
        let begins = |text: &str, with: &str| {
            text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
        };
        for (key, value) in &defaults {
            let Some((name, parameter)) = key.split_once(':') else { continue };
            let applies = match name.split_once('*') {
                Some((start, _)) => begins(cmdlet, start),
                None => cmdlet.eq_ignore_ascii_case(name),
            };
            let taken = given.iter().any(|argument| match argument {
                Given::Parameter(known, _) => begins(parameter, known),
                // What stands there without a name is a path most of the time.
                Given::Value(_) => parameter.to_ascii_lowercase().ends_with("path"),
            });
            if applies && !taken {
                given.push(Given::Parameter(parameter.to_owned(), Some(value.clone())));
            }
        }
        given
    }

    fn resolved(&mut self, name: &str, given: Vec<Given>, pipe: Pipe<'_>) -> Value {
        if let Some(cmdlet) = names::cmdlet(name) {
            let given = self.with_defaults(cmdlet.name, given);
            let bound = bind(cmdlet, given);
            return self.cmdlet(cmdlet.name, &bound, pipe);
        }
        // `Microsoft.PowerShell.Management\Remove-Item` is the same cmdlet.
        let bare = name.rsplit('\\').next().unwrap_or(name);
        if names::is_cmdlet(bare) {
            let bound = bind_unknown(given);
            return self.cmdlet(&titled(bare), &bound, pipe);
        }
        match bare.to_ascii_lowercase().as_str() {
            "mkdir" => {
                let bound = names::cmdlet("New-Item").map(|cmdlet| bind(cmdlet, given)).unwrap_or_default();
                self.cmdlet("New-Item", &bound, pipe)
            }
            _ => self.native(name, &given, pipe),
        }
    }

    /// Starts a program.
    pub(super) fn native(&mut self, name: &str, given: &[Given], pipe: Pipe<'_>) -> Value {
        let mut args = vec![Arg::from(program(name))];
        for argument in given {
            match argument {
                Given::Parameter(name, None) => args.push(Arg::from(format!("-{name}"))),
                Given::Parameter(name, Some(value)) => {
                    args.push(Arg::from(format!("-{name}:{}", value.string())));
                }
                Given::Value(value) => {
                    // An array becomes as many arguments as it has elements: `git @args`.
                    args.extend(value.elements().iter().map(|value| Arg::from(value.string())));
                }
            }
        }
        let printed = self.start(args, pipe);
        // A keyword of a module's own language, such as `Describe { … }`, or `default` in a `switch`.
        for argument in given {
            if let Given::Value(Value::Block(block)) = argument {
                self.statements(&block.body);
            }
        }
        printed
    }

    /// A call that has no more than its arguments.
    pub(super) fn plain_call(&self, args: Vec<Arg>) -> Call {
        Call {
            args: Rc::new(args),
            assigns: Vec::new(),
            redirects: Vec::new(),
            io: Io::default(),
            stage: self.stage,
            span: self.here(),
            external: true,
        }
    }

    /// Starts a program with these arguments.
    fn start(&mut self, args: Vec<Arg>, pipe: Pipe<'_>) -> Value {
        let size: usize = args.iter().map(|arg| arg.text.len() + 8).sum();
        if !self.runner.spend(size) {
            return Value::Nothing;
        }
        let stdin = match pipe.input {
            // Without a pipeline a program reads what PowerShell itself reads.
            Some(Value::Nothing) | None => self.stdin.clone(),
            Some(value) => Some(Rc::from(format!("{}\n", value.joined("\n")))),
        };
        let own = args[0].text.clone();
        let call = Call {
            args: Rc::new(args),
            assigns: self.scope.environment(),
            redirects: pipe.redirects,
            io: Io { stdin, capture: true, ..Io::default() },
            stage: self.stage,
            span: self.here(),
            external: true,
        };
        let before = self.runner.analysis.atoms.len();
        let printed = self.runner.call(self.scope, call);
        if self.runner.analysis.atoms.len() > before {
            // A script that this text has written runs as its text.
            self.own_file(&own, u32::try_from(before).unwrap_or(u32::MAX));
        }
        if self.runner.has_disk() && own.to_ascii_lowercase().ends_with(".ps1") {
            self.functions_of(&own);
        }
        Value::text(printed.strip_suffix('\n').unwrap_or(&printed))
    }

    /// Takes the functions of a module: of its file, of the one that its manifest stands for, of the one in its folder.
    pub(super) fn module(&mut self, name: &str) {
        let path = slashes(name);
        let leaf = shell_engine::path::file_name(&path).to_owned();
        let stem = path.strip_suffix(".psd1").unwrap_or(&path);
        for file in [path.clone(), format!("{stem}.psm1"), format!("{path}/{leaf}.psm1")] {
            let is_script = file
                .rsplit_once('.')
                .is_some_and(|(_, ending)| matches!(&*ending.to_ascii_lowercase(), "ps1" | "psm1"));
            if is_script && self.runner.look_up(self.scope, &file).is_some() {
                return self.functions_of(&file);
            }
        }
    }

    /// Takes the functions of a script on the disk: `. .\common.ps1` brings them here.
    pub(super) fn functions_of(&mut self, name: &str) {
        let Some(loaded) = self.runner.look_up(self.scope, &slashes(name)) else { return };
        if !self.runner.has_room(loaded.text.len()) || !self.runner.spend(loaded.text.len()) {
            return;
        }
        let (block, _) = parse::parse(&loaded.text);
        // What it calls of this file's is not seen before it runs.
        self.state.by_name = None;
        for statement in &block.body {
            // `$Root = "/srv"`
            if let Statement::Assign { target, adds, value } = statement {
                if is_plain(value) {
                    self.assign(target, *adds, value);
                } else if let Expr::Variable(name) = target {
                    self.flags.retain(|(flag, _)| !flag.eq_ignore_ascii_case(name));
                }
            }
            if let Statement::Function { name, block } = statement
                && self.state.functions.len() < super::super::value::MAX_LIST
            {
                let block = Rc::clone(block);
                self.state.functions.push(Function {
                    name: name.clone(),
                    block,
                    called: true,
                    foreign: true,
                });
            }
        }
    }

    /// Runs a file that this text has written before.
    fn own_file(&mut self, name: &str, index: u32) {
        let ending = name.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
        let Some(script) = self.known_file(name) else { return };
        match ending.as_str() {
            "ps1" | "psm1" => {
                self.text(&script, Some((index, How::File)));
            }
            "cmd" | "bat" => {
                let io = Io::default();
                let script = Script::new(&script, Some((index, How::File)), &io);
                (self.runner.registry.cmd)(self.runner, &mut self.scope.clone(), &script);
            }
            _ if script.contains(mark::REMOTE) => self.runner.note(NoteKind::RunsRemote, self.here()),
            _ if script.contains(mark::DECODED) => self.runner.note(NoteKind::RunsDecoded, self.here()),
            _ => {}
        }
    }

    /// Runs a block with arguments, for each thing that comes in.
    pub(super) fn invoke(&mut self, block: &Rc<Block>, passed: Passed, input: Option<&Value>) -> Value {
        // Its own parameters hide the file's.
        let is_own = |flag: &str| block.params.iter().any(|(name, _)| name.eq_ignore_ascii_case(flag));
        let outer = self.flags.iter().filter(|(flag, _)| !is_own(flag)).cloned();
        let flags = outer.chain(Self::fixed(block, &passed)).collect();
        self.invoke_with(block, passed, input, flags)
    }

    /// The same, where these parameters are switches of the file.
    pub(super) fn invoke_with(
        &mut self,
        block: &Rc<Block>,
        Passed { arguments, named }: Passed,
        input: Option<&Value>,
        flags: Fixed,
    ) -> Value {
        // A call is work, whatever its block does: functions that call themselves twice end soon.
        let is_too_much = self.scope.depth + 1 >= MAX_DEPTH || !self.runner.spend(CALL);
        if is_too_much || !self.enter() {
            return Value::Nothing;
        }
        let outer = std::mem::take(&mut self.flags);
        self.scope.depth += 1;
        // Parameters hide variables of the same name until the block ends; all others can be read. What a function
        // sets of them is its own.
        let saved: Vec<(String, Option<Value>)> =
            block.params.iter().map(|(name, _)| (name.clone(), self.lookup(name))).collect();
        // Parameters are always set, even in a branch that may not run.
        let certain = std::mem::replace(&mut self.uncertain, false);
        let mut free = arguments.into_iter();
        for (name, default) in &block.params {
            let given = named.iter().find(|(given, _)| {
                // Parameters may be shortened, also those of a person's own functions.
                given.len() <= name.len()
                    && name.is_char_boundary(given.len())
                    && name[..given.len()].eq_ignore_ascii_case(given)
            });
            let value = match given {
                Some((_, value)) => Some(value.clone()),
                None => free.next(),
            };
            let value = match (value, default) {
                (Some(value), _) => value,
                (None, Some(default)) => self.expr(default),
                (None, None) => Value::Nothing,
            };
            self.set(name, value);
        }
        // What no parameter has taken.
        self.set("args", Value::List(Rc::new(free.collect())));
        if let Some(input) = input {
            self.set("input", input.clone());
            self.set("_", turns(input).into_iter().next().unwrap_or(Value::Nothing));
        }
        self.uncertain = certain;
        self.flags = flags;
        self.straight = true;
        let ended = std::mem::take(&mut self.ended);
        let printed = self.statements(&block.body);
        self.ended = ended;
        for (name, value) in saved {
            match value {
                Some(value) => self.set(&name, value),
                None => self.unset(&name),
            }
        }
        self.flags = outer;
        self.scope.depth -= 1;
        self.leave();
        printed
    }

    /// Runs a string as `Invoke-Expression` does, and shows that something was run.
    pub(super) fn evaluate(&mut self, text: &str) -> Value {
        let index = self.push(vec![Arg::from("Invoke-Expression"), Arg::from(text)], Vec::new(), None);
        self.text(text, Some((index, How::Text)))
    }

    /// An atom of a cmdlet that something else amounts to.
    pub(super) fn cmdlet_atom(&mut self, name: &str, named: &[(&str, &str)], switches: &[&str]) {
        let mut args = vec![Arg::from(name)];
        for (name, value) in named {
            args.push(Arg::from(format!("-{name}")));
            args.push(Arg::from(*value));
        }
        args.extend(switches.iter().map(|switch| Arg::from(format!("-{switch}"))));
        self.push(args, Vec::new(), None);
    }

    pub(super) fn plain_atom(&mut self, name: &str, values: &[String]) {
        let args =
            std::iter::once(Arg::from(name)).chain(values.iter().map(|value| Arg::from(value.as_str())));
        self.push(args.collect(), Vec::new(), None);
    }

    pub(super) fn push(&mut self, args: Vec<Arg>, redirects: Vec<Redirect>, stdin: Option<Rc<str>>) -> u32 {
        // An index is needed all the same: the last atom is what comes nearest.
        if args.is_empty() && redirects.is_empty() || !self.runner.step() {
            return u32::try_from(self.runner.analysis.atoms.len().saturating_sub(1)).unwrap_or(0);
        }
        let size: usize = args.iter().map(|arg| arg.text.len()).sum();
        // Without room for the arguments, the program is named alone.
        let args = if self.runner.spend(size) { args } else { args.into_iter().take(1).collect() };
        let call = Call {
            args: Rc::new(args),
            assigns: Vec::new(),
            redirects,
            io: Io { stdin, ..Io::default() },
            stage: self.stage,
            span: self.here(),
            external: true,
        };
        self.runner.push_atom(self.scope, &call)
    }
}

/// The command that a pattern or an alias names.
pub(super) fn resolved_name(name: &str) -> String {
    if let Some(full) = names::alias(name) {
        return full.to_owned();
    }
    if name.contains(['*', '?', '[']) {
        let wanted = shell_engine::text::pattern::active(&name.to_ascii_lowercase());
        let found = names::all().find(|known| pattern::matches(&wanted, &known.to_ascii_lowercase()));
        return found.map_or_else(|| mark::UNKNOWN.to_string(), str::to_owned);
    }
    name.to_owned()
}

/// The atom's arguments of a cmdlet.
pub(super) fn atom_args(name: &str, bound: &Bound) -> Vec<Arg> {
    let mut args = vec![Arg::from(name)];
    args.extend(bound.rest.iter().flat_map(Value::elements).map(|value| shown(&value)));
    for (name, value) in &bound.named {
        args.push(Arg::from(format!("-{name}")));
        args.extend(value.elements().iter().map(shown));
    }
    args.extend(bound.switches.iter().map(|switch| Arg::from(format!("-{switch}"))));
    args
}

/// Characters of a block that an atom shows.
const SHOWN: usize = 200;

fn shown(value: &Value) -> Arg {
    match value {
        Value::Block(_) => {
            let text = value.string();
            let text: String = text.chars().take(SHOWN).collect();
            Arg::from(format!("{{{text}}}"))
        }
        Value::Object(kind) => match kind.split_once(':') {
            Some(("all", _)) => Arg::from(mark::STAR.to_string()),
            _ => Arg::from(kind.to_string()),
        },
        value => Arg::from(value.string()),
    }
}

/// The program that a name stands for: Windows does not care about letters' case.
fn program(name: &str) -> String {
    let name = name.trim_matches('"');
    let path = if name.contains('\\') { slashes(name) } else { name.to_owned() };
    let bare = program_name(&path);
    // Most names need no change, and what is not known must not lose its marks.
    if mark::any(&path) || bare.len() == path.len() && !bare.bytes().any(|b| b.is_ascii_uppercase()) {
        return path;
    }
    if path.contains('/') { path } else { bare.to_ascii_lowercase() }
}

/// Whether the arguments are a program's and not the cmdlet's of the same name: `rm -rf`, `ls -la`, `curl --data`.
fn foreign(cmdlet: Cmdlet, given: &[Given]) -> bool {
    let native = matches!(
        cmdlet.name,
        "Remove-Item"
            | "Copy-Item"
            | "Move-Item"
            | "Get-ChildItem"
            | "Get-Content"
            | "Sort-Object"
            | "Get-Process"
            | "Stop-Process"
            | "Compare-Object"
            | "Tee-Object"
            | "Invoke-WebRequest"
            | "New-PSDrive"
            | "Start-Sleep"
            | "Set-Content"
    );
    native
        && given.iter().any(|argument| match argument {
            Given::Parameter(name, _) => name.starts_with('-') || cmdlet.parameter(name).is_none(),
            // `sc stop name`: the program that controls services.
            Given::Value(Value::Text(text)) => {
                cmdlet.name == "Set-Content"
                    && matches!(
                        text.to_ascii_lowercase().as_str(),
                        "stop" | "delete" | "config" | "query" | "start" | "create" | "failure"
                    )
                    || text.starts_with("--")
            }
            Given::Value(_) => false,
        })
}

/// `remove-vm` as it is written in documentation.
fn titled(name: &str) -> String {
    let mut upper = true;
    let plain =
        !name.bytes().any(|b| b.is_ascii_uppercase()) || !name.bytes().any(|b| b.is_ascii_lowercase());
    if !plain {
        return name.to_owned();
    }
    name.chars()
        .map(|c| {
            let c = if upper { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
            upper = c == '-';
            c
        })
        .collect()
}

/// Whether a statement is nothing but a value that stands there.
fn is_plain(statement: &Statement) -> bool {
    fn is_value(expr: &Expr) -> bool {
        match expr {
            Expr::Text(_) | Expr::Number(_) => true,
            Expr::List(values) => values.iter().all(is_value),
            _ => false,
        }
    }
    match statement {
        Statement::Pipeline(pipeline) => match pipeline.stages.as_slice() {
            [Stage { kind: StageKind::Expression(expr), .. }] => is_value(expr),
            _ => false,
        },
        _ => false,
    }
}
