//! Clouds, hosting platforms, stores of objects and backups.

mod aws;
mod google_azure;
mod interface;
mod platforms;
mod public;
mod services;
mod stores;

use crate::rule::Covers;
use crate::rule::Family;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_of_the_tables_is_covered() {
        let left_out = crate::builtin::shape::uncovered(
            &FAMILY,
            &[
                &aws::OTHERS,
                &aws::CHANGES,
                &google_azure::DELETES,
                &google_azure::RIGHTS_GIVEN,
                &google_azure::CHANGES,
                &platforms::DELETES,
                &platforms::CHANGES,
                &public::OPENED,
                &services::DELETES,
                &stores::STORES,
                &stores::COPIES,
                &stores::ONE,
            ],
        );
        assert!(left_out.is_empty(), "{left_out:?}");
    }
}
