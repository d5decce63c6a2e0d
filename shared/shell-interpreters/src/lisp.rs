//! Emacs Lisp, Scheme, Common Lisp and Clojure: forms whose first word is a function. What they define is called where they
//! call it; of each branch, all is looked at.

use std::rc::Rc;

use shell_engine::arguments::quoted;
use shell_engine::text::encoding;
use shell_engine::{Arg, NoteKind, Process, mark};

use super::value::MAX_ELEMENTS;
use super::{shell, start};

/// Forms inside forms that are read, and calls inside calls.
const MAX_DEPTH: usize = 48;
/// Forms that one body may evaluate.
const MAX_STEPS: usize = 20_000;
/// Names that are remembered.
const MAX_NAMES: usize = 500;

/// A form, or what it is.
#[derive(Debug, Clone)]
enum Form {
    /// A string.
    Text(String),
    Name(String),
    /// `(f x)`, and Clojure's `[x y]`, which is data.
    List(Rc<Vec<Form>>, bool),
    /// `'x`: what stands there, and not what it is.
    Quoted(Rc<Form>),
    Function(Rc<Function>),
    Unknown,
}

#[derive(Debug)]
struct Function {
    parameters: Vec<String>,
    body: Vec<Form>,
}

impl Form {
    fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Quoted(inner) => inner.name(),
            _ => None,
        }
    }

    /// It as text, with a mark for what is not known.
    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            _ => mark::UNKNOWN.to_string(),
        }
    }
}

/// Looks for forms that do something. `calls` are the functions that the command line names: `emacs -f wipe`.
pub(super) fn run(process: &mut Process<'_>, body: &str, calls: &[&str]) {
    let forms = Reader { rest: body, depth: 0 }.forms();
    let mut lisp = Lisp { process, names: Vec::new(), depth: 0, steps: MAX_STEPS };
    for form in &forms {
        lisp.value(form);
    }
    for call in calls {
        lisp.call(call, Vec::new());
    }
}

struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl Reader<'_> {
    /// The forms up to the bracket that closes, or the end.
    fn forms(&mut self) -> Vec<Form> {
        let mut found = Vec::new();
        while let Some(c) = self.rest.chars().next() {
            if matches!(c, ')' | ']' | '}') {
                break;
            }
            found.extend(self.form());
        }
        found
    }

    fn step(&mut self, width: usize) {
        self.rest = self.rest.get(width..).unwrap_or("");
    }

    fn form(&mut self) -> Option<Form> {
        let c = self.rest.chars().next()?;
        match c {
            ';' => {
                self.step(self.rest.find('\n').unwrap_or(self.rest.len()));
                None
            }
            '#' if self.rest.starts_with("#|") => {
                self.step(self.rest.find("|#").map_or(self.rest.len(), |at| at + 2));
                None
            }
            // `#lang racket`, `#!/usr/bin/guile`
            '#' if self.rest.starts_with("#!") || self.rest.starts_with("#lang") => {
                self.step(self.rest.find('\n').unwrap_or(self.rest.len()));
                None
            }
            '(' | '[' | '{' if self.depth < MAX_DEPTH => {
                self.step(1);
                self.depth += 1;
                let inner = self.forms();
                self.depth -= 1;
                self.step(1);
                Some(Form::List(Rc::new(inner), c == '('))
            }
            '"' => {
                let end = closing(&self.rest[1..]);
                let text =
                    self.rest[1..=end].replace("\\\"", "\"").replace("\\n", "\n").replace("\\\\", "\\");
                self.step((end + 2).min(self.rest.len()));
                Some(Form::Text(text))
            }
            '\'' | '`' => {
                self.step(1);
                self.depth += 1;
                let inner = if self.depth < MAX_DEPTH { self.next_form() } else { None };
                self.depth -= 1;
                inner.map(|form| Form::Quoted(Rc::new(form)))
            }
            c if c.is_whitespace()
                || matches!(c, ',' | '#' | '@' | '^' | '(' | '[' | '{' | ')' | ']' | '}') =>
            {
                self.step(c.len_utf8());
                None
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || "()[]{}\"';".contains(c);
                let end = self.rest.find(ends).unwrap_or(self.rest.len()).max(c.len_utf8());
                let name = self.rest[..end].to_owned();
                self.step(end);
                Some(Form::Name(name))
            }
        }
    }

    /// The form that comes next, past blanks and comments.
    fn next_form(&mut self) -> Option<Form> {
        while !self.rest.is_empty() && !self.rest.starts_with([')', ']', '}']) {
            if let Some(form) = self.form() {
                return Some(form);
            }
        }
        None
    }
}

fn closing(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at,
            _ => {}
        }
    }
    text.len()
}

struct Lisp<'r, 'p> {
    process: &'r mut Process<'p>,
    /// What names stand for, the innermost last.
    names: Vec<(String, Form)>,
    depth: usize,
    steps: usize,
}

impl Lisp<'_, '_> {
    fn set(&mut self, name: &str, value: Form) {
        if self.names.len() < MAX_NAMES {
            self.names.push((name.to_owned(), value));
        }
    }

    fn named(&self, name: &str) -> Option<&Form> {
        self.names.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    fn all(&mut self, forms: &[Form]) -> Form {
        let mut last = Form::Unknown;
        for form in forms {
            last = self.value(form);
        }
        last
    }

    /// What a form is, after all that it does.
    fn value(&mut self, form: &Form) -> Form {
        if self.depth >= MAX_DEPTH || self.steps == 0 {
            return Form::Unknown;
        }
        self.steps -= 1;
        match form {
            Form::Name(name) => match self.named(name) {
                Some(value) => value.clone(),
                None => form.clone(),
            },
            Form::Quoted(inner) => match &**inner {
                Form::List(forms, _) => Form::List(Rc::clone(forms), false),
                inner => inner.clone(),
            },
            Form::List(forms, is_call) => {
                self.depth += 1;
                let forms = Rc::clone(forms);
                let value = if *is_call { self.called(&forms) } else { self.list(&forms) };
                self.depth -= 1;
                value
            }
            form => form.clone(),
        }
    }

    fn list(&mut self, forms: &[Form]) -> Form {
        let values = forms.iter().map(|form| self.value(form)).collect();
        Form::List(Rc::new(values), false)
    }

    /// A call, or a form of the language itself.
    fn called(&mut self, forms: &[Form]) -> Form {
        let Some((first, rest)) = forms.split_first() else { return Form::Unknown };
        let Some(name) = first.name() else {
            let function = self.value(first);
            let values = rest.iter().map(|form| self.value(form)).collect();
            return self.apply(&function, values);
        };
        let name = name.to_owned();
        match name.as_str() {
            "quote" => {
                rest.first().map_or(Form::Unknown, |form| self.value(&Form::Quoted(Rc::new(form.clone()))))
            }
            // What it names is a function.
            "function" => rest.first().map_or(Form::Unknown, |form| self.value(form)),
            "defun" | "defn" | "defn-" | "defsubst" | "defmacro" | "cl-defun" | "define" | "define*"
            | "defmethod" => self.define(rest),
            "lambda" | "fn" | "λ" => Self::function(rest.first(), rest.get(1..).unwrap_or_default()),
            "def" | "setq" | "setf" | "defvar" | "defconst" | "defparameter" | "set!" | "setq-local"
            | "define-values" => {
                for pair in rest.chunks(2) {
                    let value = pair.get(1).map_or(Form::Unknown, |form| self.value(form));
                    if let Some(name) = pair[0].name() {
                        self.set(name, value);
                    }
                    // A text after the value says what it is for.
                    if name.starts_with("def") {
                        break;
                    }
                }
                Form::Unknown
            }
            "let" | "let*" | "letrec" | "when-let" | "if-let" | "when-let*" | "if-let*" | "binding"
            | "with-open" | "loop" | "for" | "doseq" | "flet" | "cl-flet" | "labels" | "dolist" => {
                self.bound(&name, rest)
            }
            "->" | "->>" | "some->" | "doto" => self.threaded(name == "->>", rest),
            "ns" | "require" | "use-modules" | "import" | "provide" | "use" | "comment" => Form::Unknown,
            "when" | "if" | "and" if rest.first().and_then(Form::name) == Some("nil") => {
                self.all(rest.get(2..).unwrap_or_default())
            }
            _ => {
                let values = rest.iter().map(|form| self.value(form)).collect();
                self.call(&name, values)
            }
        }
    }

    /// `(defun f (x) …)`, `(define (f x) …)`, `(define x …)`
    fn define(&mut self, rest: &[Form]) -> Form {
        match rest {
            [Form::List(head, _), body @ ..] => {
                if let Some((name, parameters)) = head.split_first()
                    && let Some(name) = name.name()
                {
                    let parameters = Form::List(Rc::new(parameters.to_vec()), false);
                    let function = Self::function(Some(&parameters), body);
                    self.set(name, function);
                }
            }
            // Clojure may say what it is for before its parameters.
            [Form::Name(name), Form::Text(_), parameters @ Form::List(..), body @ ..]
            | [Form::Name(name), parameters @ Form::List(_, _), body @ ..]
                if !body.is_empty() || matches!(parameters, Form::List(inner, false) if inner.is_empty()) =>
            {
                let function = Self::function(Some(parameters), body);
                self.set(name, function);
            }
            [Form::Name(name), value, ..] => {
                let value = self.value(value);
                self.set(name, value);
            }
            _ => {}
        }
        Form::Unknown
    }

    fn function(parameters: Option<&Form>, body: &[Form]) -> Form {
        let parameters = match parameters {
            Some(Form::List(names, _)) => names.iter().filter_map(Form::name).map(str::to_owned).collect(),
            Some(Form::Name(name)) => vec!["&rest".to_owned(), name.clone()],
            _ => Vec::new(),
        };
        Form::Function(Rc::new(Function { parameters, body: body.to_vec() }))
    }

    /// `(let ((x 1) (y 2)) …)`, `(let [x 1 y 2] …)`, `(dolist (x xs) …)`
    fn bound(&mut self, word: &str, rest: &[Form]) -> Form {
        let before = self.names.len();
        // Scheme's `(let name (…) …)`
        let rest = if matches!(rest.first(), Some(Form::Name(_))) { &rest[1..] } else { rest };
        let Some((Form::List(pairs, is_call), body)) = rest.split_first() else { return self.all(rest) };
        let goes_through = matches!(word, "dolist" | "doseq" | "for");
        let pairs: Vec<Form> = match (word, pairs.first()) {
            ("dolist", _) => pairs.to_vec(),
            (_, Some(Form::List(..))) if *is_call || !goes_through => {
                let parts = pairs.iter().flat_map(|pair| match pair {
                    Form::List(parts, _) => parts.iter().take(2).cloned().collect(),
                    other => vec![other.clone(), Form::Unknown],
                });
                parts.collect()
            }
            _ => pairs.to_vec(),
        };
        for pair in pairs.chunks(2) {
            let value = pair.get(1).map_or(Form::Unknown, |form| self.value(form));
            let Some(name) = pair[0].name().map(str::to_owned) else { continue };
            match value {
                Form::List(values, false) if goes_through => {
                    for value in values.iter().take(MAX_ELEMENTS) {
                        self.set(&name, value.clone());
                        self.all(body);
                    }
                    return Form::Unknown;
                }
                value => self.set(&name, value),
            }
        }
        let value = self.all(body);
        self.names.truncate(before);
        value
    }

    /// `(-> x (f y))`: each form gets what comes before it, first or last.
    fn threaded(&mut self, last: bool, forms: &[Form]) -> Form {
        let Some((first, rest)) = forms.split_first() else { return Form::Unknown };
        let mut value = self.value(first);
        for form in rest {
            let given = Form::Quoted(Rc::new(value.clone()));
            let mut call = match form {
                Form::List(parts, _) => parts.to_vec(),
                name => vec![name.clone()],
            };
            call.insert(if last { call.len() } else { 1.min(call.len()) }, given);
            value = self.called(&call);
        }
        value
    }

    fn apply(&mut self, function: &Form, values: Vec<Form>) -> Form {
        match function {
            Form::Function(function) => self.enter(&Rc::clone(function), values),
            Form::Name(name) => self.call(&name.clone(), values),
            Form::Quoted(inner) => self.apply(&Form::clone(inner), values),
            _ => Form::Unknown,
        }
    }

    fn enter(&mut self, function: &Function, values: Vec<Form>) -> Form {
        if self.depth >= MAX_DEPTH {
            return Form::Unknown;
        }
        let before = self.names.len();
        let mut values = values.into_iter();
        let mut names = function.parameters.iter();
        while let Some(name) = names.next() {
            if matches!(name.as_str(), "&rest" | "&" | "." | "&body") {
                let rest = Form::List(Rc::new(values.by_ref().collect()), false);
                if let Some(name) = names.next() {
                    self.set(name, rest);
                }
                break;
            }
            if !name.starts_with('&') && !name.starts_with('#') {
                let value = values.next().unwrap_or(Form::Unknown);
                self.set(name, value);
            }
        }
        self.depth += 1;
        let value = self.all(&function.body);
        self.depth -= 1;
        self.names.truncate(before);
        value
    }

    /// A function by its name, with what it gets.
    fn call(&mut self, name: &str, values: Vec<Form>) -> Form {
        if self.depth >= MAX_DEPTH {
            return Form::Unknown;
        }
        if let Some(function @ (Form::Function(_) | Form::Name(_))) = self.named(name).cloned()
            && function.name() != Some(name)
        {
            self.depth += 1;
            let value = self.apply(&function, values);
            self.depth -= 1;
            return value;
        }
        self.handing(name, &values)
            .or_else(|| self.computed(name, &values))
            .unwrap_or_else(|| self.act(name, &values))
    }

    /// What calls a function that it is handed, or code that it is given as a value.
    fn handing(&mut self, name: &str, values: &[Form]) -> Option<Form> {
        let (first, rest) = values.split_first()?;
        match name {
            "funcall" | "apply" | "eval" | "call" if matches!(first, Form::Function(_) | Form::Name(_)) => {
                let mut rest = rest.to_vec();
                // The last one of `apply` is a list of all others.
                if let (Some(Form::List(more, _)), "apply") = (rest.last().cloned(), name) {
                    rest.pop();
                    rest.extend(more.iter().cloned());
                }
                Some(self.apply(first, rest))
            }
            "eval" => Some(match first {
                Form::List(forms, _) => self.called(&Rc::clone(forms)),
                Form::Text(text) if text.chars().all(mark::is_hole) => self.opaque(),
                Form::Unknown => self.opaque(),
                _ => Form::Unknown,
            }),
            "eval-string" | "load-string" | "eval-buffer" => match first {
                Form::Text(code) if !mark::any(code) => {
                    let forms = Reader { rest: code, depth: self.depth }.forms();
                    Some(self.all(&forms))
                }
                _ => Some(self.opaque()),
            },
            "read-from-string" | "read" | "read-string" | "car-safe" | "edn/read-string" => match first {
                Form::Text(code) if !mark::any(code) => {
                    let form = Reader { rest: code, depth: self.depth }.next_form()?;
                    let form = match form {
                        Form::List(forms, _) => Form::List(forms, false),
                        form => form,
                    };
                    // Emacs says as well where it ends.
                    Some(if name == "read-from-string" {
                        Form::List(Rc::new(vec![form]), false)
                    } else {
                        form
                    })
                }
                other => Some(other.clone()),
            },
            "mapc" | "mapcar" | "map" | "for-each" | "mapcan" | "seq-do" | "run!" | "mapv" | "seq-map"
            | "pmap" | "nftw" | "ftw" | "cl-mapc" | "each" => {
                let function =
                    values.iter().find(|value| matches!(value, Form::Function(_) | Form::Name(_)))?.clone();
                let other = values.iter().find(|value| !matches!(value, Form::Function(_) | Form::Name(_)));
                match other {
                    Some(Form::List(values, _)) => {
                        for value in values.iter().take(MAX_ELEMENTS) {
                            self.apply(&function, vec![value.clone()]);
                        }
                    }
                    // A walk goes through all that lies there.
                    Some(Form::Text(path)) => {
                        let path = if name.ends_with("ftw") { below(path) } else { path.clone() };
                        self.apply(&function, vec![Form::Text(path)]);
                    }
                    _ => _ = self.apply(&function, Vec::new()),
                }
                Some(Form::Unknown)
            }
            // Someone else calls it later.
            "add-hook"
            | "run-at-time"
            | "run-with-timer"
            | "run-with-idle-timer"
            | "advice-add"
            | "make-thread"
            | "thread"
            | "future-call"
            | "call-with-new-thread"
            | "dynamic-wind"
            | "plumber-add!" => {
                for value in values {
                    if let Form::Function(function) = value {
                        self.enter(&Rc::clone(function), Vec::new());
                    } else if let Some(name) = value.name().filter(|name| self.named(name).is_some()) {
                        self.call(name, Vec::new());
                    }
                }
                Some(Form::Unknown)
            }
            _ => None,
        }
    }

    /// Code that is run and not known.
    fn opaque(&mut self) -> Form {
        let span =
            self.process.scope.origin.unwrap_or_else(|| self.process.runner.span_of(self.process.index));
        self.process.runner.note(NoteKind::OpaqueCode, span);
        Form::Unknown
    }

    /// What a function makes of strings and lists.
    fn computed(&mut self, name: &str, values: &[Form]) -> Option<Form> {
        let text = |at: usize| values.get(at).map(Form::text);
        let texts = || values.iter().filter(|value| !matches!(value, Form::Name(_))).map(Form::text);
        let home = || self.process.scope.home.to_string();
        Some(Form::Text(match name {
            "progn" | "do" | "begin" | "when" | "unless" | "save-excursion" | "let/ec" => {
                return values.last().cloned();
            }
            "if" | "or" | "cond" => {
                return values
                    .iter()
                    .rev()
                    .find(|value| matches!(value, Form::Text(_) | Form::List(..)))
                    .cloned();
            }
            "find-executable-path" | "executable-find" | "fs/which" => text(0)?,
            "list" | "vector" | "cons" | "list*" => return Some(Form::List(Rc::new(values.to_vec()), false)),
            "append" | "concat" | "into" | "seq"
                if values.iter().any(|value| matches!(value, Form::List(..))) =>
            {
                let parts = values.iter().flat_map(|value| match value {
                    Form::List(parts, _) => parts.to_vec(),
                    value => vec![value.clone()],
                });
                return Some(Form::List(Rc::new(parts.collect()), false));
            }
            "car" | "first" | "cadr" | "second" | "nth" | "last" => match values.iter().find_map(list_of) {
                Some(parts) => {
                    return parts.get(usize::from(matches!(name, "cadr" | "second"))).cloned();
                }
                None => return values.first().cloned(),
            },
            "concat" | "str" | "string-append" | "string-append*" | "path-append" => texts().collect(),
            "mapconcat" | "string-join" | "str/join" | "clojure.string/join" => {
                let parts = values.iter().find_map(list_of)?;
                let joint = values.iter().find_map(|value| match value {
                    Form::Text(text) => Some(text.as_str()),
                    _ => None,
                });
                parts.iter().map(Form::text).collect::<Vec<_>>().join(joint.unwrap_or(""))
            }
            "format" => {
                let mut parts = values.iter();
                let mut text = parts.find(|value| matches!(value, Form::Text(_)))?.text();
                for part in parts {
                    text = text.replacen("%s", &part.text(), 1).replacen("~a", &part.text(), 1);
                }
                text
            }
            "intern" | "string->symbol" | "symbol" | "resolve" | "intern-soft" => {
                return Some(Form::Name(text(0).filter(|name| !mark::any(name))?));
            }
            "base64-decode-string" => {
                let bytes = encoding::base64(&text(0)?)?;
                String::from_utf8(bytes).unwrap_or_else(|_| mark::DECODED.to_string())
            }
            "reverse" | "string-reverse" | "str/reverse" if matches!(values, [Form::Text(_)]) => {
                text(0)?.chars().rev().collect()
            }
            "expand-file-name"
            | "file-truename"
            | "substitute-in-file-name"
            | "build-path"
            | "io/file"
            | "fs/path"
            | "file"
            | "file-name-as-directory"
            | "directory-file-name"
            | "fs/expand-home" => match (text(0)?, text(1)) {
                (file, Some(folder)) if name == "expand-file-name" => {
                    shell_engine::path::join(&self.expanded(&folder), &self.expanded(&file))
                }
                (folder, Some(file)) => shell_engine::path::join(&self.expanded(&folder), &file),
                (file, None) => self.expanded(&file),
            },
            "getenv" | "System/getenv" | "System/getProperty" | "uiop:getenv" | "os/getenv"
            | "sb-posix:getenv" => match text(0)?.as_str() {
                "HOME" | "user.home" => home(),
                name => self.process.variable(name).unwrap_or_else(|| mark::UNSET.to_string()),
            },
            "make-temp-file" | "make-temp-name" | "fs/create-temp-dir" => format!("/tmp/{}", mark::TOKEN),
            "find-system-path" if values.iter().any(|value| value.name() == Some("home-dir")) => home(),
            "fs/home" | "user-homedir-pathname" => home(),
            "directory-files-recursively" | "file-seq" | "fs/glob" => below(&self.expanded(&text(0)?)),
            "directory-files" | "directory-list" | "fs/list-dir" => {
                format!("{}/{}", self.expanded(&text(0)?).trim_end_matches('/'), mark::STAR)
            }
            _ => return None,
        }))
    }

    /// A path with `~` as the home folder.
    fn expanded(&self, path: &str) -> String {
        match path.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                format!("{}{rest}", self.process.scope.home)
            }
            _ => path.to_owned(),
        }
    }

    /// Does what a function of the library does.
    fn act(&mut self, name: &str, values: &[Form]) -> Form {
        // Names are not strings, but `nil` and `t` say something; lists of strings stand for their words.
        let mut texts: Vec<String> = Vec::new();
        // `(make-process :name "x" :command '("rm" "x"))`
        let command = values.iter().position(|value| value.name() == Some(":command"));
        let values = command.and_then(|at| values.get(at + 1..at + 2)).unwrap_or(values);
        for value in values {
            match value {
                Form::Text(text) => texts.push(self.expanded(text)),
                Form::List(parts, _) => {
                    texts.extend(parts.iter().filter(|part| matches!(part, Form::Text(_))).map(Form::text));
                }
                Form::Unknown => texts.push(mark::UNKNOWN.to_string()),
                _ => {}
            }
        }
        let says = |name: &str| values.iter().any(|value| value.name() == Some(name));
        let program = |words: &[&str]| -> Vec<String> {
            words.iter().map(|&word| word.to_owned()).chain(texts.iter().take(2).cloned()).collect()
        };
        // What is run and not known is asked about; other words that are not known are arguments.
        match effect(name) {
            Effect::Nothing => return Form::Unknown,
            Effect::Line => {
                let known = texts.iter().find(|text| !text.is_empty() && !text.chars().all(mark::is_hole));
                if let Some(line) = known.or(texts.first()) {
                    shell(self.process, line);
                }
            }
            // Babashka's: a line, and words after it.
            Effect::LineAndWords => {
                let (first, rest) =
                    texts.split_first().map_or(("", &texts[..]), |(first, rest)| (&**first, rest));
                let rest: Vec<Arg> = rest.iter().map(|word| Arg::from(word.as_str())).collect();
                shell(self.process, format!("{first} {}", quoted(&rest)).trim_end());
            }
            Effect::Program(skip) => {
                let words = texts.get(skip..).unwrap_or_default().to_vec();
                match words.as_slice() {
                    [line] => shell(self.process, line),
                    _ => start(self.process, words),
                }
            }
            Effect::Delete(deep) => {
                let deep = deep && (name != "delete-directory" || values.len() > 1 && !says("nil"));
                // It works on the first path alone.
                texts.truncate(1);
                let words = ["rm", if deep { "-rf" } else { "-f" }, "--"];
                let words = words.iter().map(|&word| word.to_owned()).chain(texts);
                start(self.process, words.collect());
            }
            Effect::Move => start(self.process, program(&["mv", "-f", "--"])),
            Effect::Copy => start(self.process, program(&["cp", "--"])),
            Effect::Write => {
                let target = if name == "spit" { texts.first() } else { texts.last() };
                if let Some(target) = target.cloned() {
                    start(self.process, vec!["tee".to_owned(), "--".to_owned(), target]);
                }
            }
        }
        Form::Unknown
    }
}

fn list_of(form: &Form) -> Option<&Rc<Vec<Form>>> {
    match form {
        Form::List(parts, _) => Some(parts),
        _ => None,
    }
}

/// All that lies below a folder.
fn below(path: &str) -> String {
    format!("{}/{}", path.trim_end_matches('/'), mark::ENTRY)
}

/// What a function of the library does.
enum Effect {
    Nothing,
    /// Runs its first string with a shell.
    Line,
    LineAndWords,
    /// Runs its strings as a program, after so many that say something else.
    Program(usize),
    /// Deletes; `true` with everything below.
    Delete(bool),
    Move,
    Copy,
    Write,
}

fn effect(name: &str) -> Effect {
    match name {
        "shell-command"
        | "shell-command-to-string"
        | "async-shell-command"
        | "system"
        | "process-lines-shell"
        | "compile"
        | "uiop:run-program"
        | "run-shell-command"
        | "os/shell"
        | "call-process-shell-command"
        | "eshell-command"
        | "shell-command-on-region"
        | "start-process-shell-command"
        | "open-input-pipe"
        | "open-output-pipe"
        | "open-pipe"
        | "process*"
        | "shell-out"
        | "ext:run-shell-command" => Effect::Line,
        "shell" | "babashka.process/shell" => Effect::LineAndWords,
        "start-process" | "call-process-region" => Effect::Program(1),
        "call-process"
        | "make-process"
        | "process-lines"
        | "sh"
        | "shell/sh"
        | "clojure.java.shell/sh"
        | "p/shell"
        | "sh/sh"
        | "subprocess"
        | "process"
        | "sb-ext:run-program"
        | "open-process"
        | "os/execute"
        | "p/process"
        | "system*"
        | "execl"
        | "execlp"
        | "process-file"
        | "p/sh"
        | "p/exec"
        | "spawn" => Effect::Program(0),
        "delete-directory"
        | "delete-directory/files"
        | "fs/delete-tree"
        | "uiop:delete-directory-tree"
        | "delete-tree"
        | "delete-directory-tree"
        | "babashka.fs/delete-tree"
        | "sb-ext:delete-directory"
        | "delete-dir"
        | "dired-delete-file"
        | "delete-file-recursively" => Effect::Delete(true),
        "delete-file"
        | "io/delete-file"
        | "fs/delete"
        | "file-delete"
        | "os/rm"
        | "clojure.java.io/delete-file"
        | "move-file-to-trash"
        | "rmdir"
        | "fs/delete-if-exists" => Effect::Delete(false),
        "rename-file" | "rename-file-or-directory" | "fs/move" => Effect::Move,
        "copy-file" => Effect::Copy,
        "spit" | "write-region" => Effect::Write,
        _ => Effect::Nothing,
    }
}
