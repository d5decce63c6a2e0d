//! Calls in Python, as ruff's parser sees them.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExceptHandler, Parameters, Stmt};
use ruff_text_size::Ranged;

/// The numbers of calls that are made whatever happens.
struct Calls<'c> {
    code: &'c str,
    found: BTreeSet<String>,
}

impl<'a> Visitor<'a> for Calls<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => {
                for decorator in &function.decorator_list {
                    self.visit_expr(&decorator.expression);
                }
                self.visit_parameters(&function.parameters);
            }
            Stmt::If(condition) => self.visit_expr(&condition.test),
            Stmt::While(looped) => self.visit_expr(&looped.test),
            Stmt::For(looped) => self.visit_expr(&looped.iter),
            Stmt::Match(arms) => self.visit_expr(&arms.subject),
            Stmt::Assert(assertion) => self.visit_expr(&assertion.test),
            Stmt::AnnAssign(declared) => declared.value.iter().for_each(|value| self.visit_expr(value)),
            Stmt::TypeAlias(_) => {}
            statement => walk_stmt(self, statement),
        }
    }

    fn visit_except_handler(&mut self, _: &'a ExceptHandler) {}

    fn visit_parameters(&mut self, parameters: &'a Parameters) {
        for default in parameters.iter_non_variadic_params().filter_map(|parameter| parameter.default.as_deref()) {
            self.visit_expr(default);
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Lambda(lambda) => lambda.parameters.iter().for_each(|parameters| self.visit_parameters(parameters)),
            Expr::If(choice) => self.visit_expr(&choice.test),
            Expr::BoolOp(operands) => self.visit_expr(&operands.values[0]),
            Expr::Compare(compared) => {
                self.visit_expr(&compared.left);
                self.visit_expr(&compared.comparators[0]);
            }
            Expr::ListComp(made) => self.visit_expr(&made.generators[0].iter),
            Expr::SetComp(made) => self.visit_expr(&made.generators[0].iter),
            Expr::DictComp(made) => self.visit_expr(&made.generators[0].iter),
            Expr::Generator(made) => self.visit_expr(&made.generators[0].iter),
            Expr::Call(call) => {
                if self.code[call.func.range()].ends_with("system") {
                    let arguments = &self.code[call.arguments.range()];
                    self.found.extend(super::generator::number_in(arguments));
                }
                walk_expr(self, expression);
            }
            expression => walk_expr(self, expression),
        }
    }
}

/// The numbers of calls that code makes whatever happens; `None` where it is not valid.
pub(crate) fn calls(code: &str) -> Option<BTreeSet<String>> {
    let parsed = ruff_python_parser::parse_module(code).ok()?;
    let mut calls = Calls { code, found: BTreeSet::new() };
    for statement in &parsed.syntax().body {
        calls.visit_stmt(statement);
    }
    Some(calls.found)
}
