//! Simple commands: words become a program.

use std::rc::Rc;

use super::{Frame, Runner, Scope, Script, Value};
use crate::atom::Arg;
use crate::bash::ast::{
    Assign, AssignValue, ParameterOp, Part, Redirect as RedirectNode, RedirectOp, RedirectTarget, Text, Word,
};
use crate::mark;
use crate::runner::Call;
use crate::runner::scope::{Left, MAX_ALTERNATIVES};
use crate::span::Span;

/// A key of an array that is longer is not remembered.
pub(super) const MAX_KEY: usize = 256;
/// What it costs to copy an element of an array, in bytes of text.
const COPY: usize = 8;

/// Values of one command's variables that are tried one after the other: all of a variable, and those of an array as far as
/// that goes.
pub(super) const MAX_CHOICES: usize = 64;
const _: () = assert!(MAX_CHOICES > MAX_ALTERNATIVES);

/// A simple command, and where it stands in the original text.
#[derive(Clone, Copy)]
pub(super) struct Simple<'t> {
    pub(super) assigns: &'t [Assign],
    pub(super) words: &'t [Word],
    pub(super) redirects: &'t [RedirectNode],
    pub(super) span: Span,
}

/// Whether a builtin declares maps: `declare -A`.
pub(super) fn declares_map(args: &[Arg]) -> bool {
    args.iter().skip(1).any(|arg| arg.text.starts_with('-') && arg.text.contains('A'))
}

/// `declare -A m=(key value …)`
fn paired(scope: &mut Scope, name: &str, words: &[String]) -> Value {
    scope.set_keys(name, words.iter().step_by(2).cloned().collect());
    Value::Many(words.iter().skip(1).step_by(2).cloned().collect::<Vec<_>>().into())
}

/// Whether a program takes paths with backslashes: a shell of Windows.
fn is_of_windows(program: Option<&Arg>) -> bool {
    program.is_some_and(|program| {
        // Nearly all names begin otherwise: this is asked of every command.
        program.text.starts_with(['c', 'p'])
            && matches!(
                &*program.text,
                "cmd" | "powershell" | "pwsh" | "cmd.exe" | "powershell.exe" | "pwsh.exe"
            )
    })
}

/// Who writes `cmd /c scripts\x.bat` means that file, whatever bash makes of it.
fn keep_backslashes(text: &Text, words: &[Word], args: &mut [Arg]) {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '\\' | '.' | '_' | '-' | ':');
    for (word, arg) in words.iter().zip(args) {
        let raw = word.span.of(&text.source);
        if !word.parts.is_empty() && raw.contains('\\') && !raw.contains("\\\\") && raw.chars().all(is_plain)
        {
            raw.clone_into(&mut arg.text);
        }
    }
}

impl Runner {
    /// Runs a simple command once for each value that its variables may have.
    pub(super) fn simple(&mut self, scope: &mut Scope, frame: Frame<'_>, simple: Simple<'_>) -> String {
        if let Some(output) = self.alias(scope, frame, simple) {
            return output;
        }
        if scope.expanding {
            // The command around this substitution goes through the values.
            return self.simple_once(scope, frame, simple);
        }
        // A variable that two branches set differently has several values: the command runs once for each of
        // them.
        let outer = (scope.choice, scope.choices, scope.uncertain, scope.open);
        let mut printed = String::new();
        let mut choice = 0;
        loop {
            scope.choice = choice;
            (scope.choices, scope.open) = (0, false);
            // What one value leads to does not replace what another one has led to.
            scope.uncertain |= choice > 0;
            let output = self.simple_once(scope, frame, simple);
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
        if scope.choices > 1 {
            self.status = None;
        }
        (scope.choice, scope.choices, scope.uncertain, scope.open) = outer;
        printed
    }

    /// An alias is text in front of the rest of the command.
    fn alias(&mut self, scope: &mut Scope, frame: Frame<'_>, simple: Simple<'_>) -> Option<String> {
        let (Frame { text, io, .. }, Simple { words, redirects, span, .. }) = (frame, simple);
        let first = words.first()?;
        // A quoted or expanded name is never an alias.
        if !first.parts.is_empty() {
            return None;
        }
        let name = first.span.of(&text.source);
        let alias = scope.alias(name)?;
        // `alias ls='ls -l'` does not call itself.
        if scope.open_aliases.iter().any(|open| &**open == name) {
            return None;
        }
        let targets = redirects.iter().filter_map(|redirect| match &redirect.target {
            RedirectTarget::Word(word) => Some(word),
            RedirectTarget::Heredoc(_) => None,
        });
        let end = words.iter().chain(targets).map(|word| word.span.end).max().unwrap_or(first.span.end);
        let rest = Span { start: first.span.end, end }.of(&text.source);
        let expanded = with_next(scope, alias, rest);
        let outer = scope.origin.replace(scope.origin.unwrap_or(span));
        // In its own text, the name is a program.
        scope.open_aliases.push(Rc::from(name));
        let output = self.run_text(scope, &Script::new(&expanded, None, io));
        scope.open_aliases.pop();
        scope.origin = outer;
        Some(output)
    }

    fn simple_once(&mut self, scope: &mut Scope, frame: Frame<'_>, simple: Simple<'_>) -> String {
        let (text, Simple { assigns, words, redirects, span }) = (frame.text, simple);
        let outer = std::mem::replace(&mut scope.expanding, true);
        self.at = scope.origin.unwrap_or(span);
        // A substitution among the words reads what the command would read: `x=$(cat)`.
        // Before its own redirections, as in bash: `echo $(cat) < f` reads the outer input.
        let outer_input = std::mem::replace(&mut scope.input, frame.io.stdin.clone());
        let first = self.analysis.atoms.len();
        let mut args = self.words(scope, text, words);
        if self.analysis.atoms.len() > first || self.has_taken() {
            self.passes(scope, (text, first, words), &args);
        }
        if is_of_windows(args.first()) {
            keep_backslashes(text, words, &mut args);
        }
        // Few commands have a variable in them, and of those nearly every argument is ASCII: then nothing in it is one that
        // only the environment sets.
        if words.iter().flat_map(|word| &word.parts).any(|part| matches!(part, Part::Parameter { .. }))
            && args.iter().any(|arg| !arg.text.is_ascii() && arg.text.contains(mark::UNSET))
        {
            let secrets: Vec<&str> = words.iter().flat_map(|word| secrets(text, word)).collect();
            self.secrets_used((&args, self.at), &secrets, !frame.io.capture && redirects.is_empty());
        }
        let set = match assigns {
            [] => Vec::new(),
            assigns => self.assignments(scope, text, (assigns, words), &args),
        };
        let fed = redirects;
        let before = self.analysis.atoms.len();
        let (redirects, io) = self.redirects(scope, frame, redirects);
        // `curl -d @- <<E`, with a substitution in what it is fed.
        self.gives(before);
        if self.has_taken() && !args.is_empty() {
            let strings = fed.iter().filter_map(|redirect| match &redirect.target {
                RedirectTarget::Word(word) if redirect.op == RedirectOp::HereString => Some(word),
                RedirectTarget::Word(_) => None,
                RedirectTarget::Heredoc(index) => text.heredocs.get(*index),
            });
            self.hands(words.iter().chain(strings).flat_map(|word| shown(text, word)));
        }
        scope.expanding = outer;
        scope.input = outer_input;
        if std::mem::take(&mut scope.lacks_value) {
            // Another of its values may be there.
            if scope.choices <= 1 {
                scope.leave(Left::Shell);
            }
            return String::new();
        }
        let args = Rc::new(args);
        let call = Call {
            args: Rc::clone(&args),
            assigns: set,
            redirects,
            io,
            stage: frame.id,
            span,
            external: false,
        };
        let is_open = scope.is_exact() && (scope.open || scope.choices > 1);
        let output = if is_open { self.call_openly(scope, call) } else { self.call(scope, call) };
        self.status = self.ends(scope, (assigns, words, &args)).filter(|_| !is_open);
        output
    }

    /// Sets the variables in front of a command, or those that a builtin declares, and says which these are.
    fn assignments(
        &mut self,
        scope: &mut Scope,
        text: &Rc<Text>,
        (assigns, words): (&[Assign], &[Word]),
        args: &[Arg],
    ) -> Vec<(String, String)> {
        let mut set = Vec::with_capacity(assigns.len());
        // A builtin's arguments are all expanded before it assigns the first of them.
        let mut later = Vec::new();
        for assign in assigns {
            let declares = words.is_empty() || super::builtin::declares(args);
            let before = self.analysis.atoms.len();
            let value = match &assign.value {
                // To a builtin it is a word like any other, of which the last wins: `declare x={a,b}`.
                AssignValue::One(word)
                    if declares && !words.is_empty() && has_braces(word.span.of(&text.source)) =>
                {
                    let words = self.words(scope, text, std::slice::from_ref(word));
                    Value::One(Rc::from(words.last().map_or("", |arg| &arg.text)))
                }
                _ => self.assigned(scope, text, assign),
            };
            let name = assign.name.of(&text.source);
            if declares && declares_map(args) {
                scope.declare_map(name);
            }
            let value = match (&assign.value, value) {
                (AssignValue::Many(words), Value::Many(values))
                    if !words.is_empty() && (scope.is_map(name) || declares_map(args)) =>
                {
                    let is_keyed = |word: &Word| word.span.of(&text.source).starts_with('[');
                    if words.iter().any(is_keyed) {
                        Value::Many(values)
                    } else {
                        paired(scope, name, &values)
                    }
                }
                (_, value) => value,
            };
            if declares {
                let words = match &assign.value {
                    AssignValue::One(word) | AssignValue::Element(_, word) => std::slice::from_ref(word),
                    AssignValue::Many(words) => words,
                };
                let own = assign.append.then_some(name);
                self.takes(name, before, words.iter().flat_map(|word| shown(text, word)).chain(own));
            }
            // In front of a program, an assignment is for that program only.
            if declares {
                self.sets(name);
                if words.is_empty() {
                    scope.set(name, value.clone());
                    if scope.open {
                        scope.leave_open(name);
                    }
                } else {
                    later.push((name, value.clone()));
                }
            }
            let value = super::expand::joined(&value);
            // For a program only or not: `PAGER=… git log` runs it.
            self.variable_set(scope, name, &value);
            set.push((name.to_owned(), value));
        }
        let local = super::builtin::declares_local(args);
        for (name, value) in later {
            if local {
                scope.declare_local(name);
            }
            scope.set(name, value);
            if scope.open {
                scope.leave_open(name);
            }
        }
        set
    }

    /// Runs what is given something that may be otherwise than it seems: what decides by it stays open.
    fn call_openly(&mut self, scope: &mut Scope, call: Call) -> String {
        let args = Rc::clone(&call.args);
        let Some((program, rest)) = args.split_first() else { return self.call(scope, call) };
        if scope.function(&program.text).is_some() {
            scope.gives_openly = true;
            return self.call(scope, call);
        }
        let output = self.call(scope, call);
        match program.text.as_str() {
            "set" | "shift" => scope.exact = false,
            "eval" | "source" | "." | "getopts" | "let" => scope.meddled = true,
            "read" | "mapfile" | "readarray" | "printf" | "export" | "declare" | "local" | "readonly"
            | "typeset" => {
                for arg in rest {
                    scope.leave_open(arg.text.split('=').next().unwrap_or(""));
                }
            }
            _ => {}
        }
        output
    }

    /// What a function or `set` is given, parameters hold: `send "$(cat FILE)"`. So does the variable of `printf -v`.
    fn passes(&mut self, scope: &Scope, (text, first, words): (&Rc<Text>, usize, &[Word]), args: &[Arg]) {
        let Some((program, rest)) = args.split_first() else { return };
        let held: Vec<&str> = words.iter().flat_map(|word| shown(text, word)).collect();
        if program.text == "printf" {
            let [option, name, ..] = rest else { return };
            if option.text == "-v" {
                self.takes(&name.text, first, held.iter().copied());
            }
        } else if program.text == "set" || scope.function(&program.text).is_some() {
            for at in 1..words.len().min(MAX_PASSED) {
                self.takes(&at.to_string(), first, held.iter().copied());
            }
            for all in ["@", "*"] {
                self.takes(all, first, held.iter().copied());
            }
        }
    }

    fn assigned(&mut self, scope: &mut Scope, text: &Rc<Text>, assign: &Assign) -> Value {
        let name = assign.name.of(&text.source);
        // `x+=y` needs what was there.
        let before = if assign.append { scope.get(name) } else { None };
        match &assign.value {
            AssignValue::One(word) => {
                let value = self.whole(scope, text, word);
                // bash expands no patterns in the value of an assignment.
                let value = unglobbed(value);
                match before {
                    Some(Value::One(before)) => {
                        if let Some(sum) = scope.added(name, &value) {
                            return Value::One(Rc::from(sum.to_string()));
                        }
                        let both = format!("{before}{value}");
                        Value::One(Rc::from(self.capped(both)))
                    }
                    // To append a string to an array changes its first element.
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
                let index = self.single(scope, text, index);
                if matches!(name, "BASH_ALIASES" | "BASH_CMDS") {
                    // From then on, the name runs the text, as after `alias` and `hash -p`.
                    scope.set_alias(&index, &value);
                }
                let known = scope.referred(name);
                let name = known.as_deref().unwrap_or(name);
                // Each of many elements has a number, which is looked for.
                let count = match scope.get(name) {
                    Some(Value::Many(values)) => values.len(),
                    _ => 0,
                };
                if index.len() > MAX_KEY || !self.spend(count * 2 * COPY) {
                    return scope.get(name).unwrap_or_else(|| Value::One(Rc::from(value)));
                }
                let key = key(scope, name, index);
                scope.with_element(name, &key, (value, assign.append))
            }
            AssignValue::Many(words) => {
                let words = self.words(scope, text, words);
                // `x+=(y)` goes on after the last element.
                let before = match before {
                    Some(Value::Many(before)) if self.spend(before.len() * COPY) => scope.entries(name),
                    Some(Value::One(_)) => scope.entries(name),
                    _ => Vec::new(),
                };
                Self::array(scope, name, (before, words))
            }
        }
    }
}

/// The key of an element: a word where the array takes words, else the number that the text comes to.
pub(super) fn key(scope: &mut Scope, name: &str, index: String) -> String {
    if index.parse::<i64>().is_ok() || scope.is_associative(name) {
        return index;
    }
    // `x[verb]` of an array that was declared elsewhere: only a name that is set is a number.
    let is_number = !index.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        || scope.get(&index).is_some();
    let number = if is_number { super::arithmetic::evaluate(scope, &index) } else { None };
    number.map_or(index, |number| number.to_string())
}

/// An alias in front of the rest of its command. Where it ends with a blank, the next word may be an alias as well.
fn with_next(scope: &Scope, alias: &str, rest: &str) -> String {
    let (mut expanded, mut rest) = (alias.to_owned(), rest);
    while expanded.ends_with([' ', '\t']) {
        let word = rest.trim_start();
        let end = word.find(|c: char| c.is_whitespace() || ";&|<>()".contains(c)).unwrap_or(word.len());
        let Some(next) = scope.alias(&word[..end]).filter(|next| expanded.len() + next.len() < MAX_ALIAS)
        else {
            break;
        };
        expanded.push_str(next);
        rest = &word[end..];
    }
    expanded + rest
}

/// Parameters of a function that are followed to what they hold.
const MAX_PASSED: usize = 4;

/// What aliases make of one command is not longer.
const MAX_ALIAS: usize = 4096;

/// The variables that keep secrets whose whole values a word shows: `$API_TOKEN`, not `${API_TOKEN:0:4}`.
fn secrets<'t>(text: &'t Text, word: &'t Word) -> impl Iterator<Item = &'t str> {
    shown(text, word).filter(|name| names_secret(name))
}

/// The variables whose whole values a word shows.
pub(super) fn shown<'t>(text: &'t Text, word: &'t Word) -> impl Iterator<Item = &'t str> {
    word.parts.iter().filter_map(|part| match part {
        Part::Parameter { parameter, .. }
            if matches!(parameter.op, ParameterOp::Plain) && !parameter.indirect =>
        {
            Some(parameter.name.of(&text.source))
        }
        _ => None,
    })
}

/// Whether a variable's name says that its value is secret.
pub fn names_secret(name: &str) -> bool {
    let bytes = name.as_bytes();
    let begins = |at: usize, part: &str| {
        bytes.get(at..at + part.len()).is_some_and(|here| here.eq_ignore_ascii_case(part.as_bytes()))
    };
    let is_part = |at: usize| match bytes[at].to_ascii_uppercase() {
        b'S' => begins(at, "SECRET"),
        b'T' => begins(at, "TOKEN"),
        b'P' => ["PASSWORD", "PASSWD", "PRIVATE_KEY"].iter().any(|part| begins(at, part)),
        b'A' => ["API_KEY", "APIKEY", "ACCESS_KEY"].iter().any(|part| begins(at, part)),
        b'C' => begins(at, "CREDENTIAL"),
        _ => false,
    };
    // Byte by byte: every variable of every command is looked at.
    (0..bytes.len()).any(is_part)
        // Where it lies, what it is called, how many there are.
        && !["_ID", "_FILE", "_PATH", "_NAME", "_URL", "_DIR", "TOKENS"]
            .iter()
            .any(|end| bytes.len().checked_sub(end.len()).is_some_and(|at| begins(at, end)))
}

/// Whether a shell may expand braces in a word.
fn has_braces(word: &str) -> bool {
    word.contains('{') && word.contains([',', '.']) && !word.contains('$')
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
