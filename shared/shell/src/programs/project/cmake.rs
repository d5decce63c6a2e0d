//! What `CMake` runs: a script (`cmake -P FILE`), a project's own lists where it configures (`cmake -B build`), and the targets
//! that it builds (`cmake --build build --target wipe`).

mod condition;

use shell_engine::{Arg, Loaded, Process, mark, path};

use super::indented::Given;
use super::recipe::{self, Recipe};
use super::testers::MAX_NAMES;
use crate::programs::{option, options, quoted};

/// Statements of one call that are looked at, those of loops counted once a turn.
const MAX_STATEMENTS: usize = 2000;
/// Functions that call one another.
const MAX_DEPTH: usize = 16;

/// Runs what a call of `cmake` reads. `None` where it reads no lists that are there.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    if let Some(file) = option(args, "-P", "") {
        let loaded = match process.call.io.stdin.clone().filter(|_| path::is_stdin(file)) {
            Some(text) => Loaded { text, file: None },
            None => process.runner.look_up(process.scope, file)?,
        };
        let folder = process.scope.cwd.to_string();
        // What follows the script is the script's own.
        let own = args.iter().position(|arg| arg.text == "-P").unwrap_or(args.len());
        let mut values = defined(&args[..own]);
        let words = std::iter::once("cmake").chain(args.iter().map(|arg| arg.text.as_str())).enumerate();
        values.extend(words.map(|(number, word)| (format!("CMAKE_ARGV{number}"), word.to_owned())));
        values.push(("CMAKE_ARGC".to_owned(), (args.len() + 1).to_string()));
        let place = Place {
            source: folder.clone(),
            binary: folder,
            list: around(&path::join(&process.scope.cwd, file)),
        };
        return read(process, (&loaded, &place), (None, values));
    }
    let has = |word: &str| args.iter().any(|arg| arg.text == word);
    if has("-E") || has("--help") || has("--version") || has("--install") {
        return None;
    }
    let build = option(args, "", "--build");
    let source = option(args, "-S", "").or_else(|| {
        let is_value =
            |at: usize| matches!(args[at - 1].text.as_str(), "-B" | "-G" | "-T" | "-A" | "-D" | "--preset");
        let plain = |at: &usize| !args[*at].text.starts_with('-') && (*at == 0 || !is_value(*at));
        (0..args.len()).rev().find(plain).filter(|_| build.is_none()).map(|at| args[at].text.as_str())
    });
    let folder = option(args, "-B", "").or(build).unwrap_or(".");
    let mut built = process.scope.clone();
    built.change_folder(folder);
    let targets: Vec<&str> = options(args, "-t", "--target").collect();
    let targets = build.map(|_| targets);
    let mut scope = process.scope.clone();
    let loaded = match source {
        Some(folder) => {
            scope.change_folder(folder);
            process.runner.look_up(&scope, "CMakeLists.txt")
        }
        // Where it was configured, is not known: the folder around that in which it builds, as nearly everyone has it.
        None => recipe::nearest(process, &mut scope, &["CMakeLists.txt"]),
    }?;
    let source = scope.cwd.to_string();
    let place = Place { list: source.clone(), source, binary: built.cwd.to_string() };
    let values = defined(process.args());
    read(process, (&loaded, &place), (targets.as_deref(), values))
}

/// The folders that a file of `CMake`'s is read for: that of the sources, that in which it builds, and its own.
struct Place {
    source: String,
    binary: String,
    list: String,
}

/// The folder in which a file lies.
fn around(file: &str) -> String {
    match file.rsplit_once('/') {
        Some(("", _)) => "/".to_owned(),
        Some((folder, _)) => folder.to_owned(),
        None => ".".to_owned(),
    }
}

/// Runs what a file of `CMake`'s does where its statements are read, or for the targets that are built: those named, or all
/// that are built without a name.
fn read(
    process: &mut Process<'_>,
    (loaded, place): (&Loaded, &Place),
    (targets, mut values): (Option<&[&str]>, Vec<Given>),
) -> Option<String> {
    let Place { source, binary, list } = place;
    for (kind, folder) in [("SOURCE", source), ("BINARY", binary)] {
        let names = ["CMAKE_", "CMAKE_CURRENT_", "PROJECT_"].map(|of| format!("{of}{kind}_DIR"));
        values.extend(names.map(|name| (name, folder.clone())));
    }
    values.push(("CMAKE_COMMAND".to_owned(), "cmake".to_owned()));
    values.push(("ENV HOME".to_owned(), process.scope.home.to_string()));
    let is_script = values.iter().any(|(name, _)| name == "CMAKE_ARGC");
    let own = statements(&loaded.text);
    let mut lists = Lists {
        values,
        recipes: Vec::new(),
        built: Vec::new(),
        included: Vec::new(),
        functions: Vec::new(),
        depth: 0,
        left: MAX_STATEMENTS,
        source,
        named: if is_script { Some(named_in(&own)) } else { None },
        unsure: 0,
        stopped: None,
    };
    lists.set("CMAKE_CURRENT_LIST_DIR", std::slice::from_ref(list));
    // `list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_SOURCE_DIR}/cmake")`
    let names_path = |statement: &&Statement| {
        matches!(&*statement.name, "list" | "set")
            && statement.words.iter().take(2).any(|word| word == "CMAKE_MODULE_PATH")
    };
    let folders = own.iter().filter(names_path).flat_map(|statement| statement.words.iter().skip(1));
    let folders: Vec<String> = folders.map(|folder| lists.value(folder)).take(MAX_NAMES).collect();
    for include in own.iter().filter(|statement| statement.name == "include") {
        let name = include.words.first().map_or(String::new(), |file| with_ending(&lists.value(file)));
        let places = std::iter::once(source.as_str()).chain(folders.iter().map(String::as_str));
        let mut files = places.map(|folder| path::join(source, &path::join(folder, &name)));
        let found = files.find_map(|file| Some((process.runner.look_up(process.scope, &file)?, file)));
        let Some((other, file)) = found else { continue };
        // Its functions may be called here: what they do stands, for a reader of this file, where it brings them in.
        let mut inner = statements(&other.text);
        for statement in &mut inner {
            statement.at = include.at;
        }
        lists.set("CMAKE_CURRENT_LIST_DIR", &[around(&file)]);
        lists.define(&inner);
        lists.set("CMAKE_CURRENT_LIST_DIR", std::slice::from_ref(list));
    }
    lists.statements(&own);
    let included = std::mem::take(&mut lists.included);
    let values = lists.values.clone();
    let mut scope = process.scope.clone();
    scope.change_folder(binary);
    let recipes = match targets {
        None => lists.recipes,
        Some(named) => lists.of_targets(named),
    };
    let ran = recipe::run(process, &scope, (loaded, "cmake"), &recipes);
    let modules = values.iter().find(|(name, _)| name == "CMAKE_MODULE_PATH");
    let modules = modules.map_or("", |(_, folders)| folders).split(';').filter(|folder| !folder.is_empty());
    let modules: Vec<&str> = modules.collect();
    for (name, is_folder) in included.iter().take(MAX_NAMES) {
        let folders = std::iter::once(source.as_str()).chain(modules.iter().copied());
        let mut files = folders.map(|folder| path::join(source, &path::join(folder, name)));
        let found = files.find_map(|file| Some((process.runner.look_up(&scope, &file)?, file)));
        if let Some((inner, file)) = found.filter(|(inner, _)| inner.file != loaded.file) {
            let folder = around(&file);
            let source = if *is_folder { folder.clone() } else { source.clone() };
            let place = Place { source, binary: binary.clone(), list: folder };
            let own =
                |(name, _): &Given| name != "CMAKE_CURRENT_SOURCE_DIR" && name != "CMAKE_CURRENT_LIST_DIR";
            read(
                process,
                (&inner, &place),
                (targets, values.iter().filter(|value| own(value)).cloned().collect()),
            );
        }
    }
    ran.then(String::new)
}

/// The names that statements mention which may set them: all but those whose words are followed here.
fn named_in(all: &[Statement]) -> Vec<String> {
    const FOLLOWED: &str = " set unset if elseif else endif while endwhile foreach endforeach message function \
        endfunction macro endmacro return ";
    let others = all.iter().filter(|statement| !FOLLOWED.contains(&format!(" {} ", statement.name)));
    others.flat_map(|statement| statement.words.iter().cloned()).collect()
}

/// The values that a call gives: `-DNAME=value`, `-D NAME:TYPE=value`.
fn defined(args: &[Arg]) -> Vec<Given> {
    let words = options(args, "-D", "").filter_map(|word| word.split_once('='));
    let presets = args.iter().filter(|arg| arg.text.starts_with(PRESET) || arg.text == "-C");
    let presets = presets.map(|_| (PRESET.to_owned(), String::new()));
    words
        .map(|(name, value)| (name.split(':').next().unwrap_or(name).to_owned(), value.to_owned()))
        .chain(presets)
        .collect()
}

/// The option by which a call takes its values from a file, and as the name of one that says so.
const PRESET: &str = "--preset";

/// A statement: where it begins, its name in small letters, and its arguments.
#[derive(Debug, Clone)]
struct Statement {
    at: usize,
    name: String,
    words: Vec<String>,
}

/// The statements of a text, without comments.
fn statements(text: &str) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut rest = text;
    while found.len() < MAX_STATEMENTS {
        rest = after_comments(rest);
        let Some((name, _)) = rest.split_once('(') else { break };
        let at = text.len() - rest.len();
        let (words, after) = arguments(&rest[name.len() + 1..]);
        found.push(Statement { at, name: name.trim().to_ascii_lowercase(), words });
        rest = after;
    }
    found
}

/// A text from its first character that belongs to a statement.
fn after_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(comment) = rest.strip_prefix('#') {
        let after = match comment.strip_prefix("[[") {
            Some(bracket) => bracket.split_once("]]").map_or("", |(_, after)| after),
            None => comment.split_once('\n').map_or("", |(_, after)| after),
        };
        rest = after.trim_start();
    }
    rest
}

/// The arguments up to the bracket that closes, and what follows it. Brackets inside are arguments as well.
fn arguments(text: &str) -> (Vec<String>, &str) {
    let (mut words, mut depth, mut rest) = (Vec::new(), 0_u32, after_comments(text));
    while let Some(first) = rest.chars().next() {
        let mut word = String::new();
        match first {
            ')' if depth == 0 => return (words, &rest[1..]),
            '(' | ')' => {
                depth = if first == '(' { depth + 1 } else { depth - 1 };
                rest = &rest[1..];
                words.push(first.to_string());
            }
            '"' => {
                let mut chars = rest[1..].char_indices();
                let end = loop {
                    match chars.next() {
                        Some((_, '\\')) => word.extend(chars.next().map(|(_, c)| c)),
                        Some((at, '"')) => break at + 2,
                        Some((_, c)) => word.push(c),
                        None => break rest.len(),
                    }
                };
                rest = &rest[end..];
                words.push(word);
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '#' | ';');
                // `${x}` and `$<…>` hold what ends a word elsewhere.
                let end = rest.find(ends).unwrap_or(rest.len());
                word.push_str(&rest[..end]);
                rest = &rest[end..];
                rest = rest.strip_prefix(';').unwrap_or(rest);
                words.push(word);
            }
        }
        rest = after_comments(rest);
    }
    (words, "")
}

/// A target of a project's own: its name, whether it is built without being named, what it needs and runs.
struct Target {
    name: String,
    always: bool,
    needs: Vec<String>,
    recipes: Vec<Recipe>,
}

/// The lists of a project, as far as they have been read.
struct Lists<'s> {
    values: Vec<Given>,
    /// What runs while it is read.
    recipes: Vec<Recipe>,
    built: Vec<Target>,
    /// Files that are read as well, and whether each is that of a folder.
    included: Vec<(String, bool)>,
    /// Functions and macros: names in small letters, parameters, bodies.
    functions: Vec<(String, Vec<String>, Vec<Statement>)>,
    /// How many of them are at work.
    depth: usize,
    /// Statements that may still be looked at.
    left: usize,
    source: &'s str,
    /// In a script, where nothing comes from before: names that may have a value which is not known.
    named: Option<Vec<String>>,
    /// Conditions around the statement of which no one knows whether they hold.
    unsure: usize,
    /// What has ended: the function at work, or all.
    stopped: Option<Ends>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    Function,
    All,
}

/// Words of `add_custom_target` and its like that end a command.
const KEYWORDS: &str = "COMMAND ARGS DEPENDS BYPRODUCTS WORKING_DIRECTORY COMMENT VERBATIM ALL USES_TERMINAL SOURCES OUTPUT \
    TARGET PRE_BUILD PRE_LINK POST_BUILD MAIN_DEPENDENCY IMPLICIT_DEPENDS COMMAND_EXPAND_LISTS APPEND JOB_POOL \
    RESULT_VARIABLE OUTPUT_VARIABLE ERROR_VARIABLE RESULTS_VARIABLE TIMEOUT INPUT_FILE OUTPUT_FILE ERROR_FILE \
    OUTPUT_QUIET ERROR_QUIET COMMAND_ECHO ECHO_OUTPUT_VARIABLE ECHO_ERROR_VARIABLE COMMAND_ERROR_IS_FATAL \
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE ENCODING";

fn is_keyword(word: &str) -> bool {
    KEYWORDS.split_ascii_whitespace().any(|keyword| keyword == word)
}

/// The name of a file that `include` brings in.
fn with_ending(file: &str) -> String {
    let ending = if file.contains(".cmake") { "" } else { ".cmake" };
    format!("{file}{ending}")
}

/// The words after a keyword, up to the next one, each time it stands there.
fn after<'w>(words: &'w [String], keyword: &'w str) -> impl Iterator<Item = &'w [String]> {
    let at = words.iter().enumerate().filter(move |(_, word)| *word == keyword).map(|(at, _)| at + 1);
    at.map(|at| {
        let end = words[at..].iter().position(|word| is_keyword(word)).map_or(words.len(), |end| at + end);
        &words[at..end]
    })
}

impl Lists<'_> {
    /// The words with their variables; one may be several words.
    fn filled(&self, words: &[String]) -> Vec<String> {
        words
            .iter()
            .flat_map(|word| self.value(word).split(';').map(str::to_owned).collect::<Vec<_>>())
            .collect()
    }

    /// A word with the values of its variables, `${NAME}` and `$ENV{NAME}`, and a token for what only a build tells.
    fn value(&self, word: &str) -> String {
        let mut filled = String::new();
        let mut rest = word;
        while let Some((before, after)) = rest.split_once('$') {
            filled.push_str(before);
            let named = ["ENV{", "{"].into_iter().find_map(|opens| Some((opens, after.strip_prefix(opens)?)));
            let Some((opens, body)) = named else {
                // `$<TARGET_FILE:x>`
                let is_expression = after.starts_with('<');
                filled.push(if is_expression { mark::TOKEN } else { '$' });
                rest = if is_expression { after.split_once('>').map_or("", |(_, rest)| rest) } else { after };
                continue;
            };
            let (name, after) = body.split_once('}').unwrap_or((body, ""));
            let is_it = |known: &str| match opens {
                "{" => known == name,
                _ => known.strip_prefix("ENV ") == Some(name),
            };
            match self.values.iter().find(|(known, _)| is_it(known)) {
                Some((_, value)) => filled.push_str(value),
                None => match name.strip_suffix("_EXECUTABLE") {
                    // `find_package(Git)`, `find_package(Python3)`: the program of that name.
                    Some(program) if opens == "{" => filled.push_str(&program.to_ascii_lowercase()),
                    _ => filled.push(mark::TOKEN),
                },
            }
            rest = after;
        }
        filled + rest
    }

    /// The patterns of `file(GLOB name [LIST_DIRECTORIES true] "dir/*")`, which stand for what they find.
    fn patterns(&self, words: &[String]) -> Vec<String> {
        let takes_value = |word: &str| matches!(word, "LIST_DIRECTORIES" | "RELATIVE");
        let of_option = |at: usize| at > 0 && takes_value(&words[at - 1]);
        let is_option = |word: &str| takes_value(word) || word == "CONFIGURE_DEPENDS";
        let patterns = words.iter().enumerate().filter(|(at, word)| !of_option(*at) && !is_option(word));
        patterns.map(|(_, word)| path::join(self.source, word)).collect()
    }

    /// `file(REMOVE …)` and `file(REMOVE_RECURSE …)`, of which only the second takes folders.
    fn removal(&self, kind: &str, paths: &[String]) -> String {
        let word = |text: &str| quoted(&[Arg::from(text)]);
        // What `GLOB` finds is still a pattern here.
        let paths = paths.iter().map(|file| path::join(self.source, file)).map(|file| {
            match file.strip_suffix("/*") {
                Some(folder) => format!("{}/*", word(folder)),
                None => word(&file),
            }
        });
        let flags = if kind == "REMOVE" { "-f" } else { "-r -f" };
        format!("rm {flags} -- {}", paths.collect::<Vec<_>>().join(" "))
    }

    fn set(&mut self, name: &str, words: &[String]) {
        let ends = |word: &String| matches!(word.as_str(), "CACHE" | "PARENT_SCOPE");
        let end = words.iter().position(ends).unwrap_or(words.len());
        // What the call says stays, unless it is forced.
        if words.get(end).is_some_and(|word| word == "CACHE")
            && self.known(name).is_some()
            && !words.iter().any(|word| word == "FORCE")
        {
            return;
        }
        let value = words[..end].join(";");
        self.values.retain(|(known, _)| known != name);
        self.values.push((name.to_owned(), value));
    }

    fn known(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn statements(&mut self, all: &[Statement]) {
        let mut at = 0;
        while let Some(statement) = all.get(at).filter(|_| self.left > 0 && self.stopped.is_none()) {
            self.left -= 1;
            at += 1;
            let opens = statement.name.as_str();
            if !matches!(opens, "foreach" | "if" | "function" | "macro" | "while") {
                self.statement(statement);
                continue;
            }
            // A block with all that is inside it.
            let mut depth = 1;
            let closes = format!("end{opens}");
            let body = all[at..].iter().take_while(|inner| {
                depth += usize::from(inner.name == opens);
                depth -= usize::from(inner.name == closes);
                depth > 0
            });
            let body = &all[at..at + body.count()];
            at += body.len() + 1;
            let words = self.filled(&statement.words);
            match (opens, words.as_slice()) {
                ("foreach", [name, values @ ..]) => {
                    let lists = |values: &[String]| {
                        let of = |list: &String| self.values.iter().find(|(name, _)| name == list);
                        values
                            .iter()
                            .filter_map(of)
                            .flat_map(|(_, value)| value.split(';'))
                            .map(str::to_owned)
                            .collect()
                    };
                    let values: Vec<String> = match values {
                        [is, kind, lists_of @ ..] if is == "IN" && kind == "LISTS" => lists(lists_of),
                        [is, kind, items @ ..] if is == "IN" && kind == "ITEMS" => items.to_vec(),
                        values => values.to_vec(),
                    };
                    for value in values.iter().take(MAX_NAMES) {
                        self.set(name, std::slice::from_ref(value));
                        self.statements(body);
                    }
                }
                ("if", _) => self.choose(&statement.words, body),
                // It runs where it is called.
                ("function" | "macro", [name, parameters @ ..]) => {
                    let function = (name.to_ascii_lowercase(), parameters.to_vec(), body.to_vec());
                    self.functions.push(function);
                }
                _ => self.statements(body),
            }
        }
    }

    /// Takes the functions and the values of statements, and runs nothing.
    fn define(&mut self, all: &[Statement]) {
        let sets = |statement: &&Statement| {
            matches!(&*statement.name, "set" | "list" | "string" | "option" | "get_filename_component")
        };
        let mut depth = 0_usize;
        for statement in all {
            depth = depth.saturating_sub(usize::from(statement.name.starts_with("end")));
            if let Some(statement) = Some(statement).filter(|statement| depth == 0 && sets(statement)) {
                self.statement(statement);
            }
            depth +=
                usize::from(matches!(&*statement.name, "if" | "foreach" | "while" | "function" | "macro"));
        }
        let heads = all.iter().enumerate().filter(|(_, head)| matches!(&*head.name, "function" | "macro"));
        for (at, head) in heads {
            let closes = format!("end{}", head.name);
            let end =
                all[at..].iter().position(|inner| inner.name == closes).map_or(all.len(), |end| at + end + 1);
            self.statements(&all[at..end]);
        }
    }

    /// What follows does not run, where this surely does.
    fn stop(&mut self, ends: Ends) {
        if self.unsure == 0 {
            self.stopped = Some(ends);
        }
    }

    /// A part of a path: `get_filename_component(x FILE DIRECTORY)`.
    fn part_of(&self, file: &str, kind: &str) -> String {
        match kind {
            "ABSOLUTE" | "REALPATH" => path::join(self.source, file),
            "DIRECTORY" | "PATH" => around(file),
            "NAME" => file.rsplit('/').next().unwrap_or(file).to_owned(),
            _ => mark::TOKEN.to_string(),
        }
    }

    /// Runs a function of the lists' own with its arguments, if it is one.
    fn call(&mut self, name: &str, words: &[String]) -> bool {
        let Some(found) = self.functions.iter().rev().find(|(own, _, _)| own == name).cloned() else {
            return false;
        };
        let (_, parameters, body) = found;
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            for (parameter, word) in parameters.iter().zip(words) {
                self.set(parameter, std::slice::from_ref(word));
            }
            self.set("ARGV", words);
            self.set("ARGN", words.get(parameters.len()..).unwrap_or_default());
            self.statements(&body);
            self.depth -= 1;
            self.stopped = self.stopped.filter(|ends| *ends == Ends::All);
        }
        true
    }

    fn statement(&mut self, statement: &Statement) {
        let at = statement.at;
        let words = self.filled(&statement.words);
        if self.call(&statement.name, &words) {
            return;
        }
        let folder = after(&words, "WORKING_DIRECTORY").flatten().next();
        let folder = folder.map(|folder| format!("cd {} && ", quoted(&[Arg::from(folder.as_str())])));
        let line = |words: &[String]| {
            let words: Vec<Arg> = words.iter().map(|word| Arg::from(word.as_str())).collect();
            Recipe { at, text: format!("{}{}", folder.as_deref().unwrap_or(""), quoted(&words)) }
        };
        let commands =
            |keyword: &'static str| after(&words, keyword).filter(|words| !words.is_empty()).map(line);
        match (statement.name.as_str(), words.as_slice()) {
            ("set", [name, values @ ..]) => self.set(name, values),
            ("find_program", [name, names @ ..]) if self.known(name).is_none() => {
                let program = names.iter().find(|word| *word != "NAMES");
                self.set(name, program.map(std::slice::from_ref).unwrap_or_default());
            }
            // What a file says that the call names is not known.
            ("option", [name, _, rest @ ..])
                if self.known(name).is_none() && self.known(PRESET).is_none() =>
            {
                self.set(name, rest.get(..1).unwrap_or(&["OFF".to_owned()]));
            }
            ("list" | "string", [kind, name, more @ ..])
                if matches!(kind.as_str(), "APPEND" | "PREPEND" | "CONCAT") =>
            {
                let known = self.values.iter().find(|(own, _)| own == name && kind != "CONCAT");
                let before = known.map(|(_, value)| value.clone()).filter(|value| !value.is_empty());
                let parts: Vec<String> = before.into_iter().chain(more.iter().cloned()).collect();
                let joint = if statement.name == "list" { ";" } else { "" };
                self.set(name, &[parts.join(joint)]);
            }
            ("cmake_language", [eval, code, text])
                if eval == "EVAL" && code == "CODE" && self.depth < MAX_DEPTH =>
            {
                self.depth += 1;
                self.statements(&statements(text));
                self.depth -= 1;
            }
            // Several commands of one statement are a pipe.
            ("execute_process", _) => {
                let stages = after(&words, "COMMAND").filter(|words| !words.is_empty());
                let stages = stages.map(|words| {
                    quoted(&words.iter().map(|word| Arg::from(word.as_str())).collect::<Vec<_>>())
                });
                let pipe = stages.collect::<Vec<_>>().join(" | ");
                let text = format!("{}{pipe}", folder.as_deref().unwrap_or(""));
                self.recipes.extend((!pipe.is_empty()).then_some(Recipe { at, text }));
            }
            ("file", [kind, name, patterns @ ..]) if matches!(kind.as_str(), "GLOB" | "GLOB_RECURSE") => {
                let found = self.patterns(patterns);
                self.set(name, &found);
            }
            ("exec_program", [program, ..]) => self.recipes.push(Recipe { at, text: program.clone() }),
            ("file", [kind, paths @ ..]) if kind.starts_with("REMOVE") => {
                let text = self.removal(kind, paths);
                self.recipes.push(Recipe { at, text });
            }
            ("get_filename_component", [name, file, kind, ..]) => {
                let value = self.part_of(file, kind);
                self.set(name, &[value]);
            }
            ("unset", [name, ..]) => self.values.retain(|(known, _)| known != name),
            ("return", _) => self.stop(if self.depth > 0 { Ends::Function } else { Ends::All }),
            ("message", [kind, ..]) if kind == "FATAL_ERROR" => self.stop(Ends::All),
            ("include", [file, ..]) => self.included.push((with_ending(file), false)),
            ("add_subdirectory", [folder, ..]) => {
                self.included.push((format!("{folder}/CMakeLists.txt"), true));
            }
            ("add_custom_target", [name, rest @ ..]) => {
                // The first command may stand without its keyword.
                let first = rest.iter().skip_while(|word| *word == "ALL");
                let first: Vec<String> = first.take_while(|word| !is_keyword(word)).cloned().collect();
                let first = (!first.is_empty()).then(|| line(&first));
                self.built.push(Target {
                    name: name.clone(),
                    always: rest.first().is_some_and(|word| word == "ALL"),
                    needs: after(rest, "DEPENDS").flatten().cloned().collect(),
                    recipes: first.into_iter().chain(commands("COMMAND")).collect(),
                });
            }
            ("add_dependencies", [name, needs @ ..]) => {
                let target =
                    Target { name: name.clone(), always: false, needs: needs.to_vec(), recipes: Vec::new() };
                self.built.push(target);
            }
            ("add_custom_command", [kind, name, ..]) => {
                self.built.push(Target {
                    name: name.clone(),
                    // One that makes a file runs for the target that needs it: most belong to what is always built.
                    always: kind == "OUTPUT",
                    needs: Vec::new(),
                    recipes: commands("COMMAND").collect(),
                });
            }
            ("add_executable" | "add_library", [name, ..]) => {
                self.built.push(Target {
                    name: name.clone(),
                    always: true,
                    needs: Vec::new(),
                    recipes: Vec::new(),
                });
            }
            _ => {}
        }
    }

    /// What these targets run, or those that are built without a name; each after what it needs.
    fn of_targets(self, named: &[&str]) -> Vec<Recipe> {
        let all = named.is_empty() || named.contains(&"all");
        let usual = self.built.iter().filter(|target| all && target.always).map(|target| target.name.clone());
        let mut meant: Vec<String> = named.iter().map(|&name| name.to_owned()).chain(usual).collect();
        let mut at = 0;
        while let Some(name) = meant.get(at).cloned().filter(|_| at < MAX_STATEMENTS) {
            at += 1;
            for target in self.built.iter().filter(|target| target.name == name) {
                let new: Vec<String> =
                    target.needs.iter().filter(|need| !meant.contains(need)).cloned().collect();
                meant.extend(new);
            }
        }
        self.built
            .into_iter()
            .filter(|target| meant.contains(&target.name))
            .flat_map(|target| target.recipes)
            .collect()
    }
}
