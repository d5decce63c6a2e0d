//! Strings that are put somewhere now and run later: in variables from which programs take a command line, and in
//! files that shells, git, cron and systemd run by themselves.

use std::rc::Rc;

use super::{Io, Runner, Scope, Script};
use crate::mark;
use crate::text::units::Unit;

/// What the text of a variable is to the programs that read it.
enum Holds {
    /// A command line.
    Line,
    /// A prompt, whose substitutions are expanded.
    Prompt,
    /// The name of a file that a shell reads first.
    File,
}

/// What a variable of this name holds, if someone runs it.
fn holds(name: &str) -> Option<Holds> {
    Some(match name {
        "PROMPT_COMMAND"
        | "PAGER"
        | "MANPAGER"
        | "GIT_PAGER"
        | "GH_PAGER"
        | "AWS_PAGER"
        | "BAT_PAGER"
        | "SYSTEMD_PAGER"
        | "PSQL_PAGER"
        | "EDITOR"
        | "VISUAL"
        | "GIT_EDITOR"
        | "GIT_SEQUENCE_EDITOR"
        | "GH_EDITOR"
        | "KUBE_EDITOR"
        | "SUDO_EDITOR"
        | "SYSTEMD_EDITOR"
        | "HGEDITOR"
        | "FCEDIT"
        | "BROWSER"
        | "GH_BROWSER"
        | "GIT_SSH_COMMAND"
        | "GIT_SSH"
        | "GIT_EXTERNAL_DIFF"
        | "GIT_ASKPASS"
        | "GIT_PROXY_COMMAND"
        | "SSH_ASKPASS"
        | "SUDO_ASKPASS"
        | "RSYNC_RSH"
        | "RSYNC_CONNECT_PROG"
        | "CVS_RSH"
        | "SVN_SSH"
        | "HGMERGE"
        | "LESSOPEN"
        | "LESSCLOSE"
        | "RUSTC_WRAPPER"
        | "RUSTC_WORKSPACE_WRAPPER"
        | "TEXEDIT"
        | "FZF_DEFAULT_COMMAND"
        | "npm_config_script_shell"
        | "NPM_CONFIG_SCRIPT_SHELL" => Holds::Line,
        "PS0" | "PS1" | "PS2" | "PS4" | "PROMPT" | "RPROMPT" => Holds::Prompt,
        "BASH_ENV" | "ENV" => Holds::File,
        _ => return None,
    })
}

/// How a file is run by someone else.
enum Planted {
    Script,
    /// Line by line after a time, and after a user where one is named.
    Table {
        user: bool,
    },
    /// By the lines that name a command.
    Unit,
}

/// Whether a file is run without being named: at the next login, commit, boot or hour.
fn planted(path: &str, home: &str) -> Option<Planted> {
    // A look for hidden folders, because preparing a search for their names costs far more than it.
    let hidden = path.as_bytes().windows(2).any(|pair| pair == b"/.");
    let hooks = || path.find("/.git/hooks/").or_else(|| path.find("/.husky/"));
    if let Some(hooks) = hidden.then(hooks).flatten() {
        // git ships samples, and never runs them.
        return (!path[hooks..].ends_with(".sample")).then_some(Planted::Script);
    }
    if hidden && path.ends_with("/.envrc") {
        return Some(Planted::Script);
    }
    if let Some(own) = path.strip_prefix(home).and_then(|own| own.strip_prefix('/')) {
        return match own {
            ".bashrc"
            | ".bash_profile"
            | ".bash_login"
            | ".bash_logout"
            | ".bash_aliases"
            | ".profile"
            | ".zshrc"
            | ".zprofile"
            | ".zshenv"
            | ".zlogin"
            | ".zlogout"
            | ".kshrc"
            | ".xinitrc"
            | ".xprofile"
            | ".xsession"
            | ".config/fish/config.fish" => Some(Planted::Script),
            _ if own.starts_with(".config/systemd/user/") || own.starts_with(".config/autostart/") => {
                Some(Planted::Unit)
            }
            _ => None,
        };
    }
    if let Some(etc) = path.strip_prefix("/etc/") {
        return match etc {
            "profile" | "bash.bashrc" | "bashrc" | "zshrc" | "zshenv" | "zsh/zshrc" | "zsh/zshenv"
            | "rc.local" => Some(Planted::Script),
            "crontab" => Some(Planted::Table { user: true }),
            _ if etc.starts_with("cron.d/") => Some(Planted::Table { user: true }),
            _ if [
                "profile.d/",
                "init.d/",
                "cron.daily/",
                "cron.hourly/",
                "cron.weekly/",
                "cron.monthly/",
            ]
            .iter()
            .any(|folder| etc.starts_with(folder)) =>
            {
                Some(Planted::Script)
            }
            _ if etc.starts_with("systemd/") || etc.starts_with("xdg/autostart/") => Some(Planted::Unit),
            _ => None,
        };
    }
    path.starts_with("/var/spool/cron/").then_some(Planted::Table { user: false })
}

/// The command of a line in a crontab.
pub fn scheduled(line: &str, user: bool) -> Option<&str> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    // `@reboot` stands for the five fields of a time.
    let fields = if line.starts_with('@') { 1 } else { 5 } + usize::from(user);
    let mut rest = line;
    for _ in 0..fields {
        rest = rest.split_once(char::is_whitespace)?.1.trim_start();
    }
    Some(rest)
}

impl Runner {
    /// Notes a name that is set for more than the one program it stands in front of, so that all of them may go by it.
    /// Only names with a capital: others, a shell keeps to itself.
    pub fn sets(&mut self, name: &str) {
        let sets = &mut self.analysis.sets;
        if name.starts_with(|c: char| c.is_ascii_uppercase()) && !sets.iter().any(|known| known == name) {
            sets.push(name.to_owned());
        }
    }

    /// Looks at a variable that was set: some of them are commands.
    pub fn variable_set(&mut self, scope: &Scope, name: &str, value: &str) {
        if value.contains("[$(") || value.contains("[`") {
            // `x='a[$(rm x)]'`: a string that runs the command as soon as it is taken for a number.
            self.expanded_later(scope, value);
        }
        if !name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.starts_with("npm_") {
            return;
        }
        match holds(name) {
            // A program without arguments, as in `EDITOR=vim`, does nothing by itself.
            Some(Holds::Line) if value.contains(char::is_whitespace) => {
                let line = value.trim_start_matches(['|', '-', '!']);
                self.run_text(&mut scope.clone(), &Script::new(line, None, &Io::default()));
            }
            // A program that the command itself has made.
            Some(Holds::Line) if value.contains('/') && self.file_at(scope, value).is_some() => {
                self.run_text(&mut scope.clone(), &Script::new(value, None, &Io::default()));
            }
            Some(Holds::Prompt) => self.expanded_later(scope, value),
            Some(Holds::File) => {
                self.expanded_later(scope, value);
                if let Some(loaded) = self.load(scope, value) {
                    let io = Io::default();
                    let script = Script::new(&loaded.text, None, &io);
                    self.in_file(&mut scope.clone(), (loaded.file, ""), |runner, scope| {
                        runner.run_text(scope, &script)
                    });
                }
            }
            _ => {}
        }
    }

    /// Runs the substitutions in a string that a shell expands once more, such as a prompt or an index.
    pub(crate) fn expanded_later(&mut self, scope: &Scope, text: &str) {
        if text.contains("$(") || text.contains('`') {
            // A here-document expands substitutions and nothing else, as a prompt does.
            let script = format!(": <<POLICY_HOOKS_TEXT\n{text}\nPOLICY_HOOKS_TEXT\n");
            self.run_text(&mut scope.clone(), &Script::new(&script, None, &Io::default()));
        }
    }

    /// The same for a copy of a file on the disk.
    pub(super) fn copy_planted(&mut self, scope: &Scope, path: &Rc<str>) {
        if planted(path, &scope.home).is_some()
            && let Some(loaded) = self.load(scope, path)
        {
            let mut inner = scope.clone();
            let plant = |runner: &mut Self, scope: &mut Scope| runner.file_planted(scope, path, &loaded.text);
            self.in_file(&mut inner, (loaded.file, ""), plant);
        }
    }

    /// Runs what was written into a file, if someone will run that file unasked.
    pub(crate) fn file_planted(&mut self, scope: &Scope, path: &str, text: &str) {
        if !self.readers.is_empty() {
            self.feed_readers(scope, path, text);
        }
        let Some(planted) = planted(path, &scope.home) else { return };
        // A file that is only unknown text says nothing; one that was downloaded says that it was.
        let planted_copy = self.fulfilled(scope, text);
        let text = planted_copy.as_ref().map_or(text, |loaded| &loaded.text);
        let hole = |c: char| mark::is_hole(c) && !matches!(c, mark::REMOTE | mark::DECODED);
        if text.chars().all(|c| c.is_whitespace() || hole(c)) {
            return;
        }
        let mut run = |line: &str| {
            self.run_text(&mut scope.clone(), &Script::new(line, None, &Io::default()));
        };
        match planted {
            Planted::Script => run(text),
            Planted::Table { user } => {
                text.lines().filter_map(|line| scheduled(line, user)).for_each(run);
            }
            Planted::Unit => {
                let name = path.rsplit('/').next().unwrap_or(path);
                let home = if path.starts_with("/etc/") { "/root" } else { &*scope.home };
                let unit = Unit::new(text, (name, home));
                let mut inner = scope.clone();
                for (variable, value) in unit.environment() {
                    inner.set_text(&variable, &value);
                    inner.export(&variable);
                }
                for (_, line) in unit.started() {
                    self.run_text(&mut inner.clone(), &Script::new(&line, None, &Io::default()));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_table_ends_with_its_command() {
        assert_eq!(scheduled("0 3 * * *  rm -rf /", false), Some("rm -rf /"));
        assert_eq!(scheduled("@reboot root rm x", true), Some("rm x"));
        assert_eq!(scheduled("# 0 3 * * * rm x", false), None);
        assert_eq!(scheduled("PATH=/bin", false), None);
    }

    #[test]
    fn files_that_run_by_themselves_are_known() {
        let runs = |path: &str| planted(path, "/home/u").is_some();
        for path in ["/home/u/.bashrc", "/w/.git/hooks/pre-commit", "/etc/cron.d/x", "/etc/profile.d/x.sh"] {
            assert!(runs(path), "{path}");
        }
        for path in ["/home/u/x.sh", "/w/.git/hooks/pre-commit.sample", "/etc/hosts"] {
            assert!(!runs(path), "{path}");
        }
    }
}
