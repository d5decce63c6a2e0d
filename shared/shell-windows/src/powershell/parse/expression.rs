//! Expressions, by precedence.

use std::rc::Rc;

use shell_engine::Span;

use super::super::ast::{Block, Expr, Operator, Statement};
use super::text::is_name;
use super::{Parser, Problem};

/// How strongly an operator binds.
fn precedence(operator: Operator) -> u8 {
    match operator {
        Operator::Not | Operator::Xor | Operator::And | Operator::Or => 0,
        Operator::Test
        | Operator::Compare(_)
        | Operator::Join
        | Operator::Split
        | Operator::Replace
        | Operator::As => 1,
        Operator::Add | Operator::Subtract => 2,
        Operator::Multiply | Operator::Divide | Operator::Remainder => 3,
        Operator::Format => 4,
        Operator::Range => 5,
    }
}

/// The operator of a word such as `-join`, where one is.
fn named(word: &str) -> Option<Operator> {
    let word = word.to_ascii_lowercase();
    // `-ireplace` and `-creplace` differ in letters' case only.
    let bare = match word.as_bytes() {
        [b'i' | b'c', rest @ ..] if is_named(&word[word.len() - rest.len()..]) => &word[1..],
        _ => word.as_str(),
    };
    Some(match bare {
        "f" => Operator::Format,
        "join" => Operator::Join,
        "split" => Operator::Split,
        "replace" => Operator::Replace,
        "as" => Operator::As,
        "bxor" => Operator::Xor,
        "and" => Operator::And,
        "or" => Operator::Or,
        "xor" | "band" | "bor" | "shl" | "shr" | "is" | "isnot" => Operator::Test,
        _ => Operator::Compare(COMPARISONS.iter().find(|known| **known == bare)?),
    })
}

const COMPARISONS: [&str; 14] = [
    "eq",
    "ne",
    "gt",
    "ge",
    "lt",
    "le",
    "like",
    "notlike",
    "match",
    "notmatch",
    "contains",
    "notcontains",
    "in",
    "notin",
];

/// Operators that letters' case is said in front of.
fn is_named(word: &str) -> bool {
    COMPARISONS.contains(&word) || matches!(word, "replace" | "split")
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Expr {
        self.binary(0, true)
    }

    /// An argument of a method: a comma ends it.
    pub(super) fn expression_without_commas(&mut self) -> Expr {
        self.binary(0, false)
    }

    fn binary(&mut self, least: u8, commas: bool) -> Expr {
        let first = self.operand(commas);
        let mut rest = Vec::new();
        loop {
            self.cursor.skip(false);
            let Some((operator, length)) = self.operator() else { break };
            let strength = precedence(operator);
            // The operator is left for a caller that is further out.
            if strength < least {
                break;
            }
            for _ in 0..length {
                self.cursor.bump();
            }
            self.cursor.skip(true);
            // The right side takes only what binds more closely, so that equal operators go from left to
            // right.
            let right = if strength < 5 { self.binary(strength + 1, commas) } else { self.operand(commas) };
            rest.push((operator, right));
        }
        if rest.is_empty() { first } else { Expr::Chain(Box::new(first), rest) }
    }

    /// The binary operator that comes next, and how many characters it has.
    fn operator(&self) -> Option<(Operator, usize)> {
        let simple = |operator| Some((operator, 1));
        match self.cursor.peek() {
            '+' if self.cursor.second() != '=' => simple(Operator::Add),
            // `*>` redirects every stream.
            '*' if self.cursor.second() != '=' && self.cursor.second() != '>' => simple(Operator::Multiply),
            '/' if self.cursor.second() != '=' => simple(Operator::Divide),
            '%' if self.cursor.second() != '=' => simple(Operator::Remainder),
            '.' if self.cursor.second() == '.' => Some((Operator::Range, 2)),
            '?' if self.cursor.second() == '?' && self.cursor.third() != '=' => Some((Operator::Test, 2)),
            '?' | ':' if self.cursor.second() == ' ' => simple(Operator::Test),
            '-' => {
                let rest = self.cursor.text.get(self.cursor.at..)?;
                // PowerShell also takes the long dashes that word processors make.
                let dash = rest.chars().next()?.len_utf8();
                let after = &rest[dash..];
                let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
                if end == 0 {
                    // `-=` assigns.
                    return if after.starts_with('=') { None } else { simple(Operator::Subtract) };
                }
                named(&after[..end]).map(|operator| (operator, end + 1))
            }
            _ => None,
        }
    }

    /// Operands separated by commas: a list.
    fn operand(&mut self, commas: bool) -> Expr {
        let first = self.unary();
        if !commas {
            return first;
        }
        let mut list = Vec::new();
        loop {
            self.cursor.skip(false);
            if !self.cursor.eat(',') {
                break;
            }
            self.cursor.skip(true);
            list.push(self.unary());
        }
        if list.is_empty() {
            return first;
        }
        list.insert(0, first);
        Expr::List(list)
    }

    fn unary(&mut self) -> Expr {
        if !self.enter() {
            return Expr::Text(String::new());
        }
        let found = self.unary_inside();
        self.leave();
        found
    }

    fn unary_inside(&mut self) -> Expr {
        match self.cursor.peek() {
            '!' => {
                self.cursor.bump();
                self.cursor.skip(true);
                Expr::Unary(Operator::Not, Box::new(self.unary()))
            }
            // A comma in front makes a list of one.
            ',' => {
                self.cursor.bump();
                self.cursor.skip(true);
                Expr::List(vec![self.unary()])
            }
            '+' | '-' if self.cursor.second() == self.cursor.peek() => {
                self.cursor.bump();
                self.cursor.bump();
                self.unary()
            }
            '+' => {
                self.cursor.bump();
                self.unary()
            }
            '-' => {
                self.cursor.bump();
                let word = self.cursor.word().to_ascii_lowercase();
                let operator = match word.as_str() {
                    "join" => Operator::Join,
                    "split" | "csplit" | "isplit" => Operator::Split,
                    "not" | "bnot" => Operator::Not,
                    _ => {
                        return match self.unary() {
                            // As a number and not as an operation: `-1` counts from the end of a list.
                            Expr::Number(number) => Expr::Number(format!("-{number}")),
                            other => Expr::Unary(Operator::Subtract, Box::new(other)),
                        };
                    }
                };
                self.cursor.at += word.len();
                self.cursor.skip(true);
                Expr::Unary(operator, Box::new(self.unary()))
            }
            '[' => self.type_or_cast(),
            _ => {
                let primary = self.primary();
                let found = self.accesses(primary);
                for sign in ["++", "--"] {
                    if self.cursor.starts_with(sign) {
                        self.cursor.at += 2;
                    }
                }
                found
            }
        }
    }

    /// `[type]`, `[type]::Method()`, `[type]value`
    fn type_or_cast(&mut self) -> Expr {
        self.cursor.bump();
        let mut name = String::new();
        let mut open = 1;
        while !self.cursor.ended() {
            let c = self.cursor.bump();
            match c {
                '[' => open += 1,
                ']' => open -= 1,
                _ => {}
            }
            if open == 0 {
                break;
            }
            if !c.is_whitespace() {
                name.extend(c.to_lowercase());
            }
            // A type stands on one line: an unclosed `[` must not swallow the rest.
            if c == '\n' {
                break;
            }
        }
        if open > 0 {
            self.problem(Problem::Syntax);
        }
        // The namespace may be left out, so it never counts.
        let name = name.strip_prefix("system.").map_or(name.clone(), str::to_owned);
        let blank = matches!(self.cursor.peek(), ' ' | '\t');
        if self.cursor.peek() == ':' || self.cursor.peek() == '.' && is_name(self.cursor.second()) {
            return self.accesses(Expr::Type(name));
        }
        if blank {
            self.cursor.skip(false);
        }
        // `[int]$x` converts; `[int] -eq $y` compares types.
        let casts = match self.cursor.peek() {
            '$' | '"' | '\'' | '(' | '@' | '[' | '{' | '!' => true,
            c if c.is_ascii_digit() => true,
            '-' => self.cursor.second().is_ascii_digit() || self.cursor.second() == '$',
            _ => false,
        };
        if casts && !self.cursor.ended() {
            let value = self.unary();
            return Expr::Cast(name, Box::new(value));
        }
        Expr::Type(name)
    }

    pub(super) fn primary(&mut self) -> Expr {
        match self.cursor.peek() {
            '\'' => Expr::Text(self.single_quoted()),
            '"' => self.double_quoted(),
            '@' => match self.cursor.second() {
                '\'' | '"' => self.here_string(),
                '(' => {
                    self.cursor.bump();
                    Expr::Sub(self.bracketed(')'))
                }
                '{' => {
                    self.cursor.bump();
                    self.map()
                }
                // `@args`: a variable's elements become arguments.
                c if is_name(c) => {
                    self.cursor.bump();
                    let name = self.cursor.word().to_lowercase();
                    self.cursor.at += self.cursor.word().len();
                    Expr::Variable(name)
                }
                _ => self.junk(),
            },
            '(' => Expr::Sub(self.bracketed(')')),
            '{' => Expr::Block(self.block()),
            '$' => self.expansion(false).unwrap_or_else(|| self.junk()),
            c if c.is_ascii_digit() || c == '.' && self.cursor.second().is_ascii_digit() => self.number(),
            c if is_name(c) => {
                // Only a command's name may stand bare; here it is text.
                let word = self.cursor.word();
                self.cursor.at += word.len();
                self.problem(Problem::Syntax);
                Expr::Text(word.to_owned())
            }
            _ => self.junk(),
        }
    }

    fn junk(&mut self) -> Expr {
        if !self.cursor.ended()
            && !matches!(self.cursor.peek(), ')' | '}' | ']' | ';' | '\n' | '\r' | '|' | ',' | '&')
        {
            self.cursor.bump();
        }
        self.problem(Problem::Syntax);
        Expr::Text(String::new())
    }

    fn number(&mut self) -> Expr {
        let mut digits = String::new();
        while {
            let c = self.cursor.peek();
            c.is_ascii_alphanumeric() || c == '.' && self.cursor.second().is_ascii_digit()
        } {
            digits.push(self.cursor.bump());
        }
        Expr::Number(digits)
    }

    /// Statements in brackets, at the opening one.
    pub(super) fn bracketed(&mut self, close: char) -> Vec<Statement> {
        if !self.enter() {
            return Vec::new();
        }
        self.cursor.bump();
        let (_, body) = self.statements(Some(close));
        self.expect(close);
        self.leave();
        body
    }

    /// `{ … }`, at the brace.
    pub(super) fn block(&mut self) -> Rc<Block> {
        if self.cursor.peek() != '{' {
            self.problem(Problem::Syntax);
            return Rc::default();
        }
        if !self.enter() {
            return Rc::default();
        }
        self.cursor.bump();
        let start = self.cursor.at;
        let (params, body) = self.statements(Some('}'));
        let span = Span::new(start, self.cursor.at);
        self.expect('}');
        self.leave();
        Rc::new(Block { params, body, text: self.source.clone(), span })
    }

    /// `@{ name = value; … }`, at the brace.
    fn map(&mut self) -> Expr {
        if !self.enter() {
            return Expr::Text(String::new());
        }
        self.cursor.bump();
        let mut entries = Vec::new();
        loop {
            self.cursor.skip(true);
            if self.cursor.eat(';') {
                continue;
            }
            if self.cursor.ended() {
                self.problem(Problem::Syntax);
                break;
            }
            if self.cursor.eat('}') {
                break;
            }
            let before = self.cursor.at;
            let key = match self.cursor.peek() {
                c if is_name(c) => {
                    let word = self.cursor.word();
                    self.cursor.at += word.len();
                    Expr::Text(word.to_owned())
                }
                _ => self.unary(),
            };
            self.cursor.skip(true);
            if self.cursor.eat('=') {
                self.cursor.skip(true);
                if let Some(value) = self.statement() {
                    entries.push((key, value));
                }
            } else {
                self.problem(Problem::Syntax);
            }
            if self.cursor.at == before {
                self.cursor.bump();
            }
        }
        self.leave();
        Expr::Map(entries)
    }
}
