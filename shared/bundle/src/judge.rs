//! Whether a bundle may come into force here.

use semver::Version;
use store::bundle::Identity;

use crate::archive::{Archive, unpack};
use crate::content::mistakes;
use crate::memory::{Followed, Memory};
use crate::refusal::Refusal;
use crate::sign::PublicKey;

/// A bundle as it was fetched.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'c> {
    pub bytes: &'c [u8],
    pub signature: &'c str,
}

/// What it is judged by.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'s> {
    pub key: &'s PublicKey,
    pub memory: &'s Memory,
    /// What is in force.
    pub in_force: Option<&'s Identity>,
    /// What the clock says, in seconds since 1970.
    pub clock: u64,
    /// The version of the programs.
    pub version: &'s Version,
    /// Whether another key or line of bundles may be followed from now on.
    pub switch: bool,
}

/// What is in the bundle, and what SHA-256 of it is.
///
/// # Errors
///
/// Why it is refused.
pub fn judge(candidate: &Candidate<'_>, situation: &Situation<'_>) -> Result<(Archive, String), Refusal> {
    let Situation { key, memory, in_force, clock, version, switch } = *situation;
    // Before anything that it says is looked at.
    key.check(candidate.bytes, candidate.signature)?;
    let archive = unpack(candidate.bytes)?;
    let manifest = &archive.manifest;
    let digest = store::bundle::digest(candidate.bytes);
    // The memory may be gone where the bundle in force is not.
    let in_force = in_force.map(|one| Followed { key: one.key.clone(), name: one.name.clone() });
    if let Some(followed) = memory.followed.as_ref().or(in_force.as_ref()).filter(|_| !switch) {
        if followed.key != key.id() && followed.key != key.written() {
            return Err(Refusal::KeyChanged { followed: followed.key.clone(), given: key.id() });
        }
        if followed.name != manifest.name {
            return Err(Refusal::NameChanged {
                followed: followed.name.clone(),
                given: manifest.name.clone(),
            });
        }
    }
    for (serial, known) in memory.seen(key, &manifest.name).chain(situation.seen_in_force(&manifest.name)) {
        if manifest.serial < serial {
            return Err(Refusal::Older { serial: manifest.serial, highest: serial });
        }
        if manifest.serial == serial && digest != known {
            return Err(Refusal::SameSerial(serial));
        }
    }
    // Time does not go back.
    let now = clock.max(memory.latest);
    if now < manifest.not_before {
        return Err(Refusal::NotYet { from: manifest.not_before, now });
    }
    if now > manifest.not_after {
        let until = manifest.not_after;
        return Err(if clock > until {
            Refusal::Expired { until, now }
        } else {
            Refusal::ClockTurnedBack { until, clock, latest: memory.latest }
        });
    }
    if let Some(requires) = manifest.requires.as_ref().filter(|requires| *requires > version) {
        return Err(Refusal::OldProgram { requires: requires.clone(), version: version.clone() });
    }
    // Last, as it takes longest.
    match mistakes(&archive.files).into_iter().next() {
        Some(mistaken) => Err(Refusal::Mistaken(mistaken)),
        None => Ok((archive, digest)),
    }
}

impl<'s> Situation<'s> {
    /// The serial number and digest of the bundle in force, if it belongs to this line.
    fn seen_in_force(&self, name: &str) -> impl Iterator<Item = (u64, &'s str)> + use<'s> {
        let id = self.key.id();
        let name = name.to_owned();
        let of_line = move |one: &&Identity| one.name == name && one.key == id;
        self.in_force.into_iter().filter(of_line).map(|one| (one.serial, one.digest.as_str()))
    }
}
