//! What rules about disks ask: which programs change one, and when.

use shell::{Arg, Atom, mark};

use crate::builtin::paths;
use crate::command::Command;
use crate::zone::{Target, Zone};

/// Programs that make a new file system where there may be one.
pub(super) fn is_formatter(command: &Command<'_>) -> bool {
    is_for_one_system(&command.name) || command.is_kind(const { catalog::kind("formatter") })
}

/// `mkfs.ext4`, `newfs_msdos`: the rest of the name is the file system.
pub(super) fn is_for_one_system(name: &str) -> bool {
    name.starts_with("mkfs") || name.starts_with("newfs")
}

/// Whether it only says what it would do. For FAT, `-n` is the name of the volume.
pub(super) fn only_tries(command: &Command<'_>) -> bool {
    command.has(&["--dry-run", "--no-act"])
        || command.has(&["-n"]) && (command.name == "mke2fs" || command.name.starts_with("mkfs.ext"))
}

pub(super) fn is_partitioner(command: &Command<'_>) -> bool {
    command.is_kind(const { catalog::kind("partitioner") })
}

pub(super) fn has_disk(command: &Command<'_>) -> bool {
    command.args().iter().any(|arg| {
        let text = arg.text.split_once('=').map_or(arg.text.as_str(), |(_, value)| value);
        text.contains('/') && paths::is_disk(&command.target(text))
    })
}

/// Whether an operand is what a list of this machine's disks has said: `for d in $(lsblk -dno PATH)`.
fn has_listed_disk(command: &Command<'_>) -> bool {
    let lists = |atom: &Atom| {
        let has = |word: &str| atom.args.iter().any(|arg| arg.text == word);
        match &*atom.program() {
            "lsblk" | "blkid" | "lshw" => true,
            "fdisk" | "sfdisk" | "parted" => has("-l"),
            "diskutil" | "nvme" => has("list"),
            _ => false,
        }
    };
    let is_listed =
        |text: &str| text != mark::UNSET.to_string() && text.chars().next().is_some_and(mark::is_hole);
    command.operands().iter().any(|arg| is_listed(&arg.text)) && command.analysis.atoms.iter().any(lists)
}

/// Whether a partition editor only shows what there is.
pub(super) fn only_lists(command: &Command<'_>) -> bool {
    match &*command.name {
        "parted" => {
            let words = command.operands();
            let changes = ["rm", "mk", "move", "resize", "set", "name", "toggle", "rescue", "disk_set"];
            let is_change = |word: &&Arg| changes.iter().any(|change| word.text.starts_with(change));
            // Without a word after the device, parted waits for commands, which are not known here.
            command.has(&["-l", "--list"]) || words.len() > 1 && !words[1..].iter().any(is_change)
        }
        "sgdisk" if command.has(&["-P", "--pretend"]) => true,
        "sgdisk" => {
            let shows = command.has(&["-p", "--print", "-i", "--info", "-v", "--verify", "-b", "--backup"]);
            // One option that writes is enough: sgdisk does everything that its options say, in one call.
            shows
                && !command.has(&[
                    "-Z",
                    "--zap-all",
                    "--zap",
                    "-z",
                    "-o",
                    "--clear",
                    "-d",
                    "--delete",
                    "-n",
                    "--new",
                ])
        }
        "sfdisk" => {
            command.has(&[
                "-l", "--list", "-d", "--dump", "-J", "--json", "-n", "--no-act", "-F", "-s", "-V",
                "--verify",
            ]) && !command.has(&["--delete"])
        }
        "fdisk" | "gdisk" => command.has(&["-l", "--list", "-s", "--getsz", "-x"]),
        // Unless it adds or deletes some, it only shows the partitions.
        "partx" => !command.has(&["-d", "--delete", "-a", "--add"]),
        _ => command.has(&["-l", "-P"]),
    }
}

/// Options of hdparm that overwrite, or lock the disk with a password that then has to be erased.
const HDPARM_ERASES: &[&str] = &[
    "--security-erase",
    "--trim-sector",
    "--make-bad-sector",
    "--write-sector",
    "--repair-sector",
    "--security-set-pass",
    "--dco-restore",
];

/// Whether qemu-img writes an image onto a disk: the last operand is the target, or `of=` names it.
fn writes_image(command: &Command<'_>) -> bool {
    let disk = |file: &str| paths::is_disk(&command.target(file));
    command.sub(&["convert|dd|create"])
        && (command.operands().last().is_some_and(|arg| disk(&arg.text))
            || command.args().iter().any(|arg| arg.text.strip_prefix("of=").is_some_and(disk)))
}

pub(super) fn erases(command: &Command<'_>) -> bool {
    match &*command.name {
        "wipefs" => {
            // Without these it lists the signatures and erases none.
            command.has(&["-a", "--all", "-o", "--offset"])
                && !command.has(&["-n", "--no-act"])
                && (has_disk(command) || has_listed_disk(command))
        }
        "nwipe" | "blkdiscard" | "shred" | "scrub" => has_disk(command) || has_listed_disk(command),
        "hdparm" => {
            command.args().iter().any(|arg| HDPARM_ERASES.iter().any(|option| arg.text.starts_with(option)))
        }
        "cryptsetup" => {
            // The action is not always the first word: options with values may come before it.
            let acts = command.operands().iter().any(|arg| {
                matches!(
                    arg.text.as_str(),
                    "luksErase" | "erase" | "luksFormat" | "luksKillSlot" | "luksRemoveKey" | "reencrypt"
                )
            });
            acts && has_disk(command)
        }
        // To create an array writes metadata over what its disks hold.
        "mdadm" => command.has(&["--zero-superblock", "--create", "-C"]) && has_disk(command),
        // `-w` is the destructive test; the others read, or write back what they read.
        "badblocks" => command.has(&["-w"]) && has_disk(command),
        "dc3dd" => {
            command.args().iter().any(|arg| arg.text.starts_with("wipe=") || arg.text.starts_with("hwipe="))
        }
        "dd_rescue" | "sg_write_same" | "sg_unmap" | "sswap" | "rpi-imager" | "usbimager" | "woeusb"
        | "ventoy" | "systemd-repart" => has_disk(command),
        name if name.starts_with("partclone.") => {
            command.value(&["-o", "-O", "--output"]).is_some_and(|disk| paths::is_disk(&command.target(disk)))
        }
        // `-CfgClr`, `-CfgForeign -Clear`: its options are words of a command language.
        "megacli" | "MegaCli" | "MegaCli64" => command
            .args()
            .iter()
            .any(|arg| arg.text.starts_with("-Cfg") && arg.text.contains("Cl") || arg.text == "-CfgLdDel"),
        "qemu-img" => writes_image(command),
        "ocs-sr" => command.args().iter().any(|arg| arg.text.starts_with("restore")),
        "e2image" => {
            // Without `-a` it writes an image of the metadata; with it, also data, straight onto the target.
            command.has(&["-a"])
                && command.operands().last().is_some_and(|arg| paths::is_disk(&command.target(&arg.text)))
        }
        "esptool" | "esptool.py" => command
            .args()
            .iter()
            .any(|arg| matches!(arg.text.as_str(), "erase_flash" | "erase-flash" | "erase_region")),
        "debugfs" => {
            let deletes = |request: &str| {
                let word = request.split_whitespace().next().unwrap_or("");
                matches!(
                    word,
                    "rm" | "rmdir" | "unlink" | "kill_file" | "clri" | "zap_block" | "freei" | "freeb"
                )
            };
            command.has(&["-w"]) && has_disk(command) && command.value(&["-R"]).is_some_and(deletes)
        }
        _ => false,
    }
}

pub(super) fn removes_volume(command: &Command<'_>) -> bool {
    let sub = |words: &[&str]| command.sub(words);
    match &*command.name {
        "lvremove" | "vgremove" | "pvremove" | "vgreduce" => !tests(command),
        "lvm" => sub(&["lvremove|vgremove|pvremove"]) && !tests(command),
        "snapper" => sub(&["delete|rm|remove"]),
        "timeshift" => command.has(&["--delete", "--delete-all"]),
        "mdadm" => command.has(&["-S", "--stop", "--remove", "-r"]),
        "dmsetup" => sub(&["remove|remove_all|wipe_table"]),
        "zpool" => {
            // zpool refuses a disk with data on it unless it is forced.
            let creates = sub(&["create"]) && command.has(&["-f"]) && has_disk(command);
            creates || sub(&["destroy|labelclear|remove", "*"])
        }
        // `-n` only says what it would destroy.
        "zfs" => {
            let acts = sub(&["destroy"])
                // A plain rollback goes to the newest snapshot; `-r` destroys those that are newer than the target.
                || sub(&["rollback"]) && command.has(&["-r", "-R"])
                // `-F` rolls the file system back to fit the stream, over what was written since.
                || sub(&["receive|recv"]) && command.has(&["-F"]);
            acts && !command.has(&["-n"])
        }
        "btrfs" => {
            sub(&["subvolume|subvol|subv|sub|su", "delete|del"]) || sub(&["device|dev", "delete|remove"])
        }
        "diskutil" => {
            sub(&["apfs|ap", "deleteContainer|deleteVolume|deleteVolumeGroup|eraseVolume|deleteSnapshot"])
                || sub(&["cs|corestorage", "delete|deleteVolume"])
                || sub(&["appleRAID|ar", "delete"])
        }
        "gmirror" => sub(&["destroy|clear|remove|stop"]),
        // It flushes every map that is not in use, and disks disappear with them.
        "multipath" => command.has(&["-F"]),
        _ => false,
    }
}

/// Whether a program of LVM only goes through it, or explains itself: `-h` is the same for all of them.
fn tests(command: &Command<'_>) -> bool {
    command.has(&["-t", "--test", "-h"])
}

/// Whether a folder that the system needs gets another one in front of it.
pub(super) fn mounts_over_system(command: &Command<'_>) -> bool {
    let option = command.value(&["-o", "--options"]).unwrap_or("");
    let covers = command.has(&["-B", "--bind", "-R", "--rbind", "-M", "--move"])
        || option.split(',').any(|part| matches!(part, "bind" | "rbind" | "move"))
        || matches!(command.value(&["-t", "--types"]), Some("tmpfs" | "overlay" | "ramfs" | "aufs" | "bind"));
    // A remount changes options of what is mounted already and puts nothing in front of it.
    if !covers || option.contains("remount") {
        return false;
    }
    let operands = command.operands();
    operands.len() > 1 && operands.last().is_some_and(|arg| is_needed(&command.target(&arg.text)))
}

/// Whether a folder that the system or its people write to is mounted once more, for reading only.
pub(super) fn stops_writing(command: &Command<'_>) -> bool {
    let options = command.value(&["-o", "--options"]).unwrap_or("");
    let has = |name: &str| options.split(',').any(|part| part == name);
    let operands = command.operands();
    has("remount")
        && (has("ro") || command.has(&["-r", "--read-only"]))
        && operands.last().is_some_and(|arg| is_needed(&command.target(&arg.text)))
}

pub(super) fn is_needed(target: &Target) -> bool {
    // Programs mount below these folders all the time: containers, snaps, build sandboxes.
    let data = ["/var/", "/run", "/proc/", "/sys/", "/dev/", "/nix/", "/snap/"];
    match target.zone {
        Zone::Root | Zone::Home => true,
        Zone::System => !data.iter().any(|folder| target.path.starts_with(folder)),
        _ => false,
    }
}

pub(super) fn repairs(command: &Command<'_>) -> bool {
    match &*command.name {
        // Without `-n` they may answer their own questions and write.
        "fsck" | "e2fsck" => has_disk(command) && !command.has(&["-n", "-N"]),
        "xfs_repair" | "ntfsfix" => has_disk(command) && !command.has(&["-n", "--no-action"]),
        // `-l` only lists the superblock.
        "tune2fs" => has_disk(command) && !command.has(&["-l"]),
        // `-P` only prints the smallest possible size.
        "resize2fs" => has_disk(command) && !command.has(&["-P"]),
        "debugfs" => has_disk(command) && command.has(&["-w"]),
        // A volume that shrinks below its file system loses the end of it.
        "lvreduce" => true,
        // To merge a snapshot puts the old state back over the present one.
        "lvconvert" => command.has(&["--merge"]),
        "zpool" => {
            command.sub(&["offline|detach"])
                || command.sub(&["export"]) && command.has(&["-f", "-a"])
                || command.sub(&["import"]) && command.has(&["-F", "-X", "-D", "-m"])
        }
        "vgcfgrestore" => !command.has(&["-l", "--list", "-t", "--test"]),
        // They take a piece out of a file, or write zeroes into it.
        "fallocate" => command.options().any(|arg| {
            let long = ["--punch-hole", "--collapse-range", "--zero-range"].contains(&&*arg.text);
            long || !arg.text.starts_with("--") && arg.text.contains(['p', 'c', 'z'])
        }),
        "snapper" => command.sub(&["rollback|undochange"]),
        "timeshift" => command.has(&["--restore"]),
        "btrfs" => {
            command.sub(&["check"]) && command.has(&["--repair", "--init-csum-tree", "--init-extent-tree"])
                || command.sub(&["rescue", "zero-log|chunk-recover|super-recover"])
        }
        "lvresize" => {
            // `-L -5G` shrinks, `-L +5G` grows; an absolute size cannot be judged without the volume.
            command.value(&["-L", "-l", "--size", "--extents"]).is_some_and(|size| size.starts_with('-'))
        }
        _ if is_formatter(command) => {
            command.operands().last().is_some_and(|arg| command.target(&arg.text).zone == Zone::Unknown)
        }
        _ => false,
    }
}
