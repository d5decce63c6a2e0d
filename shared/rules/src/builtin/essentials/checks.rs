//! What rules about packages ask: what is removed, and who needs it.

use shell::{Place, mark};

use crate::command::Command;

pub(super) fn acts_here(command: &Command<'_>) -> bool {
    let tries = command.has(&["--dry-run", "--simulate", "--just-print", "--no-act", "--assumeno", "--test"])
        // `-s` means "simulate" to apt, and other things to others.
        || command.name.starts_with("apt") && command.has(&["-s"]);
    command.atom.place != Place::Container && !command.only_asks() && !tries
}

pub(super) fn is_system_manager(command: &Command<'_>) -> bool {
    command.is_kind(const { catalog::kind("system-packages") })
}

/// `pip3.12`, as Python's installers name it.
pub(super) fn is_versioned_pip(name: &str) -> bool {
    name.strip_prefix("pip3.").is_some_and(|version| version.bytes().all(|b| b.is_ascii_digit()))
}

pub(super) fn removes(command: &Command<'_>) -> bool {
    let first = command.operands().first().map_or("", |arg| arg.text.as_str());
    match &*command.name {
        "dpkg" => command.has(&["-r", "-P", "--remove", "--purge"]),
        "rpm" => command.has(&["-e", "--erase"]),
        "pacman" | "yay" | "paru" => {
            // pacman glues letters to its verb: `-Rns`.
            let only_prints = |text: &str| text.contains('p') && !text.starts_with("--") || text == "--print";
            command.options().any(|arg| arg.text.starts_with("-R") || arg.text == "--remove")
                && !command.options().any(|arg| only_prints(&arg.text))
        }
        // `-c` removes what nothing needs, as its idea of that may be wrong.
        "emerge" => command.has(&["-C", "-c", "--unmerge", "--depclean"]),
        "xbps-remove" | "pkg_delete" | "pkg_deinstall" | "urpme" => true,
        "uv" => command.sub(&["pip", "uninstall"]),
        "brew" => matches!(first, "uninstall" | "remove" | "rm"),
        _ => matches!(
            first,
            "remove"
                | "purge"
                | "erase"
                | "rm"
                | "del"
                | "delete"
                | "uninstall"
                | "autoremove"
                | "rem"
                | "full-remove"
        ),
    }
}

/// The packages that are named, without version and architecture.
pub(super) fn packages<'a>(command: &Command<'a>) -> Vec<&'a str> {
    let operands = command.operands();
    let name = |text: &'a str| {
        // Gentoo puts a category in front: `sys-libs/glibc`.
        let text = if command.name == "emerge" { text.rsplit('/').next().unwrap_or(text) } else { text };
        // `kernel*` is the kernel, too.
        text.split([':', '=', '/']).next().unwrap_or("").trim_end_matches([mark::STAR, '*'])
    };
    operands.iter().map(|arg| name(&arg.text)).collect()
}

/// Whether what it removes is a pattern for all, or a list that another program prints.
pub(super) fn names_all(command: &Command<'_>) -> bool {
    let operands = command.operands();
    let skipped = match &*command.name {
        // Their verb is an option or their own name, so that the first operand is a package already.
        "dpkg" | "rpm" | "pacman" | "yay" | "paru" | "xbps-remove" | "pkg_delete" | "pkg_deinstall"
        | "emerge" | "urpme" => 0,
        "uv" => 2,
        _ => 1,
    };
    let all = |text: &str| {
        // `~i` is aptitude's word for all that is installed, `@core` a group of dnf's.
        matches!(text, "*" | ".*" | "?*" | "~i" | "@core" | "@base")
            || !text.is_empty()
                // Nothing but wildcards, or a list that only exists at run time.
                && text.chars().all(|c| {
                    shell::mark::is_glob(c)
                        || matches!(c, mark::UNKNOWN | mark::PRINTED | mark::REMOTE | mark::DECODED)
                })
    };
    operands.iter().skip(skipped).any(|arg| all(arg.text.trim()))
        || command.is(&["pkg", "pkg_delete", "pkg_deinstall", "flatpak"]) && command.has(&["-a", "--all"])
        // With a name, it is one environment.
        || command.is(&["conda", "mamba"])
            && command.has(&["-a", "--all"])
            && command.value(&["-n", "--name", "-p", "--prefix"]).is_none_or(|name| name == "base")
        || command.name == "port"
            && operands.iter().skip(skipped).any(|arg| matches!(arg.text.as_str(), "installed" | "all"))
        || command.name == "gem" && command.has(&["-a", "--all"]) && operands.len() <= skipped
}

/// Whether what a package has written goes with it.
pub(super) fn purges(command: &Command<'_>) -> bool {
    let purges = command.sub(&["purge"]) || command.has(&["--purge", "-P"]);
    purges && (removes(command) || command.name == "dpkg")
}

/// Whether a package is a server in which others keep data.
pub(super) fn keeps_data(name: &str) -> bool {
    let servers = [
        "postgresql",
        "mysql-server",
        "mysql-community-server",
        "mariadb-server",
        "mongodb",
        "redis-server",
        "valkey",
        "rabbitmq-server",
        "elasticsearch",
        "opensearch",
        "influxdb",
        "couchdb",
        "neo4j",
        "clickhouse-server",
        "cassandra",
    ];
    name == "mysql"
        || servers.iter().any(|server| name.starts_with(server))
            && !["-client", "-contrib", "-doc", "-dev", "-common"].iter().any(|end| name.contains(end))
}

/// Whether a package manager takes everything from an address without encryption from then on.
pub(super) fn sets_strange_registry(command: &Command<'_>) -> bool {
    let sets = command.is(&["npm", "pnpm", "yarn", "bun", "pip", "pip3"])
        && (command.sub(&["config|c", "set"]) || command.sub(&["set"]));
    sets && command.args().iter().any(|arg| {
        let address = arg.text.rsplit('=').next().unwrap_or("");
        let host = address.strip_prefix("http://").map(|rest| rest.split(['/', ':']).next().unwrap_or(""));
        host.is_some_and(|host| {
            host.contains('.')
                && !host.ends_with(".internal")
                && !host.starts_with("127.")
                && !host.starts_with("10.")
                && !host.starts_with("192.168.")
        })
    })
}

pub(super) fn is_forced(command: &Command<'_>) -> bool {
    command.args().iter().any(|arg| {
        matches!(
            arg.text.as_str(),
            "--force-all"
                | "--force-remove-essential"
                | "--force-depends"
                | "--force-remove-reinstreq"
                | "--nodeps"
                | "--allow-remove-essential"
                | "--force-yes"
                | "--skip-broken-essential"
        )
    }) || command.name == "pacman"
        && command.options().any(|arg| arg.text.starts_with("-R") && arg.text.contains('d'))
}

/// Packages that every program on the machine, or the machine's start, depends on.
pub(super) fn is_essential(name: &str) -> bool {
    matches!(
        name,
        "libc6"
            | "libc-bin"
            | "glibc"
            | "glibc-common"
            | "musl"
            | "libgcc"
            | "libgcc-s1"
            | "libstdc++6"
            | "libstdc++"
            | "bash"
            | "dash"
            | "coreutils"
            | "util-linux"
            | "systemd"
            | "systemd-sysv"
            | "init"
            | "sysvinit-core"
            | "openrc"
            | "udev"
            | "dpkg"
            | "apt"
            | "rpm"
            | "yum"
            | "dnf"
            | "pacman"
            | "apk-tools"
            | "zypper"
            | "libapt-pkg"
            | "base-files"
            | "base-passwd"
            | "login"
            | "passwd"
            | "sudo"
            | "mount"
            | "e2fsprogs"
            | "grub"
            | "grub-pc"
            | "grub-efi-amd64"
            | "grub2"
            | "grub2-common"
            | "grub-common"
            | "shim-signed"
            | "kernel"
            | "kernel-core"
            | "linux"
            | "linux-lts"
            | "linux-firmware"
            | "linux-generic"
            | "initramfs-tools"
            | "dracut"
            | "mkinitcpio"
            | "filesystem"
            | "setup"
            | "busybox"
            | "alpine-base"
            | "alpine-baselayout"
            | "base"
            | "base-system"
            | "os-core"
            | "libpam0g"
            | "libpam-modules"
            | "pam"
            | "openssl"
            | "libssl3"
            | "libcrypto3"
            | "zlib"
            | "zlib1g"
            | "perl-base"
            | "perl"
            | "python3"
            | "python3-minimal"
            | "python"
            | "dbus"
            | "gzip"
            | "tar"
            | "grep"
            | "sed"
            | "findutils"
            | "hostname"
            | "ncurses"
            | "ncurses-base"
            | "libselinux1"
            | "shadow"
            | "iproute2"
            | "network-manager"
            | "NetworkManager"
            | "networkmanager"
            | "openssh-server"
            | "cryptsetup"
            | "lvm2"
            | "mdadm"
            | "snapd"
            | "core"
            | "core20"
            | "core22"
            | "core24"
            | "snapd-core"
            | "ubuntu-minimal"
            | "ubuntu-standard"
            | "ubuntu-desktop"
            | "ca-certificates"
    ) || name.starts_with("linux-image")
        || name.starts_with("linux-modules")
        || name.starts_with("kernel-")
}
