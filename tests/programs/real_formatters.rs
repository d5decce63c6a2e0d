//! Installs the formatters that tests run.

use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    match support::formatters::install() {
        Ok(root) => {
            // No one is left to read it.
            let _ = writeln!(std::io::stdout(), "{}", root.display());
            ExitCode::SUCCESS
        }
        Err(problem) => {
            let _ = writeln!(std::io::stderr(), "{problem}");
            ExitCode::from(2)
        }
    }
}
