//! What becomes of a tool call when its guard cannot answer: one table, from which documents and programs speak.

use crate::product::Product;

/// How a hook fails to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Failing {
    /// There is no program of that name.
    Missing,
    /// The same in the form of an entry for Windows, `…; exit $LASTEXITCODE`.
    MissingOnWindows,
    /// A signal ends it.
    Killed,
    /// The host's own time limit passes.
    Late,
}

/// What the host then does with the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It does not run.
    Denied,
    /// It runs, unguarded.
    Runs,
}

/// One row: of a host, for one way to fail.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The host.
    pub product: Product,
    /// How the hook fails.
    pub failing: Failing,
    /// What becomes of the call with an entry as we ship it: on Claude Code with `"onFailure": "block"`.
    pub shipped: Fate,
    /// What becomes of it with an entry that says nothing about failures.
    pub plain: Fate,
    /// How this is known.
    pub source: &'static str,
}

use Failing::{Killed, Late, Missing, MissingOnWindows};
use Fate::{Denied, Runs};
use Product::{Claude, Codex, CopilotCli, CopilotCloud, Gemini, VsCode};

const fn row(product: Product, failing: Failing, fate: Fate, source: &'static str) -> Row {
    Row { product, failing, shipped: fate, plain: fate, source }
}

const VS_CODE: &str = "source: vscode-copilot-chat 31acd00a8 (0.42.0)";
const COPILOT: &str = "run: Copilot CLI 1.0.102";
const CLOUD: &str = "assumed: as Copilot CLI, whose runtime it has";
const CLAUDE: &str = "run: Claude Code 2.1.329";
const CODEX: &str = "run: Codex CLI 0.169.0";
const GEMINI: &str = "run: Gemini CLI 0.61.0";
const POWERSHELL: &str = "run: PowerShell ends with 0 where the program is missing";

/// Every row. The rows with `run:` of [`Failing::Missing`] and [`Failing::Killed`] are played by `tests/real_hosts`.
pub const ROWS: &[Row] = &[
    row(VsCode, Missing, Runs, VS_CODE),
    row(VsCode, MissingOnWindows, Runs, POWERSHELL),
    row(VsCode, Killed, Runs, VS_CODE),
    row(VsCode, Late, Runs, VS_CODE),
    row(CopilotCli, Missing, Denied, COPILOT),
    row(CopilotCli, MissingOnWindows, Runs, POWERSHELL),
    row(CopilotCli, Killed, Denied, COPILOT),
    row(CopilotCli, Late, Runs, COPILOT),
    row(CopilotCloud, Missing, Denied, CLOUD),
    row(CopilotCloud, Killed, Denied, CLOUD),
    row(CopilotCloud, Late, Runs, CLOUD),
    Row { plain: Runs, ..row(Claude, Missing, Denied, CLAUDE) },
    Row { plain: Runs, ..row(Claude, Killed, Denied, CLAUDE) },
    Row { plain: Runs, ..row(Claude, Late, Denied, CLAUDE) },
    row(Codex, Missing, Runs, CODEX),
    row(Codex, Killed, Runs, CODEX),
    row(Codex, Late, Runs, CODEX),
    row(Gemini, Missing, Denied, GEMINI),
    row(Gemini, Killed, Runs, GEMINI),
    row(Gemini, Late, Runs, GEMINI),
];

/// The row of a host; `None` where nobody has looked.
pub fn row_of(product: Product, failing: Failing) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.product == product && row.failing == failing)
}

impl Row {
    /// What becomes of the call; `blocks_on_failure`: whether the entry has `"onFailure": "block"`.
    pub fn fate(&self, blocks_on_failure: bool) -> Fate {
        if blocks_on_failure { self.shipped } else { self.plain }
    }
}

/// What these hosts do when a program that we ship is missing: "A denies every call; B and C let …".
pub fn without_program(hosts: &[Product]) -> String {
    let fates = hosts.iter().filter_map(|host| Some((*host, row_of(*host, Missing)?.shipped)));
    sentence(&fates.collect::<Vec<_>>())
}

/// What becomes of every call on these hosts, each of which is named once for each fate.
pub fn sentence(fates: &[(Product, Fate)]) -> String {
    let part = |fate: Fate| {
        let titles: Vec<&str> =
            fates.iter().filter(|(_, of)| *of == fate).map(|(product, _)| product.title()).collect();
        let (last, others) = titles.split_last()?;
        let one = others.is_empty();
        let does = match fate {
            Denied if one => "denies every call",
            Denied => "deny every call",
            Runs if one => "lets every call through unguarded",
            Runs => "let every call through unguarded",
        };
        let names = if one { (*last).to_owned() } else { format!("{} and {last}", others.join(", ")) };
        Some(format!("{names} {does}"))
    };
    [part(Denied), part(Runs)].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use payload::model::{Effect, Ended, Run, read_run};
    use payload::{Address, EventKind};

    use super::*;

    #[test]
    fn every_row_is_there_once_and_says_where_it_comes_from() {
        for (index, row) in ROWS.iter().enumerate() {
            let same = |other: &Row| other.product == row.product && other.failing == row.failing;
            assert!(!ROWS[..index].iter().any(same), "{row:?}");
            assert!(["run: ", "source: ", "assumed: "].iter().any(|kind| row.source.starts_with(kind)));
        }
        for product in Product::ALL {
            for failing in [Missing, Killed, Late] {
                assert!(row_of(product, failing).is_some(), "{product} {failing:?}");
            }
        }
    }

    #[test]
    fn the_model_of_each_host_does_what_the_table_says() {
        for row in ROWS.iter().filter(|row| row.failing != MissingOnWindows) {
            let ended = match row.failing {
                Missing | MissingOnWindows => Ended::NotStarted,
                Killed => Ended::Signalled,
                Late => Ended::TimedOut,
            };
            let host = row.product.host();
            for dialect in host.dialects() {
                // VS Code's agent host runs the Copilot SDK: not the local harness that the table is about.
                if host == payload::Host::VsCode && *dialect == payload::Dialect::Flat {
                    continue;
                }
                let from = Address { host, dialect: *dialect, kind: EventKind::PreToolUse, name: "".into() };
                let stderr = if row.failing == Missing { "sh: command-blocker: not found" } else { "" };
                let outcome = read_run(&from, &Run { stdout: "", stderr, ended });
                let denied = matches!(outcome.effect, Effect::Deny);
                assert_eq!(denied, row.plain == Denied, "{row:?}: {outcome:?}");
            }
        }
    }

    #[test]
    fn the_sentence_names_every_host_once() {
        assert_eq!(without_program(&[Codex]), "Codex CLI lets every call through unguarded");
        assert_eq!(
            without_program(&[VsCode, CopilotCli, Claude, Codex, Gemini]),
            "Copilot CLI, Claude Code and Gemini CLI deny every call; VS Code and Codex CLI let every call through unguarded"
        );
    }
}
