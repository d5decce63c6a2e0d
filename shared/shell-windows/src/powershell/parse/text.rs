//! Strings: quotes, escapes, here-strings, and what is expanded in them.

use super::super::ast::{Access, Expr};
use super::{Parser, Problem};

impl Parser<'_> {
    /// `'…'`, at the opening quote.
    pub(super) fn single_quoted(&mut self) -> String {
        self.cursor.bump();
        let mut text = String::new();
        loop {
            if self.cursor.ended() {
                self.problem(Problem::Syntax);
                return text;
            }
            let quote = self.cursor.peek() == '\'';
            let c = self.cursor.bump_raw();
            if quote {
                // Two quotes are one of the text. At the end `peek` gives NUL, which a text may hold as well.
                if self.cursor.peek() != '\'' || self.cursor.ended() {
                    return text;
                }
                self.cursor.bump();
                text.push('\'');
            } else {
                text.push(c);
            }
        }
    }

    /// `"…"`, at the opening quote.
    pub(super) fn double_quoted(&mut self) -> Expr {
        self.cursor.bump();
        let mut pieces = Pieces::default();
        loop {
            if self.cursor.ended() {
                self.problem(Problem::Syntax);
                break;
            }
            match self.cursor.peek() {
                '"' => {
                    self.cursor.bump();
                    if self.cursor.peek() != '"' || self.cursor.ended() {
                        break;
                    }
                    self.cursor.bump();
                    pieces.text.push('"');
                }
                _ => self.piece(&mut pieces),
            }
        }
        pieces.done()
    }

    /// `@'…'@` and `@"…"@`, at the `@`.
    pub(super) fn here_string(&mut self) -> Expr {
        self.cursor.bump();
        let expands = self.cursor.bump() == '"';
        self.cursor.skip(false);
        if self.cursor.peek() == '\r' {
            self.cursor.bump();
        }
        self.expect('\n');
        let end = if expands { "\"@" } else { "'@" };
        let mut pieces = Pieces::default();
        loop {
            if self.cursor.ended() {
                self.problem(Problem::Syntax);
                break;
            }
            if self.cursor.before() == '\n' && self.cursor.starts_with(end) {
                self.cursor.bump();
                self.cursor.bump();
                // The last line break belongs to the end.
                if pieces.text.ends_with('\n') {
                    pieces.text.pop();
                    if pieces.text.ends_with('\r') {
                        pieces.text.pop();
                    }
                }
                break;
            }
            if expands {
                self.piece(&mut pieces);
            } else {
                pieces.text.push(self.cursor.bump_raw());
            }
        }
        pieces.done()
    }

    /// One character of a string that is expanded, or what stands there instead.
    pub(super) fn piece(&mut self, pieces: &mut Pieces) {
        match self.cursor.peek() {
            '`' => pieces.text.push_str(&self.escape()),
            '$' => match self.expansion(false) {
                Some(expr) => pieces.push(expr),
                None => pieces.text.push(self.cursor.bump_raw()),
            },
            _ => pieces.text.push(self.cursor.bump_raw()),
        }
    }

    /// A back-tick and what it escapes.
    pub(super) fn escape(&mut self) -> String {
        self.cursor.bump();
        let c = self.cursor.bump_raw();
        match c {
            // Control characters would only hide a name from rules, and no program has one in its name.
            '\0' | '0' | 'a' | 'b' | 'f' | 'v' => String::new(),
            'n' => "\n".to_owned(),
            'r' => "\r".to_owned(),
            't' => "\t".to_owned(),
            'e' => "\u{1b}".to_owned(),
            '\n' => String::new(),
            'u' if self.cursor.peek() == '{' => {
                self.cursor.bump();
                let mut digits = String::new();
                // The largest character of Unicode has six digits.
                while self.cursor.peek().is_ascii_hexdigit() && digits.len() < 6 {
                    digits.push(self.cursor.bump());
                }
                self.expect('}');
                let c = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                shell_engine::mark::scrub(&c.unwrap_or('?').to_string()).into_owned()
            }
            c => c.to_string(),
        }
    }

    /// `$name`, `${name}` or `$( … )`, at the `$`; with what hangs on it, where `members` says so.
    pub(super) fn expansion(&mut self, members: bool) -> Option<Expr> {
        let found = match self.cursor.second() {
            '(' => {
                self.cursor.bump();
                Expr::Sub(self.bracketed(')'))
            }
            '{' => {
                self.cursor.bump();
                self.cursor.bump();
                let mut name = String::new();
                while !self.cursor.ended() && self.cursor.peek() != '}' {
                    let c = self.cursor.bump_raw();
                    name.push(if c == '`' { self.cursor.bump_raw() } else { c });
                }
                self.expect('}');
                Expr::Variable(name.to_lowercase())
            }
            c if is_name(c) || c == '?' || c == '^' || c == '$' => {
                self.cursor.bump();
                Expr::Variable(self.variable_name())
            }
            ':' if is_name(self.cursor.third()) => {
                self.cursor.bump();
                self.cursor.bump();
                Expr::Variable(self.variable_name())
            }
            _ => return None,
        };
        Some(if members { self.accesses(found) } else { found })
    }

    /// A variable's name with its scope or drive, such as `env:path` and `script:x`, in small letters and without a
    /// scope that makes no difference here.
    fn variable_name(&mut self) -> String {
        let mut name = String::new();
        let first = self.cursor.peek();
        if matches!(first, '?' | '^' | '$') {
            self.cursor.bump();
            return first.to_string();
        }
        while is_name(self.cursor.peek()) {
            name.extend(self.cursor.bump().to_lowercase());
            // `$env:x`, but not the second colon of `$a::b`.
            if self.cursor.peek() == ':' && is_name(self.cursor.second()) && !name.contains(':') {
                name.push(self.cursor.bump());
            }
        }
        for scope in ["local:", "private:", "using:", "variable:"] {
            if let Some(bare) = name.strip_prefix(scope) {
                return bare.to_owned();
            }
        }
        name
    }

    /// Members, methods and indices after an expression.
    pub(super) fn accesses(&mut self, base: Expr) -> Expr {
        let mut chain = Vec::new();
        loop {
            match self.cursor.peek() {
                '.' if is_member(self.cursor.second()) => {
                    self.cursor.bump();
                }
                '?' if self.cursor.second() == '.' && is_member(self.cursor.third()) => {
                    self.cursor.bump();
                    self.cursor.bump();
                }
                ':' if self.cursor.second() == ':' => {
                    self.cursor.bump();
                    self.cursor.bump();
                }
                '[' if !self.cursor.before().is_whitespace() => {
                    if !self.enter() {
                        break;
                    }
                    self.cursor.bump();
                    self.cursor.skip(true);
                    let index = self.expression();
                    self.cursor.skip(true);
                    self.expect(']');
                    self.leave();
                    chain.push(Access::Index(index));
                    continue;
                }
                '(' if matches!(base, Expr::Type(_)) && chain.is_empty() => break,
                _ => break,
            }
            let name = self.member_name();
            if self.cursor.peek() == '(' {
                let arguments = self.arguments();
                chain.push(Access::Method(name, arguments));
            } else {
                chain.push(Access::Member(name));
            }
        }
        if chain.is_empty() { base } else { Expr::Access(Box::new(base), chain) }
    }

    fn member_name(&mut self) -> Expr {
        match self.cursor.peek() {
            '\'' => Expr::Text(self.single_quoted()),
            '"' => self.double_quoted(),
            '$' => self.expansion(false).unwrap_or_else(|| {
                self.cursor.bump();
                Expr::Text(String::new())
            }),
            '(' => Expr::Sub(self.bracketed(')')),
            _ => {
                let mut name = String::new();
                while is_name(self.cursor.peek()) || self.cursor.peek() == '`' {
                    let c = self.cursor.bump();
                    // A back-tick in a member's name hides it: ``.Inv`oke()`` is `.Invoke()`.
                    if c != '`' {
                        name.push(c);
                    }
                }
                Expr::Text(name)
            }
        }
    }

    /// `(a, b)` after a method's name.
    fn arguments(&mut self) -> Vec<Expr> {
        if !self.enter() {
            return Vec::new();
        }
        self.cursor.bump();
        let mut arguments = Vec::new();
        loop {
            self.cursor.skip(true);
            if self.cursor.ended() {
                self.problem(Problem::Syntax);
                break;
            }
            if self.cursor.eat(')') {
                break;
            }
            if self.cursor.eat(',') {
                continue;
            }
            let before = self.cursor.at;
            arguments.push(self.expression_without_commas());
            if self.cursor.at == before {
                self.problem(Problem::Syntax);
                self.cursor.bump();
            }
        }
        self.leave();
        arguments
    }
}

/// Whether a member's name may begin with `c`.
fn is_member(c: char) -> bool {
    is_name(c) || matches!(c, '\'' | '"' | '$' | '(')
}

/// Whether `c` may stand in a variable's or member's name.
pub(super) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Pieces of a string that is being put together.
#[derive(Default)]
pub(super) struct Pieces {
    done: Vec<Expr>,
    pub(super) text: String,
}

impl Pieces {
    pub(super) fn push(&mut self, expr: Expr) {
        if !self.text.is_empty() {
            self.done.push(Expr::Text(std::mem::take(&mut self.text)));
        }
        self.done.push(expr);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.done.is_empty() && self.text.is_empty()
    }

    pub(super) fn done(mut self) -> Expr {
        if self.done.is_empty() {
            return Expr::Text(self.text);
        }
        if !self.text.is_empty() {
            self.done.push(Expr::Text(self.text));
        }
        Expr::Join(self.done)
    }
}
