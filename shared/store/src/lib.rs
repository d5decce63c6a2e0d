//! What our programs keep on disk, and what they read there: settings files, state between two calls, and whom the
//! person trusts.

pub mod bundle;
pub mod session;
pub mod settings;
pub mod transcript;
pub mod trust;
