//! The claim of a program that is about to speak.

use std::borrow::Cow;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use payload::{Event, Json};
use sha2::{Digest as _, Sha256};
use store::session::{Record, SessionError};

/// How long another call may hold the record: what is done under its lock takes less than a millisecond, but on a crowded
/// machine its process may have to wait for its turn. A test is in no hurry.
const PATIENCE: Duration = if cfg!(test) { Duration::from_mins(1) } else { Duration::from_millis(500) };

/// How long a claim counts. Hosts give our hooks ten seconds each, and run others between two of ours.
const LIFE: Duration = Duration::from_mins(1);

/// As many claims of a session are remembered: one for each of its calls that are judged at the same time.
const MOST: usize = 32;

/// That a program is about to say something of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Claim {
    /// A digest of the call and of what is said.
    key: String,
    /// Who says it; nothing where the host names each call, so that whoever finds the claim comes second, the same program
    /// included: hooks of the user and of the project may both start it.
    program: String,
    /// When, in milliseconds since 1970.
    at: u64,
}

/// What tells a call from others.
#[derive(Debug)]
pub(crate) enum Call<'e> {
    /// The host's own name of it, which no other call has.
    Named(Cow<'e, str>),
    /// The tool with its input: the model may make the same call again.
    Like(&'e str, Cow<'e, str>),
}

impl<'e> Call<'e> {
    pub(crate) fn of(event: &'e Event<'_>) -> Self {
        if let Some(id) = event.tool_use_id().filter(|id| !id.is_empty()) {
            return Self::Named(id);
        }
        let tool = event.tool().map_or("", |tool| &*tool.name);
        let input = event.input().map_or_else(|| event.input_text().unwrap_or_default(), Json::text);
        Self::Like(tool, input.into())
    }
}

impl Claim {
    pub(crate) fn new(program: &str, call: &Call<'_>, said: &[&str], now: SystemTime) -> Self {
        let (parts, program) = match call {
            Call::Named(id) => ([id, ""], ""),
            Call::Like(tool, input) => ([*tool, &**input], program),
        };
        let mut digest = Sha256::new();
        for part in parts.iter().chain(said) {
            // With its length, so that no two lists of parts read the same.
            digest.update(part.len().to_le_bytes());
            digest.update(part);
        }
        let key = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Self { key, program: program.to_owned(), at: milliseconds(now) }
    }

    /// Takes the other program's claim, or else leaves this one; whether there was one. That of a named call stays.
    pub(crate) fn take(self, record: &Record) -> Result<bool, SessionError> {
        let locked = record.lock(PATIENCE)?;
        let mut claims = read(locked.read()?.as_deref());
        let young = |claim: &Self| {
            // One from the future is of a clock that was set back, and says nothing.
            self.at.checked_sub(claim.at).is_some_and(|age| u128::from(age) < LIFE.as_millis())
        };
        let named = self.program.is_empty();
        claims.retain(|claim| {
            young(claim) && (named || claim.key != self.key || claim.program != self.program)
        });
        let other = claims.iter().position(|claim| claim.key == self.key);
        if let Some(other) = other {
            // Only once: the next call of this kind is said in full again.
            if !named {
                claims.remove(other);
            }
        } else {
            claims.push(self);
        }
        let surplus = claims.len().saturating_sub(MOST);
        claims.drain(..surplus);
        locked.write(written(&claims).as_bytes())?;
        Ok(other.is_some())
    }
}

fn milliseconds(moment: SystemTime) -> u64 {
    let since = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Claims from a record's bytes, one in a line; what is none is forgotten.
fn read(bytes: Option<&[u8]>) -> Vec<Claim> {
    let text = std::str::from_utf8(bytes.unwrap_or_default()).unwrap_or_default();
    let claim = |line: &str| {
        let mut words = line.split(' ');
        let (key, program, at) = (words.next()?, words.next()?, words.next()?);
        Some(Claim { key: key.to_owned(), program: program.to_owned(), at: at.parse().ok()? })
    };
    text.lines().filter_map(claim).collect()
}

fn written(claims: &[Claim]) -> String {
    claims.iter().map(|claim| format!("{} {} {}\n", claim.key, claim.program, claim.at)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::thread;
    use store::session::{Owner, Store};

    struct Session(tempfile::TempDir);

    impl Session {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn record(&self) -> Record {
            Store::at(self.0.path()).record(Owner::Session { host: "vscode", id: "s" }, "voice")
        }

        /// Whether `program`, which is about to say `text` of a call at this second, comes second.
        fn says(&self, program: &str, call: &str, text: &str, second: u64) -> bool {
            let at = UNIX_EPOCH + Duration::from_secs(second);
            let call = Call::Like("shell", call.into());
            Claim::new(program, &call, &["deny", text], at).take(&self.record()).unwrap()
        }

        fn says_of_named(&self, program: &str, id: &str) -> bool {
            let at = UNIX_EPOCH + Duration::from_secs(100);
            Claim::new(program, &Call::Named(id.into()), &["deny", "no"], at).take(&self.record()).unwrap()
        }
    }

    #[test]
    fn whoever_finds_the_others_claim_is_second_and_takes_it_away() {
        let session = Session::new();
        assert!(!session.says("a", "call", "no", 100));
        assert!(session.says("b", "call", "no", 101));
        assert!(!session.says("b", "call", "no", 102));
        assert!(session.says("a", "call", "no", 103));
    }

    #[test]
    fn ones_own_claim_another_call_and_other_words_make_no_one_second() {
        let session = Session::new();
        assert!(!session.says("a", "call", "no", 100));
        assert!(!session.says("a", "call", "no", 101));
        assert!(!session.says("b", "other call", "no", 101));
        assert!(!session.says("b", "call", "no!", 101));
        assert!(session.says("b", "call", "no", 102), "what stood between takes nothing away");
    }

    #[test]
    fn of_a_named_call_everyone_but_the_first_is_second() {
        let session = Session::new();
        assert!(!session.says_of_named("a", "1"));
        assert!(["a", "b", "b", "a"].iter().all(|program| session.says_of_named(program, "1")));
        assert!(!session.says_of_named("a", "2"));
    }

    #[test]
    fn an_old_claim_and_one_from_the_future_do_not_count() {
        for second in [100 + LIFE.as_secs(), 99] {
            let session = Session::new();
            assert!(!session.says("a", "call", "no", 100));
            assert!(!session.says("b", "call", "no", second), "{second}");
        }
    }

    #[test]
    fn a_damaged_record_is_none_and_one_that_cannot_be_kept_is_an_error() {
        let session = Session::new();
        session.record().mark(b"\xff\n1 2\n").unwrap();
        assert!(!session.says("a", "call", "no", 100));
        assert!(session.says("b", "call", "no", 100));
        std::fs::remove_dir_all(session.0.path()).unwrap();
        std::fs::write(session.0.path(), "").unwrap();
        let claim = Claim::new("a", &Call::Named("1".into()), &[], UNIX_EPOCH);
        assert!(claim.take(&session.record()).is_err());
    }

    #[test]
    fn a_record_does_not_grow_without_end() {
        let session = Session::new();
        for call in 0..100 {
            assert!(!session.says("a", &call.to_string(), "no", 100));
        }
        assert_eq!(read(session.record().read().unwrap().as_deref()).len(), MOST);
        assert!(session.says("b", "99", "no", 100));
    }

    #[test]
    fn of_two_at_once_one_is_second() {
        for _ in 0..50 {
            let session = Session::new();
            let second = thread::scope(|scope| {
                ["a", "b"]
                    .map(|program| scope.spawn(|| session.says(program, "call", "no", 100)))
                    .map(|thread| thread.join().unwrap())
            });
            assert_eq!(second.iter().filter(|second| **second).count(), 1, "{second:?}");
        }
    }
}
