//! The reference of the policy language, and the schema of policies, from the code.

use std::fs;

use support::programs::root;

use super::renew;

#[test]
fn the_reference_of_policies_is_what_the_code_says() {
    renew("docs/policy-reference.md", |_| policy::cli::reference());
}

#[test]
fn the_schema_of_policies_is_the_generated_one() {
    let path = root().join("configs/schemas/policy.json");
    let expected = format!("{:#}\n", policy::cli::schema());
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let now = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(now, expected, "UPDATE_SCHEMAS=1 cargo test -p tests schema writes it");
}
