//! Times as records write them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Datelike as _, SecondsFormat, Utc};

/// How long ago 1970 was.
pub(crate) fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// `2026-11-22T05:01:26.123456Z`
pub(crate) fn stamp(time: Duration) -> String {
    moment(time).to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// `20261122`
pub(crate) fn day(time: Duration) -> String {
    let date = moment(time).date_naive();
    // `date.format` would read a format at run time, in every hook.
    format!("{:04}{:02}{:02}", date.year(), date.month(), date.day())
}

/// Whether a moment lies in the present day (UTC).
pub(crate) fn is_today(time: SystemTime) -> bool {
    time.duration_since(UNIX_EPOCH).is_ok_and(|time| moment(time).date_naive() == moment(now()).date_naive())
}

fn moment(time: Duration) -> DateTime<Utc> {
    let seconds = i64::try_from(time.as_secs()).unwrap_or_default();
    DateTime::from_timestamp(seconds, time.subsec_nanos()).unwrap_or_default()
}

/// An identifier that sorts by time: a UUID of version 7.
pub(crate) fn identifier(time: Duration) -> String {
    let mut bytes = [0u8; 16];
    // Without random bytes the clock and the process have to do.
    if getrandom::fill(&mut bytes[6..]).is_err() {
        let seed = time.as_nanos() ^ (u128::from(std::process::id()) << 64);
        bytes[6..].copy_from_slice(&seed.to_be_bytes()[6..]);
    }
    let milliseconds = u64::try_from(time.as_millis()).unwrap_or_default().to_be_bytes();
    // Big-endian and in front, so that identifiers sort as their times do (RFC 9562).
    bytes[..6].copy_from_slice(&milliseconds[2..]);
    // The version and the variant stand in bits of their own: what was random there gives way.
    bytes[6] = bytes[6] & 0x0f | 0x70;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = crate::chain::short_hex(&bytes, 32);
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00.000000Z"),
            (951_782_399, "2000-02-28T23:59:59.000000Z"),
            (951_782_400, "2000-02-29T00:00:00.000000Z"),
            (1_795_323_686, "2026-11-22T05:01:26.000000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000000Z"),
        ] {
            assert_eq!(stamp(Duration::from_secs(seconds)), expected);
        }
        assert_eq!(day(Duration::from_secs(1_795_323_686)), "20261122");
    }

    #[test]
    fn times_and_identifiers_sort_as_texts() {
        let (earlier, later) =
            (Duration::from_millis(1_795_323_686_500), Duration::from_millis(1_795_323_686_523));
        assert!(stamp(earlier) < stamp(later));
        let (first, second) = (identifier(earlier), identifier(later));
        assert!(first < second, "{first} {second}");
        assert_eq!((first.len(), &first[14..15]), (36, "7"));
    }
}
