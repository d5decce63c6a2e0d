//! From text to a tree. Nothing here goes back over what it has read, so time is linear; nesting is bounded, and a
//! piece that is not valid costs only itself.

mod command;
mod cursor;
mod expression;
mod statement;
mod text;

use std::rc::Rc;

use shell_engine::Span;

use super::ast::Block;
use cursor::Cursor;
pub(crate) use statement::text_of;

/// Nesting that is read. Each level takes a dozen stack frames, and a hook has 1 MiB on Windows.
const MAX_NESTING: u32 = 40;

/// What a string could not be read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Problem {
    Syntax,
    TooDeep,
}

/// Reads a string.
pub(crate) fn parse(text: &str) -> (Block, Vec<(Problem, usize)>) {
    read(text, None)
}

/// Reads a string that was made at `place`, from a string or by joining some.
pub(crate) fn parse_at(text: &str, place: Span) -> Block {
    read(text, Some(place)).0
}

fn read(text: &str, place: Option<Span>) -> (Block, Vec<(Problem, usize)>) {
    let cursor = Cursor::new(text, place);
    let mut parser = Parser { cursor, source: Rc::from(text), nesting: 0, problems: Vec::new() };
    let mut body = Vec::new();
    let mut params = Vec::new();
    while !parser.cursor.ended() {
        let (found, more) = parser.statements(None);
        params.extend(found);
        body.extend(more);
        if !parser.cursor.ended() {
            // A closing bracket that nothing opened.
            parser.problem(Problem::Syntax);
            parser.cursor.bump();
        }
    }
    let block = Block { params, body, text: parser.source.clone(), span: Span::default() };
    (block, parser.problems)
}

pub(super) struct Parser<'t> {
    cursor: Cursor<'t>,
    source: Rc<str>,
    nesting: u32,
    problems: Vec<(Problem, usize)>,
}

impl Parser<'_> {
    fn problem(&mut self, problem: Problem) {
        if !self.problems.iter().any(|(known, _)| *known == problem) {
            self.problems.push((problem, self.cursor.at));
        }
    }

    /// Goes one level deeper, if that is still followed. Otherwise what is left of the text is not read.
    fn enter(&mut self) -> bool {
        if self.nesting >= MAX_NESTING {
            self.problem(Problem::TooDeep);
            self.cursor.at = self.cursor.text.len();
            return false;
        }
        self.nesting += 1;
        true
    }

    fn leave(&mut self) {
        self.nesting -= 1;
    }

    /// Takes what must come next.
    fn expect(&mut self, c: char) {
        if !self.cursor.eat(c) {
            self.problem(Problem::Syntax);
        }
    }
}
