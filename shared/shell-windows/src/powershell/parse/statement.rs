//! Statements: keywords, assignments and pipelines.

use std::rc::Rc;

use super::super::ast::{Block, Expr, Pipeline, Stage, StageKind, Statement, Word};
use super::text::is_name;
use super::{Parser, Problem};

type Params = Vec<(String, Option<Expr>)>;

impl Parser<'_> {
    /// Statements up to `close`, which is left where it is.
    pub(super) fn statements(&mut self, close: Option<char>) -> (Params, Vec<Statement>) {
        let mut params = Params::new();
        let mut body = Vec::new();
        loop {
            self.cursor.skip(true);
            match self.cursor.peek() {
                _ if self.cursor.ended() => break,
                c if Some(c) == close => break,
                ';' => {
                    self.cursor.bump();
                    continue;
                }
                '&' if self.cursor.second() == '&' => {
                    self.cursor.at += 2;
                    continue;
                }
                '|' => {
                    self.cursor.bump();
                    continue;
                }
                // Someone else's end.
                ')' | '}' | ']' if close.is_none() => break,
                ')' | '}' | ']' => {
                    self.problem(Problem::Syntax);
                    self.cursor.bump();
                    continue;
                }
                _ => {}
            }
            let before = self.cursor.at;
            if self.cursor.word().eq_ignore_ascii_case("param") {
                self.cursor.at += "param".len();
                self.cursor.skip(true);
                params.extend(self.parameters());
            } else if let Some(statement) = self.statement() {
                body.push(statement);
            }
            if self.cursor.at == before {
                self.problem(Problem::Syntax);
                self.cursor.bump();
            }
        }
        (params, body)
    }

    pub(super) fn statement(&mut self) -> Option<Statement> {
        if !self.enter() {
            return None;
        }
        let found = self.statement_inside();
        self.leave();
        found
    }

    fn statement_inside(&mut self) -> Option<Statement> {
        if self.cursor.peek() == ':' && is_name(self.cursor.second()) {
            // A label.
            self.cursor.bump();
            self.cursor.at += self.cursor.word().len();
            self.cursor.skip(true);
        }
        let word = self.cursor.word();
        let keyword = word.to_ascii_lowercase();
        let after = self.cursor.text[self.cursor.at + word.len()..].chars().next().unwrap_or(' ');
        let alone = after.is_whitespace() || matches!(after, '(' | '{' | ';' | '}' | ')' | '#' | '<');
        if !alone || word.is_empty() {
            return self.pipeline();
        }
        let start = self.cursor.at;
        self.cursor.at += word.len();
        Some(match keyword.as_str() {
            "if" | "while" | "until" | "elseif" | "switch" => self.branches(),
            "for" => self.counting(),
            "foreach" => {
                self.cursor.skip(true);
                if self.cursor.peek() != '(' {
                    // `… | foreach { … }` is a command.
                    self.cursor.at = start;
                    return self.pipeline();
                }
                return self.for_each();
            }
            "do" | "try" | "finally" | "catch" | "else" | "trap" | "begin" | "process" | "end" | "clean"
            | "dynamicparam" | "parallel" | "sequence" | "inlinescript" => self.plain_blocks(start)?,
            "function" | "filter" | "workflow" | "configuration" => self.function(),
            "return" | "throw" | "exit" | "break" | "continue" => {
                self.cursor.skip(false);
                let ends = matches!(self.cursor.peek(), ';' | '\n' | '\r' | '}' | ')' | '&' | '|')
                    || self.cursor.ended();
                let value = if ends { None } else { self.statement() }.map(Box::new);
                if matches!(keyword.as_str(), "return" | "exit") {
                    Statement::Return(value)
                } else {
                    Statement::Flow(value)
                }
            }
            "class" => self.class(),
            "enum" => {
                while !self.cursor.ended() && self.cursor.peek() != '{' {
                    self.cursor.bump();
                }
                Statement::Plain(self.block())
            }
            // `using module ./x.psm1`
            "using"
                if self.cursor.text[self.cursor.at..]
                    .trim_start()
                    .to_ascii_lowercase()
                    .starts_with("module ") =>
            {
                self.cursor.skip(false);
                let mut statement = self.pipeline()?;
                if let Statement::Pipeline(pipeline) = &mut statement
                    && let Some(StageKind::Command { words, .. }) =
                        pipeline.stages.first_mut().map(|stage| &mut stage.kind)
                    && let Some(first) = words.first_mut()
                {
                    *first = Word::Value(Expr::Text("Import-Module".to_owned()));
                }
                statement
            }
            "using" => {
                while !self.cursor.ended() && !matches!(self.cursor.peek(), ';' | '\n') {
                    self.cursor.bump();
                }
                Statement::Flow(None)
            }
            _ => {
                self.cursor.at = start;
                return self.pipeline();
            }
        })
    }

    /// `if (…) {…} elseif (…) {…} else {…}`, `while (…) {…}`, `switch (…) { a {…} }`, after the first keyword.
    fn branches(&mut self) -> Statement {
        let mut conditions = Vec::new();
        let mut blocks = Vec::new();
        loop {
            self.cursor.skip(true);
            // `switch -Regex (…)`
            while self.cursor.peek() == '-' {
                self.cursor.bump();
                self.cursor.at += self.cursor.word().len();
                self.cursor.skip(true);
            }
            if self.cursor.peek() == '(' {
                conditions.extend(self.bracketed(')'));
                self.cursor.skip(true);
            }
            if self.cursor.peek() != '{' {
                self.problem(Problem::Syntax);
                break;
            }
            blocks.push(self.block());
            let end = self.cursor.at;
            self.cursor.skip(true);
            let word = self.cursor.word();
            if word.eq_ignore_ascii_case("elseif") {
                self.cursor.at += word.len();
            } else if word.eq_ignore_ascii_case("else") {
                self.cursor.at += word.len();
                self.cursor.skip(true);
                blocks.push(self.block());
                break;
            } else {
                self.cursor.at = end;
                break;
            }
        }
        Statement::Branches { conditions, blocks }
    }

    /// `for (…; …; …) {…}`
    fn counting(&mut self) -> Statement {
        self.cursor.skip(true);
        let conditions = if self.cursor.peek() == '(' { self.bracketed(')') } else { Vec::new() };
        self.cursor.skip(true);
        Statement::Branches { conditions, blocks: vec![self.block()] }
    }

    /// `foreach ($x in …) {…}`, at the bracket.
    fn for_each(&mut self) -> Option<Statement> {
        self.cursor.bump();
        self.cursor.skip(true);
        let variable = self.expansion(false);
        let name = if let Some(Expr::Variable(name)) = variable {
            name
        } else {
            self.problem(Problem::Syntax);
            String::new()
        };
        self.cursor.skip(true);
        if self.cursor.word().eq_ignore_ascii_case("in") {
            self.cursor.at += 2;
        } else {
            self.problem(Problem::Syntax);
        }
        self.cursor.skip(true);
        let source = self.statement()?;
        self.cursor.skip(true);
        self.expect(')');
        self.cursor.skip(true);
        let body = self.block();
        Some(Statement::ForEach { name, source: Box::new(source), body })
    }

    /// `try {…}`, `catch [type] {…}`, `do {…} while (…)`: each block stands for itself.
    fn plain_blocks(&mut self, start: usize) -> Option<Statement> {
        self.cursor.skip(true);
        while self.cursor.peek() == '[' {
            self.cursor.at = self.cursor.text[self.cursor.at..]
                .find(']')
                .map_or(self.cursor.text.len(), |end| self.cursor.at + end + 1);
            self.cursor.skip(true);
            self.cursor.eat(',');
            self.cursor.skip(true);
        }
        if self.cursor.peek() != '{' {
            // A command of that name.
            self.cursor.at = start;
            return self.pipeline();
        }
        let body = self.block();
        let end = self.cursor.at;
        self.cursor.skip(true);
        let word = self.cursor.word();
        if matches!(word.to_ascii_lowercase().as_str(), "while" | "until") {
            let behind = self.cursor.at;
            self.cursor.at += word.len();
            self.cursor.skip(true);
            if self.cursor.peek() == '(' {
                let mut conditions = self.bracketed(')');
                // Before the first of them is asked, the block has run.
                conditions.insert(0, Statement::Flow(None));
                self.cursor.skip(false);
                if self.cursor.peek() == '{' {
                    // It was not a `do`, but a loop after it.
                    let blocks = vec![body, self.block()];
                    return Some(Statement::Branches { conditions, blocks });
                }
                return Some(Statement::Branches { conditions, blocks: vec![body] });
            }
            self.cursor.at = behind;
        } else {
            self.cursor.at = end;
        }
        Some(Statement::Plain(body))
    }

    fn function(&mut self) -> Statement {
        self.cursor.skip(true);
        let mut name = String::new();
        while !self.cursor.ended()
            && !self.cursor.peek().is_whitespace()
            && !matches!(self.cursor.peek(), '{' | '(')
        {
            name.push(self.cursor.bump());
        }
        let name = name.to_lowercase();
        let name =
            name.strip_prefix("global:").or_else(|| name.strip_prefix("script:")).unwrap_or(&name).to_owned();
        self.cursor.skip(true);
        let params = if self.cursor.peek() == '(' { self.parameters() } else { Params::new() };
        self.cursor.skip(true);
        let mut block = self.block();
        if let Some(inner) = Rc::get_mut(&mut block).filter(|_| !params.is_empty()) {
            inner.params = params;
        }
        Statement::Function { name, block }
    }

    /// `class Job : Base {…}`, after the keyword.
    fn class(&mut self) -> Statement {
        self.cursor.skip(true);
        let name = self.cursor.word().to_lowercase();
        while !self.cursor.ended() && self.cursor.peek() != '{' {
            self.cursor.bump();
        }
        self.cursor.bump();
        let (mut fields, mut methods) = (Vec::new(), Vec::new());
        loop {
            self.cursor.skip(true);
            let word = self.cursor.word();
            match self.cursor.peek() {
                _ if self.cursor.ended() => {
                    self.problem(Problem::Syntax);
                    break;
                }
                '}' => {
                    self.cursor.bump();
                    break;
                }
                '[' => self.skip_type(),
                '$' => {
                    let Some(Expr::Variable(field)) = self.expansion(false) else {
                        self.cursor.bump();
                        continue;
                    };
                    self.cursor.skip(false);
                    let value = if self.cursor.eat('=') {
                        self.cursor.skip(true);
                        Some(self.expression())
                    } else {
                        None
                    };
                    fields.push((field, value));
                }
                _ if !word.is_empty() => {
                    let method = word.to_lowercase();
                    self.cursor.at += word.len();
                    self.cursor.skip(false);
                    if self.cursor.peek() == '(' {
                        methods.push((method, self.method()));
                    }
                }
                _ => {
                    self.cursor.bump();
                }
            }
        }
        Statement::Class { name, fields, methods }
    }

    /// The parameters and the body of a method, at the bracket.
    fn method(&mut self) -> Rc<Block> {
        let params = self.parameters();
        // `: base($x)`
        while !self.cursor.ended() && !matches!(self.cursor.peek(), '{' | '}') {
            self.cursor.bump();
        }
        let mut block = self.block();
        if let Some(inner) = Rc::get_mut(&mut block) {
            inner.params = params;
        }
        block
    }

    /// A type or an attribute, which may hold a script block.
    fn skip_type(&mut self) {
        self.cursor.bump();
        let mut open = 1;
        while open > 0 && !self.cursor.ended() {
            match self.cursor.peek() {
                '\'' => {
                    self.single_quoted();
                    continue;
                }
                '[' => open += 1,
                ']' => open -= 1,
                _ => {}
            }
            self.cursor.bump();
        }
    }

    /// `([type]$a = 1, $b)`, at the bracket.
    fn parameters(&mut self) -> Params {
        let mut params = Params::new();
        if self.cursor.peek() != '(' || !self.enter() {
            return params;
        }
        self.cursor.bump();
        loop {
            self.cursor.skip(true);
            match self.cursor.peek() {
                _ if self.cursor.ended() => {
                    self.problem(Problem::Syntax);
                    break;
                }
                ')' => {
                    self.cursor.bump();
                    break;
                }
                ',' => {
                    self.cursor.bump();
                }
                '[' => self.skip_type(),
                '$' => {
                    let Some(Expr::Variable(name)) = self.expansion(false) else {
                        self.problem(Problem::Syntax);
                        self.cursor.bump();
                        continue;
                    };
                    self.cursor.skip(true);
                    let value = if self.cursor.eat('=') {
                        self.cursor.skip(true);
                        Some(self.expression_without_commas())
                    } else {
                        None
                    };
                    params.push((name, value));
                }
                _ => {
                    self.problem(Problem::Syntax);
                    self.cursor.bump();
                }
            }
        }
        self.leave();
        params
    }

    /// A pipeline, or an assignment.
    fn pipeline(&mut self) -> Option<Statement> {
        let start = self.cursor.at;
        let mut stages = Vec::new();
        loop {
            self.cursor.skip(!stages.is_empty());
            let stage = self.stage()?;
            if stages.is_empty()
                && let StageKind::Expression(_) = &stage.kind
            {
                self.cursor.skip(false);
                if let Some(adds) = self.assignment() {
                    let StageKind::Expression(target) = stage.kind else { return None };
                    self.cursor.skip(true);
                    let value = Box::new(self.statement()?);
                    return Some(Statement::Assign { target, adds, value });
                }
            }
            stages.push(stage);
            self.cursor.skip(false);
            let end = self.cursor.at;
            if self.cursor.peek() == '|' && self.cursor.second() != '|' {
                self.cursor.bump();
                continue;
            }
            // PowerShell 7: a line that begins with `|` goes on.
            if matches!(self.cursor.peek(), '\n' | '\r') {
                self.cursor.skip(true);
                if self.cursor.peek() == '|' && self.cursor.second() != '|' {
                    self.cursor.bump();
                    continue;
                }
                // The line breaks end the statement, so they are given back.
                self.cursor.at = end;
            }
            break;
        }
        if self.cursor.peek() == '&' && self.cursor.second() != '&' {
            // A background job.
            self.cursor.bump();
        }
        Some(Statement::Pipeline(Pipeline { stages, span: self.cursor.span_from(start) }))
    }

    /// The assignment operator that comes next, and whether it adds to what was there.
    fn assignment(&mut self) -> Option<bool> {
        let (length, adds) = match (self.cursor.peek(), self.cursor.second()) {
            ('=', _) => (1, false),
            ('+', '=') => (2, true),
            ('-' | '*' | '/' | '%', '=') => (2, true),
            ('?', '?') if self.cursor.third() == '=' => (3, false),
            _ => return None,
        };
        for _ in 0..length {
            self.cursor.bump();
        }
        Some(adds)
    }

    fn stage(&mut self) -> Option<Stage> {
        let start = self.cursor.at;
        let mut redirects = Vec::new();
        let kind = if self.is_expression() {
            let expr = self.expression();
            self.cursor.skip(false);
            while self.redirect(&mut redirects) {
                self.cursor.skip(false);
            }
            StageKind::Expression(expr)
        } else {
            self.command(&mut redirects)?
        };
        Some(Stage { kind, redirects, span: self.cursor.span_from(start) })
    }

    /// Whether what comes next is an expression and not a command's name.
    fn is_expression(&self) -> bool {
        let second = self.cursor.second();
        match self.cursor.peek() {
            '$' => is_name(second) || matches!(second, '(' | '{' | '?' | '^' | '$' | ':'),
            '\'' | '"' | '(' | '{' | '[' | '!' | ',' => true,
            '@' => matches!(second, '(' | '{' | '\'' | '"') || is_name(second),
            '+' | '-' => {
                let rest = &self.cursor.text[self.cursor.at..];
                let word: String = rest.chars().skip(1).take_while(char::is_ascii_alphabetic).collect();
                let named = matches!(
                    word.to_ascii_lowercase().as_str(),
                    "not" | "join" | "split" | "bnot" | "isplit" | "csplit"
                );
                named
                    || second.is_ascii_digit()
                    || matches!(second, '$' | '(' | '"' | '\'')
                    // `++$i`
                    || second == self.cursor.peek() && self.cursor.third() == '$'
            }
            c if c.is_ascii_digit() => {
                // `7z` is a program, `7` and `1kb` are numbers.
                let word: &str = self.cursor.text[self.cursor.at..]
                    .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                    .next()
                    .unwrap_or("");
                let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
                let unit = word[digits.len()..].to_ascii_lowercase();
                digits.bytes().all(|b| b.is_ascii_digit())
                    && matches!(unit.as_str(), "" | "kb" | "mb" | "gb" | "tb" | "pb" | "l" | "d" | "u")
                    || word.starts_with("0x")
                    || word.starts_with("0X")
            }
            _ => false,
        }
    }
}

/// The text of a block, as a native program gets it.
pub(crate) fn text_of(block: &Block) -> &str {
    block.span.of(&block.text)
}
