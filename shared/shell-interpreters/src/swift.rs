//! Foundation's `Process`: Swift puts a program together piece by piece, and starts it at the end.

use shell_engine::Process;

/// Runs the program of a `Process`: its path, and the arguments that follow it.
pub(super) fn start_process(process: &mut Process<'_>, body: &str) {
    // Few texts have one at all.
    if !body.contains("Process") {
        return;
    }
    let body = body.replace("NSHomeDirectory()", &format!("{:?}", process.scope.home));
    let mut rest = body.as_str();
    while let Some(at) = PATHS.iter().filter_map(|name| rest.find(name)).min() {
        rest = &rest[at..];
        let end =
            PATHS.iter().filter_map(|name| rest[1..].find(name)).min().map_or(rest.len(), |end| end + 1);
        let (one, later) = rest.split_at(end);
        rest = later;
        let Some(program) = literals(one).next() else { continue };
        let arguments = one.split_once("arguments").map_or("", |(_, rest)| rest);
        let arguments =
            arguments.split_once('[').map_or("", |(_, rest)| rest.split(']').next().unwrap_or(""));
        let words = std::iter::once(program).chain(literals(arguments)).map(str::to_owned);
        super::start(process, words.collect());
    }
}

/// What names the program.
const PATHS: &[&str] = &["launchPath", "executableURL", "Process.run("];

/// The strings of a text: every other piece stands between two quotes.
fn literals(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}
