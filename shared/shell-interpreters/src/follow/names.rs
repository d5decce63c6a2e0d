//! Names: imports, modules, and the parts of values.

use shell_engine::mark;

use super::Follower;
use super::modules::DEFAULT;
use crate::Language;
use crate::lex::Token;
use crate::options::WORDS;
use crate::value::{Source, Text, Value};

impl Follower<'_> {
    /// `import x as y`, `from m import f as g`, `import {f as g} from "m"`.
    pub(super) fn import(&mut self) {
        if self.language == Language::JavaScript {
            self.import_script();
            return;
        }
        let from = self.take_word("from");
        if from {
            let module = self.dotted();
            if module == "django.conf" {
                self.django_settings();
            }
            let whole = self.import_python(&module);
            let exports = std::mem::take(&mut self.exports);
            self.take_word("import");
            self.take("(");
            loop {
                self.skip_lines_after_bracket();
                if self.take("*") {
                    self.stars.push(module);
                    return;
                }
                let Some(name) = self.word().map(str::to_owned) else { break };
                self.at += 1;
                // What the package has itself, or `from package import module`.
                self.exports.clone_from(&exports);
                let value = self.exported(&name);
                if !whole && value.is_none() {
                    let inner = format!("{module}.{name}");
                    self.import_python(inner.trim_start_matches('.'));
                    self.name_exports(inner.trim_start_matches('.'));
                }
                let target = self.renamed(&name);
                let value = value.unwrap_or_else(|| self.taken_from(canonical(&format!("{module}.{name}"))));
                self.assign(&target, value);
                if !self.take(",") {
                    break;
                }
            }
            self.take(")");
            return;
        }
        self.at += 1;
        loop {
            let module = self.dotted();
            if module.is_empty() {
                return;
            }
            self.import_python(&module);
            self.name_exports(&module);
            if self.word() == Some("as") {
                let target = self.renamed("");
                self.assign(&target, Value::Name(canonical(&module)));
            } else {
                let first = module.split('.').next().unwrap_or("");
                self.assign(first, Value::Name(first.to_owned()));
            }
            if !self.take(",") {
                return;
            }
        }
    }

    /// `from django.conf import settings`: the values of the module that `manage.py` names.
    fn django_settings(&mut self) {
        let Some(file) = self.runner.look_up(self.scope, "manage.py").filter(|_| self.runner.has_disk())
        else {
            return;
        };
        let rest = file.text.split_once("DJANGO_SETTINGS_MODULE").map_or("", |(_, rest)| rest);
        let named = rest.split(['"', '\'']).nth(2).filter(|_| !rest.is_empty()).map(str::to_owned);
        let module = self.environment("DJANGO_SETTINGS_MODULE").known().or(named);
        let Some(module) = module else { return };
        self.import_python(&module);
        for (name, value) in std::mem::take(&mut self.exports) {
            if name.chars().all(|c| c.is_ascii_uppercase() || c == '_') {
                self.assign(&format!("django.conf.settings.{name}"), value);
            }
        }
    }

    /// What is imported by its path: the words of the call are data.
    fn taken_from(&self, path: String) -> Value {
        match path.as_str() {
            "sys.argv" | "process.argv" | "Bun.argv" => self.parameters(),
            "zx.argv" if self.given.complete => Value::Name(WORDS.to_owned()),
            _ => Value::Name(path),
        }
    }

    fn skip_lines_after_bracket(&mut self) {
        if matches!(
            self.code.tokens.get(self.at.wrapping_sub(1)),
            Some(Token::Op("(" | ",") | Token::Line(_))
        ) {
            self.skip_lines();
        }
    }

    /// The name after `as`, or `name` itself.
    fn renamed(&mut self, name: &str) -> String {
        if self.take_word("as")
            && let Some(target) = self.word().map(str::to_owned)
        {
            self.at += 1;
            return target;
        }
        name.to_owned()
    }

    fn dotted(&mut self) -> String {
        let mut path = String::new();
        while self.take(".") || self.take("...") {}
        while let Some(word) = self.word().filter(|word| !matches!(*word, "import" | "as")) {
            path.push_str(word);
            self.at += 1;
            if !self.take(".") {
                break;
            }
            path.push('.');
        }
        path
    }

    fn import_script(&mut self) {
        // The module stands at the end, the names before it.
        let start = self.at + 1;
        let mut end = start;
        while end < self.end && !matches!(self.code.tokens[end], Token::Text(_) | Token::Op(";")) {
            end += 1;
        }
        self.step(end - start);
        let mut data = None;
        let module = match self.code.tokens.get(end) {
            Some(Token::Text(module)) => {
                let spelled = module.clone();
                data = self.json_module(&spelled);
                if data.is_none() {
                    self.import_path(&spelled);
                    self.name_exports(&module_name(&spelled));
                }
                module_name(&spelled)
            }
            _ => String::new(),
        };
        let mut at = start;
        let mut inside = false;
        while at < end {
            match &self.code.tokens[at] {
                Token::Op("{") => inside = true,
                Token::Op("}") => inside = false,
                // Inside braces, `from` may be a name that is imported.
                Token::Name(word) if word == "from" && !inside => break,
                // `import fs = require("fs")`
                Token::Name(name) if !matches!(name.as_str(), "as" | "type" | "require") => {
                    let name = name.clone();
                    let target = match (self.code.tokens.get(at + 1), self.code.tokens.get(at + 2)) {
                        (Some(Token::Name(word)), Some(Token::Name(target))) if word == "as" => {
                            at += 2;
                            target.clone()
                        }
                        _ => name.clone(),
                    };
                    // `fs.promises` and a default export do what the module does.
                    let path = if inside && name != "default" && name != "promises" {
                        format!("{module}.{name}")
                    } else {
                        module.clone()
                    };
                    let value = match &data {
                        Some(data) if inside => data.get(&name).cloned(),
                        Some(data) => Some(data.clone()),
                        None if inside && name != DEFAULT => self.exported(&name),
                        None => self.exported_default().or_else(|| self.module_value()),
                    };
                    let value = value.unwrap_or_else(|| self.taken_from(path));
                    self.assign(&target, value);
                }
                Token::Op("*") => match (self.code.tokens.get(at + 1), self.code.tokens.get(at + 2)) {
                    (Some(Token::Name(word)), Some(Token::Name(target))) if word == "as" => {
                        let target = target.clone();
                        self.assign(&target, Value::Name(module.clone()));
                        at += 2;
                    }
                    // `export * from "./b"`
                    _ => {
                        let all: Vec<_> =
                            self.exports.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
                        for (name, value) in all {
                            self.assign(&name, value);
                        }
                    }
                },
                _ => {}
            }
            at += 1;
        }
        self.at = end + 1;
    }

    /// An import that changes no names: steps over it.
    pub(super) fn import_plain(&mut self) {
        let mut last = None;
        while let Some(token) = self.peek() {
            match token {
                Token::Line(_) | Token::Op(";") => break,
                Token::Name(name) => last = Some(name.clone()),
                _ => {}
            }
            self.at += 1;
        }
        if let Some(name) = last.filter(|_| self.language == Language::Julia) {
            self.stars.push(name);
        }
    }

    /// What a name stands for.
    pub(crate) fn name_value(&mut self, name: &str) -> Value {
        if let Some(value) = self.variable(name) {
            return value.clone();
        }
        // Java calls what makes an object like its class.
        let is_class = self.language == Language::Jvm && self.is_class(name);
        if !is_class && let Some(function) = self.take_function(name) {
            return Value::Function(function);
        }
        // A method names a field of its object as if it were a variable.
        let names_fields = matches!(self.language, Language::Jvm | Language::Other) && !self.class.is_empty();
        if names_fields && let Some(value) = self.field(name) {
            return value;
        }
        let here = || Value::from(&*self.own_folder());
        match (self.language, name) {
            // What is sent into a generator.
            (Language::Python, "yield") => {
                let sent = self.code.tokens.windows(3).filter_map(|three| match three {
                    [Token::Name(method), Token::Op("("), Token::Text(text)] if method == "send" => {
                        Some(Value::from(text.as_str()))
                    }
                    _ => None,
                });
                let sent: Vec<Value> = sent.collect();
                if sent.is_empty() { Value::unknown() } else { Value::any(sent) }
            }
            (Language::JavaScript, "__dirname")
            | (Language::Php | Language::Julia, "__DIR__")
            | (Language::Ruby, "__dir__") => here(),
            (Language::JavaScript, "__filename")
            | (
                Language::Php | Language::Python | Language::Ruby | Language::Perl | Language::Julia,
                "__FILE__" | "__file__",
            ) => Value::from(self.own_file()),
            // `attr_reader :root`
            (Language::Ruby, _) if self.variable(&format!("@{name}")).is_some() => {
                self.variable_value(&format!("@{name}"))
            }
            (Language::Ruby, "_1") => self.variable("it").cloned().unwrap_or_else(Value::unknown),
            // `arg[1]` and awk's `ARGV[1]` are the first one after the program.
            (Language::Ruby | Language::R | Language::Awk, "ARGV")
            | (Language::Lua, "arg")
            | (Language::Julia, "ARGS")
            | (Language::Other | Language::Jvm, "args")
                if !self.given.arguments.is_empty()
                    || self.language == Language::Julia && self.given.complete =>
            {
                self.words_of_call()
            }
            // What zx makes of the words of the call.
            (Language::JavaScript, "argv") if self.given.complete => Value::Name(WORDS.to_owned()),
            // Gradle's.
            (Language::Jvm, "buildDir" | "buildDirectory") => Value::from("build"),
            (Language::Jvm, "projectDir" | "rootDir" | "projectDirectory") => Value::from("."),
            (Language::Php, "DIRECTORY_SEPARATOR") => Value::from("/"),
            (Language::Php, "PHP_BINARY") => Value::from("php"),
            // A bare word before `=>` is a string.
            (Language::Perl, name) if self.op() == Some("=>") => Value::from(name),
            (_, "None" | "null" | "nil" | "undefined" | "NULL" | "nothing") => Value::from(mark::TOKEN),
            _ => Value::Name(canonical(name)),
        }
    }

    /// A part of a value: `x.name`.
    pub(crate) fn property(&mut self, value: &Value, name: &str) -> Value {
        match value {
            Value::Name(path) => self.property_of_name(value, path, name),
            Value::Map(_) => match value.get(name) {
                Some(value) => value.clone(),
                // What its class says of each of its objects.
                None => match self
                    .field(name)
                    .or_else(|| promoted(value, name))
                    .or_else(|| self.computed_property(value, name))
                {
                    Some(value) => value,
                    None => Value::computed(std::iter::once(value)),
                },
            },
            Value::Any(values) => {
                let values = values.clone();
                Value::any(values.iter().map(|value| self.property(value, name)).collect())
            }
            Value::List(values) => match name {
                "first" => values.first().cloned().unwrap_or_else(Value::unknown),
                "last" => values.last().cloned().unwrap_or_else(Value::unknown),
                "length" | "size" | "count" => Value::Number(i64::try_from(values.len()).unwrap_or(0)),
                "path" | "parent" | "stdout" | "output" | "flat" | "name" => value.clone(),
                _ => Value::computed(values.iter()),
            },
            Value::Text(text) => part_of_text(text, name),
            Value::Socket => Value::Socket,
            Value::Number(_) => Value::from(mark::TOKEN),
            Value::Function(function) if matches!(name, "__name__" | "name") => {
                let known = self.known(std::rc::Rc::as_ptr(function));
                known.map_or_else(|| value.clone(), |known| Value::from(known.name.as_str()))
            }
            // What its author says of it.
            Value::Function(_) if name == "__doc__" => Value::unknown(),
            Value::File(_) | Value::Function(_) | Value::Bound(_) | Value::Database => value.clone(),
        }
    }

    /// A part of something of the library, of a class or of an object of the code's own.
    fn property_of_name(&mut self, value: &Value, path: &str, name: &str) -> Value {
        if is_environment(path) {
            // Ruby's `ENV.to_h` is all of it.
            if matches!(name, "to_h" | "to_hash" | "copy" | "dup" | "clone" | "items" | "toObject") {
                return value.clone();
            }
            if matches!(name, "to_json" | "to_s" | "inspect" | "to_yaml" | "to_a" | "values" | "map") {
                return Value::computed(std::iter::once(value));
            }
            // What the code has set itself.
            let set = self.variable(&format!("{path}.{name}")).cloned();
            return set.unwrap_or_else(|| self.environment(name));
        }
        if path == WORDS {
            return self.option_of_words(name);
        }
        match (path, name) {
            (crate::options::PARSED, "_") if self.language == Language::JavaScript => {
                let words = self.words_without_options();
                words.map_or_else(Value::unknown, |words| {
                    Value::List(words.into_iter().map(Value::from).collect())
                })
            }
            // Other doors to the same module.
            (_, "promises" | "default" | "posix" | "strict" | "sync_")
                if self.language == Language::JavaScript =>
            {
                value.clone()
            }
            // What hangs on the global object is the variable of that name.
            ("global" | "globalThis" | "window" | "builtins" | "self", _)
                if self.language == Language::JavaScript =>
            {
                self.name_value(name)
            }
            ("builtins" | "__builtins__", _) => Value::Name(name.to_owned()),
            // The name of a class is what makes its objects.
            (_, "class") if self.language == Language::Php => value.clone(),
            ("sys" | "process" | "Deno" | "Bun" | "os", "argv" | "args" | "Args") => self.parameters(),
            ("parser" | "yargs", "argv") => Value::Name(crate::options::PARSED.to_owned()),
            // Ammonite's, and Foundation's.
            (_, "buildDir" | "buildDirectory" | "projectDir" | "rootDir" | "projectDirectory")
                if self.language == Language::Jvm =>
            {
                self.name_value(name)
            }
            ("os", "home") if self.language == Language::Jvm => Value::from(&*self.scope.home),
            (_, "homeDirectoryForCurrentUser") if self.language == Language::Other => {
                Value::from(&*self.scope.home)
            }
            ("sys", "executable") => Value::from("python3"),
            ("string", "ascii_lowercase") => Value::from("abcdefghijklmnopqrstuvwxyz"),
            ("string", "ascii_uppercase") => Value::from("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
            ("string", "ascii_letters") => {
                Value::from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
            }
            ("string", "digits") => Value::from("0123456789"),
            ("process", "execPath" | "argv0") => Value::from("node"),
            ("RbConfig", "ruby") => Value::from("ruby"),
            ("os" | "path", "sep") | ("os", "PathSeparator") | ("filepath", "Separator") => Value::from("/"),
            ("os" | "os.path", "curdir") => Value::from("."),
            ("os" | "os.path", "pardir") => Value::from(".."),
            ("import.meta", "url" | "filename") => Value::from(self.own_file()),
            ("import.meta", "dir" | "dirname") => Value::from(&*self.own_folder()),
            (
                _,
                // Ways round to a function: what is reached that way is called like the thing itself.
                "__dict__" | "__builtins__" | "__class__" | "__globals__" | "__init__" | "prototype",
            ) => value.clone(),
            _ => {
                let whole = format!("{path}.{name}");
                // What a class gives its objects counts for each of them.
                let is_own = matches!(path, "self" | "this") || self.is_class(path);
                let own = || self.field(name).or_else(|| self.variable(name).cloned());
                // `module.Class.ROOT` is the class's own.
                let of_class = || {
                    let (_, class) = path.rsplit_once('.')?;
                    self.variable(&format!("{class}.{name}"))
                };
                if let Some(value) = self.variable(&whole).or_else(of_class) {
                    return value.clone();
                }
                if let Some(value) = is_own.then(own).flatten() {
                    return value;
                }
                let computed = if is_own { self.computed_property(value, name) } else { None };
                computed.unwrap_or_else(|| Value::Name(canonical(&whole)))
            }
        }
    }

    /// What a field of the objects of the code's classes holds.
    fn field(&self, name: &str) -> Option<Value> {
        let fields = ["self.", "this.", "@"];
        fields.iter().find_map(|object| self.variable(&format!("{object}{name}"))).cloned()
    }

    /// The value under a key, called from outside.
    pub(crate) fn element_of(&mut self, value: &Value, key: &Value) -> Value {
        self.element(value, key, false)
    }

    /// The variable that stands so many tokens before the one that is next: an argument of the call just read.
    pub(crate) fn named_before(&self, back: usize) -> Option<String> {
        match self.at.checked_sub(back).and_then(|at| self.code.tokens.get(at))? {
            Token::Name(name) | Token::Variable(name) => Some(name.clone()),
            _ => None,
        }
    }

    /// `x[key]`
    pub(super) fn element(&mut self, value: &Value, key: &Value, reversed: bool) -> Value {
        match value {
            Value::Name(path) => self.element_of_name(value, path, key),
            Value::List(values) => match key.number() {
                _ if reversed => Value::List(values.iter().rev().cloned().collect()),
                Some(position) => {
                    let from_one = matches!(
                        self.language,
                        Language::Lua | Language::R | Language::Julia | Language::Awk
                    );
                    let position = position - i64::from(from_one);
                    let length = i64::try_from(values.len()).unwrap_or(i64::MAX);
                    let position = if position < 0 { position + length } else { position };
                    let found = usize::try_from(position).ok().and_then(|position| values.get(position));
                    // A place that is not there: any element may be meant. Arguments that no one gives are none.
                    found.cloned().unwrap_or_else(|| match values.first() {
                        // What no one passes.
                        Some(Value::Text(name)) if self.given.complete && name.text == OWN_NAME => {
                            Value::from(mark::PASSED)
                        }
                        _ => value.element(),
                    })
                }
                None => value.element(),
            },
            Value::Map(_) => {
                let found = key.known().and_then(|key| value.get(&key).cloned());
                // The others of a table of functions or classes are not what this call means.
                if matches!(&found, Some(Value::Function(_)))
                    || matches!(&found, Some(Value::Name(class)) if self.is_class(class))
                {
                    self.chosen_from(value);
                }
                found.unwrap_or_else(|| match value {
                    Value::Map(entries) if !entries.is_empty() => {
                        // The key is only known at run time: it may be any of them.
                        Value::any(entries.iter().map(|(_, value)| value.clone()).collect())
                    }
                    _ => Value::unknown(),
                })
            }
            // What no one hands over has no elements either.
            Value::Text(text) if text.text == mark::PASSED.to_string() => value.clone(),
            Value::Text(text) if reversed => Value::from(text.text.chars().rev().collect::<String>()),
            Value::Text(text) => {
                if let (Some(position), false) = (key.number(), mark::any(&text.text)) {
                    let length = i64::try_from(text.text.chars().count()).unwrap_or(0);
                    let position = if position < 0 { position + length } else { position };
                    let found =
                        usize::try_from(position).ok().and_then(|position| text.text.chars().nth(position));
                    return found.map_or_else(Value::unknown, Value::from);
                }
                // An element of "all files here" is one of these files.
                if text.text.contains(mark::is_glob) || text.text.contains(mark::ENTRY) {
                    return value.clone();
                }
                Value::computed(std::iter::once(value))
            }
            Value::Any(values) => {
                let values = values.clone();
                Value::any(values.iter().map(|value| self.element(value, key, reversed)).collect())
            }
            value => value.clone(),
        }
    }

    /// An element of something of the library: `os.environ[key]`, `globals()[key]`, `os["system"]`.
    fn element_of_name(&mut self, value: &Value, path: &str, key: &Value) -> Value {
        match path {
            WORDS => match key {
                Value::Name(name) => self.option_of_words(name),
                key => self.option_of_words(&key.text()),
            },
            _ if is_environment(path) => match key {
                // PHP's `"$_SERVER[HOME]"`
                Value::Name(name) => self.environment(name),
                key => self.environment(&key.text()),
            },
            // The call gives none.
            "ARGV" | "arg" | "args" if self.given.complete && self.given.arguments.is_empty() => {
                Value::from(mark::PASSED)
            }
            _ if path.starts_with(crate::services::HANDLE) => value.clone(),
            "Dir" if self.language == Language::Ruby => {
                self.invoke_path("Dir.glob", super::functions::one(key.clone()))
            }
            "globals" | "locals" | "vars" | "global" | "globalThis" | "builtins" | "__builtins__"
            | "sys.modules" | "window" | "this" => match key.known() {
                Some(name) => self.name_value(&name),
                None => value.clone(),
            },
            _ if let Some(held) =
                self.variable(path).filter(|held| matches!(held, Value::Map(_))).cloned() =>
            {
                self.element_of(&held, key)
            }
            _ => match key.known() {
                Some(name) if name.parse::<i64>().is_err() => self.property(value, &name),
                Some(_) => Value::unknown(),
                None => self.property(value, &mark::UNKNOWN.to_string()),
            },
        }
    }

    /// All words of the call, perhaps none.
    pub(crate) fn words_of_call(&self) -> Value {
        Value::List(self.given.arguments.iter().map(|text| Value::from(text.as_str())).collect())
    }

    /// The arguments of the program, after its name.
    pub(crate) fn parameters(&self) -> Value {
        let names = match self.language {
            Language::Python | Language::Go | Language::Php => 1,
            // `node FILE`: the arguments come after both.
            Language::JavaScript => 1 + usize::from(self.given.in_file),
            _ => 0,
        };
        let mut values = vec![Value::from(OWN_NAME); names];
        values.extend(self.given.arguments.iter().map(|text| Value::from(text.as_str())));
        if values.len() == names && !(self.given.complete && names > 0) {
            return Value::unknown();
        }
        Value::List(values)
    }
}

/// The program's own name among its arguments.
pub(crate) const OWN_NAME: &str = "-c";

/// A field of what a value has within: Go's embedded types.
fn promoted(value: &Value, name: &str) -> Option<Value> {
    let Value::Map(entries) = value else { return None };
    entries.iter().find_map(|(_, inner)| inner.get(name)).cloned()
}

pub(super) fn is_environment(path: &str) -> bool {
    matches!(
        path,
        "os.environ"
            | "os.environb"
            | "process.env"
            | "ENV"
            | "Bun.env"
            | "Deno.env"
            | "import.meta.env"
            | "ENVIRON"
            | "System.getenv"
            | "Platform.environment"
    )
}

/// A module's name without what only says where it comes from.
pub(crate) fn module_name(text: &str) -> String {
    let name = text.strip_prefix("node:").or_else(|| text.strip_prefix("npm:")).unwrap_or(text);
    let name = name.strip_prefix("jsr:@david/").or_else(|| name.strip_prefix("jsr:")).unwrap_or(name);
    // Deno's own library: `@std/path`, `https://deno.land/std@0.224.0/path/mod.ts`.
    let of_deno = name.strip_prefix("https://deno.land/std").and_then(|rest| rest.split_once('/'));
    if let Some(module) = name.strip_prefix("@std/").or(of_deno.map(|(_, module)| module)) {
        let module = module.split(['@', '/']).next().unwrap_or(module);
        return if module == "fs" { "fs-extra" } else { module }.to_owned();
    }
    // `https://deno.land/x/postgres@v0.19.3/mod.ts`, `https://esm.sh/pg@8`
    let hosted = ["https://deno.land/x/", "https://esm.sh/"].iter().find_map(|host| name.strip_prefix(host));
    if let Some(module) = hosted {
        return module.split(['@', '/']).next().unwrap_or(module).to_owned();
    }
    let name = name.strip_suffix("/promises").or_else(|| name.strip_suffix("/promise")).unwrap_or(name);
    let name = match name.strip_prefix('@') {
        Some(_) => name,
        None => name.split('@').next().unwrap_or(name),
    };
    name.to_owned()
}

/// A path of names as tables write it.
pub(super) fn canonical(path: &str) -> String {
    for (long, short) in [
        ("builtins.", ""),
        ("__builtins__.", ""),
        ("fs.promises.", "fs."),
        ("java.nio.file.", ""),
        ("java.io.", ""),
        ("java.lang.", ""),
        ("java.net.", ""),
        ("globalThis.", ""),
        ("Process.", ""),
    ] {
        if let Some(rest) = path.strip_prefix(long)
            && (long != "Process." || rest == "kill" || rest == "spawn" || rest == "exec" || rest == "fork")
        {
            return format!("{short}{rest}");
        }
    }
    path.to_owned()
}

/// A part of a string: of a path, of an answer, of the result of a program.
fn part_of_text(text: &Text, name: &str) -> Value {
    let whole = |text: String| Value::Text(Text { text, ..Text::default() });
    match name {
        "parent" | "dirname" | "parentFile" => {
            let (known, last) = text.text.rsplit_once('/').unwrap_or((".", ""));
            whole(match (known, last) {
                ("", _) => "/".to_owned(),
                (".", "") => ".".to_owned(),
                (known, _) => known.to_owned(),
            })
        }
        // pathlib's, the nearest one first.
        "parents" if text.text.starts_with('/') && !mark::any(&text.text) => {
            let above =
                std::iter::successors(text.text.rsplit_once('/'), |(before, _)| before.rsplit_once('/'));
            let root = |before: &str| if before.is_empty() { "/" } else { before }.to_owned();
            Value::List(above.map(|(before, _)| whole(root(before))).collect())
        }
        "name" | "basename" => {
            let last = text.text.rsplit('/').next().unwrap_or("");
            whole(last.to_owned())
        }
        "suffix" | "stem" | "length" | "size" | "status" | "statusCode" | "returncode" | "pid" | "ok"
        | "extension" => Value::from(mark::TOKEN),
        "path" | "stdout" | "text" | "content" | "body" | "data" | "stderr" | "output" | "message"
        | "value" | "raw" | "buffer" | "absolutePath" | "canonicalPath" | "parentPath" | "FullName"
        | "LocalPath" | "AbsolutePath" => Value::Text(text.clone()),
        _ => {
            let from = text.from.clone().map(Source::partly);
            let foreign = [mark::REMOTE, mark::DECODED].into_iter().find(|&c| text.text.contains(c));
            let to = Value::Text(text.clone()).address();
            Value::Text(Text { text: foreign.unwrap_or(mark::UNKNOWN).to_string(), from, to })
        }
    }
}
