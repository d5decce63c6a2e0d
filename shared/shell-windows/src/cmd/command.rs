//! Commands of cmd: what changes the session, and programs.

use shell_engine::{Arg, How, Io, Loaded, MAX_DEPTH, NoteKind, Redirect, Scope, Span, mark};

use super::expand::expand;
use super::run::{At, Machine};
use super::words;
use crate::system::{below, slashes};

impl Machine<'_> {
    /// Runs a command whose variables are replaced.
    pub(super) fn command(&mut self, text: &str, redirects: Vec<Redirect>, at: At<'_>) -> String {
        let (name, rest) = words::name(text);
        let lower = name.to_ascii_lowercase();
        if name.is_empty() {
            if !redirects.is_empty() {
                let call = self.call(Vec::new(), redirects, at);
                self.runner.push_atom(self.scope, &call);
            }
            return String::new();
        }
        // cmd looks for its own commands first: a file `del.exe` in the folder is not what `del` runs.
        if !words::is_builtin(&lower) {
            return self.program((&name, rest), redirects, at);
        }
        if let Some(printed) = self.session(&lower, rest, at) {
            if !redirects.is_empty() {
                // `cd x > file` writes the file, so the command needs an atom for its redirection.
                let args = vec![Arg::from(lower), Arg::from(words::uncareted(rest.trim()))];
                let call = self.call(args, redirects, at);
                self.runner.push_atom(self.scope, &call);
            }
            return printed;
        }
        let mut args = vec![Arg::from(canonical(&lower))];
        for word in words::builtin(rest) {
            let switch = word.starts_with('/');
            // Rules compare switches in small letters: `/S` is `/s`.
            args.push(Arg::from(if switch { word.to_ascii_lowercase() } else { word }));
        }
        if lower == "copy" || lower == "move" || lower == "ren" || lower == "rename" {
            self.copied(&args);
        }
        let printed = match lower.as_str() {
            "type" => {
                let file = args.get(1).map_or("", |arg| arg.text.as_str());
                self.runner.read_file(self.scope, &slashes(file)).to_string()
            }
            "dir" => listed(self.scope, &args),
            _ => String::new(),
        };
        let call = self.call(args, redirects, at);
        self.runner.push_atom(self.scope, &call);
        printed
    }

    /// Commands that change or serve the session itself.
    fn session(&mut self, name: &str, rest: &str, at: At<'_>) -> Option<String> {
        match name {
            // Alone, it lists all variables.
            "set" if rest.trim().is_empty() => {
                let call = self.call(vec![Arg::from("set")], Vec::new(), at);
                self.runner.push_atom(self.scope, &call);
                Some(format!("{}\n", mark::PRINTED))
            }
            "set" => {
                self.set(rest);
                Some(String::new())
            }
            "cd" | "chdir" | "pushd" => {
                let words = words::builtin(rest);
                // `cd /d x`: the switch only says that the drive changes as well.
                if let Some(folder) = words.iter().find(|word| !word.starts_with('/')) {
                    self.scope.change_folder(&slashes(folder));
                }
                Some(format!("{}\n", self.scope.cwd))
            }
            "popd" => {
                self.scope.change_folder("-");
                Some(String::new())
            }
            "goto" => {
                self.jump(rest);
                Some(String::new())
            }
            "exit" if rest.trim_start().to_ascii_lowercase().starts_with("/b") => {
                self.jump("");
                Some(String::new())
            }
            "call" => {
                let rest = rest.trim_start();
                if rest.starts_with(':') {
                    if self.calls(rest) {
                        return Some(String::new());
                    }
                    // What follows the label comes later in the text, and gets these.
                    if self.scope.positional.as_ref().is_none_or(|known| known.is_empty()) {
                        self.scope.exact = false;
                        self.scope.positional =
                            Some(crate::system::arguments(rest).into_iter().skip(1).collect());
                    }
                    return Some(String::new());
                }
                // It replaces variables once more, and takes carets away.
                let text = expand(&words::uncareted(rest), self.scope, &self.letters);
                Some(self.again(&text, at))
            }
            "start" => {
                let text = started(rest);
                Some(self.again(&text, at))
            }
            "echo" => {
                // `echo.`, `echo:` and the like print what follows, however they are spelled.
                let text = rest.strip_prefix(['.', ':', '(', '/', '+', '[', ']', '\\']).unwrap_or(rest);
                let text = words::uncareted(text.strip_prefix(' ').unwrap_or(text));
                let args = vec![Arg::from("echo"), Arg::from(text.trim())];
                let call = self.call(args, Vec::new(), at);
                self.runner.push_atom(self.scope, &call);
                Some(format!("{text}\n"))
            }
            _ => None,
        }
    }

    /// Runs the command after `call` or `start`.
    fn again(&mut self, text: &str, at: At<'_>) -> String {
        if self.scope.depth >= MAX_DEPTH {
            self.runner.note(NoteKind::TooDeep, self.scope.origin.unwrap_or(at.span));
            return String::new();
        }
        self.scope.depth += 1;
        let printed = self.command(text, Vec::new(), at);
        self.scope.depth -= 1;
        printed
    }

    fn set(&mut self, rest: &str) {
        let rest = words::uncareted(rest);
        let mut rest = rest.trim_start();
        let lower = rest.to_ascii_lowercase();
        let computed = lower.starts_with("/a");
        let asked = lower.starts_with("/p");
        if computed || asked {
            rest = rest[2..].trim_start();
        }
        let inner = match rest.strip_prefix('"') {
            Some(inner) => inner.rfind('"').map_or(inner, |end| &inner[..end]),
            None => rest,
        };
        if let Some((name, value)) = inner.split_once('=') {
            // `set /a x+=1`
            let name = name.trim_end_matches(['+', '-', '*']).trim().to_uppercase();
            let token = mark::TOKEN.to_string();
            let unknown = mark::UNKNOWN.to_string();
            let value = if computed {
                &token
            } else if asked {
                &unknown
            } else {
                value
            };
            self.scope.set_text(&name, value);
            // Every variable of cmd is one of its environment, and so that of the programs that it starts.
            self.scope.export(&name);
        }
    }

    fn program(&mut self, (name, rest): (&str, &str), redirects: Vec<Redirect>, at: At<'_>) -> String {
        // `D:` goes to the folder that cmd remembers for the drive, which is taken to be its root.
        if let [drive, b':'] = name.as_bytes()
            && drive.is_ascii_alphabetic()
        {
            self.scope.change_folder(&slashes(name));
            return String::new();
        }
        let path = if name.contains('\\') { slashes(name) } else { name.to_owned() };
        let program = if path.contains('/') {
            path
        } else {
            shell_engine::program_name(&path.to_ascii_lowercase()).into_owned()
        };
        let rest = words::uncareted(rest);
        let mut args = vec![Arg::from(program.as_str())];
        if program == "cmd" {
            // Its quotes are its own.
            args.extend(nested(&rest).into_iter().map(Arg::from));
        } else {
            args.extend(crate::system::arguments(&rest).into_iter().map(Arg::from));
        }
        // A program without an atom has not run, for want of steps; then its file does not run either.
        let before = self.runner.analysis.atoms.len();
        let mut call = self.call(args, redirects, at);
        call.io.capture = true;
        let printed = self.runner.call(self.scope, call);
        if self.runner.analysis.atoms.len() > before {
            // What it gets are the arguments of its own.
            let own = crate::system::arguments(&rest);
            let outer = (self.scope.positional.replace(own.into()), self.scope.exact);
            self.scope.exact = true;
            self.own_file(name, u32::try_from(before).unwrap_or(u32::MAX), at.span);
            (self.scope.positional, self.scope.exact) = outer;
        }
        if at.io.capture { printed } else { String::new() }
    }

    /// Runs a file that this text has written before.
    fn own_file(&mut self, name: &str, index: u32, span: Span) {
        let path = slashes(name);
        let lower = name.to_ascii_lowercase();
        // The order does not matter here: what counts is whether this text has written one of them.
        let endings = ["", ".exe", ".bat", ".cmd", ".com"];
        let found = endings.iter().find_map(|ending| {
            let path = format!("{path}{ending}");
            // A program of the PATH is not looked for on the disk.
            let batch = [".bat", ".cmd"].iter().any(|ending| lower.ends_with(ending));
            let named =
                batch || name.contains(['/', '\\']) || self.runner.file_at(self.scope, &path).is_some();
            let loaded = if named { self.runner.load(self.scope, &path) } else { None };
            loaded.map(|loaded| (path, loaded))
        });
        let Some((path, Loaded { text: script, file })) = found else { return };
        // Downloaded or decoded content is reported even where the extension does not say how it would run.
        if script.contains(mark::REMOTE) {
            self.runner.note(NoteKind::RunsRemote, self.scope.origin.unwrap_or(span));
        } else if script.contains(mark::DECODED) {
            self.runner.note(NoteKind::RunsDecoded, self.scope.origin.unwrap_or(span));
        } else if path.to_ascii_lowercase().ends_with(".bat") || path.to_ascii_lowercase().ends_with(".cmd") {
            let Some(opened) = self.runner.open_file(self.scope, (file, "")) else { return };
            self.text(&script, Some((index, How::File)), &Io::default());
            self.runner.close_file(self.scope, &opened);
        }
    }

    /// What a copy holds.
    pub(super) fn copied(&mut self, args: &[Arg]) {
        let paths: Vec<&str> =
            args[1..].iter().map(|arg| arg.text.as_str()).filter(|text| !text.starts_with('/')).collect();
        let [from, to] = paths.as_slice() else { return };
        let (from, to) = (slashes(from), slashes(to));
        if let Some(text) = self.runner.file_at(self.scope, &from) {
            let path = self.scope.absolute(&to);
            self.runner.write_file(path, &text, false);
        } else {
            self.runner.copied(self.scope, &from, &to);
        }
    }
}

/// The command of `start ["title"] [/switch] … command`.
fn started(rest: &str) -> String {
    let mut rest = rest.trim_start();
    if rest.starts_with('"') {
        // The first quoted text is the window's title, if something follows it.
        if let Some(end) = rest[1..].find('"')
            && !rest[end + 2..].trim().is_empty()
        {
            rest = rest[end + 2..].trim_start();
        }
    }
    while let Some(switch) = rest.strip_prefix('/') {
        let end = switch.find(char::is_whitespace).unwrap_or(switch.len());
        let word = switch[..end].to_ascii_lowercase();
        rest = switch[end..].trim_start();
        // These switches of `start` take a value.
        if matches!(word.as_str(), "d" | "node" | "affinity" | "machine") {
            let mut quoted = false;
            let end = rest.find(|c: char| {
                quoted ^= c == '"';
                c.is_whitespace() && !quoted
            });
            rest = rest[end.unwrap_or(rest.len())..].trim_start();
        }
    }
    rest.to_owned()
}

/// The arguments of a `cmd` inside: switches, and the line as one argument.
fn nested(rest: &str) -> Vec<String> {
    let lower = rest.to_ascii_lowercase();
    // Everything after the switch is the line, with its quotes.
    let at = ["/c", "/k", "/r"].iter().filter_map(|switch| lower.find(switch)).min();
    match at {
        Some(at) => {
            let mut words: Vec<String> = rest[..at].split_whitespace().map(str::to_owned).collect();
            words.push(rest[at..at + 2].to_owned());
            words.push(unquoted(rest[at + 2..].trim()).to_owned());
            words
        }
        None => crate::system::arguments(rest),
    }
}

/// A command line without the quotes around all of it.
pub fn unquoted(line: &str) -> &str {
    match line.strip_prefix('"').and_then(|line| line.strip_suffix('"')) {
        // `"a b" "c"` begins and ends with quotes of its own.
        Some(inner) if inner.matches('"').count() % 2 == 0 && !inner.contains("\" \"") => inner,
        _ => line,
    }
}

/// Whether `text` holds an operator outside of quotes.
pub(super) fn has_operator(text: &str) -> bool {
    let mut quoted = false;
    let mut escaped = false;
    text.chars().any(|c| {
        if escaped {
            escaped = false;
            return false;
        }
        match c {
            '"' => quoted = !quoted,
            '^' if !quoted => escaped = true,
            '&' | '|' | '>' | '<' | '\n' if !quoted => return true,
            _ => {}
        }
        false
    })
}

pub(super) fn assigns(text: &str) -> bool {
    words::name(text).0.eq_ignore_ascii_case("set")
}

fn canonical(name: &str) -> &str {
    match name {
        "erase" => "del",
        "rmdir" => "rd",
        "rename" => "ren",
        "mkdir" => "md",
        "chdir" => "cd",
        name => name,
    }
}

/// What `dir /b` prints.
fn listed(scope: &Scope, args: &[Arg]) -> String {
    let deep = args.iter().any(|arg| arg.text == "/s");
    let paths: Vec<&str> =
        args[1..].iter().map(|arg| arg.text.as_str()).filter(|text| !text.starts_with('/')).collect();
    let paths = if paths.is_empty() { vec!["."] } else { paths };
    let mut printed = String::new();
    for path in paths.into_iter().take(8) {
        let path = slashes(path);
        let (folder, pattern) = match path.rsplit_once('/') {
            Some((folder, name)) if name.contains(['*', '?']) => (folder, name),
            None if path.contains(['*', '?']) => (".", path.as_str()),
            _ => (path.as_str(), "*"),
        };
        // `for /f %i in ('dir /b') do …` goes through what is printed here, as entries that may be any.
        let folder = scope.absolute(folder);
        let entry = match pattern {
            "*" | "*.*" => mark::ENTRY.to_string(),
            pattern if deep => format!("{}/{}", mark::ENTRY, shell_engine::text::pattern::active(pattern)),
            pattern => shell_engine::text::pattern::active(pattern),
        };
        printed.push_str(&below(&folder, &entry));
        printed.push('\n');
    }
    printed
}
