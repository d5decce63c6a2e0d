//! What is known of one host: the words in which a file of [`crate::hosts`] writes it down.

use std::fmt;
use std::ops::Deref;
use std::time::Duration;

use payload::{Dialect, EventKind, Host};
use serde_json::Value;

use crate::failing::{Failing, Row};
use crate::layout::Layout;
use crate::managed::{Managed, Store};
use crate::matcher::{Engine, Flaw, Matcher};
use crate::place::{Base, Folders, Format, Place, Scope};
use crate::standing::Remark;
use crate::tools::{Deed, Use};

/// A program that runs hooks, where it behaves in one way.
#[derive(Clone, Copy)]
pub struct Product(pub(crate) &'static Record);

impl Deref for Product {
    type Target = Record;

    fn deref(&self) -> &Record {
        self.0
    }
}

impl PartialEq for Product {
    fn eq(&self, other: &Self) -> bool {
        // A record holds functions, which cannot be compared.
        self.name == other.name
    }
}

impl Eq for Product {}

impl fmt::Debug for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Something known, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fact<T> {
    /// What is known.
    pub value: T,
    /// How: `run` of a recorded version, `source` that was read, or `docs`.
    pub source: &'static str,
}

/// In which order the hooks of one event run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// One after the other, all of them.
    EachInTurn,
    /// One after the other, up to the first that denies, asks or fails.
    UntilFirstNo,
    /// All at the same time.
    AtOnce,
}

/// Whose words or whose input count where several hooks of an event have some.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// The first in the host's order.
    First,
    /// The last in it.
    Last,
    /// The one that answers last: with hooks that run at once, a race.
    LastToAnswer,
    /// All of them.
    All,
}

/// Which hook decides about a permission request where several have something to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permits {
    /// The strictest answer.
    Strictest,
    /// The last answer in the host's order: an allow overrides a denial before it.
    Last,
    /// The answer that comes first: with hooks that run at once, a race.
    FirstToAnswer,
}

/// In what a bare number of an entry's time limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
}

/// Which values a time limit may have; what one does that is none of them is for [`BadEntry`] to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitValue {
    /// Any number.
    Number,
    /// Any number; what is not one is as if it were not there.
    NumberOrAbsent,
    /// A number above 0.
    AboveZero,
    /// A whole number written without a fraction, or `null` for none.
    Whole,
}

/// Which JSON a configuration may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// JSON and nothing else; a byte order mark is wrong, too.
    Strict,
    /// JSON and nothing else, but for a byte order mark in front.
    StrictAfterMark,
    /// JSON with comments; a trailing comma or a byte order mark keeps the host from starting.
    CommentsOnly,
    /// JSON with comments; a trailing comma voids the file.
    CommentsAfterMark,
    /// JSON with comments and trailing commas.
    Comments,
}

/// What one entry that makes no sense does to its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadEntry {
    /// Nothing: it is left out.
    Skipped,
    /// None of the file's hooks run.
    DropsFile,
    /// None of the file's hooks run when the event is one that decides about calls; otherwise it is left out.
    DropsFileOfGuards,
}

/// The form of an event's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nesting {
    /// Groups with `hooks` in them only.
    Groups,
    /// Groups, and entries that are a hook themselves.
    Either,
}

/// How long a host waits for a hook that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Not at all.
    ForTheProcess,
    /// Until the last process that holds its stdout or stderr is gone.
    ForItsOutput,
}

/// How an event's key decides the form of its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speech {
    /// It does not: there is one form.
    One(Dialect),
    /// A camelCase key means the flat form, a `PascalCase` key the other one, but for these events, which are always flat.
    ByCasing(&'static [EventKind]),
}

/// What a variable is set to that a host sets for its hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variable {
    /// Always this.
    Text(&'static str),
    /// This when a session starts; otherwise it is not set.
    AtSessionStart(&'static str),
    /// The project's root.
    Project,
    /// The folder of the file in which the hook stands.
    HookFolder,
    /// The session.
    Session,
    /// The working folder.
    Cwd,
    /// The host's version.
    Version,
}

/// With which `PATH` a host starts hooks when it was not started in a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// That of the user's login shell, which it asks.
    LoginShell,
    /// What the desktop gave it.
    Desktop,
    /// That of another machine.
    Elsewhere,
}

/// When a host asks for permission, and calls the hooks for that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// It has no such event.
    Never,
    /// Where its own rules would ask the user, unless a hook allowed the call.
    Gated,
    /// The same, whatever hooks allowed, and only where a person is there.
    GatedAtTerminal,
    /// For every call that does not only read.
    Changes,
}

/// What a host's own rules say about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// It runs.
    Open,
    /// The user is asked; a hook's allow answers for them.
    Asks,
    /// The user is asked, whatever a hook before the tool allows.
    AsksAnyway,
    /// It does not run unless a hook allows it, and no one is asked.
    Refuses,
    /// It runs where it cannot write.
    Sandboxed,
}

/// One of a host's permission modes.
#[derive(Debug, PartialEq, Eq)]
pub struct Mode {
    /// In the host's word.
    pub name: &'static str,
    /// For its shell tool.
    pub shell: Gate,
    /// For its tools that change files.
    pub edits: Gate,
    /// For tools that are not its own, of MCP servers.
    pub others: Gate,
}

pub(crate) const fn mode(name: &'static str, shell: Gate, edits: Gate) -> Mode {
    Mode { name, shell, edits, others: shell }
}

/// For which failures a host has an event of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failures {
    /// None: one event for both.
    None,
    /// Errors of the tool itself.
    Tool,
    /// Those, and commands that end with an exit code other than 0.
    Command,
}

/// What `disableAllHooks` does in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disable {
    /// No hook of the file runs.
    File,
    /// No hook runs but managed ones, of whatever file.
    Everything,
    /// Nothing, in such a file.
    Ignored(&'static str),
    /// Nothing: the host does not know it.
    Unknown,
}

/// What only some hosts do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quirk {
    /// No one is ever there to be asked.
    NobodyToAsk,
    /// An `allow` does not lift the host's own rules.
    AllowKeepsGate,
    /// A block after a tool is added to the tool's result instead of replacing it.
    BlockKeepsResult,
    /// A question that reaches no one ends the run.
    UnansweredEndsRun,
    /// The tools that would be asked about are taken away from a headless run.
    ToolsNeedPerson,
    /// An `allow` lifts the host's own rules for commands, not for edits.
    AllowLiftsShellOnly,
    /// Where a hook blocks after a tool, what other hooks add is lost.
    BlockHidesContext,
    /// Answers about a prompt, a stop or a permission are joined field by field: the last one counts.
    JoinsByField,
    /// Reasons are shown whatever the hook decided, where another one objects.
    ShowsEveryReason,
    /// The reason of a question reaches the person alone, whatever they answer.
    AsksPersonAlone,
    /// A call that the person skips has a result, and the hooks after a tool are called for it.
    SkippedHasResult,
    /// `continue: false` before a tool keeps the call from running, and the turn goes on.
    AbortRefusesCall,
    /// Of several questions, and of several objections to a tool's result, the first is shown.
    ShowsFirstQuestion,
    /// Of several equal reasons to go on, one is shown.
    ShowsReasonOnce,
    /// A changed input is handed to the next hook.
    HandsInputOn,
    /// Hooks run in the session's folder, not in the project's root.
    RunsInSessionFolder,
    /// `~/` at the start of an entry's `cwd` is the user's home.
    ExpandsTilde,
    /// On Windows, too, hooks run in the shell of other systems.
    SameShellOnWindows,
    /// `env` is taken literally.
    EnvIsLiteral,
    /// An entry without a command for this system is left out; other hosts deny every call then.
    SkipsOtherSystems,
    /// A file that is not its JSON keeps the host from starting.
    RefusesToStart,
    /// Of its files, in its order, only the first that is there is read.
    ReadsFirstFile,
    /// `version` has to be the number 1.
    ReadsVersion,
    /// An event whose value is not an array drops the file, though a bad entry does not.
    EventShapeDropsFile,
    /// Of an event in two casings only the later runs.
    LaterCasingCounts,
    /// `matcher` is not looked at.
    IgnoresMatchers,
    /// Where it asks for permission, a slash stands between an MCP server's name and the tool's, not a dash.
    AsksWithSlash,
    /// Every value of a settings file is checked, and `allowManagedHooksOnly` is read.
    ChecksSettings,
    /// Hooks are skipped until a person has reviewed them, and nothing tells whether one has.
    ReviewsHooks,
    /// It has a form that a desktop starts.
    OnDesktop,
    /// Exit code 2 needs text on stderr, even beside an answer.
    ExitNeedsText,
    /// Exit code 2 hides the answer's reason.
    ExitHidesReason,
    /// `hookSpecificOutput` needs `hookEventName`.
    NeedsEventName,
    /// `decision` at the top level knows deny, allow and ask.
    DecidesAtTop,
    /// An `ask` makes the tool run.
    CannotAsk,
    /// A block needs a reason.
    BlockNeedsReason,
    /// The decision about a stop is read in `hookSpecificOutput`.
    StopDecidesNested,
    /// No context is taken before a tool.
    NoContextBeforeTool,
    /// Stop hooks are called for sub-agents, too; a block does not hold one of those.
    StopsSubAgents,
    /// The limit of stops is not for sub-agents: a hook can hold one for ever.
    SubAgentsHaveNoLimit,
    /// What a sub-agent receives is a prompt, about which hooks are asked.
    PromptsSubAgents,
    /// A changed input that is not an object does not count, and takes back one before it.
    ChangesByObject,
    /// A changed input that is `null`, false, 0 or empty changes nothing, and takes nothing back.
    ChangesByTruth,
    /// A changed input that its tool does not take fails before anyone is asked.
    ChecksChanges,
    /// Its shell tool refuses an empty command.
    EmptyCommandFails,
    /// It looks at no value of an entry before it uses it.
    TakesAnyValue,
    /// A value of another type than its key's is as if it were not there.
    IgnoresOtherTypes,
    /// `"matcher": null` is as if it were not there.
    NullMatcherIsNone,
    /// A time limit beyond what its timers hold ends at once.
    TimersOverflow,
    /// What a stop hook says is a prompt, about which hooks are asked again.
    StopReasonIsPrompt,
}

/// What people call the form of a host's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schema {
    pub name: &'static str,
    /// What has it.
    pub about: &'static str,
    pub title: &'static str,
}

/// What a payload says, for a host that writes it in a form of its own.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    pub kind: EventKind,
    /// The event's key.
    pub key: &'a str,
    pub cwd: &'a str,
    pub session: &'a str,
    /// The tool's name and input; empty and `null` where the event is about none.
    pub tool: (&'a str, &'a Value),
    /// What the tool returned.
    pub result: &'a Value,
    pub prompt: &'a str,
    /// Whether a stop hook made the agent go on already.
    pub goes_on: bool,
}

/// How a host writes what most hosts write alike: its files, its entries and its payloads.
#[derive(Debug, Clone, Copy)]
pub struct Written {
    /// How hooks stand in its files.
    pub layout: Layout,
    /// The number that its files have as `version`.
    pub version: Option<u32>,
    /// The key of an entry that makes a hook deny when it fails.
    pub closes: Option<&'static str>,
    /// The folder of scripts, where a command has to be the path of one: below that of its files.
    pub scripts: Option<&'static str>,
    /// What commands of ours need besides, as its payloads do not tell; `$EVENT` stands for the event.
    pub arguments: &'static str,
    /// Events that are called for some tools only, by the tools' names; one without names is for those that no other event
    /// of its kind is for.
    pub of_tools: &'static [(&'static str, &'static [&'static str])],
    /// Its payloads, where they have a form of their own.
    pub payload: Option<fn(&Said<'_>) -> Value>,
}

impl Written {
    /// As Claude Code does it.
    pub(crate) const USUAL: Self = Self {
        layout: Layout::Events,
        version: None,
        closes: None,
        scripts: None,
        arguments: "",
        of_tools: &[],
        payload: None,
    };
}

/// What is known of a host.
#[derive(Debug)]
pub struct Record {
    /// The name that a `--host` flag takes.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The host as payloads know it.
    pub host: Host,
    /// The version that was run, or whose source was read.
    pub version: &'static str,
    /// Its program, if it has one that is called from a shell.
    pub program: Option<&'static str>,
    /// Folders that it makes where a person has used it.
    pub traces: &'static [(Base, &'static str)],
    /// Where its hooks get their `PATH` from.
    pub start: Start,
    /// The folder in `configs` with what is shipped for it alone; otherwise it takes the files of `.github/hooks`.
    pub configs: Option<&'static str>,
    /// What a person does after `hook-runner init`.
    pub after_init: Option<&'static str>,
    /// What it does and most others do not.
    pub quirks: &'static [Quirk],

    /// How it writes files, entries and payloads.
    pub written: Written,
    /// Where it looks for hooks, in its order.
    pub places: &'static [Place],
    /// Where an administrator puts hooks; `None` where it reads no such files.
    pub managed: Option<Managed>,
    /// Where device management keeps its policies on macOS and Windows.
    pub store: Option<Store>,
    /// Names that look like its hook files and that no host reads, each with the right place.
    pub strays: &'static [(&'static str, &'static str)],
    /// What tells that a path is one of its files, wherever it lies: a part of it, and its end.
    pub marks: &'static [(&'static str, &'static str)],
    /// The JSON Schema of the hooks in its files, which hosts that share them use, too.
    pub schema: Option<Schema>,
    /// Hosts for which files of a format that it reads may be written.
    pub shares: &'static [(Format, &'static Record)],
    /// JSON of a configuration.
    pub syntax: Fact<Syntax>,
    /// The keys of a file with hooks in it, where any other drops the file.
    pub top_keys: Option<&'static [&'static str]>,
    /// What `disableAllHooks` does in a file.
    pub disable: fn(Scope, Format) -> Disable,
    /// What a bad entry does.
    pub bad_entry: Fact<BadEntry>,
    /// Form of the entries.
    pub nesting: Fact<Nesting>,
    /// The keys of entries and groups that it looks at, beside [`crate::keys::COMMON`].
    pub keys: &'static [&'static str],
    /// The types of hooks that it knows.
    pub kinds: &'static [&'static str],
    /// The types that it knows and leaves out.
    pub unserved: &'static [&'static str],
    /// Unit of a time limit.
    pub unit: Fact<Unit>,
    /// Time limit where the entry has none.
    pub limit: Fact<Duration>,
    /// Events with another one.
    pub limits: &'static [(EventKind, Duration)],
    /// The keys of a time limit; the first that is there counts.
    pub limit_keys: Fact<&'static [&'static str]>,
    /// Which values it takes for one.
    pub limit_value: Fact<LimitValue>,
    /// What keeps it from running hooks that it reads: of any file, of the project.
    pub standing: fn(folders: &Folders, has_hooks: bool, of_project: bool) -> Vec<Remark>,

    /// The event keys that it understands, in every casing that it takes.
    pub events: &'static [&'static str],
    /// Those for which it was never seen to call hooks.
    pub silent: &'static [EventKind],
    /// In which form it speaks.
    pub speech: Speech,
    /// What becomes of an event that stands in a file in two casings.
    pub both_casings: Option<&'static str>,
    /// For which failures of a tool it has an event of its own.
    pub failures: Failures,
    /// When it calls hooks about permissions.
    pub permission: Permission,
    /// Commands that only read, about which its own rules do not ask; those that only change files are edits to it then. Empty
    /// where it does not look into commands.
    pub reading: &'static [&'static [&'static str]],
    /// Its permission modes, as far as they were run.
    pub modes: &'static [Mode],

    /// Its tools: host-contract.md 1.6, 2.3, 3.3, 4 and 5.
    pub tools: &'static [(Use, &'static [&'static str])],
    /// Other names that a matcher may use for a tool.
    pub other_names: &'static [(&'static str, &'static [&'static str])],
    /// What stands in the name of an MCP server's tool: before the server, and between it and the tool.
    pub server_tools: (&'static str, &'static str),
    /// Its own names of tools, and those that it uses in `PascalCase` payloads.
    pub translated: &'static [(&'static str, &'static str)],
    /// How it reads a matcher.
    pub matcher: fn(&str, Dialect, EventKind) -> (Matcher, Option<Flaw>),
    /// Whose regular expressions matchers are.
    pub engine: Engine,

    /// The program and arguments before a shell command, on systems that are not Windows.
    pub shell: Fact<&'static [&'static str]>,
    /// The variables that it sets.
    pub variables: &'static [(&'static str, Variable)],
    /// A call of its own tool, as hooks see it: the tool's name and input.
    pub call: fn(Deed<'_>) -> (&'static str, Value),
    /// Fields of every payload that others do not have, but for the flat form.
    pub fields: &'static [(&'static str, &'static str)],
    /// The same in payloads of one event.
    pub event_fields: &'static [(EventKind, &'static str, &'static str)],
    /// The id of a tool call, as it writes them; `None` where payloads have none.
    pub call_id: Option<&'static str>,
    /// How a session starts, in its words; otherwise in those of the request.
    pub source: Option<&'static str>,
    /// The field of a tool's result.
    pub result: fn(&Value) -> (&'static str, Value),
    /// Order of the hooks of one event.
    pub order: Fact<Order>,
    /// Whose reason is shown where several hooks refuse a call.
    pub refusal: Fact<Counts>,
    /// The same where several object to something else.
    pub objection: Fact<Counts>,
    /// Whose changed input is used.
    pub changed: Fact<Counts>,
    /// Who decides about a permission request.
    pub permits: Fact<Permits>,
    /// Whether identical hooks run once.
    pub once: Fact<bool>,
    /// How long it waits after a hook's end.
    pub patience: Fact<Patience>,

    /// The key of a changed input in `hookSpecificOutput`.
    pub input_key: &'static str,
    /// How many times in a row a stop hook can make the agent go on; `None` is without end.
    pub stop_limit: Fact<Option<u32>>,
    /// The most characters of a hook's text that the model sees; the rest goes into a file.
    pub text_limit: Fact<Option<usize>>,
    /// What becomes of a call when its guard cannot answer.
    pub failing: &'static [Row],
}

impl Record {
    /// Whether it does what only some hosts do.
    pub fn has(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }

    /// Whether it reads settings that are another host's.
    pub fn is_guest(&self, format: Format) -> bool {
        format == Format::Settings && self.shares.iter().any(|(shared, _)| *shared == format)
    }

    /// Whether it runs on a person's machine.
    pub fn is_here(&self) -> bool {
        self.start != Start::Elsewhere
    }

    /// Where `hook-runner init` puts its hooks: the first place of the user or the project.
    pub fn place(&self, scope: Scope) -> Option<&'static Place> {
        self.places.iter().find(|place| place.scope == scope)
    }

    /// Whether it is installed here, or was used by this person: an editor's extension has no program on the `PATH`.
    pub fn is_found(&self, folders: &Folders) -> bool {
        self.program.and_then(crate::installed::on_path).is_some()
            || self.traces.iter().any(|(base, path)| folders.base(*base).join(path).is_dir())
    }

    /// The time limit of a hook without one.
    pub fn default_limit(&self, event: EventKind) -> Duration {
        let own = self.limits.iter().find(|(kind, _)| *kind == event);
        own.map_or(self.limit.value, |(_, limit)| *limit)
    }

    /// The row for one way to fail; `None` where it was not tried.
    pub fn when(&self, failing: Failing) -> Option<&'static Row> {
        self.failing.iter().find(|row| row.failing == failing)
    }

    /// Claude's name of one of its tools, where it has one.
    pub fn translate<'n>(&self, own: &'n str) -> &'n str {
        self.translated.iter().find(|(name, _)| *name == own).map_or(own, |(_, other)| other)
    }
}

/// Something known, for a record.
pub(crate) const fn fact<T>(value: T, source: &'static str) -> Fact<T> {
    Fact { value, source }
}

/// How a fact is known that was never checked.
pub(crate) const ASSUMED: &str = "assumed: nothing seen or written says otherwise";
