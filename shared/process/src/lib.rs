//! Programs that a hook runs: in a process group of their own, for a limited time, with a bounded output and an
//! environment without secrets; never through a shell.

mod beside;
mod environment;
mod leftovers;
mod part;
#[cfg(unix)]
mod pipes;
mod run;
#[cfg(not(unix))]
mod threads;
mod words;

pub use beside::{beside, detached};
pub use environment::{inherited, is_usual, usual};
pub use leftovers::{adopt as adopt_leftovers, end as end_leftovers};
pub use run::{Ended, Job, Output, Ran, Watched, run, watch};
pub use words::{plain, quoted};
