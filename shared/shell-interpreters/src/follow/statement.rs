//! Statements: what the words at their beginning mean.

use std::rc::Rc;

use shell_engine::mark;

use super::Follower;
use super::decided::asks_for_program;
use super::modules::{DEFAULT, THE_MODULE, has_ending};
use super::scopes::Declares;
use crate::Language;
use crate::lex::Token;
use crate::value::{Arguments, Value};

/// What follows the sign of a line for a preprocessor.
const DIRECTIVES: [&str; 19] = [
    "define",
    "elif",
    "else",
    "endif",
    "endregion",
    "error",
    "if",
    "ifdef",
    "ifndef",
    "import",
    "include",
    "line",
    "load",
    "nullable",
    "pragma",
    "r",
    "region",
    "undef",
    "warning",
];

impl Follower<'_> {
    pub(super) fn statement(&mut self) {
        if self.language == Language::Other && self.op() == Some("#") && self.is_directive() {
            self.at = self.end_of_line(self.at);
            return;
        }
        match self.peek() {
            // Julia's `f(x) = …`
            Some(Token::Name(_)) if self.is_short_function() => {
                // There is no word in front of the name that `define` could step over.
                self.at = self.at.wrapping_sub(1);
                self.define();
            }
            // Elixir's `@root "/"`
            Some(Token::Op("@"))
                if self.language == Language::Elixir
                    && matches!(
                        self.ahead(2),
                        Some(Token::Text(_) | Token::Template(_) | Token::Number(_) | Token::Op("[" | "~"))
                    )
                    && let Some(name) = self.word_ahead(1).map(str::to_owned) =>
            {
                self.at += 2;
                let value = self.assignment();
                self.assign(&name, value);
            }
            Some(Token::Line(_) | Token::Pattern(_)) => self.at += 1,
            Some(Token::Op("{")) if self.language == Language::Ruby => self.simple(),
            // A list, or a group, may hold calls; other brackets are blocks.
            Some(Token::Op("@")) if self.language == Language::Python => {
                self.simple();
                self.decorator = Some(self.last.clone());
            }
            Some(Token::Op("[" | "(" | "->" | "&" | "@" | "$" | "\\" | "!" | "-" | "+" | "*" | "<")) => {
                self.simple();
            }
            Some(Token::Op("{")) if self.language == Language::Python => self.simple(),
            Some(Token::Op("|" | "|&")) if self.language == Language::Awk => self.awk_pipe(None),
            // `{a, b} = …`
            Some(Token::Op(op)) => {
                let is_block = *op == "{";
                if !self.destructuring() {
                    let close = self.code.mate(self.at);
                    if is_block {
                        self.begin_block(close);
                    }
                    self.at += 1;
                    // JavaScript's functions are known in all of their block.
                    if is_block && self.language == Language::JavaScript {
                        let outer = self.end;
                        self.end = close.min(outer);
                        self.define_ahead();
                        self.end = outer;
                    }
                }
            }
            Some(Token::Name(_)) if self.is_method() => self.method(),
            Some(Token::Name(word)) => {
                let word = word.clone();
                let end = self.code.mate(self.at);
                // Blocks of words end with one.
                if self.language == Language::Lua && end < self.end {
                    self.begin_block(end);
                }
                if matches!(self.op_ahead(1), Some("=" | "." | ":=" | "+=")) && !self.takes_field(&word)
                    || !self.keyword(&word)
                {
                    self.simple();
                }
            }
            Some(_) => self.simple(),
            None => {}
        }
    }

    /// A method of a class. Its name stands where others have `function`, or after its type.
    fn method(&mut self) {
        // `define` steps over the word `function`, which a method of a class lacks, or over `get`.
        match self.language {
            Language::Jvm | Language::Other if self.op_ahead(1) != Some("(") => {
                // The type in front of the name.
                self.at = self.type_ends(self.at).unwrap_or(self.at + 1) - 1;
            }
            Language::JavaScript if self.is_marked_method() => {}
            _ => self.at -= 1,
        }
        self.define();
    }

    /// Whether a line for a preprocessor stands here: `#include <x>`, `#define X 1`, C#'s `#r "x"`.
    fn is_directive(&mut self) -> bool {
        let Some(word) = self.word_ahead(1).map(str::to_owned) else { return false };
        if word == "define"
            && let Some(name) = self.word_ahead(2).map(str::to_owned)
            && let Some(Token::Text(text)) = self.ahead(3).cloned()
        {
            self.assign(&name, Value::from(text));
        }
        DIRECTIVES.contains(&word.as_str())
    }

    /// `get root() {`, `static clean(p) {`
    fn is_marked_method(&self) -> bool {
        matches!(self.word(), Some("get" | "set" | "async" | "static")) && self.word_ahead(1).is_some()
    }

    /// Whether a method of a class stands here: `run(c) {` of JavaScript, `void run(String c) {` of Java and its kin.
    fn is_method(&self) -> bool {
        let ahead = match self.language {
            Language::JavaScript if self.at > 0 => 1 + usize::from(self.is_marked_method()),
            // What makes an object has the name of its class.
            Language::Jvm | Language::Other
                if self.word() == Some(&*self.class) && self.op_ahead(1) == Some("(") =>
            {
                1
            }
            Language::Jvm | Language::Other => match self.type_ends(self.at) {
                Some(end) if matches!(self.code.tokens.get(end), Some(Token::Name(_))) => end + 1 - self.at,
                _ => return false,
            },
            _ => return false,
        };
        let word = self.word().unwrap_or("");
        // All of these may stand before brackets and a brace, and define nothing.
        let keyword = matches!(
            word,
            "if" | "for"
                | "while"
                | "switch"
                | "catch"
                | "function"
                | "with"
                | "return"
                | "new"
                | "else"
                | "await"
                | "throw"
                | "fun"
                | "func"
                | "fn"
                | "record"
                // Kotlin's `class Plan(val root: File) {`
                | "class"
                | "interface"
                | "object"
                | "enum"
                | "match"
                // Gradle's `task wipe(type: Delete) {`
                | "task"
        );
        if keyword || self.op_ahead(ahead) != Some("(") {
            return false;
        }
        // A body after the parameters: else it is a call.
        let close = self.code.mate(self.at + ahead);
        let mut after = close + 1;
        // C# often has the brace on a line of its own.
        while self.language == Language::Other && matches!(self.code.tokens.get(after), Some(Token::Line(_)))
        {
            after += 1;
        }
        matches!(self.code.tokens.get(after), Some(Token::Op("{")))
            || self.language == Language::Other && self.code.tokens.get(close + 1) == Some(&Token::Op("=>"))
            || matches!(self.code.tokens.get(close + 1), Some(Token::Name(word)) if word == "throws")
            || self.language == Language::JavaScript
                && self.code.tokens.get(close + 1) == Some(&Token::Op(":"))
                && self.code.tokens.get(self.script_type_ends(close + 2)) == Some(&Token::Op("{"))
    }

    /// Whether a keyword stays one before `.` and `=`: `import.meta` is not one.
    fn takes_field(&self, word: &str) -> bool {
        self.language == Language::Awk && matches!(word, "print" | "printf")
            // `from .beside import x`
            || self.language == Language::Python && word == "from"
    }

    /// A statement that begins with a keyword. `false` if it does not.
    fn keyword(&mut self, word: &str) -> bool {
        use Language::{Awk, Go, JavaScript, Julia, Jvm, Lua, Other, Perl, Php, Python, Ruby};
        if self.definition(word) {
            return true;
        }
        if self.language == Ruby && matches!(word, "when" | "else" | "elsif") && self.ends_function() {
            self.returned.push(self.last.clone());
        }
        if matches!((self.language, word), (_, "match" | "switch") | (Ruby, "case")) {
            self.decide_arms();
        }
        match (self.language, word) {
            (_, "match" | "switch" | "when" | "case" | "cond") if let Some(value) = self.arms() => {
                self.last = value;
            }
            // It runs a file.
            (Perl, "do") if matches!(self.ahead(1), Some(Token::Text(_) | Token::Template(_))) => {
                return false;
            }
            (Python, "with") => self.with(),
            (
                JavaScript | Jvm | Go | Other | Lua | Php | Perl | Julia | Awk,
                "const" | "let" | "var" | "my" | "our" | "local" | "val" | "final" | "static" | "export"
                | "mut" | "state",
            )
            | (Jvm, "def") => {
                let declares = match word {
                    "our" | "export" | "state" | "static" => Declares::No,
                    "var" if self.language == JavaScript => Declares::InFunction,
                    _ => Declares::InBlock,
                };
                self.declaring(declares, Self::declaration);
            }
            (_, "else" | "catch") | (Python, "except") | (Ruby, "rescue")
                if word == "catch" || self.language == JavaScript || self.op_ahead(1) != Some("(") =>
            {
                self.alternative(word);
            }
            // They run nothing, and change no value that matters.
            (Python, "global" | "nonlocal") | (Php | Julia, "global") => self.share_names(),
            (Python, "del") => {
                let end = self.end_of_line(self.at);
                // `del x[f()]`
                if self.may_call(self.at, end) {
                    self.at += 1;
                    self.last = self.expression_list();
                } else {
                    self.skip_line();
                }
            }
            // `assert (f)(x)`, `match (f)(x):` call nothing of that name.
            (Python, "assert" | "raise") | (JavaScript, "throw") => self.at += 1,
            (Python, "match") if self.begins_match() => self.at += 1,
            (_, "for") | (Perl | Php | Other, "foreach") => self.each(),
            (Other, "if") if self.if_let() => {}
            (_, "if" | "elif" | "elsif" | "unless" | "elseif") => self.condition(word == "unless"),
            (_, "while" | "until") => self.repetition(word),
            (Ruby | Other, "loop") | (Lua, "repeat") => {
                self.at += 1;
                self.endless_from_here();
            }
            (_, "return" | "yield") => self.hand_back(word),
            (Awk, "print" | "printf") => self.awk_print(),
            (Awk, "BEGIN" | "END" | "getline" | "next" | "exit" | "in" | "delete")
            | (Perl, "BEGIN" | "END")
            | (
                _,
                "then" | "do" | "begin" | "try" | "ensure" | "finally" | "end" | "pass" | "break"
                | "continue" | "next" | "switch" | "case" | "when" | "async" | "public" | "private"
                | "protected" | "await" | "throw" | "throws" | "raise" | "assert" | "default" | "abstract"
                | "declare" | "type" | "redo" | "last" | "goto" | "go" | "defer",
            ) if self.op_ahead(1) != Some("(") || matches!(word, "case" | "when" | "switch") => {
                self.at += 1;
            }
            _ => return false,
        }
        true
    }

    /// Whether Python's `match x:` stands here, and no variable of that name.
    fn begins_match(&self) -> bool {
        let asks = !matches!(self.op_ahead(1), Some("=" | "." | "," | ")" | ":"));
        asks && self.end_of_condition(self.at + 1, false).is_some()
    }

    /// Whether the branch before the word here is one of those with which a function of Ruby's ends: it gives back its value.
    fn ends_function(&mut self) -> bool {
        let is = |token: &Token, words: &[&str]| matches!(token, Token::Name(word) if words.contains(&word.as_str()));
        let tokens = &self.code.tokens;
        // The first `when` has no branch before it.
        let before = tokens[..self.at.min(tokens.len())].iter().rev().take(16);
        let begins = before.clone().find(|token| is(token, &["case", "then", "when", "if", "else"]));
        if self.active.is_empty()
            || self.returned.len() >= 16
            || begins.is_some_and(|token| is(token, &["case"]))
        {
            return false;
        }
        let mut at = self.at + 1;
        while at < self.end && !is(&tokens[at], &["end"]) {
            let mate = self.code.mate(at);
            at = if mate > at && mate < self.end { mate + 1 } else { at + 1 };
        }
        let rest = tokens.get(at.min(self.end)..self.end).unwrap_or_default();
        let only_ends =
            rest.iter().all(|token| matches!(token, Token::Line(_) | Token::Op(";")) || is(token, &["end"]));
        self.step((at - self.at) / 4);
        only_ends
    }

    /// A statement that brings names: an import, a function, a type. `false` if it is none.
    fn definition(&mut self, word: &str) -> bool {
        use Language::{Awk, Elixir, Go, JavaScript, Julia, Jvm, Lua, Other, Perl, Php, Python, Ruby};
        match (self.language, word) {
            // C#'s `using var process = Process.Start(…)`, `using (var file = …)`
            (Other, "using")
                if self.op_ahead(1) == Some("(")
                    || self.word_ahead(1) == Some("var")
                    || matches!(
                        self.type_ends(self.at + 1)
                            .map(|end| (self.code.tokens.get(end), self.code.tokens.get(end + 1))),
                        Some((Some(Token::Name(_)), Some(Token::Op("="))))
                    ) =>
            {
                self.at += 1;
            }
            // Rust's `mod clean;`
            (Other, "mod") if self.op_ahead(2) == Some(";") => {
                self.at += 1;
                if let Some(name) = self.word().map(str::to_owned) {
                    self.import_rust(&name);
                }
            }
            (Other, "mod") if self.op_ahead(2) == Some("{") => self.at += 2,
            (Other, "impl" | "extension") => return self.methods_begin(),
            // `import("x")` is a call.
            (Python | JavaScript, "import") if self.op_ahead(1) != Some("(") => self.import(),
            (Python, "from") => self.import(),
            (
                Julia | Jvm | Go | Other | Php | Perl | Elixir,
                "import" | "use" | "using" | "no" | "package" | "namespace" | "alias",
            ) => {
                self.at += 1;
                if self.language == Go {
                    self.import_go();
                } else if self.language == Php {
                    self.import_php();
                    self.import_plain();
                } else if let (Other, Some(Token::Text(path))) = (self.language, self.peek())
                    && has_ending(path, "dart")
                {
                    let path = path.clone();
                    self.import_path(&path);
                    self.at += 1;
                } else if self.op() == Some("(") {
                    self.at = self.code.mate(self.at) + 1;
                } else if self.language == Perl && self.take_word("overload") {
                    // Perl calls these where an object is written as a string, added, compared.
                    while !matches!(self.peek(), None | Some(Token::Op(";" | "}") | Token::Line(_))) {
                        for operator in self.expression_list().functions() {
                            self.call_function(&operator, Vec::new());
                        }
                        self.at += usize::from(self.op() == Some("=>"));
                    }
                } else if self.language != Perl || !self.perl_constants() {
                    self.import_perl();
                    self.import_plain();
                }
            }
            (Python | Ruby, "def")
            | (JavaScript | Php | Lua | Awk | Julia, "function")
            | (Go | Other | Php, "func" | "fn")
            | (Perl, "sub")
            | (Jvm, "fun")
                if self.language != Go || self.names_function() =>
            {
                self.define();
            }
            (Jvm, "def")
                if self.word_ahead(1).is_some()
                    && self.op_ahead(2) == Some("(")
                    && matches!(
                        self.code.tokens.get(self.code.mate(self.at + 2) + 1),
                        Some(Token::Op("{" | ":" | "="))
                    ) =>
            {
                self.define();
            }
            (Elixir, "def" | "defp") => self.define(),
            (Go, "type") => return self.go_struct(),
            (Julia, "struct") => self.julia_struct(),
            (Jvm | Other, "record") => return self.record(),
            (
                Python | Ruby | JavaScript | Php | Jvm | Other,
                "class" | "module" | "interface" | "enum" | "struct" | "trait" | "object",
            )
            | (JavaScript, "namespace")
                if !matches!(self.ahead(1), Some(Token::Op(_))) =>
            {
                self.class_begins();
                if word == "enum" {
                    self.constants();
                }
            }
            _ => return false,
        }
        true
    }

    /// More methods of a type: Rust's `impl Trait for Job {`, Swift's `extension Job: Trait {`.
    fn methods_begin(&mut self) -> bool {
        let head = self.code.tokens.get(self.at + 1..self.end).unwrap_or_default();
        let Some(open) = head.iter().take(64).position(|token| *token == Token::Op("{")) else {
            return false;
        };
        let is_for = |token: &Token| matches!(token, Token::Name(word) if word == "for");
        let of_trait = head[..open].iter().position(is_for);
        let mut at = self.at + 1 + of_trait.map_or(0, |at| at + 1);
        // `impl<T> Job<T>`
        if self.code.tokens.get(at) == Some(&Token::Op("<")) {
            at = self.end_of_generics(at).map_or(at, |close| close + 1);
        }
        let last = self.type_ends(at).map_or(at, |end| end.saturating_sub(1));
        let name = (at..=last).rev().find_map(|at| match self.code.tokens.get(at) {
            Some(Token::Name(name)) => Some(Rc::from(name.as_str())),
            _ => None,
        });
        let Some(name) = name else { return false };
        self.class = name;
        self.at += 1 + open;
        self.begin_class();
        true
    }

    /// `return x`, `yield x`
    pub(super) fn hand_back(&mut self, word: &str) {
        self.at += 1;
        let alone = matches!(self.peek(), None | Some(Token::Line(_) | Token::Op(";" | "}")));
        // Ruby's runs the block of the call.
        if let (Language::Ruby, "yield", Some(Some(block))) =
            (self.language, word, self.blocks.last().cloned())
        {
            let values = if alone {
                Vec::new()
            } else {
                self.simple();
                vec![self.last.clone()]
            };
            self.last = self.call_function(&block, values);
            return;
        }
        if alone {
            return;
        }
        // `yield from f()` yields all that the other one does.
        let all = self.language == Language::Python && self.take_word("from");
        if self.language == Language::Python {
            // `return f, (x,)`
            self.last = self.expression_list();
        } else {
            self.simple();
        }
        let yields = word == "yield" && !all;
        // Who goes through what a generator yields gets each of its values.
        let value = if yields { Value::List(vec![self.last.clone()]) } else { self.last.clone() };
        // Every `return` may be the one that is reached.
        if self.returned.len() < 16 {
            self.returned.push(value);
        }
    }

    /// What follows `const`, `let`, `my`, `export` and the like.
    fn declaration(&mut self) {
        self.at += 1;
        // Java's `static { … }` is a block.
        if self.language == Language::Jvm && self.op() == Some("{") {
            return;
        }
        // `export { a } from "./b"`, `export * from "./b"`
        if matches!(self.op(), Some("{" | "*")) && self.exports_again() {
            self.at -= 1;
            self.import();
            return;
        }
        if self.language == Language::JavaScript && self.exports() {
            return;
        }
        let follows = |next: &&str| {
            matches!(
                *next,
                "function"
                    | "async"
                    | "class"
                    | "sub"
                    | "fn"
                    | "default"
                    | "const"
                    | "let"
                    | "var"
                    | "enum"
                    | "namespace"
            )
        };
        if let Some(next) = self.word().filter(follows).map(str::to_owned) {
            // `export default function …`: the word in front says nothing.
            if !self.keyword(&next) {
                self.simple();
            }
        } else if self.is_method() {
            self.method();
        } else if self.language != Language::Go || !self.go_variable() {
            self.skip_type();
            if !self.annotated() && !self.destructuring() && !self.tuple() {
                self.simple();
            }
        }
    }

    /// What a module of JavaScript exports without defining it there: `export default wipe`, `export { wipe as default }`,
    /// `export = wipe`. The reader stands after the word.
    fn exports(&mut self) -> bool {
        let is_export = |token: &Token| matches!(token, Token::Name(word) if word == "export");
        if !self.code.tokens.get(self.at.wrapping_sub(1)).is_some_and(is_export) {
            return false;
        }
        if self.take("=") {
            let value = self.assignment();
            self.assign(THE_MODULE, value);
            return true;
        }
        if self.op() == Some("{") {
            let close = self.code.mate(self.at).min(self.end);
            for at in self.at..close {
                let (before, token, after) =
                    (&self.code.tokens[at - 1], &self.code.tokens[at], self.code.tokens.get(at + 1));
                if let (Token::Name(name), Token::Name(word), Some(Token::Name(other))) =
                    (before, token, after)
                    && word == "as"
                {
                    let (name, other) = (name.clone(), other.clone());
                    let value = self.variable(&name).cloned().unwrap_or(Value::Name(name));
                    self.assign(&other, value);
                }
            }
            self.at = close + 1;
            return true;
        }
        if self.word() != Some("default") {
            return false;
        }
        if let (Some("class"), Some(class)) = (self.word_ahead(1), self.word_ahead(2)) {
            let class = Value::Name(class.to_owned());
            self.assign(DEFAULT, class);
        }
        let is_definition = match (self.word_ahead(1), self.word_ahead(2)) {
            (Some("function" | "class"), Some(_)) => true,
            (Some("async"), Some("function")) => self.word_ahead(3).is_some(),
            _ => false,
        };
        if !is_definition {
            self.at += 1;
            let value = self.assignment();
            self.assign(DEFAULT, value);
        }
        !is_definition
    }

    /// Perl's `use constant ROOT => "/";` and `use constant { ROOT => "/" };`
    fn perl_constants(&mut self) -> bool {
        if self.word() != Some("constant") {
            return false;
        }
        self.at += 1;
        if self.op() == Some("{") {
            if let Value::Map(entries) = self.braces() {
                for (name, value) in entries {
                    self.assign(&name, value);
                }
            }
        } else if let Some(name) = self.word().map(str::to_owned) {
            self.at += 2;
            let value = self.expression_list();
            self.assign(&name, value);
        }
        true
    }

    /// `record Job(String name, String root) {}`: its fields, in their order.
    fn record(&mut self) -> bool {
        let Some(class) = self.word_ahead(1).map(str::to_owned) else { return false };
        if self.op_ahead(2) != Some("(") {
            return false;
        }
        self.at += 2;
        for parameter in self.parameters_in_brackets() {
            self.keep_field(&class, parameter.name);
        }
        self.class = Rc::from(class);
        true
    }

    /// `struct Job` of Julia's: its fields, in their order.
    fn julia_struct(&mut self) {
        let end = self.code.mate(self.at).min(self.end);
        let Some(class) = self.word_ahead(1).map(str::to_owned) else { return self.at += 1 };
        let code = Rc::clone(&self.code);
        for pair in code.tokens.get(self.at + 2..end).unwrap_or_default().windows(2) {
            match pair {
                [Token::Line(_) | Token::Op(";"), Token::Name(field)] if field != "end" => {
                    self.keep_field(&class, field.clone());
                }
                _ => {}
            }
        }
        self.at = end + 1;
    }

    /// Whether what stands here after `export` comes from another module.
    fn exports_again(&self) -> bool {
        let after = if self.op() == Some("{") { self.code.mate(self.at) + 1 } else { self.at + 1 };
        self.language == Language::JavaScript
            && matches!(self.code.tokens.get(after), Some(Token::Name(word)) if word == "from")
            && self.hands_on(self.at, after)
    }

    /// Whether Julia's `f(x) = …` stands here.
    fn is_short_function(&self) -> bool {
        self.language == Language::Julia
            && self.op_ahead(1) == Some("(")
            && self.code.tokens.get(self.code.mate(self.at + 1) + 1) == Some(&Token::Op("="))
    }

    /// Whether Go's `func` here has a name, perhaps after its receiver: without one it is a value.
    fn names_function(&self) -> bool {
        let after = if self.op_ahead(1) == Some("(") { self.code.mate(self.at + 1) + 1 } else { self.at + 1 };
        matches!(self.code.tokens.get(after), Some(Token::Name(_)))
            && matches!(self.code.tokens.get(after + 1), Some(Token::Op("(" | "[")))
    }

    /// `else`, `except X as e:`: a block that may not run.
    fn alternative(&mut self, word: &str) {
        // Ruby's `f(x) rescue g(x)`
        let before = self.code.tokens.get(self.at.wrapping_sub(1));
        if word == "rescue" && !matches!(before, Some(Token::Line(_)) | None) {
            self.at += 1;
            return;
        }
        if matches!(word, "except" | "rescue") {
            self.skip_head();
        } else {
            self.at += 1;
        }
        if self.word() != Some("if") {
            self.branch_from_here();
        }
    }

    /// An expression, with what follows it: `… for x in y`, `… if z`.
    pub(super) fn simple(&mut self) {
        self.skip_type_of_variable();
        if self.destructuring() || self.tuple() || self.annotated() {
            return;
        }
        if matches!(self.language, Language::Perl | Language::Ruby) && self.modifiers() {
            return;
        }
        let before = self.at;
        let value = self.assignment();
        // `return "--force" in sys.argv`
        let value = self.flag_of_call(before).unwrap_or(value);
        if self.language == Language::Awk {
            self.awk_pipe(Some(&value));
        }
        self.last = value;
        // `f x` in languages that we read too loosely.
        self.at = self.at.max(before + 1);
    }

    /// `x: str = "/"`: a variable with its type.
    fn annotated(&mut self) -> bool {
        let typed = matches!(
            self.language,
            Language::Python | Language::JavaScript | Language::Jvm | Language::Other | Language::Julia
        );
        let Some(name) = self.word().filter(|_| typed && matches!(self.op_ahead(1), Some(":" | "::"))) else {
            return false;
        };
        let name = name.to_owned();
        // Swift's `let root: String`
        let before = self.at.checked_sub(1).and_then(|at| self.code.tokens.get(at));
        let is_variable = matches!(before, Some(Token::Name(word)) if matches!(word.as_str(), "let" | "var"));
        let has_fields = self.language == Language::Python || self.language == Language::Other && is_variable;
        if has_fields && !self.class.is_empty() && self.active.is_empty() {
            let class = Rc::clone(&self.class);
            self.keep_field(&class, name.clone());
        }
        if self.language == Language::JavaScript {
            let end = self.script_type_ends(self.at + 2);
            if self.code.tokens.get(end) != Some(&Token::Op("=")) || end >= self.end {
                return false;
            }
            self.at = end + 1;
            let value = self.assignment();
            self.assign(&name, value);
            return true;
        }
        // A type has few tokens; without a bound each `x:` of a table would search its line.
        let equals = (2..24).take_while(|&ahead| {
            !matches!(self.ahead(ahead), None | Some(Token::Line(_) | Token::Op(";" | "{" | "(")))
        });
        // The type between the colon and the value may have any form.
        let Some(equals) = equals.into_iter().find(|&ahead| self.op_ahead(ahead) == Some("=")) else {
            return false;
        };
        self.at += equals + 1;
        let value = self.assignment();
        self.assign(&name, value);
        true
    }

    /// `unlink $_ for glob "*"`, `File.delete(f) if f.end_with?(".tmp")`: what follows says what is meant.
    /// `true` where it is not done at all, and stepped over.
    fn modifiers(&mut self) -> bool {
        let mut at = self.at;
        let mut steps = 0;
        let perl = self.language == Language::Perl;
        while at < self.end {
            steps += 1;
            match &self.code.tokens[at] {
                // What is inside brackets belongs to something else.
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                Token::Op(";" | "}" | ")" | "]") => break,
                Token::Line(_) if !perl => break,
                Token::Name(word) if at > self.at => match word.as_str() {
                    // A Ruby block: its own modifiers are not those of this statement.
                    "do" if !perl => break,
                    "for" | "foreach" if perl => {
                        // The list is read first, because the statement in front of it uses `$_`.
                        let before = std::mem::replace(&mut self.at, at + 1);
                        let list = self.expression_list();
                        self.at = before;
                        // A single value is a list of one there.
                        let element = if let Value::Text(_) = list { list } else { list.element() };
                        self.assign("_", element);
                        break;
                    }
                    "if" | "unless" if !matches!(self.code.tokens[at - 1], Token::Op("=" | "->" | ".")) => {
                        let end = self.end_of_line(at);
                        let negated = word == "unless";
                        match self.holds(at + 1, end).map(|holds| holds != negated) {
                            Some(false) => {
                                self.at = end;
                                return true;
                            }
                            // `return if $dry`: what follows does not run.
                            Some(true) if self.is_left_here() => {
                                self.skip_rest(end, self.end_of_block(end, 0));
                            }
                            _ => {}
                        }
                        self.narrow(at + 1, end, negated);
                        break;
                    }
                    _ => {}
                },
                _ => {}
            }
            at += 1;
        }
        self.step(steps);
        false
    }

    /// Where the line or statement of the token at `at` ends.
    pub(super) fn end_of_line(&self, mut at: usize) -> usize {
        while at < self.end {
            match &self.code.tokens[at] {
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                Token::Op(";" | "}" | ")" | "]") | Token::Line(_) => break,
                _ => {}
            }
            at += 1;
        }
        at.min(self.end)
    }

    /// Several values side by side: `a, b`, and in brackets.
    pub(super) fn expression_list(&mut self) -> Value {
        let first = self.assignment();
        if self.op() != Some(",") {
            return first;
        }
        let mut values = vec![first];
        while self.take(",") {
            self.skip_if_bracketed();
            if matches!(self.peek(), None | Some(Token::Line(_) | Token::Op(")" | "]" | "}" | ";" | "="))) {
                break;
            }
            values.push(self.assignment());
        }
        Value::List(values)
    }

    fn skip_line(&mut self) {
        while !matches!(self.peek(), None | Some(Token::Line(_) | Token::Op(";"))) {
            self.at += 1;
        }
    }

    /// Up to the colon of `except X as e:`, or the end of the line.
    fn skip_head(&mut self) {
        while !matches!(self.peek(), None | Some(Token::Line(_) | Token::Op(":" | ";"))) {
            if self.word() == Some("then") {
                break;
            }
            self.at += 1;
        }
    }

    /// `with open(x) as f, open(y) as g:`
    fn with(&mut self) {
        let end = self.block_end();
        let doubles = self.doubles.len();
        self.at += 1;
        loop {
            let outer = std::mem::replace(&mut self.doubles.of_patch, true);
            let mut value = self.assignment();
            self.doubles.of_patch = outer;
            // What `@contextmanager` makes of a generator gives what that yields.
            if let Value::List(yielded) = &value
                && !yielded.is_empty()
            {
                value = Value::any(yielded.clone());
            }
            // What a class of the code's own makes of itself there.
            if matches!(&value, Value::Name(class) if self.is_class(class))
                && let Some(enter) = self.take_function("__enter__")
            {
                value = self.call_on(&value, &enter, &Arguments::default());
            }
            if self.take_word("as") {
                if let Some(name) = self.word().map(str::to_owned) {
                    self.assign(&name, value);
                }
                self.at += 1;
            }
            if !self.take(",") {
                break;
            }
        }
        // Doubles that it makes end with it.
        if self.doubles.len() > doubles {
            self.run_inside(Rc::clone(&self.code), self.at, end);
            self.doubles.end(doubles);
            self.at = end;
        }
    }

    /// `if f.endswith(".tmp"):` and the like: what is known about a name in a folder afterwards.
    fn condition(&mut self, negated: bool) {
        if self.decide_branches(negated) {
            return;
        }
        if self.language == Language::Elixir
            && let Some(value) = self.elixir_if()
        {
            self.last = value;
            return;
        }
        self.at += 1;
        let start = self.at;
        self.mark_body();
        self.last = self.head();
        let end = self.at;
        let mut next = self.at;
        while matches!(self.code.tokens.get(next), Some(Token::Op(":" | "{" | ")") | Token::Line(_)))
            || matches!(self.code.tokens.get(next), Some(Token::Name(word)) if word == "then")
        {
            next += 1;
        }
        // `if …: continue`: what follows is the case in which the condition does not hold.
        let leaves = matches!(self.code.tokens.get(next), Some(Token::Name(word)) if matches!(word.as_str(), "continue" | "next" | "return" | "break"));
        self.narrow(start, end, negated != leaves);
        if !negated && self.runs_in_a_turn(start, end) {
            self.by_word = Some((Rc::clone(&self.code), self.at..self.block_end()));
            return;
        }
        self.branch_from_here();
        let head = self.code.tokens.get(start..end).unwrap_or_default();
        if !negated && asks_for_program(head) == Some(true) {
            self.program = self.branch;
        }
    }

    /// The block that comes next may not run.
    fn branch_from_here(&mut self) {
        self.branch = self.branch.max(self.block_end());
    }

    /// `while COND`: without end, if the condition is a constant or starts a process itself.
    fn repetition(&mut self, word: &str) {
        self.at += 1;
        let start = self.at;
        let bracketed = self.op() == Some("(");
        let at = start + usize::from(bracketed);
        let constant = match self.code.tokens.get(at) {
            Some(Token::Name(name)) => {
                matches!(name.as_str(), "True" | "true" | "TRUE") && word == "while"
                    || name == "false" && word == "until"
                    || name == "fork"
            }
            Some(Token::Number(number)) => word == "while" && number != "0",
            _ => false,
        };
        let compares =
            matches!(self.code.tokens.get(at + 1), Some(Token::Op("." | "<" | ">" | "==" | "<=" | ">=")));
        if constant && !compares || word == "while" && self.stays_true() {
            self.endless_from_here();
        }
        self.mark_body();
        self.last = self.head();
    }

    /// The condition that stands here. Where brackets belong to it, what comes after them is its branch: `if (x) [f][0]()`.
    fn head(&mut self) -> Value {
        if !matches!(self.language, Language::JavaScript | Language::Php) || self.op() != Some("(") {
            return self.assignment();
        }
        let after = (self.code.mate(self.at) + 1).min(self.end);
        let outer = std::mem::replace(&mut self.end, after);
        let value = self.assignment();
        (self.at, self.end) = (after, outer);
        value
    }

    /// Whether the condition here holds in each turn: it is one of several, and a variable that the loop does not change is the
    /// number that it is compared with: `LIMIT == 0 or depth < LIMIT`.
    fn stays_true(&self) -> bool {
        let end = self.block_end();
        let is_either = |token: Option<&Token>| match token {
            Some(Token::Op("||" | ":" | "{" | ")" | "(") | Token::Line(_)) => true,
            Some(Token::Name(word)) => matches!(word.as_str(), "or" | "while" | "do"),
            _ => false,
        };
        let tokens = &self.code.tokens;
        let stays = |at: usize| {
            let (
                Some(Token::Name(name) | Token::Variable(name)),
                Some(Token::Op("==" | "===")),
                Some(Token::Number(number)),
            ) = (tokens.get(at), tokens.get(at + 1), tokens.get(at + 2))
            else {
                return false;
            };
            let changes = |pair: &[Token]| match pair {
                [Token::Name(word) | Token::Variable(word), Token::Op(op)] => {
                    word == name && matches!(*op, "=" | "+=" | "-=" | "++" | "--" | "*=")
                }
                _ => false,
            };
            is_either(tokens.get(at.wrapping_sub(1)))
                && is_either(tokens.get(at + 3))
                && number
                    .parse()
                    .is_ok_and(|number: i64| self.variable(name).and_then(Value::number) == Some(number))
                && !tokens.get(at..end).unwrap_or_default().windows(2).any(changes)
        };
        let line = self.end_of_line(self.at).min(end);
        (self.at..line).any(stays)
    }

    /// The brace ahead begins the body of the statement here, and no block of what stands in its head.
    pub(super) fn mark_body(&mut self) {
        if self.language == Language::Other {
            self.body = self.brace_ahead(self.at).unwrap_or(usize::MAX);
        }
    }

    /// The block that comes next runs without end.
    pub(super) fn endless_from_here(&mut self) {
        let end = self.block_end();
        self.reached.waits = self.waits_between(self.at, end) || self.ends_between(self.at, end);
        self.endless = self.endless.max(end);
    }

    /// Where the block of the statement here ends.
    pub(super) fn block_end(&self) -> usize {
        let mut at = self.at;
        while at < self.end {
            match &self.code.tokens[at] {
                Token::Op("{") => return self.code.mate(at).min(self.end),
                Token::Op("(" | "[") => at = self.code.mate(at),
                Token::Op(":") if self.language == Language::Python => return self.suite_end(at),
                Token::Name(word) if word == "do" && self.language.has_word_blocks() => {
                    let own = self.code.mate(at);
                    return if own < self.code.tokens.len() { own } else { self.end };
                }
                Token::Line(_) | Token::Op(";") if !self.language.has_word_blocks() => return at,
                _ => {}
            }
            at += 1;
        }
        self.end
    }

    /// Where the block after Python's colon at `colon` ends.
    pub(super) fn suite_end(&self, colon: usize) -> usize {
        let mut at = colon + 1;
        if !matches!(self.code.tokens.get(at), Some(Token::Line(_))) {
            return self.end_of_suite_line(at);
        }
        let own = self.indent_of(colon);
        while at < self.end {
            match &self.code.tokens[at] {
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                Token::Line(indent)
                    if *indent <= own
                        && !matches!(self.code.tokens.get(at + 1), Some(Token::Line(_)) | None) =>
                {
                    return at;
                }
                _ => {}
            }
            at += 1;
        }
        self.end
    }

    /// The indent of the statement that the colon at `colon` belongs to, whose lines may go on in brackets.
    fn indent_of(&self, colon: usize) -> u32 {
        let mut depth = 0_u32;
        for token in self.code.tokens.get(..colon).unwrap_or_default().iter().rev() {
            match token {
                Token::Op(")" | "]" | "}") => depth += 1,
                Token::Op("(" | "[" | "{") => depth = depth.saturating_sub(1),
                Token::Line(indent) if depth == 0 => return *indent,
                _ => {}
            }
        }
        0
    }

    fn end_of_suite_line(&self, mut at: usize) -> usize {
        while at < self.end {
            match &self.code.tokens[at] {
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                Token::Line(_) => break,
                _ => {}
            }
            at += 1;
        }
        at.min(self.end)
    }

    /// `print x > "file"`, `print x | "command"`.
    fn awk_print(&mut self) {
        let formats = self.word() == Some("printf");
        self.at += 1;
        let mut values = Vec::new();
        while !matches!(self.peek(), None | Some(Token::Line(_) | Token::Op(";" | "}" | ">" | ">>" | "|"))) {
            if self.take(",") {
                continue;
            }
            let before = self.at;
            let value = self.awk_value();
            match value {
                Value::List(more) => values.extend(more),
                value => values.push(value),
            }
            self.at = self.at.max(before + 1);
        }
        // On its own it prints the line.
        if values.is_empty() && !formats {
            values.push(self.variable_value("$0"));
        }
        let text = match values.as_slice() {
            [format, rest @ ..] if formats => super::printed(&format.text(), rest).text(),
            _ => values.iter().map(Value::text).collect::<Vec<_>>().join(" "),
        };
        match self.op() {
            Some(op @ (">" | ">>")) => {
                self.at += 1;
                let target = self.awk_value();
                self.write_file(&target, &Value::from(text), op == ">>");
            }
            Some("|") => {
                self.at += 1;
                self.take("&");
                let command = self.awk_value();
                self.shell_with(&command, Some(&text));
            }
            _ => {
                self.printed.push_str(&text);
                if !formats {
                    self.printed.push('\n');
                }
            }
        }
    }

    /// A value of awk's `print`, in which `>` does not compare and `>>` does not shift.
    fn awk_value(&mut self) -> Value {
        self.binary(super::operators::ADDITION)
    }

    /// `"command" | getline x`
    pub(super) fn awk_pipe(&mut self, command: Option<&Value>) {
        if self.op() != Some("|") {
            return;
        }
        self.at += 1;
        self.take("&");
        if self.take_word("getline") {
            let remote = command.is_some_and(|command| command.text().starts_with("/inet/"));
            if let Some(command) = command.filter(|_| !remote) {
                self.shell_with(command, None);
            } else if remote {
                self.connected = command.map(Value::text);
            }
            let name = self.word().map(str::to_owned);
            if let Some(name) = name {
                self.assign(&name, Value::from(if remote { mark::REMOTE } else { mark::UNKNOWN }));
                self.at += 1;
            } else if remote {
                self.assign("$0", Value::from(mark::REMOTE));
            }
        }
    }
}
