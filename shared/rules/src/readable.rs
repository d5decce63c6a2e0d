//! A command as it reads for a person.

use std::borrow::Cow;

use shell::{Arg, Atom, Flow, mark};

/// The program, its arguments and its redirections: `…` stands for what is not known, quotes for what the shell has
/// already read, so that `bash -c 'rm -rf x'` shows where its text begins and ends.
pub(crate) fn readable(atom: &Atom) -> String {
    let mut text = String::new();
    for arg in atom.args.iter() {
        push(&mut text, &quoted(arg));
    }
    for redirect in &atom.redirects {
        push(
            &mut text,
            match redirect.flow {
                Flow::Read => "<",
                Flow::Write => ">",
                Flow::Append => ">>",
                Flow::ReadWrite => "<>",
            },
        );
        push(&mut text, &mark::readable(&redirect.target));
    }
    text
}

fn push(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

/// An argument in single quotes, if it would be read as something else without them.
fn quoted(arg: &Arg) -> Cow<'_, str> {
    let special = |c: char| c.is_whitespace() || "'\"\\;|&<>()`$*?".contains(c);
    let readable = mark::readable(&arg.text);
    if arg.text.is_empty() || arg.text.contains(special) {
        Cow::Owned(format!("'{}'", readable.replace('\'', r"'\''")))
    } else {
        readable
    }
}

#[cfg(test)]
mod tests {
    use shell::{Surroundings, analyze};

    use super::readable;

    #[test]
    fn commands_read_as_someone_would_type_them() {
        for (text, expected) in [
            ("rm  -rf   x", "rm -rf x"),
            ("r\"\"m 'a b' *.o '*.o'", "rm 'a b' *.o '*.o'"),
            ("bash -c 'echo hi'", "bash -c 'echo hi'"),
            ("grep \"it's\" a", r"grep 'it'\''s' a"),
            ("rm \"$1\"/x", "rm …/x"),
            ("rm '$1'", "rm '$1'"),
            ("touch ''", "touch ''"),
            ("ls > out 2>> log < in", "ls > out >> log < in"),
        ] {
            let analysis = analyze(text, Surroundings::default());
            assert_eq!(readable(&analysis.atoms[0]), expected, "{text}");
        }
    }
}
