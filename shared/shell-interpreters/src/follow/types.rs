//! Types that stand where a value or a name is expected: `List<String> xs`, `new ArrayList<>()`, `each<T>(xs: T[])`.

use super::Follower;
use crate::Language;
use crate::lex::Token;
use crate::value::{Arguments, Value};

/// Tokens of one type.
const MAX_TYPE: usize = 32;

impl Follower<'_> {
    /// Whether the language writes types in angle brackets.
    fn has_generics(&self) -> bool {
        matches!(self.language, Language::Jvm | Language::Other | Language::JavaScript)
    }

    /// Where the angle brackets that open at `at` close, if they hold types.
    pub(super) fn end_of_generics(&self, at: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (place, token) in self.code.tokens.iter().enumerate().skip(at).take(MAX_TYPE) {
            match token {
                Token::Op("<") => depth += 1,
                Token::Op(">") => depth = depth.checked_sub(1)?,
                Token::Op(">>") => depth = depth.checked_sub(2)?,
                Token::Name(_) | Token::Op("," | "?" | "." | "[" | "]" | "&" | "<>" | "|" | "::") => {}
                _ => return None,
            }
            if depth == 0 {
                return Some(place);
            }
        }
        None
    }

    /// Where the type ends that begins at `at`: `a.b.Name<X, Y>[]`. `None` if none does.
    pub(super) fn type_ends(&self, at: usize) -> Option<usize> {
        let token = |at: usize| self.code.tokens.get(at);
        let mut at = at;
        loop {
            let Some(Token::Name(_)) = token(at) else { return None };
            at += 1;
            match (token(at), token(at + 1)) {
                (Some(Token::Op(".")), Some(Token::Name(_))) => at += 1,
                _ => break,
            }
        }
        match token(at) {
            Some(Token::Op("<")) => at = self.end_of_generics(at)? + 1,
            Some(Token::Op("<>")) => at += 1,
            _ => {}
        }
        while (token(at), token(at + 1)) == (Some(&Token::Op("[")), Some(&Token::Op("]"))) {
            at += 2;
        }
        Some(at + usize::from(token(at) == Some(&Token::Op("?"))))
    }

    /// Where a type of TypeScript ends that begins at `at`: `Record<string, (o: Options) => void>`, `{ cmd: string }[]`.
    pub(super) fn script_type_ends(&self, mut at: usize) -> usize {
        let token = |at: usize| self.code.tokens.get(at);
        let last = (at + 8 * MAX_TYPE).min(self.end);
        while at < last {
            at = match token(at) {
                Some(Token::Op("{" | "(" | "[")) => self.code.mate(at) + 1,
                Some(Token::Name(_) | Token::Text(_) | Token::Number(_)) => at + 1,
                Some(Token::Op("|" | "&")) => at + 1,
                _ => return at,
            };
            loop {
                at = match token(at) {
                    Some(Token::Op("<")) => match self.angle_closes(at) {
                        Some(close) => close + 1,
                        None => return at,
                    },
                    Some(Token::Op("[")) => self.code.mate(at) + 1,
                    Some(Token::Op(".")) => at + 2,
                    _ => break,
                };
            }
            // `string | null`, `() => void`, `keyof T`
            match (token(at), token(at.saturating_sub(1))) {
                (Some(Token::Op("|" | "&")), _) | (Some(Token::Op("=>")), Some(Token::Op(")"))) => at += 1,
                (Some(Token::Name(_)), Some(Token::Name(_))) => {}
                _ => return at,
            }
        }
        at.min(self.end)
    }

    /// Where the angle bracket at `at` closes, whatever types stand in it.
    fn angle_closes(&self, at: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let mut at = at;
        let last = at + 8 * MAX_TYPE;
        while at < last.min(self.end) {
            match &self.code.tokens[at] {
                Token::Op("<") => depth += 1,
                Token::Op(">") => depth = depth.checked_sub(1)?,
                Token::Op(">>") => depth = depth.checked_sub(2)?,
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                Token::Op(";" | "=") => return None,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    /// Steps over a type in front of a variable that gets a value here.
    pub(super) fn skip_type_of_variable(&mut self) {
        if matches!(self.language, Language::Jvm | Language::Other)
            && let Some(end) = self.type_ends(self.at)
            && matches!(self.code.tokens.get(end), Some(Token::Name(_)))
            && self.code.tokens.get(end + 1) == Some(&Token::Op("="))
        {
            self.at = end;
        }
    }

    /// Steps over the type that a value is said to have: `name as keyof Hosts`, `x satisfies Job`, `n as usize`.
    pub(super) fn skip_cast(&mut self) {
        while let Some(word) = self.word() {
            let end = match (self.language, word) {
                (Language::JavaScript, "as" | "satisfies") => self.script_type_ends(self.at + 1),
                (Language::Jvm | Language::Other, "as") => self.type_ends(self.at + 1).unwrap_or(self.at),
                _ => return,
            };
            if end <= self.at + 1 {
                return;
            }
            self.at = end;
        }
    }

    /// Steps over a type in front of a name that is declared: `List<String> xs = …`.
    pub(super) fn skip_type(&mut self) {
        if !matches!(self.language, Language::Jvm | Language::Other) {
            return;
        }
        if let Some(end) = self.type_ends(self.at)
            && end > self.at
            && matches!(self.code.tokens.get(end), Some(Token::Name(_)))
        {
            self.at = end;
        }
    }

    /// How many tokens of types stand here before the bracket of a call: `<>` of `new ArrayList<>()`.
    pub(super) fn generics_before_call(&self) -> Option<usize> {
        if !self.has_generics() || self.code.is_spaced(self.at) {
            return None;
        }
        let end = match self.op()? {
            "<>" => self.at,
            "<" => self.end_of_generics(self.at)?,
            _ => return None,
        };
        matches!(self.code.tokens.get(end + 1), Some(Token::Op("(" | "{" | "["))).then_some(end + 1 - self.at)
    }

    /// Where the types at `at` end, which stand before the bracket of a call: `new Map<string, number>()`.
    pub(super) fn generics_of_call(&self, at: usize) -> Option<usize> {
        let end = self.end_of_generics(at).filter(|_| self.has_generics())?;
        (self.code.tokens.get(end + 1) == Some(&Token::Op("("))).then_some(end)
    }

    /// Steps over the types of a function's own: `each<T>(xs)`.
    pub(super) fn skip_generics(&mut self) {
        if self.op() == Some("<")
            && let Some(end) = self.end_of_generics(self.at)
        {
            self.at = end + 1;
        }
    }

    /// What C#'s `{ … }` after an object that is made puts into it: `new Job { Root = "/" }`, `new List<string> { "/" }`.
    pub(super) fn initialised(&mut self, made: Value) -> Value {
        let Arguments { values, named, .. } = self.arguments();
        match (named.is_empty(), values.as_slice()) {
            (false, _) => super::operators::merged(&made, Value::Map(named)),
            (true, []) => made,
            (true, _) => Value::List(values),
        }
    }
}
