//! How long the context injector takes, as a whole process.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::repositories::{committed, create, write};

use crate::say;

/// How often each call is made.
const ROUNDS: usize = 40;

/// The shipped time limit for looking at a repository.
const LIMIT: Duration = Duration::from_millis(300);

/// The branch alone, and all facts, in a small and in a large repository.
pub(crate) fn measure(folder: &Path) -> Result<(), String> {
    let program = benches::build("context-injector")?;
    say("\nfacts of a repository, by context-injector");
    for (files, goal) in [(1_000, "all facts at most 3 times the branch"), (50_000, "never above 350 ms")] {
        let project = folder.join(files.to_string());
        committed(&project, files)?;
        let homes = [("branch", "[context]\nfacts = [\"branch\"]\n"), ("all", "")];
        for (home, settings) in homes {
            let settings_folder = folder.join(home).join(".config/policy-hooks");
            create(&settings_folder)?;
            write(&settings_folder.join("context.toml"), settings)?;
        }
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            for ((home, _), times) in homes.iter().zip(&mut times) {
                times.push(call(&program, &project, &folder.join(home))?);
            }
        }
        for times in &mut times {
            times.sort_unstable();
        }
        let [branch, all] = times.map(|times| (median(&times), times.last().copied().unwrap_or_default()));
        say(&format!("{files} files ({goal})"));
        say(&format!("  the branch  median {:>8.2?}  longest {:>8.2?}", branch.0, branch.1));
        say(&format!("  all facts   median {:>8.2?}  longest {:>8.2?}", all.0, all.1));
        let ratio = all.0.as_secs_f64() / branch.0.as_secs_f64();
        say(&format!(
            "  ratio of the medians {ratio:.2}, longest beyond the limit {:.2?}\n",
            all.1.saturating_sub(LIMIT)
        ));
    }
    Ok(())
}

fn median(sorted: &[Duration]) -> Duration {
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

fn call(program: &Path, project: &Path, home: &Path) -> Result<Duration, String> {
    let payload = format!(
        r#"{{"session_id":"s","transcript_path":"/t","cwd":"{}","hook_event_name":"SessionStart","source":"startup"}}"#,
        project.display()
    );
    let start = Instant::now();
    let mut child = Command::new(program)
        .env_clear()
        .env("HOME", home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(payload.as_bytes()).map_err(|error| error.to_string())?;
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let took = start.elapsed();
    if String::from_utf8_lossy(&output.stdout).contains("branch: ") {
        Ok(took)
    } else {
        Err(format!("no facts: {}", String::from_utf8_lossy(&output.stdout)))
    }
}
