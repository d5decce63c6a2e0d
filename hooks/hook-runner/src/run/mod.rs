//! `run` and `replay`: one event, or many, through the hooks of a host.

mod ask;
mod record;
mod replay;
mod report;
mod session;
mod stop;

use host::process::Processes;
use host::{Fired, Hook, Product, Request, Scene, Session, Setting, select};

pub(crate) use ask::Asked;
pub(crate) use record::read as read_recording;
pub(crate) use replay::{answers_of, replay};
pub(crate) use report::{Report, json, word as effect_word};

use crate::Done;
use crate::command_line::{Common, RunOptions};
use crate::fault::{Exit, Fault};
use crate::paint::Screen;
use crate::project::Project;
use crate::trust;

/// `hook-runner run`.
pub(crate) fn run(options: &RunOptions, screen: &Screen) -> Done {
    let project = Project::around(options.common.project.as_deref())?;
    if let (Some(file), Some(product)) = (&options.session, options.host) {
        return session::run(file, product, &project, options, screen);
    }
    let Asked { product, request } = ask::asked(options, &project)?;
    let loaded = project.load_in(product, &project.here());
    let hooks = loaded.hooks();
    // Only what would run has to be trusted, not every hook of the project.
    let chosen: Vec<Hook> = select(product, &hooks, &request).into_iter().cloned().collect();
    trust::require(&chosen, &project, options.common.trust, screen)?;
    let scene = scene(product, &options.common)?;
    let setting = Setting { product, scene, project: &project.root };
    let what = format!("{} hooks", chosen.len());
    let processes = processes();
    let fired =
        crate::paint::patiently(&what, || Session::default().fire(&setting, &hooks, &request, &processes));
    let report = Report { project: &project, loaded: &loaded, request: &request, scene, fired: &fired };
    // Recorded before it is shown: a closed pipe must not cost the record.
    if let Some(file) = &options.record {
        record::append(file, &setting, &request, &fired)?;
    }
    screen.say(&if options.common.json { json(&report) } else { report.text() })?;
    Ok(Exit::found(something_happened(&fired)))
}

/// Starts hooks, and ends them when this program is asked to stop. What a person tries out leaves no record of ours.
pub(crate) fn processes() -> Processes {
    let drill = |payload: &[u8]| (program::DRILL, program::drill_mark(payload));
    Processes::new(Some(stop::flag())).marked(drill)
}

/// How the host was started.
pub(crate) fn scene(product: Product, common: &Common) -> Result<Scene, Fault> {
    let of = |name: &str| {
        let known = product.modes.iter().find(|mode| mode.name == name);
        known.ok_or_else(|| {
            let names: Vec<&str> = product.modes.iter().map(|mode| mode.name).collect();
            let hint = if names.is_empty() {
                "None is known.".to_owned()
            } else {
                format!("Use one of {}.", names.join(", "))
            };
            Fault::usage(format!("{} has no permission mode `{name}`.", product.title), hint)
        })
    };
    let mode = common.mode.as_deref().map(of).transpose()?;
    Ok(Scene { headless: common.headless, gated: common.gated, mode })
}

/// Whether hooks held something back, or the host did not do what one of them said.
pub(crate) fn something_happened(fired: &Fired<'_>) -> bool {
    let error = |problem: &host::Problem| problem.severity == host::Severity::Error;
    fired.upshot.then.holds_back()
        || fired.upshot.turn_ends
        || fired.ran.iter().any(|ran| ran.problems.iter().any(error))
}

/// What is wrong with a request, in the words of a usage fault.
pub(crate) fn no_host() -> Fault {
    Fault::usage("No host given.", format!("Add --host {}.", Product::one_of()))
}

/// The name of an event in a report.
pub(crate) fn event_name(product: Product, request: &Request) -> &'static str {
    host::request::event_name(product, request.kind)
}
