//! Running a string of cmd on paper.

use std::rc::Rc;

use payload::Language;
use shell_engine::bash::names_secret;
use shell_engine::{
    Arg, Call, Flow, How, Io, MAX_DEPTH, NoteKind, Redirect, Runner, Scope, Script, Span, Stage as StageId,
    mark,
};

use super::command::{assigns, has_operator};
use super::expand::{Letters, expand};
use super::parse::{self, For, Node, Problem, Redirection, Simple};
use super::words;
use crate::system::{below, slashes};

/// Values of a loop's variable that are tried.
const MAX_TURNS: usize = 24;
/// Values of one command's variables that are tried.
const MAX_CHOICES: usize = 8;

/// Calls of labels that are followed in a file.
const MAX_CALLS: usize = 16;

/// `%0|%0`, and `start "" %0` in a loop: a batch file that never stops starting itself.
fn starts_itself(text: &str) -> bool {
    let own = |line: &str| line.replace([' ', '"'], "").to_ascii_lowercase();
    let starts = |line: &str| line.starts_with("start") && line.ends_with("%0");
    text.contains("%0")
        && text.lines().enumerate().any(|(at, line)| {
            let line = own(line);
            let goes_on = || text.lines().skip(at + 1).any(|line| own(line).starts_with("goto"));
            line.contains("%0|%0") || starts(&line) && goes_on()
        })
}

/// Runs code as cmd does, and returns what it prints.
pub fn run_text(runner: &mut Runner, scope: &mut Scope, script: &Script<'_>) -> String {
    let mut machine =
        Machine { runner, scope, letters: Vec::new(), stage: StageId::default(), jumps: Jumps::default() };
    machine.text(script.text, script.how, script.io)
}

/// Where a command stands, and what it reads and prints.
#[derive(Clone, Copy)]
pub(super) struct At<'t> {
    pub(super) io: &'t Io,
    pub(super) span: Span,
}

/// A session of cmd.
pub(super) struct Machine<'r> {
    pub(super) runner: &'r mut Runner,
    pub(super) scope: &'r mut Scope,
    pub(super) letters: Letters,
    pub(super) stage: StageId,
    pub(super) jumps: Jumps,
}

/// Where a batch file surely goes on, as the words of the call decide it.
#[derive(Default)]
pub(super) struct Jumps {
    /// The labels of the file, with their lines.
    labels: Vec<(String, usize)>,
    /// The line at work.
    line: usize,
    /// The label that comes next; an empty one is the file's end.
    target: Option<String>,
    /// Labels that were called, with the words that they get.
    calls: Vec<(String, Rc<[String]>)>,
    /// Calls that are still followed.
    left: usize,
}

impl Jumps {
    /// Whether a node only jumps ahead, and leaves the words of the call as they are: what runs twice, or as a function with
    /// words of its own, is not decided by them.
    fn is_straight(&self, node: &Node, line: usize) -> bool {
        let all = |nodes: &[Node]| nodes.iter().all(|node| self.is_straight(node, line));
        match node {
            Node::List(nodes) | Node::Pipe(nodes) | Node::Group(nodes, _) => all(nodes),
            Node::If { then, otherwise, .. } => {
                self.is_straight(then, line)
                    && otherwise.as_ref().is_none_or(|otherwise| self.is_straight(otherwise, line))
            }
            Node::For(each) => self.is_straight(&each.body, line),
            Node::Simple(simple) => {
                let text = simple.text.replace(['^', '"', '@'], "").to_lowercase();
                let ends = |c: char| c.is_whitespace() || matches!(c, ':' | ',' | ';' | '=');
                let (name, rest) = text.trim_start().split_once(ends).unwrap_or((text.trim(), ""));
                let label = rest.trim_start_matches(ends).split_whitespace().next().unwrap_or("");
                let is_ahead = |label: &str| self.labels.iter().any(|(name, at)| name == label && *at > line);
                match name {
                    "shift" => false,
                    "call" => {
                        let after = text.trim_start().trim_start_matches("call").trim_start();
                        if after.starts_with(':') { is_ahead(label) } else { !label.contains(['%', '!']) }
                    }
                    "goto" => label == "eof" || is_ahead(label),
                    name => !name.contains(['%', '!']),
                }
            }
            Node::Label(_) => true,
        }
    }
}

impl Machine<'_> {
    pub(super) fn text(&mut self, text: &str, how: Option<(u32, How)>, io: &Io) -> String {
        if self.scope.depth >= MAX_DEPTH {
            self.runner.note(NoteKind::TooDeep, self.scope.origin.unwrap_or_default());
            return String::new();
        }
        if !self.runner.spend(text.len()) {
            return String::new();
        }
        // Variables and folders stay changed after the text, but where it stands and how it was reached do
        // not.
        let outer = (self.scope.via, self.scope.origin, self.scope.shell);
        if let Some((parent, how)) = how {
            self.scope.led_by(self.runner, parent, how);
        }
        self.scope.shell = Language::Cmd;
        self.runner.note_foreign_text(self.scope, text, true);
        if starts_itself(text) {
            self.runner.note(NoteKind::ForkBomb, self.scope.origin.unwrap_or_default());
        }
        let (nodes, problem) = parse::parse(text);
        if let Some(problem) = problem {
            let kind = match problem {
                Problem::Syntax => NoteKind::Syntax,
                Problem::TooDeep => NoteKind::TooDeep,
            };
            self.runner.note(kind, self.scope.origin.unwrap_or_default());
        }
        self.scope.depth += 1;
        let printed =
            if self.scope.exact && how.is_some() { self.file(&nodes, io) } else { self.nodes(&nodes, io) };
        self.scope.depth -= 1;
        (self.scope.via, self.scope.origin, self.scope.shell) = outer;
        printed
    }

    /// Runs the lines of a batch file, but for those over which it jumps.
    fn file(&mut self, nodes: &[Node], io: &Io) -> String {
        let label = |(line, node): (usize, &Node)| match node {
            Node::Label(name) => Some((name.clone(), line)),
            _ => None,
        };
        let labels = nodes.iter().enumerate().filter_map(label).collect();
        let outer = std::mem::replace(&mut self.jumps, Jumps { labels, left: MAX_CALLS, ..Jumps::default() });
        let exact = self.scope.exact;
        self.scope.exact &= nodes.iter().enumerate().all(|(line, node)| self.jumps.is_straight(node, line));
        let mut printed = String::new();
        for (line, node) in nodes.iter().enumerate() {
            self.jumps.line = line;
            if let Node::Label(name) = node {
                if self.jumps.target.as_ref() == Some(name) {
                    self.jumps.target = None;
                }
                self.called(nodes, name, io, &mut printed);
            }
            if self.jumps.target.is_none() {
                let output = self.nodes(std::slice::from_ref(node), io);
                self.runner.append(&mut printed, output);
            }
        }
        // What stands above its calls.
        while let Some((name, _)) = self.jumps.calls.first().cloned()
            && !self.runner.stopped()
        {
            self.called(nodes, &name, io, &mut printed);
            self.jumps.calls.retain(|(known, _)| *known != name || self.jumps.left > 0);
        }
        self.jumps = outer;
        self.scope.exact = exact;
        printed
    }

    /// Runs the lines after a label for each of its calls, which give it words of their own: these decide nothing.
    fn called(&mut self, nodes: &[Node], label: &str, io: &Io, printed: &mut String) {
        let start = self.jumps.labels.iter().find(|(name, _)| name == label).map(|(_, line)| line + 1);
        let (own, others) =
            std::mem::take(&mut self.jumps.calls).into_iter().partition(|(name, _)| *name == label);
        self.jumps.calls = others;
        let Some(rest) = start.and_then(|start| nodes.get(start..)) else { return };
        let end = rest.iter().position(ends_section).map_or(rest.len(), |end| end + 1);
        let own: Vec<(String, Rc<[String]>)> = own;
        for (_, words) in own {
            let Some(left) = self.jumps.left.checked_sub(1) else { return };
            self.jumps.left = left;
            let outer = (
                self.scope.positional.replace(words),
                std::mem::replace(&mut self.scope.exact, false),
                self.jumps.target.take(),
            );
            let output = self.nodes(&rest[..end], io);
            self.runner.append(printed, output);
            (self.scope.positional, self.scope.exact, self.jumps.target) = outer;
        }
    }

    /// Notes the call of a label of the file, `:name WORD…`.
    pub(super) fn calls(&mut self, text: &str) -> bool {
        let mut words = crate::system::arguments(text).into_iter();
        let label = words.next().unwrap_or_default().trim_start_matches(':').to_lowercase();
        let is_known = self.jumps.labels.iter().any(|(name, _)| *name == label);
        if is_known && self.jumps.calls.len() < MAX_CALLS {
            self.jumps.calls.push((label, words.collect()));
        }
        is_known
    }

    /// `goto end`, `exit /b`: the lines up to there do not run.
    pub(super) fn jump(&mut self, label: &str) {
        let label = label.trim().trim_start_matches(':').to_lowercase();
        let is_end = label.is_empty() || label == "eof";
        let line = self.jumps.line;
        // Lines that came before run again, which is not followed.
        let is_ahead = self.jumps.labels.iter().any(|(name, at)| *name == label && *at > line);
        if self.scope.exact && !self.scope.uncertain && (is_end || is_ahead) {
            self.jumps.target = Some(if is_end { String::new() } else { label });
        }
    }

    /// Whether a comparison holds, where nothing about it is left to run time: `/i "%1"=="light"`.
    fn holds(&mut self, condition: &str) -> Option<bool> {
        if !self.scope.exact {
            return None;
        }
        let (mut rest, mut negated, mut folds) = (condition.trim(), false, false);
        loop {
            let word = rest.split_whitespace().next()?;
            match word.to_ascii_lowercase().as_str() {
                "/i" => folds = true,
                "not" => negated = !negated,
                "exist" | "defined" | "errorlevel" | "cmdextversion" => return None,
                _ => break,
            }
            rest = rest[word.len()..].trim_start();
        }
        let outer = (self.scope.choice, self.scope.choices);
        (self.scope.choice, self.scope.choices) = (0, 0);
        let text = expand(rest, self.scope, &self.letters);
        let is_certain = self.scope.choices < 2;
        (self.scope.choice, self.scope.choices) = outer;
        let (left, right) = text.split_once("==")?;
        let (left, right) = (left.trim(), right.trim());
        let equal = if folds { left.eq_ignore_ascii_case(right) } else { left == right };
        (is_certain && !mark::any(&text)).then_some(equal != negated)
    }

    fn nodes(&mut self, nodes: &[Node], io: &Io) -> String {
        let mut printed = String::new();
        for node in nodes {
            if self.runner.stopped() || self.jumps.target.is_some() {
                break;
            }
            // Each command begins a pipeline, so that rules do not take what one prints for what the next one
            // reads.
            let number = self.runner.next_pipeline();
            self.stage = StageId { pipeline: number, index: 0 };
            let output = self.node(node, io);
            self.runner.append(&mut printed, output);
        }
        printed
    }

    pub(super) fn node(&mut self, node: &Node, io: &Io) -> String {
        match node {
            Node::List(nodes) => self.nodes(nodes, io),
            Node::Pipe(stages) => self.pipe(stages, io),
            Node::Simple(simple) => self.simple(simple, io),
            Node::Group(nodes, redirects) => {
                let redirects = self.redirects(redirects, &mut io.clone());
                // What the block prints is only worked out if a file or a pipe gets it.
                let inner = Io {
                    stdin: io.stdin.clone(),
                    capture: io.capture || !redirects.is_empty(),
                    ..Io::default()
                };
                let printed = self.nodes(nodes, &inner);
                if redirects.is_empty() {
                    return printed;
                }
                self.keep(&redirects, &printed);
                let call = self.call(Vec::new(), redirects, At { io: &Io::default(), span: Span::default() });
                self.runner.push_atom(self.scope, &call);
                String::new()
            }
            Node::Label(_) => String::new(),
            Node::If { condition, then, otherwise } if let Some(holds) = self.holds(condition) => {
                let branch = if holds { Some(then) } else { otherwise.as_ref() };
                branch.map_or_else(String::new, |branch| self.node(branch, io))
            }
            // Other conditions are not evaluated: both branches run, and neither is certain.
            Node::If { then, otherwise, .. } => {
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
            let inner = Io { stdin: stdin.take(), capture: io.capture || !last, ..Io::default() };
            // Each side is a cmd of its own.
            printed = self.node(node, &inner);
            stdin = Some(Rc::from(printed.as_str()));
        }
        printed
    }

    /// `for`: its body runs for each value.
    fn for_each(&mut self, each: &For, io: &Io) -> String {
        let options = expand(&each.options, self.scope, &self.letters);
        let values = self.values(each, &options, io);
        let mut printed = String::new();
        for value in values.into_iter().take(MAX_TURNS) {
            // Letters are visible in the body and in loops inside of it only.
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
    fn values(&mut self, each: &For, options: &str, io: &Io) -> Vec<String> {
        let set = expand(&each.set, self.scope, &self.letters);
        match each.kind {
            // Numbers, which mean nothing as a path.
            'l' => vec![mark::TOKEN.to_string()],
            'f' => {
                let trimmed = set.trim();
                // It turns the meaning of the quotes round: backticks run, single quotes are a string.
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
                    // Places in this text are not places in the whole one.
                    self.scope.origin = Some(origin.unwrap_or_default());
                    let capture = Io { stdin: io.stdin.clone(), capture: true, ..Io::default() };
                    let printed = self.text(&command, None, &capture);
                    self.scope.origin = origin;
                    self.stage = stage;
                    let lines: Vec<String> =
                        printed.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
                    // A command whose output is not known gives one line that may be anything.
                    return if lines.is_empty() { vec![mark::UNKNOWN.to_string()] } else { lines };
                }
                let text = if back { inside('\'') } else { inside('"') };
                if let Some(text) = text {
                    return vec![text.to_owned()];
                }
                let file = words::builtin(trimmed).into_iter().next().unwrap_or_default();
                let file = slashes(&file);
                let own = self.runner.file_at(self.scope, &file);
                match own.or_else(|| self.runner.look_up(self.scope, &file).map(|found| found.text)) {
                    Some(text) => text.lines().map(str::to_owned).collect(),
                    None => vec![mark::UNKNOWN.to_string()],
                }
            }
            'r' => {
                let root = if options.is_empty() { ".".to_owned() } else { slashes(options) };
                let patterns = words::builtin(&set);
                let found = patterns.iter().map(|pattern| match pattern.as_str() {
                    "*" | "*.*" | "." => below(&root, &mark::ENTRY.to_string()),
                    pattern => below(
                        &root,
                        &format!("{}/{}", mark::ENTRY, shell_engine::text::pattern::active(pattern)),
                    ),
                });
                found.collect()
            }
            _ => words::builtin(&set),
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
            // Each further field goes to the next letter of the alphabet.
            letter = char::from_u32(u32::from(letter) + 1).unwrap_or(letter);
        };
        for token in tokens.split(',').take(9) {
            let whole = token.ends_with('*');
            let number = token.trim_end_matches('*');
            if let Some((from, to)) = number.split_once('-') {
                // cmd knows 31 tokens.
                let range = from.parse().unwrap_or(1)..=to.parse::<usize>().unwrap_or(1).min(31);
                for at in range {
                    next(fields.get(at.saturating_sub(1)).copied().unwrap_or(""), &mut self.letters);
                }
            } else if let Ok(at) = number.parse::<usize>() {
                let found = fields.get(at.saturating_sub(1)).copied();
                // A field of a line that is not known is not known either.
                let unknown = if mark::any(line) { line } else { "" };
                next(found.unwrap_or(unknown), &mut self.letters);
            }
            // `tokens=1*`: the rest of the line goes to the next letter; the whole line stands for it here.
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
        // A variable may hold `& del x`, and cmd finds operators after it has replaced variables.
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
        if !io.capture {
            self.secrets_shown(&simple.text, &text, simple.span);
        }
        let printed = self.command(&text, redirects.clone(), At { io: &io, span: simple.span });
        if writes {
            self.keep(&redirects, &printed);
            return String::new();
        }
        printed
    }

    /// Notes a variable of the environment that keeps a secret and is shown: `echo %API_TOKEN%`, `set API_TOKEN`.
    fn secrets_shown(&mut self, written: &str, text: &str, span: Span) {
        let (name, rest) = words::name(text);
        let rest = rest.trim();
        let shows = if name.eq_ignore_ascii_case("echo") {
            // Every other piece stands between two signs.
            text.contains(mark::UNSET) && written.split('%').skip(1).step_by(2).any(names_secret)
        } else {
            name.eq_ignore_ascii_case("set") && names_secret(rest) && !rest.contains(['=', ' ', '/'])
        };
        if shows && !self.runner.is_in_file() {
            self.runner.note(NoteKind::ShowsSecret, self.scope.origin.unwrap_or(span));
        }
    }

    pub(super) fn redirects(&mut self, redirects: &[Redirection], io: &mut Io) -> Vec<Redirect> {
        let mut found = Vec::new();
        for redirect in redirects {
            let target = expand(&redirect.target, self.scope, &self.letters);
            let target = target.trim_matches('"').to_owned();
            // Only what is read on the standard input is handed on; the atom shows the others.
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

    pub(super) fn call(&self, args: Vec<Arg>, redirects: Vec<Redirect>, At { io, span }: At<'_>) -> Call {
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
}

/// Whether what a label begins ends with this line.
fn ends_section(node: &Node) -> bool {
    let ends = |text: &str| ["exit", "goto"].iter().any(|word| text.starts_with(word));
    matches!(node, Node::Simple(simple) if ends(&simple.text.trim_start_matches(['@', ' ']).to_ascii_lowercase()))
}
