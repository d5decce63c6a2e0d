//! Packages that the operating system, or an interpreter, does not work without.

mod checks;

use super::shape::{Table, fits};
use crate::rule::{Covers, Family, Rule, Severity, When};

use self::checks::{
    acts_here, is_essential, is_forced, is_system_manager, is_versioned_pip, names_all, packages, removes,
};

/// What only older generations need, and they themselves.
const GENERATIONS: Table = "
    nix-collect-garbage:
        -d|--delete-old|--delete-older-than
    nix-env:
        --delete-generations
    nix:
        profile wipe-history
    guix:
        gc -d|--delete-generations
        package|system --delete-generations
        system delete-generations
";

pub(super) static FAMILY: Family = Family {
    id: "essentials",
    title: "Packages that the system needs",
    covers: Covers::Also(catalog::family("essentials"), is_versioned_pip),
    rules: &[
        Rule {
            id: "essentials.remove",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                acts_here(command)
                    && is_system_manager(command)
                    && removes(command)
                    && packages(command).iter().any(|name| is_essential(name))
            }),
            reason: "The system does not work or start without this package.",
            instead: "Check what needs it, such as with `apt-cache rdepends libc6`.",
            matches: "
                apt-get remove --purge -y libc6
                dpkg -P --force-remove-essential libc6
                yum remove -y glibc
                pacman -Rdd glibc
                apk del musl
                sudo apt purge linux-image-6.1.0-18-amd64
                rpm -e --nodeps bash
            ",
            spares: "
                apt-get remove -y nano
                apt-get install -y libc6
                pacman -Qi glibc
                apt-get remove --dry-run libc6
                dnf info systemd
            ",
        },
        Rule {
            id: "essentials.remove-all",
            severity: Severity::Catastrophic,
            when: When::Command(|command| acts_here(command) && removes(command) && names_all(command)),
            reason: "It removes every package that is installed.",
            instead: "Remove one package by name, such as `pip uninstall -y requests`.",
            matches: "
                pacman -Rns $(pacman -Qq)
                pip uninstall -y $(pip freeze)
                pip freeze | xargs pip uninstall -y
                apt-get purge '*'
                brew list | xargs brew uninstall --force
                pkg delete -a
            ",
            spares: "
                pip uninstall -y requests
                pip uninstall -y -r requirements.txt
                pacman -Rns nano
                brew uninstall jq
                apt-get autoremove -y
            ",
        },
        Rule {
            id: "essentials.generations",
            severity: Severity::Risky,
            when: When::Command(|command| acts_here(command) && fits(command, GENERATIONS)),
            reason: "It deletes the older generations, to which the system or a profile could go back.",
            instead: "Free what nothing needs any more, such as with `nix-collect-garbage`.",
            matches: "
                nix-collect-garbage -d
                sudo nix-collect-garbage --delete-older-than 7d
                nix profile wipe-history
                guix gc --delete-generations
            ",
            spares: "
                nix-collect-garbage
                nix-collect-garbage -d --dry-run
                nix store gc
                nix profile list
            ",
        },
        Rule {
            id: "essentials.force",
            severity: Severity::Destructive,
            when: When::Command(|command| {
                acts_here(command) && is_system_manager(command) && removes(command) && is_forced(command)
            }),
            reason: "It removes a package although others need it.",
            instead: "Remove it without force, such as `apt-get remove nano`.",
            matches: "
                dpkg --purge --force-all nginx
                pacman -Rdd gtk3
                rpm -e --nodeps openssl-devel
                apt-get remove --allow-remove-essential foo
            ",
            spares: "
                dpkg -r nginx
                pacman -R gtk3
                rpm -qa
                dpkg --force-confnew -i a.deb
            ",
        },
    ],
};
