//! What came of it, for people and for machines.

use std::fmt::Write as _;

use payload::one_line;
use serde_json::{Value, json as value};

use crate::{Imported, Remark, Sort};

/// For people: what is not there, what leaked, what is stricter, with the place of each.
pub fn text(name: &str, imported: &Imported) -> String {
    let mut text = String::new();
    for (sort, title) in [
        (Sort::Left, "not carried over"),
        (Sort::Leaky, "leaked in the original"),
        (Sort::Stricter, "stricter now"),
    ] {
        // The worst first: what is missing, then what never held, then what people will notice anyway.
        let remarks: Vec<&Remark> = imported.remarks.iter().filter(|remark| remark.sort == sort).collect();
        for remark in &remarks {
            let _ = writeln!(
                text,
                "{}:{}: {title}: {}: {}",
                one_line(name),
                remark.place,
                one_line(&remark.original),
                one_line(&remark.why)
            );
        }
    }
    let count = |sort: Sort| imported.remarks.iter().filter(|remark| remark.sort == sort).count();
    let _ = writeln!(
        text,
        "{}: {} rules, {} not carried over, {} leaky, {} stricter",
        one_line(name),
        imported.rules.len(),
        count(Sort::Left),
        count(Sort::Leaky),
        count(Sort::Stricter)
    );
    text
}

/// For machines.
pub fn json(name: &str, format: crate::Format, imported: &Imported) -> Value {
    let remarks = imported.remarks.iter().map(|remark| {
        let sort = match remark.sort {
            Sort::Left => "left",
            Sort::Leaky => "leaky",
            Sort::Stricter => "stricter",
        };
        value!({
            "sort": sort, "line": remark.place.line, "column": remark.place.column,
            "original": remark.original, "why": remark.why,
        })
    });
    let rules = imported
        .rules
        .iter()
        .map(|(id, place)| value!({ "id": id, "line": place.line, "column": place.column }));
    value!({
        "version": 1, "file": name, "format": format.as_str(), "policy": imported.policy,
        "rules": rules.collect::<Vec<_>>(), "remarks": remarks.collect::<Vec<_>>(),
    })
}
