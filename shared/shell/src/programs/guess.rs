//! Programs that no one has heard of, with a command in their arguments.
//!
//! A wrapper that is missing from the tables must not hide what it runs. So when an unknown program's arguments
//! hold what reads as a dangerous program's call, that call is looked at as if it ran. Only programs whose
//! arguments tell a call from prose count, and programs that talk about commands are left alone.

use shell_engine::{Arg, Process, program_name};

/// Readings that are tried for one command.
const MAX_READINGS: usize = 3;

/// Runs what the arguments of an unknown program may be meant to run. It never knows what that prints.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    let args = call.args.get(1..).filter(|_| runs_others(name))?;
    let mut readings = 0;
    for (at, arg) in args.iter().enumerate() {
        // Unknown programs with long argument lists are common; three guesses find what a person would.
        if readings >= MAX_READINGS {
            break;
        }
        if is_program(&arg.text) {
            // A name without arguments is more likely to be talked about than run.
            if at + 1 < args.len() {
                // Each is bounded, as an argument list may hold many such words.
                readings += 1;
                process.start_in(&mut process.scope.clone(), &args[at..]);
            }
        } else if let Some(value) = value(args, at) {
            // A line as it stands, or code whose strings are lines.
            let bare = value.trim_start_matches(['!', ':', ' ']);
            if is_line(bare) {
                readings += 1;
                process.text(bare);
            }
            for line in super::code::started(value).into_iter().filter(|line| is_line(line)) {
                readings += 1;
                process.text(&line);
            }
            // Only what lies outside of where the code runs is worth a guess.
            for path in super::code::deleted(value).into_iter().filter(|path| path.starts_with(['/', '~'])) {
                readings += 1;
                process.start(&["rm", "-r", "-f", "--", path].map(Arg::from));
            }
        }
    }
    // Code on its input, which a program of some language reads; prose has no calls with lines in quotes.
    let input = call.io.stdin.as_deref().unwrap_or_default();
    for line in super::code::started(input).into_iter().filter(|line| is_line(line)) {
        if readings < MAX_READINGS {
            readings += 1;
            process.text(&line);
        }
    }
    None
}

/// What an argument holds as the value of an option that is named for a command line or for code.
fn value(args: &[Arg], at: usize) -> Option<&str> {
    let arg = args[at].text.as_str();
    // `--exec='rm x'`, `--eval:'rm x'` or `--exec 'rm x'`.
    if let Some((name, value)) = arg.strip_prefix("--").and_then(|long| long.split_once(['=', ':'])) {
        is_line_option(name).then_some(value)
    } else {
        let before = at.checked_sub(1).map(|before| args[before].text.as_str())?;
        // One dash or two: no one knows the conventions of an unknown program.
        before.strip_prefix('-').filter(|name| is_line_option(name.trim_start_matches('-')))?;
        Some(arg)
    }
}

/// Whether a string begins as a command line does that is worth a guess: a single word is not.
fn is_line(text: &str) -> bool {
    text.split_once(char::is_whitespace).is_some_and(|(first, _)| is_program(first))
}

fn is_line_option(name: &str) -> bool {
    matches!(
        name,
        "c" | "e"
            | "g"
            | "x"
            | "C"
            | "E"
            | "X"
            | "ic"
            | "lc"
            | "cmd"
            | "command"
            | "commands"
            | "exec"
            | "execute"
            | "run"
            | "shell"
            | "script"
            | "eval"
            | "expr"
            | "expression"
            | "pipe"
            | "o"
            | "init-command"
            | "startup"
            | "on-exit"
            | "cb"
            | "callback"
            | "action"
            | "cmdline"
            | "command-line"
            | "then"
            | "hook"
            | "on-change"
            | "prepare"
            | "preview"
            | "pre"
            | "post"
            | "ProxyCommand"
            | "batch"
            | "batch-string"
            | "python-expr"
    )
}

/// Programs whose name in the middle of a command is a call, given what their rules ask of the arguments.
fn is_program(word: &str) -> bool {
    let name = program_name(word);
    matches!(
        &*name,
        "rm" | "dd"
            | "shred"
            | "wipefs"
            | "chmod"
            | "chown"
            | "find"
            | "git"
            | "sudo"
            | "doas"
            | "bash"
            | "sh"
            | "zsh"
            | "dash"
            | "terraform"
            | "kubectl"
            | "truncate"
            | "curl"
            | "wget"
            | "python3"
            | "perl"
    ) || name.starts_with("mkfs")
}

/// Whether a program may run others. Those that print, search, explain or install what they are given may not,
/// and those with handlers of their own have been asked.
fn runs_others(name: &str) -> bool {
    !matches!(
        name,
        "echo"
            | "printf"
            | "grep"
            | "egrep"
            | "fgrep"
            | "rg"
            | "ag"
            | "ack"
            | "sed"
            | "awk"
            | "gawk"
            | "jq"
            | "yq"
            | "cat"
            | "wc"
            | "uniq"
            | "ls"
            | "rm"
            | "dd"
            | "shred"
            | "chmod"
            | "chown"
            | "find"
            | "git"
            | "gh"
            | "glab"
            | "hub"
            | "jj"
            | "hg"
            | "svn"
            | "curl"
            | "wget"
            | "test"
            | "["
            | "expr"
            | "man"
            | "tldr"
            | "info"
            | "help"
            | "apropos"
            | "whatis"
            | "which"
            | "type"
            | "whereis"
            | "where"
            | "whence"
            | "command"
            | "cheat"
            | "howdoi"
            | "explain"
            | "explainshell"
            | "cowsay"
            | "figlet"
            | "toilet"
            | "lolcat"
            | "gum"
            | "logger"
            | "say"
            | "espeak"
            | "wall"
            | "write"
            | "mail"
            | "mailx"
            | "notify-send"
            | "terminal-notifier"
            | "abbr"
            | "pgrep"
            | "pkill"
            | "killall"
            | "kill"
            | "apt"
            | "apt-get"
            | "apt-cache"
            | "dnf"
            | "yum"
            | "zypper"
            | "pacman"
            | "yay"
            | "paru"
            | "apk"
            | "brew"
            | "port"
            | "snap"
            | "flatpak"
            | "pip"
            | "pip3"
            | "npm"
            | "pnpm"
            | "yarn"
            | "cargo"
            | "rustup"
            | "go"
            | "gem"
            | "docker"
            | "podman"
            | "nerdctl"
            | "docker-compose"
            | "kubectl"
            | "oc"
            | "helm"
            | "terraform"
            | "aws"
            | "gcloud"
            | "az"
            | "gsutil"
            | "ssh"
            | "scp"
            | "rsync"
            | "adb"
            | "bd"
            | "jira"
            | "linear"
            | "claude"
            | "codex"
            | "gemini"
            | "aider"
            | "llm"
            | "opencode"
            | "copilot"
            | "command-blocker"
            | "hook-runner"
            | "audit-logger"
            | "approval-gate"
            | "stop-guard"
            | "shellcheck"
            | "shfmt"
            | "touch"
            | "mkdir"
            | "ln"
            | "cp"
            | "mv"
            | "diff"
            | "sort"
            | "tee"
            | "vim"
            | "nvim"
            | "vi"
            | "nano"
            | "emacs"
            | "code"
            | "less"
            | "more"
            | "head"
            | "tail"
            | "stat"
            | "file"
            | "tar"
            | "zip"
            | "unzip"
            | "hash"
            | "lxc"
            | "incus"
            | "mc"
            | "rclone"
            | "perl"
            | "python"
            | "python3"
            | "ruby"
            | "node"
            | "php"
            | "true"
            | "false"
            | ":"
    )
}
