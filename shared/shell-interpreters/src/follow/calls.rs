//! Calls of what the code defines itself.

use std::collections::VecDeque;
use std::rc::Rc;

use shell_engine::mark;

use super::Follower;
use super::decided::{is_nothing, is_yes};
use super::functions::{CASES, MAX_FUNCTIONS};
use super::postfix::{Callee, callee_of};
use super::scopes::{Declares, Scope};
use crate::Language;
use crate::act::Call;
use crate::invoke::{ATTRIBUTE, METHOD};
use crate::lex::{Code, Token};
use crate::options::{PARSED, WORDS};
use crate::value::{Arguments, Defined, Function, Parameter, Part, Takes, Value};

/// Classes above one another.
const MAX_BASES: usize = 16;

/// Folders, from that of a test up, in which pytest looks for fixtures.
const MAX_CONFTESTS: usize = 3;

/// The name of what makes objects of a type that only has fields. No code can write it.
const RECORD: &str = "()record";

/// Whether Python calls a method by itself for an operator, an element or a format.
fn is_hook(name: &str) -> bool {
    name.starts_with("__")
        && !matches!(
            name,
            "__init__"
                | "__call__"
                | "__enter__"
                | "__exit__"
                | "__getattr__"
                | "__getattribute__"
                | "__del__"
                | "__new__"
                | "__reduce__"
                | "__reduce_ex__"
                | "__setattr__"
                | "__init_subclass__"
        )
}

/// An object with the fields that the first argument lists: the others have them in their order, or by their names.
fn record(arguments: &Arguments) -> Value {
    let Some((Value::List(names), values)) = arguments.values.split_first() else { return Value::unknown() };
    let fields = names.iter().map(Value::text).enumerate().map(|(place, name)| {
        let given = arguments.named(&name).or_else(|| values.get(place));
        let value = given.cloned().unwrap_or_else(|| Value::from(mark::PASSED));
        (name, value)
    });
    Value::Map(fields.collect())
}

impl Follower<'_> {
    /// A type that only has fields: `namedtuple("Job", "name root")`, `Struct.new(:name, :root)`.
    pub(crate) fn record_type(inputs: &[Value], arguments: &Arguments) -> Value {
        let names: Vec<Value> = match inputs {
            // The name of the type comes first.
            [_, Value::List(names)] => names.clone(),
            [Value::Text(_), Value::Text(names)] if names.text.contains([' ', ',']) => {
                names.text.split([' ', ',']).filter(|name| !name.is_empty()).map(Value::from).collect()
            }
            names => names.to_vec(),
        };
        // Pairs of a name and its type.
        let name = |field: Value| match field {
            Value::List(parts) => parts.first().cloned().unwrap_or_else(Value::unknown),
            name => name,
        };
        let names = Value::List(names.into_iter().map(name).collect());
        let block = arguments.block.clone();
        let first = Arguments { block, ..Arguments::of(vec![names]) };
        Value::Bound(Rc::new((Value::Name(RECORD.to_owned()), first)))
    }

    /// Calls a function of the code with values in their order. What it gets too little of is only known at run time.
    pub(crate) fn call_function(&mut self, function: &Rc<Function>, values: Vec<Value>) -> Value {
        self.enter_function(function, &Arguments::of(values), None, false)
    }

    /// Calls a function of the code as the code does: what has a name goes where it belongs, and what is not passed is
    /// what the function says.
    pub(crate) fn call_with(&mut self, function: &Rc<Function>, arguments: &Arguments) -> Value {
        self.enter_function(function, arguments, None, true)
    }

    /// The same as a method of a value.
    pub(crate) fn call_on(
        &mut self,
        object: &Value,
        function: &Rc<Function>,
        arguments: &Arguments,
    ) -> Value {
        if let Some(known) = self.defined.iter_mut().find(|known| Rc::ptr_eq(&known.function, function)) {
            known.called = true;
        }
        self.enter_function(function, arguments, Some(object), true)
    }

    fn enter_function(
        &mut self,
        function: &Rc<Function>,
        arguments: &Arguments,
        object: Option<&Value>,
        takes_defaults: bool,
    ) -> Value {
        let mut values = arguments.values.clone();
        let identity = Rc::as_ptr(function);
        if takes_defaults
            && let Some(known) = self.defined.iter_mut().find(|known| Rc::as_ptr(&known.function) == identity)
        {
            known.called |= !self.doubles.are_of(function);
        }
        if self.active.contains(&identity) {
            return Value::computed(values.iter());
        }
        let bound = self.bound_object(function, object);
        let is_bound = bound.is_some();
        values.splice(0..0, bound);
        let keeps = match self.language {
            Language::Python | Language::Php | Language::R | Language::Julia => true,
            // A block shares the names of the method around it.
            Language::Ruby => self.known(identity).is_some(),
            _ => false,
        };
        let outside = self.scopes.len();
        self.scopes.push(Scope::of_function(keeps));
        let declares = std::mem::replace(&mut self.declares, Declares::InBlock);
        // While the function around it is still at work, its names are those of now.
        if !self.calls.contains(&function.made_in) {
            for (name, value) in &function.captured {
                self.assign(name, value.clone());
            }
        }
        // The function may look for its object's fields.
        if let (Some(object @ Value::Map(_)), Some(name)) = (object, self.name_of_object(function)) {
            self.assign(&name, object.clone());
        }
        if self.language == Language::Perl {
            values.splice(0..0, object.cloned());
            values.extend(
                arguments.named.iter().flat_map(|(name, value)| [Value::from(name.as_str()), value.clone()]),
            );
        }
        // Methods of Java and its kin name fields as if they were variables.
        if let (Some(Value::Map(entries)), Language::Jvm | Language::Other) = (object, self.language) {
            for (name, value) in entries {
                self.assign(name, value.clone());
            }
        }
        let rest = Value::List(values.clone());
        for (position, parameter) in function.parameters.iter().enumerate() {
            let name = parameter.name.as_str();
            let given = || arguments.named(name).cloned();
            let given = match &parameter.takes {
                Takes::Rest => match values.get(position..).unwrap_or(&[]) {
                    [] => None,
                    more => Some(Value::List(more.to_vec())),
                },
                // Django hands over what its parser made.
                Takes::Named if self.has_flags && arguments.named.is_empty() && self.is_handler(identity) => {
                    Some(Value::Name(PARSED.to_owned()))
                }
                Takes::Named => {
                    let is_other = |name: &str| !function.parameters.iter().any(|known| known.name == name);
                    let others = arguments.named.iter().filter(|(name, _)| is_other(name));
                    Some(Value::Map(others.cloned().collect()))
                }
                Takes::Block => arguments.block.clone().map(Value::Function),
                _ => values.get(position).cloned().or_else(given).or_else(|| {
                    // Kotlin's `step("clean") { … }`
                    let is_last = position + 1 == function.parameters.len();
                    let takes = is_last && matches!(self.language, Language::Jvm | Language::Other);
                    arguments.block.clone().filter(|_| takes).map(Value::Function)
                }),
            };
            let default = parameter.default.filter(|_| takes_defaults);
            self.bind_parameter(&function.code, &Parameter { default, ..parameter.clone() }, given);
        }
        if matches!(self.language, Language::Perl)
            && !function.parameters.iter().any(|parameter| parameter.name == "_")
            || self.language == Language::JavaScript
        {
            self.assign(if self.language == Language::Perl { "_" } else { "arguments" }, rest);
        } else if self.language == Language::Perl && values.len() != 1 {
            self.assign("_", rest);
        }
        self.end_parameters();
        let words = self.hand_words(function, &arguments.of_call, usize::from(is_bound));
        self.declares = Declares::No;
        self.active.push(identity);
        self.called += 1;
        self.calls.push(self.called);
        self.blocks.push(arguments.block.clone().or_else(|| self.block_around(function)));
        let class =
            self.known(identity).map_or_else(|| Rc::clone(&self.class), |known| Rc::clone(&known.class));
        let class = std::mem::replace(&mut self.class, class);
        let outer = std::mem::take(&mut self.returned);
        let last = self.run_body(function);
        let mut returned = std::mem::replace(&mut self.returned, outer);
        self.active.pop();
        self.calls.pop();
        self.blocks.pop();
        self.class = class;
        let changed = self.changed_arguments(function, arguments, usize::from(is_bound));
        let changed_object = self.changed_object(function, object, is_bound);
        self.end_scopes(outside);
        self.declares = declares;
        if let Some(words) = words {
            self.of_call = words;
        }
        if let (Some(object), Some(place)) = (changed_object, &arguments.place) {
            self.put_back(place, object);
        }
        for (name, value) in changed {
            self.assign(&name, value);
        }
        if returned.is_empty() {
            return last;
        }
        // Its last value is what Ruby's gives back where no `return` is reached.
        if self.language == Language::Ruby {
            returned.push(last);
        }
        Value::any(std::mem::take(&mut returned))
    }

    /// Whether a function is what a command of Django's does.
    fn is_handler(&self, function: *const Function) -> bool {
        self.language == Language::Python
            && self.given.complete
            && self.known(function).is_some_and(|known| known.name == "handle")
            && self.names("add_arguments")
    }

    /// What a method calls its object, where that is no parameter.
    fn name_of_object(&self, function: &Function) -> Option<String> {
        match self.language {
            Language::Lua => Some("self".to_owned()),
            Language::JavaScript => Some("this".to_owned()),
            _ => function.receiver.clone(),
        }
    }

    /// The object of the method that has run, with what it holds now.
    fn changed_object(&self, function: &Function, object: Option<&Value>, is_bound: bool) -> Option<Value> {
        let Some(Value::Map(before)) = object else { return None };
        let first = function.parameters.first().map(|first| first.name.clone());
        let name = self.name_of_object(function).or(first.filter(|_| is_bound));
        if let Some(now) = name.and_then(|name| self.variables.get(&name)) {
            return matches!(now, Value::Map(_)).then(|| now.clone());
        }
        // Its fields are variables there.
        let fields = matches!(self.language, Language::Jvm | Language::Other).then(|| {
            before
                .iter()
                .map(|(name, value)| (name.clone(), self.variables.get(name).unwrap_or(value).clone()))
        });
        fields.map(|fields| Value::Map(fields.collect()))
    }

    /// The variables of the call whose lists and maps the function has changed, with what they hold now. `bound` of its
    /// parameters are not in the call.
    fn changed_arguments(
        &self,
        function: &Function,
        arguments: &Arguments,
        bound: usize,
    ) -> Vec<(String, Value)> {
        let changed = |(place, name): &(usize, String)| {
            let parameter = function.parameters.get(place + bound)?;
            let (before, now) = (arguments.values.get(*place)?, self.variables.get(&parameter.name)?);
            let is_changed = match (before, now) {
                (Value::List(before), Value::List(now)) => before.len() != now.len(),
                (Value::Map(before), Value::Map(now)) => {
                    let differs = |(before, now): (&(String, Value), &(String, Value))| {
                        before.1.text() != now.1.text() || before.1.weight(64) != now.1.weight(64)
                    };
                    before.len() != now.len() || before.iter().zip(now).any(differs)
                }
                // An empty one may have become the other.
                (Value::List(_), Value::Map(_)) | (Value::Map(_), Value::List(_)) => true,
                _ => parameter.takes == Takes::Reference && before.text() != now.text(),
            };
            is_changed.then(|| (name.clone(), now.clone()))
        };
        arguments.variables.iter().filter_map(changed).collect()
    }

    /// What a method gets first: its object, or its class.
    fn bound_object(&self, function: &Rc<Function>, object: Option<&Value>) -> Option<Value> {
        let first = function.parameters.first().map(|first| first.name.as_str());
        let is_method = matches!(first, Some("self" | "cls" | "this"));
        if !is_method || !matches!(self.language, Language::Python | Language::Other) {
            return None;
        }
        // Only objects of which all fields are known are distinguished, and classes by their names.
        let is_class = first == Some("cls");
        let is_told_apart =
            |object: &&Value| matches!(object, Value::Map(_)) || is_class && matches!(object, Value::Name(_));
        let class = self.known(Rc::as_ptr(function)).filter(|known| is_class && !known.class.is_empty());
        let own = class.map_or_else(|| "self".to_owned(), |known| known.class.to_string());
        Some(object.filter(is_told_apart).cloned().unwrap_or(Value::Name(own)))
    }

    /// Runs the body of a function. What a test has changed ends with it; what its fixture has, does not.
    fn run_body(&mut self, function: &Rc<Function>) -> Value {
        let identity = Rc::as_ptr(function);
        let (home, doubles) = (Rc::clone(&self.scope.home), self.doubles.len());
        if let Some(name) = self.known(identity).map(|known| known.name.clone()) {
            self.decorated_doubles(function, &name);
        }
        let last = self.run_inside(Rc::clone(&function.code), function.start, function.end);
        if !self.is_fixture(identity) {
            if !self.home.is_moved {
                self.scope.home = home;
            }
            if self.language == Language::Python {
                self.doubles.end(doubles);
            }
        }
        last
    }

    /// The block of the method in which a block was made: it is what `yield` calls in both.
    fn block_around(&self, function: &Function) -> Option<Rc<Function>> {
        let maker = self.calls.iter().position(|call| *call == function.made_in)?;
        self.blocks.get(maker).cloned().flatten()
    }

    /// Whether a function is one that pytest calls for tests that name it.
    fn is_fixture(&self, identity: *const Function) -> bool {
        self.language == Language::Python
            && self.known(identity).is_some_and(|known| known.is_decorated_with("fixture"))
    }

    /// What pytest does before it calls the tests of a file: it takes the fixtures of `conftest.py` in, and calls those that
    /// no test has to name.
    fn set_up_tests(&mut self) {
        let file = self.own_file();
        let is_test = |file: &str| file.starts_with("test_") || file.ends_with("_test.py");
        if self.language != Language::Python
            || !is_test(shell_engine::path::file_name(&file))
            || !self.is_tested()
        {
            return;
        }
        let before = self.defined.len();
        let mut folder = &*self.own_folder();
        for _ in 0..MAX_CONFTESTS {
            self.module(&[&format!("{folder}/conftest.py")]);
            match folder.rsplit_once('/') {
                Some((above, _)) if *folder != *self.scope.cwd => folder = above,
                _ => break,
            }
        }
        // What is no fixture there is called by pytest itself, or by no one.
        self.defined.iter_mut().skip(before).for_each(|known| known.called = true);
        // `@pytest.fixture(autouse=True)`
        let is_for_all = |three: &[Token]| match three {
            [Token::Name(word), Token::Op("="), Token::Name(yes)] => word == "autouse" && yes == "True",
            _ => false,
        };
        let for_all = |known: &&Defined| {
            known.class.is_empty()
                && known.is_decorated_with("fixture")
                && known.decorators().windows(3).any(is_for_all)
        };
        let fixtures: Vec<Rc<Function>> =
            self.defined.iter().filter(for_all).map(|known| Rc::clone(&known.function)).collect();
        for fixture in fixtures {
            self.call_function(&fixture, Vec::new());
        }
    }

    /// What pytest hands to who names it: the code's own fixture, or one of its own.
    fn asked_fixture(&mut self, name: &str) -> Option<Value> {
        if self.language != Language::Python {
            return None;
        }
        if let Some(fixture) =
            self.function_named(name).filter(|fixture| self.is_fixture(Rc::as_ptr(fixture)))
        {
            return Some(self.call_function(&fixture, Vec::new()));
        }
        Some(match name {
            "monkeypatch" | "mocker" => Value::Name(name.to_owned()),
            "tmp_path" | "tmpdir" => Value::from(format!("/tmp/{}", mark::TOKEN)),
            "tmp_path_factory" | "tmpdir_factory" => Value::Name("tempfile".to_owned()),
            _ => return None,
        })
    }

    /// Lets a parameter stand for what it is passed, or for what it is otherwise.
    fn bind_parameter(&mut self, code: &Rc<Code>, parameter: &Parameter, given: Option<Value>) {
        let value = match (given, parameter.default) {
            (Some(value), _) => value,
            // Nothing is the same as not passed.
            (None, Some((start, end))) if matches!(code.tokens.get(start..end), Some([token]) if is_nothing(token)) => {
                Value::from(mark::PASSED)
            }
            (None, Some((start, end))) => self.inside(Rc::clone(code), start, end, Self::assignment),
            // A command of click gets its options by their names; of others, no one passes it.
            (None, None) => {
                let fixture = self.asked_fixture(&parameter.name);
                let named = |path: String| self.variable(&path).cloned();
                let option = fixture.or_else(|| named(format!("{PARSED}.{}", parameter.name)));
                let option = option.or_else(|| named(format!("{CASES} {}", parameter.name)));
                option.unwrap_or_else(|| Value::from(mark::PASSED))
            }
        };
        if let Takes::Parts(parts) = &parameter.takes {
            self.bind_parts(code, parts, &value);
            return;
        }
        if parameter.is_field {
            self.assign(&format!("this.{}", parameter.name), value.clone());
        }
        self.assign(&parameter.name, value);
    }

    /// Lets names stand for parts of a value: `const {a, b = 1} = value`.
    pub(super) fn bind_parts(&mut self, code: &Rc<Code>, parts: &[Part], value: &Value) {
        for part in parts {
            if matches!(part.to.takes, Takes::Rest) {
                let rest = match (value, part.key.parse::<usize>()) {
                    (Value::List(values), Ok(place)) => {
                        Value::List(values.get(place..).unwrap_or_default().to_vec())
                    }
                    (value, _) => value.clone(),
                };
                self.assign(&part.to.name, rest);
                continue;
            }
            let given = match value {
                Value::Map(_) if part.to.default.is_some() => value.get(&part.key).cloned(),
                Value::List(values) if values.is_empty() => None,
                Value::List(values) if let Ok(place) = part.key.parse::<usize>() => match part.to.default {
                    Some(_) => values.get(place).cloned(),
                    None => Some(values.get(place).cloned().unwrap_or_else(Value::unknown)),
                },
                value => match part.key.parse() {
                    Ok(place) => Some(self.element_of(value, &Value::Number(place))),
                    Err(_) => Some(self.property(value, &part.key)),
                },
            };
            self.bind_parameter(code, &part.to, given);
        }
    }

    /// Calls what makes an object of a class of the code, as far as that sets its fields, or a method of the class above:
    /// `C("/")`, `new C("/")`, `C.new("/")`, `super("/")`, `super().go()`.
    pub(crate) fn call_of_class(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        let Some(method) = self.method_of_class(path) else { return self.fill_fields(path, arguments) };
        let method = Rc::clone(&method.function);
        if let Some(known) = self.defined.iter_mut().find(|known| Rc::ptr_eq(&known.function, &method)) {
            known.called = true;
        }
        let is_field =
            |name: &str| name.starts_with(['@']) || name.starts_with("self.") || name.starts_with("this.");
        let before: Vec<(String, Value)> = self
            .variables
            .iter()
            .filter(|(name, _)| is_field(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        // Python's `Base.__init__(self, "/")`
        let mut handed = arguments.clone();
        if path.ends_with(".__init__")
            && matches!(handed.first(), Some(Value::Name(object)) if object == "self")
        {
            handed.values.remove(0);
        }
        let value = self.call_with(&method, &handed);
        // Fields have no object here: what another one has may be meant as well.
        for (name, value) in before {
            let is_called = |value: &Value| matches!(value, Value::Function(_) | Value::Bound(_));
            let differs = |now: &&Value| now.text() != value.text() || is_called(now) || is_called(&value);
            if let Some(now) = self.variables.get(&name).filter(differs).cloned() {
                self.variables.insert(name, Value::any(vec![value, now]));
            }
        }
        // `Job.new("/")` is a `Job`, whatever it gets.
        Some(match path.strip_suffix(".new") {
            Some(class) => Value::Name(class.to_owned()),
            None if path.starts_with("super") => value,
            None => self.made_by(path, arguments),
        })
    }

    /// Makes an object of a class of Python's that only says which fields there are: `@dataclass`.
    fn fill_fields(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        // `module.Job("/")`
        let own = path.rsplit('.').next().unwrap_or(path);
        let names = self.fields.iter().filter(|(class, _)| **class == *own).map(|(_, name)| name.clone());
        let names: Vec<String> = names.collect();
        // C#'s `new ProcessStartInfo("rm", "-rf /")`
        if path.ends_with("ProcessStartInfo") && self.language == Language::Other {
            let names = ["FileName", "Arguments"].map(str::to_owned);
            return Some(Value::Map(names.into_iter().zip(arguments.values.iter().cloned()).collect()));
        }
        if path == "Process" && self.language == Language::Other {
            return Some(Value::Map(vec![("StartInfo".to_owned(), Value::Map(Vec::new()))]));
        }
        if names.is_empty() {
            // Groovy's `new Job(root: "/")`
            // and those of a class that extends `dict`.
            let extends_map = || self.base_of(path).is_some_and(|base| matches!(&*base, "dict" | "UserDict"));
            let fills = !arguments.named.is_empty()
                && self.is_class(path)
                && (self.language == Language::Jvm || extends_map());
            return fills.then(|| Value::Map(arguments.named.clone()));
        }
        let mut fields = Vec::new();
        let last = names.len() - 1;
        for (position, name) in names.into_iter().enumerate() {
            let block = || arguments.block.clone().filter(|_| position == last).map(Value::Function);
            let given = arguments.values.get(position).or_else(|| arguments.named(&name)).cloned();
            let given = given.or_else(block);
            let field = format!("self.{name}");
            let value = match given {
                Some(value) => {
                    self.assign(&field, value.clone());
                    value
                }
                None => self.variable(&field).cloned().unwrap_or_else(Value::unknown),
            };
            fields.push((name, value));
        }
        Some(Value::Map(fields))
    }

    fn method_of_class(&self, path: &str) -> Option<&Defined> {
        let at_work = || self.active.last().and_then(|&active| self.known(active));
        let (class, name) = match path.rsplit_once('.') {
            Some((class, "new" | "__init__" | "__construct")) => (class, None),
            Some((class @ ("super" | "parent"), name)) => (class, Some(name)),
            // It is the class above itself there.
            None if path == "super" && self.language == Language::Python => return None,
            // The same method of the class above.
            None if path == "super" => {
                let method = at_work().filter(|method| !self.makes_objects(method));
                (path, method.map(|method| method.name.as_str()))
            }
            _ => (path, None),
        };
        let mut class = match class.rsplit('.').next().unwrap_or(class) {
            "self" | "cls" | "static" | "this" => Rc::clone(&self.class),
            "super" | "parent" => self.base_of(&self.class)?,
            class => Rc::from(class),
        };
        for _ in 0..MAX_BASES {
            let is_meant = |known: &&Defined| {
                known.class == class
                    && name.map_or_else(|| self.makes_objects(known), |name| known.name == name)
            };
            if let Some(method) = self.defined.iter().rev().find(is_meant) {
                return Some(method);
            }
            class = self.base_of(&class)?;
        }
        None
    }

    /// The method that objects of a class have, where classes have several of this name.
    pub(crate) fn method_in(&self, class: &str, name: &str) -> Option<Rc<Function>> {
        let own = |known: &&Defined| known.name == name && !known.class.is_empty();
        if self.defined.iter().filter(own).count() < 2 || !self.is_class(class) {
            return None;
        }
        let mut class: Rc<str> = Rc::from(class);
        for _ in 0..MAX_BASES {
            let is_meant = |known: &&Defined| known.name == name && known.class == class;
            if let Some(method) = self.defined.iter().rev().find(is_meant) {
                return Some(Rc::clone(&method.function));
            }
            class = self.base_of(&class)?;
        }
        None
    }

    /// Python calls this of the class above for each class that extends it.
    pub(super) fn class_ends(&mut self) {
        if self.language != Language::Python || self.bases.is_empty() {
            return;
        }
        let class = Rc::clone(&self.class);
        let mut base = self.base_of(&class);
        for _ in 0..MAX_BASES {
            let Some(above) = base else { return };
            let is_meant = |known: &&mut Defined| known.name == "__init_subclass__" && known.class == above;
            if let Some(known) = self.defined.iter_mut().rev().find(is_meant) {
                known.called = true;
                let hook = Rc::clone(&known.function);
                self.enter_function(
                    &hook,
                    &Arguments::default(),
                    Some(&Value::Name(class.to_string())),
                    true,
                );
                return;
            }
            base = self.base_of(&above);
        }
    }

    /// Whether the code has a class of this name.
    pub(crate) fn is_class(&self, name: &str) -> bool {
        !name.is_empty()
            && (*self.class == *name
                || self.classes.iter().any(|class| **class == *name)
                || self.defined.iter().any(|known| *known.class == *name))
    }

    /// Nothing calls the methods of a class.
    pub(crate) fn forget_class(&mut self, class: &str) {
        for known in self.defined.iter_mut().filter(|known| *known.class == *class) {
            known.called = true;
        }
    }

    /// What a property of an object is that a method computes.
    pub(super) fn computed_property(&mut self, object: &Value, name: &str) -> Option<Value> {
        let known = self.defined.iter_mut().rev().find(|known| known.is_property && known.name == name)?;
        known.called = true;
        let function = Rc::clone(&known.function);
        Some(self.call_on(object, &function, &Arguments::default()))
    }

    /// The class of the method at work.
    pub(crate) fn class_at_work(&self) -> Option<Rc<str>> {
        let known = self.active.last().and_then(|&active| self.known(active))?;
        Some(Rc::clone(&known.class)).filter(|class| !class.is_empty())
    }

    /// What is known of a function with a name.
    pub(super) fn known(&self, function: *const Function) -> Option<&Defined> {
        self.defined.iter().find(|known| Rc::as_ptr(&known.function) == function)
    }

    /// What the parameters of the function at work stand for.
    pub(super) fn handed_to_method(&self) -> Vec<Value> {
        let known = self.active.last().and_then(|&active| self.known(active));
        let parameters = known.map_or(&[][..], |known| &known.function.parameters);
        let value = |name: &str| self.variable(name).cloned().unwrap_or_else(Value::unknown);
        parameters.iter().map(|parameter| value(&parameter.name)).collect()
    }

    /// Whether a method is what makes an object of its class.
    pub(super) fn makes_objects(&self, known: &Defined) -> bool {
        let own = match self.language {
            Language::Python => "__init__",
            Language::JavaScript => "constructor",
            Language::Ruby => "initialize",
            Language::Php => "__construct",
            _ => "init",
        };
        // Java's has the name of the class.
        !known.class.is_empty() && (known.name == own || *known.name == *known.class)
    }

    /// The class that another one extends.
    pub(super) fn base_of(&self, class: &str) -> Option<Rc<str>> {
        self.bases.iter().rev().find(|(known, _)| **known == *class).map(|(_, base)| Rc::clone(base))
    }

    /// The fields that stand after the name of a class: Kotlin's `class Job(val root: String)`, Scala's
    /// `case class Job(root: String)`, C#'s `class Job(string root)`.
    fn fields_of_header(&mut self) {
        if !matches!(self.language, Language::Jvm | Language::Other) || self.op() != Some("(") {
            return;
        }
        let class = Rc::clone(&self.class);
        for parameter in self.parameters_in_brackets() {
            self.keep_field(&class, parameter.name);
        }
    }

    /// The constants of an `enum` that are made like objects: `ROOT("/"), TEMP("build");`. What makes them comes later.
    pub(super) fn constants(&mut self) {
        let class = Rc::clone(&self.class);
        let before = self.at;
        while self.op().is_some_and(|op| op != "{") || self.word().is_some() {
            self.at += 1;
        }
        self.at += 1;
        loop {
            self.skip_lines();
            let Some(name) = self.word().map(str::to_owned) else { break };
            if self.op_ahead(1) != Some("(") {
                break;
            }
            self.at += 1;
            let arguments = self.arguments();
            self.assign(&format!("{class}.{name}"), Value::Name(class.to_string()));
            if self.constants.len() < MAX_FUNCTIONS {
                self.constants.push((Rc::clone(&class), arguments));
            }
            if !self.take(",") {
                break;
            }
        }
        self.at = before;
    }

    /// The class whose name stands here, and the one that it extends: `class D(B):`, `class D extends B {`, `class D < B`.
    pub(super) fn class_begins(&mut self) {
        self.at += 1;
        let Some(name) = self.word().map(Rc::from) else { return };
        if self.classes.len() < MAX_FUNCTIONS {
            self.classes.push(Rc::clone(&name));
        }
        self.class = name;
        self.at += 1;
        self.fields_of_header();
        self.begin_class();
        let extends = match self.op() {
            Some("(" | "<" | ":") => 1,
            _ if self.word() == Some("extends") => 1,
            _ => return,
        };
        // `module.Base`: the last part is the name.
        let mut ahead = extends;
        while matches!(self.op_ahead(ahead + 1), Some("." | "::")) {
            ahead += 2;
        }
        if let Some(base) = self.word_ahead(ahead).map(Rc::from)
            && self.bases.len() < MAX_FUNCTIONS
        {
            self.bases.push((Rc::clone(&self.class), base));
        }
        // `class A extends mixin(B) {`: a call, and no method.
        if self.language == Language::JavaScript && self.take_word("extends") {
            self.assignment();
        }
    }

    /// The function of the code with this name, which has its turn now: those that nothing calls have it at the end.
    pub(crate) fn take_function(&mut self, name: &str) -> Option<Rc<Function>> {
        // A module calls its own before those of others.
        let code = &self.code;
        let is_here = |known: &Defined| Rc::ptr_eq(&known.function.code, code);
        let found = |known: &Defined| known.name == name && known.is_seen_by(code);
        let at = self
            .defined
            .iter()
            .rposition(|known| is_here(known) && found(known))
            .or_else(|| self.defined.iter().rposition(found))?;
        let known = &mut self.defined[at];
        // Who else calls it may have no doubles.
        known.called |= !self.doubles.are_of(&known.function);
        Some(Rc::clone(&known.function))
    }

    /// Keeps a function that someone else calls by this name, or by none: it is looked through at the end.
    pub(crate) fn keep_function(&mut self, name: &str, function: Rc<Function>) {
        if self.defined.len() < MAX_FUNCTIONS {
            let class = Rc::clone(&self.class);
            let name = name.to_owned();
            self.defined.push(Defined {
                name,
                class,
                function,
                called: false,
                is_property: false,
                is_handed: false,
                hidden_from: None,
            });
        }
    }

    /// Looks through the functions that nothing has called.
    pub(crate) fn uncalled(&mut self) {
        for (class, arguments) in std::mem::take(&mut self.constants) {
            self.call_of_class(&class, &arguments);
        }
        self.set_up_tests();
        self.count_names();
        self.leave_out_targets();
        // Where a program begins comes first, and so do the tests that a runner calls: they call the others.
        let begins = |known: &Defined| {
            matches!(known.name.as_str(), "main" | "Main" | "init") || known.name.starts_with("test_")
        };
        let (first, others): (Vec<usize>, Vec<usize>) =
            (0..self.defined.len()).partition(|&position| begins(&self.defined[position]));
        let begin_others = others.first().copied();
        let (home, is_moved) = (Rc::clone(&self.scope.home), self.home.is_moved);
        let mut waiting: VecDeque<usize> = first.into_iter().chain(others).collect();
        let mut seen = self.defined.len();
        loop {
            // Those that one of these has defined come after all others.
            waiting.extend(seen..self.defined.len());
            seen = seen.max(self.defined.len());
            let Some(position) = waiting.pop_front() else { break };
            if Some(position) == begin_others {
                self.close_unreached();
            }
            self.put_home_back(&home, is_moved);
            let Some(known) = self.defined.get(position) else { continue };
            if !self.may_be_called(known) || self.is_other_command(known) {
                continue;
            }
            let function = Rc::clone(&known.function);
            if self.language == Language::Python && is_hook(&known.name) && !known.class.is_empty() {
                // Python itself calls it, with what no one sees here.
                let has_self = function.parameters.first().is_some_and(|first| first.name == "self");
                let values = vec![Value::unknown(); function.parameters.len() - usize::from(has_self)];
                self.call_function(&function, values);
                continue;
            }
            let reduces = known.name.starts_with("__reduce");
            // `static void main(String[] args)`
            let is_main = matches!(known.name.as_str(), "main" | "Main")
                && matches!(self.language, Language::Jvm | Language::Other)
                && self.given.complete
                && function.parameters.len() == 1;
            let values = if is_main { vec![self.words_of_call()] } else { Vec::new() };
            let named = self.flags_of_function(&function);
            let doubles = self.doubles.len();
            let value = self.call_with(&function, &Arguments { named, ..Arguments::of(values) });
            // What the fixtures of a test have changed ends with it, too.
            if self.language == Language::Python {
                self.doubles.end(doubles);
            }
            // What pickle calls to make the object again, with what it is called with.
            if let (true, Value::List(parts)) = (reduces, value)
                && let [function, Value::List(values), ..] = parts.as_slice()
            {
                self.apply(function, values.clone());
            }
        }
    }

    /// Whether a method is a command of Thor's which the call does not name.
    fn is_other_command(&self, known: &Defined) -> bool {
        let words = &self.given.arguments;
        let is_named = |word: &String| word.replace('-', "_") == known.name || mark::any(word);
        let asks_for_help = words.first().is_some_and(|word| word == "help");
        self.language == Language::Ruby
            && self.given.complete
            && !words.is_empty()
            && self.base_of(&known.class).is_some_and(|base| &*base == "Thor")
            && (asks_for_help || !words.iter().any(is_named))
            // By a shorter name.
            && !["map", "method_missing", "default_task"].iter().any(|name| self.names(name))
    }

    /// What the parameters of a function that someone else calls get which are true or false by default: what the call gives
    /// where typer makes options of them, and else not what they say.
    pub(crate) fn flags_of_function(&mut self, function: &Function) -> Vec<(String, Value)> {
        let by_typer = self.language == Language::Python && self.given.complete && self.names("typer");
        let mut found = if by_typer { self.parameters_of_typer(function) } else { Vec::new() };
        // webpack's configuration gets the options of the call.
        let is_webpack = self.language == Language::JavaScript
            && self.given.complete
            && shell_engine::path::file_name(&self.own_file()).starts_with("webpack");
        for parameter in &function.parameters {
            // webpack hands itself to its plugins.
            if self.language == Language::JavaScript && parameter.name == "compiler" {
                let context = ("context".to_owned(), Value::from(&*self.scope.cwd));
                let hooks = ("hooks".to_owned(), Value::Name("compiler.hooks".to_owned()));
                found.push((parameter.name.clone(), Value::Map(vec![context, hooks])));
                continue;
            }
            if is_webpack && parameter.name == "argv" {
                found.push((parameter.name.clone(), Value::Name(WORDS.to_owned())));
                continue;
            }
            let default = parameter.default.and_then(|(start, end)| function.code.tokens.get(start..end));
            let Some([Token::Name(word)]) = default else { continue };
            let Some(is_set) = is_yes(word) else { continue };
            let declared = self.variable(&format!("{PARSED}.{}", parameter.name)).cloned();
            let value = if let Some(declared) = declared {
                declared
            } else if by_typer {
                self.default_of_words(&parameter.name, is_set);
                self.option_of_words(&parameter.name)
            } else {
                Value::unknown()
            };
            found.push((parameter.name.clone(), value));
        }
        found
    }

    /// A call, and what it gives back.
    pub(crate) fn invoke(&mut self, callee: Callee, arguments: Arguments) -> Value {
        if !self.enter() {
            return Value::unknown();
        }
        let value = match callee {
            Callee::Path(path) => self.invoke_path(&path, arguments),
            Callee::Method(value, name) => self.invoke_method(&value, &name, &arguments),
            // `knex("users")`
            Callee::Value(Value::Database) => Value::Database,
            Callee::Value(Value::Function(function)) => self.call_with(&function, &arguments),
            Callee::Value(Value::Bound(bound)) => {
                let (function, first) = &*bound;
                let mut all = first.clone();
                all.values.extend(arguments.values);
                all.named.extend(arguments.named);
                all.block = arguments.block.or(all.block);
                match function {
                    Value::Name(name) if name == RECORD => {
                        self.leave();
                        return record(&all);
                    }
                    // `methodcaller("rmtree", path)(shutil)`
                    Value::Name(of) if matches!(of.as_str(), METHOD | ATTRIBUTE) => {
                        let object = all.values.pop().unwrap_or_else(Value::unknown);
                        let name = all.values.first().and_then(Value::known);
                        all.values.drain(..1.min(all.values.len()));
                        let value = match name {
                            Some(name) if of == ATTRIBUTE => self.property(&object, &name),
                            Some(name) => match &object {
                                Value::Name(path) => self.invoke_path(&format!("{path}.{name}"), all),
                                object => self.invoke_method(object, &name, &all),
                            },
                            None => Value::unknown(),
                        };
                        self.leave();
                        return value;
                    }
                    _ => {}
                }
                self.invoke(callee_of(function.clone()), all)
            }
            Callee::Value(Value::Any(values)) => {
                let values = values.clone();
                let mut results = Vec::new();
                for value in values
                    .into_iter()
                    .filter(|value| matches!(value, Value::Name(_) | Value::Function(_) | Value::Bound(_)))
                {
                    // A block belongs to one of them, which is not known: none gets it.
                    let mut arguments = Arguments { block: None, ..arguments.clone() };
                    // What the one before has changed.
                    for (place, name) in &arguments.variables {
                        if let (Some(value), Some(now)) =
                            (arguments.values.get_mut(*place), self.variables.get(name))
                        {
                            value.clone_from(now);
                        }
                    }
                    results.push(self.invoke(callee_of(value), arguments));
                }
                if results.is_empty() { Value::computed(arguments.all()) } else { Value::any(results) }
            }
            // Scala's `map("key")`
            Callee::Value(held @ (Value::Map(_) | Value::List(_))) if self.language == Language::Jvm => {
                let key = arguments.first().cloned().unwrap_or_else(Value::unknown);
                self.element_of(&held, &key)
            }
            // An object that is called.
            Callee::Value(object @ Value::Map(_))
                if self.language == Language::Python
                    && let Some(method) = self.take_function("__call__") =>
            {
                self.call_on(&object, &method, &arguments)
            }
            // PHP's `$f("x")`, where `$f` is a string.
            Callee::Value(value) => match value.known() {
                Some(path) if self.language == Language::Php => self.invoke_path(&path, arguments),
                _ if self.language == Language::Php
                    && matches!(&value, Value::Text(text) if text.text.contains(mark::DECODED)) =>
                {
                    self.note(shell_engine::NoteKind::OpaqueCode);
                    Value::unknown()
                }
                _ => {
                    let inputs: Vec<Value> = std::iter::once(value).chain(arguments.all().cloned()).collect();
                    let call = Call { subject: None, name: "", arguments: &arguments };
                    self.callbacks(call, Value::computed(inputs.iter()))
                }
            },
        };
        self.leave();
        value
    }
}
