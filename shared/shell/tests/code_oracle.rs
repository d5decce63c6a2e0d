//! The interpreters' own opinion: code runs in a scratch folder, where the programs that it starts only write down
//! how they were called. What ran and what is gone afterwards is what was predicted.
//!
//! Cases stand in `code_oracle/cases.txt`. An interpreter that this machine lacks is skipped, with a message.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use shell::{Analysis, Surroundings, analyze, mark};

/// Programs that code may start.
const RECORDERS: &[&str] = &["alpha", "beta", "gamma"];
/// Files that lie in the folder when code starts.
const FILES: &[&str] = &["a.txt", "b.txt", "c.tmp", "d/x.txt", "d/y.tmp", "e/f/z.txt", "home.txt"];

struct Case {
    interpreter: &'static str,
    code: String,
}

fn cases() -> Vec<Case> {
    let text = include_str!("code_oracle/cases.txt");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (interpreter, code) = line.split_once('\t').expect("an interpreter, a tab and code");
            Case { interpreter, code: code.replace('␤', "\n") }
        })
        .collect()
}

/// The interpreter itself, and not a script that looks for it.
fn real(interpreter: &str) -> Option<PathBuf> {
    let asks: &[&str] = match interpreter {
        "python3" => &["-c", "import sys; print(sys.executable)"],
        "node" => &["-p", "process.execPath"],
        "ruby" => &["-e", "puts RbConfig.ruby"],
        "perl" => &["-e", "print $^X"],
        "php" => &["-r", "echo PHP_BINARY;"],
        _ => &["BEGIN { print \"\" }"],
    };
    let output = Command::new(interpreter).args(asks).stdin(Stdio::null()).output().ok()?;
    let told = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if !output.status.success() {
        return None;
    }
    if told.starts_with('/') {
        return Some(PathBuf::from(told));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(interpreter)).find(|path| path.is_file())
}

/// A scratch folder with what code may touch.
struct Scratch {
    root: PathBuf,
}

impl Scratch {
    fn new() -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("code-oracle-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("path")).unwrap();
        let root = root.canonicalize().unwrap();
        let recorder = format!(
            "#!/bin/sh\nprintf '%s\\0' \"${{0##*/}}\" \"$@\" \"$(printf '\\036')\" >> '{}'\n",
            root.join("log").display()
        );
        fs::write(root.join("recorder"), recorder).unwrap();
        fs::set_permissions(root.join("recorder"), fs::Permissions::from_mode(0o755)).unwrap();
        for name in RECORDERS {
            symlink("../recorder", root.join("path").join(name)).unwrap();
        }
        for name in ["sh", "bash"] {
            symlink("/bin/sh", root.join("path").join(name)).unwrap();
        }
        Self { root }
    }

    fn folder(&self) -> PathBuf {
        self.root.join("work")
    }

    /// Lays the files out again.
    fn reset(&self) {
        let _ = fs::remove_dir_all(self.folder());
        for file in FILES {
            let path = self.folder().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        fs::write(self.root.join("log"), "").unwrap();
    }

    /// Runs code; the calls that were written down, and the files that are gone or empty.
    fn perform(
        &self,
        interpreter: &Path,
        flags: &[&str],
        code: &str,
    ) -> (Vec<Vec<String>>, BTreeSet<String>) {
        self.reset();
        let mut command = Command::new(interpreter);
        command
            .args(flags)
            .arg(code)
            .current_dir(self.folder())
            .env("HOME", self.folder())
            .env("PATH", self.root.join("path"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().unwrap();
        let written = String::from_utf8_lossy(&fs::read(self.root.join("log")).unwrap()).into_owned();
        let mut calls = Vec::new();
        let mut call = Vec::new();
        for text in written.split_terminator('\0') {
            if text == "\u{1e}" {
                calls.push(std::mem::take(&mut call));
            } else {
                call.push(text.to_owned());
            }
        }
        let gone = FILES.iter().filter(|file| {
            let path = self.folder().join(file);
            fs::metadata(path).map_or(true, |data| data.len() == 0)
        });
        (calls, gone.map(|&file| file.to_owned()).collect())
    }
}

/// Whether a path with marks names `file`, or a folder that holds it.
fn names(pattern: &str, file: &str) -> bool {
    fn matches(pattern: &[char], file: &[char]) -> bool {
        match pattern.split_first() {
            None => file.is_empty() || file[0] == '/',
            Some((&mark::ENTRY, rest)) => {
                (0..=file.len()).any(|at| matches(rest, &file[at..]))
                    || rest.first() == Some(&'/') && matches(&rest[1..], file)
            }
            Some((&c, rest)) if c == mark::STAR || mark::is_hole(c) => (0..=file.len())
                .take_while(|&at| at == 0 || file[at - 1] != '/')
                .any(|at| matches(rest, &file[at..])),
            Some((&c, rest)) => file.first() == Some(&c) && matches(rest, &file[1..]),
        }
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let file: Vec<char> = file.chars().collect();
    matches(&pattern, &file)
}

/// What the analysis expects: calls, files that go for sure, and whether some names are patterns.
fn predicted(analysis: &Analysis, folder: &str) -> (Vec<Vec<String>>, BTreeSet<String>, bool) {
    let mut calls = Vec::new();
    let mut gone = BTreeSet::new();
    let mut open = false;
    for atom in &analysis.atoms {
        let program = atom.program().into_owned();
        if RECORDERS.contains(&program.as_str()) {
            calls.push(atom.args.iter().map(|arg| arg.text.clone()).collect());
        }
        let mut targets: Vec<String> = Vec::new();
        if program == "rm" || program == "mv" {
            targets.extend(
                atom.args
                    .iter()
                    .skip(3)
                    .take(if program == "mv" { 1 } else { usize::MAX })
                    .map(|arg| arg.text.clone()),
            );
        }
        targets.extend(
            atom.redirects
                .iter()
                .filter(|redirect| redirect.flow == shell::Flow::Write)
                .map(|redirect| redirect.target.clone()),
        );
        for target in targets {
            let path = shell::path::join(&atom.cwd, &target);
            open |= mark::any(&path);
            for file in FILES {
                if names(&path, &format!("{folder}/{file}")) {
                    gone.insert((*file).to_owned());
                }
            }
        }
    }
    (calls, gone, open)
}

#[test]
fn code_does_what_was_predicted() {
    let scratch = Scratch::new();
    let folder = scratch.folder().display().to_string();
    let mut wrong = Vec::new();
    let mut ran = 0;
    let cases = cases();
    let interpreters: BTreeSet<&str> = cases.iter().map(|case| case.interpreter).collect();
    for interpreter in interpreters {
        let own: Vec<&Case> = cases.iter().filter(|case| case.interpreter == interpreter).collect();
        let Some(program) = real(interpreter) else {
            let _ = std::io::Write::write_fmt(
                &mut std::io::stderr(),
                format_args!(
                    "SKIPPED: no {interpreter} on this machine, so no one can say what {} bodies do\n",
                    own.len()
                ),
            );
            continue;
        };
        let flags: &[&str] = match interpreter {
            "python3" => &["-c"],
            "php" => &["-r"],
            "awk" => &[],
            _ => &["-e"],
        };
        for case in own {
            let (mut calls, gone) = scratch.perform(&program, flags, &case.code);
            let quoted = case.code.replace('\'', r"'\''");
            let text = format!("{interpreter} {} '{quoted}'", flags.join(" "));
            let analysis =
                analyze(&text, Surroundings { cwd: Some(&folder), home: Some(&folder), disk: None });
            let (mut expected, going, open) = predicted(&analysis, &folder);
            calls.sort();
            expected.sort();
            ran += 1;
            let files_agree = if open { gone.is_subset(&going) } else { gone == going };
            if calls != expected || !files_agree {
                wrong.push(format!(
                    "{text}\n  ran {calls:?}, predicted {expected:?}\n  gone {gone:?}, predicted {going:?}"
                ));
            }
            assert!(
                !(calls.is_empty() && gone.is_empty()),
                "a case that does nothing proves nothing: {text}"
            );
        }
    }
    eprintln!("{ran} bodies ran");
    assert!(wrong.is_empty(), "{} of {ran} disagree:\n{}", wrong.len(), wrong.join("\n"));
    fs::remove_dir_all(&scratch.root).unwrap();
}
