//! Adding or changing the file of a lower layer never weakens a decision, whoever asks, and lets no one lift it.
//!
//! `MONOTONY_CASES=100000 cargo test -p policy --test monotony` runs the full number.

use payload::Access;
use policy::layers::{Source, Stack};
use policy::{Action, Effect, Layer, Ruling, ToolWord, decide};
use proptest::prelude::*;
use proptest::sample::select;
use rules::Facts;

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
    let environment = select(vec![
        "",
        "[environment]\nproduction = [\"live-*\", \"db.example\"]\n",
        "[environment]\ndisposable = [\"kind-*\", \"shop\"]\n",
        "[environment]\nproduction = \"kind-live\"\ndisposable = \"*\"\n",
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
        environment,
        system,
        prop::collection::vec(rule(), 0..4),
        prop::collection::vec(exception(), 0..3),
        broken,
    )
        .prop_map(|(defaults, builtin, environment, system, rules, exceptions, broken)| {
            format!(
                "schema = 1\n{defaults}{builtin}{environment}{system}{}{}{broken}",
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
        "kubectl --context kind-live delete ns a",
        "kubectl --context kind-a delete ns a",
        "psql -h db.example shop -c 'DROP TABLE t'",
        "supabase db reset",
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
            reach: payload::Reach::Known(can_ask),
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
        Some(Effect::Keep) => 2,
        Some(Effect::Ask) => 3,
        Some(Effect::Deny) => 4,
    }
}

/// What someone does to the text of a file.
#[derive(Debug, Clone)]
enum Change {
    Cut(prop::sample::Index),
    Without(prop::sample::Index),
    Twice(prop::sample::Index),
    Insert(prop::sample::Index, &'static str),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<prop::sample::Index>;
    let part =
        select(vec!["\"", "=", "[", "x", "\n", "#", "[defaults]\n", "lock = true\n", "'''", "\u{202e}"]);
    prop_oneof![
        1 => at().prop_map(Change::Cut),
        3 => at().prop_map(Change::Without),
        3 => at().prop_map(Change::Twice),
        3 => (at(), part).prop_map(|(at, part)| Change::Insert(at, part)),
    ]
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for change in changes {
        let lines: Vec<Vec<char>> = letters.split_inclusive(|c| *c == '\n').map(<[char]>::to_vec).collect();
        match change {
            Change::Cut(at) => letters.truncate(at.index(letters.len() + 1)),
            Change::Insert(at, part) => {
                let at = at.index(letters.len() + 1);
                letters.splice(at..at, part.chars());
            }
            Change::Without(_) | Change::Twice(_) if lines.is_empty() => {}
            Change::Without(at) => {
                let gone = at.index(lines.len());
                let rest = lines.iter().enumerate().filter(|(line, _)| *line != gone);
                letters = rest.flat_map(|(_, line)| line.clone()).collect();
            }
            Change::Twice(at) => {
                let twice = at.index(lines.len());
                let times = |line: usize| if line == twice { 2 } else { 1 };
                letters =
                    lines.iter().enumerate().flat_map(|(line, text)| text.repeat(times(line))).collect();
            }
        }
    }
    letters.into_iter().collect()
}

/// A file, in half of all cases as someone has damaged it.
fn any_file() -> impl Strategy<Value = String> {
    (file(), prop_oneof![Just(Vec::new()), prop::collection::vec(change(), 1..4)])
        .prop_map(|(text, changes)| changed(&text, &changes))
}

fn ruling(sources: &[Source], action: &Action<'_>) -> Ruling {
    let facts = Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
    let action = Action { branch: Some("main"), ..action.clone() };
    decide(&Stack::of(sources, TODAY), &action, &facts)
}

/// What the machine's files hold back by themselves and let no layer below except.
fn machines_own(ruling: &Ruling, machine: &str) -> Option<Effect> {
    let own = ruling.findings.iter().filter(|finding| finding.layer == Layer::System);
    let own = own.filter(|_| !machine.contains("override_by"));
    own.filter_map(|finding| finding.on_host(ruling.can_ask)).max()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_project_never_weakens_a_decision_nor_makes_it_approvable(
        system in prop::option::of(any_file()),
        user in prop::option::of(any_file()),
        project in any_file(),
        second in prop::option::of(any_file()),
        action in action(),
    ) {
        let mut sources: Vec<Source> = Vec::new();
        sources.extend(system.map(|text| Source::of(Layer::System, "/etc/p.toml", text)));
        sources.extend(user.map(|text| Source::of(Layer::User, "/home/user/p.toml", text)));
        let before = ruling(&sources, &action);
        for text in [Some(project), second].into_iter().flatten() {
            sources.push(Source::of(Layer::Project, format!("/p/{}", sources.len()), text));
        }
        let after = ruling(&sources, &action);
        prop_assert!(strength(after.decision) >= strength(before.decision), "{:?} -> {:?}", before.decision, after.decision);
        prop_assert!(strength(after.answer) >= strength(before.answer), "on the host: {:?} -> {:?}", before.answer, after.answer);
        let held = before.answer >= Some(Effect::Ask);
        prop_assert!(!held || before.once.is_some() || after.once.is_none(), "approvable: {:?}", after.findings);
    }

    /// Users may loosen what comes with the programs, but not what the machine says.
    #[test]
    fn a_user_never_weakens_what_the_machine_says_nor_makes_it_approvable(
        system in any_file(),
        user in any_file(),
        project in prop::option::of(any_file()),
        action in action(),
    ) {
        let mut sources = vec![Source::of(Layer::System, "/etc/p.toml", system.as_str())];
        let before = ruling(&sources, &action);
        let own = machines_own(&before, &system);
        sources.push(Source::of(Layer::User, "/home/user/p.toml", user));
        sources.extend(project.map(|text| Source::of(Layer::Project, "/p/p.toml", text)));
        let after = ruling(&sources, &action);
        prop_assert!(own.is_none() || strength(after.answer) >= strength(own), "{:?} -> {:?}", before.findings, after.findings);
        let others = before.findings.iter().any(|finding| {
            finding.layer != Layer::System && finding.on_host(before.can_ask) >= Some(Effect::Ask)
        });
        let held = own >= Some(Effect::Ask) && !others;
        prop_assert!(!held || before.once.is_some() || after.once.is_none(), "approvable: {:?}", after.findings);
    }
}
