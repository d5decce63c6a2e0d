//! Options of a script's own command line, as Python's `argparse` declares them.

use shell_engine::mark;

use super::follow::Follower;
use super::value::{Arguments, Value};

/// The name under which the values of options are remembered.
pub(super) const PARSED: &str = "argparse";

impl Follower<'_> {
    /// `parser.add_argument("--path", default="build")`: what the call gives, else the default.
    pub(super) fn declare_option(&mut self, arguments: &Arguments) -> Value {
        let names: Vec<String> = arguments.values.iter().filter_map(Value::known).collect();
        let long = names.iter().find(|name| name.starts_with("--")).or(names.first());
        let Some(long) = long.filter(|_| self.given.complete) else { return Value::unknown() };
        let own = arguments.named("dest").and_then(Value::known);
        let own = own.unwrap_or_else(|| long.trim_start_matches('-').replace('-', "_"));
        let given = if long.starts_with('-') { self.option_given(&names) } else { self.operand_given() };
        let default = || arguments.named("default").cloned();
        // A flag, which says nothing of a path.
        let is_flag = arguments.named("action").and_then(Value::known).is_some();
        let value = if is_flag {
            Value::from(mark::TOKEN)
        } else {
            given.map(Value::from).or_else(default).unwrap_or_else(|| Value::from(mark::UNSET))
        };
        self.assign(&format!("{PARSED}.{own}"), value);
        Value::unknown()
    }

    /// Go's `flag.String("root", "build", "…")`
    pub(super) fn flag(&self, inputs: &[Value]) -> Value {
        let (Some(name), true) = (inputs.first().and_then(Value::known), self.given.complete) else {
            return Value::unknown();
        };
        let given = self.option_given(&[format!("-{name}"), format!("--{name}")]);
        let default = || inputs.get(1).cloned();
        given.map(Value::from).or_else(default).unwrap_or_else(Value::unknown)
    }

    /// The value of an option in the call.
    fn option_given(&self, names: &[String]) -> Option<String> {
        let mut words = self.given.arguments.iter();
        while let Some(word) = words.next() {
            if names.contains(word) {
                return words.next().cloned();
            }
            let glued = names.iter().find_map(|name| word.strip_prefix(name.as_str())?.strip_prefix('='));
            if let Some(value) = glued {
                return Some(value.to_owned());
            }
        }
        None
    }

    /// The first operand of the call: which one of several belongs to which name, the order would say.
    fn operand_given(&self) -> Option<String> {
        let operands: Vec<&String> =
            self.given.arguments.iter().filter(|word| !word.starts_with('-')).collect();
        match operands.as_slice() {
            [] => None,
            [one] => Some((*one).clone()),
            // Not known: a mark, and no name.
            _ => Some(mark::PASSED.to_string()),
        }
    }
}
