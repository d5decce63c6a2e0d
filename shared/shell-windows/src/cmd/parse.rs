//! From text to commands: operators, brackets, `if` and `for`.

use shell_engine::{Flow, Span};

/// Nesting of brackets, `if` and `for` that is read.
const MAX_NESTING: u32 = 60;

#[derive(Debug)]
pub(super) enum Node {
    /// Commands joined by `&`, `&&`, `||` or line breaks.
    List(Vec<Node>),
    Pipe(Vec<Node>),
    Simple(Simple),
    /// `( … )` with redirections after it.
    Group(Vec<Node>, Vec<Redirection>),
    If {
        condition: String,
        then: Box<Node>,
        otherwise: Option<Box<Node>>,
    },
    For(Box<For>),
    /// `:name`
    Label(String),
}

/// A command as it was written, without its redirections.
#[derive(Debug, Default)]
pub(super) struct Simple {
    pub(super) text: String,
    pub(super) redirects: Vec<Redirection>,
    pub(super) span: Span,
}

#[derive(Debug, Clone)]
pub(super) struct Redirection {
    pub(super) fd: u32,
    pub(super) flow: Flow,
    /// The file as it was written.
    pub(super) target: String,
}

/// `for [/d /r /l /f] [options] %x in (set) do command`
#[derive(Debug)]
pub(super) struct For {
    pub(super) kind: char,
    pub(super) options: String,
    pub(super) variable: char,
    pub(super) set: String,
    pub(super) body: Node,
}

/// Why a string was not read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Problem {
    Syntax,
    TooDeep,
}

pub(super) fn parse(text: &str) -> (Vec<Node>, Option<Problem>) {
    let mut parser = Parser { text, at: 0, nesting: 0, problem: None };
    let mut nodes = Vec::new();
    while parser.at < text.len() {
        let before = parser.at;
        nodes.extend(parser.list());
        if parser.at < text.len() {
            // A closing bracket that nothing opened: cmd takes it for a remark.
            parser.bump();
        }
        // Whatever happens, the position moves on, so reading ends.
        if parser.at == before {
            parser.bump();
        }
    }
    (nodes, parser.problem)
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    nesting: u32,
    problem: Option<Problem>,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> char {
        self.text[self.at..].chars().next().unwrap_or('\0')
    }

    fn bump(&mut self) -> char {
        let c = self.peek();
        if self.at < self.text.len() {
            self.at += c.len_utf8();
        }
        c
    }

    fn ended(&self) -> bool {
        self.at >= self.text.len()
    }

    fn blanks(&mut self) {
        loop {
            match self.peek() {
                // To cmd all of these separate; `@` in front of a command only keeps it from being shown.
                ' ' | '\t' | ',' | ';' | '=' | '@' | '\u{b}' | '\u{c}' => {}
                '^' if self.text[self.at + 1..].starts_with(['\n', '\r']) => {
                    self.bump();
                }
                _ => return,
            }
            self.bump();
        }
    }

    fn lines(&mut self) {
        loop {
            self.blanks();
            if self.ended() || !matches!(self.peek(), '\n' | '\r' | '&') {
                return;
            }
            self.bump();
        }
    }

    /// Commands up to a closing bracket or the end.
    fn list(&mut self) -> Vec<Node> {
        let mut nodes = Vec::new();
        loop {
            self.lines();
            if self.ended() || self.peek() == ')' {
                return nodes;
            }
            // A pipe without a left side: cmd refuses the line, and what follows is looked at all the same.
            if self.peek() == '|' {
                self.bump();
                continue;
            }
            let before = self.at;
            nodes.extend(self.pipe());
            if self.at == before {
                self.problem.get_or_insert(Problem::Syntax);
                self.bump();
            }
        }
    }

    fn pipe(&mut self) -> Option<Node> {
        let mut stages = vec![self.command()?];
        loop {
            self.blanks();
            if self.peek() != '|' || self.text[self.at..].starts_with("||") {
                break;
            }
            self.bump();
            self.blanks();
            while matches!(self.peek(), '\n' | '\r') && !self.ended() {
                self.bump();
            }
            match self.command() {
                Some(stage) => stages.push(stage),
                None => break,
            }
        }
        // `a || b`: both run, since whether the first fails is not known.
        if self.text[self.at..].starts_with("||") {
            self.at += 2;
        }
        if stages.len() == 1 { stages.pop() } else { Some(Node::Pipe(stages)) }
    }

    fn command(&mut self) -> Option<Node> {
        if self.nesting >= MAX_NESTING {
            self.problem = Some(Problem::TooDeep);
            self.at = self.text.len();
            return None;
        }
        self.nesting += 1;
        let found = self.command_inside();
        self.nesting -= 1;
        found
    }

    fn command_inside(&mut self) -> Option<Node> {
        self.blanks();
        if self.peek() == '(' {
            self.bump();
            let nodes = self.list();
            if self.bump() != ')' {
                self.problem.get_or_insert(Problem::Syntax);
            }
            let mut redirects = Vec::new();
            loop {
                self.blanks();
                if !self.redirect(&mut redirects) {
                    break;
                }
            }
            return Some(Node::Group(nodes, redirects));
        }
        let word = self.word();
        if word.eq_ignore_ascii_case("if") {
            self.at += word.len();
            return self.branch();
        }
        if word.eq_ignore_ascii_case("for") {
            let start = self.at;
            self.at += word.len();
            if let Some(node) = self.loops() {
                return Some(node);
            }
            // Not a loop of cmd: `for` may be a program or an argument, so it is read as a plain command.
            self.at = start;
        }
        // A remark and a label end with the line, whatever signs they hold.
        if word.eq_ignore_ascii_case("rem") || self.text[self.at..].starts_with(':') {
            let end = self.text[self.at..].find('\n').map_or(self.text.len(), |end| self.at + end);
            let label = self.text[self.at..end].strip_prefix(':').filter(|label| !label.starts_with(':'));
            let label = label.and_then(|label| label.split_whitespace().next()).map(str::to_lowercase);
            self.at = end;
            return Some(label.map_or_else(|| Node::List(Vec::new()), Node::Label));
        }
        self.simple()
    }

    /// The letters that come next, if they stand for themselves.
    fn word(&self) -> &'t str {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let after = rest[end..].chars().next().unwrap_or(' ');
        if after.is_whitespace() || matches!(after, '(' | '/' | '%' | '"' | '&' | ';' | ',') {
            &rest[..end]
        } else {
            ""
        }
    }

    fn simple(&mut self) -> Option<Node> {
        let start = self.at;
        let mut simple = Simple::default();
        let mut quoted = false;
        while !self.ended() {
            let c = self.peek();
            match c {
                '"' => quoted = !quoted,
                '\n' | '\r' => break,
                '^' if !quoted => {
                    // Kept with what it escapes; `words` takes it away.
                    self.bump();
                    // A caret at the end of a line joins it with the next one.
                    if matches!(self.peek(), '\n' | '\r') {
                        if self.bump() == '\r' && self.peek() == '\n' {
                            self.bump();
                        }
                        continue;
                    }
                    simple.text.push('^');
                    if !self.ended() {
                        simple.text.push(self.bump());
                    }
                    continue;
                }
                '&' | '|' if !quoted => break,
                // Outside of brackets `)` is a letter.
                ')' if !quoted && self.nesting > 1 => break,
                '>' | '<' if !quoted => {
                    // `2>x` redirects errors; in `a2>x` the digit belongs to the word.
                    if simple.text.ends_with(|c: char| c.is_ascii_digit())
                        && simple
                            .text
                            .chars()
                            .rev()
                            .nth(1)
                            .is_none_or(|c| c.is_whitespace() || c == ')' || c == '"')
                    {
                        // The digit was taken for the end of the command's text.
                        let digit = simple.text.pop().and_then(|c| c.to_digit(10)).unwrap_or(1);
                        self.redirect_of(digit, &mut simple.redirects);
                    } else {
                        self.redirect_of(u32::from(c == '>'), &mut simple.redirects);
                    }
                    continue;
                }
                _ => {}
            }
            simple.text.push(self.bump());
        }
        simple.span = Span::new(start, self.at);
        let empty = simple.text.trim().is_empty() && simple.redirects.is_empty();
        (!empty).then_some(Node::Simple(simple))
    }

    /// Takes a redirection after a bracket.
    fn redirect(&mut self, redirects: &mut Vec<Redirection>) -> bool {
        let rest = &self.text[self.at..];
        let mut chars = rest.chars();
        match (chars.next(), chars.next()) {
            (Some('>'), _) => self.redirect_of(1, redirects),
            (Some('<'), _) => self.redirect_of(0, redirects),
            (Some(digit), Some('>' | '<')) if digit.is_ascii_digit() => {
                self.bump();
                self.redirect_of(digit.to_digit(10).unwrap_or(1), redirects);
            }
            _ => return false,
        }
        true
    }

    /// Takes `>file` and the like, at the sign.
    fn redirect_of(&mut self, fd: u32, redirects: &mut Vec<Redirection>) {
        let flow = if self.bump() == '<' {
            Flow::Read
        } else if self.peek() == '>' {
            self.bump();
            Flow::Append
        } else {
            Flow::Write
        };
        if self.peek() == '&' {
            // `2>&1`
            self.bump();
            self.bump();
            return;
        }
        while matches!(self.peek(), ' ' | '\t' | ',' | ';' | '=') {
            self.bump();
        }
        let mut target = String::new();
        let mut quoted = false;
        while !self.ended() {
            match self.peek() {
                '"' => {
                    quoted = !quoted;
                    self.bump();
                    continue;
                }
                '\n' | '\r' => break,
                c if !quoted
                    && (c.is_whitespace() || matches!(c, '&' | '|' | '>' | '<' | ',' | ';' | '=')) =>
                {
                    break;
                }
                ')' if !quoted && self.nesting > 1 => break,
                '^' if !quoted => {
                    self.bump();
                }
                _ => {}
            }
            target.push(self.bump());
        }
        if !target.is_empty() {
            redirects.push(Redirection { fd, flow, target });
        }
    }

    /// A word of an `if`, with its quotes.
    fn token(&mut self) -> String {
        self.blanks();
        let mut token = String::new();
        let mut quoted = false;
        while !self.ended() {
            let c = self.peek();
            if c == '"' {
                quoted = !quoted;
            } else if !quoted
                && (c.is_whitespace()
                    || matches!(c, '(' | ')' | '&' | '|')
                    || self.text[self.at..].starts_with("=="))
            {
                break;
            }
            token.push(self.bump());
        }
        token
    }

    /// What follows `if`.
    fn branch(&mut self) -> Option<Node> {
        let start = self.at;
        let mut first = self.token();
        // Neither changes what runs: both branches do.
        while first.eq_ignore_ascii_case("/i") || first.eq_ignore_ascii_case("not") {
            first = self.token();
        }
        let lower = first.to_ascii_lowercase();
        if matches!(lower.as_str(), "exist" | "defined" | "errorlevel" | "cmdextversion") {
            self.token();
        } else {
            while matches!(self.peek(), ' ' | '\t') {
                self.bump();
            }
            if self.text[self.at..].starts_with("==") {
                self.at += 2;
            } else {
                // `EQU`, `NEQ`, …
                self.token();
            }
            self.token();
        }
        let condition = self.text[start..self.at].to_owned();
        let then = Box::new(self.command()?);
        let end = self.at;
        self.blanks();
        let word = self.word();
        if word.eq_ignore_ascii_case("else") {
            self.at += word.len();
            let otherwise = self.command().map(Box::new);
            return Some(Node::If { condition, then, otherwise });
        }
        // Blanks that no `else` follows belong to what comes next.
        self.at = end;
        Some(Node::If { condition, then, otherwise: None })
    }

    /// What follows `for`; nothing if it is not that of cmd.
    fn loops(&mut self) -> Option<Node> {
        let mut kind = ' ';
        let mut options = String::new();
        let variable = loop {
            let token = self.token();
            match token.as_bytes() {
                [] => return None,
                [b'/', letter, ..] => kind = letter.to_ascii_lowercase() as char,
                // Everything before the variable is a switch or its options: `for /f "tokens=1" %i`.
                [b'%', ..] => break token.trim_start_matches('%').chars().next()?,
                _ => options.push_str(token.trim_matches('"')),
            }
        };
        if !self.token().eq_ignore_ascii_case("in") {
            return None;
        }
        self.blanks();
        if self.bump() != '(' {
            return None;
        }
        let mut set = String::new();
        let (mut quoted, mut open) = (None, 1);
        while !self.ended() {
            let c = self.bump();
            match (c, quoted) {
                // Inside quotes brackets are letters: `in ('echo )')`.
                ('"' | '\'' | '`', None) => quoted = Some(c),
                (c, Some(quote)) if c == quote => quoted = None,
                ('(', None) => open += 1,
                (')', None) => open -= 1,
                ('^', None) => {
                    set.push(self.bump());
                    continue;
                }
                _ => {}
            }
            if open == 0 {
                break;
            }
            set.push(c);
        }
        if !self.token().eq_ignore_ascii_case("do") {
            self.problem.get_or_insert(Problem::Syntax);
        }
        let body = self.command()?;
        Some(Node::For(Box::new(For { kind, options, variable, set, body })))
    }
}
