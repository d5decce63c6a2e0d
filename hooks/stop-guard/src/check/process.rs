//! A check's program: in a process group of its own, for a limited time, with little of its output kept.

use std::collections::VecDeque;
use std::io::{self, PipeReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use super::supervisor;

/// How much of the output is kept: its end, in bytes.
const KEPT: usize = 64 * 1024;

/// How long the last output is waited for after the program ended.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ended {
    Code(i32),
    Signalled,
    /// It was killed at its time limit.
    TooLate,
    /// Why it did not start.
    NotStarted(String),
}

/// A program that ran.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) ended: Ended,
    /// The end of stdout and stderr, as they came.
    pub(super) output: Vec<u8>,
}

/// Runs `argv` in `folder`. Nothing of it is left when this returns, as far as its process group reaches.
pub(super) fn run(argv: &[String], folder: &Path, env: &[String], limit: Duration) -> Ran {
    match start(argv, folder, env) {
        Ok((mut child, reader)) => {
            let (tail, closed) = keep_tail(reader);
            let ended = wait(&mut child, limit);
            // Who holds the pipe still has left the group; its words are not waited for.
            let _ = closed.recv_timeout(LAST_WORDS);
            let output = tail.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
            Ran { ended, output }
        }
        Err(error) => Ran { ended: Ended::NotStarted(error.to_string()), output: Vec::new() },
    }
}

fn start(argv: &[String], folder: &Path, env: &[String]) -> io::Result<(Child, PipeReader)> {
    let (program, arguments) =
        argv.split_first().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no program"))?;
    let (reader, writer) = io::pipe()?;
    let mut command = supervised(program).unwrap_or_else(|| {
        let mut command = Command::new(program);
        command.stdin(Stdio::null());
        command
    });
    command.args(arguments).current_dir(folder).env_clear();
    command.envs(std::env::vars_os().filter(|(name, _)| {
        name.to_str().is_some_and(|name| is_usual(name) || env.iter().any(|wanted| wanted == name))
    }));
    command.env("TERM", "dumb").env("NO_COLOR", "1");
    command.stdout(writer.try_clone()?).stderr(writer);
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        command.process_group(0);
        adopt_orphans();
    }
    // With `command` our ends of the pipe are closed, so that the reader sees its end.
    Ok((command.spawn()?, reader))
}

/// The command that starts `program` in such a way that it ends with us. Its stdin stays open as long as we live.
#[cfg(target_os = "linux")]
fn supervised(program: &str) -> Option<Command> {
    let mut command = Command::new(supervisor::program()?);
    command.args([supervisor::NAME, "--", program]).stdin(Stdio::piped());
    Some(command)
}

/// Elsewhere nobody can tell who calls a supervisor.
#[cfg(not(target_os = "linux"))]
fn supervised(_program: &str) -> Option<Command> {
    None
}

/// The environment that tools need, without what is secret in it: tokens and keys have other names than these.
fn is_usual(name: &str) -> bool {
    matches!(
        name,
        "PATH" | "HOME" | "USER" | "LOGNAME" | "SHELL" | "LANG" | "LANGUAGE" | "TZ" | "TMPDIR" | "TMP" | "TEMP"
            | "PWD" | "DISPLAY" | "HOSTNAME"
            // Where toolchains live and build.
            | "CARGO_HOME" | "CARGO_TARGET_DIR" | "RUSTUP_HOME" | "RUSTUP_TOOLCHAIN" | "RUSTFLAGS" | "GOPATH"
            | "GOROOT" | "GOCACHE" | "GOMODCACHE" | "GOFLAGS" | "JAVA_HOME" | "GRADLE_USER_HOME" | "MAVEN_OPTS"
            | "NVM_DIR" | "NODE_PATH" | "NODE_ENV" | "VOLTA_HOME" | "FNM_DIR" | "PNPM_HOME" | "BUN_INSTALL"
            | "PYENV_ROOT" | "PYTHONPATH" | "VIRTUAL_ENV" | "CONDA_PREFIX" | "UV_CACHE_DIR" | "GEM_HOME"
            | "GEM_PATH" | "RBENV_ROOT" | "ASDF_DIR" | "ASDF_DATA_DIR" | "MISE_DATA_DIR" | "SDKMAN_DIR"
            | "DOTNET_ROOT" | "ANDROID_HOME" | "NIX_PATH" | "PKG_CONFIG_PATH" | "LD_LIBRARY_PATH" | "CC" | "CXX"
            | "XDG_CACHE_HOME" | "XDG_CONFIG_HOME" | "XDG_DATA_HOME" | "XDG_STATE_HOME" | "XDG_RUNTIME_DIR"
            // Without these, nothing starts on Windows.
            | "SystemRoot" | "SYSTEMROOT" | "SystemDrive" | "windir" | "ComSpec" | "PATHEXT" | "USERPROFILE"
            | "APPDATA" | "LOCALAPPDATA" | "ProgramData" | "ProgramFiles" | "NUMBER_OF_PROCESSORS"
    ) || name.starts_with("LC_")
}

type Tail = Arc<Mutex<VecDeque<u8>>>;

/// Reads everything and keeps the end of it, so that a program that floods neither stalls nor fills the memory.
fn keep_tail(mut reader: PipeReader) -> (Tail, mpsc::Receiver<()>) {
    let tail = Tail::default();
    let (closed, on_close) = mpsc::channel();
    let kept = Arc::clone(&tail);
    thread::spawn(move || {
        let mut buffer = [0; 16 * 1024];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => {
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.extend(buffer.iter().take(count));
                    let surplus = kept.len().saturating_sub(KEPT);
                    kept.drain(..surplus);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        let _ = closed.send(());
    });
    (tail, on_close)
}

/// Waits for the end, or makes it.
fn wait(child: &mut Child, limit: Duration) -> Ended {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    while !has_ended(child) {
        let left = limit.saturating_sub(start.elapsed());
        if left.is_zero() {
            end_group(child);
            let _ = child.wait();
            return Ended::TooLate;
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
    // Before the program itself is reaped: until then nobody else can have the group's number.
    end_group(child);
    match child.wait() {
        Ok(status) => status.code().map_or(Ended::Signalled, Ended::Code),
        Err(_) => Ended::Signalled,
    }
}

#[cfg(unix)]
fn has_ended(child: &Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

#[cfg(unix)]
fn end_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
fn end_group(child: &mut Child) {
    let _ = child.kill();
}

/// From here on, whoever leaves the group and loses its parent becomes our child, so that it can be found.
#[cfg(target_os = "linux")]
pub(super) fn adopt_orphans() {
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

#[cfg(all(unix, not(target_os = "linux")))]
fn adopt_orphans() {}

/// Ends what checks left behind in other process groups. To be called when no check runs.
#[cfg(target_os = "linux")]
pub(crate) fn end_leftovers() {
    use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
    // Each round may orphan the next generation.
    for _ in 0..64 {
        let children = children();
        if children.is_empty() {
            return;
        }
        for child in children.into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(child, Signal::KILL);
            let _ = waitpid(Some(child), WaitOptions::empty());
        }
    }
}

/// Nothing can be found where the system does not hand orphans over.
#[cfg(not(target_os = "linux"))]
pub(crate) fn end_leftovers() {}

/// The process ids of our children.
#[cfg(target_os = "linux")]
fn children() -> Vec<i32> {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return Vec::new() };
    threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<i32>>())
        .collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Ran {
        run(&["sh", "-c", script].map(str::to_owned), Path::new("/"), &[], limit)
    }

    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn the_exit_code_and_the_end_of_the_output_come_back() {
        let ran = shell("echo out; echo err >&2; exit 3", LONG);
        assert_eq!((ran.ended, ran.output), (Ended::Code(3), b"out\nerr\n".to_vec()));
        let ran = shell("i=0; while [ $i -lt 20000 ]; do echo line $i of a flood; i=$((i+1)); done", LONG);
        assert!(ran.output.len() <= KEPT && ran.output.ends_with(b"line 19999 of a flood\n"));
    }

    #[test]
    fn what_does_not_start_or_end_says_so() {
        let missing = run(&["/no/such/program".to_owned()], Path::new("/"), &[], LONG);
        assert!(matches!(missing.ended, Ended::NotStarted(_)));
        assert_eq!(shell("kill -9 $$", LONG).ended, Ended::Signalled);
        assert_eq!(shell("sleep 1000 & sleep 1000", Duration::from_millis(50)).ended, Ended::TooLate);
    }

    #[test]
    fn nothing_of_the_group_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let ran = shell(&format!("sleep 1000 & echo $! > {}", file.display()), LONG);
        assert_eq!(ran.ended, Ended::Code(0));
        let pid = std::fs::read_to_string(file).unwrap();
        // It has its signal; the kernel ends it when its turn comes, and whoever adopted it reaps it later still.
        let state = || std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        for _ in 0..10_000 {
            if state().is_empty() || state().contains(") Z ") {
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
        panic!("{}", state());
    }

    #[test]
    fn the_environment_is_the_usual_one() {
        for name in ["PATH", "HOME", "LC_ALL", "CARGO_HOME"] {
            assert!(is_usual(name), "{name}");
        }
        for name in ["GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "CARGO_REGISTRY_TOKEN", "GIT_DIR", "LD_PRELOAD"]
        {
            assert!(!is_usual(name), "{name}");
        }
    }
}
