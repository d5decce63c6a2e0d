//! What becomes of a tool call when its guard cannot answer, as documents and programs say it.

/// How a hook fails to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Failing {
    /// No program has that name.
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

/// What becomes of a call on one host, for one way to fail.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// How the hook fails.
    pub failing: Failing,
    /// What becomes of the call with an entry as we ship it: on Claude Code with `"onFailure": "block"`.
    pub shipped: Fate,
    /// What becomes of it with an entry that says nothing about failures.
    pub plain: Fate,
    /// How this is known. Rows with `run:` of [`Failing::Missing`] and [`Failing::Killed`] are played by
    /// `tests/real_hosts`.
    pub source: &'static str,
}

pub(crate) const fn row(failing: Failing, fate: Fate, source: &'static str) -> Row {
    Row { failing, shipped: fate, plain: fate, source }
}

impl Row {
    /// What becomes of the call; `blocks_on_failure`: whether the entry has `"onFailure": "block"`.
    pub fn fate(&self, blocks_on_failure: bool) -> Fate {
        if blocks_on_failure { self.shipped } else { self.plain }
    }
}

/// What becomes of every call on these hosts, by their titles, each of which is named once for each fate.
pub fn sentence(fates: &[(&str, Fate)]) -> String {
    let part = |fate: Fate| {
        let titles: Vec<&str> = fates.iter().filter(|(_, of)| *of == fate).map(|(title, _)| *title).collect();
        let (last, others) = titles.split_last()?;
        let one = others.is_empty();
        let does = match fate {
            Fate::Denied if one => "denies every call",
            Fate::Denied => "deny every call",
            Fate::Runs if one => "lets every call through unguarded",
            Fate::Runs => "let every call through unguarded",
        };
        let names = if one { (*last).to_owned() } else { format!("{} and {last}", others.join(", ")) };
        Some(format!("{names} {does}"))
    };
    [part(Fate::Denied), part(Fate::Runs)].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use payload::model::{Effect, Ended, Run, read_run};
    use payload::{Address, EventKind};

    use super::*;
    use crate::Product;

    #[test]
    fn every_row_is_there_once() {
        for product in Product::ALL {
            let rows = |failing| product.failing.iter().filter(move |row| row.failing == failing).count();
            for failing in [Failing::Missing, Failing::Killed, Failing::Late] {
                assert_eq!(rows(failing), 1, "{product} {failing:?}");
            }
            assert!(rows(Failing::MissingOnWindows) <= 1, "{product}");
        }
    }

    #[test]
    fn the_model_of_each_host_does_what_the_table_says() {
        let rows = Product::ALL
            .into_iter()
            .flat_map(|product| product.failing.iter().map(move |row| (product, row)));
        for (product, row) in rows {
            let ended = match row.failing {
                Failing::Missing => Ended::NotStarted,
                Failing::MissingOnWindows => continue,
                Failing::Killed => Ended::Signalled,
                Failing::Late => Ended::TimedOut,
            };
            let host = product.host;
            for dialect in host.dialects() {
                // VS Code's agent host runs the Copilot SDK: not the local harness that the table is about.
                if host == payload::Host::VsCode && *dialect == payload::Dialect::Flat {
                    continue;
                }
                let from = Address { host, dialect: *dialect, kind: EventKind::PreToolUse, name: "".into() };
                let stderr =
                    if row.failing == Failing::Missing { "sh: command-blocker: not found" } else { "" };
                let outcome = read_run(&from, &Run { stdout: "", stderr, ended });
                let denied = matches!(outcome.effect, Effect::Deny);
                assert_eq!(denied, row.plain == Fate::Denied, "{product} {row:?}: {outcome:?}");
            }
        }
    }

    #[test]
    fn the_sentence_names_every_host_once() {
        assert_eq!(
            Product::without_program(&[Product::CODEX]),
            "Codex CLI lets every call through unguarded"
        );
        assert_eq!(
            Product::without_program(&[
                Product::VS_CODE,
                Product::COPILOT_CLI,
                Product::CLAUDE,
                Product::CODEX,
                Product::GEMINI
            ]),
            "Copilot CLI, Claude Code and Gemini CLI deny every call; VS Code and Codex CLI let every call through unguarded"
        );
    }
}
