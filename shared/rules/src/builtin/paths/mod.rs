//! What well-known paths are: disks, secrets, files that a system does not start without.

mod machine;
mod secrets;

use shell::mark;

use crate::zone::{Target, Zone};

pub(super) use self::machine::{is_account_file, is_essential, is_machine_file, profile, system_program};
pub(super) use self::secrets::{holds_secrets, is_environment, is_secret, is_store, looks_secret};

/// Whether a path is a disk or a part of one, as opposed to a terminal, a sink or a serial port.
pub(super) fn is_disk(target: &Target) -> bool {
    if target.zone == Zone::Sink {
        return false;
    }
    let Some(name) = target.path.strip_prefix("/dev/") else { return false };
    // `/dev/$DISK` is a disk until someone shows otherwise.
    if name.starts_with(|c: char| mark::is_mark(c)) {
        return true;
    }
    let folder = name.split('/').next().unwrap_or("");
    if folder.len() < name.len() {
        // `/dev/mapper/root`, `/dev/vg0/root`, but not `/dev/pts/0`.
        return !matches!(
            folder,
            "pts"
                | "pty"
                | "fd"
                | "shm"
                | "tcp"
                | "udp"
                | "snd"
                | "input"
                | "net"
                | "bus"
                | "dri"
                | "char"
                | "serial"
                | "mqueue"
                | "hugepages"
                | "usb"
                | "cpu"
                | "vfio"
                | "infiniband"
        );
    }
    let unit = name.trim_start_matches('r');
    let numbered = |prefix: &str| unit.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(is_number));
    let lettered = |prefix: &str| unit.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(is_letter));
    lettered("sd")
        || lettered("hd")
        || lettered("vd")
        || lettered("xvd")
        || lettered("ubd")
        || numbered("nvme")
        || numbered("mmcblk")
        || numbered("disk")
        || numbered("md")
        || numbered("dm-")
        || numbered("ada")
        || numbered("da")
        || numbered("nda")
        || numbered("nvd")
        || numbered("vtbd")
        || numbered("wd")
        || numbered("sd")
        || numbered("nbd")
        || numbered("zd")
        || numbered("pmem")
        || numbered("drbd")
        || numbered("rbd")
        || numbered("mtd")
        || numbered("mtdblock")
        || numbered("PhysicalDrive")
        || numbered("physicaldrive")
        || numbered("Harddisk")
}

fn is_number(c: char) -> bool {
    c.is_ascii_digit() || mark::is_mark(c)
}

fn is_letter(c: char) -> bool {
    c.is_ascii_lowercase() || mark::is_mark(c) || matches!(c, 'X' | 'Y')
}

/// Whether the path is a system folder that everything depends on, or one right below: `/etc`, `/usr/lib`.
pub(super) fn is_top(target: &Target) -> bool {
    target.folder().matches('/').count() <= 2
}
