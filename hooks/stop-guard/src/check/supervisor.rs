//! Between the guard and a check's program: a process of ours that ends the check when the guard is gone.
//!
//! A host kills a hook that is late with a signal that no one can catch, and an orphaned test run would go on for hours.
//! So a second process of this program starts the check, in its own process group, and reads a pipe whose other end
//! only the guard has: when that closes, however the guard ended, it kills the group and whoever left it.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use clap::{Arg, ArgMatches, value_parser};
use rustix::process::{Pid, Signal, getpgrp, getpid, getppid, kill_process, kill_process_group};

use process::{adopt_leftovers, end_leftovers};

/// The sub-command, which only this program calls.
pub(crate) const NAME: &str = "supervise";

/// What a shell says of a program that it cannot find.
const NOT_STARTED: u8 = 127;

/// What a shell says of a program that it may not run: for the guard no failure of the work either.
const REFUSED: u8 = 126;

/// The sub-command on the command line.
pub(crate) fn command() -> clap::Command {
    let argv = Arg::new("argv").value_parser(value_parser!(OsString)).num_args(1..).last(true).required(true);
    clap::Command::new(NAME).hide(true).arg(argv)
}

/// How a check's program is started in such a way that it ends with us.
pub(super) fn supervised(program: &str, arguments: &[String]) -> Option<(OsString, Vec<OsString>)> {
    let words = [NAME, "--", program].into_iter().chain(arguments.iter().map(String::as_str));
    Some((self::program()?.into(), words.map(OsString::from).collect()))
}

/// This program, to be started as a supervisor; `None` where it cannot be found.
fn program() -> Option<PathBuf> {
    // A test is another program, which knows no sub-command.
    if cfg!(test) { None } else { std::env::current_exe().ok().filter(|path| path.exists()) }
}

/// Runs the check and ends as it does.
pub(crate) fn run(matches: &ArgMatches) -> u8 {
    // No one else is to start programs under our name.
    if !is_called_by_us() {
        return REFUSED;
    }
    let mut argv = matches.get_many::<OsString>("argv").into_iter().flatten();
    let Some(program) = argv.next() else { return REFUSED };
    adopt_leftovers();
    let ending = Arc::new(AtomicBool::new(false));
    let ends = Arc::clone(&ending);
    thread::spawn(move || {
        // The guard holds the other end of stdin: it closes when the guard ends, however it is killed.
        let _ = io::stdin().read_to_end(&mut Vec::new());
        ends.store(true, Ordering::SeqCst);
        end_leftovers();
        let _ = kill_process_group(getpgrp(), Signal::KILL);
    });
    // The check must not read the pipe by which its end is noticed.
    let ended = Command::new(program).args(argv).stdin(Stdio::null()).status();
    while ending.load(Ordering::SeqCst) {
        // The other thread kills what is left, and this process last.
        thread::park();
    }
    match ended {
        Ok(status) => status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or_else(|| {
            // As the check: by a signal.
            let _ = kill_process(getpid(), Signal::KILL);
            NOT_STARTED
        }),
        Err(_) => NOT_STARTED,
    }
}

fn is_called_by_us() -> bool {
    // Through `/proc` on both sides: comparing names would believe any program called like ours.
    let exe = |pid: Pid| fs::read_link(format!("/proc/{}/exe", pid.as_raw_pid())).ok();
    let ours = exe(getpid());
    ours.is_some() && getppid().and_then(exe) == ours
}
