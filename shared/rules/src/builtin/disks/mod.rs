//! Disks, partitions, volumes and pools.

mod checks;

use crate::calls::{Table, calls};
use crate::rule::{Covers, Family, Rule, Severity, When};

use self::checks::{
    erases, has_disk, is_for_one_system, is_formatter, is_partitioner, mounts_over_system, only_lists,
    only_tries, removes_volume, repairs, stops_writing,
};

/// What erases without the path of a disk: the device is a controller, a namespace, a chip or whatever is there.
static ERASES: Table = calls!(
    "
    nwipe:
        --autonuke
    nvme:
        format|sanitize|delete-ns|write-zeroes|write-uncor|dsm|detach-ns
    diskutil:
        eraseDisk|eraseVolume|secureErase|zeroDisk|randomDisk|partitionDisk|reformat|eraseOptical|mergePartitions|splitPartition
    asr:
        -erase|--erase
    flashrom:
        -w|-E|--write|--erase
    flash_erase flash_eraseall sg_format sg_sanitize nandwrite ubiformat flashcp:
        *
    mtd:
        erase|write
    geli:
        kill|init
    dban:
        !-V
    gpt:
        destroy|remove
    # Without its keys, an encrypted image can never be opened again.
    hdiutil:
        erasekeys
    # Controllers of arrays take paths such as `/c0/v0` before the verb.
    storcli storcli64 perccli perccli64 hpssacli ssacli hpacucli:
        ... delete|del|erase|init
    fsarchiver:
        restfs|restdir
    fastboot:
        erase|format|wipe-super
        -w
    # `create` and `bootcode` replace what stands at the start of the disk.
    gpart:
        destroy|delete|create|bootcode
"
);

pub(super) static FAMILY: Family = Family {
    id: "disks",
    title: "Disks, partitions and volumes",
    covers: Covers::Also(catalog::family("disks"), is_for_one_system),
    rules: &[
        Rule {
            id: "disks.format",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                is_formatter(command) && !command.only_asks() && !only_tries(command) && has_disk(command)
            }),
            reason: "It puts an empty file system over whatever the disk holds.",
            instead: "Make the file system in an image file, such as `mkfs.ext4 disk.img`.",
            matches: "
                mkfs.ext4 /dev/sda1
                mkfs -t xfs -f /dev/nvme0n1p2
                mke2fs -j /dev/sdb
                newfs /dev/ada0p2
                mkswap /dev/vda3
                mkfs.vfat /dev/$PART
            ",
            spares: "
                mkfs.ext4 disk.img
                mkfs.ext4 --help
                mkswap swapfile
                mke2fs -n /dev/sdb
            ",
        },
        Rule {
            id: "disks.partition",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                is_partitioner(command)
                    && !command.only_asks()
                    && !only_tries(command)
                    && has_disk(command)
                    && !only_lists(command)
            }),
            reason: "It changes the partitions of a disk, which loses what they hold.",
            instead: "List them with `fdisk -l`, and let a person change them.",
            matches: "
                sgdisk --zap-all /dev/sda
                sfdisk --delete /dev/sda
                echo 'd\\nw' | fdisk /dev/sda
                parted -s /dev/sdb mklabel gpt
                cfdisk /dev/vda
            ",
            spares: "
                fdisk -l
                sudo fdisk -l /dev/sda
                parted /dev/sda print
                sfdisk -d /dev/sda
                sgdisk -p /dev/sda
                sgdisk --pretend --zap-all /dev/sda
                sfdisk --no-act --delete /dev/sda
                fdisk disk.img
            ",
        },
        Rule {
            id: "disks.erase",
            severity: Severity::Catastrophic,
            when: When::calls(&ERASES).also(erases).only(|command| !command.only_asks()),
            reason: "It erases a disk, or the signature or key without which it cannot be read.",
            instead: "Check with `lsblk`, and let a person erase the disk.",
            matches: "
                wipefs -a /dev/sda
                blkdiscard /dev/nvme0n1
                shred -n 1 /dev/sda
                hdparm --user-master u --security-erase p /dev/sda
                nvme format /dev/nvme0n1
                cryptsetup luksErase /dev/sda2
                cryptsetup -q luksFormat /dev/sdb
                diskutil eraseDisk JHFS+ Empty disk2
                mdadm --zero-superblock /dev/sda1
                badblocks -w /dev/sdb
                for d in $(lsblk -dnpo NAME); do wipefs --all --force $d; done
                lsblk -dno PATH | xargs -n1 shred -n 1
            ",
            spares: "
                wipefs /dev/sda
                lsblk; wipefs -a disk.img
                lsblk; key=$(mktemp); shred -u $key
                wipefs -n -a /dev/sda
                hdparm -I /dev/sda
                nvme list
                cryptsetup luksDump /dev/sda2
                cryptsetup luksFormat vault.img
                diskutil list
                badblocks -sv /dev/sdb
            ",
        },
        Rule {
            id: "disks.remove-volume",
            severity: Severity::Catastrophic,
            when: When::Command(|command| !command.only_asks() && removes_volume(command)),
            reason: "It removes a volume, a pool or an array with everything on it.",
            instead: "List them with `lsblk`, take a snapshot, and let a person remove it.",
            matches: "
                lvremove -f vg0/root
                vgremove vg0
                pvremove --force --force /dev/sda
                zpool destroy tank
                zfs destroy -r tank/data
                zfs rollback -r tank/data@monday
                mdadm --stop /dev/md0
                dmsetup remove_all
                btrfs subvolume delete /home
                lvm lvremove vg0/data
            ",
            spares: "
                lvs
                lvremove --test vg0/root
                lvm --test lvremove vg0/data
                zfs destroy -nv tank/data@old
                zfs list
                zfs snapshot tank/data@now
                mdadm --detail /dev/md0
                dmsetup ls
                btrfs subvolume list /
            ",
        },
        Rule {
            id: "disks.hide-system",
            severity: Severity::Catastrophic,
            when: When::Command(|command| command.name == "mount" && mounts_over_system(command)),
            reason: "It puts another folder in front of one that the system needs.",
            instead: "Mount it below `/mnt`, such as `mount --bind /empty /mnt/empty`.",
            matches: "
                mount --bind /empty /etc
                mount -o bind /empty /usr
                mount -t tmpfs tmpfs /home
            ",
            spares: "
                mount
                mount /dev/sdb1 /mnt/usb
                mount --bind /dev /mnt/root/dev
                mount -t proc proc /proc
                mount -o remount,rw /
            ",
        },
        Rule {
            id: "disks.read-only",
            severity: Severity::Risky,
            when: When::Command(|command| command.name == "mount" && stops_writing(command)),
            reason: "Running programs can no longer write where they are writing now.",
            instead: "Mount the disk that is to be read a second time, such as `mount -o ro /dev/sdb1 /mnt`.",
            matches: "
                mount -o remount,ro /
                mount -o ro,remount /home
                mount -r -o remount /usr
            ",
            spares: "
                mount -o remount,rw /
                mount -o ro /dev/sdb1 /mnt/usb
                mount -o remount,ro /mnt/usb
            ",
        },
        Rule {
            id: "disks.repair",
            severity: Severity::Risky,
            when: When::Command(|command| !command.only_asks() && repairs(command)),
            reason: "It changes a file system in place, which can lose files.",
            instead: "Check first without changing anything, such as `fsck -n /dev/sdb1`.",
            matches: "
                fsck -y /dev/sda1
                tune2fs -O ^has_journal /dev/sda1
                resize2fs /dev/vg0/root 5G
                xfs_repair -L /dev/sdb1
                lvreduce -L 5G vg0/root
                mkfs.ext4 \"$(pick)\"
            ",
            spares: "
                fsck -n /dev/sda1
                tune2fs -l /dev/sda1
                xfs_repair -n /dev/sdb1
                fsck disk.img
            ",
        },
    ],
};
