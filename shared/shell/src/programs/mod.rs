//! Programs that run other programs, and where in their arguments the other program stands.

mod container;
mod each;
mod filter;
mod git;
mod guess;
mod lines;
mod output;
mod project;
mod remote;
mod shells;
mod tools;
mod wrappers;

use shell_engine::arguments::{joined, option, options, quoted};
use shell_engine::{Arg, Call, Output, Process, bash};

/// Runs a program, and returns what it prints.
pub(crate) fn run(process: &mut Process<'_>) -> String {
    match bash::builtin::run(process) {
        Output::Printed(printed) => return printed,
        Output::Unknown => return output::of(process),
        Output::NotMine => {}
    }
    if let Some(printed) = inner(process) {
        return printed;
    }
    let call = process.call;
    if call.args[0].text.contains('/')
        && let Some(script) = process.runner.file_at(process.scope, &call.args[0].text)
    {
        return shells::script(process, &script, &call.args);
    }
    output::of(process)
}

/// Runs what a program runs. `None` if it runs nothing that can be seen in its arguments.
fn inner(process: &mut Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    if let Some(service) = call.args[0].text.strip_prefix("/etc/init.d/") {
        // `/etc/init.d/ssh stop` is `service ssh stop`.
        let mut args = vec![Arg::from("service"), Arg::from(service)];
        args.extend_from_slice(&call.args[1..]);
        return Some(process.start(&args));
    }
    wrappers::run(process)
        .or_else(|| shells::run(process))
        .or_else(|| each::run(process))
        .or_else(|| git::run(process))
        .or_else(|| container::run(process))
        .or_else(|| remote::run(process))
        .or_else(|| tools::run(process))
        .or_else(|| shell_sql::run(process))
        .or_else(|| printed(name, call))
        .or_else(|| shell_interpreters::run(process))
        .or_else(|| guess::run(process))
}

/// What an awk program prints that does nothing else.
fn printed(name: &str, call: &Call) -> Option<String> {
    let prints = call.io.capture && matches!(name, "awk" | "gawk" | "mawk" | "nawk");
    prints.then(|| filter::print_fields(&call.args[1..], call.io.stdin.as_deref()))?
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
