//! Files that decide what agents may do: an agent that changes them rewrites its own guard.

mod carrier;
mod links;
mod programs;
mod relation;
mod searched;
mod table;

use payload::Host;
use shell::{mark, path};

use crate::builtin::has;
use crate::facts::Facts;
use crate::table::Table;
use crate::zone::in_home;

pub(crate) use carrier::{Carrier, Started, carrier, may_start, starts_by_itself};
use links::Alias;
pub(crate) use links::{Linked, find as links};
pub(crate) use programs::{is_hosts, is_ours};
pub(crate) use relation::Relation;
use relation::{fits, names, relation};

/// Whose file it is, and so who may say that an agent changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// The repository's: a person is asked.
    Project,
    /// The user's: the program of a host.
    HostProgram,
    /// The user's settings of a host.
    User,
    /// This protection's own, or the administrator's: no one lets an agent.
    Protection,
    /// One of our programs.
    Program,
}

/// How a change of a file is judged by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judged {
    /// Any change counts.
    Whole,
    /// Changes of the keys that switch hooks and permissions.
    Switches,
    /// Changes of the keys with which an editor switches agents and what they may do.
    Editor,
    /// Changes of the head of an agent's description.
    Agent,
    /// Tasks that run by themselves.
    Tasks,
}

/// What a path has to do with a protected file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) owner: Owner,
    /// How the path stands to it.
    pub(crate) relation: Relation,
    /// How a change is judged.
    pub(crate) judged: Judged,
}

/// The strictest protection that an absolute path touches, if any.
pub(crate) fn find(path: &str, facts: &Facts<'_>) -> Option<Kept> {
    // On macOS `/etc` is a link to `/private/etc`, and the table knows only the first.
    let path = path.strip_prefix("/private").filter(|rest| rest.starts_with("/etc")).unwrap_or(path);
    let all = names(path);
    let rooted = path.starts_with('/') || shell::windows::has_drive(path);
    let machine = || strictest(&table::MACHINE, &all, Owner::Protection);
    if let Some(found) = rooted.then(machine).flatten().or_else(|| programs::find(path, facts)) {
        return Some(found);
    }
    let mut user = None;
    if let Some(inside) = inside_home(path, facts) {
        let inside = names(&inside);
        // Before the folder around them: sessions, logs and notes are written there all day.
        if table::EVERYDAY.lines().any(|line| relation(line, &inside) == Some(Relation::At)) {
            return None;
        }
        let found = strictest(&table::OURS, &inside, Owner::Protection)
            .or_else(|| strictest(&table::USER, &inside, Owner::User));
        if found.is_some() {
            return found;
        }
        user = (facts.home_folder() != facts.worktree()).then(|| all.len().saturating_sub(inside.len()));
    }
    in_project(path, &all, user, facts)
}

fn strictest(table: &'static Table, path: &[&str], owner: Owner) -> Option<Kept> {
    let relation = table.lines().filter_map(|line| relation(line, path)).max()?;
    Some(Kept { owner, relation, judged: Judged::Whole })
}

/// Every protection that a path touches which is written or taken away, with the name by which it does: its own, where
/// it leads, and those of guarded places that lead to it.
pub(crate) fn touched(path: &str, facts: &Facts<'_>) -> Vec<(String, Kept)> {
    let real = facts.leads_to(path);
    let mut found = led_to(real.as_deref().unwrap_or(path), facts);
    let named = [Some(path.to_owned()), real].into_iter().flatten();
    found.extend(named.filter_map(|path| find(&path, facts).map(|kept| (path, kept))));
    found
}

/// The protection of guarded places that are links and lead to a path, or to something in it.
pub(crate) fn led_to(real: &str, facts: &Facts<'_>) -> Vec<(String, Kept)> {
    let kept = |alias| match alias {
        Alias::Same(place) => find(&place, facts).map(|kept| (place, kept)),
        Alias::Holds(place) => {
            let kept = find(&place, facts)?;
            Some((place, Kept { relation: Relation::Above { near: false }, ..kept }))
        }
    };
    links::aliases(real, facts).into_iter().filter_map(kept).collect()
}

/// The names under which a file is known: its own, where it leads, and the guarded places that lead to it.
pub(crate) fn also_known(path: &str, facts: &Facts<'_>) -> Vec<String> {
    let real = facts.leads_to(path);
    let places =
        links::aliases(real.as_deref().unwrap_or(path), facts).into_iter().filter_map(|alias| match alias {
            Alias::Same(place) => Some(place),
            Alias::Holds(_) => None,
        });
    places.chain([path.to_owned()]).chain(real.clone()).collect()
}

/// How a path stands to a key of ours, which only our programs read.
pub(crate) fn key(path: &str, facts: &Facts<'_>) -> Option<Relation> {
    let inside = inside_home(path, facts).filter(|inside| !inside.is_empty())?;
    let inside = names(&inside);
    table::KEYS.lines().filter_map(|line| relation(line, &inside)).max()
}

/// The path as it is seen from the home folder, also where an environment variable puts a host's folder elsewhere.
fn inside_home(path: &str, facts: &Facts<'_>) -> Option<String> {
    for (folder, stands_for) in facts.moved_folders() {
        if let Some(rest) = path.strip_prefix(folder.as_str())
            && (rest.is_empty() || rest.starts_with('/'))
        {
            return Some(format!("{stands_for}{rest}"));
        }
    }
    let home = facts.home_folder().filter(|home| *home != "/" && path::is_within(path, home));
    match home {
        Some(home) => Some(path[home.len()..].trim_start_matches('/').to_owned()),
        // Other users' homes and those of a machine that is not known have the same files.
        None => in_home(path).map(str::to_owned),
    }
}

/// A file of a repository, whichever: agents are started in folders below its root as well. What lies right in the home
/// folder, which is where the part with the number `user` stands, is not a project's.
fn in_project(path: &str, all: &[&str], user: Option<usize>, facts: &Facts<'_>) -> Option<Kept> {
    let root = facts.worktree().filter(|root| path::is_within(path, root));
    // Folders above the root do not make a project's file a sample.
    let outside = root.map_or(0, |root| names(root).len());
    if root.is_none() && is_scratch(path, facts) {
        return None;
    }
    let mut found: Option<Kept> = None;
    // A project may begin at each of its folders: hosts are started in any of them.
    for (at, name) in all.iter().enumerate() {
        // Fixtures and templates hold settings that no host loads.
        if at >= outside && has(table::SAMPLES, name) {
            return found;
        }
        if user == Some(at) {
            continue;
        }
        // A search by name below this folder.
        let searched = name.starts_with(mark::ENTRY).then(|| all.get(at + 1)).flatten();
        let below_root = root.filter(|_| searched.is_some() && at == outside);
        for line in table::PROJECT.lines() {
            let Some((judged, pattern)) = line.split_once(' ') else { continue };
            let relation = match searched {
                Some(name) if at + 2 == all.len() && !mark::any(name) && name.contains('.') => {
                    let last = path::file_name(pattern);
                    (last != "**" && fits(last, name)).then_some(Relation::Above { near: true })
                }
                _ if below_root.is_some_and(|root| !is_absent(root, pattern, facts)) => {
                    let parts: Vec<&str> = pattern.split('/').collect();
                    searched::meets(&parts, &all[at + 1..])
                        .map(|inside| if inside { Relation::At } else { Relation::Above { near: true } })
                }
                _ if pattern.split('/').next().is_some_and(|first| fits(first, name)) => {
                    let is_meant =
                        !mark::any(name) || !is_beside_sources(pattern) || lies(&all[..at], pattern, facts);
                    relation(pattern, &all[at..]).filter(|_| is_meant)
                }
                _ => None,
            };
            let kept = relation.map(|relation| Kept { owner: Owner::Project, relation, judged: of(judged) });
            if kept.is_some_and(|kept| found.is_none_or(|known| known.relation < kept.relation)) {
                found = kept;
            }
        }
    }
    // The settings of VS Code's workspace files.
    let last = all.last()?;
    // The ending alone is 15 characters long.
    if found.is_none() && last.len() > 15 && last.ends_with(".code-workspace") {
        found = Some(Kept { owner: Owner::Project, relation: Relation::At, judged: Judged::Editor });
    }
    found
}

/// Whether a pattern is that of a file among the sources: `*.json` is about those, unless it is there.
fn is_beside_sources(pattern: &str) -> bool {
    !pattern.starts_with('.') && !pattern.contains('/')
}

/// Whether a file lies in a folder, as far as the disk may be asked.
fn lies(folder: &[&str], file: &str, facts: &Facts<'_>) -> bool {
    facts.exists(&format!("/{}/{file}", folder.join("/")))
}

/// Whether a project has nothing of what a pattern stands for, as far as the disk may be asked.
fn is_absent(root: &str, pattern: &str, facts: &Facts<'_>) -> bool {
    let known = pattern
        .find('*')
        .map_or(pattern, |star| pattern[..star].rsplit_once('/').map_or("", |(folder, _)| folder));
    facts.lacks(&format!("{root}/{known}"))
}

/// What counts in a folder of a repository with this name: the next parts of the patterns that begin with it.
pub(crate) fn inside(folder: &str) -> impl Iterator<Item = &'static str> {
    let lines = table::PROJECT.lines().filter_map(|line| line.split_once(' '));
    lines.filter_map(move |(_, pattern)| {
        let (first, rest) = pattern.split_once('/')?;
        (first == folder).then(|| rest.split('/').next().unwrap_or(rest))
    })
}

/// Whether a path lies in a folder for temporary files, in which no one works.
fn is_scratch(path: &str, facts: &Facts<'_>) -> bool {
    is_temporary(path) && !facts.cwd.is_some_and(is_temporary)
}

/// Whether a path lies in a folder for temporary files.
pub(crate) fn is_temporary(path: &str) -> bool {
    let temporary = ["/tmp", "/var/tmp", "/private/tmp", "/var/folders", "/private/var/folders", "/dev/shm"];
    temporary.iter().any(|folder| path::is_within(path, folder))
}

fn of(word: &str) -> Judged {
    match word {
        "switches" => Judged::Switches,
        "editor" => Judged::Editor,
        "agent" => Judged::Agent,
        "tasks" => Judged::Tasks,
        _ => Judged::Whole,
    }
}

/// Whether a folder lies around the home folder, around the program that judges, or around a folder of a host that a
/// variable of the environment has put elsewhere.
pub(crate) fn is_around(path: &str, facts: &Facts<'_>) -> bool {
    // Both are the business of other rules, which say it better.
    if path == "/" || facts.worktree() == Some(path) {
        return false;
    }
    let home = || facts.home_folder().is_some_and(|home| path::is_within(home, path));
    let moved = || facts.moved_folders().iter().any(|(folder, _)| path::is_within(folder, path));
    home() || moved() || programs::find(path, facts).is_some()
}

/// A quick look, before anything is looked up: whether a string may name something protected. A word that begins with a
/// dot and the right letter is enough, and so are some names of folders and programs.
pub(crate) fn may_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    // None of the names is shorter, and many arguments are.
    if bytes.len() < 3 {
        return false;
    }
    // `-C.github`, `-od.github`: a value that is glued to its letter.
    if bytes[0] == b'-' && bytes[1] != b'-' {
        let glued = |at: &usize| bytes[*at] == b'.' && is_telling(&bytes[*at..]);
        if (2..bytes.len() - 1).take(8).any(|at| glued(&at)) {
            return true;
        }
    }
    let mut name = bytes;
    loop {
        if name.first().is_some_and(|first| BEGINS[usize::from(*first)]) && is_telling(name) {
            return true;
        }
        let Some(parts) = name.iter().position(|byte| PARTS[usize::from(*byte)]) else { break };
        name = &name[parts + 1..];
    }
    bytes.len() > 15 && bytes.ends_with(b".code-workspace")
}

/// The bytes that part names; every byte of every command is looked at.
static PARTS: [bool; 256] = among(b"/\\=:\"' ,()~");
/// The bytes with which telling names begin.
static BEGINS: [bool; 256] = hosts_and(b".pPeElLaAcChHsSfF\xEF");
/// Those after a dot.
static BEGINS_HIDDEN: [bool; 256] = with_hidden(hosts_and(b"cCeEgGvVmMlLpP\xEF"));
/// Those with which the names of hosts' programs begin.
static BEGINS_HOST: [bool; 256] = hosts_and(b"");
/// The same of names up to this length, as most commands have one.
static BEGINS_SHORT_HOST: [bool; 256] = hosts_up_to(SHORT, [false; 256]);
const SHORT: usize = 3;

/// Which bytes these are.
pub(crate) const fn among(bytes: &[u8]) -> [bool; 256] {
    let mut all = [false; 256];
    let mut at = 0;
    while at < bytes.len() {
        all[bytes[at] as usize] = true;
        at += 1;
    }
    all
}

/// These bytes, and those with which the names of hosts' programs begin, in either case.
const fn hosts_and(bytes: &[u8]) -> [bool; 256] {
    hosts_up_to(usize::MAX, among(bytes))
}

/// The same for names of at most this length.
const fn hosts_up_to(longest: usize, mut all: [bool; 256]) -> [bool; 256] {
    let mut host = 0;
    while host < Host::NAMED.len() {
        let program = Host::NAMED[host].traits().kept.program.as_bytes();
        if !program.is_empty() && program.len() <= longest {
            all[program[0].to_ascii_lowercase() as usize] = true;
            all[program[0].to_ascii_uppercase() as usize] = true;
        }
        host += 1;
    }
    all
}

/// These bytes, and those with which hidden folders of the hosts begin: `.factory`, not `.droid`.
const fn with_hidden(mut all: [bool; 256]) -> [bool; 256] {
    let mut host = 0;
    while host < Host::NAMED.len() {
        let kept = &Host::NAMED[host].traits().kept;
        let tables = [kept.user.as_bytes(), kept.project.as_bytes()];
        let (mut table, mut at) = (0, 1);
        while table < tables.len() {
            while at + 1 < tables[table].len() {
                if tables[table][at] == b'.' && matches!(tables[table][at - 1], b' ' | b'\n') {
                    let first = tables[table][at + 1];
                    all[first.to_ascii_lowercase() as usize] = true;
                    all[first.to_ascii_uppercase() as usize] = true;
                }
                at += 1;
            }
            (table, at) = (table + 1, 1);
        }
        host += 1;
    }
    all
}

/// Whether a name begins as that of a host's program may.
pub(crate) fn begins_host(name: &str) -> bool {
    let begins = if name.len() > SHORT { &BEGINS_HOST } else { &BEGINS_SHORT_HOST };
    name.as_bytes().first().is_some_and(|first| begins[usize::from(*first)])
}

/// [`mark::ENTRY`], as a string.
const SEARCH: &str = "\u{FDD5}";

/// Whether a name begins as those of the tables do.
fn is_telling(name: &[u8]) -> bool {
    let starts = |start: &[u8]| name.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    let is = |whole: &[u8]| {
        starts(whole) && name.get(whole.len()).is_none_or(|next| *next == b'.' || PARTS[usize::from(*next)])
    };
    let is_host = || {
        BEGINS_HOST[usize::from(name[0])]
            && Host::NAMED.iter().map(|host| host.traits().kept.program.as_bytes()).any(|program| {
                program.first().is_some_and(|first| first.eq_ignore_ascii_case(&name[0])) && is(program)
            })
    };
    match name[0].to_ascii_lowercase() {
        b'.' => name.get(1).is_some_and(|first| BEGINS_HIDDEN[usize::from(*first)]),
        b'p' => starts(b"policy-hooks") || starts(b"program"),
        b'e' => starts(b"etc") || starts(b"environment"),
        b'l' => starts(b"library"),
        b'a' => starts(b"appdata") || starts(b"approval-gate") || starts(b"audit-logger"),
        b'c' => {
            starts(b"core.hookspath")
                || starts(b"command-blocker")
                || starts(b"context-injector")
                || starts(b"cursor-agent")
                || is_host()
        }
        b'h' => starts(b"hook"),
        b's' => starts(b"stop-guard") || starts(b"settings."),
        // What a search comes across; every mark begins with this byte.
        0xEF => starts(SEARCH.as_bytes()) && searched::is_telling(name),
        _ => starts(b"formatter-trigger") || is_host(),
    }
}
