//! What is kept of one session: what was offered, and what was granted.

use serde::{Deserialize, Serialize};
use store::session::Locked;

use crate::call::Call;
use crate::error::ApprovalError;
use crate::seal::{Sealed, Seals};

/// How many offers of one session are kept; the oldest go first.
const MOST_OFFERS: usize = 12;

/// How many grants of one session are kept; they are gone after ten minutes anyway.
const MOST_GRANTS: usize = 12;

/// The form of the record.
const VERSION: u32 = 1;

/// Purposes of seals.
const OFFER: &str = "policy-hooks offer 1";
const GRANT: &str = "policy-hooks grant 1";

/// What an approval is bound to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bound {
    pub(crate) host: String,
    /// The host's session.
    pub(crate) session: String,
    /// The folder that the agent works in.
    pub(crate) folder: String,
    /// The keyed digest of the action.
    pub(crate) action: String,
}

/// What a person may grant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Offered {
    pub(crate) bound: Bound,
    /// How the action reads.
    pub(crate) shown: Vec<(String, String)>,
    /// The rules that hold it back, with their reasons, as far as hooks have said so.
    pub(crate) rules: Vec<(String, String)>,
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    /// Whether a grant for it was used: it waits no longer, and its rules are named again with the next one.
    #[serde(default)]
    pub(crate) used: bool,
}

/// What a person granted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Grant {
    /// What no other grant has.
    pub(crate) nonce: String,
    pub(crate) bound: Bound,
    /// The ids of the rules that it lifts.
    pub(crate) rules: Vec<String>,
    /// From when to when it holds, in milliseconds since 1970.
    pub(crate) from: u64,
    pub(crate) until: u64,
    /// Who looked at the call that it was used for.
    pub(crate) uses: Vec<Call>,
}

/// Of one session.
#[derive(Debug, Default)]
pub(crate) struct Book {
    pub(crate) offers: Vec<Offered>,
    pub(crate) grants: Vec<Grant>,
}

/// As it lies on the disk.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    version: u32,
    offers: Vec<Sealed>,
    grants: Vec<Sealed>,
}

impl Book {
    /// What of these bytes was sealed by this user. Nothing else is there.
    pub(crate) fn read(bytes: Option<&[u8]>, seals: &Seals) -> Self {
        let page: Option<Page> = bytes.and_then(|bytes| serde_json::from_slice(bytes).ok());
        // What cannot be read, or has another form, grants nothing; the denial stays as it was.
        let Some(page) = page.filter(|page| page.version == VERSION) else { return Self::default() };
        Self {
            offers: page.offers.iter().filter_map(|sealed| seals.open(OFFER, sealed)).collect(),
            grants: page.grants.iter().filter_map(|sealed| seals.open(GRANT, sealed)).collect(),
        }
    }

    /// Replaces what is kept.
    pub(crate) fn write(&self, seals: &Seals, record: &Locked<'_>) -> Result<(), ApprovalError> {
        // An agent that makes up calls must not fill the record: the oldest go.
        let offers = &self.offers[self.offers.len().saturating_sub(MOST_OFFERS)..];
        let grants = &self.grants[self.grants.len().saturating_sub(MOST_GRANTS)..];
        let page = Page {
            version: VERSION,
            offers: offers.iter().filter_map(|offer| seals.seal(OFFER, offer)).collect(),
            grants: grants.iter().filter_map(|grant| seals.seal(GRANT, grant)).collect(),
        };
        Ok(record.write(&serde_json::to_vec(&page).unwrap_or_default())?)
    }
}
