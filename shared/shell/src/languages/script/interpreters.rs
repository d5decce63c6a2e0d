//! Interpreters: which language each one runs, and where among its arguments the code stands.

use super::Language;
use crate::atom::Arg;

/// How code is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Code(Language),
    /// Emacs Lisp, Scheme and Clojure.
    Lisp,
    Tcl,
}

/// An interpreter's own arguments. Lists are text whose words are separated by blanks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interpreter {
    pub(super) dialect: Dialect,
    /// Options that take code.
    code: &'static str,
    /// The letter of such an option at the end of a bundle: `-Bc`, `-lane`.
    letter: Option<char>,
    /// Options that take something else.
    valued: &'static str,
    /// Options that take the name of a file with code.
    file: &'static str,
    /// Words before the code or the file: `deno eval`, `bun run`.
    commands: &'static str,
}

/// Where code comes from, and the arguments that it gets.
pub(super) enum Source<'a> {
    Argument(String, &'a [Arg]),
    File(&'a str, &'a [Arg]),
    Input(&'a [Arg]),
}

const fn of(
    language: Language,
    code: &'static str,
    letter: Option<char>,
    valued: &'static str,
) -> Interpreter {
    Interpreter { dialect: Dialect::Code(language), code, letter, valued, file: "", commands: "" }
}

/// The interpreter with this name; versions at its end do not matter.
pub(super) fn find(name: &str) -> Option<Interpreter> {
    use Language::{Awk, Elixir, Go, JavaScript, Julia, Jvm, Lua, Other, Perl, Php, Python, R, Ruby};
    // `python3.13t` is the build without a global lock.
    let name = name.strip_suffix('t').filter(|name| name.starts_with("python3.")).unwrap_or(name);
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    Some(match bare {
        "python" | "pypy" | "ipython" | "micropython" | "pythonw" | "py" | "bpython" | "sage" | "jython"
        | "graalpy" | "python-config" => of(Python, "-c", Some('c'), "-W -X -m --check-hash-based-pycs -Q"),
        "node" | "nodejs" | "tsx" | "ts-node" | "electron" | "esr" | "qjs" | "d" | "babel-node"
        | "swc-node" | "zx" => of(
            JavaScript,
            "-e -p --eval --print -pe",
            None,
            "-r --require --import --loader --experimental-loader -C --conditions --input-type --env-file --title -P --project -O",
        ),
        "bun" => Interpreter {
            commands: "run exec",
            ..of(JavaScript, "-e -p --eval --print", None, "-r --preload --cwd --env-file -c --config")
        },
        "deno" => Interpreter {
            commands: "eval run",
            ..of(
                JavaScript,
                "-e -p eval",
                None,
                "-c --config --import-map --cert --location --seed --ext -L --log-level -r",
            )
        },
        "ruby" | "jruby" | "irb" | "pry" | "truffleruby" | "mruby" | "crystal" => {
            Interpreter { commands: "eval", ..of(Ruby, "-e eval", Some('e'), "-r -I -C -E -F -K") }
        }
        "perl" | "raku" | "rakudo" => of(Perl, "-e -E", Some('e'), "-I -M -m -F -x"),
        "php" | "php-cli" | "hhvm" | "php-cgi" | "psysh" => Interpreter {
            file: "-f",
            ..of(
                Php,
                "-r -B -R -E --run --process-code --process-begin --process-end",
                None,
                "-d -c -t -S -z --define -n0",
            )
        },
        "lua" | "luajit" | "luau" | "texlua" | "nlua" => of(Lua, "-e", None, "-l"),
        "awk" | "gawk" | "mawk" | "nawk" | "goawk" | "original-awk" | "bwk" => Interpreter {
            file: "-f --file -i --include",
            ..of(Awk, "-e --source", None, "-F -v --assign --field-separator -l --load -L")
        },
        "Rscript" | "R" | "littler" | "r" => {
            Interpreter { file: "-f --file", ..of(R, "-e", None, "-g --gui -d") }
        }
        "groovy" | "scala" | "scala-cli" | "kotlin" | "kotlinc" | "groovysh" | "amm" | "java" | "jbang"
        | "jshell" => Interpreter {
            file: "--startup -R0",
            commands: "run shebang",
            ..of(
                Jvm,
                "-e --execute -q0",
                None,
                "-cp -classpath --class-path -D -c --code --source --feedback",
            )
        },
        "julia" => of(Julia, "-e -E --eval --print", None, "-L --load -t -p -C -J --project --threads"),
        "elixir" | "iex" => of(Elixir, "-e --eval --rpc-eval", None, "-r -pr -pa --name --sname --cookie"),
        "erl" | "escript" => of(Elixir, "-eval", None, "-s -name -sname"),
        "mix" => Interpreter { commands: "run", ..of(Elixir, "-e --eval", None, "") },
        "go" | "gorun" | "yaegi" | "gore" => {
            Interpreter { commands: "run", ..of(Go, "-e", None, "-exec -mod -tags -ldflags -gcflags") }
        }
        "swift" | "rust-script" | "evcxr" | "csi" | "csharp" | "dotnet-script" | "tcc" | "cling" | "root"
        | "rdmd" | "nimscript" => {
            Interpreter { commands: "eval", ..of(Other, "-e --expr eval --eval", None, "-d --dep") }
        }
        "emacs" | "emacsclient" | "guile" | "racket" | "sbcl" | "clojure" | "clj" | "bb" | "lein"
        | "chicken" | "csi-chicken" | "gosh" | "ecl" | "clisp" | "mit-scheme" | "janet" | "hy" | "chez"
        | "fennel" => Interpreter {
            dialect: Dialect::Lisp,
            code: "--eval -eval -c -e -x --execute",
            letter: None,
            valued: "-l --load -f --funcall -L --chdir -I -r",
            file: "--script -l --load --batch0",
            commands: "",
        },
        "tclsh" | "wish" | "jimsh" | "expectk" | "tclkit" => Interpreter {
            dialect: Dialect::Tcl,
            code: "-c -e",
            letter: None,
            valued: "-encoding",
            file: "",
            commands: "",
        },
        _ => return None,
    })
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

impl Interpreter {
    /// The interpreter of a script's first line.
    pub(super) fn of(dialect: Dialect) -> Self {
        Self { dialect, code: "", letter: None, valued: "", file: "", commands: "" }
    }

    /// Where the code stands. `None` if there is none, as for `python -m module`.
    pub(super) fn source<'a>(&self, args: &'a [Arg]) -> Option<Source<'a>> {
        let awk = self.dialect == Dialect::Code(Language::Awk);
        let mut bodies: Vec<&str> = Vec::new();
        let mut file = None;
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            let text = arg.text.as_str();
            let value = || args.get(at + 1).map(|arg| arg.text.as_str());
            let (name, attached) = match text.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value)),
                _ => (text, None),
            };
            if has(self.code, name) && !text.is_empty() {
                if let Some(body) = attached {
                    bodies.push(body);
                    at += 1;
                } else {
                    // `deno eval --ext=ts CODE`
                    let mut skip = at + 1;
                    while !name.starts_with('-')
                        && args.get(skip).is_some_and(|arg| arg.text.starts_with("--"))
                    {
                        skip += 1;
                    }
                    bodies.push(args.get(skip)?.text.as_str());
                    at = skip + 1;
                }
            } else if has(self.file, name) {
                file = attached.or_else(value);
                at += if attached.is_some() { 1 } else { 2 };
                if awk && matches!(name, "-i" | "--include") {
                    file = None;
                }
            } else if has(self.commands, text) && bodies.is_empty() {
                at += 1;
            } else if text == "-m" && self.dialect == Dialect::Code(Language::Python) {
                return (value() == Some("timeit")).then(|| timed(&args[at + 2..]));
            } else if text == "--" {
                at += 1;
                break;
            } else if has(self.valued, name) {
                at += if attached.is_some() { 1 } else { 2 };
            } else if let Some(body) = self.attached(text) {
                bodies.push(body);
                at += 1;
            } else if self.ends_bundle(text) {
                bodies.push(args.get(at + 1)?.text.as_str());
                at += 2;
            } else if text.starts_with(['-', '+']) && text.len() > 1 {
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
            return Some(Source::Argument(bodies.join("\n"), rest));
        }
        if let Some(file) = file {
            return Some(if file == "-" || file == "/dev/stdin" {
                Source::Input(rest)
            } else {
                Source::File(file, rest)
            });
        }
        match rest {
            [program, rest @ ..] if awk => Some(Source::Argument(program.text.clone(), rest)),
            [file, rest @ ..]
                if !matches!(file.text.as_str(), "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") =>
            {
                Some(Source::File(&file.text, rest))
            }
            [_, rest @ ..] => Some(Source::Input(rest)),
            [] if awk => None,
            [] => Some(Source::Input(&[])),
        }
    }

    /// Code right after its letter: `-e'system("x")'`, `-ccode`.
    fn attached<'a>(&self, text: &'a str) -> Option<&'a str> {
        let short = self.code.split(' ').find(|option| {
            option.len() == 2 && text.len() > 2 && text.starts_with(*option) && self.letter.is_some()
        })?;
        Some(&text[short.len()..])
    }

    /// Whether it is a bundle of letters that ends with the one that takes code.
    fn ends_bundle(&self, text: &str) -> bool {
        let Some(letter) = self.letter else { return false };
        let ends = text.ends_with(letter) || letter == 'e' && text.ends_with('E');
        text.len() > 2
            && text.starts_with('-')
            && !text.starts_with("--")
            && ends
            && !text.starts_with("-M")
            && !text.starts_with("-I")
            && !text.starts_with("-r")
            && !text.starts_with("-m")
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
            Some(Source::Input(rest)) => format!("input|{}", rest.len()),
            None => "none".to_owned(),
        }
    }

    #[test]
    fn code_is_found_among_the_arguments() {
        for (line, expected) in [
            ("python3.12 -c CODE a b", "CODE|2"),
            ("python -Bc CODE", "CODE|0"),
            ("python -cCODE", "CODE|0"),
            ("python -m http.server", "none"),
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
