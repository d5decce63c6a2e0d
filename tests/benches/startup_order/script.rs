//! The linker's script.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The start and the C library come first: every program runs them.
const HEAD: &str = "\
/* What a usual call runs, so that it lies together: a page that is touched for the first time costs a call more than
   ten thousand instructions, and Linux brings in the sixteen around it at once. Made by
   `cargo run --release -p benches --bin startup-order`. A name that no program has is no mistake. */
SECTIONS {
  .text.usual : {
    *crt1.o(.text)
    *libc.a:*(.text .text.*)
";

/// The script that puts functions first, in the order in which they were added.
#[derive(Debug, Default)]
pub(crate) struct Script {
    patterns: Vec<String>,
    known: BTreeSet<String>,
}

impl Script {
    /// Adds functions by their names. After all others come those that share a pattern, as closures do: it brings
    /// along others of that name, which do not run.
    pub(crate) fn add(&mut self, names: &[String]) {
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        let patterns: Vec<String> = names.iter().map(|name| pattern(name)).collect();
        for pattern in &patterns {
            *found.entry(pattern.clone()).or_default() += 1;
        }
        let (shared, own): (Vec<_>, Vec<_>) =
            patterns.into_iter().partition(|pattern| found.get(pattern).is_some_and(|&count| count > 1));
        for pattern in own.into_iter().chain(shared) {
            if self.known.insert(pattern.clone()) {
                self.patterns.push(pattern);
            }
        }
    }

    /// Its text.
    pub(crate) fn finish(&self) -> String {
        let mut text = HEAD.to_owned();
        for pattern in &self.patterns {
            let _ = writeln!(text, "    *(.text*.{pattern})");
        }
        text + "  }\n} INSERT BEFORE .text;\n"
    }
}

/// A name without what the next compiler or version changes in it: the digests of crates and of functions.
fn pattern(name: &str) -> String {
    let name = name.split_once(".llvm.").map_or(name, |(name, _)| name);
    let name = match name.rsplit_once("17h") {
        Some((before, digest)) if digest.len() == 17 && digest.ends_with('E') => format!("{before}17h*E"),
        _ => name.to_owned(),
    };
    without_crate_digests(&name)
}

/// `Cs8cGkV_4core` as `Cs*_4core`.
fn without_crate_digests(name: &str) -> String {
    if !name.starts_with("_R") {
        return name.to_owned();
    }
    let mut parts = name.split("Cs");
    let mut clean = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('_') {
            Some((digest, rest))
                if rest.starts_with(|letter: char| letter.is_ascii_digit())
                    && digest.chars().all(|letter| letter.is_ascii_alphanumeric()) =>
            {
                clean += "Cs*_";
                clean += rest;
            }
            _ => {
                clean += "Cs";
                clean += part;
            }
        }
    }
    clean
}
