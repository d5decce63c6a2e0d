//! What a policy file says.
//!
//! Strings are borrowed from the file: a hook reads its policies on every call.

use std::borrow::Cow;
use std::fmt;

use chrono::NaiveDate;
use payload::{Access, ToolKind};

use crate::toml::Item;

/// A string of the file.
pub(crate) type Text<'f> = Cow<'f, str>;

/// What a rule says about what it matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// It is listed by `explain`, and nothing else happens.
    Note,
    /// It runs without a question, if everything else in the call may, too.
    Allow,
    /// It goes through once everything that it would lose has been saved; where that cannot be, it is judged without this.
    Keep,
    /// A person is asked.
    Ask,
    /// It does not run.
    Deny,
}

/// What becomes of an `ask` where no one can answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum NoPrompt {
    /// The host decides.
    None,
    /// It stays an `ask`, whatever the host makes of it.
    Ask,
    /// It becomes a denial.
    #[default]
    Deny,
}

/// Who wrote a rule; later ones have less authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The repository's file.
    Project,
    /// The user's file.
    User,
    /// The machine's files.
    System,
    /// What comes with the programs.
    BuiltIn,
}

/// A decision and who made it. Of two equal decisions the higher layer's is the greater one: who may lift it is that
/// layer's to say, and no one below takes it over by saying the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Said {
    pub(crate) effect: Effect,
    pub(crate) layer: Layer,
}

impl Said {
    pub(crate) fn of(effect: Effect, layer: Layer) -> Self {
        Self { effect, layer }
    }
}

/// A policy file.
#[derive(Debug, Default)]
pub struct Policy<'f> {
    pub defaults: Defaults,
    /// `[defaults] may`: what commands may do beside, for rules that do not say.
    pub may: May<'f>,
    /// `[system]`: what the layers below may do. Counts in the system layer only.
    pub limits: Limits,
    pub builtin: BuiltIn<'f>,
    pub environment: Environment<'f>,
    pub rules: Vec<Rule<'f>>,
    pub exceptions: Vec<Exception<'f>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Defaults {
    /// For calls that no rule speaks about: ask, deny, or nothing.
    pub unmatched: Option<Effect>,
    /// For what cannot be resolved before it runs; `None` where the file does not say.
    pub unresolved: Option<Unresolved>,
    /// What an ask becomes where no one can answer, for rules that do not say.
    pub no_prompt: Option<NoPrompt>,
}

/// What happens with a command that may be what a rule denies, but only run time tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unresolved {
    None,
    /// A person is asked.
    Ask,
    /// It does not run.
    Deny,
}

/// `[system]`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Whether a trusted project's `allow` counts.
    pub project_allow: bool,
    /// Whether exceptions of users count for rules above them.
    pub user_exceptions: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { project_allow: true, user_exceptions: true }
    }
}

/// `[builtin]`
#[derive(Debug, Clone, Default)]
pub struct BuiltIn<'f> {
    /// How strict the built-in rules are.
    pub profile: Option<rules::Profile>,
    /// Built-in rules or families with another decision; `None` switches off.
    pub rules: Vec<(Text<'f>, Option<Effect>, u32)>,
    /// Sub-agents that exist as well, although nothing here tells.
    pub agents: Vec<Text<'f>>,
    /// Whose the files are that commands run, with the pattern of their paths; the last one that matches counts.
    pub scripts: Vec<(Text<'f>, Scripts)>,
}

/// How files are judged that a command runs; the later, the stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scripts {
    /// They are not read.
    Ignore,
    /// As files that the team has committed: what is risky in them is the team's own business.
    Team,
    /// As git says: the team's where it is committed and unchanged. The default, which no file needs to say.
    ByGit,
    /// As if each had been typed.
    AsTyped,
}

/// `[environment]`: what clusters, databases, hosts, accounts and stages are, by their names.
#[derive(Debug, Clone, Default)]
pub struct Environment<'f> {
    /// Where nothing is tried out: what the built-in rules would ask about there is denied. Every layer may say so.
    pub production: Vec<Text<'f>>,
    /// What is made again at will: there a denial becomes a question, and a question nothing. A project has no say.
    pub disposable: Vec<Text<'f>>,
}

#[derive(Debug, Clone)]
pub struct Rule<'f> {
    /// Its name, such as `git.force-push`.
    pub id: Text<'f>,
    pub effect: Effect,
    pub reason: Text<'f>,
    /// What to do instead.
    pub instead: Text<'f>,
    /// Whether no layer below may except it.
    pub locked: bool,
    /// The lowest layer whose exceptions count; `None` is the default of the rule's layer.
    pub override_by: Option<Layer>,
    /// What an ask becomes where no one can answer.
    pub no_prompt: Option<NoPrompt>,
    /// The tools it looks at; empty means all.
    pub tools: Vec<ToolWord>,
    /// All of it must hold.
    pub when: When<'f>,
    /// What it matches; one of them is enough.
    pub subject: Subject<'f>,
    /// What it does not match, as an exception; the same kind as `subject`.
    pub unless: Subject<'f>,
    /// What most rules do not say.
    pub more: Option<Box<More<'f>>>,
    /// `match` and `not_match`, as they stand in the file.
    pub(crate) examples: Examples<'f>,
    /// Where it begins in the file, in bytes.
    pub at: u32,
}

/// Examples as they stand in the file; only people's commands read them.
#[derive(Clone, Default)]
pub(crate) struct Examples<'f> {
    pub(crate) matches: Vec<Item<'f>>,
    pub(crate) spares: Vec<Item<'f>>,
}

/// Without what is in them: a hook does not read them, and its rules are the same.
impl fmt::Debug for Examples<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

/// What few rules say.
#[derive(Debug, Clone, Default)]
pub struct More<'f> {
    /// `None` is what the file says for all of its rules.
    pub may: Option<May<'f>>,
    /// The form in which the command runs instead.
    pub rewrite: Option<Rewrite<'f>>,
}

/// How a command is written anew.
#[derive(Debug, Clone)]
pub struct Rewrite<'f> {
    /// Words, and what stands in their place.
    pub swap: Vec<(Text<'f>, Text<'f>)>,
    /// Words that are added.
    pub add: Vec<Text<'f>>,
    /// Whether `rm` becomes the platform's trash.
    pub trash: bool,
    /// What is decided where it cannot be rewritten.
    pub otherwise: Effect,
}

impl Default for Rewrite<'_> {
    fn default() -> Self {
        Self { swap: Vec::new(), add: Vec::new(), trash: false, otherwise: Effect::Deny }
    }
}

/// What a command may do, beside running, that a rule of `allow` is about. Without a word of it: nothing.
#[derive(Debug, Clone, Default)]
pub struct May<'f> {
    /// Variables that may be set for it: names, or `NAME=VALUE` for one in front of the program.
    pub set: Vec<Text<'f>>,
    /// The only files that it may read, by redirections and, as far as it is known, by itself.
    pub read: Vec<Text<'f>>,
    /// The only files that it may write, likewise.
    pub write: Vec<Text<'f>>,
    /// Whether some of its operands may only be known at run time. Here and below, `None` is what the file says for all.
    pub unknown: Option<bool>,
    /// Whether files of the team that it runs are its own business: what an agent has written in them is judged line by
    /// line all the same.
    pub scripts: Option<bool>,
    /// Whether it must stay inside the project: where it runs, and where the paths among its words lead.
    pub inside: Option<bool>,
}

impl May<'_> {
    pub(crate) fn unknown(&self) -> bool {
        self.unknown == Some(true)
    }

    pub(crate) fn scripts(&self) -> bool {
        self.scripts == Some(true)
    }

    pub(crate) fn is_inside(&self) -> bool {
        self.inside == Some(true)
    }
}

/// Tools by what they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolWord {
    /// Runs commands.
    Shell,
    /// Reads or searches files.
    Read,
    /// Creates or changes files.
    Write,
    /// Fetches from the network.
    Fetch,
    /// Offered by an MCP server.
    Mcp,
    /// Starts a sub-agent.
    Agent,
    Other,
}

impl ToolWord {
    /// The word for a tool's kind.
    pub fn of(kind: ToolKind) -> Self {
        match kind {
            // What is typed into a shell that runs, and a task of the editor, are commands as well.
            ToolKind::Shell | ToolKind::ShellInput | ToolKind::Task => Self::Shell,
            ToolKind::Read | ToolKind::Search => Self::Read,
            ToolKind::Create | ToolKind::Edit | ToolKind::Patch | ToolKind::Notebook | ToolKind::MakeDir => {
                Self::Write
            }
            ToolKind::Fetch => Self::Fetch,
            ToolKind::Mcp => Self::Mcp,
            ToolKind::Agent => Self::Agent,
            _ => Self::Other,
        }
    }
}

/// What a rule matches.
#[derive(Debug, Clone)]
pub enum Subject<'f> {
    /// Nothing: an `unless` that is not there, an exception without a restriction.
    Nothing,
    /// `run`: programs that will run.
    Run(Vec<Run<'f>>),
    /// `path`: files that are touched.
    Path(Vec<PathTest<'f>>),
    /// `net`: hosts that are talked to.
    Net(Vec<Net<'f>>),
    /// `mcp`: tools of MCP servers.
    Mcp(Vec<Mcp<'f>>),
    /// `agent`: sub-agents that are started.
    Agent(Vec<Agent<'f>>),
    /// `text`: regular expressions, as the last resort.
    Text(Vec<Text<'f>>),
}

/// A matcher of `run`. All that is given must match.
#[derive(Debug, Clone, Default)]
pub struct Run<'f> {
    /// Names of the program.
    pub program: Vec<Text<'f>>,
    /// Full paths of the program.
    pub program_path: Vec<Text<'f>>,
    /// Words of the sub-command, in order, past global options.
    pub sub: Vec<Text<'f>>,
    /// Sub-commands, of which one is given; of several words with blanks between.
    pub sub_any: Vec<Text<'f>>,
    /// Options of which one is given.
    pub flags_any: Vec<Text<'f>>,
    /// Options that are all given.
    pub flags_all: Vec<Text<'f>>,
    /// Options of which none is given.
    pub flags_none: Vec<Text<'f>>,
    /// Patterns of the only options that may be given, with their values where these are in the same word.
    pub flags_only: Vec<Text<'f>>,
    /// Operands of which one is given.
    pub args_any: Vec<Text<'f>>,
    /// Operands that are all given.
    pub args_all: Vec<Text<'f>>,
    /// Operands of which none is given.
    pub args_none: Vec<Text<'f>>,
    /// Variables of which one is set in front of the program.
    pub env_any: Vec<Text<'f>>,
    /// How the call is written, word for word, of which one matches; `**` at the end stands for any other words.
    pub written: Vec<Text<'f>>,
    /// Lines of words, of which one fits, as in the tables of the built-in rules (`rules::calls`).
    pub calls: Vec<Text<'f>>,
}

/// A matcher of `path`.
#[derive(Debug, Clone, Default)]
pub struct PathTest<'f> {
    /// What is done to the file; empty means anything.
    pub access: Vec<Access>,
    /// Patterns of which one matches.
    pub any: Vec<Text<'f>>,
    /// Patterns of which none may match.
    pub except: Vec<Text<'f>>,
}

/// A matcher of `net`.
#[derive(Debug, Clone, Default)]
pub struct Net<'f> {
    /// Hosts of which one matches; empty means any.
    pub hosts: Vec<Text<'f>>,
    /// Hosts of which none may match.
    pub hosts_not: Vec<Text<'f>>,
}

/// A matcher of `mcp`.
#[derive(Debug, Clone, Default)]
pub struct Mcp<'f> {
    /// Names of the server; empty means any.
    pub server: Vec<Text<'f>>,
    /// Names of the tool; empty means any.
    pub tool: Vec<Text<'f>>,
    /// Arguments with patterns of their values; all must match.
    pub args: Vec<(Text<'f>, Vec<Text<'f>>)>,
}

/// A matcher of `agent`.
#[derive(Debug, Clone, Default)]
pub struct Agent<'f> {
    /// Agents that start it; `main` is the main agent. Empty means any.
    pub caller: Vec<Text<'f>>,
    /// Agents that are started; empty means any.
    pub callee: Vec<Text<'f>>,
    /// Agents of which none is started.
    pub callee_not: Vec<Text<'f>>,
    /// Matches agents that no one has defined.
    pub known_only: bool,
    /// Whether a call without a name counts as known.
    pub allow_empty: bool,
    /// More names that are known.
    pub extra: Vec<Text<'f>>,
}

#[derive(Debug, Clone, Default)]
pub struct When<'f> {
    /// Hosts, by the name that `--host` takes.
    pub host: Vec<Text<'f>>,
    /// Permission modes.
    pub mode: Vec<Text<'f>>,
    /// The type of the agent that acts; `main` is the main agent.
    pub agent_type: Vec<Text<'f>>,
    pub branch: Vec<Text<'f>>,
    /// Folders in which the agent works.
    pub folder: Vec<Text<'f>>,
}

impl When<'_> {
    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        self.host.is_empty()
            && self.mode.is_empty()
            && self.agent_type.is_empty()
            && self.branch.is_empty()
            && self.folder.is_empty()
    }
}

#[derive(Debug, Clone)]
pub struct Exception<'f> {
    /// The rule's id, or a family with `.*`.
    pub rule: Text<'f>,
    pub reason: Text<'f>,
    /// Who answers for it; may be empty.
    pub owner: Text<'f>,
    /// The last day on which it counts.
    pub expires: NaiveDate,
    /// All of it must hold.
    pub when: When<'f>,
    /// What it is restricted to.
    pub only: Subject<'f>,
    /// Where it begins in the file, in bytes.
    pub at: u32,
}

impl Policy<'_> {
    /// Gives each rule what `[defaults] may` says and its own `may` does not.
    pub(crate) fn inherit(&mut self) {
        for may in self.rules.iter_mut().filter_map(|rule| rule.more.as_mut()?.may.as_mut()) {
            for (own, all) in [
                (&mut may.set, &self.may.set),
                (&mut may.read, &self.may.read),
                (&mut may.write, &self.may.write),
            ] {
                if own.is_empty() {
                    own.clone_from(all);
                }
            }
            may.unknown = may.unknown.or(self.may.unknown);
            may.scripts = may.scripts.or(self.may.scripts);
            may.inside = may.inside.or(self.may.inside);
        }
    }
}

impl Subject<'_> {
    /// The key in the file.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Run(_) => "run",
            Self::Path(_) => "path",
            Self::Net(_) => "net",
            Self::Mcp(_) => "mcp",
            Self::Agent(_) => "agent",
            Self::Text(_) => "text",
        }
    }

    /// Whether a matcher has lines of calls, which are not sure enough for what loosens.
    pub(crate) fn has_calls(&self) -> bool {
        matches!(self, Self::Run(tests) if tests.iter().any(|test| !test.calls.is_empty()))
    }
}

impl Effect {
    /// Whether a rule says more by it than the rules before: it must be right in every word.
    pub fn loosens(self) -> bool {
        matches!(self, Self::Allow | Self::Keep)
    }

    /// The word in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Allow => "allow",
            Self::Keep => "keep",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

impl Layer {
    /// The word for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in",
            Self::System => "system",
            Self::User => "user",
            Self::Project => "project",
        }
    }
}
