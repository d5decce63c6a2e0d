//! Calls of what the code defines itself.

use std::rc::Rc;

use shell_engine::mark;

use super::Follower;
use super::functions::MAX_FUNCTIONS;
use super::postfix::Callee;
use crate::Language;
use crate::act::Call;
use crate::value::{Arguments, Function, Value};

impl Follower<'_> {
    /// Calls a function of the code. What it gets too little of is only known at run time.
    pub(crate) fn call_function(&mut self, function: &Rc<Function>, values: Vec<Value>) -> Value {
        let identity = Rc::as_ptr(function);
        if self.active.contains(&identity) {
            return Value::computed(values.iter());
        }
        let mut values = values;
        // A method gets its object first.
        let own =
            function.parameters.first().is_some_and(|name| matches!(name.as_str(), "self" | "cls" | "this"));
        if own && self.language == Language::Python {
            values.insert(0, Value::Name("self".to_owned()));
        }
        let rest = Value::List(values.clone());
        let mut before = Vec::new();
        for (position, name) in function.parameters.iter().enumerate() {
            let bare = name.trim_start_matches('*');
            before.push((bare.to_owned(), self.variables.get(bare).cloned()));
            if let Some(name) = name.strip_prefix('*') {
                let more = values.get(position..).unwrap_or(&[]).to_vec();
                let more = if more.is_empty() { Value::from(mark::PASSED) } else { Value::List(more) };
                self.assign(name, more);
                continue;
            }
            let value = values.get(position).cloned().unwrap_or_else(|| {
                // `def f(x="/")` is not followed, and neither is what no one passes.
                Value::from(mark::PASSED)
            });
            if let Some(parts) = name.strip_prefix('{') {
                for part in parts.split_terminator(',') {
                    let value = self.property(&value, part);
                    self.assign(part, value);
                }
            } else {
                self.assign(name, value);
            }
        }
        if matches!(self.language, Language::Perl) && !function.parameters.iter().any(|name| name == "_")
            || self.language == Language::JavaScript
        {
            self.assign(if self.language == Language::Perl { "_" } else { "arguments" }, rest);
        } else if self.language == Language::Perl && values.len() != 1 {
            self.assign("_", rest);
        }
        self.active.push(identity);
        let outer = std::mem::take(&mut self.returned);
        let last = self.run_inside(Rc::clone(&function.code), function.start, function.end);
        let mut returned = std::mem::replace(&mut self.returned, outer);
        self.active.pop();
        for (name, value) in before {
            match value {
                Some(value) => self.variables.insert(name, value),
                None => self.variables.remove(&name),
            };
        }
        if returned.is_empty() {
            return last;
        }
        Value::any(std::mem::take(&mut returned))
    }

    /// Keeps a function that someone else calls by this name, or by none: it is looked through at the end.
    pub(super) fn keep_function(&mut self, name: &str, function: Rc<Function>) {
        if self.defined.len() < MAX_FUNCTIONS {
            self.defined.push((name.to_owned(), function, false));
        }
    }

    /// Looks through the functions that nothing has called.
    pub(crate) fn uncalled(&mut self) {
        for position in 0..self.defined.len() {
            let Some((name, function, called)) = self.defined.get(position) else { break };
            if self.may_be_called(name, *called) {
                let function = Rc::clone(function);
                self.call_function(&function, Vec::new());
            }
        }
    }

    /// A call, and what it gives back.
    pub(crate) fn invoke(&mut self, callee: Callee, arguments: Arguments) -> Value {
        if !self.enter() {
            return Value::unknown();
        }
        let value = match callee {
            Callee::Path(path) => self.invoke_path(&path, arguments),
            Callee::Method(value, name) => self.invoke_method(&value, &name, &arguments),
            // `knex("users")`
            Callee::Value(Value::Database) => Value::Database,
            Callee::Value(Value::Function(function)) => self.call_function(&function, arguments.values),
            Callee::Value(Value::Any(values)) => {
                let values = values.clone();
                let mut results = Vec::new();
                for value in
                    values.into_iter().filter(|value| matches!(value, Value::Name(_) | Value::Function(_)))
                {
                    // A block belongs to one of them, which is not known: none gets it.
                    let arguments = Arguments {
                        values: arguments.values.clone(),
                        named: arguments.named.clone(),
                        block: None,
                    };
                    let callee = match value {
                        Value::Name(path) => Callee::Path(path),
                        value => Callee::Value(value),
                    };
                    results.push(self.invoke(callee, arguments));
                }
                if results.is_empty() { Value::computed(arguments.all()) } else { Value::any(results) }
            }
            // PHP's `$f("x")`, where `$f` is a string.
            Callee::Value(value) => match value.known() {
                Some(path) if self.language == Language::Php => self.invoke_path(&path, arguments),
                _ if self.language == Language::Php
                    && matches!(&value, Value::Text(text) if text.text.contains(mark::DECODED)) =>
                {
                    self.note(shell_engine::NoteKind::OpaqueCode);
                    Value::unknown()
                }
                _ => {
                    let inputs: Vec<Value> = std::iter::once(value).chain(arguments.all().cloned()).collect();
                    let call = Call { subject: None, name: "", arguments: &arguments };
                    self.callbacks(call, Value::computed(inputs.iter()))
                }
            },
        };
        self.leave();
        value
    }
}
