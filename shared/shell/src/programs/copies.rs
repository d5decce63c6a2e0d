//! Programs that put one file where another is: what lies there is the same from then on.

use std::rc::Rc;

use shell_engine::text::encoding;
use shell_engine::{Arg, Call, Runner, Scope, mark};

use super::{archive, option, options, texts};

/// Follows files that are copied, moved, linked or written by `tee` and `dd`.
pub(super) fn follow(runner: &mut Runner, scope: &Scope, name: &str, call: &Call) {
    match name {
        "touch" | "mkdir" => named(runner, scope, call),
        "cp" | "mv" | "ln" | "install" | "rsync" | "scp" | "gcp" | "gmv" | "gln" | "ginstall" | "ditto" => {
            copy(runner, scope, name, call);
        }
        "git" => git(runner, scope, call),
        "mount" | "bindfs" => bound(runner, scope, name, call),
        "tar" | "gtar" | "bsdtar" => {
            archive::tar(runner, scope, &call.args[1..], call.io.stdin.as_deref());
        }
        "zip" | "unzip" => archive::zip(runner, scope, name, &call.args[1..]),
        "cpio" => archive::cpio(runner, scope, &call.args[1..], call.io.stdin.as_deref()),
        "split" | "csplit" => split(runner, scope, name, call),
        "vim" | "vi" | "nvim" | "ex" => editor(runner, scope, call),
        "tee" | "sponge" => tee(runner, scope, call),
        "dd" => dd(runner, scope, call),
        "history" => history(runner, scope, call),
        "openssl" => packed(runner, scope, name, call),
        _ if texts::packs(name, &call.args[1..]) => packed(runner, scope, name, call),
        _ => {}
    }
}

/// The files of a call, and the folder that an option names as their place.
fn operands<'a>(name: &str, args: &'a [Arg]) -> (Vec<&'a str>, Option<&'a str>) {
    let (mut operands, mut folder) = (Vec::with_capacity(args.len()), None);
    let mut words = args.iter().map(|arg| arg.text.as_str());
    while let Some(word) = words.next() {
        match word {
            // These take a value; for cp and the others the same letters are switches.
            "-m" | "-o" | "-g" | "-S" if name == "install" => drop(words.next()),
            "-e" | "--rsh" if name == "rsync" => drop(words.next()),
            "-i" | "-P" | "-F" | "-l" | "-c" | "-J" if name == "scp" => drop(words.next()),
            "-o" if name == "scp" => drop(words.next()),
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

/// Files that are copied, moved or linked, among them those that patterns stand for.
fn copy(runner: &mut Runner, scope: &Scope, name: &str, call: &Call) {
    let (operands, folder) = operands(name, &call.args[1..]);
    let (sources, to) = match (operands.as_slice(), folder) {
        (sources, Some(to)) => (sources, to),
        // `ln -s ../a.sh`: it gets the same name here.
        (sources @ [_], None) if name == "ln" => (sources, "."),
        ([sources @ .., to], None) if !sources.is_empty() => (sources, *to),
        _ => return,
    };
    let mut found: Vec<String> = Vec::new();
    if runner.has_disk() && sources.iter().any(|from| mark::any(from)) {
        for from in sources {
            found.extend(runner.paths(scope, from));
        }
    }
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    let sources = if found.is_empty() { sources } else { &found[..] };
    let parents = call.args.iter().any(|arg| arg.text == "--parents");
    for from in sources {
        let at = match parents {
            true => shell_engine::path::join(to, from),
            false if folder.is_some() || sources.len() > 1 => below(to, from),
            false => into(to, from),
        };
        if matches!(name, "scp" | "rsync") && [from, to].iter().any(|path| path.contains(':')) {
            // From another machine, or to one.
            continue;
        }
        let text = if *from == "/dev/stdin" { call.io.stdin.clone() } else { runner.file_at(scope, from) };
        if let Some(text) = text {
            runner.put_file(scope, &at, &text);
        } else if is_program_file(from) {
            // Under another name it is still the same program.
            runner.put_file(scope, &at, &format!("{from} \"$@\"\n"));
        } else if runner.has_disk() {
            disk_copy(runner, scope, (name, call), (from, to, &at));
        }
        match name {
            "ln" => runner.link(scope, from, &at),
            "mv" | "gmv" if runner.has_disk() && !runner.lies_on_disk(scope, &at) => {
                runner.moved(scope, from, &at);
            }
            _ => {}
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

/// `mount --bind FROM TO`, `mount -o rw,bind FROM TO`, `bindfs FROM TO`: what is done to the one is done to the other.
fn bound(runner: &mut Runner, scope: &Scope, name: &str, call: &Call) {
    let args = &call.args[1..];
    let is_bind = |option: &str| matches!(option, "bind" | "rbind");
    let by_option = |arg: &Arg| matches!(arg.text.as_str(), "--bind" | "--rbind" | "-B" | "-R");
    let mut listed = options(args, "-o", "--options").flat_map(|list| list.split(','));
    if name != "bindfs" && !args.iter().any(by_option) && !listed.any(is_bind) {
        return;
    }
    if let [from, to] = super::operands("mount", args).as_slice() {
        runner.link(scope, from, to);
    }
}

/// Names that read as more than a name: whoever lists them, and runs the list, runs them.
fn named(runner: &mut Runner, scope: &Scope, call: &Call) {
    let is_odd =
        |arg: &&Arg| arg.text.contains([' ', ';', '$', '`', '|', '&', '\t']) && !mark::any(&arg.text);
    for arg in call.args[1..].iter().filter(is_odd) {
        if runner.file_at(scope, &arg.text).is_none() {
            runner.put_file(scope, &arg.text, "");
        }
    }
}

/// Where the lines of `history -s LINE` and `history -r FILE` are kept.
pub(super) const HISTORY: &str = "/dev/history";

fn history(runner: &mut Runner, scope: &Scope, call: &Call) {
    let args = &call.args[1..];
    let line = match args {
        [flag, words @ ..] if flag.text == "-s" => Some(shell_engine::arguments::joined(words)),
        [flag, file] if flag.text == "-r" => {
            runner.file_at(scope, &file.text).map(|text| text.trim_end().to_owned())
        }
        _ => None,
    };
    if let Some(line) = line {
        runner.append_to_file(scope, HISTORY, &format!("{line}\n"));
    }
}

/// `gzip FILE`, `xz -d FILE.xz`, `openssl enc -d -out FILE`, `uudecode -o FILE`
fn packed(runner: &mut Runner, scope: &Scope, name: &str, call: &Call) {
    let args = &call.args[1..];
    let made = |text: &str| {
        let known = texts::packed(name, args, text).or_else(|| encoding::run(name, args, text));
        known.unwrap_or_else(|| mark::DECODED.to_string())
    };
    let named = option(args, "-out", "").or_else(|| option(args, "-o", "--output"));
    let stdin = || call.io.stdin.clone();
    if matches!(name, "openssl" | "gpg" | "gpg2" | "age" | "uudecode") {
        let from = option(args, "-in", "").or_else(|| args.last().map(|arg| arg.text.as_str()));
        let text = from
            .filter(|from| Some(*from) != named)
            .and_then(|from| runner.file_at(scope, from))
            .or_else(stdin);
        // The text itself may say where it is to go.
        let own = text.as_deref().filter(|_| name == "uudecode");
        let own = own.and_then(|text| text.lines().find(|line| line.starts_with("begin"))?.split(' ').nth(2));
        if let Some(to) = named.or(own) {
            let made = text.as_deref().map_or_else(|| mark::DECODED.to_string(), made);
            runner.put_file(scope, to, &made);
        }
        return;
    }
    if args.iter().any(|arg| arg.text.starts_with('-') && arg.text.contains('c')) || name.ends_with("cat") {
        return;
    }
    for file in args.iter().map(|arg| arg.text.as_str()).filter(|text| !text.starts_with('-')) {
        let Some(text) = runner.file_at(scope, file) else { continue };
        let made = made(&text);
        let ends = [".gz", ".bz2", ".xz", ".zst", ".lz4", ".lzma", ".Z"];
        if let Some(plain) = ends.iter().find_map(|end| file.strip_suffix(end)) {
            runner.put_file(scope, plain, &made);
        } else {
            let end = match name {
                "bzip2" => ".bz2",
                "xz" => ".xz",
                "zstd" => ".zst",
                "lz4" => ".lz4",
                "lzma" => ".lzma",
                _ => ".gz",
            };
            runner.put_file(scope, &format!("{file}{end}"), &made);
        }
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
    if let Some(to) = call.args.iter().find_map(|arg| arg.text.strip_prefix("of=")) {
        let text = dd_input(runner, scope, call);
        runner.put_file(scope, to, &text);
    }
}

/// What `dd` prints without a file to write into.
pub(super) fn dd_output(runner: &Runner, scope: &Scope, call: &Call) -> Option<String> {
    let prints = !call.args.iter().any(|arg| arg.text.starts_with("of="));
    prints.then(|| dd_input(runner, scope, call).to_string())
}

fn dd_input(runner: &Runner, scope: &Scope, call: &Call) -> Rc<str> {
    let value = |name: &str| call.args.iter().find_map(|arg| arg.text.strip_prefix(name));
    let text = match value("if=") {
        Some(from) => runner.read_file(scope, from),
        None => call.io.stdin.clone().unwrap_or_else(|| mark::UNKNOWN.to_string().into()),
    };
    if mark::any(&text) {
        return text;
    }
    let number = |name: &str| value(name).and_then(|number| number.parse::<usize>().ok());
    let conversions = value("conv=").unwrap_or_default();
    if conversions.contains("swab") {
        // Each two letters change places.
        let letters: Vec<char> = text.chars().collect();
        return letters.chunks(2).flat_map(|pair| pair.iter().rev()).collect::<String>().into();
    }
    if conversions.contains("lcase") {
        return text.to_lowercase().into();
    }
    let (size, skip, count) = (number("bs="), number("skip="), number("count="));
    if skip.is_none() && count.is_none() {
        return text;
    }
    let size = size.unwrap_or(512);
    let kept = text.chars().skip(skip.unwrap_or(0).saturating_mul(size));
    kept.take(count.map_or(usize::MAX, |count| count.saturating_mul(size))).collect::<String>().into()
}

/// `git mv` renames, and a clone or another worktree holds the same files.
fn git(runner: &mut Runner, scope: &Scope, call: &Call) {
    let words: Vec<&str> =
        call.args[1..].iter().map(|arg| arg.text.as_str()).filter(|word| !word.starts_with('-')).collect();
    match *words.as_slice() {
        ["mv", from, to] => {
            runner.copied(scope, from, to);
            runner.copied(scope, from, &below(to, from));
        }
        ["clone", from, to] => runner.copied(scope, from, to),
        ["worktree", "add", to, ..] => runner.copied(scope, ".", to),
        _ => {}
    }
}

/// The first pieces hold what matters; a file is mostly cut into one.
fn split(runner: &mut Runner, scope: &Scope, name: &str, call: &Call) {
    let valued = |text: &str| matches!(text, "-l" | "-b" | "-C" | "-n" | "-a" | "-f" | "--prefix");
    let mut operands: Vec<&str> = Vec::new();
    let mut prefix = None;
    let mut words = call.args[1..].iter().map(|arg| arg.text.as_str());
    while let Some(word) = words.next() {
        match word {
            "-f" | "--prefix" if name == "csplit" => prefix = words.next(),
            word if valued(word) => drop(words.next()),
            word if word.starts_with("--prefix=") => prefix = word.split_once('=').map(|(_, value)| value),
            word if word.starts_with('-') && word.len() > 1 => {}
            word => operands.push(word),
        }
    }
    let text = match operands.first() {
        Some(&"-") | None => call.io.stdin.clone().unwrap_or_else(|| mark::UNKNOWN.to_string().into()),
        Some(from) => runner.read_file(scope, from),
    };
    let numbered = name == "csplit" || call.args.iter().any(|arg| arg.text.starts_with("-d"));
    let usual = if name == "csplit" { "xx" } else { operands.get(1).copied().unwrap_or("x") };
    let prefix = prefix.unwrap_or(usual);
    for suffix in if numbered { ["00", "01", "02"] } else { ["aa", "ab", "ac"] } {
        runner.put_file(scope, &format!("{prefix}{suffix}"), &text);
    }
}

/// `vim -es +'w! FILE' +q a.sh`: what was opened is written under another name.
fn editor(runner: &mut Runner, scope: &Scope, call: &Call) {
    let (mut opened, mut written) = (None, Vec::new());
    let mut words = call.args[1..].iter().map(|arg| arg.text.as_str());
    while let Some(word) = words.next() {
        let command = match word {
            "-c" | "--cmd" => words.next(),
            "-s" | "-u" | "-S" | "-i" => {
                words.next();
                continue;
            }
            _ => word.strip_prefix('+'),
        };
        let Some(command) = command else {
            opened = opened.or_else(|| Some(word).filter(|word| !word.starts_with('-')));
            continue;
        };
        let (verb, file) = command.trim().split_once(' ').unwrap_or((command, ""));
        if matches!(
            verb.trim_start_matches('%'),
            "w" | "w!" | "write" | "write!" | "sav" | "sav!" | "saveas" | "saveas!"
        ) {
            written.push(file.trim());
        }
    }
    for to in opened.is_some().then_some(written).into_iter().flatten() {
        runner.copied(scope, opened.unwrap_or_default(), to);
    }
}

/// Where a copy of `from` comes to lie in the folder `to`.
fn below(to: &str, from: &str) -> String {
    format!("{}/{}", to.trim_end_matches('/'), shell_engine::path::file_name(from.trim_end_matches('/')))
}

/// Where a copy of `from` comes to lie: in `to`, if that is written as a folder.
fn into(to: &str, from: &str) -> String {
    match to {
        "." | ".." => format!("{to}/{}", shell_engine::path::file_name(from)),
        to if to.ends_with('/') => [to, shell_engine::path::file_name(from)].concat(),
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
