//! The shells of Nix: what they run when they start, with the values that the file names, and the variables that it sets.

use shell_engine::{Arg, Process, mark, path};

use super::indented::Given;
use super::names;
use super::recipe::{self, Recipe, offset};
use super::testers::closing;
use crate::programs::{QUOTES, option};

/// Values of a file that are followed, and values inside of values.
const MAX_VALUES: usize = 64;
const MAX_DEPTH: usize = 8;

/// What runs when a shell starts: of Nix itself, and of devenv.
const HOOKS: [&str; 2] = ["shellHook", "enterShell"];

/// A file, with the folder in which it lies and the user's own.
struct File<'t> {
    text: &'t str,
    folder: String,
    home: String,
}

/// `nix-shell`, `nix develop`, `devenv shell`: what the shell runs when it starts.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    // With packages or an expression, the file that lies here is not read.
    let is_other = |arg: &Arg| matches!(arg.text.as_str(), "-p" | "--packages" | "-E" | "--expr");
    if process.args().iter().any(is_other) {
        return None;
    }
    let file = option(process.args(), "-f", "--file");
    let files: Vec<&str> = match (process.name, words.first()) {
        ("nix", Some(&("develop" | "print-dev-env"))) => {
            // `nix develop ./sub`, `nix develop .#ci`
            let folder = words.get(1).and_then(|flake| flake.split('#').next());
            let folder = folder.map(|folder| folder.trim_start_matches("path:").trim_end_matches('/'));
            match folder.filter(|folder| !matches!(*folder, "" | ".")) {
                Some(folder) if !folder.contains(':') => {
                    return in_flake(process, &format!("{folder}/flake.nix"));
                }
                Some(_) => return None,
                None => file.into_iter().chain(["flake.nix"]).collect(),
            }
        }
        ("nix", _) => return None,
        ("devenv", Some(&("shell" | "up" | "test" | "tasks"))) => vec!["devenv.nix"],
        ("devenv", _) => return None,
        _ => words.first().copied().into_iter().chain(["shell.nix", "default.nix"]).collect(),
    };
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &files)?;
    let folder = scope.cwd.to_string();
    started(process, &loaded, folder);
    None
}

fn in_flake(process: &mut Process<'_>, file: &str) -> Option<String> {
    let loaded = process.runner.look_up(process.scope, file)?;
    let folder = file.rsplit_once('/').map_or(".", |(folder, _)| folder);
    let folder = path::join(&process.scope.cwd, folder);
    started(process, &loaded, folder);
    None
}

/// Runs the hooks of a file where the shell is started.
fn started(process: &mut Process<'_>, loaded: &shell_engine::Loaded, folder: String) {
    let file = File { text: &loaded.text, folder, home: process.scope.home.to_string() };
    let mut scope = process.scope.clone();
    // Attributes of the shell are variables of its environment.
    for (name, value) in file.values() {
        scope.set_text(&name, &value);
        scope.export(&name);
    }
    // A flake has several shells.
    let wanted =
        names(process).get(1).and_then(|flake| flake.split_once('#')).map_or("default", |(_, name)| name);
    let mut found: Vec<&str> = HOOKS.iter().flat_map(|hook| file.assigned(hook)).collect();
    if found.iter().any(|hook| file.shell_of(hook) == Some(wanted)) {
        found.retain(|hook| file.shell_of(hook) == Some(wanted));
    }
    let lines = found.into_iter().filter_map(|value| {
        let at = value.find(QUOTES)?;
        let text = file.string(&value[at..], MAX_DEPTH)?;
        let body = value[at..].trim_start_matches(QUOTES);
        Some(Recipe { at: offset(&loaded.text, body), text })
    });
    let lines: Vec<Recipe> = lines.collect();
    recipe::run(process, &scope, (loaded, ""), &lines);
}

impl<'t> File<'t> {
    /// What stands after each `name =`.
    fn assigned(&self, name: &str) -> Vec<&'t str> {
        let is_whole = |at: usize| {
            let before = self.text[..at].chars().next_back();
            let line = self.text[..at].rsplit('\n').next().unwrap_or("");
            before.is_none_or(|c| c.is_whitespace() || matches!(c, '{' | '(' | ';' | '.'))
                && !line.contains('#')
        };
        let found = self.text.match_indices(name).filter(|(at, _)| !name.is_empty() && is_whole(*at));
        let values = found.filter_map(|(at, _)| {
            let rest = self.text[at + name.len()..].trim_start().strip_prefix('=')?;
            (!rest.starts_with('=')).then(|| rest.trim_start())
        });
        values.take(MAX_VALUES).collect()
    }

    /// The name of the shell to which a hook belongs: `devShells.x86_64-linux.NAME = pkgs.mkShell { … }`.
    fn shell_of(&self, hook: &str) -> Option<&'t str> {
        let (before, _) = self.text[..offset(self.text, hook)].rsplit_once("mkShell")?;
        let (before, _) = before.rsplit_once('=')?;
        let name = before.trim_end().rsplit(|c: char| c.is_whitespace() || c == '.').next()?;
        Some(name.trim_matches('"'))
    }

    /// What stands where a function is given nothing else: `{ dir ? "x" }`.
    fn usual(&self, name: &str) -> Option<&'t str> {
        let (_, rest) = self.text.split_once(&format!("{name} ? "))?;
        Some(rest.split([',', '}', '\n']).next().unwrap_or(rest).trim())
    }

    /// The names that are set to a text or to a path's text, and what they are.
    fn values(&self) -> Vec<Given> {
        let lines = self.text.lines().filter_map(|line| line.trim_start().split_once('='));
        let names = lines.map(|(name, _)| name.trim());
        let is_name = |name: &&str| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        let names = names.filter(is_name).filter(|name| !HOOKS.contains(name)).take(MAX_VALUES);
        names.filter_map(|name| Some((name.to_owned(), self.named(name, MAX_DEPTH)?))).collect()
    }

    fn named(&self, name: &str, levels: usize) -> Option<String> {
        let value = self.assigned(name).into_iter().next().or_else(|| self.usual(name))?;
        self.value(value.split_once(';').map_or(value, |(value, _)| value), levels)
    }

    /// The text that an expression is. A path that is not made into a text is a copy in the store.
    fn value(&self, expression: &str, levels: usize) -> Option<String> {
        let levels = levels.checked_sub(1)?;
        let expression = expression.trim();
        if expression.starts_with(QUOTES) {
            return self.string(expression, levels);
        }
        if let Some((left, right)) = expression.split_once(" + ") {
            return Some(self.value(left, levels)? + &self.value(right, levels)?);
        }
        let inner = |text: &str| -> String {
            text.trim().trim_start_matches('(').trim_end_matches(')').trim().to_owned()
        };
        if let Some(path) =
            ["toString ", "builtins.toString "].iter().find_map(|call| expression.strip_prefix(call))
        {
            let path = inner(path);
            return self.path(&path).or_else(|| self.raw(&path, levels));
        }
        if let Some(name) = expression.strip_prefix("builtins.getEnv ") {
            return Some(match inner(name).trim_matches('"') {
                "HOME" => self.home.clone(),
                "PWD" => self.folder.clone(),
                name => format!("${{{name}}}"),
            });
        }
        if matches!(expression, "config.devenv.root" | "config.env.DEVENV_ROOT") {
            return Some(self.folder.clone());
        }
        if let Some(path) = self.path(expression) {
            return Some(format!("/nix/store/{}", path.rsplit('/').next().unwrap_or("source")));
        }
        let is_name =
            expression.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        if is_name && !expression.is_empty() { self.named(expression, levels) } else { None }
    }

    /// A path's own text, where a name stands for one: `toString root`.
    fn raw(&self, name: &str, levels: usize) -> Option<String> {
        let value = self.assigned(name).into_iter().next()?;
        let value = value.split_once(';').map_or(value, |(value, _)| value).trim();
        self.path(value).or_else(|| self.value(value, levels))
    }

    /// `./x`, `../x`, `/x`, `~/x`
    fn path(&self, text: &str) -> Option<String> {
        if let Some(below) = text.strip_prefix("~/") {
            return Some(path::join(&self.home, below));
        }
        let is_path = text.starts_with("./") || text.starts_with("../") || text.starts_with('/');
        (is_path && !text.contains(char::is_whitespace)).then(|| path::join(&self.folder, text))
    }

    /// A string in either kind of quotes, with the values of what it names. What has no value stays as a variable that the
    /// shell does not know.
    fn string(&self, text: &str, levels: usize) -> Option<String> {
        let (quote, body) = match text.strip_prefix("''") {
            Some(body) => ("''", body),
            None => ("\"", text.strip_prefix('"')?),
        };
        let mut filled = String::new();
        let mut rest = body;
        loop {
            if rest.is_empty() {
                return Some(filled);
            }
            if quote == "''" {
                // A dollar sign and the quotes themselves are protected by two quotes.
                if let Some(after) = rest.strip_prefix("''$") {
                    filled.push('$');
                    rest = after;
                    continue;
                }
                if let Some(after) = rest.strip_prefix("'''") {
                    filled.push_str("''");
                    rest = after;
                    continue;
                }
            } else if let Some(after) = rest.strip_prefix('\\') {
                let c = after.chars().next()?;
                filled.push(c);
                rest = &after[c.len_utf8()..];
                continue;
            }
            if rest.starts_with(quote) {
                return Some(filled);
            }
            if let Some(after) = rest.strip_prefix("${") {
                let end = closing(after, ('{', '}')).unwrap_or(after.len());
                match self.value(&after[..end], levels) {
                    Some(value) => filled.push_str(&value),
                    // A package, mostly: its folder in the store.
                    None if after[..end].contains('.') => filled.push_str("/nix/store/package"),
                    None => filled.push(mark::TOKEN),
                }
                rest = after.get(end + 1..).unwrap_or("");
                continue;
            }
            let c = rest.chars().next()?;
            filled.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_value_that_the_file_gives_it() {
        let text = "let a = toString ./..; b = ./x; c = \"${a}/y\"; in { shellHook = ''rm ${a} ${b} ${c} ''${d} ${pkgs.e}''; }";
        let file = File { text, folder: "/h/p".to_owned(), home: "/h".to_owned() };
        let hook = file.assigned("shellHook")[0];
        assert_eq!(file.string(hook, 8).as_deref(), Some("rm /h /nix/store/x /h/y ${d} /nix/store/package"));
    }
}
