//! The proof on a copy: what arrived at a collector, in whatever order, from however many logs, and how often.
//!
//! A copy lacks what is not a record, so a gap that a writer noted stands for itself. Records that arrived twice are
//! counted and do no harm. Which records belong together is known by their links; fragments between which records are
//! missing, by the user and the machine that they name.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::anchor::Anchor;
use crate::chain::{Head, Hex, Link};
use crate::verify::{Finding, note};

/// How many findings are kept; all are counted.
const SHOWN: usize = 1_000;

/// One log, as far as it arrived.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CopiedLog {
    /// Whose it is, as its records say: `USER@MACHINE`; empty where none says it.
    pub of: String,
    pub records: u64,
    /// The number of the first record.
    pub first: u64,
    /// The number of the last record.
    pub last: u64,
    /// The hash of the last record.
    pub head: String,
    /// How many records between the first and the last did not arrive.
    pub missing: u64,
    /// The last record that an anchor vouches for; `None` without one.
    pub anchored: Option<u64>,
}

/// What verifying a copy found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CopyReport {
    /// Whether everything is in order.
    pub intact: bool,
    /// How many records hold, each counted once.
    pub records: u64,
    /// How many arrived more than once.
    pub repeated: u64,
    pub logs: Vec<CopiedLog>,
    /// How many findings there are.
    pub found: u64,
    /// The first of them.
    pub findings: Vec<Finding>,
}

/// Collects the lines of a copy.
#[derive(Debug, Default)]
pub struct Copy {
    records: Vec<Seen>,
    known: HashMap<Hex, usize>,
    owners: Vec<String>,
    repeated: u64,
    edited: Vec<u64>,
}

/// What is kept of a record.
#[derive(Debug)]
struct Seen {
    seq: u64,
    prev: Hex,
    hash: Hex,
    /// Its place among the owners; records about the log itself have none.
    owner: Option<usize>,
    /// Heads of files that were too old, for whose absence this record vouches.
    expired: Vec<Head>,
}

impl Copy {
    /// Takes a line without its line feed; whether it is one of a log.
    pub fn add(&mut self, line: &[u8]) -> bool {
        let Some(link) = Link::of(line) else { return false };
        if !link.holds() {
            self.edited.push(link.head.seq);
            return true;
        }
        if self.known.contains_key(&link.head.hash) {
            self.repeated += 1;
            return true;
        }
        self.known.insert(link.head.hash, self.records.len());
        let owner = owner(link.body).map(|name| self.owner(name));
        let expired = note(&link).as_ref().map(expired).unwrap_or_default();
        self.records.push(Seen { seq: link.head.seq, prev: link.prev, hash: link.head.hash, owner, expired });
        true
    }

    fn owner(&mut self, name: String) -> usize {
        if let Some(at) = self.owners.iter().position(|known| *known == name) {
            return at;
        }
        self.owners.push(name);
        self.owners.len() - 1
    }

    /// Proves what was collected. A `partial` copy may lack records, as a filtered export does.
    pub fn finish(self, anchors: &[Anchor], partial: bool) -> CopyReport {
        let mut report = CopyReport {
            records: self.records.len() as u64,
            repeated: self.repeated,
            ..CopyReport::default()
        };
        let mut found = |what: &'static str, text: String| {
            report.found += 1;
            if report.findings.len() < SHOWN {
                report.findings.push(Finding { what, file: String::new(), line: 0, text });
            }
        };
        for seq in &self.edited {
            found("edited", format!("record {seq} is not what was written"));
        }
        let mut anchored: Vec<bool> = vec![false; anchors.len()];
        let mut logs = Vec::new();
        for (owner, mut fragments) in self.logs() {
            fragments.sort_by_key(|fragment| self.records[fragment[0]].seq);
            let of = owner.map(|at| self.owners[at].clone()).unwrap_or_default();
            let mut log = CopiedLog { of, ..CopiedLog::default() };
            let mut last: Option<&Seen> = None;
            for fragment in &fragments {
                let (first, end) = (&self.records[fragment[0]], &self.records[fragment[fragment.len() - 1]]);
                match last {
                    None => {
                        log.first = first.seq;
                        if !partial && !self.is_a_beginning(first) {
                            found(
                                "beginning-missing",
                                format!("{}the copy begins with record {}", of_log(&log.of), first.seq),
                            );
                        }
                    }
                    Some(last) if first.seq > last.seq + 1 => {
                        let count = first.seq - last.seq - 1;
                        log.missing += count;
                        if !partial {
                            found(
                                "missing",
                                format!(
                                    "{}{count} records are missing before record {}",
                                    of_log(&log.of),
                                    first.seq
                                ),
                            );
                        }
                    }
                    Some(last) if first.seq == last.seq + 1 => {
                        found(
                            "replaced",
                            format!(
                                "{}record {} does not follow the record {} before it",
                                of_log(&log.of),
                                first.seq,
                                last.seq
                            ),
                        );
                    }
                    Some(last) => {
                        found(
                            "repeated",
                            format!(
                                "{}another record {} stands beside records up to {}",
                                of_log(&log.of),
                                first.seq,
                                last.seq
                            ),
                        );
                    }
                }
                log.records += fragment.len() as u64;
                if last.is_none_or(|last| end.seq > last.seq) {
                    last = Some(end);
                }
            }
            if let Some(last) = last {
                log.last = last.seq;
                Head { seq: last.seq, hash: last.hash }.hash().clone_into(&mut log.head);
            }
            logs.push((log, fragments));
        }
        for (anchor, seen) in anchors.iter().zip(&mut anchored) {
            let Some(&at) = self.known.get(&anchor.head.hash) else { continue };
            *seen = self.records[at].seq == anchor.head.seq;
            for (log, fragments) in &mut logs {
                if fragments.iter().flatten().any(|&index| index == at) {
                    log.anchored = log.anchored.max(Some(anchor.head.seq));
                }
            }
        }
        for (anchor, _) in anchors.iter().zip(&anchored).filter(|(_, seen)| !**seen) {
            found("anchor", format!("record {} was anchored and is not in the copy", anchor.head.seq));
        }
        report.logs = logs.into_iter().map(|(log, _)| log).collect();
        report.intact = report.found == 0;
        report
    }

    /// The logs: whose each is, and its fragments, each a run of records that follow each other.
    fn logs(&self) -> Vec<(Option<usize>, Vec<Vec<usize>>)> {
        let mut order: Vec<usize> = (0..self.records.len()).collect();
        order.sort_by_key(|&at| self.records[at].seq);
        // The fragment that each record ends, by the record.
        let mut ends: HashMap<usize, usize> = HashMap::new();
        let mut fragments: Vec<Vec<usize>> = Vec::new();
        for at in order {
            let record = &self.records[at];
            let before = self
                .known
                .get(&record.prev)
                .copied()
                .filter(|&before| self.records[before].seq + 1 == record.seq);
            // A second record after the same one begins a fragment: it was taken above.
            if let Some(fragment) = before.and_then(|before| ends.remove(&before)) {
                fragments[fragment].push(at);
                ends.insert(at, fragment);
            } else {
                ends.insert(at, fragments.len());
                fragments.push(vec![at]);
            }
        }
        let whose = |fragment: &[usize]| fragment.iter().find_map(|&at| self.records[at].owner);
        let known: Vec<usize> = fragments.iter().filter_map(|fragment| whose(fragment)).collect();
        let only = known.first().copied().filter(|first| known.iter().all(|owner| owner == first));
        let mut logs: BTreeMap<Option<usize>, Vec<Vec<usize>>> = BTreeMap::new();
        for fragment in fragments {
            // A fragment that names no one belongs to the only one there is.
            logs.entry(whose(&fragment).or(only)).or_default().push(fragment);
        }
        logs.into_iter().collect()
    }

    /// Whether nothing came before this record, or another vouches for what did.
    fn is_a_beginning(&self, first: &Seen) -> bool {
        let before = Head { seq: first.seq.saturating_sub(1), hash: first.prev };
        before == Head::START || self.records.iter().any(|record| record.expired.contains(&before))
    }
}

fn of_log(of: &str) -> String {
    if of.is_empty() { String::new() } else { format!("{of}: ") }
}

/// `USER@MACHINE` of a record.
fn owner(body: &[u8]) -> Option<String> {
    let value = |name: &[u8]| {
        // The last one: ours stand at the end, after everything that a host may have written.
        let at = memchr::memmem::rfind(body, name)? + name.len();
        let length = memchr::memchr(b'"', &body[at..])?;
        std::str::from_utf8(&body[at..at + length]).ok()
    };
    Some(format!("{}@{}", value(b",\"user\":\"")?, value(b",\"machine\":\"")?))
}

fn expired(note: &serde_json::Value) -> Vec<Head> {
    let list = note["expired"].as_array().into_iter().flatten();
    list.filter_map(|one| Head::from_parts(one["seq"].as_u64()?, one["hash"].as_str()?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a log with this many records.
    fn log(count: u64, user: &str) -> Vec<Vec<u8>> {
        let mut head = Head::START;
        let mut lines = Vec::new();
        for number in 0..count {
            let mut line = Vec::new();
            let body = format!(
                "{{\"v\":1,\"id\":\"{number}\",\"kind\":\"event\",\"user\":\"{user}\",\"machine\":\"m\""
            );
            head = head.seal(&body, &mut line);
            line.pop();
            lines.push(line);
        }
        lines
    }

    fn proved(lines: &[Vec<u8>], partial: bool) -> CopyReport {
        let mut copy = Copy::default();
        for line in lines {
            assert!(copy.add(line));
        }
        copy.finish(&[], partial)
    }

    #[test]
    fn order_and_repetition_do_not_matter() {
        let mut lines = log(50, "a");
        lines.reverse();
        lines.extend(log(50, "a").into_iter().take(7));
        let report = proved(&lines, false);
        assert!(report.intact, "{report:?}");
        assert_eq!((report.records, report.repeated, report.logs.len()), (50, 7, 1));
        assert_eq!((report.logs[0].first, report.logs[0].last), (1, 50));
    }

    #[test]
    fn logs_of_two_users_are_two() {
        let report = proved(&[log(5, "a"), log(9, "b")].concat(), false);
        assert!(report.intact, "{report:?}");
        let logs: Vec<_> = report.logs.iter().map(|log| (log.of.as_str(), log.records)).collect();
        assert_eq!(logs, [("a@m", 5), ("b@m", 9)]);
    }

    #[test]
    fn what_is_missing_or_edited_is_found() {
        let mut lines = log(20, "a");
        lines.remove(7);
        let report = proved(&lines, false);
        assert_eq!((report.intact, report.logs[0].missing), (false, 1));
        assert_eq!(report.findings[0].what, "missing");
        assert!(proved(&lines, true).intact, "a filtered copy may lack records");

        let mut lines = log(20, "a");
        lines[3][20] ^= 1;
        let whats: Vec<_> = proved(&lines, false).findings.iter().map(|finding| finding.what).collect();
        assert_eq!(whats, ["edited", "missing"]);

        lines = log(20, "a").split_off(5);
        assert_eq!(proved(&lines, false).findings[0].what, "beginning-missing");
    }

    #[test]
    fn a_record_that_was_written_anew_is_found() {
        let mut lines = log(5, "a");
        let mut other = Vec::new();
        let after = Link::of(&lines[1]).unwrap().head;
        let _ = after.seal("{\"v\":1,\"id\":\"x\",\"user\":\"a\",\"machine\":\"m\"", &mut other);
        other.pop();
        lines.push(other);
        let report = proved(&lines, false);
        assert_eq!((report.intact, report.findings[0].what), (false, "repeated"));
    }

    #[test]
    fn an_anchor_that_is_not_there_is_found() {
        let lines = log(5, "a");
        let head = Link::of(&lines[4]).unwrap().head;
        let anchor = Anchor { head, ts: String::new(), log: String::new() };
        let mut copy = Copy::default();
        for line in &lines[..4] {
            copy.add(line);
        }
        assert_eq!(copy.finish(std::slice::from_ref(&anchor), false).findings[0].what, "anchor");
        let mut copy = Copy::default();
        for line in &lines {
            copy.add(line);
        }
        let report = copy.finish(&[anchor], false);
        assert_eq!((report.intact, report.logs[0].anchored), (true, Some(5)));
    }
}
