//! Files without which a machine does not start, or lets the wrong people in.

use super::super::has;
use crate::command::Command;
use crate::protected::{self, Started};
use crate::zone::Target;

/// Files that decide who may log in and what runs as root.
pub(in crate::builtin) fn is_account_file(path: &str) -> bool {
    let path = path.strip_prefix("/private").unwrap_or(path);
    let Some(name) = path.strip_prefix("/etc/") else { return false };
    matches!(
        name,
        "passwd"
            | "shadow"
            | "group"
            | "gshadow"
            | "sudoers"
            | "master.passwd"
            | "spwd.db"
            | "pwd.db"
            | "fstab"
            | "crypttab"
            | "ld.so.preload"
            | "crontab"
            | "nsswitch.conf"
            | "inittab"
            | "doas.conf"
            | "login.defs"
            | "securetty"
            | "passwd-"
            | "shadow-"
            | "subuid"
            | "subgid"
            | "login.conf"
            | "pam.conf"
    ) || ["sudoers.d/", "pam.d/", "security/", "polkit-1/rules.d/"]
        .iter()
        .any(|folder| name.starts_with(folder))
}

/// Settings of the whole machine: losing them breaks it, adding to them is an everyday chore.
pub(in crate::builtin) fn is_machine_file(path: &str) -> bool {
    let path = path.strip_prefix("/private").unwrap_or(path);
    let Some(name) = path.strip_prefix("/etc/") else { return false };
    matches!(
        name,
        "hosts"
            | "resolv.conf"
            | "environment"
            | "profile"
            | "bashrc"
            | "bash.bashrc"
            | "zshrc"
            | "zshenv"
            | "zprofile"
            | "ssh/sshd_config"
            | "ld.so.conf"
            | "default/grub"
            | "machine-id"
            | "hostname"
            | "shells"
            | "sysctl.conf"
            | "selinux/config"
            | "rc.local"
            | "rc.conf"
            | "services"
            | "protocols"
            | "exports"
            | "hosts.allow"
            | "hosts.deny"
            | "network/interfaces"
            | "anacrontab"
            | "os-release"
            | "locale.conf"
            | "modules"
            | "pf.conf"
    ) || name.starts_with("cron.")
}

/// Whether the path is a program or library that comes with the system, and what it is called.
pub(in crate::builtin) fn system_program(path: &str) -> Option<&str> {
    const FOLDERS: &[&str] = &[
        "/bin/",
        "/sbin/",
        "/usr/bin/",
        "/usr/sbin/",
        "/lib/",
        "/lib64/",
        "/lib32/",
        "/usr/lib/",
        "/usr/lib64/",
        "/boot/",
        "/usr/libexec/",
        "/System/",
    ];
    FOLDERS.iter().any(|folder| path.starts_with(folder)).then(|| path.rsplit('/').next().unwrap_or(path))
}

/// Programs and libraries without which nothing else works.
pub(in crate::builtin) fn is_essential(path: &str) -> bool {
    const PROGRAMS: &str = "\
        apt apt-get awk bash busybox cat chmod chown cp curl dash date df dnf dpkg echo env false find \
        git grep gzip id init ip kill ln login ls mkdir mount mv node passwd perl ping ps python python3 \
        rm rpm sed sh ssh sshd su sudo systemctl systemd tar test top true umount vi which who whoami \
        yum zsh pacman apk wget netstat ss w xargs pkexec cron crond";
    let Some(name) = system_program(path) else { return false };
    has(PROGRAMS, name)
        || path.starts_with("/boot/")
        || path.starts_with("/System/")
        || [
            "libc.",
            "libc-",
            "libm.",
            "libpam",
            "libcrypto.",
            "libssl.",
            "libpthread",
            "libdl",
            "ld-linux",
            "ld-musl",
            "libsystemd",
        ]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// How a file decides what shells and sessions start with, if it does; a history that a shell keeps is one by its name.
pub(in crate::builtin) fn profile(command: &Command<'_>, target: &Target) -> Option<Started> {
    const OTHERS: &str = "\
        .bash_logout .zlogout .inputrc .gitconfig .ssh/config .ssh/known_hosts .ssh/rc .bash_history .zsh_history \
        .histfile .python_history .psql_history .mysql_history .node_repl_history .local/share/fish/fish_history";
    let is_other = || target.in_home().is_some_and(|inside| has(OTHERS, inside));
    if !protected::may_start(&target.path) {
        return None;
    }
    protected::starts_by_itself(&target.path, command.facts).or_else(|| is_other().then_some(Started::ByName))
}
