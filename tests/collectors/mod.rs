//! What users copy from `configs/collectors`, in the programs that it is for: `DuckDB` and `ClickHouse`'s engine answer the
//! detections, rsyslog and syslog-ng carry a log. `.ci/engines` installs them; with `REAL_RECEIVERS=required` a missing one
//! is a failure.

mod engines;
mod files;
mod syslog;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::programs::root;

/// Where the real programs are.
fn installed() -> PathBuf {
    let home = || {
        PathBuf::from(std::env::var_os("HOME").unwrap_or_else(|| "/root".into()))
            .join(".cache/real-receivers")
    };
    std::env::var_os("REAL_RECEIVERS_HOME").map_or_else(home, PathBuf::from)
}

/// Whether a program is there; where it has to be, a missing one is a failure, and otherwise the test says that it is left
/// out.
fn is_there(what: &str, path: &Path) -> bool {
    let there = path.exists();
    assert!(
        there || std::env::var_os("REAL_RECEIVERS").is_none_or(|required| required != "required"),
        "{} is missing: .ci/engines",
        path.display()
    );
    if !there {
        support::skipped(format_args!("{what} is not installed: .ci/engines"));
    }
    there
}

fn config(name: &str) -> String {
    fs::read_to_string(root().join("configs/collectors").join(name)).unwrap()
}

/// Records of a fleet, with what the detections are to find in them.
fn fleet() -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_fleet-records")).arg("600").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}
