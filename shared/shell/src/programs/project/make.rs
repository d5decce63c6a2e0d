//! Makefiles: the targets that would be made, with what they need first, and the recipes of both.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use shell_engine::text::pattern;
use shell_engine::{Arg, Loaded, Process, Scope, mark};

use super::recipe::{self, Recipe, offset};
use crate::programs::{QUOTES, bundled, option, options};

/// Variables of a makefile that are followed.
const MAX_VARIABLES: usize = 1024;
/// Variables inside of variables.
const MAX_VALUES: usize = 8;
/// Targets that are made, one because of the other.
const MAX_TARGETS: usize = 64;
/// A line that is longer is not filled further.
const MAX_LINE: usize = 4096;

/// Values that are put together. What comes after is not known.
const MAX_FILLED: usize = 20_000;
/// Words that a function goes through. What more there is is not known.
const MAX_WORDS: usize = 256;

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
    /// What make runs while it reads, whatever its goals are: `X := $(shell LINE)`, `X != LINE`; with the file.
    at_once: Vec<(usize, Recipe)>,
    /// Variables that are only set where no one else has.
    defaults: Vec<String>,
    /// Variables of single targets.
    own: Vec<Own>,
    /// Targets that are made at the moment, each for the one before it.
    at_work: RefCell<Vec<String>>,
    /// What a function calls the words that it goes through, the innermost last.
    bound: RefCell<Vec<(String, String)>>,
    /// Values that were put together so far.
    filled: Cell<usize>,
    /// Whether something else may set its variables: the environment with `make -e`, or a file that is still to be made.
    is_open: bool,
    /// Whether only those lines of recipes run that begin with `+`.
    only_shows: bool,
    /// Whether it includes what was not read: a variable that is not set here may be set there.
    is_part: bool,
}

/// Runs what `make` would: the recipes of its goals.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    for line in of_variables(args) {
        process.text(&line);
    }
    let mut scope = process.scope.clone();
    for folder in bundled("make", args, 'C', "--directory") {
        scope.change_folder(folder);
    }
    let named = bundled("make", args, 'f', "--file").first().copied();
    let named = named.or_else(|| option(args, "", "--makefile"));
    let names = ["GNUmakefile", "makefile", "Makefile"];
    // Text of the call stands before its file, so its first target is the default.
    let typed = options(args, "-E", "--eval").map(|text| Loaded { text: text.into(), file: None });
    let mut files: Vec<Loaded> = typed.collect();
    let loaded = match named {
        Some(file) => super::given(process, &scope, file),
        None => names.iter().find_map(|name| process.runner.look_up(&scope, name)),
    };
    match loaded {
        Some(loaded) if files.is_empty() && loaded.file.is_some() && asks_for_help(args) => {
            return Some(String::new());
        }
        Some(loaded) => files.push(loaded),
        None if !files.is_empty() => {}
        None if named.is_some() => return None,
        None => return generated(process, &scope),
    }
    let given =
        args.iter().filter_map(|arg| variable(&arg.text)).map(|(name, _, value)| (name, value)).collect();
    let given = Makefile { given, ..Makefile::default() };
    let included = include(process, &scope, &mut files, &given);
    let is_open = included.is_made
        || args.iter().any(|arg| matches!(arg.text.as_str(), "-e" | "--environment-overrides"));
    let texts: Vec<&str> = files.iter().map(|file| &*file.text).collect();
    let makefile = Makefile { is_open, is_part: included.is_part, ..given };
    let makefile = read(&texts, &included.places, makefile);
    let mut makefile = with_environment(process, makefile);
    for name in texts.iter().flat_map(|text| exported(text)) {
        if let Some(value) = makefile.value(name) {
            scope.set_text(name, &makefile.filled(&value, ""));
            scope.export(name);
        }
    }
    let goals = goals(process);
    // `make -n` shows what it would do; `-q` asks, `-t` only touches: what is computed on the way runs, and lines with `+`. In
    // a file that this command has written itself all of them count: `-n` runs lines that call make again.
    let is_typed = files.iter().all(|file| file.file.is_none());
    let mut shown = String::new();
    if files.iter().all(|file| file.file.is_some()) && only_shows(args) {
        // `make -n | sh` does it.
        let lines = makefile.made(&goals, is_typed);
        shown.extend(lines.iter().flat_map(|(_, line)| [&line.text, "\n"]));
        makefile.only_shows = true;
    }
    let mut recipes = makefile.at_once.clone();
    recipes.extend(makefile.made(&goals, is_typed));
    let mut known = makefile.only_shows;
    // Recipes run in their order, each with its places in its own file.
    for part in recipes.chunk_by(|(one, _), (other, _)| one == other) {
        let lines: Vec<Recipe> = part.iter().map(|(_, recipe)| recipe.clone()).collect();
        known |= recipe::run(process, &scope, (&files[part[0].0], &goals.join(" ")), &lines);
    }
    known.then_some(shown)
}

/// Makes the goals by the file that the missing one is generated from, earlier on the same line.
pub(super) fn generated(process: &mut Process<'_>, scope: &Scope) -> Option<String> {
    let generators = [
        ("CMakeLists.txt", &["cmake", "--build", ".", "--target"] as &[&str]),
        ("meson.build", &["meson", "compile"]),
    ];
    for (file, words) in generators {
        let mut inner = scope.clone();
        inner.change_folder("..");
        if process.runner.look_up(&inner, file).is_some() {
            let goals = goals(process);
            // Targets of Meson's own are sub-commands.
            let own = goals.first().is_some_and(|goal| matches!(*goal, "install" | "test" | "dist"));
            let words = if own && file == "meson.build" { &words[..1] } else { words };
            let words: Vec<Arg> = words.iter().copied().chain(goals).map(Arg::from).collect();
            return Some(process.start_in(&mut scope.clone(), &words));
        }
    }
    None
}

/// The variables that a makefile hands to its recipes: `export NAME`, `export NAME = value`.
fn exported(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("export "));
    lines.flat_map(|line| {
        let names = line.split(['=', ':', '?', '+']).next().unwrap_or(line);
        names.split_whitespace()
    })
}

/// What the environment of this call says: it wins over defaults, and with `-e` over everything.
fn with_environment<'f>(process: &Process<'_>, mut makefile: Makefile<'f>) -> Makefile<'f> {
    // Those of the call itself come after those that were exported before it.
    let environment = process.scope.exported("").into_iter().chain(process.call.assigns.iter().cloned());
    for (name, value) in environment.collect::<BTreeMap<_, _>>() {
        let is_set = makefile.variables.iter().any(|(own, _)| *own == name);
        let gives_way = !is_set || makefile.is_open || makefile.defaults.contains(&name);
        if gives_way && makefile.given.iter().all(|(own, _)| *own != name) {
            makefile.given.push((name, value));
        }
    }
    makefile
}

/// What is to be made. The number after `-j` may be missing: a word that is not one is a goal.
fn goals<'p>(process: &Process<'p>) -> Vec<&'p str> {
    let after_jobs =
        process.args().windows(2).filter(|pair| matches!(pair[0].text.as_str(), "-j" | "--jobs"));
    let jobs = after_jobs.map(|pair| pair[1].text.as_str());
    let jobs = jobs.filter(|word| !word.starts_with('-') && !word.bytes().all(|byte| byte.is_ascii_digit()));
    super::names(process).into_iter().chain(jobs.filter(|word| !word.contains('='))).collect()
}

/// Where a makefile brings in other files, and which.
type Places = Vec<(usize, usize)>;

/// What makefiles bring in.
#[derive(Default)]
struct Included {
    /// For each file, where a line brings in another one, and which.
    places: Vec<Places>,
    /// Whether something of that is not there.
    is_part: bool,
    /// Whether make cannot do without it, so that something will write it.
    is_made: bool,
}

/// The names of files that a line includes, and whether they must be there.
fn included_by(line: &str) -> Option<(bool, &str)> {
    let words = ["include ", "-include ", "sinclude "];
    let line = line.trim_start_matches(' ');
    words.iter().find_map(|word| Some((*word == "include ", line.strip_prefix(word)?)))
}

/// Reads what makefiles include, and what that includes.
fn include(
    process: &mut Process<'_>,
    scope: &Scope,
    files: &mut Vec<Loaded>,
    given: &Makefile<'_>,
) -> Included {
    let mut included = Included::default();
    let mut at = 0;
    while at < files.len() && files.len() < MAX_INCLUDED {
        let text = Rc::clone(&files[at].text);
        let mut places = Vec::new();
        for line in logical(&text) {
            let Some((needed, names)) = included_by(line) else { continue };
            // A pattern that finds nothing is nothing.
            let may_miss = names.contains("$(wildcard ");
            let read: Vec<Rc<str>> = files.iter().map(|file| Rc::clone(&file.text)).collect();
            let names = names_of(names, &read, given);
            for name in names.split_whitespace().filter(|name| *name != "\\") {
                for path in process.runner.paths(scope, &pattern::active(name)) {
                    let found = process.runner.look_up(scope, &path);
                    if found.is_none() && may_miss {
                        continue;
                    }
                    included.is_part |= found.is_none();
                    included.is_made |= found.is_none() && (needed || mark::any(&path));
                    // A file that includes itself is read once.
                    let new = found.filter(|found| !files.iter().any(|file| file.file == found.file));
                    places.extend(new.is_some().then(|| (offset(&text, line), files.len())));
                    files.extend(new);
                }
            }
        }
        included.places.push(places);
        at += 1;
    }
    let full = files.len() >= MAX_INCLUDED;
    included.is_part |= full;
    included.is_made |= full;
    included
}

/// The names after an `include`: `$(wildcard mk/*.mk)` are those that the pattern finds, a variable is what the file says.
fn names_of<'t>(names: &'t str, read: &[Rc<str>], given: &Makefile<'_>) -> Cow<'t, str> {
    if !names.contains('$') {
        return Cow::Borrowed(names);
    }
    let mut plain = names.to_owned();
    for open in ["$(sort ", "$(wildcard "] {
        while let Some((before, after)) = plain.split_once(open) {
            let inner = inside(after, '(');
            plain = format!("{before}{inner}{}", after.get(inner.len() + 1..).unwrap_or(""));
        }
    }
    let texts: Vec<&str> = read.iter().map(|text| &**text).collect();
    let makefile = self::read(&texts, &[], Makefile { given: given.given.clone(), ..Makefile::default() });
    let filled = makefile.filled(&plain, "");
    if mark::any(&filled) { Cow::Borrowed(names) } else { Cow::Owned(filled) }
}

/// The lines that `$(shell LINE)` and `${shell LINE}` run in a text.
fn calls_of_shell(text: &str) -> Vec<&str> {
    let calls = [("$(shell", '('), ("${shell", '{')].into_iter().flat_map(|(open, bracket)| {
        text.match_indices(open).filter_map(move |(at, _)| {
            let rest = &text[at + open.len()..];
            rest.starts_with([' ', '\t']).then(|| inside(rest, bracket).trim())
        })
    });
    calls.collect()
}

/// What variables of the call run: a shell that does more than to run a recipe, and what is computed by one.
fn of_variables(args: &[Arg]) -> Vec<String> {
    let shells = args.iter().filter_map(|arg| arg.text.strip_prefix("SHELL="));
    // `make CC='$(shell LINE)'`
    let variables = args.iter().filter(|arg| !arg.text.starts_with('-'));
    let ran = variables.flat_map(|arg| calls_of_shell(&arg.text));
    let shells = shells.filter(|shell| shell.contains(' ')).chain(ran);
    shells.map(str::to_owned).collect()
}

fn only_shows(args: &[Arg]) -> bool {
    has_option(args, &["--dry-run", "--just-print", "--recon", "--question", "--touch"], &['n', 'q', 't'])
}

fn asks_for_help(args: &[Arg]) -> bool {
    has_option(args, &["--help", "--version"], &['h', 'v'])
}

fn has_option(args: &[Arg], long: &[&str], short: &[char]) -> bool {
    let is = |text: &str| {
        long.contains(&text) || text.strip_prefix('-').is_some_and(|letters| letters.starts_with(short))
    };
    args.iter().any(|arg| is(&arg.text))
}

/// Reads makefiles, each that another one includes where that says so.
fn read<'f>(texts: &[&'f str], places: &[Places], mut makefile: Makefile<'f>) -> Makefile<'f> {
    let is_included = |file: &usize| places.iter().flatten().any(|(_, inner)| inner == file);
    for file in (0..texts.len()).filter(|file| !is_included(file)) {
        read_into(&mut makefile, (texts, places), file);
    }
    makefile
}

/// Reads one file. Both branches of a condition count where no one knows which is taken.
fn read_into<'f>(makefile: &mut Makefile<'f>, (texts, places): (&[&'f str], &[Places]), file: usize) {
    let text = texts[file];
    let brings = places.get(file).map_or(&[][..], Vec::as_slice);
    let mut defining: Option<(String, String)> = None;
    // For each condition around the line, whether its branch is left out.
    let mut left_out: Vec<Option<bool>> = Vec::new();
    for line in logical(text) {
        let mut words = line.split_whitespace();
        let word = words.next().unwrap_or("");
        if matches!(word, "ifeq" | "ifneq") && !left_out.contains(&Some(true)) {
            // Its own brackets are none of a shell's.
            for call in calls_of_shell(line) {
                makefile.run_at_once((file, offset(text, line)), &format!("$(shell {call})"));
            }
        }
        if defining.is_none() && !line.starts_with('\t') && makefile.is_condition(word, line, &mut left_out) {
            continue;
        }
        if left_out.contains(&Some(true)) {
            continue;
        }
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
        if !brings.is_empty() && included_by(line).is_some() {
            // What follows sees its variables.
            let own = brings.iter().filter(|(at, _)| *at == offset(text, line));
            own.for_each(|(_, inner)| read_into(makefile, (texts, places), *inner));
            continue;
        }
        if let Some((name, how, value)) = variable(line) {
            let at = offset(text, line);
            match how {
                Sets::Printed => {
                    makefile.at_once.push((file, Recipe { at, text: format!(": $({value})") }));
                }
                Sets::Now => makefile.run_at_once((file, at), &value),
                // Recipes get it with its value.
                _ if word == "export" => makefile.run_at_once((file, at), &value),
                _ => {}
            }
            makefile.set(name, how, value);
            continue;
        }
        if let Some((targets, setting)) = line.split_once(':')
            && let Some((name, how, value)) = variable(setting.trim_start())
            && !setting.starts_with([':', '='])
        {
            // `deploy: STAGE = prod`
            let targets = targets.split_whitespace().map(str::to_owned).collect();
            makefile.own.push(Own { targets, name, how, value });
            continue;
        }
        // A call of its own, or one in a rule's line.
        makefile.run_at_once((file, offset(text, line)), line);
        if let Some(rule) = makefile.rule(text, line) {
            makefile.rules.push(Rule { file, ..rule });
        }
    }
}

/// A variable of some targets only.
#[derive(Debug)]
struct Own {
    targets: Vec<String>,
    name: String,
    how: Sets,
    value: String,
}

/// The two sides of a comparison: `(a,b)`, `"a" "b"`.
fn sides_of(text: &str) -> Option<(&str, &str)> {
    if let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        let (left, right) = inner.split_once(',')?;
        // A function has commas of its own.
        return (!right.contains(',')).then_some((left.trim(), right.trim()));
    }
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (left, rest) = text[1..].split_once(quote)?;
    let right = rest.trim_start().strip_prefix(QUOTES)?;
    Some((left, right.split(QUOTES).next()?))
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
    /// Keeps what make runs while it reads a line: `$(shell LINE)`, wherever it stands.
    fn run_at_once(&mut self, (file, at): (usize, usize), line: &str) {
        let calls = calls_of_shell(line);
        if calls.is_empty() {
            return;
        }
        let mut texts = vec![self.filled(line, "")];
        // Functions that are not computed lose what stands in them.
        if texts[0].matches("$(").count() < calls.len() {
            texts = calls.iter().map(|call| format!("$({})", self.filled(call, ""))).collect();
        }
        self.at_once.extend(texts.into_iter().map(|text| (file, Recipe { at, text: format!(": {text}") })));
    }

    /// Takes a variable of a file.
    fn set(&mut self, name: String, how: Sets, value: String) {
        if how == Sets::Unless && !self.defaults.contains(&name) {
            self.defaults.push(name.clone());
        }
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
            (Sets::Now, _) => {
                // One file, for all lines that name it.
                let makes = calls_of_shell(&value).into_iter().find(|call| call.starts_with("mktemp"));
                let value = makes.map_or(value.clone(), |call| {
                    value.replace(&format!("$(shell {call})"), &format!("/tmp/made-for-{name}"))
                });
                self.filled(&value, "").replace('$', "$$")
            }
            (Sets::Printed, _) => format!("$(shell {value})"),
            _ => value,
        };
        match known {
            Some(at) => self.variables[at].1 = value,
            None if self.variables.len() < MAX_VARIABLES => self.variables.push((name, value)),
            None => self.is_part = true,
        }
    }

    /// Whether a line belongs to a condition. What is compared is only known where nothing from outside can change it.
    fn is_condition(&self, word: &str, line: &str, left_out: &mut Vec<Option<bool>>) -> bool {
        match word {
            "ifeq" | "ifneq" => {
                let sides = sides_of(line.trim_start()[word.len()..].trim());
                let known = sides.and_then(|(left, right)| Some(self.known(left)? == self.known(right)?));
                left_out.push(known.map(|equal| equal != (word == "ifeq")));
            }
            "ifdef" | "ifndef" => {
                let name = line.trim_start()[word.len()..].trim();
                left_out.push(self.defined(name).map(|defined| defined != (word == "ifdef")));
            }
            "else" => {
                let again = line.trim_start().contains("if");
                if let Some(last) = left_out.last_mut() {
                    // `else ifeq …`: which of several is taken is left open.
                    *last = if again { None } else { last.map(|out| !out) };
                }
            }
            "endif" => _ = left_out.pop(),
            _ => return false,
        }
        true
    }

    /// Whether a variable has a value, if nothing from outside can change that.
    fn defined(&self, name: &str) -> Option<bool> {
        let of = |values: &[(String, String)]| {
            values.iter().find(|(own, _)| own == name).map(|(_, value)| !value.is_empty())
        };
        let is_fixed = !self.is_open && !self.defaults.iter().any(|own| own == name);
        of(&self.given).or_else(|| of(&self.variables).filter(|_| is_fixed))
    }

    /// The text that a side of a comparison surely is.
    fn known(&self, side: &str) -> Option<String> {
        let mut rest = side;
        if self.is_open && side.contains('$') {
            return None;
        }
        while let Some((_, after)) = rest.split_once('$') {
            let name = after.strip_prefix(['(', '{'])?.split([')', '}']).next()?;
            self.variables.iter().chain(&self.given).find(|(own, _)| own == name)?;
            // A default gives way to the environment.
            let given = self.given.iter().any(|(own, _)| own == name);
            if !given && self.defaults.iter().any(|own| own == name) {
                return None;
            }
            rest = after;
        }
        let text = self.filled(side, "");
        (!mark::any(&text) && !text.contains('$')).then_some(text)
    }

    fn value(&self, name: &str) -> Option<String> {
        let bound = self.bound.borrow();
        let mut known = bound.iter().rev().chain(&self.given).chain(&self.variables);
        known.find(|(own, _)| own == name).map(|(_, value)| value.clone())
    }

    /// What `work` makes of the values while names stand for these words.
    fn while_bound<T>(&self, words: Vec<(String, String)>, work: impl FnOnce() -> T) -> T {
        let before = self.bound.borrow().len();
        self.bound.borrow_mut().extend(words);
        let made = work();
        self.bound.borrow_mut().truncate(before);
        made
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
        let said = self.value(".DEFAULT_GOAL").map(|goal| self.filled(&goal, ""));
        let goals: Vec<&str> = match said.as_ref().or(default) {
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
        self.at_work.borrow_mut().push(goal.to_owned());
        self.make_new(goal, seen, recipes);
        self.at_work.borrow_mut().pop();
    }

    fn make_new(&self, goal: &str, seen: &mut Vec<String>, recipes: &mut Vec<(usize, Recipe)>) {
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
            // `%` alone matches every file that there is, which is not known; of a goal it is.
            let is_goal = self.at_work.borrow().len() == 1;
            let targets = rule.targets.iter().filter(|target| is_goal || *target != "%");
            Some((rule, targets.into_iter().find_map(|target| stem(target))?))
        });
        let Some((rule, stem)) = found else { return };
        for need in &rule.needs {
            self.make(&need.replace('%', stem), seen, recipes);
        }
        self.while_bound(vec![("*".to_owned(), stem.to_owned())], || self.push(rule, goal, recipes));
    }

    fn push(&self, rule: &Rule<'_>, goal: &str, recipes: &mut Vec<(usize, Recipe)>) {
        // What a target sets holds for all that is made for it.
        let above = self.at_work.borrow().clone();
        let own = |own: &&Own| own.targets.iter().any(|target| target == goal || above.contains(target));
        if self.own.iter().any(|setting| own(&setting)) {
            // Its own variables hold while it is made.
            let variables = self.variables.clone();
            let mut inner = Makefile { given: self.given.clone(), variables, ..Makefile::default() };
            inner.is_part = self.is_part;
            inner.bound.replace(self.bound.borrow().clone());
            for setting in self.own.iter().filter(own) {
                inner.set(setting.name.clone(), setting.how, setting.value.clone());
            }
            return inner.push(rule, goal, recipes);
        }
        // `.ONESHELL:`: all of them are one script.
        if let Some((at, _)) = rule.recipe.first()
            && self.rules.iter().any(|rule| rule.targets.iter().any(|target| target == ".ONESHELL"))
        {
            if self.only_shows && !rule.recipe[0].1.contains('+') {
                return;
            }
            let lines = rule.recipe.iter().map(|(_, line)| line.trim_start_matches(['@', '-', '+']));
            let text = self.filled(&lines.collect::<Vec<_>>().join("\n"), goal);
            recipes.push((rule.file, Recipe { at: *at, text }));
            return;
        }
        let runs = |line: &str| !self.only_shows || line.trim_start_matches(['@', '-', ' ']).starts_with('+');
        for (at, line) in rule.recipe.iter().filter(|(_, line)| runs(line)) {
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
        self.filled.set(self.filled.get() + 1);
        if self.filled.get() > MAX_FILLED {
            filled.push(mark::UNKNOWN);
            return;
        }
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
                // `$d` is `$(d)`; others, as `$<`, are of the rule.
                _ if first.is_ascii_alphanumeric() => {
                    self.push_value(first.encode_utf8(&mut [0; 4]), (goal, levels), filled);
                }
                // The stem of a pattern: `wipe-%: ; rm -rf $*`.
                '*' if let Some(stem) = self.value("*") => filled.push_str(&stem),
                _ => filled.push(mark::TOKEN),
            }
        }
        filled.push_str(rest);
    }

    /// Whether the condition of `$(if …)` holds, where it is a word or `$(filter WORD,$@)`.
    fn holds(&self, asked: &str, goal: &str) -> Option<bool> {
        let asked = asked.trim();
        let filter = asked.strip_prefix("$(filter ").and_then(|rest| rest.strip_suffix(')'));
        Some(match filter {
            Some(filter) => {
                let (words, of) = filter.split_once(',')?;
                let (words, of) = (self.filled(words, goal), self.filled(of, goal));
                if mark::any(&words) || mark::any(&of) || words.contains('%') {
                    return None;
                }
                words.split_whitespace().any(|word| of.split_whitespace().any(|other| other == word))
            }
            None => !self.known(asked)?.is_empty(),
        })
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
            && !matches!(name, "MAKE" | "CURDIR" | "RM")
            && !comes_from_outside(name)
    }

    /// What a function makes of words: `$(addprefix out/,$(NAMES))`, `$(foreach d,$(DIRS),rm -rf $(d);)`. The last
    /// argument that a function takes has all further commas.
    fn computed(&self, inside: &str, (goal, levels): (&str, usize)) -> Option<String> {
        let (function, rest) = inside.split_once(' ')?;
        let levels = levels.checked_sub(1)?;
        let filled = |text: &str| {
            let mut filled = String::new();
            self.fill(text, (goal, levels), &mut filled);
            filled
        };
        let words = |text: &str, change: &dyn Fn(&str) -> String| {
            let text = filled(text);
            let mut words = text.split_whitespace();
            let mut changed: Vec<String> = words.by_ref().take(MAX_WORDS).map(change).collect();
            changed.extend(words.next().map(|_| mark::UNKNOWN.to_string()));
            changed.join(" ")
        };
        let takes = match function {
            "foreach" | "if" | "subst" | "patsubst" => 3,
            "addprefix" | "addsuffix" => 2,
            "call" => usize::MAX,
            _ => 1,
        };
        Some(match (function, arguments(rest, takes).as_slice()) {
            ("foreach", [name, list, body]) => {
                let name = filled(name).trim().to_owned();
                words(list, &|word| self.while_bound(vec![(name.clone(), word.to_owned())], || filled(body)))
            }
            ("call", [name, given @ ..]) => {
                let body = self.value(name.trim())?;
                let given = given.iter().map(|word| filled(word.trim()));
                let named = given.enumerate().map(|(at, word)| ((at + 1).to_string(), word)).collect();
                self.while_bound(named, || filled(&body))
            }
            ("if", [asked, yes]) => {
                if self.holds(asked, goal)? {
                    filled(yes)
                } else {
                    String::new()
                }
            }
            ("if", [asked, yes, no]) => filled(if self.holds(asked, goal)? { yes } else { no }),
            ("addprefix", [prefix, list]) => {
                let prefix = filled(prefix);
                words(list, &|word| format!("{prefix}{word}"))
            }
            ("addsuffix", [suffix, list]) => {
                let suffix = filled(suffix);
                words(list, &|word| format!("{word}{suffix}"))
            }
            ("patsubst", [from, to, list]) => {
                let (from, to) = (filled(from), filled(to));
                words(list, &|word| substituted(word, from.trim(), to.trim()))
            }
            ("firstword", [list]) => filled(list).split_whitespace().next().unwrap_or("").to_owned(),
            ("lastword", [list]) => filled(list).split_whitespace().last().unwrap_or("").to_owned(),
            ("notdir", [list]) => words(list, &|word| word.rsplit('/').next().unwrap_or(word).to_owned()),
            ("subst", [from, to, text]) => filled(text).replace(&filled(from), &filled(to)),
            ("strip" | "sort" | "abspath" | "realpath" | "wildcard", [list]) => words(list, &str::to_owned),
            _ => return None,
        })
    }

    fn push_value(&self, inside: &str, (goal, levels): (&str, usize), filled: &mut String) {
        // `$(DIR_$(KIND))`: the name itself is put together.
        if inside.contains('$') && !inside.contains([' ', ',']) && levels > 0 {
            let mut name = String::new();
            self.fill(inside, (goal, levels - 1), &mut name);
            if !name.contains('$') {
                return self.push_value(&name, (goal, levels - 1), filled);
            }
        }
        // `$(NAMES:.c=.o)`, `$(NAMES:%.c=%.o)`
        if let Some((name, change)) = inside.split_once(':')
            && let Some((from, to)) = change.split_once('=')
            && let Some(list) = self.value(name)
            && levels > 0
        {
            let mut words = String::new();
            self.fill(&list, (goal, levels - 1), &mut words);
            let changed: Vec<String> =
                words.split_whitespace().take(MAX_WORDS).map(|word| substituted(word, from, to)).collect();
            filled.push_str(&changed.join(" "));
        } else if let Some(value) = self.value(inside) {
            match levels.checked_sub(1) {
                Some(levels) => self.fill(&value, (goal, levels), filled),
                // One that names itself.
                None => filled.push(mark::TOKEN),
            }
        } else if inside == "MAKE" {
            filled.push_str("make");
        } else if inside == "CURDIR" {
            // It may be filled in once more, by a function that gets it.
            filled.push_str("${PWD}");
        } else if inside == "RM" {
            filled.push_str("rm -f");
        } else if let Some(text) = self.computed(inside, (goal, levels)) {
            filled.push_str(&text);
        } else if let Some(command) =
            inside.strip_prefix("shell").filter(|line| line.starts_with([' ', '\t']))
        {
            filled.push_str("$(");
            self.fill(command.trim_start(), (goal, levels), filled);
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

/// A word in which what a pattern of make's means is replaced: `%` stands for any letters; without one, the end of the word,
/// or all of it, is meant.
fn substituted(word: &str, from: &str, to: &str) -> String {
    if let Some((start, end)) = from.split_once('%') {
        let stem = word.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
        return stem.map_or_else(|| word.to_owned(), |stem| to.replacen('%', stem, 1));
    }
    word.strip_suffix(from).map_or_else(|| word.to_owned(), |rest| format!("{rest}{to}"))
}

/// The arguments of a function, at most so many: commas in brackets are part of one.
fn arguments(text: &str, most: usize) -> Vec<&str> {
    let mut depth = 0_u32;
    text.splitn(most, |c| {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
    .collect()
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
        read(&[text], &[], Makefile::default())
            .made(goals, false)
            .into_iter()
            .map(|(_, recipe)| recipe.text)
            .collect()
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
        let part = read(&["x:\n\trm $(A) $(HOME)\n"], &[], Makefile { is_part: true, ..Makefile::default() });
        assert_eq!(part.made(&[], false)[0].1.text, format!("rm {} ${{HOME}}", mark::TOKEN));
    }

    #[test]
    fn a_folder_that_configure_gives_is_not_empty() {
        let text = "x:\n\tfind $(srcdir) $(top_builddir)/x ${OUTPUT}\n";
        assert_eq!(made(text, &[]), [format!("find {0} ${{top_builddir}}/x {0}", mark::UNKNOWN)]);
        assert_eq!(made(&format!("srcdir = .\n{text}"), &[])[0].find('.'), Some(5));
    }

    #[test]
    fn what_make_computes_is_words_or_a_token() {
        let text = "x:\n\trm $(wildcard *.o) $< $$HOME $(shell pwd) $(HOME)\n";
        let expected = format!("rm *.o {0} $HOME $(pwd) ${{HOME}}", mark::TOKEN);
        assert_eq!(made(text, &[]), [expected]);
    }
}
