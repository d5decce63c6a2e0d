//! Calls in JavaScript and TypeScript, as oxc's parser sees them.

use std::collections::BTreeSet;

use oxc_allocator::Allocator;
use oxc_ast::ast;
use oxc_ast_visit::{Visit, walk};
use oxc_parser::Parser;
use oxc_span::{GetSpan, SourceType};
use oxc_syntax::scope::ScopeFlags;

/// The numbers of calls that are made whatever happens.
struct Calls<'c> {
    code: &'c str,
    found: BTreeSet<String>,
}

impl<'a> Visit<'a> for Calls<'_> {
    fn visit_call_expression(&mut self, call: &ast::CallExpression<'a>) {
        if call.callee.span().source_text(self.code).ends_with("execSync") {
            let text = call.span.source_text(self.code);
            self.found.extend(super::generator::number_in(text));
        }
        walk::walk_call_expression(self, call);
    }

    fn visit_function(&mut self, _: &ast::Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ast::ArrowFunctionExpression<'a>) {}

    fn visit_logical_expression(&mut self, both: &ast::LogicalExpression<'a>) {
        self.visit_expression(&both.left);
    }

    fn visit_conditional_expression(&mut self, choice: &ast::ConditionalExpression<'a>) {
        self.visit_expression(&choice.test);
    }

    // What comes after `?.` may not be computed.
    fn visit_chain_expression(&mut self, _: &ast::ChainExpression<'a>) {}

    fn visit_assignment_pattern(&mut self, _: &ast::AssignmentPattern<'a>) {}

    fn visit_if_statement(&mut self, condition: &ast::IfStatement<'a>) {
        self.visit_expression(&condition.test);
    }

    fn visit_while_statement(&mut self, looped: &ast::WhileStatement<'a>) {
        self.visit_expression(&looped.test);
    }

    fn visit_for_statement(&mut self, looped: &ast::ForStatement<'a>) {
        if let Some(begins) = &looped.init {
            self.visit_for_statement_init(begins);
        }
        if let Some(test) = &looped.test {
            self.visit_expression(test);
        }
    }

    fn visit_for_of_statement(&mut self, looped: &ast::ForOfStatement<'a>) {
        self.visit_expression(&looped.right);
    }

    fn visit_for_in_statement(&mut self, looped: &ast::ForInStatement<'a>) {
        self.visit_expression(&looped.right);
    }

    fn visit_switch_statement(&mut self, arms: &ast::SwitchStatement<'a>) {
        self.visit_expression(&arms.discriminant);
    }

    fn visit_catch_clause(&mut self, _: &ast::CatchClause<'a>) {}

    fn visit_property_definition(&mut self, field: &ast::PropertyDefinition<'a>) {
        if field.r#static {
            walk::walk_property_definition(self, field);
        }
    }
}

/// The numbers of calls that code makes whatever happens; `None` where it is not valid.
pub(crate) fn calls(code: &str, is_typed: bool) -> Option<BTreeSet<String>> {
    let allocator = Allocator::default();
    let kind = if is_typed { SourceType::ts() } else { SourceType::mjs() };
    let parsed = Parser::new(&allocator, code, kind).parse();
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    let mut calls = Calls { code, found: BTreeSet::new() };
    calls.visit_program(&parsed.program);
    Some(calls.found)
}
