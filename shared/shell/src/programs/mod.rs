//! Programs that run other programs, and where in their arguments the other program stands.

pub(crate) mod code;
mod container;
pub(crate) mod each;
mod git;
mod guess;
mod lines;
mod project;
mod remote;
mod shells;
mod tools;
mod wrappers;

use crate::atom::{Arg, How};
use crate::run::{Call, Runner, Scope};
use crate::text::filter;

/// Runs what a program runs. `None` if it runs nothing that can be seen in its arguments.
pub(crate) fn run(
    runner: &mut Runner,
    scope: &mut Scope,
    index: u32,
    name: &str,
    call: &Call,
) -> Option<String> {
    if let Some(service) = call.args[0].text.strip_prefix("/etc/init.d/") {
        // `/etc/init.d/ssh stop` is `service ssh stop`.
        let mut args = vec![Arg::from("service"), Arg::from(service)];
        args.extend_from_slice(&call.args[1..]);
        return Some(start(runner, scope, index, call, &args));
    }
    if let Some(wrapper) = wrappers::find(name) {
        return Some(wrapper.run(runner, scope, index, call));
    }
    shells::run(runner, scope, index, name, call)
        .or_else(|| each::run(runner, scope, index, name, call))
        .or_else(|| git::run(runner, scope, index, name, call))
        .or_else(|| container::run(runner, scope, index, name, call))
        .or_else(|| remote::run(runner, scope, index, name, call))
        .or_else(|| tools::run(runner, scope, index, name, call))
        .or_else(|| crate::sql::run(runner, scope, index, name, call))
        .or_else(|| printed(name, call))
        .or_else(|| code::run(runner, scope, index, name, call))
        .or_else(|| guess::run(runner, scope, index, name, call))
}

/// What an awk program prints that does nothing else.
fn printed(name: &str, call: &Call) -> Option<String> {
    let prints = call.io.capture && matches!(name, "awk" | "gawk" | "mawk" | "nawk");
    prints.then(|| filter::print_fields(&call.args[1..], call.io.stdin.as_deref()))?
}

/// Starts `args` as a program of its own.
pub(crate) fn start(runner: &mut Runner, scope: &mut Scope, index: u32, call: &Call, args: &[Arg]) -> String {
    if args.is_empty() || runner.stopped() {
        return String::new();
    }
    runner.start(scope, index, How::Arguments, call.with_args(args.to_vec()))
}

/// A program that a package brings, without the version that is asked for: `rimraf@5`, `@openai/codex@latest`, and
/// without the `--` of `npm exec PACKAGE -- ARGUMENT`.
pub(crate) fn packaged(args: &[Arg]) -> Vec<Arg> {
    let mut args = args.to_vec();
    if let Some(first) = args.first_mut() {
        let name = first.text.rfind('/').map_or(0, |slash| slash + 1);
        if let Some(at) = first.text[name..].find('@').filter(|at| name + at > 0) {
            first.text.truncate(name + at);
        }
    }
    if args.get(1).is_some_and(|arg| arg.text == "--") {
        args.remove(1);
    }
    args
}

/// Runs `text` in a shell of its own.
pub(crate) fn text(runner: &mut Runner, scope: &Scope, index: u32, call: &Call, text: &str) -> String {
    runner.run_text(&mut scope.clone(), text, Some((index, How::Text)), &call.io)
}

/// Arguments as one text, as `ssh` and `eval` join them.
pub(crate) fn joined(args: &[Arg]) -> String {
    let texts: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).collect();
    texts.join(" ")
}

/// Arguments as text that a shell takes apart into the same arguments.
pub(crate) fn quoted(args: &[Arg]) -> String {
    let quoted: Vec<String> =
        args.iter().map(|arg| format!("'{}'", arg.text.replace('\'', r"'\''"))).collect();
    quoted.join(" ")
}

/// The value of the option `-x VALUE`, `-xVALUE`, `--long VALUE` or `--long=VALUE`, wherever it stands.
pub(crate) fn option<'a>(args: &'a [Arg], short: &str, long: &str) -> Option<&'a str> {
    options(args, short, long).next()
}

/// All values of an option that may be given several times.
pub(crate) fn options<'a>(args: &'a [Arg], short: &str, long: &str) -> impl Iterator<Item = &'a str> {
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
            if short.len() == 2 && text.len() > 2 && text.starts_with(short) && !text.starts_with("--") {
                return Some(&text[2..]);
            }
        }
    })
}

/// The value of an option that takes a command line: `-c LINE`, `-cLINE`, `-qec LINE`, `--command[=]LINE`.
pub(crate) fn line_option<'a>(args: &'a [Arg], letter: char, long: &str) -> Option<&'a str> {
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
