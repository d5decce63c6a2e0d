//! The first words of a shell command, as far as they can be known without running it.

use std::path::Path;

use host::Product;
use host::record;

/// A word of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// Its text, with the variables of hosts in it replaced; `None` when something else is in it.
    pub(super) text: Option<String>,
}

impl Word {
    fn empty() -> Self {
        Self { text: Some(String::new()) }
    }
}

/// Whether hosts, or shells, set a variable to the project's root.
pub(super) fn is_project(name: &str) -> bool {
    let sets = |(variable, value): &(&str, record::Variable)| {
        *variable == name && matches!(value, record::Variable::Project | record::Variable::Cwd)
    };
    name == "PWD" || Product::ALL.into_iter().any(|product| product.variables.iter().any(sets))
}

/// A variable that stands in a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) name: String,
    /// Whether it stands in double quotes.
    pub(super) quoted: bool,
    /// Whether it stands in single quotes, where it is not a variable.
    pub(super) literal: bool,
}

/// The words of the first simple command, and every variable of the whole text.
pub(super) fn words(command: &str, project: &Path, folder: &Path) -> (Vec<Word>, Vec<Variable>) {
    let mut scan = Scan {
        rest: command,
        project,
        folder,
        words: Vec::new(),
        variables: Vec::new(),
        current: None,
        done: false,
    };
    scan.all();
    scan.end_word();
    (scan.words, scan.variables)
}

struct Scan<'a> {
    rest: &'a str,
    project: &'a Path,
    folder: &'a Path,
    words: Vec<Word>,
    variables: Vec<Variable>,
    current: Option<Word>,
    done: bool,
}

impl Scan<'_> {
    fn all(&mut self) {
        let mut quote: Option<char> = None;
        while let Some(c) = self.next() {
            match (quote, c) {
                (Some('\''), '\'') | (Some('"'), '"') => quote = None,
                (Some('\''), '$') => {
                    let name = self.name();
                    self.note(&name, false, true);
                    self.push('$');
                    name.chars().for_each(|c| self.push(c));
                }
                (None, '\'' | '"') => {
                    quote = Some(c);
                    self.current.get_or_insert_with(Word::empty);
                }
                (None | Some('"'), '\\') => {
                    if let Some(c) = self.next() {
                        self.push(c);
                    }
                }
                (None | Some('"'), '$') => self.variable(quote.is_some()),
                (None | Some('"'), '`') => self.unknown(),
                (None, ';' | '|' | '&' | '<' | '>' | '(' | ')' | '\n') => {
                    self.end_word();
                    self.done = true;
                }
                (None, c) if c.is_whitespace() => self.end_word(),
                (_, c) => self.push(c),
            }
        }
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn push(&mut self, c: char) {
        if let Some(text) = &mut self.current.get_or_insert_with(Word::empty).text {
            text.push(c);
        }
    }

    fn unknown(&mut self) {
        self.current = Some(Word { text: None });
    }

    fn end_word(&mut self) {
        if let Some(word) = self.current.take()
            && !self.done
        {
            self.words.push(word);
        }
    }

    /// The name of the variable that begins here, and its braces.
    fn name(&mut self) -> String {
        let body = self.rest.strip_prefix('{').unwrap_or(self.rest);
        let length = body.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(body.len());
        let name = body[..length].to_owned();
        let braces = self.rest.len() - body.len();
        let close = usize::from(braces > 0 && body[length..].starts_with('}'));
        self.rest = &self.rest[braces + length + close..];
        name
    }

    fn note(&mut self, name: &str, quoted: bool, literal: bool) {
        if !name.is_empty() {
            self.variables.push(Variable { name: name.to_owned(), quoted, literal });
        }
    }

    fn variable(&mut self, quoted: bool) {
        let name = self.name();
        self.note(&name, quoted, false);
        let value = if is_project(&name) {
            Some(self.project.display().to_string())
        } else if name == "COPILOT_HOOK_DIR" {
            Some(self.folder.display().to_string())
        } else if name == "HOME" {
            std::env::home_dir().map(|home| home.display().to_string())
        } else {
            None
        };
        match value {
            Some(value) => value.chars().for_each(|c| self.push(c)),
            None => self.unknown(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(command: &str) -> Vec<Option<String>> {
        let (words, _) = words(command, Path::new("/p"), Path::new("/p/.github/hooks"));
        words.into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn words_are_known_as_far_as_they_can_be() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(texts("a 'b c' \"d\"e; f"), [some("a"), some("b c"), some("de")]);
        assert_eq!(texts("\"$CLAUDE_PROJECT_DIR\"/x.sh $y"), [some("/p/x.sh"), None]);
        assert_eq!(texts("${COPILOT_HOOK_DIR}/x.sh | y"), [some("/p/.github/hooks/x.sh")]);
        assert_eq!(texts("$(which x) y"), [None]);
        assert_eq!(texts("a '$b'"), [some("a"), some("$b")]);
        assert_eq!(texts(""), []);
    }

    #[test]
    fn variables_know_their_quotes() {
        let (_, found) = words("$A \"$B\" '$C' x\"${D}\"", Path::new("/p"), Path::new("/"));
        let seen: Vec<_> = found.iter().map(|v| (v.name.as_str(), v.quoted, v.literal)).collect();
        assert_eq!(seen, [("A", false, false), ("B", true, false), ("C", false, true), ("D", true, false)]);
    }
}
