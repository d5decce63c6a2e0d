//! Code that code runs.

use std::rc::Rc;

use shell_engine::{NoteKind, mark};

use super::follow::Follower;
use super::value::Value;
use super::{MAX_BODY, lex};

impl Follower<'_> {
    /// Runs a string as code of the same language.
    pub(super) fn evaluate(&mut self, value: &Value) -> Value {
        match value {
            Value::Function(function) => {
                let function = Rc::clone(function);
                self.call_function(&function, Vec::new())
            }
            Value::Any(values) => {
                let values = values.clone();
                let results = values.iter().map(|value| self.evaluate(value)).collect();
                Value::any(results)
            }
            Value::Text(text) => {
                let foreign = text.text.contains([mark::REMOTE, mark::DECODED]);
                if let Some(source) = &text.from
                    && &*source.path != "env"
                    && !foreign
                    && text.text.trim_start_matches("?>").chars().all(mark::is_hole)
                {
                    // `exec(open("w.py").read())`
                    let path = Rc::clone(&source.path);
                    self.include_file(&path);
                    return Value::unknown();
                }
                self.run_code(&text.text.clone(), value.source().is_some())
            }
            Value::Socket => self.run_code(&mark::REMOTE.to_string(), false),
            _ => Value::unknown(),
        }
    }

    /// Runs code that is a string here. That of a file is no one's secret.
    pub(super) fn run_code(&mut self, text: &str, from_file: bool) -> Value {
        // PHP's `eval("?>" . code)`
        let text = text.strip_prefix("?>").unwrap_or(text);
        // `eval("x = 1\n" + File.read("w.rb"))`
        let loaded = self.runner.fulfilled(self.scope, text);
        let text = loaded.as_ref().map_or(text, |loaded| &loaded.text);
        let bare = text.trim_matches(|c: char| c.is_whitespace() || c == '(' || c == ')');
        let holes = !bare.is_empty() && bare.chars().all(mark::is_hole);
        match bare.chars().next() {
            Some(mark::REMOTE) => self.note(NoteKind::RunsRemote),
            Some(mark::DECODED) => self.note(NoteKind::RunsDecoded),
            Some(mark::UNKNOWN | mark::UNSET) if holes && !from_file => self.note(NoteKind::OpaqueCode),
            _ => {}
        }
        if holes || text.len() > MAX_BODY || !self.runner.spend(text.len()) {
            return Value::unknown();
        }
        let code = Rc::new(lex::read(self.language, text));
        let end = code.tokens.len();
        if !self.step(end) {
            return Value::unknown();
        }
        self.run_inside(code, 0, end)
    }
}
