//! Containers that see this machine's files.

use super::super::has;
use crate::calls::{Table, calls};
use shell::{Atom, Mount, Place, mark};

use crate::command::Command;
use crate::rule::{Rule, Severity, When};
use crate::zone::{Target, Zone};

const RUNNERS: &[&str] = &["docker", "podman", "nerdctl", "finch"];

/// Programs that delete or overwrite what they name. What `find -delete` deletes is a call of its own.
const DELETING: &str = "\
    rm shred unlink rmdir mv dd truncate rsync wipefs";

/// Programs that take rights away, which only the system cannot bear: `chown -R 1000 /app` puts them right.
const SETTING: &[&str] = &["chmod", "chown", "chgrp"];

/// What lets a container reach the disks and processes of the machine.
pub(super) static HOLDS_MACHINE: Table = calls!(
    "
    docker podman nerdctl finch docker-compose podman-compose:
        ... run|create|exec --privileged
        ... run|create --pid=host
        ... run|create --cap-add=ALL|all|*SYS_ADMIN*|*sys_admin*|*SYS_MODULE*|*sys_module*|*SYS_RAWIO*|*sys_rawio*|*DAC_READ_SEARCH*|*dac_read_search*
        ... run|create --device=/dev/sd*|/dev/nvme*|/dev/vd*|/dev/xvd*|/dev/hd*|/dev/mmcblk*|/dev/disk/*
        ... run|create --device=/dev/mapper/*|/dev/dm-*|/dev/mem|/dev/kmem
        ... run|create --security-opt=seccomp=unconfined|seccomp:unconfined|apparmor=unconfined|apparmor:unconfined
"
);

pub(super) const MOUNTED: Rule = Rule {
    id: "containers.delete-mounted",
    severity: Severity::Catastrophic,
    when: When::Command(|command| {
        let mut mounts = mounts(command);
        mounts.extend(of_node(command));
        !mounts.is_empty() && inside(command).any(|atom| deletes_mounted(command, atom, &mounts))
    }),
    reason: "It deletes files of this machine through a folder that the container shares with it.",
    instead: "Mount the folder read-only (`-v /data:/data:ro`), or delete inside the project by its exact path.",
    matches: "
        docker run -v /:/host alpine rm -rf /host
        docker run --rm -v /etc:/x busybox sh -c 'rm -rf /x/*'
        podman run --volume=/home/user:/h alpine rm -rf /h
        docker run --mount type=bind,source=/,target=/mnt alpine rm -rf /mnt/usr
        docker run -v \"$PWD\":/app alpine rm -rf /app
        kubectl debug node/n1 -it --image=busybox -- rm -rf /host/etc
    ",
    spares: "
        docker run --rm -v \"$PWD\":/app node npm test
        docker run --rm -v \"$PWD\":/app alpine rm -rf /app/node_modules
        docker run --rm -v \"$PWD\":/app alpine chown -R 1000 /app
        docker run --rm -v \"$PWD\":/app alpine find /app -name '*.pyc' -delete
        docker run -v data:/data alpine rm -rf /data
        docker run -v /:/host:ro alpine ls /host
        docker run --rm -v /etc/localtime:/etc/localtime alpine rm -rf /tmp/x
    ",
};

pub(super) const HOST: Rule = Rule {
    id: "containers.host-access",
    severity: Severity::Risky,
    when: When::calls(&HOLDS_MACHINE).also(|command| mounts(command).iter().any(|mount| mount.source == "/")),
    reason: "It gives a container this machine: its disks, its processes, or its whole file system to write to.",
    instead: "Name what it needs: one folder, read-only (`-v /data:/data:ro`), or one right (`--cap-add NET_ADMIN`).",
    matches: "
        docker run -it -v /:/host alpine chroot /host
        docker run --privileged -v /:/mnt alpine
        docker run --rm --privileged alpine
        podman run --pid=host alpine ps
        docker exec --privileged web sh
        docker compose exec --privileged web sh
        docker run --cap-add NET_ADMIN,SYS_ADMIN alpine
        docker container run --cap-add NET_ADMIN --cap-add sys_admin alpine
        docker run --device /dev/sda:/dev/xvda alpine
        docker run --device /dev/ttyUSB0 --device /dev/disk/by-id/x alpine
        docker run --security-opt seccomp=unconfined alpine
    ",
    spares: "
        docker run --privileged=false alpine
        docker run --pid=container:web alpine ps
        docker run --device /dev/ttyUSB0 --cap-add NET_ADMIN esphome
        docker run --security-opt no-new-privileges alpine
        docker run -v /var/run/docker.sock:/var/run/docker.sock traefik
        docker run -v /:/host:ro prom/node-exporter
        kubectl debug node/n1 -it --image=busybox
        docker run -v ./data:/data app
    ",
};

/// The folders of this machine that a container may write to.
pub(in crate::builtin) fn mounts<'a>(command: &Command<'a>) -> Vec<Mount<'a>> {
    let mut mounts = writable(command);
    mounts.retain(Mount::is_folder);
    mounts
}

/// Folders and volumes that a container may write to.
fn writable<'a>(command: &Command<'a>) -> Vec<Mount<'a>> {
    let mut mounts = Vec::new();
    if RUNNERS.contains(&&*command.name) {
        // What the container cannot write to, it cannot delete.
        mounts.extend(shell::mounts(command.args()).into_iter().filter(|mount| !mount.read_only));
    }
    mounts
}

/// Whether it runs in a container that is made for it and is gone afterwards, `docker run --rm IMAGE`, and sees at most
/// folders of this machine: what it does there is a command of its own, of this machine.
pub(in crate::builtin) fn is_in_new_container(command: &Command<'_>) -> bool {
    let shares =
        |text: &str| ["--privileged", "--device", "--pid"].iter().any(|option| text.starts_with(option));
    let is_followed = |mount: &Mount<'_>| mount.is_folder() && !mark::any(mount.source);
    let mut atom = command.atom;
    while atom.place == Place::Container
        && let Some(parent) = atom.via.and_then(|via| command.analysis.atoms.get(via.parent as usize))
    {
        if parent.place != Place::Container {
            let has = |word: &str| parent.args.iter().any(|arg| arg.text == word);
            return has("run")
                && has("--rm")
                && !parent.args.iter().any(|arg| shares(&arg.text))
                && shell::mounts(&parent.args).iter().all(is_followed);
        }
        atom = parent;
    }
    false
}

/// The disk of a node, as `kubectl debug node/NAME` mounts it.
fn of_node(command: &Command<'_>) -> Option<Mount<'static>> {
    let is_node = |arg: &&shell::Arg| arg.text.starts_with("node/") || arg.text.starts_with("nodes/");
    let debugs = command.is(&["kubectl", "oc", "k", "kubecolor"])
        && command.sub(&["debug"])
        && command.operands().get(1).is_some_and(is_node);
    debugs.then_some(Mount { source: "/", target: "/host", read_only: false })
}

/// What runs in the container.
fn inside<'a>(command: &Command<'a>) -> impl Iterator<Item = &'a Atom> {
    let atoms = &command.analysis.atoms;
    let own = command.index();
    atoms.iter().filter(move |atom| {
        let mut at = atom.via;
        while let Some(via) = at {
            if Some(via.parent as usize) == own {
                return atom.place == Place::Container;
            }
            at = atoms.get(via.parent as usize).and_then(|parent| parent.via);
        }
        false
    })
}

/// Whether the program deletes what lies on this machine and matters.
fn deletes_mounted(command: &Command<'_>, atom: &Atom, mounts: &[Mount<'_>]) -> bool {
    let program = atom.program();
    let deletes = has(DELETING, &program);
    if !deletes && !SETTING.contains(&&*program) {
        return false;
    }
    named(command, atom).any(|inside| {
        mounts.iter().any(|mount| {
            let Some(rest) = mount.rest(&inside) else { return false };
            // The path inside the container, translated back to this machine's.
            let path = format!("{}{rest}", mount.source.trim_end_matches('/'));
            let path = if path.is_empty() { "/" } else { &path };
            let target = Target::of(path, &command.atom.cwd, command.atom.place, command.facts);
            target.is_vital()
                || deletes
                    && !target.filtered
                    && matches!(target.zone, Zone::Worktree | Zone::Repository | Zone::HomeSettings)
        })
    })
}

/// The paths that a program in a container names.
fn named<'a>(command: &'a Command<'_>, atom: &'a Atom) -> impl Iterator<Item = String> + 'a {
    let folder = command.value(&["-w", "--workdir"]).unwrap_or(&atom.cwd);
    let operands = atom.args.iter().skip(1).filter(|arg| !arg.text.starts_with('-'));
    operands.map(move |arg| shell::path::join(folder, &arg.text))
}

/// Whether it deletes all that a volume holds, which `docker volume rm` would do, too.
pub(super) fn empties_volume(command: &Command<'_>) -> bool {
    let mut volumes = writable(command);
    volumes.retain(|mount| !mount.is_folder() && !is_made_again(mount));
    let empties = |atom: &Atom| {
        has(DELETING, &atom.program())
            && named(command, atom).any(|path| {
                // `/data`, `/data/*`, `/data/.[!.]*`
                let all = |rest: &str| rest.chars().all(|c| matches!(c, '/' | '.') || mark::is_mark(c));
                volumes.iter().any(|volume| volume.rest(&path).is_some_and(all))
            })
    };
    !volumes.is_empty() && inside(command).any(empties)
}

/// Whether a volume holds what a tool makes again, by its name or its place.
fn is_made_again(volume: &Mount<'_>) -> bool {
    let words = [volume.source, volume.target].into_iter().flat_map(|text| text.split(['/', '-', '_', '.']));
    // `node_modules` is one word.
    let mut words = words.chain(volume.target.rsplit('/').take(1));
    words.any(|word| matches!(word, "cache" | "tmp" | "temp" | "test" | "tests" | "node_modules"))
}
