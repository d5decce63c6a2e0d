//! How other shells start PowerShell: `powershell -NoProfile -Command …`.

use shell_engine::text::encoding;
use shell_engine::{Arg, How, Io, NoteKind, Process, Runner, Scope, Script, mark};

use crate::system::slashes;

/// What the arguments of PowerShell say.
#[derive(Debug, Default)]
struct Arguments {
    /// `-Command`, with everything after it.
    command: Option<String>,
    /// `-EncodedCommand`
    encoded: Option<String>,
    file: Option<String>,
    /// What the file gets.
    rest: Vec<Arg>,
    folder: Option<String>,
}

impl Arguments {
    fn of(name: &str, args: &[Arg]) -> Self {
        let mut found = Self::default();
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            let text = arg.text.as_str();
            let rest = || {
                let rest: Vec<&str> = args[at + 1..].iter().map(|arg| arg.text.as_str()).collect();
                rest.join(" ")
            };
            let value = || args.get(at + 1).map(|arg| arg.text.clone());
            // PowerShell takes a slash and even an en dash for a dash.
            let Some(option) = text.strip_prefix(['-', '/', '–']).filter(|option| !option.is_empty())
            else {
                // The commands come from standard input.
                if text == "-" {
                    return found;
                }
                let line = args[at..].iter().map(|arg| arg.text.as_str()).collect::<Vec<_>>().join(" ");
                // PowerShell 7 takes what has no name for a file, 5.1 for a command.
                let is_file = name == "pwsh" && text.to_ascii_lowercase().ends_with(".ps1");
                if is_file {
                    found.file = Some(text.to_owned());
                    found.rest = args[at + 1..].to_vec();
                } else {
                    found.command = Some(line);
                }
                return found;
            };
            // `--Command` is accepted by version 7.
            let option = option.trim_start_matches('-').to_ascii_lowercase();
            // Options may be shortened as long as they are unique: `-e`, `-enc`, `-c`.
            let is = |full: &str, least: usize| option.len() >= least && full.starts_with(option.as_str());
            if is("command", 1) || option == "commandwithargs" || option == "cwa" {
                found.command = Some(rest());
                return found;
            }
            if is("encodedcommand", 1) || option == "ec" {
                found.encoded = value();
                return found;
            }
            if is("file", 1) {
                found.file = value();
                found.rest = args.get(at + 2..).unwrap_or(&[]).to_vec();
                return found;
            }
            if is("workingdirectory", 2) || option == "wd" {
                found.folder = value();
                at += 1;
            } else if is("executionpolicy", 2)
                || option == "ep"
                || is("windowstyle", 1)
                || is("inputformat", 2)
                || is("outputformat", 1)
                || is("version", 1)
                || is("psconsolefile", 1)
                || is("configurationname", 3)
                || is("custompipename", 2)
                || is("settingsfile", 2)
                || is("encodedarguments", 8)
                || option == "ea"
                || option == "if"
                || option == "of"
            {
                // These take the next argument, which must not be taken for a command.
                at += 1;
            }
            at += 1;
        }
        found
    }
}

/// Runs what PowerShell is started with.
pub fn run_arguments(process: &mut Process<'_>) -> String {
    let (index, io) = (process.index, &process.call.io);
    let found = Arguments::of(process.name, process.args());
    let (runner, scope) = (&mut *process.runner, &*process.scope);
    let mut inner = scope.clone();
    inner.enter_process();
    if let Some(folder) = &found.folder {
        inner.change_folder(&slashes(folder));
    }
    let how = Some((index, How::Text));
    if let Some(encoded) = &found.encoded {
        // Base64 that cannot be read here is reported: PowerShell may still read it.
        let Some(bytes) = encoding::base64(encoded).filter(|bytes| !mark::any(encoded) && !bytes.is_empty())
        else {
            runner.note(NoteKind::RunsDecoded, runner.span_of(index));
            return String::new();
        };
        // Decoded text could hold the characters that marks are made of.
        let text = mark::scrub(&super::object::utf16(&bytes)).into_owned();
        return super::run_text(runner, &mut inner, &Script::new(&text, how, io));
    }
    if let Some(command) = &found.command {
        let inner_io = if command.trim() == "-" { Io::default() } else { io.clone() };
        if command.trim() == "-" {
            let text = io.stdin.clone().unwrap_or_default();
            return super::run_text(
                runner,
                &mut inner,
                &Script::new(&text, Some((index, How::Input)), &inner_io),
            );
        }
        return super::run_text(runner, &mut inner, &Script::new(unbraced(command), how, &inner_io));
    }
    if let Some(file) = found.file.as_deref().filter(|file| *file != "-") {
        let Some(loaded) = runner.load(scope, &slashes(file)) else { return String::new() };
        let script = Script::new(&loaded.text, Some((index, How::File)), io);
        let given = (&*slashes(file), found.rest.as_slice());
        let run = |runner: &mut Runner, scope: &mut Scope| super::run_file(runner, scope, &script, given);
        return runner.in_file(&mut inner, (loaded.file, ""), run).unwrap_or_default();
    }
    match &io.stdin {
        Some(text) => {
            super::run_text(runner, &mut inner, &Script::new(text, Some((index, How::Input)), &Io::default()))
        }
        None => String::new(),
    }
}

/// `-Command { … }`: the braces of a block that arrived as text.
fn unbraced(command: &str) -> &str {
    let trimmed = command.trim();
    let inner = trimmed
        .strip_prefix("& {")
        .or_else(|| trimmed.strip_prefix("&{"))
        .or_else(|| trimmed.strip_prefix('{'));
    match inner.and_then(|inner| inner.strip_suffix('}')) {
        // With more braces inside, they may belong to two blocks: then all of it is read as it stands.
        Some(inner) if !inner.contains(['{', '}']) => inner,
        _ => command,
    }
}
