//! Any text as the rules of any host: what is written is a policy, and says where everything came from. See
//! `tests/fuzz/run`.
#![no_main]

use import::{Format, Source, import};
use libfuzzer_sys::fuzz_target;
use policy::Layer;
use policy::layers::{self, today};

fuzz_target!(|text: &str| {
    for format in Format::ALL {
        for of_project in [false, true] {
            let Ok(imported) = import(&Source { name: text, text, format, of_project }) else { continue };
            let policy = layers::Source {
                trusted: true,
                ..layers::Source::of(Layer::User, "policy.toml", imported.policy.as_str())
            };
            let report = policy::cli::check(&policy, &[], today(), -1);
            assert!(report.errors.is_empty() && report.warnings.is_empty(), "{report:?}\n{}", imported.policy);
            let tested = policy::cli::test(&policy, &[], false);
            let faults: Vec<_> = tested.faults().collect();
            assert!(faults.is_empty(), "{faults:?}\n{}", imported.policy);
            let lines = text.lines().count().max(1) + 1;
            assert!(imported.remarks.iter().all(|remark| remark.place.line <= lines));
        }
    }
});
