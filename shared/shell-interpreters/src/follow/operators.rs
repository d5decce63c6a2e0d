//! Operators: what they make of strings and numbers.

use super::Follower;
use super::modules::THE_MODULE;
use super::postfix::Callee;
use super::scopes::Declares;
use crate::Language;
use crate::lex::Token;
use crate::options::PARSED;
use crate::value::{Arguments, MAX_TEXT, Value};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Either,
    Both,
    Compare,
    Add,
    Concatenate,
    Subtract,
    Divide,
    Times,
    Remainder,
    Repeat,
    Exclusive,
    Shift,
    Pipe,
    Pair,
    Other,
}

const LOWEST: u8 = 1;
pub(super) const ADDITION: u8 = 5;

/// Both maps: the last entry that has a key wins.
pub(super) fn merged(one: &Value, other: Value) -> Value {
    match (one, other) {
        (Value::Map(entries), Value::Map(more)) => Value::Map(entries.iter().cloned().chain(more).collect()),
        (_, other) => other,
    }
}

impl Follower<'_> {
    /// An expression with everything that may stand in it, and the variable it is assigned to.
    pub(crate) fn assignment(&mut self) -> Value {
        if !self.enter() {
            return Value::unknown();
        }
        let value = self.assigned();
        self.leave();
        value
    }

    fn assigned(&mut self) -> Value {
        // `if ((my $x = …))`: a declaration inside of an expression.
        let declares = matches!(self.word(), Some("my" | "our" | "local" | "let" | "const" | "var"))
            && matches!(self.ahead(1), Some(Token::Variable(_) | Token::Name(_)));
        self.at += usize::from(declares);
        // `while (my ($key, $value) = each %h)`
        if matches!(self.word(), Some("my" | "our" | "local")) && self.op_ahead(1) == Some("(") {
            self.at += 1;
            if self.destructuring() {
                return Value::unknown();
            }
            self.at -= 1;
        }
        let start = self.at;
        let left = self.ternary();
        match self.op() {
            Some(op @ ("=" | ":=" | "<-" | "<<-" | "+=" | ".=" | "|=" | "||=" | "??=" | "&&=" | "//=")) => {
                let target = self.target(start, &left);
                self.at += 1;
                self.skip_lines();
                let from = self.at;
                let right = self.right_side(start);
                let other = match self.code.tokens.get(from) {
                    Some(Token::Name(other) | Token::Variable(other)) if self.at == from + 1 => {
                        Some(other.clone())
                    }
                    _ => None,
                };
                let value = match op {
                    "+=" | ".=" => self.added(&left, right),
                    // Python's `map |= other`
                    "|=" if matches!((&left, &right), (Value::Map(_), Value::Map(_))) => merged(&left, right),
                    // Ruby's `@folder ||= make`, which nothing has set yet
                    "||="
                        if target.as_ref().is_some_and(|name| {
                            name.starts_with('@') && !self.variables.contains_key(name)
                        }) =>
                    {
                        right
                    }
                    // Whether the variable was set before is not known: both values stay possible.
                    "|=" | "||=" | "??=" | "//=" => Value::any(vec![left.clone(), right]),
                    _ => right,
                };
                let sets = matches!(op, "=" | ":=") || op == "<-" && self.language == Language::R;
                let mut value = value;
                if let (Some(name), true) = (&target, sets) {
                    self.note_of_call(name, from);
                    let is_yes =
                        matches!(&value, Value::Name(word) if matches!(word.as_str(), "true" | "True"));
                    if let Some(flag) = self.flag_of_call(from) {
                        value = flag;
                    } else if is_yes && self.is_by_word(start) {
                        value = self.flag_value(true);
                    }
                }
                self.give(target.as_deref(), (op, start), (left, &value));
                if let (Some(name), Some(other), "=" | ":=") = (target, other, op) {
                    self.alias(&name, &other);
                }
                value
            }
            // R also assigns to the right.
            Some("->" | "->>") if self.language == Language::R => {
                self.at += 1;
                if let Some(name) = self.word().map(str::to_owned) {
                    self.at += 1;
                    self.assign(&name, left.clone());
                }
                left
            }
            _ => left,
        }
    }

    /// The variable that gets a value, whose expression begins at `start`: `x`, `self.x`, or `x[]` for an element.
    fn target(&self, start: usize, left: &Value) -> Option<String> {
        match self.code.tokens.get(start) {
            Some(Token::Name(name) | Token::Variable(name)) if self.at == start + 1 => Some(name.clone()),
            _ => match left {
                // What the field held before does not matter.
                _ if self.at == start + 3 && self.own_field(start).is_some() => self.own_field(start),
                // A field of an object that is a map, whatever it holds.
                Value::Name(path) if !path.is_empty() && !self.is_in_map(start) => Some(path.clone()),
                // `x["a"] = …`: the whole of `x` is what is written.
                _ => self.written_element(start),
            },
        }
    }

    fn is_in_map(&self, start: usize) -> bool {
        let is_map = |name: &str| matches!(self.variable(name), Some(Value::Map(_)));
        self.holder(start).is_some_and(|(name, from)| from < self.at && is_map(&name))
    }

    /// What is assigned to the target that begins at `start`.
    fn right_side(&mut self, start: usize) -> Value {
        let mut right = self.assignment();
        // `x = 1, 2` is a tuple there.
        if self.op() == Some(",") && self.brackets == 0 && self.language == Language::Python {
            let mut values = vec![right];
            while self.take(",") {
                if matches!(self.peek(), None | Some(Token::Line(_))) {
                    break;
                }
                values.push(self.assignment());
            }
            right = Value::List(values);
        }
        match (self.code.sigil(start), &right) {
            // Perl's `my %options = @_`
            (Some(sigil @ '%'), Value::List(values)) => super::lists::pairs_of(values, sigil),
            // `my @paths = ("/")` is a list of one.
            (Some('@'), Value::Text(_) | Value::Number(_)) if right.known().is_some() => {
                Value::List(vec![right])
            }
            _ => right,
        }
    }

    /// Gives a target its value by an operator.
    fn give(&mut self, target: Option<&str>, (op, start): (&str, usize), (left, value): (Value, &Value)) {
        // Fields have no object in methods: there it may hold this as well as what it held before.
        if let Some(field) = self.field_of_object(start) {
            let before = self.variable(&field).cloned();
            self.assign(&field, Value::any(before.into_iter().chain([value.clone()]).collect()));
        }
        if self.names_home(start) {
            self.move_home(value);
        }
        match target {
            // R's `x <<- y` is the one of outside.
            Some(name) if op == "<<-" => {
                let value = self.bounded(value.clone());
                self.variables.insert(name.to_owned(), value);
            }
            // Go's `channel <- x`
            Some(name) if op == "<-" && self.language == Language::Go => {
                self.grow(&name.into(), "append", &Arguments::of(vec![value.clone()]));
            }
            // Go's `x := y` is a new one.
            Some(name) if op == ":=" && self.language == Language::Go => {
                self.declaring(Declares::InBlock, |follower| follower.set(name, start, value));
            }
            Some(name) => self.set(name, start, value),
            // `new File(x).text = ''`
            None if self.language == Language::Jvm => {
                let path = left.source().map_or(left, |source| Value::from(&*source.path));
                self.write_file(&path, value, false);
            }
            None => {}
        }
    }

    /// The field of the object at hand that the tokens from `start` on name: `self.x`, `this.x`, `$this->x`.
    pub(super) fn own_field(&self, start: usize) -> Option<String> {
        let token = |ahead: usize| self.code.tokens.get(start + ahead);
        match (token(0), token(1), token(2)) {
            (
                Some(Token::Name(object) | Token::Variable(object)),
                Some(Token::Op("." | "->")),
                Some(Token::Name(field)),
            ) => match object.as_str() {
                // It has its fields itself.
                _ if matches!(self.variable(object), Some(Value::Map(_))) => None,
                "self" | "this" => Some(format!("{object}.{field}")),
                // What a class holds, each of its objects has.
                "cls" if self.language == Language::Python => Some(format!("self.{field}")),
                // An option that the code sets itself.
                _ if matches!(self.variable(object), Some(Value::Name(path)) if path == PARSED) => {
                    Some(format!("{PARSED}.{field}"))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// How methods name the field of an object of the code's own classes that the tokens from `start` on name:
    /// `job.folder = …`.
    fn field_of_object(&self, start: usize) -> Option<String> {
        let token = |ahead: usize| self.code.tokens.get(start + ahead);
        let (
            Some(Token::Name(object) | Token::Variable(object)),
            Some(Token::Op("." | "->")),
            Some(Token::Name(field)),
        ) = (token(0), token(1), token(2))
        else {
            return None;
        };
        let own = match self.language {
            Language::Python => "self.",
            Language::Ruby => "@",
            _ => "this.",
        };
        let is_object = |value: &Value| matches!(value, Value::Name(class) if self.is_class(class));
        (!matches!(object.as_str(), "self" | "this")
            && self.at > start
            && self.variable(object).is_some_and(is_object))
        .then(|| format!("{own}{field}"))
    }

    /// Gives a variable, or an element of one, its value.
    fn set(&mut self, name: &str, start: usize, value: &Value) {
        // `$SIG{ALRM} = sub {…}`, `window.onload = () => …`: someone else calls it.
        if let Value::Function(function) = value
            && name.contains(['.', '['])
        {
            let own = if name == THE_MODULE { name } else { "" };
            self.keep_function(own, std::rc::Rc::clone(function));
        }
        if let Some(variable) = name.strip_suffix("[]") {
            self.set_element(variable, start, value);
            return;
        }
        let is_new = self.declares != Declares::No;
        let before = self.variable(name);
        let before = before.filter(|before| !is_new && self.at <= self.branch && before.is_plain());
        let value = match before {
            // Whether the branch is taken is not known: what the variable held stays possible.
            Some(before) if before.text() != value.text() => Value::any(vec![before.clone(), value.clone()]),
            _ => value.clone(),
        };
        self.assign(name, value);
    }

    /// `cond ? a : b`, `a if cond else b`
    pub(super) fn ternary(&mut self) -> Value {
        let start = self.at;
        if let Some(value) = self.chosen_of_two() {
            return value;
        }
        let value = self.binary(LOWEST);
        match self.peek() {
            // Rust's `f()?` does not choose between two.
            Some(Token::Op("?"))
                if self.language == Language::Other
                    && matches!(self.ahead(1), None | Some(Token::Op("{" | ";" | ")" | "," | "]" | "}"))) =>
            {
                self.at += 1;
                value
            }
            Some(Token::Op("?")) if self.language != Language::Julia || self.at > 0 => {
                let decided = self.decided_here(start);
                self.at += 1;
                self.skip_lines();
                // PHP's `$a ?: $b`
                if self.language == Language::Php && self.take(":") {
                    let other = self.assignment();
                    return self.combined(Kind::Either, value, other);
                }
                let yes = match decided {
                    Some(false) => self.skip_operand(&[":"]),
                    _ => self.assignment(),
                };
                self.skip_lines();
                if !self.take(":") {
                    return yes;
                }
                self.skip_lines();
                match decided {
                    Some(true) => {
                        self.skip_operand(&[]);
                        yes
                    }
                    Some(false) => self.assignment(),
                    None => Value::any(vec![yes, self.assignment()]),
                }
            }
            Some(Token::Name(word)) if word == "if" && self.language == Language::Python => {
                self.at += 1;
                let condition = self.at;
                self.binary(LOWEST);
                let decided = self.decided_here(condition);
                if self.take_word("else") {
                    let no = self.ternary();
                    return match decided {
                        Some(true) => value,
                        Some(false) => no,
                        None => Value::any(vec![value, no]),
                    };
                }
                value
            }
            _ => value,
        }
    }

    /// Python's `a if cond else b`, where the condition is decided: the other one is stepped over.
    fn chosen_of_two(&mut self) -> Option<Value> {
        if self.language != Language::Python || self.active.is_empty() && !self.asks_call() {
            return None;
        }
        let end = self.end_of_operand(&[]);
        let is_if = |token: &Token| matches!(token, Token::Name(word) if word == "if");
        if !self.code.tokens.get(self.at..end)?.iter().any(is_if) {
            return None;
        }
        let [condition, yes, no] = self.either_of(self.at, end)?;
        let holds = self.holds(condition.0, condition.1)?;
        let taken = if holds { yes } else { no };
        let outer = std::mem::replace(&mut self.end, taken.1);
        self.at = taken.0;
        let value = self.ternary();
        (self.at, self.end) = (end, outer);
        Some(value)
    }

    /// Where the operand ends that begins here: at what ends an expression, or at one of these signs or words.
    fn end_of_operand(&self, signs: &[&str]) -> usize {
        let mut at = self.at;
        let mut questions = 0;
        while at < self.end {
            match &self.code.tokens[at] {
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                Token::Op("," | ";" | ")" | "]" | "}" | "=" | ":=") => break,
                Token::Op("?") => questions += 1,
                Token::Op(":") if questions > 0 => questions -= 1,
                Token::Op(":") if self.language == Language::Python => break,
                Token::Op(op) if signs.contains(op) => break,
                Token::Name(word) if signs.contains(&word.as_str()) => break,
                Token::Name(word)
                    if matches!(word.as_str(), "for" | "then" | "unless" | "while" | "do" | "foreach") =>
                {
                    break;
                }
                Token::Name(word) if word == "if" && self.language != Language::Python => break,
                Token::Line(_) if self.brackets == 0 && at > self.at => break,
                _ => {}
            }
            at += 1;
        }
        at.min(self.end)
    }

    /// Steps over an operand that is not computed.
    pub(super) fn skip_operand(&mut self, signs: &[&str]) -> Value {
        self.at = self.end_of_operand(signs);
        Value::from(shell_engine::mark::TOKEN)
    }

    /// Operands with operators of at least `least` between them.
    pub(super) fn binary(&mut self, least: u8) -> Value {
        let start = self.at;
        let mut left = self.unary();
        self.skip_cast();
        while let Some((level, kind, width)) = self.operator(least) {
            if level < least {
                break;
            }
            let is_given = kind == Kind::Either && self.is_given(start, &left);
            let decides = matches!(kind, Kind::Either | Kind::Both)
                && self.holds(start, self.at) == Some(kind == Kind::Either);
            self.at += width;
            self.skip_lines();
            // `dry || remove(x)`, `force && remove(x)`: the other side is not asked.
            if decides {
                self.skip_operand(if kind == Kind::Either {
                    &["||", "or", "??", "?"]
                } else {
                    &["&&", "and", "||", "or", "?"]
                });
                continue;
            }
            if let Some(Token::Change { .. }) = self.peek() {
                left = self.changed(start, &left);
                continue;
            }
            if kind == Kind::Pipe
                && let Some(piped) = self.piped(&left)
            {
                left = piped;
                continue;
            }
            // One level up, so that equal operators go from left to right.
            let right = self.binary(level + 1);
            // Ruby's `words << "x"` changes the variable.
            let grows = match (self.code.tokens.get(start), kind) {
                (Some(Token::Name(name)), Kind::Shift) if self.language == Language::Ruby => {
                    self.variable(name).is_some().then(|| name.clone())
                }
                _ => None,
            };
            left = if is_given { left } else { self.combined(kind, left, right) };
            if let Some(name) = grows {
                self.assign(&name, left.clone());
            }
        }
        left
    }

    /// `x =~ s/a/b/`: the text with that done to it, which its variable then holds.
    fn changed(&mut self, start: usize, left: &Value) -> Value {
        let value = self.change(left);
        let target = match (self.code.tokens.get(start), self.code.tokens.get(start + 1)) {
            (Some(Token::Op("(")), Some(Token::Variable(name))) | (Some(Token::Variable(name)), _) => {
                Some(name)
            }
            (Some(Token::Op("(") | Token::Name(_)), _) => match self.code.tokens.get(start + 2) {
                Some(Token::Variable(name)) => Some(name),
                _ => None,
            },
            _ => None,
        };
        if let Some(name) = target.cloned() {
            self.assign(&name, value.clone());
        }
        value
    }

    /// What the replacement that stands here makes of a string.
    pub(super) fn change(&mut self, value: &Value) -> Value {
        let Some(Token::Change { from, to, letters }) = self.peek().cloned() else { return value.clone() };
        self.at += 1;
        // A pattern that only matches itself, and a replacement without variables, can be done here.
        let plain = letters || is_plain(&from) && !to.contains(['$', '@', '\\']);
        let parts = Arguments::of(vec![Value::from(from), Value::from(to)]);
        let method = if letters { "tr" } else { "replace" };
        let changed = if plain { self.text_method(value, method, &parts) } else { None };
        changed.unwrap_or_else(|| Value::computed(std::iter::once(value)))
    }

    /// `x |> f(y)`: the function gets what stands before it first.
    fn piped(&mut self, left: &Value) -> Option<Value> {
        let start = self.at;
        let mut path = String::new();
        while let Some(word) = self.word() {
            path.push_str(word);
            self.at += 1;
            if !(self.take("::") || self.take(".")) {
                break;
            }
            path.push('.');
        }
        // Not a function by its name: what stands there is read as any operand.
        if path.is_empty() || matches!(self.op(), Some("[" | "{")) {
            self.at = start;
            return None;
        }
        let mut arguments = if self.op() == Some("(") { self.arguments() } else { Arguments::default() };
        arguments.values.insert(0, left.clone());
        Some(self.invoke(Callee::Path(path), arguments))
    }

    /// The operator that stands here: its level, what it does, and how many tokens it takes.
    fn operator(&mut self, least: u8) -> Option<(u8, Kind, usize)> {
        use Language::{Awk, JavaScript, Perl, Php, Python, R, Ruby};
        let mut skipped = 0;
        // An operator on the next line goes on with this expression inside brackets, and in languages that end
        // statements with `;`.
        while matches!(self.ahead(skipped), Some(Token::Line(_)))
            && (self.brackets > 0
                || matches!(self.language, Perl | Php | JavaScript | Language::Elixir)
                    && self.continues(skipped + 1))
        {
            skipped += 1;
        }
        let found = match self.ahead(skipped)? {
            // `x %>% f()`: R's pipe comes as three tokens.
            Token::Op("%") if self.language == R && self.op_ahead(skipped + 1) == Some(">") => {
                return (least <= 1).then_some((1, Kind::Pipe, skipped + 3));
            }
            Token::Op(op) => self.sign(op)?,
            Token::Name(word) => match self.word_operator(word, skipped) {
                Some(found) => found,
                // awk joins what stands side by side, without any sign.
                None if self.language == Awk => return self.juxtaposed(least, skipped),
                None => return None,
            },
            Token::Text(_) | Token::Template(_)
                if matches!(self.language, Python | Ruby) && skipped == 0 && self.follows_string(true) =>
            {
                return Some((ADDITION, Kind::Concatenate, 0));
            }
            // Inside brackets, Python also joins strings across lines.
            Token::Text(_) | Token::Template(_) if self.language == Python && self.brackets > 0 => {
                return self.follows_string(false).then_some((ADDITION, Kind::Concatenate, skipped));
            }
            Token::Text(_) | Token::Variable(_) | Token::Number(_) if self.language == Awk => {
                return self.juxtaposed(least, skipped);
            }
            _ => return None,
        };
        let width = match (found.1, self.ahead(skipped), self.word_ahead(skipped)) {
            // `not in` and `is not` are one operator of two words.
            (Kind::Compare, _, Some("not")) => 2,
            (Kind::Compare, _, Some("is")) if self.word_ahead(skipped + 1) == Some("not") => 2,
            _ => 1,
        };
        Some((found.0, found.1, skipped + width))
    }

    /// The level of an operator that is written with signs, and what it does.
    fn sign(&self, op: &str) -> Option<(u8, Kind)> {
        use Language::{Awk, Elixir, Jvm, Lua, Perl, Php, Ruby};
        Some(match op {
            "||" | "??" | "?:" => (1, Kind::Either),
            // Elsewhere it divides, see below.
            "//" if self.language == Perl => (1, Kind::Either),
            "&&" => (2, Kind::Both),
            "==" | "!=" | "<=" | ">=" | "=~" | "!~" | "===" | "!==" | "<=>" | ">" | "<" => (3, Kind::Compare),
            "<<" => (4, Kind::Shift),
            ">>" | "&" => (4, Kind::Other),
            "^" => (4, Kind::Exclusive),
            // In awk it is a pipe to a command, in Ruby it frames the parameters of a block.
            "|" if self.language != Awk && self.language != Ruby => (4, Kind::Other),
            "|>" => (1, Kind::Pipe),
            // Scala's `"key" -> value`
            "->" if self.language == Jvm => (2, Kind::Pair),
            "+" => (ADDITION, Kind::Add),
            // Scala's lists.
            "++" if self.language == Jvm => (ADDITION, Kind::Add),
            "-" => (ADDITION, Kind::Subtract),
            "." if matches!(self.language, Perl | Php) => (ADDITION, Kind::Concatenate),
            ".." if self.language == Lua => (ADDITION, Kind::Concatenate),
            ".." | "..." if matches!(self.language, Perl | Ruby) => (4, Kind::Other),
            // Elsewhere it means "not equal".
            "<>" if self.language == Elixir => (ADDITION, Kind::Concatenate),
            "~" if self.language == Jvm => (ADDITION, Kind::Other),
            "*" => (6, Kind::Times),
            "@" if self.language == Language::Python => (6, Kind::Other),
            "/" => (6, Kind::Divide),
            "%" => (6, Kind::Remainder),
            "//" => (6, Kind::Other),
            "**" => (7, Kind::Other),
            _ => return None,
        })
    }

    /// The level of an operator that is written as a word, and what it does.
    fn word_operator(&self, word: &str, skipped: usize) -> Option<(u8, Kind)> {
        use Language::{JavaScript, Perl, Php, Python};
        Some(match word {
            "or" => (1, Kind::Either),
            "and" => (2, Kind::Both),
            "in" | "is" | "instanceof" if matches!(self.language, Python | JavaScript | Php) => {
                (3, Kind::Compare)
            }
            "in" if matches!(self.language, Language::Julia | Language::Elixir | Language::Jvm) => {
                (3, Kind::Compare)
            }
            "not" if self.word_ahead(skipped + 1) == Some("in") => (3, Kind::Compare),
            "eq" | "ne" | "lt" | "gt" | "le" | "ge" | "cmp" if self.language == Perl => (3, Kind::Compare),
            "x" if self.language == Perl => (6, Kind::Repeat),
            // Kotlin's `"key" to value`
            "to" if self.language == Language::Jvm => (2, Kind::Pair),
            "xor" => (1, Kind::Other),
            _ => return None,
        })
    }

    /// Whether a string ends where the reader is. Strings that stand next to each other are one in Python and Ruby:
    /// `"rm" " -rf /"`, there also where a line ends `here`.
    fn follows_string(&self, here: bool) -> bool {
        match self.code.tokens.get(self.at.wrapping_sub(1)) {
            Some(Token::Text(_) | Token::Template(_)) => true,
            Some(Token::Line(_)) => here,
            _ => false,
        }
    }

    /// awk joins what stands side by side.
    fn juxtaposed(&self, least: u8, skipped: usize) -> Option<(u8, Kind, usize)> {
        let keyword = matches!(
            self.word(),
            Some(
                "getline"
                    | "in"
                    | "if"
                    | "else"
                    | "while"
                    | "for"
                    | "print"
                    | "printf"
                    | "do"
                    | "next"
                    | "exit"
            )
        );
        (skipped == 0 && least <= ADDITION && !keyword).then_some((ADDITION, Kind::Concatenate, 0))
    }

    /// Whether the next line goes on with this one's expression.
    fn continues(&self, ahead: usize) -> bool {
        let mut ahead = ahead;
        while matches!(self.ahead(ahead), Some(Token::Line(_))) {
            ahead += 1;
        }
        matches!(self.op_ahead(ahead), Some("." | "+" | "||" | "&&" | "?" | ":" | "??" | "|>" | "<>"))
            && !(self.language == Language::JavaScript && self.op_ahead(ahead) == Some("."))
    }

    fn combined(&mut self, kind: Kind, left: Value, right: Value) -> Value {
        match kind {
            // An argument that no one gave: `process.argv[2] || "dist"`.
            Kind::Either if left.is_missing() => right,
            // A function is there.
            Kind::Either if matches!(left, Value::Function(_)) => left,
            // Which side counts is not known here.
            Kind::Either => Value::any(vec![left, right]),
            Kind::Both => right,
            Kind::Pair => Value::List(vec![left, right]),
            Kind::Add => self.added(&left, right),
            Kind::Concatenate => left.joined(&right, ""),
            Kind::Subtract => calculated(left, right, |left, right| Some(left.wrapping_sub(right))),
            Kind::Exclusive => calculated(left, right, |left, right| Some(left ^ right)),
            Kind::Divide => match (&left, &right) {
                // Python's paths.
                (Value::Text(_) | Value::Any(_) | Value::List(_), Value::Text(_) | Value::Any(_))
                    if matches!(self.language, Language::Python | Language::Ruby | Language::Other) =>
                {
                    path_of(&[left, right])
                }
                (Value::Number(_), Value::Number(_)) => {
                    calculated(left, right, |left, right| (right != 0).then(|| left.wrapping_div(right)))
                }
                _ => Value::computed([left, right].iter()),
            },
            Kind::Times | Kind::Repeat => self.repeated(kind, &left, &right),
            Kind::Remainder => match (&left, &right) {
                // `"rm %s" % x`
                (Value::Text(_), _) if matches!(self.language, Language::Python | Language::Ruby) => {
                    Self::filled(&left, &right)
                }
                (Value::Number(_), Value::Number(_)) => {
                    calculated(left, right, |left, right| (right != 0).then(|| left.wrapping_rem(right)))
                }
                _ => Value::computed([left, right].iter()),
            },
            Kind::Shift if self.language == Language::Ruby => self.appended(left, right),
            // Groovy's `writer << body`
            Kind::Shift if self.language == Language::Jvm && left.address().is_some() => {
                self.hand_out(Some(&left), ("", "write"), &Arguments::of(vec![right]));
                left
            }
            // `"rm x" |> System.shell`: what stands on the right was called without it.
            Kind::Pipe => match right {
                Value::Name(path) => self.invoke_path(&path, super::functions::one(left)),
                right => right,
            },
            Kind::Compare => Value::from(shell_engine::mark::TOKEN),
            Kind::Shift | Kind::Other => flags(kind, left, right),
        }
    }

    /// `*`, and Perl's `x`: a string so many times, or a product.
    fn repeated(&self, kind: Kind, left: &Value, right: &Value) -> Value {
        // In these languages `*` repeats a string; elsewhere it makes a number of it.
        let repeats = kind == Kind::Repeat || matches!(self.language, Language::Python | Language::Ruby);
        match (left, right.number()) {
            (Value::Text(text), Some(count)) if repeats => {
                let count = usize::try_from(count).unwrap_or(0);
                // Bounded before it is built: `"x" * 10**9` is one line of code.
                if text.text.len().saturating_mul(count) > MAX_TEXT {
                    return Value::unknown();
                }
                Value::from(text.text.repeat(count))
            }
            (Value::Number(left), Some(right)) => Value::Number(left.wrapping_mul(right)),
            // Julia's `*` joins strings.
            _ if self.language == Language::Julia && left.known().is_some() => left.joined(right, ""),
            _ => Value::computed([left, right].into_iter()),
        }
    }

    /// Ruby's `<<`: it appends to lists, to strings and to files.
    fn appended(&mut self, left: Value, right: Value) -> Value {
        match &left {
            Value::List(_) => self.added(&left, Value::List(vec![right])),
            Value::File(path) => {
                self.write_file(&Value::from(path.as_str()), &right, true);
                left.joined(&right, "")
            }
            Value::Text(_) => left.joined(&right, ""),
            _ => flags(Kind::Shift, left, right),
        }
    }

    /// `+`: numbers, lists or strings.
    pub(super) fn added(&mut self, left: &Value, right: Value) -> Value {
        match (left, right) {
            (Value::Number(left), Value::Number(right)) => Value::Number(left.wrapping_add(right)),
            (Value::List(values), Value::List(more)) => {
                let mut values = values.clone();
                if values.len() + more.len() <= 4096 && self.step(values.len() + more.len()) {
                    values.extend(more);
                }
                Value::List(values)
            }
            // Kotlin's `xs += x`
            (Value::List(values), right) if self.language == Language::Jvm && values.len() < 1024 => {
                let mut values = values.clone();
                values.push(right);
                Value::List(values)
            }
            // A path of Ruby: `Pathname.new(a) + b`; a string otherwise.
            (left, right) => {
                if !self.step(1 + (left.text().len() / 64)) {
                    return Value::unknown();
                }
                left.joined(&right, "")
            }
        }
    }
}

/// Two numbers as one; what is made of anything else is not known.
fn calculated(left: Value, right: Value, operation: impl Fn(i64, i64) -> Option<i64>) -> Value {
    let number = left.number().zip(right.number()).and_then(|(left, right)| operation(left, right));
    number.map_or_else(|| Value::computed([left, right].iter()), Value::Number)
}

/// Operators on bits. Names of flags stay readable: `os.O_WRONLY | os.O_TRUNC`.
fn flags(kind: Kind, left: Value, right: Value) -> Value {
    match (left, right) {
        (Value::Name(left), Value::Name(right)) if left.len() + right.len() < 200 => {
            Value::Name(format!("{left}|{right}"))
        }
        (Value::Number(left), Value::Number(right)) if kind == Kind::Shift && (0..32).contains(&right) => {
            Value::Number(left.wrapping_shl(u32::try_from(right).unwrap_or(0)))
        }
        (left, right) => Value::computed([left, right].iter()),
    }
}

/// Parts of a path as one path. An absolute part forgets those before it.
pub(crate) fn path_of(parts: &[Value]) -> Value {
    let mut whole: Option<Value> = None;
    for part in parts {
        let part = match part {
            Value::List(parts) => path_of(parts),
            part => part.clone(),
        };
        // One of several may be absolute.
        if let (Some(base), Value::Any(choices)) = (&whole, &part)
            && choices.iter().any(|choice| choice.text().starts_with('/'))
        {
            let each = choices.iter().map(|choice| path_of(&[base.clone(), choice.clone()]));
            whole = Some(Value::any(each.collect()));
            continue;
        }
        whole = Some(match whole {
            None => part,
            Some(_) if part.text().starts_with('/') => part,
            Some(whole) => {
                let base = whole.map(|text| {
                    if text == "/" { String::new() } else { text.trim_end_matches('/').to_owned() }
                });
                base.joined(&part, "/")
            }
        });
    }
    whole.unwrap_or_else(|| Value::from("."))
}

/// Whether a pattern only matches its own text.
pub(super) fn is_plain(pattern: &str) -> bool {
    !pattern.is_empty() && !pattern.contains(|c: char| r"\.+*?()[]{}|^$".contains(c))
}
