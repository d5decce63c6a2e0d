//! Programs that put one file where another is: what lies there is the same from then on.

use shell_engine::{Arg, Call, Runner, Scope, mark};

/// Follows files that are copied, moved, linked or written by `tee` and `dd`.
pub(super) fn follow(runner: &mut Runner, scope: &Scope, name: &str, call: &Call) {
    match name {
        "cp" | "mv" | "ln" | "install" | "rsync" | "gcp" | "gmv" => copy(runner, scope, name, call),
        "tee" | "sponge" => tee(runner, scope, call),
        "dd" => dd(runner, scope, call),
        _ => {}
    }
}

/// The files of a call, and the folder that an option names as their place.
fn operands<'a>(name: &str, args: &'a [Arg]) -> (Vec<&'a str>, Option<&'a str>) {
    let (mut operands, mut folder) = (Vec::new(), None);
    let mut words = args.iter().map(|arg| arg.text.as_str());
    while let Some(word) = words.next() {
        match word {
            // These take a value; for cp and the others the same letters are switches.
            "-m" | "-o" | "-g" | "-S" if name == "install" => drop(words.next()),
            "-e" | "--rsh" if name == "rsync" => drop(words.next()),
            "-t" | "--target-directory" if name != "rsync" => folder = words.next(),
            word if word.starts_with("--target-directory=") => {
                folder = word.split_once('=').map(|(_, to)| to);
            }
            word if word.starts_with('-') => {}
            word => operands.push(word),
        }
    }
    (operands, folder)
}

fn copy(runner: &mut Runner, scope: &Scope, name: &str, call: &Call) {
    let (operands, folder) = operands(name, &call.args[1..]);
    let (sources, to) = match (operands.as_slice(), folder) {
        (sources, Some(to)) => (sources, to),
        // `ln -s ../a.sh`: it gets the same name here.
        (sources @ [_], None) if name == "ln" => (sources, "."),
        ([sources @ .., to], None) if !sources.is_empty() => (sources, *to),
        _ => return,
    };
    for from in sources {
        let at = if folder.is_some() || sources.len() > 1 { below(to, from) } else { into(to, from) };
        let text = if *from == "/dev/stdin" { call.io.stdin.clone() } else { runner.file_at(scope, from) };
        if let Some(text) = text {
            runner.put_file(scope, &at, &text);
        } else if is_program_file(from) {
            // Under another name it is still the same program.
            runner.put_file(scope, &at, &format!("{from} \"$@\"\n"));
        } else if runner.has_disk() {
            disk_copy(runner, scope, (name, call), (from, to, &at));
        }
        if name == "ln" {
            runner.link(scope, from, &at);
        }
    }
}

/// A file of the disk, or a folder, that lies elsewhere as well from then on.
fn disk_copy(
    runner: &mut Runner,
    scope: &Scope,
    (name, call): (&str, &Call),
    (from, to, at): (&str, &str, &str),
) {
    let symbolic =
        name == "ln" && call.args.iter().any(|arg| arg.text.starts_with('-') && arg.text.contains('s'));
    let origin = if symbolic && !from.starts_with('/') {
        // A symbolic link leads on from the folder in which it lies.
        let path = scope.absolute(at);
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        format!("{folder}/{from}")
    } else {
        from.to_owned()
    };
    runner.copied(scope, &origin, at);
    // What is not written as a folder may be one all the same.
    if at == to {
        runner.copied(scope, &origin, &below(to, from));
    }
}

fn tee(runner: &mut Runner, scope: &Scope, call: &Call) {
    let append = call.args.iter().any(|arg| arg.text == "-a" || arg.text == "--append");
    // What is not known may be anything, and the file may be run later.
    let text = call.io.stdin.clone().unwrap_or_else(|| mark::UNKNOWN.to_string().into());
    for path in operands("tee", &call.args[1..]).0 {
        if append {
            runner.append_to_file(scope, path, &text);
        } else {
            runner.put_file(scope, path, &text);
        }
    }
}

fn dd(runner: &mut Runner, scope: &Scope, call: &Call) {
    let value = |name: &str| call.args.iter().find_map(|arg| arg.text.strip_prefix(name));
    let Some(to) = value("of=") else { return };
    let text = match value("if=") {
        Some(from) => runner.read_file(scope, from),
        None => call.io.stdin.clone().unwrap_or_else(|| mark::UNKNOWN.to_string().into()),
    };
    runner.put_file(scope, to, &text);
}

/// Where a copy of `from` comes to lie in the folder `to`.
fn below(to: &str, from: &str) -> String {
    format!("{}/{}", to.trim_end_matches('/'), shell_engine::path::file_name(from.trim_end_matches('/')))
}

/// Where a copy of `from` comes to lie: in `to`, if that is written as a folder.
fn into(to: &str, from: &str) -> String {
    match to {
        "." | ".." => format!("{to}/{}", shell_engine::path::file_name(from)),
        to if to.ends_with('/') => format!("{to}{}", shell_engine::path::file_name(from)),
        to => to.to_owned(),
    }
}

/// Whether a path names a program in one of the folders for them.
fn is_program_file(path: &str) -> bool {
    !mark::any(path)
        && path.rsplit_once('/').is_some_and(|(folder, name)| {
            folder.ends_with("bin") && folder.starts_with('/') && !name.is_empty()
        })
}
