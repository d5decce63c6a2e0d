//! A pull, from the address to the policy in force.

use std::io;
use std::path::Path;

use semver::Version;
use store::bundle::{self, File, Identity, InForce, in_force_at};

use crate::archive::Archive;
use crate::fetch::{FetchError, Source};
use crate::install::{InstallError, Place, Watch, memory_file};
use crate::judge::{Candidate, Situation, judge};
use crate::memory::{Last, Memory, MemoryError, Outcome};
use crate::refusal::Refusal;
use crate::sign::PublicKey;

/// What an administrator may let happen once.
#[derive(Debug, Clone, Copy, Default)]
pub struct Switches {
    /// Follow another key or line of bundles from now on.
    pub line: bool,
    /// Forget the latest time that was seen: the clock was wrong.
    pub clock: bool,
}

/// A pull as it is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Order<'o> {
    pub source: &'o Source,
    pub key: &'o PublicKey,
    /// The folder of the machine's settings, which holds `policy.d`.
    pub machine: &'o Path,
    /// What the clock says, in seconds since 1970.
    pub clock: u64,
    /// The version of the programs.
    pub version: &'o Version,
    pub switches: Switches,
}

/// A pull that ended well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pulled {
    /// What is in force now.
    pub identity: Identity,
    /// Whether it was in force before.
    pub unchanged: bool,
}

/// Why nothing new is in force.
#[derive(Debug, thiserror::Error)]
pub enum PullError {
    #[error("the bundle is refused: {0}")]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error(transparent)]
    Install(#[from] InstallError),
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

impl PullError {
    pub fn hint(&self) -> String {
        match self {
            Self::Refused(refusal) => refusal.hint(),
            Self::Fetch(error) => error.hint().to_owned(),
            Self::Install(InstallError::Busy) => "Wait until it has ended.".to_owned(),
            Self::Install(InstallError::Disk { error, .. }) if error.kind() == io::ErrorKind::PermissionDenied => {
                "Only an administrator pulls for the machine: run it with sudo.".to_owned()
            }
            Self::Install(InstallError::Disk { .. }) => {
                "Check the folder, its permissions and the free space on the disk.".to_owned()
            }
            Self::Memory(MemoryError::Broken { .. }) => {
                "It keeps old bundles out. As an administrator, compare `hook-runner policy status` with what you \
                 signed last, then remove the file."
                    .to_owned()
            }
        }
    }

    /// What `policy status` says of it from now on; `None` for what is no answer to the question.
    fn outcome(&self) -> Option<Outcome> {
        let (why, hint) = (payload::one_line(&self.to_string()), self.hint());
        match self {
            Self::Refused(refusal) => {
                Some(Outcome::Refused { why: payload::one_line(&refusal.to_string()), hint })
            }
            Self::Fetch(_) | Self::Install(InstallError::Disk { .. }) => Some(Outcome::Failed { why, hint }),
            Self::Install(InstallError::Busy) | Self::Memory(_) => None,
        }
    }
}

/// How the last pull ended, as far as it is known.
///
/// # Errors
///
/// Why what is remembered cannot be read.
pub fn last_pull(machine: &Path) -> Result<Memory, MemoryError> {
    Memory::read(&memory_file(machine))
}

/// Fetches a bundle, checks it, and puts it in force.
///
/// # Errors
///
/// Why nothing has changed: what was in force still is.
pub fn pull(order: &Order<'_>) -> Result<Pulled, PullError> {
    pull_stepwise(order, &mut |_| Ok(()))
}

/// The same; `step` hears of each step before it is taken, and its error ends the work there and then, as a kill would.
///
/// # Errors
///
/// As [`pull`].
pub fn pull_stepwise(order: &Order<'_>, step: Watch<'_>) -> Result<Pulled, PullError> {
    let place = Place::take(order.machine, order.clock, step)?;
    let mut memory = last_pull(order.machine)?;
    place.recover(was_swapped(&place, &memory))?;
    if order.switches.clock {
        memory.latest = 0;
    }
    let done = attempt(order, &place, &mut memory, step);
    memory.saw(order.clock);
    let outcome = match &done {
        Ok(pulled) if pulled.unchanged => Some(Outcome::Unchanged),
        // The memory is on the disk already.
        Ok(_) => None,
        Err(error) => error.outcome(),
    };
    if let Some(outcome) = outcome {
        memory.last = Some(Last { when: order.clock, source: order.source.to_string(), outcome });
        let kept = place.remember(&memory.render(), step);
        // What went wrong first is what is reported.
        if done.is_ok() {
            kept?;
        }
    }
    done
}

/// Whether the last pull that was begun came as far as the swap: it writes the memory before.
fn was_swapped(place: &Place, memory: &Memory) -> bool {
    let begun = memory.last.as_ref().filter(|last| last.outcome == Outcome::Installed);
    begun.is_some_and(|last| match in_force_at(&place.policies) {
        InForce::Bundle(identity) => identity.pulled == last.when,
        InForce::None | InForce::Broken(_) => false,
    })
}

fn attempt(
    order: &Order<'_>,
    place: &Place,
    memory: &mut Memory,
    step: Watch<'_>,
) -> Result<Pulled, PullError> {
    let in_force = match in_force_at(&place.policies) {
        InForce::Bundle(identity) => Some(identity),
        // The memory says what was seen; the pull mends the rest.
        InForce::None | InForce::Broken(_) => None,
    };
    let (bytes, signature) = order.source.fetch()?;
    let candidate = Candidate { bytes: &bytes, signature: &signature };
    let situation = Situation {
        key: order.key,
        memory,
        in_force: in_force.as_ref(),
        clock: order.clock,
        version: order.version,
        switch: order.switches.line,
    };
    let (archive, digest) = judge(&candidate, &situation)?;
    let identity = identity(order, &archive, digest);
    if let Some(old) = in_force {
        let same = Identity { pulled: old.pulled, ..identity.clone() } == old;
        if same && old.altered(&place.policies).is_empty() {
            memory.accept(order.key, &old.name, old.serial, &old.digest);
            return Ok(Pulled { identity: old, unchanged: true });
        }
    }
    memory.accept(order.key, &identity.name, identity.serial, &identity.digest);
    memory.saw(order.clock);
    memory.last =
        Some(Last { when: order.clock, source: order.source.to_string(), outcome: Outcome::Installed });
    place.install(&archive, &identity, &memory.render(), step)?;
    Ok(Pulled { identity, unchanged: false })
}

/// What the machine will say of this bundle.
fn identity(order: &Order<'_>, archive: &Archive, digest: String) -> Identity {
    let manifest = &archive.manifest;
    let files = archive.files.iter().map(|file| File {
        // The serial number is in the name: who lists the folder before the swap and reads after it must not find
        // another bundle's file under the name.
        name: format!("{}{}-{}", bundle::PREFIX, manifest.serial, file.name),
        digest: bundle::digest(file.text.as_bytes()),
    });
    Identity {
        name: manifest.name.clone(),
        serial: manifest.serial,
        digest,
        not_before: manifest.not_before,
        not_after: manifest.not_after,
        key: order.key.id(),
        pulled: order.clock,
        files: files.collect(),
    }
}
