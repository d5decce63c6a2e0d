//! Arguments as texts, and the values of options among them.

use crate::atom::Arg;

/// Arguments as one text, as `ssh` and `eval` join them.
pub fn joined(args: &[Arg]) -> String {
    let texts: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).collect();
    texts.join(" ")
}

/// Arguments as text that a shell takes apart into the same arguments.
pub fn quoted(args: &[Arg]) -> String {
    let quoted: Vec<String> =
        args.iter().map(|arg| format!("'{}'", arg.text.replace('\'', r"'\''"))).collect();
    quoted.join(" ")
}

/// The value of the option `-x VALUE`, `-xVALUE`, `--long VALUE` or `--long=VALUE`, wherever it stands.
pub fn option<'a>(args: &'a [Arg], short: &str, long: &str) -> Option<&'a str> {
    options(args, short, long).next()
}

/// All values of an option that may be given several times.
pub fn options<'a>(args: &'a [Arg], short: &str, long: &str) -> impl Iterator<Item = &'a str> {
    let mut words = args.iter();
    std::iter::from_fn(move || {
        loop {
            let text = words.next()?.text.as_str();
            if !short.is_empty() && text == short || !long.is_empty() && text == long {
                return words.next().map(|arg| arg.text.as_str());
            }
            if !long.is_empty()
                && let Some(value) = text.strip_prefix(long).and_then(|rest| rest.strip_prefix('='))
            {
                return Some(value);
            }
            // The value sticks to the letter: `-ofile`.
            if short.len() == 2 && text.len() > 2 && text.starts_with(short) && !text.starts_with("--") {
                return Some(&text[2..]);
            }
        }
    })
}

/// The value of an option that takes a command line: `-c LINE`, `-cLINE`, `-qec LINE`, `--command[=]LINE`.
pub fn line_option<'a>(args: &'a [Arg], letter: char, long: &str) -> Option<&'a str> {
    let short = ['-', letter].iter().collect::<String>();
    option(args, &short, long).or_else(|| {
        let ends = |text: &str| {
            text.strip_prefix('-')
                .is_some_and(|letters| !letters.starts_with('-') && letters.ends_with(letter))
        };
        let at = args.iter().position(|arg| ends(&arg.text))?;
        args.get(at + 1).map(|arg| arg.text.as_str())
    })
}
