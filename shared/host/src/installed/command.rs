//! Commands of hooks that run one of our programs and nothing else, in every form in which `init` or a person writes them.

use std::path::{Path, PathBuf};

use crate::installed::{PROGRAMS, find, is_executable};

/// What a command of a hook starts, where that is one of our programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub program: &'static str,
    /// Its absolute path, where the command has one; otherwise the host looks for it on its `PATH`.
    pub path: Option<String>,
    /// The arguments as they are written, with what ends a PowerShell command.
    pub rest: String,
}

/// Which shell a host gives a command to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quoting {
    /// A POSIX shell, also Git's on Windows.
    Posix,
    /// Windows PowerShell, or `pwsh`.
    PowerShell,
}

/// What `command` runs, where it is one of our programs and nothing else.
///
/// A name, or an absolute path: as it is, in quotes, or after PowerShell's `&`. A relative path is not ours, as it may
/// lead into a project; neither is anything that a shell would do more about: variables, substitutions, redirections.
pub fn call(command: &str) -> Option<Call> {
    let (word, rest, quoted) = first_word(command)?;
    let path = Path::new(&word);
    let is_path = word.starts_with('/') || is_drive(&word);
    // PowerShell prints a quoted name that has no `&` in front, and runs nothing.
    if !is_path && (quoted || word.contains(['/', '\\'])) {
        return None;
    }
    // Windows' separator parts words nowhere else, so that the last part is found by both.
    let name = if is_path { word.rsplit(['/', '\\']).next()? } else { path.to_str()? };
    // A script that `init` wrote around a program, where a host takes nothing else.
    let is_script = word.contains(SCRIPTS) && !word.contains("..");
    let script = name.strip_suffix(".sh").filter(|_| is_script);
    let bare = script.or_else(|| name.strip_suffix(".exe")).unwrap_or(name);
    let program = PROGRAMS.iter().copied().find(|program| *program == bare)?;
    // What is allowed, not what is forbidden: two shells and their versions have too many special characters to list.
    let plain = |c: char| c.is_ascii_alphanumeric() || " -_./=,:@+".contains(c);
    // `init` itself writes this at the end, whose `;` and `$` would make the command another's.
    let arguments = rest.strip_suffix(AFTER).unwrap_or(rest);
    if !arguments.chars().all(plain) {
        return None;
    }
    Some(Call { program, path: is_path.then(|| word.clone()), rest: rest.to_owned() })
}

/// Part of the path of a script around a program: a folder of Augment's.
const SCRIPTS: &str = "augment/hooks/";

/// A script around a program, for a host that takes nothing else. A code other than 2 lets the tool run, so that a missing
/// program has to be said.
pub fn script(command: &str) -> String {
    let path = first_word(command).map_or_else(|| command.to_owned(), |(word, ..)| word);
    let path = payload::quote(&path);
    format!(
        "#!/bin/sh\n# Written by `hook-runner init`.\n\
         if ! command -v {path} >/dev/null; then\n    echo {path} is missing: install it again. >&2\n    exit 2\nfi\n\
         exec {command}\n"
    )
}

/// The command that such a script runs, where it is one and nothing else.
fn in_script(path: &Path) -> Option<Call> {
    let text = std::fs::read_to_string(path).ok()?;
    let command = text.trim_end().rsplit_once("\nexec ")?.1;
    (script(command) == text).then(|| call(command))?
}

/// The words of a command that is one of our programs and nothing else.
pub fn words(command: &str) -> Vec<String> {
    let Some((word, rest, _)) = first_word(command) else { return Vec::new() };
    std::iter::once(word).chain(rest.split_whitespace().map(str::to_owned)).collect()
}

/// PowerShell would make 1 of every exit code but 0 otherwise.
const AFTER: &str = "; exit $LASTEXITCODE";

fn is_drive(word: &str) -> bool {
    matches!(word.as_bytes(), [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic())
}

/// The first word of a command without its quotes, what follows, and whether there were quotes.
fn first_word(command: &str) -> Option<(String, &str, bool)> {
    let command = command.trim_start();
    let (called, command) = match command.strip_prefix("& ") {
        Some(rest) => (true, rest.trim_start()),
        None => (false, command),
    };
    let word = match command.as_bytes().first()? {
        b'\'' => single_quoted(&command[1..], called),
        b'"' => double_quoted(&command[1..]),
        _ => {
            // PowerShell's form has `;` right after the program where there are no arguments.
            let end = command.find([' ', ';']).unwrap_or(command.len());
            // Letters of any language: a home folder has the name of a person.
            let plain = |c: char| c.is_alphanumeric() || "-_./:\\+@,".contains(c);
            command[..end].chars().all(plain).then(|| (command[..end].to_owned(), &command[end..]))
        }
    }?;
    let (text, rest) = word;
    let quoted = command.starts_with(['\'', '"']);
    // What follows a quote at once belongs to the same word: `'/usr/bin/command-blocker'x` is another program.
    let ends = rest.is_empty() || rest.starts_with([' ', ';']);
    ends.then_some((text, rest, quoted))
}

/// Up to the closing quote. POSIX writes a quote inside as `'\''`, PowerShell doubles it.
fn single_quoted(text: &str, doubled: bool) -> Option<(String, &str)> {
    let inside = if doubled { "''" } else { r"'\''" };
    let mut word = String::new();
    let mut rest = text;
    loop {
        let end = rest.find('\'')?;
        word += &rest[..end];
        match rest[end..].strip_prefix(inside) {
            Some(after) => {
                word.push('\'');
                rest = after;
            }
            None => return Some((word, &rest[end + 1..])),
        }
    }
}

/// Up to the closing quote; what a shell replaces inside makes it more than a path.
fn double_quoted(text: &str) -> Option<(String, &str)> {
    let end = text.find('"')?;
    let word = &text[..end];
    // A backslash escapes in a POSIX shell; after a drive's letter it can only be Windows' separator.
    (!word.contains(['$', '`', '\\']) || is_drive(word) && !word.contains(['$', '`']))
        .then(|| (word.to_owned(), &text[end + 1..]))
}

impl Call {
    /// The command for a program at a path, with these arguments, for a host's shell.
    pub fn write(path: &str, rest: &str, quoting: Quoting) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:+@,".contains(c);
        match quoting {
            Quoting::Posix => {
                // Git's shell on Windows takes both separators, but the other one only in quotes.
                let path = if is_drive(path) { path.replace('\\', "/") } else { path.to_owned() };
                if path.chars().all(plain) {
                    return format!("{path}{rest}");
                }
                format!("'{}'{rest}", path.replace('\'', r"'\''"))
            }
            Quoting::PowerShell if path.chars().all(|c| plain(c) || c == '\\') => format!("{path}{rest}"),
            Quoting::PowerShell => format!("& '{}'{rest}", path.replace('\'', "''")),
        }
    }

    /// Whether it runs the program that is installed: the one beside this program or on the `PATH`, outside the project.
    pub fn is_installed(&self, project: &Path) -> bool {
        let outside = |path: &Path| !path.starts_with(project);
        let Some(path) = &self.path else {
            return crate::installed::on_path(self.program)
                .and_then(|path| path.canonicalize().ok())
                // Where the name is not found here, no program of the project can hide behind it.
                .is_none_or(|path| outside(&path));
        };
        if path.contains(SCRIPTS) {
            return outside(Path::new(path))
                && in_script(Path::new(path)).is_some_and(|call| call.is_installed(project));
        }
        let real = |path: PathBuf| path.canonicalize().ok();
        // A path to nothing runs nothing; it is compared as it is written.
        let Some(meant) = real(PathBuf::from(path)) else { return outside(Path::new(path)) };
        let known = [find(self.program), crate::installed::on_path(self.program)];
        // Real paths on both sides: package managers install through links.
        outside(&meant) && known.into_iter().flatten().filter_map(real).any(|known| known == meant)
    }
}

/// The absolute path of an installed program as a configuration should name it: beside this program, or on the `PATH`.
///
/// Where both are the same file, as with links that lead to the newest version, the one on the `PATH` outlives an update.
pub fn lasting_path(name: &str) -> Option<PathBuf> {
    let found = find(name)?;
    let same = |path: &PathBuf| path.canonicalize().ok() == found.canonicalize().ok();
    let chosen =
        crate::installed::on_path(name).filter(|path| path.is_absolute() && same(path)).unwrap_or(found);
    let chosen = std::path::absolute(chosen).ok()?;
    is_executable(&chosen).then_some(chosen)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_form_is_recognised() {
        for (command, path) in [
            ("command-blocker", None),
            ("command-blocker --mode observe", None),
            ("command-blocker; exit $LASTEXITCODE", None),
            ("/usr/local/bin/command-blocker", Some("/usr/local/bin/command-blocker")),
            ("'/home/a b/command-blocker' --mode observe", Some("/home/a b/command-blocker")),
            (r"'/home/o'\''neill/command-blocker'", Some("/home/o'neill/command-blocker")),
            ("\"/home/a b/command-blocker\"", Some("/home/a b/command-blocker")),
            ("C:/bin/command-blocker.exe", Some("C:/bin/command-blocker.exe")),
            (r"C:\bin\command-blocker.exe; exit $LASTEXITCODE", Some(r"C:\bin\command-blocker.exe")),
            (
                r"& 'C:\Users\O''Neill\command-blocker.exe'; exit $LASTEXITCODE",
                Some(r"C:\Users\O'Neill\command-blocker.exe"),
            ),
            ("\"C:\\a b\\command-blocker.exe\" --x", Some("C:\\a b\\command-blocker.exe")),
            ("/etc/augment/hooks/command-blocker.sh", Some("/etc/augment/hooks/command-blocker.sh")),
        ] {
            let call = call(command).unwrap_or_else(|| panic!("{command}"));
            assert_eq!((call.program, call.path.as_deref()), ("command-blocker", path), "{command}");
        }
    }

    #[test]
    fn nothing_else_is() {
        for command in [
            "",
            "./command-blocker",
            "bin/command-blocker",
            "'command-blocker",
            "'./command-blocker'",
            "command-blocker; rm -rf x",
            "command-blocker && mine",
            "command-blocker $(id)",
            "command-blocker\nid",
            "command-blocker > x",
            "PATH=. command-blocker",
            "/usr/bin/mine command-blocker",
            "/usr/bin/command-blocker.sh",
            "\"$HOME/command-blocker\"",
            "/home/a b/command-blocker",
            "'/usr/bin/command-blocker'x",
            "bash /usr/bin/command-blocker",
        ] {
            assert_eq!(call(command), None, "{command}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for path in [
            "/usr/bin/command-blocker",
            "/home/a b/command-blocker",
            "/home/o'neill/$x`y`/command-blocker",
            "/home/ümlaut/command-blocker",
            r"C:\Program Files\x\command-blocker.exe",
            r"C:\bin\command-blocker.exe",
            r"C:\O'Neill\command-blocker.exe",
        ] {
            for quoting in [Quoting::Posix, Quoting::PowerShell] {
                for rest in ["", " --mode observe", "; exit $LASTEXITCODE"] {
                    let written = Call::write(path, rest, quoting);
                    let read = call(&written).unwrap_or_else(|| panic!("{written}"));
                    let slashes = |path: &str| path.replace('\\', "/");
                    assert_eq!(slashes(&read.path.unwrap()), slashes(path), "{written}");
                    assert_eq!(read.rest, rest, "{written}");
                }
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_shell_starts_what_was_meant() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        for name in ["plain", "a b", "o'neill", "$(id)", "a\"b", "a;b", "*", "~"] {
            let place = folder.path().join(name);
            std::fs::create_dir(&place).unwrap();
            let program = place.join("command-blocker");
            std::fs::write(&program, "#!/bin/sh\necho ran \"$1\"\n").unwrap();
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
            let command = Call::write(program.to_str().unwrap(), " --x", Quoting::Posix);
            for shell in ["sh", "bash"] {
                let output = std::process::Command::new(shell).args(["-c", &command]).output().unwrap();
                assert_eq!(String::from_utf8_lossy(&output.stdout), "ran --x\n", "{shell}: {command}");
            }
        }
    }
}
