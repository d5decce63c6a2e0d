//! `run`: a program with its sub-command, options and operands, however they are spelled.

use std::borrow::Cow;

use payload::Access;
use rules::{Command, is_option};
use shell::path::file_name;
use shell::{Arg, mark};

use super::{any, listed};
use crate::case::{Called, Case, Words};
use crate::certainty::{Lean, Match};
use crate::glob::{self, NAME, PATH, PLAIN};
use crate::model::{Run, Text};

pub(super) fn matches(test: &Run<'_>, called: &Called<'_>, case: &Case<'_>, lean: Lean) -> Match {
    let command = &called.command;
    if command.atom.args.is_empty() {
        return Match::No;
    }
    let Some(words) = program(test, called, lean) else { return Match::No };
    let sure = if lean == Lean::Open { words.readings.len() == 1 } else { words.sure };
    if lean.loosens() && !sure && !(test.sub.is_empty() && test.sub_any.is_empty()) {
        return Match::No;
    }
    // A word whose beginning is not known may be any option, also one that must not be there: `rg x *` in a folder with
    // a file called `--pre=sh`.
    let is_choosy = !test.flags_none.is_empty() || !test.flags_only.is_empty();
    if lean == Lean::Open && is_choosy && may_be_option(command, case) {
        return Match::No;
    }
    let mut matched = Match::Yes;
    let mut all = |one: Match| {
        matched = matched.min(one);
        matched != Match::No
    };
    // The cheapest first; the rest is not looked at once one of them says no.
    let _ = all(written(test, command, lean))
        && all(env(test, command))
        && all(sub(test, words))
        && all(flags(test, called, lean))
        && all(only(test, command))
        && all(calls(test, words, command))
        && all(operands(test, words, lean));
    matched
}

/// The call's words, if the program is the one.
fn program<'c>(test: &Run<'_>, call: &'c Called<'_>, lean: Lean) -> Option<&'c Words<'c>> {
    let command = &call.command;
    if !test.program_path.is_empty() {
        let written = command.atom.args[0].without_unset();
        let full = shell::path::join(&command.atom.cwd, &written);
        // A bare name is searched for on the PATH, and where it is found is not known here.
        if !written.contains('/') || listed(&test.program_path, &full, PATH) != Match::Yes {
            return None;
        }
    }
    let called = &*command.name;
    let named = test.program.iter().find_map(|name| {
        // On macOS and Windows `GIT` is `git`; nowhere else is it anything.
        let rules = if lean == Lean::Wide || glob::FOLDS { NAME } else { PLAIN };
        if glob::matches(name, called, rules) == Match::Yes {
            return Some(None);
        }
        // `git-push` in git's own folder is `git push`.
        let sub = called.strip_prefix(&**name)?.strip_prefix('-')?;
        (name == "git" && lean == Lean::Wide).then_some(Some(sub))
    });
    let sub = if test.program.is_empty() { None } else { named? };
    // A program at a path of its own may be any program of that name.
    if lean.loosens() && test.program_path.is_empty() && !is_installed(&command.atom.args[0]) {
        return None;
    }
    Some(call.words(sub))
}

/// Whether the program is found on the PATH or in a folder of the system.
fn is_installed(program: &Arg) -> bool {
    match program.known() {
        Some(text) if text.contains(['/', '\\']) => {
            let folder = text.rsplit_once('/').map_or("", |(folder, _)| folder);
            matches!(
                folder,
                "/bin" | "/usr/bin" | "/usr/local/bin" | "/sbin" | "/usr/sbin" | "/opt/homebrew/bin"
            )
        }
        known => known.is_some(),
    }
}

/// Whether a word in front of `--` begins with what only run time tells: anything, or a pattern of the shell that stands for
/// a file whose name looks like an option.
fn may_be_option(command: &Command<'_>, case: &Case<'_>) -> bool {
    let mut before = command.args().iter().take_while(|arg| arg.text != "--");
    before.any(|arg| match arg.text.chars().next() {
        Some(first) if mark::is_glob(first) => {
            let files = case.entries(&case.place(&arg.text, &command.atom.cwd, Access::Read));
            files.is_none_or(|files| files.iter().any(|file| file_name(&file.path).starts_with('-')))
        }
        first => first.is_some_and(mark::is_mark),
    })
}

/// Whether one of the lines fits, for what restricts: in any reading of the words, and surely or at run time.
fn calls(test: &Run<'_>, words: &Words<'_>, command: &Command<'_>) -> Match {
    if test.calls.is_empty() {
        return Match::Yes;
    }
    let fits = |line: &Text<'_>, unknown: bool| {
        words.readings.iter().any(|words| rules::calls::line_fits(command, words, line, unknown))
    };
    any(&test.calls, |line| match () {
        () if fits(line, false) => Match::Yes,
        () if fits(line, true) => Match::Maybe,
        () => Match::No,
    })
}

fn env(test: &Run<'_>, command: &Command<'_>) -> Match {
    if test.env_any.is_empty() {
        return Match::Yes;
    }
    any(&command.atom.assigns, |(name, _)| listed(&test.env_any, name, PLAIN))
}

/// Whether the call is written like one of these: the program by the name that stands there, nothing in between.
fn written(test: &Run<'_>, command: &Command<'_>, lean: Lean) -> Match {
    if test.written.is_empty() {
        return Match::Yes;
    }
    let args = &command.atom.args;
    // What runs inside something else is written differently there.
    if lean == Lean::Narrow && (command.atom.via.is_some() || args.iter().any(|arg| arg.known().is_none())) {
        return Match::No;
    }
    any(&test.written, |pattern| {
        let mut matched = Match::Yes;
        let mut args = args.iter();
        for wanted in pattern.split_ascii_whitespace() {
            if wanted == "**" {
                return matched;
            }
            let Some(arg) = args.next() else { return Match::No };
            matched = matched.min(glob::matches(wanted, &arg.without_unset(), PLAIN));
        }
        if args.next().is_some() { Match::No } else { matched }
    })
}

fn sub(test: &Run<'_>, words: &Words<'_>) -> Match {
    let mut matched = Match::Yes;
    if !test.sub.is_empty() {
        matched = any(&words.readings, |reading| begins(reading, test.sub.iter().map(|word| &**word)));
    }
    if !test.sub_any.is_empty() {
        let one =
            |sub: &Text<'_>| any(&words.readings, |reading| begins(reading, sub.split_ascii_whitespace()));
        matched = matched.min(any(&test.sub_any, one));
    }
    matched
}

/// Whether a call's words begin with these.
fn begins<'w>(words: &[Cow<'_, str>], wanted: impl Iterator<Item = &'w str>) -> Match {
    let mut matched = Match::Yes;
    for (at, wanted) in wanted.enumerate() {
        let Some(word) = words.get(at) else { return Match::No };
        let one =
            wanted.split('|').map(|wanted| glob::matches(wanted, word, PLAIN)).max().unwrap_or(Match::No);
        matched = matched.min(one);
    }
    matched
}

fn flags(test: &Run<'_>, called: &Called<'_>, lean: Lean) -> Match {
    // What loosens is held back by whatever may be an option.
    let among = |at: Lean| {
        if lean.loosens() && at == Lean::Wide { called.command.args() } else { called.own_args() }
    };
    let given = |flag: &Text<'_>, at| given(flag, &called.command, among(at), at);
    let mut matched = Match::Yes;
    if !test.flags_any.is_empty() {
        matched = any(&test.flags_any, |flag| given(flag, lean));
    }
    for flag in &test.flags_all {
        matched = matched.min(given(flag, lean));
    }
    for flag in &test.flags_none {
        matched = matched.min(given(flag, lean.turned()).not());
    }
    matched
}

/// Whether every option is one of those that may be given.
fn only(test: &Run<'_>, command: &Command<'_>) -> Match {
    if test.flags_only.is_empty() {
        return Match::Yes;
    }
    let before = command.args().iter().take_while(|arg| arg.text != "--");
    let options = before.filter(|arg| arg.text.starts_with('-') && arg.text.len() > 1);
    options
        .map(|arg| any(&test.flags_only, |pattern| glob::matches(pattern, &arg.text, PLAIN)))
        .min()
        .unwrap_or(Match::Yes)
}

/// Whether an option is given among some of the arguments.
fn given(flag: &str, command: &Command<'_>, among: &[Arg], lean: Lean) -> Match {
    if let Some((name, value)) = flag.split_once('=') {
        return match command.value(&[name]) {
            Some(found) => glob::matches(value, found, PLAIN),
            None => unknown(command, lean),
        };
    }
    let mut options = command.options().filter(|option| among.iter().any(|own| std::ptr::eq(own, *option)));
    let spelled = match lean {
        // Options of Windows have one spelling, in any case, and no bundles.
        _ if flag.starts_with(['/', '+']) => among.iter().any(|arg| arg.text.eq_ignore_ascii_case(flag)),
        Lean::Wide => options.any(|arg| is_option(&arg.without_unset(), flag)),
        Lean::Narrow | Lean::Open => options.any(|arg| {
            arg.text == flag || arg.text.strip_prefix(flag).is_some_and(|rest| rest.starts_with('='))
        }),
    };
    if spelled { Match::Yes } else { unknown(command, lean) }
}

/// An argument that only exists at run time may be any option.
fn unknown(command: &Command<'_>, lean: Lean) -> Match {
    let may_be =
        |arg: &Arg| arg.text.starts_with([mark::UNKNOWN, mark::REMOTE, mark::DECODED, mark::PRINTED]);
    let any = command.args().iter().take_while(|arg| arg.text != "--").any(may_be);
    if any && lean == Lean::Wide { Match::Maybe } else { Match::No }
}

fn operands(test: &Run<'_>, words: &Words<'_>, lean: Lean) -> Match {
    if test.args_any.is_empty() && test.args_all.is_empty() && test.args_none.is_empty() {
        return Match::Yes;
    }
    let skip = |reading: &[Cow<'_, str>]| {
        // The words of the sub-command are not operands: of those that it may be, the longest is the one.
        let may_be =
            test.sub_any.iter().filter(|sub| begins(reading, sub.split_ascii_whitespace()) != Match::No);
        let longest = may_be.map(|sub| sub.split_ascii_whitespace().count()).max();
        longest.unwrap_or(0).max(test.sub.len()).min(reading.len())
    };
    let one = |pattern: &Text<'_>, lean: Lean| {
        let matches = |reading: &Vec<Cow<'_, str>>| {
            any(&reading[skip(reading)..], |word| glob::matches(pattern, word, PLAIN))
        };
        match lean {
            Lean::Wide => words.readings.iter().map(matches).max(),
            Lean::Narrow | Lean::Open => words.readings.iter().map(matches).min(),
        }
        .unwrap_or(Match::No)
    };
    let mut matched = Match::Yes;
    if !test.args_any.is_empty() {
        matched = any(&test.args_any, |pattern| one(pattern, lean));
    }
    for pattern in &test.args_all {
        matched = matched.min(one(pattern, lean));
    }
    for pattern in &test.args_none {
        matched = matched.min(one(pattern, lean.turned()).not());
    }
    matched
}
