//! What calls do, as programs that would do the same: `rm`, `mv`, `chmod`, or the command itself.

use std::rc::Rc;

use super::Language;
use super::files::is_true;
use super::follow::{Follower, path_of};
use super::languages::{self, Deed};
use super::spawn::words_of;
use super::value::{Arguments, Function, MAX_TEXT, Value};
use crate::atom::{Arg, NoteKind};
use crate::mark;

impl Follower<'_> {
    /// What a function of the library does.
    pub(super) fn deed_of(&self, path: &str) -> Option<Deed> {
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
        if let Some(deed) = find(path) {
            return Some(deed);
        }
        // `HTTP::Tiny->new->get(…)`
        if path.contains(".new.")
            && let Some(deed) = find(&path.replace(".new.", "."))
        {
            return Some(deed);
        }
        // `from shutil import *`
        if !path.contains('.')
            && let Some(deed) = self.starred().iter().find_map(|module| find(&format!("{module}.{path}")))
        {
            return Some(deed);
        }
        // Something that holds a module: `self.shutil.rmtree`.
        let mut parts = path.rmatch_indices('.').map(|(at, _)| at);
        let (_, second) = (parts.next()?, parts.next()?);
        find(&path[second + 1..])
    }

    pub(super) fn method_deed(&self, name: &str, arguments: usize) -> Option<Deed> {
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
    pub(super) fn invoke_path(
        &mut self,
        path: &str,
        arguments: Arguments,
        block: Option<Rc<Function>>,
    ) -> Value {
        // `subprocess.run` stays what it is where the code has a `run` of its own.
        let library = path.contains('.') && self.variable(path).is_none() && self.deed_of(path).is_some();
        if !library && let Some(function) = self.function_named(path) {
            return self.call_function(&function, arguments.values);
        }
        if Self::is_hidden(path) {
            self.note(NoteKind::OpaqueCode);
        }
        // Blocks that are values: `lambda { … }`, `proc { … }`.
        if let (Some(block), "lambda" | "proc" | "Proc.new" | "Thread.new" | "at_exit" | "loop") =
            (&block, path)
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
        let Some(deed) = self.deed_of(path) else {
            if let Some(result) = self.special(path, &arguments) {
                return result;
            }
            let (receiver, name) = path.rsplit_once('.').unwrap_or(("", path));
            if !receiver.is_empty() {
                return self.invoke_method(Value::Name(receiver.to_owned()), name, arguments, block);
            }
            self.handed_over(&arguments);
            let result = Self::made_by(path, &arguments);
            return self.callbacks(name, &Value::unknown(), result, &arguments, block);
        };
        if deed == Deed::Database {
            return self.database(path, &arguments);
        }
        let name = path.rsplit('.').next().unwrap_or(path);
        let result = self.act(deed, None, name, &arguments);
        self.callbacks(name, &Value::unknown(), result, &arguments, block)
    }

    /// Calls that no table can hold: names that are programs, and methods that are named at run time.
    fn special(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        match self.language {
            Language::Python => {
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
                let arguments = Arguments { values: arguments.values.clone(), named: Vec::new() };
                Some(self.invoke_method(Value::Name("self".to_owned()), "send", arguments, None))
            }
            // `setTimeout(execSync, 0, "rm x")`, `process.nextTick(execSync, "rm x")`
            Language::JavaScript if matches!(path, "process.nextTick" | "queueMicrotask") => {
                let (function, rest) = arguments.values.split_first()?;
                Some(self.apply(function, rest.to_vec()))
            }
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
                let name = self.named_before(if arguments.values.len() > 2 { 4 } else { 2 })?;
                let separator = arguments.values.get(2).cloned().into_iter().collect();
                let separator = Arguments { values: separator, named: Vec::new() };
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
                let parts = Arguments { values: vec![from.clone(), to.clone()], named: Vec::new() };
                self.text_method(&text.clone(), "tr", &parts)
            }
            Language::R if matches!(path, "glue.glue" | "glue") => {
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
    pub(super) fn invoke_method(
        &mut self,
        value: Value,
        name: &str,
        arguments: Arguments,
        block: Option<Rc<Function>>,
    ) -> Value {
        if let Some(Value::Function(function)) = value.get(name) {
            let function = Rc::clone(function);
            return self.call_function(&function, arguments.values);
        }
        // A method that the code defines itself.
        if !matches!(value, Value::Text(_) | Value::List(_))
            && let Some(function) = self.function_named(name)
        {
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
            && arguments.all().any(|value| value.source().is_some())
        {
            return self.send("post", std::slice::from_ref(&value), &arguments);
        }
        match &value {
            Value::Function(function) if matches!(name, "call" | "apply" | "bind" | "()" | "yield") => {
                let function = Rc::clone(function);
                let skip = usize::from(self.language == Language::JavaScript);
                return self.call_function(&function, arguments.values.into_iter().skip(skip).collect());
            }
            // `require("child_process").exec.call(null, "rm x")`
            Value::Name(path)
                if matches!(name, "call" | "apply" | "bind") && self.deed_of(path).is_some() =>
            {
                let path = path.clone();
                let skip = usize::from(self.language == Language::JavaScript);
                let mut values: Vec<Value> = arguments.values.into_iter().skip(skip).collect();
                if name == "apply"
                    && values.len() == 1
                    && let Some(Value::List(inner)) = values.pop()
                {
                    values = inner;
                }
                return self.invoke_path(&path, Arguments { values, named: Vec::new() }, block);
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
                if name.ends_with("method") {
                    return Value::Name(path);
                }
                let arguments = Arguments { values: values.collect(), named: arguments.named };
                return self.invoke_path(&path, arguments, block);
            }
            Value::Database => return self.of_database(name, &arguments),
            Value::Socket => return self.talk(name, &arguments, block),
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
            Value::File(path) if name == "truncate" => {
                let path = path.clone();
                self.write_file(&Value::from(path), &Value::from(""), false);
                return value;
            }
            Value::File(_) => {
                return self.callbacks(name, &value.clone(), value, &arguments, block);
            }
            Value::Name(path) if is_statement(name) && looks_like_database(path) => {
                return self.query(&arguments);
            }
            Value::Name(path) if name == "connect" && path.to_ascii_lowercase().contains("sock") => {
                return self.talk(name, &arguments, block);
            }
            Value::Map(_) if matches!(name, "run" | "start" | "spawn" | "output" | "outputSync") => {
                return value;
            }
            _ => {}
        }
        if let Some(result) = self.text_method(&value, name, &arguments) {
            return self.callbacks(name, &value, result, &arguments, block);
        }
        // What nobody has bound, or what the code got from elsewhere: `client.exec_command("x")`.
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
                let deed =
                    if matches!(name, "spawnSync" | "execFileSync") { Deed::Program } else { Deed::Shell };
                return self.run_command(deed, &arguments.values.clone(), &arguments);
            }
        }
        // `ref.delete()` of who knows what: a file's path is known.
        let vague = self.language == Language::JavaScript && name == "delete" && value.known().is_none();
        let Some(deed) =
            self.method_deed(name, arguments.values.len()).filter(|deed| !vague && applies(*deed, &value))
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
            return self.callbacks(name, &value, result, &arguments, block);
        };
        let result = self.act(deed, Some(&value), name, &arguments);
        self.callbacks(name, &value, result, &arguments, block)
    }

    /// A function of the library that is handed to something unknown, with its arguments behind it:
    /// `Thread(target=os.system, args=("x",))`, `pool.submit(shutil.rmtree, path)`.
    fn handed_over(&mut self, arguments: &Arguments) {
        let acts = |follower: &Self, value: &Value| match value {
            Value::Name(path) => follower.deed_of(path).is_some_and(|deed| {
                matches!(
                    deed,
                    Deed::Shell
                        | Deed::Program
                        | Deed::Either
                        | Deed::Split
                        | Deed::Delete(_)
                        | Deed::DeleteIfTold
                        | Deed::Write
                        | Deed::Truncate
                        | Deed::Move
                        | Deed::Code
                )
            }),
            _ => false,
        };
        let (function, values) = if let Some(at) = arguments.values.iter().position(|value| acts(self, value))
        {
            (arguments.values[at].clone(), arguments.values[at + 1..].to_vec())
        } else if let Some(function) = arguments.named("target").filter(|value| acts(self, value)) {
            let values = match arguments.named("args") {
                Some(Value::List(values)) => values.clone(),
                _ => Vec::new(),
            };
            (function.clone(), values)
        } else {
            return;
        };
        if let (Value::Name(path), false) = (function, values.is_empty()) {
            self.invoke_path(&path, Arguments { values, named: Vec::new() }, None);
        }
    }

    /// What a function that nobody knows gives back: what it is made of, or an object of its own.
    pub(super) fn made_by(path: &str, arguments: &Arguments) -> Value {
        let class = path.rsplit('.').next().is_some_and(|name| name.starts_with(char::is_uppercase));
        let plain = arguments.all().all(|value| value.source().is_none() && value.foreign().is_none());
        let nothing = arguments.values.is_empty() && arguments.named.is_empty();
        if plain && (class || nothing) && path.len() < 200 {
            // `Redis.new` is a `Redis`.
            return Value::Name(path.strip_suffix(".new").unwrap_or(path).to_owned());
        }
        Value::computed(arguments.all())
    }

    /// Does what a call does. `subject` is the value whose method it is.
    pub(super) fn act(
        &mut self,
        deed: Deed,
        subject: Option<&Value>,
        name: &str,
        arguments: &Arguments,
    ) -> Value {
        // What it works on: the subject, and then its arguments.
        let mut inputs: Vec<Value> = subject.into_iter().cloned().collect();
        inputs.extend(arguments.values.iter().cloned());
        let first = || inputs.first().cloned().unwrap_or_else(Value::unknown);
        let second = || inputs.get(1).cloned().unwrap_or_else(Value::unknown);
        match deed {
            Deed::Shell | Deed::Either | Deed::Split | Deed::Program | Deed::Replace => {
                self.run_command(deed, &inputs, arguments)
            }
            Deed::Delete(deep) => {
                let deep = deep || self.language == Language::R && arguments.option("recursive").is_some();
                self.delete(&inputs, deep, arguments)
            }
            Deed::DeleteIfTold => {
                let told = arguments.option("recursive").is_some_and(is_true)
                    || inputs.get(1).is_some_and(|value| match value {
                        Value::Name(name) => matches!(name.as_str(), "true" | "TRUE" | "T"),
                        Value::Text(text) => text.text.contains('r') && text.text.len() < 4,
                        _ => false,
                    });
                self.delete(&inputs[..inputs.len().min(1)], told, arguments)
            }
            Deed::Write | Deed::Append => {
                if self.language == Language::Ruby && arguments.named("mode").is_some() {
                    self.write_file(&first(), &second(), true);
                } else {
                    let flags = arguments.option("flag").map(Value::text).unwrap_or_default();
                    self.write_file(&first(), &second(), deed == Deed::Append || flags.contains('a'));
                }
                match (name, first()) {
                    (
                        "createWriteStream" | "create" | "Create" | "newWriter" | "FileWriter"
                        | "PrintWriter" | "FileOutputStream" | "newBufferedWriter",
                        path,
                    ) => Value::File(path.text()),
                    (_, path) => path,
                }
            }
            Deed::Truncate => {
                self.write_file(&first(), &Value::from(""), false);
                Value::from(mark::TOKEN)
            }
            Deed::Open => self.open(&inputs, arguments),
            Deed::Move => self.program("mv", &["-f", "--"], &[first(), second()]),
            Deed::Copy => self.program("cp", &["--"], &[first(), second()]),
            Deed::CopyTree => self.program("cp", &["-rT", "--"], &[first(), second()]),
            Deed::Extract(at) => {
                let named = || arguments.named("path").or_else(|| arguments.named("extract_dir"));
                match arguments.values.get(at).or_else(named) {
                    Some(folder) => self.program("tar", &["-x", "-C"], std::slice::from_ref(folder)),
                    None => Value::unknown(),
                }
            }
            Deed::Link => self.program("ln", &["-sf", "--"], &[first(), second()]),
            Deed::Mode(reversed) => self.mode(&inputs, reversed, name),
            Deed::Own => {
                let owner = second().text();
                self.program("chown", &[&owner], &[first()])
            }
            Deed::Kill(reversed) => {
                let (process, signal) = if reversed { (second(), first()) } else { (first(), second()) };
                let signal = signal.text().replace("signal.", "");
                let signal = if mark::any(&signal) { "TERM".to_owned() } else { signal };
                self.program("kill", &["-s", &signal, "--"], &[process])
            }
            Deed::Code => {
                // `new Function("a", "b", code)`, R's `parse(text = code)`
                let code = match name {
                    "Function" | "AsyncFunction" | "constructor" => inputs.last().cloned(),
                    _ => inputs.first().or_else(|| arguments.named("text")).cloned(),
                };
                // `setTimeout(execSync, 0, "rm x")`: what follows the time is for the function.
                if let (Some(function @ Value::Name(_)), "setTimeout" | "setInterval" | "setImmediate") =
                    (&code, name)
                {
                    let handed = inputs.get(if name == "setImmediate" { 1 } else { 2 }..).unwrap_or(&[]);
                    return self.apply(function, handed.to_vec());
                }
                // PHP once ran the text that it asserts.
                if name == "assert" && code.as_ref().is_none_or(|code| code.known().is_none()) {
                    return Value::from(mark::TOKEN);
                }
                self.evaluate(&code.unwrap_or_else(Value::unknown))
            }
            Deed::Include => {
                if first().foreign() == Some(mark::REMOTE) {
                    return self.evaluate(&first());
                }
                let held = self.read(&first());
                self.run_code(&held.text(), true)
            }
            Deed::Fork => {
                if self.is_endless() {
                    self.note(NoteKind::ForkBomb);
                }
                Value::from(mark::TOKEN)
            }
            Deed::Connect | Deed::Listen => {
                let callee = if deed == Deed::Listen { "listen" } else { "" };
                self.connect(callee, arguments);
                Value::Socket
            }
            Deed::Send => self.send(name, &inputs, arguments),
            Deed::Download => {
                let path = second();
                let remote = Value::from(mark::REMOTE);
                self.write_file(&path, &remote, false);
                remote
            }
            Deed::Database => self.database(name, arguments),
            Deed::Statement => self.query(arguments),
            Deed::Put => {
                if let file @ Value::File(_) = first() {
                    self.put(&file, &second(), false);
                }
                Value::from(mark::TOKEN)
            }
            Deed::Print(line) => {
                self.print(name, &inputs, arguments, line);
                Value::from(mark::TOKEN)
            }
            Deed::Input => match self.given.stdin.clone() {
                Some(text) => Value::from(&*text),
                None => Value::unknown(),
            },
            Deed::Parameters => match inputs.first() {
                Some(Value::List(values)) => values.first().cloned().unwrap_or_else(Value::unknown),
                _ => match (self.variable("_").cloned(), self.parameters()) {
                    (Some(Value::List(values)), _) if !values.is_empty() => values[0].clone(),
                    (Some(value @ Value::Text(_)), _) => value,
                    (_, Value::List(values)) if name != "commandArgs" => {
                        values.first().cloned().unwrap_or_else(Value::unknown)
                    }
                    (_, value) => value,
                },
            },
            Deed::Path => {
                // In Python, an absolute part forgets what stands before it; elsewhere it does not.
                let forgets = self.language == Language::Python || name == "resolve";
                let parts: Vec<Value> = inputs
                    .iter()
                    .enumerate()
                    .map(|(place, part)| {
                        if place == 0 || forgets {
                            part.clone()
                        } else {
                            part.map(|text| text.trim_start_matches('/').to_owned())
                        }
                    })
                    .collect();
                self.expanded(path_of(&parts))
            }
            _ => self.computed(deed, subject, name, &inputs, arguments),
        }
    }
}

/// Names of methods that get a statement of a database.
fn is_statement(name: &str) -> bool {
    matches!(
        name,
        "execute"
            | "executescript"
            | "executemany"
            | "query"
            | "exec"
            | "raw"
            | "prepare"
            | "run"
            | "execute_batch"
            | "exec_params"
            | "executeUpdate"
            | "executeQuery"
            | "$executeRawUnsafe"
            | "$queryRawUnsafe"
            | "$executeRaw"
            | "do"
            | "sql"
            | "async_exec"
            | "all"
            | "unsafe"
            | "executeRaw"
            | "query_one"
    )
}

/// Whether a name that nobody has bound reads as a handle on a database.
fn looks_like_database(path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or(path).to_ascii_lowercase();
    matches!(
        last.as_str(),
        "conn"
            | "con"
            | "connection"
            | "cursor"
            | "cur"
            | "db"
            | "database"
            | "pool"
            | "session"
            | "engine"
            | "sequelize"
            | "prisma"
            | "knex"
            | "dbh"
            | "mysqli"
            | "pdo"
            | "pg"
    )
}

/// Whether a method does this to such a value.
fn applies(deed: Deed, value: &Value) -> bool {
    match deed {
        // `cache.delete(key)` of who knows what.
        Deed::Delete(false) => !matches!(value, Value::Name(_) | Value::Map(_) | Value::List(_)),
        Deed::Delete(true) | Deed::Move | Deed::Mode(_) | Deed::Truncate => {
            !matches!(value, Value::Map(_) | Value::List(_) | Value::Name(_))
        }
        Deed::Write | Deed::Open | Deed::Link => matches!(value, Value::Text(_) | Value::Any(_)),
        Deed::Split => matches!(value, Value::Text(_) | Value::List(_) | Value::Any(_)),
        Deed::Code => matches!(value, Value::Function(_)),
        _ => true,
    }
}
