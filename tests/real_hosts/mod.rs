//! Every promise, held against the programs people use: `cargo run -p real-hosts -- install` gets them.
//!
//! Without them these tests say so and pass, unless `REAL_HOSTS=required` is set, as CI does; then the programs are built
//! as they are shipped, too.

mod installed;
mod person;
mod promises;
mod scene;
mod setups;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::thread;

use promises::{Cell, Promise, sessions};
use real_hosts::{Host, RunError, install};
use scene::{Scene, Shelf};
use setups::Setup;
use support::programs::{self, root};

/// The cells of one setup, in the order of the promises.
type Column = Vec<(&'static Promise, Cell)>;

fn column(setup: Setup, driver: &Path, shelf: &Shelf) -> Result<Column, RunError> {
    let mut column = Column::new();
    for session in sessions() {
        let (scene, report) = Scene::play(setup, session, driver, shelf)?;
        for promise in session.promises {
            let cell = (promise.cell)(&report, &scene).and_then(|cell| {
                let expected = (promise.expected)(setup);
                if cell == expected { Ok(cell) } else { Err(format!("{cell}, not {expected}")) }
            });
            column.push((promise, cell));
        }
    }
    Ok(column)
}

/// The table that stands in the README.
fn table(columns: &[(Setup, Column)]) -> String {
    let mut text = String::from("| Hook | Promise |");
    for (setup, _) in columns {
        let _ = write!(text, " {} |", setup.title());
    }
    text.push_str(" VS Code |\n|---|---|");
    text.push_str(&"---|".repeat(columns.len() + 1));
    text.push('\n');
    for (row, promise) in sessions().flat_map(|session| session.promises).enumerate() {
        let hook = promise.hook;
        let hook = if hook.contains(' ') { hook.to_owned() } else { format!("`{hook}`") };
        let _ = write!(text, "| {hook} | {} |", promise.title);
        for (_, column) in columns {
            let _ = write!(text, " {} |", column[row].1.as_ref().map_or("✗", |cell| cell));
        }
        let _ = writeln!(text, " {} |", promise.by_source);
    }
    text
}

#[test]
fn the_real_hosts_keep_what_is_promised() {
    let required = std::env::var_os("REAL_HOSTS").is_some_and(|value| value == "required");
    let missing: Vec<Host> =
        Host::ALL.into_iter().filter(|host| install::installed(*host).is_none()).collect();
    if !missing.is_empty() {
        let missing = RunError::NotInstalled(missing[0]).to_string();
        assert!(!required, "{missing}");
        eprintln!("SKIPPED: {missing}");
        return;
    }
    let driver = programs::real_hosts();
    // CI takes what users get; who only tries something does not wait for it.
    let shelf = Shelf::new(&if required { programs::shipped_hooks() } else { programs::hooks() });
    // Copilot CLI unpacks itself into a folder that all its runs share: its two setups take turns.
    let lanes: [&[Setup]; 4] =
        [&[Setup::Claude], &[Setup::CopilotPascal, Setup::CopilotCamel], &[Setup::Codex], &[Setup::Gemini]];
    let columns: Result<Vec<(Setup, Column)>, RunError> = thread::scope(|scope| {
        let run = |lane: &'static [Setup]| -> Result<Vec<(Setup, Column)>, RunError> {
            lane.iter().map(|setup| Ok((*setup, column(*setup, &driver, &shelf)?))).collect()
        };
        let lanes = lanes.map(|lane| scope.spawn(move || run(lane)));
        let lanes = lanes.map(|lane| lane.join().unwrap());
        let columns: Result<Vec<_>, _> = lanes.into_iter().collect();
        columns.map(|columns| columns.into_iter().flatten().collect())
    });
    let columns = match columns {
        Err(RunError::Namespace(why)) if !required => {
            eprintln!("SKIPPED: {why}");
            return;
        }
        columns => columns.unwrap(),
    };
    let broken: String = columns
        .iter()
        .flat_map(|(setup, column)| column.iter().map(move |cell| (setup, cell)))
        .filter_map(|(setup, (promise, cell))| {
            let problem = cell.as_ref().err()?;
            Some(format!("\n{}: {}: {}: {problem}", setup.title(), promise.hook, promise.title))
        })
        .collect();
    assert!(broken.is_empty(), "{broken}");
    let table = format!("{}\n{PLAYED}{}.\n", table(&columns), day());
    crate::docs::renew_between("README.md", "real hosts", &table);
}

/// The line after the table begins so.
const PLAYED: &str = "Last run on ";

/// The day on which the table was written: today, where it is.
fn day() -> String {
    if std::env::var_os("UPDATE_README").is_some() {
        return chrono::Utc::now().format("%Y-%m-%d").to_string();
    }
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, day) = readme.split_once(PLAYED).unwrap();
    day.chars().take_while(|c| *c != '.').collect()
}
