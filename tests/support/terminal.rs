//! A terminal at which someone types.

use store::trust::agents::marks;

use crate::call::{Answer, Call};

/// Runs a shell's command line at a terminal, at which someone types. `call` is one of `/usr/bin/env`; `more` are
/// variables for it. What marks an agent's shell is taken out before: the test may run in one.
pub fn at_a_terminal(call: Call, line: &str, typed: &str, more: &[&str]) -> Answer {
    let unset = marks().flat_map(|name| ["-u", name]);
    let script = ["script", "-qec", line, "/dev/null"];
    call.args(unset.chain(more.iter().copied()).chain(script)).input(typed).run()
}

/// Whether this machine has `script`, which makes a terminal.
pub fn has_script() -> bool {
    let there = Call::new("/bin/sh").args(["-c", "script --version"]).run();
    let there = there.exit == Some(0) && there.stdout.contains("util-linux");
    if !there {
        crate::skipped(format_args!("no `script` of util-linux, which makes a terminal"));
    }
    there
}
