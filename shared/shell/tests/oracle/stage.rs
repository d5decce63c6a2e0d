//! Where commands really run: an empty folder, with nothing on the path that could do harm.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::generator::RECORDERS;

/// Real programs that commands may use. None of them writes anything that is not asked for by name.
const HARMLESS: &[&str] = &[
    "base32", "base64", "basename", "cat", "cut", "dirname", "env", "find", "head", "nice", "nohup",
    "printf", "rev", "sed", "seq", "setsid", "sort", "stdbuf", "tac", "tail", "tee", "timeout", "tr", "uniq",
    "xargs", "xxd",
];

/// Programs of which the answer is found on the real path, for the recorder's own use.
const SHELLS: &[&str] = &["bash"];

/// Runs the command with one more way to our pipe: what a command redirects elsewhere and starts in the background
/// may outlive it, and would write down its name too late.
const KEEP_OPEN: &str = r#"exec 200>&1; exec "$0" --norc --noprofile -c "$1""#;

/// A folder in which commands run, one after the other.
pub(crate) struct Stage {
    root: PathBuf,
    bash: PathBuf,
}

/// What bash did with a command.
pub(crate) struct Performance {
    /// The recorders that ran, in the order in which they started.
    pub(crate) calls: Vec<Vec<String>>,
    /// What it had to say.
    pub(crate) stderr: String,
}

impl Performance {
    /// Whether bash found a mistake in the command.
    pub(crate) fn refused(&self) -> bool {
        self.stderr.contains("syntax error") || self.stderr.contains("unexpected EOF")
    }
}

impl Stage {
    /// Prepares a stage. Nothing, if this machine has no bash or lacks a harmless program.
    pub(crate) fn prepare(name: &str) -> io::Result<Result<Self, String>> {
        let root =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("oracle-{name}-{}", std::process::id()));
        if root.exists() {
            fs::remove_dir_all(&root)?;
        }
        let path = root.join("path");
        fs::create_dir_all(&path)?;
        fs::create_dir_all(root.join("empty"))?;
        // Long names must not come in the way of what a Mac calls its temporary folder.
        let root = root.canonicalize()?;
        for program in SHELLS.iter().chain(HARMLESS) {
            let Some(found) = on_path(program) else {
                return Ok(Err(format!("no {program} on this machine")));
            };
            symlink(found, root.join("path").join(program))?;
        }
        let bash = root.join("path/bash");
        symlink("bash", root.join("path/sh"))?;
        // One write for each call: calls at the same time must not mix.
        let recorder = format!(
            "#!/bin/sh\nprintf '%s\\0' \"${{0##*/}}\" \"$@\" \"$(printf '\\036')\" >> '{}'\n",
            root.join("log").display()
        );
        fs::write(root.join("recorder"), recorder)?;
        fs::set_permissions(root.join("recorder"), fs::Permissions::from_mode(0o755))?;
        for name in RECORDERS {
            // Not even a name that a harmless program has may lead to the real one.
            symlink("../recorder", root.join("path").join(name))?;
        }
        Ok(Ok(Self { root, bash }))
    }

    /// The folder in which commands start; also their home.
    pub(crate) fn folder(&self) -> String {
        self.root.join("empty").display().to_string()
    }

    /// Runs a command and reads what the recorders have written.
    pub(crate) fn perform(&self, text: &str) -> io::Result<Performance> {
        let folder = self.root.join("empty");
        let log = self.root.join("log");
        fs::write(&log, "")?;
        // The time limit is for mistakes of the generator; bash itself is real, its programs are on the path.
        let mut command = Command::new(self.root.join("path/timeout"));
        command
            .args(["-k", "1", "20"])
            .arg(&self.bash)
            .args(["--norc", "--noprofile", "-c", KEEP_OPEN])
            .arg(&self.bash)
            .arg(text)
            .current_dir(&folder)
            .env_clear()
            .env("HOME", &folder)
            .env("PATH", self.root.join("path"))
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null());
        // The output is a pipe: it ends when the last process of the command does.
        let output = command.output()?;
        let mut calls = Vec::new();
        let mut call = Vec::new();
        let written = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
        for text in written.split_terminator('\0') {
            if text == "\u{1e}" {
                calls.push(std::mem::take(&mut call));
            } else {
                call.push(text.to_owned());
            }
        }
        for entry in fs::read_dir(&folder)? {
            let entry = entry?.path();
            if entry.is_dir() { fs::remove_dir_all(entry)? } else { fs::remove_file(entry)? }
        }
        Ok(Performance { calls, stderr: String::from_utf8_lossy(&output.stderr).into_owned() })
    }
}

impl Stage {
    /// How bash prints a string that it has read as the body of a function. Nothing, if it does not take it.
    ///
    /// Nothing of the text is run: it is a complete text by itself, so it cannot end the function around it.
    pub(crate) fn normal_form(&self, text: &str) -> io::Result<Option<String>> {
        let file = self.root.join("text");
        let bash = |arguments: &[&str]| {
            let mut command = Command::new(&self.bash);
            command.args(["--norc", "--noprofile", "-O", "extglob"]).args(arguments).arg(&file);
            command
                .current_dir(self.root.join("empty"))
                .env_clear()
                .env("LC_ALL", "C.UTF-8")
                .stdin(Stdio::null());
            command.output()
        };
        fs::write(&file, text)?;
        let complete = bash(&["-n"])?;
        if !complete.status.success() || !complete.stderr.is_empty() {
            return Ok(None);
        }
        fs::write(&file, format!("f_ound() {{\n{text}\n}}\ndeclare -f f_ound\n"))?;
        let printed = String::from_utf8_lossy(&bash(&[])?.stdout).into_owned();
        let body = printed.strip_prefix("f_ound () \n{ \n").and_then(|body| body.strip_suffix("\n}\n"));
        Ok(body.map(str::to_owned))
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// The file that a program's name stands for.
fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}
