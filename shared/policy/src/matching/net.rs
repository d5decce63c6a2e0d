//! `net`: hosts that a call talks to.

use std::net::IpAddr;

use super::any;
use crate::case::Host;
use crate::certainty::{Lean, Match};
use crate::glob::{self, NAME};
use crate::model::{Net, Text};

pub(super) fn matches(test: &Net<'_>, hosts: &[Host], lean: Lean) -> Match {
    let one = |host: &Host| {
        let mut matched = Match::Yes;
        if !test.hosts.is_empty() {
            matched = any(&test.hosts, |pattern| host_matches(pattern, &host.0));
        }
        if !test.hosts_not.is_empty() {
            matched = matched.min(any(&test.hosts_not, |pattern| host_matches(pattern, &host.0)).not());
        }
        matched
    };
    match lean {
        Lean::Wide => any(hosts, one),
        // What talks to no known host is not what was allowed.
        Lean::Narrow | Lean::Open => hosts.iter().map(one).min().unwrap_or(Match::No),
    }
}

fn host_matches(pattern: &Text<'_>, host: &str) -> Match {
    if let Some((network, bits)) = pattern.split_once('/') {
        return Match::of(in_network(network, bits, host));
    }
    glob::matches(pattern.trim_end_matches('.'), host, NAME)
}

fn in_network(network: &str, bits: &str, host: &str) -> bool {
    let (Ok(network), Ok(bits), Ok(host)) =
        (network.parse::<IpAddr>(), bits.parse::<u32>(), host.parse::<IpAddr>())
    else {
        return false;
    };
    let number = |ip: IpAddr| match ip {
        IpAddr::V4(ip) => (u128::from(u32::from(ip)), 32),
        IpAddr::V6(ip) => (u128::from(ip), 128),
    };
    let ((network, width), (host, other)) = (number(network), number(host));
    // Zero bits are every address of the family, and a shift by the whole width would overflow.
    width == other && bits <= width && (bits == 0 || (network ^ host) >> (width - bits) == 0)
}

#[cfg(test)]
mod tests {
    use super::in_network;

    #[test]
    fn a_network_holds_its_own_addresses() {
        assert!(in_network("169.254.0.0", "16", "169.254.169.254"));
        assert!(!in_network("10.0.0.0", "8", "11.0.0.1"));
    }
}
