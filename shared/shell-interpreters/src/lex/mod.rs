//! Tokens of scripting languages: enough to tell names, strings and brackets from comments and prose.

mod delimited;
mod quotes;
mod structure;
mod templates;

use super::Language;

/// Templates inside templates that are read.
const MAX_NESTING: u32 = 6;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A name or a keyword; with its parts where a language writes them as one (`File::Path`, `file.remove`).
    Name(String),
    /// A name after a sigil: `$x`, `@x`.
    Variable(String),
    /// A string, decoded.
    Text(String),
    /// A string with expressions inside.
    Template(Vec<Piece>),
    /// A command for a shell: backquotes, `%x{…}`, `qx{…}`.
    Command(Vec<Piece>),
    /// A number, as it is written.
    Number(String),
    /// A regular expression.
    Pattern(String),
    /// A part that is replaced: `s/from/to/`; with `letters` one by one, as `tr` does.
    Change { from: String, to: String, letters: bool },
    /// Punctuation.
    Op(&'static str),
    /// The end of a line, with the indent of the next one.
    Line(u32),
}

/// A part of a string with expressions inside.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Text(String),
    Code(std::rc::Rc<Code>),
}

/// Code as tokens, with what belongs together.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Code {
    pub(super) tokens: Vec<Token>,
    /// For each token, whether a blank or a line break stands before it.
    spaced: Vec<bool>,
    /// For each token, where the reading had come to when it was found.
    places: Vec<u32>,
    /// The variables that stand for several values, with the sigil that says so: Perl's `@x` and `%x`.
    sigils: Vec<(usize, char)>,
    /// For an opening bracket, or a word that opens a block, where it closes.
    mates: Vec<u32>,
}

impl Code {
    pub(super) fn is_spaced(&self, at: usize) -> bool {
        self.spaced.get(at).copied().unwrap_or(true)
    }

    /// Where a token stands in the text, or just after.
    pub(super) fn place(&self, at: usize) -> usize {
        self.places.get(at).copied().unwrap_or_default() as usize
    }

    /// The sigil of the variable at `at`, where it stands for several values.
    pub(super) fn sigil(&self, at: usize) -> Option<char> {
        let found = self.sigils.binary_search_by_key(&at, |&(at, _)| at).ok()?;
        Some(self.sigils[found].1)
    }

    /// Where the bracket or block that opens at `at` closes; the end of the code if it does not.
    pub(super) fn mate(&self, at: usize) -> usize {
        self.mates.get(at).map_or(self.tokens.len(), |&mate| mate as usize)
    }
}

/// Punctuation of more than one character, the longest first.
const LONG: &[&str] = &[
    "<<<", "===", "!==", "**=", "...", "||=", "&&=", "??=", "//=", "<=>", "<<-", "->", "=>", "!!", "==",
    "!=", "<=", ">=", "=~", "!~", "&&", "||", "??", "?.", "?:", "&.", "**", "//", "..", "<<", ">>", "::",
    ":=", "+=", "-=", "*=", "/=", ".=", "%=", "|=", "^=", "<-", "|>", "++", "--", "<>",
];

const SHORT: &[&str] = &[
    "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "=", "+", "-", "*", "/", "%", "<", ">", "!", "&", "|",
    "^", "~", "?", "@", "$", "\\", "#", "'", "\"", "`",
];

/// Reads code. Anything unknown is skipped, so that nothing stops the reading.
pub(super) fn read(language: Language, body: &str) -> Code {
    nested(language, body, 0)
}

fn nested(language: Language, body: &str, depth: u32) -> Code {
    let mut lexer = Lexer {
        language,
        size: body.len(),
        rest: body,
        code: Code::default(),
        depth,
        spaced: false,
        waiting: Vec::new(),
    };
    if body.starts_with("#!") {
        lexer.line_comment();
    }
    while !lexer.rest.is_empty() {
        lexer.token();
    }
    let mut code = lexer.code;
    code.mates = structure::mates(language, &code.tokens);
    code
}

struct Lexer<'b> {
    language: Language,
    /// The length of the whole text.
    size: usize,
    rest: &'b str,
    code: Code,
    depth: u32,
    spaced: bool,
    /// Here-documents whose text begins on the next line: the token that gets it.
    waiting: Vec<quotes::Heredoc>,
}

impl Lexer<'_> {
    fn push(&mut self, token: Token) {
        self.code.tokens.push(token);
        self.code.places.push(u32::try_from(self.size - self.rest.len()).unwrap_or(u32::MAX));
        self.code.spaced.push(std::mem::take(&mut self.spaced));
    }

    fn skip(&mut self, width: usize) {
        self.rest = self.rest.get(width..).unwrap_or("");
    }

    fn token(&mut self) {
        let Some(first) = self.rest.chars().next() else { return };
        match first {
            '\n' => self.line(),
            '\\' if self.rest.starts_with("\\\n") => self.skip(2),
            c if c.is_whitespace() => {
                self.skip(c.len_utf8());
                self.spaced = true;
            }
            _ if self.comment() || self.quote(first) || self.sigil(first) => {}
            c if c.is_ascii_digit() => self.number(),
            c if c.is_alphanumeric() || c == '_' => self.name(),
            // A private field of JavaScript's: `this.#root`.
            '#' if self.language == Language::JavaScript => self.skip(1),
            // In JavaScript it is a letter; `sigil` reads those of Perl and PHP.
            '$' if self.language == Language::JavaScript => self.name(),
            c => {
                let operator = LONG.iter().find(|op| self.rest.starts_with(**op) && self.has_operator(op));
                let short = || SHORT.iter().find(|op| op.starts_with(c));
                match operator.or_else(short) {
                    Some(op) => {
                        self.push(Token::Op(op));
                        self.skip(op.len());
                    }
                    None => self.skip(c.len_utf8()),
                }
            }
        }
    }

    /// Whether the language reads these characters as one.
    fn has_operator(&self, op: &str) -> bool {
        use Language::{Awk, JavaScript, Julia, Jvm, Lua, Perl, Php, Python, R, Ruby};
        match op {
            "//" | "//=" => matches!(self.language, Python | Lua | Perl | Julia),
            "<-" | "<<-" | "|>" => matches!(self.language, R | Language::Elixir | Julia | Language::Go),
            "?." | "??" | "??=" => matches!(self.language, JavaScript | Jvm | Php | Language::Other),
            "?:" | "!!" => self.language == Jvm,
            // Elsewhere it is two: `f(x=~y)`.
            "=~" | "!~" => matches!(self.language, Ruby | Perl | Awk | Jvm | Language::Elixir),
            "&." => self.language == Ruby,
            ".=" => matches!(self.language, Perl | Php),
            ".." => !matches!(self.language, Python | JavaScript | Awk),
            "--" | "++" => !matches!(self.language, Python | Ruby | R | Lua),
            "<<<" => self.language == Php,
            _ => true,
        }
    }

    fn line(&mut self) {
        self.skip(1);
        // Their text comes between this line and the next one of the code.
        for heredoc in std::mem::take(&mut self.waiting) {
            self.heredoc_body(&heredoc);
        }
        let indent = self.rest.len() - self.rest.trim_start_matches([' ', '\t']).len();
        self.push(Token::Line(u32::try_from(indent).unwrap_or(u32::MAX)));
        self.spaced = true;
        if self.language == Language::Ruby && self.rest.starts_with("=begin") {
            let width = self.rest.find("\n=end").map_or(self.rest.len(), |at| at + 5);
            self.skip(width);
        }
        if matches!(self.language, Language::Ruby | Language::Perl)
            // What follows is data, and not code.
            && (self.rest.starts_with("__END__") || self.rest.starts_with("__DATA__"))
        {
            self.rest = "";
        }
    }

    fn line_comment(&mut self) {
        let width = self.rest.find('\n').unwrap_or(self.rest.len());
        // A tag of PHP ends even in a comment.
        let width = match self.rest[..width].find("?>") {
            Some(tag) if self.language == Language::Php => tag,
            _ => width,
        };
        self.skip(width);
    }

    /// Steps over a comment.
    fn comment(&mut self) -> bool {
        use Language::{Awk, Elixir, Go, JavaScript, Julia, Jvm, Lua, Other, Perl, Php, Python, R, Ruby};
        let hash = matches!(self.language, Python | Ruby | Perl | Php | Awk | R | Julia | Elixir);
        let slashes = matches!(self.language, JavaScript | Php | Jvm | Go | Other);
        if self.language == Lua && self.rest.starts_with("--[[") {
            let width = self.rest.find("]]").map_or(self.rest.len(), |at| at + 2);
            self.skip(width);
            return true;
        }
        if slashes && self.rest.starts_with("/*") {
            let width = self.rest.find("*/").map_or(self.rest.len(), |at| at + 2);
            self.skip(width);
            return true;
        }
        if self.language == Php && self.rest.starts_with("?>") {
            // Between `?>` and `<?` stands text of a page, which PHP prints.
            let width = self.rest.find("<?").unwrap_or(self.rest.len());
            self.skip(width);
            // The closing tag ends a statement.
            self.push(Token::Op(";"));
            return true;
        }
        if self.language == Php && (self.rest.starts_with("<?php") || self.rest.starts_with("<?=")) {
            self.skip(if self.rest.starts_with("<?=") { 3 } else { 5 });
            return true;
        }
        let starts = hash && self.rest.starts_with('#')
            || slashes && self.rest.starts_with("//")
            || self.language == Lua && self.rest.starts_with("--");
        if starts {
            self.line_comment();
        }
        starts
    }

    fn number(&mut self) {
        let mut width = 0;
        let bytes = self.rest.as_bytes();
        while let Some(&byte) = bytes.get(width) {
            // `1..5` is a range, and `3.times` a call: only a digit makes the dot a part of the number.
            let fraction = byte == b'.' && bytes.get(width + 1).is_some_and(u8::is_ascii_digit);
            // Python's `1if x else 2`
            let is_word = self.language == Language::Python
                && byte.is_ascii_alphabetic()
                && width > 0
                && !bytes.starts_with(b"0")
                && !matches!(byte, b'j' | b'J' | b'l' | b'L')
                && !(matches!(byte, b'e' | b'E') && bytes.get(width + 1).is_some_and(u8::is_ascii_digit));
            if is_word || !(byte.is_ascii_alphanumeric() || byte == b'_' || fraction) {
                break;
            }
            width += 1;
        }
        self.push(Token::Number(self.rest[..width].replace('_', "")));
        self.skip(width);
    }

    fn name(&mut self) {
        let dollar = self.language == Language::JavaScript;
        let letter = |c: char| c.is_alphanumeric() || c == '_' || dollar && c == '$';
        let mut width = self.rest.find(|c: char| !letter(c)).unwrap_or(self.rest.len());
        let bytes = self.rest.as_bytes();
        match self.language {
            // `file.remove` is one name.
            Language::R => {
                width = self.rest.find(|c: char| !letter(c) && c != '.').unwrap_or(self.rest.len());
            }
            Language::Perl => {
                while self.rest[width..].starts_with("::") {
                    let after = &self.rest[width + 2..];
                    let more = after.find(|c: char| !letter(c)).unwrap_or(after.len());
                    if more == 0 {
                        break;
                    }
                    width += 2 + more;
                }
            }
            Language::Ruby | Language::Elixir | Language::Julia
                if matches!(bytes.get(width), Some(b'!' | b'?'))
                    && !matches!(bytes.get(width + 1), Some(b'=' | b':'))
                    && !(bytes[width] == b'?' && self.language == Language::Julia) =>
            {
                width += 1;
            }
            _ => {}
        }
        let name = self.rest[..width].replace("::", ".");
        // `f"…"`, `q(…)`, `tr/…/…/`: a name may open a string.
        if self.operator_quote(&name, width) {
            return;
        }
        self.push(Token::Name(name));
        self.skip(width);
    }

    /// Whether the bracket before closes the head of a statement: `if (x) /y/.test(z)`.
    fn after_head(&self) -> bool {
        let mut depth = 0_u32;
        let mut before = self.code.tokens.iter().rev();
        for token in before.by_ref() {
            match token {
                Token::Op(")") => depth += 1,
                Token::Op("(") => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        matches!(before.next(), Some(Token::Name(word)) if matches!(word.as_str(), "if" | "while" | "for" | "with"))
    }

    /// Whether the token before ends a value, so that what follows divides or compares it.
    fn after_value(&self) -> bool {
        match self.code.tokens.last() {
            Some(Token::Name(name))
                if self.language == Language::JavaScript
                    && matches!(
                        name.as_str(),
                        "default" | "throw" | "void" | "delete" | "yield" | "instanceof" | "new"
                    ) =>
            {
                false
            }
            Some(Token::Name(name)) => !matches!(
                name.as_str(),
                "return"
                    | "and"
                    | "or"
                    | "not"
                    | "in"
                    | "if"
                    | "unless"
                    | "when"
                    | "while"
                    | "case"
                    | "typeof"
                    | "split"
                    | "grep"
                    | "puts"
                    | "print"
                    | "x"
                    | "then"
                    | "do"
                    | "elsif"
                    | "until"
                    | "await"
                    | "map"
                    | "join"
                    | "push"
                    | "say"
                    | "for"
                    | "foreach"
                    | "else"
                    | "echo"
            ),
            Some(
                Token::Variable(_)
                | Token::Text(_)
                | Token::Template(_)
                | Token::Command(_)
                | Token::Number(_)
                | Token::Pattern(_)
                | Token::Change { .. },
            ) => true,
            Some(Token::Op(")")) if self.language == Language::JavaScript => !self.after_head(),
            // `a++ / 2`
            Some(Token::Op("++" | "--")) => self.language == Language::JavaScript,
            Some(Token::Op(op)) => matches!(*op, ")" | "]" | "}"),
            Some(Token::Line(_)) | None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(language: Language, body: &str) -> Vec<Token> {
        read(language, body).tokens
    }

    #[test]
    fn strings_names_and_comments_are_distinguished() {
        let python = tokens(Language::Python, "import os # rm\nos.system('rm')");
        assert_eq!(python[2], Token::Line(0));
        assert_eq!(python[7], Token::Text("rm".to_owned()));
        let perl = tokens(Language::Perl, "`ls`; system(qw(rm -rf /))");
        assert_eq!(perl[0], Token::Command(vec![Piece::Text("ls".to_owned())]));
        assert_eq!(perl[5], Token::Text("rm".to_owned()));
        assert_eq!(tokens(Language::Ruby, "%x{ls}"), [Token::Command(vec![Piece::Text("ls".to_owned())])]);
        assert_eq!(tokens(Language::R, "file.remove"), [Token::Name("file.remove".to_owned())]);
    }

    #[test]
    fn slashes_are_distinguished_from_patterns() {
        let js = tokens(Language::JavaScript, "a / b; x.match(/'/g)");
        assert!(js.contains(&Token::Pattern("'".to_owned())), "{js:?}");
        let awk = tokens(Language::Awk, "/\"/ {print $1 / 2}");
        assert_eq!(awk[0], Token::Pattern("\"".to_owned()));
        assert!(awk.contains(&Token::Op("/")));
    }

    #[test]
    fn nothing_unfinished_hangs() {
        for body in [
            "'", "\"\\", "`", "%x{", "q(", "/*", "'''", "${", "\"#{", "<<EOF\nx", "f'{", "r\"(", "[[", "s/a/",
        ] {
            for language in Language::ALL {
                read(*language, body);
            }
        }
    }
}
