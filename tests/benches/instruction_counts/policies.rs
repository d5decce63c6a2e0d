//! What the approval gate costs by its policies.

use std::fmt::Write as _;

use support::hosts::Target;
use support::payloads;

use crate::TYPICAL;
use crate::count::{folder, instructions_in, over, row, say};

/// What a call of the approval gate costs by its policies.
pub(crate) fn measure(floor: u64) -> Result<bool, String> {
    let gate = benches::build("approval-gate")?;
    let home = folder("policies")?;
    let file = home.join(".config/policy-hooks/policy.toml");
    let above = file.parent().unwrap_or(&home);
    std::fs::create_dir_all(above).map_err(|error| format!("{}: {error}", above.display()))?;
    let (_, payload) = payloads::shell_call(Target::Claude, TYPICAL);
    let rules = policy();
    say(&format!("\n{:<58}{:>12}{:>10}", "one call of the approval gate", "instructions", "x empty"));
    let mut fits = true;
    let titles =
        [("no policy".to_owned(), None), (format!("100 rules in {} bytes", rules.len()), Some(&rules))];
    for ((title, policy), budget) in titles.into_iter().zip([NO_POLICY_BUDGET, POLICY_BUDGET]) {
        if let Some(policy) = policy {
            std::fs::write(&file, policy).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        let count = instructions_in(&home, &gate, payload.as_bytes())?;
        fits &= count <= budget;
        row(&format!("approval-gate: {title}"), count, floor, over(count, budget));
    }
    let _ = std::fs::remove_dir_all(&home);
    say(&format!("budgets {NO_POLICY_BUDGET} and {POLICY_BUDGET}"));
    Ok(fits)
}

/// A call without any policy may cost this much.
const NO_POLICY_BUDGET: u64 = 160_000;

/// A call with [`policy`] may cost this much.
const POLICY_BUDGET: u64 = 520_000;

/// A policy of 100 rules of every kind, with examples.
fn policy() -> String {
    let mut text = String::from(
        "# What agents may do in this company.\nschema = 1\n\n[defaults]\nno_prompt = \"deny\"\n",
    );
    let subjects = [
        r#"run = { program = "git", sub = ["step-N"], flags_any = ["-f", "--force"] }"#,
        r#"run = { program = "tool-N", sub_any = ["apply", "destroy"] }"#,
        r#"run = { program = ["helm-N", "kube-N"], sub = ["delete"], args_none = ["test-*"] }"#,
        r#"run = { program = "cloud-N", sub = ["instances", "delete"], flags_none = ["--dry-run"] }"#,
        r#"path = { access = ["write", "delete"], any = ["generated-N/**"] }"#,
        r#"run = { program = "deploy-N", args_any = ["production"] }"#,
        r#"run = { program = "publish-N", sub = ["release"] }"#,
        r#"mcp = { server = "server-N", tool = ["delete_*"] }"#,
        r#"run = { program = "db-N", flags_any = ["--drop", "--reset"] }"#,
        r#"run = { program = "secret-N", sub_any = ["get", "export"] }"#,
    ];
    for number in 0..100 {
        let subject = subjects[number % subjects.len()].replace('N', &number.to_string());
        let _ = write!(
            text,
            "\n[[rule]]\nid = \"team.rule-{number}\"\ndecision = \"{}\"\nreason = \"A person of the team does this.\"\n\
             instead = \"Say what is needed.\"\n{subject}\nmatch = [\"tool-{number} apply\"]\nnot_match = [\"tool-{number} plan\"]\n",
            if number % 3 == 0 { "ask" } else { "deny" },
        );
    }
    text
}
