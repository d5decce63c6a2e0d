//! `$(( … ))`, as far as its numbers are known.

use super::{Scope, Value};
use crate::mark;

/// An expression longer than this is not followed.
const MAX_EXPRESSION: usize = 256;
/// Nesting of an expression that is followed.
const MAX_DEPTH: u32 = 32;

/// Operators with two sides, the longest spelling first, and how closely they bind.
const BINARY: &[(&str, u8)] = &[
    ("**", 11),
    ("||", 1),
    ("&&", 2),
    ("==", 6),
    ("!=", 6),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

/// The value of an expression, or nothing where it is not known. Assignments in it happen.
pub(super) fn evaluate(scope: &mut Scope, expression: &str) -> Option<i64> {
    if expression.len() > MAX_EXPRESSION {
        return None;
    }
    // A `*` multiplies here.
    let expression = &*mark::readable(expression);
    let mut reader = Reader { rest: expression.trim(), scope, depth: 0 };
    let mut value = reader.assignment();
    while reader.take(",") {
        value = reader.assignment();
    }
    value.filter(|_| reader.rest.trim().is_empty())
}

struct Reader<'e, 's> {
    rest: &'e str,
    scope: &'s mut Scope,
    depth: u32,
}

impl Reader<'_, '_> {
    fn take(&mut self, symbol: &str) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(symbol);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// A name in front of the rest, if one stands there.
    fn name(&self) -> &str {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        if rest.starts_with(|c: char| c.is_ascii_digit()) { "" } else { &rest[..end] }
    }

    /// `x = 1`, `x += 1`, or a plain expression.
    fn assignment(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        // Only a name can be assigned to, so it is looked for first; what stands there otherwise is read
        // again from `before`.
        let name = self.name().to_owned();
        let before = self.rest;
        if !name.is_empty() {
            self.rest = &self.rest.trim_start()[name.len()..];
            let operator = ["<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "="]
                .into_iter()
                .find(|operator| self.rest.trim_start().starts_with(operator));
            if let Some(operator) = operator.filter(|_| !self.rest.trim_start().starts_with("==")) {
                self.take(operator);
                let right = self.assignment();
                let operator = operator.strip_suffix('=').unwrap_or("");
                let value = if operator.is_empty() {
                    right
                } else {
                    self.variable(&name).zip(right).and_then(|(left, right)| apply(operator, left, right))
                };
                self.set(&name, value);
                return value;
            }
            self.rest = before;
        }
        let condition = self.binary(0);
        if !self.take("?") {
            return condition;
        }
        let yes = self.assignment();
        if !self.take(":") {
            return None;
        }
        let no = self.assignment();
        // Both sides have been read, and their assignments have happened: bash would only evaluate one of
        // them.
        if condition? == 0 { no } else { yes }
    }

    fn binary(&mut self, least: u8) -> Option<i64> {
        let mut left = self.unary();
        loop {
            let rest = self.rest.trim_start();
            // The table lists longer operators first: `<<` must not be read as `<`.
            let found = BINARY.iter().find(|(operator, _)| rest.starts_with(operator));
            let Some(&(operator, strength)) = found.filter(|(_, strength)| *strength > least) else {
                return left;
            };
            self.take(operator);
            // `2 ** 3 ** 2` goes from right to left.
            let right = self.binary(if operator == "**" { strength - 1 } else { strength });
            left = left.zip(right).and_then(|(left, right)| apply(operator, left, right));
        }
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.rest = "";
            return None;
        }
        let value = self.operand();
        self.depth -= 1;
        value
    }

    fn operand(&mut self) -> Option<i64> {
        if self.take("(") {
            let value = self.assignment();
            return if self.take(")") { value } else { None };
        }
        for (step, by) in [("++", 1), ("--", -1)] {
            if self.take(step) {
                let name = self.name().to_owned();
                self.take(&name);
                return self.step(&name, by).map(|before| before.wrapping_add(by));
            }
        }
        if self.take("-") {
            return self.unary()?.checked_neg();
        }
        if self.take("+") {
            return self.unary();
        }
        if self.take("!") {
            return self.unary().map(|value| i64::from(value == 0));
        }
        if self.take("~") {
            return self.unary().map(|value| !value);
        }
        let name = self.name().to_owned();
        if !name.is_empty() {
            self.take(&name);
            for (step, by) in [("++", 1), ("--", -1)] {
                if self.take(step) {
                    return self.step(&name, by);
                }
            }
            return self.variable(&name);
        }
        self.number()
    }

    fn number(&mut self) -> Option<i64> {
        self.rest = self.rest.trim_start();
        let is_digit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '#' | '@' | '_');
        let end = self.rest.find(|c: char| !is_digit(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        if let Some(hex) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
            return i64::from_str_radix(hex, 16).ok();
        }
        if let Some((base, digits)) = word.split_once('#') {
            let base = base.parse().ok().filter(|base| (2..=36).contains(base))?;
            return i64::from_str_radix(digits, base).ok();
        }
        // A leading zero means octal, so `08` is an error and has no value.
        if word.len() > 1 && word.starts_with('0') {
            return i64::from_str_radix(word, 8).ok();
        }
        word.parse().ok()
    }

    /// The value of a variable before it is stepped.
    fn step(&mut self, name: &str, by: i64) -> Option<i64> {
        let before = self.variable(name);
        self.set(name, before.and_then(|before| before.checked_add(by)));
        before
    }

    fn variable(&mut self, name: &str) -> Option<i64> {
        if self.scope.is_open(name) {
            return None;
        }
        match self.scope.get(name) {
            // One that nothing sets counts as zero.
            None if self.scope.is_exact()
                && self.scope.inherited(name).is_none()
                && !super::status::comes_from_outside(name) =>
            {
                Some(0)
            }
            None => None,
            Some(Value::One(text)) if text.is_empty() => Some(0),
            // `010` is eight.
            Some(Value::One(text)) if text.len() > 1 && text.starts_with('0') => None,
            Some(Value::One(text)) => text.parse().ok(),
            Some(Value::Many(_)) => None,
        }
    }

    fn set(&mut self, name: &str, value: Option<i64>) {
        if name.is_empty() {
            return;
        }
        match value {
            Some(value) => self.scope.set_text(name, &value.to_string()),
            // Some number: it can neither be a path nor split into words.
            None => self.scope.set_text(name, mark::TOKEN.encode_utf8(&mut [0; 4])),
        }
    }
}

fn apply(operator: &str, left: i64, right: i64) -> Option<i64> {
    // What overflows or divides by zero has no value; bash wraps or fails, and no command is hidden that way.
    let shift = || u32::try_from(right).ok().filter(|&width| width < 64);
    Some(match operator {
        "+" => left.checked_add(right)?,
        "-" => left.checked_sub(right)?,
        "*" => left.checked_mul(right)?,
        "/" => left.checked_div(right)?,
        "%" => left.checked_rem(right)?,
        "**" => left.checked_pow(u32::try_from(right).ok()?)?,
        "<<" => left.wrapping_shl(shift()?),
        ">>" => left.wrapping_shr(shift()?),
        "&" => left & right,
        "|" => left | right,
        "^" => left ^ right,
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        "<" => i64::from(left < right),
        ">" => i64::from(left > right),
        "<=" => i64::from(left <= right),
        ">=" => i64::from(left >= right),
        "&&" => i64::from(left != 0 && right != 0),
        "||" => i64::from(left != 0 || right != 0),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_computed_as_in_the_shell() {
        let mut scope = Scope::new("/", None);
        for (expression, value) in [
            ("1 + 2 * 3", Some(7)),
            ("(1+2)*3", Some(9)),
            ("2 ** 3 ** 2", Some(512)),
            ("-2 ** 2", Some(4)),
            ("7 / 2 - 7 % 4", Some(0)),
            ("1 << 4 | 3", Some(19)),
            ("5 > 3 && 2 == 2", Some(1)),
            ("x = 5, x += 2", Some(7)),
            ("x++ + x", Some(15)),
            ("--x", Some(7)),
            ("1 ? 2 : 3", Some(2)),
            ("0x1f + 010 + 2#101", Some(44)),
            ("!0 + ~0", Some(0)),
            ("1 +", None),
            ("unset + 1", None),
            ("1 / 0", None),
            (&format!("6 {} 2", mark::STAR), Some(12)),
        ] {
            assert_eq!(evaluate(&mut scope, expression), value, "{expression}");
        }
        assert_eq!(evaluate(&mut scope, &"(".repeat(200)), None);
        assert_eq!(evaluate(&mut scope, &"-".repeat(200)), None);
    }
}
