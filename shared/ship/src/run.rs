//! One run: from the last acknowledged record to the end of the log, or on and on.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use audit::queue::{self, Cursor, Limit, Remark};
use export::{Entry, Format, entries};

use crate::cursor::Held;
use crate::error::ShipError;
use crate::pace::{Pace, chance};
use crate::receiver::{self, Failure, Receiver, With};
use crate::target::Target;
use crate::token::Token;

/// What is shipped, where and how.
#[derive(Debug, Clone)]
pub struct Plan {
    pub log: PathBuf,
    /// The folder for what outlives a run.
    pub state: PathBuf,
    /// The address, as it was written: with the log, it names the cursor.
    pub to: String,
    pub format: Option<Format>,
    pub token: Option<Token>,
    pub ca_file: Option<PathBuf>,
    pub limit: Limit,
    pub pace: Pace,
    /// How long an answer is waited for.
    pub patience: Duration,
    /// Goes on when everything is sent, and looks again after this time.
    pub follow: Option<Duration>,
}

impl Plan {
    /// The usual way to an address.
    pub fn new(log: PathBuf, state: PathBuf, to: String) -> Self {
        Self {
            log,
            state,
            to,
            format: None,
            token: None,
            ca_file: None,
            limit: Limit { records: 512, bytes: 1 << 20 },
            pace: Pace::default(),
            patience: Duration::from_secs(10),
            follow: None,
        }
    }
}

/// What a run did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shipped {
    /// How many records were acknowledged.
    pub records: u64,
    /// Those that the receiver refused though it took their neighbours.
    pub refused: Vec<u64>,
    /// What happened to the log since the last run.
    pub remarks: Vec<Remark>,
    /// The last acknowledged record; `None` where nothing ever was.
    pub cursor: Option<Cursor>,
}

/// Ships what was not acknowledged yet. What was is noted also when this ends in an error.
pub fn ship(plan: &Plan, mut progress: impl FnMut(&Shipped)) -> Result<Shipped, ShipError> {
    let target = Target::parse(&plan.to)?;
    let format = plan.format.unwrap_or_else(|| target.usual_format());
    target.check(format)?;
    if plan.token.is_some() && target.is_in_the_clear() {
        let why = "a token would be read by everyone on the way; use https";
        return Err(ShipError::Target { to: plan.to.clone(), why });
    }
    let with = With {
        format,
        token: plan.token.as_ref(),
        ca_file: plan.ca_file.as_deref(),
        patience: plan.patience,
    };
    let mut held = Held::take(&plan.state, &plan.to, &plan.log)?;
    let mut receiver = receiver::open(&target, with)?;
    let mut shipped = Shipped { cursor: held.status.cursor.clone(), ..Shipped::default() };
    let mut machine = String::new();
    loop {
        let batch = queue::next(&plan.log, held.status.cursor.as_ref(), plan.limit)?;
        if let Some(remark) = batch.remark
            && !shipped.remarks.contains(&remark)
        {
            shipped.remarks.push(remark);
        }
        let Some(end) = batch.end else {
            match plan.follow {
                Some(pause) => {
                    thread::sleep(pause);
                    continue;
                }
                None => return Ok(shipped),
            }
        };
        let entries = entries(&batch.lines, &mut machine);
        let refused = deliver(&mut *receiver, &entries, &plan.pace)?;
        held.advance(end.clone(), &refused)?;
        shipped.records += (entries.len() - refused.len()) as u64;
        shipped.refused.extend(refused);
        shipped.cursor = Some(end);
        progress(&shipped);
    }
}

/// Sends a batch until the receiver has taken it; returns the numbers of those that it refuses though it takes others.
fn deliver(receiver: &mut dyn Receiver, entries: &[Entry<'_>], pace: &Pace) -> Result<Vec<u64>, ShipError> {
    match patiently(receiver, entries, pace)? {
        Ok(()) => return Ok(Vec::new()),
        Err(why) if entries.len() < 2 => return Err(ShipError::Refused { why }),
        Err(_) => {}
    }
    // Which of them does it refuse? Halves are asked for, largest first.
    let (mut refused, mut taken, mut last) = (Vec::new(), 0, String::new());
    let half = entries.len() / 2;
    let mut open = vec![&entries[half..], &entries[..half]];
    while let Some(part) = open.pop() {
        match patiently(receiver, part, pace)? {
            Ok(()) => taken += part.len(),
            Err(why) => {
                last = why;
                if let [entry] = part {
                    refused.push(entry.seq());
                } else {
                    let half = part.len() / 2;
                    open.extend([&part[half..], &part[..half]]);
                }
            }
        }
    }
    // One that takes nothing at all is out of order, whatever it says: no record is given up for that.
    if taken == 0 { Err(ShipError::Refused { why: last }) } else { Ok(refused) }
}

/// Sends again while it may go better; the inner error says why the records themselves are refused.
fn patiently(
    receiver: &mut dyn Receiver,
    entries: &[Entry<'_>],
    pace: &Pace,
) -> Result<Result<(), String>, ShipError> {
    let start = Instant::now();
    for tries in 0.. {
        let failure = match receiver.send(entries) {
            Ok(()) => return Ok(Ok(())),
            Err(failure) => failure,
        };
        let asked = match &failure {
            Failure::Later { after, .. } => *after,
            Failure::Records { why } => return Ok(Err(why.clone())),
            Failure::Everything { why } => return Err(ShipError::Refused { why: why.clone() }),
        };
        // What a receiver asks for counts, within reason.
        let pause = asked.unwrap_or_default().min(Duration::from_mins(5)).max(pace.pause(tries, chance()));
        if pace.give_up.is_some_and(|limit| start.elapsed() + pause > limit) {
            return Err(ShipError::Away { why: failure.why().to_owned() });
        }
        thread::sleep(pause);
    }
    Err(ShipError::Away { why: "it was tried too often".to_owned() })
}

/// The state's folder of this user.
pub fn state() -> Option<PathBuf> {
    audit::state_folder()
}

/// How many records follow a cursor, without sending any.
pub fn waiting(log: &Path, cursor: Option<&Cursor>) -> Result<u64, ShipError> {
    let (mut count, mut cursor) = (0, cursor.cloned());
    let limit = Limit { records: 4096, bytes: 8 << 20 };
    loop {
        let batch = queue::next(log, cursor.as_ref(), limit)?;
        let Some(end) = batch.end else { return Ok(count) };
        count += batch.lines.len() as u64;
        cursor = Some(end);
    }
}

#[cfg(test)]
mod tests {
    use audit::Record;

    use super::*;

    /// A receiver that answers by a script, and takes what it has not to refuse.
    struct Scripted {
        script: Vec<Failure>,
        refuses: Vec<u64>,
        taken: Vec<u64>,
    }

    impl Receiver for Scripted {
        fn send(&mut self, entries: &[Entry<'_>]) -> Result<(), Failure> {
            if let Some(failure) = self.script.pop() {
                return Err(failure);
            }
            if entries.iter().any(|entry| self.refuses.contains(&entry.seq())) {
                return Err(Failure::Records { why: "no".to_owned() });
            }
            self.taken.extend(entries.iter().map(Entry::seq));
            Ok(())
        }
    }

    const AT_ONCE: Pace =
        Pace { first: Duration::ZERO, longest: Duration::ZERO, give_up: Some(Duration::from_mins(1)) };

    fn records(count: u64) -> Vec<(String, Record)> {
        (1..=count)
            .map(|seq| {
                let line = format!("{{\"v\":1,\"id\":\"{seq}\",\"kind\":\"event\",\"seq\":{seq}}}");
                let record = Record::parse(line.as_bytes()).unwrap();
                (line, record)
            })
            .collect()
    }

    fn run(receiver: &mut Scripted, count: u64) -> Result<Vec<u64>, ShipError> {
        let lines = records(count);
        let mut machine = String::new();
        deliver(receiver, &entries(&lines, &mut machine), &AT_ONCE)
    }

    #[test]
    fn what_may_go_better_is_tried_again() {
        let mut receiver =
            Scripted { script: vec![Failure::later("503"); 5], refuses: vec![], taken: vec![] };
        assert_eq!(run(&mut receiver, 9).unwrap(), [0; 0]);
        assert_eq!(receiver.taken, (1..=9).collect::<Vec<_>>());
    }

    #[test]
    fn one_record_that_is_refused_does_not_keep_the_others() {
        let mut receiver = Scripted { script: vec![], refuses: vec![4, 8], taken: vec![] };
        assert_eq!(run(&mut receiver, 11).unwrap(), [4, 8]);
        assert_eq!(receiver.taken, [1, 2, 3, 5, 6, 7, 9, 10, 11]);
    }

    #[test]
    fn a_receiver_that_takes_nothing_costs_no_record() {
        let mut receiver = Scripted { script: vec![], refuses: (1..=11).collect(), taken: vec![] };
        assert!(matches!(run(&mut receiver, 11), Err(ShipError::Refused { .. })));
        assert!(matches!(run(&mut receiver, 1), Err(ShipError::Refused { .. })));
        let why = "401".to_owned();
        let mut receiver =
            Scripted { script: vec![Failure::Everything { why }], refuses: vec![], taken: vec![] };
        assert!(matches!(run(&mut receiver, 11), Err(ShipError::Refused { .. })));
        assert_eq!(receiver.taken, [0; 0]);
    }
}
