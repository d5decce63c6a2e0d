//! Why a bundle is refused. The last good one stays in force.

use semver::Version;

use crate::archive::{Malformed, SIGNATURE_ENDING};
use crate::content::Mistaken;
use crate::manifest::stamp;

/// Why a bundle is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("its signature does not hold: {0}")]
    NotSigned(String),
    #[error("it is signed by the key {signer}, not by {wanted}")]
    OtherKey { signer: String, wanted: String },
    #[error("{0}")]
    Malformed(#[from] Malformed),
    #[error("this machine follows the key {followed}, and --key is {given}")]
    KeyChanged { followed: String, given: String },
    #[error("this machine follows the bundles `{followed}`, and this is one of `{given}`")]
    NameChanged { followed: String, given: String },
    #[error("its serial number {serial} is older than {highest}, which was seen here")]
    Older { serial: u64, highest: u64 },
    #[error("another bundle with the serial number {0} was seen here")]
    SameSerial(u64),
    #[error("it is valid from {} on, and it is {}", stamp(*.from), stamp(*.now))]
    NotYet { from: u64, now: u64 },
    #[error("it was valid until {}, and it is {}", stamp(*.until), stamp(*.now))]
    Expired { until: u64, now: u64 },
    #[error("it was valid until {}: the clock says {}, and was at {} before", stamp(*.until), stamp(*.clock), stamp(*.latest))]
    ClockTurnedBack { until: u64, clock: u64, latest: u64 },
    #[error("it needs version {requires} of the programs, and these are {version}")]
    OldProgram { requires: Version, version: Version },
    #[error("{} has a mistake: {}", .0.file, .0.what)]
    Mistaken(Mistaken),
}

impl Refusal {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::NotSigned(_) => {
                format!(
                    "Fetch the bundle and its `{SIGNATURE_ENDING}` again; both must come from one signing."
                )
            }
            Self::OtherKey { .. } => "Ask who signs your bundles; --key names their public key.".to_owned(),
            Self::Malformed(_) => "Make it with `hook-runner policy bundle`, which checks it.".to_owned(),
            Self::KeyChanged { .. } | Self::NameChanged { .. } => {
                "If it is meant, add --switch once, as an administrator.".to_owned()
            }
            Self::Older { .. } => {
                "Make a bundle with a higher serial number to go back to older rules.".to_owned()
            }
            Self::SameSerial(_) => "Give every bundle a serial number of its own.".to_owned(),
            Self::NotYet { .. } => "Check this machine's clock; the next pull tries again.".to_owned(),
            Self::Expired { .. } => {
                "Check this machine's clock, and make a bundle with a later last day.".to_owned()
            }
            Self::ClockTurnedBack { .. } => {
                "If the clock was wrong before and is right now, add --reset-clock once, as an administrator."
                    .to_owned()
            }
            Self::OldProgram { .. } => {
                "Update the programs (`hook-runner update`), then pull again.".to_owned()
            }
            Self::Mistaken(_) => {
                "Correct it, or update the programs if it is valid for a newer version.".to_owned()
            }
        }
    }
}
