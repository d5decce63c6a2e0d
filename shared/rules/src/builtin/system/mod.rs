//! Power, services, users, protection and the kernel of the machine.

mod checks;

use crate::calls::{Table, calls};
use crate::rule::{Covers, Family, Rule, Severity, When};

use self::checks::{
    acts_here, breaks_boot, changes_kernel, is_data_service, is_vital_service, kills, removes_user,
    resets_settings, stops, switches_off_protection, takes_away_storage, turns_off,
};

/// What takes something from the running kernel, or puts a loader on a disk. To load a module is usual.
static KERNEL: Table = calls!(
    "
    rmmod kldunload kextunload:
        *
    modprobe:
        -r|--remove|-f|--force
    tmutil:
        disable
    visudo:
        !-c !--check
    grub-install grub2-install lilo extlinux:
        !-V
    systemctl loginctl:
        suspend|hibernate|hybrid-sleep|suspend-then-hibernate
    grubby:
        --args|--remove-args
    launchctl:
        load|bootstrap|submit *
    sysadminctl:
        -addUser|-resetPasswordFor|-newPassword|-adminPassword
    defaults:
        write ~com.apple.alf
        write ~com.apple.security
        write ~com.apple.loginwindow
    umount:
        -l|--lazy|-f|--force
"
);

/// What holds for all users and programs of the machine, and what tells later what happened on it.
static SETTINGS: Table = calls!(
    "
    hostnamectl:
        set-hostname|hostname *
    timedatectl:
        set-time|set-timezone|set-ntp
    bootctl:
        set-default|set-oneshot|set-timeout
    localectl:
        set-*
    pmset:
        -a|-b|-c|-u|restoredefaults
    efibootmgr:
        -o|--bootorder|-n|--bootnext
    hwclock:
        --set|--hctosys|-s|--systohc|-w
    update-alternatives:
        --set|--remove|--remove-all
    do-release-upgrade:
        !-c !--check-dist-upgrade-only
    ssh-add:
        -D
    journalctl:
        --vacuum-size|--vacuum-time|--vacuum-files
    dmesg:
        -C|-c|--clear|--read-clear
    losetup:
        -D|--detach-all
    mount:
        -o|--options=remount*
    gsettings:
        reset-recursively
    dconf:
        reset -f
        load
"
);

pub(super) static FAMILY: Family = Family {
    id: "system",
    title: "The machine: power, services, users, kernel",
    covers: Covers::Listed(catalog::family("system")),
    rules: &[
        Rule {
            id: "system.power",
            severity: Severity::Catastrophic,
            when: When::Command(|command| acts_here(command) && turns_off(command)),
            reason: "It stops or restarts the machine, with everything that runs on it.",
            instead: "Restart only the service that needs it, such as `systemctl restart nginx`.",
            matches: "
                shutdown -h now
                sudo shutdown -r +0
                reboot
                halt -f
                init 0
                systemctl poweroff
                systemctl isolate rescue.target
                loginctl reboot
                osascript -e 'tell application \"System Events\" to shut down'
            ",
            spares: "
                shutdown --help
                shutdown -c
                systemctl status nginx
                systemctl list-units
                init --version
                reboot --help
            ",
        },
        Rule {
            id: "system.service",
            severity: Severity::Destructive,
            when: When::Command(|command| acts_here(command) && stops(command, is_vital_service)),
            reason: "It stops a service that keeps the machine reachable or protected.",
            instead: "Check with `systemctl status firewalld`, and let a person stop it.",
            matches: "
                systemctl stop firewalld
                sudo systemctl disable --now sshd.service
                service ssh stop
                systemctl mask NetworkManager
                launchctl bootout system/com.apple.sshd
                rc-service iptables stop
            ",
            spares: "
                systemctl restart nginx
                systemctl --user stop app
                systemctl stop nginx
                systemctl status sshd
                service nginx stop
                systemctl restart sshd
            ",
        },
        Rule {
            id: "system.data-service",
            severity: Severity::Risky,
            when: When::Command(|command| {
                acts_here(command) && (stops(command, is_data_service) || kills(command, is_data_service))
            }),
            reason: "It stops a service in which others keep data.",
            instead: "Check who uses it, such as with `systemctl status postgresql`, and ask.",
            matches: "
                sudo systemctl stop postgresql
                systemctl disable --now mysqld.service
                service redis-server stop
                systemctl stop postgresql@16-main
                brew services stop postgresql@16
                sudo pkill -9 postgres
                kill -9 $(pgrep -f mysqld)
            ",
            spares: "
                systemctl restart postgresql
                systemctl status postgresql
                systemctl --user stop redis
                pkill -HUP postgres
                kill $(pgrep -f vite)
                systemctl stop nginx
            ",
        },
        Rule {
            id: "system.unmount",
            severity: Severity::Catastrophic,
            when: When::Command(|command| acts_here(command) && takes_away_storage(command)),
            reason: "It removes memory or folders that running programs need.",
            instead: "Unmount one folder by name, such as with `umount /mnt/usb`.",
            matches: "
                swapoff -a
                umount -a
                umount -l /
                sudo umount -f /home
            ",
            spares: "
                umount /mnt/usb
                umount /dev/sdb1
                swapoff swapfile
                umount ~/mnt
            ",
        },
        Rule {
            id: "system.user",
            severity: Severity::Catastrophic,
            when: When::Command(|command| acts_here(command) && removes_user(command)),
            reason: "It removes a user or a password, or locks root out.",
            instead: "Check with `id alice`, and let a person change accounts.",
            matches: "
                userdel -r alice
                deluser --remove-home alice
                passwd -d root
                passwd -l root
                usermod -L root
                chsh -s /bin/false root
                dscl . -delete /Users/alice
                useradd -o -u 0 mallory
                echo root:x | sudo chpasswd
            ",
            spares: "
                passwd --help
                usermod -aG docker $USER
                chsh -s /bin/zsh
                useradd alice
                passwd -S root
            ",
        },
        Rule {
            id: "system.crontab",
            severity: Severity::Destructive,
            when: When::Command(|command| {
                command.name == "crontab" && (command.has(&["-r"]) || command.has_word("/dev/null"))
            }),
            reason: "It removes all scheduled jobs of a user, without a copy.",
            instead: "Keep a copy, such as `crontab -l > crontab.txt`, and remove the one line.",
            matches: "
                crontab -r
                crontab -ru alice
                sudo crontab -u root -r
            ",
            spares: "
                crontab -l
                crontab -e
                crontab jobs.txt
            ",
        },
        Rule {
            id: "system.protection",
            severity: Severity::Catastrophic,
            when: When::Command(|command| acts_here(command) && switches_off_protection(command)),
            reason: "It switches off a protection of the system.",
            instead: "Check its state, such as with `getenforce` or `csrutil status`.",
            matches: "
                setenforce 0
                csrutil disable
                spctl --master-disable
                defaults write com.apple.LaunchServices LSQuarantine -bool NO
                fdesetup disable
                nvram -c
                aa-teardown
                tmutil deletelocalsnapshots /
                auditctl -e 0
            ",
            spares: "
                setenforce 1
                csrutil status
                spctl --status
                tmutil listbackups
                nvram -p
                auditctl -l
            ",
        },
        Rule {
            id: "system.boot",
            severity: Severity::Catastrophic,
            when: When::Command(|command| acts_here(command) && breaks_boot(command)),
            reason: "It changes how the machine starts.",
            instead: "Check the entries, such as with `efibootmgr -v`.",
            matches: "
                efibootmgr -b 0001 -B
                bootctl remove
                update-initramfs -d -k all
                systemctl set-default rescue.target
                grubby --remove-kernel=ALL
            ",
            spares: "
                efibootmgr -v
                bootctl status
                update-initramfs -u
                systemctl get-default
            ",
        },
        Rule {
            id: "system.module",
            severity: Severity::Destructive,
            when: When::Command(|command| {
                acts_here(command)
                    && matches!(&*command.name, "insmod" | "kldload" | "kextload")
                    && !command.operands().is_empty()
            }),
            reason: "It loads code into the kernel, where nothing holds it back.",
            instead: "Build the module, and let a person load it.",
            matches: "
                insmod evil.ko
                sudo kextload /tmp/x.kext
            ",
            spares: "
                modprobe br_netfilter
                lsmod
            ",
        },
        Rule {
            id: "system.kernel",
            severity: Severity::Risky,
            when: When::calls(&KERNEL).also(changes_kernel).only(acts_here),
            reason: "It changes the running kernel, its modules or its settings, or the jobs and rights of a user.",
            instead: "Check the current state, such as with `lsmod` or `sysctl -a`.",
            matches: "
                rmmod nvme
                modprobe -r ext4
                sysctl -w kernel.panic=1
                tmutil disable
                grub-install /dev/sda
                echo '* * * * * x' | crontab -
                systemctl suspend
                usermod -aG sudo mallory
                adduser mallory sudo
                useradd -m -G docker,sudo mallory
                dscl . -append /Groups/admin GroupMembership mallory
                visudo -f /tmp/x
            ",
            spares: "
                lsmod
                modprobe br_netfilter
                sysctl -a
                sysctl -w vm.max_map_count=262144
                (crontab -l; echo '* * * * * x') | crontab -
                usermod -aG docker $USER
                adduser admin
                useradd -m -G docker alice
                visudo -c
            ",
        },
        Rule {
            id: "system.settings",
            severity: Severity::Risky,
            when: When::calls(&SETTINGS).also(resets_settings).only(acts_here),
            reason: "It changes what holds for the whole machine or all of a program, or clears what was recorded.",
            instead: "Print the current state, such as with `timedatectl` or `journalctl --disk-usage`, and ask.",
            matches: "
                sudo hostnamectl set-hostname web2
                timedatectl set-time '2020-01-01'
                sudo update-alternatives --set python /usr/bin/python2
                do-release-upgrade
                sudo journalctl --vacuum-time=1s
                sudo dmesg -C
                ssh-add -D
                mount -o remount,rw /
                gsettings reset-recursively org.gnome.desktop.interface
                dconf reset -f /
                defaults delete com.apple.dock
                defaults delete -g
            ",
            spares: "
                hostnamectl
                timedatectl status
                update-alternatives --list python
                do-release-upgrade -c
                journalctl -u nginx
                dmesg | tail
                ssh-add ~/.ssh/id_ed25519
                mount -o ro /dev/sdb1 /mnt
                gsettings get org.gnome.desktop.interface gtk-theme
                defaults read com.apple.dock
                defaults delete com.apple.dock autohide
            ",
        },
    ],
};
