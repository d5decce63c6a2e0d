//! Modules of the project that code imports: read where they lie beside it, and followed as far as it names what is in
//! them.

use std::rc::Rc;

use shell_engine::{Call, Loaded, NoteKind, Process, mark};

use super::{Follower, Given};
use crate::Language;
use crate::lex::{self, Code, Token};

/// What a module is for who imports it: `require("./wipe")()` calls it.
pub(super) const THE_MODULE: &str = "module.exports";
/// Modules that one body of code leads to; a program of many files is not a script.
const MAX_MODULES: usize = 24;
/// Bytes of all files that were read, beyond which no further module is: a call must stay short.
const MAX_READ: usize = 128 * 1024;

impl Follower<'_> {
    /// Python's `import a.b`, from beside the file or from where it runs; whether it is a file, and no
    /// package with more of them.
    pub(super) fn import_python(&mut self, module: &str) -> bool {
        let path = module.replace('.', "/");
        // `from . import x` names no module of its own.
        !module.is_empty()
            && (is_library(module)
                || self.module(&[&format!("{path}.py"), &format!("{path}/__init__.py")]) == Some(0))
    }

    /// `require("./x")`, `import "./x"`: what begins with a dot is a file.
    pub(crate) fn import_path(&mut self, path: &str) {
        if !path.starts_with(['.', '/']) {
            return;
        }
        match self.language {
            Language::JavaScript => {
                let forms = ["", ".js", ".ts", ".mjs", ".cjs", "/index.js", "/index.ts"];
                let named = shell_engine::path::file_name(path).contains('.');
                let forms = forms.iter().skip(usize::from(!named));
                let paths: Vec<String> = forms.map(|form| format!("{path}{form}")).collect();
                self.module(&paths.iter().map(String::as_str).collect::<Vec<_>>());
            }
            _ => _ = self.module(&[path]),
        }
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
        match self.language {
            Language::Ruby => self.module(&[&format!("{path}.rb"), path]),
            _ => self.module(&[path]),
        };
    }

    /// The folder of the file that is read, or the one in which the code runs.
    pub(super) fn own_folder(&self) -> Rc<str> {
        let file = self.scope.file.and_then(|file| self.runner.analysis.files.get(file as usize));
        let folder = file.and_then(|file| file.path.rsplit_once('/')).map(|(folder, _)| folder);
        folder.map_or_else(|| Rc::clone(&self.scope.cwd), Rc::from)
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
    fn module(&mut self, paths: &[&str]) -> Option<usize> {
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
        if loaded.text.len() > crate::MAX_BODY || !self.runner.spend(loaded.text.len()) {
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
        let given =
            Given { mentioned: Some(Rc::clone(&self.code)), modules: self.modules, ..Given::default() };
        let text = if self.language == Language::Php { crate::after_tag(&loaded.text) } else { &loaded.text };
        let begins = loaded.text.len() - text.len();
        super::run(&mut process, self.language, lex::read(self.language, text), Given { begins, ..given });
        self.runner.close_file(&mut inner, &opened);
    }

    /// Whether a function that no call here has led to is one that runs. In a module, who imports it names it, and to be
    /// listed among what the module exports is not a call.
    pub(super) fn may_be_called(&self, name: &str, called: bool) -> bool {
        let names = |code: &Rc<Code>| {
            code.tokens.iter().any(|token| matches!(token, Token::Name(word) if word == name))
        };
        self.given.mentioned.as_ref().map_or(!called, |code| name == THE_MODULE || names(code))
    }
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
