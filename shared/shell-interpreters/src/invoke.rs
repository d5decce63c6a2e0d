//! Whom a call calls: a function of the code itself, one of the library, or a method of a value.

use std::rc::Rc;

use shell_engine::{Arg, NoteKind, mark};

use super::Language;
use super::act::{Call, applies, is_statement, looks_like_database};
use super::follow::Follower;
use super::languages::{self, Effect};
use super::spawn::words_of;
use super::value::{Arguments, MAX_TEXT, Value};

impl Follower<'_> {
    /// What a function of the library does.
    pub(super) fn effect_of(&self, path: &str) -> Option<Effect> {
        let find = |path: &str| match self.language {
            Language::Python => languages::python::function(path)
                .or_else(|| languages::python::usual(path).and_then(languages::python::function)),
            Language::JavaScript => languages::javascript::function(path),
            Language::Ruby => languages::ruby::function(path),
            Language::Perl => languages::perl::function(path),
            Language::Php => languages::php::function(&path.trim_start_matches('\\').to_ascii_lowercase()),
            Language::Lua => languages::lua::function(path),
            Language::Awk => languages::awk::function(path),
            Language::R => languages::r::function(path),
            Language::Jvm => languages::jvm::function(path),
            Language::Julia => languages::others::julia(path),
            Language::Elixir => languages::others::elixir(path),
            Language::Go => languages::others::go(path),
            Language::Other => languages::others::other(path),
        };
        if let Some(effect) = find(path) {
            return Some(effect);
        }
        // `HTTP::Tiny->new->get(…)`
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
        let mut parts = path.rmatch_indices('.').map(|(at, _)| at);
        let (_, second) = (parts.next()?, parts.next()?);
        find(&path[second + 1..])
    }

    pub(super) fn method_effect(&self, name: &str, arguments: usize) -> Option<Effect> {
        match self.language {
            Language::Python => languages::python::method(name, arguments),
            Language::JavaScript => languages::javascript::method(name, arguments),
            Language::Ruby => languages::ruby::method(name, arguments),
            Language::Perl => languages::perl::method(name, arguments),
            Language::Php => languages::php::method(&name.to_ascii_lowercase(), arguments),
            Language::Lua => languages::lua::method(name, arguments),
            Language::Jvm => languages::jvm::method(name, arguments),
            Language::Awk | Language::R => None,
            _ => languages::others::method(name),
        }
    }

    /// Calls something by its path.
    pub(super) fn invoke_path(&mut self, path: &str, arguments: Arguments) -> Value {
        // `subprocess.run` stays what it is where the code has a `run` of its own.
        let library = path.contains('.') && self.variable(path).is_none() && self.effect_of(path).is_some();
        if !library && let Some(function) = self.function_named(path) {
            return self.call_function(&function, arguments.values);
        }
        if Self::is_hidden(path) {
            // A method whose name is only known at run time may be `system`.
            self.note(NoteKind::OpaqueCode);
        }
        // Blocks that are values: `lambda { … }`, `proc { … }`.
        if let (Some(block), "lambda" | "proc" | "Proc.new" | "Thread.new" | "at_exit" | "loop") =
            (&arguments.block, path)
        {
            if path == "lambda" || path.starts_with('p') || path.starts_with('P') {
                return Value::Function(Rc::clone(block));
            }
            if path == "loop" {
                return self.endless_block(block);
            }
        }
        if self.language == Language::Perl && matches!(path, "map" | "grep" | "sort" | "first" | "any") {
            return self.perl_list(path, arguments);
        }
        if self.language == Language::Ruby
            && path == "method"
            && let Some(name) = arguments.first().and_then(Value::known)
        {
            return Value::Name(name);
        }
        let Some(effect) = self.effect_of(path) else {
            if let Some(result) = self.special(path, &arguments) {
                return result;
            }
            let (receiver, name) = path.rsplit_once('.').unwrap_or(("", path));
            if !receiver.is_empty() {
                return self.invoke_method(Value::Name(receiver.to_owned()), name, arguments);
            }
            self.handed_over(&arguments);
            let result = Self::made_by(path, &arguments);
            return self.callbacks(Call { subject: None, name, arguments: &arguments }, result);
        };
        if effect == Effect::Database {
            return self.database(path, &arguments);
        }
        let name = path.rsplit('.').next().unwrap_or(path);
        let call = Call { subject: None, name, arguments: &arguments };
        let result = self.act(effect, call);
        self.callbacks(call, result)
    }

    /// Calls that no table can hold: names that are programs, and methods that are named at run time.
    fn special(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        match self.language {
            Language::Python => {
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
                Some(self.start(words, None))
            }
            Language::Ruby if matches!(path, "send" | "public_send" | "__send__") => {
                let arguments = Arguments::of(arguments.values.clone());
                Some(self.invoke_method(Value::Name("self".to_owned()), "send", arguments))
            }
            // `setTimeout(execSync, 0, "rm x")`, `process.nextTick(execSync, "rm x")`
            Language::JavaScript if matches!(path, "process.nextTick" | "queueMicrotask") => {
                let (function, rest) = arguments.values.split_first()?;
                Some(self.apply(function, rest.to_vec()))
            }
            // They change a list in place, so the variable gets the longer one.
            Language::Lua | Language::Php if matches!(path, "table.insert" | "array_push") => {
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
            Language::R if path.ends_with("dbRemoveTable") => {
                self.of_database("drop_table", arguments);
                Some(Value::from(mark::TOKEN))
            }
            Language::R if path == "chartr" => {
                let [from, to, text] = arguments.values.as_slice() else { return None };
                let parts = Arguments::of(vec![from.clone(), to.clone()]);
                self.text_method(&text.clone(), "tr", &parts)
            }
            Language::R if matches!(path, "glue.glue" | "glue") => {
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

    /// Calls a method of a value.
    pub(super) fn invoke_method(&mut self, value: Value, name: &str, arguments: Arguments) -> Value {
        if let Some(Value::Function(function)) = value.get(name) {
            let function = Rc::clone(function);
            return self.call_function(&function, arguments.values);
        }
        // A method that the code defines itself.
        if !matches!(value, Value::Text(_) | Value::List(_))
            && let Some(function) = self.function_named(name)
        {
            // The function may look for its object's fields.
            if matches!(value, Value::Map(_)) && matches!(self.language, Language::Lua | Language::JavaScript)
            {
                self.assign(if self.language == Language::Lua { "self" } else { "this" }, value);
            }
            return self.call_function(&function, arguments.values);
        }
        if matches!(value, Value::Map(_))
            && matches!(name, "get" | "fetch" | "dig")
            && let Some(key) = arguments.first()
        {
            let key = key.clone();
            return self.element_of(&value, &key);
        }
        // `[].constructor.constructor("code")()`
        if name == "constructor"
            && self.language == Language::JavaScript
            && let Some(code) = arguments.values.last().filter(|code| code.known().is_some())
        {
            return self.evaluate(&code.clone());
        }
        if let Value::Text(text) = &value
            && text.text.contains(mark::REMOTE)
            && matches!(name, "write" | "end" | "send")
            // Something of a file goes to what a network call returned: it is sent.
            && arguments.all().any(|value| value.source().is_some())
        {
            return self.send("post", std::slice::from_ref(&value), &arguments);
        }
        match &value {
            Value::Function(function) if matches!(name, "call" | "apply" | "bind" | "()" | "yield") => {
                let function = Rc::clone(function);
                // JavaScript's first argument is `this`.
                let skip = usize::from(self.language == Language::JavaScript);
                return self.call_function(&function, arguments.values.into_iter().skip(skip).collect());
            }
            // `require("child_process").exec.call(null, "rm x")`
            Value::Name(path)
                if matches!(name, "call" | "apply" | "bind") && self.effect_of(path).is_some() =>
            {
                let path = path.clone();
                let skip = usize::from(self.language == Language::JavaScript);
                let mut values: Vec<Value> = arguments.values.into_iter().skip(skip).collect();
                // `apply` takes the arguments as one list.
                if name == "apply"
                    && values.len() == 1
                    && let Some(Value::List(inner)) = values.pop()
                {
                    values = inner;
                }
                return self
                    .invoke_path(&path, Arguments { block: arguments.block, ..Arguments::of(values) });
            }
            // Ruby's `Kernel.send(:system, "rm x")`
            Value::Name(_) | Value::Text(_) | Value::List(_)
                if matches!(name, "send" | "public_send" | "__send__" | "method" | "instance_method")
                    && self.language == Language::Ruby =>
            {
                let mut values = arguments.values.into_iter();
                let Some(method) = values.next() else { return Value::unknown() };
                let Some(method) = method.known() else {
                    self.note(NoteKind::OpaqueCode);
                    return Value::unknown();
                };
                let path = match &value {
                    Value::Name(path) if !matches!(path.as_str(), "self" | "Object" | "Kernel") => {
                        format!("{path}.{method}")
                    }
                    _ => method,
                };
                // `method(:system)` only names it; the call comes later.
                if name.ends_with("method") {
                    return Value::Name(path);
                }
                let arguments = Arguments { values: values.collect(), ..arguments };
                return self.invoke_path(&path, arguments);
            }
            Value::Database => return self.of_database(name, &arguments),
            Value::Socket => return self.talk(name, &arguments),
            Value::File(path)
                if matches!(
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
                ) =>
            {
                let path = Value::from(path.as_str());
                let text = arguments.first().cloned().unwrap_or_else(Value::unknown);
                let newline = matches!(name, "puts" | "println");
                self.put(&path, &text, newline);
                return value;
            }
            // `r.pipe(spawn("sh").stdin)`
            _ if name == "pipe"
                && matches!(arguments.first(), Some(Value::File(path)) if path.starts_with('|')) =>
            {
                if let Some(pipe) = arguments.first() {
                    self.put(&Value::from(pipe.text()), &value, false);
                }
                return value;
            }
            // An open file that is cut is as good as one that is overwritten with nothing.
            Value::File(path) if name == "truncate" => {
                let path = path.clone();
                self.write_file(&Value::from(path), &Value::from(""), false);
                return value;
            }
            Value::File(_) => {
                return self.callbacks(Call::of(&value, name, &arguments), value.clone());
            }
            // The connection came from elsewhere; its name and the method say what it is.
            Value::Name(path) if is_statement(name) && looks_like_database(path) => {
                return self.query(&arguments);
            }
            Value::Name(path) if name == "connect" && path.to_ascii_lowercase().contains("sock") => {
                return self.talk(name, &arguments);
            }
            Value::Map(_) if matches!(name, "run" | "start" | "spawn" | "output" | "outputSync") => {
                return value;
            }
            _ => {}
        }
        if let Some(result) = self.text_method(&value, name, &arguments) {
            // Functions among the arguments may be called by any method: they are run as well.
            return self.callbacks(Call::of(&value, name, &arguments), result);
        }
        // What no one has bound, or what the code got from elsewhere: `client.exec_command("x")`.
        if matches!(value, Value::Name(_))
            || matches!(&value, Value::Text(text) if text.text.contains(mark::is_hole))
        {
            let starts = match self.language {
                Language::Python => {
                    matches!(name, "exec_command" | "system" | "popen" | "run_command" | "getoutput")
                }
                Language::JavaScript => {
                    matches!(name, "execSync" | "spawnSync" | "execFileSync" | "execCommand")
                }
                _ => false,
            };
            if starts {
                let effect = if matches!(name, "spawnSync" | "execFileSync") {
                    Effect::Program
                } else {
                    Effect::Shell
                };
                return self.run_command(effect, &arguments.values.clone(), &arguments);
            }
        }
        // `ref.delete()` of who knows what: a file's path is known.
        let vague = self.language == Language::JavaScript && name == "delete" && value.known().is_none();
        let Some(effect) = self
            .method_effect(name, arguments.values.len())
            .filter(|effect| !vague && applies(*effect, &value))
        else {
            self.handed_over(&arguments);
            let result = if let Value::Name(path) = &value {
                Self::made_by(&format!("{path}.{name}"), &arguments)
            } else {
                match (&value, name) {
                    (
                        Value::List(_),
                        "forEach" | "each" | "sort" | "filter" | "flat" | "uniq" | "compact" | "to_a"
                        | "toArray" | "collect" | "stream" | "toList" | "tap" | "values",
                    ) => value.clone(),
                    (Value::Text(_), "each" | "each_line" | "forEach" | "on" | "once") => value.clone(),
                    _ => Value::computed(arguments.all().chain(std::iter::once(&value))),
                }
            };
            return self.callbacks(Call::of(&value, name, &arguments), result);
        };
        let call = Call::of(&value, name, &arguments);
        let result = self.act(effect, call);
        self.callbacks(call, result)
    }
}
