//! The arguments.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Command, CommandFactory as _, Parser, Subcommand};
use host::{Code, Product};
use payload::EventKind;
use store::settings::meant;

use crate::paint::Color;
use crate::policy::PolicyOptions;
use crate::schema::Dialect;

/// Runs, checks and installs hooks exactly as coding agents do.
#[derive(Debug, Parser)]
#[command(
    name = "hook-runner",
    version = program::VERSION,
    max_term_width = 100,
    after_help = EXIT_CODES,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub(crate) task: Task,
    /// Colours: auto, always or never
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = Color::Auto, hide_possible_values = true)]
    pub(crate) color: Color,
}

/// The whole command line. `--help` fits a screen, and `--help-all` says the rest.
pub(crate) fn command() -> Command {
    program::with_help(CommandLine::command())
}

const EXIT_CODES: &str =
    "Exit codes: 0 fine, 1 something was found or held back, 2 wrong usage or input, 3 an internal error.";

const TRUST: &str = "\
A project's hooks are code chosen by the authors of the repository. They run only when you say so: with --trust for \
this once, when asked on a terminal, or after `hook-runner trust`. Plain calls of this project's own programs \
(command-blocker and its siblings, from outside the repository) need no trust, nor do hooks of your own home folder. \
`hook-runner trust` also keeps digests of the project's hook files and policies and of the programs that they name: what \
changes later is reported when a session starts, by `doctor`, and in the audit log.";

const SESSION: &str = "\
With --session, turns are played from the first prompt to the stop: {\"prompt\": TEXT} is what the user says; {\"shell\": \
COMMAND}, {\"write\": [PATH, TEXT]}, {\"edit\": [PATH, OLD, NEW]}, {\"read\": PATH}, {\"tool\": [NAME, INPUT]} are calls; \
{\"tools\": [CALL, ...]} several at once; {\"subagent\": [TURN, ...]} a sub-agent with its own turns; {\"text\": TEXT} ends \
the turn. A call may have \"result\", \"fails\": true or \"exit\": CODE. Nothing is executed but the hooks.";

const KEPT: &str = "\
Where a policy says `keep`, or command-blocker runs with `--keep on`, what a command would lose is saved before it runs: in \
the repository below refs/policy-hooks/kept, for files elsewhere in ~/.local/state/policy-hooks/kept. It is kept for 30 \
days, up to 2 GB in all, and 256 MB for one command. `restore` keeps what it overwrites.";

const INIT: &str = "\
Without --host it installs for every host that it finds, in your own settings: for all your projects. It shows a summary \
and asks; then it calls the hooks as each host would. A preset has one program that decides: command-blocker knows the \
built-in rules, approval-gate these and your policies. --remove without --host takes everything of ours out again.\n\n\
With --machine it writes the managed settings of every host: absolute paths to programs that only root can change. A user \
can neither edit these files nor switch their hooks off, and no trust or review is needed.";

const APPROVE: &str = "\
A denial that a person may override names a code. Approving grants that exact action of that tool, once, in the same \
session, folder and host, held back only by the rules that are shown, within ten minutes. Then our hooks have \
no opinion about it; the host still asks what it asks anyway. It needs a terminal of your own: in an agent's shell it \
refuses. What is catastrophic, what protects these programs, and what an administrator locked has no code.";

const STATUS_LINE: &str = "\
It reads the JSON that Claude Code gives its status line on stdin, and nothing where stdin is a terminal or empty. It says \
whether a hook that decides is set up for the host (on, off, or observing), and what was denied last in this session, \
or else in this project. It runs no hook. `hook-runner init --user --host claude --status-line` puts it into \
Claude Code's settings.";

const CHECK: &str = "\
It runs nothing. Without a path it looks at every file that a host reads here: the project's, yours and the machine's. A \
folder is looked at as a project, without your own files. A file is looked at as the \
hosts read it whose place or form it has; a recording of `run --record` (.jsonl) for what hosts do with its answers. \
Notes are for what loses nothing, or loses it only on a host that the file was not written for.";

/// What to do, in the order in which people come to need it.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Shows which hosts are guarded here, and what is pending
    #[command(after_help = EXIT_CODES)]
    Status(StatusOptions),
    /// Shows what our hooks decide about a command, on each host
    #[command(after_help = EXIT_CODES)]
    Explain(ExplainOptions),
    /// Lists the built-in rules, or shows one
    #[command(visible_alias = "rule", after_help = EXIT_CODES)]
    Rules(RulesOptions),
    /// Lists what is held back, or lets one call through, once
    #[command(after_help = EXIT_CODES, after_long_help = format!("{APPROVE}\n\n{EXIT_CODES}"))]
    Approve(ApproveOptions),
    /// Lists what was saved before a command lost it, and brings it back
    #[command(after_help = EXIT_CODES, after_long_help = format!("{KEPT}\n\n{EXIT_CODES}"))]
    Kept(KeptOptions),
    /// Shows the last records of the audit log; `log query` searches
    #[command(disable_help_flag = true)]
    Log(LogOptions),
    /// Counts the calls and denials on record, and makes a page of them
    #[command(disable_help_flag = true)]
    Report(LogOptions),
    /// Checks, explains, tests and compares policies
    #[command(after_help = EXIT_CODES)]
    Policy(PolicyOptions),
    /// Installs hooks for the hosts that are here, after showing what changes
    #[command(after_help = EXIT_CODES, after_long_help = format!("{INIT}\n\n{EXIT_CODES}"))]
    Init(InitOptions),
    /// Calls every hook as its host would, and gives a verdict
    #[command(after_help = EXIT_CODES, after_long_help = format!("{TRUST}\n\n{EXIT_CODES}"))]
    Doctor(DoctorOptions),
    /// Finds what hosts silently ignore in hook files and answers
    #[command(after_help = EXIT_CODES, after_long_help = format!("{CHECK}\n\n{EXIT_CODES}"))]
    Check(CheckOptions),
    /// Runs the hooks that a host would run, and shows what it then does
    #[command(after_help = EXIT_CODES, after_long_help = format!("{SESSION}\n\n{TRUST}\n\n{EXIT_CODES}"))]
    Run(RunOptions),
    /// Replays recorded events, and shows what is different
    #[command(after_help = EXIT_CODES, after_long_help = format!("{TRUST}\n\n{EXIT_CODES}"))]
    Replay(ReplayOptions),
    /// Says what a command would lose in a repository; our hooks ask
    #[command(hide = true)]
    Look,
    /// Makes the page of the audit log; `audit-logger report` asks
    #[command(hide = true)]
    Page(PageOptions),
    /// Prints one line about the guard, for the status line of a host or a shell
    #[command(after_help = EXIT_CODES, after_long_help = format!("{STATUS_LINE}\n\n{EXIT_CODES}"))]
    Statusline(StatuslineOptions),
    /// Lets a project's hooks run, and records their state
    #[command(after_help = EXIT_CODES, after_long_help = format!("{TRUST}\n\n{EXIT_CODES}"))]
    Trust(TrustOptions),
    /// Shows where the programs are, and how to replace them
    #[command(after_help = EXIT_CODES)]
    Update,
    /// Removes our hooks from every host
    #[command(after_help = EXIT_CODES)]
    Uninstall(UninstallOptions),
    /// Prints the JSON Schema of a configuration dialect
    Schema(SchemaOptions),
    /// Prints completions for a shell
    Completions(CompletionOptions),
    /// Prints the manual page, or writes all of them into a folder
    Man(ManOptions),
}

/// Of `status`.
#[derive(Debug, Args)]
pub(crate) struct StatusOptions {
    /// The project [default: the one around the current folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Of `rules`.
#[derive(Debug, Args)]
pub(crate) struct RulesOptions {
    /// A family, such as git, or a rule, such as git.push-force
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Of `log` and `report`.
#[derive(Debug, Args)]
pub(crate) struct LogOptions {
    /// What audit-logger takes
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}

/// Of `page`.
#[derive(Debug, Args)]
pub(crate) struct PageOptions {
    /// The file, or `-` for stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Shows it in a browser on this machine, and what is new as it comes
    #[arg(long)]
    pub(crate) serve: bool,
    /// The port of --serve; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
    /// How many records at most, the last ones
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) limit: usize,
    /// The logs
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Vec<PathBuf>,
    /// Files with anchors
    #[arg(long, value_name = "FILE")]
    pub(crate) anchor: Vec<PathBuf>,
    /// What chooses records, as `audit-logger query` takes it
    #[arg(value_name = "ARGUMENT", last = true)]
    pub(crate) query: Vec<OsString>,
}

/// Of `statusline`.
#[derive(Debug, Args)]
pub(crate) struct StatuslineOptions {
    #[arg(long, value_name = "HOST", value_parser = product,
        help = "The host to look at [default: claude where its JSON comes on stdin; otherwise all that are here]")]
    pub(crate) host: Option<Product>,
    /// The project [default: that of the JSON, or the one around the current folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
}

/// Of `uninstall`.
#[derive(Debug, Args)]
pub(crate) struct UninstallOptions {
    /// Removes the managed files of this machine instead, as root
    #[arg(long)]
    pub(crate) machine: bool,
    /// With --machine: the root of the file system, such as an image's
    #[arg(long, value_name = "FOLDER", requires = "machine")]
    pub(crate) root: Option<PathBuf>,
    /// The project [default: the one around the current folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
    /// Does not ask; still needs a person at a terminal
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Of `run`.
#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    #[arg(long, value_name = "HOST", value_parser = product,
        help = format!("The host to imitate: {} [default: from the payload]", Product::names()))]
    pub(crate) host: Option<Product>,
    /// The event, by any host's name for it [default: from the payload, or before a tool call]
    #[arg(long, value_name = "EVENT", value_parser = program::event)]
    pub(crate) event: Option<EventKind>,
    /// The tool: `shell`, `edit`, or a host's own name
    #[arg(long, value_name = "TOOL")]
    pub(crate) tool: Option<String>,
    /// The command of a shell call
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["edit", "stop", "prompt"])]
    pub(crate) command: Option<String>,
    /// A call that changes this file
    #[arg(long, value_name = "PATH", conflicts_with_all = ["stop", "prompt"])]
    pub(crate) edit: Option<String>,
    /// The agent is about to stop
    #[arg(long, conflicts_with = "prompt")]
    pub(crate) stop: bool,
    /// A prompt from the user
    #[arg(long, value_name = "TEXT")]
    pub(crate) prompt: Option<String>,
    /// The input of --tool, as JSON
    #[arg(long, value_name = "JSON", requires = "tool", conflicts_with_all = ["command", "edit"])]
    pub(crate) input: Option<String>,
    /// A whole session, from a file with its turns or `-` for stdin: what the model calls and says, as
    /// `[{"shell": "ls"}, {"text": "done"}]`
    #[arg(long, value_name = "FILE", requires = "host",
        conflicts_with_all = ["event", "tool", "command", "edit", "stop", "prompt", "input"])]
    pub(crate) session: Option<PathBuf>,
    /// What is common to everything that runs hooks
    #[command(flatten)]
    pub(crate) common: Common,
    /// Appends what happened to a file, for `replay`; it contains commands and answers unredacted
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

/// Of everything that runs hooks.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Common {
    /// The project [default: the one around the current folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
    /// As in a run without a person: `-p`, `exec`, CI
    #[arg(long)]
    pub(crate) headless: bool,
    /// As if the host's own rules would ask about the call
    #[arg(long)]
    pub(crate) gated: bool,
    /// The host's permission mode, in its own word, such as `plan`
    #[arg(long, value_name = "MODE", conflicts_with = "gated")]
    pub(crate) mode: Option<String>,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Runs hooks of the project without asking
    #[arg(long)]
    pub(crate) trust: bool,
}

/// Of `replay`.
#[derive(Debug, Args)]
pub(crate) struct ReplayOptions {
    /// What `run --record` wrote
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Uses the recorded answers and runs nothing
    #[arg(long)]
    pub(crate) answers: bool,
    /// With the recorded answers: what another host would make of them
    #[arg(long, value_name = "HOST", value_parser = product, requires = "answers")]
    pub(crate) host: Option<Product>,
    /// What is common to everything that runs hooks
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Of `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckOptions {
    /// Files, recordings or projects [default: the project around the current folder, your own files and the machine's]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only as these hosts read them
    #[arg(long, value_name = "HOST", value_parser = product)]
    pub(crate) host: Vec<Product>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    /// The least that is shown, and that makes the exit code 1
    #[arg(long, value_name = "LEVEL", value_enum, default_value_t = Level::Warning)]
    pub(crate) level: Level,
    /// Shows notes, too, as `--level note`
    #[arg(long, conflicts_with = "level")]
    pub(crate) notes: bool,
    /// Lists every code
    #[arg(long)]
    pub(crate) codes: bool,
    /// Ignores this code, such as failure.open; repeat it for several
    #[arg(long, value_name = "CODE", value_parser = code)]
    pub(crate) ignore: Vec<Code>,
}

/// The form of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Human-readable
    Human,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations in GitHub's workflow logs
    Github,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Level {
    /// What loses hooks, decisions or answers
    Error,
    /// What is probably not meant
    Warning,
    /// What is worth knowing
    Note,
}

/// Of `trust`.
#[derive(Debug, Args)]
pub(crate) struct TrustOptions {
    /// The project [default: the one around the current folder]
    #[arg(value_name = "FOLDER")]
    pub(crate) path: Option<PathBuf>,
    /// Does not ask; still needs a person at a terminal
    #[arg(long)]
    pub(crate) yes: bool,
    /// Withdraws the trust
    #[arg(long)]
    pub(crate) revoke: bool,
}

/// Of `approve`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct ApproveOptions {
    /// The code in the message of the denial, such as 7K3F-9QXM, or its beginning [default: lists what is pending]
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
    /// Shows what is pending, newest first
    #[arg(long, conflicts_with = "code")]
    pub(crate) list: bool,
    /// Goes on, and shows what is held back while it runs, until it is interrupted
    #[arg(long, conflicts_with = "code")]
    pub(crate) watch: bool,
    /// With --watch: notifies you, by the terminal (osc9, osc777, bell) or by the desktop
    #[arg(long, value_name = "WAY", requires = "watch", value_enum, hide_possible_values = true)]
    pub(crate) notify: Option<Way>,
    /// As root: from now on only root lets calls through, by a key that is made for this
    #[arg(long, conflicts_with = "code")]
    pub(crate) make_root_key: bool,
    /// Prints what is pending under the code, for root to show
    #[arg(long, hide = true)]
    pub(crate) describe: bool,
}

/// How a terminal is asked to notify.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Way {
    /// iTerm2, Ghostty, `WezTerm`, kitty
    Osc9,
    /// foot, urxvt
    Osc777,
    /// Every terminal
    Bell,
    /// `notify-send`, or macOS' own
    Desktop,
}

/// Of `kept`.
#[derive(Debug, Args)]
pub(crate) struct KeptOptions {
    /// What to do [default: list]
    #[command(subcommand)]
    pub(crate) task: Option<KeptTask>,
}

/// What is done with what was kept.
#[derive(Debug, Subcommand)]
pub(crate) enum KeptTask {
    /// Lists what is kept, newest first
    List {
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Shows one entry: the command, and what was saved
    Show {
        /// The entry's id, its beginning, or `last`
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Shows what restoring would change in files, as a patch
    Diff {
        /// The entry's id, its beginning, or `last`
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Brings it back; asks a person before it overwrites what is nowhere else
    Restore {
        /// The entry's id, its beginning, or `last`
        #[arg(value_name = "ID")]
        id: String,
        /// Only these files, and what lies below these folders [default: all, with index and branches]
        #[arg(value_name = "PATH")]
        paths: Vec<String>,
    },
    /// Deletes what is kept; needs a person at a terminal
    Drop {
        /// The entries' ids, their beginnings, or `last`
        #[arg(value_name = "ID", required_unless_present = "all")]
        ids: Vec<String>,
        /// Everything
        #[arg(long, conflicts_with = "ids")]
        all: bool,
    },
}

/// Of `init`.
#[derive(Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct InitOptions {
    /// The hosts to install for [default: those found here, in the user's own settings]
    #[arg(long, value_name = "HOST", value_parser = product)]
    pub(crate) host: Vec<Product>,
    /// Which hooks, such as command-blocker [default: all that are shipped, one of the two that decide; without --host, those of a preset]
    #[arg(long, value_name = "HOOK")]
    pub(crate) hook: Vec<String>,
    /// Which hooks, by what they are for: `guard`, `team` or `audit` [default without --host: guard]
    #[arg(long, value_enum, conflicts_with = "hook", hide_possible_values = true)]
    pub(crate) preset: Option<Preset>,
    /// Which program of a preset decides: command-blocker, or approval-gate, which reads policies as well [default: the
    /// one that is installed; otherwise approval-gate where there is a policy]
    #[arg(long, value_name = "PROGRAM", conflicts_with = "hook",
        value_parser = ["command-blocker", "approval-gate"], hide_possible_values = true)]
    pub(crate) decider: Option<String>,
    /// Into the user's own settings, for every project
    #[arg(long)]
    pub(crate) user: bool,
    /// Into the machine's managed settings, for everyone on it: no user can edit or switch them off; needs root
    #[arg(long, conflicts_with_all = ["user", "project", "programs"])]
    pub(crate) machine: bool,
    /// Writes the managed files of every system below this folder instead, for deployment
    #[arg(long, value_name = "FOLDER", requires = "machine", conflicts_with_all = ["remove", "root"])]
    pub(crate) out: Option<PathBuf>,
    /// The root of another system, such as an image's
    #[arg(long, value_name = "FOLDER", requires = "machine", hide_short_help = true)]
    pub(crate) root: Option<PathBuf>,
    /// Where the programs are on the machines [default: where they are here; with --out, as packages install them]
    #[arg(long, value_name = "FOLDER", requires = "machine", hide_short_help = true)]
    pub(crate) bin: Option<String>,
    /// Removes what is ours, and nothing else; only at a terminal
    #[arg(long)]
    pub(crate) remove: bool,
    /// Shows every line that would change, and changes nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Shows every line that would change before it asks
    #[arg(long)]
    pub(crate) diff: bool,
    /// Also shows the guard in the status line of Claude Code, unless there is one; --remove removes it
    #[arg(long, conflicts_with = "machine")]
    pub(crate) status_line: bool,
    /// How the files name the programs: `path` or `name` [default: path with --user, name without]
    #[arg(long, value_name = "HOW", value_enum, hide_possible_values = true)]
    pub(crate) programs: Option<Programs>,
    /// Does not ask
    #[arg(long)]
    pub(crate) yes: bool,
    /// Continues even if a program is not installed here
    #[arg(long)]
    pub(crate) force: bool,
    /// The project [default: the one around the current folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
}

/// Of `doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorOptions {
    /// Only these hosts
    #[arg(long, value_name = "HOST", value_parser = product)]
    pub(crate) host: Vec<Product>,
    /// Offers to install what is missing, with absolute paths; asks first
    #[arg(long, conflicts_with = "json")]
    pub(crate) fix: bool,
    /// What is common to everything that runs hooks
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Of `explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainOptions {
    /// The command line, as one argument
    #[arg(value_name = "COMMAND", allow_hyphen_values = true)]
    pub(crate) command: String,
    /// Only on these hosts
    #[arg(long, value_name = "HOST", value_parser = product)]
    pub(crate) host: Vec<Product>,
    /// What is common to everything that runs hooks
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Of `schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaOptions {
    /// The dialect
    #[arg(value_enum)]
    pub(crate) dialect: Dialect,
}

/// Of `completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionOptions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Of `man`.
#[derive(Debug, Args)]
pub(crate) struct ManOptions {
    /// The folder for all pages
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
}

fn product(name: &str) -> Result<Product, String> {
    name.parse().map_err(|error: host::hosts::UnknownProduct| {
        let known = Product::ALL.into_iter().map(|product| product.name);
        let otherwise = format!("use one of {}", Product::names());
        format!("{error}: {}", meant(name, known, &otherwise))
    })
}

fn code(name: &str) -> Result<Code, String> {
    let known = Code::ALL.iter().find(|code| code.as_str() == name);
    known.copied().ok_or_else(|| {
        let known = Code::ALL.iter().map(|code| code.as_str());
        meant(name, known, "unknown code; `hook-runner check --codes` lists them")
    })
}

/// Hooks that go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Preset {
    /// One program that decides
    Guard,
    /// That, and context, formatting and a check before the agent stops
    Team,
    /// One program that decides, and a record of everything
    Audit,
}

/// How configurations name the programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Programs {
    /// By absolute paths of this machine
    Path,
    /// By name; each host looks on its own PATH
    Name,
}
