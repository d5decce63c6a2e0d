//! Links inside the repository lead to files and headings that are there.

use support::programs::root;

use super::{documents, read};

/// What stands between `](` and `)`, outside of code.
fn targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    let mut code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            code = !code;
        }
        if code {
            continue;
        }
        for (at, _) in line.match_indices("](") {
            if line[..at].matches('`').count() % 2 == 0 {
                targets.extend(line[at + 2..].split_once(')').map(|(target, _)| target.to_owned()));
            }
        }
    }
    targets
}

/// The anchor that a heading gets on GitHub.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// Why a link of a document leads nowhere.
fn dead(document: &str, target: &str) -> Option<String> {
    if target.contains("://") {
        return None;
    }
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let folder = root().join(document).parent().unwrap().to_owned();
    let path = if file.is_empty() { root().join(document) } else { folder.join(file) };
    let Ok(path) = path.canonicalize() else {
        return Some(format!("{document}: there is no {target}"));
    };
    if !path.starts_with(root().canonicalize().unwrap()) {
        return Some(format!("{document}: {target} is outside of the repository"));
    }
    if heading.is_empty() {
        return None;
    }
    let text = std::fs::read_to_string(path).unwrap();
    let found =
        text.lines().any(|line| line.starts_with('#') && anchor(line.trim_start_matches('#')) == heading);
    (!found).then(|| format!("{document}: no heading is {target}"))
}

#[test]
fn links_lead_somewhere() {
    let dead: Vec<String> = documents()
        .iter()
        .flat_map(|document| {
            targets(&read(document)).into_iter().filter_map(|target| dead(document, &target))
        })
        .collect();
    assert!(dead.is_empty(), "{dead:#?}");
}

#[test]
fn a_dead_link_is_found() {
    for target in ["nowhere.md", "README.md#no-such-heading", "#no-such-heading", "../outside"] {
        assert!(dead("README.md", target).is_some(), "{target}");
    }
    assert_eq!(targets("[a](b) `[c](d)` [e](f#g)\n```\n[h](i)\n```\n"), ["b", "f#g"]);
}
