//! Modes, owners, access lists and attributes of files.

mod checks;

use shell::Place;

use crate::rule::{Covers, Family, Rule, Severity, When};

use self::checks::{any, is_base, is_deep, is_too_open, lends_root, opens_nothing, spoils_system_file};

pub(super) static FAMILY: Family = Family {
    id: "permissions",
    title: "Permissions and owners",
    covers: Covers::Listed(catalog::family("permissions")),
    rules: &[
        Rule {
            id: "permissions.recursive-system",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                is_deep(command)
                    && command.name != "restorecon"
                    && any(command, |command, target| {
                        is_base(command, target) && !opens_nothing(command, target)
                    })
            }),
            reason: "It changes every file of the system or of a home folder: programs, keys and logins stop working.",
            instead: "Name the project folder that needs it, such as `chmod -R u+rw .`.",
            matches: "
                chmod -R 777 /
                chmod --recursive a+rwx /etc
                chmod -R 777 ~
                sudo chown -R nobody /usr
                chgrp -R users /
                setfacl -R -b /
                setfacl -Rm o::rwx /
                find / -exec chmod 777 {} +
            ",
            spares: "
                chmod -R u+rw .
                chown -R node:node ./node_modules
                chown -R www-data /var/www/html
                chmod -R 755 /usr/local/app
            ",
        },
        Rule {
            id: "permissions.set-user",
            severity: Severity::Catastrophic,
            when: When::Command(|command| !command.only_asks() && lends_root(command)),
            reason: "Whoever starts the program gets its owner's rights, or root's.",
            instead: "Give the one right that the program needs, such as `setcap cap_net_bind_service=+ep ./server`.",
            matches: "
                chmod 4755 /tmp/sh
                chmod u+s ./helper
                install -m 4755 sh /tmp/sh
                chmod 6777 tool
                chmod +s /bin/bash
                setcap cap_setuid+ep /usr/bin/python3
            ",
            spares: "
                chmod 755 tool
                chmod g+s shared
                chmod 2775 /srv/shared
                chmod 1777 /tmp
                sudo chmod 4755 node_modules/electron/dist/chrome-sandbox
                chmod u-s ./helper
            ",
        },
        Rule {
            id: "permissions.system-file",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                any(command, |command, target| {
                    command.atom.place != Place::Container && spoils_system_file(command, target)
                })
            }),
            reason: "It opens a system file to everyone, or takes away what others need to use it.",
            instead: "Check with `stat`, and let the package manager restore modes.",
            matches: "
                chmod 777 /etc/shadow
                chmod 000 /bin/bash
                chmod o+w /etc/passwd
                chmod 644 /etc/shadow
                chmod -x /usr/bin/sudo
                chattr +i /etc/passwd
                chown nobody /etc/sudoers
                chmod 666 /dev/sda
                chmod -R 777 ~/.ssh
            ",
            spares: "
                chmod 644 /etc/nginx/nginx.conf
                chmod 755 /usr/bin/tool
                chmod 440 /etc/sudoers
                chmod 666 /dev/ttyUSB0
                chown root:root /etc/nginx/nginx.conf
                lsattr /etc/passwd
            ",
        },
        Rule {
            id: "permissions.open-to-all",
            severity: Severity::Risky,
            when: When::Command(|command| {
                any(command, |command, target| {
                    command.atom.place != Place::Container && is_too_open(command, target)
                })
            }),
            reason: "Everyone on the machine may change these files.",
            instead: "Open them to their owner only, such as `chmod -R u+rwX .`.",
            matches: "
                chmod -R 777 .
                chmod -R a+rwx /opt/app
                chmod 666 /var/run/docker.sock
                chmod 644 ~/.ssh/id_rsa
                chown -R mysql /var/lib/mysql
            ",
            spares: "
                chmod 777 shared.tmp
                chmod -R u+rwX .
                chmod 600 ~/.ssh/id_rsa
                chmod -R 755 dist
                chmod 700 ~/.ssh
            ",
        },
    ],
};
