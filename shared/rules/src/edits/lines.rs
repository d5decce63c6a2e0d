//! Lines that decide from where agents take their settings, and what starts under the name of one, or of a program of
//! ours.

use payload::Language;
use shell::path;

use crate::builtin::{VARIABLES, has};
use crate::facts::Facts;
use crate::judge::{CommandText, judge};
use crate::protected;

/// Words that define what a name starts, in the shells that there are.
const DEFINES: &str =
    "alias function def abbr hash doskey Set-Alias New-Alias set-alias new-alias sal nal autoload";

/// Words that set a variable without `=`.
const SETS: &str = "set setenv setx set-environment SetEnvironmentVariable";

/// Variables that many services have of their own.
const EVERYBODYS: &str = "HOME USERPROFILE XDG_CONFIG_HOME XDG_STATE_HOME APPDATA LOCALAPPDATA";

/// Whether a line sets a variable that decides from where an agent takes its hooks and settings, to something else than
/// what it is anyway.
pub(super) fn sets_variable(line: &str, facts: &Facts<'_>) -> bool {
    if is_comment(line) {
        return false;
    }
    let names = VARIABLES.split_whitespace();
    names.filter(|name| line.contains(name)).any(|name| {
        occurrences(line, name).any(|at| {
            // `<key>HOME</key>` in the plist of a service, whose own home it may be.
            if line[..at].ends_with('>') {
                return !has(EVERYBODYS, name);
            }
            let rest = line[at + name.len()..].trim_start_matches(['"', '\'', '`', ' ', '\t']);
            match rest
                .strip_prefix('=')
                // `NAME: value` of YAML; `:-` is a default of a shell's expansion.
                .or_else(|| rest.strip_prefix(':').filter(|_| !rest.starts_with(":-")))
            {
                Some(value) => !is_usual(name, value, facts),
                None => SETS.split(' ').any(|set| line[..at].contains(set)) && !is_usual(name, rest, facts),
            }
        })
    })
}

/// Where a variable is named, and not used.
fn occurrences<'l>(line: &'l str, name: &'l str) -> impl Iterator<Item = usize> {
    line.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (before, after) = (&line[..*at], &line[at + name.len()..]);
        !before.ends_with(word)
            && !before.ends_with('$')
            && !before.ends_with("${")
            && !after.starts_with(word)
    })
}

/// Whether a value is the folder where a variable points anyway.
pub(super) fn is_usual(name: &str, value: &str, facts: &Facts<'_>) -> bool {
    let folder = match name {
        "HOME" | "USERPROFILE" => "",
        "XDG_CONFIG_HOME" => "/.config",
        "XDG_STATE_HOME" => "/.local/state",
        "CLAUDE_CONFIG_DIR" => "/.claude",
        "COPILOT_HOME" => "/.copilot",
        "CODEX_HOME" => "/.codex",
        _ => return false,
    };
    let value = value.trim_start().trim_start_matches(['"', '\'']);
    let value = match value.strip_prefix("${").and_then(|rest| rest.strip_prefix(name)?.strip_prefix(":-")) {
        Some(rest) => rest.trim_start_matches('"'),
        None => value,
    };
    let end = value.find(|c: char| c.is_whitespace() || "\"';}<&|,".contains(c) && !value.starts_with("${"));
    let end = end.or_else(|| value.find(['"', '\'', ' ', ';', '<']));
    let value = value[..end.unwrap_or(value.len())].trim_end_matches('/');
    let home = facts.home_folder().unwrap_or("~");
    // `%h` is systemd's, `@{HOME}` that of PAM.
    ["~", "$HOME", "${HOME}", "%h", "@{HOME}", "$env:USERPROFILE", "$env:HOME", home]
        .iter()
        .any(|start| value.strip_prefix(start) == Some(folder))
}

/// Whether a line of a shell's profile sets such a variable, says what starts under the name of a host or of a program of
/// ours, starts one without its hooks, or looks for programs first where anyone may put one.
pub(super) fn rules_agents(line: &str, facts: &Facts<'_>) -> bool {
    let line = line.trim();
    !is_comment(line)
        && (sets_variable(line, facts)
            || defines_program(line, facts)
            || starts_unguarded(line, facts)
            || puts_first(line, facts)
            || sources_scratch(line))
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

fn is_program(name: &str) -> bool {
    protected::is_hosts(name) || protected::is_ours(name)
}

/// `alias claude=…`, `function codex {`, `gemini() {`
fn defines_program(line: &str, facts: &Facts<'_>) -> bool {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or("").trim_start_matches(['(', '{', '&', '@']);
    if let Some(at) = line.find("()").or_else(|| line.find("( )")) {
        let name = line[..at].trim_end().rsplit(|c: char| c.is_whitespace() || ";&|{".contains(c)).next();
        if name.is_some_and(is_program) {
            return true;
        }
    }
    if !has(DEFINES, first) {
        // `[ -x /x ] && alias claude=/x`
        let later =
            line.find("alias ").filter(|at| *at > 0 && line[..*at].ends_with([' ', ';', '&', '{', '\t']));
        return later.is_some_and(|at| defines_program(&line[at..], facts));
    }
    for word in words {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let name = name.trim_matches(['"', '\'', '{', '(', ')']);
        let name = name.strip_prefix("global:").unwrap_or(name);
        if !is_program(name) {
            // Options, and where `hash -p` finds it.
            if name.starts_with('-') || first == "hash" {
                continue;
            }
            return false;
        }
        if protected::is_ours(name) || first != "alias" {
            return true;
        }
        // The same program, called with what the rules let through.
        let value = match value {
            "" => line.split_once(name).map_or("", |(_, rest)| rest),
            _ => line.split_once('=').map_or("", |(_, rest)| rest),
        };
        let value = value.trim().trim_matches(['"', '\'']);
        let program = value.strip_prefix("command ").unwrap_or(value).trim_start_matches('\\');
        return program.split_whitespace().next() != Some(name) || is_held(value, facts);
    }
    false
}

/// Whether a line names a host and starts it without its hooks.
fn starts_unguarded(line: &str, facts: &Facts<'_>) -> bool {
    let names_host =
        || line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).any(protected::is_hosts);
    if !names_host() {
        return false;
    }
    let value = line
        .strip_prefix("alias ")
        .and_then(|rest| rest.split_once('='))
        .map(|(_, value)| value.trim().trim_matches(['"', '\'']));
    is_held(value.unwrap_or(line), facts)
}

/// Whether the rules about this protection have something against a command.
fn is_held(text: &str, facts: &Facts<'_>) -> bool {
    // The rules about commands decide, so that a profile cannot start what a command could not.
    let judgement = judge(&[CommandText { text, language: Language::Posix }], facts);
    judgement.findings.iter().any(|finding| finding.rule.family() == "guard")
}

/// Whether a line puts a folder first on the `PATH` into which anyone may put a program.
fn puts_first(line: &str, facts: &Facts<'_>) -> bool {
    const HEADS: [&str; 9] = [
        "PATH=",
        "path=(",
        "fish_add_path",
        "set -gx PATH",
        "set -x PATH",
        "set -Ux PATH",
        "setenv PATH",
        "$env:PATH =",
        "$env:PATH=",
    ];
    HEADS.iter().any(|head| {
        line.match_indices(head).any(|(at, _)| {
            // `MYPATH=` is another variable.
            if line[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$') {
                return false;
            }
            let rest = line[at + head.len()..].trim_start().trim_start_matches(['"', '\'', ' ']);
            let rest = rest.trim_start_matches("--").trim_start_matches("-p").trim_start();
            // Only the first folder: those after it lose against the system's own.
            let end = rest.find([':', ';', '"', '\'', ' ', ')']).unwrap_or(rest.len());
            is_anyones(&rest[..end], facts)
        })
    })
}

/// Whether anyone may put a program into a folder: one for temporary files, or where someone works.
fn is_anyones(folder: &str, facts: &Facts<'_>) -> bool {
    if folder == "." || folder.starts_with("./") || folder.starts_with("$PWD") || folder.starts_with("$(pwd)")
    {
        return true;
    }
    let inside = ["~/", "$HOME/", "${HOME}/"].iter().find_map(|start| folder.strip_prefix(start));
    let full = match (inside, facts.home_folder()) {
        (Some(inside), Some(home)) => path::join(home, inside),
        _ => folder.to_owned(),
    };
    let worktree = facts.worktree().filter(|tree| facts.home_folder().is_none_or(|home| *tree != home));
    protected::is_temporary(&full) || worktree.is_some_and(|tree| path::is_within(&full, tree))
}

/// `source /tmp/x.sh`
fn sources_scratch(line: &str) -> bool {
    let mut words = line.split_whitespace();
    matches!(words.next(), Some("source" | "."))
        && words.next().is_some_and(|file| protected::is_temporary(file.trim_matches(['"', '\''])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_profile_that_rule_agents_are_found() {
        let facts = Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
        for (line, expected) in [
            ("export CLAUDE_CONFIG_DIR=/tmp/x", true),
            ("export CLAUDE_CONFIG_DIR=\"$HOME/.claude\"", false),
            ("export XDG_CONFIG_HOME=\"${XDG_CONFIG_HOME:-$HOME/.config}\"", false),
            ("export XDG_CONFIG_HOME=$HOME/.config", false),
            ("export XDG_CONFIG_HOME=$HOME/cfg", true),
            ("COPILOT_HOME = '/x'", true),
            ("set -gx CODEX_HOME /x", true),
            ("setenv CODEX_HOME /x", true),
            ("$env:COPILOT_HOME = 'C:\\x'", true),
            ("  <key>CODEX_HOME</key><string>/x</string>", true),
            ("export AUDIT_LOG=/dev/null", true),
            ("export PATH=\"$CODEX_HOME/bin:$PATH\"", false),
            ("# export CODEX_HOME=/x", false),
            ("export MY_CODEX_HOME=/x", false),
            ("HOME=/tmp/x", true),
            ("export GOPATH=$HOME/go", false),
            ("export JAVA_HOME=/usr/lib/jvm/x", false),
            ("alias claude=/tmp/x", true),
            ("alias claude='true'", true),
            ("alias claude='claude --model opus'", false),
            ("alias claude='claude --dangerously-skip-permissions'", true),
            ("alias cc='claude --dangerously-skip-permissions'", true),
            ("alias cc='claude --model opus'", false),
            ("alias c=claude", false),
            ("alias ll='ls -la'", false),
            ("alias command-blocker=true", true),
            ("[ -x /tmp/c ] && alias claude=/tmp/c", true),
            ("function codex { /tmp/x \"$@\"; }", true),
            ("function codex", true),
            ("gemini() { /tmp/x; }", true),
            ("hook-runner () { true; }", true),
            ("function mkcd { mkdir -p \"$1\" && cd \"$1\"; }", false),
            ("Set-Alias claude C:\\x.exe", true),
            ("function global:claude { }", true),
            ("abbr -a gs git status", false),
            ("hash -p /tmp/x claude", true),
            ("export PATH=/tmp/evil:$PATH", true),
            ("export PATH=\"/home/user/project/bin:$PATH\"", true),
            ("export PATH=\"$HOME/.local/bin:$PATH\"", false),
            ("export PATH=\"$PATH:/tmp/x\"", false),
            ("fish_add_path /tmp/x", true),
            ("fish_add_path ~/.cargo/bin", false),
            ("path=(/tmp/x $path)", true),
            ("export MANPATH=/tmp/x:$MANPATH", false),
            (". /tmp/x.sh", true),
            ("source ~/.cargo/env", false),
            ("eval \"$(starship init bash)\"", false),
            ("export EDITOR=vim", false),
            ("complete -C claude-completions claude", false),
            ("export ANTHROPIC_MODEL=claude-opus", false),
        ] {
            assert_eq!(rules_agents(line, &facts), expected, "{line}");
        }
    }
}
