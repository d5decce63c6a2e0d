//! What is done to an operand: calls, attributes, elements.

use super::Follower;
use super::fill::Place;
use super::functions::one;
use crate::Language;
use crate::lex::Token;
use crate::services::is_bare_call;
use crate::value::{Arguments, Function, Value};

/// Whom a call calls.
pub(crate) enum Callee {
    /// Something of the library, or a function of the code, by its path.
    Path(String),
    Method(Value, String),
    /// A function that is a value.
    Value(Value),
}

impl Follower<'_> {
    /// An operand with its attributes, calls and elements.
    pub(super) fn postfix(&mut self) -> Value {
        let start = self.at;
        let mut value = self.primary();
        // A variable, as opposed to what has been done to it.
        let variable = match self.code.tokens.get(start) {
            Some(Token::Name(name) | Token::Variable(name)) if self.at == start + 1 => Some(name.clone()),
            _ => None,
        };
        loop {
            if !self.step(1) {
                break;
            }
            self.skip_to_attribute();
            if self.at == start + 1 {
                value = self.called_before_dot(value);
            }
            if let Some(width) = self.attribute_width() {
                let calls = matches!(self.op_ahead(width + 1), Some("("))
                    || matches!(self.language, Language::Ruby | Language::Perl);
                let place = if calls { self.part_between(start, self.at) } else { None };
                self.at += width;
                value = self.attribute(value, place);
                continue;
            }
            if let Some(width) = self.generics_before_call() {
                self.at += width;
            }
            if self.skip_assertion() {
                continue;
            }
            let before = self.at;
            match self.op() {
                Some("(") if self.calls_here(start) => {
                    let variable = variable.as_deref().filter(|_| self.at == start + 1);
                    let method = self.called_object(&value, variable);
                    let arguments = self.arguments();
                    value = match method {
                        Some(method) => self.call_on(&value, &method, &arguments),
                        None => self.with_block(callee_of(value), arguments),
                    };
                }
                // `$f->(x)`, `$r->[0]`: what follows the arrow is a call or an index as usual.
                Some("->") if matches!(self.op_ahead(1), Some("(" | "[" | "{")) => self.at += 1,
                // Rust's `vec![…]`
                Some("[") if self.code.tokens.get(self.at - 1) == Some(&Token::Op("!")) => {
                    value = self.list();
                }
                Some("[") if self.indexes(start) => value = self.indexed(value),
                Some("{") if let Some(next) = self.in_braces(start, &value) => value = next,
                // Scala's `Seq("aws") ++ words`
                Some("++")
                    if self.language == Language::Jvm
                        && self.code.is_spaced(self.at)
                        && self.code.is_spaced(self.at + 1) =>
                {
                    break;
                }
                Some("++" | "--") => {
                    self.at += 1;
                    break;
                }
                // Scala's `"rm x".!`
                Some(".")
                    if self.language == Language::Jvm && matches!(self.op_ahead(1), Some("!" | "!!")) =>
                {
                    self.at += 1;
                }
                Some("!" | "!!")
                    if self.language == Language::Jvm
                        && matches!(value, Value::Text(_) | Value::List(_) | Value::Any(_)) =>
                {
                    let dotted = self.code.tokens.get(self.at - 1) == Some(&Token::Op("."));
                    let runs = dotted || self.code.is_spaced(self.at);
                    self.at += 1;
                    // Kotlin's `map["key"]!!` only says that it is there.
                    if runs {
                        value = self.invoke(Callee::Method(value, "!".to_owned()), Arguments::default());
                    }
                }
                _ => {
                    let (next, goes_on) = self.without_brackets(start, value, variable.as_deref());
                    value = next;
                    if !goes_on {
                        break;
                    }
                }
            }
            // A reader that stepped back would loop for ever.
            self.at = self.at.max(before);
        }
        value
    }

    /// Steps over TypeScript's `!` of `x!`, and that of a macro of Rust's.
    fn skip_assertion(&mut self) -> bool {
        let skips = match self.language {
            Language::JavaScript => self.op_ahead(1) != Some("="),
            Language::Other => matches!(self.op_ahead(1), Some("(" | "[")),
            _ => false,
        };
        let stands = skips && self.op() == Some("!") && !self.code.is_spaced(self.at);
        self.at += usize::from(stands);
        stands
    }

    /// What the brace here makes of an operand: an element, an object, or a call with a block. `None` where it does not
    /// belong to it.
    fn in_braces(&mut self, start: usize, value: &Value) -> Option<Value> {
        // `$ENV{HOME}`: a bare word in braces is a string there.
        if self.language == Language::Perl && self.has_keys(start) {
            return Some(self.element_in_braces(value));
        }
        if self.makes_object(start) {
            return Some(self.initialised(value.clone()));
        }
        // Rust's `Job { root: "/" }`
        if self.begins_struct(value) {
            return Some(self.fields_in_braces());
        }
        let is_called = matches!(value, Value::Name(_) | Value::Function(_)) && self.at == start + 1;
        (is_called && self.takes_block())
            .then(|| self.with_block(callee_of(value.clone()), Arguments::default()))
    }

    /// Rust's `{ root, depth: 2 }`, where a field may be named like the variable that it gets.
    fn fields_in_braces(&mut self) -> Value {
        let (open, close) = (self.at, self.code.mate(self.at).min(self.end));
        let mut fields = self.arguments().named;
        let ends = |token: Option<&Token>| matches!(token, Some(Token::Op("," | "{" | "}") | Token::Line(_)));
        let own: Vec<usize> = self.outside_brackets(open + 1, close).collect();
        for at in own {
            let Some(Token::Name(name)) = self.code.tokens.get(at) else { continue };
            if ends(self.code.tokens.get(at - 1)) && ends(self.code.tokens.get(at + 1)) {
                let name = name.clone();
                let value = self.name_value(&name);
                fields.push((name, value));
            }
        }
        Value::Map(fields)
    }

    /// What an operand is where no bracket follows: called with what stands after it, or by its name alone. Also whether it
    /// may go on.
    fn without_brackets(&mut self, start: usize, value: Value, variable: Option<&str>) -> (Value, bool) {
        // C#'s `x switch { … }`, Scala's `x match { … }`
        if matches!(
            (self.language, self.word()),
            (Language::Other, Some("switch")) | (Language::Jvm, Some("match"))
        ) && let Some(one) = self.arms()
        {
            return (one, true);
        }
        // `each do |x| … end`, but not the `do` of a loop that this expression is the head of.
        if self.language.has_word_blocks()
            && self.word() == Some("do")
            && matches!(value, Value::Name(_) | Value::Function(_))
            && self.takes_block()
            && self.is_own_do()
        {
            return (self.with_block(callee_of(value), Arguments::default()), true);
        }
        if let Some(path) = self.bare_callee(&value, variable)
            && self.at > start
            && let Some(arguments) = self.bare_arguments(&path)
        {
            return (self.with_block(callee_of(value), arguments), true);
        }
        let is_name = variable.is_some() && self.at == start + 1;
        let value = match value {
            value if is_name && self.is_called_by_name(&value) => {
                self.invoke(Callee::Value(value), Arguments::default())
            }
            value @ Value::Name(_) if is_name => self.without_arguments(value),
            value => value,
        };
        (value, false)
    }

    /// What is called where an object of the code is called like a function: Python's `__call__`, PHP's `__invoke`.
    fn called_object(&mut self, value: &Value, variable: Option<&str>) -> Option<std::rc::Rc<Function>> {
        let method = match self.language {
            Language::Python => "__call__",
            Language::Php => "__invoke",
            _ => return None,
        };
        let class = match value {
            Value::Map(_) => return self.take_function(method),
            // Several objects of one class.
            value => match value.choices() {
                [Value::Name(class), ..] => class,
                _ => return None,
            },
        };
        if class == "self" {
            return self.take_function(method);
        }
        // The class itself makes an object when it is called.
        let is_object = match variable {
            Some(variable) => variable != class,
            None => self.code.tokens.get(self.at.wrapping_sub(1)) == Some(&Token::Op(")")),
        };
        if is_object && self.is_class(class) { self.take_function(method) } else { None }
    }

    /// Whether an operand that begins at `start` stands after C#'s `new`.
    fn makes_object(&self, start: usize) -> bool {
        let before = start.checked_sub(1).and_then(|at| self.code.tokens.get(at));
        self.language == Language::Other && matches!(before, Some(Token::Name(word)) if word == "new")
    }

    /// Whether the brace here holds the fields of a type whose name stands before it.
    fn begins_struct(&self, value: &Value) -> bool {
        let is_type = match value {
            Value::Name(path) => {
                path.rsplit('.').next().is_some_and(|name| name.starts_with(char::is_uppercase))
            }
            _ => false,
        };
        let mut first = 1;
        while matches!(self.ahead(first), Some(Token::Line(_))) {
            first += 1;
        }
        let mut second = first + 1;
        while matches!(self.ahead(second), Some(Token::Line(_))) {
            second += 1;
        }
        is_type
            && self.language == Language::Other
            && self.word_ahead(first).is_some()
            && matches!(self.op_ahead(second), Some(":" | "," | "}"))
    }

    /// Whether a name alone calls the function of the code that it stands for.
    fn is_called_by_name(&self, value: &Value) -> bool {
        let Value::Function(function) = value else { return false };
        matches!(self.language, Language::Ruby | Language::Perl)
            && !matches!(self.op(), Some("=" | "=>" | ":"))
            && self.known(std::rc::Rc::as_ptr(function)).is_some()
    }

    /// Ruby's `entries.each`, of a method of the code's own.
    fn called_before_dot(&mut self, value: Value) -> Value {
        let is_called = self.language == Language::Ruby
            && matches!(self.op(), Some("." | "&."))
            && self.is_called_by_name(&value);
        if is_called { self.invoke(Callee::Value(value), Arguments::default()) } else { value }
    }

    /// `x[key]`
    fn indexed(&mut self, value: Value) -> Value {
        let reversed = self.reverses();
        let slice = self.slice_here();
        let from = self.at + 1;
        let keys = self.arguments();
        if matches!(value, Value::Map(_)) && self.is_of_call(from, self.at.saturating_sub(1)) {
            self.chosen_from(&value);
            // The call does not give it.
            if keys.first().is_some_and(Value::is_missing) {
                return Value::from(shell_engine::mark::UNSET);
            }
        }
        if let Some((from, to)) = slice
            && let Some(part) = Self::sliced(&value, from, to)
        {
            return part;
        }
        // Python's `C[x]` of a class.
        if let (Value::Name(class), Language::Python) = (&value, self.language)
            && self.is_class(class)
            && let Some(hook) = self.variable(&format!("{class}.__class_getitem__")).cloned()
        {
            return self.invoke(callee_of(hook), keys);
        }
        match value {
            // plumbum's `rm["-rf", "/"]` is a command with its arguments, `local["rm"]` one by its name.
            Value::Name(path) if path.starts_with("plumbum.cmd.") => {
                Value::Bound(std::rc::Rc::new((Value::Name(path), keys)))
            }
            Value::Name(path) if path == "plumbum.local" => {
                let name = keys.first().and_then(Value::known);
                name.map_or_else(Value::unknown, |name| Value::Name(format!("plumbum.cmd.{name}")))
            }
            // Ruby calls with them, too.
            Value::Function(_) => self.invoke(Callee::Value(value), keys),
            value => {
                let key = keys.values.into_iter().next().unwrap_or_else(Value::unknown);
                self.element(&value, &key, reversed)
            }
        }
    }

    /// Perl's `$x{key}`
    fn element_in_braces(&mut self, value: &Value) -> Value {
        let key = match self.ahead(1) {
            Some(Token::Name(name)) if self.op_ahead(2) == Some("}") => Value::from(name.as_str()),
            _ => Value::unknown(),
        };
        let from = self.at + 1;
        let keys = self.arguments();
        if matches!(value, Value::Map(_)) && self.is_of_call(from, self.at.saturating_sub(1)) {
            self.chosen_from(value);
        }
        let key = match key.known() {
            Some(_) => key,
            None => keys.values.into_iter().next().unwrap_or_else(Value::unknown),
        };
        self.element(value, &key, false)
    }

    /// The name of the call that comes next in a chain.
    pub(crate) fn next_in_chain(&self) -> Option<&str> {
        let mut ahead = 0;
        while matches!(self.ahead(ahead), Some(Token::Line(_))) {
            ahead += 1;
        }
        self.word_ahead(ahead + 1).filter(|_| matches!(self.op_ahead(ahead), Some("." | "->")))
    }

    /// Whether the language goes on with a line whose next one begins with `.name`.
    fn chains_lines(&self) -> bool {
        matches!(
            self.language,
            Language::JavaScript
                | Language::Jvm
                | Language::Ruby
                | Language::Other
                | Language::Php
                | Language::Go
        )
    }

    /// Whether the line that ends at `at` goes on with `.name` on the next one.
    pub(super) fn chain_goes_on(&self, mut at: usize) -> bool {
        while matches!(self.code.tokens.get(at), Some(Token::Line(_))) {
            at += 1;
        }
        let (dot, name) = (self.code.tokens.get(at), self.code.tokens.get(at + 1));
        self.chains_lines()
            && matches!(dot, Some(Token::Op("." | "?." | "&." | "->")))
            && matches!(name, Some(Token::Name(_)))
    }

    /// Steps over line breaks before `.name`.
    fn skip_to_attribute(&mut self) {
        let follows = self.chains_lines() || self.brackets > 0;
        if !follows || !matches!(self.peek(), Some(Token::Line(_))) {
            return;
        }
        let mut ahead = 0;
        while matches!(self.ahead(ahead), Some(Token::Line(_))) {
            ahead += 1;
        }
        if matches!(self.op_ahead(ahead), Some("." | "?." | "&." | "->"))
            && self.word_ahead(ahead + 1).is_some()
        {
            self.at += ahead;
        }
    }

    /// How many tokens stand before the name of an attribute, if one follows.
    fn attribute_width(&self) -> Option<usize> {
        use Language::{Lua, Perl, Php, Ruby};
        let named = matches!(self.ahead(1), Some(Token::Name(_)));
        match self.op()? {
            "." => ((named || self.language == Ruby) && !matches!(self.language, Perl | Php)).then_some(1),
            "?." | "&." => Some(1),
            "->" if named || self.language == Perl && matches!(self.ahead(1), Some(Token::Variable(_))) => {
                matches!(self.language, Perl | Php).then_some(1)
            }
            // R's `cfg$root`
            "$" => (named && self.language == Language::R).then_some(1),
            "::" if named || matches!(self.ahead(1), Some(Token::Variable(_))) => Some(1),
            // Erlang's `os:cmd("…")`
            ":" if self.language == Language::Elixir
                && named
                && self.op_ahead(2) == Some("(")
                && !self.code.is_spaced(self.at + 1) =>
            {
                Some(1)
            }
            ":" if self.language == Lua
                && named
                && matches!(self.ahead(2), Some(Token::Op("(") | Token::Text(_))) =>
            {
                Some(1)
            }
            _ => None,
        }
    }

    /// The attribute whose name stands here, called if it is a call.
    fn attribute(&mut self, value: Value, place: Option<Place>) -> Value {
        let name = match self.peek() {
            Some(Token::Name(name) | Token::Variable(name)) => name.clone(),
            // `f?.(x)`, Ruby's `f.(x)`
            _ => return value,
        };
        // Perl's `Job->new(x)` hands over the name of the class.
        let class = match (&value, self.code.tokens.get(self.at.wrapping_sub(1))) {
            (Value::Name(path), Some(Token::Op("->")))
                if self.language == Language::Perl && self.defined.iter().any(|known| known.name == name) =>
            {
                Some(Value::Name(path.clone()))
            }
            _ => None,
        };
        self.at += 1;
        // Ruby's `method(:system).to_proc`
        if name == "to_proc" && matches!(value, Value::Name(_) | Value::Function(_)) {
            return value;
        }
        let callee = match self.callee_by_name(value, &name) {
            Ok(callee) => callee,
            Err(value) => return value,
        };
        // `rows.query<User>("…")`
        if let Some(width) = self.generics_before_call().filter(|&width| self.op_ahead(width) == Some("(")) {
            self.at += width;
        }
        if self.op() == Some("(") {
            let arguments = self.arguments_of(&callee, (&name, place), class);
            return self.with_block(callee, arguments);
        }
        if self.takes_block() && (self.op() == Some("{") || self.word() == Some("do") && self.is_own_do()) {
            return self.with_block(callee, Arguments::default());
        }
        if let Some(arguments) = self.bare_arguments(&name) {
            if let Some(place) = &place {
                self.grow(place, &name, &arguments);
            }
            return self.with_block(callee, Arguments { place, ..arguments });
        }
        if let (Some(Token::Template(_) | Token::Text(_)), Language::JavaScript, Callee::Path(_)) =
            (self.peek(), self.language, &callee)
            && !self.code.is_spaced(self.at)
        {
            let text = self.primary();
            return self.invoke(callee, one(text));
        }
        self.called_by_attribute(callee, &name)
    }

    /// Whom an attribute of a value calls, or what it is.
    fn callee_by_name(&mut self, value: Value, name: &str) -> Result<Callee, Value> {
        // `.call(x)` of Ruby's and JavaScript's functions.
        let Value::Name(path) = value else { return Ok(Callee::Method(value, name.to_owned())) };
        if path.is_empty() {
            return Ok(Callee::Method(Value::Name(path), name.to_owned()));
        }
        // Java's `Tidy::wipe`, called by the method of its interface.
        if self.language == Language::Jvm
            && matches!(name, "run" | "accept" | "apply" | "call" | "get" | "test" | "execute")
            && self.op() == Some("(")
            && let Some((class, method)) = path.rsplit_once('.')
            && self.is_class(class)
            && let Some(function) = self.take_function(method)
        {
            return Ok(Callee::Value(Value::Function(function)));
        }
        let whole = super::names::canonical(&format!("{path}.{name}"));
        if let Some(called @ (Value::Function(_) | Value::Bound(_) | Value::Any(_))) = self.variable(&whole)
            && (self.op() == Some("(") || matches!(called, Value::Function(_)))
            && !called.functions().is_empty()
        {
            return Ok(Callee::Value(called.clone()));
        }
        if self.op() == Some("(") {
            return Ok(Callee::Path(whole));
        }
        match self.property(&Value::Name(path), name) {
            Value::Name(path) => Ok(Callee::Path(path)),
            value => Err(value),
        }
    }

    /// The arguments in the brackets here of a method with a name, which may change the variable that it belongs to. `class`
    /// is handed over first.
    fn arguments_of(
        &mut self,
        callee: &Callee,
        (name, place): (&str, Option<Place>),
        class: Option<Value>,
    ) -> Arguments {
        // `Object.assign(map, other)` changes its first argument.
        let assigned = match (callee, self.ahead(1)) {
            (Callee::Path(path), Some(Token::Name(map))) if path == "Object.assign" => Some(map.clone()),
            _ => None,
        };
        let mut arguments = self.arguments();
        if class.is_some() {
            arguments.values.splice(0..0, class);
            arguments.variables.clear();
        }
        match assigned {
            Some(object) if object == "this" => {
                let fields = arguments.values.iter().skip(1).filter_map(|value| match value {
                    Value::Map(entries) => Some(entries.clone()),
                    _ => None,
                });
                for (field, value) in fields.flatten().collect::<Vec<_>>() {
                    self.assign(&format!("this.{field}"), value);
                }
            }
            Some(map) => {
                let others = Arguments::of(arguments.values.iter().skip(1).cloned().collect());
                self.grow(&map.as_str().into(), "Object.assign", &others);
            }
            None if let Some(place) = &place => self.grow(place, name, &arguments),
            None => {}
        }
        Arguments { place, ..arguments }
    }

    /// What an attribute without arguments gives, in languages in which its name alone may call it.
    fn called_by_attribute(&mut self, callee: Callee, name: &str) -> Value {
        let calls =
            matches!(self.language, Language::Ruby | Language::Elixir | Language::Jvm | Language::Perl);
        let is_class = self.language == Language::Jvm && name.starts_with(char::is_uppercase);
        let is_own = || self.function_is_known(name);
        match callee {
            Callee::Path(path) => {
                let in_ruby = || self.language == Language::Ruby && (is_bare_call(&path, name) || is_own());
                let of_rake = path.starts_with("Rake.Task.") && self.tasks.is_some();
                if calls
                    && !is_class
                    && (name == "new" || of_rake || self.effect_of(&path).is_some() || in_ruby())
                {
                    return self.invoke_path(&path, Arguments::default());
                }
                Value::Name(path)
            }
            Callee::Method(value, method) => {
                let is_called = match &value {
                    Value::Map(_) => value.get(name).is_none() && is_own(),
                    Value::Function(_) | Value::Bound(_) => name == "call",
                    _ => is_text_method(name),
                };
                if calls && (is_called || self.method_effect(name, 0).is_some()) {
                    return self.invoke(Callee::Method(value, method), Arguments::default());
                }
                match value {
                    Value::Text(_) | Value::List(_) | Value::Map(_) | Value::Any(_) => {
                        self.property(&value, name)
                    }
                    Value::Function(_) if matches!(name, "__name__" | "__doc__") => {
                        self.property(&value, name)
                    }
                    value => value,
                }
            }
            Callee::Value(value) => value,
        }
    }

    /// Whether the language passes blocks after the arguments.
    fn takes_block(&self) -> bool {
        matches!(self.language, Language::Ruby | Language::Jvm | Language::Julia | Language::Other)
            && self.at != self.body
    }

    /// Whether the `do` here opens a block of its own, and neither ends the head of a loop nor belongs to a call around this.
    fn is_own_do(&self) -> bool {
        self.at != self.body && self.code.mate(self.at) < self.code.tokens.len()
    }

    /// A call, with the block that may follow it.
    fn with_block(&mut self, callee: Callee, mut arguments: Arguments) -> Value {
        arguments.block = match (self.language, self.op(), self.word()) {
            (Language::Ruby, Some("{"), _) => Some(self.ruby_block()),
            (Language::Ruby | Language::Julia, _, Some("do")) if self.is_own_do() => Some(self.ruby_block()),
            (Language::Jvm | Language::Other, Some("{"), _) if self.takes_block() => match self.closure() {
                Value::Function(function) => Some(function),
                _ => None,
            },
            _ => None,
        };
        self.invoke(callee, arguments)
    }

    /// Whether the bracket here holds the arguments of a call.
    fn calls_here(&self, start: usize) -> bool {
        let after_value = self.at > start;
        let spaced = self.code.is_spaced(self.at);
        let loose = matches!(
            self.language,
            Language::Perl
                | Language::Php
                | Language::Python
                | Language::Lua
                | Language::R
                | Language::Awk
                | Language::JavaScript
        );
        let named = || matches!(self.code.tokens.get(self.at - 1), Some(Token::Name(_)));
        after_value && (!spaced || loose || named())
    }

    /// Whether the bracket here holds an index.
    fn indexes(&self, start: usize) -> bool {
        let spaced = self.code.is_spaced(self.at);
        self.at > start && (!spaced || matches!(self.language, Language::Python | Language::JavaScript))
    }

    /// Whether Perl's brace here holds a key.
    fn has_keys(&self, start: usize) -> bool {
        self.at > start
            && matches!(
                self.code.tokens.get(self.at - 1),
                Some(Token::Variable(_) | Token::Op("->" | "}" | "]"))
            )
            && !self.code.is_spaced(self.at)
    }

    /// Whether the index here is `[::-1]`.
    fn reverses(&self) -> bool {
        let colons =
            self.op_ahead(1) == Some("::") || self.op_ahead(1) == Some(":") && self.op_ahead(2) == Some(":");
        let minus = if self.op_ahead(1) == Some("::") { 2 } else { 3 };
        colons && self.op_ahead(minus) == Some("-")
    }
}

impl Follower<'_> {
    /// The bounds of the slice that stands here: `x[1:]`, `x[:-1]`, `x[1..3]`. Ruby's last one is part of it.
    fn slice_here(&self) -> Option<(i64, Option<i64>)> {
        let colon = |op: &str| match self.language {
            Language::Python | Language::Go => op == ":",
            Language::Ruby => matches!(op, ".." | "..."),
            _ => false,
        };
        let number = |ahead: usize| {
            let minus = self.op_ahead(ahead) == Some("-");
            match self.ahead(ahead + usize::from(minus)) {
                Some(Token::Number(digits)) => {
                    let number: i64 = digits.parse().ok()?;
                    Some((if minus { -number } else { number }, 1 + usize::from(minus)))
                }
                _ => None,
            }
        };
        let (from, width) = number(1).unwrap_or_default();
        let op = self.op_ahead(1 + width).filter(|op| colon(op))?;
        let (to, more) = match number(2 + width) {
            Some((to, more)) => (Some(to + i64::from(op == "..")), more),
            None => (None, 0),
        };
        // `x[0..-1]` is all of it.
        let to = to.filter(|&to| to != 0 || op != "..");
        (self.op_ahead(2 + width + more) == Some("]")).then_some((from, to))
    }

    /// A part of a list or a string.
    fn sliced(value: &Value, from: i64, to: Option<i64>) -> Option<Value> {
        let place = |bound: i64, length: usize| {
            let length = i64::try_from(length).unwrap_or(i64::MAX);
            let bound = if bound < 0 { bound + length } else { bound };
            usize::try_from(bound.clamp(0, length)).unwrap_or_default()
        };
        let range = |length: usize| {
            let start = place(from, length);
            start..place(to.unwrap_or(i64::MAX), length).max(start)
        };
        match value {
            Value::List(values) => Some(Value::List(values[range(values.len())].to_vec())),
            value => {
                let letters: Vec<char> = value.known()?.chars().collect();
                Some(Value::from(letters[range(letters.len())].iter().collect::<String>()))
            }
        }
    }
}

/// Methods of strings that are called by their names alone.
fn is_text_method(name: &str) -> bool {
    matches!(
        name,
        "split"
            | "strip"
            | "lstrip"
            | "rstrip"
            | "chomp"
            | "chars"
            | "lines"
            | "upcase"
            | "downcase"
            | "trim"
    )
}

pub(crate) fn callee_of(value: Value) -> Callee {
    match value {
        Value::Name(path) => Callee::Path(path),
        value => Callee::Value(value),
    }
}
