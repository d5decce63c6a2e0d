//! What the facts of a repository cost.

use support::{payloads, repositories};

use crate::SIZE;
use crate::count::{folder, instructions_in, over, row, say};

/// How many files the repository has whose facts are reported.
const FILES: usize = 1_000;

/// Telling them may cost this much.
const FACTS_BUDGET: u64 = 4_000_000;

/// Telling nothing but the branch may cost this much. A sixth of it is the loader's, who corrects the tables of a program
/// with C inside, those of every host among them: each host costs 9,000.
const BRANCH_BUDGET: u64 = 755_000;

/// What it costs to tell a model of a repository.
pub(crate) fn measure() -> Result<bool, String> {
    let injector = benches::build("context-injector")?;
    let home = folder("facts")?;
    let project = home.join("project");
    repositories::committed(&project, FILES)?;
    let payload = payloads::padded(
        &format!(
            r#"{{"session_id":"s","transcript_path":"/t","cwd":"{}","hook_event_name":"SessionStart","source":"startup"}}"#,
            project.display()
        ),
        SIZE,
    );
    let settings = home.join(".config/policy-hooks");
    repositories::create(&settings)?;
    let count = |facts: &str| {
        // Under valgrind everything takes fifty times longer.
        repositories::write(
            &settings.join("context.toml"),
            &format!("[context]\ngit_deadline_ms = 60000\n{facts}"),
        )?;
        instructions_in(&home, &injector, payload.as_bytes())
    };
    let branch = count("facts = [\"branch\"]\n")?;
    let all = count("")?;
    let _ = std::fs::remove_dir_all(&home);
    say(&format!("\n{:<58}{:>12}{:>10}", "facts of a repository", "instructions", "x branch"));
    row("context-injector: the branch", branch, branch, over(branch, BRANCH_BUDGET));
    row(&format!("context-injector: all facts, {FILES} files"), all, branch, over(all, FACTS_BUDGET));
    say(&format!("budgets {BRANCH_BUDGET} and {FACTS_BUDGET}"));
    Ok(branch <= BRANCH_BUDGET && all <= FACTS_BUDGET)
}
