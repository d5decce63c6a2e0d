//! Where approvals are offered, granted and used.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use payload::Event;
use store::session::{Owner, Record, Store};
use store::settings::{Approvals, By};

use crate::action::Action;
use crate::book::{Book, Bound, Grant, Offered};
use crate::call::Call;
use crate::code::Code;
use crate::error::ApprovalError;
use crate::lasting::{GRANT, OFFER, duration, milliseconds};
use crate::rooted::{self, Rooted, Shown};
use crate::seal::{Seals, hex};

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
    /// Who may say yes, on this machine.
    says: Approvals,
    /// Where root's word lies.
    grants: PathBuf,
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
    pub rule: String,
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

/// What waits for a person, as it is shown. All strings may be anyone's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub code: Code,
    pub host: String,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Granted {
    /// Until when it may be used.
    pub until: SystemTime,
}

/// What a grant has to fit.
struct Wanted<'w> {
    bound: &'w Bound,
    why: &'w [Why],
    call: &'w Call,
    /// Those that root signed for it, where only they count.
    signed: Option<Vec<String>>,
    now: u64,
}

impl Desk {
    /// The desk of the user with this home. No environment variable moves it: what an agent sets for a program that it
    /// starts must not choose who approves.
    pub fn of(home: &Path) -> Self {
        Self {
            store: Store::of(home),
            key: home.join(".local/state/policy-hooks/approvals/key"),
            says: Approvals::of_the_machine(),
            grants: rooted::grants(),
        }
    }

    /// A desk in any folder, for tests.
    pub fn at(folder: &Path) -> Self {
        let says = Approvals { by: By::Person, terminals: Vec::new(), problem: None };
        Self {
            store: Store::at(folder.join("sessions")),
            key: folder.join("key"),
            says,
            grants: folder.join("grants"),
        }
    }

    /// The same where only this one's word counts, for tests.
    #[must_use]
    pub fn only_by(mut self, by: By) -> Self {
        self.says.by = by;
        self
    }

    /// Who may say yes, on this machine.
    pub fn says(&self) -> &Approvals {
        &self.says
    }

    fn seals(&self) -> Result<Seals, ApprovalError> {
        Ok(Seals::new(audit::private_key(&self.key)?))
    }

    /// Uses a grant for this call, or offers the call to a person. An error leaves the denial as it is.
    pub fn ask(&self, asked: &Asked<'_>, now: SystemTime) -> Result<Answer, ApprovalError> {
        if self.says.by == By::Nobody {
            return Ok(Answer::Nothing);
        }
        let Some(action) = Action::of(asked.event) else { return Ok(Answer::Nothing) };
        let Some(session) = asked.event.session_id().filter(|id| !id.is_empty()) else {
            return Ok(Answer::Nothing);
        };
        // Only now: what cannot be granted needs no key.
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
        let request = Request { asked, action: &action, bound: &bound, now };
        let signed = self.signed(&mut book, &request)?;
        let wanted = Wanted { bound: &bound, why: asked.why, call: &call, signed, now };
        if let Some(index) = self.usable(&book, &wanted) {
            let grant = &mut book.grants[index];
            // First the mark, then the record: what is interrupted in between leaves a grant that is used up. Only one
            // process makes the mark, also where someone has taken the lock away.
            if grant.uses.is_empty() && !self.spent(&grant.nonce).claim()? {
                return Ok(Answer::Offered(code));
            }
            grant.uses.push(call);
            for offer in book.offers.iter_mut().filter(|offer| offer.bound == bound) {
                offer.used = true;
            }
            book.write(&seals, &locked)?;
            return Ok(Answer::Granted(code));
        }
        if offer(&mut book, &request)? {
            // The book is written anyway; what has ended goes with it.
            book.grants.retain(|grant| grant.until > now);
            book.write(&seals, &locked)?;
        }
        Ok(Answer::Offered(code))
    }

    /// What root signed for this call, where only root's word counts, noted in the book as the user's own grants are: what
    /// stands there besides counts for nothing.
    fn signed(&self, book: &mut Book, request: &Request<'_>) -> Result<Option<Vec<String>>, ApprovalError> {
        let By::Root(key) = self.says.by else { return Ok(None) };
        let mut signed = rooted::signed(&self.grants, key);
        // Without a grant there is nothing to compare with, and showing an action costs an analysis of it.
        if !signed.is_empty() {
            let shown = request.action.shown(request.asked.event, &audit::fetch_key)?;
            let holds =
                |grant: &Rooted| grant.user == user() && grant.lets(request.bound, &shown, request.now);
            signed.retain(holds);
        }
        for Rooted { nonce, rules, from, until, .. } in &signed {
            let known = book.grants.iter().position(|grant| grant.nonce == *nonce);
            // Root's signature says nothing about use: that is noted here.
            let uses = known.map_or(Vec::new(), |known| book.grants.remove(known).uses);
            let (nonce, rules, bound) = (nonce.clone(), rules.clone(), request.bound.clone());
            book.grants.push(Grant { nonce, bound, rules, from: *from, until: *until, uses });
        }
        Ok(Some(signed.into_iter().map(|grant| grant.nonce).collect()))
    }

    /// The grant that this call may use.
    fn usable(&self, book: &Book, wanted: &Wanted<'_>) -> Option<usize> {
        let Wanted { bound, why, call, signed, now } = wanted;
        let may = |grant: &Grant| {
            grant.bound == **bound
                && signed.as_ref().is_none_or(|signed| signed.contains(&grant.nonce))
                // A clock that was set back makes no grant last longer.
                && (grant.from..grant.until).contains(now)
                && grant.until.saturating_sub(grant.from) <= duration(GRANT)
                && !why.is_empty()
                // A rule that the person did not see holds the call back as before.
                && why.iter().all(|why| grant.rules.contains(&why.rule))
                // An older copy of the book, put back, still finds the mark of its use.
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
                if code != *wanted
                    || !offered.waits(now)
                    // A book that was copied to another session's place offers nothing.
                    || self.record(&offered.bound).path() != record.path()
                {
                    continue;
                }
                if found.replace(Offer::of(code, offered)).is_some() {
                    // Two actions with one code are practically impossible by chance: someone made them so.
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
        let offers = books.flat_map(|bytes| {
            let Book { mut offers, grants } = Book::read(bytes.as_deref(), &seals);
            // What was granted waits for the agent, no longer for a person.
            let is_granted = |offer: &Offered| {
                grants
                    .iter()
                    .any(|grant| grant.bound == offer.bound && (grant.from..grant.until).contains(&now))
            };
            offers.retain(|offer| offer.waits(now) && !is_granted(offer));
            offers
        });
        Ok(offers.map(|offer| Offer::of(code(&seals, &offer.bound), offer)).collect())
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
        // One that is being used stays: other hooks have yet to look at the same call.
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

/// A call that was held back, as the book knows it.
struct Request<'a> {
    asked: &'a Asked<'a>,
    action: &'a Action<'a>,
    bound: &'a Bound,
    /// In milliseconds since 1970.
    now: u64,
}

/// Notes that a call was held back; whether the book is another one now.
fn offer(book: &mut Book, request: &Request<'_>) -> Result<bool, ApprovalError> {
    let Request { asked, action, bound, now } = *request;
    let why = asked.why;
    let known = book.offers.iter_mut().find(|offer| offer.bound == *bound);
    let Some(known) = known else {
        let shown = action.shown(asked.event, &audit::fetch_key)?;
        let mut rules: Vec<(String, String)> = Vec::new();
        add(&mut rules, why);
        book.offers.push(Offered { bound: bound.clone(), shown, rules, at: now, used: false });
        return Ok(true);
    };
    // Another hook may hold the same call back for reasons of its own.
    let more = add(&mut known.rules, why);
    // A code that is about to end is renewed.
    let old = known.used || !(known.at..known.at.saturating_add(duration(OFFER) / 2)).contains(&now);
    if old {
        (known.at, known.used) = (now, false);
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

impl Offered {
    /// Whether a person may still grant it.
    fn waits(&self, now: u64) -> bool {
        !self.used && (self.at..self.at.saturating_add(duration(OFFER))).contains(&now)
    }
}

impl Offer {
    /// What a person looks at.
    pub fn as_shown(&self) -> Shown {
        Shown {
            host: self.host.clone(),
            session: self.session.clone(),
            folder: self.folder.clone(),
            shown: self.shown.clone(),
            rules: self.rules.iter().map(|why| (why.rule.clone(), why.reason.clone())).collect(),
        }
    }

    fn of(code: Code, offered: Offered) -> Self {
        let Offered { bound, shown, rules, at, .. } = offered;
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

/// The user's number.
#[cfg(unix)]
fn user() -> u32 {
    rustix::process::getuid().as_raw()
}

/// Windows has none, and no root.
#[cfg(not(unix))]
fn user() -> u32 {
    u32::MAX
}
