//! The files that a command reads, writes and takes away, as far as its arguments tell.
//!
//! Reading is recognised generously: whatever names a protected file most likely reads it (`docker run --env-file .env`,
//! `node --env-file=.env`, `curl -d @.env`), unless the program is known to look at names only.

use std::cell::OnceCell;

use payload::Access;
use rules::Command;
use shell::Flow;

/// A file that a call touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Touched {
    /// Absolute as far as the text tells, with marks.
    pub(crate) path: String,
    /// The same with links followed, where that is another one; looked up when a rule asks.
    pub(crate) real: OnceCell<Option<String>>,
    /// What happens to it.
    pub(crate) access: Access,
    /// Whether everything in it is touched as well.
    pub(crate) whole: bool,
    /// The folder below which files of this name are searched.
    pub(crate) below: Option<String>,
}

impl Touched {
    /// The same with everything in it, if so much is touched.
    pub(crate) fn or_whole(self, whole: bool) -> Self {
        Self { whole: whole || self.whole, ..self }
    }
}

/// The files of a command, as strings.
pub(crate) fn of_atom(command: &Command<'_>, add: &mut impl FnMut(&str, Access, bool)) {
    for redirect in &command.atom.redirects {
        match redirect.flow {
            Flow::Read => add(&redirect.target, Access::Read, false),
            Flow::Write | Flow::Append => add(&redirect.target, Access::Write, false),
            Flow::ReadWrite => {
                add(&redirect.target, Access::Read, false);
                add(&redirect.target, Access::Write, false);
            }
        }
    }
    // `make --dry-run` still runs the lines that begin with `+`.
    let rehearses = command.has(&["--dry-run"]) && !command.is(&["make", "patch"]);
    if command.atom.args.is_empty() || command.only_asks() || rehearses {
        return;
    }
    arguments(command, add);
}

fn arguments(command: &Command<'_>, add: &mut impl FnMut(&str, Access, bool)) {
    let name = &*command.name;
    let mut each = |skip: usize, access: Access, whole: bool| {
        // Who changes the permissions of everything means no file in particular.
        let all = |arg: &&&shell::Arg| {
            skip > 0 && arg.text.contains(shell::mark::ENTRY) && command.name.starts_with("ch")
        };
        for arg in command.operands().iter().skip(skip).filter(|arg| !all(arg)) {
            add(&arg.text, access, whole);
        }
    };
    match name {
        "rm" | "grm" | "rmdir" | "unlink" | "shred" | "srm" | "trash" | "rimraf" | "del" | "erase" => {
            each(0, Access::Delete, true);
        }
        "mv" | "gmv" => {
            moved(command, add);
        }
        "cp" | "gcp" | "install" | "ginstall" | "ln" | "gln" | "rsync" | "scp" | "ditto" => {
            copied(command, add);
        }
        "tee" | "gtee" | "sponge" | "touch" | "truncate" | "mkdir" | "mkfifo" | "mknod" => {
            each(0, Access::Write, false);
        }
        "chmod" | "chown" | "chgrp" | "chattr" | "setfacl" => {
            // The first operand is the mode or the owner, unless another file gives it.
            let skip = usize::from(!command.args().iter().any(|arg| arg.text.starts_with("--reference")));
            each(skip, Access::Write, false);
        }
        // `rename s/a/b/ FILE`, `rename a b FILE`: all of them are away then.
        "rename" | "prename" | "file-rename" => each(1, Access::Delete, true),
        "dd" | "gdd" => {
            for arg in command.args() {
                if let Some(path) = arg.text.strip_prefix("of=") {
                    add(path, Access::Write, false);
                } else if let Some(path) = arg.text.strip_prefix("if=") {
                    add(path, Access::Read, false);
                }
            }
        }
        "sed" | "gsed" | "perl" | "ruby" if command.has(&["-i", "--in-place"]) => {
            // Without these, the first operand is the script and not a file.
            let scripted = command.has(&["-e", "-f", "--expression", "--file"]);
            each(usize::from(!scripted), Access::Write, false);
        }
        // An editor may do both, and what it does is typed later.
        "ed" | "ex" | "vi" | "vim" | "nvim" | "nano" | "emacs" | "patch" => {
            each(0, Access::Write, false);
            each(0, Access::Read, false);
        }
        "tar" | "unzip" | "7z" | "bsdtar" => archived(command, add),
        "git" => git(command, add),
        "curl" | "wget" | "sort" | "gsort" | "openssl" | "gcc" | "cc" | "pandoc" | "zip" => {
            for option in [
                &["-o", "--output"][..],
                &["-O", "--output-document"],
                &["-out"],
                &["-D", "--dump-header"],
                &["-c", "--cookie-jar"],
                &["-P", "--directory-prefix"],
            ] {
                let applies = match option[0] {
                    // The same letters mean other things to the others.
                    "-O" | "-P" => name == "wget",
                    "-D" | "-c" => name == "curl",
                    "-out" => name == "openssl",
                    _ => true,
                };
                if let Some(path) = command.value(option).filter(|_| applies) {
                    add(path, Access::Write, false);
                }
            }
            read(command, add);
        }
        // Their own actions, such as `-delete`, are commands of their own in the analysis.
        "find" | "fd" => {}
        _ if looks_at_names(name) => {}
        _ => read(command, add),
    }
}

/// Programs that never read what the files hold that their arguments name, or whose arguments are not files.
fn looks_at_names(program: &str) -> bool {
    matches!(
        program,
        "echo"
            | "printf"
            | "ls"
            | "exa"
            | "eza"
            | "stat"
            | "test"
            | "["
            | "[["
            | "file"
            | "du"
            | "df"
            | "basename"
            | "dirname"
            | "realpath"
            | "readlink"
            | "pwd"
            | "cd"
            | "pushd"
            | "popd"
            | "which"
            | "type"
            | "whereis"
            | "tree"
            | "true"
            | "false"
            | ":"
            | "export"
            | "declare"
            | "local"
            | "unset"
            | "set"
            | "exit"
            | "return"
            | "kill"
            | "sleep"
            | "seq"
            | "date"
            | "getent"
            | "id"
            | "gh"
            | "glab"
            | "sudo"
            | "xargs"
            | "time"
            | "timeout"
            | "alias"
            | "readonly"
            | "trap"
            | "umask"
            | "ulimit"
            | "expr"
            | "let"
    )
}

/// Programs with an option whose value is code or a message.
fn takes_code(program: &str) -> bool {
    let name = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    matches!(
        name,
        "bash"
            | "sh"
            | "zsh"
            | "dash"
            | "ksh"
            | "fish"
            | "ash"
            | "su"
            | "runuser"
            | "script"
            | "python"
            | "pypy"
            | "ipython"
            | "perl"
            | "ruby"
            | "node"
            | "nodejs"
            | "deno"
            | "bun"
            | "php"
            | "lua"
            | "osascript"
            | "psql"
            | "mysql"
            | "mariadb"
            | "sqlite"
            | "R"
            | "Rscript"
            | "julia"
            | "pwsh"
            | "powershell"
            | "cmd"
            | "git"
            | "hg"
    )
}

/// Whatever stands in an argument and may be a file: operands, values of options, `@file`, `key=file`.
fn read(command: &Command<'_>, add: &mut impl FnMut(&str, Access, bool)) {
    // `grep PATTERN FILE`, `sed SCRIPT FILE`, `jq FILTER FILE`: the first operand is not a file.
    let texts = matches!(
        &*command.name,
        "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "sed" | "awk" | "gawk" | "jq" | "yq"
    ) && !command.has(&["-e", "-f", "--regexp", "--file", "--expression", "--from-file"]);
    let mut skipped = !texts;
    // `bash -c TEXT`, `python -c TEXT`: the text is looked at as a command of its own.
    let coded = takes_code(&command.name);
    let mut code = false;
    for arg in command.args() {
        let text = arg.text.as_str();
        if std::mem::take(&mut code) {
            continue;
        }
        if let Some(option) = text.strip_prefix('-') {
            code = coded && matches!(text, "-c" | "-e" | "-lc" | "--eval" | "--command" | "-m" | "--message");
            if let Some((_, value)) = option.split_once('=') {
                add(value, Access::Read, false);
            } else if option.len() > 1 && !option.starts_with('-') {
                // `-f.env`
                let rest = option.char_indices().nth(1).map_or("", |(at, _)| &option[at..]);
                // Otherwise it is a bundle of letters, such as `-rf`.
                if rest.contains(['.', '/']) {
                    add(rest, Access::Read, false);
                }
            }
            continue;
        }
        if !skipped {
            skipped = true;
            continue;
        }
        if let Some((_, file)) =
            text.split_once("=@").or_else(|| text.split_once('@').filter(|(before, _)| before.is_empty()))
        {
            add(file, Access::Read, false);
        }
        if let Some(file) = text.strip_prefix("file://") {
            add(file.strip_prefix("localhost").unwrap_or(file), Access::Read, false);
        }
        // Addresses, code and long data are not names of files.
        if text.contains("://") || text.contains('\n') || text.len() > 4096 {
            continue;
        }
        add(text, Access::Read, false);
        if let Some((_, value)) = text.split_once('=') {
            add(value, Access::Read, false);
        }
        // `docker run -v /etc/shadow:/x`
        if let Some((file, _)) = text.split_once(':').filter(|(file, _)| file.starts_with(['/', '~', '.'])) {
            add(file, Access::Read, false);
        }
    }
}

fn moved(command: &Command<'_>, add: &mut impl FnMut(&str, Access, bool)) {
    let Some((to, from)) = target(command) else { return };
    for from in from {
        add(from, Access::Delete, true);
        add(from, Access::Read, false);
        inside(to, from, add);
    }
    add(to, Access::Write, false);
}

fn copied(command: &Command<'_>, add: &mut impl FnMut(&str, Access, bool)) {
    if command.is(&["install", "ginstall"]) && command.has(&["-d", "--directory"]) {
        for arg in command.operands() {
            add(&arg.text, Access::Write, false);
        }
        return;
    }
    let Some((to, from)) = target(command) else { return };
    let links = command.is(&["ln", "gln"]);
    if command.is(&["scp"]) {
        // A key and a configuration, which are values of options and so no operands.
        for key in [&["-i"], &["-F"]].into_iter().filter_map(|option| command.value(option)) {
            add(key, Access::Read, false);
        }
    }
    for from in from {
        add(
            from,
            Access::Read,
            command.has(&["-r", "-R", "-a", "--recursive", "--archive"]) || command.is(&["ditto"]),
        );
        if links {
            // Who links a file may write it under another name.
            add(from, Access::Write, false);
        }
        inside(to, from, add);
    }
    // `--del`, `--delete` and its forms take away what the source does not have.
    let mirrors = command.is(&["rsync"]) && command.args().iter().any(|arg| arg.text.starts_with("--del"));
    add(to, if mirrors { Access::Delete } else { Access::Write }, mirrors);
}

/// `cp FILE FOLDER` writes `FOLDER/FILE`.
fn inside(to: &str, from: &str, add: &mut impl FnMut(&str, Access, bool)) {
    let name = shell::path::file_name(from.trim_end_matches('/'));
    if !name.is_empty() && name != "." && name != ".." {
        add(&format!("{}/{name}", to.trim_end_matches('/')), Access::Write, false);
    }
}

/// Where a copying program puts what, and what it copies.
fn target<'c>(command: &Command<'c>) -> Option<(&'c str, Vec<&'c str>)> {
    let mut operands: Vec<&str> = command.operands().iter().copied().map(|arg| arg.text.as_str()).collect();
    if let Some(folder) =
        command.value(&["-t", "--target-directory"]).filter(|_| !command.is(&["rsync", "scp"]))
    {
        return Some((folder, operands));
    }
    let to = operands.pop()?;
    // `ln FILE` makes a link here.
    if operands.is_empty() { Some((".", vec![to])) } else { Some((to, operands)) }
}

fn archived(command: &Command<'_>, add: &mut impl FnMut(&str, Access, bool)) {
    let args = command.args();
    let old = args.first().map_or("", |arg| arg.text.trim_start_matches('-'));
    let letters = |letter: char| {
        // Only tar has letters without a dash; a longer word is more likely a name.
        command.name == "tar" && !old.starts_with('-') && old.len() < 8 && old.contains(letter)
    };
    let lists = command.is(&["unzip"]) && command.has(&["-l", "-v", "-t", "-Z", "-p"]);
    let extracts =
        command.is(&["unzip"]) && !lists || letters('x') || command.has(&["-x", "--extract", "--get"]);
    if extracts {
        let folder = command.value(&["-C", "--directory", "-d"]).unwrap_or(".");
        add(folder, Access::Write, false);
    }
    let mut operands = command.operands().iter().copied();
    if letters('f') && !args.first().is_some_and(|arg| arg.text.starts_with('-')) {
        operands.next();
        if letters('c')
            && let Some(file) = operands.next()
        {
            add(&file.text, Access::Write, false);
        }
    }
    if let Some(file) =
        command.value(&["-f", "--file"]).filter(|_| command.has(&["-c", "--create"]) || letters('c'))
    {
        add(file, Access::Write, false);
    }
    if !extracts {
        for arg in operands {
            add(&arg.text, Access::Read, true);
        }
    }
}

fn git(command: &Command<'_>, add: &mut impl FnMut(&str, Access, bool)) {
    let operands = command.operands();
    let Some((sub, rest)) = operands.split_first() else { return };
    let access = match sub.text.as_str() {
        "rm" => Access::Delete,
        "mv" => {
            if let Some((to, from)) = rest.split_last() {
                for arg in from {
                    add(&arg.text, Access::Delete, true);
                }
                add(&to.text, Access::Write, false);
            }
            return;
        }
        "checkout" | "restore" | "clean" | "apply" => Access::Write,
        "add" | "diff" | "show" | "blame" | "grep" | "annotate" | "archive" | "cat-file" => Access::Read,
        _ => return,
    };
    for arg in rest {
        add(&arg.text, access, access == Access::Delete);
        // `git show HEAD:.env`
        if let Some((_, file)) = arg.text.split_once(':').filter(|(_, file)| !file.is_empty()) {
            add(file, access, false);
        }
    }
}
