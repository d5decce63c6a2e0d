//! What calls do, as programs that would do the same: `rm`, `mv`, `chmod`, or the command itself.

use std::rc::Rc;

use shell_engine::{NoteKind, mark};

use super::compute::shell_words;
use super::files::is_true;
use super::follow::{Follower, path_of};
use super::languages::Effect;
use super::options::GIVEN;
use super::value::{Arguments, Function, Parameter, Source, Text, Value};
use super::{Language, MAX_BODY, lex};

/// A call of a function or a method.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    /// The value whose method it is.
    pub(super) subject: Option<&'a Value>,
    pub(super) name: &'a str,
    pub(super) arguments: &'a Arguments,
}

impl<'a> Call<'a> {
    /// The call of a method.
    pub(super) fn of(subject: &'a Value, name: &'a str, arguments: &'a Arguments) -> Self {
        Self { subject: Some(subject), name, arguments }
    }
}

impl Follower<'_> {
    /// A function that is handed to something unknown, with its arguments after it: `Thread(target=os.system, args=("x",))`,
    /// `pool.submit(shutil.rmtree, path)`, `atexit.register(clean, path)`. Gives back what it gives.
    pub(super) fn handed_over(&mut self, arguments: &Arguments) -> Option<Value> {
        let acts = |follower: &Self, value: &Value| match value {
            Value::Function(_) => true,
            Value::Name(path) => follower.effect_of(path).is_some_and(|effect| {
                matches!(
                    effect,
                    Effect::Shell
                        | Effect::Program
                        | Effect::Either
                        | Effect::Split
                        | Effect::Delete(_)
                        | Effect::DeleteIfAsked
                        | Effect::Write
                        | Effect::Truncate
                        | Effect::Move
                        | Effect::Code
                )
            }),
            _ => false,
        };
        // The first that acts: what stands before it is a pool, a time or a name.
        let (function, values) = if let Some(at) = arguments.values.iter().position(|value| acts(self, value))
        {
            let after = &arguments.values[at + 1..];
            // `setTimeout(clean, 100, "x")`
            let waits = matches!(after, [Value::Number(_), ..]) && self.language == Language::JavaScript;
            // `scheduler.enter(0, 1, os.system, ("x",))`: a line is never a list.
            let tuple = match (&arguments.values[at], after) {
                (Value::Name(path), [Value::List(values)]) => {
                    let effect = self.effect_of(path);
                    matches!(effect, Some(Effect::Shell | Effect::Delete(_))).then(|| values.clone())
                }
                _ => None,
            };
            (arguments.values[at].clone(), tuple.unwrap_or_else(|| after[usize::from(waits)..].to_vec()))
        } else {
            let function = arguments.named("target").filter(|value| acts(self, value))?;
            let values = match arguments.named("args") {
                Some(Value::List(values)) => values.clone(),
                _ => Vec::new(),
            };
            (function.clone(), values)
        };
        // Without arguments it is only mentioned, as in a table of functions, or gets what is not known here.
        (!values.is_empty()).then(|| self.apply(&function, values))
    }

    /// What a function that no one knows gives back: what it is made of, or an object of its own.
    pub(super) fn made_by(&mut self, path: &str, arguments: &Arguments) -> Value {
        let class = path.rsplit('.').next().is_some_and(|name| name.starts_with(char::is_uppercase));
        let plain = arguments.all().all(|value| value.source().is_none() && value.foreign().is_none());
        let nothing = arguments.values.is_empty() && arguments.named.is_empty();
        // Bounded, as a chain of calls appends to the path each time.
        if plain && (class || nothing) && path.len() < 200 {
            // `Redis.new` is a `Redis`.
            let class = path.strip_suffix(".new").unwrap_or(path);
            if let Some(address) = arguments.all().find_map(Value::address) {
                self.addresses.push((Rc::from(class), address));
            }
            return Value::Name(class.to_owned());
        }
        let made = Value::obscured(arguments.all());
        // `BodyPublishers.ofFile(path)`
        let last = path.rsplit('.').next().unwrap_or(path).to_ascii_lowercase();
        let mut texts = arguments.all().flat_map(Value::choices).map(Value::text);
        // An object of a class of the code's own has its methods, and what it was made of.
        let own = path.strip_suffix(".new").unwrap_or(path);
        if class && self.is_class(own.rsplit('.').next().unwrap_or(own)) {
            return Value::any(vec![Value::Name(own.to_owned()), made]);
        }
        match (made, last.contains("file").then(|| texts.find(|text| self.is_private(text))).flatten()) {
            (Value::Text(text), Some(path)) => {
                let from = Some(Source::whole(path));
                Value::Text(Text { from, ..text })
            }
            (made, _) => made,
        }
    }

    /// Runs a string as code, for a function that may take something else instead.
    fn run_as_code(&mut self, name: &str, code: Option<Value>, inputs: &[Value]) -> Value {
        // `setTimeout(execSync, 0, "rm x")`: what follows the time is for the function.
        if let (Some(function @ Value::Name(_)), "setTimeout" | "setInterval" | "setImmediate") =
            (&code, name)
        {
            let handed = inputs.get(if name == "setImmediate" { 1 } else { 2 }..).unwrap_or(&[]);
            return self.apply(function, handed.to_vec());
        }
        // JavaScript's `new Function("a", CODE)`, which is called later.
        if let ("Function" | "AsyncFunction", Some((body, names))) = (name, inputs.split_last())
            && let Some(text) = body.known().filter(|text| text.len() <= MAX_BODY)
        {
            let names = names.iter().map(Value::text).collect::<Vec<_>>().join(",");
            let names = names.split(',').filter(|name| !name.is_empty());
            let code = Rc::new(lex::read(self.language, &text));
            let function = Function {
                parameters: names.map(|name| Parameter::from(name.trim().to_owned())).collect(),
                start: 0,
                end: code.tokens.len(),
                receiver: None,
                captured: Vec::new(),
                made_in: 0,
                code,
            };
            return Value::Function(Rc::new(function));
        }
        // PHP once ran the text that it asserts.
        if name == "assert" && code.as_ref().is_none_or(|code| code.known().is_none()) {
            return Value::from(mark::TOKEN);
        }
        self.evaluate(&code.unwrap_or_else(Value::unknown))
    }

    /// The first of a list, or of the arguments of the function or the program at work: Perl's `shift`.
    fn next_parameter(&self, name: &str, inputs: &[Value]) -> Value {
        if let Some(Value::List(values)) = inputs.first() {
            return values.first().cloned().unwrap_or_else(Value::unknown);
        }
        match (self.variable("_").cloned(), self.parameters()) {
            (Some(Value::List(values)), _) if !values.is_empty() => values[0].clone(),
            (Some(value @ Value::Text(_)), _) => value,
            // R's `commandArgs()` is all of them.
            (_, Value::List(values)) if name != "commandArgs" => {
                values.first().cloned().unwrap_or_else(Value::unknown)
            }
            // What no one hands over.
            (Some(Value::List(_)), _) => Value::from(mark::PASSED),
            _ if self.given.complete && self.given.arguments.is_empty() => Value::from(mark::PASSED),
            (_, value) => value,
        }
    }

    /// Runs the code of a file that the arguments name.
    fn include(&mut self, name: &str, inputs: &[Value]) -> Value {
        // `new Worker(CODE, { eval: true })`
        if inputs.get(1).and_then(|options| options.get("eval")).is_some_and(is_true) {
            return self.evaluate(&inputs[0]);
        }
        // `load_source("name", "x.py")`, `spec_from_file_location("name", "x.py")`
        let named = self.language == Language::Python && name != "run_path" && inputs.len() > 1;
        let file = inputs.get(usize::from(named)).cloned().unwrap_or_else(Value::unknown);
        // PHP and R can run a file from an address.
        if file.foreign() == Some(mark::REMOTE) {
            return self.evaluate(&file);
        }
        let held = self.read(&file);
        if held.text().chars().all(mark::is_hole)
            && let Some(path) =
                file.known().or_else(|| (self.language == Language::Ruby).then(|| file.text()))
        {
            self.include_file(&path);
        }
        // A file that the code has written itself.
        self.run_code(&held.text(), true)
    }

    /// `Process.Start("rm", "-rf /")`: the program, and its arguments as one line.
    fn start_by_line(&mut self, inputs: &[Value], arguments: &Arguments) -> Value {
        let mut inputs = match inputs {
            // C#'s `Process.Start(new ProcessStartInfo("rm", "-rf /"))`
            [info @ Value::Map(_)] => started_by(info),
            _ => inputs.to_vec(),
        };
        if let [_, line, ..] = inputs.as_mut_slice() {
            *line = match &*line {
                Value::Any(choices) => {
                    Value::any(choices.iter().map(|one| Value::List(words_in(one))).collect())
                }
                one => Value::List(words_in(one)),
            };
        }
        self.run_command(Effect::Program, &inputs, arguments)
    }

    /// Does what a call does.
    pub(super) fn act(&mut self, effect: Effect, call: Call<'_>) -> Value {
        let Call { subject, name, arguments } = call;
        // What it works on: the subject, and then its arguments.
        let mut inputs: Vec<Value> = subject.into_iter().cloned().collect();
        inputs.extend(arguments.values.iter().cloned());
        let first = || inputs.first().cloned().unwrap_or_else(Value::unknown);
        let second = || inputs.get(1).cloned().unwrap_or_else(Value::unknown);
        match effect {
            Effect::Shell | Effect::Either | Effect::Split | Effect::Program | Effect::Replace => {
                self.run_command(effect, &inputs, arguments)
            }
            Effect::Line => self.start_by_line(&inputs, arguments),
            Effect::Kill(reversed) => {
                // Perl and Ruby name the signal first.
                let (process, signal) = if reversed { (second(), first()) } else { (first(), second()) };
                let signal = signal.text().replace("signal.", "");
                // An unknown signal is taken for one that ends the process.
                let signal = if mark::any(&signal) { "TERM".to_owned() } else { signal };
                self.program("kill", &["-s", &signal, "--"], &[process])
            }
            Effect::Code => {
                // `new Function("a", "b", code)`, R's `parse(text = code)`
                let code = match name {
                    "Function" | "AsyncFunction" | "constructor" => inputs.last().cloned(),
                    _ => inputs.first().or_else(|| arguments.named("text")).cloned(),
                };
                self.run_as_code(name, code, &inputs)
            }
            Effect::Include => self.include(name, &inputs),
            Effect::Fork => {
                // One fork is everyday work; in an endless loop it is a bomb.
                if self.is_endless() {
                    self.note(NoteKind::ForkBomb);
                } else if self.language == Language::JavaScript
                    && inputs.first().is_some_and(|file| file.known().is_some())
                {
                    // Node's runs a file of code.
                    inputs.insert(0, Value::from("node"));
                    return self.run_command(Effect::Program, &inputs, arguments);
                }
                Value::from(mark::TOKEN)
            }
            Effect::Connect | Effect::Listen => {
                let callee = if effect == Effect::Listen { "listen" } else { "" };
                self.connect(callee, arguments);
                Value::Socket
            }
            Effect::Send => self.send(name, &inputs, arguments),
            Effect::Download => {
                let path = second();
                // So that running the file later is seen as running what was downloaded.
                let remote = Value::from(mark::REMOTE);
                self.write_file(&path, &remote, false);
                remote
            }
            Effect::Database => self.database(name, arguments),
            Effect::Statement => self.query(arguments),
            Effect::Put => {
                match first() {
                    file @ Value::File(_) => self.put(&file, &second(), false),
                    Value::Socket => _ = self.talk("write", &Arguments::of(vec![second()])),
                    _ => {}
                }
                Value::from(mark::TOKEN)
            }
            Effect::Print(line) => {
                self.print(call, &inputs, line);
                Value::from(mark::TOKEN)
            }
            Effect::Input => match self.given.stdin.clone() {
                Some(text) => Value::from(&*text),
                None => Value::unknown(),
            },
            Effect::Parameters => self.next_parameter(name, &inputs),
            // Rust joins a list of strings by the name by which it joins paths.
            Effect::Path if matches!(inputs.first(), Some(Value::List(_))) && name == "join" => {
                self.computed(Effect::JoinFirst, call, &inputs)
            }
            Effect::Path => {
                // In Python, an absolute part forgets what stands before it; elsewhere it does not.
                let forgets = self.language == Language::Python || name == "resolve";
                let whole = if forgets { path_of(&inputs) } else { path_of(&below_the_first(&inputs)) };
                self.expanded(whole)
            }
            Effect::Delete(_)
            | Effect::DeleteIfAsked
            | Effect::Write
            | Effect::Append
            | Effect::Truncate
            | Effect::Open
            | Effect::Move
            | Effect::Copy
            | Effect::CopyTree
            | Effect::Extract(_)
            | Effect::Link
            | Effect::Mode(_)
            | Effect::Own => self.on_files(effect, call, &inputs),
            _ => self.computed(effect, call, &inputs),
        }
    }

    /// Does what a call does to files.
    fn on_files(
        &mut self,
        effect: Effect,
        Call { name, arguments, .. }: Call<'_>,
        inputs: &[Value],
    ) -> Value {
        let first = || inputs.first().cloned().unwrap_or_else(Value::unknown);
        let second = || inputs.get(1).cloned().unwrap_or_else(Value::unknown);
        // Ruby's `rm_rf(path, noop: true)` only says what it would do.
        let is_noop = |value: &Value| matches!(value, Value::Name(word) if word == "true" || word == GIVEN);
        if self.language == Language::Ruby && arguments.named("noop").is_some_and(is_noop) {
            return first();
        }
        match effect {
            // R's `unlink` goes into folders only with `recursive`.
            Effect::Delete(deep) => {
                let deep = deep || self.language == Language::R && arguments.option("recursive").is_some();
                self.delete(inputs, deep, arguments)
            }
            Effect::DeleteIfAsked => {
                let told = arguments.option("recursive").is_some_and(is_true)
                    || inputs.get(1).is_some_and(|value| match value {
                        Value::Name(name) => matches!(name.as_str(), "true" | "TRUE" | "T"),
                        // `:rf` and "r" as some languages spell it.
                        // Octave says `s`.
                        Value::Text(text) => text.text.contains(['r', 's']) && text.text.len() < 4,
                        _ => false,
                    });
                self.delete(&inputs[..inputs.len().min(1)], told, arguments)
            }
            Effect::Write | Effect::Append => {
                // `File.write(path, text, mode: "a")`: the mode is not read here, so the old text may stay.
                if self.language == Language::Ruby && arguments.named("mode").is_some() {
                    self.write_file(&first(), &second(), true);
                } else {
                    // Node's `writeFileSync(path, text, {flag: "a"})` appends.
                    let flags = arguments.option("flag").map(Value::text).unwrap_or_default();
                    self.write_file(&first(), &second(), effect == Effect::Append || flags.contains('a'));
                }
                match (name, first()) {
                    (
                        "createWriteStream" | "create" | "Create" | "newWriter" | "FileWriter"
                        | "PrintWriter" | "FileOutputStream" | "newBufferedWriter",
                        path,
                        // These open: what is written comes later, by methods of what they give back.
                    ) => Value::File(path.text()),
                    (_, path) => path,
                }
            }
            Effect::Truncate => {
                self.write_file(&first(), &Value::from(""), false);
                Value::from(mark::TOKEN)
            }
            Effect::Open => self.open(inputs, arguments),
            Effect::Move => self.program("mv", &["-f", "--"], &[first(), second()]),
            // `--` here and below: a path that begins with a dash is still a path.
            Effect::Copy => self.program("cp", &["--"], &[first(), second()]),
            // `-T`: the copy takes the target's name instead of going into it.
            Effect::CopyTree => self.program("cp", &["-rT", "--"], &[first(), second()]),
            // Only the folder matters to rules: what the archive holds is not known.
            Effect::Extract(at) => {
                let named = || arguments.named("path").or_else(|| arguments.named("extract_dir"));
                match arguments.values.get(at).or_else(named) {
                    Some(folder) => self.program("tar", &["-x", "-C"], std::slice::from_ref(folder)),
                    None => Value::unknown(),
                }
            }
            Effect::Link => self.program("ln", &["-sf", "--"], &[first(), second()]),
            Effect::Mode(reversed) => self.mode(inputs, reversed, name),
            Effect::Own => {
                let owner = second().text();
                self.program("chown", &[&owner], &[first()])
            }
            _ => Value::unknown(),
        }
    }
}

/// The program and its arguments that C#'s `ProcessStartInfo` has.
fn started_by(info: &Value) -> Vec<Value> {
    let info = info.get("StartInfo").unwrap_or(info);
    let nothing = Value::List(Vec::new());
    let part = |name: &str| info.get(name).unwrap_or(&nothing).clone();
    vec![part("FileName"), part("Arguments"), part("ArgumentList")]
}

/// A string, split into words as a shell does.
fn words_in(value: &Value) -> Vec<Value> {
    match value {
        Value::List(words) => words.clone(),
        value => shell_words(&value.text()).into_iter().map(Value::from).collect(),
    }
}

/// Names of methods that get a statement of a database.
pub(super) fn is_statement(name: &str) -> bool {
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
            | "queryArray"
            | "queryObject"
            | "query_one"
            | "batch_execute"
            | "simple_query"
            | "execute_sql"
            | "executeStatement"
            | "ExecuteSqlRaw"
    )
}

/// Whether a name that no one has bound reads as a handle on a database.
pub(super) fn looks_like_database(path: &str) -> bool {
    // One that is thrown away, see `database`.
    if path.split('.').next() == Some(super::database::MEMORY) {
        return false;
    }
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
pub(super) fn applies(effect: Effect, value: &Value) -> bool {
    match effect {
        // `cache.delete(key)` of who knows what.
        Effect::Delete(false) => !matches!(value, Value::Name(_) | Value::Map(_) | Value::List(_)),
        Effect::DeleteIfAsked | Effect::Delete(true) | Effect::Move | Effect::Mode(_) | Effect::Truncate => {
            !matches!(value, Value::Map(_) | Value::List(_) | Value::Name(_))
        }
        // Methods of paths: `Path("x").write_text(…)`. The same names on other values mean something else.
        Effect::Write | Effect::Open | Effect::Link => matches!(value, Value::Text(_) | Value::Any(_)),
        Effect::Split => matches!(value, Value::Text(_) | Value::List(_) | Value::Any(_)),
        Effect::Code => matches!(value, Value::Function(_)),
        _ => true,
    }
}

/// Parts of a path, of which only the first may be absolute.
fn below_the_first(parts: &[Value]) -> Vec<Value> {
    let below = |(place, part): (usize, &Value)| match place {
        0 => part.clone(),
        _ => part.map(|text| text.trim_start_matches('/').to_owned()),
    };
    parts.iter().enumerate().map(below).collect()
}
