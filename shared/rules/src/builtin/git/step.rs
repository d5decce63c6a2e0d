//! What a command of git does to the repository, as far as that decides what can be lost.

use shell::{Language, Place};

use super::call::{GitCall, Parsed};
use crate::command::Command;
use crate::loss::{Checkout, Clean, Does, Push, Reset, ResetTree, Restore, found, is_pattern};

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
    let Some(call) = GitCall::of(command) else { return GitStep::Harmless };
    // Where a word is only known at run time, or git is pointed at another repository, anything may happen. A star stays
    // one: git's own matches at least what the shell's does.
    let is_hole = |c: char| shell::mark::is_mark(c) && c != shell::mark::STAR;
    let is_known = |text: &str| !text.contains(is_hole) || last && is_pattern(text);
    let plain = command.args().iter().all(|arg| is_known(&arg.text))
        && command.atom.place == Place::Here
        && command.atom.shell == Language::Posix
        && !command.atom.assigns.iter().any(|(name, _)| name.starts_with("GIT_"));
    let Some(folder) = call.folder().filter(|_| plain) else { return GitStep::Unclear };
    let parsed = call.parsed();
    if parsed.has_beginning("--help") || parsed.has(&["-h"]) {
        return GitStep::Harmless;
    }
    match does(&call, &parsed) {
        Ok(Some(does)) => GitStep::Does(folder, does),
        Ok(None) => GitStep::Harmless,
        Err(Unclear) => GitStep::Unclear,
    }
}

/// It is not understood what a command does.
struct Unclear;

fn does(call: &GitCall<'_, '_>, parsed: &Parsed<'_>) -> Result<Option<Does>, Unclear> {
    if parsed.has(&["--pathspec-from-file", "-p", "--patch", "-i", "--interactive"]) && !is_reader(&call.sub)
    {
        return Err(Unclear);
    }
    Ok(match &*call.sub {
        "checkout" | "switch" => Some(Does::Checkout(checkout(&call.sub, parsed)?)),
        "restore" => Some(Does::Restore(restore(parsed)?)),
        "reset" => Some(Does::Reset(reset(parsed)?)),
        "clean" => clean(parsed).map(Does::Clean),
        "rm" => remove(parsed)?,
        "stash" => stash(parsed)?,
        "add" | "stage" => add(parsed)?,
        "commit" => commit(parsed)?,
        "branch" => branch(parsed),
        "tag" if parsed.has(&["-d", "--delete"]) => Some(Does::DeleteTags(paths(parsed))),
        "tag" => parsed.operands.first().map(|name| Does::Point {
            name: format!("refs/tags/{name}"),
            to: parsed.operands.get(1).map(|to| (*to).to_owned()),
            even_current: false,
        }),
        "worktree" => worktree(parsed)?,
        "submodule" => submodule(parsed)?,
        "read-tree" => Some(Does::Restore(read_tree(parsed)?)),
        "checkout-index" => checkout_index(parsed)?.map(Does::Restore),
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
        "rebase" | "am" | "cherry-pick" | "revert" if parsed.has(&["--skip"]) => Some(Does::Skip),
        "remote" if parsed.begins(&["remove", "rm", "rename"]) => return Err(Unclear),
        "remote" => Some(Does::Fetch { into: Vec::new() }),
        "fetch" => Some(fetch(parsed)?),
        // It writes a file of its own.
        "archive" | "bundle" | "format-patch" => Some(Does::Write),
        sub if is_reader(sub) => None,
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

fn checkout(sub: &str, parsed: &Parsed<'_>) -> Result<Checkout, Unclear> {
    if parsed.has(&["--ours", "--theirs", "-m", "--merge", "--conflict", "--orphan", "--recurse-submodules"])
    {
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
    })
}

fn restore(parsed: &Parsed<'_>) -> Result<Restore, Unclear> {
    if parsed.has(&["--ours", "--theirs", "-m", "--merge", "--conflict", "--recurse-submodules"]) {
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
    })
}

fn reset(parsed: &Parsed<'_>) -> Result<Reset, Unclear> {
    if parsed.has(&["-N", "--intent-to-add", "--recurse-submodules"]) {
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
    })
}

fn clean(parsed: &Parsed<'_>) -> Option<Clean> {
    let forced = parsed.has(&["-f", "--force"]);
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
    })
}

fn remove(parsed: &Parsed<'_>) -> Result<Option<Does>, Unclear> {
    if parsed.has(&["--cached"]) {
        return Err(Unclear);
    }
    // Without force, it refuses to delete what was never committed.
    let loses = parsed.has(&["-f", "--force"]) && !parsed.has(&["-n", "--dry-run"]);
    Ok(loses.then(|| Does::Remove { paths: paths(parsed) }))
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
        "pop" => {
            let named = parsed.operands.get(1).map_or(Some(0), number);
            Some(Does::PopStash { number: named.ok_or(Unclear)?, index: parsed.has(&["--index"]) })
        }
        "push" if !parsed.has(&["-k", "--keep-index", "-S", "--staged"]) => Some(Does::Stash {
            paths: paths(parsed).into_iter().skip_while(|word| word == "push").collect(),
            untracked: parsed.has(&["-u", "--include-untracked", "-a", "--all"]),
            ignored: parsed.has(&["-a", "--all"]),
        }),
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
    // Only some of the paths, or another commit instead of the last one.
    let others = ["--amend", "-o", "--only", "--include"];
    if parsed.all().next().is_some() || parsed.has(&others) {
        return Err(Unclear);
    }
    let real = !parsed.has(&["--dry-run"]);
    let (all, empty) = (parsed.has(&["-a", "--all"]), parsed.has(&["--allow-empty"]));
    Ok(real.then_some(Does::Commit { all, empty }))
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
    if parsed.has(&["-D"]) || forced && parsed.has(&["-d", "--delete"]) {
        return Some(Does::DeleteBranches(words));
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
    let words = owned(&parsed.all().collect::<Vec<_>>());
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

/// With `--reset`, the index becomes what a commit has, and with `-u` the files, too.
fn read_tree(parsed: &Parsed<'_>) -> Result<Restore, Unclear> {
    let ([from], true) = (parsed.operands.as_slice(), parsed.has(&["--reset"])) else { return Err(Unclear) };
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
    // It goes on after a file that it does not know.
    if !parsed.has(&["-a", "--all"]) {
        return Err(Unclear);
    }
    Ok(Some(Restore { paths: vec![":/".to_owned()], worktree: true, forced: true, ..Restore::default() }))
}

fn submodule(parsed: &Parsed<'_>) -> Result<Option<Does>, Unclear> {
    Ok(match parsed.operands.as_slice() {
        [] | ["status" | "summary" | "init", ..] => None,
        ["update", paths @ ..] if parsed.has(&["-f", "--force"]) && !parsed.has(&["--remote"]) => {
            Some(Does::Deinit { paths: owned(paths) })
        }
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
        ["remove", path] => Some(Does::RemoveWorktree((*path).to_owned())),
        ["list" | "lock" | "unlock" | "prune", ..] => None,
        _ => return Err(Unclear),
    })
}
