//! How long approvals last.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// For how long a code is good.
pub const OFFER: Duration = Duration::from_hours(24);

/// For how long a grant is good.
pub const GRANT: Duration = Duration::from_mins(10);

/// A time in milliseconds since 1970.
pub(crate) fn milliseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, duration)
}

pub(crate) fn duration(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
