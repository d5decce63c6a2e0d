//! Running a text of cmd on paper.

use std::rc::Rc;

use super::expand::{Letters, expand};
use super::parse::{self, For, Node, Problem, Redirection, Simple};
use super::words;
use crate::atom::{Arg, Flow, How, NoteKind, Redirect, Shell, Stage as StageId, Via};
use crate::mark;
use crate::run::{Call, Io, MAX_DEPTH, Runner, Scope};
use crate::span::Span;
use crate::windows::{below, slashes};

/// Values of a loop's variable that are tried.
const MAX_TURNS: usize = 24;
/// Values of one command's variables that are tried.
const MAX_CHOICES: usize = 8;

/// Runs a text as cmd does, and returns what it prints.
pub(crate) fn run_text(
    runner: &mut Runner,
    scope: &mut Scope,
    text: &str,
    how: Option<(u32, How)>,
    io: &Io,
) -> String {
    let mut machine = Machine { runner, scope, letters: Vec::new(), stage: StageId::default() };
    machine.text(text, how, io)
}

struct Machine<'r> {
    runner: &'r mut Runner,
    scope: &'r mut Scope,
    letters: Letters,
    stage: StageId,
}

impl Machine<'_> {
    fn text(&mut self, text: &str, how: Option<(u32, How)>, io: &Io) -> String {
        if self.scope.depth >= MAX_DEPTH {
            self.runner.note(NoteKind::TooDeep, self.scope.origin.unwrap_or_default());
            return String::new();
        }
        if !self.runner.spend(text.len()) {
            return String::new();
        }
        let outer = (self.scope.via, self.scope.origin, self.scope.shell);
        if let Some((parent, how)) = how {
            self.scope.via = Some(Via { parent, how });
            self.scope.origin = Some(self.scope.origin.unwrap_or_else(|| self.runner.span_of(parent)));
        }
        self.scope.shell = Shell::Cmd;
        self.runner.note_foreign_text(self.scope, text);
        let (nodes, problem) = parse::parse(text);
        if let Some(problem) = problem {
            let kind = match problem {
                Problem::Syntax => NoteKind::Syntax,
                Problem::TooDeep => NoteKind::TooDeep,
            };
            self.runner.note(kind, self.scope.origin.unwrap_or_default());
        }
        self.scope.depth += 1;
        let printed = self.nodes(&nodes, io);
        self.scope.depth -= 1;
        (self.scope.via, self.scope.origin, self.scope.shell) = outer;
        printed
    }

    fn nodes(&mut self, nodes: &[Node], io: &Io) -> String {
        let mut printed = String::new();
        for node in nodes {
            if self.runner.stopped() {
                break;
            }
            let number = self.runner.next_pipeline();
            self.stage = StageId { pipeline: number, index: 0 };
            let output = self.node(node, io);
            self.runner.append(&mut printed, output);
        }
        printed
    }

    fn node(&mut self, node: &Node, io: &Io) -> String {
        match node {
            Node::List(nodes) => self.nodes(nodes, io),
            Node::Pipe(stages) => self.pipe(stages, io),
            Node::Simple(simple) => self.simple(simple, io),
            Node::Group(nodes, redirects) => {
                let redirects = self.redirects(redirects, &mut io.clone());
                let inner = Io { stdin: io.stdin.clone(), capture: io.capture || !redirects.is_empty() };
                let printed = self.nodes(nodes, &inner);
                if redirects.is_empty() {
                    return printed;
                }
                self.keep(&redirects, &printed);
                let call = self.call(Vec::new(), redirects, &Io::default(), Span::default());
                self.runner.push_atom(self.scope, &call);
                String::new()
            }
            Node::If { then, otherwise } => {
                let outer = std::mem::replace(&mut self.scope.uncertain, true);
                let mut printed = self.node(then, io);
                if let Some(otherwise) = otherwise {
                    let output = self.node(otherwise, io);
                    self.runner.append(&mut printed, output);
                }
                self.scope.uncertain = outer;
                printed
            }
            Node::For(each) => self.for_each(each, io),
        }
    }

    fn pipe(&mut self, stages: &[Node], io: &Io) -> String {
        let number = self.runner.next_pipeline();
        let mut stdin = io.stdin.clone();
        let mut printed = String::new();
        for (index, node) in stages.iter().enumerate() {
            self.stage = StageId { pipeline: number, index: u32::try_from(index).unwrap_or(u32::MAX) };
            let last = index + 1 == stages.len();
            let inner = Io { stdin: stdin.take(), capture: io.capture || !last };
            // Each side is a cmd of its own.
            printed = self.node(node, &inner);
            stdin = Some(Rc::from(printed.as_str()));
        }
        printed
    }

    /// `for`: its body runs for each value.
    fn for_each(&mut self, each: &For, io: &Io) -> String {
        let set = expand(&each.set, self.scope, &self.letters);
        let options = expand(&each.options, self.scope, &self.letters);
        let values = self.values(each.kind, &set, &options, io);
        let mut printed = String::new();
        for value in values.into_iter().take(MAX_TURNS) {
            let count = self.letters.len();
            if each.kind == 'f' {
                self.fields(each.variable, &value, &options);
            } else {
                self.letters.push((each.variable, value));
            }
            let output = self.node(&each.body, io);
            self.letters.truncate(count);
            self.runner.append(&mut printed, output);
            if self.runner.stopped() {
                break;
            }
        }
        printed
    }

    /// What a `for` goes through.
    fn values(&mut self, kind: char, set: &str, options: &str, io: &Io) -> Vec<String> {
        match kind {
            'l' => vec![mark::TOKEN.to_string()],
            'f' => {
                let trimmed = set.trim();
                let back = options.to_ascii_lowercase().contains("usebackq");
                let inside = |quote: char| {
                    trimmed
                        .strip_prefix(quote)
                        .and_then(|rest| rest.strip_suffix(quote))
                        .filter(|_| trimmed.len() > 1)
                };
                let command = if back { inside('`') } else { inside('\'') };
                if let Some(command) = command {
                    let command = command.to_owned();
                    let stage = self.stage;
                    let origin = self.scope.origin;
                    // Places in this text are none of the whole one.
                    self.scope.origin = Some(origin.unwrap_or_default());
                    let capture = Io { stdin: io.stdin.clone(), capture: true };
                    let printed = self.text(&command, None, &capture);
                    self.scope.origin = origin;
                    self.stage = stage;
                    let lines: Vec<String> =
                        printed.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
                    return if lines.is_empty() { vec![mark::UNKNOWN.to_string()] } else { lines };
                }
                let text = if back { inside('\'') } else { inside('"') };
                if let Some(text) = text {
                    return vec![text.to_owned()];
                }
                let file = words::builtin(trimmed).into_iter().next().unwrap_or_default();
                match self.runner.file_at(self.scope, &slashes(&file)) {
                    Some(text) => text.lines().map(str::to_owned).collect(),
                    None => vec![mark::UNKNOWN.to_string()],
                }
            }
            'r' => {
                let root = if options.is_empty() { ".".to_owned() } else { slashes(options) };
                let patterns = words::builtin(set);
                let found = patterns.iter().map(|pattern| match pattern.as_str() {
                    "*" | "*.*" | "." => below(&root, &mark::ENTRY.to_string()),
                    pattern => {
                        below(&root, &format!("{}/{}", mark::ENTRY, crate::peel::each::activated(pattern)))
                    }
                });
                found.collect()
            }
            _ => words::builtin(set),
        }
    }

    /// The variables that `for /f` makes of a line.
    fn fields(&mut self, variable: char, line: &str, options: &str) {
        let lower = options.to_ascii_lowercase();
        let tokens = lower.split_whitespace().find_map(|word| word.strip_prefix("tokens=")).unwrap_or("1");
        let delimiters: Vec<char> = match lower.find("delims=") {
            Some(at) => options[at + 7..]
                .split('"')
                .next()
                .unwrap_or("")
                .chars()
                .take_while(|c| !c.is_whitespace())
                .collect(),
            None => vec![' ', '\t'],
        };
        let cut = |c: char| delimiters.contains(&c);
        let fields: Vec<&str> = line.split(cut).filter(|field| !field.is_empty()).collect();
        let mut letter = variable;
        let mut next = |value: &str, letters: &mut Letters| {
            letters.push((letter, value.to_owned()));
            letter = char::from_u32(u32::from(letter) + 1).unwrap_or(letter);
        };
        for token in tokens.split(',').take(9) {
            let whole = token.ends_with('*');
            let number = token.trim_end_matches('*');
            if let Some((from, to)) = number.split_once('-') {
                let range = from.parse().unwrap_or(1)..=to.parse::<usize>().unwrap_or(1).min(31);
                for at in range {
                    next(fields.get(at.saturating_sub(1)).copied().unwrap_or(""), &mut self.letters);
                }
            } else if let Ok(at) = number.parse::<usize>() {
                let found = fields.get(at.saturating_sub(1)).copied();
                let unknown = if mark::any(line) { line } else { "" };
                next(found.unwrap_or(unknown), &mut self.letters);
            }
            if whole {
                next(line, &mut self.letters);
            }
        }
    }

    /// Runs a command once for each value that its variables may have.
    fn simple(&mut self, simple: &Simple, io: &Io) -> String {
        let outer = (self.scope.choice, self.scope.choices);
        let mut printed = String::new();
        let mut choice = 0;
        loop {
            self.scope.choice = choice;
            self.scope.choices = 0;
            let output = self.simple_once(simple, io);
            if choice == 0 {
                printed = output;
            }
            choice += 1;
            if choice >= self.scope.choices.min(MAX_CHOICES) || self.runner.stopped() {
                break;
            }
        }
        (self.scope.choice, self.scope.choices) = outer;
        printed
    }

    fn simple_once(&mut self, simple: &Simple, io: &Io) -> String {
        if !self.runner.step() {
            return String::new();
        }
        let text = expand(&simple.text, self.scope, &self.letters);
        if !self.runner.spend(text.len()) {
            return String::new();
        }
        if text != simple.text && has_operator(&text) && !assigns(&text) {
            let outer = self.scope.origin;
            self.scope.origin = Some(outer.unwrap_or(simple.span));
            let stage = self.stage;
            let printed = self.text(&text, None, io);
            self.stage = stage;
            self.scope.origin = outer;
            return printed;
        }
        let mut io = io.clone();
        let redirects = self.redirects(&simple.redirects, &mut io);
        let writes = redirects.iter().any(|redirect| redirect.fd == 1 && redirect.flow != Flow::Read);
        io.capture |= writes;
        let printed = self.command(&text, redirects.clone(), &io, simple.span);
        if writes {
            self.keep(&redirects, &printed);
            return String::new();
        }
        printed
    }

    fn redirects(&mut self, redirects: &[Redirection], io: &mut Io) -> Vec<Redirect> {
        let mut found = Vec::new();
        for redirect in redirects {
            let target = expand(&redirect.target, self.scope, &self.letters);
            let target = target.trim_matches('"').to_owned();
            if redirect.flow == Flow::Read && redirect.fd == 0 {
                io.stdin = Some(self.runner.read_file(self.scope, &slashes(&target)));
            }
            found.push(Redirect { fd: redirect.fd, flow: redirect.flow, target });
        }
        found
    }

    fn keep(&mut self, redirects: &[Redirect], printed: &str) {
        for redirect in redirects.iter().filter(|redirect| redirect.fd == 1 && redirect.flow != Flow::Read) {
            if self.runner.spend(printed.len()) {
                let path = self.scope.absolute(&slashes(&redirect.target));
                self.runner.write_file(path, printed, redirect.flow == Flow::Append);
            }
        }
    }

    fn call(&self, args: Vec<Arg>, redirects: Vec<Redirect>, io: &Io, span: Span) -> Call {
        Call {
            args: Rc::new(args),
            assigns: self.scope.environment(),
            redirects,
            io: io.clone(),
            stage: self.stage,
            span: self.scope.origin.unwrap_or(span),
            external: true,
        }
    }

    /// Runs a command whose variables are replaced.
    fn command(&mut self, text: &str, redirects: Vec<Redirect>, io: &Io, span: Span) -> String {
        let (name, rest) = words::name(text);
        let lower = name.to_ascii_lowercase();
        if name.is_empty() {
            if !redirects.is_empty() {
                let call = self.call(Vec::new(), redirects, io, span);
                self.runner.push_atom(self.scope, &call);
            }
            return String::new();
        }
        if !words::is_builtin(&lower) {
            return self.program(&name, rest, redirects, io, span);
        }
        if let Some(printed) = self.session(&lower, rest, io, span) {
            if !redirects.is_empty() {
                let args = vec![Arg::from(lower), Arg::from(words::uncareted(rest.trim()))];
                let call = self.call(args, redirects, io, span);
                self.runner.push_atom(self.scope, &call);
            }
            return printed;
        }
        let mut args = vec![Arg::from(canonical(&lower))];
        for word in words::builtin(rest) {
            let switch = word.starts_with('/');
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
        let call = self.call(args, redirects, io, span);
        self.runner.push_atom(self.scope, &call);
        printed
    }

    /// Commands that change or serve the session itself.
    fn session(&mut self, name: &str, rest: &str, io: &Io, span: Span) -> Option<String> {
        match name {
            "set" => {
                self.set(rest);
                Some(String::new())
            }
            "cd" | "chdir" | "pushd" => {
                let words = words::builtin(rest);
                if let Some(folder) = words.iter().find(|word| !word.starts_with('/')) {
                    self.scope.change_folder(&slashes(folder));
                }
                Some(format!("{}\n", self.scope.cwd))
            }
            "popd" => {
                self.scope.change_folder("-");
                Some(String::new())
            }
            "call" => {
                let rest = rest.trim_start();
                if rest.starts_with(':') {
                    // What stands behind the label comes later in the text, and gets these.
                    if self.scope.positional.as_ref().is_none_or(|known| known.is_empty()) {
                        self.scope.positional = Some(words::arguments(rest).into_iter().skip(1).collect());
                    }
                    return Some(String::new());
                }
                // It replaces variables once more, and takes carets away.
                let text = expand(&words::uncareted(rest), self.scope, &self.letters);
                Some(self.again(&text, io, span))
            }
            "start" => {
                let text = started(rest);
                Some(self.again(&text, io, span))
            }
            "echo" => {
                let text = rest.strip_prefix(['.', ':', '(', '/', '+', '[', ']', '\\']).unwrap_or(rest);
                let text = words::uncareted(text.strip_prefix(' ').unwrap_or(text));
                let args = vec![Arg::from("echo"), Arg::from(text.trim())];
                let call = self.call(args, Vec::new(), io, span);
                self.runner.push_atom(self.scope, &call);
                Some(format!("{text}\n"))
            }
            _ => None,
        }
    }

    /// Runs the command behind `call` or `start`.
    fn again(&mut self, text: &str, io: &Io, span: Span) -> String {
        if self.scope.depth >= MAX_DEPTH {
            self.runner.note(NoteKind::TooDeep, self.scope.origin.unwrap_or(span));
            return String::new();
        }
        self.scope.depth += 1;
        let printed = self.command(text, Vec::new(), io, span);
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
            self.scope.export(&name);
        }
    }

    fn program(&mut self, name: &str, rest: &str, redirects: Vec<Redirect>, io: &Io, span: Span) -> String {
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
            crate::atom::program_name(&path.to_ascii_lowercase()).into_owned()
        };
        let rest = words::uncareted(rest);
        let mut args = vec![Arg::from(program.as_str())];
        if program == "cmd" {
            // Its quotes are its own.
            args.extend(nested(&rest).into_iter().map(Arg::from));
        } else {
            args.extend(words::arguments(&rest).into_iter().map(Arg::from));
        }
        let before = self.runner.analysis.atoms.len();
        let mut io = io.clone();
        let capture = io.capture;
        io.capture = true;
        let call = self.call(args, redirects, &io, span);
        let printed = self.runner.call(self.scope, call);
        if self.runner.analysis.atoms.len() > before {
            self.own_file(name, u32::try_from(before).unwrap_or(u32::MAX), span);
        }
        if capture { printed } else { String::new() }
    }

    /// Runs a file that this text has written before.
    fn own_file(&mut self, name: &str, index: u32, span: Span) {
        let path = slashes(name);
        let endings = ["", ".exe", ".bat", ".cmd", ".com"];
        let found = endings.iter().find_map(|ending| {
            let path = format!("{path}{ending}");
            self.runner.file_at(self.scope, &path).map(|text| (path, text))
        });
        let Some((path, script)) = found else { return };
        if script.contains(mark::REMOTE) {
            self.runner.note(NoteKind::RunsRemote, self.scope.origin.unwrap_or(span));
        } else if script.contains(mark::DECODED) {
            self.runner.note(NoteKind::RunsDecoded, self.scope.origin.unwrap_or(span));
        } else if path.to_ascii_lowercase().ends_with(".bat") || path.to_ascii_lowercase().ends_with(".cmd") {
            self.text(&script, Some((index, How::File)), &Io::default());
        }
    }

    /// What a copy holds.
    fn copied(&mut self, args: &[Arg]) {
        let paths: Vec<&str> =
            args[1..].iter().map(|arg| arg.text.as_str()).filter(|text| !text.starts_with('/')).collect();
        if let [from, to] = paths.as_slice()
            && let Some(text) = self.runner.file_at(self.scope, &slashes(from))
        {
            let path = self.scope.absolute(&slashes(to));
            self.runner.write_file(path, &text, false);
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
    let at = ["/c", "/k", "/r"].iter().filter_map(|switch| lower.find(switch)).min();
    match at {
        Some(at) => {
            let mut words: Vec<String> = rest[..at].split_whitespace().map(str::to_owned).collect();
            words.push(rest[at..at + 2].to_owned());
            words.push(unquoted(rest[at + 2..].trim()).to_owned());
            words
        }
        None => words::arguments(rest),
    }
}

/// A command line without the quotes around all of it.
pub(crate) fn unquoted(line: &str) -> &str {
    match line.strip_prefix('"').and_then(|line| line.strip_suffix('"')) {
        // `"a b" "c"` begins and ends with quotes of its own.
        Some(inner) if inner.matches('"').count() % 2 == 0 && !inner.contains("\" \"") => inner,
        _ => line,
    }
}

/// Whether `text` holds an operator outside of quotes.
fn has_operator(text: &str) -> bool {
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

fn assigns(text: &str) -> bool {
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
        let folder = scope.absolute(folder);
        let entry = match pattern {
            "*" | "*.*" => mark::ENTRY.to_string(),
            pattern if deep => format!("{}/{}", mark::ENTRY, crate::peel::each::activated(pattern)),
            pattern => crate::peel::each::activated(pattern),
        };
        printed.push_str(&below(&folder, &entry));
        printed.push('\n');
    }
    printed
}
