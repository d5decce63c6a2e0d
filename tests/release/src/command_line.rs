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
    /// Take the programs that are in cargo's target folder, however old: to try out how they are packed
    #[arg(long)]
    pub(crate) as_built: bool,
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
    /// Builds the programs for this machine as a release does, and installs them
    Install {
        /// Where to [default: where `cargo install` puts programs]
        #[arg(long, value_name = "FOLDER")]
        to: Option<PathBuf>,
    },
    /// Writes the plugins and the extension for this machine as folders, from programs that are there: to try them out, or
    /// for a marketplace of your own
    Plugins {
        /// Where the programs are
        #[arg(long, value_name = "FOLDER")]
        bin: PathBuf,
        /// Where the folders `plugins` and `extension` go
        #[arg(long, value_name = "FOLDER")]
        out: PathBuf,
    },
    /// Makes the packages of every channel from the archives: wheels, npm, .deb, .rpm, manifests, an install script
    Packages {
        /// Where the archives are [default: release-archives in cargo's target folder]
        #[arg(long, value_name = "FOLDER")]
        from: Option<PathBuf>,
        /// Where the packages go [default: release-packages in cargo's target folder]
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
        /// Where the archives will be fetched from [default: this version's release of the repository in Cargo.toml]
        #[arg(long, value_name = "URL")]
        downloads: Option<String>,
    },
}
