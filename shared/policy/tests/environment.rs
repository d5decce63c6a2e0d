//! `[environment]`: names of production and of what is made again, by layer.

use policy::layers::{Source, Stack};
use policy::{Action, Effect, Layer, decide};
use rules::Facts;

const TODAY: i64 = 20_779;

fn decided(files: &[(Layer, &str)], command: &str) -> Option<Effect> {
    let sources: Vec<Source> = files
        .iter()
        .map(|(layer, text)| Source::of(*layer, "policy.toml", format!("schema = 1\n{text}\n")))
        .collect();
    let stack = Stack::of(&sources, TODAY);
    for file in &stack.files {
        assert!(file.errors.is_empty(), "{:?}", file.errors);
    }
    let facts = Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
    decide(&stack, &Action::command(command, Some("/home/user/project")), &facts).decision
}

const PRODUCTION: &str = "[environment]\nproduction = [\"live-*\", \"db.example.com\", \"shop{,_eu}\"]";
const DISPOSABLE: &str = "[environment]\ndisposable = [\"lab-*\", \"*_scratch\", \"lab-db\"]";

#[test]
fn what_would_be_asked_about_is_denied_in_production() {
    let ask = "kubectl --context live-eu drain node1 --force";
    assert_eq!(decided(&[], ask), Some(Effect::Ask));
    for layer in [Layer::System, Layer::User, Layer::Project] {
        assert_eq!(decided(&[(layer, PRODUCTION)], ask), Some(Effect::Deny), "{layer:?}");
    }
    for (command, expected) in [
        ("kubectl --context dev drain node1 --force", Some(Effect::Ask)),
        ("psql -h db.example.com -c 'ALTER TABLE x DROP COLUMN y'", Some(Effect::Deny)),
        ("PGHOST=db.example.com psql -c 'ALTER TABLE x DROP COLUMN y'", Some(Effect::Deny)),
        ("psql postgres://me@h/shop_eu -c 'ALTER TABLE x DROP COLUMN y'", Some(Effect::Deny)),
        ("kubectl --context live-eu get pods", None),
        ("git push origin live-eu", None),
    ] {
        assert_eq!(decided(&[(Layer::User, PRODUCTION)], command), expected, "{command}");
    }
}

#[test]
fn one_step_less_is_said_about_what_is_made_again() {
    for (command, before, after) in [
        ("kubectl --context lab-ci delete ns app", Some(Effect::Deny), Some(Effect::Ask)),
        ("kubectl --context lab-ci drain node1 --force", Some(Effect::Ask), None),
        ("psql -h db shop_scratch -c 'DROP TABLE users'", Some(Effect::Deny), Some(Effect::Ask)),
        ("psql -h lab-db shop -c 'DROP TABLE users'", Some(Effect::Deny), Some(Effect::Ask)),
        ("psql postgres://me@db/shop_scratch -c 'DROP TABLE users'", Some(Effect::Deny), Some(Effect::Ask)),
        // A name elsewhere in the line is not the target.
        ("kubectl delete ns lab-ci", Some(Effect::Deny), Some(Effect::Deny)),
        ("psql shop -c 'DROP TABLE shop_scratch'", Some(Effect::Deny), Some(Effect::Deny)),
        ("psql \"$DB\" -c 'DROP TABLE users'", Some(Effect::Deny), Some(Effect::Deny)),
        ("rm -rf / lab-ci", Some(Effect::Deny), Some(Effect::Deny)),
    ] {
        assert_eq!(decided(&[], command), before, "{command}");
        assert_eq!(decided(&[(Layer::User, DISPOSABLE)], command), after, "{command}");
        assert_eq!(decided(&[(Layer::System, DISPOSABLE)], command), after, "{command}");
        // A repository must not say what may be thrown away.
        assert_eq!(decided(&[(Layer::Project, DISPOSABLE)], command), before, "{command}");
    }
}

#[test]
fn no_layer_below_takes_production_back() {
    let command = "kubectl --context lab-live delete ns app";
    let production = "[environment]\nproduction = \"lab-live\"";
    let off = "[environment]\ndisposable = \"lab-*\"\n[builtin]\nrules = { \"containers\" = \"off\" }";
    assert_eq!(decided(&[(Layer::User, off)], command), None);
    assert_eq!(decided(&[(Layer::System, production), (Layer::User, off)], command), Some(Effect::Deny));
    let strict = "[builtin]\nprofile = \"strict\"";
    let ask = "kubectl --context lab-ci drain node1 --force";
    assert_eq!(decided(&[(Layer::System, strict), (Layer::User, DISPOSABLE)], ask), Some(Effect::Deny));
}
