//! Sessions that are over: what was held back there, no agent tries again.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::SystemTime;

use approvals::Offer;
use audit::Journal;

/// Without the offers of sessions whose last record in the audit log is their end. Where there is no log, no one knows.
pub(super) fn without(mut offers: Vec<Offer>) -> Vec<Offer> {
    let Some(oldest) = offers.iter().map(|offer| offer.at).min() else { return offers };
    let here = std::env::current_dir().ok();
    let journal = Journal::open(here.as_deref().and_then(Path::to_str));
    let Some(log) = journal.path() else { return offers };
    let mut files = audit::files(log).unwrap_or_default();
    files.extend(audit::waiting(log));
    files.retain(|file| written(file).is_none_or(|at| at >= oldest));
    // By time, as what was spilled beside the log may be older than what is in it.
    let mut last: HashMap<[String; 2], (String, bool)> = HashMap::new();
    let read = screen::counted("reading the log", audit::size(&files), |done| {
        audit::each_counted(&files, done, |record| {
            let session = [record.text("host"), record.text("session")].map(str::to_owned);
            let event = record.text("event");
            let is_newer = last.get(&session).is_none_or(|(ts, _)| ts.as_str() <= record.ts());
            if !event.is_empty() && is_newer {
                last.insert(session, (record.ts().to_owned(), event == "SessionEnd"));
            }
            ControlFlow::Continue(())
        })
    });
    // What cannot be read to its end may have begun again after it.
    if read.is_ok() {
        offers.retain(|offer| {
            let session = [offer.host.clone(), offer.session.clone()];
            !last.get(&session).is_some_and(|(_, is_over)| *is_over)
        });
    }
    offers
}

fn written(file: &Path) -> Option<SystemTime> {
    file.metadata().and_then(|about| about.modified()).ok()
}
