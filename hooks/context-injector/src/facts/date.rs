//! `date`: today.

/// In the world's time: the time zone is no one's business.
pub(super) fn tell() -> String {
    format!("{} UTC", policy::Date::of(policy::layers::today()))
}
