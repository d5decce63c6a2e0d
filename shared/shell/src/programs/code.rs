//! Tools with a small language of their own, in which a word starts a program: m4, rpm's macros, dc, fzf's keys.

use shell_engine::{Arg, Process};

use super::{QUOTES, options, quoted, script_at};

/// `syscmd(LINE)` and `esyscmd(LINE)`, in its input and in the files that this command has written.
pub(super) fn m4(process: &mut Process<'_>) -> Vec<String> {
    let files = process.args().iter().map(|arg| arg.text.as_str()).filter(|text| !text.starts_with('-'));
    let files: Vec<String> = files.map(str::to_owned).collect();
    let mut texts: Vec<_> = files.iter().filter_map(|file| script_at(process, file)).collect();
    texts.extend(process.call.io.stdin.clone());
    let mut lines = Vec::new();
    let defined = defined(process.args(), texts.iter().map(|text| &**text));
    for text in texts {
        for rest in text.split("syscmd(").skip(1) {
            lines.push(expanded(bracketed(rest, '(', ')'), &defined));
        }
    }
    lines
}

/// What m4 prints of a text: its macros replaced.
pub(super) fn m4_printed(args: &[Arg], text: &str) -> Option<String> {
    if text.contains("syscmd(") || shell_engine::mark::any(text) {
        return None;
    }
    let defined = defined(args, std::iter::once(text));
    // The definitions themselves print nothing.
    let mut printed = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("define(") {
        printed.push_str(before);
        rest = &after[bracketed(after, '(', ')').len()..];
        rest = rest.strip_prefix(')').unwrap_or(rest);
    }
    printed.push_str(rest);
    Some(expanded(&printed.replace("dnl", ""), &defined))
}

/// The macros that are defined: `-D NAME=TEXT`, ``define(`NAME', `TEXT')``.
fn defined<'t>(args: &[Arg], texts: impl Iterator<Item = &'t str>) -> Vec<(String, String)> {
    let own = options(args, "-D", "--define").filter_map(|given| given.split_once('='));
    let mut found: Vec<(String, String)> =
        own.map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
    for rest in texts.flat_map(|text| text.split("define(").skip(1)) {
        if let Some((name, text)) = bracketed(rest, '(', ')').split_once(',') {
            found.push((unquoted(name.trim()), unquoted(text.trim())));
        }
    }
    found
}

/// m4 quotes from a grave accent to an apostrophe, and takes both away.
fn unquoted(text: &str) -> String {
    text.replace(['`', '\''], "")
}

/// A text with the names of macros replaced.
fn expanded(text: &str, defined: &[(String, String)]) -> String {
    let mut text = unquoted(text);
    for _ in 0..MAX_EXPANSIONS {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut next = String::new();
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|c| is_name(c) != is_name(first)).unwrap_or(rest.len());
            let word = &rest[..end];
            next.push_str(defined.iter().find(|(name, _)| name == word).map_or(word, |(_, text)| text));
            rest = &rest[end..];
        }
        if next == text || next.len() > MAX_EXPANDED {
            break;
        }
        text = next;
    }
    text
}

/// How often what a macro stands for is read once more, and how long it gets.
const MAX_EXPANSIONS: usize = 8;
const MAX_EXPANDED: usize = 16 * 1024;

/// Macros run lines, and Lua: `--eval '%(LINE)'`, `--define 'x %{lua:CODE}'`; `--pipe LINE` gets the output.
pub(super) fn rpm(args: &[Arg]) -> Vec<String> {
    let mut lines: Vec<String> = options(args, "", "--pipe").map(str::to_owned).collect();
    for arg in args {
        lines.extend(arg.text.split("%(").skip(1).map(|rest| bracketed(rest, '(', ')').to_owned()));
        let lua = arg.text.split("%{lua:").skip(1).map(|rest| bracketed(rest, '{', '}'));
        lines.extend(lua.map(|code| format!("lua -e {}", quoted(&[Arg::from(code)]))));
    }
    lines
}

/// A line after `!` goes to a shell.
pub(super) fn dc(process: &mut Process<'_>) -> Vec<String> {
    let args = process.args();
    let mut scripts: Vec<std::rc::Rc<str>> =
        super::bundled("dc", args, 'e', "--expression").into_iter().map(std::rc::Rc::from).collect();
    let files = super::bundled("dc", args, 'f', "--file");
    scripts.extend(files.into_iter().filter_map(|file| script_at(process, file)));
    scripts.extend(process.call.io.stdin.clone());
    let lines = scripts.iter().flat_map(|script| script.lines());
    // `!<x` and its like compare numbers.
    let lines = lines.filter_map(|line| line.split_once('!').map(|(_, line)| line));
    lines.filter(|line| !line.starts_with(['<', '>', '='])).map(str::to_owned).collect()
}

/// Actions of keys and events that run a line, besides the preview: `--bind 'start:execute(LINE)'`.
pub(super) fn fzf(args: &[Arg]) -> Vec<String> {
    let mut lines: Vec<String> = options(args, "", "--preview").map(str::to_owned).collect();
    for bindings in options(args, "", "--bind") {
        for action in ["execute", "become", "reload", "transform", "preview", "unbind-execute"] {
            for rest in bindings.split(action).skip(1) {
                // `execute-silent(LINE)`, `reload-sync(LINE)`, and `execute:LINE`, which goes on to the end.
                let rest = rest.trim_start_matches(|c: char| c == '-' || c.is_ascii_lowercase());
                let mut chars = rest.chars();
                let line = match chars.next() {
                    Some('(') => bracketed(chars.as_str(), '(', ')'),
                    Some('[') => bracketed(chars.as_str(), '[', ']'),
                    Some('{') => bracketed(chars.as_str(), '{', '}'),
                    Some(':') => chars.as_str(),
                    Some(c @ ('~' | '!' | '@' | '#' | '$' | '%' | '^' | '&' | '*' | ';' | '/' | '|')) => {
                        chars.as_str().split(c).next().unwrap_or("")
                    }
                    _ => continue,
                };
                lines.push(line.to_owned());
            }
        }
    }
    lines
}

/// What stands in front of the bracket that closes one which was opened just before.
pub(super) fn bracketed(text: &str, open: char, close: char) -> &str {
    let mut depth = 1_usize;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
        }
        if depth == 0 {
            return &text[..at];
        }
    }
    text
}

/// A literal of code, with the word before it and what comes after it.
struct Literal<'t> {
    before: &'t str,
    text: &'t str,
    after: &'t str,
}

/// The literals of code in a language that no one reads here, by either quote.
fn literals(code: &str) -> Vec<Literal<'_>> {
    let mut found = Vec::new();
    for quote in QUOTES {
        let mut before = "";
        let mut rest = code;
        for (at, part) in code.split(quote).enumerate() {
            rest = rest.get(part.len() + usize::from(at > 0)..).unwrap_or("");
            if at % 2 == 0 {
                before = part;
            } else {
                found.push(Literal { before, text: part, after: rest.get(1..).unwrap_or("") });
            }
        }
    }
    found
}

/// The last word of a piece of code, in small letters.
fn last_word(code: &str) -> String {
    let word = code.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
    word.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("").to_ascii_lowercase()
}

/// String literals of code in a language that no one reads here, if the word before them says that they are run:
/// `Sys.command "rm x"`, `System.Process.callCommand "rm x"`, and with their arguments `callProcess "rm" ["-rf", "x"]`.
pub(super) fn started(code: &str) -> Vec<String> {
    const RUNS: &[&str] = &["command", "system", "exec", "shell", "spawn", "popen", "process", "cmd", "run"];
    let mut found = Vec::new();
    for Literal { before, text, after } in literals(code) {
        let word = last_word(before);
        // A literal after a comma is an argument of something else.
        if before.trim_end().ends_with(',') || !RUNS.iter().any(|runs| word.contains(runs)) {
            continue;
        }
        let list = after.trim_start().strip_prefix('[').filter(|_| !text.contains(' '));
        let list = list.map_or("", |list| list.split(']').next().unwrap_or(list));
        let words = list.split(',').map(|word| match word.trim().trim_matches(QUOTES) {
            home if is_home(home) && word.trim() == home => "~".to_owned(),
            word => quoted(&[Arg::from(word)]),
        });
        let words = if list.trim().is_empty() { Vec::new() } else { words.collect::<Vec<_>>() };
        found.push(std::iter::once(text.to_owned()).chain(words).collect::<Vec<_>>().join(" "));
    }
    found
}

/// Whether a name of code is likely to stand for the home folder.
fn is_home(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "home" || name.ends_with("homedir") || name.ends_with("homedirectory")
}

/// Paths in code in a language that no one reads here, if the word before them says that they are deleted with all below:
/// `removeDirectoryRecursive "x"`, `rmdir('x','s')`.
pub(super) fn deleted(code: &str) -> Vec<&str> {
    let literals = literals(code).into_iter();
    literals.filter(|literal| deletes(&last_word(literal.before))).map(|literal| literal.text).collect()
}

/// Whether a word says that a path is deleted with all below.
fn deletes(word: &str) -> bool {
    const DELETES: &str = "removedirectoryrecursive removepathforcibly deleterecursively deletesync deletedirectory \
                           removeall rmtree rmdir delete";
    DELETES.split(' ').any(|known| known == word)
}

/// Whether code deletes the home folder, which it asks for: `getHomeDirectory >>= removeDirectoryRecursive`.
pub(super) fn deletes_home(code: &str) -> bool {
    let mut words = code.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
    let deletes = |word: &str| matches!(word, "removedirectoryrecursive" | "removepathforcibly");
    let asks = code.contains("getHomeDirectory") || code.contains("\"HOME\"");
    asks && words.any(|word| deletes(&word)) && deleted(code).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_inside_belong_to_the_line() {
        assert_eq!(bracketed("rm $(ls) x) + y", '(', ')'), "rm $(ls) x");
        assert_eq!(bracketed("rm x", '(', ')'), "rm x");
    }

    #[test]
    fn actions_of_keys_are_lines() {
        let args = ["--bind", "ctrl-a:execute-silent(rm x)+abort,start:reload:rm y"].map(Arg::from);
        assert_eq!(fzf(&args), ["rm x", "rm y"]);
    }

    #[test]
    fn a_literal_counts_where_it_is_run() {
        assert_eq!(started("Sys.command \"rm x\""), ["rm x"]);
        assert_eq!(started("let x = system('rm y')"), ["rm y"]);
        assert!(started("print \"rm x\"; say('rm y')").is_empty());
        assert_eq!(started("callProcess \"rm\" [\"-rf\", home]"), ["rm '-rf' ~"]);
    }
}
