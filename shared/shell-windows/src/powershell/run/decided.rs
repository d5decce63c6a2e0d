//! Which branch a call takes: conditions that only ask for what the call gives, or for what is set once.

use shell_engine::mark;
use shell_engine::text::pattern;

use super::super::ast::{Access, Block, Expr, Operator, Stage, StageKind, Statement, Word};
use super::super::value::Value;
use super::Machine;
use super::bind::Passed;

/// Values of variables that stay as they are from here on.
pub(super) type Fixed = Vec<(String, Value)>;

/// Whether a text may give its variables other values than by an assignment: by their names, by references, from another
/// scope.
fn sets_in_other_ways(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["variable", "[ref]", "script:", "global:", "local:", "private:"].iter().any(|way| text.contains(way))
}

/// The variable by which cmdlets only show what they would do.
pub(super) const WHAT_IF: &str = "WhatIfPreference";

/// Whether a text may call functions by names that do not stand in it: `& $step`, `Get-Command`.
pub(super) fn calls_by_value(text: &str) -> bool {
    const WAYS: &[&str] = &[
        "& $",
        "&$",
        "& (",
        "&(",
        "& \"",
        "&\"",
        ". $",
        ".$",
        ". (",
        ".(",
        ". \"",
        ".\"",
        "function:",
        "get-command",
        "get-item",
        "gcm ",
        "iex",
        "invoke-expression",
        "invokecommand",
        "scriptblock",
        "alias",
        "sal ",
        "class ",
    ];
    let text = text.to_ascii_lowercase();
    // `Step-Re`set`
    let is_split = |pair: &[u8]| pair[0] == b'`' && pair[1].is_ascii_alphanumeric();
    let splits =
        text.as_bytes().windows(3).any(|three| three[0].is_ascii_alphanumeric() && is_split(&three[1..]));
    splits || WAYS.iter().any(|way| text.contains(way))
}

/// How often a text names a function, but for lines of comments.
pub(super) fn mentions(text: &str, name: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines
        .flat_map(|line| line.split(|c: char| !is_part(c)))
        .filter(|word| word.eq_ignore_ascii_case(name))
        .count()
}

/// How often a text assigns to a variable; the default of a parameter is an assignment, too.
fn assignments(text: &str, name: &str) -> usize {
    let lower = text.to_ascii_lowercase();
    let sign = format!("${name}");
    let assigns = |at: usize| {
        let rest = &lower[at + sign.len()..];
        let after = rest.trim_start_matches([' ', '\t']);
        let operator = after.trim_start_matches(['+', '-', '*', '/', '%', '.', '?']);
        !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
            && (operator.starts_with('=') || after.starts_with("++") || after.starts_with("--"))
    };
    lower.match_indices(&sign).filter(|(at, _)| assigns(*at)).count()
}

/// A value of which nothing is left open.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Text(text) => !mark::any(text),
        Value::List(values) => values.iter().all(is_plain),
        Value::Nothing => true,
        _ => false,
    }
}

impl Machine<'_> {
    /// The parameters of a block that keep what the call gives them, or does not give them.
    pub(super) fn fixed(block: &Block, passed: &Passed) -> Fixed {
        if block.params.is_empty() || sets_in_other_ways(&block.text) {
            return Fixed::new();
        }
        let mut free = passed.arguments.iter();
        let mut fixed = Fixed::new();
        for (name, default) in &block.params {
            let named = passed.named.iter().find(|(given, _)| given.eq_ignore_ascii_case(name));
            let value = match (named.map(|(_, value)| value).or_else(|| free.next()), default) {
                (Some(value), _) => Some(value.clone()),
                (None, Some(Expr::Text(text))) => Some(Value::text(text.as_str())),
                (None, Some(_)) => None,
                (None, None) => Some(Value::Nothing),
            };
            let is_own = assignments(&block.text, name) <= usize::from(default.is_some());
            fixed.extend(value.filter(|value| is_own && is_plain(value)).map(|value| (name.clone(), value)));
        }
        fixed
    }

    /// A variable that the file sets here and nowhere else.
    pub(super) fn set_once(&mut self, name: &str, value: &Value) {
        if !self.uncertain
            && self.choice == 0
            && !self.source.is_empty()
            && is_plain(value)
            && self.runner.spend(self.source.len() / 8)
            && assignments(&self.source, name) == 1
        {
            self.flags.push((name.to_owned(), value.clone()));
        }
    }

    /// The text in which a variable may be set once.
    pub(super) fn settled(&mut self, block: &Block) {
        if !sets_in_other_ways(&block.text) {
            self.source = std::rc::Rc::clone(&block.text);
        }
    }

    /// Whether a condition holds that only asks for such variables: `$DryRun`, `$Level -eq 'Full'`.
    pub(super) fn decided(&self, condition: &Statement) -> Option<bool> {
        self.holds(alone(condition)?)
    }

    fn holds(&self, asked: &Expr) -> Option<bool> {
        match asked {
            Expr::Unary(Operator::Not, inner) => self.holds(inner).map(|holds| !holds),
            Expr::Sub(statements) => match statements.as_slice() {
                [one] => self.decided(one),
                _ => None,
            },
            // What compares binds more closely than what joins, but stands in the same chain.
            Expr::Chain(first, rest) => {
                let joins =
                    |(operator, _): &(Operator, Expr)| matches!(operator, Operator::And | Operator::Or);
                let (compares, joined) = rest.split_at(rest.iter().position(joins).unwrap_or(rest.len()));
                let holds = match compares {
                    [] => self.holds(first),
                    [(Operator::Compare(how), right)] => {
                        let sides = self.known(first).zip(self.known(right));
                        sides.and_then(|(left, right)| compared(how, &left, &right))
                    }
                    _ => None,
                };
                joined.iter().fold(holds, |holds, (operator, right)| match operator {
                    Operator::And => both(holds, self.holds(right)),
                    _ => both(holds.map(|holds| !holds), self.holds(right).map(|holds| !holds))
                        .map(|neither| !neither),
                })
            }
            Expr::Access(base, path) if self.only_shows() => match (&**base, path.as_slice()) {
                (Expr::Variable(name), [Access::Method(Expr::Text(method), _)])
                    if name.eq_ignore_ascii_case("PSCmdlet")
                        && method.eq_ignore_ascii_case("ShouldProcess") =>
                {
                    Some(false)
                }
                _ => None,
            },
            _ => self.known(asked).map(|value| !value.is_false()),
        }
    }

    /// Whether `-WhatIf` was given, or stands in its variable.
    fn only_shows(&self) -> bool {
        let shows = self.flags.iter().rfind(|(flag, _)| flag.eq_ignore_ascii_case(WHAT_IF));
        shows.is_some_and(|(_, value)| !value.is_false())
    }

    fn known(&self, asked: &Expr) -> Option<Value> {
        match asked {
            Expr::Text(text) if !mark::any(text) => Some(Value::text(text.as_str())),
            Expr::Number(digits) => Some(Value::text(digits.as_str())),
            Expr::Variable(name) => match name.to_ascii_lowercase().as_str() {
                "true" => Some(Value::boolean(true)),
                "false" => Some(Value::boolean(false)),
                "null" => Some(Value::Nothing),
                name => self
                    .flags
                    .iter()
                    .rev()
                    .find(|(known, _)| known.eq_ignore_ascii_case(name))
                    .map(|(_, value)| value.clone()),
            },
            Expr::List(items) => items
                .iter()
                .map(|item| self.known(item))
                .collect::<Option<Vec<_>>>()
                .map(|items| Value::List(items.into())),
            Expr::Cast(_, inner) => self.known(inner),
            Expr::Sub(statements) => match statements.as_slice() {
                [one] => self.known(alone(one)?),
                _ => None,
            },
            _ => None,
        }
    }

    /// The arms of a `switch` that run, where what it asks for is known.
    pub(super) fn arms<'b>(&self, subject: &Statement, block: &'b Block) -> Option<Vec<&'b Block>> {
        let subject = self.known(alone(subject)?)?;
        let Value::Text(subject) = subject else { return None };
        let subject = subject.to_ascii_lowercase();
        let (mut chosen, mut otherwise, mut label) = (Vec::new(), None, None);
        for statement in &block.body {
            let Statement::Pipeline(pipeline) = statement else { return None };
            let [stage] = pipeline.stages.as_slice() else { return None };
            let (name, arm) = match &stage.kind {
                StageKind::Expression(Expr::Block(arm)) => (label.take()?, arm),
                StageKind::Expression(value) => {
                    label = Some(self.known(value)?.string());
                    continue;
                }
                StageKind::Command { words, .. } => match words.as_slice() {
                    [Word::Value(Expr::Text(name)), Word::Value(Expr::Block(arm))] => (name.clone(), arm),
                    _ => return None,
                },
            };
            // Of a regular expression nothing is known.
            if name.contains(['^', '$', '(', '[', '|', '\\', '+']) {
                return None;
            }
            let wanted = pattern::active(&name.to_ascii_lowercase());
            if name.eq_ignore_ascii_case("default") {
                otherwise = Some(&**arm);
            } else if pattern::matches(&wanted, &subject) {
                chosen.push(&**arm);
            }
        }
        if chosen.is_empty() {
            chosen.extend(otherwise);
        }
        Some(chosen)
    }
}

/// The expression that is all of a statement.
fn alone(statement: &Statement) -> Option<&Expr> {
    let Statement::Pipeline(pipeline) = statement else { return None };
    match pipeline.stages.as_slice() {
        [Stage { kind: StageKind::Expression(expr), .. }] => Some(expr),
        _ => None,
    }
}

fn both(first: Option<bool>, second: Option<bool>) -> Option<bool> {
    match (first, second) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn compared(how: &str, left: &Value, right: &Value) -> Option<bool> {
    let same = |a: &Value, b: &Value| a.string().eq_ignore_ascii_case(&b.string());
    let is_among = |one: &Value, all: &Value| all.elements().iter().any(|value| same(value, one));
    let like = |value: &Value, wanted: &Value| {
        let wanted = pattern::active(&wanted.string().to_ascii_lowercase());
        pattern::matches(&wanted, &value.string().to_ascii_lowercase())
    };
    let number = |order: fn(&i64, &i64) -> bool| Some(order(&left.number()?, &right.number()?));
    if let (Value::List(_), "eq" | "ne" | "like" | "notlike") = (left, how) {
        return None;
    }
    match how {
        "eq" => Some(same(left, right)),
        "ne" => Some(!same(left, right)),
        "like" => Some(like(left, right)),
        "notlike" => Some(!like(left, right)),
        "in" => Some(is_among(left, right)),
        "notin" => Some(!is_among(left, right)),
        "contains" => Some(is_among(right, left)),
        "notcontains" => Some(!is_among(right, left)),
        "gt" => number(i64::gt),
        "ge" => number(i64::ge),
        "lt" => number(i64::lt),
        "le" => number(i64::le),
        _ => None,
    }
}
