//! The arguments.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::target::Target;

/// Builds what users download: one archive of everything per target.
#[derive(Debug, Parser)]
#[command(name = "release", version)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) task: Option<Task>,
    /// Only this target; more than once for several [default: every one that can be built here]
    #[arg(long = "target", value_name = "TARGET")]
    pub(crate) targets: Vec<Target>,
    /// Where the archives go [default: release-archives in cargo's target folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}

/// What else there is to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Prints what a shell sets so that `cargo build` makes the very programs of a release
    Environment {
        /// For which target
        target: Target,
    },
}
