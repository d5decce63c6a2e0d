//! Interpreters: which language each one runs, and where among its arguments the code stands.

use std::borrow::Cow;

use catalog::Code;
use shell_engine::Arg;

use super::{Language, preload};

/// How code is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Code(Language),
    /// Emacs Lisp, Scheme and Clojure.
    Lisp,
    Tcl,
}

/// An interpreter: its language, and where code stands in its arguments.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interpreter {
    pub(super) dialect: Dialect,
    code: &'static Code,
}

/// Where code comes from, and the arguments that it gets.
pub(super) enum Source<'a> {
    Argument(String, &'a [Arg]),
    File(&'a str, &'a [Arg]),
    /// A module, which lies beside if it is the project's own.
    Module(&'a str, &'a [Arg]),
    Input(&'a [Arg]),
}

/// The interpreter with this name; versions at its end do not matter.
pub(super) fn find(name: &str) -> Option<Interpreter> {
    let code = catalog::code(name)?;
    Some(Interpreter { dialect: dialect(code.language)?, code })
}

/// The language that the catalog calls so.
fn dialect(language: &str) -> Option<Dialect> {
    Some(Dialect::Code(match language {
        "awk" => Language::Awk,
        "elixir" => Language::Elixir,
        "go" => Language::Go,
        "javascript" => Language::JavaScript,
        "julia" => Language::Julia,
        "jvm" => Language::Jvm,
        "lua" => Language::Lua,
        "other" => Language::Other,
        "perl" => Language::Perl,
        "php" => Language::Php,
        "python" => Language::Python,
        "r" => Language::R,
        "ruby" => Language::Ruby,
        "lisp" => return Some(Dialect::Lisp),
        "tcl" => return Some(Dialect::Tcl),
        _ => return None,
    }))
}

/// `python -m MODULE`
fn of_module<'a>(module: &'a str, args: &'a [Arg]) -> Source<'a> {
    match module {
        "timeit" => timed(args),
        "pdb" => debugged(args).unwrap_or(Source::Module(module, args)),
        _ => Source::Module(module, args),
    }
}

/// `python -m pdb -c COMMAND FILE`: what is not a command of the debugger is a statement.
fn debugged(args: &[Arg]) -> Option<Source<'_>> {
    let lines = args.windows(2).filter(|pair| matches!(pair[0].text.as_str(), "-c" | "--command"));
    let lines: Vec<&str> = lines.map(|pair| pair[1].text.trim_start_matches('!')).collect();
    (!lines.is_empty()).then(|| Source::Argument(lines.join("\n"), &[]))
}

/// `python -m timeit -s SETUP CODE…`: each operand is a line.
fn timed(args: &[Arg]) -> Source<'_> {
    let mut lines: Vec<&str> = Vec::new();
    let mut words = args.iter().map(|arg| arg.text.as_str());
    while let Some(word) = words.next() {
        match word {
            "-s" | "--setup" => lines.extend(words.next()),
            "-n" | "-r" | "-u" | "--number" | "--repeat" | "--unit" => drop(words.next()),
            option if option.starts_with('-') => lines.extend(option.strip_prefix("--setup=")),
            line => lines.push(line),
        }
    }
    Source::Argument(lines.join("\n"), &[])
}

fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Whether a name leads back to standard input.
fn is_input(file: &str) -> bool {
    file == "-" || shell_engine::path::is_stdin(file)
}

/// The arguments of an interpreter that a first line names: the script is its only one.
static NO_OPTIONS: Code =
    Code { language: "", options: "", letter: None, values: "", files: "", commands: "", checks: "" };

impl Interpreter {
    /// The interpreter of a script's first line.
    pub(super) fn of(dialect: Dialect) -> Self {
        Self { dialect, code: &NO_OPTIONS }
    }

    /// Where the code stands. `None` if there is none.
    pub(super) fn source<'a>(&self, args: &'a [Arg]) -> Option<Source<'a>> {
        let awk = self.dialect == Dialect::Code(Language::Awk);
        let mut bodies: Vec<Cow<'a, str>> = Vec::new();
        let mut file = None;
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            let text = arg.text.as_str();
            let value = || args.get(at + 1).map(|arg| arg.text.as_str());
            let (name, attached) = match text.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value)),
                _ => (text, None),
            };
            if has(self.code.options, name) && !text.is_empty() {
                if let Some(body) = attached {
                    bodies.push(body.into());
                    at += 1;
                } else {
                    // `deno eval --ext=ts CODE`
                    let mut skip = at + 1;
                    while !name.starts_with('-')
                        && args.get(skip).is_some_and(|arg| arg.text.starts_with("--"))
                    {
                        skip += 1;
                    }
                    bodies.push(args.get(skip)?.text.as_str().into());
                    at = skip + 1;
                }
            } else if has(self.code.checks, name) && !text.is_empty() {
                return None;
            } else if has(self.code.files, name) {
                file = attached.or_else(value);
                at += if attached.is_some() { 1 } else { 2 };
                if awk && matches!(name, "-i" | "--include") {
                    file = None;
                }
            } else if has(self.code.commands, text) && bodies.is_empty() {
                at += 1;
            } else if text == "-m" && self.dialect == Dialect::Code(Language::Python) {
                let module = value()?;
                let rest = &args[at + 2..];
                return Some(of_module(module, rest));
            } else if text == "--" {
                at += 1;
                break;
            } else if has(self.code.values, name) {
                // `node --import 'data:text/javascript,CODE'`
                let given = attached.or_else(value).and_then(preload::in_data_url);
                bodies.extend(given.map(Cow::from));
                at += if attached.is_some() { 1 } else { 2 };
            } else if let Some(body) = self.attached(text) {
                bodies.push(body.into());
                at += 1;
            } else if self.ends_bundle(text) {
                bodies.push(args.get(at + 1)?.text.as_str().into());
                at += 2;
            } else if text.starts_with(['-', '+']) && text.len() > 1
                // Emacs opens files that stand among its options.
                || self.dialect == Dialect::Lisp && args[..at].iter().any(|arg| arg.text.ends_with("-batch"))
            {
                at += 1;
            } else {
                break;
            }
            // What follows the code of Python is for the code.
            if !bodies.is_empty() && self.dialect == Dialect::Code(Language::Python) {
                break;
            }
        }
        let rest = args.get(at..).unwrap_or(&[]);
        if !bodies.is_empty() {
            return Some(self.of_bodies(&bodies, args.get(..at).unwrap_or(args), rest));
        }
        Self::of_rest(awk, file, rest)
    }

    /// The source where no option holds code: `file`, if an option names one, and the operands.
    fn of_rest<'a>(awk: bool, file: Option<&'a str>, rest: &'a [Arg]) -> Option<Source<'a>> {
        match (file, rest) {
            // `-f -` reads the program from standard input.
            (Some(file), _) if is_input(file) => Some(Source::Input(rest)),
            (Some(file), _) => Some(Source::File(file, rest)),
            // awk's first operand is its program; other interpreters take a file.
            (None, [program, rest @ ..]) if awk => Some(Source::Argument(program.text.clone(), rest)),
            (None, [file, rest @ ..]) if !is_input(&file.text) => Some(Source::File(&file.text, rest)),
            (None, [_, rest @ ..]) => Some(Source::Input(rest)),
            (None, []) if awk => None,
            (None, []) => Some(Source::Input(&[])),
        }
    }

    /// Code from arguments, of which there may be several.
    fn of_bodies<'a>(&self, bodies: &[Cow<'a, str>], before: &[Arg], rest: &'a [Arg]) -> Source<'a> {
        let body = bodies.join("\n");
        // `node -p VALUE` prints it.
        let prints = self.dialect == Dialect::Code(Language::JavaScript)
            && !body.contains([';', '\n'])
            && before.iter().any(|arg| matches!(arg.text.as_str(), "-p" | "--print" | "-pe"));
        Source::Argument(if prints { format!("console.log({body})") } else { body }, rest)
    }

    /// Code right after its letter: `-e'system("x")'`, `-ccode`.
    fn attached<'a>(&self, text: &'a str) -> Option<&'a str> {
        let short = self.code.options.split(' ').find(|option| {
            option.len() == 2 && text.len() > 2 && text.starts_with(*option) && self.code.letter.is_some()
        })?;
        Some(&text[short.len()..])
    }

    /// Whether it is a bundle of letters that ends with the one that takes code.
    fn ends_bundle(&self, text: &str) -> bool {
        let Some(letter) = self.code.letter else { return false };
        // `perl -lane`, `ruby -ne`; Perl's `-E` is its `-e` with newer features.
        let ends = text.ends_with(letter) || letter == 'e' && text.ends_with('E');
        text.len() > 2
            && text.starts_with('-')
            && !text.starts_with("--")
            && ends
            // One that takes a value takes the rest: `-Mstrict`, `-rjson`; Python's `-I` has none.
            && !text[1..text.len() - 1].chars().any(|letter| catalog::has_letter(self.code.values, letter))
    }

    /// Variables that `awk -v name=value` sets.
    pub(super) fn variables(&self, args: &[Arg]) -> Vec<(String, String)> {
        if self.dialect != Dialect::Code(Language::Awk) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let text = match arg.text.as_str() {
                "-v" | "--assign" => args.get(at + 1).map(|arg| arg.text.as_str()),
                text => text.strip_prefix("-v").or_else(|| text.strip_prefix("--assign=")),
            };
            if let Some((name, value)) = text.and_then(|text| text.split_once('=')) {
                found.push((name.to_owned(), value.to_owned()));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(line: &str) -> String {
        let args: Vec<Arg> = line.split(' ').map(Arg::from).collect();
        match find(&args[0].text).unwrap().source(&args[1..]) {
            Some(Source::Argument(body, rest)) => format!("{body}|{}", rest.len()),
            Some(Source::File(file, rest)) => format!("file {file}|{}", rest.len()),
            Some(Source::Module(module, rest)) => format!("module {module}|{}", rest.len()),
            Some(Source::Input(rest)) => format!("input|{}", rest.len()),
            None => "none".to_owned(),
        }
    }

    #[test]
    fn every_language_of_the_catalog_is_known() {
        for code in catalog::interpreters() {
            assert!(dialect(code.language).is_some(), "{}", code.language);
        }
    }

    #[test]
    fn code_is_found_among_the_arguments() {
        for (line, expected) in [
            ("python3.12 -c CODE a b", "CODE|2"),
            ("python -Bc CODE", "CODE|0"),
            ("python -cCODE", "CODE|0"),
            ("python -m http.server", "module http.server|0"),
            ("python -m timeit -n 5 -s A CODE", "A\nCODE|0"),
            ("python -W ignore x.py", "file x.py|0"),
            ("python -", "input|0"),
            ("perl -MFile::Path -e CODE", "CODE|0"),
            ("perl -lane CODE x", "CODE|1"),
            ("perl -e A -e B", "A\nB|0"),
            ("ruby -rfileutils -e CODE", "CODE|0"),
            ("node --input-type=module -e CODE", "CODE|0"),
            ("node --eval=CODE", "CODE|0"),
            ("deno eval CODE", "CODE|0"),
            ("deno run -A -", "input|0"),
            ("bun run x.ts", "file x.ts|0"),
            ("awk -F: CODE x", "CODE|1"),
            ("awk -F : -v a=b CODE", "CODE|0"),
            ("awk -f x.awk y", "file x.awk|1"),
            ("php -r CODE", "CODE|0"),
            ("Rscript --vanilla -e CODE", "CODE|0"),
            ("julia -e CODE", "CODE|0"),
        ] {
            assert_eq!(body(line), expected, "{line}");
        }
    }
}
