//! The clock on the wall: times as people read them, and days as they begin here.
//!
//! The zone comes from `TZ`, else from `/etc/localtime`. A system that has neither shows UTC, and says so. Not chrono's own:
//! on macOS it would link a framework of Apple's.

use std::sync::OnceLock;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use tz::TimeZone;

fn zone() -> Option<&'static TimeZone> {
    static ZONE: OnceLock<Option<TimeZone>> = OnceLock::new();
    let found = || match std::env::var("TZ").ok().filter(|zone| !zone.is_empty()) {
        Some(zone) => TimeZone::from_posix_tz(&zone).ok(),
        None => TimeZone::local().ok(),
    };
    ZONE.get_or_init(found).as_ref()
}

/// How far the clock is ahead of UTC at a moment.
fn offset(time: DateTime<Utc>) -> TimeDelta {
    let seconds = zone().and_then(|zone| zone.find_local_time_type(time.timestamp()).ok());
    TimeDelta::seconds(seconds.map_or(0, |kind| i64::from(kind.ut_offset())))
}

/// The head of a column of times.
pub(super) fn head() -> &'static str {
    if zone().is_some() { "TIME" } else { "TIME (UTC)" }
}

/// A record's time as the clock shows it; as it stands in the record where that is not a time.
pub(super) fn local(stamp: &str) -> String {
    stamp.parse::<DateTime<Utc>>().map_or_else(
        |_| stamp.get(..19).unwrap_or_default().replace('T', " "),
        |time| (time + offset(time)).format("%Y-%m-%d %H:%M:%S").to_string(),
    )
}

/// When a day begins here.
pub(super) fn midnight(day: NaiveDate) -> DateTime<Utc> {
    let as_utc = day.and_time(NaiveTime::MIN).and_utc();
    // The offset of the night may be another one than twelve hours before or after.
    let first = as_utc - offset(as_utc);
    as_utc - offset(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_time_stays_as_it_is() {
        assert_eq!(local("yesterdayT"), "");
        assert_eq!(local("2026-99-99T10:30:00.000Z"), "2026-99-99 10:30:00");
    }

    #[test]
    fn a_day_begins_when_the_clock_shows_it() {
        let begins = midnight("2026-11-22".parse().unwrap());
        assert_eq!(local(&begins.to_rfc3339()), "2026-11-22 00:00:00");
    }
}
