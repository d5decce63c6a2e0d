//! The hosts that a command talks to.

use std::net::{IpAddr, Ipv4Addr};

use rules::Command;
use shell::{Arg, mark};

use super::clients;

/// A host as it is compared: lower case, without a port, addresses in their usual form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Host(pub(crate) String);

/// The host of an address such as `https://user@Example.com:8080/x`.
pub(crate) fn of_url(url: &str) -> Option<Host> {
    let (scheme, rest) = url.split_once("://")?;
    if scheme.is_empty() || matches!(scheme.to_ascii_lowercase().as_str(), "file" | "data" | "unix") {
        return None;
    }
    let authority = &rest[..rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len())];
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    of_name(host)
}

/// A host with or without a port.
fn of_name(text: &str) -> Option<Host> {
    let name = match text.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        // An IPv6 address without brackets, as ssh takes it.
        None if text.matches(':').count() > 1 => text,
        None => text.split(':').next().unwrap_or(text),
    };
    // `example.com.` is the same host, by its full name.
    let name = name.trim_end_matches('.');
    if name.is_empty() {
        return None;
    }
    let plain = name.parse::<IpAddr>().ok().map(|ip| match ip {
        // `::ffff:10.0.0.1` reaches 10.0.0.1, so a rule about that has to see it.
        IpAddr::V6(six) => six.to_ipv4_mapped().map_or(ip, IpAddr::V4),
        four @ IpAddr::V4(_) => four,
    });
    let number = plain.or_else(|| odd_address(name).map(IpAddr::V4));
    Some(Host(number.map_or_else(|| name.to_lowercase(), |ip| ip.to_string())))
}

/// `2130706433`, `0x7f.1`, `0177.0.0.1`: what resolvers take for an address.
fn odd_address(text: &str) -> Option<Ipv4Addr> {
    let parts: Vec<u32> = text.split('.').map(number).collect::<Option<_>>()?;
    let (last, first) = parts.split_last()?;
    if first.len() > 3 || first.iter().any(|part| *part > 255) {
        return None;
    }
    let mut address = 0u32;
    for (at, part) in first.iter().enumerate() {
        address |= part << (24 - 8 * at);
    }
    // The last part fills what the others leave: `127.1` is 127.0.0.1.
    let room = 32 - 8 * first.len();
    (room == 32 || *last < 1 << room).then(|| Ipv4Addr::from(address | last))
}

fn number(text: &str) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    match lower.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        // As in C: a leading zero makes it octal.
        None if lower.len() > 1 && lower.starts_with('0') => u32::from_str_radix(&lower, 8).ok(),
        None if lower.bytes().all(|byte| byte.is_ascii_digit()) => lower.parse().ok(),
        None => None,
    }
}

/// The hosts that a command talks to, as far as its arguments tell.
pub(crate) fn hosts_of(command: &Command<'_>) -> Vec<Host> {
    let mut hosts = Vec::new();
    let name = &*command.name;
    for redirect in &command.atom.redirects {
        // bash opens a connection for these names; there is no such file.
        let device =
            redirect.target.strip_prefix("/dev/tcp/").or_else(|| redirect.target.strip_prefix("/dev/udp/"));
        if let Some(device) = device {
            hosts.extend(of_name(device.split('/').next().unwrap_or("")));
        }
    }
    if speaks(name) {
        return hosts;
    }
    if !command.atom.args.is_empty() {
        hosts.extend(clients::by_variables(command));
    }
    let named: Vec<&Arg> = match name {
        // What they send, and what they write into a commit, may hold addresses that no one talks to.
        "curl" | "wget" | "gh" | "glab" => command.operands().to_vec(),
        "git" => match command.operands().split_first() {
            // `git commit -m 'see https://…'` talks to no one.
            Some((sub, _)) if keeps_to_itself(&sub.text) => Vec::new(),
            _ => command.args().iter().collect(),
        },
        _ => command.args().iter().collect(),
    };
    for arg in named {
        let text = arg.without_unset();
        let found = match text.find("://") {
            Some(at) => {
                // The address may stand inside a word, as in `--url=https://…`.
                let start =
                    text[..at].rfind(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '.' | '-'));
                of_url(&text[start.map_or(0, |start| start + 1)..])
            }
            None => None,
        };
        hosts.extend(found);
    }
    match name {
        "curl" => {
            let operands = command.operands();
            for arg in operands.iter().filter(|arg| !arg.text.contains("://")) {
                hosts.extend(bare(&arg.text));
            }
            // A proxy sees everything that is sent through it, so it is a host that is talked to.
            for option in
                [&["--url"][..], &["-x", "--proxy"], &["--preproxy"], &["--connect-to"], &["--doh-url"]]
            {
                hosts.extend(command.value(option).and_then(remote_or_bare));
            }
            // `--resolve good.example:443:6.6.6.6`
            let resolved = command.value(&["--resolve"]).and_then(|text| text.splitn(3, ':').nth(2));
            hosts.extend(resolved.into_iter().flat_map(|text| text.split(',')).filter_map(of_name));
        }
        "wget" | "http" | "https" | "xh" | "aria2c" | "lynx" | "links" | "w3m" => {
            let operands = command.operands();
            let operands = operands.iter().filter(|arg| {
                let text = arg.text.as_str();
                // HTTPie's `POST example.com name=value`.
                let verb = text.bytes().all(|byte| byte.is_ascii_uppercase());
                !text.contains("://") && !verb && !text.contains('=')
            });
            hosts.extend(
                // HTTPie and xh take items of the request after the address.
                operands.take(if name == "wget" { usize::MAX } else { 1 }).filter_map(|arg| bare(&arg.text)),
            );
        }
        "ssh" | "sftp" | "mosh" | "telnet" | "nc" | "ncat" | "netcat" | "ftp" | "ping" | "ssh-copy-id" => {
            let operands = command.operands();
            hosts.extend(operands.first().and_then(|arg| remote(&arg.text)));
            hosts.extend(of_ssh_options(command));
            hosts.extend(command.value(&["-x", "--proxy"]).and_then(remote));
        }
        "scp" | "rsync" | "git" => {
            let operands = command.operands();
            // The rest are files of this machine, or branches.
            let there = operands.iter().filter(|arg| is_remote(&arg.text, name == "git"));
            hosts.extend(there.filter_map(|arg| remote(&arg.text)));
            if name == "scp" {
                hosts.extend(of_ssh_options(command));
            }
        }
        "dig" | "host" | "nslookup" | "drill" | "whois" | "delv" => {
            // Types of records have no dot: `dig MX example.com`.
            for arg in command.operands().iter().filter(|arg| arg.text.contains('.')) {
                hosts.extend(of_name(arg.text.trim_start_matches('@')));
            }
        }
        "openssl" => hosts.extend(command.value(&["-connect"]).and_then(of_name)),
        "socat" => hosts.extend(command.operands().iter().filter_map(|arg| of_socket(&arg.text))),
        "docker" | "podman" | "nerdctl" | "skopeo" | "crane" | "buildah" => {
            let operands = command.operands();
            // After the sub-command. An image without a registry comes from the host's default one, which no
            // word names.
            hosts.extend(operands.iter().skip(1).find_map(|arg| of_image(&arg.text)));
        }
        _ => hosts.extend(clients::by_options(command)),
    }
    hosts
}

/// Sub-commands of git that talk to no one.
fn keeps_to_itself(sub: &str) -> bool {
    matches!(
        sub,
        "commit"
            | "tag"
            | "log"
            | "show"
            | "diff"
            | "grep"
            | "notes"
            | "add"
            | "rm"
            | "mv"
            | "status"
            | "branch"
            | "checkout"
            | "switch"
            | "restore"
            | "stash"
            | "rebase"
            | "merge"
            | "cherry-pick"
            | "revert"
            | "reset"
            | "blame"
            | "rev-parse"
            | "rev-list"
            | "shortlog"
            | "describe"
            | "bisect"
    )
}

/// `TCP:host:80`, `OPENSSL:host:443`: one side of socat.
fn of_socket(text: &str) -> Option<Host> {
    let (kind, rest) = text.split_once(':')?;
    let kind = kind.to_ascii_uppercase();
    let remote = ["TCP", "UDP", "SCTP", "OPENSSL", "SSL", "SOCKS", "PROXY"]
        .iter()
        .any(|known| kind.starts_with(known));
    if remote && !kind.contains("LISTEN") && !kind.ends_with("-L") { of_name(rest) } else { None }
}

/// The registry of an image: `registry.example/team/image:1`.
fn of_image(text: &str) -> Option<Host> {
    let text = text.strip_prefix("docker://").unwrap_or(text);
    let (registry, _) = text.split_once('/')?;
    let named = registry.contains('.') && !registry.starts_with(['.', '-']) || registry.contains(':');
    if named && !registry.is_empty() { of_name(registry) } else { None }
}

/// Programs that only print or keep what stands in their arguments.
fn speaks(program: &str) -> bool {
    matches!(
        program,
        "echo"
            | "printf"
            | "grep"
            | "rg"
            | "sed"
            | "awk"
            | "jq"
            | "test"
            | "["
            | "cat"
            | "ls"
            | "head"
            | "tail"
    )
}

/// `example.com/x` without a scheme.
fn bare(text: &str) -> Option<Host> {
    let authority = &text[..text.find(['/', '?', '#']).unwrap_or(text.len())];
    of_name(authority.rsplit_once('@').map_or(authority, |(_, host)| host))
}

/// An address with a scheme or without.
pub(super) fn remote_or_bare(text: &str) -> Option<Host> {
    if text.contains("://") { of_url(text) } else { bare(text) }
}

/// `user@host:path` or `host`.
fn remote(text: &str) -> Option<Host> {
    if text.contains("://") {
        return of_url(text);
    }
    of_name(text.rsplit_once('@').map_or(text, |(_, host)| host))
}

/// The hosts that options of ssh name: each jump host sees the connection, and `HostName` is where it really goes.
fn of_ssh_options(command: &Command<'_>) -> Vec<Host> {
    let mut hosts = Vec::new();
    let mut jumps = |list: &str| hosts.extend(list.split(',').filter_map(remote));
    let mut args = command.args().iter().map(|arg| arg.text.as_str());
    let mut settings = Vec::new();
    while let Some(arg) = args.next() {
        let Some(value) = arg.strip_prefix("-o").or_else(|| arg.strip_prefix("-J")) else { continue };
        let Some(value) = Some(value).filter(|value| !value.is_empty()).or_else(|| args.next()) else {
            break;
        };
        if arg.starts_with("-J") { jumps(value) } else { settings.push(value) }
    }
    for setting in settings {
        let (name, value) = setting.split_once(['=', ' ']).unwrap_or((setting, ""));
        let value = value.trim_start_matches(['=', ' ']);
        if name.eq_ignore_ascii_case("ProxyJump") || name.eq_ignore_ascii_case("HostName") {
            jumps(value);
        }
    }
    hosts
}

/// Whether an operand of scp, rsync or git names another machine: `host:path`. For git, `HEAD:file` is a file.
fn is_remote(text: &str, of_git: bool) -> bool {
    if text.contains("://") {
        return false;
    }
    let Some(colon) = text.find(':') else { return false };
    let host = &text[..colon];
    // `C:\x` is a drive of Windows.
    colon > 1
        && !host.contains('/')
        && (!of_git || host.contains('@') || host.contains('.'))
        && !host.chars().any(|c| mark::is_glob(c) || c == ' ' || c == '^')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_compared_in_one_form() {
        for (url, host) in [
            ("https://Example.COM:8443/x", "example.com"),
            ("https://a@b.example./", "b.example"),
            ("http://good.example@evil.example/", "evil.example"),
            ("http://evil.example\\@good.example/", "evil.example"),
            ("http://2130706433/", "127.0.0.1"),
            ("http://0x7f.1/", "127.0.0.1"),
            ("http://0251.0376.0251.0376/", "169.254.169.254"),
            ("http://[::ffff:169.254.169.254]:80/", "169.254.169.254"),
            ("http://[::1]/", "::1"),
        ] {
            assert_eq!(of_url(url), Some(Host(host.to_owned())), "{url}");
        }
        assert_eq!(of_url("file:///etc/passwd"), None);
    }
}
