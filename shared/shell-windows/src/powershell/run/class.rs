//! Classes of the text: their fields, and what their methods do.

use std::rc::Rc;

use super::super::ast::{Block, Expr};
use super::super::value::{MAX_LIST, Value};
use super::bind::Passed;
use super::{Function, Machine};

/// The entry of an object that says of which class it is.
const CLASS: &str = "#class";

impl Machine<'_> {
    /// Keeps a class: its fields with what they hold at first, and its methods as functions.
    pub(super) fn class(
        &mut self,
        name: &str,
        fields: &[(String, Option<Expr>)],
        methods: &[(String, Rc<Block>)],
    ) {
        let mut entries = vec![(CLASS.to_owned(), Value::text(name))];
        for (field, value) in fields.iter().take(MAX_LIST) {
            let value = value.as_ref().map_or(Value::Nothing, |value| self.expr(value));
            entries.push((field.clone(), value));
        }
        self.state.classes.push((name.to_owned(), Value::Map(Rc::new(entries))));
        for (method, block) in methods {
            if self.state.functions.len() < MAX_LIST {
                let name = format!("{name}::{method}");
                let block = Rc::clone(block);
                self.state.functions.push(Function { name, block, called: false, foreign: false });
            }
        }
    }

    /// A new object of a class of the text, if there is one of this name.
    pub(super) fn made(&mut self, class: &str, arguments: &[Value]) -> Option<Value> {
        let (_, blank) =
            self.state.classes.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case(class))?;
        let blank = blank.clone();
        let made = self.call_method(class, class, (&blank, arguments));
        Some(made.map_or(blank, |(_, object)| object))
    }

    /// What a method of an object of the text gives back.
    pub(super) fn own_method(&mut self, object: &Value, name: &str, arguments: &[Value]) -> Option<Value> {
        let class = match object {
            Value::Type(class) => class.to_string(),
            object => object.entry(CLASS)?.string(),
        };
        self.call_method(&class, name, (object, arguments)).map(|(value, _)| value)
    }

    /// Runs a method: what it gives back, and its object afterwards.
    fn call_method(
        &mut self,
        class: &str,
        method: &str,
        (object, arguments): (&Value, &[Value]),
    ) -> Option<(Value, Value)> {
        let name = format!("{class}::{method}").to_lowercase();
        let function = self.state.functions.iter_mut().find(|function| function.name == name)?;
        function.called = true;
        let block = Rc::clone(&function.block);
        let outer = self.lookup("this");
        self.set("this", object.clone());
        let passed = Passed { arguments: arguments.to_vec(), named: Vec::new() };
        let value = self.invoke(&block, passed, None);
        let object = self.lookup("this").unwrap_or_else(|| object.clone());
        self.set("this", outer.unwrap_or(Value::Nothing));
        Some((value, object))
    }
}
