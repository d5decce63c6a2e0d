//! Where approvals are offered, granted and used.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use payload::Event;
use session::{Owner, Record, Store};

use crate::action::Action;
use crate::book::{Book, Bound, Grant, Offered};
use crate::call::Call;
use crate::code::Code;
use crate::error::ApprovalError;
use crate::seal::{Seals, hex};

/// For how long a code is good.
pub const OFFER: Duration = Duration::from_hours(24);

/// For how long a grant is good.
pub const GRANT: Duration = Duration::from_mins(10);

/// How long another call may hold a session's record.
const PATIENCE: Duration = Duration::from_millis(800);

/// The record's name.
const BOOK: &str = "approvals";

/// The mark of a grant that was used: with it, an older state of the record that is put back grants nothing.
const SPENT: &str = "spent";

/// Where the owners of such marks belong; no host has this name.
const GRANTS: &str = "policy-hooks grant";

/// A user's approvals.
#[derive(Debug, Clone)]
pub struct Desk {
    store: Store,
    key: PathBuf,
}

/// A hook's question: a call that its rules hold back.
#[derive(Debug)]
pub struct Asked<'a> {
    /// The call's event.
    pub event: &'a Event<'a>,
    /// Who asks.
    pub by: &'a str,
    /// The rules that hold it back.
    pub why: &'a [Why],
}

/// A rule that holds a call back, and that a person may lift once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Why {
    /// Its id.
    pub rule: String,
    /// Why it matters.
    pub reason: String,
}

/// The answer to a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A person granted it, and this is the one call.
    Granted(Code),
    /// A person may grant it under this code.
    Offered(Code),
    /// It cannot be repeated, or has no session: there is nothing that a grant could be bound to.
    Nothing,
}

/// What waits for a person, as it is shown. All texts may be anybody's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Its code.
    pub code: Code,
    /// The host.
    pub host: String,
    /// The session.
    pub session: String,
    /// The folder that the agent works in.
    pub folder: String,
    /// The tool and its arguments, without their secrets.
    pub shown: Vec<(String, String)>,
    /// The rules that hold it back.
    pub rules: Vec<Why>,
    /// When it was held back.
    pub at: SystemTime,
    bound: Bound,
}

/// What was granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Granted {
    /// Until when it may be used.
    pub until: SystemTime,
}

impl Desk {
    /// The desk of the user with this home. No environment variable moves it: what an agent sets for a program that it
    /// starts must not choose who approves.
    pub fn of(home: &Path) -> Self {
        Self { store: Store::of(home), key: home.join(".local/state/policy-hooks/approvals/key") }
    }

    /// A desk in any folder, for tests.
    pub fn at(folder: &Path) -> Self {
        Self { store: Store::at(folder.join("sessions")), key: folder.join("key") }
    }

    fn seals(&self) -> Result<Seals, ApprovalError> {
        Ok(Seals::new(audit::private_key(&self.key)?))
    }

    /// Uses a grant for this call, or offers the call to a person. An error leaves the denial as it is.
    pub fn ask(&self, asked: &Asked<'_>, now: SystemTime) -> Result<Answer, ApprovalError> {
        let Some(action) = Action::of(asked.event) else { return Ok(Answer::Nothing) };
        let Some(session) = asked.event.session_id().filter(|id| !id.is_empty()) else {
            return Ok(Answer::Nothing);
        };
        let seals = self.seals()?;
        let bound = Bound {
            host: asked.event.host.as_str().to_owned(),
            session: session.into_owned(),
            folder: asked.event.cwd().unwrap_or_default().into_owned(),
            action: hex(&seals.digest("policy-hooks action 1", action.texts())),
        };
        let code = code(&seals, &bound);
        self.store.sweep(now);
        let record = self.record(&bound);
        let locked = record.lock(PATIENCE)?;
        let mut book = Book::read(locked.read()?.as_deref(), &seals);
        let now = milliseconds(now);
        let call = Call::of(asked.event, asked.by);
        if let Some(index) = self.usable(&book, &bound, asked.why, &call, now) {
            let grant = &mut book.grants[index];
            // First the mark, then the record: what is interrupted in between leaves a grant that is used up. Only one
            // process makes the mark, also where somebody has taken the lock away.
            if grant.uses.is_empty() && !self.spent(&grant.nonce).claim()? {
                return Ok(Answer::Offered(code));
            }
            grant.uses.push(call);
            // What was used is not offered any more; the next try is.
            book.offers.retain(|offer| offer.bound != bound);
            book.write(&seals, &locked)?;
            return Ok(Answer::Granted(code));
        }
        if offer(&mut book, &bound, &action, asked.why, now)? {
            book.grants.retain(|grant| grant.until > now);
            book.write(&seals, &locked)?;
        }
        Ok(Answer::Offered(code))
    }

    /// The grant that this call may use.
    fn usable(&self, book: &Book, bound: &Bound, why: &[Why], call: &Call, now: u64) -> Option<usize> {
        let may = |grant: &Grant| {
            grant.bound == *bound
                // A clock that was set back makes no grant last longer.
                && (grant.from..grant.until).contains(&now)
                && grant.until.saturating_sub(grant.from) <= duration(GRANT)
                && !why.is_empty()
                && why.iter().all(|why| grant.rules.contains(&why.rule))
                && self.spent(&grant.nonce).exists() != grant.uses.is_empty()
                && call.may_follow(&grant.uses)
        };
        // One that this very call has begun to use comes first.
        let begun = book.grants.iter().position(|grant| !grant.uses.is_empty() && may(grant));
        begun.or_else(|| book.grants.iter().position(may))
    }

    /// What was offered under a code, in whatever session.
    pub fn find(&self, wanted: &Code, now: SystemTime) -> Result<Offer, ApprovalError> {
        let seals = self.seals()?;
        let now = milliseconds(now);
        let mut found = None;
        for record in self.store.records(BOOK) {
            // What cannot be read offers nothing.
            let Ok(bytes) = record.read() else { continue };
            for offered in Book::read(bytes.as_deref(), &seals).offers {
                let code = code(&seals, &offered.bound);
                let holds = (offered.at..offered.at.saturating_add(duration(OFFER))).contains(&now);
                if code != *wanted || !holds || self.record(&offered.bound).path() != record.path() {
                    continue;
                }
                if found.replace(Offer::of(code, offered)).is_some() {
                    return Err(ApprovalError::Ambiguous);
                }
            }
        }
        found.ok_or(ApprovalError::Unknown)
    }

    /// Everything that waits for a person.
    pub fn offers(&self, now: SystemTime) -> Result<Vec<Offer>, ApprovalError> {
        let seals = self.seals()?;
        let now = milliseconds(now);
        let books = self.store.records(BOOK).into_iter().filter_map(|record| record.read().ok());
        let offers = books.flat_map(|bytes| Book::read(bytes.as_deref(), &seals).offers);
        let good = offers.filter(|offer| (offer.at..offer.at.saturating_add(duration(OFFER))).contains(&now));
        Ok(good.map(|offer| Offer::of(code(&seals, &offer.bound), offer)).collect())
    }

    /// Grants what a person was shown: for the rules of this offer, and no others that hooks have named meanwhile.
    pub fn grant(&self, offer: &Offer, now: SystemTime) -> Result<Granted, ApprovalError> {
        let seals = self.seals()?;
        let mut nonce = [0; 16];
        getrandom::fill(&mut nonce).map_err(|_| audit::KeyError::NoRandom)?;
        let record = self.record(&offer.bound);
        let locked = record.lock(PATIENCE)?;
        let mut book = Book::read(locked.read()?.as_deref(), &seals);
        let from = milliseconds(now);
        let until = from.saturating_add(duration(GRANT));
        // A second approval of one action replaces the first.
        book.grants
            .retain(|grant| grant.until > from && (grant.bound != offer.bound || !grant.uses.is_empty()));
        book.grants.push(Grant {
            nonce: hex(&nonce),
            bound: offer.bound.clone(),
            rules: offer.rules.iter().map(|why| why.rule.clone()).collect(),
            from,
            until,
            uses: Vec::new(),
        });
        book.write(&seals, &locked)?;
        Ok(Granted { until: now + GRANT })
    }

    fn record(&self, bound: &Bound) -> Record {
        self.store.record(Owner::Session { host: &bound.host, id: &bound.session }, BOOK)
    }

    fn spent(&self, nonce: &str) -> Record {
        self.store.record(Owner::Session { host: GRANTS, id: nonce }, SPENT)
    }
}

/// Notes that a call was held back; whether the book is another one now.
fn offer(
    book: &mut Book,
    bound: &Bound,
    action: &Action<'_>,
    why: &[Why],
    now: u64,
) -> Result<bool, ApprovalError> {
    let known = book.offers.iter_mut().find(|offer| offer.bound == *bound);
    let Some(known) = known else {
        let shown = action.shown(&audit::fetch_key)?;
        let mut rules: Vec<(String, String)> = Vec::new();
        add(&mut rules, why);
        book.offers.push(Offered { bound: bound.clone(), shown, rules, at: now });
        return Ok(true);
    };
    let more = add(&mut known.rules, why);
    // A code that is about to end is renewed.
    let old = !(known.at..known.at.saturating_add(duration(OFFER) / 2)).contains(&now);
    if old {
        known.at = now;
    }
    Ok(more || old)
}

/// Adds the rules that are not among them.
fn add(rules: &mut Vec<(String, String)>, why: &[Why]) -> bool {
    let before = rules.len();
    for Why { rule, reason } in why {
        if !rules.iter().any(|(known, _)| known == rule) {
            rules.push((rule.clone(), reason.clone()));
        }
    }
    rules.len() > before
}

/// The same for every hook that holds the same call back.
fn code(seals: &Seals, bound: &Bound) -> Code {
    let Bound { host, session, folder, action } = bound;
    Code::of(&seals.digest("policy-hooks code 1", [&**host, session, folder, action]))
}

impl Offer {
    fn of(code: Code, offered: Offered) -> Self {
        let Offered { bound, shown, rules, at } = offered;
        let rules = rules.into_iter().map(|(rule, reason)| Why { rule, reason }).collect();
        Self {
            code,
            host: bound.host.clone(),
            session: bound.session.clone(),
            folder: bound.folder.clone(),
            shown,
            rules,
            at: UNIX_EPOCH + Duration::from_millis(at),
            bound,
        }
    }
}

fn milliseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, duration)
}

fn duration(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
