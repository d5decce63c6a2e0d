//! Firewalls and the machine's connection.

use shell::{Place, mark};

use crate::command::Command;
use crate::rule::{Covers, Family, Rule, Severity, When};

pub(super) static FAMILY: Family = Family {
    id: "network",
    title: "Firewall and network",
    covers: Covers::Listed(catalog::family("network")),
    rules: &[
        Rule {
            id: "network.firewall",
            severity: Severity::Catastrophic,
            when: When::Command(|command| acts_here(command) && opens_firewall(command)),
            reason: "It drops all firewall rules: the machine is left open, or cannot be reached any more.",
            instead: "List the rules, such as with `iptables -L`, and let a person change one.",
            matches: "
                iptables -F
                sudo iptables -t nat --flush
                iptables -P INPUT DROP
                nft flush ruleset
                ufw disable
                ufw --force reset
                pfctl -d
                firewall-cmd --panic-on
                iptables-restore < /dev/null
            ",
            spares: "
                iptables -L
                iptables -A INPUT -p tcp --dport 22 -j ACCEPT
                nft list ruleset
                ufw status
                ufw --dry-run reset
                ufw allow 22
                pfctl -sr
            ",
        },
        Rule {
            id: "network.cut-off",
            severity: Severity::Destructive,
            when: When::Command(|command| acts_here(command) && cuts_off(command)),
            reason: "It disconnects the machine, including anyone who works on it remotely.",
            instead: "Check with `ip addr`, and let a person change it.",
            matches: "
                ifconfig en0 down
                ip route del default
                ip addr flush dev eth0
                nmcli networking off
                route delete default
                rfkill block all
                networksetup -setairportpower en0 off
                ifdown -a
            ",
            spares: "
                ifconfig
                ifconfig eth0 up
                ip route
                ip addr show
                nmcli device status
                route -n
            ",
        },
        Rule {
            id: "network.change",
            severity: Severity::Risky,
            when: When::Command(|command| acts_here(command) && changes(command)),
            reason: "It changes how the machine reaches the network, or who reaches it.",
            instead: "Check the current state first, such as with `ip link` or `iptables -S`.",
            matches: "
                iptables -P FORWARD DROP
                iptables -D INPUT 1
                ip link set eth0 down
                ip link delete wlan0
                ufw default allow incoming
                ufw deny ssh
                iptables -A INPUT -j DROP
                nmcli connection down home
                firewall-cmd --remove-service=ssh
            ",
            spares: "
                ip link
                ip link set dev eth0 up
                iptables -S
                ufw status verbose
                nmcli connection show
            ",
        },
    ],
};

fn acts_here(command: &Command<'_>) -> bool {
    // A container has a network of its own.
    command.atom.place != Place::Container && !command.only_asks()
}

fn is_iptables(name: &str) -> bool {
    matches!(name, "iptables" | "ip6tables" | "iptables-legacy" | "iptables-nft" | "ebtables")
}

fn opens_firewall(command: &Command<'_>) -> bool {
    match &*command.name {
        name if is_iptables(name) => {
            // `-F` alone or for a chain; a capital letter never stands in a bundle.
            // Without a rule that lets someone in, such a policy locks everyone out.
            let locks = || {
                command.has(&["-P", "--policy"])
                    && command.has_word("INPUT")
                    && command.args().iter().any(|arg| matches!(arg.text.as_str(), "DROP" | "REJECT"))
            };
            locks()
                || command.args().iter().any(|arg| {
                    matches!(arg.text.as_str(), "-F" | "--flush" | "-X" | "--delete-chain" | "--init-table")
                })
                || command.options().any(|arg| arg.text.len() > 3 && "--flush".starts_with(arg.text.as_str()))
        }
        "iptables-restore" | "ip6tables-restore" => {
            !command.has(&["-n", "--noflush", "-t", "--test"])
                && command.atom.redirects.iter().any(|redirect| redirect.target == "/dev/null")
        }
        // A table or a chain may be all that there is.
        "nft" => command.sub(&["flush", "ruleset|table|chain"]) || command.sub(&["delete", "table|chain"]),
        "ufw" => command.sub(&["disable|reset"]) && !command.has(&["--dry-run"]),
        "firewall-cmd" => command.has_word("--panic-on"),
        "pfctl" => command.has(&["-d", "-F"]),
        "ipfw" => command.sub(&["flush"]) || command.sub(&["-f|-q", "flush"]),
        "ipset" => command.sub(&["destroy|flush"]),
        _ => false,
    }
}

fn cuts_off(command: &Command<'_>) -> bool {
    let sub = |words: &[&str]| command.sub(words);
    match &*command.name {
        "ifconfig" => {
            // With one word it shows the interface of that name.
            command.args().len() > 1 && command.has_word("down") && !is_virtual(&command.args()[0].text)
        }
        "ifdown" => !command.args().is_empty(),
        "ip" => {
            // A single route to a private network may go; the default route is the way out.
            sub(&["route|r|ro", "del|delete|flush"])
                && command
                    .args()
                    .iter()
                    .any(|arg| matches!(arg.text.as_str(), "default" | "flush" | "0.0.0.0/0" | "all"))
                || sub(&["addr|address|a", "flush"])
        }
        "route" => {
            command.args().iter().any(|arg| matches!(arg.text.as_str(), "flush"))
                || command.args().iter().any(|arg| matches!(arg.text.as_str(), "del" | "delete"))
                    && command.has_word("default")
        }
        // Off for all interfaces at once, not for one connection.
        "nmcli" => sub(&["networking|net|n", "off"]) || sub(&["radio|r", "all|wifi", "off"]),
        "rfkill" => sub(&["block"]),
        "networksetup" => {
            // `networksetup -setairportpower en0 off`, `-setnetworkserviceenabled Wi-Fi off`.
            command.has_word("off") && command.args().iter().any(|arg| arg.text.starts_with("-set"))
                || command.args().iter().any(|arg| arg.text.starts_with("-removenetworkservice"))
        }
        _ => false,
    }
}

/// Interfaces that someone made for a container or a tunnel.
fn is_virtual(name: &str) -> bool {
    [
        "veth",
        "docker",
        "br",
        "tun",
        "tap",
        "wg",
        "vir",
        "dummy",
        "vxlan",
        "lxc",
        "cni",
        "flannel",
        "tailscale",
        "utun",
        "vcan",
        "can",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
}

/// Ports of databases, queues and of Docker's own API, which trust whoever reaches them.
const DATA_PORTS: &str = "1433 1521 2375 2379 3306 5432 5672 5984 6379 8086 9042 9092 9200 11211 27017";

/// Whether a rule of a firewall lets everyone reach a port of data: `ufw allow 5432/tcp`.
fn opens_data_port(command: &Command<'_>) -> bool {
    let words = || command.args().iter().map(|arg| arg.text.as_str());
    let allows = words().any(|word| matches!(word, "allow" | "ACCEPT" | "accept"));
    let picks = words().any(|word| {
        matches!(word, "-s" | "--source" | "--src" | "from" | "saddr" | "-i" | "iif" | "iifname")
    });
    let adds = !words().any(|word| matches!(word, "-D" | "--delete" | "delete" | "-C"));
    allows
        && adds
        && !picks
        && words().any(|word| {
            crate::builtin::has(DATA_PORTS, word.trim_end_matches("/tcp").trim_end_matches("/udp"))
        })
}

/// Whether a firewall lets other packets through from then on.
fn changes_firewall(command: &Command<'_>) -> bool {
    let sub = |words: &[&str]| command.sub(words);
    match &*command.name {
        name if is_iptables(name) => {
            command.has(&["-D", "--delete"])
                || command.has(&["-P", "--policy"])
                // A rule that drops from one source (`-s`) blocks someone; without one, it may block everyone.
                || ["-I", "-A", "--append", "--insert"].iter().any(|word| command.has_word(word))
                    && ["DROP", "REJECT"].iter().any(|word| command.has_word(word))
                    && !command.has_word("-s")
                || opens_data_port(command)
                // Where packets go from then on.
                || command.value(&["-t", "--table"]) == Some("nat")
                    && ["-I", "-A", "--append", "--insert"].iter().any(|word| command.has_word(word))
        }
        "ufw" if command.has(&["--dry-run"]) => false,
        "ufw" => {
            sub(&["default", "allow|deny|reject"])
                || sub(&["delete"])
                // Over ssh this locks out whoever types it.
                || sub(&["deny|reject", "ssh|22|22/tcp|OpenSSH"])
                // From anywhere, in so many words: a port that a server has for everyone is opened without them.
                || sub(&["allow|limit", "from", "any"])
                || sub(&["route", "allow"])
                || opens_data_port(command)
        }
        "iptables-restore" | "ip6tables-restore" => !command.has(&["-t", "--test"]),
        "firewall-cmd" => command.args().iter().any(|arg| {
            arg.text.starts_with("--remove-")
                    || arg.text == "--complete-reload"
                    // For good, and past the services that have a name.
                    || ["--add-port", "--add-forward-port", "--add-masquerade", "--add-rich-rule"]
                        .iter()
                        .any(|option| arg.text.starts_with(option))
                        && command.has(&["--permanent"])
        }),
        "nft" => opens_data_port(command),
        _ => false,
    }
}

fn changes(command: &Command<'_>) -> bool {
    let sub = |words: &[&str]| command.sub(words);
    match &*command.name {
        "ip" => {
            let words = command.operands();
            // The first word that is neither verb nor keyword names the interface.
            let device = words.iter().find(|arg| {
                !matches!(arg.text.as_str(), "link" | "l" | "set" | "dev" | "delete" | "del" | "down")
            });
            // A virtual one was made for a test or a container, and its loss cuts no one off.
            let known = device.is_none_or(|arg| !is_virtual(&arg.text) || arg.text.contains(mark::is_hole));
            known && (sub(&["link|l", "set"]) && command.has_word("down") || sub(&["link|l", "delete|del"]))
        }
        // From then on, someone else may read along.
        "networksetup" => command.args().first().is_some_and(|arg| {
            arg.text.starts_with("-set") && arg.text.contains("proxy") && !arg.text.ends_with("state")
        }),
        "tailscale" => sub(&["down|logout"]),
        "wg-quick" => sub(&["down"]),
        "nmcli" => sub(&["connection|con|c", "down|delete"]) || sub(&["device|dev|d", "disconnect|delete"]),
        "dhclient" => command.has(&["-r"]),
        "netplan" => sub(&["apply"]),
        "tc" => {
            sub(&["qdisc", "add|replace"])
                // Simulated losses on a real interface disturb everything; on `lo` only local tests.
                && (command.has_word("loss") || command.has_word("netem"))
                && !command.has_word("lo")
        }
        _ => changes_firewall(command),
    }
}
