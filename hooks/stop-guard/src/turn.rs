//! What is remembered of one agent's turn: how often it was held back, and for which tree.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use store::session::{Locked, SessionError};

/// The record's name in the session store.
pub(crate) const TURN: &str = "stop-guard.json";

/// The name of the mark that a tool ran which may have changed something.
pub(crate) const TOUCHED: &str = "stop-guard.touched";

/// As many blocks within [`RUSH`] are a loop, whatever the prompts say.
const RUSH_BLOCKS: usize = 3;

/// See [`RUSH_BLOCKS`].
const RUSH: u64 = 60;

/// A turn is over when nothing was heard for this long and no event tells of prompts, in seconds.
const IDLE: u64 = 30 * 60;

/// At most this many old lines are remembered.
pub(crate) const MAX_KNOWN: usize = 4096;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Turn {
    /// The host, for `status`.
    pub(crate) host: String,
    /// The session, for `status`.
    pub(crate) session: String,
    /// The folder, for `status`.
    pub(crate) folder: String,
    /// Counts the turns, so that a check that ends in a later one holds nothing back.
    pub(crate) round: u64,
    /// The host's own name of the prompt, where it has one.
    prompt: Option<String>,
    /// Whether the host tells of prompts.
    prompts_told: bool,
    /// Whether the host was seen to tell of tools.
    pub(crate) tools_told: bool,
    /// How often the agent was held back.
    pub(crate) blocks: u32,
    /// How often that is about to happen: a check runs, or its process was killed. Counted as a block until it passed.
    pub(crate) pending: u32,
    /// When the last blocks were, in seconds since 1970.
    times: Vec<u64>,
    /// When the last event was.
    heard: u64,
    /// The tree at the start of the turn, or when the checks last passed.
    pub(crate) tree: Option<String>,
    /// What the agent was last held back for.
    pub(crate) failed: Option<Failed>,
    /// The commit when the session began.
    pub(crate) head: Option<String>,
    /// When the session began.
    pub(crate) start: u64,
    /// Digests of lines that looked unfinished before the session began.
    pub(crate) known: Vec<String>,
}

/// A failure that was reported to the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Failed {
    pub(crate) check: String,
    /// The tree that it failed on.
    pub(crate) tree: Option<String>,
}

/// A moment in seconds since 1970.
pub(crate) fn seconds(moment: SystemTime) -> u64 {
    moment.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs()
}

impl Turn {
    /// What the record holds; a new turn when there is none. `Err` when it cannot be read or is not a turn.
    pub(crate) fn of(record: &Locked<'_>) -> Result<Self, String> {
        match record.read() {
            Ok(None) => Ok(Self::default()),
            Ok(Some(bytes)) => Self::parse(&bytes).ok_or_else(|| "what it remembered is damaged".to_owned()),
            Err(error) => Err(format!("{error}. {}", error.hint())),
        }
    }

    /// A turn from a record's bytes.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        // Read into a struct, an array of the right length would do as well.
        serde_json::from_slice(bytes).ok().filter(|_| bytes.starts_with(b"{"))
    }

    pub(crate) fn keep(&self, record: &Locked<'_>) -> Result<(), SessionError> {
        record.write(&serde_json::to_vec(self).unwrap_or_default())
    }

    /// A user's prompt arrived.
    pub(crate) fn begin(&mut self, prompt: Option<String>, now: SystemTime) {
        self.prompts_told = true;
        self.next(prompt, seconds(now));
    }

    /// The agent wants to stop: where the host does not tell of prompts, its own name of the prompt or a long
    /// silence shows that another turn began. A stop that a hook made the agent go on from is never another turn.
    pub(crate) fn hear(&mut self, prompt: Option<String>, going_on: bool, now: SystemTime) {
        let now = seconds(now);
        // Where the host reports prompts, only they begin a turn.
        if !going_on && !self.prompts_told {
            let idle = self.heard > 0 && now.saturating_sub(self.heard) > IDLE;
            if (prompt.is_some() && prompt != self.prompt) || (prompt.is_none() && idle) {
                self.next(prompt, now);
            }
        }
        self.heard = now;
    }

    fn next(&mut self, prompt: Option<String>, now: u64) {
        self.round += 1;
        self.prompt = prompt;
        self.heard = now;
        self.blocks = 0;
        self.pending = 0;
        self.failed = None;
    }

    /// Whether the agent was held back so often in so short a time that something loops.
    pub(crate) fn rushes(&self, now: SystemTime) -> bool {
        let now = seconds(now);
        self.times.iter().filter(|time| now.saturating_sub(**time) < RUSH).count() >= RUSH_BLOCKS
    }

    /// The agent is held back.
    pub(crate) fn hold(&mut self, failed: Failed, now: SystemTime) {
        self.blocks += 1;
        self.failed = Some(failed);
        self.times.push(seconds(now));
        let surplus = self.times.len().saturating_sub(RUSH_BLOCKS);
        // Only the latest can be a rush.
        self.times.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(second)
    }

    fn held(turn: &mut Turn, second: u64) {
        turn.hold(Failed { check: "x".to_owned(), tree: None }, at(second));
    }

    #[test]
    fn a_prompt_begins_a_turn_and_a_stop_does_not() {
        let mut turn = Turn::default();
        turn.begin(Some("a".to_owned()), at(100));
        held(&mut turn, 101);
        turn.hear(Some("b".to_owned()), false, at(102));
        assert_eq!(turn.blocks, 1, "where prompts are reported, nothing else begins a turn");
        turn.hear(None, false, at(100_000));
        assert_eq!(turn.blocks, 1);
        turn.begin(None, at(100_001));
        assert_eq!((turn.blocks, turn.round), (0, 2));
    }

    #[test]
    fn without_prompts_the_hosts_name_or_a_long_silence_begins_a_turn() {
        let mut turn = Turn::default();
        turn.hear(Some("a".to_owned()), false, at(100));
        held(&mut turn, 101);
        turn.hear(Some("a".to_owned()), false, at(9_000));
        assert_eq!(turn.blocks, 1);
        turn.hear(Some("b".to_owned()), true, at(9_001));
        assert_eq!(turn.blocks, 1, "the agent was made to go on");
        turn.hear(Some("b".to_owned()), false, at(9_002));
        assert_eq!(turn.blocks, 0);

        let mut turn = Turn::default();
        turn.hear(None, false, at(100));
        held(&mut turn, 101);
        turn.hear(None, false, at(100 + IDLE));
        assert_eq!(turn.blocks, 1);
        turn.hear(None, false, at(102 + 2 * IDLE));
        assert_eq!(turn.blocks, 0);
    }

    #[test]
    fn three_blocks_in_a_minute_are_a_loop() {
        let mut turn = Turn::default();
        for second in [100, 130, 159] {
            assert!(!turn.rushes(at(second)));
            held(&mut turn, second);
            turn.begin(None, at(second));
        }
        assert!(turn.rushes(at(159)));
        assert!(!turn.rushes(at(161)));
    }

    #[test]
    fn a_damaged_record_is_not_a_turn() {
        for text in ["", "{", "[]", "null", r#"{"blocks":-1}"#, r#"{"blocks":"1"}"#] {
            assert!(Turn::parse(text.as_bytes()).is_none(), "{text}");
        }
        assert_eq!(Turn::parse(b"{}"), Some(Turn::default()));
    }
}
