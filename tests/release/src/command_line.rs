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
    /// Prints what a shell sets so that what cargo builds does not depend on where and when
    Environment {
        /// For which target
        target: Target,
    },
    /// Builds the programs of a release and nothing else, into cargo's target folder
    Programs {
        /// For which target
        target: Target,
        /// Only these [default: all]
        names: Vec<String>,
    },
}
