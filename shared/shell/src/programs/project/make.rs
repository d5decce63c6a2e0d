//! Makefiles: the targets that would be made, with what they need first, and the recipes of both.

use std::rc::Rc;

use shell_engine::text::pattern;
use shell_engine::{Arg, Loaded, Process, Scope, mark};

use super::recipe::{self, Recipe, offset};
use crate::programs::{bundled, option, options};

/// Variables of a makefile that are followed.
const MAX_VARIABLES: usize = 1024;
/// Variables inside of variables.
const MAX_VALUES: usize = 8;
/// Targets that are made, one because of the other.
const MAX_TARGETS: usize = 64;
/// A line that is longer is not filled further.
const MAX_LINE: usize = 4096;

/// Words that a function gets.
const MAX_WORDS: usize = 8;

/// Files that one makefile includes.
const MAX_INCLUDED: usize = 16;

/// A rule, with its recipe.
#[derive(Debug, Default)]
struct Rule<'f> {
    targets: Vec<String>,
    needs: Vec<String>,
    recipe: Vec<(usize, &'f str)>,
    /// Which of the files it stands in.
    file: usize,
}

/// What a makefile says.
#[derive(Debug, Default)]
struct Makefile<'f> {
    /// Those of the call win over those of the file.
    given: Vec<(String, String)>,
    /// As they are written: what they name may come later. The last one of a name counts.
    variables: Vec<(String, String)>,
    rules: Vec<Rule<'f>>,
    /// The commands of ninja's rules, by their names.
    commands: Vec<(String, (usize, &'f str))>,
    /// Whether it includes what was not read: a variable that is not set here may be set there.
    is_part: bool,
}

/// Runs what `make` would: the recipes of its goals.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    for line in of_options(args) {
        process.text(&line);
    }
    let mut scope = process.scope.clone();
    for folder in bundled("make", args, 'C', "--directory") {
        scope.change_folder(folder);
    }
    let named = bundled("make", args, 'f', "--file").first().copied();
    let named = named.or_else(|| option(args, "", "--makefile"));
    let names: &[&str] = match process.name {
        "ninja" => &["build.ninja"],
        _ => &["GNUmakefile", "makefile", "Makefile"],
    };
    let loaded = if let Some(file) = named {
        super::given(process, &scope, file)?
    } else {
        names.iter().find_map(|name| process.runner.look_up(&scope, name))?
    };
    // `make -n` shows what it would do; `-q` asks, `-t` only touches. A file that this command has written itself is
    // looked at all the same: `-n` runs lines that call make again.
    if loaded.file.is_some() && only_shows(args) {
        return Some(String::new());
    }
    let given =
        args.iter().filter_map(|arg| variable(&arg.text)).map(|(name, _, value)| (name, value)).collect();
    let mut files = vec![loaded];
    let is_part = include(process, &scope, &mut files);
    let texts: Vec<&str> = files.iter().map(|file| &*file.text).collect();
    let makefile = Makefile { is_part, ..read(&texts, given) };
    let mut goals = goals(process);
    if process.name == "ninja" && goals.is_empty() {
        goals.extend(makefile.rules.iter().flat_map(|rule| &rule.targets).map(String::as_str));
    }
    let recipes = makefile.made(&goals, files[0].file.is_none());
    let mut known = false;
    // Recipes run in their order, each with its places in its own file.
    for part in recipes.chunk_by(|(one, _), (other, _)| one == other) {
        let lines: Vec<Recipe> = part.iter().map(|(_, recipe)| recipe.clone()).collect();
        known |= recipe::run(process, &scope, (&files[part[0].0], &goals.join(" ")), &lines);
    }
    known.then(String::new)
}

/// What is to be made. The number after `-j` may be missing: a word that is not one is a goal.
fn goals<'p>(process: &Process<'p>) -> Vec<&'p str> {
    let after_jobs =
        process.args().windows(2).filter(|pair| matches!(pair[0].text.as_str(), "-j" | "--jobs"));
    let jobs = after_jobs.map(|pair| pair[1].text.as_str());
    let jobs = jobs.filter(|word| !word.starts_with('-') && !word.bytes().all(|byte| byte.is_ascii_digit()));
    super::names(process).into_iter().chain(jobs.filter(|word| !word.contains('='))).collect()
}

/// Reads what a makefile includes, and what that includes; whether something of that is not there.
fn include(process: &mut Process<'_>, scope: &Scope, files: &mut Vec<Loaded>) -> bool {
    let mut at = 0;
    let mut is_part = false;
    while at < files.len() && files.len() < MAX_INCLUDED {
        let text = Rc::clone(&files[at].text);
        let names = text.lines().filter_map(|line| {
            let words = ["include ", "-include ", "sinclude "];
            words.iter().find_map(|word| line.strip_prefix(word))
        });
        for name in names.flat_map(str::split_whitespace) {
            for path in process.runner.paths(scope, &pattern::active(name)) {
                let found = process.runner.look_up(scope, &path);
                is_part |= found.is_none();
                // A file that includes itself is read once.
                files.extend(found.filter(|found| !files.iter().any(|file| file.file == found.file)));
            }
        }
        at += 1;
    }
    is_part || files.len() >= MAX_INCLUDED
}

/// What options bring: rules of their own, and a shell that does more than to run a recipe.
fn of_options(args: &[Arg]) -> Vec<String> {
    let rules = options(args, "-E", "--eval").map(|rules| {
        let recipe = rules.rsplit(['\t', ';']).next().unwrap_or(rules);
        let recipe = recipe.trim().strip_prefix("$(shell ").unwrap_or(recipe);
        recipe.trim_end_matches(')').to_owned()
    });
    let shells = args.iter().filter_map(|arg| arg.text.strip_prefix("SHELL="));
    // `make CC='$(shell LINE)'`
    let variables = args.iter().filter(|arg| !arg.text.starts_with('-'));
    let ran = variables.filter_map(|arg| arg.text.split_once("$(shell ")?.1.rsplit_once(')'));
    let shells = shells.filter(|shell| shell.contains(' ')).chain(ran.map(|(line, _)| line));
    rules.chain(shells.map(str::to_owned)).collect()
}

fn only_shows(args: &[Arg]) -> bool {
    args.iter().any(|arg| {
        let text = arg.text.as_str();
        matches!(
            text,
            "--dry-run" | "--just-print" | "--recon" | "--question" | "--touch" | "--help" | "--version"
        ) || text.starts_with('-')
            && !text.starts_with("--")
            && text[1..].starts_with(['n', 'q', 't', 'v', 'h'])
    })
}

/// Reads a makefile, and those that it includes.
fn read<'f>(texts: &[&'f str], given: Vec<(String, String)>) -> Makefile<'f> {
    let mut makefile = Makefile { given, ..Makefile::default() };
    for (file, text) in texts.iter().enumerate() {
        let before = makefile.rules.len();
        read_into(&mut makefile, text);
        makefile.rules[before..].iter_mut().for_each(|rule| rule.file = file);
    }
    makefile
}

/// Reads one file. Both branches of a condition count, as no one knows which is taken.
fn read_into<'f>(makefile: &mut Makefile<'f>, text: &'f str) {
    let mut defining: Option<(String, String)> = None;
    let mut rule = None;
    for line in logical(text) {
        let mut words = line.split_whitespace();
        let word = words.next().unwrap_or("");
        if let Some((_, lines)) = defining.as_mut().filter(|_| word != "endef") {
            if lines.len() < MAX_LINE {
                lines.push_str(line.trim_start_matches(['\t', '@', '-']));
                lines.push('\n');
            }
            continue;
        }
        if let Some((name, lines)) = defining.take() {
            makefile.set(name, Sets::Later, lines.trim_end().to_owned());
            continue;
        }
        if word == "define" {
            defining = words.next().map(|name| (name.to_owned(), String::new()));
            continue;
        }
        if let Some(recipe) = line.strip_prefix('\t') {
            if let Some(rule) = makefile.rules.last_mut() {
                rule.recipe.push((offset(text, recipe), recipe));
            }
            continue;
        }
        if line.starts_with('#') || word.is_empty() {
            continue;
        }
        // ninja: `rule NAME`, its `command = …`, and `build OUTPUTS: NAME INPUTS`.
        if let Some(command) =
            line.trim_start().strip_prefix("command").and_then(|rest| rest.trim_start().strip_prefix('='))
        {
            if let Some(name) = rule.take() {
                makefile.commands.push((name, (offset(text, command), command)));
            }
            continue;
        }
        if word == "rule" {
            rule = words.next().map(str::to_owned);
            continue;
        }
        if word == "build"
            && let Some((targets, rest)) = line.trim_start()["build".len()..].split_once(':')
            && !makefile.commands.is_empty()
        {
            let mut needs = rest.split_whitespace().filter(|word| !word.starts_with('|')).map(str::to_owned);
            let name = needs.next().unwrap_or_default();
            let recipe = makefile.commands.iter().find(|(own, _)| *own == name).map(|(_, recipe)| *recipe);
            let targets = targets.split_whitespace().map(str::to_owned).collect();
            let recipe = recipe.into_iter().collect();
            makefile.rules.push(Rule { targets, needs: needs.collect(), recipe, ..Rule::default() });
            continue;
        }
        if let Some((name, how, value)) = variable(line) {
            makefile.set(name, how, value);
            continue;
        }
        if let Some(rule) = makefile.rule(text, line) {
            makefile.rules.push(rule);
        }
    }
}

/// Lines, with those that a backslash continues.
fn logical(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = 0;
        loop {
            let next = rest[end..].find('\n').map_or(rest.len(), |at| end + at);
            let continued = rest[..next].ends_with('\\') && next < rest.len();
            end = (next + 1).min(rest.len());
            if !continued {
                let line = &rest[..next];
                rest = &rest[end..];
                return Some(line);
            }
        }
    })
}

/// How a variable gets its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sets {
    /// `=`: what it names is looked up where it is used.
    Later,
    /// `:=`
    Now,
    /// `?=`
    Unless,
    /// `+=`
    More,
    /// `!=`: what a command prints.
    Printed,
}

/// `NAME = value`, in all of its forms.
fn variable(line: &str) -> Option<(String, Sets, String)> {
    let line = line.strip_prefix("export ").or_else(|| line.strip_prefix("override ")).unwrap_or(line);
    let (name, value) = line.split_once('=')?;
    let how = match name.trim_end().as_bytes().last() {
        Some(b':') => Sets::Now,
        Some(b'?') => Sets::Unless,
        Some(b'+') => Sets::More,
        Some(b'!') => Sets::Printed,
        _ => Sets::Later,
    };
    let name = name.trim().trim_end_matches([':', '?', '+', '!', ' ', '\t']);
    let plain = !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    plain.then(|| (name.to_owned(), how, value.trim().to_owned()))
}

impl Makefile<'_> {
    /// Takes a variable of a file.
    fn set(&mut self, name: String, how: Sets, value: String) {
        let known = self.variables.iter().rposition(|(own, _)| *own == name);
        let value = match (how, known) {
            // A default that no branch has set before.
            (Sets::Unless, Some(_)) => return,
            (Sets::More, Some(at)) => {
                let whole = &mut self.variables[at].1;
                if whole.len() < MAX_LINE {
                    whole.push(' ');
                    whole.push_str(&value);
                }
                return;
            }
            // What was not known then is not looked up later.
            (Sets::Now, _) => self.filled(&value, "").replace('$', "$$"),
            (Sets::Printed, _) => format!("$(shell {value})"),
            _ => value,
        };
        match known {
            Some(at) => self.variables[at].1 = value,
            None if self.variables.len() < MAX_VARIABLES => self.variables.push((name, value)),
            None => self.is_part = true,
        }
    }

    fn value(&self, name: &str) -> Option<&str> {
        let found = self.given.iter().chain(&self.variables).find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    /// `targets: needs`, `targets: ; recipe`.
    fn rule<'f>(&self, text: &'f str, line: &'f str) -> Option<Rule<'f>> {
        let (targets, rest) = line.split_once(':')?;
        if targets.starts_with(' ') && targets.trim().is_empty() {
            return None;
        }
        let (needs, recipe) = match rest.split_once(';') {
            Some((needs, recipe)) => (needs, vec![(offset(text, recipe), recipe)]),
            None => (rest, Vec::new()),
        };
        let words = |text: &str| -> Vec<String> {
            self.filled(text, "").split_whitespace().map(str::to_owned).collect()
        };
        let needs = needs.trim_start_matches(':').split('#').next().unwrap_or("");
        let needs = words(&needs.replace('|', " "));
        Some(Rule { targets: words(targets), needs, recipe, ..Rule::default() })
    }

    /// The recipes for these goals, what they need first. `all` also where no rule makes a goal.
    fn made(&self, goals: &[&str], all: bool) -> Vec<(usize, Recipe)> {
        let default = self
            .rules
            .iter()
            .flat_map(|rule| &rule.targets)
            .find(|target| !target.starts_with('.') && !target.contains('%'));
        let mut recipes = Vec::new();
        let mut seen: Vec<String> = Vec::new();
        let goals: Vec<&str> = match default {
            Some(default) if goals.is_empty() => vec![default],
            _ => goals.to_vec(),
        };
        for goal in &goals {
            self.make(goal, &mut seen, &mut recipes);
        }
        if recipes.is_empty() && all {
            for rule in &self.rules {
                self.push(rule, rule.targets.first().map_or("", String::as_str), &mut recipes);
            }
        }
        recipes
    }

    fn make(&self, goal: &str, seen: &mut Vec<String>, recipes: &mut Vec<(usize, Recipe)>) {
        if seen.len() >= MAX_TARGETS || seen.iter().any(|target| target == goal) {
            return;
        }
        seen.push(goal.to_owned());
        let rules = || self.rules.iter().filter(|rule| rule.targets.iter().any(|target| target == goal));
        for need in rules().flat_map(|rule| &rule.needs) {
            self.make(need, seen, recipes);
        }
        for rule in rules() {
            self.push(rule, goal, recipes);
        }
        if !rules().any(|rule| !rule.recipe.is_empty()) {
            self.make_by_pattern(goal, seen, recipes);
        }
    }

    /// `%.o: %.c`: the first such rule that has a recipe.
    fn make_by_pattern(&self, goal: &str, seen: &mut Vec<String>, recipes: &mut Vec<(usize, Recipe)>) {
        let stem = |target: &str| {
            let (start, end) = target.split_once('%')?;
            goal.strip_prefix(start)?.strip_suffix(end).filter(|stem| !stem.is_empty())
        };
        let found = self.rules.iter().filter(|rule| !rule.recipe.is_empty()).find_map(|rule| {
            // `%` alone matches every file that there is, which is not known.
            let targets = rule.targets.iter().filter(|target| *target != "%");
            Some((rule, targets.into_iter().find_map(|target| stem(target))?))
        });
        let Some((rule, stem)) = found else { return };
        for need in &rule.needs {
            self.make(&need.replace('%', stem), seen, recipes);
        }
        self.push(rule, goal, recipes);
    }

    fn push(&self, rule: &Rule<'_>, goal: &str, recipes: &mut Vec<(usize, Recipe)>) {
        for (at, line) in &rule.recipe {
            let text = self.filled(line.trim_start_matches(['@', '-', '+', ' ', '\t']), goal);
            recipes.push((rule.file, Recipe { at: *at, text }));
        }
    }

    /// A text with the values of variables. What only make computes is a name without meaning; a command that it runs
    /// is one for the shell.
    fn filled(&self, text: &str, goal: &str) -> String {
        let mut filled = String::new();
        self.fill(text, (goal, MAX_VALUES), &mut filled);
        filled
    }

    fn fill(&self, text: &str, (goal, levels): (&str, usize), filled: &mut String) {
        let mut rest = text;
        while let Some(at) = rest.find('$').filter(|_| filled.len() < MAX_LINE) {
            filled.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let Some(first) = rest.chars().next() else { break };
            rest = &rest[first.len_utf8()..];
            match first {
                '$' => filled.push('$'),
                '@' => filled.push_str(goal),
                '(' | '{' => {
                    let inside = inside(rest, first);
                    rest = rest.get(inside.len() + 1..).unwrap_or("");
                    let ends = |c: Option<char>| c.is_none_or(char::is_whitespace);
                    if self.is_given(inside) && !rest.starts_with('/') {
                        filled.push(mark::UNKNOWN);
                    } else if self.is_unset(inside)
                        && ends(filled.chars().last())
                        && ends(rest.chars().next())
                    {
                        // It stands alone, and vanishes.
                    } else {
                        self.push_value(inside, (goal, levels), filled);
                    }
                }
                _ => filled.push(mark::TOKEN),
            }
        }
        filled.push_str(rest);
    }

    /// Whether a variable names a folder that `configure` or the makefile above gives: nothing is read from the folder at
    /// work instead. With a path behind it, what an empty one leaves of that is still worth a look.
    fn is_given(&self, name: &str) -> bool {
        let named = ["srcdir", "builddir", "srctree", "objtree"].iter().any(|end| name.ends_with(end));
        (named || name == "OUTPUT") && self.value(name).is_none()
    }

    /// Whether no file sets a variable, and none is likely to come from outside: `$(OBJS)`.
    fn is_unset(&self, name: &str) -> bool {
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        is_name
            && !self.is_part
            && self.value(name).is_none()
            && !matches!(name, "MAKE" | "CURDIR")
            && !comes_from_outside(name)
    }

    fn push_value(&self, inside: &str, (goal, levels): (&str, usize), filled: &mut String) {
        if let Some(called) = inside.strip_prefix("call ") {
            let mut words = called.split(',').map(str::trim);
            let body = words.next().and_then(|name| self.value(name)).zip(levels.checked_sub(1));
            let Some((body, levels)) = body else { return filled.push(mark::TOKEN) };
            let mut text = body.to_owned();
            for (number, word) in words.enumerate().take(MAX_WORDS) {
                for place in [format!("$({})", number + 1), format!("${{{}}}", number + 1)] {
                    if text.len() < MAX_LINE {
                        text = text.replace(&place, word);
                    }
                }
            }
            self.fill(&text, (goal, levels), filled);
        } else if let Some(value) = self.value(inside) {
            match levels.checked_sub(1) {
                Some(levels) => self.fill(value, (goal, levels), filled),
                // One that names itself.
                None => filled.push(mark::TOKEN),
            }
        } else if inside == "MAKE" {
            filled.push_str("make");
        } else if inside == "CURDIR" {
            filled.push_str("$PWD");
        } else if let Some(command) = inside.strip_prefix("shell ") {
            filled.push_str("$(");
            self.fill(command, (goal, levels), filled);
            filled.push(')');
        } else if inside.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            // What no file here sets may be set in one that is not here.
            && (!self.is_part || matches!(inside, "HOME" | "PWD" | "TMPDIR" | "USER"))
        {
            // One of the environment.
            filled.push_str("${");
            filled.push_str(inside);
            filled.push('}');
        } else {
            filled.push(mark::TOKEN);
        }
    }
}

/// Variables that environments and the usual calls set.
fn comes_from_outside(name: &str) -> bool {
    ["DIR", "PATH", "HOME", "PWD", "ROOT", "PREFIX", "USER", "FILE", "TARGET"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// What stands up to the bracket that closes.
fn inside(text: &str, open: char) -> &str {
    let close = if open == '(' { ')' } else { '}' };
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            if depth == 0 {
                return &text[..at];
            }
            depth -= 1;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str, goals: &[&str]) -> Vec<String> {
        read(&[text], Vec::new()).made(goals, false).into_iter().map(|(_, recipe)| recipe.text).collect()
    }

    #[test]
    fn only_what_is_made_runs() {
        let text = "OUT := dist\nall: build\nbuild: deps\n\tcc -o $(OUT)/x $@\ndeps:\n\t@mkdir -p ${OUT}\nclean:\n\trm -rf $(OUT) \\\n\t  x\n";
        assert_eq!(made(text, &[]), ["mkdir -p dist", "cc -o dist/x build"]);
        assert_eq!(made(text, &["clean"]), ["rm -rf dist \\\n\t  x"]);
        assert!(made(text, &["other"]).is_empty());
    }

    #[test]
    fn a_variable_is_what_it_is_where_it_is_used() {
        let text = "A = $(B)/x\nB ?= one\nB ?= two\nC := $(D)\nD = late\nE = a\nE += b\nL = $(L)\nx:\n\trm $(A) $(C) $(E) $(L)\n";
        assert_eq!(made(text, &[]), [format!("rm one/x  a b {}", mark::TOKEN)]);
        let part = Makefile { is_part: true, ..read(&["x:\n\trm $(A) $(HOME)\n"], Vec::new()) };
        assert_eq!(part.made(&[], false)[0].1.text, format!("rm {} ${{HOME}}", mark::TOKEN));
    }

    #[test]
    fn a_folder_that_configure_gives_is_not_empty() {
        let text = "x:\n\tfind $(srcdir) $(top_builddir)/x ${OUTPUT}\n";
        assert_eq!(made(text, &[]), [format!("find {0} ${{top_builddir}}/x {0}", mark::UNKNOWN)]);
        assert_eq!(made(&format!("srcdir = .\n{text}"), &[])[0].find('.'), Some(5));
    }

    #[test]
    fn what_make_computes_is_a_token() {
        let text = "x:\n\trm $(wildcard *.o) $< $$HOME $(shell pwd) $(HOME)\n";
        let expected = format!("rm {0} {0} $HOME $(pwd) ${{HOME}}", mark::TOKEN);
        assert_eq!(made(text, &[]), [expected]);
    }
}
