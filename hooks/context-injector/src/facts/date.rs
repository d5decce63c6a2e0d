//! `date`: today.

use std::time::SystemTime;

use chrono::{DateTime, Utc};

/// In the world's time: the time zone is no one's business.
pub(super) fn tell() -> String {
    format!("{} UTC", DateTime::<Utc>::from(SystemTime::now()).date_naive())
}
