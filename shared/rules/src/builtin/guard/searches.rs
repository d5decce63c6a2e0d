//! Files that are searched by what stands in them, and then changed: `grep -rl WORD . | xargs rm`.

use std::borrow::Cow;
use std::cell::OnceCell;

use shell::{Atom, Language, mark, path};

use super::super::has;
use super::programs::places_of_ours;
use super::touch::{self, Touch};
use crate::command::Command;
use crate::facts::Facts;
use crate::protected::{self, Owner, Relation};

const SEARCHES: &str = "grep egrep fgrep zgrep ggrep rg ag ack ugrep ug git";

/// Endings of files that are protected nowhere.
const OTHERS: &str = "rs py ts tsx js jsx go java kt c h cc cpp hpp cs rb php swift scala css scss html vue svelte sql \
    rust python typescript javascript cpp ruby yml yaml txt lock xml";

/// Whether a command gets names that only exist at run time.
pub(super) fn may_be(command: &Command<'_>) -> bool {
    command.args().iter().any(shell::Arg::has_hole)
        || command.atom.redirects.iter().any(|redirect| redirect.target.contains(mark::is_hole))
}

/// The strictest owner of files that a search before this command may have found, if the command changes them.
pub(super) fn owner(command: &Command<'_>) -> Option<Owner> {
    if !may_be(command) {
        return None;
    }
    // `git ls-files | xargs sed -i s/command-blocker/true/`: what it changes tells which files are meant.
    let meant = || command.args().iter().any(|arg| is_telling(&arg.text)).then_some(Owner::Project);
    let found = searched_before(command).or_else(meant)?;
    let mut changes = false;
    touch::each(command, &mut |path, touch| {
        changes |= path.contains(mark::is_hole) && matches!(touch, Touch::Write | Touch::Away);
    });
    changes.then_some(found)
}

/// What the searches of a text may find: where each stands among its commands, and whose files. Once someone has asked.
pub(crate) type Searches = OnceCell<Vec<(usize, Owner)>>;

/// The strictest owner of what searches before a command may have found.
fn searched_before(command: &Command<'_>) -> Option<Owner> {
    let of_this_command = Searches::new();
    // Shared by the commands of a text: a script would be gone through again for each.
    let searches = command.searches.unwrap_or(&of_this_command).get_or_init(|| searches_of(command));
    // Few texts search at all.
    searches.first()?;
    let at = command.index()?;
    searches.iter().take_while(|(search, _)| *search < at).map(|(_, owner)| *owner).max()
}

fn searches_of(command: &Command<'_>) -> Vec<(usize, Owner)> {
    let atoms = command.analysis.atoms.iter().enumerate();
    // What a POSIX shell prints for people reaches no other command.
    let heard = atoms.filter(|(_, atom)| atom.captured || atom.shell != Language::Posix);
    let searches = heard.filter(|(_, atom)| lists_files(atom));
    searches.filter_map(|(at, atom)| Some((at, reached(atom, command.facts)?))).collect()
}

/// Whether a program prints the names of the files in which it finds something.
fn lists_files(atom: &Atom) -> bool {
    // Its objects have the paths, whatever it is asked for.
    if atom.shell == Language::PowerShell && atom.program() == "Select-String" {
        return true;
    }
    // The options first, as few commands have them.
    let lists = atom.args.iter().skip(1).any(|arg| {
        let text = arg.text.as_str();
        let letters =
            text.strip_prefix('-').is_some_and(|rest| !rest.starts_with('-') && rest.contains(['l', 'L']));
        letters || text.starts_with("--files-with")
    });
    if !lists {
        return false;
    }
    let name = atom.program();
    has(SEARCHES, &name) && (name != "git" || atom.args.iter().any(|arg| arg.text == "grep"))
}

/// Whether a word stands in files which decide what agents may do, and seldom elsewhere.
fn is_telling(text: &str) -> bool {
    let bytes = text.as_bytes();
    // The shortest of them has nine letters.
    let Some(last) = bytes.len().checked_sub(9) else { return false };
    let begins = |at: usize| {
        let starts =
            |word: &[u8]| bytes.get(at..at + word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        match bytes[at].to_ascii_lowercase() {
            b'p' => {
                starts(b"policy-hooks")
                    || starts(b"pretooluse")
                    || starts(b"posttooluse")
                    || starts(b"permissionrequest")
            }
            b'u' => starts(b"userpromptsubmit"),
            b'd' => starts(b"disableallhooks"),
            b'c' => starts(b"chat.usehooks"),
            b'h' => starts(b"hookspath"),
            b'm' => starts(b"mcpservers"),
            b'b' => starts(b"bypasspermissions"),
            _ => false,
        }
    };
    if (0..=last).any(begins) {
        return true;
    }
    // Those of ours are written in small letters.
    let shouts = bytes.iter().any(u8::is_ascii_uppercase);
    let text = if shouts { Cow::Owned(text.to_ascii_lowercase()) } else { Cow::Borrowed(text) };
    places_of_ours(&text).next().is_some()
}

/// Whose files a search may find.
fn reached(search: &Atom, facts: &Facts<'_>) -> Option<Owner> {
    if is_about_others(search) {
        return None;
    }
    let words: Vec<&str> = search.args.iter().skip(1).map(|arg| arg.text.as_str()).collect();
    let telling = words.iter().any(|text| is_telling(text));
    let roots = words.iter().copied().filter(|text| !text.starts_with('-'));
    // Without a path, it searches here.
    let roots = roots
        .chain((search.program() != "grep" || words.iter().any(|text| text.contains('r'))).then_some("."));
    let reach = |root: &str| {
        let path = facts.target(root, search).path;
        let path = path.split(mark::is_mark).next().unwrap_or("").trim_end_matches('/');
        let everything = facts.worktree().is_some_and(|worktree| path::is_within(worktree, path));
        match protected::find(path, facts) {
            Some(kept)
                if kept.relation == Relation::At || kept.relation == (Relation::Above { near: true }) =>
            {
                (telling || root != ".").then_some(kept.owner)
            }
            Some(kept) => telling.then_some(kept.owner),
            None => (telling && everything).then_some(Owner::Project),
        }
    };
    roots.filter_map(reach).max()
}

/// Whether a search is narrowed to files of which none is protected: `--include='*.py'`, `-t rust`.
fn is_about_others(search: &Atom) -> bool {
    let mut words = search.args.iter().skip(1).map(|arg| arg.text.as_str());
    let mut filters = Vec::new();
    while let Some(text) = words.next() {
        match text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value))) {
            ("--include" | "--glob" | "--type" | "--iglob", Some(value)) => filters.push(value),
            ("--include" | "-g" | "--glob" | "-t" | "--type" | "-G" | "--iglob", None) => {
                filters.extend(words.next());
            }
            // `git grep -l WORD -- '*.rs'`
            _ if search.program() == "git" && text.contains("*.") => filters.push(text),
            _ => {}
        }
    }
    let ending = |filter: &&str| has(OTHERS, filter.rsplit('.').next().unwrap_or(""));
    !filters.is_empty() && filters.iter().all(ending)
}
