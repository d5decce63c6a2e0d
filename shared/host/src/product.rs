//! The hosts, and what is known of each: one table, every fact with its source.

use std::str::FromStr;
use std::time::Duration;

use payload::Host;
use thiserror::Error;

/// A program that runs hooks, where it behaves in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Product {
    /// VS Code with Copilot Chat, the local harness.
    VsCode,
    /// GitHub Copilot CLI.
    CopilotCli,
    /// GitHub's Copilot cloud agent, once called coding agent.
    CopilotCloud,
    /// Claude Code.
    Claude,
    /// `OpenAI` Codex CLI.
    Codex,
    /// Google Gemini CLI.
    Gemini,
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

/// In what a bare number of an entry's time limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
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

/// What a host does.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    /// The version that was run, or whose source was read.
    pub version: &'static str,
    /// Order of the hooks of one event.
    pub order: Fact<Order>,
    /// Unit of a time limit.
    pub unit: Fact<Unit>,
    /// Time limit where the entry has none; some events have shorter ones, see [`Product::default_limit`].
    pub limit: Fact<Duration>,
    /// The keys of a time limit; the first that is there counts.
    pub limit_keys: Fact<&'static [&'static str]>,
    /// JSON of a configuration.
    pub syntax: Fact<Syntax>,
    /// What a bad entry does.
    pub bad_entry: Fact<BadEntry>,
    /// Form of the entries.
    pub nesting: Fact<Nesting>,
    /// The program and arguments before a shell command, on systems that are not Windows.
    pub shell: Fact<&'static [&'static str]>,
    /// How long it waits after a hook's end.
    pub patience: Fact<Patience>,
    /// How many times in a row a stop hook can make the agent go on; `None` is without end.
    pub stop_limit: Fact<Option<u32>>,
    /// The most characters of a hook's text that the model sees; the rest goes into a file.
    pub text_limit: Fact<Option<usize>>,
    /// Whether identical hooks run once.
    pub once: Fact<bool>,
}

const VS_CODE: &str = "source: vscode-copilot-chat 31acd00a8 (0.42.0), vscode 01272b92";
const COPILOT: &str = "run: Copilot CLI 1.0.102";
const CLOUD: &str = "docs: github/docs 05da5bc3";
const CLAUDE: &str = "run: Claude Code 2.1.329";
/// 130 settings files, each with a hook that leaves a mark, and every key of the settings with values that do not fit.
const CLAUDE_SETTINGS: &str = "run: Claude Code 2.1.330";
const CLAUDE_DOCS: &str = "docs: claude-code-docs ec68a5b2";
const CODEX: &str = "run: Codex CLI 0.169.0";
const CODEX_SOURCE: &str = "source: openai/codex 2219e3df";
const GEMINI: &str = "run: Gemini CLI 0.61.0";
const GEMINI_SOURCE: &str = "source: google-gemini/gemini-cli 5411f113";
const ASSUMED: &str = "assumed: nothing seen or written says otherwise";

const fn fact<T>(value: T, source: &'static str) -> Fact<T> {
    Fact { value, source }
}

static VS_CODE_FACTS: Facts = Facts {
    version: "copilot-chat 0.42.0",
    order: fact(Order::EachInTurn, VS_CODE),
    unit: fact(Unit::Seconds, VS_CODE),
    limit: fact(Duration::from_secs(30), VS_CODE),
    limit_keys: fact(&["timeout", "timeoutSec"], VS_CODE),
    syntax: fact(Syntax::Comments, VS_CODE),
    bad_entry: fact(BadEntry::Skipped, VS_CODE),
    nesting: fact(Nesting::Either, VS_CODE),
    shell: fact(&["/bin/sh", "-c"], VS_CODE),
    patience: fact(Patience::ForItsOutput, VS_CODE),
    stop_limit: fact(None, VS_CODE),
    text_limit: fact(None, ASSUMED),
    once: fact(false, VS_CODE),
};

static COPILOT_FACTS: Facts = Facts {
    version: "1.0.102",
    order: fact(Order::UntilFirstNo, COPILOT),
    unit: fact(Unit::Seconds, COPILOT),
    limit: fact(Duration::from_secs(30), COPILOT),
    limit_keys: fact(&["timeoutSec", "timeout"], COPILOT),
    syntax: fact(Syntax::Strict, COPILOT),
    bad_entry: fact(BadEntry::Skipped, COPILOT),
    nesting: fact(Nesting::Either, COPILOT),
    shell: fact(&["/bin/bash", "--norc", "--noprofile", "-c"], COPILOT),
    patience: fact(Patience::ForItsOutput, COPILOT),
    stop_limit: fact(Some(8), COPILOT),
    text_limit: fact(None, COPILOT),
    once: fact(false, COPILOT),
};

static CLOUD_FACTS: Facts = Facts {
    version: "documentation of 2026",
    order: fact(Order::UntilFirstNo, CLOUD),
    unit: fact(Unit::Seconds, CLOUD),
    limit: fact(Duration::from_secs(30), CLOUD),
    limit_keys: fact(&["timeoutSec", "timeout"], CLOUD),
    syntax: fact(Syntax::Strict, CLOUD),
    bad_entry: fact(BadEntry::Skipped, CLOUD),
    nesting: fact(Nesting::Either, CLOUD),
    shell: fact(&["/bin/bash", "--norc", "--noprofile", "-c"], CLOUD),
    patience: fact(Patience::ForItsOutput, ASSUMED),
    stop_limit: fact(Some(8), ASSUMED),
    text_limit: fact(None, ASSUMED),
    once: fact(false, ASSUMED),
};

static CLAUDE_FACTS: Facts = Facts {
    version: "2.1.330",
    order: fact(Order::AtOnce, CLAUDE),
    unit: fact(Unit::Seconds, CLAUDE),
    limit: fact(Duration::from_mins(10), CLAUDE_DOCS),
    limit_keys: fact(&["timeout"], CLAUDE),
    syntax: fact(Syntax::StrictAfterMark, CLAUDE_SETTINGS),
    bad_entry: fact(BadEntry::DropsFileOfGuards, CLAUDE_SETTINGS),
    nesting: fact(Nesting::Groups, CLAUDE),
    shell: fact(&["/bin/sh", "-c"], CLAUDE),
    patience: fact(Patience::ForTheProcess, CLAUDE),
    stop_limit: fact(Some(8), CLAUDE),
    text_limit: fact(Some(10_000), CLAUDE),
    once: fact(true, CLAUDE),
};

static CODEX_FACTS: Facts = Facts {
    version: "0.169.0",
    order: fact(Order::AtOnce, CODEX),
    unit: fact(Unit::Seconds, CODEX),
    limit: fact(Duration::from_mins(10), CODEX_SOURCE),
    limit_keys: fact(&["timeout"], CODEX),
    syntax: fact(Syntax::Strict, CODEX_SOURCE),
    bad_entry: fact(BadEntry::DropsFile, ASSUMED),
    nesting: fact(Nesting::Groups, CODEX),
    shell: fact(&["$SHELL", "-c"], CODEX_SOURCE),
    patience: fact(Patience::ForItsOutput, CODEX),
    stop_limit: fact(None, CODEX),
    text_limit: fact(None, CODEX),
    once: fact(false, ASSUMED),
};

static GEMINI_FACTS: Facts = Facts {
    version: "0.61.0",
    order: fact(Order::AtOnce, GEMINI_SOURCE),
    unit: fact(Unit::Milliseconds, GEMINI),
    limit: fact(Duration::from_mins(1), GEMINI_SOURCE),
    limit_keys: fact(&["timeout"], GEMINI),
    syntax: fact(Syntax::CommentsOnly, GEMINI),
    bad_entry: fact(BadEntry::Skipped, ASSUMED),
    nesting: fact(Nesting::Groups, GEMINI_SOURCE),
    shell: fact(&["bash", "-c"], GEMINI),
    patience: fact(Patience::ForItsOutput, GEMINI),
    stop_limit: fact(None, GEMINI),
    text_limit: fact(None, ASSUMED),
    once: fact(false, ASSUMED),
};

impl Product {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::VsCode, Self::CopilotCli, Self::CopilotCloud, Self::Claude, Self::Codex, Self::Gemini];

    /// The name that a `--host` flag takes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::VsCode => "vscode",
            Self::CopilotCli => "copilot",
            Self::CopilotCloud => "copilot-cloud",
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::VsCode => "VS Code",
            Self::CopilotCli => "Copilot CLI",
            Self::CopilotCloud => "Copilot cloud agent",
            Self::Claude => "Claude Code",
            Self::Codex => "Codex CLI",
            Self::Gemini => "Gemini CLI",
        }
    }

    /// What is known of it.
    pub fn facts(self) -> &'static Facts {
        match self {
            Self::VsCode => &VS_CODE_FACTS,
            Self::CopilotCli => &COPILOT_FACTS,
            Self::CopilotCloud => &CLOUD_FACTS,
            Self::Claude => &CLAUDE_FACTS,
            Self::Codex => &CODEX_FACTS,
            Self::Gemini => &GEMINI_FACTS,
        }
    }

    /// The host as payloads know it.
    pub fn host(self) -> Host {
        match self {
            Self::VsCode => Host::VsCode,
            Self::CopilotCli | Self::CopilotCloud => Host::Copilot,
            Self::Claude => Host::Claude,
            Self::Codex => Host::Codex,
            Self::Gemini => Host::Gemini,
        }
    }

    /// Whether it is one of Copilot's own hosts.
    pub fn is_copilot(self) -> bool {
        self.host() == Host::Copilot
    }

    /// The time limit of a hook without one.
    pub fn default_limit(self, event: payload::EventKind) -> Duration {
        use payload::EventKind as E;
        match (self, event) {
            // [docs] claude-code-docs ec68a5b2.
            (Self::Claude, E::UserPromptSubmit) => Duration::from_secs(30),
            (Self::Claude, E::MessageDisplay) => Duration::from_secs(10),
            (Self::Claude, E::SessionEnd) => Duration::from_millis(1500),
            _ => self.facts().limit.value,
        }
    }
}

impl std::fmt::Display for Product {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A `--host` value that names no host.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown host `{0}`; use one of vscode, copilot, copilot-cloud, claude, codex, gemini")]
pub struct UnknownProduct(pub String);

impl FromStr for Product {
    type Err = UnknownProduct;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|product| product.as_str().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownProduct(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_any_case() {
        for product in Product::ALL {
            assert_eq!(product.as_str().parse(), Ok(product));
            assert_eq!(product.as_str().to_uppercase().parse(), Ok(product));
        }
        assert!("cursor".parse::<Product>().is_err_and(|error| error.to_string().contains("gemini")));
    }

    #[test]
    fn every_fact_says_where_it_comes_from() {
        for product in Product::ALL {
            let facts = product.facts();
            let sources = [
                facts.order.source,
                facts.unit.source,
                facts.limit.source,
                facts.limit_keys.source,
                facts.syntax.source,
                facts.bad_entry.source,
                facts.nesting.source,
                facts.shell.source,
                facts.patience.source,
                facts.stop_limit.source,
                facts.text_limit.source,
                facts.once.source,
            ];
            for source in sources {
                let known = ["run: ", "source: ", "docs: ", "assumed: "];
                assert!(known.iter().any(|kind| source.starts_with(kind)), "{product}: {source}");
            }
        }
    }
}
