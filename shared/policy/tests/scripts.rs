//! `[builtin] scripts`: what policies say about files that commands run, on this machine's disk.
#![allow(clippy::unwrap_used)]

use std::fs;

use policy::layers::{Source, Stack};
use policy::{Action, Effect, Layer, decide};
use rules::Facts;

/// 2026-11-23, in days since 1970.
const TODAY: i64 = 20_780;

#[test]
fn a_policy_says_how_files_that_run_are_judged() {
    use Layer::{Project, System, User};

    let folder = tempfile::tempdir().unwrap();
    for (name, text) in
        [("publish.sh", "npm publish\n"), ("reset.sh", "git push -f\n"), ("wipe.sh", "rm -rf /\n")]
    {
        fs::write(folder.path().join(name), text).unwrap();
    }
    fs::create_dir(folder.path().join("vendor")).unwrap();
    fs::write(folder.path().join("vendor/publish.sh"), "npm publish\n").unwrap();
    let cwd = folder.path().to_str().unwrap();
    let by_path = format!("{{ \"**\" = \"as-typed\", \"{cwd}/vendor/**\" = \"team\" }}");
    for (layer, scripts, command, expected) in [
        (User, "\"as-typed\"", "bash publish.sh", Some(Effect::Ask)),
        (User, "\"team\"", "bash publish.sh", None),
        (User, "\"team\"", "npm publish", Some(Effect::Ask)),
        (User, "\"team\"", "bash wipe.sh", Some(Effect::Deny)),
        (User, "\"ignore\"", "bash wipe.sh", Some(Effect::Deny)),
        (System, "\"ignore\"", "bash wipe.sh", None),
        (System, "\"ignore\"", "rm -rf /", Some(Effect::Deny)),
        (Project, "\"team\"", "bash publish.sh", Some(Effect::Ask)),
        (Project, "\"ignore\"", "bash wipe.sh", Some(Effect::Deny)),
        (User, by_path.as_str(), "bash publish.sh", Some(Effect::Ask)),
        (User, by_path.as_str(), "bash vendor/publish.sh", None),
    ] {
        let policy = format!("schema = 1\n[builtin]\nscripts = {scripts}\n");
        let sources = [Source::of(layer, "/x/policy.toml", &policy)];
        let stack = Stack::of(&sources, TODAY);
        let ruling = decide(&stack, &Action::command(command, Some(cwd)), &Facts::here(Some(cwd), None));
        assert_eq!(ruling.decision, expected, "{layer:?} {scripts} {command}");
    }
}
