//! Our own settings and policies, as findings.

use host::Code;
use store::settings::Mistake;

use super::finding::Finding;
use crate::own_settings::Looked;
use crate::project::Project;

/// What is wrong in our own files.
pub(super) fn findings(looked: &Looked, project: &Project) -> Vec<Finding> {
    let of = |code| move |mistake: &Mistake| finding(code, mistake, project);
    looked
        .mistakes
        .iter()
        .map(of(Code::Settings))
        .chain(looked.doubts.iter().map(of(Code::PolicyDoubt)))
        .collect()
}

fn finding(code: Code, mistake: &Mistake, project: &Project) -> Finding {
    // What cannot be read has no line to be shown.
    let text = match mistake.at {
        Some(_) => std::fs::read_to_string(&mistake.path).unwrap_or_default(),
        None => String::new(),
    };
    let (line, column) = mistake.at.unwrap_or((1, 1));
    let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    // The place comes from another reader, and the file may have changed since: nothing here may panic.
    let rest = text.get(before..).unwrap_or_default();
    let start = before + rest.char_indices().nth(column - 1).map_or(0, |(at, _)| at);
    let width = text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    Finding {
        code,
        severity: code.severity(),
        hosts: Vec::new(),
        file: project.short(&mistake.path),
        path: mistake.path.clone(),
        span: start..start + width,
        text: text.as_str().into(),
        message: mistake.what.clone(),
        help: mistake.hint.clone(),
        fates: Vec::new(),
    }
}
