//! What git lists for a command that takes its names from it: `git diff --name-only | xargs rm`.

use shell::{Atom, mark};

use super::found;
use crate::builtin::has;
use crate::command::Command;

/// A list of files that git prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// Files that are not as the index has them.
    Modified,
    /// Files that are not in the index as in the current commit.
    Staged,
    /// Files that git does not know.
    Untracked,
    /// Files that git ignores.
    Ignored,
    /// Files that git knows, some of them.
    Tracked,
}

impl List {
    /// A pathspec of our own for each. No word of a shell has a zero byte.
    const SPECS: [(Self, &'static str); 5] = [
        (Self::Modified, "\0modified"),
        (Self::Staged, "\0staged"),
        (Self::Untracked, "\0untracked"),
        (Self::Ignored, "\0ignored"),
        (Self::Tracked, "\0tracked"),
    ];

    /// The list that a pathspec stands for.
    pub fn of(spec: &str) -> Option<Self> {
        Self::SPECS.iter().find(|(_, known)| *known == spec).map(|(list, _)| *list)
    }

    pub(crate) fn spec(self) -> String {
        Self::SPECS.iter().find(|(list, _)| *list == self).map_or("", |(_, spec)| spec).to_owned()
    }
}

/// What a command gets from git.
pub(crate) struct Listed {
    lists: Vec<List>,
    /// Whether what stands between them only leaves names out.
    pub(crate) certain: bool,
}

/// Programs that leave lines out, or only a part of each: those of which more is asked stand in `narrows`.
const FILTERS: &str = "awk gawk mawk sed cut grep egrep rg head tail sort uniq tr xargs read";

/// The lists that name what a command works on, if git alone prints them.
pub(crate) fn listed(command: &Command<'_>) -> Option<Listed> {
    if !command.operands().iter().any(|arg| is_list(command, &arg.text)) {
        return None;
    }
    let before = command.earlier().iter();
    let mut listed = Listed { lists: Vec::new(), certain: true };
    let mut only_untracked = false;
    for atom in before.filter(|atom| atom.captured) {
        let name = atom.program();
        if name == "git" {
            listed.lists.extend(lists_of(atom)?);
        } else if has(FILTERS, &name) {
            listed.certain &= narrows(atom, &name);
            only_untracked |= keeps_untracked(atom);
        } else {
            return None;
        }
    }
    if only_untracked {
        listed.lists.retain(|list| *list == List::Untracked);
    }
    (!listed.lists.is_empty()).then_some(listed)
}

/// The words of a command, with pathspecs of our own where it gets names from git.
pub(crate) fn substituted(command: &Command<'_>, listed: &Listed) -> Vec<String> {
    let mut paths = Vec::new();
    for arg in command.operands() {
        if is_list(command, &arg.text) {
            paths.extend(listed.specs());
        } else if !arg.text.is_empty() {
            paths.push(found(&arg.text, &command.atom.cwd));
        }
    }
    paths
}

impl Listed {
    /// Whether it may be every file that git knows.
    pub(crate) fn names_all(&self) -> bool {
        self.lists.contains(&List::Tracked)
    }

    pub(crate) fn specs(&self) -> impl Iterator<Item = String> + '_ {
        self.lists.iter().map(|list| list.spec())
    }
}

/// Whether a word is nothing but what another program prints.
pub(crate) fn is_list(command: &Command<'_>, text: &str) -> bool {
    let inside = text.strip_prefix(&*command.atom.cwd).unwrap_or(text);
    let printed = |c: char| matches!(c, mark::ENTRY | mark::PRINTED | mark::UNKNOWN | mark::TOKEN);
    mark::any(inside) && inside.chars().all(|c| c == '/' || printed(c))
}

/// What a command of git lists, at most. `None` where that is not a list of files in this working tree.
fn lists_of(atom: &Atom) -> Option<Vec<List>> {
    let mut words = atom.args.iter().skip(1).map(|arg| arg.text.as_str());
    let sub = words.find(|word| !matches!(*word, "--no-pager" | "-P"))?;
    let words: Vec<&str> = words.collect();
    let says = |long: &str| words.contains(&long);
    let letter = |letter: char| {
        words.iter().any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
    };
    let names_only = || says("--name-only") || says("--name-status");
    let operands = || words.iter().take_while(|word| **word != "--").filter(|word| !word.starts_with('-'));
    Some(match sub {
        "ls-files" => {
            let mut lists = Vec::new();
            let ignored = letter('i') || says("--ignored");
            if letter('o') || says("--others") {
                if !ignored {
                    lists.push(List::Untracked);
                }
                if ignored || !says("--exclude-standard") {
                    lists.push(List::Ignored);
                }
            }
            if ["--modified", "--deleted", "--unmerged"].iter().any(|option| says(option))
                || ['m', 'd', 'u'].into_iter().any(letter)
            {
                lists.push(List::Modified);
            }
            if lists.is_empty() || letter('c') || letter('s') || says("--cached") || says("--stage") {
                lists.push(List::Tracked);
            }
            lists
        }
        "diff" if names_only() => match operands().copied().collect::<Vec<_>>().as_slice() {
            _ if says("--cached") || says("--staged") => vec![List::Staged],
            [] => vec![List::Modified],
            ["HEAD" | "@"] => vec![List::Modified, List::Staged],
            _ => vec![List::Modified, List::Staged, List::Tracked],
        },
        "status"
            if letter('s') || words.iter().any(|word| word.starts_with("--porcelain")) || says("--short") =>
        {
            let mut lists = vec![List::Modified, List::Staged, List::Untracked];
            if words.iter().any(|word| word.starts_with("--ignored")) {
                lists.push(List::Ignored);
            }
            lists
        }
        "grep" if letter('l') || letter('L') => vec![List::Tracked],
        "log" | "show" | "diff-tree" | "diff-index" | "diff-files" if names_only() => vec![List::Tracked],
        "ls-tree" if names_only() => vec![List::Tracked],
        _ => return None,
    })
}

/// Whether a program only leaves out some of what it reads.
pub(super) fn is_filter(atom: &Atom) -> bool {
    let name = atom.program();
    has(FILTERS, &name) && narrows(atom, &name)
}

/// Whether a filter leaves nothing but names of the list: `awk '{print $2}'`, `cut -c4-`, `sed 's/...//'`.
fn narrows(atom: &Atom, name: &str) -> bool {
    let words: Vec<&str> = atom.args.iter().skip(1).map(|arg| arg.text.as_str()).collect();
    match name {
        "awk" | "gawk" | "mawk" => {
            !words.is_empty()
                && words.iter().all(|word| {
                    let script = word.trim_matches(|c: char| c == '{' || c == '}' || c == ' ');
                    matches!(script, "print $2" | "print $NF" | "print" | "print $0")
                })
        }
        "sed" => words.iter().all(|word| {
            let cut = word.strip_prefix("s/").and_then(|rest| rest.strip_suffix("//"));
            cut.is_some_and(|pattern| {
                pattern.trim_start_matches('^').chars().all(|c| matches!(c, '.' | ' ' | '?'))
            })
        }),
        "cut" => words.iter().all(|word| word.starts_with("-c") && word.ends_with('-')),
        "tr" => matches!(words.as_slice(), ["\\n", "\\0" | " "] | ["-d", _]),
        "grep" | "egrep" | "rg" => !words.iter().any(|word| word.starts_with('-') && word.contains('o')),
        _ => true,
    }
}

/// Whether a filter leaves those lines of `git status --short` that are about files that git does not know.
fn keeps_untracked(atom: &Atom) -> bool {
    let is_it = |text: &str| matches!(text.trim_end(), "^??" | "^\\?\\?" | "^[?][?]" | "??");
    atom.program().ends_with("grep")
        && atom.args.iter().any(|arg| is_it(&arg.text))
        && !atom.args.iter().any(|arg| arg.text.starts_with("-v"))
}
