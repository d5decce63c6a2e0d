//! With the same answers of the same hooks, we predict what the real hosts were recorded doing.
//!
//! Every run of `tests/payloads/recorded.jsonl` and of `generated.jsonl` beside it is played: its hooks become
//! configurations in the host's dialect, which are found, read, matched, called and merged by this crate. Only the
//! processes are stand-ins that give the recorded answers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod recorded;

use std::collections::BTreeMap;

use host::play::{Made, Played, Turn};
use host::{Setting, Stage, play};
use recorded::{Actors, Disk, Machine, Row, has, rows, text_of};
use serde_json::Value;

/// What is predicted, and was recorded.
#[derive(Debug, PartialEq)]
struct Seen {
    tool_ran: bool,
    input_rewritten: bool,
    /// The strings of the hooks that the model saw.
    texts: Vec<String>,
    /// How many times the agent went on instead of stopping; `None` is without end.
    went_on: Option<u64>,
    /// Whether the model saw the tool's own output, where the run is about that.
    result_kept: Option<bool>,
    /// Whether the model was asked at all, where the run is about that.
    model_was_asked: Option<bool>,
    /// What only generated runs tell.
    more: Option<More>,
    /// The strings by the requests in which they were seen first, where that was recorded.
    reads: Option<Vec<Vec<String>>>,
}

/// What generated runs tell besides.
#[derive(Debug, PartialEq)]
struct More {
    /// What the tools wrote.
    ran: String,
    /// How many times the model was asked.
    requests: usize,
    /// How many times each hook was called.
    called: BTreeMap<String, u64>,
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn recorded(row: &Row) -> Seen {
    let seen = &row.0["observed"];
    // What a hook's own command prints is not a word of the hook.
    let words = |list: &Value| -> Vec<String> {
        strings(list).into_iter().filter(|mark| mark != "MARK_TOOL").collect()
    };
    let reads = seen["reads"].as_array().map(|reads| reads.iter().map(words).collect());
    Seen {
        tool_ran: seen["tool_ran"].as_bool().unwrap(),
        input_rewritten: seen["input_rewritten"].as_bool().unwrap(),
        texts: words(&seen["seen"]),
        went_on: seen["went_on"].as_u64(),
        result_kept: seen["result_kept"].as_bool(),
        model_was_asked: seen["model_was_asked"].as_bool(),
        more: seen["requests"].as_u64().map(|requests| More {
            ran: seen["ran"].as_str().unwrap().to_owned(),
            requests: usize::try_from(requests).unwrap(),
            called: serde_json::from_value(seen["called"].clone()).unwrap(),
        }),
        reads,
    }
}

/// What is predicted: several things where hooks race.
fn predictions(row: &Row) -> Vec<Seen> {
    let machine = Machine::of(row);
    let hooks = machine.hooks();
    let (script, project) = (row.script(), machine.project());
    let one = |race: usize| {
        let actors = Actors::new(row);
        let setting = Setting { product: row.product(), scene: row.scene(), project: &project };
        let stage = Stage { setting, hooks: &hooks, execute: &actors, folder: "/p", race };
        let played = play(stage, &script);
        (predicted(row, &played, &actors, &script), played.raced())
    };
    let (first, raced) = one(0);
    std::iter::once(first).chain((1..4).filter(|_| raced).map(|race| one(race).0)).collect()
}

fn predicted(row: &Row, played: &Played<'_>, actors: &Actors<'_>, script: &[Turn]) -> Seen {
    let about = |key: &str| row.0["observed"].get(key).is_some();
    let marks = row.marks();
    let mut unread = marks.clone();
    let reads: Vec<Vec<String>> = played
        .requests
        .iter()
        .map(|request| {
            let all = request.read.join("\n");
            let (read, rest) = unread.drain(..).partition(|mark| has(&all, mark));
            unread = rest;
            read
        })
        .collect();
    let texts = marks.into_iter().filter(|mark| !unread.contains(mark)).collect();
    let mut disk = Disk::default();
    for made in played.calls.iter().filter(|made| made.ran() && !made.sandboxed) {
        disk.change(made);
    }
    let wrote: Vec<bool> =
        played.calls.iter().filter(|made| made.ran()).map(|made| made.result_read).collect();
    let kept = if about("requests") {
        let prints = |made: &Made| text_of(made).contains("MARK_TOOL") || made.name.contains("do_thing");
        Some(played.calls.iter().any(|made| made.ran() && made.result_read && prints(made)))
    } else {
        wrote.last().copied()
    };
    let counts = actors.counts();
    let stops = row
        .first_stop()
        .filter(|_| about("requests"))
        .map(|name| counts.get(&name).map_or(0, |count| count.saturating_sub(1)));
    let went_on = played.went_on().map(|times| stops.unwrap_or(u64::try_from(times).unwrap()));
    Seen {
        tool_ran: !disk.words().is_empty(),
        input_rewritten: disk.words().contains("MARK_REWRITTEN")
            || !about("requests")
                && played.calls.iter().any(|made| made.ran() && text_of(made).contains("MARK_REWRITTEN")),
        texts,
        went_on,
        result_kept: kept.filter(|_| about("result_kept")),
        model_was_asked: about("model_was_asked").then_some(!played.requests.is_empty()),
        more: about("requests").then(|| More {
            ran: disk.words(),
            requests: played.requests.len(),
            called: counts.clone(),
        }),
        reads: about("reads").then_some(reads).filter(|_| !script.is_empty()),
    }
}

#[test]
fn what_the_hosts_did_is_predicted() {
    let rows = rows();
    let (mut right, mut wrong, mut races) = (0, Vec::new(), 0);
    for row in &rows {
        let (predicted, mut recorded) = (predictions(row), recorded(row));
        races += usize::from(predicted.len() > 1);
        if let (Some(more), Some(sure)) = (&mut recorded.more, predicted[0].more.as_ref()) {
            // A hook that is given up at once may or may not begin.
            more.called.retain(|name, _| sure.called.contains_key(name));
        }
        if predicted.contains(&recorded) {
            right += 1;
        } else {
            wrong.push(format!(
                "{}\n  {}\n  predicted {predicted:?}\n  recorded  {recorded:?}",
                row.id(),
                row.0
            ));
        }
    }
    println!("{right} of {} recorded runs predicted, {races} of them races", rows.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
