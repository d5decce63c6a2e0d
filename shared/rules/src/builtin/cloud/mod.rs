//! Clouds, hosting platforms, stores of objects and backups.

mod aws;
mod google_azure;
mod interface;
mod platforms;
mod public;
mod services;
mod stores;

use crate::rule::{Covers, Family};

#[cfg(test)]
pub(super) use self::{aws::OTHERS as OTHERS_OF_AWS, services::DELETES as OF_SERVICES};

pub(super) static FAMILY: Family = Family {
    id: "cloud",
    title: "Clouds, hosting platforms and backups",
    covers: Covers::Listed(catalog::family("cloud")),
    rules: &[
        aws::DELETE,
        aws::RIGHTS,
        google_azure::DELETE,
        google_azure::RIGHTS,
        stores::DELETE,
        stores::BACKUPS,
        platforms::DELETE,
        services::DELETE,
        interface::DELETE,
        public::OPEN,
        aws::CHANGE,
        google_azure::CHANGE,
        stores::SINGLE,
        platforms::CHANGE,
    ],
};
