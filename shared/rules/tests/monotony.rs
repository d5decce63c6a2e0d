//! Adding a project's file never weakens a decision, whoever asks.
//!
//! `MONOTONY_CASES=100000 cargo test -p rules --test monotony` runs the full number.

use payload::Access;
use policy::Facts;
use proptest::prelude::*;
use proptest::sample::select;
use rules::layers::{Source, Stack};
use rules::{Action, Effect, Layer, ToolWord, decide};

const TODAY: i64 = 20_779;

fn cases() -> u32 {
    std::env::var("MONOTONY_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2_000)
}

fn rule() -> impl Strategy<Value = String> {
    let id = select(vec!["a.one", "a.two", "b.one", "git.reset-hard"]);
    let decision = select(vec!["deny", "ask", "allow", "note", "dney"]);
    let subject = select(vec![
        "run = { program = \"frob\" }",
        "run = { program = \"frob\", sub = [\"push\"], flags_any = [\"--force\"] }",
        "run = { program = [\"frob\", \"git\", \"ls\"] }",
        "run = { program = \"frob\", flag_any = [\"-f\"] }",
        "path = { any = [\"**/*.pem\", \"src/**\"] }",
        "path = { access = [\"read\"], any = [\"**\"] }",
        "net = { hosts_not = [\"good.example\"] }",
        "mcp = { server = \"s\" }",
        "run = { program = \"*\" }",
    ]);
    let more = select(vec![
        "",
        "lock = true",
        "no_prompt = \"none\"",
        "no_prompt = \"ask\"",
        "override_by = \"project\"",
        "override_by = \"user\"",
        "unless = { args_any = [\"wip\"] }",
        "when = { host = \"claude\" }",
        "when = { mode = \"plan\" }",
        "lock = 1",
    ]);
    (id, decision, subject, more).prop_map(|(id, decision, subject, more)| {
        // `unless` must be of the same kind; elsewhere it is one more mistake.
        format!("[[rule]]\nid = \"{id}\"\ndecision = \"{decision}\"\nreason = \"r\"\n{subject}\n{more}\n")
    })
}

fn exception() -> impl Strategy<Value = String> {
    let id =
        select(vec!["a.one", "a.two", "a.*", "b.one", "git.reset-hard", "git.*", "files.*", "policy.broken"]);
    let more = select(vec!["", "run = { args_any = [\"x\"] }", "when = { host = \"claude\" }"]);
    let date = select(vec!["2026-11-22", "2027-05-01", "2020-01-01", "2099-01-01"]);
    (id, more, date).prop_map(|(id, more, date)| {
        format!("[[exception]]\nrule = \"{id}\"\nreason = \"r\"\nexpires = {date}\n{more}\n")
    })
}

fn file() -> impl Strategy<Value = String> {
    let defaults = select(vec![
        "",
        "[defaults]\nunmatched = \"ask\"\n",
        "[defaults]\nunmatched = \"deny\"\nno_prompt = \"none\"\n",
        "[defaults]\nunresolved = \"none\"\nno_prompt = \"none\"\n",
        "[defaults]\nunresolved = \"deny\"\n",
        "[defaults]\nno_prompt = \"ask\"\n",
        "[defaults]\nunmatched = \"none\"\n",
    ]);
    let builtin = select(vec![
        "",
        "[builtin]\nprofile = \"strict\"\n",
        "[builtin]\nprofile = \"standard\"\n",
        "[builtin]\nrules = { \"git\" = \"off\", \"files\" = \"ask\" }\n",
        "[builtin]\nrules = { \"git.reset-hard\" = \"deny\" }\n",
        "[builtin]\nrules = { \"files\" = \"off\" }\n",
    ]);
    let system = select(vec![
        "",
        "[system]\nallow_user_exceptions = false\n",
        "[system]\nallow_project_allow = true\n",
    ]);
    let broken = select(vec!["", "", "", "", "x = \n", "oops\n"]);
    (
        defaults,
        builtin,
        system,
        prop::collection::vec(rule(), 0..4),
        prop::collection::vec(exception(), 0..3),
        broken,
    )
        .prop_map(|(defaults, builtin, system, rules, exceptions, broken)| {
            format!(
                "schema = 1\n{defaults}{builtin}{system}{}{}{broken}",
                rules.concat(),
                exceptions.concat()
            )
        })
}

fn action() -> impl Strategy<Value = Action<'static>> {
    let command = select(vec![
        "frob push --force",
        "frob push",
        "frob wip",
        "frob $X",
        "$X push",
        "git reset --hard",
        "rm -rf /",
        "ls",
        "ls | frob x",
        "curl https://evil.example",
        "curl https://good.example",
        "cat a.pem",
        "echo x > src/a",
        "git status",
        "rm -rf src",
        "eval \"$X\"",
        "sudo frob push --fo",
        "git push $B",
    ]);
    let action = prop_oneof![
        4 => command.prop_map(|text| Action::command(text, Some("/home/user/project"))),
        1 => select(vec!["src/a", "x.pem", "README.md"]).prop_map(|path| Action {
            tool: ToolWord::Read, paths: vec![(path.into(), Access::Read)], cwd: Some("/home/user/project"), ..Action::default()
        }),
        1 => select(vec!["src/a", "x.pem", ".github/hooks/policy.toml"]).prop_map(|path| Action {
            tool: ToolWord::Write, paths: vec![(path.into(), Access::Write)], cwd: Some("/home/user/project"), ..Action::default()
        }),
    ];
    (
        action,
        any::<bool>(),
        select(vec![payload::Host::Claude, payload::Host::Codex]),
        select(vec![None, Some("plan")]),
    )
        .prop_map(|(action, can_ask, host, mode)| Action {
            can_ask,
            host,
            mode: mode.map(Into::into),
            ..action
        })
}

/// How much a decision holds back; an `allow` holds back less than nothing.
fn strength(effect: Option<Effect>) -> u8 {
    match effect {
        Some(Effect::Allow) => 0,
        None | Some(Effect::Note) => 1,
        Some(Effect::Ask) => 2,
        Some(Effect::Deny) => 3,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_project_never_weakens_a_decision(
        system in prop::option::of(file()),
        user in prop::option::of(file()),
        project in file(),
        second in prop::option::of(file()),
        action in action(),
    ) {
        let mut sources: Vec<Source> = Vec::new();
        sources.extend(system.map(|text| Source::of(Layer::System, "/etc/p.toml", text)));
        sources.extend(user.map(|text| Source::of(Layer::User, "/home/user/p.toml", text)));
        let facts = Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
        let before = decide(&Stack::of(&sources, TODAY), &action, &facts, Some("main"));
        for text in [Some(project), second].into_iter().flatten() {
            sources.push(Source::of(Layer::Project, format!("/p/{}", sources.len()), text));
        }
        let after = decide(&Stack::of(&sources, TODAY), &action, &facts, Some("main"));
        prop_assert!(strength(after.decision) >= strength(before.decision), "{:?} -> {:?}", before.decision, after.decision);
        prop_assert!(strength(after.answer) >= strength(before.answer), "on the host: {:?} -> {:?}", before.answer, after.answer);
    }
}
