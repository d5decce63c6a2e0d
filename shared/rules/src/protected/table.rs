//! The files that decide what agents may do, as text: those of no host in particular, and those that each host's traits
//! name, put together while compiling.
//!
//! `*` stands for anything in one name, `**` for everything below. The places from which `shared/host` loads hooks are
//! all among them, which a test holds against its table.

use crate::of_hosts::lines_of_all;
use crate::table::{Table, table};

/// The hosts' programs.
pub(super) const PROGRAMS: &str = lines_of_all!("", program);

/// Words without which a search is about something else: `*.json` and `config*` are everyone's.
pub(super) const TELLING: &str = lines_of_all!("hook settings mcp", words);

/// What belongs to this protection or to the administrator, from the root of the file system.
pub(super) static MACHINE: Table = table!(lines_of_all!(
    "
    /etc/policy-hooks/**
    /Library/Application Support/policy-hooks/**
    /Library/Managed Preferences/**
    C:/ProgramData/policy-hooks/**
    C:/Program Files/policy-hooks/**
    C:/Windows/System32/GroupPolicy/**
",
    machine
));

/// What belongs to this protection, from a home folder.
pub(super) static OURS: Table = table!(
    "
    .config/policy-hooks/**
    .local/state/policy-hooks/**
    .local/share/policy-hooks/**
    .cache/policy-hooks/**
    Library/Application Support/policy-hooks/**
    AppData/Roaming/policy-hooks/**
    AppData/Local/policy-hooks/**
"
);

/// What hosts write while they work, and what people tell the model: not protected, though it lies in [`USER`].
pub(super) static EVERYDAY: Table = table!(lines_of_all!("", everyday));

/// What no one may read but our programs: with the key, grants can be forged. From a home folder.
pub(super) static KEYS: Table = table!(
    "
    .local/state/policy-hooks/approvals/**
    .local/state/policy-hooks/key*
    .local/state/policy-hooks/keys/**
    Library/Application Support/policy-hooks/approvals/**
    Library/Application Support/policy-hooks/key*
    AppData/Local/policy-hooks/approvals/**
    AppData/Local/policy-hooks/key*
"
);

/// The user's settings of the hosts, from a home folder.
pub(super) static USER: Table = table!(lines_of_all!(
    "
    .config/VSCodium/User/settings.json
    .config/VSCodium/User/mcp.json
    Library/Application Support/VSCodium/User/settings.json
    Library/Application Support/VSCodium/User/mcp.json
    AppData/Roaming/VSCodium/User/settings.json
    AppData/Roaming/VSCodium/User/mcp.json
    .var/app/com.vscodium.codium*/config/VSCodium/User/settings.json
",
    user
));

/// What a shell reads when it starts, from a home folder: some lines in it decide what starts under a name.
pub(super) static PROFILES: Table = table!(
    "
    .bashrc
    .bash_profile
    .bash_login
    .bash_aliases
    .bashrc.d/**
    .profile
    .zshrc
    .zshenv
    .zprofile
    .zlogin
    .zshrc.d/**
    .oh-my-zsh/custom/**
    .config/zsh/**
    .kshrc
    .mkshrc
    .cshrc
    .tcshrc
    .login
    .xprofile
    .xinitrc
    .xsession
    .xsessionrc
    .tmux.conf
    .config/tmux/**
    .config/direnv/**
    .config/fish/config.fish
    .config/fish/conf.d/**
    .config/fish/functions/**
    .config/nushell/**
    .config/powershell/**
    Documents/PowerShell/**
    Documents/WindowsPowerShell/**
"
);

/// The same for everyone on the machine.
pub(super) static MACHINE_PROFILES: Table = table!(
    "
    /etc/profile
    /etc/profile.d/**
    /etc/bash.bashrc
    /etc/bashrc
    /etc/zsh/**
    /etc/zshrc
    /etc/zshenv
    /etc/zprofile
    /etc/fish/**
"
);

/// Variables that sessions and services start with, from a home folder.
pub(super) static ENVIRONMENTS: Table = table!(
    "
    .pam_environment
    .config/environment.d/**
    .config/plasma-workspace/env/**
    .config/uwsm/**
    .config/systemd/user.conf
    .config/systemd/user.conf.d/**
    .MacOSX/environment.plist
    .ssh/environment
    .config/autostart/**
    .local/share/applications/**
    Library/LaunchAgents/**
"
);

/// The same for everyone on the machine.
pub(super) static MACHINE_ENVIRONMENTS: Table = table!(
    "
    /etc/environment
    /etc/environment.d/**
    /etc/security/pam_env.conf
    /etc/systemd/user.conf
    /etc/systemd/user.conf.d/**
    /etc/systemd/system.conf
    /etc/systemd/system.conf.d/**
    /Library/LaunchAgents/**
    /Library/LaunchDaemons/**
"
);

/// What the system starts by itself, from a home folder or the root of the file system.
pub(super) static STARTED: Table = table!(
    "
    Library/LaunchDaemons/**
    AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/**
    /etc/init.d/**
    /etc/xdg/autostart/**
    /etc/udev/rules.d/**
    /etc/modules-load.d/**
"
);

/// What a repository sets for the agents that work in it, from wherever an agent may be started, with how a change is
/// judged: `whole` any change counts, `switches` changes of some keys, `editor` of others, `agent` those of an agent's
/// head, `tasks` those that run by themselves.
pub(super) static PROJECT: Table = table!(lines_of_all!(
    "
    whole .mcp.json
    whole .policy-hooks/**
    whole .git/config
    whole .git/config.worktree
    whole .git/hooks/**
    whole .git/modules/*/config
    whole .git/modules/*/hooks/**
    whole .git/worktrees/*/config.worktree
",
    project
));

/// Folders whose content is there to be tried out, not to be loaded.
pub(super) const SAMPLES: &str = "\
    fixtures fixture __fixtures__ testdata test-data test_data examples example samples templates template \
    node_modules vendor third_party target dist build";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_has_lines() {
        for table in [&MACHINE, &OURS, &EVERYDAY, &KEYS, &USER, &PROFILES, &PROJECT] {
            assert!(table.lines().count() > 5);
        }
    }
}
