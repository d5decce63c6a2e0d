//! Expansion: words become arguments.

use std::rc::Rc;

use super::{Frame, Io, Runner, Scope, Value, brace};
use crate::atom::Arg;
use crate::bash::ast::{List, Parameter, ParameterOp, Part, Subscript, Text, Tree, Word};
use crate::mark;
use crate::span::Span;

/// A value longer than this is not followed.
const MAX_VALUE: usize = 64 * 1024;

/// Arguments that are kept when there is no room left for text, and how long they may be.
const MAX_LAST_ARGS: usize = 64;
const MAX_LAST_ARG: usize = 4096;

/// Arguments in the making, from the words of a command.
struct Fields<'t> {
    source: &'t Rc<Text>,
    /// Whether the part at work begins its word.
    first: bool,
    done: Vec<Arg>,
    current: String,
    /// Whether there is a current field; `""` makes one without any text.
    present: bool,
}

impl<'t> Fields<'t> {
    fn new(source: &'t Rc<Text>, size: usize) -> Self {
        Self { source, first: false, done: Vec::with_capacity(size), current: String::new(), present: false }
    }

    fn text(&mut self, text: &str) {
        self.current.push_str(text);
        self.present = true;
    }

    fn finish(&mut self) {
        if self.present {
            self.done.push(Arg { text: std::mem::take(&mut self.current) });
            self.present = false;
        }
    }

    /// Unquoted text from an expansion: separators split it, pattern characters are active.
    fn split(&mut self, text: &str, separators: &str) {
        // A `[` that nothing closes is a letter, as in `[ -f x ]`.
        let active = |c| if text.contains(']') || c != '[' { active(c) } else { c };
        let mut after_blank = false;
        for c in text.chars() {
            if !separators.contains(c) {
                self.current.push(active(c));
                self.present = true;
                after_blank = false;
            } else if matches!(c, ' ' | '\t' | '\n') {
                // Blanks in IFS come in runs and make no empty fields; any other separator ends a field each
                // time.
                after_blank |= self.present;
                self.finish();
            } else {
                // Two commas have an empty field between them, two blanks have not.
                self.present |= !after_blank;
                self.finish();
                after_blank = false;
            }
        }
    }
}

/// The mark of an active pattern character.
fn active(c: char) -> char {
    match c {
        '*' => mark::STAR,
        '?' => mark::ANY,
        '[' => mark::CLASS,
        c => c,
    }
}

impl Runner {
    /// Expands words to arguments: braces, tildes, parameters, substitutions, splitting. Patterns stay.
    pub(super) fn words(&mut self, scope: &mut Scope, text: &Rc<Text>, words: &[Word]) -> Vec<Arg> {
        let mut fields = Fields::new(text, words.len());
        for word in words {
            // Most words: plain text, for which nothing is looked up.
            if word.parts.is_empty() {
                fields.done.push(Arg { text: word.span.of(&text.source).to_owned() });
                continue;
            }
            if brace::may_expand(&text.source, &word.parts) {
                for parts in brace::expand(&text.source, &word.parts, self) {
                    self.pieces(scope, &parts, &mut fields);
                    fields.finish();
                }
            } else {
                for (index, part) in word.parts.iter().enumerate() {
                    fields.first = index == 0;
                    self.part(scope, part, &mut fields);
                }
                fields.finish();
            }
        }
        let mut args = fields.done;
        let size: usize = args.iter().map(|arg| arg.text.len() + 8).sum();
        if !self.spend(size) {
            // The program still counts though its arguments are too many: `rm` with a million files is `rm`.
            args.truncate(MAX_LAST_ARGS);
            for arg in args.iter_mut().filter(|arg| arg.text.len() > MAX_LAST_ARG) {
                arg.text = mark::UNKNOWN.to_string();
            }
        }
        args
    }

    fn pieces(&mut self, scope: &mut Scope, pieces: &[brace::Piece<'_>], fields: &mut Fields<'_>) {
        for (index, piece) in pieces.iter().enumerate() {
            fields.first = index == 0;
            match piece {
                brace::Piece::Bare(text) => bare(scope, text, fields),
                brace::Piece::Part(part) => self.part(scope, part, fields),
            }
        }
    }

    /// Expands a word to one text, without splitting it.
    pub(super) fn whole(&mut self, scope: &mut Scope, text: &Rc<Text>, word: &Word) -> String {
        if word.parts.is_empty() {
            return self.literal(word.span.of(&text.source));
        }
        self.single(scope, text, &word.parts)
    }

    /// Expands parts to one text, as an assignment, a redirection or a here-document does.
    pub(crate) fn single(&mut self, scope: &mut Scope, text: &Rc<Text>, parts: &[Part]) -> String {
        match parts {
            [] => return String::new(),
            [Part::Quoted(span)] => return self.literal(span.of(&text.source)),
            [Part::Bare(span)] if is_literal(span.of(&text.source)) => {
                return self.literal(span.of(&text.source));
            }
            _ => {}
        }
        let mut fields = Fields::new(text, 0);
        for (index, part) in parts.iter().enumerate() {
            match part {
                Part::Parameter { parameter, .. } => {
                    let value = self.parameter(scope, text, parameter);
                    // In an assignment `$*` is joined by the first character of IFS, `$@` by blanks.
                    let starred = is_starred(&text.source, parameter);
                    if !self.spend(size_of(&value)) {
                        fields.text(mark::UNKNOWN.encode_utf8(&mut [0; 4]));
                    } else if starred {
                        fields.text(&starred_text(scope, &value));
                    } else {
                        fields.text(&joined(&value));
                    }
                }
                Part::Substitution { body, .. } => {
                    let output = self.substitution(scope, text, body);
                    fields.text(&output);
                }
                Part::Backquote { tree, span, .. } => {
                    let output = self.backquote(scope, tree, *span);
                    fields.text(&output);
                }
                part => {
                    fields.first = index == 0;
                    self.part(scope, part, &mut fields);
                }
            }
        }
        self.capped(fields.current)
    }

    fn part(&mut self, scope: &mut Scope, part: &Part, fields: &mut Fields<'_>) {
        let text = fields.source;
        match part {
            Part::Bare(span) => bare(scope, span.of(&text.source), fields),
            Part::Quoted(span) => fields.text(span.of(&text.source)),
            Part::Decoded(decoded) => fields.text(&mark::scrub(decoded)),
            Part::Parameter { parameter, quoted: false }
                if let Some(word) = self.default_word(scope, text, parameter) =>
            {
                // Quotes in the word keep their meaning: `${x:-'a b' c}` are two arguments.
                for (index, part) in word.iter().enumerate() {
                    match part {
                        Part::Bare(span) if span.of(&text.source).contains([' ', '\t', '\n']) => {
                            fields.split(span.of(&text.source), " \t\n");
                        }
                        part => {
                            fields.first = index == 0;
                            self.part(scope, part, fields);
                        }
                    }
                }
            }
            Part::Parameter { parameter, quoted } => {
                let value = self.parameter(scope, text, parameter);
                // `"$*"` is one word, joined by the first character of IFS; `"$@"` stays several.
                if !*quoted && super::status::vanishes(scope, parameter.name.of(&text.source), &value) {
                    // `cd $NONE` goes home.
                } else if *quoted && is_starred(&text.source, parameter) && self.spend(size_of(&value)) {
                    fields.text(&starred_text(scope, &value));
                } else {
                    self.push_value(scope, (&value, *quoted), fields);
                }
            }
            Part::Substitution { body, quoted } => {
                let output = self.substitution(scope, text, body);
                self.push_value(scope, (&Value::One(Rc::from(output)), *quoted), fields);
            }
            Part::Backquote { tree, quoted, span } => {
                let output = self.backquote(scope, tree, *span);
                self.push_value(scope, (&Value::One(Rc::from(output)), *quoted), fields);
            }
            Part::Process { body, reads, span } => {
                // What `>(command)` reads is whatever the program around it will print.
                let io = if *reads {
                    Io { stdin: None, capture: true, ..Io::default() }
                } else {
                    Io { stdin: Some(Rc::from(mark::UNKNOWN.to_string())), capture: false, ..Io::default() }
                };
                let mut inner = scope.forked();
                // It is a shell of its own, whose commands go through the values of their variables
                // themselves.
                inner.expanding = false;
                let output =
                    self.in_fork(&mut inner, |runner, inner| runner.list(inner, Frame::new(text, &io), body));
                let path = self.pseudo_file();
                // `bash <(curl x)`: the program reads the output as a file.
                self.write_file(path.clone(), &output, false);
                if !reads {
                    self.add_reader(scope, &path, span.of(&text.source));
                }
                fields.text(&path);
            }
            Part::Arithmetic(parts) => {
                let expression = self.single(scope, text, parts);
                let value = super::arithmetic::evaluate(scope, &expression);
                match value {
                    Some(value) => fields.text(&value.to_string()),
                    // A number that is not known is still only a number.
                    None => fields.text(mark::TOKEN.encode_utf8(&mut [0; 4])),
                }
            }
        }
    }

    /// The word of `${x:-word}`, where it is what counts.
    fn default_word<'p>(
        &mut self,
        scope: &mut Scope,
        text: &Rc<Text>,
        parameter: &'p Parameter,
    ) -> Option<&'p [Part]> {
        let ParameterOp::Fallback { kind: b'-', colon, word } = &parameter.op else { return None };
        if parameter.indirect {
            return None;
        }
        let name = parameter.name.of(&text.source);
        let value = self.subscripted(scope, text, (name, parameter.subscript.as_ref()));
        super::parameter::is_missing(&value, *colon).then_some(word)
    }

    fn push_value(&mut self, scope: &mut Scope, (value, quoted): (&Value, bool), fields: &mut Fields<'_>) {
        // Looked up only where it splits words.
        let custom = if quoted { None } else { separators(scope) };
        let separators = custom.as_deref().unwrap_or(" \t\n");
        match value {
            Value::One(text) => {
                if !self.spend(text.len()) {
                    fields.text(mark::UNKNOWN.encode_utf8(&mut [0; 4]));
                } else if quoted {
                    fields.text(text);
                } else {
                    fields.split(text, separators);
                }
            }
            Value::Many(values) => {
                for (index, text) in values.iter().enumerate() {
                    if index > 0 {
                        fields.finish();
                    }
                    if !self.spend(text.len() + 8) {
                        return;
                    }
                    if quoted {
                        fields.text(text);
                    } else {
                        fields.split(text, separators);
                    }
                }
            }
        }
    }

    /// What a command substitution leaves: the output without the newlines at its end.
    fn substitution(&mut self, scope: &mut Scope, text: &Rc<Text>, body: &List) -> String {
        let mut inner = scope.forked();
        let first = self.analysis.atoms.len();
        let stdin = inner.input.take();
        let io = Io { stdin, capture: true, viewed: false };
        let mut output =
            self.in_fork(&mut inner, |runner, inner| runner.list(inner, Frame::new(text, &io), body));
        // The command around it must go through the values of variables that only the substitution uses.
        scope.choices = scope.choices.max(inner.choices);
        scope.open |= inner.open || !self.prints_as_known(first);
        // bash leaves NUL characters out.
        if output.contains('\0') {
            output.retain(|c| c != '\0');
        }
        output.truncate(output.trim_end_matches('\n').len());
        self.capped(output)
    }

    /// The same for backquotes, whose text is not a piece of the one around it.
    fn backquote(&mut self, scope: &mut Scope, tree: &Tree, span: Span) -> String {
        let outer = scope.origin;
        scope.origin = Some(outer.unwrap_or(span));
        let output = self.substitution(scope, &tree.text, &tree.body);
        scope.origin = outer;
        output
    }

    fn literal(&mut self, text: &str) -> String {
        if self.spend(text.len()) { text.to_owned() } else { mark::UNKNOWN.to_string() }
    }

    pub(super) fn capped(&mut self, text: String) -> String {
        if text.len() > MAX_VALUE || !self.spend(text.len()) {
            return mark::UNKNOWN.to_string();
        }
        text
    }
}

/// Whether all elements become one text: `$*`, `${a[*]}`.
fn is_starred(source: &str, parameter: &Parameter) -> bool {
    let after = source.get(parameter.name.end as usize..).unwrap_or("");
    parameter.name.of(source) == "*"
        || matches!(parameter.subscript, Some(Subscript::All)) && after.starts_with("[*")
}

/// How much room the text of a value takes.
fn size_of(value: &Value) -> usize {
    match value {
        Value::One(text) => text.len(),
        Value::Many(values) => values.iter().map(|text| text.len() + 1).sum(),
    }
}

/// What separates words, where a command has set it.
fn separators(scope: &mut Scope) -> Option<String> {
    scope.get("IFS").map(|value| joined(&value)).filter(|separators| !mark::any(separators))
}

/// The elements of `"$*"`, with the first character of `IFS` between them.
fn starred_text(scope: &mut Scope, value: &Value) -> String {
    match (value, separators(scope)) {
        (Value::Many(values), Some(separators)) => {
            values.join(separators.chars().next().map_or("", |first| &separators[..first.len_utf8()]))
        }
        _ => joined(value),
    }
}

/// A value as one text.
pub(super) fn joined(value: &Value) -> String {
    match value {
        Value::One(text) => text.to_string(),
        Value::Many(values) => values.join(" "),
    }
}

/// Whether unquoted text means itself. A `[` without its `]` is a letter, and most often a program.
fn is_literal(text: &str) -> bool {
    let mut opened = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'~' if at == 0 => return false,
            b'*' | b'?' | b'{' => return false,
            b'[' => opened = true,
            b']' if opened => return false,
            _ => {}
        }
    }
    true
}

/// The home folder of a user, as `~user` names it.
fn home_of(scope: &Scope, user: &str) -> String {
    match user {
        "" => match scope.clone().get("HOME") {
            Some(value) => joined(&value),
            None => scope.home.to_string(),
        },
        "+" => scope.cwd.to_string(),
        "-" => scope.previous_cwd.to_string(),
        "root" => "/root".to_owned(),
        user if user.ends_with(|c: char| c.is_ascii_digit())
            && !user.starts_with(|c: char| c.is_ascii_alphabetic()) =>
        {
            super::folders::tilde(&mut scope.clone(), user).unwrap_or_else(|| format!("~{user}"))
        }
        user => format!("/home/{user}"),
    }
}

/// Unquoted text: a tilde in front is a home folder, pattern characters are active.
fn bare(scope: &mut Scope, bare: &str, fields: &mut Fields<'_>) {
    let first = fields.first;
    fields.present = true;
    let mut rest = bare;
    // `x=~/y` is a path in the home folder, wherever it stands.
    if first
        && let Some((name, value)) = bare.split_once("=~")
        && !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && (value.is_empty() || value.starts_with('/'))
    {
        fields.current.push_str(name);
        fields.current.push('=');
        rest = &bare[name.len() + 1..];
    }
    if first && let Some(tilde) = rest.strip_prefix('~') {
        let end = tilde.find('/').unwrap_or(tilde.len());
        let user = &tilde[..end];
        if user.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'+')) {
            fields.current.push_str(&home_of(scope, user));
            rest = &tilde[end..];
        }
    }
    if is_literal(rest) {
        fields.current.push_str(rest);
    } else {
        fields.current.extend(rest.chars().map(active));
    }
}
