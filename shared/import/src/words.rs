//! Commands as people write them into permission rules, and the rules of ours that mean them.

use payload::quote;
use shell::Surroundings;

use crate::draft::{Draft, Effect, Example, Kind, Run};
use crate::{About, Entry, Found, Permission};

/// The words of a command that is one program with plain words.
pub(crate) fn split(text: &str) -> Option<Vec<String>> {
    let analysis = shell::analyze(text, Surroundings::default());
    // Only what is written: what a wrapper runs comes of the same words.
    let mut own = analysis.atoms.iter().filter(|atom| atom.via.is_none());
    let (atom, None) = (own.next()?, own.next()) else { return None };
    let quiet = analysis.notes.is_empty() && atom.assigns.is_empty() && atom.redirects.is_empty();
    let words: Option<Vec<String>> = atom.args.iter().map(|arg| arg.known().map(str::to_owned)).collect();
    let words = words.filter(|words| quiet && !words.is_empty())?;
    // `(git status)` and `git status &` are the same words, and not the same text.
    let plain =
        |word: &String| !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c.is_control());
    // The reader takes quotes and escapes away. Words that differ from what is written would be matched as
    // something else than the host compares.
    let reads_so = words.join(" ") == text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    (reads_so && words.iter().all(plain)).then_some(words)
}

/// How much of a command a rule names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The whole of it.
    Exact,
    /// Its first words.
    Begins,
}

/// Adds the rule for a command that is written out.
pub(crate) fn command(found: &mut Found<'_>, permission: Permission<'_>, text: &str, reach: Reach) {
    let Permission { entry, effect } = permission;
    // A command that cannot be read may do anything: only its exact text can still be held back.
    let Some(words) = split(text) else {
        if effect == Effect::Allow {
            return found
                .left(entry, "more than the plain words of one program: no part of it may be allowed alone");
        }
        return match literal(permission, text, reach) {
            Some(draft) => found.drafts.push(draft),
            None => found.lost(permission, About::Commands, "it cannot be read as a command"),
        };
    };
    match effect {
        Effect::Allow => allow(found, entry, &words, reach),
        _ => restrict(found, permission, &words, reach),
    }
}

/// A rule that allows exactly what begins with these words, written so.
pub(crate) fn allow(found: &mut Found<'_>, entry: &Entry, words: &[String], reach: Reach) {
    let program = words.first().map_or("", String::as_str);
    // `python:*` would allow everything that python can do.
    if words.len() == 1 && reach == Reach::Begins && runs_anything(program) {
        return found
            .left(entry, format!("`{program}` runs whatever it is given, so this allows everything"));
    }
    if words.iter().any(|word| word == "**") || program.contains(['{', '}', '[', ']', '\\', '*', '?']) {
        return found.left(entry, "words that mean something else in our patterns");
    }
    if let Some(why) = gives_way(program, words) {
        found.leaky(entry, why);
    }
    let mut written = words.iter().map(|word| escaped(word)).collect::<Vec<_>>().join(" ");
    let command = words.join(" ");
    let mut draft = Draft::new(Permission { entry, effect: Effect::Allow }, Kind::Run(Vec::new()));
    draft.matches.push(Example::Command(command.clone()));
    if reach == Reach::Begins {
        written.push_str(" **");
        draft.matches.push(Example::Command(format!("{command} x")));
    } else {
        draft.spares.push(Example::Command(format!("{command} x")));
    }
    draft.spares.extend([
        // Every allowed command is tried with what people add to get more out of it.
        Example::Command(format!("{command} > /etc/x")),
        Example::Command(format!("sudo {command}")),
        Example::Command(format!("{command}; made-up-program")),
    ]);
    // Our rules match a program by its name, wherever it lies.
    let name = program.rsplit('/').next().unwrap_or(program).to_owned();
    draft.kind = Kind::Run(vec![Run { program: vec![name], written: vec![written], ..Run::default() }]);
    found.drafts.push(draft);
}

/// A rule that holds back what runs these words, however it is spelled.
pub(crate) fn restrict(found: &mut Found<'_>, permission: Permission<'_>, words: &[String], reach: Reach) {
    let entry = permission.entry;
    let command = words.join(" ");
    let mut draft = Draft::new(permission, meant(words));
    // If the meaning does not match its own example, the text does.
    draft.fallback = literal(permission, &command, Reach::Begins).map(|draft| draft.kind);
    if !is_plain(words) {
        let Some(kind) = draft.fallback.take() else {
            return found.lost(permission, About::Commands, "it cannot be read as a command");
        };
        draft.kind = kind;
    }
    draft.matches.push(Example::Command(command.clone()));
    if reach == Reach::Exact {
        found.stricter(entry, "now with any other arguments, too");
    }
    let round = round_about(words);
    found.leaky(
        entry,
        format!(
            "{}: the same in other words, and its text is not like them",
            round.iter().map(|way| format!("`{way}`")).collect::<Vec<_>>().join(", ")
        ),
    );
    draft.matches.extend(round.into_iter().map(Example::Command));
    // The same words as a mere argument: a rule by meaning must not match them there.
    draft.spares.push(Example::Command(format!("echo {}", quote(&command))));
    found.drafts.push(draft);
}

/// The same command in other words, which a comparison of strings does not see.
fn round_about(words: &[String]) -> Vec<String> {
    let command = words.join(" ");
    let mut ways = Vec::new();
    let (program, rest) =
        words.split_first().map_or(("", &[][..]), |(program, rest)| (program.as_str(), rest));
    // A path names one file: it cannot be found by another path, only wrapped.
    if program.contains('/') {
        ways.push(format!("sudo {command}"));
        return ways;
    }
    ways.push(format!("/usr/bin/{command}"));
    // Respelling these would only wrap them once more.
    if matches!(program, "sudo" | "doas" | "bash" | "sh") {
        return ways;
    }
    // An option that changes nothing, in front of the sub-command.
    // One for each program that people write rules about, as an example that a comparison of beginnings misses.
    let global = match program {
        "git" => "-C .",
        "docker" => "--log-level debug",
        "kubectl" => "--context x",
        "gh" => "",
        "npm" => "--prefix .",
        "cargo" => "--color never",
        "terraform" => "-chdir=.",
        "systemctl" => "--root /",
        _ => "",
    };
    if !global.is_empty() && !rest.is_empty() {
        ways.push(format!("{program} {global} {}", rest.join(" ")));
    }
    ways.push(format!("sudo {command}"));
    ways.push(format!("bash -c {}", quote(&command)));
    ways
}

/// Whether the words can stand in our matchers.
fn is_plain(words: &[String]) -> bool {
    let odd = |word: &String| word.contains(['|', '*', '?', '[', ']', '{', '}', '\\']);
    !words.iter().any(odd)
}

/// The matcher for a program with its sub-commands and options.
pub(crate) fn meant(words: &[String]) -> Kind {
    let program = words.first().map_or("", |word| word.rsplit('/').next().unwrap_or(word));
    let mut run = Run { program: vec![program.to_owned()], ..Run::default() };
    // It ends the options, and means nothing itself.
    for word in words.iter().skip(1).filter(|word| *word != "--") {
        if !word.starts_with('-') || word == "-" {
            run.sub.push(word.clone());
        } else if is_bundle(program, word) {
            run.flags_all.extend(word.chars().skip(1).map(|letter| format!("-{letter}")));
        } else {
            run.flags_all.push(word.clone());
        }
    }
    Kind::Run(vec![run])
}

/// Whether an option is several letters, each of its own: `-rf`.
fn is_bundle(program: &str, word: &str) -> bool {
    // Of other programs, letters after one dash may be one option: `-name`.
    let bundles = matches!(
        program,
        "rm" | "cp"
            | "mv"
            | "ls"
            | "ln"
            | "chmod"
            | "chown"
            | "chgrp"
            | "grep"
            | "git"
            | "mkdir"
            | "rmdir"
            | "du"
    );
    let letters = &word[1..];
    bundles && letters.len() > 1 && letters.chars().all(|letter| letter.is_ascii_alphabetic())
}

/// A rule about the text of a command, as the original was one.
fn literal(permission: Permission<'_>, text: &str, reach: Reach) -> Option<Draft> {
    let words: Vec<String> = text.split_ascii_whitespace().map(crate::expression::escape).collect();
    if words.is_empty() || text.contains(char::is_control) {
        return None;
    }
    // The host compares with the beginning; where a word ends, ours has to say.
    let end = if reach == Reach::Exact { r"\s*$" } else { r"(\s|$)" };
    let mut draft = Draft::new(permission, Kind::Text(format!(r"^\s*{}{end}", words.join(r"\s+"))));
    draft.matches.push(Example::Command(text.to_owned()));
    draft.spares.push(Example::Command("echo made-up".to_owned()));
    Some(draft)
}

/// A word that stands for itself in a pattern.
pub(crate) fn escaped(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    for c in word.chars() {
        if matches!(c, '*' | '?' | '[' | '\\') {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

/// Programs that run what they are given.
pub(crate) fn runs_anything(program: &str) -> bool {
    matches!(
        program.rsplit('/').next().unwrap_or(program),
        "bash"
            | "sh"
            | "zsh"
            | "dash"
            | "fish"
            | "python"
            | "python3"
            | "node"
            | "deno"
            | "bun"
            | "ruby"
            | "perl"
            | "php"
            | "lua"
            | "pwsh"
            | "powershell"
            | "cmd"
            | "env"
            | "xargs"
            | "find"
            | "sudo"
            | "doas"
            | "npx"
            | "eval"
            | "exec"
            | "make"
            | "ssh"
            | "timeout"
            | "time"
            | "nohup"
            | "watch"
            | "command"
    )
}

/// What an allowed command lets run that no one had in mind.
fn gives_way(program: &str, words: &[String]) -> Option<String> {
    let second = words.get(1).map(String::as_str);
    let why = match (program, second) {
        ("git", None) => "`git -c alias.x='!…' x` runs any program",
        ("git", Some("log" | "diff" | "show" | "grep")) => {
            "`--output=…` writes files, and pagers and filters run programs"
        }
        ("git", _) => return None,
        ("npm" | "pnpm" | "yarn" | "bun", _) => {
            "it runs scripts of `package.json`, which an agent may have edited"
        }
        ("make" | "just" | "rake" | "gradle" | "mvn" | "cargo" | "go", _) => {
            "it runs code of the project, which an agent may have edited"
        }
        ("docker" | "podman", _) => "containers can mount every file of this machine",
        ("awk" | "sed" | "tar" | "rsync" | "vim" | "less" | "man", _) => "it can run other programs",
        ("curl" | "wget", _) => "it writes files and sends them anywhere",
        ("python" | "python3" | "node" | "ruby" | "perl" | "npx" | "deno", _) => {
            "it runs code that an agent may have edited"
        }
        ("cat" | "head" | "tail" | "grep" | "rg", _) => "it reads every file, including keys and passwords",
        _ => return None,
    };
    Some(format!("more than it says: {why}"))
}
