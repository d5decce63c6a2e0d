//! Brackets: groups, lists, maps, arguments, comprehensions, and what is taken apart into variables.

use std::rc::Rc;

use super::Follower;
use super::scopes::{Declares, Scope};
use crate::Language;
use crate::lex::Token;
use crate::value::{Arguments, MAX_ELEMENTS, Spot, Value};

/// Turns of one comprehension that are taken.
const MAX_TURNS: usize = MAX_ELEMENTS;

/// Values for so many names, of which the one at `rest` gets a list of all that the others leave.
fn gathered(mut values: Vec<Value>, rest: usize, names: usize) -> Value {
    let others = names - 1;
    if values.len() >= others {
        let end = rest + values.len() - others;
        let more: Vec<Value> = values.drain(rest..end).collect();
        values.insert(rest, Value::List(more));
    }
    Value::List(values)
}

/// Lists of which one is meant as one: at each place, what any of them has there.
pub(crate) fn side_by_side(lists: &[Value]) -> Vec<Value> {
    let lists: Vec<&Vec<Value>> = lists
        .iter()
        .filter_map(|list| match list {
            Value::List(values) => Some(values),
            _ => None,
        })
        .collect();
    let longest = lists.iter().map(|list| list.len()).max().unwrap_or_default();
    let at = |place: usize| Value::any(lists.iter().filter_map(|list| list.get(place).cloned()).collect());
    (0..longest.min(MAX_ELEMENTS)).map(at).collect()
}

/// A list of keys and values as a map, where Perl's sigil says that it is one.
pub(crate) fn pairs_of(values: &[Value], sigil: char) -> Value {
    match values.chunks_exact(2) {
        pairs if sigil == '%' => Value::Map(pairs.map(|pair| (pair[0].text(), pair[1].clone())).collect()),
        _ => Value::List(values.to_vec()),
    }
}

impl Follower<'_> {
    /// `(…)`: what stands in it, or a tuple.
    pub(super) fn group(&mut self) -> Value {
        let (arguments, comma) = self.bracketed();
        if self.language == Language::Perl && arguments.values.is_empty() && !arguments.named.is_empty() {
            return Value::Map(arguments.named);
        }
        let mut values = arguments.values;
        values.extend(arguments.named.into_iter().map(|(_, value)| value));
        if values.len() == 1 && !comma { values.remove(0) } else { Value::List(values) }
    }

    /// `[…]`
    pub(super) fn list(&mut self) -> Value {
        let made = self.made_by_comprehension();
        if let Some(values) = made {
            return values;
        }
        let arguments = self.bracketed().0;
        let mut values = arguments.values;
        if !arguments.named.is_empty() {
            // Groovy's maps, and the lists of PHP with keys.
            if values.is_empty() {
                return Value::Map(arguments.named);
            }
            values.extend(arguments.named.into_iter().map(|(_, value)| value));
        }
        self.bounded(Value::List(values))
    }

    /// `{…}` where a value is expected: a map, a set, or a block.
    pub(super) fn braces(&mut self) -> Value {
        if matches!(self.language, Language::Jvm | Language::Other) && !self.is_array() {
            return self.closure();
        }
        if let Some(values) = self.made_by_comprehension() {
            return values;
        }
        let arguments = self.bracketed().0;
        if arguments.values.is_empty() {
            return Value::Map(arguments.named);
        }
        if !arguments.named.is_empty() {
            let mut entries = arguments.named;
            entries.extend(arguments.values.into_iter().map(|value| (String::new(), value)));
            return Value::Map(entries);
        }
        // Perl's `{ key, value }`, sets, blocks that give back their last value.
        Value::List(arguments.values)
    }

    /// What a comprehension makes whose brackets open here: `[f(x) for x in xs]`, `{x: f(x) for x in xs}`. `None` where it is none.
    fn made_by_comprehension(&mut self) -> Option<Value> {
        if !matches!(self.language, Language::Python | Language::Julia) {
            return None;
        }
        let open = self.at;
        let is_for = |token: &Token| matches!(token, Token::Name(word) if word == "for");
        let close = self.code.mate(open).min(self.end);
        if !self.code.tokens.get(open + 1..close)?.iter().any(is_for) {
            return None;
        }
        let (mut arguments, _) = self.bracketed();
        if arguments.named.is_empty() && arguments.values.len() == 1 {
            let value = arguments.values.remove(0);
            return Some(match value {
                value @ (Value::List(_) | Value::Map(_)) => value,
                value => Value::List(vec![value]),
            });
        }
        self.at = open;
        None
    }

    /// Whether the brace here holds the elements of an array: `String[] xs = {`.
    fn is_array(&self) -> bool {
        let before = |back: usize| self.at.checked_sub(back).and_then(|at| self.code.tokens.get(at));
        before(1) == Some(&Token::Op("=")) && before(3) == Some(&Token::Op("]"))
    }

    /// The arguments in the brackets that open here.
    pub(super) fn arguments(&mut self) -> Arguments {
        self.bracketed().0
    }

    /// What stands in the brackets that open here, and whether there was a comma.
    fn bracketed(&mut self) -> (Arguments, bool) {
        let open = self.at;
        let close = self.code.mate(open).min(self.end);
        self.at += 1;
        let outer = (self.end, self.brackets);
        self.end = close;
        self.brackets += 1;
        self.first_name = match (self.code.tokens.get(self.at), self.code.tokens.get(self.at + 1)) {
            (Some(Token::Name(word)), Some(Token::Variable(name)))
                if matches!(word.as_str(), "my" | "local" | "our") =>
            {
                Some(name.clone())
            }
            (Some(Token::Name(name) | Token::Variable(name)), Some(Token::Op("," | ")"))) => {
                Some(name.clone())
            }
            _ => None,
        };
        let first_name = self.first_name.clone();
        let braced = self.language == Language::JavaScript && self.code.tokens[open] == Token::Op("{");
        let result = match self.comprehension() {
            Some(value) => (Arguments::of(vec![value]), false),
            None => self.entries(braced),
        };
        self.first_name = first_name;
        (self.end, self.brackets) = outer;
        self.at = (close + 1).min(self.end.max(open + 1));
        result
    }

    /// Entries up to the end of the part: values, `key: value`, `key => value`, `key = value`.
    fn entries(&mut self, braced: bool) -> (Arguments, bool) {
        let mut found = Arguments::default();
        let mut comma = false;
        while self.at < self.end {
            let before = self.at;
            if !self.step(1) {
                break;
            }
            match self.peek() {
                Some(Token::Op("," | ";")) => {
                    comma |= self.op() == Some(",");
                    self.at += 1;
                }
                Some(Token::Line(_)) => self.at += 1,
                _ => {
                    let key = self.key();
                    self.entry(key, braced, &mut found);
                }
            }
            self.at = self.at.max(before + 1);
        }
        (found, comma)
    }

    /// The name before `:`, `=>` or `=`.
    fn key(&mut self) -> Option<String> {
        let (key, width) = match (self.peek()?, self.ahead(1)) {
            (Token::Name(key) | Token::Text(key), Some(Token::Op(":" | "=>"))) => (key.clone(), 2),
            (Token::Name(key), Some(Token::Op("=")))
                if matches!(
                    self.language,
                    Language::Python
                        | Language::R
                        | Language::Julia
                        | Language::Lua
                        | Language::Other
                        | Language::Jvm
                ) =>
            {
                (key.clone(), 2)
            }
            // Lua's `["key"] = value`.
            (Token::Op("["), Some(Token::Text(key)))
                if self.op_ahead(2) == Some("]") && matches!(self.op_ahead(3), Some("=" | ":")) =>
            {
                (key.clone(), 4)
            }
            // `{ [KEY]: value }`
            (Token::Op("["), Some(Token::Name(name)))
                if self.op_ahead(2) == Some("]")
                    && self.op_ahead(3) == Some(":")
                    && let Some(key) = self.variable(name).and_then(Value::known) =>
            {
                (key, 4)
            }
            _ => return None,
        };
        let has_arrows = matches!(self.language, Language::JavaScript | Language::Other | Language::Jvm);
        if matches!(self.ahead(width - 1), Some(Token::Op("=>"))) && has_arrows
            || matches!(self.ahead(width), Some(Token::Op(":"))) && width == 2
        {
            return None;
        }
        self.at += width;
        Some(key)
    }

    /// What a method, or a getter, that stands in an object is.
    fn method_of_object(&mut self) -> Value {
        let is_getter = self.code.tokens.get(self.at.wrapping_sub(2)) == Some(&Token::Name("get".to_owned()));
        match self.function_from_parameters() {
            Value::Function(function) if is_getter => self.call_with(&function, &Arguments::default()),
            Value::Function(function) => {
                self.keep_function("", Rc::clone(&function));
                Value::Function(function)
            }
            value => value,
        }
    }

    fn entry(&mut self, key: Option<String>, braced: bool, found: &mut Arguments) {
        if let Some(key) = key {
            self.skip_lines();
            let before = self.at;
            let value = if self.at >= self.end { self.name_value(&key) } else { self.assignment() };
            let value = self.flag_of_call(before).unwrap_or(value);
            if self.is_word_of_call(before) {
                found.of_call.push(Spot::Named(key.clone()));
            }
            found.named.push((key, value));
            return;
        }
        // `{body, method}`
        if braced
            && let Some(name) = self.word().map(str::to_owned)
            && matches!(self.ahead(1), Some(Token::Op(",") | Token::Line(_)) | None)
        {
            self.at += 1;
            let value = self.name_value(&name);
            found.named.push((name, value));
            return;
        }
        // `{ wipe(path) { … }, async clean() { … } }`
        if braced && let Some((name, ahead)) = self.method_ahead() {
            self.at += ahead;
            let value = self.method_of_object();
            found.named.push((name, value));
            return;
        }
        let spread = matches!(self.op(), Some("..." | "*" | "**" | "@"));
        let sigil = self.code.sigil(self.at);
        let by_address = self.op() == Some("&");
        let variable = self.variable_alone();
        let before = self.at;
        let is_reference = self.op() == Some("[");
        let value = self.argument();
        let value = self.flag_of_call(before).unwrap_or(value);
        if self.is_word_of_call(before) {
            found.of_call.push(Spot::Place(found.values.len()));
        } else if self.is_all_of_call(before) {
            found.of_call.push(Spot::All(found.values.len()));
        }
        // Go's stand after it.
        let spread = spread || self.language == Language::Go && self.take("...");
        // `[:in, :out] => socket`
        if self.op() == Some("=>") && self.language == Language::Ruby {
            self.at += 1;
            let named = self.assignment();
            found.named.push((value.text(), named));
            return;
        }
        // awk: `("command" | getline)`
        if self.language == Language::Awk && self.op() == Some("|") {
            self.awk_pipe(Some(&value));
        }
        match value {
            // Perl's lists are one, but a reference to one is a value of its own.
            Value::List(values) if spread || self.language == Language::Perl && !is_reference => {
                found.values.extend(values);
            }
            // `format(*"rmrf")`
            Value::Text(text)
                if spread && self.language == Language::Python && !shell_engine::mark::any(&text.text) =>
            {
                found.values.extend(text.text.chars().take(crate::value::MAX_ELEMENTS).map(Value::from));
            }
            // One of several lists.
            Value::Any(lists) if spread && lists.iter().all(|list| matches!(list, Value::List(_))) => {
                found.values.extend(side_by_side(&lists));
            }
            Value::Map(entries) if spread || sigil == Some('%') => found.named.extend(entries),
            // One of several maps: each of their names may have any of their values.
            Value::Any(maps) if spread && maps.iter().all(|map| matches!(map, Value::Map(_))) => {
                let names = maps.first().map_or_else(Value::unknown, Value::element);
                for name in names.choices().iter().map(Value::text) {
                    let values = maps.iter().filter_map(|map| map.get(&name).cloned()).collect();
                    found.named.push((name, Value::any(values)));
                }
            }
            value => {
                let may_change = by_address
                    || matches!(value, Value::List(_) | Value::Map(_))
                    || self.language == Language::Php;
                if let Some(name) = variable.filter(|_| may_change) {
                    found.variables.push((found.values.len(), name));
                }
                found.values.push(value);
            }
        }
    }

    /// The variable that stands here as an argument by itself, or after Go's `&`.
    fn variable_alone(&self) -> Option<String> {
        let ahead = usize::from(self.op() == Some("&"));
        match (self.ahead(ahead)?, self.ahead(ahead + 1)) {
            (Token::Name(name) | Token::Variable(name), None | Some(Token::Op(","))) => {
                (ahead == 1 || self.variables.contains_key(name)).then(|| name.clone())
            }
            _ => None,
        }
    }

    /// The name of a method that stands here in an object, and how far its parameters are.
    fn method_ahead(&self) -> Option<(String, usize)> {
        let is_marked = matches!(self.word(), Some("async" | "get" | "set")) && self.word_ahead(1).is_some();
        let ahead = usize::from(is_marked);
        let name = self.word_ahead(ahead)?;
        // A block may stand in braces as well.
        let is_statement =
            matches!(name, "if" | "for" | "while" | "switch" | "catch" | "with" | "function" | "do" | "else");
        if is_statement || self.op_ahead(ahead + 1) != Some("(") {
            return None;
        }
        let close = self.code.mate(self.at + ahead + 1);
        let body = close + 1 < self.end && self.code.tokens[close + 1] == Token::Op("{");
        body.then(|| (name.to_owned(), ahead + 1))
    }

    /// An argument; words that begin statements only open expressions there.
    fn argument(&mut self) -> Value {
        // `try (Stream<Path> s = Files.walk(root))`
        self.skip_type_of_variable();
        if let Some(word) = self.word() {
            let statement = matches!(
                word,
                "if" | "for"
                    | "while"
                    | "return"
                    | "const"
                    | "let"
                    | "var"
                    | "unless"
                    | "foreach"
                    | "else"
                    | "try"
                    | "print"
                    | "in"
                    | "of"
            );
            let plain = matches!(self.op_ahead(1), Some("." | "," | "=" | ")"));
            if statement && !plain {
                self.statement();
                return std::mem::replace(&mut self.last, Value::unknown());
            }
        }
        self.assignment()
    }

    /// `f(x) for x in xs if y`: takes one turn for each element, if the part is one.
    fn comprehension(&mut self) -> Option<Value> {
        if !matches!(self.language, Language::Python | Language::Julia) {
            return None;
        }
        let start = self.at;
        let mut clauses = None;
        let mut at = start;
        let mut looked = 0;
        while at < self.end {
            looked += 1;
            match &self.code.tokens[at] {
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                Token::Name(word) if word == "lambda" => {}
                // The body stands before its loops, and so is read after them.
                Token::Name(word) if word == "for" && at > start => {
                    clauses = Some(at);
                    break;
                }
                _ => {}
            }
            at += 1;
        }
        // Looking is cheap, but nested brackets look again at each level.
        self.step(looked / 4);
        let clauses = clauses?;
        let end = self.end;
        let body_end = match self.code.tokens.get(clauses - 1) {
            Some(Token::Name(word)) if word == "async" => clauses - 1,
            _ => clauses,
        };
        self.at = clauses;
        let outside = self.scopes.len();
        self.scopes.push(Scope::of_block(usize::MAX));
        let mut targets = None;
        let mut filtered = false;
        let mut levels = 0_u32;
        let mut unending = false;
        while self.at < end {
            let before = self.at;
            if self.take_word("for") {
                let names = self.loop_names();
                let from = self.at;
                let list = self.binary(1);
                let list = self.lines_of(list);
                self.declaring(Declares::InBlock, |follower| follower.bind_each(&names, &list));
                unending |= self.is_unending(from, self.at);
                targets = Some((names, list));
                levels += 1;
            } else if self.take_word("if") {
                let condition = self.at;
                self.binary(1);
                if let (Some((names, list)), false) = (&targets, filtered)
                    && let Some(picked) = self.picked(names, list, (condition, self.at), levels)
                {
                    targets = Some((names.clone(), picked));
                    continue;
                }
                // A filter says which elements are left, such as those that end in `.tmp`.
                self.narrow(condition, self.at, false);
                filtered = true;
            }
            self.at = self.at.max(before + 1);
        }
        // One list whose elements are all known: each of them has a turn of its own.
        let elements = match targets {
            // Else one turn with a value that stands for all of them.
            Some((names, Value::List(values))) if levels == 1 && !filtered && values.len() <= MAX_TURNS => {
                Some((names, values))
            }
            Some((names, Value::Text(text)))
                if levels == 1
                    && !filtered
                    && text.text.len() <= MAX_TURNS
                    && !shell_engine::mark::any(&text.text) =>
            {
                Some((names, text.text.chars().map(Value::from).collect()))
            }
            _ => None,
        };
        let (mut values, mut entries) = (Vec::new(), Vec::new());
        let mut turns: Vec<Option<(Vec<String>, Value)>> = match elements {
            Some((names, elements)) => {
                elements.into_iter().map(|value| Some((names.clone(), value))).collect()
            }
            None => vec![None],
        };
        let outer = self.endless;
        if unending {
            self.endless = self.endless.max(body_end);
        }
        for turn in turns.drain(..) {
            if let Some((names, value)) = turn {
                self.declaring(Declares::InBlock, |follower| follower.bind(&names, value));
            }
            self.at = start;
            self.end = body_end;
            // `{key: value for …}`
            let key = self.key();
            let mut value = self.assignment();
            let key = match key {
                Some(name) => Some(self.variable(&name).map_or(name.clone(), Value::text)),
                None if self.take(":") => {
                    let key = value.text();
                    value = self.assignment();
                    Some(key)
                }
                None => None,
            };
            self.end = end;
            match key {
                Some(key) => entries.push((key, value)),
                None => values.push(value),
            }
        }
        self.endless = outer;
        self.end_scopes(outside);
        self.at = end;
        let made = if entries.is_empty() { Value::List(values) } else { Value::Map(entries) };
        Some(self.bounded(made))
    }

    /// What a condition leaves of a list, where that is known.
    fn picked(
        &mut self,
        names: &[String],
        list: &Value,
        condition: (usize, usize),
        levels: u32,
    ) -> Option<Value> {
        let variables = self.picked_variables(names, list, condition);
        match names {
            [name] if levels == 1 && variables.is_none() => self.entries_for(name, list, condition),
            _ => variables,
        }
    }

    /// Those of the environment's variables that a condition leaves: `for k, v in os.environ.items() if k in FIELDS`.
    fn picked_variables(
        &mut self,
        names: &[String],
        list: &Value,
        (from, to): (usize, usize),
    ) -> Option<Value> {
        if list.source().is_none_or(|source| &*source.path != "env") {
            return None;
        }
        let key = names.first()?;
        match self.code.tokens.get(from..from + 2)? {
            [Token::Name(name), Token::Name(word)] if name == key && word == "in" => {}
            _ => return None,
        }
        let wanted = match self.inside(Rc::clone(&self.code), from + 2, to, Self::assignment) {
            Value::List(wanted) => wanted.iter().map(Value::known).collect::<Option<Vec<String>>>()?,
            Value::Map(wanted) => wanted.into_iter().map(|(name, _)| name).collect(),
            _ => return None,
        };
        let picked = wanted.into_iter().map(|name| {
            let value = self.environment(&name);
            if names.len() == 1 { Value::from(name) } else { Value::List(vec![Value::from(name), value]) }
        });
        Some(Value::List(picked.collect()))
    }

    /// `const {a, b: c} = …`, `[a, b] = …`, `my ($a, $b) = …`
    pub(super) fn destructuring(&mut self) -> bool {
        let open = self.at;
        let close = match self.op() {
            Some("{") if matches!(self.language, Language::JavaScript | Language::Ruby) => {
                self.code.mate(open)
            }
            Some("[") if matches!(self.language, Language::JavaScript | Language::Php | Language::Python) => {
                self.code.mate(open)
            }
            Some("(") if !matches!(self.language, Language::Lua) => self.code.mate(open),
            // Elixir's tuples and lists.
            Some("{" | "[") if self.language == Language::Elixir => self.code.mate(open),
            _ => return false,
        };
        let is_map = self.language == Language::JavaScript
            || self.code.tokens[open] == Token::Op("{") && self.language != Language::Elixir;
        if close + 1 >= self.end || self.code.tokens.get(close + 1) != Some(&Token::Op("=")) {
            return false;
        }
        self.at = close + 2;
        let from = self.at;
        let value = self.expression_list();
        self.note_parts_of_call((open, close), from);
        if is_map {
            let parts = self.parts(open, close);
            let code = Rc::clone(&self.code);
            self.bind_parts(&code, &parts, &value);
            return true;
        }
        let mut at = open + 1;
        let mut position = 0;
        while at < close {
            // PHP's `["root" => $r] = $config`
            if let (Token::Text(key), Some(Token::Op("=>")), Some(Token::Variable(name))) =
                (&self.code.tokens[at], self.code.tokens.get(at + 1), self.code.tokens.get(at + 2))
            {
                let (key, name) = (key.clone(), name.clone());
                let part = self.element_of(&value, &Value::from(key));
                self.assign(&name, part);
                at += 3;
                continue;
            }
            if let Token::Name(name) | Token::Variable(name) | Token::Text(name) = &self.code.tokens[at] {
                let target = name.clone();
                let part = match &value {
                    Value::List(values) if let Some(sigil) = self.code.sigil(at) => {
                        pairs_of(values.get(position..).unwrap_or_default(), sigil)
                    }
                    Value::List(values) => values.get(position).cloned().unwrap_or_else(Value::unknown),
                    // optparse's `(options, rest) = parser.parse_args()`
                    Value::Name(path) if path == crate::options::PARSED && position == 0 => value.clone(),
                    value => value.element(),
                };
                self.assign(&target, part);
                position += 1;
                // What stands instead of a missing part.
                while at < close && self.code.tokens[at] != Token::Op(",") {
                    at += 1;
                }
            }
            at += 1;
        }
        true
    }

    /// `a, b = 1, 2`
    pub(super) fn tuple(&mut self) -> bool {
        let mut names = Vec::new();
        let mut ahead = 0;
        let mut rest = None;
        loop {
            // `first, *others = xs`
            if self.op_ahead(ahead) == Some("*") && rest.is_none() {
                rest = Some(names.len());
                ahead += 1;
            }
            let Some(Token::Name(name) | Token::Variable(name)) = self.ahead(ahead) else { return false };
            // `self.name, self.run = name, run`
            let field = self.own_field(self.at + ahead);
            ahead += 2 * usize::from(field.is_some());
            names.push(field.unwrap_or_else(|| name.clone()));
            match self.op_ahead(ahead + 1) {
                Some(",") => ahead += 2,
                Some("=" | ":=") if names.len() > 1 => {
                    let last = self.at + ahead + 1;
                    let before = self.at.wrapping_sub(1);
                    self.at += ahead + 2;
                    let from = self.at;
                    let value = match (self.expression_list(), rest) {
                        (Value::List(values), Some(rest)) => gathered(values, rest, names.len()),
                        (value, _) => value,
                    };
                    self.note_parts_of_call((before, last), from);
                    self.bind(&names, value);
                    return true;
                }
                _ => return false,
            }
        }
    }
}
