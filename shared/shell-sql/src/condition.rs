//! Whether a condition lets every row through.

use std::cmp::Ordering;

use super::token::{Kind, Token, is_open};
use super::words::closing;

/// Nesting of a condition that is followed.
const MAX_DEPTH: u32 = 16;

/// Alternatives that are compared with each other.
const MAX_ALTERNATIVES: usize = 12;

/// Whether a condition holds for every row of a table, as far as its text tells: `1=1`, `true`, `id = id`,
/// `name LIKE '%'`, `id IS NOT NULL`.
pub(super) fn always(tokens: &[Token<'_>], subject: Subject<'_>) -> bool {
    any_of(tokens, subject, 0) == Some(true)
}

/// What a condition is about.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    /// The table whose rows it chooses.
    pub(super) table: &'a str,
    /// `||` means *or*, as in `MySQL`; elsewhere it joins strings.
    pub(super) bars_mean_or: bool,
}

type Truth = Option<bool>;

/// `a OR b OR c`
fn any_of(tokens: &[Token<'_>], subject: Subject<'_>, depth: u32) -> Truth {
    if depth > MAX_DEPTH || tokens.is_empty() {
        return None;
    }
    let parts = split(tokens, |token| token.is("or") || subject.bars_mean_or && token.is_symbol("||"));
    let mut all_false = true;
    for part in &parts {
        match all_of(part, subject, depth) {
            // One alternative that always holds lets every row through, whatever the others say.
            Some(true) => return Some(true),
            Some(false) => {}
            None => all_false = false,
        }
    }
    // Each is compared with each: a hostile condition may have thousands.
    let few = &parts[..parts.len().min(MAX_ALTERNATIVES)];
    let opposite = |(at, one): (usize, &&[Token<'_>])| few[..at].iter().any(|other| are_opposite(one, other));
    if few.iter().enumerate().any(opposite) {
        return Some(true);
    }
    all_false.then_some(false)
}

/// `a AND b AND c`
fn all_of(tokens: &[Token<'_>], subject: Subject<'_>, depth: u32) -> Truth {
    let mut between = false;
    let parts = split(tokens, |token| {
        if token.is("between") {
            // Its `AND` joins two bounds and not two conditions.
            between = true;
            return false;
        }
        if token.is("and") || token.is_symbol("&&") {
            // `x BETWEEN 1 AND 2`
            return !std::mem::take(&mut between);
        }
        false
    });
    let mut all_true = true;
    for part in parts {
        match not(part, subject, depth) {
            // One part that never holds lets no row through.
            Some(false) => return Some(false),
            Some(true) => {}
            None => all_true = false,
        }
    }
    all_true.then_some(true)
}

fn not(mut tokens: &[Token<'_>], subject: Subject<'_>, depth: u32) -> Truth {
    let mut negated = false;
    while let [first, rest @ ..] = tokens
        && (first.is("not") || first.is_symbol("!"))
    {
        negated = !negated;
        tokens = rest;
    }
    // What is not known stays so, negated or not.
    let truth = predicate(tokens, subject, depth)?;
    Some(truth != negated)
}

fn predicate(tokens: &[Token<'_>], subject: Subject<'_>, depth: u32) -> Truth {
    // A value that only exists at run time may make it true or false.
    if tokens.iter().any(is_open) {
        return None;
    }
    match tokens {
        [] => None,
        [one] => alone(one),
        [first, .., last]
            if first.is_symbol("(") && last.is_symbol(")") && closing(tokens, 0) == tokens.len() - 1 =>
        {
            any_of(&tokens[1..tokens.len() - 1], subject, depth + 1)
        }
        [exists, open, query @ .., _] if exists.is("exists") && open.is_symbol("(") => {
            returns_rows(query).then_some(true)
        }
        _ => comparison(tokens, subject),
    }
}

/// A condition of one word.
fn alone(token: &Token<'_>) -> Truth {
    match token.kind {
        Kind::Word if token.is("true") => Some(true),
        Kind::Word if token.is_one("false null") => Some(false),
        Kind::Number => token.text.parse::<f64>().ok().map(|number| number != 0.0),
        Kind::Text => match token.text.trim() {
            "t" | "true" | "yes" | "on" => Some(true),
            // MySQL reads a string as a number: `WHERE '1'` holds.
            text => text.parse::<f64>().ok().map(|number| number != 0.0),
        },
        _ => None,
    }
}

/// Whether a sub-query finds something as soon as its tables hold a row, or needs none.
fn returns_rows(query: &[Token<'_>]) -> bool {
    query.first().is_some_and(|first| first.is("select"))
        // Any of these may leave no row.
        && !query.iter().any(|token| token.is_one("where having limit join intersect except group"))
}

/// `left OPERATOR right`
fn comparison(tokens: &[Token<'_>], subject: Subject<'_>) -> Truth {
    let at = operator(tokens)?;
    let (left, rest) = tokens.split_at(at);
    if left.is_empty() {
        return None;
    }
    let (operator, mut right) = rest.split_first()?;
    if operator.is("is") {
        return is(left, right, subject);
    }
    let mut negated = false;
    let mut operator = operator;
    if operator.is("not") {
        negated = true;
        (operator, right) = right.split_first()?;
    }
    let truth = if operator.is_one("like ilike glob regexp rlike similar") || operator.is_symbol("~") {
        matches_all(left, operator, right)
    } else if operator.is("in") {
        lists_itself(left, right, subject)
    } else if operator.kind == Kind::Symbol {
        if let (Some(left), Some(right)) = (constant(left), constant(right)) {
            Some(holds(operator.text, left.compare(&right)?))
        } else if same(left, right) {
            // Rows in which both are NULL stay; they are few.
            match operator.text {
                "=" | "==" | "<=" | ">=" => Some(true),
                "<>" | "!=" | "<" | ">" => Some(false),
                _ => None,
            }
        } else if is_key(left, subject) {
            any_key(operator.text, right)
        } else {
            None
        }
    } else {
        None
    };
    truth.map(|truth| truth != negated)
}

/// Where the operator of a comparison stands: the only one outside of brackets that is not an arithmetic.
fn operator(tokens: &[Token<'_>]) -> Option<usize> {
    let mut found = None;
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        if token.is_symbol("(") {
            // An operator in brackets belongs to a part of the comparison.
            at = closing(tokens, at) + 1;
            continue;
        }
        let compares = token.is_one("is in like ilike glob regexp rlike similar between")
            || token.kind == Kind::Symbol
                && matches!(token.text, "=" | "==" | "<>" | "!=" | "<" | ">" | "<=" | ">=" | "~");
        if compares {
            // `a = b = c`: what it means differs between databases.
            if found.is_some() {
                return None;
            }
            // `x NOT LIKE y`: the word before it belongs to the operator.
            let negated = at > 0 && tokens[at - 1].is("not");
            found = Some(at - usize::from(negated));
            // What follows `IS` may hold words that look like operators: `IS NOT DISTINCT FROM`.
            if token.is("is") {
                return found;
            }
        }
        at += 1;
    }
    found
}

/// `left IS [NOT] right`
fn is(left: &[Token<'_>], right: &[Token<'_>], subject: Subject<'_>) -> Truth {
    let (negated, right) = match right {
        [not, rest @ ..] if not.is("not") => (true, rest),
        _ => (false, right),
    };
    let truth = match right {
        [null] if null.is("null") => {
            // Neither is ever NULL.
            if constant(left).is_some() || is_key(left, subject) {
                Some(false)
            } else {
                (left.len() == 1 && left[0].is("null")).then_some(true)
            }
        }
        [one] if one.is_one("true false") => {
            any_of(left, subject, MAX_DEPTH).map(|truth| truth == one.is("true"))
        }
        [distinct, from, other @ ..] if distinct.is("distinct") && from.is("from") => {
            // A value is never distinct from itself, and NULL counts as equal here.
            same(left, other).then_some(false)
        }
        other => same(left, other).then_some(true),
    };
    truth.map(|truth| truth != negated)
}

/// Whether a pattern matches every text: `LIKE '%'`.
fn matches_all(left: &[Token<'_>], operator: &Token<'_>, right: &[Token<'_>]) -> Truth {
    let [pattern] = right else {
        // `SIMILAR TO '%'`
        return match right {
            [to, pattern] if to.is("to") => matches_all(left, operator, std::slice::from_ref(pattern)),
            _ => None,
        };
    };
    if pattern.kind != Kind::Text {
        return same(left, right).then_some(true);
    }
    let value = pattern.value();
    let all = if operator.is("glob") {
        !value.is_empty() && value.chars().all(|c| c == '*')
    } else if operator.is_one("like ilike similar") {
        !value.is_empty() && value.chars().all(|c| c == '%')
    } else {
        // Regular expressions need not match the whole string, so the empty one matches all.
        matches!(&*value, "" | ".*" | "^" | "$" | "^.*" | "^.*$" | ".*$" | "(.*)")
    };
    if all {
        return Some(true);
    }
    match constant(left) {
        // Without any sign of a pattern, `LIKE` compares.
        Some(Constant::Text(left)) if !value.contains(['%', '_', '*', '?', '[', '.', '^', '$']) => {
            Some(left.eq_ignore_ascii_case(&value))
        }
        _ => None,
    }
}

/// `id IN (SELECT id FROM the_same_table)`, `1 IN (1, 2)`
fn lists_itself(left: &[Token<'_>], right: &[Token<'_>], subject: Subject<'_>) -> Truth {
    let [open, list @ .., close] = right else { return None };
    if !open.is_symbol("(") || !close.is_symbol(")") {
        return None;
    }
    if let [select, columns @ ..] = list
        && select.is("select")
    {
        let from = columns.iter().position(|token| token.is("from"))?;
        let of_itself = same(left, columns.get(..from)?)
            && columns
                .get(from + 1)
                .is_some_and(|name| name.value().eq_ignore_ascii_case(last(subject.table)))
            // Nothing follows the table that could leave rows out.
            && columns.len() == from + 2;
        return of_itself.then_some(true);
    }
    let left = constant(left)?;
    let mut known = true;
    for item in split(list, |token| token.is_symbol(",")) {
        match constant(item).and_then(|item| left.compare(&item)) {
            Some(Ordering::Equal) => return Some(true),
            Some(_) => {}
            None => known = false,
        }
    }
    known.then_some(false)
}

/// A value that stands in the text.
enum Constant {
    Number(f64),
    Text(String),
}

impl Constant {
    fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Number(one), Self::Number(two)) => one.partial_cmp(two),
            (Self::Text(one), Self::Text(two)) => Some(one.cmp(two)),
            // `1='1'` holds in some databases only.
            _ => None,
        }
    }
}

fn constant(tokens: &[Token<'_>]) -> Option<Constant> {
    match tokens {
        [one] if one.kind == Kind::Text => Some(Constant::Text(one.value().into_owned())),
        [one] if one.is("true") => Some(Constant::Number(1.0)),
        [one] if one.is("false") => Some(Constant::Number(0.0)),
        [first, inner @ .., last] if first.is_symbol("(") && last.is_symbol(")") => constant(inner),
        _ => number(tokens).map(Constant::Number),
    }
}

/// `1`, `-1`, `2 + 3 * 4` read from left to right where that makes no difference.
fn number(tokens: &[Token<'_>]) -> Option<f64> {
    let (mut tokens, sign) = match tokens {
        [minus, rest @ ..] if minus.is_symbol("-") => (rest, -1.0),
        _ => (tokens, 1.0),
    };
    let mut total: Option<f64> = None;
    let mut operator = "+";
    while let [first, rest @ ..] = tokens {
        // Columns and calls are not constants.
        if first.kind != Kind::Number {
            return None;
        }
        let value: f64 = first.text.parse().ok()?;
        total = Some(match (total, operator) {
            (None, _) => sign * value,
            (Some(total), "+") => total + value,
            (Some(total), "-") => total - value,
            // From left to right only: `1 + 2 * 3` has an order that is not kept here.
            (Some(total), "*") if rest.is_empty() => total * value,
            _ => return None,
        });
        match rest {
            [] => return total,
            [next, rest @ ..] if next.kind == Kind::Symbol => {
                operator = next.text;
                tokens = rest;
            }
            _ => return None,
        }
    }
    None
}

fn holds(operator: &str, order: Ordering) -> bool {
    match operator {
        "=" | "==" => order.is_eq(),
        "<>" | "!=" => order.is_ne(),
        "<" => order.is_lt(),
        ">" => order.is_gt(),
        "<=" => order.is_le(),
        ">=" => order.is_ge(),
        _ => false,
    }
}

/// Whether both are the same expression of columns.
fn same(left: &[Token<'_>], right: &[Token<'_>]) -> bool {
    left.len() == right.len()
        // `1 = 1` is compared by value, not by its spelling.
        && left.iter().any(Token::names)
        // Two calls may differ: `random() = random()`.
        && !left.iter().any(|token| token.is_symbol("("))
        && left.iter().zip(right).all(|(one, other)| match (one.names(), other.names()) {
            (true, true) => one.value().eq_ignore_ascii_case(&other.value()),
            (false, false) => one.kind == other.kind && one.text == other.text,
            _ => false,
        })
}

/// Whether it is a column that every row has, because it tells rows apart.
fn is_key(tokens: &[Token<'_>], subject: Subject<'_>) -> bool {
    let column = match tokens {
        [column] => column,
        [_, dot, column] if dot.is_symbol(".") => column,
        _ => return false,
    };
    if !column.names() {
        return false;
    }
    let name = column.value().to_ascii_lowercase();
    if matches!(
        &*name,
        "id" | "_id" | "uuid" | "guid" | "pk" | "rowid" | "_rowid_" | "oid" | "ctid" | "__key__"
    ) {
        return true;
    }
    // `user_id` of `users` or of `user`
    let table = last(subject.table).to_ascii_lowercase();
    // English names of tables are mostly plurals with an s.
    let singular = table.strip_suffix('s').unwrap_or(&table);
    name.strip_suffix("_id").is_some_and(|owner| !owner.is_empty() && (owner == table || owner == singular))
}

/// Whether every key compares like that: `id > 0`, `id <> 0`, `id != ''`.
fn any_key(operator: &str, right: &[Token<'_>]) -> Truth {
    let all = match constant(right)? {
        Constant::Number(bound) => match operator {
            // Generated keys begin with one.
            ">" | "<>" | "!=" => bound <= 0.0,
            ">=" => bound <= 1.0,
            _ => false,
        },
        Constant::Text(text) => text.is_empty() && matches!(operator, "<>" | "!=" | ">" | ">="),
    };
    all.then_some(true)
}

/// `x IS NULL` and `x IS NOT NULL`, `x = 1` and `x <> 1`
fn are_opposite(one: &[Token<'_>], other: &[Token<'_>]) -> bool {
    let parts = |tokens: &[Token<'_>]| -> Option<(usize, &'static str, usize)> {
        let at = operator(tokens)?;
        let (kind, skip) = match &tokens[at..] {
            [is, not, null] if is.is("is") && not.is("not") && null.is("null") => ("not null", 3),
            [is, null] if is.is("is") && null.is("null") => ("null", 2),
            [equal, ..] if equal.is_symbol("=") => ("=", 1),
            [unequal, ..] if unequal.is_symbol("<>") || unequal.is_symbol("!=") => ("<>", 1),
            _ => return None,
        };
        Some((at, kind, at + skip))
    };
    let (Some(left), Some(right)) = (parts(one), parts(other)) else { return false };
    let kinds =
        matches!((left.1, right.1), ("null", "not null") | ("not null", "null") | ("=", "<>") | ("<>", "="));
    let rest = |tokens: &[Token<'_>], from: usize| -> String {
        tokens[from..].iter().map(|token| format!("{:?} {}\n", token.kind, token.text)).collect()
    };
    kinds && same(&one[..left.0], &other[..right.0]) && rest(one, left.2) == rest(other, right.2)
}

/// The last part of `schema.table`.
fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Splits at separators outside of brackets and of `CASE … END`.
pub(super) fn split<'a, 't>(
    tokens: &'a [Token<'t>],
    mut separates: impl FnMut(&Token<'t>) -> bool,
) -> Vec<&'a [Token<'t>]> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        if token.is_symbol("(") || token.is("case") {
            depth += 1;
        } else if token.is_symbol(")") || token.is("end") {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && separates(token) {
            parts.push(&tokens[start..at]);
            start = at + 1;
        }
    }
    parts.push(&tokens[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::super::flavor::{Flavor, Style};
    use super::super::scan::scan;
    use super::*;

    #[test]
    fn a_condition_may_let_everything_through() {
        let subject = Subject { table: "public.users", bars_mean_or: false };
        for (condition, expected) in [
            ("1=1", true),
            ("1 = 2", false),
            ("true", true),
            ("NOT false", true),
            ("1", true),
            ("0", false),
            ("'a' = 'a'", true),
            ("'a' = 'b' OR 2 > 1", true),
            ("id = id", true),
            ("t.id = t.id", true),
            ("id = 5", false),
            ("id = 5 OR 1=1", true),
            ("id = 5 AND 1=1", false),
            ("1=1 AND true", true),
            ("((1=1))", true),
            ("id IS NOT NULL", true),
            ("deleted_at IS NOT NULL", false),
            ("deleted_at IS NULL OR deleted_at IS NOT NULL", true),
            ("id > 0", true),
            ("id > 100", false),
            ("user_id <> 0", true),
            ("org_id > 0", false),
            ("name LIKE '%'", true),
            ("name LIKE 'a%'", false),
            ("name NOT LIKE '%'", false),
            ("name SIMILAR TO '%'", true),
            ("x BETWEEN 1 AND 2", false),
            ("x BETWEEN 1 AND 2 OR 1=1", true),
            ("id IN (SELECT id FROM users)", true),
            ("id IN (SELECT id FROM users WHERE x)", false),
            ("id IN (SELECT id FROM other)", false),
            ("EXISTS (SELECT 1)", true),
            ("EXISTS (SELECT 1 FROM o WHERE o.id = users.id)", false),
            ("a = 1 OR a <> 1", true),
            ("CASE WHEN a OR b THEN 1 ELSE 0 END = 1", false),
            ("2 * 3 = 6", true),
            ("-1 < 0", true),
            ("random() = random()", false),
            ("", false),
            ("CURRENT OF c", false),
            ("1=1 IS TRUE", false),
        ] {
            let tokens = scan(condition, Flavor::Unknown, false, Style::Plain);
            assert_eq!(always(&tokens, subject), expected, "{condition}");
        }
    }
}
