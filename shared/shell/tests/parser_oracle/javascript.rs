//! Calls in JavaScript and TypeScript, as oxc's parser sees them.

use std::collections::BTreeSet;

use oxc_allocator::Allocator;
use oxc_ast::ast;
use oxc_ast_visit::{Visit, walk};
use oxc_parser::Parser;
use oxc_span::{GetSpan, SourceType};

/// The numbers of calls.
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
}

/// The numbers of the calls in code; `None` where it is not valid.
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
