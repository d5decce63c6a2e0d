//! No network in a hook.

use std::process::Command;

use support::programs::{names, root};

/// Crates by which a program talks to others, or ships.
const NETWORK: [&str; 6] = ["ship", "ureq", "ureq-proto", "rustls", "ring", "rustls-native-certs"];

#[test]
fn no_hook_depends_on_what_talks_to_the_network() {
    for name in names() {
        let tree = Command::new(env!("CARGO"))
            .args([
                "tree",
                "--offline",
                "--edges",
                "normal",
                "--prefix",
                "none",
                "--format",
                "{p}",
                "--package",
                &name,
            ])
            .current_dir(root())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&tree.stdout);
        assert!(tree.status.success() && text.starts_with(&format!("{name} ")), "{name}: {tree:?}");
        let found: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split(' ').next())
            .filter(|name| NETWORK.contains(name))
            .collect();
        // That one is not a hook, and has them: the names are right.
        assert_eq!(found.is_empty(), name != "hook-runner", "{name}: {found:?}");
    }
}
