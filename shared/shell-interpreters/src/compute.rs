//! What calls that change nothing give back.

use shell_engine::mark;
use shell_engine::text::encoding;

use super::Language;
use super::act::Call;
use super::files::is_true;
use super::follow::{Follower, callee_of, module_name, path_of};
use super::languages::{Effect, Format};
use super::value::{Arguments, Spot, Text, Value};

impl Follower<'_> {
    /// What a call that changes nothing gives back.
    pub(super) fn computed(&mut self, effect: Effect, call: Call<'_>, inputs: &[Value]) -> Value {
        let Call { subject, name, arguments } = call;
        let first = || inputs.first().cloned().unwrap_or_else(Value::unknown);
        match effect {
            // Python's `list()`
            Effect::First if inputs.is_empty() && arguments.named.is_empty() && is_collection(name) => {
                Value::List(Vec::new())
            }
            Effect::First if name == "expandvars" => self.with_variables(&first()),
            // `new URL("../config/x.json", import.meta.url)`
            Effect::First if name == "URL" && self.language == Language::JavaScript => match inputs {
                [place, base] if base.known().is_some_and(|base| base == self.own_file()) => {
                    let folder = base.text();
                    let folder = folder.rsplit_once('/').map_or(".", |(folder, _)| folder);
                    Value::from(shell_engine::path::join(folder, &place.text()))
                }
                _ => self.expanded(first()),
            },
            Effect::First => self.expanded(first()),
            Effect::Receiver => {
                let value = subject.cloned().unwrap_or_else(first);
                self.expanded(value)
            }
            // `for name in STEPS: importlib.import_module(name)`
            Effect::Module if matches!(inputs.first(), Some(Value::Any(_))) => {
                let names = first().choices().to_vec();
                Value::any(names.into_iter().map(|name| self.computed(effect, call, &[name])).collect())
            }
            Effect::Module => self.loaded(name, &first()),
            Effect::Attribute => {
                let name = inputs.get(1).map_or_else(|| mark::UNKNOWN.to_string(), Value::text);
                if arguments.of_call.contains(&Spot::Place(1)) {
                    self.chosen_from(&first());
                }
                self.property(&first(), &name)
            }
            // `json.loads("[…]")`, `ast.literal_eval`: data is read as an expression of the language.
            // A hook or a reviver may make anything of it.
            Effect::Data if arguments.all().any(is_hook) => Value::computed(inputs.iter()),
            Effect::Data => match (self.json(&first()), first().known()) {
                (Some(data), _) => data,
                (None, Some(text)) => self.run_code(&format!("({text})"), true),
                (None, None) => Value::computed(inputs.iter()),
            },
            Effect::Flag => self.flag(inputs),
            Effect::FlagInto => {
                let value = self.flag(inputs.get(1..).unwrap_or_default());
                self.give_at(arguments, 0, value)
            }
            Effect::DataInto => {
                let data = self.json(&first()).unwrap_or_else(|| Value::computed(inputs.iter()));
                self.give_at(arguments, 1, data)
            }
            Effect::Table(format) => self
                .data(&table_of(name, format, first()), format)
                .unwrap_or_else(|| Value::computed(inputs.iter())),
            Effect::Variables => {
                let named = ["path", "dotenv_path"].iter().find_map(|name| arguments.option(name));
                self.load_variables(inputs.first().filter(|first| first.known().is_some()).or(named));
                Value::from(mark::TOKEN)
            }
            Effect::Assign => {
                // A call that sets a variable by its name, such as `assign("x", 1)` in R.
                if let (Some(name), Some(value)) = (first().known(), inputs.get(1)) {
                    self.assign(&name, value.clone());
                }
                Value::from(mark::TOKEN)
            }
            Effect::Declare => self.declare(call),
            Effect::Options => {
                self.end_if_help();
                self.parse_words(arguments.values.first());
                Value::Name(super::options::PARSED.to_owned())
            }
            Effect::Plain => Value::from(mark::TOKEN),
            Effect::Home
            | Effect::Here
            | Effect::Temporary
            | Effect::Pattern
            | Effect::Names
            | Effect::Entries
            | Effect::Below
            | Effect::Walk
            | Effect::Read
            | Effect::Environment
            | Effect::Parent
            | Effect::Folder => self.place(effect, call, inputs),
            Effect::Base64
            | Effect::Hex
            | Effect::Rotate
            | Effect::Decode
            | Effect::Unpack
            | Effect::Pack
            | Effect::Characters
            | Effect::Codes
            | Effect::Join
            | Effect::JoinFirst
            | Effect::Reverse
            | Effect::Format
            | Effect::Method(_)
            | Effect::Substitute
            | Effect::Percent
            | Effect::Number
            | Effect::Words
            | Effect::Parts
            | Effect::Braces
            | Effect::SubstituteIn => self.text(effect, call, inputs),
            _ => self.collected(effect, call, inputs),
        }
    }

    /// What a call loads by its name, such as `require("./w")`.
    fn loaded(&mut self, call: &str, named: &Value) -> Value {
        match named.known() {
            Some(module) => {
                if let Some(data) = self.json_module(&module) {
                    return data;
                }
                self.import_by_name(&module);
                // Its functions have names of their own afterwards.
                if matches!(module.as_str(), "shelljs/global" | "shelljs/make") {
                    self.import_all_of("shelljs");
                }
                let is_own = module.starts_with('.') || self.language == Language::Lua;
                if let Some(value) = self.module_value().filter(|_| is_own) {
                    return value;
                }
                // `__import__("a.b")` is `a`.
                let of_package = call == "__import__";
                let first = module.split('.').next().filter(|_| of_package);
                self.name_value(first.unwrap_or(&module_name(&module)))
            }
            None => match named {
                Value::Name(path) => Value::Name(path.clone()),
                // `Dir["support/*.rb"].each { |file| require file }`
                Value::Text(text) if self.language == Language::Ruby && text.text.contains(mark::STAR) => {
                    self.include_file(&text.text);
                    Value::from(mark::TOKEN)
                }
                _ => Value::Name(format!("module.{}", mark::UNKNOWN)),
            },
        }
    }

    /// Gives the variable whose address a call gets at a place its value.
    fn give_at(&mut self, arguments: &Arguments, place: usize, value: Value) -> Value {
        let variable = arguments.variables.iter().find(|(at, _)| *at == place);
        if let Some((_, name)) = variable {
            self.assign(name, value);
        }
        Value::from(mark::TOKEN)
    }

    /// A list or a map, what is taken out of one, or what functions make of one.
    fn collected(
        &mut self,
        effect: Effect,
        Call { name, arguments, .. }: Call<'_>,
        inputs: &[Value],
    ) -> Value {
        let first = || inputs.first().cloned().unwrap_or_else(Value::unknown);
        match effect {
            // The last one that has a key wins.
            Effect::Merge => {
                match inputs.iter().filter_map(entries_of).flatten().cloned().collect::<Vec<_>>() {
                    entries if entries.is_empty() => self.expanded(first()),
                    entries => Value::Map(entries),
                }
            }
            Effect::Values => match first() {
                Value::Map(entries) => Value::List(entries.into_iter().map(|(_, value)| value).collect()),
                // What came from the network or was decoded stays marked, whatever is picked out of it.
                value if value.source().is_some() => Value::computed(std::iter::once(&value)),
                value => value,
            },
            Effect::Items => match first() {
                Value::Map(entries) => Value::List(
                    entries
                        .into_iter()
                        .map(|(key, value)| Value::List(vec![Value::from(key), value]))
                        .collect(),
                ),
                value if value.source().is_some() => Value::computed(std::iter::once(&value)),
                value => value,
            },
            Effect::List if inputs.is_empty() && !arguments.named.is_empty() => {
                Value::Map(arguments.named.clone())
            }
            Effect::List => match inputs {
                [Value::List(values)] => Value::List(values.clone()),
                values => Value::List(values.to_vec()),
            },
            // PHP's `array_filter($xs)` calls no function.
            Effect::Keep if inputs.len() == 1 => first(),
            Effect::Each | Effect::Keep => {
                let block = arguments.block.clone().map(Value::Function);
                let with_block: Vec<Value> = block.into_iter().chain(inputs.iter().cloned()).collect();
                let results = self.each_of(&with_block);
                if effect == Effect::Keep { first() } else { results }
            }
            Effect::Apply => self.applied(name, inputs.to_vec()),
            Effect::Mapping => self.mapping(first(), arguments),
            Effect::Fold => self.fold(inputs),
            _ => self.looked_up(effect, arguments, inputs),
        }
    }

    /// What is made of keys and names, or found by them.
    fn looked_up(&mut self, effect: Effect, arguments: &Arguments, inputs: &[Value]) -> Value {
        let first = || inputs.first().cloned().unwrap_or_else(Value::unknown);
        match effect {
            Effect::Lookup => {
                let [container, key, rest @ ..] = inputs else { return Value::computed(inputs.iter()) };
                let found = match container {
                    Value::Map(_) => key.known().and_then(|key| container.get(&key).cloned()),
                    // Julia counts from one.
                    Value::List(values) if !rest.is_empty() => {
                        let place = key.number().and_then(|place| usize::try_from(place - 1).ok());
                        place.and_then(|place| values.get(place).cloned())
                    }
                    container => Some(self.element_of(container, key)).filter(|value| !value.is_missing()),
                };
                found.or_else(|| rest.first().cloned()).unwrap_or_else(Value::unknown)
            }
            Effect::Pairs => super::follow::pairs_of(inputs, '%'),
            Effect::Quoted => match first().known() {
                Some(text) => Value::from(format!("{text:?}")),
                None => Value::computed(inputs.iter()),
            },
            Effect::Builder => inputs
                .first()
                .filter(|first| matches!(first, Value::Text(_)))
                .cloned()
                .unwrap_or_else(|| Value::from("")),
            Effect::Choice => {
                let named = arguments.named.iter().map(|(_, value)| value.clone());
                Value::any(inputs.iter().skip(1).cloned().chain(named).collect())
            }
            Effect::Record => Self::record_type(inputs, arguments),
            Effect::Field => self.set_field(inputs),
            Effect::One => match first() {
                value @ (Value::List(_) | Value::Any(_)) => value.element(),
                _ => Value::from(mark::TOKEN),
            },
            Effect::Pair => match first() {
                Value::Map(entries) => {
                    let (keys, values) = entries.into_iter().unzip::<_, _, Vec<_>, Vec<_>>();
                    let keys = keys.into_iter().map(Value::from).collect();
                    Value::List(vec![Value::any(keys), Value::any(values)])
                }
                value => value,
            },
            _ => Value::unknown(),
        }
    }

    /// Its first argument, called with the others.
    fn applied(&mut self, name: &str, mut values: Vec<Value>) -> Value {
        if values.is_empty() {
            return Value::unknown();
        }
        let function = values.remove(0);
        if values.is_empty() && self.given.complete && self.given.arguments.is_empty() {
            // What its parameters are by themselves.
            return self.invoke(callee_of(function), Arguments::default());
        }
        // `Reflect.apply(f, this, [x])`, `xpcall(f, handler, x)`
        if !values.is_empty() && matches!((self.language, name), (Language::JavaScript, _) | (_, "xpcall")) {
            values.remove(0);
        }
        if let [Value::List(inner)] = values.as_mut_slice() {
            values = std::mem::take(inner);
        }
        self.apply(&function, values)
    }

    /// The paths in a folder, which a pattern may narrow.
    fn entries_of(&self, name: &str, arguments: &Arguments, inputs: &[Value]) -> Value {
        let folder = if inputs.is_empty() { Value::from(".") } else { inputs[0].clone() };
        let deep = arguments.option("recursive").is_some_and(is_true);
        let entry = Value::from(if deep { mark::ENTRY } else { mark::STAR });
        let entry = match arguments.named("pattern").and_then(Value::known) {
            Some(pattern) => Value::from(format!(
                "{}{}",
                mark::STAR,
                // R's `list.files` takes a regular expression; its anchors go, and what is left is close
                // enough to a name.
                pattern.trim_matches(['^', '$', '*']).replace("\\.", ".").replace('\\', "")
            )),
            None => entry,
        };
        let bare = self.language == Language::R && !arguments.option("full.names").is_some_and(is_true);
        Value::List(vec![if bare && name != "dir_ls" { entry } else { path_of(&[folder, entry]) }])
    }

    /// A folder, a path, or what lies there.
    fn place(&mut self, effect: Effect, call: Call<'_>, inputs: &[Value]) -> Value {
        let Call { subject, name, arguments } = call;
        let first = || inputs.first().cloned().unwrap_or_else(Value::unknown);
        match effect {
            Effect::Home => Value::from(&*self.scope.home),
            Effect::Here => Value::from(&*self.scope.cwd),
            Effect::Temporary => Value::from(format!("/tmp/{}", mark::TOKEN)),
            Effect::Pattern => {
                let pattern = match subject {
                    // `Path("x").glob("*")`
                    Some(folder @ (Value::Text(_) | Value::Any(_))) => {
                        path_of(&[folder.clone(), inputs.get(1).cloned().unwrap_or_else(Value::unknown)])
                    }
                    _ => self.expanded(first()),
                };
                let pattern = match pattern {
                    Value::List(values) => Value::any(values),
                    pattern => pattern,
                };
                Value::List(vec![pattern.map(active)])
            }
            Effect::Names => {
                // An entry of any depth, or one right below.
                let deep = arguments.option("recursive").is_some_and(is_true);
                let name = Value::from(if deep { mark::ENTRY } else { mark::STAR });
                // Julia's `readdir(folder; join = true)`
                let joined = arguments.named("join").is_some_and(is_true);
                let subject = subject.or_else(|| arguments.first().filter(|_| joined));
                Value::List(vec![
                    subject.map_or_else(|| name.clone(), |folder| path_of(&[folder.clone(), name.clone()])),
                ])
            }
            Effect::Entries => self.entries_of(name, arguments, inputs),
            Effect::Below => {
                let folder = match inputs {
                    // Perl's `find(sub {…}, "/")`
                    [Value::Function(_) | Value::Map(_), folder, ..] => folder.clone(),
                    [folder, ..] => folder.clone(),
                    [] => Value::from("."),
                };
                let pattern = inputs
                    .get(1)
                    .and_then(Value::known)
                    .filter(|pattern| subject.is_some() && pattern != "*");
                let entry = match pattern {
                    Some(pattern) => format!("{}/{}", mark::ENTRY, active(&pattern)),
                    None => mark::ENTRY.to_string(),
                };
                let entry = path_of(&[folder, Value::from(entry)]);
                if self.language == Language::Perl {
                    // `find` of Perl calls its function with nothing but these variables.
                    self.assign("_", entry.clone());
                    self.assign("name", entry.clone());
                    self.assign("File.Find.name", entry.clone());
                }
                Value::List(vec![entry])
            }
            Effect::Walk => {
                let folder = if inputs.is_empty() { Value::from(".") } else { first() };
                let below = path_of(&[folder, Value::from(mark::ENTRY)]);
                let names = Value::List(vec![Value::from(mark::ENTRY)]);
                Value::List(vec![Value::List(vec![below, names.clone(), names])])
            }
            // PHP's stream context says what is sent.
            Effect::Read if inputs.len() > 2 && first().address().is_some() => {
                self.send("get", inputs, arguments)
            }
            Effect::Read => self.read(&first()),
            // `System.getenv().getOrDefault("PLACE", "build")`
            Effect::Environment if inputs.is_empty() && arguments.named.is_empty() => {
                Value::Name("System.getenv".to_owned())
            }
            Effect::Environment => {
                let default = arguments.values.get(1).or_else(|| arguments.named("unset")).cloned();
                let value = self.environment(&first().text());
                if value.text() != mark::UNSET.to_string() {
                    return value;
                }
                // What the code says it is where no one sets it: `ENV.fetch("ROOT") { Dir.home }`.
                match (default, &arguments.block) {
                    (Some(default), _) => default,
                    (None, Some(block)) => self.call_function(block, Vec::new()),
                    (None, None) => value,
                }
            }
            Effect::Parent => self.property(&first(), "parent"),
            Effect::Folder => {
                let folder = self.expanded(first()).text();
                // Relative paths of everything after it start there.
                let mut inner = self.scope.clone();
                inner.change_folder(&folder);
                *self.scope = inner;
                Value::from(mark::TOKEN)
            }
            _ => Value::unknown(),
        }
    }

    /// A string with one part of it replaced by another; for awk in the variable that the call names last.
    pub(super) fn substituted(&mut self, effect: Effect, inputs: &[Value]) -> Value {
        let in_place = effect == Effect::SubstituteIn;
        let name = in_place.then(|| {
            let named = if inputs.len() > 2 { self.named_before(2) } else { None };
            named.unwrap_or_else(|| "$0".to_owned())
        });
        let text = match (&name, inputs.get(2)) {
            (_, Some(text)) => text.clone(),
            (Some(name), None) => self.name_value(name),
            (None, None) => Value::unknown(),
        };
        let parts = Arguments::of(inputs.iter().take(2).cloned().collect());
        let pattern =
            inputs.first().and_then(Value::known).filter(|pattern| is_pattern(self.language, pattern));
        let result = match (pattern, inputs.get(1)) {
            // Characters of a class; what another pattern means is only known at run time.
            (Some(pattern), Some(with)) => match (class_of(&pattern), with.known()) {
                (Some(class), Some(with)) => Some(text.map(|text| without(text, &class, &with))),
                _ => None,
            },
            _ => self.text_method(&text, "replace", &parts),
        };
        let result = result.unwrap_or_else(|| Value::computed(inputs.iter()));
        match name {
            Some(name) => {
                self.assign(&name, result);
                Value::from(mark::TOKEN)
            }
            None => result,
        }
    }

    /// A map from named arguments, from pairs, or as it is.
    fn mapping(&mut self, first: Value, arguments: &Arguments) -> Value {
        if !arguments.named.is_empty() {
            return self.bounded(Value::Map(arguments.named.clone()));
        }
        // `mapOf("a" to "b", "c" to "d")`
        let is_pair = |value: &Value| matches!(value, Value::List(parts) if parts.len() == 2 && matches!(parts[0], Value::Text(_)));
        if arguments.values.iter().all(is_pair)
            && !arguments.values.is_empty()
            && self.language == Language::Jvm
        {
            return self
                .mapping(Value::List(arguments.values.clone()), &Arguments::of(vec![Value::unknown()]));
        }
        match first {
            _ if arguments.values.is_empty() => Value::Map(Vec::new()),
            // `defaultdict(list)`
            Value::Name(path) if is_collection(&path) || path == "dict" => Value::Map(Vec::new()),
            Value::List(pairs) => {
                let entry = |pair: &Value| match pair {
                    Value::List(parts) => Some((parts.first()?.text(), parts.get(1)?.clone())),
                    _ => None,
                };
                match pairs.iter().map(entry).collect::<Option<Vec<_>>>() {
                    Some(entries) => Value::Map(entries),
                    None => Value::List(pairs),
                }
            }
            value => value,
        }
    }

    /// `pack("H*", x)`, `[x].pack("m")`, `x.unpack1("m")`
    pub(super) fn pack(&self, name: &str, subject: Option<&Value>, inputs: &[Value]) -> Value {
        let (template, values) = match subject {
            Some(subject) => (inputs.get(1).map(Value::text), vec![subject.clone()]),
            None => (inputs.first().map(Value::text), inputs.get(1..).unwrap_or(&[]).to_vec()),
        };
        let template = template.unwrap_or_default();
        let values = match values.as_slice() {
            [Value::List(values)] => values.clone(),
            _ => values,
        };
        let text = values.first().map_or_else(String::new, Value::text);
        let unpacks = name.starts_with("unpack");
        match template.chars().next() {
            Some('H' | 'h') if !unpacks => Value::from(decoded(encoding::hex(&text), &text)),
            Some('m') if unpacks || name == "pack" && self.language == Language::Ruby => {
                Value::from(decoded(encoding::base64(&text), &text))
            }
            Some('u') => Value::from(mark::DECODED),
            Some('C' | 'c' | 'U' | 'W') if !unpacks => characters(&values),
            Some('A' | 'a') => Value::from(text),
            _ => Value::computed(values.iter()),
        }
    }
}

/// `42`, or `2f` with the base after it.
pub(super) fn number(text: &str, base: Option<&Value>) -> Option<i64> {
    let base = base.and_then(Value::number).and_then(|base| u32::try_from(base).ok());
    i64::from_str_radix(text.trim(), base.filter(|base| (2..=36).contains(base)).unwrap_or(10)).ok()
}

/// A line split as a shell does it: at blanks outside of quotes.
pub(super) fn shell_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(chars.next()),
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

pub(super) fn join(list: &Value, separator: &str) -> Value {
    match list {
        Value::List(values) => {
            let mut whole: Option<Value> = None;
            let mut flat: Vec<Value> = Vec::new();
            for value in values {
                match value {
                    Value::List(inner) => flat.extend(inner.iter().cloned()),
                    value => flat.push(value.clone()),
                }
            }
            // Many small parts: put together at once.
            if flat.len() > 16 {
                let from = flat.iter().find_map(Value::source);
                let text = flat.iter().map(Value::text).collect::<Vec<_>>().join(separator);
                return Value::Text(Text { text, from, to: None });
            }
            for value in flat {
                whole = Some(match whole {
                    None => Value::from("").joined(&value, ""),
                    Some(whole) => whole.joined(&value, separator),
                });
            }
            whole.unwrap_or_else(|| Value::from(""))
        }
        Value::Any(values) => Value::any(values.iter().map(|value| join(value, separator)).collect()),
        // Lua's tables are lists, too.
        Value::Map(entries) => {
            join(&Value::List(entries.iter().map(|(_, value)| value.clone()).collect()), separator)
        }
        value => value.clone(),
    }
}

pub(super) fn characters(values: &[Value]) -> Value {
    let mut text = String::new();
    for value in values {
        match value {
            Value::List(values) => text.push_str(&characters(values).text()),
            value => {
                match value.number().and_then(|number| u32::try_from(number).ok()).and_then(char::from_u32) {
                    Some(c) if !mark::is_mark(c) => text.push(c),
                    _ => text.push(value.foreign().unwrap_or(mark::UNKNOWN)),
                }
            }
        }
    }
    Value::from(text)
}

/// Decoded bytes as text. What was not known before is not known afterwards.
pub(super) fn decoded(bytes: Option<Vec<u8>>, before: &str) -> String {
    if let Some(hole) = before.chars().find(|&c| mark::is_hole(c)) {
        return if hole == mark::REMOTE { hole } else { mark::DECODED }.to_string();
    }
    match bytes.map(String::from_utf8) {
        Some(Ok(text)) => mark::scrub(&text).into_owned(),
        _ => mark::DECODED.to_string(),
    }
}

pub(super) fn rotated(text: &str) -> String {
    let turn = |c: char, base: u8| char::from((c as u8 - base + 13) % 26 + base);
    text.chars()
        .map(|c| match c {
            'a'..='z' => turn(c, b'a'),
            'A'..='Z' => turn(c, b'A'),
            c => c,
        })
        .collect()
}

/// A pattern with its special characters active; `**` goes through everything below.
fn active(pattern: &str) -> String {
    let plain = |text: &str| -> String {
        text.chars()
            .map(|c| match c {
                '*' => mark::STAR,
                '?' => mark::ANY,
                '[' => mark::CLASS,
                c => c,
            })
            .collect()
    };
    let Some((before, after)) = pattern.split_once("**") else { return plain(pattern) };
    let before = before.trim_end_matches('/');
    let root = if before.is_empty() && pattern.starts_with('/') {
        String::new()
    } else if before.is_empty() {
        ".".to_owned()
    } else {
        plain(before)
    };
    match after.trim_start_matches('/').trim_start_matches("**/") {
        "" | "*" | "**" | "*.*" => format!("{root}/{}", mark::ENTRY),
        rest => format!("{root}/{}/{}", mark::ENTRY, plain(rest)),
    }
}

/// Whether an argument may be called: not PHP's `true`.
fn is_hook(value: &Value) -> bool {
    match value {
        Value::Function(_) | Value::Bound(_) => true,
        Value::Name(name) => !["true", "false", "null"].iter().any(|word| name.eq_ignore_ascii_case(word)),
        _ => false,
    }
}

/// The entries of a map.
fn entries_of(value: &Value) -> Option<&Vec<(String, Value)>> {
    match value {
        Value::Map(entries) => Some(entries),
        _ => None,
    }
}

/// Whether a text is a pattern that means more than itself, for a function that takes patterns.
fn is_pattern(language: Language, text: &str) -> bool {
    language == Language::Python && text.contains(['[', '\\', '*', '+', '?', '(', '|', '^', '$'])
}

/// The characters of a pattern that is only a class: `[0-9]`, `[^a-z]+`, `\\d`.
fn class_of(pattern: &str) -> Option<impl Fn(char) -> bool> {
    let pattern = pattern.trim_end_matches(['+', '*']);
    let (negated, letters) = match pattern {
        "\\d" => (false, "0-9".to_owned()),
        "\\D" => (true, "0-9".to_owned()),
        "\\s" => (false, " \t\n".to_owned()),
        "\\W" => (true, "a-zA-Z0-9_".to_owned()),
        _ => {
            let inner = pattern.strip_prefix('[')?.strip_suffix(']')?;
            let (negated, inner) = inner.strip_prefix('^').map_or((false, inner), |inner| (true, inner));
            (negated, (!inner.contains(['\\', '[', ']'])).then(|| inner.to_owned())?)
        }
    };
    let letters: Vec<char> = letters.chars().collect();
    Some(move |c: char| {
        let mut at = 0;
        let mut found = false;
        while let Some(&first) = letters.get(at) {
            if let (Some('-'), Some(&last)) = (letters.get(at + 1), letters.get(at + 2)) {
                found |= (first..=last).contains(&c);
                at += 3;
            } else {
                found |= first == c;
                at += 1;
            }
        }
        found != negated
    })
}

/// A text with something else in the place of each character of a class.
fn without(text: &str, class: &impl Fn(char) -> bool, with: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        if mark::is_mark(c) || !class(c) {
            result.push(c);
        } else if result.len() < super::value::MAX_TEXT {
            result.push_str(with);
        }
    }
    result
}

/// Whether a function of this name makes an empty collection where it gets nothing.
fn is_collection(name: &str) -> bool {
    matches!(name, "list" | "set" | "tuple" | "deque")
}

/// The table that a reader of one gets: a file by its name, or what is in one.
fn table_of(reader: &str, format: Format, given: Value) -> Value {
    let names_file = reader.contains("file") || matches!(format, Format::Sections);
    match given.known().filter(|_| names_file) {
        Some(path) if !path.contains('\n') => Value::File(path),
        _ => given,
    }
}
