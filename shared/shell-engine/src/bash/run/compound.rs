//! Lists, pipelines and compound commands.

use std::rc::Rc;

use super::simple::{MAX_KEY, Simple};
use super::status::{self, Taken};
use super::{Frame, Io, Runner, Scope, Value};
use crate::atom::{Arg, Atom, NoteKind, Stage as StageId};
use crate::bash::ast::{
    Command, Item, Joint, List, Part, Pipeline, Redirect, RedirectOp, RedirectTarget, Stage, Text, Word,
};
use crate::mark;
use crate::runner::scope::Calls;
use crate::runner::scope::Left;
use crate::runner::{Call, scope};
use crate::span::Span;
use crate::text::regex::{Dialect, Pattern};

/// Lines that a loop over them takes one by one.
const MAX_LINES: usize = 16;
/// Turns of a loop that are followed one by one.
const MAX_TURNS: usize = 64;

/// The body of a function.
struct Body {
    name: Rc<str>,
    text: Rc<Text>,
    stage: Rc<Stage>,
}

/// How many turns a loop takes that nothing but its own header counts, if they are few.
fn counted(scope: &Scope, condition: &str, next: &str) -> Option<usize> {
    if scope.uncertain {
        return None;
    }
    let mut scope = scope.clone();
    for turn in 0..=MAX_TURNS {
        if super::arithmetic::evaluate(&mut scope, condition)? == 0 {
            return Some(turn);
        }
        super::arithmetic::evaluate(&mut scope, next);
    }
    None
}

impl scope::Body for Body {
    fn run(&self, runner: &mut Runner, scope: &mut Scope, call: &Call) -> String {
        runner.stage(scope, Frame { text: &self.text, io: &call.io, id: call.stage }, &self.stage)
    }

    fn source(&self) -> String {
        format!("{} () {}", self.name, self.stage.span.of(&self.text.source))
    }

    fn calls(&self, name: &str) -> Calls {
        let (source, command) = (&self.text.source, &self.stage.command);
        // Most functions do not name each other: a look at the letters tells.
        if !self.stage.span.of(source).contains(name) {
            Calls::Not
        } else if spawns_itself(command, source, name) {
            Calls::Spawned
        } else if calls(command, source, name) {
            Calls::Waiting
        } else {
            Calls::Not
        }
    }
}

impl Runner {
    /// Runs a list and returns what it prints, if `io` asks for it.
    pub(super) fn list(&mut self, scope: &mut Scope, frame: Frame<'_>, list: &List) -> String {
        let mut printed = String::new();
        // How the chain has ended so far, where that is decided, what joins it to the next item, and whether that runs.
        let (mut status, mut before, mut surely) = (None, Joint::Then, true);
        // Whether the item before this one surely succeeds, whatever the script is called with.
        let mut is_plain = false;
        for Item { pipeline, joint } in &list.items {
            if scope.left > Left::Nothing {
                break;
            }
            let is_left_out = matches!((before, status), (Joint::And, Some(false)) | (Joint::Or, Some(true)));
            if is_left_out {
                before = *joint;
                continue;
            }
            surely = match (before, status) {
                (Joint::And, Some(true)) | (Joint::Or, Some(false)) => surely,
                (Joint::And, _) => surely && is_plain,
                (Joint::Or, _) => false,
                (Joint::Then | Joint::Background, _) => true,
            };
            let outer = scope.uncertain;
            // What follows `||` may not run, and neither may its assignments happen: in `a || b && c`, nothing after it is
            // certain.
            scope.uncertain |= !surely;
            self.status = None;
            // What fails on the left of `&&`, or after `!`, ends nothing.
            let is_asked = pipeline.negated || matches!(joint, Joint::And | Joint::Or);
            let ends_early = scope.ends_early;
            scope.ends_early &= !is_asked;
            let output = if *joint == Joint::Background {
                // A process of its own: what it sets is not set here.
                self.in_fork(&mut scope.forked(), |runner, inner| {
                    runner.pipeline(inner, frame, &pipeline.stages)
                })
            } else {
                self.pipeline(scope, frame, &pipeline.stages)
            };
            scope.uncertain = outer;
            scope.ends_early |= ends_early && is_asked;
            let own = if *joint == Joint::Background { Some(true) } else { self.status };
            let own = own.map(|holds| holds != pipeline.negated);
            status = match before {
                Joint::And => status::both(status, own),
                Joint::Or => status::either(status, own),
                Joint::Then | Joint::Background => own,
            };
            is_plain = *joint == Joint::And && succeeds(pipeline, &frame.text.source);
            before = *joint;
            if frame.io.capture {
                self.append(&mut printed, output);
            }
            // `set -e`: the last one of a chain has failed. What failed inside a group or a function may have been one that ends
            // nothing.
            if scope.ends_early
                && surely
                && *joint == Joint::Then
                && own == Some(false)
                && !pipeline.negated
                && status::fails_alone(scope, frame.text, &pipeline.stages)
            {
                scope.leave(Left::Shell);
            }
        }
        self.status = status;
        printed
    }

    fn pipeline(&mut self, scope: &mut Scope, frame: Frame<'_>, stages: &[Stage]) -> String {
        // What stands alone in a group is a part of the group's own stage: `{ a; b; } | c`. What leads its output
        // elsewhere is not.
        if let ([stage], true) = (stages, frame.id.pipeline > 0)
            && stage.redirects.is_empty()
        {
            return self.stage(scope, frame, stage);
        }
        let pipeline = self.pipeline_in(frame.id);
        if let [stage] = stages {
            return self.stage(scope, Frame { id: StageId { pipeline, index: 0 }, ..frame }, stage);
        }
        let first = self.analysis.atoms.len();
        let mut stdin = frame.io.stdin.clone();
        let mut output = String::new();
        for (index, stage) in stages.iter().enumerate() {
            let last = index + 1 == stages.len();
            let viewed = !last
                && !frame.io.capture
                && stages[index + 1..].iter().all(|stage| self.views(scope, frame, stage));
            let io = Io { stdin: stdin.take(), capture: !last || frame.io.capture, viewed };
            let id = StageId { pipeline, index: u32::try_from(index).unwrap_or(u32::MAX) };
            let frame = Frame { io: &io, id, ..frame };
            // Each stage is a process of its own.
            output = if last && scope.keeps_last {
                scope.meddled |= scope.exact && !self.prints_as_known(first);
                self.stage(scope, frame, stage)
            } else {
                let mut inner = scope.forked();
                inner.exact &= self.prints_as_known(first);
                self.in_fork(&mut inner, |runner, inner| runner.stage(inner, frame, stage))
            };
            self.status = None;
            if last {
                break;
            }
            output = self.paid(output);
            stdin = Some(Rc::from(output.as_str()));
        }
        output
    }

    /// Whether a stage only shows what the one before it prints, as far as its words tell before they are expanded.
    fn views(&self, scope: &Scope, frame: Frame<'_>, stage: &Stage) -> bool {
        let Command::Simple { assigns, words } = &stage.command else { return false };
        let source = &frame.text.source;
        let plain = |part: &Part| matches!(part, Part::Bare(_) | Part::Quoted(_));
        let to_console = |redirect: &Redirect| redirect.fd == Some(2) && redirect.op == RedirectOp::Write;
        if !assigns.is_empty()
            || !words.iter().all(|word| word.parts.iter().all(plain))
            || !stage.redirects.iter().all(to_console)
        {
            return false;
        }
        let words: Vec<&str> = words.iter().map(|word| word.span.of(source)).collect();
        (self.registry.views)(&words) && scope.function(words[0]).is_none() && scope.alias(words[0]).is_none()
    }

    fn stage(&mut self, scope: &mut Scope, frame: Frame<'_>, stage: &Stage) -> String {
        let text = frame.text;
        if !self.step() {
            return String::new();
        }
        let span = scope.origin.unwrap_or(stage.span);
        if scope.full {
            self.note(NoteKind::TooMuch, span);
        }
        if let Command::Simple { assigns, words } = &stage.command {
            return self.simple(scope, frame, Simple { assigns, words, redirects: &stage.redirects, span });
        }
        if let Command::Function { name, body } = &stage.command {
            let defined =
                Body { name: Rc::from(name.as_str()), text: Rc::clone(text), stage: Rc::clone(body) };
            let in_turn = |(other, back): (&str, &dyn scope::Body)| {
                let (there, back) = (scope::Body::calls(&defined, other), back.calls(name));
                there.max(back) == Calls::Spawned && there.min(back) != Calls::Not
            };
            if spawns_itself(&body.command, &text.source, name) || scope.bodies(name).any(in_turn) {
                self.note(NoteKind::ForkBomb, span);
            }
            scope.define(name, Rc::new(defined));
            self.status = Some(true);
            return String::new();
        }
        let outer = scope.begin();
        let redirected = self.redirected(scope, frame, &stage.redirects);
        // What it reads may be something else.
        let is_open = !scope.is_settled(outer) && scope.exact;
        scope.exact &= !is_open;
        let (io, id) = redirected.as_ref().map_or((frame.io, frame.id), |(io, id)| (io, *id));
        let output = self.compound(scope, Frame { io, id, ..frame }, stage);
        scope.exact |= is_open;
        if std::mem::take(&mut scope.lacks_value) {
            scope.leave(Left::Shell);
        }
        if redirected.is_some()
            && let Some((path, append)) = self.output_file(scope, text, &stage.redirects)
        {
            self.file_planted(scope, &path, &output);
            self.write_file(path, &output, append);
            return String::new();
        }
        output
    }

    /// The input and output of a compound command with redirections of its own, and the stage that it makes.
    fn redirected(
        &mut self,
        scope: &mut Scope,
        frame: Frame<'_>,
        redirects: &[Redirect],
    ) -> Option<(Io, StageId)> {
        if redirects.is_empty() {
            return None;
        }
        let id = StageId { pipeline: self.pipeline_in(frame.id), index: 0 };
        let changed = Io { stdin: frame.io.stdin.clone(), capture: true, ..Io::default() };
        let (resolved, changed) = self.redirects(scope, Frame { io: &changed, ..frame }, redirects);
        self.bare_redirects(scope, id, (resolved, redirects));
        Some((changed, id))
    }

    /// A number for a pipeline that stands in a stage of another.
    fn pipeline_in(&mut self, stage: StageId) -> u32 {
        let pipeline = self.next_pipeline();
        if stage.pipeline > 0 {
            self.analysis.inside.push((pipeline, stage));
        }
        pipeline
    }

    /// The file into which a redirected compound command prints, and whether it does so at its end.
    fn output_file(
        &mut self,
        scope: &mut Scope,
        text: &Rc<Text>,
        redirects: &[Redirect],
    ) -> Option<(String, bool)> {
        for redirect in redirects {
            let to_file = matches!(
                redirect.op,
                RedirectOp::Write | RedirectOp::Append | RedirectOp::WriteBoth | RedirectOp::AppendBoth
            ) && redirect.fd.is_none_or(|fd| fd == 1);
            if let (true, RedirectTarget::Word(word)) = (to_file, &redirect.target) {
                let path = self.whole(scope, text, word);
                let append = matches!(redirect.op, RedirectOp::Append | RedirectOp::AppendBoth);
                return Some((scope.absolute(&path), append));
            }
        }
        None
    }

    fn compound(&mut self, scope: &mut Scope, frame: Frame<'_>, stage: &Stage) -> String {
        let text = frame.text;
        match &stage.command {
            Command::Group(body) => self.list(scope, frame, body),
            // What it sets is gone when it ends.
            Command::Subshell(body) => {
                self.in_fork(&mut scope.forked(), |runner, inner| runner.list(inner, frame, body))
            }
            Command::If(lists) => self.conditional(scope, frame, lists),
            Command::Loop { .. } | Command::For { .. } | Command::Count { .. } => {
                let before = scope.may_have_left;
                let in_loop = std::mem::replace(&mut scope.in_loop, true);
                let printed = self.repeated(scope, frame, stage);
                scope.in_loop = in_loop;
                scope.arrive(Left::Loop, before);
                printed
            }
            Command::Case { subject, arms } => self.chosen(scope, frame, (subject, arms)),
            Command::Test(words) => {
                self.regex_matched(scope, text, words);
                let outer = scope.begin();
                let mut expanded = Vec::with_capacity(words.len());
                for word in words {
                    let word = self.whole(scope, text, word);
                    // `[[ 'a[$(rm x)]' -eq 0 ]]`: taken for a number, the text is expanded once more.
                    if word.contains("[$(") || word.contains("[`") {
                        self.expanded_later(scope, &word);
                    }
                    expanded.push(word);
                }
                let decides = scope.is_settled(outer) && scope.is_exact() && !scope.is_plain;
                // A quoted part of a regular expression is taken letter by letter.
                let is_quoted = |part: &Part| !matches!(part, Part::Bare(_));
                let pattern = words.iter().skip_while(|word| word.span.of(&text.source) != "=~").nth(1);
                let decides = decides && !pattern.is_some_and(|word| word.parts.iter().any(is_quoted));
                self.status = if decides { status::holds(&expanded, true) } else { None };
                String::new()
            }
            Command::Arithmetic(parts) => {
                let outer = scope.begin();
                let expression = self.single(scope, text, parts);
                let value = super::arithmetic::evaluate(scope, &expression);
                let decides = scope.is_settled(outer) && scope.is_exact() && !scope.is_plain;
                self.status = value.filter(|_| decides).map(|value| value != 0);
                String::new()
            }
            Command::Coproc(name, stage) => {
                // Its input comes through a pipe, from whatever is written there later: `>&"${COPROC[1]}"`.
                let (path, to) = (self.pseudo_file(), self.free_descriptor());
                self.add_reader(scope, &path, stage.span.of(&text.source));
                self.open_descriptor(to, path);
                let io =
                    Io { stdin: Some(Rc::from(mark::UNKNOWN.to_string())), capture: true, ..Io::default() };
                let frame = Frame { io: &io, id: StageId::default(), ..frame };
                let printed =
                    self.in_fork(&mut scope.forked(), |runner, inner| runner.stage(inner, frame, stage));
                // What it prints is read from another: `<&"${COPROC[0]}"`.
                let from = self.free_descriptor();
                self.write_file(format!("/dev/fd/{from}"), &printed, false);
                let name = name.map_or("COPROC", |name| name.of(&text.source));
                scope.set(name, Value::Many(Rc::from([from.to_string(), to.to_string()])));
                String::new()
            }
            Command::Simple { .. } | Command::Function { .. } => String::new(),
        }
    }

    /// `case`: each arm that the shell may take.
    fn chosen(
        &mut self,
        scope: &mut Scope,
        frame: Frame<'_>,
        (subject, arms): (&Word, &[(Vec<Word>, List)]),
    ) -> String {
        let known = self.subject(scope, frame.text, subject);
        let mut printed = String::new();
        let mut surely = true;
        let mut ended = Some(true);
        for (patterns, body) in arms {
            let mut taken = Taken::Never;
            for pattern in patterns {
                let pattern = self.whole(scope, frame.text, pattern);
                taken = taken.max(status::taken(&pattern, known.as_deref()));
            }
            match taken {
                Taken::Never => continue,
                Taken::Surely if surely => return self.list(scope, frame, body),
                _ => surely = false,
            }
            ended = None;
            let output = self.branch(scope, frame, body);
            self.append(&mut printed, output);
            if taken == Taken::Surely {
                break;
            }
        }
        self.status = ended;
        printed
    }

    /// A loop: turn by turn as far as its text decides them, else the turns that it may take.
    fn repeated(&mut self, scope: &mut Scope, frame: Frame<'_>, stage: &Stage) -> String {
        let text = frame.text;
        let outset = scope.may_have_left;
        match &stage.command {
            Command::Loop { condition, body, until } => {
                if spawns_forever(condition, body, &text.source, stage.span) {
                    self.note(NoteKind::ForkBomb, scope.origin.unwrap_or(stage.span));
                }
                if let Some(printed) = self.line_turns(scope, frame, (condition, body)) {
                    return printed;
                }
                let mut printed = String::new();
                if scope.is_exact() && !scope.is_unsure() {
                    for _ in 0..MAX_TURNS {
                        let before = (scope.state(), scope.positional.clone(), scope.option_at);
                        let output = self.under(scope, frame, condition);
                        self.append(&mut printed, output);
                        match self.status.map(|holds| holds != *until) {
                            Some(false) => {
                                self.status = Some(true);
                                return printed;
                            }
                            Some(true) => {}
                            None => break,
                        }
                        let output = self.list(scope, frame, body);
                        self.append(&mut printed, output);
                        // Nothing has changed: it goes on for ever, or until something ends it that is not followed.
                        let is_same = before == (scope.state(), scope.positional.clone(), scope.option_at);
                        if Self::leaves_loop(scope, outset) || is_same || !self.step() {
                            self.status = None;
                            return printed;
                        }
                    }
                }
                self.turns(scope, |runner, scope| {
                    let mut printed = runner.list(scope, frame, condition);
                    let output = runner.branch(scope, frame, body);
                    runner.append(&mut printed, output);
                    printed
                })
            }
            Command::For { name, words, body } => {
                let first = self.analysis.atoms.len();
                let outer = scope.begin();
                let values = self.loop_values(scope, text, words.as_deref());
                let is_open = !scope.is_settled(outer);
                let held = words.iter().flatten().flat_map(|word| super::simple::shown(text, word));
                self.takes(name.of(&text.source), first, held);
                self.each(scope, frame, (name.of(&text.source), &values, body), is_open)
            }
            Command::Count { header, body } => {
                let header_text = self.single(scope, text, header);
                let mut expressions = header_text.split(';');
                super::arithmetic::evaluate(scope, expressions.next().unwrap_or(""));
                let endless = |text: &str| text.chars().all(|c| c == ';' || c.is_whitespace());
                if header
                    .iter()
                    .all(|part| matches!(part, Part::Bare(span) if endless(span.of(&text.source))))
                    && has_background(body)
                {
                    self.note(NoteKind::ForkBomb, scope.origin.unwrap_or(stage.span));
                }
                let condition = expressions.next().unwrap_or("").to_owned();
                let next = expressions.next().unwrap_or("").to_owned();
                if let Some(turns) = counted(scope, &condition, &next) {
                    let mut printed = String::new();
                    for _ in 0..turns {
                        let output = self.list(scope, frame, body);
                        self.append(&mut printed, output);
                        if Self::leaves_loop(scope, outset) {
                            break;
                        }
                        super::arithmetic::evaluate(scope, &next);
                    }
                    return printed;
                }
                // How often is not known, or more often than anyone looks at: the body runs either way.
                self.turns(scope, |runner, scope| {
                    let output = runner.branch(scope, frame, body);
                    let outer = (scope.uncertain, scope.choices);
                    scope.uncertain = true;
                    super::arithmetic::evaluate(scope, &next);
                    (scope.uncertain, scope.choices) = outer;
                    output
                })
            }
            _ => String::new(),
        }
    }

    /// `[[ TEXT =~ PATTERN ]]` leaves what it has found in `BASH_REMATCH`.
    fn regex_matched(&mut self, scope: &mut Scope, text: &Rc<Text>, words: &[Word]) {
        let Some(at) = words.iter().position(|word| word.span.of(&text.source) == "=~") else { return };
        let sides = at.checked_sub(1).and_then(|left| words.get(left)).zip(words.get(at + 1));
        let Some((left, right)) = sides else { return };
        let (left, right) = (self.whole(scope, text, left), self.whole(scope, text, right));
        let pattern = Pattern::read(&mark::readable(&right), Dialect::Extended, false);
        if let Some(groups) = pattern.as_ref().and_then(|pattern| pattern.groups(&left)) {
            let groups: Vec<String> = groups.into_iter().map(str::to_owned).collect();
            scope.set("BASH_REMATCH", Value::Many(Rc::from(groups)));
        }
    }

    /// The turns of `while read LINE` over a few lines that are known, where someone takes what they print: then their
    /// order matters.
    fn line_turns(
        &mut self,
        scope: &mut Scope,
        frame: Frame<'_>,
        (condition, body): (&List, &List),
    ) -> Option<String> {
        let stdin = Rc::clone(frame.io.stdin.as_ref()?);
        // Which lines a file has decides which turns there are.
        let loaded = if scope.is_exact() { self.fulfilled(scope, &stdin) } else { None };
        let stdin = loaded.map_or(stdin, |loaded| loaded.text);
        if mark::any(&stdin) {
            return None;
        }
        let [Item { pipeline, .. }] = condition.items.as_slice() else { return None };
        let [Stage { command: Command::Simple { words, .. }, redirects, .. }] = pipeline.stages.as_slice()
        else {
            return None;
        };
        // Those that take something else than a line are looked at all at once, but for a few letters at a time.
        let source = &frame.text.source;
        let words: Vec<&str> = words.iter().map(|word| word.span.of(source)).collect();
        let letters = words
            .iter()
            .find_map(|word| word.trim_start_matches("-r").trim_start_matches('-').strip_prefix('n'));
        let width = letters
            .filter(|_| words.iter().any(|word| word.starts_with('-')))
            .and_then(|width| width.parse().ok());
        let is_plain = |word: &&str| !word.starts_with('-') || *word == "-r" || width.is_some();
        let pieces: Vec<&str> = match width {
            Some(width) => stdin.lines().flat_map(|line| super::builtin::pieces(line, width)).collect(),
            None => stdin.lines().collect(),
        };
        if words.first().is_none_or(|word| *word != "read")
            || !words.iter().all(is_plain)
            || !redirects.is_empty()
            || !(1..=MAX_LINES).contains(&pieces.len())
        {
            return None;
        }
        let mut printed = String::new();
        let outset = scope.may_have_left;
        for line in pieces {
            let io = Io { stdin: Some(Rc::from(format!("{line}\n"))), ..frame.io.clone() };
            let frame = Frame { io: &io, ..frame };
            self.list(scope, frame, condition);
            let io = Io { stdin: None, ..io.clone() };
            let frame = Frame { io: &io, ..frame };
            let surely = scope.is_exact() && !scope.is_unsure();
            let output = if surely { self.list(scope, frame, body) } else { self.branch(scope, frame, body) };
            self.append(&mut printed, output);
            if Self::leaves_loop(scope, outset) {
                break;
            }
        }
        Some(printed)
    }

    /// Runs one turn of a loop, and another one if the first has left something that may change it.
    fn turns(&mut self, scope: &mut Scope, turn: impl Fn(&mut Self, &mut Scope) -> String) -> String {
        let before = scope.state();
        let start = self.analysis.atoms.len();
        // The names of process substitutions would differ between two turns that are the same otherwise.
        let pseudo_files = self.pseudo_files;
        let mut printed = turn(self, scope);
        // A turn that changed neither variables nor the folder would be followed by its equal.
        if scope.state() == before {
            return printed;
        }
        let end = self.analysis.atoms.len();
        self.pseudo_files = pseudo_files;
        let again = turn(self, scope);
        // The second turn only counts if it led to something else than the first.
        let (first, second) = self.analysis.atoms[start..].split_at(end - start);
        let same = |one: &Atom, other: &Atom| {
            one.args == other.args
                && one.redirects == other.redirects
                && one.cwd == other.cwd
                && one.stdin == other.stdin
        };
        if first.len() == second.len() && first.iter().zip(second).all(|(one, other)| same(one, other)) {
            self.repeats(start, end);
        } else {
            self.append(&mut printed, again);
        }
        printed
    }

    /// Runs the conditions of an `if`, and each branch that the shell may take.
    fn conditional(&mut self, scope: &mut Scope, frame: Frame<'_>, lists: &[List]) -> String {
        let mut printed = String::new();
        // Whether it surely comes to what is next.
        let mut surely = true;
        let mut status = Some(true);
        for pair in lists.chunks(2) {
            let outer = scope.uncertain;
            scope.uncertain |= !surely;
            let Some(body) = pair.get(1) else {
                let output = self.list(scope, frame, &pair[0]);
                self.append(&mut printed, output);
                scope.uncertain = outer;
                status = self.status;
                break;
            };
            let output = self.under(scope, frame, &pair[0]);
            self.append(&mut printed, output);
            let holds = self.status;
            if holds == Some(false) {
                scope.uncertain = outer;
                continue;
            }
            surely &= holds == Some(true);
            scope.uncertain |= !surely;
            let output = self.list(scope, frame, body);
            self.append(&mut printed, output);
            scope.uncertain = outer;
            status = self.status;
            if holds == Some(true) {
                break;
            }
            surely = false;
        }
        self.status = status.filter(|_| surely);
        printed
    }

    /// Runs a condition, in which what fails ends nothing.
    fn under(&mut self, scope: &mut Scope, frame: Frame<'_>, condition: &List) -> String {
        let outer = std::mem::replace(&mut scope.ends_early, false);
        let output = self.list(scope, frame, condition);
        scope.ends_early = outer;
        output
    }

    /// Whether the loop around a turn has surely been left; the next turn begins otherwise.
    fn leaves_loop(scope: &mut Scope, before: Left) -> bool {
        scope.arrive(Left::Turn, before);
        scope.left > Left::Nothing
    }

    /// Runs what may or may not run.
    fn branch(&mut self, scope: &mut Scope, frame: Frame<'_>, body: &List) -> String {
        let outer = std::mem::replace(&mut scope.uncertain, true);
        let output = self.list(scope, frame, body);
        scope.uncertain = outer;
        output
    }

    /// The values that a `for` goes through: its words, or the shell's arguments.
    fn loop_values(&mut self, scope: &mut Scope, text: &Rc<Text>, words: Option<&[Word]>) -> Vec<String> {
        let Some(words) = words else {
            scope.open |= scope.given_openly;
            let given = scope.positional.as_deref().map(<[String]>::to_vec);
            return given.unwrap_or_else(|| vec![mark::PASSED.to_string()]);
        };
        let mut values: Vec<String> =
            self.words(scope, text, words).into_iter().map(|arg| arg.text).collect();
        let patterns = values.iter().filter(|value| value.contains(mark::is_glob));
        let odd: Vec<String> = patterns.flat_map(|pattern| self.odd_names(scope, pattern)).collect();
        values.extend(odd);
        values
    }

    /// Runs the body of a `for` for each of its values.
    fn each(
        &mut self,
        scope: &mut Scope,
        frame: Frame<'_>,
        (name, values, body): (&str, &[String], &List),
        is_open: bool,
    ) -> String {
        self.sets(name);
        // `for x in $NONE`: nothing, unless the environment has it.
        let unset = |value: &String| value.chars().eq([mark::UNSET]);
        let is_exact = scope.is_exact() && !is_open;
        if is_exact && values.iter().all(unset) {
            self.status = Some(true);
            return String::new();
        }
        if !is_exact || values.iter().any(|value| mark::any(value)) {
            let all = |runner: &mut Self, scope: &mut Scope| {
                runner.each_value(scope, frame, (name, values, body), false)
            };
            // Where the text decides, what one turn leaves matters to the next, of which there may be any number.
            return if scope.exact { self.turns(scope, all) } else { all(self, scope) };
        }
        self.each_value(scope, frame, (name, values, body), true)
    }

    fn each_value(
        &mut self,
        scope: &mut Scope,
        frame: Frame<'_>,
        (name, values, body): (&str, &[String], &List),
        surely: bool,
    ) -> String {
        let mut printed = String::new();
        let outset = scope.may_have_left;
        for (turn, value) in values.iter().enumerate() {
            // `{1..1000}`: numbers and plain names after so many of their kind tell nothing new.
            if turn >= MAX_TURNS
                && !value.starts_with('-')
                && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
            {
                if turn == MAX_TURNS {
                    // One that is not known stands for the rest: what it chooses, such as an element, may be any.
                    scope.set_text(name, mark::TOKEN.encode_utf8(&mut [0; 4]));
                    scope.leave_open(name);
                    let output = self.branch(scope, frame, body);
                    self.append(&mut printed, output);
                }
                continue;
            }
            // The variable has exactly this value in this turn, even in a loop that may not run at all.
            let outer = std::mem::replace(&mut scope.uncertain, false);
            scope.set_text(name, value);
            scope.uncertain = outer;
            let output = if surely { self.list(scope, frame, body) } else { self.branch(scope, frame, body) };
            self.append(&mut printed, output);
            if Self::leaves_loop(scope, outset) {
                break;
            }
        }
        printed
    }

    /// Runs, at the end, the functions that nothing has called: they may be called later, with arguments
    /// that no one knows.
    pub(crate) fn run_uncalled(&mut self, scope: &mut Scope) {
        // What a library brings that this command has sourced, no later one has.
        for function in scope.uncalled().into_iter().filter(|function| function.file.is_none()) {
            let mut inner = scope.clone();
            // Not an empty list: `$1` may be anything.
            inner.positional = None;
            inner.left = Left::Nothing;
            inner.origin = function.origin;
            inner.mark_called(&function.name);
            let id = StageId { pipeline: self.next_pipeline(), index: 0 };
            function.body.run(self, &mut inner, &Call { stage: id, ..Call::default() });
        }
    }

    /// The words of an array, as the value that they make after what was there before.
    pub(super) fn array(
        scope: &mut Scope,
        name: &str,
        (before, words): (Vec<(String, String)>, Vec<Arg>),
    ) -> Value {
        let last = before.iter().filter_map(|(key, _)| key.parse::<usize>().ok()).max();
        let mut next = last.map_or(0, |last| last + 1);
        let mut entries = before;
        let mut numbered = true;
        for arg in words {
            let (key, value) = match keyed(&arg.text) {
                Some((key, value)) => (Some(key.to_owned()), value.to_owned()),
                None => (None, arg.text),
            };
            next = match key.as_deref().map(str::parse) {
                Some(Ok(index)) => index,
                _ => next,
            };
            // A key that is not a number stands for one element of its own.
            let key = key.filter(|key| key.parse::<usize>().is_err() && key.len() <= MAX_KEY);
            numbered &= key.is_none();
            if let Some(key) = key {
                entries.push((key, value));
            } else {
                entries.push((next.to_string(), value));
                next = next.saturating_add(1);
            }
        }
        if numbered {
            // `([5]=b [2]=a)`: `"${x[@]}"` goes by the keys, not by how they were written.
            entries.sort_by_key(|(key, _)| key.parse::<usize>().unwrap_or(usize::MAX));
        }
        let (keys, values): (Vec<String>, Vec<String>) = entries.into_iter().unzip();
        scope.set_keys(name, keys);
        Value::Many(Rc::from(values))
    }
}

/// `[key]=value`, an element of an array.
fn keyed(element: &str) -> Option<(&str, &str)> {
    let key = element.strip_prefix(['[', mark::CLASS])?;
    key.split_once("]=")
}

/// Whether a pipeline surely succeeds, so that what follows its `&&` runs.
fn succeeds(pipeline: &Pipeline, source: &str) -> bool {
    let [Stage { command: Command::Simple { words, .. }, .. }] = pipeline.stages.as_slice() else {
        return false;
    };
    words.first().is_none_or(|word| {
        matches!(
            word.span.of(source),
            ":" | "true"
                | "cd"
                | "pushd"
                | "export"
                | "declare"
                | "local"
                | "readonly"
                | "typeset"
                | "echo"
                | "printf"
                | "set"
                | "shopt"
                | "alias"
                | "mkdir"
        )
    })
}

/// Whether a function pipes into itself or starts itself in the background.
fn spawns_itself(command: &Command, source: &str, name: &str) -> bool {
    let calls = |stage: &Stage| match &stage.command {
        Command::Simple { words, .. } => words.first().is_some_and(|word| word.span.of(source) == name),
        _ => false,
    };
    lists_of(command).iter().any(|list| {
        list.items.iter().any(|item| {
            // `f() { f; }` ends with the stack; `f() { f | f & }` does not end. Each stage of a pipeline is a
            // process of its own.
            let spawned = item.joint == Joint::Background || item.pipeline.stages.len() > 1;
            item.pipeline
                .stages
                .iter()
                .any(|stage| spawned && calls(stage) || spawns_itself(&stage.command, source, name))
        })
    })
}

/// Whether a command calls a function, at any depth.
fn calls(command: &Command, source: &str, name: &str) -> bool {
    lists_of(command).iter().any(|list| {
        list.items.iter().flat_map(|item| &item.pipeline.stages).any(|stage| match &stage.command {
            Command::Simple { words, .. } => words.first().is_some_and(|word| word.span.of(source) == name),
            command => calls(command, source, name),
        })
    })
}

/// Whether a loop that never ends starts processes that it never waits for.
fn spawns_forever(condition: &List, body: &List, source: &str, span: Span) -> bool {
    has_background(body) && is_endless(condition, source, span) && !waits(body, source)
}

/// Only conditions that are plainly always the same: `while read x` starts a process for each line, and ends.
fn is_endless(condition: &List, source: &str, span: Span) -> bool {
    let [item] = condition.items.as_slice() else { return false };
    let [stage] = item.pipeline.stages.as_slice() else { return false };
    let text = stage.span.of(source);
    if span.of(source).starts_with("until") {
        return matches!(text, "false" | "((0))" | "(( 0 ))" | "[ ]" | "test" | "[[ '' ]]" | "[[ \"\" ]]");
    }
    matches!(
        text,
        "true"
            | ":"
            | "1"
            | "[ 1 ]"
            | "[ true ]"
            | "test 1"
            | "[[ 1 ]]"
            | "[[ true ]]"
            | "((1))"
            | "(( 1 ))"
            | "let 1"
    )
}

/// Whether a list starts something in the background, itself or in a group.
fn has_background(body: &List) -> bool {
    body.items.iter().any(|item| {
        item.joint == Joint::Background
            || matches!(item.pipeline.stages.as_slice(),
                [Stage { command: Command::Group(inner) | Command::Subshell(inner), .. }] if has_background(inner))
    })
}

fn waits(body: &List, source: &str) -> bool {
    body.items.iter().flat_map(|item| &item.pipeline.stages).any(|stage| match &stage.command {
        Command::Simple { words, .. } => words
            .first()
            .is_some_and(|word| matches!(word.span.of(source), "sleep" | "wait" | "read" | "break")),
        _ => false,
    })
}

fn lists_of(command: &Command) -> Vec<&List> {
    match command {
        Command::Group(list) | Command::Subshell(list) | Command::Count { body: list, .. } => vec![list],
        Command::If(lists) => lists.iter().collect(),
        Command::Loop { condition, body, .. } => vec![condition, body],
        Command::For { body, .. } => vec![body],
        Command::Case { arms, .. } => arms.iter().map(|(_, body)| body).collect(),
        _ => Vec::new(),
    }
}
