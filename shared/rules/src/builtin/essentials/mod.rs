//! Packages that the operating system, or an interpreter, does not work without.

mod checks;

use crate::calls::{Table, calls};
use crate::rule::{Covers, Family, Rule, Severity, When};

use self::checks::{
    acts_here, is_essential, is_forced, is_system_manager, is_versioned_pip, keeps_data, names_all, packages,
    purges, removes, sets_strange_registry,
};

/// What only older generations need, and they themselves.
static GENERATIONS: Table = calls!(
    "
    nix-collect-garbage:
        -d|--delete-old|--delete-older-than
    nix-env:
        --delete-generations
    nix:
        profile wipe-history
        store delete
        profile remove --all|.*
    guix:
        gc -d|--delete-generations
        package|system --delete-generations
        system delete-generations
        gc -d|--delete-generations|-D|--delete
    home-manager:
        expire-generations|remove-generations
    nixos-rebuild:
        switch --rollback
"
);

/// A manager with everything that it has installed, or all of one kind.
static TOOLCHAINS: Table = calls!(
    "
    mise asdf rtx:
        implode
        uninstall -a|--all
        prune -y|--yes
    rustup:
        self uninstall
    uv:
        python|tool uninstall --all
    brew:
        bundle cleanup -f|--force
        uninstall|remove|rm --ignore-dependencies
    winget:
        uninstall --all
    choco:
        uninstall all
    scoop:
        uninstall -g|--global *
        uninstall scoop
    pipx:
        uninstall-all
    conda mamba:
        env remove -n=base
        env remove --name=base
    flatpak:
        uninstall|remove --all
    nvm fnm volta pyenv:
        deactivate --purge
    pnpm:
        self-uninstall
    ghcup:
        nuke
    sdk:
        flush all
    brew:
        uninstall|remove|rm --zap
"
);

/// What is removed without the snapshot that would bring its data back.
static PURGED: Table = calls!(
    "
    snap:
        remove --purge
"
);

/// What installs without looking at who made it.
static UNVERIFIED: Table = calls!(
    "
    apt apt-get aptitude:
        install|upgrade|dist-upgrade|full-upgrade --allow-unauthenticated|--force-yes|--allow-insecure-repositories
    dpkg:
        --force-all|--force-bad-verify -i|--install
    rpm:
        --nosignature|--nodigest|--nogpgcheck
    dnf yum dnf5 microdnf tdnf:
        ... install|upgrade|update|localinstall --nogpgcheck|--no-gpgchecks
    zypper:
        --no-gpg-checks ... install|in|update|up
    apk:
        add --allow-untrusted
    snap:
        install --dangerous
    pkg:
        add -f
    npm pnpm yarn:
        config|c set strict-ssl false
        config|c set strict-ssl=false
        set strict-ssl=false
        config set enableStrictSsl false
    composer:
        config disable-tls true|1
        config secure-http false|0
    pip pip3:
        config set global.trusted-host *
    uv pip pip3:
        ... install --allow-insecure-host
    conda mamba:
        config ssl_verify false|False|no
        config --set=ssl_verify
    zypper:
        --no-gpg-checks ... dup|dist-upgrade|patch|refresh|ref
        ... install|in|update|up|dup --no-gpg-checks
    add-apt-repository apt-add-repository:
        ppa:* !-r !--remove
        ~http: !-r !--remove
    pacman:
        --overwrite=*
    yay paru pikaur trizen:
        --skipinteg|--skippgpcheck|--skipchecksums|--noconfirm -S
        --mflags
    makepkg:
        --skipinteg|--skippgpcheck|--skipchecksums
    flatpak:
        remote-add|remote-modify --no-gpg-verify
        override --filesystem=host|home|/
        install --no-gpg-verify
    winget:
        ... install|upgrade --ignore-security-hash|--force
        settings --enable
    choco:
        install|upgrade --ignore-checksums|--allow-empty-checksums|--allowemptychecksums
        feature ... enable|disable
    scoop:
        bucket add * *
        install -s|--skip-hash-check
    choco:
        ... install|upgrade --source=http:*
        ... install|upgrade -s=http:*
    snap:
        install --devmode|--jailmode
"
);

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
                pacman -Rsp glibc
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
            when: When::calls(&GENERATIONS).only(acts_here),
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
            id: "essentials.toolchain",
            severity: Severity::Risky,
            when: When::calls(&TOOLCHAINS).only(acts_here),
            reason: "It removes a package manager, or everything that one has installed.",
            instead: "Remove one tool by its name, such as `mise uninstall node@20`.",
            matches: "
                mise implode
                rustup self uninstall -y
                uv python uninstall --all
                brew bundle cleanup --force
                brew uninstall --ignore-dependencies openssl@3
            ",
            spares: "
                mise uninstall node@20
                rustup toolchain list
                uv tool uninstall ruff
                brew bundle cleanup
                brew uninstall jq
            ",
        },
        Rule {
            id: "essentials.unverified",
            severity: Severity::Risky,
            when: When::calls(&UNVERIFIED).also(sets_strange_registry).only(acts_here),
            reason: "It takes packages without a check of who made them.",
            instead: "Add the key of the repository, and install with the check.",
            matches: "
                apt-get install -y --allow-unauthenticated x
                dnf install --nogpgcheck ./x.rpm
                apk add --allow-untrusted x.apk
                npm config set strict-ssl false
                composer config -g disable-tls true
                npm config set registry http://npm.evil.example
                pip config set global.index-url http://evil.example/simple
            ",
            spares: "
                apt-get install -y x
                dnf install ./x.rpm
                npm config set registry https://registry.npmjs.org/
                npm config set registry http://localhost:4873
                pip config list
            ",
        },
        Rule {
            id: "essentials.data-package",
            severity: Severity::Risky,
            when: When::calls(&PURGED)
                .also(|command| {
                    is_system_manager(command)
                        && purges(command)
                        && packages(command).iter().any(|name| keeps_data(name))
                })
                .only(acts_here),
            reason: "It removes a server together with the data that it keeps.",
            instead: "Remove it without `--purge`, which leaves the data, and make a dump first.",
            matches: "
                sudo apt purge -y mysql-server
                apt-get remove --purge postgresql-16
                snap remove --purge postgresql
            ",
            spares: "
                apt-get remove mysql-server
                apt purge -y nginx
                snap remove postgresql
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
