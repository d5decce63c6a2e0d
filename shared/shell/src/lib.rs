//! Command text in, the commands that will run out.
//!
//! [`analyze`] answers one question: which programs would a shell start for this text, with which arguments,
//! in which folder, and reading what? It parses the text, follows variables, functions, substitutions and
//! written files, and peels programs that run other programs. Where something only exists at run time, the
//! answer holds a [`mark`] in its place. Nothing is executed, and outside the text only those files are looked at that it
//! makes a program run, where the caller hands in a [`Disk`].

mod filters;
mod programs;
mod reading;

pub use filters::only_filters;
pub use payload::Language;
pub use programs::{Mount, leaks, mounts};
pub use reading::{cmd_in_powershell, readings};
pub use shell_engine::bash::names_secret;
pub use shell_engine::text::pattern;
pub use shell_engine::{
    Analysis, Arg, Atom, Disk, Entry, Flow, Found, Handed, How, Link, Note, NoteKind, Place, Redirect,
    ScriptFile, Span, Stage, Via, mark, path,
};

use std::rc::Rc;

use shell_engine::{Io, Query, Registry, Runner, Scope, Script, bash};
use shell_windows::{cmd, powershell};

/// Paths of Windows.
pub mod windows {
    pub use shell_windows::{folder, has_drive, plain, slashes};
}

/// What surrounds a command.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// The folder it runs in, absolute.
    pub cwd: Option<&'a str>,
    /// The user's home folder, absolute.
    pub home: Option<&'a str>,
    /// Where files lie that it runs; without a disk, none is read.
    pub disk: Option<&'a Rc<dyn Disk>>,
}

/// Who runs what: here alone the engine, the languages and the programs meet.
static REGISTRY: Registry = Registry {
    posix: bash::run_text,
    cmd: cmd::run_text,
    sql: shell_sql::send,
    sql_client: shell_sql::run,
    filter: programs::filtered,
    views: programs::views,
    leaks: programs::leaks,
    in_bash: programs::brought_in_bash,
    program: programs::run,
};

/// What `text` does when a database gets it as SQL. The first atom stands for the database.
pub fn analyze_sql(text: &str, surroundings: Surroundings<'_>) -> Analysis {
    let text = mark::scrub(text);
    let mut runner = Runner::new(text.len(), &REGISTRY);
    runner.set_disk(surroundings.disk.cloned());
    let mut scope = Scope::new(surroundings.cwd.unwrap_or("."), surroundings.home);
    let client = runner.push(&scope, vec![Arg::from("sql")]);
    shell_sql::send(&mut runner, &mut scope, Query { client, library: "", text: &text });
    runner.finish()
}

/// Which programs `text` runs when bash, or another shell of the POSIX family, gets it.
///
/// Time is linear in the text's length: beyond its budget the answer carries [`NoteKind::TooMuch`].
pub fn analyze(text: &str, surroundings: Surroundings<'_>) -> Analysis {
    analyze_as(text, Language::Posix, surroundings)
}

/// What `text` does in this language; where no one says in which it is written, as bash reads it. The bound is that of
/// [`analyze`].
pub fn analyze_as(text: &str, language: Language, surroundings: Surroundings<'_>) -> Analysis {
    let run = match language {
        Language::Posix | Language::Unknown => bash::run_whole,
        Language::PowerShell => powershell::run_text,
        Language::Cmd => cmd::run_text,
        Language::Sql => return analyze_sql(text, surroundings),
    };
    let text = mark::scrub(text);
    let mut runner = Runner::new(text.len(), &REGISTRY);
    runner.set_disk(surroundings.disk.cloned());
    let cwd = windows::folder(surroundings.cwd.unwrap_or("."));
    let home = surroundings.home.map(windows::folder);
    let mut scope = Scope::new(&cwd, home.as_deref());
    run(&mut runner, &mut scope, &Script::new(&text, None, &Io::default()));
    runner.finish()
}
