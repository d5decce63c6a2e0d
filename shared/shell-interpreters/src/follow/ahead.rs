//! Functions and types that code may use above the place where it defines them: `wipe("/"); function wipe(p) { … }`.

use std::collections::HashMap;
use std::rc::Rc;

use super::Follower;
use super::decided::Skipped;
use crate::Language;
use crate::lex::Token;
use crate::value::Value;

/// Words that may stand before one that defines.
const BEFORE: [&str; 21] = [
    "abstract",
    "async",
    "data",
    "default",
    "export",
    "file",
    "fileprivate",
    "final",
    "indirect",
    "internal",
    "open",
    "override",
    "partial",
    "private",
    "protected",
    "public",
    "readonly",
    "sealed",
    "static",
    "suspend",
    "unsafe",
];
/// Words that define a type.
const TYPES: [&str; 8] = ["actor", "class", "enum", "interface", "namespace", "object", "record", "struct"];
/// Definitions of one part that are known before it begins.
const MAX_AHEAD: usize = 1024;

/// Where a definition begins, its name, and where it ends.
type Definition = (usize, usize, usize);

impl Follower<'_> {
    /// The words that define what is known in all of the code around it; a type is not, in JavaScript.
    fn defines_ahead(&self) -> (&'static [&'static str], &'static [&'static str]) {
        let in_function = self.is_in_function();
        match self.language {
            Language::JavaScript => (&["function"], &[]),
            Language::Php | Language::Perl | Language::Awk | Language::Jvm if in_function => (&[], &[]),
            Language::Php => (&["function"], &TYPES),
            Language::Perl => (&["sub"], &[]),
            Language::Awk => (&["function"], &[]),
            Language::Jvm => (&["fun", "def"], &TYPES),
            Language::Other => (&["func", "fn"], &TYPES),
            _ => (&[], &[]),
        }
    }

    /// Defines what the part from here on uses above where it is defined.
    pub(super) fn define_ahead(&mut self) {
        let (found, loose) = self.definitions(self.at, self.end);
        if found.is_empty() || !self.is_used_above(&found, &loose) {
            return;
        }
        self.step((self.end - self.at) / 8);
        let (outer, class) = (self.at, Rc::clone(&self.class));
        let code = Rc::clone(&self.code);
        // Of several with one name, the last one counts: all of them keep their order.
        for (start, _, end) in found {
            // Each call of a function makes those in it anew.
            self.ahead.retain(|known| known.start != start || !Rc::ptr_eq(&known.code, &code));
            if !self.step(1) {
                break;
            }
            // No branch reaches there.
            self.at = start;
            self.inside(Rc::clone(&code), start, end, |follower| {
                follower.statements();
                Value::unknown()
            });
            self.ahead.push(Skipped { code: Rc::clone(&code), start, end });
        }
        (self.at, self.class) = (outer, class);
    }

    /// The definitions between two tokens that are known in all of the code around them, and the parts that belong to none.
    pub(super) fn definitions(&self, from: usize, to: usize) -> (Vec<Definition>, Vec<(usize, usize)>) {
        let (functions, types) = self.defines_ahead();
        let (mut found, mut loose) = (Vec::new(), Vec::new());
        if functions.is_empty() {
            return (found, vec![(from, to)]);
        }
        let (mut at, mut begins) = (from, true);
        while at < to {
            let token = &self.code.tokens[at];
            if begins
                && found.len() < MAX_AHEAD
                && let Some((name, end)) = self.definition_at(at, functions, types)
            {
                found.push((at, name, end));
                at = end;
                continue;
            }
            let close = match token {
                Token::Op("(" | "[" | "{") => self.code.mate(at).min(to - 1),
                _ => at,
            };
            begins = matches!(token, Token::Line(_) | Token::Op(";" | "{" | "}"));
            loose.push((at, close + 1));
            at = close + 1;
        }
        (found, loose)
    }

    /// Whether something that stands above one of these definitions, and in none of them, names it.
    fn is_used_above(&self, found: &[Definition], loose: &[(usize, usize)]) -> bool {
        let tokens = &self.code.tokens;
        let is_namespace = |at: usize| matches!(&tokens[at], Token::Name(word) if word == "namespace");
        // Where each name is defined last.
        let mut last: HashMap<&str, usize> = HashMap::new();
        for &(start, name, _) in found {
            // What is in a namespace may be named without it.
            if is_namespace(start) && loose.iter().any(|(before, _)| *before < start) {
                return true;
            }
            if let Token::Name(name) = &tokens[name] {
                last.insert(name, start);
            }
        }
        loose.iter().any(|&(from, to)| {
            let names = |token: &Token| {
                let Token::Name(word) = token else { return false };
                let first = word.split(['.', ':']).next().unwrap_or(word);
                last.get(first).is_some_and(|&start| from < start)
            };
            tokens[from..to].iter().any(|token| super::decided::mentions(token, &names))
        })
    }

    /// The name of what is defined at `at`, and where the definition ends.
    fn definition_at(&self, at: usize, functions: &[&str], types: &[&str]) -> Option<(usize, usize)> {
        let word = |at: usize| match self.code.tokens.get(at) {
            Some(Token::Name(word)) => Some(word.as_str()),
            _ => None,
        };
        let mut place = at;
        while word(place).is_some_and(|word| BEFORE.contains(&word)) && word(place + 1).is_some() {
            place += 1;
        }
        let is_type = word(place).is_some_and(|word| types.contains(&word));
        let name = if is_type || word(place).is_some_and(|word| functions.contains(&word)) {
            place + 1 + usize::from(self.code.tokens.get(place + 1) == Some(&Token::Op("*")))
        } else {
            self.name_of_method(place)?
        };
        word(name)?;
        let begins = match self.language {
            Language::Perl => {
                matches!(self.code.tokens.get(name + 1), Some(Token::Op("(" | "{") | Token::Line(_)))
            }
            _ => is_type || matches!(self.code.tokens.get(name + 1), Some(Token::Op("(" | "<"))),
        };
        if !begins {
            return None;
        }
        Some((name, self.end_of_definition(name + 1)?))
    }

    /// The name of a function that has its type before it: `static void Wipe(string p) {`.
    fn name_of_method(&self, at: usize) -> Option<usize> {
        if self.language != Language::Other {
            return None;
        }
        let name = self.type_ends(at)?;
        let open = name + 1;
        if !matches!(self.code.tokens.get(name), Some(Token::Name(_)))
            || self.code.tokens.get(open) != Some(&Token::Op("("))
            || matches!(&self.code.tokens[at], Token::Name(word) if matches!(word.as_str(), "new" | "return" | "await" | "throw" | "else" | "using" | "var"))
        {
            return None;
        }
        let mut after = self.code.mate(open) + 1;
        while matches!(self.code.tokens.get(after), Some(Token::Line(_))) {
            after += 1;
        }
        matches!(self.code.tokens.get(after), Some(Token::Op("{" | "=>"))).then_some(name)
    }

    /// Where a definition ends whose name stands before `at`: with its braces, or with the line of its value.
    fn end_of_definition(&self, mut at: usize) -> Option<usize> {
        let mut has_value = false;
        while at < self.end {
            match &self.code.tokens[at] {
                Token::Op("{") if !has_value => return Some((self.code.mate(at) + 1).min(self.end)),
                Token::Op("(" | "[" | "{") => at = self.code.mate(at) + 1,
                Token::Op(";") => return Some(at + 1),
                Token::Op("=" | "=>") => {
                    has_value = true;
                    at += 1;
                }
                // C# ends with `;` what comes after `=>`.
                Token::Line(_) if has_value && self.language == Language::Jvm => return Some(at),
                _ => at += 1,
            }
        }
        None
    }
}
