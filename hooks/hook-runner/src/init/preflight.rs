//! What each host would make of the files before they are written: the reading of `check`, `doctor` and `run`.

use std::path::{Path, PathBuf};

use host::load::{File, Loaded, load_with};
use host::record::Quirk;
use host::{Code, Problem, Product, Severity, System, Weight};

use super::change::Change;
use crate::fault::Fault;
use crate::project::Project;

/// What is left to be done before hooks run that are written.
#[derive(Debug, Default)]
pub(super) struct Left {
    /// What a person does next: trust a folder, review hooks.
    pub(super) pending: Vec<String>,
    /// What switches hooks off in other files.
    pub(super) off: Vec<String>,
}

/// Reads the files of a host as it will.
///
/// # Errors
///
/// When the host would not run our hooks in a file because of that file.
pub(super) fn look(
    product: Product,
    project: &Project,
    targets: &[(PathBuf, Vec<&str>)],
    changes: &[Change],
) -> Result<Left, Fault> {
    let pending: Vec<(&Path, Option<&str>)> =
        changes.iter().map(|change| (change.path.as_path(), change.after.as_deref())).collect();
    // Read as if they were written: a host's other files decide as well, such as a switch in the user's settings.
    let loaded = load_with(product, &project.folders, System::HERE, &pending);
    for (path, hooks) in targets {
        let Some(file) = loaded.files.iter().find(|file| file.path == *path) else { continue };
        refuse(project, file, &loaded, hooks)?;
    }
    let mut left = Left::default();
    for remark in &loaded.remarks {
        let file = remark.at.as_ref().map_or_else(String::new, |(path, span)| {
            let text = host::tree::text(path).unwrap_or_default();
            let (line, column) = host::tree::position(&text, span.start);
            format!("{}:{line}:{column}: ", project.short(path))
        });
        let text = format!("{}: {file}{}. {}", product.title, remark.text, remark.help);
        match remark.weight {
            Weight::Off => left.off.push(text),
            Weight::Pending => left.pending.push(text),
            // Nothing tells whether hooks were reviewed.
            Weight::Known if product.has(Quirk::ReviewsHooks) => left.pending.push(text),
            Weight::Known => {}
        }
    }
    // A switch that has no place in a file, such as a variable, has no remark of its own.
    if left.off.is_empty()
        && let Some(why) = &loaded.switched_off
    {
        left.off.push(format!("{}: {why} switches them off.", product.title));
    }
    Ok(left)
}

/// Whether the host runs these hooks of a file, as far as the file decides it.
fn refuse(project: &Project, file: &File, loaded: &Loaded, hooks: &[&str]) -> Result<(), Fault> {
    let product = loaded.product;
    let text = match &file.text {
        Ok(text) => text,
        Err(why) => return Err(Fault::unreadable(&file.path, why)),
    };
    let refused = |problem: &Problem| Fault::refused(project, &file.path, text, problem);
    let of = |code: Code| file.reading.problems.iter().find(|problem| problem.code == code);
    if file.reading.dropped {
        let error = |problem: &&Problem| problem.severity == Severity::Error;
        // A warning may come first in the file, but it is an error that drops it.
        let worst = file.reading.problems.iter().find(error).or(file.reading.problems.first());
        return Err(worst
            .map_or_else(|| Fault::unreadable(&file.path, format!("{} drops it", product.title)), refused));
    }
    // Ours may be right and still not run: a key in the same file switches every hook off.
    if file.reading.disables_others
        && let Some(problem) = of(Code::HooksDisabled)
    {
        return Err(refused(problem));
    }
    let own = loaded.remarks.iter().find(|remark| {
        remark.weight == Weight::Off && remark.at.as_ref().is_some_and(|(path, _)| *path == file.path)
    });
    if let Some((remark, (_, span))) = own.and_then(|remark| Some((remark, remark.at.as_ref()?))) {
        let (text, help) = (remark.text.clone(), remark.help.clone());
        return Err(refused(&Problem::new(Code::HooksDisabled, product, span.clone(), text, help)));
    }
    // Another file switches all hooks off: that is said in a note, and this file is still right.
    if loaded.switched_off.is_some() {
        return Ok(());
    }
    let runs = |name: &str| {
        file.reading.hooks.iter().any(|hook| {
            host::installed::plain_program(&hook.action.describe()) == Some(name)
                // An entry that never matches might as well not be there.
                && hook.matcher != host::matcher::Matcher::Never
        })
    };
    match hooks.iter().find(|name| !runs(name)) {
        None => Ok(()),
        Some(name) => {
            let error = |problem: &&Problem| problem.severity == Severity::Error;
            let why = file.reading.problems.iter().find(error);
            let unknown = || {
                let message = format!("{} would not run `{name}` from this file.", product.title);
                Problem::new(Code::EntrySkipped, product, 0..0, message, "Check its `hooks`.")
            };
            Err(refused(&why.cloned().unwrap_or_else(unknown)))
        }
    }
}
