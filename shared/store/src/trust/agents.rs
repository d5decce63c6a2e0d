//! The hosts of coding agents: how one sees that a process belongs to one.

use std::path::Path;

#[derive(Debug)]
pub struct Agent {
    /// Its name, for people.
    pub name: &'static str,
    /// What it puts into the environment of the shells that it gives to agents.
    pub marks: &'static [&'static str],
    /// Names of its programs.
    programs: &'static [&'static str],
    /// Its packages: parts of the paths of its programs and scripts.
    packages: &'static [&'static str],
}

/// Driven: Claude Code 2.1.329, Copilot CLI 1.0.102, Codex CLI 0.169.0, Gemini CLI 0.61.0. The others by their
/// documentation and source, as of November 2026. Editors with an agent inside count as a whole: what is typed into their
/// terminals may come from the agent.
pub const AGENTS: &[Agent] = &[
    Agent {
        name: "Claude Code",
        marks: &["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"],
        programs: &["claude"],
        packages: &["@anthropic-ai/claude", "/claude/versions/"],
    },
    Agent {
        name: "Copilot CLI",
        marks: &["COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"],
        programs: &["copilot", "copilot-agent"],
        packages: &["@github/copilot"],
    },
    Agent {
        name: "Codex",
        marks: &["CODEX_CI", "CODEX_SANDBOX", "CODEX_THREAD_ID", "CODEX_SANDBOX_NETWORK_DISABLED"],
        programs: &["codex", "codex-exec", "codex-linux-sandbox", "codex-tui"],
        packages: &["@openai/codex"],
    },
    Agent {
        name: "Gemini CLI",
        marks: &["GEMINI_CLI"],
        programs: &["gemini"],
        packages: &["@google/gemini-cli"],
    },
    Agent {
        name: "VS Code",
        marks: &[],
        programs: &["code", "code-insiders", "code-oss", "code-server", "code-tunnel", "codium", "vscodium"],
        packages: &["/.vscode-server", "/.vscode-remote", "/.vscode/cli/"],
    },
    Agent {
        name: "Cursor",
        marks: &["CURSOR_AGENT", "CURSOR_TRACE_ID"],
        programs: &["cursor", "cursor-agent"],
        packages: &["/.cursor-server", "/cursor-agent/"],
    },
    Agent { name: "Cline", marks: &["CLINE_ACTIVE"], programs: &["cline"], packages: &["/cline/dist"] },
    Agent {
        name: "OpenCode",
        marks: &["OPENCODE", "OPENCODE_SESSION"],
        programs: &["opencode"],
        packages: &["opencode-ai"],
    },
    Agent { name: "Pi", marks: &["PI_CODING_AGENT"], programs: &["pi"], packages: &["/pi-coding-agent/"] },
    Agent {
        name: "Qwen Code",
        marks: &["QWEN_CODE"],
        programs: &["qwen"],
        packages: &["@qwen-code/qwen-code"],
    },
    Agent {
        name: "Windsurf",
        marks: &[],
        programs: &["windsurf", "windsurf-next"],
        packages: &["/.windsurf-server"],
    },
    Agent { name: "Zed", marks: &[], programs: &["zed", "zed-editor"], packages: &["/zed.app/"] },
    Agent { name: "Goose", marks: &["GOOSE_TERMINAL"], programs: &["goose", "goosed"], packages: &[] },
    Agent { name: "Aider", marks: &[], programs: &["aider"], packages: &["/aider/"] },
    Agent { name: "Crush", marks: &[], programs: &["crush"], packages: &["@charmland/crush"] },
    Agent { name: "Amp", marks: &[], programs: &["amp"], packages: &["@sourcegraph/amp"] },
    Agent { name: "Kiro", marks: &[], programs: &["kiro", "kiro-cli", "kiro-cli-chat"], packages: &[] },
    Agent { name: "OpenHands", marks: &[], programs: &["openhands"], packages: &["/openhands/"] },
    Agent { name: "a coding agent", marks: &["AI_AGENT"], programs: &[], packages: &[] },
];

/// Programs that run a script: the agent may be the script.
const INTERPRETERS: &[&str] =
    &["node", "nodejs", "bun", "deno", "python", "python3", "ruby", "sh", "bash", "electron"];

/// What every host puts into the environment of the shells that it gives to agents.
pub fn marks() -> impl Iterator<Item = &'static str> {
    AGENTS.iter().flat_map(|agent| agent.marks.iter().copied())
}

/// The host that a process is, by its program and its arguments.
pub(crate) fn by_program(name: &str, exe: Option<&Path>, args: &[String]) -> Option<&'static Agent> {
    let bare = |text: &str| {
        let file = text.rsplit(['/', '\\']).next().unwrap_or(text);
        let file = file.strip_suffix(" (deleted)").unwrap_or(file);
        let file = ["js", "mjs", "cjs", "py", "exe", "real"]
            .iter()
            .find_map(|ending| file.strip_suffix(ending)?.strip_suffix('.'))
            .unwrap_or(file);
        file.trim_matches('.').to_ascii_lowercase()
    };
    let exe = exe.map(|exe| exe.to_string_lossy().into_owned());
    let mut files: Vec<&str> = vec![name];
    files.extend(exe.as_deref());
    files.extend(args.first().map(String::as_str));
    // The interpreter's version may be in its name: `python3.12`.
    let runs_scripts = files.iter().any(|file| {
        let file = bare(file);
        INTERPRETERS.contains(&file.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
            || INTERPRETERS.contains(&&*file)
    });
    if runs_scripts {
        // The first word that is not an option: what follows the script is the script's own.
        files.extend(args.iter().skip(1).map(String::as_str).find(|arg| !arg.starts_with('-')));
    }
    AGENTS.iter().find(|agent| {
        files.iter().any(|file| {
            agent.programs.contains(&&*bare(file))
                || agent.packages.iter().any(|package| file.contains(package))
        })
    })
}

/// The mark in an environment as the system writes it, with the host that sets it.
pub(crate) fn by_environment(environment: &[u8]) -> Option<(&'static Agent, &'static str)> {
    let names: Vec<&[u8]> = environment
        .split(|byte| *byte == 0)
        .filter_map(|variable| {
            let sign = variable.iter().position(|byte| *byte == b'=')?;
            // Set to nothing it counts as not set, as in our own environment.
            (sign + 1 < variable.len()).then(|| &variable[..sign])
        })
        .collect();
    let mut known = AGENTS.iter().flat_map(|agent| agent.marks.iter().map(move |mark| (agent, *mark)));
    known.find(|(_, mark)| names.contains(&mark.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(name: &str, exe: &str, args: &[&str]) -> Option<&'static str> {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        by_program(name, Some(Path::new(exe)), &args).map(|agent| agent.name)
    }

    #[test]
    fn hosts_are_known_by_their_programs_and_scripts() {
        for (name, exe, args, host) in [
            ("claude", "/usr/bin/node", &["claude"][..], Some("Claude Code")),
            (
                "node",
                "/usr/bin/node",
                &["node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"],
                Some("Claude Code"),
            ),
            (
                "MainThread",
                "/usr/bin/node",
                &["node", "--no-warnings", "/home/u/.npm/bin/gemini"],
                Some("Gemini CLI"),
            ),
            ("codex", "/opt/codex/codex", &["codex"], Some("Codex")),
            ("code", "/usr/share/code/code", &["/usr/share/code/code", "--type=utility"], Some("VS Code")),
            ("node", "/home/u/.vscode-server/bin/x/node", &["node", "out/server-main.js"], Some("VS Code")),
            (
                "aider",
                "/usr/bin/python3.12",
                &["/usr/bin/python3", "/home/u/.local/bin/aider"],
                Some("Aider"),
            ),
            ("bash", "/usr/bin/bash", &["-bash"], None),
            ("bash", "/usr/bin/bash", &["bash", "-c", "codex"], Some("Codex")),
            ("vim", "/usr/bin/vim", &["vim", "claude"], None),
            ("zsh", "/usr/bin/zsh", &["zsh"], None),
            (
                "gnome-terminal-",
                "/usr/libexec/gnome-terminal-server",
                &["/usr/libexec/gnome-terminal-server"],
                None,
            ),
        ] {
            assert_eq!(agent(name, exe, args), host, "{name} {args:?}");
        }
    }

    #[test]
    fn a_mark_counts_if_it_is_set_to_something() {
        let found = |environment: &[u8]| by_environment(environment).map(|(_, mark)| mark);
        assert_eq!(found(b"A=1\0CLAUDECODE=1\0"), Some("CLAUDECODE"));
        assert_eq!(found(b"CLAUDECODE=\0XCLAUDECODE=1\0"), None);
    }
}
