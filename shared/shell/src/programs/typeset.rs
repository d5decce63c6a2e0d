//! Programs that draw and set type, whose files start programs: gnuplot, LaTeX.

use shell_engine::Process;

use super::code::{bracketed, started};
use super::tools::bang_lines;
use super::{QUOTES, options, script_at};

/// Statements and macros of one file that are looked at.
const MAX_PARTS: usize = 500;
/// How often what a macro stands for is read once more, and how long the text gets.
const MAX_EXPANSIONS: usize = 6;
const MAX_EXPANDED: usize = 64 * 1024;
/// Files of one document.
const MAX_FILES: usize = 8;

/// Lines that gnuplot hands to a shell: `!rm x`, `system('rm x')`, `system(sprintf("rm %s", x))`, and what it reads from:
/// `plot '< rm x'`.
pub(super) fn gnuplot(process: &mut Process<'_>) -> Vec<String> {
    let args = process.args();
    let mut texts: Vec<std::rc::Rc<str>> = options(args, "-e", "").map(std::rc::Rc::from).collect();
    let files =
        args.iter().map(|arg| arg.text.as_str()).filter(|word| !word.starts_with('-') && word.contains('.'));
    let files: Vec<&str> = files.collect();
    texts.extend(files.into_iter().filter_map(|file| script_at(process, file)));
    texts.extend(process.call.io.stdin.clone());
    let mut lines = Vec::new();
    // What one file sets, the next one knows.
    let mut variables = Vec::new();
    for text in texts {
        lines.extend(bang_lines(&text));
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
        for statement in code.iter().flat_map(|line| statements(line)).take(MAX_PARTS) {
            match run_by_gnuplot(statement, &mut variables) {
                Some(line) => lines.push(line),
                None => lines.extend(started(statement)),
            }
        }
        let pipes = code.iter().flat_map(|line| line.split(QUOTES).skip(1).step_by(2));
        lines.extend(pipes.filter_map(|text| text.trim_start().strip_prefix('<')).map(str::to_owned));
    }
    lines
}

/// The statements of a line.
fn statements(line: &str) -> Vec<&str> {
    split_outside(line, |c| matches!(c, ';' | '{' | '}'))
}

/// The parts of code between such characters that stand outside of strings and brackets.
fn split_outside(code: &str, ends: impl Fn(char) -> bool) -> Vec<&str> {
    let (mut parts, mut from, mut quote, mut depth) = (Vec::new(), 0, None, 0_u32);
    for (at, c) in code.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, c) if depth == 0 && ends(c) => {
                parts.push(&code[from..at]);
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&code[from..]);
    parts
}

/// The line that a statement of gnuplot's hands to a shell, and what it sets.
fn run_by_gnuplot(statement: &str, variables: &mut Vec<(String, String)>) -> Option<String> {
    let statement = statement.trim();
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if let Some(line) = statement.strip_prefix("system") {
        return text_of(line, variables);
    }
    let (name, value) = statement.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    let text = text_of(value, variables).filter(|_| is_name(name) && !value.starts_with('='))?;
    variables.retain(|(known, _)| known != name);
    variables.push((name.to_owned(), text));
    let run = value.strip_prefix("system")?;
    text_of(run, variables)
}

/// What an expression of gnuplot's is as a part of a shell's line. `None` where that is not known.
fn text_of(code: &str, variables: &[(String, String)]) -> Option<String> {
    let mut whole = String::new();
    for part in split_outside(code.trim(), |c| c == '.') {
        let part = part.trim();
        let quoted = |quote: char| part.strip_prefix(quote)?.strip_suffix(quote);
        if let Some(text) = quoted('"').or_else(|| quoted('\'')) {
            whole.push_str(text);
        } else if let Some(inner) = part.strip_prefix('(').and_then(|part| part.strip_suffix(')')) {
            whole.push_str(&text_of(inner, variables)?);
        } else if let Some(inner) = part.strip_prefix("system(").and_then(|part| part.strip_suffix(')')) {
            whole.extend(["$(", &text_of(inner, variables)?, ")"]);
        } else if let Some(inner) = part.strip_prefix("sprintf(").and_then(|part| part.strip_suffix(')')) {
            let mut parts = split_outside(inner, |c| c == ',').into_iter();
            let mut format = text_of(parts.next()?, variables)?;
            for value in parts {
                let at = format.find('%')?;
                let end = at + format[at..].find(|c: char| c.is_ascii_alphabetic())? + 1;
                format.replace_range(at..end, &text_of(value, variables)?);
            }
            whole.push_str(&format);
        } else if part.parse::<f64>().is_ok() {
            whole.push_str(part);
        } else {
            whole.push_str(variables.iter().find(|(name, _)| name == part).map(|(_, text)| text)?);
        }
    }
    (whole.len() < MAX_EXPANDED).then_some(whole)
}

/// A macro of a document: its name, how many arguments it takes, and what it stands for.
struct Macro {
    name: String,
    takes: usize,
    body: String,
}

/// Lines that a document of LaTeX's hands to a shell, where the call allows that: `\write18{rm x}`.
pub(super) fn latex(process: &mut Process<'_>) -> Vec<String> {
    const ALLOWS: [&str; 3] = ["shell-escape", "enable-write18", "enable-pipes"];
    let args = process.args();
    if !args.iter().any(|arg| ALLOWS.contains(&arg.text.trim_start_matches('-'))) {
        return Vec::new();
    }
    let is_file = |word: &&str| !word.starts_with(['-', '\\']);
    let mut files: Vec<String> =
        args.iter().map(|arg| arg.text.as_str()).filter(is_file).map(str::to_owned).collect();
    let given = args.iter().filter(|arg| arg.text.starts_with('\\')).map(|arg| arg.text.clone());
    let mut text: String = given.collect();
    let mut at = 0;
    while let Some(file) = files.get(at).filter(|_| at < MAX_FILES).cloned() {
        at += 1;
        let loaded = script_at(process, &file).or_else(|| script_at(process, &format!("{file}.tex")));
        let Some(loaded) = loaded else { continue };
        for line in loaded.lines() {
            text.push_str(without_comment(line));
            text.push('\n');
        }
        let named = ["\\input{", "\\include{"].into_iter().flat_map(|word| loaded.split(word).skip(1));
        files.extend(named.filter_map(|rest| rest.split('}').next()).map(str::to_owned));
    }
    let (text, macros) = without_definitions(&text);
    let text = replaced(text, &macros);
    let mut lines = Vec::new();
    for call in ["\\write18{", "\\write18 {", "\\ShellEscape{", "\\sys_shell_now:n{", "\\sys_shell_now:n {"] {
        lines.extend(text.split(call).skip(1).map(|rest| written(bracketed(rest, '{', '}'))));
    }
    // It reads what a program prints.
    for call in ["\\input{|", "\\input|", "\\openin18{|"] {
        let rests = text.split(call).skip(1).map(|rest| rest.trim_start_matches('"'));
        lines.extend(rests.filter_map(|rest| rest.split(['"', '}', '\n']).next()).map(written));
    }
    lines.extend(text.split("os.execute(").skip(1).map(|rest| {
        let code = bracketed(rest, '(', ')').trim();
        code.trim_matches(QUOTES).to_owned()
    }));
    lines
}

fn without_comment(line: &str) -> &str {
    let is_comment = |at: &usize| !line[..*at].ends_with('\\');
    line.match_indices('%').map(|(at, _)| at).find(is_comment).map_or(line, |at| &line[..at])
}

/// A line as LaTeX writes it.
fn written(line: &str) -> String {
    let plain = line.replace("\\string", "").replace("\\detokenize", "").replace("\\space", " ");
    plain.replace("\\%", "%").replace("\\#", "#").replace("\\_", "_").replace("\\$", "$").replace('\n', " ")
}

/// A document without the definitions of its macros, and these.
fn without_definitions(text: &str) -> (String, Vec<Macro>) {
    const DEFINES: [&str; 6] =
        ["\\newcommand", "\\renewcommand", "\\providecommand", "\\def\\", "\\edef\\", "\\gdef\\"];
    let (mut rest, mut left, mut macros) = (text, String::new(), Vec::new());
    let first = |rest: &str| DEFINES.iter().filter_map(|word| rest.find(word).map(|at| (at, *word))).min();
    while let Some((at, word)) = first(rest).filter(|_| macros.len() < MAX_PARTS) {
        left.push_str(&rest[..at]);
        rest = rest[at + word.len()..].trim_start_matches('*');
        rest = rest.trim_start_matches(['{', '\\']);
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        rest = rest[end..].trim_start_matches('}');
        let Some((head, body)) = rest.split_once('{') else { continue };
        // `[2]`, or `#1#2`
        let takes = head.matches('#').count();
        let takes = head
            .trim_start_matches('[')
            .split(']')
            .next()
            .and_then(|count| count.parse().ok())
            .unwrap_or(takes);
        let body = bracketed(body, '{', '}');
        rest = &rest[head.len() + 1 + body.len()..];
        rest = rest.strip_prefix('}').unwrap_or(rest);
        if !name.is_empty() {
            macros.push(Macro { name, takes, body: body.to_owned() });
        }
    }
    left.push_str(rest);
    (left, macros)
}

/// A document with what its macros stand for.
fn replaced(mut text: String, macros: &[Macro]) -> String {
    for _ in 0..MAX_EXPANSIONS {
        let mut next = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once('\\') {
            next.push_str(before);
            let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
            let (name, mut left) = after.split_at(end);
            match macros.iter().rev().find(|known| known.name == name) {
                Some(known) => {
                    let mut body = known.body.clone();
                    for number in 1..=known.takes.min(9) {
                        let Some(inner) = left.trim_start().strip_prefix('{') else { break };
                        let argument = bracketed(inner, '{', '}');
                        body = body.replace(&format!("#{number}"), argument);
                        left = inner.get(argument.len() + 1..).unwrap_or_default();
                    }
                    next.push_str(&body);
                }
                None => next.extend(["\\", name]),
            }
            rest = left;
        }
        next.push_str(rest);
        if next == text || next.len() > MAX_EXPANDED {
            break;
        }
        text = next;
    }
    text
}
