//! The words in which the file of a host says what a call needs to know of it.

use crate::asking::Asking;
use crate::field::Field;
use crate::host::Dialect;
use crate::kind::EventKind;
use crate::verdict::Decision;

/// What a call needs to know of a host.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Traits {
    /// The dialects in which it writes payloads and reads answers; the first is the usual one.
    pub dialects: &'static [Dialect],
    /// What becomes of `ask` before a tool, by permission mode, and how that is known. `*` is every other mode, and payloads
    /// that name none: those of VS Code, Copilot and Gemini, so that "autopilot" and `--yolo` do not show.
    pub asking: &'static [(&'static str, Asking, &'static str)],
    /// The permission mode in which it runs commands that change its own settings in the repository though a hook asks.
    pub unasked_about_settings: Option<&'static str>,
    /// How to tell whether a person answers its questions.
    pub attended: Attended,
    pub(crate) answers: Answers,
    /// Where its payloads keep what others have at the top.
    pub(crate) envelope: Option<&'static Envelope>,
    /// Tools whose commands are bash's on every system, beside those that are called so.
    pub(crate) posix_tools: &'static [&'static str],
    /// It calls its PowerShell tool `Bash` in `PascalCase` payloads.
    pub(crate) renames_power_shell: bool,
    /// `-` stands between an MCP server's name and the tool's.
    pub(crate) dashed_servers: bool,
    /// The session that a sub-agent's payloads name is that of the agent that started it.
    pub subagents_in_session: bool,
    /// It tells of no tool that types into a running shell, so that silence proves nothing.
    pub silent_typing: bool,
    /// It does not wait for the hooks after a tool: what they say comes late, and what they note may not stand yet when the
    /// agent stops.
    pub unawaited: bool,
    /// Tools whose file is not on the disk yet when the hooks after them are called.
    pub announces: &'static [&'static str],
    /// The log of a session that payloads name has a line of JSON for the start and the end of each call.
    pub logs_calls: bool,
    /// Where it keeps the log of a session that payloads do not name, below its folder: before the session's id.
    pub session_log: Option<&'static str>,
    /// Its sub-agents.
    pub agents: Agents,
    /// That by which an agent would get rid of its guard.
    pub kept: Kept,
}

/// Where the payloads of a host keep what others have at the top.
#[derive(Debug)]
pub(crate) struct Envelope {
    /// A field, and a path to it from the top, of which the first counts that is there: `tool_info.cwd`. The empty path is
    /// the whole payload.
    pub(crate) fields: &'static [(Field, &'static str)],
    /// Events that are about one kind of tool and do not name it: the event, and the tool as JSON.
    pub(crate) tools: &'static [(&'static str, &'static str)],
    /// Its main agent has an id as well: a sub-agent is one that has a parent.
    pub(crate) names_main_agent: bool,
}

impl Envelope {
    pub(super) const NONE: Self = Self { fields: &[], tools: &[], names_main_agent: false };
}

/// The answers of a host that has a form of its own.
#[derive(Debug)]
pub(crate) struct Own {
    /// What is said before a tool where there is nothing to say.
    pub(crate) nothing: &'static [Word],
    pub(crate) deny: &'static [Word],
    /// Empty where it cannot ask.
    pub(crate) ask: &'static [Word],
    pub(crate) blocks: &'static [(EventKind, &'static [Word])],
    /// The key of a context, on the events that take one.
    pub(crate) context: &'static str,
}

/// A member of an answer.
#[derive(Debug)]
pub(crate) enum Word {
    Is(&'static str, &'static str),
    Flag(&'static str, bool),
    /// The reason.
    Reason(&'static str),
}

/// The files, switches and programs of a host by which an agent would get rid of its guard. Lists are text, so that those
/// of all hosts can be put together while compiling: lines of paths, in which `*` stands for anything in one name and `**`
/// for everything below, or words.
#[derive(Debug)]
pub struct Kept {
    /// Its program.
    pub program: &'static str,
    /// The last part of its package's name, where that is another.
    pub package: &'static str,
    /// The variable that puts its folder elsewhere, and the folder's usual name in the home folder.
    pub moved: Option<(&'static str, &'static str)>,
    /// Words that stand in the names of its files, and without which a search is about something else.
    pub words: &'static str,
    /// Variables that decide from where it takes its hooks, or whether it asks at all.
    pub variables: &'static str,
    /// The administrator's files, from the root of the file system.
    pub machine: &'static str,
    /// The user's, from the home folder.
    pub user: &'static str,
    /// What it writes while it works, and what people tell the model: not kept, though it lies in `user`.
    pub everyday: &'static str,
    /// A repository's, each after how a change is judged: `whole` any change counts, `switches` changes of some keys,
    /// `editor` of others, `agent` those of an agent's head, `tasks` those that run by themselves.
    pub project: &'static str,
    /// What takes hooks or questions away, in the words of the crate `rules`, `guard/switches`.
    pub switches: &'static str,
}

/// How to tell whether a person answers a host's questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attended {
    /// Nothing says so.
    Unsaid,
    /// Unless a variable has this value.
    Unless(&'static str, &'static str),
    /// With a terminal.
    WithTerminal,
}

/// The sub-agents of a host.
#[derive(Debug)]
pub struct Agents {
    /// Those that it brings with it, separated by spaces.
    pub own: &'static str,
    /// How it compares a name.
    pub compared: Compared,
    /// A call without a name starts one of its own.
    pub has_default: bool,
    /// Where it looks for definitions.
    pub places: &'static [AgentPlace],
}

/// A place in which a host looks for definitions of agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentPlace {
    pub below: Root,
    pub path: &'static str,
    pub form: AgentForm,
}

/// What a path begins from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// The repository and every folder in it down to the one at work.
    Repository,
    /// The user's home folder.
    Home,
}

/// What lies in a place of agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentForm {
    /// Markdown files with a head.
    Markdown,
    /// TOML files of one agent each.
    Toml,
    /// One TOML file with tables.
    Tables,
    /// Folders of plugins, of which those that are called `agents` hold Markdown files.
    Plugins,
}

impl AgentForm {
    pub(super) const fn of_repository(self, path: &'static str) -> AgentPlace {
        AgentPlace { below: Root::Repository, path, form: self }
    }

    pub(super) const fn of_user(self, path: &'static str) -> AgentPlace {
        AgentPlace { below: Root::Home, path, form: self }
    }
}

/// How a host compares the name of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    Exactly,
    AnyCase,
    /// Without case, spaces and dashes.
    Folded,
}

/// Which answers a host obeys, and where it looks for them.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Answers {
    pub(crate) ask: Ask,
    pub(crate) allow: Allow,
    /// It has permission requests outside the flat dialect.
    pub(crate) requests: bool,
    /// Events on which it obeys a block.
    pub(crate) blocks: &'static [EventKind],
    /// Events on which it takes context.
    pub(crate) context: &'static [EventKind],
    /// In the timed dialect, a stop's block and context are said at the top and nested: VS Code reads the one nested,
    /// Copilot at the top, and neither minds the other.
    pub(crate) both_places: bool,
    pub(crate) rewrite: Option<Rewrite>,
    /// It shows the reason of a question before a tool as Markdown.
    pub(crate) asks_in_markdown: bool,
    /// It shows a `systemMessage`.
    pub(crate) notices: bool,
    /// Of several hooks the decision of the last counts, so that a denial before a tool has to say `continue: false` as
    /// well: an `allow` does not lift that.
    pub(crate) last_counts: bool,
    /// The decisions before a tool whose reasons it joins where several hooks decide so; of others it shows one.
    pub(crate) joins: &'static [Decision],
    /// The members of its answers, in [`Dialect::Own`].
    pub(crate) own: Option<&'static Own>,
    /// A denial ends with exit code 2 and has its reason on stderr as well: of JSON it is not sure, or sure not.
    pub(crate) exits: bool,
}

/// How an `ask` before a tool is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// It makes the tool run.
    Never,
    Nested,
    /// As a top-level `decision`.
    Top,
}

/// Which calls a host may be answered `allow`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Allow {
    Never,
    /// To permission requests.
    OnRequest,
    Always,
}

/// How a host takes the new input of a tool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rewrite {
    /// The key in `hookSpecificOutput`.
    pub(crate) key: &'static str,
    /// Only with an approval, or only without.
    pub(crate) only: Option<bool>,
    /// Without an approval it also needs `modifiedArgs`.
    pub(crate) modified_args: bool,
}

/// A host of which nothing but its forms is known.
pub(super) const PLAIN: Traits = Traits {
    dialects: &[],
    asking: &[],
    unasked_about_settings: None,
    attended: Attended::Unsaid,
    answers: USUAL,
    envelope: None,
    posix_tools: &[],
    renames_power_shell: false,
    dashed_servers: false,
    subagents_in_session: false,
    silent_typing: false,
    unawaited: false,
    announces: &[],
    logs_calls: false,
    session_log: None,
    agents: NO_AGENTS,
    kept: NOTHING_KEPT,
};

/// What most hosts obey.
pub(super) const USUAL: Answers = Answers {
    ask: Ask::Nested,
    allow: Allow::Always,
    requests: true,
    blocks: &[EventKind::Stop, EventKind::SubagentStop, EventKind::UserPromptSubmit, EventKind::PostToolUse],
    context: &[
        EventKind::SessionStart,
        EventKind::UserPromptSubmit,
        EventKind::PostToolUse,
        EventKind::PreToolUse,
        EventKind::SubagentStart,
    ],
    both_places: false,
    rewrite: Some(NESTED),
    asks_in_markdown: false,
    notices: true,
    last_counts: false,
    joins: &[],
    own: None,
    exits: false,
};

pub(super) const NESTED: Rewrite = Rewrite { key: "updatedInput", only: None, modified_args: false };

pub(super) const NO_AGENTS: Agents =
    Agents { own: "", compared: Compared::Exactly, has_default: false, places: &[] };

pub(super) const NOTHING_KEPT: Kept = Kept {
    program: "",
    package: "",
    moved: None,
    words: "",
    variables: "",
    machine: "",
    user: "",
    everyday: "",
    project: "",
    switches: "",
};

/// What the payload of an unknown host allows to say.
pub(super) static UNKNOWN: Traits = Traits {
    dialects: &[Dialect::Unknown],
    answers: Answers { allow: Allow::Never, both_places: true, ..USUAL },
    // Any host may be meant, the most lenient among them.
    agents: Agents { compared: Compared::AnyCase, ..NO_AGENTS },
    ..PLAIN
};
