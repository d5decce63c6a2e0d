//! Every promise, held against the programs people use: `cargo run -p real-hosts -- install` gets them.
//!
//! Without them these tests say so and pass, unless `REAL_HOSTS=required` is set, as CI does; then the programs are built
//! as they are shipped, too. VS Code needs a browser and OpenHands Python 3.12, which not every machine can have: they are
//! played where they are installed, and required by `REAL_HOSTS=all`.

mod installed;
mod managed;
mod newcomer;
mod person;
mod plugins;
mod promises;
mod reader;
mod scene;
mod setups;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

use promises::{Cell, Promise, Session, sessions};
use real_hosts::{Host, RunError, install};
use scene::{Scene, Shelf};
use setups::Setup;
use support::programs::{self, root};

/// The cells of one setup, in the order of the promises; none where the session was not played.
type Column = Vec<(&'static Promise, Option<Cell>)>;

/// What not every machine can have: a browser, and a newer Python than most systems bring.
const RARE: [Host; 2] = [Host::VsCode, Host::OpenHands];

/// Whether a test must not pass without this host.
pub(crate) fn is_required(host: Host) -> bool {
    match std::env::var("REAL_HOSTS").as_deref() {
        Ok("all") => true,
        Ok("required") => !RARE.contains(&host),
        _ => false,
    }
}

/// Whether the host is installed; says that it is not, or fails where it is required.
pub(crate) fn is_there(host: Host) -> bool {
    let there = install::installed(host).is_some();
    if !there {
        let missing = RunError::NotInstalled(host).to_string();
        assert!(!is_required(host), "{missing}");
        support::skipped(format_args!("{missing}"));
    }
    there
}

/// What is to be played.
struct Plan {
    driver: PathBuf,
    shelf: Shelf,
    /// The hosts of `HOSTS=vscode,claude`, with all their sessions.
    hosts: Option<Vec<Host>>,
    /// With `BRIEF`, only the sessions that CI plays of every host.
    is_brief: bool,
    /// With `PROMISE='a rewritten call'`, only the sessions with a promise that says so.
    promise: Option<String>,
}

impl Plan {
    fn plays(&self, setup: Setup, session: &Session) -> bool {
        let is_wanted = |promise: &String| session.promises.iter().any(|one| one.title.contains(promise));
        match &self.hosts {
            _ if !self.promise.as_ref().is_none_or(is_wanted) => false,
            _ if install::installed(setup.host()).is_none() => false,
            Some(hosts) => hosts.contains(&setup.host()) && (session.is_brief || !self.is_brief),
            // A session takes half a minute there, and two seconds elsewhere.
            // Its log has the reason of a run's first end only, so that two of its cells are open.
            None => setup != Setup::Cline && (!setup.is_slow() || session.is_brief),
        }
    }

    fn cells(&self, setup: Setup, session: &'static Session) -> Result<Column, RunError> {
        let lacks: Option<Vec<&str>> = session.hooks.iter().map(|hook| setup.lacks(hook)).collect();
        if let Some([fact, ..]) = lacks.as_deref() {
            return Ok(session.promises.iter().map(|promise| (promise, Some(Ok(*fact)))).collect());
        }
        if !self.plays(setup, session) {
            return Ok(session.promises.iter().map(|promise| (promise, None)).collect());
        }
        let cells = self.played(setup, session)?;
        // On a busy machine a browser may be late, or a lock held for so long that two hooks both speak; a promise that is
        // broken is broken twice.
        let kept = cells.iter().all(|(_, cell)| matches!(cell, Some(Ok(_))));
        if kept { Ok(cells) } else { self.played(setup, session) }
    }

    fn played(&self, setup: Setup, session: &'static Session) -> Result<Column, RunError> {
        let (scene, report) = Scene::play(setup, session, &self.driver, &self.shelf, None)?;
        let cell = |promise: &Promise| promise.holds(setup, &report, &scene);
        Ok(session.promises.iter().map(|promise| (promise, Some(cell(promise)))).collect())
    }

    /// All sessions of a setup: an editor, which mostly waits, plays two at once.
    fn column(&self, setup: Setup) -> Result<Column, RunError> {
        let rest = Mutex::new(sessions().enumerate());
        let work = || -> Result<Vec<(usize, Column)>, RunError> {
            let next = || rest.lock().unwrap().next();
            std::iter::from_fn(next)
                .map(|(index, session)| Ok((index, self.cells(setup, session)?)))
                .collect()
        };
        let mut parts = thread::scope(|scope| {
            let count = if setup == Setup::VsCode { 2 } else { 1 };
            let workers: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
            let workers = workers.into_iter();
            workers.map(|worker| worker.join().unwrap()).collect::<Result<Vec<_>, _>>()
        })?
        .concat();
        parts.sort_by_key(|(index, _)| *index);
        Ok(parts.into_iter().flat_map(|(_, cells)| cells).collect())
    }
}

/// Where the table of promises is.
const PAGE: &str = "docs/hosts.md";

/// The table of that page. What was not played stays as it is there.
fn table(columns: &[(Setup, Column)]) -> String {
    let page = fs::read_to_string(root().join(PAGE)).unwrap();
    let cells = |line: &'_ str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    // Without a host's version: a column is the same one after an update.
    let name = |title: &str| title.rsplit_once(' ').map_or(title, |(name, _)| name).to_owned();
    let heads: Vec<String> = page
        .lines()
        .find_map(|line| line.strip_prefix("| Hook | Promise |"))
        .map(|line| cells(line).iter().map(|head| name(head)).collect())
        .unwrap_or_default();
    let mut text = String::from("| Hook | Promise |");
    for (setup, _) in columns {
        let _ = write!(text, " {} |", setup.title());
    }
    text.push_str("\n|---|---|");
    text.push_str(&"---|".repeat(columns.len()));
    text.push('\n');
    for (row, promise) in sessions().flat_map(|session| session.promises).enumerate() {
        let hook = promise.hook;
        let hook = if hook.contains(' ') { hook.to_owned() } else { format!("`{hook}`") };
        let head = format!("| {hook} | {} |", promise.title);
        let standing = page.lines().find_map(|line| line.strip_prefix(&head)).unwrap_or_default();
        let standing = cells(standing);
        text.push_str(&head);
        for (setup, column) in columns {
            let place = heads.iter().position(|head| *head == name(&setup.title()));
            let cell = match &column[row].1 {
                Some(cell) => cell.as_ref().map_or("✗", |cell| cell),
                None => place.and_then(|place| standing.get(place)).map_or("not played", String::as_str),
            };
            let _ = write!(text, " {cell} |");
        }
        text.push('\n');
    }
    text
}

#[test]
fn the_real_hosts_keep_what_is_promised() {
    let required = is_required(Host::Claude);
    let hosts = std::env::var("HOSTS").ok();
    let hosts: Option<Vec<Host>> =
        hosts.map(|names| names.split(',').map(|name| name.parse().unwrap()).collect());
    let wanted = hosts.as_deref().unwrap_or(&Host::ALL);
    let there: Vec<Host> = wanted.iter().copied().filter(|host| is_there(*host)).collect();
    // The table is one: without a host whose column is always played, there is none.
    if wanted.iter().any(|host| !RARE.contains(host) && *host != Host::Cline && !there.contains(host))
        || there.is_empty()
    {
        return;
    }
    // CI takes what users get; who only tries something does not wait for it.
    let shelf = Shelf::new(&if required { programs::shipped_hooks() } else { programs::hooks() });
    let is_brief = std::env::var_os("BRIEF").is_some();
    let promise = std::env::var("PROMISE").ok();
    let plan = Plan { driver: programs::real_hosts(), shelf, hosts, is_brief, promise };
    // Copilot CLI unpacks itself into a folder that all its runs share: its two setups take turns.
    let lanes: [&[Setup]; 11] = [
        &[Setup::Claude],
        &[Setup::CopilotPascal, Setup::CopilotCamel],
        &[Setup::CopilotSdk],
        &[Setup::Codex],
        &[Setup::Gemini],
        &[Setup::Qwen],
        &[Setup::Cline],
        &[Setup::OpenCode],
        &[Setup::Pi],
        &[Setup::OpenHands],
        &[Setup::VsCode],
    ];
    let columns: Result<Vec<(Setup, Column)>, RunError> = thread::scope(|scope| {
        let plan = &plan;
        let run = move |lane: &'static [Setup]| -> Result<Vec<(Setup, Column)>, RunError> {
            lane.iter().map(|setup| Ok((*setup, plan.column(*setup)?))).collect()
        };
        let lanes = lanes.map(|lane| scope.spawn(move || run(lane)));
        let lanes = lanes.map(|lane| lane.join().unwrap());
        let columns: Result<Vec<_>, _> = lanes.into_iter().collect();
        columns.map(|columns| columns.into_iter().flatten().collect())
    });
    let columns = match columns {
        Err(RunError::Namespace(why)) if !required => {
            support::skipped(format_args!("{why}"));
            return;
        }
        columns => columns.unwrap(),
    };
    let broken: String = columns
        .iter()
        .flat_map(|(setup, column)| column.iter().map(move |cell| (setup, cell)))
        .filter_map(|(setup, (promise, cell))| {
            let problem = cell.as_ref()?.as_ref().err()?;
            Some(format!("\n{}: {}: {}: {problem}", setup.title(), promise.hook, promise.title))
        })
        .collect();
    let table = format!("{}\n{PLAYED}{}.\n", table(&columns), day());
    assert!(broken.is_empty(), "{broken}\n\n{table}");
    crate::docs::renew_between(PAGE, "real hosts", &table);
}

/// The line after the table begins so.
const PLAYED: &str = "Last run on ";

/// The day on which the table was written: today, where it is.
fn day() -> String {
    if std::env::var_os("UPDATE_README").is_some() {
        return chrono::Utc::now().format("%Y-%m-%d").to_string();
    }
    let page = fs::read_to_string(root().join(PAGE)).unwrap();
    let (_, day) = page.split_once(PLAYED).unwrap();
    day.chars().take_while(|c| *c != '.').collect()
}
