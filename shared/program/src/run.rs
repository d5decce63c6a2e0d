//! The way of one call: read, parse, decide, answer.

use std::fmt;
use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use payload::{Address, Asking, Decision, Event, Hints, PayloadError, Reason, Reply, Verdict};

use crate::answer::{Answer, Outlet, STOP};
use crate::arguments::{self, Arguments, Mode, Options, Setting};
use crate::failure::{Cause, Failures};
use crate::input::{self, Input};
use crate::outcome::{Approval, JudgedFile, Outcome};
use crate::{cli, drill, ending, panics, person, stream, watchdog};

/// The largest payload that [`Work::Bounded`] judges without a watchdog, in bytes.
///
/// Parsing and analysing cost at most some hundred instructions per byte: a few milliseconds at this size.
pub const BOUNDED_INPUT: usize = 64 * 1024;

/// How long an observer waits for the host to close stdin after a whole payload.
const STILL_OPEN: Duration = Duration::from_secs(1);

/// A hook, as a value: a hook's crate has one of these, and a `main` of one line.
pub struct Program {
    /// As the binary is called.
    pub name: &'static str,
    /// One or two sentences for `--help`.
    pub about: &'static str,
    pub version: &'static str,
    /// What to answer when the work could not be done.
    pub on_failure: Failures,
    /// When the answer must be out, unless `--deadline-ms` says otherwise: far below the host's own time limit.
    pub deadline: Duration,
    /// How long the work may take once the input is there, where that is less: an input may take its time on a crowded
    /// machine. [`Context::takes_longer`] lifts it.
    pub work_limit: Option<Duration>,
    /// How long the work may go on after an answer that the deadline gave, before the process ends.
    pub linger: Duration,
    /// What the work may do.
    pub work: Work,
    /// The work.
    pub decide: fn(&Event<'_>, &Context) -> Verdict,
    /// Receives the outcome after the host has its answer, as for a record in an audit log. Its error goes to stderr.
    pub witness: Option<Witness>,
    /// Flags of its own, besides those that every hook has.
    pub settings: &'static [Setting],
    /// The sub-commands for people.
    pub cli: Option<Cli>,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Keeps a record of how a call ended.
pub type Witness = fn(&Outcome<'_>) -> Result<(), String>;

/// What a hook's work may do, which decides whether it needs a watchdog for small payloads too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Computes on the payload and counts its steps. It calls [`Context::may_block`] before anything else.
    Bounded,
    /// Touches files, starts programs, or waits for anything.
    MayBlock,
}

/// Sub-commands for people.
#[derive(Debug, Clone, Copy)]
pub struct Cli {
    /// Adds the sub-commands to the program's command line.
    pub commands: fn(clap::Command) -> clap::Command,
    /// Runs the sub-command that was given.
    pub run: fn(&clap::ArgMatches) -> ExitCode,
    /// One of them with its arguments, for who types the program's name at a terminal.
    pub example: &'static str,
}

/// What a hook knows and can do besides the event.
#[derive(Debug, Clone)]
pub struct Context {
    run: &'static Run,
}

impl Context {
    /// When the answer must have left the process at the latest.
    pub fn deadline(&self) -> Instant {
        self.run.deadline
    }

    /// Lifts [`Program::work_limit`]: the work waits for programs now, and ends them by itself.
    pub fn takes_longer(&self) {
        self.run.takes_longer.store(true, Ordering::Relaxed);
    }

    /// The user's home directory, from the environment.
    pub fn home(&self) -> Option<String> {
        let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        std::env::var_os(name).and_then(|home| home.into_string().ok()).filter(|home| !home.is_empty())
    }

    /// How long the call has taken so far.
    pub fn elapsed(&self) -> Duration {
        self.run.elapsed()
    }

    /// The program and its version.
    pub fn program(&self) -> &'static Program {
        self.run.program
    }

    /// Something for stderr, besides the answer; the first one counts.
    pub fn trouble(&self, what: String) {
        // The first one is the cause, as a rule; what follows comes of it.
        let _ = self.run.trouble.set(what);
    }

    /// Whether the host receives the verdict.
    pub fn enforces(&self) -> bool {
        self.run.options.mode == Mode::Enforce
    }

    /// Whether a person tries this call out: it is judged as ever, and leaves nothing behind.
    pub fn is_drill(&self) -> bool {
        self.run.is_drill()
    }

    /// The host receives this in place of the verdict, which goes on record as it is.
    pub fn say(&self, said: Verdict) {
        let _ = self.run.said.set(said);
    }

    /// For the witness: a person's approval was offered or used.
    pub fn approval(&self, approval: Approval) {
        let _ = self.run.approval.set(approval);
    }

    /// For the witness: the call goes through since what it would lose was saved, for this reason.
    pub fn kept(&self, why: Reason) {
        let _ = self.run.kept.set(why);
    }

    /// For the witness: the files that were read because the call would run them.
    pub fn judged_files<'f>(&self, files: impl Iterator<Item = (&'f str, &'f [u8])>) {
        let judged =
            |(path, bytes): (&str, &[u8])| JudgedFile { path: path.to_owned(), bytes: bytes.to_vec() };
        let _ = self.run.judged_files.set(files.map(judged).collect());
    }

    /// From here on, what the program cannot do is answered as [`Failures::CLOSED`] says.
    pub fn close_on_failure(&self) {
        self.run.closed.store(true, Ordering::Relaxed);
    }

    /// The value of one of [`Program::settings`], if its flag was given.
    pub fn setting(&self, name: &str) -> Option<&'static str> {
        self.run.setting(name)
    }

    /// To be called before the work touches a file or waits for anything: from here on the deadline is watched.
    ///
    /// Does not return when that is impossible; the process then ends with what is documented for an internal error.
    pub fn may_block(&self) {
        if let Err(cause) = self.run.watch() {
            self.run.give_up(&cause);
        }
    }
}

/// The whole `main` of a hook.
pub fn run(program: &'static Program) -> ExitCode {
    // A host writes a payload and reads an answer: it gives no terminal as both. A person waits for neither.
    if std::env::args_os().len() <= 1 && io::stdin().is_terminal() && io::stdout().is_terminal() {
        return cli::at_a_terminal(program);
    }
    let options = match arguments::sort(std::env::args_os(), program.settings, program.deadline) {
        Arguments::Hook(options) => options,
        Arguments::Cli(arguments) => match cli::serve(program, arguments) {
            cli::Wish::Hook(options) => options,
            cli::Wish::Served(code) => return code,
        },
    };
    // Leaked, as is the input: both live as long as the process, and its three ways to answer share them.
    let run = Box::leak(Box::new(Run::new(program, options)));
    panics::answer_the_host(run);
    let answer = run.judge();
    let exit = run.outlet.send(&answer);
    // First the host has its answer: a record on a slow disk must not hold it up.
    run.bear_witness(&answer, exit);
    exit.into()
}

/// One call of a hook.
#[derive(Debug)]
pub(crate) struct Run {
    program: &'static Program,
    options: Options,
    deadline: Instant,
    /// Whether a watchdog runs.
    watched: AtomicBool,
    /// Whether a failure closes, though the program says open.
    closed: AtomicBool,
    /// When the work has to be done, known as soon as the input is there.
    work_deadline: OnceLock<Instant>,
    /// Whether that does not count any more.
    takes_longer: AtomicBool,
    /// Whether the work was begun.
    judged: AtomicBool,
    /// What the work has to say on stderr.
    trouble: OnceLock<String>,
    /// What the host receives in place of the verdict.
    said: OnceLock<Verdict>,
    /// The approval that was offered or used.
    approval: OnceLock<Approval>,
    /// Why the call goes through, where what it would lose was saved.
    kept: OnceLock<Reason>,
    /// The files that were read because the call would run them.
    judged_files: OnceLock<Vec<JudgedFile>>,
    /// How many bytes arrived on stdin.
    received: AtomicUsize,
    /// The payload, once it has arrived whole.
    input: OnceLock<&'static [u8]>,
    /// Known as soon as the payload is parsed.
    event: OnceLock<Event<'static>>,
    outlet: Outlet,
}

impl Run {
    fn new(program: &'static Program, options: Options) -> Self {
        // From the start of the process, not of the work: the host's clock runs since then, too.
        let deadline = Instant::now() + options.deadline;
        Self {
            program,
            options,
            deadline,
            watched: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            work_deadline: OnceLock::new(),
            takes_longer: AtomicBool::new(false),
            judged: AtomicBool::new(false),
            trouble: OnceLock::new(),
            said: OnceLock::new(),
            approval: OnceLock::new(),
            kept: OnceLock::new(),
            judged_files: OnceLock::new(),
            received: AtomicUsize::new(0),
            input: OnceLock::new(),
            event: OnceLock::new(),
            outlet: Outlet::default(),
        }
    }

    /// How long the call has taken so far.
    pub(crate) fn elapsed(&self) -> Duration {
        (Instant::now() + self.options.deadline).saturating_duration_since(self.deadline)
    }

    /// The value of one of the program's settings, if its flag was given.
    pub(crate) fn setting(&self, name: &str) -> Option<&'static str> {
        // The last one counts where a flag is given twice.
        let given = self.options.settings.iter().rev().find(|(known, _)| *known == name);
        given.map(|(_, value)| *value)
    }

    /// The approval that was offered or used.
    pub(crate) fn approval(&self) -> Option<&Approval> {
        self.approval.get()
    }

    /// Why the call goes through, where what it would lose was saved.
    pub(crate) fn kept(&self) -> Option<&Reason> {
        self.kept.get()
    }

    /// The files that were read because the call would run them.
    pub(crate) fn judged_files(&self) -> &[JudgedFile] {
        self.judged_files.get().map_or(&[], Vec::as_slice)
    }

    /// Whether a person tries this call out.
    pub(crate) fn is_drill(&self) -> bool {
        self.input.get().is_some_and(|input| drill::is_marked(input))
    }

    pub(crate) fn program(&self) -> &'static Program {
        self.program
    }

    /// When the answer must have left the process.
    pub(crate) fn deadline(&self) -> Instant {
        let work = self.work_deadline.get().filter(|_| !self.takes_longer.load(Ordering::Relaxed));
        work.map_or(self.deadline, |work| self.deadline.min(*work))
    }

    /// What passed when [`Run::deadline`] did.
    pub(crate) fn overrun(&self) -> Cause {
        match (self.work_deadline.get(), self.program.work_limit) {
            (Some(_), Some(limit)) if self.deadline() < self.deadline => Cause::WorkLimit(limit),
            _ => Cause::Deadline,
        }
    }

    /// From here on, the deadline is watched by a thread.
    fn watch(&'static self) -> Result<(), Cause> {
        if self.watched.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        stream::survive_file_size_limit();
        watchdog::start(self).map_err(|error| Cause::NoWatchdog(error.to_string()))
    }

    /// Answers with what is documented for `cause`, and ends the process.
    pub(crate) fn give_up(&self, cause: &Cause) {
        let answer = self.failure(cause);
        let exit = self.outlet.send(&answer);
        self.bear_witness(&answer, exit);
        if matches!(cause, Cause::Deadline | Cause::WorkLimit(_)) {
            thread::sleep(self.program.linger);
        }
        ending::exit(exit);
    }

    /// Tells the program's witness. The host has its answer: nothing that happens here can change it.
    fn bear_witness(&self, answer: &Answer, exit: u8) {
        if let Some(witness) = self.program.witness {
            stream::survive_file_size_limit();
            let received = self.received.load(Ordering::Relaxed);
            let outcome = Outcome {
                run: self,
                event: self.event.get(),
                verdict: &answer.verdict,
                failure: answer.failure,
                enforced: self.options.mode == Mode::Enforce,
                judged: self.judged.load(Ordering::Relaxed),
                received,
                exit,
            };
            if let Err(trouble) = witness(&outcome) {
                stream::write_stderr(format!("{}: {trouble}\n", self.program.name).as_bytes());
            }
        }
        self.outlet.settle();
    }

    /// Everything between stdin and stdout.
    fn judge(&'static self) -> Answer {
        // Without a time limit for reading, only a second thread can answer a host that never closes stdin.
        if !stream::CAN_WAIT
            && let Err(error) = watchdog::start(self)
        {
            return self.failure(&Cause::NoWatchdog(error.to_string()));
        }
        let input = match self.read() {
            Input::Whole(input) => input,
            Input::TooLarge(size) => {
                self.received.store(size, Ordering::Relaxed);
                return self.failure(&Cause::TooLarge);
            }
            Input::Failed(error) => return self.failure(&Cause::Stdin(error.to_string())),
            Input::Unfinished(input) => {
                self.received.store(input.len(), Ordering::Relaxed);
                // The payload may be complete all the same, and tell in which dialect to answer.
                if let Ok(event) = self.parse(input.leak()) {
                    let _ = self.event.set(event);
                }
                return self.failure(&Cause::StdinOpen);
            }
        };
        // From here on only: how long a crowded machine takes for the payload says nothing about the work.
        if let Some(limit) = self.program.work_limit {
            let _ = self.work_deadline.set(Instant::now() + limit);
        }
        let can_take_long = self.program.work == Work::MayBlock || input.len() > BOUNDED_INPUT;
        if can_take_long && let Err(cause) = self.watch() {
            return self.failure(&cause);
        }
        self.received.store(input.len(), Ordering::Relaxed);
        // Never freed: the event borrows from it, and the watchdog may still answer with the event.
        let input = self.input.get_or_init(|| input.leak());
        match self.parse(input) {
            Ok(event) => {
                let event = self.event.get_or_init(|| event);
                // From here on the work itself vouches for its record; the witness adds none for what was judged.
                self.judged.store(true, Ordering::Relaxed);
                let verdict = (self.program.decide)(event, &Context { run: self });
                let trouble = self.trouble.get().map(|trouble| format!("{}: {trouble}", self.program.name));
                self.answer(verdict, self.said.get(), trouble)
            }
            Err(error) => self.failure(&Cause::Payload(error)),
        }
    }

    /// Stdin to its end. Whoever is never in the way takes a whole payload as it is while the host leaves stdin open;
    /// whoever decides waits for more, as what follows would make the payload unreadable.
    fn read(&self) -> Input {
        let mut input = Vec::new();
        loop {
            let until = match self.program.on_failure {
                Failures::OPEN => self.deadline.min(Instant::now() + STILL_OPEN),
                _ => self.deadline,
            };
            match input::read(input, until) {
                Input::Unfinished(read)
                    if payload::parse(&read, self.hints()).is_ok() && until < self.deadline =>
                {
                    return Input::Whole(read);
                }
                Input::Unfinished(read) if until < self.deadline => input = read,
                ended => return ended,
            }
        }
    }

    fn hints(&self) -> Hints {
        // Flags only fill gaps: a payload that names its host and event wins.
        Hints { host: self.options.host, event: self.options.event }
    }

    fn parse(&self, input: &'static [u8]) -> Result<Event<'static>, PayloadError> {
        let mut event = payload::parse(input, self.hints());
        if let Ok(event) = &mut event {
            event.look_for_person(person::SEARCH);
        }
        event
    }

    /// What is said to a host that ends its run when a question reaches no one, or lets an application answer it: a denial.
    fn asked(&self, verdict: Verdict) -> Verdict {
        let asks = matches!(verdict, Verdict::Decide { decision: Decision::Ask, .. });
        match self.event.get() {
            Some(event)
                if asks
                    && matches!(event.asking(), Asking::AtTerminal | Asking::ByOwnClient)
                    && !event.reach().holds() =>
            {
                payload::unasked(verdict)
            }
            _ => verdict,
        }
    }

    /// The documented answer for `cause`.
    fn failure(&self, cause: &Cause) -> Answer {
        let Self { program, options, .. } = self;
        let deadline_ms = options.deadline.as_millis();
        let failures =
            if self.closed.load(Ordering::Relaxed) { Failures::CLOSED } else { program.on_failure };
        let verdict = cause.verdict(program.name, deadline_ms, failures, &self.address());
        let trouble = cause.sentence(program.name, deadline_ms);
        Answer { failure: Some(cause.rule()), ..self.answer(verdict, None, Some(trouble)) }
    }

    /// `verdict` in the host's dialect, or what is said in its place; `trouble` goes to stderr where nothing else does.
    fn answer(&self, verdict: Verdict, said: Option<&Verdict>, trouble: Option<String>) -> Answer {
        let verdict = self.asked(verdict);
        let said = said.map(|said| self.asked(said.clone()));
        let address = self.address();
        let name = self.program.name;
        let enforced = self.options.mode == Mode::Enforce;
        let reply = match (enforced, payload::render(said.as_ref().unwrap_or(&verdict), &address)) {
            (true, Ok(reply)) => reply,
            (false, Ok(_)) => observed(name, &verdict),
            (true, Err(error)) => return self.unsayable(verdict, &Cause::Unsayable(error.to_string())),
            (false, Err(error)) => Reply { stderr: format!("{name} (observe): {error}"), ..Reply::nothing() },
        };
        let mut answer = Answer {
            reply,
            holds_back: enforced && self.may_stop_calls() && holds_back(&verdict).is_some(),
            verdict,
            failure: None,
        };
        // One line is enough: a reason is already there where a call is held back.
        if let Some(trouble) = trouble
            && answer.reply.stderr.is_empty()
        {
            answer.reply.stderr = trouble;
        }
        answer
    }

    /// The answer when a verdict has no form in the host's dialect: the exit code alone, which every host obeys.
    fn unsayable(&self, verdict: Verdict, cause: &Cause) -> Answer {
        let sentence = cause.sentence(self.program.name, self.options.deadline.as_millis());
        let reply = match holds_back(&verdict).filter(|_| self.may_stop_calls()) {
            Some(reason) => {
                Reply { stdout: String::new(), stderr: format!("{} {sentence}", reason.render()), exit: STOP }
            }
            None => Reply { stderr: sentence, ..Reply::nothing() },
        };
        Answer { reply, holds_back: false, verdict, failure: Some(cause.rule()) }
    }

    /// Whether the exit code may say what stdout cannot: not for a hook that is never in the way.
    fn may_stop_calls(&self) -> bool {
        self.program.on_failure != Failures::OPEN || self.closed.load(Ordering::Relaxed)
    }

    /// Where the answer goes, as far as that is known by now.
    fn address(&self) -> Address<'static> {
        if let Some(event) = self.event.get() {
            return event.address();
        }
        // Known from the flags alone: a panic before the payload is parsed still speaks the host's dialect.
        let unknown = Address::unknown();
        let kind = self.options.event.unwrap_or(unknown.kind);
        Address {
            host: self.options.host.unwrap_or(unknown.host),
            kind,
            name: kind.as_str().into(),
            ..unknown
        }
    }
}

/// The reason of a verdict that holds something back.
pub(crate) fn holds_back(verdict: &Verdict) -> Option<&Reason> {
    match verdict {
        Verdict::Decide { decision: Decision::Deny | Decision::Ask, reason } | Verdict::Block { reason } => {
            Some(reason)
        }
        _ => None,
    }
}

/// The answer of a hook that only watches: nothing to the host, everything to stderr.
fn observed(name: &str, verdict: &Verdict) -> Reply {
    let stderr = match verdict {
        Verdict::Decide { decision, reason } => {
            format!("{name} (observe): would {}: {}", decision.as_str(), reason.render())
        }
        Verdict::Block { reason } => format!("{name} (observe): would block: {}", reason.render()),
        Verdict::Rewrite { said, .. } => format!("{name} (observe): would rewrite: {}", said.render()),
        Verdict::NoOpinion => String::new(),
        _ => format!("{name} (observe): would add text or change the call"),
    };
    Reply { stderr, ..Reply::nothing() }
}
