//! What a command of git does to the repository, as far as that decides what can be lost.

use std::rc::Rc;

use shell::{Arg, Atom, Language, Place, mark};

use super::super::has;
use super::call::{GitCall, Parsed, is_off};
use crate::command::Command;
use crate::loss::{
    Checkout, Clean, Does, Push, Reset, ResetTree, Restore, Stash, found, is_list, is_pattern, listed,
};
use crate::loss::{List, fed_by};

/// What a command is to those who ask about loss.
pub(crate) enum GitStep {
    /// Another program.
    Other,
    /// Nothing is lost by it, and it saves nothing.
    Harmless,
    /// It may change anything.
    Unclear,
    /// It does this in this folder.
    Does(String, Does),
}

/// What this command does to the repository. Of what a search finds, not every condition is known: that is safe only in the
/// `last` command of a line.
pub(crate) fn git_step(command: &Command<'_>, last: bool) -> GitStep {
    if command.name != "git" && !command.name.starts_with("git-") {
        return GitStep::Other;
    }
    match with_revision(command) {
        Some(atom) => step_of(&Command::new(command.analysis, &atom, command.facts), last),
        None => step_of(command, last),
    }
}

/// The command with the revision that git was asked for right before: `git reset --hard $(git merge-base HEAD main)`.
fn with_revision(command: &Command<'_>) -> Option<Atom> {
    let is_shown = |arg: &Arg| arg.text.chars().eq([mark::TOKEN]);
    command.args().iter().any(is_shown).then_some(())?;
    let words = asked_of_git(command)?;
    let revision = match words.as_slice() {
        ["merge-base", one, other] => format!("{one}...{other}"),
        ["rev-parse", revision] | ["rev-parse", "--verify" | "--short", revision] => (*revision).to_owned(),
        _ => return None,
    };
    if revision.starts_with('-') || mark::any(&revision) {
        return None;
    }
    let mut atom = command.atom.clone();
    for arg in Rc::make_mut(&mut atom.args).iter_mut().filter(|arg| is_shown(arg)) {
        arg.text.clone_from(&revision);
    }
    Some(atom)
}

/// What git was asked for right before, about this repository and in the command's own words: `"$(git status)"`.
fn asked_of_git<'a>(command: &Command<'a>) -> Option<Vec<&'a str>> {
    let [before @ .., asked] = command.earlier() else { return None };
    let is_only = asked.captured
        && asked.program() == "git"
        && asked.assigns.is_empty()
        && (asked.place, &asked.cwd) == (command.atom.place, &command.atom.cwd)
        && !before.iter().any(|atom| atom.captured);
    is_only.then(|| asked.args.iter().skip(1).map(|arg| arg.text.as_str()).collect())
}

/// What is asked by `[ -z "$(git status --porcelain)" ]`.
pub(crate) fn asks_for_changes(command: &Command<'_>) -> Option<Does> {
    let words: Vec<&str> = command.args().iter().map(|arg| arg.text.as_str()).collect();
    let (["-z", printed] | ["-z", printed, "]"]) = words.as_slice() else { return None };
    let is_asked = command.is(&["[", "test"]) && !printed.is_empty() && printed.chars().all(mark::is_hole);
    let untracked = match asked_of_git(command).filter(|_| is_asked)?.as_slice() {
        ["status", "--porcelain" | "-s" | "--short" | "--porcelain=v1"] => true,
        ["status", "--porcelain" | "-s" | "--short", "--untracked-files=no" | "-uno"] => false,
        _ => return None,
    };
    Some(Does::IsClean { untracked })
}

fn step_of(command: &Command<'_>, last: bool) -> GitStep {
    let Some(call) = GitCall::of(command) else { return GitStep::Harmless };
    // Where a word is only known at run time, or git is pointed at another repository, anything may happen. A star stays
    // one: git's own matches at least what the shell's does.
    let is_hole = |c: char| mark::is_mark(c) && c != mark::STAR;
    let lists = if last { listed(command).filter(|listed| listed.certain) } else { None };
    let from_git = |text: &str| lists.is_some() && is_list(command, text);
    let is_known = |text: &str| !text.contains(is_hole) || last && is_pattern(text) || from_git(text);
    let parsed = call.parsed();
    // Of branches whose names come from elsewhere, it may be any.
    let any_branch = last && call.sub == "branch" && deletes_unmerged(&parsed);
    let is_name = |text: &str| any_branch && parsed.operands.contains(&text) && !text.starts_with('-');
    let plain = command.args().iter().all(|arg| is_known(&arg.text) || is_name(&arg.text))
        && command.atom.place == Place::Here
        && command.atom.shell == Language::Posix
        && command.atom.assigns.iter().all(|(name, value)| is_place(name) || !changes_git(name, value));
    let Some(folder) = call.folder().filter(|_| plain) else { return GitStep::Unclear };
    if parsed.has_beginning("--help") || parsed.has(&["-h"]) {
        return GitStep::Harmless;
    }
    match does(&call, &parsed) {
        Ok(Some(mut does)) => {
            if let (Some(lists), Some(paths)) = (&lists, does.paths_mut()) {
                let words = command.operands().iter().filter(|arg| is_list(command, &arg.text));
                let words: Vec<String> = words.map(|arg| found(&arg.text, "")).collect();
                paths.retain(|path| !words.contains(path));
                paths.extend(lists.specs());
            }
            GitStep::Does(folder, does)
        }
        Ok(None) => GitStep::Harmless,
        Err(Unclear) => GitStep::Unclear,
    }
}

/// Whether a variable says where the repository and its working tree are.
pub(super) fn is_place(name: &str) -> bool {
    matches!(name, "GIT_DIR" | "GIT_WORK_TREE")
}

/// Whether a variable makes git do something else: `GIT_INDEX_FILE=x`, but not `GIT_PAGER=cat`.
pub(super) fn changes_git(name: &str, value: &str) -> bool {
    const QUIET: &str = "\
        GIT_PAGER GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS GIT_MERGE_AUTOEDIT GIT_ADVICE GIT_FLUSH GIT_AUTHOR_NAME \
        GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE";
    name.starts_with("GIT_")
        && !has(QUIET, name)
        && !(name == "GIT_EDITOR" && matches!(value, "true" | ":" | "cat"))
}

/// Whether a command of git may be no more than another name, by which git starts something else.
pub(crate) fn may_be_alias(command: &Command<'_>) -> bool {
    const STARTERS: &str =
        "bisect rebase submodule filter-branch merge pull am cherry-pick revert commit worktree clone";
    GitCall::of(command).is_some_and(|call| !has(STARTERS, &call.sub))
}

/// What is taken back where a patch is applied the other way round: `git diff | git apply -R`, `… | patch -R`.
pub(crate) fn reversed(command: &Command<'_>) -> Option<Does> {
    let (cached, by_name) = if command.name == "patch" {
        (false, command.has(&["-R", "--reverse"]) && !command.has(&["--dry-run"]))
    } else if command.name == "git" {
        let call = GitCall::of(command).filter(|call| call.sub == "apply")?;
        let parsed = call.parsed();
        let whole = !parsed.has(&["--check", "--stat", "--numstat", "--summary", "--index"]);
        // What stands in a file can be applied again.
        if whole && parsed.has(&["-R", "--reverse"]) && parsed.all().any(|file| file != "-") {
            return Some(Does::Nothing);
        }
        (parsed.has(&["--cached"]), whole && parsed.has(&["-R", "--reverse"]))
    } else {
        return None;
    };
    let from = fed_by(command).filter(|from| by_name && from.program() == "git")?;
    let words: Vec<&str> = from.args.iter().skip(1).map(|arg| arg.text.as_str()).collect();
    let restore_paths = |from: Option<&str>, paths: Vec<String>, staged: bool| {
        Some(Does::Restore(Restore {
            from: from.map(str::to_owned),
            paths,
            staged,
            worktree: !staged,
            deletes: true,
            lenient: true,
            ..Restore::default()
        }))
    };
    let restore = |from, list: List, staged| restore_paths(from, vec![list.spec()], staged);
    let owned = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
    match words.as_slice() {
        ["diff", "--", paths @ ..] if !cached && !paths.is_empty() => {
            restore_paths(None, owned(paths), false)
        }
        ["diff", "--cached" | "--staged"] if cached => restore(None, List::Staged, true),
        ["diff"] if !cached => restore(None, List::Modified, false),
        ["diff", "HEAD"] if !cached => restore(Some("HEAD"), List::Modified, false),
        // These print what is committed.
        ["show" | "format-patch" | "log", ..] => Some(Does::Nothing),
        ["diff", range] if range.contains("..") => Some(Does::Nothing),
        _ => None,
    }
}

/// It is not understood what a command does.
struct Unclear;

fn does(call: &GitCall<'_, '_>, parsed: &Parsed<'_>) -> Result<Option<Does>, Unclear> {
    // To these, `-p` is how they print.
    let prints = is_reader(&call.sub) || call.sub == "stash" && parsed.begins(&["show", "list"]);
    if parsed.has(&["-p", "--patch", "-i", "--interactive"]) && !prints {
        return Err(Unclear);
    }
    if parsed.has(&["--pathspec-from-file"]) && !is_reader(&call.sub) {
        let paths = call.listed_paths(parsed).ok_or(Unclear)?;
        return match &*call.sub {
            "checkout" | "restore" if paths.is_empty() => Ok(Some(Does::Nothing)),
            "restore" => Ok(Some(Does::Restore(Restore { paths, ..restore(parsed)? }))),
            "checkout" => {
                Ok(Some(Does::Checkout(Checkout { paths: Some(paths), ..checkout("checkout", parsed)? })))
            }
            _ => Err(Unclear),
        };
    }
    if let Some(does) = of_places(call, parsed)? {
        return Ok(Some(does));
    }
    Ok(match &*call.sub {
        "checkout" | "switch" | "co" | "sw" => Some(checkout_or_side(&call.sub, parsed)?),
        "restore" if takes_sides(parsed) => Some(Does::TakeSide { paths: paths(parsed) }),
        "restore" => Some(Does::Restore(restore(parsed)?)),
        "reset" => Some(Does::Reset(reset(parsed)?)),
        "clean" => clean(call, parsed).map(Does::Clean),
        "rm" => remove(parsed)?,
        "stash" => stash(parsed)?,
        "add" | "stage" => add(parsed)?,
        "commit" => commit(parsed)?,
        "submodule" => submodule(parsed)?,
        "read-tree" if parsed.has(&["--empty"]) => Some(Does::DropIndex),
        "read-tree" => Some(Does::Restore(read_tree(parsed)?)),
        "checkout-index" => checkout_index(parsed)?.map(Does::Restore),
        "rebase" | "am" | "cherry-pick" | "revert" if parsed.has(&["--skip"]) => Some(Does::Skip),
        "merge" | "rebase" | "am" | "cherry-pick" | "revert" if parsed.has(&["--abort"]) => Some(Does::Abort),
        "merge" => Some(merge(parsed)?),
        "update-index" => Some(unhide(parsed)?),
        "diff" => compared(parsed),
        sub if is_reader(sub) => None,
        _ => return of_references(call, parsed),
    })
}

/// What changes, deletes, fetches and sends references, and what writes commits down.
fn of_references(call: &GitCall<'_, '_>, parsed: &Parsed<'_>) -> Result<Option<Does>, Unclear> {
    Ok(match &*call.sub {
        "branch" => branch(parsed),
        "tag" if parsed.has(&["-d", "--delete"]) => Some(Does::DeleteTags(paths(parsed))),
        "tag" => parsed.operands.first().map(|name| Does::Point {
            name: format!("refs/tags/{name}"),
            to: parsed.operands.get(1).map(|to| (*to).to_owned()),
            even_current: false,
        }),
        "prune" => (!parsed.has(&["-n", "--dry-run"])).then_some(Does::Prune),
        // Without a date it leaves what is younger than two weeks.
        "gc" => parsed.value(&["--prune"]).is_some().then_some(Does::Prune),
        "push" => push(parsed)?.map(Does::Push),
        "reflog" => reflog(parsed)?,
        "update-ref" => Some(update_reference(parsed)?),
        "replace" if parsed.has(&["-d", "--delete"]) => match parsed.operands.as_slice() {
            [name] => Some(Does::DeleteReference(format!("refs/replace/{name}"))),
            _ => return Err(Unclear),
        },
        "notes" if parsed.begins(&["remove", "prune"]) && !parsed.has_beginning("--ref") => {
            Some(Does::DeleteReference("refs/notes/commits".to_owned()))
        }
        "bundle" if parsed.begins(&["create"]) && parsed.has(&["--all"]) => Some(Does::Bundle),
        "remote" if parsed.begins(&["remove", "rm", "rename"]) => return Err(Unclear),
        "remote" => Some(Does::Fetch { into: Vec::new() }),
        "fetch" => Some(fetch(parsed)?),
        // It writes a file of its own.
        "archive" | "bundle" | "format-patch" => Some(Does::Write),
        _ => return Err(Unclear),
    })
}

/// Whether a sub-command changes neither files nor references that hold something.
fn is_reader(sub: &str) -> bool {
    matches!(
        sub,
        "blame"
            | "cat-file"
            | "count-objects"
            | "describe"
            | "diff"
            | "for-each-ref"
            | "fsck"
            | "grep"
            | "help"
            | "log"
            | "ls-files"
            | "ls-remote"
            | "ls-tree"
            | "merge-base"
            | "name-rev"
            | "rev-list"
            | "rev-parse"
            | "shortlog"
            | "show"
            | "show-ref"
            | "status"
            | "var"
            | "version"
            | "whatchanged"
    )
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| found(word, "")).collect()
}

fn paths(parsed: &Parsed<'_>) -> Vec<String> {
    owned(&parsed.all().collect::<Vec<_>>())
}

/// What moves, links or makes files and folders.
fn of_places(call: &GitCall<'_, '_>, parsed: &Parsed<'_>) -> Result<Option<Does>, Unclear> {
    Ok(match (&*call.sub, parsed.operands.as_slice()) {
        ("mv", _) if parsed.has(&["-n", "--dry-run", "-k"]) => return Err(Unclear),
        ("mv", _) => {
            let mut from = paths(parsed);
            let to = from.pop().ok_or(Unclear)?;
            Some(Does::Move { from, to, staged: true, forced: parsed.has(&["-f", "--force"]) })
        }
        ("symbolic-ref", ["HEAD", name]) => Some(Does::Head((*name).to_owned())),
        ("worktree", ["add", path, rest @ ..]) => match parsed.value(&["-B"]) {
            Some(name) => Some(Does::Point {
                name: format!("refs/heads/{name}"),
                to: rest.first().map(|to| (*to).to_owned()),
                even_current: false,
            }),
            None => Some(Does::Makes { folder: (*path).to_owned(), shares: true }),
        },
        ("worktree", ["prune"]) if parsed.has(&["-n", "--dry-run"]) => None,
        ("worktree", ["prune"]) => Some(Does::PruneWorktrees),
        ("worktree", _) => worktree(parsed)?,
        ("clone", [from, rest @ ..]) => {
            let name = shell::path::file_name(from.trim_end_matches('/').trim_end_matches(".git"));
            Some(Does::Makes { folder: rest.first().map_or(name, |path| path).to_owned(), shares: false })
        }
        ("init", [path]) => Some(Does::Makes { folder: (*path).to_owned(), shares: false }),
        ("init", []) => Some(Does::Makes { folder: ".".to_owned(), shares: false }),
        _ => None,
    })
}

fn takes_sides(parsed: &Parsed<'_>) -> bool {
    parsed.has(&["--ours", "--theirs", "-m", "--merge", "--conflict"])
}

fn merge(parsed: &Parsed<'_>) -> Result<Does, Unclear> {
    if parsed.has(&["--squash", "--no-commit", "-n", "--quit", "--continue"]) {
        return Err(Unclear);
    }
    match parsed.operands.as_slice() {
        [from] => Ok(Does::Merge((*from).to_owned())),
        _ => Err(Unclear),
    }
}

fn unhide(parsed: &Parsed<'_>) -> Result<Does, Unclear> {
    let hides =
        ["--assume-unchanged", "--no-assume-unchanged", "--skip-worktree", "--no-skip-worktree", "--refresh"];
    let others =
        ["--add", "--remove", "--force-remove", "--cacheinfo", "--index-info", "--stdin", "--replace"];
    if parsed.has(&hides) && !parsed.has(&others) { Ok(Does::Unhide) } else { Err(Unclear) }
}

/// A checkout; one that takes sides says so.
fn checkout_or_side(sub: &str, parsed: &Parsed<'_>) -> Result<Does, Unclear> {
    // A branch without a commit: files and what is staged stay as they are.
    if let (Some(name), [], "checkout" | "co") =
        (parsed.value(&["--orphan"]), parsed.operands.as_slice(), sub)
    {
        let plain = !parsed.dashed && !parsed.has(&["-f", "--force"]);
        return if plain { Ok(Does::Head(format!("refs/heads/{name}"))) } else { Err(Unclear) };
    }
    let sub = if matches!(sub, "co" | "checkout") { "checkout" } else { "switch" };
    Ok(Does::Checkout(checkout(sub, parsed)?))
}

fn checkout(sub: &str, parsed: &Parsed<'_>) -> Result<Checkout, Unclear> {
    if parsed.has(&["--orphan"]) {
        return Err(Unclear);
    }
    // `git checkout -f` needs no word, and `-` is the branch before.
    let words = parsed.operands.iter().map(|word| if *word == "-" { "@{-1}" } else { word });
    let branch = parsed.value(&["-b", "-B", "-c", "-C", "--create", "--force-create"]);
    Ok(Checkout {
        words: owned(&words.collect::<Vec<_>>()),
        paths: parsed.dashed.then(|| owned(&parsed.paths)),
        branch: branch.map(str::to_owned),
        force: parsed.has(&["-f", "--force"]) && !parsed.has_beginning("--force-c"),
        discards: parsed.has(&["--discard-changes"]),
        files: sub == "checkout",
        detached: parsed.has(&["-d", "--detach"]),
        sides: takes_sides(parsed),
        submodules: parsed.has(&["--recurse-submodules"]),
    })
}

fn restore(parsed: &Parsed<'_>) -> Result<Restore, Unclear> {
    if parsed.has(&["--recurse-submodules"]) {
        return Err(Unclear);
    }
    let staged = parsed.has(&["-S", "--staged"]);
    Ok(Restore {
        from: parsed.value(&["-s", "--source"]).map(str::to_owned),
        paths: paths(parsed),
        staged,
        worktree: !staged || parsed.has(&["-W", "--worktree"]),
        deletes: !parsed.has(&["--overlay"]),
        forced: parsed.has(&["--ignore-unmerged"]),
        lenient: false,
    })
}

fn reset(parsed: &Parsed<'_>) -> Result<Reset, Unclear> {
    if parsed.has(&["-N", "--intent-to-add"]) {
        return Err(Unclear);
    }
    let tree = match () {
        () if parsed.has(&["--hard"]) => ResetTree::Overwritten,
        () if parsed.has(&["--merge"]) => ResetTree::StagedOnly,
        () if parsed.has(&["--keep"]) => ResetTree::Kept,
        () => ResetTree::Stays,
    };
    Ok(Reset {
        words: owned(&parsed.operands),
        paths: parsed.dashed.then(|| owned(&parsed.paths)),
        index: !parsed.has(&["--soft"]),
        tree,
        submodules: parsed.has(&["--recurse-submodules"]),
    })
}

fn clean(call: &GitCall<'_, '_>, parsed: &Parsed<'_>) -> Option<Clean> {
    let forced = parsed.has(&["-f", "--force"]) || call.setting("clean.requireForce").is_some_and(is_off);
    if !forced || parsed.has(&["-n", "--dry-run"]) {
        return None;
    }
    let only_ignored = parsed.has(&["-X"]);
    Some(Clean {
        paths: paths(parsed),
        folders: parsed.has(&["-d"]),
        ignored: only_ignored || parsed.has(&["-x"]),
        only_ignored,
        nested: parsed.count('f') + parsed.count_of("--force") > 1,
        except: parsed.values(&["-e", "--exclude"]).map(str::to_owned).collect(),
    })
}

fn remove(parsed: &Parsed<'_>) -> Result<Option<Does>, Unclear> {
    if parsed.has(&["--cached"]) {
        return Err(Unclear);
    }
    // Without force, it refuses to delete what was never committed.
    let (forced, tries) = (parsed.has(&["-f", "--force"]), parsed.has(&["-n", "--dry-run"]));
    let paths = paths(parsed);
    Ok((!tries).then_some(if forced { Does::Remove { paths } } else { Does::RemoveUnmerged { paths } }))
}

fn stash(parsed: &Parsed<'_>) -> Result<Option<Does>, Unclear> {
    let number = |word: &&str| word.trim_start_matches("stash@{").trim_end_matches('}').parse().ok();
    Ok(match parsed.operands.first().copied().unwrap_or("push") {
        "list" | "show" | "create" => None,
        "clear" => Some(Does::ClearStashes),
        "drop" => match parsed.operands.get(1) {
            None => Some(Does::DropStash(0)),
            Some(word) => Some(Does::DropStash(number(word).ok_or(Unclear)?)),
        },
        verb @ ("pop" | "apply") => {
            let named = parsed.operands.get(1).map_or(Some(0), number);
            let (index, stays) = (parsed.has(&["--index"]), verb == "apply");
            Some(Does::PopStash { number: named.ok_or(Unclear)?, index, stays })
        }
        "push" if !parsed.has(&["-S", "--staged"]) => Some(Does::Stash(Stash {
            paths: paths(parsed).into_iter().skip_while(|word| word == "push").collect(),
            untracked: parsed.has(&["-u", "--include-untracked", "-a", "--all"]),
            ignored: parsed.has(&["-a", "--all"]),
            keeps_index: parsed.has(&["-k", "--keep-index"]),
        })),
        _ => return Err(Unclear),
    })
}

fn add(parsed: &Parsed<'_>) -> Result<Option<Does>, Unclear> {
    if parsed.has(&["-N", "--intent-to-add", "-e", "--edit", "--chmod", "--renormalize", "--refresh"]) {
        return Err(Unclear);
    }
    if parsed.has(&["-n", "--dry-run"]) {
        return Ok(None);
    }
    let known = parsed.has(&["-u", "--update"]);
    let all = known || parsed.has(&["-A", "--all"]);
    let paths = paths(parsed);
    Ok((all || !paths.is_empty()).then_some(Does::Add { paths, known }))
}

fn commit(parsed: &Parsed<'_>) -> Result<Option<Does>, Unclear> {
    // Only some of the paths.
    if parsed.all().next().is_some() || parsed.has(&["-o", "--only", "--include"]) {
        return Err(Unclear);
    }
    let real = !parsed.has(&["--dry-run"]);
    let (all, empty) = (parsed.has(&["-a", "--all"]), parsed.has(&["--allow-empty"]));
    // Without one, an editor asks for it.
    let said = parsed.has(&["-m", "--message", "-F", "--file", "-C", "--reuse-message", "--no-edit"]);
    let amends = parsed.has(&["--amend"]);
    Ok(real.then_some(Does::Commit { all, empty, amends, said }))
}

/// What `git diff --quiet` asks.
fn compared(parsed: &Parsed<'_>) -> Option<Does> {
    let head = match parsed.operands.as_slice() {
        [] => false,
        ["HEAD" | "@"] => true,
        _ => return None,
    };
    let staged = parsed.has(&["--cached", "--staged"]);
    let asks = parsed.has(&["--quiet", "--exit-code"]);
    asks.then(|| Does::IsUnchanged { head, staged, paths: owned(&parsed.paths) })
}

/// Whether `git branch` deletes branches, merged or not.
fn deletes_unmerged(parsed: &Parsed<'_>) -> bool {
    let forced = parsed.has(&["-f", "--force"]);
    parsed.has(&["-D"]) || forced && parsed.has(&["-d", "--delete"])
}

fn branch(parsed: &Parsed<'_>) -> Option<Does> {
    let words = owned(&parsed.operands);
    let point = |name: &str, to: Option<&String>| Does::Point {
        name: format!("refs/heads/{name}"),
        to: to.cloned(),
        even_current: false,
    };
    let forced = parsed.has(&["-f", "--force"]);
    if parsed.has(&["-r", "--remotes"]) {
        return None;
    }
    if deletes_unmerged(parsed) {
        let any = |name: String| if mark::any(&name) { "*".to_owned() } else { name };
        return Some(Does::DeleteBranches(words.into_iter().map(any).collect()));
    }
    let moves = parsed.has(&["-M", "-C"]) || forced && parsed.has(&["-m", "-c", "--move", "--copy"]);
    match words.as_slice() {
        [old, new] if moves => Some(point(new, Some(old))),
        [new] if moves => Some(point(new, None)),
        [name, rest @ ..]
            if !parsed.has(&["-d", "--delete", "-m", "--move", "-c", "--copy", "--list", "-l"]) =>
        {
            Some(point(name, rest.first()))
        }
        _ => None,
    }
}

/// A push that is not forced, and deletes nothing, is refused where the remote would lose something.
fn push(parsed: &Parsed<'_>) -> Result<Option<Push>, Unclear> {
    let forced = parsed.has(&["-f", "--force", "--mirror"]) || parsed.has_beginning("--force-w");
    let deletes = parsed.has(&["-d", "--delete"]);
    let prunes = parsed.has(&["--mirror", "--prune"]);
    let mut words = owned(&parsed.all().collect::<Vec<_>>());
    // Without `+`, branches of other names are what it may delete.
    if prunes
        && !forced
        && words.len() == 2
        && matches!(words[1].as_str(), "refs/heads/*" | "refs/heads/*:refs/heads/*")
    {
        words.pop();
    }
    let specs = words.get(1..).unwrap_or_default();
    let loses = |spec: &String| spec.len() > 1 && spec.starts_with(['+', ':']);
    if parsed.has(&["-n", "--dry-run"]) || !(forced || deletes || prunes || specs.iter().any(loses)) {
        return Ok(None);
    }
    // Of those beside them, the ones without a plus are refused where something would go.
    let meant = specs.iter().filter(|spec| forced || deletes || loses(spec));
    let plain = |spec: &String| spec.strip_prefix('+').unwrap_or(spec).to_owned();
    let specs: Vec<String> = meant.map(plain).collect();
    if parsed.has(&["--tags", "--repo"]) || specs.iter().any(|spec| spec.contains('*')) {
        return Err(Unclear);
    }
    let all = parsed.has(&["--all", "--branches", "--mirror"]);
    let expects = parsed.value(&["--force-with-lease"]).is_some_and(|what| what.contains(':'));
    let overrides = parsed.has(&["-f", "--force"]) || words.iter().any(|spec| spec.starts_with('+'));
    let leased = parsed.has_beginning("--force-w") && !expects && !overrides;
    Ok(Some(Push { remote: words.into_iter().next(), specs, deletes, all, prunes, leased }))
}

/// The index becomes what a commit has, and with `-u` the files, too.
fn read_tree(parsed: &Parsed<'_>) -> Result<Restore, Unclear> {
    let [from] = parsed.operands.as_slice() else { return Err(Unclear) };
    if parsed.has(&["-m", "-i", "--prefix", "--index-output", "--recurse-submodules"]) {
        return Err(Unclear);
    }
    Ok(Restore {
        from: Some((*from).to_owned()),
        paths: vec![":/".to_owned()],
        staged: true,
        worktree: parsed.has(&["-u"]),
        deletes: true,
        forced: true,
        lenient: true,
    })
}

/// The files become what the index has.
fn checkout_index(parsed: &Parsed<'_>) -> Result<Option<Restore>, Unclear> {
    if parsed.has(&["--prefix", "--stage", "--temp", "--stdin"]) {
        return Err(Unclear);
    }
    // Without force, nothing is overwritten.
    if !parsed.has(&["-f", "--force"]) {
        return Ok(None);
    }
    let paths = if parsed.has(&["-a", "--all"]) { vec![":/".to_owned()] } else { paths(parsed) };
    // It goes on after a file that it does not know.
    Ok(Some(Restore { paths, worktree: true, forced: true, lenient: true, ..Restore::default() }))
}

fn submodule(parsed: &Parsed<'_>) -> Result<Option<Does>, Unclear> {
    Ok(match parsed.operands.as_slice() {
        [] | ["status" | "summary" | "init", ..] => None,
        ["update", paths @ ..] if parsed.has(&["-f", "--force"]) && !parsed.has(&["--remote"]) => {
            Some(Does::Deinit { paths: owned(paths) })
        }
        ["update", ..] if !parsed.has(&["--remote"]) => Some(Does::UpdateSubmodules),
        ["deinit", paths @ ..] => Some(Does::Deinit { paths: owned(paths) }),
        _ => return Err(Unclear),
    })
}

fn reflog(parsed: &Parsed<'_>) -> Result<Option<Does>, Unclear> {
    if !parsed.begins(&["expire", "delete", "drop"]) {
        return Ok(None);
    }
    if parsed.has(&["-n", "--dry-run", "--stale-fix"]) {
        return if parsed.has(&["--stale-fix"]) { Err(Unclear) } else { Ok(None) };
    }
    // How old an entry must be is not asked: all may be.
    Ok(match parsed.operands.get(1..).unwrap_or_default() {
        _ if parsed.has(&["--all", "--single-worktree"]) => Some(Does::ForgetLog(None)),
        [] => None,
        [one] => {
            let name = one.split("@{").next().unwrap_or(one);
            Some(Does::ForgetLog(Some(if name.is_empty() { "HEAD" } else { name }.to_owned())))
        }
        _ => Some(Does::ForgetLog(None)),
    })
}

/// One reference, by its full name, is deleted or put elsewhere.
fn update_reference(parsed: &Parsed<'_>) -> Result<Does, Unclear> {
    if parsed.has(&["--stdin"]) {
        return Err(Unclear);
    }
    match parsed.operands.as_slice() {
        [name] | [name, _] if parsed.has(&["-d"]) => Ok(Does::DeleteReference((*name).to_owned())),
        [name, to] | [name, to, _] if name.starts_with("refs/heads/") || name.starts_with("refs/tags/") => {
            Ok(Does::Point { name: (*name).to_owned(), to: Some((*to).to_owned()), even_current: true })
        }
        _ => Err(Unclear),
    }
}

/// What is fetched into branches of this clone, by force, leaves their own commits behind.
fn fetch(parsed: &Parsed<'_>) -> Result<Does, Unclear> {
    let forced = parsed.has(&["-f", "--force"]);
    let mut into = Vec::new();
    for refspec in parsed.operands.iter().skip(1) {
        let Some((_, to)) = refspec.split_once(':').filter(|_| forced || refspec.starts_with('+')) else {
            continue;
        };
        if to.contains('*') || parsed.has(&["-u", "--update-head-ok"]) {
            return Err(Unclear);
        }
        into.push(to.strip_prefix("refs/heads/").unwrap_or(to).to_owned());
    }
    Ok(Does::Fetch { into })
}

fn worktree(parsed: &Parsed<'_>) -> Result<Option<Does>, Unclear> {
    Ok(match parsed.operands.as_slice() {
        ["remove", path] => {
            let forced = parsed.has(&["-f", "--force"]);
            Some(Does::RemoveWorktree { path: (*path).to_owned(), forced })
        }
        ["list" | "lock" | "unlock", ..] => None,
        _ => return Err(Unclear),
    })
}
