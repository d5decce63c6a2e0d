//! What a shell remembers while it runs: variables, functions, aliases, its folder.

use std::rc::Rc;

use payload::Language;

use super::shared::Shared;
use super::{Call, Runner};
use crate::atom::{How, Place, Via};
use crate::mark;
use crate::span::Span;

/// Values that one variable may have, because branches set it differently. Of more, one that is not known stands for the rest.
pub(crate) const MAX_ALTERNATIVES: usize = 16;

/// Variables, functions and aliases that are remembered, of each.
const MAX_NAMES: usize = 1000;
/// Variables that one program is said to get.
const MAX_ENVIRONMENT: usize = 16;
/// A path longer than this is not a path: Linux accepts 4096 bytes.
const MAX_PATH: usize = 4096;

/// The state of one shell process. Cloning it is what a subshell does, and is cheap.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mode of its own")]
pub struct Scope {
    variables: Shared<Variable>,
    functions: Shared<Function>,
    aliases: Shared<(String, String)>,
    /// Arrays that take words as their keys, as they were declared.
    maps: Shared<Box<str>>,
    /// `$1` and on. `None` where someone else passes them later.
    pub positional: Option<Rc<[String]>>,
    /// Whether these may be otherwise than they seem; and whether those will be that the next function is called with.
    pub(crate) given_openly: bool,
    pub(crate) gives_openly: bool,
    /// Whether these are what they are here whatever branches were taken: what looks at them takes the branch for them.
    pub exact: bool,
    /// `$0`
    pub name: Rc<str>,
    /// The folder it is in: absolute as far as the text tells, and it may hold marks.
    pub cwd: Rc<str>,
    pub(crate) previous_cwd: Rc<str>,
    /// The user's home folder, or `~` where no one says which that is.
    pub home: Rc<str>,
    /// The machine on which it runs.
    pub place: Place,
    /// The language that is being read.
    pub shell: Language,
    /// What the command at work reads, for the substitutions in its words: `… | eval "$(cat)"`.
    pub(crate) input: Option<Rc<str>>,
    /// How atoms of this scope are reached.
    pub via: Option<Via>,
    /// The span that stands for everything in a string that is not the original one.
    pub origin: Option<Span>,
    /// The file of the disk whose text is being read.
    pub file: Option<u32>,
    /// The path of that file: bash's `BASH_SOURCE`.
    pub(crate) source: Option<Rc<str>>,
    /// Inside a branch or a loop, where an assignment may or may not happen.
    pub uncertain: bool,
    /// After code of this shell that no one knows: any variable, and any argument, may be another than it seems.
    pub(crate) meddled: bool,
    /// What surely does not run any more: after an `exit` that surely ran, all.
    pub(crate) left: Left,
    /// What may not run any more: what is set in it may not be set.
    pub(crate) may_have_left: Left,
    /// `set -e`
    pub(crate) ends_early: bool,
    /// `set -u`
    pub(crate) needs_values: bool,
    /// The command at work lacks a value without which it does not run.
    pub(crate) lacks_value: bool,
    /// Inside a loop of the text at work.
    pub(crate) in_loop: bool,
    /// Inside a function, or a file that was sourced.
    pub(crate) may_return: bool,
    /// The word that `getopts` is at, and the letter in it.
    pub(crate) option_at: (usize, usize),
    /// Which of several values a variable shows at the moment.
    pub choice: usize,
    /// The largest number of values seen since it was last set to zero.
    pub choices: usize,
    /// What was read since it was last cleared may be otherwise than it seems: what decides by it stays open.
    pub open: bool,
    /// The last stage of a pipeline runs in the shell itself: `shopt -s lastpipe`, zsh, ksh.
    pub keeps_last: bool,
    /// A shell that may not know `[[ … ]]` and `(( … ))`.
    pub is_plain: bool,
    /// What the names that the function at work has declared local stood for before.
    pub(crate) locals: Option<Vec<(Rc<str>, Option<Variable>)>>,
    /// Aliases whose text is being read.
    pub(crate) open_aliases: Vec<Rc<str>>,
    /// `set -a`
    pub(crate) exports_all: bool,
    /// Inside the words of a command, which is run once for each choice.
    pub(crate) expanding: bool,
    /// Someone wanted it to remember more names than any honest command has.
    pub(crate) full: bool,
    /// How deep strings, functions and wrappers are nested.
    pub depth: u32,
    /// Inside a string that may run later, when variables are set that are not set now.
    pub(crate) later: bool,
    pub(crate) traps: Traps,
}

/// How much of a script surely does not run any more, from the least to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Left {
    #[default]
    Nothing,
    /// The turn of a loop: `continue`.
    Turn,
    /// The loop: `break`.
    Loop,
    /// The function, or the file that was sourced: `return`.
    Function,
    /// The shell: `exit`.
    Shell,
}

/// What `trap` has left for the end. A subshell starts without any, and its own ones are run where they stand, so a
/// copy is empty.
#[derive(Default)]
pub(crate) struct Traps(Option<Vec<Trap>>);

/// A string that runs when the shell ends.
#[derive(Clone)]
pub(crate) struct Trap {
    pub(crate) text: Rc<str>,
    /// What it waits for, by names without `SIG`.
    pub(crate) signals: Vec<Rc<str>>,
    /// The atom of the `trap` itself.
    pub(crate) atom: u32,
}

/// Traps that wait. A shell has one for each signal.
const MAX_TRAPS: usize = 8;

impl Clone for Traps {
    fn clone(&self) -> Self {
        Self(None)
    }
}

impl Traps {
    /// From here on they wait for the end of this shell; `false` where they do already.
    pub(crate) fn begin(&mut self) -> bool {
        let begins = self.0.is_none();
        self.0.get_or_insert_default();
        begins
    }

    /// No one waits any more.
    pub(crate) fn end(&mut self) {
        self.0 = None;
    }

    /// Keeps a string for the end; `false` where no one would run it then.
    pub(crate) fn keep(&mut self, trap: Trap) -> bool {
        let Some(traps) = self.0.as_mut().filter(|traps| traps.len() < MAX_TRAPS) else { return false };
        traps.push(trap);
        true
    }

    /// Takes signals from what waits for them, and gives back what did.
    pub(crate) fn release(&mut self, signals: &[Rc<str>]) -> Vec<Trap> {
        let traps = self.0.get_or_insert_default();
        let waited = traps.iter().filter(|trap| trap.signals.iter().any(|own| signals.contains(own)));
        let waited = waited.cloned().collect();
        for trap in traps.iter_mut() {
            trap.signals.retain(|own| !signals.contains(own));
        }
        traps.retain(|trap| !trap.signals.is_empty());
        waited
    }

    /// They have run.
    pub(crate) fn forget(&mut self) {
        self.0.iter_mut().for_each(Vec::clear);
    }

    /// The strings that wait.
    pub(crate) fn waiting(&self) -> &[Trap] {
        self.0.as_deref().unwrap_or(&[])
    }
}

#[derive(Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub(crate) struct Variable {
    name: Rc<str>,
    value: Value,
    /// Other values it may have, from other branches.
    others: Vec<Value>,
    /// Values of before, while a trap waits: the shell may end, and run it, at any of them.
    past: Vec<Value>,
    /// Whether programs that the shell starts get it.
    exported: bool,
    /// Whether the call of this program brought it, so that no environment has another value.
    given: bool,
    /// Whether it may not be set, or to something else: what decides by it stays open.
    is_open: bool,
    /// `readonly`
    is_fixed: bool,
    /// `declare -i`: what is assigned to it is computed.
    is_number: bool,
}

/// A number that bash prints as it stands here.
fn number(value: &Value) -> Option<i64> {
    let Value::One(text) = value else { return None };
    text.parse().ok().filter(|number: &i64| number.to_string() == **text)
}

/// Adds a value that a variable may have. Of too many, one that is not known stands for the rest.
fn add(values: &mut Vec<Value>, value: Value) {
    if values.contains(&value) {
        return;
    }
    if values.len() < MAX_ALTERNATIVES {
        values.push(value);
    } else if let Some(last) = values.last_mut() {
        *last = Value::One(Rc::from(mark::UNKNOWN.to_string()));
    }
}

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    One(Rc<str>),
    Many(Rc<[String]>),
}

/// What a function does, in the language that defines it.
pub(crate) trait Body {
    /// Runs it with the input and output of a call.
    fn run(&self, runner: &mut Runner, scope: &mut Scope, call: &Call) -> String;

    /// How it calls the function with this name.
    fn calls(&self, name: &str) -> Calls;

    /// The text that defines it.
    fn source(&self) -> String;
}

/// How one function calls another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Calls {
    Not,
    /// It waits for its end.
    Waiting,
    /// As a process of its own, beside it.
    Spawned,
}

/// A function that may be called.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) name: Rc<str>,
    pub(crate) body: Rc<dyn Body>,
    pub(crate) called: bool,
    /// Whether a shell that this one starts gets it.
    pub(crate) exported: bool,
    /// Whether it was surely defined, and not only in a branch.
    pub(crate) certain: bool,
    /// Where it was defined, if its text is not a piece of the original one.
    pub(crate) origin: Option<Span>,
    /// The file of the disk in which it was defined.
    pub(crate) file: Option<u32>,
}

impl Scope {
    /// A shell that has just started in `cwd`.
    pub fn new(cwd: &str, home: Option<&str>) -> Self {
        Self {
            variables: Shared::default(),
            functions: Shared::default(),
            aliases: Shared::default(),
            maps: Shared::default(),
            positional: Some(Rc::from([])),
            given_openly: false,
            gives_openly: false,
            exact: false,
            left: Left::Nothing,
            may_have_left: Left::Nothing,
            ends_early: false,
            needs_values: false,
            lacks_value: false,
            in_loop: false,
            may_return: false,
            option_at: (0, 1),
            meddled: false,
            name: Rc::from("bash"),
            cwd: Rc::from(cwd),
            previous_cwd: Rc::from(&*mark::UNKNOWN.encode_utf8(&mut [0; 4])),
            home: Rc::from(home.unwrap_or("~")),
            place: Place::Here,
            shell: Language::Posix,
            input: None,
            via: None,
            origin: None,
            source: None,
            file: None,
            uncertain: false,
            choice: 0,
            choices: 0,
            open: false,
            keeps_last: false,
            is_plain: false,
            locals: None,
            open_aliases: Vec::new(),
            exports_all: false,
            expanding: false,
            full: false,
            depth: 0,
            later: false,
            traps: Traps(None),
        }
    }

    /// The value of a variable that this text has set.
    pub fn get(&mut self, name: &str) -> Option<Value> {
        let variable = self.variables.iter().rev().find(|variable| &*variable.name == name)?;
        let count = 1 + variable.others.len();
        self.choices = self.choices.max(count);
        self.open |= variable.is_open;
        // Variables with fewer values than the one that is gone through repeat theirs.
        let chosen = self.choice % count;
        Some(if chosen == 0 { variable.value.clone() } else { variable.others[chosen - 1].clone() })
    }

    /// The value that a variable has though nothing here has set it.
    pub fn inherited(&self, name: &str) -> Option<String> {
        let token = || Some(mark::TOKEN.to_string());
        match name {
            "HOME" => Some(self.home.to_string()),
            "PWD" => Some(self.cwd.to_string()),
            "OLDPWD" => Some(self.previous_cwd.to_string()),
            // Hosts and CI set these to the project, where commands start.
            "CLAUDE_PROJECT_DIR" | "COPILOT_PROJECT_DIR" | "GEMINI_PROJECT_DIR" | "GITHUB_WORKSPACE" => {
                Some(self.cwd.to_string())
            }
            "TMPDIR" | "TMP" | "TEMP" | "RUNNER_TEMP" => Some("/tmp".to_owned()),
            "IFS" => Some(" \t\n".to_owned()),
            "BASH_SOURCE" => self.source.as_deref().map(str::to_owned),
            "SHELL" | "BASH" => Some("/bin/bash".to_owned()),
            // Short values without meaning as a path or a program.
            "USER" | "LOGNAME" | "UID" | "EUID" | "GROUPS" | "RANDOM" | "SRANDOM" | "SECONDS" | "PPID"
            | "HOSTNAME" | "HOSTTYPE" | "MACHTYPE" | "OSTYPE" | "LINENO" | "BASHPID" | "SHLVL"
            | "EPOCHSECONDS" | "EPOCHREALTIME" | "BASH_VERSION" | "_" => token(),
            // Where they lie unless a person has moved them; rules protect what is there.
            "COPILOT_HOME" => Some(format!("{}/.copilot", self.home)),
            "CLAUDE_CONFIG_DIR" => Some(format!("{}/.claude", self.home)),
            "CODEX_HOME" => Some(format!("{}/.codex", self.home)),
            "XDG_STATE_HOME" => Some(format!("{}/.local/state", self.home)),
            "XDG_CACHE_HOME" => Some(format!("{}/.cache", self.home)),
            "XDG_CONFIG_HOME" => Some(format!("{}/.config", self.home)),
            "XDG_DATA_HOME" => Some(format!("{}/.local/share", self.home)),
            _ => None,
        }
    }

    /// Sets a variable. Inside a branch, the values of before stay possible.
    pub(crate) fn set(&mut self, name: &str, value: Value) {
        // `local -n r=$1; r=x` sets the caller's variable.
        let other = self.referred(name);
        self.meddled |= other.as_deref().is_some_and(mark::any);
        if let Some(other) = other.filter(|other| other != name && !other.starts_with(mark::is_mark)) {
            match (super::element_of(&other), &value) {
                // `declare -n r='t[2]'`
                (Some(_), Value::One(text)) => self.set_place(&other, text),
                _ => self.set_plain(&other, value.clone()),
            }
        }
        self.set_plain(name, value);
    }

    fn set_plain(&mut self, name: &str, value: Value) {
        let uncertain = self.is_unsure();
        let trapped = !self.traps.waiting().is_empty();
        let variables = self.variables.to_mut();
        if let Some(variable) = variables.iter_mut().rev().find(|variable| &*variable.name == name) {
            if variable.is_fixed {
                return;
            }
            self.meddled |= self.exact && variable.is_number && number(&value).is_none();
            let before = std::mem::replace(&mut variable.value, value);
            if !uncertain {
                variable.is_open = false;
                variable.others.clear();
                if trapped && before != variable.value {
                    add(&mut variable.past, before);
                }
            } else if before != variable.value {
                add(&mut variable.others, before);
            }
            return;
        }
        if variables.len() >= MAX_NAMES {
            self.full = true;
            return;
        }
        let exported = self.exports_all || self.inherited(name).is_some();
        let variables = self.variables.to_mut();
        variables.push(Variable {
            name: Rc::from(name),
            value,
            others: Vec::new(),
            past: Vec::new(),
            exported,
            given: false,
            is_open: uncertain,
            is_fixed: false,
            is_number: false,
        });
    }

    /// `declare -A NAME`
    pub(crate) fn declare_map(&mut self, name: &str) {
        if !self.is_map(name) && self.maps.len() < MAX_NAMES {
            self.maps.to_mut().push(Box::from(name));
        }
    }

    /// Whether an array was declared to take words as its keys.
    pub(crate) fn is_map(&self, name: &str) -> bool {
        self.maps.iter().any(|map| &**map == name)
    }

    /// Declares a name local to the function at work.
    pub(crate) fn declare_local(&mut self, name: &str) {
        let found = self.variables.iter().find(|variable| &*variable.name == name).cloned();
        if let Some(locals) = &mut self.locals
            && !locals.iter().any(|(known, _)| &**known == name)
        {
            locals.push((Rc::from(name), found));
            self.variables.to_mut().retain(|variable| &*variable.name != name);
        }
    }

    /// Gives local names back to what they stood for outside, where `outer` were local.
    pub(crate) fn leave_function(&mut self, outer: Option<Vec<(Rc<str>, Option<Variable>)>>) {
        let Some(locals) = std::mem::replace(&mut self.locals, outer) else { return };
        for (name, before) in locals.into_iter().rev() {
            let variables = self.variables.to_mut();
            variables.retain(|variable| variable.name != name);
            variables.extend(before);
        }
    }

    /// Whether what decides by a variable stays open.
    pub(crate) fn is_open(&self, name: &str) -> bool {
        self.variables
            .iter()
            .rev()
            .find(|variable| &*variable.name == name)
            .is_some_and(|found| found.is_open)
    }

    /// `readonly NAME`: from here on, it keeps its value.
    pub(crate) fn fix(&mut self, name: &str) {
        if self.is_unsure() {
            // What it holds after it is assigned to again is not known.
            self.meddled |= self.exact;
            return;
        }
        for variable in self.variables.to_mut().iter_mut().filter(|variable| &*variable.name == name) {
            variable.is_fixed = true;
        }
    }

    /// `declare -i NAME`: from here on, only numbers are what they seem.
    pub(crate) fn count(&mut self, name: &str) {
        let unsure = self.is_unsure();
        let known = self.variables.to_mut().iter_mut().rev().find(|variable| &*variable.name == name);
        match known {
            Some(known) if !unsure && number(&known.value).is_some() => known.is_number = true,
            _ => self.meddled |= self.exact,
        }
    }

    /// What `NAME+=VALUE` makes of a number.
    pub(crate) fn added(&self, name: &str, value: &str) -> Option<i64> {
        let known = self.variables.iter().rev().find(|variable| &*variable.name == name)?;
        number(&known.value).filter(|_| known.is_number)?.checked_add(value.parse().ok()?)
    }

    /// From here on, what decides by a variable stays open.
    pub(crate) fn leave_open(&mut self, name: &str) {
        for variable in self.variables.to_mut().iter_mut().filter(|variable| &*variable.name == name) {
            variable.is_open = true;
        }
    }

    /// From now on, programs that the shell starts get the variable.
    pub fn export(&mut self, name: &str) {
        if let Some(variable) = self.variables.to_mut().iter_mut().find(|variable| &*variable.name == name) {
            variable.exported = true;
        }
    }

    /// Sets a variable that the call of a program brings: `DRY_RUN=1 ./clean.sh`.
    pub fn give(&mut self, name: &str, text: &str) {
        self.set_text(name, text);
        let variables = self.variables.to_mut();
        if let Some(variable) = variables.iter_mut().find(|variable| &*variable.name == name) {
            (variable.exported, variable.given) = (true, true);
        }
    }

    /// What this text has set for the programs that the shell starts: the last ones of many.
    pub fn environment(&self) -> Vec<(String, String)> {
        let one = |variable: &Variable| match &variable.value {
            Value::One(value) if variable.exported => Some((variable.name.to_string(), value.to_string())),
            _ => None,
        };
        self.variables.iter().rev().filter_map(one).take(MAX_ENVIRONMENT).collect()
    }

    /// The variables that programs get whose names begin like this.
    pub fn exported(&self, beginning: &str) -> Vec<(String, String)> {
        let one = |variable: &Variable| match &variable.value {
            Value::One(value) if variable.exported && variable.name.starts_with(beginning) => {
                Some((variable.name.to_string(), value.to_string()))
            }
            _ => None,
        };
        self.variables.iter().filter_map(one).collect()
    }

    /// Becomes the scope of a shell that this one starts as a program: it gets the functions that were exported, and whether it gets
    /// a variable that was not exported here depends on the environment.
    pub fn enter_process(&mut self) {
        let unset = Value::One(Rc::from(mark::UNSET.to_string()));
        if self.variables.iter().any(|variable| !variable.exported) {
            for variable in self.variables.to_mut().iter_mut().filter(|variable| !variable.exported) {
                add(&mut variable.others, unset.clone());
            }
        }
        if self.functions.iter().any(|function| !function.exported) {
            self.functions.to_mut().retain(|function| function.exported);
        }
        self.aliases = Shared::default();
        self.locals = None;
        self.exact = false;
        (self.left, self.may_have_left, self.uncertain) = (Left::Nothing, Left::Nothing, false);
        (self.ends_early, self.needs_values) = (false, false);
        (self.in_loop, self.may_return) = (false, false);
        (self.given_openly, self.gives_openly) = (false, false);
        self.option_at = (0, 1);
        (self.open, self.keeps_last, self.is_plain) = (false, false, false);
    }

    /// Lets every variable have the values of before again.
    pub(crate) fn recall(&mut self) {
        if self.variables.iter().any(|variable| !variable.past.is_empty()) {
            for variable in self.variables.to_mut() {
                for value in std::mem::take(&mut variable.past) {
                    add(&mut variable.others, value);
                }
            }
        }
    }

    /// What turns of a loop may change for the next one.
    pub(crate) fn state(&self) -> (Shared<Variable>, Rc<str>) {
        (self.variables.clone(), Rc::clone(&self.cwd))
    }

    /// Sets a variable to a string.
    pub fn set_text(&mut self, name: &str, text: &str) {
        self.set(name, Value::One(Rc::from(text)));
    }

    /// Sets a variable to one of several values, of which no one knows which.
    pub(crate) fn set_any(&mut self, name: &str, values: &[String]) {
        let outer = std::mem::replace(&mut self.uncertain, false);
        for (index, value) in values.iter().enumerate() {
            // The first replaces what was there, the others join it.
            self.uncertain = index > 0;
            self.set_text(name, value);
        }
        self.uncertain = outer;
    }

    /// A shell of its own with the same memory: a subshell, which leaves no loop of the shell around it.
    pub(crate) fn forked(&self) -> Self {
        Self { in_loop: false, traps: Traps(Some(Vec::new())), ..self.clone() }
    }

    /// Begins to look at what something reads: whether it may be otherwise than it seems.
    pub(crate) fn begin(&mut self) -> (usize, bool) {
        (std::mem::replace(&mut self.choices, 0), std::mem::replace(&mut self.open, false))
    }

    /// Whether what was read since [`Scope::begin`] is what it seems.
    pub(crate) fn is_settled(&mut self, outer: (usize, bool)) -> bool {
        let settled = self.choices <= 1 && !self.open;
        (self.choices, self.open) = (self.choices.max(outer.0), self.open || outer.1);
        settled
    }

    /// Whether what runs now may not run: in a branch, or after what may have left the text around it.
    pub(crate) fn is_unsure(&self) -> bool {
        self.uncertain || self.may_have_left > Left::Nothing
    }

    /// Leaves as much of the script, surely or perhaps.
    pub(crate) fn leave(&mut self, left: Left) {
        // Where branches are all taken, nothing is left.
        if !self.is_exact() {
            return;
        }
        if !self.is_unsure() {
            self.left = self.left.max(left);
        } else if left < Left::Shell {
            // What comes after an `exit` sets what it sets, if it runs at all.
            self.may_have_left = self.may_have_left.max(left);
        }
    }

    /// Goes on after the end of what was left: a loop, a function. `before` is what may have been left at its beginning.
    pub(crate) fn arrive(&mut self, after: Left, before: Left) {
        if self.left <= after {
            self.left = Left::Nothing;
        }
        if self.may_have_left <= after {
            self.may_have_left = before;
        }
    }

    /// Whether its arguments are what they are here, whatever branches were taken and whatever ran before.
    pub(crate) fn is_exact(&self) -> bool {
        self.exact && !self.meddled
    }

    /// The value of a variable that has only one.
    pub(crate) fn surely(&self, name: &str) -> Option<&str> {
        self.certain(name).map(|(text, _)| text)
    }

    /// The same of one that the call has brought.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.certain(name).filter(|(_, given)| *given).map(|(text, _)| text)
    }

    fn certain(&self, name: &str) -> Option<(&str, bool)> {
        if self.meddled {
            return None;
        }
        let variable = self.variables.iter().rev().find(|variable| &*variable.name == name)?;
        match &variable.value {
            Value::One(text) if variable.others.is_empty() => Some((text, variable.given)),
            _ => None,
        }
    }

    pub(crate) fn unset(&mut self, name: &str) {
        if let Some((name, key)) = super::element_of(name) {
            return self.unset_element(name, key);
        }
        // In a branch that may not run, it may still be set.
        if !self.is_unsure() {
            self.variables.to_mut().retain(|variable| &*variable.name != name);
            self.functions.to_mut().retain(|function| &*function.name != name);
        }
    }

    pub(crate) fn define(&mut self, name: &str, body: Rc<dyn Body>) {
        let certain = !self.is_unsure();
        let functions = self.functions.to_mut();
        functions.retain(|function| &*function.name != name);
        if functions.len() >= MAX_NAMES {
            self.full = true;
            return;
        }
        functions.push(Function {
            name: Rc::from(name),
            body,
            called: false,
            exported: self.exports_all,
            certain,
            origin: self.origin,
            file: self.file,
        });
    }

    /// The bodies of all functions but the one with this name, with their names.
    pub(crate) fn bodies(&self, name: &str) -> impl Iterator<Item = (&str, &dyn Body)> {
        let others = self.functions.iter().filter(move |function| &*function.name != name);
        others.map(|function| (&*function.name, &*function.body))
    }

    pub(crate) fn function(&self, name: &str) -> Option<Function> {
        self.functions.iter().find(|function| &*function.name == name).cloned()
    }

    pub(crate) fn has_functions(&self) -> bool {
        !self.functions.is_empty()
    }

    /// Whether a function of this name has been defined, which a shell runs instead of the program.
    pub fn has_function(&self, name: &str) -> bool {
        self.functions.iter().any(|function| &*function.name == name)
    }

    /// From now on, shells that this one starts get the function.
    pub(crate) fn export_function(&mut self, name: &str) {
        if self.has_function(name) {
            let functions = self.functions.to_mut().iter_mut();
            functions
                .filter(|function| &*function.name == name)
                .for_each(|function| function.exported = true);
        }
    }

    pub(crate) fn mark_called(&mut self, name: &str) {
        if self.functions.iter().any(|function| &*function.name == name && !function.called) {
            for function in self.functions.to_mut() {
                function.called |= &*function.name == name;
            }
        }
    }

    pub(crate) fn uncalled(&self) -> Vec<Function> {
        self.functions.iter().filter(|function| !function.called).cloned().collect()
    }

    /// Defines an alias; programs keep theirs here, too, under names with a blank: `git st`.
    pub fn set_alias(&mut self, name: &str, text: &str) {
        if self.aliases.len() >= MAX_NAMES {
            self.full = true;
            return;
        }
        self.aliases.to_mut().push((name.to_owned(), text.to_owned()));
    }

    /// What a name that only stands for another one was declared to stand for.
    pub(super) fn refers_to(&self, name: &str) -> Option<String> {
        if self.aliases.is_empty() {
            return None;
        }
        self.alias(&format!("${name}")).map(str::to_owned)
    }

    /// The names of variables that begin with `prefix`.
    pub(crate) fn names(&self, prefix: &str) -> Vec<String> {
        let names = self.variables.iter().map(|variable| variable.name.to_string());
        names.filter(|name| name.starts_with(prefix)).collect()
    }

    /// The text of an alias; the latest definition counts.
    pub fn alias(&self, name: &str) -> Option<&str> {
        if self.aliases.is_empty() {
            return None;
        }
        self.aliases.iter().rev().find(|(alias, _)| alias == name).map(|(_, text)| text.as_str())
    }

    /// What is read now is led to by an atom: where that is a piece of the atom's own text, it stands where the atom does.
    pub fn led_by(&mut self, runner: &Runner, parent: u32, how: How) {
        self.via = Some(Via { parent, how });
        if !runner.is_own_text(self, parent) {
            self.origin = Some(self.origin.unwrap_or_else(|| runner.span_of(parent)));
        }
    }

    /// `path` as an absolute path without `.` and `..`, as far as the text tells.
    pub fn absolute(&self, path: &str) -> String {
        crate::path::join(&self.cwd, path)
    }

    /// Goes to another folder.
    pub fn change_folder(&mut self, path: &str) {
        let next = if path == "-" { self.previous_cwd.to_string() } else { self.absolute(path) };
        // A loop of `cd x` would make an endless path, which Linux would refuse.
        let next = if next.len() > MAX_PATH { mark::UNKNOWN.to_string() } else { next };
        self.previous_cwd = std::mem::replace(&mut self.cwd, Rc::from(next));
    }
}
