//! Doubles: what tests put in the place of a library's calls, so that these do nothing. `monkeypatch.setattr(shutil,
//! "rmtree", …)`, `mock.patch("shutil.rmtree")`, `jest.mock("fs")`, `allow(FileUtils).to receive(:rm_rf)`.
//!
//! A double is believed only for as long as the test's framework keeps it, and only where the code shows nothing that lets
//! calls through to what it stands for.

use std::rc::Rc;

use shell_engine::{Arg, mark};

use super::Language;
use super::follow::{Follower, module_name};
use super::lex::{Code, Token};
use super::value::{Arguments, Function, Value};

/// Doubles that a program has: more are not taken in.
const MAX_DOUBLES: usize = 64;

/// Names by which calls get to what a double stands for, by which it goes before its test ends, or with which the code goes
/// on where it was never made.
const LETS_THROUGH: &[&str] = &[
    "__wrapped__",
    "and_call_original",
    "and_wrap_original",
    "callThrough",
    "catch",
    "dontMock",
    "doUnmock",
    "except",
    "get_original",
    "importActual",
    "importOriginal",
    "mockRestore",
    "requireActual",
    "rescue",
    "reset_mock",
    "restore",
    "stop",
    "stopall",
    "suppress",
    "temp_original",
    "undo",
    "unmock",
    "wraps",
];

/// A call of a library, and what is called instead; or all of a module (`fs.`), with its name as the test has it.
type Double = (String, Value);

/// The doubles that a program has now.
#[derive(Default, Clone)]
pub(super) struct Doubles {
    made: Vec<Double>,
    /// The code that has made the last one.
    code: Option<Rc<Code>>,
    /// The object of which a method gets one next: `allow(FileUtils)`.
    object: Option<String>,
    /// Whether `patch` is a decorator or the head of a `with` here; elsewhere it makes nothing until it is started.
    pub(super) of_patch: bool,
}

impl Doubles {
    pub(super) fn len(&self) -> usize {
        self.made.len()
    }

    /// Whether there is one, and it was made by the code that has this function.
    pub(super) fn are_of(&self, function: &Function) -> bool {
        !self.made.is_empty() && self.code.as_ref().is_some_and(|code| Rc::ptr_eq(code, &function.code))
    }

    /// A callback of `name` has ended, before which they were `before`: what a test made has ended with it, and what comes
    /// after each test comes after the next one, too.
    pub(super) fn end_callback(&mut self, name: &str, before: Self) {
        if !outlasts(name) {
            *self = before;
        }
    }

    /// Takes away what was made after there were `len`.
    pub(super) fn end(&mut self, len: usize) {
        self.made.truncate(len);
    }
}

impl Follower<'_> {
    /// What a call gives back that makes a double, or in the place of which one stands.
    pub(super) fn doubled(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        if self.makes_double(path, arguments) {
            return Some(Value::unknown());
        }
        let is_of_rspec = matches!(
            path,
            "let" | "let!" | "double" | "instance_double" | "class_double" | "spy" | "instance_spy"
        );
        if self.language == Language::Ruby && is_of_rspec && !self.function_is_known(path) && self.is_tested()
        {
            return Some(self.object_of_rspec(arguments));
        }
        if self.doubles.len() == 0 { None } else { self.called_double(path, arguments) }
    }

    /// An object that only stands for another, or what a name stands for from here on: `let(:db) { double("db") }`.
    fn object_of_rspec(&mut self, arguments: &Arguments) -> Value {
        let Some(block) = arguments.block.clone() else { return Value::Map(Vec::new()) };
        let value = self.call_function(&block, Vec::new());
        if let Some(name) = arguments.first().and_then(Value::known) {
            self.assign(&name, value.clone());
        }
        value
    }

    /// Takes a double in, if a call makes one.
    fn makes_double(&mut self, path: &str, arguments: &Arguments) -> bool {
        let double = match self.language {
            Language::Python => self.of_python(path, arguments),
            Language::JavaScript if matches!(path, "jest.restoreAllMocks" | "vi.restoreAllMocks") => {
                self.doubles.made.retain(|(name, _)| name.ends_with('.'));
                return true;
            }
            Language::JavaScript => self.of_javascript(path, arguments),
            Language::Ruby => self.of_rspec(path, arguments),
            _ => None,
        };
        let Some(double) = double.filter(|_| self.doubles.len() < MAX_DOUBLES) else { return false };
        let maker = path.split('.').next().unwrap_or(path);
        let is_own = |name: &str| self.function_is_known(name) || self.is_class(name);
        // Without the framework that has it, the call fails, and the code may go on.
        let needs_runner = matches!(maker, "monkeypatch" | "mocker" | "jest" | "vi" | "receive");
        let is_believed = !is_own(maker)
            && !self.is_unsure()
            && (!needs_runner || self.is_tested())
            && !is_own(path.rsplit('.').next().unwrap_or(path))
            && !LETS_THROUGH.iter().any(|name| self.names(name))
            && self.is_reached_by_name_only(&double.0);
        if is_believed {
            self.doubles.made.push(double);
            self.doubles.code = Some(Rc::clone(&self.code));
        }
        is_believed
    }

    /// Whether a runner of tests has started the code.
    pub(super) fn is_tested(&self) -> bool {
        const RUNNERS: [&str; 6] = ["jest", "mocha", "py.test", "pytest", "rspec", "vitest"];
        let atoms = &self.runner.analysis.atoms;
        let mut around = usize::try_from(self.index).ok();
        while let Some(atom) = around.and_then(|index| atoms.get(index)) {
            let as_module = |pair: &[Arg]| pair[0].text == "-m" && pair[1].text == "pytest";
            if RUNNERS.contains(&&*atom.program()) || atom.args.windows(2).any(as_module) {
                return true;
            }
            // What starts another program comes before it.
            around = atom
                .via
                .and_then(|via| usize::try_from(via.parent).ok())
                .filter(|parent| Some(*parent) < around);
        }
        false
    }

    /// Whether all that calls a function here names it on its object: `rmtree`, which was imported before, is the real one.
    fn is_reached_by_name_only(&self, path: &str) -> bool {
        let Some((_, name)) = path.rsplit_once('.').filter(|(_, name)| !name.is_empty()) else { return true };
        let tokens = &self.code.tokens;
        let is_word = |token: &Token, own: &str| matches!(token, Token::Name(word) if word == own);
        let is_imported = |at: usize| {
            let before = tokens[..at].iter().rev();
            let mut line = before.take_while(|token| matches!(token, Token::Name(_) | Token::Op("," | "(")));
            line.any(|token| is_word(token, "import"))
        };
        let may_be_real = |at: usize| {
            let of_object = at > 0 && tokens[at - 1] == Token::Op(".");
            let is_called = matches!(tokens.get(at + 1), Some(Token::Op("(")));
            of_object != is_called && (of_object || is_called) || is_imported(at)
        };
        !(0..tokens.len()).any(|at| is_word(&tokens[at], name) && may_be_real(at))
    }

    /// `RSpec` names the object first, and then the method: `expect(FileUtils).to receive(:rm_rf)`.
    fn of_rspec(&mut self, path: &str, arguments: &Arguments) -> Option<Double> {
        match (path, arguments.first()?) {
            ("allow" | "expect", Value::Name(object)) => {
                self.doubles.object = Some(object.clone());
                None
            }
            ("RSpec.describe", class @ Value::Name(_)) => {
                self.assign("described_class", class.clone());
                None
            }
            ("receive", method) => {
                Some((format!("{}.{}", self.doubles.object.as_deref()?, method.known()?), nothing()))
            }
            _ => None,
        }
    }

    /// What a double gives back that stands in the place of a call.
    fn called_double(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        let stands_for =
            |(name, _): &Double| name == path || name.ends_with('.') && path.starts_with(name.as_str());
        let place = self.doubles.made.iter().rposition(stands_for)?;
        let (name, instead) = &self.doubles.made[place];
        // Code that has taken the call itself from its module goes on with that.
        if self.language == Language::Python && !self.is_reached_by_name_only(name) {
            return None;
        }
        if name.ends_with('.') && !self.loads_only(&instead.text()) {
            return None;
        }
        // What is called instead may call what it stands for.
        let outer = self.doubles.made.split_off(place);
        let value = match &outer[0].1 {
            called @ (Value::Function(_) | Value::Name(_) | Value::Bound(_)) => {
                self.apply(&called.clone(), arguments.values.clone())
            }
            _ => nothing(),
        };
        self.doubles.end(place);
        self.doubles.made.extend(outer);
        Some(value)
    }

    /// Whether the code here loads a module under this name only: `fs/promises` stays what it is where `fs` has a double.
    fn loads_only(&self, module: &str) -> bool {
        let name = module_name(module);
        let texts = self.code.tokens.iter().filter_map(|token| match token {
            Token::Text(text) => Some(text.strip_prefix("node:").unwrap_or(text)),
            _ => None,
        });
        let mut spellings = texts.filter(|text| module_name(text) == name).peekable();
        spellings.peek().is_some() && spellings.all(|text| text == module)
    }

    /// Takes the doubles in that the decorators of a test make.
    pub(super) fn decorated_doubles(&mut self, function: &Function, name: &str) {
        if self.language != Language::Python || !self.names("patch") {
            return;
        }
        let Some((first, start)) = self.decorators_of(name) else { return };
        let code: Rc<Code> = Rc::clone(&function.code);
        let lines = (first..start).filter(|&at| code.tokens.get(at) == Some(&Token::Op("@")));
        for at in lines.collect::<Vec<_>>() {
            let outer = std::mem::replace(&mut self.doubles.of_patch, true);
            self.inside(Rc::clone(&code), at + 1, start, Self::assignment);
            self.doubles.of_patch = outer;
        }
    }

    fn of_python(&self, path: &str, arguments: &Arguments) -> Option<Double> {
        let values = arguments.values.as_slice();
        let given = |at: usize| match (values.get(at), arguments.named("side_effect")) {
            (None | Some(Value::Name(_)), Some(called)) => called.clone(),
            (Some(value), _) => value.clone(),
            (None, None) => nothing(),
        };
        let (object, name) = path.rsplit_once('.').unwrap_or(("", path));
        let of_path = |target: &Value| Some(last_two(&target.known()?));
        // `monkeypatch.setattr(deploy.subprocess, "run", …)`: what a module of the code has imported, and no class of its own.
        let of_object = |object: &str, name: &Value| {
            let names = |token: &Token, word: &str| matches!(token, Token::Name(name) if name == word);
            let defines = |part: &str| {
                self.code.tokens.windows(2).any(|pair| names(&pair[0], "class") && names(&pair[1], part))
            };
            let is_object =
                |part: &str| self.variable(part).is_some_and(|value| !matches!(value, Value::Name(_)));
            let is_own = object.split('.').any(|part| defines(part) || is_object(part));
            let path = format!("{object}.{}", name.known()?);
            (!is_own).then(|| last_two(&path))
        };
        match (object, name) {
            ("monkeypatch", "setattr") => match values {
                [Value::Name(object), name, _, ..] => Some((of_object(object, name)?, given(2))),
                [target, _] => Some((of_path(target)?, given(1))),
                _ => None,
            },
            ("patch" | "mock.patch" | "unittest.mock.patch" | "mocker.patch", "object")
                if self.is_patching(path) =>
            {
                match values {
                    [Value::Name(object), name, ..] => Some((of_object(object, name)?, given(2))),
                    _ => None,
                }
            }
            ("" | "mock" | "unittest.mock" | "mocker", "patch") if self.is_patching(path) => {
                Some((of_path(values.first()?)?, given(1)))
            }
            _ => None,
        }
    }

    /// Whether `patch` takes effect here.
    fn is_patching(&self, path: &str) -> bool {
        self.doubles.of_patch || path.starts_with("mocker.") || self.next_in_chain() == Some("start")
    }

    fn of_javascript(&self, path: &str, arguments: &Arguments) -> Option<Double> {
        let of_framework = ["vitest.", "@jest/globals.", "test.", "node:test."]
            .iter()
            .find_map(|module| path.strip_prefix(module));
        let (object, rest) = of_framework.unwrap_or(path).split_once('.')?;
        // They are put there by the framework.
        if of_framework.is_none() && self.variable(object).is_some()
            || self.names("globalThis")
            || self.names("global")
        {
            return None;
        }
        match (object, rest, arguments.values.as_slice()) {
            ("jest" | "vi", "mock" | "doMock" | "unstable_mockModule", [module, made @ ..]) => {
                let module = module.known().filter(|module| !module.starts_with(['.', '/']))?;
                let is_made_here = made.iter().all(|made| match made {
                    Value::Function(function) => !loads(function),
                    made => matches!(made, Value::Map(_)),
                });
                let module = module.strip_prefix("node:").unwrap_or(&module);
                is_made_here.then(|| (format!("{}.", module_name(module)), Value::from(module)))
            }
            // A spy without a double lets the call through.
            ("jest" | "vi", "spyOn", [Value::Name(object), name])
                if self.next_in_chain().is_some_and(|name| name.starts_with("mock")) =>
            {
                Some((format!("{object}.{}", name.known()?), nothing()))
            }
            ("sinon", "stub" | "replace", [Value::Name(object), name, ..])
            | ("mock" | "t", "method" | "mock.method", [Value::Name(object), name, _, ..]) => {
                Some((format!("{object}.{}", name.known()?), nothing()))
            }
            _ => None,
        }
    }
}

/// What a double gives back of which nothing is known.
fn nothing() -> Value {
    Value::from(mark::TOKEN)
}

/// `acme.wipe.shutil.rmtree` is `shutil.rmtree`, as the code there names it.
fn last_two(target: &str) -> String {
    let parts: Vec<&str> = target.split('.').collect();
    parts[parts.len().saturating_sub(2)..].join(".")
}

/// Whether what makes a module may get at the real one.
fn loads(function: &Function) -> bool {
    let tokens = function.code.tokens.get(function.start..function.end).unwrap_or_default();
    tokens.iter().any(|token| matches!(token, Token::Name(word) if matches!(word.as_str(), "require" | "import" | "process")))
        || !function.parameters.is_empty()
}

/// Whether what a callback of this call changes stays after it, as a hook of a test's framework.
fn outlasts(name: &str) -> bool {
    name.starts_with("before") || matches!(name, "setup" | "around" | "suiteSetup")
}
