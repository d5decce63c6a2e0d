//! What a command line does to a repository, step by step: what a rule about loss asks the world about.
//!
//! A rule sees text. Whether `git checkout -- src` loses work depends on the working tree, so a line is turned into
//! [`Step`]s here, and someone who may look at the repository goes through them.

mod lists;
mod puts;

use shell::{Analysis, Atom, Place, mark};

pub use lists::List;
pub use puts::Source;

pub(crate) use lists::{is_list, listed, substituted};
pub(crate) use puts::{copied, fed_by, put};

use crate::builtin::{self, GitStep, has};
use crate::command::Command;
use crate::facts::Facts;
use crate::rule::{Rule, Severity, When};

/// Someone who may look at repositories.
pub trait World {
    /// What the command loses.
    fn loss(&self, line: &Line<'_>) -> Loss;

    /// Whether each of these files, by its absolute path, is as it was last committed; `None` where that is not known.
    fn are_committed(&self, paths: &[&str]) -> Vec<Option<bool>>;
}

/// A command in its line.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// The whole line, for a POSIX shell.
    pub text: &'a str,
    /// Which atom of the line's analysis.
    pub atom: usize,
    /// That atom as it reads for a person: whoever analyses the line again knows by it that they mean the same.
    pub command: &'a str,
    /// The folder in which the line starts, absolute.
    pub cwd: Option<&'a str>,
    /// The user's home folder, absolute.
    pub home: Option<&'a str>,
}

/// What a command loses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Loss {
    /// No one knows: the rule decides by the text alone.
    #[default]
    Unknown,
    /// Everything can still be had afterwards.
    Nothing,
    /// There is a repository, and its data cannot be read, or goes as well: what goes may be all that there is of it.
    Unreadable,
    /// This, as a list to read.
    Of {
        what: String,
        /// Whether git's log of references still leads to all of it.
        recoverable: bool,
    },
}

impl Loss {
    /// How bad what the rule is about turns out to be: what git's log of references brings back can be undone.
    pub fn severity(&self, rule: &Rule) -> Severity {
        match self {
            // The log is this machine's: for others, what a push drops is gone.
            Self::Of { recoverable: true, .. } if !matches!(rule.when, When::Remote(_)) => {
                rule.severity.min(Severity::Risky)
            }
            // It usually loses nothing, so that a question is enough.
            Self::Unreadable if matches!(rule.when, When::KnownLoss(_)) => rule.severity.min(Severity::Risky),
            _ => rule.severity,
        }
    }

    /// Whether a rule that matches says so.
    pub fn speaks_for(&self, rule: &Rule) -> bool {
        match self {
            Self::Unknown => !matches!(rule.when, When::KnownLoss(_)),
            Self::Nothing => false,
            Self::Unreadable | Self::Of { .. } => true,
        }
    }

    /// What would be lost, as a list to read.
    pub fn list(&self) -> Option<&str> {
        match self {
            Self::Of { what, .. } => Some(what),
            _ => None,
        }
    }

    /// Why the rule matters, and what is at stake here.
    pub fn reason(&self, rule: &Rule) -> String {
        match self {
            Self::Of { what, .. } => format!("{} It would lose {what}.", rule.reason),
            Self::Unreadable if matches!(rule.when, When::KnownLoss(_)) => {
                format!(
                    "{} What is lost in this repository cannot be looked up, so it may be all that there is.",
                    rule.reason
                )
            }
            _ => rule.reason.to_owned(),
        }
    }
}

/// One command of git that changes what it holds, or what could be lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The folder that it works in, absolute.
    pub folder: String,
    pub does: Does,
    pub runs: Runs,
    /// Which atom of the line it is part of: a command with a redirection is more than one step.
    pub atom: usize,
}

/// What is known about a step, once a later one runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// It has succeeded: `git commit -am x && …`.
    Succeeded,
    /// It has run, and may have failed: `git commit -am x; …`.
    Tried,
    /// It may not even have run: `… || git stash`.
    Perhaps,
}

/// What a step does. Paths are pathspecs, seen from the step's folder; revisions are as they were typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Does {
    Checkout(Checkout),
    Restore(Restore),
    Reset(Reset),
    Clean(Clean),
    /// Tracked files are deleted, with their changes.
    Remove {
        paths: Vec<String>,
    },
    /// Files are deleted, whatever git knows of them.
    Delete {
        paths: Vec<String>,
        /// Whether folders are, with what is in them.
        deep: bool,
    },
    /// Files, by their absolute paths, get another content. Only what git knows counts.
    Overwrite {
        paths: Vec<String>,
    },
    /// Files are put into a folder, over those that are there.
    Put {
        from: Source,
        into: String,
    },
    /// Files and folders get another path: the last one, or below it if that is a folder.
    Move {
        from: Vec<String>,
        to: String,
        /// Whether git knows of it.
        staged: bool,
        /// Whether what has that path already is replaced.
        forced: bool,
    },
    /// What they hold is there twice afterwards.
    Copy {
        from: Vec<String>,
        to: String,
    },
    /// Changes are written down in a file, as a patch on the current commit or on what is staged.
    SavePatch {
        on_head: bool,
    },
    /// Another program may write files: what it makes of them is not known, and no one misses it.
    Write,
    /// A repository is made in this folder, or a working tree that shares its references with others.
    Makes {
        folder: String,
        shares: bool,
    },
    Stash(Stash),
    /// Succeeds only where nothing is changed: `git diff --quiet`.
    IsUnchanged {
        /// The commit that the files are held against, if it is the current one; the index otherwise.
        head: bool,
        /// Whether it is what is staged that counts, and not the files.
        staged: bool,
        paths: Vec<String>,
    },
    /// Succeeds only where git reports nothing: `[ -z "$(git status --porcelain)" ]`.
    IsClean {
        /// Whether files count that git does not know.
        untracked: bool,
    },
    /// What changes can be had again.
    Nothing,
    /// The stash with this number is deleted.
    DropStash(usize),
    ClearStashes,
    /// The stash with this number is put back into the working tree, and deleted.
    PopStash {
        number: usize,
        /// Whether what was staged is staged again.
        index: bool,
        /// Whether it stays in the list.
        stays: bool,
    },
    /// Files are put into the index: these paths, or all.
    Add {
        paths: Vec<String>,
        /// Only what git knows already.
        known: bool,
    },
    /// A commit is made of what is staged, or of all changes to files that git knows.
    Commit {
        all: bool,
        /// Whether it may be one without changes.
        empty: bool,
        /// Whether it takes the place of the last one.
        amends: bool,
        /// Whether its message is given.
        said: bool,
    },
    /// The commit at which a rebase or the like stopped is left out.
    Skip,
    /// A merge, a rebase or the like ends where it began.
    Abort,
    /// Files take one side of a conflict, or become the conflict again; without one they become what is staged.
    TakeSide {
        paths: Vec<String>,
    },
    /// Files with conflicts are deleted.
    RemoveUnmerged {
        paths: Vec<String>,
    },
    /// Nothing is staged any more, nor known to git.
    DropIndex,
    /// Another branch counts as checked out.
    Head(String),
    /// Another branch's commits become part of the current one.
    Merge(String),
    /// All branches and tags are written into a file.
    Bundle,
    /// Files are looked at again that git did not look at by request, or the other way round.
    Unhide,
    /// Branches are deleted, merged or not; `*` stands for any.
    DeleteBranches(Vec<String>),
    /// Tags are deleted.
    DeleteTags(Vec<String>),
    /// A branch or a tag, by its full name, is put on a revision, or on the current commit.
    Point {
        name: String,
        to: Option<String>,
        /// Whether it may be the branch that is checked out.
        even_current: bool,
    },
    /// A reference, by its full name, is deleted.
    DeleteReference(String),
    /// git's log of a reference is cut off, or of all.
    ForgetLog(Option<String>),
    /// A remote's branches are overwritten or deleted.
    Push(Push),
    /// A working tree is deleted, with what is in it.
    RemoveWorktree {
        path: String,
        forced: bool,
    },
    /// The files of submodules are deleted or overwritten, of all if no paths are given.
    Deinit {
        paths: Vec<String>,
    },
    /// Submodules check out what is noted of them.
    UpdateSubmodules,
    /// Something is done in each submodule.
    InSubmodules,
    /// What git notes of working trees is deleted where these are gone.
    PruneWorktrees,
    /// Objects are deleted that nothing leads to.
    Prune,
    /// Other machines may give their branches new commits here, and overwrite these branches.
    Fetch {
        into: Vec<String>,
    },
}

impl Does {
    /// The pathspecs of a step that has any.
    pub(crate) fn paths_mut(&mut self) -> Option<&mut Vec<String>> {
        match self {
            Self::Checkout(checkout) => checkout.paths.as_mut().or(Some(&mut checkout.words)),
            Self::Restore(restore) => Some(&mut restore.paths),
            Self::Reset(reset) => reset.paths.as_mut(),
            Self::Clean(clean) => Some(&mut clean.paths),
            Self::Remove { paths }
            | Self::RemoveUnmerged { paths }
            | Self::TakeSide { paths }
            | Self::Add { paths, .. }
            | Self::IsUnchanged { paths, .. }
            | Self::Stash(Stash { paths, .. }) => Some(paths),
            _ => None,
        }
    }
}

/// Changes are put away, all of them if no paths are given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stash {
    pub paths: Vec<String>,
    /// Whether files go that git does not know.
    pub untracked: bool,
    /// Whether those go that it ignores.
    pub ignored: bool,
    /// Whether what is staged stays, in the files as well.
    pub keeps_index: bool,
}

/// `git checkout` or `git switch`: which words are revisions is for the repository to say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of git's")]
pub struct Checkout {
    /// Words in front of `--`.
    pub words: Vec<String>,
    /// Paths after `--`, if there is one.
    pub paths: Option<Vec<String>>,
    /// A branch that is made or moved.
    pub branch: Option<String>,
    /// Whether whatever lies in the way is overwritten.
    pub force: bool,
    /// Whether changes to tracked files are.
    pub discards: bool,
    /// Whether its words may be paths: not those of `git switch`.
    pub files: bool,
    /// Whether no branch is checked out afterwards.
    pub detached: bool,
    /// Whether files take one side of a conflict, or become it again.
    pub sides: bool,
    /// Whether submodules follow.
    pub submodules: bool,
}

/// Files get what they are in the index, or in a commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of git's")]
pub struct Restore {
    /// The revision that they are taken from; otherwise the index, or the current commit for what is staged.
    pub from: Option<String>,
    pub paths: Vec<String>,
    /// Whether they change in the index.
    pub staged: bool,
    /// Whether they change in the working tree.
    pub worktree: bool,
    /// Whether files that are not there are deleted here.
    pub deletes: bool,
    /// Whether the others change where some have conflicts.
    pub forced: bool,
    /// Whether the others change where one is not known.
    pub lenient: bool,
}

/// `git reset`: which words are revisions is for the repository to say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reset {
    pub words: Vec<String>,
    /// Paths after `--`, if there is one.
    pub paths: Option<Vec<String>>,
    /// Whether the index follows the branch.
    pub index: bool,
    pub tree: ResetTree,
    /// Whether submodules follow.
    pub submodules: bool,
}

/// What becomes of the working tree in a reset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ResetTree {
    /// It stays as it is.
    #[default]
    Stays,
    /// `--hard`: tracked files are what they are in the commit.
    Overwritten,
    /// `--merge`: what is staged goes, other changes stay or make git refuse.
    StagedOnly,
    /// `--keep`: changes stay, or make git refuse.
    Kept,
}

/// Files that git does not know are deleted: below these paths, or everywhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of git's")]
pub struct Clean {
    pub paths: Vec<String>,
    pub folders: bool,
    /// Whether ignored files go, too.
    pub ignored: bool,
    /// Whether only ignored files go.
    pub only_ignored: bool,
    /// Whether repositories in this one go, too.
    pub nested: bool,
    /// Patterns of names that are left out, as in a `.gitignore`.
    pub except: Vec<String>,
}

/// `git push` that drops commits of a remote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of git's")]
pub struct Push {
    pub remote: Option<String>,
    /// What is pushed where, without `+`; what the settings say if there is none.
    pub specs: Vec<String>,
    /// Whether the specs name branches that are deleted.
    pub deletes: bool,
    /// Whether all branches are pushed.
    pub all: bool,
    /// Whether branches of the remote go that are not here.
    pub prunes: bool,
    /// Whether the remote refuses where it is not as it was when someone last looked.
    pub leased: bool,
}

/// The steps that lead to the command at `index` of an analysis of `text`, and that command as the last one, or the last
/// ones. `None` if one of them does something that is not understood.
pub fn steps(text: &str, analysis: &Analysis, index: usize, facts: &Facts<'_>) -> Option<Vec<Step>> {
    let mut line = Steps { text, analysis, index, all: Vec::new(), interpreted: false };
    let carriers = carriers(analysis, index);
    for (at, atom) in analysis.atoms.iter().enumerate().take(index + 1) {
        let command = Command::new(analysis, atom, facts);
        line.add(at, &command, &carriers)?;
    }
    // Of code, no more is known than the files that it deletes and writes.
    let by_code = |step: &Step| matches!(step.does, Does::Delete { .. } | Does::Overwrite { .. });
    let Steps { all, interpreted, .. } = line;
    let unclear = interpreted && !all.last().is_some_and(by_code);
    let is_last = all.last().is_some_and(|step| step.atom == index);
    if !is_last || unclear { None } else { Some(all) }
}

/// The steps of a line, as they are found.
struct Steps<'a> {
    text: &'a str,
    analysis: &'a Analysis,
    /// The command that is asked about.
    index: usize,
    all: Vec<Step>,
    /// Whether it is code that runs it.
    interpreted: bool,
}

impl Steps<'_> {
    fn push(&mut self, at: usize, folder: String, does: Does) {
        let last = at == self.index;
        let runs = if last { Runs::Tried } else { runs(self.text, self.analysis, at) };
        self.all.push(Step { folder, does, runs, atom: at });
    }

    /// Adds what a command does. `None` where that is not understood.
    fn add(&mut self, at: usize, command: &Command<'_>, carriers: &[usize]) -> Option<()> {
        let last = at == self.index;
        let folder = || command.atom.cwd.to_string();
        if last {
            // What a redirection empties is gone before the program starts.
            let (patterns, paths): (Vec<_>, Vec<_>) =
                overwrites(command).into_iter().partition(|path| mark::any(path));
            if !paths.is_empty() {
                self.push(at, folder(), Does::Overwrite { paths });
            }
            if !patterns.is_empty() {
                let folder = folder();
                let paths = patterns.iter().map(|pattern| found(pattern, &folder)).collect();
                self.push(at, folder, Does::Delete { paths, deep: false });
            }
            // What a mirror deletes and overwrites is a folder whole.
            if command.name == "rsync"
                && let Some(path) = builtin::mirrored(command)
            {
                let folder = folder();
                let paths = vec![found(&path, &folder)];
                self.push(at, folder, Does::Delete { paths, deep: true });
                return Some(());
            }
            if let Some((from, into)) = put(command) {
                self.push(at, folder(), Does::Put { from, into });
            }
            if let Some(does) = builtin::reversed(command) {
                self.push(at, folder(), does);
                return Some(());
            }
            if in_submodules(self.analysis, command) {
                self.push(at, folder(), Does::InSubmodules);
                return Some(());
            }
        } else if let Some(does) = copied(command).or_else(|| builtin::asks_for_changes(command)) {
            self.push(at, folder(), does);
            return Some(());
        }
        match builtin::git_step(command, last) {
            GitStep::Other => return self.add_other(at, command, carriers),
            GitStep::Harmless => {}
            GitStep::Unclear if carriers.contains(&at) && is_foreach(command.atom) => {}
            // git starts what an alias stands for.
            GitStep::Unclear if carriers.contains(&at) && builtin::may_be_alias(command) => {}
            GitStep::Unclear => return None,
            GitStep::Does(folder, does) => self.push(at, folder, does),
        }
        Some(())
    }

    fn add_other(&mut self, at: usize, command: &Command<'_>, carriers: &[usize]) -> Option<()> {
        let last = at == self.index;
        if builtin::is_deleter(command) {
            let (folder, paths) = deleted(command, last)?;
            if let Some(does) = of_repository(&folder, &paths) {
                self.push(at, folder, does);
                return Some(());
            }
            // What a search finds may lie deep as well.
            let searched = command.operands().iter().any(|arg| arg.text.contains(mark::ENTRY));
            let does = Does::Delete { paths, deep: searched || builtin::is_recursive(command) };
            self.push(at, folder, does);
        } else if last && self.all.last().is_some_and(|step| step.atom == at) {
            // It overwrites.
        } else if catalog::find(&command.name).is_some_and(|known| known.runs.is_some()) {
            // What it runs is a command of its own.
        } else if carriers.contains(&at) {
            self.interpreted |= catalog::code(&command.name).is_some();
        } else if reads_only(command) || lists::is_filter(command.atom) {
            // It changes nothing.
        } else if !last && moves_nothing(command) {
            let folder = command.atom.cwd.to_string();
            self.all.push(Step { folder, does: Does::Write, runs: Runs::Succeeded, atom: at });
        } else {
            return None;
        }
        Some(())
    }
}

/// What it does to a repository that one of its own files is deleted.
fn of_repository(folder: &str, paths: &[String]) -> Option<Does> {
    let [path] = paths else { return None };
    let full = shell::path::join(folder, path);
    let (_, inside) = full.rsplit_once("/.git/")?;
    if inside == "index" {
        return Some(Does::DropIndex);
    }
    let is_name = inside.starts_with("refs/heads/") || inside.starts_with("refs/tags/");
    is_name.then(|| Does::DeleteReference(inside.to_owned()))
}

/// Whether git runs it in each of the submodules.
fn in_submodules(analysis: &Analysis, command: &Command<'_>) -> bool {
    let parent = command.atom.via.and_then(|via| analysis.atoms.get(via.parent as usize));
    parent.is_some_and(is_foreach)
}

/// Whether git runs something in each submodule: `git submodule foreach 'git clean -fd'`.
fn is_foreach(atom: &Atom) -> bool {
    let says = |word: &str| atom.args.iter().any(|arg| arg.text == word);
    atom.program() == "git" && says("submodule") && says("foreach")
}

/// The commands that lead to one: `bash` and `xargs` of `bash -c 'ls | xargs rm'`.
fn carriers(analysis: &Analysis, index: usize) -> Vec<usize> {
    let parent = |at: &usize| Some(analysis.atoms.get(*at)?.via?.parent as usize);
    std::iter::successors(parent(&index), |at| parent(at)).collect()
}

fn overwrites(command: &Command<'_>) -> Vec<String> {
    builtin::overwritten(command).map(str::to_owned).collect()
}

/// What `rm` deletes, and in which folder it runs. Of a star, git's reading takes in more than the shell's, and of a search
/// not every condition is known: that is safe only in the `last` command.
fn deleted(command: &Command<'_>, last: bool) -> Option<(String, Vec<String>)> {
    let folder = command.atom.cwd.to_string();
    let is_plain = |text: &str| !mark::any(text) || last && is_pattern(text);
    let here = command.atom.place == Place::Here && folder.starts_with('/') && is_plain(&folder);
    let names = command.operands().iter().copied().filter(|arg| !arg.text.is_empty());
    // In front of another command, it may also not have run.
    let lists = listed(command).filter(|_| last || command.atom.via.is_some());
    if lists.as_ref().is_some_and(|listed| !listed.certain) {
        return None;
    }
    let mut paths: Vec<String> = names.map(|arg| found(&arg.text, &folder)).collect();
    if let Some(lists) = &lists {
        paths = substituted(command, lists);
    }
    let known = lists.is_some() || command.args().iter().all(|arg| is_plain(&arg.text));
    (here && known && !paths.is_empty()).then_some((folder, paths))
}

/// Whether it is known what a path may name: one with stars, or what a search goes through, of which conditions that are
/// not known may leave out some.
pub(crate) fn is_pattern(text: &str) -> bool {
    let narrowed = text.strip_suffix(mark::TOKEN).filter(|text| text.ends_with(mark::ENTRY));
    narrowed.unwrap_or(text).chars().all(|c| !mark::is_mark(c) || mark::is_glob(c) || c == mark::ENTRY)
}

/// A pattern of the shell as git reads one. For a class that is not plain it is anything up to the last bracket: more than
/// it names.
fn as_pathspec(pattern: &str) -> String {
    let is_plain = |class: &str| {
        !class.is_empty()
            && class.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    let mut pieces = pattern.split(mark::CLASS);
    let mut path = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once(']') {
            Some((class, rest)) if is_plain(class) => path.extend(["[", class, "]", rest]),
            _ => path.extend(["*", piece.rsplit(']').next().unwrap_or(piece)]),
        }
    }
    path.replace(mark::STAR, "*").replace(mark::ANY, "?")
}

/// What a path with a pattern or a search in it names, as a pathspec: `src/…/*.rs` is everything below `src` that ends so.
pub(crate) fn found(text: &str, folder: &str) -> String {
    let inside = text.strip_prefix(folder).filter(|rest| rest.len() < text.len());
    let inside = inside.and_then(|rest| rest.strip_prefix('/')).unwrap_or(text);
    let (below, name) = inside.split_once(mark::ENTRY).unwrap_or((inside, ""));
    let name = name.trim_end_matches(mark::TOKEN);
    let path = match name.trim_start_matches('/') {
        "" if inside.contains(mark::ENTRY) && below.is_empty() => ".".to_owned(),
        "" => below.to_owned(),
        name => format!("{below}*{name}"),
    };
    as_pathspec(&path)
}

/// Programs that are usual in front of a command of git and change no file. What they start is a command of its own.
const READERS: &str = "\
    cd pushd popd echo printf pwd true ls cat head tail grep rg wc sort diff test [ sleep set export date which \
    type command jq cut tr uniq du df stat file env uname whoami id basename dirname realpath readlink seq ps \
    tree column cmp md5sum sha256sum unset read : exit return find xargs";

/// Programs that write files, and leave what they read where it was. After `mv notes src/a.rs` the notes are in a file
/// of which git holds another version, so no other program is taken to be harmless.
const WRITERS: &str = "\
    touch mkdir cp sed tee make cargo rustfmt go gofmt npm npx pnpm yarn tsc eslint prettier pytest ruff black \
    mypy jest vitest tar zip chmod cmake ninja pip uv poetry dotnet mvn gradle curl wget biome \
    clang-format pre-commit tox nox bundle rubocop composer mix patch";

fn moves_nothing(command: &Command<'_>) -> bool {
    has(READERS, &command.name) || has(WRITERS, &command.name)
}

fn reads_only(command: &Command<'_>) -> bool {
    (has(READERS, &command.name) || command.name.is_empty()) && command.written().next().is_none()
}

/// What the text around a command says about it, once the next one runs. Anything but a plain line leaves doubt.
fn runs(text: &str, analysis: &Analysis, at: usize) -> Runs {
    // Of a command inside another one's text, or of one that another program starts, the line does not say how it runs.
    if analysis.atoms[at].via.is_some() {
        return Runs::Perhaps;
    }
    let span = analysis.atoms[at].span;
    let before = text.get(..span.start as usize).unwrap_or_default().trim_end_matches([' ', '\t']);
    // What stands in a file has places of its own.
    let after = match analysis.atoms[at + 1..].iter().find(|next| next.file.is_none()) {
        Some(next) => text.get(span.end as usize..next.span.start as usize).unwrap_or("?").trim(),
        None => "",
    };
    let starts = before.is_empty() || before.ends_with(['\n', ';']) || before.ends_with("&&");
    match after {
        "&&" if starts => Runs::Succeeded,
        ";" | "" if starts && !has_blocks(text) => Runs::Tried,
        _ => Runs::Perhaps,
    }
}

/// Whether the text has groups, pipes, or a word that begins a loop or a condition.
fn has_blocks(text: &str) -> bool {
    // `find -exec rm {} +` groups nothing.
    if text.contains(['(', '|', '!']) || text.replace("{}", "").contains('{') {
        return true;
    }
    let mut words = text.split(|c: char| c.is_whitespace() || c == ';');
    words.any(|word| matches!(word, "if" | "for" | "while" | "until" | "case" | "select" | "function"))
}
