//! What parsers that others have written see in Python and JavaScript, and what we see.
//!
//! Programs are made from a seed: expressions and statements of all kinds around calls that each start a program with a
//! number of its own. ruff's parser and oxc's (MIT) say where calls stand. Each of them must be among what we predict: all
//! functions are called, and no branch is known not to be taken.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod generator;
mod javascript;
mod python;

use std::collections::BTreeSet;

use generator::Generator;
use shell::{Surroundings, analyze};

/// Programs of each language; `PROGRAMS=20000` makes more, `SEED=7` others.
const PROGRAMS: u64 = 1500;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The words of each program that code starts.
fn started(interpreter: &str, code: &str) -> Vec<Vec<String>> {
    let command = format!("{interpreter} '{}'", code.replace('\'', r"'\''"));
    let surroundings = Surroundings { cwd: Some("/home/user/project"), home: Some("/home/user"), disk: None };
    let analysis = analyze(&command, surroundings);
    analysis.atoms.iter().map(|atom| atom.args.iter().map(|arg| arg.text.clone()).collect()).collect()
}

/// The numbers that the parser sees and we do not.
fn missed(interpreter: &str, code: &str, seen: &BTreeSet<String>) -> Vec<String> {
    let atoms = started(interpreter, code);
    let is_there = |number: &&String| {
        atoms
            .iter()
            .any(|words| matches!(words.as_slice(), [alpha, own] if alpha == "alpha" && own == *number))
    };
    seen.iter().filter(|number| !is_there(number)).cloned().collect()
}

/// Leaves statements out of a program as long as something is missed in what is left.
fn shrunk(parts: Vec<String>, misses: impl Fn(&str) -> bool) -> String {
    let mut parts = parts;
    loop {
        let without = |left: usize| {
            let kept = parts.iter().enumerate().filter(|(at, _)| *at != left).map(|(_, part)| part.clone());
            kept.collect::<Vec<_>>()
        };
        match (1..parts.len()).map(without).find(|shorter| misses(&shorter.concat())) {
            Some(shorter) => parts = shorter,
            None => return parts.concat(),
        }
    }
}

/// Makes programs, and says in which of them something is missed.
fn compare(
    interpreter: &str,
    make: fn(&mut Generator) -> Vec<String>,
    calls: fn(&str) -> Option<BTreeSet<String>>,
) {
    let (mut read, mut seen, mut wrong) = (0, 0, Vec::new());
    let count = number("PROGRAMS", PROGRAMS);
    for seed in number("SEED", 1)..number("SEED", 1) + count {
        let parts = make(&mut Generator::new(seed));
        let code = parts.concat();
        let Some(found) = calls(&code) else { continue };
        read += 1;
        seen += found.len();
        if !missed(interpreter, &code, &found).is_empty() {
            let misses =
                |code: &str| calls(code).is_some_and(|found| !missed(interpreter, code, &found).is_empty());
            wrong.push(shrunk(parts, misses));
        }
    }
    eprintln!(
        "{interpreter}: {read} of {count} programs are valid, with {seen} calls; {} miss some",
        wrong.len()
    );
    wrong.sort_by_key(String::len);
    wrong.dedup();
    let shown = wrong.iter().take(40).map(|code| format!("---\n{code}\n"));
    assert!(wrong.is_empty(), "{}", shown.collect::<String>());
    assert!(read * 10 > count * 8, "the generator makes what is not valid");
}

#[test]
fn calls_that_ruff_sees_in_python_are_seen() {
    compare("python3 -c", generator::python, python::calls);
}

#[test]
fn calls_that_oxc_sees_in_javascript_are_seen() {
    compare("node -e", generator::javascript, |code| javascript::calls(code, false));
}

#[test]
fn calls_that_oxc_sees_in_typescript_are_seen() {
    compare("npx tsx -e", generator::typescript, |code| javascript::calls(code, true));
}
