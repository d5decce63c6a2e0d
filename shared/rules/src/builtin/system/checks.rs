//! What rules about the machine ask: power, services, users, protection and kernel.

use shell::{Language, Place};

use crate::builtin::has;
use crate::command::Command;
use crate::zone::Zone;

/// Whether it acts on a machine that someone needs: a container is thrown away.
pub(super) fn acts_here(command: &Command<'_>) -> bool {
    command.atom.place != Place::Container && !command.only_asks()
}

pub(super) fn turns_off(command: &Command<'_>) -> bool {
    let word = |words: &[&str]| command.sub(words);
    let mentions =
        |texts: &[&str]| command.args().iter().any(|arg| texts.iter().any(|text| arg.text.contains(text)));
    match &*command.name {
        // That of Windows has switches of its own.
        "shutdown" if command.atom.shell != Language::Posix => false,
        "shutdown" => {
            // `-c` cancels, `-k` only warns. Without arguments, systemd's shutdown goes down in a minute.
            !command.args().is_empty() && !command.has(&["-c", "-k", "--show"]) || command.args().is_empty()
        }
        // `-w` only writes a record that it happened.
        "reboot" | "halt" | "poweroff" => !command.has(&["-w", "--wtmp-only"]),
        "init" | "telinit" => word(&["0|1|6|s|S"]),
        // To load a kernel (`-l`) changes nothing yet; `-e` jumps into it.
        "kexec" => command.has(&["-e", "--exec"]),
        "systemctl" => {
            word(&[
                "poweroff|reboot|halt|kexec|rescue|emergency|isolate|soft-reboot|exit|default|switch-root",
            ]) && !command.has(&["--user"])
                || word(&[
                    "start",
                    "poweroff.target|reboot.target|halt.target|rescue.target|emergency.target",
                ])
        }
        "loginctl" => word(&["poweroff|reboot|halt"]),
        "osascript" => mentions(&["to shut down", "to restart", "to log out"]),
        // They call what systemd-logind offers, by the name of the method.
        "dbus-send" | "busctl" | "gdbus" => {
            mentions(&["PowerOff", "Manager.Reboot", "Reboot", "Manager.Halt"])
        }
        "pmset" => word(&["sleepnow|shutdown"]) || mentions(&["shutdown"]),
        // `no`, `on` and `show` only set or show the alarm.
        "rtcwake" => matches!(command.value(&["-m", "--mode"]), Some("off" | "disk" | "mem")),
        "pivot_root" | "switch_root" => true,
        // The board's controller cuts the power, whatever the system is doing.
        "ipmitool" => mentions(&["power"]) && mentions(&["off", "reset", "cycle", "soft", "diag"]),
        "gnome-session-quit" => command.has(&["--power-off", "--reboot"]),
        "xfce4-session-logout" => command.has(&["--halt", "--reboot"]),
        "qdbus" | "qdbus6" => mentions(&["logout"]) || mentions(&["PowerOff", "Reboot"]),
        _ => false,
    }
}

/// Services with which the machine is lost from sight, or open.
pub(super) fn is_vital_service(name: &str) -> bool {
    // A unit may be named with or without its suffix; a socket starts the service again.
    let name = name.strip_suffix(".service").or_else(|| name.strip_suffix(".socket")).unwrap_or(name);
    matches!(
        name,
        "ssh"
            | "sshd"
            | "firewalld"
            | "ufw"
            | "iptables"
            | "ip6tables"
            | "nftables"
            | "NetworkManager"
            | "network"
            | "networking"
            | "dhcpcd"
            | "wpa_supplicant"
            | "dbus"
            | "dbus-broker"
            | "auditd"
            | "apparmor"
            | "fail2ban"
            | "crowdsec"
            | "polkit"
            | "polkitd"
            | "rsyslog"
            | "syslog"
            | "cron"
            | "crond"
            | "chronyd"
            | "display-manager"
            | "gdm"
            | "gdm3"
            | "sddm"
            | "lightdm"
            | "getty"
            | "init"
            | "udev"
            | "eudev"
            | "pf"
            | "clamav-daemon"
            | "falcon-sensor"
            | "wazuh-agent"
            | "osqueryd"
            | "mdatp"
            | "kubelet"
            | "multi-user.target"
            | "graphical.target"
            | "network.target"
    ) || name.starts_with("systemd-")
        || name.starts_with("getty@")
}

/// Services in which others keep data, or on which what they run depends.
pub(super) fn is_data_service(name: &str) -> bool {
    const NAMES: &str = "\
        postgresql postgres mysql mysqld mariadb mongod mongodb redis redis-server valkey valkey-server rabbitmq-server \
        elasticsearch opensearch cassandra scylla-server clickhouse-server influxdb neo4j couchdb etcd consul vault kafka \
        zookeeper nats-server memcached minio mssql-server oracle-xe docker containerd crio k3s libvirtd nfs-server \
        smbd slapd named bind9";
    let name = name.strip_suffix(".service").unwrap_or(name);
    // An instance of a template: `postgresql@16-main`.
    has(NAMES, name.split('@').next().unwrap_or(name))
}

/// Whether a service of the kind is stopped, or will not be there after the next start.
pub(super) fn stops(command: &Command<'_>, is_kind: fn(&str) -> bool) -> bool {
    let words = command.operands();
    let names = |from: usize| words.iter().skip(from).any(|arg| is_kind(&arg.text));
    let first = words.first().map_or("", |arg| arg.text.as_str());
    let second = words.get(1).map_or("", |arg| arg.text.as_str());
    match &*command.name {
        "systemctl" => {
            // Services of the user's own session do not keep the machine reachable.
            !command.has_word("--user")
                && matches!(first, "stop" | "disable" | "mask" | "kill" | "revert" | "clean")
                && names(1)
        }
        // `service NAME VERB`, the other way round than systemctl.
        "service" | "rc-service" => matches!(second, "stop" | "disable" | "flush") && is_kind(first),
        // Nothing stops now, but with the next start the service is not there.
        "rc-update" | "update-rc.d" | "chkconfig" => {
            names(0)
                && words
                    .iter()
                    .any(|arg| matches!(arg.text.as_str(), "del" | "delete" | "remove" | "disable" | "off"))
        }
        "initctl" => matches!(first, "stop") && names(1),
        "brew" => {
            first == "services"
                && matches!(second, "stop" | "kill" | "remove")
                // Those that brew starts are databases more than anything else.
                && (names(2) || command.has(&["--all"]) && is_kind("postgresql"))
        }
        "s6-svc" => {
            command.has(&["-d"]) && words.iter().any(|arg| is_kind(arg.text.rsplit('/').next().unwrap_or("")))
        }
        "sv" => matches!(first, "down" | "stop" | "exit" | "force-stop") && names(1),
        "launchctl" => {
            matches!(first, "bootout" | "disable" | "kill" | "unload" | "remove" | "stop")
                && words.iter().skip(1).any(|arg| {
                    // A domain's target, a path of Apple's own services, or one of their labels.
                    arg.text.starts_with("system/")
                        || arg.text.starts_with("/System/")
                        || arg.text.starts_with("com.apple.")
                })
                || matches!(first, "reboot" | "bsexec")
                || first == "bootout" && matches!(second, "system" | "system/")
        }
        _ => false,
    }
}

pub(super) fn takes_away_storage(command: &Command<'_>) -> bool {
    match &*command.name {
        // Without swap, what was in it has to fit into memory, or the kernel kills programs.
        "swapoff" => command.has(&["-a", "--all"]),
        "umount" => {
            let vital = |zone: Zone| matches!(zone, Zone::Root | Zone::System | Zone::Home);
            command.has(&["-a", "--all"])
                || command
                    .targets()
                    .iter()
                    // Below /run are disks that the desktop mounted for the user.
                    .any(|target| vital(target.zone) && !target.path.starts_with("/run/"))
        }
        _ => false,
    }
}

pub(super) fn removes_user(command: &Command<'_>) -> bool {
    let names_root = || command.args().iter().any(|arg| arg.text == "root");
    match &*command.name {
        "userdel" | "deluser" | "rmuser" | "delgroup" | "groupdel" => !command.args().is_empty(),
        "pw" => command.sub(&["userdel|groupdel|usermod"]) || command.sub(&["user|group", "del"]),
        "passwd" => {
            // An empty password is worse than none: anyone may log in.
            command.has(&["-d", "--delete"])
                // Without root's password, a broken machine may not be repaired from its console.
                || names_root() && command.has(&["-e", "--expire", "--stdin"])
                || command.has(&["-l", "--lock"]) && !command.operands().is_empty()
        }
        "usermod" => {
            // A user with the number 0 is root under another name.
            names_root() || command.has(&["-L", "--lock"]) || command.value(&["-u", "--uid"]) == Some("0")
        }
        "useradd" | "adduser" => command.value(&["-u", "--uid"]) == Some("0"),
        "chsh" => names_root() && !command.has(&["-l"]),
        "dscl" => command.has_word("-delete") || command.has_word("delete"),
        "sysadminctl" => command.has_word("-deleteUser"),
        // Input that is not known may hold any user.
        "chpasswd" => command.atom.stdin.as_deref().is_none_or(|text| text.contains("root:")),
        _ => false,
    }
}

pub(super) fn switches_off_protection(command: &Command<'_>) -> bool {
    let word = |words: &[&str]| command.sub(words);
    match &*command.name {
        "setenforce" => word(&["0|Permissive|permissive"]),
        // `complain` logs what a profile forbids, and allows it.
        "aa-teardown" | "aa-disable" | "aa-complain" => true,
        "csrutil" => word(&["disable|clear"]) || word(&["authenticated-root", "disable"]),
        "spctl" => {
            command.has_word("--master-disable")
                || command.has_word("--global-disable")
                || word(&["kext-consent", "disable"])
        }
        // Without it, what comes from the network is opened without a question.
        "defaults" => word(&["write", "com.apple.LaunchServices", "LSQuarantine"]),
        // Without its snapshots, Time Machine cannot go back.
        "tmutil" => word(&[
            "disablelocal|delete|deletelocalsnapshots|thinlocalsnapshots|deleteinprogress|removedestination",
        ]),
        "nvram" => {
            // `boot-args` can switch off code signing and other checks of the kernel.
            command.has(&["-c", "-d"]) || command.args().iter().any(|arg| arg.text.starts_with("boot-args="))
        }
        "semanage" => word(&["permissive"]) && command.has(&["-a"]),
        "apparmor_parser" => command.has(&["-R", "--remove"]),
        // Without its recovery key, an encrypted disk may be lost with a password.
        "fdesetup" => word(&["disable|remove|removerecovery"]),
        "mokutil" => command.has(&["--disable-validation", "--reset"]),
        "auditctl" => command.value(&["-e"]) == Some("0") || command.has(&["-D"]),
        _ => false,
    }
}

/// Whether a program is killed by a name of its kind: `pkill -9 postgres`, `kill $(pgrep -f mysqld)`.
pub(super) fn kills(command: &Command<'_>, is_kind: fn(&str) -> bool) -> bool {
    let names = |atom: &shell::Atom| atom.args.iter().skip(1).any(|arg| is_kind(&arg.text));
    match &*command.name {
        // These signals ask it nothing, or to read its settings again.
        "pkill" | "killall" => !command.has(&["-0", "-HUP", "-1", "-SIGHUP"]) && names(command.atom),
        "kill" => command.analysis.atoms.iter().any(|atom| {
            let (own, inner) = (command.atom.span, atom.span);
            let is_inside = inner.start > own.start && inner.end <= own.end;
            is_inside && has("pgrep pidof", &atom.program()) && names(atom)
        }),
        _ => false,
    }
}

pub(super) fn breaks_boot(command: &Command<'_>) -> bool {
    match &*command.name {
        "efibootmgr" => command.has(&["-B", "--delete-bootnum", "-O", "--delete-bootorder", "-N"]),
        "bootctl" => command.sub(&["remove|unlink|cleanup"]),
        // Without its initramfs, that kernel finds no disk.
        "update-initramfs" => command.has(&["-d"]),
        "grubby" => command.has(&["--remove-kernel"]),
        "systemctl" => command.sub(&[
            "set-default",
            "rescue.target|emergency.target|poweroff.target|reboot.target|halt.target",
        ]),
        _ => false,
    }
}

/// Whether all settings of a program go, or of all programs: no key is named.
pub(super) fn resets_settings(command: &Command<'_>) -> bool {
    command.name == "defaults" && command.sub(&["delete"]) && command.args().len() == 2
}

pub(super) fn changes_kernel(command: &Command<'_>) -> bool {
    match &*command.name {
        "sysctl" => command.args().iter().any(|arg| {
            arg.text.split_once('=').is_some_and(|(key, _)| {
                key.starts_with("kernel.panic")
                    || matches!(
                        key.trim(),
                        "kernel.sysrq"
                            | "kernel.core_pattern"
                            | "kernel.modprobe"
                            | "kernel.modules_disabled"
                            | "kernel.pid_max"
                            | "kernel.randomize_va_space"
                            | "fs.file-max"
                            | "vm.overcommit_memory"
                            | "kernel.threads-max"
                            | "fs.suid_dumpable"
                            | "kernel.unprivileged_userns_clone"
                    )
            })
        }),
        "crontab" => {
            // A file takes the place of the whole table, as its input does.
            let file = || !command.has(&["-l", "-e", "-r", "-T"]) && !command.operands().is_empty();
            let replaces =
                command.has_word("-") || command.args().is_empty() && command.atom.stdin.is_some() || file();
            // `(crontab -l; echo …) | crontab -` keeps what is there.
            replaces
                && !command
                    .analysis
                    .atoms
                    .iter()
                    .any(|atom| atom.program() == "crontab" && atom.args.iter().any(|arg| arg.text == "-l"))
        }
        "dseditgroup" => command.has_word("-a") && command.has_word("admin"),
        "dscl" => command.has_word("-append") && command.has_word("/Groups/admin"),
        "usermod" | "gpasswd" => {
            command.args().iter().any(|arg| makes_root(&arg.text)) || lends_containers(command)
        }
        "groupmems" => command.value(&["-g", "--group"]).is_some_and(makes_root),
        "useradd" => command.value(&["-G", "--groups"]).is_some_and(makes_root),
        "adduser" => command.operands().iter().skip(1).any(|arg| makes_root(&arg.text)),
        _ => false,
    }
}

/// Whether someone else joins a group whose members may start containers as root: `gpasswd -a ci docker`. For oneself, it
/// is how they are set up.
fn lends_containers(command: &Command<'_>) -> bool {
    let has_group =
        command.args().iter().any(|arg| arg.text.split(',').any(|group| matches!(group, "docker" | "lxd")));
    let adds = command.has(&["-a", "-G", "--groups", "--append", "--add"]);
    let is_named =
        |arg: &&shell::Arg| !shell::mark::any(&arg.text) && !matches!(&*arg.text, "docker" | "lxd");
    has_group
        && adds
        && command.args().iter().filter(|arg| !arg.text.starts_with('-')).any(|arg| is_named(&arg))
}

/// Whether someone in one of these groups may do what root may.
fn makes_root(groups: &str) -> bool {
    groups.split(',').any(|group| matches!(group, "sudo" | "wheel" | "root" | "admin" | "shadow" | "disk"))
}
