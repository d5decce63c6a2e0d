//! Whom a call calls: a function of the code itself, one of the library, or a method of a value.

use std::rc::Rc;

use shell_engine::{Arg, NoteKind, mark};

use super::Language;
use super::act::{Call, applies, is_statement, looks_like_database};
use super::follow::{Callee, Follower, callee_of, goes_through, side_by_side};
use super::languages::Effect;
use super::lex::Token;
use super::spawn::words_of;
use super::value::{Arguments, MAX_ELEMENTS, MAX_TEXT, Spot, Value};

/// What the executor of a promise calls with its value. No code can write it.
const RESOLVE: &str = "()resolve";

/// Functions that take a method, or a part, of what they are called with. No code can write them.
pub(super) const METHOD: &str = "()method";
pub(super) const ATTRIBUTE: &str = "()attribute";

/// Where a command keeps its words that is put together step by step.
const BUILT: &str = "built command";
/// What it gets as its input.
const INPUT: &str = "input";
/// A stack of Pulumi's that code has selected.
const STACK: &str = "pulumi.stack";

impl Follower<'_> {
    /// What a function of the library does.
    pub(super) fn effect_of(&self, path: &str) -> Option<Effect> {
        let library = self.language.library();
        let find = |path: &str| library.function(path);
        // C++'s `std::system`
        let path = path.strip_prefix("std.").filter(|_| self.language == Language::Other).unwrap_or(path);
        if let Some(effect) = find(path) {
            return Some(effect);
        }
        // `HTTP::Tiny->new->get(…)`
        // A class whose object is made on the way does what its methods do.
        if path.contains(".new.")
            && let Some(effect) = find(&path.replace(".new.", "."))
        {
            return Some(effect);
        }
        // `from shutil import *`
        if !path.contains('.')
            && let Some(effect) = self.starred().iter().find_map(|module| find(&format!("{module}.{path}")))
        {
            return Some(effect);
        }
        // Something that holds a module: `self.shutil.rmtree`.
        // Only the last two parts are tried: the object itself may be called anything.
        let mut parts = path.rmatch_indices('.').map(|(at, _)| at);
        let (_, second) = (parts.next()?, parts.next()?);
        find(&path[second + 1..])
    }

    pub(super) fn method_effect(&self, name: &str, arguments: usize) -> Option<Effect> {
        self.language.library().method(name, arguments)
    }

    /// Calls something by its path.
    pub(super) fn invoke_path(&mut self, path: &str, arguments: Arguments) -> Value {
        // `new Promise((resolve) => resolve(x))` becomes what `resolve` gets.
        if path == RESOLVE {
            self.resolved = arguments.values.into_iter().next();
            return Value::unknown();
        }
        if path == "Promise"
            && let Some(Value::Function(executor)) = arguments.first()
        {
            let executor = Rc::clone(executor);
            let outer = self.resolved.take();
            self.call_function(&executor, vec![Value::Name(RESOLVE.to_owned())]);
            return std::mem::replace(&mut self.resolved, outer).unwrap_or_else(Value::unknown);
        }
        self.moves_home(path, &arguments);
        if let Some(value) = self.doubled(path, &arguments) {
            return value;
        }
        // Perl's `push(@xs, x)`
        if self.language == Language::Perl && matches!(path, "push" | "unshift") {
            self.push_on(self.first_name.clone().as_deref(), &arguments);
            return Value::unknown();
        }
        // `subprocess.run` stays what it is where the code has a `run` of its own.
        let has_effect = || self.effect_of(path).is_some() || path.contains("OpenOptions.");
        let library = path.contains('.') && self.variable(path).is_none() && has_effect();
        if !library && let Some(value) = self.call_of_class(path, &arguments) {
            return value;
        }
        if let Some((class, name)) = path.rsplit_once('.')
            && let Some(method) = self.method_in(class, name)
        {
            return self.call_on(&Value::Name(class.to_owned()), &method, &arguments);
        }
        if !library && let Some(function) = self.function_named(path) {
            return self.call_with(&function, &arguments);
        }
        if Self::is_hidden(path) {
            // A method whose name is only known at run time may be `system`.
            self.note(NoteKind::OpaqueCode);
        }
        // Blocks that are values: `lambda { … }`, `proc { … }`.
        match (&arguments.block, path) {
            (Some(block), "lambda" | "proc" | "Proc.new") => return Value::Function(Rc::clone(block)),
            (Some(block), "loop") => return self.endless_block(block),
            _ => {}
        }
        if self.language == Language::Perl && matches!(path, "map" | "grep" | "sort" | "first" | "any") {
            return self.perl_list(path, arguments);
        }
        // `def self.make = new(root: "x")`
        if self.language == Language::Ruby
            && path == "new"
            && let Some(class) = self.class_at_work()
            && let Some(value) = self.call_of_class(&format!("{class}.new"), &arguments)
        {
            return value;
        }
        if self.language == Language::Ruby
            && path == "method"
            && let Some(name) = arguments.first().and_then(Value::known)
        {
            return Value::Name(name);
        }
        // Rust's `Command::new("rm").arg("-rf")`: what it is started with comes in the chain.
        if self.language == Language::Other
            && path
                .strip_suffix("Command.new")
                .is_some_and(|before| before.is_empty() || before.ends_with('.'))
        {
            return Value::Map(vec![(BUILT.to_owned(), Value::List(arguments.values))]);
        }
        let Some(effect) = self.effect_of(path) else {
            if let Some(result) = self.of_tool(path, &arguments).or_else(|| self.special(path, &arguments)) {
                return result;
            }
            if let Some(result) = self.service(path, &arguments) {
                return result;
            }
            let (receiver, name) = path.rsplit_once('.').unwrap_or(("", path));
            // `File::delete`, of each file.
            if let (Language::Jvm, Some((object, rest))) = (self.language, arguments.values.split_first())
                && self.names_method(path)
                && matches!(object, Value::Text(_) | Value::File(_))
            {
                return self.invoke_method(&object.clone(), name, &Arguments::of(rest.to_vec()));
            }
            if !receiver.is_empty() {
                return self.invoke_method(&Value::Name(receiver.to_owned()), name, &arguments);
            }
            self.hand_out(None, (path, name), &arguments);
            let handed = self.handed_over(&arguments);
            let result = self.made_by(path, &arguments);
            if handed.is_some() {
                return result;
            }
            return self.callbacks(Call { subject: None, name, arguments: &arguments }, result);
        };
        if effect == Effect::Database {
            return self.database(path, &arguments);
        }
        let name = path.rsplit('.').next().unwrap_or(path);
        let call = Call { subject: None, name, arguments: &arguments };
        let result = self.act(effect, call);
        // These have called what they were handed.
        let has_called = matches!(
            effect,
            Effect::Each | Effect::Keep | Effect::Fold | Effect::Apply | Effect::Plain | Effect::Print(_)
        );
        // `promisify(f)` is `f`, and has called nothing.
        if has_called || effect == Effect::First && matches!(result, Value::Function(_)) {
            return result;
        }
        self.callbacks(call, result)
    }

    /// What changes a list in place: the variable gets the longer one.
    fn longer_in_place(&mut self, arguments: &Arguments) -> Option<Value> {
        // The reader has kept the name of the first argument; its value alone could not be changed in
        // place.
        let name = self.first_name.clone()?;
        let mut values = match self.variable(&name)? {
            Value::List(values) => values.clone(),
            Value::Map(entries) if entries.is_empty() => Vec::new(),
            _ => return None,
        };
        if values.len() < 1024 && self.step(values.len()) {
            values.extend(arguments.values.last().cloned());
            self.assign(&name, Value::List(values));
        }
        Some(Value::from(mark::TOKEN))
    }

    /// Calls that no table can hold: names that are programs, and methods that are named at run time.
    fn special(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        if has_account(path) {
            return Some(self.account());
        }
        if self.language == Language::JavaScript
            && path.ends_with("parseArgs")
            && let Some(options) = self.parsed_options(arguments)
        {
            return Some(options);
        }
        if let Some(options) = self.parsed_words(path, arguments) {
            return Some(options);
        }
        let of_library = match self.language {
            Language::Python | Language::JavaScript | Language::Go => self.of_pulumi(path),
            Language::Php => self.special_of_php(path, arguments),
            _ => None,
        };
        if of_library.is_some() {
            return of_library;
        }
        match self.language {
            Language::Python => self.special_of_python(path, arguments),
            Language::JavaScript => self.special_of_javascript(path, arguments),
            Language::Other if path.ends_with("Environment.GetFolderPath") => {
                let own =
                    matches!(arguments.first(), Some(Value::Name(folder)) if folder.ends_with("UserProfile"));
                Some(if own { Value::from(&*self.scope.home) } else { Value::unknown() })
            }
            // Rust's, of which the program's own name is the first.
            Language::Other if matches!(path, "env.args" | "std.env.args") && self.given.complete => {
                let own = std::iter::once(Value::from("program"));
                let words = self.given.arguments.iter().map(|word| Value::from(word.as_str()));
                Some(Value::List(own.chain(words).collect()))
            }
            Language::Other if path.contains("OpenOptions.") => self.file_options(path, arguments),
            // A function of the C library, by its name.
            Language::Ruby if path == "Fiddle.Function.new" => {
                let is_name = |token: &Token| matches!(token, Token::Text(name) if name == "system");
                self.code.tokens.iter().any(is_name).then(|| Value::Name("system".to_owned()))
            }
            Language::Perl if path.ends_with("getopts") => {
                self.get_letters();
                Some(Value::from(mark::TOKEN))
            }
            Language::Perl if path.ends_with("GetOptions") => {
                self.get_options();
                Some(Value::from(mark::TOKEN))
            }
            // `define_method(:clean) { |path| … }`
            Language::Ruby if path == "define_method" => {
                let method = arguments.first().and_then(Value::known)?;
                self.keep_function(&method, Rc::clone(arguments.block.as_ref()?));
                Some(Value::unknown())
            }
            Language::Ruby if matches!(path, "send" | "public_send" | "__send__") => {
                let arguments = Arguments::of(arguments.values.clone());
                Some(self.invoke_method(&Value::Name("self".to_owned()), "send", &arguments))
            }
            Language::Lua | Language::Php if matches!(path, "table.insert" | "array_push") => {
                self.longer_in_place(arguments)
            }
            Language::Awk if path == "split" => {
                let [text, ..] = arguments.values.as_slice() else { return None };
                // awk's `split(text, array)` fills a variable that it names; counted back from the closing bracket.
                let name = self.named_before(if arguments.values.len() > 2 { 4 } else { 2 })?;
                let separator = arguments.values.get(2).cloned().into_iter().collect();
                let separator = Arguments::of(separator);
                let parts = self.text_method(&text.clone(), "split", &separator)?;
                self.assign(&name, parts);
                Some(Value::from(mark::TOKEN))
            }
            Language::R => self.special_of_r(path, arguments),
            _ => None,
        }
    }

    /// Rust's `OpenOptions::new().write(true).open(path)`: the value is what has been said so far.
    fn file_options(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        let (_, options) = path.split_once("OpenOptions.")?;
        let (before, name) = options.rsplit_once('.').unwrap_or(("", options));
        if name != "open" {
            let is_off = matches!(arguments.first(), Some(Value::Name(word)) if word == "false");
            let kept = if is_off { before } else { options };
            return Some(Value::Name(format!("OpenOptions.{kept}").trim_end_matches('.').to_owned()));
        }
        let has = |option: &str| before.split('.').any(|one| one == option);
        let mode = match () {
            () if has("append") => "a",
            () if has("truncate") || has("create_new") => "w",
            // What is there stays, as far as nothing is written over it.
            () if has("write") => "r+",
            () => "r",
        };
        Some(self.open(&[arguments.first()?.clone(), Value::from(mode)], arguments))
    }

    fn special_of_javascript(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        match path {
            // A proxy is asked for names that only the caller knows.
            "Proxy" => {
                let Some(Value::Map(traps)) = arguments.values.get(1) else { return None };
                for (_, trap) in traps.clone() {
                    if let Value::Function(trap) = trap {
                        let unknown = vec![Value::unknown(); trap.parameters.len()];
                        self.call_function(&trap, unknown);
                    }
                }
                Some(Value::unknown())
            }
            // `axios.create({ baseURL: "…" })` is called like the module.
            "axios.create" | "got.extend" | "ky.create" | "ky.extend" => {
                let (module, _) = path.split_once('.')?;
                let address = arguments.all().find_map(Value::address)?;
                self.addresses.push((Rc::from(module), address));
                Some(Value::Name(module.to_owned()))
            }
            "yargs/yargs" => Some(Value::Name("yargs".to_owned())),
            // `setTimeout(execSync, 0, "rm x")`, `process.nextTick(execSync, "rm x")`
            "process.nextTick" | "queueMicrotask" => {
                let (function, rest) = arguments.values.split_first()?;
                Some(self.apply(function, rest.to_vec()))
            }
            _ => None,
        }
    }

    /// Laravel's own functions.
    fn special_of_php(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        match path.rsplit_once('.') {
            Some((before, "command")) if before.ends_with("Artisan") => self.command_of_artisan(arguments),
            Some((before, "connection")) if before.ends_with("DB") || before.ends_with("Schema") => {
                Some(Value::Name(before.to_owned()))
            }
            // What is set nowhere else.
            None if path == "config" => arguments.values.get(1).cloned(),
            _ => None,
        }
    }

    /// Pulumi's own programs: `stack = auto.select_stack(…)`, `stack.destroy()`.
    fn of_pulumi(&mut self, path: &str) -> Option<Value> {
        if !path.contains("tack") {
            return None;
        }
        let name: String = path.rsplit('.').next()?.chars().filter(char::is_ascii_alphanumeric).collect();
        let name = name.to_ascii_lowercase();
        if let Some(rest) = path.strip_prefix(STACK) {
            let words: &[&str] = match name.as_str() {
                "destroy" => &["destroy", "--yes"],
                "removestack" => &["stack", "rm", "--yes"],
                "workspace" => return None,
                _ => return Some(Value::Name(format!("{STACK}{rest}"))),
            };
            return Some(self.program("pulumi", words, &[]));
        }
        let is_stack = ["select", "create", "createorselect", "upsert", "new"]
            .iter()
            .any(|verb| name.strip_prefix(verb).is_some_and(|rest| rest.starts_with("stack")));
        (is_stack && (self.names("automation") || self.names("auto") || path.contains("pulumi")))
            .then(|| Value::Name(STACK.to_owned()))
    }

    fn special_of_python(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        match path {
            "typer.run" => {
                let Some(Value::Function(function)) = arguments.first() else { return None };
                let function = Rc::clone(function);
                let named = self.flags_of_function(&function);
                Some(self.call_with(&function, &Arguments { named, ..Arguments::default() }))
            }
            "sys.path.insert" | "sys.path.append" => {
                self.search.extend(arguments.values.last().and_then(Value::known));
                Some(Value::unknown())
            }
            // pytest's, until the test ends.
            "monkeypatch.setenv" => {
                let [name, value, ..] = arguments.values.as_slice() else { return None };
                match name.known()?.as_str() {
                    "HOME" => self.scope.home = Rc::from(value.text()),
                    name => self.scope.set_text(name, &value.text()),
                }
                Some(Value::from(mark::TOKEN))
            }
            // `targets: list[Path] = field(default_factory=list)`
            "field" | "dataclasses.field" | "Field" | "pydantic.Field" => {
                let factory = arguments.named("default_factory");
                let value =
                    factory.map(|factory| self.invoke(callee_of(factory.clone()), Arguments::default()));
                value.or_else(|| arguments.named("default").or(arguments.first()).cloned())
            }
            "functools.partial" | "partial" => {
                let (function, rest) = arguments.values.split_first()?;
                let rest = Arguments { values: rest.to_vec(), ..arguments.clone() };
                Some(Value::Bound(Rc::new((function.clone(), rest))))
            }
            // At the end of the program it gets what stands after it.
            "atexit.register" => {
                let (function, rest) = arguments.values.split_first()?;
                let rest = Arguments { values: rest.to_vec(), ..arguments.clone() };
                Some(self.invoke(callee_of(function.clone()), rest))
            }
            "operator.methodcaller" | "methodcaller" | "operator.attrgetter" => {
                let of = if path.ends_with("getter") { ATTRIBUTE } else { METHOD };
                Some(Value::Bound(Rc::new((Value::Name(of.to_owned()), arguments.clone()))))
            }
            // What SCons builds a target with, and what it runs at once.
            _ if self.is_of_scons() => self.of_scons(path, arguments),
            // A command of one's own is run where the call names it: `python setup.py wipe`.
            _ if matches!(path, "setup" | "setuptools.setup") && self.given.complete => {
                if let Some(Value::Map(commands)) = arguments.named("cmdclass").cloned() {
                    for (name, class) in commands {
                        self.not_called(&name, &class);
                    }
                }
                None
            }
            // What the variable says is called; the debugger else.
            "breakpoint" => {
                let hook = self.environment("PYTHONBREAKPOINT").known()?;
                if let Some((module, _)) = hook.rsplit_once('.') {
                    self.import_module(module);
                }
                Some(self.invoke_path(&hook, arguments.clone()))
            }
            "enumerate" | "zip" | "filter" => self.paired(path, &arguments.values),
            _ => {
                // The `sh` and `plumbum` libraries make a function of every program: `sh.rm("-rf", "/")`.
                let program = path.strip_prefix("sh.").or_else(|| path.strip_prefix("plumbum.cmd."));
                // `git.Repo(".").git.reset("--hard")`
                let of_git = path.rsplit_once('.').and_then(|(rest, name)| {
                    (rest.rsplit('.').next() == Some("git") && rest.contains('.'))
                        .then(|| format!("git {}", name.replace('_', "-")))
                });
                let words = of_git.or_else(|| program.map(str::to_owned))?;
                let mut words: Vec<Arg> = words.split(' ').map(Arg::from).collect();
                words.extend(words_of(&arguments.values));
                words.extend(super::spawn::flags_of(arguments));
                Some(self.start(words, None))
            }
        }
    }

    /// What the system knows of the user: Perl and Python have it as a list as well, with the home folder near its end.
    fn account(&self) -> Value {
        let home = Value::from(&*self.home.own);
        if self.language == Language::Perl {
            let mut fields = vec![Value::from(mark::TOKEN); 9];
            fields[7] = home;
            return Value::List(fields);
        }
        let names = ["pw_dir", "dir", "HomeDir", "homedir", "home_dir"];
        Value::Map(names.into_iter().map(|name| (name.to_owned(), home.clone())).collect())
    }

    /// Whether a name is a reference to a method of whatever it gets first: Java's `File::delete`.
    pub(super) fn names_method(&self, path: &str) -> bool {
        let method = path.rsplit_once('.').filter(|(class, _)| class.starts_with(char::is_uppercase));
        self.language == Language::Jvm
            && method.is_some_and(|(_, name)| matches!(self.method_effect(name, 0), Some(Effect::Delete(_))))
    }

    fn is_of_scons(&self) -> bool {
        let file = self.scope.file.and_then(|file| self.runner.analysis.files.get(file as usize));
        file.is_some_and(|file| shell_engine::path::file_name(&file.path).starts_with("SCons"))
    }

    /// The names by which a file of `SCons` knows the words of the call.
    pub(super) fn name_words_of_scons(&mut self) {
        if self.language != Language::Python || !self.given.complete || !self.is_of_scons() {
            return;
        }
        let words = self.given.arguments.iter().filter(|word| !word.starts_with('-'));
        let pair =
            |word: &String| word.split_once('=').map(|(name, value)| (name.to_owned(), Value::from(value)));
        let (set, targets): (Vec<&String>, Vec<&String>) = words.partition(|word| word.contains('='));
        let set = Value::Map(set.into_iter().filter_map(pair).collect());
        let targets = Value::List(targets.into_iter().map(|word| Value::from(word.as_str())).collect());
        for (name, value) in [("ARGUMENTS", set), ("COMMAND_LINE_TARGETS", targets)] {
            self.assign(name, value);
            self.keep_words_of(name);
        }
        self.keep_all_words_of("COMMAND_LINE_TARGETS");
    }

    /// Whether the target that is declared here is built: the call names it, or nothing else, or the file's `Default` does.
    fn is_built(&self, target: &Value) -> bool {
        let target = target.text();
        let call = self.runner.analysis.atoms.get(self.index as usize);
        let words = call.map_or(&[] as &[Arg], |call| call.args.get(1..).unwrap_or_default());
        let words = words
            .iter()
            .map(|arg| arg.text.as_str())
            .filter(|word| !word.starts_with('-') && !word.contains('='));
        let mut words = words.peekable();
        if words.peek().is_some() {
            return words.any(|word| word == target);
        }
        let tokens = &self.code.tokens;
        let is_default = |token: &Token| matches!(token, Token::Name(name) if name == "Default");
        let Some(default) = tokens.iter().position(is_default) else { return true };
        // The variable that this is assigned to.
        let before = tokens[..self.at.min(tokens.len())].iter().rev();
        let line: Vec<&Token> = before.take_while(|token| !matches!(token, Token::Line(_))).collect();
        let variable = match line.as_slice() {
            [.., Token::Op("="), Token::Name(name)] => name.as_str(),
            _ => "",
        };
        let named = tokens[default..].iter().take_while(|token| !matches!(token, Token::Line(_)));
        named.into_iter().any(|token| match token {
            Token::Name(name) => name == variable,
            Token::Text(text) => *text == target,
            _ => false,
        })
    }

    /// `env.Command("target", "source", ["rm x"])`, `Execute(Delete("x"))`
    fn of_scons(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        let actions = match path.rsplit('.').next()? {
            "Command" if !self.is_built(arguments.first()?) => return Some(arguments.first()?.clone()),
            "Command" => arguments.values.get(2).or_else(|| arguments.named("action"))?,
            "Execute" | "AddPostAction" | "AddPreAction" | "Action" => arguments.values.last()?,
            // A file of the same kind, which runs in its own folder.
            "SConscript" => {
                if let Some(file) = arguments.first().and_then(Value::known) {
                    self.include_file(&file);
                }
                return Some(Value::unknown());
            }
            "AlwaysBuild" | "Alias" => arguments.values.get(2)?,
            "Delete" => return Some(self.program("rm", &["-rf", "--"], arguments.values.get(..1)?)),
            _ => return None,
        };
        let actions = match actions {
            Value::List(actions) => actions.clone(),
            action => vec![action.clone()],
        };
        for action in actions {
            match action {
                Value::Function(function) => _ = self.call_function(&function, Vec::new()),
                action if action.known().is_some() => _ = self.shell_with(&action, None),
                _ => {}
            }
        }
        Some(Value::unknown())
    }

    /// A class of commands whose name the call does not say, nor any other command: its methods are not called.
    fn not_called(&mut self, name: &str, class: &Value) {
        let implied = ["build", "install", "develop", "egg", "sdist", "dist", "bdist", "test"];
        let Value::Name(class) = class else { return };
        // `python setup.py --version` runs none.
        let gives_none = self.given.arguments.iter().all(|word| word.starts_with('-'));
        if gives_none
            || !implied.iter().any(|word| name.contains(word))
                && !self.given.arguments.iter().any(|word| word == name)
        {
            self.forget_class(class);
        }
    }

    fn special_of_r(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        match path {
            _ if path.ends_with("dbRemoveTable") => {
                self.of_database("drop_table", arguments);
                Some(Value::from(mark::TOKEN))
            }
            // The parts of each string, as a list of its own.
            "strsplit" => {
                let (text, rest) = arguments.values.split_first()?;
                let separator = Arguments::of(rest.to_vec());
                Some(Value::List(vec![self.text_method(text, "split", &separator)?]))
            }
            "chartr" => {
                let [from, to, text] = arguments.values.as_slice() else { return None };
                let parts = Arguments::of(vec![from.clone(), to.clone()]);
                self.text_method(&text.clone(), "tr", &parts)
            }
            "glue.glue" | "glue" => {
                // glue fills `{name}` from its own arguments first, and from variables else.
                let mut text = arguments.first()?.text();
                let names: Vec<String> = text
                    .split('{')
                    .skip(1)
                    .filter_map(|part| part.split_once('}').map(|(name, _)| name.to_owned()))
                    .collect();
                for name in names.iter().take(32) {
                    let value = match arguments.named(name) {
                        Some(value) => value.text(),
                        None => self.name_value(name).text(),
                    };
                    let field = format!("{{{name}}}");
                    // Bounded before it is built.
                    if text.len() + text.matches(&field).count() * value.len() > MAX_TEXT {
                        return Some(Value::unknown());
                    }
                    text = text.replace(&field, &value);
                }
                Some(Value::from(text))
            }
            _ => None,
        }
    }

    /// Python's functions that go through lists side by side.
    fn paired(&mut self, path: &str, inputs: &[Value]) -> Option<Value> {
        let lists: Vec<&Vec<Value>> = inputs
            .iter()
            .filter_map(|input| match input {
                Value::List(values) if values.len() <= MAX_ELEMENTS => Some(values),
                _ => None,
            })
            .collect();
        let first = *lists.first()?;
        let rows = first.iter().enumerate().map(|(at, value)| {
            let number = Value::Number(i64::try_from(at).unwrap_or(0));
            let row = match path {
                "enumerate" => vec![number, value.clone()],
                _ => lists.iter().filter_map(|list| list.get(at).cloned()).collect(),
            };
            Value::List(row)
        });
        let rows = Value::List(rows.collect());
        if path == "filter" {
            let first = Value::List(first.clone());
            // Its function may do something with each of them.
            self.each_of(inputs);
            return Some(first);
        }
        Some(self.bounded(rows))
    }

    /// Calls a method of a value.
    pub(super) fn invoke_method(&mut self, value: &Value, name: &str, arguments: &Arguments) -> Value {
        // Each of several objects.
        if let Value::Any(values) = value
            && values.iter().any(|value| matches!(value, Value::Map(_) | Value::Name(_)))
        {
            let each = values.clone().into_iter().map(|value| match &value {
                Value::Name(path) => self.invoke_path(&format!("{path}.{name}"), arguments.clone()),
                value => self.invoke_method(value, name, arguments),
            });
            return Value::any(each.collect());
        }
        if let Some(result) = self.own_method(value, name, arguments) {
            return result;
        }
        if let Some(result) = self.of_commander(value, name, arguments) {
            return result;
        }
        if self.language == Language::JavaScript
            && let Some(result) = self.of_yargs(value, name, arguments)
        {
            return result;
        }
        if let Some(result) = self.asked_of_command(value, name, arguments) {
            return result;
        }
        if matches!(value, Value::Name(path) if path == super::options::WORDS) {
            // `opts.fetch(:force)`, `matches.get_flag("force")`, `opts.force()`
            let named = arguments.first().map(Value::text).unwrap_or_default();
            return self.option_of_words(if named.is_empty() { name } else { &named });
        }
        let path = if let Value::Name(path) = value { path.as_str() } else { "" };
        self.hand_out(Some(value), (path, name), arguments);
        if let Some(Value::List(words)) = value.get(BUILT) {
            return self.of_built(value, words.clone(), (name, arguments));
        }
        if let Some(result) = self.method_of_handle(value, name, arguments) {
            return result;
        }
        if let Some(result) = self.called_as_value(value, name, arguments) {
            return result;
        }
        let call = Call::of(value, name, arguments);
        if let Some(result) = self.text_method(value, name, arguments) {
            // Functions among the arguments may be called by any method: they are run as well.
            return self.callbacks(call, result);
        }
        if matches!(value, Value::Text(text) if text.text.contains(mark::is_hole))
            && let Some(result) = self.by_name("", name, arguments)
        {
            return result;
        }
        if let Some(effect) = self.starts_by_name(value, name) {
            return self.run_command(effect, &arguments.values, arguments);
        }
        // `ref.delete()` of who knows what: a file's path is known.
        let vague = self.language == Language::JavaScript && name == "delete" && value.known().is_none();
        let effect = self.method_effect(name, arguments.values.len());
        let result = if let Some(effect) = effect.filter(|effect| !vague && applies(*effect, value)) {
            self.act(effect, call)
        } else {
            if !goes_through(name) && self.handed_over(arguments).is_some() {
                return self.passed_on(call);
            }
            self.passed_on(call)
        };
        self.callbacks(call, result)
    }

    /// A method of a command that is put together step by step.
    fn of_built(&mut self, value: &Value, words: Vec<Value>, (name, arguments): (&str, &Arguments)) -> Value {
        match name {
            "arg" | "args" | "raw_arg" => {
                // Each of several lists makes a command of its own.
                let lists = match arguments.values.as_slice() {
                    [Value::Any(lists)] if matches!(lists.first(), Some(Value::List(_))) => lists.as_slice(),
                    _ => &[Value::List(arguments.values.clone())],
                };
                let input = value.get(INPUT).map(|input| (INPUT.to_owned(), input.clone()));
                let built = lists.iter().map(|list| {
                    let more = words_in(list);
                    let words = words.iter().cloned().chain(more).collect();
                    let words = (BUILT.to_owned(), Value::List(words));
                    Value::Map(std::iter::once(words).chain(input.clone()).collect())
                });
                let built = Value::any(built.collect());
                self.keep_built(value, built)
            }
            // What another program writes, or a file: `.stdin(child.stdout.take().unwrap())`.
            "stdin"
                if arguments
                    .first()
                    .is_some_and(|input| input.source().is_some() || input.foreign().is_some()) =>
            {
                let mut built = vec![(BUILT.to_owned(), Value::List(words))];
                built.extend(arguments.first().map(|input| (INPUT.to_owned(), input.clone())));
                self.keep_built(value, Value::Map(built))
            }
            "status" | "output" | "spawn" | "exec" | "status_async" => {
                let given = value.get(INPUT).map(|input| (INPUT.to_owned(), input.clone()));
                let given = Arguments { named: given.into_iter().collect(), ..Arguments::default() };
                let result = self.run_command(Effect::Program, &words, &given);
                if result.foreign().is_some() { result } else { Value::unknown() }
            }
            // clap's
            "get_matches" if self.given.complete => Value::Name(super::options::WORDS.to_owned()),
            _ => value.clone(),
        }
    }

    /// `command.arg("x");` changes what the variable holds.
    fn keep_built(&mut self, before: &Value, built: Value) -> Value {
        if let Some(owner) = self.owner_of(before) {
            self.assign(&owner, built.clone());
        }
        built
    }

    /// A method that the code itself brings: in a field of the value, as a function of its own, or as a string that
    /// becomes one.
    fn own_method(&mut self, value: &Value, name: &str, arguments: &Arguments) -> Option<Value> {
        if let Some(Value::Function(function)) = value.get(name) {
            let function = Rc::clone(function);
            return Some(self.call_on(value, &function, arguments));
        }
        // One of the library that a field holds: `ctx.join(ctx.home, "x")`.
        if let Some(held @ (Value::Name(_) | Value::Bound(_))) = value.get(name)
            && !matches!(held, Value::Name(path) if self.effect_of(path).is_none())
        {
            return Some(self.invoke(callee_of(held.clone()), arguments.clone()));
        }
        if !matches!(value, Value::Text(_) | Value::List(_) | Value::Function(_) | Value::Bound(_))
            && let Some(function) = self.function_named(name)
        {
            return Some(self.call_on(value, &function, arguments));
        }
        let is_empty = arguments.values.is_empty() && arguments.block.is_none();
        // A record's `job.root()`
        if let Some(field) = value.get(name).filter(|_| is_empty) {
            return Some(field.clone());
        }
        let gives_way = matches!(
            name,
            "orElse" | "or_else" | "unwrap_or" | "getOrElse" | "orElseGet" | "unwrap_or_else" | "ifEmpty"
        );
        if gives_way
            && let Some(other) =
                arguments.first().cloned().or_else(|| arguments.block.clone().map(Value::Function))
        {
            let other = match other {
                Value::Function(function) => self.call_function(&function, Vec::new()),
                other => other,
            };
            return Some(if value.is_missing() { other } else { Value::any(vec![other, value.clone()]) });
        }
        // Rust's `var_os("HOME").map(PathBuf::from)`
        if self.language == Language::Other
            && matches!((value, name), (Value::Text(_), "map" | "and_then"))
            && let Some(function) = arguments.first()
        {
            return Some(self.apply(&function.clone(), vec![value.clone()]));
        }
        if matches!(value, Value::Map(_))
            && matches!(
                name,
                "get"
                    | "fetch"
                    | "dig"
                    | "pop"
                    | "getOrDefault"
                    | "GetValueOrDefault"
                    | "getValue"
                    | "getProperty"
            )
            && !is_empty
        {
            let (key, rest) = arguments.values.split_first()?;
            let is_there = key.known().is_none_or(|key| value.get(&key).is_some());
            return Some(match rest.first() {
                // One key after the other.
                _ if name == "dig" => {
                    rest.iter().fold(self.element_of(value, key), |inner, key| self.element_of(&inner, key))
                }
                Some(default) if !is_there => default.clone(),
                _ => self.element_of(value, key),
            });
        }
        // What is called when an event comes: `emitter.emit("clean", path)`.
        if matches!(name, "emit" | "dispatch" | "trigger" | "publish" | "fire")
            && let Some((event, rest)) = arguments.values.split_first()
            && let Some(function) = event.known().and_then(|event| self.take_function(&on_event(&event)))
        {
            return Some(self.call_with(&function, &Arguments::of(rest.to_vec())));
        }
        if matches!(name, "on" | "once" | "addListener" | "subscribe")
            && let [event, Value::Function(function)] = arguments.values.as_slice()
            && self.names("emit")
            && let Some(event) = event.known()
        {
            let function = Rc::clone(function);
            self.keep_function(&on_event(&event), function);
            return Some(value.clone());
        }
        // `options.on("--root DIR") { |value| … }`: without that option in the call, nothing calls the block.
        if name == "on"
            && let (Some(block), Some(flags)) = (&arguments.block, arguments.first().and_then(Value::known))
            && flags.starts_with('-')
            && self.given.complete
        {
            let texts: Vec<String> = arguments.values.iter().map(Value::text).collect();
            self.on_option(&texts, &Rc::clone(block));
            return Some(value.clone());
        }
        // `[].constructor.constructor("code")()`
        if name == "constructor"
            && self.language == Language::JavaScript
            && let Some(code) = arguments.values.last().filter(|code| code.known().is_some())
        {
            return Some(self.evaluate(code));
        }
        None
    }

    /// Calls of functions that are values: `f.call(x)`, `exec.apply(null, ["rm x"])`, `Kernel.send(:system, "rm x")`.
    fn called_as_value(&mut self, value: &Value, name: &str, arguments: &Arguments) -> Option<Value> {
        // JavaScript's first argument is `this`.
        let skip = usize::from(self.language == Language::JavaScript);
        let handed = || arguments.values.iter().skip(skip).cloned();
        match value {
            Value::Function(_) | Value::Name(_)
                if name == "bind" && self.language == Language::JavaScript =>
            {
                let bound = Arguments::of(handed().collect());
                Some(Value::Bound(Rc::new((value.clone(), bound))))
            }
            Value::Bound(_) if self.language == Language::Ruby && name == "new" => {
                Some(self.invoke(Callee::Value(value.clone()), arguments.clone()))
            }
            Value::Bound(_) if matches!(name, "call" | "apply") => {
                Some(self.invoke(Callee::Value(value.clone()), Arguments::of(handed().collect())))
            }
            // Java's functional interfaces, C#'s delegates.
            Value::Function(function)
                if matches!(self.language, Language::Jvm | Language::Other)
                    && matches!(
                        name,
                        "accept"
                            | "apply"
                            | "run"
                            | "test"
                            | "get"
                            | "call"
                            | "invoke"
                            | "Invoke"
                            | "execute"
                    ) =>
            {
                let function = Rc::clone(function);
                Some(self.call_function(&function, arguments.values.clone()))
            }
            Value::Function(function) if matches!(name, "call" | "apply" | "()" | "yield") => {
                let function = Rc::clone(function);
                Some(self.call_function(&function, handed().collect()))
            }
            // `require("child_process").exec.call(null, "rm x")`
            Value::Name(path) if matches!(name, "call" | "apply") && self.effect_of(path).is_some() => {
                let mut values: Vec<Value> = handed().collect();
                // `apply` takes the arguments as one list.
                if name == "apply"
                    && values.len() == 1
                    && let Some(Value::List(inner)) = values.pop()
                {
                    values = inner;
                }
                let block = arguments.block.clone();
                Some(self.invoke_path(path, Arguments { block, ..Arguments::of(values) }))
            }
            Value::Name(_) | Value::Text(_) | Value::List(_)
                if matches!(name, "send" | "public_send" | "__send__" | "method" | "instance_method")
                    && self.language == Language::Ruby =>
            {
                Some(self.sent(value, name, arguments))
            }
            _ => None,
        }
    }

    /// Ruby's `Kernel.send(:system, "rm x")`, `method(:system)`.
    fn sent(&mut self, value: &Value, name: &str, arguments: &Arguments) -> Value {
        let Some((method, values)) = arguments.values.split_first() else { return Value::unknown() };
        let Some(method) = method.known() else {
            self.note(NoteKind::OpaqueCode);
            return Value::unknown();
        };
        let path = match value {
            Value::Name(path) if !matches!(path.as_str(), "self" | "Object" | "Kernel") => {
                format!("{path}.{method}")
            }
            _ => method,
        };
        if arguments.of_call.contains(&Spot::Place(0)) {
            self.chosen_from(value);
        }
        // `method(:system)` only names it; the call comes later.
        if name.ends_with("method") {
            return Value::Name(path);
        }
        self.invoke_path(
            &path,
            Arguments {
                values: values.to_vec(),
                named: arguments.named.clone(),
                block: arguments.block.clone(),
                ..Arguments::default()
            },
        )
    }

    /// Methods of what is open: a file, a socket, a database, a process that waits for its input.
    fn method_of_handle(&mut self, value: &Value, name: &str, arguments: &Arguments) -> Option<Value> {
        if let Value::Text(text) = value
            && text.text.contains(mark::REMOTE)
            && matches!(name, "write" | "end" | "send")
            // Something of a file goes to what a network call returned: it is sent.
            && arguments.all().any(|value| value.source().is_some())
        {
            return Some(self.send("post", std::slice::from_ref(value), arguments));
        }
        match value {
            // `Bun.file(path).text()`
            Value::Text(path)
                if self.language == Language::JavaScript
                    && matches!(name, "text" | "json" | "bytes" | "arrayBuffer" | "stream")
                    && self.is_private(&path.text) =>
            {
                Some(self.read(value))
            }
            Value::Database => Some(self.of_database(name, arguments)),
            Value::Socket => Some(self.talk(name, arguments)),
            Value::File(path) if writes(name) => {
                let mut text = arguments.first().cloned().unwrap_or_else(Value::unknown);
                if name == "puts" {
                    for more in arguments.values.iter().skip(1) {
                        text = text.joined(more, "\n");
                    }
                }
                self.put(&Value::from(path.as_str()), &text, matches!(name, "puts" | "println"));
                Some(value.clone())
            }
            // `r.pipe(spawn("sh").stdin)`
            _ if name == "pipe"
                && let Some(pipe @ Value::File(path)) = arguments.first()
                && path.starts_with('|') =>
            {
                self.put(&Value::from(pipe.text()), value, false);
                Some(value.clone())
            }
            // `stream.pipe(request(url))`
            _ if name == "pipe"
                && let Some(Value::Text(text)) = arguments.first()
                && text.text.contains(mark::REMOTE)
                && value.source().is_some() =>
            {
                Some(self.send("post", &arguments.values, &Arguments::of(vec![value.clone()])))
            }
            // An open file that is cut is as good as one that is overwritten with nothing.
            Value::File(path) if name == "truncate" => {
                self.write_file(&Value::from(path.as_str()), &Value::from(""), false);
                Some(value.clone())
            }
            Value::File(_) => Some(self.callbacks(Call::of(value, name, arguments), value.clone())),
            // The connection came from elsewhere; its name and the method say what it is.
            Value::Name(path) if is_statement(name) && looks_like_database(path) => {
                Some(self.query(arguments))
            }
            Value::Name(path) if name == "connect" && path.to_ascii_lowercase().contains("sock") => {
                Some(self.talk(name, arguments))
            }
            Value::Map(_) if name == "Start" && value.get("StartInfo").is_some() => {
                Some(self.act(Effect::Line, Call::of(value, name, arguments)))
            }
            Value::Map(_) if matches!(name, "run" | "start" | "spawn" | "output" | "outputSync") => {
                Some(value.clone())
            }
            _ => None,
        }
    }

    /// How a method starts a program, by its name alone: what no one has bound, or what the code got from elsewhere,
    /// as `client` in `client.exec_command("x")`.
    fn starts_by_name(&self, value: &Value, name: &str) -> Option<Effect> {
        let unbound = match value {
            Value::Name(_) => true,
            Value::Text(text) => text.text.contains(mark::is_hole),
            _ => false,
        };
        if !unbound {
            return None;
        }
        match (self.language, name) {
            (Language::Python, "exec_command" | "system" | "popen" | "run_command" | "getoutput")
            | (Language::JavaScript, "execSync" | "execCommand") => Some(Effect::Shell),
            (Language::JavaScript, "spawnSync" | "execFileSync") => Some(Effect::Program),
            _ => None,
        }
    }

    /// What a method that no one knows gives back.
    fn passed_on(&mut self, Call { subject, name, arguments }: Call<'_>) -> Value {
        match (subject, name) {
            (Some(Value::Name(path)), _) => self.made_by(&format!("{path}.{name}"), arguments),
            (
                Some(value @ Value::List(_)),
                "forEach" | "each" | "sort" | "filter" | "flat" | "uniq" | "compact" | "to_a" | "toArray"
                | "collect" | "stream" | "toList" | "tap" | "values",
            )
            | (Some(value @ Value::Text(_)), "each" | "each_line" | "forEach" | "on" | "once") => {
                value.clone()
            }
            _ if arguments.all().any(|value| value.source().is_some()) => {
                Value::obscured(arguments.all().chain(subject))
            }
            _ => Value::computed(arguments.all().chain(subject)),
        }
    }
}

/// The arguments that a command gets by these values: each of a list that one of them is.
fn words_in(values: &Value) -> Vec<Value> {
    let Value::List(values) = values else { return vec![values.clone()] };
    let each = values.iter().flat_map(|value| match value {
        Value::List(values) => values.clone(),
        Value::Any(lists) if matches!(lists.first(), Some(Value::List(_))) => side_by_side(lists),
        value => vec![value.clone()],
    });
    each.collect()
}

/// Whether a function says who the user is, and where their home folder lies.
fn has_account(path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or(path);
    matches!(name, "getpwuid" | "getpwnam" | "posix_getpwuid" | "posix_getpwnam" | "userInfo")
        || matches!(path, "user.Current" | "user.Lookup")
}

/// The name under which a function is kept that waits for an event. No code can write it.
fn on_event(event: &str) -> String {
    format!("on {event}")
}

/// Whether a method of an open file writes its first argument.
fn writes(name: &str) -> bool {
    matches!(
        name,
        "write"
            | "puts"
            | "print"
            | "writelines"
            | "end"
            | "println"
            | "printf"
            | "writeString"
            | "WriteString"
            | "<<"
            | "write_all"
            | "communicate"
    )
}
