//! bash's own opinion is the oracle: commands run in an empty folder, with every program that could do harm
//! replaced by one that only writes down how it was called, and what was called is what was predicted.
//!
//! Some commands stand in `commands.txt`, the others are made from a seed. To make more, or others:
//!
//! ```sh
//! ORACLE_CASES=20000 ORACLE_SEED=7 cargo test -p shell --test oracle -- --nocapture
//! ```
//!
//! Exact commands run exactly what is predicted. In the others bash takes one of several ways, and what it runs
//! is only part of what is predicted. Without bash there is no one to ask; the tests then say so and pass.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr, clippy::format_push_string)]

mod branches;
mod compare;
mod generator;
mod round_trip;
mod stage;
mod words;

use generator::{Case, Generator};
use shell::{Surroundings, analyze};
use stage::Stage;

/// Commands that are run when no one asks for more.
const CASES: usize = 800;
/// Disagreements that are reported, the shortest first.
const TOLD: usize = 25;

fn number(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).ok().map_or(otherwise, |text| text.parse().expect("a number"))
}

/// Runs each command twice, once for real, and tells where the two disagree.
fn compare_all(name: &str, cases: &[Case]) {
    let stage = match Stage::prepare(name).unwrap() {
        Ok(stage) => stage,
        Err(why) => {
            let _ = std::io::Write::write_fmt(
                &mut std::io::stderr(),
                format_args!("SKIPPED: {why}, so no one can say what {} commands run\n", cases.len()),
            );
            return;
        }
    };
    let folder = stage.folder();
    let mut failures = Vec::new();
    let (mut calls, mut refused) = (0, 0);
    for case in cases {
        let performance = stage.perform(&case.text).unwrap();
        if performance.refused() {
            // The parser of bash 5.2 loses its way in some nestings that are valid, such as `$(time { … })`.
            refused += 1;
            continue;
        }
        calls += performance.calls.len();
        let analysis =
            analyze(&case.text, Surroundings { cwd: Some(&folder), home: Some(&folder), disk: None });
        if let Some(why) = compare::disagreement(case, &analysis, &performance) {
            failures.push((case, why));
        }
    }
    failures.sort_by_key(|(case, _)| case.text.len());
    let exact = cases.iter().filter(|case| case.exact).count();
    eprintln!(
        "{name}: {} commands ({exact} exact), {calls} calls, {} disagreements, {refused} not taken by bash",
        cases.len(),
        failures.len()
    );
    assert!(refused * 20 <= cases.len(), "bash does not take {refused} of {} commands", cases.len());
    let mut report = String::new();
    for (case, why) in failures.iter().take(TOLD) {
        report.push_str(&format!("\n---\n{}\n=> {why}\n", case.text));
    }
    assert!(failures.is_empty(), "{} of {} commands:{report}", failures.len(), cases.len());
}

/// The generated commands, as many as are asked for.
fn generated() -> Vec<Case> {
    let seed = u64::try_from(number("ORACLE_SEED", 20_251)).unwrap();
    let mut generator = Generator::new(seed);
    (0..number("ORACLE_CASES", CASES)).map(|_| generator.case()).collect()
}

/// Scripts with branches: nothing but themselves decides in the first ones, the disk as well in the others.
#[test]
fn branches_are_taken_as_predicted() {
    let seed = u64::try_from(number("ORACLE_SEED", 7_741)).unwrap();
    let mut generator = Generator::new(seed);
    let count = number("ORACLE_CASES", CASES) / 2;
    let cases: Vec<Case> = (0..count).map(|at| branches::case(&mut generator, at % 2 == 1)).collect();
    compare_all("branches", &cases);
}

/// The commands of `commands.txt`.
fn written() -> Vec<Case> {
    let mut cases = Vec::new();
    for block in include_str!("commands.txt").split("\n--- ").skip(1) {
        let (class, text) = block.split_once('\n').unwrap();
        let exact = match class.trim() {
            "exact" => true,
            "part" => false,
            other => panic!("a block is exact or part, not {other}"),
        };
        cases.push(Case { text: text.to_owned(), exact, repeats: false });
    }
    cases
}

#[test]
fn generated_commands_run_what_is_predicted() {
    let cases = generated();
    let (left, right) = cases.split_at(cases.len() / 2);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| compare_all("generated-1", left));
        compare_all("generated-2", right);
        if let Err(panic) = other.join() {
            std::panic::resume_unwind(panic);
        }
    });
}

#[test]
fn written_commands_run_what_is_predicted() {
    let cases = written();
    assert!(cases.len() > 100, "{} written commands", cases.len());
    compare_all("written", &cases);
}
