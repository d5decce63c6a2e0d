//! Command text in, the commands that will run out.
//!
//! [`analyze`] answers one question: which programs would a shell start for this text, with which arguments,
//! in which folder, and reading what? It parses the text, follows variables, functions, substitutions and
//! written files, and peels programs that run other programs. Where something only exists at run time, the
//! answer holds a [`mark`] in its place. Nothing is executed and nothing outside the text is looked at.

mod atom;
mod bash;
mod cmd;
pub mod mark;
pub mod path;
mod powershell;
mod programs;
mod reading;
mod run;
mod span;
mod sql;
mod text;
pub mod windows;

pub use atom::{
    Analysis, Arg, Atom, Flow, How, Link, Note, NoteKind, Place, Redirect, Shell, Stage, Via, program_name,
};
pub use reading::readings;
pub use span::Span;
pub use text::pattern;

/// What surrounds a command.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// The folder it runs in, absolute.
    pub cwd: Option<&'a str>,
    /// The user's home folder, absolute.
    pub home: Option<&'a str>,
}

/// What `text` does when a database gets it as SQL. The first atom stands for the database.
pub fn analyze_sql(text: &str, surroundings: Surroundings<'_>) -> Analysis {
    let text = mark::scrub(text);
    let mut runner = run::Runner::new(text.len());
    let mut scope = run::Scope::new(surroundings.cwd.unwrap_or("."), surroundings.home);
    let database = runner.push(&scope, vec![Arg::from("sql")]);
    sql::text(&mut runner, &mut scope, database, sql::Flavor::Unknown, &text);
    runner.analysis
}

/// Which programs `text` runs when bash, or another shell of the POSIX family, gets it.
///
/// Time is linear in the text's length: beyond its budget the answer carries [`NoteKind::TooMuch`].
pub fn analyze(text: &str, surroundings: Surroundings<'_>) -> Analysis {
    analyze_as(text, Shell::Posix, surroundings)
}

/// Which programs `text` runs when a shell of this kind gets it. The bound is that of [`analyze`].
pub fn analyze_as(text: &str, shell: Shell, surroundings: Surroundings<'_>) -> Analysis {
    let text = mark::scrub(text);
    let mut runner = run::Runner::new(text.len());
    let cwd = windows::folder(surroundings.cwd.unwrap_or("."));
    let home = surroundings.home.map(windows::folder);
    let mut scope = run::Scope::new(&cwd, home.as_deref());
    match shell {
        Shell::Posix => {
            runner.run_text(&mut scope, &text, None, &run::Io::default());
            runner.run_traps(&mut scope, false);
            runner.run_uncalled(&mut scope);
        }
        Shell::PowerShell => {
            powershell::run_text(&mut runner, &mut scope, &text, None, &run::Io::default());
        }
        Shell::Cmd => {
            cmd::run_text(&mut runner, &mut scope, &text, None, &run::Io::default());
        }
    }
    runner.analysis
}
