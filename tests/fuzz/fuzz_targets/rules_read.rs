//! Any text as a policy file: no panic, both readers say the same, and what is broken never loosens. See
//! `tests/fuzz/run`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rules::Facts;
use policy::layers::{Source, Stack};
use policy::{Action, Effect, Layer, Programs, decide};

const TODAY: i64 = 20_779;

fuzz_target!(|text: &str| {
    let (policy, errors) = policy::read(text, TODAY);
    for error in &errors {
        assert!(error.line >= 1 && error.column >= 1, "{error}");
        assert!(!error.to_string().is_empty() && !error.problem.hint().is_empty());
    }
    let broken = !errors.is_empty();
    let facts = || Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
    for layer in [Layer::Project, Layer::User, Layer::System] {
        let sources = [Source { trusted: true, ..Source::of(layer, "/p.toml", text) }];
        let stack = Stack::of(&sources, TODAY);
        let file = &stack.files[0];
        assert_eq!(file.errors, errors, "two readers, other mistakes");
        assert_eq!(format!("{:?}", file.policy), format!("{policy:?}"), "two readers, other rules");
        let about = Stack::about(&Programs::default(), &sources, TODAY);
        assert_eq!(about.files[0].errors, errors, "the mistakes depend on the call");
        for command in ["ls", "git push -f", "frob a b"] {
            let action = Action::command(command, Some("/home/user/project"));
            let ruling = decide(&stack, &action, &facts());
            let least = if layer == Layer::System { Effect::Deny } else { Effect::Ask };
            assert!(!broken || ruling.decision >= Some(least), "broken, and {:?}", ruling.decision);
        }
    }
});
