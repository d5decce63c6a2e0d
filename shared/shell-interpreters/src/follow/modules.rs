//! Modules of the project that code imports: read where they lie beside it, and followed as far as it names what is in
//! them.

use std::collections::HashMap;
use std::rc::Rc;

use shell_engine::{Call, Loaded, NoteKind, Process, mark};

use super::functions::MAX_FUNCTIONS;
use super::{Exports, Follower, Given, Leads};
use crate::Language;
use crate::lex::{self, Code, Piece, Token};
use crate::value::{Defined, Function, MAX_ELEMENTS, Value};

/// The name under which a module of JavaScript exports what has none.
pub(super) const DEFAULT: &str = "default";
/// What a module is for who imports it: `require("./wipe")()` calls it.
pub(super) const THE_MODULE: &str = "module.exports";
/// Functions of modules are kept up to here: the code's own have as much room again.
const MAX_TAKEN: usize = MAX_FUNCTIONS / 2;
/// Modules that one body of code leads to; a program of many files is not a script.
const MAX_MODULES: usize = 24;
/// Modules after which none is read for what it only hands on.
const MAX_HANDED: usize = 8;
/// Bytes of all files that were read, beyond which no further module is: a call must stay short.
const MAX_READ: usize = 128 * 1024;

impl Follower<'_> {
    /// Python's `import a.b`, from beside the file or from where it runs; whether it is a file, and no
    /// package with more of them.
    pub(super) fn import_python(&mut self, module: &str) -> bool {
        self.exports.clear();
        let path = module.replace('.', "/");
        // `from . import x` names no module of its own.
        !module.is_empty()
            && (is_library(module)
                || self.module(&[&format!("{path}.py"), &format!("{path}/__init__.py")]) == Some(0))
    }

    /// `require("./x")`, `import "./x"`: what begins with a dot is a file.
    pub(crate) fn import_path(&mut self, path: &str) {
        self.exports.clear();
        if !path.starts_with(['.', '/']) {
            return;
        }
        match self.language {
            Language::JavaScript => {
                let forms = ["", ".js", ".ts", ".mjs", ".cjs", "/index.js", "/index.ts"];
                let named = shell_engine::path::file_name(path).contains('.');
                let forms = forms.iter().skip(usize::from(!named));
                let mut paths: Vec<String> = forms.map(|form| format!("{path}{form}")).collect();
                // TypeScript names what it is compiled to.
                paths.extend(path.strip_suffix(".js").map(|path| format!("{path}.ts")));
                self.module(&paths.iter().map(String::as_str).collect::<Vec<_>>());
            }
            Language::Ruby => self.include_file(path),
            _ => _ = self.module(&[path]),
        }
    }

    /// Go's `import "module/package"`: the packages of the module to which the file belongs.
    pub(super) fn import_go(&mut self) {
        let end = if self.op() == Some("(") { self.code.mate(self.at) } else { self.end_of_line(self.at) };
        let code = Rc::clone(&self.code);
        let paths =
            code.tokens.get(self.at..end).unwrap_or_default().iter().filter_map(|token| match token {
                Token::Text(path) if path.contains('/') => Some(path),
                _ => None,
            });
        let paths: Vec<&String> = paths.collect();
        self.at = end + usize::from(self.op() == Some("("));
        if paths.is_empty() || !self.runner.has_disk() {
            return;
        }
        let Some(file) = self.runner.look_up(self.scope, "go.mod") else { return };
        let module = file.text.lines().find_map(|line| line.strip_prefix("module ")).map(str::trim);
        let Some(module) = module.filter(|module| !module.is_empty()) else { return };
        for path in paths {
            let Some(folder) = path.strip_prefix(module).and_then(|rest| rest.strip_prefix('/')) else {
                continue;
            };
            let files = self.runner.paths(self.scope, &format!("{folder}/{}.go", mark::STAR));
            for file in files.into_iter().filter(|file| !file.ends_with("_test.go")) {
                self.module(&[&file]);
            }
        }
    }

    /// PHP's `use App\Tools\Wipe;`, where composer's settings say in which folder such a class lies.
    pub(super) fn import_php(&mut self) {
        let end = self.end_of_line(self.at);
        let words =
            self.code.tokens.get(self.at..end).unwrap_or_default().iter().filter_map(|token| match token {
                Token::Name(word) => Some(word.replace(['\\', '.'], "/")),
                _ => None,
            });
        let class = words.take_while(|word| word != "as").collect::<Vec<_>>().join("/");
        if !class.contains('/') || !self.runner.has_disk() {
            return;
        }
        let Some(loaded) = self.runner.look_up(self.scope, "composer.json") else { return };
        let Ok(settings) = serde_json::from_str::<serde_json::Value>(&loaded.text) else { return };
        let folders =
            ["autoload", "autoload-dev"].into_iter().filter_map(|key| settings[key]["psr-4"].as_object());
        let folders: Vec<(String, String)> = folders
            .flatten()
            .filter_map(|(space, folder)| Some((space.replace('\\', "/"), folder.as_str()?.to_owned())))
            .collect();
        for (space, folder) in folders {
            if let Some(rest) = class.strip_prefix(&space) {
                let file = format!("{}/{rest}.php", folder.trim_end_matches('/'));
                let file = shell_engine::path::join(&self.scope.cwd, &file);
                self.module(&[&file]);
            }
        }
    }

    /// Perl's `use Name;`, where the module lies beside the script or in a folder that it names.
    pub(super) fn import_perl(&mut self) {
        let Some(name) = self
            .word()
            .filter(|name| self.language == Language::Perl && name.starts_with(char::is_uppercase))
        else {
            // `use lib "inc";`
            if let (Some("lib"), Some(Token::Text(folder))) = (self.word(), self.ahead(1)) {
                self.search.push(folder.clone());
            }
            return;
        };
        let name = name.to_owned();
        let file = format!("{}.pm", name.replace('.', "/"));
        let mut paths = vec![file.clone(), format!("lib/{file}")];
        paths.extend(self.search.iter().map(|folder| format!("{folder}/{file}")));
        if self.module(&paths.iter().map(String::as_str).collect::<Vec<_>>()).is_some() {
            self.name_exports(&name);
        }
    }

    /// Rust's `mod x;`: a file beside this one, or in the folder of this module.
    pub(super) fn import_rust(&mut self, name: &str) {
        let own = self.own_file();
        let stem = shell_engine::path::file_name(&own).trim_end_matches(".rs").to_owned();
        // `#[path = "sweep.rs"]`
        let before = self.code.tokens.get(..self.at.saturating_sub(1)).unwrap_or_default();
        let before = before.iter().rev().skip_while(|token| matches!(token, Token::Line(_))).take(4);
        let said = match before.collect::<Vec<_>>().as_slice() {
            [Token::Op("]"), Token::Text(path), Token::Op("="), Token::Name(word)] if word == "path" => {
                Some(path.clone())
            }
            _ => None,
        };
        let usual = [format!("{name}.rs"), format!("{name}/mod.rs"), format!("{stem}/{name}.rs")];
        let files: Vec<String> = said.map_or_else(|| usual.to_vec(), |path| vec![path]);
        self.module(&files.iter().map(String::as_str).collect::<Vec<_>>());
    }

    /// A module that code names in a string: `importlib.import_module("a.b")`, `require("./x")`, Lua's `require "x"`.
    pub(crate) fn import_module(&mut self, name: &str) {
        match self.language {
            Language::Python => _ = self.import_python(name),
            Language::Lua => _ = self.module(&[&format!("{}.lua", name.replace('.', "/"))]),
            _ => self.import_path(name),
        }
    }

    /// `require_relative "x"`, `include "x.php"`, `dofile("x.lua")`: a file that runs here.
    pub(crate) fn include_file(&mut self, path: &str) {
        // `Dir.glob("tasks/*.rake").each { |file| load file }`
        if path.contains(mark::STAR) && self.runner.has_disk() {
            for file in self.runner.paths(self.scope, path).into_iter().filter(|file| !mark::any(file)) {
                self.module(&[&file]);
            }
            return;
        }
        if self.language == Language::Ruby {
            self.module(&[&format!("{path}.rb"), path]);
            return;
        }
        // `exec(open("x.py").read())`, `runpy.run_path("x.py")`
        self.leads = if self.language == Language::Python { Leads::Runs } else { Leads::Imports };
        self.module(&[path]);
        self.leads = Leads::Imports;
    }

    /// The file that is read, or one in the folder in which the code runs.
    pub(crate) fn own_file(&self) -> String {
        let file = self.scope.file.and_then(|file| self.runner.analysis.files.get(file as usize));
        let path = file.map(|file| &*file.path).filter(|path| path.contains('/'));
        path.map_or_else(|| format!("{}/script", self.scope.cwd), str::to_owned)
    }

    /// The folder in which that lies.
    pub(crate) fn own_folder(&self) -> Rc<str> {
        let file = self.own_file();
        Rc::from(file.rsplit_once('/').map_or("", |(folder, _)| folder))
    }

    /// Folders of `PYTHONPATH`, and those that the code adds: `sys.path.insert(0, "lib")`.
    fn search_path(&mut self) -> Vec<Rc<str>> {
        let set = match self.scope.get("PYTHONPATH") {
            Some(shell_engine::Value::One(value)) => value.to_string(),
            _ => String::new(),
        };
        let added = self.search.iter().map(String::as_str);
        let folders = set.split(':').chain(added).filter(|folder| !folder.is_empty() && !mark::any(folder));
        folders.map(|folder| Rc::from(shell_engine::path::join(&self.scope.cwd, folder))).collect()
    }

    /// Follows the first of these files that is there, and says which.
    pub(super) fn module(&mut self, paths: &[&str]) -> Option<usize> {
        self.exports.clear();
        if !self.runner.has_disk() || self.modules >= MAX_MODULES || paths.iter().any(|path| mark::any(path))
        {
            return None;
        }
        if self.runner.analysis.files.iter().map(|file| file.text.len()).sum::<usize>() > MAX_READ {
            return None;
        }
        self.modules += 1;
        let mut folders = vec![self.own_folder(), Rc::clone(&self.scope.cwd)];
        folders.dedup();
        if self.language == Language::Python {
            folders.extend(self.search_path());
        }
        for folder in &folders {
            for (number, path) in paths.iter().enumerate() {
                let path = shell_engine::path::join(folder, path);
                // What is not there, or too large, is an installed package or a bundle: nothing to ask about.
                if let Some(loaded) = self.runner.look_up(self.scope, &path) {
                    self.follow_module(&loaded);
                    return Some(number);
                }
            }
        }
        None
    }

    fn follow_module(&mut self, loaded: &Loaded) {
        // A program of many files is not a script: what there is no room for is left out, and the rest still judged.
        let size = loaded.text.len();
        if size > crate::MAX_BODY || !self.runner.has_room(size) || !self.runner.spend(size) {
            return;
        }
        let mut inner = self.scope.clone();
        let before = self.runner.analysis.notes.len();
        let opened = self.runner.open_file(&mut inner, (loaded.file, ""));
        // Modules of any program import one another deeply: that alone is not asked about.
        let mut number = 0;
        self.runner.analysis.notes.retain(|note| {
            number += 1;
            number <= before || note.kind != NoteKind::TooDeep
        });
        let Some(opened) = opened else { return };
        let call = Call::default();
        let mut process = Process {
            runner: &mut *self.runner,
            scope: &mut inner,
            index: self.index,
            name: "",
            call: &call,
        };
        let given = Given {
            mentioned: Some(Rc::clone(&self.code)),
            modules: self.modules,
            led: self.leads,
            tasks: self.tasks.clone(),
            ..Given::default()
        };
        let text = if self.language == Language::Php { crate::after_tag(&loaded.text) } else { &loaded.text };
        let begins = loaded.text.len() - text.len();
        let code = lex::read(self.language, text);
        let (_, exports) = super::followed(&mut process, self.language, code, Given { begins, ..given });
        self.runner.close_file(&mut inner, &opened);
        self.take_over(exports);
    }

    /// Takes what a module defines, as far as the code here names it: calls lead there with what they hand over.
    fn take_over(&mut self, exports: Exports) {
        let Exports { functions, bases, mut variables, placed, classes, fields, tasks, undone, steps } =
            exports;
        self.undone.extend(undone);
        self.steps += steps;
        if tasks.is_some() {
            self.tasks = tasks;
        }
        self.classes.extend(classes.into_iter().take(MAX_FUNCTIONS));
        for (class, field) in fields {
            if !self.fields.iter().any(|(known, name)| *known == class && *name == field) {
                self.keep_field(&class, field);
            }
        }
        let code = Rc::clone(&self.code);
        // Those that nothing calls here either are looked through in the end.
        let pending: Vec<Rc<Function>> =
            functions.iter().filter(|known| !known.called).map(|known| Rc::clone(&known.function)).collect();
        let is_pending = |function: &Rc<Function>| pending.iter().any(|own| Rc::ptr_eq(own, function));
        let defined = |name: &str, function: &Rc<Function>| Defined {
            name: name.to_owned(),
            class: Rc::from(""),
            function: Rc::clone(function),
            called: !is_pending(function),
            is_property: false,
            is_handed: false,
            hidden_from: None,
        };
        let mut shared = Vec::new();
        let mut taken: Vec<Defined> = Vec::new();
        for (path, value) in &variables {
            // `exports.wipe = …`, `module.exports = { wipe: … }`
            if let (Some(("exports" | "module.exports", name)), Value::Function(function)) =
                (path.rsplit_once('.'), value)
            {
                taken.push(defined(name, function));
            }
            if let (THE_MODULE, Value::Map(entries)) = (path.as_str(), value) {
                shared.extend(entries.iter().cloned());
            }
        }
        // `export default wipe`, `export { wipe as clean }`: another name of a function.
        for (other, value) in &mut variables {
            if let Value::Name(name) = value
                && other != name
                && let Some(known) =
                    functions.iter().find(|known| known.name == *name && known.class.is_empty())
            {
                *value = Value::Function(Rc::clone(&known.function));
            }
        }
        taken.extend(functions);
        let values = shared.iter().map(|(name, value)| (name, value)).chain(&variables);
        taken.extend(values.filter_map(|(name, value)| match value {
            Value::Function(function) => Some(defined(name, function)),
            _ => None,
        }));
        taken.sort_by(|one, other| one.name.cmp(&other.name));
        // The methods of a class come with it.
        let named = |known: &Defined| names(&code, &known.name) || names_class(&code, &known.class, &bases);
        for known in taken.into_iter().filter(|known| !known.name.is_empty()) {
            let is_known = |own: &Defined| {
                own.name == known.name
                    && own.class == known.class
                    && Rc::ptr_eq(&own.function.code, &known.function.code)
            };
            // What the code does not name is called by the module alone, or named by the words of the command.
            let is_asked = self.is_asked_for(&known) || self.is_inherited(&known);
            let hidden_from = (!is_asked && !named(&known)).then(|| Rc::clone(&code));
            if self.defined.len() < MAX_TAKEN && !self.defined.iter().any(is_known) {
                let called = !is_asked && (known.called || hidden_from.is_some());
                self.defined.push(Defined { called, hidden_from, ..known });
            }
        }
        self.bases.extend(bases.into_iter().take(MAX_FUNCTIONS - self.bases.len().min(MAX_FUNCTIONS)));
        // What its functions name.
        for (name, value) in &variables {
            let is_new = !self.variables.contains_key(name) && name != DEFAULT;
            if is_new && !matches!(value, Value::Function(_)) {
                self.assign(name, value.clone());
            } else if let Some(both) = self.variables.get(name).and_then(|own| registered(own, value)) {
                self.assign(name, both);
            }
        }
        for part in placed {
            if self.placed.len() < MAX_MODULES {
                self.placed.push(part);
            }
        }
        self.exports = variables.into_iter().chain(shared).collect();
    }

    /// Whether a class of this code extends the class of a method which its framework calls: Django's `handle`.
    fn is_inherited(&self, known: &Defined) -> bool {
        const CALLED: [&str; 8] =
            ["handle", "run", "execute", "perform", "setUp", "tearDown", "setUpClass", "main"];
        let is = |token: &Token, name: &str| matches!(token, Token::Name(word) if word == name);
        let extends = |at: usize| {
            let open = at + 2;
            is(&self.code.tokens[at], "class")
                && self.code.tokens.get(open) == Some(&Token::Op("("))
                && self.code.tokens[open..self.code.mate(open).min(self.end)]
                    .iter()
                    .any(|token| is(token, &known.class))
        };
        self.language == Language::Python
            && !known.class.is_empty()
            && (CALLED.contains(&known.name.as_str()) || known.name.starts_with("test"))
            && (0..self.code.tokens.len()).any(extends)
    }

    /// Whether the command of the program names a function that was handed to something: click's `@main.command()`.
    fn is_asked_for(&self, known: &Defined) -> bool {
        if !known.is_handed || !self.given.complete {
            return false;
        }
        let name = known.name.replace('_', "-");
        // `@main.command("purge")`
        let said = known.decorators();
        let is_said =
            |word: &String| said.iter().any(|token| matches!(token, Token::Text(text) if text == word));
        self.given.arguments.iter().any(|word| **word == *name || is_said(word))
    }

    /// What a module of JavaScript that was just imported exports without a name: `import wipe from "./wipe.js"`.
    pub(super) fn exported_default(&self) -> Option<Value> {
        let value = self.exports.get(DEFAULT)?;
        let is_whole = is_data(value)
            || matches!(value, Value::Function(_))
            || matches!(value, Value::Name(class) if self.is_class(class));
        is_whole.then(|| value.clone())
    }

    /// What a module that was just imported has by this name, where that is a plain value.
    pub(super) fn exported(&self, name: &str) -> Option<Value> {
        let value = self.exports.get(name).filter(|value| is_data(value))?;
        let known = self.variables.get(name).and_then(|own| registered(own, value));
        Some(known.unwrap_or_else(|| value.clone()))
    }

    /// What the module itself is that was just imported: `module.exports = …`, `return { … }`, or all that it exports by name.
    pub(crate) fn module_value(&self) -> Option<Value> {
        if let Some(value) = self.exports.get(THE_MODULE) {
            return Some(value.clone());
        }
        let mut entries: Vec<(String, Value)> = Vec::new();
        for (name, value) in &self.exports {
            if let Some(name) = name.strip_prefix("exports.").or_else(|| name.strip_prefix("module.exports."))
            {
                entries.push((name.to_owned(), value.clone()));
            }
        }
        entries.sort_by(|one, other| one.0.cmp(&other.0));
        (!entries.is_empty()).then_some(Value::Map(entries))
    }

    /// Lets the plain values of the module that was just imported be known under its name, as far as the code names them:
    /// `conf.ROOT`.
    pub(super) fn name_exports(&mut self, module: &str) {
        let code = Rc::clone(&self.code);
        for (name, value) in std::mem::take(&mut self.exports) {
            let is_named = is_data(&value) && names(&code, name.rsplit('.').next().unwrap_or(&name));
            if is_named && self.variables.len() < super::MAX_VARIABLES {
                self.variables.insert(format!("{module}.{name}"), value.clone());
            }
            self.exports.insert(name, value);
        }
    }

    /// Names the functions of a module that is imported by its name, as others may be called alike.
    pub(crate) fn import_by_name(&mut self, module: &str) {
        let before = self.defined.len();
        self.import_module(module);
        let new = self.defined.get(before..).unwrap_or_default();
        let own = new.iter().filter(|known| known.class.is_empty());
        let own: Vec<_> = own.map(|known| (known.name.clone(), Rc::clone(&known.function))).collect();
        for (name, function) in own {
            self.assign(&format!("{module}.{name}"), Value::Function(function));
        }
    }

    /// Whether a module that hands on what another one has is to be read for it: `export { a } from "./b"`. Only who imports
    /// it can want that, and names it.
    pub(super) fn hands_on(&self, from: usize, to: usize) -> bool {
        let Some(wanted) = &self.given.mentioned else { return false };
        let mut handed = self.code.tokens.get(from..to).unwrap_or_default().iter();
        match handed.next() {
            // All of it.
            Some(Token::Op("*")) => self.modules < MAX_HANDED,
            // The default one has whatever name its importer gives it.
            _ => handed
                .any(|token| matches!(token, Token::Name(name) if name == DEFAULT || names(wanted, name))),
        }
    }

    /// Whether a function of a whole program is called by nothing: its name stands nowhere else, and no name is put together.
    fn is_dead(&self, known: &Defined) -> bool {
        // Names in capitals are called by Perl itself: `STORE`, `DESTROY`.
        let begins = matches!(known.name.as_str(), "main" | "Main" | "init" | "")
            || known.name.starts_with("pytest_")
            || !known.name.chars().any(char::is_lowercase);
        let Some(naming) = &self.naming else { return false };
        let named = |naming: &Naming| naming.counts.get(known.name.as_str()).copied().unwrap_or_default();
        // What it says itself calls no one: `def reset(): run(["git", "reset"])`.
        let by_itself = || {
            let Function { code, start, end, .. } = &*known.function;
            let mut own = Naming::default();
            own.count(code.tokens.get(*start..*end).unwrap_or_default());
            named(&own)
        };
        !begins
            && !known.is_handed
            && Rc::ptr_eq(&known.function.code, &self.code)
            && (named(naming) < 2 || named(naming).saturating_sub(by_itself()) < 2)
            && (known.class.is_empty() || self.is_called_by_name_only(known))
    }

    /// Whether a method is one that only this program can call: of a class that extends no other, and whose objects it hands
    /// to no one.
    fn is_called_by_name_only(&self, known: &Defined) -> bool {
        const USUAL: [&str; 6] = ["_", "test", "setup", "setUp", "teardown", "tearDown"];
        matches!(self.language, Language::Python | Language::JavaScript)
            && !self.makes_objects(known)
            && self.base_of(&known.class).is_none()
            && !USUAL.iter().any(|start| known.name.starts_with(start))
            && self.keeps_objects(&known.class)
    }

    /// Whether the objects of a class stay in variables of this program, of which it does no more than call methods.
    fn keeps_objects(&self, class: &str) -> bool {
        let tokens = &self.code.tokens;
        let is = |token: Option<&Token>, name: &str| matches!(token, Some(Token::Name(word)) if word == name);
        // By what all classes have, methods are found under names that are put together.
        let is_reflective = |member: &String| {
            member.starts_with("__") || matches!(member.as_str(), "prototype" | "constructor")
        };
        let reads_member = |at: usize| {
            matches!(tokens.get(at + 1), Some(Token::Op("." | "?.")))
                && !matches!(tokens.get(at + 2), Some(Token::Name(member)) if is_reflective(member))
        };
        // Its own methods hand it on as well: `register(self)`, `this[name]()`.
        let mut holders: Vec<&str> = vec!["self", "cls", "this"];
        for at in (0..tokens.len()).filter(|at| is(tokens.get(*at), class)) {
            let before = |count: usize| at.checked_sub(count).and_then(|at| tokens.get(at));
            let next = tokens.get(at + 1);
            if is(before(1), "class") {
                // `@register`, `export class`
                let is_handed = (2..8).any(|count| before(count) == Some(&Token::Op("@")));
                if is_handed || is(before(2), "export") || is(next, "extends") {
                    return false;
                }
                continue;
            }
            // `Stack.of(…)`
            if reads_member(at) {
                continue;
            }
            if next != Some(&Token::Op("(")) {
                return false;
            }
            if matches!(tokens.get(self.code.mate(at + 1) + 1), Some(Token::Op("." | "?."))) {
                continue;
            }
            let start = if is(before(1), "new") { 2 } else { 1 };
            match (before(start), before(start + 1)) {
                (Some(Token::Op("=")), Some(Token::Name(holder))) => holders.push(holder),
                _ => return false,
            }
        }
        holders.iter().all(|holder| {
            let mut used = (0..tokens.len()).filter(|at| is(tokens.get(*at), holder));
            let is_parameter = |at: usize| at > 2 && is(tokens.get(at - 3), "def");
            used.all(|at| reads_member(at) || is_parameter(at) || tokens.get(at + 1) == Some(&Token::Op("=")))
        })
    }

    /// Counts the names of a whole program, to tell which functions nothing calls. Not of one that puts names together.
    pub(super) fn count_names(&mut self) {
        let waits = |known: &Defined| !known.called;
        if !self.given.alone || !self.defined.iter().any(waits) || !self.step(self.code.tokens.len() / 4) {
            return;
        }
        // What is there for pytest is not called by the file itself.
        let runs_tests = self.names("main");
        let is_pytest = |token: &Token| matches!(token, Token::Name(word) if word == "pytest");
        let by_name =
            |pair: &[Token]| calls_by_name(&pair[0], &pair[1]) && (runs_tests || !is_pytest(&pair[0]));
        if !self.code.tokens.windows(2).any(by_name) {
            let mut naming = Naming::default();
            naming.count(&self.code.tokens);
            self.naming = Some(naming);
        }
    }

    /// Whether a function that no call here has led to is one that runs. In a module, who imports it names it, and to be
    /// listed among what the module exports is not a call.
    pub(super) fn may_be_called(&self, known: &Defined) -> bool {
        if self.given.mentioned.is_none() {
            return !known.called && !self.is_dead(known);
        }
        // A module leaves its own to the code that imports it.
        !known.called && !Rc::ptr_eq(&known.function.code, &self.code)
    }

    /// Whether the code that imports this module names a function of it.
    fn is_wanted(&self, code: &Code, known: &Defined) -> bool {
        names(code, &known.name) || self.makes_objects(known) && names_class(code, &known.class, &self.bases)
    }

    /// Leaves to the code that imports this module what it names.
    pub(super) fn hand_over_functions(&mut self) {
        let Some(code) = self.given.mentioned.clone() else { return };
        let left: Vec<bool> = self.defined.iter().map(|known| self.is_wanted(&code, known)).collect();
        for (known, left) in self.defined.iter_mut().zip(left) {
            known.called = !left;
        }
    }
}

/// Whether a file has this ending.
pub(super) fn has_ending(file: &str, ending: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, own)| own == ending)
}

/// What two modules have put into one table of functions, which they both have from a third: `COMMANDS[name] = f`.
fn registered(own: &Value, others: &Value) -> Option<Value> {
    let (Value::Map(own), Value::Map(others)) = (own, others) else { return None };
    let all_functions = |entries: &[(String, Value)]| {
        entries.iter().all(|(_, value)| matches!(value, Value::Function(_) | Value::Name(_)))
    };
    if !all_functions(own) || !all_functions(others) || own.len() + others.len() > MAX_ELEMENTS {
        return None;
    }
    let is_new = |entry: &&(String, Value)| !own.iter().any(|(key, _)| *key == entry.0);
    let both = own.iter().chain(others.iter().filter(is_new));
    Some(Value::Map(both.cloned().collect()))
}

/// Whether a value is data, which a module hands on as it is.
fn is_data(value: &Value) -> bool {
    matches!(value, Value::Text(_) | Value::List(_) | Value::Map(_) | Value::Number(_) | Value::Any(_))
}

/// Whether code has a name, by itself or as the last part of a longer one, also in the expressions of its strings.
fn names(code: &Code, name: &str) -> bool {
    let is_named =
        |word: &str| word == name || word.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
    code.tokens.iter().any(|token| match token {
        Token::Name(word) | Token::Variable(word) => is_named(word),
        Token::Template(pieces) | Token::Command(pieces) => pieces.iter().any(|piece| match piece {
            Piece::Code(code) => names(code, name),
            Piece::Text(_) => false,
        }),
        _ => false,
    })
}

/// How often code has each name, also in its strings.
#[derive(Default)]
pub(super) struct Naming {
    counts: HashMap<String, u32>,
}

impl Naming {
    fn add(&mut self, name: &str) {
        match self.counts.get_mut(name) {
            Some(count) => *count += 1,
            None => _ = self.counts.insert(name.to_owned(), 1),
        }
    }

    fn words(&mut self, text: &str) {
        for word in text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '?' | '!')) {
            if !word.is_empty() {
                self.add(word);
            }
        }
    }

    fn count(&mut self, tokens: &[Token]) {
        for token in tokens {
            match token {
                Token::Name(word) | Token::Variable(word) => {
                    self.add(word.rsplit('.').next().unwrap_or(word));
                }
                Token::Text(text) => self.words(text),
                Token::Template(pieces) | Token::Command(pieces) => {
                    for piece in pieces {
                        match piece {
                            Piece::Code(code) => self.count(&code.tokens),
                            Piece::Text(text) => self.words(text),
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// Whether a function is called by a name that is only known at run time: `getattr(x, name)()`, `send(name)`, `$f()`.
pub(super) fn calls_by_name(token: &Token, next: &Token) -> bool {
    match token {
        Token::Name(word) => match word.as_str() {
            // Perl's `eval { … }` only catches what goes wrong.
            "eval" => *next != Token::Op("{"),
            "getattr"
            | "globals"
            | "locals"
            | "vars"
            | "exec"
            | "send"
            | "public_send"
            | "__send__"
            | "method"
            | "call_user_func"
            | "call_user_func_array"
            | "can"
            | "Fire"
            | "fire"
            | "typer"
            | "modules"
            | "instance_eval"
            | "class_eval"
            | "method_missing"
            | "_G"
            | "_ENV"
            | "loadstring"
            | "globalThis"
            | "global"
            | "window"
            | "inspect"
            | "import_module"
            | "__import__"
            | "dir"
            | "__dict__"
            | "unittest"
            | "pytest"
            | "match.fun"
            | "do.call"
            | "__attribute__" => true,
            _ => false,
        },
        Token::Variable(_) => *next == Token::Op("("),
        Token::Op("&") => matches!(next, Token::Variable(_) | Token::Op("{")),
        Token::Op("->") => matches!(next, Token::Variable(_)),
        _ => false,
    }
}

/// Whether code names a class, or one that extends it.
fn names_class(code: &Code, class: &str, bases: &[(Rc<str>, Rc<str>)]) -> bool {
    names(code, class) || bases.iter().any(|(name, base)| **base == *class && names(code, name))
}

/// Whether a module comes with Python: nothing is looked for.
fn is_library(module: &str) -> bool {
    const LIBRARY: [&str; 60] = [
        "__future__",
        "abc",
        "argparse",
        "ast",
        "asyncio",
        "base64",
        "builtins",
        "collections",
        "concurrent",
        "configparser",
        "contextlib",
        "copy",
        "csv",
        "ctypes",
        "dataclasses",
        "datetime",
        "decimal",
        "enum",
        "fnmatch",
        "functools",
        "getpass",
        "glob",
        "gzip",
        "hashlib",
        "http",
        "importlib",
        "inspect",
        "io",
        "itertools",
        "json",
        "logging",
        "math",
        "multiprocessing",
        "operator",
        "os",
        "pathlib",
        "pickle",
        "platform",
        "pprint",
        "random",
        "re",
        "secrets",
        "shlex",
        "shutil",
        "signal",
        "socket",
        "sqlite3",
        "string",
        "struct",
        "subprocess",
        "sys",
        "tempfile",
        "textwrap",
        "threading",
        "time",
        "traceback",
        "typing",
        "unittest",
        "urllib",
        "uuid",
    ];
    let first = module.split('.').next().unwrap_or(module);
    first.is_empty() || LIBRARY.binary_search(&first).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_with_python_is_not_looked_for() {
        assert!(is_library("os.path") && is_library("abc") && is_library("uuid") && is_library(""));
        assert!(!is_library("helper") && !is_library("osmium"));
    }
}
