//! Which variables end with the function or the block that they belong to.

use super::Follower;
use crate::Language;
use crate::lex::{Piece, Token};
use crate::value::Value;

/// Names that one scope keeps apart.
const MAX_NAMES: usize = 256;

/// Whether what is assigned is a new name, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Declares {
    #[default]
    No,
    InBlock,
    /// JavaScript's `var`.
    InFunction,
}

/// A function at work, or a block with names of its own.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// The token with which a block ends; a function ends when it returns.
    end: Option<usize>,
    /// Whether all that is assigned in it is its own, as in a function of Python's. Elsewhere, what is declared is.
    keeps: bool,
    /// How a class calls its object, for the body of one: what is assigned there is of the objects.
    object: Option<&'static str>,
    /// Names that mean what they do outside: `global t`.
    shared: Vec<String>,
    /// What stood outside under the names that are its own.
    before: Vec<(String, Option<Value>)>,
    /// How many of these are parameters.
    parameters: usize,
}

impl Scope {
    pub(super) fn of_function(keeps: bool) -> Self {
        Self { keeps, ..Self::default() }
    }

    pub(super) fn of_block(end: usize) -> Self {
        Self { end: Some(end), ..Self::default() }
    }
}

/// Each name in code, also in the expressions of its strings.
fn each_name(tokens: &[Token], take: &mut impl FnMut(&String)) {
    for token in tokens {
        match token {
            Token::Name(name) | Token::Variable(name) => take(name),
            Token::Template(pieces) | Token::Command(pieces) => {
                for piece in pieces {
                    if let Piece::Code(code) = piece {
                        each_name(&code.tokens, take);
                    }
                }
            }
            _ => {}
        }
    }
}

impl Follower<'_> {
    /// A name gets a value here: what it stands for outside is kept, if it is another variable there.
    pub(super) fn begin_name(&mut self, name: &str) {
        // Fields belong to objects.
        if self.scopes.is_empty() || name.contains(['.', '@']) {
            return;
        }
        // Ruby's `$t` is the same everywhere.
        let is_global = |token: &Token| matches!(token, Token::Variable(known) if known == name);
        if self.language == Language::Ruby && self.code.tokens.iter().any(is_global) {
            return;
        }
        let declares = self.declares;
        let mut scopes = self.scopes.iter_mut().rev();
        let is_meant = |scope: &&mut Scope| {
            declares == Declares::InBlock || scope.end.is_none() || scope.object.is_some()
        };
        let Some(scope) = scopes.find(is_meant) else { return };
        let is_own =
            declares != Declares::No || scope.keeps && !scope.shared.iter().any(|shared| shared == name);
        let is_new = scope.before.len() < MAX_NAMES && !scope.before.iter().any(|(known, _)| known == name);
        if is_own && is_new {
            scope.before.push((name.to_owned(), self.variables.get(name).cloned()));
        }
    }

    /// What the names between these tokens stand for that belong to functions at work: a function that is made here keeps
    /// them.
    pub(super) fn captured_between(&self, start: usize, end: usize) -> Vec<(String, Value)> {
        if self.calls.is_empty() {
            return Vec::new();
        }
        let own: Vec<&String> =
            self.scopes.iter().flat_map(|scope| &scope.before).map(|(name, _)| name).collect();
        let mut captured: Vec<(String, Value)> = Vec::new();
        let mut take = |name: &String| {
            if own.contains(&name)
                && !captured.iter().any(|(known, _)| known == name)
                && let Some(value) = self.variables.get(name)
            {
                captured.push((name.clone(), value.clone()));
            }
        };
        each_name(self.code.tokens.get(start..end).unwrap_or_default(), &mut take);
        captured
    }

    /// What comes now declares names, for `work`.
    pub(super) fn declaring<T>(&mut self, declares: Declares, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.declares, declares);
        let done = work(self);
        self.declares = outer;
        done
    }

    /// What has been declared in the function that is being entered are its parameters.
    pub(super) fn end_parameters(&mut self) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.parameters = scope.before.len();
        }
    }

    /// Ends the scopes above `most`.
    pub(super) fn end_scopes(&mut self, most: usize) {
        while self.scopes.len() > most {
            let Some(scope) = self.scopes.pop() else { return };
            for (name, _) in scope.before.iter().filter(|_| scope.object.is_some()) {
                let field = format!("{}.{name}", scope.object.unwrap_or_default());
                let Some(value) = self.variables.get(name).cloned() else { continue };
                let own = format!("{}.{name}", self.class);
                self.variables.insert(own, value.clone());
                // Another class may have one of this name, and fields have no class here.
                let value = match self.variables.remove(&field) {
                    Some(other) => Value::any(vec![other, value]),
                    None => value,
                };
                self.variables.insert(field.clone(), value);
                self.alias(&format!("{}.{name}", self.class), &field);
            }
            for (at, (name, value)) in scope.before.into_iter().enumerate().rev() {
                match value {
                    Some(value) => _ = self.variables.insert(name, value),
                    None if at < scope.parameters => _ = self.variables.remove(&name),
                    // What is unknown outside may be meant by a function that was made in the scope.
                    None => {}
                }
            }
            if scope.object.is_some() {
                self.class_ends();
            }
        }
    }

    /// Ends the blocks that are over.
    pub(super) fn end_blocks(&mut self) {
        while self.scopes.len() > self.first_scope
            && self.scopes.last().and_then(|scope| scope.end).is_some_and(|end| self.at > end)
        {
            self.end_scopes(self.scopes.len() - 1);
        }
    }

    /// A block begins here, in languages in which it has names of its own.
    pub(super) fn begin_block(&mut self, end: usize) {
        use Language::{Go, JavaScript, Jvm, Lua, Other, Perl};
        if matches!(self.language, JavaScript | Lua | Perl | Go | Jvm | Other)
            && self.scopes.len() < MAX_NAMES
        {
            self.scopes.push(Scope::of_block(end));
        }
    }

    /// The body of a class begins after this: its names are fields.
    pub(super) fn begin_class(&mut self) {
        let object = match self.language {
            Language::Python => "self",
            Language::JavaScript | Language::Php | Language::Jvm | Language::Other => "this",
            _ => return,
        };
        let end = self.block_end();
        self.scopes.push(Scope { end: Some(end), keeps: true, object: Some(object), ..Scope::default() });
    }

    /// `global t`: the names up to the end of the statement are those of outside.
    pub(super) fn share_names(&mut self) {
        let end = self.end_of_line(self.at);
        let names: Vec<String> = (self.at + 1..end)
            .filter_map(|at| match &self.code.tokens[at] {
                Token::Name(name) | Token::Variable(name) => Some(name.clone()),
                _ => None,
            })
            .collect();
        if let Some(scope) = self.scopes.iter_mut().rev().find(|scope| scope.end.is_none()) {
            scope.shared.extend(names);
        }
        self.at = end;
    }
}
