//! A call of git, as its rules look at it.

use std::borrow::Cow;

use shell::{Arg, mark};

use crate::command::{Command, is_option};
use crate::zone::Zone;

/// A sub-command of git with its own arguments; what stands in front of it is stepped over.
pub(super) struct GitCall<'c, 'a> {
    command: &'c Command<'a>,
    /// The sub-command: `reset`.
    pub(super) sub: Cow<'a, str>,
    global: &'a [Arg],
    args: &'a [Arg],
}

impl<'c, 'a> GitCall<'c, 'a> {
    /// The call, if the program is git and has a sub-command.
    pub(super) fn of(command: &'c Command<'a>) -> Option<Self> {
        let args = command.args();
        // `/usr/lib/git-core/git-reset` is the same as `git reset`.
        if let Some(sub) = command.name.strip_prefix("git-") {
            return Some(Self { command, sub: Cow::Owned(sub.to_owned()), global: &[], args });
        }
        // At build time: nearly every rule about git asks for it.
        let values = const { catalog::row("git").values };
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            let text = arg.without_unset();
            if !text.is_empty() && !text.starts_with('-') {
                return Some(Self { command, sub: text, global: &args[..at], args: &args[at + 1..] });
            }
            at += if crate::builtin::has(values, &text) { 2 } else { 1 };
        }
        None
    }

    /// The value of a setting with which git runs: `git -c name=value`. Names are compared without case, and the last
    /// one wins.
    pub(super) fn setting(&self, name: &str) -> Option<&'a str> {
        self.global.iter().rev().find_map(|arg| {
            let (known, value) = arg.text.split_once('=')?;
            known.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    /// The folder that it works in, absolute; none where that, or the repository, is said in another way.
    pub(super) fn folder(&self) -> Option<String> {
        let mut folder = self.command.atom.cwd.to_string();
        let (mut git, mut tree) = (None, None);
        for (name, value) in &self.command.atom.assigns {
            match name.as_str() {
                "GIT_DIR" => git = Some(value.as_str()),
                "GIT_WORK_TREE" => tree = Some(value.as_str()),
                _ => {}
            }
        }
        let mut args = self.global.iter();
        while let Some(arg) = args.next() {
            match arg.text.as_str() {
                "-C" => folder = shell::path::join(&folder, &args.next()?.text),
                "--no-pager" | "-P" | "-p" | "--paginate" | "--no-optional-locks" => {}
                "-c" => is_quiet(&args.next()?.text).then_some(())?,
                "--git-dir" => git = Some(&args.next()?.text),
                "--work-tree" => tree = Some(&args.next()?.text),
                text => {
                    let (name, value) = text.split_once('=')?;
                    match name {
                        "--git-dir" => git = Some(value),
                        "--work-tree" => tree = Some(value),
                        _ => return None,
                    }
                }
            }
        }
        // Where they say what git would find by itself, they change nothing.
        let full = |path: &str| shell::path::join(&folder, path).trim_end_matches('/').to_owned();
        let usual = git.is_none_or(|git| full(git) == full(".git"))
            && tree.is_none_or(|tree| full(tree) == full("."));
        let alone = tree.is_some() && git.is_none();
        (usual && !alone && folder.starts_with('/') && !mark::any(&folder)).then_some(folder)
    }

    /// The paths that `--pathspec-from-file` names, where that is known.
    pub(super) fn listed_paths(&self, parsed: &Parsed<'_>) -> Option<Vec<String>> {
        let text = match parsed.value(&["--pathspec-from-file"])? {
            "/dev/null" => "",
            "-" => self.command.atom.stdin.as_deref()?,
            _ => return None,
        };
        let plain = !mark::any(text) && !text.contains('"') && !parsed.has(&["--pathspec-file-nul"]);
        plain.then(|| text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect())
    }

    /// Whether it works in a clone below a folder for temporary files, which is no one's loss.
    pub(super) fn is_in_temporary_clone(&self) -> bool {
        // `GIT_DIR` and `--git-dir` say that the repository is somewhere else than the folder.
        let elsewhere =
            self.command.atom.assigns.iter().any(|(name, value)| super::step::changes_git(name, value));
        if elsewhere || self.global.iter().any(|arg| arg.text.starts_with("--")) {
            return false;
        }
        let folder =
            self.global.windows(2).find(|pair| pair[0].text == "-C").map_or(".", |pair| &pair[1].text);
        let target = self.command.target(folder);
        // `/tmp` itself is not a clone, but what all programs share.
        target.zone == Zone::Temporary && target.path.trim_end_matches('/').matches('/').count() > 1
    }

    /// The arguments, sorted into options and operands.
    pub(super) fn parsed(&self) -> Parsed<'a> {
        let valued = const { catalog::row("git") }.values_of(&self.sub).unwrap_or("");
        let mut parsed =
            Parsed { options: Vec::new(), operands: Vec::new(), paths: Vec::new(), dashed: false };
        let mut args = self.args.iter();
        while let Some(arg) = args.next() {
            let text = arg.without_unset();
            if parsed.dashed {
                parsed.paths.push(&arg.text);
            } else if text == "--" {
                parsed.dashed = true;
            } else if text.len() > 1 && text.starts_with('-') {
                let takes = takes_next(&text, valued);
                let value = if takes { args.next().map(|arg| arg.text.as_str()) } else { None };
                parsed.options.push((text, value));
            } else if !text.is_empty() || arg.text.is_empty() {
                parsed.operands.push(&arg.text);
            } else {
                // `git checkout -- $FILES` names something; `git push $OPTIONS` may be empty.
                parsed.operands.push(&arg.text);
            }
        }
        parsed.options.retain(|(text, _)| !text.is_empty());
        parsed.trim(valued);
        parsed
    }
}

/// Options and operands of a sub-command.
pub(super) struct Parsed<'a> {
    options: Vec<(Cow<'a, str>, Option<&'a str>)>,
    /// Arguments that are not options, in front of `--`.
    pub(super) operands: Vec<&'a str>,
    /// Arguments after `--`.
    pub(super) paths: Vec<&'a str>,
    /// Whether there is a `--`.
    pub(super) dashed: bool,
}

impl<'a> Parsed<'a> {
    /// Cuts values off bundled letters (`-bfeature`), so that they are not taken for options.
    fn trim(&mut self, valued: &str) {
        for (text, value) in &mut self.options {
            if text.starts_with("--") {
                continue;
            }
            let Some(at) = text[1..].find(|c| catalog::has_letter(valued, c)) else { continue };
            let end = at + 2;
            if end < text.len() && value.is_none() {
                *text = Cow::Owned(text[..end].to_owned());
            }
        }
    }

    /// Whether one of the options is given, in any spelling that git takes.
    pub(super) fn has(&self, options: &[&str]) -> bool {
        self.options.iter().any(|(text, _)| options.iter().any(|option| is_option(text, option)))
    }

    /// How often a letter is given.
    pub(super) fn count(&self, letter: char) -> usize {
        let bundles = self.options.iter().filter(|(text, _)| !text.starts_with("--"));
        bundles.map(|(text, _)| text.matches(letter).count()).sum()
    }

    /// How often an option with a long name is given, however it is shortened.
    pub(super) fn count_of(&self, long: &str) -> usize {
        self.options.iter().filter(|(text, _)| is_option(text, long)).count()
    }

    /// Whether an option is given whose name begins like this.
    pub(super) fn has_beginning(&self, beginning: &str) -> bool {
        self.options.iter().any(|(text, _)| text.starts_with(beginning))
    }

    /// The value of one of the options: the next argument, or what follows `=`.
    pub(super) fn value(&self, options: &[&str]) -> Option<&str> {
        self.values(options).next()
    }

    /// The values of each of them.
    pub(super) fn values(&self, options: &[&str]) -> impl Iterator<Item = &str> {
        let given = self.options.iter();
        let given = given.filter(move |(text, _)| options.iter().any(|option| is_option(text, option)));
        given.filter_map(|(text, value)| value.or_else(|| text.split_once('=').map(|(_, value)| value)))
    }

    /// Every path: operands and what follows `--`.
    pub(super) fn all(&self) -> impl Iterator<Item = &'a str> {
        self.operands.iter().chain(&self.paths).copied()
    }

    /// Whether the first operand is one of these words.
    pub(super) fn begins(&self, words: &[&str]) -> bool {
        self.operands.first().is_some_and(|first| words.contains(first))
    }

    /// Whether an operand is a list that another command prints.
    pub(super) fn is_listed(&self) -> bool {
        self.all().any(|text| text.contains([mark::UNKNOWN, mark::PRINTED, mark::ENTRY, mark::STAR]))
    }
}

/// Whether a setting changes nothing of what is lost.
fn is_quiet(setting: &str) -> bool {
    let name = setting.split('=').next().unwrap_or(setting).to_ascii_lowercase();
    let sections = ["user.", "advice.", "color.", "commit.", "gc.", "protocol.", "init."];
    matches!(name.as_str(), "clean.requireforce" | "core.pager" | "core.quotepath" | "core.editor")
        || sections.iter().any(|section| name.starts_with(section))
}

/// Whether a setting's value means no.
pub(super) fn is_off(value: &str) -> bool {
    ["false", "no", "off", "0", ""].iter().any(|off| value.eq_ignore_ascii_case(off))
}

fn takes_next(text: &str, valued: &str) -> bool {
    if text.starts_with("--") {
        return !text.contains('=') && crate::builtin::has(valued, text);
    }
    // In `-qC main`, the last letter takes the value; in `-Cmain`, it has it already.
    text[1..].find(|c| catalog::has_letter(valued, c)).is_some_and(|at| at + 2 == text.len())
}

/// Whether a name is a branch that others build on. Takes `refs/heads/main` and `origin/main` as well.
pub(super) fn is_shared_branch(name: &str) -> bool {
    let name = name.strip_prefix("refs/heads/").or_else(|| name.strip_prefix("heads/")).unwrap_or(name);
    // The usual names of remotes; others would be guesses.
    let name = name.strip_prefix("origin/").or_else(|| name.strip_prefix("upstream/")).unwrap_or(name);
    matches!(
        name,
        "main"
            | "master"
            | "trunk"
            | "develop"
            | "development"
            | "production"
            | "prod"
            | "stable"
            | "release"
            | "staging"
    ) || name.starts_with("release/")
        || name.starts_with("release-")
}
