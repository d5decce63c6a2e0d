//! Filters with a script: whether a script of sed or awk does nothing but make text of text.

use shell_engine::{Arg, mark};

/// Whether what this call of sed or awk is given neither writes a file nor starts a program. What is not understood in full
/// is not taken to be harmless; of any other program nothing is said.
pub fn only_filters(program: &str, args: &[Arg]) -> Option<bool> {
    match program {
        "sed" | "gsed" => Some(scripts(args, &SED).is_some_and(|all| all.iter().all(|one| sed(one)))),
        "awk" | "gawk" | "mawk" | "nawk" => {
            Some(scripts(args, &AWK).is_some_and(|all| all.iter().all(|one| awk(one))))
        }
        _ => None,
    }
}

/// The options of a filter that are known to change nothing but text.
struct Options {
    /// With a script as their value.
    script: &'static [&'static str],
    /// With another value.
    value: &'static [&'static str],
    /// Letters without one, which may be bundled.
    letters: &'static str,
    /// Long ones without one.
    long: &'static [&'static str],
}

const SED: Options = Options {
    script: &["-e", "--expression"],
    value: &["-l", "--line-length"],
    letters: "nErsuz",
    long: &[
        "--quiet",
        "--silent",
        "--regexp-extended",
        "--separate",
        "--unbuffered",
        "--null-data",
        "--posix",
        "--sandbox",
        "--debug",
    ],
};

const AWK: Options = Options {
    script: &[],
    value: &["-F", "-v", "--field-separator", "--assign"],
    letters: "",
    long: &["--posix", "--traditional", "--sandbox", "--re-interval", "--csv"],
};

/// The scripts of a call; none where an option is not known, or a word of it is not.
fn scripts<'a>(args: &'a [Arg], options: &Options) -> Option<Vec<&'a str>> {
    let mut scripts = Vec::new();
    let mut operand = None;
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let text = word.as_str();
        if operand.is_some() {
            // GNU's sed takes options after operands as well.
            if text.starts_with(['-', mark::UNSET]) && text.len() > 1 && !is_plain(text, options) {
                return None;
            }
            continue;
        }
        if !text.starts_with('-') || text == "-" {
            if mark::any(text) && text.starts_with(mark::is_mark) {
                return None;
            }
            operand = Some(text);
            continue;
        }
        if is_plain(text, options) {
            continue;
        }
        let glued = |name: &&&str| {
            let rest = text.strip_prefix(**name)?;
            Some(if name.starts_with("--") { rest.strip_prefix('=')? } else { rest })
        };
        let find = |names: &'static [&'static str]| {
            names.iter().find(|name| glued(name).is_some() || **name == text)
        };
        let is_script = find(options.script);
        let name = is_script.or_else(|| find(options.value))?;
        let value = if text == *name { words.next()?.as_str() } else { glued(&name)? };
        if is_script.is_some() {
            scripts.push(value);
        }
    }
    if scripts.is_empty() {
        scripts.push(operand?);
    }
    scripts.iter().all(|script| !mark::any(script)).then_some(scripts)
}

fn is_plain(text: &str, options: &Options) -> bool {
    let bundle = || {
        let letters = text.strip_prefix('-').unwrap_or_default();
        !letters.is_empty() && letters.chars().all(|letter| options.letters.contains(letter))
    };
    options.long.contains(&text) || bundle()
}

/// Whether a script of sed only edits its stream: addresses, `p`, `d`, `q`, `=`, `s///` and the like, and none of `w`, `W`,
/// `e`, `r`, `R` or a flag that writes or runs.
fn sed(script: &str) -> bool {
    let mut chars = script.chars().peekable();
    loop {
        while chars.next_if(|c| c.is_whitespace() || matches!(c, ';' | '{' | '}')).is_some() {}
        if chars.peek().is_none() {
            return true;
        }
        // An address, perhaps two.
        loop {
            match chars.peek() {
                Some('0'..='9' | '$' | ',' | '~' | '+' | '!' | ' ' | '\t') => {
                    chars.next();
                }
                Some('/') => {
                    chars.next();
                    if !passes(&mut chars, '/') {
                        return false;
                    }
                    while chars.next_if(|c| matches!(c, 'I' | 'M')).is_some() {}
                }
                _ => break,
            }
        }
        match chars.next() {
            // What stands in the braces comes next.
            Some('{') => continue,
            Some('p' | 'd' | 'D' | 'P' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | '=' | 'l' | 'z') => {}
            Some('q' | 'Q') => while chars.next_if(|c| c.is_ascii_digit() || *c == ' ').is_some() {},
            Some(kind @ ('s' | 'y')) => {
                let Some(separator) = chars.next().filter(char::is_ascii_punctuation) else { return false };
                if separator == '\\' || !passes(&mut chars, separator) || !passes(&mut chars, separator) {
                    return false;
                }
                while kind == 's'
                    && chars.next_if(|c| matches!(c, 'g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9')).is_some()
                {
                }
            }
            _ => return false,
        }
        // Whatever else follows a command belongs to it.
        while chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
        if !matches!(chars.peek(), None | Some(';' | '\n' | '}' | '{')) {
            return false;
        }
    }
}

/// Goes past the next separator that is not escaped; a class in brackets may hold one, which is not followed.
fn passes(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, separator: char) -> bool {
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '\n' => return false,
            c if c == separator => return true,
            _ => {}
        }
    }
    false
}

/// Whether a program of awk only prints: no `system`, no `getline`, no pipe, no redirection.
fn awk(program: &str) -> bool {
    let says = |word: &str| program.contains(word);
    // The environment holds secrets; `@name()` calls what a variable names, `@load` a library.
    if says("system")
        || says("ENVIRON")
        || says("getline")
        || says("@")
        || says("close")
        || program.len() > 4096
    {
        return false;
    }
    let mut code = String::with_capacity(program.len());
    // What stands in strings is not code.
    let mut chars = program.chars();
    while let Some(c) = chars.next() {
        if c != '"' {
            code.push(c);
            continue;
        }
        loop {
            match chars.next() {
                Some('\\') => {
                    chars.next();
                }
                Some('"') => break,
                None => return false,
                Some(_) => {}
            }
        }
        code.push('"');
    }
    // After `print` every `>` and `|` is a redirection; a pipe without `getline` needs a `print` before it.
    code.match_indices("print").all(|(at, _)| {
        let statement = &code[at..];
        let end = statement.find(['\n', ';', '}']).unwrap_or(statement.len());
        !statement[..end].contains(['>', '|'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filters(words: &str) -> bool {
        // Words of these tests stand between bars: scripts have blanks.
        let args: Vec<Arg> = words.split('|').skip(1).map(|word| Arg::from(word.replace('¦', "|"))).collect();
        only_filters(words.split('|').next().unwrap_or_default(), &args) == Some(true)
    }

    #[test]
    fn scripts_that_only_make_text_of_text() {
        for words in [
            "sed|-n|1,20p|f",
            "sed|-n|$p",
            "sed|s/a/b/g",
            "sed|-E|s#(a)/x#\\1#",
            "sed|-e|s/a/b/|-e|2d|f",
            "sed|-n|/begin/,/end/p",
            "sed|/^#/d;/^$/d",
            "sed|5q",
            "sed|--expression=s/w/e/",
            "sed|y/abc/xyz/",
            "sed|-nE|/x/{p;q}",
            "sed|1!G;h;$!d",
            "sed|s/a\\/b/c/2p",
            "gsed|-n|-e|10p",
            "awk|{print $1}",
            "awk|-F:|{ print $1 }|f",
            "awk|-F|,|NR>1 {print $2}",
            "awk|-v|n=3|NR==n",
            "awk|/a¦b/",
            "awk|$3 > 100 {print}",
            "awk|BEGIN{FS=\"¦\"} {print $1}",
            "awk|{s+=$1} END {printf \"%d\\n\", s}",
        ] {
            assert!(filters(words), "{words}");
        }
    }

    #[test]
    fn whatever_writes_runs_or_is_not_understood_is_not_a_filter() {
        for words in [
            "sed|-i|s/a/b/|f",
            "sed|-n|w x|f",
            "sed|s/a/b/w x",
            "sed|s/a/b/e",
            "sed|1e id",
            "sed|e",
            "sed|-f|x.sed",
            "sed|-ni|p",
            "sed|s/a/b/|f|-i",
            "sed|s/a/b/|--in-place=x|f",
            "sed|-n|/a/w x",
            "sed|1r /etc/passwd",
            "sed|a text",
            "sed|p w x",
            "sed|-e|p|-e|w x",
            "sed|--expression=w x",
            "sed|s/a/b/gew x",
            "sed|W x",
            "sed|y/a/b/e",
            "sed|:a;ba",
            "sed|-n|p;w x",
            "sed|{w x",
            "sed|s/a/b/;e id",
            "sed|-s|-i.bak|p",
            "awk|BEGIN{system(\"id\")}",
            "awk|{print > \"x\"}",
            "awk|{print ¦ \"sh\"}",
            "awk|{\"id\" ¦ getline x}",
            "awk|-f|x.awk",
            "awk|-i|inplace|{print}",
            "awk|{printf \"a\" >> f}",
            "awk|@load \"x\"",
            "awk|-lx|1",
            "awk|{f=\"x\"; print $0 > f}",
            "awk|BEGIN {x=\"sys\"; @x()}",
            "awk|BEGIN{print ENVIRON[1]}",
            "awk|--source=1",
            "awk|-E|x",
            "awk",
        ] {
            assert!(!filters(words), "{words}");
        }
        assert_eq!(only_filters("grep", &[]), None);
    }
}
