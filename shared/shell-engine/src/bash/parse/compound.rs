//! Compound commands: `if`, loops, `case`, functions and their kin.

use std::rc::Rc;

use super::ast::{Command, ErrorKind, List, Word};
use super::command::close;
use super::cursor::{Parser, is_meta, is_name};
use crate::span::Span;

impl Parser<'_> {
    /// Reads a compound command, if one begins here.
    pub(super) fn compound(&mut self) -> Option<Command> {
        match self.peek() {
            b'(' => {
                // `((` begins arithmetic only if `))` ends it; else it is a subshell in a subshell.
                if self.peek_at(1) == b'(' && self.closes_twice(self.at + 2) {
                    self.at += 2;
                    return Some(Command::Arithmetic(self.arithmetic_body()));
                }
                self.at += 1;
                Some(Command::Subshell(self.nested_list(")")))
            }
            // `{` is a word of its own: `{a,b}` is a brace expansion.
            b'{' if is_meta(self.peek_at(1)) => {
                self.at += 1;
                let body = self.until(close::BRACE);
                self.close("}");
                Some(Command::Group(body))
            }
            b'[' if self.take_word("[[") => Some(Command::Test(self.test())),
            b'i' if self.take_word("if") => Some(self.conditional()),
            b'w' if self.take_word("while") => Some(self.repeat(false)),
            b'u' if self.take_word("until") => Some(self.repeat(true)),
            b'f' if self.take_word("for") => Some(self.each()),
            b's' if self.take_word("select") => Some(self.each()),
            b'c' if self.take_word("case") => Some(self.case()),
            b'c' if self.take_word("coproc") => self.coproc(),
            b'f' if self.take_word("function") => self.named_function(),
            _ => self.function(),
        }
    }

    /// Reads a list that ends at one of `bits`.
    fn until(&mut self, bits: u16) -> List {
        let outer = self.awaited;
        self.awaited |= bits;
        let list = self.list();
        self.awaited = outer;
        list
    }

    fn close(&mut self, word: &str) {
        self.skip_lines();
        if !self.take_word(word) {
            self.error(ErrorKind::Unclosed, self.at);
        }
    }

    fn conditional(&mut self) -> Command {
        let mut lists = vec![self.until(close::THEN)];
        self.close("then");
        loop {
            // After `else` this reads the last list, and then finds neither word.
            lists.push(self.until(close::ELSE | close::FI));
            if self.take_word("elif") {
                lists.push(self.until(close::THEN));
                self.close("then");
            } else if !self.take_word("else") {
                break;
            }
            if self.done() {
                break;
            }
        }
        self.close("fi");
        Command::If(lists)
    }

    fn repeat(&mut self, until: bool) -> Command {
        let condition = self.until(close::DO);
        let body = self.do_body();
        Command::Loop { condition, body, until }
    }

    /// Reads `do … done`, or the `{ … }` that bash takes in its place.
    fn do_body(&mut self) -> List {
        self.skip_lines();
        if self.peek() == b'{' && is_meta(self.peek_at(1)) {
            self.at += 1;
            let body = self.until(close::BRACE);
            self.close("}");
            return body;
        }
        self.close("do");
        let body = self.until(close::DONE);
        self.close("done");
        body
    }

    fn each(&mut self) -> Command {
        self.skip_blanks();
        if self.starts_with("((") {
            self.at += 2;
            let header = self.arithmetic_body();
            self.skip_blanks();
            self.take(";");
            return Command::Count { header, body: self.do_body() };
        }
        let start = self.at;
        while is_name(self.peek()) {
            self.at += 1;
        }
        let name = Span::new(start, self.at);
        self.skip_lines();
        // Without `in` it goes through the arguments of the shell.
        let words = self.take_word("in").then(|| self.words());
        self.skip_blanks();
        self.take(";");
        Command::For { name, words, body: self.do_body() }
    }

    /// Reads words up to the end of the line or a separator.
    fn words(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            let word = self.word();
            if word.span.is_empty() {
                return words;
            }
            words.push(word);
        }
    }

    fn case(&mut self) -> Command {
        self.skip_blanks();
        let subject = self.word();
        self.skip_lines();
        if !self.take_word("in") {
            self.error(ErrorKind::Unexpected, self.at);
        }
        let mut arms = Vec::new();
        loop {
            self.skip_lines();
            if self.done() || self.take_word("esac") {
                break;
            }
            let before = self.at;
            self.take("(");
            let mut patterns = Vec::new();
            loop {
                self.skip_blanks();
                patterns.push(self.word());
                self.skip_blanks();
                if !self.take("|") {
                    break;
                }
            }
            if !self.take(")") {
                self.error(ErrorKind::Unexpected, self.at);
            }
            let body = self.until(close::ARM | close::ESAC);
            arms.push((patterns, body));
            // Whether an arm falls through makes no difference: all of them run.
            if !(self.take(";;&") || self.take(";;")) {
                self.take(";&");
            }
            if self.at == before {
                break;
            }
        }
        Command::Case { subject, arms }
    }

    fn test(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        loop {
            self.skip_lines();
            if self.done() {
                self.error(ErrorKind::Unclosed, self.at);
                return words;
            }
            if self.take_word("]]") {
                return words;
            }
            let word = self.word();
            if word.span.is_empty() {
                // `[[ x;`: without this the rest of the text would be words of the test, and hide its
                // commands.
                if self.peek() == b';' {
                    self.error(ErrorKind::Unexpected, self.at);
                    return words;
                }
                // `&&`, `||`, `<` and their like are words of the test.
                let start = self.at;
                self.at += 1;
                if matches!(self.source.get(start..start + 2), Some("&&" | "||")) {
                    self.at += 1;
                }
                if matches!(self.bytes[start], b'&' | b'|' | b'(' | b')' | b'<' | b'>') {
                    words.push(Word { parts: Vec::new(), span: Span::new(start, self.at) });
                }
            } else {
                let matches = word.span.of(self.source) == "=~";
                words.push(word);
                if matches {
                    words.push(self.regex());
                }
            }
        }
    }

    /// The pattern after `=~`, in which brackets and bars are its own.
    fn regex(&mut self) -> Word {
        self.skip_blanks();
        let start = self.at;
        let mut parts = Vec::new();
        self.word_parts(&mut parts, |parser| matches!(parser.peek(), b' ' | b'\t' | b'\n'));
        Word { parts, span: Span::new(start, self.at) }
    }

    fn coproc(&mut self) -> Option<Command> {
        self.skip_blanks();
        let before = self.at;
        // `coproc NAME { …; }`: the name only counts before a compound command.
        while is_name(self.peek()) {
            self.at += 1;
        }
        let named_length = self.at - before;
        let named = named_length > 0 && {
            self.skip_blanks();
            matches!(self.peek(), b'{' | b'(')
        };
        if !named {
            self.at = before;
        }
        let name = named.then(|| Span::new(before, before + named_length));
        Some(Command::Coproc(name, Box::new(self.stage()?)))
    }

    fn named_function(&mut self) -> Option<Command> {
        self.skip_blanks();
        let name = self.word();
        self.skip_blanks();
        // `function f ()`: bash accepts both signs at once.
        if self.take("(") {
            self.skip_blanks();
            self.take(")");
        }
        self.function_body(name.span)
    }

    /// `name() body`, if that is what stands here.
    fn function(&mut self) -> Option<Command> {
        let mut at = self.at;
        while !is_meta(self.bytes.get(at).copied().unwrap_or(0))
            // bash takes nearly every word as a name of a function; these begin an expansion or an
            // assignment.
            && !matches!(self.bytes[at], b'$' | b'"' | b'\'' | b'\\' | b'`' | b'=')
        {
            at += 1;
        }
        let name = Span::new(self.at, at);
        let blanks = self.bytes[at..].iter().take_while(|&&b| b == b' ' || b == b'\t').count();
        let open = at + blanks;
        if name.is_empty() || self.bytes.get(open) != Some(&b'(') {
            return None;
        }
        let inner = self.bytes[open + 1..].iter().take_while(|&&b| b == b' ' || b == b'\t').count();
        if self.bytes.get(open + 1 + inner) != Some(&b')') {
            return None;
        }
        self.at = open + 2 + inner;
        self.function_body(name)
    }

    fn function_body(&mut self, name: Span) -> Option<Command> {
        self.skip_lines();
        let body = Rc::new(self.stage()?);
        Some(Command::Function { name: name.of(self.source).to_owned(), body })
    }
}
