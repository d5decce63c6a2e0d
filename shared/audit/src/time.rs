//! Times as records write them. By hand: a calendar library in every hook costs 400 relocations at its start.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAY: u64 = 24 * 3600;

/// How long ago 1970 was.
pub(crate) fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// `2026-11-22T05:01:26.123456Z`
pub(crate) fn stamp(time: Duration) -> String {
    let (year, month, day) = date(time);
    let seconds = time.as_secs() % DAY;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:06}Z", time.subsec_micros())
}

/// `20261122`
pub(crate) fn day(time: Duration) -> String {
    let (year, month, day) = date(time);
    format!("{year:04}{month:02}{day:02}")
}

/// Whether a moment lies in the present day (UTC).
pub(crate) fn is_today(time: SystemTime) -> bool {
    let day = |time: Duration| time.as_secs() / DAY;
    time.duration_since(UNIX_EPOCH).is_ok_and(|time| day(time) == day(now()))
}

/// The date in the Gregorian calendar. Eras of 400 years, years from March: Howard Hinnant, "chrono-compatible
/// low-level date algorithms".
fn date(time: Duration) -> (u64, u64, u64) {
    let days = time.as_secs() / DAY + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
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
    bytes[..6].copy_from_slice(&milliseconds[2..]);
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
