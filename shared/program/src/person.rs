//! Whether a question of the host that called reaches a person, where the payload does not tell: from how its process was
//! started.

use payload::PersonSearch;

/// Looked up once in a call, and only where there is a question.
pub(crate) const SEARCH: PersonSearch = PersonSearch { at_terminal, by_own_client };

/// Whether someone sits at the terminal of the Gemini CLI that called. `false` where that cannot be known.
#[cfg(target_os = "linux")]
fn at_terminal() -> bool {
    use std::sync::OnceLock;
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| linux::is_at_terminal().unwrap_or(false))
}

/// Whether Copilot's own client asks. An application on the Copilot SDK starts its runtime as a server, and answers the
/// questions of hooks itself: `approveAll`, the first line of the SDK's own examples, says yes to all of them.
#[cfg(target_os = "linux")]
fn by_own_client() -> bool {
    use std::sync::OnceLock;
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| !linux::is_served().unwrap_or(false))
}

/// Nothing here tells how another process was started.
#[cfg(not(target_os = "linux"))]
fn at_terminal() -> bool {
    false
}

/// Nothing here tells how another process was started: as the host's own client does it.
#[cfg(not(target_os = "linux"))]
fn by_own_client() -> bool {
    true
}

/// What is known of how Copilot and Gemini CLI are started. Copilot: [run] the SDK 1.0.14, [source] its `client.js`. Gemini:
/// [source] 0.61.0, `isHeadlessMode` and `interactive` of its bundle; [run] at
/// a terminal, with `-i`, with `-p`.
#[cfg(any(target_os = "linux", test))]
mod command_line {
    /// The arguments of Gemini CLI in a command line, if it is one: `gemini …`, or `node [OPTION…] …/gemini …`.
    pub(super) fn of_gemini<'a>(words: &'a [&'a str]) -> Option<&'a [&'a str]> {
        let is_gemini =
            |word: &str| matches!(file_name(word), "gemini" | "gemini.js") || word.contains("/gemini-cli/");
        let (first, rest) = words.split_first()?;
        if is_gemini(first) {
            return Some(rest);
        }
        if !matches!(file_name(first), "node" | "nodejs" | "bun") {
            return None;
        }
        let at = rest.iter().position(|word| !word.starts_with('-'))?;
        is_gemini(rest[at]).then(|| &rest[at + 1..])
    }

    /// Whether this is Copilot's runtime as a server, of an application or of an editor (ACP); `None` if it is not Copilot.
    pub(super) fn serves_copilot(words: &[&str]) -> Option<bool> {
        let is_copilot = |word: &&&str| {
            matches!(file_name(word), "copilot" | "copilot-runtime" | "copilot.js")
                || word.contains("/@github/copilot")
        };
        // The runtime itself, or the script that an interpreter runs.
        words.iter().take(2).find(is_copilot)?;
        Some(words.iter().any(|word| matches!(*word, "--headless" | "--server" | "--acp")))
    }

    fn file_name(path: &str) -> &str {
        path.rsplit(['/', '\\']).next().unwrap_or(path)
    }

    /// Whether the arguments leave Gemini CLI at its terminal. In doubt they do not: a denial says how to go on, a
    /// question to no one ends the run.
    pub(super) fn stays_at_terminal(arguments: &[&str]) -> bool {
        let is_prompt = |word: &&str| match word.strip_prefix("--") {
            Some(long) => {
                let name = long.split('=').next().unwrap_or(long);
                name.starts_with("prompt") && !matches!(name, "prompt-interactive" | "promptInteractive")
            }
            // Also among others: `-yp`.
            None => word.starts_with('-') && word.contains('p'),
        };
        !arguments.iter().any(is_prompt)
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{self, File};
    use std::io::Read as _;

    use super::command_line::{of_gemini, serves_copilot, stays_at_terminal};

    /// How many processes may stand between the hook and its host: shells, wrappers.
    const MOST: usize = 8;

    /// How much of a command line or an environment is read, in bytes; one that is longer tells nothing.
    const LONGEST: u64 = 256 << 10;

    /// `None` when no process above this one is Gemini CLI, or the system does not tell.
    pub(super) fn is_at_terminal() -> Option<bool> {
        above(|process, words| {
            let stays = stays_at_terminal(of_gemini(words)?);
            let environment = read(process, "environ")?;
            // [source] In CI it never asks.
            let ci = environment.split('\0').any(|set| matches!(set, "CI=true" | "GITHUB_ACTIONS=true"));
            Some(!ci && stays && has_terminal(process, 0) && has_terminal(process, 1))
        })
    }

    /// `None` when no process above this one is Copilot, or the system does not tell.
    pub(super) fn is_served() -> Option<bool> {
        above(|_, words| serves_copilot(words))
    }

    /// What is found out about the nearest process above this one that is a host.
    fn above(found: impl Fn(&str, &[&str]) -> Option<bool>) -> Option<bool> {
        let mut process = "self".to_owned();
        for _ in 0..MOST {
            process = parent(&process)?;
            let line = read(&process, "cmdline")?;
            let words: Vec<&str> = line.trim_end_matches('\0').split('\0').collect();
            if let Some(found) = found(&process, &words) {
                return Some(found);
            }
        }
        None
    }

    fn read(process: &str, what: &str) -> Option<String> {
        let file = File::open(format!("/proc/{process}/{what}")).ok()?;
        let mut bytes = Vec::new();
        file.take(LONGEST + 1).read_to_end(&mut bytes).ok()?;
        let whole = u64::try_from(bytes.len()).is_ok_and(|length| length <= LONGEST);
        whole.then(|| String::from_utf8_lossy(&bytes).into_owned())
    }

    fn parent(process: &str) -> Option<String> {
        let status = read(process, "stat")?;
        // The name in brackets may hold anything; after it: state, parent.
        let parent = status.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?;
        (parent != "0").then(|| parent.to_owned())
    }

    fn has_terminal(process: &str, descriptor: u8) -> bool {
        let target = fs::read_link(format!("/proc/{process}/fd/{descriptor}")).unwrap_or_default();
        let target = target.to_string_lossy();
        target.starts_with("/dev/pts/") || target.starts_with("/dev/tty") || target == "/dev/console"
    }
}

#[cfg(test)]
mod tests {
    use super::command_line::{of_gemini, serves_copilot, stays_at_terminal};

    #[test]
    fn the_command_line_tells_whether_copilot_serves_an_application() {
        for (line, expected) in [
            (
                "/x/node_modules/@github/copilot-sdk-linux-x64/prebuilds/linux-x64/copilot-runtime --headless --stdio",
                Some(true),
            ),
            ("node /x/@github/copilot/index.js --headless --no-auto-update", Some(true)),
            ("copilot --acp", Some(true)),
            ("copilot -p do_it --allow-all", Some(false)),
            ("/usr/local/bin/copilot", Some(false)),
            ("node /usr/local/bin/copilot -i hi", Some(false)),
            ("bash -c copilot --headless", None),
            ("chromium --headless", None),
            ("vim notes copilot --headless", None),
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(serves_copilot(&words), expected, "{line}");
        }
    }

    #[test]
    fn the_command_line_tells_whether_gemini_stays_at_its_terminal() {
        for (line, expected) in [
            ("gemini", Some(true)),
            ("node /usr/local/bin/gemini", Some(true)),
            ("node /root/x/node_modules/.bin/gemini -i hello --approval-mode yolo", Some(true)),
            (
                "node --max-old-space-size=8192 /x/gemini-cli/bundle/gemini.js --prompt-interactive=hi",
                Some(true),
            ),
            ("node /x/gemini --promptInteractive hi", Some(true)),
            ("node /x/gemini hello -m gemini-2.5-flash", Some(true)),
            ("node /x/gemini --policy rules.toml", Some(true)),
            ("node /x/gemini -p hello", Some(false)),
            ("node /x/gemini -phello", Some(false)),
            ("node /x/gemini -yp hello", Some(false)),
            ("node /x/gemini --prompt hello", Some(false)),
            ("node /x/gemini --prompt=hello", Some(false)),
            ("/opt/bin/gemini -p hello", Some(false)),
            ("bash -c command-blocker", None),
            ("node server.js gemini", None),
            ("hook-runner run --host gemini", None),
            ("vim gemini", None),
            ("", None),
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(of_gemini(&words).map(stays_at_terminal), expected, "{line}");
        }
    }
}
