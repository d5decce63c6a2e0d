//! Calls in Python, as ruff's parser sees them.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::Ranged;

/// The numbers of calls.
struct Calls<'c> {
    code: &'c str,
    found: BTreeSet<String>,
}

impl<'a> Visitor<'a> for Calls<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        // What a type is named for is not computed there.
        if !matches!(statement, Stmt::TypeAlias(_)) {
            walk_stmt(self, statement);
        }
    }

    fn visit_annotation(&mut self, _: &'a Expr) {}

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Call(call) = expression
            && self.code[call.func.range()].ends_with("system")
        {
            self.found.extend(super::generator::number_in(&self.code[call.arguments.range()]));
        }
        walk_expr(self, expression);
    }
}

/// The numbers of the calls in code; `None` where it is not valid.
pub(crate) fn calls(code: &str) -> Option<BTreeSet<String>> {
    let parsed = ruff_python_parser::parse_module(code).ok()?;
    let mut calls = Calls { code, found: BTreeSet::new() };
    for statement in &parsed.syntax().body {
        calls.visit_stmt(statement);
    }
    Some(calls.found)
}
