//! Functions that are handed to functions: `map`, `reduce`, `apply`.

use std::rc::Rc;

use shell_engine::mark;

use super::follow::{Callee, Follower};
use super::value::{Arguments, MAX_ELEMENTS, Value};

impl Follower<'_> {
    /// `reduce(f, xs, start)`, in whichever order.
    pub(super) fn fold(&mut self, inputs: &[Value]) -> Value {
        let is_function = |value: &Value| matches!(value, Value::Function(_) | Value::Name(_));
        let Some(function) = inputs.iter().find(|value| is_function(value)).cloned() else {
            return Value::computed(inputs.iter());
        };
        let mut others = inputs.iter().filter(|value| !is_function(value)).cloned();
        let values = match others.next() {
            Some(Value::List(values)) => values,
            Some(value) => vec![value.element()],
            None => return Value::unknown(),
        };
        let mut values = values.into_iter().take(MAX_ELEMENTS);
        let mut whole = others.next().or_else(|| values.next()).unwrap_or_else(Value::unknown);
        for value in values {
            if !self.step(4) {
                break;
            }
            whole = self.apply(&function, vec![whole, value]);
        }
        whole
    }

    /// A function for each element: `map(f, xs)`, `lapply(xs, f)`.
    pub(super) fn each_of(&mut self, inputs: &[Value]) -> Value {
        let (function, list) = match inputs {
            [function @ (Value::Function(_) | Value::Name(_)), list, ..] => (function, list),
            [list, function @ (Value::Function(_) | Value::Name(_)), ..] => (function, list),
            // `array_walk($xs, "name")`
            [list @ (Value::List(_) | Value::Map(_)), function @ Value::Text(_), ..] => (function, list),
            [function, list, ..] => (function, list),
            _ => return Value::computed(inputs.iter()),
        };
        let (function, list) = (function.clone(), list.clone());
        match list {
            Value::List(values) if values.len() <= MAX_ELEMENTS => {
                let mut results = Vec::new();
                for value in values {
                    if !self.step(4) {
                        break;
                    }
                    results.push(self.apply(&function, vec![value]));
                }
                Value::List(results)
            }
            Value::Text(text) if !mark::any(&text.text) && text.text.len() <= MAX_ELEMENTS => {
                let letters: Vec<char> = text.text.chars().collect();
                let results =
                    letters.into_iter().map(|c| self.apply(&function, vec![Value::from(c)])).collect();
                Value::List(results)
            }
            list => {
                let result = self.apply(&function, vec![list.element()]);
                Value::List(vec![result])
            }
        }
    }

    pub(super) fn apply(&mut self, function: &Value, values: Vec<Value>) -> Value {
        let arguments = Arguments::of(values);
        match function {
            Value::Function(function) => {
                let function = Rc::clone(function);
                self.call_function(&function, arguments.values)
            }
            Value::Name(path) => {
                let path = path.clone();
                self.invoke_path(&path, arguments)
            }
            Value::Bound(_) => self.invoke(Callee::Value(function.clone()), arguments),
            // PHP's `[$object, "method"]` and `["Class", "method"]`
            Value::List(parts)
                if let [owner, method] = parts.as_slice()
                    && let Some(method) = method.known() =>
            {
                match self.function_named(&method) {
                    Some(function) => self.call_function(&function, arguments.values),
                    None => self.invoke_method(owner, &method, &arguments),
                }
            }
            value => match value.known() {
                Some(path) => self.invoke_path(&path.replace("::", "."), arguments),
                None => Value::computed(arguments.all()),
            },
        }
    }
}
