//! A terminal at which somebody types.

use std::path::PathBuf;

use store::trust::agents::marks;

use crate::call::{Answer, Call};

/// One of our programs, to which whoever is at a terminal is a person.
///
/// # Panics
///
/// When it cannot be put beside the test's own program.
pub fn stand_in(name: &str) -> PathBuf {
    let own = std::env::current_exe().unwrap_or_else(|error| panic!("{error}"));
    let built = own.ancestors().nth(2).unwrap_or(&own);
    let folder = built.join("stand-ins");
    let path = folder.join(name);
    let made = std::fs::create_dir_all(&folder).and_then(|()| {
        // Tests run at once, and each may be the first.
        if path.exists() {
            return Ok(());
        }
        let beside = folder.join(format!("{name}-{}-{:?}", std::process::id(), std::thread::current().id()));
        std::os::unix::fs::symlink(built.join("stand-in"), &beside)
            .and_then(|()| std::fs::rename(&beside, &path))
    });
    made.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

/// Runs a shell's command line at a terminal, at which somebody types. `call` is one of `/usr/bin/env`; `more` are
/// variables for it. What marks an agent's shell is taken out before: the test may run in one.
pub fn at_a_terminal(call: Call, line: &str, typed: &str, more: &[&str]) -> Answer {
    let unset = marks().flat_map(|name| ["-u", name]);
    let script = ["script", "-qec", line, "/dev/null"];
    call.args(unset.chain(more.iter().copied()).chain(script)).input(typed).run()
}

/// Whether this machine has `script`, which makes a terminal.
#[expect(clippy::print_stderr, reason = "who runs the tests is told what was left out")]
pub fn has_script() -> bool {
    let there = Call::new("/bin/sh").args(["-c", "script --version"]).run();
    let there = there.exit == Some(0) && there.stdout.contains("util-linux");
    if !there {
        eprintln!("SKIPPED: no `script` of util-linux, which makes a terminal");
    }
    there
}
