//! What expressions come to.

use std::rc::Rc;

use super::super::ast::{Expr, Operator};
use super::super::value::{MAX_LIST, Value};
use super::Machine;

impl Machine<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Text(text) => Value::text(text.as_str()),
            Expr::Number(digits) => Value::text(number(digits)),
            Expr::Variable(name) => self.variable(name),
            // Only what holds other expressions counts as a level: plain values are most of them.
            _ => {
                if !self.enter() {
                    return Value::unknown();
                }
                let value = self.compound(expr);
                self.leave();
                value
            }
        }
    }

    fn compound(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Text(_) | Expr::Number(_) | Expr::Variable(_) => Value::Nothing,
            Expr::Join(pieces) => {
                let mut joined = String::new();
                for piece in pieces {
                    let text = self.expr(piece).string();
                    joined.push_str(&text);
                    if !self.runner.spend(text.len()) {
                        return Value::unknown();
                    }
                }
                Value::text(joined)
            }
            Expr::Block(block) => Value::Block(Rc::clone(block)),
            Expr::List(items) => {
                let mut values = Vec::new();
                for item in items.iter().take(MAX_LIST) {
                    match self.expr(item) {
                        // An empty pipeline adds no element, as in PowerShell.
                        Value::Nothing => {}
                        value => values.push(value),
                    }
                }
                Value::List(Rc::new(values))
            }
            Expr::Sub(statements) => self.statements(statements),
            Expr::Map(entries) => {
                let mut map = Vec::new();
                for (key, value) in entries.iter().take(MAX_LIST) {
                    // Entries keep their order; a later one of the same name wins when it is looked up.
                    let key = self.expr(key).string();
                    map.push((key, self.statement(value)));
                }
                Value::Map(Rc::new(map))
            }
            Expr::Type(name) => Value::Type(Rc::from(name.as_str())),
            Expr::Cast(name, value) => {
                let value = self.expr(value);
                self.cast(name, value)
            }
            Expr::Unary(operator, value) => {
                let value = self.expr(value);
                unary(*operator, &value)
            }
            Expr::Chain(first, rest) => {
                let mut value = self.expr(first);
                for (operator, right) in rest {
                    let right = self.expr(right);
                    value = self.binary(*operator, value, &right);
                }
                value
            }
            Expr::Access(base, chain) if self.grows(base, chain) => Value::Nothing,
            Expr::Access(base, chain) => {
                let mut value = self.expr(base);
                for access in chain {
                    value = self.access(value, access);
                }
                value
            }
        }
    }
}

/// What a sign or a word in front of a value makes of it.
fn unary(operator: Operator, value: &Value) -> Value {
    match operator {
        Operator::Join => Value::text(value.joined("")),
        Operator::Split => {
            Value::of(value.string().split_whitespace().take(MAX_LIST).map(Value::text).collect())
        }
        Operator::Subtract => match value.number() {
            Some(number) => Value::text(number.wrapping_neg().to_string()),
            None => Value::token(),
        },
        _ => Value::token(),
    }
}

/// A number as .NET would print it, where it is whole.
fn number(digits: &str) -> String {
    let lower = digits.to_ascii_lowercase();
    // Hexadecimal first: its letters are digits, not units.
    if lower.starts_with("0x") {
        return Value::text(lower.as_str()).number().map_or(lower, |number| number.to_string());
    }
    for (unit, power) in [("kb", 10), ("mb", 20), ("gb", 30), ("tb", 40)] {
        if let Some(count) = lower.strip_suffix(unit).and_then(|count| count.parse::<i64>().ok()) {
            return count.saturating_mul(1 << power).to_string();
        }
    }
    digits.to_owned()
}
