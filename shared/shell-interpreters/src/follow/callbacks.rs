//! Functions that are handed to others: what they get there.

use std::rc::Rc;

use super::Follower;
use super::postfix::Callee;
use super::scopes::Declares;
use crate::Language;
use crate::act::Call;
use crate::lex::Token;
use crate::value::{Arguments, Function, MAX_ELEMENTS, Value};

/// Whether a method hands each element of its value to a function.
pub(crate) fn goes_through(name: &str) -> bool {
    matches!(
        name,
        "forEach"
            | "map"
            | "each"
            | "filter"
            | "select"
            | "reject"
            | "flatMap"
            | "each_with_index"
            | "some"
            | "every"
            | "find"
            | "collect"
            | "each_entry"
            | "find_all"
            | "reduce"
            | "reduceRight"
            | "inject"
            | "each_slice"
            | "grep"
            | "eachFile"
            | "eachFileRecurse"
            | "eachDir"
            | "foreach"
            | "detect"
            | "filter_map"
            | "flat_map"
            | "each_char"
            | "each_line"
            | "eachLine"
            | "any"
            | "all"
            | "walk"
            | "partition"
            | "sort"
            | "sort_by"
            | "group_by"
            | "findAll"
            | "each_child"
            | "glob"
            | "map!"
            | "ForEach"
            | "for_each"
            | "finddepth"
            | "Where"
            | "to_h"
    )
}

/// Whether a method keeps some of the elements.
fn keeps_some(name: &str) -> bool {
    matches!(
        name,
        "filter"
            | "select"
            | "reject"
            | "find_all"
            | "grep"
            | "findAll"
            | "find"
            | "detect"
            | "partition"
            | "Where"
    )
}

impl Follower<'_> {
    /// Whether a call looks at a table of functions, and calls none: `sorted(HANDLERS)`, `choices=HANDLERS`,
    /// `Object.hasOwn(commands, name)`.
    fn only_asks(&self, subject: Option<&Value>, name: &str) -> bool {
        let of = |object: &str| matches!(subject, Some(Value::Name(name)) if name == object);
        match self.language {
            Language::Python => matches!(
                name,
                "sorted"
                    | "list"
                    | "set"
                    | "tuple"
                    | "join"
                    | "add_argument"
                    | "len"
                    | "print"
                    | "isinstance"
            ),
            Language::JavaScript => {
                matches!(name, "hasOwn" | "hasOwnProperty")
                    || of("Object") && matches!(name, "keys" | "getOwnPropertyNames" | "freeze")
                    || matches!(subject, Some(Value::Name(path)) if path.ends_with("hasOwnProperty"))
                    || of("console")
            }
            Language::Ruby => matches!(name, "puts" | "p" | "pp"),
            Language::Php => matches!(
                name,
                "array_key_exists" | "array_keys" | "in_array" | "is_callable" | "var_dump" | "print_r"
            ),
            _ => false,
        }
    }

    /// Whether a call is a test of Node's own runner, which hands a maker of doubles to its function.
    fn is_test_of_node(&self, name: &str) -> bool {
        let is_runner = |token: &Token| matches!(token, Token::Text(module) if module == "node:test");
        self.language == Language::JavaScript
            && matches!(name, "test" | "it")
            && self.code.tokens.iter().any(is_runner)
    }

    /// Calls the functions among the arguments. `result` is what the call gives back by itself.
    pub(crate) fn callbacks(&mut self, call: Call<'_>, result: Value) -> Value {
        let Call { subject, name, arguments } = call;
        // The parser calls the function of the command that is chosen. Others only tell of it.
        let tells = self.language == Language::Python
            && matches!(name, "getdoc" | "getsource" | "signature" | "iscoroutinefunction" | "callable");
        if name == "set_defaults" || tells {
            return result;
        }
        // `executor.map(f, xs)`
        if goes_through(name)
            && matches!(subject, Some(Value::Name(_) | Value::Text(_)))
            && matches!(
                arguments.values.as_slice(),
                [Value::Function(_) | Value::Name(_) | Value::Bound(_), Value::List(_), ..]
            )
        {
            return self.each_of(&arguments.values);
        }
        let takes_names = self.only_asks(subject, name);
        let functions: Vec<Rc<Function>> = arguments
            .all()
            .filter(|value| !takes_names || !matches!(value, Value::Map(_)))
            .flat_map(|value| match value {
                // Options: `{wanted => sub {…}}`
                Value::Map(entries) => entries.iter().map(|(_, value)| value).collect(),
                value => vec![value],
            })
            .filter_map(|value| match value {
                Value::Function(function) => Some(Rc::clone(function)),
                _ => None,
            })
            .chain(arguments.block.clone())
            .collect();
        if let Some(value) = self.named_functions(call, &result, functions.is_empty()) {
            return value;
        }
        for bound in arguments.all().filter(|value| matches!(value, Value::Bound(_))) {
            self.invoke(Callee::Value(bound.clone()), Arguments::default());
        }
        self.visited(name, arguments, &result);
        let mut given = None;
        for function in functions {
            if goes_through(name) {
                let unknown;
                let whole = match subject {
                    Some(receiver @ (Value::List(_) | Value::Any(_) | Value::Map(_))) => receiver,
                    // `Dir.glob("*").each`, `fs.readdirSync(x).map`: the call's own result stands for its elements.
                    _ if matches!(result, Value::List(_)) => &result,
                    Some(receiver) => receiver,
                    // `File.foreach("list") { |line| … }`
                    None if matches!(result, Value::Text(_)) => &result,
                    None => {
                        unknown = Value::unknown();
                        &unknown
                    }
                };
                given = Some(self.through(name, (whole, arguments.values.get(1)), &function));
                continue;
            }
            let element = match &result {
                Value::List(_) => result.element(),
                _ if self.is_test_of_node(name) => Value::Name("test.t".to_owned()),
                value => value.clone(),
            };
            // Which parameter gets what is not known, so each may be all of it.
            let values = vec![element; function.parameters.len()];
            let doubles = self.doubles.clone();
            let value = self.call_function(&function, values);
            self.doubles.end_callback(name, doubles);
            if matches!(
                name,
                "with" | "then" | "tap" | "map_with" | "yield_self" | "run" | "let" | "also" | "use"
            ) {
                given = Some(value);
            }
        }
        given.unwrap_or(result)
    }

    /// Java's `Files.walkFileTree(root, new Remover())` calls the methods of its visitor for each file and folder.
    fn visited(&mut self, name: &str, arguments: &Arguments, found: &Value) {
        if self.language != Language::Jvm || name != "walkFileTree" {
            return;
        }
        let Some(visitor) = arguments.values.last().cloned() else { return };
        for method in ["preVisitDirectory", "visitFile", "postVisitDirectory"] {
            if let Some(method) = self.take_function(method) {
                let values = vec![found.element(), Value::unknown()];
                self.call_on(&visitor, &method, &Arguments::of(values));
            }
        }
    }

    /// Calls a method or a function of the library that is given by its name; `alone` says that no function is.
    fn named_functions(&mut self, call: Call<'_>, result: &Value, alone: bool) -> Option<Value> {
        let Call { subject, name, arguments } = call;
        // Ruby's `xs.map(&:chr)`
        if alone
            && self.language == Language::Ruby
            && goes_through(name)
            && let (Some(Value::List(values)), Some(method)) =
                (subject, arguments.first().and_then(Value::known))
            && values.len() <= MAX_ELEMENTS
        {
            let mut results = Vec::new();
            for value in values.clone() {
                if self.step(4) {
                    results.push(self.invoke_method(&value, &method, &Arguments::default()));
                }
            }
            return Some(Value::List(results));
        }
        // `["rm x"].forEach(os.system)`: a function of the library.
        if alone
            && (goes_through(name) || name == "then")
            && let Some(Value::Name(path)) = arguments.values.last()
            && (self.effect_of(path).is_some()
                || self.function_is_known(path.rsplit('.').next().unwrap_or(path))
                || self.names_method(path))
        {
            let path = path.clone();
            let element = match subject {
                _ if name == "then" => result.clone(),
                Some(receiver) => receiver.element(),
                None => Value::unknown(),
            };
            return Some(self.invoke_path(&path, super::functions::one(element)));
        }
        // Java's `map(String::trim)`
        if let (Some(Value::List(values)), Some(Value::Name(path)), "map") =
            (subject, arguments.values.last(), name)
            && self.language == Language::Jvm
        {
            let method = path.rsplit('.').next().unwrap_or(path).to_owned();
            let mut made = Vec::new();
            for value in values.clone().iter().take(MAX_ELEMENTS) {
                made.push(self.invoke_method(value, &method, &Arguments::default()));
            }
            return Some(Value::List(made));
        }
        None
    }

    /// Perl's `map { … } xs` and `map f, xs`.
    pub(crate) fn perl_list(&mut self, name: &str, arguments: Arguments) -> Value {
        let mut values = arguments.values.into_iter();
        let function = values.next();
        let list = Value::List(values.collect());
        match function {
            Some(Value::Function(function)) => self.through(name, (&list, None), &function),
            Some(Value::Name(path)) => self.each_of(&[Value::Name(path), list]),
            // `map lc($_), xs`, `grep /x/, xs`
            _ => list,
        }
    }

    /// A function for each element of `whole`.
    fn through(
        &mut self,
        name: &str,
        (whole, init): (&Value, Option<&Value>),
        function: &Rc<Function>,
    ) -> Value {
        if let (true, Some(parameter)) = (keeps_some(name) && name != "reject", function.parameters.first()) {
            let outer = std::mem::replace(&mut self.code, Rc::clone(&function.code));
            let end = std::mem::replace(&mut self.end, function.end);
            let returns =
                matches!(self.code.tokens.get(function.start), Some(Token::Name(word)) if word == "return");
            let condition = (function.start + usize::from(returns), function.end);
            let left = self.entries_for(&parameter.name, whole, condition);
            (self.code, self.end) = (outer, end);
            match left {
                Some(left) if matches!(name, "find" | "detect") => return left.element(),
                Some(left) => return left,
                None => {}
            }
        }
        if keeps_some(name) {
            // One element that stands for all: what the filter asks narrows it.
            let element = whole.element();
            if let Some(parameter) = function.parameters.first().map(|parameter| parameter.name.clone()) {
                // The parameter must not replace a variable of the same name outside.
                let before = self.variables.get(&parameter).cloned();
                self.assign(&parameter, element);
                let outer = std::mem::replace(&mut self.code, Rc::clone(&function.code));
                self.narrow(function.start, function.end, name == "reject");
                self.code = outer;
                let narrowed = self.variables.get(&parameter).cloned().unwrap_or_else(Value::unknown);
                self.call_function(function, vec![narrowed.clone()]);
                match before {
                    Some(value) => self.variables.insert(parameter, value),
                    None => self.variables.remove(&parameter),
                };
                return if matches!(name, "find" | "detect") {
                    narrowed
                } else {
                    Value::List(vec![narrowed])
                };
            }
        }
        // The lines of a string are elements as well.
        let by_line = matches!(name, "each_line" | "eachLine" | "foreach");
        let filled = if by_line { self.filled_in_from_disk(whole) } else { None };
        if let (Some(text), true) = (filled.as_ref().unwrap_or(whole).known(), by_line) {
            let lines = Value::List(text.split_inclusive('\n').map(Value::from).collect());
            return self.through(name, (&lines, None), function);
        }
        // Each known element has a turn of its own, so that what is computed from it is known, too.
        if let Value::List(values) = whole
            && values.len() <= MAX_ELEMENTS
            && !values.is_empty()
        {
            let values = values.clone();
            let mut results = Vec::new();
            // What has been made so far comes first.
            let folds = matches!(name, "reduce" | "reduceRight" | "inject");
            for (position, value) in values.into_iter().enumerate() {
                if !self.step(4) {
                    break;
                }
                let place = Value::Number(i64::try_from(position).unwrap_or(0));
                // Perl's blocks get one value, as `$_`.
                let given = match results.last() {
                    _ if self.language == Language::Perl => vec![value],
                    Some(made) if folds => vec![Value::clone(made), value],
                    None if folds => vec![init.cloned().unwrap_or_else(Value::unknown), value],
                    _ => vec![value, place],
                };
                results.push(self.call_function(function, given));
            }
            return if folds {
                results.pop().unwrap_or_else(Value::unknown)
            } else if matches!(name, "map" | "collect" | "flatMap" | "flat_map" | "filter_map" | "to_h") {
                self.bounded(Value::List(results))
            } else {
                whole.clone()
            };
        }
        if let Value::Map(entries) = whole {
            let keys = Value::any(entries.iter().map(|(key, _)| Value::from(key.as_str())).collect());
            let values = Value::any(entries.iter().map(|(_, value)| value.clone()).collect());
            // One call in which the parameters are any key and any value: pairs are not distinguished.
            return self.call_function(function, vec![keys, values]);
        }
        let element = whole.element();
        let value = self.call_function(function, vec![element]);
        Value::List(vec![value])
    }

    /// `for x in xs`, `for (const x of xs)`, `foreach ($xs as $x)`, `for my $x (xs)`
    pub(super) fn each(&mut self) {
        use Language::{Go, JavaScript, Jvm, Lua, Other, Perl};
        let words = || (1..4).filter_map(|ahead| self.word_ahead(ahead));
        let declares = match self.language {
            JavaScript => words().any(|word| matches!(word, "const" | "let")),
            Perl => words().any(|word| word == "my"),
            language => matches!(language, Go | Jvm | Lua | Other),
        };
        // That of Lua's has begun with the word.
        if declares && self.language != Lua {
            self.begin_block(self.block_end());
        }
        self.declaring(if declares { Declares::InBlock } else { Declares::No }, Self::bind_loop);
    }

    fn bind_loop(&mut self) {
        self.at += 1;
        self.take_word("await");
        let bracket = self.op() == Some("(");
        let close = self.code.mate(self.at);
        if self.language == Language::Php && bracket {
            self.at += 1;
            // PHP names the list first: `foreach ($xs as $x)`.
            let list = self.assignment();
            self.take_word("as");
            let names = self.loop_names();
            self.go_through(&names, &list, close + 1);
            self.at = close + 1;
            return;
        }
        if self.language == Language::Perl {
            while matches!(self.word(), Some("my" | "our")) {
                self.at += 1;
            }
            let name = match self.peek() {
                Some(Token::Variable(name)) => name.clone(),
                // Perl's loops without a variable fill `$_`.
                _ => "_".to_owned(),
            };
            if matches!(self.peek(), Some(Token::Variable(_))) {
                self.at += 1;
            }
            if self.op() == Some("(") {
                let open = self.at;
                let close = self.code.mate(open);
                if self.is_counted(open, close) {
                    return;
                }
                let list = match self.group() {
                    list @ (Value::List(_) | Value::Any(_) | Value::Map(_)) => list,
                    value => Value::List(vec![value]),
                };
                self.go_through(&[name], &list, self.at);
            }
            return;
        }
        if bracket && close < self.end {
            if self.is_counted(self.at, close) {
                return;
            }
            self.at += 1;
        }
        // `for (const { name, paths } of steps)`
        let open = self.at + usize::from(matches!(self.word(), Some("const" | "let" | "var")));
        let is_pattern =
            self.language == Language::JavaScript && self.code.tokens.get(open) == Some(&Token::Op("{"));
        if is_pattern && bracket && close < self.end {
            let end = self.code.mate(open);
            let parts = self.parts(open, end);
            self.at = end + 2;
            let element = self.expression_list().element();
            let code = Rc::clone(&self.code);
            self.bind_parts(&code, &parts, &element);
            self.at = close + 1;
            return;
        }
        let names = self.loop_names();
        let start = self.at;
        self.mark_body();
        let list = self.expression_list();
        let list = self.lines_of(list);
        self.note_each_of_call(&names, start);
        let head = if bracket && close < self.end && self.language != Language::Python {
            close + 1
        } else {
            self.at
        };
        self.go_through(&names, &list, head);
        if self.is_unending(start, self.at) {
            self.endless_from_here();
        }
        self.at = head;
        if matches!(&list, Value::List(values) if values.is_empty())
            && (self.is_list_of_data() || self.is_of_call(start, self.at))
        {
            let end = self.block_end();
            self.skip_later(self.at + usize::from(self.op() == Some(":")), end);
        }
    }

    /// A list to go through; Python goes through the lines of its input where they are named alone.
    pub(super) fn lines_of(&mut self, list: Value) -> Value {
        match &list {
            Value::Name(path) if path == "sys.stdin" && self.language == Language::Python => {
                self.invoke_path("sys.stdin.readlines", Arguments::default())
            }
            _ => list,
        }
    }

    /// Whether an empty list can only come from data: the code reads some, and writes no empty list itself.
    fn is_list_of_data(&self) -> bool {
        let empties = |pair: &[Token]| match pair {
            [Token::Op("["), Token::Op("]")] => true,
            [Token::Name(makes), Token::Op("(")] => {
                matches!(makes.as_str(), "list" | "set" | "deque" | "filter")
            }
            _ => false,
        };
        let reads = ["json", "JSON", "yaml", "YAML", "csv"].iter().any(|name| self.names(name));
        reads
            && matches!(self.language, Language::Python | Language::JavaScript)
            && !self.code.tokens.windows(2).any(empties)
    }

    /// Whether a loop over what stands here never ends: `iter(int, 1)` or `itertools.count()` in Python.
    pub(super) fn is_unending(&mut self, start: usize, end: usize) -> bool {
        let tokens = self.code.tokens.get(start..end).unwrap_or_default();
        let [Token::Name(first), rest @ ..] = tokens else { return false };
        match first.as_str() {
            "iter" => rest.contains(&Token::Op(",")),
            // With a number after it, `repeat` ends.
            "itertools" | "count" | "cycle" | "repeat" => {
                let is = |name: &str| {
                    matches!(rest.get(1), Some(Token::Name(word)) if word == name) || first == name
                };
                is("count") || is("cycle") || is("repeat") && !rest.contains(&Token::Op(","))
            }
            _ => false,
        }
    }

    /// `for (;;)`: looks at its parts; `true` if the brackets hold no list to go through.
    fn is_counted(&mut self, open: usize, close: usize) -> bool {
        let mut semicolons = 0;
        let mut at = open + 1;
        while at < close.min(self.end) {
            match &self.code.tokens[at] {
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                Token::Op(";") => semicolons += 1,
                _ => {}
            }
            at += 1;
        }
        self.step(at - open);
        // A list to go through, not the three parts of a counted loop.
        if semicolons < 2 {
            return false;
        }
        // Nothing but two semicolons: no condition ends it.
        if close == open + 3 {
            self.at = close + 1;
            self.endless_from_here();
        }
        // The parts are statements.
        self.at = open + 1;
        true
    }

    /// The names before `in`, `of`, `:` or after `as`.
    pub(super) fn loop_names(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        let start = self.at;
        // Bounded: without `in` the names would go on to the end of the code.
        while self.at < self.end && self.at < start + 32 {
            match self.peek() {
                Some(Token::Name(word)) if matches!(word.as_str(), "in" | "of") => {
                    self.at += 1;
                    break;
                }
                Some(Token::Name(word))
                    if matches!(
                        word.as_str(),
                        "const" | "let" | "var" | "my" | "await" | "final" | "range"
                    ) =>
                {
                    self.at += 1;
                }
                // Its type stands before it: `for (Map.Entry<String, String> e : map.entrySet())`.
                Some(Token::Name(_))
                    if matches!(self.language, Language::Jvm | Language::Other)
                        && let Some(end) = self.type_ends(self.at)
                        && matches!(self.code.tokens.get(end), Some(Token::Name(word)) if word != "in") =>
                {
                    self.at = end;
                }
                Some(Token::Name(name) | Token::Variable(name)) => {
                    names.push(name.clone());
                    self.at += 1;
                }
                // Java's `for (File f : files)`: the last word is the name.
                Some(Token::Op(":")) if self.language == Language::Jvm => {
                    self.at += 1;
                    names = names.pop().into_iter().collect();
                    break;
                }
                // Scala's `for (d <- ds)`
                Some(Token::Op("<")) if self.language == Language::Jvm && self.op_ahead(1) == Some("-") => {
                    self.at += 2;
                    break;
                }
                Some(Token::Op(":=" | "=")) => {
                    self.at += 1;
                    self.take_word("range");
                    break;
                }
                // `for name, *rest in rows`, `for (const [name, ...rest] of rows)`
                Some(Token::Op("*" | "...")) if let Some(rest) = self.word_ahead(1) => {
                    names.push(format!("{REST}{rest}"));
                    self.at += 2;
                }
                Some(Token::Op("," | "(" | ")" | "[" | "]" | "=>" | "{" | "}" | "&" | "*")) => {
                    if self.language == Language::Php && self.op() == Some(")") {
                        break;
                    }
                    // `for (const [, value] of map)`: the first one has no name.
                    if self.op() == Some("[") && self.op_ahead(1) == Some(",") {
                        names.push(String::new());
                    }
                    self.at += 1;
                }
                _ => break,
            }
        }
        names
    }

    /// Lets the names of a loop stand for the elements of a list.
    pub(super) fn bind_each(&mut self, names: &[String], list: &Value) {
        let pairs = matches!(self.language, Language::Php | Language::Lua | Language::Go);
        if let Value::Map(entries) = list {
            let keys = Value::any(entries.iter().map(|(key, _)| Value::from(key.as_str())).collect());
            let values = Value::any(entries.iter().map(|(_, value)| value.clone()).collect());
            match names {
                [value] if self.language == Language::Php => self.assign(value, values),
                [key] => self.assign(key, keys),
                [key, value, ..] => {
                    self.assign(key, keys);
                    self.assign(value, values);
                }
                [] => {}
            }
            return;
        }
        match names {
            // Keys are numbers, but those of PHP's iterators over folders, which are paths.
            [key, value] if pairs => {
                let is_path = self.language == Language::Php
                    && matches!(list.element(), Value::Text(text) if text.text.contains('/') && shell_engine::mark::any(&text.text));
                let number = || Value::from(shell_engine::mark::TOKEN);
                let keys = if is_path { list.element() } else { number() };
                self.assign(key, keys);
                self.assign(value, list.element());
            }
            names => self.bind(names, list.element()),
        }
    }

    /// Lets names stand for the parts of a value.
    pub(super) fn bind(&mut self, names: &[String], value: Value) {
        if let [name] = names {
            return self.assign(name, value);
        }
        for (position, name) in names.iter().enumerate() {
            let rest = name.strip_prefix(REST);
            let part = part_of(&value, position, rest.is_some());
            self.assign(rest.unwrap_or(name), part);
        }
    }
}

/// What stands before the name that takes all parts that are left.
const REST: char = '*';

/// The part of a value at a position, or all from there on. Of a list of pairs, any first one and any second one.
fn part_of(value: &Value, position: usize, rest: bool) -> Value {
    match value {
        Value::List(values) if rest => Value::List(values.iter().skip(position).cloned().collect()),
        Value::List(values) => values.get(position).cloned().unwrap_or_else(Value::unknown),
        Value::Any(values) if values.iter().all(|value| matches!(value, Value::List(_))) => {
            let has =
                |value: &&Value| matches!(value, Value::List(values) if rest || values.len() > position);
            Value::any(values.iter().filter(has).map(|value| part_of(value, position, rest)).collect())
        }
        value => value.clone(),
    }
}
