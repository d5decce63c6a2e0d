//! Branches that the words of the call decide, or a constant: `if sys.argv[1] == "wipe":`, `switch (process.argv[2])`,
//! `if False:`. What is not taken is stepped over, where that is plain.

use std::rc::Rc;

use super::Follower;
use crate::Language;
use crate::lex::{Code, Piece, Token};
use crate::options::{GIVEN, NOT_GIVEN, PARSED, WORDS};
use crate::value::{Defined, Function, Spot, Value};

/// Tokens of one condition that are read.
const MAX_CONDITION: usize = 48;
/// Branches of one statement.
const MAX_BRANCHES: usize = 64;

/// A part of code that is not run: from the first token to the last one, which is not part of it.
pub(super) struct Skipped {
    pub(super) code: Rc<Code>,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A branch: its condition, if it has one, and its body.
pub(super) struct Branch {
    pub(super) condition: Option<(usize, usize)>,
    pub(super) body: (usize, usize),
}

impl Follower<'_> {
    /// Steps over what is known not to run, and over what has been defined already.
    pub(super) fn skip_undone(&mut self) {
        let (at, code) = (self.at, &self.code);
        let here = |part: &&Skipped| part.start == at && Rc::ptr_eq(&part.code, code);
        if let Some(end) = self.undone.iter().chain(&self.ahead).find(here).map(|part| part.end) {
            self.at = end.min(self.end);
        }
    }

    pub(super) fn skip_later(&mut self, start: usize, end: usize) {
        if self.undone.len() < MAX_BRANCHES && start < end {
            self.undone.push(Skipped { code: Rc::clone(&self.code), start, end });
        }
    }

    /// Steps over what comes after a statement that leaves, but for functions, which are known before there.
    pub(super) fn skip_rest(&mut self, from: usize, to: usize) {
        let is_known = matches!(self.language, Language::JavaScript | Language::Php | Language::Perl);
        if !is_known || !self.active.is_empty() {
            return self.skip_later(from, to);
        }
        let mut start = from;
        for (begins, _, ends) in self.definitions(from, to).0 {
            self.skip_later(start, begins);
            start = ends;
        }
        self.skip_later(start, to);
    }

    /// Decides the branches of the `if` that stands here, as far as they can be. `true` where its first one is not taken,
    /// and stepped over.
    pub(super) fn decide_branches(&mut self, negated: bool) -> bool {
        let is_constant = |at: usize| {
            let word = |at: usize| match self.code.tokens.get(at) {
                Some(Token::Name(word)) => matches!(word.as_str(), "False" | "false"),
                Some(Token::Number(number)) => number == "0",
                _ => false,
            };
            word(at) || self.code.tokens.get(at) == Some(&Token::Op("(")) && word(at + 1)
        };
        let asks = is_constant(self.at + 1)
            || self.is_imported()
            || self.asks_fixed(self.at + 1)
            || self.asks_data(self.at + 1)
            || self.asks_call();
        if !asks {
            return false;
        }
        let branches = self.branches();
        let indent = self.indent_here();
        let mut taken = false;
        let mut first = false;
        let mut unsure = false;
        for (number, branch) in branches.iter().enumerate() {
            let (start, end) = branch.body;
            if taken {
                let from = branch.condition.map_or(start, |(start, _)| start);
                self.skip_later(from, end);
                continue;
            }
            let Some((from, to)) = branch.condition else { continue };
            match self.decided(from, to).map(|holds| holds != (negated && number == 0)) {
                Some(true) => {
                    taken = true;
                    let after = branches.last().map_or(end, |last| last.body.1);
                    if !unsure && self.leaves(start, end) {
                        self.skip_rest(after, self.end_of_block(after, indent));
                    }
                }
                Some(false) if number == 0 => {
                    first = true;
                    self.skip_later(start, end);
                    self.at = end;
                }
                // The condition goes with its branch.
                Some(false) => self.skip_later(from, end),
                None => unsure = true,
            }
        }
        first
    }

    /// Whether the statement that stands here leaves what is around it.
    pub(super) fn is_left_here(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.code.tokens.get(at));
        matches!(before, Some(Token::Name(word)) if word == "return")
            || matches!(self.word(), Some(word) if leaves_with(word, self.ahead(2)) || matches!(word, "last" | "abort"))
    }

    /// Whether a condition holds, where the call decides it, or a variable that has one value only.
    pub(super) fn holds(&mut self, from: usize, to: usize) -> Option<bool> {
        let is_asked =
            to < from + MAX_CONDITION && (self.asks_fixed(from) || self.asks_data(from) || self.asks_call());
        if is_asked { self.decided(from, to) } else { None }
    }

    /// Whether the code is a module of another one.
    fn is_imported(&self) -> bool {
        self.given.mentioned.is_some() && self.given.led == super::Leads::Imports
    }

    /// Whether a condition begins with a variable that is true or false.
    fn asks_fixed(&self, mut at: usize) -> bool {
        while at < self.end
            && match &self.code.tokens[at] {
                Token::Op(op) => matches!(*op, "(" | "!"),
                Token::Name(word) => word == "not",
                _ => false,
            }
        {
            at += 1;
        }
        match self.code.tokens.get(at) {
            Some(Token::Name(name) | Token::Variable(name)) => self.yes_or_no(name).is_some(),
            _ => false,
        }
    }

    /// Whether a variable holds what is true or false: one of these words, or a number in a constant.
    fn yes_or_no(&self, name: &str) -> Option<bool> {
        let is_constant =
            || name.bytes().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'0'..=b'9'));
        let has_numbers = matches!(self.language, Language::Python | Language::JavaScript);
        match self.variable(name)? {
            Value::Name(word) => is_yes(word),
            Value::Number(number) if has_numbers && is_constant() => Some(*number != 0),
            _ => None,
        }
    }

    /// Whether a token stands in a part that is known not to run.
    pub(super) fn is_undone(&self, at: usize) -> bool {
        let is_in =
            |part: &Skipped| Rc::ptr_eq(&part.code, &self.code) && (part.start..part.end).contains(&at);
        self.undone.iter().any(is_in)
    }

    /// Whether no statement gives a variable another value than the one that it has from the beginning.
    fn is_fixed(&self, name: &str) -> bool {
        let code = &self.code;
        let is_parameter = self.active.last().and_then(|&active| self.known(active)).is_some_and(|known| {
            known.function.parameters.iter().any(|parameter| match &parameter.takes {
                crate::value::Takes::Parts(parts) => parts.iter().any(|part| part.to.name == name),
                _ => parameter.name == name,
            })
        });
        let mut given = usize::from(is_parameter);
        // Brackets around, with where they close.
        let mut around: Vec<(usize, &str)> = Vec::new();
        for (at, token) in code.tokens.iter().enumerate() {
            while around.last().is_some_and(|(close, _)| *close <= at) {
                around.pop();
            }
            match token {
                Token::Op(open @ ("(" | "[" | "{")) => {
                    let close = code.mate(at);
                    // `{ dry = true } = {}` takes parts of an object.
                    let is_pattern = *open == "{" && code.tokens.get(close + 1) == Some(&Token::Op("="));
                    around.push((close, if is_pattern { "(" } else { open }));
                }
                // What does not run gives it none.
                Token::Name(word) | Token::Variable(word) if word == name && !self.is_undone(at) => {
                    let (is_set, changes) = match code.tokens.get(at + 1) {
                        Some(Token::Op("=" | ":=")) => (true, false),
                        Some(Token::Op(
                            "+=" | "|=" | "||=" | "&&=" | "??=" | "//=" | "^=" | "&=" | "++" | "--" | "<-",
                        )) => (true, true),
                        // `dry: bool = True`
                        Some(Token::Op(":")) => (code.tokens.get(at + 3) == Some(&Token::Op("=")), false),
                        _ => (false, false),
                    };
                    let is_argument = matches!(around.last(), Some((_, "("))) && !changes;
                    let by_address =
                        matches!(code.tokens.get(at.wrapping_sub(1)), Some(Token::Op("&" | "\\")));
                    given += usize::from(is_set && !is_argument) + 2 * usize::from(by_address);
                }
                _ => {}
            }
        }
        let by_name = |pair: &[Token]| super::modules::calls_by_name(&pair[0], &pair[1]);
        given <= 1 && !code.tokens.windows(2).any(by_name)
    }

    /// The indent of the line that stands here.
    fn indent_here(&self) -> u32 {
        let before = self.code.tokens.get(..self.at).unwrap_or_default();
        let line = before.iter().rev().find_map(|token| match token {
            Token::Line(indent) => Some(*indent),
            _ => None,
        });
        line.unwrap_or(0)
    }

    /// Whether a branch always ends with leaving what is around it: `return`, `exit`.
    fn leaves(&self, start: usize, end: usize) -> bool {
        let tokens = &self.code.tokens;
        let mut at = start + usize::from(tokens.get(start) == Some(&Token::Op("{")));
        let mut begins = true;
        let mut own = None;
        while at < end.min(tokens.len()) {
            match &tokens[at] {
                Token::Line(indent) => {
                    // What Python indents further may not run.
                    let is_last = matches!(tokens.get(at + 1), Some(Token::Line(_)) | None);
                    begins = is_last || *own.get_or_insert(*indent) == *indent;
                    begins |= self.language != Language::Python;
                }
                Token::Op(";") => begins = true,
                Token::Name(word) if begins && leaves_with(word, tokens.get(at + 2)) => return true,
                Token::Name(_) | Token::Op("(" | "[" | "{") if self.code.mate(at) < tokens.len() => {
                    at = self.code.mate(at);
                    begins = false;
                }
                _ => begins = false,
            }
            at += 1;
        }
        false
    }

    /// Where the block ends in which the token at `at` stands, in a statement with this indent.
    pub(super) fn end_of_block(&self, mut at: usize, own: u32) -> usize {
        let has_words = self.language.has_word_blocks();
        while at < self.end {
            match &self.code.tokens[at] {
                Token::Op("}" | ")" | "]") => return at,
                Token::Line(indent)
                    if self.language == Language::Python
                        && *indent < own
                        && !matches!(self.code.tokens.get(at + 1), Some(Token::Line(_)) | None) =>
                {
                    return at;
                }
                Token::Name(word)
                    if has_words
                        && matches!(word.as_str(), "end" | "else" | "elsif" | "elseif" | "when")
                        // The `end` of the statement itself comes first.
                        && self.code.mate(self.at) != at =>
                {
                    return at;
                }
                Token::Name(_) | Token::Op("(" | "[" | "{")
                    if self.code.mate(at) < self.code.tokens.len() =>
                {
                    at = self.code.mate(at);
                }
                _ => {}
            }
            at += 1;
        }
        self.end
    }

    /// The branches of the statement whose word stands here: of an `if`, with all that comes after it.
    pub(super) fn branches(&self) -> Vec<Branch> {
        let mut found = Vec::new();
        let is_of_words = matches!(self.language, Language::Ruby | Language::Lua | Language::Julia);
        let close = self.code.mate(self.at).min(self.end);
        let mut at = self.at + 1;
        while found.len() < MAX_BRANCHES {
            let Some(head) = self.end_of_condition(at, is_of_words) else { return found };
            let (start, end) = if is_of_words {
                (head, self.next_word(head, close, &["else", "elsif", "elseif"]))
            } else {
                self.body_at(head)
            };
            found.push(Branch { condition: Some((at, head)), body: (start, end) });
            at = end;
            while matches!(self.code.tokens.get(at), Some(Token::Line(_) | Token::Op("}" | ";")))
                && at < self.end
            {
                at += 1;
            }
            let word = |at: usize| match self.code.tokens.get(at) {
                Some(Token::Name(word)) if at < self.end => word.as_str(),
                _ => "",
            };
            match (word(at), word(at + 1)) {
                ("elif" | "elsif" | "elseif", _) => at += 1,
                ("else", "if") => at += 2,
                ("else", _) => {
                    let body = if is_of_words { (at + 1, close) } else { self.body_at(at + 1) };
                    found.push(Branch { condition: None, body });
                    return found;
                }
                _ => return found,
            }
        }
        found
    }

    /// Where the condition ends that begins at `at`: at the sign or the word that begins its branch.
    pub(super) fn end_of_condition(&self, mut at: usize, is_of_words: bool) -> Option<usize> {
        let start = at;
        let in_brackets = !is_of_words
            && !matches!(self.language, Language::Python | Language::Go | Language::Other)
            && self.code.tokens.get(at) == Some(&Token::Op("("));
        if in_brackets {
            return Some(self.code.mate(at) + 1).filter(|&end| end <= self.end);
        }
        while at < self.end && at < start + MAX_CONDITION {
            match &self.code.tokens[at] {
                Token::Op("{") if !is_of_words && self.language != Language::Python => return Some(at),
                Token::Op(":") if self.language == Language::Python => return Some(at),
                Token::Name(word) if word == "then" && is_of_words => return Some(at),
                Token::Line(_) if is_of_words => return Some(at),
                Token::Line(_) => return None,
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// What runs after a condition that ends at `at`: a block, or one statement.
    pub(super) fn body_at(&self, mut at: usize) -> (usize, usize) {
        if self.language == Language::Python {
            return (at + 1, self.suite_end(at));
        }
        while matches!(self.code.tokens.get(at), Some(Token::Line(_))) {
            at += 1;
        }
        if self.code.tokens.get(at) == Some(&Token::Op("{")) {
            return (at, (self.code.mate(at) + 1).min(self.end));
        }
        // Kotlin's `if (dry) a() else b()`
        let end = self.end_of_line(at);
        let is_else = |at: &usize| matches!(&self.code.tokens[*at], Token::Name(word) if word == "else");
        (at, self.outside_brackets(at, end).find(is_else).unwrap_or(end))
    }

    /// The first of these words from `at` on that stands in no block of its own, or `close`.
    pub(super) fn next_word(&self, mut at: usize, close: usize, words: &[&str]) -> usize {
        while at < close {
            match &self.code.tokens[at] {
                Token::Name(word) if words.contains(&word.as_str()) => return at,
                Token::Name(_) | Token::Op("(" | "[" | "{")
                    if self.code.mate(at) < self.code.tokens.len() =>
                {
                    at = self.code.mate(at);
                }
                _ => {}
            }
            at += 1;
        }
        close
    }

    /// Whether a condition holds, where only the words of the call are asked: `argv[1] == "wipe"`, `"-f" in argv`.
    fn decided(&mut self, mut from: usize, mut to: usize) -> Option<bool> {
        let tokens = |from: usize, to: usize| self.code.tokens.get(from..to).unwrap_or_default();
        while self.code.tokens.get(from) == Some(&Token::Op("(")) && self.code.mate(from) + 1 == to {
            (from, to) = (from + 1, to - 1);
        }
        let parts = tokens(from, to);
        let is = |token: &Token, ops: &[&str]| match token {
            Token::Op(op) => ops.contains(op),
            Token::Name(word) => ops.contains(&word.as_str()),
            _ => false,
        };
        match parts {
            [] => return None,
            [Token::Name(word)] if matches!(word.as_str(), "False" | "false") => return Some(false),
            [Token::Name(word)] if matches!(word.as_str(), "True" | "true") => return Some(true),
            [Token::Number(number)] if number == "0" => return Some(false),
            _ => {}
        }
        if self.is_imported()
            && let Some(is_program) = asks_for_program(parts)
        {
            return Some(!is_program);
        }
        for (words, decides) in [(["or", "||"], true), (["and", "&&"], false)] {
            let mut bounds = vec![from];
            bounds.extend(self.outside_brackets(from, to).filter(|&at| is(&self.code.tokens[at], &words)));
            if bounds.len() > 1 {
                let mut known = true;
                for (number, &start) in bounds.iter().enumerate() {
                    let start = start + usize::from(number > 0);
                    let end = bounds.get(number + 1).copied().unwrap_or(to);
                    match self.decided(start, end) {
                        Some(holds) if holds == decides => return Some(decides),
                        Some(_) => {}
                        None => known = false,
                    }
                }
                return known.then_some(!decides);
            }
        }
        match self.code.tokens.get(from..to)? {
            [first, ..] if is(first, &["!", "not", "!!"]) => {
                let negates = !is(first, &["!!"]);
                return self.decided(from + 1, to).map(|holds| holds != negates);
            }
            // Perl's `defined $opts{f}`, PHP's `isset($opts["f"])`
            [Token::Name(word), ..] if matches!(word.as_str(), "defined" | "isset") => {
                return self.given_flag(from + 1, to).or_else(|| self.given_flag(from + 2, to - 1));
            }
            _ => {}
        }
        // Others of its turns take the other branches.
        if let Some(any) = self.any_word_is(from, to) {
            return if any { None } else { Some(false) };
        }
        self.compared(from, to)
            .or_else(|| self.contained(from, to))
            .or_else(|| self.member(from, to))
            .or_else(|| self.counted(from, to))
            .or_else(|| self.any_given(from, to))
            .or_else(|| self.data_says(from, to))
            .or_else(|| self.truth(from, to))
    }

    /// `os.environ.get("DRY_RUN") in ("1", "true")`, `["1", "true"].includes(process.env.DRY_RUN)`
    fn member(&mut self, from: usize, to: usize) -> Option<bool> {
        let is = |at: usize, word: &str| matches!(&self.code.tokens[at], Token::Name(name) if name == word);
        let (list, asked, holds) = if let Some(at) =
            self.outside_brackets(from, to).find(|&at| at > from && is(at, "in"))
        {
            let negated = is(at - 1, "not");
            ((at + 1, to), (from, at - usize::from(negated)), !negated)
        } else {
            let close = to.checked_sub(1)?;
            let list_end = self.code.mate(from);
            let open = list_end + 3;
            let is_call = matches!(self.code.tokens.get(list_end + 1..=open), Some([Token::Op("."), Token::Name(method), Token::Op("(")])
                    if matches!(method.as_str(), "includes" | "include?" | "contains" | "Contains"));
            if !is_call || self.code.mate(open) != close {
                return None;
            }
            ((from, list_end + 1), (open + 1, close), true)
        };
        let [Token::Op("(" | "[" | "{"), words @ .., Token::Op(_)] = self.code.tokens.get(list.0..list.1)?
        else {
            return None;
        };
        let mut texts = Vec::new();
        for word in words {
            match word {
                Token::Text(text) | Token::Number(text) => texts.push(text.clone()),
                Token::Op(",") => {}
                token if is_nothing(token) => {}
                _ => return None,
            }
        }
        let given = self.of_call(asked)?;
        Some(texts.contains(&given) == holds)
    }

    /// Whether a word of the call, or a variable that the command sets, counts as true: `if (process.env.DRY_RUN)`.
    fn truth(&mut self, from: usize, to: usize) -> Option<bool> {
        use Language::{JavaScript, Lua, Perl, Php, Python, Ruby};
        let parts = self.code.tokens.get(from..to)?;
        // Rust's `env::var("DRY_RUN").is_ok()`
        let asks_of_it = matches!(parts, [.., Token::Op("."), Token::Name(method), Token::Op("("), Token::Op(")")]
            if matches!(method.as_str(), "is_ok" | "is_some" | "isPresent"));
        if asks_of_it {
            return self.asks_variable(parts).then_some(true);
        }
        // `int(x)`, `bool(int(x))`, `Boolean(x)`
        if let [Token::Name(function), Token::Op("("), .., Token::Op(")")] = parts
            && self.code.mate(from + 1) + 1 == to
            && matches!(function.as_str(), "int" | "bool" | "Number" | "Boolean" | "parseInt")
        {
            let is_number = !matches!(function.as_str(), "bool" | "Boolean");
            return match self.of_call((from + 2, to - 1)).filter(|_| is_number) {
                Some(text) => Some(text.trim() != "0"),
                None => self.decided(from + 2, to - 1),
            };
        }
        if !matches!(self.language, Python | JavaScript | Ruby | Perl | Php | Lua) {
            return None;
        }
        let text = self.of_call((from, to))?;
        let is_unset = text == shell_engine::mark::UNSET.to_string();
        let is_zero = text == "0" && matches!(self.language, Perl | Php);
        // Ruby and Lua take an empty one for true.
        let is_empty = text.is_empty() && !matches!(self.language, Ruby | Lua);
        Some(!(is_unset || is_zero || is_empty))
    }

    /// Whether these tokens only ask for a variable of the environment that the command sets.
    fn asks_variable(&self, parts: &[Token]) -> bool {
        let is_part = |token: &Token| match token {
            Token::Op(op) => {
                matches!(*op, "." | "?." | "(" | ")" | "[" | "]" | "{" | "}" | "," | "::" | "->")
            }
            Token::Line(_) => false,
            _ => true,
        };
        let Some(at) = parts.iter().take(5).position(names_environment) else { return false };
        parts.iter().all(is_part) && self.is_set_after(&parts[at + 1..])
    }

    /// Whether the command sets the variable whose name comes first among these tokens.
    fn is_set_after(&self, tokens: &[Token]) -> bool {
        let key = tokens.iter().take(5).find_map(|token| match token {
            Token::Name(word) if matches!(word.as_str(), "get" | "fetch" | "var" | "var_os") => None,
            Token::Text(key) | Token::Name(key) => Some(key),
            _ => None,
        });
        let value = key.and_then(|key| self.scope.given(key));
        value.is_some_and(|value| !shell_engine::mark::any(value))
    }

    /// The tokens between these that stand in no brackets.
    pub(crate) fn outside_brackets(&self, from: usize, to: usize) -> impl Iterator<Item = usize> + use<'_> {
        let mut at = from;
        std::iter::from_fn(move || {
            while at < to {
                let here = at;
                let opens = matches!(self.code.tokens.get(at), Some(Token::Op("(" | "[" | "{")));
                at = if opens { self.code.mate(at) + 1 } else { at + 1 };
                if !opens {
                    return Some(here);
                }
            }
            None
        })
    }

    /// `argv[1] == "wipe"`, `"1".equals(System.getenv("DRY_RUN"))`
    fn compared(&mut self, from: usize, to: usize) -> Option<bool> {
        if let [Token::Text(literal), Token::Op("."), Token::Name(method), Token::Op("("), .., Token::Op(")")] =
            self.code.tokens.get(from..to)?
            && matches!(method.as_str(), "equals" | "equalsIgnoreCase" | "Equals")
        {
            let literal = literal.clone();
            return self.of_call((from + 4, to - 1)).map(|text| text == literal);
        }
        let sign = self.outside_brackets(from, to).find_map(|at| match &self.code.tokens[at] {
            Token::Op("==" | "===") => Some((at, true)),
            Token::Op("!=" | "!==") => Some((at, false)),
            Token::Name(word) if word == "is" && at > from && self.language == Language::Python => {
                Some((at, !matches!(self.code.tokens.get(at + 1), Some(Token::Name(word)) if word == "not")))
            }
            Token::Name(word) if word == "eq" && at > from => Some((at, true)),
            Token::Name(word) if word == "ne" && at > from => Some((at, false)),
            _ => None,
        });
        let Some((sign, equal)) = sign else { return self.given_flag(from, to) };
        let negates = matches!(&self.code.tokens[sign], Token::Name(word) if word == "is") && !equal;
        let (one, other) = ((from, sign), (sign + 1 + usize::from(negates), to));
        // A variable that the command sets is there.
        if let Some([nothing]) = self.code.tokens.get(other.0..other.1)
            && is_nothing(nothing)
        {
            let text = self.of_call(one)?;
            return Some((text == shell_engine::mark::UNSET.to_string()) == equal);
        }
        let (literal, asked) = match (self.literal(one), self.literal(other)) {
            (Some(literal), None) => (literal, other),
            (None, Some(literal)) => (literal, one),
            _ => return None,
        };
        let text = self.of_call(asked)?;
        Some((text == literal) == equal)
    }

    /// `if args.force:`, `if *force {`, `if self.dry_run:`, where the call gives that flag or not.
    fn given_flag(&mut self, from: usize, to: usize) -> Option<bool> {
        let parts = self.code.tokens.get(from..to).filter(|parts| parts.len() < 8)?;
        if let [Token::Name(name) | Token::Variable(name)] = parts
            && let Some(yes) = self.yes_or_no(name)
        {
            let is_of_call = matches!(self.variable(name), Some(Value::Name(word)) if matches!(word.as_str(), GIVEN | NOT_GIVEN));
            return Some(yes).filter(|_| is_of_call || self.is_fixed(name));
        }
        let asks_option = self.asks_option(parts);
        if !self.has_flags && !asks_option && !self.asks_short_function(parts) {
            return None;
        }
        let is_plain = |token: &Token| {
            matches!(
                token,
                Token::Name(_)
                    | Token::Variable(_)
                    | Token::Text(_)
                    | Token::Op("." | "?." | "*" | "[" | "]" | ":" | "->" | "{" | "}")
            )
        };
        if !parts.iter().all(is_plain) && !asks_option && !self.asks_short_function(parts) {
            return None;
        }
        let value = match parts {
            [Token::Name(name) | Token::Variable(name)] => self.variable(name).cloned()?,
            // A handler of commander gets what was parsed.
            [Token::Name(object), Token::Op("."), Token::Name(name)]
                if self.language == Language::JavaScript
                    && self
                        .variable(object)
                        .is_none_or(|value| matches!(value, Value::Text(_)) && value.known().is_none()) =>
            {
                self.variable(&format!("{PARSED}.{name}")).cloned()?
            }
            _ => self.inside(Rc::clone(&self.code), from, to, Self::assignment),
        };
        match value {
            Value::Name(word) if word == GIVEN => Some(true),
            Value::Name(word) if word == NOT_GIVEN => Some(false),
            _ => None,
        }
    }

    /// Whether these tokens are all words of the call, or all after the program's own.
    pub(super) fn is_all(&self, tokens: &[Token]) -> bool {
        let tokens = super::words::contents(tokens);
        if let [Token::Name(name) | Token::Variable(name)] = tokens
            && self.all_of_call.contains(name)
        {
            return true;
        }
        is_whole(self.language, tokens) || is_slice(self.language, tokens)
    }

    /// `len(sys.argv) > 1`, `process.argv.length < 3`, `ARGV.empty?`
    fn counted(&mut self, from: usize, to: usize) -> Option<bool> {
        let parts = self.code.tokens.get(from..to)?;
        let (words, sign, number) = match parts {
            [
                Token::Name(function),
                Token::Op("("),
                rest @ ..,
                Token::Op(")"),
                Token::Op(sign),
                Token::Number(number),
            ] if matches!(function.as_str(), "len" | "count" | "length") => {
                ((from + 2, from + 2 + rest.len()), *sign, number.parse::<usize>().ok()?)
            }
            [rest @ .., Token::Op("."), Token::Name(method), Token::Op(sign), Token::Number(number)]
                if matches!(method.as_str(), "length" | "Length" | "size" | "count") =>
            {
                ((from, from + rest.len()), *sign, number.parse::<usize>().ok()?)
            }
            [rest @ .., Token::Op("."), Token::Name(method)] if method == "empty?" => {
                ((from, from + rest.len()), "==", 0)
            }
            _ => return None,
        };
        if !self.is_known_call() || !self.is_all(self.code.tokens.get(words.0..words.1)?) {
            return None;
        }
        let count = match self.inside(Rc::clone(&self.code), words.0, words.1, Self::assignment) {
            Value::List(values) => values.len(),
            // A list without the program's own name.
            _ if self.given.arguments.is_empty() => 0,
            _ => return None,
        };
        let order = count.cmp(&number);
        match sign {
            "==" | "===" => Some(order.is_eq()),
            "!=" | "!==" => Some(order.is_ne()),
            ">" => Some(order.is_gt()),
            "<" => Some(order.is_lt()),
            ">=" => Some(order.is_ge()),
            "<=" => Some(order.is_le()),
            _ => None,
        }
    }

    /// `if sys.argv[1:]:`, Groovy's `args ? args[0] : "status"`: whether the call gives any word, where an empty list counts
    /// as false.
    fn any_given(&mut self, from: usize, to: usize) -> Option<bool> {
        use Language::{Jvm, Perl, Php, Python};
        let is_all = self.code.tokens.get(from..to).is_some_and(|tokens| self.is_all(tokens));
        if !is_all || !matches!(self.language, Python | Jvm | Perl | Php) || !self.is_known_call() {
            return None;
        }
        match self.inside(Rc::clone(&self.code), from, to, Self::assignment) {
            Value::List(values) => Some(!values.is_empty()),
            _ if self.given.arguments.is_empty() => Some(false),
            _ => None,
        }
    }

    /// Whether these tokens call a function of the code's own that only asks something: `if (isDry())`.
    fn asks_short_function(&self, tokens: &[Token]) -> bool {
        let [Token::Name(name) | Token::Variable(name), Token::Op("("), Token::Op(")")] = tokens else {
            return false;
        };
        let function = match self.variable(name) {
            Some(Value::Function(function)) => Some(function),
            Some(_) => None,
            None => self.defined.iter().rev().find(|known| known.name == *name).map(|known| &known.function),
        };
        function.is_some_and(|function| {
            Rc::ptr_eq(&function.code, &self.code) && function.end - function.start < MAX_CONDITION / 2
        })
    }

    /// Whether all words of the call are known.
    pub(super) fn is_known_call(&self) -> bool {
        let mut words = self.given.arguments.iter();
        self.given.complete && words.all(|word| !shell_engine::mark::any(word))
    }

    fn literal(&self, (from, to): (usize, usize)) -> Option<String> {
        match self.code.tokens.get(from..to)? {
            [Token::Text(text)] | [Token::Op("&"), Token::Text(text)] => Some(text.clone()),
            // Rust's `Some("wipe")`
            [Token::Name(some), Token::Op("("), Token::Text(text), Token::Op(")")] if some == "Some" => {
                Some(text.clone())
            }
            [Token::Op(":"), Token::Name(symbol)] => Some(symbol.clone()),
            _ => None,
        }
    }

    /// The text of an expression that only asks for a word of the call: a mark where the call does not give it.
    pub(super) fn of_call(&mut self, (from, to): (usize, usize)) -> Option<String> {
        if let Some(text) = self.text_of_data(from, to) {
            return Some(text);
        }
        if !self.is_known_call() || from >= to || to - from > MAX_CONDITION {
            return None;
        }
        if let Some([condition, yes, no]) = self.either_of(from, to) {
            let taken = if self.decided(condition.0, condition.1)? { yes } else { no };
            return self.literal(taken).or_else(|| self.of_call(taken));
        }
        if let Some(word) = self.asked_word(from, to) {
            return if word.is_missing() {
                Some(shell_engine::mark::UNSET.to_string())
            } else {
                word.known()
            };
        }
        let to = from + unchanged(self.code.tokens.get(from..to)?).len();
        if !self.is_of_call(from, to) {
            return None;
        }
        let value = self.inside(Rc::clone(&self.code), from, to, Self::assignment);
        if value.is_missing() { Some(shell_engine::mark::UNSET.to_string()) } else { value.known() }
    }

    /// Whether these tokens are nothing but a word of the call, or a variable that is one.
    pub(super) fn is_of_call(&self, from: usize, to: usize) -> bool {
        let parts = self.code.tokens.get(from..to).unwrap_or_default();
        let named = |name: &str| self.of_call.iter().any(|own| own == name);
        // Turns of a loop ask for one after the other: `argv[i]`, `words.shift()`.
        let by_turn = |three: &[Token]| match three {
            [Token::Op("["), Token::Name(_) | Token::Variable(_), Token::Op("]")] => true,
            [Token::Op("."), Token::Name(takes), _] => {
                matches!(takes.as_str(), "shift" | "pop" | "next")
                    && (self.names("while") || self.names("until"))
            }
            _ => false,
        };
        if parts.windows(3).any(by_turn) {
            return false;
        }
        match parts {
            [Token::Name(name) | Token::Variable(name), rest @ ..] if named(name) => {
                rest.is_empty() || matches!(rest, [Token::Op("." | "[" | "->" | "{"), ..])
            }
            // Go's flags are pointers.
            [Token::Op("*"), Token::Name(name)] => named(name),
            parts if self.asks_variable(parts) => true,
            [Token::Name(object), Token::Op("."), Token::Name(_)] => match self.variable(object) {
                Some(Value::Name(path)) => matches!(path.as_str(), PARSED | WORDS),
                held => held.is_none() && object == "argv" && self.language == Language::JavaScript,
            },
            [Token::Name(shift)] => {
                shift == "shift" && self.language == Language::Perl && self.active.is_empty()
            }
            parts => {
                let mut before = parts.iter().take_while(|token| **token != Token::Op("["));
                parts.contains(&Token::Op("["))
                    && before.clone().count() < 4
                    && before.any(|token| is_words(self.language, token))
            }
        }
    }

    /// A variable gets the value of these tokens: whether it is a word of the call.
    pub(super) fn note_of_call(&mut self, name: &str, from: usize) {
        let whole = name.trim_end_matches("[]");
        if whole.len() < name.len() {
            self.of_call.retain(|own| own != whole);
            return;
        }
        let mut to = self.at;
        let is_chosen = self.is_chosen_by_call(from, to);
        // `process.argv[2] || "info"`
        if let Some(sign) = self.outside_brackets(from, to).find(|&at| {
            matches!(self.code.tokens[at], Token::Op("||" | "??" | "?:" | "//") | Token::Name(_))
                && self.is_or(at)
        }) {
            to = sign;
        }
        // `args.length > 0 ? args[0] : "info"`
        let mut from = from;
        if let Some([_, yes, _]) = self.either_of(from, to) {
            (from, to) = yes;
        }
        let is_all = self.code.tokens.get(from..to).is_some_and(|tokens| self.is_all(tokens));
        match (is_all, self.all_of_call.iter().position(|own| own == name)) {
            (true, None) => self.all_of_call.push(name.to_owned()),
            (false, Some(at)) => drop(self.all_of_call.swap_remove(at)),
            _ => {}
        }
        let is_own = is_all
            || std::mem::take(&mut self.reads_option)
            || is_chosen
            || self.is_of_call(from, to)
            || self.asked_word(from, to).is_some();
        let known = self.of_call.iter().position(|own| own == name);
        match (is_own, known) {
            (true, None) => self.of_call.push(name.to_owned()),
            (false, Some(at)) => drop(self.of_call.swap_remove(at)),
            _ => {}
        }
    }

    /// The condition and both values of `a ? b : c`, or of Python's `b if a else c`.
    pub(super) fn either_of(&self, from: usize, to: usize) -> Option<[(usize, usize); 3]> {
        let signs = if self.language == Language::Python { ["if", "else"] } else { ["?", ":"] };
        let is = |at: usize, sign: &str| match &self.code.tokens[at] {
            Token::Op(op) => *op == sign,
            Token::Name(word) => word == sign,
            _ => false,
        };
        let mut found = self.outside_brackets(from, to).filter(|&at| is(at, signs[0]) || is(at, signs[1]));
        let (first, last) = (found.next()?, found.next()?);
        if found.next().is_some() || !is(first, signs[0]) || !is(last, signs[1]) {
            return None;
        }
        let (before, between, after) = ((from, first), (first + 1, last), (last + 1, to));
        Some(if self.language == Language::Python {
            [between, before, after]
        } else {
            [before, between, after]
        })
    }

    /// Whether one of two values is taken by what the call says, and is a word of the call or a text.
    fn is_chosen_by_call(&mut self, from: usize, to: usize) -> bool {
        if to > from + MAX_CONDITION || !self.asks_call() {
            return false;
        }
        let Some([condition, yes, no]) = self.either_of(from, to) else { return false };
        let Some(holds) = self.decided(condition.0, condition.1) else { return false };
        let taken = if holds { yes } else { no };
        self.literal(taken).is_some() || self.is_of_call(taken.0, taken.1)
    }

    /// The names between two tokens get parts of what stands from `from` to here: `const [cmd, ...rest] = process.argv`.
    pub(super) fn note_parts_of_call(&mut self, (open, close): (usize, usize), from: usize) {
        if !self.is_known_call() {
            return;
        }
        let tokens = self.code.tokens.get(from..self.at).unwrap_or_default();
        let is_all = self.is_all(tokens);
        // `const { values } = parseArgs({ … })`
        let reads_option = std::mem::take(&mut self.reads_option);
        let tokens = self.code.tokens.get(from..self.at).unwrap_or_default();
        let is_environment = tokens.last().is_some_and(names_environment);
        // Python's `opts, rest = getopt.getopt(sys.argv[1:], "f")`
        let by_getopt = matches!(tokens.first(), Some(Token::Name(word)) if word == "getopt");
        let gathers =
            |at: &usize| matches!(self.code.tokens.get(at.wrapping_sub(1)), Some(Token::Op("..." | "*")));
        let name_at = |at: usize| match &self.code.tokens[at] {
            Token::Name(name) | Token::Variable(name) => Some(name.clone()),
            _ => None,
        };
        let rest: Vec<String> = (open.wrapping_add(1)..close).filter(gathers).filter_map(name_at).collect();
        let names: Vec<String> = (open.wrapping_add(1)..close)
            .filter_map(|at| match &self.code.tokens[at] {
                Token::Name(name) | Token::Variable(name) => Some(name.clone()),
                _ => None,
            })
            .collect();
        for name in names {
            self.of_call.retain(|own| *own != name);
            self.all_of_call.retain(|own| *own != name);
            let is_set = || self.is_set_after(&[Token::Text(name.clone())]);
            if is_all || reads_option || is_environment && is_set() {
                if rest.contains(&name) || by_getopt {
                    self.all_of_call.push(name.clone());
                }
                self.of_call.push(name);
            }
        }
    }

    /// Whether the tokens from `from` to here are all words of the call.
    pub(super) fn is_all_of_call(&self, from: usize) -> bool {
        let tokens = self.code.tokens.get(from..self.at).unwrap_or_default();
        tokens.len() < 10 && self.is_known_call() && self.is_all(tokens)
    }

    /// A loop goes through all words of the call, which stand from `from` to here.
    pub(super) fn note_each_of_call(&mut self, names: &[String], from: usize) {
        let is_all = self.is_all_of_call(from);
        self.each_of_call.retain(|own| !names.contains(own));
        // `for option, value in opts:`
        if let ([name] | [name, _], true) = (names, is_all) {
            self.each_of_call.push(name.clone());
        }
    }

    /// Whether one of the words of the call is what a loop through them compares with each: `if (rest[i] === "--dry-run")`.
    fn any_word_is(&self, from: usize, to: usize) -> Option<bool> {
        let (asked, literals): (&[Token], Vec<&String>) = match self.code.tokens.get(from..to)? {
            [asked @ .., Token::Op("==" | "==="), Token::Text(literal)] => (asked, vec![literal]),
            // `option in ("-f", "--force")`
            [asked @ Token::Name(_), Token::Name(word), Token::Op("(" | "["), texts @ .., Token::Op(_)]
                if word == "in" =>
            {
                let text = |token: &'_ Token| matches!(token, Token::Text(_) | Token::Op(","));
                if !texts.iter().all(text) {
                    return None;
                }
                let texts = texts.iter().filter_map(|token| match token {
                    Token::Text(text) => Some(text),
                    _ => None,
                });
                (std::slice::from_ref(asked), texts.collect())
            }
            _ => return None,
        };
        let is_each = match asked {
            [Token::Name(name) | Token::Variable(name)] => self.each_of_call.contains(name),
            [words @ .., Token::Op("["), Token::Name(_) | Token::Variable(_), Token::Op("]")] => {
                self.is_all(words)
            }
            _ => false,
        };
        let is_given = || literals.iter().any(|literal| self.given.arguments.contains(literal));
        (is_each && self.is_known_call()).then(is_given)
    }

    /// Whether a token stands in the block that a word of the call has run.
    pub(super) fn is_by_word(&self, at: usize) -> bool {
        self.by_word.as_ref().is_some_and(|(code, block)| Rc::ptr_eq(code, &self.code) && block.contains(&at))
    }

    /// Whether the block that comes next runs in one of the turns, as its condition from `from` to here compares with a word that
    /// the call gives: what it sets is what the call says.
    pub(super) fn runs_in_a_turn(&self, mut from: usize, mut to: usize) -> bool {
        while self.code.tokens.get(from) == Some(&Token::Op("(")) && self.code.mate(from) + 1 == to {
            (from, to) = (from + 1, to - 1);
        }
        self.any_word_is(from, to) == Some(true)
    }

    /// Whether the tokens from `from` to here are a word of the call, for a function that gets it.
    pub(super) fn is_word_of_call(&mut self, from: usize) -> bool {
        self.at < from + MAX_CONDITION
            && self.is_known_call()
            && (self.is_of_call(from, self.at) || self.asked_word(from, self.at).is_some())
    }

    /// The words of the call that the parameters of a function stand for while it is at work. Gives back those of outside.
    pub(super) fn hand_words(
        &mut self,
        function: &Function,
        words: &[Spot],
        bound: usize,
    ) -> Option<Vec<String>> {
        if self.of_call.is_empty() && words.is_empty() {
            return None;
        }
        let outer = self.of_call.clone();
        for (place, parameter) in function.parameters.iter().enumerate() {
            let is_all = words.contains(&Spot::All(place.wrapping_sub(bound)));
            if is_all && !self.all_of_call.contains(&parameter.name) {
                self.all_of_call.push(parameter.name.clone());
            }
        }
        for (place, parameter) in function.parameters.iter().enumerate() {
            self.of_call.retain(|own| *own != parameter.name);
            let is_own = words.iter().any(|spot| match spot {
                Spot::Place(at) => at + bound == place,
                Spot::Named(name) => *name == parameter.name,
                Spot::All(_) => false,
            });
            if is_own {
                self.of_call.push(parameter.name.clone());
            }
        }
        Some(outer)
    }

    /// Whether the tokens from `from` to here are a word that the call gives, so that what comes after `||` does not matter.
    pub(super) fn is_given(&self, from: usize, value: &Value) -> bool {
        !value.is_missing()
            && value.known().is_some_and(|text| !text.is_empty() && !shell_engine::mark::any(&text))
            && (self.is_known_call() && self.is_of_call(from, self.at)
                || self.code.tokens.get(from..self.at).is_some_and(|parts| self.asks_variable(parts)))
    }

    /// Whether the condition from `from` to here holds.
    pub(super) fn decided_here(&mut self, from: usize) -> Option<bool> {
        self.holds(from, self.at)
    }

    /// Whether the call gives a flag that the tokens from `from` to here ask for, as a value: `"--force" in sys.argv`.
    pub(super) fn flag_of_call(&mut self, from: usize) -> Option<Value> {
        if self.at < from + 3 || self.at > from + MAX_CONDITION || !self.asks_call() {
            return None;
        }
        if let Some(word) = self.asked_word(from, self.at) {
            return Some(word);
        }
        let given = if self.asks_yes_or_no(from) {
            self.decided(from, self.at)?
        } else {
            self.contained(from, self.at)?
        };
        Some(self.flag_value(given))
    }

    /// Whether what stands from `from` to here is true or false, and no text: a comparison, or several of them.
    fn asks_yes_or_no(&self, from: usize) -> bool {
        let mut asks = false;
        for at in self.outside_brackets(from, self.at) {
            let word = match &self.code.tokens[at] {
                Token::Op(op) => op,
                Token::Name(word) => word.as_str(),
                _ => continue,
            };
            match word {
                "||" | "&&" | "or" | "and" if !std::mem::take(&mut asks) => return false,
                "==" | "===" | "!=" | "!==" | "!" | "not" | "in" | "is" | "eq" | "ne" | "bool"
                | "Boolean" | "equals" | "is_ok" | "is_some" | "includes" | "include?" | "contains"
                | "Contains" | "has" | "some" | "any" | "any?" | "member?" | "in_array" | "!!" | "isset" => {
                    asks = true;
                }
                _ => {}
            }
        }
        asks
    }

    /// Functions that only parts of the code call which are stepped over: no one calls them.
    pub(super) fn close_unreached(&mut self) {
        let by_name = |pair: &[Token]| {
            super::modules::calls_by_name(&pair[0], &pair[1])
                && !(matches!(&pair[0], Token::Name(word) if word == "exec")
                    && self.language != Language::Python)
        };
        let is_program = self.given.alone || matches!(self.language, Language::Go | Language::Other);
        if self.undone.is_empty() && self.unchosen.is_empty()
            || !is_program
            || self.given.mentioned.is_some()
            || self.code.tokens.windows(2).any(by_name)
        {
            return;
        }
        for _ in 0..MAX_BRANCHES {
            let Some(known) = self.defined.iter().position(|known| self.is_unreached(known)) else { return };
            let known = &mut self.defined[known];
            known.called = true;
            let Function { code, start, end, .. } = &*known.function;
            self.undone.push(Skipped { code: Rc::clone(code), start: *start, end: *end });
        }
    }

    fn is_unreached(&self, known: &Defined) -> bool {
        let name = known.name.as_str();
        let begins = matches!(name, "main" | "Main" | "init") || !name.chars().any(char::is_lowercase);
        if known.called || known.is_handed || begins {
            return false;
        }
        let is_name = |token: &Token| {
            matches!(token, Token::Name(word) | Token::Variable(word)
                if word.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
        };
        let names = |part: &&Skipped| {
            part.code.tokens.get(part.start..part.end).unwrap_or_default().iter().any(is_name)
        };
        let skipped = || self.undone.iter().chain(&self.unchosen);
        if !skipped().any(|part| names(&part)) {
            return false;
        }
        let function = &known.function;
        let is_skipped = |code: &Rc<Code>, at: usize| {
            let own = Rc::ptr_eq(code, &function.code) && (function.start..function.end).contains(&at);
            let is_in = |part: &Skipped| Rc::ptr_eq(&part.code, code) && (part.start..part.end).contains(&at);
            own || skipped().any(is_in)
        };
        let other = Some(&function.code).filter(|code| !Rc::ptr_eq(code, &self.code));
        // Where it is defined, and where a module is imported that has it.
        let is_call = |code: &Rc<Code>, at: usize| {
            let line =
                code.tokens[..at].iter().rposition(|token| matches!(token, Token::Line(_) | Token::Op(";")));
            let first = code.tokens.get(line.map_or(0, |line| line + 1));
            let before = at.checked_sub(1).and_then(|at| code.tokens.get(at));
            let is_definition = matches!(before, Some(Token::Name(word)) if matches!(word.as_str(), "def" | "function" | "func" | "fn" | "fun"));
            let is_before =
                |words: &[&str]| matches!(before, Some(Token::Name(word)) if words.contains(&word.as_str()));
            let imports = is_definition
                || is_before(&["typeof"])
                || exports(code, at)
                || matches!(first, Some(Token::Name(word)) if matches!(word.as_str(), "import" | "from" | "use"))
                || requires(code, line.map_or(0, |line| line + 1), at);
            let defines = Rc::ptr_eq(code, &function.code) && at < function.start && {
                let parameters = code.tokens.get(at + 1..function.start).unwrap_or_default();
                !parameters.iter().any(|token| is_name(token) || matches!(token, Token::Op(";" | "}")))
            };
            !imports && !defines
        };
        std::iter::once(&self.code).chain(other).all(|code| {
            code.tokens
                .iter()
                .enumerate()
                .all(|(at, token)| !mentions(token, &is_name) || is_skipped(code, at) || !is_call(code, at))
        })
    }

    fn is_or(&self, at: usize) -> bool {
        !matches!(&self.code.tokens[at], Token::Name(word) if word != "or")
    }

    /// Whether the code asks for the words of the call anywhere.
    pub(super) fn asks_call(&mut self) -> bool {
        if !self.is_known_call() {
            return false;
        }
        if !self.of_call.is_empty() || self.has_flags {
            return true;
        }
        let code = Rc::clone(&self.code);
        if let Some((known, asks)) = &self.asking
            && Rc::ptr_eq(known, &code)
        {
            return *asks;
        }
        // Words that the code writes itself are not what the call says.
        let writes = |at: usize| match (code.tokens.get(at + 1), code.tokens.get(at + 2)) {
            (Some(Token::Op("=")), _) => true,
            (Some(Token::Op("[")), _) => code.tokens.get(code.mate(at + 1) + 1) == Some(&Token::Op("=")),
            (Some(Token::Op(".")), Some(Token::Name(method))) => matches!(
                method.as_str(),
                "append" | "insert" | "extend" | "push" | "unshift" | "replace" | "splice" | "concat"
            ),
            _ => false,
        };
        let names = |at: usize| is_words(self.language, &code.tokens[at]);
        let written = (0..code.tokens.len()).any(|at| names(at) && writes(at));
        let is_php = self.language == Language::Php;
        let parses = |token: &Token| match token {
            Token::Name(word) => {
                matches!(word.as_str(), "parse_args" | "shift") || is_php && matches!(word.as_str(), "option")
            }
            _ => false,
        };
        let asks = !self.of_call.is_empty()
            || (0..code.tokens.len()).any(|at| names(at) || parses(&code.tokens[at]));
        let asks = asks && !written || self.asks_environment(&code);
        self.asking = Some((code, asks));
        asks
    }

    /// Whether code asks for a variable that the command sets, and writes none itself.
    fn asks_environment(&self, code: &Code) -> bool {
        let places = || code.tokens.iter().enumerate().filter(|(_, token)| names_environment(token));
        let writes = |(at, _): (usize, &Token)| match code.tokens.get(at + 1..).unwrap_or_default() {
            [Token::Op("["), ..] => code.tokens.get(code.mate(at + 1) + 1) == Some(&Token::Op("=")),
            [Token::Op("."), Token::Name(_), Token::Op("="), ..] => true,
            [Token::Op("."), Token::Name(method), ..] => matches!(method.as_str(), "update" | "setdefault"),
            _ => false,
        };
        places().any(|(at, _)| self.is_set_after(code.tokens.get(at + 1..).unwrap_or_default()))
            && !places().any(writes)
    }

    /// Decides the arms of `switch (argv[2]) {`, `case ARGV[0]`, `match sys.argv[1]:`, which stands here.
    pub(super) fn decide_arms(&mut self) {
        if !self.asks_call() {
            return;
        }
        let is_of_words = self.language == Language::Ruby;
        let Some(head) = self.end_of_condition(self.at + 1, is_of_words) else { return };
        let given = self.asked_of_call((self.at + 1, head));
        // `match sys.argv[1:]:`
        let words = if given.is_none() { self.all_asked((self.at + 1, head)) } else { None };
        if given.is_none() && words.is_none() {
            return;
        }
        let (start, close) = match self.language {
            Language::Ruby => (head, self.code.mate(self.at).min(self.end)),
            _ => self.body_at(head),
        };
        // Where each arm begins; `else` and `default` have no words.
        let mut arms: Vec<(usize, bool, bool)> = Vec::new();
        let mut at = start + usize::from(self.code.tokens.get(start) == Some(&Token::Op("{")));
        while at < close && arms.len() < MAX_BRANCHES {
            match &self.code.tokens[at] {
                Token::Name(word) if matches!(word.as_str(), "case" | "when") => {
                    let end = self.end_of_label(at + 1, close);
                    let labels = self.code.tokens.get(at + 1..end).unwrap_or_default();
                    let mut texts = labels.iter().filter_map(|token| match token {
                        Token::Text(text) => Some(text),
                        _ => None,
                    });
                    let plain = labels
                        .iter()
                        .all(|token| matches!(token, Token::Text(_) | Token::Op("," | "|" | "(" | ")")));
                    let is_usual = matches!(labels, [Token::Name(word)] if word == "_");
                    let holds = match &words {
                        Some(words) => !is_usual && may_match(labels, words),
                        None => !plain && !is_usual || texts.any(|text| Some(text) == given.as_ref()),
                    };
                    arms.push((at, holds, is_usual));
                    at = end;
                }
                Token::Name(word) if matches!(word.as_str(), "default" | "else") => {
                    arms.push((at, false, true));
                }
                Token::Name(_) | Token::Op("(" | "[" | "{")
                    if self.code.mate(at) < self.code.tokens.len() =>
                {
                    at = self.code.mate(at);
                }
                _ => {}
            }
            at += 1;
        }
        let any = arms.iter().any(|(_, holds, _)| *holds);
        let mut falls = false;
        for (number, (at, holds, is_usual)) in arms.iter().enumerate() {
            let end = arms.get(number + 1).map_or(close, |(at, _, _)| *at);
            let end = if end == close && self.code.tokens.get(start) == Some(&Token::Op("{")) {
                close - 1
            } else {
                end
            };
            let runs = *holds || *is_usual && !any || falls;
            if !runs {
                self.skip_later(*at, end);
            }
            // Without `break` the next one runs as well.
            let leaves = self.code.tokens.get(*at..end).unwrap_or_default().iter().any(|token| {
                matches!(token, Token::Name(word) if matches!(word.as_str(), "break" | "return" | "exit" | "throw" | "continue"))
            });
            let falls_through =
                matches!(self.language, Language::JavaScript | Language::Php | Language::Other);
            falls = runs && falls_through && !leaves;
        }
    }

    /// All words of the call, where a `match` asks for them at once.
    fn all_asked(&mut self, (from, to): (usize, usize)) -> Option<Vec<String>> {
        let is_all = self.code.tokens.get(from..to).is_some_and(|tokens| self.is_all(tokens));
        if !is_all || !self.is_known_call() {
            return None;
        }
        match self.inside(Rc::clone(&self.code), from, to, Self::assignment) {
            Value::List(words) => words.iter().map(Value::known).collect(),
            _ => None,
        }
    }

    /// The text of what a `switch` asks, perhaps in brackets, where that is a word of the call.
    pub(super) fn asked_of_call(&mut self, (from, to): (usize, usize)) -> Option<String> {
        if !self.asks_call() {
            return None;
        }
        let inner = self.code.tokens.get(from) == Some(&Token::Op("("));
        self.of_call((from, to)).or_else(|| if inner { self.of_call((from + 1, to - 1)) } else { None })
    }

    /// Where the words of an arm end.
    pub(super) fn end_of_label(&self, mut at: usize, close: usize) -> usize {
        while at < close {
            match &self.code.tokens[at] {
                Token::Op(":" | ";") | Token::Line(_) => break,
                Token::Name(word) if word == "then" => break,
                _ => at += 1,
            }
        }
        at
    }

    /// A variable holds what the call says from now on.
    pub(crate) fn keep_words_of(&mut self, variable: &str) {
        if !self.of_call.iter().any(|own| own == variable) {
            self.of_call.push(variable.to_owned());
        }
    }

    /// A variable holds all that the call says from now on.
    pub(crate) fn keep_all_words_of(&mut self, variable: &str) {
        if !self.all_of_call.iter().any(|own| own == variable) {
            self.all_of_call.push(variable.to_owned());
        }
    }

    /// Nothing calls a function.
    pub(crate) fn forget_function(&mut self, function: &Rc<Function>) {
        for known in self.defined.iter_mut().filter(|known| Rc::ptr_eq(&known.function, function)) {
            known.called = true;
        }
    }

    /// A function was taken from a table by a word of the call: the others of the table are not called by it.
    pub(crate) fn chosen_from(&mut self, table: &Value) {
        match table {
            Value::Map(entries) => {
                for (_, value) in entries {
                    match value {
                        Value::Function(function) => {
                            self.forget_function(function);
                            let Function { code, start, end, .. } = &**function;
                            if self.unchosen.len() < MAX_BRANCHES {
                                let code = Rc::clone(code);
                                self.unchosen.push(Skipped { code, start: *start, end: *end });
                            }
                        }
                        Value::Name(class) if self.is_class(class) => self.forget_class(class),
                        // One that is defined further down.
                        Value::Name(name) => {
                            for known in self.defined.iter_mut().filter(|known| known.name == *name) {
                                known.called = true;
                            }
                        }
                        _ => {}
                    }
                }
            }
            // `getattr(store, verb)`: methods that nothing else names.
            Value::Name(class) if self.is_class(class) => {
                let code = Rc::clone(&self.code);
                let count = |name: &str| {
                    let is_own = |token: &&Token| matches!(token, Token::Name(word) if word == name);
                    code.tokens.iter().filter(is_own).count()
                };
                for known in self.defined.iter_mut().filter(|known| *known.class == **class) {
                    known.called |= !known.name.starts_with("__") && count(&known.name) == 1;
                }
            }
            _ => {}
        }
    }
}

/// Whether these tokens ask whether this file is the program itself, and whether that is what they want:
/// `__name__ == "__main__"`, `require.main === module`, `__FILE__ == $0`, `abspath(PROGRAM_FILE) == @__FILE__`.
pub(super) fn asks_for_program(tokens: &[Token]) -> Option<bool> {
    let is = |token: &Token, words: &[&str]| match token {
        Token::Name(word) | Token::Variable(word) | Token::Text(word) => words.contains(&word.as_str()),
        _ => false,
    };
    let has = |words: &[&str]| tokens.iter().any(|token| is(token, words));
    let names_program = match tokens {
        [Token::Name(import), Token::Op("."), Token::Name(meta), Token::Op("."), Token::Name(main)] => {
            import == "import" && meta == "meta" && main == "main"
        }
        [Token::Name(word)] => return (word == "caller").then_some(false),
        _ => {
            has(&["__main__"]) && has(&["__name__"])
                || has(&["require"]) && has(&["main"]) && has(&["module"])
                || has(&["__FILE__", "__filename"])
                    && has(&["0", "PROGRAM_NAME", "argv", "PROGRAM_FILE", "SCRIPT_FILENAME"])
                || has(&["meta"]) && has(&["url", "filename"]) && has(&["argv"])
        }
    };
    let differs = tokens.iter().any(|token| matches!(token, Token::Op("!=" | "!==")));
    names_program.then_some(!differs)
}

/// Tokens without methods that only hand on what a value is: `task.as_deref()`, `cmd.trim()`.
fn unchanged(mut tokens: &[Token]) -> &[Token] {
    while let [rest @ .., Token::Op("." | "?."), Token::Name(method), Token::Op("("), Token::Op(")")] = tokens
        && matches!(
            method.as_str(),
            "as_deref"
                | "as_str"
                | "as_ref"
                | "clone"
                | "to_string"
                | "to_owned"
                | "trim"
                | "strip"
                | "unwrap"
                | "toString"
        )
    {
        tokens = rest;
    }
    tokens
}

/// Whether a token names what holds the variables of the environment, or asks for one.
fn names_environment(token: &Token) -> bool {
    matches!(token, Token::Name(word) | Token::Variable(word) if matches!(
        word.as_str(),
        "environ" | "getenv" | "env" | "ENV" | "_ENV" | "_SERVER" | "Getenv" | "LookupEnv" | "GetEnvironmentVariable"
    ))
}

/// Whether a name is the one of yes or of no.
pub(super) fn is_yes(word: &str) -> Option<bool> {
    match word {
        "true" | "True" | "TRUE" | GIVEN => Some(true),
        "false" | "False" | "FALSE" | NOT_GIVEN => Some(false),
        _ => None,
    }
}

/// Whether a word stands for nothing.
pub(super) fn is_nothing(token: &Token) -> bool {
    matches!(token, Token::Name(word) if matches!(word.as_str(), "None" | "null" | "nil" | "undefined"))
}

/// Whether a token names the words of the call.
pub(super) fn is_words(language: Language, token: &Token) -> bool {
    let (Token::Name(name) | Token::Variable(name)) = token else { return false };
    match language {
        Language::Lua => name == "arg",
        // C#'s own variable, `env::args()` of Rust, what `main` gets in Java.
        Language::Other | Language::Jvm => matches!(name.as_str(), "args" | "argv" | "CommandLine"),
        _ => matches!(name.as_str(), "argv" | "ARGV" | "ARGS" | "Args" | "commandArgs"),
    }
}

/// Whether these tokens are all words of the call: `sys.argv`, `process.argv.slice(2)`.
fn is_whole(language: Language, tokens: &[Token]) -> bool {
    let tokens = match tokens {
        [words @ Token::Name(_), Token::Op("("), ..] if language == Language::R => {
            std::slice::from_ref(words)
        }
        [rest @ .., Token::Op("."), Token::Name(slice), Token::Op("("), Token::Number(_), Token::Op(")")]
            if slice == "slice" =>
        {
            rest
        }
        tokens => tokens,
    };
    tokens.len() < 4 && tokens.last().is_some_and(|token| is_words(language, token))
}

/// What is searched by PHP's `in_array(x, $words, true)`.
pub(super) fn without_strictness(tokens: &[Token]) -> &[Token] {
    match tokens {
        [words @ .., Token::Op(","), Token::Name(word)] if word == "true" => words,
        words => words,
    }
}

/// Whether these tokens are all words of the call but the first ones: `sys.argv[1:]`, `array_slice($argv, 2)`.
fn is_slice(language: Language, tokens: &[Token]) -> bool {
    if let [
        Token::Name(function),
        Token::Op("("),
        rest @ ..,
        Token::Op(","),
        Token::Number(_),
        Token::Op(")"),
    ] = tokens
    {
        return function == "array_slice" && is_whole(language, rest);
    }
    match tokens {
        [rest @ .., Token::Op("["), Token::Number(_), Token::Op(":"), Token::Op("]")]
        | [rest @ .., Token::Op("["), Token::Number(_), Token::Op(":"), Token::Number(_), Token::Op("]")] => {
            is_whole(language, rest)
        }
        _ => false,
    }
}

/// Whether one of these patterns may match a list of words: `["wipe", name] | ["w", *rest]`.
fn may_match(patterns: &[Token], words: &[String]) -> bool {
    patterns.split(|token| *token == Token::Op("|")).any(|pattern| {
        let [Token::Op("[" | "("), parts @ .., Token::Op("]" | ")")] = pattern else { return true };
        let parts: Vec<&[Token]> =
            parts.split(|token| *token == Token::Op(",")).filter(|part| !part.is_empty()).collect();
        let rest = parts.iter().position(|part| part.first() == Some(&Token::Op("*")));
        let counts = if rest.is_some() { words.len() + 1 >= parts.len() } else { words.len() == parts.len() };
        let agrees =
            |(part, word): (&&[Token], &String)| !matches!(part, [Token::Text(text)] if text != word);
        counts && parts.iter().take(rest.unwrap_or(parts.len())).zip(words).all(agrees)
    })
}

/// Whether a statement that begins with this word leaves what is around it; `after` is what follows a dot.
fn leaves_with(word: &str, after: Option<&Token>) -> bool {
    match word {
        "return" | "exit" | "raise" | "throw" | "die" | "continue" | "next" | "os.exit" | "sys.exit" => true,
        "os" | "sys" | "process" | "System" | "Environment" => {
            matches!(after, Some(Token::Name(name)) if name.eq_ignore_ascii_case("exit"))
        }
        _ => false,
    }
}

/// Whether the name at a place is only one of those that a module exports: `module.exports = { serve }`,
/// `export { serve }`.
fn exports(code: &Code, at: usize) -> bool {
    let opens = |open: usize| {
        code.tokens[open] == Token::Op("{")
            && code.mate(open) > at
            && match code.tokens.get(..open).unwrap_or_default() {
                [.., Token::Name(word), Token::Op("=")] => word == "exports",
                [.., Token::Name(word)] => word == "export",
                _ => false,
            }
    };
    let alone = !matches!(code.tokens.get(at + 1), Some(Token::Op("(")));
    let open = (at.saturating_sub(MAX_CONDITION)..at).rev().find(|&open| opens(open));
    let assigned = match code.tokens.get(..at).unwrap_or_default() {
        [.., Token::Name(word), Token::Op("."), Token::Name(_), Token::Op("=")] if word == "exports" => true,
        [.., Token::Name(word), Token::Op("=")] => word == "exports",
        _ => false,
    };
    alone && (open.is_some() || assigned)
}

/// Whether the name at a place is only one of those that a line which begins at `line` takes from a module:
/// `const { serve } = require('./serve')`.
fn requires(code: &Code, line: usize, at: usize) -> bool {
    let rest = code.tokens.get(at..(at + MAX_CONDITION).min(code.tokens.len())).unwrap_or_default();
    let declares = matches!(code.tokens.get(line), Some(Token::Name(word)) if matches!(word.as_str(), "const" | "let" | "var"));
    let is_taken = rest.windows(3).find_map(|three| match three {
        [Token::Op("}"), Token::Op("="), Token::Name(word)] => Some(word == "require"),
        [Token::Line(_) | Token::Op(";" | "("), ..] => Some(false),
        _ => None,
    });
    declares && is_taken == Some(true)
}

/// Whether a token has a name, also inside of its text.
pub(super) fn mentions(token: &Token, is_name: &dyn Fn(&Token) -> bool) -> bool {
    match token {
        Token::Template(pieces) | Token::Command(pieces) => pieces.iter().any(|piece| match piece {
            Piece::Code(code) => code.tokens.iter().any(|token| mentions(token, is_name)),
            Piece::Text(_) => false,
        }),
        token => is_name(token),
    }
}
