//! Functions of the code: where they begin and end, and what calling them does.

use std::rc::Rc;

use shell_engine::NoteKind;

use super::Follower;
use super::modules::{DEFAULT, THE_MODULE};
use crate::Language;
use crate::lex::Token;
use crate::value::{Arguments, Defined, Function, Parameter, Part, Takes, Value};

/// Functions that are remembered.
pub(super) const MAX_FUNCTIONS: usize = 2_000;

/// Tokens in front of a function's body in which its own head is looked for.
const MAX_HEAD: usize = 128;

/// What the parameters of pytest's tests stand for, by their names. No code can write it.
pub(super) const CASES: &str = "()cases";

/// A single argument.
pub(crate) fn one(value: Value) -> Arguments {
    Arguments::of(vec![value])
}

/// Where the decorators begin of what is defined at `start`: they are the lines before it that begin with their sign.
fn decorated_from(tokens: &[Token], start: usize) -> usize {
    let mut first = start;
    while let Some(line) =
        tokens[..first.saturating_sub(1)].iter().rposition(|token| matches!(token, Token::Line(_)))
        && tokens.get(line + 1) == Some(&Token::Op("@"))
    {
        first = line + 1;
    }
    first
}

/// Where the word is of a decorator that makes a command, `@main.command`, and whether it is one of Flask's, `@app.cli.command`.
/// Those of the library itself belong to no group.
fn command_at(tokens: &[Token], at: usize) -> Option<(usize, bool)> {
    let name = |at: usize| match tokens.get(at) {
        Some(Token::Name(name)) => name.as_str(),
        _ => "",
    };
    let is_path = |dots: &[usize]| dots.iter().all(|&dot| tokens.get(at + dot) == Some(&Token::Op(".")));
    if tokens.get(at) != Some(&Token::Op("@")) {
        return None;
    }
    if is_path(&[2]) && name(at + 3) == "command" {
        let is_own = !matches!(name(at + 1), "" | "click" | "typer" | "rich_click");
        return is_own.then_some((at + 3, false));
    }
    (is_path(&[2, 4]) && name(at + 3) == "cli" && name(at + 5) == "command").then_some((at + 5, true))
}

impl Defined {
    /// Whether one of its decorators has this word in it.
    pub(super) fn is_decorated_with(&self, wanted: &str) -> bool {
        self.decorators().iter().any(|token| matches!(token, Token::Name(name) if name == wanted))
    }

    /// What stands in its decorators, of Python's.
    pub(super) fn decorators(&self) -> &[Token] {
        let is = |token: &Token, word: &str| matches!(token, Token::Name(name) if name == word);
        let Function { code, start, .. } = &*self.function;
        let defines = |pair: &[Token]| is(&pair[0], "def") && is(&pair[1], &self.name);
        let head = code.tokens.get(..*start).unwrap_or_default();
        // Nearly always, the function begins right before its body.
        let near = head.len().saturating_sub(MAX_HEAD);
        match head[near..].windows(2).rposition(defines) {
            Some(at) => &head[decorated_from(head, near + at)..near + at],
            None => &[],
        }
    }
}

impl Follower<'_> {
    /// `def f(x): …`, `function f(x) {…}`, `sub f {…}`
    pub(super) fn define(&mut self) {
        let start = self.at;
        let before = |count: usize| match self.at.checked_sub(count).and_then(|at| self.code.tokens.get(at)) {
            Some(Token::Name(word)) => word.as_str(),
            _ => "",
        };
        let is_module = before(1) == "default" || before(1) == "async" && before(2) == "default";
        let decorator = self.at.checked_sub(2).and_then(|at| self.code.tokens.get(at));
        let is_property = match self.language {
            Language::Python => matches!(decorator, Some(Token::Name(word)) if word.ends_with("property")),
            Language::JavaScript => self.word() == Some("get"),
            _ => false,
        };
        self.at = self.at.wrapping_add(1);
        self.take("*");
        // A method of Go has its receiver first: `func (j *Job) Run()`.
        let mut receiver = None;
        if self.language == Language::Go && self.op() == Some("(") {
            let close = self.code.mate(self.at);
            // `func (Job) Run()` gives it no name.
            receiver = self.word_ahead(1).filter(|_| close > self.at + 2).map(str::to_owned);
            self.at = close + 1;
        }
        let mut name = String::new();
        let mut table = None;
        while let Some(word) = self.word() {
            word.clone_into(&mut name);
            self.at += 1;
            let is_field = self.op() == Some(".");
            if !(self.take(".") || self.take(":")) {
                break;
            }
            table = is_field.then(|| name.clone());
        }
        // Scala begins with what it marks so.
        let is_main = matches!(
            self.code.tokens.get(start.saturating_sub(2)..start),
            Some([Token::Op("@"), Token::Name(mark)]) if mark == "main"
        );
        if is_main && self.language == Language::Jvm {
            "main".clone_into(&mut name);
        }
        // Not a definition: `def` may be a method or a variable of its own.
        if name.is_empty() {
            self.at -= 1;
            self.simple();
            return;
        }
        self.skip_generics();
        // Ruby's `def f x, y`
        let parameters = if self.op() == Some("(") {
            self.parameters_in_brackets()
        } else {
            let mut names = Vec::new();
            while let Some(Token::Name(name)) = self.peek().filter(|_| self.language == Language::Ruby) {
                names.push(Parameter::from(name.clone()));
                self.at += 1;
                if !self.take(",") {
                    break;
                }
            }
            names
        };
        self.evaluate_defaults(&parameters);
        // Ruby's `def f(x) = …`
        let function = if self.language == Language::Ruby && self.take("=") {
            let start = self.at;
            self.at = self.end_of_line(start);
            self.function(parameters, start, self.at)
        } else {
            self.body(parameters)
        };
        let function = match receiver {
            Some(_) => Rc::new(Function { receiver, ..Function::clone(&function) }),
            None => function,
        };
        if self.defined.len() < MAX_FUNCTIONS {
            // From here on the name is the function, whatever it held before.
            self.variables.remove(&name);
            if is_module {
                self.keep_function(THE_MODULE, Rc::clone(&function));
                self.assign(DEFAULT, Value::Function(Rc::clone(&function)));
            }
            let decorator = self.decorator.take();
            self.keep_function(&name, Rc::clone(&function));
            // Lua's `function actions.wipe()`, unless the table is a class.
            let is_plain = |held: &Value| matches!(held, Value::Map(_)) && held.get("__index").is_none();
            if let Some(table) = table.filter(|table| self.variable(table).is_some_and(is_plain)) {
                self.change_element(&table, &[Some(name.clone())], Value::Function(Rc::clone(&function)));
            }
            let is_unused = self.is_left_out(&name);
            self.name_cases(&name);
            // `@register("clean")`: what it does with the function, such as to keep it in a table.
            let is_handed = decorator.is_some();
            if let Some(Value::Function(decorator)) = decorator {
                self.call_function(&decorator, vec![Value::Function(function)]);
            }
            if let Some(known) = self.defined.iter_mut().rev().find(|known| known.name == name) {
                (known.is_property, known.is_handed) = (is_property, is_handed);
                known.called |= is_unused;
            }
        } else {
            self.note(NoteKind::TooMuch);
        }
    }

    /// Python computes what parameters are by themselves once, where the function is defined: what is called there is called
    /// whoever calls the function.
    fn evaluate_defaults(&mut self, parameters: &[Parameter]) {
        if self.language != Language::Python {
            return;
        }
        for (start, end) in parameters.iter().filter_map(|parameter| parameter.default) {
            if self.may_call(start, end) {
                self.inside(Rc::clone(&self.code), start, end, Self::assignment);
            }
        }
    }

    /// Whether something between two tokens may be a call.
    pub(super) fn may_call(&self, start: usize, end: usize) -> bool {
        let calls = |token: &Token| matches!(token, Token::Op("(") | Token::Template(_));
        self.code.tokens.get(start..end).unwrap_or_default().iter().any(calls)
    }

    /// The decorators of the function of Python's that ends here, as the tokens before its `def`.
    pub(crate) fn decorators_of(&self, name: &str) -> Option<(usize, usize)> {
        let is = |token: &Token, word: &str| matches!(token, Token::Name(name) if name == word);
        let tokens = &self.code.tokens;
        let defines = |pair: &[Token]| is(&pair[0], "def") && is(&pair[1], name);
        let start = tokens[..self.at.min(tokens.len())].windows(2).rposition(defines)?;
        Some((decorated_from(tokens, start), start))
    }

    /// The decorators around here, up to the `def` of their function, where the call may run it.
    pub(crate) fn decorators_here(&self) -> Option<(usize, usize)> {
        let rest = self.code.tokens.get(self.at..)?;
        let is_def = |pair: &[Token]| matches!(pair, [Token::Name(word), Token::Name(_)] if word == "def");
        let start = self.at + rest.windows(2).position(is_def)?;
        let Some(Token::Name(name)) = self.code.tokens.get(start + 1) else { return None };
        let first = decorated_from(&self.code.tokens, start);
        (!self.is_other_of_group(name, (first, start))).then_some((first, start))
    }

    /// `@pytest.mark.parametrize("cmd", CASES)`: what the parameters of the test that ends here stand for.
    fn name_cases(&mut self, name: &str) {
        if self.language != Language::Python || !self.names("parametrize") {
            return;
        }
        let Some((first, start)) = self.decorators_of(name) else { return };
        let code = Rc::clone(&self.code);
        let is_own = |at: &usize| matches!(&code.tokens[*at], Token::Name(word) if word == "parametrize");
        for at in (first..start).filter(is_own) {
            let open = at + 1;
            let close = code.mate(open).min(start);
            let Some(comma) =
                self.outside_brackets(open + 1, close).find(|&at| code.tokens[at] == Token::Op(","))
            else {
                continue;
            };
            let names = self.inside(Rc::clone(&code), open + 1, comma, Self::assignment);
            let names: Vec<String> = match &names {
                Value::List(names) => names.iter().map(Value::text).collect(),
                names => names.text().split(',').map(|name| name.trim().to_owned()).collect(),
            };
            let from = comma + if code.tokens.get(comma + 2) == Some(&Token::Op("=")) { 3 } else { 1 };
            let cases = self.inside(Rc::clone(&code), from, close, Self::assignment);
            let Value::List(cases) = cases else { continue };
            for (place, name) in names.iter().enumerate() {
                let value = |case: &Value| match case {
                    Value::List(parts) if names.len() > 1 => parts.get(place).cloned(),
                    case => Some(case.clone()),
                };
                let values: Vec<Value> = cases.iter().filter_map(value).collect();
                if !values.is_empty() {
                    self.assign(&format!("{CASES} {name}"), Value::any(values));
                }
            }
        }
    }

    /// Whether the function that ends here has a decorator by which nothing calls it: a fixture of pytest's that nothing asks
    /// for, a command of click's or typer's that the call does not name.
    fn is_left_out(&self, name: &str) -> bool {
        if self.language != Language::Python || !(self.names("fixture") || self.names("command")) {
            return false;
        }
        let is = |token: &Token, word: &str| matches!(token, Token::Name(name) if name == word);
        let Some((first, start)) = self.decorators_of(name) else { return false };
        let tokens = &self.code.tokens;
        let decorators = &tokens[first..start];
        self.is_other_of_group(name, (first, start))
            || decorators.iter().any(|token| is(token, "fixture"))
                && !decorators.iter().any(|token| is(token, "autouse"))
                && tokens.iter().filter(|token| is(token, name)).count() == 1
    }

    /// Whether decorators make a function a command that the call does not name.
    fn is_other_of_group(&self, name: &str, (first, start): (usize, usize)) -> bool {
        let is = |token: &Token, word: &str| matches!(token, Token::Name(name) if name == word);
        let tokens = &self.code.tokens;
        let decorators = &tokens[first..start];
        // What asks for help gets nothing else.
        let is_command = |token: &Token| is(token, "command") || is(token, "group") || is(token, "callback");
        if self.given.complete
            && decorators.first() == Some(&Token::Op("@"))
            && decorators.iter().take(4).any(is_command)
            && self.given.arguments.iter().any(|word| word == "--help")
        {
            return true;
        }
        let Some((at, is_of_flask)) = (0..decorators.len()).find_map(|at| command_at(decorators, at)) else {
            return false;
        };
        // One command alone needs no name, but for those of Flask.
        let commands = || (0..tokens.len()).filter(|&at| command_at(tokens, at).is_some()).count();
        let is_group = is_of_flask || commands() > 1;
        let end = self.code.mate(first + at + 1).saturating_sub(first).min(decorators.len());
        let arguments = decorators.get(at + 2..end).unwrap_or_default();
        let by_keyword = arguments.windows(3).find_map(|three| match three {
            [Token::Name(word), Token::Op("="), Token::Text(named)] if word == "name" => Some(named),
            _ => None,
        });
        let named = match (by_keyword, arguments) {
            (Some(named), _) | (None, [Token::Text(named), ..]) => named.clone(),
            (None, [] | [Token::Name(_), Token::Op("="), ..]) => name.replace('_', "-"),
            _ => return false,
        };
        if arguments.iter().any(|token| is(token, "aliases") || is(token, "cls")) {
            return false;
        }
        let gives = |word: &String| *word == named || word == name || shell_engine::mark::any(word);
        let calls_by_name = self.given.alone || is_of_flask;
        is_group && self.given.complete && calls_by_name && !self.given.arguments.iter().any(gives)
    }

    /// What stands in the brackets that open here.
    pub(super) fn parameters_in_brackets(&mut self) -> Vec<Parameter> {
        let open = self.at;
        let close = self.code.mate(open).min(self.end);
        let mut found: Vec<Parameter> = Vec::new();
        let mut at = open + 1;
        let mut fresh = true;
        let mut rest = false;
        while at < close {
            match &self.code.tokens[at] {
                Token::Op("{" | "[") if self.language == Language::JavaScript && fresh => {
                    let end = self.code.mate(at).min(close);
                    let takes = Takes::Parts(self.parts(at, end));
                    found.push(Parameter { takes, ..Parameter::from(String::new()) });
                    fresh = false;
                    at = end;
                }
                Token::Name(name) | Token::Variable(name) if fresh => {
                    let is_field = matches!(
                        name.as_str(),
                        "private" | "public" | "protected" | "readonly" | "val" | "var"
                    );
                    // Kotlin's `vararg cmd`, C#'s `params string[] cmd`
                    rest |= matches!(self.language, Language::Jvm | Language::Other)
                        && matches!(name.as_str(), "vararg" | "params")
                        && matches!(self.code.tokens.get(at + 1), Some(Token::Name(_)));
                    at = self.last_word(at);
                    let (Token::Name(name) | Token::Variable(name)) = &self.code.tokens[at] else { break };
                    let before = self.code.tokens.get(at.wrapping_sub(1));
                    let takes = match (rest, before) {
                        (_, Some(Token::Op("**"))) => Takes::Named,
                        (true, _) => Takes::Rest,
                        (_, Some(Token::Op("&"))) if self.language == Language::Php => Takes::Reference,
                        (_, Some(Token::Op("&"))) if self.language == Language::Ruby => Takes::Block,
                        _ => Takes::One,
                    };
                    found.push(Parameter { takes, is_field, ..Parameter::from(name.clone()) });
                    fresh = false;
                    rest = false;
                }
                Token::Op("*" | "...") if fresh && self.language != Language::Lua => rest = true,
                // Lua's `function f(...)`
                Token::Op("...") if self.language == Language::Lua => {
                    found.push(Parameter { takes: Takes::Rest, ..Parameter::from("...".to_owned()) });
                }
                // Go's `args ...string`, Java's `String... args`
                Token::Op("...") if matches!(self.language, Language::Go | Language::Jvm) => {
                    if let Some(parameter) = found.last_mut() {
                        parameter.takes = Takes::Rest;
                        if let (Language::Jvm, Some(Token::Name(name))) =
                            (self.language, self.code.tokens.get(at + 1))
                        {
                            parameter.name.clone_from(name);
                        }
                    }
                }
                // Scala's `args: String*`
                Token::Op("*") if self.language == Language::Jvm && at + 1 == close => {
                    if let Some(parameter) = found.last_mut() {
                        parameter.takes = Takes::Rest;
                    }
                }
                // Ruby's `def f(x: "/")` has the value after a colon, others have a type there.
                Token::Op(sign) if *sign == "=" || *sign == ":" && self.language == Language::Ruby => {
                    let end = self.end_of_default(at + 1, close);
                    if let Some(parameter) = found.last_mut().filter(|_| end > at + 1) {
                        parameter.default = Some((at + 1, end));
                    }
                    at = end;
                    continue;
                }
                // `handlers: Map<string, Step>`
                Token::Op(":") if self.language == Language::JavaScript && !fresh => {
                    at = self.script_type_ends(at + 1).min(close);
                    continue;
                }
                // What comes after Python's bare star has to be named, and so what follows Julia's semicolon.
                Token::Op("," | ";") => (fresh, rest) = (true, false),
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                _ => {}
            }
            at += 1;
        }
        self.at = close + 1;
        found
    }

    /// Where the name of a parameter stands whose first word is at `at`: `String name`, `private ?string $name`,
    /// `List<String> names`.
    fn last_word(&self, mut at: usize) -> usize {
        if matches!(self.language, Language::Python | Language::Go) {
            return at;
        }
        let is_word =
            |at: usize| matches!(self.code.tokens.get(at), Some(Token::Name(_) | Token::Variable(_)));
        loop {
            if matches!(self.language, Language::Jvm | Language::Other)
                && let Some(end) = self.type_ends(at)
                && is_word(end)
            {
                at = end;
                continue;
            }
            let between = match self.code.tokens.get(at + 1) {
                Some(Token::Op("?")) => true,
                // C's `const char *path`
                Some(Token::Op("*" | "**" | "&")) => self.language == Language::Other,
                _ => false,
            };
            let ahead = 1 + usize::from(between);
            if !is_word(at + ahead) {
                return at;
            }
            at += ahead;
        }
    }

    /// What is taken out of a value between these brackets: `{a, b: c, d = 1}`, `[a, b]`.
    pub(super) fn parts(&self, open: usize, close: usize) -> Vec<Part> {
        let mut found = Vec::new();
        let (mut at, mut place) = (open + 1, 0);
        while at < close {
            if matches!(self.code.tokens[at], Token::Line(_)) {
                at += 1;
                continue;
            }
            let end = self.end_of_default(at, close);
            let rest = self.code.tokens[at] == Token::Op("...");
            let first = at + usize::from(rest);
            if let Some(Token::Name(key) | Token::Variable(key) | Token::Text(key)) =
                self.code.tokens.get(first)
            {
                let renamed = self.code.tokens.get(first + 1) == Some(&Token::Op(":"));
                let target = first + 2 * usize::from(renamed);
                let mut to = Parameter::from(match self.code.tokens.get(target) {
                    Some(Token::Name(name) | Token::Variable(name)) => name.clone(),
                    _ => key.clone(),
                });
                if rest {
                    to.takes = Takes::Rest;
                }
                let mut after = target + 1;
                if renamed && self.code.tokens.get(target) == Some(&Token::Op("{")) {
                    let inner = self.code.mate(target).min(close);
                    to.takes = Takes::Parts(self.parts(target, inner));
                    after = inner + 1;
                }
                if self.code.tokens.get(after) == Some(&Token::Op("=")) && after + 1 < end {
                    to.default = Some((after + 1, end));
                }
                let by_place = self.code.tokens[open] == Token::Op("[");
                let key = if by_place { place.to_string() } else { key.clone() };
                found.push(Part { key, to });
            }
            place += 1;
            at = end + 1;
        }
        found
    }

    /// Where the expression ends that begins at `at` in a list of parameters.
    fn end_of_default(&self, mut at: usize, close: usize) -> usize {
        while at < close {
            match &self.code.tokens[at] {
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                Token::Op("<") => at = self.generics_of_call(at).unwrap_or(at),
                Token::Op(",") => break,
                _ => {}
            }
            at += 1;
        }
        at.min(close)
    }

    /// The body of the function whose parameters were just read, which ends after it.
    fn body(&mut self, parameters: Vec<Parameter>) -> Rc<Function> {
        let (start, end) = match self.language {
            Language::Python => {
                // `-> int`
                while !matches!(self.peek(), None | Some(Token::Op(":") | Token::Line(_))) {
                    self.at += 1;
                }
                let start = self.at + 1;
                let end = self.suite_end(self.at);
                self.at = end;
                (start.min(end), end)
            }
            Language::Julia if self.op() == Some("=") => {
                self.at += 1;
                let start = self.at;
                self.at = self.end_of_line(start);
                (start, self.at)
            }
            // `def f(x) do … end`, `def f(x), do: …`
            Language::Elixir => {
                let line = self.end_of_line(self.at);
                let word = (self.at..line)
                    .find(|&at| matches!(&self.code.tokens[at], Token::Name(word) if word == "do"));
                let open = word.unwrap_or(line);
                let (start, end) = match self.code.tokens.get(open + 1) {
                    Some(Token::Op(":")) => (open + 2, line),
                    _ => (open + 1, self.code.mate(open).min(self.end)),
                };
                self.at = end + usize::from(end > line);
                (start.min(end), end)
            }
            Language::Ruby | Language::Lua | Language::Julia => {
                // The opening word stands before the name and the parameters.
                let open = self.opening_word();
                let start = self.at;
                let end = self.code.mate(open).min(self.end);
                self.at = end + 1;
                (start.min(end), end)
            }
            Language::R => {
                self.skip_lines();
                let start = self.at;
                let end = if self.op() == Some("{") {
                    self.code.mate(start).min(self.end)
                } else {
                    self.end_of_expression()
                };
                let open = usize::from(self.op() == Some("{"));
                self.at = end + open;
                ((start + open).min(end), end)
            }
            _ => {
                let mut at = self.at;
                // `function parse(argv: string[]): { cmd: string } {`
                if self.language == Language::JavaScript && self.op() == Some(":") {
                    at = self.script_type_ends(at + 1);
                }
                while at < self.end
                    && !matches!(self.code.tokens[at], Token::Op("{" | ";" | "=>" | "=") | Token::Line(_))
                {
                    at += 1;
                }
                // The brace may stand on the next line, as many people write it.
                let brace_ahead = |mut at: usize| {
                    while matches!(self.code.tokens.get(at), Some(Token::Line(_))) {
                        at += 1;
                    }
                    (self.code.tokens.get(at) == Some(&Token::Op("{"))).then_some(at)
                };
                // Scala's `def f(x: Int): Unit = {`
                let is_block = self.language == Language::Jvm
                    && self.code.tokens.get(at) == Some(&Token::Op("="))
                    && self.code.tokens.get(at + 1) == Some(&Token::Op("{"));
                if let Some(at) = brace_ahead(at + usize::from(is_block)) {
                    let end = self.code.mate(at).min(self.end);
                    self.at = end + 1;
                    (at + 1, end)
                } else if self.language == Language::JavaScript
                    && self.code.tokens.get(at) != Some(&Token::Op("=>"))
                {
                    // TypeScript's `declare function f(x: string): void`
                    self.at = at;
                    (at, at)
                } else if self.language == Language::Jvm
                    && self.code.tokens.get(at) == Some(&Token::Op("="))
                    && matches!(self.code.tokens.get(at + 1), Some(Token::Line(_)))
                {
                    // Scala's lines that stand further in: `def fix(): Unit =`
                    let end = self.suite_end(at);
                    self.at = end;
                    ((at + 1).min(end), end)
                } else {
                    self.at = at + 1;
                    let end = self.end_of_expression();
                    self.at = end;
                    ((at + 1).min(end), end)
                }
            }
        };
        self.function(parameters, start, end)
    }

    /// A function of the code that is read.
    fn function(&self, parameters: Vec<Parameter>, start: usize, end: usize) -> Rc<Function> {
        let start = start.min(end);
        Rc::new(Function {
            code: Rc::clone(&self.code),
            parameters,
            start,
            end,
            receiver: None,
            captured: self.captured_between(start, end),
            made_in: self.calls.last().copied().unwrap_or_default(),
        })
    }

    /// The last word before the position that opens a block.
    fn opening_word(&self) -> usize {
        (0..self.at)
            .rev()
            // A list of parameters is hardly longer, and this is asked for every function.
            .take(64)
            .find(|&at| {
                matches!(self.code.tokens.get(at), Some(Token::Name(word)) if matches!(word.as_str(), "def" | "function"))
            })
            .unwrap_or(self.at)
    }

    /// Where the expression that begins here ends.
    fn end_of_expression(&mut self) -> usize {
        let mut at = self.at;
        while at < self.end {
            match &self.code.tokens[at] {
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                Token::Op("," | ";" | ")" | "]" | "}") => break,
                Token::Line(_) if self.brackets == 0 && at > self.at && !self.chain_goes_on(at) => break,
                _ => {}
            }
            at += 1;
        }
        // Reading ahead costs less than following, but not nothing: nested functions read the same tokens
        // again.
        self.step((at - self.at) / 2);
        at.min(self.end)
    }

    /// A function that stands where a value is expected.
    pub(super) fn function_literal(&mut self) -> Option<Value> {
        use Language::{Elixir, Go, JavaScript, Julia, Jvm, Lua, Perl, Php, Python, R};
        let arrow = match self.language {
            JavaScript | Php => "=>",
            _ => "->",
        };
        let has_arrows = matches!(self.language, JavaScript | Jvm | Julia | Language::Other);
        if has_arrows && self.op() == Some("(") {
            let close = self.code.mate(self.at);
            // Brackets are parameters only if the arrow follows, or Dart's block where a value is handed over.
            let is_handed = self.language == Language::Other
                && self.code.tokens.get(close + 1) == Some(&Token::Op("{"))
                && matches!(
                    self.at.checked_sub(1).map(|before| &self.code.tokens[before]),
                    Some(Token::Op("(" | ","))
                );
            let arrow_at = if is_handed { close } else { self.arrow_after(close, arrow)? };
            let parameters = self.parameters_in_brackets();
            self.at = arrow_at;
            return Some(self.arrow_body(parameters));
        }
        let word = self.word()?.to_owned();
        // One parameter needs no brackets; `case x ->` is a branch.
        let is_arrow =
            |op: &str| op == arrow || matches!(self.language, Language::Other | Language::Jvm) && op == "=>";
        if has_arrows && self.op_ahead(1).is_some_and(is_arrow) && word != "case" {
            self.at += 1;
            return Some(self.arrow_body(vec![word.into()]));
        }
        match (self.language, word.as_str()) {
            (JavaScript | Php | Lua | Julia | R, "function") | (Go, "func") | (Php, "fn") => {
                let mut ahead = 1;
                // A name, a generator's star, or PHP's `&` may stand before the parameters.
                while matches!(self.ahead(ahead), Some(Token::Name(_) | Token::Op("*" | "&"))) && ahead < 3 {
                    ahead += 1;
                }
                if self.op_ahead(ahead) != Some("(") {
                    return None;
                }
                let opening = self.at;
                self.at += ahead;
                // Their bodies end with the word `end` instead of a brace.
                if matches!(self.language, Lua | Julia) {
                    let parameters = self.parameters_in_brackets();
                    let start = self.at;
                    let end = self.code.mate(opening).min(self.end);
                    self.at = end + 1;
                    return Some(Value::Function(self.function(parameters, start, end)));
                }
                Some(self.function_from_parameters())
            }
            (Perl, "sub") if self.op_ahead(1) == Some("{") => {
                self.at += 1;
                let block = self.perl_block();
                Some(Value::Function(self.function(Vec::new(), block.start, block.end)))
            }
            (Python, "lambda") => {
                self.at += 1;
                let mut parameters = Vec::new();
                while !matches!(self.peek(), None | Some(Token::Op(":"))) {
                    match self.peek() {
                        Some(Token::Name(name)) => {
                            parameters.push(Parameter::from(name.clone()));
                            self.at += 1;
                            if self.take("=") {
                                // A default is evaluated: it may be what the function is called with.
                                let value = self.ternary();
                                if let Some(parameter) = parameters.last() {
                                    let name = parameter.name.clone();
                                    self.assign(&name, value);
                                }
                            }
                        }
                        _ => self.at += 1,
                    }
                }
                self.at += 1;
                let start = self.at;
                let end = self.end_of_expression();
                self.at = end;
                Some(Value::Function(self.function(parameters, start, end)))
            }
            (Elixir, "fn") => {
                let end = self.code.mate(self.at).min(self.end);
                // Only the first clause is read: `fn` with several is rare on a command line.
                let start = (self.at..end).find(|&at| self.code.tokens[at] == Token::Op("->"))?;
                let parameters = self.code.tokens[self.at + 1..start]
                    .iter()
                    .filter_map(|token| match token {
                        Token::Name(name) => Some(name.clone().into()),
                        _ => None,
                    })
                    .collect();
                self.at = end + 1;
                Some(Value::Function(self.function(parameters, start + 1, end)))
            }
            _ => None,
        }
    }

    /// Where the arrow stands that makes brackets which close at `close` parameters; a type may come before it.
    fn arrow_after(&self, close: usize, arrow: &str) -> Option<usize> {
        let is_arrow = |at: usize| match self.code.tokens.get(at) {
            Some(Token::Op(op)) => {
                *op == arrow || matches!(self.language, Language::Other | Language::Jvm) && *op == "=>"
            }
            _ => false,
        };
        let after = close + 1;
        if after < self.end && is_arrow(after) {
            return Some(after);
        }
        // `(p: string): Promise<void> =>`
        if self.language != Language::JavaScript || self.code.tokens.get(after) != Some(&Token::Op(":")) {
            return None;
        }
        let end = self.script_type_ends(after + 1);
        is_arrow(end).then_some(end)
    }

    /// Rust's `|p: &str| …`
    pub(super) fn rust_closure(&mut self) -> Option<Value> {
        if self.language != Language::Other || !matches!(self.op(), Some("|" | "||")) {
            return None;
        }
        let mut parameters = Vec::new();
        let mut is_name = true;
        if self.op() == Some("|") {
            self.at += 1;
            while self.at < self.end && self.op() != Some("|") {
                match self.peek() {
                    Some(Token::Name(name)) if is_name && name != "mut" => {
                        parameters.push(Parameter::from(name.clone()));
                        is_name = false;
                    }
                    Some(Token::Op(",")) => is_name = true,
                    _ => {}
                }
                self.at += 1;
            }
        }
        // `arrow_body` steps over the sign that stands here.
        Some(self.arrow_body(parameters))
    }

    /// A function whose parameters stand here in brackets, with its body after them.
    pub(super) fn function_from_parameters(&mut self) -> Value {
        let parameters = self.parameters_in_brackets();
        Value::Function(self.body(parameters))
    }

    /// The expression that begins here, as a function of one argument.
    pub(super) fn function_of(&mut self, parameter: &str) -> Value {
        let start = self.at;
        let end = self.end_of_expression();
        self.at = end;
        Value::Function(self.function(vec![parameter.to_owned().into()], start, end))
    }

    fn arrow_body(&mut self, parameters: Vec<Parameter>) -> Value {
        self.at += 1;
        self.skip_if_bracketed();
        let (start, end) = if self.op() == Some("{") {
            let end = self.code.mate(self.at).min(self.end);
            let start = self.at + 1;
            self.at = end + 1;
            (start, end)
        } else {
            let start = self.at;
            let end = self.end_of_expression();
            self.at = end;
            (start, end)
        };
        Value::Function(self.function(parameters, start, end))
    }

    /// Perl's block, which gets what it works on as `$_`.
    pub(super) fn perl_block(&mut self) -> Rc<Function> {
        let end = self.code.mate(self.at).min(self.end);
        let start = self.at + 1;
        self.at = end + 1;
        self.function(vec!["_".to_owned().into()], start, end)
    }

    /// Ruby's `{ |x| … }` and `do |x| … end`.
    pub(super) fn ruby_block(&mut self) -> Rc<Function> {
        let end = self.code.mate(self.at).min(self.end);
        self.at += 1;
        let mut parameters = Vec::new();
        if self.take("|") {
            while self.at < end && self.op() != Some("|") {
                if let Some(Token::Name(name)) = self.peek() {
                    parameters.push(Parameter::from(name.clone()));
                }
                self.at += 1;
            }
            self.at += 1;
        } else if self.language == Language::Julia {
            while let Some(Token::Name(name)) = self.peek() {
                parameters.push(name.clone().into());
                self.at += 1;
                self.take(",");
            }
        } else {
            // Ruby 3.4 calls the only parameter so where none is named. In a test, `it "works" do` is a call.
            let tokens = self.code.tokens.get(self.at..end).unwrap_or_default();
            let calls = |pair: &[Token]| matches!(pair, [Token::Name(name), Token::Text(_) | Token::Template(_)] if name == "it");
            if !tokens.windows(2).any(calls) {
                parameters.push("it".to_owned().into());
            }
        }
        let start = self.at;
        self.at = end + 1;
        self.function(parameters, start, end)
    }

    /// Ruby's `->(x) { … }`.
    pub(super) fn ruby_lambda(&mut self) -> Value {
        self.at += 1;
        let parameters = if self.op() == Some("(") { self.parameters_in_brackets() } else { Vec::new() };
        if self.op() != Some("{") && self.word() != Some("do") {
            return Value::unknown();
        }
        let block = self.ruby_block();
        Value::Function(self.function(parameters, block.start, block.end))
    }

    /// `{ x -> … }` of Groovy, Kotlin and Swift.
    pub(super) fn closure(&mut self) -> Value {
        let end = self.code.mate(self.at).min(self.end);
        self.at += 1;
        let mut ahead = 0;
        let mut parameters = Vec::new();
        let mut arrow = false;
        while let Some(token) = self.ahead(ahead).filter(|_| ahead < 12) {
            match token {
                Token::Name(name) if name == "in" => {
                    arrow = true;
                    break;
                }
                Token::Name(name) => parameters.push(Parameter::from(name.clone())),
                Token::Op("," | "(" | ")") => {}
                Token::Op("->") => {
                    arrow = true;
                    break;
                }
                Token::Op("=>") if self.language == Language::Jvm => {
                    arrow = true;
                    break;
                }
                // A type.
                Token::Op(":") => ahead += 1,
                _ => break,
            }
            ahead += 1;
        }
        if arrow {
            self.at += ahead + 1;
        } else {
            parameters = vec!["it".to_owned().into()];
        }
        let start = self.at;
        self.at = end + 1;
        Value::Function(self.function(parameters, start, end))
    }
}
