//! `ninja`: the statements of `build.ninja` and of the files that it brings in, and what runs for the outputs that a call wants.

use std::rc::Rc;

use shell_engine::{Arg, Loaded, Process, Scope};

use super::indented::Given;
use super::recipe::{self, Recipe};
use super::{make, names};
use crate::programs::{bundled, quoted};

/// Outputs that are made, one because of the other.
const MAX_OUTPUTS: usize = 64;
/// Files of one call.
const MAX_FILES: usize = 16;
/// A line that is longer is not filled further.
const MAX_LINE: usize = 4096;

/// A `build` statement.
#[derive(Debug, Default)]
struct Edge {
    outputs: Vec<String>,
    /// What stands for `$in`, and all else that comes first.
    inputs: Vec<String>,
    others: Vec<String>,
    rule: String,
    /// Its own variables, which win over those of its file.
    own: Vec<Given>,
    scope: usize,
}

/// A rule's `command`: the file in which it stands, and where.
#[derive(Debug)]
struct Rule {
    name: String,
    command: Option<(usize, usize, String)>,
}

/// What the indented lines belong to.
#[derive(Clone, Copy)]
enum Block {
    Rule,
    Edge,
    Other,
}

/// What the files say.
#[derive(Debug, Default)]
struct Manifest {
    /// The variables of each file that has some of its own, with those of the file that it is a part of.
    scopes: Vec<Vec<Given>>,
    rules: Vec<Rule>,
    edges: Vec<Edge>,
    usual: Vec<String>,
}

pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    let mut scope = process.scope.clone();
    for folder in bundled(process.name, args, 'C', "") {
        scope.change_folder(folder);
    }
    let loaded = match bundled(process.name, args, 'f', "").first() {
        Some(file) => super::given(process, &scope, file)?,
        None => match process.runner.look_up(&scope, "build.ninja") {
            Some(loaded) => loaded,
            None => return make::generated(process, &scope),
        },
    };
    // `-n` only shows, `-t` asks.
    let shows = |arg: &Arg| {
        let letters = arg.text.strip_prefix('-').unwrap_or("");
        letters.starts_with(['n', 't', 'h']) || matches!(letters, "vn" | "-version" | "-help")
    };
    let is_own = loaded.file.is_none();
    if !is_own && args.iter().any(shows) {
        return Some(String::new());
    }
    let mut manifest = Manifest { scopes: vec![Vec::new()], ..Manifest::default() };
    let mut files = vec![loaded];
    manifest.read(process, (&scope, &mut files), (0, 0));
    let goals = names(process);
    let mut recipes = manifest.made(&goals);
    if recipes.is_empty() && is_own {
        // What this command has written itself is looked at as a whole.
        recipes = manifest.edges.iter().filter_map(|edge| manifest.recipe(edge)).collect();
    }
    let mut known = false;
    for part in recipes.chunk_by(|(one, _), (other, _)| one == other) {
        let lines: Vec<Recipe> = part.iter().map(|(_, recipe)| recipe.clone()).collect();
        known |= recipe::run(process, &scope, (&files[part[0].0], &goals.join(" ")), &lines);
    }
    known.then(String::new)
}

impl Manifest {
    /// Reads the statements of a file, `number`, whose variables are those of a scope.
    fn read(
        &mut self,
        process: &mut Process<'_>,
        (folder, files): (&Scope, &mut Vec<Loaded>),
        (number, scope): (usize, usize),
    ) {
        let text = Rc::clone(&files[number].text);
        let mut block = Block::Other;
        for (at, line) in logical(&text) {
            let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
            if word.is_empty() || word.starts_with('#') {
                continue;
            }
            let setting = line.split_once('=').map(|(name, value)| (name.trim(), value.trim_start()));
            if line.starts_with([' ', '\t']) {
                self.inner(block, (number, at + line.len()), setting);
                continue;
            }
            block = Block::Other;
            match (word, setting) {
                ("rule", _) => {
                    self.rules.push(Rule { name: rest.trim().to_owned(), command: None });
                    block = Block::Rule;
                }
                ("build", _) => {
                    let edge = self.edge(rest, scope);
                    self.edges.push(edge);
                    block = Block::Edge;
                }
                ("default", _) => {
                    let words = words(rest).into_iter().map(|word| self.filled(word, scope));
                    self.usual.extend(words.collect::<Vec<_>>());
                }
                ("include" | "subninja", _) if files.len() < MAX_FILES => {
                    let file = self.filled(rest.trim(), scope);
                    let Some(found) = process.runner.look_up(folder, &file) else { continue };
                    files.push(found);
                    let mut inner = scope;
                    if word == "subninja" {
                        inner = self.scopes.len();
                        self.scopes.push(self.scopes[scope].clone());
                    }
                    let number = files.len() - 1;
                    self.read(process, (folder, &mut *files), (number, inner));
                }
                (_, Some((name, value))) => {
                    let value = self.filled(value, scope);
                    set(&mut self.scopes[scope], name, value);
                }
                _ => {}
            }
        }
    }

    /// A line of a rule or of a `build` statement, which ends at `end`.
    fn inner(&mut self, block: Block, (number, end): (usize, usize), setting: Option<(&str, &str)>) {
        let Some((name, value)) = setting else { return };
        match block {
            Block::Rule if name == "command" => {
                if let Some(rule) = self.rules.last_mut() {
                    rule.command = Some((number, end - value.len(), value.to_owned()));
                }
            }
            Block::Edge => {
                let filled = self.edges.last().map(|edge| self.filled_for(edge, value));
                if let Some((edge, value)) = self.edges.last_mut().zip(filled) {
                    set(&mut edge.own, name, value);
                }
            }
            _ => {}
        }
    }

    /// `OUTPUTS | MORE: RULE INPUTS | IMPLICIT || ORDER`
    fn edge(&self, rest: &str, scope: usize) -> Edge {
        let mut edge = Edge { scope, ..Edge::default() };
        let mut parts = 0;
        for word in words(rest) {
            match (parts, word) {
                (_, "|" | "||" | "|@") => parts += usize::from(parts > 0),
                (0, ":") => parts = 1,
                (0, word) => edge.outputs.push(self.filled(word, scope)),
                (1, rule) if edge.rule.is_empty() => rule.clone_into(&mut edge.rule),
                (1, word) => edge.inputs.push(self.filled(word, scope)),
                (_, word) => edge.others.push(self.filled(word, scope)),
            }
        }
        edge
    }

    /// What runs for these outputs, what they need first; without any, for those that the files name, or for all.
    fn made(&self, goals: &[&str]) -> Vec<(usize, Recipe)> {
        let mut recipes = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        let usual: Vec<&str> = match (goals, self.usual.as_slice()) {
            ([], []) => self.edges.iter().flat_map(|edge| &edge.outputs).map(String::as_str).collect(),
            ([], usual) => usual.iter().map(String::as_str).collect(),
            (goals, _) => goals.to_vec(),
        };
        for goal in usual {
            self.make(goal, &mut seen, &mut recipes);
        }
        recipes
    }

    fn make<'m>(&'m self, goal: &str, seen: &mut Vec<&'m str>, recipes: &mut Vec<(usize, Recipe)>) {
        let edge = self.edges.iter().find_map(|edge| {
            let output = edge.outputs.iter().find(|output| *output == goal)?;
            Some((output.as_str(), edge))
        });
        let Some((output, edge)) = edge else { return };
        if seen.len() >= MAX_OUTPUTS || seen.contains(&output) {
            return;
        }
        seen.extend(edge.outputs.iter().map(String::as_str));
        for need in edge.inputs.iter().chain(&edge.others) {
            self.make(need, seen, recipes);
        }
        recipes.extend(self.recipe(edge));
    }

    /// What the rule of a statement runs for it.
    fn recipe(&self, edge: &Edge) -> Option<(usize, Recipe)> {
        let rule = self.rules.iter().rev().find(|rule| rule.name == edge.rule)?;
        let (file, at, command) = rule.command.as_ref()?;
        Some((*file, Recipe { at: *at, text: self.filled_for(edge, command) }))
    }

    fn filled_for(&self, edge: &Edge, text: &str) -> String {
        let list =
            |words: &[String]| quoted(&words.iter().map(|word| Arg::from(word.as_str())).collect::<Vec<_>>());
        expanded(text, &|name| match name {
            "in" | "in_newline" => Some(list(&edge.inputs)),
            "out" => Some(list(&edge.outputs)),
            _ => get(&edge.own, name).or_else(|| get(&self.scopes[edge.scope], name)),
        })
    }

    fn filled(&self, text: &str, scope: usize) -> String {
        expanded(text, &|name| get(&self.scopes[scope], name))
    }
}

fn get(values: &[Given], name: &str) -> Option<String> {
    values.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
}

fn set(values: &mut Vec<Given>, name: &str, value: String) {
    match values.iter_mut().find(|(own, _)| own == name) {
        Some((_, own)) => *own = value,
        None => values.push((name.to_owned(), value)),
    }
}

/// Lines with their places, those that `$` continues as one.
fn logical(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let mut end = start;
        loop {
            let rest = text.get(end..).filter(|rest| !rest.is_empty())?;
            end += rest.find('\n').map_or(rest.len(), |at| at + 1);
            let line = text[start..end].trim_end_matches(['\n', '\r']);
            let signs = line.len() - line.trim_end_matches('$').len();
            if signs.is_multiple_of(2) || end == text.len() {
                let at = std::mem::replace(&mut start, end);
                return Some((at, line));
            }
        }
    })
}

/// The words of a statement; a colon is one of its own.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut escaped) = (0, false);
    for (at, c) in text.char_indices() {
        let ends = !escaped && (c.is_whitespace() || c == ':');
        escaped = c == '$' && !escaped;
        if ends {
            words.push(&text[start..at]);
            words.push(&text[at..=at]);
            start = at + 1;
        }
    }
    words.push(text.get(start..).unwrap_or(""));
    words.retain(|word| !matches!(word.trim(), "" | "$"));
    words
}

/// A text with its variables, which are empty where nothing sets them.
fn expanded(text: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$').filter(|_| filled.len() < MAX_LINE) {
        filled.push_str(before);
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        rest = match after.chars().next() {
            Some('\n' | '\r') => after.trim_start(),
            Some('{') => {
                let (name, after) = after[1..].split_once('}').unwrap_or((&after[1..], ""));
                filled.extend(value(name));
                after
            }
            Some(c) if is_name(c) => {
                let end = after.find(|c| !is_name(c)).unwrap_or(after.len());
                filled.extend(value(&after[..end]));
                &after[end..]
            }
            Some(c @ ('$' | ' ' | ':')) => {
                filled.push(c);
                &after[1..]
            }
            _ => after,
        };
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_filled_in_and_a_dollar_sign_protects() {
        let value = |name: &str| (name == "a-b").then(|| "x".to_owned());
        assert_eq!(expanded("$a-b/${a-b}$$HOME $\n   y$none$ z$:", &value), "x/x$HOME y z:");
    }

    #[test]
    fn a_colon_is_a_word_and_a_protected_blank_is_none() {
        assert_eq!(words("a$ b | c: rule d"), ["a$ b", "|", "c", ":", "rule", "d"]);
        let lines: Vec<_> = logical("a $\n  b\nc").collect();
        assert_eq!(lines, [(0, "a $\n  b"), (8, "c")]);
    }
}
