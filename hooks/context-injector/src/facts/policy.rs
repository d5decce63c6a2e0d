//! `policy`: what the team's policy files say, and which exceptions end soon.

use std::fmt::Write as _;

use policy::Layer;
use policy::layers::{self, Places, Stack};

use super::{Sources, listed};
use crate::untrusted::quoted;

/// An exception is reported when it ends within so many days.
const SOON: i64 = 14;

/// How many exceptions are reported.
const MOST: usize = 3;

pub(super) fn tell(sources: &Sources) -> Option<String> {
    let home = sources.home.as_deref().and_then(|home| home.to_str());
    let sources = layers::find(&Places::here(home), home, sources.folder.to_str());
    if sources.is_empty() {
        return None;
    }
    let today = layers::today();
    // Read as a decision reads them, so that what is reported is what holds.
    let files = Stack::of(&sources, today).files;
    let rules: usize = files.iter().map(|file| file.policy.rules.len()).sum();
    let mut text = format!("{} in {}", counted(rules, "rule"), counted(files.len(), "file"));
    let mistakes: usize = files.iter().map(|file| file.errors.len()).sum();
    if mistakes > 0 {
        let _ = write!(text, ", {} there, so calls are asked about or denied", counted(mistakes, "mistake"));
    }
    if files.iter().any(|file| file.layer == Layer::Project && !file.may_loosen && file.errors.is_empty()) {
        text.push_str(", the project's file is not trusted and only restricts");
    }
    let mut ending: Vec<(i64, &str)> = files
        .iter()
        // An exception in a file that may not loosen has no effect, and so no end.
        .filter(|file| file.may_loosen)
        .flat_map(|file| &file.policy.exceptions)
        .map(|exception| (i64::from(exception.expires.to_epoch_days()) - today, &*exception.rule))
        .filter(|(left, _)| (0..=SOON).contains(left))
        .collect();
    // The one that ends first comes first: only a few are shown.
    ending.sort_unstable();
    if !ending.is_empty() {
        let ends = |left: i64| match left {
            0 => "today".to_owned(),
            1 => "tomorrow".to_owned(),
            left => format!("in {left} days"),
        };
        let ending =
            ending.iter().map(|(left, rule)| format!("{} {}", quoted(rule.as_bytes(), 60), ends(*left)));
        let _ = write!(text, "; exceptions that expire soon: {}", listed(ending, MOST, 250));
    }
    Some(text)
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
