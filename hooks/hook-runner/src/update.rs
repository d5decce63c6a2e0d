//! `update`: where the programs are, whether they belong together, and how to replace them. It does not use the network.

use std::fmt::Write as _;

use crate::Done;
use crate::beside;
use crate::doctor;
use crate::fault::Exit;
use crate::paint::{Screen, Tone, columns, paint, width, wrapped};
use crate::project::Project;
use crate::run::processes;

/// `hook-runner update`.
pub(crate) fn update(screen: &Screen) -> Done {
    let project = Project::around(None)?;
    let processes = processes();
    let own = concat!("hook-runner ", env!("CARGO_PKG_VERSION"));
    let place = std::env::current_exe().map(|path| path.display().to_string()).unwrap_or_default();
    let mut rows = vec![vec![(Tone::Name, own.to_owned()), (Tone::Quiet, place)]];
    let mut others = 0;
    for name in host::installed::PROGRAMS {
        let Some(path) = beside::program(name, &project) else {
            rows.push(vec![(Tone::Name, (*name).to_owned()), (Tone::Quiet, "not installed".to_owned())]);
            continue;
        };
        let said = doctor::said_version(&path, &processes, &project.folders.home);
        // Hooks and runner share settings, approvals and the log: they are replaced together.
        let same = said.split(' ').nth(1) == Some(env!("CARGO_PKG_VERSION"));
        others += usize::from(!same);
        let tone = if same { Tone::Name } else { Tone::Bad };
        // Without the commit that a release's program adds: the column says which are of one version.
        let named = said.split(' ').take(2).collect::<Vec<_>>().join(" ");
        rows.push(vec![(tone, named), (Tone::Quiet, path.display().to_string())]);
    }
    let mut text = columns(&rows, "");
    if others > 0 {
        let _ = writeln!(
            text,
            "\n{}",
            paint(Tone::Bad, "They are not of one version: replace all of them together.")
        );
    }
    text += "\n";
    text += &wrapped(HOW, width());
    screen.say(&text)?;
    Ok(Exit::found(others > 0))
}

const HOW: &str = "\
Nothing here uses the network. To update, put the programs of a newer release over these (`cargo install --locked` with \
the same paths, if that is how they came), then run hook-runner doctor. Configurations stay as they are.";
